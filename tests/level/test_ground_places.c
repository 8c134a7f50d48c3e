// SPDX-License-Identifier: MIT
// Borders of free ground on random levels: against a body test by brute force, in parts as in the whole, for any number
// of threads, and in whatever order the level's parts came. More levels: test_level_ground_places FIRST COUNT PLACES.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bench/level_brute.h"
#include "support/ground_borders.h"
#include "support/ground_level.h"
#include "support/support.h"

#define SIDE 12.0f
#define RADIUS 0.3

static int first_seed = 100, level_count = 4, place_count = 150;
static bool show;
static const ground_body body = {1.8f, 0.4f, 0.70710678f};

static ground_border_set borders_of(const lope_terrain *terrain, lope_jobs *jobs)
{
    lope_vec3 low, high;
    ground_border_set set;
    assert_true(lope_terrain_bounds(terrain, &low, &high));
    assert_int_equal(ground_borders(terrain, &body, ground_tiles_of(low, high), jobs, &set), LOPE_OK);
    return set;
}

// Metres from a place to the nearest border that is about as high.
static double nearest_border(const ground_border_set *set, double x, double y, double z)
{
    double nearest = 9.0;
    for (int i = 0; i < set->count; i++) {
        const ground_border *b = &set->borders[i];
        double ex = (double)(b->to.x - b->from.x), ez = (double)(b->to.z - b->from.z), squared = ex * ex + ez * ez;
        double u = ((x - (double)b->from.x) * ex + (z - (double)b->from.z) * ez) / squared;
        u = fmin(fmax(u, 0.0), 1.0);
        double dx = x - (double)b->from.x - u * ex, dz = z - (double)b->from.z - u * ez, far = sqrt(dx * dx + dz * dz);
        if (far < nearest && fabs((double)b->from_y + u * (double)(b->to_y - b->from_y) - y) < 0.9)
            nearest = far;
    }
    return nearest;
}

// What brute force finds where it looks at borders that we claim, point by point.
static double look_at_borders(const brute_level *brute, const ground_border_set *set, const double at[3], double limit)
{
    for (int i = 0; i < set->count; i++) {
        const ground_border *b = &set->borders[i];
        double ex = (double)(b->to.x - b->from.x), ez = (double)(b->to.z - b->from.z), length = sqrt(ex * ex + ez * ez);
        for (double t = 0.001; t < length; t += 0.01) {
            double x = (double)b->from.x + t / length * ex, z = (double)b->from.z + t / length * ez;
            if ((x - at[0]) * (x - at[0]) + (z - at[2]) * (z - at[2]) < limit * limit)
                limit = brute_level_towards(brute, at, x, z, limit);
        }
    }
    return limit;
}

typedef struct score {
    double radius;
    int most; // places
    int places, wrong, far;
} score;

static void compare_place(const brute_level *brute, const ground_border_set *set, const double at[3], score *sum)
{
    double ours = nearest_border(set, at[0], at[1], at[2]);
    double theirs = brute_level_clearance(brute, at[0], at[1], at[2], sum->radius + 0.04);
    sum->places++;
    if (ours < sum->radius && theirs >= sum->radius)
        theirs = look_at_borders(brute, set, at, theirs);
    if ((ours >= sum->radius) == (theirs >= sum->radius))
        return;
    sum->wrong++;
    sum->far += fabs(ours - theirs) > 0.03;
    if (show && fabs(ours - theirs) > 0.002)
        printf("at %.4f %.4f %.4f: %.4f, brute force %.4f\n", at[0], at[1], at[2], ours, theirs);
}

// Heights of free ground at a point, by the library.
static int heights_at(const lope_terrain *terrain, double x, double z, double *out)
{
    const ground_view view = {terrain, &body};
    ground_column column;
    int count = 0;
    assert_true(ground_column_open(&column, &view, (point2){x, z}, -1e6));
    for (int i = 0; i < column.count && count < 64; i++)
        if (ground_is_free(&body, column.layers, column.count, i))
            out[count++] = column.layers[i].y;
    ground_column_close(&column);
    return count;
}

// `side` is that of the square in which places are looked at.
static void compare_level(const test_level *level, uint64_t seed, float side, score *sum)
{
    lope_terrain *terrain = test_level_terrain(level, false);
    ground_border_set set = borders_of(terrain, NULL);
    brute_body whose = {(double)body.height, (double)body.step, acos((double)body.flatness)};
    brute_level *brute = brute_level_create(level->triangles, level->parts, level->count, &whose);
    lope_random random = lope_random_seed(seed ^ 0x5555);
    for (int i = 0; i < place_count && sum->places < sum->most; i++) {
        double x = (double)lope_random_range(&random, 0.0f, side), z = (double)lope_random_range(&random, 0.0f, side);
        double ours[64], theirs[64];
        int count = heights_at(terrain, x, z, ours), others = brute_level_ground(brute, x, z, theirs, 64);
        if (count != others && show)
            printf("level %d at %.4f %.4f: %d grounds, brute force %d\n", (int)seed, x, z, count, others);
        sum->places += count != others, sum->wrong += count != others, sum->far += count != others;
        for (int k = 0; k < count && count == others; k++) {
            assert_true(fabs(ours[k] - theirs[k]) < 1e-4);
            const double at[3] = {x, theirs[k], z};
            compare_place(brute, &set, at, sum);
        }
    }
    ground_borders_free(&set);
    brute_level_destroy(brute);
    lope_terrain_destroy(terrain);
}

