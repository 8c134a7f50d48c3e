// SPDX-License-Identifier: MIT
// `lope track`: a character walks from target to target; what it does comes out as BVH, GLB or a picture.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/maps.h"
#include "cli/scenes.h"
#include "cli/track.h"
#include "lope/lope.h"

#define AT(field) offsetof(track_settings, field)
static const cli_option options[] = {
    CLI_OUTPUT_OPTION(track_settings, "OUT.bvh|OUT.glb|OUT.svg", "The motion, or a picture of it. Needed."),
    {"to", 't', CLI_TEXT, "TARGETS", AT(to),
     "Where to go: x,z in metres, or x,z,facing with a heading in degrees; several separated by blanks."},
    {"targets", 'f', CLI_TEXT, "FILE", AT(targets), "The same from a file, one target a line; # begins a comment."},
    {"pass", 'p', CLI_FLAG, NULL, AT(pass), "Walk on past each target instead of standing still there."},
    {"limit", 0, CLI_POSITIVE, "SECONDS", AT(limit), "Give a target up after this long; 60 by default."},
    {"pause", 0, CLI_NUMBER, "SECONDS", AT(pause), "How long to stand at each target; 1 by default."},
    {"from", 0, CLI_TEXT, "X,Z[,FACING]", AT(from), "Where to begin; at the origin, facing +Z, by default."},
    {"scene", 's', CLI_TEXT, "SCENE.json|NAME", AT(scene),
     "Walk among the obstacles of a scene: a file, or plaza, maze, living_room, ..."},
    {"steering", 0, CLI_CHOICE, "predict|steer|none|thesis", AT(steering),
     "With --scene, how to keep off obstacles, as 'lope crowd --avoid' has it."},
    {"decision", 0, CLI_CHOICE, "time|greedy", AT(decision),
     "How the next motion is chosen: by the time to the target (the default), or greedily as in the thesis."},
    {"weights", 0, CLI_TEXT, "METRE,DEGREE", AT(weights),
     "With --decision greedy, what a metre to the target and a degree off the way there cost; 310,17 by default."},
    {"thesis", 0, CLI_FLAG, NULL, AT(thesis),
     "All of it as in the thesis: --decision greedy at every state, --fade thesis, --no-edits, --no-lock; with "
     "--scene, "
     "--steering thesis."},
    {"fade", 0, CLI_CHOICE, "inertia|ease|thesis", AT(fade),
     "How transitions are covered up: difference and speed decay, the difference is eased out, or the thesis' blend to "
     "a pose 8 frames ahead."},
    {"prefer", 0, CLI_TEXT, "TAGS", AT(prefer),
     "What it likes to do, separated by commas: words that the map was built with (lope build --tags), walk, run; "
     "everything else counts as twice as long."},
    {"avoid", 0, CLI_TEXT, "TAGS", AT(avoid), "What it does not like to do, likewise."},
    {"no-lock", 0, CLI_FLAG, NULL, AT(no_lock), "Do not lock the feet."},
    {"no-edits", 0, CLI_FLAG, NULL, AT(no_edits), "Play motions exactly as they are, without steering."},
    {"fps", 0, CLI_POSITIVE, "N", AT(fps), "Frames per second of the output; 60 by default."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print the report as JSON."},
    {"threads", 'j', CLI_COUNT, "N", AT(threads), "Threads to build the map with where none is given."},
    {0}};

enum { FADE_THESIS = 2 };

static const char *const synopsis[] = {"[OPTION...] [MAP.lope] --to 'X,Z[,FACING] ...' -o OUT", NULL};
static const char *const examples[] = {"A built-in character walks around a corner, to Blender:",
                                       "lope track --to '0,4 3,4,90' -o walk.glb",
                                       "A map of captured motion, as a picture:",
                                       "lope track walk.lope --to '2,3 -1,5 0,0,180' -o walk.svg",
                                       "Around the furniture of a living room:",
                                       "lope track --scene living_room --from=-3,-2 --to '3,2' -o room.svg",
                                       NULL};

static void add_target(target_list *list, lope_goal goal)
{
    list->items = realloc(list->items, ((size_t)list->count + 1) * sizeof *list->items);
    if (!list->items)
        abort();
    list->items[list->count++] = goal;
}

// One "x,z[,facing]", of the given length.
static bool parse_target(const char *text, size_t length, lope_goal *out)
{
    char copy[128], *at = copy, *end;
    double numbers[3] = {0.0, 0.0, (double)NAN};
    if (length >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    int count = 0;
    for (; count < 3; count++) {
        numbers[count] = strtod(at, &end);
        if (end == at || !isfinite(numbers[count]))
            return false;
        at = end + 1;
        if (*end != ',')
            break;
    }
    if (*end || count < 1 || count > 2)
        return false;
    *out = (lope_goal){.position = {(float)numbers[0], (float)numbers[1]},
                       .facing = (float)(numbers[2] * LOPE_PI / 180.0),
                       .stop = true};
    return true;
}

// Targets of a text, up to a # in each line. Returns the first word that is none (its length in *length), or NULL.
static const char *parse_targets(const char *text, target_list *list, size_t *length)
{
    while (*text) {
        *length = strcspn(text, " \t\r\n#");
        lope_goal goal;
        if (*length && !parse_target(text, *length, &goal))
            return text;
        if (*length)
            add_target(list, goal);
        text += *length;
        text += *text == '#' ? strcspn(text, "\n") : strspn(text, " \t\r\n");
    }
    return NULL;
}

static int read_targets(const cli_command *self, const char *path, target_list *list)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "lope %s: %s: no such file\n", self->name, path);
        return CLI_NOT_FOUND;
    }
    char line[512];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        size_t length;
        const char *bad = parse_targets(line, list, &length);
        if (bad) {
            fprintf(stderr, "lope %s: %s:%d: expected x,z or x,z,facing, found '%.*s'\n", self->name, path, number,
                    (int)length, bad);
            fclose(file);
            return CLI_FAILED;
        }
    }
    fclose(file);
    return CLI_OK;
}

