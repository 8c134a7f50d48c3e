// SPDX-License-Identifier: MIT
// Plans on characters: the flat figure becomes a skeleton with roles. The plane of the plan is the world's x and y;
// limbs get the width of shoulders and hips, hands and feet are put on, and turning round is a real turn about the
// vertical.
//
// Trunk and limbs follow the figure's directions. Knees and elbows come from two-bone IK to ankles and wrists, so what
// is held stays held. Feet lie flat on what they stand on, rise onto the ball where the shin asks for it, and keep out
// of solids as hands do (clip_ends.c).
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/body.h"
#include "grasp/clip_ends.h"
#include "grasp/clip_free.h"
#include "grasp/clip_speed.h"
#include "lope/contacts.h"
#include "lope/ik.h"

#define SETTLE 0.15       // seconds before and after a contact in which toes lie on the ground
#define ROUND_LIFT 0.05   // metres that feet lift while they step round
#define LONGEST 0.998f    // of its length that a leg uses at most
#define FASTEST 10.0      // radians per second of any joint (573 degrees)
#define FASTEST_FREE 16.0 // where solids are known: slowed down, a limb would cut their corners
#define HEEL_RISE 0.1     // radians that a heel is looked for higher at once where a leg does not get to the ground
#define TOES_BEND 0.7     // radians at most
#define HEEL_ROUNDS 12
#define BONE_PLACES 4    // of a bone that are looked at for solids
#define FREE (-0.005)    // metres from solids at which they are free
#define SPREAD_TIME 0.08 // seconds in which knees and elbows go to the side
#define MOST_SPREAD 4.0f // parts to the side of what a knee is ahead
#define GIVE_ROUNDS 12
#define HEEL_UP 0.006 // metres above the ground from which on a heel does not touch

typedef struct limb_joints {
    lope_limb joints;
    float upper, lower;       // lengths
    float beyond;             // wrist to palm, ankle to sole
    int toe;                  // -1: none
    lope_vec3 heel, ball, up; // of feet at rest, from the ankle; up out of the sole, unit
    lope_quat level;          // turns a foot at rest so that its sole is level and points to +Z
} limb_joints;

typedef struct performer {
    const lope_climb_plan *plan;
    const lope_grasp_body *body;
    const lope_skeleton *skeleton;
    lope_transform *rest, *model; // [joint_count]
    limb_joints limbs[LOPE_LIMB_COUNT];
    lope_vec3 hip_middle; // of the hip joints, in the root's frame at rest
    float rest_lean;      // of the line from there to the middle of the shoulders
    float *settled;       // [frame_count * LOPE_LIMB_COUNT] 1 while a limb holds, less before and after
    double pitch[2];      // of the feet in this frame
    float *spread;        // [frame_count * LOPE_LIMB_COUNT] how far knees and elbows go to the side
    clip_ends ends;
    bool plain; // no solids are known: the figure is followed as it is
    bool looks; // for how far limbs have to spread; places nothing
} performer;

static const clip_end *end_of(const performer *p, const lope_climb_frame *frame, int limb)
{
    return &p->ends.items[(size_t)(frame - p->plan->frames) * LOPE_LIMB_COUNT + (size_t)limb];
}

static float settled(const performer *p, const lope_climb_frame *frame, int limb)
{
    return p->settled[(size_t)(frame - p->plan->frames) * LOPE_LIMB_COUNT + (size_t)limb];
}

static bool find_limb(const lope_skeleton *skeleton, int limb, lope_limb *out)
{
    lope_side side = limb & 1 ? LOPE_RIGHT : LOPE_LEFT;
    return body_is_leg(limb) ? lope_skeleton_leg(skeleton, side, out) : lope_skeleton_arm(skeleton, side, out);
}

static bool hangs_on(const lope_skeleton *skeleton, int joint, int ancestor)
{
    while (joint > ancestor)
        joint = skeleton->parents[joint];
    return joint == ancestor;
}

// How far the hand goes on beyond a wrist: to the farthest finger or tip.
static float hand_length(const lope_skeleton *skeleton, const lope_transform *rest, int wrist)
{
    float longest = 0.0f;
    for (int j = wrist; j < skeleton->joint_count; j++)
        if (hangs_on(skeleton, j, wrist)) {
            lope_vec3 tip = lope_transform_point(rest[j], skeleton->tips[j]);
            longest = fmaxf(longest, lope_v3_distance(rest[wrist].translation, tip));
        }
    return longest;
}

