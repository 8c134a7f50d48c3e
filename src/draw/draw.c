// SPDX-License-Identifier: MIT
// Pictures of motion: checks what is asked for, measures the motion once (direction of travel, size of the body, floor)
// and stacks the parts of the page below each other.
#include "lope/draw.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/picture.h"
#include "lope/contacts.h"
#include "lope/ground.h"
#include "motion/contact_segments.h"

static const picture_theme light = {
    .background = {255, 255, 255},
    .panel = {247, 248, 250},
    .ink = {31, 36, 46},
    .muted = {112, 120, 134},
    .grid = {222, 226, 232},
    .floor = {140, 147, 160},
    .left = {214, 96, 40},
    .right = {38, 104, 178},
    .trunk = {98, 106, 122},
    .head = {126, 134, 149},
};
static const picture_theme dark = {
    .background = {20, 23, 29},
    .panel = {27, 31, 39},
    .ink = {232, 235, 240},
    .muted = {146, 154, 168},
    .grid = {48, 54, 65},
    .floor = {120, 128, 142},
    .left = {246, 146, 88},
    .right = {104, 172, 246},
    .trunk = {158, 166, 180},
    .head = {186, 193, 205},
};

const picture_theme *picture_theme_of(bool is_dark)
{
    return is_dark ? &dark : &light;
}

lope_draw_def lope_draw_def_default(void)
{
    return (lope_draw_def){.parts = LOPE_DRAW_STROBE | LOPE_DRAW_PATH | LOPE_DRAW_CONTACTS | LOPE_DRAW_CURVES,
                           .view = LOPE_VIEW_SIDE,
                           .interval = 0.25f,
                           .width = 1100,
                           .spread = -1.0f};
}

double picture_width(const picture *page)
{
    return page->def->width - 2.0 * PICTURE_MARGIN;
}

double picture_seconds(const picture *page, int frame)
{
    return frame / page->clip->frame_rate;
}

double picture_step(double range, int count)
{
    double step = 1e-6;
    static const double factors[] = {2.0, 2.5, 2.0}; // 1, 2, 5, 10
    for (int i = 0; step * count < range && step < 1e12; i++)
        step *= factors[i % 3];
    return step;
}

const char *picture_label(char text[32], double value, double step)
{
    int decimals = step >= 0.999 ? 0 : step >= 0.0999 ? 1 : step >= 0.00999 ? 2 : 3;
    static const double powers[] = {1, 10, 100, 1000};
    long long scaled = (long long)floor(fabs(value) * powers[decimals] + 0.5), unit = (long long)powers[decimals];
    const char *sign = value < 0.0 && scaled ? "\u2212" : "";
    if (decimals)
        snprintf(text, 32, "%s%lld.%0*lld", sign, scaled / unit, decimals, scaled % unit);
    else
        snprintf(text, 32, "%s%lld", sign, scaled);
    return text;
}

void picture_heading(picture *page, const char *text, const char *note)
{
    page->top += 12.0;
    svg_text(&page->out, (svg_point){PICTURE_MARGIN, page->top}, (svg_font){13, -1, true, page->theme.ink, NULL}, text);
    double x = PICTURE_MARGIN + svg_text_width(14.5, text) + 8.0;
    if (note && x + svg_text_width(11, note) < PICTURE_MARGIN + picture_width(page) - 90.0)
        svg_text(&page->out, (svg_point){x, page->top}, (svg_font){11, -1, false, page->theme.muted, NULL}, note);
    else if (note) {
        page->top += 16.0;
        svg_text(&page->out, (svg_point){PICTURE_MARGIN, page->top}, (svg_font){11, -1, false, page->theme.muted, NULL},
                 note);
    }
    page->top += 10.0;
}

