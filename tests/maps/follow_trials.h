// SPDX-License-Identifier: MIT
// Random worlds and paths for tests of following, and what must be true of every walk.
#ifndef LOPE_TESTS_FOLLOW_TRIALS_H
#define LOPE_TESTS_FOLLOW_TRIALS_H

#include <string.h>

#include "lope/follow.h"
#include "support/arcs.h"

#define WORLD 16.0f
#define CLEARANCE 0.5f

typedef struct fixture {
    lope_steps *steps;
    lope_maps *maps;
    lope_path_finder *finder;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    lope_error error = {0};
    f.steps = test_arcs(0, 11);
    lope_maps_def def = lope_maps_def_default();
    def.nodes = 4000;
    assert_ok(lope_maps_build(f.steps, &def, NULL, NULL, &f.maps, NULL, &error));
    assert_ok(lope_path_finder_create(&f.finder, &error));
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    lope_maps_destroy(f->maps);
    test_arcs_destroy(f->steps);
    lope_path_finder_destroy(f->finder);
    return 0;
}

static lope_space *random_world(lope_random *random, int boxes)
{
    lope_error error = {0};
    lope_space *space;
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){WORLD, WORLD}, &space, &error));
    for (int i = 0; i < boxes; i++) {
        float x = lope_random_range(random, 0, WORLD), z = lope_random_range(random, 0, WORLD);
        float w = lope_random_range(random, 0.2f, 1.0f), d = lope_random_range(random, 0.2f, 1.0f);
        lope_vec2 corners[4] = {{x - w, z - d}, {x + w, z - d}, {x + w, z + d}, {x - w, z + d}};
        int name;
        assert_ok(lope_space_add(space, corners, 4, &name, &error));
    }
    return space;
}

// A path at least 2 m long in the world.
static lope_path random_path(const fixture *f, const lope_passages *passages, lope_random *random)
{
    lope_error error = {0};
    for (;;) {
        lope_vec2 a, b;
        a.x = lope_random_range(random, 0, WORLD);
        a.z = lope_random_range(random, 0, WORLD);
        b.x = lope_random_range(random, 0, WORLD);
        b.z = lope_random_range(random, 0, WORLD);
        lope_path path;
        if (!lope_path_find(f->finder, passages, a, b, CLEARANCE, &path, &error) && path.length > 2.0f)
            return path;
    }
}

static float path_distance(const lope_vec2 *points, int count, lope_vec2 p)
{
    float best = INFINITY;
    for (int i = 0; i + 1 < count; i++) {
        float dx = points[i + 1].x - points[i].x, dz = points[i + 1].z - points[i].z, length = dx * dx + dz * dz;
        float t = length > 0 ? ((p.x - points[i].x) * dx + (p.z - points[i].z) * dz) / length : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        float x = points[i].x + t * dx - p.x, z = points[i].z + t * dz - p.z;
        best = fminf(best, sqrtf(x * x + z * z));
    }
    return best;
}

static void assert_same_place(lope_ground a, lope_ground b)
{
    assert_near(a.x, b.x, 2e-4);
    assert_near(a.z, b.z, 2e-4);
    assert_near(lope_wrap_angle(a.yaw - b.yaw), 0.0, 2e-4);
}

// Each step begins where the join from the one before leads, and its edits are within bounds.
static void assert_continuous(const fixture *f, const lope_follow *follow, const lope_follow_def *def)
{
    for (int i = 0; i < lope_follow_count(follow); i++) {
        lope_walk_step step = lope_follow_step(follow, i);
        lope_ground move = f->steps->steps[step.step].move;
        assert_true(fabsf(step.turn) <= def->turn * 1.0001f && fabsf(step.stride) <= def->stride * 1.0001f);
        assert_same_place(lope_ground_mul(step.at, lope_step_bend(move, 1.0f, step.turn, step.stride)), step.end);
        if (i == 0) {
            assert_int_equal(step.edge, -1);
            continue;
        }
        lope_walk_step before = lope_follow_step(follow, i - 1);
        const lope_step *from = &f->steps->steps[before.step];
        assert_true((uint32_t)step.edge >= from->edge_first &&
                    (uint32_t)step.edge < from->edge_first + from->edge_count);
        assert_int_equal(f->steps->edges[step.edge].to, step.step);
        assert_same_place(lope_ground_mul(before.end, f->steps->edges[step.edge].join), step.at);
    }
}

// Every place of every step, in the world, with a clearance that is computed from scratch.
static void assert_clear(const fixture *f, const lope_follow *follow, const lope_space *space, const lope_vec2 *path,
                         int count, const lope_follow_def *def)
{
    for (int i = 0; i < lope_follow_count(follow); i++) {
        lope_walk_step step = lope_follow_step(follow, i);
        const lope_step *node = &f->steps->steps[step.step];
        for (uint32_t k = 0; k < node->place_count; k++) {
            const lope_step_place *place = &f->steps->places[node->place_first + k];
            float share = place->length / node->length;
            lope_ground at = lope_ground_mul(step.at, lope_step_bend(place->at, share, step.turn, step.stride));
            lope_vec2 point = {at.x, at.z};
            assert_true(lope_space_clearance(space, point) >= place->radius - def->touch - 1e-3f);
            assert_true(path_distance(path, count, point) <= def->corridor + 1e-3f);
        }
    }
}

static uint64_t walk_hash(const lope_follow *follow)
{
    uint64_t hash = 0;
    for (int i = 0; i < lope_follow_count(follow); i++) {
        lope_walk_step step = lope_follow_step(follow, i);
        hash = lope_hash(&step, sizeof step, hash);
    }
    return hash;
}

typedef struct trial {
    lope_space *space;
    lope_passages *passages;
    lope_path path;
    lope_follow_query query;
} trial;

static trial make_trial(const fixture *f, lope_random *random)
{
    lope_error error = {0};
    trial t = {.space = random_world(random, 20)};
    assert_ok(lope_passages_create(t.space, &t.passages, &error));
    t.path = random_path(f, t.passages, random);
    t.query = lope_follow_query_along(t.path.points, t.path.point_count, CLEARANCE);
    t.query.world = lope_follow_in_space(t.space);
    return t;
}

static void free_trial(trial *t)
{
    lope_passages_destroy(t->passages);
    lope_space_destroy(t->space);
}

#endif
