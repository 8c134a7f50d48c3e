// SPDX-License-Identifier: MIT
// Which faces an obstacle lies over. Its edges are a closed course, so going
// around it counts for each face how often the course winds around it; a face
// is covered where that is not zero, whatever the course crosses on its way.
// Only faces at the course and inside of it are visited.
#include "space/mesh.h"

#include <assert.h>

static int add_edge(lope_mesh *mesh, int count, int edge)
{
    if (mesh->edge_queued[edge])
        return count;
    mesh->edge_queued[edge] = 1;
    mesh->edge_list[count] = edge;
    return count + 1;
}

// Follows a segment from its first vertex. A course that passes a vertex twice
// (it may, where it was bent) can be lost.
static int follow(lope_mesh *mesh, int segment, int count)
{
    int at = mesh->segments[segment].from, came = -1;
    for (int met = 0; met < mesh->segments[segment].pieces; met++) {
        int start = mesh->vertices[at].half_edge, h = start, found = -1;
        do {
            if (h >> 1 != came && lope_mesh_constrained(mesh, h) && lope_mesh_carries(mesh, h >> 1, segment))
                found = h;
            h = lope_mesh_turn(mesh, h);
        } while (found < 0 && h != start);
        if (found < 0)
            return count;
        count = add_edge(mesh, count, found >> 1);
        came = found >> 1;
        at = lope_mesh_target(mesh, found);
    }
    return count;
}

static int count_own(const lope_mesh *mesh, int edge, int obstacle)
{
    int own = 0;
    for (int i = mesh->pieces_of[edge]; i >= 0; i = mesh->pieces[i].next)
        own += mesh->segments[mesh->pieces[i].segment].obstacle == obstacle;
    return own;
}

int lope_mesh_collect(lope_mesh *mesh, int obstacle, int first)
{
    assert(mesh->queue_count == 0); // edge_queued marks what is in the list already
    int count = 0, missing = 0;
    for (int i = first; i >= 0; i = mesh->segments[i].next) {
        count = follow(mesh, i, count);
        missing += mesh->segments[i].pieces;
    }
    for (int i = 0; i < count; i++)
        missing -= count_own(mesh, mesh->edge_list[i], obstacle);
    // Some piece was lost: look everywhere.
    for (int edge = 0; edge < mesh->edge_count && missing; edge++)
        if (mesh->half_edges[2 * edge].origin >= 0 && count_own(mesh, edge, obstacle))
            count = add_edge(mesh, count, edge);
    for (int i = 0; i < count; i++)
        mesh->edge_queued[mesh->edge_list[i]] = 0;
    return count;
}

static bool before(lope_point a, lope_point b)
{
    return a.x < b.x || (a.x == b.x && a.z < b.z);
}

// A face outside of the course: the one that its lowest vertex (by x, then z)
// sees in the direction of -x, which the course cannot reach. Marks the
// vertices of the course.
static int outside_face(lope_mesh *mesh, int count)
{
    int lowest = lope_mesh_origin(mesh, 2 * mesh->edge_list[0]);
    for (int i = 0; i < 2 * count; i++) {
        int vertex = lope_mesh_origin(mesh, 2 * mesh->edge_list[i / 2] + i % 2);
        mesh->vertices[vertex].stamp = mesh->stamp;
        if (before(lope_mesh_point(mesh, vertex), lope_mesh_point(mesh, lowest)))
            lowest = vertex;
    }
    double z = lope_mesh_point(mesh, lowest).z;
    int start = mesh->vertices[lowest].half_edge, h = start;
    do {
        int turned = lope_mesh_turn(mesh, h);
        if (lope_mesh_point(mesh, lope_mesh_target(mesh, h)).z >= z &&
            lope_mesh_point(mesh, lope_mesh_target(mesh, turned)).z < z)
            return mesh->half_edges[h].face;
        h = turned;
    } while (h != start);
    assert(false && "a vertex sees all around");
    return -1;
}

static bool touches_course(const lope_mesh *mesh, int half_edge)
{
    for (int i = 0; i < 3; i++, half_edge = lope_mesh_next(mesh, half_edge))
        if (mesh->vertices[lope_mesh_origin(mesh, half_edge)].stamp == mesh->stamp)
            return true;
    return false;
}

void lope_mesh_cover(lope_mesh *mesh, int obstacle, int count, int change)
{
    if (!count)
        return;
    lope_mesh_next_stamp(mesh);
    int face_count = 0, outside = outside_face(mesh, count);
    mesh->faces[outside].winding = 0;
    mesh->faces[outside].stamp = mesh->stamp;
    mesh->face_list[face_count++] = outside;
    for (int i = 0; i < face_count; i++) {
        lope_mesh_face *face = &mesh->faces[mesh->face_list[i]];
        if (face->winding) {
            face->cover += change;
            lope_mesh_touch(mesh, mesh->face_list[i]);
        }
        int h = face->half_edge;
        for (int j = 0; j < 3; j++, h = lope_mesh_next(mesh, h)) {
            int other = mesh->half_edges[h ^ 1].face;
            if (other < 0 || mesh->faces[other].stamp == mesh->stamp)
                continue;
            int winding = face->winding - lope_mesh_net_pieces(mesh, h, obstacle);
            if (!winding && !touches_course(mesh, h ^ 1))
                continue;
            mesh->faces[other].winding = winding;
            mesh->faces[other].stamp = mesh->stamp;
            mesh->face_list[face_count++] = other;
        }
    }
}
