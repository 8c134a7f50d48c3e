// SPDX-License-Identifier: MIT
// Are rigs read right? What `lope info` says of every clip is held against what is known of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/captures.h"

// The names that the Carnegie Mellon database gives its joints, by role.
static const char *const captured_names[LOPE_ROLE_COUNT] = {
    "Hips",        "LowerBack", "Spine1",        "Neck",       "Head",         "LeftShoulder", "LeftArm",
    "LeftForeArm", "LeftHand",  "RightShoulder", "RightArm",   "RightForeArm", "RightHand",    "LeftUpLeg",
    "LeftLeg",     "LeftFoot",  "LeftToeBase",   "RightUpLeg", "RightLeg",     "RightFoot",    "RightToeBase"};

// What should be said of a file.
typedef struct expectation {
    const char *names[LOPE_ROLE_COUNT]; // NULL: the rig has none
    char up;
    double unit, floor, floor_off;
} expectation;

static bool says(const char *object, const char *end, const char *wanted)
{
    const char *found = strstr(object, wanted);
    return found && found < end;
}

// Whether a trunk joint may be called so: names of others say where spine, neck and head begin, numbers do not.
static bool may_differ(int role, const stranger_recipe *recipe)
{
    return recipe && recipe->names >= STRANGER_NAMES_ROMAJI && role >= LOPE_SPINE && role <= LOPE_HEAD;
}

// The first thing that is wrong in what was said, or NULL.
static const char *find_wrong(const char *object, const char *end, const expectation *truth,
                              const stranger_recipe *recipe)
{
    if (!says(object, end, captures_text("\"up\": \"%c\"", truth->up)))
        return "axis";
    if (fabs(captures_number(object, "metres_per_unit") / truth->unit - 1.0) > 1e-3)
        return "unit";
    for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
        const char *role = lope_role_name((lope_role)r);
        const char *line = truth->names[r] ? captures_text("\"%s\": \"%s\"", role, truth->names[r]) : NULL;
        bool said = says(object, end, captures_text("\"%s\": \"", role));
        if (line ? !says(object, end, line) && !(said && may_differ(r, recipe)) : said)
            return role;
    }
    if (!(fabs(captures_number(object, "floor") - truth->floor) <= truth->floor_off))
        return "floor";
    return NULL;
}

// What `lope info` said of one file.
static const char *object_of(const char *output, const char *path, const char **end)
{
    const char *at = strstr(output, captures_text("\"file\": \"%s\"", path));
    *end = at ? strstr(at + 1, "\"file\": ") : NULL;
    if (at && !*end)
        *end = at + strlen(at);
    return at;
}

// What went wrong in the files of a library, for one note about all of them.
typedef struct verdicts {
    captures *all;
    const captures_library *library;
    int files, wrong;
    char first[200]; // what, and in which file
} verdicts;

