// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "crowd.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/graph.h"
#include "lope/ground.h"

enum { MOST_OBSTACLES = 4096, MOST_FRAMES = 1024 };

struct studio_crowd {
    const lope_mobility *map;
    const lope_scene *scene;
    lope_crowd *world;
    lope_traffic *traffic;
    lope_taste taste; // of those that were spawned one by one
    int spawned;
    int obstacle_count;
    lope_obstacle_id obstacles[MOST_OBSTACLES];
};

studio_crowd *studio_crowd_create(const lope_mobility *map, const lope_scene *scene, uint32_t seed)
{
    lope_error *error = studio_failure();
    studio_crowd *crowd = lope_alloc_zero(sizeof *crowd);
    if (!crowd) {
        lope_fail_memory(error);
        return NULL;
    }
    lope_crowd_def def = lope_crowd_def_default();
    def.seed = seed;
    crowd->map = map;
    crowd->scene = scene;
    if (lope_scene_world(scene, &def, &crowd->world, error) == LOPE_OK)
        return crowd;
    lope_free(crowd);
    return NULL;
}

void studio_crowd_destroy(studio_crowd *crowd)
{
    if (!crowd)
        return;
    lope_traffic_destroy(crowd->traffic);
    lope_crowd_destroy(crowd->world);
    lope_free(crowd);
}

const char *studio_mobility_tag(const lope_mobility *map, int tag)
{
    int poses = lope_set_pose_count(lope_mobility_set(map));
    for (int p = 0; p < poses; p++)
        if (lope_mobility_pose_tags(map, p) >> tag & 1u)
            return lope_mobility_tag_name(map, (lope_tag)tag);
    return "";
}

void studio_crowd_like(studio_crowd *crowd, uint32_t prefer, uint32_t avoid)
{
    crowd->taste = (lope_taste){prefer, avoid, 1.0f};
    for (int i = 0; i < crowd->spawned; i++)
        lope_walker_reconsider(lope_member_walker_mutable(crowd->world, lope_crowd_member(crowd->world, i)));
}

int studio_crowd_spawn(studio_crowd *crowd, float x, float z, float yaw)
{
    lope_member_def def = lope_member_def_default(crowd->map);
    lope_member_id id;
    def.walker.cost = lope_taste_cost;
    def.walker.cost_user = &crowd->taste;
    def.at = (lope_ground){x, z, yaw};
    if (lope_crowd_spawn(crowd->world, &def, &id, studio_failure()) != LOPE_OK)
        return -1;
    crowd->spawned++;
    return lope_crowd_member_count(crowd->world) - 1;
}

lope_status studio_crowd_fill(studio_crowd *crowd, int count, uint32_t seed)
{
    lope_member_def def = lope_member_def_default(crowd->map);
    def.walker.arrive_radius = 0.4f;
    return lope_traffic_create(crowd->scene, crowd->world, &def, count, seed, &crowd->traffic, studio_failure());
}

int studio_crowd_count(const studio_crowd *crowd)
{
    return lope_crowd_member_count(crowd->world);
}

static int keep(studio_crowd *crowd, lope_status status, lope_obstacle_id id)
{
    if (status)
        return -1;
    int number = 0;
    while (number < crowd->obstacle_count && crowd->obstacles[number].index1)
        number++;
    if (number == MOST_OBSTACLES) {
        lope_crowd_remove_obstacle(crowd->world, id);
        lope_fail(studio_failure(), LOPE_PARTIAL, "there is room for %d obstacles", MOST_OBSTACLES);
        return -1;
    }
    crowd->obstacles[number] = id;
    crowd->obstacle_count = number < crowd->obstacle_count ? crowd->obstacle_count : number + 1;
    return number;
}

int studio_crowd_add_box(studio_crowd *crowd, float x, float z, float width, float depth, float yaw)
{
    lope_obstacle_id id = {0};
    lope_status status =
        lope_crowd_add_box(crowd->world, (lope_ground){x, z, yaw}, (lope_vec2){width, depth}, &id, studio_failure());
    return keep(crowd, status, id);
}

int studio_crowd_add_cylinder(studio_crowd *crowd, float x, float z, float radius)
{
    lope_obstacle_id id = {0};
    lope_status status = lope_crowd_add_cylinder(crowd->world, (lope_vec2){x, z}, radius, &id, studio_failure());
    return keep(crowd, status, id);
}

int studio_crowd_add_polygon(studio_crowd *crowd, const float *corners, int count)
{
    lope_obstacle_id id = {0};
    lope_status status =
        lope_crowd_add_polygon(crowd->world, (const lope_vec2 *)(const void *)corners, count, &id, studio_failure());
    return keep(crowd, status, id);
}

