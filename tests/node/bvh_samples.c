// SPDX-License-Identifier: MIT
// Writes BVH files of all kinds into a folder, and beside each where every joint is in some frames, as Lope sees it:
// "FRAME JOINT X Y Z" in centimetres, a line each. A test reads the files with the loader of three.js.
#include <stdio.h>
#include <stdlib.h>

#include "lope/synth.h"
#include "support/glb_samples.h"

static const char *folder;

static void write_places(const lope_clip *clip, const char *path)
{
    int joints = clip->skeleton->joint_count;
    lope_transform *model = malloc((size_t)joints * sizeof *model);
    FILE *file = fopen(path, "w");
    if (!file || !model)
        exit(1);
    for (int i = 0; i < 5; i++) {
        int f = (int)((long)(clip->frame_count - 1) * i / 4);
        lope_clip_model(clip, f, model);
        for (int j = 0; j < joints; j++) {
            lope_vec3 at = lope_v3_scale(model[j].translation, 100.0f);
            fprintf(file, "%d %s %.4f %.4f %.4f\n", f, clip->skeleton->names[j], (double)at.x, (double)at.y,
                    (double)at.z);
        }
    }
    free(model);
    if (fclose(file))
        exit(1);
}

// Takes the clip.
static void put(lope_clip *clip, const char *name)
{
    char path[1024];
    lope_error error = {0};
    snprintf(path, sizeof path, "%s/%s.bvh", folder, name);
    if (lope_bvh_write(clip, path, 100.0f, &error)) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        exit(1);
    }
    snprintf(path, sizeof path, "%s/%s.places", folder, name);
    write_places(clip, path);
    lope_clip_destroy(clip);
}

static void put_builtin(const char *name)
{
    lope_synth_def def = lope_synth_def_default();
    lope_clip *clip;
    lope_error error = {0};
    if (lope_synth_clip(name, &def, 0, &clip, &error)) {
        fprintf(stderr, "%s: %s\n", name, error.message);
        exit(1);
    }
    put(clip, name);
}

int main(int count, char **words)
{
    if (count != 2)
        return 2;
    folder = words[1];
    put_builtin("walk_slow");
    put_builtin("run");
    put_builtin("stairs_up");
    put_builtin("crawl");
    put(sample_walk(30, false), "sample");
    put(sample_walk(30, true), "stretching"); // position channels on a joint besides the root
    const char *captured = test_data("069/69_01.bvh");
    lope_error error = {0};
    lope_clip *clip;
    if (!captured) {
        fprintf(stderr, "skipped: no capture data\n");
        return 0;
    }
    if (lope_bvh_read(captured, NULL, &clip, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    put(clip, "captured");
    return 0;
}
