// SPDX-License-Identifier: MIT
// `lope gait`: a character on motion rings crosses a terrain; what it does comes out as BVH, GLB or a picture.
#include <stdlib.h>
#include <string.h>

#include "cli/maps.h"
#include "cli/outputs.h"
#include "cli/published.h"
#include "lope/rings_build.h"
#include "lope/terrain_scene.h"

// Metres that a foot may miss its place by; more is a leg that does not reach.
#define MISSED 0.05

typedef struct gait_settings {
    cli_outputs outputs;
    const char *scene, *to, *script, *play, *published;
    unsigned published_ways;
    double fps, seconds, stride, start, end, interval;
    bool run, combined, no_ik, json;
} gait_settings;

#define AT(field) offsetof(gait_settings, field)
static const cli_option options[] = {
    CLI_OUTPUT_OPTION(gait_settings, "OUT.bvh|OUT.glb|OUT.svg", "The motion, or a picture of it. Needed."),
    {"scene", 's', CLI_TEXT, "SCENE", AT(scene),
     "The ground: a built-in terrain (bumps, stairs, stones, spiral, course, cliff), SCENE.json, or a mesh such as "
     "rubble.obj or level.glb in metres, crossed along its longer side; flat by default."},
    {"to", 't', CLI_TEXT, "PLACES", AT(to),
     "Where to go: x,z in metres; several separated by blanks. By default the "
     "scene's way, or straight on."},
    {"script", 'c', CLI_TEXT, "FILE", AT(script),
     "What a hand at the stick does, one line each: SECONDS stand|walk|run|NAME DEGREES STRIDE; # begins a comment. "
     "NAME is a ring of your own."},
    {"seconds", 0, CLI_POSITIVE, "N", AT(seconds),
     "How long at most; where it has somewhere to go, 60 and 2 more for each metre by default."},
    {"stride", 0, CLI_POSITIVE, "METRES", AT(stride),
     "Length of a step. By default as the performer steps, within what is a walk; where the rings do not say, 0.6, or "
     "1.2 with --run."},
    {"run", 'r', CLI_FLAG, NULL, AT(run), "Run."},
    {"play", 0, CLI_TEXT, "NAME", AT(play), "Play that ring of your own ('lope build --rings --own')."},
    {"published", 0, CLI_TEXT, "WORD,WORD|all", AT(published),
     "What the paper does where Lope does something else: search, ease, correction."},
    {"combined", 0, CLI_FLAG, NULL, AT(combined), "Straight samples only, turned directly (the combined method)."},
    {"no-ik", 0, CLI_FLAG, NULL, AT(no_ik), "Show what the weights alone do."},
    {"start", 0, CLI_NUMBER, "SECONDS", AT(start), "First moment of a picture."},
    {"end", 0, CLI_NUMBER, "SECONDS", AT(end), "Last moment of a picture."},
    {"interval", 0, CLI_POSITIVE, "SECONDS", AT(interval), "Between the bodies of a picture; 0.25 by default."},
    {"fps", 0, CLI_RATE, "N", AT(fps), "Frames per second of the output; 60 by default."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print the report as JSON."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] [RINGS.lope] -o OUT", NULL};
static const char *const examples[] = {
    "Over irregular stairs, as a picture:", "lope gait --scene stairs -o stairs.svg",
    "Captured walks on stepping stones, to Blender:", "lope gait walk.lope --scene stones -o stones.glb", NULL};

// The stick from `seconds` on.
typedef struct gait_command {
    double seconds;
    lope_gait_control control;
} gait_command;

typedef struct gait_work {
    const cli_command *command;
    const gait_settings *settings;
    lope_moves *moves;       // that the rings are part of,
    lope_rings *own;         // or the rings themselves
    const lope_rings *rings; // whichever it is
    lope_terrain_scene *scene;
    lope_vec2 *way;
    int way_count;
    gait_command *script;
    int script_count;
    // What was done.
    bool arrived; // or had nowhere to arrive at
    bool stuck;   // cannot go on
    double left;  // metres to the end of the way; NAN without one
    int frames, strikes, in_hull;
    double worst_weights, worst_ik, refused, metres;
    lope_clip *clip;
} gait_work;

static int read_places(gait_work *work)
{
    const char *at = work->settings->to;
    while (*at) {
        char *end;
        double x = strtod(at, &end), z = 0.0;
        bool good = end != at && *end == ',';
        if (good) {
            const char *second = end + 1;
            z = strtod(second, &end);
            good = end != second && (*end == 0 || *end == ' ') && isfinite(x) && isfinite(z);
        }
        if (!good)
            return cli_usage(work->command, "--to needs places such as 3,4, found '%s'", at);
        work->way = realloc(work->way, ((size_t)work->way_count + 1) * sizeof *work->way);
        if (!work->way)
            abort();
        work->way[work->way_count++] = (lope_vec2){(float)x, (float)z};
        at = end + strspn(end, " ");
    }
    return CLI_OK;
}

static bool parse_command(const lope_rings *rings, const char *line, gait_command *out)
{
    char word[32], rest;
    double degrees = 0.0, stride = 0.6;
    int found = sscanf(line, "%lf %31s %lf %lf %c", &out->seconds, word, &degrees, &stride, &rest);
    static const char *const modes[] = {"stand", "walk", "run"};
    if (found < 2 || found > 4)
        return false;
    int mode = (int)lope_rings_mode(rings, word);
    for (int m = 0; m < 3; m++)
        if (strcmp(word, modes[m]) == 0)
            mode = m;
    out->control = (lope_gait_control){(lope_gait_mode)mode, (float)(degrees * LOPE_PI / 180.0), (float)stride};
    return (mode > 0 || strcmp(word, modes[0]) == 0) && isfinite(out->seconds) && isfinite(degrees) && isfinite(stride);
}

static int read_script(gait_work *work)
{
    const char *path = work->settings->script;
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "lope %s: %s: no such file\n", work->command->name, path);
        return CLI_NOT_FOUND;
    }
    char line[512];
    int result = CLI_OK;
    for (int number = 1; !result && fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "#\r\n")] = 0;
        if (line[strspn(line, " \t")] == 0)
            continue;
        gait_command command;
        if (!parse_command(work->rings, line, &command) ||
            (work->script_count && command.seconds < work->script[work->script_count - 1].seconds)) {
            fprintf(stderr,
                    "lope %s: %s:%d: expected SECONDS stand|walk|run|NAME DEGREES STRIDE in the order of time, found "
                    "'%s'\n",
                    work->command->name, path, number, line);
            result = CLI_FAILED;
            break;
        }
        work->script = realloc(work->script, ((size_t)work->script_count + 1) * sizeof *work->script);
        if (!work->script)
            abort();
        work->script[work->script_count++] = command;
    }
    fclose(file);
    if (!result && work->script_count == 0) {
        fprintf(stderr, "lope %s: %s: says nothing to do\n", work->command->name, path);
        result = CLI_FAILED;
    }
    return result;
}

