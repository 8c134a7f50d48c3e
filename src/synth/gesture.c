// SPDX-License-Identifier: MIT
// Gestures: keys on channels become frames. Arms hang from the shoulders by gravity; where a hand holds on, the place
// it would hang at is blended into the place it holds, so that reaching out and letting go are smooth.
#include "synth/gesture.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

static const lope_vec3 AXIS_X = {1.0f, 0.0f, 0.0f}, AXIS_Y = {0.0f, 1.0f, 0.0f}, AXIS_Z = {0.0f, 0.0f, 1.0f};
static const float WORST_MISS = 0.001f; // metres a hand or foot may be missed by before it shows

static float side_sign(int side)
{
    return side == LOPE_LEFT ? 1.0f : -1.0f;
}

void synth_gesture_key_side(synth_gesture *gesture, int channel, lope_side side, float time, float value)
{
    synth_track_key(&gesture->channels[synth_sided(channel, side)], time, value);
}

void synth_gesture_move_side(synth_gesture *gesture, int channel, lope_side side, float from, float to, float value)
{
    synth_track_move(&gesture->channels[synth_sided(channel, side)], from, to, value);
}

void synth_gesture_key(synth_gesture *gesture, int channel, float time, float value)
{
    synth_track_key(&gesture->channels[channel], time, value);
    if (channel >= SYNTH_SIDED)
        synth_gesture_key_side(gesture, channel, LOPE_RIGHT, time, value);
}

void synth_gesture_move(synth_gesture *gesture, int channel, float from, float to, float value)
{
    synth_track_move(&gesture->channels[channel], from, to, value);
    if (channel >= SYNTH_SIDED)
        synth_gesture_move_side(gesture, channel, LOPE_RIGHT, from, to, value);
}

void synth_gesture_touch(synth_gesture *gesture, unsigned mask, float from, float to)
{
    assert(gesture->contact_count < SYNTH_GESTURE_CONTACTS);
    gesture->contacts[gesture->contact_count++] = (synth_contact_span){(uint16_t)mask, from, to};
}

// The channels' values in the neutral stance.
static void stance_values(const synth_body *body, const synth_take *take, float z, float floor, float *values)
{
    synth_frame stance;
    synth_stance(body, take, (lope_ground){0.0f, z, 0.0f}, floor, &stance);
    memset(values, 0, SYNTH_CHANNEL_COUNT * sizeof *values);
    values[SYNTH_SEAT_X] = stance.pelvis.translation.x;
    values[SYNTH_SEAT_Y] = stance.pelvis.translation.y - body->seat_below;
    values[SYNTH_SEAT_Z] = stance.pelvis.translation.z - body->seat_behind;
    values[SYNTH_SPINE_PITCH] = stance.spine_pitch;
    values[SYNTH_HEAD_PITCH] = take->head_pitch;
    for (int side = 0; side < 2; side++) {
        float *v = values + synth_sided(SYNTH_SIDED, (lope_side)side) - SYNTH_SIDED;
        lope_vec3 ball = {0.0f, -body->ankle_height, body->ball_forward};
        ball = lope_transform_point(stance.feet[side].ankle, ball);
        v[SYNTH_BALL_X] = ball.x;
        v[SYNTH_BALL_Y] = floor;
        v[SYNTH_BALL_Z] = ball.z;
        v[SYNTH_FOOT_YAW] = v[SYNTH_KNEE_YAW] = synth_stance_toe_out(take);
        v[SYNTH_ARM_SWING] = stance.arms[side].swing;
        v[SYNTH_ARM_ABDUCTION] = stance.arms[side].abduction;
        v[SYNTH_ARM_ELBOW] = stance.arms[side].elbow;
    }
}

void synth_gesture_begin(synth_gesture *gesture, const synth_body *body, const synth_take *take, float z, float floor)
{
    *gesture = (synth_gesture){.body = body, .take = take, .elbow = {0.35f, -0.6f, -0.7f}};
    float values[SYNTH_CHANNEL_COUNT];
    stance_values(body, take, z, floor, values);
    for (int c = 0; c < SYNTH_CHANNEL_COUNT; c++)
        synth_track_key(&gesture->channels[c], 0.0f, values[c]);
}

