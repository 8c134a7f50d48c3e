// SPDX-License-Identifier: MIT
// What a library is good for with default options: what builds, which goals its characters reach, and how the
// independent grader judges their motion.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/captures.h"

enum { TARGETS = 40, SCENES = 7, TERRAINS = 6, AT_ONCE = 2 };
static const char *const scenes[SCENES] = {"clutter", "doors", "figure8", "living_room", "maze", "plaza", "uturns"};
static const char *const terrains[TERRAINS] = {"bumps", "stairs", "stones", "spiral", "course", "cliff"};

typedef enum system { MOBILITY, MAPS, RINGS, PATCHES, SYSTEMS } system_kind;
static const char *const system_names[SYSTEMS] = {"mobility", "maps", "rings", "patches"};

// One library on its way through the stages.
typedef struct trial {
    captures *all;
    const captures_library *library;
    bool built[SYSTEMS], tried[SYSTEMS];
    double seconds[SYSTEMS];
    int passed, stood, followed, crossed, scenes_tried, terrains_tried, targets_tried;
} trial;

static const char *file_of(const trial *t, const char *name)
{
    return captures_text("%s/built/%s.%s", t->all->work, t->library->name, name);
}

// The last line that a program said, for notes.
static const char *last_line(const char *output)
{
    size_t end = output ? strlen(output) : 0;
    while (end && (output[end - 1] == '\n' || output[end - 1] == '\r'))
        end--;
    size_t begin = end;
    while (begin && output[begin - 1] != '\n' && output[begin - 1] != '\r')
        begin--;
    return end - begin > 300 ? captures_text("%.300s...", output + begin)
                             : captures_text("%.*s", (int)(end - begin), output ? output + begin : "");
}

// The clips that rings were made of, terrain included.
#define RING_CLIPS "ring_clips.lope"

static bool build(trial *t, system_kind system)
{
    captures_child child = {.words = {"build", captures_text("--%s", system_names[system]), "-o",
                                      file_of(t, captures_text("%s.lope", system_names[system])), NULL}};
    int at = 4;
    if (system == RINGS) {
        child.words[at++] = "--keep-clips";
        child.words[at++] = file_of(t, RING_CLIPS);
    }
    child.words[at] = t->library->folder[0] ? t->library->folder : NULL;
    if (!captures_children_run(t->all, &child, 1, 1)) {
        captures_children_free(&child, 1);
        return false;
    }
    t->tried[system] = true;
    t->built[system] = child.code == 0;
    t->seconds[system] = child.seconds;
    captures_value(t->all, CAPTURES_BUILDS, t->library->column, child.code == 0 ? 0.0 : 1.0);
    if (child.code)
        captures_note(t->all, "%s: --%s: %s", t->library->name, system_names[system], last_line(child.output));
    captures_children_free(&child, 1);
    return t->built[system];
}

// Targets 2 to 6 m from one another, not farther than 10 m from the origin.
static void write_targets(const char *path, uint64_t seed)
{
    FILE *file = fopen(path, "w");
    uint64_t state = seed * 977 + 5;
    double x = 0.0, z = 0.0;
    for (int i = 0; file && i < TARGETS; i++) {
        double nx, nz;
        do {
            double angle = 2.0 * LOPE_PI * bench_random(&state), far = 2.0 + 4.0 * bench_random(&state);
            nx = x + far * cos(angle);
            nz = z + far * sin(angle);
        } while (nx * nx + nz * nz > 100.0);
        fprintf(file, "%.3f,%.3f\n", x = nx, z = nz);
    }
    if (file)
        fclose(file);
}

// What motions are held against: the clips of the file they were made from.
typedef struct source {
    grader_sums *sums;
    grader_body body;
    double rate;
} source;

bool captures_tell_body(const lope_skeleton *skeleton, const grader_motion *motion, grader_body *body)
{
    *body = grader_body_none();
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (skeleton->roles[r] >= 0)
            grader_body_set(body, lope_role_name((lope_role)r),
                            grader_find_joint(motion, skeleton->names[skeleton->roles[r]]));
    return body->hips >= 0;
}

