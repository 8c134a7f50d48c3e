// SPDX-License-Identifier: MIT
// The smooth motion at an instant: an average of the keyed one around it, weighted by a spline's bell, so that
// corners in time become curves with steady acceleration. Only the trunk and what hangs in the air are averaged.
// Whatever holds is placed by inverse kinematics on the averaged trunk, so contacts stay exact; hands and feet that
// have just left or are about to arrive stay where the keyed motion has them.
#include <string.h>

#include "grasp/motion_state.h"

#define STRETCH 0.975 // of its length that a limb uses, where the keyed motion does not use more
#define ON_SEAT 0.002 // metres that the hip of a body that sits may be off its place
#define SETTLE 0.2    // seconds after leaving and before arriving in which an extremity follows its way

// Weights of a window: (1 - x^2)^3, twice smooth at its ends.
typedef struct bell {
    int half;
    double weight[MOTION_MOST_TAPS + 1], sum;
} bell;

static void make_bell(double width, bell *out)
{
    out->half = (int)ceil(width) - 1;
    out->half = out->half < 0 ? 0 : out->half > MOTION_MOST_TAPS ? MOTION_MOST_TAPS : out->half;
    out->weight[0] = out->sum = 1.0;
    for (int k = 1; k <= out->half; k++) {
        double x = k / width, v = 1.0 - x * x;
        out->weight[k] = v * v * v;
        out->sum += 2.0 * out->weight[k];
    }
}

static const motion_sample *sample_at(const motion *m, int index)
{
    return &m->samples[index < 0 ? 0 : index >= m->sample_count ? m->sample_count - 1 : index];
}

static void average_trunk(const motion *m, int index, const bell *b, lope_grasp_pose *out)
{
    out->hip = xy(0, 0);
    out->spine = out->neck = 0.0;
    for (int k = -b->half; k <= b->half; k++) {
        const lope_grasp_pose *pose = &sample_at(m, index + k)->pose;
        double weight = b->weight[k < 0 ? -k : k] / b->sum;
        out->hip = xy_mad(out->hip, pose->hip, weight);
        out->spine += weight * pose->spine;
        out->neck += weight * pose->neck;
    }
}

static void average_limb(const motion *m, int index, const bell *b, int limb, double out[2])
{
    out[0] = out[1] = 0.0;
    for (int k = -b->half; k <= b->half; k++) {
        const double *angles = sample_at(m, index + k)->pose.limb[limb];
        double weight = b->weight[k < 0 ? -k : k] / b->sum;
        out[0] += weight * angles[0];
        out[1] += weight * angles[1];
    }
}

// Legs that stand still while the body above them turns: each is bent in a plane that is tilted to its hold.
void motion_turn_legs(const lope_grasp_body *body, const lope_grasp_contacts *contacts, lope_climb_frame *frame)
{
    double cosine = lope_cos(frame->yaw), sine = lope_sin(frame->yaw);
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
        lope_xy to = xy_sub(contacts->at[i], frame->pose.hip);
        double forward = to.x * cosine, sideways = to.x * sine;
        lope_grasp_pose straight = frame->pose;
        straight.facing = 1;
        straight.hip = xy(0, 0);
        frame->spread[i] = lope_atan2(sideways, -to.y);
        body_bend(body, &straight, i, xy(0, 0), xy(forward, -sqrt(to.y * to.y + sideways * sideways)),
                  frame->pose.limb[i]);
    }
}

// Whether a limb gets to a place without being straighter than it was in the keyed motion: straight ones snap.
static bool reaches(const motion *m, int index, int limb, const lope_grasp_pose *pose, lope_xy target)
{
    const lope_grasp_body *body = m->input->body;
    const lope_grasp_pose *keyed = &m->samples[index].pose;
    int leg = body_is_leg(limb);
    double most = STRETCH * (body->length[leg][0] + body->length[leg][1]);
    double was = xy_distance(leg ? keyed->hip : body_neck(body, keyed), target);
    return xy_distance(leg ? pose->hip : body_neck(body, pose), target) <= fmax(most, was + 1e-4);
}