void picture_scale_bar(picture *page, svg_point right, double pixels_per_metre)
{
    double metres = picture_step(60.0 / pixels_per_metre, 1), length = metres * pixels_per_metre;
    char text[40], number[32];
    snprintf(text, sizeof text, "%s m", picture_label(number, metres, metres));
    svg_pen pen = {page->theme.ink, 1.5, NULL};
    svg_point a = {right.x - length, right.y + 8.0}, b = {right.x, right.y + 8.0};
    svg_line(&page->out, a, b, pen);
    svg_line(&page->out, (svg_point){a.x, a.y - 4.0}, (svg_point){a.x, a.y + 4.0}, pen);
    svg_line(&page->out, (svg_point){b.x, b.y - 4.0}, (svg_point){b.x, b.y + 4.0}, pen);
    svg_text(&page->out, (svg_point){a.x - 8.0, a.y + 4.0}, (svg_font){11, 1, false, page->theme.ink, NULL}, text);
}

static lope_status check_def(const lope_draw_def *def, lope_error *error)
{
    unsigned all = LOPE_DRAW_STROBE | LOPE_DRAW_PATH | LOPE_DRAW_CONTACTS | LOPE_DRAW_CURVES | LOPE_DRAW_GROUND;
    if (!(def->parts & all) || def->parts & ~all)
        return lope_fail(error, LOPE_BAD_DATA, "a picture needs at least one known part, found %#x", def->parts);
    if ((unsigned)def->view > LOPE_VIEW_PERSPECTIVE)
        return lope_fail(error, LOPE_BAD_DATA, "unknown view %d", (int)def->view);
    return LOPE_CHECK(error, LOPE_RANGE(def, interval, LOPE_ABOVE_ZERO, 1e6f), PICTURE_WIDTH(def),
                      LOPE_RANGE(def, start, -DBL_MAX, DBL_MAX), LOPE_RANGE(def, end, -DBL_MAX, DBL_MAX),
                      LOPE_RANGE(def, spread, -LOPE_LARGE, 1e4f));
}

// Frames from `start` to `end` seconds.
static lope_status choose_frames(picture *page, lope_error *error)
{
    const lope_clip *clip = page->clip;
    page->first = 0;
    page->last = clip->frame_count - 1;
    if (page->def->end <= page->def->start)
        return LOPE_OK;
    double first = ceil(page->def->start * clip->frame_rate - 1e-6);
    double last = floor(page->def->end * clip->frame_rate + 1e-6);
    if (first > page->last || last < 0.0 || last < first)
        return lope_fail(error, LOPE_NOT_FOUND, "'%s' has no frame from %g to %g s: it is %.3f s long", clip->name,
                         page->def->start, page->def->end, lope_clip_duration(clip));
    page->first = first > 0.0 ? (int)first : 0;
    page->last = last < page->last ? (int)last : page->last;
    return LOPE_OK;
}

static lope_status check_finite(const picture *page, lope_error *error)
{
    const lope_clip *clip = page->clip;
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (int f = page->first; f <= page->last; f++) {
        lope_vec3 p = clip->root[f];
        bool fine = fabsf(p.x) < 1e6f && fabsf(p.y) < 1e6f && fabsf(p.z) < 1e6f;
        for (size_t j = 0; j < joints && fine; j++) {
            lope_quat q = clip->rotations[(size_t)f * joints + j];
            fine = fabsf(q.x + q.y + q.z + q.w) < 4.0f;
        }
        for (size_t j = 0; j < joints && fine && clip->translations; j++) {
            lope_vec3 t = clip->translations[(size_t)f * joints + j];
            fine = fabsf(t.x) < 1e6f && fabsf(t.y) < 1e6f && fabsf(t.z) < 1e6f;
        }
        if (!fine)
            return lope_fail(error, LOPE_BAD_DATA, "frame %d of '%s' is not finite or farther than 1000 km away", f,
                             clip->name);
    }
    return LOPE_OK;
}

static float body_size(const picture *page)
{
    const lope_skeleton *skeleton = page->clip->skeleton;
    float leg = lope_skeleton_leg_length(skeleton);
    if (leg > 1e-3f)
        return leg / 0.85f;
    lope_vec3 low = page->rest[0].translation, high = low;
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_vec3 ends[2] = {page->rest[j].translation, lope_transform_point(page->rest[j], skeleton->tips[j])};
        for (int e = 0; e < 2; e++) {
            low = lope_v3(fminf(low.x, ends[e].x), fminf(low.y, ends[e].y), fminf(low.z, ends[e].z));
            high = lope_v3(fmaxf(high.x, ends[e].x), fmaxf(high.y, ends[e].y), fmaxf(high.z, ends[e].z));
        }
    }
    float extent = lope_v3_length(lope_v3_sub(high, low));
    return extent > 1e-3f ? extent / 1.75f : 1.0f;
}

