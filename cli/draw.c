// SPDX-License-Identifier: MIT
// `lope draw`: a picture of a motion, of a map, or of terrain.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/draw_map.h"
#include "cli/outputs.h"
#include "cli/suffices.h"
#include "lope/rings_build.h"

typedef struct draw_settings {
    cli_reading reading;
    cli_outputs outputs;
    const char *output; // the one that is drawn
    const char *parts, *curves, *clip, *frames, *mobility, *steps, *map, *patches, *terrain, *rings;
    bool loop;
    int view, width, state, step;
    double interval, from, to, spread;
    bool dark, all;
} draw_settings;

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(draw_settings, "OUT.svg", "The picture. Needed."),
    {"view", 'v', CLI_CHOICE, "side|front|top|perspective", offsetof(draw_settings, view),
     "From where the bodies are seen; side by default."},
    {"parts", 'p', CLI_TEXT, "LIST", offsetof(draw_settings, parts),
     "What to draw, separated by commas: strobe, path, contacts, curves, or all (the default)."},
    {"interval", 'i', CLI_POSITIVE, "SECONDS", offsetof(draw_settings, interval),
     "Time between the bodies of the strobe; 0.25 by default."},
    {"spread", 0, CLI_NUMBER, "METRES", offsetof(draw_settings, spread),
     "Smallest distance between bodies; 0 draws them where they were. By default they are set apart so that they can "
     "be "
     "told apart."},
    {"from", 0, CLI_NUMBER, "SECONDS", offsetof(draw_settings, from), "Begin here."},
    {"to", 0, CLI_NUMBER, "SECONDS", offsetof(draw_settings, to), "End here."},
    {"frames", 0, CLI_TEXT, "A:B", offsetof(draw_settings, frames), "The same in frames, counted from 0."},
    {"curves", 'c', CLI_TEXT, "LIST", offsetof(draw_settings, curves),
     "Curves, separated by commas: speed, height, or roles such as 'left knee'. Knees and hips by default."},
    {"clip", 0, CLI_TEXT, "NAME", offsetof(draw_settings, clip), "Which clip of a file that holds several."},
    {"mobility", 0, CLI_TEXT, "MAP.lope", offsetof(draw_settings, mobility),
     "Draw a mobility map instead: the places that one of its states can get the body to."},
    {"all", 0, CLI_FLAG, NULL, offsetof(draw_settings, all),
     "With --mobility, a capability map instead: where all states together can get the body, and what they lack."},
    {"state", 0, CLI_INDEX, "N", offsetof(draw_settings, state),
     "Which state of the map; by default the one whose choices lie farthest apart."},
    {"map", 0, CLI_TEXT, "MAPS.lope", offsetof(draw_settings, map),
     "Draw a motion map instead: all walks ahead of the step given with --step (by default the one with most ways "
     "on), from above."},
    {"step", 0, CLI_INDEX, "N", offsetof(draw_settings, step), "The step whose map is drawn."},
    {"steps", 0, CLI_TEXT, "GRAPH.lope", offsetof(draw_settings, steps),
     "Draw a graph of steps instead: the clip named with --clip (by default the one with most steps) as it was cut, "
     "and "
     "all steps from above."},
    {"terrain", 0, CLI_TEXT, "NAME|FILE", offsetof(draw_settings, terrain),
     "Draw ground instead: a built-in terrain (bumps, cliff, course, spiral, stairs, stones), a scene of terrain, or a "
     "mesh (OBJ, GLB); from above, and cut open along its path. A FILE.json or FILE.obj as operand is taken as this."},
    {"rings", 0, CLI_TEXT, "RINGS.lope", offsetof(draw_settings, rings),
     "Draw the contact spheres of a motion ring instead; --state N chooses the ring."},
    {"loop", 0, CLI_FLAG, NULL, offsetof(draw_settings, loop),
     "Draw the cycle of the clip in reduced space instead, and how it is closed."},
    {"patches", 0, CLI_TEXT, "TILE.lope", offsetof(draw_settings, patches),
     "Draw a walk tile instead: what leads on from one gate, and all segments."},
    {"width", 'w', CLI_COUNT, "PIXELS", offsetof(draw_settings, width), "Width of the picture; 1100 by default."},
    {"dark", 0, CLI_FLAG, NULL, offsetof(draw_settings, dark), "Light lines on dark ground."},
    CLI_READING_OPTIONS(draw_settings),
    {"fps", 0, CLI_RATE, "N", offsetof(draw_settings, reading.fps), "Frames per second, against what the file says."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] [FILE|NAME] -o OUT.svg",
                                       "[OPTION...] --mobility MAP.lope [--state N|--all] -o OUT.svg",
                                       "[OPTION...] --steps GRAPH.lope [--clip NAME] -o OUT.svg",
                                       "[OPTION...] --map MAPS.lope [--step N] -o OUT.svg",
                                       "[OPTION...] --patches TILE.lope -o OUT.svg",
                                       "[OPTION...] [--terrain NAME|FILE] [SCENE.json] -o OUT.svg",
                                       NULL};
