// SPDX-License-Identifier: MIT
// Curves over time: joint angles in degrees, speed over the ground, height of the hips. Each unit has its own chart.
//
// Angles are those of gait analysis where there are such: knees and elbows from straight (0), hips and shoulders as
// the limb's swing forward (+) and back (-), ankles as toes up (+) or down (-) from rest. Other joints: their turn
// away from the rest pose.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/chart.h"
#include "lope/ground.h"

#define MAX_CURVES 12
#define PLOT_HEIGHT 150.0

typedef enum curve_unit { CURVE_DEGREES, CURVE_SPEED, CURVE_METRES, CURVE_UNIT_COUNT } curve_unit;

typedef struct curve {
    curve_unit unit;
    lope_role role; // of CURVE_DEGREES
    char name[32];
    svg_pen pen;
} curve;

static double degrees(double radians)
{
    return radians * (180.0 / LOPE_PI);
}

static double angle_between(lope_vec3 a, lope_vec3 b)
{
    return lope_atan2((double)lope_v3_length(lope_v3_cross(a, b)), (double)lope_v3_dot(a, b));
}

static lope_vec3 bone(const lope_transform *model, int from, int to)
{
    return lope_v3_sub(model[to].translation, model[from].translation);
}

// Swing of a limb in the sagittal plane of the joint that carries it; zero hanging down.
static double swing(const picture *page, int carrier, int upper, int lower)
{
    lope_quat turn = lope_quat_mul(page->model[carrier].rotation, lope_quat_conjugate(page->rest[carrier].rotation));
    lope_vec3 v = lope_quat_rotate(lope_quat_conjugate(turn), bone(page->model, upper, lower));
    return lope_atan2((double)v.z, -(double)v.y);
}

