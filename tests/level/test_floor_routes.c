// SPDX-License-Identifier: MIT
// Routes over the floors of random levels lead where ground does; floors are the same for any number of threads.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "level/floors.h"
#include "lope/level_route.h"
#include "support/floor_levels.h"
#include "support/support.h"

// Whether nodes lead from one place to another.
static bool nodes_lead(const lope_floors *f, lope_vec3 from, lope_vec3 to)
{
    node_ref start, goal, next;
    if (!places_node(f, from, &start) || !places_node(f, to, &goal))
        return false;
    int total = 0, count = 1;
    for (int i = 0; i < f->block_count; i++)
        total += f->blocks[i].node_count;
    node_ref *queue = malloc((size_t)total * sizeof *queue);
    uint8_t **seen = malloc((size_t)f->block_count * sizeof *seen);
    for (int i = 0; i < f->block_count; i++)
        seen[i] = calloc((size_t)f->blocks[i].node_count + 1, 1);
    queue[0] = start;
    seen[start.block][start.node] = 1;
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 4; side++)
            if (nodes_next(f, queue[i], side, &next) && !seen[next.block][next.node]) {
                seen[next.block][next.node] = 1;
                queue[count++] = next;
            }
    bool found = seen[goal.block][goal.node];
    for (int i = 0; i < f->block_count; i++)
        free(seen[i]);
    free(seen);
    free(queue);
    return found;
}

// Legs follow one another, stay on one floor and take no longer than exact paths, nearly.
static void check_legs(const lope_floors *floors, lope_path_finder *finder, const lope_leg *legs, int count)
{
    lope_error error;
    int link_count;
    const lope_link *links = lope_floors_links(floors, &link_count);
    for (int i = 0; i < count; i++) {
        assert_true(i == 0 || lope_v3_length(lope_v3_sub(legs[i].from, legs[i - 1].to)) < 1e-3f);
        assert_true((legs[i].floor >= 0) != (legs[i].link >= 0) && legs[i].seconds >= 0.0f);
        if (legs[i].link >= 0) {
            assert_true(legs[i].link < link_count && links[legs[i].link].from_floor != links[legs[i].link].to_floor);
            continue;
        }
        lope_path path;
        if (lope_path_find(finder, lope_floors_passages(floors, legs[i].floor),
                           (lope_vec2){legs[i].from.x, legs[i].from.z}, (lope_vec2){legs[i].to.x, legs[i].to.z}, 0.05f,
                           &path, &error))
            continue; // too near to a border
        float length = legs[i].seconds * lope_traveller_default().speed;
        float straight = hypotf(legs[i].to.x - legs[i].from.x, legs[i].to.z - legs[i].from.z);
        assert_true(length < path.length + 8.0f && length > straight - 0.01f); // regions are 8 m wide
    }
}

static void test_routes_lead_where_ground_does(void **state)
{
    (void)state;
    lope_error error;
    lope_level_router *router;
    lope_path_finder *finder;
    assert_ok(lope_level_router_create(&router, &error));
    assert_ok(lope_path_finder_create(&finder, &error));
    int found = 0, over_seams = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        lope_level *level = floors_random_level(seed, 16.0f);
        lope_floors *floors = floors_make(level);
        lope_random random = lope_random_seed(seed + 400);
        lope_traveller who = lope_traveller_default();
        who.radius = 0.0f;
        who.kinds = 1u << LOPE_LINK_SEAM;
        for (int i = 0; i < 100; i++) {
            lope_floor_spot from, to;
            lope_vec3 a = floors_random_place(&random, 16.0f), b = floors_random_place(&random, 16.0f);
            if (!lope_floors_ground(floors, a, 1.0f, &from) || !lope_floors_ground(floors, b, 1.0f, &to) ||
                from.floor < 0 || to.floor < 0)
                continue;
            lope_legs legs;
            const lope_trip trip = {from.at, to.at, who};
            lope_status status = lope_level_route(router, floors, &trip, &legs, &error);
            assert_int_equal(status == LOPE_OK, nodes_lead(floors, from.at, to.at));
            assert_true(status == LOPE_OK || status == LOPE_NOT_FOUND);
            check_legs(floors, finder, legs.items, legs.count);
            found += status == LOPE_OK;
            over_seams += legs.count > 1;
        }
        who.radius = NAN;
        lope_legs legs;
        const lope_trip trip = {lope_v3(0, 0, 0), lope_v3(1, 0, 1), who};
        assert_int_equal(lope_level_route(router, floors, &trip, &legs, &error), LOPE_BAD_DATA);
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
    print_message("%d found, %d over seams\n", found, over_seams);
    assert_true(found > 50 && over_seams > 10);
    lope_level_router_destroy(router);
    lope_path_finder_destroy(finder);
}

