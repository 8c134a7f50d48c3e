// SPDX-License-Identifier: MIT
// `lope build`: from clips to the maps that characters find their way with.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/build.h"
#include "cli/maps.h"
#include "cli/published.h"
#include "cli/ranks.h"

#define AT(field) offsetof(build_settings, field)
#define QUOTE_(text) #text
#define QUOTE(number) QUOTE_(number)
static const cli_option options[] = {
    CLI_OUTPUT_OPTION(build_settings, "OUT.lope", "The file to write: clips and map in one. Needed."),
    {"mobility", 0, CLI_FLAG, NULL, AT(mobility), "Build a mobility map: where can each pose get the body?"},
    {"maps", 0, CLI_FLAG, NULL, AT(maps), "Build a graph of steps and its motion maps: where does each step lead?"},
    {"patches", 0, CLI_FLAG, NULL, AT(patches), "Build a motion patch: a square of ground that can be tiled."},
    {"blocks", 0, CLI_FLAG, NULL, AT(blocks),
     "Build a motion patch and what people do at things: chairs, desks, stairs, ladders, slides of the built-in set."},
    {"scenery", 0, CLI_TEXT, "FILE.json", AT(scenery),
     "With --blocks, or with no kind, what the clips were performed on, as 'lope scenery' proposes it and somebody "
     "confirmed it. Clips "
     "that it does not name walk on a floor. All are carried over to the skeleton of the first one that it names."},
    {"stage", 0, CLI_TEXT, "FILE.json", AT(stage),
     "Likewise a stage of your own: things as boxes or meshes, where they stood in which clip, behaviours, and "
     "things of other sizes. Goes with --scenery; without clips, its variants are those of the built-in things."},
    {"dense", 0, CLI_FLAG, NULL, AT(dense),
     "With --blocks, dense patches as published: every frame lies in a cell of place, heading and group of poses, and "
     "every part of a performance that takes 0.66 s leads from cell to cell. By default a few junctions are enough."},
    {"rings", 0, CLI_FLAG, NULL, AT(rings),
     "Build motion rings: gaits that can be mixed, and whose feet find the ground."},
    {"tags", 0, CLI_TEXT, "FILE|WORD,WORD", AT(tags),
     "With --mobility, words of your own for what clips show, which 'lope track --prefer' and '--avoid' take: from a "
     "file (its name has a dot or a slash) with lines CLIP [FROM-TO] WORD..., CLIP a name or a pattern, FROM-TO in "
     "seconds; or words, each for the clips whose names contain it. Up to 4 words."},
    {"mirror", 'm', CLI_FLAG, NULL, AT(prepare.mirror),
     "Add the mirror image of every clip, the constant differences between the subject's sides taken out."},
    {"retarget", 'r', CLI_FLAG, NULL, AT(prepare.retarget),
     "Carry clips of other skeletons over to that of the first one."},
    {"raw", 0, CLI_FLAG, NULL, AT(prepare.raw),
     "Leave joints as they were captured. By default jolts and tears of single frames are mended."},
    {"pure", 0, CLI_FLAG, NULL, AT(pure),
     "Fill nothing in. By default what clips lack (a stand, a start, a left turn) is made of their own walks and of "
     "built-in motions in their manner; such clips are named filled/..."},
    {"fps", 0, CLI_POSITIVE, "N", AT(prepare.frame_rate), "Frames per second of the map; 30 by default."},
    {"metric", 0, CLI_CHOICE, "angles|cloud", AT(metric),
     "How poses are compared: joint angles and velocities, as in the thesis, or joint positions over a window of time "
     "(the default)."},
    {"threshold", 't', CLI_POSITIVE, "COST", AT(threshold),
     "Transitions up to this cost are allowed. By default it is chosen for the clips: up to 0.06 (metres; 0.25 with "
     "--metric angles), lower where many poses are alike, higher where that joins parts; with --maps 0.06 for legs "
     "of 84 cm. Higher values connect more and show more."},
    {"thesis", 0, CLI_FLAG, NULL, AT(thesis),
     "With --mobility, all of it as in the thesis: --pure --metric angles --prune cost --part largest --frame-cost 0 "
     "--all-pairs, a threshold of 0.25, all choices kept. Options beside it change one thing each."},
    {"prune", 0, CLI_CHOICE, "minima|cost", AT(prune),
     "Which transitions stay with --mobility: those that are cheaper than their neighbours (the default), or all up to "
     "the threshold, as in the thesis."},
    {"part", 0, CLI_CHOICE, "able|largest", AT(part),
     "Which part of the graph stays with --mobility: the one that can do most (the default), or the one with the most "
     "poses, as in the thesis."},
    {"all-pairs", 0, CLI_FLAG, NULL, AT(all_pairs),
     "With --mobility, find choices by way of the thesis' matrix of all pairs of states: the same ones, in more time "
     "and memory."},
    {"angle-weight", 0, CLI_POSITIVE, "W", AT(angle_weight), "Of half the angle between joints, radians; 1."},
    {"velocity-weight", 0, CLI_POSITIVE, "W", AT(velocity_weight), "Of joint velocities, radians per second; 0.1."},
    {"root-weight", 0, CLI_POSITIVE, "W", AT(root_weight), "Of the body's velocity, metres per second; 0.3."},
    {"window", 0, CLI_POSITIVE, "SECONDS", AT(window),
     "How much motion --metric cloud and --maps compare; 0.33 by default."},
    {"steps", 's', CLI_COUNT, "N", AT(steps), "Actions in each choice, gamma of the paper; 25 by default."},
    {"min-choices", 0, CLI_COUNT, "N", AT(min_choices),
     "Drop states with fewer choices, unless that would be most of them; 30 by default."},
    {"max-choices", 0, CLI_COUNT, "N", AT(max_choices),
     "Of more choices keep those that are spread best over space; 40 by default."},
    {"frame-cost", 0, CLI_NUMBER, "COST", AT(frame_cost),
     "Added for each frame, so that the cheapest ways do not wander; 0.0005 by default."},
    {"graph", 0, CLI_CHOICE, "features|standard", AT(graph),
     "Where --maps cuts clips: where the ankles cross (the default), or wherever a transition is cheapest (Kovar)."},
    {"align", 0, CLI_CHOICE, "foot|cloud", AT(align),
     "What --maps joins steps on: the supporting foot (the default), or the whole window, which lets the foot slip."},
    {"branching", 0, CLI_COUNT, "N", AT(branching),
     "Ways on of a step with --maps, at most: the cheapest and the most different ones; no limit by default."},
    {"map-nodes", 0, CLI_COUNT, "N", AT(map_nodes),
     "Walks that --maps keeps ahead of each step, the shortest; 10000 by default."},
    {"map-depth", 0, CLI_COUNT, "N", AT(map_depth),
     "Steps that --maps looks ahead; as many as --map-nodes allows by default. Alone, all walks that long are kept."},
    {"min-branching", 0, CLI_INDEX, "N", AT(min_branching),
     "Ways on of a step with --maps, at least: steps with fewer get more, up to 2.5 times the threshold; " QUOTE(
         LOPE_STEPS_MIN_BRANCHING) " by default."},
    {"max-slip", 0, CLI_POSITIVE, "METRES", AT(max_slip),
     "With --maps, drop transitions whose supporting foot slips more; any slip by default."},
    {"speed-ratio", 0, CLI_POSITIVE, "R", AT(speed_ratio),
     "With --maps, do not join walks whose speeds differ by more than this factor; any may be by default."},
    {"tile", 0, CLI_POSITIVE, "METRES", AT(tile_size), "Side of the square of --patches; 1.5 by default."},
    {"gates", 0, CLI_COUNT, "N", AT(gates), "Ways into the square of --patches on each side, at most; 36 by default."},
    {"dissimilarity", 0, CLI_POSITIVE, "METRES", AT(dissimilarity),
     "With --rings, leave out samples whose feet land nearer than this to those of another; 0.1 by default."},
    {"fitted", 0, CLI_FLAG, NULL, AT(fitted),
     "With --rings, close loops by a curve fitted across the gap, as in the paper, instead of spreading it."},
    {"straight", 0, CLI_FLAG, NULL, AT(straight),
     "With --rings, only samples without turns, their spheres in one plane: for the combined method."},
    {"published", 0, CLI_TEXT, "WORD,WORD|all", AT(published),
     "With --rings, what the paper does where Lope does something else: loops (--fitted), strikes, alignment, frames, "
     "samples, variance, kriging. With --maps 'all' builds the paper's graph: whole windows aligned, nothing merged or "
     "added, and 1.56 ways on in the mean (1.30 with --graph standard)."},
    {"own", 0, CLI_TEXT, "NAME=CLIPS,...", AT(own),
     "With --rings, rings of other cyclic motions (a crawl, a sidestep, a limp), up to 4: CLIPS is the name of a clip, "
     "or a pattern of names. 'lope gait --play NAME' plays them."},
    {"keep-clips", 0, CLI_TEXT, "CLIPS.lope", AT(kept_clips),
     "With --rings, also write the clips that they were made of: all that were given, and of those filled in what is "
     "mixed. Rings do not hold them."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print the summary as JSON."},
    {"floor", 0, CLI_HEIGHT, "METRES|auto", AT(floor),
     "Height of the floor in the files, which is put at 0. By default it is found for each clip."},
    CLI_READING_OPTIONS(build_settings),
    {"file-fps", 0, CLI_POSITIVE, "N", AT(reading.fps), "Frames per second of the input, against what the file says."},
    CLI_THREADS_OPTION(build_settings),
    {0}};

static const char *const synopsis[] = {"[OPTION...] [FILE|FOLDER|NAME...] -o OUT.lope",
                                       "--mobility [OPTION...] [FILE|FOLDER|NAME...] -o OUT.lope",
                                       "--maps [OPTION...] [FILE|FOLDER|NAME...] -o OUT.lope",
                                       "--rings [OPTION...] [FILE|FOLDER|NAME...] -o OUT.lope",
                                       "--patches [OPTION...] [FILE|FOLDER|NAME...] -o OUT.lope",
                                       "--blocks [OPTION...] -o OUT.lope",
                                       "--blocks --scenery FILE.json [OPTION...] FILE|FOLDER|NAME... -o OUT.lope",
                                       "--blocks --stage FILE.json [OPTION...] FILE|FOLDER|NAME... -o OUT.lope",
                                       NULL};
static const char *const examples[] = {"All that a body can do, from the clips of one performer:",
                                       "lope build captures/069 -o moves.lope",
                                       "A walker from the built-in set:",
                                       "lope build --mobility -o walk.lope",
                                       "From a subject of a capture library, with mirrored copies:",
                                       "lope build --mobility captures/069 --mirror -o walk.lope",
                                       "A graph of steps and its maps, from walks of one speed:",
                                       "lope build --maps captures/016/16_1[1-9].bvh -o walk.lope",
                                       "Gaits that find the ground, from the built-in samples or from captured walks:",
                                       "lope build --rings -o gait.lope",
                                       "Captured stairs and stools, with walks of another subject:",
                                       "lope build --blocks --scenery stage.json captures/013 captures/069 -o gym.lope",
                                       "What people do at things of your own, as a file says:",
                                       "lope build --blocks --stage gym.json captures/001 captures/069 -o gym.lope",
                                       "On four processes, here or on several machines:",
                                       "mpirun -n 4 lope build --mobility captures -o walk.lope",
                                       NULL};

// The built-in motions that make a walker, in several takes; for a graph of steps one take.
static void take_builtin(cli_sources *sources, const build_settings *settings)
{
    int count = 0, takes = settings->maps      ? 1
                           : settings->patches ? LOPE_TILE_BUILTIN_TAKES
                                               : LOPE_MOBILITY_BUILTIN_TAKES;
    bool (*wanted)(const char *) = settings->maps      ? lope_maps_builtin_uses
                                   : settings->patches ? lope_tile_builtin_uses
                                                       : lope_mobility_builtin_uses;
    cli_source *items = cli_alloc((size_t)sources->count * (size_t)takes * sizeof *items);
    for (int i = 0; i < sources->count; i++)
        for (int take = 0; take < takes && wanted(sources->items[i].builtin); take++) {
            items[count] = sources->items[i];
            items[count++].take = take;
        }
    free(sources->items);
    *sources = (cli_sources){.count = count, .items = items};
}

static void load_job(void *user, int index)
{
    build_work *work = user;
    cli_loaded *loaded = &work->loaded[index];
    cli_source_load(&work->sources.items[index], &work->settings->reading, loaded);
    if (loaded->status && !loaded->error.file[0])
        snprintf(loaded->error.file, sizeof loaded->error.file, "%s", cli_source_name(&work->sources.items[index]));
}

int build_load(build_work *work)
{
    work->loaded = cli_alloc((size_t)work->sources.count * sizeof *work->loaded);
    int result = cli_sources_run(work->command, "reading clip", work->settings->reading.threads, work->sources.count,
                                 load_job, work);
    for (int i = 0; i < work->sources.count && result != CLI_INTERRUPTED; i++)
        if (work->loaded[i].status)
            result = cli_worse(result, cli_fail(work->command, &work->loaded[i].error));
    return result;
}

bool build_progress(void *user, const char *stage, double done)
{
    const build_work *work = user;
    if (cli_ranks_speaks(work->ranks))
        cli_progress_share(stage, done);
    return !cli_interrupted();
}

int build_save(const build_work *work, cli_writer *save, void *built, lope_status status, const lope_error *error)
{
    if (!cli_ranks_speaks(work->ranks))
        return cli_exit_code(status);
    return status ? cli_fail(work->command, error)
                  : cli_write_outputs(work->command, &work->settings->outputs, save, built);
}

// Says where the floors of files were found. Those of built-in motions are known.
static void say_floors(const build_work *work, const float *floors)
{
    cli_floors all = {INFINITY, -INFINITY, 0, 0};
    for (int i = 0; i < work->sources.count; i++)
        for (int c = 0; c < work->loaded[i].count; c++, floors++)
            if (work->sources.items[i].path && !isnan(*floors))
                cli_floors_add(&all, *floors);
    cli_progress_end();
    if (cli_ranks_speaks(work->ranks))
        cli_floors_say(work->command, &all);
}

// Says in which clips something was mended, those with the most first.
static void say_mended(const build_work *work, const build_clips *all)
{
    enum { NAMED = 6 };
    int clips = 0, mended = 0, best[NAMED], count = 0;
    for (int i = 0; i < all->count; i++) {
        int at = count < NAMED ? count : NAMED;
        clips += all->mended[i] > 0;
        mended += all->mended[i];
        for (; at > 0 && all->mended[i] > all->mended[best[at - 1]]; at--)
            if (at < NAMED)
                best[at] = best[at - 1];
        if (at < NAMED && all->mended[i] > 0) {
            best[at] = i;
            count += count < NAMED;
        }
    }
    if (!clips || !cli_ranks_speaks(work->ranks))
        return;
    fprintf(stderr, "lope build: note: %d jolt%s of joints mended in %d of %d clips (", mended, mended == 1 ? "" : "s",
            clips, all->count);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "%s%s %d", i ? ", " : "", all->clips[best[i]]->name, all->mended[best[i]]);
    fprintf(stderr, "%s); --raw leaves them\n", clips > count ? ", ..." : "");
}

