// SPDX-License-Identifier: MIT
// What a BVH file does not say: which way is up, how long a unit is, whether frame 0 belongs to the motion.
#ifndef LOPE_SRC_IO_BVH_GUESS_H
#define LOPE_SRC_IO_BVH_GUESS_H

#include "io/body_evidence.h"
#include "io/bvh_parse.h"

// Number of frames at the start that do not belong to the motion.
lope_status lope_bvh_tpose(const bvh_document *document, lope_axis up, int *frames, lope_error *error);

// Where a joint lies in its parent's frame at rest, and where its bone ends where no joint is.
typedef struct bvh_bone {
    lope_vec3 offset, tip;
} bvh_bone;

typedef struct bvh_bones {
    const bvh_document *document;
    bvh_bone (*bone)(const void *user, int joint);
    const void *user;
} bvh_bones;

// A skeleton with the names and parents of a file and these bones. `roles` may be NULL.
lope_status lope_bvh_skeleton(const bvh_bones *bones, const int *roles, lope_skeleton **out, lope_error *error);

// The skeleton in the file's own axes and units. `roles` may be NULL.
lope_status lope_bvh_plain_skeleton(const bvh_document *document, const int *roles, lope_skeleton **out,
                                    lope_error *error);

// What the file's motion says, with that skeleton.
lope_status lope_bvh_evidence(const bvh_document *document, const lope_skeleton *skeleton, lope_evidence *out,
                              lope_error *error);

// The body among the file's joints, measured in file units.
lope_status lope_bvh_measure(const bvh_document *document, unit_body *out, lope_error *error);

#endif
