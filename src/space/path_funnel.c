// SPDX-License-Identifier: MIT
// The shortest way through a corridor for a disc: the funnel algorithm with discs for corners.
//
// The funnel has two chains of bends that share their first: the shortest ways to the left and the right end of the
// last edge. A new end takes back the bends of its own chain that are no longer bent; when it is across the other
// chain, the way to both follows that chain, and its bends are part of the result. Lines of chains are tangents of
// discs.
#include "space/path.h"

lope_path_line lope_path_between(const lope_path_bend *a, const lope_path_bend *b, double radius)
{
    double x = b->center.x - a->center.x, z = b->center.z - a->center.z, square = x * x + z * z;
    if (square <= 0.0)
        return (lope_path_line){a->center, b->center, {0.0, 0.0}};
    double across = radius * (b->side - a->side), rest = square - across * across;
    double along = rest > 0.0 ? sqrt(rest) : 0.0, shrink = 1.0 / square;
    lope_point u = {(along * x + across * z) * shrink, (along * z - across * x) * shrink};
    double a_out = radius * a->side, b_out = radius * b->side;
    return (lope_path_line){{a->center.x + a_out * u.z, a->center.z - a_out * u.x},
                            {b->center.x + b_out * u.z, b->center.z - b_out * u.x},
                            u};
}

// The direction of the line between two discs, of any length; a division less.
PAIR_INLINE lope_point direction_of(const lope_path_bend *a, const lope_path_bend *b, double radius)
{
    double x = b->center.x - a->center.x, z = b->center.z - a->center.z;
    if (a->side == b->side)
        return (lope_point){x, z};
    double across = radius * (b->side - a->side), rest = x * x + z * z - across * across;
    double along = rest > 0.0 ? sqrt(rest) : 0.0;
    return (lope_point){along * x + across * z, along * z - across * x};
}

PAIR_INLINE double turn(lope_point u, lope_point v)
{
    return u.x * v.z - u.z * v.x;
}

// A way in direction u and then v turns to a side. Where it turns back, the sign of the turn is noise: ways around the
// end of a wall do that.
PAIR_INLINE bool bent(int side, lope_point u, lope_point v)
{
    double across = side * turn(u, v);
    return across > 0.0 ||
           (u.x * v.x + u.z * v.z < 0.0 && across * across < 1e-12 * (u.x * u.x + u.z * u.z) * (v.x * v.x + v.z * v.z));
}

bool lope_path_bent(lope_path_bend a, lope_path_bend b, lope_path_bend c, double radius)
{
    return bent(b.side, direction_of(&a, &b, radius), direction_of(&b, &c, radius));
}

// The end is across the other chain: the way to it follows that chain as long as it leads around. `side`: 1 where `own`
// is the left chain. Says whether the end has become the first bend of both.
PAIR_INLINE bool follow_other(lope_path_finder *finder, lope_path_chain *own, lope_path_chain *other,
                              lope_path_link *end, int side, double radius)
{
    lope_path_link *b = other->links + other->first;
    int left = other->end - other->first, passed = 0;
    end->direction = direction_of(&b[0].bend, &end->bend, radius);
    while (left - passed > 1) {
        lope_point onwards = direction_of(&b[passed + 1].bend, &end->bend, radius);
        if (side * turn(b[passed + 1].direction, onwards) >= 0.0)
            break;
        finder->bends[finder->bend_count++] = b[passed++].bend;
        end->direction = onwards;
    }
    if (passed) {
        other->first += passed;
        b += passed;
        own->links[own->first] = b[0];
    }
    // Directions cross, but the end comes before the other chain: the way leads around the end first.
    if (left - passed > 1 && side * turn(b[1].direction, end->direction) < 0.0) {
        lope_point back = direction_of(&end->bend, &b[1].bend, radius);
        if (side * turn(end->direction, back) > 0.0) {
            finder->bends[finder->bend_count++] = b[0].bend;
            b[0] = own->links[own->first] = *end;
            b[1].direction = back;
            return true;
        }
    }
    return false;
}

// `side` is known when this is compiled.
PAIR_INLINE void add_end(lope_path_finder *finder, lope_path_chain chains[2], const lope_path_bend *bend, int side,
                         double radius)
{
    lope_path_chain *own = &chains[side < 0], *other = &chains[side > 0];
    lope_path_link end = {.bend = *bend};
    for (; own->end - own->first > 1; own->end--) {
        const lope_path_link *last = &own->links[own->end - 1];
        end.direction = direction_of(&last->bend, bend, radius);
        if (bent(side, last->direction, end.direction))
            break;
    }
    if (own->end - own->first == 1 && follow_other(finder, own, other, &end, side, radius))
        return;
    own->links[own->end++] = end;
}

// The first half-edge of the corridor that ends at a bend, from one that does.
static int first_crossed(const lope_path_finder *finder, const lope_mesh *mesh, const lope_path_bend *bend)
{
    int at = bend->crossed;
    while (at > 0 && bend->side && lope_mesh_origin(mesh, finder->crossed[at - 1] ^ (bend->side > 0)) == bend->vertex)
        at--;
    return at;
}

// Adds the ends of the next half-edge that matters. Where both are new, the first is the one that is seen from the
// other side's end before: between them is a triangle, too.
PAIR_INLINE void add_ends(lope_path_finder *finder, const lope_path_query *query, lope_path_chain chains[2],
                          const lope_path_bend next[2], const int last[2])
{
    const bool left = next[0].vertex != last[0], right = next[1].vertex != last[1];
    const bool right_first =
        left && right && last[0] >= 0 &&
        lope_path_cross(lope_mesh_point(query->mesh, last[1]), next[0].center, next[1].center) > 0.0;
    if (right_first)
        add_end(finder, chains, &next[1], -1, query->radius);
    if (left)
        add_end(finder, chains, &next[0], 1, query->radius);
    if (right && !right_first)
        add_end(finder, chains, &next[1], -1, query->radius);
}

// Corners that do not matter, as the search knows, are left out; what comes near to one all the same is mended.
void lope_path_pull(lope_path_finder *finder, const lope_path_query *query)
{
    const lope_mesh *mesh = query->mesh;
    lope_path_chain chains[2] = {{finder->left, 0, 1}, {finder->right, 0, 1}};
    chains[0].links[0].bend = chains[1].links[0].bend = (lope_path_bend){query->start, 0, -1, 0};
    finder->bend_count = 0;
    int last[2] = {-1, -1}; // from one edge to the next one of them may stay
    for (int i = 0; i < finder->kept_count; i++) {
        const int at = finder->kept[i], h = finder->crossed[at];
        const int left = lope_mesh_target(mesh, h), right = lope_mesh_origin(mesh, h);
        const lope_path_bend next[2] = {{lope_mesh_point(mesh, left), 1, left, at},
                                        {lope_mesh_point(mesh, right), -1, right, at}};
        add_ends(finder, query, chains, next, last);
        last[0] = left;
        last[1] = right;
    }
    const lope_path_bend goal = {query->goal, 0, -1, finder->crossed_count - 1};
    add_end(finder, chains, &goal, 1, query->radius);
    for (int i = chains[0].first; i < chains[0].end; i++)
        finder->bends[finder->bend_count++] = chains[0].links[i].bend;
    for (int i = 0; i < finder->bend_count; i++)
        finder->bends[i].crossed = first_crossed(finder, mesh, &finder->bends[i]);
}
