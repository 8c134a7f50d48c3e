// SPDX-License-Identifier: MIT
// Borders by tile: those of each block of the floors, copied, in an order that depends on their places alone. After a
// change only the blocks that it touches are copied again.
#include "level/border_index.h"

#include <stdlib.h>

#include "level/edge.h"

static int compare_borders(const void *first, const void *second)
{
    const links_border *a = first, *b = second;
    if (a->tile != b->tile)
        return a->tile - b->tile;
    const int order = place_order(a->from, b->from);
    return order ? order : place_order(a->to, b->to);
}

// The box around borders that only one of two sorted lists has.
static void add_changed(const list *before, const list *after, terrain_box *changed)
{
    const links_border *a = before->items, *b = after->items;
    for (int i = 0, k = 0; i < before->count || k < after->count;) {
        const int order = i == before->count ? 1 : k == after->count ? -1 : compare_borders(&a[i], &b[k]);
        const links_border *one = order < 0 ? &a[i] : order > 0 ? &b[k] : NULL;
        if (one) {
            terrain_box_add(changed, one->from);
            terrain_box_add(changed, one->to);
        }
        i += order <= 0, k += order >= 0;
    }
}

bool border_index_renew(border_index *index, int block, terrain_box *changed)
{
    const lope_floors *f = index->floors;
    const floor_block *b = &f->blocks[block];
    border_block *out = &index->blocks[block];
    const list before = out->borders;
    if (changed)
        out->borders = (list){0};
    out->borders.count = 0;
    out->failed = false;
    for (int tile = 0; tile < BORDER_TILES; tile++)
        for (int i = 0; i < b->borders[tile].count; i++) {
            const lope_floor_border *border = &f->borders[((const int *)b->borders[tile].items)[i]];
            const links_border copy = {border->from, border->to, tile};
            out->failed = out->failed || !list_add(&out->borders, &copy, sizeof copy);
        }
    const links_border *borders = out->borders.items;
    if (out->borders.count > 1)
        qsort(out->borders.items, (size_t)out->borders.count, sizeof *borders, compare_borders);
    for (int tile = 0, i = 0; tile <= BORDER_TILES; tile++) {
        while (i < out->borders.count && borders[i].tile < tile)
            i++;
        out->starts[tile] = i;
    }
    if (changed) {
        add_changed(&before, &out->borders, changed);
        lope_free(before.items);
    }
    return !out->failed;
}

bool border_index_reserve(border_index *index)
{
    const int count = index->floors->block_count;
    if (count <= index->count)
        return true;
    void *grown = lope_grow(index->blocks, (size_t)index->count * sizeof *index->blocks,
                            (size_t)(count + count / 2) * sizeof *index->blocks);
    if (!grown)
        return false;
    index->blocks = grown;
    memset(index->blocks + index->count, 0, (size_t)(count + count / 2 - index->count) * sizeof *index->blocks);
    index->count = count + count / 2;
    return true;
}

void border_index_free(border_index *index)
{
    for (int i = 0; i < index->count; i++)
        lope_free(index->blocks[i].borders.items);
    lope_free(index->blocks);
    *index = (border_index){.floors = index->floors};
}

static bool add_within(const border_block *b, plan_rect tiles, const float box[4], list *out)
{
    const links_border *borders = b->borders.items;
    for (int z = tiles.z0; z <= tiles.z1; z++) // tiles of a row lie side by side in the list
        for (int i = b->starts[z * BLOCK_TILES + tiles.x0]; i < b->starts[z * BLOCK_TILES + tiles.x1 + 1]; i++) {
            const links_border *border = &borders[i];
            const lope_vec3 p = border->from, q = border->to;
            if ((p.x < box[0] && q.x < box[0]) || (p.z < box[1] && q.z < box[1]) || (p.x > box[2] && q.x > box[2]) ||
                (p.z > box[3] && q.z > box[3]))
                continue;
            if (!list_add(out, &border, sizeof border))
                return false;
        }
    return true;
}

bool border_index_find(const border_index *index, point2 low, point2 high, list *out)
{
    const float box[4] = {(float)low.x, (float)low.z, (float)high.x, (float)high.z};
    const ground_tiles t = ground_tiles_of((lope_vec3){box[0], 0.0f, box[1]}, (lope_vec3){box[2], 0.0f, box[3]});
    const plan_rect tiles = {t.x, t.z, t.x + t.columns - 1, t.z + t.rows - 1};
    const int x0 = div_down(tiles.x0, BLOCK_TILES), x1 = div_down(tiles.x1, BLOCK_TILES);
    const int z0 = div_down(tiles.z0, BLOCK_TILES), z1 = div_down(tiles.z1, BLOCK_TILES);
    bool fine = true;
    out->count = 0;
    if (((double)x1 - x0 + 1) * ((double)z1 - z0 + 1) > (double)index->floors->block_count) {
        for (int i = 0; i < index->floors->block_count && fine; i++)
            fine = add_within(&index->blocks[i], (plan_rect){0, 0, BLOCK_TILES - 1, BLOCK_TILES - 1}, box, out);
        return fine;
    }
    for (int z = z0; z <= z1; z++)
        for (int x = x0; x <= x1; x++) {
            const int block = floors_find_block(index->floors, x, z);
            if (block >= 0 && fine)
                fine = add_within(&index->blocks[block], plan_within_block(tiles, x, z, BLOCK_TILES), box, out);
        }
    return fine;
}
