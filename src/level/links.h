// SPDX-License-Identifier: MIT
// Finding links and holds. Each is a function of the level within a box around it, its influence, and has a source, a
// point. After a local change, what the changed box meets is dropped and found again from its sources and from the
// ground near the change; everything else stays.
#ifndef LOPE_SRC_LEVEL_LINKS_H
#define LOPE_SRC_LEVEL_LINKS_H

#include "base/list.h"
#include "level/border_index.h"
#include "terrain/terrain.h"

// ---- what is found

// Surfaces near the places that were asked about: memory of one thread. Begins as {0}; cleared when the level changed.
typedef struct links_columns {
    list cells, surfaces; // surface: those of a cell lie together
    int *table;           // cell + 1 by hash
    int table_room;
    list layers, triangles, borders; // of the last column; scratch
    bool failed;                     // no memory: what was found is not all
} links_columns;

typedef struct links_source {
    const lope_terrain *terrain;
    const lope_level *level;
    const lope_floors_def *def;
    ground_body body;
    const border_index *borders;
    links_columns *columns; // of this thread
    const list *lines;      // lope_level_hold: those that parts of the level say, without their room
} links_source;

typedef terrain_box links_box;

// Where a link or hold comes from.
typedef struct links_origin {
    links_box influence;
    lope_vec3 source;
    lope_vec2 along;  // of what depends on a turned rectangle in plan: its direction; else 0
    float s[2], t[2]; // that rectangle: x * along.x + z * along.z, and x * along.z - z * along.x
} links_origin;

typedef struct links_found {
    list links;        // lope_link; floors are -1
    list link_origins; // links_origin of each
    list steps;        // lope_link_step, of those links; others are in between
    list holds;        // lope_level_hold
    list hold_origins;
} links_found;

// Where a link was that is to be found again.
typedef struct links_seed {
    lope_vec3 at;    // its source
    lope_vec2 along; // of its origin
    lope_link_kind kind;
} links_seed;

// What to look for.
typedef struct links_want {
    links_box box;
    bool owned;      // only what has its source in the box (high sides excluded), which is that of a block of floors:
    int block;       // all blocks together give everything, once
    bool everywhere; // all of the level
    const links_seed *seeds; // else: what the box influences, and these again
    int seed_count;
} links_want;

void links_found_free(links_found *found);
// Everything, block by block of the floors; the same for any number of threads. `jobs` may be NULL.
lope_status links_build(const links_source *source, lope_jobs *jobs, links_found *out);
// What changed: where solids came or went, and the same with the borders that came or went with them.
typedef struct links_change {
    links_box solids, all;
} links_change;
// Makes everything right after a change, in two halves at a time: `more` is the memory of the second, for a second
// thread. Columns must have been cleared since the level changed.
lope_status links_update(const links_source *source, links_columns *more, const links_change *change, lope_jobs *jobs,
                         links_found *found);

// ---- parts of the search; false: no memory

typedef struct ranges { // disjoint stretches of a line, ascending
    int count;
    double from[32], to[32];
} ranges;
void ranges_cut(ranges *r, double from, double to);

links_box links_box_grown(const links_box *box, double plan, double up);
// Makes it depend on what happens at a border, too.
void links_note(links_origin *origin, const links_border *border);
// Whether something within the box can change what comes from there.
bool links_depends(const links_origin *origin, const links_box *box);
bool links_wanted(const links_want *want, const links_origin *origin);
bool links_add(links_found *out, const lope_link *link, const links_origin *origin);
bool holds_add(links_found *out, const lope_level_hold *hold, const links_origin *origin);
bool links_crossings(const links_source *source, const links_want *want, links_found *out);

bool links_things(const links_source *source, const links_want *want, links_found *out);
bool links_uneven(const links_source *source, const links_want *want, links_found *out);
bool links_low(const links_source *source, const links_want *want, links_found *out);
// Both look at sharp edges (edges.h), which are those at most so far from the wanted box.
#define LINKS_BESIDE 0.36 // metres
#define LINKS_ABOVE 0.56
bool links_stairs(const links_source *source, const links_want *want, const list *edges, links_found *out);
bool links_edges(const links_source *source, const links_want *want, const list *edges, links_found *out);
bool links_bars(const links_source *source, const links_want *want, links_found *out);
// Adds a bar, or a line that is held like one, if it is wanted and there is room for hands; tells its room.
bool bars_add(const links_source *source, const links_want *want, lope_level_hold *hold, links_found *out);
// Whether a triangle is part of a bar, which is told but for its room.
bool links_is_bar(const links_source *source, const lope_terrain_triangle *triangle, lope_level_hold *out);
// The bars that triangles are part of, each once, as lope_level_hold in *out.
bool bars_find(const links_source *source, const list *triangles, list *out);

// Triangles whose boxes meet a box, as lope_terrain_triangle in *out.
bool links_triangles(const lope_terrain *terrain, const links_box *box, list *out);
// Surfaces at a place from `low` up to the sky, sorted, in *out until the next call. Returns how many.
int links_column(const links_source *source, point2 at, double low, const ground_layer **out);
void links_columns_clear(links_columns *columns);
void links_columns_free(links_columns *columns);
// What is free above a place, from a step on; at most so many times the body's height.
#define LINKS_HEADROOM 1.5f
float links_headroom(const links_source *source, lope_vec3 at);
// Whether a disc of the body's radius has room at a place.
bool links_is_clear(const links_source *source, point2 at, double y);
// The free ground at a place nearest to y, at most reach off.
bool links_ground(const links_source *source, point2 at, double y, double reach, double *out);

#endif