static const char *const examples[] = {"A built-in walk from the side, with path, contacts and curves:",
                                       "lope draw walk_normal -o walk.svg",
                                       "A captured clip in perspective, bodies only:",
                                       "lope draw capture.bvh --view perspective --parts strobe -o capture.svg",
                                       "Elbows and speed in the second second:",
                                       "lope draw run.bvh --from 1 --to 2 -c 'left elbow,right elbow,speed' -o run.svg",
                                       "Stepping stones from above and in profile:",
                                       "lope draw --terrain stones -o stones.svg",
                                       NULL};

static bool parse_parts(const char *list, unsigned *out)
{
    static const struct {
        const char *name;
        unsigned parts;
    } known[] = {{"strobe", LOPE_DRAW_STROBE},
                 {"path", LOPE_DRAW_PATH},
                 {"contacts", LOPE_DRAW_CONTACTS},
                 {"curves", LOPE_DRAW_CURVES},
                 {"all", 15}};
    *out = 0;
    for (;;) {
        size_t length = strcspn(list, ","), found = 0;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strlen(known[i].name) == length && strncmp(list, known[i].name, length) == 0) {
                *out |= known[i].parts;
                found = 1;
            }
        }
        if (!found)
            return false;
        if (!list[length])
            return true;
        list += length + 1;
    }
}

// Seconds from --frames A:B of a clip.
static bool parse_frames(const char *text, double rate, lope_draw_def *def)
{
    char *middle, *end;
    long first = strtol(text, &middle, 10);
    if (middle == text || *middle != ':')
        return false;
    long last = strtol(middle + 1, &end, 10);
    if (end == middle + 1 || *end || first < 0 || last <= first)
        return false;
    def->start = (double)first / rate;
    def->end = (double)last / rate;
    return true;
}

// The clip that --clip names among those of a file.
static int find_clip(const cli_command *self, const char *name, lope_clip *const *clips, int count, int *index)
{
    for (*index = 0; *index < count; ++*index)
        if (strcmp(clips[*index]->name, name) == 0)
            return CLI_OK;
    fprintf(stderr, "lope %s: the file holds no clip named '%s'\n", self->name, name);
    return CLI_NOT_FOUND;
}

static int choose_clip(const cli_command *self, const draw_settings *settings, const cli_loaded *loaded, int *index)
{
    *index = 0;
    if (settings->clip)
        return find_clip(self, settings->clip, loaded->clips, loaded->count, index);
    if (loaded->count == 1)
        return CLI_OK;
    fprintf(stderr, "lope %s: the file holds %d clips; say which with --clip, e.g. --clip '%s'\n", self->name,
            loaded->count, loaded->clips[0]->name);
    return CLI_USAGE;
}

