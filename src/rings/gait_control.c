// SPDX-License-Identifier: MIT
// Controls made from goals: a way to follow, a place to go to.
#include "rings/gait.h"

#include <assert.h>

static const float NEAR = 0.35f;    // metres: arrived
static const float SETTLED = 0.49f; // and stays so while it stands: bodies sway as they come to rest

static float heading_to(lope_ground from, lope_vec2 to)
{
    return (float)lope_atan2((double)(to.x - from.x), (double)(to.z - from.z));
}

// Where no start leads towards the goal from where the feet stand, and would not a moment later, a step to either side
// may get to where one does. Once each way: then there is none.
static lope_gait_control around(const lope_gait *gait, lope_gait_control control)
{
    static const float turns[] = {0.6f, -0.6f, 1.2f, -1.2f}; // radians, every other start
    const float stride = 0.35f;
    int turn = gait->refusals / 2 - 1;
    if (!gait->standing || gait->refusals % 2 || turn < 0 || turn >= (int)(sizeof turns / sizeof *turns))
        return control;
    control.direction += turns[turn];
    control.stride = fminf(control.stride, stride);
    return control;
}

static float distance_to(lope_ground from, lope_vec2 to)
{
    float x = to.x - from.x, z = to.z - from.z;
    return sqrtf(x * x + z * z);
}

lope_gait_control lope_gait_go_to(const lope_gait *gait, lope_vec2 place, const lope_gait_control *like)
{
    lope_ground here = lope_gait_ground(gait);
    float left = distance_to(here, place);
    lope_gait_control control = *like;
    control.direction = heading_to(here, place);
    if (left < (lope_gait_state_of(gait).standing ? SETTLED : NEAR))
        control.mode = LOPE_GAIT_STAND;
    else if (left < 2.0f * like->stride) { // the last steps are shorter
        control.stride = fmaxf(0.25f, 0.5f * left);
        control.mode = LOPE_GAIT_WALK;
    }
    return around(gait, control);
}

lope_gait_control lope_gait_follow(const lope_gait *gait, const lope_vec2 *way, int count, int *next, float look_ahead,
                                   const lope_gait_control *like)
{
    assert(gait && way && count > 0 && next);
    lope_ground here = lope_gait_ground(gait);
    while (*next + 1 < count && distance_to(here, way[*next]) < look_ahead)
        ++*next;
    if (*next + 1 >= count)
        return lope_gait_go_to(gait, way[count - 1], like);
    lope_gait_control control = *like;
    control.direction = heading_to(here, way[*next]);
    return around(gait, control);
}
