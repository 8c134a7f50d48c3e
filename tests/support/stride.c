// SPDX-License-Identifier: MIT
#include "support/stride.h"

#define STANCE 0.6
#define SPEED 1.0
#define HEEL_ONLY 0.06
#define HEEL_OFF 0.42
#define STRIKE_PITCH -0.2
#define LIFT_PITCH 0.5

// A foot of the test biped: ankle and contact points at rest, and where it is to be.
typedef struct stride_foot {
    lope_vec3 ankle, heel, ball; // at rest, relative to the point on the ground below the hip
    lope_vec3 place;             // of the ankle, in the world
    double pitch;
    uint16_t mask;
} stride_foot;

static lope_vec3 about(lope_vec3 fixed, lope_vec3 pivot, lope_vec3 ankle, double pitch)
{
    lope_quat turn = lope_quat_axis_angle(lope_v3(1, 0, 0), (float)pitch);
    return lope_v3_add(fixed, lope_quat_rotate(turn, lope_v3_sub(ankle, pivot)));
}

static lope_vec3 stance_ankle(const stride_foot *foot, double z, double phase, double *pitch)
{
    lope_vec3 at = lope_v3(0, 0, (float)z);
    if (phase < HEEL_OFF) {
        *pitch = STRIKE_PITCH * (1.0 - (double)lope_ease((float)(phase / HEEL_ONLY)));
        return about(lope_v3_add(foot->heel, at), foot->heel, foot->ankle, *pitch);
    }
    *pitch = LIFT_PITCH * (double)lope_ease((float)((phase - HEEL_OFF) / (STANCE - HEEL_OFF)));
    return about(lope_v3_add(foot->ball, at), foot->ball, foot->ankle, *pitch);
}

static void step(double time, int side, stride_foot *foot)
{
    double cycles = time + 0.5 * (double)side, phase = cycles - floor(cycles);
    double plant = SPEED * (time - phase + 0.5 * STANCE);
    uint16_t heel = side == LOPE_LEFT ? LOPE_CONTACT_LEFT_HEEL : LOPE_CONTACT_RIGHT_HEEL;
    uint16_t ball = side == LOPE_LEFT ? LOPE_CONTACT_LEFT_TOE : LOPE_CONTACT_RIGHT_TOE;
    foot->mask = 0;
    if (phase < STANCE) {
        foot->place = stance_ankle(foot, plant, phase, &foot->pitch);
        foot->mask = (uint16_t)((phase < HEEL_OFF ? heel : 0) | (phase >= HEEL_ONLY ? ball : 0));
        return;
    }
    double ignored, t = (phase - STANCE) / (1.0 - STANCE), eased = (double)lope_ease((float)t);
    lope_vec3 lift = stance_ankle(foot, plant, STANCE - 1e-9, &ignored);
    lope_vec3 land = stance_ankle(foot, plant + SPEED, 0.0, &ignored);
    foot->place = lope_v3_lerp(lift, land, (float)eased);
    foot->place.y += (float)(0.08 * 16.0 * t * t * (1.0 - t) * (1.0 - t));
    foot->pitch = LIFT_PITCH + (STRIKE_PITCH - LIFT_PITCH) * eased;
}

lope_clip *test_walk(int frames, double frame_rate, float root_drift)
{
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, "stride", frames, frame_rate, LOPE_CLIP_CONTACTS, &clip, &error));
    lope_transform model[64];
    lope_skeleton_rest_model(skeleton, model);
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_contact_points(skeleton, model, points);
    for (int f = 0; f < frames; f++) {
        double time = (double)f / frame_rate;
        lope_pose pose = {skeleton->joint_count, lope_v3(0, 0.87f, (float)(SPEED * time)),
                          clip->rotations + f * skeleton->joint_count, NULL};
        lope_skeleton_rest_model(skeleton, model);
        stride_foot feet[2];
        for (int side = 0; side < 2; side++) {
            lope_limb leg;
            assert_true(lope_skeleton_leg(skeleton, (lope_side)side, &leg));
            feet[side] =
                (stride_foot){model[leg.end].translation, points[2 * side], points[2 * side + 1], {0, 0, 0}, 0.0, 0};
        }
        lope_pose_to_model(skeleton, &pose, model);
        for (int side = 0; side < 2; side++) {
            lope_limb leg;
            assert_true(lope_skeleton_leg(skeleton, (lope_side)side, &leg));
            step(time, side, &feet[side]);
            model[leg.end].rotation = lope_quat_axis_angle(lope_v3(1, 0, 0), (float)feet[side].pitch);
            float left = lope_ik_limb(skeleton, leg, feet[side].place, 0.0f, &pose, model);
            assert_true(left < 1e-4f);
            clip->contacts[f] |= feet[side].mask;
        }
        clip->root[f] = pose.root;
        clip->root[f].x += root_drift * (float)time;
    }
    lope_clip_align_quaternions(clip);
    lope_skeleton_release(skeleton);
    return clip;
}