static lope_status open_scene(gait_work *work, lope_error *error)
{
    const char *scene = work->settings->scene;
    if (!scene)
        return LOPE_OK;
    lope_status status = lope_terrain_scene_open(scene, &work->scene, error);
    if (status || work->way || !work->scene->path_count)
        return status;
    work->way = cli_alloc((size_t)work->scene->path_count * sizeof *work->way);
    memcpy(work->way, work->scene->path, (size_t)work->scene->path_count * sizeof *work->way);
    work->way_count = work->scene->path_count;
    return LOPE_OK;
}

// As it was asked for, or as the performer steps. Walks are no shuffles and no jogs: those shares of a leg bound them.
static double stride_of(const gait_work *work)
{
    const double shortest = 0.42, longest = 0.85;
    const gait_settings *s = work->settings;
    double leg = (double)lope_skeleton_leg_length(lope_rings_skeleton(work->rings));
    int ring = lope_rings_find(work->rings, s->run ? LOPE_RING_RUN : LOPE_RING_WALK);
    if (s->play)
        for (ring = 0; strcmp(lope_rings_info(work->rings, ring).name, s->play) != 0;)
            ring++;
    double own = ring >= 0 ? (double)lope_rings_info(work->rings, ring).stride : 0.0;
    if (s->stride > 0.0)
        return s->stride;
    if (s->play && own > 0.0)
        return own;
    if (own > 0.0)
        return s->run ? own : fmax(shortest * leg, fmin(own, longest * leg));
    return s->run ? 1.2 : 0.6;
}

