// SPDX-License-Identifier: MIT
// What the commands of the tool share. A command is a table: its options drive parsing, help and shell completion
// alike.
#ifndef LOPE_CLI_CLI_H
#define LOPE_CLI_CLI_H

#include <stdio.h>

#include "lope/offline.h"

// What scripts can rely on.
enum cli_exit {
    CLI_OK = 0,
    CLI_FAILED = 1,    // bad data, a failed write, motion that does not fit
    CLI_USAGE = 2,     // the command line makes no sense
    CLI_NOT_FOUND = 3, // a file, folder or motion does not exist
    CLI_INTERRUPTED = 130
};

typedef enum cli_kind {
    CLI_FLAG,     // bool
    CLI_TEXT,     // const char *
    CLI_OPTIONAL, // const char *: a value only behind '='; "" where none is given
    CLI_NUMBER,   // double, finite
    CLI_POSITIVE, // double, finite, > 0
    CLI_RATE,     // double, frames per second that a clip may have
    CLI_SCALE,    // double, metres per unit, 1e-6 to 1e6
    CLI_HEIGHT,   // double, metres, -1e6 to 1e6; NAN for "auto"
    CLI_COUNT,    // int, >= 1
    CLI_INDEX,    // int, >= 0
    CLI_SEED,     // uint64_t
    CLI_CHOICE,   // int: index into the words of `value`, which are separated by '|'
    CLI_OUTPUT    // cli_outputs, see outputs.h; may be given several times
} cli_kind;

typedef struct cli_option {
    const char *name; // without the dashes
    char letter;      // 0: only the long form
    cli_kind kind;
    const char *value; // what stands for the value in the help, or the words of a choice; NULL for flags
    size_t offset;     // of the field in the command's settings
    const char *help;
} cli_option;

typedef struct cli_command cli_command;
struct cli_command {
    const char *name;
    const char *summary;         // for NAME
    const char *const *synopsis; // lines after "lope NAME", ended by NULL
    const char *description;     // paragraphs separated by an empty line
    const char *const *examples; // pairs of what it does and the command line, ended by NULL
    const cli_option *options;   // ended by one without a name
    int (*run)(const cli_command *self, int count, char **arguments);
};

extern const cli_command cli_info, cli_convert, cli_synth, cli_grade, cli_draw, cli_build, cli_track, cli_gait,
    cli_climb, cli_crowd, cli_follow, cli_path, cli_level, cli_go, cli_world, cli_scenery, cli_studio, cli_bench,
    cli_completion;
// All of them, ended by NULL.
extern const cli_command *const cli_commands[];
const cli_command *cli_find_command(const char *name);

// --- options.c
// What is not an option. Points into the argument list.
typedef struct cli_operands {
    int count;
    char **words;
} cli_operands;

// Fills `settings`, which holds the defaults. Returns true to go on; otherwise the command ends with *exit_code: the
// help was asked for and printed, or a message about the mistake was.
bool cli_parse(const cli_command *command, int count, char **arguments, void *settings, cli_operands *operands,
               int *exit_code);
// Prints "lope draw: MESSAGE" and where to find help; returns CLI_USAGE.
int cli_usage(const cli_command *command, const char *format, ...) LOPE_PRINTF(2, 3);
// Length of word `index` of a choice and where it begins; 0 past the end.
size_t cli_choice_word(const char *choices, int index, const char **word);
// The candidate that was probably meant, or NULL. `candidate(i)` yields names until NULL.
const char *cli_suggest(const char *word, const char *(*candidate)(int index));

// --- help.c
void cli_print_help(const cli_command *command, FILE *file);
void cli_print_overview(FILE *file);

// --- progress.c
// Ctrl-C and the request to end set a flag, which work looks at between files; what takes longer than a second is ended
// without a trace. Also keeps files that are opened from taking the place of a closed standard stream.
void cli_catch_interrupts(void);
bool cli_interrupted(void);
// From now on interrupted work has this many seconds, for commands that have something to show when they are stopped.
void cli_interrupt_patience(unsigned seconds);
// A line on stderr that is overwritten; nothing unless stderr is a terminal. Programs read it elsewhere, see
// progress.c. Call from one thread at a time.
void cli_progress(const char *stage, int done, int total);
// The same for work that is not counted; `done` from 0 to 1.
void cli_progress_share(const char *stage, double done);
// Clears that line.
void cli_progress_end(void);
// For lope_progress: shows the share and goes on unless interrupted. `user` is not looked at.
bool cli_progress_report(void *user, const char *stage, double done);
// True once interrupted: then the line is cleared and "lope crowd: interrupted" printed.
bool cli_stopped(const cli_command *command);
// Progress of simulations, every so often. False once interrupted, as cli_stopped says it.
bool cli_step_goes_on(const cli_command *command, int step, int steps);
// Seconds since some time in the past.
double cli_seconds(void);

// --- report.c
// Prints "lope grade: walk.bvh:12: MESSAGE" and returns the exit code for the status.
int cli_fail(const cli_command *command, const lope_error *error);
int cli_exit_code(lope_status status);
// The worse of two exit codes: interruption beats failure beats absence.
int cli_worse(int a, int b);

// JSON on stdout. Commas and indentation look after themselves.
typedef struct cli_json {
    FILE *file;
    int depth;
    bool first; // nothing stands in the innermost bracket yet
} cli_json;
void cli_json_open(cli_json *json, const char *key, char bracket); // '{' or '['; key NULL inside arrays
void cli_json_close(cli_json *json, char bracket);
void cli_json_text(cli_json *json, const char *key, const char *value); // value NULL: null
void cli_json_number(cli_json *json, const char *key, double value);    // null where not finite
void cli_json_bool(cli_json *json, const char *key, bool value);

