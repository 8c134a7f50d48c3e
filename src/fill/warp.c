// SPDX-License-Identifier: MIT
// Leading a walk along another way (after Gleicher's path editing, 2001). The body's ground frame is moved by a
// transform that changes from frame to frame; a foot that stands is moved by one transform as long as it stands, the
// one that the body has in the middle of the stay. So plants stay as still as they were captured, and only swings are
// bent.
#include "base/error.h"
#include "base/memory.h"
#include "fill/fill.h"
#include "lope/blend.h"
#include "lope/ground.h"
#include "lope/ik.h"
#include "motion/joints.h"

#define LEG_SHARE 0.6f  // of a foot's turn against the body that hip and knee take; the ankle takes the rest
#define LATE 0.1f       // of a swing: not to shift a foot that is still near the ground, or again
#define SOFTNESS 0.01f  // in parts of the leg
#define STRAIGHT 0.995f // in parts of the leg: a leg that is shorter is bent enough

typedef struct warp_work {
    const lope_clip *clip;
    lope_ground *body; // [frame_count] what moves the body
    lope_ground *feet; // [frame_count * 2] what moves each foot
    lope_transform *model;
    fill_stay *stays;
    float *miss; // [frame_count] metres the hips must sink for the feet to be reached
} warp_work;

static lope_vec2 ground_point(lope_ground g, float x, float z)
{
    float c = (float)lope_cos((double)g.yaw), s = (float)lope_sin((double)g.yaw);
    return (lope_vec2){g.x + c * x + s * z, g.z - s * x + c * z};
}

// The transform with this yaw that takes one place to another.
static lope_ground taking(float yaw, lope_ground place, float x, float z)
{
    lope_vec2 turned = ground_point((lope_ground){0.0f, 0.0f, yaw}, place.x, place.z);
    return (lope_ground){x - turned.x, z - turned.z, yaw};
}

static void move_body(warp_work *w, const fill_way *way)
{
    lope_ground before = lope_clip_ground(w->clip, 0);
    float x = before.x, z = before.z;
    w->body[0] = taking(way->turn[0], before, x, z);
    for (int f = 1; f < w->clip->frame_count; f++) {
        lope_ground at = lope_clip_ground(w->clip, f);
        float yaw = 0.5f * (way->turn[f - 1] + way->turn[f]), stretch = way->stretch ? way->stretch[f] : 1.0f;
        lope_vec2 step =
            ground_point((lope_ground){0.0f, 0.0f, yaw}, stretch * (at.x - before.x), stretch * (at.z - before.z));
        x += step.x;
        z += step.z;
        w->body[f] = taking(way->turn[f], at, x, z);
        before = at;
    }
}

// Between two transforms, for a foot that is at a place of the clip.
static lope_ground between(lope_ground a, lope_ground b, float t, lope_vec3 place)
{
    lope_vec2 p = ground_point(a, place.x, place.z), q = ground_point(b, place.x, place.z);
    lope_ground here = {place.x, place.z, 0.0f};
    return taking(a.yaw + (b.yaw - a.yaw) * t, here, p.x + (q.x - p.x) * t, p.z + (q.z - p.z) * t);
}

// Frame whose transform a stay takes: its middle, or its end where it is cut off by the clip's.
static int anchor_of(const fill_stay *stay, int frame_count)
{
    if (stay->first == 0)
        return 0;
    return stay->end == frame_count ? frame_count - 1 : (stay->first + stay->end) / 2;
}

static void move_foot(warp_work *w, int side)
{
    const lope_clip *clip = w->clip;
    int joint = clip->skeleton->roles[side ? LOPE_RIGHT_ANKLE : LOPE_LEFT_ANKLE], last = clip->frame_count - 1;
    int count = fill_stays(clip->contacts, clip->frame_count, clip->frame_rate, (lope_side)side, w->stays);
    int left = 0; // the frame that the swing began at
    lope_ground from = w->body[0];
    for (int k = 0; k <= count; k++) {
        int strike = k < count ? w->stays[k].first : last;
        lope_ground to = w->body[k < count ? anchor_of(&w->stays[k], clip->frame_count) : last];
        for (int f = left; f <= strike && f <= last; f++) {
            float t = strike > left ? (float)(f - left) / (float)(strike - left) : 1.0f;
            t = lope_ease((t - LATE) / (1.0f - 2.0f * LATE));
            w->feet[2 * f + side] = between(from, to, t, joint_in_frame(clip, f, joint).translation);
        }
        for (int f = strike; k < count && f < w->stays[k].end; f++)
            w->feet[2 * f + side] = to;
        from = to;
        left = k < count ? w->stays[k].end - 1 : last;
    }
}

static lope_vec3 moved(lope_ground by, lope_vec3 point)
{
    lope_vec2 p = ground_point(by, point.x, point.z);
    return lope_v3(p.x, point.y, p.z);
}

// How far hips must sink so that a leg of this length reaches.
static float sinking(lope_vec3 hip, lope_vec3 ankle, float reach)
{
    float dx = hip.x - ankle.x, dz = hip.z - ankle.z, flat = dx * dx + dz * dz;
    float height = sqrtf(fmaxf(reach * reach - flat, 0.01f * reach * reach));
    return fmaxf(hip.y - ankle.y - height, 0.0f);
}

