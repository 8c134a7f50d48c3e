// SPDX-License-Identifier: MIT
// Timing: how long each step takes, and when each hand and foot leaves and arrives.
#include "grasp/motion_state.h"
#include "grasp/plan.h"

#define MEAN_SPEED 3.2 // radians per second that a joint turns at most on average in a step
#define BODY_SPEED 1.3 // metres per second of the hip
#define TURN_TIME 1.2  // seconds

bool motion_turns(const edge *e)
{
    return e->keys[0].facing != e->keys[e->key_count - 1].facing;
}

// Natural duration of a step, seconds.
static double natural_time(const edge *e)
{
    const lope_grasp_pose *a = &e->keys[0], *b = &e->keys[e->key_count - 1];
    if (motion_turns(e))
        return TURN_TIME;
    double turn = 0.0, path = 0.0;
    for (int k = 0; k + 1 < e->key_count; k++) {
        turn += edge_turn(&e->keys[k], &e->keys[k + 1]);
        path += xy_distance(e->path[k], e->path[k + 1]);
    }
    const grasp_mode *rule = modes[e->mode];
    double time = rule->step_time * (0.55 + 0.45 * fmin(path / (2.0 * rule->stride), 1.5));
    time = fmax(time, turn / MEAN_SPEED);
    return fmax(time, xy_distance(a->hip, b->hip) / BODY_SPEED);
}

static const stance *stance_before(const motion *m, int step)
{
    return step ? &m->input->steps[step - 1].to.s : &m->input->start.s;
}

static bool in_air(const motion *m, int step, int limb)
{
    return !(m->input->steps[step].motion.contacts.mask >> limb & 1u);
}

// A limb is in the air from the hold that it leaves to the one that it takes, over as many steps as that needs.
static void find_flights(motion *m, int limb)
{
    double since = -(double)INFINITY;
    for (int i = 0; i < m->input->count; i++) {
        if (stance_before(m, i)->hold[limb] >= 0)
            since = m->steps[i].begin;
        m->steps[i].leaves[limb] = since;
    }
    double until = (double)INFINITY;
    for (int i = m->input->count - 1; i >= 0; i--) {
        if (m->input->steps[i].to.s.hold[limb] >= 0 && in_air(m, i, limb))
            until = m->steps[i].begin + m->steps[i].span;
        m->steps[i].arrives[limb] = until;
    }
}

double motion_natural(const motion_input *input)
{
    double sum = 0.0;
    for (int i = 0; i < input->count; i++)
        sum += natural_time(&input->steps[i].motion);
    return sum;
}

void motion_lay_out(motion *m)
{
    double time = m->input->count ? m->window : 0.0, clock = m->input->natural;
    for (int i = 0; i < m->input->count; i++) {
        double natural = natural_time(&m->input->steps[i].motion);
        m->steps[i].begin = time;
        m->steps[i].span = natural * m->steps[i].stretch / plan_speed(m->input->def, clock + 0.5 * natural);
        time += m->steps[i].span;
        clock += natural;
    }
    m->duration = m->input->count ? time + m->window : 0.0;
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
        find_flights(m, limb);
}

int motion_step_at(const motion *m, double time)
{
    int low = -1, high = m->input->count; // begin of low <= time < begin of high
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (m->steps[middle].begin <= time)
            low = middle;
        else
            high = middle;
    }
    bool over = low >= 0 && low == m->input->count - 1 && time >= m->steps[low].begin + m->steps[low].span;
    return over ? m->input->count : low;
}
