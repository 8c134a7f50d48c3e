// SPDX-License-Identifier: MIT
// How wide the ways through a world are, for discs of every size at once.
//
// In a refined triangulation (refine.c) every bottleneck is an edge: a disc of radius r may go where it crosses edges
// of length 2r and more only.
//
// Which edges lead from here to there matters by the shortest of them, so
// triangles are merged over the longest edges first (Kruskal): two places are
// joined at the width of the node of the merge tree where their branches meet.
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "space/near.h"
#include "space/passages.h"

#define SMALL 2500        // faces of a space that is measured again now and then
#define MANY_FORGOTTEN 32 // faces for each bridge that is forgotten by then

static int compare_passages(const void *left, const void *right)
{
    const lope_passage *a = left, *b = right;
    if (a->width != b->width)
        return a->width > b->width ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

static int list_passages(const lope_mesh *mesh, lope_passage *list)
{
    int count = 0;
    for (int edge = 0; edge < mesh->edge_count; edge++) {
        int h = 2 * edge;
        if (mesh->half_edges[h].origin < 0 || mesh->pieces_of[edge] >= 0 || lope_mesh_covered(mesh, h))
            continue;
        lope_point a = lope_mesh_point(mesh, lope_mesh_origin(mesh, h)),
                   b = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
        list[count++] = (lope_passage){sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z)), edge, false};
    }
    qsort(list, (size_t)count, sizeof *list, compare_passages);
    return count;
}

static int root_of(const lope_merge *merges, int face)
{
    while (merges[face].parent != face)
        face = merges[face].parent;
    return face;
}

// The smaller tree goes under the larger, so that branches stay short without
// being shortened.
static void merge_all(const lope_mesh *mesh, lope_merge *merges, lope_passage *list, int count)
{
    for (int i = 0; i < mesh->face_count; i++)
        merges[i] = (lope_merge){i, INT_MAX, 1, 0.0};
    for (int i = 0; i < count; i++) {
        int a = root_of(merges, mesh->half_edges[2 * list[i].edge].face);
        int b = root_of(merges, mesh->half_edges[2 * list[i].edge + 1].face);
        list[i].merges = a != b;
        if (a == b)
            continue;
        int small = merges[a].size < merges[b].size ? a : b, large = a + b - small;
        merges[large].size += merges[small].size;
        merges[small].parent = large;
        merges[small].time = i;
        merges[small].width = list[i].width;
    }
}

// The tree of merges, and where `whose` is not NULL what only one edge leads to; NULL: no memory.
static lope_merge *measure(const lope_mesh *mesh, lope_passages *whose)
{
    lope_merge *merges = lope_alloc_array((size_t)mesh->face_count, sizeof *merges);
    lope_passage *list = lope_alloc_array((size_t)mesh->edge_count, sizeof *list);
    bool fine = merges && list;
    if (fine) {
        const int count = list_passages(mesh, list);
        merge_all(mesh, merges, list, count);
        fine = !whose || lope_passages_find_bridges(whose, merges, list, count);
    }
    lope_free(list);
    if (fine)
        return merges;
    lope_free(merges);
    return NULL;
}

lope_status lope_passages_measure(lope_passages *passages, lope_error *error)
{
    if (passages->merges || passages->broken)
        return LOPE_OK;
    lope_face_table_make(&passages->faces, &passages->space.mesh);
    passages->merges = measure(&passages->space.mesh, passages);
    return passages->merges ? LOPE_OK : lope_fail_memory(error);
}

// Makes ways right where the space changed; how wide they are is not known any more. False: no memory.
static bool follow_space(lope_passages *passages)
{
    if (!lope_refine_changed(&passages->refiner, &passages->space.mesh) || !lope_passages_update_gates(passages))
        return false;
    lope_passages_keep_bridges(passages);
    return true;
}

static void forget_widths(lope_passages *passages)
{
    lope_free(passages->merges);
    passages->merges = NULL;
}

void lope_passages_clear(lope_passages *passages)
{
    lope_space_release(&passages->space);
    lope_refiner_release(&passages->refiner);
    lope_free(passages->gates);
    lope_free(passages->faces.cells);
    forget_widths(passages);
    lope_passages_forget_bridges(passages);
    *passages = (lope_passages){0};
}

// Everything anew.
static lope_status take_picture(lope_passages *passages, const lope_space *space, lope_error *error)
{
    lope_passages_clear(passages);
    passages->broken =
        !(lope_space_copy(&passages->space, space) && lope_refine_all(&passages->refiner, &passages->space.mesh) &&
          lope_passages_make_gates(passages));
    if (passages->broken)
        return lope_fail_memory(error);
    passages->changes = space->changes;
    return LOPE_OK;
}

lope_status lope_passages_create(const lope_space *space, lope_passages **out, lope_error *error)
{
    lope_passages *passages = *out = lope_alloc_zero(sizeof *passages);
    if (!passages)
        return lope_fail_memory(error);
    lope_status status = take_picture(passages, space, error);
    if (status == LOPE_OK)
        status = lope_passages_measure(passages, error);
    if (status == LOPE_OK)
        return LOPE_OK;
    lope_passages_destroy(passages);
    *out = NULL;
    return status;
}

