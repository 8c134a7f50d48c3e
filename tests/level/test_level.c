// SPDX-License-Identifier: MIT
// Levels: parts of every shape come, move and go; what is left is as if it had been put there at once.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/level.h"
#include "support/terrain_check.h"

static const lope_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}; // an L, as a prism
static const float hills[] = {0, 0.1f, 0.2f, 0, 0.5f, NAN, 0.3f, 0.2f, 0.1f, 0, 0, 0.4f};
static const lope_terrain_field field = {{-1, -1}, 0.5f, 4, 3, hills};

// A part of any shape, somewhere in a square of 20 m.
static lope_part_def random_part(lope_random *random, const lope_terrain_mesh *mesh)
{
    lope_part_def def = lope_part_def_default((lope_part_shape)lope_random_below(random, LOPE_PART_SHAPE_COUNT));
    def.size.x = lope_random_range(random, 0.1f, 2.0f);
    def.size.y = lope_random_range(random, 0.1f, 2.0f);
    def.size.z = lope_random_range(random, 0.3f, 2.0f);
    def.scale = lope_random_range(random, 0.5f, 2.0f);
    def.corners = ell;
    def.corner_count = 6;
    def.mesh = mesh;
    def.field = &field;
    def.hold[1] = lope_v3(1, 0.5f, 0);
    if (def.shape == LOPE_PART_THING)
        strcpy(def.kind, lope_part_kind_name(lope_random_below(random, 6)));
    return def;
}

static lope_transform random_place(lope_random *random)
{
    lope_transform at = lope_transform_identity();
    int way = lope_random_below(random, 3);
    if (way == 1)
        at.rotation = lope_quat_yaw(lope_random_range(random, -3.0f, 3.0f));
    else if (way == 2)
        at.rotation = lope_quat_axis_angle(test_random_direction(random), lope_random_range(random, 0.0f, 3.0f));
    at.translation.x = lope_random_range(random, -10.0f, 10.0f);
    at.translation.y = lope_random_range(random, -2.0f, 2.0f);
    at.translation.z = lope_random_range(random, -10.0f, 10.0f);
    return at;
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(((const lope_terrain_triangle *)a)->corners, ((const lope_terrain_triangle *)b)->corners,
                  sizeof(lope_vec3[3]));
}

static lope_terrain_triangle *sorted(const lope_level *level, int *count)
{
    lope_terrain_triangle *all = test_all_triangles(lope_level_terrain(level), count);
    qsort(all, (size_t)*count, sizeof *all, compare_triangles);
    return all;
}

// Both have the same triangles, to the bit, of pieces that they know the parts of.
static void assert_same(const lope_level *a, const lope_level *b)
{
    int counts[2];
    lope_terrain_triangle *all[] = {sorted(a, &counts[0]), sorted(b, &counts[1])};
    assert_int_equal(counts[0], counts[1]);
    for (int i = 0; i < counts[0]; i++) {
        lope_part one, other;
        assert_memory_equal(all[0][i].corners, all[1][i].corners, sizeof all[0][i].corners);
        assert_true(lope_level_part(a, lope_level_part_of(a, all[0][i].piece), &one));
        assert_true(lope_level_part(b, lope_level_part_of(b, all[1][i].piece), &other));
        assert_int_equal(one.piece, all[0][i].piece);
        assert_string_equal(one.name, other.name);
        for (int k = 0; k < 3; k++) {
            lope_vec3 p = all[0][i].corners[k];
            const float e = 1e-5f; // corners are told as sums
            assert_true(p.x >= one.low.x - e && p.y >= one.low.y - e && p.z >= one.low.z - e);
            assert_true(p.x <= one.high.x + e && p.y <= one.high.y + e && p.z <= one.high.z + e);
        }
    }
    free(all[0]);
    free(all[1]);
}

