// SPDX-License-Identifier: MIT
// Plain cells: squares of the plan, one around each column of nodes, over which every surface is level and reaches all
// over the square. Ground is the same everywhere in one: what is known at its nodes is known at once at any other
// point.
#include "level/floors.h"

#define BESIDE 0.002 // metres around lines: borders may lie that far off
#define CROWDED 128  // surfaces of a tile that has hardly any plain cells

// Cells of a tile from one place to another along an axis, as a bit each; places count from the tile's side.
static unsigned cells_between(double from, double to)
{
    if (to < 0.0 || from >= GROUND_TILE)
        return 0;
    const int first = from > 0.0 ? (int)(from / NODE_CELL) : 0,
              last = to < GROUND_TILE ? (int)(to / NODE_CELL) : TILE_NODES - 1;
    return (0xFFu << first) & (0xFFu >> (TILE_NODES - 1 - last));
}

static uint64_t cells_in(const ground_tile *tile, const frame *f)
{
    const unsigned columns = cells_between(f->low_x - tile->low_x - BESIDE, f->high_x - tile->low_x + BESIDE);
    const unsigned rows = cells_between(f->low_z - tile->low_z - BESIDE, f->high_z - tile->low_z + BESIDE);
    uint64_t cells = columns * UINT64_C(0x0101010101010101); // in all rows
    if (!rows)
        return 0;
    cells &= UINT64_MAX << TILE_NODES * __builtin_ctz(rows);
    return cells & UINT64_MAX >> TILE_NODES * (TILE_NODES - 32 + __builtin_clz(rows));
}

// Cells that a line goes through.
static uint64_t cells_on(const ground_tile *tile, point2 a, point2 b)
{
    const point2 low = a.z < b.z ? a : b, high = a.z < b.z ? b : a;
    const double from = low.z - tile->low_z, to = high.z - tile->low_z, x = low.x - tile->low_x,
                 slope = to > from ? (high.x - low.x) / (to - from) : 0.0;
    const unsigned rows = cells_between(from - BESIDE, to + BESIDE);
    uint64_t cells = 0;
    for (int row = 0; row < TILE_NODES; row++) {
        if (!(rows >> row & 1))
            continue;
        const double begin = section_most(from, NODE_CELL * row - BESIDE),
                     end = section_least(to, NODE_CELL * (row + 1) + BESIDE);
        double one = x + slope * (begin - from), other = x + slope * (end - from);
        if (to - from < BESIDE) // along the row
            one = x, other = high.x - tile->low_x;
        cells |= (uint64_t)cells_between(section_least(one, other) - BESIDE, section_most(one, other) + BESIDE)
                 << (TILE_NODES * row);
    }
    return cells;
}

uint64_t open_cells(const ground_tile *tile, const ground_border *borders, int count)
{
    uint64_t closed = 0;
    for (int i = 0; i < count && ~closed; i++)
        closed |= cells_on(tile, (point2){(double)borders[i].from.x, (double)borders[i].from.z},
                           (point2){(double)borders[i].to.x, (double)borders[i].to.z});
    return ~closed;
}

uint64_t plain_cells(const ground_tile *tile)
{
    const surface *s = tile->surfaces.items;
    uint64_t rough = tile->surfaces.count > CROWDED ? UINT64_MAX : 0;
    for (int i = 0; i < tile->surfaces.count && ~rough; i++, s++) {
        const uint64_t around = cells_in(tile, &s->around);
        if (!(around & ~rough))
            continue;
        if (__builtin_popcountll(around) <= 4 || s->doubled || s->slope_x != 0.0 || s->slope_z != 0.0)
            rough |= around; // a triangle that covers a whole cell reaches into more than four
        else
            for (int k = 0; k < 3; k++)
                rough |= cells_on(tile, s->corners[k], s->corners[(k + 1) % 3]);
    }
    return ~rough;
}

// The cell along an axis that a place is in; *beside: a node of the next cell may be nearer.
static int cell_of(float place, bool *beside)
{
    const double cells = ((double)place - GROUND_SHIFT) / NODE_CELL;
    const int cell = (int)cells - (cells < (double)(int)cells);
    *beside |= cells - cell > 0.98;
    return cell;
}

typedef struct cell {
    int block, tile, bit, column;
} cell;

// False where there is no block, or another cell's node may be nearer.
static bool find_cell(const lope_floors *f, float x, float z, cell *out)
{
    bool beside = false;
    const int column_x = cell_of(x, &beside), column_z = cell_of(z, &beside);
    const int block_x = div_down(column_x, BLOCK_NODES), block_z = div_down(column_z, BLOCK_NODES);
    const int in_x = column_x - block_x * BLOCK_NODES, in_z = column_z - block_z * BLOCK_NODES;
    *out = (cell){beside ? -1 : floors_find_block(f, block_x, block_z),
                  in_z / TILE_NODES * BLOCK_TILES + in_x / TILE_NODES,
                  in_z % TILE_NODES * TILE_NODES + in_x % TILE_NODES, in_z * BLOCK_NODES + in_x};
    return out->block >= 0;
}

bool plain_column(const lope_floors *f, float x, float z, node_ref *first, int *count)
{
    cell c;
    if (lope_level_changes(f->level) != f->changes || !find_cell(f, x, z, &c))
        return false;
    const floor_block *b = &f->blocks[c.block];
    *first = (node_ref){c.block, b->first[c.column]};
    *count = b->first[c.column + 1] - first->node;
    return (b->plain[c.tile] >> c.bit & 1) && *count < NODE_LAYERS;
}

bool open_node(const lope_floors *f, lope_vec3 at, node_ref *out)
{
    cell c;
    if (!find_cell(f, at.x, at.z, &c))
        return false;
    const floor_block *b = &f->blocks[c.block];
    out->block = c.block;
    return (b->open[c.tile] >> c.bit & 1) && node_near_in(b, c.column, at.y, f->near, &out->node);
}
