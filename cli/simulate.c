// SPDX-License-Identifier: MIT
#include "cli/simulate.h"

#include <math.h>
#include <stdlib.h>

#include "cli/outputs.h"

#define MOST_STEPS 1e7
#define MOST_CHARACTERS 1000000
#define POINTS 5.0 // of a way per second

int cli_steps(double seconds, double fps)
{
    return (int)fmax(1.0, seconds * fps + 0.5);
}

int cli_check_simulation(const cli_command *command, cli_operands operands, const cli_simulation *asked)
{
    lope_error error = {0};
    if (operands.count > 1)
        return cli_usage(command, "one scene at a time, found %d: '%s', '%s'", operands.count, operands.words[0],
                         operands.words[1]);
    if (asked->seconds * asked->fps > MOST_STEPS)
        return cli_usage(command, "--seconds times --fps must not exceed ten million steps");
    if (asked->count > MOST_CHARACTERS)
        return cli_usage(command, "--number must not exceed a million, found %d", asked->count);
    if (asked->svg && cli_check_parent(asked->svg, &error) != LOPE_OK)
        return cli_fail(command, &error);
    return CLI_OK;
}

void cli_note_room(const cli_command *command, int found, int wanted, const lope_error *error)
{
    fprintf(stderr, "lope %s: note: room for %d of %d characters: %s\n", command->name, found, wanted, error->message);
}

int cli_clips_begin(const cli_command *command, const cli_clips_def *def, cli_clips *out)
{
    lope_error error = {0};
    *out = (cli_clips){.items = cli_alloc(((size_t)def->count + 1) * sizeof *out->items),
                       .who = cli_alloc(((size_t)def->count + 1) * sizeof *out->who)};
    for (; out->count < def->count; out->count++) {
        char name[32];
        int who = def->who ? def->who[out->count] : out->count;
        out->who[out->count] = who;
        snprintf(name, sizeof name, "character_%d", who);
        if (lope_clip_create(def->skeleton, name, def->frames, def->fps, def->flags, &out->items[out->count], &error))
            return cli_fail(command, &error);
    }
    return CLI_OK;
}

void cli_clips_free(cli_clips *clips)
{
    for (int i = 0; i < clips->count; i++)
        lope_clip_destroy(clips->items[i]);
    free(clips->items);
    free(clips->who);
    *clips = (cli_clips){0};
}

void cli_clips_record(const cli_clips *clips, lope_patch_world *world, int frame)
{
    for (int i = 0; i < clips->count; i++) {
        lope_clip *clip = clips->items[i];
        lope_pose pose = {.rotations = clip->rotations + (size_t)frame * (size_t)clip->skeleton->joint_count};
        lope_patch_pose(world, clips->who[i], &pose, NULL);
        clip->root[frame] = pose.root;
        clip->contacts[frame] = lope_patch_contacts(world, clips->who[i]);
    }
}

void cli_ways_begin(int count, int steps, double fps, cli_ways *out)
{
    int stride = (int)fmax(1.0, fps / POINTS), room = (steps - 1) / stride + 1;
    *out = (cli_ways){.count = count, .steps = steps, .stride = stride, .room = room};
    out->points = cli_alloc((size_t)(count + 1) * (size_t)room * sizeof *out->points);
}

bool cli_ways_due(const cli_ways *ways, int step)
{
    return ways->points && step % ways->stride == 0;
}

void cli_ways_note(cli_ways *ways, int character, int step, lope_vec2 place)
{
    ways->points[(size_t)character * (size_t)ways->room + (size_t)(step / ways->stride)] = place;
}

int cli_ways_draw(const cli_command *command, const cli_ways *ways, const lope_scene *scene, int width, bool dark,
                  const char *path)
{
    lope_error error = {0};
    lope_drawn_path *paths = cli_alloc((size_t)(ways->count + 1) * sizeof *paths);
    for (int i = 0; i < ways->count; i++)
        paths[i] = (lope_drawn_path){ways->points + (size_t)i * (size_t)ways->room, ways->room};
    lope_status status = lope_draw_paths(scene, paths, ways->count, width, dark, path, &error);
    free(paths);
    return status ? cli_fail(command, &error) : CLI_OK;
}

void cli_ways_free(cli_ways *ways)
{
    free(ways->points);
    *ways = (cli_ways){0};
}
