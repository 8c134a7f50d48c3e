// SPDX-License-Identifier: MIT
// Standing about, sitting down, sitting, and standing up again. Who rises leans forward first: the seat lets go when
// the centre of mass is above the feet.
#include "base/random.h"
#include "synth/gesture.h"
#include "synth/special.h"

static const float SEAT_Z = SYNTH_SEAT_AT;
static const float BREATH = 4.0f, BREATH_DEPTH = 0.02f;
static const float SIT_PITCH = -0.10f, SIT_SPINE = 0.16f; // trunk of the sitting performer

enum { BOTH_FEET = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT };

// Weight on one leg: the pelvis moves over it and drops a little on the other side; the spine evens that out.
static void shift_weight(synth_gesture *g, float from, float to, float sideways)
{
    float roll = 0.9f * sideways;
    synth_gesture_move(g, SYNTH_SEAT_X, from, to, sideways);
    synth_gesture_move(g, SYNTH_SEAT_Y, from, to,
                       g->channels[SYNTH_SEAT_Y].values[0] - 0.09f * fabsf(roll) - 0.02f * fabsf(sideways));
    synth_gesture_move(g, SYNTH_PELVIS_ROLL, from, to, roll);
    synth_gesture_move(g, SYNTH_SPINE_ROLL, from, to, 1.1f * roll);
    synth_gesture_move(g, SYNTH_PELVIS_YAW, from, to, -1.2f * sideways);
    synth_gesture_move(g, SYNTH_SPINE_YAW, from, to, 1.2f * sideways);
}

static void look(synth_gesture *g, float from, float yaw, float pitch)
{
    synth_gesture_move(g, SYNTH_HEAD_YAW, from, from + 0.6f, yaw);
    synth_gesture_move(g, SYNTH_HEAD_PITCH, from, from + 0.6f, g->take->head_pitch + pitch);
}

SYNTH_GENERATOR(synth_idle)
{
    (void)motion;
    lope_random random = lope_random_seed(take->seed);
    synth_gesture g;
    synth_gesture_begin(&g, body, take, 0.0f, 0.0f);
    g.duration = 3.0f * BREATH;
    g.breath_period = BREATH;
    g.breath_depth = BREATH_DEPTH;
    float first = lope_random_below(&random, 2) == 0 ? 1.0f : -1.0f;
    float late = lope_random_range(&random, 0.0f, 0.6f);
    float wide = lope_random_range(&random, 0.024f, 0.036f);
    shift_weight(&g, 0.6f + late, 2.1f + late, first * wide);
    shift_weight(&g, 5.0f + late, 6.8f + late, -first * wide);
    shift_weight(&g, 9.6f + late, 11.2f + late, 0.0f);
    float glance = lope_random_range(&random, 0.35f, 0.6f);
    look(&g, 2.4f + late, first * glance, 0.03f);
    look(&g, 4.2f + late, 0.1f * first, 0.0f);
    look(&g, 7.3f + late, -0.8f * first * glance, -0.04f);
    look(&g, 8.9f + late, 0.0f, 0.0f);
    synth_gesture_touch(&g, BOTH_FEET, 0.0f, g.duration);
    return synth_gesture_record(&g, out, error);
}

// Where hands are when they hold on: on the thighs, near the knees.
static void place_hands_on_thighs(synth_gesture *g)
{
    for (int side = 0; side < 2; side++) {
        float x = g->channels[synth_sided(SYNTH_BALL_X, (lope_side)side)].values[0];
        synth_gesture_key_side(g, SYNTH_PALM_X, (lope_side)side, 0.0f, 0.95f * x);
    }
    synth_gesture_key(g, SYNTH_PALM_Y, 0.0f, 0.60f);
    synth_gesture_key(g, SYNTH_PALM_Z, 0.0f, -0.15f);
    synth_gesture_key(g, SYNTH_HAND_PITCH, 0.0f, -0.15f);
    synth_gesture_key(g, SYNTH_HAND_YAW, 0.0f, -0.25f);
}

