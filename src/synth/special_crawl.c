// SPDX-License-Identifier: MIT
// On hands and knees. A knee on the floor with a lying shin leaves its hip one freedom less: the thigh is rigid. Height
// and roll of the pelvis follow from where the two knees are, so that knees that touch do not move by a hair.
#include "synth/gesture.h"
#include "synth/special.h"

static const float STRIDE = 0.40f, STEP_TIME = 0.62f; // a knee's way per cycle, time of half a cycle
static const int STEPS = 7;
static const float START_Z = 0.40f; // of the knees after getting down from the stance at 0
static const float HIPS_BACK = -0.015f, PITCH = 1.24f, SPINE_PITCH = 0.46f, HEAD_PITCH = 0.75f;
static const float PALM_X = 0.20f, PALM_Y = 0.03f, PALM_AHEAD = 0.585f; // of the knees
static const float HAND_PITCH = -0.17f;
static const float KNEE_LIFT = 0.025f, PALM_LIFT = 0.05f;
static const float POINTED_FOOT = 2.65f; // turn of a foot whose shin lies on the floor, toes pointing back
static const float KNEES_CLEAR = 0.02f;  // how much the hips are raised while the knees come down
static const float FOOT_SWING = 0.17f;   // how high the feet are lifted while they turn over

static const lope_vec3 AXIS_X = {1.0f, 0.0f, 0.0f}, AXIS_Z = {0.0f, 0.0f, 1.0f};

enum {
    HANDS = LOPE_CONTACT_LEFT_HAND | LOPE_CONTACT_RIGHT_HAND,
    KNEES = LOPE_CONTACT_LEFT_KNEE | LOPE_CONTACT_RIGHT_KNEE
};

typedef struct crawl {
    synth_gesture gesture;
    synth_track knee_z[2], knee_lift[2];
    synth_track kneel; // 0: on the feet, 1: on the knees
} crawl;

static lope_transform hip_offset(const synth_body *body, int side)
{
    return body->skeleton->rest[side == LOPE_LEFT ? SYNTH_LEFT_HIP : SYNTH_RIGHT_HIP];
}

static lope_vec3 knee_on_floor(const crawl *c, int side, double time)
{
    const synth_body *body = c->gesture.body;
    float x = side == LOPE_LEFT ? body->hip_half_width : -body->hip_half_width;
    return lope_v3(x, body->kneecap, synth_track_at(&c->knee_z[side], time));
}

// The pelvis as given, but raised and rolled so that both thighs have their length. Each round corrects the height by
// the mean error of the two hips and the roll by their difference; the errors shrink a hundredfold per round.
static lope_transform pelvis_over_knees(const crawl *c, lope_transform pelvis, const lope_vec3 knees[2])
{
    const synth_body *body = c->gesture.body;
    lope_quat unrolled = pelvis.rotation;
    float roll = 0.0f;
    for (int round = 0; round < 8; round++) {
        float error[2], middle = 0.0f;
        for (int side = 0; side < 2; side++) {
            lope_vec3 hip = lope_transform_point(pelvis, hip_offset(body, side).translation);
            float dx = hip.x - knees[side].x, dz = hip.z - knees[side].z;
            float height = sqrtf(fmaxf(body->thigh * body->thigh - dx * dx - dz * dz, 0.0f));
            error[side] = knees[side].y + height - hip.y;
            middle += 0.5f * hip.x;
        }
        pelvis.translation.x -= middle; // hips that went sideways would turn the shins
        pelvis.translation.y += 0.5f * (error[LOPE_LEFT] + error[LOPE_RIGHT]);
        roll += (error[LOPE_LEFT] - error[LOPE_RIGHT]) / (2.0f * body->hip_half_width);
        pelvis.rotation = lope_quat_mul(lope_quat_axis_angle(AXIS_Z, roll), unrolled);
    }
    return pelvis;
}

