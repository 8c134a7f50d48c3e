// SPDX-License-Identifier: MIT
// Paths for discs: where there are any, how near they come to obstacles, how long they are beside the shortest.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/passages.h"
#include "support/space_check.h"
#include "support/support.h"

#define SIDE 10.0f
#define BOXES_MAX 50
#define ARC_POINTS 13
#define PLACES_MAX (BOXES_MAX * 4 * ARC_POINTS + 2)

typedef struct box {
    lope_vec2 corners[4];
    float turn;
} box;

typedef struct world {
    lope_space *space;
    lope_passages *passages;
    box boxes[BOXES_MAX];
    int count;
} world;

// How many worlds to try; LOPE_WORLDS in the environment asks for more of them, and other ones.
static int worlds(int usual)
{
    const char *wanted = getenv("LOPE_WORLDS");
    return wanted ? atoi(wanted) : usual;
}

static lope_vec2 random_point(lope_random *random)
{
    lope_vec2 point;
    point.x = lope_random_range(random, 0.0f, SIDE);
    point.z = lope_random_range(random, 0.0f, SIDE);
    return point;
}

static box random_box(lope_random *random)
{
    box b = {.turn = lope_random_range(random, 0.0f, 6.28f)};
    lope_vec2 middle = random_point(random);
    float reach = lope_random_range(random, 0.2f, 0.9f);
    for (int j = 0; j < 4; j++) {
        double angle = (double)b.turn + 0.5 * LOPE_PI * j;
        b.corners[j].x = middle.x + reach * (float)lope_cos(angle);
        b.corners[j].z = middle.z + reach * (float)lope_sin(angle);
    }
    return b;
}

// Boxes, or walls that are lines.
static world make_world(lope_random *random, int count, bool boxes)
{
    world w = {.count = count};
    lope_error error;
    int name;
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &w.space, &error));
    for (int i = 0; i < count; i++) {
        w.boxes[i] = random_box(random);
        lope_vec2 wall[2] = {random_point(random), random_point(random)};
        wall[1].x = wall[0].x + 0.45f * (wall[1].x - wall[0].x);
        wall[1].z = wall[0].z + 0.45f * (wall[1].z - wall[0].z);
        assert_ok(lope_space_add(w.space, boxes ? w.boxes[i].corners : wall, boxes ? 4 : 2, &name, &error));
    }
    assert_ok(lope_passages_create(w.space, &w.passages, &error));
    return w;
}

static void destroy_world(world *w)
{
    lope_passages_destroy(w->passages);
    lope_space_destroy(w->space);
}

static double distance(lope_vec2 a, lope_vec2 b)
{
    double x = (double)a.x - (double)b.x, z = (double)a.z - (double)b.z;
    return sqrt(x * x + z * z);
}

static lope_vec2 between(lope_vec2 a, lope_vec2 b, float part)
{
    return (lope_vec2){a.x + part * (b.x - a.x), a.z + part * (b.z - a.z)};
}

// Least clearance along a path, looked at every 2 cm and 8 times a line at least.
static float least_clearance(const lope_space *space, const lope_path *path)
{
    float least = INFINITY;
    for (int i = 1; i < path->point_count; i++) {
        int parts = 8 + (int)(distance(path->points[i - 1], path->points[i]) / 0.02);
        for (int j = 0; j <= parts; j++) {
            lope_vec2 p = between(path->points[i - 1], path->points[i], (float)j / (float)parts);
            least = fminf(least, lope_space_clearance(space, p));
        }
    }
    return least;
}

// Returns by how much it comes too close to an obstacle.
static float check_path(const world *w, const lope_path *path, lope_vec2 start, lope_vec2 goal, float clearance)
{
    assert_true(path->point_count >= 2);
    assert_memory_equal(&path->points[0], &start, sizeof start);
    assert_memory_equal(&path->points[path->point_count - 1], &goal, sizeof goal);
    float least = least_clearance(w->space, path);
    assert_true(least > clearance - 0.0003f);
    double length = 0.0;
    for (int i = 1; i < path->point_count; i++)
        length += distance(path->points[i - 1], path->points[i]);
    assert_near(path->length, length, 0.001 * length + 1e-5);
    assert_true((double)path->length >= distance(start, goal) - 1e-5);
    for (int i = 0; i < path->portal_count; i++)
        assert_true(distance(path->portals[i].left, path->portals[i].right) >= 2.0 * (double)clearance - 1e-5);
    return clearance - least;
}