static const grader_read_def written = {0.01, 'Y'};

// Tiles do not keep their clips: then those of another file of the library serve.
static lope_status open_clips(const trial *t, const char *path, lope_set **out)
{
    lope_error error;
    lope_status status = lope_set_open(path, out, &error);
    for (int s = MOBILITY; s <= MAPS && status; s++)
        if (t->built[s])
            status = lope_set_open(file_of(t, captures_text("%s.lope", system_names[s])), out, &error);
    return status;
}

// What a clip that goes downstairs ends on; the floor, for others.
static double ground_of(const grader_motion *motion)
{
    const double stair = 0.1;
    double lowest = 0.0;
    for (size_t i = 0; i < (size_t)motion->frame_count * (size_t)motion->joint_count; i++)
        lowest = fmin(lowest, motion->positions[i].y);
    return lowest < -stair ? lowest : 0.0;
}

static bool open_source(const trial *t, const char *path, source *out)
{
    lope_error error;
    lope_set *set;
    char message[128];
    *out = (source){.sums = grader_sums_create()};
    if (open_clips(t, path, &set))
        return false;
    bool good = set->clip_count > 0;
    for (int i = 0; i < set->clip_count && good; i++) {
        const char *clip = file_of(t, "source.bvh");
        grader_motion motion;
        good = lope_bvh_write(set->clips[i], clip, 100.0f, &error) == LOPE_OK &&
               grader_read_file(clip, &written, &motion, message);
        if (!good)
            break;
        out->rate = motion.rate;
        good = captures_tell_body(set->skeleton, &motion, &out->body);
        grader_body body = out->body;
        body.floor = ground_of(&motion);
        grader_sums_add(out->sums, &motion, &body); // clips of a few frames are not added
        grader_motion_free(&motion);
    }
    lope_set_destroy(set);
    return good;
}

static bool add_motion(grader_sums *sums, const char *path, const source *from)
{
    grader_motion motion, even;
    char message[128];
    if (!grader_read_file(path, &written, &motion, message))
        return false;
    bool good = grader_resample(&motion, from->rate, &even) && grader_sums_add(sums, &even, &from->body);
    grader_motion_free(&motion);
    grader_motion_free(&even);
    return good;
}

static double ratio(double a, double b)
{
    return b > 1e-9 ? a / b : a > 1e-9 ? 99.0 : 1.0;
}

// What a controller wrote.
typedef struct written_motion {
    const char *controller;
    const char *const *paths;
    int count;
} written_motion;

// Says where a motion that misses its must is worst.
static void note_worst(trial *t, const written_motion *w, const char *what, double times, grader_place place)
{
    const char *path = place.motion < w->count ? w->paths[place.motion] : "", *slash = strrchr(path, '/');
    captures_note(t->all, "%s, %s: %s, %.1f, %s after %.2f s", t->library->name, w->controller, what, times,
                  slash ? slash + 1 : path, place.seconds);
}

static void note_misses(trial *t, const written_motion *w, const grader_grades *g)
{
    double beyond = fmax(g->knee_beyond, g->elbow_beyond);
    if (g->speed.worst > 2.0)
        note_worst(t, w, captures_text("times as fast, %s", g->speed.joint), g->speed.worst, g->speed.place);
    if (g->turn.worst > 2.0)
        note_worst(t, w, captures_text("times the acceleration, %s", g->turn.joint), g->turn.worst, g->turn.place);
    if (beyond > 1.0)
        note_worst(t, w, g->knee_beyond >= beyond ? "degrees beyond, knee" : "degrees beyond, elbow", beyond,
                   g->limb_place);
}

static const char *excess_text(const grader_excess *e)
{
    const char *own = e->source > 2.0 ? captures_text(" (source %.1f)", e->source) : "";
    return captures_text("%.2f %%, %.1f x %.16s%s", 100.0 * e->share, e->plain, e->joint, own);
}

