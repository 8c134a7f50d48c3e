// SPDX-License-Identifier: MIT
// A level as floors and things of a world of blocks. Floors are where borders of one height are around whole tiles of
// ground; parts that measure like units are those; borders of all others are thin walls.
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "blocks/world.h"
#include "level/border_lines.h"
#include "level/floors.h"
#include "level/part_shapes.h"
#include "lope/level_views.h"

#define SAME_HEIGHT 0.02f // metres
#define SAMPLES 4         // along a tile
#define MOST_TILED 64     // floors
#define MOST_UNITS 64     // of one part: sections of a ladder
#define WALL 0.02f        // metres: thickness
#define BODY 1.8f         // metres: highest wall,
#define LOWEST 0.1f       // lowest
#define SHORTEST 5e-3f    // and shortest one
#define LIKE_USUAL 0.15f  // part of the usual size that a chair may be off
#define RUN_OUT 0.72f     // metres from the last piece of a slide down to its floor

typedef struct tiled {
    lope_floor_def def;
    uint8_t *laid; // [columns * rows]
} tiled;

typedef struct unit_part {
    lope_part_id id;
    lope_transform at;
    int index, count;
    int objects[MOST_UNITS];
} unit_part;

struct lope_level_blocks {
    const lope_floors *floors;
    const lope_level *level;
    lope_block_world *world;
    uint64_t changes; // of the level that are known
    list tiles;       // tiled
    list units;       // unit_part
    list is_unit;     // bool: by index of part
    border_lines lines;
};

// ---- things

// Where a part's units stand, one after the other as blocks have them.
typedef struct unit_row {
    const lope_blocks *blocks;
    lope_placed_unit placed[MOST_UNITS];
    int count;
} unit_row;

static bool add_next(unit_row *row, const char *unit)
{
    const int number = lope_blocks_unit(row->blocks, unit);
    const lope_placed_unit *last = &row->placed[row->count - 1];
    lope_spot move;
    if (number < 0 || row->count == MOST_UNITS || !lope_blocks_next(row->blocks, last->unit, number, &move))
        return false;
    row->placed[row->count++] = (lope_placed_unit){number, lope_spot_mul(last->at, move)};
    return true;
}

static bool is_box_unit(unit_row *row, const lope_part *part, lope_spot at)
{
    const lope_vec3 half = lope_v3_scale(part->size, 0.5f * part->scale);
    for (int i = 0; i < row->blocks->unit_count; i++) {
        const lope_unit *unit = &row->blocks->units[i];
        const lope_box *box = &row->blocks->boxes[unit->box_first];
        if (unit->box_count != 1 || lope_v3_distance(box->half, half) > 2e-3f || box->pitch != 0.0f)
            continue;
        const lope_spot back = {-box->centre.x, box->half.y - box->centre.y, -box->centre.z, 0.0f};
        row->placed[row->count++] = (lope_placed_unit){i, lope_spot_mul(at, back)};
        return true;
    }
    return false;
}

// Chairs and desks are one unit, ladders and slides rows of them. False: blocks do not know it.
static bool find_units(const lope_part *part, unit_row *row)
{
    const lope_quat *turn = &part->at.rotation;
    const lope_vec3 size = lope_v3_scale(part->size, part->scale), foot = part->at.translation;
    lope_spot at = {foot.x, foot.y, foot.z, (float)(2.0 * lope_atan2((double)turn->y, (double)turn->w))};
    lope_vec3 usual;
    row->count = 0;
    if (fabsf(turn->x) + fabsf(turn->z) > 1e-3f)
        return false;
    if (!part->kind[0])
        return part->shape == LOPE_PART_BOX && is_box_unit(row, part, at);
    const bool slide = strcmp(part->kind, "slide") == 0, ladder = strcmp(part->kind, "ladder") == 0;
    const int first = lope_blocks_unit(row->blocks, slide ? "slide_top" : part->kind);
    if (first < 0 || !part_usual_size(part->kind, &usual))
        return false;
    at.y += slide ? size.y : 0.0f;
    row->placed[row->count++] = (lope_placed_unit){first, at};
    const float top = foot.y + size.y;
    if (ladder) {
        while (row->placed[row->count - 1].at.y < top - 0.9f && add_next(row, "ladder"))
            continue;
        return add_next(row, "ladder_top") && fabsf(row->placed[row->count - 1].at.y - top) < 0.02f;
    }
    if (slide) {
        while (row->placed[row->count - 1].at.y > foot.y + RUN_OUT + 0.3f && add_next(row, "slide"))
            continue;
        return add_next(row, "slide_end") && fabsf(row->placed[row->count - 1].at.y - foot.y - RUN_OUT) < 0.1f;
    }
    return fabsf(size.x / usual.x - 1.0f) < LIKE_USUAL && fabsf(size.y / usual.y - 1.0f) < LIKE_USUAL &&
           fabsf(size.z / usual.z - 1.0f) < LIKE_USUAL;
}