SYNTH_GENERATOR(synth_sit_down)
{
    (void)motion;
    synth_gesture g;
    synth_gesture_begin(&g, body, take, 0.0f, 0.0f);
    g.duration = 2.6f;
    float touch = 1.5f;
    synth_gesture_move(&g, SYNTH_SEAT_Y, 0.2f, touch, SYNTH_CHAIR_HEIGHT);
    synth_gesture_move(&g, SYNTH_SEAT_Z, 0.1f, touch, SEAT_Z);
    synth_gesture_move(&g, SYNTH_PELVIS_PITCH, 0.1f, 1.15f, 0.68f);
    synth_gesture_move(&g, SYNTH_PELVIS_PITCH, 1.3f, 2.5f, SIT_PITCH);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 0.1f, 1.1f, 0.42f + take->lean);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 1.3f, 2.5f, SIT_SPINE + take->lean);
    synth_gesture_move(&g, SYNTH_HEAD_PITCH, 0.1f, 0.9f, 0.35f + take->head_pitch);
    synth_gesture_move(&g, SYNTH_HEAD_PITCH, 1.2f, 2.4f, take->head_pitch);
    synth_gesture_move(&g, SYNTH_ARM_SWING, 0.2f, 1.1f, 0.25f);
    place_hands_on_thighs(&g);
    synth_gesture_move(&g, SYNTH_HAND_HOLD, 0.9f, 2.4f, 1.0f);
    synth_gesture_touch(&g, BOTH_FEET, 0.0f, g.duration);
    synth_gesture_touch(&g, LOPE_CONTACT_SEAT, touch, g.duration);
    return synth_gesture_record(&g, out, error);
}

// Begins in the pose in which synth_sit_down ends.
static void begin_sitting(synth_gesture *g, const synth_body *body, const synth_take *take)
{
    synth_gesture_begin(g, body, take, 0.0f, 0.0f);
    synth_gesture_key(g, SYNTH_SEAT_Y, 0.0f, SYNTH_CHAIR_HEIGHT);
    synth_gesture_key(g, SYNTH_SEAT_Z, 0.0f, SEAT_Z);
    synth_gesture_key(g, SYNTH_PELVIS_PITCH, 0.0f, SIT_PITCH);
    synth_gesture_key(g, SYNTH_SPINE_PITCH, 0.0f, SIT_SPINE + take->lean);
    synth_gesture_key(g, SYNTH_ARM_SWING, 0.0f, 0.25f);
    place_hands_on_thighs(g);
    synth_gesture_key(g, SYNTH_HAND_HOLD, 0.0f, 1.0f);
}

SYNTH_GENERATOR(synth_sit)
{
    (void)motion;
    lope_random random = lope_random_seed(take->seed);
    synth_gesture g;
    begin_sitting(&g, body, take);
    g.duration = 2.0f * BREATH;
    g.breath_period = BREATH;
    g.breath_depth = BREATH_DEPTH;
    float first = lope_random_below(&random, 2) == 0 ? 1.0f : -1.0f;
    float glance = lope_random_range(&random, 0.3f, 0.55f);
    look(&g, 1.0f, first * glance, 0.05f);
    look(&g, 2.9f, -0.5f * first * glance, -0.03f);
    look(&g, 5.4f, 0.0f, 0.0f);
    synth_gesture_move(&g, SYNTH_SPINE_YAW, 1.0f, 2.2f, 0.1f * first);
    synth_gesture_move(&g, SYNTH_SPINE_YAW, 3.0f, 4.4f, -0.05f * first);
    synth_gesture_move(&g, SYNTH_SPINE_YAW, 5.4f, 6.6f, 0.0f);
    float slump = lope_random_range(&random, 0.03f, 0.07f);
    synth_gesture_move(&g, SYNTH_PELVIS_PITCH, 2.6f, 4.0f, SIT_PITCH - slump);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 2.6f, 4.0f, SIT_SPINE + take->lean + 2.0f * slump);
    synth_gesture_move(&g, SYNTH_PELVIS_PITCH, 5.8f, 7.2f, SIT_PITCH);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 5.8f, 7.2f, SIT_SPINE + take->lean);
    synth_gesture_touch(&g, BOTH_FEET | LOPE_CONTACT_SEAT, 0.0f, g.duration);
    return synth_gesture_record(&g, out, error);
}

void synth_gesture_rise(synth_gesture *g, float time, float z)
{
    const synth_take *take = g->take;
    synth_gesture_move(g, SYNTH_PELVIS_PITCH, time, time + 0.95f, 0.76f);
    synth_gesture_move(g, SYNTH_SPINE_PITCH, time, time + 0.85f, 0.50f + take->lean);
    synth_gesture_move(g, SYNTH_HEAD_PITCH, time, time + 0.8f, 0.35f + take->head_pitch);
    synth_gesture_move(g, SYNTH_ARM_SWING, time + 0.1f, time + 0.9f, 0.30f);
    float lift = time + SYNTH_RISE_LIFT;
    synth_gesture_stand_channel(g, SYNTH_SEAT_Z, lift, lift + 1.25f, z, 0.0f);
    synth_gesture_stand_channel(g, SYNTH_SEAT_Y, lift, lift + 1.35f, z, 0.0f);
    synth_gesture_stand(g, time + 1.0f, time + 2.3f, z, 0.0f);
    g->duration = time + 2.4f;
}

