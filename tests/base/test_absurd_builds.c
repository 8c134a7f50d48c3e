// SPDX-License-Identifier: MIT
// Absurd numbers in definitions of what is built of sets: maps, graphs, tiles, rings, blocks.
#include "support/absurd.h"
#include "support/stage.h"
#include "support/stride.h"
#include "support/walking.h"

static lope_clip *walk;
static lope_set *walks;
static test_stage *stage;

MAKE(transition_def, lope_transition_def_default(LOPE_METRIC_CLOUD))
static const field transition_fields[] = {
    FIELD(lope_transition_def, threshold),    FIELD(lope_transition_def, min_gap),
    FIELD(lope_transition_def, angle_weight), FIELD(lope_transition_def, velocity_weight),
    FIELD(lope_transition_def, root_weight),  FIELD(lope_transition_def, role_weights[0]),
    FIELD(lope_transition_def, window),       END};
static lope_status use_transition_def(const void *def, lope_error *error)
{
    lope_transitions transitions = {0};
    lope_set one = *walks;
    one.clip_count = 1;
    lope_status status = lope_transitions_find(&one, def, NULL, NULL, &transitions, error);
    lope_transitions_free(&transitions);
    return status;
}

MAKE(mobility_def, test_few_walks_def())
static const field mobility_fields[] = {FIELD(lope_mobility_def, frame_cost),    FIELD(lope_mobility_def, steps),
                                        FIELD(lope_mobility_def, min_choices),   FIELD(lope_mobility_def, max_choices),
                                        FIELD(lope_mobility_def, min_component), FIELD(lope_mobility_def, hit_radius),
                                        FIELD(lope_mobility_def, sweeps),        END};
static lope_status use_mobility_def(const void *def, lope_error *error)
{
    lope_mobility *built;
    lope_status status = lope_mobility_build(walks, def, NULL, NULL, &built, NULL, error);
    lope_mobility_close(built);
    return status;
}

MAKE(rings_set_def, lope_rings_set_def_default())
static const field rings_set_fields[] = {FIELD(lope_rings_set_def, dissimilarity), END};
static lope_status use_rings_set_def(const void *def, lope_error *error)
{
    lope_rings *built = NULL;
    lope_set one = *walks;
    one.clip_count = 1;
    lope_status status = lope_rings_of_set(&one, def, &built, NULL, error);
    lope_rings_close(built);
    return status;
}

MAKE(groups_def, lope_groups_def_default())
static const field groups_fields[] = {FIELD(lope_groups_def, bound), FIELD(lope_groups_def, velocity_time), END};
static lope_status use_groups_def(const void *def, lope_error *error)
{
    lope_groups *groups = NULL;
    lope_set one = *walks;
    one.clip_count = 1;
    lope_status status = lope_groups_find(&one, def, NULL, &groups, error);
    lope_groups_destroy(groups);
    return status;
}

MAKE(tile_def, lope_tile_def_default())
static const field tile_fields[] = {FIELD(lope_tile_def, size),
                                    FIELD(lope_tile_def, gates),
                                    FIELD(lope_tile_def, offsets),
                                    FIELD(lope_tile_def, headings),
                                    FIELD(lope_tile_def, poses),
                                    FIELD(lope_tile_def, heading_range),
                                    FIELD(lope_tile_def, ball),
                                    FIELD(lope_tile_def, margin),
                                    FIELD(lope_tile_def, max_shift),
                                    FIELD(lope_tile_def, velocity_time),
                                    FIELD(lope_tile_def, max_bend),
                                    FIELD(lope_tile_def, clips),
                                    END};
static lope_status use_tile_def(const void *def, lope_error *error)
{
    lope_tile *tile = NULL;
    lope_set one = *walks;
    one.clip_count = 1;
    lope_status status = lope_tile_build(&one, def, NULL, NULL, &tile, NULL, error);
    lope_tile_destroy(tile);
    return status;
}

MAKE(steps_def, lope_steps_def_default())
static const field steps_fields[] = {FIELD(lope_steps_def, threshold),     FIELD(lope_steps_def, min_branching),
                                     FIELD(lope_steps_def, rescue),        FIELD(lope_steps_def, window),
                                     FIELD(lope_steps_def, max_slip),      FIELD(lope_steps_def, stand_threshold),
                                     FIELD(lope_steps_def, merge),         FIELD(lope_steps_def, speed_ratio),
                                     FIELD(lope_steps_def, max_branching), END};
static lope_status use_steps_def(const void *def, lope_error *error)
{
    lope_steps *built = NULL;
    lope_status status = lope_steps_build(walks, def, NULL, NULL, &built, NULL, error);
    lope_steps_destroy(built);
    return status;
}

