// SPDX-License-Identifier: MIT
// Passages that follow a changing space, beside passages made anew; which routes changes affect.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "space/passages.h"
#include "support/space_check.h"
#include "support/support.h"

#define SIDE 12.0f
#define SLOTS 30

static lope_vec2 random_point(lope_random *random)
{
    lope_vec2 p;
    p.x = lope_random_range(random, 0.0f, SIDE);
    p.z = lope_random_range(random, 0.0f, SIDE);
    return p;
}

// kind 0: turned boxes, 1: walls, 2: boxes on whole coordinates, which share edges and corners, 3: any of them.
static int random_obstacle(lope_random *random, int kind, lope_vec2 corners[4])
{
    lope_vec2 middle = random_point(random);
    float turn = lope_random_range(random, 0.0f, 6.28f), reach = lope_random_range(random, 0.2f, 1.2f);
    if (kind == 3)
        kind = lope_random_below(random, 3);
    for (int i = 0; i < 4; i++) {
        double angle = kind == 2 ? 0.25 * LOPE_PI + 0.5 * LOPE_PI * i : (double)turn + 0.5 * LOPE_PI * i;
        corners[i].x = middle.x + reach * (float)lope_cos(angle);
        corners[i].z = middle.z + reach * (float)lope_sin(angle);
        if (kind == 2) {
            corners[i].x = roundf(corners[i].x);
            corners[i].z = roundf(corners[i].z);
        }
    }
    if (kind == 1)
        corners[1] = corners[2];
    return kind == 1 ? 2 : 4;
}

static void change(lope_space *space, lope_random *random, int kind, int *names)
{
    lope_vec2 corners[4];
    lope_error error;
    int count = random_obstacle(random, kind, corners), slot = lope_random_below(random, SLOTS);
    if (!names[slot])
        assert_ok(lope_space_add(space, corners, count, &names[slot], &error));
    else if (lope_random_below(random, 3))
        assert_ok(lope_space_move(space, names[slot], corners, count, &error));
    else {
        lope_space_remove(space, names[slot]);
        names[slot] = 0;
    }
}

static lope_space *empty_world(void)
{
    lope_space *space;
    lope_error error;
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
    return space;
}

// Every gate is what the triangulation says, and sees as far as one made anew.
static void assert_gates(lope_passages *passages)
{
    const lope_mesh *mesh = &passages->space.mesh;
    lope_gate *before = malloc(2 * (size_t)mesh->edge_count * sizeof *before);
    memcpy(before, passages->gates, 2 * (size_t)mesh->edge_count * sizeof *before);
    assert_true(lope_passages_make_gates(passages));
    for (int h = 0; h < 2 * mesh->edge_count; h++) {
        const lope_gate *gate = &passages->gates[h];
        if (mesh->half_edges[h].origin < 0 || mesh->half_edges[h ^ 1].face < 0)
            continue;
        lope_point a = lope_mesh_point(mesh, lope_mesh_origin(mesh, h));
        lope_point b = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
        assert_true(gate->right[0] == a.x && gate->right[1] == a.z);
        assert_int_equal(gate->beyond, mesh->half_edges[h ^ 1].face);
        if (lope_mesh_constrained(mesh, h)) {
            assert_true(gate->width == 0.0f);
            continue;
        }
        const double width = (double)gate->width;
        assert_near(width, hypot(b.x - a.x, b.z - a.z), 1e-6);
        assert_true(width <= hypot(b.x - a.x, b.z - a.z) + 1e-12);
        assert_near(gate->right[0] + width * (double)gate->across[0], b.x, 4e-6);
        assert_near(gate->right[1] + width * (double)gate->across[1], b.z, 4e-6);
        assert_int_equal(gate->far, before[h].far);
        assert_true(gate->far_width == before[h].far_width);
        for (int k = 0; k < 2; k++)
            assert_true(before[h].next_width[k] == passages->gates[gate->next[k]].width);
        assert_int_equal(gate->next[0], lope_mesh_next(mesh, h ^ 1));
        assert_int_equal(gate->next[1], lope_mesh_previous(mesh, h ^ 1));
    }
    free(before);
}

// The same ways as in passages made anew, and paths wherever they are wide enough.
static void assert_same_ways(const lope_space *space, const lope_passages *passages, lope_path_finder *finder,
                             lope_random *random)
{
    lope_passages *anew;
    lope_error error;
    const char *wrong = test_check_space(&passages->space);
    if (wrong)
        fail_msg("%s", wrong);
    assert_ok(lope_passages_create(space, &anew, &error));
    for (int i = 0; i < 12; i++) {
        lope_vec2 start = random_point(random), goal = random_point(random);
        float widest = lope_passages_widest(anew, start, goal), clearance = lope_random_range(random, 0.02f, 0.5f);
        assert_near(lope_passages_widest(passages, start, goal), widest, 1e-6);
        if (fabsf(widest - clearance) < 1e-6f)
            continue;
        lope_path path;
        lope_status status = lope_path_find(finder, passages, start, goal, clearance, &path, &error);
        assert_int_equal(status, widest > clearance ? LOPE_OK : LOPE_NOT_FOUND);
        for (int k = 1; k < path.point_count; k++)
            assert_true(lope_space_sweep_free(space, path.points[k - 1], path.points[k], clearance - 0.0004f, NULL));
    }
    // No more feet than about twice those that are needed.
    assert_true(passages->space.mesh.alive_vertices < 2 * anew->space.mesh.alive_vertices);
    lope_passages_destroy(anew);
}

