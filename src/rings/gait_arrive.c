// SPDX-License-Identifier: MIT
// Arriving exactly at a place, facing a way. A gait comes to a stand by bringing its swinging foot beside the one that
// stands. So that foot has to come down where the feet are to stand: the way that is left is cut into equal strides,
// from strike to strike anew. They lead onto the line through the place along its facing; a body that is beside or
// beyond it goes to a place before it first.
#include "rings/gait.h"

static const float STOOD_ALONG = 0.1f, STOOD_ASIDE = 0.3f, STOOD_TURN = 0.35f; // metres, radians: good enough
static const float LANDED = 0.05f, LANDED_WITHIN = 0.32f; // metres from the standing foot, ahead and in all: the last
static const float CLOSED = 0.6f;                         // how far apart feet stand that came together, of a walk's
static const float SHORTEST = 0.12f;                      // metres of a step
static const float BEFORE = 1.0f;                 // metres before the place that a body beside the line goes to first,
static const float BEFORE_LEAST = 0.5f;           // less where it is nearer already, but for so many,
static const float THERE = 0.25f;                 // until it is so near
static const float NEAR = 0.3f;                   // metres within which it turns on the spot,
static const float MOST_TURN = 0.5f;              // by so many radians with a step,
static const float ON_THE_SPOT = 0.8f;            // and elsewhere where it has to turn by more than this
static const float ASIDE = 0.45f;                 // of what is left that it may be off the line,
static const float ASIDE_LEAST = 0.06f;           // or so many metres more
static const float TURNS = 2.0f;                  // radians that it turns in a metre,
static const float TURNS_LEAST = 0.4f;            // or so many more
static const float ONTO = 0.6f, LAST_ONTO = 0.4f; // radians off the facing that lead onto the line; with the last step
static const float ONTO_WITHIN = 0.3f;            // metres in which they do, at least
static const float SMALL = 0.3f, SHARP = 0.7f;    // metres of steps that turn by more radians than that

// Where a gait is from the place, as its feet are.
typedef struct arrival {
    float along, aside; // metres that are left, ahead and to the left of the facing
    float off;          // radians to turn to the left,
    float course;       // from where it goes now
    float half;         // metres from a foot to the middle of a walk
} arrival;

// The first stance of the rest: how far ahead of the hips the feet stand, and how far from their middle.
static float rest_ahead(const lope_gait *gait, float *half)
{
    const lope_ring *rest = &gait->rings->rings[lope_rings_find(gait->rings, LOPE_RING_REST)];
    float weights[RING_SAMPLES] = {1.0f}, row[RING_WIDTH];
    lope_ring_mix(rest, 0, 0.0f, weights, row);
    *half = 0.5f * fabsf(rest->points[0]);
    return -ring_place(rest, row).z;
}

static arrival see(const lope_gait *gait, lope_ground goal)
{
    const lope_ring *ring = gait_ring(gait);
    arrival a = {.course = gait->yaw + (gait->standing ? 0.0f : ring_bias(ring, gait->track, gait->step.from))};
    a.off = lope_wrap_angle(goal.yaw - a.course);
    double yaw = (double)(fabsf(a.off) < MOST_TURN ? goal.yaw : a.course);
    float ahead = rest_ahead(gait, &a.half), sine = (float)lope_sin((double)goal.yaw),
          cosine = (float)lope_cos((double)goal.yaw);
    lope_vec3 middle = lope_v3_lerp(gait->feet[0].anchor, gait->feet[1].anchor, 0.5f);
    if (!gait->standing) {
        float in = gait->track == LOPE_LEFT ? -a.half : a.half;
        middle = lope_v3(gait->origin.x + in * (float)lope_cos(yaw), 0.0f, gait->origin.z - in * (float)lope_sin(yaw));
    }
    float x = goal.x + ahead * sine - middle.x, z = goal.z + ahead * cosine - middle.z;
    a.along = x * sine + z * cosine;
    a.aside = x * cosine - z * sine;
    return a;
}

static bool is_there(const lope_gait *gait, const arrival *a)
{
    bool faces = fabsf(a->off) < (gait->standing ? STOOD_TURN : MOST_TURN);
    if (gait->standing)
        return faces && fabsf(a->along) < STOOD_ALONG && fabsf(a->aside) < STOOD_ASIDE;
    return faces && a->along < LANDED && a->along * a->along + a->aside * a->aside < LANDED_WITHIN * LANDED_WITHIN;
}

static bool may_go_straight(const arrival *a)
{
    return a->along > LANDED && fabsf(a->aside) < ASIDE * a->along + ASIDE_LEAST &&
           fabsf(a->off) < TURNS_LEAST + TURNS * a->along;
}

// Equal strides to where the last one ends at the place.
static void go_straight(const lope_gait *gait, lope_ground goal, const arrival *a, lope_gait_control *out)
{
    int steps = 1 + (int)(a->along / larger(out->stride, SHORTEST) - 0.03f);
    int last = steps % 2 ? 1 - gait->track : gait->track; // the foot that stands when the other comes beside it
    float in = gait->standing ? 0.0f : (1.0f - CLOSED) * a->half, aside = a->aside + (last == LOPE_LEFT ? -in : in);
    float onto = (float)lope_atan2((double)aside, (double)larger(steps > 1 ? 0.5f * a->along : a->along, ONTO_WITHIN));
    float most = steps > 1 ? ONTO : LAST_ONTO;
    out->direction = lope_wrap_angle(goal.yaw + larger(-most, smaller(onto, most)));
    out->stride = larger(a->along / (float)steps, SHORTEST);
    if (fabsf(lope_wrap_angle(out->direction - a->course)) > SHARP)
        out->stride = smaller(out->stride, SMALL);
}

// To a place before it. Far turns are made with steps on the spot.
static void go_before(lope_ground goal, const arrival *a, lope_gait_control *out)
{
    float along = a->along - larger(BEFORE_LEAST, smaller(a->along, BEFORE)),
          far = sqrtf(along * along + a->aside * a->aside);
    float turn = far > THERE ? (float)lope_atan2((double)a->aside, (double)along) : 0.0f;
    float off = lope_wrap_angle(goal.yaw + turn - a->course);
    out->stride = fabsf(off) > ON_THE_SPOT ? 0.0f : smaller(out->stride, larger(far, 0.2f));
    out->direction = lope_wrap_angle(a->course + larger(-MOST_TURN, smaller(off, MOST_TURN)));
}

static bool is_near(const arrival *a)
{
    return fabsf(a->along) < NEAR && fabsf(a->aside) < NEAR;
}

lope_gait_control gait_arrive(lope_gait *gait, lope_ground goal, const lope_gait_control *like)
{
    lope_gait_control control = *like;
    arrival a = see(gait, goal);
    gait->way[0] = (lope_vec2){goal.x, goal.z}; // may be close to a wall
    gait->way_count = 1;
    control.mode = LOPE_GAIT_WALK;
    control.direction = lope_wrap_angle(a.course + larger(-MOST_TURN, smaller(a.off, MOST_TURN)));
    if (is_there(gait, &a))
        control.mode = LOPE_GAIT_STAND;
    else if (is_near(&a) && a.along < LANDED)
        control.stride = 0.0f; // turns on the spot
    else if (may_go_straight(&a))
        go_straight(gait, goal, &a, &control);
    else
        go_before(goal, &a, &control);
    return control;
}
