// SPDX-License-Identifier: MIT
// The server: one callback that parses, guards and hands on each request. civetweb reads the bytes; nothing of its own
// file handling is used.
#include "cli/studio/server.h"

#include <civetweb.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/studio/answers.h"
#include "cli/studio/child.h"
#include "cli/studio/rooms.h"
#include "cli/studio/uploads.h"

// Streams of progress that may be open at once; each holds one of civetweb's threads.
enum { MAX_STREAMS = 8 };
#define SERVER_THREADS "20"

struct studio_server {
    studio_server_def def;
    studio_self self;
    studio_folder folder;
    studio_builds *builds;
    struct mg_context *web;
    pthread_mutex_t lock; // of what follows; held while the server starts, so that requests find it whole
    int streams;
    atomic_bool stopping, started;
    char address[128];
    char last_words[256]; // of civetweb, for why it does not start
};

static int answer_page(studio_server *server, struct mg_connection *connection, const studio_route *route)
{
    studio_file file;
    int descriptor = server->def.site ? studio_open_page(server->def.site, route->name, &file) : -1;
    if (descriptor >= 0)
        return studio_answer_file(connection, descriptor, &file, "");
    if (strcmp(route->name, "index.html") == 0)
        return studio_answer(connection, 200, "text/html; charset=utf-8", "", studio_no_page, strlen(studio_no_page));
    return studio_answer_problem(connection, 404, "the page has no such file");
}

