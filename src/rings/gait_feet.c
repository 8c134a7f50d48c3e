// SPDX-License-Identifier: MIT
// Feet and legs. A standing foot rolls over fixed points: over the heel while its toes are up, over the toe joint
// while its heel is up, or over the tip of a foot that has no toes to bend. How far it is rolled comes from the motion,
// where it stands from the ground; so whatever touches does not slide, and no moments of contact need to be known. A
// swinging foot follows the motion, and on the way from how it stood to how it will stand whatever the motion lacks for
// both.
#include "rings/gait.h"

#include <string.h>

// Frames after which nothing is left of how a foot stood, and how many more per metre.
static const float LEAVING = 11.0f, LEAVING_MORE = 40.0f;
static const float NOISE = 0.05f; // radians: pitches of this size are halved

// A turn about +X.
static lope_quat pitched(float angle)
{
    float h = 0.5f * angle, q = h * h;
    float s = h * (1.0f - q * (1.0f / 6.0f - q * (1.0f / 120.0f - q * (1.0f / 5040.0f))));
    float c = 1.0f - q * (0.5f - q * (1.0f / 24.0f - q * (1.0f / 720.0f - q * (1.0f / 40320.0f))));
    return (lope_quat){s, 0.0f, 0.0f, c};
}

float gait_foot_pitch(const gait_foot *foot, float pitch)
{
    float soft = pitch * pitch * pitch / (pitch * pitch + NOISE * NOISE);
    return foot->overhangs ? larger(soft, 0.0f) : soft;
}

lope_quat gait_plant_of(lope_vec3 forward, lope_vec3 normal)
{
    lope_vec3 x = lope_v3_normalize(lope_v3_cross(normal, forward), lope_v3(1.0f, 0.0f, 0.0f));
    return lope_quat_from_axes(x, normal, lope_v3_cross(x, normal));
}

float gait_pitch_of(lope_vec3 forward)
{
    return (float)lope_asin(-(double)forward.y);
}

float gait_flat_pitch(const lope_ring *ring, int side, const float *weights)
{
    float flat = 0.0f;
    for (uint32_t s = 0; s < ring->head->samples; s++)
        flat += weights[s] * ring->head->pitch[side][s];
    return flat;
}

void gait_foot_place(const ring_leg *leg, gait_foot *foot, lope_vec3 anchor, lope_vec3 normal, lope_quat plant)
{
    foot->anchor = anchor;
    foot->normal = normal;
    foot->plant = plant;
    foot->settling = foot->share = 0.0f;
    foot->overhangs = false;
    foot->flat = lope_quat_mul(plant, lope_quat_conjugate(leg->sole));
    lope_vec3 ball = lope_v3_add(leg->toe_offset, lope_quat_rotate(leg->toe_rest, leg->ball));
    lope_vec3 ankle = lope_v3_sub(anchor, lope_quat_rotate(foot->flat, ball));
    foot->heel = lope_v3_add(ankle, lope_quat_rotate(foot->flat, leg->heel));
    foot->pivot = lope_v3_add(ankle, lope_quat_rotate(foot->flat, leg->pivot));
    lope_quat level = gait_plant_of(lope_quat_rotate(plant, lope_v3(0.0f, 0.0f, 1.0f)), lope_v3(0.0f, 1.0f, 0.0f));
    lope_vec3 arm = lope_quat_rotate(lope_quat_mul(level, lope_quat_conjugate(leg->sole)), ball);
    foot->shift = lope_v3_add(lope_v3_sub(ankle, anchor), arm);
}

