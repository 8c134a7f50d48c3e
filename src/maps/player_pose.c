// SPDX-License-Identifier: MIT
// The pose of a player: the clip between two frames, laid into the world, bent and stretched, plus what is left of the
// last transition, feet locked.
//
// Bending must not show where steps meet, so place, heading and both their speeds are those of the plain step at its
// beginning and of the turned one at its end. With s from 0 to 1 over the step and ease e = s^2 (3 - 2 s), the heading
// is turned by turn * e; a straight way whose direction does the same has its chord turned by turn * (s^2 - s^3 / 2),
// half of the turn at the end. Stretching adds stride * e of the whole way.
#include "maps/player.h"
#include "motion/joints.h"

// Joints that have nothing to do with standing take so many times as long to lose the difference at a transition:
// steps of different walks swing the arms differently, and nobody sees an arm that is late.
#define CALM 2.5f

// A moment of a line: two frames of its clip and how far it is from one to the other. Clips are held at their ends.
typedef struct line_moment {
    const lope_clip *clip;
    int frame;
    float t;
} line_moment;

static line_moment moment_at(const lope_player *player, const play_line *line, float u)
{
    const lope_clip *clip = play_clip(player, line);
    float frame = (float)player->graph->steps[line->play.step].first + u;
    frame = fminf(fmaxf(frame, 0.0f), (float)(clip->frame_count - 1));
    int low = (int)frame;
    return (line_moment){clip, low, low + 1 < clip->frame_count ? frame - (float)low : 0.0f};
}

// The hips over the ground, as the clip has them.
static lope_vec2 hips_of(const line_moment *m)
{
    int hips = m->clip->skeleton->roles[LOPE_HIPS], high = m->frame + (m->t > 0.0f);
    lope_vec3 a = m->clip->root[m->frame], b = m->clip->root[high];
    if (hips > 0) {
        a = joint_in_frame(m->clip, m->frame, hips).translation;
        b = joint_in_frame(m->clip, high, hips).translation;
    }
    lope_vec3 place = lope_v3_lerp(a, b, m->t);
    return (lope_vec2){place.x, place.z};
}

// How much of a step lies behind, from 0 to 1.
static float share_of(const lope_step *step, float u)
{
    float length = (float)(step->frames - 1), s = length > 0.0f ? u / length : 1.0f;
    return fminf(fmaxf(s, 0.0f), 1.0f);
}

// Where a place of the unbent line comes to lie.
static lope_vec2 bend(const play_line *line, const lope_step *step, float s, lope_vec2 place)
{
    float ease = s * s * (3.0f - 2.0f * s), chord = s * s * (1.0f - 0.5f * s), stretch = line->play.stride * ease;
    lope_vec2 seen = ground_move_point(line->from_world, place.x, place.z);
    ground_move turned = ground_small_turn(0.0f, 0.0f, line->play.turn * chord);
    seen = ground_move_point(turned, seen.x + stretch * step->move.x, seen.z + stretch * step->move.z);
    lope_ground there = lope_ground_mul(line->at, (lope_ground){seen.x, seen.z, 0.0f});
    return (lope_vec2){there.x, there.z};
}

// World from clip at a moment: the hips are where the bent step has them, and the body is turned about them.
static ground_move placing_at(const lope_player *player, const play_line *line, float u, const line_moment *m)
{
    if (line->play.turn == 0.0f && line->play.stride == 0.0f)
        return line->placing;
    const lope_step *step = &player->graph->steps[line->play.step];
    float s = share_of(step, u);
    lope_vec2 hips = hips_of(m);
    hips = ground_move_point(line->placing, hips.x, hips.z);
    lope_vec2 there = bend(line, step, s, hips);
    ground_move turn = ground_small_turn(0.0f, 0.0f, line->play.turn * s * s * (3.0f - 2.0f * s));
    lope_vec2 back = ground_move_point(turn, hips.x, hips.z);
    turn.x = there.x - back.x;
    turn.z = there.z - back.z;
    return ground_move_mul(turn, line->placing);
}

static shown_look look_of(const lope_player *player)
{
    const lope_player_def *def = &player->def;
    const lope_lock_rig *rig = &player->graph->rig;
    return (shown_look){.fade = LOPE_FADE_INERTIA,
                        .fade_duration = def->fade_duration,
                        .rig = rig,
                        .lock = def->lock_feet && rig->part_count > 0 ? &def->lock : NULL,
                        .calm_duration = CALM * def->fade_duration};
}

static shown_frame frame_at(const lope_player *player, const play_line *line, float u)
{
    line_moment m = moment_at(player, line, u);
    return (shown_frame){.clip = m.clip, .frame = m.frame, .placing = placing_at(player, line, u, &m), .t = m.t};
}

void play_cut(lope_player *player, const play_line *next, bool standing)
{
    shown_frame from = frame_at(player, &player->line, player->u), to = frame_at(player, next, -1.0f);
    shown_look look = look_of(player);
    if (standing)
        look.fade_duration = look.calm_duration = player->def.stand_fade;
    shown_cut(&player->body, &look, &from, &to, standing ? 0.0f : play_frame_rate(player));
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
    line_moment m = moment_at(player, &player->line, player->u);
    shown_view view = {.body = &player->body,
                       .look = look_of(player),
                       .clip = m.clip,
                       .frame = m.frame,
                       .t = m.t,
                       .placing = placing_at(player, &player->line, player->u, &m),
                       .contacts = lope_player_contacts(player)};
    lope_shown_pose(&view, pose, model);
    for (int j = 0; model && player->height != 0.0f && j < m.clip->skeleton->joint_count; j++)
        model[j].translation.y += player->height;
    if (pose)
        pose_raise(pose, player->height);
}

lope_ground lope_player_ground(const lope_player *player)
{
    const play_line *line = &player->line;
    const lope_step *step = play_step(player);
    line_moment m = moment_at(player, line, player->u);
    lope_ground a = lope_clip_ground(m.clip, m.frame), b = lope_clip_ground(m.clip, m.frame + (m.t > 0.0f));
    lope_ground first = lope_clip_ground(m.clip, step->first);
    float s = share_of(step, player->u), yaw = a.yaw + m.t * lope_wrap_angle(b.yaw - a.yaw);
    lope_vec2 now = ground_move_point(line->placing, a.x + m.t * (b.x - a.x), a.z + m.t * (b.z - a.z));
    now = bend(line, step, s, now);
    shown_look look = look_of(player);
    lope_vec3 fade = shown_fade_root(&player->body, &look);
    yaw = line->at.yaw + lope_wrap_angle(yaw - first.yaw) + line->play.turn * s * s * (3.0f - 2.0f * s);
    return (lope_ground){now.x + fade.x, now.z + fade.z, lope_wrap_angle(yaw)};
}
