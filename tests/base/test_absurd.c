// SPDX-License-Identifier: MIT
// Absurd numbers in definitions: NaN, infinities, negative, zero, tiny and huge ones in every number of every public
// definition. Whatever takes the definition answers soon: it works, finds nothing, or says which field is wrong. It
// never says that memory ran out, because no absurd number asks for gigabytes.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lope/climb_scene.h"
#include "lope/terrain_scene.h"
#include "support/stage.h"
#include "support/stride.h"
#include "support/walking.h"

#define LARGEST_BLOCK ((size_t)1 << 30)
#define MOST_SECONDS 20.0 // of processor time, with sanitizers

static void *allocate_less(void *user, size_t size)
{
    (void)user;
    return size > LARGEST_BLOCK ? NULL : aligned_alloc(64, (size + 63) & ~(size_t)63);
}

static void release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

typedef struct field {
    const char *name;
    size_t offset;
    char kind; // f, d, i
} field;

#define FIELD(type, name)                                                                                              \
    {                                                                                                                  \
#name, offsetof(type, name), _Generic(((type *)0)->name, float : 'f', double : 'd', int : 'i')                 \
    }

typedef struct definition {
    const char *name;
    size_t size;
    void (*make)(void *def);
    lope_status (*use)(const void *def, lope_error *error);
    const field *fields; // up to one without a name
} definition;

static void set_number(void *def, const field *f, double value)
{
    char *at = (char *)def + f->offset;
    if (f->kind == 'f')
        *(float *)(void *)at = (float)value;
    else if (f->kind == 'd')
        *(double *)(void *)at = value;
    else
        *(int *)(void *)at = value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
}

// The part of "lattice[2]" or "lock.halflife" that a message may be content with.
static bool names_field(const char *message, const char *name)
{
    char part[64];
    snprintf(part, sizeof part, "%.*s", (int)strcspn(name, ".["), name);
    return strstr(message, part) || (strchr(name, '.') && strstr(message, strchr(name, '.') + 1));
}

static int failures;

static void try_number(const definition *d, const field *f, double value)
{
    lope_error error = {0};
    void *def = test_calloc(1, d->size);
    d->make(def);
    set_number(def, f, value);
    clock_t begin = clock();
    lope_status status = d->use(def, &error);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    bool fine = status != LOPE_NO_MEMORY && seconds < MOST_SECONDS;
    if (!fine || (status == LOPE_BAD_DATA && !names_field(error.message, f->name))) {
        print_error("%s.%s = %g: %s, \"%s\", %.1f s\n", d->name, f->name, value, lope_status_name(status),
                    error.message, seconds);
        failures++;
    }
    test_free(def);
}

static void try_definition(const definition *d)
{
    failures = 0;
    static const double absurd[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, -1.0, 0.0, 1e-20, 1e30, (double)INT_MAX, -1e30};
    for (const field *f = d->fields; f->name; f++)
        for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++)
            if (f->kind != 'i' || isfinite(absurd[i]))
                try_number(d, f, absurd[i]);
    assert_int_equal(failures, 0);
}

// ---- what they are used on

static lope_clip *walk;
static lope_set *walks;
static lope_mobility *map;
static lope_steps *steps;
static lope_maps *maps;
static lope_rings *rings;
static lope_climb_scene *scene;
static lope_climb_plan *plan;
static test_stage *stage;
static lope_block_world *world;
static lope_people *people;

