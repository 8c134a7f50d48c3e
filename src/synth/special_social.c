// SPDX-License-Identifier: MIT
// What people do where they stand: talk, dispute, present, look around. All begin and end in the neutral stance, feet
// in place.
#include "base/random.h"
#include "synth/gesture.h"
#include "synth/special.h"

static const float BREATH = 4.0f, BREATH_DEPTH = 0.02f;

enum { BOTH_FEET = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT };

static void begin(synth_gesture *g, const synth_body *body, const synth_take *take, float duration)
{
    synth_gesture_begin(g, body, take, 0.0f, 0.0f);
    g->duration = duration;
    g->breath_period = BREATH;
    g->breath_depth = BREATH_DEPTH;
    synth_gesture_touch(g, BOTH_FEET, 0.0f, duration);
}

// Both arms rise, one more than the other, beat twice and sink again.
static void talk_with_hands(synth_gesture *g, lope_random *random, float from)
{
    lope_side more = lope_random_below(random, 2) == 0 ? LOPE_LEFT : LOPE_RIGHT;
    for (int s = 0; s < 2; s++) {
        lope_side side = (lope_side)s;
        float share = side == more ? 1.0f : 0.55f, late = side == more ? 0.0f : 0.12f;
        float elbow = share * lope_random_range(random, 1.1f, 1.45f), swing = share * 0.35f;
        float begin = from + late;
        synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, begin, begin + 0.6f, 0.25f + elbow);
        synth_gesture_move_side(g, SYNTH_ARM_SWING, side, begin, begin + 0.6f, 0.02f + swing);
        synth_gesture_move_side(g, SYNTH_ARM_ABDUCTION, side, begin, begin + 0.6f, 0.12f + 0.1f * share);
        for (int beat = 0; beat < 2; beat++) {
            float at = begin + 0.6f + 0.7f * (float)beat;
            synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, at, at + 0.35f, 0.25f + 0.75f * elbow);
            synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, at + 0.35f, at + 0.7f, 0.25f + elbow);
        }
    }
    float down = from + 2.4f;
    static const int channels[] = {SYNTH_ARM_ELBOW, SYNTH_ARM_SWING, SYNTH_ARM_ABDUCTION};
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        synth_gesture_stand_channel(g, channels[i], down, down + 0.7f, 0.0f, 0.0f);
}

static void look(synth_gesture *g, float from, float yaw, float pitch)
{
    synth_gesture_move(g, SYNTH_HEAD_YAW, from, from + 0.6f, yaw);
    synth_gesture_move(g, SYNTH_HEAD_PITCH, from, from + 0.6f, g->take->head_pitch + pitch);
}

SYNTH_GENERATOR(synth_chat)
{
    (void)motion;
    lope_random random = lope_random_seed(take->seed);
    synth_gesture g;
    begin(&g, body, take, 2.0f * BREATH);
    talk_with_hands(&g, &random, lope_random_range(&random, 0.3f, 0.5f));
    talk_with_hands(&g, &random, lope_random_range(&random, 4.2f, 4.4f));
    float side = lope_random_below(&random, 2) == 0 ? 1.0f : -1.0f;
    look(&g, 0.5f, 0.15f * side, 0.12f); // nods while it speaks
    look(&g, 1.3f, 0.0f, -0.03f);
    look(&g, 3.2f, -0.2f * side, 0.05f);
    look(&g, 4.6f, 0.0f, 0.14f);
    look(&g, 5.4f, 0.1f * side, 0.0f);
    look(&g, 7.0f, 0.0f, 0.0f);
    synth_gesture_move(&g, SYNTH_SPINE_YAW, 0.6f, 1.6f, 0.08f * side);
    synth_gesture_move(&g, SYNTH_SPINE_YAW, 4.0f, 5.2f, -0.06f * side);
    synth_gesture_move(&g, SYNTH_SPINE_YAW, 6.4f, 7.6f, 0.0f);
    return synth_gesture_record(&g, out, error);
}

SYNTH_GENERATOR(synth_look_around)
{
    (void)motion;
    lope_random random = lope_random_seed(take->seed);
    synth_gesture g;
    begin(&g, body, take, 2.0f * BREATH);
    float side = lope_random_below(&random, 2) == 0 ? 1.0f : -1.0f, far = lope_random_range(&random, 0.7f, 0.9f);
    look(&g, 0.4f, side * far, -0.05f);
    look(&g, 2.6f, -side * far, -0.02f);
    look(&g, 4.6f, -0.3f * side, 0.1f);
    look(&g, 6.6f, 0.0f, 0.0f);
    static const float turns[3][3] = {{0.4f, 1.4f, 0.28f}, {2.5f, 4.0f, -0.28f}, {6.0f, 7.4f, 0.0f}};
    for (int i = 0; i < 3; i++)
        synth_gesture_move(&g, SYNTH_SPINE_YAW, turns[i][0], turns[i][1], side * turns[i][2]);
    return synth_gesture_record(&g, out, error);
}

// Arms come down again.
static void let_arms_hang(synth_gesture *g, float from, float to)
{
    static const int channels[] = {SYNTH_ARM_ELBOW, SYNTH_ARM_SWING, SYNTH_ARM_ABDUCTION};
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        synth_gesture_stand_channel(g, channels[i], from, to, 0.0f, 0.0f);
}

