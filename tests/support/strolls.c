// SPDX-License-Identifier: MIT
#include "support/strolls.h"

#include <stdlib.h>
#include <string.h>

lope_set *test_strolls(int takes)
{
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    def.variations = takes;
    lope_clip **clips = calloc((size_t)(takes * lope_synth_count()), sizeof *clips);
    int count = 0;
    for (int i = 0; i < takes * lope_synth_count(); i++) {
        const char *name = lope_synth_name(i / takes);
        if (strncmp(name, "stroll_", 7) == 0 || strcmp(name, "walk_slow") == 0 || strcmp(name, "idle") == 0)
            assert_ok(lope_synth_clip(name, &def, i % takes, &clips[count++], &error));
    }
    lope_prepare_def prepare = lope_prepare_def_default();
    prepare.mirror = true;
    lope_set *set;
    assert_ok(lope_set_prepare((const lope_clip *const *)clips, count, &prepare, NULL, NULL, &set, &error));
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    free(clips);
    return set;
}

int test_tile_create(void **state)
{
    lope_error error;
    test_tile *t = calloc(1, sizeof *t);
    t->set = test_strolls(1);
    t->def = lope_tile_def_default();
    assert_ok(lope_tile_build(t->set, &t->def, NULL, NULL, &t->tile, &t->report, &error));
    *state = t;
    return 0;
}

int test_tile_destroy(void **state)
{
    test_tile *t = *state;
    lope_tile_destroy(t->tile);
    lope_set_destroy(t->set);
    free(t);
    return 0;
}
