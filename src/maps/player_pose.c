// SPDX-License-Identifier: MIT
// The pose of a player: the clip between two frames, laid into the world, bent and stretched, plus what is left of the
// last transition, feet locked.
//
// Bending must not show where steps meet, so place, heading and both their speeds are those of the plain step at its
// beginning and of the turned one at its end. With s from 0 to 1 over the step and ease e = s^2 (3 - 2 s), the heading
// is turned by turn * e; a straight way whose direction does the same has its chord turned by turn * (s^2 - s^3 / 2),
// half of the turn at the end. Stretching adds stride * e of the whole way.
#include <assert.h>
#include <string.h>

#include "maps/player.h"
#include "motion/hinge.h"
#include "motion/joints.h"

// Joints that have nothing to do with standing take so many times as long to lose the difference at a transition:
// steps of different walks swing the arms differently, and nobody sees an arm that is late.
#define CALM 2.5f

static lope_quat turned(float angle)
{
    return lope_quat_yaw(angle);
}

// The hips, in the world of the pose; `frame` of the clip is where the pose was sampled.
static lope_vec3 hips_of(const lope_clip *clip, double frame, const lope_pose *pose)
{
    int hips = clip->skeleton->roles[LOPE_HIPS];
    if (hips <= 0)
        return pose->root;
    int low = (int)frame, high = low + 1 < clip->frame_count ? low + 1 : low;
    lope_vec3 a = joint_in_frame(clip, low, hips).translation, b = joint_in_frame(clip, high, hips).translation;
    return lope_v3_lerp(a, b, (float)(frame - (double)low));
}

static void bend(const play_line *line, const lope_step *step, float u, lope_vec3 hips, lope_pose *pose)
{
    float length = (float)(step->frames - 1), s = length > 0.0f ? u / length : 1.0f;
    s = s < 0.0f ? 0.0f : s > 1.0f ? 1.0f : s;
    float ease = s * s * (3.0f - 2.0f * s), chord = s * s * (1.0f - 0.5f * s), stretch = line->play.stride * ease;
    lope_vec3 seen = lope_transform_point(line->from_world, hips);
    seen.x += stretch * step->move.x;
    seen.z += stretch * step->move.z;
    seen = lope_quat_rotate(turned(line->play.turn * chord), seen);
    lope_vec3 there = lope_transform_point(lope_ground_transform(line->at), seen);
    lope_quat turn = turned(line->play.turn * ease);
    pose->root = lope_v3_add(there, lope_quat_rotate(turn, lope_v3_sub(pose->root, hips)));
    pose->rotations[0] = lope_quat_mul(turn, pose->rotations[0]);
}

static void place(const lope_player *player, const play_line *line, float u, double frame, lope_pose *pose)
{
    const lope_clip *clip = play_clip(player, line);
    lope_vec3 hips = lope_transform_point(line->placing, hips_of(clip, frame, pose));
    pose->root = lope_transform_point(line->placing, pose->root);
    pose->rotations[0] = lope_quat_mul(line->placing.rotation, pose->rotations[0]);
    if (line->play.turn != 0.0f || line->play.stride != 0.0f)
        bend(line, &player->graph->steps[line->play.step], u, hips, pose);
    pose->rotations[0] = lope_quat_normalize(pose->rotations[0]);
    if (pose->translations)
        pose->translations[0] = pose->root;
}

// A line at `u`, without what is left of transitions. Clips are held at their ends.
static void sample(const lope_player *player, const play_line *line, float u, lope_pose *pose)
{
    const lope_clip *clip = play_clip(player, line);
    double frame = (double)player->graph->steps[line->play.step].first + (double)u;
    frame = frame < 0.0 ? 0.0 : frame > (double)(clip->frame_count - 1) ? (double)(clip->frame_count - 1) : frame;
    lope_clip_sample(clip, frame / clip->frame_rate, pose);
    place(player, line, u, frame, pose);
}

// Adds the transition as it is `earlier` seconds ago.
static void add_fade(const lope_player *player, float earlier, lope_pose *pose)
{
    lope_fade_state fade = player->fade;
    if (fade.elapsed < 0.0f)
        return;
    fade.elapsed = fmaxf(fade.elapsed - earlier, 0.0f);
    lope_fade_apply(&fade, 0.0f, pose);
}

// Poses in buffers on the stack, or of the player where it has many joints.
typedef struct pose_buffers {
    lope_pose poses[PLAY_POSES];
    lope_quat rotations[PLAY_POSES * PLAY_STACK_JOINTS];
    lope_vec3 translations[PLAY_POSES * PLAY_STACK_JOINTS];
    lope_transform stack_model[PLAY_STACK_JOINTS];
    lope_transform *model;
} pose_buffers;

static void make_buffers(const lope_player *player, pose_buffers *b)
{
    size_t joints = (size_t)player->graph->set->skeleton->joint_count;
    lope_quat *rotations = b->rotations;
    lope_vec3 *translations = b->translations;
    b->model = b->stack_model;
    if (player->scratch) {
        rotations = (lope_quat *)(void *)player->scratch;
        translations = (lope_vec3 *)(void *)(rotations + PLAY_POSES * joints);
        b->model = (lope_transform *)(void *)(translations + PLAY_POSES * joints);
    }
    for (size_t p = 0; p < PLAY_POSES; p++)
        b->poses[p] = (lope_pose){
            .joint_count = (int)joints, .rotations = rotations + p * joints, .translations = translations + p * joints};
}

