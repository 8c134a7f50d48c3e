// SPDX-License-Identifier: MIT
// Terrains and their pieces: what comes in is checked and copied, what changes is noted.
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "terrain/kernels.h"

lope_status lope_terrain_create(lope_terrain **out, lope_error *error)
{
    *out = lope_alloc_zero(sizeof **out);
    if (!*out)
        return lope_fail_memory(error);
    (*out)->kernels = terrain_kernels_best();
    (*out)->version = 1;
    (*out)->free_piece = (*out)->free_group = (*out)->root = -1;
    return LOPE_OK;
}

static void free_piece(terrain_piece *piece)
{
    lope_free(piece->nodes);
    lope_free(piece->leaves);
    lope_free(piece->vertices);
    lope_free(piece->indices);
    lope_free(piece->stamps);
    lope_free(piece->solids);
    lope_free(piece->heights);
    *piece = (terrain_piece){.used = false};
}

void lope_terrain_destroy(lope_terrain *terrain)
{
    if (!terrain)
        return;
    for (int i = 0; i < terrain->slot_count; i++)
        free_piece(&terrain->pieces[i]);
    lope_free(terrain->pieces);
    lope_free(terrain->groups);
    lope_free(terrain->ups);
    lope_free(terrain);
}

lope_status lope_terrain_mesh_create(int vertex_count, int triangle_count, lope_terrain_mesh **out, lope_error *error)
{
    assert(vertex_count >= 0 && triangle_count >= 0);
    *out = NULL;
    if (triangle_count > INT_MAX / 3)
        return lope_fail(error, LOPE_UNSUPPORTED, "a mesh has at most %d triangles, found %d", INT_MAX / 3,
                         triangle_count);
    lope_terrain_mesh *mesh = lope_alloc_zero(sizeof *mesh);
    if (!mesh)
        return lope_fail_memory(error);
    mesh->vertex_count = vertex_count;
    mesh->triangle_count = triangle_count;
    mesh->vertices = lope_alloc_array((size_t)vertex_count, sizeof *mesh->vertices);
    mesh->indices = lope_alloc_array(3 * (size_t)triangle_count, sizeof *mesh->indices);
    if (!mesh->vertices || !mesh->indices) {
        lope_terrain_mesh_destroy(mesh);
        return lope_fail_memory(error);
    }
    *out = mesh;
    return LOPE_OK;
}

void lope_terrain_mesh_destroy(lope_terrain_mesh *mesh)
{
    if (!mesh)
        return;
    lope_free(mesh->vertices);
    lope_free(mesh->indices);
    lope_free(mesh);
}

// ---- slots

// Room for one more piece.
static bool reserve(lope_terrain *terrain)
{
    if (!terrain_roots_reserve(terrain))
        return false;
    if (terrain->piece_count < terrain->piece_capacity)
        return true;
    int capacity = terrain->piece_capacity ? 2 * terrain->piece_capacity : 8;
    terrain_piece *pieces = lope_grow(terrain->pieces, (size_t)terrain->slot_count * sizeof *terrain->pieces,
                                      (size_t)capacity * sizeof *terrain->pieces);
    if (!pieces)
        return false;
    terrain->pieces = pieces;
    terrain->piece_capacity = capacity;
    return true;
}

void terrain_note_change(lope_terrain *terrain, const terrain_box *box)
{
    terrain->version++;
    terrain->changes[terrain->version % TERRAIN_CHANGES] = *box;
}

// Takes a built piece in.
static int install(lope_terrain *terrain, const terrain_piece *built)
{
    int slot = terrain->free_piece;
    if (slot >= 0)
        terrain->free_piece = terrain->pieces[slot].place;
    else
        slot = terrain->slot_count++;
    terrain->pieces[slot] = *built;
    terrain->pieces[slot].used = true;
    terrain->piece_count++;
    terrain_roots_add(terrain, slot);
    terrain_note_change(terrain, &built->bounds);
    return slot;
}

static lope_status finish(lope_terrain *terrain, terrain_piece *built, lope_status status, int *piece,
                          lope_error *error)
{
    if (!status && !reserve(terrain))
        status = lope_fail_memory(error);
    int installed = -1;
    if (status)
        free_piece(built);
    else
        installed = install(terrain, built);
    if (piece)
        *piece = installed;
    return status;
}

