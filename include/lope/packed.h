// SPDX-License-Identifier: MIT
// Packed clips: the motion of a clip in about a seventh of its bytes, each joint within a distance that is chosen when
// the clip is packed (lope/packed_build.h). A packed clip can be sampled at any time as it is; it need not be unpacked
// first.
#ifndef LOPE_PACKED_H
#define LOPE_PACKED_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Immutable; threads may share it.
typedef struct lope_packed {
    lope_skeleton *skeleton;
    const char *name;  // in `bytes`
    int frame_count;   // >= 1
    double frame_rate; // frames per second
    float error;       // metres: no joint is farther from where the clip had it
    const void *bytes; // the whole packed clip: may be written to a file as it is
    size_t size;       // bytes
    void *storage;     // private
} lope_packed;

// Makes a packed clip of bytes that lope_pack wrote, which outlive it and are aligned to 8. Everything that sampling
// relies on is checked: LOPE_BAD_DATA where the bytes are not those of a packed clip of this skeleton's joints. `file`
// is for messages.
LOPE_API lope_status lope_packed_create(const lope_skeleton *skeleton, const void *bytes, size_t size, const char *file,
                                        lope_packed **out, lope_error *error);
LOPE_API void lope_packed_destroy(lope_packed *packed);

// The pose at `time` seconds, clamped to the clip, as lope_clip_sample gives it. Allocates nothing. Reads only what
// lies around `time`.
LOPE_API void lope_packed_sample(const lope_packed *packed, double time, lope_pose *out);

// One character of a crowd.
typedef struct lope_packed_request {
    const lope_packed *packed;
    double time; // seconds, clamped to the clip
} lope_packed_request;

// Samples many characters and goes to model space, as lope_sample_many does: request i fills models[i * joint_count]
// and what follows, with the bits of lope_packed_sample and lope_pose_to_model. Allocates nothing.
LOPE_API void lope_packed_sample_many(const lope_skeleton *skeleton, const lope_packed_request *requests, int count,
                                      lope_transform *models);

// The clip again, frame by frame, with its contacts.
LOPE_API lope_status lope_packed_unpack(const lope_packed *packed, lope_clip **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
