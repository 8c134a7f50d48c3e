// SPDX-License-Identifier: MIT
// `lope world` for worlds of blocks: floors, things, and people who sit, climb and slide.
#include "cli/world.h"

#include <stdlib.h>
#include <string.h>

#include "cli/blocks.h"
#include "cli/errands.h"
#include "lope/offline.h"

typedef struct blocks_work {
    const cli_command *command;
    const world_settings *settings;
    lope_jobs *jobs;
    cli_blocks blocks;
    lope_block_survey survey;
    double survey_seconds;
    errands people;
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

static int simulate(blocks_work *work)
{
    const world_settings *settings = work->settings;
    int steps = cli_steps(settings->asked.seconds, settings->asked.fps);
    int wanted = settings->asked.count ? settings->asked.count : work->blocks.scene->characters;
    errands_def def = {work->blocks.world, work->jobs, wanted, settings->asked.fps, settings->asked.seed};
    int result = errands_begin(work->command, &def, &work->people);
    cli_clips_def clips = {work->blocks.blocks->set->skeleton, work->people.count, LOPE_CLIP_CONTACTS};
    if (!result)
        result = cli_clips_begin(work->command, &settings->asked, &clips, &work->clips);
    for (int step = 0; step < steps && !result; step++) {
        errands_step(&work->people);
        for (int i = 0; i < work->clips.count; i++)
            errands_record(work->people.people, work->clips.who[i], work->clips.items[i], step);
        if (!cli_step_goes_on(work->command, step, steps))
            result = CLI_INTERRUPTED;
    }
    cli_progress_end();
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
    picture.bodies = work->people.models;
    picture.body_count = work->people.count;
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
        {"characters", "characters", work->people.count, 0},
        {"used", "times that things were used", (double)work->people.used, 0},
    };
    cli_print_scene(work->blocks.scene->name, rows, (int)(sizeof rows / sizeof *rows), s->hash,
                    work->settings->asked.json);
}

static void clean_up(blocks_work *work)
{
    cli_clips_free(&work->clips);
    errands_end(&work->people);
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
