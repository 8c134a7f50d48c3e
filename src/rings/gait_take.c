// SPDX-License-Identifier: MIT
// Taking up a step that was found: weights go there from where they are, the swinging foot is aimed at where it will
// stand and raised over what lies in its way, and the body comes down in time.
#include "rings/gait_plan.h"

#include <string.h>

// Frames over which a foot takes on the speed it will have when it stands; fewer where that would lead it farther
// astray than a fifth of the last, metres.
static const float LANDING = 12.0f, SHORTEST = 3.0f, LANDING_OFF = 0.063f;
static const float FALL =
    0.02f; // metres of extra height at the last knot but two; as many times more before as one can fall
static const float MOST_LIFT = 0.2f; // metres of extra height at a knot: more would fold the leg up to the hip
static const float EDGE = 0.03f;     // metres of height from knot to knot that say there is one between them,
enum { BETWEEN = 4 };                // which is looked for in so many parts of the way

void gait_gather(gait_planner *p)
{
    const ring_head *h = p->ring->head;
    const float *low = h->low[p->track], *high = h->high[p->track];
    float x = larger(fabsf(low[0]), fabsf(high[0])), z = larger(fabsf(low[2]), fabsf(high[2]));
    float reach = sqrtf(x * x + z * z) + 0.35f;
    lope_vec3 o = p->gait->origin;
    lope_terrain_gather(p->terrain, lope_v3(o.x - reach, o.y + low[1] - 0.6f, o.z - reach),
                        lope_v3(o.x + reach, o.y + high[1] + 0.6f, o.z + reach), &p->patch);
}

// Where a foot must be, beyond where the motion brings it, to come down as it will stand.
static void aim_foot(const gait_planner *p, const gait_trial *t, gait_foot *foot)
{
    const ring_leg *leg = &p->gait->rings->legs[1 - p->track];
    lope_transform played = {lope_quat_mul(t->facing, t->strike.ankle.rotation),
                             gait_to_world(p, t, t->strike.ankle.translation)};
    lope_vec3 forward = lope_quat_rotate(lope_quat_mul(played.rotation, leg->sole), lope_v3(0.0f, 0.0f, 1.0f));
    gait_foot standing = *foot;
    gait_foot_as_planned(p->gait, &standing);
    float pitch =
        gait_foot_pitch(&standing, gait_pitch_of(forward) - gait_flat_pitch(p->ring, 1 - p->track, t->weights));
    lope_transform ankle;
    lope_quat toe;
    gait_foot_rolled(leg, &standing, pitch, &ankle, &toe);
    if (!foot->planted)
        gait_foot_anew(p->gait, foot);
    memset(foot->lifts, 0, sizeof foot->lifts);
    foot->landing = LANDING;
    foot->land_speed = foot->land_turn = foot->land_toes = lope_v3(0.0f, 0.0f, 0.0f);
    foot->place.to = (gait_end){.place = lope_v3_sub(ankle.translation, played.translation)};
    foot->turn.to = (gait_end){.place = gait_turn(played.rotation, ankle.rotation)};
    foot->toe.to = (gait_end){.place = gait_turn(t->strike.toe, toe)};
}

// A foot in some frame: the ankle in the world, the toes relative to it.
typedef struct foot_pose {
    lope_transform ankle;
    lope_quat toe;
} foot_pose;

// The swinging foot as it is played in a frame of the running step.
static foot_pose swinging_at(const lope_gait *gait, float frame)
{
    int side = 1 - gait->track;
    const ring_leg *leg = &gait->rings->legs[side];
    lope_quat slots[RING_LEG_SLOTS];
    lope_transform chains[2][RING_CHAIN];
    float weights[RING_SAMPLES];
    gait_weights_at(gait, frame, weights);
    gait_played played = gait_play(gait, frame, weights, true, slots, chains);
    foot_pose out = {chains[side][leg->ankle],
                     leg->toe == leg->ankle ? lope_quat_identity() : slots[leg->slots[leg->toe]]};
    out.ankle.translation = played.feet[side];
    return out;
}