// The sole of a foot at rest: rest poses need not stand on it.
static void measure_sole(const lope_skeleton *skeleton, const lope_transform *rest, int side, limb_joints *out)
{
    lope_vec3 points[LOPE_CONTACT_COUNT], ankle = rest[out->joints.end].translation;
    lope_contact_points(skeleton, rest, points);
    out->heel = lope_v3_sub(points[2 * side], ankle);
    out->ball = lope_v3_sub(points[2 * side + 1], ankle);
    lope_vec3 ahead = lope_v3_normalize(lope_v3_sub(out->ball, out->heel), lope_v3(0, 0, 1));
    out->up = lope_v3_mad(out->heel, ahead, -lope_v3_dot(out->heel, ahead));
    out->up = lope_v3_normalize(lope_v3_scale(out->up, -1.0f), lope_v3(0, 1, 0));
    float lowest = 0.0f;
    for (int j = 0; j < skeleton->joint_count; j++)
        lowest = fminf(lowest, rest[j].translation.y);
    lope_quat first = lope_quat_between(ahead, lope_v3(0, 0, 1));
    lope_vec3 up = lope_quat_rotate(first, out->up);
    lope_quat roll = lope_quat_axis_angle(lope_v3(0, 0, 1), (float)lope_atan2((double)up.x, (double)up.y));
    out->level = lope_quat_normalize(lope_quat_mul(roll, first));
    out->beyond = fmaxf(ankle.y - lowest, 0.0f);
    out->toe = skeleton->roles[side ? LOPE_RIGHT_TOE : LOPE_LEFT_TOE];
}

static lope_status measure(const lope_skeleton *skeleton, const lope_transform *rest,
                           limb_joints limbs[LOPE_LIMB_COUNT], lope_error *error)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (!find_limb(skeleton, i, &limbs[i].joints))
            return lope_fail(error, LOPE_MISMATCH, "the skeleton has no %s %s: climbing needs both arms and both legs",
                             i & 1 ? "right" : "left", body_is_leg(i) ? "leg" : "arm");
        lope_limb joints = limbs[i].joints;
        limbs[i].upper = lope_v3_distance(rest[joints.upper].translation, rest[joints.lower].translation);
        limbs[i].lower = lope_v3_distance(rest[joints.lower].translation, rest[joints.end].translation);
        limbs[i].toe = -1;
        if (body_is_leg(i))
            measure_sole(skeleton, rest, i - LOPE_LEFT_LEG, &limbs[i]);
        else // half a hand
            limbs[i].beyond = 0.5f * hand_length(skeleton, rest, joints.end);
    }
    return LOPE_OK;
}

static lope_vec3 middle(lope_vec3 a, lope_vec3 b)
{
    return lope_v3_lerp(a, b, 0.5f);
}

lope_status lope_climb_body_of(const lope_skeleton *skeleton, lope_grasp_body *out, lope_error *error)
{
    limb_joints limbs[LOPE_LIMB_COUNT];
    *out = lope_grasp_body_default();
    lope_transform *rest = lope_alloc_array((size_t)skeleton->joint_count, sizeof *rest);
    if (!rest)
        return lope_fail_memory(error);
    lope_skeleton_rest_model(skeleton, rest);
    lope_status status = measure(skeleton, rest, limbs, error);
    if (!status) {
        lope_vec3 hips = middle(rest[limbs[2].joints.upper].translation, rest[limbs[3].joints.upper].translation);
        lope_vec3 shoulders = middle(rest[limbs[0].joints.upper].translation, rest[limbs[1].joints.upper].translation);
        for (int leg = 0; leg < 2; leg++) {
            out->length[leg][0] = (double)limbs[2 * leg].upper;
            out->length[leg][1] = (double)(limbs[2 * leg].lower + limbs[2 * leg].beyond);
        }
        out->spine = (double)lope_v3_distance(hips, shoulders);
        lope_vec3 trunk = lope_v3_sub(shoulders, hips);
        for (int leg = 2; leg < 4 && !status; leg++) {
            lope_vec3 down =
                lope_v3_sub(rest[limbs[leg].joints.end].translation, rest[limbs[leg].joints.upper].translation);
            if (trunk.y <= 0.0f || lope_v3_dot(trunk, down) >= 0.0f)
                status =
                    lope_fail(error, LOPE_MISMATCH,
                              "in the rest pose of the skeleton the legs do not hang below the trunk: climbing needs "
                              "a rest pose that stands");
        }
        double whole = out->length[1][0] + out->length[1][1] + out->spine;
        out->head = 0.25 * whole / 1.45;
        out->unit = 0.5 * whole / 1.45;
        if (!status && !(whole > 0.2 && whole < 20.0 && out->spine > 0.05))
            status =
                lope_fail(error, LOPE_MISMATCH, "a skeleton whose legs and trunk measure %.2f m cannot climb", whole);
    }
    lope_free(rest);
    return status;
}

