// SPDX-License-Identifier: MIT
// Crossings of an edge: what the search for ledges, gaps, bars and walls shares.
#ifndef LOPE_SRC_LEVEL_CROSSING_H
#define LOPE_SRC_LEVEL_CROSSING_H

#include <math.h>

#include "level/sweep.h"

#define SKIN 3e-3     // metres on both sides of an edge that count as the edge itself
#define SHORTEST 0.02 // metres: borders below are part of edges, but say nothing about their direction
#define LANDINGS 64
#define CROSSING_RECENT 256
#define NO_HEIGHT (double)NAN

typedef struct landing {
    sweep_line edge, stand; // where the ground begins, and where the feet are
    ranges where;           // of s
    double near;            // t of its edge in the middle
} landing;

typedef struct crossing {
    const links_source *source;
    const links_want *want;
    links_found *out;
    sweep_edge edge;
    links_origin origin;
    sweep_line stand;
    ranges clear; // where a disc has room on this side
    int landing_count;
    list triangles, swept; // the same, as sweep_triangle
    list ids;
    list done;       // const links_border *: the longest ones of edges that were looked at
    list facing;     // facing_border
    list obstacles;  // sweep_extent
    list high, bars; // lope_terrain_triangle, lope_level_hold: above a gap
    bool failed;
    const links_border *recent[CROSSING_RECENT]; // those that the search for edges came by
    landing landings[LANDINGS];                  // last, for it is large and not cleared
} crossing;

static inline double crossing_at(const sweep_line *line, double s)
{
    return line->t + line->lean * s;
}

static inline double crossing_height(const sweep_line *line, double s)
{
    return line->y + line->slope * s;
}

// Metres below a landing in which ground is looked for: feet may stand a step lower, and be looked around from there.
static inline float crossing_deeper(const lope_floors_def *def)
{
    return 2.0f * def->step + 0.05f;
}

// crossings.c
sweep_edge crossing_edge(const links_border *border);
// Where a border goes on from an edge's stretch [range[0], range[1]] or lies in it, widens that. True where it is part
// of it.
bool crossing_join(const sweep_edge *e, const links_border *border, double range[2]);
// A link from here to a landing over s in [from, to], without its kind.
lope_link crossing_link(const crossing *c, const landing *l, double from, double to);
// Whether there is ground all around a place: borders of what is narrower than a hand may be missing.
bool crossing_ground(const crossing *c, lope_vec3 at);
// Adds a link, and the way back up where `back`, if there is ground at both ends.
void crossing_add(crossing *c, lope_link *link, bool back);
// landings.c: the grounds to land on, sorted; what stands in the way to one of them.
void crossing_find_landings(crossing *c);
void crossing_gather(crossing *c, const landing *l, double top);
// Cuts where the body cannot pass: above both grounds, and through a zone between them, which may be NULL.
void crossing_cut(const crossing *c, const landing *l, const sweep_zone *between, double top, ranges *r);
sweep_zone crossing_zone(const crossing *c, const landing *l, bool ledge, double top);
// gap_bars.c: where bars lead over a gap.
#define BARS_APART 0.8 // metres from one to the next, at most
void crossing_bars(crossing *c, const landing *l, double feet);
// walls.c: walls to climb over, and boards to duck under.
#define WALLS_THICKEST 1.0 // metres
void crossing_walls(crossing *c, const landing *l);

#endif