// One arm is thrust forward, finger out, three times, quickly.
static void point_at(synth_gesture *g, lope_side side, float from, float reach)
{
    synth_gesture_move_side(g, SYNTH_ARM_SWING, side, from, from + 0.45f, 0.55f * reach);
    synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, from, from + 0.45f, 1.5f);
    synth_gesture_move_side(g, SYNTH_ARM_ABDUCTION, side, from, from + 0.45f, 0.2f);
    for (int i = 0; i < 3; i++) {
        float at = from + 0.45f + 0.5f * (float)i;
        synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, at, at + 0.22f, 0.7f);
        synth_gesture_move_side(g, SYNTH_ARM_SWING, side, at, at + 0.22f, 0.95f * reach);
        synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, at + 0.26f, at + 0.5f, 1.4f);
        synth_gesture_move_side(g, SYNTH_ARM_SWING, side, at + 0.26f, at + 0.5f, 0.55f * reach);
    }
}

SYNTH_GENERATOR(synth_dispute)
{
    (void)motion;
    lope_random random = lope_random_seed(take->seed);
    synth_gesture g;
    begin(&g, body, take, 2.0f * BREATH);
    lope_side first = lope_random_below(&random, 2) == 0 ? LOPE_LEFT : LOPE_RIGHT;
    float reach = lope_random_range(&random, 0.85f, 1.05f), side = first == LOPE_LEFT ? 1.0f : -1.0f;
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 0.2f, 0.9f, take->lean + 0.14f);
    point_at(&g, first, 0.3f, reach);
    let_arms_hang(&g, 2.4f, 3.1f);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 2.4f, 3.2f, take->lean - 0.04f); // draws back and shakes the head
    for (int i = 0; i < 4; i++)
        synth_gesture_move(&g, SYNTH_HEAD_YAW, 2.9f + 0.35f * (float)i, 3.2f + 0.35f * (float)i,
                           i < 3 ? (i % 2 ? -0.3f : 0.3f) * side : 0.0f);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 4.3f, 5.0f, take->lean + 0.1f);
    for (int s = 0; s < 2; s++) { // both palms out: what else?
        synth_gesture_move_side(&g, SYNTH_ARM_ELBOW, (lope_side)s, 4.4f, 5.0f, 1.2f);
        synth_gesture_move_side(&g, SYNTH_ARM_SWING, (lope_side)s, 4.4f, 5.0f, 0.3f);
        synth_gesture_move_side(&g, SYNTH_ARM_ABDUCTION, (lope_side)s, 4.4f, 5.0f, 0.45f);
        synth_gesture_move_side(&g, SYNTH_ARM_ELBOW, (lope_side)s, 5.3f, 5.6f, 0.95f);
        synth_gesture_move_side(&g, SYNTH_ARM_ELBOW, (lope_side)s, 5.7f, 6.0f, 1.25f);
    }
    look(&g, 4.6f, -0.1f * side, -0.05f);
    let_arms_hang(&g, 6.4f, 7.3f);
    synth_gesture_move(&g, SYNTH_SPINE_PITCH, 6.5f, 7.5f, synth_gesture_stance(&g, SYNTH_SPINE_PITCH, 0.0f, 0.0f));
    look(&g, 6.6f, 0.0f, 0.0f);
    return synth_gesture_record(&g, out, error);
}

// Shows something to one side with an open arm, eyes there, then back to those who listen.
static void show(synth_gesture *g, lope_side side, float from, float high)
{
    float to_side = side == LOPE_LEFT ? 1.0f : -1.0f;
    synth_gesture_move_side(g, SYNTH_ARM_ABDUCTION, side, from, from + 0.9f, 0.85f * high);
    synth_gesture_move_side(g, SYNTH_ARM_SWING, side, from, from + 0.9f, 0.35f);
    synth_gesture_move_side(g, SYNTH_ARM_ELBOW, side, from, from + 0.9f, 0.55f);
    synth_gesture_move_side(g, SYNTH_ARM_SWING, side, from + 1.0f, from + 1.9f, 0.55f); // along it
    look(g, from + 0.2f, 0.6f * to_side, -0.05f);
    look(g, from + 1.5f, -0.15f * to_side, 0.0f);
    synth_gesture_move(g, SYNTH_SPINE_YAW, from, from + 0.9f, 0.22f * to_side);
    synth_gesture_move(g, SYNTH_SPINE_YAW, from + 1.5f, from + 2.4f, 0.0f);
    let_arms_hang(g, from + 2.2f, from + 3.0f);
}

SYNTH_GENERATOR(synth_presentation)
{
    (void)motion;
    lope_random random = lope_random_seed(take->seed);
    synth_gesture g;
    begin(&g, body, take, 3.0f * BREATH);
    lope_side side = lope_random_below(&random, 2) == 0 ? LOPE_LEFT : LOPE_RIGHT;
    show(&g, side, lope_random_range(&random, 0.3f, 0.6f), lope_random_range(&random, 0.9f, 1.1f));
    talk_with_hands(&g, &random, lope_random_range(&random, 4.0f, 4.2f));
    look(&g, 4.4f, 0.35f, 0.02f);
    look(&g, 5.8f, -0.35f, 0.02f);
    show(&g, side, lope_random_range(&random, 7.6f, 7.9f), lope_random_range(&random, 0.7f, 0.9f));
    look(&g, 11.2f, 0.0f, 0.0f);
    return synth_gesture_record(&g, out, error);
}
