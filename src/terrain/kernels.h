// SPDX-License-Identifier: MIT
// The innermost loops of terrain questions. There are two sets, for processors with AVX2 and for all others; both give
// the same bits.
#ifndef LOPE_SRC_TERRAIN_KERNELS_H
#define LOPE_SRC_TERRAIN_KERNELS_H

#include "terrain/terrain.h"

// Where a question starts, and what it cost.
typedef struct terrain_walk {
    const lope_terrain *terrain;
    const terrain_group *groups;
    int group_count;
    bool single; // one piece in the first lane: no need to look for it
    int work;    // boxes and leaves looked at, in eights
    bool in_patch;
} terrain_walk;

static inline terrain_walk terrain_walk_all(const lope_terrain *terrain)
{
    return (terrain_walk){terrain,
                          terrain->root < 0 ? NULL : &terrain->groups[terrain->root],
                          terrain->root >= 0,
                          terrain->piece_count == 1,
                          0,
                          false};
}

// Which triangles are to be visited: those whose boxes meet a box. Of a column, whose box is a line upwards, all that
// lie over or under its place, and hardly any other.
typedef struct terrain_visit_of {
    terrain_box box;
    bool column;
    terrain_visitor *visit;
    void *user;
} terrain_visit_of;

static inline bool terrain_triangle_meets(const lope_terrain_triangle *t, const terrain_box *box)
{
    terrain_box around = {t->corners[0], t->corners[0]};
    terrain_box_add(&around, t->corners[1]);
    terrain_box_add(&around, t->corners[2]);
    return terrain_box_meets(&around, box);
}

typedef struct terrain_kernels {
    const char *name;
    // The nearest surface no farther than `reach`: where, and the squared distance.
    bool (*nearest)(terrain_walk *walk, lope_vec3 point, float reach, terrain_spot *spot, float *squared);
    bool (*touches)(terrain_walk *walk, lope_vec3 centre, float radius);
    // The highest surface below `top`, not below `bottom`. *y: its height.
    bool (*below)(terrain_walk *walk, lope_vec3 top, float bottom, terrain_spot *spot, float *y);
    // The first surface at from + t * way, 0 <= t <= 1.
    bool (*ray)(terrain_walk *walk, lope_vec3 from, lope_vec3 way, terrain_spot *spot, float *t);
    void (*visit)(terrain_walk *walk, const terrain_visit_of *of);
} terrain_kernels;

extern const terrain_kernels terrain_kernels_plain;
// NULL where this machine has no such vectors.
const terrain_kernels *terrain_kernels_avx2(void);
const terrain_kernels *terrain_kernels_best(void);

#endif
