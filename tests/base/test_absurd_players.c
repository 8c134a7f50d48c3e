// SPDX-License-Identifier: MIT
// Absurd numbers in definitions of what walks on maps and rings.
#include <stdlib.h>

#include "support/absurd.h"
#include "support/walking.h"

static lope_set *walks;
static lope_steps *steps;
static lope_maps *maps;
static lope_rings *rings;

MAKE(maps_def, ((lope_maps_def){.depth = 2, .nodes = 500, .cell = 0.2f}))
static const field maps_fields[] = {FIELD(lope_maps_def, cell), END};
static lope_status use_maps_def(const void *def, lope_error *error)
{
    lope_maps *built;
    lope_status status = lope_maps_build(steps, def, NULL, NULL, &built, NULL, error);
    lope_maps_destroy(built);
    return status;
}

MAKE(follow_def, lope_follow_def_default())
static const field follow_fields[] = {FIELD(lope_follow_def, corridor),  FIELD(lope_follow_def, goal_distance),
                                      FIELD(lope_follow_def, turn),      FIELD(lope_follow_def, stride),
                                      FIELD(lope_follow_def, goal_turn), FIELD(lope_follow_def, touch),
                                      FIELD(lope_follow_def, work),      END};
static lope_status use_follow_def(const void *def, lope_error *error)
{
    static const lope_vec2 path[] = {{0.0f, 0.0f}, {0.0f, 2.0f}};
    lope_follow *follow;
    lope_status status = lope_follow_create(maps, def, &follow, error);
    lope_follow_query query = lope_follow_query_along(path, 2, 0.5f);
    if (!status)
        lope_follow_path(follow, &query, NULL);
    lope_follow_destroy(follow);
    return status;
}

MAKE(player_def, lope_player_def_default())
static const field player_fields[] = {FIELD(lope_player_def, capacity), FIELD(lope_player_def, fade_duration),
                                      FIELD(lope_player_def, stand_fade), FIELD(lope_player_def, lock.halflife), END};
static lope_status use_player_def(const void *def, lope_error *error)
{
    lope_player *player;
    void *memory = aligned_alloc(64, (lope_player_size(steps, def) + 63) & ~(size_t)63);
    lope_status status = lope_player_init(memory, steps, def, (lope_ground){0}, &player, error);
    free(memory);
    return status;
}

MAKE(rival_def, ((lope_rival_def){.follow = lope_follow_def_default(), .nodes = 1000}))
static const field rival_fields[] = {FIELD(lope_rival_def, nodes), END};
static lope_status use_rival_def(const void *def, lope_error *error)
{
    lope_rival *made;
    lope_status status = lope_rival_create(maps, def, &made, error);
    lope_rival_destroy(made);
    return status;
}

MAKE(gait_def, lope_gait_def_default())
static const field gait_fields[] = {
    FIELD(lope_gait_def, at.x),     FIELD(lope_gait_def, above),    FIELD(lope_gait_def, radius),
    FIELD(lope_gait_def, trim),     FIELD(lope_gait_def, steepest), FIELD(lope_gait_def, combined_turn),
    FIELD(lope_gait_def, accuracy), FIELD(lope_gait_def, at.yaw),   END};
static lope_status use_gait_def(const void *def, lope_error *error)
{
    lope_gait *made;
    lope_status status = lope_gait_create(rings, NULL, def, &made, error);
    lope_gait_control ahead = {LOPE_GAIT_WALK, 0.0f, 1.0f};
    for (int i = 0; i < 60 && !status; i++)
        lope_gait_step(made, NULL, &ahead, 0.05f);
    lope_gait_destroy(made);
    return status;
}

static const definition of_players[] = {
    DEFINITION(maps_def, maps_fields),   DEFINITION(follow_def, follow_fields), DEFINITION(player_def, player_fields),
    DEFINITION(rival_def, rival_fields), DEFINITION(gait_def, gait_fields),
};

static void numbers_of_players(void **state)
{
    (void)state;
    TRY_ALL(of_players);
}

static int set_up(void **state)
{
    (void)state;
    lope_error error;
    test_spare_memory();
    walks = test_few_walks();
    lope_steps_def graph = lope_steps_def_default();
    lope_maps_def unrolled;
    make_maps_def(&unrolled);
    assert_ok(lope_steps_build(walks, &graph, NULL, NULL, &steps, NULL, &error));
    assert_ok(lope_maps_build(steps, &unrolled, NULL, NULL, &maps, NULL, &error));
    assert_ok(lope_rings_builtin(false, &rings, NULL, &error));
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    lope_rings_close(rings);
    lope_maps_destroy(maps);
    lope_steps_destroy(steps);
    lope_set_destroy(walks);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_players),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
