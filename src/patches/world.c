// SPDX-License-Identifier: MIT
// Making worlds of tiles and editing them.
#include "patches/world.h"

#include <string.h>

#include "asset/built.h"
#include "base/error.h"
#include "base/memory.h"
#include "motion/lock.h"

// More tiles than this are refused: 16 million gates take gigabytes.
#define MAX_TILES 100000
#define MAX_PATCH_CHARACTERS 1000000
// Seconds after which half of a difference between two segments is left.
#define FADE_HALFLIFE 0.1f

lope_patch_world_def lope_patch_world_def_default(void)
{
    lope_patch_world_def def = {.columns = 10,
                                .rows = 10,
                                .body_radius = 0.25f,
                                .reserve = LOPE_RESERVE_CELLS,
                                .characters = 100,
                                .lock_feet = true,
                                .seed = 1};
    return def;
}

int patch_neighbour(const lope_patch_world *w, int tile, int heading)
{
    static const int step_x[4] = {0, 1, 0, -1}, step_z[4] = {1, 0, -1, 0};
    int column = tile % w->def.columns + step_x[heading], row = tile / w->def.columns + step_z[heading];
    if (column < 0 || column >= w->def.columns || row < 0 || row >= w->def.rows)
        return -1;
    return row * w->def.columns + column;
}

int patch_tile_after(const lope_patch_world *w, int tile, int heading, int link)
{
    if (w->def.tile->links[link].side == LOPE_TILE_INSIDE)
        return tile;
    return patch_neighbour(w, tile, patch_heading_after(w, heading, link));
}

ground_move patch_frame(const lope_patch_world *w, int tile, int heading)
{
    static const float cosines[4] = {1.0f, 0.0f, -1.0f, 0.0f}, sines[4] = {0.0f, 1.0f, 0.0f, -1.0f};
    float size = w->def.tile->size;
    return (ground_move){w->def.corner.x + ((float)(tile % w->def.columns) + 0.5f) * size,
                         w->def.corner.z + ((float)(tile / w->def.columns) + 0.5f) * size, cosines[heading],
                         sines[heading]};
}

int patch_tile_at(const lope_patch_world *w, lope_vec2 place)
{
    float size = w->def.tile->size;
    float column = floorf((place.x - w->def.corner.x) / size), row = floorf((place.z - w->def.corner.z) / size);
    if (!(column >= 0.0f && column < (float)w->def.columns && row >= 0.0f && row < (float)w->def.rows))
        return -1;
    return (int)row * w->def.columns + (int)column;
}

static lope_status check_def(const lope_patch_world_def *def, lope_error *error)
{
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, columns, 1, MAX_TILES),
                   LOPE_RANGE(def, rows, 1, MAX_TILES / (def->columns > 0 ? def->columns : 1)),
                   LOPE_RANGE(def, characters, 0, MAX_PATCH_CHARACTERS), LOPE_RANGE(def, body_radius, 0, 2),
                   LOPE_RANGE(def, corner.x, -1e5, 1e5), LOPE_RANGE(def, corner.z, -1e5, 1e5));
    if (status)
        return status;
    for (int s = 0; s < def->tile->segment_count; s++) {
        const lope_segment *segment = &def->tile->segments[s];
        if (segment->clip < 0 || segment->clip >= def->tile->set->clip_count || segment->first < 0 ||
            segment->frames < 2 || segment->first + segment->frames > def->tile->set->clips[segment->clip]->frame_count)
            return lope_fail(error, LOPE_MISMATCH, "the tile was made from other clips: segment %d is not in the set",
                             s);
    }
    return LOPE_OK;
}