build_clips build_clips_all(const build_work *work)
{
    int count = 0;
    for (int i = 0; i < work->sources.count; i++)
        count += work->loaded[i].count;
    build_clips all = {.clips = cli_alloc(((size_t)count + 1) * sizeof *all.clips)};
    all.floors = cli_alloc(((size_t)count + 1) * sizeof *all.floors);
    all.mended = cli_alloc(((size_t)count + 1) * sizeof *all.mended);
    for (int i = 0; i < work->sources.count; i++)
        for (int c = 0; c < work->loaded[i].count; c++) {
            all.floors[all.count] = work->sources.items[i].path ? (float)work->settings->floor : NAN;
            all.clips[all.count++] = work->loaded[i].clips[c];
        }
    return all;
}

void build_clips_free(const build_work *work, build_clips *all, bool prepared)
{
    if (prepared && isnan(work->settings->floor))
        say_floors(work, all->floors);
    if (prepared)
        say_mended(work, all);
    free(all->floors);
    free(all->mended);
    free(all->clips);
}

static lope_status prepare(build_work *work, lope_set **out, lope_error *error)
{
    build_clips all = build_clips_all(work);
    lope_prepare_def def = work->settings->prepare;
    lope_progress progress = {build_progress, work};
    def.floors = all.floors;
    def.mended = all.mended;
    lope_status status = lope_set_prepare(all.clips, all.count, &def, work->jobs, &progress, out, error);
    build_clips_free(work, &all, !status);
    return status;
}