// Grades what a controller wrote, adds it to the rows, and shows it in the table of motions.
static void grade(trial *t, const written_motion *w, grader_sums *sums, source *from)
{
    grader_grades g = grader_judge(sums, from->sums), s = grader_reference(from->sums, sums);
    captures *all = t->all;
    captures_column column = t->library->column;
    if (g.seconds <= 0.0 || g.moving <= 1.0) {
        captures_note(all, "%s, %s: the character does not move", t->library->name, w->controller);
        return;
    }
    captures_value(all, CAPTURES_SKATE, column, ratio(g.skate, s.skate));
    captures_value(all, CAPTURES_PLANTED, column, ratio(g.planted, fmax(s.planted, CAPTURES_VISIBLE)));
    captures_value(all, CAPTURES_JERK, column, ratio(g.jerk, s.jerk));
    captures_value(all, CAPTURES_JERK_HIGH, column, ratio(g.jerk_high, s.jerk_high));
    captures_value(all, CAPTURES_SPEED, column, 100.0 * g.speed.share);
    captures_value(all, CAPTURES_SPEED_WORST, column, g.speed.worst);
    captures_value(all, CAPTURES_TURN, column, 100.0 * g.turn.share);
    captures_value(all, CAPTURES_TURN_WORST, column, g.turn.worst);
    captures_value(all, CAPTURES_LIMBS, column, fmax(g.knee_beyond, g.elbow_beyond));
    captures_value(all, CAPTURES_BACKWARDS, column, g.backwards);
    captures_value(all, CAPTURES_FLOOR, column, 100.0 * g.under_floor);
    bench_row(all->run, "%s, %s|%.2f|%.2f|%.2f|%.2f|%s|%s|%.0f, %.0f|%.0f|%.1f", t->library->name, w->controller,
              ratio(g.skate, s.skate), ratio(g.planted, fmax(s.planted, CAPTURES_VISIBLE)), ratio(g.jerk, s.jerk),
              ratio(g.jerk_high, s.jerk_high), excess_text(&g.speed), excess_text(&g.turn), g.knee_beyond,
              g.elbow_beyond, g.backwards, 100.0 * g.under_floor);
    note_misses(t, w, &g);
}

// Grades files of a controller together.
static void grade_files(trial *t, const char *controller, const char *built, const char *const *paths, int count)
{
    source from;
    grader_sums *sums = grader_sums_create();
    if (open_source(t, built, &from)) {
        for (int i = 0; i < count; i++)
            if (!add_motion(sums, paths[i], &from))
                captures_note(t->all, "%s, %s: %s cannot be graded", t->library->name, controller, paths[i]);
        grade(t, &(written_motion){controller, paths, count}, sums, &from);
    } else {
        captures_note(t->all, "%s, %s: its clips cannot be graded", t->library->name, controller);
    }
    grader_sums_destroy(sums);
    grader_sums_destroy(from.sums);
}

// A picture beside every motion, where pictures are wanted.
static void want_picture(const trial *t, captures_child *child, const char *name)
{
    int at = 0;
    while (child->words[at])
        at++;
    if (!bench_pictures(t->all->run))
        return;
    child->words[at] = "-o";
    child->words[at + 1] = captures_text("%s/captures_%s_%s.svg", bench_pictures(t->all->run), t->library->name, name);
}

// Grades six characters of a crowd in the plaza.
static void walk_in_crowd(trial *t)
{
    enum { SEEN = 6 };
    const char *built = file_of(t, "mobility.lope"), *folder = file_of(t, "crowd"), *outputs[SEEN];
    captures_child child = {.words = {"crowd", "plaza", "--map", built, "-n", "24", "--seconds", "40", "--who", "0-5",
                                      "--to", "bvh", "-o", folder, NULL}};
    mkdir(folder, 0700);
    int count = 0;
    if (captures_children_run(t->all, &child, 1, 1)) {
        DIR *dir = opendir(folder);
        for (struct dirent *entry; dir && count < SEEN && (entry = readdir(dir));)
            if (strstr(entry->d_name, ".bvh"))
                outputs[count++] = captures_text("%s/%s", folder, entry->d_name);
        if (dir)
            closedir(dir);
        grade_files(t, "crowd", built, outputs, count);
    }
    captures_children_free(&child, 1);
}