static int draw_loaded(const cli_command *self, const draw_settings *settings, lope_draw_def *def, cli_loaded *loaded)
{
    if (loaded->status)
        return cli_fail(self, &loaded->error);
    int index, result = choose_clip(self, settings, loaded, &index);
    if (result)
        return result;
    const lope_clip *clip = loaded->clips[index];
    if (settings->frames && !parse_frames(settings->frames, clip->frame_rate, def))
        return cli_usage(self, "--frames needs two frames such as 10:50, found '%s'", settings->frames);
    if (def->end <= def->start && def->start > 0.0)
        def->end = fmax(lope_clip_duration(clip), nextafter(def->start, (double)INFINITY));
    lope_error error = {0};
    if (lope_draw(clip, def, settings->output, &error) != LOPE_OK)
        return cli_fail(self, &error);
    return CLI_OK;
}

// How far apart the ends of a state's choices lie: their variance.
static double spread_of(const lope_mobility *map, int state)
{
    double x = 0.0, z = 0.0, squares = 0.0;
    int count = lope_mobility_choice_count(map, state);
    for (int c = 0; c < count; c++) {
        lope_ground end = lope_mobility_choice(map, state, c).end;
        x += (double)end.x, z += (double)end.z;
        squares += (double)end.x * (double)end.x + (double)end.z * (double)end.z;
    }
    return count ? squares / count - (x * x + z * z) / ((double)count * count) : -1.0;
}

static int widest_state(const lope_mobility *map)
{
    int best = 0;
    for (int s = 1; s < lope_mobility_state_count(map); s++)
        if (spread_of(map, s) > spread_of(map, best))
            best = s;
    return best;
}

// Where all states of a map lead, and what they lack.
static lope_status draw_capability(const lope_mobility *map, const draw_settings *settings, const lope_draw_def *def,
                                   lope_error *error)
{
    lope_mobility_survey survey;
    cli_lacks lacks;
    lope_status status = lope_mobility_survey_of(map, &survey, error);
    if (status)
        return status;
    cli_find_lacks(&survey, NULL, &lacks);
    cli_print_lacks(&lacks, stdout);
    return lope_draw_capability(map, 0, lacks.list, def, settings->output, error);
}

// Where a state of a mobility map leads.
static int draw_mobility(const cli_command *self, const draw_settings *settings, const lope_draw_def *def)
{
    lope_error error = {0};
    lope_mobility *map;
    lope_status status = lope_mobility_open(settings->mobility, &map, &error);
    if (status)
        return cli_fail(self, &error);
    int state = settings->state < 0 ? widest_state(map) : settings->state;
    status = settings->all ? draw_capability(map, settings, def, &error)
                           : lope_draw_reach(map, state, def, settings->output, &error);
    lope_mobility_close(map);
    return status ? cli_fail(self, &error) : CLI_OK;
}

// A graph of steps.
static int draw_steps(const cli_command *self, const draw_settings *settings, const lope_draw_def *def)
{
    lope_error error = {0};
    lope_steps *steps;
    lope_status status = lope_steps_open(settings->steps, &steps, &error);
    if (status)
        return cli_fail(self, &error);
    int clip = -1, code = CLI_OK;
    if (settings->clip)
        code = find_clip(self, settings->clip, steps->set->clips, steps->set->clip_count, &clip);
    if (!code && lope_draw_steps(steps, clip, def, settings->output, &error) != LOPE_OK)
        code = cli_fail(self, &error);
    lope_steps_destroy(steps);
    return code;
}

// Ground from above and along its path.
static int draw_terrain(const cli_command *self, const draw_settings *settings, const char *word)
{
    lope_error error = {0};
    lope_terrain_scene *scene = NULL;
    lope_status status = lope_terrain_scene_open(word, &scene, &error);
    if (!status) {
        lope_terrain_picture picture = lope_terrain_picture_default();
        picture.title = scene->name;
        picture.width = settings->width;
        picture.dark = settings->dark;
        picture.path = scene->path;
        picture.path_count = scene->path_count;
        picture.path_height = scene->height;
        status = lope_draw_terrain(scene->terrain, &picture, settings->output, &error);
    }
    lope_terrain_scene_destroy(scene);
    return status ? cli_fail(self, &error) : CLI_OK;
}

