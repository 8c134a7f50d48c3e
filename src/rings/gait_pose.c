// SPDX-License-Identifier: MIT
// Posing a character for one frame.
#include "rings/gait.h"

#include <string.h>

static const float SETTLE = 0.6f;    // seconds, of differences of the root at strikes and changes
static const float AIR_SOFT = 0.02f; // metres within which a foot in the air stays behind a leg that gets straight
static const float LANDING_SOFT = 0.003f, LANDING_MOST = 0.991f;
static const float AIR_MOST = 0.985f;
// Shares of its length that a leg is stretched to at most when it comes down: from the first on less and less.
static const float PLAN_BEGIN = 0.975f, PLAN_END = 0.989f;
static const float MOST_LOWERING = 0.3f; // metres
static const float RISING = 0.15f;       // seconds that a body takes to come up again
static const float MOST_PUSH = 0.45f;    // radians

void gait_weights_at(const lope_gait *gait, float frame, float *weights)
{
    const lope_ring *ring = gait_ring(gait);
    int samples = (int)ring->head->samples;
    const gait_step *step = &gait->step;
    if (gait->standing) {
        memcpy(weights, step->to, (size_t)samples * sizeof *weights);
        return;
    }
    gait_six six = gait_step_six(gait, frame);
    for (int s = 0; s < samples; s++)
        weights[s] = six.place[0] * step->from[s] + six.speed[0] * step->speed[s] +
                     six.acceleration[0] * step->bend[s] + six.place[1] * step->to[s];
}

float gait_yaw_at(const lope_gait *gait, float frame)
{
    const gait_step *step = &gait->step;
    if (gait->standing || (step->trim == 0.0f && step->trims[0] == 0.0f))
        return gait->yaw;
    gait_six six = gait_step_six(gait, frame);
    return gait->yaw + six.place[0] * step->trims[0] + six.speed[0] * step->trims[1] +
           six.acceleration[0] * step->trims[2] + six.place[1] * step->trim;
}

// Where the root and the balls of both feet are in the world.
static void place_all(const lope_ring *ring, const float *row, lope_vec3 origin, lope_quat facing, gait_played *out)
{
    out->place = lope_v3_add(origin, lope_quat_rotate(facing, ring_place(ring, row)));
    for (int side = 0; side < 2; side++)
        out->balls[side] = lope_v3_add(origin, lope_quat_rotate(facing, ring_ball_place(ring, row, side)));
}

gait_played gait_play(const lope_gait *gait, float frame, const float *weights, bool legs_only, lope_quat *slots,
                      lope_transform chains[2][RING_CHAIN])
{
    const lope_ring *ring = gait_ring(gait);
    const ring_head *h = ring->head;
    float row[RING_WIDTH];
    gait_played played;
    lope_ring_mix(ring, gait->track, frame, weights, row);
    lope_ring_decode(ring, row, 0, (int)(legs_only ? h->leg_groups : h->groups), slots);
    lope_quat facing = lope_quat_yaw(gait_yaw_at(gait, frame));
    played.root = lope_quat_mul(facing, lope_ring_root_rotation(ring, row));
    played.rate = row[h->modes + RING_RATE];
    for (int side = 0; side < 2; side++)
        lope_ring_pose_leg(gait->rings->skeleton, &gait->rings->legs[side], slots, played.root, chains[side]);
    place_all(ring, row, gait->origin, facing, &played);
    for (int side = 0; side < 2 && h->angles; side++) // the chains are turned as the body is
        played.balls[side] = lope_v3_add(played.place, lope_ring_ball(&gait->rings->legs[side], chains[side]));
    for (int side = 0; side < 2; side++)
        played.feet[side] = ring_ankle_for(&gait->rings->legs[side], chains[side], played.balls[side]);
    return played;
}

// Both legs come first.
static int leg_slots(const lope_gait *gait)
{
    return ring_leg_slots(gait->rings->legs);
}