static bool is_palm(int channel)
{
    int sided = channel < SYNTH_SIDED_END ? channel : channel - (SYNTH_SIDED_END - SYNTH_SIDED);
    return sided >= SYNTH_PALM_X && sided <= SYNTH_HAND_ROLL;
}

void synth_gesture_stand(synth_gesture *gesture, float from, float to, float z, float floor)
{
    float values[SYNTH_CHANNEL_COUNT];
    stance_values(gesture->body, gesture->take, z, floor, values);
    for (int c = 0; c < SYNTH_CHANNEL_COUNT; c++)
        // Where a hand held on means nothing once it has let go.
        if (!is_palm(c) && synth_track_last(&gesture->channels[c]) != values[c])
            synth_track_move(&gesture->channels[c], from, to, values[c]);
}

float synth_gesture_stance(const synth_gesture *gesture, int channel, float z, float floor)
{
    float values[SYNTH_CHANNEL_COUNT];
    stance_values(gesture->body, gesture->take, z, floor, values);
    return values[channel];
}

void synth_gesture_stand_channel(synth_gesture *gesture, int channel, float from, float to, float z, float floor)
{
    synth_track_move(&gesture->channels[channel], from, to, synth_gesture_stance(gesture, channel, z, floor));
    if (channel < SYNTH_SIDED)
        return;
    int other = synth_sided(channel, LOPE_RIGHT);
    synth_track_move(&gesture->channels[other], from, to, synth_gesture_stance(gesture, other, z, floor));
}

// Moves a point's three channels over an arc.
static void move_point(synth_gesture *gesture, int channel, const synth_reach *reach)
{
    float half = 0.5f * (reach->from + reach->to), peak = reach->from + reach->peak * (reach->to - reach->from);
    const float place[3] = {reach->place.x, reach->place.y, reach->place.z};
    for (int axis = 0; axis < 3; axis++) {
        synth_track *track = &gesture->channels[synth_sided(channel + axis, reach->side)];
        float before = synth_track_last(track);
        synth_track_key(track, reach->from, before);
        if (axis == 1 && reach->lift > 0.0f)
            synth_track_key(track, peak, fmaxf(before, place[1]) + reach->lift);
        if (axis == 2 && reach->pull > 0.0f)
            synth_track_key(track, half, fminf(before, place[2]) - reach->pull);
        synth_track_key(track, reach->to, place[axis]);
    }
}

void synth_gesture_step(synth_gesture *gesture, const synth_reach *step)
{
    move_point(gesture, SYNTH_BALL_X, step);
}

void synth_gesture_grasp(synth_gesture *gesture, const synth_reach *reach)
{
    move_point(gesture, SYNTH_PALM_X, reach);
}

// Reads one sided channel.
static float sided_at(const synth_gesture *gesture, int channel, int side, double time)
{
    return synth_track_at(&gesture->channels[synth_sided(channel, (lope_side)side)], time);
}

static void place_pelvis(const synth_gesture *g, double time, synth_frame *out)
{
    lope_quat yaw = lope_quat_yaw(synth_track_at(&g->channels[SYNTH_PELVIS_YAW], time));
    lope_quat roll = lope_quat_axis_angle(AXIS_Z, synth_track_at(&g->channels[SYNTH_PELVIS_ROLL], time));
    lope_quat pitch = lope_quat_axis_angle(AXIS_X, synth_track_at(&g->channels[SYNTH_PELVIS_PITCH], time));
    out->pelvis.rotation = lope_quat_mul(yaw, lope_quat_mul(roll, pitch));
    lope_vec3 seat = {synth_track_at(&g->channels[SYNTH_SEAT_X], time),
                      synth_track_at(&g->channels[SYNTH_SEAT_Y], time),
                      synth_track_at(&g->channels[SYNTH_SEAT_Z], time)};
    lope_vec3 above = {0.0f, g->body->seat_below, g->body->seat_behind};
    out->pelvis.translation = lope_v3_add(seat, lope_quat_rotate(out->pelvis.rotation, above));
}

