// SPDX-License-Identifier: MIT
// What the kinds of `lope build` share.
#ifndef LOPE_CLI_BUILD_H
#define LOPE_CLI_BUILD_H

#include "cli/outputs.h"
#include "lope/fill.h"
#include "lope/mobility_build.h"
#include "lope/ranks.h"

typedef struct build_settings {
    cli_reading reading;
    lope_prepare_def prepare;
    double floor; // metres, NAN: found for each clip
    cli_outputs outputs;
    const char *scenery; // of --blocks, and of moves; NULL: none
    const char *stage;   // likewise
    bool dense;          // of --blocks
    const char *tags;    // of --mobility; NULL: none
    bool mobility, maps, patches, blocks, rings, json;
    bool pure;                           // fill nothing in
    bool builtin;                        // no clips were named
    bool thesis, all_pairs;              // of --mobility
    int prune, part;                     // likewise; -1: the default
    int metric;                          // a lope_metric; -1: what fits the clips
    int steps, min_choices, max_choices; // 0: the metric's or the map's default
    double threshold, frame_cost, angle_weight, velocity_weight, root_weight, window; // likewise, frame_cost < 0
    int graph, align, branching, min_branching;                                       // of --maps, likewise
    int map_nodes, map_depth;                                                         // likewise
    double max_slip, speed_ratio;
    double tile_size; // of --patches, likewise
    int gates;
    bool straight, fitted;   // of --rings
    const char *published;   // of --rings: words; of --maps: all
    unsigned published_ways; // the same as bits
    const char *own;         // likewise: NAME=CLIPS,...
    const char *kept_clips;  // likewise
    double dissimilarity;    // likewise; 0: the default
} build_settings;

typedef struct build_work {
    const cli_command *command;
    const build_settings *settings;
    const lope_ranks *ranks;
    lope_jobs *jobs;
    cli_sources sources;
    cli_loaded *loaded; // [sources.count]
    bool captured;      // some clips are the user's; built-in motions alone are used as chosen
    bool surveyed;      // `filled` says what the clips can do, and what was filled in
    lope_fill_report filled;
} build_work;

// Progress of a build_work. True to go on; every process looks at its own signals.
bool build_progress(void *user, const char *stage, double done);

// Threads of this process: its share of the machine's cores unless told otherwise.
int build_threads(const build_work *work);

// Writes what was built with `save`, or prints why building failed with `status`. Of several processes only the first
// does either. Returns the exit code.
int build_save(const build_work *work, cli_writer *save, void *built, lope_status status, const lope_error *error);

// A row of a report of three columns.
void build_add_row(cli_table *table, const char *name, double value, int decimals, const char *note);

// Whether a pattern means the clip of that name, with or without its folder.
bool build_names_clip(const char *pattern, const char *clip);

// build_tags.c: the user's own words for what clips show, from a file or from their names. Free `ranges`.
typedef struct build_tags {
    lope_tag_range *ranges;
    int count;
    char names[LOPE_OWN_TAGS][LOPE_TAG_NAME]; // in the order of the tags; "" where there are fewer
} build_tags;
int build_read_tags(const build_work *work, const lope_set *set, build_tags *out);

// build_uses.c: clips of which something is not in what was built, and why; then how many are in. As JSON: an array of
// all clips, "uses".
void build_print_uses(const lope_set *set, const lope_clip_use *uses, const char *pieces);
void build_json_uses(cli_json *json, const lope_set *set, const lope_clip_use *uses);

// build_fill.c: surveys a set of captured clips and fills in what it lacks, unless --pure; returns the exit code. The
// others print what was found and done: as tables, or into an open JSON object. Nothing where nothing was surveyed.
int build_fill(build_work *work, lope_set *set);
void build_fill_print(const build_work *work);
void build_fill_json(const build_work *work, cli_json *json);

// build_mobility.c: tells about a mobility map that was built.
typedef struct build_mobility_told {
    const lope_mobility_report *report;
    const lope_mobility_survey *survey;
    const lope_clip_use *uses;
} build_mobility_told;
void build_print_mobility(const build_work *work, const lope_set *set, const build_mobility_told *told);

// build_maps.c: builds a graph of steps and its maps, writes and reports it; returns the exit code.
int build_maps(build_work *work, const lope_set *set);

// build_patches.c: builds a walk tile, writes and reports it; returns the exit code.
int build_patches(build_work *work, const lope_set *set);

// Reads all sources into `loaded`; returns the exit code.
int build_load(build_work *work);

// All clips that were read, and where their floors are (NAN: found and written when they are prepared).
typedef struct build_clips {
    const lope_clip **clips;
    float *floors;
    int *mended; // how many jolts and tears were mended in each
    int count;
} build_clips;
build_clips build_clips_all(const build_work *work);
// Says where floors were found and what was mended, where clips were prepared.
void build_clips_free(const build_work *work, build_clips *all, bool prepared);

// build_moves.c: builds all that the clips allow, or the built-in set does where there are none, writes and reports it;
// returns the exit code.
int build_moves(build_work *work);

// build_blocks.c: builds the blocks of the built-in set, or of captured clips and their scenery, writes and reports
// them; returns the exit code.
int build_blocks(build_work *work);

// build_rings.c: builds motion rings from a set, or from the built-in samples (NULL), writes and reports them; returns
// the exit code.
int build_rings(build_work *work, const lope_set *set);

#endif
