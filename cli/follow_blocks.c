// SPDX-License-Identifier: MIT
// `lope follow` in worlds with things: somebody walks a way through the graph of blocks to a place on some floor.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/blocks.h"
#include "cli/follow.h"
#include "lope/offline.h"

// Seconds until a walk is given up, and that one is watched where it has arrived.
#define LONGEST 600.0
#define WATCHED 2.0
// Metres between bodies in the picture.
#define BODIES 0.8f
// Metres that one may begin off the place that was asked for, and end.
#define NEAR 3.0f

typedef struct block_follow {
    const cli_command *command;
    const follow_settings *settings;
    lope_jobs *jobs;
    cli_blocks blocks;
    lope_spot from, to;
    follow_way way; // to a place
    int way_at;     // step of it that is played
    lope_block_player player;
    void *memory;
    lope_clip *clip; // longer than the walk
    lope_vec3 *points;
    lope_transform *model, *bodies;
    int frames, body_count, body_room;
    double metres, arrived; // walked; after so many seconds, 0: did not
} block_follow;

static float off(lope_spot a, lope_vec3 b)
{
    return hypotf(a.x - b.x, a.z - b.z) + fabsf(a.y - b.y);
}

static int read_floor(const block_follow *f, const char *option, const char *text, double number, lope_spot *place)
{
    const lope_block_scene *scene = f->blocks.scene;
    if (number != floor(number) || number < 0.0 || number >= scene->floor_count)
        return cli_usage(f->command, "%s %s: the floors of this world have the numbers 0 to %d", option, text,
                         scene->floor_count - 1);
    lope_floor_def ground = lope_block_world_floor(f->blocks.world, (int)number);
    float size = f->blocks.blocks->tile->size;
    float column = floorf((place->x - ground.corner.x) / size), row = floorf((place->z - ground.corner.z) / size);
    place->y = ground.height;
    if (column < 0.0f || row < 0.0f || column >= (float)ground.columns || row >= (float)ground.rows) {
        fprintf(stderr, "lope %s: %s %s is off floor %d, which goes from %g,%g to %g,%g\n", f->command->name, option,
                text, (int)number, (double)ground.corner.x, (double)ground.corner.z,
                (double)(ground.corner.x + size * (float)ground.columns),
                (double)(ground.corner.z + size * (float)ground.rows));
        return CLI_FAILED;
    }
    for (int i = 0; i < scene->hole_count; i++) {
        lope_scene_hole hole = scene->holes[i];
        bool inside = column >= (float)hole.column && column < (float)(hole.column + hole.columns) &&
                      row >= (float)hole.row && row < (float)(hole.row + hole.rows);
        if (hole.floor != (int)number || !inside)
            continue;
        fprintf(stderr, "lope %s: %s %s: floor %d has a hole there\n", f->command->name, option, text, (int)number);
        return CLI_FAILED;
    }
    return CLI_OK;
}

static int read_place(const block_follow *f, const char *option, const char *text, lope_spot *place)
{
    double numbers[3] = {0.0, 0.0, 0.0};
    int count = follow_numbers(text, strlen(text), numbers, 3);
    if (count < 2)
        return cli_usage(f->command, "%s needs x,z or x,z,floor in worlds with things, found '%s'", option, text);
    *place = (lope_spot){(float)numbers[0], 0.0f, (float)numbers[1], 0.0f};
    return read_floor(f, option, text, numbers[2], place);
}

static int open_all(block_follow *f)
{
    lope_error error = {0};
    cli_blocks_def def = {.patches = f->settings->patches, .word = f->settings->scene, .seed = 1};
    if (lope_jobs_create(f->settings->threads, &f->jobs, &error) != LOPE_OK)
        return cli_fail(f->command, &error);
    int code = cli_blocks_open(f->command, &def, f->jobs, &f->blocks);
    if (!code)
        code = read_place(f, "--from", f->settings->from, &f->from);
    return code ? code : read_place(f, "--to", f->settings->to, &f->to);
}

