// SPDX-License-Identifier: MIT
// Motion rings: landings and weights are asked for, and somebody goes over flat ground or stairs.
#include "mutant.h"

#include <math.h>

const char *const mutant_kind = "rings";

static void ask(mutant *m, const lope_rings *rings)
{
    const lope_skeleton *skeleton = lope_rings_skeleton(rings);
    for (int r = 0; r < lope_rings_count(rings); r++) {
        lope_ring_info info = lope_rings_info(rings, r);
        lope_side side = (lope_side)mutant_pick(m, 2);
        float weights[LOPE_RING_MAX_SAMPLES];
        lope_ring_landing landing = lope_ring_sphere(rings, r, side, mutant_pick(m, info.spheres), weights);
        landing = lope_ring_land(rings, r, side, weights);
        require(isfinite(landing.yaw));
        lope_ring_reach(rings, r, side, landing.point, weights);
        lope_pose pose = mutant_pose(skeleton, 0);
        lope_ring_pose(rings, r, (float)mutant_pick(m, info.frames) + 0.5f, weights, &pose);
        lope_pose_to_model(skeleton, &pose, mutant_model());
        mutant_look(mutant_model(), skeleton->joint_count);
    }
    for (int i = 0; i < lope_rings_link_count(rings) && i < 100; i++)
        lope_rings_link(rings, i);
}

static lope_terrain *make_stairs(void)
{
    lope_error error;
    lope_terrain *terrain = NULL;
    lope_terrain_mesh *mesh;
    int piece;
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_STAIRS);
    shape.place = lope_v3(0.0f, 0.0f, -2.0f);
    shape.steps = 3;
    shape.flights = 1;
    shape.landing = 3.0f;
    if (lope_terrain_shape_mesh(&shape, &mesh, &error) != LOPE_OK)
        return NULL;
    if (lope_terrain_create(&terrain, &error) == LOPE_OK)
        lope_terrain_add_mesh(terrain, mesh, &piece, &error);
    lope_terrain_mesh_destroy(mesh);
    return terrain;
}

static void go(mutant *m, const lope_rings *rings, const lope_terrain *terrain)
{
    static const lope_gait_mode modes[] = {LOPE_GAIT_WALK, LOPE_GAIT_RUN, LOPE_GAIT_WALK, LOPE_GAIT_STAND};
    const lope_skeleton *skeleton = lope_rings_skeleton(rings);
    lope_error error;
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    def.combined = mutant_pick(m, 2);
    def.above = 5.0f;
    if (lope_gait_create(rings, terrain, &def, &gait, &error) != LOPE_OK)
        return;
    for (int i = 0; i < 60; i++) {
        lope_gait_control control = {modes[(i / 15) % 4], 0.02f * (float)i, 0.6f};
        if (i % 30 > 15)
            control = lope_gait_go_to(gait, (lope_vec2){1.0f, 2.0f}, &control);
        lope_gait_step(gait, terrain, &control, i % 2 ? 0.1f : 0.03f);
        lope_pose_to_model(skeleton, lope_gait_pose(gait), mutant_model());
        mutant_look(mutant_model(), skeleton->joint_count);
        mutant_look_at(lope_gait_ground(gait));
    }
    lope_gait_destroy(gait);
}

bool mutant_use(mutant *m)
{
    lope_rings *rings;
    lope_error error;
    if (lope_rings_open_memory(m->bytes, m->size, "mutant.lope", &rings, &error) != LOPE_OK)
        return false;
    ask(m, rings);
    lope_terrain *terrain = mutant_pick(m, 2) ? make_stairs() : NULL;
    go(m, rings, terrain);
    lope_terrain_destroy(terrain);
    lope_rings_close(rings);
    return true;
}
