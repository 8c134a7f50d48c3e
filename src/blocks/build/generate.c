// SPDX-License-Identifier: MIT
// Worlds of any size: an office on two floors, and a playground of gyms.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/random.h"
#include "lope/block_scene.h"

#define MOST_SIZE 1000
// Distances from the middle of a chair (metres): of the desk that belongs to it, and of a table that only stands there.
#define DESK_AHEAD 1.09f
#define TABLE_AHEAD 1.25f
#define RISER 0.18f
#define TREAD 0.28f
#define STEPS 16 // under a floor RISER higher than the last
// The row of tiles that the first flight leads to, rows from one flight to the next, desks upstairs for each.
#define FIRST_FLIGHT 7
#define FLIGHT_ROWS 9
#define DESKS_PER_FLIGHT 8
#define SECTION 0.6f
// A slide without middle pieces begins so high; each piece adds as much.
#define SLIDE_LEAST 1.0f
#define SLIDE_PIECE 0.2f

typedef struct generator {
    const lope_blocks *blocks;
    float tile; // metres
    list floors, holes, units, boxes, things;
    lope_random random;
    bool failed;
} generator;

static void put(generator *g, list *l, const void *item, size_t size)
{
    g->failed = !list_add(l, item, size) || g->failed;
}

static void thing(generator *g, const char *unit, lope_spot at)
{
    lope_scene_thing made = {.at = at};
    snprintf(made.unit, sizeof made.unit, "%s", unit);
    put(g, &g->things, &made, sizeof made);
}

static void beside(generator *g, const char *unit, lope_spot at, float x, float z, float yaw)
{
    thing(g, unit, lope_spot_mul(at, (lope_spot){x, 0.0f, z, yaw}));
}

static void box_unit(generator *g, const char *name, lope_vec3 centre, lope_vec3 size)
{
    lope_scene_unit unit = {.box_first = g->boxes.count, .box_count = 1};
    lope_box box = {centre, lope_v3_scale(size, 0.5f), 0.0f, 0.0f};
    snprintf(unit.name, sizeof unit.name, "%s", name);
    put(g, &g->units, &unit, sizeof unit);
    put(g, &g->boxes, &box, sizeof box);
}

static void floor_of(generator *g, float x, float height, float z, int columns, int rows)
{
    lope_floor_def floor = {{x, z}, height, columns, rows};
    put(g, &g->floors, &floor, sizeof floor);
}

// One desk and its chair in a cell of two by three tiles, turned to either side.
static void desk_cell(generator *g, float x, float height, float z, bool turned)
{
    lope_spot chair = {x + g->tile, height, z + (turned ? 2.0f : 1.0f) * g->tile, turned ? (float)LOPE_PI : 0.0f};
    thing(g, "chair", chair);
    beside(g, "desk", chair, 0.0f, DESK_AHEAD, 0.0f);
}

// Four chairs around a table.
static void meeting(generator *g, float x, float height, float z)
{
    lope_spot middle = {x, height, z, 0.0f};
    thing(g, "table", middle);
    for (int i = 0; i < 4; i++) {
        float yaw = (float)i * (float)(LOPE_PI / 2.0);
        lope_spot chair = lope_spot_mul((lope_spot){x, height, z, yaw}, (lope_spot){0.0f, 0.0f, -TABLE_AHEAD, 0.0f});
        thing(g, "chair", chair);
    }
}

// Stairs that end where row `row` of the upper floor begins, in the middle of a column.
static void stairs(generator *g, int column, int row)
{
    float x = ((float)column + 0.5f) * g->tile, z = (float)row * g->tile;
    for (int i = 1; i <= STEPS; i++)
        thing(g, "step", (lope_spot){x, RISER * (float)i, z - TREAD * ((float)(STEPS + 1 - i) - 0.5f), 0.0f});
    int rows = (int)(TREAD * (float)STEPS / g->tile) + 1;
    lope_scene_hole hole = {1, column, row - rows, 1, rows};
    put(g, &g->holes, &hole, sizeof hole);
}

// Flights of stairs behind and beside each other, with room to walk around each, as far as there are rows for them.
static void flights(generator *g, int count, int side_by_side, int rows)
{
    for (int i = 0; i < count; i++) {
        int row = FIRST_FLIGHT + i / side_by_side * FLIGHT_ROWS;
        if (row + 2 <= rows)
            stairs(g, 1 + 2 * (i % side_by_side), row);
    }
}

static void office(generator *g, int size)
{
    int lower = (size + 1) / 2, across = 1;
    while (across * across * 3 < lower * 2)
        across++;
    int along = (lower + across - 1) / across;
    int flight_count = 1 + (size - lower) / DESKS_PER_FLIGHT, side_by_side = flight_count > 1 ? 2 : 1;
    // Two columns for each flight and the way to it, four rows for the meeting corner.
    int stairs_columns = 1 + 2 * side_by_side, columns = 2 * across + stairs_columns, rows = 3 * along + 5;
    float upper_height = RISER * (float)(STEPS + 1);
    if (rows < 9)
        rows = 9;
    box_unit(g, "table", lope_v3(0.0f, 0.35f, 0.0f), lope_v3(0.9f, 0.7f, 0.9f));
    floor_of(g, 0.0f, 0.0f, 0.0f, columns, rows);
    floor_of(g, 0.0f, upper_height, 0.0f, columns, rows);
    for (int i = 0; i < size; i++) {
        int place = i < lower ? i : i - lower;
        desk_cell(g, (float)(stairs_columns + 2 * (place % across)) * g->tile, i < lower ? 0.0f : upper_height,
                  (4.5f + 3.0f * (float)(place / across)) * g->tile, place / across % 2 == 1);
    }
    meeting(g, ((float)columns - 2.25f) * g->tile, 0.0f, 2.25f * g->tile);
    meeting(g, ((float)columns - 2.25f) * g->tile, upper_height, 2.25f * g->tile);
    flights(g, flight_count, side_by_side, rows);
}