static lope_mobility_def definition(const build_settings *settings)
{
    lope_mobility_def def = settings->thesis    ? lope_mobility_def_thesis()
                            : settings->builtin ? lope_mobility_def_builtin()
                                                : lope_mobility_def_default();
    lope_transition_def *transitions = &def.transitions;
    if (settings->metric >= 0) {
        *transitions = lope_transition_def_default((lope_metric)settings->metric);
        transitions->threshold = settings->thesis ? transitions->threshold : 0.0f;
        transitions->local_minima = !settings->thesis;
    }
    if (settings->prune >= 0)
        transitions->local_minima = settings->prune == 0;
    if (settings->part >= 0)
        def.largest = settings->part == 1;
    def.all_pairs |= settings->all_pairs;
    const struct {
        double value;
        float *target;
    } numbers[] = {{settings->threshold, &transitions->threshold},
                   {settings->angle_weight, &transitions->angle_weight},
                   {settings->velocity_weight, &transitions->velocity_weight},
                   {settings->root_weight, &transitions->root_weight},
                   {settings->window, &transitions->window}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].value > 0.0)
            *numbers[i].target = (float)numbers[i].value;
    if (settings->frame_cost >= 0.0)
        def.frame_cost = (float)settings->frame_cost;
    def.steps = settings->steps ? settings->steps : def.steps;
    def.min_choices = settings->min_choices ? settings->min_choices : def.min_choices;
    def.max_choices = settings->max_choices ? settings->max_choices : def.max_choices;
    return def;
}

