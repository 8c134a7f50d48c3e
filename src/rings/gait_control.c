// SPDX-License-Identifier: MIT
// Controls made from goals: a way to follow, a place to go to, the aim of a controller.
#include "rings/gait.h"

#include <assert.h>
#include <string.h>

static const float NEAR = 0.35f;     // metres: arrived
static const float SHORTEST = 0.15f; // metres: no step is wanted shorter than this, but by the stick
static const float SETTLED = 0.49f;  // and stays so while it stands: bodies sway as they come to rest

static float heading_to(lope_ground from, lope_vec2 to)
{
    return (float)lope_atan2((double)(to.x - from.x), (double)(to.z - from.z));
}

// Where no start leads towards the goal from where the feet stand, a step to either side may get to where one does, or
// small steps that turn it, or the way back, straight and then farther to either side.
gait_look gait_look_for(int index)
{
    static const gait_look looks[GAIT_LOOKS] = {
        {0.6f, 0.35f, 1}, {-0.6f, 0.35f, 1}, {0.0f, 0.15f, 2}, {1.2f, 0.35f, 1}, {-1.2f, 0.35f, 1},
        {1.9f, 0.35f, 2}, {-1.9f, 0.35f, 2}, {3.1f, 0.35f, 3}, {2.5f, 0.35f, 4}, {-2.5f, 0.35f, 4}};
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

// Share of the stride that is left behind a character in the way, in eighths: another step is looked for whenever the
// stride changes.
static float behind_others(const lope_gait *gait, float direction)
{
    const float begins = 0.8f, ends = 0.1f, least = 0.35f; // metres, metres; a share
    lope_vec3 here = lope_v3(gait->pose.root.x, gait->origin.y, gait->pose.root.z);
    float x = (float)lope_sin((double)direction), z = (float)lope_cos((double)direction), share = 1.0f;
    for (int i = 0; i < gait->disc_count; i++) {
        const lope_gait_disc *disc = &gait->discs[i];
        lope_vec3 to = lope_v3_sub(disc->centre, here);
        float ahead = to.x * x + to.z * z, aside = fabsf(to.x * z - to.z * x);
        if (ahead > 0.0f && aside < disc->radius + 0.25f)
            share = smaller(share, (gait_disc_gap(disc, here, 0.3f) - ends) / (begins - ends));
    }
    return larger(least, 0.125f * (float)(int)(8.0f * larger(share, 0.0f)));
}

// Right after it was entered in motion it does not slow down.
static bool hurries(const lope_gait *gait)
{
    return gait->strikes < gait->hurry_until;
}

// Somebody who has to turn far takes small steps until that is done, rather than long ones that lead astray; on the
// move only those who have to turn by more than a right angle do.
static lope_gait_control with_care(const lope_gait *gait, lope_gait_control control)
{
    const float free = 0.5f, round = 0.7f, moving = 0.75f, least = 0.28f; // radians; shares of the stride
    float off = fabsf(lope_wrap_angle(control.direction - lope_gait_ground(gait).yaw));
    float first = larger(0.0f, smaller((off - free) / round, 1.0f));
    float second = larger(0.0f, smaller((off - free - round) / round, 1.0f));
    float share = gait->standing || (gait->way_count && !hurries(gait))
                      ? 1.0f - (1.0f - least) * first
                      : 1.0f - (1.0f - moving) * first - (moving - least) * second;
    if (control.mode == LOPE_GAIT_WALK)
        control.stride =
            larger(smaller(control.stride, SHORTEST), control.stride * share * behind_others(gait, control.direction));
    return control;
}

static float distance_to(lope_ground from, lope_vec2 to)
{
    float x = to.x - from.x, z = to.z - from.z;
    return sqrtf(x * x + z * z);
}

// Goes to a place until it is within `near` metres of it.
static lope_gait_control go_near(const lope_gait *gait, lope_vec2 place, const lope_gait_control *like, float near)
{
    lope_ground here = lope_gait_ground(gait);
    float left = distance_to(here, place);
    lope_gait_control control = *like;
    control.direction = heading_to(here, place);
    if (left < near + (gait->standing ? SETTLED - NEAR : 0.0f))
        control.mode = LOPE_GAIT_STAND;
    else if (left < 2.0f * like->stride) { // the last steps are shorter
        control.stride = larger(0.25f, 0.5f * left);
        control.mode = like->mode >= LOPE_GAIT_OWN ? like->mode : LOPE_GAIT_WALK;
    }
    return around(gait, control);
}

lope_gait_control lope_gait_go_to(const lope_gait *gait, lope_vec2 place, const lope_gait_control *like)
{
    return go_near(gait, place, like, NEAR);
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

static const float LOOK_AHEAD = 0.8f; // metres along a way
static const float SHARP = 0.7f;      // radians: corners that it does not cut
static const float CLOSE = 0.2f;      // metres from the end of a way: arrived
static const float SMALL = 0.28f;     // of a stride: a small step
static const float RUNS = 2.0f;       // metres per second from which on it runs

// How far along the line from a to b the place next to p is, in metres, and how long the line is.
static float along(lope_vec3 a, lope_vec3 b, lope_ground p, float *length)
{
    float x = b.x - a.x, z = b.z - a.z;
    *length = sqrtf(x * x + z * z);
    return *length > 1e-6f ? ((p.x - a.x) * x + (p.z - a.z) * z) / *length : *length;
}

static float heading_of(lope_vec3 from, lope_vec3 to)
{
    return (float)lope_atan2((double)(to.x - from.x), (double)(to.z - from.z));
}

// The place on a way that lies `ahead` metres after the one next to the body, which is on its way to corner `next`; not
// behind a sharp corner, because the straight line there may lead through a wall.
static lope_vec2 ahead_on(const lope_vec3 *way, int count, int next, lope_ground here, float ahead)
{
    if (next == 0)
        return (lope_vec2){way[0].x, way[0].z};
    float length, at = larger(0.0f, along(way[next - 1], way[next], here, &length)) + ahead;
    float heading = heading_of(way[next - 1], way[next]);
    while (at > length && next + 1 < count) {
        float x = way[next + 1].x - way[next].x, z = way[next + 1].z - way[next].z, longer = sqrtf(x * x + z * z);
        float turn = lope_wrap_angle(heading_of(way[next], way[next + 1]) - heading);
        if (longer > 1e-6f && fabsf(turn) > SHARP)
            break;
        at -= length;
        length = longer;
        next++;
    }
    float share = length > 1e-6f ? smaller(at / length, 1.0f) : 1.0f;
    lope_vec3 a = way[next - 1], b = way[next];
    return (lope_vec2){a.x + share * (b.x - a.x), a.z + share * (b.z - a.z)};
}

static lope_vec2 in_plan(lope_vec3 place)
{
    return (lope_vec2){place.x, place.z};
}

// Along the way of a carrier, close to its lines: it heads for a place that lies a little ahead on them.
static lope_gait_control along_way(lope_gait_carrier *carrier, const lope_gait_control *like)
{
    lope_gait *gait = carrier->gait;
    const lope_vec3 *way = carrier->way;
    lope_ground here = lope_gait_ground(gait);
    int *next = &carrier->way_next, count = carrier->way_count;
    float length;
    while (*next + 1 < count && (distance_to(here, in_plan(way[*next])) < (*next ? NEAR : LOOK_AHEAD) ||
                                 (*next && along(way[*next - 1], way[*next], here, &length) >= length)))
        ++*next;
    if (*next + 1 >= count && (count == 1 || distance_to(here, in_plan(way[count - 1])) < LOOK_AHEAD))
        return go_near(gait, in_plan(way[count - 1]), like, CLOSE);
    lope_gait_control control = *like;
    for (int i = 0; i < GAIT_WAY; i++)
        gait->way[i] = ahead_on(way, count, *next, here, LOOK_AHEAD * (float)(i + 1) / GAIT_WAY);
    gait->way_count = GAIT_WAY;
    control.direction = heading_to(here, gait->way[GAIT_WAY - 1]);
    float near = distance_to(here, gait->way[GAIT_WAY - 1]) / (LOOK_AHEAD + 0.1f);
    if (control.mode == LOPE_GAIT_WALK && !hurries(gait)) // small steps towards a sharp corner
        control.stride *= larger(SMALL, smaller(near * near, 1.0f));
    return around(gait, control);
}

// Whether it is to stand somewhere and to face a way, exactly.
static bool arrives(const lope_gait_carrier *carrier)
{
    const lope_aim *aim = &carrier->aim;
    return carrier->aimed && aim->stop && isfinite(aim->facing) && aim->way.x == 0.0f && aim->way.z == 0.0f;
}

static lope_gait_control wanted_by(lope_gait_carrier *carrier)
{
    const lope_gait *gait = carrier->gait;
    const lope_aim *aim = &carrier->aim;
    lope_gait_control control = carrier->like;
    lope_vec2 place = {aim->place.x, aim->place.z};
    carrier->gait->arrives = arrives(carrier);
    if (!carrier->aimed)
        return (lope_gait_control){.mode = LOPE_GAIT_STAND};
    if (aim->speed > 0.0f) { // a cycle has two steps
        control.mode = aim->speed > RUNS ? LOPE_GAIT_RUN : LOPE_GAIT_WALK;
        int ring = lope_rings_find(gait->rings, control.mode == LOPE_GAIT_RUN ? LOPE_RING_RUN : LOPE_RING_WALK);
        if (ring >= 0)
            control.stride = 0.5f * aim->speed * gait->rings->rings[ring].head->seconds;
    }
    bool steered = aim->way.x != 0.0f || aim->way.z != 0.0f;
    carrier->gait->way_count = 0;
    if (arrives(carrier))
        return around(gait, gait_arrive(carrier->gait, (lope_ground){place.x, place.z, aim->facing}, &control));
    if (!steered && carrier->way_count > 0)
        return along_way(carrier, &control);
    if (!steered && aim->stop)
        return lope_gait_go_to(gait, place, &control);
    control.direction =
        steered ? heading_to((lope_ground){0.0f, 0.0f, 0.0f}, aim->way) : heading_to(lope_gait_ground(gait), place);
    return around(gait, control);
}

static lope_gait_control control_of(lope_gait_carrier *carrier)
{
    lope_gait_control control = wanted_by(carrier);
    return arrives(carrier) ? control : with_care(carrier->gait, control);
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
    lope_gait_carrier *carrier = self;
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
