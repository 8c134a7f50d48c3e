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

// Where no start leads towards the goal from where the feet stand, a step to either side may get to where one does, or
// small steps that turn it, or the way back.
gait_look gait_look_for(int index)
{
    static const gait_look looks[GAIT_LOOKS] = {{0.6f, 0.35f, 1},  {-0.6f, 0.35f, 1}, {0.0f, 0.15f, 2},
                                                {1.2f, 0.35f, 1},  {-1.2f, 0.35f, 1}, {1.9f, 0.35f, 2},
                                                {-1.9f, 0.35f, 2}, {3.1f, 0.35f, 3}};
    return looks[index];
}

static lope_gait_control around(const lope_gait *gait, lope_gait_control control)
{
    bool goes = gait->held && gait->strikes < gait->look_until;
    bool looks = gait->held && gait->standing && !gait->straight && !gait->stuck;
    if (control.mode == LOPE_GAIT_STAND || (!goes && !looks))
        return control;
    gait_look look = gait_look_for(goes ? gait->looks - 1 : gait->looks);
    control.direction += look.turn;
    control.stride = smaller(control.stride, look.stride);
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
        control.stride = larger(0.25f, 0.5f * left);
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
