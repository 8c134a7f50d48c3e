// SPDX-License-Identifier: MIT
// `lope convert`: reads, edits, writes. Either everything into one file, or every input into a file of its own.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/edit.h"
#include "cli/outputs.h"

typedef struct convert_settings {
    cli_reading reading;
    cli_edit edit;
    const char *output, *retarget;
    int to;   // cli_file_format
    int unit; // of BVH files: 0 centimetres, 1 metres
    bool mirror, add_mirrored;
} convert_settings;

static const cli_option options[] = {
    {"output", 'o', CLI_TEXT, "OUT", offsetof(convert_settings, output),
     "What to write: a file ending in .bvh, .glb or .lope, or a folder. Needed."},
    {"to", 't', CLI_CHOICE, "auto|bvh|glb|lope", offsetof(convert_settings, to),
     "The format. By default the ending of OUT says it; a folder needs this option."},
    {"fps", 0, CLI_RATE, "N", offsetof(convert_settings, edit.fps), "Resample to N frames per second."},
    {"trim", 0, CLI_TEXT, "A:B", offsetof(convert_settings, edit.trim),
     "Keep only what lies from A to B seconds; either may be left out."},
    {"mirror", 'm', CLI_FLAG, NULL, offsetof(convert_settings, mirror), "Exchange left and right."},
    {"add-mirrored", 0, CLI_FLAG, NULL, offsetof(convert_settings, add_mirrored),
     "Keep every clip and add its mirror image. When several clips go into one file, the constant differences between "
     "the "
     "subject's sides are taken out, so that mirrored clips connect to the others."},
    {"retarget", 'r', CLI_TEXT, "FILE|builtin", offsetof(convert_settings, retarget),
     "Carry the motion over to the skeleton of another file, or to that of the built-in set."},
    {"level", 'l', CLI_FLAG, NULL, offsetof(convert_settings, edit.level),
     "Raise or lower each clip so that its floor is at height 0."},
    {"unit", 0, CLI_CHOICE, "cm|m", offsetof(convert_settings, unit),
     "Unit of the BVH files that are written; cm by default."},
    CLI_READING_OPTIONS(convert_settings),
    {"file-fps", 0, CLI_RATE, "N", offsetof(convert_settings, reading.fps),
     "Frames per second of the input, against what the file says."},
    CLI_THREADS_OPTION(convert_settings),
    {0}};

static const char *const synopsis[] = {"[OPTION...] [FILE|FOLDER|NAME...] -o OUT.bvh|OUT.glb|OUT.lope",
                                       "[OPTION...] [FILE|FOLDER|NAME...] --to FORMAT -o FOLDER", NULL};
static const char *const examples[] = {
    "A capture for Blender or an engine:",
    "lope convert walk.bvh -o walk.glb",
    "A folder of clips of one subject, mirrored copies added, as one motion set at 30 frames per second:",
    "lope convert captures/069 --add-mirrored --level --fps 30 -o subject69.lope",
    "Subjects of different size on one skeleton:",
    "lope convert captures --retarget builtin -o all.lope",
    "Every file of a folder, keeping its subfolders:",
    "lope convert captures --to glb -o glb",
    "Half a second of a built-in run, mirrored:",
    "lope convert run --trim 0.5:1 --mirror -o run.bvh",
    NULL};

typedef struct convert_work {
    const cli_command *command;
    const convert_settings *settings;
    cli_file_format format;
    cli_sources sources;
    cli_loaded *loaded; // [sources.count]
    char **targets;     // [sources.count] in a folder; NULL where everything goes into one file
    cli_claims claims;  // on files beyond those: of sources that hold several clips
} convert_work;

static void load_and_edit(convert_work *work, int index)
{
    cli_loaded *loaded = &work->loaded[index];
    cli_source_load(&work->sources.items[index], &work->settings->reading, loaded);
    for (int i = 0; i < loaded->count && loaded->status == LOPE_OK; i++)
        loaded->status = cli_edit_apply(&work->settings->edit, &loaded->clips[i], &loaded->error);
    cli_error_in(&loaded->error, &work->sources.items[index]);
}

