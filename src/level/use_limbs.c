// SPDX-License-Identifier: MIT
// Feet and hands of a use. What touches in the motion holds a point of the real thing: the offset to the motion is what
// that takes. In between, offsets go over from the point that was let go of to the one that comes next, which is looked
// up ahead in the motion, so nothing jumps when it is reached.
#include <string.h>

#include "level/use.h"
#include "lope/ground.h"
#include "motion/joints.h"

#define SOFTNESS 0.005f // metres before full stretch from which on a limb reaches less than asked
#define LOOK_AHEAD 75   // frames that the next touch is looked for in
#define LET_GO 0.4f     // seconds over which an offset fades where nothing is touched next
#define ARC 0.05f       // metres that feet are lifted by when the body turns on a seat
#define HIGHER 0.09f    // metres that feet rather take a rung above than below
#define STRAIGHT 0.985f // share of its length up to which a leg is stretched
#define REACHED 0.005f  // metres from its point at which a limb still touches
#define NEAR 0.03f      // metres from a point within which an unplanned hold counts
#define IN_HAND 0.015f  // metres from the top of a rung to its middle, which a palm is around
#define SNAP 0.3f       // metres above and below in which ground is looked for

static const unsigned BITS[USE_LIMBS] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT, LOPE_CONTACT_LEFT_HAND,
                                         LOPE_CONTACT_RIGHT_HAND};

// Of a foot the middle of the parts that touch, of both where none does; of a hand the palm.
static lope_vec3 limb_point(int limb, unsigned bits, const lope_vec3 points[LOPE_CONTACT_COUNT])
{
    if (limb >= 2)
        return points[PART_LEFT_HAND + limb - 2];
    unsigned touching = bits >> (2 * limb) & 3u;
    float ball = touching == 1u ? 0.0f : touching == 2u ? 1.0f : 0.5f;
    return lope_v3_lerp(points[2 * limb], points[2 * limb + 1], ball);
}

static float foot_heading(int limb, const lope_vec3 points[LOPE_CONTACT_COUNT])
{
    lope_vec3 sole = lope_v3_sub(points[2 * limb + 1], points[2 * limb]);
    return (float)lope_atan2((double)sole.x, (double)sole.z);
}

// ---- where things are

// The rung nearest to a height, rather above it than below: legs bend more easily than they stretch.
static bool snap_to_rung(const lope_use *u, int limb, lope_vec3 *point)
{
    const use_ladder *l = &u->is.ladder;
    const float bias = limb < 2 ? HIGHER : 0.0f;
    lope_spot local = lope_spot_mul(lope_spot_inverse(l->foot), (lope_spot){point->x, point->y, point->z, 0.0f});
    if (fabsf(local.z) > 0.09f || l->rung_count == 0)
        return false;
    int best = 0;
    for (int i = 1; i < l->rung_count; i++)
        if (fabsf(l->rungs[i] - local.y - bias) < fabsf(l->rungs[best] - local.y - bias))
            best = i;
    if (fabsf(l->rungs[best] - local.y) > 0.26f)
        return false;
    float y = l->rungs[best] - (limb < 2 ? 0.0f : IN_HAND);
    lope_spot on = lope_spot_mul(l->foot, (lope_spot){local.x, y, local.z, 0.0f});
    *point = lope_v3(on.x, on.y, on.z);
    return true;
}

// The point of the level that is meant by a point of the motion. False: there is none near.
static bool snap(const lope_use *u, int limb, lope_vec3 *point)
{
    lope_terrain_hit hit;
    if (u->kind == LOPE_USE_LADDER && snap_to_rung(u, limb, point))
        return true;
    if (!u->def.level)
        return true;
    if (limb >= 2 && u->kind == LOPE_USE_SEAT) // a desk that is nearer or farther than in the motion
        *point = lope_v3_add(*point, lope_quat_rotate(lope_quat_yaw(u->turned.yaw), lope_v3(0, 0, u->is.seat.desk)));
    if (!lope_terrain_below(lope_level_terrain(u->def.level), NULL, lope_v3(point->x, point->y + SNAP, point->z),
                            2.0f * SNAP, &hit))
        return limb < 2 && u->kind != LOPE_USE_LADDER;
    point->y = hit.point.y;
    return true;
}