static lope_status make_room(lope_patch_world *w, lope_error *error)
{
    size_t tiles = (size_t)w->tile_count, gates = (size_t)w->gate_count, room = (size_t)w->character_room;
    w->plan_mark = lope_alloc_zero(tiles * sizeof *w->plan_mark);
    w->plan_from = lope_alloc_zero(tiles);
    w->plan_avoid = lope_alloc_zero(tiles * sizeof *w->plan_avoid);
    w->plan_cost = lope_alloc_array(tiles, sizeof *w->plan_cost);
    w->plan_heap = lope_alloc_array(4 * tiles + 1, sizeof *w->plan_heap);
    w->plan_key = lope_alloc_array(4 * tiles + 1, sizeof *w->plan_key);
    w->path_cost = lope_alloc_array(2 * gates, sizeof *w->path_cost);
    w->path_link = lope_alloc_array(tiles * gates, sizeof *w->path_link);
    w->path_tiles = lope_alloc_array(tiles, sizeof *w->path_tiles);
    w->path_headings = lope_alloc_array(tiles, 1);
    w->places = lope_alloc_array((room + 1) * RESERVE_SLOTS, sizeof *w->places);
    w->entries = lope_alloc_array((room + 1) * PATCH_ENTRIES, sizeof *w->entries);
    w->tile_entry = lope_alloc_array(tiles, sizeof *w->tile_entry);
    w->tile_owner = lope_alloc_zero(tiles * sizeof *w->tile_owner);
    w->characters = lope_alloc_zero((room + 1) * sizeof *w->characters);
    w->bodies = lope_alloc_array(room + 1, shown_body_bytes(w->def.tile->set->skeleton->joint_count));
    bool ok = w->plan_mark && w->plan_from && w->plan_avoid && w->plan_cost && w->plan_heap && w->plan_key &&
              w->path_cost && w->path_link && w->path_tiles && w->path_headings && w->places && w->entries &&
              w->tile_entry && w->tile_owner && w->characters && w->bodies;
    for (size_t i = 0; i < tiles && w->tile_entry; i++)
        w->tile_entry[i] = -1;
    for (size_t i = 0; i < (room + 1) * PATCH_ENTRIES && w->entries; i++)
        w->entries[i].tile = -1;
    return ok ? LOPE_OK : lope_fail_memory(error);
}

lope_status lope_patch_world_create(const lope_patch_world_def *def, lope_patch_world **out, lope_error *error)
{
    lope_status status = check_def(def, error);
    if (status)
        return status;
    lope_patch_world *w = lope_alloc_zero(sizeof *w);
    if (!w)
        return lope_fail_memory(error);
    w->def = *def;
    w->tile_count = def->columns * def->rows;
    w->gate_count = def->tile->gate_count;
    w->link_count = def->tile->link_count;
    w->words = (w->link_count + 63) / 64;
    w->frame_rate = (float)def->tile->set->clips[0]->frame_rate;
    w->character_room = def->characters;
    lope_chunk_lock_rig(def->tile->set, &w->rig);
    w->lock = lope_lock_def_default();
    w->look = (shown_look){LOPE_FADE_INERTIA, FADE_HALFLIFE, &w->rig, def->lock_feet ? &w->lock : NULL, 0.0f};
    status = patch_lines_create(def->tile, &w->lines, error);
    if (status == LOPE_OK)
        status = patch_masks_create(w, error);
    if (status == LOPE_OK)
        status = make_room(w, error);
    if (status) {
        lope_patch_world_destroy(w);
        return status;
    }
    memset(w->present, 1, (size_t)w->tile_count);
    patch_refresh(w, 0, 0, def->columns - 1, def->rows - 1);
    *out = w;
    return LOPE_OK;
}

void lope_patch_world_destroy(lope_patch_world *w)
{
    if (!w)
        return;
    void *blocks[] = {w->plan_avoid, w->masks,         w->durations, w->into_first, w->into,       w->present,
                      w->closed,     w->dead,          w->ways,      w->worklist,   w->obstacles,  w->plan_mark,
                      w->plan_from,  w->plan_cost,     w->plan_heap, w->plan_key,   w->path_cost,  w->path_link,
                      w->path_tiles, w->path_headings, w->places,    w->entries,    w->tile_entry, w->tile_owner,
                      w->characters, w->bodies};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        lope_free(blocks[i]);
    patch_lines_destroy(&w->lines);
    patch_search_destroy(&w->search);
    lope_free(w);
}

lope_status lope_patch_world_lay(lope_patch_world *w, int column, int row, bool present, lope_error *error)
{
    if (column < 0 || column >= w->def.columns || row < 0 || row >= w->def.rows)
        return lope_fail(error, LOPE_NOT_FOUND, "no tile (%d, %d): the floor has %d by %d", column, row, w->def.columns,
                         w->def.rows);
    w->present[row * w->def.columns + column] = present;
    patch_refresh(w, column - 1, row - 1, column + 1, row + 1);
    return LOPE_OK;
}

typedef struct bounds {
    float least_x, least_z, most_x, most_z;
} bounds;

static void include_obstacle(const patch_obstacle *o, bounds *b)
{
    for (int i = 0; i < o->count; i++) {
        b->least_x = fminf(b->least_x, o->corners[i].x - o->round);
        b->least_z = fminf(b->least_z, o->corners[i].z - o->round);
        b->most_x = fmaxf(b->most_x, o->corners[i].x + o->round);
        b->most_z = fmaxf(b->most_z, o->corners[i].z + o->round);
    }
}

static int clamped_tile(float tiles)
{
    return (int)fminf(fmaxf(tiles, -2.0f), 1e6f);
}

