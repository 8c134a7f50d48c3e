// SPDX-License-Identifier: MIT
// Answers: headers that hold for all of them, JSON, files.
#include "cli/studio/answers.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/studio/rooms.h"

const char studio_no_page[] =
    "<!doctype html><html lang=en><meta charset=utf-8><title>Lope studio</title>"
    "<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 "
    "1rem;color-scheme:light "
    "dark}</style><h1>The page is not built yet</h1><p>The server runs, but there is no page beside the tool. In the "
    "source tree, <code>make</code> builds it where Node.js and npm are installed (<code>scripts/packages</code> "
    "installs them), or <code>scripts/studio</code> alone. Then reload this page.</p>"
    "<p><code>lope studio --site FOLDER</code> serves a page that lies elsewhere.</p></html>\n";

// The page may run its own scripts and WebAssembly, talk to this server, and be framed by nobody.
static const char common_headers[] =
    "X-Lope-Studio: 1\r\n" // tells the page that there is more here than files
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' "
    "'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "Cache-Control: no-cache\r\n"
    "Connection: close\r\n";

static const char *status_words(int status)
{
    static const struct {
        int status;
        const char *words;
    } known[] = {{200, "OK"},
                 {202, "Accepted"},
                 {400, "Bad Request"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {409, "Conflict"},
                 {411, "Length Required"},
                 {412, "Precondition Failed"},
                 {413, "Content Too Large"},
                 {422, "Unprocessable Content"},
                 {429, "Too Many Requests"},
                 {431, "Request Header Fields Too Large"},
                 {500, "Internal Server Error"},
                 {503, "Service Unavailable"},
                 {507, "Insufficient Storage"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status)
            return known[i].words;
    return "Unknown";
}

static bool wants_body(const studio_connection *connection)
{
    return connection->route.method != STUDIO_HEAD;
}

// The head and, after it, `body` bytes of text. False: out of memory, and the connection ends without an answer.
static bool set_reply(studio_connection *connection, const char *head, const void *text, size_t body)
{
    size_t size = strlen(head);
    char *bytes = malloc(size + body);
    if (!bytes)
        return false;
    memcpy(bytes, head, size);
    if (body > 0)
        memcpy(bytes + size, text, body);
    free(connection->reply.bytes);
    connection->reply.bytes = bytes;
    connection->reply.size = size + body;
    return true;
}

enum { HEAD_SIZE = 2048 };
static void write_head(char head[HEAD_SIZE], int status, const char *type, const char *more, long long size)
{
    snprintf(head, HEAD_SIZE, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %lld\r\n%s%s\r\n", status,
             status_words(status), type, size, common_headers, more);
}

int studio_answer(studio_connection *connection, int status, const studio_body *body)
{
    char head[HEAD_SIZE];
    write_head(head, status, body->type, body->more, (long long)body->size);
    set_reply(connection, head, body->bytes, wants_body(connection) ? body->size : 0);
    return status;
}

bool studio_text_begin(studio_text *text)
{
    *text = (studio_text){0};
    text->json = (cli_json){open_memstream(&text->bytes, &text->size), 0, true};
    return text->json.file != NULL;
}

void studio_text_end(studio_text *text)
{
    if (text->json.file)
        fclose(text->json.file);
    text->json.file = NULL;
}

int studio_answer_text(studio_connection *connection, int status, const char *more, studio_text *text)
{
    studio_text_end(text);
    studio_answer(connection, status, &(studio_body){"application/json", more, text->bytes, text->size});
    free(text->bytes);
    return status;
}

int studio_answer_problem(studio_connection *connection, int status, const char *message)
{
    studio_text text;
    if (!studio_text_begin(&text))
        return studio_answer(connection, 500, &(studio_body){"application/json", "", "{}", 2});
    cli_json_open(&text.json, NULL, '{');
    cli_json_text(&text.json, "error", message);
    cli_json_close(&text.json, '}');
    return studio_answer_text(connection, status, "", &text);
}

int studio_answer_file(studio_connection *connection, int descriptor, const studio_file *file, const char *more)
{
    char head[HEAD_SIZE];
    write_head(head, 200, studio_content_type(file->name), more, file->bytes);
    bool has_head = set_reply(connection, head, NULL, 0);
    connection->reply.file = descriptor;
    connection->reply.left = has_head && wants_body(connection) ? file->bytes : 0;
    return 200;
}

void studio_tell_file(cli_json *json, const studio_file *file)
{
    cli_json_text(json, "name", file->name);
    cli_json_number(json, "bytes", (double)file->bytes);
    cli_json_number(json, "modified", (double)file->modified);
    cli_json_text(json, "etag", file->etag);
}

void studio_tell_build(cli_json *json, const studio_build_status *status)
{
    cli_json_number(json, "id", status->id);
    cli_json_text(json, "kind", studio_build_names[status->kind]);
    cli_json_text(json, "out", status->out);
    cli_json_text(json, "state", studio_state_names[status->state]);
    cli_json_text(json, "stage", status->stage);
    cli_json_number(json, "done", status->done);
    cli_json_number(json, "seconds", status->seconds);
    if (status->message[0])
        cli_json_text(json, "error", status->message);
}

int studio_open_page(const char *site, const char *path, studio_file *file)
{
    int place = open(site, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // Part by part, so that no link on the way leads out of the page.
    for (const char *slash = strchr(path, '/'); slash && place >= 0; slash = strchr(path, '/')) {
        char part[STUDIO_MAX_PATH + 1];
        memcpy(part, path, (size_t)(slash - path));
        part[slash - path] = 0;
        int next = openat(place, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(place);
        place = next;
        path = slash + 1;
    }
    if (place < 0)
        return -1;
    int descriptor = openat(place, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(place);
    struct stat about;
    if (descriptor >= 0 && (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(descriptor);
        return -1;
    }
    if (descriptor >= 0)
        studio_describe(path, &about, file);
    return descriptor;
}
