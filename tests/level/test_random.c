// SPDX-License-Identifier: MIT
// Random levels: the same for the same seed, with every kind of link, whose places are on the ground.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generators/level_random.h"
#include "support/terrain_check.h"

static level_random make(level_random_def def)
{
    lope_error error;
    level_random made;
    assert_ok(level_random_create(&def, &made, &error));
    return made;
}

static uint64_t hash_level(const level_random *made)
{
    int count;
    lope_terrain_triangle *all = test_all_triangles(lope_level_terrain(made->level), &count);
    uint64_t hash = lope_hash(all, (size_t)count * sizeof *all, (uint64_t)made->known_count);
    free(all);
    return hash;
}

static void the_same_for_the_same_seed(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        level_random made = make(level_random_def_default(7 + (uint64_t)(i / 2)));
        hashes[i] = hash_level(&made);
        level_random_destroy(&made);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] != hashes[2]);
}

static void every_link_is_there_and_begins_on_the_ground(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        level_random made = make(level_random_def_default(seed));
        int counts[LOPE_LINK_KIND_COUNT] = {0};
        for (int i = 0; i < made.known_count; i++) {
            const level_known *k = &made.known[i];
            const lope_vec3 places[] = {k->from, k->to};
            counts[k->kind]++;
            for (int end = 0; end < 2; end++) {
                lope_terrain_hit hit;
                lope_vec3 knee = lope_v3_add(places[end], lope_v3(0, 0.3f, 0));
                assert_true(lope_terrain_below(lope_level_terrain(made.level), NULL, knee, 1.0f, &hit));
                assert_near(hit.point.y, places[end].y, 1e-3);
                if (lope_terrain_ray(lope_level_terrain(made.level), NULL, knee, lope_v3_add(knee, lope_v3(0, 1.5f, 0)),
                                     &hit))
                    fail_msg("seed %d: no headroom at an end of link %d of kind %d", (int)seed, i, (int)k->kind);
            }
            if (k->part >= 0) {
                lope_part part;
                assert_true(lope_level_part(made.level, k->part, &part));
                assert_true(part.kind[0] != 0);
            }
        }
        for (int kind = LOPE_LINK_STAIRS; kind < LOPE_LINK_KIND_COUNT; kind++)
            assert_true(counts[kind] > 0);
        level_random_destroy(&made);
    }
}

static void soup_and_size(void **state)
{
    (void)state;
    level_random_def def = level_random_def_default(3);
    level_random plain = make(def);
    def.soup = true;
    level_random soup = make(def);
    int count = lope_terrain_triangle_count(lope_level_terrain(plain.level));
    assert_true(lope_terrain_triangle_count(lope_level_terrain(soup.level)) > count);
    assert_int_equal(soup.known_count, plain.known_count);
    for (float x = 0.05f; x < 60.0f; x += 1.7f)
        for (float z = 0.07f; z < 48.0f; z += 1.3f) {
            float heights[2];
            assert_true(lope_terrain_height(lope_level_terrain(plain.level), (lope_vec2){x, z}, &heights[0]));
            assert_true(lope_terrain_height(lope_level_terrain(soup.level), (lope_vec2){x, z}, &heights[1]));
            assert_near(heights[0], heights[1], 1e-4);
        }
    level_random_destroy(&plain);
    level_random_destroy(&soup);
    def.soup = false;
    def.hills = true;
    def.triangles = 100000;
    level_random large = make(def);
    assert_in_range(lope_terrain_triangle_count(lope_level_terrain(large.level)), 100000, 110000);
    level_random_destroy(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_for_the_same_seed),
        cmocka_unit_test(every_link_is_there_and_begins_on_the_ground),
        cmocka_unit_test(soup_and_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
