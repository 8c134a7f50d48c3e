// SPDX-License-Identifier: MIT
// Feet of a player: those that stand are held (motion/shown.h), those that would be in the floor or in a thing are
// moved out.
#include "blocks/player.h"
#include "lope/contacts.h"
#include "motion/joints.h"

// Metres before full stretch from which on a leg that is lifted reaches less than asked.
#define SOFTNESS 0.01f
// Metres that a sole may be in what it stands on, as on the middle of a rung; metres around a foot in which things are.
#define SUNK 0.015f
#define FOOT_REACH 0.3f

static uint16_t foot_bits(int side)
{
    return side == LOPE_LEFT ? LOPE_CONTACT_LEFT_FOOT : LOPE_CONTACT_RIGHT_FOOT;
}

float player_floor(const lope_block_world *w, const lope_block_step *step)
{
    bool known = step->kind == LOPE_STEP_LINK && step->where >= 0 && step->where < w->instances.count;
    bool uses = known && w->blocks->blocks[instance_at(w, step->where)->block].unit_count > 0;
    return uses || step->segment.lift != 0.0f ? NAN : step->gate.y;
}

void player_note_feet(lope_block_player *p)
{
    const lope_segment *piece = &p->step.segment.piece;
    const lope_clip *clip = p->world->blocks->set->clips[piece->clip];
    unsigned contacts = clip->contacts && !player_glides(p) ? clip->contacts[piece->first + p->frame] : 0;
    for (int side = 0; side < 2; side++)
        p->lifted[side] |= !(contacts & foot_bits(side));
}

// A foot that was off the ground since it was held comes down anew.
void player_let_feet_go(lope_block_player *p)
{
    shown_body *body = p->body;
    for (int side = 0; side < 2; side++) {
        lope_lock_foot *foot = &body->lock.feet[side];
        if (p->lifted[side])
            foot->locked = foot->flat = false;
        p->lifted[side] = false;
    }
}

// Turns a foot about a point of it, with all that hangs on the ankle; the leg follows.
static void turn_foot(const lope_skeleton *skeleton, lope_limb leg, lope_vec3 ankle, lope_quat turn, lope_pose *pose,
                      lope_transform *model)
{
    lope_ik_limb(skeleton, leg, ankle, SOFTNESS, pose, model);
    lope_vec3 at = model[leg.end].translation;
    for (int j = leg.end; j < skeleton->joint_count; j++) {
        if (!joint_is_above(skeleton, leg.end, j))
            continue;
        lope_vec3 arm = lope_v3_sub(model[j].translation, at);
        model[j].translation = lope_v3_add(at, lope_quat_rotate(turn, arm));
        model[j].rotation = lope_quat_mul(turn, model[j].rotation);
    }
    int parent = skeleton->parents[leg.end];
    lope_quat above = parent < 0 ? lope_quat_identity() : lope_quat_conjugate(model[parent].rotation);
    pose->rotations[leg.end] = lope_quat_normalize(lope_quat_mul(above, model[leg.end].rotation));
}

// What fades at a junction may carry heel or ball below the floor: the foot is raised as far as both are, and turned
// about the higher one.
static void lift_out_of_floor(const lope_block_player *p, int side, lope_pose *pose, lope_transform *model)
{
    const lope_lock_rig *rig = &p->world->rig;
    lope_limb leg = rig->legs[side].joints;
    if (leg.upper < 0)
        return;
    lope_vec3 heel = lope_transform_point(model[rig->legs[side].heel_joint], rig->legs[side].heel);
    lope_vec3 ball = lope_transform_point(model[rig->legs[side].ball_joint], rig->legs[side].ball);
    float heel_below = fmaxf(p->floor - heel.y, 0.0f), ball_below = fmaxf(p->floor - ball.y, 0.0f);
    if (heel_below <= 0.0f && ball_below <= 0.0f)
        return;
    lope_vec3 sole = lope_v3_sub(ball, heel), pivot = ball_below > heel_below ? heel : ball;
    lope_vec3 across = lope_v3(-sole.z, 0.0f, sole.x); // turning about it raises the ball
    float length = fmaxf(lope_v3_length(across), 1e-4f), angle = (ball_below - heel_below) / length;
    lope_quat turn = lope_quat_exp(lope_v3_scale(across, fmaxf(fminf(angle, 0.5f), -0.5f) / length));
    lope_vec3 ankle = lope_v3_sub(model[leg.end].translation, pivot);
    ankle = lope_v3_add(pivot, lope_quat_rotate(turn, ankle));
    ankle.y += fminf(heel_below, ball_below);
    turn_foot(p->world->blocks->set->skeleton, leg, ankle, turn, pose, model);
}

// Feet that are held where they stood before a junction, or that fade from there, may be in a step or a rung.
static void move_out_of_things(const lope_block_player *p, int side, lope_pose *pose, lope_transform *model)
{
    const lope_lock_rig *rig = &p->world->rig;
    lope_limb leg = rig->legs[side].joints;
    if (leg.upper < 0)
        return;
    const world_box *boxes[MOST_BOXES];
    lope_vec3 ankle = model[leg.end].translation, out = {0.0f, 0.0f, 0.0f};
    lope_vec3 points[2] = {lope_transform_point(model[rig->legs[side].heel_joint], rig->legs[side].heel),
                           lope_transform_point(model[rig->legs[side].ball_joint], rig->legs[side].ball)};
    int count = boxes_near(p->world, ankle, FOOT_REACH, boxes, MOST_BOXES);
    for (int i = 0; i < 2 * count; i++) {
        lope_vec3 at = lope_v3_add(points[i % 2], out);
        float depth = -world_box_distance(boxes[i / 2], at) - SUNK;
        if (depth > 0.0f)
            out = lope_v3_add(out, lope_v3_scale(world_box_way_out(boxes[i / 2], at), depth));
    }
    if (lope_v3_length(out) > 0.0f)
        lope_ik_limb(p->world->blocks->set->skeleton, leg, lope_v3_add(ankle, out), SOFTNESS, pose, model);
}

void player_place_feet(const lope_block_player *p, lope_pose *pose, lope_transform *model)
{
    for (int side = 0; side < 2; side++) {
        if (!isnan(p->floor))
            lift_out_of_floor(p, side, pose, model);
        move_out_of_things(p, side, pose, model);
    }
}
