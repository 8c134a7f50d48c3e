// SPDX-License-Identifier: MIT
// Finding blocks in motion that was captured on a known stage (offline library).
#ifndef LOPE_BLOCKS_BUILD_H
#define LOPE_BLOCKS_BUILD_H

#include "lope/blocks.h"
#include "lope/jobs.h"
#include "lope/patches_build.h"
#include "lope/scenery.h"
#include "lope/stage.h"
#include "lope/synth.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the clips of a set were performed on. Clips without an entry were performed on an empty floor.
typedef struct lope_stage_scene {
    int32_t clip;
    int32_t placed_first, placed_count; // in the clip's world
    int32_t floor_count;                // heights of floors, where they are known; 0: whatever is touched beside units
    float floors[2];                    // is a floor
} lope_stage_scene;

// A clip that people may perform wherever they stand. It begins and ends standing.
typedef struct lope_stage_behaviour {
    int32_t clip;
    bool cut; // only some part of it does: the longest between two moments near to standing is looked for
    char name[LOPE_UNIT_NAME];
} lope_stage_behaviour;

typedef struct lope_stage {
    int unit_count, box_count, placed_count, scene_count, behaviour_count;
    lope_unit *units; // low, high and turns are found by lope_blocks_build
    lope_box *boxes;
    lope_placed_unit *placed;
    lope_stage_scene *scenes;
    lope_stage_behaviour *behaviours;
    int walking_clips; // the first so many clips of the set are what tiles are built from
    void *storage;     // private
} lope_stage;

// The built-in motions with all they are performed on: chair, desk, step, ladder, ladder_top, slide_top, slide,
// slide_end. `takes` of each.
LOPE_API lope_status lope_stage_builtin(int takes, lope_jobs *jobs, lope_set **set, lope_stage **out,
                                        lope_error *error);
LOPE_API void lope_stage_destroy(lope_stage *stage);

typedef struct lope_stage_def {
    const lope_scenery *scenery; // NULL: none
    const lope_stage_file *file; // NULL: none
    bool walks_first;            // all is carried over to the skeleton of the first walk, not of the first performance
    lope_jobs *jobs;             // may be NULL
    const lope_progress *progress; // likewise
} lope_stage_def;

// The stage of captured clips: confirmed scenery, a stage file, or both. What is confirmed becomes units, named after
// what they are and their measure in centimetres: seat_65, step_21 (flights of even steps share one), landing_21 (a top
// that is deeper than the steps), rung_29; units of the file keep their names. Clips that the scenery's sources or the
// file name are performances or behaviours, all others walk on a floor and make up the tile; performances on nothing
// that is confirmed are left out. All are carried over to one skeleton, and mirrored. LOPE_BAD_DATA where nothing is
// confirmed or steps do not lead up, LOPE_NOT_FOUND where no clip is a performance, none is left to walk, or one that
// the file names is not there.
LOPE_API lope_status lope_stage_captured(const lope_clip *const *clips, int clip_count, const lope_stage_def *def,
                                         lope_set **set, lope_stage **out, lope_error *error);

// Whether the scenery or the file names a clip: then it does not walk.
LOPE_API bool lope_stage_names(const lope_stage_def *def, const char *clip);

// Adds the behaviours of the built-in set that a stage does not have, carried over to its skeleton: somebody who sits
// on captured stools talks and idles as well. The set is replaced.
LOPE_API lope_status lope_stage_add_behaviours(int takes, lope_jobs *jobs, lope_set **set, lope_stage *stage,
                                               lope_error *error);

// Adds the variants of a file to a stage, built-in or captured, and the clips that were bent to them to its set: the
// set is replaced. LOPE_NOT_FOUND, with the line, for things that are not on stage; LOPE_UNSUPPORTED where no body of
// this size reaches what it has to, or a thing with boxes at an angle is to be scaled unevenly. Nothing changes then.
LOPE_API lope_status lope_stage_vary(const lope_stage_file *file, lope_set **set, lope_stage *stage, lope_error *error);

typedef struct lope_blocks_def {
    int most_units;    // of a block
    float near;        // metres: a part that touches something so near to a unit touches the unit
    float cell;        // metres: gates of a block that are nearer are one
    float cell_yaw;    // radians: likewise
    float same_pose;   // metres: poses within this distance are of one kind
    float arrive;      // metres: captured performances are left for walks, and entered, at poses so near to a tile's
    float min_seconds; // links take at least so long, except for slides
    // As published: every frame lies in a cell of place, heading and group of poses, and every part of a performance
    // that takes min_seconds is a link between two cells. False, the default: a few junctions, which are enough.
    bool dense;
} lope_blocks_def;
LOPE_API lope_blocks_def lope_blocks_def_default(void);

typedef struct lope_blocks_report {
    int touching_frames; // in which some unit is touched
    int runs;            // pieces of clips that became links, before equal ones were put together
    int kinds;           // of poses beyond the tile's
    double seconds;
} lope_blocks_report;

// Finds all blocks of 1 to most_units units: what was touched, in which arrangement, and the motion meanwhile. Equal
// arrangements are one block, turned and moved onto each other, symmetries of units considered. LOPE_BAD_DATA for units
// without size. `report` may be NULL.
LOPE_API lope_status lope_blocks_build(const lope_set *set, const lope_stage *stage, const lope_tile *tile,
                                       const lope_tile_def *tile_def, const lope_blocks_def *def, lope_jobs *jobs,
                                       lope_blocks **out, lope_blocks_report *report, lope_error *error);

// Blocks of the built-in set, and what they are made of, which must live as long: the stage with `takes` of every
// motion (2 are enough for much variety), and a tile of its walks.
typedef struct lope_builtin_blocks {
    lope_set *set;
    lope_stage *stage;
    lope_tile *tile;
    lope_blocks *blocks;
} lope_builtin_blocks;
// `report` may be NULL. Nothing needs to be destroyed where this fails.
LOPE_API lope_status lope_blocks_builtin(int takes, lope_jobs *jobs, const lope_progress *progress,
                                         lope_builtin_blocks *out, lope_blocks_report *report, lope_error *error);
// The same performed by another body on the same things, whose size stays: feet, hands and the seat come to where they
// were. LOPE_MISMATCH for skeletons without two legs, and for those whose legs are shorter than LOPE_CARRY_LEAST times
// the built-in ones or longer than LOPE_CARRY_MOST times: chairs and ladders would not suit them.
#define LOPE_CARRY_LEAST 0.8f
#define LOPE_CARRY_MOST 1.25f
LOPE_API lope_status lope_blocks_carried(const lope_skeleton *skeleton, int takes, const lope_build_context *context,
                                         lope_builtin_blocks *out, lope_error *error);
LOPE_API void lope_blocks_builtin_destroy(lope_builtin_blocks *blocks);

#ifdef __cplusplus
}
#endif
#endif