void gait_foot_as_planned(const lope_gait *gait, gait_foot *foot)
{
    const gait_step *step = &gait->step;
    gait_foot_place(&gait->rings->legs[1 - gait->track], foot, step->anchor, step->normal, step->plant);
    foot->overhangs = step->overhangs;
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
        *toe = leg->toe_rest;
        if (leg->toe != leg->ankle) // toes stay flat
            *toe = lope_quat_mul(lope_quat_mul(lope_quat_conjugate(rotation), foot->flat), leg->toe_rest);
    }
    if (foot->share > 0.0f) {
        ankle->translation = lope_v3_mad(ankle->translation, foot->off, foot->share);
        ankle->rotation = gait_turned(lope_v3_scale(foot->tilt, foot->share), ankle->rotation);
        *toe = gait_turned(lope_v3_scale(foot->bent, foot->share), *toe);
    }
}

// What is left of how a foot was rolled when the gait was entered.
static float settle(gait_foot *foot)
{
    gait_six six = gait_six_at(1.0f - foot->settling / GAIT_FOOT_SETTLES, GAIT_FOOT_SETTLES);
    foot->share = six.place[0];
    return six.place[0] * foot->roll + six.speed[0] * foot->roll_speed;
}

float gait_swing_share(const lope_gait *gait, int side, float frame, float *length)
{
    // A supporting foot that has left (runs) comes down one step later.
    float end = (float)gait_ring(gait)->head->frames * (side == gait->track ? 2.0f : 1.0f);
    *length = larger(end - gait->feet[side].begin, 1e-3f);
    return larger(0.0f, smaller((frame - gait->feet[side].begin) / *length, 1.0f));
}

lope_vec3 gait_swing_at(const lope_gait *gait, int side, float frame, lope_vec3 *turn, lope_vec3 *toe)
{
    const gait_foot *foot = &gait->feet[side];
    float length, share = gait_swing_share(gait, side, frame, &length);
    // What is left from when it stood goes first: the leg must be able to follow.
    float leaving = smaller(foot->leaving, length), landing = smaller(foot->landing, length);
    gait_six six = gait_six_at(smaller(share * length / leaving, 1.0f), leaving);
    six.place[1] = gait_ease(share);
    six.speed[1] = six.acceleration[1] = 0.0f;
    float end = larger(0.0f, 1.0f - (1.0f - share) * length / landing);
    float speed = side == gait->track ? 0.0f : gait_six_at(end, landing).speed[1];
    *turn = lope_v3_mad(gait_way_at(&foot->turn, &six), foot->land_turn, speed);
    *toe = lope_v3_mad(gait_way_at(&foot->toe, &six), foot->land_toes, speed);
    lope_vec3 place = lope_v3_mad(gait_way_at(&foot->place, &six), foot->land_speed, speed);
    // A long way is for a foot that is far from where it is played; where that one rises fast, it would sink meanwhile.
    float quick = smaller(LEAVING, leaving);
    float less = gait_six_at(smaller(share * length / quick, 1.0f), quick).speed[0] - six.speed[0];
    return lope_v3_mad(place, foot->normal, less * smaller(lope_v3_dot(foot->place.from.speed, foot->normal), 0.0f));
}

// A cubic B-spline over the knots, at rest before the first and behind the last.
float gait_lift_at(const gait_foot *foot, float frame, float end)
{
    float share = (frame - foot->lift_from) / larger(end - foot->lift_from, 1e-3f), sum = 0.0f;
    if (!(share > 0.0f && share < 1.0f))
        return 0.0f;
    float at = share * (GAIT_LIFTS - 1), t = at - (float)(int)at, r = 1.0f - t;
    float basis[4] = {r * r * r, 4.0f + t * t * (3.0f * t - 6.0f), 4.0f + r * r * (3.0f * r - 6.0f), t * t * t};
    for (int i = 0; i < 4; i++) {
        int k = (int)at + i - 1;
        sum += k > 1 && k < GAIT_LIFTS - 2 ? basis[i] * foot->lifts[k] : 0.0f;
    }
    return sum * (1.0f / 6.0f);
}

float gait_foot_rises(const lope_gait *gait, int side)
{
    const gait_foot *foot = &gait->feet[side];
    float frames = gait->past[0] - gait->past[1];
    float now = foot->played[0].translation.y - foot->shown[0].translation.y;
    float before = foot->played[1].translation.y - foot->shown[1].translation.y;
    return frames > 0.05f ? (now - before) / frames * gait->rate : 0.0f;
}

