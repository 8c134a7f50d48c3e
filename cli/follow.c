// SPDX-License-Identifier: MIT
// `lope follow`: a character walks along a path around obstacles, found with motion maps; as BVH, GLB or a picture.
#include "cli/follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/blocks.h"

enum { MOST_NODES = 300000 };

#define AT(field) offsetof(follow_settings, field)
static const cli_option options[] = {
    CLI_OUTPUT_OPTION(follow_settings, "OUT.bvh|OUT.glb|OUT.svg", "The motion, or a picture of it. Needed."),
    {"scene", 's', CLI_TEXT, "SCENE", AT(scene),
     "A scene file or a built-in scene such as figure8, doors, clutter, uturns; its first flow is walked. In worlds "
     "with things (office, playground, files with floors) --from and --to say where."},
    {"flow", 0, CLI_COUNT, "N", AT(flow), "Another flow of the scene, counted from 1."},
    {"from", 0, CLI_TEXT, "X,Z[,FACING]", AT(from),
     "Where to begin, in metres, with a heading in degrees. In worlds with things: x,z,floor; floors count from 0."},
    {"to", 't', CLI_TEXT, "X,Z[,FACING]", AT(to), "Where to go."},
    {"sit", 0, CLI_TEXT, "THING", AT(sit), "Says what to type instead: 'lope go' sits on chairs."},
    {"boxes", 'b', CLI_TEXT, "BOXES", AT(boxes),
     "Obstacles in place of a scene: x,z,width,depth or x,z,width,depth,degrees; several separated by blanks."},
    {"patches", 'p', CLI_TEXT, "FILE.lope|builtin", AT(patches),
     "Walk on motion patches instead of along a path: a walk tile from 'lope build --patches', or one of the built-in "
     "set. It walks on where it begins and ends. In worlds with things: blocks from 'lope build --blocks'."},
    {"clearance", 0, CLI_POSITIVE, "METRES", AT(clearance),
     "Of the path from obstacles. By default 0.5, and more where no walk fits the path: wider turns are easier."},
    {"corridor", 0, CLI_POSITIVE, "METRES", AT(corridor), "How far the hips may be off the path; 0.5 by default."},
    {"walking", 0, CLI_FLAG, NULL, AT(walking), "Begin and end in the middle of walking, not standing."},
    {"no-edits", 0, CLI_FLAG, NULL, AT(no_edits), "Play steps exactly as they are: the goal is missed by some."},
    {"search", 0, CLI_CHOICE, "maps|astar|channel|pruned", AT(search),
     "Search without maps, for comparison, and draw what was looked at: A*, A* in the corridor, or the same with "
     "states that were there before cut."},
    {"published", 0, CLI_FLAG, NULL, AT(published),
     "Search as the paper does: exact cells, no corridor, no bent steps, every walk tried; arrives within a cell."},
    {"stages", 0, CLI_FLAG, NULL, AT(stages),
     "Draw how the walk was searched for: the motion maps as they were laid along the path, and the points of the path "
     "that they were asked for."},
    {"stage", 0, CLI_COUNT, "N", AT(stage), "The same of the N-th stage alone, with the walk up to its end."},
    {"many", 'n', CLI_COUNT, "N", AT(many),
     "So many characters between random places of the scene, searched for side by side; they do not know of each "
     "other."},
    {"seed", 0, CLI_SEED, "N", AT(seed), "With --many, other places."},
    {"fps", 0, CLI_POSITIVE, "N", AT(fps), "Frames per second of the output; 60 by default."},
    {"dark", 0, CLI_FLAG, NULL, AT(dark), "Draw light lines on dark ground."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print the report as JSON."},
    {"threads", 'j', CLI_COUNT, "N", AT(threads), "Threads to build the maps with where none are given."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] [MAPS.lope] --scene SCENE -o OUT",
                                       "[OPTION...] [MAPS.lope] --from X,Z --to X,Z [--boxes BOXES] -o OUT",
                                       "[OPTION...] --scene WORLD --from X,Z[,FLOOR] --to X,Z[,FLOOR] -o OUT", NULL};
static const char *const examples[] = {
    "Through narrow doors, as a picture:",
    "lope follow --scene doors -o doors.svg",
    "Captured motion around a table, to Blender:",
    "lope follow walk.lope --from 0,0 --to 2,6,90 --boxes '0.5,3,1.6,0.8' -o walk.glb",
    "Ten characters, each on a walk of its own:",
    "lope follow --scene clutter -n 10 -o ten.glb",
    "On motion patches:",
    "lope follow --patches builtin --scene clutter -o walk.svg",
    "Up the stairs of an office:",
    "lope follow --scene office --from 2,2 --to 9,14,1 -o upstairs.glb",
    NULL};

typedef struct following {
    const cli_command *command;
    const follow_settings *settings;
    follow_maps maps;
    follow_task task;
    lope_space *space;
    lope_passages *passages;
    lope_path_finder *finder;
    lope_vec2 *path;
    int count;
    lope_follow *follow;
    lope_clip *film;
    lope_rival *rival;   // a search without maps, instead of `follow`
    char note[128];      // what it found, for the picture
    lope_status outcome; // of the search
    double microseconds;
    double clearance;    // of the path
    bool begins_walking; // no start from standing fits
    bool ends_walking;   // no stop fits
} following;

static void free_all(following *f)
{
    lope_clip_destroy(f->film);
    lope_rival_destroy(f->rival);
    lope_follow_destroy(f->follow);
    free(f->path);
    lope_path_finder_destroy(f->finder);
    lope_passages_destroy(f->passages);
    lope_space_destroy(f->space);
    follow_task_free(&f->task);
    follow_maps_close(&f->maps);
}

static int open_space(following *f)
{
    lope_error error = {0};
    lope_status status = lope_scene_space(f->task.scene, &f->space, &error);
    if (!status)
        status = lope_passages_create(f->space, &f->passages, &error);
    if (!status)
        status = lope_path_finder_create(&f->finder, &error);
    return status ? cli_fail(f->command, &error) : CLI_OK;
}

// Paths from place to place, one after the other. Says why there is none unless `quiet`.
static int find_path(following *f, bool quiet)
{
    lope_error error = {0};
    lope_status status = LOPE_OK;
    f->count = 0;
    for (int i = 0; i + 1 < f->task.count && !status; i++) {
        lope_vec2 a = f->task.places[i], b = f->task.places[i + 1];
        lope_path path;
        status = lope_path_find(f->finder, f->passages, a, b, (float)f->clearance, &path, &error);
        if (status == LOPE_NOT_FOUND && quiet)
            return CLI_FAILED;
        if (status == LOPE_NOT_FOUND) {
            fprintf(stderr, "lope %s: from %g,%g to %g,%g with a clearance of %g m: %s\n", f->command->name,
                    (double)a.x, (double)a.z, (double)b.x, (double)b.z, f->clearance, error.message);
            return CLI_FAILED;
        }
        if (status)
            break;
        int skip = f->count > 0; // the place where two paths meet
        f->path = realloc(f->path, (size_t)(f->count + path.point_count) * sizeof *f->path);
        if (!f->path)
            abort();
        memcpy(f->path + f->count, path.points + skip, (size_t)(path.point_count - skip) * sizeof *f->path);
        f->count += path.point_count - skip;
    }
    return status ? cli_fail(f->command, &error) : CLI_OK;
}

lope_follow_def follow_definition(const follow_settings *settings)
{
    lope_follow_def def = settings->published ? lope_follow_def_published() : lope_follow_def_default();
    if (settings->published)
        return def;
    def.corridor = settings->corridor > 0.0 ? (float)settings->corridor : 0.5f;
    def.start_standing = def.stop = !settings->walking;
    if (settings->no_edits) {
        def.turn = def.stride = 0.0f;
        def.goal_distance = 0.1f;
        def.goal_turn = (float)(LOPE_PI / 12.0);
    }
    return def;
}

static lope_follow_def definition(const following *f)
{
    lope_follow_def def = follow_definition(f->settings);
    def.start_standing = def.start_standing && !f->begins_walking;
    def.stop = def.stop && !f->ends_walking;
    return def;
}

static lope_follow_query question(const following *f)
{
    lope_follow_query query = lope_follow_query_along(f->path, f->count, (float)f->clearance);
    query.world = lope_follow_in_space(f->space);
    if (isfinite(f->task.start_yaw))
        query.start.yaw = f->task.start_yaw;
    if (isfinite(f->task.goal_yaw))
        query.goal_yaw = f->task.goal_yaw;
    return query;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const following *f = user;
    lope_drawn_path path = {f->path, f->count};
    follow_picture picture = {&f->task, &path, output->path, f->settings->dark, f->settings->stage};
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, &f->film, 1, error);
    if (f->settings->stage || f->settings->stages)
        return follow_draw_stages(&picture, f->follow, f->maps.maps, error);
    return f->rival ? follow_draw_rival(&picture, f->rival, f->note, error)
                    : follow_draw(&picture, f->follow, f->film, error);
}