// Mirrors clips: instead of themselves, or behind them. The array is replaced by one that holds the result.
static lope_status mirror_clips(const convert_settings *settings, lope_clip ***clips, int *count,
                                const lope_asymmetry *asymmetry, lope_error *error)
{
    if (!settings->mirror && !settings->add_mirrored)
        return LOPE_OK;
    int kept = settings->add_mirrored ? *count : 0;
    lope_clip **all = cli_alloc((size_t)(*count + kept) * sizeof(lope_clip *));
    lope_status status = LOPE_OK;
    int made = 0;
    for (; made < *count && status == LOPE_OK; made++)
        status = cli_edit_mirror((*clips)[made], asymmetry, &all[kept + made], error);
    if (status) {
        for (int i = 0; i < made - 1; i++)
            lope_clip_destroy(all[kept + i]);
        free(all);
        return status;
    }
    for (int i = 0; i < *count; i++) {
        if (kept)
            all[i] = (*clips)[i];
        else
            lope_clip_destroy((*clips)[i]);
    }
    free(*clips);
    *clips = all;
    *count += kept;
    return LOPE_OK;
}

static lope_status write_set(lope_clip **clips, int count, const char *path, lope_error *error)
{
    lope_set *set;
    lope_status status = lope_set_create(clips, count, &set, error);
    if (status)
        return status;
    memset(clips, 0, (size_t)count * sizeof *clips); // the set owns them now
    status = lope_set_save(set, path, error);
    lope_set_destroy(set);
    return status;
}

static lope_status write_clips(const convert_work *work, lope_clip **clips, int count, const char *path,
                               lope_error *error)
{
    lope_status status = cli_check_not_input(path, &work->sources, error);
    if (status)
        return status;
    switch (work->format) {
    case CLI_FORMAT_BVH:
        return lope_bvh_write(clips[0], path, work->settings->unit ? 1.0f : 100.0f, error);
    case CLI_FORMAT_GLB:
        return lope_glb_write((const lope_clip *const *)clips, count, path, error);
    default:
        return write_set(clips, count, path, error);
    }
}

static bool unfit(lope_error *error, const lope_clip *a, const lope_clip *b, const char *differ, const char *advice)
{
    *error = (lope_error){.status = LOPE_MISMATCH};
    snprintf(error->message, sizeof error->message, "clips '%.120s' and '%.120s' have different %s; %s", a->name,
             b->name, differ, advice);
    return false;
}

// Clips that go into one file must fit each other.
static bool check_fit(const convert_work *work, lope_clip *const *clips, int count, lope_error *error)
{
    for (int i = 1; i < count; i++) {
        if (!lope_skeleton_equal(clips[0]->skeleton, clips[i]->skeleton, 1e-3f))
            return unfit(error, clips[0], clips[i], "skeletons", "--retarget brings them onto one");
        if (work->format == CLI_FORMAT_LOPE && fabs(clips[i]->frame_rate / clips[0]->frame_rate - 1.0) > 0.01)
            return unfit(error, clips[0], clips[i], "frame rates", "--fps brings them to one");
    }
    return true;
}

static int report_failures(const convert_work *work)
{
    int result = CLI_OK;
    for (int i = 0; i < work->sources.count; i++)
        if (work->loaded[i].status)
            result = cli_worse(result, cli_fail(work->command, &work->loaded[i].error));
    return result;
}

// Moves the clips of all sources into one array.
static int flatten(convert_work *work, lope_clip ***out)
{
    int total = 0;
    for (int i = 0; i < work->sources.count; i++)
        total += work->loaded[i].count;
    *out = cli_alloc((size_t)total * sizeof(lope_clip *));
    total = 0;
    for (int i = 0; i < work->sources.count; i++) {
        for (int c = 0; c < work->loaded[i].count; c++) {
            (*out)[total++] = work->loaded[i].clips[c];
            work->loaded[i].clips[c] = NULL;
        }
    }
    return total;
}

