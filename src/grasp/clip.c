// SPDX-License-Identifier: MIT
// Plans on characters: the flat figure becomes a skeleton with roles. The plane of the plan is the world's x and y;
// limbs get the width of shoulders and hips, hands and feet are put on, and turning round is a real turn about the
// vertical.
//
// Trunk and limbs follow the figure's directions. Knees and elbows come from two-bone IK to ankles and wrists, so what
// is held stays held. Feet lie flat on what they stand on and point down where the shin lies.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/body.h"
#include "grasp/clip_speed.h"
#include "lope/climb.h"
#include "lope/ik.h"

#define SETTLE 0.15     // seconds before and after a contact in which a foot turns flat
#define ROUND_LIFT 0.05 // metres that feet lift while they step round
#define LONGEST 0.998f  // of its length that a leg uses at most
#define FASTEST 10.0    // radians per second of any joint (573 degrees)
#define ANKLE_PLAY 0.85 // radians that an ankle gives before the foot follows the shin

typedef struct limb_joints {
    lope_limb joints;
    float upper, lower; // lengths
    float beyond;       // wrist to palm, ankle to sole
} limb_joints;

typedef struct performer {
    const lope_climb_plan *plan;
    const lope_grasp_body *body;
    const lope_skeleton *skeleton;
    lope_transform *rest, *model; // [joint_count]
    limb_joints limbs[LOPE_LIMB_COUNT];
    lope_vec3 hip_middle; // of the hip joints, in the root's frame at rest
    float rest_lean;      // of the line from there to the middle of the shoulders
    float *flat;          // [frame_count * 2] how flat each foot lies
} performer;

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

// Beyond the wrist half a hand, below the ankle the height that it has at rest.
static float reach_beyond(const lope_skeleton *skeleton, const lope_transform *rest, int limb, int joint)
{
    if (!body_is_leg(limb))
        return 0.5f * hand_length(skeleton, rest, joint);
    float lowest = rest[joint].translation.y;
    for (int j = 0; j < skeleton->joint_count; j++)
        lowest = fminf(lowest, rest[j].translation.y);
    return fmaxf(rest[joint].translation.y - fminf(lowest, 0.0f), 0.0f);
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
        limbs[i].beyond = reach_beyond(skeleton, rest, i, joints.end);
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

// Feet have to change sides when a body turns round: one steps in the first half of the turn, the other in the second.
// How far through its step a foot is, 0 to 1.
static double foot_turned(const lope_climb_frame *frame, int limb)
{
    double begin = limb == LOPE_LEFT_LEG ? 0.1 : 0.5;
    double t = clamp_to((frame->yaw / LOPE_PI - begin) / 0.4, 0.0, 1.0);
    return ease_between(t);
}

static bool steps_round(const lope_climb_frame *frame, int limb)
{
    double turned = foot_turned(frame, limb);
    return body_is_leg(limb) && turned > 0.0 && turned < 1.0;
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
    double turned = foot_turned(frame, limb);
    at = lope_v3_mad(at, lope_v3(0, 1, 0), (float)(ROUND_LIFT * lope_sin(LOPE_PI * turned)));
    return lope_v3_mad(at, lope_v3(0, 0, -1), out * (float)lope_cos(LOPE_PI * turned));
}

// Where the ankle is when it bends so far from the line of the shin.
static lope_vec3 ankle_at(const performer *p, const lope_climb_frame *frame, const compass *c, int limb, double far,
                          double tilt, double flat)
{
    lope_vec3 below = hanging(c, far - tilt * flat, frame->spread[limb] * (1.0 - flat));
    return lope_v3_mad(figure_end(p, frame, c, limb), below, -p->limbs[limb].beyond);
}

// How far the ankle bends: so that the foot is level, as far as the ankle gives, and as the leg gets there; heels rise
// where it does not.
static double ankle_tilt(const performer *p, const lope_climb_frame *frame, const compass *c, int limb, double far,
                         double flat)
{
    const limb_joints *l = &p->limbs[limb];
    lope_vec3 base = p->model[l->joints.upper].translation;
    double wanted = clamp_to(far, -ANKLE_PLAY, ANKLE_PLAY), low = 0.0, high = 1.0;
    float most = LONGEST * (l->upper + l->lower);
    if (lope_v3_distance(ankle_at(p, frame, c, limb, far, wanted, flat), base) <= most)
        return wanted;
    for (int i = 0; i < 12; i++) {
        double part = 0.5 * (low + high);
        if (lope_v3_distance(ankle_at(p, frame, c, limb, far, part * wanted, flat), base) <= most)
            low = part;
        else
            high = part;
    }
    return low * wanted;
}

// Hips have a width: while they turn over feet that stand far apart, the body has to sink for its legs to get there.
static void sink_to_feet(performer *p, const lope_climb_frame *frame, const compass *c)
{
    float lower = 0.0f;
    for (int k = 0; k < 8; k++) {
        float lack = 0.0f;
        for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
            const limb_joints *l = &p->limbs[i];
            lope_vec3 ankle = ankle_at(p, frame, c, i, 0.0, 0.0, 1.0);
            float far = lope_v3_distance(ankle, p->model[l->joints.upper].translation);
            lack = fmaxf(lack, far - LONGEST * (l->upper + l->lower));
        }
        if (lack <= 0.0f)
            return;
        lower += 1.5f * lack;
        place_trunk(p, frame, c, lower);
    }
}

