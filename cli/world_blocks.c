// SPDX-License-Identifier: MIT
// `lope world` for worlds of blocks: floors, things, what fits and joins there, and characters that wander through the
// graph of it, each by itself.
#include "cli/world.h"

#include <stdlib.h>
#include <string.h>

#include "cli/blocks.h"
#include "lope/offline.h"

enum { MOST_STEPS = 512, MOST_GOALS = 8, MOST_CHOICES = 64 };

// One that goes from node to node along ways of the graph.
typedef struct wanderer {
    lope_block_player player;
    void *memory;
    lope_block_step *way; // [MOST_STEPS]
    int count, at;
    bool uses; // it is on a thing
} wanderer;

typedef struct blocks_work {
    const cli_command *command;
    const world_settings *settings;
    lope_jobs *jobs;
    cli_blocks blocks;
    lope_block_survey survey;
    double survey_seconds;
    wanderer *wanderers;
    lope_transform *models; // [count * joints]
    int count;
    uint64_t random;
    int64_t used; // times that somebody began to use a thing
    cli_clips clips;
} blocks_work;

static int assemble(blocks_work *work, const char *word)
{
    const world_settings *settings = work->settings;
    lope_error error = {0};
    cli_blocks_def def = {settings->patches, settings->generate, word, settings->size, settings->asked.seed};
    int result = cli_blocks_open(work->command, &def, work->jobs, &work->blocks);
    if (result)
        return result;
    double begin = cli_seconds();
    lope_status status = lope_block_world_survey(work->blocks.world, &work->survey, &error);
    work->survey_seconds = cli_seconds() - begin;
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

static int below(blocks_work *work, int count)
{
    work->random = work->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((work->random >> 33) % (uint64_t)count);
}

// A way from a node: to a thing as often as anywhere, else any step that leads on. False: there is none.
static bool find_way(blocks_work *work, wanderer *w, int node)
{
    lope_block_world *world = work->blocks.world;
    const lope_block_view view = lope_block_world_view(world);
    lope_error ignored;
    w->at = w->count = 0;
    for (int i = 0; i < MOST_GOALS && w->count == 0; i++) {
        const bool thing = view.junction_count > 0 && below(work, 2) == 0;
        const int goal = thing ? view.tile_nodes + below(work, view.junction_count) : below(work, view.tile_nodes);
        if (goal != node && lope_block_path(world, node, goal, w->way, MOST_STEPS, &w->count, &ignored))
            w->count = 0;
    }
    w->count = w->count < MOST_STEPS ? w->count : MOST_STEPS;
    if (w->count == 0) {
        const int steps = lope_block_steps(world, node, w->way, MOST_CHOICES);
        if (steps > 0)
            w->way[0] = w->way[below(work, steps < MOST_CHOICES ? steps : MOST_CHOICES)];
        w->count = steps > 0;
    }
    return w->count > 0;
}

static bool begin(blocks_work *work, wanderer *w)
{
    const lope_block_view view = lope_block_world_view(work->blocks.world);
    w->way = cli_alloc(MOST_STEPS * sizeof *w->way);
    w->memory = cli_alloc(lope_block_player_memory(work->blocks.world));
    for (int tries = 0; tries < 200 && view.tile_nodes > 0; tries++)
        if (find_way(work, w, below(work, view.tile_nodes))) {
            lope_block_player_begin(work->blocks.world, &w->way[0], w->memory, &w->player);
            return true;
        }
    return false;
}

static void go_on(blocks_work *work, wanderer *w, float dt)
{
    const lope_block_step step = w->way[w->at];
    const bool uses = step.kind == LOPE_STEP_LINK && step.where >= 0;
    work->used += uses && !w->uses;
    w->uses = uses;
    if (!lope_block_player_advance(&w->player, dt, 1.0f))
        return;
    if (++w->at < w->count || find_way(work, w, step.to)) {
        lope_block_player_next(&w->player, &w->way[w->at]);
    } else { // nothing leads on: it stays at the end of this step
        w->way[0] = step;
        w->count = 1;
        w->at = 0;
    }
}

static void record(blocks_work *work, int step)
{
    for (int i = 0; i < work->clips.count; i++) {
        lope_clip *clip = work->clips.items[i];
        lope_block_player *player = &work->wanderers[work->clips.who[i]].player;
        lope_pose pose = {.rotations = clip->rotations + (size_t)step * (size_t)clip->skeleton->joint_count};
        lope_block_player_pose(player, &pose, work->models); // the last one poses all of them anew
        clip->root[step] = pose.root;
        clip->contacts[step] = lope_block_player_contacts(player);
    }
}

static void pose_all(blocks_work *work)
{
    const size_t joints = (size_t)work->blocks.blocks->set->skeleton->joint_count;
    lope_quat *rotations = cli_alloc(joints * sizeof *rotations);
    for (int i = 0; i < work->count; i++) {
        lope_pose pose = {.rotations = rotations};
        lope_block_player_pose(&work->wanderers[i].player, &pose, work->models + (size_t)i * joints);
    }
    free(rotations);
}

static int populate(blocks_work *work, int wanted)
{
    const lope_error full = {.message = "nothing leads on from anywhere else"};
    const size_t joints = (size_t)work->blocks.blocks->set->skeleton->joint_count;
    work->random = work->settings->asked.seed + 1;
    work->wanderers = cli_alloc((size_t)(wanted + 1) * sizeof *work->wanderers);
    work->models = cli_alloc((size_t)(wanted + 1) * joints * sizeof *work->models);
    while (work->count < wanted && begin(work, &work->wanderers[work->count]))
        work->count++;
    if (work->count < wanted)
        cli_note_room(work->command, work->count, wanted, &full);
    return CLI_OK;
}

static int simulate(blocks_work *work)
{
    const cli_simulation *asked = &work->settings->asked;
    const int steps = cli_steps(asked->seconds, asked->fps);
    int result = cli_blocks_check_count(work->command, asked->count);
    if (!result)
        result = cli_blocks_check_fps(work->command, asked->fps);
    if (!result)
        result = populate(work, asked->count ? asked->count : work->blocks.scene->characters);
    const cli_clips_def clips = {work->blocks.blocks->set->skeleton, work->count, LOPE_CLIP_CONTACTS};
    if (!result)
        result = cli_clips_begin(work->command, asked, &clips, &work->clips);
    for (int step = 0; step < steps && !result; step++) {
        for (int i = 0; i < work->count; i++)
            go_on(work, &work->wanderers[i], (float)(1.0 / asked->fps));
        record(work, step);
        if (!cli_step_goes_on(work->command, step, steps))
            result = CLI_INTERRUPTED;
    }
    cli_progress_end();
    if (!result)
        pose_all(work);
    return result;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const blocks_work *work = user;
    if (output->format == CLI_FORMAT_JSON)
        return lope_block_scene_write(work->blocks.scene, output->path, error);
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, work->clips.items, work->clips.count, error);
    lope_block_picture picture = lope_block_picture_default();
    picture.title = work->blocks.scene->name;
    picture.width = work->settings->asked.width;
    picture.dark = work->settings->asked.dark;
    picture.bodies = work->models;
    picture.body_count = work->count;
    return lope_draw_block_world(work->blocks.world, &picture, output->path, error);
}