// The way from start to end where it is a way; else the longest way from the start; else where the body faces.
static lope_vec3 travel_direction(const picture *page)
{
    lope_ground start = lope_clip_ground(page->clip, page->first);
    lope_vec3 facing = {(float)lope_sin((double)start.yaw), 0, (float)lope_cos((double)start.yaw)};
    lope_vec3 farthest = {0, 0, 0}, whole = {0, 0, 0};
    for (int f = page->first; f <= page->last; f++) {
        lope_ground g = lope_clip_ground(page->clip, f);
        whole = lope_v3(g.x - start.x, 0, g.z - start.z);
        if (lope_v3_length(whole) > lope_v3_length(farthest))
            farthest = whole;
    }
    lope_vec3 way = lope_v3_length(whole) > 0.5f * lope_v3_length(farthest) ? whole : farthest;
    if (lope_v3_length(way) < 0.35f * page->size)
        return facing;
    // Walking backwards or sideways is drawn seen from the same side as walking forwards.
    way = lope_v3_normalize(way, facing);
    return lope_v3_dot(way, facing) < -0.5f ? lope_v3_scale(way, -1.0f) : way;
}

// The floor line: below nearly all that is drawn. Single frames that dip deeper are noise.
static lope_status find_floor(picture *page, lope_error *error)
{
    int frames = page->last - page->first + 1, stride = 1 + frames / 400, count = 0;
    float *lowest = lope_alloc_array((size_t)(frames / stride + 1), sizeof *lowest);
    body_shape *shapes = lope_alloc_array((size_t)body_shape_limit(page->clip->skeleton), sizeof *shapes);
    if (!lowest || !shapes) {
        lope_free(lowest);
        lope_free(shapes);
        return lope_fail_memory(error);
    }
    for (int f = page->first; f <= page->last; f += stride) {
        lope_clip_model(page->clip, f, page->model);
        int shape_count = body_shapes(page, shapes);
        float low = INFINITY;
        for (int s = 0; s < shape_count; s++)
            for (int p = 0; p < shapes[s].count; p++)
                low = fminf(low, shapes[s].points[p].y - shapes[s].radii[p]);
        lowest[count++] = low;
    }
    lope_sort_heights(lowest, count);
    page->floor = lowest[count / 20];
    lope_free(lowest);
    lope_free(shapes);
    return LOPE_OK;
}

// The clip's own contacts, or those that can be found. A body without feet has none: that is no failure.
static lope_status choose_contacts(picture *page, lope_error *error)
{
    const lope_clip *clip = page->clip;
    page->contacts = clip->contacts;
    unsigned wanted = LOPE_DRAW_STROBE | LOPE_DRAW_PATH | LOPE_DRAW_CONTACTS;
    if (clip->contacts || !lope_skeleton_is_biped(clip->skeleton) || !(page->def->parts & wanted))
        return LOPE_OK;
    page->found_contacts = lope_alloc_array((size_t)clip->frame_count, sizeof *page->found_contacts);
    if (!page->found_contacts)
        return lope_fail_memory(error);
    lope_contacts_def def = lope_contacts_def_default();
    lope_status status = lope_contacts_find(clip, &def, page->found_contacts, error);
    if (status == LOPE_OK)
        page->contacts = page->found_contacts;
    return status == LOPE_MISMATCH ? LOPE_OK : status;
}

static lope_status measure(picture *page, lope_error *error)
{
    size_t joints = (size_t)page->clip->skeleton->joint_count;
    page->rest = lope_alloc_array(joints, sizeof *page->rest);
    page->model = lope_alloc_array(joints, sizeof *page->model);
    if (!page->rest || !page->model)
        return lope_fail_memory(error);
    lope_skeleton_rest_model(page->clip->skeleton, page->rest);
    page->size = body_size(page);
    page->travel = travel_direction(page);
    lope_status status = find_floor(page, error);
    return status ? status : choose_contacts(page, error);
}

