// SPDX-License-Identifier: MIT
// `lope convert`: reads, edits, writes. Either everything into one file, or every input into a file of its own.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/convert.h"

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(convert_settings, "OUT.bvh|OUT.glb|OUT.lope|FOLDER",
                      "A file takes all clips, a folder a file for each input. Needed."),
    {"to", 't', CLI_CHOICE, "auto|bvh|glb|lope", offsetof(convert_settings, outputs.to),
     "What to write into a folder."},
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
    {"raw", 0, CLI_FLAG, NULL, offsetof(convert_settings, edit.raw),
     "With --retarget or --onto, leave joints as they were captured. By default jolts of single frames are mended "
     "first: "
     "other bodies can show them more."},
    {"onto", 0, CLI_TEXT, "HERO.glb", offsetof(convert_settings, onto),
     "Carry the motion over to the character of a glTF file and write that file, unchanged, with the clips as "
     "animations. Animations that it has already stay in front."},
    {"skin", 0, CLI_TEXT, "NAME", offsetof(convert_settings, skin),
     "Which character of --onto, where the file shows several: the name of its skin."},
    {"replace", 0, CLI_FLAG, NULL, offsetof(convert_settings, replace),
     "Drop the animations that the file of --onto has already."},
    {"root-bone", 0, CLI_OPTIONAL, "NAME", offsetof(convert_settings, root_bone),
     "Put place on the floor and heading on a bone above the hips, as game engines want it: the one of that name, or "
     "the topmost; where there is none, it is added."},
    {"level", 'l', CLI_FLAG, NULL, offsetof(convert_settings, edit.level),
     "Raise or lower each clip so that its floor is at height 0."},
    {"floor", 0, CLI_HEIGHT, "METRES|auto", offsetof(convert_settings, edit.floor),
     "Height of the floor in the files, for --level, which this implies. By default it is found for each clip."},
    {"unit", 0, CLI_CHOICE, "cm|m", offsetof(convert_settings, unit),
     "Unit of the BVH files that are written; cm by default."},
    {"packed", 0, CLI_POSITIVE, "MM", offsetof(convert_settings, packed),
     "Pack the clips of .lope files: joints may be off by MM millimetres (0.01 to 100), and files become about seven "
     "times "
     "smaller at 0.1. Clips that cannot be packed stay as they are."},
    CLI_READING_OPTIONS(convert_settings),
    {"file-fps", 0, CLI_RATE, "N", offsetof(convert_settings, reading.fps),
     "Frames per second of the input, against what the file says."},
    CLI_THREADS_OPTION(convert_settings),
    {0}};

static const char *const synopsis[] = {"[OPTION...] [FILE|FOLDER|NAME...] -o OUT.bvh|OUT.glb|OUT.lope",
                                       "[OPTION...] [FILE|FOLDER|NAME...] --to FORMAT -o FOLDER",
                                       "[OPTION...] [FILE|FOLDER|NAME...] --onto HERO.glb -o OUT.glb", NULL};
static const char *const examples[] = {
    "A capture for Blender or an engine:",
    "lope convert walk.bvh -o walk.glb",
    "The same clip as BVH in metres, and as a motion set:",
    "lope convert walk.fbx --unit m -o walk.bvh -o walk.lope",
    "A folder of clips of one subject, mirrored copies added, as one motion set at 30 frames per second:",
    "lope convert captures/069 --add-mirrored --level --fps 30 -o subject69.lope",
    "Subjects of different size on one skeleton:",
    "lope convert captures --retarget builtin -o all.lope",
    "The same in a seventh of the bytes, no joint farther off than a tenth of a millimetre:",
    "lope convert captures --retarget builtin --packed 0.1 -o all.lope",
    "Every file of a folder, keeping its subfolders:",
    "lope convert captures --to glb -o glb",
    "The built-in motions on your own character, with root motion for an engine:",
    "lope convert --onto hero.glb --root-bone -o hero_moves.glb",
    "Half a second of a built-in run, mirrored:",
    "lope convert run --trim 0.5:1 --mirror -o run.bvh",
    NULL};

