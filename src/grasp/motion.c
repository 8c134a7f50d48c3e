// SPDX-License-Identifier: MIT
// Smoothing and timing. All poses of the search are keys of one motion (motion_keys.c), which is averaged over a window
// around each instant (motion_smooth.c); both keep every contact. Where the smooth motion touches something that the
// search did not, windows and slopes shrink until it fits; where it is too fast, steps get more time (motion_fit.c).
#include "grasp/motion.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/motion_state.h"

#define WINDOW 0.32     // seconds at natural speed
#define LEAST_RATE 60.0 // samples per second: slow frame rates are looked at more closely
#define KEYED_HASTE 1.1 // of the motion through the keys, which smoothing slows down
#define ROUNDS 8

static bool reserve(motion *m, lope_error *error)
{
    m->sample_count = 1 + m->per_frame * (int)ceil(m->duration * m->rate / m->per_frame - 1e-9);
    if (m->sample_count <= m->sample_capacity)
        return true;
    size_t count = (size_t)m->sample_count + (size_t)m->sample_count / 4;
    lope_free(m->samples);
    lope_free(m->frames);
    lope_free(m->width);
    lope_free(m->changed);
    m->samples = lope_alloc_array(count, sizeof *m->samples);
    m->frames = lope_alloc_array(count, sizeof *m->frames);
    m->width = lope_alloc_array(count, sizeof *m->width);
    m->changed = lope_alloc_array(count, sizeof *m->changed);
    m->sample_capacity = (int)count;
    if (m->samples && m->frames && m->width && m->changed)
        return true;
    lope_fail_memory(error);
    return false;
}

// Lays everything out by the stretches as they are.
static bool lay_out(motion *m, lope_error *error)
{
    motion_lay_out(m);
    if (!reserve(m, error))
        return false;
    motion_lay_keys(m);
    motion_run_keys(m, 0, m->sample_count);
    return true;
}

static lope_status fit(motion *m, lope_error *error)
{
    bool again = true, narrower;
    for (int round = 0; round < ROUNDS && again; round++) {
        if (!lay_out(m, error))
            return LOPE_NO_MEMORY;
        again = motion_slow_down(m, false, KEYED_HASTE, NULL);
    }
    bool fits = true;
    again = true;
    for (int round = 0; round < ROUNDS && again; round++) {
        if (!lay_out(m, error))
            return LOPE_NO_MEMORY;
        if (!fits)
            motion_fit_keys(m);
        for (int i = 0; i < m->sample_count; i++) {
            m->width[i] = m->window;
            m->changed[i] = true;
        }
        for (int k = 0; k < ROUNDS; k++) {
            narrower = false;
            fits = motion_fit_windows(m);
            again = motion_slow_down(m, true, 1.0, &narrower) || !fits;
            if (!narrower)
                break;
        }
    }
    motion_fit_windows(m);
    return LOPE_OK;
}

static void write_step(const motion *m, const footing *at, double time, lope_climb_step *out)
{
    *out =
        (lope_climb_step){(lope_grasp_mode)stance_mode(m->input->world, &at->s), at->s.facing, {0}, at->s.seat, time};
    memcpy(out->hold, at->s.hold, sizeof out->hold);
}

static lope_status write_plan(const motion *m, lope_climb_plan *plan, lope_error *error)
{
    plan->frame_rate = m->input->frame_rate;
    plan->frame_count = 1 + (m->sample_count - 1) / m->per_frame;
    plan->step_count = 1 + m->input->count;
    plan->frames = lope_alloc_array((size_t)plan->frame_count, sizeof *plan->frames);
    plan->steps = lope_alloc_array((size_t)plan->step_count, sizeof *plan->steps);
    if (!plan->frames || !plan->steps)
        return lope_fail_memory(error);
    for (int i = 0; i < plan->frame_count; i++)
        plan->frames[i] = m->frames[i * m->per_frame];
    write_step(m, &m->input->start, 0.0, &plan->steps[0]);
    for (int i = 0; i < m->input->count; i++)
        write_step(m, &m->input->steps[i].to, m->steps[i].begin + m->steps[i].span, &plan->steps[1 + i]);
    return LOPE_OK;
}

lope_status motion_build(const motion_input *input, lope_climb_plan *plan, lope_error *error)
{
    motion m = {
        .input = input, .window = WINDOW / input->def->speed, .probe = {.world = input->world, .body = input->body}};
    m.per_frame = (int)fmax(ceil(LEAST_RATE / input->frame_rate - 1e-9), 1.0);
    m.rate = input->frame_rate * m.per_frame;
    m.steps = lope_alloc_array((size_t)input->count + 1, sizeof *m.steps);
    m.keys = lope_alloc_array((size_t)motion_key_count(input), sizeof *m.keys);
    lope_status status = m.steps && m.keys ? LOPE_OK : lope_fail_memory(error);
    for (int i = 0; i <= input->count && !status; i++)
        m.steps[i] = (motion_step){.stretch = 1.0};
    if (!status) {
        motion_loosen_keys(&m);
        status = fit(&m, error);
    }
    if (!status)
        status = write_plan(&m, plan, error);
    lope_free(m.steps);
    lope_free(m.keys);
    lope_free(m.samples);
    lope_free(m.frames);
    lope_free(m.width);
    lope_free(m.changed);
    return status;
}
