// SPDX-License-Identifier: MIT
// Widest ways against a plain raster: clearance at every point of a fine grid, points joined from the widest down.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/space_check.h"
#include "support/support.h"

#define SIDE 6.0f
#define CELLS 100
#define POINTS (CELLS * CELLS)
#define STEP (SIDE / CELLS)
#define PAIRS 40

typedef struct raster {
    float clearance[POINTS];
    int order[POINTS]; // from the widest point down
    int parent[POINTS];
} raster;

static raster field;

static lope_vec2 point_of(int cell)
{
    return (lope_vec2){((float)(cell % CELLS) + 0.5f) * STEP, ((float)(cell / CELLS) + 0.5f) * STEP};
}

static int wider_first(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    float x = field.clearance[a], y = field.clearance[b];
    return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

static int root(int cell)
{
    while (field.parent[cell] != cell)
        cell = field.parent[cell] = field.parent[field.parent[cell]];
    return cell;
}

static void join_neighbours(int cell)
{
    field.parent[cell] = cell;
    for (int i = 0; i < 9; i++) {
        int x = cell % CELLS + i % 3 - 1, z = cell / CELLS + i / 3 - 1;
        if (x >= 0 && z >= 0 && x < CELLS && z < CELLS && field.parent[z * CELLS + x] >= 0)
            field.parent[root(z * CELLS + x)] = root(cell);
    }
}

// Widest ways between pairs of points, as far as the raster can tell: ways narrower than its step count as none.
static void widest_on_raster(const lope_space *space, int pairs[PAIRS][2], float widest[PAIRS])
{
    for (int i = 0; i < POINTS; i++) {
        field.clearance[i] = lope_space_clearance(space, point_of(i));
        field.order[i] = i;
        field.parent[i] = -1;
    }
    qsort(field.order, POINTS, sizeof field.order[0], wider_first);
    memset(widest, 0, PAIRS * sizeof *widest);
    for (int i = 0; i < POINTS && field.clearance[field.order[i]] > STEP; i++) {
        int cell = field.order[i];
        join_neighbours(cell);
        for (int k = 0; k < PAIRS; k++) {
            int a = pairs[k][0], b = pairs[k][1];
            if (widest[k] == 0.0f && field.parent[a] >= 0 && field.parent[b] >= 0 && root(a) == root(b))
                widest[k] = field.clearance[cell];
        }
    }
}

// Boxes, or walls that are lines.
static void add_obstacles(lope_space *space, lope_random *random, int count, bool boxes)
{
    lope_error error;
    for (int i = 0; i < count; i++) {
        lope_vec2 corners[4];
        int name;
        float x = lope_random_range(random, 0.0f, SIDE), z = lope_random_range(random, 0.0f, SIDE);
        float turn = lope_random_range(random, 0.0f, 6.28f),
              reach = lope_random_range(random, 0.2f, boxes ? 0.7f : 2.0f);
        for (int j = 0; j < 4; j++) {
            double angle = (double)turn + 0.5 * LOPE_PI * j;
            corners[j] = (lope_vec2){x + reach * (float)lope_cos(angle), z + reach * (float)lope_sin(angle)};
        }
        if (!boxes)
            corners[1] = corners[2];
        assert_ok(lope_space_add(space, corners, boxes ? 4 : 2, &name, &error));
    }
}

static void widest_ways_agree_with_a_raster(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(31);
    lope_error error;
    int compared = 0, limited_by_a_gap = 0;
    for (int world = 0; world < 60; world++) {
        lope_space *space;
        lope_passages *passages;
        assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
        add_obstacles(space, &random, 2 + world % 15, world & 1);
        assert_ok(lope_passages_create(space, &passages, &error));
        int pairs[PAIRS][2];
        float expected[PAIRS];
        for (int k = 0; k < 2 * PAIRS; k++)
            pairs[k / 2][k % 2] = lope_random_below(&random, POINTS);
        widest_on_raster(space, pairs, expected);
        for (int k = 0; k < PAIRS; k++) {
            float found = lope_passages_widest(passages, point_of(pairs[k][0]), point_of(pairs[k][1]));
            float ends = fminf(field.clearance[pairs[k][0]], field.clearance[pairs[k][1]]);
            assert_near(found, lope_passages_widest(passages, point_of(pairs[k][1]), point_of(pairs[k][0])), 0.0);
            if (expected[k] == 0.0f) {
                assert_true(found < 2.0f * STEP);
                continue;
            }
            // Between two points of the raster, half a diagonal from each, it may be narrower than at both; and the
            // raster misses the middle of a way by less than half a diagonal.
            assert_true(found > sqrtf(expected[k] * expected[k] - 0.5f * STEP * STEP) - 1e-5f);
            assert_true(found < expected[k] + 0.75f * STEP);
            compared++;
            limited_by_a_gap += found < ends;
        }
        lope_passages_destroy(passages);
        lope_space_destroy(space);
    }
    assert_true(compared > 1000 && limited_by_a_gap > 100);
}

// A corner beside the middle of a wall: no edge between given corners is as short as the gap.
static void a_gap_between_a_corner_and_a_wall(void **state)
{
    (void)state;
    lope_space *space;
    lope_passages *passages;
    lope_error error;
    int name;
    const lope_vec2 wedge[] = {{3, 0.6f}, {5, 6}, {1, 6}};
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
    assert_ok(lope_space_add(space, wedge, 3, &name, &error));
    assert_ok(lope_passages_create(space, &passages, &error));
    lope_vec2 left = {1, 1}, right = {5, 1}, inside = {3, 4}, outside = {9, 9};
    assert_near(lope_passages_widest(passages, left, right), 0.3, 1e-6);
    assert_near(lope_passages_widest(passages, left, left), lope_space_clearance(space, left), 1e-6);
    assert_near(lope_passages_widest(passages, left, inside), 0.0, 0.0);
    assert_near(lope_passages_widest(passages, outside, right), 0.0, 0.0);
    // A picture of one moment: what happens to the space does not change it.
    const lope_vec2 wall[] = {{3, 0}, {3, 3}};
    assert_ok(lope_space_add(space, wall, 2, &name, &error));
    assert_near(lope_passages_widest(passages, left, right), 0.3, 1e-6);
    lope_passages_destroy(passages);
    assert_ok(lope_passages_create(space, &passages, &error));
    assert_near(lope_passages_widest(passages, left, right), 0.0, 0.0);
    lope_passages_destroy(passages);
    lope_space_destroy(space);
    lope_passages_destroy(NULL);
}

static lope_status build(void *user, lope_error *error)
{
    lope_passages *passages;
    lope_status status = lope_passages_create(user, &passages, error);
    assert_true((passages != NULL) == (status == LOPE_OK));
    lope_passages_destroy(passages);
    return status;
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    lope_space *space;
    lope_error error;
    lope_random random = lope_random_seed(4);
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
    add_obstacles(space, &random, 40, true);
    test_allocation_failures(build, space);
    lope_space_destroy(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widest_ways_agree_with_a_raster),
        cmocka_unit_test(a_gap_between_a_corner_and_a_wall),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
