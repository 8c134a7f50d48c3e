// SPDX-License-Identifier: MIT
// Cutting polygons to the world (Sutherland and Hodgman 1974). Parts outside
// fold down onto the border, where doubled edges do no harm; the outline still
// winds around the same points inside.
#include "space/space.h"

#include <math.h>

#include "base/memory.h"

bool lope_space_reserve_corners(lope_space *space, int which, int needed)
{
    if (needed <= space->corner_capacity[which])
        return true;
    lope_point *larger = lope_alloc_array((size_t)needed * 2, sizeof *larger);
    if (!larger)
        return false;
    lope_free(space->corners[which]);
    space->corners[which] = larger;
    space->corner_capacity[which] = needed * 2;
    return true;
}

// How far a point is inside of one of the four sides.
static double depth(const lope_space *space, int side, lope_point p)
{
    switch (side) {
    case 0:
        return p.x - space->low.x;
    case 1:
        return space->high.x - p.x;
    case 2:
        return p.z - space->low.z;
    default:
        return space->high.z - p.z;
    }
}

static lope_point cut(const lope_space *space, int side, lope_point a, lope_point b)
{
    double a_depth = depth(space, side, a), b_depth = depth(space, side, b), t = a_depth / (a_depth - b_depth);
    lope_point p = {a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)};
    if (side < 2)
        p.x = side == 0 ? space->low.x : space->high.x;
    else
        p.z = side == 2 ? space->low.z : space->high.z;
    return p;
}

static int clip_side(const lope_space *space, int side, const lope_point *in, int count, lope_point *out)
{
    int written = 0;
    for (int i = 0; i < count; i++) {
        lope_point a = in[i], b = in[i + 1 < count ? i + 1 : 0];
        bool a_inside = depth(space, side, a) >= 0.0, b_inside = depth(space, side, b) >= 0.0;
        if (a_inside)
            out[written++] = a;
        if (a_inside != b_inside)
            out[written++] = cut(space, side, a, b);
    }
    return written;
}

// Onto the grid; corners that fall together with the one before become one.
static int snap(const lope_space *space, lope_point *corners, int count)
{
    int written = 0;
    for (int i = 0; i < count; i++) {
        lope_point p = lope_mesh_snap(&space->mesh, corners[i]);
        if (!written || p.x != corners[written - 1].x || p.z != corners[written - 1].z)
            corners[written++] = p;
    }
    while (written > 1 && corners[0].x == corners[written - 1].x && corners[0].z == corners[written - 1].z)
        written--;
    return written;
}

int lope_space_clip(lope_space *space, const lope_vec2 *corners, int count)
{
    if (!lope_space_reserve_corners(space, 0, count))
        return -1;
    for (int i = 0; i < count; i++)
        space->corners[0][i] = (lope_point){(double)corners[i].x, (double)corners[i].z};
    for (int side = 0; side < 4; side++) {
        int from = side & 1;
        if (!lope_space_reserve_corners(space, !from, 2 * count))
            return -1;
        count = clip_side(space, side, space->corners[from], count, space->corners[!from]);
    }
    return snap(space, space->corners[0], count);
}
