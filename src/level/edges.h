// SPDX-License-Identifier: MIT
// Sharp edges of triangles that are about level: what hands hold, and where treads end.
#ifndef LOPE_SRC_LEVEL_EDGES_H
#define LOPE_SRC_LEVEL_EDGES_H

#include "level/edge.h"
#include "level/links.h"

#define EDGES_SHORTEST 0.08f // metres

typedef struct edge_side {
    edge edge;
    int triangle; // of the gathered ones
} edge_side;

// From `a` along `along`; its upper surface goes on towards `in`. All directions are unit vectors.
typedef struct sharp_edge {
    lope_vec3 a, along, in;
    lope_vec3 normal, out, inner; // of the upper surface; level, away from it; between the two faces
    float length, angle;
    int64_t solid;                  // -1: none
    lope_terrain_triangle triangle; // one that it belongs to
} sharp_edge;

typedef struct edge_search {
    const links_source *source;
    list triangles, sides;
    int next;
} edge_search;

// Gathers what meets the box. False: no memory.
bool edges_open(edge_search *search, const links_source *source, const links_box *box);
// The next sharp edge for whose ends `wants` says yes; false after the last.
bool edges_next(edge_search *search, const links_want *want, double reach, sharp_edge *out);
void edges_close(edge_search *search);
// Whether a point lies within a closed solid.
bool edges_inside(const links_source *source, lope_vec3 at);
// The influence and source of what is found along an edge.
links_origin edges_origin(lope_vec3 a, lope_vec3 b, double reach);

#endif