static void print_notes(const build_work *work, const lope_mobility_report *report, const char *stages)
{
    if (report->stages_damaged)
        fprintf(stderr, "lope build: note: %s: cannot be used and was ignored\n", stages);
    if (report->stages_unkept)
        fprintf(stderr, "lope build: note: %s: finished stages could not be kept there\n", stages);
    if (report->stages_reused && !work->settings->json)
        printf("%d finished stage%s of an interrupted build used\n", report->stages_reused,
               report->stages_reused == 1 ? "" : "s");
}

static void say_kept(const char *stages)
{
    if (access(stages, F_OK) == 0)
        fprintf(stderr, "lope build: finished stages are kept in %s; the same command goes on from there\n", stages);
}

// Finished stages stay where going on makes sense: after an interruption, or where only writing failed.
static int explain_failure(const build_work *work, const lope_error *error, const char *stages)
{
    if (!cli_ranks_speaks(work->ranks))
        return cli_exit_code(error->status);
    int result = cli_fail(work->command, error);
    if (error->status == LOPE_INTERRUPTED || error->status == LOPE_IO)
        say_kept(stages);
    else
        unlink(stages);
    return result;
}

static lope_status save(void *map, const cli_output *output, lope_error *error)
{
    return lope_mobility_save(map, output->path, error);
}

