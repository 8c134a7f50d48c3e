// SPDX-License-Identifier: MIT
// Contact points. Feet are where the skeleton says that they stood in the motion. Failing that, and for everything
// else, they come from the rest pose. A skeleton has joints, not skin: the sole is taken to lie at the lowest of the
// ball and the tip of the toes, the ball below the toe joint, the heel behind and below the ankle. Where a skeleton
// has no toes, the measures of a typical foot stand in, scaled by the length of the leg.
#include "motion/contact_points.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/joints.h"

// Measures of a typical foot as shares of the leg (hip to ankle), from common anthropometric tables.
#define ANKLE_HEIGHT 0.09f
#define BALL_FORWARD 0.16f
#define BALL_OF_TIP 0.65f // ankle to ball as a share of ankle to the end of the toes
#define LEAST_ANKLE_HEIGHT 0.02f
#define HEEL_BACK_OF_BALL_FORWARD 0.423f // behind the ankle, as a share of ankle to ball
#define KNEECAP_FORWARD 0.06f
#define SEAT_DOWN 0.12f
#define SEAT_BACK 0.05f
#define KNEE_ABOVE 0.1f // metres over heel and ball that the knee of a standing foot keeps
// Legs spread wider than this at rest (tangent) cannot have flat feet: the rest pose is an axis convention.
#define FLAT_FOOT_SPREAD 0.18f

