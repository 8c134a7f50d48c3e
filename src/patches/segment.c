// SPDX-License-Identifier: MIT
#include "patches/segment.h"

#include "lope/ground.h"

segment_cursor lope_segment_begin(const lope_segment *segment)
{
    return (segment_cursor){.at = {segment->start.x, segment->start.z, 0.0f}};
}

void lope_segment_step(const lope_segment *segment, lope_ground first, lope_ground now, lope_ground next,
                       segment_cursor *cursor)
{
    float x = next.x - now.x, z = next.z - now.z, step = sqrtf(x * x + z * z);
    float per_metre = segment->length > 0.0f ? 1.0f / segment->length : 0.0f;
    // The middle of the step decides how far it is turned, so that walking it backwards would be the same.
    double turn = (double)(segment->bend * (cursor->walked + 0.5f * step) * per_metre - first.yaw);
    float s = (float)lope_sin(turn), c = (float)lope_cos(turn);
    cursor->at.x += x * c + z * s + segment->shift.x * step * per_metre;
    cursor->at.z += z * c - x * s + segment->shift.z * step * per_metre;
    cursor->walked += step;
    cursor->at.yaw = lope_wrap_angle(next.yaw - first.yaw + segment->bend * cursor->walked * per_metre);
    cursor->frame++;
}

void lope_segment_advance(const lope_segment *segment, const lope_ground *track, segment_cursor *cursor)
{
    lope_segment_step(segment, track[0], track[cursor->frame], track[cursor->frame + 1], cursor);
}

lope_ground lope_segment_ground(const lope_set *set, const lope_segment *segment, lope_ground gate, int frame)
{
    const lope_clip *clip = set->clips[segment->clip];
    segment_cursor cursor = lope_segment_begin(segment);
    lope_ground first = lope_clip_ground(clip, segment->first), now = first;
    while (cursor.frame < frame) {
        lope_ground next = lope_clip_ground(clip, segment->first + cursor.frame + 1);
        lope_segment_step(segment, first, now, next, &cursor);
        now = next;
    }
    return lope_ground_mul(gate, cursor.at);
}
