// SPDX-License-Identifier: MIT
// `lope climb`: a character gets through a scene with hands and feet; report, picture, BVH or GLB.
#include <stdlib.h>
#include <string.h>

#include "cli/outputs.h"

typedef struct climb_settings {
    cli_outputs outputs;
    const char *character, *planner, *without, *open, *body;
    cli_reading reading;
    int budget, samples, racers, threads, width, back_to;
    const char *speed;
    double fps, weight, interval;
    double stop_after;
    uint64_t seed, then_seed;
    bool json, dark, panels, fit, sampled, sits;
} climb_settings;

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(climb_settings, "OUT.svg|OUT.bvh|OUT.glb|OUT.lope",
                      "A picture: the body at every change of grasp. Or the motion of a character. Or the plan, for "
                      "--open."),
    {"open", 0, CLI_TEXT, "PLAN.lope", offsetof(climb_settings, open),
     "Take this plan of the scene instead of making one; with --back-to, go on from it."},
    {"panels", 0, CLI_FLAG, NULL, offsetof(climb_settings, panels), "One small picture per change of grasp."},
    {"interval", 'i', CLI_POSITIVE, "SECONDS", offsetof(climb_settings, interval),
     "Bodies this far apart in time instead of at changes of grasp."},
    {"width", 'w', CLI_COUNT, "PIXELS", offsetof(climb_settings, width), "Width of the picture; 1100 by default."},
    {"dark", 0, CLI_FLAG, NULL, offsetof(climb_settings, dark), "Light lines on dark ground."},
    {"character", 'c', CLI_TEXT, "FILE|builtin", offsetof(climb_settings, character),
     "Who performs it: the first body in this file, in its own measures; the built-in character by default."},
    {"body", 0, CLI_TEXT, "human|one-armed|gibbon", offsetof(climb_settings, body),
     "Plan for another body than that of the scene. A one-armed character performs what it can."},
    {"fit", 0, CLI_FLAG, NULL, offsetof(climb_settings, fit),
     "Scale the scene to the size of the body that climbs in it: to how far it reaches from hand to foot."},
    {"speed", 's', CLI_TEXT, "FACTOR|SECONDS:FACTOR,...", offsetof(climb_settings, speed),
     "How fast; 1 is natural. A curve has several: 0:1,4:0.5,6:2 slows down to half until second 4 and is twice as "
     "fast "
     "from second 6 on, in seconds of the motion at natural speed."},
    {"sits", 0, CLI_FLAG, NULL, offsetof(climb_settings, sits),
     "Let the body sit down on its way. Where the start or the goal sits, it does anyway."},
    {"sampled", 0, CLI_FLAG, NULL, offsetof(climb_settings, sampled),
     "Take surfaces as points every 10 cm, instead of finding places on them with the posture."},
    {"fps", 0, CLI_RATE, "N", offsetof(climb_settings, fps), "Frames per second; 60 by default."},
    {"seed", 0, CLI_SEED, "N", offsetof(climb_settings, seed), "Another plan."},
    {"planner", 'p', CLI_TEXT, "contacts|thesis|flight", offsetof(climb_settings, planner),
     "Grasps first (the default), the published random planner, or its precursor that flies."},
    {"without", 0, CLI_TEXT, "MODE[,MODE...]", offsetof(climb_settings, without),
     "Ways of getting along that are not used, such as swing,crawl."},
    {"samples", 0, CLI_COUNT, "N", offsetof(climb_settings, samples),
     "Thesis and flight: random neighbours that each racer may try from site to site; 1500000 by default."},
    {"budget", 0, CLI_COUNT, "N", offsetof(climb_settings, budget),
     "Contacts: stances that a search may look at before the best partial plan is taken; 12000 by default."},
    {"racers", 0, CLI_COUNT, "N", offsetof(climb_settings, racers),
     "Searches with different seeds that race where the first one is not quick; 4 by default."},
    {"weight", 0, CLI_POSITIVE, "W", offsetof(climb_settings, weight),
     "How greedy the search is; 14 by default. Lower values take longer and consider more."},
    {"stop-after", 0, CLI_POSITIVE, "SECONDS", offsetof(climb_settings, stop_after),
     "Stop planning then and take the plan as far as it goes."},
    {"back-to", 0, CLI_COUNT, "FRAME", offsetof(climb_settings, back_to),
     "Throw away what was planned after this frame, and plan on from there with --then-seed."},
    {"then-seed", 0, CLI_SEED, "N", offsetof(climb_settings, then_seed), "The seed to go on with; 2 by default."},
    {"threads", 'j', CLI_COUNT, "N", offsetof(climb_settings, threads),
     "Threads to use; one per core by default. Results do not depend on it."},
    {"json", 0, CLI_FLAG, NULL, offsetof(climb_settings, json), "Print the report as JSON."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] SCENE.json|NAME", NULL};