// Holds what the tool said of one file of a library against the truth.
static void judge(verdicts *found, const char *output, const char *path, const expectation *truth)
{
    const captures_library *library = found->library;
    const char *end, *object = object_of(output, path, &end);
    const stranger_recipe *recipe = library->stranger ? &library->recipe : NULL;
    const char *wrong = object ? find_wrong(object, end, truth, recipe) : "everything: it was not read";
    captures_count(found->all, CAPTURES_READ, library->column, wrong ? 0.0 : 1.0, 1.0);
    if (wrong && !found->wrong++)
        snprintf(found->first, sizeof found->first, "%.60s of %.60s", wrong,
                 strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    found->files++;
}

static void note_verdicts(const verdicts *found)
{
    const captures_library *library = found->library;
    char text[400] = "";
    if (library->stranger)
        stranger_recipe_text(&library->recipe, text, sizeof text);
    if (found->wrong)
        captures_note(found->all, "%s: %d of %d read wrong, first the %s. %.300s", library->name, found->wrong,
                      found->files, found->first, text);
}

static bool ask(captures *all, const captures_library *library, captures_child *child)
{
    *child = (captures_child){.words = {"info", "--json", library->folder, NULL}};
    return captures_children_run(all, child, 1, 1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The height that the balls of captured feet hardly go below, by the independent parser.
static double lowest_ball(const char *path)
{
    grader_read_def def = {0.0254 / 0.45, 'Y'};
    grader_motion motion;
    char message[128];
    double low = (double)NAN;
    if (!grader_read_file(path, &def, &motion, message))
        return low;
    size_t room = 2 * (size_t)motion.frame_count, count = 0;
    double *heights = malloc(room * sizeof *heights);
    for (int side = 0; side < 2 && heights; side++) {
        int toe = grader_find_joint(&motion, side ? "RightToeBase" : "LeftToeBase");
        for (int f = 1; f < motion.frame_count && toe >= 0; f++) // frame 0 is a T-pose
            heights[count++] = motion.positions[(size_t)f * (size_t)motion.joint_count + (size_t)toe].y;
    }
    if (count) {
        qsort(heights, count, sizeof *heights, by_value);
        low = heights[count / 10];
    }
    free(heights);
    grader_motion_free(&motion);
    return low;
}

static lope_status read_captured(captures *all, const captures_library *library, lope_error *error)
{
    captures_child child;
    verdicts found = {.all = all, .library = library};
    char **paths;
    int count;
    lope_status status = lope_find_clips(library->folder, &paths, &count, error);
    if (status)
        return status;
    expectation truth = {.up = 'Y', .unit = 0.0254 / 0.45, .floor_off = 0.05};
    memcpy(truth.names, captured_names, sizeof captured_names);
    if (ask(all, library, &child) && strstr(child.output, "\"root\": \"Hips\""))
        for (int i = 0; i < count; i++) {
            truth.floor = lowest_ball(paths[i]);
            judge(&found, child.output, paths[i], &truth);
        }
    note_verdicts(&found);
    captures_children_free(&child, 1);
    lope_paths_free(paths, count);
    return LOPE_OK;
}

enum { CLIPS = CAPTURES_CLIPS };

int captures_paths(const captures_library *origin, const char *out[CLIPS], lope_error *error)
{
    char **paths;
    int count, step, chosen = 0;
    if (lope_find_clips(origin->folder, &paths, &count, error))
        return -1;
    step = CLIPS < count ? count / CLIPS : 1;
    for (int i = 0; i < count && chosen < CLIPS; i += step)
        out[chosen++] = captures_text("%s", paths[i]);
    lope_paths_free(paths, count);
    return chosen;
}

lope_status captures_read_clips(const char *const *paths, int count, lope_clip *out[CLIPS], lope_error *error)
{
    lope_library_def def = {.paths = paths, .path_count = count};
    lope_library *library;
    lope_status status = lope_library_create(&def, &library, error);
    if (status)
        return status;
    for (int i = 0; i < count && !status; i++) {
        lope_clip **read;
        int found;
        status = lope_library_read(library, i, &read, &found, NULL, error);
        if (status)
            break;
        int most = (int)(CAPTURES_SECONDS * read[0]->frame_rate), frames = read[0]->frame_count;
        status = lope_clip_trim(read[0], 0, frames < most ? frames : most, &out[i], error);
        lope_clips_free(read, found);
    }
    lope_library_destroy(library);
    return status;
}

// Floors of the clips that a stranger library was made of; NAN where one is not known.
static void find_floors(const captures_library *origin, double out[CLIPS])
{
    lope_error error;
    const char *paths[CLIPS];
    lope_clip *clips[CLIPS] = {0};
    int count = captures_paths(origin, paths, &error);
    lope_status status = count > 0 ? captures_read_clips(paths, count, clips, &error) : LOPE_NOT_FOUND;
    for (int i = 0; i < CLIPS; i++) {
        float floor;
        out[i] = (double)NAN;
        if (!status && clips[i] && lope_clip_floor(clips[i], &floor, NULL, &error) == LOPE_OK)
            out[i] = (double)floor;
        lope_clip_destroy(clips[i]);
    }
}

static lope_status read_strangers(captures *all, captures_library *library, lope_error *error)
{
    stranger strangers[CLIPS];
    verdicts found = {.all = all, .library = library};
    double floors[CLIPS];
    int count = captures_write_strangers(library, CLIPS, CAPTURES_SECONDS, strangers, error);
    find_floors(library->origin, floors);
    captures_child child;
    bool asked = count > 0 && ask(all, library, &child);
    for (int i = 0; i < count; i++) {
        const stranger_truth *t = &strangers[i].truth;
        expectation truth = {.up = "XYZ"[t->up],
                             .unit = (double)t->unit,
                             .floor = floors[i] + (double)library->recipe.origin.y,
                             .floor_off = 0.03};
        for (int r = 0; r < LOPE_ROLE_COUNT; r++)
            truth.names[r] = t->roles[r] < 0 ? NULL : t->names[t->roles[r]];
        if (asked)
            judge(&found, child.output, captures_text("%s/%02d.bvh", library->folder, i), &truth);
        stranger_free(&strangers[i]);
    }
    note_verdicts(&found);
    if (count > 0)
        captures_children_free(&child, 1);
    return count < 0 ? error->status : LOPE_OK;
}

lope_status captures_go_on(captures *all, const captures_library *library, lope_status status, const lope_error *error)
{
    if (status && status != LOPE_IO)
        captures_note(all, "%s: %s", library->name, error->message);
    return status == LOPE_IO ? status : LOPE_OK;
}

lope_status captures_reading(captures *all, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < all->library_count && !status && !captures_over(all, false); i++) {
        captures_library *library = &all->libraries[i];
        status = library->stranger ? read_strangers(all, library, error) : read_captured(all, library, error);
        status = captures_go_on(all, library, status, error);
    }
    return status;
}

int captures_write_strangers(captures_library *library, int clips, double seconds, stranger *out, lope_error *error)
{
    char **paths;
    int count, made = 0;
    if (lope_find_clips(library->origin->folder, &paths, &count, error))
        return -1;
    mkdir(library->folder, 0700);
    lope_status status = LOPE_OK;
    int step = clips > 0 && clips < count ? count / clips : 1;
    for (int i = 0; i < count && !status && (clips <= 0 || made < clips); i += step) {
        lope_clip *clip = NULL, *part = NULL;
        stranger s = {0};
        status = lope_bvh_read(paths[i], NULL, &clip, NULL, error);
        if (!status) {
            int most = seconds > 0.0 ? (int)(seconds * clip->frame_rate) : clip->frame_count;
            status = lope_clip_trim(clip, 0, clip->frame_count < most ? clip->frame_count : most, &part, error);
        }
        if (!status)
            status = stranger_make(part, &library->recipe, &s, error);
        if (!status)
            status = stranger_save(&s, captures_text("%s/%02d.bvh", library->folder, made), error);
        if (!status && out)
            out[made] = s;
        else
            stranger_free(&s);
        made += !status;
        lope_clip_destroy(part);
        lope_clip_destroy(clip);
    }
    lope_paths_free(paths, count);
    for (int i = 0; i < made && status && out; i++)
        stranger_free(&out[i]);
    return status ? -1 : made;
}