// A search without maps: what it looked at, as a picture.
static int compare(following *f)
{
    lope_error error = {0};
    lope_rival_def def = {(lope_rival_kind)(f->settings->search - 1), definition(f), MOST_NODES};
    lope_follow_query query = question(f);
    if (lope_rival_create(f->maps.maps, &def, &f->rival, &error) != LOPE_OK)
        return cli_fail(f->command, &error);
    double begin = cli_seconds();
    f->outcome = lope_rival_find(f->rival, &query, &error);
    f->microseconds = 1e6 * (cli_seconds() - begin);
    snprintf(f->note, sizeof f->note, "%s: %d walks looked at, %.1f ms%s",
             f->settings->search == 1   ? "A*"
             : f->settings->search == 2 ? "A* in the corridor"
                                        : "A* in the corridor, pruned",
             lope_rival_about(f->rival).tried, 1e-3 * f->microseconds, f->outcome ? ", gave up" : "");
    int code = cli_write_outputs(f->command, &f->settings->outputs, write_one, f);
    if (code)
        return code;
    cli_print_outputs(&f->settings->outputs);
    printf(": %s\n", f->note);
    return f->outcome ? CLI_FAILED : CLI_OK;
}

static int search(following *f)
{
    lope_error error = {0};
    lope_follow_destroy(f->follow);
    f->follow = NULL;
    lope_follow_def def = definition(f);
    lope_follow_query query = question(f);
    lope_status status = lope_follow_create(f->maps.maps, &def, &f->follow, &error);
    double begin = cli_seconds();
    if (!status)
        status = f->outcome = lope_follow_path(f->follow, &query, &error);
    f->microseconds = 1e6 * (cli_seconds() - begin);
    return status > LOPE_PARTIAL ? cli_fail(f->command, &error) : CLI_OK;
}