// Cuts a text to a width by dropping its end; never inside a UTF-8 sequence.
static void fit_text(char *text, double font_size, double width)
{
    size_t length = strlen(text);
    while (length > 4 && svg_text_width(font_size, text) > width) {
        do
            length--;
        while (length > 4 && ((unsigned char)text[length] & 0xC0) == 0x80);
        memcpy(text + length, "\u2026", sizeof "\u2026");
        text[length + 3] = 0;
    }
}

static void draw_title(picture *page)
{
    char name[260], about[200], number[32], rate[32];
    const lope_clip *clip = page->clip;
    snprintf(name, sizeof name, "%.250s", clip->name);
    fit_text(name, 19, picture_width(page));
    page->top = PICTURE_MARGIN + 14.0;
    svg_text(&page->out, (svg_point){PICTURE_MARGIN, page->top}, (svg_font){19, -1, true, page->theme.ink, NULL}, name);
    bool whole_rate = fabs(clip->frame_rate - floor(clip->frame_rate + 0.5)) < 1e-3;
    picture_label(rate, clip->frame_rate, whole_rate ? 1.0 : 0.01);
    int length = snprintf(about, sizeof about, "%s s \u00b7 %d frame%s at %s fps \u00b7 %d joints",
                          picture_label(number, lope_clip_duration(clip), 0.01), clip->frame_count,
                          clip->frame_count == 1 ? "" : "s", rate, clip->skeleton->joint_count);
    if (page->first > 0 || page->last < clip->frame_count - 1) {
        char from[32], to[32];
        snprintf(about + length, sizeof about - (size_t)length, " \u00b7 shown from %s to %s s",
                 picture_label(from, picture_seconds(page, page->first), 0.01),
                 picture_label(to, picture_seconds(page, page->last), 0.01));
    }
    page->top += 19.0;
    svg_text(&page->out, (svg_point){PICTURE_MARGIN, page->top}, (svg_font){11.5, -1, false, page->theme.muted, NULL},
             about);
    if (!lope_skeleton_is_biped(clip->skeleton) || page->def->width < 560) {
        page->top += 20.0;
        return;
    }
    double x = PICTURE_MARGIN + picture_width(page), y = page->top - 4.0;
    svg_font font = {11, 1, false, page->theme.ink, NULL};
    svg_text(&page->out, (svg_point){x, y + 4.0}, font, "right");
    svg_circle(&page->out, (svg_point){x - 42.0, y}, 5, page->theme.right, (svg_pen){0});
    svg_text(&page->out, (svg_point){x - 64.0, y + 4.0}, font, "left");
    svg_circle(&page->out, (svg_point){x - 98.0, y}, 5, page->theme.left, (svg_pen){0});
    page->top += 20.0;
}

static lope_status draw_parts(picture *page, lope_error *error)
{
    static const struct {
        unsigned part;
        lope_status (*draw)(picture *page, lope_error *error);
    } parts[] = {{LOPE_DRAW_GROUND, draw_on_ground},
                 {LOPE_DRAW_STROBE, draw_strobe},
                 {LOPE_DRAW_PATH, draw_path},
                 {LOPE_DRAW_CONTACTS, draw_contacts},
                 {LOPE_DRAW_CURVES, draw_curves}};
    draw_title(page);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        lope_status status = page->def->parts & parts[i].part ? parts[i].draw(page, error) : LOPE_OK;
        if (status)
            return status;
    }
    return LOPE_OK;
}

lope_status lope_draw(const lope_clip *clip, const lope_draw_def *def, const char *path, lope_error *error)
{
    picture page = {.clip = clip, .def = def, .theme = def->dark ? dark : light};
    lope_status status = check_def(def, error);
    if (status == LOPE_OK)
        status = choose_frames(&page, error);
    if (status == LOPE_OK)
        status = check_finite(&page, error);
    if (status == LOPE_OK)
        status = measure(&page, error);
    if (status == LOPE_OK)
        status = draw_parts(&page, error);
    if (status == LOPE_OK)
        status = svg_save(&page.out, path, def->width, ceil(page.top), page.theme.background, clip->name, error);
    svg_free(&page.out);
    lope_free(page.rest);
    lope_free(page.model);
    lope_free(page.found_contacts);
    return status;
}