static void place_limb(performer *p, const lope_climb_frame *frame, const compass *c, int limb, float flat)
{
    const limb_joints *l = &p->limbs[limb];
    bool leg = body_is_leg(limb);
    double near = frame->pose.limb[limb][0] - frame->pose.spine;
    double far = near + (leg ? -frame->pose.limb[limb][1] : frame->pose.limb[limb][1]);
    lope_vec3 upper = hanging(c, near, frame->spread[limb]), lower = hanging(c, far, frame->spread[limb]);
    // Hands lie beyond the wrist along the forearm, soles below the ankle.
    double tilt = leg ? ankle_tilt(p, frame, c, limb, far, (double)flat) : 0.0;
    lope_vec3 target = leg ? ankle_at(p, frame, c, limb, far, tilt, (double)flat)
                           : lope_v3_mad(figure_end(p, frame, c, limb), lower, -l->beyond);
    lope_vec3 reached;
    lope_vec3 pole = lope_v3_sub(upper, lope_v3_normalize(lope_v3_add(upper, lower), upper));
    if (lope_v3_length(pole) < 0.02f)
        pole = lope_v3_scale(c->ahead, leg ? 1.0f : -1.0f);
    lope_vec3 base = p->model[l->joints.upper].translation;
    lope_vec3 bend = lope_ik_middle(base, l->upper, l->lower, target, pole, 0.0f, &reached);
    point_bone(p, l->joints.upper, l->joints.lower, lope_v3_sub(bend, base));
    point_bone(p, l->joints.lower, l->joints.end, lope_v3_sub(reached, p->model[l->joints.lower].translation));
    if (!leg)
        return;
    compass foot = compass_of(LOPE_PI * foot_turned(frame, limb));
    lope_quat level = lope_quat_mul(foot.yaw, lope_quat_axis_angle(lope_v3(1, 0, 0), (float)(tilt - far)));
    lope_quat wanted = lope_quat_mul(level, p->rest[l->joints.end].rotation);
    lope_quat turn = lope_quat_mul(wanted, lope_quat_conjugate(p->model[l->joints.end].rotation));
    turn_branch(p, l->joints.end, turn);
}

// Feet turn flat before they come down and while they have just left.
static void settle_feet(performer *p)
{
    int frames = p->plan->frame_count, window = (int)(SETTLE * p->plan->frame_rate) + 1;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < frames; i++) {
            float most = 0.0f;
            for (int k = i - window; k <= i + window; k++)
                if (k >= 0 && k < frames && p->plan->frames[k].held >> (LOPE_LEFT_LEG + side) & 1u) {
                    float share = 1.0f - (float)(k < i ? i - k : k - i) / (float)window;
                    most = share > most ? share : most;
                }
            p->flat[2 * i + side] = most * most * (3.0f - 2.0f * most);
        }
}

static const uint16_t bits[LOPE_LIMB_COUNT] = {LOPE_CONTACT_LEFT_HAND, LOPE_CONTACT_RIGHT_HAND, LOPE_CONTACT_LEFT_FOOT,
                                               LOPE_CONTACT_RIGHT_FOOT};

static uint16_t contacts_of(const lope_climb_frame *frame)
{
    unsigned mask = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        mask |= frame->held >> i & 1u && !steps_round(frame, i) ? bits[i] : 0u;
    return (uint16_t)mask;
}

static void perform(performer *p, int index, lope_clip *clip)
{
    const lope_climb_frame *frame = &p->plan->frames[index];
    const lope_skeleton *skeleton = p->skeleton;
    compass c = compass_of(frame->yaw);
    place_trunk(p, frame, &c, 0.0f);
    if (fabs(lope_sin(frame->yaw)) > 1e-6)
        sink_to_feet(p, frame, &c);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        place_limb(p, frame, &c, i, body_is_leg(i) ? p->flat[2 * index + i - LOPE_LEFT_LEG] : 0.0f);
    clip->root[index] = p->model[0].translation;
    lope_quat *rotations = clip->rotations + (size_t)index * (size_t)skeleton->joint_count;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parents[j];
        rotations[j] = parent < 0 ? p->model[j].rotation
                                  : lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(p->model[parent].rotation),
                                                                      p->model[j].rotation));
    }
    clip->contacts[index] = contacts_of(frame);
}

lope_status lope_climb_clip(const lope_climb_plan *plan, const lope_grasp_body *body, const lope_skeleton *skeleton,
                            const char *name, lope_clip **out, lope_error *error)
{
    performer p = {.plan = plan, .body = body, .skeleton = skeleton};
    lope_clip *clip = NULL;
    *out = NULL;
    p.rest = lope_alloc_array((size_t)skeleton->joint_count, sizeof *p.rest);
    p.model = lope_alloc_array((size_t)skeleton->joint_count, sizeof *p.model);
    p.flat = lope_alloc_array((size_t)plan->frame_count * 2, sizeof *p.flat);
    lope_status status = p.rest && p.model && p.flat ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        lope_skeleton_rest_model(skeleton, p.rest);
        status = measure(skeleton, p.rest, p.limbs, error);
    }
    if (!status)
        status =
            lope_clip_create(skeleton, name, plan->frame_count, plan->frame_rate, LOPE_CLIP_CONTACTS, &clip, error);
    if (!status) {
        p.hip_middle = middle(p.rest[p.limbs[2].joints.upper].translation, p.rest[p.limbs[3].joints.upper].translation);
        lope_vec3 up = lope_v3_sub(
            middle(p.rest[p.limbs[0].joints.upper].translation, p.rest[p.limbs[1].joints.upper].translation),
            p.hip_middle);
        p.rest_lean = (float)lope_atan2((double)up.z, (double)up.y);
        settle_feet(&p);
        for (int i = 0; i < plan->frame_count; i++)
            perform(&p, i, clip);
        lope_limb limbs[LOPE_LIMB_COUNT];
        for (int i = 0; i < LOPE_LIMB_COUNT; i++)
            limbs[i] = p.limbs[i].joints;
        if (!clip_limit_speed(clip, limbs, bits, FASTEST))
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
    lope_free(p.flat);
    return status;
}
