// SPDX-License-Identifier: MIT
// Edges as a search wants them: everything about one in one place, so that going over it needs neither its vertices nor
// a root nor a division.
//
// Most triangles have a wall, so that there is one way on through them, and most edges crossed on such a way hinder no
// line between those before and after them. A gate knows how far on that is so: a search looks through few gates.
#include <math.h>

#include "base/memory.h"
#include "space/passages.h"

// Cosine of the angle between two gates that share a corner, above which those between do not matter.
#define FAR_TURN 0.8f
// Metres that a corner may reach into what is seen without mattering.
#define FAR_INSIDE 0.00001

static float rounded_down(double width)
{
    float w = (float)width;
    return (double)w > width ? nextafterf(w, 0.0f) : w;
}

static lope_gate make_gate(const lope_mesh *mesh, int half_edge)
{
    int other = half_edge ^ 1;
    lope_point right = lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge));
    lope_point left = lope_mesh_point(mesh, lope_mesh_origin(mesh, other));
    lope_gate gate = {.right = {right.x, right.z}, .next = {-1, -1}, .beyond = mesh->half_edges[other].face, .far = -1};
    double x = left.x - right.x, z = left.z - right.z, length = sqrt(x * x + z * z);
    gate.across[0] = (float)(x / length);
    gate.across[1] = (float)(z / length);
    if (gate.beyond < 0 || lope_mesh_constrained(mesh, half_edge))
        return gate;
    gate.width = rounded_down(length);
    gate.next[0] = lope_mesh_next(mesh, other);
    gate.next[1] = lope_mesh_previous(mesh, other);
    return gate;
}

static bool reserve(lope_passages *passages)
{
    int wanted = 2 * passages->space.mesh.edge_capacity, old = passages->gate_capacity;
    if (wanted <= old)
        return true;
    lope_gate *gates = lope_grow(passages->gates, (size_t)old * sizeof *gates, (size_t)wanted * sizeof *gates);
    if (!gates)
        return false;
    passages->gates = gates;
    passages->gate_capacity = wanted;
    return true;
}

static bool has_choice(const lope_gate *gate)
{
    return gate->next_width[0] > 0.0f && gate->next_width[1] > 0.0f;
}

static bool has_way(const lope_gate *gate)
{
    return gate->next_width[0] > 0.0f || gate->next_width[1] > 0.0f;
}

static double cross(lope_point from, lope_point a, lope_point b)
{
    return (a.x - from.x) * (b.z - from.z) - (a.z - from.z) * (b.x - from.x);
}

typedef struct ends {
    lope_point right, left;
} ends;

static ends ends_of(const lope_mesh *mesh, int half_edge)
{
    return (ends){lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge)),
                  lope_mesh_point(mesh, lope_mesh_target(mesh, half_edge))};
}

// All of a gate is on the near or the far side of another.
static bool is_behind(const ends *gate, const ends *other, double side)
{
    return side * cross(gate->right, gate->left, other->right) >= 0.0 &&
           side * cross(gate->right, gate->left, other->left) >= 0.0;
}

// A corner reaches into what is seen along a line, to the line's right for side 1 and to its left for -1.
static bool reaches_in(lope_point from, lope_point to, lope_point corner, double side)
{
    const double in = -side * cross(from, to, corner), x = to.x - from.x, z = to.z - from.z;
    return in > 0.0 && in * in > FAR_INSIDE * FAR_INSIDE * (x * x + z * z);
}

// Not every line that passes two gates passes what is between them, or all but.
static bool hinders(const ends *from, const ends *between, const ends *to)
{
    return reaches_in(from->left, to->left, between->left, 1.0) ||
           reaches_in(from->right, to->right, between->right, -1.0) || !is_behind(between, from, 1.0) ||
           !is_behind(between, to, -1.0);
}

// Two gates are turned against each other; where they share a corner, a disc goes round it on an arc.
static bool turns(const lope_mesh *mesh, const lope_gate *gates, int from, int to)
{
    const bool shared = lope_mesh_origin(mesh, from) == lope_mesh_origin(mesh, to) ||
                        lope_mesh_target(mesh, from) == lope_mesh_target(mesh, to);
    return gates[from].across[0] * gates[to].across[0] + gates[from].across[1] * gates[to].across[1] <
           (shared ? FAR_TURN : 0.0f);
}

