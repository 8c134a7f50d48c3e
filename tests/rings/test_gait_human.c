// SPDX-License-Identifier: MIT
// Characters of several sets cross terrains, and everything they do is held against the clips that their rings were
// made of: knees and elbows, how fast and how suddenly joints turn, and nothing under the ground.
#include <math.h>
#include <string.h>

#include "bench/strangers.h"
#include "lope/fill.h"
#include "lope/import.h"
#include "lope/prepare.h"
#include "lope/rings_build.h"
#include "support/crossing.h"
#include "support/human.h"

enum { RATE = 60, SECONDS = 120, WALKS = 4, TERRAINS = 4 };

// Some walks as somebody else has them, filled for rings.
static lope_set *strange_set(stranger_recipe recipe)
{
    static const char *const motions[WALKS] = {"walk_normal", "walk_slow", "turn_left_gentle", "idle"};
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clips[WALKS];
    lope_error error;
    recipe.unit = 0.01f;
    recipe.up = STRANGER_UP_Y;
    memcpy(recipe.order, "ZXY", 4);
    synth.frame_rate = RATE;
    for (int i = 0; i < WALKS; i++) {
        lope_clip *clip;
        stranger file;
        assert_ok(lope_synth_clip(motions[i], &synth, 0, &clip, &error));
        assert_ok(stranger_make(clip, &recipe, &file, &error));
        lope_read_def def = lope_read_def_default();
        def.scale = 0.01f;
        def.up = LOPE_AXIS_Y;
        def.roles = file.truth.roles;
        assert_ok(lope_bvh_read_memory(file.text, file.size, motions[i], &def, &clips[i], NULL, &error));
        lope_clip_destroy(clip);
        stranger_free(&file);
    }
    lope_prepare_def prepare = lope_prepare_def_default();
    prepare.frame_rate = RATE;
    lope_set *set;
    assert_ok(lope_set_prepare((const lope_clip *const *)clips, WALKS, &prepare, NULL, NULL, &set, &error));
    for (int i = 0; i < WALKS; i++)
        lope_clip_destroy(clips[i]);
    assert_ok(lope_set_fill(set, LOPE_FOR_RINGS, NULL, &error));
    return set;
}

// Walks along a terrain's way, and says how far a joint gets below the ground.
static float cross(const lope_rings *rings, const char *name, test_motion *motion)
{
    test_crossing crossing = test_crossing_begin(rings, name);
    const lope_skeleton *skeleton = lope_rings_skeleton(rings);
    *motion = test_motion_begin(skeleton, RATE);
    float under = 0.0f;
    for (int f = 0; f < SECONDS * RATE && !crossing.arrived; f++) {
        test_crossing_step(&crossing, 1.0f / RATE);
        lope_transform *model = test_motion_add(motion);
        lope_pose_to_model(skeleton, lope_gait_pose(crossing.gait), model);
        for (int j = 0; j < skeleton->joint_count; j++) {
            lope_terrain_hit hit;
            lope_vec3 above = lope_v3(model[j].translation.x, model[j].translation.y + 0.3f, model[j].translation.z);
            if (lope_terrain_below(crossing.scene->terrain, NULL, above, 0.6f, &hit))
                under = fmaxf(under, hit.point.y - model[j].translation.y);
        }
    }
    assert_true(crossing.arrived);
    test_crossing_end(&crossing);
    return under;
}

// Feet that swing over edges may touch them.
static void check_terrains(const lope_rings *rings, lope_clip *const *clips, int count)
{
    static const char *const terrains[TERRAINS] = {"bumps", "stairs", "stones", "spiral"};
    test_source *source = test_source_create(clips, count);
    for (int t = 0; t < TERRAINS; t++) {
        test_motion motion;
        assert_true(cross(rings, terrains[t], &motion) < 0.02f);
        assert_human_within(source, &motion, 1, t < 2 ? 0.002f : 0.003f); // stones are turns, a spiral is one
        test_motion_end(&motion);
    }
    test_source_destroy(source);
}

static void check_set(stranger_recipe recipe)
{
    lope_error error;
    lope_rings *rings;
    lope_set *set = strange_set(recipe);
    lope_rings_set_def def = lope_rings_set_def_default();
    assert_ok(lope_rings_of_set(set, &def, &rings, NULL, &error));
    check_terrains(rings, set->clips, set->clip_count);
    lope_rings_close(rings);
    lope_set_destroy(set);
}

static void strangers_stay_human(void **state)
{
    (void)state;
    check_set((stranger_recipe){
        .seed = 5, .rest = STRANGER_REST_ALONG_X, .twist_chain = true, .noise = 0.0005f}); // bones are only axes
    check_set((stranger_recipe){.seed = 6, .rest = STRANGER_REST_A, .no_toes = true, .helpers = true});
}

static void the_built_in_character_stays_human(void **state)
{
    (void)state;
    lope_error error;
    lope_rings *rings;
    lope_clip **walks, **stands, *clips[128];
    int walk_count, stand_count;
    assert_ok(lope_rings_builtin(false, &rings, NULL, &error));
    assert_ok(lope_rings_samples(LOPE_RING_WALK, false, &walks, &walk_count, &error));
    assert_ok(lope_rings_samples(LOPE_RING_REST, false, &stands, &stand_count, &error));
    memcpy((void *)clips, (void *)walks, (size_t)walk_count * sizeof *clips);
    memcpy((void *)(clips + walk_count), (void *)stands, (size_t)stand_count * sizeof *clips);
    check_terrains(rings, clips, walk_count + stand_count);
    lope_clips_free(walks, walk_count);
    lope_clips_free(stands, stand_count);
    lope_rings_close(rings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strangers_stay_human),
                                       cmocka_unit_test(the_built_in_character_stays_human)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
