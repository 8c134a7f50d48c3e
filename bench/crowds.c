// SPDX-License-Identifier: MIT
// Maps and crowds of benchmarks.
#include "bench/crowds.h"

#include <math.h>

#define FRAME (1.0f / 30.0f)

static lope_status build_captured(const bench_clips *clips, lope_jobs *jobs, bench_map *out, lope_error *error)
{
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_mobility_def def = lope_mobility_def_default();
    lope_status status =
        lope_set_prepare((const lope_clip *const *)clips->items, clips->count, &prepare, jobs, NULL, &out->set, error);
    return status ? status : lope_mobility_build(out->set, &def, jobs, NULL, &out->map, NULL, error);
}

lope_status bench_map_open(bench_run *run, const char *subject, lope_jobs *jobs, bench_map *out, lope_error *error)
{
    bench_clips clips;
    *out = (bench_map){0};
    lope_status status = bench_clips_load(run, subject, (bench_stand_in){0}, &clips, error);
    out->captured = clips.captured;
    if (!status)
        status = clips.captured ? build_captured(&clips, jobs, out, error)
                                : lope_mobility_builtin(jobs, NULL, &out->set, &out->map, error);
    bench_clips_free(&clips);
    return status;
}

void bench_map_close(bench_map *map)
{
    lope_mobility_close(map->map);
    lope_set_destroy(map->set);
    *map = (bench_map){0};
}

lope_status bench_crowd_open(const bench_crowd_def *def, bench_walkers *out, lope_error *error)
{
    *out = (bench_walkers){0};
    lope_crowd_def world = lope_crowd_def_default();
    world.capacity = def->count;
    world.avoidance = def->avoidance;
    lope_member_def character = lope_member_def_default(def->map);
    character.posed = def->posed;
    character.walker.arrive_radius = 0.4f;
    lope_status status = lope_scene_world(def->scene, &world, &out->world, error);
    if (!status)
        status = lope_traffic_create(def->scene, out->world, &character, def->count, def->seed, &out->traffic, error);
    return status == LOPE_PARTIAL ? LOPE_OK : status;
}

void bench_crowd_close(bench_walkers *walkers)
{
    lope_traffic_destroy(walkers->traffic);
    lope_crowd_destroy(walkers->world);
}

void bench_crowd_step(bench_walkers *walkers, lope_jobs *jobs)
{
    lope_crowd_step(walkers->world, FRAME, jobs);
    lope_traffic_update(walkers->traffic, FRAME);
}

lope_scene bench_open_field(const lope_scene *plaza, int count)
{
    lope_scene field = *plaza;
    float side = sqrtf((float)count / 0.3f), scale = side / (plaza->high.x - plaza->low.x);
    field.obstacle_count = 0;
    field.low = (lope_vec2){plaza->low.x * scale, plaza->low.z * scale};
    field.high = (lope_vec2){plaza->high.x * scale, plaza->high.z * scale};
    return field;
}