static const char *const examples[] = {"Up a wall, with a picture of every grasp:",
                                       "lope climb climbing --panels -o climbing.svg",
                                       "The whole course, for Blender, and a picture of it:",
                                       "lope climb complex -o complex.glb -o complex.svg",
                                       "The same for a captured body:",
                                       "lope climb complex --character walk.bvh --fit -o complex.bvh",
                                       "Keep a plan:",
                                       "lope climb complex -o plan.lope",
                                       "Go on from its frame 300 another day:",
                                       "lope climb complex --open plan.lope --back-to 300 -o other.lope",
                                       "A scene of your own, half as fast:",
                                       "lope climb yard.json --speed 0.5 -o yard.svg",
                                       NULL};

enum { MOST_SPEEDS = 64 };
typedef struct speed_curve {
    int count;
    lope_climb_speed keys[MOST_SPEEDS];
} speed_curve;

// "2", or "0:1,4:0.5": false where it is neither, or keys are not in order.
static bool speeds_of(const char *text, speed_curve *out)
{
    *out = (speed_curve){0};
    while (text && *text) {
        lope_climb_speed *key = &out->keys[out->count];
        char *end;
        if (out->count == MOST_SPEEDS)
            return false;
        double first = strtod(text, &end);
        bool whole = end != text && !*end && out->count == 0;
        *key = (lope_climb_speed){whole ? 0.0 : first, whole ? first : 0.0};
        if (!whole && (end == text || *end != ':'))
            return false;
        if (!whole) {
            text = end + 1;
            key->speed = strtod(text, &end);
            if (end == text || (*end && *end != ','))
                return false;
        }
        if (!(key->speed >= 0.05 && key->speed <= 20.0) || !(key->at >= 0.0) ||
            (out->count > 0 && !(key->at > key[-1].at)))
            return false;
        out->count++;
        text = *end ? end + 1 : end;
    }
    return true;
}

typedef struct climb_work {
    const cli_command *command;
    const climb_settings *settings;
    lope_climb_scene *scene;
    lope_jobs *jobs;
    lope_skeleton *skeleton;
    lope_grasp_body body;
    lope_climb_plan *plan;
    double begin, seconds;
} climb_work;

static const char *scene_name(int index)
{
    return index < lope_climb_scene_builtin_count() ? lope_climb_scene_builtin_name(index) : NULL;
}

static int open_scene(climb_work *work, const char *word)
{
    lope_error error = {0};
    bool builtin = !strchr(word, '/') && !strchr(word, '.');
    lope_status status = builtin ? lope_climb_scene_builtin(word, &work->scene, &error)
                                 : lope_climb_scene_read(word, &work->scene, &error);
    if (!status)
        return CLI_OK;
    const char *meant = builtin ? cli_suggest(word, scene_name) : NULL;
    if (status != LOPE_NOT_FOUND || !meant)
        return cli_fail(work->command, &error);
    fprintf(stderr, "lope %s: no built-in climbing scene is called '%s'; did you mean '%s'?\n", work->command->name,
            word, meant);
    return CLI_NOT_FOUND;
}

static bool report(void *user, const char *stage, double done)
{
    const climb_work *work = user;
    double limit = work->settings->stop_after;
    cli_progress_share(stage, done);
    return !cli_interrupted() && !(limit > 0.0 && cli_seconds() - work->begin > limit);
}

