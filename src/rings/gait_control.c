// SPDX-License-Identifier: MIT
// Controls made from goals: a way to follow, a place to go to, the aim of a controller.
#include "rings/gait.h"

#include <assert.h>
#include <string.h>

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

// ---- as a controller

static const float RUNS = 2.0f; // metres per second from which on it runs

static lope_gait_control control_of(const lope_gait_carrier *carrier)
{
    const lope_gait *gait = carrier->gait;
    const lope_aim *aim = &carrier->aim;
    lope_gait_control control = carrier->like;
    lope_vec2 place = {aim->place.x, aim->place.z};
    if (!carrier->aimed)
        return (lope_gait_control){.mode = LOPE_GAIT_STAND};
    if (aim->speed > 0.0f) { // a cycle has two steps
        control.mode = aim->speed > RUNS ? LOPE_GAIT_RUN : LOPE_GAIT_WALK;
        int ring = lope_rings_find(gait->rings, control.mode == LOPE_GAIT_RUN ? LOPE_RING_RUN : LOPE_RING_WALK);
        if (ring >= 0)
            control.stride = 0.5f * aim->speed * gait->rings->rings[ring].head->seconds;
    }
    bool steered = aim->way.x != 0.0f || aim->way.z != 0.0f;
    if (!steered && aim->stop)
        return lope_gait_go_to(gait, place, &control);
    control.direction =
        steered ? heading_to((lope_ground){0.0f, 0.0f, 0.0f}, aim->way) : heading_to(lope_gait_ground(gait), place);
    return around(gait, control);
}

static void carrier_aim(void *self, const lope_aim *aim)
{
    lope_gait_carrier *carrier = self;
    carrier->aimed = aim;
    if (aim)
        carrier->aim = *aim;
}

static float carrier_fit(void *self, const lope_moment *moment, const lope_aim *aim)
{
    const lope_gait_carrier *carrier = self;
    (void)aim;
    return lope_gait_fit(carrier->gait, carrier->terrain, moment);
}

static lope_status carrier_enter(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    const lope_gait_carrier *carrier = self;
    carrier_aim(self, aim);
    return lope_gait_enter(carrier->gait, carrier->terrain, moment, error);
}

static void carrier_advance(void *self, float dt)
{
    const lope_gait_carrier *carrier = self;
    lope_gait_control control = control_of(carrier);
    lope_gait_step(carrier->gait, carrier->terrain, &control, dt);
}

static void carrier_moment(void *self, lope_moment *out)
{
    const lope_gait *gait = ((const lope_gait_carrier *)self)->gait;
    const lope_skeleton *skeleton = gait->rings->skeleton;
    out->now.root = gait->pose.root;
    memcpy(out->now.rotations, gait->rotations, (size_t)skeleton->joint_count * sizeof *gait->rotations);
    for (int j = 1; out->now.translations && j < skeleton->joint_count; j++)
        out->now.translations[j] = skeleton->rest[j].translation;
    if (out->now.translations)
        out->now.translations[0] = gait->pose.root;
    out->contacts = gait->contacts;
    out->height = gait->origin.y;
}

static bool carrier_may_leave(const void *self)
{
    return lope_gait_may_leave(((const lope_gait_carrier *)self)->gait);
}

const lope_controller *lope_gait_controller(void)
{
    static const lope_controller controller = {"gait",          carrier_fit,    carrier_enter,    carrier_aim,
                                               carrier_advance, carrier_moment, carrier_may_leave};
    return &controller;
}
