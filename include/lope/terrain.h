// SPDX-License-Identifier: MIT
// Terrain: the ground that feet look for. Triangle meshes and height fields, a box tree over them, and the questions a
// walking character asks: what does this sphere touch, what lies below this point, where is the nearest surface.
//
// A terrain is made of pieces that come, change and go. Changing it is for one thread at a time; while nobody changes
// it, any number may ask. Questions allocate nothing, and their answers do not depend on the machine's vector width, on
// the order of the tree, or on whether a patch (below) was used.
//
// Up is +Y. Normals of hits are unit vectors that point up; those of vertical walls point to the side that asked.
#ifndef LOPE_TERRAIN_H
#define LOPE_TERRAIN_H

#include "lope/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_terrain lope_terrain;

// An empty terrain, on which every question finds nothing.
LOPE_API lope_status lope_terrain_create(lope_terrain **out, lope_error *error);
LOPE_API void lope_terrain_destroy(lope_terrain *terrain);

// ---- pieces

// Triangles as three corners each, in either direction. Whoever makes one with lope_terrain_mesh_create, a generator or
// a loader destroys it; a terrain copies what it is given.
typedef struct lope_terrain_mesh {
    int vertex_count, triangle_count;
    lope_vec3 *vertices; // [vertex_count]
    int *indices;        // [3 * triangle_count]
} lope_terrain_mesh;

LOPE_API lope_status lope_terrain_mesh_create(int vertex_count, int triangle_count, lope_terrain_mesh **out,
                                              lope_error *error);
LOPE_API void lope_terrain_mesh_destroy(lope_terrain_mesh *mesh);

// Heights over a grid. Sample (column, row) stands at x = origin.x + column * cell, z = origin.z + row * cell. A cell
// is two triangles that meet along the line from its first sample to the one diagonally opposite; those with a NaN
// corner are holes.
typedef struct lope_terrain_field {
    lope_vec2 origin;
    float cell;           // metres, > 0
    int columns, rows;    // samples along x and z, at least 2 each
    const float *heights; // [rows * columns], row by row
} lope_terrain_field;

// A tree over the pieces is kept as they come and go: thousands of small ones are fine.
//
// Adds a piece. *piece names it from now on (>= 0; names of removed pieces are used again). Triangles without area are
// left out and never hit. LOPE_BAD_DATA: nothing with an area is left, an index names no vertex, or a coordinate is not
// finite or farther out than 100 km; nothing is added then.
LOPE_API lope_status lope_terrain_add_mesh(lope_terrain *terrain, const lope_terrain_mesh *mesh, int *piece,
                                           lope_error *error);
LOPE_API lope_status lope_terrain_add_field(lope_terrain *terrain, const lope_terrain_field *field, int *piece,
                                            lope_error *error);
LOPE_API void lope_terrain_remove(lope_terrain *terrain, int piece);

LOPE_API int lope_terrain_piece_count(const lope_terrain *terrain);
// Triangles that can be hit, and bytes in use, of all pieces.
LOPE_API int lope_terrain_triangle_count(const lope_terrain *terrain);
LOPE_API size_t lope_terrain_memory(const lope_terrain *terrain);
// The box around everything. False where there is nothing.
LOPE_API bool lope_terrain_bounds(const lope_terrain *terrain, lope_vec3 *low, lope_vec3 *high);

// ---- changes

// Grows with every change, beginning at 1.
LOPE_API uint64_t lope_terrain_version(const lope_terrain *terrain);
// Whether something within the box may have changed after version `since`. The last 16 changes are known by place; what
// is older counts as everywhere.
LOPE_API bool lope_terrain_changed(const lope_terrain *terrain, uint64_t since, lope_vec3 low, lope_vec3 high);

// A round brush that lifts every vertex and sample within `radius` (on the ground) by `height` in its middle, less
// towards its rim, smoothly. Negative lowers.
typedef struct lope_terrain_brush {
    lope_vec2 centre;
    float radius; // metres, > 0
    float height; // metres
    int piece;    // -1: all pieces
} lope_terrain_brush;

// Costs work near the brush only, and allocates nothing. LOPE_BAD_DATA: the brush is not finite, or would push
// something out of 100 km; nothing changes then.
LOPE_API lope_status lope_terrain_raise(lope_terrain *terrain, const lope_terrain_brush *brush, lope_error *error);
// Moves vertices [first, first + count) of a mesh to `positions`. The tree is fitted where they were; it stays right
// but grows slow where pieces of ground change their neighbours: then remove the piece and add it again.
LOPE_API lope_status lope_terrain_move_vertices(lope_terrain *terrain, int piece, int first, int count,
                                                const lope_vec3 *positions, lope_error *error);