// A plan that was kept: it has to be one of this scene.
static int open_plan(climb_work *work)
{
    lope_error error = {0};
    const char *path = work->settings->open;
    if (lope_climb_plan_open(path, &work->plan, &error) != LOPE_OK)
        return cli_fail(work->command, &error);
    lope_status status = lope_climb_plan_check(work->scene->world, work->plan, &error);
    if (status)
        fprintf(stderr, "lope %s: %s: %s\n", work->command->name, path, error.message);
    return status ? CLI_FAILED : CLI_OK;
}

// Whether a plan that was kept is one for the character that is to perform it.
static int check_body(const climb_work *work)
{
    if (!work->plan || memcmp(&work->plan->body, &work->body, sizeof work->body) == 0)
        return CLI_OK;
    fprintf(stderr, "lope %s: %s was made for another body: make it with --character, or with a motion as output\n",
            work->command->name, work->settings->open);
    return CLI_FAILED;
}

// A plan that goes out as a motion is made for the body of the character that performs it.
static int choose_body(climb_work *work)
{
    lope_error error = {0};
    const char *character = work->settings->character;
    work->body = work->plan ? work->plan->body : work->scene->body;
    if (work->settings->body && !work->plan)
        lope_grasp_body_named(work->settings->body, &work->body);
    uint64_t missing = work->body.missing;
    if (!cli_writes_motion(&work->settings->outputs) && !character)
        return CLI_OK;
    int result =
        cli_find_skeleton(work->command, character ? character : "builtin", &work->settings->reading, &work->skeleton);
    if (result)
        return result;
    lope_status status = lope_climb_body_of(work->skeleton, &work->body, &error);
    work->body.missing = missing;
    return status ? cli_fail(work->command, &error) : check_body(work);
}

// A scene for a body of another size.
static int fit_scene(climb_work *work)
{
    lope_error error = {0};
    lope_climb_scene *fitted;
    if (!work->settings->fit)
        return CLI_OK;
    double factor = lope_climb_body_size(&work->body);
    if (lope_climb_scene_scaled(work->scene, factor, &fitted, &error) != LOPE_OK)
        return cli_fail(work->command, &error);
    lope_climb_scene_destroy(work->scene);
    work->scene = fitted;
    return CLI_OK;
}

static lope_climb_planner planner_of(const char *name)
{
    int i = 0;
    while (i < LOPE_PLANNER_COUNT && name && strcmp(lope_climb_planner_name((lope_climb_planner)i), name) != 0)
        i++;
    return (lope_climb_planner)i;
}

// The modes of a list as bits; false where a word is none.
static bool modes_of(const char *list, unsigned *out)
{
    *out = 0;
    while (list && *list) {
        size_t length = strcspn(list, ",");
        int i = 0;
        while (i < LOPE_MODE_COUNT && (strlen(lope_grasp_mode_name((lope_grasp_mode)i)) != length ||
                                       memcmp(list, lope_grasp_mode_name((lope_grasp_mode)i), length) != 0))
            i++;
        if (i == LOPE_MODE_COUNT)
            return false;
        *out |= 1u << i;
        list += length + (list[length] == ',');
    }
    return true;
}

