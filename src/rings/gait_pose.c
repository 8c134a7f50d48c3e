// SPDX-License-Identifier: MIT
// Posing a character for one frame.
#include "rings/gait.h"

#include <string.h>

static const float ROOT_HALF_LIFE = 0.12f; // seconds, of differences of the root at strikes and changes
static const float AIR_SLACK = 0.002f;     // metres
static const float MOST_LOWERING = 0.3f;   // metres

void gait_weights_at(const lope_gait *gait, float frame, float *weights)
{
    const lope_ring *ring = gait_ring(gait);
    int samples = (int)ring->head->samples;
    const gait_step *step = &gait->step;
    if (gait->standing) {
        memcpy(weights, step->to, (size_t)samples * sizeof *weights);
        return;
    }
    // Cubic from the weights and their speed when the step was planned to rest at the strike.
    float length = fmaxf((float)ring->head->frames - step->begin, 1e-3f);
    float t = fmaxf(0.0f, fminf((frame - step->begin) / length, 1.0f)), t2 = t * t, t3 = t2 * t;
    float h00 = 2.0f * t3 - 3.0f * t2 + 1.0f, h10 = (t3 - 2.0f * t2 + t) * length, h01 = 3.0f * t2 - 2.0f * t3;
    for (int s = 0; s < samples; s++)
        weights[s] = h00 * step->from[s] + h10 * step->speed[s] + h01 * step->to[s];
}

float gait_yaw_at(const lope_gait *gait, float frame)
{
    const gait_step *step = &gait->step;
    if (gait->standing || (step->trim == 0.0f && step->trim_from == 0.0f))
        return gait->yaw;
    float length = fmaxf((float)gait_ring(gait)->head->frames - step->trim_begin, 1e-3f);
    float t = gait_ease((frame - step->trim_begin) / length);
    return gait->yaw + step->trim_from + (step->trim - step->trim_from) * t;
}

// Where the root is if the supporting ball lies where the row says, in the world.
static void place_root(lope_vec3 origin, const ring_leg *leg, int track, const float *ball, lope_quat frame,
                       lope_transform chains[2][RING_CHAIN], gait_played *out)
{
    lope_vec3 offset = lope_quat_rotate(frame, lope_v3(ball[0], ball[1], ball[2]));
    out->place = lope_v3_sub(lope_v3_add(origin, offset), ring_ball(leg, chains[track]));
}

gait_played gait_play(const lope_gait *gait, float frame, const float *weights, bool legs_only, lope_quat *slots,
                      lope_transform chains[2][RING_CHAIN])
{
    const lope_ring *ring = gait_ring(gait);
    const ring_head *h = ring->head;
    float row[RING_WIDTH];
    gait_played played;
    ring_mix(ring, gait->track, frame, weights, row);
    ring_decode(ring, row, 0, (int)(legs_only ? h->leg_groups : h->groups), slots);
    lope_quat facing = lope_quat_yaw(gait_yaw_at(gait, frame));
    played.root = lope_quat_mul(facing, ring_root_rotation(ring, row));
    played.rate = row[h->modes + RING_RATE];
    for (int side = 0; side < 2; side++)
        ring_pose_leg(gait->rings->skeleton, &gait->rings->legs[side], slots, played.root, chains[side]);
    place_root(gait->origin, &gait->rings->legs[gait->track], gait->track, row + h->modes + RING_BALL, facing, chains,
               &played);
    return played;
}

