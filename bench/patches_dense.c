// SPDX-License-Identifier: MIT
// Dense patches, as published (section 4: every frame in a cell, every part of 20 frames a link), beside junctions, on
// the same built-in stage and in the same small world: stairs to a platform, a chair at a desk.
#include <math.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/patches_blocks.h"

#define WANDER_SECONDS 120
#define WANDERERS 4
#define RATE 30.0
#define MOST_STEPS 512

typedef struct dense_bench {
    bench_run *run;
    lope_jobs *jobs;
    lope_set *set;
    lope_stage *stage;
    lope_tile *tile;
    lope_tile_def tile_def;
} dense_bench;

// What is measured of one of the two ways.
typedef struct way_figures {
    double build, assemble, bytes, variety, drift, jerk;
    int gates, links;
    lope_block_survey survey;
} way_figures;

static size_t bytes_of(const lope_blocks *b)
{
    return (size_t)b->gate_count * sizeof *b->gates + (size_t)b->link_count * sizeof *b->links +
           (size_t)b->segment_count * sizeof *b->segments + (size_t)b->footing_count * sizeof *b->footings;
}

static lope_status add(lope_block_world *world, const char *unit, lope_spot at, lope_error *error)
{
    int id;
    return lope_block_world_add(world, lope_blocks_unit(lope_block_world_view(world).blocks, unit), at, &id, error);
}

// Stairs of 8 risers to a platform, and a chair at a desk.
static lope_status furnish(lope_block_world *world, lope_error *error)
{
    lope_floor_def floors[2] = {{{0.0f, 0.0f}, 0.0f, 6, 6}, {{0.0f, 9.0f}, 8.0f * 0.18f, 6, 3}};
    lope_status status = LOPE_OK;
    int number;
    for (int i = 0; i < 2 && !status; i++)
        status = lope_block_world_add_floor(world, &floors[i], &number, error);
    for (int i = 1; i < 8 && !status; i++)
        status = add(world, "step", (lope_spot){2.3f, 0.18f * (float)i, 9.0f - 0.28f * (7.5f - (float)i), 0.0f}, error);
    const lope_blocks *blocks = lope_block_world_view(world).blocks;
    lope_spot chair = {6.0f, 0.0f, 3.5f, 0.5f}, ahead = {0};
    lope_blocks_next(blocks, lope_blocks_unit(blocks, "chair"), lope_blocks_unit(blocks, "desk"), &ahead);
    if (!status)
        status = add(world, "chair", chair, error);
    if (!status)
        status = add(world, "desk", lope_spot_mul(chair, ahead), error);
    return status;
}

