// SPDX-License-Identifier: MIT
// `lope path`: a way for a disc through a scene: its length, how long it took to find, a picture with the
// triangulation.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/follow.h"
#include "cli/outputs.h"
#include "cli/scenes.h"

typedef struct path_settings {
    cli_outputs outputs;
    const char *from, *to, *boxes;
    double clearance;
    int width;
    bool pairs, dark, json;
} path_settings;

#define AT(field) offsetof(path_settings, field)
static const cli_option options[] = {
    {"from", 'f', CLI_TEXT, "X,Z", AT(from),
     "Where to begin, in metres; by default where the scene's first flow does."},
    {"to", 't', CLI_TEXT, "X,Z", AT(to), "Where to go; by default where the first flow leads."},
    {"clearance", 'c', CLI_POSITIVE, "METRES", AT(clearance), "Radius of the disc; 0.3 by default."},
    {"boxes", 'b', CLI_TEXT, "BOXES", AT(boxes),
     "Obstacles that come to those of the scene: x,z,width,depth or x,z,width,depth,degrees; several separated by "
     "blanks. The ways are brought up to date near them."},
    {"pairs", 0, CLI_FLAG, NULL, AT(pairs),
     "Find it in the published way, in a local clearance triangulation: a clearance for every pair of edges."},
    CLI_OUTPUT_OPTION(path_settings, "OUT.svg", "A picture: triangles, the path, what it sweeps and crosses."),
    {"width", 'w', CLI_COUNT, "PIXELS", AT(width), "Width of the picture; 1000 by default."},
    {"dark", 0, CLI_FLAG, NULL, AT(dark), "Light lines on dark ground."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print the path with all its points as JSON."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] SCENE.json|NAME", NULL};
static const char *const examples[] = {
    "Through a maze, with a picture:", "lope path maze -o maze.svg",
    "How wide a way from here to there may be:", "lope path plaza --from -18,0 --to 18,3 --clearance 0.8", NULL};

typedef struct path_work {
    const cli_command *command;
    const path_settings *settings;
    lope_scene *scene;
    lope_space *space;
    lope_passages *passages;
    lope_lct *lct; // with --pairs
    lope_path_finder *finder;
    lope_path path;
    lope_vec2 from, to;
    double microseconds, update_microseconds;
} path_work;

static bool parse_place(const char *text, lope_vec2 *out)
{
    char *end;
    double x = strtod(text, &end), z = 0.0;
    if (end == text || *end != ',')
        return false;
    const char *second = end + 1;
    z = strtod(second, &end);
    *out = (lope_vec2){(float)x, (float)z};
    return end != second && !*end && isfinite(x) && isfinite(z);
}

// What was asked for, or the middle of an area of the first flow.
static int choose_place(const path_work *work, const char *option, const char *text, bool at_end, lope_vec2 *out)
{
    const lope_scene *scene = work->scene;
    if (text && !parse_place(text, out))
        return cli_usage(work->command, "--%s needs a place x,z in metres, found '%s'", option, text);
    if (text)
        return CLI_OK;
    if (!scene->flow_count)
        return cli_usage(work->command, "the scene has no flow: say where with --from and --to");
    const lope_scene_area *area = &scene->areas[at_end ? scene->flows[0].to : scene->flows[0].from];
    *out = (lope_vec2){0.5f * (area->low.x + area->high.x), 0.5f * (area->low.z + area->high.z)};
    return CLI_OK;
}

static int add_box(path_work *work, const char *text, size_t length)
{
    double n[5] = {0};
    lope_error error = {0};
    lope_vec2 corners[4];
    int name, count = follow_numbers(text, length, n, 5);
    if (count < 4 || !(n[2] > 0.0 && n[3] > 0.0))
        return cli_usage(work->command,
                         "--boxes needs boxes such as x,z,width,depth or x,z,width,depth,degrees, found '%.*s'",
                         (int)length, text);
    double turn = n[4] * LOPE_PI / 180.0, cosine = lope_cos(turn), sine = lope_sin(turn);
    for (int i = 0; i < 4; i++) {
        double x = (i == 1 || i == 2 ? 0.5 : -0.5) * n[2], z = (i >= 2 ? 0.5 : -0.5) * n[3];
        corners[i] = (lope_vec2){(float)(n[0] + cosine * x + sine * z), (float)(n[1] - sine * x + cosine * z)};
    }
    return lope_space_add(work->space, corners, 4, &name, &error) ? cli_fail(work->command, &error) : CLI_OK;
}

// Adds boxes, and lets the ways follow with work near them only.
static int add_boxes(path_work *work)
{
    lope_error error = {0};
    const char *text = work->settings->boxes ? work->settings->boxes : "";
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        int result = add_box(work, text, length);
        if (result)
            return result;
        text += length;
    }
    double start = cli_seconds();
    lope_status status = lope_passages_update(work->passages, work->space, &error);
    work->update_microseconds = 1e6 * (cli_seconds() - start);
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

static lope_status find_once(path_work *work, lope_error *error)
{
    float clearance = (float)work->settings->clearance;
    return work->lct
               ? lope_lct_find(work->finder, work->lct, work->from, work->to, clearance, &work->path, error)
               : lope_path_find(work->finder, work->passages, work->from, work->to, clearance, &work->path, error);
}

static int open_ways(path_work *work)
{
    lope_error error = {0};
    lope_status status = lope_scene_space(work->scene, &work->space, &error);
    if (!status)
        status = lope_passages_create(work->space, &work->passages, &error);
    if (!status)
        status = lope_path_finder_create(&work->finder, &error);
    int result = status ? cli_fail(work->command, &error) : add_boxes(work);
    if (!result && work->settings->pairs)
        result = lope_lct_create(work->space, &work->lct, &error) ? cli_fail(work->command, &error) : CLI_OK;
    return result;
}

// Found twice: the first time takes memory.
static int find(path_work *work)
{
    lope_error error = {0};
    lope_status status = LOPE_OK;
    int result = open_ways(work);
    if (result)
        return result;
    for (int i = 0; i < 2 && !status; i++) {
        double start = cli_seconds();
        status = find_once(work, &error);
        work->microseconds = 1e6 * (cli_seconds() - start);
    }
    if (status != LOPE_NOT_FOUND)
        return status ? cli_fail(work->command, &error) : CLI_OK;
    fprintf(stderr, "lope %s: from %g,%g to %g,%g with a clearance of %g m: %s", work->command->name,
            (double)work->from.x, (double)work->from.z, (double)work->to.x, (double)work->to.z,
            work->settings->clearance, error.message);
    if (work->path.outcome == LOPE_PATH_NONE)
        fprintf(stderr, "; the widest way allows %.3g m\n",
                (double)lope_passages_widest(work->passages, work->from, work->to));
    else
        fprintf(stderr, "\n");
    return CLI_FAILED;
}

static void print_json(const path_work *work)
{
    const lope_path *path = &work->path;
    cli_json json = {.file = stdout, .first = true};
    cli_json_open(&json, NULL, '{');
    cli_json_number(&json, "length", (double)path->length);
    cli_json_number(&json, "clearance", work->settings->clearance);
    cli_json_number(&json, "widest", (double)lope_passages_widest(work->passages, work->from, work->to));
    cli_json_open(&json, "points", '[');
    for (int i = 0; i < path->point_count; i++) {
        cli_json_open(&json, NULL, '[');
        cli_json_number(&json, NULL, (double)path->points[i].x);
        cli_json_number(&json, NULL, (double)path->points[i].z);
        cli_json_close(&json, ']');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    printf("\n");
}

static void print_report(const path_work *work)
{
    const lope_path *path = &work->path;
    if (work->settings->json) {
        print_json(work);
        return;
    }
    double x = (double)(work->to.x - work->from.x), z = (double)(work->to.z - work->from.z);
    printf("%.3f m from %g,%g to %g,%g (%.3f m straight), across %d edges, found in %.1f us\n", (double)path->length,
           (double)work->from.x, (double)work->from.z, (double)work->to.x, (double)work->to.z, sqrt(x * x + z * z),
           path->portal_count, work->microseconds);
    if (work->settings->boxes)
        printf("the ways were brought up to date in %.1f us\n", work->update_microseconds);
    if (work->lct)
        printf("a local clearance triangulation with %d splits of walls\n", lope_lct_splits(work->lct));
    printf("the widest way allows a clearance of %.3f m\n",
           (double)lope_passages_widest(work->passages, work->from, work->to));
}

static lope_status draw(void *user, const cli_output *output, lope_error *error)
{
    const path_work *work = user;
    lope_draw_def def = lope_draw_def_default();
    def.width = work->settings->width;
    def.dark = work->settings->dark;
    return work->lct ? lope_draw_lct(work->lct, &work->path, (float)work->settings->clearance, &def, work->scene->name,
                                     output->path, error)
                     : lope_draw_space(work->passages, &work->path, (float)work->settings->clearance, &def,
                                       work->scene->name, output->path, error);
}

static int check(const cli_command *self, const path_settings *settings, cli_operands operands)
{
    if (operands.count != 1)
        return cli_usage(self, "one scene is needed, found %d", operands.count);
    if (settings->width < 240 || settings->width > 20000)
        return cli_usage(self, "--width needs a whole number from 240 to 20000, found %d", settings->width);
    return CLI_OK;
}

static int run(const cli_command *self, int count, char **arguments)
{
    path_settings settings = {.clearance = 0.3, .width = 1000};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    result = check(self, &settings, operands);
    if (result)
        return result;
    path_work work = {.command = self, .settings = &settings};
    result = cli_scene_open(self, operands.words[0], &work.scene);
    if (!result)
        result = choose_place(&work, "from", settings.from, false, &work.from);
    if (!result)
        result = choose_place(&work, "to", settings.to, true, &work.to);
    if (!result)
        result = find(&work);
    if (!result)
        result = cli_write_outputs(self, &settings.outputs, draw, &work);
    if (!result)
        print_report(&work);
    lope_path_finder_destroy(work.finder);
    lope_lct_destroy(work.lct);
    lope_passages_destroy(work.passages);
    lope_space_destroy(work.space);
    lope_scene_destroy(work.scene);
    return result;
}

const cli_command cli_path = {
    .name = "path",
    .summary = "a way for a disc through a scene",
    .synopsis = synopsis,
    .description = "Triangulates the free ground of a scene and finds a short way for a disc that keeps clear of all "
                   "obstacles. Says how long it is, how long finding it took once memory was there, and how wide a "
                   "disc could be on its way from here to there. Where there is none, it says why.",
    .options = options,
    .examples = examples,
    .run = run,
};
