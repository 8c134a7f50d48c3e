// SPDX-License-Identifier: MIT
// What walkers like to do: costs of motions, and tags of poses, found or given.
#include <stdlib.h>
#include <string.h>

#include "mobility/walker.h"
#include "support/walking.h"

static lope_set *set;
static lope_mobility *map;

static int build_map(void **state)
{
    (void)state;
    lope_tag_range sharp[] = {{"turn_left_sharp", 0, 100000, 1u << LOPE_TAG_WALK, false},
                              {"turn_left_sharp", 0, 100000, 1u << LOPE_TAG_OWN, true}};
    lope_mobility_def def = test_walks_def(false);
    def.tags = sharp;
    def.tag_count = 2;
    def.tag_names[0] = "corner";
    lope_error error;
    set = test_walks();
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, NULL, &error));
    return 0;
}

static int close_map(void **state)
{
    (void)state;
    lope_mobility_close(map);
    lope_set_destroy(set);
    return 0;
}

static void send(lope_walker *walker, float x, float z)
{
    lope_error error;
    assert_ok(lope_walker_go_to(walker, &(lope_goal){.position = {x, z}, .facing = NAN}, &error));
}

// How often the cost function was asked, and what it adds to.
typedef struct asked {
    int count;
    bool keep_out; // of x > 0.5
} asked;

static float keep_out(void *user, const lope_walker *walker, const lope_candidate *candidate)
{
    asked *a = user;
    a->count++;
    assert_true(candidate->seconds >= 0.0f && candidate->cost >= 0.0f);
    lope_ground ahead[4];
    lope_walker_predict_candidate(walker, candidate, candidate->seconds / 4.0f, 4, ahead);
    assert_near(ahead[3].x, candidate->end.x, 0.02);
    assert_near(ahead[3].z, candidate->end.z, 0.02);
    float farthest = 0.5f; // on the way, not only at its end
    for (int k = 0; k < 4; k++)
        farthest = fmaxf(farthest, ahead[k].x);
    return a->keep_out ? 100.0f * (farthest - 0.5f) : 0.0f;
}

static void cost_functions_take_part(void **state)
{
    (void)state;
    asked a = {0, true};
    lope_walker_def def = lope_walker_def_default();
    def.cost = keep_out;
    def.cost_user = &a;
    lope_walker *walker = test_walker(map, &def, -1, (lope_ground){0});
    send(walker, 4.0f, 4.0f);
    float most = 0.0f;
    for (int f = 0; f < 600; f++) {
        lope_walker_step(walker, 1.0f / 30.0f);
        most = fmaxf(most, lope_walker_ground(walker).x);
    }
    assert_true(a.count > 0);
    assert_true(most < 2.0f); // of 4: bodies need room to turn round
    a = (asked){0, false};
    uint32_t before = lope_walker_counts_of(walker).candidates;
    for (int f = 0; f < 1800 && lope_walker_progress_of(walker) == LOPE_WALKER_GOING; f++)
        lope_walker_step(walker, 1.0f / 30.0f);
    assert_int_equal(lope_walker_progress_of(walker), LOPE_WALKER_ARRIVED);
    assert_true(a.count > 0 && (uint32_t)a.count < lope_walker_counts_of(walker).candidates - before); // few are asked
    free(walker);
}

static void tags_say_what_the_body_does(void **state)
{
    (void)state;
    int counts[LOPE_TAG_COUNT] = {0}, stands = 0;
    for (int p = 0; p < (int)map->head.pose_count; p++)
        for (int t = 0; t < LOPE_TAG_COUNT; t++)
            counts[t] += (int)(lope_mobility_pose_tags(map, p) >> t & 1u);
    assert_true(counts[LOPE_TAG_STAND] > 20 && counts[LOPE_TAG_WALK] > counts[LOPE_TAG_STAND]);
    assert_int_equal(counts[LOPE_TAG_RUN], 0);
    for (int s = 0; s < lope_mobility_state_count(map); s++)
        stands += lope_mobility_can_stand(map, s);
    assert_int_equal(stands, map->head.stand_count);
    for (int p = 0; p < (int)map->head.pose_count; p++) { // tags that are given win
        bool own = strcmp(set->clips[map->poses[p].clip]->name, "turn_left_sharp") == 0;
        assert_int_equal(lope_mobility_pose_tags(map, p) >> LOPE_TAG_OWN & 1u, own);
    }
}