// Where no walk fits the path: one that turns wider, if there is any.
static int search_wider(following *f)
{
    static const double wider[] = {0.7, 0.95};
    double first = f->clearance;
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++) {
        f->clearance = wider[i];
        if (find_path(f, true) != CLI_OK)
            continue;
        int code = search(f);
        if (code || f->outcome == LOPE_OK) {
            if (!code)
                fprintf(stderr, "lope %s: note: no walk fits a path with a clearance of %g m; this one keeps %g m\n",
                        f->command->name, first, f->clearance);
            return code;
        }
    }
    f->clearance = first;
    int code = find_path(f, false);
    return code ? code : search(f);
}

// Where no start from standing or no stop fits: a walk that begins or ends in the middle of walking, if there is any.
static int search_begun(following *f)
{
    static const char *const how[] = {"start from standing fits; this walk begins",
                                      "stop in standing fits; this walk ends",
                                      "start and stop fit; this walk begins and ends"};
    for (int k = 1; k <= 3; k++) {
        f->begins_walking = k & 1;
        f->ends_walking = k & 2;
        int code = search(f);
        if (code)
            return code;
        if (f->outcome == LOPE_OK) {
            fprintf(stderr, "lope %s: note: no %s in the middle of walking\n", f->command->name, how[k - 1]);
            return CLI_OK;
        }
    }
    f->begins_walking = f->ends_walking = false;
    return search(f);
}