// ---- adding and removing

static lope_status check_mesh(const lope_terrain_mesh *mesh, lope_error *error)
{
    for (int i = 0; i < mesh->vertex_count; i++) {
        lope_vec3 v = mesh->vertices[i];
        if (!terrain_near_enough(v.x) || !terrain_near_enough(v.y) || !terrain_near_enough(v.z))
            return lope_fail(error, LOPE_BAD_DATA,
                             "vertex %d lies at (%g, %g, %g); coordinates must be finite and within 100 km", i,
                             (double)v.x, (double)v.y, (double)v.z);
    }
    for (int i = 0; i < 3 * mesh->triangle_count; i++)
        if (mesh->indices[i] < 0 || mesh->indices[i] >= mesh->vertex_count)
            return lope_fail(error, LOPE_BAD_DATA, "triangle %d names vertex %d; the mesh has %d", i / 3,
                             mesh->indices[i], mesh->vertex_count);
    return LOPE_OK;
}

// The tree and the solids are found one after the other in the same room: memory that is new costs as much as the work.
static lope_status build_mesh(terrain_piece *built, lope_error *error)
{
    const uint64_t tree = terrain_build_room(built->index_count / 3), solids = terrain_solids_room(built),
                   bytes = tree > solids ? tree : solids;
    char *room = bytes < SIZE_MAX ? lope_alloc((size_t)bytes) : NULL;
    if (!room)
        return lope_fail_memory(error);
    lope_status status = terrain_build_mesh(built, room, error);
    if (!status)
        status = terrain_find_solids(built, room, error);
    lope_free(room);
    return status;
}

lope_status terrain_take_mesh(lope_terrain *terrain, const lope_terrain_mesh *mesh, int *piece, lope_error *error)
{
    terrain_piece built = {
        .vertex_count = mesh->vertex_count, .index_count = 3 * mesh->triangle_count, .vertices = mesh->vertices};
    const size_t vertices = (size_t)built.vertex_count, indices = (size_t)built.index_count;
    lope_status status = check_mesh(mesh, error);
    if (!status) {
        built.indices = lope_alloc_array(indices, sizeof *built.indices);
        built.stamps = lope_alloc_zero(vertices * sizeof *built.stamps);
        if (!built.indices || !built.stamps)
            status = lope_fail_memory(error);
    }
    if (!status) {
        memcpy(built.indices, mesh->indices, indices * sizeof *built.indices);
        status = build_mesh(&built, error);
    }
    return finish(terrain, &built, status, piece, error);
}

lope_status lope_terrain_add_mesh(lope_terrain *terrain, const lope_terrain_mesh *mesh, int *piece, lope_error *error)
{
    lope_terrain_mesh copy = *mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    if (piece)
        *piece = -1;
    copy.vertices = lope_alloc_array(vertices, sizeof *copy.vertices);
    if (!copy.vertices)
        return lope_fail_memory(error);
    if (vertices)
        memcpy(copy.vertices, mesh->vertices, vertices * sizeof *copy.vertices);
    return terrain_take_mesh(terrain, &copy, piece, error);
}

static lope_status check_field(const lope_terrain_field *field, lope_error *error)
{
    if (field->columns < 2 || field->rows < 2 || field->columns > 16384 || field->rows > 16384)
        return lope_fail(error, LOPE_BAD_DATA, "a height field has from 2 to 16384 columns and rows, found %d and %d",
                         field->columns, field->rows);
    float x = field->origin.x + (float)(field->columns - 1) * field->cell;
    float z = field->origin.z + (float)(field->rows - 1) * field->cell;
    if (!(field->cell > 0.0f) || !terrain_near_enough(field->origin.x) || !terrain_near_enough(field->origin.z) ||
        !terrain_near_enough(x) || !terrain_near_enough(z))
        return lope_fail(error, LOPE_BAD_DATA,
                         "a height field needs a cell > 0 and must lie within 100 km; found cell %g, from (%g, %g)",
                         (double)field->cell, (double)field->origin.x, (double)field->origin.z);
    for (int i = 0; i < field->columns * field->rows; i++)
        if (!terrain_near_enough(field->heights[i]) && !isnan(field->heights[i]))
            return lope_fail(error, LOPE_BAD_DATA,
                             "column %d of row %d has height %g; heights must be within 100 km, or NaN for a hole",
                             i % field->columns, i / field->columns, (double)field->heights[i]);
    return LOPE_OK;
}