static bool any_hinders(const ends *list, int last)
{
    for (int i = last - 1; i > 0; i--) // the nearest mostly does, if any
        if (hinders(&list[0], &list[i], &list[last]))
            return true;
    return false;
}

// How far on nothing between matters (the next gate always does), or whether there is nothing but walls. A gate that is
// partly on the near side of the first one cannot be looked at from beside that: it may be more than half a turn away.
static void look_far(lope_passages *passages, int half_edge)
{
    const lope_mesh *mesh = &passages->space.mesh;
    lope_gate *gates = passages->gates, *gate = &gates[half_edge];
    ends list[LOPE_GATE_FAR + 1];
    gate->far = -1;
    gate->far_width = 0.0f;
    if (gate->width <= 0.0f || has_choice(gate) || mesh->faces[gate->beyond].cover > 0)
        return;
    bool open = true; // nothing hinders yet
    const lope_gate *at = gate;
    list[0] = ends_of(mesh, half_edge);
    for (int count = 1; count <= LOPE_GATE_FAR && !has_choice(at); count++) {
        if (!has_way(at)) {
            gate->far = LOPE_GATE_DEAD;
            gate->far_width = 0.0f;
            return;
        }
        const int on = lope_gate_on(at);
        at = &gates[on];
        if (!open)
            continue;
        list[count] = ends_of(mesh, on);
        open = count == 1 || (is_behind(&list[0], &list[count], -1.0) && !turns(mesh, gates, half_edge, on) &&
                              !any_hinders(list, count));
        if (!open)
            continue;
        gate->far_width = count > 1 ? fminf(gate->far_width, at->width) : at->width;
        gate->far = on;
    }
}

static void look_beyond(lope_gate *gates, int half_edge)
{
    lope_gate *gate = &gates[half_edge];
    for (int k = 0; k < 2; k++)
        gate->next_width[k] = gate->next[k] < 0 ? 0.0f : gates[gate->next[k]].width;
}

bool lope_passages_make_gates(lope_passages *passages)
{
    const lope_mesh *mesh = &passages->space.mesh;
    if (!reserve(passages))
        return false;
    for (int h = 0; h < 2 * mesh->edge_count; h++)
        if (mesh->half_edges[h].origin >= 0)
            passages->gates[h] = make_gate(mesh, h);
    for (int h = 0; h < 2 * mesh->edge_count; h++)
        if (mesh->half_edges[h].origin >= 0)
            look_beyond(passages->gates, h);
    for (int h = 0; h < 2 * mesh->edge_count; h++)
        if (mesh->half_edges[h].origin >= 0)
            look_far(passages, h);
    return true;
}

// The half-edge is a side of a face that is as it was.
static bool is_as_before(const lope_passages *passages, int half_edge)
{
    const int face = passages->space.mesh.half_edges[half_edge].face;
    return face >= 0 && !passages->refiner.is_changed[face];
}

// Gates from which a half-edge into a changed face is seen.
static void look_again(lope_passages *passages, int half_edge)
{
    for (int h = half_edge, steps = 0; h >= 0 && steps <= LOPE_GATE_FAR && is_as_before(passages, h); steps++) {
        look_far(passages, h);
        h = lope_gate_before(&passages->space.mesh, passages->gates, h);
    }
}

// Each step needs the one before for the gates around.
static void renew(lope_passages *passages, int half_edge, int step)
{
    if (step == 0)
        passages->gates[half_edge] = make_gate(&passages->space.mesh, half_edge);
    else if (step == 1)
        look_beyond(passages->gates, half_edge);
    else
        look_far(passages, half_edge);
}

bool lope_passages_update_gates(lope_passages *passages)
{
    const lope_mesh *mesh = &passages->space.mesh;
    const lope_refiner *refiner = &passages->refiner;
    if (!reserve(passages))
        return false;
    for (int step = 0; step < 3; step++)
        for (int i = 0; i < refiner->changed_count; i++) {
            int h = mesh->faces[refiner->changed[i]].half_edge;
            for (int k = 0; k < 3 && h >= 0; k++, h = lope_mesh_next(mesh, h)) {
                const int beyond = mesh->half_edges[h ^ 1].face;
                renew(passages, h, step);
                if (beyond >= 0 && refiner->is_changed[beyond])
                    continue;
                if (step < 2)
                    renew(passages, h ^ 1, step);
                else
                    look_again(passages, h ^ 1);
            }
        }
    return true;
}