// The foot of a leg whose knee is at `knee` and whose shin lies level behind it.
static synth_foot kneeling_foot(const synth_body *body, lope_vec3 hip, lope_vec3 knee)
{
    lope_vec3 ankle = lope_v3_mad(knee, AXIS_Z, -body->shin);
    synth_foot foot = {.ankle = {lope_quat_axis_angle(AXIS_X, POINTED_FOOT), ankle}};
    lope_vec3 out = lope_v3_sub(knee, lope_v3_lerp(hip, ankle, 0.5f));
    foot.knee_towards = lope_v3_normalize(out, AXIS_Z);
    return foot;
}

static void kneel_down(const void *user, const synth_gesture *gesture, double time, synth_frame *frame)
{
    const crawl *c = user;
    const synth_body *body = gesture->body;
    float share = synth_track_at(&c->kneel, time);
    if (share <= 0.0f)
        return;
    lope_vec3 knees[2] = {knee_on_floor(c, LOPE_LEFT, time), knee_on_floor(c, LOPE_RIGHT, time)};
    lope_transform over = pelvis_over_knees(c, frame->pelvis, knees);
    frame->pelvis.translation = lope_v3_lerp(frame->pelvis.translation, over.translation, share);
    frame->pelvis.translation.y += KNEES_CLEAR * 4.0f * share * (1.0f - share);
    frame->pelvis.rotation = lope_quat_nlerp(frame->pelvis.rotation, over.rotation, share);
    for (int side = 0; side < 2; side++) {
        lope_vec3 hip = lope_transform_point(frame->pelvis, hip_offset(body, side).translation);
        lope_vec3 lifted = knees[side];
        lifted.y += synth_track_at(&c->knee_lift[side], time);
        lope_vec3 thigh = lope_v3_normalize(lope_v3_sub(lifted, hip), lope_v3(0.0f, -1.0f, 0.0f));
        synth_foot kneeling = kneeling_foot(body, hip, lope_v3_mad(hip, thigh, body->thigh));
        synth_foot *foot = &frame->feet[side];
        foot->ankle.translation = lope_v3_lerp(foot->ankle.translation, kneeling.ankle.translation, share);
        foot->ankle.translation.y += FOOT_SWING * 4.0f * share * (1.0f - share);
        foot->ankle.rotation = lope_quat_nlerp(foot->ankle.rotation, kneeling.ankle.rotation, share);
        foot->knee_towards = lope_v3_lerp(foot->knee_towards, kneeling.knee_towards, share);
        foot->toe_bend *= 1.0f - share;
    }
}

// The seat point of a pelvis over knees at z.
static float seat_z(const synth_body *body, float knees_z)
{
    float s = (float)lope_sin((double)PITCH), k = (float)lope_cos((double)PITCH);
    float drop = -hip_offset(body, LOPE_LEFT).translation.y;
    return knees_z - HIPS_BACK - (body->seat_below - drop) * s - body->seat_behind * k;
}

static float seat_y(const synth_body *body)
{
    float s = (float)lope_sin((double)PITCH), k = (float)lope_cos((double)PITCH);
    float drop = -hip_offset(body, LOPE_LEFT).translation.y;
    return body->kneecap + body->thigh - (body->seat_below - drop) * k + body->seat_behind * s;
}

static void place_palms(crawl *c, float knees_z)
{
    synth_gesture *g = &c->gesture;
    synth_gesture_key_side(g, SYNTH_PALM_X, LOPE_LEFT, 0.0f, PALM_X);
    synth_gesture_key_side(g, SYNTH_PALM_X, LOPE_RIGHT, 0.0f, -PALM_X);
    synth_gesture_key(g, SYNTH_PALM_Y, 0.0f, PALM_Y);
    synth_gesture_key(g, SYNTH_PALM_Z, 0.0f, knees_z + PALM_AHEAD);
    synth_gesture_key(g, SYNTH_HAND_PITCH, 0.0f, HAND_PITCH);
}

static void begin(crawl *c, const synth_body *body, const synth_take *take)
{
    *c = (crawl){.kneel = {0}};
    synth_gesture *g = &c->gesture;
    synth_gesture_begin(g, body, take, 0.0f, 0.0f);
    g->adjust = kneel_down;
    g->user = c;
    g->elbow = lope_v3(0.45f, 0.2f, -0.9f);
    place_palms(c, START_Z);
    for (int side = 0; side < 2; side++)
        synth_track_key(&c->knee_z[side], 0.0f, START_Z);
}

