// SPDX-License-Identifier: MIT
#include "cli/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 1e7
#define MOST_CHARACTERS 1000000
#define POINTS 5.0 // of a way per second

int cli_steps(double seconds, double fps)
{
    return (int)fmax(1.0, seconds * fps + 0.5);
}

int cli_check_simulation(const cli_command *command, cli_operands operands, const cli_simulation *asked)
{
    if (operands.count > 1)
        return cli_usage(command, "one scene at a time, found %d: '%s', '%s'", operands.count, operands.words[0],
                         operands.words[1]);
    if (asked->seconds * asked->fps > MOST_STEPS)
        return cli_usage(command, "--seconds times --fps must not exceed ten million steps");
    if (asked->count > MOST_CHARACTERS)
        return cli_usage(command, "--number must not exceed a million, found %d", asked->count);
    for (int i = 0; i < asked->outputs.count && strpbrk(asked->who, ",-"); i++)
        if (asked->outputs.items[i].format == CLI_FORMAT_BVH && !asked->outputs.items[i].folder)
            return cli_usage(command, "-o %s: a BVH file holds one character, --who %s names several; give a folder",
                             asked->outputs.items[i].path, asked->who);
    return CLI_OK;
}

void cli_note_room(const cli_command *command, int found, int wanted, const lope_error *error)
{
    fprintf(stderr, "lope %s: note: room for %d of %d characters: %s\n", command->name, found, wanted, error->message);
}

// Numbers and ranges such as "0,3,7-9" below `count`.
static bool parse_who(const char *list, int count, bool *wanted)
{
    for (const char *at = list;; at++) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        if (end > at && *end == '-')
            last = strtol(at = end + 1, &end, 10);
        if (end == at || first < 0 || last < first || last >= count || (*end && *end != ','))
            return false;
        for (long i = first; i <= last; i++)
            wanted[i] = true;
        if (!*end)
            return true;
        at = end;
    }
}

int cli_clips_begin(const cli_command *command, const cli_simulation *asked, const cli_clips_def *def, cli_clips *out)
{
    lope_error error = {0};
    *out = (cli_clips){0};
    if (!cli_writes_motion(&asked->outputs))
        return CLI_OK;
    bool *wanted = cli_alloc((size_t)def->count * sizeof *wanted);
    lope_status status = LOPE_OK;
    int result = CLI_OK;
    if (!parse_who(asked->who, def->count, wanted))
        result =
            cli_usage(command, "--who needs numbers below %d such as 0,3 or 0-9, found '%s'", def->count, asked->who);
    out->items = cli_alloc((size_t)def->count * sizeof *out->items);
    out->who = cli_alloc((size_t)def->count * sizeof *out->who);
    for (int i = 0; i < def->count && !result && !status; i++) {
        char name[32];
        snprintf(name, sizeof name, "character_%d", i);
        if (!wanted[i])
            continue;
        status = lope_clip_create(def->skeleton, name, cli_steps(asked->seconds, asked->fps), asked->fps, def->flags,
                                  &out->items[out->count], &error);
        out->who[out->count] = i;
        out->count += status == LOPE_OK;
    }
    free(wanted);
    return status ? cli_fail(command, &error) : result;
}

void cli_clips_free(cli_clips *clips)
{
    for (int i = 0; i < clips->count; i++)
        lope_clip_destroy(clips->items[i]);
    free(clips->items);
    free(clips->who);
    *clips = (cli_clips){0};
}

void cli_record_model(lope_clip *clip, int frame, const lope_transform *model)
{
    const lope_skeleton *skeleton = clip->skeleton;
    lope_quat *rotations = clip->rotations + (size_t)frame * (size_t)skeleton->joint_count;
    clip->root[frame] = model[0].translation;
    for (int j = 0; j < skeleton->joint_count; j++) {
        const int parent = skeleton->parents[j];
        const lope_quat to_parent = parent < 0 ? lope_quat_identity() : model[parent].rotation;
        rotations[j] = lope_quat_mul(lope_quat_conjugate(to_parent), model[j].rotation);
    }
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

void cli_ways_begin(const cli_simulation *asked, int count, cli_ways *out)
{
    *out = (cli_ways){.count = count, .stride = (int)fmax(1.0, asked->fps / POINTS)};
    out->room = (cli_steps(asked->seconds, asked->fps) - 1) / out->stride + 1;
    if (cli_writes(&asked->outputs, CLI_FORMAT_SVG))
        out->points = cli_alloc((size_t)(count + 1) * (size_t)out->room * sizeof *out->points);
}

bool cli_ways_due(const cli_ways *ways, int step)
{
    return ways->points && step % ways->stride == 0;
}

void cli_ways_note(cli_ways *ways, int character, int step, lope_vec2 place)
{
    ways->points[(size_t)character * (size_t)ways->room + (size_t)(step / ways->stride)] = place;
}

typedef struct simulated {
    const cli_simulation *asked;
    const lope_scene *scene;
    const cli_ways *ways;
    const cli_clips *clips;
} simulated;

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const simulated *s = user;
    const cli_ways *ways = s->ways;
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, s->clips->items, s->clips->count, error);
    lope_drawn_path *paths = cli_alloc((size_t)(ways->count + 1) * sizeof *paths);
    for (int i = 0; i < ways->count; i++)
        paths[i] = (lope_drawn_path){ways->points + (size_t)i * (size_t)ways->room, ways->room};
    lope_status status =
        lope_draw_paths(s->scene, paths, ways->count, s->asked->width, s->asked->dark, output->path, error);
    free(paths);
    return status;
}

int cli_write_simulation(const cli_command *command, const cli_simulation *asked, const lope_scene *scene,
                         const cli_ways *ways, const cli_clips *clips)
{
    simulated done = {asked, scene, ways, clips};
    return cli_write_outputs(command, &asked->outputs, write_one, &done);
}

void cli_ways_free(cli_ways *ways)
{
    free(ways->points);
    *ways = (cli_ways){0};
}