SYNTH_GENERATOR(synth_stand_up)
{
    (void)motion;
    synth_gesture g;
    begin_sitting(&g, body, take);
    synth_gesture_move(&g, SYNTH_HAND_HOLD, 0.2f, 1.2f, 0.0f);
    synth_gesture_rise(&g, 0.1f, 0.0f);
    synth_gesture_touch(&g, BOTH_FEET, 0.0f, g.duration);
    synth_gesture_touch(&g, LOPE_CONTACT_SEAT, 0.0f, 0.1f + SYNTH_RISE_LIFT);
    return synth_gesture_record(&g, out, error);
}

static lope_side side_of(int hand)
{
    return hand == 0 ? LOPE_LEFT : LOPE_RIGHT;
}

// A hand leaves its place on the desk, works a little further away, and comes back.
static void reach_aside(synth_gesture *g, lope_side side, float from, float z)
{
    float x = synth_track_last(&g->channels[synth_sided(SYNTH_PALM_X, side)]), out = side == LOPE_LEFT ? 0.14f : -0.14f;
    for (int back = 0; back < 2; back++) {
        float begin = from + 1.3f * (float)back;
        synth_gesture_grasp(g, &(synth_reach){.side = side,
                                              .from = begin,
                                              .to = begin + 0.6f,
                                              .place = lope_v3(back ? x : x + out, SYNTH_DESK_HEIGHT + 0.02f, z),
                                              .lift = 0.04f,
                                              .peak = 0.5f,
                                              .pull = 0.0f});
    }
    unsigned hand = side == LOPE_LEFT ? LOPE_CONTACT_LEFT_HAND : LOPE_CONTACT_RIGHT_HAND;
    synth_gesture_touch(g, hand, from + 0.6f, from + 1.3f);
}

SYNTH_GENERATOR(synth_sit_work)
{
    (void)motion;
    lope_random random = lope_random_seed(take->seed);
    synth_gesture g;
    begin_sitting(&g, body, take);
    g.duration = 2.0f * BREATH;
    g.breath_period = BREATH;
    g.breath_depth = BREATH_DEPTH;
    const float down = 1.2f, up = 6.6f, hands_z = SYNTH_DESK_Z + 0.04f;
    synth_gesture_move(&g, SYNTH_PELVIS_PITCH, 0.1f, down, 0.24f);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 0.1f, down, 0.55f + take->lean);
    synth_gesture_move(&g, SYNTH_HEAD_PITCH, 0.1f, down, 0.30f + take->head_pitch);
    float busy_before = 0.0f;
    for (int i = 0; i < 2; i++) {
        lope_side side = side_of(i);
        float x = side == LOPE_LEFT ? 0.15f : -0.15f, late = 0.1f * (float)i;
        unsigned hand = side == LOPE_LEFT ? LOPE_CONTACT_LEFT_HAND : LOPE_CONTACT_RIGHT_HAND;
        lope_vec3 thigh = {synth_track_last(&g.channels[synth_sided(SYNTH_PALM_X, side)]),
                           synth_track_last(&g.channels[synth_sided(SYNTH_PALM_Y, side)]),
                           synth_track_last(&g.channels[synth_sided(SYNTH_PALM_Z, side)])};
        synth_gesture_grasp(&g, &(synth_reach){.side = side,
                                               .from = 0.2f + late,
                                               .to = down + late,
                                               .place = lope_v3(x, SYNTH_DESK_HEIGHT + 0.02f, hands_z),
                                               .lift = 0.10f,
                                               .peak = 0.4f,
                                               .pull = 0.0f});
        float busy = lope_random_range(&random, 2.0f, 2.6f) + (i == 0 ? 0.0f : 1.9f);
        busy = fmaxf(busy, busy_before + 1.8f); // the head has come back from the other hand
        busy_before = busy;
        synth_gesture_touch(&g, hand, down + late, busy);
        reach_aside(&g, side, busy, hands_z);
        synth_gesture_touch(&g, hand, busy + 1.9f, up + late);
        synth_gesture_grasp(&g, &(synth_reach){.side = side,
                                               .from = up + late,
                                               .to = up + 1.0f + late,
                                               .place = thigh,
                                               .lift = 0.10f,
                                               .peak = 0.6f,
                                               .pull = 0.0f});
        look(&g, busy + 0.1f, side == LOPE_LEFT ? 0.25f : -0.25f, 0.35f);
        look(&g, busy + 1.3f, 0.0f, 0.30f);
    }
    synth_gesture_move(&g, SYNTH_PELVIS_PITCH, up, up + 1.1f, SIT_PITCH);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, up, up + 1.1f, SIT_SPINE + take->lean);
    synth_gesture_move(&g, SYNTH_HEAD_PITCH, up + 0.1f, up + 1.1f, take->head_pitch);
    synth_gesture_touch(&g, BOTH_FEET | LOPE_CONTACT_SEAT, 0.0f, g.duration);
    return synth_gesture_record(&g, out, error);
}

