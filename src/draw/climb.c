// SPDX-License-Identifier: MIT
// Climbing plans from the side, as in figures 5.8 to 5.12 of the thesis: all bodies in one picture, or one small
// picture per change of contact.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/picture.h"

#define MARGIN 20.0
#define HEADING 40.0
#define GAP 8.0
#define PANEL_REACH 1.25 // metres shown round the body in a panel

typedef struct climb_page {
    svg out;
    const lope_climb_scene *scene;
    const lope_grasp_body *body;
    const lope_climb_plan *plan;
    const lope_climb_draw_def *def;
    lope_xy low, high; // what the part in hand shows, metres
    svg_point corner;  // its upper left, pixels
    double scale;      // pixels per metre
    svg_colour ground, panel, ink, muted, solid;
} climb_page;

// One per mode, in their order; again from the first where there are more modes than colours.
#define COLOURS 6
static const svg_colour mode_colours[COLOURS] = {{52, 112, 190}, {200, 92, 40},  {46, 140, 84},
                                                 {140, 80, 170}, {176, 132, 20}, {20, 140, 150}};

lope_climb_draw_def lope_climb_draw_def_default(void)
{
    return (lope_climb_draw_def){.width = 1100};
}

static svg_point to_page(const climb_page *page, lope_xy p)
{
    return (svg_point){page->corner.x + page->scale * (p.x - page->low.x),
                       page->corner.y + page->scale * (page->high.y - p.y)};
}

static void choose_colours(climb_page *page)
{
    bool dark = page->def->dark;
    page->ground = dark ? (svg_colour){24, 26, 30} : (svg_colour){255, 255, 255};
    page->panel = dark ? (svg_colour){34, 37, 43} : (svg_colour){248, 248, 245};
    page->ink = dark ? (svg_colour){230, 230, 226} : (svg_colour){34, 36, 40};
    page->muted = dark ? (svg_colour){150, 154, 160} : (svg_colour){120, 124, 130};
    page->solid = dark ? (svg_colour){92, 98, 108} : (svg_colour){200, 201, 198};
}

// Keeps the part of a polygon on one side of a line of the part in hand.
static int cut(const lope_xy *in, int count, int side, const climb_page *page, lope_xy *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        lope_xy a = in[i], b = in[(i + 1) % count];
        double da = side == 0   ? a.x - page->low.x
                    : side == 1 ? page->high.x - a.x
                    : side == 2 ? a.y - page->low.y
                                : page->high.y - a.y;
        double db = side == 0   ? b.x - page->low.x
                    : side == 1 ? page->high.x - b.x
                    : side == 2 ? b.y - page->low.y
                                : page->high.y - b.y;
        if (da >= 0.0)
            out[kept++] = a;
        if ((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) {
            double t = da / (da - db);
            out[kept++] = (lope_xy){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
        }
    }
    return kept;
}

static lope_status draw_obstacle(climb_page *page, const lope_grasp_polygon *polygon, lope_error *error)
{
    size_t room = (size_t)polygon->count * 16 + 16;
    lope_xy *a = lope_alloc_array(room, sizeof *a), *b = lope_alloc_array(room, sizeof *b);
    svg_point *points = lope_alloc_array(room, sizeof *points);
    lope_status status = a && b && points ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        int count = cut(polygon->corners, polygon->count, 0, page, a);
        count = cut(a, count, 1, page, b);
        count = cut(b, count, 2, page, a);
        count = cut(a, count, 3, page, b);
        for (int i = 0; i < count; i++)
            points[i] = to_page(page, b[i]);
        if (count > 2)
            svg_polygon(&page->out, points, count, page->solid,
                        (svg_pen){svg_mix(page->solid, page->ink, 0.35), 0.8, NULL});
    }
    lope_free(a);
    lope_free(b);
    lope_free(points);
    return status;
}

static bool shown(const climb_page *page, lope_xy at)
{
    return at.x >= page->low.x && at.x <= page->high.x && at.y >= page->low.y && at.y <= page->high.y;
}

