// SPDX-License-Identifier: MIT
// Down a slide: squat, hands to the ground behind, sit, push off, ride with the legs ahead, feet to the floor at the
// end, rise. While riding, the seat point runs along the surface and the heels glide ahead of it; nothing else touches.
#include "synth/gesture.h"
#include "synth/special.h"

static const float SIT_Z = -0.36f;                                      // where the seat comes down, standing at 0
static const float BEND_OUT = SYNTH_SLIDE_LENGTH - 0.80f, BEND = 0.60f; // where the last bend begins; their length
static const float DOWN = 2.3f, HANDS_DOWN = 2.2f, RIDE = 2.7f, RIDE_TIME = 3.0f;
static const float STAND_AHEAD = 0.44f; // the stance at the end, ahead of the seat
static const float HEELS_AHEAD = 0.66f, HEEL_CLEARANCE = 0.015f, TOES_UP = 0.95f;

static const lope_vec3 AXIS_X = {1.0f, 0.0f, 0.0f};

enum {
    HANDS = LOPE_CONTACT_LEFT_HAND | LOPE_CONTACT_RIGHT_HAND,
    BOTH_FEET = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT
};

static double ease(double u)
{
    u = fmin(fmax(u, 0.0), 1.0);
    return u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
}

static double descent(double distance)
{
    double in = ease((distance - (double)SYNTH_SLIDE_BEND_IN) / (double)BEND);
    double out = ease((distance - (double)BEND_OUT) / (double)BEND);
    return (double)SYNTH_SLIDE_SLOPE * (in - out);
}

// Simpson's rule over [0, distance].
static void run_along(double distance, double *forward, double *down)
{
    enum { PARTS = 128 };
    double sum_forward = 0.0, sum_down = 0.0;
    for (int i = 0; i <= PARTS; i++) {
        double weight = i == 0 || i == PARTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        double angle = descent(distance * i / PARTS);
        sum_forward += weight * lope_cos(angle);
        sum_down += weight * lope_sin(angle);
    }
    *forward = sum_forward * distance / (3.0 * PARTS);
    *down = sum_down * distance / (3.0 * PARTS);
}

lope_vec3 synth_slide_surface(float distance, float *angle)
{
    double forward, down, end_forward, end_down;
    run_along((double)distance, &forward, &down);
    run_along((double)SYNTH_SLIDE_LENGTH, &end_forward, &end_down);
    *angle = (float)descent((double)distance);
    return lope_v3(0.0f, (float)((double)SYNTH_SLIDE_EXIT + end_down - down), (float)((double)SIT_Z + forward));
}

// How far the seat has come: the speed is proportional to u^3 (1 - u)^2, so that it gains speed for longer than it
// loses it, and starts and ends without a jerk.
static float seat_distance(double time)
{
    double u = fmin(fmax((time - (double)RIDE) / (double)RIDE_TIME, 0.0), 1.0), u4 = u * u * u * u;
    return (float)((double)SYNTH_SLIDE_LENGTH * u4 * (15.0 + u * (-24.0 + 10.0 * u)));
}

typedef struct slide {
    synth_gesture gesture;
    synth_track ahead; // of the heels before the seat point, along the surface
    synth_track ride;  // 1: the feet ride ahead of the seat, 0: they are where the channels say
} slide;

// A foot whose heel glides over the surface `distance` along it.
static lope_transform riding_foot(const synth_body *body, float distance, float x)
{
    float angle;
    lope_vec3 heel = synth_slide_surface(distance, &angle);
    lope_quat slope = lope_quat_axis_angle(AXIS_X, angle);
    lope_quat foot = lope_quat_axis_angle(AXIS_X, angle - TOES_UP);
    heel = lope_v3_add(heel, lope_quat_rotate(slope, lope_v3(x, HEEL_CLEARANCE, 0.0f)));
    lope_vec3 up = lope_quat_rotate(foot, lope_v3(0.0f, body->ankle_height, body->heel_back));
    return (lope_transform){foot, lope_v3_add(heel, up)};
}

static void ride_down(const void *user, const synth_gesture *gesture, double time, synth_frame *frame)
{
    const slide *s = user;
    const synth_body *body = gesture->body;
    if (time < (double)RIDE || time > (double)(RIDE + RIDE_TIME))
        return;
    float distance = seat_distance(time), angle, share = synth_track_at(&s->ride, time);
    lope_vec3 seat = synth_slide_surface(distance, &angle);
    lope_vec3 above = {0.0f, body->seat_below, body->seat_behind};
    frame->pelvis.translation = lope_v3_add(seat, lope_quat_rotate(frame->pelvis.rotation, above));
    for (int side = 0; side < 2; side++) {
        lope_transform *ankle = &frame->feet[side].ankle;
        float x = side == LOPE_LEFT ? body->hip_half_width : -body->hip_half_width;
        lope_transform riding = riding_foot(body, distance + synth_track_at(&s->ahead, time), x);
        ankle->translation = lope_v3_lerp(ankle->translation, riding.translation, share);
        ankle->translation.y += 0.06f * share * (1.0f - share); // toes turn up about the heel, not about the ankle
        ankle->rotation = lope_quat_nlerp(ankle->rotation, riding.rotation, share);
    }
}

