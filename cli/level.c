// SPDX-License-Identifier: MIT
// `lope level`: a level with its floors, links and holds: said, drawn, and asked about places.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/outputs.h"
#include "generators/level_random.h"

typedef struct level_settings {
    cli_outputs outputs;
    const char *at, *random;
    double radius, height, step, slope, scale, cut;
    int threads, width, triangles, up, view;
    bool soup, hills, dark, json;
} level_settings;

#define AT(field) offsetof(level_settings, field)
static const cli_option options[] = {
    {"at", 0, CLI_TEXT, "X,Y,Z", AT(at), "Say whether a body can stand there, or what keeps it out."},
    {"radius", 'r', CLI_POSITIVE, "METRES", AT(radius),
     "Of the body that links are for, 0.2 by default; with --at of that body, 0.25."},
    {"height", 0, CLI_POSITIVE, "METRES", AT(height), "What must be free above the ground; 1.8 by default."},
    {"step", 0, CLI_POSITIVE, "METRES", AT(step), "What feet rise over at once; 0.4 by default."},
    {"slope", 0, CLI_POSITIVE, "DEGREES", AT(slope), "The steepest ground to stand on; 45 by default."},
    {"random", 0, CLI_TEXT, "SEED", AT(random), "A random level with every kind of link, instead of a file."},
    {"triangles", 0, CLI_COUNT, "N", AT(triangles), "With --random, so many at least."},
    {"soup", 0, CLI_FLAG, NULL, AT(soup), "With --random, all solids as loose triangles."},
    {"hills", 0, CLI_FLAG, NULL, AT(hills), "With --random, ground that goes up and down."},
    {"scale", 0, CLI_SCALE, "METRES", AT(scale), "Metres per unit of mesh files, where what is found is wrong."},
    {"up", 0, CLI_CHOICE, "auto|y|z", AT(up), "The axis of mesh files that is up, where what is found is wrong."},
    CLI_OUTPUT_OPTION(level_settings, "OUT.svg|OUT.json", "A picture, or the level as a file."),
    {"view", 0, CLI_CHOICE, "all|plan|perspective", AT(view), "What the picture shows."},
    {"cut", 0, CLI_NUMBER, "METRES", AT(cut), "Show in perspective only what begins below this height."},
    {"width", 'w', CLI_COUNT, "PIXELS", AT(width), "Width of the picture; 1100 by default."},
    {"dark", 0, CLI_FLAG, NULL, AT(dark), "Light lines on dark ground."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print everything that was found as JSON."},
    {"threads", 'j', CLI_COUNT, "N", AT(threads),
     "Threads to use; one per core by default. Results do not depend on it."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] FILE|NAME", "--random SEED [OPTION...]", NULL};
static const char *const examples[] = {"The built-in yard, with a picture:",
                                       "lope level yard -o yard.svg",
                                       "What keeps a body out of a place:",
                                       "lope level house --at -2,0,-3.8",
                                       "A random level as a file:",
                                       "lope level --random 7 -o random.json",
                                       NULL};

typedef struct level_work {
    const cli_command *command;
    const level_settings *settings;
    const char *name;
    lope_level_file *file;
    level_random made;
    const lope_level *level;
    lope_jobs *jobs;
    lope_floors *floors;
    double seconds;
} level_work;

static int open_level(level_work *work, cli_operands operands)
{
    const level_settings *s = work->settings;
    lope_error error = {0};
    lope_status status;
    if (s->random) {
        level_random_def def = level_random_def_default(strtoull(s->random, NULL, 10));
        def.triangles = s->triangles;
        def.soup = s->soup;
        def.hills = s->hills;
        status = level_random_create(&def, &work->made, &error);
        work->level = work->made.level;
        work->name = "random level";
    } else {
        const lope_level_read_def def = {(float)s->scale, s->up == 1 ? 'y' : s->up == 2 ? 'z' : 0};
        status = lope_level_open(operands.words[0], &def, &work->file, &error);
        work->level = status ? NULL : work->file->level;
        work->name = status ? "" : work->file->name;
    }
    if (!status && work->file && work->file->notes[0])
        fprintf(stderr, "lope level: note: %s\n", work->file->notes);
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

static int find_floors(level_work *work)
{
    const level_settings *s = work->settings;
    lope_floors_def def = lope_floors_def_default();
    lope_error error = {0};
    def.height = (float)s->height;
    def.step = (float)s->step;
    def.slope = (float)(s->slope * LOPE_PI / 180.0);
    if (s->radius > 0.0)
        def.radius = fminf(fmaxf((float)s->radius, 0.15f), 2.0f); // what floors can be for
    double start = cli_seconds();
    lope_status status = lope_jobs_create(s->threads, &work->jobs, &error);
    if (!status)
        status = lope_floors_create(work->level, &def, work->jobs, &work->floors, &error);
    work->seconds = cli_seconds() - start;
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

// ---- saying

static bool parse_place(const char *text, lope_vec3 *out)
{
    float *numbers[] = {&out->x, &out->y, &out->z};
    char *end = NULL;
    for (int i = 0; i < 3; i++, text = end + 1) {
        double value = strtod(text, &end);
        if (end == text || *end != (i < 2 ? ',' : 0) || !(fabs(value) <= 1e5))
            return false;
        *numbers[i] = (float)value;
    }
    return true;
}

// How many links of each kind there are, and how many holds.
static void say_links(const level_work *work)
{
    int count, holds, bars = 0, kinds[LOPE_LINK_KIND_COUNT] = {0};
    const lope_link *links = lope_floors_links(work->floors, &count);
    const lope_level_hold *hold = lope_floors_holds(work->floors, &holds);
    for (int i = 0; i < count; i++)
        kinds[links[i].kind]++;
    printf("%d links", count);
    for (int i = 0, said = 0; i < LOPE_LINK_KIND_COUNT; i++)
        if (kinds[i])
            printf("%s%d %s", said++ ? ", " : ": ", kinds[i], lope_link_kind_name((lope_link_kind)i));
    for (int i = 0; i < holds; i++)
        bars += hold[i].bar;
    printf("\n%d holds, %d of them bars\n", holds, bars);
}

static void say(const level_work *work)
{
    lope_vec3 low, high;
    int borders, floors = 0;
    lope_floors_borders(work->floors, &borders);
    for (int i = 0; i < lope_floors_count(work->floors); i++)
        floors += lope_floors_space(work->floors, i) != NULL;
    if (!lope_terrain_bounds(lope_level_terrain(work->level), &low, &high))
        low = high = lope_v3(0, 0, 0);
    printf("%s: %d parts, %d triangles, %.1f x %.1f x %.1f m\n", work->name, lope_level_part_count(work->level),
           lope_terrain_triangle_count(lope_level_terrain(work->level)), (double)(high.x - low.x),
           (double)(high.y - low.y), (double)(high.z - low.z));
    printf("%d floors with %d borders, found in %.1f ms\n", floors, borders, 1e3 * work->seconds);
    if (floors == 0)
        printf("there is no ground that a body could stand on\n");
    say_links(work);
}

static void json_vec(cli_json *json, const char *key, lope_vec3 v)
{
    cli_json_open(json, key, '[');
    cli_json_number(json, NULL, (double)v.x);
    cli_json_number(json, NULL, (double)v.y);
    cli_json_number(json, NULL, (double)v.z);
    cli_json_close(json, ']');
}

// Begins an object; `of` is its floor or part.
static void json_line(cli_json *json, lope_vec3 from, lope_vec3 to, int of)
{
    cli_json_open(json, NULL, '{');
    json_vec(json, "from", from);
    json_vec(json, "to", to);
    cli_json_number(json, "of", of);
}

static void json_link(cli_json *json, const lope_link *link)
{
    const struct {
        const char *key;
        float value;
    } numbers[] = {{"rise", link->rise},
                   {"across", link->across},
                   {"headroom", link->headroom},
                   {"reach", link->reach},
                   {"room", link->room}};
    json_line(json, link->from, link->to, link->part);
    cli_json_text(json, "kind", lope_link_kind_name(link->kind));
    json_vec(json, "left", link->left);
    json_vec(json, "right", link->right);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (isfinite(numbers[i].value))
            cli_json_number(json, numbers[i].key, (double)numbers[i].value);
    cli_json_close(json, '}');
}

static void say_json(const level_work *work)
{
    cli_json json = {.file = stdout, .first = true};
    int count;
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "name", work->name);
    cli_json_number(&json, "parts", lope_level_part_count(work->level));
    cli_json_number(&json, "triangles", lope_terrain_triangle_count(lope_level_terrain(work->level)));
    const lope_floor_border *borders = lope_floors_borders(work->floors, &count);
    cli_json_open(&json, "borders", '[');
    for (int i = 0; i < count; i++) {
        json_line(&json, borders[i].from, borders[i].to, borders[i].floor);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    const lope_link *links = lope_floors_links(work->floors, &count);
    cli_json_open(&json, "links", '[');
    for (int i = 0; i < count; i++)
        json_link(&json, &links[i]);
    cli_json_close(&json, ']');
    const lope_level_hold *holds = lope_floors_holds(work->floors, &count);
    cli_json_open(&json, "holds", '[');
    for (int i = 0; i < count; i++) {
        json_line(&json, holds[i].from, holds[i].to, holds[i].part);
        cli_json_bool(&json, "bar", holds[i].bar);
        cli_json_number(&json, "depth", (double)holds[i].depth);
        cli_json_number(&json, "room", (double)holds[i].room);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    printf("\n");
}

// ---- places

static const char *part_name(const level_work *work, int index, lope_part *part)
{
    if (!lope_level_part(work->level, index, part))
        return "a ledge";
    return part->name[0] ? part->name : part->kind[0] ? part->kind : "a part without a name";
}

// Whether a body can stand at the place, or what keeps it out.
static void say_why(const level_work *work, lope_vec3 at)
{
    lope_floor_reason why =
        lope_floors_why(work->floors, at, work->settings->radius > 0.0 ? (float)work->settings->radius : 0.25f);
    lope_part one, other;
    lope_floor_spot spot;
    printf("%g,%g,%g: ", (double)at.x, (double)at.y, (double)at.z);
    if (why.fault == LOPE_FLOOR_NO_GROUND)
        printf("there is nothing to stand on\n");
    else if (why.fault == LOPE_FLOOR_STEEP)
        printf("too steep: %.0f degrees\n", (double)why.metres * 180.0 / LOPE_PI);
    else if (why.fault == LOPE_FLOOR_LOW)
        printf("headroom %.2f m under '%s'\n", (double)why.metres, part_name(work, why.part, &one));
    else if (why.fault == LOPE_FLOOR_NARROW)
        printf("%.1f cm too narrow between '%s' and '%s'\n", 100.0 * (double)why.metres,
               part_name(work, why.part, &one), part_name(work, why.other, &other));
    else if (lope_floors_ground(work->floors, at, 2.0f, &spot))
        printf("free at a height of %.3f m, on floor %d; the next border is %.2f m away\n", (double)spot.at.y,
               spot.floor, (double)lope_floors_clearance(work->floors, &spot, 100.0f));
}

// ---- drawing

static lope_status write_output(void *user, const cli_output *output, lope_error *error)
{
    const level_work *work = user;
    const level_settings *s = work->settings;
    if (output->format == CLI_FORMAT_JSON)
        return lope_level_write(work->level, work->name, output->path, error);
    lope_level_picture picture = lope_level_picture_default();
    lope_vec3 mark;
    picture.title = work->name;
    picture.width = s->width;
    picture.dark = s->dark;
    picture.cut = (float)s->cut;
    picture.links = lope_floors_links(work->floors, &picture.link_count);
    picture.holds = lope_floors_holds(work->floors, &picture.hold_count);
    picture.mark = s->at && parse_place(s->at, &mark) ? &mark : NULL;
    picture.plan = s->view != 2;
    picture.perspective = s->view != 1;
    return lope_draw_level(work->level, work->floors, &picture, output->path, error);
}

// ---- the command

static int check(const cli_command *self, const level_settings *s, cli_operands operands)
{
    char *end = NULL;
    lope_vec3 at;
    if (operands.count + (s->random != NULL) != 1)
        return cli_usage(self, "one level is needed: a file, a name, or --random SEED");
    if (s->random && (strtoull(s->random, &end, 10), !*s->random || *end))
        return cli_usage(self, "--random needs a whole number, found '%s'", s->random);
    if (!s->random && (s->triangles || s->soup || s->hills))
        return cli_usage(self, "--triangles, --soup and --hills go with --random");
    if (s->at && !parse_place(s->at, &at))
        return cli_usage(self, "--at needs a place x,y,z in metres, found '%s'", s->at);
    return CLI_OK;
}

static int run(const cli_command *self, int count, char **arguments)
{
    level_settings settings = {.height = 1.8, .step = 0.4, .slope = 45.0, .width = 1100, .cut = 1e6};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    level_work work = {.command = self, .settings = &settings};
    result = check(self, &settings, operands);
    if (!result)
        result = open_level(&work, operands);
    if (!result)
        result = find_floors(&work);
    if (!result)
        result = cli_write_outputs(self, &settings.outputs, write_output, &work);
    lope_vec3 at;
    if (!result && settings.at && parse_place(settings.at, &at))
        say_why(&work, at);
    else if (!result)
        (settings.json ? say_json : say)(&work);
    lope_floors_destroy(work.floors);
    lope_jobs_destroy(work.jobs);
    lope_level_file_destroy(work.file);
    level_random_destroy(&work.made);
    return result;
}

const cli_command cli_level = {
    .name = "level",
    .summary = "a level: floors, links and holds found in any mesh",
    .synopsis = synopsis,
    .description =
        "Reads a level (JSON, glTF, OBJ, any of the scenes, or a built-in one: yard, house, ruin) and finds in its "
        "triangles where a body can stand, storey over storey; how it gets from place to place: stairs, slopes, "
        "ledges, gaps, low passages, ladders; and what hands can hold.\n\nThe same for any number of threads.",
    .options = options,
    .examples = examples,
    .run = run,
};