// Squares are stood on, circles are hung from, diamonds are both.
static void draw_hold(climb_page *page, const lope_hold *hold)
{
    if (!shown(page, hold->at))
        return;
    double r = page->scale < 60.0 ? 1.6 : 2.4;
    svg_point at = to_page(page, hold->at);
    svg_pen pen = {page->ink, 0.8, NULL};
    if (hold->kind == LOPE_HOLD_PENDENT) {
        svg_circle(&page->out, at, r, page->panel, pen);
    } else {
        double k = hold->kind == LOPE_HOLD_HYBRID ? 1.3 : 1.0;
        svg_point square[4] = {{at.x - r, at.y - r}, {at.x + r, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r}};
        svg_point diamond[4] = {{at.x - k * r, at.y}, {at.x, at.y - k * r}, {at.x + k * r, at.y}, {at.x, at.y + k * r}};
        svg_polygon(&page->out, hold->kind == LOPE_HOLD_HYBRID ? diamond : square, 4, page->panel, pen);
    }
}

static lope_status draw_world(climb_page *page, lope_error *error)
{
    const lope_grasp_world *world = page->scene->world;
    svg_point corner = to_page(page, (lope_xy){page->low.x, page->high.y});
    svg_rect(&page->out, corner, page->scale * (page->high.x - page->low.x), page->scale * (page->high.y - page->low.y),
             3, page->panel);
    for (int i = 0; i < world->obstacle_count; i++) {
        lope_status status = draw_obstacle(page, &world->obstacles[i], error);
        if (status)
            return status;
    }
    for (int i = 0; i < world->hold_count; i++)
        draw_hold(page, &world->holds[i]);
    return LOPE_OK;
}

static void draw_limb(climb_page *page, const lope_grasp_points *points, int limb, svg_pen pen)
{
    svg_point line[3] = {to_page(page, limb >= LOPE_LEFT_LEG ? points->hip : points->neck),
                         to_page(page, points->middle[limb]), to_page(page, points->end[limb])};
    svg_polyline(&page->out, line, 3, pen);
}

// A point of the body as it looks ahead, seen from the side while it turns; `spread` tilts its limb sideways.
static lope_xy seen(const lope_climb_frame *frame, lope_xy ahead, double spread)
{
    double sideways = -ahead.y * lope_sin(spread);
    return (lope_xy){frame->pose.hip.x + ahead.x * lope_cos(frame->yaw) + sideways * lope_sin(frame->yaw),
                     frame->pose.hip.y + ahead.y * lope_cos(spread)};
}

static void see_body(const climb_page *page, const lope_climb_frame *frame, lope_grasp_points *out)
{
    lope_grasp_pose ahead = frame->pose;
    ahead.facing = 1;
    ahead.hip = (lope_xy){0, 0};
    lope_grasp_forward(page->body, &ahead, out);
    out->hip = frame->pose.hip;
    out->neck = seen(frame, out->neck, 0.0);
    out->head = seen(frame, out->head, 0.0);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        out->middle[i] = seen(frame, out->middle[i], frame->spread[i]);
        out->end[i] = seen(frame, out->end[i], frame->spread[i]);
    }
}

static void draw_body(climb_page *page, const lope_climb_frame *frame)
{
    lope_grasp_points points;
    see_body(page, frame, &points);
    svg_colour colour = mode_colours[frame->mode % COLOURS], pale = svg_mix(colour, page->panel, 0.45);
    double width = page->scale < 60.0 ? 1.5 : page->scale < 110.0 ? 2.0 : 2.6;
    svg_pen full = {colour, width, NULL}, dashed = {pale, 0.85 * width, "4 2"};
    draw_limb(page, &points, LOPE_LEFT_ARM, dashed);
    draw_limb(page, &points, LOPE_LEFT_LEG, dashed);
    svg_line(&page->out, to_page(page, points.hip), to_page(page, points.neck), (svg_pen){colour, 1.5 * width, NULL});
    lope_xy middle = {0.5 * (points.neck.x + points.head.x), 0.5 * (points.neck.y + points.head.y)};
    svg_circle(&page->out, to_page(page, middle), 0.4 * page->body->head * page->scale, page->panel, full);
    draw_limb(page, &points, LOPE_RIGHT_LEG, full);
    draw_limb(page, &points, LOPE_RIGHT_ARM, full);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (frame->held >> i & 1u)
            svg_circle(&page->out, to_page(page, points.end[i]), 0.8 * width, colour, (svg_pen){colour, 0, NULL});
}