lope_status lope_passages_open(lope_vec2 low, lope_vec2 high, float widest, lope_passages **out, lope_error *error)
{
    lope_space *space;
    *out = NULL;
    lope_status status = lope_space_create(low, high, &space, error);
    if (status != LOPE_OK)
        return status;
    *out = lope_alloc_zero(sizeof **out);
    if (!*out) {
        lope_space_destroy(space);
        return lope_fail_memory(error);
    }
    (*out)->space = *space;
    (*out)->refiner.farthest = (double)widest;
    (*out)->broken = true;
    lope_free(space);
    return LOPE_OK;
}

// Small spaces are measured again once many bridges were forgotten; in large ones that would take as long as ten
// changes.
static bool is_worth_measuring(const lope_passages *passages)
{
    const int faces = passages->space.mesh.face_count;
    return faces <= SMALL && passages->bridges.forgotten * MANY_FORGOTTEN > faces;
}

lope_status lope_passages_finish(lope_passages *passages, lope_error *error)
{
    bool first = !passages->space.mesh.tracks;
    forget_widths(passages);
    passages->broken =
        first ? !(lope_refine_all(&passages->refiner, &passages->space.mesh) && lope_passages_make_gates(passages))
              : !follow_space(passages);
    if (passages->broken)
        return lope_fail_memory(error);
    return first || is_worth_measuring(passages) ? lope_passages_measure(passages, error) : LOPE_OK;
}

void lope_passages_destroy(lope_passages *passages)
{
    if (!passages)
        return;
    lope_passages_clear(passages);
    lope_free(passages);
}

// Lets the copy follow the changes from number `first` on. An obstacle that changed again later is followed once.
static lope_status follow(lope_passages *passages, const lope_space *space, uint64_t first, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (uint64_t n = first; n <= space->changes && status == LOPE_OK; n++) {
        int obstacle = space->log[(n - 1) % LOPE_SPACE_LOG].obstacle;
        bool again = false;
        for (uint64_t m = n + 1; m <= space->changes && m <= n + 8 && !again; m++)
            again = space->log[(m - 1) % LOPE_SPACE_LOG].obstacle == obstacle;
        if (!again)
            status = lope_space_follow(&passages->space, space, obstacle, error);
    }
    return status;
}

lope_status lope_passages_update(lope_passages *passages, const lope_space *space, lope_error *error)
{
    uint64_t first = lope_space_first_change(space, passages->changes);
    if (first > space->changes && !passages->broken)
        return LOPE_OK;
    forget_widths(passages);
    if (!passages->broken && first) {
        lope_status status = follow(passages, space, first, error);
        passages->changes = space->changes;
        if (status == LOPE_OK && follow_space(passages))
            return LOPE_OK;
    }
    // What is too fine beside the feet of before, or was too much to be remembered, is not beside new ones.
    return take_picture(passages, space, error);
}

// Climbs the tree from both sides, always where the earlier merge is; the last
// one is the narrowest.
static double width_between(const lope_merge *merges, int a, int b)
{
    double width = HUGE_VAL;
    while (a != b) {
        const lope_merge *at_a = &merges[a], *at_b = &merges[b];
        if (at_a->parent == a && at_b->parent == b)
            return 0.0;
        const lope_merge *earlier = at_a->time < at_b->time ? at_a : at_b;
        width = earlier->width;
        if (earlier == at_a)
            a = at_a->parent;
        else
            b = at_b->parent;
    }
    return width;
}

double lope_passages_width(const lope_passages *passages, int a, int b)
{
    return width_between(passages->merges, a, b);
}

// Where nothing was measured since the last change, it is now, for this question alone.
static double measured_width(const lope_passages *passages, int from, int to)
{
    if (passages->merges)
        return width_between(passages->merges, from, to);
    lope_merge *merges = measure(&passages->space.mesh, NULL);
    double width = merges ? width_between(merges, from, to) : 0.0;
    lope_free(merges);
    return width;
}

int lope_passages_triangles(const lope_passages *passages, lope_space_triangle *out, int capacity)
{
    return passages->broken ? 0 : lope_space_triangles(&passages->space, out, capacity);
}

float lope_passages_widest(const lope_passages *passages, lope_vec2 start, lope_vec2 goal)
{
    const lope_mesh *mesh = &passages->space.mesh;
    if (passages->broken)
        return 0.0f;
    int from = 0, to = 0;
    float radius = lope_space_distance(&passages->space, start, INFINITY, &from, NULL);
    radius = fminf(radius, lope_space_distance(&passages->space, goal, INFINITY, &to, NULL));
    if (!(radius > 0.0f))
        return 0.0f;
    double width = measured_width(passages, mesh->half_edges[from - 1].face, mesh->half_edges[to - 1].face);
    return fminf(radius, (float)(0.5 * width));
}