#define MAKE(type, value)                                                                                              \
    static void make_##type(void *def)                                                                                 \
    {                                                                                                                  \
        *(lope_##type *)def = (value);                                                                                 \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        NULL, 0, 0                                                                                                     \
    }
#define DEFINITION(type, fields)                                                                                       \
    {                                                                                                                  \
#type, sizeof(lope_##type), make_##type, use_##type, fields                                                    \
    }

// ---- motion

MAKE(synth_def, lope_synth_def_default())
static const field synth_fields[] = {FIELD(lope_synth_def, frame_rate), FIELD(lope_synth_def, variations), END};
static lope_status use_synth_def(const void *def, lope_error *error)
{
    lope_clip *clip;
    lope_status status = lope_synth_clip("stand", def, 0, &clip, error);
    lope_clip_destroy(clip);
    return status;
}

MAKE(synth_gait_def, ((lope_synth_gait_def){.stride = 0.5f, .tempo = 1.0f}))
static const field synth_gait_fields[] = {FIELD(lope_synth_gait_def, stride), FIELD(lope_synth_gait_def, turn),
                                          FIELD(lope_synth_gait_def, rise), FIELD(lope_synth_gait_def, tempo), END};
static lope_status use_synth_gait_def(const void *def, lope_error *error)
{
    lope_clip *clip;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = 30.0;
    lope_status status = lope_synth_gait(def, &synth, &clip, error);
    lope_clip_destroy(clip);
    return status;
}

MAKE(synth_stand_def, ((lope_synth_stand_def){0}))
static const field synth_stand_fields[] = {FIELD(lope_synth_stand_def, ahead), FIELD(lope_synth_stand_def, aside),
                                           FIELD(lope_synth_stand_def, rise), END};
static lope_status use_synth_stand_def(const void *def, lope_error *error)
{
    lope_clip *clip;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = 30.0;
    lope_status status = lope_synth_stand(def, &synth, &clip, error);
    lope_clip_destroy(clip);
    return status;
}

MAKE(read_def, lope_read_def_default())
static const field read_fields[] = {FIELD(lope_read_def, scale), FIELD(lope_read_def, frame_rate), END};
static lope_status use_read_def(const void *def, lope_error *error)
{
    static const char text[] = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
                               "Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\n"
                               "Frame Time: 0.1\n0 0 0 0 0 0\n0 1 0 0 0 0\n";
    lope_clip *clip;
    lope_status status = lope_bvh_read_memory(text, sizeof text - 1, "small", def, &clip, NULL, error);
    lope_clip_destroy(clip);
    return status;
}

static const char *const library_path[] = {"nowhere.bvh"};
MAKE(library_def, ((lope_library_def){.paths = library_path, .path_count = 1, .read = lope_read_def_default()}))
static const field library_fields[] = {FIELD(lope_library_def, read.scale), FIELD(lope_library_def, read.frame_rate),
                                       END};
static lope_status use_library_def(const void *def, lope_error *error)
{
    lope_library *library;
    lope_status status = lope_library_create(def, &library, error);
    lope_library_destroy(library);
    return status;
}

MAKE(retarget_def, ((lope_retarget_def){.source = walk->skeleton, .target = walk->skeleton}))
static const field retarget_fields[] = {FIELD(lope_retarget_def, floor), FIELD(lope_retarget_def, travel), END};
static lope_status use_retarget_def(const void *def, lope_error *error)
{
    lope_retarget *made;
    lope_status status = lope_retarget_create(def, &made, error);
    lope_retarget_destroy(made);
    return status;
}

MAKE(prepare_def, lope_prepare_def_default())
static const field prepare_fields[] = {FIELD(lope_prepare_def, frame_rate), END};
static lope_status use_prepare_def(const void *def, lope_error *error)
{
    lope_set *set;
    const lope_clip *clips[] = {walk};
    lope_status status = lope_set_prepare(clips, 1, def, NULL, NULL, &set, error);
    lope_set_destroy(set);
    return status;
}

MAKE(contacts_def, lope_contacts_def_default())
static const field contacts_fields[] = {FIELD(lope_contacts_def, enter_speed),  FIELD(lope_contacts_def, leave_speed),
                                        FIELD(lope_contacts_def, enter_height), FIELD(lope_contacts_def, leave_height),
                                        FIELD(lope_contacts_def, min_duration), END};
static lope_status use_contacts_def(const void *def, lope_error *error)
{
    uint16_t contacts[64];
    assert_true(walk->frame_count <= 64);
    return lope_contacts_find(walk, def, contacts, error);
}

MAKE(grade_def, lope_grade_def_default())
static const field grade_fields[] = {FIELD(lope_grade_def, floor), FIELD(lope_grade_def, capsule_radius), END};
static lope_status use_grade_def(const void *def, lope_error *error)
{
    lope_grade grade;
    return lope_clip_grade(walk, def, &grade, error);
}

MAKE(draw_def, lope_draw_def_default())
static const field draw_fields[] = {FIELD(lope_draw_def, interval), FIELD(lope_draw_def, width),
                                    FIELD(lope_draw_def, start),    FIELD(lope_draw_def, end),
                                    FIELD(lope_draw_def, spread),   END};
static lope_status use_draw_def(const void *def, lope_error *error)
{
    return lope_draw(walk, def, test_path("drawn.svg"), error);
}

static const double two_values[] = {0.0, 1.0};
MAKE(draw_lines_def, ((lope_draw_lines_def){.title = "t",
                                            .note = "n",
                                            .across = "a",
                                            .up = "u",
                                            .last = 1.0,
                                            .lines = {{"one", two_values, 2}},
                                            .count = 1}))
static const field draw_lines_fields[] = {FIELD(lope_draw_lines_def, first), FIELD(lope_draw_lines_def, last),
                                          FIELD(lope_draw_lines_def, count), END};
static lope_status use_draw_lines_def(const void *def, lope_error *error)
{
    return lope_draw_lines(def, 800, false, test_path("lines.svg"), error);
}

static const definition of_motion[] = {
    DEFINITION(synth_def, synth_fields),
    DEFINITION(synth_gait_def, synth_gait_fields),
    DEFINITION(synth_stand_def, synth_stand_fields),
    DEFINITION(read_def, read_fields),
    DEFINITION(library_def, library_fields),
    DEFINITION(retarget_def, retarget_fields),
    DEFINITION(prepare_def, prepare_fields),
    DEFINITION(contacts_def, contacts_fields),
    DEFINITION(grade_def, grade_fields),
    DEFINITION(draw_def, draw_fields),
    DEFINITION(draw_lines_def, draw_lines_fields),
};

// ---- what is built of sets

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

MAKE(rings_set_def, ((lope_rings_set_def){.pure = true}))
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
    DEFINITION(loop_def, loop_fields),
    DEFINITION(ring_def, ring_fields),
    DEFINITION(blocks_def, blocks_fields),
};

