// SPDX-License-Identifier: MIT
// Climbing a ladder: every step takes one foot two rungs up and, a little later, the hand of the other side. The climb
// is slow enough to be played backwards: that is how one comes down, facing the ladder.
#include "synth/gesture.h"
#include "synth/special.h"

static const float STEP_TIME = 0.85f, FIRST_STEP = 0.95f;
static const float BALL_X = 0.12f, PALM_X = 0.19f;
static const float HIPS_BACK = 0.45f;    // hips from the ladder while climbing: knees stay off it
static const float PELVIS_ABOVE = 0.88f; // the rung of the lower foot
static const float TOP_Z = SYNTH_PLATFORM_Z + 0.10f;
static const float TOP_Y = SYNTH_RUNG_PITCH * (float)SYNTH_RUNG_COUNT;
static const float LOWEST_GRIP = 0.12f, HIGHEST_GRIP = 0.72f; // on the rails above the platform
static const float WIDE_KNEES = 0.5f, NARROW_KNEES = 0.2f;    // on the rungs, and at the top: between its rails
static const float PITCH = 0.03f;                             // of the pelvis while climbing

static float side_sign(lope_side side)
{
    return side == LOPE_LEFT ? 1.0f : -1.0f;
}

static unsigned hand_bit(lope_side side)
{
    return side == LOPE_LEFT ? LOPE_CONTACT_LEFT_HAND : LOPE_CONTACT_RIGHT_HAND;
}

static unsigned toe_bit(lope_side side)
{
    return side == LOPE_LEFT ? LOPE_CONTACT_LEFT_TOE : LOPE_CONTACT_RIGHT_TOE;
}

static unsigned heel_bit(lope_side side)
{
    return side == LOPE_LEFT ? LOPE_CONTACT_LEFT_HEEL : LOPE_CONTACT_RIGHT_HEEL;
}

// What a limb touches and since when; its span is noted when it lets go.
typedef struct climb {
    synth_gesture gesture;
    float foot_since[2], hand_since[2];
    float knee_yaw; // outwards, of the next step
    bool flat[2];   // the heel is down too: on the floor or on the platform
} climb;

static void lift_foot(climb *c, lope_side side, float time)
{
    unsigned mask = toe_bit(side) | (c->flat[side] ? heel_bit(side) : 0u);
    synth_gesture_touch(&c->gesture, mask, c->foot_since[side], time);
}

static void step(climb *c, lope_side side, float from, float to, lope_vec3 ball, bool flat)
{
    synth_gesture *g = &c->gesture;
    lift_foot(c, side, from);
    bool from_floor = synth_track_last(&g->channels[synth_sided(SYNTH_BALL_Y, side)]) == 0.0f;
    synth_gesture_step(g, &(synth_reach){.side = side,
                                         .from = from,
                                         .to = to,
                                         .place = ball,
                                         .lift = 0.035f,
                                         .peak = 0.75f,
                                         .pull = from_floor || flat ? 0.04f : 0.15f});
    synth_gesture_move_side(g, SYNTH_FOOT_YAW, side, from, to, flat ? synth_stance_toe_out(g->take) : 0.2f);
    synth_gesture_move_side(g, SYNTH_KNEE_YAW, side, from, to, flat ? synth_stance_toe_out(g->take) : c->knee_yaw);
    // The toes are lifted to clear the rung on the way.
    float before = synth_track_last(&g->channels[synth_sided(SYNTH_HEEL_UP, side)]);
    synth_gesture_key_side(g, SYNTH_HEEL_UP, side, from, before);
    synth_gesture_key_side(g, SYNTH_HEEL_UP, side, 0.5f * (from + to), from_floor ? 0.25f : 0.1f);
    synth_gesture_key_side(g, SYNTH_HEEL_UP, side, to, 0.0f);
    c->foot_since[side] = to;
    c->flat[side] = flat;
}

