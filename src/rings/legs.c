// SPDX-License-Identifier: MIT
// The legs of a skeleton as rings see them: the chain of joints from the root to the toes, the shape of the foot, and
// how a leg is turned to bring its foot somewhere.
#include <string.h>

#include "motion/contact_points.h"
#include "motion/joints.h"
#include "motion/limb.h"
#include "rings/gait_way.h"
#include "rings/ring.h"

static bool find_chain(const lope_skeleton *skeleton, int end, ring_leg *leg)
{
    int count = 0, joints[RING_CHAIN];
    for (int j = end; j > 0; j = skeleton->parents[j]) {
        if (count == RING_CHAIN)
            return false;
        joints[count++] = j;
    }
    leg->count = count;
    for (int i = 0; i < count; i++)
        leg->joints[i] = joints[count - 1 - i];
    return true;
}

static int place_in_chain(const ring_leg *leg, int joint)
{
    for (int i = 0; i < leg->count; i++)
        if (leg->joints[i] == joint)
            return i;
    return -1;
}

// The foot's own axes: heel to ball is ahead, and the ankle stands above that line.
static void measure_foot(const lope_skeleton *skeleton, const lope_contact_place *parts, int ankle, int toe,
                         ring_leg *leg)
{
    leg->heel = parts[0].offset;
    leg->ball = parts[1].offset;
    leg->toe_offset = lope_v3(0.0f, 0.0f, 0.0f);
    leg->toe_rest = lope_quat_identity();
    if (toe != ankle) {
        lope_transform from_ankle =
            lope_transform_mul(lope_transform_inverse(joint_at_rest(skeleton, ankle)), joint_at_rest(skeleton, toe));
        leg->toe_offset = from_ankle.translation;
        leg->toe_rest = from_ankle.rotation;
    }
    lope_vec3 ball = lope_v3_add(leg->toe_offset, lope_quat_rotate(leg->toe_rest, leg->ball));
    lope_vec3 ahead = lope_v3_normalize(lope_v3_sub(ball, leg->heel), lope_v3(0.0f, 0.0f, 1.0f));
    lope_vec3 up = lope_v3_scale(leg->heel, -1.0f);
    up = lope_v3_normalize(lope_v3_mad(up, ahead, -lope_v3_dot(up, ahead)), lope_v3(0.0f, 1.0f, 0.0f));
    leg->sole = lope_quat_from_axes(lope_v3_cross(up, ahead), up, ahead);
    lope_vec3 up_in_toe = lope_quat_rotate(lope_quat_conjugate(leg->toe_rest), up); // the sole, not the bone
    float above = lope_v3_dot(lope_v3_sub(skeleton->tips[toe], leg->ball), up_in_toe);
    leg->tip = lope_v3_mad(skeleton->tips[toe], up_in_toe, -above);
    bool longer = lope_v3_dot(lope_v3_sub(leg->tip, leg->ball), ahead) > 0.0f; // a foot of one piece, beyond its ball
    leg->pivot = toe != ankle ? leg->toe_offset : longer ? leg->tip : ball;
}

// From a joint of the chain to another below it; joints between lie on the bone.
static float bone_length(const lope_skeleton *skeleton, const ring_leg *leg, int from, int to)
{
    float length = 0.0f;
    for (int i = from + 1; i <= to; i++)
        length += lope_v3_length(skeleton->rest[leg->joints[i]].translation);
    return length;
}

static bool find_leg(const lope_skeleton *skeleton, lope_side side, const lope_contact_anatomy *anatomy, ring_leg *leg)
{
    lope_limb limb;
    if (!lope_skeleton_leg(skeleton, side, &limb))
        return false;
    lope_contact_place parts[2];
    memcpy(parts, anatomy->parts + (side == LOPE_LEFT ? PART_LEFT_HEEL : PART_RIGHT_HEEL), sizeof parts);
    int toe = parts[1].joint;
    if (toe >= 0 && toe != limb.end && skeleton->parents[toe] != limb.end) { // helpers within the foot: it is rigid
        lope_transform ankle = joint_at_rest(skeleton, limb.end), toes = joint_at_rest(skeleton, toe);
        lope_vec3 ball = lope_transform_point(toes, parts[1].offset);
        parts[1] = (lope_contact_place){limb.end, lope_transform_point(lope_transform_inverse(ankle), ball)};
        toe = limb.end;
    }
    if (toe < 0 || !find_chain(skeleton, toe, leg) || parts[0].joint != limb.end)
        return false;
    leg->hip = place_in_chain(leg, limb.upper);
    leg->knee = place_in_chain(leg, limb.lower);
    leg->ankle = place_in_chain(leg, limb.end);
    leg->toe = place_in_chain(leg, toe);
    if (leg->hip < 0 || leg->knee <= leg->hip || leg->ankle <= leg->knee)
        return false;
    leg->thigh = bone_length(skeleton, leg, leg->hip, leg->knee);
    leg->shin = bone_length(skeleton, leg, leg->knee, leg->ankle);
    measure_foot(skeleton, parts, limb.end, toe, leg);
    return leg->thigh > 0.0f && leg->shin > 0.0f;
}

bool lope_ring_find_legs(const lope_skeleton *skeleton, ring_leg legs[2])
{
    if (!lope_skeleton_is_biped(skeleton) || skeleton->roles[LOPE_HIPS] != 0)
        return false;
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(skeleton, &anatomy);
    for (int side = 0; side < 2; side++)
        if (!find_leg(skeleton, (lope_side)side, &anatomy, &legs[side]))
            return false;
    // Slots of the groups: both legs first, in order of their chains, then everything else. Joints that both legs hang
    // on have one slot.
    int slot = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < legs[side].count; i++) {
            bool shared = side && i < legs[0].count && legs[0].joints[i] == legs[1].joints[i];
            legs[side].slots[i] = shared ? legs[0].slots[i] : slot++;
        }
    return true;
}