// Files that can only be ground.
static bool is_terrain(const char *word)
{
    const char *dot = strrchr(word, '.');
    return dot && (strcasecmp(dot, ".json") == 0 || strcasecmp(dot, ".obj") == 0);
}

// A walk tile.
static int draw_patches(const cli_command *self, const draw_settings *settings, const lope_draw_def *def)
{
    lope_error error = {0};
    lope_tile *tile = NULL;
    lope_status status = lope_tile_open(settings->patches, &tile, &error);
    if (!status)
        status = lope_draw_tile(tile, def, settings->output, &error);
    lope_tile_destroy(tile);
    return status ? cli_fail(self, &error) : CLI_OK;
}

// Contact spheres of a ring.
static int draw_rings(const cli_command *self, const draw_settings *settings)
{
    lope_error error = {0};
    lope_rings *rings = NULL;
    lope_status status = lope_rings_open(settings->rings, &rings, &error);
    int ring = settings->state < 0 ? 0 : settings->state;
    if (!status && ring >= lope_rings_count(rings)) {
        int last = lope_rings_count(rings) - 1;
        lope_rings_close(rings);
        return cli_usage(self, "--state needs a ring from 0 to %d, found '%d'", last, ring);
    }
    if (!status)
        status = lope_draw_ring(rings, ring, settings->width, settings->dark, settings->output, &error);
    lope_rings_close(rings);
    return status ? cli_fail(self, &error) : CLI_OK;
}

// The cycle of a clip.
static int draw_cycle(const cli_command *self, const draw_settings *settings, const cli_loaded *loaded)
{
    lope_error error = loaded->error;
    lope_clip *folded = NULL;
    lope_loop loop = {0};
    lope_loop_def def = lope_loop_def_default();
    lope_status status = loaded->status;
    if (!status)
        status = lope_clip_fold_root(loaded->clips[0], &folded, &error);
    if (!status)
        status = lope_loop_find(folded, &def, &loop, &error);
    if (!status)
        status = lope_draw_loop(&loop, settings->width, settings->dark, settings->output, &error);
    lope_loop_free(&loop);
    lope_clip_destroy(folded);
    return status ? cli_fail(self, &error) : CLI_OK;
}

static int check(const cli_command *self, const draw_settings *settings, cli_operands operands)
{
    if (settings->width < 240 || settings->width > 20000)
        return cli_usage(self, "--width needs a whole number from 240 to 20000, found '%d'", settings->width);
    if (settings->interval < 1e-4 || settings->interval > 1e6)
        return cli_usage(self, "--interval needs a number from 0.0001 to 1000000, found '%g'", settings->interval);
    if (settings->spread > 1e4 ||
        (settings->spread < 0.0 && settings->spread != (double)lope_draw_def_default().spread))
        return cli_usage(self, "--spread needs a number from 0 to 10000, found '%g'", settings->spread);
    if (settings->from < 0.0)
        return cli_usage(self, "--from needs a number >= 0, found '%g'", settings->from);
    if (settings->to >= 0.0 && settings->to <= settings->from)
        return cli_usage(self, "--to needs a time after --from (%g s), found '%g'", settings->from, settings->to);
    if (settings->all && (!settings->mobility || settings->state >= 0))
        return cli_usage(self, "--all goes with --mobility, in place of --state");
    if (operands.count > 1)
        return cli_usage(self, "one clip makes one picture, found %d: '%s', '%s'", operands.count, operands.words[0],
                         operands.words[1]);
    return cli_need_output(self, &settings->outputs);
}

static int definition(const cli_command *self, const draw_settings *settings, lope_draw_def *def)
{
    *def = lope_draw_def_default();
    if (!parse_parts(settings->parts, &def->parts))
        return cli_usage(self, "--parts needs strobe, path, contacts, curves or all, found '%s'", settings->parts);
    def->view = (lope_view)settings->view;
    def->width = settings->width;
    def->interval = (float)settings->interval;
    def->spread = (float)settings->spread;
    def->start = settings->from;
    def->end = settings->to;
    def->curves = settings->curves;
    def->dark = settings->dark;
    return CLI_OK;
}