// Where the palm of a hand is on a rung, or, above the platform, on the rail at a rung's height.
static lope_vec3 grip_of(lope_side side, int rung)
{
    float height = SYNTH_RUNG_PITCH * (float)rung;
    if (rung < SYNTH_RUNG_COUNT)
        return lope_v3(side_sign(side) * PALM_X, height, SYNTH_LADDER_Z);
    height = fminf(fmaxf(height, TOP_Y + LOWEST_GRIP), TOP_Y + HIGHEST_GRIP);
    return lope_v3(side_sign(side) * SYNTH_RAIL_X, height, SYNTH_LADDER_Z + SYNTH_RAIL_LEAN * (height - TOP_Y));
}

static void grasp(climb *c, lope_side side, float from, float to, int rung)
{
    synth_gesture *g = &c->gesture;
    bool rail = rung >= SYNTH_RUNG_COUNT;
    synth_gesture_touch(g, hand_bit(side), c->hand_since[side], from);
    synth_gesture_grasp(g, &(synth_reach){.side = side,
                                          .from = from,
                                          .to = to,
                                          .place = grip_of(side, rung),
                                          .lift = 0.03f,
                                          .peak = 0.72f,
                                          .pull = 0.04f});
    synth_gesture_move_side(g, SYNTH_HAND_PITCH, side, from, to, rail ? 0.35f : 0.8f);
    synth_gesture_move_side(g, SYNTH_HAND_ROLL, side, from, to, rail ? 1.4f : 0.0f);
    c->hand_since[side] = to;
}

static lope_vec3 rung_for_foot(lope_side side, int rung)
{
    return lope_v3(side_sign(side) * BALL_X, SYNTH_RUNG_PITCH * (float)rung, SYNTH_LADDER_Z);
}

// From the stance: both hands reach for the ladder, one rung apart.
static void take_hold(climb *c)
{
    synth_gesture *g = &c->gesture;
    static const int rungs[2] = {4, 5};
    for (int s = 0; s < 2; s++) {
        lope_side side = (lope_side)s;
        lope_vec3 grip = grip_of(side, rungs[s]);
        synth_gesture_key_side(g, SYNTH_PALM_X, side, 0.0f, grip.x);
        synth_gesture_key_side(g, SYNTH_PALM_Y, side, 0.0f, grip.y);
        synth_gesture_key_side(g, SYNTH_PALM_Z, side, 0.0f, grip.z);
        float late = side == LOPE_LEFT ? 0.0f : 0.12f;
        synth_gesture_move_side(g, SYNTH_HAND_HOLD, side, 0.05f + late, 0.85f + late, 1.0f);
        synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, 0.05f + late, 0.6f + late, 1.2f);
        synth_gesture_move_side(g, SYNTH_ARM_SWING, side, 0.05f + late, 0.6f + late, 0.5f);
        c->hand_since[side] = 0.85f + late;
    }
    synth_gesture_key(g, SYNTH_HAND_PITCH, 0.0f, 0.8f);
}

static float step_begin(int step)
{
    return FIRST_STEP + (float)step * STEP_TIME;
}

// The pelvis at the end of a step: above the lower foot, then over to the platform.
static void raise_body(synth_gesture *g, int i)
{
    float end = step_begin(i + 1), middle = end - 0.5f * STEP_TIME;
    float lower = SYNTH_RUNG_PITCH * (float)i, towards = i % 2 == 0 ? -1.0f : 1.0f;   // the foot that stays
    float over = i < SYNTH_RUNG_COUNT - 2 ? 0.0f : (float)(i - SYNTH_RUNG_COUNT + 3); // steps near the platform
    synth_gesture_key(g, SYNTH_SEAT_X, middle, 0.035f * towards);
    synth_gesture_key(g, SYNTH_PELVIS_ROLL, middle, -0.07f * towards);
    synth_gesture_key(g, SYNTH_SPINE_ROLL, middle, -0.06f * towards);
    synth_gesture_key(g, SYNTH_PELVIS_YAW, middle, 0.06f * towards);
    synth_gesture_key(g, SYNTH_SEAT_Y, end,
                      lower + PELVIS_ABOVE - g->body->seat_below + (i == 0 ? 0.05f : 0.03f * over));
    // Hips stay back until the knees are above the last rung.
    static const float ahead[] = {0.0f, 0.07f, 0.32f};
    synth_gesture_key(g, SYNTH_SEAT_Z, end, SYNTH_LADDER_Z - HIPS_BACK - g->body->seat_behind + ahead[(int)over]);
}