void convert_load(convert_work *work, int index)
{
    cli_loaded *loaded = &work->loaded[index];
    cli_edit edit = work->settings->edit;
    cli_floors unwanted = loaded->floors, *floors = &loaded->floors;
    if (!work->sources.items[index].path) { // --floor speaks of files
        edit.floor = (double)NAN;
        floors = &unwanted;
    }
    cli_source_load(&work->sources.items[index], &work->settings->reading, loaded);
    for (int i = 0; i < loaded->count && loaded->status == LOPE_OK; i++)
        loaded->status = cli_edit_apply(&edit, &loaded->clips[i], floors, &loaded->error);
    cli_error_in(&loaded->error, &work->sources.items[index]);
}

lope_status convert_mirror(const convert_settings *settings, lope_clip ***clips, int *count,
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

static lope_status pack_set(const convert_settings *settings, lope_set *set, lope_error *error)
{
    lope_pack_def def = lope_pack_def_default();
    def.error = (float)(settings->packed * 1e-3);
    int packed;
    lope_status status = lope_set_pack(set, &def, NULL, &packed, error);
    if (!status && packed < set->clip_count)
        fprintf(stderr, "lope convert: note: %d of %d clips cannot be packed and stay as they are\n",
                set->clip_count - packed, set->clip_count);
    return status;
}

static lope_status write_set(const convert_settings *settings, lope_clip **clips, int count, const char *path,
                             lope_error *error)
{
    lope_set *set;
    lope_status status = lope_set_create(clips, count, &set, error);
    if (status)
        return status;
    memset(clips, 0, (size_t)count * sizeof *clips); // the set owns them now
    if (settings->packed > 0.0)
        status = pack_set(settings, set, error);
    if (!status)
        status = lope_set_save(set, path, error);
    lope_set_destroy(set);
    return status;
}

lope_status convert_write(const convert_work *work, lope_clip **clips, int count, const char *path, lope_error *error)
{
    lope_status status = cli_check_not_input(path, &work->sources, error);
    if (status)
        return status;
    if (work->avatar)
        return convert_write_avatar(work, clips, count, path, error);
    status = convert_add_root_bones(work->settings, clips, count, error);
    if (status)
        return status;
    switch (work->output->format) {
    case CLI_FORMAT_BVH:
        return lope_bvh_write(clips[0], path, work->settings->unit ? 1.0f : 100.0f, error);
    case CLI_FORMAT_GLB:
        return lope_glb_write((const lope_clip *const *)clips, count, path, error);
    default:
        return write_set(work->settings, clips, count, path, error);
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
        if (work->output->format == CLI_FORMAT_LOPE && fabs(clips[i]->frame_rate / clips[0]->frame_rate - 1.0) > 0.01)
            return unfit(error, clips[0], clips[i], "frame rates", "--fps brings them to one");
    }
    return true;
}

int convert_report_failures(const convert_work *work)
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
        status = convert_mirror(settings, clips, count, *count > 1 ? &asymmetry : NULL, error);
    if (asymmetry.offsets)
        lope_asymmetry_free(&asymmetry);
    return status;
}

static void load_job(void *user, int index)
{
    convert_load(user, index);
}

static int write_together(convert_work *work, lope_clip ***clips, int *count)
{
    const char *path = work->output->path;
    lope_error error = {0};
    if (work->output->format == CLI_FORMAT_BVH && *count > 1) {
        fprintf(stderr, "lope convert: %s: a BVH file holds one clip, found %d; give a folder and --to bvh\n", path,
                *count);
        return CLI_FAILED;
    }
    bool good =
        check_fit(work, *clips, *count, &error) && mirror_together(work->settings, clips, count, &error) == LOPE_OK;
    double seconds = 0.0;
    for (int i = 0; i < *count && good; i++)
        seconds += lope_clip_duration((*clips)[i]);
    if (good && work->output->format == CLI_FORMAT_BVH && *count > 1) {
        fprintf(stderr, "lope convert: %s: a BVH file holds one clip: --add-mirrored needs a folder\n", path);
        return CLI_FAILED;
    }
    if (!good || convert_write(work, *clips, *count, path, &error) != LOPE_OK)
        return cli_fail(work->command, &error);
    printf("%s: %d clip%s, %.2f s\n", path, *count, *count == 1 ? "" : "s", seconds);
    return CLI_OK;
}