static void paths_are_where_ways_are_wide_enough_and_keep_clear(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(77);
    lope_path_finder *finder;
    lope_error error;
    int found = 0, narrow = 0;
    assert_ok(lope_path_finder_create(&finder, &error));
    float closest = 0.0f;
    for (int i = 0; i < worlds(400); i++) {
        world w = make_world(&random, 2 + i % (BOXES_MAX - 1), i & 1);
        for (int k = 0; k < 20; k++) {
            lope_vec2 start = random_point(&random), goal = random_point(&random);
            float clearance = lope_random_range(&random, 0.02f, 0.5f);
            float widest = lope_passages_widest(w.passages, start, goal);
            if (fabsf(widest - clearance) < 1e-6f)
                continue;
            lope_path path;
            lope_status status = lope_path_find(finder, w.passages, start, goal, clearance, &path, &error);
            assert_int_equal(status, widest > clearance ? LOPE_OK : LOPE_NOT_FOUND);
            assert_int_equal(path.outcome == LOPE_PATH_FOUND, status == LOPE_OK);
            narrow += path.outcome == LOPE_PATH_NONE;
            if (status == LOPE_OK)
                closest = fmaxf(closest, check_path(&w, &path, start, goal, clearance));
            else
                assert_int_equal(path.point_count, 0);
            found += status == LOPE_OK;
        }
        destroy_world(&w);
    }
    print_message("%d found, %d too narrow; at most %.3f mm too close\n", found, narrow, 1e3 * (double)closest);
    assert_true(found > 2000 && narrow > 100);
    lope_path_finder_destroy(finder);
}

// The published test of pairs of edges answers as ours does, and its paths keep clear.
static void pairs_of_edges_say_the_same(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(2010);
    lope_path_finder *finder;
    lope_error error;
    int found = 0, narrow = 0, splits = 0, refused = 0, close = 0;
    float closest = 0.0f;
    assert_ok(lope_path_finder_create(&finder, &error));
    for (int i = 0; i < worlds(150); i++) {
        world w = make_world(&random, 2 + i % (BOXES_MAX - 1), i & 1);
        lope_lct *lct;
        assert_ok(lope_lct_create(w.space, &lct, &error));
        splits += lope_lct_splits(lct);
        for (int k = 0; k < 20; k++) {
            lope_vec2 start = random_point(&random), goal = random_point(&random);
            float clearance = lope_random_range(&random, 0.02f, 0.5f);
            float widest = lope_passages_widest(w.passages, start, goal);
            if (fabsf(widest - clearance) < 1e-6f)
                continue;
            lope_path path;
            lope_status status = lope_lct_find(finder, lct, start, goal, clearance, &path, &error);
            assert_true(widest > clearance || status == LOPE_NOT_FOUND);
            refused += widest > clearance && status == LOPE_NOT_FOUND; // at an end, very rarely
            narrow += path.outcome == LOPE_PATH_NONE;
            found += status == LOPE_OK;
            if (status != LOPE_OK)
                continue;
            float least = clearance - least_clearance(w.space, &path);
            close += least > 0.0003f;
            closest = fmaxf(closest, least);
        }
        lope_lct_destroy(lct);
        destroy_world(&w);
    }
    print_message("%d found, %d too narrow, %d refused; %d come too close, at most %.3f mm; %d splits\n", found, narrow,
                  refused, close, 1e3 * (double)closest, splits);
    assert_true(found > 700 && narrow > 20 && splits > 100);
    assert_true(refused <= found / 3000);
    assert_int_equal(close, 0);
    lope_path_finder_destroy(finder);
}

// The shortest way over places around the corners of boxes, from each to each in sight: every shortest way bends
// around these only, so it is too long by what the polygons around corners are longer than circles, at most 0.2 % of
// the arcs.
typedef struct sight {
    const world *w;
    float clearance;
    lope_vec2 places[PLACES_MAX];
    double walked[PLACES_MAX];
    bool settled[PLACES_MAX];
    int count;
} sight;

static sight view;

static void add_places(const world *w, float clearance)
{
    double step = 0.5 * LOPE_PI / (ARC_POINTS - 2), reach = (double)clearance / lope_cos(0.5 * step) + 1e-5;
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < 4 * ARC_POINTS; k++) {
            int corner = k / ARC_POINTS;
            // Places begin and end half a step beyond the quarter, so that sides are passed at full clearance.
            double angle =
                (double)w->boxes[i].turn + 0.5 * LOPE_PI * corner - 0.25 * LOPE_PI + step * (k % ARC_POINTS - 0.5);
            lope_vec2 p = w->boxes[i].corners[corner];
            p.x += (float)(reach * lope_cos(angle));
            p.z += (float)(reach * lope_sin(angle));
            if (lope_space_clearance(w->space, p) >= clearance - 1e-5f)
                view.places[view.count++] = p;
        }
}

