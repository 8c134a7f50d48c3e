// SPDX-License-Identifier: MIT
// Editing a world of captures: a stool that subjects 013 and 014 sat on, put down, dragged and removed on 36 tiles of
// subject 069, with all the motion that goes with it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clips.h"
#include "bench/patches_blocks.h"

#define EDITS 20
#define MOST_CLIPS 256

// Where the stool stood, as `lope scenery` finds it.
static const char STAGE[] =
    "{\"units\": [{\"name\": \"stool\", \"boxes\": [{\"centre\": [0, 0.623, 0], \"size\": [0.32, 0.04, 0.32]},"
    "{\"centre\": [0, 0.3, 0], \"size\": [0.06, 0.6, 0.06]}]}], \"performances\": ["
    "{\"clip\": \"13_01\", \"things\": [{\"unit\": \"stool\", \"at\": [0.017, 0, -0.308], \"degrees\": 3.8}]},"
    "{\"clip\": \"13_02\", \"things\": [{\"unit\": \"stool\", \"at\": [0.012, 0, -0.365], \"degrees\": -2.2}]},"
    "{\"clip\": \"13_03\", \"things\": [{\"unit\": \"stool\", \"at\": [0.018, 0, -0.349], \"degrees\": -12.2}]},"
    "{\"clip\": \"14_27\", \"things\": [{\"unit\": \"stool\", \"at\": [-0.029, 0, -0.15], \"degrees\": 24.4}]},"
    "{\"clip\": \"14_28\", \"things\": [{\"unit\": \"stool\", \"at\": [-0.006, 0, -0.155], \"degrees\": -10.4}]}]}";

typedef struct captured_bench {
    bench_run *run;
    lope_jobs *jobs;
    lope_stage_file *file;
    bench_clips subjects[3];
    lope_builtin_blocks built;
} captured_bench;

// The performances, and walks of 069 as the tile takes them.
static bool wanted(const char *name, int subject)
{
    static const char *const sits[] = {"13_01", "13_02", "13_03", "14_27", "14_28"};
    int number = subject == 2 ? atoi(name + 3) : 0;
    for (size_t i = 0; i < sizeof sits / sizeof *sits; i++)
        if (strcmp(name, sits[i]) == 0)
            return true;
    return (number >= 1 && number <= 15) || (number >= 20 && number <= 33);
}

static lope_status build(captured_bench *b, lope_error *error)
{
    static const char *const names[3] = {"013", "014", "069"};
    const lope_clip *clips[MOST_CLIPS];
    int count = 0;
    lope_status status = LOPE_OK;
    for (int s = 0; s < 3 && !status; s++) {
        status = bench_clips_load(b->run, names[s], (bench_stand_in){NULL, 0}, &b->subjects[s], error);
        for (int i = 0; i < b->subjects[s].count && count < MOST_CLIPS && !status; i++)
            if (wanted(b->subjects[s].items[i]->name, s))
                clips[count++] = b->subjects[s].items[i];
    }
    lope_stage_def def = {.jobs = b->jobs};
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def blocks = lope_blocks_def_default();
    if (!status)
        status = lope_stage_read_memory(STAGE, sizeof STAGE - 1, "stool", &b->file, error);
    def.file = b->file;
    if (!status)
        status = lope_stage_captured(clips, count, &def, &b->built.set, &b->built.stage, error);
    if (status)
        return status;
    tile.clips = b->built.stage->walking_clips;
    status = lope_tile_build(b->built.set, &tile, b->jobs, NULL, &b->built.tile, NULL, error);
    return status ? status
                  : lope_blocks_build(b->built.set, b->built.stage, b->built.tile, &tile, &blocks, b->jobs,
                                      &b->built.blocks, NULL, error);
}

static lope_status edit(captured_bench *b, lope_block_world *world, int number, double *worst, lope_error *error)
{
    float far = (float)number;
    lope_spot at = {3.0f + fmodf(1.37f * far, 3.0f), 0.0f, 3.0f + fmodf(0.83f * far, 3.0f), 0.61f * far};
    lope_status status = LOPE_OK;
    int id = -1;
    for (int stage = 0; stage < 3 && !status; stage++) {
        double begin = bench_seconds();
        at.x += stage == 1 ? 0.1f : 0.0f;
        if (stage == 0)
            status = lope_block_world_add(world, 0, at, &id, error);
        else if (stage == 1)
            status = lope_block_world_move(world, id, at, error);
        else
            lope_block_world_remove(world, id);
        if (!status)
            status = lope_block_world_update(world, b->jobs, error);
        *worst = fmax(*worst, bench_seconds() - begin);
    }
    return status;
}

static lope_status measure(captured_bench *b, lope_error *error)
{
    lope_block_world *world;
    lope_block_world_def def = lope_block_world_def_default();
    lope_floor_def floor = {{0.0f, 0.0f}, 0.0f, 6, 6};
    int number;
    double worst = 0.0;
    def.blocks = b->built.blocks;
    def.overlap = 0.0f;
    lope_status status = lope_block_world_create(&def, &world, error);
    if (status)
        return status;
    status = lope_block_world_add_floor(world, &floor, &number, error);
    for (int i = 0; i < EDITS && !status; i++)
        status = edit(b, world, i, &worst, error);
    lope_block_world_destroy(world);
    if (!status)
        bench_add(b->run, (bench_figure){"captured stool put down, dragged, removed on 36 tiles: worst", 1e3 * worst,
                                         "ms", 1000.0, (double)NAN, 50.0, false});
    return status;
}

lope_status bench_patches_captured(bench_run *run, lope_jobs *jobs, lope_error *error)
{
    captured_bench b = {.run = run, .jobs = jobs};
    if (!bench_data(run)) {
        bench_note(run, "no captures: the stool is not measured");
        return LOPE_OK;
    }
    lope_status status = build(&b, error);
    if (!status)
        status = measure(&b, error);
    lope_blocks_builtin_destroy(&b.built);
    lope_stage_file_destroy(b.file);
    for (int s = 0; s < 3; s++)
        bench_clips_free(&b.subjects[s]);
    return status;
}
