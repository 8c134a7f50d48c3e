// SPDX-License-Identifier: MIT
// The server: what each request gets for an answer. The front's thread admits requests and answers those for the page,
// which need no key; all others have threads of their own.
#include "cli/studio/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/studio/answers.h"
#include "cli/studio/child.h"
#include "cli/studio/rooms.h"
#include "cli/studio/uploads.h"

// Streams of progress that may be open at once; each holds a thread.
enum { MAX_STREAMS = 8 };

struct studio_server {
    studio_server_def def;
    studio_self self;
    studio_folder folder;
    studio_builds *builds;
    studio_front *front;
    atomic_int streams;
    atomic_bool stopping;
    char address[128];
};

static int answer_page(studio_server *server, studio_connection *connection, const studio_route *route)
{
    studio_file file;
    int descriptor = server->def.site ? studio_open_page(server->def.site, route->name, &file) : -1;
    if (descriptor >= 0)
        return studio_answer_file(connection, descriptor, &file, "");
    if (strcmp(route->name, "index.html") == 0)
        return studio_answer(connection, 200,
                             &(studio_body){"text/html; charset=utf-8", "", studio_no_page, strlen(studio_no_page)});
    return studio_answer_problem(connection, 404, "the page has no such file");
}

static void tell_given(cli_json *json, const studio_server *server)
{
    cli_json_open(json, "given", '[');
    for (int i = 0; i < server->def.given_count; i++) {
        const char *path = server->def.given[i], *slash = strrchr(path, '/');
        cli_json_open(json, NULL, '{');
        cli_json_number(json, "id", i);
        cli_json_text(json, "name", slash ? slash + 1 : path);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static int answer_state(studio_server *server, studio_connection *connection)
{
    studio_text text;
    if (!studio_text_begin(&text))
        return studio_answer_problem(connection, 500, "out of memory");
    cli_json_open(&text.json, NULL, '{');
    cli_json_text(&text.json, "lope", lope_version());
    cli_json_text(&text.json, "folder", server->folder.path);
    cli_json_number(&text.json, "max_clip_bytes", (double)STUDIO_MAX_CLIP_BYTES);
    cli_json_number(&text.json, "max_scene_bytes", (double)STUDIO_MAX_SCENE_BYTES);
    tell_given(&text.json, server);
    cli_json_close(&text.json, '}');
    return studio_answer_text(connection, 200, "", &text);
}

static int answer_files(studio_server *server, studio_connection *connection)
{
    studio_problem problem;
    studio_file *files;
    int count;
    studio_text text;
    if (!studio_folder_list(&server->folder, &files, &count, &problem))
        return studio_answer_problem(connection, problem.status, problem.message);
    if (!studio_text_begin(&text)) {
        free(files);
        return studio_answer_problem(connection, 500, "out of memory");
    }
    cli_json_open(&text.json, NULL, '{');
    cli_json_open(&text.json, "files", '[');
    for (int i = 0; i < count; i++) {
        cli_json_open(&text.json, NULL, '{');
        studio_tell_file(&text.json, &files[i]);
        cli_json_close(&text.json, '}');
    }
    cli_json_close(&text.json, ']');
    cli_json_close(&text.json, '}');
    free(files);
    return studio_answer_text(connection, 200, "", &text);
}

static int answer_file(studio_server *server, studio_connection *connection, const studio_route *route)
{
    studio_problem problem;
    studio_file file;
    int descriptor = studio_folder_read(&server->folder, route->name, &file, &problem);
    if (descriptor < 0)
        return studio_answer_problem(connection, problem.status, problem.message);
    char more[STUDIO_ETAG_SIZE + 16];
    snprintf(more, sizeof more, "ETag: %s\r\n", file.etag);
    return studio_answer_file(connection, descriptor, &file, more);
}

// A file of the command line; the user chose it, so links are fine.
static int answer_given(studio_server *server, studio_connection *connection, const studio_route *route)
{
    struct stat about;
    studio_file file;
    if (route->number >= server->def.given_count)
        return studio_answer_problem(connection, 404, "no such file was given");
    const char *path = server->def.given[route->number];
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        char message[600];
        snprintf(message, sizeof message, "%.500s: cannot be read any more", path);
        if (descriptor >= 0)
            close(descriptor);
        return studio_answer_problem(connection, 404, message);
    }
    studio_describe("given.lope", &about, &file);
    return studio_answer_file(connection, descriptor, &file, "");
}

static int answer_builds(studio_server *server, studio_connection *connection, const studio_route *route)
{
    studio_build_status *list = calloc(STUDIO_MAX_BUILDS, sizeof *list);
    studio_text text;
    if (!list || !studio_text_begin(&text)) {
        free(list);
        return studio_answer_problem(connection, 500, "out of memory");
    }
    int count = studio_builds_list(server->builds, route->page, list, STUDIO_MAX_BUILDS);
    cli_json_open(&text.json, NULL, '{');
    cli_json_open(&text.json, "builds", '[');
    for (int i = 0; i < count; i++) {
        cli_json_open(&text.json, NULL, '{');
        studio_tell_build(&text.json, &list[i]);
        cli_json_close(&text.json, '}');
    }
    cli_json_close(&text.json, ']');
    cli_json_close(&text.json, '}');
    free(list);
    return studio_answer_text(connection, 200, "", &text);
}

static bool write_status(const studio_build_status *status, studio_text *text)
{
    if (!studio_text_begin(text))
        return false;
    cli_json_open(&text->json, NULL, '{');
    studio_tell_build(&text->json, status);
    cli_json_close(&text->json, '}');
    return true;
}

static int answer_status(studio_connection *connection, int code, const studio_build_status *status)
{
    studio_text text;
    return write_status(status, &text) ? studio_answer_text(connection, code, "", &text)
                                       : studio_answer_problem(connection, 500, "out of memory");
}

static int answer_start(studio_server *server, studio_connection *connection)
{
    studio_problem problem = {500, "the build was forgotten before it could be told about"};
    studio_build_status status;
    studio_build *build = malloc(sizeof *build);
    char *form = build ? studio_read_form(connection, &problem) : NULL;
    if (!form) {
        free(build);
        return build ? studio_answer_problem(connection, problem.status, problem.message)
                     : studio_answer_problem(connection, 500, "out of memory");
    }
    studio_verdict verdict = studio_parse_build(form, build);
    free(form);
    int id = -1;
    if (verdict.status)
        studio_fail(&problem, verdict.status, "%s", verdict.message);
    else
        id = studio_builds_start(server->builds, build, &problem);
    int result = id >= 0 && studio_builds_status(server->builds, id, build->page, 0, 0.0, &status)
                     ? answer_status(connection, 202, &status)
                     : studio_answer_problem(connection, problem.status, problem.message);
    free(build);
    return result;
}

static int answer_build(studio_server *server, studio_connection *connection, const studio_route *route)
{
    studio_build_status status;
    bool known = route->kind == STUDIO_BUILD || studio_builds_stop(server->builds, route->number, route->page);
    if (!known || !studio_builds_status(server->builds, route->number, route->page, 0, 0.0, &status))
        return studio_answer_problem(connection, 404, "this page has no such build");
    return answer_status(connection, 200, &status);
}

// One event: a line of JSON, without the line breaks between its parts. False once nobody listens.
static bool send_event(studio_connection *connection, const studio_build_status *status)
{
    studio_text text;
    if (!write_status(status, &text))
        return false;
    studio_text_end(&text);
    if (!text.bytes)
        return false;
    for (char *at = text.bytes; *at; at++)
        if (*at == '\n')
            *at = ' ';
    connection->deadline = studio_seconds() + 10.0;
    bool heard = studio_send(connection, "data: ", 6) && studio_send(connection, text.bytes, strlen(text.bytes)) &&
                 studio_send(connection, "\n\n", 2);
    free(text.bytes);
    return heard;
}

// Where the build stands, whenever it changes and at least once a second, until it is over.
static int answer_events(studio_server *server, studio_connection *connection, const studio_route *route)
{
    studio_build_status status;
    if (!studio_builds_status(server->builds, route->number, route->page, 0, 0.0, &status))
        return studio_answer_problem(connection, 404, "this page has no such build");
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                               "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n";
    if (atomic_fetch_add(&server->streams, 1) >= MAX_STREAMS)
        studio_answer_problem(connection, 503, "too many pages listen; ask again");
    else if (studio_send(connection, head, sizeof head - 1))
        while (send_event(connection, &status) && status.state < STUDIO_DONE && !server->stopping)
            if (!studio_builds_status(server->builds, route->number, route->page, status.version, 1.0, &status))
                break;
    atomic_fetch_sub(&server->streams, 1);
    return 200;
}

static int answer_request(studio_server *server, studio_connection *connection)
{
    const studio_route *route = &connection->route;
    switch (route->kind) {
    case STUDIO_PAGE:
        return answer_page(server, connection, route);
    case STUDIO_STATE:
        return answer_state(server, connection);
    case STUDIO_FILES:
        return answer_files(server, connection);
    case STUDIO_FILE:
        return answer_file(server, connection, route);
    case STUDIO_SAVE:
        return studio_answer_save(&server->folder, connection, route->name);
    case STUDIO_GIVEN:
        return answer_given(server, connection, route);
    case STUDIO_BUILDS:
        return answer_builds(server, connection, route);
    case STUDIO_START:
        return answer_start(server, connection);
    case STUDIO_BUILD:
    case STUDIO_STOP:
        return answer_build(server, connection, route);
    case STUDIO_EVENTS:
        return answer_events(server, connection, route);
    }
    return studio_answer_problem(connection, 404, "there is no such thing here");
}

// Only what has the key gets a thread. The page itself can have none: browsers send no header of ours for scripts.
static bool admit(void *user, studio_connection *connection)
{
    studio_server *server = user;
    const studio_head *head = &connection->head;
    studio_verdict verdict = studio_parse_route(head->method, head->target, head->query, &connection->route);
    if (!verdict.status)
        verdict = studio_guard(&connection->route, &head->headers, &server->self);
    if (verdict.status)
        studio_answer_problem(connection, verdict.status, verdict.message);
    else if (connection->route.kind == STUDIO_PAGE)
        answer_page(server, connection, &connection->route);
    return !verdict.status && connection->route.kind != STUDIO_PAGE;
}

static void work(void *user, studio_connection *connection)
{
    answer_request(user, connection);
}

static void refuse(studio_connection *connection, int status, const char *message)
{
    studio_answer_problem(connection, status, message);
}

static bool listen_on(studio_server *server, studio_problem *problem)
{
    studio_front_def def = studio_front_default();
    def.port = server->def.port;
    def.admit = admit;
    def.work = work;
    def.refuse = refuse;
    def.user = server;
    server->front = studio_front_create(&def, problem);
    if (!server->front)
        return false;
    server->self.port = studio_front_port(server->front);
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/", server->self.port);
    studio_folder_sign(&server->folder, server->address);
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/#key=%s", server->self.port,
             server->self.key);
    return studio_front_run(server->front, problem);
}