// Directions of the frame: ahead, up, and to the body's left.
typedef struct compass {
    lope_vec3 ahead, left;
    lope_quat yaw;
} compass;

static compass compass_of(double yaw)
{
    float cosine = (float)lope_cos(yaw), sine = (float)lope_sin(yaw);
    return (compass){lope_v3(cosine, 0.0f, -sine), lope_v3(-sine, 0.0f, -cosine),
                     lope_quat_yaw((float)(0.5 * LOPE_PI + yaw))};
}

// A direction that hangs down at 0 and swings ahead, in a plane spread to the side.
static lope_vec3 hanging(const compass *c, double angle, double spread)
{
    float forward = (float)lope_sin(angle), down = (float)-lope_cos(angle);
    lope_vec3 v = lope_v3_scale(c->ahead, forward);
    v = lope_v3_mad(v, lope_v3(0, 1, 0), down * (float)lope_cos(spread));
    return lope_v3_mad(v, c->left, down * (float)lope_sin(spread));
}

// Turns a joint and what hangs on it.
static void turn_branch(performer *p, int joint, lope_quat turn)
{
    lope_vec3 pivot = p->model[joint].translation;
    for (int j = joint; j < p->skeleton->joint_count; j++) {
        if (!hangs_on(p->skeleton, j, joint))
            continue;
        lope_vec3 arm = lope_v3_sub(p->model[j].translation, pivot);
        p->model[j].translation = lope_v3_add(pivot, lope_quat_rotate(turn, arm));
        p->model[j].rotation = lope_quat_normalize(lope_quat_mul(turn, p->model[j].rotation));
    }
}

// Turns a joint so that its bone, which runs to `child`, points along `to`.
static void point_bone(performer *p, int joint, int child, lope_vec3 to)
{
    lope_vec3 bone = lope_v3_sub(p->model[child].translation, p->model[joint].translation);
    lope_quat turn = lope_quat_between(lope_v3_normalize(bone, to), lope_v3_normalize(to, lope_v3(0, -1, 0)));
    turn_branch(p, joint, turn);
}

// The trunk: everything at rest, turned and leaned about the middle of the hips.
static void place_trunk(performer *p, const lope_climb_frame *frame, const compass *c, float lower)
{
    float angle = (float)frame->pose.spine - p->rest_lean;
    lope_quat lean = lope_quat_mul(c->yaw, lope_quat_axis_angle(lope_v3(1, 0, 0), angle));
    lope_vec3 hip = lope_v3((float)frame->pose.hip.x, (float)frame->pose.hip.y - lower, 0.0f);
    for (int j = 0; j < p->skeleton->joint_count; j++) {
        lope_vec3 arm = lope_v3_sub(p->rest[j].translation, p->hip_middle);
        p->model[j].translation = lope_v3_add(hip, lope_quat_rotate(lean, arm));
        p->model[j].rotation = lope_quat_mul(lean, p->rest[j].rotation);
    }
    int neck = p->skeleton->roles[LOPE_NECK], head = p->skeleton->roles[LOPE_HEAD];
    int joint = neck >= 0 ? neck : head, child = neck >= 0 && head >= 0 ? head : -1;
    if (joint >= 0 && child >= 0)
        point_bone(p, joint, child, hanging(c, LOPE_PI - frame->pose.spine - frame->pose.neck, 0.0));
}

