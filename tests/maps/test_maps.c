// SPDX-License-Identifier: MIT
// Motion maps against an enumeration of all walks that shares no code with the search.
#include <stdlib.h>
#include <string.h>

#include "lope/maps.h"
#include "support/arcs.h"

typedef struct walk {
    int parent, edge, depth, length;
    lope_ground end;
    bool waiting;
} walk;

typedef struct enumeration {
    walk walks[200000];
    int count;
    int kept[40000]; // walks in the map, in order
    int kept_count;
} enumeration;

static void extend(enumeration *all, const lope_steps *steps, int step, int from, int max_depth)
{
    walk parent = {.parent = -1};
    if (from >= 0)
        parent = all->walks[from];
    if (parent.depth >= max_depth)
        return;
    for (uint32_t e = steps->steps[step].edge_first; e < steps->steps[step].edge_first + steps->steps[step].edge_count;
         e++) {
        const lope_step_edge *edge = &steps->edges[e];
        const lope_step *next = &steps->steps[edge->to];
        assert_true(all->count < 200000);
        all->walks[all->count++] = (walk){from,
                                          (int)e,
                                          parent.depth + 1,
                                          parent.length + (int)((edge->length + next->length) * 1e3f + 0.5f),
                                          lope_ground_mul(lope_ground_mul(parent.end, edge->join), next->move),
                                          true};
    }
}

// Cells are taken of places that are rounded to millimetres and 1/256 of a turn.
static int place_cell(float metres)
{
    return (int)floor(floor((double)metres / (double)1e-3f + 0.5) / 100.0);
}

static int heading_cell(float yaw)
{
    int rounded = ((int)floor((double)yaw * 128.0 / LOPE_PI + 0.5) + 512) % 256;
    return (int)floor((rounded * 12 + 128) / 256.0) % 12;
}

static bool same_cell(const lope_steps *steps, const walk *a, const walk *b)
{
    return steps->edges[a->edge].to == steps->edges[b->edge].to &&
           heading_cell(a->end.yaw) == heading_cell(b->end.yaw) && place_cell(a->end.x) == place_cell(b->end.x) &&
           place_cell(a->end.z) == place_cell(b->end.z);
}

// The shortest walk that waits; of equal ones, the one found first.
static int shortest(const enumeration *all)
{
    int best = -1;
    for (int i = 0; i < all->count; i++)
        if (all->walks[i].waiting && (best < 0 || all->walks[i].length < all->walks[best].length))
            best = i;
    return best;
}

static void enumerate(enumeration *all, const lope_steps *steps, int root, int max_depth, int max_nodes)
{
    all->count = all->kept_count = 0;
    extend(all, steps, root, -1, max_depth);
    for (int next; all->kept_count < max_nodes && (next = shortest(all)) >= 0;) {
        all->walks[next].waiting = false;
        bool seen = false;
        for (int k = 0; k < all->kept_count && !seen; k++)
            seen = same_cell(steps, &all->walks[all->kept[k]], &all->walks[next]);
        if (seen)
            continue;
        all->kept[all->kept_count++] = next;
        extend(all, steps, steps->edges[all->walks[next].edge].to, next, max_depth);
    }
}

// Finds each walk of the enumeration in the map: the same edges in the cell where it ends.
static void compare(const enumeration *all, const lope_maps *maps, uint32_t root)
{
    const lope_map *map = &maps->maps[root];
    assert_int_equal(map->node_count, all->kept_count);
    for (int k = 0; k < all->kept_count; k++) {
        const walk *w = &all->walks[all->kept[k]];
        const lope_map_node *found = NULL;
        uint32_t count = lope_maps_find(maps, root, w->end, &found);
        bool same = false;
        for (uint32_t i = 0; i < count && !same; i++) {
            uint32_t edges[32];
            int length = lope_maps_walk(maps, root, (uint32_t)(found + i - maps->nodes) - map->node_first, edges, 32);
            int at = all->kept[k], step = length;
            same = length == w->depth;
            while (same && at >= 0) {
                same = edges[--step] == (uint32_t)all->walks[at].edge;
                at = all->walks[at].parent;
            }
            if (same) {
                lope_ground place = lope_map_node_place(map, &found[i]);
                assert_near(place.x, w->end.x, 6e-4);
                assert_near(place.z, w->end.z, 6e-4);
                assert_near(lope_wrap_angle(place.yaw - w->end.yaw), 0.0, LOPE_PI / 256.0 + 1e-4);
                assert_near((float)found[i].length * map->unit, 1e-3f * (float)w->length, 1e-4);
            }
        }
        assert_true(same);
    }
}

static void check_against_enumeration(int branching, uint64_t seed, lope_maps_def def, int depth, int nodes)
{
    lope_error error = {0};
    lope_steps *steps = test_arcs(branching, seed);
    lope_maps *maps;
    enumeration *all = malloc(sizeof *all);
    assert_non_null(all);
    assert_ok(lope_maps_build(steps, &def, NULL, NULL, &maps, NULL, &error));
    for (uint32_t root = 0; root < steps->step_count; root += 5) {
        enumerate(all, steps, (int)root, depth, nodes);
        compare(all, maps, root);
    }
    lope_maps_destroy(maps);
    test_arcs_destroy(steps);
    free(all);
}

static void test_by_depth(void **state)
{
    (void)state;
    lope_maps_def def = lope_maps_def_default();
    def.nodes = 0;
    def.depth = 4;
    check_against_enumeration(0, 1, def, 4, 1000000);
    def.depth = 7;
    check_against_enumeration(2, 2, def, 7, 1000000);
}

