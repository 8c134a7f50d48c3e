// SPDX-License-Identifier: MIT
// The shortest way through a corridor for a disc: the funnel algorithm with discs for corners.
//
// The funnel has two chains of bends that share their first: the shortest ways to the left and the right end of the
// last edge. A new end takes back the bends of its own chain that are no longer bent; when it is across the other
// chain, the way to both follows that chain, and its bends are part of the result. Lines of chains are tangents of
// discs.
#include "space/path.h"

// Unit vector of the line that has disc a and disc b on their sides, from a to b.
lope_point lope_path_direction(lope_path_bend a, lope_path_bend b, double radius)
{
    double x = b.center.x - a.center.x, z = b.center.z - a.center.z, square = x * x + z * z;
    if (square <= 0.0)
        return (lope_point){0.0, 0.0};
    double across = radius * (b.side - a.side), rest = square - across * across;
    double along = rest > 0.0 ? sqrt(rest) : 0.0;
    return (lope_point){(along * x + across * z) / square, (along * z - across * x) / square};
}

void lope_path_tangent(lope_path_bend a, lope_path_bend b, double radius, lope_point *from, lope_point *to)
{
    lope_point d = lope_path_direction(a, b, radius);
    *from = (lope_point){a.center.x + radius * a.side * d.z, a.center.z - radius * a.side * d.x};
    *to = (lope_point){b.center.x + radius * b.side * d.z, b.center.z - radius * b.side * d.x};
}

// Positive where the line from b to c leads to the left of the line from a to b.
static double turn(lope_path_bend a, lope_path_bend b, lope_path_bend c, double radius)
{
    lope_point u = lope_path_direction(a, b, radius), v = lope_path_direction(b, c, radius);
    return u.x * v.z - u.z * v.x;
}

// Where it turns back, the sign of the turn is noise: ways around the end of a wall do that.
bool lope_path_bent(lope_path_bend a, lope_path_bend b, lope_path_bend c, double radius)
{
    lope_point u = lope_path_direction(a, b, radius), v = lope_path_direction(b, c, radius);
    double across = b.side * (u.x * v.z - u.z * v.x);
    return across > 0.0 || (across > -1e-6 && u.x * v.x + u.z * v.z < 0.0);
}

// `side`: 1 where `own` is the left chain.
static void add_end(lope_path_finder *finder, lope_path_chain *own, lope_path_chain *other, lope_path_bend end,
                    int side, double radius)
{
    if (own->end - own->first > 1 && end.vertex >= 0 && own->bends[own->end - 1].vertex == end.vertex)
        return;
    while (own->end - own->first > 1 &&
           !lope_path_bent(own->bends[own->end - 2], own->bends[own->end - 1], end, radius))
        own->end--;
    if (own->end - own->first == 1) {
        lope_path_bend *b = other->bends + other->first;
        int left = other->end - other->first, passed = 0;
        for (; left - passed > 1 && side * turn(b[passed], b[passed + 1], end, radius) < 0.0; passed++)
            finder->bends[finder->bend_count++] = b[passed];
        other->first += passed;
        b += passed;
        own->bends[own->first] = b[0];
        // Directions cross, but the end comes before the other chain: the way leads around the end first.
        lope_point to_end = lope_path_direction(b[0], end, radius);
        if (left - passed > 1) {
            lope_point ahead = lope_path_direction(b[0], b[1], radius);
            if (side * (ahead.x * to_end.z - ahead.z * to_end.x) < 0.0 && side * turn(b[0], end, b[1], radius) > 0.0) {
                finder->bends[finder->bend_count++] = b[0];
                b[0] = own->bends[own->first] = end;
                return;
            }
        }
    }
    own->bends[own->end++] = end;
}

void lope_path_pull(lope_path_finder *finder, const lope_path_query *query)
{
    const lope_mesh *mesh = query->mesh;
    lope_path_chain left = {finder->left, 0, 1}, right = {finder->right, 0, 1};
    left.bends[0] = right.bends[0] = (lope_path_bend){query->start, 0, -1};
    finder->bend_count = 0;
    for (int i = 0; i < finder->crossed_count; i++) {
        int on_right = lope_mesh_origin(mesh, finder->crossed[i]), on_left = lope_mesh_target(mesh, finder->crossed[i]);
        lope_path_bend l = {lope_mesh_point(mesh, on_left), 1, on_left};
        lope_path_bend r = {lope_mesh_point(mesh, on_right), -1, on_right};
        add_end(finder, &left, &right, l, 1, query->radius);
        add_end(finder, &right, &left, r, -1, query->radius);
    }
    add_end(finder, &left, &right, (lope_path_bend){query->goal, 0, -1}, 1, query->radius);
    for (int i = left.first; i < left.end; i++)
        finder->bends[finder->bend_count++] = left.bends[i];
}
