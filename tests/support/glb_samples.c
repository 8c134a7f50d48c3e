// SPDX-License-Identifier: MIT
#include "support/glb_samples.h"

#include <stdio.h>
#include <stdlib.h>

lope_clip *sample_walk(int frames, bool translations)
{
    lope_clip *moves = test_clip(frames, 60.0, 5), *clip;
    lope_error error;
    assert_ok(lope_clip_create(moves->skeleton, "walk", frames, 60.0,
                               LOPE_CLIP_CONTACTS | (translations ? LOPE_CLIP_TRANSLATIONS : 0u), &clip, &error));
    int joints = clip->skeleton->joint_count, neck = lope_skeleton_find(clip->skeleton, "Neck");
    for (int f = 0; f < frames; f++) {
        clip->root[f] = moves->root[f];
        clip->contacts[f] = (uint16_t)(f / 7 % 2 ? LOPE_CONTACT_LEFT_FOOT : LOPE_CONTACT_RIGHT_HEEL);
        for (int j = 0; j < joints; j++)
            clip->rotations[f * joints + j] = moves->rotations[f * joints + j];
        if (translations) {
            clip->translations[f * joints] = clip->root[f];
            clip->translations[f * joints + neck].y += 0.001f * (float)(f % 5);
        }
    }
    lope_clip_destroy(moves);
    return clip;
}

lope_clip *sample_chain(int joints, int frames, bool hostile)
{
    static const char *const bad[] = {"\"quoted\\\"",
                                      "line\nbreak\ttab\x01",
                                      "cut \xE2\x82",
                                      "\xFF\xFE",
                                      "\xED\xA0\x80",
                                      "gr\xC3\xBC\xC3\x9F",
                                      "",
                                      "</script>",
                                      "Body"};
    lope_transform *rest = calloc((size_t)joints, sizeof *rest);
    const char **names = calloc((size_t)joints, sizeof *names);
    char(*room)[24] = calloc((size_t)joints, sizeof *room);
    int *parents = calloc((size_t)joints, sizeof *parents);
    for (int j = 0; j < joints; j++) {
        snprintf(room[j], sizeof room[j], "link %d", j);
        names[j] = hostile && j < (int)(sizeof bad / sizeof *bad) ? bad[j] : room[j];
        parents[j] = j - 1;
        rest[j] = (lope_transform){lope_quat_yaw(0.3f), {0.0f, 0.1f, j ? 0.2f : 0.0f}};
    }
    lope_skeleton *skeleton;
    lope_clip *clip;
    lope_error error;
    assert_ok(
        lope_skeleton_create(&(lope_skeleton_def){joints, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, hostile ? "\"\x02\xC0\\" : "chain", frames, 30.0, 0, &clip, &error));
    for (int f = 0; f < frames; f++)
        clip->rotations[f * joints] = lope_quat_yaw(0.3f + 0.1f * (float)f);
    lope_skeleton_release(skeleton);
    free(rest);
    free(names);
    free(room);
    free(parents);
    return clip;
}