static lope_status mirror_together(const convert_settings *settings, lope_clip ***clips, int *count, lope_error *error)
{
    if (!settings->mirror && !settings->add_mirrored)
        return LOPE_OK;
    // One clip alone says too little about the subject: its asymmetry is that of what is performed.
    lope_asymmetry asymmetry = {0};
    lope_status status = LOPE_OK;
    if (*count > 1)
        status = lope_asymmetry_estimate((const lope_clip *const *)*clips, *count, &asymmetry, error);
    if (status == LOPE_OK)
        status = mirror_clips(settings, clips, count, *count > 1 ? &asymmetry : NULL, error);
    if (asymmetry.offsets)
        lope_asymmetry_free(&asymmetry);
    return status;
}

static void load_job(void *user, int index)
{
    load_and_edit(user, index);
}

static int write_together(convert_work *work, lope_clip ***clips, int *count)
{
    const char *path = work->settings->output;
    lope_error error = {0};
    if (work->format == CLI_FORMAT_BVH && *count > 1) {
        fprintf(stderr, "lope convert: %s: a BVH file holds one clip, found %d; give a folder and --to bvh\n", path,
                *count);
        return CLI_FAILED;
    }
    bool good =
        check_fit(work, *clips, *count, &error) && mirror_together(work->settings, clips, count, &error) == LOPE_OK;
    double seconds = 0.0;
    for (int i = 0; i < *count && good; i++)
        seconds += lope_clip_duration((*clips)[i]);
    if (good && work->format == CLI_FORMAT_BVH && *count > 1) {
        fprintf(stderr, "lope convert: %s: a BVH file holds one clip: --add-mirrored needs a folder\n", path);
        return CLI_FAILED;
    }
    if (!good || write_clips(work, *clips, *count, path, &error) != LOPE_OK)
        return cli_fail(work->command, &error);
    printf("%s: %d clip%s, %.2f s\n", path, *count, *count == 1 ? "" : "s", seconds);
    return CLI_OK;
}

static int convert_together(convert_work *work)
{
    lope_error error = {0};
    if (cli_check_parent(work->settings->output, &error) != LOPE_OK ||
        cli_check_not_input(work->settings->output, &work->sources, &error) != LOPE_OK)
        return cli_fail(work->command, &error);
    int result = cli_sources_run(work->command, "reading clip", work->settings->reading.threads, work->sources.count,
                                 load_job, work);
    if (result == CLI_OK)
        result = report_failures(work);
    if (result)
        return result;
    lope_clip **clips;
    int count = flatten(work, &clips);
    result = write_together(work, &clips, &count);
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    free(clips);
    return result;
}

// Where one clip of several in a source goes: its name behind the target's, unless it begins with that already; then
// the number from 2 on, because files may hold several clips of one name.
static char *clip_target(const char *target, const char *name, int number)
{
    const char *slash = strrchr(target, '/'), *stem = slash ? slash + 1 : target, *dot = strrchr(stem, '.');
    int folder = (int)(stem - target), length = (int)(dot - stem);
    bool begins = strncmp(name, stem, (size_t)length) == 0;
    char suffix[16] = "";
    if (number > 1)
        snprintf(suffix, sizeof suffix, "_%d", number);
    char *path =
        cli_format("%.*s%.*s%s%s%s%s", folder, target, begins ? 0 : length, stem, begins ? "" : "_", name, suffix, dot);
    for (char *at = path + folder; *at; at++)
        if (*at == '/')
            *at = '_';
    return path;
}

// Where a clip of a source that holds several goes. Clips of one name are numbered; a file that is another source's is
// refused.
static lope_status claim_target(convert_work *work, int index, const char *name, char **path, lope_error *error)
{
    for (int take = 1;; take++) {
        *path = clip_target(work->targets[index], name, take);
        int owner = cli_claim(&work->claims, *path, index);
        for (int i = 0; i < work->sources.count && owner < 0; i++)
            if (i != index && strcmp(work->targets[i], *path) == 0)
                owner = i;
        if (owner < 0)
            return LOPE_OK;
        if (owner != index) {
            *error = (lope_error){.status = LOPE_IO};
            snprintf(error->file, sizeof error->file, "%s", cli_source_name(&work->sources.items[index]));
            snprintf(error->message, sizeof error->message, "its clip '%.100s' and %.160s would both become %.160s",
                     name, cli_source_name(&work->sources.items[owner]), *path);
            free(*path);
            return LOPE_IO;
        }
        free(*path);
    }
}

