// SPDX-License-Identifier: MIT
// A step graph: above, one of its clips with how far one ankle is ahead of the other and the steps that it was cut
// into; below, all steps of the graph laid from the same place, seen from above.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/plan.h"
#include "lope/ground.h"

#define PAGE_TOP 58.0
#define SIDE 40.0
#define CHART_HEIGHT 150.0
#define GAP 74.0    // between the two
#define SHARP 0.45f // radians that a step turns by to have the full colour
#define HEADING_SIZE 14

typedef struct page {
    svg out;
    const lope_steps *graph;
    const picture_theme *theme;
    int clip;
    double width;
    lope_transform *model;
    svg_point *points;
} page;

static svg_colour colour_of(const page *p, const lope_step *step)
{
    double share = fmin(1.0, fabs((double)(step->move.yaw / SHARP)));
    return svg_mix(p->theme->muted, step->move.yaw > 0.0f ? p->theme->left : p->theme->right, share);
}

// Metres that the right ankle is ahead of the left one, along the way the hips face.
static double ahead(const page *p, int frame)
{
    const lope_clip *clip = p->graph->set->clips[p->clip];
    const int *roles = clip->skeleton->roles;
    lope_clip_model(clip, frame, p->model);
    lope_ground ground = lope_ground_of_model(clip->skeleton, p->model);
    lope_vec3 apart =
        lope_v3_sub(p->model[roles[LOPE_RIGHT_ANKLE]].translation, p->model[roles[LOPE_LEFT_ANKLE]].translation);
    return (double)apart.x * lope_sin((double)ground.yaw) + (double)apart.z * lope_cos((double)ground.yaw);
}

static double frame_x(const page *p, double frame)
{
    int frames = p->graph->set->clips[p->clip]->frame_count;
    return SIDE + (p->width - 2.0 * SIDE) * frame / fmax(frames - 1, 1);
}

// A band for each step that was kept of the clip, or its number.
static void draw_bands(page *p, double top, bool label)
{
    char text[32];
    for (uint32_t s = 0; s < p->graph->step_count; s++) {
        const lope_step *step = &p->graph->steps[s];
        if (step->clip != p->clip)
            continue;
        double left = frame_x(p, step->first), right = frame_x(p, step->first + step->frames);
        if (label) {
            snprintf(text, sizeof text, "%u", s);
            svg_text(&p->out, (svg_point){0.5 * (left + right), top + CHART_HEIGHT - 6.0},
                     (svg_font){10, 0, false, p->theme->muted, &p->theme->panel}, text);
            continue;
        }
        svg_rect(&p->out, (svg_point){left + 1.0, top}, right - left - 2.0, CHART_HEIGHT, 3,
                 svg_mix(colour_of(p, step), p->theme->panel, 0.82));
    }
}

static void draw_chart(page *p, double top)
{
    const lope_clip *clip = p->graph->set->clips[p->clip];
    double most = 0.1;
    for (int f = 0; f < clip->frame_count; f++) {
        p->points[f] = (svg_point){frame_x(p, f), ahead(p, f)};
        most = fmax(most, fabs(p->points[f].y));
    }
    for (int f = 0; f < clip->frame_count; f++)
        p->points[f].y = top + 0.5 * CHART_HEIGHT * (1.0 - 0.9 * p->points[f].y / most);
    svg_rect(&p->out, (svg_point){SIDE, top}, p->width - 2.0 * SIDE, CHART_HEIGHT, 4, p->theme->panel);
    draw_bands(p, top, false);
    double middle = top + 0.5 * CHART_HEIGHT;
    svg_line(&p->out, (svg_point){SIDE, middle}, (svg_point){p->width - SIDE, middle},
             (svg_pen){p->theme->grid, 1, NULL});
    svg_polyline(&p->out, p->points, clip->frame_count, (svg_pen){p->theme->ink, 1.6, NULL});
    draw_bands(p, top, true);
}

static void draw_heading(page *p, double x, double y, const char *text, const char *note)
{
    svg_text(&p->out, (svg_point){x, y}, (svg_font){HEADING_SIZE, -1, true, p->theme->ink, NULL}, text);
    svg_text(&p->out, (svg_point){x, y + 18.0}, (svg_font){11, -1, false, p->theme->muted, NULL}, note);
}

static double panel_width(const page *p)
{
    return 0.5 * (p->width - 3.0 * SIDE);
}

static double draw_ways(page *p, double top)
{
    plan ground = {.out = &p->out, .theme = p->theme};
    const lope_steps *g = p->graph;
    for (uint32_t k = 0; k < g->place_count; k++)
        plan_include(&ground, g->places[k].at);
    double height = plan_lay_out(&ground, SIDE, top, panel_width(p));
    plan_grid(&ground);
    for (uint32_t s = 0; s < g->step_count; s++) {
        const lope_step *step = &g->steps[s];
        for (uint32_t k = 0; k < step->place_count; k++) {
            lope_ground at = g->places[step->place_first + k].at;
            p->points[k] = plan_point(&ground, (double)at.x, (double)at.z);
        }
        svg_polyline(&p->out, p->points, (int)step->place_count, (svg_pen){colour_of(p, step), 1.2, NULL});
    }
    for (uint32_t s = 0; s < g->step_count; s++)
        plan_body(&ground, g->steps[s].move, 4.0, colour_of(p, &g->steps[s]));
    plan_body(&ground, (lope_ground){0.0f, 0.0f, 0.0f}, 6.0, p->theme->ink);
    return height;
}