// Says that, and why, no way leads to the goal.
static int no_way(const block_follow *f, const char *why)
{
    lope_error error = {0};
    lope_block_survey survey;
    lope_spot goal = f->to;
    fprintf(stderr, "lope %s: no way leads from (%g, %g, %g) to (%g, %g, %g): %s", f->command->name, (double)f->from.x,
            (double)f->from.y, (double)f->from.z, (double)goal.x, (double)goal.y, (double)goal.z, why);
    if (lope_block_world_survey(f->blocks.world, &survey, &error) == LOPE_OK && survey.components > 1)
        fprintf(stderr, "; the world falls into %d parts, 'lope world' lists them", survey.components);
    fprintf(stderr, "\n");
    return CLI_FAILED;
}

static int send(block_follow *f)
{
    f->way = follow_find_way(f->blocks.world, f->blocks.blocks->standing, f->from, f->to);
    if (f->way.why)
        return no_way(f, f->way.why);
    f->memory = cli_alloc(lope_block_player_memory(f->blocks.world));
    lope_block_player_begin(f->blocks.world, &f->way.steps[0], f->memory, &f->player);
    return CLI_OK;
}

static int begin(block_follow *f)
{
    lope_error error = {0};
    int most = (int)(LONGEST * f->settings->fps);
    const lope_skeleton *skeleton = f->blocks.blocks->set->skeleton;
    size_t joints = (size_t)skeleton->joint_count;
    f->points = cli_alloc((size_t)most * sizeof *f->points);
    f->model = cli_alloc(joints * sizeof *f->model);
    lope_status status =
        lope_clip_create(skeleton, "walk", most, f->settings->fps, LOPE_CLIP_CONTACTS, &f->clip, &error);
    return status ? cli_fail(f->command, &error) : CLI_OK;
}

static void keep_body(block_follow *f)
{
    size_t joints = (size_t)f->clip->skeleton->joint_count;
    if (f->body_count == f->body_room) {
        f->body_room = 2 * f->body_room + 16;
        f->bodies = realloc(f->bodies, (size_t)f->body_room * joints * sizeof *f->bodies);
        if (!f->bodies)
            abort();
    }
    memcpy(f->bodies + (size_t)f->body_count++ * joints, f->model, joints * sizeof *f->model);
}

// The ground under somebody's hips: as high as its lowest joint is.
static lope_vec3 ground_of(const lope_transform *model, int joints)
{
    lope_vec3 ground = model[0].translation;
    for (int j = 1; j < joints; j++)
        ground.y = fminf(ground.y, model[j].translation.y);
    return ground;
}

static void record(block_follow *f)
{
    lope_vec3 before = f->model[0].translation;
    lope_pose pose = {.rotations = f->clip->rotations + (size_t)f->frames * (size_t)f->clip->skeleton->joint_count};
    lope_block_player_pose(&f->player, &pose, f->model);
    f->clip->root[f->frames] = pose.root;
    f->clip->contacts[f->frames] = lope_block_player_contacts(&f->player);
    if (f->frames > 0)
        f->metres += (double)lope_v3_distance(before, f->model[0].translation);
    int last = (f->body_count - 1) * f->clip->skeleton->joint_count;
    if (f->body_count == 0 || lope_v3_distance(f->bodies[last].translation, f->model[0].translation) > BODIES)
        keep_body(f);
    f->points[f->frames++] = ground_of(f->model, f->clip->skeleton->joint_count);
}

// On along the way. True once it is at its end; there it does what people do who stand.
static bool go_on_along_way(block_follow *f, float dt)
{
    const lope_block_world *world = f->blocks.world;
    int idle = lope_blocks_find(f->blocks.blocks, "idle"), end = f->way.steps[f->way.count - 1].to;
    lope_block_step stay;
    if (!lope_block_player_advance(&f->player, dt, 1.0f))
        return f->way_at >= f->way.count;
    if (++f->way_at < f->way.count)
        lope_block_player_next(&f->player, &f->way.steps[f->way_at]);
    else if (idle >= 0 && lope_block_behaviour(world, end, idle, 0, &stay, NULL) == LOPE_OK)
        lope_block_player_next(&f->player, &stay);
    return f->way_at >= f->way.count;
}