// Where the figure's limb ends, at the width of this side.
static lope_vec3 figure_end(const performer *p, const lope_climb_frame *frame, const compass *c, int limb)
{
    lope_vec3 at = lope_climb_extremity(p->body, frame, (lope_grasp_limb)limb);
    float out = p->rest[p->limbs[limb].joints.upper].translation.x - p->hip_middle.x;
    if (!body_is_leg(limb))
        return lope_v3_mad(at, c->left, out);
    double turned = clip_foot_turned(frame, limb);
    at = lope_v3_mad(at, lope_v3(0, 1, 0), (float)(ROUND_LIFT * lope_sin(LOPE_PI * turned)));
    return lope_v3_mad(at, lope_v3(0, 0, -1), out * (float)lope_cos(LOPE_PI * turned));
}

// Where the ankle is when the foot is pitched so far: above what it stands on, in the air on the line of the shin.
static lope_vec3 ankle_at(const performer *p, const lope_climb_frame *frame, const compass *c, int limb, double pitch)
{
    if (p->plain) {
        double flat = (double)settled(p, frame, limb), far = clip_far_angle(frame, limb);
        lope_vec3 below = hanging(c, far - (pitch + far) * flat, frame->spread[limb] * (1.0 - flat));
        return lope_v3_mad(figure_end(p, frame, c, limb), below, -p->limbs[limb].beyond);
    }
    const clip_end *end = end_of(p, frame, limb);
    compass foot = compass_of(LOPE_PI * clip_foot_turned(frame, limb));
    lope_xy to = clip_foot_ankle(&p->ends.shapes[limb], end, pitch);
    lope_vec3 above = lope_v3_add(lope_v3_scale(foot.ahead, (float)to.x), lope_v3(0.0f, (float)to.y, 0.0f));
    lope_vec3 along =
        lope_v3_scale(hanging(c, clip_far_angle(frame, limb), frame->spread[limb]), -p->limbs[limb].beyond);
    lope_vec3 at = lope_v3_add(figure_end(p, frame, c, limb), lope_v3_lerp(along, above, settled(p, frame, limb)));
    return lope_v3_add(at, lope_v3((float)end->push.x, (float)end->push.y, 0.0f));
}

// Metres that a leg is too short for its ankle.
static double leg_lacks(const performer *p, const lope_climb_frame *frame, const compass *c, int limb, double pitch)
{
    const limb_joints *l = &p->limbs[limb];
    lope_vec3 base = p->model[l->joints.upper].translation;
    return (double)(lope_v3_distance(ankle_at(p, frame, c, limb, pitch), base) - LONGEST * (l->upper + l->lower));
}

// Without solids: level as far as the ankle gives and the leg gets there.
static double plain_pitch(const performer *p, const lope_climb_frame *frame, const compass *c, int limb)
{
    double far = clip_far_angle(frame, limb), wanted = clamp_to(far, -CLIP_ANKLE_PLAY, CLIP_ANKLE_PLAY);
    double low = 0.0, high = 1.0;
    if (leg_lacks(p, frame, c, limb, wanted - far) <= 0.0)
        return wanted - far;
    for (int i = 0; i < 12; i++) {
        double part = 0.5 * (low + high);
        if (leg_lacks(p, frame, c, limb, part * wanted - far) <= 0.0)
            low = part;
        else
            high = part;
    }
    return low * wanted - far;
}

// How far the foot is pitched: level with the ground, as far as the ankle gives and as the leg gets there; heels rise
// where it does not, as long as that helps.
static double foot_pitch(const performer *p, const lope_climb_frame *frame, const compass *c, int limb)
{
    if (p->plain)
        return plain_pitch(p, frame, c, limb);
    double wanted = clip_foot_pitch(clip_far_angle(frame, limb), end_of(p, frame, limb)->ground), high = wanted;
    double lack = leg_lacks(p, frame, c, limb, high);
    for (double step = HEEL_RISE; step > 1e-4 && lack > 0.0; step *= 0.5)
        for (int i = 0; i < HEEL_ROUNDS; i++) {
            double next = leg_lacks(p, frame, c, limb, high + step);
            if (next >= lack || next < 0.0)
                break;
            high += step;
            lack = next;
        }
    return wanted + (high - wanted) * (double)settled(p, frame, limb); // in the air nothing has to be reached
}