static double toes_up(const int *roles, const lope_transform *model, bool left)
{
    int knee = roles[left ? LOPE_LEFT_KNEE : LOPE_RIGHT_KNEE], ankle = roles[left ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
    int toe = roles[left ? LOPE_LEFT_TOE : LOPE_RIGHT_TOE];
    return angle_between(bone(model, knee, ankle), bone(model, ankle, toe));
}

// The angle of a role in page->model, in degrees.
static double role_angle(const picture *page, lope_role role, int frame)
{
    const lope_skeleton *skeleton = page->clip->skeleton;
    const int *roles = skeleton->roles;
    int joint = roles[role];
    int above = role > LOPE_HIPS ? roles[role - 1] : -1;
    int below = role + 1 < LOPE_ROLE_COUNT ? roles[role + 1] : -1;
    switch (role) {
    case LOPE_LEFT_KNEE:
    case LOPE_RIGHT_KNEE:
    case LOPE_LEFT_ELBOW:
    case LOPE_RIGHT_ELBOW:
        if (above >= 0 && below >= 0)
            return degrees(angle_between(bone(page->model, above, joint), bone(page->model, joint, below)));
        break;
    case LOPE_LEFT_HIP:
    case LOPE_RIGHT_HIP:
        if (roles[LOPE_HIPS] >= 0 && below >= 0)
            return degrees(swing(page, roles[LOPE_HIPS], joint, below));
        break;
    case LOPE_LEFT_SHOULDER:
    case LOPE_RIGHT_SHOULDER:
        if (roles[LOPE_CHEST] >= 0 && below >= 0)
            return degrees(swing(page, roles[LOPE_CHEST], joint, below));
        break;
    case LOPE_LEFT_ANKLE:
    case LOPE_RIGHT_ANKLE:
        if (above >= 0 && below >= 0)
            return degrees(toes_up(roles, page->model, role == LOPE_LEFT_ANKLE) -
                           toes_up(roles, page->rest, role == LOPE_LEFT_ANKLE));
        break;
    default:
        break;
    }
    size_t at = (size_t)frame * (size_t)skeleton->joint_count + (size_t)joint;
    return degrees((double)lope_quat_angle(page->clip->rotations[at], skeleton->rest[joint].rotation));
}

// Metres per second over the ground, from the frames around.
static double speed_at(const picture *page, int frame)
{
    int before = frame > 0 ? frame - 1 : frame, after = frame + 1 < page->clip->frame_count ? frame + 1 : frame;
    if (before == after)
        return 0.0;
    lope_ground a = lope_clip_ground(page->clip, before), b = lope_clip_ground(page->clip, after);
    double dx = (double)(b.x - a.x), dz = (double)(b.z - a.z);
    return sqrt(dx * dx + dz * dz) * page->clip->frame_rate / (after - before);
}

static double curve_value(picture *page, const curve *which, int frame)
{
    if (which->unit == CURVE_SPEED)
        return speed_at(page, frame);
    lope_clip_model(page->clip, frame, page->model);
    int hips = page->clip->skeleton->roles[LOPE_HIPS];
    if (which->unit == CURVE_METRES)
        return (double)(page->model[hips >= 0 ? hips : 0].translation.y - page->floor);
    return role_angle(page, which->role, frame);
}

static lope_status parse_curve(const picture *page, const char *name, curve *out, lope_error *error)
{
    *out = (curve){.role = LOPE_ROLE_COUNT};
    snprintf(out->name, sizeof out->name, "%s", name);
    if (strcmp(name, "speed") == 0)
        out->unit = CURVE_SPEED;
    else if (strcmp(name, "height") == 0)
        out->unit = CURVE_METRES;
    else {
        out->role = lope_role_from_name(name);
        if (out->role == LOPE_ROLE_COUNT)
            return lope_fail(error, LOPE_NOT_FOUND, "unknown curve '%s': expected speed, height or a role such as %s",
                             name, lope_role_name(LOPE_LEFT_KNEE));
        if (page->clip->skeleton->roles[out->role] < 0)
            return lope_fail(error, LOPE_MISMATCH, "curve '%s': the skeleton of '%s' has no such joint", name,
                             page->clip->name);
    }
    return LOPE_OK;
}

// Left and right keep their colours; a second pair is told apart by dashes.
static void choose_pens(const picture *page, curve *curves, int count)
{
    static const char *const dashes[] = {NULL, "7 4", "2 3", "10 3 2 3"};
    int uses[4] = {0};
    for (int i = 0; i < count; i++) {
        bool left = strncmp(curves[i].name, "left", 4) == 0, right = strncmp(curves[i].name, "right", 5) == 0;
        int group = curves[i].unit != CURVE_DEGREES ? 3 : left ? 0 : right ? 1 : 2;
        svg_colour colour = left ? page->theme.left : right ? page->theme.right : page->theme.ink;
        curves[i].pen = (svg_pen){colour, 1.8, group == 3 ? NULL : dashes[uses[group]++ % 4]};
    }
}

static lope_status parse_curves(const picture *page, curve *curves, int *count, lope_error *error)
{
    bool biped = lope_skeleton_is_biped(page->clip->skeleton);
    const char *at = page->def->curves;
    if (!at)
        at = biped ? "left knee,right knee,left hip,right hip" : "speed,height";
    *count = 0;
    for (bool more = true; more;) {
        char name[32];
        const char *comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        while (length && *at == ' ')
            at++, length--;
        while (length && at[length - 1] == ' ')
            length--;
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (*count == MAX_CURVES)
            return lope_fail(error, LOPE_BAD_DATA, "more than %d curves in '%s'", MAX_CURVES, page->def->curves);
        lope_status status = parse_curve(page, name, &curves[*count], error);
        if (status)
            return status;
        (*count)++;
        more = comma != NULL;
        at = comma ? comma + 1 : at;
    }
    choose_pens(page, curves, *count);
    return LOPE_OK;
}

static void draw_value_axis(picture *page, const chart *area, const char *unit)
{
    double step = picture_step(area->high - area->low, 6);
    char text[32];
    svg_font font = {10, 1, false, page->theme.muted, NULL};
    for (double v = ceil(area->low / step - 1e-9) * step; v <= area->high + 1e-9; v += step) {
        double y = chart_y(area, v);
        bool zero = fabs(v) < 1e-9 * step + 1e-12;
        svg_line(&page->out, (svg_point){area->left, y}, (svg_point){area->right, y},
                 (svg_pen){zero ? page->theme.floor : page->theme.grid, 1, NULL});
        svg_text(&page->out, (svg_point){area->left - 8.0, y + 3.5}, font, picture_label(text, v, step));
    }
    font.anchor = -1;
    font.colour = page->theme.ink;
    svg_text(&page->out, (svg_point){PICTURE_MARGIN, 0.5 * (area->top + area->bottom) + 3.5}, font, unit);
}

// Samples of some curves at the frames that are drawn: values[curve * samples + sample].
typedef struct samples {
    int count, stride;
    double *values;
    svg_point *points; // scratch of one curve
} samples;

static int sample_frame(const picture *page, const samples *all, int index)
{
    int frame = page->first + index * all->stride;
    return frame > page->last ? page->last : frame;
}

static void draw_legend(picture *page, const curve *curves, int count, const chart *area)
{
    double x = area->left;
    for (int i = 0; i < count; i++) {
        double width = 34.0 + svg_text_width(11, curves[i].name) + 16.0;
        if (x + width > area->right + 16.0 && x > area->left) {
            x = area->left;
            page->top += 16.0;
        }
        double y = page->top + 8.0;
        svg_line(&page->out, (svg_point){x, y}, (svg_point){x + 26.0, y}, curves[i].pen);
        svg_text(&page->out, (svg_point){x + 32.0, y + 4.0}, (svg_font){11, -1, false, page->theme.ink, NULL},
                 curves[i].name);
        x += width;
    }
    page->top += 20.0;
}

// The curves of one unit in one chart.
static void draw_chart(picture *page, const curve *curves, int count, const samples *all, bool last)
{
    static const char *const units[] = {"degrees", "m/s", "m"};
    chart area = chart_begin(page, PLOT_HEIGHT);
    draw_legend(page, curves, count, &area);
    area = chart_begin(page, PLOT_HEIGHT);
    double low = 1e30, high = -1e30;
    for (int i = 0; i < count * all->count; i++)
        low = fmin(low, all->values[i]), high = fmax(high, all->values[i]);
    low = curves->unit == CURVE_SPEED ? fmin(low, 0.0) : low;
    double least = curves->unit == CURVE_DEGREES ? 10.0 : 0.1, missing = fmax(least - (high - low), 0.0);
    double step = picture_step(high - low + missing, 6);
    area.low = floor((low - 0.5 * missing) / step + 1e-6) * step;
    area.low = curves->unit != CURVE_DEGREES && low >= 0.0 ? fmax(area.low, 0.0) : area.low;
    area.high = ceil((high + 0.5 * missing) / step - 1e-6) * step;
    chart_time_axis(page, &area, last);
    draw_value_axis(page, &area, units[curves->unit]);
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < all->count; i++)
            all->points[i] = (svg_point){chart_x(&area, picture_seconds(page, sample_frame(page, all, i))),
                                         chart_y(&area, all->values[c * all->count + i])};
        if (all->count == 1)
            svg_circle(&page->out, all->points[0], 2.5, curves[c].pen.colour, (svg_pen){0});
        else
            svg_polyline(&page->out, all->points, all->count, curves[c].pen);
    }
    page->top = area.bottom + (last ? 38.0 : 16.0);
}