// A table on stdout: columns as wide as their widest cell; numbers to the right.
typedef struct cli_table cli_table;
cli_table *cli_table_create(const char *const *headings, int columns);
void cli_table_add(cli_table *table, const char *cell);              // row by row
void cli_table_number(cli_table *table, double value, int decimals); // "-" where not finite
void cli_table_print(const cli_table *table, FILE *file);
void cli_table_print_markdown(const cli_table *table, FILE *file);
void cli_table_destroy(cli_table *table);

// A figure of a report: its key for scripts and its name for people.
typedef struct cli_figure {
    const char *key, *name;
    double value;
    int decimals;
} cli_figure;
// Prints what came of a scene: a table, or with `json` an object that tells the hash as well.
void cli_print_scene(const char *scene, const cli_figure *figures, int count, uint64_t hash, bool json);

// --- sources.c
// Options on how to read; part of the settings of every command that reads clips.
typedef struct cli_reading {
    double scale, fps;
    int up;    // lope_axis
    int tpose; // lope_tpose
    const char *roles;
    int threads; // 0: one per core
} cli_reading;
#define CLI_READING_OPTIONS(type)                                                                                      \
    {"scale",                                                                                                          \
     0,                                                                                                                \
     CLI_SCALE,                                                                                                        \
     "METRES",                                                                                                         \
     offsetof(type, reading.scale),                                                                                    \
     "Metres per unit of the file. BVH does not say; without this option it is guessed from the bones."},              \
        {"up",                                                                                                         \
         0,                                                                                                            \
         CLI_CHOICE,                                                                                                   \
         "auto|y|z|x|-y|-z|-x",                                                                                        \
         offsetof(type, reading.up),                                                                                   \
         "The axis that points up in the file. BVH does not say; by default the motion tells."},                       \
        {"tpose",                                                                                                      \
         0,                                                                                                            \
         CLI_CHOICE,                                                                                                   \
         "auto|keep|drop",                                                                                             \
         offsetof(type, reading.tpose),                                                                                \
         "What to do with a T-pose in frame 0. By default it is dropped where it does not belong to the motion."},     \
    {                                                                                                                  \
        "roles", 0, CLI_TEXT, "ROLES.json", offsetof(type, reading.roles),                                             \
            "Which joint is what, where names and shape mislead: {\"hips\": \"Pelvis\", \"left knee\": \"LeftShin\"}." \
    }
#define CLI_THREADS_OPTION(type)                                                                                       \
    {                                                                                                                  \
        "threads", 'j', CLI_COUNT, "N", offsetof(type, reading.threads),                                               \
            "Threads to use; one per core by default. Results do not depend on it."                                    \
    }

// A file with clips, or one built-in motion.
typedef struct cli_source {
    char *path;                  // NULL: built-in
    const char *builtin;         // name of the motion where path is NULL
    const char *relative;        // the path below the folder that was given; points into path
    int take;                    // of a built-in motion; 0 is the plain one
    int file;                    // index in the library
    const lope_library *library; // NULL: read alone
} cli_source;
typedef struct cli_sources {
    int count;
    cli_source *items;
    lope_library *library; // of all files; NULL until they were looked at
} cli_sources;

// Finds what the operands name: files, folders (with everything below), built-in motions by name; nothing at all means
// the built-in set. Prints a message and returns an exit code other than CLI_OK where something does not exist.
int cli_sources_find(const cli_command *command, cli_operands operands, cli_sources *out);
void cli_sources_free(cli_sources *sources);
// Looks at all files, so that they are read as one library, and says on stderr what was unusual about it and which
// options override that. Prints a message and returns an exit code other than CLI_OK where it cannot go on.
int cli_sources_look(const cli_command *command, cli_sources *sources, const cli_reading *reading);
// Whether `path` is a folder that exists; false for NULL.
bool cli_folder_exists(const char *path);
// The path or the built-in name.
const char *cli_source_name(const cli_source *source);

// Names the source in an error that names no file.
void cli_error_in(lope_error *error, const cli_source *source);

// Where floors were found. Start with {INFINITY, -INFINITY, 0, 0}.
typedef struct cli_floors {
    float low, high;
    int count, off; // clips, and those of them whose floor is not near height 0
} cli_floors;
void cli_floors_add(cli_floors *floors, float height);
// One line where floors are not near height 0, and how to say it better.
void cli_floors_say(const cli_command *command, const cli_floors *floors);
// What one source held.
typedef struct cli_loaded {
    lope_status status;
    lope_error error;
    lope_clip **clips; // entries that are taken out are replaced by NULL
    int count;
    lope_read_report report;
    cli_floors floors; // that were found while editing
} cli_loaded;
// Reads one source; any thread. The status is in `out`.
void cli_source_load(const cli_source *source, const cli_reading *reading, cli_loaded *out);
void cli_loaded_free(cli_loaded *loaded);
// The skeleton that a word names: "builtin", or the first clip of a file; release it. Prints a message and returns an
// exit code other than CLI_OK where there is none. `word` NULL: none was asked for.
int cli_find_skeleton(const cli_command *command, const char *word, const cli_reading *reading, lope_skeleton **out);

// Runs `job` over all sources on several threads with progress; `job` is called once per index. Stops early when
// interrupted: the rest is not called.
typedef void cli_source_job(void *user, int index);
int cli_sources_run(const cli_command *command, const char *stage, int threads, int count, cli_source_job *job,
                    void *user);

// A copy with contacts found, or the clip itself (returned as it is) where it has some or is not a biped.
lope_status cli_with_contacts(lope_clip **clip, lope_error *error);

// Memory or the end: the tool has nothing better to do without it.
void *cli_alloc(size_t size);
char *cli_format(const char *format, ...) LOPE_PRINTF(1, 2);

#endif
