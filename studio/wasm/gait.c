// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "gait.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "rings/gait.h"

static const float look_ahead = 0.9f;

lope_rings *studio_rings_open(const void *data, size_t size, const char *name)
{
    lope_rings *rings;
    lope_rings_open_memory(data, size, name, &rings, studio_failure());
    return rings;
}

void studio_rings_close(lope_rings *rings)
{
    lope_rings_close(rings);
}

const lope_skeleton *studio_rings_skeleton(const lope_rings *rings)
{
    return lope_rings_skeleton(rings);
}

lope_gait *studio_gait_create(const lope_rings *rings, const lope_terrain *terrain, float x, float z, float yaw,
                              float above, bool ik)
{
    lope_gait *gait;
    lope_gait_def def = lope_gait_def_default();
    def.at = (lope_ground){x, z, yaw};
    def.above = above;
    def.ik = ik;
    lope_gait_create(rings, terrain, &def, &gait, studio_failure());
    return gait;
}

void studio_gait_destroy(lope_gait *gait)
{
    lope_gait_destroy(gait);
}

static bool step(lope_gait *gait, const lope_terrain *terrain, lope_gait_control control, float dt)
{
    lope_gait_step(gait, terrain, &control, dt);
    return control.mode == LOPE_GAIT_STAND && lope_gait_state_of(gait).standing;
}

void studio_gait_step(lope_gait *gait, const lope_terrain *terrain, int mode, float direction, float stride, float dt)
{
    step(gait, terrain, (lope_gait_control){(lope_gait_mode)mode, direction, stride}, dt);
}

bool studio_gait_step_to(lope_gait *gait, const lope_terrain *terrain, int mode, float x, float z, float stride,
                         float dt)
{
    lope_gait_control like = {(lope_gait_mode)mode, 0.0f, stride};
    return step(gait, terrain, lope_gait_go_to(gait, (lope_vec2){x, z}, &like), dt);
}

bool studio_gait_step_along(lope_gait *gait, const lope_terrain *terrain, int mode, const float *way, int count,
                            int *next, float stride, float dt)
{
    lope_gait_control like = {(lope_gait_mode)mode, 0.0f, stride};
    const lope_vec2 *places = (const lope_vec2 *)(const void *)way;
    return step(gait, terrain, lope_gait_follow(gait, places, count, next, look_ahead, &like), dt);
}

void studio_gait_pose(const lope_gait *gait, const lope_rings *rings, float *pose)
{
    lope_pose_to_model(lope_rings_skeleton(rings), lope_gait_pose(gait), (lope_transform *)(void *)pose);
}

int studio_gait_contacts(const lope_gait *gait)
{
    return lope_gait_contacts(gait);
}

void studio_gait_ground(const lope_gait *gait, float *out)
{
    lope_ground at = lope_gait_ground(gait);
    out[0] = at.x;
    out[1] = at.z;
    out[2] = at.yaw;
}

void studio_gait_state(const lope_gait *gait, const lope_rings *rings, float *out)
{
    lope_gait_state state = lope_gait_state_of(gait);
    const float all[STUDIO_GAIT_FLOATS] = {state.standing,
                                           state.refused,
                                           (float)state.strikes,
                                           state.last.by_weights,
                                           state.last.by_ik,
                                           state.last.in_hull,
                                           state.next.place.x,
                                           state.next.place.y,
                                           state.next.place.z,
                                           gait->origin.x,
                                           gait->origin.y,
                                           gait->origin.z,
                                           (float)lope_rings_info(rings, state.ring).kind};
    memcpy(out, all, sizeof all);
}

int studio_gait_sample(const lope_gait *gait, double *frame)
{
    int samples = lope_rings_info(gait->rings, gait->ring).samples, most = 0;
    for (int s = 1; s < samples; s++)
        if (gait->weights[s] > gait->weights[most])
            most = s;
    *frame = (double)gait->frame;
    return (gait->ring * 2 + gait->track) * RING_SAMPLES + most;
}

// The ring, track and sample behind a number.
static const lope_ring *sample_of(const lope_rings *rings, int number, int *track, int *sample)
{
    *sample = number % RING_SAMPLES;
    *track = number / RING_SAMPLES % 2;
    return &rings->rings[number / RING_SAMPLES / 2];
}

void studio_rings_sample_pose(const lope_rings *rings, int sample, double frame, float x, float z, float yaw,
                              float *pose)
{
    int track, which;
    const lope_ring *ring = sample_of(rings, sample, &track, &which);
    float weights[RING_SAMPLES] = {0};
    lope_pose as = {.joint_count = rings->skeleton->joint_count};
    as.rotations = lope_alloc_array((size_t)as.joint_count, sizeof *as.rotations);
    if (!as.rotations)
        return;
    weights[which] = 1.0f;
    lope_ring_pose_all(rings, ring, (ring_moment){track, (float)frame, weights}, &as);
    lope_transform *model = (lope_transform *)(void *)pose;
    lope_pose_to_model(rings->skeleton, &as, model);
    lope_free(as.rotations);
    studio_put_at(rings->skeleton, model, (lope_ground){x, z, yaw});
}

const char *studio_rings_sample_name(const lope_rings *rings, int sample)
{
    static char name[64];
    int track, which;
    const ring_head *head = sample_of(rings, sample, &track, &which)->head;
    snprintf(name, sizeof name, "%.32s, sample %d of %d", head->name, which + 1, (int)head->samples);
    return name;
}

int studio_gait_spheres(const lope_gait *gait, const lope_rings *rings, const lope_terrain *terrain, float *out,
                        int capacity)
{
    lope_gait_state state = lope_gait_state_of(gait);
    int count = state.standing ? 0 : lope_rings_info(rings, state.ring).spheres;
    lope_quat facing = lope_quat_yaw(gait->yaw);
    for (int i = 0; i < count && i < capacity; i++) {
        lope_ring_landing landing = lope_ring_sphere(rings, state.ring, (lope_side)gait->track, i, NULL);
        lope_vec3 centre = lope_v3_add(gait->origin, lope_quat_rotate(facing, landing.point));
        const float all[] = {centre.x, centre.y, centre.z,
                             lope_terrain_touches(terrain, NULL, centre, gait->def.radius)};
        memcpy(out + 4 * (size_t)i, all, sizeof all);
    }
    return count;
}

float studio_gait_sphere_radius(const lope_gait *gait)
{
    return gait->def.radius;
}