static void remove_unit(lope_level_blocks *view, int number)
{
    unit_part *all = view->units.items;
    for (int i = 0; i < all[number].count; i++)
        lope_block_world_remove(view->world, all[number].objects[i]);
    all[number] = all[--view->units.count];
}

static lope_status add_unit(lope_level_blocks *view, const lope_part *part, int index, lope_error *error)
{
    unit_row row = {.blocks = view->world->blocks};
    unit_part made = {.id = part->id, .at = part->at, .index = index};
    if (!find_units(part, &row))
        return LOPE_OK;
    lope_status status = LOPE_OK;
    for (; made.count < row.count && !status; made.count += !status)
        status = lope_block_world_add(view->world, row.placed[made.count].unit, row.placed[made.count].at,
                                      &made.objects[made.count], error);
    if (!list_add(&view->units, &made, sizeof made))
        return lope_fail_memory(error);
    if (status)
        remove_unit(view, view->units.count - 1);
    return status;
}

// Those that are gone or elsewhere go first, so that others may take their place.
static lope_status update_units(lope_level_blocks *view, lope_error *error)
{
    const int limit = lope_level_part_limit(view->level);
    const bool no = false;
    lope_part part;
    lope_status status = LOPE_OK;
    while (view->is_unit.count < limit && !status)
        status = list_add(&view->is_unit, &no, sizeof no) ? LOPE_OK : lope_fail_memory(error);
    bool *is_unit = view->is_unit.items;
    for (int i = view->units.count - 1; i >= 0; i--) {
        const unit_part *u = (const unit_part *)view->units.items + i;
        if (lope_level_part_index(view->level, u->id) < 0 || !lope_level_part(view->level, u->index, &part) ||
            memcmp(&u->at, &part.at, sizeof part.at) != 0)
            remove_unit(view, i);
    }
    if (view->is_unit.count)
        memset(is_unit, 0, (size_t)view->is_unit.count * sizeof *is_unit);
    for (int i = 0; i < view->units.count; i++)
        is_unit[((const unit_part *)view->units.items)[i].index] = true;
    for (int i = 0; i < limit && !status; i++)
        if (!is_unit[i] && lope_level_part(view->level, i, &part)) {
            const int before = view->units.count;
            status = add_unit(view, &part, i, error);
            is_unit[i] = view->units.count > before;
        }
    return status;
}

static bool of_unit(const lope_level_blocks *view, int piece)
{
    const int index = lope_level_part_of(view->level, piece);
    return index >= 0 && index < view->is_unit.count && ((const bool *)view->is_unit.items)[index];
}

// ---- floors

// Ground covers all of a tile, and somewhere on it a body can stand.
static bool is_covered(const lope_level_blocks *view, const lope_floor_def *def, int column, int row)
{
    const float side = view->world->blocks->tile->size, from = 0.02f, step = (side - 2.0f * from) / (SAMPLES - 1);
    bool free = false;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        lope_terrain_hit hits[8];
        lope_floor_spot spot;
        const lope_vec3 at = {def->corner.x + (float)column * side + from + (float)(i % SAMPLES) * step, def->height,
                              def->corner.z + (float)row * side + from + (float)(i / SAMPLES) * step};
        const lope_vec3 above = {at.x, at.y + SAME_HEIGHT, at.z};
        if (!lope_terrain_column(lope_level_terrain(view->level), above, 2.0f * SAME_HEIGHT, hits, 8))
            return false;
        free = free || lope_floors_ground(view->floors, at, SAME_HEIGHT, &spot);
    }
    return free;
}

