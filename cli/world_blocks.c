// SPDX-License-Identifier: MIT
// `lope world` for worlds of blocks: floors, things, and people who sit, climb and slide.
#include "cli/world.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/outputs.h"
#include "lope/offline.h"

// Takes of every built-in motion, and how large generated worlds are unless told otherwise.
#define TAKES 2
#define OFFICE_DESKS 12
#define PLAYGROUND_GYMS 2
// Steps that are looked at when somebody chooses, and how often one goes to a thing where that is possible.
#define MOST_CHOICES 256
#define TO_THINGS 0.5

typedef struct person {
    lope_block_player player;
    void *memory;
    uint64_t random;
    int things; // steps at things
} person;

typedef struct blocks_work {
    const cli_command *command;
    const world_settings *settings;
    lope_jobs *jobs;
    lope_set *set;
    lope_stage *stage;
    lope_tile *tile;
    lope_blocks *blocks;
    lope_block_scene *scene;
    lope_block_world *world;
    lope_block_survey survey;
    double build_seconds, assemble_seconds, survey_seconds;
    person *people;
    int count, things;
    lope_transform *bodies;
    lope_quat *rotations;
    lope_clip **clips;
    int clip_count;
} blocks_work;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool cli_names_blocks(const char *word)
{
    if (strcmp(word, "office") == 0 || strcmp(word, "playground") == 0)
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

static int build(blocks_work *work)
{
    lope_error error = {0};
    double begin = now();
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def def = lope_blocks_def_default();
    if (work->settings->patches) {
        lope_status opened = lope_blocks_open(work->settings->patches, &work->blocks, &error);
        work->build_seconds = now() - begin;
        return opened ? cli_fail(work->command, &error) : CLI_OK;
    }
    lope_status status = lope_stage_builtin(TAKES, work->jobs, &work->set, &work->stage, &error);
    if (!status) {
        tile.clips = work->stage->walking_clips;
        status = lope_tile_build(work->set, &tile, work->jobs, NULL, &work->tile, NULL, &error);
    }
    if (!status)
        status =
            lope_blocks_build(work->set, work->stage, work->tile, &tile, &def, work->jobs, &work->blocks, NULL, &error);
    work->build_seconds = now() - begin;
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

static int get_scene(blocks_work *work, const char *word)
{
    lope_error error = {0};
    const char *kind = work->settings->generate ? work->settings->generate : word;
    bool generated = work->settings->generate || strcmp(word, "office") == 0 || strcmp(word, "playground") == 0;
    int usual = strcmp(kind, "office") == 0 ? OFFICE_DESKS : PLAYGROUND_GYMS;
    int size = work->settings->size ? work->settings->size : usual;
    lope_status status =
        generated ? lope_block_scene_generate(kind, size, work->settings->seed, work->blocks, &work->scene, &error)
                  : lope_block_scene_read(word, &work->scene, &error);
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

static int assemble(blocks_work *work)
{
    lope_error error = {0};
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = work->blocks;
    if (work->settings->patches) // performers of captures differ more: what fades between them takes up the tolerance
        def.overlap = 0.0f;
    double begin = now();
    lope_status status = lope_block_scene_world(work->scene, &def, work->jobs, &work->world, &error);
    double middle = now();
    if (!status)
        status = lope_block_world_survey(work->world, &work->survey, &error);
    work->assemble_seconds = middle - begin;
    work->survey_seconds = now() - middle;
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

static uint64_t draw_number(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

// Any living step, but rather one that has to do with things.
static bool choose(const blocks_work *work, int node, uint64_t *random, lope_block_step *out)
{
    static lope_block_step steps[MOST_CHOICES];
    int count = lope_block_steps(work->world, node, steps, MOST_CHOICES), things = 0;
    count = count < MOST_CHOICES ? count : MOST_CHOICES;
    for (int i = 0; i < count; i++)
        if (steps[i].kind == LOPE_STEP_LINK || steps[i].kind == LOPE_STEP_COME) {
            lope_block_step swap = steps[things];
            steps[things++] = steps[i];
            steps[i] = swap;
        }
    if (count == 0)
        return false;
    bool use = things > 0 && (things == count || (double)(draw_number(random) % 1000) < 1000.0 * TO_THINGS);
    int from = use || things == count ? 0 : things, range = use ? things : count - from;
    *out = steps[from + (int)(draw_number(random) % (uint64_t)range)];
    return true;
}

// People begin at living nodes, every other one at a thing, spread evenly.
static int populate(blocks_work *work)
{
    lope_block_view view = lope_block_world_view(work->world);
    int wanted = work->settings->count ? work->settings->count : work->scene->characters;
    size_t joints = (size_t)work->blocks->set->skeleton->joint_count;
    work->people = cli_alloc((size_t)(wanted + 1) * sizeof *work->people);
    work->bodies = cli_alloc(((size_t)wanted + 1) * joints * sizeof *work->bodies);
    work->rotations = cli_alloc(joints * sizeof *work->rotations);
    uint64_t random = work->settings->seed;
    for (int i = 0; work->count < wanted && i < 50 * wanted; i++) {
        int first = i % 2 && view.junction_count > 0 ? view.tile_nodes : 0;
        int range = first ? view.junction_count : view.tile_nodes;
        int node = first + (int)(draw_number(&random) % (uint64_t)(range > 0 ? range : 1));
        person *p = &work->people[work->count];
        lope_block_step step;
        p->random = draw_number(&random);
        if (!choose(work, node, &p->random, &step))
            continue;
        p->memory = cli_alloc(lope_block_player_memory(work->world));
        lope_block_player_begin(work->world, &step, p->memory, &p->player);
        work->count++;
    }
    if (work->count < wanted)
        fprintf(stderr, "lope %s: note: room for %d of %d characters\n", work->command->name, work->count, wanted);
    return CLI_OK;
}

static int begin_clips(blocks_work *work, int steps)
{
    lope_error error = {0};
    int wanted = work->settings->bvh_count < work->count ? work->settings->bvh_count : work->count;
    work->clips = cli_alloc(((size_t)wanted + 1) * sizeof *work->clips);
    for (; work->clip_count < wanted; work->clip_count++) {
        char name[32];
        snprintf(name, sizeof name, "character_%d", work->clip_count);
        if (lope_clip_create(work->blocks->set->skeleton, name, steps, work->settings->fps, LOPE_CLIP_CONTACTS,
                             &work->clips[work->clip_count], &error))
            return cli_fail(work->command, &error);
    }
    return CLI_OK;
}

static void walk_person(blocks_work *work, int index, int step)
{
    person *p = &work->people[index];
    size_t joints = (size_t)work->blocks->set->skeleton->joint_count;
    lope_block_step next;
    if (lope_block_player_advance(&p->player, (float)(1.0 / work->settings->fps), 1.0f) &&
        choose(work, p->player.step.to, &p->random, &next)) {
        work->things += next.kind == LOPE_STEP_LINK;
        lope_block_player_next(&p->player, &next);
    }
    lope_clip *clip = index < work->clip_count ? work->clips[index] : NULL;
    lope_quat *rotations = clip ? clip->rotations + (size_t)step * joints : work->rotations;
    lope_pose pose = {(int)joints, {0.0f, 0.0f, 0.0f}, rotations, NULL};
    lope_block_player_pose(&p->player, &pose, work->bodies + (size_t)index * joints);
    if (clip) {
        clip->root[step] = pose.root;
        clip->contacts[step] = lope_block_player_contacts(&p->player);
    }
}

static int simulate(blocks_work *work)
{
    int steps = (int)fmax(1.0, work->settings->seconds * work->settings->fps + 0.5);
    int result = populate(work);
    if (!result && work->settings->bvh)
        result = begin_clips(work, steps);
    for (int step = 0; step < steps && !result; step++) {
        for (int i = 0; i < work->count; i++)
            walk_person(work, i, step);
        if (step % 32 == 0)
            cli_progress("step", step, steps);
        if (cli_interrupted()) {
            cli_progress_end();
            fprintf(stderr, "lope %s: interrupted\n", work->command->name);
            result = CLI_INTERRUPTED;
        }
    }
    cli_progress_end();
    if (!result && work->settings->bvh)
        result = cli_write_clips(work->command, work->settings->bvh, CLI_FORMAT_BVH, work->clips, work->clip_count);
    return result;
}

static int write_outputs(blocks_work *work)
{
    lope_error error = {0};
    lope_block_picture picture = lope_block_picture_default();
    picture.title = work->scene->name;
    picture.width = work->settings->width;
    picture.dark = work->settings->dark;
    picture.bodies = work->bodies;
    picture.body_count = work->count;
    const char *svg = work->settings->svg;
    // With --generate, -o names the scene unless it ends in .svg.
    size_t length = svg ? strlen(svg) : 0;
    bool scene = work->settings->generate && length > 5 && strcmp(svg + length - 5, ".json") == 0;
    lope_status status = LOPE_OK;
    if (scene)
        status = lope_block_scene_write(work->scene, svg, &error);
    else if (svg)
        status = lope_draw_block_world(work->world, &picture, svg, &error);
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

static void print_notes(const blocks_work *work)
{
    const lope_block_survey *s = &work->survey;
    const char *name = work->command->name;
    lope_block_view view = lope_block_world_view(work->world);
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
        {"blocks", "blocks that are known", work->blocks->block_count, 0},
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
        {"build_seconds", "seconds to build tile and blocks", work->build_seconds, 3},
        {"assemble_seconds", "seconds to assemble", work->assemble_seconds, 3},
        {"survey_seconds", "seconds to survey", work->survey_seconds, 3},
        {"characters", "characters", work->count, 0},
        {"used", "times that things were used", work->things, 0},
    };
    cli_print_scene(work->scene->name, rows, (int)(sizeof rows / sizeof *rows), s->hash, work->settings->json);
}

static void clean_up(blocks_work *work)
{
    for (int i = 0; i < work->clip_count; i++)
        lope_clip_destroy(work->clips[i]);
    for (int i = 0; i < work->count; i++)
        free(work->people[i].memory);
    free(work->clips);
    free(work->people);
    free(work->bodies);
    free(work->rotations);
    lope_block_world_destroy(work->world);
    lope_block_scene_destroy(work->scene);
    lope_blocks_destroy(work->blocks);
    lope_tile_destroy(work->tile);
    lope_stage_destroy(work->stage);
    lope_set_destroy(work->set);
    lope_jobs_destroy(work->jobs);
}

int cli_world_blocks(const cli_command *self, const world_settings *settings, const char *word)
{
    blocks_work work = {.command = self, .settings = settings};
    lope_error error = {0};
    int result = CLI_OK;
    if (lope_jobs_create(settings->threads, &work.jobs, &error) != LOPE_OK)
        result = cli_fail(self, &error);
    if (!result)
        result = build(&work);
    if (!result)
        result = get_scene(&work, word);
    if (!result)
        result = assemble(&work);
    if (!result)
        result = simulate(&work);
    if (!result)
        result = write_outputs(&work);
    if (!result) {
        print_notes(&work);
        print_report(&work);
    }
    clean_up(&work);
    return result;
}