// Hips have a width: while they turn over feet that stand far apart, the body has to sink for its legs to get there.
static void sink_to_feet(performer *p, const lope_climb_frame *frame, const compass *c)
{
    float lower = 0.0f;
    for (int k = 0; k < 8; k++) {
        float lack = 0.0f;
        for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
            const limb_joints *l = &p->limbs[i];
            lope_vec3 ankle = lope_v3_mad(figure_end(p, frame, c, i), lope_v3(0, 1, 0), l->beyond);
            float far = lope_v3_distance(ankle, p->model[l->joints.upper].translation);
            lack = fmaxf(lack, far - LONGEST * (l->upper + l->lower));
        }
        if (lack <= 0.0f)
            return;
        lower += 1.5f * lack;
        place_trunk(p, frame, c, lower);
    }
}

// The foot as it is pitched, and toes that stay on the ground where the heel rises.
static void place_foot(performer *p, const lope_climb_frame *frame, int limb)
{
    const limb_joints *l = &p->limbs[limb];
    compass foot = compass_of(LOPE_PI * clip_foot_turned(frame, limb));
    double pitch = p->pitch[limb - LOPE_LEFT_LEG], ground = end_of(p, frame, limb)->ground;
    lope_vec3 across = lope_quat_rotate(foot.yaw, lope_v3(1, 0, 0));
    lope_quat level = lope_quat_mul(foot.yaw, lope_quat_axis_angle(lope_v3(1, 0, 0), (float)pitch));
    if (!p->plain)
        level = lope_quat_mul(level, l->level);
    lope_quat wanted = lope_quat_mul(level, p->rest[l->joints.end].rotation);
    turn_branch(p, l->joints.end, lope_quat_mul(wanted, lope_quat_conjugate(p->model[l->joints.end].rotation)));
    float bend = (float)clamp_to(pitch - ground, 0.0, TOES_BEND) * settled(p, frame, limb);
    if (l->toe >= 0 && bend > 0.0f && !p->plain)
        turn_branch(p, l->toe, lope_quat_axis_angle(across, -bend));
}

// The hand goes on from the forearm, bent so that it points where it has to.
static void place_hand(performer *p, int limb, lope_vec3 along)
{
    lope_limb arm = p->limbs[limb].joints;
    lope_vec3 fore = lope_v3_sub(p->model[arm.end].translation, p->model[arm.lower].translation);
    turn_branch(p, arm.end, lope_quat_between(lope_v3_normalize(fore, along), along));
}

static lope_vec3 wrist_at(const performer *p, const lope_climb_frame *frame, const compass *c, int limb)
{
    const clip_end *end = end_of(p, frame, limb);
    lope_vec3 hand = hanging(c, clip_far_angle(frame, limb) + end->turn, frame->spread[limb]);
    float straight = p->plain ? 1.0f : (float)CLIP_STRAIGHT_HAND;
    float part = straight + (1.0f - straight) * settled(p, frame, limb);
    lope_vec3 at = lope_v3_mad(figure_end(p, frame, c, limb), hand, -part * p->limbs[limb].beyond);
    return lope_v3_add(at, lope_v3((float)end->push.x, (float)end->push.y, 0.0f));
}

// Where a limb that holds does not get there any more, because of how hand or foot had to be put, the body gives way.
static void give_way(performer *p, const lope_climb_frame *frame, const compass *c)
{
    bool all = p->plain;
    for (int round = 0; round < GIVE_ROUNDS && !all; round++) {
        all = true;
        for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
            const limb_joints *l = &p->limbs[i];
            float held = settled(p, frame, i);
            if (held <= 0.0f)
                continue;
            lope_vec3 at =
                body_is_leg(i) ? ankle_at(p, frame, c, i, foot_pitch(p, frame, c, i)) : wrist_at(p, frame, c, i);
            lope_vec3 to = lope_v3_sub(at, p->model[l->joints.upper].translation);
            float far = lope_v3_length(to), lack = held * (far - LONGEST * (l->upper + l->lower));
            all &= lack < 1e-4f;
            for (int j = 0; lack > 0.0f && j < p->skeleton->joint_count; j++)
                p->model[j].translation = lope_v3_mad(p->model[j].translation, to, lack / far);
        }
    }
}

// Where the planned knee or elbow is, off the line from end to end.
static lope_vec3 bend_of(const compass *c, double near, double far, double spread, bool leg)
{
    lope_vec3 upper = hanging(c, near, spread), lower = hanging(c, far, spread);
    lope_vec3 pole = lope_v3_sub(upper, lope_v3_normalize(lope_v3_add(upper, lower), upper));
    return lope_v3_length(pole) < 0.02f ? lope_v3_scale(c->ahead, leg ? 1.0f : -1.0f) : pole;
}