// What an option draws that needs no clip; NULL: none was given.
static const char *without_clip(const draw_settings *settings)
{
    return settings->mobility  ? "--mobility draws a map"
           : settings->map     ? "--map draws a motion map"
           : settings->steps   ? "--steps draws a graph"
           : settings->terrain ? "--terrain draws ground"
           : settings->rings   ? "--rings draws a ring"
           : settings->patches ? "--patches draws a tile"
                               : NULL;
}

static int draw_without_clip(const cli_command *self, const draw_settings *settings, const lope_draw_def *def)
{
    if (settings->mobility)
        return draw_mobility(self, settings, def);
    if (settings->map)
        return cli_draw_map(self, settings->map, settings->step, def, settings->output);
    if (settings->steps)
        return draw_steps(self, settings, def);
    if (settings->terrain)
        return draw_terrain(self, settings, settings->terrain);
    return settings->rings ? draw_rings(self, settings) : draw_patches(self, settings, def);
}

static int draw_source(const cli_command *self, const draw_settings *settings, lope_draw_def *def,
                       const cli_sources *sources)
{
    cli_loaded loaded = {.status = LOPE_OK};
    if (sources->count > 1)
        return cli_usage(self, "one clip makes one picture, found a folder with %d", sources->count);
    int result = cli_check_not_inputs(self, &settings->outputs, sources);
    if (result)
        return result;
    cli_source_load(&sources->items[0], &settings->reading, &loaded);
    result = settings->loop ? draw_cycle(self, settings, &loaded) : draw_loaded(self, settings, def, &loaded);
    cli_loaded_free(&loaded);
    return result;
}

static int draw(const cli_command *self, const draw_settings *settings, lope_draw_def *def, cli_operands operands)
{
    const char *other = without_clip(settings);
    if (other)
        return operands.count ? cli_usage(self, "%s and takes no clip, found '%s'", other, operands.words[0])
                              : draw_without_clip(self, settings, def);
    if (operands.count && is_terrain(operands.words[0]))
        return draw_terrain(self, settings, operands.words[0]);
    char *plain_walk[] = {(char[]){"walk_normal"}};
    cli_sources sources;
    int result = cli_sources_find(self, operands.count ? operands : (cli_operands){1, plain_walk}, &sources);
    if (result)
        return result;
    result = draw_source(self, settings, def, &sources);
    cli_sources_free(&sources);
    return result;
}

static int run(const cli_command *self, int count, char **arguments)
{
    lope_draw_def def = lope_draw_def_default();
    draw_settings settings = {.width = def.width,
                              .interval = (double)def.interval,
                              .spread = (double)def.spread,
                              .parts = "all",
                              .to = -1.0,
                              .state = -1,
                              .step = -1};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    result = check(self, &settings, operands);
    if (!result)
        result = definition(self, &settings, &def);
    for (int i = 0; i < settings.outputs.count && !result; i++) {
        settings.output = settings.outputs.items[i].path;
        result = draw(self, &settings, &def, operands);
        if (result)
            cli_say_written(self, &settings.outputs, i);
    }
    return result;
}

const cli_command cli_draw = {
    .name = "draw",
    .summary = "a picture of a motion (strobe, ground path, contacts, curves), or of terrain",
    .synopsis = synopsis,
    .description = "Draws one clip as SVG: the body every so often (from the side, the front, above or in perspective; "
                   "the left side "
                   "orange, the right side blue, older bodies lighter), the path over the ground with foot prints, a "
                   "bar for every "
                   "touch of heels, toes and hands, and curves of joint angles, speed or height.\n\nWithout an operand "
                   "it draws the "
                   "built-in motion walk_normal.",
    .examples = examples,
    .options = options,
    .run = run,
};