// The same foot once it stands, in a frame of the next step.
static foot_pose standing_at(const lope_gait *gait, const gait_foot *foot, float frame)
{
    int side = 1 - gait->track;
    const lope_ring *ring = gait_ring(gait);
    const ring_leg *leg = &gait->rings->legs[side];
    float row[RING_WIDTH];
    lope_quat slots[RING_LEG_SLOTS];
    lope_transform chain[RING_CHAIN];
    lope_ring_mix(ring, side, frame, gait->step.to, row);
    lope_ring_decode(ring, row, 0, (int)ring->head->leg_groups, slots);
    lope_quat root = lope_quat_mul(lope_quat_yaw(gait->step.yaw), lope_ring_root_rotation(ring, row));
    lope_ring_pose_leg(gait->rings->skeleton, leg, slots, root, chain);
    lope_quat sole = lope_quat_mul(chain[leg->ankle].rotation, leg->sole);
    float pitch =
        gait_pitch_of(lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f))) - gait_flat_pitch(ring, side, gait->step.to);
    foot_pose out;
    gait_foot_rolled(leg, foot, gait_foot_pitch(foot, pitch), &out.ankle, &out.toe);
    return out;
}

// The foot comes down as fast as it will go on rolling.
static void match_speeds(lope_gait *gait)
{
    const float by = 0.5f;
    int side = 1 - gait->track;
    gait_foot *foot = &gait->feet[side], standing = *foot;
    float end = (float)gait_ring(gait)->head->frames;
    gait_foot_as_planned(gait, &standing);
    foot_pose before = swinging_at(gait, end - by), strike = swinging_at(gait, end);
    foot_pose landed = standing_at(gait, &standing, 0.0f), after = standing_at(gait, &standing, by);
    lope_vec3 swings = lope_v3_sub(strike.ankle.translation, before.ankle.translation);
    lope_vec3 rolls = lope_v3_sub(after.ankle.translation, landed.ankle.translation);
    foot->land_speed = lope_v3_scale(lope_v3_sub(rolls, swings), 1.0f / by);
    foot->landing = larger(SHORTEST, smaller(LANDING_OFF / larger(lope_v3_length(foot->land_speed), 1e-6f), LANDING));
    swings = gait_turn(before.ankle.rotation, strike.ankle.rotation);
    rolls = gait_turn(landed.ankle.rotation, after.ankle.rotation);
    foot->land_turn = lope_v3_scale(lope_v3_sub(rolls, swings), 1.0f / by);
    foot->land_toes =
        lope_v3_scale(lope_v3_sub(gait_turn(landed.toe, after.toe), gait_turn(before.toe, strike.toe)), 1.0f / by);
}

// Controls of a curve that is as high as needed at every knot, or nearly, and at rest at both ends.
static void lay_lifts(const float needed[GAIT_LIFTS], float lifts[GAIT_LIFTS])
{
    const int first = 2, last = GAIT_LIFTS - 3;
    memset(lifts, 0, GAIT_LIFTS * sizeof *lifts);
    for (int k = first; k <= last; k++)
        lifts[k] = smaller(larger(needed[k], 0.8f * larger(needed[k - 1], needed[k + 1])), MOST_LIFT);
    // Where that is not enough, which is likely next to the ends, the nearest control makes up for it.
    for (int round = 0; round < 2; round++)
        for (int k = 1; k < GAIT_LIFTS - 1; k++) {
            float high = (lifts[k - 1] + 4.0f * lifts[k] + lifts[k + 1]) / 6.0f;
            int by = k < first ? first : k > last ? last : k;
            if (needed[k] > high)
                lifts[by] = smaller(lifts[by] + (by == k ? 1.5f : 3.0f) * (needed[k] - high), MOST_LIFT);
        }
    for (int k = first; k < last; k++) // no peaks: up and down again would be worse than a long way up
        lifts[k + 1] = larger(lifts[k + 1], 0.7f * lifts[k]);
    // It comes down in time: toes that still reach over the next tread, next to where they will stand, may graze it.
    for (int k = first; k <= last; k++)
        lifts[k] = smaller(lifts[k], FALL * (float)((last + 1 - k) * (last + 2 - k)));
    for (int k = last; k > first; k--)
        lifts[k - 1] = larger(lifts[k - 1], 0.7f * lifts[k]);
}

