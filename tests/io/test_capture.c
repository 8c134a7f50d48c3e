// SPDX-License-Identifier: MIT
// Captured clips there and back: BVH to GLB to BVH. Joints stay where they were, frame by frame. Every eighth clip by
// default; LOPE_EVERY=1 takes them all.
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_STRIDE 7 // of the frames that are compared; prime to every cycle of a gait

static lope_clip *read_one(const char *path, lope_read_def def)
{
    lope_error error = {0};
    lope_clip **clips, *clip;
    int count;
    if (lope_import(path, &def, &clips, &count, NULL, &error) != LOPE_OK)
        fail_msg("%s: %s", path, error.message);
    assert_int_equal(count, 1);
    clip = clips[0];
    lope_clips_free(clips, 0);
    return clip;
}

// The largest distance between joints of the same name, in metres.
static double farthest(const lope_clip *a, const lope_clip *b)
{
    lope_transform *model_a = calloc((size_t)a->skeleton->joint_count, sizeof *model_a);
    lope_transform *model_b = calloc((size_t)b->skeleton->joint_count, sizeof *model_b);
    double worst = 0.0;
    assert_int_equal(a->frame_count, b->frame_count);
    for (int f = 0; f < a->frame_count; f += FRAME_STRIDE) {
        lope_clip_model(a, f, model_a);
        lope_clip_model(b, f, model_b);
        for (int j = 0; j < a->skeleton->joint_count; j++) {
            int other = lope_skeleton_find(b->skeleton, a->skeleton->names[j]);
            assert_true(other >= 0);
            worst = fmax(worst, (double)lope_v3_distance(model_a[j].translation, model_b[other].translation));
        }
    }
    free(model_a);
    free(model_b);
    return worst;
}

static double there_and_back(const char *path)
{
    lope_error error = {0};
    lope_read_def def = lope_read_def_default();
    lope_clip *original = read_one(path, def);
    const char *glb = test_path("there.glb"), *bvh = test_path("back.bvh");
    assert_ok(lope_glb_write((const lope_clip *const *)&original, 1, glb, &error));
    lope_clip *there = read_one(glb, def);
    assert_ok(lope_bvh_write(there, bvh, 100.0f, &error));
    lope_clip *back = read_one(bvh, def); // what is guessed about the file has to be right, too
    assert_near(original->frame_rate, there->frame_rate, 1e-3 * original->frame_rate);
    assert_near(original->frame_rate, back->frame_rate, 1e-3 * original->frame_rate);
    double worst = fmax(farthest(original, there), farthest(original, back));
    lope_clip_destroy(original);
    lope_clip_destroy(there);
    lope_clip_destroy(back);
    return worst;
}

static void captured_clips_come_back(void **state)
{
    (void)state;
    const char *folder = test_data("");
    if (!folder)
        skip();
#ifndef LOPE_HAVE_ASSIMP
    skip();
#endif
    const char *wish = getenv("LOPE_EVERY");
    int every = wish && atoi(wish) > 0 ? atoi(wish) : 8, checked = 0;
    char **paths;
    int count;
    lope_error error = {0};
    assert_ok(lope_find_clips(folder, &paths, &count, &error));
    for (int i = 0; i < count; i += every, checked++) {
        double worst = there_and_back(paths[i]);
        if (!(worst < 1e-4))
            fail_msg("%s: a joint is off by %g m", paths[i], worst);
    }
    lope_paths_free(paths, count);
    assert_true(checked > 0);
    print_message("%d of %d clips\n", checked, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(captured_clips_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
