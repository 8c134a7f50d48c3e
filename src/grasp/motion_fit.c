// SPDX-License-Identifier: MIT
// Whether a motion fits: it touches nothing, keeps its balance, reaches what it holds, and no joint is too fast. What
// does not fit is mended where it is: slopes get shorter, windows narrower, steps longer.
#include "grasp/motion_state.h"

#define FASTEST 7.3     // radians per second of any joint (418 degrees)
#define FASTEST_HIP 2.4 // metres per second
#define HARDEST 9.0     // metres per second squared of the hip
#define LONGEST_STRETCH 8.0
#define STEEPEST_WIDTH 0.5 // seconds that the window changes per second
#define OFF_BALANCE 0.04   // metres beyond the feet
#define ROUNDS 16

// Samples of the steps next to one, whose cubics change with its own.
static void mark_around(motion *m, int step)
{
    int last = m->input->count - 1;
    const motion_step *from = &m->steps[step > 0 ? step - 1 : 0], *to = &m->steps[step < last ? step + 1 : last];
    int end = (int)ceil((to->begin + to->span) * m->rate);
    for (int i = (int)floor(from->begin * m->rate); i < end && i < m->sample_count; i++)
        m->changed[i] = true;
}

// One round of the motion through the keys, with slopes as long as the obstacles allow. True when nothing is left to
// mend.
static bool tighten(motion *m)
{
    motion_lay_keys(m);
    for (int i = 0; i < m->input->count; i++)
        m->steps[i].tightened = false;
    for (int i = 0; i < m->sample_count; i++) {
        int step = motion_step_at(m, i / m->rate);
        if (!m->changed[i])
            continue;
        m->changed[i] = false;
        motion_run_keys(m, i, i + 1);
        if (step >= 0 && step < m->input->count && !m->steps[step].tightened && !motion_key_fits(m, i))
            motion_tighten(m, step, i / m->rate);
    }
    bool done = true;
    for (int i = 0; i < m->input->count; i++)
        if (m->steps[i].tightened) {
            mark_around(m, i);
            done = false;
        }
    return done;
}

void motion_fit_keys(motion *m)
{
    for (int i = 0; i < m->sample_count; i++)
        m->changed[i] = true;
    for (int k = 0; k < ROUNDS && !tighten(m); k++)
        ;
}

// Whether the mass centre is over the feet when a walking foot comes down.
static bool is_balanced(const motion *m, int index)
{
    int step = motion_step_at(m, index / m->rate), before = motion_step_at(m, (index - 1) / m->rate);
    if (step == before || before < 0 || m->input->steps[before].to.s.hold[LOPE_LEFT_ARM] >= 0 ||
        !modes[m->frames[index].mode]->upright)
        return true;
    const lope_xy *at = m->input->steps[before].to.contacts.at;
    double a = at[LOPE_LEFT_LEG].x, b = at[LOPE_RIGHT_LEG].x;
    lope_grasp_points points;
    lope_grasp_forward(m->input->body, &m->frames[index].pose, &points);
    return points.mass.x > fmin(a, b) - OFF_BALANCE && points.mass.x < fmax(a, b) + OFF_BALANCE;
}

static bool is_allowed(motion *m, int index)
{
    const lope_climb_frame *frame = &m->frames[index];
    bool turning = fabs(lope_sin(frame->yaw)) > 1e-9;
    return turning || (is_balanced(m, index) && edge_allows(&m->probe, &frame->pose));
}

// Windows change slowly along the motion, otherwise they would make corners of their own.
static void narrow(motion *m, int index)
{
    m->width[index] = m->width[index] > 2.0 / m->rate ? 0.6 * m->width[index] : 0.0;
    m->changed[index] = true;
    double slope = STEEPEST_WIDTH / m->rate;
    for (int side = -1; side <= 1; side += 2)
        for (int i = index + side, k = 1; i >= 0 && i < m->sample_count; i += side, k++) {
            double most = m->width[index] + k * slope;
            if (m->width[i] <= most)
                break;
            m->width[i] = most;
            m->changed[i] = true;
        }
}

// One round of narrowing windows. True when nothing is left to mend.
static bool shrink(motion *m, bool *tightened)
{
    bool done = true;
    for (int i = 0; i < m->sample_count; i++) {
        if (!m->changed[i])
            continue;
        m->changed[i] = false;
        if (motion_smooth(m, i, &m->frames[i]) && is_allowed(m, i))
            continue;
        int step = motion_step_at(m, i / m->rate);
        if (m->width[i] > 0.0) {
            narrow(m, i);
            done = false;
        } else if (step >= 0 && step < m->input->count && !m->steps[step].tightened) {
            *tightened |= motion_tighten(m, step, i / m->rate);
        }
    }
    return done;
}

bool motion_fit_windows(motion *m)
{
    bool tightened = false;
    for (int i = 0; i < m->input->count; i++)
        m->steps[i].tightened = false;
    for (int k = 0; k < ROUNDS && !shrink(m, &tightened); k++)
        ;
    return !tightened;
}

// How fast the body moves from one pose to the next, as a part of what is allowed.
static double haste(const lope_grasp_pose *before, const lope_grasp_pose *a, const lope_grasp_pose *b, double rate)
{
    lope_xy bend = xy_sub(xy_sub(b->hip, a->hip), xy_sub(a->hip, before->hip));
    double most = fmax(edge_turn(a, b) / FASTEST, xy_distance(a->hip, b->hip) / FASTEST_HIP);
    return rate * fmax(most, sqrt(xy_length(bend) / HARDEST));
}

bool motion_slow_down(motion *m, bool smooth, double allowed, bool *narrower)
{
    bool slower = false;
    for (int i = 0; i < m->input->count; i++)
        m->steps[i].haste = 0.0;
    for (int i = 1; i + 1 < m->sample_count; i++) {
        int step = motion_step_at(m, (i + 0.5) / m->rate);
        if (step < 0 || step >= m->input->count)
            continue;
        const lope_grasp_pose *keyed = &m->samples[i].pose, *next = &m->samples[i + 1].pose;
        const lope_grasp_pose *a = smooth ? &m->frames[i].pose : keyed, *b = smooth ? &m->frames[i + 1].pose : next;
        double turn = edge_turn(a, b);
        if (!smooth && turn > MOTION_JUMP && !m->steps[step].plain) { // no slowing down mends that
            while (motion_tighten(m, step, (i + 0.5) / m->rate))
                slower = true;
        } else if (smooth && turn * m->rate > FASTEST && edge_turn(keyed, next) < 0.8 * turn && m->width[i] > 0.0) {
            narrow(m, i);
            *narrower = true;
        } else {
            const lope_grasp_pose *before = smooth ? &m->frames[i - 1].pose : &m->samples[i - 1].pose;
            m->steps[step].haste = fmax(m->steps[step].haste, haste(before, a, b, m->rate) / allowed);
        }
    }
    for (int i = 0; i < m->input->count; i++) {
        motion_step *step = &m->steps[i];
        if (step->haste <= 1.0 || step->stretch >= LONGEST_STRETCH)
            continue;
        step->stretch = fmin(step->stretch * fmin(1.03 * step->haste, 1.5), LONGEST_STRETCH);
        slower = true;
    }
    return slower;
}