// Frames with the test's own tag in a tour that turns left a lot.
static int frames_of(const lope_walker_def *def)
{
    lope_walker *walker = test_walker(map, def, -1, (lope_ground){0});
    int frames = 0;
    for (int f = 0, corner = 0; f < 3000; f++) {
        if (lope_walker_progress_of(walker) != LOPE_WALKER_GOING) {
            static const float x[] = {0.0f, 4.0f, 4.0f, 0.0f}, z[] = {4.0f, 4.0f, 0.0f, 0.0f};
            send(walker, x[corner % 4], z[corner % 4]);
            corner++;
        }
        lope_walker_step(walker, 1.0f / 30.0f);
        frames += (int)(lope_mobility_pose_tags(map, lope_walker_next_pose(walker)) >> LOPE_TAG_OWN & 1u);
    }
    free(walker);
    return frames;
}

static int own_frames(float cost)
{
    lope_walker_def def = lope_walker_def_default();
    def.tag_costs[LOPE_TAG_OWN] = cost;
    return frames_of(&def);
}

static int frames_by_taste(lope_taste taste)
{
    lope_walker_def def = lope_walker_def_default();
    def.cost = lope_taste_cost;
    def.cost_user = &taste;
    return frames_of(&def);
}

static void tastes_are_followed(void **state)
{
    (void)state;
    const unsigned own = 1u << LOPE_TAG_OWN;
    const int as_it_comes = own_frames(0.0f), liked = frames_by_taste((lope_taste){own, 0, 1.0f});
    const int disliked = frames_by_taste((lope_taste){0, own, 1.0f});
    assert_int_equal(frames_by_taste((lope_taste){own, 0, 0.0f}), as_it_comes);
    assert_true(liked > as_it_comes && disliked < as_it_comes);
}

static void tags_have_names(void **state)
{
    (void)state;
    lope_error error;
    lope_mobility *opened;
    assert_ok(lope_mobility_save(map, test_path("named.lope"), &error));
    assert_ok(lope_mobility_open(test_path("named.lope"), &opened, &error));
    assert_string_equal(lope_mobility_tag_name(opened, LOPE_TAG_OWN), "corner");
    assert_string_equal(lope_mobility_tag_name(opened, LOPE_TAG_RUN), "run");
    assert_int_equal(lope_mobility_find_tag(opened, "corner"), LOPE_TAG_OWN);
    assert_int_equal(lope_mobility_find_tag(opened, "odd"), LOPE_TAG_ODD);
    assert_int_equal(lope_mobility_find_tag(opened, "gloomy"), -1);
    assert_int_equal(lope_mobility_find_tag(opened, ""), -1);
    lope_mobility_close(opened);
    lope_mobility_def def = test_walks_def(false);
    def.tag_names[1] = "a name that is much longer than tags may be";
    assert_int_equal(lope_mobility_build(set, &def, NULL, NULL, &opened, NULL, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "tag_names"));
}

// Makes choices with the test's own tag odd, or no longer.
static void change_own_choices(void)
{
    for (uint32_t c = 0; c < map->choice_first[map->head.state_count]; c++)
        if (map->choices[c].tags >> LOPE_TAG_OWN & 1u)
            ((mobility_choice *)(uintptr_t)map->choices)[c].tags ^= 1u << LOPE_TAG_ODD;
}

static void odd_motions_are_avoided(void **state)
{
    (void)state;
    int before = own_frames(0.0f);
    change_own_choices();
    int odd = own_frames(0.0f);
    change_own_choices();
    assert_true(before > 0 && odd < before / 4); // some corners of this small map cannot be turned otherwise
}

static void forbidden_tags_are_not_played(void **state)
{
    (void)state;
    assert_true(own_frames(0.0f) > 0);
    assert_int_equal(own_frames(INFINITY), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cost_functions_take_part), cmocka_unit_test(tags_say_what_the_body_does),
        cmocka_unit_test(odd_motions_are_avoided),  cmocka_unit_test(forbidden_tags_are_not_played),
        cmocka_unit_test(tastes_are_followed),      cmocka_unit_test(tags_have_names),
    };
    return cmocka_run_group_tests(tests, build_map, close_map);
}
