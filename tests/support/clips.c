// SPDX-License-Identifier: MIT
#include "support/clips.h"

#include "lope/bvh.h"
#include "lope/edit.h"
#include "lope/synth.h"

lope_clip *test_performed(const char *name, double rate)
{
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clip;
    synth.frame_rate = rate;
    assert_ok(lope_synth_clip(name, &synth, 0, &clip, &error));
    return clip;
}

lope_clip *test_captured_clip(const char *relative)
{
    const char *path = test_data(relative);
    lope_clip *clip;
    lope_error error;
    if (!path) {
        print_message("skipped: no captured clips\n");
        skip();
    }
    assert_ok(lope_bvh_read(path, NULL, &clip, NULL, &error));
    return clip;
}

lope_quat *test_rotation_at(const lope_clip *clip, int frame, int joint)
{
    return &clip->rotations[(size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)joint];
}

float test_fastest_turn(const lope_clip *clip, int joint)
{
    float most = 0.0f;
    for (int f = 1; f < clip->frame_count; f++)
        most = fmaxf(most, lope_quat_angle(*test_rotation_at(clip, f, joint), *test_rotation_at(clip, f - 1, joint)));
    return most * (float)clip->frame_rate;
}

void assert_keeps_its_bits(lope_clip *clip, int (*mend)(lope_clip *clip))
{
    lope_error error;
    lope_clip *copy;
    assert_ok(lope_clip_copy(clip, NULL, 0, &copy, &error));
    assert_int_equal(mend(copy), 0);
    assert_memory_equal(clip->rotations, copy->rotations,
                        (size_t)clip->frame_count * (size_t)clip->skeleton->joint_count * sizeof(lope_quat));
    lope_clip_destroy(clip);
    lope_clip_destroy(copy);
}