// Floors that come after others were destroyed often lie at the same address: a router must notice.
static void test_routers_notice_other_floors(void **state)
{
    (void)state;
    lope_error error;
    lope_level_router *router;
    lope_level *levels[2];
    assert_ok(lope_level_router_create(&router, &error));
    for (int i = 0; i < 2; i++) {
        assert_ok(lope_level_create(&levels[i], &error));
        floors_add_box(levels[i], lope_v3(0, 9.5f, 0), lope_v3(4, 0.5f, 4), 0.0f, 0.0f);
        floors_add_box(levels[i], lope_v3(20, 9.5f, 0), lope_v3(4, 0.5f, 4), 0.0f, 0.0f);
    }
    floors_add_box(levels[1], lope_v3(10, 9.5f, 0), lope_v3(18, 0.5f, 2), 0.0f, 0.0f); // a bridge
    const lope_trip trip = {lope_v3(0, 10, 0), lope_v3(20, 10, 0), lope_traveller_default()};
    for (int i = 0; i < 6; i++) {
        lope_floors *floors = floors_make(levels[i % 2]);
        lope_legs legs;
        assert_int_equal(lope_level_route(router, floors, &trip, &legs, &error), i % 2 ? LOPE_OK : LOPE_NOT_FOUND);
        assert_true(i % 2 == 0 || (legs.count == 1 && legs.seconds > 20.0f / trip.who.speed - 0.1f));
        lope_floors_destroy(floors);
    }
    lope_level_destroy(levels[0]);
    lope_level_destroy(levels[1]);
    lope_level_router_destroy(router);
}

static void mix(uint64_t *hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ b[i]) * 0x100000001B3u;
}

// Of everything that floors are made of: nodes, borders, seams, fringes, gates, spaces, links, holds.
static uint64_t hash_floors(const lope_floors *f)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (int i = 0; i < f->block_count; i++) {
        const floor_block *b = &f->blocks[i];
        const int counts[6] = {b->x, b->z, b->node_count, b->seams.count, b->fringe.count, b->region_count};
        mix(&hash, counts, sizeof counts);
        for (int k = 0; k < b->node_count; k++) {
            const floor_node *n = &b->nodes[k];
            const int numbers[5] = {n->floor, n->column, n->region, n->fringe, n->walls};
            mix(&hash, &n->y, sizeof n->y);
            mix(&hash, numbers, sizeof numbers);
        }
        mix(&hash, b->seams.items, (size_t)b->seams.count * sizeof(floor_seam));
        mix(&hash, b->gates.items, (size_t)b->gates.count * sizeof(floor_gate));
    }
    int count;
    const lope_floor_border *borders = lope_floors_borders(f, &count);
    mix(&hash, borders, (size_t)count * sizeof *borders);
    const lope_link *links = lope_floors_links(f, &count);
    mix(&hash, links, (size_t)count * sizeof *links);
    const lope_level_hold *holds = lope_floors_holds(f, &count);
    for (int i = 0; i < count; i++) // without the padding at its end
        mix(&hash, &holds[i], offsetof(lope_level_hold, bar));
    for (int i = 0; i < lope_floors_count(f); i++) {
        if (!lope_floors_passages(f, i))
            continue;
        lope_space_triangle triangle[4000];
        count = lope_passages_triangles(lope_floors_passages(f, i), triangle, 4000);
        assert_true(count <= 4000);
        for (int k = 0; k < count; k++)
            mix(&hash, triangle[k].corners, sizeof triangle[k].corners);
    }
    return hash;
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_jobs *jobs;
    lope_floors *many;
    const lope_floors_def def = lope_floors_def_default();
    lope_level *level = floors_random_level(9, 16.0f);
    lope_floors *one = floors_make(level);
    assert_ok(lope_jobs_create(3, &jobs, &error));
    assert_ok(lope_floors_create(level, &def, jobs, &many, &error));
    const uint64_t first = hash_floors(one);
    assert_true(first == hash_floors(many));
    lope_transform at = lope_transform_identity();
    at.translation = lope_v3(5.0f, 0.0f, 9.0f);
    lope_part box;
    assert_true(lope_level_part(level, 1, &box));
    assert_ok(lope_level_move(level, box.id, &at, &error));
    assert_ok(lope_floors_update(one, NULL, &error));
    assert_ok(lope_floors_update(many, jobs, &error));
    assert_true(first != hash_floors(one) && hash_floors(one) == hash_floors(many));
    lope_jobs_destroy(jobs);
    lope_floors_destroy(many);
    lope_floors_destroy(one);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes_lead_where_ground_does),
        cmocka_unit_test(test_routers_notice_other_floors),
        cmocka_unit_test(test_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