// Lays or takes away the tiles that meet a box.
static lope_status lay(lope_level_blocks *view, int floor, lope_vec3 low, lope_vec3 high, lope_error *error)
{
    tiled *t = (tiled *)view->tiles.items + floor;
    const float side = view->world->blocks->tile->size;
    const float x0 = fmaxf(floorf((low.x - t->def.corner.x) / side), 0.0f);
    const float z0 = fmaxf(floorf((low.z - t->def.corner.z) / side), 0.0f);
    lope_status status = LOPE_OK;
    for (int row = (int)fminf(z0, 1e6f); row < t->def.rows && t->def.corner.z + side * (float)row <= high.z; row++)
        for (int column = (int)fminf(x0, 1e6f);
             column < t->def.columns && t->def.corner.x + side * (float)column <= high.x && !status; column++) {
            uint8_t *laid = &t->laid[row * t->def.columns + column], now = is_covered(view, &t->def, column, row);
            if (now != *laid)
                status = lope_block_world_lay(view->world, floor, column, row, now, error);
            if (!status)
                *laid = now;
        }
    return status;
}

// Makes a floor of the ground at a height, unless no tile fits on it.
static lope_status add_floor(lope_level_blocks *view, lope_vec3 low, lope_vec3 high, lope_error *error)
{
    const float side = view->world->blocks->tile->size;
    const float columns = floorf((high.x - low.x) / side + 0.01f), rows = floorf((high.z - low.z) / side + 0.01f);
    if (!(columns >= 1.0f && rows >= 1.0f && columns * rows < 1e6f) || view->tiles.count == MOST_TILED)
        return LOPE_OK;
    tiled made = {.def = {{low.x, low.z}, low.y, (int)columns, (int)rows}};
    bool any = false;
    for (int i = 0; i < made.def.columns * made.def.rows && !any; i++)
        any = is_covered(view, &made.def, i % made.def.columns, i / made.def.columns);
    if (!any)
        return LOPE_OK;
    made.laid = lope_alloc_array((size_t)made.def.columns * (size_t)made.def.rows, 1);
    if (!made.laid || !list_add(&view->tiles, &made, sizeof made)) {
        lope_free(made.laid);
        return lope_fail_memory(error);
    }
    memset(made.laid, 1, (size_t)made.def.columns * (size_t)made.def.rows);
    lope_status status = lope_block_world_add_floor(view->world, &made.def, NULL, error);
    return status ? status : lay(view, view->tiles.count - 1, low, high, error);
}

static int by_height(const void *a, const void *b)
{
    const float x = ((const lope_floor_border *)a)->from.y, y = ((const lope_floor_border *)b)->from.y;
    return (x > y) - (x < y);
}

// Heights of level borders that are long enough to be around a tile.
static lope_status add_floors(lope_level_blocks *view, lope_error *error)
{
    int count, kept = 0;
    const lope_floor_border *all = lope_floors_borders(view->floors, &count);
    lope_floor_border *flat = lope_alloc_array((size_t)count + 1, sizeof *flat);
    if (!flat)
        return lope_fail_memory(error);
    for (int i = 0; i < count; i++)
        if (fabsf(all[i].from.y - all[i].to.y) < 0.25f * SAME_HEIGHT && !of_unit(view, all[i].piece))
            flat[kept++] = all[i];
    qsort(flat, (size_t)kept, sizeof *flat, by_height);
    lope_status status = LOPE_OK;
    for (int i = 0, next; i < kept && !status; i = next) {
        lope_vec3 low = flat[i].from, high = low;
        float length = 0.0f;
        for (next = i; next < kept && flat[next].from.y - flat[i].from.y < SAME_HEIGHT; next++) {
            const lope_vec3 a = flat[next].from, b = flat[next].to;
            low = lope_v3(fminf(low.x, fminf(a.x, b.x)), low.y, fminf(low.z, fminf(a.z, b.z)));
            high = lope_v3(fmaxf(high.x, fmaxf(a.x, b.x)), high.y, fmaxf(high.z, fmaxf(a.z, b.z)));
            length += lope_v3_distance(a, b);
        }
        if (length > 3.9f * view->world->blocks->tile->size)
            status = add_floor(view, low, high, error);
    }
    lope_free(flat);
    return status;
}

// ---- walls