static void place_trunk(const synth_gesture *g, double time, synth_frame *out)
{
    out->spine_pitch = synth_track_at(&g->channels[SYNTH_SPINE_PITCH], time);
    out->spine_yaw = synth_track_at(&g->channels[SYNTH_SPINE_YAW], time);
    out->spine_roll = synth_track_at(&g->channels[SYNTH_SPINE_ROLL], time);
    lope_quat yaw = lope_quat_yaw(synth_track_at(&g->channels[SYNTH_HEAD_YAW], time));
    lope_quat pitch = lope_quat_axis_angle(AXIS_X, synth_track_at(&g->channels[SYNTH_HEAD_PITCH], time));
    out->head = lope_quat_mul(yaw, pitch);
}

static void place_foot(const synth_gesture *g, int side, double time, synth_foot *out)
{
    float sign = side_sign(side);
    lope_quat yaw = lope_quat_yaw(sign * sided_at(g, SYNTH_FOOT_YAW, side, time));
    lope_quat pitch = lope_quat_axis_angle(AXIS_X, sided_at(g, SYNTH_HEEL_UP, side, time));
    out->ankle.rotation = lope_quat_mul(yaw, pitch);
    lope_vec3 ball = {sided_at(g, SYNTH_BALL_X, side, time), sided_at(g, SYNTH_BALL_Y, side, time),
                      sided_at(g, SYNTH_BALL_Z, side, time)};
    lope_vec3 to_ankle = {0.0f, g->body->ankle_height, -g->body->ball_forward};
    out->ankle.translation = lope_v3_add(ball, lope_quat_rotate(out->ankle.rotation, to_ankle));
    out->toe_bend = sided_at(g, SYNTH_TOE_BEND, side, time);
    lope_quat knee_yaw = lope_quat_yaw(sign * sided_at(g, SYNTH_KNEE_YAW, side, time));
    lope_quat knee_pitch = lope_quat_axis_angle(AXIS_X, -sided_at(g, SYNTH_KNEE_PITCH, side, time));
    out->knee_towards = lope_quat_rotate(lope_quat_mul(knee_yaw, knee_pitch), AXIS_Z);
}

static void hang_arm(const synth_gesture *g, int side, double time, const synth_frame *frame, synth_arm *out)
{
    // A leaning trunk does not carry the arms along: they keep hanging down, all but a little.
    float lean = synth_track_at(&g->channels[SYNTH_PELVIS_PITCH], time) + frame->spine_pitch - g->take->lean;
    *out = (synth_arm){.swing = sided_at(g, SYNTH_ARM_SWING, side, time) + 0.9f * lean,
                       .abduction = sided_at(g, SYNTH_ARM_ABDUCTION, side, time),
                       .elbow = sided_at(g, SYNTH_ARM_ELBOW, side, time)};
}

static void breathe(const synth_gesture *g, double time, synth_frame *out)
{
    if (g->breath_period <= 0.0f)
        return;
    float depth = (float)(0.5 - 0.5 * lope_cos(2.0 * LOPE_PI * time / (double)g->breath_period)) * g->breath_depth;
    out->spine_pitch -= depth;
    for (int side = 0; side < 2; side++)
        out->arms[side].abduction += 0.7f * depth;
}

static float smooth_step(float u)
{
    u = fminf(fmaxf(u, 0.0f), 1.0f);
    return u * u * u * (10.0f + u * (-15.0f + 6.0f * u));
}

// A hand on its way to a hold, or back, stays a little nearer to the shoulder than the arm reaches. At both ends of the
// way (`hold` near 0 or 1) it is where it should be, whatever the distance.
static lope_vec3 within_reach(const synth_body *body, lope_vec3 shoulder, lope_vec3 wrist, float hold)
{
    float arm = body->upper_arm + body->forearm, near = 0.90f * arm, margin = 0.08f * arm;
    lope_vec3 to_wrist = lope_v3_sub(wrist, shoulder);
    float distance = lope_v3_length(to_wrist);
    if (distance <= near)
        return wrist;
    float soft = near + margin * (1.0f - (float)lope_exp(-(double)((distance - near) / margin)));
    float share = smooth_step(hold / 0.2f) * smooth_step((1.0f - hold) / 0.2f);
    return lope_v3_lerp(wrist, lope_v3_mad(shoulder, to_wrist, soft / distance), share);
}

