// SPDX-License-Identifier: MIT
// Bodies of requests. Files are written to disk as they come; what turns out to be damaged never reaches its place.
#include "cli/studio/uploads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/studio/answers.h"
#include "cli/studio/child.h"

// Reads `length` bytes or fails.
static bool read_whole(studio_connection *connection, char *out, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t got = studio_receive(connection, out + at, length - at);
        if (got == 0)
            return false;
        at += got;
    }
    return true;
}

// How long the body is. Without a length there is no telling whether all of it came.
static bool body_length(studio_connection *connection, long long most, long long *out, studio_problem *problem)
{
    *out = connection->head.length;
    if (*out < 0)
        return studio_fail(problem, 411, "the request does not say how long it is");
    if (*out > most)
        return studio_fail(problem, 413, "this is too long: %.1f MB of at most %.1f MB", (double)*out / 1048576.0,
                           (double)most / 1048576.0);
    return true;
}

char *studio_read_form(studio_connection *connection, studio_problem *problem)
{
    long long length;
    if (!body_length(connection, STUDIO_MAX_FORM, &length, problem))
        return NULL;
    char *form = malloc((size_t)length + 1);
    if (form && read_whole(connection, form, (size_t)length) && !memchr(form, 0, (size_t)length)) {
        form[length] = 0;
        return form;
    }
    free(form);
    studio_fail(problem, 400, "the form cannot be read");
    return NULL;
}

static bool receive(studio_connection *connection, long long length, studio_write *writing, studio_problem *problem)
{
    char bytes[STUDIO_BLOCK];
    while (length > 0) {
        size_t got = studio_receive(connection, bytes, sizeof bytes);
        if (got == 0)
            return studio_fail(problem, 400, "%s: the connection was cut off, or too slow", writing->name);
        if (!studio_write_add(writing, bytes, got, problem))
            return false;
        length -= (long long)got;
    }
    return true;
}

static bool go_on(void *user, const char *stage, double done)
{
    (void)stage;
    (void)done;
    return studio_wanted(user);
}

// The tool says what a clip holds, or what is wrong with it. In a process of its own: importers of other programs'
// files are not ours.
static bool check_clip(studio_connection *connection, const studio_write *writing, char **about,
                       studio_problem *problem)
{
    const char *const words[] = {"lope", "info", "--json", "--threads", "1", writing->name, NULL};
    studio_child_def def = {
        .words = words, .place = writing->place, .max_seconds = 120.0, .watch = go_on, .user = connection};
    studio_child_result *result = malloc(sizeof *result);
    if (!result)
        return studio_fail(problem, 500, "out of memory");
    studio_child_run(&def, result);
    bool good = result->started && result->exit_code == 0 && result->output;
    if (good)
        *about = result->output;
    else if (result->out_of_time)
        studio_fail(problem, 422, "%s: reading it takes too long", writing->name);
    else
        studio_fail(problem, result->started ? 422 : 500, "%s", studio_child_message(result));
    if (!good)
        free(result->output);
    free(result);
    return good;
}

static bool check_container(const studio_write *writing, long long size, studio_problem *problem)
{
    static const _Alignas(64) char nothing[64];
    lope_error error;
    lope_container *container;
    char text[1100];
    void *bytes = size ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, writing->descriptor, 0) : MAP_FAILED;
    if (size && bytes == MAP_FAILED)
        return studio_fail(problem, 500, "%s: cannot be mapped into memory", writing->name);
    lope_status status =
        lope_container_open_memory(size ? bytes : nothing, (size_t)size, writing->name, &container, &error);
    if (status == LOPE_OK)
        lope_container_close(container);
    if (size)
        munmap(bytes, (size_t)size);
    return status == LOPE_OK || studio_fail(problem, 422, "%s", lope_error_text(&error, text, sizeof text));
}

// `about`: what the tool says of a clip; the caller frees it.
static bool check(studio_connection *connection, const studio_write *writing, char **about, studio_problem *problem)
{
    switch (studio_ending_of(writing->name)) {
    case STUDIO_JSON:
        return true; // scenes are the page's own
    case STUDIO_LOPE:
        return check_container(writing, connection->head.length, problem);
    default:
        return check_clip(connection, writing, about, problem);
    }
}

// Which version the file takes the place of: none unless the request says so.
static const char *expected_version(studio_connection *connection)
{
    const char *match = connection->head.if_match;
    return match && match[0] ? match : NULL;
}

static int answer_saved(studio_connection *connection, const studio_file *file, char *about)
{
    studio_text text;
    char more[STUDIO_ETAG_SIZE + 16];
    snprintf(more, sizeof more, "ETag: %s\r\n", file->etag);
    if (!studio_text_begin(&text)) {
        free(about);
        return studio_answer_problem(connection, 500, "out of memory");
    }
    cli_json_open(&text.json, NULL, '{');
    studio_tell_file(&text.json, file);
    if (about) // JSON of the tool, as it is
        fprintf(text.json.file, ",\n  \"info\": %s", about);
    cli_json_close(&text.json, '}');
    free(about);
    return studio_answer_text(connection, 200, more, &text);
}

int studio_answer_save(studio_folder *folder, studio_connection *connection, const char *name)
{
    studio_problem problem;
    studio_write writing;
    char *about = NULL;
    long long length;
    if (!body_length(connection, studio_max_bytes(name), &length, &problem) ||
        !studio_write_begin(&writing, folder, name, &problem))
        return studio_answer_problem(connection, problem.status, problem.message);
    if (!receive(connection, length, &writing, &problem) || !check(connection, &writing, &about, &problem)) {
        studio_write_abort(&writing);
        return studio_answer_problem(connection, problem.status, problem.message);
    }
    if (studio_write_commit(&writing, expected_version(connection), &problem))
        return answer_saved(connection, &writing.file, about);
    free(about);
    return studio_answer_problem(connection, problem.status, problem.message);
}