// Root, feet and legs of what was played before a change of rings, mixed in. Both are told in the frame of the same
// foot.
static void fade_legs(lope_gait *gait, const lope_quat *slots, const float *row, gait_played *played)
{
    const gait_fade *f = &gait->fade;
    float t = gait_ease(f->elapsed / f->legs);
    const lope_ring *ring = &gait->rings->rings[f->ring];
    lope_quat facing = lope_quat_yaw(f->yaw);
    gait_played old = {.root = lope_quat_mul(facing, lope_ring_root_rotation(ring, row))};
    place_all(ring, row, f->origin, facing, &old);
    played->root = lope_quat_nlerp(old.root, played->root, t);
    played->place = lope_v3_lerp(old.place, played->place, t);
    for (int side = 0; side < 2; side++) {
        played->balls[side] = lope_v3_lerp(old.balls[side], played->balls[side], t);
        gait->flat[side] += (1.0f - t) * (gait_flat_pitch(ring, side, f->weights) - gait->flat[side]);
    }
    for (int i = 0; i < leg_slots(gait); i++)
        gait->slots[i] = lope_quat_nlerp(slots[i], gait->slots[i], t);
    for (int side = 0; side < 2; side++) {
        const ring_leg *leg = &gait->rings->legs[side];
        lope_ring_pose_leg(gait->rings->skeleton, leg, gait->slots, played->root, gait->chains[side]);
        played->feet[side] = ring_ankle_for(leg, gait->chains[side], played->balls[side]);
    }
}

// Mixes what was played before into all but the legs. Returns the least cosine of half the angle between the two.
static float fade_trunk(lope_gait *gait, const float *row, float t)
{
    const lope_ring *ring = &gait->rings->rings[gait->fade.ring];
    float least = 1.0f;
    lope_quat old[4];
    for (int g = leg_slots(gait) / 4; g < (int)ring->head->groups; g++) {
        lope_ring_decode(ring, row, g, g + 1, old);
        for (int i = 0; i < 4; i++) {
            lope_quat *slot = &gait->slots[4 * g + i];
            if (4 * g + i < leg_slots(gait))
                continue;
            least = smaller(least, fabsf(lope_quat_dot(old[i], *slot)));
            *slot = lope_quat_nlerp(old[i], *slot, t);
        }
    }
    return least;
}

// A fade takes as long as arms need to get there without haste.
static float fade_seconds(float duration, float cosine)
{
    const float fastest = 2.6f, longest = 1.0f; // radians per second; seconds
    float angle = 2.0f * (float)lope_acos((double)smaller(cosine, 1.0f));
    return larger(duration, smaller(1.875f * angle / fastest, longest));
}