// Walks of `more` steps from the end of `step`, which is at `at`: measured where `measure`, drawn otherwise.
static void follow(const page *p, plan *ground, uint32_t step, lope_ground at, int more, bool measure)
{
    const lope_step *from = &p->graph->steps[step];
    for (uint32_t e = 0; e < from->edge_count && !(from->flags & LOPE_STEP_STOPS); e++) {
        const lope_step_edge *edge = &p->graph->edges[from->edge_first + e];
        const lope_step *to = &p->graph->steps[edge->to];
        lope_ground end = lope_ground_mul(lope_ground_mul(at, edge->join), to->move);
        if (more > 1) {
            if (!measure)
                svg_line(ground->out, plan_point(ground, (double)at.x, (double)at.z),
                         plan_point(ground, (double)end.x, (double)end.z),
                         (svg_pen){svg_mix(colour_of(p, to), p->theme->panel, 0.4), 1.2, NULL});
            follow(p, ground, (uint32_t)edge->to, end, more - 1, measure);
        } else if (measure) {
            plan_include(ground, end);
        } else {
            svg_circle(ground->out, plan_point(ground, (double)end.x, (double)end.z), 2.2, colour_of(p, to),
                       (svg_pen){p->theme->panel, 0, NULL});
        }
    }
}

static double draw_reach(page *p, uint32_t step, double top)
{
    plan ground = {.out = &p->out, .theme = p->theme};
    follow(p, &ground, step, (lope_ground){0.0f, 0.0f, 0.0f}, 2, true);
    double height = plan_lay_out(&ground, 2.0 * SIDE + panel_width(p), top, panel_width(p));
    plan_grid(&ground);
    follow(p, &ground, step, (lope_ground){0.0f, 0.0f, 0.0f}, 2, false);
    plan_body(&ground, (lope_ground){0.0f, 0.0f, 0.0f}, 6.0, p->theme->ink);
    return height;
}

// The first step of the clip.
static uint32_t first_step(const page *p)
{
    for (uint32_t s = 0; s < p->graph->step_count; s++)
        if (p->graph->steps[s].clip == p->clip)
            return s;
    return 0;
}

static lope_status draw_page(page *p, const char *path, lope_error *error)
{
    char text[160], note[160];
    const lope_clip *clip = p->graph->set->clips[p->clip];
    snprintf(text, sizeof text, "%.60s, cut into steps", clip->name);
    snprintf(note, sizeof note,
             "how far the right ankle is ahead of the left one, over %.1f s; colours: turns to the left orange, to the "
             "right blue",
             lope_clip_duration(clip));
    draw_heading(p, SIDE, 24.0, text, note);
    draw_chart(p, PAGE_TOP);
    double top = PAGE_TOP + CHART_HEIGHT + GAP;
    uint32_t step = first_step(p);
    snprintf(text, sizeof text, "All %u steps", p->graph->step_count);
    draw_heading(p, SIDE, top - 34.0, text, "the way of the hips from the first frame to the last; metres");
    snprintf(text, sizeof text, "Two more steps after step %u", step);
    snprintf(note, sizeof note, "it has %u ways on, a step has %.1f in the mean", p->graph->steps[step].edge_count,
             (double)p->graph->edge_count / (double)p->graph->step_count);
    draw_heading(p, 2.0 * SIDE + panel_width(p), top - 34.0, text, note);
    double height = fmax(draw_ways(p, top), draw_reach(p, step, top));
    return svg_save(&p->out, path, p->width, top + height + SIDE, p->theme->background, "Step graph", error);
}

// The clip that most steps were taken from; the first of equals.
static int busiest_clip(const lope_steps *graph)
{
    int best = 0, most = 0;
    for (int c = 0; c < graph->set->clip_count; c++) {
        int count = 0;
        for (uint32_t s = 0; s < graph->step_count; s++)
            count += graph->steps[s].clip == c;
        if (count > most) {
            most = count;
            best = c;
        }
    }
    return best;
}

lope_status lope_draw_steps(const lope_steps *steps, int clip, const lope_draw_def *def, const char *path,
                            lope_error *error)
{
    if (clip >= steps->set->clip_count)
        return lope_fail(error, LOPE_NOT_FOUND, "the graph has clips 0 to %d, found %d", steps->set->clip_count - 1,
                         clip);
    if (!lope_skeleton_is_biped(steps->set->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "a picture of steps needs a skeleton with hips and two legs");
    lope_status status = LOPE_CHECK(error, PICTURE_WIDTH(def));
    if (status)
        return status;
    page p = {.graph = steps, .theme = picture_theme_of(def->dark), .width = def->width};
    p.clip = clip < 0 ? busiest_clip(steps) : clip;
    size_t points = (size_t)steps->set->clips[p.clip]->frame_count;
    for (uint32_t s = 0; s < steps->step_count; s++)
        points = steps->steps[s].place_count > points ? steps->steps[s].place_count : points;
    p.model = lope_alloc_array((size_t)steps->set->skeleton->joint_count, sizeof *p.model);
    p.points = lope_alloc_array(points, sizeof *p.points);
    status = p.model && p.points ? draw_page(&p, path, error) : lope_fail_memory(error);
    lope_free(p.model);
    lope_free(p.points);
    svg_free(&p.out);
    return status;
}
