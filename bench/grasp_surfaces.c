// SPDX-License-Identifier: MIT
// Surfaces (6.2.2) against points every ten centimetres of them: the same random scenes, with every free side of their
// obstacles as a surface instead of single grasps.
#include "bench/grasp_surfaces.h"

#include <math.h>
#include <stdlib.h>

#define SCENES 25
#define FIRST 6000 // seed: nothing was tuned on these
#define MOST_SURFACES 400
#define LOOK 0.02   // metres between places of a side that are looked at
#define ROOM 0.03   // metres above a side that have to be free
#define STRIDE 0.55 // metres: the comfortable one of walking
#define LEAST_LENGTH 0.15

typedef struct surface_list {
    const lope_grasp_world *world;
    lope_grasp_surface items[MOST_SURFACES];
    int count;
} surface_list;

static bool is_free(const lope_grasp_world *world, lope_xy at, lope_xy normal)
{
    lope_xy air = {at.x + ROOM * normal.x, at.y + ROOM * normal.y};
    return at.x > world->low.x + ROOM && at.x < world->high.x - ROOM && at.y > world->low.y + ROOM &&
           at.y < world->high.y - ROOM && lope_grasp_depth(world, air) > 0.8 * ROOM;
}

// The free parts of a side, as surfaces.
static void add_side(surface_list *list, lope_xy a, lope_xy b)
{
    double length = hypot(b.x - a.x, b.y - a.y);
    lope_xy along = {(b.x - a.x) / length, (b.y - a.y) / length}, normal = {along.y, -along.x};
    double begin = -1.0;
    if (lope_hold_kind_by_slope(normal) == LOPE_HOLD_PENDENT)
        return;
    for (double at = 2.0 * LOOK; at < length; at += LOOK) {
        bool good =
            at + 2.0 * LOOK < length && is_free(list->world, (lope_xy){a.x + at * along.x, a.y + at * along.y}, normal);
        if (good && begin < 0.0)
            begin = at;
        if (good || begin < 0.0)
            continue;
        if (at - LOOK - begin > LEAST_LENGTH && list->count < MOST_SURFACES) {
            double end = at - LOOK;
            list->items[list->count++] = (lope_grasp_surface){{a.x + begin * along.x, a.y + begin * along.y},
                                                              {a.x + end * along.x, a.y + end * along.y},
                                                              LOPE_HOLD_BY_SLOPE};
        }
        begin = -1.0;
    }
}

static lope_status make_surfaces(const lope_grasp_world *world, lope_grasp_world **out, lope_error *error)
{
    static surface_list list;
    list.world = world;
    list.count = 0;
    for (int i = 0; i < world->obstacle_count; i++)
        for (int k = 0; k < world->obstacles[i].count; k++)
            add_side(&list, world->obstacles[i].corners[k],
                     world->obstacles[i].corners[(k + 1) % world->obstacles[i].count]);
    lope_grasp_world_def def = lope_grasp_world_def_default();
    def.low = world->low;
    def.high = world->high;
    def.obstacles = world->obstacles;
    def.obstacle_count = world->obstacle_count;
    def.surfaces = list.items;
    def.surface_count = list.count;
    return lope_grasp_world_create(&def, out, NULL, error);
}

typedef struct surface_figures {
    int solved, walks, postures;
    double times[SCENES];
    double off_stride; // sum over walking steps, metres
    double discomfort; // sum over changes of grasp
} surface_figures;

static void judge(const lope_grasp_world *world, const lope_climb_plan *plan, surface_figures *out)
{
    for (int i = 1; i < plan->step_count; i++) {
        int frame = (int)ceil(plan->steps[i].time * plan->frame_rate);
        const lope_grasp_pose *pose = &plan->frames[frame < plan->frame_count ? frame : plan->frame_count - 1].pose;
        lope_grasp_view view;
        lope_grasp_points points;
        lope_grasp_look(world, &plan->body, pose, &view);
        lope_grasp_forward(&plan->body, pose, &points);
        if (view.mode >= 0) {
            out->discomfort += view.discomfort;
            out->postures++;
        }
        if (plan->steps[i].mode == LOPE_MODE_WALK && plan->steps[i - 1].mode == LOPE_MODE_WALK) {
            lope_xy a = points.end[LOPE_LEFT_LEG], b = points.end[LOPE_RIGHT_LEG];
            out->off_stride += fabs(hypot(a.x - b.x, a.y - b.y) - STRIDE);
            out->walks++;
        }
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static lope_status measure(lope_climb_family family, bool sampled, surface_figures *out, lope_error *error)
{
    *out = (surface_figures){0};
    for (int i = 0; i < SCENES; i++) {
        lope_climb_scene *scene;
        lope_grasp_world *world;
        lope_climb_plan *plan;
        lope_climb_def def = lope_climb_def_default();
        def.sampled = sampled;
        lope_status status = lope_climb_scene_random(family, FIRST + (uint64_t)i, &scene, error);
        if (status)
            return status;
        status = make_surfaces(scene->world, &world, error);
        if (status) {
            lope_climb_scene_destroy(scene);
            return status;
        }
        double begin = bench_processor_seconds();
        bool solved = lope_climb_plan_create(world, &scene->problem, &def, NULL, NULL, &plan, NULL) == LOPE_OK;
        out->times[i] = bench_processor_seconds() - begin;
        out->solved += solved;
        if (solved)
            judge(world, plan, out);
        lope_climb_plan_destroy(plan);
        lope_grasp_world_destroy(world);
        lope_climb_scene_destroy(scene);
    }
    qsort(out->times, SCENES, sizeof *out->times, by_value);
    return LOPE_OK;
}

lope_status bench_grasp_surfaces(bench_run *run, lope_error *error)
{
    static const struct {
        lope_climb_family family;
        const char *solved, *median, *discomfort, *stride;
    } rows[] = {{LOPE_FAMILY_WALK, "surfaces, walk: solved of 25", "surfaces, walk: median",
                 "surfaces, walk: discomfort", "surfaces, walk: strides off the comfortable one"},
                {LOPE_FAMILY_CLIMB, "surfaces, climb: solved of 25", "surfaces, climb: median",
                 "surfaces, climb: discomfort", "surfaces, climb: strides off the comfortable one"}};
    const double none = (double)NAN;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        surface_figures of[2];
        for (int sampled = 0; sampled < 2; sampled++) {
            lope_status status = measure(rows[i].family, sampled, &of[sampled], error);
            if (status)
                return status;
        }
        bench_add(run, (bench_figure){rows[i].solved, of[0].solved, "", none, of[1].solved, none, true});
        bench_add(run, (bench_figure){rows[i].median, 1e3 * of[0].times[SCENES / 2], "ms", none,
                                      1e3 * of[1].times[SCENES / 2], none, false});
        bench_add(run, (bench_figure){rows[i].discomfort, of[0].discomfort / fmax(of[0].postures, 1), "", none,
                                      of[1].discomfort / fmax(of[1].postures, 1), none, false});
        bench_add(run, (bench_figure){rows[i].stride, 100.0 * of[0].off_stride / fmax(of[0].walks, 1), "cm", none,
                                      100.0 * of[1].off_stride / fmax(of[1].walks, 1), none, false});
    }
    bench_note(run,
               "surfaces: seeds %d to %d of the same families, with every free side of their obstacles as a surface; "
               "peer: points of it every 10 cm (lope_climb_def.sampled)",
               FIRST, FIRST + SCENES - 1);
    return LOPE_OK;
}