static lope_vec3 outwards(const compass *c, int limb)
{
    return lope_v3_scale(c->left, limb & 1 ? -1.0f : 1.0f);
}

// Whether a limb with its knee or elbow there is out of solids, but for its ends.
static bool limb_is_free(const performer *p, lope_vec3 base, lope_vec3 bend, lope_vec3 end)
{
    for (int i = 1; i <= 2 * BONE_PLACES; i++) {
        float t = (float)(i > BONE_PLACES ? i - BONE_PLACES : i) / (BONE_PLACES + (i > BONE_PLACES ? 1.0f : 0.0f));
        lope_vec3 at = i > BONE_PLACES ? lope_v3_lerp(bend, end, t) : lope_v3_lerp(base, bend, t);
        if (lope_grasp_clearance(p->ends.world, (lope_xy){(double)at.x, (double)at.y}, NULL) < FREE)
            return false;
    }
    return true;
}

// How far a knee or elbow has to go to the side, against ahead, for the limb to be out of solids.
static float spread_bend(const performer *p, const compass *c, int limb, lope_vec3 end, lope_vec3 pole)
{
    const limb_joints *l = &p->limbs[limb];
    lope_vec3 base = p->model[l->joints.upper].translation, reached;
    float low = 0.0f, high = MOST_SPREAD;
    for (int i = 0; i < 8; i++) {
        float middle_of = i ? 0.5f * (low + high) : 0.0f;
        lope_vec3 to = lope_v3_mad(pole, outwards(c, limb), middle_of);
        lope_vec3 bend = lope_ik_middle(base, l->upper, l->lower, end, to, 0.0f, &reached);
        bool fits = limb_is_free(p, base, bend, reached);
        if (fits && i == 0)
            return 0.0f;
        *(fits ? &high : &low) = middle_of;
    }
    return high;
}

static void place_limb(performer *p, const lope_climb_frame *frame, const compass *c, int limb)
{
    const limb_joints *l = &p->limbs[limb];
    const clip_end *end = end_of(p, frame, limb);
    bool leg = body_is_leg(limb);
    double near = frame->pose.limb[limb][0] - frame->pose.spine, far = clip_far_angle(frame, limb);
    lope_vec3 target;
    lope_vec3 hand = hanging(c, far + end->turn, frame->spread[limb]);
    if (leg) { // soles lie below the ankle, palms beyond the wrist
        p->pitch[limb - LOPE_LEFT_LEG] = foot_pitch(p, frame, c, limb);
        target = ankle_at(p, frame, c, limb, p->pitch[limb - LOPE_LEFT_LEG]);
    } else {
        target = wrist_at(p, frame, c, limb);
    }
    lope_vec3 reached;
    lope_vec3 pole = p->plain ? bend_of(c, near, far, frame->spread[limb], leg)
                              : hanging(c, 0.5 * (near + far) + (leg ? 0.5 : -0.5) * LOPE_PI, frame->spread[limb]);
    lope_vec3 base = p->model[l->joints.upper].translation;
    float *spread = &p->spread[(size_t)(frame - p->plan->frames) * LOPE_LIMB_COUNT + (size_t)limb];
    if (p->looks) {
        *spread = spread_bend(p, c, limb, target, pole);
        return;
    }
    pole = lope_v3_mad(pole, outwards(c, limb), *spread);
    lope_vec3 bend = lope_ik_middle(base, l->upper, l->lower, target, pole, 0.0f, &reached);
    point_bone(p, l->joints.upper, l->joints.lower, lope_v3_sub(bend, base));
    point_bone(p, l->joints.lower, l->joints.end, lope_v3_sub(reached, p->model[l->joints.lower].translation));
    if (leg)
        place_foot(p, frame, limb);
    else if (!p->plain)
        place_hand(p, limb, hand);
}

// What holds counts, and what is about to or has just left, the less the longer.
static void settle(performer *p)
{
    int frames = p->plan->frame_count, window = (int)(SETTLE * p->plan->frame_rate) + 1;
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
        for (int i = 0; i < frames; i++) {
            float most = 0.0f;
            for (int k = i - window; k <= i + window; k++)
                if (k >= 0 && k < frames && p->plan->frames[k].held >> limb & 1u) {
                    float share = 1.0f - (float)(k < i ? i - k : k - i) / (float)window;
                    most = share > most ? share : most;
                }
            p->settled[LOPE_LIMB_COUNT * i + limb] = most * most * (3.0f - 2.0f * most);
        }
}

