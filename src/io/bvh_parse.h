// SPDX-License-Identifier: MIT
// A BVH file as it stands: joints, channels and values in file units, nothing guessed yet. bvh_parse.c makes it from
// text; the other bvh_*.c files read it.
#ifndef LOPE_SRC_IO_BVH_PARSE_H
#define LOPE_SRC_IO_BVH_PARSE_H

#include "lope/bvh.h"

// Frames are stored in blocks of four, each channel's four values side by side: what the conversion's lanes load.
#define BVH_LANES 4

#define BVH_MAX_JOINT_CHANNELS 6

// Up to here multiples of 180 are exact in float, with much to spare. The fast number reader stays below.
#define BVH_LARGE_VALUE 1e6f

typedef struct bvh_joint {
    const char *name; // in the text, not terminated
    size_t name_length;
    int parent;
    bool has_offset, has_channels, has_tip;
    lope_vec3 offset;
    lope_vec3 tip;
    int position[3]; // channel of x, y, z, or -1
    int rotation_count;
    int rotation[BVH_MAX_JOINT_CHANNELS]; // channels in order of application: q = q0 * q1 * q2
    int axis[BVH_MAX_JOINT_CHANNELS];     // 0, 1, 2: x, y, z
} bvh_joint;

typedef struct bvh_document {
    bvh_joint *joints; // parents first
    int joint_count, joint_capacity;
    int channel_count;
    int frame_count;
    double frame_rate;
    bool has_large_values; // some lie beyond BVH_LARGE_VALUE: conversion must reduce such angles with care
    float *values;         // [block][channel_count][BVH_LANES]; lanes beyond the last frame are zero
} bvh_document;

// `file` stands in messages. On failure the document is empty. Joint names point into `text`.
lope_status lope_bvh_parse(const char *text, size_t size, const char *file, bvh_document *out, lope_error *error);
void lope_bvh_document_free(bvh_document *document);

// Number of blocks of BVH_LANES frames.
static inline int bvh_block_count(const bvh_document *document)
{
    return (document->frame_count + BVH_LANES - 1) / BVH_LANES;
}

static inline float *bvh_value(const bvh_document *document, int frame, int channel)
{
    size_t block = (size_t)(frame / BVH_LANES), lane = (size_t)(frame % BVH_LANES);
    return document->values + (block * (size_t)document->channel_count + (size_t)channel) * BVH_LANES + lane;
}

// Where a joint is relative to its parent in one frame: position channels replace the offset.
static inline lope_vec3 bvh_translation(const bvh_document *document, int frame, int joint)
{
    const bvh_joint *j = &document->joints[joint];
    lope_vec3 t = j->offset;
    if (j->position[0] >= 0)
        t.x = *bvh_value(document, frame, j->position[0]);
    if (j->position[1] >= 0)
        t.y = *bvh_value(document, frame, j->position[1]);
    if (j->position[2] >= 0)
        t.z = *bvh_value(document, frame, j->position[2]);
    return t;
}

static inline bool bvh_has_position(const bvh_joint *joint)
{
    return joint->position[0] >= 0 || joint->position[1] >= 0 || joint->position[2] >= 0;
}

#endif