// How a line looks a frame before or after; NULL where its clip has no such frame.
static const lope_pose *look_around(const lope_player *player, const play_line *line, float u, lope_pose *pose)
{
    float frame = (float)player->graph->steps[line->play.step].first + u;
    if (frame < 0.0f || frame > (float)(play_clip(player, line)->frame_count - 1))
        return NULL;
    sample(player, line, u, pose);
    return pose;
}

static void add_speeds(const lope_player *player, const play_line *next, pose_buffers *b, lope_cut *cut)
{
    const lope_pose *shown[2], *played[2]; // before, after
    for (int k = 0; k < 2; k++) {
        float by = k ? 1.0f : -1.0f;
        lope_pose *to = &b->poses[2 + 2 * k];
        shown[k] = look_around(player, &player->line, player->u + by, &to[0]);
        played[k] = look_around(player, next, -1.0f + by, &to[1]);
        if (!shown[k] || !played[k])
            shown[k] = played[k] = NULL;
        else
            add_fade(player, -by * cut->dt, &to[0]);
    }
    cut->shown_before = shown[0];
    cut->next_before = played[0];
    cut->shown_after = shown[1];
    cut->next_after = played[1];
}

void play_cut(lope_player *player, const play_line *next, bool standing)
{
    pose_buffers b;
    make_buffers(player, &b);
    lope_cut cut = {.shown = &b.poses[0], .next = &b.poses[1], .dt = 1.0f / play_frame_rate(player)};
    sample(player, &player->line, player->u, &b.poses[0]);
    add_fade(player, 0.0f, &b.poses[0]);
    sample(player, next, -1.0f, &b.poses[1]);
    if (!standing)
        add_speeds(player, next, &b, &cut);
    player->fade.duration = standing ? player->def.stand_fade : player->def.fade_duration;
    player->fade.calm_duration = standing ? player->def.stand_fade : CALM * player->def.fade_duration;
    lope_fade_begin(&player->fade, &cut);
}

static int contact_frame(const lope_player *player, const lope_clip *clip)
{
    int frame = play_step(player)->first + (int)floorf(player->u + 0.5f);
    return frame < 0 ? 0 : frame >= clip->frame_count ? clip->frame_count - 1 : frame;
}

uint16_t lope_player_contacts(const lope_player *player)
{
    const lope_clip *clip = play_clip(player, &player->line);
    return clip->contacts ? clip->contacts[contact_frame(player, clip)] : 0;
}

void lope_player_pose(lope_player *player, lope_pose *pose, lope_transform *model)
{
    const lope_skeleton *skeleton = player->graph->set->skeleton;
    const lope_clip *clip = play_clip(player, &player->line);
    pose_buffers b;
    make_buffers(player, &b);
    lope_pose *local = &b.poses[0];
    if (pose) {
        local->rotations = pose->rotations;
        local->translations = pose->translations ? pose->translations : local->translations;
    }
    if (!clip->translations && !(pose && pose->translations))
        local->translations = NULL;
    model = model ? model : b.model;
    sample(player, &player->line, player->u, local);
    add_fade(player, 0.0f, local);
    if (player->fade.elapsed >= 0.0f)
        hinges_limit(&player->graph->rig, skeleton, local);
    if (player->def.lock_feet && clip->contacts)
        lope_lock_apply(skeleton, &player->def.lock, &player->lock, lope_player_contacts(player), player->unposed,
                        local, model);
    else
        lope_pose_to_model(skeleton, local, model);
    player->unposed = 0.0f;
    for (int j = 0; player->height != 0.0f && j < skeleton->joint_count; j++)
        model[j].translation.y += player->height;
    if (pose) {
        pose->joint_count = local->joint_count;
        pose->root = local->root;
        pose_raise(pose, player->height);
    }
}

lope_ground lope_player_ground(const lope_player *player)
{
    const play_line *line = &player->line;
    const lope_clip *clip = play_clip(player, line);
    const lope_step *step = play_step(player);
    float frame = fminf(fmaxf((float)step->first + player->u, 0.0f), (float)(clip->frame_count - 1));
    int low = (int)frame, high = low + 1 < clip->frame_count ? low + 1 : low;
    lope_ground a = lope_clip_ground(clip, low), b = lope_clip_ground(clip, high), first;
    float share = frame - (float)low;
    lope_ground now = {a.x + share * (b.x - a.x), a.z + share * (b.z - a.z),
                       a.yaw + share * lope_wrap_angle(b.yaw - a.yaw)};
    first = lope_clip_ground(clip, step->first);
    lope_quat upright = lope_quat_yaw(0.0f);
    lope_pose body = {.joint_count = 1, .root = {now.x, 0.0f, now.z}, .rotations = &upright};
    body.root = lope_transform_point(line->placing, body.root);
    float length = (float)(step->frames - 1), s = length > 0.0f ? player->u / length : 1.0f;
    s = s < 0.0f ? 0.0f : s > 1.0f ? 1.0f : s;
    float yaw = line->at.yaw + lope_wrap_angle(now.yaw - first.yaw) + line->play.turn * s * s * (3.0f - 2.0f * s);
    bend(line, step, player->u, body.root, &body);
    if (player->fade.elapsed >= 0.0f) {
        lope_fade_state root_only = player->fade;
        root_only.joint_count = body.joint_count = 0;
        lope_fade_apply(&root_only, 0.0f, &body);
    }
    return (lope_ground){body.root.x, body.root.z, lope_wrap_angle(yaw)};
}
