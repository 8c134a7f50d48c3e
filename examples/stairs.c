// SPDX-License-Identifier: MIT
// Feet on terrain: a character of motion rings walks over irregular stairs and says where its feet come down.
//
//   cc stairs.c $(pkg-config --cflags --libs lope-offline) -o stairs && ./stairs
#include <lope/offline.h>
#include <stdio.h>

static int fail(const lope_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void)
{
    lope_error error = {0};
    lope_rings *rings;
    lope_terrain_scene *scene;
    lope_gait *gait;
    if (lope_rings_builtin(false, &rings, NULL, &error) != LOPE_OK ||
        lope_terrain_scene_builtin("stairs", &scene, &error) != LOPE_OK)
        return fail(&error);

    lope_gait_def def = lope_gait_def_default();
    def.at = scene->start;
    if (lope_gait_create(rings, scene->terrain, &def, &gait, &error) != LOPE_OK)
        return fail(&error);

    const lope_gait_control walk = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    int next = 0, strikes = 0;
    float highest = 0.0f;
    for (int step = 0; step < 30 * 60; step++) {
        lope_gait_control control = lope_gait_follow(gait, scene->path, scene->path_count, &next, 0.9f, &walk);
        lope_gait_step(gait, scene->terrain, &control, 1.0f / 60); // lope_gait_pose(gait) is what to draw
        lope_gait_state state = lope_gait_state_of(gait);
        if (state.strikes == strikes)
            continue;
        strikes = state.strikes;
        lope_vec3 place = state.last.place;
        highest = place.y > highest ? place.y : highest;
        printf("%s foot at %.2f %.2f, %.2f m up\n", state.last.side == LOPE_LEFT ? "left " : "right", (double)place.x,
               (double)place.z, (double)place.y);
    }
    lope_gait_destroy(gait);
    lope_terrain_scene_destroy(scene);
    lope_rings_close(rings);
    return strikes > 10 && highest > 0.3f ? 0 : 1;
}
