// SPDX-License-Identifier: MIT
// Calls something of the library it is linked to: WITH_OFFLINE where that is the offline one, WITH_JANSSON beside
// jansson.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_JANSSON
#include <jansson.h>
#endif
#ifdef WITH_OFFLINE
#include <lope/offline.h>
#else
#include <lope/lope.h>
#endif

static int use_offline(void)
{
#ifdef WITH_OFFLINE
    lope_error error;
    lope_clip *walk;
    lope_synth_def performer = lope_synth_def_default();
    if (lope_synth_clip("walk_normal", &performer, 0, &walk, &error))
        return puts(error.message), 1;
    lope_clip_destroy(walk);
#endif
#ifdef WITH_JANSSON // whose names the library must not take
    json_t *nothing = json_null();
    char *text = json_dumps(nothing, JSON_ENCODE_ANY);
    if (!text || strcmp(text, "null") != 0 || !json_is_null(nothing))
        return puts("json_null is somebody else's"), 1;
    free(text);
#endif
    return 0;
}

int main(void)
{
    lope_ground step = {0.0f, 1.0f, 0.5f};
    lope_ground here = lope_ground_mul(step, step);
    printf("lope %s: two steps lead to %.3f, %.3f\n", lope_version(), (double)here.x, (double)here.z);
    return here.z > 1.0f ? use_offline() : 1;
}