static int walk(block_follow *f)
{
    double fps = f->settings->fps;
    while (f->frames < f->clip->frame_count && (f->arrived <= 0.0 || f->frames < (f->arrived + WATCHED) * fps)) {
        float dt = (float)(1.0 / fps);
        bool there = go_on_along_way(f, dt);
        record(f);
        if (f->arrived <= 0.0 && there)
            f->arrived = f->frames / fps;
        if (there && f->player.ended) // nobody stands here: it ends in the middle of a walk
            break;
        if (cli_stopped(f->command))
            return CLI_INTERRUPTED;
    }
    keep_body(f);
    return CLI_OK;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const block_follow *f = user;
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, &f->clip, 1, error);
    lope_block_way way = {f->points, f->frames};
    lope_block_picture picture = lope_block_picture_default();
    picture.title = f->blocks.scene->name;
    picture.dark = f->settings->dark;
    picture.bodies = f->bodies;
    picture.body_count = f->body_count;
    picture.one_body = true;
    picture.ways = &way;
    picture.way_count = 1;
    return lope_draw_block_world(f->blocks.world, &picture, output->path, error);
}

static int report(const block_follow *f)
{
    bool there = f->arrived > 0.0;
    float miss = off(f->to, f->points[f->frames - 1]);
    if (f->settings->json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '{');
        cli_json_outputs(&json, &f->settings->outputs);
        cli_json_bool(&json, "arrived", there && miss <= NEAR);
        cli_json_number(&json, "seconds", f->frames / f->settings->fps);
        cli_json_number(&json, "arrived_after", there ? f->arrived : (double)NAN);
        cli_json_number(&json, "metres", f->metres);
        cli_json_number(&json, "miss", (double)miss);
        cli_json_close(&json, '}');
    } else {
        cli_print_outputs(&f->settings->outputs);
        printf(": %.1f seconds, %.2f m; is there after %.1f s, %.2f m off the goal\n", f->frames / f->settings->fps,
               f->metres, f->arrived, (double)miss);
    }
    if (there && miss <= NEAR)
        return CLI_OK;
    if (there)
        fprintf(stderr, "lope %s: partial: the nearest place that can be come to is %.1f m off the goal\n",
                f->command->name, (double)miss);
    else
        fprintf(stderr, "lope %s: partial: did not arrive within %g seconds\n", f->command->name, LONGEST);
    return CLI_FAILED;
}

static int check(const cli_command *command, const follow_settings *settings)
{
    if (!settings->from || !settings->to)
        return cli_usage(command, "where to go in '%s'? Give --from x,z[,floor] and --to x,z[,floor]", settings->scene);
    if (settings->flow > 0 || settings->boxes || settings->search > 0 || settings->clearance > 0.0 ||
        settings->walking || settings->no_edits)
        return cli_usage(command, "--flow, --boxes, --search, --clearance, --walking and --no-edits are for scenes "
                                  "without things");
    return cli_blocks_check_fps(command, settings->fps);
}

int follow_on_blocks(const cli_command *command, const follow_settings *settings)
{
    block_follow f = {.command = command, .settings = settings};
    int code = check(command, settings);
    if (!code)
        code = open_all(&f);
    if (!code)
        code = send(&f);
    if (!code)
        code = begin(&f);
    if (!code)
        code = walk(&f);
    if (!code) {
        f.clip->frame_count = f.frames;
        code = cli_write_outputs(command, &settings->outputs, write_one, &f);
    }
    if (!code)
        code = report(&f);
    lope_clip_destroy(f.clip);
    free(f.way.steps);
    free(f.memory);
    free(f.points);
    free(f.model);
    free(f.bodies);
    cli_blocks_close(&f.blocks);
    lope_jobs_destroy(f.jobs);
    return code;
}
