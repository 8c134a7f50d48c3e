// SPDX-License-Identifier: MIT
#include "support/crossing.h"

#include "lope/rings_build.h"

lope_rings *test_rings;

int test_rings_set_up(void **state)
{
    (void)state;
    lope_error error;
    return lope_rings_builtin(false, &test_rings, NULL, &error) != LOPE_OK;
}

int test_rings_tear_down(void **state)
{
    (void)state;
    lope_rings_close(test_rings);
    return 0;
}

lope_gait *test_stand_at(const lope_terrain *terrain, lope_ground at, float above)
{
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    lope_error error;
    def.at = at;
    def.above = above;
    assert_ok(lope_gait_create(test_rings, terrain, &def, &gait, &error));
    return gait;
}

test_crossing test_crossing_begin(const lope_rings *rings, const char *terrain)
{
    test_crossing crossing = {0};
    lope_error error;
    assert_ok(lope_terrain_scene_builtin(terrain, &crossing.scene, &error));
    lope_gait_def def = lope_gait_def_default();
    def.at = crossing.scene->start;
    def.above = 1.0f;
    assert_ok(lope_gait_create(rings, crossing.scene->terrain, &def, &crossing.gait, &error));
    return crossing;
}

void test_crossing_step(test_crossing *crossing, float dt)
{
    const lope_terrain_scene *scene = crossing->scene;
    lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    like = lope_gait_follow(crossing->gait, scene->path, scene->path_count, &crossing->next, 0.9f, &like);
    lope_gait_step(crossing->gait, scene->terrain, &like, dt);
    crossing->arrived = like.mode == LOPE_GAIT_STAND && lope_gait_state_of(crossing->gait).standing;
}

void test_crossing_end(test_crossing *crossing)
{
    lope_gait_destroy(crossing->gait);
    lope_terrain_scene_destroy(crossing->scene);
}
