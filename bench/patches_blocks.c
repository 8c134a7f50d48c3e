// SPDX-License-Identifier: MIT
// Motion patches of things: a gym is annotated, desks are edited. Measured on the built-in set, because captures of the
// paper's playground do not exist; sizes are the paper's.
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bench/bench.h"
#include "bench/patches_blocks.h"

#define TAKES 2
#define GYMS 8         // 534 instances of blocks with things; the paper's small gym has 536
#define MANY_GYMS 131  // about 8,775 such instances: as many as the paper's large world of 32 gyms
#define FLOOR_TILES 30 // a side
#define EDITS 60

typedef struct blocks_bench {
    bench_run *run;
    lope_jobs *jobs;
    lope_builtin_blocks built;
} blocks_bench;

static bench_figure figure(const char *name, double value, const char *unit, double paper, double must, bool higher)
{
    return (bench_figure){name, value, unit, paper, (double)NAN, must, higher};
}

static lope_status build(blocks_bench *b, lope_error *error)
{
    lope_blocks_report report;
    lope_status status = lope_blocks_builtin(TAKES, b->jobs, NULL, &b->built, &report, error);
    if (!status)
        bench_note(
            b->run,
            "things are of the built-in set: %d blocks of 1 to %d units from %d runs on its stage, found in %.2f s",
            b->built.blocks->block_count, lope_blocks_def_default().most_units, report.runs, report.seconds);
    return status;
}

static int instances_with_units(const lope_block_world *world)
{
    lope_block_view view = lope_block_world_view(world);
    int count = 0;
    for (int i = 0; i < view.instance_count; i++)
        count += view.blocks->blocks[view.instances[i].block].unit_count > 0;
    return count;
}

static lope_status measure_gym(blocks_bench *b, lope_error *error)
{
    lope_block_scene *scene;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = b->built.blocks;
    lope_status status = lope_block_scene_generate("playground", GYMS, 1, b->built.blocks, &scene, error);
    if (status)
        return status;
    double best = (double)INFINITY, none = (double)NAN;
    lope_block_survey survey = {0};
    int instances = 0;
    for (int i = 0; i < 3 && !status; i++) {
        lope_block_world *world;
        double begin = bench_seconds();
        status = lope_block_scene_world(scene, &def, b->jobs, &world, error);
        if (status)
            break;
        best = fmin(best, bench_seconds() - begin);
        instances = instances_with_units(world);
        status = i == 0 ? lope_block_world_survey(world, &survey, error) : LOPE_OK;
        lope_block_world_destroy(world);
    }
    lope_block_scene_destroy(scene);
    if (status)
        return status;
    bench_add(b->run, figure("built-in gym with things annotated", best, "s", 272.0, 1.0, false));
    bench_add(b->run, figure("its instances of blocks", instances, "", 536.0, none, true));
    bench_add(b->run, figure("its nodes at things", survey.junctions, "", 43516.0, none, true));
    bench_add(b->run,
              figure("its living steps at things", (double)survey.living_block_steps, "", 346507.0, none, true));
    bench_add(b->run, figure("its nodes, floors included", (double)survey.nodes, "", none, none, true));
    bench_add(b->run, figure("its living steps, floors included", (double)survey.living_steps, "", none, none, true));
    bench_add(b->run,
              figure("of them in the largest component",
                     100.0 * (double)survey.largest_steps / (double)survey.living_steps, "%", none, 80.0, true));
    bench_add(b->run, figure("of steps at things in the largest component",
                             100.0 * (double)survey.largest_block_steps / (double)survey.living_block_steps, "%", none,
                             none, true));
    return LOPE_OK;
}

// The way from one corner of the ground to the opposite one, best of a few.
static lope_status measure_way(blocks_bench *b, lope_block_world *world, lope_error *error)
{
    lope_floor_def ground = lope_block_world_floor(world, 0);
    float wide = b->built.tile->size * (float)ground.columns, deep = b->built.tile->size * (float)ground.rows;
    lope_spot corners[2] = {{ground.corner.x + 1.0f, ground.height, ground.corner.z + 1.0f, 0.0f},
                            {ground.corner.x + wide - 1.0f, ground.height, ground.corner.z + deep - 1.0f, 0.0f}};
    int from = lope_block_node_near(world, corners[0], -1), to = lope_block_node_near(world, corners[1], -1), count = 0;
    if (from < 0 || to < 0) {
        bench_note(b->run, "nobody can stand in the corners of the large world");
        return LOPE_OK;
    }
    double best = (double)INFINITY;
    lope_status status = LOPE_OK;
    for (int i = 0; i < 5 && !status; i++) {
        double begin = bench_seconds();
        status = lope_block_path(world, from, to, NULL, 0, &count, error);
        best = fmin(best, bench_seconds() - begin);
    }
    if (!status)
        bench_add(b->run, figure("way across it, corner to corner", 1e3 * best, "ms", (double)NAN, 5.0, false));
    bench_note(b->run, "the way across the large world of gyms, %.0f by %.0f m, has %d steps", (double)wide,
               (double)deep, count);
    return status;
}