static lope_quat turn_about_up(float yaw, lope_quat rotation)
{
    return lope_quat_mul(lope_quat_yaw(yaw), rotation);
}

// Turns a joint in the world by yaw; what hangs on it follows when the model is computed again.
static void turn_joint(lope_pose *pose, const lope_skeleton *skeleton, const lope_transform *model, int joint,
                       lope_quat world)
{
    lope_quat parent = model[skeleton->parents[joint]].rotation;
    pose->rotations[joint] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(parent), world));
}

static void place_leg(warp_work *w, int f, int side, lope_vec3 target, lope_pose *pose)
{
    const lope_skeleton *skeleton = w->clip->skeleton;
    lope_limb leg;
    if (!lope_skeleton_leg(skeleton, (lope_side)side, &leg))
        return;
    float turn = lope_wrap_angle(w->feet[2 * f + side].yaw - w->body[f].yaw);
    lope_quat foot = turn_about_up(turn, w->model[leg.end].rotation);
    if (turn != 0.0f) {
        turn_joint(pose, skeleton, w->model, leg.upper, turn_about_up(LEG_SHARE * turn, w->model[leg.upper].rotation));
        lope_pose_to_model(skeleton, pose, w->model);
    }
    if (lope_v3_distance(target, w->model[leg.end].translation) > 1e-5f)
        lope_ik_limb(skeleton, leg, target, SOFTNESS * lope_skeleton_leg_length(skeleton), pose, w->model);
    if (turn != 0.0f)
        turn_joint(pose, skeleton, w->model, leg.end, foot);
    lope_pose_to_model(skeleton, pose, w->model);
}

static lope_vec3 foot_target(const warp_work *w, int f, int side)
{
    int joint = w->clip->skeleton->roles[side ? LOPE_RIGHT_ANKLE : LOPE_LEFT_ANKLE];
    return moved(w->feet[2 * f + side], joint_in_frame(w->clip, f, joint).translation);
}

// Legs that would be stretched beyond what they were: the hips sink, smoothly over time.
static void measure_reach(warp_work *w)
{
    static const lope_role hips[2] = {LOPE_LEFT_HIP, LOPE_RIGHT_HIP}, ankles[2] = {LOPE_LEFT_ANKLE, LOPE_RIGHT_ANKLE};
    const lope_clip *clip = w->clip;
    float full = STRAIGHT * lope_skeleton_leg_length(clip->skeleton);
    for (int f = 0; f < clip->frame_count; f++) {
        w->miss[f] = 0.0f;
        for (int side = 0; side < 2; side++) {
            lope_vec3 hip = joint_in_frame(clip, f, clip->skeleton->roles[hips[side]]).translation;
            lope_vec3 ankle = joint_in_frame(clip, f, clip->skeleton->roles[ankles[side]]).translation;
            float reach = fmaxf(full, lope_v3_distance(hip, ankle));
            float sink = sinking(moved(w->body[f], hip), foot_target(w, f, side), reach);
            w->miss[f] = fmaxf(w->miss[f], sink);
        }
    }
}

// The largest within reach, fading out over a quarter of a second.
static float sunk(const warp_work *w, int frame)
{
    int reach = (int)(0.25 * w->clip->frame_rate) + 1;
    float most = 0.0f;
    for (int f = frame - reach; f <= frame + reach; f++) {
        if (f < 0 || f >= w->clip->frame_count)
            continue;
        float share = lope_ease(1.0f - fabsf((float)(f - frame)) / (float)reach);
        most = fmaxf(most, share * w->miss[f]);
    }
    return most;
}

static void write_frames(warp_work *w, lope_clip *out)
{
    for (int f = 0; f < out->frame_count; f++) {
        lope_pose pose = frame_pose(out, f);
        lope_pose_place(&pose, w->body[f]);
        pose.root.y -= sunk(w, f);
        lope_pose_to_model(out->skeleton, &pose, w->model);
        for (int side = 0; side < 2; side++)
            place_leg(w, f, side, foot_target(w, f, side), &pose);
        out->root[f] = pose.root;
        if (pose.translations)
            pose.translations[0] = pose.root;
    }
    lope_clip_align_quaternions(out);
}

lope_status fill_warp(const lope_clip *clip, const fill_way *way, const char *name, lope_clip **out, lope_error *error)
{
    size_t frames = (size_t)clip->frame_count;
    warp_work w = {.clip = clip};
    w.body = lope_alloc_array(frames, sizeof *w.body);
    w.feet = lope_alloc_array(2 * frames, sizeof *w.feet);
    w.stays = lope_alloc_array(frames, sizeof *w.stays);
    w.miss = lope_alloc_array(frames, sizeof *w.miss);
    w.model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *w.model);
    bool room = w.body && w.feet && w.stays && w.miss && w.model;
    lope_status status = room ? lope_clip_copy(clip, name, 0, out, error) : lope_fail_memory(error);
    if (!status) {
        move_body(&w, way);
        move_foot(&w, LOPE_LEFT);
        move_foot(&w, LOPE_RIGHT);
        measure_reach(&w);
        write_frames(&w, *out);
    }
    lope_free(w.body);
    lope_free(w.feet);
    lope_free(w.stays);
    lope_free(w.miss);
    lope_free(w.model);
    return status;
}