// Ball, heel and tip of the swinging foot in a frame, in the world.
static void sole_at(const gait_planner *p, float frame, lope_vec3 out[3])
{
    const lope_gait *gait = p->gait;
    const ring_leg *leg = &gait->rings->legs[1 - p->track];
    lope_quat slots[RING_LEG_SLOTS];
    lope_transform chains[2][RING_CHAIN];
    float weights[RING_SAMPLES];
    gait_weights_at(gait, frame, weights);
    gait_played played = gait_play(gait, frame, weights, true, slots, chains);
    const lope_transform *chain = chains[1 - p->track];
    lope_vec3 turn, toe, by = gait_swing_at(gait, 1 - p->track, frame, &turn, &toe);
    by = lope_v3_add(by, lope_v3_sub(played.feet[1 - p->track], chain[leg->ankle].translation));
    lope_vec3 points[3] = {lope_ring_ball(leg, chain), lope_ring_heel(leg, chain),
                           lope_transform_point(chain[leg->toe], leg->tip)};
    for (int i = 0; i < 3; i++) {
        lope_vec3 arm = lope_v3_sub(points[i], chain[leg->ankle].translation);
        out[i] = lope_v3_add(lope_v3_add(points[i], by), lope_v3_cross(turn, arm));
    }
}

// How much higher a point of the sole would have to be; 0 where there is no ground, whose height is left as it was.
static float short_by(const gait_planner *p, lope_vec3 point, float margin, float *ground)
{
    lope_vec3 from = point, on, normal;
    from.y += 0.35f;
    if (!gait_ground_below(p->terrain, &p->patch, from, 0.6f, &on, &normal))
        return 0.0f;
    *ground = on.y;
    return on.y + margin - point.y;
}

// How much of what a point of the sole lacks counts: on the plane the foot stands on or has just left, little more than
// nothing, because it rolls off there, and what dips into the plane is taken out where it is shown (gait_feet.c).
static float apart_from_stance(const gait_foot *foot, lope_vec3 point, lope_vec3 ball, float ground)
{
    const float same = 0.02f; // metres
    lope_vec3 on = lope_v3_sub(lope_v3(point.x, ground, point.z), foot->anchor);
    return fabsf(lope_v3_dot(on, foot->normal)) > same ? 1.0f : gait_apart(lope_v3_distance(ball, foot->anchor));
}

// Extra height for the swing, so that no part of the sole goes through the ground, nor through an edge between knots.
static void raise_swing(const gait_planner *p, gait_foot *foot)
{
    lope_gait *gait = p->gait;
    float end = (float)p->ring->head->frames, leave = 0.0f, needed[GAIT_LIFTS] = {0.0f};
    for (int s = 0; s < p->samples; s++)
        leave += gait->weights[s] * p->ring->head->lift[p->track][s];
    foot->lift_from = larger(gait->frame, foot->planted ? leave : 0.0f);
    if (foot->planted) { // from when it leaves
        foot->begin = foot->lift_from;
        foot->place.from = foot->turn.from = foot->toe.from = (gait_end){.place = {0.0f, 0.0f, 0.0f}};
    }
    lope_vec3 sole[3], before[3];
    float ground[3] = {0.0f, 0.0f, 0.0f};
    for (int k = 1; k < GAIT_LIFTS - 1 && foot->lift_from < end - 2.0f; k++) {
        // No more than soles have that leave the ground and come down on it.
        float share = (float)k / (GAIT_LIFTS - 1), margin = 0.018f * gait_ease(3.0f * smaller(share, 1.0f - share));
        sole_at(p, foot->lift_from + (end - foot->lift_from) * share, sole);
        for (int i = 0; i < 3; i++) {
            float was = ground[i], edge = 0.0f;
            float lacks = short_by(p, sole[i], margin, &ground[i]);
            needed[k] = larger(needed[k], lacks * apart_from_stance(foot, sole[i], sole[0], ground[i]));
            bool edges = k > 1 && fabsf(ground[i] - was) > EDGE;
            for (int between = 1; between < BETWEEN && edges; between++) {
                lope_vec3 at = lope_v3_lerp(before[i], sole[i], (float)between / BETWEEN);
                edge = larger(edge, short_by(p, at, margin, &was));
            }
            needed[k] = larger(needed[k], edge);
            needed[k - 1] = larger(needed[k - 1], edge);
        }
        memcpy(before, sole, sizeof before);
    }
    lay_lifts(needed, foot->lifts);
}

// As in section 4.4: where weights would have begun at the last strike, to be what they are now on the way to others.
static void extrapolate(gait_step *step, const gait_planner *p, const gait_trial *t, float to)
{
    float by = 1.0f / larger(1.0f - to, 0.05f);
    for (int s = 0; s < p->samples; s++) {
        float now = (1.0f - to) * step->from[s] + to * step->to[s];
        step->from[s] = (now - to * t->weights[s]) * by;
        step->to[s] = t->weights[s];
    }
    step->trims[0] = ((1.0f - to) * step->trims[0] + to * step->trim - to * t->trim) * by;
}

