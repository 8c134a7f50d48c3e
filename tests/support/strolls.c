// SPDX-License-Identifier: MIT
#include "support/strolls.h"

#include <stdlib.h>

lope_set *test_strolls(int takes)
{
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    def.variations = takes;
    lope_clip **clips;
    int count;
    assert_ok(lope_synth_clips(lope_tile_builtin_uses, &def, &clips, &count, &error));
    lope_prepare_def prepare = lope_prepare_def_default();
    prepare.mirror = true;
    lope_set *set;
    assert_ok(lope_set_prepare((const lope_clip *const *)clips, count, &prepare, NULL, NULL, &set, &error));
    lope_clips_free(clips, count);
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
