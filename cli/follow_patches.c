// SPDX-License-Identifier: MIT
// `lope follow --patches`: the same errand walked on motion patches. Tiles are laid over the scene, ways are found over
// tiles and then over segments; a place is reached with the tile around it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/follow.h"
#include "cli/maps.h"

// Ground around everything where the scene has no bounds (metres); seconds until a walk is given up.
#define GROUND 4.0f
#define LONGEST 600.0

typedef struct patch_follow {
    const cli_command *command;
    const follow_settings *settings;
    follow_task *task;
    lope_jobs *jobs;
    lope_set *set;
    lope_tile *tile;
    lope_patch_world *world;
    lope_clip *clip; // longer than the walk
    lope_vec2 *points;
    int character, frames, reached; // places that were come to
    float metres, off;              // walked; from the last place in the end
} patch_follow;

static void include(lope_scene *scene, lope_vec2 place, float reach)
{
    scene->low = (lope_vec2){fminf(scene->low.x, place.x - reach), fminf(scene->low.z, place.z - reach)};
    scene->high = (lope_vec2){fmaxf(scene->high.x, place.x + reach), fmaxf(scene->high.z, place.z + reach)};
}

// Bounds around all there is.
static void bound(follow_task *task)
{
    lope_scene *scene = task->scene;
    if (scene->bounded)
        return;
    scene->bounded = true;
    scene->low = (lope_vec2){INFINITY, INFINITY};
    scene->high = (lope_vec2){-INFINITY, -INFINITY};
    for (int i = 0; i < task->count; i++)
        include(scene, task->places[i], GROUND);
    for (int i = 0; i < scene->obstacle_count; i++) {
        const lope_scene_obstacle *o = &scene->obstacles[i];
        float reach = o->shape == LOPE_SCENE_CYLINDER ? o->radius : 0.5f * hypotf(o->size.x, o->size.z);
        if (o->shape != LOPE_SCENE_POLYGON)
            include(scene, o->centre, GROUND + reach);
        for (int k = 0; k < o->corner_count && o->shape == LOPE_SCENE_POLYGON; k++)
            include(scene, scene->corners[o->corner_first + k], GROUND);
    }
}

static int begin(patch_follow *f)
{
    lope_error error = {0};
    bound(f->task);
    lope_patch_world_def def = lope_patch_world_def_default();
    def.tile = f->tile;
    def.characters = 1;
    lope_status status = lope_scene_patch_world(f->task->scene, &def, &f->world, &error);
    if (!status)
        status = lope_patch_spawn(f->world, f->task->places[0], &f->character, &error);
    if (!status)
        status = lope_clip_create(f->tile->set->skeleton, "walk", (int)(LONGEST * f->settings->fps), f->settings->fps,
                                  LOPE_CLIP_CONTACTS, &f->clip, &error);
    f->points = cli_alloc((size_t)(LONGEST * f->settings->fps + 1.0) * sizeof *f->points);
    f->reached = 1;
    return status ? cli_fail(f->command, &error) : CLI_OK;
}

static void record(patch_follow *f)
{
    size_t joints = (size_t)f->clip->skeleton->joint_count;
    lope_pose pose = {.rotations = f->clip->rotations + (size_t)f->frames * joints};
    lope_patch_pose(f->world, f->character, &pose, NULL);
    f->clip->root[f->frames] = pose.root;
    f->clip->contacts[f->frames] = lope_patch_contacts(f->world, f->character);
    lope_ground at = lope_patch_ground(f->world, f->character);
    f->points[f->frames] = (lope_vec2){at.x, at.z};
    if (f->frames > 0)
        f->metres += hypotf(at.x - f->points[f->frames - 1].x, at.z - f->points[f->frames - 1].z);
    lope_vec2 goal = f->task->places[f->task->count - 1];
    f->off = hypotf(at.x - goal.x, at.z - goal.z);
    f->frames++;
}

// From place to place. The last one is reached when the body begins to lead away from it.
static int walk(patch_follow *f)
{
    lope_error error = {0};
    const follow_task *task = f->task;
    float best = INFINITY;
    lope_status status = lope_patch_go_to(f->world, f->character, task->places[1], &error);
    while (!status && f->frames < f->clip->frame_count) {
        lope_patch_world_step(f->world, (float)(1.0 / f->settings->fps), NULL);
        record(f);
        bool last = f->reached == task->count;
        if (last && f->off > best)
            break;
        best = last ? f->off : INFINITY;
        if (!last && lope_patch_arrived(f->world, f->character) && ++f->reached < task->count)
            status = lope_patch_go_to(f->world, f->character, task->places[f->reached], &error);
    }
    return status ? cli_fail(f->command, &error) : CLI_OK;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const patch_follow *f = user;
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, &f->clip, 1, error);
    lope_drawn_path asked = {f->task->places, f->task->count}, walked = {f->points, f->frames};
    lope_drawn_layer layers[2] = {{&asked, 1, LOPE_INK_PATH}, {&walked, 1, LOPE_INK_WALK}};
    return lope_draw_layers(f->task->scene, layers, 2, f->task->scene->name, "on motion patches", 1000,
                            f->settings->dark, output->path, error);
}

static void report(const patch_follow *f, bool arrived)
{
    double seconds = f->frames / f->settings->fps;
    if (f->settings->json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '{');
        cli_json_outputs(&json, &f->settings->outputs);
        cli_json_bool(&json, "arrived", arrived);
        cli_json_number(&json, "seconds", seconds);
        cli_json_number(&json, "metres", (double)f->metres);
        cli_json_number(&json, "miss", (double)f->off);
        cli_json_close(&json, '}');
        return;
    }
    cli_print_outputs(&f->settings->outputs);
    printf(": %.1f seconds, %.2f m; ends %.1f cm off the goal\n", seconds, (double)f->metres, 100.0 * (double)f->off);
}

int follow_on_patches(const cli_command *command, const follow_settings *settings, follow_task *task)
{
    patch_follow f = {.command = command, .settings = settings, .task = task};
    lope_error error = {0};
    const char *file = strcmp(settings->patches, "builtin") == 0 ? NULL : settings->patches;
    int code = lope_jobs_create(settings->threads, &f.jobs, &error) ? cli_fail(command, &error) : CLI_OK;
    if (!code)
        code = cli_tile_open(command, file, f.jobs, &f.set, &f.tile);
    if (!code)
        code = begin(&f);
    if (!code)
        code = walk(&f);
    bool arrived = f.reached == task->count;
    if (!code) {
        f.clip->frame_count = f.frames;
        code = cli_write_outputs(command, &settings->outputs, write_one, &f);
    }
    if (!code) {
        report(&f, arrived);
        if (!arrived)
            fprintf(stderr, "lope %s: partial: came to %d of %d places\n", command->name, f.reached, task->count);
        code = arrived ? CLI_OK : CLI_FAILED;
    }
    lope_clip_destroy(f.clip);
    free(f.points);
    lope_patch_world_destroy(f.world);
    lope_tile_destroy(f.tile);
    lope_set_destroy(f.set);
    lope_jobs_destroy(f.jobs);
    return code;
}