// Leads to the page without the key, so that it is not copied with the address.
static int answer_enter(studio_server *server, struct mg_connection *connection)
{
    char name[64], more[256];
    studio_cookie_name(&server->self, name, sizeof name);
    snprintf(more, sizeof more, "Set-Cookie: %s=%s; Path=/; HttpOnly; SameSite=Strict\r\nLocation: /\r\n", name,
             server->self.key);
    return studio_answer(connection, 303, "text/plain", more, "", 0);
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

static int answer_state(studio_server *server, struct mg_connection *connection)
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

static int answer_files(studio_server *server, struct mg_connection *connection)
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

static int answer_file(studio_server *server, struct mg_connection *connection, const studio_route *route)
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
static int answer_given(studio_server *server, struct mg_connection *connection, const studio_route *route)
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

static int answer_builds(studio_server *server, struct mg_connection *connection, const studio_route *route)
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

static int answer_status(struct mg_connection *connection, int code, const studio_build_status *status)
{
    studio_text text;
    return write_status(status, &text) ? studio_answer_text(connection, code, "", &text)
                                       : studio_answer_problem(connection, 500, "out of memory");
}

static int answer_start(studio_server *server, struct mg_connection *connection)
{
    studio_problem problem;
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

static int answer_build(studio_server *server, struct mg_connection *connection, const studio_route *route)
{
    studio_build_status status;
    bool known = route->kind == STUDIO_BUILD || studio_builds_stop(server->builds, route->number, route->page);
    if (!known || !studio_builds_status(server->builds, route->number, route->page, 0, 0.0, &status))
        return studio_answer_problem(connection, 404, "this page has no such build");
    return answer_status(connection, 200, &status);
}

static bool enter_stream(studio_server *server, int change)
{
    pthread_mutex_lock(&server->lock);
    bool may = change < 0 || server->streams < MAX_STREAMS;
    server->streams += may ? change : 0;
    pthread_mutex_unlock(&server->lock);
    return may;
}

// One event: a line of JSON, without the line breaks between its parts. False once nobody listens.
static bool send_event(struct mg_connection *connection, const studio_build_status *status)
{
    studio_text text;
    if (!write_status(status, &text))
        return false;
    studio_text_end(&text);
    for (char *at = text.bytes; *at; at++)
        if (*at == '\n')
            *at = ' ';
    bool heard = mg_printf(connection, "data: %s\n\n", text.bytes) > 0;
    free(text.bytes);
    return heard;
}

// Where the build stands, whenever it changes and at least once a second, until it is over.
static int answer_events(studio_server *server, struct mg_connection *connection, const studio_route *route)
{
    studio_build_status status;
    if (!studio_builds_status(server->builds, route->number, route->page, 0, 0.0, &status))
        return studio_answer_problem(connection, 404, "this page has no such build");
    if (!enter_stream(server, 1))
        return studio_answer_problem(connection, 503, "too many pages listen; ask again");
    mg_printf(connection, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                          "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n");
    while (send_event(connection, &status) && status.state < STUDIO_DONE && !server->stopping)
        if (!studio_builds_status(server->builds, route->number, route->page, status.version, 1.0, &status))
            break;
    enter_stream(server, -1);
    return 200;
}

static int hand_on(studio_server *server, struct mg_connection *connection, const studio_route *route)
{
    switch (route->kind) {
    case STUDIO_PAGE:
        return answer_page(server, connection, route);
    case STUDIO_ENTER:
        return answer_enter(server, connection);
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

static int handle(struct mg_connection *connection)
{
    const struct mg_request_info *request = mg_get_request_info(connection);
    studio_server *server = request->user_data;
    studio_route route;
    pthread_mutex_lock(&server->lock);
    pthread_mutex_unlock(&server->lock);
    const char *target = request->request_uri ? request->request_uri : "";
    studio_verdict verdict = studio_parse_route(request->request_method, target, request->query_string, &route);
    studio_headers headers = {.host = mg_get_header(connection, "Host"),
                              .origin = mg_get_header(connection, "Origin"),
                              .fetch_site = mg_get_header(connection, "Sec-Fetch-Site"),
                              .fetch_mode = mg_get_header(connection, "Sec-Fetch-Mode"),
                              .cookie = mg_get_header(connection, "Cookie"),
                              .key = mg_get_header(connection, "X-Lope-Key")};
    if (!verdict.status)
        verdict = studio_guard(&route, &headers, &server->self);
    if (!verdict.status)
        return hand_on(server, connection, &route);
    studio_drop_body(connection);
    return studio_answer_problem(connection, verdict.status, verdict.message);
}

typedef struct handling {
    struct mg_connection *connection;
    int status;
} handling;

static void *run_handling(void *user)
{
    handling *self = user;
    self->status = handle(self->connection);
    return NULL;
}

// civetweb gives its threads a stack of 100 kB, of which the thread-local storage of all libraries is taken: what is
// left can be too little for printf. So each request is handled by a thread of ours while civetweb's waits.
static int on_request(struct mg_connection *connection)
{
    handling self = {connection, 500};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    bool started = pthread_create(&thread, &attributes, run_handling, &self) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    else
        mg_printf(connection, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
    return self.status;
}

static int on_message(const struct mg_connection *connection, const char *message)
{
    studio_server *server = mg_get_user_context_data(connection);
    if (server && !server->started)
        snprintf(server->last_words, sizeof server->last_words, "%s", message);
    return 1; // nothing for the terminal
}

static int no_log(const struct mg_connection *connection, const char *message)
{
    (void)connection;
    (void)message;
    return 1;
}

static bool listen_on(studio_server *server, studio_problem *problem)
{
    char where[32];
    snprintf(where, sizeof where, "127.0.0.1:%d", server->def.port);
    const char *options[] = {"listening_ports",
                             where,
                             "num_threads",
                             SERVER_THREADS,
                             "request_timeout_ms",
                             "10000",
                             "enable_keep_alive",
                             "no",
                             "decode_url",
                             "no",
                             "enable_directory_listing",
                             "no",
                             "max_request_size",
                             "16384",
                             "tcp_nodelay",
                             "1",
                             NULL};
    struct mg_callbacks callbacks = {.begin_request = on_request, .log_message = on_message, .log_access = no_log};
    struct mg_context *web = mg_start(&callbacks, server, options);
    struct mg_server_port ports[1];
    server->started = true;
    if (!web)
        return studio_fail(problem, 500, "cannot listen on %s: %s", where,
                           server->last_words[0] ? server->last_words : "the system refused");
    server->web = web;
    if (mg_get_server_ports(web, 1, ports) != 1)
        return studio_fail(problem, 500, "cannot tell which port it listens on");
    server->self.port = ports[0].port;
    snprintf(where, sizeof where, "http://127.0.0.1:%d/", server->self.port);
    studio_folder_sign(&server->folder, where);
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/?key=%s", server->self.port,
             server->self.key);
    return true;
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
    pthread_mutex_init(&server->lock, NULL);
    studio_child_find_tool();
    server->builds = studio_builds_create(&server->folder);
    pthread_mutex_lock(&server->lock);
    bool listens = server->builds && listen_on(server, problem);
    pthread_mutex_unlock(&server->lock);
    if (listens)
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
    char error[128];
    struct mg_connection *connection = mg_download("127.0.0.1", server->self.port, 0, error, sizeof error,
                                                   "GET / HTTP/1.0\r\nHost: 127.0.0.1:%d\r\n\r\n", server->self.port);
    if (!connection)
        return -1;
    int status = mg_get_response_info(connection)->status_code;
    mg_close_connection(connection);
    return status == 200 ? 0 : status;
}

void studio_server_stop(studio_server *server)
{
    if (!server)
        return;
    server->stopping = true;
    if (server->builds)
        studio_builds_stop_all(server->builds);
    if (server->web)
        mg_stop(server->web);
    studio_builds_destroy(server->builds);
    studio_folder_close(&server->folder);
    pthread_mutex_destroy(&server->lock);
    free(server);
}
