// SPDX-License-Identifier: MIT
#include "support/crossing.h"

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