// ---- what plays on them

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

MAKE(strollers_def, lope_strollers_def_default())
static const field strollers_fields[] = {FIELD(lope_strollers_def, count), FIELD(lope_strollers_def, work),
                                         FIELD(lope_strollers_def, follow.corridor),
                                         FIELD(lope_strollers_def, player.capacity), END};
static lope_status use_strollers_def(const void *def, lope_error *error)
{
    lope_strollers *made;
    lope_status status = lope_strollers_create(maps, def, &made, error);
    lope_strollers_destroy(made);
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
    DEFINITION(maps_def, maps_fields),     DEFINITION(follow_def, follow_fields),
    DEFINITION(player_def, player_fields), DEFINITION(strollers_def, strollers_fields),
    DEFINITION(rival_def, rival_fields),   DEFINITION(gait_def, gait_fields),
};

// ---- worlds and characters

MAKE(walker_def, lope_walker_def_default())
static const field walker_fields[] = {FIELD(lope_walker_def, distance_weight),
                                      FIELD(lope_walker_def, angle_weight),
                                      FIELD(lope_walker_def, keep_margin),
                                      FIELD(lope_walker_def, decide_interval),
                                      FIELD(lope_walker_def, arrive_radius),
                                      FIELD(lope_walker_def, arrive_angle),
                                      FIELD(lope_walker_def, edit_step),
                                      FIELD(lope_walker_def, edit_turn),
                                      FIELD(lope_walker_def, bend),
                                      FIELD(lope_walker_def, awkward_cost),
                                      FIELD(lope_walker_def, fade_duration),
                                      FIELD(lope_walker_def, lock.halflife),
                                      END};
static lope_status use_walker_def(const void *def, lope_error *error)
{
    lope_walker *walker;
    void *memory = aligned_alloc(64, (lope_walker_size(map) + 63) & ~(size_t)63);
    lope_status status = lope_walker_init(memory, map, def, -1, (lope_ground){0}, &walker, error);
    for (int i = 0; i < 60 && !status; i++)
        lope_walker_step(walker, 0.05f);
    free(memory);
    return status;
}

MAKE(world_def, lope_world_def_default())
static const field world_fields[] = {FIELD(lope_world_def, capacity), FIELD(lope_world_def, clearance), END};
static lope_status use_world_def(const void *def, lope_error *error)
{
    lope_world *made;
    lope_status status = lope_world_create(def, &made, error);
    if (!status) {
        lope_world_add_box(made, (lope_vec2){3.0f, 0.0f}, (lope_vec2){1.0f, 1.0f}, 0.0f, NULL, NULL);
        lope_character_def character = lope_character_def_default(map);
        lope_world_spawn(made, &character, NULL, NULL);
        lope_world_step(made, 0.05f, NULL);
    }
    lope_world_destroy(made);
    return status;
}

MAKE(character_def, lope_character_def_default(map))
static const field character_fields[] = {FIELD(lope_character_def, radius), FIELD(lope_character_def, at.x),
                                         FIELD(lope_character_def, at.yaw), FIELD(lope_character_def, state), END};