static void passages_follow_changes(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        lope_space *space = empty_world();
        lope_random random = lope_random_seed(90 + (uint64_t)kind);
        lope_passages *passages;
        lope_path_finder *finder;
        lope_error error;
        int names[SLOTS] = {0};
        assert_ok(lope_passages_create(space, &passages, &error));
        assert_ok(lope_path_finder_create(&finder, &error));
        for (int i = 0; i < 600; i++) {
            for (int k = 0; k <= i % 3; k++)
                change(space, &random, kind, names);
            assert_ok(lope_passages_update(passages, space, &error));
            assert_true(passages->changes == lope_space_changes(space));
            if (i % 7 == 0)
                assert_ok(lope_passages_measure(passages, &error));
            if (i % 4 == 0) {
                assert_same_ways(space, passages, finder, &random);
                assert_gates(passages);
            }
        }
        // Nothing stays behind: the corners outside and those of the border.
        for (int i = 0; i < SLOTS; i++)
            if (names[i])
                lope_space_remove(space, names[i]);
        assert_ok(lope_passages_update(passages, space, &error));
        assert_int_equal(passages->space.mesh.alive_vertices, 8);
        assert_same_ways(space, passages, finder, &random);
        lope_path_finder_destroy(finder);
        lope_passages_destroy(passages);
        lope_space_destroy(space);
    }
}

// More changes than are remembered: everything is looked at again.
static void many_changes_at_once(void **state)
{
    (void)state;
    lope_space *space = empty_world();
    lope_random random = lope_random_seed(95);
    lope_passages *passages;
    lope_path_finder *finder;
    lope_error error;
    int names[SLOTS] = {0}, affected[1];
    float along[2];
    const lope_vec2 line[] = {{-20, -20}, {-21, -21}};
    lope_route route;
    assert_ok(lope_route_init(&route, line, 2, 0.1f, along, &error));
    assert_ok(lope_passages_create(space, &passages, &error));
    assert_ok(lope_path_finder_create(&finder, &error));
    for (int i = 0; i < 1500; i++)
        change(space, &random, 3, names);
    assert_int_equal(lope_space_affected(space, 0, &route, 1, affected), 1); // it cannot tell any more
    assert_int_equal(lope_space_affected(space, lope_space_changes(space) - 900, &route, 1, affected), 0);
    assert_ok(lope_passages_update(passages, space, &error));
    assert_same_ways(space, passages, finder, &random);
    lope_path_finder_destroy(finder);
    lope_passages_destroy(passages);
    lope_space_destroy(space);
}

static void following_allocates_nothing_once_warm(void **state)
{
    (void)state;
    test_count_allocations(true);
    lope_space *space = empty_world();
    lope_passages *passages;
    lope_path_finder *finder;
    lope_error error;
    size_t allocated = 0;
    assert_ok(lope_passages_create(space, &passages, &error));
    assert_ok(lope_path_finder_create(&finder, &error));
    for (int round = 0; round < 2; round++) {
        lope_random random = lope_random_seed(96);
        int names[SLOTS] = {0};
        for (int i = 0; i < 600; i++) {
            lope_path path;
            lope_vec2 start = random_point(&random), goal = random_point(&random);
            change(space, &random, 3, names);
            assert_ok(lope_passages_update(passages, space, &error));
            lope_path_find(finder, passages, start, goal, 0.2f, &path, &error);
        }
        for (int i = 0; i < SLOTS; i++)
            if (names[i])
                lope_space_remove(space, names[i]);
        assert_ok(lope_passages_update(passages, space, &error));
        if (round == 0)
            allocated = test_total_allocations();
    }
    assert_int_equal(test_total_allocations(), allocated);
    lope_path_finder_destroy(finder);
    lope_passages_destroy(passages);
    lope_space_destroy(space);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

static lope_status follow_a_little(void *user, lope_error *error)
{
    (void)user;
    lope_space *space;
    lope_passages *passages = NULL;
    lope_random random = lope_random_seed(97);
    lope_status status = lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, error);
    if (status == LOPE_OK)
        status = lope_passages_create(space, &passages, error);
    for (int i = 0; i < 25 && status == LOPE_OK; i++) {
        lope_vec2 corners[4];
        int name, count = random_obstacle(&random, 3, corners);
        status = lope_space_add(space, corners, count, &name, error);
        if (status != LOPE_OK)
            break;
        status = lope_passages_update(passages, space, error);
        // Whatever happened, asking is safe; after a failure there is no way.
        float widest = lope_passages_widest(passages, (lope_vec2){1, 1}, (lope_vec2){11, 11});
        assert_true(status == LOPE_OK || widest == 0.0f);
    }
    lope_passages_destroy(passages);
    lope_space_destroy(space);
    return status;
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    test_allocation_failures(follow_a_little, NULL);
}