// Builds, and writes where this process is the one that speaks. Stages are removed when the output is safe.
static int build(build_work *work, const lope_set *set, const char *stages)
{
    build_tags tags;
    int result = build_read_tags(work, set, &tags);
    if (result) {
        free(tags.ranges);
        return result;
    }
    bool speaks = cli_ranks_speaks(work->ranks);
    lope_progress progress = {build_progress, work};
    lope_build_help help = {work->jobs, &progress, work->ranks, stages};
    lope_mobility_def def = definition(work->settings);
    def.uses = cli_alloc((size_t)set->clip_count * sizeof *def.uses);
    def.own_clips = set->clip_count - work->filled.clips;
    def.tags = tags.ranges;
    def.tag_count = tags.count;
    for (int t = 0; t < LOPE_OWN_TAGS; t++)
        def.tag_names[t] = tags.names[t];
    lope_mobility *map;
    lope_mobility_report report;
    lope_error error = {0};
    lope_mobility_survey survey = {0};
    lope_status status = lope_mobility_build_with(set, &def, &help, &map, &report, &error);
    if (!status && speaks)
        status = lope_mobility_survey_of(map, &survey, &error);
    cli_progress_end();
    if (speaks)
        print_notes(work, &report, stages);
    result = status ? explain_failure(work, &error, stages) : build_save(work, save, map, status, &error);
    lope_mobility_close(map);
    if (!status && result)
        say_kept(stages);
    if (!result && speaks) {
        unlink(stages);
        build_print_mobility(work, set, &(build_mobility_told){&report, &survey, def.uses});
    }
    free(def.uses);
    free(tags.ranges);
    return result;
}