static lope_status write_apart(convert_work *work, int index, cli_loaded *loaded)
{
    if (work->format != CLI_FORMAT_BVH || loaded->count == 1)
        return write_clips(work, loaded->clips, loaded->count, work->targets[index], &loaded->error);
    lope_status status = LOPE_OK;
    for (int i = 0; i < loaded->count && status == LOPE_OK; i++) {
        char *path;
        status = claim_target(work, index, loaded->clips[i]->name, &path, &loaded->error);
        if (status)
            return status;
        status = write_clips(work, &loaded->clips[i], 1, path, &loaded->error);
        free(path);
    }
    return status;
}

static void convert_one(void *user, int index)
{
    convert_work *work = user;
    cli_loaded *loaded = &work->loaded[index];
    load_and_edit(work, index);
    if (loaded->status == LOPE_OK)
        loaded->status = mirror_clips(work->settings, &loaded->clips, &loaded->count, NULL, &loaded->error);
    if (loaded->status == LOPE_OK)
        loaded->status = write_apart(work, index, loaded);
    cli_loaded_free(loaded);
}

static char *target_in_folder(const convert_work *work, const cli_source *source)
{
    const char *folder = work->settings->output, *relative = source->relative, *dot = strrchr(relative, '.');
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    const char *slash = strrchr(relative, '/');
    int stem = dot && source->path && (!slash || dot > slash) ? (int)(dot - relative) : (int)strlen(relative);
    return cli_format("%.*s/%.*s%s", (int)length, folder, stem, relative, cli_format_ending(work->format));
}

typedef struct named_target {
    const char *path;
    int index;
} named_target;

static int by_path(const void *a, const void *b)
{
    return strcmp(((const named_target *)a)->path, ((const named_target *)b)->path);
}

