// SPDX-License-Identifier: MIT
// Finding links and holds. Each is a function of the level within a box around it, its influence, and has a source, a
// point. After a local change, what the changed box meets is dropped and found again from its sources and from the
// ground near the change; everything else stays.
#ifndef LOPE_SRC_LEVEL_LINKS_H
#define LOPE_SRC_LEVEL_LINKS_H

#include "base/list.h"
#include "level/ground.h"
#include "level/section.h"
#include "lope/floors.h"

// ---- border_index.c: borders by place

typedef struct border_entry {
    float low_x, low_z, high_x, high_z;
    int x, z, border; // cell of its middle
} border_entry;

typedef struct border_index {
    const lope_floor_border *borders; // the caller's
    int count, mask;
    int *starts; // of a bucket: entries[starts[i]] .. entries[starts[i + 1] - 1]
    border_entry *entries;
} border_index;

lope_status border_index_create(const lope_floor_border *borders, int count, border_index *out);
void border_index_destroy(border_index *index);
// Numbers of the borders that meet a rectangle in plan, ascending, as int in *out. False: no memory.
bool border_index_find(const border_index *index, point2 low, point2 high, list *out);

// ---- what is found

typedef struct links_source {
    const lope_terrain *terrain;
    const lope_level *level; // NULL: no things, no part numbers
    const lope_floors_def *def;
    ground_body body;
    const border_index *borders;
} links_source;

typedef struct links_box {
    lope_vec3 low, high;
} links_box;

// Where a link or hold comes from.
typedef struct links_origin {
    links_box influence;
    lope_vec3 source;
} links_origin;

typedef struct links_found {
    list links;        // lope_link; floors are -1
    list link_origins; // links_origin of each
    list steps;        // lope_link_step, of those links
    list holds;        // lope_level_hold
    list hold_origins;
} links_found;

// Where a link was that is to be found again.
typedef struct links_seed {
    lope_vec3 at; // its source
    lope_link_kind kind;
} links_seed;

// What to look for.
typedef struct links_want {
    links_box box;
    bool owned; // only what has its source in the box (high sides excluded): tiles of a level give all, once
    const links_seed *seeds; // else: what the box influences, and these again
    int seed_count;
} links_want;

void links_found_free(links_found *found);
// Appends what is wanted, in an order that depends on the level alone.
lope_status links_find(const links_source *source, const links_want *want, links_found *out);
lope_status holds_find(const links_source *source, const links_want *want, links_found *out);
// Everything within a box around the level, tile by tile; the same for any number of threads. `jobs` may be NULL.
lope_status links_build(const links_source *source, const links_box *box, lope_jobs *jobs, links_found *out);
// Makes everything right after a change within the box.
lope_status links_update(const links_source *source, const links_box *box, links_found *found);

// ---- parts of the search; false: no memory

typedef struct ranges { // disjoint stretches of a line, ascending
    int count;
    double from[32], to[32];
} ranges;
void ranges_cut(ranges *r, double from, double to);

bool links_boxes_meet(const links_box *a, const links_box *b);
links_box links_box_grown(const links_box *box, double plan, double up);
links_box links_box_joined(const links_box *a, const links_box *b);
bool links_wanted(const links_want *want, const links_origin *origin);
// Adds it if it is wanted.
bool links_add(links_found *out, const links_want *want, const lope_link *link, const links_origin *origin);
bool holds_add(links_found *out, const links_want *want, const lope_level_hold *hold, const links_origin *origin);
bool links_crossings(const links_source *source, const links_want *want, links_found *out);

bool links_things(const links_source *source, const links_want *want, links_found *out);
bool links_uneven(const links_source *source, const links_want *want, links_found *out);
bool links_low(const links_source *source, const links_want *want, links_found *out);
// Borders at most `reach` from the wanted box, and at seeds of crossings, as int in *out.
bool links_borders(const links_source *source, const links_want *want, double reach, list *out);
bool links_stairs(const links_source *source, const links_want *want, links_found *out);
bool links_edges(const links_source *source, const links_want *want, links_found *out);
bool links_bars(const links_source *source, const links_want *want, links_found *out);
// Whether a triangle may be the first of a closed solid.
bool links_may_be_first(const lope_terrain *terrain, const lope_terrain_triangle *triangle);
// Whether a triangle is part of a bar, which is told; its room is 0 unless this triangle stands for it.
bool links_is_bar(const links_source *source, const lope_terrain_triangle *triangle, lope_level_hold *out);

// Triangles whose boxes meet a box, as lope_terrain_triangle in *out.
bool links_triangles(const lope_terrain *terrain, const links_box *box, list *out);
// Surfaces at a place from `low` up to the sky, sorted. Returns how many.
#define LINKS_LAYERS 64
int links_column(const links_source *source, point2 at, double low, ground_layer out[LINKS_LAYERS]);
// The free ground at a place nearest to y, at most reach off.
bool links_ground(const links_source *source, point2 at, double y, double reach, double *out);

#endif