// Targets that were reached; what is said of all together does not count.
static int arrivals(const char *output)
{
    const char *list = output ? strstr(output, "\"targets\": [") : NULL;
    return list ? captures_occurrences(list, "\"arrived\": true") : 0;
}

static void walk_to_targets(trial *t)
{
    const char *built = file_of(t, "mobility.lope"), *targets = file_of(t, "targets");
    const char *outputs[2] = {file_of(t, "pass.bvh"), file_of(t, "stand.bvh")};
    write_targets(targets, (uint64_t)t->library->poses);
    captures_child children[2] = {
        {.words = {"track", built, "--targets", targets, "--json", "-o", outputs[0], "--pass", NULL}},
        {.words = {"track", built, "--targets", targets, "--json", "-o", outputs[1], NULL}}};
    want_picture(t, &children[0], "pass");
    want_picture(t, &children[1], "stand");
    if (captures_children_run(t->all, children, 2, AT_ONCE)) {
        t->targets_tried = TARGETS;
        t->passed = arrivals(children[0].output);
        t->stood = arrivals(children[1].output);
        captures_count(t->all, CAPTURES_PASSED, t->library->column, t->passed, TARGETS);
        captures_count(t->all, CAPTURES_STOOD, t->library->column, t->stood, TARGETS);
        grade_files(t, "track", built, outputs, 2);
    }
    captures_children_free(children, 2);
}

static void use_mobility(trial *t)
{
    if (bench_wants(t->all->run, "targets"))
        walk_to_targets(t);
    if (bench_wants(t->all->run, "crowd"))
        walk_in_crowd(t);
}

static void follow_scenes(trial *t)
{
    const char *built = file_of(t, "maps.lope"), *outputs[SCENES];
    captures_child children[SCENES] = {0};
    for (int i = 0; i < SCENES; i++) {
        outputs[i] = file_of(t, captures_text("%s.bvh", scenes[i]));
        unlink(outputs[i]);
        captures_child child = {.words = {"follow", built, "--scene", scenes[i], "--json", "-o", outputs[i], NULL}};
        children[i] = child;
        want_picture(t, &children[i], scenes[i]);
    }
    if (captures_children_run(t->all, children, SCENES, AT_ONCE)) {
        t->scenes_tried = SCENES;
        for (int i = 0; i < SCENES; i++)
            t->followed += captures_occurrences(children[i].output, "\"arrived\": true") == 1;
        captures_count(t->all, CAPTURES_FOLLOWED, t->library->column, t->followed, SCENES);
        grade_files(t, "follow", built, outputs, SCENES);
    }
    captures_children_free(children, SCENES);
}

// Whether the hips of a motion stay above 0.4 m: the character did not fall.
static bool stays_up(const char *path)
{
    grader_motion motion;
    char message[128];
    bool up = grader_read_file(path, &written, &motion, message);
    for (int f = 0; up && f < motion.frame_count; f++)
        up = motion.positions[(size_t)f * (size_t)motion.joint_count].y > 0.4;
    grader_motion_free(&motion);
    return up;
}

// Whether `lope gait` got there. A gap of 1.5 m cannot be walked across: a character that stops at the edge is right.
static bool crossed(const captures_child *child, const char *terrain, const char *path)
{
    if (strcmp(terrain, "cliff") == 0)
        return child->output && stays_up(path);
    return child->code == 0 && captures_occurrences(child->output, "\"arrived\": true") == 1;
}

