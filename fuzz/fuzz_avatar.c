// SPDX-License-Identifier: MIT
// Any bytes as a character: opened or refused with a reason; what opens has a sound skeleton and can be written.
#include <stdio.h>
#include <unistd.h>

#include "fuzz.h"
#include "lope/avatar.h"

static void use(const lope_avatar *avatar, const char *path)
{
    const lope_skeleton *skeleton = avatar->skeleton;
    lope_error error;
    lope_clip *clip;
    for (int j = 0; j < skeleton->joint_count; j++) {
        require(skeleton->parents[j] < j && avatar->nodes[j] >= -1);
        require(isfinite(skeleton->rest[j].translation.x) && isfinite(skeleton->tips[j].x));
    }
    if (lope_clip_create(skeleton, "rest", 2, 30.0, 0, &clip, &error))
        return;
    lope_status status = lope_avatar_save(avatar, (const lope_clip *const *)&clip, 1, NULL, path, &error);
    require(!status || error.message[0]);
    lope_clip_destroy(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    if (!path[0])
        snprintf(path, sizeof path, "/tmp/fuzz-avatar-%d.glb", (int)getpid());
    lope_avatar_def defs[] = {lope_avatar_def_default(), {.root_bone = ""}};
    char *bytes = fuzz_copy(data, size);
    for (int i = 0; i < 2 && bytes; i++) {
        lope_avatar *avatar;
        lope_error error;
        lope_status status = lope_avatar_open_memory(bytes, size, "fuzz/none.glb", &defs[i], &avatar, &error);
        require(!status || (error.status == status && error.message[0]));
        if (!status)
            use(avatar, path);
        lope_avatar_close(avatar);
    }
    unlink(path);
    free(bytes);
    return 0;
}
