// SPDX-License-Identifier: MIT
// Sharp edges of triangles that are about level: what hands hold, and where treads end.
#ifndef LOPE_SRC_LEVEL_EDGES_H
#define LOPE_SRC_LEVEL_EDGES_H

#include "level/edge.h"
#include "level/links.h"

#define EDGES_SHORTEST 0.08f // metres

// From `a` along `along`; its upper surface goes on towards `in`. All directions are unit vectors.
typedef struct sharp_edge {
    lope_vec3 a, b, along, in;
    lope_vec3 normal, out, inner; // of the upper surface; level, away from it; between the two faces
    float length, angle;
    int64_t solid;                  // -1: none
    lope_terrain_triangle triangle; // one that it belongs to
} sharp_edge;

// All sharp edges whose boxes meet a box, in the order of their places, as sharp_edge in *out; without those that meet
// a box of `seen` (links_box; may be NULL). False: no memory.
bool edges_find(const links_source *source, const links_box *box, const list *seen, list *out);
// Whether a box meets one of a list, or lies within one of them where `all`.
bool edges_seen(const list *seen, const links_box *box, bool all);
// Whether a point lies within a closed solid.
bool edges_inside(const links_source *source, lope_vec3 at);
// The influence and source of what is found along an edge, which depends on what is so far from it.
links_origin edges_origin(lope_vec3 a, lope_vec3 b, double beside, double above);

#endif