static void cross_terrains(trial *t)
{
    const char *built = file_of(t, "rings.lope"), *flat = file_of(t, "flat.bvh"), *outputs[TERRAINS];
    captures_child children[TERRAINS + 1] = {0};
    for (int i = 0; i < TERRAINS; i++) {
        outputs[i] = file_of(t, captures_text("%s.bvh", terrains[i]));
        captures_child child = {
            .words = {"gait", built, "--scene", terrains[i], "--seconds", "180", "--json", "-o", outputs[i], NULL}};
        children[i] = child;
        want_picture(t, &children[i], terrains[i]);
    }
    captures_child level = {.words = {"gait", built, "--to", "0,6 4,8 4,0 0,0", "--json", "-o", flat, NULL}};
    children[TERRAINS] = level;
    want_picture(t, &children[TERRAINS], "gait");
    if (captures_children_run(t->all, children, TERRAINS + 1, AT_ONCE)) {
        t->terrains_tried = TERRAINS;
        for (int i = 0; i < TERRAINS; i++)
            t->crossed += crossed(&children[i], terrains[i], outputs[i]);
        captures_count(t->all, CAPTURES_TERRAINS, t->library->column, t->crossed, TERRAINS);
        grade_files(t, "gait", file_of(t, RING_CLIPS), &flat, 1);
    }
    captures_children_free(children, TERRAINS + 1);
}

static void walk_on_tiles(trial *t)
{
    const char *built = file_of(t, "patches.lope"), *output = file_of(t, "tiles.bvh");
    captures_child child = {
        .words = {"follow", "--patches", built, "--scene", "clutter", "--json", "-o", output, NULL}};
    want_picture(t, &child, "tiles");
    if (captures_children_run(t->all, &child, 1, 1))
        grade_files(t, "tiles", built, &output, 1);
    captures_children_free(&child, 1);
}

// Without anything filled in: as many targets are reached as the build found out when it tried others.
static void keep_promises(trial *t)
{
    const char *built = file_of(t, "pure.lope"), *targets = file_of(t, "targets");
    captures_child build_child = {
        .words = {"build", "--mobility", "--pure", "--json", "-o", built, t->library->folder, NULL}};
    if (captures_children_run(t->all, &build_child, 1, 1) && build_child.code == 0) {
        const char *tried = strstr(build_child.output, "\"trial\"");
        double of = captures_number(tried, "targets");
        double promised[2] = {captures_number(tried, "passed") / of, captures_number(tried, "stood") / of};
        captures_child children[2] = {
            {.words = {"track", built, "--targets", targets, "--json", "-o", file_of(t, "pure.bvh"), "--pass", NULL}},
            {.words = {"track", built, "--targets", targets, "--json", "-o", file_of(t, "pure_stand.bvh"), NULL}}};
        write_targets(targets, (uint64_t)t->library->poses);
        if (captures_children_run(t->all, children, 2, AT_ONCE))
            for (int i = 0; i < 2; i++)
                captures_count(t->all, i ? CAPTURES_PURE_STOOD : CAPTURES_PURE_PASSED, t->library->column,
                               arrivals(children[i].output), promised[i] * TARGETS);
        captures_children_free(children, 2);
    }
    captures_children_free(&build_child, 1);
}

static const char *built_text(const trial *t, system_kind system)
{
    return !t->tried[system] ? "-" : t->built[system] ? captures_text("%.0f s", t->seconds[system]) : "fails";
}

static const char *share_text(int good, int of)
{
    return of ? captures_text("%d of %d", good, of) : "-";
}

static bool wants_use(const bench_run *run, system_kind system)
{
    static const char *const stages[SYSTEMS] = {"targets", "follow", "terrain", "tiles"};
    return bench_wants(run, stages[system]) || (system == MOBILITY && bench_wants(run, "crowd"));
}

// Counts targets, scenes and terrains of what could not be built as missed.
static void count_missed(trial *t, system_kind system)
{
    captures_column column = t->library->column;
    if (!t->tried[system] || !wants_use(t->all->run, system))
        return;
    if (system == MOBILITY) {
        captures_count(t->all, CAPTURES_PASSED, column, 0.0, TARGETS);
        captures_count(t->all, CAPTURES_STOOD, column, 0.0, TARGETS);
    } else if (system == MAPS) {
        captures_count(t->all, CAPTURES_FOLLOWED, column, 0.0, SCENES);
    } else if (system == RINGS) {
        captures_count(t->all, CAPTURES_TERRAINS, column, 0.0, TERRAINS);
    }
}

