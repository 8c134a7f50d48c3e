// SPDX-License-Identifier: MIT
// Parts of a level. Each keeps its triangles in its own frame, so that any number of moves ends where one
// move would, and is one piece of the terrain. What changed is remembered as boxes.
#include "base/error.h"
#include "base/list.h"
#include "level/part_shapes.h"
#include "terrain/terrain.h"

#define CHANGES 1024
#define FARTHEST 1e5 // metres, as of terrains

typedef struct level_part {
    bool used;
    int next_free; // of unused ones; -1: none
    lope_part is;
    lope_terrain_mesh *mesh; // in its own frame, scaled; NULL of holds
    lope_vec3 hold[2];       // in its own frame, scaled
} level_part;

struct lope_level {
    lope_terrain *terrain;
    list parts;   // of level_part
    list part_of; // of int: by piece
    int count, first_free;
    int hold_count; // of parts that are holds
    uint64_t changes;
    lope_level_change log[CHANGES]; // change c at c % CHANGES
};

static level_part *parts_of(const lope_level *level)
{
    return level->parts.items;
}

lope_status lope_level_create(lope_level **out, lope_error *error)
{
    lope_level *level = *out = lope_alloc_zero(sizeof *level);
    if (!level)
        return lope_fail_memory(error);
    level->first_free = -1;
    lope_status status = lope_terrain_create(&level->terrain, error);
    if (status) {
        lope_free(level);
        *out = NULL;
    }
    return status;
}

static void free_part(level_part *part)
{
    lope_terrain_mesh_destroy(part->mesh);
    *part = (level_part){.used = false};
}

void lope_level_destroy(lope_level *level)
{
    if (!level)
        return;
    for (int i = 0; i < level->parts.count; i++)
        free_part(&parts_of(level)[i]);
    lope_free(level->parts.items);
    lope_free(level->part_of.items);
    lope_terrain_destroy(level->terrain);
    lope_free(level);
}

lope_part_def lope_part_def_default(lope_part_shape shape)
{
    return (lope_part_def){.shape = shape, .at = lope_transform_identity(), .scale = 1.0f};
}

// ---- where a part is

static lope_status check_place(const lope_transform *at, lope_transform *out, lope_error *error)
{
    const lope_quat *q = &at->rotation;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(at, translation.x, -FARTHEST, FARTHEST),
                                    LOPE_RANGE(at, translation.y, -FARTHEST, FARTHEST),
                                    LOPE_RANGE(at, translation.z, -FARTHEST, FARTHEST),
                                    LOPE_RANGE(at, rotation.x, -1e3, 1e3), LOPE_RANGE(at, rotation.y, -1e3, 1e3),
                                    LOPE_RANGE(at, rotation.z, -1e3, 1e3), LOPE_RANGE(at, rotation.w, -1e3, 1e3));
    float length = status ? 1.0f : sqrtf(lope_quat_dot(*q, *q));
    if (!status && !(length > 1e-6f))
        status = lope_fail(error, LOPE_BAD_DATA, "rotation is zero, must be a unit quaternion");
    *out = *at;
    if (fabsf(length - 1.0f) > 1e-6f) // else it keeps its very bits, through files too
        out->rotation = lope_quat_normalize(*q);
    return status;
}

static void box_around(const lope_vec3 *points, int count, lope_part *part)
{
    terrain_box box = {points[0], points[0]};
    for (int i = 1; i < count; i++)
        terrain_box_add(&box, points[i]);
    part->low = box.low, part->high = box.high;
}

// Adds a mesh to the terrain where `is->at` puts it; turns it there.
static lope_status put_mesh(lope_terrain *terrain, const lope_terrain_mesh *mesh, lope_part *is, lope_error *error)
{
    lope_terrain_mesh placed = *mesh;
    placed.vertices = lope_alloc_array((size_t)mesh->vertex_count, sizeof *placed.vertices);
    if (!placed.vertices)
        return lope_fail_memory(error);
    for (int i = 0; i < mesh->vertex_count; i++)
        placed.vertices[i] = lope_transform_point(is->at, mesh->vertices[i]);
    lope_status status = terrain_take_mesh(terrain, &placed, &is->piece, error);
    if (!status)
        box_around(placed.vertices, placed.vertex_count, is);
    return status;
}

// Puts a part at is->at; its piece and box go into *is.
static lope_status put(lope_level *level, const level_part *part, lope_part *is, lope_error *error)
{
    is->piece = -1;
    if (is->shape == LOPE_PART_HOLD) {
        for (int i = 0; i < 2; i++)
            is->hold[i] = lope_transform_point(is->at, part->hold[i]);
        box_around(is->hold, 2, is);
        return LOPE_OK;
    }
    return put_mesh(level->terrain, part->mesh, is, error);
}