studio_server *studio_server_start(const studio_server_def *def, studio_problem *problem)
{
    studio_server *server = calloc(1, sizeof *server);
    if (!server || !studio_random_hex(server->self.key, STUDIO_KEY_LENGTH / 2)) {
        free(server);
        studio_fail(problem, 500, "no memory or no random numbers left");
        return NULL;
    }
    server->def = *def;
    if (!studio_folder_open(&server->folder, def->folder, problem)) {
        free(server);
        return NULL;
    }
    studio_child_find_tool();
    server->builds = studio_builds_create(&server->folder);
    if (!server->builds)
        studio_fail(problem, 500, "out of memory");
    else if (listen_on(server, problem))
        return server;
    studio_server_stop(server);
    return NULL;
}

const char *studio_server_address(const studio_server *server)
{
    return server->address;
}

int studio_server_check(const studio_server *server)
{
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons((uint16_t)server->self.port)};
    struct timeval patience = {.tv_sec = 10};
    char text[64];
    int status = -1;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int asking = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (asking < 0)
        return -1;
    setsockopt(asking, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    int length = snprintf(text, sizeof text, "GET / HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n\r\n", server->self.port);
    if (connect(asking, (struct sockaddr *)&where, sizeof where) == 0 &&
        send(asking, text, (size_t)length, MSG_NOSIGNAL) == length && recv(asking, text, 13, MSG_WAITALL) == 13 &&
        memcmp(text, "HTTP/1.1 ", 9) == 0) {
        text[13] = 0;
        status = atoi(text + 9);
    }
    close(asking);
    return status == 200 ? 0 : status;
}

void studio_server_stop(studio_server *server)
{
    if (!server)
        return;
    server->stopping = true;
    if (server->builds)
        studio_builds_stop_all(server->builds);
    studio_front_destroy(server->front);
    studio_builds_destroy(server->builds);
    studio_folder_close(&server->folder);
    free(server);
}
