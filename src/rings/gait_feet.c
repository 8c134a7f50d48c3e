// SPDX-License-Identifier: MIT
// Feet and legs. A standing foot rolls over fixed points: over the heel while its toes are up, over the toe joint
// while its heel is up. How far it is rolled comes from the motion, where it stands from the ground; so whatever
// touches does not slide, and no moments of contact need to be known. A swinging foot follows the motion, plus what is
// left from when it stood, plus what is eased in to land where it should.
#include "rings/gait.h"

static const float NOISE = 0.05f;         // radians: pitches of this size are halved
static const float HALF_LIFE = 0.09f;     // seconds, of what is left when a foot lets go
static const float STRAIGHTEST = 0.9985f; // of thigh and shin: knees never get past straight

// A turn about +X.
static lope_quat pitched(float angle)
{
    float h = 0.5f * angle, q = h * h;
    float s = h * (1.0f - q * (1.0f / 6.0f - q * (1.0f / 120.0f - q * (1.0f / 5040.0f))));
    float c = 1.0f - q * (0.5f - q * (1.0f / 24.0f - q * (1.0f / 720.0f - q * (1.0f / 40320.0f))));
    return (lope_quat){s, 0.0f, 0.0f, c};
}

float gait_soft_pitch(float pitch)
{
    return pitch * pitch * pitch / (pitch * pitch + NOISE * NOISE);
}

lope_quat gait_plant_of(lope_vec3 forward, lope_vec3 normal)
{
    lope_vec3 x = lope_v3_normalize(lope_v3_cross(normal, forward), lope_v3(1.0f, 0.0f, 0.0f));
    return lope_quat_from_axes(x, normal, lope_v3_cross(x, normal));
}

float gait_pitch_of(const lope_ring *ring, int side, const float *weights, lope_vec3 forward)
{
    float flat = 0.0f;
    for (uint32_t s = 0; s < ring->head->samples; s++)
        flat += weights[s] * ring->head->pitch[side][s];
    return (float)lope_asin(-(double)forward.y) - flat;
}

void gait_foot_place(const ring_leg *leg, gait_foot *foot, lope_vec3 anchor, lope_vec3 normal, lope_quat plant)
{
    foot->anchor = anchor;
    foot->normal = normal;
    foot->plant = plant;
    foot->flat = lope_quat_mul(plant, lope_quat_conjugate(leg->sole));
    lope_vec3 ball = lope_v3_add(leg->toe_offset, lope_quat_rotate(leg->toe_rest, leg->ball));
    lope_vec3 ankle = lope_v3_sub(anchor, lope_quat_rotate(foot->flat, ball));
    foot->heel = lope_v3_add(ankle, lope_quat_rotate(foot->flat, leg->heel));
    foot->pivot = lope_v3_add(ankle, lope_quat_rotate(foot->flat, leg->pivot));
}

void gait_foot_rolled(const ring_leg *leg, const gait_foot *foot, float pitch, lope_transform *ankle, lope_quat *toe)
{
    lope_quat rotation = lope_quat_mul(lope_quat_mul(foot->plant, pitched(pitch)), lope_quat_conjugate(leg->sole));
    ankle->rotation = rotation;
    if (pitch <= 0.0f) {
        ankle->translation = lope_v3_sub(foot->heel, lope_quat_rotate(rotation, leg->heel));
        *toe = leg->toe_rest;
    } else {
        ankle->translation = lope_v3_sub(foot->pivot, lope_quat_rotate(rotation, leg->pivot));
        *toe = lope_quat_mul(lope_quat_mul(lope_quat_conjugate(rotation), foot->flat), leg->toe_rest);
    }
}

void gait_rest_decay(gait_rest *rest, float y, float decay, float dt)
{
    lope_vec3 j = lope_v3_mad(rest->speed, rest->value, y);
    rest->value = lope_v3_scale(lope_v3_mad(rest->value, j, dt), decay);
    rest->speed = lope_v3_scale(lope_v3_mad(rest->speed, j, -y * dt), decay);
}

float gait_left_after(float seconds)
{
    float y = 1.38629436f / HALF_LIFE;
    return (1.0f + y * seconds) * (float)lope_exp(-(double)(y * seconds));
}

float gait_lift_at(const gait_foot *foot, float frame, float end)
{
    float share = (frame - foot->lift_from) / fmaxf(end - foot->lift_from, 1e-3f);
    float at = fmaxf(0.0f, fminf(share, 1.0f)) * (GAIT_LIFTS - 1);
    int k = (int)at;
    k = k > GAIT_LIFTS - 2 ? GAIT_LIFTS - 2 : k;
    return foot->lifts[k] + (foot->lifts[k + 1] - foot->lifts[k]) * gait_ease(at - (float)k);
}

