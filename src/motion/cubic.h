// SPDX-License-Identifier: MIT
// The cubic through frames that are evenly spaced (Catmull, Rom 1974): between two of them it also looks at one more to
// either side, so that it is smooth at frames, where straight lines have corners.
#ifndef LOPE_SRC_MOTION_CUBIC_H
#define LOPE_SRC_MOTION_CUBIC_H

// Weights of the four frames for the point `t` of the way from the second to the third, 0 to 1. Their sum is 1.
static inline void cubic_weights(float t, float out[4])
{
    float t2 = t * t, t3 = t2 * t;
    out[0] = 0.5f * (2.0f * t2 - t - t3);
    out[1] = 0.5f * (2.0f - 5.0f * t2 + 3.0f * t3);
    out[2] = 0.5f * (t + 4.0f * t2 - 3.0f * t3);
    out[3] = 0.5f * (t3 - t2);
}

// The four frames around the way from `frame` to the next, which is there; at the ends the last one counts twice.
static inline void cubic_frames(int frame, int count, int out[4])
{
    out[0] = frame > 0 ? frame - 1 : 0;
    out[1] = frame;
    out[2] = frame + 1;
    out[3] = frame + 2 < count ? frame + 2 : count - 1;
}

#endif