void studio_crowd_remove(studio_crowd *crowd, int obstacle)
{
    lope_crowd_remove_obstacle(crowd->world, crowd->obstacles[obstacle]);
    crowd->obstacles[obstacle] = (lope_obstacle_id){0};
}

bool studio_crowd_is_free(const studio_crowd *crowd, float x, float z, float radius)
{
    return lope_crowd_is_free(crowd->world, (lope_vec3){x, 0, z}, radius);
}

static lope_member_id id_of(const studio_crowd *crowd, int character)
{
    return lope_crowd_member(crowd->world, character);
}

lope_status studio_crowd_go(studio_crowd *crowd, int character, float x, float z)
{
    return lope_member_go_to(crowd->world, id_of(crowd, character), (lope_vec3){x, 0, z}, studio_failure());
}

void studio_crowd_step(studio_crowd *crowd, float dt)
{
    lope_crowd_step(crowd->world, dt, NULL);
    if (crowd->traffic)
        lope_traffic_update(crowd->traffic, dt);
}

void studio_crowd_poses(const studio_crowd *crowd, float *out)
{
    size_t joints = (size_t)lope_mobility_set(crowd->map)->skeleton->joint_count;
    for (int i = 0; i < lope_crowd_member_count(crowd->world); i++) {
        const lope_transform *pose = lope_member_pose(crowd->world, id_of(crowd, i));
        memcpy(out + (size_t)i * joints * STUDIO_JOINT_FLOATS, pose, joints * sizeof *pose);
    }
}

static void put(float *out, lope_ground at)
{
    out[0] = at.x;
    out[1] = at.z;
    out[2] = at.yaw;
}

void studio_crowd_ground(const studio_crowd *crowd, int character, float *out)
{
    put(out, lope_member_ground(crowd->world, id_of(crowd, character)));
}

int studio_crowd_state(const studio_crowd *crowd, int character)
{
    return (int)lope_member_state_of(crowd->world, id_of(crowd, character));
}

static const lope_walker *walker_of(const studio_crowd *crowd, int character)
{
    return lope_member_walker(crowd->world, id_of(crowd, character));
}

int studio_crowd_contacts(const studio_crowd *crowd, int character)
{
    return lope_walker_contacts(walker_of(crowd, character));
}

int studio_crowd_clip(const studio_crowd *crowd, int character, double *time)
{
    return lope_walker_clip(walker_of(crowd, character), time);
}

void studio_crowd_plan(const studio_crowd *crowd, int character, float interval, int count, float *out)
{
    lope_walker_predict(walker_of(crowd, character), interval, count, (lope_ground *)(void *)out);
}

static int state_of(const studio_crowd *crowd, int character)
{
    return lope_mobility_pose_state(crowd->map, lope_walker_next_pose(walker_of(crowd, character)));
}

int studio_crowd_reach(const studio_crowd *crowd, int character, float *out, int capacity)
{
    int state = state_of(crowd, character);
    int count = state < 0 ? 0 : lope_mobility_choice_count(crowd->map, state);
    double rate = lope_mobility_set(crowd->map)->clips[0]->frame_rate;
    lope_ground at = lope_member_ground(crowd->world, id_of(crowd, character));
    for (int i = 0; i < count && i < capacity; i++) {
        lope_choice choice = lope_mobility_choice(crowd->map, state, i);
        put(out + 4 * i, lope_ground_mul(at, choice.end));
        out[4 * i + 3] = (float)(choice.frames / rate);
    }
    return count;
}

int studio_crowd_reach_way(const studio_crowd *crowd, int character, int choice, float *out, int capacity)
{
    static int poses[MOST_FRAMES];
    const lope_set *set = lope_mobility_set(crowd->map);
    int state = state_of(crowd, character);
    if (state < 0 || choice >= lope_mobility_choice_count(crowd->map, state))
        return 0;
    int count = lope_mobility_sequence(crowd->map, state, choice, poses, MOST_FRAMES);
    lope_ground at = lope_member_ground(crowd->world, id_of(crowd, character));
    for (int i = 0; i < count && i < capacity && i < MOST_FRAMES; i++) {
        int clip, frame;
        lope_set_pose(set, poses[i], &clip, &frame);
        if (frame > 0)
            at = lope_ground_mul(at, lope_clip_ground_step(set->clips[clip], frame - 1));
        out[2 * i] = at.x;
        out[2 * i + 1] = at.z;
    }
    return count;
}

void studio_crowd_counts(const studio_crowd *crowd, double *out)
{
    lope_crowd_counts counts = lope_crowd_counts_of(crowd->world);
    out[0] = counts.character_seconds;
    out[1] = (double)counts.overlaps;
    out[2] = (double)counts.wall_hits;
    out[3] = (double)counts.arrivals;
    out[4] = (double)counts.longest_stuck;
}

uint64_t studio_crowd_hash(const studio_crowd *crowd)
{
    return lope_crowd_hash(crowd->world);
}