// A limb in the air: averaged angles, but for the moments next to a hold.
static bool place_flying(const motion *m, int index, int limb, double since, double left, lope_grasp_pose *pose)
{
    const lope_grasp_body *body = m->input->body;
    int leg = body_is_leg(limb);
    double settle = SETTLE / m->input->def->speed, nearest = fmax(fmin(since, left), 0.0);
    double share = nearest >= settle ? 1.0 : ease_between(nearest / settle), angles[2];
    bell b;
    make_bell(fmin(m->width[index], nearest) * m->rate, &b);
    average_limb(m, index, &b, limb, pose->limb[limb]);
    bool fine = true;
    if (share < 1.0) {
        lope_xy end = body_extremity(body, &m->samples[index].pose, limb);
        fine = reaches(m, index, limb, pose, end);
        lope_xy base = leg ? pose->hip : body_neck(body, pose);
        body_bend(body, pose, limb, base, edge_drawn_in(body, leg, base, end, 0.0), angles);
        angles[0] = body_unwind(angles[0], pose->limb[limb][0]);
        for (int k = 0; k < 2; k++)
            pose->limb[limb][k] = angles[k] + (pose->limb[limb][k] - angles[k]) * share;
    }
    for (int k = 0; k < 2; k++)
        pose->limb[limb][k] = clamp_to(pose->limb[limb][k], body->range[leg][k].low, body->range[leg][k].high);
    return fine;
}

void motion_turn(int from, int to, double share, lope_climb_frame *frame)
{
    double a = from > 0 ? 0.0 : LOPE_PI, b = to > 0 ? 0.0 : LOPE_PI;
    frame->yaw = a == b ? b : a + (b - a) * ease_between(share);
    frame->pose.facing = lope_cos(frame->yaw) >= 0.0 ? 1 : -1;
}

// What holds at a time, and which way the body looks.
static void frame_of(const motion *m, int step, double time, lope_climb_frame *out)
{
    const motion_input *input = m->input;
    bool rests = step < 0 || step >= input->count;
    const footing *at = step < 0 ? &input->start : &input->steps[step < input->count ? step : step - 1].to;
    const stance *before = step > 0 ? &input->steps[step - 1].to.s : &input->start.s;
    *out = (lope_climb_frame){.mode = (lope_grasp_mode)stance_mode(input->world, &at->s),
                              .held = rests ? stance_mask(&at->s) : input->steps[step].motion.contacts.mask};
    out->seat = rests || before->seat == at->s.seat ? at->s.seat : 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        out->hold[i] = out->held >> i & 1u ? at->s.hold[i] : -1;
    motion_turn(before->facing, at->s.facing, rests ? 1.0 : (time - m->steps[step].begin) / m->steps[step].span, out);
}

bool motion_smooth(const motion *m, int index, lope_climb_frame *out)
{
    const motion_input *input = m->input;
    double time = index / m->rate;
    int step = motion_step_at(m, time);
    bool rests = step < 0 || step >= input->count;
    const edge *e = rests ? NULL : &input->steps[step].motion;
    const motion_step *flight = &m->steps[step < 0 ? 0 : rests ? input->count - 1 : step];
    frame_of(m, step, time, out);
    bell b;
    make_bell(m->width[index] * m->rate, &b);
    average_trunk(m, index, &b, &out->pose);
    bool fine = true;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (!(out->held >> i & 1u))
            fine &= place_flying(m, index, i, time - flight->leaves[i], flight->arrives[i] - time, &out->pose);
    if (e && motion_turns(e)) {
        motion_turn_legs(input->body, &e->contacts, out);
        return true;
    }
    const footing *held_at = step < 0 ? &input->start : &input->steps[rests ? input->count - 1 : step].to;
    lope_grasp_contacts contacts = {.mask = out->held};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (out->held >> i & 1u) {
            contacts.at[i] = held_at->contacts.at[i];
            fine &= reaches(m, index, i, &out->pose, contacts.at[i]);
        }
    if (out->seat && xy_distance(out->pose.hip, stance_seat(input->world, &held_at->s)) > ON_SEAT)
        return false;
    return posture_hold(input->body, &contacts, &out->pose) && fine;
}