static void note(lope_level *level, const lope_part *is)
{
    level->log[++level->changes % CHANGES] = (lope_level_change){is->low, is->high};
}

// ---- coming, moving, going

static lope_status scale_hold(const lope_part_def *def, float scale, level_part *part, lope_error *error)
{
    for (int i = 0; i < 2; i++) {
        const lope_vec3 *p = &def->hold[i];
        lope_status status = LOPE_CHECK(error, LOPE_RANGE(p, x, -FARTHEST, FARTHEST),
                                        LOPE_RANGE(p, y, -FARTHEST, FARTHEST), LOPE_RANGE(p, z, -FARTHEST, FARTHEST));
        if (status)
            return status;
        part->hold[i] = lope_v3_scale(*p, scale);
    }
    if (!(lope_v3_distance(part->hold[0], part->hold[1]) > 1e-3f))
        return lope_fail(error, LOPE_BAD_DATA, "a hold goes from one place to another, found both at (%g, %g, %g)",
                         (double)def->hold[0].x, (double)def->hold[0].y, (double)def->hold[0].z);
    return LOPE_OK;
}

// Without a character that was cut in two at its end: what is written must be text.
static void copy_text(char out[LOPE_PART_NAME], const char *text)
{
    const char *end = memchr(text, 0, LOPE_PART_NAME - 1);
    size_t length = end ? (size_t)(end - text) : LOPE_PART_NAME - 1, last = length; // where its last character begins
    while (last > 0 && ((unsigned char)text[--last] & 0xC0) == 0x80)
        continue;
    const unsigned char begins = (unsigned char)text[last];
    const size_t bytes = begins < 0xC0 ? 1 : begins < 0xE0 ? 2 : begins < 0xF0 ? 3 : 4;
    memcpy(out, text, last + bytes > length ? last : length);
}

// Everything about a part that does not depend on where it is.
static lope_status prepare(const lope_part_def *def, level_part *part, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, scale, def->scale == 0.0f ? 0.0 : 1e-6, 1e4));
    float scale = def->scale == 0.0f ? 1.0f : def->scale;
    *part = (level_part){.used = true, .is = {.shape = def->shape, .scale = scale, .piece = -1}};
    if (!status)
        status = check_place(&def->at, &part->is.at, error);
    if (!status)
        status = part_check(def, &part->is.size, error);
    if (status)
        return status;
    copy_text(part->is.name, def->name);
    copy_text(part->is.kind, def->kind);
    if (def->shape == LOPE_PART_HOLD)
        return scale_hold(def, scale, part, error);
    lope_part_def sized = *def;
    sized.size = part->is.size;
    status = part_mesh(&sized, &part->mesh, error);
    if (status || part->mesh->vertex_count == 0)
        return status;
    part->is.triangle_count = part->mesh->triangle_count;
    box_around(part->mesh->vertices, part->mesh->vertex_count, &part->is);
    if (def->shape == LOPE_PART_MESH || def->shape == LOPE_PART_PRISM || def->shape == LOPE_PART_FIELD)
        part->is.size = lope_v3_scale(lope_v3_sub(part->is.high, part->is.low), 1.0f / scale);
    return LOPE_OK;
}

// Room for one more piece, whatever number the terrain gives it, and for a new part.
static bool reserve(lope_level *level, bool part)
{
    const level_part empty = {.next_free = -1};
    const int none = -1;
    if (part && level->first_free < 0) {
        if (!list_add(&level->parts, &empty, sizeof empty))
            return false;
        level->first_free = level->parts.count - 1;
    }
    while (level->part_of.count <= lope_terrain_piece_count(level->terrain) + 1)
        if (!list_add(&level->part_of, &none, sizeof none))
            return false;
    return true;
}

static void bind(lope_level *level, int part, int piece)
{
    if (piece >= 0)
        ((int *)level->part_of.items)[piece] = part;
}