static bool is_zero(lope_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static lope_contact_place attach(const lope_skeleton *skeleton, int joint, lope_vec3 point_at_rest)
{
    lope_transform rest = joint_at_rest(skeleton, joint);
    return (lope_contact_place){joint, lope_transform_point(lope_transform_inverse(rest), point_at_rest)};
}

// Facing of the rest pose: away from the line through the hip joints.
static lope_vec3 rest_forward(const lope_skeleton *skeleton)
{
    lope_vec3 left = lope_v3_sub(joint_at_rest(skeleton, skeleton->roles[LOPE_LEFT_HIP]).translation,
                                 joint_at_rest(skeleton, skeleton->roles[LOPE_RIGHT_HIP]).translation);
    left.y = 0.0f;
    left = lope_v3_normalize(left, lope_v3(1.0f, 0.0f, 0.0f));
    return lope_v3_cross(left, lope_v3(0.0f, 1.0f, 0.0f));
}

// Some conventions (CMU among them) store a rest pose with the legs spread like compasses and the feet in line with
// the shins. The rotation that closes such legs, so that the feet stand flat; the identity for all others.
static lope_quat closing_rotation(const lope_skeleton *skeleton, int hip, int ankle, lope_vec3 forward)
{
    lope_vec3 leg = lope_v3_sub(joint_at_rest(skeleton, ankle).translation, joint_at_rest(skeleton, hip).translation);
    lope_vec3 across = lope_v3_mad(leg, forward, -lope_v3_dot(leg, forward));
    float sideways = sqrtf(across.x * across.x + across.z * across.z);
    if (leg.y >= 0.0f || sideways <= -FLAT_FOOT_SPREAD * leg.y)
        return lope_quat_identity();
    lope_vec3 down = lope_v3(0.0f, -1.0f, 0.0f);
    return lope_quat_between(lope_v3_normalize(across, down), down);
}

void lope_foot_measure(const lope_foot_bones *foot, lope_vec3 *heel, lope_vec3 *ball)
{
    float sole;
    if (foot->has_toe) {
        *ball = foot->toe;
        sole = foot->has_tip ? fminf(foot->toe.y, foot->tip.y) : foot->toe.y;
    } else if (foot->has_tip) {
        *ball = lope_v3_scale(foot->tip, foot->ball > 0.0f ? foot->ball : BALL_OF_TIP);
        sole = foot->tip.y;
    } else {
        *ball = lope_v3_scale(foot->forward, BALL_FORWARD * foot->leg);
        sole = -ANKLE_HEIGHT * foot->leg;
    }
    lope_vec3 along = {ball->x, 0.0f, ball->z};
    float ball_forward = lope_v3_length(along);
    along = lope_v3_normalize(along, foot->forward);
    *heel = lope_v3_scale(along, -HEEL_BACK_OF_BALL_FORWARD * ball_forward);
    heel->y = ball->y = fminf(sole, -LEAST_ANKLE_HEIGHT * foot->leg);
}

static void rest_foot(const lope_skeleton *skeleton, lope_side side, lope_vec3 forward, lope_contact_anatomy *out)
{
    const int *roles = skeleton->roles;
    int hip = roles[side == LOPE_LEFT ? LOPE_LEFT_HIP : LOPE_RIGHT_HIP];
    int ankle = roles[side == LOPE_LEFT ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
    int toe = roles[side == LOPE_LEFT ? LOPE_LEFT_TOE : LOPE_RIGHT_TOE], end = toe >= 0 ? toe : ankle;
    lope_quat close = closing_rotation(skeleton, hip, ankle, forward), open = lope_quat_conjugate(close);
    lope_vec3 origin = joint_at_rest(skeleton, ankle).translation;
    lope_vec3 toe_at = joint_at_rest(skeleton, end).translation;
    lope_vec3 tip = lope_transform_point(joint_at_rest(skeleton, end), skeleton->tips[end]);
    lope_foot_bones foot = {.has_toe = toe >= 0,
                            .has_tip = !is_zero(skeleton->tips[end]),
                            .toe = lope_quat_rotate(close, lope_v3_sub(toe_at, origin)),
                            .tip = lope_quat_rotate(close, lope_v3_sub(tip, origin)),
                            .forward = forward,
                            .leg = out->leg_length};
    lope_vec3 heel, ball;
    lope_foot_measure(&foot, &heel, &ball);
    lope_contact_place *parts = out->parts + (side == LOPE_LEFT ? PART_LEFT_HEEL : PART_RIGHT_HEEL);
    parts[0] = attach(skeleton, ankle, lope_v3_add(origin, lope_quat_rotate(open, heel)));
    parts[1] = attach(skeleton, end, lope_v3_add(origin, lope_quat_rotate(open, ball)));
}

// What the motion showed; failing that, what the rest pose suggests.
static void find_foot(const lope_skeleton *skeleton, lope_side side, lope_vec3 forward, lope_contact_anatomy *out)
{
    if (!skeleton->feet_known) {
        rest_foot(skeleton, side, forward, out);
        return;
    }
    int ankle = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
    int toe = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_TOE : LOPE_RIGHT_TOE];
    lope_contact_place *parts = out->parts + (side == LOPE_LEFT ? PART_LEFT_HEEL : PART_RIGHT_HEEL);
    parts[0] = (lope_contact_place){ankle, skeleton->feet[side].heel};
    parts[1] = (lope_contact_place){toe >= 0 ? toe : ankle, skeleton->feet[side].ball};
}

// The palm: half way from the wrist to the farthest point that hangs on it.
static lope_contact_place find_hand(const lope_skeleton *skeleton, int hand)
{
    if (hand < 0)
        return (lope_contact_place){.joint = -1};
    lope_transform inverse = lope_transform_inverse(joint_at_rest(skeleton, hand));
    lope_vec3 farthest = skeleton->tips[hand];
    for (int j = hand + 1; j < skeleton->joint_count; j++) {
        if (!joint_is_above(skeleton, hand, j))
            continue;
        lope_vec3 end =
            lope_transform_point(inverse, lope_transform_point(joint_at_rest(skeleton, j), skeleton->tips[j]));
        if (lope_v3_dot(end, end) > lope_v3_dot(farthest, farthest))
            farthest = end;
    }
    return (lope_contact_place){hand, lope_v3_scale(farthest, 0.5f)};
}

static lope_contact_place find_knee(const lope_skeleton *skeleton, int knee, lope_vec3 forward, float leg)
{
    return attach(skeleton, knee,
                  lope_v3_mad(joint_at_rest(skeleton, knee).translation, forward, KNEECAP_FORWARD * leg));
}

static lope_contact_place find_seat(const lope_skeleton *skeleton, lope_vec3 forward, float leg)
{
    const int *roles = skeleton->roles;
    lope_vec3 middle = lope_v3_lerp(joint_at_rest(skeleton, roles[LOPE_LEFT_HIP]).translation,
                                    joint_at_rest(skeleton, roles[LOPE_RIGHT_HIP]).translation, 0.5f);
    lope_vec3 seat = lope_v3_mad(middle, forward, -SEAT_BACK * leg);
    seat.y -= SEAT_DOWN * leg;
    return attach(skeleton, roles[LOPE_HIPS], seat);
}

const char *lope_contact_name(int part)
{
    static const char *const names[LOPE_CONTACT_COUNT] = {"left heel", "left toe",   "right heel",
                                                          "right toe", "left hand",  "right hand",
                                                          "left knee", "right knee", "seat"};
    assert(part >= 0 && part < LOPE_CONTACT_COUNT);
    return names[part];
}

void lope_contact_anatomy_find(const lope_skeleton *skeleton, lope_contact_anatomy *out)
{
    memset(out, 0, sizeof *out);
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        out->parts[part].joint = -1;
    const int *roles = skeleton->roles;
    out->parts[PART_LEFT_HAND] = find_hand(skeleton, roles[LOPE_LEFT_HAND]);
    out->parts[PART_RIGHT_HAND] = find_hand(skeleton, roles[LOPE_RIGHT_HAND]);
    if (!lope_skeleton_is_biped(skeleton))
        return;
    lope_vec3 forward = rest_forward(skeleton);
    float leg = out->leg_length = lope_skeleton_leg_length(skeleton);
    find_foot(skeleton, LOPE_LEFT, forward, out);
    find_foot(skeleton, LOPE_RIGHT, forward, out);
    out->parts[PART_LEFT_KNEE] = find_knee(skeleton, roles[LOPE_LEFT_KNEE], forward, leg);
    out->parts[PART_RIGHT_KNEE] = find_knee(skeleton, roles[LOPE_RIGHT_KNEE], forward, leg);
    out->parts[PART_SEAT] = find_seat(skeleton, forward, leg);
}

void lope_contact_places(const lope_contact_anatomy *anatomy, const lope_transform *model,
                         lope_vec3 out[LOPE_CONTACT_COUNT])
{
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++) {
        lope_contact_place place = anatomy->parts[part];
        out[part] = place.joint >= 0 ? lope_transform_point(model[place.joint], place.offset) : model[0].translation;
    }
}

