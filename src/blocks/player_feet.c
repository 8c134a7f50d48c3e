// SPDX-License-Identifier: MIT
// Feet of who plays steps: those that stand are held, those that would be in the floor are lifted out of it.
#include "blocks/player.h"
#include "lope/contacts.h"

// Metres before full stretch from which on a leg that is lifted reaches less than asked.
#define SOFTNESS 0.01f

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
static void let_go(lope_block_player *p)
{
    for (int side = 0; side < 2; side++) {
        lope_lock_foot *foot = &p->lock.now.feet[side];
        if (p->lifted[side])
            foot->locked = foot->flat = false;
        p->lifted[side] = false;
    }
}

// What fades at a junction may carry a foot below the floor.
static void lift_out_of_floor(const lope_block_player *p, int side, lope_pose *pose, lope_transform *model)
{
    const lope_lock_rig *rig = &p->lock.rig;
    lope_limb leg = rig->legs[side].joints;
    if (leg.upper < 0)
        return;
    lope_vec3 heel = lope_transform_point(model[rig->legs[side].heel_joint], rig->legs[side].heel);
    lope_vec3 ball = lope_transform_point(model[rig->legs[side].ball_joint], rig->legs[side].ball);
    float below = p->floor - fminf(heel.y, ball.y);
    if (below > 0.0f) {
        lope_vec3 ankle = model[leg.end].translation;
        lope_ik_limb(p->world->blocks->set->skeleton, leg, lope_v3(ankle.x, ankle.y + below, ankle.z), SOFTNESS, pose,
                     model);
    }
}

void player_place_feet(lope_block_player *p, lope_pose *pose, lope_transform *model)
{
    lope_lock_def lock = lope_lock_def_default();
    let_go(p);
    lope_lock_apply(p->world->blocks->set->skeleton, &lock, &p->lock, lope_block_player_contacts(p), p->unlocked, pose,
                    model);
    for (int side = 0; side < 2 && !isnan(p->floor); side++)
        lift_out_of_floor(p, side, pose, model);
}
