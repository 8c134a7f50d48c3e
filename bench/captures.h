// SPDX-License-Identifier: MIT
// Inside `lope bench captures`: libraries of clips, rows of the table, and the tool run as its users run it.
#ifndef LOPE_BENCH_CAPTURES_H
#define LOPE_BENCH_CAPTURES_H

#include "bench/bench.h"
#include "bench/grader/grader.h"
#include "bench/strangers.h"

// Where figures come from: the built-in set, data that may be tuned on, data that was set aside, strangers made of
// either.
typedef enum captures_column {
    CAPTURES_BUILTIN,
    CAPTURES_TUNED,
    CAPTURES_ASIDE,
    CAPTURES_STRANGERS,
    CAPTURES_COLUMNS
} captures_column;

// cm/s: slower sliding of planted feet cannot be seen. Sources that slide less, such as the built-in ones, count as
// this, because ratios to almost zero say nothing.
#define CAPTURES_VISIBLE 1.0

// Clips of one skeleton in one folder.
typedef struct captures_library {
    char name[64], folder[1024]; // no folder: the built-in set
    captures_column column;
    int clip_count;
    int poses;      // at 30 frames per second
    double walking; // seconds in which the hips travel
    bool stranger;
    stranger_recipe recipe;
    const struct captures_library *origin; // of strangers
} captures_library;

typedef enum captures_row {
    CAPTURES_READ,
    CAPTURES_F1,
    CAPTURES_GRADES,
    CAPTURES_BUILDS,
    CAPTURES_PASSED,
    CAPTURES_STOOD,
    CAPTURES_PURE_PASSED,
    CAPTURES_PURE_STOOD,
    CAPTURES_FOLLOWED,
    CAPTURES_TERRAINS,
    CAPTURES_SKATE,
    CAPTURES_PLANTED,
    CAPTURES_JERK,
    CAPTURES_JERK_HIGH,
    CAPTURES_SPEED,
    CAPTURES_SPEED_WORST,
    CAPTURES_TURN,
    CAPTURES_TURN_WORST,
    CAPTURES_LIMBS,
    CAPTURES_BACKWARDS,
    CAPTURES_FLOOR,
    CAPTURES_RETARGET_PLANTED,
    CAPTURES_RETARGET_PLANTED_MEAN,
    CAPTURES_RETARGET_JERK,
    CAPTURES_RETARGET_JERK_MEAN,
    CAPTURES_RETARGET_SINK,
    CAPTURES_POSING,
    CAPTURES_TRANSITIONS,
    CAPTURES_LARGE_BUILD,
    CAPTURES_LARGE_MEMORY,
    CAPTURES_ROWS
} captures_row;

// What is known of a row in a column: `good` of `all`, the sum of `all` values, and the worst.
typedef struct captures_tally {
    double good, all, sum, worst;
} captures_tally;

typedef struct captures {
    bench_run *run;
    char tool[1024]; // this program
    char work[1024]; // folder for what is written on the way
    int library_count, real_count;
    captures_library *libraries; // captured ones, the smallest first; strangers from real_count on
    captures_tally tallies[CAPTURES_ROWS][CAPTURES_COLUMNS];
    double begin, budget; // seconds
    int notes;
    bool stopped, children_told; // the user stopped the run; running children were told so
} captures;

// Frames of a second, at least one.
static inline int captures_second(const lope_clip *clip)
{
    return clip->frame_rate > 1.0 ? (int)clip->frame_rate : 1;
}

// Removes a folder with everything in it.
void captures_remove(const char *path);

// True once the user stopped the run or, with `in_time`, once its time is over.
bool captures_over(captures *all, bool in_time);
// Adds to a row: so many right ones of so many, or a value.
void captures_count(captures *all, captures_row row, captures_column column, double good, double of);
void captures_value(captures *all, captures_row row, captures_column column, double value);

// Adds what another process counted.
void captures_add(captures *all, const captures_tally (*tallies)[CAPTURES_COLUMNS]);

// Tries a library: adds to rows, shows its motion in the open table, and returns its row in the table of libraries.
typedef const char *(*captures_try)(captures *all, captures_library *library);
// Tries libraries, as many at once as half the processors, until time is up. Returns how many; summaries[count] takes
// their rows, NULL for one that left none.
int captures_try_all(captures *all, captures_library *const *libraries, int count, captures_try try_one,
                     const char **summaries);

// A note about one library. Where everything is measured only the first ones are kept; with --only all are.
void captures_note(captures *all, const char *format, ...) LOPE_PRINTF(2, 3);

// A run of the tool. `words` end with NULL and begin behind its name.
typedef struct captures_child {
    const char *words[32];
    char *output; // standard output, then standard error; free with captures_children_free
    int code;     // exit code, 128 and more: killed
    double seconds, megabytes;
    int pid; // private
} captures_child;
// Runs all, some at once. False once interrupted.
bool captures_children_run(captures *all, captures_child *children, int count, int at_once);
void captures_children_free(captures_child *children, int count);

// A number behind "key": in JSON text, NAN where there is none; and how often a text occurs.
double captures_number(const char *json, const char *key);
int captures_occurrences(const char *text, const char *wanted);
// Text of printf; it lives until the end of the run.
const char *captures_text(const char *format, ...) LOPE_PRINTF(1, 2);
void captures_texts_free(void);

// Stages. Each adds to its rows.
lope_status captures_reading(captures *all, lope_error *error);
lope_status captures_contacts(captures *all, lope_error *error);
lope_status captures_motion(captures *all, lope_error *error);
lope_status captures_retarget(captures *all, lope_error *error);
lope_status captures_large(captures *all, lope_error *error);

// A file that cannot be read costs its library, not the run; a disk that is full ends it.
lope_status captures_go_on(captures *all, const captures_library *library, lope_status status, const lope_error *error);

enum { CAPTURES_CLIPS = 4 }; // of a stranger library are looked at, the first seconds of each
#define CAPTURES_SECONDS 10.0
// The clips that strangers are made of, spread over their library. Returns their number, or -1.
int captures_paths(const captures_library *origin, const char *out[CAPTURES_CLIPS], lope_error *error);
// Files read as one library, as the tool reads them, cut to their first seconds.
lope_status captures_read_clips(const char *const *paths, int count, lope_clip *out[CAPTURES_CLIPS], lope_error *error);

// The joints of a motion by the roles of the skeleton that it was written with; false where there are no hips.
bool captures_tell_body(const lope_skeleton *skeleton, const grader_motion *motion, grader_body *body);

// Writes a library of strangers of at most `clips` clips of at most `seconds` to its folder, which is made.
// `out` (may be NULL) takes [clips] strangers, with their truth; free each. Returns the number of clips.
int captures_write_strangers(captures_library *library, int clips, double seconds, stranger *out, lope_error *error);

#endif