// Mixes in what was played before a change of rings. Both are told in the frame of the same foot.
static void fade(lope_gait *gait, gait_played *played, float dt)
{
    gait_fade *f = &gait->fade;
    f->elapsed += dt;
    float t = gait_ease(f->elapsed / f->duration);
    if (t >= 1.0f) {
        f->active = false;
        return;
    }
    const lope_ring *ring = &gait->rings->rings[f->ring];
    const ring_head *h = ring->head;
    float row[RING_WIDTH], end = (float)h->frames;
    lope_quat slots[RING_GROUPS * 4];
    lope_transform chains[2][RING_CHAIN];
    gait_played old;
    ring_mix(ring, f->track, f->frame, f->weights, row);
    ring_decode(ring, row, 0, (int)h->groups, slots);
    lope_quat facing = lope_quat_yaw(f->yaw);
    old.root = lope_quat_mul(facing, ring_root_rotation(ring, row));
    for (int side = 0; side < 2; side++)
        ring_pose_leg(gait->rings->skeleton, &gait->rings->legs[side], slots, old.root, chains[side]);
    place_root(f->origin, &gait->rings->legs[f->track], f->track, row + h->modes + RING_BALL, facing, chains, &old);
    float rate = row[h->modes + RING_RATE] * (h->kind == LOPE_RING_REST ? 1.0f : 1.0f - t);
    f->frame = fminf(f->frame + rate * dt, end);
    if (h->kind == LOPE_RING_REST && f->frame >= end)
        f->frame -= end;
    played->root = lope_quat_nlerp(old.root, played->root, t);
    played->place = lope_v3_lerp(old.place, played->place, t);
    int count = (int)gait_ring(gait)->head->groups * 4;
    for (int i = 0; i < count; i++)
        gait->slots[i] = lope_quat_nlerp(slots[i], gait->slots[i], t);
    for (int side = 0; side < 2; side++)
        ring_pose_leg(gait->rings->skeleton, &gait->rings->legs[side], gait->slots, played->root, gait->chains[side]);
}

// The hip joint of a leg below a root, and the rotation it hangs on.
static lope_vec3 hip_below(const lope_gait *gait, int side, lope_transform root, lope_quat *above)
{
    const ring_leg *leg = &gait->rings->legs[side];
    const lope_skeleton *skeleton = gait->rings->skeleton;
    for (int i = 0; i < leg->hip; i++) {
        lope_transform local = {gait->slots[leg->slots[i]], skeleton->rest[leg->joints[i]].translation};
        root = lope_transform_mul(root, local);
    }
    *above = root.rotation;
    return lope_transform_point(root, skeleton->rest[leg->joints[leg->hip]].translation);
}

// How far the body must come down for a leg to reach its foot. It begins before the leg is straight and never lets it
// get there: close to straight, a knee moves many times as fast as the foot.
static float needed_lowering(const ring_leg *leg, const lope_transform *chain, lope_vec3 hip, lope_vec3 ankle)
{
    const float end = 0.9982f;
    // How far the motion itself stretches the leg is always allowed.
    float played = lope_v3_distance(chain[leg->ankle].translation, chain[leg->hip].translation);
    float begin = fmaxf(0.985f, fminf(played / (leg->thigh + leg->shin), 0.997f));
    float full = leg->thigh + leg->shin, x = hip.x - ankle.x, z = hip.z - ankle.z, down = hip.y - ankle.y;
    float square = x * x + z * z, length = sqrtf(square + down * down), over = length - begin * full;
    if (over <= 0.0f)
        return 0.0f;
    float room = (end - begin) * full, kept = begin * full + room * over / (room + over);
    float high = sqrtf(fmaxf(kept * kept - square, 0.0f));
    return fmaxf(0.0f, down - high);
}

float gait_lowered_at(const lope_gait *gait, float frame)
{
    const gait_step *step = &gait->step;
    if (gait->standing || (step->lower == 0.0f && step->lower_from == 0.0f))
        return 0.0f;
    float length = fmaxf((float)gait_ring(gait)->head->frames - step->lower_begin, 1e-3f);
    return step->lower_from + (step->lower - step->lower_from) * gait_ease((frame - step->lower_begin) / length);
}