// From the stance down to sitting on the ground, the hands behind taking the weight at the end.
static void sit_on_ground(synth_gesture *g, float top)
{
    const synth_take *take = g->take;
    synth_gesture_move(g, SYNTH_SEAT_Y, 0.2f, DOWN, top);
    synth_gesture_move(g, SYNTH_SEAT_Z, 0.1f, DOWN - 0.2f, SIT_Z);
    synth_gesture_move(g, SYNTH_PELVIS_PITCH, 0.1f, 1.1f, 0.65f);
    synth_gesture_move(g, SYNTH_PELVIS_PITCH, 1.1f, DOWN, -0.15f);
    synth_gesture_move(g, SYNTH_SPINE_PITCH, 0.1f, 1.1f, 0.65f + take->lean);
    synth_gesture_move(g, SYNTH_SPINE_PITCH, 1.2f, DOWN + 0.2f, 0.38f + take->lean);
    synth_gesture_move(g, SYNTH_HEAD_PITCH, 0.1f, 1.0f, 0.45f + take->head_pitch);
    synth_gesture_move(g, SYNTH_HEAD_PITCH, 1.4f, DOWN + 0.2f, 0.15f + take->head_pitch);
    synth_gesture_move(g, SYNTH_KNEE_PITCH, 0.3f, 1.6f, 0.6f);
    synth_gesture_move(g, SYNTH_ARM_ELBOW, 0.3f, 1.3f, 0.95f);
    synth_gesture_move(g, SYNTH_ARM_SWING, 0.3f, 1.3f, 0.20f);
    synth_gesture_key_side(g, SYNTH_PALM_X, LOPE_LEFT, 0.0f, 0.32f);
    synth_gesture_key_side(g, SYNTH_PALM_X, LOPE_RIGHT, 0.0f, -0.32f);
    synth_gesture_key(g, SYNTH_PALM_Y, 0.0f, top + 0.06f);
    synth_gesture_key(g, SYNTH_PALM_Z, 0.0f, SIT_Z + 0.02f);
    synth_gesture_key(g, SYNTH_HAND_PITCH, 0.0f, -0.75f);
    synth_gesture_key(g, SYNTH_HAND_YAW, 0.0f, 1.3f);
    synth_gesture_move(g, SYNTH_HAND_HOLD, 1.3f, HANDS_DOWN, 1.0f);
    synth_gesture_touch(g, BOTH_FEET, 0.0f, RIDE);
    synth_gesture_touch(g, HANDS, HANDS_DOWN, RIDE + 0.25f);
}

// Keys of the ride: trunk a little back, hands off the ground, feet to the floor before the seat stops.
static void ride(slide *s, float stand_z)
{
    synth_gesture *g = &s->gesture;
    float end = RIDE + RIDE_TIME, angle, feet_down = end;
    lope_vec3 last = synth_slide_surface(SYNTH_SLIDE_LENGTH, &angle);
    synth_gesture_move(g, SYNTH_SEAT_Y, RIDE, end, last.y);
    synth_gesture_move(g, SYNTH_SEAT_Z, RIDE, end, last.z);
    synth_gesture_move(g, SYNTH_PELVIS_PITCH, RIDE + 0.3f, RIDE + 1.4f, -0.30f);
    synth_gesture_move(g, SYNTH_PELVIS_PITCH, end - 0.9f, end + 0.1f, 0.0f);
    synth_gesture_move(g, SYNTH_KNEE_PITCH, end - 0.7f, end, 0.0f);
    synth_gesture_move(g, SYNTH_HAND_HOLD, RIDE + 0.25f, RIDE + 0.95f, 0.0f);
    synth_gesture_move(g, SYNTH_ARM_SWING, RIDE + 0.1f, RIDE + 1.1f, 0.55f);
    synth_gesture_move(g, SYNTH_ARM_ELBOW, end - 0.6f, end + 0.4f, 0.40f);
    synth_gesture_stand_channel(g, SYNTH_BALL_Y, RIDE + 1.0f, RIDE + 1.6f, stand_z, 0.0f);
    synth_gesture_stand_channel(g, SYNTH_BALL_Z, RIDE + 1.0f, RIDE + 1.6f, stand_z, 0.0f);
    synth_track_key(&s->ride, RIDE, 0.0f);
    synth_track_key(&s->ride, RIDE + 0.9f, 1.0f);
    synth_track_move(&s->ride, end - 0.75f, feet_down, 0.0f);
    synth_track_key(&s->ahead, RIDE, 0.33f);
    synth_track_key(&s->ahead, RIDE + 1.1f, HEELS_AHEAD);
    synth_gesture_touch(g, LOPE_CONTACT_SEAT, DOWN, end + 0.1f + SYNTH_RISE_LIFT);
    synth_gesture_rise(g, end + 0.1f, stand_z);
    synth_gesture_touch(g, BOTH_FEET, feet_down, g->duration);
}

SYNTH_GENERATOR(synth_slide)
{
    (void)motion;
    slide s = {.ride = {0}};
    synth_gesture *g = &s.gesture;
    float angle;
    float top = synth_slide_surface(0.0f, &angle).y;
    synth_gesture_begin(g, body, take, 0.0f, top);
    g->elbow = lope_v3(0.5f, 0.1f, -0.85f);
    g->adjust = ride_down;
    g->user = &s;
    sit_on_ground(g, top);
    ride(&s, synth_slide_surface(SYNTH_SLIDE_LENGTH, &angle).z + STAND_AHEAD);
    return synth_gesture_record(g, out, error);
}