lope_status lope_terrain_add_field(lope_terrain *terrain, const lope_terrain_field *field, int *piece,
                                   lope_error *error)
{
    if (piece)
        *piece = -1;
    lope_status status = check_field(field, error);
    if (status)
        return status;
    terrain_piece built = {.is_field = true,
                           .origin = field->origin,
                           .cell = field->cell,
                           .per_metre = 1.0f / field->cell,
                           .columns = field->columns,
                           .rows = field->rows};
    size_t samples = (size_t)field->columns * (size_t)field->rows;
    built.heights = lope_alloc_array(samples, sizeof *built.heights);
    if (!built.heights) {
        status = lope_fail_memory(error);
    } else {
        memcpy(built.heights, field->heights, samples * sizeof *built.heights);
        status = terrain_build_field(&built, error);
    }
    return finish(terrain, &built, status, piece, error);
}

void lope_terrain_remove(lope_terrain *terrain, int piece)
{
    assert(piece >= 0 && piece < terrain->slot_count && terrain->pieces[piece].used);
    terrain_box bounds = terrain->pieces[piece].bounds;
    terrain_roots_remove(terrain, piece);
    free_piece(&terrain->pieces[piece]);
    terrain->pieces[piece].place = terrain->free_piece;
    terrain->free_piece = piece;
    terrain->piece_count--;
    terrain_note_change(terrain, &bounds);
}

// ---- what there is

int lope_terrain_piece_count(const lope_terrain *terrain)
{
    return terrain->piece_count;
}

int lope_terrain_triangle_count(const lope_terrain *terrain)
{
    int count = 0;
    for (int i = 0; i < terrain->slot_count; i++)
        count += terrain->pieces[i].triangle_count;
    return count;
}

size_t lope_terrain_memory(const lope_terrain *terrain)
{
    size_t size = sizeof *terrain + (size_t)terrain->piece_capacity * sizeof(terrain_piece) +
                  (size_t)terrain->group_capacity * (sizeof *terrain->groups + sizeof *terrain->ups);
    for (int i = 0; i < terrain->slot_count; i++) {
        const terrain_piece *p = &terrain->pieces[i];
        size += (size_t)p->node_count * sizeof *p->nodes + (p->leaves ? (size_t)p->leaf_count * sizeof *p->leaves : 0);
        size += (size_t)p->vertex_count * (sizeof *p->vertices + sizeof *p->stamps) +
                (size_t)p->index_count * sizeof *p->indices;
        size += p->solids ? (size_t)p->index_count / 3 * sizeof *p->solids : 0;
        size += (size_t)p->columns * (size_t)p->rows * sizeof *p->heights;
    }
    return size;
}

bool lope_terrain_bounds(const lope_terrain *terrain, lope_vec3 *low, lope_vec3 *high)
{
    terrain_box all = terrain_box_empty();
    for (int i = 0; i < 8 && terrain->root >= 0; i++) {
        terrain_box lane = terrain_lane_box(terrain->groups[terrain->root].boxes[0], i);
        terrain_box_join(&all, &lane);
    }
    *low = all.low;
    *high = all.high;
    return terrain->piece_count > 0;
}

uint64_t lope_terrain_version(const lope_terrain *terrain)
{
    return terrain->version;
}

bool lope_terrain_changed(const lope_terrain *terrain, uint64_t since, lope_vec3 low, lope_vec3 high)
{
    const terrain_box box = {low, high};
    if (since >= terrain->version)
        return false;
    if (terrain->version - since > TERRAIN_CHANGES)
        return true;
    for (uint64_t v = since + 1; v <= terrain->version; v++)
        if (terrain_box_meets(&terrain->changes[v % TERRAIN_CHANGES], &box))
            return true;
    return false;
}