// Two inputs must not become one output.
static int check_collisions(const convert_work *work)
{
    int count = work->sources.count, result = CLI_OK;
    named_target *sorted = cli_alloc((size_t)count * sizeof *sorted);
    for (int i = 0; i < count; i++)
        sorted[i] = (named_target){work->targets[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, by_path);
    for (int i = 1; i < count && result == CLI_OK; i++) {
        if (strcmp(sorted[i].path, sorted[i - 1].path) != 0)
            continue;
        fprintf(stderr, "lope convert: %s and %s would both become %s\n",
                cli_source_name(&work->sources.items[sorted[i - 1].index]),
                cli_source_name(&work->sources.items[sorted[i].index]), sorted[i].path);
        result = CLI_FAILED;
    }
    free(sorted);
    return result;
}

static int prepare_folder(convert_work *work, cli_new_folders *made)
{
    char *base = cli_format("%s", work->settings->output);
    for (size_t length = strlen(base); length > 1 && base[length - 1] == '/'; length--)
        base[length - 1] = 0;
    lope_error error = {0};
    int result = check_collisions(work);
    for (int i = 0; i < work->sources.count && result == CLI_OK; i++)
        if (cli_check_not_input(work->targets[i], &work->sources, &error) != LOPE_OK)
            result = cli_fail(work->command, &error);
    for (int i = 0; i < work->sources.count && result == CLI_OK; i++)
        if (cli_make_parents(base, work->targets[i], made, &error) != LOPE_OK)
            result = cli_fail(work->command, &error);
    free(base);
    return result;
}

static int convert_apart(convert_work *work)
{
    work->targets = cli_alloc((size_t)work->sources.count * sizeof *work->targets);
    for (int i = 0; i < work->sources.count; i++)
        work->targets[i] = target_in_folder(work, &work->sources.items[i]);
    cli_new_folders made = {0};
    cli_claims_begin(&work->claims);
    int result = prepare_folder(work, &made), good = 0;
    if (result == CLI_OK) {
        result = cli_sources_run(work->command, "converting clip", work->settings->reading.threads, work->sources.count,
                                 convert_one, work);
        result = cli_worse(result, report_failures(work));
        for (int i = 0; i < work->sources.count; i++)
            good += work->loaded[i].status == LOPE_OK;
        if (result != CLI_INTERRUPTED)
            printf("%s: %d of %d converted\n", work->settings->output, good, work->sources.count);
    }
    cli_remove_empty_folders(&made);
    cli_claims_end(&work->claims);
    for (int i = 0; i < work->sources.count; i++)
        free(work->targets[i]);
    free(work->targets);
    return result;
}

// Format and kind of the output; CLI_OK or what is wrong with the wish.
static int choose_output(const cli_command *self, const convert_settings *settings, cli_file_format *format,
                         bool *folder)
{
    cli_file_format wanted = (cli_file_format)settings->to, named = cli_format_of(settings->output);
    const char *dot = strrchr(settings->output, '.');
    *folder = cli_is_folder(settings->output) || (named == CLI_FORMAT_AUTO && wanted != CLI_FORMAT_AUTO);
    *format = wanted == CLI_FORMAT_AUTO ? named : wanted;
    if (named == CLI_FORMAT_AUTO && dot && (strcasecmp(dot, ".fbx") == 0 || strcasecmp(dot, ".gltf") == 0))
        return cli_usage(self, "%s files can be read but not written; write .bvh, .glb or .lope", dot);
    if (*folder && wanted == CLI_FORMAT_AUTO)
        return cli_usage(self, "'%s' is a folder: say with --to whether to write bvh, glb or lope", settings->output);
    if (!*folder && named == CLI_FORMAT_AUTO)
        return cli_usage(self, "'%s' should end in .bvh, .glb or .lope, or give --to and a folder", settings->output);
    if (!*folder && wanted != CLI_FORMAT_AUTO && wanted != named)
        return cli_usage(self, "--to %s does not fit the ending of '%s'", cli_format_ending(wanted) + 1,
                         settings->output);
    return CLI_OK;
}

static int run(const cli_command *self, int count, char **arguments)
{
    convert_settings settings = {0};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    convert_work work = {.command = self, .settings = &settings};
    bool folder;
    if (!settings.output)
        return cli_usage(self, "where to? Give a file or a folder with -o OUT");
    if (!cli_edit_parse_trim(&settings.edit))
        return cli_usage(self, "--trim needs two times in seconds such as 0.5:2, found '%s'", settings.edit.trim);
    if (settings.mirror && settings.add_mirrored)
        return cli_usage(self, "--mirror and --add-mirrored exclude each other");
    result = choose_output(self, &settings, &work.format, &folder);
    if (result == CLI_OK)
        result = cli_find_skeleton(self, settings.retarget, &settings.reading, &settings.edit.target);
    if (result == CLI_OK)
        result = cli_sources_find(self, operands, &work.sources);
    if (result == CLI_OK) {
        settings.edit.contacts = work.format != CLI_FORMAT_BVH;
        work.loaded = cli_alloc((size_t)work.sources.count * sizeof *work.loaded);
        result = folder ? convert_apart(&work) : convert_together(&work);
        for (int i = 0; i < work.sources.count; i++)
            cli_loaded_free(&work.loaded[i]);
        free(work.loaded);
        cli_sources_free(&work.sources);
    }
    lope_skeleton_release(settings.edit.target);
    return result;
}

const cli_command cli_convert = {
    .name = "convert",
    .summary = "clips from one format to another: resampled, mirrored, retargeted",
    .synopsis = synopsis,
    .description =
        "Reads BVH, .lope and, where the build has them, FBX and glTF; writes BVH, GLB (a skinned body with one "
        "animation "
        "per clip) or .lope (a motion set). A file as output takes all inputs together: they must share a skeleton, or "
        "--retarget must give them one. A folder as output takes a file per input and keeps subfolders; inputs that "
        "fail "
        "are named, the others are converted.\n\nSteps are done in this order: trim, level, retarget, resample, "
        "mirror. "
        "Outputs are written beside their place and renamed, so that an existing file is either the old or the new "
        "one. "
        "Inputs are never overwritten.\n\nWithout an operand it converts the built-in set.",
    .examples = examples,
    .options = options,
    .run = run,
};