static void test_by_nodes(void **state)
{
    (void)state;
    lope_maps_def def = lope_maps_def_default();
    def.nodes = 700;
    check_against_enumeration(0, 3, def, 1000, 700);
}

// Every node is found in the cell it lies in, next to all others of that cell, shortest first.
static void test_cells(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_steps *steps = test_arcs(0, 4);
    lope_maps_def def = lope_maps_def_default();
    def.nodes = 3000;
    lope_maps *maps;
    assert_ok(lope_maps_build(steps, &def, NULL, NULL, &maps, NULL, &error));
    for (uint32_t m = 0; m < maps->map_count; m++) {
        const lope_map *map = &maps->maps[m];
        const lope_map_node *nodes = maps->nodes + map->node_first;
        uint32_t cells = 0;
        double length = 0.0;
        for (uint32_t n = 0; n < map->node_count; n++)
            length += (double)nodes[n].length * (double)map->unit;
        assert_near(map->reach, map->node_count ? length / map->node_count : 0.0, 2e-3); // the paper's equation 2
        for (uint32_t n = 0; n < map->node_count;) {
            const lope_map_node *first;
            uint32_t count = lope_maps_find(maps, m, lope_map_node_place(map, &nodes[n]), &first);
            assert_true(count > 0 && first == &nodes[n]);
            for (uint32_t i = 1; i < count; i++)
                assert_true(first[i - 1].length <= first[i].length);
            n += count;
            cells++;
        }
        assert_int_equal(cells, map->cell_count);
    }
    lope_maps_destroy(maps);
    test_arcs_destroy(steps);
}

static uint64_t hash_of(const lope_maps *maps)
{
    uint64_t hash = lope_hash(maps->maps, maps->map_count * sizeof *maps->maps, 0);
    hash = lope_hash(maps->nodes, maps->node_count * sizeof *maps->nodes, hash);
    return lope_hash(maps->slots, maps->slot_count * sizeof *maps->slots, hash);
}

static void test_threads(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_steps *steps = test_arcs(0, 5);
    lope_maps_def def = lope_maps_def_default();
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        lope_jobs *jobs = NULL;
        lope_maps *maps;
        if (i > 0)
            assert_ok(lope_jobs_create(i == 1 ? 2 : 5, &jobs, &error));
        assert_ok(lope_maps_build(steps, &def, jobs, NULL, &maps, NULL, &error));
        hashes[i] = hash_of(maps);
        lope_maps_destroy(maps);
        lope_jobs_destroy(jobs);
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
    test_arcs_destroy(steps);
}

static lope_status build_small(void *user, lope_error *error)
{
    lope_maps_def def = lope_maps_def_default();
    def.nodes = 1500;
    lope_maps *maps;
    lope_status status = lope_maps_build(user, &def, NULL, NULL, &maps, NULL, error);
    lope_maps_destroy(maps);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    lope_steps *steps = test_arcs(0, 6);
    test_allocation_failures(build_small, steps);
    test_arcs_destroy(steps);
}

static bool stop_at_once(void *user, const char *stage, double done)
{
    (void)user;
    (void)stage;
    (void)done;
    return false;
}

static void test_bad_definitions(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_steps *steps = test_arcs(0, 7);
    lope_maps *maps;
    lope_maps_def def = lope_maps_def_default();
    def.nodes = 0;
    assert_int_equal(lope_maps_build(steps, &def, NULL, NULL, &maps, NULL, &error), LOPE_BAD_DATA);
    assert_null(maps);
    def.nodes = 100;
    def.cell = (float)NAN;
    assert_int_equal(lope_maps_build(steps, &def, NULL, NULL, &maps, NULL, &error), LOPE_BAD_DATA);
    def.cell = 0.1f;
    lope_progress stop = {stop_at_once, NULL};
    assert_int_equal(lope_maps_build(steps, &def, NULL, &stop, &maps, NULL, &error), LOPE_INTERRUPTED);
    lope_steps none = *steps;
    none.step_count = 0;
    assert_int_equal(lope_maps_build(&none, &def, NULL, NULL, &maps, NULL, &error), LOPE_BAD_DATA);
    test_arcs_destroy(steps);
}

// A single step that leads to itself: walks as long as asked for, in coarser units.
static void test_far(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_step step = {.move = {0.0f, 0.9f, 0.0f}, .length = 0.9f, .edge_count = 1};
    lope_step_edge edge = {.to = 0, .join = {0.0f, 0.1f, 0.0f}, .length = 0.1f};
    lope_steps steps = {.step_count = 1, .edge_count = 1, .steps = &step, .edges = &edge};
    lope_maps_def def = lope_maps_def_default();
    def.nodes = 0;
    def.depth = 100;
    lope_maps *maps;
    assert_ok(lope_maps_build(&steps, &def, NULL, NULL, &maps, NULL, &error));
    assert_int_equal(maps->node_count, 100);
    const lope_map_node *node;
    uint32_t beyond = lope_maps_find(maps, 0, (lope_ground){0.0f, 100.05f, 0.0f}, &node);
    if (beyond == 0)
        assert_int_equal(lope_maps_find(maps, 0, (lope_ground){0.0f, 99.95f, 0.0f}, &node), 1);
    assert_near(lope_map_node_place(&maps->maps[0], node).z, 100.0, 5e-3);
    assert_int_equal(maps->maps[0].depth, 100);
    lope_maps_destroy(maps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_depth), cmocka_unit_test(test_by_nodes),  cmocka_unit_test(test_cells),
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_no_memory), cmocka_unit_test(test_bad_definitions),
        cmocka_unit_test(test_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