#define MOST 60
static void many_changes_end_like_a_fresh_level(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(11);
    lope_terrain_mesh *mesh = test_soup(&random, 30);
    lope_level *level, *fresh;
    lope_part_def defs[MOST];
    lope_part_id ids[MOST];
    int count = 0, named = 0;
    assert_ok(lope_level_create(&level, &error));
    for (int change = 0; change < 10000; change++) {
        int what = lope_random_below(&random, 5), which = count ? lope_random_below(&random, count) : 0;
        if (count == 0 || (what < 2 && count < MOST)) {
            lope_part_def def = random_part(&random, mesh);
            def.at = random_place(&random);
            snprintf(def.name, sizeof def.name, "part %d", named++);
            assert_ok(lope_level_add(level, &def, &ids[count], &error));
            defs[count++] = def;
        } else if (what < 4) {
            defs[which].at = random_place(&random);
            assert_ok(lope_level_move(level, ids[which], &defs[which].at, &error));
        } else {
            lope_level_remove(level, ids[which]);
            defs[which] = defs[--count];
            ids[which] = ids[count];
        }
    }
    assert_true(count > 10);
    assert_ok(lope_level_create(&fresh, &error));
    for (int i = 0; i < count; i++)
        assert_ok(lope_level_add(fresh, &defs[i], NULL, &error));
    assert_int_equal(lope_level_part_count(level), count);
    assert_true(lope_level_part_limit(level) <= MOST);
    assert_same(level, fresh);
    lope_level_destroy(level);
    lope_level_destroy(fresh);
    lope_terrain_mesh_destroy(mesh);
}

// Volume inside of a part's triangles: right only where they are closed and face outwards.
static double volume(const lope_part_def *def)
{
    lope_error error;
    lope_level *level;
    int count;
    double sum = 0.0;
    assert_ok(lope_level_create(&level, &error));
    assert_ok(lope_level_add(level, def, NULL, &error));
    lope_terrain_triangle *all = test_all_triangles(lope_level_terrain(level), &count);
    for (int i = 0; i < count; i++)
        sum += (double)lope_v3_dot(all[i].corners[0], lope_v3_cross(all[i].corners[1], all[i].corners[2])) / 6.0;
    free(all);
    lope_level_destroy(level);
    return sum;
}

static void solids_are_closed_and_face_outwards(void **state)
{
    (void)state;
    lope_part_def box = lope_part_def_default(LOPE_PART_BOX), prism = lope_part_def_default(LOPE_PART_PRISM);
    box.size = lope_v3(1, 2, 3);
    assert_near(volume(&box), 6.0, 1e-5);
    box.scale = 2.0f;
    assert_near(volume(&box), 48.0, 1e-4);
    prism.size.y = 2.0f;
    prism.corners = ell;
    prism.corner_count = 6;
    assert_near(volume(&prism), 6.0, 1e-5);
    lope_vec2 back[6];
    for (int i = 0; i < 6; i++)
        back[i] = ell[5 - i];
    prism.corners = back;
    assert_near(volume(&prism), 6.0, 1e-5);
    lope_part_def round = lope_part_def_default(LOPE_PART_CYLINDER);
    round.size = lope_v3(1, 2, 0);
    assert_near(volume(&round), 0.5 * LOPE_PI, 0.02);
    static const double volumes[] = {0.4 * 0.44 * 0.04 + 0.0064 * 0.41 + 0.0036,
                                     0.0294 + 2 * 0.04 * 0.69 * 0.66,
                                     0.032 + 2 * 0.1 * 0.4 * 0.3,
                                     0.01410,
                                     0.0528,
                                     0.00135};
    for (int kind = 0; lope_part_kind_name(kind); kind++) {
        lope_part_def thing = lope_part_def_default(LOPE_PART_THING);
        strcpy(thing.kind, lope_part_kind_name(kind));
        assert_near(volume(&thing), volumes[kind], 1e-4);
    }
}