int build_threads(const build_work *work)
{
    if (work->settings->reading.threads)
        return work->settings->reading.threads;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int share = (int)(cores > 0 ? cores : 1) / cli_ranks_here(work->ranks);
    return share > 1 ? share : 1;
}

static bool is_moves(const build_settings *settings)
{
    return !settings->mobility && !settings->maps && !settings->patches && !settings->blocks && !settings->rings;
}

static int build_from_sources(build_work *work)
{
    lope_error error = {0};
    lope_set *set = NULL;
    int result = build_load(work);
    if (!result && lope_jobs_create(build_threads(work), &work->jobs, &error) != LOPE_OK)
        result = cli_fail(work->command, &error);
    bool moves = is_moves(work->settings);
    if (!result && moves)
        result = build_moves(work);
    if (!result && !moves && prepare(work, &set, &error) != LOPE_OK)
        result = cli_fail(work->command, &error);
    if (!result && !moves && work->captured)
        result = build_fill(work, set);
    cli_progress_end();
    for (int i = 0; i < work->sources.count; i++)
        cli_loaded_free(&work->loaded[i]);
    result = cli_ranks_agree(work->ranks, work->command, result);
    if (!result && !moves) {
        char *stages = cli_format("%s.stages", work->settings->outputs.items[0].path);
        result = work->settings->maps      ? build_maps(work, set)
                 : work->settings->patches ? build_patches(work, set)
                 : work->settings->rings   ? build_rings(work, set)
                                           : build(work, set, stages);
        result = cli_ranks_agree(work->ranks, work->command, result);
        free(stages);
    }
    lope_set_destroy(set);
    lope_jobs_destroy(work->jobs);
    free(work->loaded);
    return result;
}

static int check(const cli_command *self, const build_settings *settings, int operands)
{
    int kinds = settings->mobility + settings->maps + settings->patches + settings->blocks + settings->rings;
    if (kinds > 1)
        return cli_usage(self, "one of --mobility, --maps, --patches, --blocks and --rings at a time; none builds all "
                               "of it into one file");
    if (settings->blocks && operands > 0 && !settings->scenery && !settings->stage)
        return cli_usage(self,
                         "what were the clips performed on? Give --scenery FILE.json ('lope scenery' proposes it) "
                         "or --stage FILE.json");
    if (settings->tags && !settings->mobility)
        return cli_usage(self, "--tags goes with --mobility");
    if ((settings->thesis || settings->all_pairs || settings->prune >= 0 || settings->part >= 0) && !settings->mobility)
        return cli_usage(self, "--thesis, --prune, --part and --all-pairs go with --mobility");
    if (settings->published && settings->maps &&
        (strcmp(settings->published, "all") != 0 || settings->threshold > 0.0 || settings->branching ||
         settings->min_branching >= 0 || settings->align || settings->window > 0.0 || settings->max_slip > 0.0 ||
         settings->speed_ratio > 0.0))
        return cli_usage(self, "with --maps it is --published all, and of the options for graphs --graph alone");
    if (settings->scenery && ((kinds && !settings->blocks) || operands == 0))
        return cli_usage(self,
                         "--scenery goes with --blocks, or with no kind, and the clips that were performed on it");
    if (settings->stage && ((kinds && !settings->blocks) || (!kinds && operands == 0)))
        return cli_usage(self, "--stage goes with --blocks, or with no kind and the clips that were performed on it");
    if (settings->blocks && !isnan(settings->floor))
        return cli_usage(self, "--floor does not go with --blocks: --scenery and --stage say where floors are");
    if (!settings->rings && (settings->fitted || settings->straight || settings->dissimilarity > 0.0 ||
                             (settings->published && !settings->maps) || settings->own))
        return cli_usage(self, "--fitted, --straight, --dissimilarity, --published and --own go with --rings");
    if (settings->own && operands == 0)
        return cli_usage(self, "--own needs the clips that it names, built-in motions too");
    if (settings->dense && !settings->blocks)
        return cli_usage(self, "--dense goes with --blocks");
    if (settings->kept_clips && !settings->rings)
        return cli_usage(self, "--keep-clips goes with --rings; other files hold their clips");
    if (settings->min_choices > 0 && settings->max_choices > 0 && settings->min_choices > settings->max_choices)
        return cli_usage(self, "--min-choices %d is more than --max-choices %d", settings->min_choices,
                         settings->max_choices);
    return cli_need_output(self, &settings->outputs);
}