static void climb_rungs(climb *c)
{
    synth_gesture *g = &c->gesture;
    for (int i = 0; i <= SYNTH_RUNG_COUNT; i++) {
        float begin = step_begin(i);
        lope_side side = i % 2 == 0 ? LOPE_LEFT : LOPE_RIGHT, other = i % 2 == 0 ? LOPE_RIGHT : LOPE_LEFT;
        bool flat = i >= SYNTH_RUNG_COUNT - 1;
        lope_vec3 ball = rung_for_foot(side, i + 1);
        if (flat) {
            ball.x = synth_gesture_stance(g, synth_sided(SYNTH_BALL_X, side), TOP_Z, TOP_Y);
            ball.y = synth_gesture_stance(g, synth_sided(SYNTH_BALL_Y, side), TOP_Z, TOP_Y);
            ball.z = synth_gesture_stance(g, synth_sided(SYNTH_BALL_Z, side), TOP_Z, TOP_Y);
        }
        c->knee_yaw = i < SYNTH_RUNG_COUNT - 3 ? WIDE_KNEES : NARROW_KNEES;
        step(c, side, begin + 0.02f, begin + 0.62f, ball, flat);
        if (i >= 1 && i < SYNTH_RUNG_COUNT - 1)
            grasp(c, other, begin + 0.12f, begin + 0.82f, i + 5);
        if (i < SYNTH_RUNG_COUNT)
            raise_body(g, i);
    }
}

static void let_go_at_top(climb *c)
{
    synth_gesture *g = &c->gesture;
    float last = step_begin(SYNTH_RUNG_COUNT), end = last + 1.35f;
    for (int s = 0; s < 2; s++) {
        lope_side side = (lope_side)s;
        float release = last + (side == LOPE_LEFT ? -0.25f : 0.0f);
        synth_gesture_touch(g, hand_bit(side), c->hand_since[side], release);
        synth_gesture_move_side(g, SYNTH_HAND_HOLD, side, release, release + 0.75f, 0.0f);
        lift_foot(c, side, end);
    }
    synth_gesture_stand_channel(g, SYNTH_ARM_ELBOW, last + 0.3f, end, TOP_Z, TOP_Y);
    synth_gesture_stand_channel(g, SYNTH_ARM_SWING, last + 0.3f, end, TOP_Z, TOP_Y);
    for (int channel = SYNTH_SEAT_X; channel <= SYNTH_SEAT_Z; channel++)
        synth_gesture_stand_channel(g, channel, last, last + 1.0f, TOP_Z, TOP_Y);
    synth_gesture_stand(g, last, end - 0.1f, TOP_Z, TOP_Y);
    g->duration = end;
}

SYNTH_GENERATOR(synth_ladder)
{
    climb c = {.flat = {true, true}};
    synth_gesture *g = &c.gesture;
    synth_gesture_begin(g, body, take, 0.0f, 0.0f);
    g->elbow = lope_v3(0.5f, -0.7f, -0.5f);
    g->backwards = *(const bool *)motion->script;
    take_hold(&c);
    synth_gesture_move(g, SYNTH_PELVIS_PITCH, 0.3f, step_begin(1), PITCH);
    synth_gesture_move(g, SYNTH_HEAD_PITCH, 0.1f, 0.9f, g->backwards ? 0.45f : -0.30f);
    static const int start[] = {SYNTH_SEAT_X,      SYNTH_SEAT_Y,     SYNTH_SEAT_Z,
                                SYNTH_PELVIS_ROLL, SYNTH_PELVIS_YAW, SYNTH_SPINE_ROLL};
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        synth_gesture_key(g, start[i], 0.4f, g->channels[start[i]].values[0]);
    climb_rungs(&c);
    let_go_at_top(&c);
    return synth_gesture_record(g, out, error);
}