// The motion's own foot with what is eased in until the strike.
static void steered(const lope_gait *gait, const gait_foot *foot, lope_transform *ankle, lope_quat *toe)
{
    float end = (float)gait_ring(gait)->head->frames;
    if (!gait->step.planned || gait->standing)
        return;
    float share = gait_ease((gait->frame - foot->reach_from) / fmaxf(end - foot->reach_from, 1e-3f));
    ankle->translation = lope_v3_mad(ankle->translation, foot->reach, share);
    ankle->translation.y += gait_lift_at(foot, gait->frame, end);
    ankle->rotation = gait_turned(lope_v3_scale(foot->reach_turn, share), ankle->rotation);
    *toe = gait_turned(lope_v3_scale(foot->reach_toe, share), *toe);
}

static lope_vec3 speed_of(lope_vec3 now, lope_vec3 before, float dt)
{
    return lope_v3_scale(lope_v3_sub(now, before), 1.0f / dt);
}

void gait_foot_release(lope_gait *gait, int side, float dt)
{
    gait_foot *foot = &gait->feet[side];
    foot->planted = false;
    foot->offset.value = lope_v3_sub(foot->shown[0].translation, foot->played[0].translation);
    foot->offset.speed = lope_v3_sub(speed_of(foot->shown[0].translation, foot->shown[1].translation, dt),
                                     speed_of(foot->played[0].translation, foot->played[1].translation, dt));
    foot->turn.value = gait_turn(foot->played[0].rotation, foot->shown[0].rotation);
    foot->turn.speed = speed_of(foot->turn.value, gait_turn(foot->played[1].rotation, foot->shown[1].rotation), dt);
    foot->toe.value = gait_turn(foot->played_toe[0], foot->shown_toe[0]);
    foot->toe.speed = speed_of(foot->toe.value, gait_turn(foot->played_toe[1], foot->shown_toe[1]), dt);
}

void gait_foot_settle(lope_gait *gait)
{
    for (int side = 0; side < 2; side++)
        gait->feet[side].planted = true;
}

static void remember(gait_foot *foot, lope_transform shown, lope_quat shown_toe, lope_transform played,
                     lope_quat played_toe)
{
    foot->shown[1] = foot->shown[0];
    foot->played[1] = foot->played[0];
    foot->shown_toe[1] = foot->shown_toe[0];
    foot->played_toe[1] = foot->played_toe[0];
    foot->shown[0] = shown;
    foot->played[0] = played;
    foot->shown_toe[0] = shown_toe;
    foot->played_toe[0] = played_toe;
}

static uint16_t contact_bits(int side, float pitch)
{
    const float up = 0.012f;
    unsigned bits = (pitch <= up ? LOPE_CONTACT_LEFT_HEEL : 0u) | (pitch >= -up ? LOPE_CONTACT_LEFT_TOE : 0u);
    return (uint16_t)(side == LOPE_LEFT ? bits : bits << 2);
}

// A foot that has just left rolls off the plane it stood on and does not dip into it.
static float dip(const ring_leg *leg, const gait_foot *foot, lope_transform ankle, lope_quat toe)
{
    const float near = 0.3f;
    lope_transform toes = lope_transform_mul(ankle, (lope_transform){toe, leg->toe_offset});
    lope_vec3 ball = lope_v3_sub(lope_transform_point(toes, leg->ball), foot->anchor);
    lope_vec3 tip = lope_v3_sub(lope_transform_point(toes, leg->tip), foot->anchor);
    if (lope_v3_dot(ball, ball) > near * near)
        return 0.0f;
    float depth = fmaxf(-lope_v3_dot(ball, foot->normal), -lope_v3_dot(tip, foot->normal));
    return fmaxf(depth, 0.0f);
}

void gait_feet_targets(lope_gait *gait, float dt, lope_transform targets[2], lope_quat toes[2])
{
    const lope_ring *ring = gait_ring(gait);
    float y = 1.38629436f / HALF_LIFE, decay = dt > 0.0f ? (float)lope_exp(-(double)(y * dt)) : 1.0f;
    gait->contacts = 0;
    for (int side = 0; side < 2; side++) {
        const ring_leg *leg = &gait->rings->legs[side];
        gait_foot *foot = &gait->feet[side];
        lope_transform played = gait->chains[side][leg->ankle];
        lope_quat toe = leg->toe == leg->ankle ? lope_quat_identity() : gait->slots[leg->slots[leg->toe]];
        played.translation = lope_v3_add(played.translation, gait->root_place);
        if (foot->planted) {
            lope_vec3 forward = lope_quat_rotate(lope_quat_mul(played.rotation, leg->sole), lope_v3(0.0f, 0.0f, 1.0f));
            foot->pitch = gait_soft_pitch(gait_pitch_of(ring, side, gait->weights, forward));
            gait_foot_rolled(leg, foot, foot->pitch, &targets[side], &toes[side]);
            steered(gait, foot, &played, &toe);
            gait->contacts |= contact_bits(side, foot->pitch);
        } else {
            steered(gait, foot, &played, &toe);
            gait_rest_decay(&foot->offset, y, decay, dt);
            gait_rest_decay(&foot->turn, y, decay, dt);
            gait_rest_decay(&foot->toe, y, decay, dt);
            targets[side].translation = lope_v3_add(played.translation, foot->offset.value);
            targets[side].rotation = gait_turned(foot->turn.value, played.rotation);
            toes[side] = gait_turned(foot->toe.value, toe);
            targets[side].translation.y += dip(leg, foot, targets[side], toes[side]);
        }
        remember(foot, targets[side], toes[side], played, toe);
    }
}

