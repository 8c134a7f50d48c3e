// SPDX-License-Identifier: MIT
// Bitmaps of climbing worlds (3.4). The covered area of a cell is exact: each polygon is cut into rows, each row into
// cells, and areas are added, which is right because obstacles do not overlap.
#include "grasp/world.h"

#include <string.h>

#include "base/memory.h"

// Keeps the part of a polygon on one side of a line: side * (x or y) <= side * limit. Returns how many corners are
// left.
static int cut(const lope_xy *in, int count, bool by_y, double side, double limit, lope_xy *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        lope_xy a = in[i], b = in[(i + 1) % count];
        double from = side * ((by_y ? a.y : a.x) - limit), to = side * ((by_y ? b.y : b.x) - limit);
        if (from <= 0.0)
            out[kept++] = a;
        if ((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0))
            out[kept++] = xy_lerp(a, b, from / (from - to));
    }
    return kept;
}

typedef struct coverage {
    lope_grasp_bitmap *map;
    float *area; // [rows * columns] covered part of each cell
    lope_xy *row, *rest, *piece;
} coverage;

static void cover_row(coverage *cover, int row, int count)
{
    const lope_grasp_bitmap *map = cover->map;
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int i = 0; i < count; i++) {
        low = fmin(low, cover->row[i].x);
        high = fmax(high, cover->row[i].x);
    }
    int first = (int)clamp_to(floor((low - map->low.x) / map->cell), 0, map->columns - 1);
    int last = (int)clamp_to(floor((high - map->low.x) / map->cell), 0, map->columns - 1);
    double whole = map->cell * map->cell;
    for (int column = first; column <= last; column++) {
        double x = map->low.x + column * map->cell;
        int left = cut(cover->row, count, false, -1.0, x, cover->rest);
        left = cut(cover->rest, left, false, 1.0, x + map->cell, cover->piece);
        double area = left < 3 ? 0.0 : 0.5 * polygon_area2(&(lope_grasp_polygon){cover->piece, left});
        cover->area[(size_t)row * (size_t)map->columns + (size_t)column] += (float)(area / whole);
    }
}

static void cover_polygon(coverage *cover, const lope_grasp_polygon *polygon)
{
    const lope_grasp_bitmap *map = cover->map;
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int i = 0; i < polygon->count; i++) {
        low = fmin(low, polygon->corners[i].y);
        high = fmax(high, polygon->corners[i].y);
    }
    int first = (int)clamp_to(floor((low - map->low.y) / map->cell), 0, map->rows - 1);
    int last = (int)clamp_to(floor((high - map->low.y) / map->cell), 0, map->rows - 1);
    for (int row = first; row <= last; row++) {
        double y = map->low.y + row * map->cell;
        int left = cut(polygon->corners, polygon->count, true, -1.0, y, cover->rest);
        left = cut(cover->rest, left, true, 1.0, y + map->cell, cover->row);
        if (left >= 3)
            cover_row(cover, row, left);
    }
}

lope_status lope_grasp_bitmap_create(const lope_grasp_world *world, lope_occupancy rule, lope_grasp_bitmap **out,
                                     lope_error *error)
{
    *out = NULL;
    int most = 4;
    for (int i = 0; i < world->obstacle_count; i++)
        most = world->obstacles[i].count > most ? world->obstacles[i].count : most;
    int columns = (int)ceil((world->high.x - world->low.x) / world->cell - 1e-9);
    int rows = (int)ceil((world->high.y - world->low.y) / world->cell - 1e-9);
    size_t cells = (size_t)columns * (size_t)rows;
    lope_grasp_bitmap *map = lope_alloc_zero(sizeof *map);
    coverage cover = {.map = map, .area = lope_alloc_zero(cells * sizeof(float))};
    // Every cut can at most double the corners.
    lope_xy *scratch = lope_alloc_array((size_t)most * 24, sizeof *scratch);
    if (map)
        *map = (lope_grasp_bitmap){world->low, world->cell, columns, rows, lope_alloc_zero(cells)};
    lope_status status = map && map->cells && cover.area && scratch ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        cover.row = scratch;
        cover.rest = scratch + (size_t)most * 8;
        cover.piece = scratch + (size_t)most * 16;
        for (int i = 0; i < world->obstacle_count; i++)
            cover_polygon(&cover, &world->obstacles[i]);
        double limit = rule == LOPE_OCCUPIED_HALF ? 0.5 : 0.0;
        for (size_t i = 0; i < cells; i++)
            map->cells[i] = (double)cover.area[i] > limit + 1e-6;
    }
    lope_free(scratch);
    lope_free(cover.area);
    if (status)
        lope_grasp_bitmap_destroy(map);
    else
        *out = map;
    return status;
}

void lope_grasp_bitmap_destroy(lope_grasp_bitmap *bitmap)
{
    if (!bitmap)
        return;
    lope_free(bitmap->cells);
    lope_free(bitmap);
}

bool lope_grasp_bitmap_occupied(const lope_grasp_bitmap *bitmap, lope_xy at)
{
    double x = (at.x - bitmap->low.x) / bitmap->cell, y = (at.y - bitmap->low.y) / bitmap->cell;
    if (!(x >= 0.0 && y >= 0.0 && x < bitmap->columns && y < bitmap->rows))
        return true;
    return bitmap->cells[(size_t)y * (size_t)bitmap->columns + (size_t)x];
}

bool lope_grasp_bitmap_blocks(const lope_grasp_bitmap *bitmap, lope_xy a, lope_xy b, double spare_a, double spare_b)
{
    double length = xy_distance(a, b);
    int steps = 1 + (int)(length / (0.5 * bitmap->cell));
    for (int i = 0; i <= steps; i++) {
        double t = (double)i / steps;
        if (t * length < spare_a || (1.0 - t) * length < spare_b)
            continue;
        if (lope_grasp_bitmap_occupied(bitmap, xy_lerp(a, b, t)))
            return true;
    }
    return false;
}