// Gives the samples of a rectangle of a height field other heights, [rows * columns]; NaN makes holes.
typedef struct lope_terrain_cells {
    int column, row, columns, rows;
} lope_terrain_cells;
LOPE_API lope_status lope_terrain_set_heights(lope_terrain *terrain, int piece, lope_terrain_cells cells,
                                              const float *heights, lope_error *error);

// ---- patches

#define LOPE_TERRAIN_PATCH_GROUPS 10

// The part of the tree around a character, gathered once (say, per step) and asked many times. It only saves time:
// questions that leave its box, and those asked after the terrain changed there, are answered by the whole tree.
// The caller owns it; it holds no memory of its own. Fields are private.
typedef struct lope_terrain_patch {
    uint64_t version;
    lope_vec3 low, high;
    int group_count;
    struct {
        float boxes[6][8];
        int32_t children[8], pieces[8];
    } groups[LOPE_TERRAIN_PATCH_GROUPS];
} lope_terrain_patch;

// Gathers what lies in the box. Any box will do; the smaller, the faster are the questions.
LOPE_API void lope_terrain_gather(const lope_terrain *terrain, lope_vec3 low, lope_vec3 high, lope_terrain_patch *out);

// ---- questions: `patch` may be NULL

typedef struct lope_terrain_hit {
    lope_vec3 point;     // on the surface
    lope_vec3 normal;    // unit
    float distance;      // metres from where was asked
    int piece, triangle; // triangle of the mesh; of a field: 2 * (row * (columns - 1) + column), and one more
} lope_terrain_hit;

// Whether a sphere touches the surface (a ball deep inside a mountain does not).
LOPE_API bool lope_terrain_touches(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 centre,
                                   float radius);
// The nearest surface within `reach` (INFINITY: however far). Among equally near triangles, the first.
LOPE_API bool lope_terrain_nearest(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 point,
                                   float reach, lope_terrain_hit *out);
// The highest surface straight below a point, or at it, at most `depth` below (INFINITY: however deep).
LOPE_API bool lope_terrain_below(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 point,
                                 float depth, lope_terrain_hit *out);
// The first surface on the way from one point to another. hit->distance counts from `from`.
LOPE_API bool lope_terrain_ray(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 from,
                               lope_vec3 to, lope_terrain_hit *out);
// Height of the highest surface at a place.
LOPE_API bool lope_terrain_height(const lope_terrain *terrain, lope_vec2 place, float *height);
// All surfaces straight below a point down to `depth`, from the highest, into out[capacity]. Surfaces within 1 mm of
// each other count once. Returns how many were written; what does not fit is the lowest.
LOPE_API int lope_terrain_column(const lope_terrain *terrain, lope_vec3 point, float depth, lope_terrain_hit *out,
                                 int capacity);

typedef struct lope_terrain_triangle {
    lope_vec3 corners[3];
    int piece, triangle;
} lope_terrain_triangle;

// Triangles whose boxes meet the given box, into out[capacity] (may be NULL where it is 0). Returns how many there are.
LOPE_API int lope_terrain_triangles(const lope_terrain *terrain, lope_vec3 low, lope_vec3 high,
                                    lope_terrain_triangle *out, int capacity);

// ---- many spheres, spread over several frames

// Asks of many spheres whether they touch: first the tree is walked for all of them together, then from there for each
// one (the two-step traversal of Mukai 2011, which calls the spreading time-sharing).
typedef struct lope_terrain_scan {
    const lope_vec3 *centres; // [count], must stay until the scan is done
    float radius;
    int count;
    int done;         // spheres that have been asked
    uint8_t *touches; // [count], 1 where the sphere touches; the caller's
    lope_terrain_patch patch;
} lope_terrain_scan;

// Begins: walks the tree for all spheres together.
LOPE_API void lope_terrain_scan_begin(lope_terrain_scan *scan, const lope_terrain *terrain, const lope_vec3 *centres,
                                      int count, float radius, uint8_t *touches);
// Goes on for about `budget` units of work (one unit: eight boxes or eight triangles; a unit takes 5 to 20 ns). Returns
// whether all is done. If the terrain changed near the spheres meanwhile, it begins anew.
LOPE_API bool lope_terrain_scan_run(lope_terrain_scan *scan, const lope_terrain *terrain, int budget);

#ifdef __cplusplus
}
#endif
#endif
