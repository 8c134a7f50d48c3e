// SPDX-License-Identifier: MIT
// Checks before anything is written, so that a mistake costs nothing.
#include "cli/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {"", ".bvh", ".glb", ".lope"};

const char *cli_format_ending(cli_file_format format)
{
    return endings[format];
}

cli_file_format cli_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (int f = CLI_FORMAT_BVH; dot && f <= CLI_FORMAT_LOPE; f++)
        if (strcasecmp(dot, endings[f]) == 0)
            return (cli_file_format)f;
    return CLI_FORMAT_AUTO;
}

bool cli_is_folder(const char *path)
{
    struct stat info;
    size_t length = strlen(path);
    return (length && path[length - 1] == '/') || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

static lope_status fail(lope_error *error, lope_status status, const char *path, const char *message)
{
    *error = (lope_error){.status = status};
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

// The folder part of a path; "." where there is none. Free it.
static char *parent_of(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length ? cli_format("%.*s", (int)length, path) : cli_format(".");
}

lope_status cli_check_parent(const char *path, lope_error *error)
{
    char *parent = parent_of(path), *message;
    struct stat info;
    lope_status status = LOPE_OK;
    if (stat(parent, &info) != 0)
        message = cli_format("cannot write: the folder '%s' does not exist", parent), status = LOPE_NOT_FOUND;
    else if (!S_ISDIR(info.st_mode))
        message = cli_format("cannot write: '%s' is not a folder", parent), status = LOPE_IO;
    else
        message = NULL;
    if (message)
        fail(error, status, path, message);
    free(message);
    free(parent);
    return status;
}

lope_status cli_check_not_input(const char *path, const cli_sources *sources, lope_error *error)
{
    struct stat target, input;
    if (stat(path, &target) != 0)
        return LOPE_OK;
    for (int i = 0; i < sources->count; i++) {
        const char *name = sources->items[i].path;
        if (name && stat(name, &input) == 0 && input.st_dev == target.st_dev && input.st_ino == target.st_ino)
            return fail(error, LOPE_IO, path, "is an input; it is never overwritten: choose another output");
    }
    return LOPE_OK;
}

void cli_claims_begin(cli_claims *claims)
{
    *claims = (cli_claims){.count = 0};
    pthread_mutex_init(&claims->lock, NULL);
}

int cli_claim(cli_claims *claims, const char *path, int owner)
{
    int found = -1;
    pthread_mutex_lock(&claims->lock);
    for (int i = 0; i < claims->count && found < 0; i++)
        if (strcmp(claims->paths[i], path) == 0)
            found = claims->owners[i];
    if (found < 0) {
        char **paths = realloc(claims->paths, ((size_t)claims->count + 1) * sizeof *paths);
        int *owners = realloc(claims->owners, ((size_t)claims->count + 1) * sizeof *owners);
        if (!paths || !owners)
            abort();
        claims->paths = paths;
        claims->owners = owners;
        paths[claims->count] = cli_format("%s", path);
        owners[claims->count++] = owner;
    }
    pthread_mutex_unlock(&claims->lock);
    return found;
}

void cli_claims_end(cli_claims *claims)
{
    for (int i = 0; i < claims->count; i++)
        free(claims->paths[i]);
    free(claims->paths);
    free(claims->owners);
    pthread_mutex_destroy(&claims->lock);
}

lope_status cli_make_folder(const char *path, cli_new_folders *made, lope_error *error)
{
    struct stat info;
    if (stat(path, &info) == 0)
        return S_ISDIR(info.st_mode) ? LOPE_OK : fail(error, LOPE_IO, path, "cannot make this folder: it is a file");
    lope_status status = cli_check_parent(path, error);
    if (status)
        return status;
    if (mkdir(path, 0777) != 0) {
        char *message = cli_format("cannot make this folder: %s", strerror(errno));
        status = fail(error, LOPE_IO, path, message);
        free(message);
        return status;
    }
    char **grown = realloc(made->paths, ((size_t)made->count + 1) * sizeof *grown);
    if (!grown)
        abort();
    made->paths = grown;
    made->paths[made->count++] = cli_format("%s", path);
    return LOPE_OK;
}

lope_status cli_make_parents(const char *base, const char *path, cli_new_folders *made, lope_error *error)
{
    lope_status status = cli_make_folder(base, made, error);
    char *copy = cli_format("%s", path);
    for (char *slash = copy + strlen(base) + 1; status == LOPE_OK && (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        status = cli_make_folder(copy, made, error);
        *slash = '/';
    }
    free(copy);
    return status;
}

void cli_remove_empty_folders(cli_new_folders *made)
{
    for (int i = made->count - 1; i >= 0; i--) {
        rmdir(made->paths[i]); // fails, as it should, where something is inside
        free(made->paths[i]);
    }
    free(made->paths);
    *made = (cli_new_folders){0};
}

static lope_status write_clip(lope_clip *clip, cli_file_format format, const char *path, lope_error *error)
{
    lope_clip_align_quaternions(clip);
    if (format == CLI_FORMAT_BVH)
        return lope_bvh_write(clip, path, 100.0f, error);
    return lope_glb_write((const lope_clip *const *)&clip, 1, path, error);
}

int cli_write_clips(const cli_command *command, const char *folder, cli_file_format format, lope_clip *const *clips,
                    int count)
{
    lope_error error = {0};
    cli_new_folders made = {0};
    int result = CLI_OK;
    if (cli_make_folder(folder, &made, &error) != LOPE_OK)
        return cli_fail(command, &error);
    for (int i = 0; i < count && !result; i++) {
        char *path = cli_format("%s/%s%s", folder, clips[i]->name, cli_format_ending(format));
        if (write_clip(clips[i], format, path, &error) != LOPE_OK)
            result = cli_fail(command, &error);
        free(path);
    }
    cli_remove_empty_folders(&made);
    return result;
}

int cli_check_motion_output(const cli_command *command, const char *path)
{
    const char *ending = path ? strrchr(path, '.') : NULL;
    lope_error error = {0};
    if (!path)
        return cli_usage(command, "where to? Give a file with -o OUT.bvh, OUT.glb or OUT.svg");
    if (cli_format_of(path) == CLI_FORMAT_LOPE || !ending ||
        (cli_format_of(path) == CLI_FORMAT_AUTO && strcasecmp(ending, ".svg") != 0))
        return cli_usage(command, "the output must end in .bvh, .glb or .svg, found '%s'", path);
    return cli_check_parent(path, &error) ? cli_fail(command, &error) : CLI_OK;
}