static lope_gait_control control_at(const gait_work *work, const lope_gait *gait, double seconds, int *next)
{
    const gait_settings *s = work->settings;
    lope_gait_control like = {s->run ? LOPE_GAIT_RUN : LOPE_GAIT_WALK, 0.0f, (float)stride_of(work)};
    if (s->play)
        like.mode = lope_rings_mode(work->rings, s->play);
    if (work->script_count) {
        like = (lope_gait_control){LOPE_GAIT_STAND, 0.0f, 0.0f};
        for (int i = 0; i < work->script_count && work->script[i].seconds <= seconds; i++)
            like = work->script[i].control;
        return like;
    }
    return work->way_count ? lope_gait_follow(gait, work->way, work->way_count, next, 0.9f, &like) : like;
}

static void note_strike(gait_work *work, const lope_gait_strike *strike)
{
    work->strikes++;
    work->in_hull += strike->in_hull;
    work->worst_weights = fmax(work->worst_weights, (double)strike->by_weights);
    work->worst_ik = fmax(work->worst_ik, (double)strike->by_ik);
}

// Metres from the start along the way.
static double way_length(const gait_work *work)
{
    lope_ground start = work->scene ? work->scene->start : (lope_ground){0.0f, 0.0f, 0.0f};
    lope_vec2 from = {start.x, start.z};
    double length = 0.0;
    for (int i = 0; i < work->way_count; i++) {
        length += hypot((double)(work->way[i].x - from.x), (double)(work->way[i].z - from.z));
        from = work->way[i];
    }
    return length;
}

static double seconds_to_go(const gait_work *work)
{
    if (work->settings->seconds > 0.0)
        return work->settings->seconds;
    if (work->script_count)
        return work->script[work->script_count - 1].seconds + 2.0;
    return work->way_count ? 60.0 + 2.0 * way_length(work) : 8.0;
}

// How near it came to the next place of its way, and for how long it has not come nearer.
typedef struct gait_approach {
    int next;
    double nearest, since;
} gait_approach;

// Whether a character cannot go on: it says so, or was refused steps and goes to and fro.
static bool cannot_go_on(const gait_work *work, const lope_gait *gait, int next, gait_approach *approach)
{
    const double nearer = 0.25, patience = 60.0; // metres, seconds
    lope_gait_state state = lope_gait_state_of(gait);
    lope_ground at = lope_gait_ground(gait);
    if (!work->way_count || work->script_count)
        return false;
    double left = hypot((double)(work->way[next].x - at.x), (double)(work->way[next].z - at.z));
    if (next != approach->next || left < approach->nearest - nearer)
        *approach = (gait_approach){next, left, 0.0};
    approach->since += 1.0 / work->settings->fps;
    return state.stuck || (approach->since > patience && work->refused > 0.0);
}