// Blends the hanging arm (solved in `model`) into the hold.
static void hold_hand(const synth_gesture *g, int side, double time, const lope_transform *model, synth_arm *arm)
{
    float hold = sided_at(g, SYNTH_HAND_HOLD, side, time), sign = side_sign(side);
    if (hold <= 0.0f)
        return;
    int shoulder = side == LOPE_LEFT ? SYNTH_LEFT_SHOULDER : SYNTH_RIGHT_SHOULDER;
    // Fingers forward and palm down is a quarter turn inwards from the T pose.
    lope_quat forward = lope_quat_yaw(sign * (sided_at(g, SYNTH_HAND_YAW, side, time) - (float)(0.5 * LOPE_PI)));
    lope_quat roll = lope_quat_axis_angle(AXIS_X, sided_at(g, SYNTH_HAND_ROLL, side, time));
    lope_quat pitch = lope_quat_axis_angle(AXIS_Z, sign * sided_at(g, SYNTH_HAND_PITCH, side, time));
    lope_quat grip = lope_quat_mul(forward, lope_quat_mul(pitch, roll));
    lope_vec3 palm = {sided_at(g, SYNTH_PALM_X, side, time), sided_at(g, SYNTH_PALM_Y, side, time),
                      sided_at(g, SYNTH_PALM_Z, side, time)};
    lope_vec3 wrist = lope_v3_sub(palm, lope_quat_rotate(grip, lope_v3(sign * g->body->palm, 0.0f, 0.0f)));
    lope_vec3 hanging = model[shoulder + 2].translation;
    lope_vec3 middle = lope_v3_lerp(model[shoulder].translation, hanging, 0.5f);
    lope_vec3 elbow = lope_v3_normalize(lope_v3_sub(model[shoulder + 1].translation, middle), AXIS_Z);
    lope_vec3 out = lope_v3_normalize(lope_v3(sign * g->elbow.x, g->elbow.y, g->elbow.z), AXIS_Y);
    arm->held = true;
    arm->wrist = within_reach(g->body, model[shoulder].translation, lope_v3_lerp(hanging, wrist, hold), hold);
    arm->hand_rotation = lope_quat_nlerp(model[shoulder + 2].rotation, grip, hold);
    arm->elbow_towards = lope_v3_lerp(elbow, out, hold);
}

static uint16_t touches_at(const synth_gesture *g, double time)
{
    unsigned mask = 0;
    for (int i = 0; i < g->contact_count; i++)
        if (time >= (double)g->contacts[i].from && time <= (double)g->contacts[i].to)
            mask |= g->contacts[i].mask;
    return (uint16_t)mask;
}

void synth_gesture_describe(const void *user, double time, synth_frame *out)
{
    const synth_gesture *g = user;
    double nominal = fmin(time * (double)g->take->tempo, (double)g->duration);
    if (g->backwards)
        nominal = (double)g->duration - nominal;
    place_pelvis(g, nominal, out);
    place_trunk(g, nominal, out);
    for (int side = 0; side < 2; side++) {
        place_foot(g, side, nominal, &out->feet[side]);
        hang_arm(g, side, nominal, out, &out->arms[side]);
    }
    breathe(g, nominal, out);
    if (g->adjust)
        g->adjust(g->user, g, nominal, out);
    lope_quat rotations[SYNTH_JOINT_COUNT];
    lope_transform model[SYNTH_JOINT_COUNT];
    lope_pose pose = {.joint_count = SYNTH_JOINT_COUNT, .rotations = rotations};
    synth_body_solve(g->body, out, &pose);
    lope_pose_to_model(g->body->skeleton, &pose, model);
    for (int side = 0; side < 2; side++)
        hold_hand(g, side, nominal, model, &out->arms[side]);
    out->contacts = touches_at(g, nominal);
}

lope_status synth_gesture_record(const synth_gesture *gesture, lope_clip **out, lope_error *error)
{
    const synth_take *take = gesture->take;
    double frames = ceil((double)gesture->duration / (double)take->tempo * take->frame_rate - 1e-4);
    float missed;
    lope_status status = synth_record(gesture->body, take, frames / take->frame_rate, synth_gesture_describe, gesture,
                                      &missed, out, error);
    if (status || missed <= WORST_MISS)
        return status;
    lope_clip_destroy(*out);
    *out = NULL;
    return lope_fail(error, LOPE_BAD_DATA, "%s: a hand or foot is out of reach by %.1f mm", take->name,
                     1000.0 * (double)missed);
}
