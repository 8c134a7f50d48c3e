// SPDX-License-Identifier: MIT
// Blocks in the making.
#ifndef LOPE_SRC_BLOCKS_BUILD_BUILD_H
#define LOPE_SRC_BLOCKS_BUILD_BUILD_H

#include "base/list.h"
#include "lope/blocks_build.h"
#include "patches/build/tile_build.h"

#define MOST_PLACED 31
#define ON_FLOOR (1u << 31) // beside one bit for each unit of the scene

// A frame at which a link may begin or end.
typedef struct junction {
    int32_t frame;
    uint32_t touched; // units, or ON_FLOOR
    int32_t pose;     // kind
    bool floor;       // walks or stands on the floor
    lope_spot gate;   // in the clip's world
    lope_vec2 start;  // where the hips are, seen from the gate
    float base;       // height of what carries the body
    int stay;         // 1: a stay on a seat begins here that can be repeated, 2: it ends here; 0: neither
} junction;

// What a block is found to be, while links are added to it.
typedef struct block_draft {
    lope_placed_unit units[MOST_PLACED + 1];
    int unit_count;
    int level_count; // heights of the floor beside it
    float levels[4];
    list gates, links, segments, footings; // links refer to segments of this draft
    char name[64];
} block_draft;

// A kind of pose: the frame that stands for it, and how high what carried it was.
typedef struct pose_kind {
    int32_t pose; // frame of the set
    float base;
    uint32_t contacts;
} pose_kind;

typedef struct blocks_build {
    const lope_set *set;
    const lope_stage *stage;
    const lope_tile *tile;
    const lope_blocks_def *def;
    tile_build walk;           // material of the tile
    lope_set walking;          // what it was found in
    pose_features features;    // of all clips
    lope_unit *units;          // with bounds and symmetries
    list kinds;                // of pose_kind
    list drafts;               // of block_draft
    lope_transform *model;     // of one frame
    struct dense_build *dense; // NULL: junctions
    int touching_frames, runs;
} blocks_build;

// What one clip of the stage touches.
typedef struct touch_track {
    const lope_stage_scene *scene;
    const lope_clip *clip;
    uint32_t *touched; // [frames]
    float *base;       // [frames] lowest contact; NAN: none
    list footings;     // of footing
    list junctions;
} touch_track;

typedef struct footing {
    int32_t frame;
    lope_vec3 at;
} footing;

// Squared distance of two poses of the set whose bodies are carried at given heights.
float kind_chord2(const blocks_build *b, int pose, float base, const pose_kind *kind);

// touch.c
lope_status touch_track_create(blocks_build *b, const lope_stage_scene *scene, touch_track *out, lope_error *error);
void touch_track_destroy(touch_track *track);

// junctions.c
lope_status junctions_find(blocks_build *b, touch_track *track, lope_error *error);
int junction_kind(blocks_build *b, int pose, float base, uint32_t contacts); // -1: no memory

// register.c: a link from one junction to another, put into the draft of its arrangement, a new one if need be.
lope_status register_run(blocks_build *b, const touch_track *track, const junction *from, const junction *to,
                         lope_error *error);
lope_status register_behaviours(blocks_build *b, lope_error *error);
// Floors whose heights differ little are one level; -1: it is none of these.
int find_level(const float *levels, int count, float height);
// The draft of what is touched from one junction to another, and where it is seen from the clip's world; -1: no memory.
int run_draft(blocks_build *b, const touch_track *track, const junction *from, const junction *to, lope_spot *from_run);
// A link between two gates of a draft by the motion between two junctions; false: no memory.
bool link_gates(blocks_build *b, const touch_track *track, const junction *from, const junction *to, int draft,
                const int gates[2]);
// Where feet stand on the floor meanwhile, seen from the draft; false: no memory.
bool note_steps(blocks_build *b, const touch_track *track, const junction *from, const junction *to, int draft,
                lope_spot from_run);

// dense.c: all parts of a performance between cells of place, heading and group of poses. dense_look wants junctions to
// be found, for those on the floor.
lope_status dense_create(blocks_build *b, lope_jobs *jobs, lope_error *error);
lope_status dense_look(blocks_build *b, touch_track *track, lope_error *error);
int dense_group_count(const blocks_build *b);
void dense_destroy(blocks_build *b);

// stage_carry.c: the clips of a stage on another skeleton, in place of *set.
lope_status stage_carry(const lope_stage *stage, const lope_skeleton *skeleton, lope_jobs *jobs, lope_set **set,
                        lope_error *error);

#endif