// Living links out of the places at things, on average.
static double variety(const lope_block_world *world)
{
    lope_block_view view = lope_block_world_view(world);
    lope_block_step *steps = malloc(MOST_STEPS * sizeof *steps);
    double links = 0.0, nodes = 0.0;
    for (int node = view.tile_nodes; node < view.node_count; node++) {
        int count = lope_block_steps(world, node, steps, MOST_STEPS), own = 0;
        for (int i = 0; i < count && i < MOST_STEPS; i++)
            own += steps[i].kind == LOPE_STEP_LINK;
        links += own;
        nodes += own > 0;
    }
    free(steps);
    return nodes > 0.0 ? links / nodes : 0.0;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// The next step of somebody who wanders, things before floors.
static bool choose(const lope_block_world *world, int node, uint32_t *random, lope_block_step *steps,
                   lope_block_step *out)
{
    int count = lope_block_steps(world, node, steps, MOST_STEPS), chosen[MOST_STEPS], at_things = 0;
    count = count < MOST_STEPS ? count : MOST_STEPS;
    for (int i = 0; i < count; i++)
        if (steps[i].kind != LOPE_STEP_TILE && steps[i].kind != LOPE_STEP_GO)
            chosen[at_things++] = i;
    if (count == 0)
        return false;
    uint32_t draw = next_random(random);
    *out =
        steps[at_things > 0 && draw % 4 != 0 ? chosen[draw / 4 % (uint32_t)at_things] : (int)(draw % (uint32_t)count)];
    return true;
}

// Somebody wanders for a while, from a place at things on; graded as any clip.
static lope_status wander(const lope_block_world *world, int node, uint32_t seed, lope_grade *out, lope_error *error)
{
    const lope_set *set = lope_block_world_view(world).blocks->set;
    const int frames = (int)(WANDER_SECONDS * RATE), joints = set->skeleton->joint_count;
    lope_clip *clip;
    lope_status status = lope_clip_create(set->skeleton, "wander", frames, RATE, LOPE_CLIP_CONTACTS, &clip, error);
    if (status)
        return status;
    lope_block_step *steps = malloc(MOST_STEPS * sizeof *steps), step;
    lope_transform *model = malloc((size_t)joints * sizeof *model);
    void *memory = aligned_alloc(16, (lope_block_player_memory(world) + 15) / 16 * 16);
    lope_block_player player;
    bool ok = choose(world, node, &seed, steps, &step);
    if (ok)
        lope_block_player_begin(world, &step, memory, &player);
    for (int f = 0; f < frames; f++) {
        if (ok && f > 0 && lope_block_player_advance(&player, (float)(1.0 / RATE), 1.0f) &&
            choose(world, step.to, &seed, steps, &step))
            lope_block_player_next(&player, &step);
        lope_pose pose = {.joint_count = joints, .rotations = clip->rotations + (size_t)f * (size_t)joints};
        if (ok)
            lope_block_player_pose(&player, &pose, model);
        clip->root[f] = pose.root;
        clip->contacts[f] = ok ? lope_block_player_contacts(&player) : 0;
    }
    lope_grade_def def = lope_grade_def_default();
    lope_clip_align_quaternions(clip);
    status = lope_clip_grade(clip, &def, out, error);
    free(steps);
    free(model);
    free(memory);
    lope_clip_destroy(clip);
    return status;
}

static lope_status measure_world(dense_bench *b, const lope_blocks *blocks, way_figures *out, lope_error *error)
{
    lope_block_world *world;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = blocks;
    double begin = bench_seconds();
    lope_status status = lope_block_world_create(&def, &world, error);
    if (status)
        return status;
    status = furnish(world, error);
    if (!status)
        status = lope_block_world_update(world, b->jobs, error);
    out->assemble = bench_seconds() - begin;
    if (!status)
        status = lope_block_world_survey(world, &out->survey, error);
    if (!status)
        out->variety = variety(world);
    int node = status ? -1 : lope_block_node_near(world, (lope_spot){2.3f, 0.0f, 6.0f, 0.0f}, -1);
    for (int i = 0; i < WANDERERS && !status; i++) {
        lope_grade grade;
        status = wander(world, node, 7u + (uint32_t)i, &grade, error);
        out->drift += (double)grade.contact_drift / WANDERERS;
        out->jerk += (double)grade.jerk_mean / WANDERERS;
    }
    lope_block_world_destroy(world);
    return status;
}

static lope_status measure_way(dense_bench *b, bool dense, way_figures *out, lope_error *error)
{
    lope_blocks_def def = lope_blocks_def_default();
    lope_blocks_report report;
    lope_blocks *blocks;
    def.dense = dense;
    lope_status status =
        lope_blocks_build(b->set, b->stage, b->tile, &b->tile_def, &def, b->jobs, &blocks, &report, error);
    if (status)
        return status;
    out->build = report.seconds;
    out->gates = blocks->gate_count;
    out->links = blocks->link_count;
    out->bytes = (double)bytes_of(blocks);
    status = measure_world(b, blocks, out, error);
    lope_blocks_destroy(blocks);
    return status;
}

static void tell(const dense_bench *b, const way_figures *junctions, const way_figures *dense)
{
    const way_figures *both[2] = {junctions, dense};
    bench_table(
        b->run,
        "Patches by junctions, and dense ones as published, of the same stage (one take) and in one small world");
    bench_row(b->run,
              "patches|built s|nodes|links|MB|assembled s|nodes at things|living steps at things|ways on from a "
              "node|foot drift cm/s|jerk m/s3");
    for (int i = 0; i < 2; i++) {
        const way_figures *w = both[i];
        bench_row(b->run, "%s|%.2f|%d|%d|%.2f|%.2f|%d|%lld|%.1f|%.1f|%.0f", i ? "dense" : "junctions", w->build,
                  w->gates, w->links, w->bytes / 1e6, w->assemble, w->survey.junctions,
                  (long long)w->survey.living_block_steps, w->variety, w->drift, w->jerk);
    }
    bench_note(b->run, "dense patches: the paper's own have 73 to 75,973 nodes and up to 246,705 links each");
}

lope_status bench_patches_dense(bench_run *run, lope_jobs *jobs, lope_error *error)
{
    dense_bench b = {.run = run, .jobs = jobs, .tile_def = lope_tile_def_default()};
    way_figures junctions = {0}, dense = {0};
    lope_status status = lope_stage_builtin(1, jobs, &b.set, &b.stage, error);
    if (!status) {
        b.tile_def.clips = b.stage->walking_clips;
        status = lope_tile_build(b.set, &b.tile_def, jobs, NULL, &b.tile, NULL, error);
    }
    if (!status)
        status = measure_way(&b, false, &junctions, error);
    if (!status)
        status = measure_way(&b, true, &dense, error);
    if (!status)
        tell(&b, &junctions, &dense);
    lope_tile_destroy(b.tile);
    lope_stage_destroy(b.stage);
    lope_set_destroy(b.set);
    return status;
}