static lope_status use_character_def(const void *def, lope_error *error)
{
    lope_world *made = test_make_world(LOPE_AVOID_PREDICT);
    lope_status status = lope_world_spawn(made, def, NULL, error);
    for (int i = 0; i < 10 && !status; i++)
        lope_world_step(made, 0.05f, NULL);
    lope_world_destroy(made);
    return status;
}

static void make_patch_world_def(void *def)
{
    lope_patch_world_def *made = def;
    *made = lope_patch_world_def_default();
    made->tile = stage->tile;
    made->columns = made->rows = 2;
}
static const field patch_world_fields[] = {
    FIELD(lope_patch_world_def, columns),     FIELD(lope_patch_world_def, rows),
    FIELD(lope_patch_world_def, body_radius), FIELD(lope_patch_world_def, corner.x),
    FIELD(lope_patch_world_def, characters),  END};
static lope_status use_patch_world_def(const void *def, lope_error *error)
{
    lope_patch_world *made = NULL;
    lope_status status = lope_patch_world_create(def, &made, error);
    lope_patch_world_destroy(made);
    return status;
}

static void make_block_world_def(void *def)
{
    lope_block_world_def *made = def;
    *made = lope_block_world_def_default();
    made->blocks = stage->blocks;
}
static const field block_world_fields[] = {
    FIELD(lope_block_world_def, body_radius), FIELD(lope_block_world_def, overlap),
    FIELD(lope_block_world_def, max_shift),   FIELD(lope_block_world_def, max_bend),
    FIELD(lope_block_world_def, friction),    END};
static lope_status use_block_world_def(const void *def, lope_error *error)
{
    lope_block_world *made;
    lope_status status = lope_block_world_create(def, &made, error);
    if (!status) {
        test_add_floor(made, 0.0f, 0.0f, 0.0f, 2, 2);
        status = lope_block_world_update(made, NULL, error);
    }
    lope_block_world_destroy(made);
    return status;
}

MAKE(floor_def, ((lope_floor_def){.columns = 1, .rows = 1}))
static const field floor_fields[] = {FIELD(lope_floor_def, corner.z), FIELD(lope_floor_def, height),
                                     FIELD(lope_floor_def, columns), FIELD(lope_floor_def, rows), END};
static lope_status use_floor_def(const void *def, lope_error *error)
{
    lope_block_world *made = test_world(stage);
    lope_status status = lope_block_world_add_floor(made, def, NULL, error);
    lope_block_world_destroy(made);
    return status;
}

static void make_people_def(void *def)
{
    lope_people_def *made = def;
    *made = lope_people_def_default();
    made->world = world;
}
static const field people_fields[] = {FIELD(lope_people_def, capacity), FIELD(lope_people_def, body_radius), END};
static lope_status use_people_def(const void *def, lope_error *error)
{
    lope_people *made;
    lope_status status = lope_people_create(def, &made, error);
    lope_people_destroy(made);
    return status;
}

static void make_errands_def(void *def)
{
    lope_errands_def *made = def;
    *made = lope_errands_def_default();
    made->people = people;
}
static const field errands_fields[] = {FIELD(lope_errands_def, sit),
                                       FIELD(lope_errands_def, go),
                                       FIELD(lope_errands_def, idle),
                                       FIELD(lope_errands_def, stay_least),
                                       FIELD(lope_errands_def, stay_most),
                                       FIELD(lope_errands_def, chat),
                                       END};
static lope_status use_errands_def(const void *def, lope_error *error)
{
    lope_errands errands;
    lope_status status = lope_errands_begin(def, &errands, error);
    for (int i = 0; i < 30 && !status; i++)
        lope_errands_update(&errands, 0.1f);
    return status;
}

static const definition of_worlds[] = {
    DEFINITION(walker_def, walker_fields),           DEFINITION(world_def, world_fields),
    DEFINITION(character_def, character_fields),     DEFINITION(patch_world_def, patch_world_fields),
    DEFINITION(block_world_def, block_world_fields), DEFINITION(floor_def, floor_fields),
    DEFINITION(people_def, people_fields),           DEFINITION(errands_def, errands_fields),
};

// ---- climbing and terrain

static void make_climb_def(void *def)
{
    lope_climb_def *made = def;
    *made = lope_climb_def_default();
    made->budget = 200;
    made->racers = 1;
}
static const field climb_fields[] = {FIELD(lope_climb_def, racers),
                                     FIELD(lope_climb_def, budget),
                                     FIELD(lope_climb_def, weight),
                                     FIELD(lope_climb_def, samples),
                                     FIELD(lope_climb_def, speed),
                                     FIELD(lope_climb_def, frame_rate),
                                     END};
