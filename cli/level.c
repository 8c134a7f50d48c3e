// SPDX-License-Identifier: MIT
// `lope level`: a level with its floors, links and holds: said, drawn, and asked about places.
#include "cli/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(level_settings, field)
static const cli_option options[] = {
    {"at", 0, CLI_TEXT, "X,Y,Z", AT(at), "Say whether a body can stand there, or what keeps it out."},
    {"from", 0, CLI_TEXT, "X,Y,Z", AT(from), "Say how a body gets from there to --to, or why it cannot."},
    {"to", 0, CLI_TEXT, "X,Y,Z", AT(to), "Where to."},
    {"radius", 'r', CLI_POSITIVE, "METRES", AT(radius), "Of the body; 0.2 by default, at least 0.15."},
    {"height", 0, CLI_POSITIVE, "METRES", AT(height), "What must be free above the ground; 1.8 by default."},
    {"step", 0, CLI_POSITIVE, "METRES", AT(step), "What feet rise over at once; 0.4 by default."},
    {"slope", 0, CLI_POSITIVE, "DEGREES", AT(slope), "The steepest ground to stand on; 45 by default."},
    {"climb", 0, CLI_POSITIVE, "METRES", AT(climb), "With --from, the highest ledge it climbs; 2.5 by default."},
    {"leap", 0, CLI_POSITIVE, "METRES", AT(leap), "With --from, the widest gap it jumps; 1.5 by default."},
    {"random", 0, CLI_TEXT, "SEED", AT(random), "A random level with every kind of link, instead of a file."},
    {"triangles", 0, CLI_COUNT, "N", AT(triangles), "With --random, so many at least."},
    {"soup", 0, CLI_FLAG, NULL, AT(soup), "With --random, all solids as loose triangles."},
    {"hills", 0, CLI_FLAG, NULL, AT(hills), "With --random, ground that goes up and down."},
    {"scale", 0, CLI_SCALE, "METRES", AT(scale), "Metres per unit of mesh files, where what is found is wrong."},
    {"up", 0, CLI_CHOICE, "auto|y|z", AT(up), "The axis of mesh files that is up, where what is found is wrong."},
    CLI_OUTPUT_OPTION(level_settings, "OUT.svg|OUT.json", "A picture, or the level as a file."),
    {"view", 0, CLI_CHOICE, "all|plan|perspective", AT(view), "What the picture shows."},
    {"cut", 0, CLI_NUMBER, "METRES", AT(cut), "In perspective, cut off what is above this height."},
    {"width", 'w', CLI_COUNT, "PIXELS", AT(width), "Width of the picture; 1100 by default."},
    {"dark", 0, CLI_FLAG, NULL, AT(dark), "Light lines on dark ground."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print what was found, or the answer, as JSON."},
    {"threads", 'j', CLI_COUNT, "N", AT(threads),
     "Threads to use; one per core by default. Results do not depend on it."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] FILE|NAME", "--random SEED [OPTION...]", NULL};
static const char *const examples[] = {"The built-in yard, with a picture:",
                                       "lope level yard -o yard.svg",
                                       "What keeps a body out of a place:",
                                       "lope level house --at -2,0,-3.8",
                                       "How it gets from one place to another, or why it cannot:",
                                       "lope level house --from 0,0,2 --to 0,3,2",
                                       "A random level as a file:",
                                       "lope level --random 7 -o random.json",
                                       NULL};

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
    def.radius = (float)s->radius;
    double start = cli_seconds();
    lope_status status = lope_jobs_create(s->threads, &work->jobs, &error);
    if (!status)
        status = lope_floors_create(work->level, &def, work->jobs, &work->floors, &error);
    work->seconds = cli_seconds() - start;
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

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
    picture.cut = s->cut < 1e6 ? (float)s->cut : INFINITY;
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
    const struct {
        const char *option, *text;
    } places[] = {{"--at", s->at}, {"--from", s->from}, {"--to", s->to}};
    if (operands.count + (s->random != NULL) != 1)
        return cli_usage(self, "one level is needed: a file, a name, or --random SEED");
    if (s->random && (strtoull(s->random, &end, 10), !*s->random || *end))
        return cli_usage(self, "--random needs a whole number, found '%s'", s->random);
    if (!s->random && (s->triangles || s->soup || s->hills))
        return cli_usage(self, "--triangles, --soup and --hills go with --random");
    for (int i = 0; i < 3; i++)
        if (places[i].text && !parse_place(places[i].text, &at))
            return cli_usage(self, "%s needs a place x,y,z in metres, found '%s'", places[i].option, places[i].text);
    if (!s->from != !s->to)
        return cli_usage(self, "--from and --to go together");
    return CLI_OK;
}

static int run(const cli_command *self, int count, char **arguments)
{
    level_settings settings = {
        .radius = 0.2, .height = 1.8, .step = 0.4, .slope = 45.0, .climb = 2.5, .leap = 1.5, .width = 1100, .cut = 1e6};
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
    lope_vec3 at, to;
    if (!result && settings.from && parse_place(settings.from, &at) && parse_place(settings.to, &to))
        result = level_say_route(&work, at, to);
    else if (!result && settings.at && parse_place(settings.at, &at))
        result = level_say_place(&work, at);
    else if (!result)
        result = level_say_all(&work);
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
        "Reads a level (JSON, glTF, OBJ, any of the scenes, or a built-in one: yard, house, ruin, office, playground) "
        "and finds in its "
        "triangles where a body can stand, storey over storey; how it gets from place to place: stairs, slopes, "
        "ledges, gaps, low passages, ladders; and what hands can hold.\n\nThe same for any number of threads.",
    .options = options,
    .examples = examples,
    .run = run,
};