// The difference between what was shown and what was played as the beginning of a way, from the last frames.
void gait_foot_release(lope_gait *gait, int side)
{
    gait_foot *foot = &gait->feet[side];
    const float *at = gait->past;
    lope_vec3 places[GAIT_PAST], turns[GAIT_PAST], toes[GAIT_PAST];
    for (int i = 0; i < GAIT_PAST; i++) {
        places[i] = lope_v3_sub(foot->shown[i].translation, foot->played[i].translation);
        turns[i] = gait_turn(foot->played[i].rotation, foot->shown[i].rotation);
        toes[i] = gait_turn(foot->played_toe[i], foot->shown_toe[i]);
    }
    foot->planted = false;
    foot->begin = foot->left = at[0];
    foot->leaving = LEAVING + LEAVING_MORE * larger(0.0f, lope_v3_length(places[0]) - 0.05f);
    float scale = at[0] - at[1] > 0.05f ? 1.0f / (at[0] - at[1]) : 0.0f;
    foot->place.from =
        (gait_end){places[0], lope_v3_scale(lope_v3_sub(places[0], places[1]), scale), {0.0f, 0.0f, 0.0f}};
    foot->turn.from = (gait_end){turns[0], lope_v3_scale(lope_v3_sub(turns[0], turns[1]), scale), {0.0f, 0.0f, 0.0f}};
    foot->toe.from = (gait_end){toes[0], lope_v3_scale(lope_v3_sub(toes[0], toes[1]), scale), {0.0f, 0.0f, 0.0f}};
    if (side == gait->track) // where it will stand is not yet known
        foot->place.to = foot->turn.to = foot->toe.to = (gait_end){.place = {0.0f, 0.0f, 0.0f}};
}

void gait_foot_anew(lope_gait *gait, gait_foot *foot)
{
    const float at[3] = {0.0f, 0.25f, 0.5f};
    lope_vec3 places[3], turns[3], toes[3];
    for (int i = 0; i < 3; i++)
        places[i] = gait_swing_at(gait, (int)(foot - gait->feet), gait->frame + at[i], &turns[i], &toes[i]);
    foot->place.from = gait_end_through(at, places);
    foot->turn.from = gait_end_through(at, turns);
    foot->toe.from = gait_end_through(at, toes);
    foot->begin = gait->frame;
    foot->leaving = LEAVING;
    // The extra height goes on as part of the way.
    const float small = 0.1f;
    float end = (float)gait_ring(gait)->head->frames, lift = gait_lift_at(foot, gait->frame, end);
    foot->place.from.place.y += lift;
    foot->place.from.speed.y += (gait_lift_at(foot, gait->frame + small, end) - lift) / small;
    memset(foot->lifts, 0, sizeof foot->lifts);
}

void gait_foot_settle(lope_gait *gait)
{
    for (int side = 0; side < 2; side++)
        gait->feet[side].planted = true;
}

static uint16_t contact_bits(int side, float pitch)
{
    const float up = 0.012f;
    unsigned bits = (pitch <= up ? LOPE_CONTACT_LEFT_HEEL : 0u) | (pitch >= -up ? LOPE_CONTACT_LEFT_TOE : 0u);
    return (uint16_t)(side == LOPE_LEFT ? bits : bits << 2);
}

// The foot as the motion has it, and the extra height it needs.
static lope_transform played_foot(const lope_gait *gait, int side, lope_quat *toe)
{
    const ring_leg *leg = &gait->rings->legs[side];
    lope_transform played = gait->chains[side][leg->ankle];
    *toe = leg->toe == leg->ankle ? lope_quat_identity() : gait->slots[leg->slots[leg->toe]];
    played.translation = gait->ankles[side];
    if (side != gait->track && gait->step.planned && !gait->standing)
        played.translation.y += gait_lift_at(&gait->feet[side], gait->frame, (float)gait_ring(gait)->head->frames);
    return played;
}