static void use_library(trial *t)
{
    captures *all = t->all;
    const captures_library *library = t->library;
    if (bench_wants(all->run, "pure") && library->folder[0] && !captures_over(all, false))
        keep_promises(t);
    static void (*const use[SYSTEMS])(trial *) = {use_mobility, follow_scenes, cross_terrains, walk_on_tiles};
    for (int system = 0; system < SYSTEMS && !captures_over(all, false); system++) {
        bool used = wants_use(all->run, (system_kind)system);
        if (!used && !bench_wants(all->run, "builds"))
            continue;
        if (!build(t, (system_kind)system))
            count_missed(t, (system_kind)system);
        else if (used)
            use[system](t);
    }
}

static const char *summary_of(const trial *t)
{
    return captures_text("%s|%d|%s|%s|%s|%s|%s|%s|%s|%s", t->library->name, t->library->poses, built_text(t, MOBILITY),
                         built_text(t, MAPS), built_text(t, RINGS), built_text(t, PATCHES),
                         share_text(t->passed, t->targets_tried), share_text(t->stood, t->targets_tried),
                         share_text(t->followed, t->scenes_tried), share_text(t->crossed, t->terrains_tried));
}

// Runs all stages on one library. Files that were built are removed: those of hundreds of libraries would fill the
// disk.
static const char *try_library(captures *all, captures_library *library)
{
    lope_error error = {0};
    const char *built = captures_text("%s/built", all->work);
    trial t = {.all = all, .library = library};
    mkdir(built, 0700);
    if (library->stranger && captures_write_strangers(library, 0, 0.0, NULL, &error) < 0)
        captures_note(all, "%s: %s", library->name, error.message);
    else
        use_library(&t);
    captures_remove(built);
    if (library->stranger)
        captures_remove(library->folder);
    return summary_of(&t);
}

// Captured libraries and strangers by turns, so that a run whose time is up has seen some of each.
static int by_turns(const captures *all, int i)
{
    int real = all->real_count, strangers = all->library_count - real, fewer = real < strangers ? real : strangers;
    if (i < 2 * fewer)
        return i % 2 ? real + i / 2 : i / 2;
    return real < strangers ? i : i - strangers;
}

lope_status captures_motion(captures *all, lope_error *error)
{
    (void)error;
    static captures_library builtin = {.name = "built-in", .column = CAPTURES_BUILTIN};
    captures_library **libraries = calloc((size_t)all->library_count + 1, sizeof(void *));
    const char **summaries = calloc((size_t)all->library_count + 1, sizeof(void *));
    if (!libraries || !summaries)
        abort();
    bench_table(
        all->run,
        "Motion against its source: skate, planted skate, jerk and 99.9 %% of it as ratios; joints that turn "
        "faster than the source's 99.9 %%, and accelerate more; degrees that knees, elbows go beyond its range, "
        "and backwards; cm under the floor");
    bench_row(all->run, "library|skate|planted|jerk|jerk 99.9 %%|turning|accelerating|beyond|backwards|under");
    int count = 0;
    if (bench_wants_subject(all->run, "built-in"))
        libraries[count++] = &builtin;
    int first = count;
    for (int i = 0; i < all->library_count; i++)
        libraries[count++] = &all->libraries[by_turns(all, i)];
    int tried = captures_try_all(all, libraries, count, try_library, summaries);
    bench_table(all->run, "Libraries with default options");
    bench_row(all->run, "library|poses|mobility|maps|rings|patches|passed|stood|follow|terrains");
    for (int i = 0; i < tried; i++)
        if (summaries[i])
            bench_row(all->run, "%s", summaries[i]);
    if (tried < count)
        bench_note(all->run, "%d of %d libraries were tried before %s", tried < first ? 0 : tried - first,
                   all->library_count, all->stopped ? "the run was stopped" : "time was up; --full tries all");
    free((void *)libraries);
    free((void *)summaries);
    return LOPE_OK;
}