// Looks again at all tiles that something in the bounds can concern.
static void refresh_around(lope_patch_world *w, const bounds *b)
{
    float size = w->def.tile->size, reach = w->def.body_radius + 0.15f * size;
    patch_refresh(w, clamped_tile(floorf((b->least_x - reach - w->def.corner.x) / size)),
                  clamped_tile(floorf((b->least_z - reach - w->def.corner.z) / size)),
                  clamped_tile(floorf((b->most_x + reach - w->def.corner.x) / size)),
                  clamped_tile(floorf((b->most_z + reach - w->def.corner.z) / size)));
}

static lope_status check_obstacle(const lope_vec2 *corners, int count, float round, lope_error *error)
{
    if (count < 1 || count > MAX_CORNERS)
        return lope_fail(error, LOPE_BAD_DATA, "obstacles have 1 to %d corners, found %d", MAX_CORNERS, count);
    if (!(round >= 0.0f && round < LOPE_MAX_DISTANCE))
        return lope_fail(error, LOPE_BAD_DATA, "obstacles grow by 0 m or more, found %g", (double)round);
    for (int i = 0; i < count; i++)
        if (!(fabsf(corners[i].x) < LOPE_MAX_DISTANCE && fabsf(corners[i].z) < LOPE_MAX_DISTANCE))
            return lope_fail(error, LOPE_BAD_DATA, "corner %d of the obstacle lies nowhere: (%g, %g)", i,
                             (double)corners[i].x, (double)corners[i].z);
    int turns = 0;
    for (int i = 0; i < count && count > 2; i++) {
        lope_vec2 a = corners[i], b = corners[(i + 1) % count], c = corners[(i + 2) % count];
        float cross = (b.x - a.x) * (c.z - b.z) - (b.z - a.z) * (c.x - b.x);
        turns |= cross > 0.0f ? 1 : cross < 0.0f ? 2 : 0;
    }
    if (turns == 3)
        return lope_fail(error, LOPE_BAD_DATA, "the obstacle is not convex: split it");
    return LOPE_OK;
}

static void set_obstacle(patch_obstacle *o, const lope_vec2 *corners, int count, float round)
{
    o->count = count;
    o->round = round;
    memcpy(o->corners, corners, (size_t)count * sizeof *corners);
    o->middle = (lope_vec2){0.0f, 0.0f};
    for (int i = 0; i < count; i++)
        o->middle = (lope_vec2){o->middle.x + corners[i].x / (float)count, o->middle.z + corners[i].z / (float)count};
    o->far = 0.0f;
    for (int i = 0; i < count; i++) {
        float x = corners[i].x - o->middle.x, z = corners[i].z - o->middle.z;
        o->far = fmaxf(o->far, sqrtf(x * x + z * z));
    }
}

lope_status lope_patch_world_add(lope_patch_world *w, const lope_vec2 *corners, int count, float round, int *id,
                                 lope_error *error)
{
    lope_status status = check_obstacle(corners, count, round, error);
    if (status)
        return status;
    int free_id = 0;
    while (free_id < w->obstacle_count && w->obstacles[free_id].count > 0)
        free_id++;
    if (free_id == w->obstacle_room) {
        int room = w->obstacle_room ? 2 * w->obstacle_room : 16;
        patch_obstacle *grown =
            lope_grow(w->obstacles, (size_t)w->obstacle_room * sizeof *grown, (size_t)room * sizeof *grown);
        if (!grown)
            return lope_fail_memory(error);
        w->obstacles = grown;
        w->obstacle_room = room;
    }
    if (free_id == w->obstacle_count)
        w->obstacle_count++;
    set_obstacle(&w->obstacles[free_id], corners, count, round);
    bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    include_obstacle(&w->obstacles[free_id], &b);
    refresh_around(w, &b);
    if (id)
        *id = free_id;
    return LOPE_OK;
}

lope_status lope_patch_world_move(lope_patch_world *w, int id, const lope_vec2 *corners, int count, float round,
                                  lope_error *error)
{
    if (id < 0 || id >= w->obstacle_count || w->obstacles[id].count == 0)
        return lope_fail(error, LOPE_NOT_FOUND, "there is no obstacle %d", id);
    lope_status status = check_obstacle(corners, count, round, error);
    if (status)
        return status;
    bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    include_obstacle(&w->obstacles[id], &b);
    set_obstacle(&w->obstacles[id], corners, count, round);
    include_obstacle(&w->obstacles[id], &b);
    refresh_around(w, &b);
    return LOPE_OK;
}

void lope_patch_world_remove(lope_patch_world *w, int id)
{
    if (id < 0 || id >= w->obstacle_count || w->obstacles[id].count == 0)
        return;
    bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    include_obstacle(&w->obstacles[id], &b);
    w->obstacles[id].count = 0;
    refresh_around(w, &b);
}
