// SPDX-License-Identifier: MIT
// Stages of captured clips in the making.
#ifndef LOPE_SRC_BLOCKS_BUILD_STAGE_CAPTURED_H
#define LOPE_SRC_BLOCKS_BUILD_STAGE_CAPTURED_H

#include "base/list.h"
#include "lope/blocks_build.h"

#define MOST_STEPS_OF_FLIGHT 24

// One group of confirmed scenery as units: a flight of steps, a seat or a ladder. Steps are seen from the middle of the
// front edge of the lowest one, on the floor, facing up; seats and ladders from the floor under their middle.
typedef struct stage_group {
    int group; // of the scenery
    lope_scenery_kind kind;
    int objects[MOST_STEPS_OF_FLIGHT]; // of the scenery, lowest first
    int object_count;
    lope_placed_unit units[MOST_STEPS_OF_FLIGHT];
    int unit_count;
    float tread; // of flights
} stage_group;

typedef struct captured_stage {
    const lope_scenery *scenery;
    list units, boxes, groups, placed,
        scenes; // of lope_unit, lope_box, stage_group, lope_placed_unit, lope_stage_scene
} captured_stage;

// stage_units.c: the units of everything that is confirmed.
lope_status stage_shape_units(captured_stage *stage, lope_error *error);
// Adds the units of a stage file behind those. LOPE_BAD_DATA where a name is taken.
lope_status stage_add_units(captured_stage *stage, const lope_stage_file *file, lope_error *error);
// Where a group's frame was in a clip that its sources call `clip`; false where it was not there.
bool stage_group_place(const captured_stage *stage, const stage_group *group, int clip, lope_spot *out);

// A point seen from a box, which stands upright, of a unit that is somewhere.
static inline lope_vec3 stage_in_box(const lope_box *box, lope_spot at, lope_vec3 point)
{
    lope_spot centre = lope_spot_mul(at, (lope_spot){box->centre.x, box->centre.y, box->centre.z, box->yaw});
    lope_spot p = lope_spot_mul(lope_spot_inverse(centre), (lope_spot){point.x, point.y, point.z, 0.0f});
    return lope_v3(p.x, p.y, p.z);
}

// What a clip is on the stage. Both -1, and not behaving: it walks.
typedef struct stage_role {
    int number; // what the sources of the scenery call it; -1: nothing
    int staged; // performance of the stage file; -1: none
    bool performs, behaves;
} stage_role;

// A stage of captured clips while it is made.
typedef struct capture_build {
    const lope_clip *const *clips;
    int clip_count;
    const lope_stage_def *def;
    captured_stage stage;
    int file_units;     // the first unit of the file
    stage_role *roles;  // [clip_count]
    list given;         // clips that were made for the preparation: performances, then behaviours
    list performances;  // of int: which of `clips` each performance is
    list parts;         // of int: which part of the file each behaviour is
    lope_set *prepared; // all, then their mirror images
    int prepared_count, first_performance, first_part, first_walk;
    list final;      // clips of the set: walks, their mirror images, performances, their mirror images, behaviours
    list behaviours; // of lope_stage_behaviour
    int walk_count;
} capture_build;

// stage_scenes.c: takes performances into the set, with what stood around them, settled on it.
lope_status stage_set_scenes(capture_build *b, lope_error *error);
// stage_captured.c: copies clips [first, first + count) of what was prepared.
lope_status stage_take_clips(capture_build *b, int first, int count, lope_error *error);

// stage_posture.c: the mean posture of those who stand or walk on the floor.
typedef struct stage_posture {
    lope_quat *sums; // [joints] of orientations, seen from where the body faces
    int frames;
} stage_posture;
lope_status stage_posture_measure(lope_clip *const *clips, int count, stage_posture *out, lope_error *error);
void stage_posture_free(stage_posture *posture);
// Takes what the two differ by out of a clip; does nothing where one of them was never seen.
lope_status stage_posture_align(lope_clip *clip, const stage_posture *from, const stage_posture *to, lope_error *error);

// stage_place.c: how far along its way up (metres) a flight that stands at `at` is to be moved so that feet of the clip
// step through its edges least.
lope_status stage_refine_flight(const captured_stage *stage, const stage_group *flight, lope_spot at,
                                const lope_clip *clip, float *ahead, lope_error *error);

// stage_settle.c: moves what rests on units and floor exactly onto them, by a few centimetres, and forgets contacts
// with nothing.
lope_status stage_settle_clip(lope_clip *clip, const captured_stage *stage, const lope_stage_scene *scene,
                              lope_error *error);

#endif