static void print_notes(const blocks_work *work)
{
    const lope_block_survey *s = &work->survey;
    const char *name = work->command->name;
    lope_block_view view = lope_block_world_view(work->blocks.world);
    if (s->unmatched > 0) {
        const lope_placed_unit *o = &view.objects[s->first_unmatched];
        fprintf(stderr,
                "lope %s: note: nothing can be done at %d things: no block fits, e.g. '%s' at (%.2f, %.2f, %.2f); what "
                "belongs to it must stand beside it as on the stage, on a floor\n",
                name, s->unmatched, view.units[o->unit].name, (double)o->at.x, (double)o->at.y, (double)o->at.z);
    }
    if (s->components > 1)
        fprintf(stderr, "lope %s: note: the world falls into %d parts between which nobody can go back and forth:\n",
                name, s->components);
    for (int i = 0; s->components > 1 && i < s->components && i < LOPE_MOST_COMPONENTS; i++)
        fprintf(stderr, "  part %d: %d nodes, %d of them at things, around (%.2f, %.2f, %.2f)\n", i + 1,
                s->largest[i].nodes, s->largest[i].junctions, (double)s->largest[i].at.x, (double)s->largest[i].at.y,
                (double)s->largest[i].at.z);
}

static void print_report(const blocks_work *work)
{
    const lope_block_survey *s = &work->survey;
    const cli_figure rows[] = {
        {"blocks", "blocks that are known", work->blocks.blocks->block_count, 0},
        {"tiles", "tiles", s->tiles, 0},
        {"things", "things", s->objects, 0},
        {"instances", "instances of blocks", s->instances, 0},
        {"junctions", "junctions", s->junctions, 0},
        {"nodes", "nodes", (double)s->nodes, 0},
        {"steps", "steps", (double)s->steps, 0},
        {"living_steps", "steps that lead on for ever", (double)s->living_steps, 0},
        {"thing_steps", "of them at things, and to and from them", (double)s->living_block_steps, 0},
        {"largest_share", "share of them in the largest component, %",
         s->living_steps ? 100.0 * (double)s->largest_steps / (double)s->living_steps : 0.0, 1},
        {"components", "components", s->components, 0},
        {"unmatched", "things that no block fits", s->unmatched, 0},
        {"megabytes", "megabytes beside blocks and clips", (double)s->bytes / 1e6, 1},
        {"build_seconds", "seconds to build tile and blocks", work->blocks.build_seconds, 3},
        {"assemble_seconds", "seconds to assemble", work->blocks.assemble_seconds, 3},
        {"survey_seconds", "seconds to survey", work->survey_seconds, 3},
        {"characters", "characters", work->count, 0},
        {"used", "times that things were used", (double)work->used, 0},
    };
    cli_print_scene(work->blocks.scene->name, rows, (int)(sizeof rows / sizeof *rows), s->hash,
                    work->settings->asked.json);
}

static void clean_up(blocks_work *work)
{
    cli_clips_free(&work->clips);
    for (int i = 0; work->wanderers && i <= work->count; i++) {
        free(work->wanderers[i].way);
        free(work->wanderers[i].memory);
    }
    free(work->wanderers);
    free(work->models);
    cli_blocks_close(&work->blocks);
    lope_jobs_destroy(work->jobs);
}

int cli_world_blocks(const cli_command *self, const world_settings *settings, const char *word)
{
    blocks_work work = {.command = self, .settings = settings};
    lope_error error = {0};
    int result = CLI_OK;
    if (lope_jobs_create(settings->asked.threads, &work.jobs, &error) != LOPE_OK)
        result = cli_fail(self, &error);
    if (!result)
        result = assemble(&work, word);
    if (!result)
        result = simulate(&work);
    if (!result)
        result = cli_write_outputs(self, &settings->asked.outputs, write_one, &work);
    if (!result) {
        print_notes(&work);
        print_report(&work);
    }
    clean_up(&work);
    return result;
}