static lope_status use_climb_def(const void *def, lope_error *error)
{
    lope_climb_plan *made;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, def, NULL, NULL, &made, error);
    lope_climb_plan_destroy(made);
    return status;
}

MAKE(climb_problem, scene->problem)
static const field climb_problem_fields[] = {FIELD(lope_climb_problem, via_count), END};
static lope_status use_climb_problem(const void *problem, lope_error *error)
{
    lope_climb_def def;
    make_climb_def(&def);
    lope_climb_plan *made, *on;
    lope_status status = lope_climb_plan_create(scene->world, problem, &def, NULL, NULL, &made, error);
    lope_climb_plan_destroy(made);
    if (!status)
        return status;
    lope_status resumed = lope_climb_plan_resume(scene->world, problem, &def, plan, 0, NULL, NULL, &on, error);
    lope_climb_plan_destroy(on);
    assert_int_equal(resumed, status);
    return status;
}

MAKE(climb_draw_def, lope_climb_draw_def_default())
static const field climb_draw_fields[] = {FIELD(lope_climb_draw_def, width), FIELD(lope_climb_draw_def, interval), END};
static lope_status use_climb_draw_def(const void *def, lope_error *error)
{
    return lope_draw_climb(scene, &scene->body, plan, def, test_path("climb.svg"), error);
}

static void make_grasp_world_def(void *def)
{
    lope_grasp_world_def *made = def;
    *made = lope_grasp_world_def_default();
    made->low = (lope_xy){0.0, 0.0};
    made->high = (lope_xy){5.0, 5.0};
}
static const field grasp_world_fields[] = {FIELD(lope_grasp_world_def, cell),
                                           FIELD(lope_grasp_world_def, place_spacing), END};
static lope_status use_grasp_world_def(const void *def, lope_error *error)
{
    static const lope_xy corners[] = {{1.0, 1.0}, {2.0, 1.0}, {2.0, 2.0}, {1.0, 2.0}};
    static const lope_grasp_polygon box = {corners, 4};
    lope_grasp_world_def one = *(const lope_grasp_world_def *)def;
    lope_grasp_world *made;
    one.obstacles = &box;
    one.obstacle_count = 1;
    lope_status status = lope_grasp_world_create(&one, &made, NULL, error);
    lope_grasp_world_destroy(made);
    return status;
}

MAKE(distance_def, lope_distance_def_default())
static const field distance_fields[] = {FIELD(lope_distance_def, clearance_weight), END};
static lope_status use_distance_def(const void *def, lope_error *error)
{
    lope_grasp_bitmap *bitmap;
    lope_distance_map *distances;
    lope_status status = lope_grasp_bitmap_create(scene->world, LOPE_OCCUPIED_HALF, &bitmap, error);
    if (status)
        return status;
    status = lope_distance_map_create(bitmap, scene->problem.goal.at, def, &distances, error);
    lope_distance_map_destroy(distances);
    lope_grasp_bitmap_destroy(bitmap);
    return status;
}

static const definition of_climbing[] = {
    DEFINITION(climb_def, climb_fields),           DEFINITION(climb_problem, climb_problem_fields),
    DEFINITION(climb_draw_def, climb_draw_fields), DEFINITION(grasp_world_def, grasp_world_fields),
    DEFINITION(distance_def, distance_fields),
};

static lope_terrain_shape_kind shape_kind;
static void make_terrain_shape(void *shape)
{
    *(lope_terrain_shape *)shape = lope_terrain_shape_default(shape_kind);
}
static const field terrain_shape_fields[] = {
    FIELD(lope_terrain_shape, yaw),     FIELD(lope_terrain_shape, width),      FIELD(lope_terrain_shape, length),
    FIELD(lope_terrain_shape, height),  FIELD(lope_terrain_shape, irregular),  FIELD(lope_terrain_shape, columns),
    FIELD(lope_terrain_shape, rows),    FIELD(lope_terrain_shape, wavelength), FIELD(lope_terrain_shape, steps),
    FIELD(lope_terrain_shape, flights), FIELD(lope_terrain_shape, rise),       FIELD(lope_terrain_shape, tread),
    FIELD(lope_terrain_shape, landing), FIELD(lope_terrain_shape, gap),        FIELD(lope_terrain_shape, radius),
    FIELD(lope_terrain_shape, inner),   FIELD(lope_terrain_shape, outer),      END};