static const uint16_t bits[LOPE_LIMB_COUNT] = {LOPE_CONTACT_LEFT_HAND, LOPE_CONTACT_RIGHT_HAND, LOPE_CONTACT_LEFT_FOOT,
                                               LOPE_CONTACT_RIGHT_FOOT};

// A heel that has risen does not touch any more, nor do toes.
static uint16_t contacts_of(const performer *p, const lope_climb_frame *frame)
{
    unsigned mask = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        const clip_end_shape *shape = &p->ends.shapes[i];
        mask |= frame->held >> i & 1u && !clip_steps_round(frame, i) ? bits[i] : 0u;
        double rise = body_is_leg(i) && !p->plain ? p->pitch[i - LOPE_LEFT_LEG] - end_of(p, frame, i)->ground : 0.0;
        unsigned heel = i == LOPE_LEFT_LEG ? LOPE_CONTACT_LEFT_HEEL : LOPE_CONTACT_RIGHT_HEEL; // toes are the next bit
        if (fabs(rise) * (shape->ball - shape->heel) > HEEL_UP)
            mask &= ~(rise > 0.0 ? heel : heel << 1);
    }
    return (uint16_t)mask;
}

static void pose(performer *p, int index)
{
    const lope_climb_frame *frame = &p->plan->frames[index];
    compass c = compass_of(frame->yaw);
    place_trunk(p, frame, &c, 0.0f);
    if (fabs(lope_sin(frame->yaw)) > 1e-6)
        sink_to_feet(p, frame, &c);
    give_way(p, frame, &c);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        place_limb(p, frame, &c, i);
}

// Limbs spread in time: before they have to, and evenly.
static void even_spreads(performer *p, float *scratch)
{
    int frames = p->plan->frame_count, window = (int)(SPREAD_TIME * p->plan->frame_rate) + 1;
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++) {
        for (int i = 0; i < frames; i++) {
            scratch[i] = 0.0f;
            for (int k = i - window; k <= i + window; k++)
                if (k >= 0 && k < frames)
                    scratch[i] = fmaxf(scratch[i], p->spread[LOPE_LIMB_COUNT * k + limb]);
        }
        for (int i = 0; i < frames; i++) {
            float sum = 0.0f;
            for (int k = i - window; k <= i + window; k++)
                sum += scratch[k < 0 ? 0 : k >= frames ? frames - 1 : k];
            p->spread[LOPE_LIMB_COUNT * i + limb] = sum / (float)(2 * window + 1);
        }
    }
}

static void perform(performer *p, int index, lope_clip *clip)
{
    const lope_climb_frame *frame = &p->plan->frames[index];
    const lope_skeleton *skeleton = p->skeleton;
    pose(p, index);
    clip->root[index] = p->model[0].translation;
    lope_quat *rotations = clip->rotations + (size_t)index * (size_t)skeleton->joint_count;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parents[j];
        rotations[j] = parent < 0 ? p->model[j].rotation
                                  : lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(p->model[parent].rotation),
                                                                      p->model[j].rotation));
    }
    clip->contacts[index] = contacts_of(p, frame);
}

// Heel, ball and tips of a foot along its sole; and how far a hand reaches.
static void measure_ends(performer *p)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        const limb_joints *l = &p->limbs[i];
        clip_end_shape *shape = &p->ends.shapes[i];
        shape->height = (double)l->beyond;
        shape->tip = 2.0 * shape->height;
        shape->reach = (double)(l->upper + l->lower);
        if (!body_is_leg(i))
            continue;
        lope_vec3 ahead = lope_v3_normalize(lope_v3_sub(l->ball, l->heel), lope_v3(0, 0, 1));
        shape->heel = fmin((double)lope_v3_dot(l->heel, ahead), 0.0);
        shape->ball = fmax((double)lope_v3_dot(l->ball, ahead), 0.0);
        shape->tip = shape->ball;
        shape->bends = l->toe >= 0;
        for (int j = l->joints.end; j < p->skeleton->joint_count; j++)
            if (hangs_on(p->skeleton, j, l->joints.end)) {
                lope_vec3 tip = lope_transform_point(p->rest[j], p->skeleton->tips[j]);
                tip = lope_v3_sub(tip, p->rest[l->joints.end].translation);
                shape->tip = fmax(shape->tip, (double)lope_v3_dot(tip, ahead));
            }
        shape->pivot = shape->tip;
        if (l->toe >= 0) {
            lope_vec3 toe = lope_v3_sub(p->rest[l->toe].translation, p->rest[l->joints.end].translation);
            shape->pivot = (double)lope_v3_dot(toe, ahead);
            shape->pivot_up = shape->height + (double)lope_v3_dot(toe, l->up);
        }
    }
}