lope_status draw_curves(picture *page, lope_error *error)
{
    curve curves[MAX_CURVES], group[MAX_CURVES];
    int count;
    lope_status status = parse_curves(page, curves, &count, error);
    if (status)
        return status;
    int frames = page->last - page->first + 1;
    samples all = {.stride = 1 + frames / (2 * page->def->width)};
    all.count = (frames - 1 + all.stride - 1) / all.stride + 1;
    all.values = lope_alloc_array((size_t)all.count * (size_t)count, sizeof *all.values);
    all.points = lope_alloc_array((size_t)all.count, sizeof *all.points);
    if (all.values && all.points) {
        svg_group_begin(&page->out, "curves", NULL);
        picture_heading(page, "Curves", NULL);
        int done = 0;
        for (int unit = 0; unit < CURVE_UNIT_COUNT; unit++) {
            int members = 0;
            for (int c = 0; c < count; c++)
                if ((int)curves[c].unit == unit)
                    group[members++] = curves[c];
            for (int c = 0; c < members; c++)
                for (int i = 0; i < all.count; i++)
                    all.values[c * all.count + i] = curve_value(page, &group[c], sample_frame(page, &all, i));
            done += members;
            if (members)
                draw_chart(page, group, members, &all, done == count);
        }
        svg_group_end(&page->out);
    } else {
        status = lope_fail_memory(error);
    }
    lope_free(all.values);
    lope_free(all.points);
    return status;
}
