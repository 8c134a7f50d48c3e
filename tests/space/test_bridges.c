// SPDX-License-Identifier: MIT
// Edges that are the only way, against taking each edge out and looking where one still gets; and paths that know them
// beside paths that do not.
#include <stdlib.h>
#include <string.h>

#include "space/passages.h"
#include "support/support.h"

#define SIDE 12.0f

static void random_box(lope_random *random, lope_vec2 corners[4])
{
    const float x = lope_random_range(random, 0.5f, SIDE - 0.5f), z = lope_random_range(random, 0.5f, SIDE - 0.5f);
    const float turn = lope_random_range(random, 0.0f, 6.28f), reach = lope_random_range(random, 0.1f, 0.6f);
    for (int k = 0; k < 4; k++) {
        const double angle = (double)turn + 0.5 * LOPE_PI * k;
        corners[k] = (lope_vec2){x + reach * (float)lope_cos(angle), z + reach * (float)lope_sin(angle)};
    }
}

// Rooms with doors, and boxes in them.
static lope_space *random_rooms(lope_random *random, int boxes)
{
    lope_space *space;
    lope_error error;
    int name;
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
    for (int i = 0; i < 24; i++) { // six lines of walls, each with a door between every two walls
        const float line = 3.0f * (float)(1 + i % 3), begin = 3.0f * (float)(i / 6);
        const float low = begin + 0.4f, high = low + lope_random_range(random, 0.0f, 1.6f);
        const lope_vec2 ends[2] = {{line, i / 6 == 0 ? 0.0f : high}, {line, i / 6 == 3 ? SIDE : begin + 3.0f}};
        const lope_vec2 turned[2] = {{ends[0].z, line}, {ends[1].z, line}};
        assert_ok(lope_space_add(space, i / 3 % 2 ? turned : ends, 2, &name, &error));
    }
    for (int i = 0; i < boxes; i++) {
        lope_vec2 corners[4];
        random_box(random, corners);
        assert_ok(lope_space_add(space, corners, 4, &name, &error));
    }
    return space;
}

// Marks the faces that a disc reaches from one without crossing an edge.
static void flood(const lope_passages *passages, int face, float diameter, int without, uint8_t *seen)
{
    const lope_mesh *mesh = &passages->space.mesh;
    int *waiting = malloc((size_t)mesh->face_count * sizeof *waiting), count = 0;
    memset(seen, 0, (size_t)mesh->face_count);
    seen[face] = 1;
    for (waiting[count++] = face; count;) {
        int h = mesh->faces[waiting[--count]].half_edge;
        for (int k = 0; k < 3; k++, h = lope_mesh_next(mesh, h)) {
            const lope_gate *gate = &passages->gates[h];
            if (h >> 1 == without || gate->width < diameter || seen[gate->beyond])
                continue;
            seen[gate->beyond] = 1;
            waiting[count++] = gate->beyond;
        }
    }
    free(waiting);
}

// Whether a half-edge that a disc can cross is the only way. The bridges must be right about what is beyond it then;
// some may be forgotten where all are not `known`.
static bool check_edge(const lope_passages *passages, int h, float diameter, bool known)
{
    const lope_mesh *mesh = &passages->space.mesh;
    const lope_bridge *bridge = &passages->bridges.edges[h >> 1];
    uint8_t *beyond = malloc((size_t)mesh->face_count), *all = malloc((size_t)mesh->face_count);
    const int here = mesh->half_edges[h].face;
    flood(passages, passages->gates[h].beyond, diameter, h >> 1, beyond);
    flood(passages, here, diameter, -1, all);
    const bool only = !beyond[here];
    assert_true(only || bridge->ring >= diameter);
    assert_true(!known || !only || bridge->ring < diameter);
    for (int i = 0; bridge->ring < diameter && i < mesh->face_count; i++)
        if (all[i]) {
            const bool within = (unsigned)(passages->bridges.orders[i] - bridge->first) < (unsigned)bridge->count;
            assert_int_equal(within == (h == bridge->down), beyond[i]);
        }
    free(beyond);
    free(all);
    return only;
}

// Checks some edges: how many are the only way, how many are not, and how many of the first are known.
typedef struct checked {
    int only, rings, known;
} checked;