static lope_status prepare(performer *p, lope_error *error)
{
    size_t joints = (size_t)p->skeleton->joint_count, frames = (size_t)p->plan->frame_count;
    p->rest = lope_alloc_array(joints, sizeof *p->rest);
    p->model = lope_alloc_array(joints, sizeof *p->model);
    p->settled = lope_alloc_array(frames * LOPE_LIMB_COUNT, sizeof *p->settled);
    p->spread = lope_alloc_array(frames * (LOPE_LIMB_COUNT + 1), sizeof *p->spread);
    p->ends.items = lope_alloc_array(frames * LOPE_LIMB_COUNT, sizeof *p->ends.items);
    p->ends.figure = lope_alloc_array(frames * LOPE_LIMB_COUNT, sizeof *p->ends.figure);
    if (!p->rest || !p->model || !p->settled || !p->spread || !p->ends.items || !p->ends.figure)
        return lope_fail_memory(error);
    lope_skeleton_rest_model(p->skeleton, p->rest);
    lope_status status = measure(p->skeleton, p->rest, p->limbs, error);
    if (status)
        return status;
    p->hip_middle =
        middle(p->rest[p->limbs[2].joints.upper].translation, p->rest[p->limbs[3].joints.upper].translation);
    lope_vec3 up = lope_v3_sub(
        middle(p->rest[p->limbs[0].joints.upper].translation, p->rest[p->limbs[1].joints.upper].translation),
        p->hip_middle);
    p->rest_lean = (float)lope_atan2((double)up.z, (double)up.y);
    measure_ends(p);
    settle(p);
    p->ends.settled = p->settled;
    clip_ends_find(&p->ends);
    for (size_t i = 0; i < frames * LOPE_LIMB_COUNT; i++)
        p->spread[i] = 0.0f;
    p->looks = true;
    for (int i = 0; i < p->plan->frame_count && !p->plain; i++)
        pose(p, i);
    p->looks = false;
    even_spreads(p, p->spread + frames * LOPE_LIMB_COUNT);
    return LOPE_OK;
}

lope_status lope_climb_clip(const lope_climb_performance *of, lope_clip **out, lope_error *error)
{
    performer p = {.plan = of->plan, .body = of->body, .skeleton = of->skeleton};
    lope_clip *clip = NULL;
    *out = NULL;
    p.plain = !of->world;
    p.ends = (clip_ends){.plan = of->plan, .body = of->body, .world = of->world};
    lope_status status = prepare(&p, error);
    if (!status)
        status = lope_clip_create(of->skeleton, of->name, of->plan->frame_count, of->plan->frame_rate,
                                  LOPE_CLIP_CONTACTS, &clip, error);
    if (!status) {
        lope_limb limbs[LOPE_LIMB_COUNT];
        for (int i = 0; i < of->plan->frame_count; i++)
            perform(&p, i, clip);
        for (int i = 0; i < LOPE_LIMB_COUNT; i++)
            limbs[i] = p.limbs[i].joints;
        if (!clip_limit_speed(clip, limbs, bits, p.plain ? FASTEST : FASTEST_FREE) ||
            (!p.plain && !clip_free_limbs(clip, of->world, limbs, bits)))
            status = lope_fail_memory(error);
    }
    if (!status) {
        lope_clip_align_quaternions(clip);
        *out = clip;
    }
    if (status)
        lope_clip_destroy(clip);
    lope_free(p.rest);
    lope_free(p.model);
    lope_free(p.settled);
    lope_free(p.spread);
    lope_free(p.ends.items);
    lope_free(p.ends.figure);
    return status;
}