static void test_places_agree_with_brute_force(void **state)
{
    (void)state;
    score sum = {RADIUS, INT_MAX, 0, 0, 0};
    for (int i = 0; i < level_count; i++) {
        score before = sum;
        test_level *level = test_level_create((uint64_t)(first_seed + i), SIDE);
        compare_level(level, (uint64_t)(first_seed + i), SIDE, &sum);
        test_level_destroy(level);
        if (show)
            printf("level %d: %d of %d\n", first_seed + i, sum.wrong - before.wrong, sum.places - before.places);
    }
    if (show)
        printf("%d places, %d wrong, %d of them far\n", sum.places, sum.wrong, sum.far);
    assert_true(sum.places > level_count * place_count / 2);
    assert_true(sum.wrong * 500 <= sum.places);
    assert_int_equal(sum.far, 0);
}

// Triangles from anywhere to anywhere in a cube of 2 m, over a floor: debris, foliage. Took minutes, and a thousand
// never ended, when all of them were compared with all others.
static void test_crossing_triangles(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        const int count = kind == 2 ? 1000 : 100;
        const float size = kind == 1 ? 0.3f : 2.0f;
        test_level *level = calloc(1, sizeof *level);
        test_level_box(level, lope_v3(1.0f, -0.1f, 1.0f), lope_v3(2.0f, 0.1f, 2.0f), 0.0f);
        lope_random random = lope_random_seed(17u + (uint64_t)kind);
        level->triangles = realloc(level->triangles, (size_t)(level->count + count) * 9 * sizeof(float));
        level->parts = realloc(level->parts, (size_t)(level->count + count) * sizeof(int));
        for (int i = 0; i < count; i++, level->count++, level->part_count++) {
            float at[3];
            for (int k = 0; k < 3; k++)
                at[k] = lope_random_range(&random, 0.0f, 2.0f - size);
            for (int k = 0; k < 9; k++)
                level->triangles[9 * level->count + k] = at[k % 3] + lope_random_range(&random, 0.0f, size);
            level->parts[level->count] = level->part_count;
        }
        score sum = {0.05, kind == 2 ? 8 : 60, 0, 0, 0};
        compare_level(level, 17u + (uint64_t)kind, 2.0f, &sum);
        if (show)
            printf("heap %d: %d places, %d wrong, %d of them far\n", kind, sum.places, sum.wrong, sum.far);
        assert_true(sum.wrong * 100 <= sum.places);
        assert_int_equal(sum.far, 0);
        test_level_destroy(level);
    }
}

static void assert_same(const ground_border *a, const ground_border *b)
{
    assert_memory_equal(a, b, offsetof(ground_border, piece)); // pieces may have other numbers
}

static void test_parts_equal_the_whole_for_any_threads_and_order(void **state)
{
    (void)state;
    test_level *level = test_level_create(7, 20.0f);
    lope_terrain *terrain = test_level_terrain(level, false), *other = test_level_terrain(level, true);
    lope_jobs *jobs;
    lope_error error;
    assert_ok(lope_jobs_create(3, &jobs, &error));
    ground_border_set whole = borders_of(terrain, NULL), threads = borders_of(terrain, jobs),
                      turned = borders_of(other, jobs);
    assert_true(whole.count > 500);
    assert_int_equal(whole.count, threads.count);
    assert_memory_equal(whole.borders, threads.borders, (size_t)whole.count * sizeof *whole.borders);
    assert_int_equal(whole.count, turned.count);
    for (int i = 0; i < whole.count; i++)
        assert_same(&whole.borders[i], &turned.borders[i]);
    ground_border_set part;
    ground_tiles tiles = ground_tiles_of(lope_v3(5.0f, 0.0f, 6.0f), lope_v3(9.0f, 0.0f, 8.5f));
    assert_int_equal(ground_borders(terrain, &body, tiles, jobs, &part), LOPE_OK);
    for (int i = 0; i < tiles.columns * tiles.rows; i++) {
        int at = (tiles.z - whole.tiles.z + i / tiles.columns) * whole.tiles.columns + tiles.x - whole.tiles.x +
                 i % tiles.columns;
        assert_int_equal(part.first[i + 1] - part.first[i], whole.first[at + 1] - whole.first[at]);
        for (int k = 0; k < part.first[i + 1] - part.first[i]; k++)
            assert_same(&part.borders[part.first[i] + k], &whole.borders[whole.first[at] + k]);
    }
    ground_borders_free(&part), ground_borders_free(&whole), ground_borders_free(&threads),
        ground_borders_free(&turned);
    lope_jobs_destroy(jobs);
    lope_terrain_destroy(terrain), lope_terrain_destroy(other);
    test_level_destroy(level);
}

int main(int argc, char **argv)
{
    if (argc > 3) {
        first_seed = atoi(argv[1]), level_count = atoi(argv[2]), place_count = atoi(argv[3]);
        show = true;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_agree_with_brute_force),
        cmocka_unit_test(test_crossing_triangles),
        cmocka_unit_test(test_parts_equal_the_whole_for_any_threads_and_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
