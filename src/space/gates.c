// SPDX-License-Identifier: MIT
// Edges as a search wants them: everything about one in one place, so that going over it needs neither its vertices nor
// a root nor a division.
#include <math.h>

#include "base/memory.h"
#include "space/passages.h"

static lope_gate make_gate(const lope_mesh *mesh, int half_edge)
{
    int other = half_edge ^ 1;
    lope_point right = lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge));
    lope_point left = lope_mesh_point(mesh, lope_mesh_origin(mesh, other));
    lope_gate gate = {.right = {right.x, right.z}, .next = {-1, -1}, .beyond = mesh->half_edges[other].face};
    double x = left.x - right.x, z = left.z - right.z, length = sqrt(x * x + z * z);
    gate.across = (lope_pair){x / length, z / length};
    if (gate.beyond < 0 || lope_mesh_constrained(mesh, half_edge))
        return gate;
    gate.width = length;
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

bool lope_passages_make_gates(lope_passages *passages)
{
    const lope_mesh *mesh = &passages->space.mesh;
    if (!reserve(passages))
        return false;
    for (int h = 0; h < 2 * mesh->edge_count; h++)
        if (mesh->half_edges[h].origin >= 0)
            passages->gates[h] = make_gate(mesh, h);
    return true;
}

bool lope_passages_update_gates(lope_passages *passages)
{
    const lope_mesh *mesh = &passages->space.mesh;
    const lope_refiner *refiner = &passages->refiner;
    if (!reserve(passages))
        return false;
    for (int i = 0; i < refiner->changed_count; i++) {
        int h = mesh->faces[refiner->changed[i]].half_edge;
        for (int k = 0; k < 3 && h >= 0; k++, h = lope_mesh_next(mesh, h)) {
            passages->gates[h] = make_gate(mesh, h);
            passages->gates[h ^ 1] = make_gate(mesh, h ^ 1);
        }
    }
    return true;
}
