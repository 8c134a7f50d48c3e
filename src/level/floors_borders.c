// SPDX-License-Identifier: MIT
// Borders as floors keep them: in the lists of their tiles.
#include "level/floors.h"

float border_distance(const lope_floor_border *b, float x, float z, float *part)
{
    float dx = b->to.x - b->from.x, dz = b->to.z - b->from.z, square = dx * dx + dz * dz;
    float t = square > 0.0f ? ((x - b->from.x) * dx + (z - b->from.z) * dz) / square : 0.0f;
    *part = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    dx = b->from.x + *part * dx - x, dz = b->from.z + *part * dz - z;
    return sqrtf(dx * dx + dz * dz);
}

list *borders_of_tile(const lope_floors *f, int x, int z)
{
    int block_x = div_down(x, BLOCK_TILES), block_z = div_down(z, BLOCK_TILES),
        block = floors_find_block(f, block_x, block_z);
    return block < 0 ? NULL
                     : &f->blocks[block].borders[(z - block_z * BLOCK_TILES) * BLOCK_TILES + x - block_x * BLOCK_TILES];
}

border_walk borders_in(const lope_floors *f, plan_rect tiles)
{
    return (border_walk){.f = f, .tiles = tiles, .x = tiles.x0 - 1, .z = tiles.z0};
}

border_walk borders_around(const lope_floors *f, float x, float z, float reach)
{
    plan_rect tiles;
    ground_tile_at((double)(x - reach), (double)(z - reach), &tiles.x0, &tiles.z0);
    ground_tile_at((double)(x + reach), (double)(z + reach), &tiles.x1, &tiles.z1);
    return borders_in(f, tiles);
}

bool borders_next_tile(border_walk *w)
{
    do {
        if (++w->x > w->tiles.x1) {
            w->x = w->tiles.x0;
            w->z++;
        }
        if (w->z > w->tiles.z1)
            return false;
        w->borders = borders_of_tile(w->f, w->x, w->z);
    } while (!w->borders || w->borders->count == 0);
    w->next = 0;
    return true;
}

static bool is_equal(const lope_floor_border *a, const lope_floor_border *b)
{
    return a->from.x == b->from.x && a->from.y == b->from.y && a->from.z == b->from.z && a->to.x == b->to.x &&
           a->to.y == b->to.y && a->to.z == b->to.z &&
           (a->beyond == b->beyond || (isnan(a->beyond) && isnan(b->beyond)));
}

static bool grow(lope_floors *f)
{
    if (f->border_count < f->border_room)
        return true;
    int room = f->border_room ? 2 * f->border_room : 256;
    void *borders =
        lope_grow(f->borders, (size_t)f->border_room * sizeof *f->borders, (size_t)room * sizeof *f->borders);
    if (borders)
        f->borders = borders;
    void *homes = lope_grow(f->homes, (size_t)f->border_room * sizeof *f->homes, (size_t)room * sizeof *f->homes);
    if (homes)
        f->homes = homes;
    if (borders && homes)
        f->border_room = room;
    return borders && homes;
}

static void note(plan_rect *columns, const lope_floor_border *b)
{
    plan_add(columns, node_column_before((double)fminf(b->from.x, b->to.x)),
             node_column_before((double)fminf(b->from.z, b->to.z)));
    plan_add(columns, node_column_before((double)fmaxf(b->from.x, b->to.x)) + 1,
             node_column_before((double)fmaxf(b->from.z, b->to.z)) + 1);
}

static bool add(lope_floors *f, const found_border *found, plan_rect *columns)
{
    const ground_border *g = &found->border;
    const lope_floor_border b = {
        {g->from.x, g->from_y, g->from.z}, {g->to.x, g->to_y, g->to.z}, g->other, g->piece, g->triangle, -1};
    if (!grow(f))
        return false;
    list *borders = borders_of_tile(f, found->x, found->z);
    for (int i = 0; columns && i < borders->count; i++) {
        int old = ((int *)borders->items)[i];
        if (!f->homes[old].kept && is_equal(&f->borders[old], &b)) {
            f->borders[old].piece = b.piece, f->borders[old].triangle = b.triangle;
            return f->homes[old].kept = true;
        }
    }
    int number = f->border_count;
    if (!list_add(borders, &number, sizeof number))
        return false;
    f->borders[number] = b;
    f->homes[number] = (floor_home){.x = found->x, .z = found->z, .slot = borders->count - 1, .kept = true};
    f->border_count++;
    if (columns)
        note(columns, &b);
    return true;
}

static void drop(lope_floors *f, int number, plan_rect *columns)
{
    note(columns, &f->borders[number]);
    spaces_drop_border(f, number);
    const floor_home *home = &f->homes[number];
    list *borders = borders_of_tile(f, home->x, home->z);
    int *numbers = borders->items, moved = numbers[--borders->count];
    numbers[home->slot] = moved;
    f->homes[moved].slot = home->slot;
    int last = --f->border_count;
    if (number == last)
        return;
    f->borders[number] = f->borders[last];
    home = &f->homes[number];
    f->homes[number] = f->homes[last];
    ((int *)borders_of_tile(f, home->x, home->z)->items)[home->slot] = number;
}

// Marks the borders of tiles as gone unless they come again, or drops those that did not.
static void each_old(lope_floors *f, const plan_rect *tiles, plan_rect *columns, bool end)
{
    for (int z = tiles->z0; z <= tiles->z1; z++)
        for (int x = tiles->x0; x <= tiles->x1; x++) {
            const list *borders = borders_of_tile(f, x, z);
            for (int i = borders->count - 1; i >= 0; i--) {
                int number = ((int *)borders->items)[i];
                if (end && !f->homes[number].kept)
                    drop(f, number, columns);
                else
                    f->homes[number].kept = end;
            }
        }
}

bool borders_add(lope_floors *f, const list *found, const plan_rect *tiles, plan_rect *columns)
{
    bool fine = true;
    if (tiles)
        each_old(f, tiles, columns, false);
    for (int i = 0; i < found->count && fine; i++)
        fine = add(f, &((found_border *)found->items)[i], columns);
    if (tiles)
        each_old(f, tiles, columns, true);
    return fine;
}