void lope_contact_points(const lope_skeleton *skeleton, const lope_transform *model, lope_vec3 out[LOPE_CONTACT_COUNT])
{
    assert(skeleton && model && out);
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(skeleton, &anatomy);
    lope_contact_places(&anatomy, model, out);
}

lope_status lope_contact_tracks_create(const lope_clip *clip, lope_contact_tracks *out, lope_error *error)
{
    memset(out, 0, sizeof *out);
    size_t frames = (size_t)clip->frame_count;
    lope_transform *model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *model);
    lope_vec3 *block = lope_alloc_array(frames * (LOPE_CONTACT_COUNT + 1), sizeof *block);
    if (!model || !block) {
        lope_free(model);
        lope_free(block);
        return lope_fail_memory(error);
    }
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(clip->skeleton, &anatomy);
    out->frame_count = clip->frame_count;
    out->frame_rate = clip->frame_rate;
    for (size_t part = 0; part < LOPE_CONTACT_COUNT; part++) {
        out->points[part] = block + part * frames;
        out->known[part] = anatomy.parts[part].joint >= 0;
    }
    out->chest = block + LOPE_CONTACT_COUNT * frames;
    int chest = clip->skeleton->roles[LOPE_CHEST] >= 0 ? clip->skeleton->roles[LOPE_CHEST] : 0;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_vec3 points[LOPE_CONTACT_COUNT];
        lope_clip_model(clip, f, model);
        lope_contact_places(&anatomy, model, points);
        for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
            out->points[part][f] = points[part];
        out->chest[f] = model[chest].translation;
    }
    lope_free(model);
    return LOPE_OK;
}

void lope_contact_tracks_release(lope_contact_tracks *tracks)
{
    lope_free(tracks->points[0]);
    memset(tracks, 0, sizeof *tracks);
}

bool lope_foot_upright(const lope_contact_tracks *tracks, int part, int frame)
{
    int knee = part < PART_RIGHT_HEEL ? PART_LEFT_KNEE : PART_RIGHT_KNEE;
    return tracks->points[knee][frame].y > tracks->points[part][frame].y + KNEE_ABOVE;
}
