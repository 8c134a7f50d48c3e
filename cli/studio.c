// SPDX-License-Identifier: MIT
// `lope studio`: the page with all five systems under the mouse, served to this machine's browser.
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/studio/server.h"

typedef struct studio_settings {
    int port;
    const char *folder, *site;
    bool no_open, check;
} studio_settings;

#define AT(field) offsetof(studio_settings, field)
static const cli_option options[] = {
    {"port", 'p', CLI_INDEX, "N", AT(port), "The port to listen on; a free one by default (0)."},
    {"folder", 'f', CLI_TEXT, "FOLDER", AT(folder),
     "Where scenes, dropped clips and builds go; lope-studio by default, made when something is put into it. Nothing "
     "is "
     "written elsewhere."},
    {"no-open", 'n', CLI_FLAG, NULL, AT(no_open), "Only print the address; do not open a browser."},
    {"check", 0, CLI_FLAG, NULL, AT(check), "Start, see whether the page answers, and stop; for scripts."},
    {"site", 0, CLI_TEXT, "FOLDER", AT(site), "Serve a built page that does not lie beside the tool."},
    {0}};
static const char *const synopsis[] = {"[OPTION...] [FILE.lope...]", NULL};
static const char *const examples[] = {"The built-in set, in your browser:",
                                       "lope studio",
                                       "Maps of your own, and a folder for scenes:",
                                       "lope studio walk.lope gait.lope --folder scenes",
                                       "On a machine without a screen:",
                                       "lope studio --no-open --port 8080",
                                       NULL};

extern char **environ;

static bool has_page(const char *site)
{
    char *index = cli_format("%s/index.html", site);
    bool has = access(index, R_OK) == 0;
    free(index);
    return has;
}

// The built page beside the tool (in the build tree) or where it is installed; NULL without. Free it.
static char *find_site(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return NULL;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
    char *candidates[] = {cli_format("%s/studio/site", path), cli_format("%s/../share/lope/studio", path)};
    char *found = NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (!found && has_page(candidates[i]))
            found = candidates[i];
        else
            free(candidates[i]);
    }
    return found;
}

// Each file must be a whole .lope file: a page that fails to load one says less.
static int check_given(const cli_command *self, cli_operands files)
{
    int code = CLI_OK;
    for (int i = 0; i < files.count; i++) {
        lope_error error;
        lope_container *container;
        if (lope_container_open(files.words[i], &container, &error) != LOPE_OK)
            code = cli_worse(code, cli_fail(self, &error));
        else
            lope_container_close(container);
    }
    return code;
}

// A file that only this user can read and that leads a browser to the address. Words of command lines are seen by
// everybody on the machine, and the address holds the key. Its path, or NULL; the caller frees and removes it.
static char *write_lead(const char *address)
{
    const char *place = getenv("XDG_RUNTIME_DIR");
    place = place && *place ? place : getenv("TMPDIR");
    char *path = cli_format("%s/lope-studio-XXXXXX.html", place && *place ? place : "/tmp");
    int descriptor = mkstemps(path, 5);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file) {
        fprintf(file,
                "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer>"
                "<meta http-equiv=refresh content=\"0;url=%s\"><a href=\"%s\">Lope studio</a>\n",
                address, address);
        if (fclose(file) == 0)
            return path;
    }
    free(path);
    return NULL;
}

// The user's browser, where there is a screen to show it on.
static void open_browser(char *lead)
{
    char program[] = "xdg-open";
    char *words[] = {program, lead, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0); // Ctrl-C is not for the browser
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    for (int stream = 0; stream <= 2; stream++)
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream ? O_WRONLY : O_RDONLY, 0);
    pid_t pid;
    if (!lead || posix_spawnp(&pid, program, &actions, &attributes, words, environ) != 0)
        fprintf(stderr, "lope studio: note: no browser could be opened; open the address yourself\n");
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
}

// Whichever thread a signal comes to (libraries have theirs, too), the main one is woken. Stopping takes a second or
// two; who insists twice more does not wait for it.
static sem_t ended;
static volatile sig_atomic_t signals;

static void on_ending(int number)
{
    (void)number;
    if (++signals > 3)
        _exit(CLI_INTERRUPTED);
    sem_post(&ended);
}

static void take_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_ending;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sem_init(&ended, 0, 0);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) // nohup means it
        sigaction(SIGHUP, &action, NULL);
}

static int check_page(const cli_command *self, const studio_server *server, const char *site)
{
    int answer = studio_server_check(server);
    if (answer == 0 && site && has_page(site)) {
        printf("the page answers\n");
        return CLI_OK;
    }
    fprintf(stderr, "lope %s: %s\n", self->name,
            answer ? "the server does not answer" : "the page is not built: see docs/studio.md");
    return CLI_FAILED;
}

static void show_until_ended(const studio_server *server, const char *folder, bool open)
{
    bool screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    char *lead = NULL;
    fprintf(stderr, "The studio runs at the address above; Ctrl-C stops it. Your work goes to %s.\n", folder);
    fflush(stdout);
    if (open && screen)
        open_browser(lead = write_lead(studio_server_address(server)));
    while (sem_wait(&ended) != 0 && errno == EINTR)
        ;
    if (lead)
        unlink(lead);
    free(lead);
}

static int serve(const cli_command *self, const studio_settings *settings, const studio_server_def *def)
{
    studio_problem problem;
    take_signals();
    studio_server *server = studio_server_start(def, &problem);
    if (!server) {
        fprintf(stderr, "lope %s: %s\n", self->name, problem.message);
        return CLI_FAILED;
    }
    printf("%s\n", studio_server_address(server));
    int code = CLI_OK;
    if (settings->check)
        code = check_page(self, server, def->site);
    else
        show_until_ended(server, def->folder, !settings->no_open);
    studio_server_stop(server);
    return code;
}

static int run(const cli_command *self, int count, char **arguments)
{
    studio_settings settings = {.folder = "lope-studio"};
    cli_operands files;
    int code;
    if (!cli_parse(self, count, arguments, &settings, &files, &code))
        return code;
    if (settings.port > 65535)
        return cli_usage(self, "--port needs a whole number from 0 to 65535, found '%d'", settings.port);
    if (settings.site && !cli_folder_exists(settings.site))
        return cli_usage(self, "--site: the folder '%s' does not exist", settings.site);
    code = check_given(self, files);
    if (code != CLI_OK)
        return code;
    char *site = settings.site ? cli_format("%s", settings.site) : find_site();
    studio_server_def def = {.site = site,
                             .folder = settings.folder,
                             .port = settings.port,
                             .given = (const char *const *)files.words,
                             .given_count = files.count};
    code = serve(self, &settings, &def);
    free(site);
    return code;
}

const cli_command cli_studio = {
    "studio",
    "all systems under the mouse, in the browser",
    synopsis,
    "Serves the studio to the browser of this machine and prints its address, which holds a key: whoever does not have "
    "it, other users and pages of other sites among them, is refused. The address changes with each run.\n\n"
    "The page runs the library itself. The server adds what a page cannot do alone: it offers the given files, takes "
    "clips (BVH, FBX, GLB) that are dropped on the page, builds maps from them with the tool's own `lope build`, and "
    "saves scenes. It listens on the loopback address only and writes to one folder only.\n\n"
    "Ctrl-C stops it. Builds that run are stopped with it; what they would have replaced stays as it was.",
    examples,
    options,
    run,
};