static lope_status to_clip(const recording *r, const lope_skeleton *skeleton, double fps, lope_clip **out,
                           lope_error *error)
{
    lope_status status = lope_clip_create(skeleton, "track", r->frames, fps, LOPE_CLIP_CONTACTS, out, error);
    if (status)
        return status;
    size_t n = (size_t)r->frames;
    memcpy((*out)->root, r->root, n * sizeof *r->root);
    memcpy((*out)->rotations, r->rotations, n * (size_t)r->joints * sizeof *r->rotations);
    memcpy((*out)->contacts, r->contacts, n * sizeof *r->contacts);
    return LOPE_OK;
}

// Times its length that is added to what it does not like. From 2 on, walking away from the target in a way that it
// likes is no worse than walking there in another.
#define DISLIKED 1.0f

// Bits of the tags in a list.
static lope_status find_tags(const lope_mobility *map, const char *list, unsigned *out, lope_error *error)
{
    *out = 0;
    for (size_t size; list && *list; list += size + (list[size] == ',')) {
        char word[LOPE_TAG_NAME];
        size = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)size, list);
        int tag = size < sizeof word ? lope_mobility_find_tag(map, word) : -1;
        if (tag < 0) {
            *error = (lope_error){.status = LOPE_NOT_FOUND};
            int length = snprintf(error->message, sizeof error->message, "no tag '%s%s' in the map, which has", word,
                                  size < sizeof word ? "" : "...");
            for (int t = 0; t < LOPE_TAG_COUNT; t++)
                if (lope_mobility_tag_name(map, (lope_tag)t)[0])
                    length += snprintf(error->message + length, sizeof error->message - (size_t)length, " %s",
                                       lope_mobility_tag_name(map, (lope_tag)t));
            return LOPE_NOT_FOUND;
        }
        *out |= 1u << tag;
    }
    return LOPE_OK;
}

