// SPDX-License-Identifier: MIT
// From words on the command line to clips in memory: files, folders, built-in motions.
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

static void add_source(cli_sources *out, char *path, const char *builtin, size_t prefix)
{
    cli_source *grown = realloc(out->items, ((size_t)out->count + 1) * sizeof *grown);
    if (!grown)
        abort();
    out->items = grown;
    cli_source *source = &grown[out->count++];
    *source = (cli_source){.path = path, .builtin = builtin, .relative = builtin};
    if (path) {
        source->relative = path + prefix;
        while (*source->relative == '/')
            source->relative++;
    }
}

static const char *builtin_name(int index)
{
    return index < lope_synth_count() ? lope_synth_name(index) : NULL;
}

static bool add_builtin(cli_sources *out, const char *name)
{
    bool found = false;
    for (int i = 0; i < lope_synth_count(); i++) {
        if (name && strcmp(name, lope_synth_name(i)) != 0)
            continue;
        add_source(out, NULL, lope_synth_name(i), 0);
        found = true;
    }
    return found;
}

static int add_path(const cli_command *command, const char *word, bool folder, cli_sources *out)
{
    char **paths;
    int count;
    lope_error error = {0};
    if (lope_find_clips(word, &paths, &count, &error) != LOPE_OK)
        return cli_fail(command, &error);
    const char *slash = strrchr(word, '/');
    size_t prefix = folder ? strlen(word) : slash ? (size_t)(slash - word) : 0;
    for (int i = 0; i < count; i++)
        add_source(out, cli_format("%s", paths[i]), NULL, prefix);
    lope_paths_free(paths, count);
    return CLI_OK;
}

