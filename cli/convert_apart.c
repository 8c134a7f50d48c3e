// SPDX-License-Identifier: MIT
// `lope convert` into a folder: every input becomes a file of its own, or one for each of its clips.
#include <stdlib.h>
#include <string.h>

#include "cli/convert.h"

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
    if (work->output->format != CLI_FORMAT_BVH || loaded->count == 1)
        return convert_write(work, loaded->clips, loaded->count, work->targets[index], &loaded->error);
    lope_status status = LOPE_OK;
    for (int i = 0; i < loaded->count && status == LOPE_OK; i++) {
        char *path;
        status = claim_target(work, index, loaded->clips[i]->name, &path, &loaded->error);
        if (status)
            return status;
        status = convert_write(work, &loaded->clips[i], 1, path, &loaded->error);
        free(path);
    }
    return status;
}

static void convert_one(void *user, int index)
{
    convert_work *work = user;
    cli_loaded *loaded = &work->loaded[index];
    convert_load(work, index);
    if (loaded->status == LOPE_OK)
        loaded->status = convert_mirror(work->settings, &loaded->clips, &loaded->count, NULL, &loaded->error);
    if (loaded->status == LOPE_OK)
        loaded->status = write_apart(work, index, loaded);
    cli_loaded_free(loaded);
}

static char *target_in_folder(const convert_work *work, const cli_source *source)
{
    const char *folder = work->output->path, *relative = source->relative, *dot = strrchr(relative, '.');
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    const char *slash = strrchr(relative, '/');
    int stem = dot && source->path && (!slash || dot > slash) ? (int)(dot - relative) : (int)strlen(relative);
    return cli_format("%.*s/%.*s%s", (int)length, folder, stem, relative, cli_format_ending(work->output->format));
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
    char *base = cli_format("%s", work->output->path);
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

int convert_apart(convert_work *work)
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
        result = cli_worse(result, convert_report_failures(work));
        for (int i = 0; i < work->sources.count; i++)
            good += work->loaded[i].status == LOPE_OK;
        if (result != CLI_INTERRUPTED)
            printf("%s: %d of %d converted\n", work->output->path, good, work->sources.count);
    }
    cli_remove_empty_folders(&made);
    cli_claims_end(&work->claims);
    for (int i = 0; i < work->sources.count; i++)
        free(work->targets[i]);
    free(work->targets);
    return result;
}