// The free hand comes up from the thigh, speaks with two beats, and goes back.
static void speak_with_hand(synth_gesture *g, lope_side side, float from)
{
    synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, from, from + 0.2f, 2.2f);
    synth_gesture_move_side(g, SYNTH_ARM_SWING, side, from, from + 0.2f, -0.1f);
    synth_gesture_move_side(g, SYNTH_ARM_ABDUCTION, side, from, from + 0.2f, 0.5f);
    synth_gesture_move_side(g, SYNTH_HAND_HOLD, side, from, from + 0.6f, 0.0f);
    for (int beat = 0; beat < 2; beat++) {
        float at = from + 0.8f + 0.7f * (float)beat;
        synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, at, at + 0.3f, 1.7f);
        synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, at + 0.35f, at + 0.65f, 2.0f);
    }
    synth_gesture_move_side(g, SYNTH_HAND_HOLD, side, from + 2.4f, from + 3.1f, 1.0f);
}

SYNTH_GENERATOR(synth_sit_talk)
{
    (void)motion;
    lope_random random = lope_random_seed(take->seed);
    synth_gesture g;
    begin_sitting(&g, body, take);
    g.duration = 2.0f * BREATH;
    g.breath_period = BREATH;
    g.breath_depth = BREATH_DEPTH;
    const float down = 1.2f, up = 6.6f;
    lope_side rests = side_of((int)lope_random_below(&random, 2)), speaks = rests == LOPE_LEFT ? LOPE_RIGHT : LOPE_LEFT;
    float x = rests == LOPE_LEFT ? 0.15f : -0.15f, to_side = rests == LOPE_LEFT ? -1.0f : 1.0f;
    lope_vec3 thigh = {synth_track_last(&g.channels[synth_sided(SYNTH_PALM_X, rests)]),
                       synth_track_last(&g.channels[synth_sided(SYNTH_PALM_Y, rests)]),
                       synth_track_last(&g.channels[synth_sided(SYNTH_PALM_Z, rests)])};
    synth_gesture_move(&g, SYNTH_PELVIS_PITCH, 0.1f, down, 0.22f);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 0.1f, down, 0.48f + take->lean);
    synth_gesture_grasp(&g, &(synth_reach){.side = rests,
                                           .from = 0.2f,
                                           .to = down,
                                           .place = lope_v3(x, SYNTH_DESK_HEIGHT + 0.02f, SYNTH_DESK_Z + 0.04f),
                                           .lift = 0.1f,
                                           .peak = 0.4f,
                                           .pull = 0.0f});
    synth_gesture_touch(&g, rests == LOPE_LEFT ? LOPE_CONTACT_LEFT_HAND : LOPE_CONTACT_RIGHT_HAND, down, up);
    speak_with_hand(&g, speaks, lope_random_range(&random, 1.3f, 1.6f));
    look(&g, 1.4f, 0.3f * to_side, 0.08f); // to whom it talks, with a nod
    look(&g, 2.3f, 0.35f * to_side, 0.2f);
    look(&g, 3.0f, 0.3f * to_side, 0.05f);
    look(&g, 5.2f, 0.0f, 0.12f);
    synth_gesture_grasp(
        &g, &(synth_reach){.side = rests, .from = up, .to = up + 1.0f, .place = thigh, .lift = 0.1f, .peak = 0.6f});
    synth_gesture_move(&g, SYNTH_PELVIS_PITCH, up, up + 1.1f, SIT_PITCH);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, up, up + 1.1f, SIT_SPINE + take->lean);
    look(&g, up, 0.0f, 0.0f);
    // Arms as they are in the pose in which one sits, behind the hold.
    synth_gesture_move_side(&g, SYNTH_ARM_ELBOW, speaks, 5.4f, 6.4f,
                            synth_gesture_stance(&g, SYNTH_ARM_ELBOW, 0.0f, 0.0f));
    synth_gesture_move_side(&g, SYNTH_ARM_SWING, speaks, 5.4f, 6.4f, 0.25f);
    synth_gesture_move_side(&g, SYNTH_ARM_ABDUCTION, speaks, 5.4f, 6.4f,
                            synth_gesture_stance(&g, SYNTH_ARM_ABDUCTION, 0.0f, 0.0f));
    synth_gesture_touch(&g, BOTH_FEET | LOPE_CONTACT_SEAT, 0.0f, g.duration);
    return synth_gesture_record(&g, out, error);
}
