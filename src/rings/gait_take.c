// SPDX-License-Identifier: MIT
// Taking up a step that was found: weights go there from where they are, the swinging foot is aimed at where it will
// stand and raised over what lies in its way, and the body comes down in time.
#include "rings/gait_plan.h"

#include <string.h>

void gait_gather(gait_planner *p)
{
    const ring_head *h = p->ring->head;
    const float *low = h->low[p->track], *high = h->high[p->track];
    float x = fmaxf(fabsf(low[0]), fabsf(high[0])), z = fmaxf(fabsf(low[2]), fabsf(high[2]));
    float reach = sqrtf(x * x + z * z) + 0.35f;
    lope_vec3 o = p->gait->origin;
    lope_terrain_gather(p->terrain, lope_v3(o.x - reach, o.y + low[1] - 0.6f, o.z - reach),
                        lope_v3(o.x + reach, o.y + high[1] + 0.6f, o.z + reach), &p->patch);
}

void gait_fold_in(lope_gait *gait, gait_foot *foot)
{
    // What was eased in so far becomes something that decays, with its speed.
    const float small = 0.1f;
    float end = (float)gait_ring(gait)->head->frames, length = fmaxf(end - foot->reach_from, 1e-3f);
    float now = gait_ease((gait->frame - foot->reach_from) / length);
    float speed = (gait_ease((gait->frame + small - foot->reach_from) / length) - now) / small * gait->rate;
    foot->offset.value = lope_v3_mad(foot->offset.value, foot->reach, now);
    foot->offset.speed = lope_v3_mad(foot->offset.speed, foot->reach, speed);
    foot->turn.value = lope_v3_mad(foot->turn.value, foot->reach_turn, now);
    foot->turn.speed = lope_v3_mad(foot->turn.speed, foot->reach_turn, speed);
    foot->toe.value = lope_v3_mad(foot->toe.value, foot->reach_toe, now);
    foot->toe.speed = lope_v3_mad(foot->toe.speed, foot->reach_toe, speed);
    float lift = gait_lift_at(foot, gait->frame, end);
    foot->offset.value.y += lift;
    foot->offset.speed.y += (gait_lift_at(foot, gait->frame + small, end) - lift) / small * gait->rate;
}

// What must be eased in for the foot to come down as it will stand.
static void aim_foot(const gait_planner *p, const gait_trial *t, gait_foot *foot)
{
    const ring_leg *leg = &p->gait->rings->legs[1 - p->track];
    lope_transform played = {lope_quat_mul(t->facing, t->strike.ankle.rotation),
                             gait_to_world(p, t, t->strike.ankle.translation)};
    lope_vec3 forward = lope_quat_rotate(lope_quat_mul(played.rotation, leg->sole), lope_v3(0.0f, 0.0f, 1.0f));
    gait_foot standing = *foot;
    gait_foot_place(leg, &standing, t->ground, t->normal, t->plant);
    float pitch = gait_soft_pitch(gait_pitch_of(p->ring, 1 - p->track, t->weights, forward));
    lope_transform ankle;
    lope_quat toe;
    gait_foot_rolled(leg, &standing, pitch, &ankle, &toe);
    foot->reach = lope_v3_sub(ankle.translation, played.translation);
    foot->reach_turn = gait_turn(played.rotation, ankle.rotation);
    foot->reach_toe = gait_turn(t->strike.toe, toe);
    foot->reach_from = p->gait->frame;
}