// Two weights "DISTANCE,ANGLE".
static bool parse_weights(const char *text, lope_walker_def *def)
{
    char *end;
    double distance = strtod(text, &end), angle = -1.0;
    if (end != text && *end == ',') {
        text = end + 1;
        angle = strtod(text, &end);
    }
    def->distance_weight = (float)distance;
    def->angle_weight = (float)angle;
    return end != text && !*end && distance >= 0.0 && distance < 1e6 && angle >= 0.0 && angle < 1e6;
}

// As it was asked for; `taste` must outlive it.
static lope_status make_def(const lope_mobility *map, const track_settings *settings, lope_taste *taste,
                            lope_walker_def *def, lope_error *error)
{
    const int fade = settings->thesis && settings->fade < 0 ? FADE_THESIS : settings->fade;
    *def = lope_walker_def_default();
    if (settings->weights)
        parse_weights(settings->weights, def);
    if (settings->decision == 1 || (settings->thesis && settings->decision < 0))
        def->decision = LOPE_DECIDE_GREEDY;
    def->lock_feet = !settings->no_lock && !settings->thesis;
    if (fade > 0) {
        def->fade = fade == FADE_THESIS ? LOPE_FADE_AHEAD : LOPE_FADE_EASE;
        def->fade_duration = fade == FADE_THESIS ? 8.0f / 30.0f : 0.3f;
    }
    if (settings->no_edits || settings->thesis)
        def->edit_step = def->edit_turn = 0.0f;
    if (settings->thesis)
        def->decide_interval = 0.0f;
    *taste = (lope_taste){.longer = DISLIKED};
    lope_status status = find_tags(map, settings->prefer, &taste->prefer, error);
    if (!status)
        status = find_tags(map, settings->avoid, &taste->avoid, error);
    if (settings->prefer || settings->avoid) {
        def->cost = lope_taste_cost;
        def->cost_user = taste;
    }
    return status;
}

static lope_status walk_all(const track_work *work, recording *r, lope_error *error)
{
    lope_taste taste;
    lope_walker_def def;
    lope_status status = make_def(work->map, work->settings, &taste, &def, error);
    r->joints = lope_mobility_set(work->map)->skeleton->joint_count;
    if (status)
        return status;
    return work->scene ? track_in_scene(work, &def, r, error) : track_on_open_ground(work, &def, r, error);
}

// What is written: the motion, and what it was walked in.
typedef struct track_written {
    const track_work *work;
    lope_clip *clip;
} track_written;

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const track_written *written = user;
    lope_clip *clip = written->clip;
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, &clip, 1, error);
    if (written->work->scene)
        return track_draw_scene(written->work, clip, output->path, error);
    lope_draw_def def = lope_draw_def_default();
    def.parts = LOPE_DRAW_STROBE | LOPE_DRAW_PATH | LOPE_DRAW_CONTACTS;
    return lope_draw(clip, &def, output->path, error);
}

static int missed_targets(const target_list *targets, const target_result *results)
{
    int missed = 0;
    for (int i = 0; i < targets->count; i++)
        missed += !results[i].arrived;
    return missed;
}

// How long each tag was shown, where some are liked or not.
static void print_tags(const track_settings *settings, const recording *r)
{
    const char *between = "";
    if (!settings->prefer && !settings->avoid)
        return;
    for (int t = 0; t < LOPE_TAG_COUNT; t++)
        if (r->tagged[t]) {
            printf("%s%s %.1f s", between, lope_mobility_tag_name(r->map, (lope_tag)t), r->tagged[t] / settings->fps);
            between = ", ";
        }
    putchar('\n');
}

