// SPDX-License-Identifier: MIT
// The motion through the keys: the body runs through all poses of the search along monotone cubics (Fritsch & Carlson
// 1980), so it does not stop at every grasp, and never overshoots a key. Hands and feet start and arrive gently.
#include <string.h>

#include "grasp/motion_state.h"

#define METRES_PER_RADIAN 0.4 // of hip and joints that take the same time

int motion_key_count(const motion_input *input)
{
    int count = 1;
    for (int i = 0; i < input->count; i++)
        count += input->steps[i].motion.key_count - 1;
    return count;
}

// Slopes by the weighted harmonic mean: zero at turning points, so nothing overshoots.
static double slope_between(double before, double left, double after, double right)
{
    return left * right > 0.0
               ? 3.0 * (before + after) / ((2.0 * after + before) / left + (after + 2.0 * before) / right)
               : 0.0;
}

static void set_slopes(motion *m, int count)
{
    for (int k = 0; k < count; k++) {
        motion_key *key = &m->keys[k];
        memset(key->slope, 0, sizeof key->slope);
        if (k == 0 || k == count - 1 || key->loose == 0.0)
            continue;
        double before = key->time - key[-1].time, after = key[1].time - key->time;
        for (int c = 0; c < LOPE_GRASP_DOF; c++)
            key->slope[c] = key->loose * slope_between(before, (key->at[c] - key[-1].at[c]) / before, after,
                                                       (key[1].at[c] - key->at[c]) / after);
    }
}

// How fast the moving limb passes a key of its step: it rests at both ends.
static double limb_slope(const motion *m, int step, int j)
{
    const edge *e = &m->input->steps[step].motion;
    const motion_key *key = &m->keys[m->steps[step].key + j];
    if (j == 0 || j == e->key_count - 1 || m->steps[step].plain)
        return 0.0;
    double before = key->time - key[-1].time, after = key[1].time - key->time;
    return slope_between(before, (e->at[j] - e->at[j - 1]) / before, after, (e->at[j + 1] - e->at[j]) / after);
}

static double cubic(double a, double slope_a, double b, double slope_b, double span, double t)
{
    double v = 1.0 - t;
    return a * (1.0 + 2.0 * t) * v * v + b * (1.0 + 2.0 * v) * t * t +
           span * (slope_a * t * v * v - slope_b * t * t * v);
}

// Part of a step's time until each of its keys: as much as the body has to do until there, and evenly in part.
static void share_time(const edge *e, double at[EDGE_KEYS])
{
    double sum = 0.0;
    at[0] = 0.0;
    for (int k = 1; k < e->key_count; k++) {
        const lope_grasp_pose *a = &e->keys[k - 1], *b = &e->keys[k];
        sum += edge_turn(a, b) + xy_distance(a->hip, b->hip) / METRES_PER_RADIAN;
        at[k] = sum;
    }
    for (int k = 1; k < e->key_count; k++)
        at[k] = sum > 0.0 ? 0.5 * (e->at[k] + at[k] / sum) : e->at[k];
}

void motion_lay_keys(motion *m)
{
    int k = 0;
    pose_numbers(&m->input->start.pose, m->keys[0].at);
    m->keys[0].time = m->window;
    for (int i = 0; i < m->input->count; i++) {
        const edge *e = &m->input->steps[i].motion;
        double at[EDGE_KEYS];
        share_time(e, at);
        m->steps[i].key = k;
        for (int j = 1; j < e->key_count; j++) {
            pose_numbers(&e->keys[j], m->keys[++k].at);
            m->keys[k].time = m->steps[i].begin + m->steps[i].span * at[j];
        }
    }
    set_slopes(m, k + 1);
}

void motion_loosen_keys(motion *m)
{
    int count = motion_key_count(m->input);
    for (int k = 0; k < count; k++)
        m->keys[k].loose = 1.0;
    for (int i = 0, k = 0; i < m->input->count; i++) {
        const edge *e = &m->input->steps[i].motion;
        if (motion_turns(e))
            m->keys[k].loose = m->keys[k + e->key_count - 1].loose = 0.0;
        k += e->key_count - 1;
    }
}

static int key_before(const motion *m, int step, double time)
{
    int k = m->steps[step].key, last = k + m->input->steps[step].motion.key_count - 1;
    while (k + 1 < last && time >= m->keys[k + 1].time)
        k++;
    return k;
}

bool motion_tighten(motion *m, int step, double time)
{
    motion_key *a = &m->keys[key_before(m, step, time)];
    if (m->steps[step].plain)
        return false;
    m->steps[step].tightened = true;
    m->steps[step].plain = a[0].loose == 0.0 && a[1].loose == 0.0;
    for (int k = 0; k < 2; k++)
        a[k].loose = a[k].loose > 0.3 ? 0.5 * a[k].loose : 0.0;
    for (int k = 0; k < m->input->steps[step].motion.key_count && m->steps[step].plain; k++)
        m->keys[m->steps[step].key + k].loose = 0.0;
    return true;
}

bool motion_key_fits(motion *m, int index)
{
    int step = motion_step_at(m, index / m->rate);
    if (step < 0 || step >= m->input->count || motion_turns(&m->input->steps[step].motion))
        return true;
    const motion_sample *s = &m->samples[index];
    if (index > 0 && edge_turn(&s[-1].pose, &s->pose) > MOTION_JUMP)
        return false;
    return s->held && edge_allows(&m->probe, &s->pose);
}

// The body at a time of a step.
static void body_at(const motion *m, int step, double time, double out[LOPE_GRASP_DOF])
{
    const motion_key *a = &m->keys[key_before(m, step, time)], *b = a + 1;
    double span = b->time - a->time, t = clamp_to((time - a->time) / span, 0.0, 1.0);
    for (int c = 0; c < LOPE_GRASP_DOF; c++)
        out[c] = cubic(a->at[c], a->slope[c], b->at[c], b->slope[c], span, t);
}

// Where on its edge the moving limb is: with the body at the keys.
static double limb_at(const motion *m, int step, double time)
{
    const edge *e = &m->input->steps[step].motion;
    int k = key_before(m, step, time), j = k - m->steps[step].key;
    double span = m->keys[k + 1].time - m->keys[k].time, t = clamp_to((time - m->keys[k].time) / span, 0.0, 1.0);
    double u = cubic(e->at[j], limb_slope(m, step, j), e->at[j + 1], limb_slope(m, step, j + 1), span, t);
    return clamp_to(u, 0.0, 1.0);
}

static void keyed_at(const motion *m, int step, double time, motion_sample *out)
{
    const edge *e = &m->input->steps[step].motion;
    double at[LOPE_GRASP_DOF];
    body_at(m, step, time, at);
    lope_grasp_pose pose = pose_of_numbers(at, m->input->steps[step].to.s.facing);
    bool held = motion_turns(e) || edge_place(m->input->body, e, limb_at(m, step, time), &pose);
    *out = (motion_sample){pose, held};
}

void motion_run_keys(motion *m, int first, int end)
{
    const motion_input *input = m->input;
    for (int i = first; i < end; i++) {
        double time = i / m->rate;
        int step = motion_step_at(m, time);
        if (step < 0)
            m->samples[i] = (motion_sample){input->start.pose, true};
        else if (step >= input->count)
            m->samples[i] = (motion_sample){input->steps[input->count - 1].to.pose, true};
        else
            keyed_at(m, step, time, &m->samples[i]);
    }
}