// ---- when they touch

// Feet step one after the other while the body turns on its seat; 0 to 1 within the step, negative outside of it.
static float swivel_step(const lope_use *u, int side, bool *out)
{
    const float s = u->now.swivel;
    const bool leave = u->leaving || u->seconds <= 0.0f;
    if (u->mode != USE_STAY || u->thing.yaw == u->turned.yaw || (leave ? s <= 0.0f : s >= 1.0f))
        return -1.0f;
    bool left_first = lope_wrap_angle(u->turned.yaw - u->thing.yaw) > 0.0f;
    const float done = leave ? 1.0f - s : s, begin = (side == 0) == (left_first != leave) ? 0.02f : 0.42f;
    *out = leave;
    return done >= begin && done < begin + 0.52f ? (done - begin) / 0.52f : -1.0f;
}

static void find_points(lope_use *u, const use_cursor *at, lope_vec3 points[LOPE_CONTACT_COUNT])
{
    use_sample(u, at, &u->spare[0]);
    lope_pose_to_model(u->def.blocks->set->skeleton, &u->spare[0], u->model);
    lope_contact_places(&u->anatomy, u->model, points);
}

// Where a limb that was let go of comes down next.
static void look_ahead(lope_use *u, int limb)
{
    use_limb *l = &u->limbs[limb];
    use_cursor at = u->now;
    int index = u->in_index;
    const float rate = (float)use_clip(u, &at.step)->frame_rate;
    l->lands = false;
    l->to = lope_v3(0.0f, 0.0f, 0.0f);
    l->flight = LET_GO;
    bool free = !(use_contacts(u, &at) & BITS[limb]); // otherwise what touches now is nothing that is there
    for (int ahead = 1; ahead <= LOOK_AHEAD; ahead++) {
        at.frame += 1.0f;
        at.time += 1.0f / rate;
        if (at.frame > (float)(use_segment(u, &at.step)->piece.frames - 1)) {
            if (u->mode != USE_IN || ++index >= u->in_count)
                return;
            at.step = u->in[index];
            at.frame = 0.0f;
        }
        unsigned bits = use_contacts(u, &at) & BITS[limb];
        free = free || !bits;
        if (!bits || !free)
            continue;
        lope_vec3 points[LOPE_CONTACT_COUNT];
        find_points(u, &at, points);
        lope_vec3 meant = limb_point(limb, bits, points), target = meant;
        l->lands = snap(u, limb, &target);
        l->landing = target;
        l->to = l->lands ? lope_v3_sub(target, meant) : l->to;
        l->flight = fmaxf((float)ahead / rate, 1.0f / rate);
        return;
    }
}

// The same for feet while the body turns on a seat: where they are once it has turned.
static void look_around(lope_use *u, int limb, bool out)
{
    use_limb *l = &u->limbs[limb];
    use_cursor at = u->now;
    lope_vec3 points[LOPE_CONTACT_COUNT], now[LOPE_CONTACT_COUNT];
    find_points(u, &at, now);
    at.swivel = out ? 0.0f : 1.0f;
    find_points(u, &at, points);
    l->landing = limb_point(limb, BITS[limb], points);
    l->lands = snap(u, limb, &l->landing);
}

// ---- offsets

static void let_go(lope_use *u, int limb, float turning, bool out)
{
    use_limb *l = &u->limbs[limb];
    l->held = false;
    l->bits = 0u;
    l->from = l->offset;
    l->from_turn = l->turn;
    l->flown = 0.0f;
    if (turning >= 0.0f)
        look_around(u, limb, out);
    else
        look_ahead(u, limb);
}

// Takes hold where it was to land. False where there is nothing.
static bool take_hold(const lope_use *u, int limb, lope_vec3 point, float heading, use_limb *l)
{
    lope_vec3 at = point;
    if (l->lands && l->flown > l->flight - 0.05f)
        at = l->landing;
    else if (l->lands || !snap(u, limb, &at) || lope_v3_distance(at, lope_v3_add(point, l->offset)) > NEAR)
        return false;
    l->point = at;
    l->heading = heading + l->turn;
    l->held = true;
    return true;
}

