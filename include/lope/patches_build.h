// SPDX-License-Identifier: MIT
// Building motion patches from a motion set (offline library).
#ifndef LOPE_PATCHES_BUILD_H
#define LOPE_PATCHES_BUILD_H

#include "lope/groups.h"
#include "lope/patches.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_tile_def {
    float size;          // metres, side of the square
    int gates;           // per side, at most: the ones with most connections are kept
    int offsets;         // places along a side that are tried
    int headings;        // directions at each
    float heading_range; // radians, from straight in to the outermost heading
    int poses;           // kinds of poses
    float ball;          // metres: poses within this distance of a typical one are of its kind
    float max_shift;     // metres per metre walked that a segment may be shifted by
    float max_bend;      // radians per metre walked that a segment may be bent by
    float margin;        // metres that hips may sway out of the tile
    float velocity_time; // as for pose groups
    int clips;           // only the first so many clips of the set are used; 0: all
    int own_clips;       // the first so many are the performer's, the others filled in and used less; 0: all are
    lope_clip_use *uses; // NULL, or room for each clip of the set: receives its pieces, those that are segments of the
                         // tile, why there are none
} lope_tile_def;

// 1.5 m, 36 gates a side, 10 cm and 10 degrees per metre.
LOPE_API lope_tile_def lope_tile_def_default(void);

typedef struct lope_tile_report {
    int frames;             // of the set
    int typical_frames[16]; // of each kind of pose
    int passes;             // moments at which clips come nearest to such a pose
    int pieces;             // of clips from one such moment to another that could serve
    int tried_gates;        // per side
    int gates;              // left per side
    int links;              // from the gates of one side
    int links_to[LOPE_TILE_SIDES];
    int inside;                            // gates where people stand
    int stops, starts, waits;              // segments that lead there, away from there, and nowhere
    float junction_pose, junction_pose_95; // metres between the last pose of a segment and the first of what follows
    float junction_foot, junction_foot_95; // metres that a standing foot jumps there, before it is locked
    double seconds;
} lope_tile_report;

// Finds gates and segments such that from every gate all four sides can be reached and that all gates of a tiled plane
// can be reached from one another. LOPE_NOT_FOUND, saying which gates fail and why, where no such gates are left.
// `report` may be NULL.
LOPE_API lope_status lope_tile_build(const lope_set *set, const lope_tile_def *def, lope_jobs *jobs,
                                     const lope_progress *progress, lope_tile **out, lope_tile_report *report,
                                     lope_error *error);

typedef struct lope_build_context {
    lope_jobs *jobs; // both may be NULL
    const lope_progress *progress;
} lope_build_context;

// The same, but where the definition leaves no gates, with up to twice its edits, half as much more between poses of a
// kind, and twice its size: whatever comes first. *def receives what was built with. On failure `error` is that of the
// definition as it was.
LOPE_API lope_status lope_tile_build_fitting(const lope_set *set, lope_tile_def *def, const lope_build_context *context,
                                             lope_tile **out, lope_tile_report *report, lope_error *error);

// The tile of the built-in set: slow walks and turns within the space of a door, so many takes of each and their mirror
// images. *set is what it is made of; destroy it after the tile.
enum { LOPE_TILE_BUILTIN_TAKES = 3 };
LOPE_API bool lope_tile_builtin_uses(const char *motion);
LOPE_API lope_status lope_tile_builtin(lope_jobs *jobs, const lope_progress *progress, lope_set **set, lope_tile **out,
                                       lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
