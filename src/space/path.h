// SPDX-License-Identifier: MIT
// Memory of a search for a path, shared by its steps: the search for a corridor, the tightening, the ends.
#ifndef LOPE_SRC_SPACE_PATH_H
#define LOPE_SRC_SPACE_PATH_H

#include <math.h>

#include "space/pair.h"
#include "space/passages.h"

// Where the search stands behind an edge: the last corner it turned at, and what is seen from there through the edges
// since. In one line of cache.
typedef struct lope_path_node {
    lope_pair root, right, left;
    double walked;   // metres to the root
    double estimate; // metres from start to goal this way, hardly ever too long
} lope_path_node;

// What else is known of a half-edge; all that is where there was no choice.
typedef struct lope_path_step {
    int parent;     // half-edge crossed before, -1: none
    uint32_t stamp; // equal to the finder's: reached; one more: settled
    uint32_t mark;  // equal to the finder's: an end is near
} lope_path_step;

typedef struct lope_path_entry {
    double estimate;
    int half_edge;
} lope_path_entry;

// A disc that the path touches. side: 1 on the left of the path, which bends to the left around it; -1 on the right; 0:
// an end, a disc without size.
typedef struct lope_path_bend {
    lope_point center;
    int side;
    int vertex;  // -1: an end
    int crossed; // number in the corridor of the first half-edge that ends there
} lope_path_bend;

// A corner that the path may come too near to, and the side of the path it is on; 0: as it is seen.
typedef struct lope_path_corner {
    int vertex, side;
} lope_path_corner;

// One side of a funnel, a part of an array.
typedef struct lope_path_link {
    lope_path_bend bend;
    lope_point direction; // of the line from the bend before, of any length; nothing at the first
} lope_path_link;

typedef struct lope_path_chain {
    lope_path_link *links;
    int first, end;
} lope_path_chain;

struct lope_path_finder {
    lope_path_node *nodes; // by half-edge
    lope_path_step *steps; // by half-edge
    lope_path_entry *heap; // 4 for each edge: every half-edge is settled once and adds two
    int *crossed;          // half-edges of the corridor
    int *kept;             // numbers of those in crossed[] that the search looked through
    int *other_crossed;    // of the one found before, while there are two
    lope_path_portal *portals;
    lope_path_bend *bends, *other_bends;
    lope_path_link *left, *right;
    uint32_t *seen; // by face: equal to the stamp of a look around an end
    int *faces;     // found by it
    lope_path_corner *corners;
    lope_vec2 *points;
    int edge_capacity, face_capacity, point_capacity;
    int heap_count, crossed_count, kept_count, bend_count, corner_count, point_count;
    int other_crossed_count, other_bend_count;
    double estimate; // metres, what the search takes the way through the corridor to be
    bool chose;      // the search had more than one way
    uint32_t stamp, seen_stamp;
};

// Another stamp for seen[].
static inline void lope_path_next_look(lope_path_finder *finder)
{
    if (++finder->seen_stamp)
        return;
    for (int i = 0; i < finder->face_capacity; i++)
        finder->seen[i] = 0;
    finder->seen_stamp = 1;
}

typedef struct lope_path_query {
    const lope_mesh *mesh;
    const lope_gate *gates;
    const lope_bridge *bridges; // NULL: not known
    int goal_order;             // as bridges count faces
    const lope_passages *passages;
    bool careful; // estimates remember everything
    lope_point start, goal;
    int start_face, goal_face;
    double radius;
    float diameter;
} lope_path_query;

// path.c: room for any search in these passages; a failure leaves an empty finder.
bool lope_path_reserve(lope_path_finder *finder, const lope_passages *passages);
// Finds a path as far as bends[], both ends included: what lope_path_find samples. Allocates nothing where there is
// room. False where there is none.
bool lope_path_bends(lope_path_finder *finder, const lope_passages *passages, lope_vec2 start, lope_vec2 goal,
                     float clearance);
// Two ends and the radius of the disc.
typedef struct lope_path_ends {
    lope_vec2 start, goal;
    float clearance;
} lope_path_ends;
// Checks what is asked for and makes a query of it; what is wrong with it otherwise, in `out`, too.
lope_status lope_path_ask(lope_path_finder *finder, const lope_passages *passages, const lope_path_ends *ends,
                          lope_path_query *query, lope_path *out, lope_error *error);
// Pulls the way tight in the corridor crossed[] and fills `out` with it.
lope_status lope_path_answer(lope_path_finder *finder, const lope_path_query *query, lope_path *out, lope_error *error);
// path_straight.c: fills crossed[], and bends[] with the ends alone; false: the goal is not in sight.
bool lope_path_straight(lope_path_finder *finder, const lope_path_query *query);
// path_search.c: fills crossed[]; false: there is no corridor.
bool lope_path_search(lope_path_finder *finder, const lope_path_query *query);
// Forgets the search before; half-edges that wait, the best first.
void lope_path_begin(lope_path_finder *finder);
void lope_path_push(lope_path_finder *finder, lope_path_entry entry);
int lope_path_pop(lope_path_finder *finder);
// path_funnel.c: fills bends[] with the shortest way through the corridor.
void lope_path_pull(lope_path_finder *finder, const lope_path_query *query);
// The line from one disc to the next, which has them on their sides.
typedef struct lope_path_line {
    lope_point from, to;  // where it touches them
    lope_point direction; // of length 1; 0, 0 where both are one
} lope_path_line;
lope_path_line lope_path_between(const lope_path_bend *a, const lope_path_bend *b, double radius);
// The path of three bends turns at b to the side it is bent to.
bool lope_path_bent(lope_path_bend a, lope_path_bend b, lope_path_bend c, double radius);
// path_mend.c: takes out bends that are needless, and bends the first and the last line around corners that are beside
// the corridor.
void lope_path_mend(lope_path_finder *finder, const lope_path_query *query);
// Nothing is beside the first and the last line as long as they are in the triangles of the ends.
bool lope_path_ends_clear(const lope_path_finder *finder, const lope_path_query *query);

static inline double lope_path_cross(lope_point from, lope_point a, lope_point b)
{
    return (a.x - from.x) * (b.z - from.z) - (a.z - from.z) * (b.x - from.x);
}
static inline double lope_path_distance(lope_point a, lope_point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

#endif
