// SPDX-License-Identifier: MIT
// Edges that are the only way, against taking each edge out and looking where one still gets; and paths that know them
// beside paths that do not.
#include <stdlib.h>
#include <string.h>

#include "space/passages.h"
#include "support/support.h"

#define SIDE 12.0f

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
        const float x = lope_random_range(random, 0.5f, SIDE - 0.5f), z = lope_random_range(random, 0.5f, SIDE - 0.5f);
        const float turn = lope_random_range(random, 0.0f, 6.28f), reach = lope_random_range(random, 0.1f, 0.6f);
        for (int k = 0; k < 4; k++) {
            const double angle = (double)turn + 0.5 * LOPE_PI * k;
            corners[k] = (lope_vec2){x + reach * (float)lope_cos(angle), z + reach * (float)lope_sin(angle)};
        }
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

// Whether the bridges are right for a half-edge that a disc can cross, and what they say is beyond it.
static bool check_edge(const lope_passages *passages, int h, float diameter)
{
    const lope_mesh *mesh = &passages->space.mesh;
    const lope_bridge *bridge = &passages->bridges[h >> 1];
    uint8_t *beyond = malloc((size_t)mesh->face_count), *all = malloc((size_t)mesh->face_count);
    const int here = mesh->half_edges[h].face;
    flood(passages, passages->gates[h].beyond, diameter, h >> 1, beyond);
    flood(passages, here, diameter, -1, all);
    const bool only = !beyond[here];
    assert_int_equal(bridge->ring < diameter, only);
    for (int i = 0; only && i < mesh->face_count; i++)
        if (all[i]) {
            const bool within = (unsigned)(passages->merges[i].order - bridge->first) < (unsigned)bridge->count;
            assert_int_equal(within == (h == bridge->down), beyond[i]);
        }
    free(beyond);
    free(all);
    return only;
}

static void bridges_are_edges_without_another_way(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(61);
    lope_error error;
    int only = 0, rings = 0;
    for (int world = 0; world < 20; world++) {
        lope_space *space = random_rooms(&random, 2 * world);
        lope_passages *passages;
        assert_ok(lope_passages_create(space, &passages, &error));
        const lope_mesh *mesh = &passages->space.mesh;
        for (int i = 0; i < 400; i++) {
            const int h = lope_random_below(&random, 2 * mesh->edge_count);
            const float diameter = lope_random_range(&random, 0.05f, 1.2f);
            if (mesh->half_edges[h].origin < 0 || passages->gates[h].width < diameter ||
                mesh->faces[passages->gates[h].beyond].cover > 0)
                continue;
            const bool is_only = check_edge(passages, h, diameter);
            only += is_only, rings += !is_only;
        }
        lope_passages_destroy(passages);
        lope_space_destroy(space);
    }
    assert_true(only > 300 && rings > 300);
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
        for (int i = 0; i < 100; i++) {
            lope_path path;
            const lope_vec2 start = {lope_random_range(&random, 0, SIDE), lope_random_range(&random, 0, SIDE)};
            const lope_vec2 goal = {lope_random_range(&random, 0, SIDE), lope_random_range(&random, 0, SIDE)};
            const float radius = lope_random_range(&random, 0.05f, 0.4f);
            if (lope_path_find(finder, passages, start, goal, radius, &path, &error) != LOPE_OK)
                continue;
            const int count = path.point_count;
            lope_vec2 *points = malloc((size_t)count * sizeof *points);
            memcpy(points, path.points, (size_t)count * sizeof *points);
            lope_bridge *bridges = passages->bridges;
            passages->bridges = NULL;
            assert_ok(lope_path_find(finder, passages, start, goal, radius, &path, &error));
            passages->bridges = bridges;
            assert_int_equal(path.point_count, count);
            assert_memory_equal(path.points, points, (size_t)count * sizeof *points);
            free(points);
            compared++;
        }
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