lope_status follow_film(const lope_follow *follow, const lope_steps *steps, double fps, lope_clip **out,
                        lope_error *error)
{
    int count = lope_follow_count(follow);
    lope_play *walk = cli_alloc((size_t)count * sizeof *walk);
    for (int i = 0; i < count; i++) {
        lope_walk_step step = lope_follow_step(follow, i);
        walk[i] = (lope_play){step.step, step.edge, step.turn, step.stride};
    }
    lope_player_def def = lope_player_def_default();
    lope_status status = lope_walk_film(steps, walk, count, lope_follow_step(follow, 0).at, &def, fps, out, error);
    free(walk);
    return status;
}

static void report(const following *f)
{
    lope_follow_report r = lope_follow_about(f->follow);
    const double degrees = 180.0 / LOPE_PI;
    if (f->settings->json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '{');
        cli_json_outputs(&json, &f->settings->outputs);
        cli_json_bool(&json, "arrived", f->outcome == LOPE_OK);
        cli_json_number(&json, "steps", lope_follow_count(f->follow));
        cli_json_number(&json, "metres", (double)r.length);
        cli_json_number(&json, "path", (double)r.path_length);
        cli_json_number(&json, "miss", (double)r.miss);
        cli_json_number(&json, "turn", degrees * (double)r.turn);
        cli_json_number(&json, "deviation", (double)r.deviation);
        cli_json_number(&json, "maps_asked", r.stages);
        cli_json_number(&json, "walks_tried", r.tried);
        cli_json_number(&json, "backtracks", r.backtracks);
        cli_json_number(&json, "microseconds", f->microseconds);
        cli_json_close(&json, '}');
        return;
    }
    cli_print_outputs(&f->settings->outputs);
    printf(": %d steps, %.2f m along a path of %.2f m; ends %.1f cm and %.1f degrees off the goal\n",
           lope_follow_count(f->follow), (double)r.length, (double)r.path_length, 100.0 * (double)r.miss,
           degrees * (double)r.turn);
    printf("%d maps asked, %d walks tried, %d times turned back, %.0f microseconds\n", r.stages, r.tried, r.backtracks,
           f->microseconds);
}

static int write_output(following *f)
{
    lope_error error = {0};
    if (lope_follow_count(f->follow) == 0) {
        fprintf(stderr, "lope %s: no step fits the beginning of the path; nothing was written\n", f->command->name);
        return CLI_FAILED;
    }
    lope_status status = follow_film(f->follow, f->maps.maps->steps, f->settings->fps, &f->film, &error);
    int code =
        status ? cli_fail(f->command, &error) : cli_write_outputs(f->command, &f->settings->outputs, write_one, f);
    if (code)
        return code;
    report(f);
    if (f->outcome == LOPE_OK)
        return CLI_OK;
    fprintf(
        stderr,
        "lope %s: partial: did not arrive: no walk of these steps leads all the way; this one got furthest, to %.2f m "
        "from the goal (a wider path, --clearance, or more clips may help)\n",
        f->command->name, (double)lope_follow_about(f->follow).miss);
    return CLI_FAILED;
}