static double most_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024.0 : (double)NAN;
}

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static lope_status measure_many_gyms(blocks_bench *b, lope_error *error)
{
    lope_block_scene *scene;
    lope_block_world *world = NULL;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = b->built.blocks;
    lope_status status = lope_block_scene_generate("playground", MANY_GYMS, 1, b->built.blocks, &scene, error);
    if (status)
        return status;
    double begin = bench_seconds(), spent = processor_seconds(), none = (double)NAN;
    lope_block_survey survey = {0};
    status = lope_block_scene_world(scene, &def, b->jobs, &world, error);
    if (!status)
        status = lope_block_world_survey(world, &survey, error);
    double seconds = bench_seconds() - begin;
    bench_note(b->run, "the %d gyms took %.1f s of all processors together", MANY_GYMS, processor_seconds() - spent);
    lope_block_scene_destroy(scene);
    if (status) {
        lope_block_world_destroy(world);
        return status;
    }
    bench_add(b->run,
              figure("131 built-in gyms in one world: assembled and surveyed", seconds, "s", none, 20.0, false));
    bench_add(b->run, figure("their instances of blocks", instances_with_units(world), "", 8775.0, none, true));
    bench_add(b->run, figure("their nodes and steps at things", 1e-6 * (double)(survey.junctions + survey.block_steps),
                             "million", 16.7, none, true));
    bench_add(b->run, figure("their nodes and steps, floors included", 1e-6 * (double)(survey.nodes + survey.steps),
                             "million", none, none, true));
    bench_add(b->run, figure("their memory", (double)survey.bytes / 1e6, "MB", none, 1000.0, false));
    bench_add(b->run, figure("most memory of the process", most_memory(), "MB", none, 1000.0, false));
    bench_add(b->run,
              figure("of their steps in the largest component",
                     100.0 * (double)survey.largest_steps / (double)survey.living_steps, "%", none, 80.0, true));
    status = measure_way(b, world, error);
    lope_block_world_destroy(world);
    return status;
}

// A chair and a desk put down, dragged by 10 cm and taken away again, each with all the motion that goes with them.
static lope_status edit_desk(blocks_bench *b, lope_block_world *world, int number, double *worst, lope_error *error)
{
    float room = FLOOR_TILES * b->built.tile->size - 8.0f;
    lope_spot chair = {4.0f + fmodf(7.31f * (float)number, room), 0.0f, 4.0f + fmodf(3.77f * (float)number, room),
                       0.37f * (float)number};
    lope_spot ahead;
    int ids[2], units[2] = {lope_blocks_unit(b->built.blocks, "chair"), lope_blocks_unit(b->built.blocks, "desk")};
    lope_blocks_next(b->built.blocks, units[0], units[1], &ahead);
    lope_status status = LOPE_OK;
    for (int stage = 0; stage < 3 && !status; stage++) {
        double begin = bench_seconds();
        lope_spot at = chair;
        at.x += stage == 1 ? 0.1f : 0.0f;
        for (int i = 0; i < 2 && !status; i++) {
            lope_spot place = i ? lope_spot_mul(at, ahead) : at;
            if (stage == 0)
                status = lope_block_world_add(world, units[i], place, &ids[i], error);
            else if (stage == 1)
                status = lope_block_world_move(world, ids[i], place, error);
            else
                lope_block_world_remove(world, ids[i]);
        }
        if (!status)
            status = lope_block_world_update(world, b->jobs, error);
        *worst = fmax(*worst, bench_seconds() - begin);
    }
    return status;
}

static lope_status measure_edits(blocks_bench *b, lope_error *error)
{
    lope_block_world *world;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = b->built.blocks;
    lope_status status = lope_block_world_create(&def, &world, error);
    if (status)
        return status;
    lope_floor_def floor = {{0.0f, 0.0f}, 0.0f, FLOOR_TILES, FLOOR_TILES};
    int number;
    double worst = 0.0;
    status = lope_block_world_add_floor(world, &floor, &number, error);
    if (!status)
        status = lope_block_world_update(world, b->jobs, error);
    for (int i = 0; i < EDITS && !status; i++)
        status = edit_desk(b, world, i, &worst, error);
    lope_block_world_destroy(world);
    if (!status)
        bench_add(b->run, figure("built-in desk with its chair and all their motion: worst", 1e3 * worst, "ms", 1000.0,
                                 16.0, false));
    return status;
}

lope_status bench_patches_blocks(bench_run *run, lope_jobs *jobs, lope_error *error)
{
    blocks_bench b = {.run = run, .jobs = jobs};
    lope_status status = build(&b, error);
    if (!status)
        status = measure_gym(&b, error);
    if (!status)
        status = measure_edits(&b, error);
    if (!status)
        status = bench_patches_captured(run, jobs, error);
    if (!status)
        status = bench_patches_dense(run, jobs, error);
    if (!status)
        status = measure_many_gyms(&b, error);
    lope_blocks_builtin_destroy(&b.built);
    return status;
}