// A number on its way to rest.
static float mixed(const gait_six *six, float from, float speed, float bend, float to)
{
    return six->place[0] * from + six->speed[0] * speed + six->acceleration[0] * bend + six->place[1] * to;
}

// The weights and the direct turn go on from where they are, at their speed.
static void go_on(gait_step *step, const gait_planner *p, const gait_trial *t)
{
    const lope_gait *gait = p->gait;
    float length = larger((float)p->ring->head->frames - step->begin, 1e-3f);
    float share = larger(0.0f, smaller((gait->frame - step->begin) / length, 1.0f));
    gait_six at = gait_six_at(share, length), rate = gait_six_rate(share, length), bend = gait_six_bend(share, length);
    for (int s = 0; s < p->samples; s++) {
        float from = step->from[s], speed = step->speed[s], curve = step->bend[s], to = step->to[s];
        step->from[s] = mixed(&at, from, speed, curve, to);
        step->speed[s] = mixed(&rate, from, speed, curve, to);
        step->bend[s] = mixed(&bend, from, speed, curve, to);
        step->to[s] = t->weights[s];
    }
    float *trims = step->trims, from = trims[0], speed = trims[1], curve = trims[2];
    trims[0] = mixed(&at, from, speed, curve, step->trim);
    trims[1] = mixed(&rate, from, speed, curve, step->trim);
    trims[2] = mixed(&bend, from, speed, curve, step->trim);
    step->begin = gait->frame;
}

void gait_take_up(const gait_planner *p, const gait_trial *t)
{
    lope_gait *gait = p->gait;
    gait_step *step = &gait->step;
    gait_foot *foot = &gait->feet[1 - p->track];
    bool cubic = gait->def.published & LOPE_PUBLISHED_EASE;
    float eased = cubic ? gait_step_six(gait, gait->frame).place[1] : 0.0f;
    step->course = gait_course_now(gait);
    step->care = 0.0f;
    for (int s = 0; s < p->samples; s++)
        step->care += 0.5f * fabsf(t->weights[s] - step->to[s]);
    if (cubic)
        extrapolate(step, p, t, eased);
    else
        go_on(step, p, t);
    step->trim = t->trim;
    step->planned = true;
    gait->wary = false;
    step->anchor = t->ground;
    step->normal = t->normal;
    step->plant = t->plant;
    step->overhangs = t->overhangs;
    step->yaw = gait->yaw + t->trim + t->strike.landing.yaw;
    float course = step->yaw + ring_bias(p->ring, 1 - p->track, t->weights);
    double along = (double)(gait->yaw +
                            0.5f * (t->strike.landing.yaw + t->trim + ring_bias(p->ring, 1 - p->track, t->weights) +
                                    ring_bias(p->ring, p->track, t->weights)) +
                            p->ring->head->heading);
    lope_vec3 way = lope_v3_sub(t->ground, gait->origin);
    step->strike =
        (lope_gait_strike){.side = (lope_side)(1 - p->track),
                           .place = t->ground,
                           .normal = t->normal,
                           .by_weights = t->error,
                           .in_hull = t->in_hull,
                           .stride = (float)((double)way.x * lope_sin(along) + (double)way.z * lope_cos(along)),
                           .course = lope_wrap_angle(course + p->ring->head->heading)};
    if (cubic) // likewise
        step->course += eased / larger(1.0f - eased, 0.05f) * lope_wrap_angle(step->course - gait_planned_course(gait));
    aim_foot(p, t, foot);
    step->todo = GAIT_AIM; // in the next frames: this one has done enough
}

void gait_plan_on(lope_gait *gait, const lope_terrain *terrain)
{
    gait_planner p = {.gait = gait, .terrain = terrain, .ring = gait_ring(gait), .track = gait->track};
    if (gait->step.todo == GAIT_AIM) {
        match_speeds(gait);
        gait_pelvis_plan(gait);
        gait->step.todo = GAIT_RAISE;
        return;
    }
    p.samples = (int)p.ring->head->samples;
    gait->step.todo = GAIT_NOTHING;
    if (terrain)
        gait_gather(&p);
    raise_swing(&p, &gait->feet[1 - gait->track]);
}
