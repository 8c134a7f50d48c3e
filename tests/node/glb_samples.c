// SPDX-License-Identifier: MIT
// Writes GLBs of every kind into the folder named on the command line, for the Khronos validator.
#include <stdio.h>

#include "support/glb_samples.h"

static int write_sample(const char *folder, const char *name, lope_clip *const *clips, int count)
{
    char path[1024], text[1200];
    snprintf(path, sizeof path, "%s/%s.glb", folder, name);
    lope_error error;
    lope_status status = lope_glb_write((const lope_clip *const *)clips, count, path, &error);
    if (status)
        fprintf(stderr, "%s\n", lope_error_text(&error, text, sizeof text));
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    return status ? 1 : 0;
}

// The whole built-in set in one file.
static int write_built_in(const char *folder)
{
    lope_set *set;
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    if (lope_synth_set(&def, &set, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/built_in.glb", folder);
    lope_status status = lope_glb_write((const lope_clip *const *)set->clips, set->clip_count, path, &error);
    lope_set_destroy(set);
    return status ? 1 : 0;
}

static int write_capture(const char *folder)
{
    const char *path = test_data("007/07_01.bvh");
    lope_clip *clip;
    lope_error error;
    if (!path) {
        fprintf(stderr, "skipped: no capture data\n");
        return 0;
    }
    if (lope_bvh_read(path, NULL, &clip, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    return write_sample(folder, "capture", &clip, 1);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: glb_samples FOLDER\n");
        return 2;
    }
    const char *folder = arguments[1];
    int failed = write_sample(folder, "walk", (lope_clip *[]){sample_walk(90, false)}, 1);
    failed |= write_sample(folder, "three_clips",
                           (lope_clip *[]){sample_walk(90, true), sample_walk(1, false), sample_walk(2, true)}, 3);
    failed |= write_sample(folder, "one_joint", (lope_clip *[]){sample_chain(1, 20, false)}, 1);
    failed |= write_sample(folder, "one_joint_one_frame", (lope_clip *[]){sample_chain(1, 1, false)}, 1);
    failed |= write_sample(folder, "hostile_names", (lope_clip *[]){sample_chain(12, 3, true)}, 1);
    failed |= write_sample(folder, "many_joints", (lope_clip *[]){sample_chain(2000, 2, false)}, 1);
    failed |= write_built_in(folder);
    failed |= write_capture(folder);
    return failed;
}