lope_status lope_level_add(lope_level *level, const lope_part_def *def, lope_part_id *part, lope_error *error)
{
    level_part made;
    if (part)
        *part = (lope_part_id){0};
    lope_status status = prepare(def, &made, error);
    const int there = lope_terrain_triangle_count(level->terrain);
    if (!status && made.is.triangle_count > LOPE_LEVEL_TRIANGLES - there)
        status = lope_fail(error, LOPE_BAD_DATA, "a level has at most %d triangles: %d are there, '%s' has %d",
                           LOPE_LEVEL_TRIANGLES, there, made.is.name, made.is.triangle_count);
    if (!status && !reserve(level, true))
        status = lope_fail_memory(error);
    if (!status)
        status = put(level, &made, &made.is, error);
    if (status) {
        free_part(&made);
        return status;
    }
    int slot = level->first_free;
    made.is.id = (lope_part_id){(uint32_t)slot + 1, parts_of(level)[slot].is.id.generation + 1};
    level->first_free = parts_of(level)[slot].next_free;
    parts_of(level)[slot] = made;
    level->count++;
    level->hold_count += made.is.shape == LOPE_PART_HOLD;
    bind(level, slot, made.is.piece);
    note(level, &made.is);
    if (part)
        *part = made.is.id;
    return LOPE_OK;
}

static void take_away(lope_level *level, const lope_part *is)
{
    if (is->piece >= 0)
        lope_terrain_remove(level->terrain, is->piece);
    bind(level, -1, is->piece);
    note(level, is);
}

lope_status lope_level_move(lope_level *level, lope_part_id part, const lope_transform *at, lope_error *error)
{
    const int index = lope_level_part_index(level, part);
    if (index < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "part %u is gone", part.index1);
    level_part *p = &parts_of(level)[index];
    lope_part moved = p->is;
    lope_status status = check_place(at, &moved.at, error);
    if (!status && !reserve(level, false))
        status = lope_fail_memory(error);
    if (!status)
        status = put(level, p, &moved, error);
    if (status)
        return status;
    take_away(level, &p->is);
    p->is = moved;
    bind(level, index, moved.piece);
    note(level, &moved);
    return LOPE_OK;
}

bool lope_level_remove(lope_level *level, lope_part_id part)
{
    const int index = lope_level_part_index(level, part);
    if (index < 0)
        return false;
    level_part *p = &parts_of(level)[index];
    take_away(level, &p->is);
    level->hold_count -= p->is.shape == LOPE_PART_HOLD;
    free_part(p);
    p->is.id = part; // the next one in this slot gets another generation
    p->next_free = level->first_free;
    level->first_free = index;
    level->count--;
    return true;
}

// ---- what there is

int lope_level_part_limit(const lope_level *level)
{
    return level->parts.count;
}

int lope_level_part_count(const lope_level *level)
{
    return level->count;
}

const lope_part *level_part_at(const lope_level *level, int index)
{
    bool there = index >= 0 && index < level->parts.count && parts_of(level)[index].used;
    return there ? &parts_of(level)[index].is : NULL;
}

bool level_has_holds(const lope_level *level)
{
    return level->hold_count > 0;
}

bool lope_level_part(const lope_level *level, int index, lope_part *out)
{
    const lope_part *is = level_part_at(level, index);
    if (is)
        *out = *is;
    return is;
}

int lope_level_part_index(const lope_level *level, lope_part_id part)
{
    const int index = part.index1 <= (uint32_t)level->parts.count ? (int)part.index1 - 1 : -1;
    const lope_part *is = level_part_at(level, index);
    return is && is->id.generation == part.generation ? index : -1;
}

int lope_level_part_of(const lope_level *level, int piece)
{
    return piece >= 0 && piece < level->part_of.count ? ((const int *)level->part_of.items)[piece] : -1;
}

const lope_terrain_mesh *lope_level_part_mesh(const lope_level *level, int index)
{
    return index >= 0 && index < level->parts.count ? parts_of(level)[index].mesh : NULL;
}

const lope_terrain *lope_level_terrain(const lope_level *level)
{
    return level->terrain;
}

size_t lope_level_memory(const lope_level *level)
{
    size_t size = sizeof *level + lope_terrain_memory(level->terrain) + (size_t)level->parts.room * sizeof(level_part) +
                  (size_t)level->part_of.room * sizeof(int);
    for (int i = 0; i < level->parts.count; i++) {
        const level_part *p = &parts_of(level)[i];
        if (p->mesh)
            size +=
                (size_t)p->mesh->vertex_count * sizeof(lope_vec3) + (size_t)p->mesh->triangle_count * 3 * sizeof(int);
    }
    return size;
}

uint64_t lope_level_changes(const lope_level *level)
{
    return level->changes;
}

int lope_level_changed(const lope_level *level, uint64_t since, lope_level_change *out, int capacity)
{
    uint64_t count = since < level->changes ? level->changes - since : 0;
    if (count > CHANGES)
        return -1;
    for (uint64_t i = 0; i < count && i < (uint64_t)capacity; i++)
        out[i] = level->log[(since + 1 + i) % CHANGES];
    return (int)count;
}
