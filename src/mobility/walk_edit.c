// SPDX-License-Identifier: MIT
// Small edits of the root. Where the plan meets the goal, it does so within some centimetres and degrees; what is
// missing is spread over the way that is left, in proportion to the distance walked and never more than a few per cent
// of it, so that nobody sees it. Where the goal is far, the body is turned a little towards where it should go.
#include "mobility/walker.h"

// Cosine of the angle from which on a plan that leads past the goal is meant to (it turns first).
#define STEER_ALONG 0.8f
// Metres: a shorter plan has no direction.
#define STEER_BEYOND 0.5f

static float clamp(float value, float most)
{
    return value > most ? most : value < -most ? -most : value;
}

// A frame in the world turned about `centre` and moved by `by`.
static void turn_about(ground_move *frame, ground_move centre, float angle, lope_vec2 by)
{
    // Second order: the length of cosine and sine is off by angle^4 / 8, and frames and cuts normalise.
    float c = 1.0f - 0.5f * angle * angle, s = angle, dx = frame->x - centre.x, dz = frame->z - centre.z;
    float cosine = frame->cosine * c - frame->sine * s;
    frame->x = centre.x + by.x + c * dx + s * dz;
    frame->z = centre.z + by.z - s * dx + c * dz;
    frame->sine = frame->sine * c + frame->cosine * s;
    frame->cosine = cosine;
}

// The root is turned by `angle` (small) about the body and moved by `by`.
static void move_body(lope_walker *walker, lope_vec2 by, float angle)
{
    ground_move body = walk_body(walker);
    turn_about(&walker->ground, body, angle, by);
    turn_about(&walker->placing, body, angle, by);
}

static float heading_error(const lope_walker *walker, ground_move at)
{
    if (walker->aim != WALK_STOP || isnan(walker->goal.facing))
        return 0.0f;
    return lope_wrap_angle(walker->goal.facing - (float)lope_atan2((double)at.sine, (double)at.cosine));
}

// Spreads what is missing at the planned meeting over the frames until then.
static void aim_at_hit(lope_walker *walker, float frames, float walked, float turned)
{
    const walk_plan *plan = &walker->plan;
    float left = (float)plan->hit_frames - walker->phase;
    if (!(left > 0.0f))
        return;
    ground_move at = ground_move_mul(walker->ground, plan->hit);
    float share = fminf(1.0f, frames / left);
    float dx = (walker->goal.position.x - at.x) * share, dz = (walker->goal.position.z - at.z) * share;
    float size = sqrtf(dx * dx + dz * dz), most = walk_editing(walker) * walker->def.edit_step * walked;
    float keep = size > most ? most / size : 1.0f;
    float turn = clamp(heading_error(walker, at) * share,
                       walk_editing(walker) * walker->def.edit_turn * (walked + WALK_TURN_AS_WAY * turned));
    move_body(walker, (lope_vec2){dx * keep, dz * keep}, turn);
}

// Turns the walk towards a goal that is beyond its end.
static void steer(lope_walker *walker, float walked)
{
    ground_move end = ground_move_mul(walker->ground, walker->plan.rest);
    float ex = end.x - walker->ground.x, ez = end.z - walker->ground.z;
    float gx = walker->goal.position.x - walker->ground.x, gz = walker->goal.position.z - walker->ground.z;
    float way = sqrtf(ex * ex + ez * ez), distance = sqrtf(gx * gx + gz * gz);
    if (way < STEER_BEYOND || distance < way)
        return;
    float across = (gx * ez - gz * ex) / (way * distance), along = (gx * ex + gz * ez) / (way * distance);
    if (along < STEER_ALONG)
        return;
    move_body(walker, (lope_vec2){0.0f, 0.0f}, clamp(across, walker->def.edit_turn * walked));
}

void walk_turn(lope_walker *walker, float angle)
{
    move_body(walker, (lope_vec2){0.0f, 0.0f}, angle);
}

void walk_shift(lope_walker *walker, lope_vec2 by)
{
    move_body(walker, by, 0.0f);
}

void walk_edit(lope_walker *walker, float frames)
{
    if (walker->aim == WALK_STAY || walker->plan.choice < 0)
        return;
    const mobility_pose *pose = &walker->map->poses[walker->pose];
    float walked = frames * sqrtf(pose->enter.x * pose->enter.x + pose->enter.z * pose->enter.z);
    if (walker->def.bend != 0.0f)
        walk_turn(walker, walker->def.bend * frames * walk_frame_seconds(walker));
    else if (walker->plan.hit_step >= 0)
        aim_at_hit(walker, frames, walked, frames * fabsf(pose->yaw));
    else if (walked > 0.0f && walker->def.edit_turn > 0.0f)
        steer(walker, walked);
}