static void check_edges(const lope_passages *passages, lope_random *random, int times, bool known, checked *sum)
{
    const lope_mesh *mesh = &passages->space.mesh;
    for (int i = 0; i < times; i++) {
        const int h = lope_random_below(random, 2 * mesh->edge_count);
        const float diameter = lope_random_range(random, 0.05f, 1.2f);
        if (mesh->half_edges[h].origin < 0 || passages->gates[h].width < diameter ||
            mesh->faces[passages->gates[h].beyond].cover > 0)
            continue;
        const bool only = check_edge(passages, h, diameter, known);
        sum->only += only, sum->rings += !only;
        sum->known += only && passages->bridges.edges[h >> 1].ring < diameter;
    }
}

static void bridges_are_edges_without_another_way(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(61);
    lope_error error;
    checked sum = {0};
    for (int world = 0; world < 20; world++) {
        lope_space *space = random_rooms(&random, 2 * world);
        lope_passages *passages;
        assert_ok(lope_passages_create(space, &passages, &error));
        check_edges(passages, &random, 400, true, &sum);
        lope_passages_destroy(passages);
        lope_space_destroy(space);
    }
    assert_true(sum.only > 300 && sum.rings > 300);
}

// A path with bridges and without them; false: there is none.
static bool compare_paths(lope_path_finder *finder, lope_passages *passages, lope_random *random)
{
    lope_path path;
    lope_error error;
    const lope_vec2 start = {lope_random_range(random, 0, SIDE), lope_random_range(random, 0, SIDE)};
    const lope_vec2 goal = {lope_random_range(random, 0, SIDE), lope_random_range(random, 0, SIDE)};
    const float radius = lope_random_range(random, 0.05f, 0.4f);
    const lope_status status = lope_path_find(finder, passages, start, goal, radius, &path, &error);
    const int count = path.point_count;
    lope_vec2 *points = malloc((size_t)(count + 1) * sizeof *points);
    if (count)
        memcpy(points, path.points, (size_t)count * sizeof *points);
    lope_bridge *bridges = passages->bridges.edges;
    passages->bridges.edges = NULL;
    assert_int_equal(lope_path_find(finder, passages, start, goal, radius, &path, &error), status);
    passages->bridges.edges = bridges;
    assert_int_equal(path.point_count, count);
    if (count)
        assert_memory_equal(path.points, points, (size_t)count * sizeof *points);
    free(points);
    return status == LOPE_OK;
}

// Boxes come, move and go, one or more at a time.
static void bridges_outlast_changes_elsewhere(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(63);
    lope_error error;
    lope_path_finder *finder;
    checked sum = {0};
    int compared = 0;
    assert_ok(lope_path_finder_create(&finder, &error));
    for (int world = 0; world < 6; world++) {
        int names[16] = {0};
        lope_space *space = random_rooms(&random, 2 * world);
        lope_passages *passages;
        assert_ok(lope_passages_create(space, &passages, &error));
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i <= round % 3; i++) {
                int *name = &names[lope_random_below(&random, 16)];
                lope_vec2 corners[4];
                random_box(&random, corners);
                if (!*name)
                    assert_ok(lope_space_add(space, corners, 4, name, &error));
                else if (round % 4)
                    assert_ok(lope_space_move(space, *name, corners, 4, &error));
                else
                    lope_space_remove(space, *name), *name = 0;
            }
            assert_ok(lope_passages_update(passages, space, &error));
            assert_true(passages->bridges.edges && !passages->merges);
            check_edges(passages, &random, 30, false, round < 5 ? &sum : &(checked){0});
            for (int i = 0; i < 5; i++)
                compared += compare_paths(finder, passages, &random);
        }
        lope_passages_destroy(passages);
        lope_space_destroy(space);
    }
    assert_true(sum.only > 50 && compared > 400);
    assert_true(4 * sum.known > sum.only); // of those that are the only way after a few changes
    lope_path_finder_destroy(finder);
}

static void paths_are_the_same_without_bridges(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(62);
    lope_error error;
    lope_path_finder *finder;
    int compared = 0;
    assert_ok(lope_path_finder_create(&finder, &error));
    for (int world = 0; world < 20; world++) {
        lope_space *space = random_rooms(&random, 3 * world);
        lope_passages *passages;
        assert_ok(lope_passages_create(space, &passages, &error));
        for (int i = 0; i < 100; i++)
            compared += compare_paths(finder, passages, &random);
        lope_passages_destroy(passages);
        lope_space_destroy(space);
    }
    assert_true(compared > 400);
    lope_path_finder_destroy(finder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bridges_are_edges_without_another_way),
        cmocka_unit_test(paths_are_the_same_without_bridges),
        cmocka_unit_test(bridges_outlast_changes_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