// Mixes in what was played before a change of rings.
static void fade(lope_gait *gait, gait_played *played, float dt)
{
    gait_fade *f = &gait->fade;
    bool first = f->elapsed == 0.0f;
    f->elapsed += dt;
    float t = gait_ease(f->elapsed / f->duration);
    if (t >= 1.0f) {
        f->active = false;
        return;
    }
    const lope_ring *ring = &gait->rings->rings[f->ring];
    const ring_head *h = ring->head;
    float row[RING_WIDTH], end = (float)h->frames;
    lope_quat slots[RING_LEG_SLOTS];
    float pace = h->kind == LOPE_RING_REST ? 1.0f : 1.0f - t;
    f->frame = smaller(f->frame + f->rate * pace * dt, end);
    if (h->kind == LOPE_RING_REST && f->frame >= end)
        f->frame -= end;
    lope_ring_mix(ring, f->track, f->frame, f->weights, row);
    f->rate = row[h->modes + RING_RATE];
    if (!f->trunk) {
        lope_ring_decode(ring, row, 0, (int)h->leg_groups, slots);
        fade_legs(gait, slots, row, played);
    }
    float cosine = fade_trunk(gait, row, t);
    if (first)
        f->duration = fade_seconds(f->duration, cosine);
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
static float needed_lowering(const ring_leg *leg, lope_vec3 hip, lope_vec3 ankle, float begin, float end)
{
    float full = leg->thigh + leg->shin, x = hip.x - ankle.x, z = hip.z - ankle.z, down = hip.y - ankle.y;
    float square = x * x + z * z, length = sqrtf(square + down * down), over = length - begin * full;
    if (over <= 0.0f)
        return 0.0f;
    float room = (end - begin) * full, kept = begin * full + room * over / (room + over);
    float high = sqrtf(larger(kept * kept - square, 0.0f));
    return larger(0.0f, down - high);
}

// The share of its length that a leg is stretched to in the clips, within what is told for any.
static float straightest(const lope_gait *gait, int side, float most)
{
    const ring_leg *leg = &gait->rings->legs[side];
    return larger(0.99f, smaller(gait_ring(gait)->head->reach[side][1] / (leg->thigh + leg->shin), most));
}

// The same for a leg that stands, as it is: how far the motion itself stretches it is always allowed.
static float stretched(const lope_gait *gait, int side, lope_vec3 hip, lope_vec3 ankle)
{
    const ring_leg *leg = &gait->rings->legs[side];
    const lope_transform *chain = gait->chains[side];
    float played = lope_v3_distance(gait->ankles[side], lope_v3_add(gait->root_place, chain[leg->hip].translation));
    float end = straightest(gait, side, 0.9982f);
    float begin = larger(0.99f, smaller(played / (leg->thigh + leg->shin), 0.997f));
    return needed_lowering(leg, hip, ankle, smaller(begin, end - 0.0012f), end);
}

// How far the body comes up for a leg in the air that would be bent farther than in any clip; a little before that,
// too.
static float needed_raise(float shortest, lope_vec3 hip, lope_vec3 ankle)
{
    const float soft = 0.03f; // metres
    float x = hip.x - ankle.x, z = hip.z - ankle.z, up = hip.y - ankle.y, square = x * x + z * z;
    float length = sqrtf(square + up * up), lacks = shortest - length, u = 0.5f * (lacks + soft) / soft;
    if (u <= 0.0f)
        return 0.0f;
    float wanted = length + (u < 1.0f ? 2.0f * soft * u * u * u * (1.0f - 0.5f * u) : lacks);
    return larger(0.0f, sqrtf(larger(wanted * wanted - square, 0.0f)) - up);
}

// And how far a leg that stands lets it.
static float raise_room(const ring_leg *leg, lope_vec3 hip, lope_vec3 ankle)
{
    const float most = 0.98f;
    float full = most * (leg->thigh + leg->shin), x = hip.x - ankle.x, z = hip.z - ankle.z;
    return larger(0.0f, sqrtf(larger(full * full - x * x - z * z, 0.0f)) - (hip.y - ankle.y));
}

static float raise_body(const lope_gait *gait, const ring_leg_goal goals[2], const lope_transform targets[2])
{
    float raise = 0.0f, room = 1.0f;
    for (int side = 0; side < 2; side++)
        if (!gait->feet[side].planted)
            raise = larger(
                raise, needed_raise(gait_ring(gait)->head->reach[side][0], goals[side].hip, targets[side].translation));
    for (int side = 0; side < 2 && raise > 0.0f; side++)
        if (gait->feet[side].planted)
            room = smaller(room, raise_room(&gait->rings->legs[side], goals[side].hip, targets[side].translation));
    float share = raise / larger(room, 1e-6f);
    return raise > 0.0f && room > 0.0f ? raise / sqrtf(1.0f + share * share) : 0.0f;
}

// ---- where the body goes for the sake of the legs

static float pelvis_share(const lope_gait *gait, float frame, float *length)
{
    *length = larger((float)gait_ring(gait)->head->frames - gait->step.pelvis_begin, 1e-3f);
    return larger(0.0f, smaller((frame - gait->step.pelvis_begin) / *length, 1.0f));
}

lope_vec3 gait_pelvis_at(const lope_gait *gait, float frame)
{
    if (gait->standing)
        return gait->step.pelvis.to.place;
    float length, share = pelvis_share(gait, frame, &length);
    gait_six six = gait_six_at(share, length);
    return gait_way_at(&gait->step.pelvis, &six);
}

// How far the body must come down for a foot that stands in a pose, beyond a shift.
static float lowering_for(const lope_gait *gait, int side, const gait_foot *foot, const float *weights,
                          lope_transform chains[2][RING_CHAIN], lope_vec3 place)
{
    const ring_leg *leg = &gait->rings->legs[side];
    lope_quat sole = lope_quat_mul(chains[side][leg->ankle].rotation, leg->sole), toe;
    lope_transform ankle;
    float pitch = gait_pitch_of(lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f))) -
                  gait_flat_pitch(gait_ring(gait), side, weights);
    gait_foot_rolled(leg, foot, gait_foot_pitch(foot, pitch), &ankle, &toe);
    lope_vec3 hip = lope_v3_add(chains[side][leg->hip].translation, place);
    return needed_lowering(leg, hip, ankle.translation, PLAN_BEGIN, PLAN_END);
}

// How far it must have come down a little before the strike, for the leg to follow the foot.
static float lowering_before(const lope_gait *gait, lope_vec3 shift)
{
    const float before = 2.5f;
    int side = 1 - gait->track;
    const ring_leg *leg = &gait->rings->legs[side];
    float frame = (float)gait_ring(gait)->head->frames - before, weights[RING_SAMPLES];
    lope_quat slots[RING_LEG_SLOTS];
    lope_transform chains[2][RING_CHAIN];
    lope_vec3 turn, toe;
    gait_weights_at(gait, frame, weights);
    gait_played played = gait_play(gait, frame, weights, true, slots, chains);
    lope_vec3 hip = lope_v3_add(lope_v3_add(chains[side][leg->hip].translation, played.place), shift);
    lope_vec3 ankle = lope_v3_add(played.feet[side], gait_swing_at(gait, side, frame, &turn, &toe));
    return needed_lowering(leg, hip, ankle, PLAN_BEGIN, PLAN_END);
}

