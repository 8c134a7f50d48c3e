// SPDX-License-Identifier: MIT
#include "support/space_check.h"

#include <math.h>
#include <stdlib.h>

static const char *check_topology(const lope_mesh *mesh)
{
    int vertices = 0, edges = 0, faces = 0;
    for (int h = 0; h < 2 * mesh->edge_count; h++) {
        const lope_half_edge *half = &mesh->half_edges[h];
        if (half->origin < 0)
            continue;
        edges += !(h & 1);
        if (mesh->half_edges[h ^ 1].origin < 0 || mesh->vertices[half->origin].half_edge < 0)
            return "an edge ends nowhere";
        if (half->face < 0)
            continue;
        int next = half->next, previous = mesh->half_edges[next].next;
        if (mesh->half_edges[previous].next != h || next == h || mesh->half_edges[next].face != half->face)
            return "a face is not a triangle";
        if (lope_mesh_origin(mesh, next) != lope_mesh_target(mesh, h))
            return "half-edges of a face do not meet";
    }
    for (int f = 0; f < mesh->face_count; f++) {
        int h = mesh->faces[f].half_edge;
        faces += h >= 0;
        if (h >= 0 && mesh->half_edges[h].face != f)
            return "a face does not know its edges";
    }
    for (int v = 0; v < mesh->vertex_count; v++) {
        int h = mesh->vertices[v].half_edge;
        vertices += h >= 0;
        if (h >= 0 && (mesh->half_edges[h].origin != v || mesh->half_edges[h].face < 0))
            return "a vertex does not know its edges";
    }
    if (vertices != mesh->alive_vertices || edges != mesh->alive_edges || faces != mesh->alive_faces)
        return "counts are wrong";
    return vertices - edges + faces == 1 ? NULL : "it is not a disc (Euler)";
}

static const char *check_geometry(const lope_mesh *mesh)
{
    for (int h = 0; h < 2 * mesh->edge_count; h++) {
        if (mesh->half_edges[h].origin < 0)
            continue;
        int face = mesh->half_edges[h].face, other = mesh->half_edges[h ^ 1].face;
        if (face < 0) {
            if (lope_mesh_origin(mesh, h) >= 4 || lope_mesh_target(mesh, h) >= 4)
                return "the outer rectangle has a hole";
            continue;
        }
        lope_point a = lope_mesh_point(mesh, lope_mesh_origin(mesh, h));
        lope_point b = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
        lope_point c = lope_mesh_point(mesh, lope_mesh_apex(mesh, h));
        if (!(lope_orient(a, b, c) > 0.0))
            return "a triangle is turned over";
        if (other < 0 || lope_mesh_constrained(mesh, h))
            continue;
        if (lope_incircle(a, b, c, lope_mesh_point(mesh, lope_mesh_apex(mesh, h ^ 1))) > 0.0)
            return "a free edge is not Delaunay";
        if (mesh->faces[face].cover != mesh->faces[other].cover)
            return "cover changes at a free edge";
    }
    return NULL;
}

static double distance_to_line(lope_point p, lope_point a, lope_point b)
{
    double x = b.x - a.x, z = b.z - a.z, length = sqrt(x * x + z * z);
    return length > 0.0 ? fabs((p.x - a.x) * z - (p.z - a.z) * x) / length : sqrt((p.x - a.x) * (p.x - a.x));
}

// A course leads from one end to the other when it leaves each vertex as often as it comes, ends apart. `ends` counts
// by segment: each piece adds its origin times a weight and takes its target, so a whole course leaves the ends only.
static const char *check_courses(const lope_mesh *mesh, double tolerance)
{
    size_t count = (size_t)mesh->segment_count;
    uint64_t *ends = calloc(count + 1, sizeof *ends);
    int *pieces = calloc(count + 1, sizeof *pieces);
    const char *wrong = NULL;
    for (int edge = 0; edge < mesh->edge_count; edge++) {
        if (mesh->half_edges[2 * edge].origin < 0)
            continue;
        for (int i = mesh->pieces_of[edge]; i >= 0; i = mesh->pieces[i].next) {
            int s = mesh->pieces[i].segment, h = 2 * edge + mesh->pieces[i].reversed;
            uint64_t a = (uint64_t)lope_mesh_origin(mesh, h), b = (uint64_t)lope_mesh_target(mesh, h);
            ends[s] += (a + 1) * (a + 1) * 0x9E3779B97F4A7C15ull - (b + 1) * (b + 1) * 0x9E3779B97F4A7C15ull;
            pieces[s]++;
            lope_point from = lope_mesh_point(mesh, mesh->segments[s].from);
            lope_point to = lope_mesh_point(mesh, mesh->segments[s].to);
            if (distance_to_line(lope_mesh_point(mesh, (int)a), from, to) > tolerance)
                wrong = "a course leaves its line";
        }
    }
    for (int s = 0; s < mesh->segment_count; s++) {
        if (mesh->segments[s].obstacle < 0)
            continue;
        uint64_t a = (uint64_t)mesh->segments[s].from + 1, b = (uint64_t)mesh->segments[s].to + 1;
        if (pieces[s] != mesh->segments[s].pieces)
            wrong = "pieces are not counted right";
        if (ends[s] != a * a * 0x9E3779B97F4A7C15ull - b * b * 0x9E3779B97F4A7C15ull)
            wrong = "a course is broken";
    }
    free(ends);
    free(pieces);
    return wrong;
}

static int constrained_degree(const lope_mesh *mesh, int vertex)
{
    int start = mesh->vertices[vertex].half_edge, h = start, count = 0;
    do {
        count += lope_mesh_constrained(mesh, h);
        h = lope_mesh_turn(mesh, h);
    } while (h != start);
    return count;
}

static const char *check_vertices(const lope_mesh *mesh)
{
    for (int v = 4; v < mesh->vertex_count; v++)
        if (mesh->vertices[v].half_edge >= 0 && mesh->vertices[v].references == 0 && !constrained_degree(mesh, v))
            return "a vertex that nobody needs was left behind";
    return NULL;
}

int test_needless_vertices(const lope_space *space)
{
    const lope_mesh *mesh = &space->mesh;
    int count = 0;
    for (int v = 4; v < mesh->vertex_count; v++) {
        if (mesh->vertices[v].half_edge < 0 || mesh->vertices[v].references || constrained_degree(mesh, v) != 2)
            continue;
        int h = mesh->vertices[v].half_edge;
        while (!lope_mesh_constrained(mesh, h))
            h = lope_mesh_turn(mesh, h);
        int other = lope_mesh_turn(mesh, h);
        while (!lope_mesh_constrained(mesh, other))
            other = lope_mesh_turn(mesh, other);
        count += lope_mesh_same_pieces(mesh, h ^ 1, other);
    }
    return count;
}

const char *test_check_space(const lope_space *space)
{
    const lope_mesh *mesh = &space->mesh;
    double size = fmax(mesh->high.x - mesh->low.x, mesh->high.z - mesh->low.z);
    const char *wrong = check_topology(mesh);
    if (!wrong)
        wrong = check_geometry(mesh);
    if (!wrong)
        wrong = check_courses(mesh, fmax(1e-9 * size, 1e3 * mesh->grid));
    return wrong ? wrong : check_vertices(mesh);
}
