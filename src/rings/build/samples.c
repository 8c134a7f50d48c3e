// SPDX-License-Identifier: MIT
// The samples of the built-in rings. The paper recorded 43 kinds of walks and as many runs: on the flat and on straight
// and spiral stairs of two gradients, up and down, with two strides. These are as many, over the same range, with turns
// on the flat as well.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/import.h"
#include "lope/synth.h"
#include "rings/build/build.h"

typedef struct sample_list {
    lope_clip **clips;
    int count, capacity;
} sample_list;

static lope_status add_gait(sample_list *list, bool run, float stride, float turn, float rise, lope_error *error)
{
    lope_synth_gait_def gait = lope_synth_gait_def_default();
    lope_synth_def synth = lope_synth_def_default();
    gait.run = run;
    gait.stride = stride;
    gait.turn = turn;
    gait.rise = rise;
    lope_status status = lope_synth_gait(&gait, &synth, &list->clips[list->count], error);
    list->count += status == LOPE_OK;
    return status;
}

static lope_status add_gaits(sample_list *list, bool run, bool straight, lope_error *error)
{
    static const float turns[5] = {0.0f, 0.3f, -0.3f, 0.65f, -0.65f};
    static const float flat[2][3] = {{0.04f, 0.45f, 0.92f}, {0.55f, 0.95f, 1.4f}};
    static const float rises[2][4] = {{0.13f, 0.25f, -0.13f, -0.25f}, {0.08f, 0.16f, -0.08f, -0.16f}};
    static const float slopes[2][3] = {{0.3f, 0.12f, 0.55f}, {0.85f, 0.55f, 1.1f}};
    lope_status status = LOPE_OK;
    for (int t = 0; t < (straight ? 1 : 5); t++) {
        for (int s = 0; s < 3 && !status; s++) // long strides do not turn as sharply
            status =
                add_gait(list, run, flat[run][s], turns[t] * (s == 2 ? 0.7f : 1.0f) * (run ? 0.6f : 1.0f), 0.0f, error);
        for (int r = 0; r < 4 && !status; r++)
            status = add_gait(list, run, slopes[run][0], turns[t] * (run ? 0.5f : 1.0f), rises[run][r], error);
    }
    for (int r = 0; r < 4; r++)
        for (int s = 1; s < 3 && !status; s++)
            status = add_gait(list, run, slopes[run][s], 0.0f, rises[run][r], error);
    return status;
}

static lope_status add_stands(sample_list *list, lope_error *error)
{
    lope_synth_def synth = lope_synth_def_default();
    lope_status status = LOPE_OK;
    for (int a = -1; a <= 1; a++)
        for (int r = -1; r <= 1 && !status; r++) {
            lope_synth_stand_def stand = {.ahead = 0.35f * (float)a, .rise = 0.2f * (float)r};
            stand.aside = a == 0 && r == 0 ? 0.0f : 0.02f;
            status = lope_synth_stand(&stand, &synth, &list->clips[list->count], error);
            list->count += status == LOPE_OK;
        }
    return status;
}

lope_status lope_rings_samples(lope_ring_kind kind, bool straight, lope_clip ***clips, int *count, lope_error *error)
{
    enum { MOST = 64 };
    *clips = NULL;
    *count = 0;
    sample_list list = {.clips = lope_alloc_zero(MOST * sizeof *list.clips), .capacity = MOST};
    if (!list.clips)
        return lope_fail_memory(error);
    lope_status status =
        kind == LOPE_RING_REST ? add_stands(&list, error) : add_gaits(&list, kind == LOPE_RING_RUN, straight, error);
    if (status) {
        lope_clips_free(list.clips, list.count);
        return status;
    }
    *clips = list.clips;
    *count = list.count;
    return LOPE_OK;
}

lope_status lope_rings_builtin(bool straight, lope_rings **out, lope_ring_report reports[3], lope_error *error)
{
    lope_rings_set_def def = lope_rings_set_def_default();
    def.straight = straight;
    return lope_rings_builtin_as(&def, out, reports, error);
}

lope_status lope_rings_builtin_as(const lope_rings_set_def *def, lope_rings **out, lope_ring_report reports[3],
                                  lope_error *error)
{
    static const lope_ring_kind kinds[3] = {LOPE_RING_WALK, LOPE_RING_RUN, LOPE_RING_REST};
    lope_ring_def defs[3];
    lope_clip **clips[3] = {NULL, NULL, NULL};
    lope_status status = LOPE_OK;
    *out = NULL;
    for (int r = 0; r < 3; r++)
        defs[r] = ring_def_as(kinds[r], def);
    for (int r = 0; r < 3 && !status; r++) {
        int count = 0;
        status = lope_rings_samples(kinds[r], def->straight, &clips[r], &count, error);
        defs[r].clips = (const lope_clip *const *)clips[r];
        defs[r].clip_count = count;
        defs[r].cycles = 1; // all are alike
    }
    if (!status)
        status = lope_rings_build(defs, 3, out, reports, error);
    for (int r = 0; r < 3; r++)
        if (clips[r])
            lope_clips_free(clips[r], defs[r].clip_count);
    return status;
}
