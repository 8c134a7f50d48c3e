// SPDX-License-Identifier: MIT
// Which frames a view shows.
#ifndef LOPE_SRC_MOTION_SHOWN_SPAN_H
#define LOPE_SRC_MOTION_SHOWN_SPAN_H

#include "motion/pose_kernels.h"
#include "motion/shown.h"

static inline pose_span shown_span(const shown_view *view)
{
    const lope_clip *clip = view->clip;
    size_t joints = (size_t)clip->skeleton->joint_count;
    const lope_quat *a = clip->rotations + (size_t)view->frame * joints;
    const lope_vec3 *root = clip->root + view->frame;
    if (!(view->t > 0.0f))
        return (pose_span){a, a, 0.0f, *root};
    return (pose_span){a, a + joints, view->t, lope_v3_lerp(root[0], root[1], view->t)};
}

#endif