MAKE(scenery_def, lope_scenery_def_default())
static const field scenery_fields[] = {FIELD(lope_scenery_def, gap),
                                       FIELD(lope_scenery_def, same_level),
                                       FIELD(lope_scenery_def, same_seat),
                                       FIELD(lope_scenery_def, same_pitch),
                                       FIELD(lope_scenery_def, stand_time),
                                       FIELD(lope_scenery_def, sit_time),
                                       END};
static lope_status use_scenery_def(const void *def, lope_error *error)
{
    lope_scenery *scenery;
    lope_status status = lope_scenery_find(walk, def, &scenery, error);
    lope_scenery_destroy(scenery);
    return status;
}

MAKE(pack_def, lope_pack_def_default())
static const field pack_fields[] = {FIELD(lope_pack_def, error), FIELD(lope_pack_def, shell), END};
static lope_status use_pack_def(const void *def, lope_error *error)
{
    lope_packed *packed;
    lope_status status = lope_pack(walk, def, &packed, error);
    lope_packed_destroy(packed);
    return status;
}

MAKE(loop_def, lope_loop_def_default())
static const field loop_fields[] = {FIELD(lope_loop_def, least), FIELD(lope_loop_def, longest),
                                    FIELD(lope_loop_def, skip), FIELD(lope_loop_def, gap), END};
static lope_status use_loop_def(const void *def, lope_error *error)
{
    lope_loop loop;
    lope_status status = lope_loop_find(walk, def, &loop, error);
    lope_loop_free(&loop);
    return status;
}

static void make_ring_def(void *def)
{
    static const lope_clip *clips[1];
    clips[0] = walk;
    lope_ring_def *made = def;
    *made = lope_ring_def_default(LOPE_RING_WALK);
    made->clips = clips;
    made->clip_count = 1;
}
static const field ring_fields[] = {FIELD(lope_ring_def, frames),        FIELD(lope_ring_def, max_samples),
                                    FIELD(lope_ring_def, dissimilarity), FIELD(lope_ring_def, foot_error),
                                    FIELD(lope_ring_def, lattice[1]),    FIELD(lope_ring_def, cycles),
                                    FIELD(lope_ring_def, loop.least),    FIELD(lope_ring_def, loop.gap),
                                    FIELD(lope_ring_def, clip_count),    END};
static lope_status use_ring_def(const void *def, lope_error *error)
{
    const lope_ring_def *ring = def;
    lope_rings *built = NULL;
    if (ring->clip_count > 1) // a count of the caller's array, which cannot be checked
        return LOPE_OK;
    lope_status status = lope_rings_build(def, 1, &built, NULL, error);
    lope_rings_close(built);
    return status;
}

MAKE(blocks_def, lope_blocks_def_default())
static const field blocks_fields[] = {FIELD(lope_blocks_def, most_units),  FIELD(lope_blocks_def, near),
                                      FIELD(lope_blocks_def, cell),        FIELD(lope_blocks_def, cell_yaw),
                                      FIELD(lope_blocks_def, same_pose),   FIELD(lope_blocks_def, arrive),
                                      FIELD(lope_blocks_def, min_seconds), END};
static lope_status use_blocks_def(const void *def, lope_error *error)
{
    lope_stage few = *stage->stage;
    few.scene_count = few.behaviour_count = 1;
    lope_tile_def tile_def = lope_tile_def_default();
    tile_def.clips = few.walking_clips;
    lope_blocks *built = NULL;
    lope_status status = lope_blocks_build(stage->set, &few, stage->tile, &tile_def, def, NULL, &built, NULL, error);
    lope_blocks_destroy(built);
    return status;
}

static const definition of_builds[] = {
    DEFINITION(transition_def, transition_fields),
    DEFINITION(mobility_def, mobility_fields),
    DEFINITION(rings_set_def, rings_set_fields),
    DEFINITION(groups_def, groups_fields),
    DEFINITION(tile_def, tile_fields),
    DEFINITION(steps_def, steps_fields),
    DEFINITION(scenery_def, scenery_fields),
    DEFINITION(pack_def, pack_fields),
    DEFINITION(loop_def, loop_fields),
    DEFINITION(ring_def, ring_fields),
    DEFINITION(blocks_def, blocks_fields),
};

static void numbers_of_builds(void **state)
{
    (void)state;
    TRY_ALL(of_builds);
}

static int set_up(void **state)
{
    test_spare_memory();
    walk = test_walk(60, 30.0, 0.0f);
    walks = test_few_walks();
    test_stage_create(state);
    stage = *state;
    return 0;
}

static int clean_up(void **state)
{
    test_stage_destroy(state);
    lope_set_destroy(walks);
    lope_clip_destroy(walk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_builds),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