// Extra height for the swing, so that no part of the sole goes through the ground.
static void raise_swing(const gait_planner *p, gait_foot *foot)
{
    lope_gait *gait = p->gait;
    const ring_leg *leg = &gait->rings->legs[1 - p->track];
    float end = (float)p->ring->head->frames, leave = 0.0f, needed[GAIT_LIFTS] = {0.0f};
    for (int s = 0; s < p->samples; s++)
        leave += gait->weights[s] * p->ring->head->lift[p->track][s];
    foot->lift_from = fmaxf(gait->frame, foot->planted ? leave : 0.0f);
    for (int k = 1; k < GAIT_LIFTS - 1 && foot->lift_from < end - 2.0f; k++) {
        float frame = foot->lift_from + (end - foot->lift_from) * (float)k / (GAIT_LIFTS - 1), weights[RING_SAMPLES];
        lope_quat slots[RING_GROUPS * 4];
        lope_transform chains[2][RING_CHAIN];
        gait_weights_at(gait, frame, weights);
        gait_played played = gait_play(gait, frame, weights, true, slots, chains);
        const lope_transform *chain = chains[1 - p->track];
        float share = gait_ease((frame - foot->reach_from) / fmaxf(end - foot->reach_from, 1e-3f));
        lope_vec3 by = lope_v3_mad(played.place, foot->reach, share);
        if (!foot->planted) // and what is left of earlier differences by then
            by = lope_v3_mad(by, foot->offset.value, gait_left_after((frame - gait->frame) / fmaxf(gait->rate, 20.0f)));
        lope_vec3 points[3] = {ring_ball(leg, chain), ring_heel(leg, chain),
                               lope_transform_point(chain[leg->toe], leg->tip)};
        // The foot turns towards how it will stand, and what is left of earlier turns comes off.
        lope_vec3 turn = lope_v3_scale(foot->reach_turn, share);
        if (!foot->planted)
            turn =
                lope_v3_mad(turn, foot->turn.value, gait_left_after((frame - gait->frame) / fmaxf(gait->rate, 20.0f)));
        float margin = k == 1 ? 0.015f : k == GAIT_LIFTS - 2 ? 0.02f : 0.03f;
        for (int i = 0; i < 3; i++) {
            lope_vec3 arm = lope_v3_sub(points[i], chain[leg->ankle].translation);
            lope_vec3 at = lope_v3_add(lope_v3_add(points[i], by), lope_v3_cross(turn, arm)), from = at, on, normal;
            from.y += 0.35f;
            if (gait_ground_below(p->terrain, &p->patch, from, 0.6f, &on, &normal))
                needed[k] = fmaxf(needed[k], on.y + margin - at.y);
        }
    }
    for (int k = 0; k < GAIT_LIFTS; k++) {
        foot->lifts[k] = 0.0f;
        if (k > 0 && k < GAIT_LIFTS - 1)
            foot->lifts[k] = fminf(fmaxf(needed[k], 0.8f * fmaxf(needed[k - 1], needed[k + 1])), 0.3f);
    }
}

void gait_take_up(const gait_planner *p, const gait_trial *t)
{
    lope_gait *gait = p->gait;
    gait_step *step = &gait->step;
    gait_foot *foot = &gait->feet[1 - p->track];
    const float small = 0.05f;
    float now[RING_SAMPLES], later[RING_SAMPLES];
    if (step->planned && !foot->planted)
        gait_fold_in(gait, foot);
    float trim = gait_yaw_at(gait, gait->frame) - gait->yaw;
    gait_weights_at(gait, gait->frame, now);
    gait_weights_at(gait, gait->frame + small, later);
    for (int s = 0; s < p->samples; s++) {
        step->speed[s] = (later[s] - now[s]) / small;
        step->from[s] = now[s];
        step->to[s] = t->weights[s];
    }
    step->begin = step->trim_begin = gait->frame;
    step->trim_from = trim;
    step->trim = t->trim;
    step->planned = true;
    step->anchor = t->ground;
    step->normal = t->normal;
    step->plant = t->plant;
    step->yaw = gait->yaw + t->trim + t->strike.landing.yaw;
    float course = step->yaw + ring_bias(p->ring, 1 - p->track, t->weights);
    double along =
        (double)(gait->yaw + 0.5f * (t->strike.landing.yaw + t->trim + ring_bias(p->ring, 1 - p->track, t->weights) +
                                     ring_bias(p->ring, p->track, t->weights)));
    lope_vec3 way = lope_v3_sub(t->ground, gait->origin);
    step->strike =
        (lope_gait_strike){.side = (lope_side)(1 - p->track),
                           .place = t->ground,
                           .normal = t->normal,
                           .by_weights = t->error,
                           .in_hull = t->in_hull,
                           .stride = (float)((double)way.x * lope_sin(along) + (double)way.z * lope_cos(along)),
                           .course = lope_wrap_angle(course)};
    aim_foot(p, t, foot);
    memset(foot->lifts, 0, sizeof foot->lifts);
    step->raise = true; // in the next frame: this one has done enough
}

void gait_raise_swing(lope_gait *gait, const lope_terrain *terrain)
{
    gait_planner p = {.gait = gait, .terrain = terrain, .ring = gait_ring(gait), .track = gait->track};
    p.samples = (int)p.ring->head->samples;
    gait->step.raise = false;
    if (terrain)
        gait_gather(&p);
    raise_swing(&p, &gait->feet[1 - gait->track]);
    gait_step *step = &gait->step;
    step->lower_from = gait_lowered_at(gait, gait->frame);
    step->lower = gait_lowering_at_strike(gait);
    step->lower_begin = gait->frame;
}