static bool hold(lope_use *u, int limb, unsigned bits, lope_vec3 point, float heading)
{
    use_limb *l = &u->limbs[limb];
    if (!l->held && !take_hold(u, limb, point, heading, l))
        return false;
    if (l->bits != bits && l->bits) // another part of the sole carries: nothing moves
        l->point = lope_v3_add(point, l->offset);
    l->bits = bits;
    l->offset = lope_v3_sub(l->point, point);
    l->turn = limb < 2 ? lope_wrap_angle(l->heading - heading) : 0.0f;
    return true;
}

// A limb in the air. `turning` is how far a step on a seat has come.
static void fly(lope_use *u, int limb, lope_vec3 point, float turning, float dt)
{
    use_limb *l = &u->limbs[limb];
    l->flown += dt;
    float share = lope_ease(turning >= 0.0f ? turning : l->flight > 0.0f ? l->flown / l->flight : 1.0f);
    if (turning >= 0.0f)
        l->to = lope_v3_sub(l->landing, point);
    l->offset = lope_v3_lerp(l->from, l->to, share);
    if (turning >= 0.0f)
        l->offset.y += ARC * 4.0f * share * (1.0f - share);
    l->turn = l->from_turn * (1.0f - share);
}

// A foot that rides above a slide: what it was off fades, and it is kept out of the surface.
static void ride(lope_use *u, int limb, const lope_vec3 points[LOPE_CONTACT_COUNT], float dt)
{
    use_limb *l = &u->limbs[limb];
    float left = fmaxf(1.0f - 4.0f * dt, 0.0f);
    float push = use_slide_push(u, points[2 * limb], points[2 * limb + 1]);
    l->held = false;
    l->bits = 0u;
    l->flown = l->flight = 0.0f;
    l->turn *= left;
    l->offset = lope_v3(l->offset.x * left, fmaxf(l->offset.y * left, push), l->offset.z * left);
    l->from = l->to = l->offset;
    l->lands = false;
}

static void find_offset(lope_use *u, int limb, const lope_vec3 points[LOPE_CONTACT_COUNT], float dt)
{
    use_limb *l = &u->limbs[limb];
    bool out = false;
    float turning = limb < 2 ? swivel_step(u, limb, &out) : -1.0f;
    unsigned bits = turning >= 0.0f ? 0u : use_contacts(u, &u->now) & BITS[limb];
    float heading = limb < 2 ? foot_heading(limb, points) : 0.0f;
    if (bits && hold(u, limb, bits, limb_point(limb, bits, points), heading))
        return;
    lope_vec3 point = limb_point(limb, 0u, points);
    if (limb < 2 && use_slide_rides(u)) {
        ride(u, limb, points, dt);
        return;
    }
    if (l->held || (turning < 0.0f && l->flown >= l->flight))
        let_go(u, limb, turning, out);
    fly(u, limb, point, turning, dt);
}

// Metres that the hips must come down so that a foot reaches its point.
static float too_short(const lope_use *u, int limb)
{
    const use_limb *l = &u->limbs[limb];
    lope_vec3 hip = u->model[l->joints.upper].translation, knee = u->model[l->joints.lower].translation;
    lope_vec3 ankle = u->model[l->joints.end].translation, to = lope_v3_add(ankle, l->applied);
    float full = lope_v3_distance(hip, knee) + lope_v3_distance(knee, ankle), has = lope_v3_distance(hip, ankle);
    float reach = fmaxf(STRAIGHT * full, has),
          level2 = (to.x - hip.x) * (to.x - hip.x) + (to.z - hip.z) * (to.z - hip.z);
    float high = reach * reach > level2 ? sqrtf(reach * reach - level2) : 0.0f;
    return hip.y - to.y - high;
}

static void lower_hips(lope_use *u, float dt)
{
    float need = 0.0f;
    for (int limb = 0; limb < 2; limb++)
        if (u->limbs[limb].joints.upper >= 0 && u->limbs[limb].held)
            need = fmaxf(need, too_short(u, limb));
    need = fminf(need, 0.12f);
    float share = dt > 0.0f ? fminf(dt / (need > u->drop ? 0.08f : 0.2f), 1.0f) : 1.0f;
    u->drop += (need - u->drop) * share;
    if (u->drop > 1e-5f) {
        pose_raise(&u->pose, -u->drop);
        for (int limb = 0; limb < USE_LIMBS; limb++)
            if (u->limbs[limb].held)
                u->limbs[limb].applied.y += u->drop;
        lope_pose_to_model(u->def.blocks->set->skeleton, &u->pose, u->model);
    }
}