static int frame_at_time(const lope_climb_plan *plan, double time)
{
    int frame = (int)(time * plan->frame_rate + 0.5);
    return frame < 0 ? 0 : frame >= plan->frame_count ? plan->frame_count - 1 : frame;
}

static lope_status draw_overlay(climb_page *page, double *height, lope_error *error)
{
    const lope_climb_plan *plan = page->plan;
    page->low = page->scene->world->low;
    page->high = page->scene->world->high;
    page->scale = (page->def->width - 2.0 * MARGIN) / (page->high.x - page->low.x);
    page->corner = (svg_point){MARGIN, HEADING};
    *height = HEADING + page->scale * (page->high.y - page->low.y) + MARGIN;
    lope_status status = draw_world(page, error);
    if (status)
        return status;
    int count = page->def->interval > 0.0 ? 1 + (int)(plan->frame_count / plan->frame_rate / page->def->interval)
                                          : plan->step_count;
    for (int i = 0; i < count; i++) {
        double time = page->def->interval > 0.0 ? i * page->def->interval : plan->steps[i].time;
        draw_body(page, &plan->frames[frame_at_time(plan, time)]);
    }
    return LOPE_OK;
}

static lope_status draw_panels(climb_page *page, double *height, lope_error *error)
{
    const lope_climb_plan *plan = page->plan;
    int columns = page->def->width / 150 < 1 ? 1 : page->def->width / 150;
    double side = (page->def->width - 2.0 * MARGIN - (columns - 1) * GAP) / columns;
    page->scale = side / (2.0 * PANEL_REACH);
    for (int i = 0; i < plan->step_count; i++) {
        const lope_climb_frame *frame = &plan->frames[frame_at_time(plan, plan->steps[i].time)];
        lope_grasp_points points;
        lope_grasp_forward(page->body, &frame->pose, &points);
        page->low = (lope_xy){points.mass.x - PANEL_REACH, points.mass.y - PANEL_REACH};
        page->high = (lope_xy){points.mass.x + PANEL_REACH, points.mass.y + PANEL_REACH};
        page->corner = (svg_point){MARGIN + i % columns * (side + GAP), HEADING + i / columns * (side + GAP)};
        lope_status status = draw_world(page, error);
        if (status)
            return status;
        draw_body(page, frame);
        char text[48];
        snprintf(text, sizeof text, "%d  %s  %.1f s", i, lope_grasp_mode_name(plan->steps[i].mode),
                 plan->steps[i].time);
        svg_text(&page->out, (svg_point){page->corner.x + 5, page->corner.y + 13},
                 (svg_font){10, -1, false, page->ink, &page->panel}, text);
    }
    *height = HEADING + (plan->step_count + columns - 1) / columns * (side + GAP) + MARGIN;
    return LOPE_OK;
}

lope_status lope_draw_climb(const lope_climb_scene *scene, const lope_grasp_body *body, const lope_climb_plan *plan,
                            const lope_climb_draw_def *def, const char *file, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, PICTURE_WIDTH(def));
    if (!status && def->interval != 0.0)
        status = LOPE_CHECK(error, LOPE_RANGE(def, interval, 1e-3, LOPE_LARGE));
    if (status)
        return status;
    climb_page page = {.scene = scene, .body = body, .plan = plan, .def = def};
    double height = 0.0;
    char text[96];
    choose_colours(&page);
    status = def->panels ? draw_panels(&page, &height, error) : draw_overlay(&page, &height, error);
    snprintf(text, sizeof text, "%d steps, %.1f s%s", plan->step_count - 1, (plan->frame_count - 1) / plan->frame_rate,
             plan->complete ? "" : ", does not arrive");
    svg_text(&page.out, (svg_point){MARGIN, 26}, (svg_font){15, -1, true, page.ink, NULL}, scene->name);
    svg_text(&page.out, (svg_point){def->width - MARGIN, 26}, (svg_font){12, 1, false, page.muted, NULL}, text);
    if (!status)
        status = svg_save(&page.out, file, def->width, height, page.ground, scene->name, error);
    svg_free(&page.out);
    return status;
}