static void routes_are_affected_by_what_comes_and_goes(void **state)
{
    (void)state;
    lope_space *space = empty_world();
    lope_error error;
    const lope_vec2 lines[3][2] = {{{1, 1}, {11, 1}}, {{1, 6}, {11, 6}}, {{1, 11}, {11, 11}}};
    lope_vec2 box[] = {{5, 5}, {6, 5}, {6, 5.7f}, {5, 5.7f}}, moved[] = {{5, 0}, {6, 0}, {6, 0.8f}, {5, 0.8f}};
    float along[3][2];
    lope_route routes[3];
    int affected[3], name, hint = 0;
    for (int i = 0; i < 3; i++)
        assert_ok(lope_route_init(&routes[i], lines[i], 2, 0.5f, along[i], &error));
    uint64_t before = lope_space_changes(space);
    assert_int_equal(lope_space_affected(space, before, routes, 3, affected), 0);
    assert_ok(lope_space_add(space, box, 4, &name, &error));
    assert_int_equal(lope_space_affected(space, before, routes, 3, affected), 1);
    assert_int_equal(affected[0], 1);
    assert_false(lope_space_route_free(space, &routes[1], 0.0f, INFINITY, 0.5f, &hint));
    assert_true(lope_space_route_free(space, &routes[1], 0.0f, INFINITY, 0.29f, &hint));
    assert_true(lope_space_route_free(space, &routes[1], 6.0f, INFINITY, 0.5f, &hint)); // past it
    assert_true(lope_space_route_free(space, &routes[0], 0.0f, INFINITY, 0.5f, &hint));
    uint64_t after = lope_space_changes(space);
    assert_true(after > before);
    assert_ok(lope_space_move(space, name, moved, 4, &error));
    assert_int_equal(lope_space_affected(space, after, routes, 3, affected), 2); // it left one and came to another
    assert_int_equal(affected[0], 0);
    assert_int_equal(affected[1], 1);
    assert_true(lope_space_route_free(space, &routes[1], 0.0f, INFINITY, 0.5f, &hint));
    after = lope_space_changes(space);
    lope_space_remove(space, name);
    assert_int_equal(lope_space_affected(space, after, routes, 3, affected), 1);
    assert_int_equal(affected[0], 0);
    assert_int_equal(lope_space_affected(space, lope_space_changes(space), routes, 3, affected), 0);
    lope_space_destroy(space);
}

// Passages with a space of their own, whose walls look 3 m far, let through what plain ones made of the same let
// through.
static void own_spaces_are_as_copies(void **state)
{
    (void)state;
    lope_error error;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        lope_random ours = lope_random_seed(seed), theirs = ours;
        lope_space *space = empty_world();
        lope_passages *own, *plain;
        int names[SLOTS] = {0}, other_names[SLOTS] = {0}, narrow = 0;
        assert_ok(lope_passages_open((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, 3.0f, &own, &error));
        for (int round = 0; round < 12; round++) {
            for (int i = 0; i < 12; i++) {
                change(&own->space, &ours, 0, names);
                change(space, &theirs, 0, other_names);
            }
            assert_ok(lope_passages_finish(own, &error));
            assert_ok(lope_passages_create(space, &plain, &error));
            assert_gates(own);
            for (int i = 0; i < 30; i++) {
                lope_vec2 from = random_point(&ours), to = random_point(&ours);
                theirs = ours;
                float wide = 2.0f * lope_passages_widest(plain, from, to);
                float also = 2.0f * lope_passages_widest(own, from, to);
                assert_true(wide >= 3.0f ? also >= 3.0f : fabsf(wide - also) < 1e-4f);
                narrow += wide < 3.0f;
            }
            lope_passages_destroy(plain);
        }
        assert_true(narrow > 100);
        lope_passages_destroy(own);
        lope_space_destroy(space);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passages_follow_changes),
        cmocka_unit_test(many_changes_at_once),
        cmocka_unit_test(following_allocates_nothing_once_warm),
        cmocka_unit_test(running_out_of_memory_is_told),
        cmocka_unit_test(routes_are_affected_by_what_comes_and_goes),
        cmocka_unit_test(own_spaces_are_as_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