static void changes_are_remembered_by_place(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    lope_level_change seen[4];
    lope_part_id part;
    assert_ok(lope_level_create(&level, &error));
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = lope_v3(2, 2, 2);
    assert_ok(lope_level_add(level, &def, &part, &error));
    uint64_t before = lope_level_changes(level);
    def.at.translation.x = 10.0f;
    assert_ok(lope_level_move(level, part, &def.at, &error));
    assert_int_equal(lope_level_changed(level, before, seen, 4), 2); // where it was, and where it is
    assert_near(seen[0].high.x, 1.0, 1e-6);
    assert_near(seen[1].low.x, 9.0, 1e-6);
    assert_int_equal(lope_level_changed(level, before, NULL, 0), 2);
    for (int i = 0; i < 600; i++)
        assert_ok(lope_level_move(level, part, &def.at, &error));
    assert_int_equal(lope_level_changed(level, before, seen, 4), -1);
    assert_int_equal(lope_level_changed(level, lope_level_changes(level), seen, 4), 0);
    assert_true(lope_level_remove(level, part));
    assert_int_equal(lope_level_part_of(level, 0), -1);
    assert_false(lope_level_part(level, 0, &(lope_part){0}));
    lope_level_destroy(level);
}

static void ids_of_parts_that_are_gone_name_no_other(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    lope_part_id first, second;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = lope_v3(1, 1, 1);
    assert_ok(lope_level_create(&level, &error));
    assert_ok(lope_level_add(level, &def, &first, &error));
    assert_true(lope_level_remove(level, first));
    assert_ok(lope_level_add(level, &def, &second, &error));
    assert_int_equal(lope_level_part_limit(level), 1); // in the same slot
    assert_int_equal(lope_level_part_index(level, second), 0);
    assert_int_equal(lope_level_part_index(level, first), -1);
    assert_int_equal(lope_level_move(level, first, &def.at, &error), LOPE_NOT_FOUND);
    assert_false(lope_level_remove(level, first));
    assert_false(lope_level_remove(level, (lope_part_id){0}));
    assert_int_equal(lope_level_part_count(level), 1);
    lope_level_destroy(level);
}

typedef struct bad {
    const char *says;
    lope_part_def def;
} bad;

static void bad_parts_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const lope_vec2 crossed[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}}, spike[] = {{0, 0}, {2, 0}, {1, 0}},
                           back[] = {{0, 0}, {2, 0}, {1, 0}, {1, 1}},
                           eight[] = {{0, 0}, {1, 1}, {2, 0}, {2, 2}, {1, 1}, {0, 2}},
                           far[] = {{0, 0}, {1, 0}, {NAN, 1}};
    static lope_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, NAN, 0}};
    static int line[] = {0, 1, 2}, broken[] = {0, 1, 3}, missing[] = {0, 1, 9};
    static lope_terrain_mesh flat = {3, 1, corners, line}, nan = {4, 1, corners, broken},
                             absent = {3, 1, corners, missing};
    static const lope_terrain_field small = {{0, 0}, 1, 1, 3, hills};
    lope_transform nowhere = lope_transform_identity(), still = nowhere;
    nowhere.translation.y = INFINITY;
    still.rotation.w = 0.0f;
    const lope_transform here = lope_transform_identity();
    const bad all[] = {
        {"size.y", {.shape = LOPE_PART_BOX, .at = here, .size = {1, 0, 1}}},
        {"size.x is nan", {.shape = LOPE_PART_BOX, .at = here, .size = {NAN, 1, 1}}},
        {"size.z", {.shape = LOPE_PART_BOX, .at = here, .size = {1, 1, -1}}},
        {"scale", {.shape = LOPE_PART_BOX, .at = here, .scale = -1, .size = {1, 1, 1}}},
        {"translation.y", {.shape = LOPE_PART_BOX, .at = nowhere, .size = {1, 1, 1}}},
        {"rotation is zero", {.shape = LOPE_PART_BOX, .at = still, .size = {1, 1, 1}}},
        {"crosses itself",
         {.shape = LOPE_PART_PRISM, .at = here, .size = {0, 1, 0}, .corners = crossed, .corner_count = 4}},
        {"no area", {.shape = LOPE_PART_PRISM, .at = here, .size = {0, 1, 0}, .corners = spike, .corner_count = 3}},
        {"touches itself: corner 2 lies on edge 0",
         {.shape = LOPE_PART_PRISM, .at = here, .size = {0, 1, 0}, .corners = back, .corner_count = 4}},
        {"touches itself",
         {.shape = LOPE_PART_PRISM, .at = here, .size = {0, 1, 0}, .corners = eight, .corner_count = 6}},
        {"corner 2 lies at",
         {.shape = LOPE_PART_PRISM, .at = here, .size = {0, 1, 0}, .corners = far, .corner_count = 3}},
        {"from 3", {.shape = LOPE_PART_PRISM, .at = here, .size = {0, 1, 0}, .corners = ell, .corner_count = 2}},
        {"area", {.shape = LOPE_PART_MESH, .at = here, .mesh = &flat}},
        {"finite", {.shape = LOPE_PART_MESH, .at = here, .mesh = &nan}},
        {"vertex 9", {.shape = LOPE_PART_MESH, .at = here, .mesh = &absent}},
        {"needs its mesh", {.shape = LOPE_PART_MESH, .at = here}},
        {"columns", {.shape = LOPE_PART_FIELD, .at = here, .field = &small}},
        {"'sofa'", {.shape = LOPE_PART_THING, .kind = "sofa", .at = here}},
        {"hold", {.shape = LOPE_PART_HOLD, .at = here}},
        {"shape", {.shape = LOPE_PART_SHAPE_COUNT, .at = here}},
    };
    lope_error error;
    lope_level *level;
    assert_ok(lope_level_create(&level, &error));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        lope_part_id part = {7, 7};
        assert_int_not_equal(lope_level_add(level, &all[i].def, &part, &error), LOPE_OK);
        if (!strstr(error.message, all[i].says))
            fail_msg("expected '%s', found '%s'", all[i].says, error.message);
        assert_true(part.index1 == 0 && part.generation == 0);
    }
    assert_int_equal(lope_level_part_count(level), 0);
    assert_int_equal(lope_level_changes(level), 0);
    lope_level_destroy(level);
}