// Walks until it arrives, cannot go on, or its time is over, and keeps every frame.
static void walk(gait_work *work, lope_gait *gait)
{
    const lope_terrain *terrain = work->scene ? work->scene->terrain : NULL;
    double dt = 1.0 / work->settings->fps, arrived = 0.0;
    int most = work->clip->frame_count, joints = work->clip->skeleton->joint_count, next = 0;
    lope_ground before = lope_gait_ground(gait);
    gait_approach approach = {-1, 0.0, 0.0};
    for (int f = 0; f < most && arrived < 1.2 && !work->stuck; f++) {
        int strikes = lope_gait_state_of(gait).strikes;
        if (f > 0) {
            lope_gait_control control = control_at(work, gait, f * dt, &next);
            lope_gait_step(gait, terrain, &control, (float)dt);
            bool done = !work->script_count && control.mode == LOPE_GAIT_STAND;
            arrived = done && lope_gait_state_of(gait).standing ? arrived + dt : 0.0;
            work->stuck = !done && cannot_go_on(work, gait, next, &approach);
        }
        lope_gait_state state = lope_gait_state_of(gait);
        lope_ground at = lope_gait_ground(gait);
        if (state.strikes != strikes)
            note_strike(work, &state.last);
        work->refused += state.refused ? dt : 0.0;
        work->metres += sqrt(pow((double)(at.x - before.x), 2.0) + pow((double)(at.z - before.z), 2.0));
        before = at;
        const lope_pose *pose = lope_gait_pose(gait);
        work->clip->root[f] = pose->root;
        work->clip->contacts[f] = lope_gait_contacts(gait);
        memcpy(work->clip->rotations + (size_t)f * (size_t)joints, pose->rotations,
               (size_t)joints * sizeof *pose->rotations);
        work->frames = f + 1;
    }
    bool goes = work->way_count && !work->script_count;
    lope_vec2 end = goes ? work->way[work->way_count - 1] : (lope_vec2){0.0f, 0.0f};
    work->left = goes ? hypot((double)(end.x - before.x), (double)(end.z - before.z)) : (double)NAN;
    work->arrived = !goes || arrived >= 1.2;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const gait_work *work = user;
    const gait_settings *s = work->settings;
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, &work->clip, 1, error);
    lope_draw_def def = lope_draw_def_default();
    def.parts = LOPE_DRAW_GROUND | LOPE_DRAW_PATH;
    def.interval = (float)s->interval;
    def.start = s->start;
    def.end = s->end;
    def.terrain = work->scene ? work->scene->terrain : NULL;
    return lope_draw(work->clip, &def, output->path, error);
}

static void report(const gait_work *work)
{
    double seconds = (work->frames - 1) / work->settings->fps;
    if (work->settings->json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '{');
        cli_json_outputs(&json, &work->settings->outputs);
        cli_json_bool(&json, "arrived", work->arrived);
        cli_json_bool(&json, "stuck", work->stuck);
        cli_json_number(&json, "left", work->left);
        cli_json_number(&json, "seconds", seconds);
        cli_json_number(&json, "metres", work->metres);
        cli_json_number(&json, "strikes", work->strikes);
        cli_json_number(&json, "in_hull", work->in_hull);
        cli_json_number(&json, "off_by_weights", work->worst_weights);
        cli_json_number(&json, "off_with_ik", work->worst_ik);
        cli_json_number(&json, "refused_seconds", work->refused);
        cli_json_close(&json, '}');
        return;
    }
    cli_print_outputs(&work->settings->outputs);
    printf(": %.1f s, %.1f m, %d strikes, %d of them in reach of the samples\n", seconds, work->metres, work->strikes,
           work->in_hull);
    printf("feet off by %.1f cm at most by weights, by %.1f mm with IK\n", work->worst_weights * 100.0,
           work->worst_ik * 1000.0);
    if (work->refused > 0.0)
        printf("no place for the next foot for %.1f s\n", work->refused);
    if (work->arrived && !isnan(work->left))
        printf("arrived, %.2f m from the end of the way\n", work->left);
}

// What went wrong, if anything did, in plain words.
static int judge(const gait_work *work)
{
    const char *name = work->command->name;
    int result = CLI_OK;
    if (!work->arrived) {
        const char *held =
            "; it found no place for the next foot: the samples reach none, clips with such steps are needed";
        fprintf(stderr, "lope %s: partial: %s: %.1f m are left after %.1f s%s\n", name,
                work->stuck ? "cannot go on" : "did not arrive", work->left, (work->frames - 1) / work->settings->fps,
                work->refused > 0.0 ? held : "; --seconds gives it longer");
        result = CLI_FAILED;
    }
    if (work->worst_ik > MISSED && !work->settings->no_ik) {
        fprintf(stderr, "lope %s: partial: a foot missed its place by %.1f cm: the rings hold too few samples for it\n",
                name, 100.0 * work->worst_ik);
        result = CLI_FAILED;
    }
    return result;
}