static int run(const cli_command *self, int count, char **arguments)
{
    build_settings settings = {.prepare = lope_prepare_def_default(),
                               .floor = (double)NAN,
                               .frame_cost = -1.0,
                               .min_branching = -1,
                               .metric = -1,
                               .prune = -1,
                               .part = -1};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    result = check(self, &settings, operands.count);
    if (result)
        return result;
    result =
        cli_published(self, settings.maps ? NULL : settings.published, LOPE_PUBLISHED_BUILD, &settings.published_ways);
    if (result)
        return result;
    settings.published_ways |= settings.fitted ? LOPE_PUBLISHED_LOOPS : 0;
    if (settings.rings && !(settings.prepare.frame_rate > 30.0)) // strikes are moments; 30 per second would blur them
        settings.prepare.frame_rate = 60.0;
    settings.pure |= settings.thesis;
    settings.builtin = operands.count == 0;
    build_work work = {.command = self, .settings = &settings};
    work.ranks = cli_ranks_begin(self, &result);
    if (!result)
        result = cli_sources_find(self, operands, &work.sources);
    if (!result && operands.count == 0 && !is_moves(&settings)) {
        take_builtin(&work.sources, &settings);
        settings.prepare.mirror |= settings.patches; // tiles need as many turns as they can get
    }
    if (!result)
        result = cli_check_not_inputs(self, &settings.outputs, &work.sources);
    if (!result)
        result = cli_sources_look(self, &work.sources, &settings.reading);
    for (int i = 0; i < work.sources.count; i++)
        work.captured |= work.sources.items[i].path != NULL;
    result = cli_ranks_agree(work.ranks, self, result);
    if (!result && settings.blocks)
        result = build_blocks(&work);
    else if (!result && is_moves(&settings) && settings.builtin)
        result = build_moves(&work);
    else if (!result && settings.rings && operands.count == 0)
        result = build_rings(&work, NULL);
    else if (!result)
        result = build_from_sources(&work);
    cli_sources_free(&work.sources);
    cli_ranks_end(work.ranks);
    return result;
}

const cli_command cli_build = {
    .name = "build",
    .summary = "what characters move by, from clips: all of it, or one kind of map",
    .synopsis = synopsis,
    .description =
        "Builds the moves of one body into one file: walking (a mobility map), exact steps (motion maps), uneven "
        "ground (motion rings) and things (blocks: chair, desk, stairs, ladder, slide). What the clips lack is filled "
        "in, what they cannot do at all is carried over from the built-in set to their skeleton; a table says what "
        "came from where. With --pure there is only what the clips give. Without clips it is the built-in set, which "
        "comes ready-made with the library. The options below --threshold belong to single kinds.\n\nWith "
        "--mobility it prepares the clips (hips as root, floor at height 0, contacts, one frame rate), finds which "
        "pose may follow which, and for every pose with several ways on the places that its cheapest motions lead to. "
        "Writes one file "
        "that holds clips and map.\n\nWith --patches pieces of clips are fitted into a square, from gate to gate on "
        "its "
        "sides, such that squares can be laid beside each other and walked for ever; with --blocks the file also holds "
        "what people do at things.\n\nWith --maps clips are cut into "
        "steps, steps are joined where they fit, and every "
        "step is unrolled into the walks that begin with it.\n\nWith --rings one cycle of every clip is closed into a "
        "loop; loops of walks, of runs and of stances are bundled into rings, from which 'lope gait' mixes steps for "
        "any terrain. Clips without a cycle are left out.\n\nLong builds can be interrupted: finished stages are "
        "kept beside the output, in "
        "OUT.lope.stages, and used when the same command is given again. Under mpirun processes share the work; the "
        "file is the same for any number of threads and processes.\n\nWithout an operand it takes the part of the "
        "built-in set that walks on flat ground.",
    .examples = examples,
    .options = options,
    .run = run,
};