static void print_json(const target_list *targets, const target_result *results, const track_settings *settings,
                       const recording *r)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '{');
    cli_json_outputs(&json, &settings->outputs);
    cli_json_bool(&json, "arrived", missed_targets(targets, results) == 0);
    cli_json_number(&json, "seconds", (double)r->frames / settings->fps);
    cli_json_open(&json, "tags", '{');
    for (int t = 0; t < LOPE_TAG_COUNT; t++)
        if (lope_mobility_tag_name(r->map, (lope_tag)t)[0])
            cli_json_number(&json, lope_mobility_tag_name(r->map, (lope_tag)t), r->tagged[t] / settings->fps);
    cli_json_close(&json, '}');
    cli_json_open(&json, "targets", '[');
    for (int i = 0; i < targets->count; i++) {
        cli_json_open(&json, NULL, '{');
        cli_json_number(&json, "x", (double)targets->items[i].position.x);
        cli_json_number(&json, "z", (double)targets->items[i].position.z);
        cli_json_bool(&json, "arrived", results[i].arrived);
        cli_json_bool(&json, "moved", results[i].moved);
        cli_json_number(&json, "seconds", results[i].seconds);
        cli_json_number(&json, "metres", results[i].metres);
        cli_json_number(&json, "miss", results[i].miss);
        cli_json_number(&json, "facing_off", results[i].facing);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

static void print_table(const target_list *targets, const target_result *results)
{
    const char *const headings[] = {"target", "arrived", "seconds", "metres", "off by cm", "facing off by"};
    cli_table *table = cli_table_create(headings, 6);
    for (int i = 0; i < targets->count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%g, %g", (double)targets->items[i].position.x,
                 (double)targets->items[i].position.z);
        cli_table_add(table, name);
        cli_table_add(table, !results[i].arrived ? "no" : results[i].moved ? "near" : "yes");
        cli_table_number(table, results[i].seconds, 1);
        cli_table_number(table, results[i].metres, 2);
        cli_table_number(table, 100.0 * results[i].miss, 1);
        cli_table_number(table, results[i].facing, 1);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static int report(const cli_command *self, const track_settings *settings, const target_list *targets,
                  const target_result *results, const recording *r)
{
    if (settings->json)
        print_json(targets, results, settings, r);
    else
        print_table(targets, results);
    if (!settings->json)
        print_tags(settings, r);
    for (int i = 0; i < targets->count; i++)
        if (results[i].moved)
            fprintf(stderr, "lope %s: note: nobody fits at %g,%g: it went as near as there is room\n", self->name,
                    (double)targets->items[i].position.x, (double)targets->items[i].position.z);
    int missed = missed_targets(targets, results), first = 0;
    if (missed == 0)
        return CLI_OK;
    while (results[first].arrived)
        first++;
    fprintf(
        stderr,
        "lope %s: partial: %d of %d targets were reached; %g,%g was not reached in %g s, %.1f m are left%s (--limit "
        "gives it longer, more clips give it more to do)\n",
        self->name, targets->count - missed, targets->count, (double)targets->items[first].position.x,
        (double)targets->items[first].position.z, settings->limit, results[first].miss,
        settings->pass ? "" : ", or it could not stand there");
    return CLI_FAILED;
}

// Walks, writes and reports on an open map.
static int track_on(const cli_command *self, track_work *work)
{
    const track_settings *settings = work->settings;
    lope_error error = {0};
    recording r = {.map = work->map};
    lope_clip *clip = NULL;
    int code;
    work->results = cli_alloc((size_t)work->targets->count * sizeof *work->results);
    lope_status status = walk_all(work, &r, &error);
    if (!status && cli_stopped(self)) {
        code = CLI_INTERRUPTED;
    } else {
        if (!status)
            status = to_clip(&r, lope_mobility_set(work->map)->skeleton, settings->fps, &clip, &error);
        track_written written = {work, clip};
        code = status ? cli_fail(self, &error) : cli_write_outputs(self, &settings->outputs, write_one, &written);
        if (!code)
            code = report(self, settings, work->targets, work->results, &r);
    }
    lope_clip_destroy(clip);
    free(r.root);
    free(r.rotations);
    free(r.contacts);
    free(work->results);
    return code;
}

static int track(const cli_command *self, track_settings *settings, const char *path, const target_list *targets)
{
    cli_map map;
    lope_scene *scene = NULL;
    int code = settings->scene ? cli_scene_open(self, settings->scene, &scene) : CLI_OK;
    if (code)
        return code;
    code = cli_map_open(self, path, settings->threads, &map);
    if (!code) {
        track_work work = {.map = map.map, .scene = scene, .settings = settings, .targets = targets};
        if (!settings->pass && !track_can_stand(map.map)) {
            fprintf(stderr, "lope %s: note: nothing in this map stands still, so targets are passed\n", self->name);
            settings->pass = true;
        }
        code = track_on(self, &work);
        cli_map_close(&map);
    }
    lope_scene_destroy(scene);
    return code;
}

static int check(const cli_command *self, const track_settings *settings, const cli_operands *operands)
{
    int result = cli_need_output(self, &settings->outputs);
    if (result)
        return result;
    if (settings->pause < 0.0)
        return cli_usage(self, "--pause needs seconds >= 0, found '%g'", settings->pause);
    lope_walker_def weighed;
    lope_goal from;
    if (settings->weights && !parse_weights(settings->weights, &weighed))
        return cli_usage(self, "--weights needs two numbers >= 0 such as 310,17, found '%s'", settings->weights);
    if (settings->weights && settings->decision != 1 && !settings->thesis)
        return cli_usage(self, "--weights goes with --decision greedy");
    if (settings->from && !parse_target(settings->from, strlen(settings->from), &from))
        return cli_usage(self, "--from needs a place such as 3,4 or 3,4,90, found '%s'", settings->from);
    if (settings->steering >= 0 && !settings->scene)
        return cli_usage(self, "--steering goes with --scene");
    if (operands->count > 1)
        return cli_usage(self, "one map is enough, found %d: '%s', '%s'", operands->count, operands->words[0],
                         operands->words[1]);
    return CLI_OK;
}

static int run(const cli_command *self, int count, char **arguments)
{
    track_settings settings = {.fps = 60.0, .limit = 60.0, .pause = 1.0, .decision = -1, .fade = -1, .steering = -1};
    cli_operands operands;
    int code;
    if (!cli_parse(self, count, arguments, &settings, &operands, &code))
        return code;
    code = check(self, &settings, &operands);
    if (!code && settings.from) {
        lope_goal from;
        parse_target(settings.from, strlen(settings.from), &from);
        settings.start = (lope_ground){from.position.x, from.position.z, isnan(from.facing) ? 0.0f : from.facing};
    }
    target_list targets = {0};
    size_t length;
    const char *bad = !code && settings.to ? parse_targets(settings.to, &targets, &length) : NULL;
    if (bad)
        code = cli_usage(self, "--to needs targets such as 3,4 or 3,4,90, found '%.*s'", (int)length, bad);
    if (!code && settings.targets)
        code = read_targets(self, settings.targets, &targets);
    if (!code && targets.count == 0)
        code = cli_usage(self, "where should it go? Give targets with --to '3,4 0,6'");
    if (!code)
        code = track(self, &settings, operands.count ? operands.words[0] : NULL, &targets);
    free(targets.items);
    return code;
}

const cli_command cli_track = {
    .name = "track",
    .summary = "a character walks from target to target",
    .synopsis = synopsis,
    .description = "Lets one character of a mobility map (see 'lope build --mobility') walk from target to target, "
                   "stand still at each, facing the way it was told to, and writes what it did.\n\nWithout a map it "
                   "is the character of the built-in set. It starts at the origin, facing +Z, unless --from says "
                   "otherwise; x is to its left. The report says for each target how long it took, how far it walked "
                   "and by how much it is off. In a scene it keeps off obstacles, and targets within them are moved to "
                   "where there is room. A map in which nothing stands still has its targets passed.",
    .examples = examples,
    .options = options,
    .run = run,
};
