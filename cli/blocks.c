// SPDX-License-Identifier: MIT
#include "cli/blocks.h"

#include <string.h>

#include "lope/offline.h"

// Takes of every built-in motion, and how large generated worlds are unless told otherwise.
#define TAKES 2
#define OFFICE_DESKS 12
#define PLAYGROUND_GYMS 2
// Frames per second that steps are decided in time at, and that a recording of minutes has memory for.
enum { LEAST_FPS = 5, MOST_FPS = 1000 };
enum { MOST_CHARACTERS = 10000 };

static bool is_kind(const char *word)
{
    return strcmp(word, "office") == 0 || strcmp(word, "playground") == 0;
}

bool cli_names_blocks(const char *word)
{
    if (is_kind(word))
        return true;
    FILE *file = strchr(word, '.') ? fopen(word, "rb") : NULL;
    if (!file)
        return false;
    // Scenes of crowds have bounds and flows, worlds of blocks have floors.
    char text[4097];
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    return strlen(text) == size && (strstr(text, "\"floors\"") || strstr(text, "\"things\""));
}

static lope_status find_blocks(const char *path, cli_blocks *b, lope_jobs *jobs, lope_error *error)
{
    lope_status status = cli_moves_open(path, &b->moves, error);
    b->blocks = b->moves ? b->moves->blocks : NULL;
    if (status || b->blocks)
        return status;
    status =
        path ? lope_blocks_open(path, &b->own, error) : lope_blocks_builtin(TAKES, jobs, NULL, &b->built, NULL, error);
    b->blocks = path ? b->own : b->built.blocks;
    return status;
}

lope_status cli_block_scene_open(const cli_blocks_def *def, const lope_blocks *blocks, lope_block_scene **out,
                                 lope_error *error)
{
    const char *kind = def->generate ? def->generate : def->word;
    if (!def->generate && !is_kind(kind))
        return lope_block_scene_read(kind, out, error);
    int usual = strcmp(kind, "office") == 0 ? OFFICE_DESKS : PLAYGROUND_GYMS;
    return lope_block_scene_generate(kind, def->size ? def->size : usual, def->seed, blocks, out, error);
}

// Whether blocks of a file were captured: those of the built-in set have its skeleton.
static lope_status were_captured(const lope_blocks *blocks, bool *out, lope_error *error)
{
    lope_skeleton *skeleton;
    lope_status status = lope_synth_skeleton(&skeleton, error);
    if (status)
        return status;
    *out = !lope_skeleton_equal(blocks->set->skeleton, skeleton, 1e-4f);
    lope_skeleton_release(skeleton);
    return LOPE_OK;
}

int cli_blocks_check_fps(const cli_command *command, double fps)
{
    if (fps >= LEAST_FPS && fps <= MOST_FPS)
        return CLI_OK;
    return cli_usage(command, "in worlds with things --fps is %d to %d, found %g", LEAST_FPS, MOST_FPS, fps);
}

int cli_blocks_check_count(const cli_command *command, int count)
{
    if (count <= MOST_CHARACTERS)
        return CLI_OK;
    return cli_usage(command, "--number must not exceed %d in worlds with things, found %d", MOST_CHARACTERS, count);
}

int cli_blocks_open(const cli_command *command, const cli_blocks_def *def, lope_jobs *jobs, cli_blocks *out)
{
    *out = (cli_blocks){0};
    lope_error error = {0};
    bool from_file = def->patches && strcmp(def->patches, "builtin") != 0, captured = false;
    double begin = cli_seconds();
    lope_status status = find_blocks(from_file ? def->patches : NULL, out, jobs, &error);
    out->build_seconds = cli_seconds() - begin;
    if (!status && from_file)
        status = were_captured(out->blocks, &captured, &error);
    if (!status)
        status = cli_block_scene_open(def, out->blocks, &out->scene, &error);
    lope_block_world_def world = lope_block_world_def_default();
    world.blocks = out->blocks;
    if (captured) // performers of captures differ more: what fades between them takes up the tolerance
        world.overlap = 0.0f;
    begin = cli_seconds();
    if (!status)
        status = lope_block_scene_world(out->scene, &world, jobs, &out->world, &error);
    out->assemble_seconds = cli_seconds() - begin;
    return status ? cli_fail(command, &error) : CLI_OK;
}

void cli_blocks_close(cli_blocks *blocks)
{
    lope_block_world_destroy(blocks->world);
    lope_block_scene_destroy(blocks->scene);
    lope_blocks_destroy(blocks->own);
    lope_blocks_builtin_destroy(&blocks->built);
    lope_moves_close(blocks->moves);
    *blocks = (cli_blocks){0};
}
