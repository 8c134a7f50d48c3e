// SPDX-License-Identifier: MIT
// Motion maps in files: what was built is what is opened, and what was tampered with is not believed.
#include <stdlib.h>
#include <string.h>

#include "lope/follow.h"
#include "support/walking.h"

typedef struct built {
    lope_set *set;
    lope_steps *steps;
    lope_maps *maps;
} built;

static built build(void)
{
    lope_error error = {0};
    built b;
    b.set = test_few_walks();
    lope_steps_def steps = lope_steps_def_default();
    lope_maps_def maps = lope_maps_def_default();
    maps.nodes = 800;
    assert_ok(lope_steps_build(b.set, &steps, NULL, NULL, &b.steps, NULL, &error));
    assert_ok(lope_maps_build(b.steps, &maps, NULL, NULL, &b.maps, NULL, &error));
    return b;
}

static void release(built *b)
{
    lope_maps_destroy(b->maps);
    lope_steps_destroy(b->steps);
    lope_set_destroy(b->set);
}

static uint64_t walk_on(const lope_maps *maps)
{
    lope_error error = {0};
    lope_follow_def def = lope_follow_def_default();
    lope_follow *follow;
    lope_vec2 path[3] = {{0, 0}, {0, 4}, {2, 7}};
    lope_follow_query query = lope_follow_query_along(path, 3, 0.0f);
    assert_ok(lope_follow_create(maps, &def, &follow, &error));
    lope_status status = lope_follow_path(follow, &query, &error);
    uint64_t hash = (uint64_t)status;
    for (int i = 0; i < lope_follow_count(follow); i++) {
        lope_walk_step step = lope_follow_step(follow, i);
        hash = lope_hash(&step, sizeof step, hash);
    }
    lope_follow_destroy(follow);
    return hash;
}

static void test_saved_and_opened(void **state)
{
    (void)state;
    lope_error error = {0};
    built b = build();
    lope_maps *maps;
    const char *path = test_path("walk.lope");
    assert_ok(lope_maps_save(b.maps, path, &error));
    assert_ok(lope_maps_open(path, &maps, &error));
    assert_int_equal(maps->map_count, b.maps->map_count);
    assert_int_equal(maps->node_count, b.maps->node_count);
    assert_memory_equal(maps->nodes, b.maps->nodes, maps->node_count * sizeof *maps->nodes);
    assert_memory_equal(maps->slots, b.maps->slots, maps->slot_count * sizeof *maps->slots);
    assert_memory_equal(maps->moves, b.maps->moves, maps->steps->edge_count * sizeof *maps->moves);
    assert_true(walk_on(maps) == walk_on(b.maps));
    lope_maps_destroy(maps);
    release(&b);
}

// Saves maps after something was done to them, and says how opening goes.
static lope_status open_tampered(const built *b, lope_map_node *nodes, uint32_t *slots)
{
    lope_error error = {0};
    lope_maps copy = *b->maps;
    copy.nodes = nodes;
    copy.slots = slots;
    const char *path = test_path("tampered.lope");
    assert_ok(lope_maps_save(&copy, path, &error));
    lope_maps *maps;
    lope_status status = lope_maps_open(path, &maps, &error);
    lope_maps_destroy(maps);
    return status;
}

static void test_tampered(void **state)
{
    (void)state;
    built b = build();
    size_t node_bytes = b.maps->node_count * sizeof *b.maps->nodes;
    size_t slot_bytes = b.maps->slot_count * sizeof *b.maps->slots;
    lope_map_node *nodes = malloc(node_bytes);
    uint32_t *slots = malloc(slot_bytes);
    assert_true(nodes && slots);
    for (int trick = 0; trick < 6; trick++) {
        memcpy(nodes, b.maps->nodes, node_bytes);
        memcpy(slots, b.maps->slots, slot_bytes);
        if (trick == 1)
            nodes[5].edge = UINT16_MAX;
        if (trick == 2)
            nodes[7].parent_yaw = 5000u << 8;
        if (trick == 3) // its own parent
            nodes[9].parent_yaw = 9u << 8;
        if (trick == 4)
            slots[0] = 900u << 8 | 1;
        if (trick == 5) // a full table
            for (uint32_t s = 0; s < b.maps->slot_count; s++)
                slots[s] = 1;
        assert_int_equal(open_tampered(&b, nodes, slots), trick ? LOPE_BAD_DATA : LOPE_OK);
    }
    free(nodes);
    free(slots);
    release(&b);
}

static void test_no_maps(void **state)
{
    (void)state;
    lope_error error = {0};
    built b = build();
    lope_maps *maps;
    const char *path = test_path("steps.lope");
    assert_ok(lope_steps_save(b.steps, path, &error));
    assert_int_equal(lope_maps_open(path, &maps, &error), LOPE_BAD_DATA);
    assert_null(maps);
    assert_non_null(strstr(error.message, "lope build --maps"));
    assert_int_equal(lope_maps_open(test_path("nothing.lope"), &maps, &error), LOPE_NOT_FOUND);
    release(&b);
}

static lope_status open_again(void *user, lope_error *error)
{
    lope_maps *maps;
    lope_status status = lope_maps_open(user, &maps, error);
    lope_maps_destroy(maps);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    lope_error error = {0};
    built b = build();
    char path[512];
    strcpy(path, test_path("memory.lope"));
    assert_ok(lope_maps_save(b.maps, path, &error));
    test_allocation_failures(open_again, path);
    release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saved_and_opened),
        cmocka_unit_test(test_tampered),
        cmocka_unit_test(test_no_maps),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