// A unit for each length and height in centimetres.
static lope_status add_wall(void *user, const border_line *line, uint64_t *handle, lope_error *error)
{
    lope_level_blocks *view = user;
    const float x = line->to.x - line->from.x, z = line->to.z - line->from.z, length = sqrtf(x * x + z * z);
    const int wide = (int)ceilf(100.0f * length), high = (int)ceilf(100.0f * line->height);
    char name[LOPE_UNIT_NAME];
    snprintf(name, sizeof name, "wall %d x %d", wide, high);
    int unit = view->world->units.count - 1, id;
    while (unit >= 0 && strcmp(units_of(view->world)[unit].name, name) != 0)
        unit--;
    const lope_vec3 half = {0.5f * WALL, 0.005f * (float)high, 0.005f * (float)wide};
    const lope_box box = {{0.0f, half.y, 0.0f}, half, 0.0f, 0.0f};
    lope_status status = unit >= 0 ? LOPE_OK : lope_block_world_add_unit(view->world, name, &box, 1, &unit, error);
    const lope_spot at = {
        0.5f * (line->from.x + line->to.x) + 0.5f * WALL * z / length, fminf(line->from.y, line->to.y),
        0.5f * (line->from.z + line->to.z) - 0.5f * WALL * x / length, (float)lope_atan2((double)x, (double)z)};
    if (!status)
        status = world_put(view->world, unit, at, &id, error);
    *handle = status ? 0 : (uint64_t)id + 1;
    return status;
}

static void remove_wall(void *user, uint64_t handle)
{
    lope_level_blocks *view = user;
    lope_block_world_remove(view->world, (int)(handle - 1));
}

static lope_status update_walls(lope_level_blocks *view, lope_error *error)
{
    int count;
    const lope_floor_border *borders = lope_floors_borders(view->floors, &count);
    for (int i = 0; i < count; i++) {
        const lope_floor_border *b = &borders[i];
        const float low = fminf(b->from.y, b->to.y);
        lope_part part;
        if (b->beyond < low || of_unit(view, b->piece) || lope_v3_distance(b->from, b->to) < SHORTEST ||
            !lope_level_part(view->level, lope_level_part_of(view->level, b->piece), &part) ||
            part.high.y < low + LOWEST)
            continue; // a ledge, or a unit
        const border_line line = {b->from, b->to, fminf(part.high.y - low, BODY), 0};
        if (!list_add(&view->lines.next, &line, sizeof line)) {
            view->lines.next.count = 0;
            return lope_fail_memory(error);
        }
    }
    return border_lines_update(&view->lines, &(border_world){add_wall, remove_wall, view}, error);
}

// ---- all together

lope_status lope_level_blocks_update(lope_level_blocks *view, lope_error *error)
{
    lope_level_change changes[64];
    int count = lope_level_changed(view->level, view->changes, changes, 64);
    if (count < 0 || count > 64) {
        changes[0] = (lope_level_change){{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
        count = 1;
    }
    const uint64_t seen = lope_level_changes(view->level);
    lope_status status = LOPE_OK;
    for (int i = 0; i < count; i++)
        for (int floor = 0; floor < view->tiles.count && !status; floor++)
            status = lay(view, floor, changes[i].low, changes[i].high, error);
    if (!status)
        status = update_units(view, error);
    if (!status)
        status = update_walls(view, error);
    if (!status)
        view->changes = seen;
    return status;
}

lope_status lope_level_blocks_create(const lope_floors *floors, lope_block_world *world, lope_level_blocks **out,
                                     lope_error *error)
{
    *out = NULL;
    lope_level_blocks *view = lope_alloc_zero(sizeof *view);
    if (!view)
        return lope_fail_memory(error);
    view->floors = floors;
    view->level = floors->level;
    view->world = world;
    view->changes = lope_level_changes(view->level);
    lope_status status = update_units(view, error);
    if (!status)
        status = add_floors(view, error);
    if (!status)
        status = update_walls(view, error);
    if (status)
        lope_level_blocks_destroy(view);
    else
        *out = view;
    return status;
}

void lope_level_blocks_destroy(lope_level_blocks *view)
{
    if (!view)
        return;
    for (int i = 0; i < view->tiles.count; i++)
        lope_free(((tiled *)view->tiles.items)[i].laid);
    lope_free(view->tiles.items);
    lope_free(view->units.items);
    lope_free(view->is_unit.items);
    border_lines_free(&view->lines);
    lope_free(view);
}
