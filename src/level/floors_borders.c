// SPDX-License-Identifier: MIT
// Borders as floors keep them: in the lists of their blocks.
#include "level/floors.h"

float border_distance(const lope_floor_border *b, float x, float z, float *part)
{
    float dx = b->to.x - b->from.x, dz = b->to.z - b->from.z, square = dx * dx + dz * dz;
    float t = square > 0.0f ? ((x - b->from.x) * dx + (z - b->from.z) * dz) / square : 0.0f;
    *part = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    dx = b->from.x + *part * dx - x, dz = b->from.z + *part * dz - z;
    return sqrtf(dx * dx + dz * dz);
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

static bool add(lope_floors *f, const found_border *found, bool renewed)
{
    const ground_border *g = &found->border;
    const lope_floor_border b = {
        {g->from.x, g->from_y, g->from.z}, {g->to.x, g->to_y, g->to.z}, g->other, g->piece, g->triangle, -1};
    int block = floors_make_block(f, div_down(found->x, BLOCK_TILES), div_down(found->z, BLOCK_TILES));
    if (block < 0 || !grow(f))
        return false;
    list *borders = &f->blocks[block].borders;
    for (int i = 0; renewed && i < borders->count; i++) {
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
    f->homes[number] =
        (floor_home){.block = block, .slot = borders->count - 1, .x = found->x, .z = found->z, .kept = true};
    f->border_count++;
    return true;
}

static void drop(lope_floors *f, int number)
{
    spaces_drop_border(f, number);
    floor_home *home = &f->homes[number];
    list *borders = &f->blocks[home->block].borders;
    int *numbers = borders->items, moved = numbers[--borders->count];
    numbers[home->slot] = moved;
    f->homes[moved].slot = home->slot;
    int last = --f->border_count;
    if (number == last)
        return;
    f->borders[number] = f->borders[last];
    f->homes[number] = f->homes[last];
    ((int *)f->blocks[f->homes[number].block].borders.items)[f->homes[number].slot] = number;
}

// Marks the borders of tiles as gone unless they come again, or drops those that did not.
static void each_old(lope_floors *f, const plan_rect *tiles, bool end)
{
    for (int z = div_down(tiles->z0, BLOCK_TILES); z <= div_down(tiles->z1, BLOCK_TILES); z++)
        for (int x = div_down(tiles->x0, BLOCK_TILES); x <= div_down(tiles->x1, BLOCK_TILES); x++) {
            int block = floors_find_block(f, x, z);
            for (int i = block < 0 ? -1 : f->blocks[block].borders.count - 1; i >= 0; i--) {
                int number = ((int *)f->blocks[block].borders.items)[i];
                floor_home *home = &f->homes[number];
                if (home->x < tiles->x0 || home->x > tiles->x1 || home->z < tiles->z0 || home->z > tiles->z1)
                    continue;
                if (end && !home->kept)
                    drop(f, number);
                else
                    home->kept = end;
            }
        }
}

bool borders_add(lope_floors *f, const list *found, const plan_rect *tiles)
{
    bool fine = true;
    if (tiles)
        each_old(f, tiles, false);
    for (int i = 0; i < found->count && fine; i++)
        fine = add(f, &((found_border *)found->items)[i], tiles != NULL);
    if (tiles)
        each_old(f, tiles, true);
    return fine;
}