static int check(const cli_command *self, const follow_settings *settings, const cli_operands *operands)
{
    int result = cli_need_output(self, &settings->outputs);
    if (result)
        return result;
    if (settings->search > 0 && cli_writes_motion(&settings->outputs))
        return cli_usage(self, "a search without maps is only drawn: give -o OUT.svg with --search");
    if ((settings->stage || settings->stages) && (settings->search > 0 || cli_writes_motion(&settings->outputs)))
        return cli_usage(self, "stages of a search with maps are only drawn: give -o OUT.svg with --stages");
    if (settings->many && (settings->from || settings->to || settings->flow || settings->search > 0 ||
                           settings->patches || settings->stage || settings->stages))
        return cli_usage(self,
                         "--many chooses places by itself and searches with maps: leave out --from, --to, --flow, "
                         "--search, --patches and --stages");
    if (settings->many && !settings->scene)
        return cli_usage(self, "--many needs --scene NAME");
    if (settings->seed && !settings->many)
        return cli_usage(self, "--seed goes with --many");
    if (settings->patches && (operands->count > 0 || settings->search > 0))
        return cli_usage(self, "--patches needs no maps: leave out the file of maps and --search");
    if (settings->patches && (settings->published || settings->stage || settings->stages))
        return cli_usage(self, "--published and --stages are of searches with maps: leave out --patches");
    if (settings->published && (settings->walking || settings->no_edits || settings->corridor > 0.0))
        return cli_usage(self, "--published chooses these itself: leave out --corridor, --walking and --no-edits");
    if (operands->count > 1)
        return cli_usage(self, "one file of maps is enough, found %d: '%s', '%s'", operands->count, operands->words[0],
                         operands->words[1]);
    return CLI_OK;
}

static int run(const cli_command *self, int count, char **arguments)
{
    follow_settings settings = {.fps = 60.0};
    cli_operands operands;
    int code;
    if (!cli_parse(self, count, arguments, &settings, &operands, &code))
        return code;
    following f = {.command = self, .settings = &settings};
    f.clearance = settings.clearance > 0.0 ? settings.clearance : 0.5;
    code = check(self, &settings, &operands);
    if (!code && settings.sit)
        code = cli_usage(self, "to sit down: lope go %s --from X,Y,Z --use %s -o OUT",
                         settings.scene ? settings.scene : "office", settings.sit);
    if (!code && settings.many && cli_names_blocks(settings.scene))
        code = cli_usage(self, "--many walks on flat scenes; in worlds with things: lope crowd %s", settings.scene);
    if (!code && settings.scene && cli_names_blocks(settings.scene))
        return follow_on_blocks(self, &settings);
    if (!code)
        code = follow_task_read(self, &settings, &f.task);
    if (!code && settings.patches) {
        code = follow_on_patches(self, &settings, &f.task);
        free_all(&f);
        return code;
    }
    if (!code)
        code = open_space(&f);
    if (!code && !settings.many)
        code = find_path(&f, false);
    if (!code)
        code = follow_maps_open(self, operands.count ? operands.words[0] : NULL, settings.threads, &f.maps);
    if (!code && settings.many) {
        code = follow_many(self, &settings, f.task.scene,
                           &(follow_place){f.space, f.passages, f.maps.maps, (float)f.clearance});
    } else if (!code && settings.search > 0) {
        code = compare(&f);
    } else if (!code) {
        code = search(&f);
        if (!code && f.outcome == LOPE_PARTIAL && settings.clearance <= 0.0)
            code = search_wider(&f);
        if (!code && f.outcome == LOPE_PARTIAL && !settings.walking)
            code = search_begun(&f);
        if (!code)
            code = write_output(&f);
    }
    free_all(&f);
    return code;
}

const cli_command cli_follow = {
    .name = "follow",
    .summary = "a character walks along a path around obstacles",
    .synopsis = synopsis,
    .description =
        "Plans a path with clearance through a scene and lets a character walk along it, with steps that are found in "
        "motion maps (see 'lope build --maps'). It starts from standing and stops in standing where the clips know how "
        "to.\n\nWithout maps it is the character of the built-in set. Where no walk leads to the goal, the one that "
        "got furthest is written, and the exit code is 1.",
    .examples = examples,
    .options = options,
    .run = run,
};
