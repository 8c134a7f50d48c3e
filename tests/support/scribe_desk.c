// SPDX-License-Identifier: MIT
#include "support/scribe_desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void open_desk(desk *d, const char *text)
{
    lope_error error;
    lope_climb_counts counts = {0};
    footing start;
    *d = (desk){.body = lope_grasp_body_default()};
    lope_status status = text[0] == '{'
                             ? lope_climb_scene_read_memory(text, strlen(text), "test.json", &d->scene, &error)
                             : lope_climb_scene_builtin(text, &d->scene, &error);
    assert_ok(status);
    const lope_grasp_world *world = d->scene->world;
    assert_ok(lope_grasp_bitmap_create(world, LOPE_OCCUPIED_HALF, &d->bitmap, &error));
    const footing_task like = {.world = world, .body = &d->body};
    assert_ok(footing_at(&like, &d->scene->problem.start, "start", &start, &counts, &error));
    assert_ok(footing_at(&like, &d->scene->problem.goal, "goal", &d->task.goal, &counts, &error));
    lope_distance_def def = lope_distance_def_default();
    assert_ok(lope_distance_map_create(d->bitmap, d->task.goal.mass, &def, &d->map, &error));
    d->limb_map = malloc(sizeof(float) * (size_t)(world->hold_count + 1));
    for (int i = 0; i < world->hold_count; i++) // nearer to the right and further up
        d->limb_map[i] = (float)(20.0 - world->holds[i].at.x - world->holds[i].at.y);
    d->task.world = world;
    d->task.body = &d->body;
    d->task.map = d->map;
    d->task.touch = d->touch = touch_map_create(world, SCRIBE_DIP);
    assert_non_null(d->touch);
    d->task.limb_map[0] = d->task.limb_map[1] = d->limb_map;
    d->task.seed = 5;
    d->task.start = (figure){.pose = start.pose, .mode = (lope_grasp_mode)stance_mode(world, &start.s)};
    memcpy(d->task.start.hold, start.s.hold, sizeof start.s.hold);
    assert_true(scribe_begin(&d->s, &d->task));
}

void close_desk(desk *d)
{
    scribe_end(&d->s);
    free(d->limb_map);
    touch_map_destroy(d->touch);
    lope_distance_map_destroy(d->map);
    lope_grasp_bitmap_destroy(d->bitmap);
    lope_climb_scene_destroy(d->scene);
}

double off_holds(const desk *d, const figure *f)
{
    double worst = 0.0;
    lope_grasp_points points;
    lope_grasp_forward(&d->body, &f->pose, &points);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (f->hold[i] >= 0)
            worst = fmax(worst, xy_distance(points.end[i], d->scene->world->holds[f->hold[i]].at));
    return worst;
}

int hold_at(const desk *d, double x, double y)
{
    for (int i = 0; i < d->scene->world->hold_count; i++)
        if (xy_distance(d->scene->world->holds[i].at, xy(x, y)) < 1e-6)
            return i;
    fail_msg("no hold at (%g, %g)", x, y);
    return -1;
}

const machine_edge *edge_of(lope_grasp_mode from, lope_grasp_mode to)
{
    for (int i = 0;; i++) {
        const machine_edge *e = machine_edge_of(from, i);
        if (!e || e->to == to)
            return e;
    }
}

#define FLAT                                                                                                           \
    "{\"bounds\": [[0, 0], [6, 4]], \"obstacles\": [{\"box\": [[0, 0], [6, 0.5]]}%s],"                                 \
    "\"holds\": [{\"at\": [1, 0.5]}, {\"at\": [1.3, 0.5]}, {\"at\": [4, 0.5]}, {\"at\": [4.3, 0.5]}%s],"               \
    "\"start\": {\"at\": [1.15, 0.5], \"facing\": \"right\"}, \"goal\": {\"at\": [4.15, 0.5]}}"

void open_flat(desk *d, const char *obstacles, const char *holds)
{
    char text[1500];
    snprintf(text, sizeof text, FLAT, obstacles, holds);
    open_desk(d, text);
}

void take_stance(desk *d, const int hold[LOPE_LIMB_COUNT])
{
    stance s = {.facing = 1};
    footing at;
    lope_climb_counts counts = {0};
    memcpy(s.hold, hold, sizeof s.hold);
    assert_true(footing_solve(&(footing_task){.world = d->scene->world, .body = &d->body, .s = s}, &at, &counts));
    figure f = {.pose = at.pose, .mode = (lope_grasp_mode)stance_mode(d->scene->world, &s), .entered_foot = -1};
    memcpy(f.hold, hold, sizeof f.hold);
    scribe_cut(&d->s, 0);
    assert_true(scribe_write(&d->s, &f));
    scribe_now(&d->s)->entered = scribe_value(&d->s, scribe_now(&d->s), scribe_distance, NULL);
}