static lope_status use_terrain_shape(const void *shape, lope_error *error)
{
    lope_terrain_mesh *mesh = NULL;
    lope_status status = lope_terrain_shape_mesh(shape, &mesh, error);
    lope_terrain_mesh_destroy(mesh);
    return status;
}

#define TRY_ALL(list)                                                                                                  \
    for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)                                                         \
    try_definition(&(list)[i])

static void numbers_of_motion(void **state)
{
    (void)state;
    TRY_ALL(of_motion);
}

static void numbers_of_builds(void **state)
{
    (void)state;
    TRY_ALL(of_builds);
}

static void numbers_of_players(void **state)
{
    (void)state;
    TRY_ALL(of_players);
}

static void numbers_of_worlds(void **state)
{
    (void)state;
    TRY_ALL(of_worlds);
}

static void numbers_of_climbing(void **state)
{
    (void)state;
    TRY_ALL(of_climbing);
}

static void numbers_of_ground(void **state)
{
    (void)state;
    const definition shape = DEFINITION(terrain_shape, terrain_shape_fields);
    for (int kind = 0; kind < LOPE_SHAPE_COUNT; kind++) {
        shape_kind = (lope_terrain_shape_kind)kind;
        try_definition(&shape);
    }
}

// Flows and carts of scenes have arrays of a fixed size.
static void counts_of_scenes(void **state)
{
    (void)state;
    lope_error error;
    lope_scene *plaza;
    lope_traffic *traffic;
    lope_world *made = test_make_world(LOPE_AVOID_PREDICT);
    lope_character_def character;
    make_character_def(&character);
    assert_ok(lope_scene_builtin("plaza", &plaza, &error));
    static const int counts[] = {-1, LOPE_SCENE_MAX_VIA + 1, 99, INT_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int before = plaza->flows[0].via_count;
        plaza->flows[0].via_count = counts[i];
        assert_int_equal(lope_traffic_create(plaza, made, &character, 1, 1, &traffic, &error), LOPE_BAD_DATA);
        assert_non_null(strstr(error.message, "via_count"));
        plaza->flows[0].via_count = before;
    }
    plaza->flows[0].to = plaza->area_count;
    assert_int_equal(lope_traffic_create(plaza, made, &character, 1, 1, &traffic, &error), LOPE_BAD_DATA);
    lope_world_destroy(made);
    lope_scene_destroy(plaza);
}

static int set_up(void **state)
{
    static const lope_allocator sparing = {allocate_less, release, NULL};
    lope_error error;
    lope_set_allocator(&sparing);
    walk = test_walk(60, 30.0, 0.0f);
    walks = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    assert_ok(lope_mobility_build(walks, &def, NULL, NULL, &map, NULL, &error));
    lope_steps_def graph = lope_steps_def_default();
    lope_maps_def unrolled;
    make_maps_def(&unrolled);
    assert_ok(lope_steps_build(walks, &graph, NULL, NULL, &steps, NULL, &error));
    assert_ok(lope_maps_build(steps, &unrolled, NULL, NULL, &maps, NULL, &error));
    assert_ok(lope_rings_builtin(false, &rings, NULL, &error));
    assert_ok(lope_climb_scene_builtin("walking", &scene, &error));
    lope_climb_def climb;
    make_climb_def(&climb);
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &climb, NULL, NULL, &plan, &error);
    assert_true(status == LOPE_OK || status == LOPE_PARTIAL);
    test_stage_create(state);
    stage = *state;
    world = test_world(stage);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 2, 2);
    assert_ok(lope_block_world_update(world, NULL, &error));
    lope_people_def crowd = lope_people_def_default();
    crowd.world = world;
    crowd.capacity = 2;
    assert_ok(lope_people_create(&crowd, &people, &error));
    assert_ok(lope_people_spawn(people, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, NULL, &error));
    return 0;
}

static int clean_up(void **state)
{
    lope_people_destroy(people);
    lope_block_world_destroy(world);
    test_stage_destroy(state);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
    lope_rings_close(rings);
    lope_maps_destroy(maps);
    lope_steps_destroy(steps);
    lope_mobility_close(map);
    lope_set_destroy(walks);
    lope_clip_destroy(walk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_motion),   cmocka_unit_test(numbers_of_builds),
        cmocka_unit_test(numbers_of_players),  cmocka_unit_test(numbers_of_worlds),
        cmocka_unit_test(numbers_of_climbing), cmocka_unit_test(numbers_of_ground),
        cmocka_unit_test(counts_of_scenes),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