static int convert_together(convert_work *work)
{
    int result = cli_sources_run(work->command, "reading clip", work->settings->reading.threads, work->sources.count,
                                 load_job, work);
    if (result == CLI_OK)
        result = convert_report_failures(work);
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

static void say_floors(const convert_work *work)
{
    cli_floors all = {INFINITY, -INFINITY, 0, 0};
    for (int i = 0; i < work->sources.count; i++) {
        const cli_floors *some = &work->loaded[i].floors;
        if (some->count)
            all = (cli_floors){fminf(all.low, some->low), fmaxf(all.high, some->high), all.count + some->count,
                               all.off + some->off};
    }
    cli_floors_say(work->command, &all);
}

// Converts all sources for one output. With several outputs they are read and edited again for each.
static int convert(convert_work *work)
{
    work->loaded = cli_alloc((size_t)work->sources.count * sizeof *work->loaded);
    int result = work->output->folder ? convert_apart(work) : convert_together(work);
    if (work->output == work->settings->outputs.items) // said once
        say_floors(work);
    for (int i = 0; i < work->sources.count; i++)
        cli_loaded_free(&work->loaded[i]);
    free(work->loaded);
    return result;
}

static int run(const cli_command *self, int count, char **arguments)
{
    convert_settings settings = {.edit.floor = (double)INFINITY}; // not given
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    convert_work work = {.command = self, .settings = &settings};
    if (!cli_edit_parse_trim(&settings.edit))
        return cli_usage(self, "--trim needs two times in seconds such as 0.5:2, found '%s'", settings.edit.trim);
    settings.edit.level |= !isinf(settings.edit.floor);
    if (isinf(settings.edit.floor))
        settings.edit.floor = (double)NAN;
    if (settings.mirror && settings.add_mirrored)
        return cli_usage(self, "--mirror and --add-mirrored exclude each other");
    if (settings.packed != 0.0 && !(settings.packed >= 0.01 && settings.packed <= 100.0))
        return cli_usage(self, "--packed needs 0.01 to 100 millimetres, found %g", settings.packed);
    if (settings.packed != 0.0 && !cli_writes(&settings.outputs, CLI_FORMAT_LOPE))
        return cli_usage(self, "--packed is for .lope files, and none is written");
    result = cli_need_output(self, &settings.outputs);
    if (result == CLI_OK)
        result = convert_open_avatar(&work, &settings);
    if (result == CLI_OK)
        result = cli_find_skeleton(self, settings.retarget, &settings.reading, &settings.edit.target);
    if (result == CLI_OK)
        result = cli_sources_find(self, operands, &work.sources);
    if (result == CLI_OK)
        result = cli_check_not_inputs(self, &settings.outputs, &work.sources);
    if (result == CLI_OK)
        result = cli_sources_look(self, &work.sources, &settings.reading);
    for (int i = 0; i < settings.outputs.count && result == CLI_OK; i++) {
        work.output = &settings.outputs.items[i];
        settings.edit.contacts = work.output->format != CLI_FORMAT_BVH;
        result = convert(&work);
        if (result)
            cli_say_written(self, &settings.outputs, i);
    }
    cli_sources_free(&work.sources);
    lope_avatar_close(work.avatar);
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
        "Inputs are never overwritten.\n\nWith --onto, the skeleton of a skinned character is read from a glTF file, "
        "clips are carried over to it, and its meshes, materials, textures and nodes are written as they are. Root "
        "bones "
        "come last.\n\nWithout an operand it converts the built-in set.",
    .examples = examples,
    .options = options,
    .run = run,
};