static double cross(lope_vec2 a, lope_vec2 b, lope_vec2 c)
{
    return ((double)b.x - (double)a.x) * ((double)c.z - (double)a.z) -
           ((double)b.z - (double)a.z) * ((double)c.x - (double)a.x);
}

static double to_line(lope_vec2 a, lope_vec2 b, lope_vec2 p)
{
    double x = (double)b.x - (double)a.x, z = (double)b.z - (double)a.z, square = x * x + z * z;
    double t = square > 0.0 ? (((double)p.x - (double)a.x) * x + ((double)p.z - (double)a.z) * z) / square : 0.0;
    return distance(between(a, b, (float)(t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t)), p);
}

static bool in_sight(lope_vec2 a, lope_vec2 b)
{
    double least = (double)view.clearance - 2e-5;
    for (int i = 0; i < view.w->count; i++)
        for (int k = 0; k < 4; k++) {
            lope_vec2 c = view.w->boxes[i].corners[k], d = view.w->boxes[i].corners[(k + 1) % 4];
            if ((cross(a, b, c) > 0.0) != (cross(a, b, d) > 0.0) && (cross(c, d, a) > 0.0) != (cross(c, d, b) > 0.0))
                return false;
            if (to_line(a, b, c) < least || to_line(c, d, a) < least || to_line(c, d, b) < least)
                return false;
        }
    return true;
}

static double shortest(const world *w, lope_vec2 start, lope_vec2 goal, float clearance)
{
    view.w = w;
    view.clearance = clearance;
    view.places[0] = start;
    view.places[1] = goal;
    view.count = 2;
    add_places(w, clearance);
    for (int i = 0; i < view.count; i++) {
        view.walked[i] = i ? HUGE_VAL : 0.0;
        view.settled[i] = false;
    }
    for (;;) {
        int best = -1;
        double least = HUGE_VAL;
        for (int i = 0; i < view.count; i++) {
            double whole = view.walked[i] + distance(view.places[i], goal);
            if (!view.settled[i] && whole < least) {
                least = whole;
                best = i;
            }
        }
        if (best <= 1 && best != 0)
            return least;
        view.settled[best] = true;
        for (int i = 1; i < view.count; i++) {
            double walked = view.walked[best] + distance(view.places[best], view.places[i]);
            if (walked < view.walked[i] && in_sight(view.places[best], view.places[i]))
                view.walked[i] = walked;
        }
    }
}

static void paths_are_where_brute_force_finds_some_and_hardly_longer(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(12);
    lope_path_finder *finder;
    lope_error error;
    double sum = 0.0, worst = 0.0;
    int compared = 0, bent = 0, none = 0, shorter = 0;
    assert_ok(lope_path_finder_create(&finder, &error));
    for (int i = 0; i < worlds(100); i++) {
        world w = make_world(&random, 3 + i % 46, true);
        for (int k = 0; k < 8; k++) {
            lope_vec2 start = random_point(&random), goal = random_point(&random);
            float clearance = lope_random_range(&random, 0.05f, 0.4f);
            lope_path path;
            // The polygons around corners need a little more room than discs.
            float widest = lope_passages_widest(w.passages, start, goal);
            if (distance(start, goal) < 3.0 || fabsf(widest - clearance) < 0.01f * clearance)
                continue;
            lope_status status = lope_path_find(finder, w.passages, start, goal, clearance, &path, &error);
            if (status != LOPE_OK && path.outcome != LOPE_PATH_NONE)
                continue;
            double least = shortest(&w, start, goal, clearance), ratio = (double)path.length / least;
            assert_int_equal(status == LOPE_OK, least < HUGE_VAL);
            none += status != LOPE_OK;
            if (status != LOPE_OK)
                continue;
            check_path(&w, &path, start, goal, clearance);
            if (ratio < 0.997) { // through a gap on the way in which polygons do not fit
                shorter++;
                continue;
            }
            sum += ratio;
            worst = fmax(worst, ratio);
            compared++;
            bent += path.point_count > 2;
        }
        destroy_world(&w);
    }
    print_message("%d paths, %d of them bent: %.5f of the shortest, at worst %.3f; %d without a path, %d shorter\n",
                  compared, bent, sum / compared, worst, none, shorter);
    assert_true(compared > 250 && bent > 150 && none > 2);
    assert_true(sum / compared < 1.001);
    assert_true(worst < 1.15 && shorter <= compared / 200);
    lope_path_finder_destroy(finder);
}

