// SPDX-License-Identifier: MIT
// Building step graphs from a motion set (offline library): where clips are cut, which piece may follow which.
#ifndef LOPE_STEPS_BUILD_H
#define LOPE_STEPS_BUILD_H

#include "lope/jobs.h"
#include "lope/maps.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_steps_kind {
    LOPE_STEPS_FEATURES, // cut where the ankles cross; transitions only there (Mahmudi and Kallmann 2011)
    LOPE_STEPS_STANDARD  // cut wherever a transition is a local minimum (Kovar, Gleicher, Pighin 2002)
} lope_steps_kind;

// What stays where it is when one piece is joined to the next.
typedef enum lope_steps_align {
    LOPE_ALIGN_FOOT, // the supporting foot, with the yaw that then fits the window best
    LOPE_ALIGN_CLOUD // nothing: the yaw and shift that fit the window best; the foot slips
} lope_steps_align;

#define LOPE_STEPS_MIN_BRANCHING 14 // default of min_branching
#define LOPE_STEPS_MAX_EDGES 65535  // that motion maps can number

typedef struct lope_steps_def {
    lope_steps_kind kind;
    lope_steps_align align;
    float threshold;       // metres: transitions that cost more, joined as they will be, are dropped
    int min_branching;     // pieces with fewer ways on, and those that are locked in a turn, get more by transitions
    float rescue;          // up to so many times the threshold, >= 1
    float stand_threshold; // the same from standing to standing, where there is time to hide more
    float window;          // seconds of motion compared
    float max_slip;        // metres: transitions whose supporting foot slips more are dropped; 0: none are
    float merge;           // metres: of pieces that are alike within this, only the first stays (features); 0: all stay
    float speed_ratio; // pieces of walking whose speeds differ by more than this factor are not joined; 0: all may be
    int max_branching; // ways on of a piece, at most: the cheapest and the most different ones stay; 0: no limit
    float mean_branching; // ways on of a piece, mean: beside clips going on and what keeps the graph together, only the
                          // cheapest transitions stay, until there are so many; 0: no limit
    int max_edges;        // of the whole graph: where there would be more, pieces keep fewer ways on, the same choice
    int own_clips;        // the first so many clips of the set are the performer's, the others filled in; 0: all are
    float place_interval; // seconds between two places of a piece
    lope_clip_use *uses; // NULL, or room for each clip of the set: receives its steps, those in the graph, why not more
} lope_steps_def;

// Features, aligned on the foot, 6 cm (2.5 times that for at least 14 ways on, 15 cm standing), a third of a second,
// any slip, speed and number of ways on; pieces within 5 mm merged, a place every fifteenth of a second.
LOPE_API lope_steps_def lope_steps_def_default(void);
// The graphs of Mahmudi and Kallmann 2012 and their branching: clouds aligned, 6 cm, nothing merged or added, 1.56 ways
// on (features) or 1.30 (standard) in the mean.
LOPE_API lope_steps_def lope_steps_def_published(lope_steps_kind kind);
// The default with its thresholds, which suit legs of 84 cm, for the legs of a skeleton.
LOPE_API lope_steps_def lope_steps_def_for(const lope_skeleton *skeleton);

typedef struct lope_steps_report {
    int pieces;         // that the clips were cut into
    int merged;         // of them, that were like another one
    int nodes, edges;   // of the graph
    int transitions;    // edges that are not the clip going on, standing excluded
    int stand_edges;    // edges from standing to standing
    int starts, stops;  // nodes that begin and end in standing
    int component;      // nodes from which all of each other can be walked to
    double branching;   // ways on of a node, mean; of nodes that do not end in standing
    int most_branching; // and at most
    int rescued;        // transitions above the threshold, where ways on are few
    int locked;         // nodes after which no walk of about two metres goes straight (within 30 degrees)
    float mean_cost;    // metres, of the transitions
    float mean_slip;    // metres that the supporting foot slips at a transition,
    float most_slip;    // at most,
    float cloud_slip;   // and on average if clouds alone were aligned
    float slowest;      // metres per second of the slowest clip that walks (median of its pieces),
    float fastest;      // and of the fastest
    bool mixed_speeds;  // they differ by more than a quarter: walks will change their speed
    double seconds;     // it took
} lope_steps_report;

// Builds a graph. The set must outlive it. Parts that do not connect are joined by the cheapest transitions up to
// `rescue` times the threshold. Of several that are left, the one stays that can do most: metres walked, turns both
// ways. Pieces that lead nowhere or cannot be come back from are dropped, unless walks start or stop with them.
// LOPE_NOT_FOUND, saying what to change, where nothing connects. `jobs`, `progress` and `report` may be NULL. The same
// for any number of threads.
LOPE_API lope_status lope_steps_build(const lope_set *set, const lope_steps_def *def, lope_jobs *jobs,
                                      const lope_progress *progress, lope_steps **out, lope_steps_report *report,
                                      lope_error *error);

// Motion maps of the built-in set, and what they are made of, which must live as long. Graphs of steps take straight
// walks, gentle turns at full speed, tight ones at half of it, starts, stops and turns on the spot, one take of each.
// Found by trying: with sharp turns at full speed instead, walks that must begin in the middle of one get lost.
typedef struct lope_builtin_maps {
    lope_set *set;
    lope_steps *steps;
    lope_maps *maps;
} lope_builtin_maps;
LOPE_API bool lope_maps_builtin_uses(const char *motion);
// Nothing needs to be destroyed where this fails.
LOPE_API lope_status lope_maps_builtin(lope_jobs *jobs, const lope_progress *progress, lope_builtin_maps *out,
                                       lope_error *error);
LOPE_API void lope_maps_builtin_destroy(lope_builtin_maps *maps);

#ifdef __cplusplus
}
#endif
#endif