// ---- solving

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
static lope_vec3 knee_place(const float bones[2], lope_vec3 hip, lope_vec3 along, float reach, lope_vec3 pole)
{
    float d = (bones[0] * bones[0] - bones[1] * bones[1] + reach * reach) / (2.0f * reach);
    float height = sqrtf(larger(bones[0] * bones[0] - d * d, 0.0f));
    lope_vec3 off = lope_v3_mad(pole, along, -lope_v3_dot(pole, along));
    off = lope_v3_normalize(off, lope_v3(0.0f, 0.0f, 1.0f));
    return lope_v3_mad(lope_v3_mad(hip, along, d), off, height);
}

void lope_ring_leg_solve(const ring_leg *leg, const lope_transform *chain, const ring_leg_goal *to,
                         lope_quat out[RING_CHAIN])
{
    lope_vec3 hip = to->hip;
    lope_vec3 upper = lope_v3_sub(chain[leg->knee].translation, chain[leg->hip].translation);
    lope_vec3 lower = lope_v3_sub(chain[leg->ankle].translation, chain[leg->knee].translation);
    lope_vec3 line = lope_v3_add(upper, lower), goal = lope_v3_sub(to->ankle.translation, hip);
    // Where joints between may bend a bone, it is as long as it is now.
    const float bones[2] = {leg->knee == leg->hip + 1 ? leg->thigh : lope_v3_length(upper),
                            leg->ankle == leg->knee + 1 ? leg->shin : lope_v3_length(lower)};
    float distance = lope_v3_length(goal), full = to->most * (bones[0] + bones[1]);
    float least = 1.02f * fabsf(bones[0] - bones[1]) + 0.05f;
    float reach = larger(least, smaller(distance - ring_soft_excess(distance - full, to->soft), full));
    lope_vec3 along = lope_v3_normalize(goal, lope_v3(0.0f, -1.0f, 0.0f));
    lope_quat swing = between(line, along);
    // The knee leaves the line forwards; where the motion's own bend says little, pelvis and foot decide.
    lope_vec3 straight = lope_v3_normalize(line, along);
    lope_vec3 bend = lope_v3_mad(upper, straight, -lope_v3_dot(upper, straight));
    lope_vec3 foot = lope_v3_sub(chain[leg->toe].translation, chain[leg->ankle].translation);
    lope_vec3 forward = lope_v3_normalize(knee_ahead(straight, to->hips, foot), bend);
    float ahead = lope_v3_dot(bend, forward);
    if (ahead < 0.0f)
        bend = lope_v3_mad(bend, forward, -ahead);
    bend = lope_v3_mad(bend, forward, 0.15f);
    lope_vec3 knee = knee_place(bones, hip, along, reach, lope_quat_rotate(swing, bend));
    lope_vec3 ankle = lope_v3_mad(hip, along, reach);
    lope_quat turn = lope_quat_mul(between(lope_quat_rotate(swing, upper), lope_v3_sub(knee, hip)), swing);
    lope_quat both = lope_quat_mul(between(lope_quat_rotate(turn, lower), lope_v3_sub(ankle, knee)), turn);
    lope_quat thigh = lope_quat_mul(turn, chain[leg->hip].rotation);
    lope_quat shin = lope_quat_mul(both, chain[leg->knee].rotation);
    out[leg->hip] = lope_quat_mul(lope_quat_conjugate(to->above), thigh);
    if (leg->knee > leg->hip + 1) // joints between stay as they are played: they turn along
        thigh = lope_quat_mul(turn, chain[leg->knee - 1].rotation);
    out[leg->knee] = lope_quat_mul(lope_quat_conjugate(thigh), shin);
    if (leg->ankle > leg->knee + 1)
        shin = lope_quat_mul(both, chain[leg->ankle - 1].rotation);
    out[leg->ankle] = lope_quat_mul(lope_quat_conjugate(shin), to->ankle.rotation);
    if (leg->toe != leg->ankle)
        out[leg->toe] = to->toe;
}

void lope_ring_join_legs(const lope_skeleton *skeleton, const ring_leg legs[2], lope_transform root,
                         const lope_vec3 balls[2], lope_quat *slots)
{
    lope_transform chains[2][RING_CHAIN];
    for (int side = 0; side < 2; side++)
        lope_ring_pose_leg(skeleton, &legs[side], slots, root.rotation, chains[side]);
    for (int side = 0; side < 2; side++) {
        const ring_leg *leg = &legs[side];
        const lope_transform *chain = chains[side];
        const int turned[3] = {leg->hip, leg->knee, leg->ankle};
        lope_quat out[RING_CHAIN];
        ring_leg_goal goal = {.hip = lope_v3_add(root.translation, chain[leg->hip].translation),
                              .hips = ring_hips(legs, chains),
                              .above = leg->hip > 0 ? chain[leg->hip - 1].rotation : root.rotation,
                              .ankle = {chain[leg->ankle].rotation, ring_ankle_for(leg, chain, balls[side])},
                              .toe = slots[leg->slots[leg->toe]],
                              .most = RING_STRAIGHTEST};
        lope_ring_leg_solve(leg, chain, &goal, out);
        for (int i = 0; i < 3; i++)
            slots[leg->slots[turned[i]]] = out[turned[i]];
    }
}