bool cli_folder_exists(const char *path)
{
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int add_word(const cli_command *command, const char *word, cli_sources *out)
{
    struct stat info;
    if (stat(word, &info) == 0)
        return add_path(command, word, S_ISDIR(info.st_mode), out);
    int failure = errno;
    if (strcmp(word, "builtin") == 0)
        return add_builtin(out, NULL), CLI_OK;
    if (add_builtin(out, word))
        return CLI_OK;
    if (failure != ENOENT) {
        fprintf(stderr, "lope %s: %s: %s\n", command->name, word, strerror(failure));
        return CLI_FAILED;
    }
    const char *meant = cli_suggest(word, builtin_name);
    fprintf(stderr, "lope %s: %s: no such file, folder or built-in motion", command->name, *word ? word : "''");
    if (meant)
        fprintf(stderr, "; did you mean '%s'?", meant);
    fputc('\n', stderr);
    return CLI_NOT_FOUND;
}

int cli_sources_find(const cli_command *command, cli_operands operands, cli_sources *out)
{
    *out = (cli_sources){0};
    if (operands.count == 0)
        add_builtin(out, NULL);
    int result = CLI_OK;
    for (int i = 0; i < operands.count; i++)
        result = cli_worse(result, add_word(command, operands.words[i], out));
    if (result)
        cli_sources_free(out);
    return result;
}

void cli_sources_free(cli_sources *sources)
{
    for (int i = 0; i < sources->count; i++)
        free(sources->items[i].path);
    free(sources->items);
    lope_library_destroy(sources->library);
    *sources = (cli_sources){0};
}

const char *cli_source_name(const cli_source *source)
{
    return source->path ? source->path : source->builtin;
}

void cli_error_in(lope_error *error, const cli_source *source)
{
    if (error->status && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", cli_source_name(source));
}

static lope_status load_builtin(const cli_source *source, cli_loaded *out)
{
    lope_synth_def def = lope_synth_def_default();
    lope_clip *clip;
    lope_status status = lope_synth_clip(source->builtin, &def, source->take, &clip, &out->error);
    if (status)
        return status;
    out->clips = cli_alloc(sizeof *out->clips);
    out->clips[0] = clip;
    out->count = 1;
    out->report = (lope_read_report){.scale = 1.0f, .up = LOPE_AXIS_Y};
    return LOPE_OK;
}

static lope_read_def reading_def(const cli_reading *reading)
{
    lope_read_def def = lope_read_def_default();
    def.scale = (float)reading->scale;
    def.up = (lope_axis)reading->up;
    def.tpose = (lope_tpose)reading->tpose;
    def.frame_rate = reading->fps;
    return def;
}

// Keeps clips in an array of our own, so that they can be taken out of it one by one.
static void keep_clips(lope_clip **clips, int count, cli_loaded *out)
{
    out->clips = cli_alloc((size_t)count * sizeof(lope_clip *));
    memcpy(out->clips, clips, (size_t)count * sizeof(lope_clip *));
    out->count = count;
    lope_clips_free(clips, 0);
}

static lope_status load_file(const char *path, const lope_read_def *def, cli_loaded *out)
{
    lope_clip **clips;
    int count;
    lope_status status = lope_import(path, def, &clips, &count, &out->report, &out->error);
    if (!status)
        keep_clips(clips, count, out);
    return status;
}

static lope_status load_from_library(const cli_source *source, cli_loaded *out)
{
    lope_clip **clips;
    int count;
    lope_status status = lope_library_read(source->library, source->file, &clips, &count, &out->report, &out->error);
    if (!status)
        keep_clips(clips, count, out);
    return status;
}

// Reads with the roles of a file: they are given by joint names, so the skeleton has to be known first.
static lope_status load_with_roles(const char *path, const char *roles_path, lope_read_def *def, cli_loaded *out)
{
    int roles[LOPE_ROLE_COUNT];
    lope_status status = load_file(path, def, out);
    if (status)
        return status;
    status = lope_roles_read(roles_path, out->clips[0]->skeleton, roles, &out->error);
    cli_loaded_free(out);
    if (status)
        return status;
    def->roles = roles;
    return load_file(path, def, out);
}

void cli_source_load(const cli_source *source, const cli_reading *reading, cli_loaded *out)
{
    *out = (cli_loaded){.status = LOPE_OK, .floors = {INFINITY, -INFINITY, 0, 0}};
    if (!source->path) {
        out->status = load_builtin(source, out);
        return;
    }
    if (source->library) {
        out->status = load_from_library(source, out);
        return;
    }
    lope_read_def def = reading_def(reading);
    out->status =
        reading->roles ? load_with_roles(source->path, reading->roles, &def, out) : load_file(source->path, &def, out);
}

void cli_floors_add(cli_floors *floors, float height)
{
    const float near = 0.05f; // metres: shoes, soles and the capture's own zero
    floors->low = fminf(floors->low, height);
    floors->high = fmaxf(floors->high, height);
    floors->off += fabsf(height) > near;
    floors->count++;
}

void cli_floors_say(const cli_command *command, const cli_floors *floors)
{
    if (!floors->off)
        return;
    fprintf(stderr, "lope %s: floor at %.2f", command->name, (double)floors->low);
    if (floors->high - floors->low > 0.01f)
        fprintf(stderr, " to %.2f", (double)floors->high);
    fprintf(stderr, " m in %d clip%s, from standing feet (--floor)\n", floors->count, floors->count == 1 ? "" : "s");
}

void cli_loaded_free(cli_loaded *loaded)
{
    for (int i = 0; i < loaded->count; i++)
        lope_clip_destroy(loaded->clips[i]);
    free(loaded->clips);
    loaded->clips = NULL;
    loaded->count = 0;
}

int cli_find_skeleton(const cli_command *command, const char *word, const cli_reading *reading, lope_skeleton **out)
{
    lope_error error = {0};
    if (!word)
        return CLI_OK;
    if (strcmp(word, "builtin") == 0)
        return lope_synth_skeleton(out, &error) == LOPE_OK ? CLI_OK : cli_fail(command, &error);
    char *words[] = {(char *)(uintptr_t)word};
    cli_sources sources;
    int result = cli_sources_find(command, (cli_operands){1, words}, &sources);
    if (result)
        return result;
    cli_loaded loaded;
    cli_source_load(&sources.items[0], reading, &loaded);
    if (loaded.status == LOPE_OK)
        *out = lope_skeleton_retain(loaded.clips[0]->skeleton);
    else
        result = cli_fail(command, &loaded.error);
    cli_loaded_free(&loaded);
    cli_sources_free(&sources);
    return result;
}

typedef struct source_run {
    const char *stage;
    int total;
    cli_source_job *job;
    void *user;
    atomic_int done;
} source_run;

static void run_one(void *user, int index, int thread)
{
    source_run *run = user;
    if (cli_interrupted())
        return;
    run->job(run->user, index);
    int done = atomic_fetch_add(&run->done, 1) + 1;
    if (thread == 0)
        cli_progress(run->stage, done, run->total);
}

int cli_sources_run(const cli_command *command, const char *stage, int threads, int count, cli_source_job *job,
                    void *user)
{
    source_run run = {.stage = stage, .total = count, .job = job, .user = user};
    lope_jobs *jobs = NULL;
    lope_error error = {0};
    if (count > 1 && lope_jobs_create(threads, &jobs, &error) != LOPE_OK)
        return cli_fail(command, &error);
    lope_jobs_run(jobs, count, run_one, &run);
    lope_jobs_destroy(jobs);
    cli_progress_end();
    return cli_stopped(command) ? CLI_INTERRUPTED : CLI_OK;
}

static const cli_source *source_of_file(const cli_sources *sources, int file)
{
    int i = 0;
    while (!sources->items[i].path || sources->items[i].file != file)
        i++;
    return &sources->items[i];
}

// One line per body whose files were read in a way that a reader would not take for granted.
static void say_unusual(const cli_command *command, const cli_sources *sources)
{
    static const char *const axes[] = {"auto", "Y", "Z", "X", "-Y", "-Z", "-X"};
    enum { MOST = 4 };
    int count, said = 0;
    const lope_library_body *bodies = lope_library_bodies(sources->library, &count);
    for (int b = 0; b < count; b++) {
        const lope_library_body *body = &bodies[b];
        bool turned = body->up_guessed && (body->up != LOPE_AXIS_Y || body->other_axis > 0);
        bool shape = body->role_source == LOPE_ROLES_TOPOLOGY;
        if ((!turned && !body->stood_up && !shape) || said++ >= MOST)
            continue;
        fprintf(stderr, "lope %s: %d file%s like %s:", command->name, body->file_count,
                body->file_count == 1 ? "" : "s", source_of_file(sources, body->first_file)->relative);
        if (turned)
            fprintf(stderr, " %s up, from the motion (--up)", axes[body->up]);
        if (turned && body->other_axis > 0)
            fprintf(stderr, ", though %d alone look%s otherwise", body->other_axis, body->other_axis == 1 ? "s" : "");
        if (body->stood_up)
            fprintf(stderr, "%s the rest pose is no stance, so that of the motion is used", turned ? ";" : "");
        if (shape)
            fprintf(stderr, "%s joints told by shape, not by names (--roles)", turned || body->stood_up ? ";" : "");
        fputc('\n', stderr);
    }
    if (said > MOST)
        fprintf(stderr, "lope %s: and %d more such bodies; 'lope info --full' shows them all\n", command->name,
                said - MOST);
}

int cli_sources_look(const cli_command *command, cli_sources *sources, const cli_reading *reading)
{
    const char **paths = cli_alloc((size_t)sources->count * sizeof *paths);
    int count = 0;
    for (int i = 0; i < sources->count; i++)
        if (sources->items[i].path) {
            sources->items[i].file = count;
            paths[count++] = sources->items[i].path;
        }
    lope_progress progress = {cli_progress_report, NULL};
    lope_library_def def = {paths, count, reading_def(reading), reading->roles, NULL, &progress};
    lope_error error = {0};
    lope_status status = LOPE_OK;
    if (count > 1)
        status = lope_jobs_create(reading->threads, &def.jobs, &error);
    if (count > 1 && !status)
        status = lope_library_create(&def, &sources->library, &error);
    lope_jobs_destroy(def.jobs);
    cli_progress_end();
    free(paths);
    if (status == LOPE_INTERRUPTED && cli_stopped(command))
        return CLI_INTERRUPTED;
    if (status)
        return cli_fail(command, &error);
    for (int i = 0; i < sources->count; i++)
        sources->items[i].library = sources->items[i].path ? sources->library : NULL;
    if (sources->library)
        say_unusual(command, sources);
    return CLI_OK;
}

lope_status cli_with_contacts(lope_clip **clip, lope_error *error)
{
    const lope_clip *old = *clip;
    if (old->contacts || !lope_skeleton_is_biped(old->skeleton))
        return LOPE_OK;
    lope_clip *copy;
    lope_status status = lope_clip_copy(old, NULL, LOPE_CLIP_CONTACTS, &copy, error);
    if (status)
        return status;
    lope_contacts_def def = lope_contacts_def_default();
    status = lope_contacts_find(old, &def, copy->contacts, error);
    if (status) {
        lope_clip_destroy(copy);
        return status;
    }
    lope_clip_destroy(*clip);
    *clip = copy;
    return LOPE_OK;
}
