// SPDX-License-Identifier: MIT
// The clips that motion is made of, judged as characters in the world are.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/world.h"
#include "bench/world_judge.h"

#define PRETENDED 0.7 // seconds: the judge is told so often that a clip is handed over, to see what it makes of nothing

lope_status world_clips_judge(const lope_moves *moves, world_grades *out, lope_error *error)
{
    const lope_set *set = lope_mobility_set(moves->mobility);
    const size_t joints = (size_t)moves->skeleton->joint_count;
    lope_pose pose = {.rotations = malloc(joints * sizeof *pose.rotations)};
    lope_transform *model = malloc(joints * sizeof *model);
    out->step_capacity = 1 << 20;
    out->steps = malloc((size_t)out->step_capacity * sizeof *out->steps);
    bool fine = pose.rotations && model && out->steps;
    for (int i = 0; fine && i < set->clip_count; i++) {
        world_judge *judge = world_judge_create(moves->skeleton, (double)WORLD_BENCH_DT, out);
        const double end = lope_clip_duration(set->clips[i]);
        for (double time = 0.0; judge && time < end; time += (double)WORLD_BENCH_DT) {
            const char *part = fmod(time, 2.0 * PRETENDED) < PRETENDED ? "clip" : "same clip";
            lope_clip_sample(set->clips[i], time, &pose);
            lope_pose_to_model(moves->skeleton, &pose, model);
            world_judge_frame(judge, &(world_frame){.model = model, .carrier = part});
        }
        fine = judge != NULL;
        world_judge_destroy(judge);
    }
    free(pose.rotations);
    free(model);
    if (!fine)
        return snprintf(error->message, sizeof error->message, "out of memory"), LOPE_NO_MEMORY;
    return LOPE_OK;
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

double world_clips_step(world_grades *clips)
{
    qsort(clips->steps, (size_t)clips->step_count, sizeof *clips->steps, by_value);
    return clips->step_count ? (double)clips->steps[(int)(0.999 * (clips->step_count - 1))] : (double)NAN;
}