static int go(gait_work *work)
{
    const gait_settings *s = work->settings;
    lope_error error = {0};
    lope_gait *gait = NULL;
    lope_gait_def def = lope_gait_def_default();
    if (work->scene) {
        def.at = work->scene->start;
        def.above = work->scene->height + 1.0f;
    }
    def.ik = !s->no_ik;
    def.combined = s->combined;
    def.published = s->published_ways;
    lope_status status = lope_gait_create(work->rings, work->scene ? work->scene->terrain : NULL, &def, &gait, &error);
    if (!status)
        status =
            lope_clip_create(lope_rings_skeleton(work->rings), work->scene ? work->scene->name : "gait",
                             (int)(seconds_to_go(work) * s->fps) + 1, s->fps, LOPE_CLIP_CONTACTS, &work->clip, &error);
    if (!status) {
        walk(work, gait);
        work->clip->frame_count = work->frames;
    }
    lope_gait_destroy(gait);
    if (status)
        return cli_fail(work->command, &error);
    int result = cli_write_outputs(work->command, &s->outputs, write_one, work);
    if (result)
        return result;
    report(work);
    return judge(work);
}

static int check(const cli_command *self, const gait_settings *settings, const cli_operands *operands)
{
    int result = cli_need_output(self, &settings->outputs);
    if (result)
        return result;
    if (settings->play && (settings->script || settings->run))
        return cli_usage(self, "--play goes with neither --script, whose lines name rings, nor --run");
    if (settings->to && settings->script)
        return cli_usage(self, "either --to or --script, not both");
    if (settings->seconds > 3600.0)
        return cli_usage(self, "--seconds is at most 3600, found '%g'", settings->seconds);
    if (operands->count > 1)
        return cli_usage(self, "one file of rings is enough, found %d", operands->count);
    return CLI_OK;
}

// The combined method has rings of its own, which no moves hold.
static lope_status open_rings(gait_work *work, const char *path, lope_error *error)
{
    bool straight = work->settings->combined && !path;
    lope_status status = straight ? LOPE_OK : cli_moves_open(path, &work->moves, error);
    work->rings = work->moves ? work->moves->rings : NULL;
    if (status || work->rings)
        return status;
    status = path ? lope_rings_open(path, &work->own, error) : lope_rings_builtin(straight, &work->own, NULL, error);
    work->rings = work->own;
    return status;
}

static int run(const cli_command *self, int count, char **arguments)
{
    gait_settings settings = {.fps = 60.0, .interval = 0.25};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    result = check(self, &settings, &operands);
    gait_work work = {.command = self, .settings = &settings};
    lope_error error = {0};
    if (!result && settings.to)
        result = read_places(&work);
    if (!result)
        result = cli_published(self, settings.published, LOPE_PUBLISHED_GAIT, &settings.published_ways);
    if (!result && open_scene(&work, &error))
        result = cli_fail(self, &error);
    if (!result && open_rings(&work, operands.count ? operands.words[0] : NULL, &error))
        result = cli_fail(self, &error);
    if (!result && settings.play && lope_rings_mode(work.rings, settings.play) == LOPE_GAIT_STAND)
        result = cli_usage(self, "--play: the rings hold none that is named '%s'", settings.play);
    if (!result && settings.script)
        result = read_script(&work);
    if (!result)
        result = go(&work);
    lope_clip_destroy(work.clip);
    lope_rings_close(work.own);
    lope_moves_close(work.moves);
    lope_terrain_scene_destroy(work.scene);
    free(work.way);
    free(work.script);
    return result;
}

const cli_command cli_gait = {
    .name = "gait",
    .summary = "a character on motion rings crosses a terrain",
    .synopsis = synopsis,
    .description =
        "Lets one character of motion rings (see 'lope build --rings') walk or run over a terrain, along the scene's "
        "way, to places, or as a script moves the stick, and writes what it did. Every foot looks for its place among "
        "those that the samples can reach; where there is none, the character stops. Where it does not arrive, what it "
        "did is written, and the exit code is 1.\n\nWithout rings it is the character of the built-in set. A picture "
        "shows the body on the ground from the side, its way unrolled, and "
        "the foot prints from above.",
    .examples = examples,
    .options = options,
    .run = run,
};
