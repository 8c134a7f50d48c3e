// SPDX-License-Identifier: MIT
// Piles of frames on the way to pose groups: cut until narrow, then merged again where the whole stays narrow.
#ifndef LOPE_SRC_PATCHES_BUILD_PILES_H
#define LOPE_SRC_PATCHES_BUILD_PILES_H

#include "patches/build/features.h"

// Frames in piles: pile p holds frames[first[p]] .. frames[first[p + 1] - 1]. The caller owns the arrays.
typedef struct pose_piles {
    int count;
    int32_t *first;  // [count + 1]
    int32_t *frames; // [features->count]
} pose_piles;

// Cuts each of the given piles in two, by 2-means, until no two poses of any are farther apart than `bound`. Cuts are
// independent of one another, so the piles share the threads of `jobs`.
lope_status pose_piles_cut(const pose_features *features, float bound, lope_jobs *jobs, pose_piles *piles,
                           lope_error *error);

// Merges piles whose union is no wider than `bound`, the two with the narrowest union first, as long as there are any.
// Only piles of one and the same class merge; classes rise with the piles.
lope_status pose_piles_merge(const pose_features *features, const int32_t *classes, float bound, lope_jobs *jobs,
                             pose_piles *piles, lope_error *error);

#endif
