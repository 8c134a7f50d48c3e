// SPDX-License-Identifier: MIT
// How a packed clip lies in memory, and how its numbers become rotations: what packing and sampling share.
//
// Motion is cut into segments of 64 frames, which share their last frame with the first of the next. Within a segment
// every track (the root's place, each joint's rotation) has a middle, and three numbers a frame that say how far it is
// from there, in whole steps. Rotations are told by (x, y, z) / w of the quaternion that leads to them from the middle:
// straight lines in these are the shortest arcs, so that frames are interpolated before anything is turned into a
// quaternion. Every fourth frame is a key. The frame half way between two keys is told by how far it is from their
// mean, and the two others likewise, which takes few bits because motion is smooth. Four frames are a quad: its keys,
// then its residues.
#ifndef LOPE_SRC_MOTION_PACKED_H
#define LOPE_SRC_MOTION_PACKED_H

#include <string.h>

#include "lope/packed.h"

#define PACKED_VERSION 1u
#define PACKED_FRAMES 64 // from one segment to the next
#define PACKED_QUADS (PACKED_FRAMES / 4)
#define PACKED_PADDING 8       // bytes behind everything, so that eight may be read anywhere
#define PACKED_MAX_STEP 160u   // of packed_step
#define PACKED_WIDTH 24        // bits of a field at most: whole numbers that floats hold exactly
#define PACKED_LOAD 57         // bits that eight bytes hold wherever they begin: all fields of a kind of a track
#define PACKED_CENTRE 32767.0f // the numbers of a middle in a unit quaternion

typedef struct packed_image {
    uint32_t version, joint_count, frame_count, segment_count;
    double frame_rate;
    float error;
    uint32_t has_contacts;
    uint32_t run_count; // frames in a row with the same contacts
    uint32_t name_size;
    uint32_t segments, runs, name, motion; // offsets
    uint64_t size;                         // of everything, padding included
    // uint32_t segments[segment_count + 1]: offsets, the last one is the end of motion; packed_run runs[]; char name[]
} packed_image;

typedef struct packed_run {
    uint32_t first; // frame
    uint32_t contacts;
} packed_run;

typedef struct packed_segment {
    uint32_t key_bits, residue_bits; // of all tracks
    float place[3];                  // middle of the root
    uint16_t widths[3], step;        // as those of a joint
    // packed_track tracks[joint_count], then bits: quads, and the last key
} packed_segment;

// A joint.
typedef struct packed_track {
    int16_t centre[3];  // x, y, z of a unit quaternion with w >= 0
    uint16_t widths[3]; // of fields in bits: the key, the residue of the middle frame, those of the two others; five
                        // bits each
    uint16_t step;
} packed_track;

_Static_assert(sizeof(packed_image) == 64 && sizeof(packed_segment) == 28 && sizeof(packed_track) == 14,
               "these are part of the file format");

// Bits of a track's fields of one kind: 0 of keys, 1 of residues of the middle frame, 2 of those of one of the others.
static inline unsigned packed_kind(const uint16_t widths[3], int kind)
{
    int shift = 5 * kind;
    return (widths[0] >> shift & 31u) + (widths[1] >> shift & 31u) + (widths[2] >> shift & 31u);
}

// Quarters of powers of two, from 256 downwards.
static inline float packed_step(unsigned index)
{
    static const float quarters[4] = {1.0f, 0.840896415f, 0.707106781f, 0.594603558f};
    uint32_t bits = (127u + 8u - index / 4) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return power * quarters[index % 4];
}

static inline lope_quat packed_centre(float x, float y, float z)
{
    lope_quat q = {x / PACKED_CENTRE, y / PACKED_CENTRE, z / PACKED_CENTRE, 0.0f};
    float rest = 1.0f - (q.x * q.x + q.y * q.y + q.z * q.z);
    q.w = sqrtf(rest > 0.0f ? rest : 0.0f);
    return q;
}

// The rotation that is `v` away from a middle.
static inline lope_quat packed_rotation(lope_quat centre, lope_vec3 v)
{
    float s = 1.0f / sqrtf(v.x * v.x + v.y * v.y + v.z * v.z + 1.0f);
    return lope_quat_mul(centre, (lope_quat){v.x * s, v.y * s, v.z * s, s});
}

static inline uint32_t packed_quads(uint32_t frame_count, uint32_t segment)
{
    uint32_t left = frame_count - 1 - segment * PACKED_FRAMES;
    return left == 0 ? 1 : left >= PACKED_FRAMES ? PACKED_QUADS : (left + 3) / 4;
}

static inline uint32_t packed_segments(uint32_t frame_count)
{
    return frame_count < 2 ? 1 : (frame_count - 2) / PACKED_FRAMES + 1;
}

// Bytes of a segment: a multiple of 4.
static inline uint64_t packed_segment_bytes(uint32_t joints, uint32_t quads, uint32_t key_bits, uint32_t residue_bits)
{
    uint64_t bits = (uint64_t)(quads + 1) * key_bits + (uint64_t)quads * residue_bits;
    return (sizeof(packed_segment) + joints * sizeof(packed_track) + (bits + 7) / 8 + 3) & ~(uint64_t)3;
}

#endif
