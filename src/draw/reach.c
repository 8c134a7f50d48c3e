// SPDX-License-Identifier: MIT
// Where a pose can get a body: the choices of one state of a mobility map seen from above. The body stands in the
// middle and faces up; every choice is its way, a dot where it ends and a stroke to where the body then faces.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/plan.h"
#include "lope/graph.h"
#include "lope/ground.h"

#define REACH_TOP 58.0
#define REACH_SIDE 40.0

typedef struct reach {
    svg out;
    const lope_mobility *map;
    int state;
    picture_theme theme;
    int *poses;        // [longest] of one choice
    lope_ground *ways; // [longest] places of the body along it
    int longest;       // frames
    int least, most;   // frames of the shortest and the longest choice
    plan ground;
} reach;

// Places of the body along a choice into r->ways; returns how many.
static int follow(const reach *r, int choice)
{
    const lope_set *set = lope_mobility_set(r->map);
    int count = lope_mobility_sequence(r->map, r->state, choice, r->poses, r->longest);
    lope_ground at = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < count; k++) {
        int clip, frame;
        lope_set_pose(set, r->poses[k], &clip, &frame);
        at = lope_ground_mul(at, lope_clip_ground_step(set->clips[clip], frame - 1));
        r->ways[k] = at;
    }
    return count;
}

static void measure(reach *r)
{
    int choices = lope_mobility_choice_count(r->map, r->state);
    for (int c = 0; c < choices; c++) {
        int count = follow(r, c);
        for (int k = 0; k < count; k++)
            plan_include(&r->ground, r->ways[k]);
        r->least = count < r->least ? count : r->least;
        r->most = count > r->most ? count : r->most;
    }
}

// From the colour of the left side for what is soon done to that of the right side.
static svg_colour colour_of(const reach *r, int frames)
{
    double share = r->most > r->least ? (double)(frames - r->least) / (double)(r->most - r->least) : 0.0;
    return svg_mix(r->theme.left, r->theme.right, share);
}

static lope_status draw_ways(reach *r, lope_error *error)
{
    svg_point *points = lope_alloc_array((size_t)r->longest + 1, sizeof *points);
    if (!points)
        return lope_fail_memory(error);
    for (int c = 0; c < lope_mobility_choice_count(r->map, r->state); c++) {
        int count = follow(r, c);
        points[0] = r->ground.origin;
        for (int k = 0; k < count; k++)
            points[k + 1] = plan_point(&r->ground, (double)r->ways[k].x, (double)r->ways[k].z);
        svg_polyline(&r->out, points, count + 1,
                     (svg_pen){svg_mix(colour_of(r, count), r->theme.panel, 0.55), 1.0, NULL});
    }
    lope_free(points);
    return LOPE_OK;
}

static void draw_heading(reach *r)
{
    double rate = lope_mobility_set(r->map)->clips[0]->frame_rate;
    char text[160], soon[32], late[32];
    snprintf(text, sizeof text, "State %d of %d: %d choices", r->state, lope_mobility_state_count(r->map),
             lope_mobility_choice_count(r->map, r->state));
    svg_text(&r->out, (svg_point){REACH_SIDE, 24.0}, (svg_font){14, -1, true, r->theme.ink, NULL}, text);
    snprintf(text, sizeof text, "from %s s (orange) to %s s (blue); metres around the body, which faces up",
             picture_label(soon, r->least / rate, 0.1), picture_label(late, r->most / rate, 0.1));
    svg_text(&r->out, (svg_point){REACH_SIDE, 42.0}, (svg_font){11, -1, false, r->theme.muted, NULL}, text);
}

static lope_status draw_reach(reach *r, const lope_draw_def *def, const char *path, lope_error *error)
{
    measure(r);
    double height = plan_lay_out(&r->ground, REACH_SIDE, REACH_TOP, def->width - 2.0 * REACH_SIDE);
    plan_grid(&r->ground);
    lope_status status = draw_ways(r, error);
    if (status)
        return status;
    for (int c = 0; c < lope_mobility_choice_count(r->map, r->state); c++) {
        lope_choice choice = lope_mobility_choice(r->map, r->state, c);
        plan_body(&r->ground, choice.end, 4.5, colour_of(r, choice.frames));
    }
    plan_body(&r->ground, (lope_ground){0.0f, 0.0f, 0.0f}, 7.0, r->theme.ink);
    draw_heading(r);
    return svg_save(&r->out, path, def->width, height + REACH_TOP + REACH_SIDE, r->theme.background, "Reachable places",
                    error);
}

lope_status lope_draw_reach(const lope_mobility *map, int state, const lope_draw_def *def, const char *path,
                            lope_error *error)
{
    if (state < 0 || state >= lope_mobility_state_count(map))
        return lope_fail(error, LOPE_NOT_FOUND, "the map has states 0 to %d, found %d",
                         lope_mobility_state_count(map) - 1, state);
    lope_status status = LOPE_CHECK(error, PICTURE_WIDTH(def));
    if (status)
        return status;
    reach r = {.map = map, .state = state, .theme = *picture_theme_of(def->dark), .longest = 1, .least = 1 << 30};
    r.ground = (plan){.out = &r.out, .theme = &r.theme};
    for (int c = 0; c < lope_mobility_choice_count(map, state); c++) {
        int frames = lope_mobility_choice(map, state, c).frames;
        r.longest = frames > r.longest ? frames : r.longest;
    }
    if (lope_mobility_choice_count(map, state) == 0)
        return lope_fail(error, LOPE_NOT_FOUND, "state %d was dropped from the map and has no choices", state);
    r.poses = lope_alloc_array((size_t)r.longest, sizeof *r.poses);
    r.ways = lope_alloc_array((size_t)r.longest, sizeof *r.ways);
    status = r.poses && r.ways ? draw_reach(&r, def, path, error) : lope_fail_memory(error);
    lope_free(r.poses);
    lope_free(r.ways);
    svg_free(&r.out);
    return status;
}