static int make_plan(climb_work *work)
{
    const climb_settings *settings = work->settings;
    lope_error error = {0};
    lope_climb_def def = lope_climb_def_default();
    lope_progress progress = {report, work};
    def.body = &work->body;
    def.seed = settings->seed;
    speed_curve speeds;
    speeds_of(settings->speed, &speeds);
    def.speeds = speeds.keys;
    def.speed_count = speeds.count;
    if (speeds.count == 1) { // all the way
        def.speed = speeds.keys[0].speed;
        def.speed_count = 0;
    }
    def.sampled = settings->sampled;
    def.sits = settings->sits;
    def.frame_rate = settings->fps;
    def.budget = settings->budget;
    def.racers = settings->racers;
    def.samples = settings->samples;
    def.planner = planner_of(settings->planner);
    modes_of(settings->without, &def.without);
    def.weight = settings->weight;
    def.keep_stopped = true;
    work->begin = cli_seconds();
    lope_status status = LOPE_OK;
    if (!work->plan)
        status = lope_climb_plan_create(work->scene->world, &work->scene->problem, &def, work->jobs, &progress,
                                        &work->plan, &error);
    if (work->plan && settings->back_to >= 0 && !cli_interrupted()) {
        lope_climb_plan *first = work->plan;
        def.seed = settings->then_seed;
        status = lope_climb_plan_resume(work->scene->world, &work->scene->problem, &def, first, settings->back_to,
                                        work->jobs, &progress, &work->plan, &error);
        lope_climb_plan_destroy(first);
        if (status == LOPE_OK && work->plan->went_back > 0)
            fprintf(stderr, "lope %s: %s: nothing led on from frame %d, the plan goes on from frame %d\n",
                    work->command->name, work->scene->name, settings->back_to, work->plan->kept - 1);
    }
    work->seconds = cli_seconds() - work->begin;
    cli_progress_end();
    if (status == LOPE_PARTIAL)
        fprintf(stderr, "lope %s: %s: %s\n", work->command->name, work->scene->name, error.message);
    else if (status)
        return cli_fail(work->command, &error);
    return CLI_OK;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const climb_work *work = user;
    lope_climb_draw_def def = {.width = work->settings->width,
                               .dark = work->settings->dark,
                               .panels = work->settings->panels,
                               .interval = work->settings->interval};
    if (output->format == CLI_FORMAT_LOPE)
        return lope_climb_plan_save(work->plan, output->path, error);
    if (output->format == CLI_FORMAT_SVG)
        return lope_draw_climb(work->scene, &work->body, work->plan, &def, output->path, error);
    lope_clip *clip = NULL;
    const lope_climb_performance performance = {work->plan, &work->body, work->skeleton, NULL, work->scene->name};
    lope_status status = lope_climb_clip(&performance, &clip, error);
    if (!status)
        status = cli_write_clips(output, &clip, 1, error);
    lope_clip_destroy(clip);
    return status;
}

typedef struct report_row {
    const char *key, *name;
    double value;
    int decimals;
} report_row;

#define REPORT_ROWS (12 + LOPE_MODE_COUNT)

static void list_rows(const climb_work *work, report_row rows[REPORT_ROWS])
{
    const lope_climb_plan *plan = work->plan;
    const report_row before[] = {
        {"milliseconds", "planning, ms", 1e3 * work->seconds, 1},
        {"seconds", "motion, seconds", (plan->frame_count - 1) / plan->frame_rate, 1},
        {"steps", "changes of grasp", plan->step_count - 1, 0},
    };
    const report_row after[] = {
        {"left", "metres left", plan->left, 2},
        {"looked", "stances looked at", plan->counts.looked, 0},
        {"postures", "postures", plan->counts.postures, 0},
        {"evaluations", "evaluations of discomfort", plan->counts.evaluations, 0},
        {"motions", "motions checked", plan->counts.motions, 0},
        {"motions_failed", "motions that did not work", plan->counts.motions_failed, 0},
        {"samples", "random neighbours", plan->counts.samples, 0},
        {"walks", "random walks", plan->counts.walks, 0},
        {"backtracks", "backtracks", plan->counts.backtracks, 0},
    };
    memcpy(rows, before, sizeof before);
    for (int i = 0; i < LOPE_MODE_COUNT; i++) {
        const char *doing = lope_grasp_mode_doing((lope_grasp_mode)i);
        rows[3 + i] = (report_row){doing, doing, 0, 0};
    }
    for (int i = 1; i < plan->step_count; i++)
        rows[3 + plan->steps[i].mode].value++;
    memcpy(rows + 3 + LOPE_MODE_COUNT, after, sizeof after);
}

