// SPDX-License-Identifier: MIT
// The parts of a search that follows a path: the path as it is measured, the walk as it is placed, the stages that are
// kept for turning back.
#ifndef LOPE_SRC_MAPS_FOLLOW_H
#define LOPE_SRC_MAPS_FOLLOW_H

#include "lope/follow.h"
#include "maps/maps.h"

#define NO_EDGE UINT32_MAX

// --- follow_line.c: a path as points at even distances
#define LINE_STEP 0.05f // metres

typedef struct line_point {
    float x, z;
    float tx, tz; // unit vector along
    float yaw;    // of the same
} line_point;

typedef struct follow_line {
    line_point *points;
    int count, capacity;
    float length; // metres; the last point may be nearer to the one before than LINE_STEP
} follow_line;

// Measures a path out. `points` are finite. False: no memory.
LOPE_API bool lope_line_set(follow_line *line, const lope_vec2 *points, int count);
LOPE_API void lope_line_free(follow_line *line);
LOPE_API float lope_line_measure(const lope_vec2 *points, int count);
// Index of the point at a distance along the line.
static inline int line_index(const follow_line *line, float along)
{
    int index = (int)(along * (1.0f / LINE_STEP) + 0.5f);
    return map_clamp(index, 0, line->count - 1);
}
// Metres from the line, found by going downhill from *index, which becomes that of the nearest point.
float line_distance(const follow_line *line, float x, float z, int *index);
// Metres along the line of the point nearest to a place, near `index`.
LOPE_API float lope_line_project(const follow_line *line, float x, float z, int index);

// --- follow_walk.c: steps of a walk, placed in the world
typedef struct walk_piece {
    uint32_t step, edge;      // NO_EDGE: the walk begins with it
    lope_map_move start, end; // in the world; `length` of end: metres walked to there, with joins
    float turn, stride;
    float along; // metres of the line behind at its end
    int stage;   // number of the stage that it was found in
} walk_piece;

typedef struct follow_walk {
    walk_piece *pieces;
    int count, capacity;
} follow_walk;

// Places piece `index` after the one before it, or at its own start where it is the first.
LOPE_API void lope_piece_place(const lope_maps *maps, follow_walk *walk, int index);
LOPE_API bool lope_pieces_reserve(follow_walk *walk, int count);

// What a walk is checked against.
typedef struct walk_check {
    const lope_maps *maps;
    const follow_line *line;
    float corridor, clearance, touch;
    lope_follow_world world;
    int hint;
    int failed; // piece that did not pass, when the last check failed
} walk_check;
// One piece: its places, each swept to from the one before. *index is where on the line to look, `line` NULL: nowhere.
LOPE_API bool lope_piece_passes(walk_check *check, const walk_piece *piece, int *index, float *deviation);
// Whether pieces first .. count - 1 stay in the corridor and clear of obstacles. Fills `along`.
bool pieces_pass(walk_check *check, follow_walk *walk, int first, float *deviation);
// The same against obstacles only.
bool pieces_clear(walk_check *check, const follow_walk *walk, int first);

// --- follow_fit.c: bending and stretching steps so that a walk ends where it should
typedef struct fit_goal {
    lope_map_move end; // in the world
    bool any_yaw;
    bool any_along; // how far along the direction of `end` does not matter
    float soft;     // 0: exactly; otherwise how much of an error may stay rather than bending a lot
} fit_goal;
typedef struct fit_bounds {
    float turn, stride;
} fit_bounds;
// Changes pieces first .. count - 1. True: the end is within a millimetre and 1/1000 (or the goal is a soft one).
LOPE_API bool lope_pieces_fit(const lope_maps *maps, follow_walk *walk, int first, const fit_goal *goal,
                              fit_bounds bounds);

// --- follow_rank.c: asking a map which of its walks stay by the line
typedef struct candidate {
    uint32_t node; // of the map; of stage 0: the step to begin with
    float score;   // smaller is better
} candidate;
enum { STAGE_CANDIDATES = 24, GOAL_CANDIDATES = 12 };

typedef struct candidate_list {
    candidate *items;
    int count, room;
    int most; // the best so many stay, in order; 0: all do, in order once they are sorted
} candidate_list;

typedef struct stage_place {
    lope_map_move at; // of the root: the last frame of the walk so far
    uint32_t step;
    float along, walked;
} stage_place;

// follow_choice.c: a walk of a map step by step, as sorting functions see it.
typedef struct choice_room {
    uint32_t *edges;
    lope_ground *ends;
    float *lengths;
} choice_room;

typedef struct rank_query {
    const lope_maps *maps;
    const follow_line *line;
    const lope_follow_def *def;
    const lope_follow *search;
    choice_room room;
    float corridor;
    bool stop; // at the goal, only steps that stop
    bool wide; // look into the cells beside, too
    lope_map_move goal;
    bool any_goal_yaw;
} rank_query;
// Walks of the map that end near the line, facing along it, best first.
void rank_ahead(const rank_query *query, const stage_place *place, candidate_list *out);
// The same where that finds nothing: walks of the whole map that end in the corridor. Takes longer.
void rank_anywhere(const rank_query *query, const stage_place *place, candidate_list *out);
// Walks that end near the goal, nearest first.
void rank_goal(const rank_query *query, const stage_place *place, candidate_list *out);
// Puts a candidate into a list.
void rank_insert(candidate_list *out, candidate entry);

// Room for walks of the deepest map. False: no memory; free it in any case.
bool choice_room_make(choice_room *room, const lope_maps *maps);
void choice_room_free(choice_room *room);
// The paper's equation 5 of a node of the map at a place.
float choice_equation_5(const rank_query *query, const stage_place *place, uint32_t node);
// What the sorting function of the query says of a node.
float choice_sorted(const rank_query *query, const stage_place *place, uint32_t node, float usual);

// --- follow_search.c: stages on a stack
enum { BLOCKED = 16 };

// A place where the walk could go on in several ways.
typedef struct stage {
    stage_place place;
    int begin;                 // pieces of the walk before it
    int first, count, next;    // its candidates
    int asked;                 // how often: the cells of the path, those beside them, the whole map
    float deviation;           // of the walk so far
    uint32_t blocked[BLOCKED]; // nodes of the map that did not pass: walks over them need not be tried
    int blocked_count;
} stage;

enum { SEEN_SLOTS = 1024 };

struct lope_follow {
    const lope_maps *maps;
    lope_follow_def def;
    lope_follow_state state;
    rank_query query;
    walk_check check;
    follow_line line;
    follow_walk walk, best; // best: the walk that got furthest, where it is not the one at hand
    follow_walk saved;      // what a fit to the goal changed, to be put back
    float best_along;
    stage *stages;
    int stage_count, stage_capacity;
    candidate *candidates;
    int candidate_count, candidate_capacity;
    candidate_list found; // by the map that was asked last
    choice_room room;
    uint64_t seen[SEEN_SLOTS]; // where stages began before; 0: empty
    int seen_count;
    lope_map_move start; // first frame of the walk
    int start_step;      // or -1
    bool only_starts;    // of the graph, where any step may begin
    int played;
    int base;   // pieces that were there before this path
    int budget; // maps that may still be asked and walks tried
    lope_follow_report report;
};

// Begins with what is played, or with nothing.
bool search_begin(lope_follow *follow);
// Looks at one stage more, or tries one walk of it.
void search_step(lope_follow *follow);

#endif
