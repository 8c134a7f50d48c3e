// SPDX-License-Identifier: MIT
// Benchmarks behind `lope bench NAME`: each file bench/<name>.c measures and reports figures; bench.c prints them as a
// table or as JSON, beside what the papers and the best peers reach.
#ifndef LOPE_BENCH_BENCH_H
#define LOPE_BENCH_BENCH_H

#include "lope/offline.h"

// One measured figure. NAN where there is nothing to compare with.
typedef struct bench_figure {
    const char *name; // e.g. "BVH parsing, one core"; string literals or strings that outlive the run
    double value;
    const char *unit; // e.g. "MB/s"
    double paper;     // what the paper reached
    double peer;      // what the best other program reaches, in the same unit
    double must;      // what we promise
    bool higher_is_better;
} bench_figure;

typedef struct bench_run bench_run;

// Adds a figure to the report.
void bench_add(bench_run *run, bench_figure figure);
// A line below the table, e.g. what was skipped and why.
void bench_note(bench_run *run, const char *format, ...) LOPE_PRINTF(2, 3);
// A name for a figure that has to be put together; it lives as long as the run.
const char *bench_name(bench_run *run, const char *format, ...) LOPE_PRINTF(2, 3);
// Begins a table of its own below the figures, such as one of a paper's. Rows follow, the headings first; '|' separates
// their cells.
void bench_table(bench_run *run, const char *format, ...) LOPE_PRINTF(2, 3);
void bench_row(bench_run *run, const char *format, ...) LOPE_PRINTF(2, 3);
// Folder with captured clips, or NULL when it is not there: then measure on the built-in set and say so.
const char *bench_data(const bench_run *run);
// Folder to which pictures are drawn, or NULL.
const char *bench_pictures(const bench_run *run);
// Whether to repeat what is usually measured once.
bool bench_full(const bench_run *run);
// Random levels to measure on: seed of the first, and how many. 0: what is usual.
uint64_t bench_seed(const bench_run *run);
int bench_levels(const bench_run *run);
// Trials and threads that were asked for; 0: as many as usual.
int bench_trials(const bench_run *run);
int bench_threads(const bench_run *run);
// A second folder with captured clips that nothing was tuned on, or NULL.
const char *bench_aside(const bench_run *run);
// Folder to which strangers are written instead of measuring, or NULL.
const char *bench_strangers(const bench_run *run);
// A file with times of drawn pictures (scripts/drawn), or NULL.
const char *bench_drawn(const bench_run *run);
// Whether a stage of a benchmark, or a subject of the captures, is wanted; all are by default.
bool bench_wants(const bench_run *run, const char *stage);
// A benchmark in stages, of which --only chooses some.
typedef struct bench_stage {
    const char *name;
    lope_status (*run)(bench_run *run, lope_error *error);
} bench_stage;
// Runs those that are wanted. LOPE_BAD_DATA where one is wanted that is not there.
lope_status bench_stages(bench_run *run, const bench_stage *stages, int count, lope_error *error);
// LOPE_BAD_DATA, with the names of all, where a stage is wanted that is not among these.
lope_status bench_stages_known(const bench_run *run, const char *const *stages, int count, lope_error *error);
bool bench_wants_subject(const bench_run *run, const char *subject);
// True once the user interrupted the run.
bool bench_stopped(const bench_run *run);
// Makes a folder for temporary files, where TMPDIR says or in /tmp; with `in_memory` rather in a folder that is in no
// disk's way. The caller removes it.
lope_status bench_folder(bool in_memory, char *out, size_t size, lope_error *error);
// Monotonic clock in seconds.
double bench_seconds(void);
// Processor time of this thread in seconds: what other programs do meanwhile does not count.
double bench_processor_seconds(void);
// Best of several runs of `body`, in seconds per call: repeats until `budget` seconds have passed, at least three
// times.
double bench_best(void (*body)(void *user), void *user, double budget);
// Uniform in [0, 1); the same numbers in every run. The quality of this generator does not matter here.
static inline double bench_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * (1.0 / 9007199254740992.0);
}
// Keeps the compiler from throwing away what a benchmark computes.
void bench_keep(const void *data);

// A benchmark. Registered in bench.c.
typedef struct bench_entry {
    const char *name;
    const char *summary;
    lope_status (*run)(bench_run *run, lope_error *error);
} bench_entry;

extern const bench_entry bench_io;        // reading and writing clips
extern const bench_entry bench_pose;      // sampling and model space
extern const bench_entry bench_mobility;  // building mobility maps and walking on them
extern const bench_entry bench_crowd;     // many characters
extern const bench_entry bench_thesis;    // mobility maps the thesis' way
extern const bench_entry bench_grasp;     // walking, climbing, swinging, crawling
extern const bench_entry bench_paths;     // free space among obstacles
extern const bench_entry bench_rings;     // gaits on rough ground
extern const bench_entry bench_terrain;   // questions to rough ground
extern const bench_entry bench_steps;     // graphs of steps and walks over them
extern const bench_entry bench_maps;      // motion maps
extern const bench_entry bench_patches;   // motion patches
extern const bench_entry bench_office;    // people among things
extern const bench_entry bench_level;     // floors, links and routes found in levels
extern const bench_entry bench_climb;     // climbs over the links of levels
extern const bench_entry bench_crossings; // links of levels that gaits cross
extern const bench_entry bench_world;     // one world: errands over levels, a hero among thousands of people
extern const bench_entry bench_captures;  // libraries of anybody

// All benchmarks, ended by one without a name.
extern const bench_entry *const bench_entries[];
// Whether a benchmark knows stages, subjects, strangers and data set aside, and shows what it has when it is stopped.
bool bench_by_parts(const bench_entry *entry);
// Whether it measures data set aside, too.
bool bench_has_aside(const bench_entry *entry);
// Whether it knows stages.
bool bench_has_stages(const bench_entry *entry);
// Whether its random levels can be chosen.
bool bench_has_levels(const bench_entry *entry);
bool bench_has_seed(const bench_entry *entry);
bool bench_has_drawn(const bench_entry *entry);
// Whether the number of its trials, and of the threads that share them, can be chosen.
bool bench_has_trials(const bench_entry *entry);

#endif
