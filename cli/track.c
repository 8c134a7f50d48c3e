// SPDX-License-Identifier: MIT
// `lope track`: a character walks from target to target; what it does comes out as BVH, GLB or a picture.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/maps.h"
#include "cli/outputs.h"
#include "lope/lope.h"

typedef struct track_settings {
    cli_outputs outputs;
    const char *to, *targets, *prefer, *avoid;
    double fps, limit, pause;
    int decision, fade, threads;
    bool pass, no_lock, no_edits, json;
} track_settings;

#define AT(field) offsetof(track_settings, field)
static const cli_option options[] = {
    CLI_OUTPUT_OPTION(track_settings, "OUT.bvh|OUT.glb|OUT.svg", "The motion, or a picture of it. Needed."),
    {"to", 't', CLI_TEXT, "TARGETS", AT(to),
     "Where to go: x,z in metres, or x,z,facing with a heading in degrees; several separated by blanks."},
    {"targets", 'f', CLI_TEXT, "FILE", AT(targets), "The same from a file, one target a line; # begins a comment."},
    {"pass", 'p', CLI_FLAG, NULL, AT(pass), "Walk on past each target instead of standing still there."},
    {"limit", 0, CLI_POSITIVE, "SECONDS", AT(limit), "Give a target up after this long; 60 by default."},
    {"pause", 0, CLI_NUMBER, "SECONDS", AT(pause), "How long to stand at each target; 1 by default."},
    {"decision", 0, CLI_CHOICE, "time|greedy", AT(decision),
     "How the next motion is chosen: by the time to the target (the default), or greedily as in the thesis."},
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

static const char *const synopsis[] = {"[OPTION...] [MAP.lope] --to 'X,Z[,FACING] ...' -o OUT", NULL};
static const char *const examples[] = {
    "A built-in character walks around a corner, to Blender:", "lope track --to '0,4 3,4,90' -o walk.glb",
    "A map of captured motion, as a picture:", "lope track walk.lope --to '2,3 -1,5 0,0,180' -o walk.svg", NULL};

typedef struct target_list {
    lope_goal *items;
    int count;
} target_list;

// How one target went.
typedef struct target_result {
    bool arrived;
    double seconds, metres; // on the way
    double miss, facing;    // metres and degrees off in the end; facing NAN where none was asked for
} target_result;

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

// What the walker showed, frame after frame.
typedef struct recording {
    int frames, capacity, joints;
    lope_vec3 *root;
    lope_quat *rotations;
    uint16_t *contacts;
    const lope_mobility *map;
    int tagged[LOPE_TAG_COUNT]; // frames that show each tag
} recording;

static void *grown(void *block, size_t size)
{
    block = realloc(block, size);
    if (!block)
        abort();
    return block;
}

static void record(lope_walker *walker, recording *r)
{
    if (r->frames == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 1024;
        size_t n = (size_t)r->capacity;
        r->root = grown(r->root, n * sizeof *r->root);
        r->rotations = grown(r->rotations, n * (size_t)r->joints * sizeof *r->rotations);
        r->contacts = grown(r->contacts, n * sizeof *r->contacts);
    }
    lope_pose pose = {.joint_count = r->joints, .rotations = r->rotations + (size_t)r->frames * (size_t)r->joints};
    lope_walker_pose(walker, &pose, NULL);
    r->root[r->frames] = pose.root;
    r->contacts[r->frames++] = lope_walker_contacts(walker);
    unsigned tags = lope_mobility_pose_tags(lope_walker_map(walker), lope_walker_next_pose(walker));
    for (int t = 0; t < LOPE_TAG_COUNT; t++)
        r->tagged[t] += (int)(tags >> t & 1u);
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

// Walks to one target and stays there for the pause.
static target_result walk_to(lope_walker *walker, const track_settings *settings, const lope_goal *goal, recording *r)
{
    double dt = 1.0 / settings->fps;
    target_result result = {.facing = (double)NAN};
    lope_ground before = lope_walker_ground(walker);
    while (lope_walker_progress_of(walker) == LOPE_WALKER_GOING && result.seconds < settings->limit &&
           !cli_interrupted()) {
        lope_walker_step(walker, (float)dt);
        record(walker, r);
        lope_ground at = lope_walker_ground(walker);
        double dx = (double)(at.x - before.x), dz = (double)(at.z - before.z);
        result.metres += sqrt(dx * dx + dz * dz);
        result.seconds += dt;
        before = at;
    }
    result.arrived = lope_walker_progress_of(walker) == LOPE_WALKER_ARRIVED;
    for (double t = 0.0; goal->stop && result.arrived && t < settings->pause; t += dt) {
        lope_walker_step(walker, (float)dt);
        record(walker, r);
    }
    lope_ground at = lope_walker_ground(walker);
    double dx = (double)(at.x - goal->position.x), dz = (double)(at.z - goal->position.z);
    result.miss = sqrt(dx * dx + dz * dz);
    if (goal->stop && !isnan(goal->facing))
        result.facing = fabs((double)lope_wrap_angle(at.yaw - goal->facing)) * 180.0 / LOPE_PI;
    return result;
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

static lope_status walk_all(const lope_mobility *map, const track_settings *settings, const target_list *targets,
                            target_result *results, recording *r, lope_error *error)
{
    lope_walker_def def = lope_walker_def_default();
    def.decision = (lope_decision)settings->decision;
    def.lock_feet = !settings->no_lock;
    if (settings->fade > 0) {
        def.fade = settings->fade == 1 ? LOPE_FADE_EASE : LOPE_FADE_AHEAD;
        def.fade_duration = settings->fade == 1 ? 0.3f : 8.0f / 30.0f;
    }
    lope_taste taste = {.longer = DISLIKED};
    lope_status status = find_tags(map, settings->prefer, &taste.prefer, error);
    if (!status)
        status = find_tags(map, settings->avoid, &taste.avoid, error);
    if (status)
        return status;
    if (settings->prefer || settings->avoid) {
        def.cost = lope_taste_cost;
        def.cost_user = &taste;
    }
    if (settings->no_edits)
        def.edit_step = def.edit_turn = 0.0f;
    lope_walker *walker;
    void *memory = aligned_alloc(16, lope_walker_size(map));
    if (!memory)
        abort();
    status = lope_walker_init(memory, map, &def, -1, (lope_ground){0.0f, 0.0f, 0.0f}, &walker, error);
    r->joints = lope_mobility_set(map)->skeleton->joint_count;
    if (!status)
        record(walker, r);
    for (int i = 0; i < targets->count && !status; i++) {
        lope_goal goal = targets->items[i];
        goal.stop = !settings->pass;
        status = lope_walker_go_to(walker, &goal, error);
        if (!status)
            results[i] = walk_to(walker, settings, &goal, r);
    }
    free(memory);
    return status;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    lope_clip *clip = user;
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, &clip, 1, error);
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
        cli_table_add(table, results[i].arrived ? "yes" : "no");
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

static int track(const cli_command *self, const track_settings *settings, const char *path, const target_list *targets)
{
    cli_map map;
    int code = cli_map_open(self, path, settings->threads, &map);
    if (code)
        return code;
    lope_error error = {0};
    recording r = {.map = map.map};
    lope_clip *clip = NULL;
    target_result *results = cli_alloc((size_t)targets->count * sizeof *results);
    lope_status status = walk_all(map.map, settings, targets, results, &r, &error);
    if (!status && cli_stopped(self)) {
        code = CLI_INTERRUPTED;
    } else {
        if (!status)
            status = to_clip(&r, lope_mobility_set(map.map)->skeleton, settings->fps, &clip, &error);
        code = status ? cli_fail(self, &error) : cli_write_outputs(self, &settings->outputs, write_one, clip);
        if (!code)
            code = report(self, settings, targets, results, &r);
    }
    lope_clip_destroy(clip);
    free(r.root);
    free(r.rotations);
    free(r.contacts);
    free(results);
    cli_map_close(&map);
    return code;
}

static int check(const cli_command *self, const track_settings *settings, const cli_operands *operands)
{
    int result = cli_need_output(self, &settings->outputs);
    if (result)
        return result;
    if (settings->pause < 0.0)
        return cli_usage(self, "--pause needs seconds >= 0, found '%g'", settings->pause);
    if (operands->count > 1)
        return cli_usage(self, "one map is enough, found %d: '%s', '%s'", operands->count, operands->words[0],
                         operands->words[1]);
    return CLI_OK;
}

static int run(const cli_command *self, int count, char **arguments)
{
    track_settings settings = {.fps = 60.0, .limit = 60.0, .pause = 1.0};
    cli_operands operands;
    int code;
    if (!cli_parse(self, count, arguments, &settings, &operands, &code))
        return code;
    code = check(self, &settings, &operands);
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
                   "is the character of the built-in set. It starts at the origin, facing +Z; x is to its left. The "
                   "report says for each target how long it took, how far it walked and by how much it is off.",
    .examples = examples,
    .options = options,
    .run = run,
};
