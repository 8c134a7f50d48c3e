// SPDX-License-Identifier: MIT
// Kinds of poses, the moments at which clips pass through them, and the pieces of clips from one such moment to
// another.
#ifndef LOPE_SRC_PATCHES_BUILD_PASSES_H
#define LOPE_SRC_PATCHES_BUILD_PASSES_H

#include "lope/patches_build.h"
#include "patches/build/features.h"
#include "patches/tracks.h"

#define MAX_POSES 16

// Typical poses of walking, and one of standing if there is any: the frames with most others around them, no two of one
// kind.
typedef struct pose_kinds {
    int count;
    int standing;               // which of them stands; -1: none
    int32_t frames[MAX_POSES];  // of the set
    int sizes[MAX_POSES];       // frames within the ball
    int feet[MAX_POSES];        // lope_side of the foot that stands on
    lope_vec2 steps[MAX_POSES]; // where that foot is, seen from the ground frame
} pose_kinds;

lope_status pose_kinds_find(const lope_set *set, const pose_features *features, const lope_groups *groups, int wanted,
                            float ball, pose_kinds *out, lope_error *error);

// Middle of the sole of one side, seen from the ground frame of a frame. `model` is room for its joints.
lope_vec2 pose_foot_place(const lope_clip *clip, int frame, int side, lope_transform *model);

// A clip is nowhere nearer to the kind's pose than here, for some frames around (for half a second, while it stands).
typedef struct pose_pass {
    int32_t clip, frame; // frame of the clip
    int32_t pose;        // frame of the set
    int32_t kind;
    float distance;   // metres, to the kind's pose
    lope_vec2 offset; // where the hips are, seen from where they would be if only the standing foot counted
} pose_pass;

// A piece of a clip between two passes, with what fitting needs: the end of the bent piece is a polynomial in the bend.
typedef struct pose_piece {
    int32_t from, to; // passes
    int32_t kinds;    // of both ends: pose_kinds_key
    float length;     // metres walked
    float turn;       // radians from the first facing to the last
    lope_vec2 moments[4];
} pose_piece;

typedef struct pose_pieces {
    int pass_count;
    pose_pass *passes; // by clip, then frame
    int count;
    pose_piece *pieces;                   // by kinds of both ends, then turn
    int first[MAX_POSES * MAX_POSES + 1]; // by pose_kinds_key
} pose_pieces;

static inline int pose_kinds_key(int from, int to)
{
    return from * MAX_POSES + to;
}

// All pieces that walk between `shortest` and `longest` metres and take at least `min_seconds`.
lope_status pose_pieces_find(const lope_set *set, const patch_tracks *tracks, const pose_features *features,
                             const pose_kinds *kinds, float ball, float shortest, float longest, float min_seconds,
                             pose_pieces *out, lope_error *error);
void pose_pieces_destroy(pose_pieces *pieces);

// Where the piece ends, seen from its first frame, when `bend` radians are added with the length of the way.
static inline lope_vec2 pose_piece_end(const pose_piece *piece, float bend)
{
    const lope_vec2 *m = piece->moments;
    return (lope_vec2){m[0].x + bend * (m[1].x + bend * (m[2].x + bend * m[3].x)),
                       m[0].z + bend * (m[1].z + bend * (m[2].z + bend * m[3].z))};
}

#endif