static lope_path_outcome ask(const lope_passages *passages, lope_vec2 start, lope_vec2 goal, float clearance,
                             lope_vec2 *free_near)
{
    lope_path_finder *finder;
    lope_error error;
    lope_path path;
    assert_ok(lope_path_finder_create(&finder, &error));
    lope_status status = lope_path_find(finder, passages, start, goal, clearance, &path, &error);
    assert_int_equal(status, path.outcome == LOPE_PATH_FOUND ? LOPE_OK : LOPE_NOT_FOUND);
    *free_near = path.free_near;
    lope_path_finder_destroy(finder);
    return path.outcome;
}

// Going over many edges at once must not mislead the search.
static void paths_are_no_longer_for_going_far(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(5);
    lope_path_finder *finder;
    lope_error error;
    int compared = 0;
    assert_ok(lope_path_finder_create(&finder, &error));
    for (int i = 0; i < 60; i++) {
        world w = make_world(&random, 20 + i % 30, true);
        lope_vec2 ends[64][2];
        float clearances[64], lengths[64];
        for (int far = 1; far >= 0; far--) {
            for (int h = 0; h < 2 * w.passages->space.mesh.edge_count && !far; h++)
                w.passages->gates[h].far = -1, w.passages->gates[h].far_width = 0.0f;
            for (int k = 0; k < 64; k++) {
                lope_path path;
                if (far) {
                    ends[k][0] = random_point(&random), ends[k][1] = random_point(&random);
                    clearances[k] = lope_random_range(&random, 0.03f, 0.2f);
                }
                const bool found =
                    lope_path_find(finder, w.passages, ends[k][0], ends[k][1], clearances[k], &path, &error) == LOPE_OK;
                if (far)
                    lengths[k] = found ? path.length : 0.0f;
                else
                    assert_true(found ? lengths[k] < 1.02f * path.length : lengths[k] == 0.0f);
                compared += found && !far;
            }
        }
        destroy_world(&w);
    }
    assert_true(compared > 1000);
    lope_path_finder_destroy(finder);
}