// Down into a squat with the heels up, hands to the floor ahead, then the knees tip down. Up is the same backwards.
SYNTH_GENERATOR(synth_crawl_change)
{
    crawl c;
    begin(&c, body, take);
    synth_gesture *g = &c.gesture;
    g->backwards = *(const bool *)motion->script;
    g->duration = 2.4f;
    float squat = 1.05f, tip = 1.1f, hands = 1.5f, down = 2.2f;
    synth_gesture_key(g, SYNTH_SEAT_Y, 0.1f, synth_track_last(&g->channels[SYNTH_SEAT_Y]));
    synth_gesture_key(g, SYNTH_SEAT_Y, squat + 0.1f, 0.37f);
    synth_gesture_key(g, SYNTH_SEAT_Y, down, seat_y(body));
    synth_gesture_move(g, SYNTH_SEAT_Z, 0.1f, 0.7f, -0.12f);
    synth_gesture_key(g, SYNTH_SEAT_Z, squat + 0.1f, 0.02f);
    synth_gesture_key(g, SYNTH_SEAT_Z, down, seat_z(body, START_Z));
    synth_gesture_move(g, SYNTH_PELVIS_PITCH, 0.1f, squat + 0.2f, 1.05f);
    synth_gesture_move(g, SYNTH_PELVIS_PITCH, squat + 0.2f, down, PITCH);
    synth_gesture_move(g, SYNTH_SPINE_PITCH, 0.1f, squat + 0.2f, 0.6f + take->lean);
    synth_gesture_move(g, SYNTH_SPINE_PITCH, squat + 0.2f, down, SPINE_PITCH);
    synth_gesture_move(g, SYNTH_HEAD_PITCH, 0.1f, squat, 0.9f);
    synth_gesture_move(g, SYNTH_HEAD_PITCH, squat, down, HEAD_PITCH);
    synth_gesture_move(g, SYNTH_HEEL_UP, 0.3f, squat, 0.75f);
    synth_gesture_move(g, SYNTH_TOE_BEND, 0.3f, squat, 0.75f);
    synth_gesture_move(g, SYNTH_KNEE_YAW, 0.2f, squat, 0.3f);
    synth_gesture_move(g, SYNTH_ARM_ELBOW, 0.2f, squat, 1.1f);
    synth_gesture_move(g, SYNTH_ARM_SWING, 0.2f, squat, 0.45f);
    synth_gesture_move(g, SYNTH_HAND_HOLD, 0.75f, hands, 1.0f);
    synth_track_key(&c.kneel, tip, 0.0f);
    synth_track_key(&c.kneel, down, 1.0f);
    synth_gesture_touch(g, LOPE_CONTACT_LEFT_HEEL | LOPE_CONTACT_RIGHT_HEEL, 0.0f, 0.3f);
    synth_gesture_touch(g, LOPE_CONTACT_LEFT_TOE | LOPE_CONTACT_RIGHT_TOE, 0.0f, tip);
    synth_gesture_touch(g, HANDS, hands, g->duration);
    synth_gesture_touch(g, KNEES, down, g->duration);
    return synth_gesture_record(g, out, error);
}

// Begins in the pose in which getting down ends.
static void begin_on_knees(crawl *c, const synth_body *body, const synth_take *take)
{
    begin(c, body, take);
    synth_gesture *g = &c->gesture;
    synth_gesture_key(g, SYNTH_SEAT_Y, 0.0f, seat_y(body));
    synth_gesture_key(g, SYNTH_SEAT_Z, 0.0f, seat_z(body, START_Z));
    synth_gesture_key(g, SYNTH_PELVIS_PITCH, 0.0f, PITCH);
    synth_gesture_key(g, SYNTH_SPINE_PITCH, 0.0f, SPINE_PITCH);
    synth_gesture_key(g, SYNTH_HEAD_PITCH, 0.0f, HEAD_PITCH);
    synth_gesture_key(g, SYNTH_HEEL_UP, 0.0f, 0.75f);
    synth_gesture_key(g, SYNTH_TOE_BEND, 0.0f, 0.75f);
    synth_gesture_key(g, SYNTH_KNEE_YAW, 0.0f, 0.3f);
    synth_gesture_key(g, SYNTH_ARM_ELBOW, 0.0f, 1.1f);
    synth_gesture_key(g, SYNTH_ARM_SWING, 0.0f, 0.45f);
    synth_gesture_key(g, SYNTH_HAND_HOLD, 0.0f, 1.0f);
    synth_track_key(&c->kneel, 0.0f, 1.0f);
}

