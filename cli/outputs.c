// SPDX-License-Identifier: MIT
// Checks before anything is written, so that a mistake costs nothing.
#include "cli/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {"", ".bvh", ".glb", ".lope", ".svg", ".json"};

const char *cli_format_ending(cli_file_format format)
{
    return endings[format];
}

// The ending of a path with its dot, or "".
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot != name ? dot : "";
}

cli_file_format cli_format_of(const char *path)
{
    const char *ending = ending_of(path);
    for (int f = CLI_FORMAT_BVH; f <= CLI_FORMAT_JSON; f++)
        if (strcasecmp(ending, endings[f]) == 0)
            return (cli_file_format)f;
    return CLI_FORMAT_AUTO;
}

// A trailing slash, or a folder that exists.
static bool is_folder(const char *path)
{
    size_t length = strlen(path);
    return (length && path[length - 1] == '/') || cli_folder_exists(path);
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

// LOPE_NOT_FOUND where the folder that `path` lies in does not exist.
static lope_status check_parent(const char *path, lope_error *error)
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

// Whether both exist and are the same file.
static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

// The absolute path of a file or folder that need not exist yet, but whose parent does. Free it.
static char *whole_name(const char *path)
{
    char *parent = parent_of(path), *folder = realpath(parent, NULL);
    size_t end = strlen(path), begin;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/';)
        begin--;
    char *name = cli_format("%s/%.*s", folder ? folder : parent, (int)(end - begin), path + begin);
    free(folder);
    free(parent);
    return name;
}

static bool same_place(const char *a, const char *b)
{
    char *first = whole_name(a), *second = whole_name(b);
    bool same = strcmp(first, second) == 0 || same_file(a, b);
    free(first);
    free(second);
    return same;
}

// LOPE_IO where `path` and `input`, which may be NULL, are the same file.
static lope_status check_apart(const char *path, const char *input, lope_error *error)
{
    return input && same_file(path, input)
               ? fail(error, LOPE_IO, path, "is an input; it is never overwritten: choose another output")
               : LOPE_OK;
}

lope_status cli_check_not_input(const char *path, const cli_sources *sources, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < sources->count && !status; i++)
        status = check_apart(path, sources->items[i].path, error);
    return status;
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

// Fails where `path` cannot be a folder: its parent does not exist, or it is a file.
static lope_status check_folder(const char *path, lope_error *error)
{
    struct stat info;
    lope_status status = check_parent(path, error);
    if (!status && (stat(path, &info) == 0 ? !S_ISDIR(info.st_mode) : errno == ENOTDIR))
        status = fail(error, LOPE_IO, path, "cannot make this folder: it is a file");
    return status;
}

lope_status cli_make_folder(const char *path, cli_new_folders *made, lope_error *error)
{
    struct stat info;
    lope_status status = check_folder(path, error);
    if (status || stat(path, &info) == 0)
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

static lope_status write_file(cli_file_format format, const char *path, lope_clip *const *clips, int count,
                              lope_error *error)
{
    if (format == CLI_FORMAT_GLB)
        return lope_glb_write((const lope_clip *const *)clips, count, path, error);
    return count == 1 ? lope_bvh_write(clips[0], path, 100.0f, error)
                      : fail(error, LOPE_MISMATCH, path, "a BVH file holds one motion; name a folder");
}

lope_status cli_write_clips(const cli_output *output, lope_clip *const *clips, int count, lope_error *error)
{
    for (int i = 0; i < count; i++)
        lope_clip_align_quaternions(clips[i]);
    if (!output->folder)
        return write_file(output->format, output->path, clips, count, error);
    cli_new_folders made = {0};
    lope_status status = cli_make_folder(output->path, &made, error);
    for (int i = 0; i < count && !status; i++) {
        char *path = cli_format("%s/%s%s", output->path, clips[i]->name, endings[output->format]);
        status = write_file(output->format, path, clips + i, 1, error);
        free(path);
    }
    cli_remove_empty_folders(&made);
    return status;
}

bool cli_add_output(cli_outputs *outputs, const char *path)
{
    if (outputs->count == CLI_MOST_OUTPUTS || !*path)
        return false;
    outputs->items[outputs->count++] = (cli_output){.path = path};
    return true;
}

static const cli_option *output_option(const cli_command *command)
{
    const cli_option *option = command->options;
    while (option->name && option->kind != CLI_OUTPUT)
        option++;
    return option->name ? option : NULL;
}

// Whether one of the words "OUT.svg|OUT.bvh|FOLDER" ends like that.
static bool allows(const char *words, const char *ending)
{
    const char *word;
    size_t length, wanted = strlen(ending);
    for (int i = 0; (length = cli_choice_word(words, i, &word)) > 0; i++)
        if (length >= wanted && strncasecmp(word + length - wanted, ending, wanted) == 0)
            return true;
    return false;
}

// Sets the format of the files in a folder: that of --to, or the only one of motions that the command writes. False
// where the command writes several and --to is missing.
static bool choose_format(const cli_option *option, int to, cli_output *output)
{
    int choices = 0;
    for (int f = CLI_FORMAT_BVH; f <= CLI_FORMAT_LOPE; f++)
        if (allows(option->value, endings[f])) {
            output->format = (cli_file_format)f;
            choices++;
        }
    if (to)
        output->format = (cli_file_format)to;
    return to || choices < 2;
}

static int settle(const cli_command *command, const cli_option *option, const cli_outputs *all, cli_output *output)
{
    const char *ending = ending_of(output->path);
    bool folder = is_folder(output->path);
    output->folder = folder || !*ending;
    if (!allows(option->value, output->folder ? "FOLDER" : ending))
        return cli_usage(command, "-o writes %s, found %s'%s'", option->value, folder ? "the folder " : "",
                         output->path);
    if (!output->folder)
        output->format = cli_format_of(output->path);
    else if (!choose_format(option, all->to, output))
        return cli_usage(command, "'%s' %s: say with --to what to write there", output->path,
                         folder ? "is a folder" : "has no ending, so it is a folder");
    lope_error error = {0};
    lope_status status = output->folder ? check_folder(output->path, &error) : check_parent(output->path, &error);
    return status ? cli_fail(command, &error) : CLI_OK;
}

// --to is for folders. Where none is given it must fit the endings.
static int check_to(const cli_command *command, const cli_outputs *outputs)
{
    const cli_output *odd = NULL;
    for (int i = 0; i < outputs->count; i++) {
        if (outputs->items[i].folder)
            return CLI_OK;
        if ((int)outputs->items[i].format != outputs->to)
            odd = &outputs->items[i];
    }
    if (!outputs->to || !odd)
        return CLI_OK;
    return cli_usage(command, "--to %s is for folders and does not fit the ending of '%s'", endings[outputs->to] + 1,
                     odd->path);
}

int cli_check_not_inputs(const cli_command *command, const cli_outputs *outputs, const cli_sources *sources)
{
    lope_error error = {0};
    for (int i = 0; i < outputs->count; i++)
        if (!outputs->items[i].folder && cli_check_not_input(outputs->items[i].path, sources, &error) != LOPE_OK)
            return cli_fail(command, &error);
    return CLI_OK;
}

// Refuses an output that is also an operand or the value of another option.
static int check_words(const cli_command *command, const cli_output *output, const char *settings,
                       cli_operands operands)
{
    lope_error error = {0};
    lope_status status = LOPE_OK;
    for (int i = 0; i < operands.count && !status; i++)
        status = check_apart(output->path, operands.words[i], &error);
    for (const cli_option *option = command->options; option->name && !status; option++)
        if (option->kind == CLI_TEXT)
            status = check_apart(output->path, *(const char *const *)(const void *)(settings + option->offset), &error);
    return status ? cli_fail(command, &error) : CLI_OK;
}

int cli_check_outputs(const cli_command *command, void *settings, cli_operands operands)
{
    const cli_option *option = output_option(command);
    if (!option)
        return CLI_OK;
    cli_outputs *outputs = (cli_outputs *)(void *)((char *)settings + option->offset);
    int result = CLI_OK;
    for (int i = 0; i < outputs->count && !result; i++) {
        const char *path = outputs->items[i].path;
        result = settle(command, option, outputs, &outputs->items[i]);
        for (int k = 0; k < i && !result; k++)
            if (same_place(path, outputs->items[k].path))
                result = cli_usage(command, "-o %s and -o %s are the same", outputs->items[k].path, path);
    }
    if (!result)
        result = check_to(command, outputs);
    for (int i = 0; i < outputs->count && !result; i++)
        if (!outputs->items[i].folder)
            result = check_words(command, &outputs->items[i], settings, operands);
    return result;
}

int cli_need_output(const cli_command *command, const cli_outputs *outputs)
{
    return outputs->count ? CLI_OK : cli_usage(command, "where to? Give -o %s", output_option(command)->value);
}

bool cli_writes(const cli_outputs *outputs, cli_file_format format)
{
    for (int i = 0; i < outputs->count; i++)
        if (outputs->items[i].format == format)
            return true;
    return false;
}

bool cli_writes_motion(const cli_outputs *outputs)
{
    return cli_writes(outputs, CLI_FORMAT_BVH) || cli_writes(outputs, CLI_FORMAT_GLB);
}

static void list(FILE *file, const cli_outputs *outputs, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%s", i ? ", " : "", outputs->items[i].path);
}

void cli_say_written(const cli_command *command, const cli_outputs *outputs, int count)
{
    if (count == 0)
        return;
    fprintf(stderr, "lope %s: written before that: ", command->name);
    list(stderr, outputs, count);
    fputc('\n', stderr);
}

int cli_write_outputs(const cli_command *command, const cli_outputs *outputs, cli_writer *write, void *user)
{
    lope_error error = {0};
    for (int i = 0; i < outputs->count; i++)
        if (write(user, &outputs->items[i], &error) != LOPE_OK) {
            int result = cli_fail(command, &error);
            cli_say_written(command, outputs, i);
            return result;
        }
    return CLI_OK;
}

void cli_print_outputs(const cli_outputs *outputs)
{
    list(stdout, outputs, outputs->count);
}

void cli_json_outputs(cli_json *json, const cli_outputs *outputs)
{
    cli_json_open(json, "files", '[');
    for (int i = 0; i < outputs->count; i++)
        cli_json_text(json, NULL, outputs->items[i].path);
    cli_json_close(json, ']');
}
