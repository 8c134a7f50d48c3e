// SPDX-License-Identifier: MIT
// Any bytes as a role file: read or refused, and roles that are read name joints that exist.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/import.h"

static lope_skeleton *make_skeleton(void)
{
    static const char *const names[] = {"Hips",       "LeftUpLeg", "LeftLeg",  "LeftFoot",
                                        "RightUpLeg", "RightLeg",  "RightFoot"};
    static const int parents[] = {-1, 0, 1, 2, 0, 4, 5};
    lope_transform rest[7];
    for (int j = 0; j < 7; j++)
        rest[j] = (lope_transform){{0.0f, 0.0f, 0.0f, 1.0f}, {j == 1 ? 0.1f : j == 4 ? -0.1f : 0.0f, -0.4f, 0.0f}};
    lope_skeleton *skeleton;
    lope_skeleton_def def = {.joint_count = 7, .names = names, .parents = parents, .rest = rest};
    return lope_skeleton_create(&def, &skeleton, NULL) == LOPE_OK ? skeleton : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lope_skeleton *skeleton;
    skeleton = skeleton ? skeleton : make_skeleton();
    char *text = malloc(size + 1);
    if (!text || !skeleton)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    int roles[LOPE_ROLE_COUNT];
    lope_error error;
    if (lope_roles_read_memory(text, size, "fuzz.json", skeleton, roles, &error) == LOPE_OK)
        for (int r = 0; r < LOPE_ROLE_COUNT; r++)
            if (roles[r] < -1 || roles[r] >= skeleton->joint_count)
                abort();
    free(text);
    return 0;
}
