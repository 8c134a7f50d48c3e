// SPDX-License-Identifier: MIT
#include "io/scene_builtin.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

const scene_builtin *scene_builtin_find(const scene_builtin *all, int count, const char *kind, const char *name,
                                        lope_error *error)
{
    char list[400] = "";
    for (int i = 0; i < count; i++) {
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", all[i].name);
    }
    lope_fail(error, LOPE_NOT_FOUND, "no built-in %s is called '%s'; there are %s", kind, name, list);
    return NULL;
}