static void print_report(const climb_work *work)
{
    const lope_climb_plan *plan = work->plan;
    report_row rows[REPORT_ROWS];
    list_rows(work, rows);
    if (work->settings->json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "scene", work->scene->name);
        cli_json_bool(&json, "complete", plan->complete);
        for (int i = 0; i < REPORT_ROWS; i++)
            cli_json_number(&json, rows[i].key, rows[i].value);
        cli_json_close(&json, '}');
        return;
    }
    const char *const headings[] = {work->scene->name, plan->complete ? "arrives" : "does not arrive"};
    cli_table *table = cli_table_create(headings, 2);
    for (int i = 0; i < REPORT_ROWS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", i >= 3 && i < 3 + LOPE_MODE_COUNT ? "  " : "", rows[i].name);
        cli_table_add(table, name);
        cli_table_number(table, rows[i].value, rows[i].decimals);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static int refuse_modes(const cli_command *self, const char *found)
{
    char names[160] = "";
    for (int i = 0, used = 0; i < LOPE_MODE_COUNT; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i ? ", " : "",
                         lope_grasp_mode_name((lope_grasp_mode)i));
    return cli_usage(self, "--without takes modes (%s), found '%s'", names, found);
}

static int check(const cli_command *self, const climb_settings *settings, cli_operands operands)
{
    if (operands.count != 1)
        return cli_usage(self, "needs one scene, found %d", operands.count);
    if (planner_of(settings->planner) == LOPE_PLANNER_COUNT)
        return cli_usage(self, "--planner must be contacts, thesis or flight, found '%s'", settings->planner);
    lope_grasp_body body;
    if (settings->body && !lope_grasp_body_named(settings->body, &body))
        return cli_usage(self, "--body must be human, one-armed or gibbon, found '%s'", settings->body);
    unsigned without;
    if (!modes_of(settings->without, &without))
        return refuse_modes(self, settings->without);
    if (settings->open && settings->fit)
        return cli_usage(self, "--open does not go with --fit: a plan is of the scene it was made in");
    if (settings->open && settings->body)
        return cli_usage(self, "--open does not go with --body: a plan is of the body it was made for");
    if (settings->open && settings->back_to < 0 &&
        (settings->planner || settings->without || settings->speed || settings->sampled || settings->sits))
        return cli_usage(self, "--planner, --without, --speed, --sampled and --sits change nothing in a plan that is "
                               "opened: say with --back-to from where on it is planned again");
    speed_curve speeds;
    if (!speeds_of(settings->speed, &speeds))
        return cli_usage(self, "--speed takes 0.05 to 20, or SECONDS:FACTOR,... in order of time, found '%s'",
                         settings->speed);
    if (settings->fps < 1.0 || settings->fps > 1000.0)
        return cli_usage(self, "--fps must lie between 1 and 1000, found %g", settings->fps);
    return CLI_OK;
}

static int run(const cli_command *self, int count, char **arguments)
{
    lope_climb_def def = lope_climb_def_default();
    climb_settings settings = {.budget = def.budget,
                               .samples = def.samples,
                               .racers = def.racers,
                               .width = 1100,
                               .fps = def.frame_rate,
                               .weight = def.weight,
                               .seed = def.seed,
                               .then_seed = 2,
                               .back_to = -1};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    result = check(self, &settings, operands);
    climb_work work = {.command = self, .settings = &settings};
    lope_error error = {0};
    if (!result)
        result = open_scene(&work, operands.words[0]);
    if (!result && lope_jobs_create(settings.threads, &work.jobs, &error) != LOPE_OK)
        result = cli_fail(self, &error);
    if (!result && settings.open)
        result = open_plan(&work);
    if (!result)
        result = choose_body(&work);
    if (!result)
        result = fit_scene(&work);
    if (!result)
        result = make_plan(&work);
    if (!result)
        result = cli_write_outputs(self, &settings.outputs, write_one, &work);
    if (!result) {
        print_report(&work);
        result = work.plan->complete ? CLI_OK : cli_interrupted() ? CLI_INTERRUPTED : CLI_FAILED;
    }
    lope_climb_plan_destroy(work.plan);
    lope_skeleton_release(work.skeleton);
    lope_jobs_destroy(work.jobs);
    lope_climb_scene_destroy(work.scene);
    return result;
}

const cli_command cli_climb = {
    .name = "climb",
    .summary = "a character walks, climbs, swings and crawls through a scene",
    .synopsis = synopsis,
    .description =
        "Plans how a body gets from a start to a goal by the grasps of a scene: two feet walk, hands and feet climb or "
        "crawl, two hands swing. A plan that cannot arrive goes as far as it can and says what is missing; the exit "
        "code "
        "is then 1. Ctrl-C ends the search, and what it has so far is written.\n\nA scene is a JSON file with bounds, "
        "obstacles, holds, a start and a goal, or one of the "
        "built-in "
        "ones: walking, swinging, climbing, crawling, complex, complex_open, chimney, monkey_bars, tunnel, ledge, "
        "slide, terraces, bench.",
    .examples = examples,
    .options = options,
    .run = run,
};