// How far a foot that has just left would dip into the plane it stood on. Much of that, ahead of where it stood, means
// that it steps down from something.
static float dip(const lope_gait *gait, int side, lope_transform ankle, lope_quat toe)
{
    const float soft = 0.003f, frames = 3.0f, high = 0.03f, higher = 0.06f, far_ahead = 0.06f;
    const ring_leg *leg = &gait->rings->legs[side];
    const gait_foot *foot = &gait->feet[side];
    lope_transform toes = lope_transform_mul(ankle, (lope_transform){toe, leg->toe_offset});
    lope_vec3 ball = lope_v3_sub(lope_transform_point(toes, leg->ball), foot->anchor);
    lope_vec3 tip = lope_v3_sub(lope_transform_point(toes, leg->tip), foot->anchor);
    float apart = gait_apart(lope_v3_length(ball));
    if (apart >= 1.0f)
        return 0.0f;
    float depth = ring_soft_excess(lope_v3_dot(lope_v3_sub(ball, tip), foot->normal), soft) -
                  lope_v3_dot(ball, foot->normal); // of the deeper one
    float share = gait_ease((gait->frame - foot->left) / frames) * (1.0f - apart);
    float ahead = lope_v3_dot(ball, lope_quat_rotate(foot->plant, lope_v3(0.0f, 0.0f, 1.0f)));
    float most = high + (higher - high) * (1.0f - gait_ease(ahead / far_ahead));
    float up = ring_soft_excess(depth - soft, soft);
    return up / (1.0f + up / most) * share;
}

void gait_feet_targets(lope_gait *gait, lope_transform targets[2], lope_quat toes[2])
{
    for (int i = GAIT_PAST - 1; i > 0; i--)
        gait->past[i] = gait->past[i - 1];
    gait->past[0] = gait->frame;
    for (int side = 0; side < 2; side++) {
        const ring_leg *leg = &gait->rings->legs[side];
        gait_foot *foot = &gait->feet[side];
        for (int i = GAIT_PAST - 1; i > 0; i--) {
            foot->played[i] = foot->played[i - 1];
            foot->played_toe[i] = foot->played_toe[i - 1];
        }
        foot->played[0] = played_foot(gait, side, &foot->played_toe[0]);
        lope_transform played = foot->played[0];
        if (foot->planted) {
            lope_vec3 forward = lope_quat_rotate(lope_quat_mul(played.rotation, leg->sole), lope_v3(0.0f, 0.0f, 1.0f));
            foot->push = 0.0f;
            foot->pitch = gait_foot_pitch(foot, gait_pitch_of(forward) - gait->flat[side]);
            foot->share = 0.0f;
            if (foot->settling > 0.0f)
                foot->pitch += settle(foot);
            gait_foot_rolled(leg, foot, foot->pitch, &targets[side], &toes[side]);
            continue;
        }
        lope_vec3 turn, bend, place = gait_swing_at(gait, side, gait->frame, &turn, &bend);
        targets[side].translation = lope_v3_add(played.translation, place);
        targets[side].rotation = gait_turned(turn, played.rotation);
        toes[side] = gait_turned(bend, foot->played_toe[0]);
        targets[side].translation.y += dip(gait, side, targets[side], toes[side]);
    }
}

void gait_feet_remember(lope_gait *gait, const lope_transform targets[2], const lope_quat toes[2])
{
    gait->contacts = 0;
    for (int side = 0; side < 2; side++) {
        gait_foot *foot = &gait->feet[side];
        for (int i = GAIT_PAST - 1; i > 0; i--) {
            foot->shown[i] = foot->shown[i - 1];
            foot->shown_toe[i] = foot->shown_toe[i - 1];
        }
        foot->shown[0] = targets[side];
        foot->shown_toe[0] = toes[side];
        if (foot->planted)
            gait->contacts |= contact_bits(side, foot->pitch);
    }
}