// The shortest turn from one direction to another, neither of which need be of unit length.
static lope_quat between(lope_vec3 a, lope_vec3 b)
{
    lope_vec3 c = lope_v3_cross(a, b);
    float w = sqrtf(lope_v3_dot(a, a) * lope_v3_dot(b, b)) + lope_v3_dot(a, b);
    float size = lope_v3_dot(c, c) + w * w;
    if (!(size > 1e-18f))
        return lope_quat_identity();
    float s = 1.0f / sqrtf(size);
    return (lope_quat){c.x * s, c.y * s, c.z * s, w * s};
}

// Where the knee comes to lie: in the plane it bends in, and always ahead of the line from hip to ankle.
static lope_vec3 knee_place(const ring_leg *leg, lope_vec3 hip, lope_vec3 along, float reach, lope_vec3 pole)
{
    float d = (leg->thigh * leg->thigh - leg->shin * leg->shin + reach * reach) / (2.0f * reach);
    float height = sqrtf(fmaxf(leg->thigh * leg->thigh - d * d, 0.0f));
    lope_vec3 off = lope_v3_mad(pole, along, -lope_v3_dot(pole, along));
    off = lope_v3_normalize(off, lope_v3(0.0f, 0.0f, 1.0f));
    return lope_v3_mad(lope_v3_mad(hip, along, d), off, height);
}

void gait_leg_solve(const ring_leg *leg, const lope_transform *chain, lope_vec3 hip, lope_quat above,
                    lope_transform target, lope_quat toe, lope_quat out[RING_CHAIN])
{
    lope_vec3 upper = lope_v3_sub(chain[leg->knee].translation, chain[leg->hip].translation);
    lope_vec3 lower = lope_v3_sub(chain[leg->ankle].translation, chain[leg->knee].translation);
    lope_vec3 line = lope_v3_add(upper, lower), goal = lope_v3_sub(target.translation, hip);
    float distance = lope_v3_length(goal), full = STRAIGHTEST * (leg->thigh + leg->shin);
    float least = 1.02f * fabsf(leg->thigh - leg->shin) + 0.05f, reach = fmaxf(least, fminf(distance, full));
    lope_vec3 along = lope_v3_normalize(goal, lope_v3(0.0f, -1.0f, 0.0f));
    lope_quat swing = between(line, along);
    // The knee leaves the line forwards; where the motion's own bend says little, the thigh's facing decides.
    lope_vec3 straight = lope_v3_normalize(line, along);
    lope_vec3 bend = lope_v3_mad(upper, straight, -lope_v3_dot(upper, straight));
    lope_vec3 forward = lope_quat_rotate(chain[leg->hip].rotation, leg->knee_forward);
    float ahead = lope_v3_dot(bend, forward);
    if (ahead < 0.0f)
        bend = lope_v3_mad(bend, forward, -ahead);
    bend = lope_v3_mad(bend, forward, 0.02f);
    lope_vec3 knee = knee_place(leg, hip, along, reach, lope_quat_rotate(swing, bend));
    lope_vec3 ankle = lope_v3_mad(hip, along, reach);
    lope_quat turn = lope_quat_mul(between(lope_quat_rotate(swing, upper), lope_v3_sub(knee, hip)), swing);
    lope_quat both = lope_quat_mul(between(lope_quat_rotate(turn, lower), lope_v3_sub(ankle, knee)), turn);
    lope_quat thigh = lope_quat_mul(turn, chain[leg->hip].rotation);
    lope_quat shin = lope_quat_mul(both, chain[leg->knee].rotation);
    out[leg->hip] = lope_quat_mul(lope_quat_conjugate(above), thigh);
    out[leg->knee] = lope_quat_mul(lope_quat_conjugate(thigh), shin);
    out[leg->ankle] = lope_quat_mul(lope_quat_conjugate(shin), target.rotation);
    if (leg->toe != leg->ankle)
        out[leg->toe] = toe;
}
