// SPDX-License-Identifier: MIT
// One segment of a clip while it is packed.
#ifndef LOPE_SRC_MOTION_BUILD_PACK_H
#define LOPE_SRC_MOTION_BUILD_PACK_H

#include "lope/packed_build.h"
#include "motion/packed.h"

#define PACK_MOST (PACKED_FRAMES + 1) // frames of a segment

// Three numbers of every frame, in steps.
typedef struct pack_numbers {
    int32_t of[3][PACK_MOST];
} pack_numbers;

// A joint of a segment: what it should show, and what its numbers show now.
typedef struct pack_joint {
    lope_transform truth[PACK_MOST]; // in the clip's world
    lope_transform shown[PACK_MOST];
    pack_numbers numbers;
    int16_t centre[3];
    unsigned step; // of packed_step
    float reach;   // metres: how far what turns with this joint is from it
    float error;   // metres: the worst of all frames
} pack_joint;

typedef struct pack_segment {
    const lope_skeleton *skeleton;
    const lope_pack_def *def;
    int frame_count;    // a multiple of 4, plus 1; at the end of a clip its last frame is repeated
    pack_joint *joints; // [joint_count]
    pack_numbers place; // of the root
    float place_centre[3];
    unsigned place_step;
} pack_segment;

// pack_fit.c: chooses steps, as wide as the error allows. False where the motion cannot be told by these numbers.
bool pack_fit(pack_segment *segment);
// pack_bits.c: the bytes of a segment; with `bytes` NULL only how many.
size_t pack_write(const pack_segment *segment, unsigned char *bytes);
// Whether all numbers fit into their fields.
bool pack_fits(const pack_segment *segment);

#endif