float gait_lowering_at_strike(const lope_gait *gait)
{
    int side = 1 - gait->track;
    const ring_leg *leg = &gait->rings->legs[side];
    const lope_ring *ring = gait_ring(gait);
    lope_quat slots[RING_GROUPS * 4], toe;
    lope_transform chains[2][RING_CHAIN], ankle;
    gait_played played = gait_play(gait, (float)ring->head->frames, gait->step.to, true, slots, chains);
    lope_quat sole = lope_quat_mul(chains[side][leg->ankle].rotation, leg->sole);
    float pitch = gait_pitch_of(ring, side, gait->step.to, lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f)));
    gait_foot foot = gait->feet[side];
    gait_foot_place(leg, &foot, gait->step.anchor, gait->step.normal, gait->step.plant);
    gait_foot_rolled(leg, &foot, gait_soft_pitch(pitch), &ankle, &toe);
    lope_vec3 hip = lope_v3_add(chains[side][leg->hip].translation, played.place);
    return fminf(needed_lowering(leg, chains[side], hip, ankle.translation), MOST_LOWERING);
}

static void write_pose(lope_gait *gait, lope_transform root)
{
    const lope_ring *ring = gait_ring(gait);
    int count = (int)ring->head->groups * 4;
    gait->pose.root = root.translation;
    gait->rotations[0] = root.rotation;
    for (int i = 0; i < count; i++)
        if (ring->order[i] > 0)
            gait->rotations[ring->order[i]] = gait->slots[i];
}

static void solve_legs(lope_gait *gait, lope_transform *root, const lope_transform targets[2], const lope_quat toes[2])
{
    lope_vec3 hips[2];
    lope_quat above[2];
    float lowering = 0.0f;
    for (int side = 0; side < 2; side++) {
        hips[side] = hip_below(gait, side, *root, &above[side]);
        float needed =
            needed_lowering(&gait->rings->legs[side], gait->chains[side], hips[side], targets[side].translation);
        // A foot in the air may stay behind a little; the body has come down by the strike (gait_lowered_at).
        lowering = fmaxf(lowering, gait->feet[side].planted ? needed : needed - AIR_SLACK);
    }
    lowering = fminf(lowering, MOST_LOWERING);
    gait->lowering = lowering;
    root->translation.y -= lowering;
    for (int side = 0; side < 2; side++) {
        const ring_leg *leg = &gait->rings->legs[side];
        lope_quat out[RING_CHAIN];
        hips[side].y -= lowering;
        float reach = lope_v3_distance(hips[side], targets[side].translation);
        gait->missed[side] = fmaxf(0.0f, reach - 0.9985f * (leg->thigh + leg->shin));
        gait_leg_solve(leg, gait->chains[side], hips[side], above[side], targets[side], toes[side], out);
        for (int i = leg->hip; i < leg->count; i++)
            if (i <= leg->ankle || i == leg->toe)
                gait->slots[leg->slots[i]] = out[i];
    }
}

void gait_root_decay(lope_gait *gait, float dt)
{
    float y = 1.38629436f / ROOT_HALF_LIFE, decay = dt > 0.0f ? (float)lope_exp(-(double)(y * dt)) : 1.0f;
    gait_rest_decay(&gait->root, y, decay, dt);
    gait_rest_decay(&gait->root_turn, y, decay, dt);
}

void gait_show(lope_gait *gait, float dt)
{
    gait_weights_at(gait, gait->frame, gait->weights);
    gait_played played = gait_play(gait, gait->frame, gait->weights, false, gait->slots, gait->chains);
    gait->rate = played.rate;
    if (gait->fade.active)
        fade(gait, &played, dt);
    gait->root_rotation = played.root;
    gait->root_place = played.place;
    gait_root_decay(gait, gait->root_dt >= 0.0f ? fminf(gait->root_dt, dt) : dt);
    gait->root_dt = -1.0f;
    lope_transform root = {gait_turned(gait->root_turn.value, played.root),
                           lope_v3_add(played.place, gait->root.value)};
    root.translation.y -= gait_lowered_at(gait, gait->frame);
    lope_transform targets[2];
    lope_quat toes[2];
    gait_feet_targets(gait, dt, targets, toes);
    if (gait->def.ik)
        solve_legs(gait, &root, targets, toes);
    write_pose(gait, root);
}