static void outcomes_say_what_is_wrong(void **state)
{
    (void)state;
    lope_space *space;
    lope_passages *passages;
    lope_error error;
    int name;
    const lope_vec2 block[] = {{4, 0.6f}, {6, 0.6f}, {6, 10}, {4, 10}};
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
    assert_ok(lope_space_add(space, block, 4, &name, &error));
    assert_ok(lope_passages_create(space, &passages, &error));
    lope_vec2 left = {2, 5}, right = {8, 5}, inside = {4.5f, 5}, outside = {12, 5}, beside = {3.9f, 5}, near;
    assert_int_equal(ask(passages, left, right, 0.29f, &near), LOPE_PATH_FOUND);
    assert_int_equal(ask(passages, left, right, 0.31f, &near), LOPE_PATH_NONE);
    assert_int_equal(ask(passages, inside, right, 0.2f, &near), LOPE_PATH_START_BLOCKED);
    assert_near(near.x, 4.0, 1e-6);
    assert_near(near.z, 5.0, 1e-6);
    assert_int_equal(ask(passages, left, inside, 0.2f, &near), LOPE_PATH_GOAL_BLOCKED);
    assert_near(near.x, 4.0, 1e-6);
    assert_int_equal(ask(passages, outside, left, 0.2f, &near), LOPE_PATH_START_OUTSIDE);
    assert_near(near.x, 10.0, 1e-6);
    assert_int_equal(ask(passages, left, outside, 0.2f, &near), LOPE_PATH_GOAL_OUTSIDE);
    assert_int_equal(ask(passages, beside, left, 0.2f, &near), LOPE_PATH_START_TIGHT);
    assert_int_equal(ask(passages, left, beside, 0.2f, &near), LOPE_PATH_GOAL_TIGHT);
    assert_int_equal(ask(passages, left, beside, 0.09f, &near), LOPE_PATH_FOUND);
    assert_int_equal(ask(passages, block[0], left, 0.09f, &near), LOPE_PATH_START_TIGHT);

    lope_path_finder *finder;
    lope_path path;
    assert_ok(lope_path_finder_create(&finder, &error));
    assert_int_equal(lope_path_find(finder, passages, left, right, 0.0f, &path, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_path_find(finder, passages, left, right, NAN, &path, &error), LOPE_BAD_DATA);
    left.x = INFINITY;
    assert_int_equal(lope_path_find(finder, passages, left, right, 0.1f, &path, &error), LOPE_BAD_DATA);
    // To where it is already, and around the block: 4 corners are passed by 2 arcs of a quarter.
    assert_ok(lope_path_find(finder, passages, right, right, 0.1f, &path, &error));
    assert_near(path.length, 0.0, 0.0);
    left = (lope_vec2){3.75f, 5};
    right = (lope_vec2){6.25f, 5};
    assert_ok(lope_path_find(finder, passages, left, right, 0.25f, &path, &error));
    assert_near(path.length, 4.4 + LOPE_PI * 0.25 + 2.0 + 4.4, 1e-4);
    lope_path_finder_destroy(finder);
    lope_path_finder_destroy(NULL);
    lope_passages_destroy(passages);
    lope_space_destroy(space);
}

static uint64_t hash_path(uint64_t seed, const lope_path *path)
{
    seed = lope_hash(path->points, (size_t)path->point_count * sizeof *path->points, seed);
    return lope_hash(path->portals, (size_t)path->portal_count * sizeof *path->portals, seed);
}

// What a finder was asked before does not show, and asking again takes no memory.
static void answers_do_not_depend_on_the_past(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(5);
    lope_path_finder *used;
    lope_error error;
    assert_ok(lope_path_finder_create(&used, &error));
    world w = make_world(&random, 20, true);
    int found = 0;
    for (int i = 0; i < 200; i++) {
        lope_vec2 start = random_point(&random), goal = random_point(&random);
        lope_path_finder *fresh;
        lope_path a, b;
        assert_ok(lope_path_finder_create(&fresh, &error));
        lope_status status = lope_path_find(used, w.passages, start, goal, 0.15f, &a, &error);
        assert_int_equal(lope_path_find(fresh, w.passages, start, goal, 0.15f, &b, &error), status);
        if (status == LOPE_OK) {
            assert_true(hash_path(1, &a) == hash_path(1, &b));
            found++;
        }
        lope_path_finder_destroy(fresh);
    }
    assert_true(found > 50);
    destroy_world(&w);
    lope_path_finder_destroy(used);
}

static lope_status build(void *user, lope_error *error)
{
    lope_path_finder *finder;
    lope_path path;
    lope_vec2 start = {3.75f, 5}, goal = {6.25f, 5};
    lope_status status = lope_path_finder_create(&finder, error);
    if (status == LOPE_OK)
        status = lope_path_find(finder, user, start, goal, 0.25f, &path, error);
    lope_path_finder_destroy(finder);
    return status;
}

static void *refuse(void *user, size_t size)
{
    (void)user;
    (void)size;
    return NULL;
}

static void release(void *user, void *pointer)
{
    (void)user;
    (void)pointer;
}

static void memory_is_taken_once_and_its_lack_is_told(void **state)
{
    (void)state;
    lope_space *space;
    lope_passages *passages;
    lope_path_finder *finder;
    lope_path path;
    lope_error error;
    int name;
    const lope_vec2 block[] = {{4, 0.6f}, {6, 0.6f}, {6, 10}, {4, 10}};
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
    assert_ok(lope_space_add(space, block, 4, &name, &error));
    assert_ok(lope_passages_create(space, &passages, &error));
    test_allocation_failures(build, passages);

    lope_vec2 start = {3.75f, 5}, goal = {6.25f, 5};
    assert_ok(lope_path_finder_create(&finder, &error));
    assert_ok(lope_path_find(finder, passages, start, goal, 0.25f, &path, &error));
    lope_allocator none = {refuse, release, NULL};
    lope_set_allocator(&none);
    lope_status warm = lope_path_find(finder, passages, goal, start, 0.25f, &path, &error);
    lope_set_allocator(NULL);
    assert_int_equal(warm, LOPE_OK);
    lope_path_finder_destroy(finder);
    lope_passages_destroy(passages);
    lope_space_destroy(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_where_ways_are_wide_enough_and_keep_clear),
        cmocka_unit_test(pairs_of_edges_say_the_same),
        cmocka_unit_test(paths_are_where_brute_force_finds_some_and_hardly_longer),
        cmocka_unit_test(paths_are_no_longer_for_going_far),
        cmocka_unit_test(outcomes_say_what_is_wrong),
        cmocka_unit_test(answers_do_not_depend_on_the_past),
        cmocka_unit_test(memory_is_taken_once_and_its_lack_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