static void a_move_that_fails_leaves_the_part_where_it_was(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    lope_part_def def = lope_part_def_default(LOPE_PART_THING);
    lope_transform far = lope_transform_identity();
    lope_part now;
    lope_part_id part;
    strcpy(def.kind, "chair");
    far.translation.x = 1e5f;
    assert_ok(lope_level_create(&level, &error));
    assert_ok(lope_level_add(level, &def, &part, &error));
    assert_int_equal(lope_level_move(level, part, &far, &error), LOPE_BAD_DATA); // its edge would be beyond 100 km
    assert_true(lope_level_part(level, 0, &now));
    assert_near(now.high.x, 0.22, 1e-6);
    assert_int_equal(lope_level_part_of(level, now.piece), 0);
    assert_int_equal(lope_level_changes(level), 1);
    lope_level_destroy(level);
}

static lope_status build_and_change(void *user, lope_error *error)
{
    lope_random random = lope_random_seed(3);
    lope_level *level;
    lope_status status = lope_level_create(&level, error);
    if (status)
        return status;
    for (int i = 0; i < 12 && !status; i++) {
        lope_part_def def = random_part(&random, user);
        lope_part_id part;
        def.shape = (lope_part_shape)(i % LOPE_PART_SHAPE_COUNT);
        strcpy(def.kind, lope_part_kind_name(i % 6));
        status = lope_level_add(level, &def, &part, error);
        def.at = random_place(&random);
        int count = lope_level_part_count(level);
        if (!status)
            status = lope_level_move(level, part, &def.at, error);
        assert_int_equal(lope_level_part_count(level), count);
        if (!status && i % 4 == 3)
            lope_level_remove(level, part);
    }
    lope_level_destroy(level);
    return status;
}

static void no_memory_is_survived(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(5);
    lope_terrain_mesh *mesh = test_soup(&random, 20);
    test_allocation_failures(build_and_change, mesh);
    lope_terrain_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_changes_end_like_a_fresh_level),
        cmocka_unit_test(solids_are_closed_and_face_outwards),
        cmocka_unit_test(changes_are_remembered_by_place),
        cmocka_unit_test(ids_of_parts_that_are_gone_name_no_other),
        cmocka_unit_test(bad_parts_are_refused_with_a_reason),
        cmocka_unit_test(a_move_that_fails_leaves_the_part_where_it_was),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