static void turn_foot(lope_use *u, const use_limb *l)
{
    const lope_skeleton *skeleton = u->def.blocks->set->skeleton;
    int end = l->joints.end, above = skeleton->parents[end];
    lope_quat world = lope_quat_mul(lope_quat_yaw(l->turn), u->model[end].rotation);
    u->pose.rotations[end] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(u->model[above].rotation), world));
}

// Turning a foot moves its sole, which makes up for it.
static void turn_feet(lope_use *u, const lope_vec3 points[LOPE_CONTACT_COUNT])
{
    lope_vec3 turned[LOPE_CONTACT_COUNT];
    for (int limb = 0; limb < 2; limb++)
        if (u->limbs[limb].joints.upper >= 0 && fabsf(u->limbs[limb].turn) > 1e-5f)
            turn_foot(u, &u->limbs[limb]);
    lope_pose_to_model(u->def.blocks->set->skeleton, &u->pose, u->model);
    lope_contact_places(&u->anatomy, u->model, turned);
    for (int limb = 0; limb < USE_LIMBS; limb++) {
        use_limb *l = &u->limbs[limb];
        unsigned bits = l->held ? l->bits : 0u;
        lope_vec3 moved = lope_v3_sub(limb_point(limb, bits, points), limb_point(limb, bits, turned));
        l->applied = limb < 2 ? lope_v3_add(l->offset, moved) : l->offset;
    }
}

static void reach(lope_use *u, int limb)
{
    use_limb *l = &u->limbs[limb];
    const lope_skeleton *skeleton = u->def.blocks->set->skeleton;
    if (l->joints.upper < 0)
        return;
    float missed = 0.0f;
    if (lope_v3_length(l->applied) > 1e-5f)
        missed = lope_ik_limb(skeleton, l->joints, lope_v3_add(u->model[l->joints.end].translation, l->applied),
                              SOFTNESS, &u->pose, u->model);
    if (missed > REACHED)
        u->contacts = (uint16_t)(u->contacts & ~BITS[limb]);
}

static void copy_pose(const lope_pose *from, lope_pose *to)
{
    lope_pose_lerp(from, from, 0.0f, to);
}

void use_limbs_place(lope_use *u, float dt)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    const lope_skeleton *skeleton = u->def.blocks->set->skeleton;
    lope_pose_to_model(skeleton, &u->base, u->model);
    lope_contact_places(&u->anatomy, u->model, points);
    u->contacts = (uint16_t)use_contacts(u, &u->now);
    for (int limb = 0; limb < USE_LIMBS; limb++) {
        find_offset(u, limb, points, dt);
        if (!u->limbs[limb].held)
            u->contacts = (uint16_t)(u->contacts & ~BITS[limb]);
    }
    copy_pose(&u->base, &u->pose);
    use_gesture_add(u, dt);
    lope_pose_to_model(skeleton, &u->pose, u->model);
    turn_feet(u, points);
    lower_hips(u, dt);
    for (int limb = 0; limb < USE_LIMBS; limb++)
        reach(u, limb);
}

void use_limbs_hold(lope_use *u, const lope_moment *moment)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_pose_to_model(u->def.blocks->set->skeleton, &u->base, u->model);
    lope_contact_places(&u->anatomy, u->model, points);
    for (int limb = 0; limb < USE_LIMBS; limb++) {
        use_limb *l = &u->limbs[limb];
        *l = (use_limb){.joints = l->joints};
        unsigned bits = use_contacts(u, &u->now) & BITS[limb];
        if (limb >= 2 || !(moment->contacts & BITS[limb]) || !bits)
            continue;
        l->held = true;
        l->bits = bits;
        l->point = limb_point(limb, bits, moment->points);
        snap(u, limb, &l->point);
        l->heading = foot_heading(limb, moment->points);
    }
}