static void ladder(generator *g, lope_spot edge, int sections)
{
    // Seen from the edge of the platform, which it faces.
    for (int i = 0; i < sections; i++)
        thing(g, "ladder", lope_spot_mul(edge, (lope_spot){0.0f, SECTION * (float)(i - sections), -0.1f, 0.0f}));
    thing(g, "ladder_top", lope_spot_mul(edge, (lope_spot){0.0f, 0.0f, -0.1f, 0.0f}));
}

static void slide(generator *g, lope_spot edge, int pieces)
{
    const char *unit = "slide_top";
    thing(g, unit, edge);
    for (int i = 0; i <= pieces; i++) {
        const char *next = i < pieces ? "slide" : "slide_end";
        lope_spot move;
        if (!lope_blocks_next(g->blocks, lope_blocks_unit(g->blocks, unit), lope_blocks_unit(g->blocks, next), &move))
            return;
        edge = lope_spot_mul(edge, move);
        thing(g, next, edge);
        unit = next;
    }
}

// A platform of three by two tiles on four posts, with ladders at two sides and two slides.
static void gym(generator *g, float x, float z, int sections)
{
    float height = SECTION * (float)sections, wide = 3.0f * g->tile, deep = 2.0f * g->tile;
    int pieces = (int)((height - SLIDE_LEAST) / SLIDE_PIECE + 0.5f);
    char post[LOPE_UNIT_NAME];
    floor_of(g, x, height, z, 3, 2);
    for (int i = 0; i < 6; i++)
        thing(g, "panel",
              (lope_spot){x + ((float)(i % 3) + 0.5f) * g->tile, height, z + ((float)(i / 3) + 0.5f) * g->tile, 0.0f});
    snprintf(post, sizeof post, "post_%d", sections);
    for (int i = 0; i < 4; i++)
        thing(g, post, (lope_spot){x + (i % 2 ? wide - 0.1f : 0.1f), 0.0f, z + (i / 2 ? deep - 0.1f : 0.1f), 0.0f});
    ladder(g, (lope_spot){x + 1.5f * g->tile, height, z, 0.0f}, sections);
    ladder(g, (lope_spot){x, height, z + 0.5f * g->tile, (float)(LOPE_PI / 2.0)}, sections);
    slide(g, (lope_spot){x + 0.5f * g->tile, height, z + deep, 0.0f}, pieces);
    slide(g, (lope_spot){x + 2.5f * g->tile, height, z + deep, 0.0f}, pieces);
}

static void playground(generator *g, int size)
{
    enum { CELL_COLUMNS = 6, CELL_ROWS = 13, LOWEST = 4, KINDS = 3 };
    int across = 1;
    while (across * across < 2 * size)
        across++;
    int along = (size + across - 1) / across;
    box_unit(g, "panel", lope_v3(0.0f, -0.04f, 0.0f), lope_v3(g->tile, 0.08f, g->tile));
    for (int i = 0; i < KINDS; i++) {
        char post[LOPE_UNIT_NAME];
        float height = SECTION * (float)(LOWEST + i) - 0.08f;
        snprintf(post, sizeof post, "post_%d", LOWEST + i);
        box_unit(g, post, lope_v3(0.0f, 0.5f * height, 0.0f), lope_v3(0.1f, height, 0.1f));
    }
    floor_of(g, 0.0f, 0.0f, 0.0f, across * CELL_COLUMNS, along * CELL_ROWS);
    for (int i = 0; i < size; i++) {
        float x = (float)(i % across * CELL_COLUMNS + 2) * g->tile, z = (float)(i / across * CELL_ROWS + 3) * g->tile;
        gym(g, x, z, LOWEST + lope_random_below(&g->random, KINDS));
    }
}

lope_status lope_block_scene_generate(const char *kind, int size, uint64_t seed, const lope_blocks *blocks,
                                      lope_block_scene **out, lope_error *error)
{
    bool is_office = strcmp(kind, "office") == 0;
    if (!is_office && strcmp(kind, "playground") != 0)
        return lope_fail(error, LOPE_NOT_FOUND, "no worlds of kind '%s' can be generated: office, playground", kind);
    if (size < 1 || size > MOST_SIZE)
        return lope_fail(error, LOPE_BAD_DATA, "worlds can be generated with sizes from 1 to %d, found %d", MOST_SIZE,
                         size);
    generator g = {.blocks = blocks, .tile = blocks->tile->size, .random = lope_random_seed(seed)};
    lope_block_scene *scene = lope_alloc_zero(sizeof *scene);
    if (scene && is_office)
        office(&g, size);
    else if (scene)
        playground(&g, size);
    if (!scene || g.failed) {
        void *lists[] = {scene, g.floors.items, g.holes.items, g.units.items, g.boxes.items, g.things.items};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            lope_free(lists[i]);
        return lope_fail_memory(error);
    }
    *scene = (lope_block_scene){.characters = is_office ? size : 8 * size,
                                .floor_count = g.floors.count,
                                .hole_count = g.holes.count,
                                .unit_count = g.units.count,
                                .box_count = g.boxes.count,
                                .thing_count = g.things.count,
                                .floors = g.floors.items,
                                .holes = g.holes.items,
                                .units = g.units.items,
                                .boxes = g.boxes.items,
                                .things = g.things.items};
    snprintf(scene->name, sizeof scene->name, "%s of %d", kind, size);
    *out = scene;
    return LOPE_OK;
}