void gait_pelvis_plan(lope_gait *gait)
{
    gait_step *step = &gait->step;
    int side = 1 - gait->track;
    lope_quat slots[RING_LEG_SLOTS];
    lope_transform chains[2][RING_CHAIN];
    gait_foot foot = gait->feet[side];
    gait_foot_as_planned(gait, &foot);
    float length, share = pelvis_share(gait, gait->frame, &length);
    gait_way was = step->pelvis; // a copy: compilers may write the result into what it is made from
    step->pelvis.from = gait_way_end(&was, share, length);
    step->pelvis_begin = gait->frame;
    lope_vec3 shift = lope_v3_scale(lope_v3_add(foot.shift, gait->feet[gait->track].shift), 0.5f);
    gait_played played = gait_play(gait, (float)gait_ring(gait)->head->frames, step->to, true, slots, chains);
    float lower = lowering_for(gait, side, &foot, step->to, chains, lope_v3_add(played.place, shift));
    lower = larger(lower, lowering_before(gait, shift));
    shift.y -= smaller(lower, MOST_LOWERING);
    step->pelvis.to = (gait_end){.place = shift};
}

void gait_pelvis_stand(lope_gait *gait)
{
    lope_quat slots[RING_LEG_SLOTS];
    lope_transform chains[2][RING_CHAIN];
    lope_vec3 shift = lope_v3_scale(lope_v3_add(gait->feet[0].shift, gait->feet[1].shift), 0.5f);
    gait_played played = gait_play(gait, 0.0f, gait->step.to, true, slots, chains);
    float lower = 0.0f;
    for (int side = 0; side < 2; side++)
        lower = larger(lower, lowering_for(gait, side, &gait->feet[side], gait->step.to, chains,
                                           lope_v3_add(played.place, shift)));
    shift.y -= smaller(lower, MOST_LOWERING);
    gait->step.pelvis = (gait_way){{.place = shift}, {.place = shift}};
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

// ---- legs

// A leg that gets too long for a foot whose heel is up pushes off farther: the foot goes on rolling over its toes.
static void push_off(lope_gait *gait, int side, lope_vec3 hip, lope_transform *ankle, lope_quat *toe)
{
    const float limit = 0.9965f, soft = 0.004f, small = 0.02f;
    const ring_leg *leg = &gait->rings->legs[side];
    gait_foot *foot = &gait->feet[side];
    float up = gait_ease((foot->pitch - 0.05f) / 0.3f), length = lope_v3_distance(hip, ankle->translation);
    float over = ring_soft_excess(length - limit * (leg->thigh + leg->shin), soft);
    if (up == 0.0f || over < 1e-5f)
        return;
    lope_transform tried;
    lope_quat ignored;
    gait_foot_rolled(leg, foot, foot->pitch + small, &tried, &ignored);
    float slope = (length - lope_v3_distance(hip, tried.translation)) / small;
    foot->push = up * smaller(over / larger(slope, 0.04f), MOST_PUSH);
    foot->pitch += foot->push;
    gait_foot_rolled(leg, foot, foot->pitch, ankle, toe);
}

void gait_limit_swing(const lope_gait *gait, int side, ring_leg_goal *goal)
{
    // Since it left: a way that is planned anew, or a strike of the other foot, must not straighten it at once.
    float end = (float)gait_ring(gait)->head->frames * (side == gait->track ? 2.0f : 1.0f),
          from = gait->feet[side].left;
    float share = larger(0.0f, smaller((gait->frame - from) / larger(end - from, 1e-3f), 1.0f));
    float left = gait_ease(3.0f * share), landing = gait_ease(2.0f * share - 1.0f);
    float soft = AIR_SOFT + (LANDING_SOFT - AIR_SOFT) * landing, most = AIR_MOST + (LANDING_MOST - AIR_MOST) * landing;
    goal->soft = left * soft;
    float first = straightest(gait, side, RING_STRAIGHTEST);
    goal->most = first + (smaller(most, first) - first) * left;
}

static void solve_legs(lope_gait *gait, lope_transform *root, lope_transform targets[2], lope_quat toes[2], float dt)
{
    ring_leg_goal goals[2];
    // A body that a stretched leg held down comes up little by little once that foot leaves.
    float lowering = gait->lowering > 1e-4f ? gait->lowering / (1.0f + dt / RISING) : 0.0f;
    for (int side = 0; side < 2; side++) {
        ring_leg_goal *goal = &goals[side];
        bool planted = gait->feet[side].planted && gait_has_ik(gait);
        goal->hip = hip_below(gait, side, *root, &goal->above);
        if (planted && (!gait->standing || gait->fade.active))
            push_off(gait, side, goal->hip, &targets[side], &toes[side]);
        // A foot in the air stays behind; by the strike the body has come down for it (gait_pelvis_plan).
        goal->soft = 0.0f;
        goal->most = RING_STRAIGHTEST;
        if (!planted && gait_has_ik(gait))
            gait_limit_swing(gait, side, goal);
        if (planted)
            lowering = larger(lowering, stretched(gait, side, goal->hip, targets[side].translation));
    }
    lowering = smaller(lowering, MOST_LOWERING);
    gait->lowering = lowering;
    lowering -= gait_has_ik(gait) ? raise_body(gait, goals, targets) : 0.0f;
    root->translation.y -= lowering;
    for (int side = 0; side < 2; side++) {
        const ring_leg *leg = &gait->rings->legs[side];
        lope_quat out[RING_CHAIN];
        goals[side].hip.y -= lowering;
        goals[side].hips = ring_hips(gait->rings->legs, gait->chains);
        goals[side].ankle = targets[side];
        goals[side].toe = toes[side];
        float reach = lope_v3_distance(goals[side].hip, targets[side].translation);
        gait->missed[side] = larger(0.0f, reach - RING_STRAIGHTEST * (leg->thigh + leg->shin));
        lope_ring_leg_solve(leg, gait->chains[side], &goals[side], out);
        const int turned[4] = {leg->hip, leg->knee, leg->ankle, leg->toe};
        for (int i = 0; i < 4; i++)
            gait->slots[leg->slots[turned[i]]] = out[turned[i]];
    }
}

// ---- the root's differences

static gait_end left_of(const gait_end *from, float elapsed)
{
    gait_way way = {.from = *from};
    return gait_way_end(&way, smaller(elapsed / SETTLE, 1.0f), SETTLE);
}

void gait_root_add(lope_gait *gait, gait_end place, gait_end turn)
{
    gait->root = gait_end_add(left_of(&gait->root, gait->root_elapsed), place);
    gait->root_turn = gait_end_add(left_of(&gait->root_turn, gait->root_elapsed), turn);
    gait->root_elapsed = 0.0f;
}

lope_vec3 gait_root_left(const lope_gait *gait, lope_vec3 *turn)
{
    gait_six six = gait_six_at(smaller(gait->root_elapsed / SETTLE, 1.0f), SETTLE);
    gait_way place = {.from = gait->root}, turned = {.from = gait->root_turn};
    *turn = gait_way_at(&turned, &six);
    return gait_way_at(&place, &six);
}

void gait_show(lope_gait *gait, float dt)
{
    gait_weights_at(gait, gait->frame, gait->weights);
    gait_played played = gait_play(gait, gait->frame, gait->weights, false, gait->slots, gait->chains);
    gait->rate = played.rate;
    for (int side = 0; side < 2; side++) {
        gait->flat[side] = gait_flat_pitch(gait_ring(gait), side, gait->weights);
        gait->feet[side].settling = larger(0.0f, gait->feet[side].settling - dt);
    }
    if (gait->fade.active)
        fade(gait, &played, dt);
    gait->root_rotation = played.root;
    gait->root_place = played.place;
    gait->ankles[0] = played.feet[0];
    gait->ankles[1] = played.feet[1];
    gait->root_elapsed += gait->root_dt >= 0.0f ? smaller(gait->root_dt, dt) : dt;
    gait->root_dt = -1.0f;
    lope_vec3 turn, place = gait_root_left(gait, &turn);
    place = lope_v3_add(place, gait_pelvis_at(gait, gait->frame));
    lope_transform root = {gait_turned(turn, played.root), lope_v3_add(played.place, place)}, targets[2];
    lope_quat toes[2];
    gait_feet_targets(gait, targets, toes);
    if (!gait_has_ik(gait)) // only what the weights do
        for (int side = 0; side < 2; side++) {
            targets[side] = gait->feet[side].played[0];
            toes[side] = gait->feet[side].played_toe[0];
        }
    solve_legs(gait, &root, targets, toes, dt);
    gait_feet_remember(gait, targets, toes);
    write_pose(gait, root);
}
