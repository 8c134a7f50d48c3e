// SPDX-License-Identifier: MIT
// Packing clips (see lope/packed.h).
#ifndef LOPE_PACKED_BUILD_H
#define LOPE_PACKED_BUILD_H

#include "lope/jobs.h"
#include "lope/packed.h"
#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_pack_def {
    float error; // metres, 1e-5 to 0.1: how far a joint, or a point `shell` from it that turns with it, may be off
    float shell; // metres, 0 to 1: how thick the body is around its bones
} lope_pack_def;

// 0.1 mm at a shell of 3 cm.
LOPE_API lope_pack_def lope_pack_def_default(void);

// Packs a clip. LOPE_UNSUPPORTED where joints move relative to their parents, or turn by nearly half a turn from one
// frame to the next; keep such clips as they are.
LOPE_API lope_status lope_pack(const lope_clip *clip, const lope_pack_def *def, lope_packed **out, lope_error *error);

// Replaces every clip of a set that can be packed by what its packed form shows. From then on files keep the packed
// form of these clips: the set and everything that is built of it. Opening such a file gives the very same clips. Clips
// that cannot be packed stay as they are. `packed` (may be NULL) is how many were packed; `jobs` may be NULL.
LOPE_API lope_status lope_set_pack(lope_set *set, const lope_pack_def *def, lope_jobs *jobs, int *packed,
                                   lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