static unsigned knee_bit(lope_side side)
{
    return side == LOPE_LEFT ? LOPE_CONTACT_LEFT_KNEE : LOPE_CONTACT_RIGHT_KNEE;
}

static unsigned hand_bit(lope_side side)
{
    return side == LOPE_LEFT ? LOPE_CONTACT_LEFT_HAND : LOPE_CONTACT_RIGHT_HAND;
}

// One knee to `ahead` of where the knees began, then the hand of the other side.
static void crawl_step(crawl *c, lope_side side, float time, float ahead, float *since)
{
    synth_gesture *g = &c->gesture;
    lope_side other = side == LOPE_LEFT ? LOPE_RIGHT : LOPE_LEFT;
    float from = time + 0.08f, to = time + 0.54f;
    synth_track_move(&c->knee_z[side], from, to, START_Z + ahead);
    synth_track_key(&c->knee_lift[side], from, 0.0f);
    synth_track_key(&c->knee_lift[side], 0.5f * (from + to), KNEE_LIFT);
    synth_track_key(&c->knee_lift[side], to, 0.0f);
    synth_gesture_touch(g, knee_bit(side), since[side], from);
    since[side] = to;
    float hand_from = time + 0.02f, hand_to = time + 0.44f;
    lope_vec3 palm = {other == LOPE_LEFT ? PALM_X : -PALM_X, PALM_Y, START_Z + ahead + PALM_AHEAD};
    synth_gesture_grasp(
        g, &(synth_reach){
               .side = other, .from = hand_from, .to = hand_to, .place = palm, .lift = PALM_LIFT, .peak = 0.5f});
    synth_gesture_touch(g, hand_bit(other), since[2 + other], hand_from);
    since[2 + other] = hand_to;
}

SYNTH_GENERATOR(synth_crawl)
{
    (void)motion;
    crawl c;
    begin_on_knees(&c, body, take);
    synth_gesture *g = &c.gesture;
    float half = 0.5f * STRIDE * take->stride, time = 0.1f, since[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    synth_gesture_key(g, SYNTH_SEAT_Z, time, seat_z(body, START_Z));
    synth_gesture_key(g, SYNTH_PELVIS_YAW, time, 0.0f);
    synth_gesture_key(g, SYNTH_SPINE_YAW, time, 0.0f);
    for (int i = 0; i < STEPS; i++, time += STEP_TIME) {
        lope_side side = i % 2 == 0 ? LOPE_LEFT : LOPE_RIGHT;
        bool last = i == STEPS - 1;
        float turn = last ? 0.0f : side == LOPE_LEFT ? -0.06f : 0.06f; // the hip of the knee ahead goes ahead
        crawl_step(&c, side, time, half * (float)(last ? i : i + 1), since);
        synth_gesture_key(g, SYNTH_SEAT_Z, time + STEP_TIME,
                          seat_z(body, START_Z) + half * (last ? (float)i : (float)i + 0.5f));
        synth_gesture_key(g, SYNTH_PELVIS_YAW, time + STEP_TIME, turn);
        synth_gesture_key(g, SYNTH_SPINE_YAW, time + STEP_TIME, -2.0f * turn);
    }
    g->duration = time + 0.1f;
    for (int side = 0; side < 2; side++) {
        synth_gesture_touch(g, knee_bit((lope_side)side), since[side], g->duration);
        synth_gesture_touch(g, hand_bit((lope_side)side), since[2 + side], g->duration);
    }
    return synth_gesture_record(g, out, error);
}
