// SPDX-License-Identifier: MIT
// Nodes: free ground at points of a fine grid, and whether borders lie between neighbours. Free grounds of one column
// are a body's height apart, so that at most one node of the next column is near enough to go on.
#include "level/floors.h"

typedef struct sample {
    ground_layer layer;
    int column;
} sample;

// ---- blocks

static uint32_t block_hash(int x, int z)
{
    uint32_t h = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)z * 0x85EBCA77u;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    return h ^ h >> 13;
}

static int *block_slot(const lope_floors *f, int x, int z)
{
    uint32_t mask = (uint32_t)f->table_size - 1u;
    for (uint32_t i = block_hash(x, z) & mask;; i = (i + 1u) & mask) {
        int block = f->table[i] - 1;
        if (block < 0 || (f->blocks[block].x == x && f->blocks[block].z == z))
            return &f->table[i];
    }
}

int floors_find_block(const lope_floors *f, int x, int z)
{
    return f->table_size ? *block_slot(f, x, z) - 1 : -1;
}

static bool grow_table(lope_floors *f)
{
    if (2 * (f->block_count + 1) <= f->table_size)
        return true;
    int size = f->table_size ? 2 * f->table_size : 64;
    int *table = lope_alloc_zero((size_t)size * sizeof *table);
    if (!table)
        return false;
    lope_free(f->table);
    f->table = table, f->table_size = size;
    for (int i = 0; i < f->block_count; i++)
        *block_slot(f, f->blocks[i].x, f->blocks[i].z) = i + 1;
    return true;
}

int floors_make_block(lope_floors *f, int x, int z)
{
    int found = floors_find_block(f, x, z);
    if (found >= 0)
        return found;
    if (f->block_count == f->block_room) {
        int room = f->block_room ? 2 * f->block_room : 16;
        void *grown = lope_grow(f->blocks, (size_t)f->block_room * sizeof *f->blocks, (size_t)room * sizeof *f->blocks);
        if (!grown)
            return -1;
        f->blocks = grown, f->block_room = room;
    }
    if (f->block_count == FLOORS_BLOCKS || !grow_table(f))
        return -1;
    int *slot = block_slot(f, x, z), made = f->block_count++;
    *slot = made + 1;
    memset(&f->blocks[made], 0, sizeof *f->blocks);
    f->blocks[made].x = x, f->blocks[made].z = z;
    for (int side = 0; side < 4; side++) {
        int other = floors_find_block(f, x + (side == 0) - (side == 2), z + (side == 1) - (side == 3));
        f->blocks[made].next[side] = other;
        if (other >= 0)
            f->blocks[other].next[(side + 2) % 4] = made;
    }
    return made;
}

// ---- sampling

void tile_scratch_free(tile_scratch *scratch)
{
    ground_tile_free(&scratch->tile);
    lope_free(scratch->samples.items), lope_free(scratch->layers.items), lope_free(scratch->nodes.items);
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

// Samples of one surface in the columns of a tile, which are those of a block from `left` and `down` on.
static void take_samples(const surface *s, const floor_block *block, plan_rect columns, tile_scratch *scratch)
{
    int left = block->x * BLOCK_NODES, down = block->z * BLOCK_NODES;
    double low = fmin(fmin(s->corners[0].z, s->corners[1].z), s->corners[2].z);
    double high = fmax(fmax(s->corners[0].z, s->corners[1].z), s->corners[2].z);
    int first = clamp(node_column_before(low) - down, columns.z0, columns.z1 + 1);
    int last = clamp(node_column_before(high) - down, columns.z0 - 1, columns.z1);
    for (int row = first; row <= last; row++) {
        span along;
        if (!section_span(s, (point2){0.0, (double)node_place(down + row)}, (point2){1.0, 0.0}, &along))
            continue;
        int from = clamp(node_column_before(along.from) - left, columns.x0 - 1, columns.x1) + 1;
        int to = clamp(node_column_before(along.to) - left, columns.x0 - 1, columns.x1);
        for (int i = from; i <= to; i++) {
            double y = along.y + along.slope * (double)node_place(left + i);
            sample one = {{.y = y, .solid = s->solid, .surface = s->triangle, .flat = s->flat, .piece = s->piece},
                          row * BLOCK_NODES + i};
            scratch->failed |= !list_add(&scratch->samples, &one, sizeof one);
        }
    }
}

static void look_at_tile(const lope_floors *f, floor_block *block, int x, int z, tile_scratch *scratch)
{
    ground_tile *tile = &scratch->tile;
    int tile_x = block->x * BLOCK_TILES + x, tile_z = block->z * BLOCK_TILES + z;
    list borders = {0};
    scratch->failed |= !ground_tile_open(tile, lope_level_terrain(f->level), &f->body, tile_x, tile_z) ||
                       !ground_tile_borders(tile, &borders);
    for (int i = 0; i < borders.count; i++) {
        found_border one = {((ground_border *)borders.items)[i], tile_x, tile_z};
        scratch->failed |= !list_add(scratch->found, &one, sizeof one);
    }
    block->open[z * BLOCK_TILES + x] = open_cells(tile, borders.items, borders.count);
    lope_free(borders.items);
    const surface *s = tile->surfaces.items;
    const plan_rect columns = {x * TILE_NODES, z * TILE_NODES, (x + 1) * TILE_NODES - 1, (z + 1) * TILE_NODES - 1};
    for (int i = 0; i < tile->surfaces.count && !scratch->failed; i++)
        if (!s[i].thin)
            take_samples(&s[i], block, columns, scratch);
    block->plain[z * BLOCK_TILES + x] = plain_cells(tile);
}

// Puts samples in the order of their columns: first[column] is where those of a column begin.
static bool sort_samples(tile_scratch *scratch, int first[BLOCK_COLUMNS + 1])
{
    const sample *samples = scratch->samples.items;
    list *layers = &scratch->layers;
    memset(first, 0, (BLOCK_COLUMNS + 1) * sizeof *first);
    for (int i = 0; i < scratch->samples.count; i++)
        first[samples[i].column + 1]++;
    for (int i = 0; i < BLOCK_COLUMNS; i++)
        first[i + 1] += first[i];
    if (!list_resize(layers, scratch->samples.count, sizeof(ground_layer)))
        return false;
    for (int i = scratch->samples.count - 1; i >= 0; i--)
        ((ground_layer *)layers->items)[--first[samples[i].column + 1]] = samples[i].layer;
    for (int i = 0; i < BLOCK_COLUMNS; i++)
        first[i] = first[i + 1];
    first[BLOCK_COLUMNS] = scratch->samples.count;
    return true;
}

static const floor_node *old_node(const floor_block *block, int column, float y)
{
    for (int i = block->first[column]; i < block->first[column + 1]; i++)
        if (fabsf(block->nodes[i].y - y) < 1e-4f)
            return &block->nodes[i];
    return NULL;
}

// Nodes of a column whose layers begin at from[column].
static void add_column(const lope_floors *f, const floor_block *block, int column, const int *from,
                       tile_scratch *scratch)
{
    const int count = from[column + 1] - from[column], before = block->first[column + 1] - block->first[column];
    ground_layer *layers = count ? (ground_layer *)scratch->layers.items + from[column] : NULL;
    int found = 0, kept = 0;
    if (count)
        ground_sort(layers, count);
    for (int i = 0; i < count && found < NODE_LAYERS; i++) {
        if (!ground_is_free(&f->body, layers, count, i))
            continue;
        const floor_node *old = old_node(block, column, (float)layers[i].y);
        floor_node node = old ? *old : (floor_node){.floor = -1, .column = (uint16_t)column};
        node.y = (float)layers[i].y;
        node.piece = layers[i].piece, node.triangle = layers[i].surface;
        scratch->failed |= !list_add(&scratch->nodes, &node, sizeof node);
        found++, kept += old != NULL;
    }
    if (found != before || kept != before)
        plan_add(&scratch->changed, block->x * BLOCK_NODES + column % BLOCK_NODES,
                 block->z * BLOCK_NODES + column / BLOCK_NODES);
}

// Keeps the nodes of a tile's row as they are.
static void keep_columns(const floor_block *block, int column, uint16_t *first, tile_scratch *scratch)
{
    const int begin = block->first[column], count = block->first[column + TILE_NODES] - begin;
    const int shift = scratch->nodes.count - begin;
    for (int i = column; i < column + TILE_NODES; i++)
        first[i] = (uint16_t)(block->first[i] + shift);
    scratch->failed |= !list_add_all(&scratch->nodes, count ? &block->nodes[begin] : NULL, count, sizeof *block->nodes);
}

static void put_nodes(floor_block *block, const uint16_t *first, tile_scratch *scratch)
{
    const list *nodes = &scratch->nodes;
    if (nodes->count > block->node_room) {
        floor_node *room = lope_alloc_array((size_t)nodes->count, sizeof *room);
        if (!room) {
            scratch->failed = true;
            return;
        }
        lope_free(block->nodes);
        block->nodes = room, block->node_room = nodes->count;
    }
    if (nodes->count)
        memcpy(block->nodes, nodes->items, (size_t)nodes->count * sizeof(floor_node));
    block->node_count = nodes->count;
    memcpy(block->first, first, sizeof block->first);
}

void nodes_fill(const lope_floors *f, floor_block *block, plan_rect tiles, tile_scratch *scratch, list *found)
{
    uint16_t first[BLOCK_COLUMNS + 1];
    int from[BLOCK_COLUMNS + 1];
    scratch->samples.count = scratch->nodes.count = 0;
    scratch->found = found;
    for (int z = tiles.z0; z <= tiles.z1; z++)
        for (int x = tiles.x0; x <= tiles.x1; x++)
            look_at_tile(f, block, x, z, scratch);
    if (scratch->failed || !sort_samples(scratch, from)) {
        scratch->failed = true;
        return;
    }
    for (int column = 0; column < BLOCK_COLUMNS; column += TILE_NODES) { // a row of a tile
        const int x = column % BLOCK_NODES / TILE_NODES, z = column / BLOCK_NODES / TILE_NODES;
        if (x < tiles.x0 || x > tiles.x1 || z < tiles.z0 || z > tiles.z1) {
            keep_columns(block, column, first, scratch);
            continue;
        }
        for (int i = column; i < column + TILE_NODES; i++) {
            first[i] = (uint16_t)scratch->nodes.count;
            add_column(f, block, i, from, scratch);
        }
    }
    first[BLOCK_COLUMNS] = (uint16_t)scratch->nodes.count;
    if (!scratch->failed)
        put_nodes(block, first, scratch);
}

// ---- neighbours

bool nodes_of_column(const lope_floors *f, int x, int z, node_ref *first, int *count)
{
    int bx = div_down(x, BLOCK_NODES), bz = div_down(z, BLOCK_NODES), block = floors_find_block(f, bx, bz);
    *count = 0;
    if (block < 0)
        return false;
    const uint16_t *start = &f->blocks[block].first[(z - bz * BLOCK_NODES) * BLOCK_NODES + x - bx * BLOCK_NODES];
    *first = (node_ref){block, start[0]};
    *count = start[1] - start[0];
    return *count > 0;
}

bool nodes_near(const lope_floors *f, int x, int z, float y, node_ref *out)
{
    int bx = div_down(x, BLOCK_NODES), bz = div_down(z, BLOCK_NODES);
    out->block = floors_find_block(f, bx, bz);
    return out->block >= 0 &&
           node_near_in(&f->blocks[out->block], (z - bz * BLOCK_NODES) * BLOCK_NODES + x - bx * BLOCK_NODES, y, f->near,
                        &out->node);
}

// ---- walls

// Walls where a border crosses lines between nodes; side 0: lines along x, side 1: along z.
static void cross_lines(lope_floors *f, const plan_rect *columns, const lope_floor_border *b, int side)
{
    double from = (double)(side ? b->from.x : b->from.z), to = (double)(side ? b->to.x : b->to.z);
    double other_from = (double)(side ? b->from.z : b->from.x), other_to = (double)(side ? b->to.z : b->to.x);
    int first = node_column_before(fmin(from, to)), last = node_column_before(fmax(from, to));
    for (int line = first; line <= last; line++) {
        double place = (double)node_place(line);
        if ((place < from) == (place < to))
            continue;
        double t = (place - from) / (to - from);
        int before = node_column_before(other_from + t * (other_to - other_from));
        float y = (float)((double)b->from.y + t * (double)(b->to.y - b->from.y));
        int x = side ? line : before, z = side ? before : line;
        node_ref node;
        if (x >= columns->x0 && x <= columns->x1 && z >= columns->z0 && z <= columns->z1 &&
            nodes_near(f, x, z, y, &node))
            f->blocks[node.block].nodes[node.node].walls |= (uint8_t)(1 << side);
    }
}

void nodes_set_walls(lope_floors *f, plan_rect columns)
{
    for (int z = columns.z0; z <= columns.z1; z++)
        for (int x = columns.x0; x <= columns.x1; x++) {
            node_ref first;
            int count;
            if (nodes_of_column(f, x, z, &first, &count))
                for (int i = 0; i < count; i++)
                    f->blocks[first.block].nodes[first.node + i].walls = 0;
        }
    const plan_rect tiles = {div_down(columns.x0, TILE_NODES), div_down(columns.z0, TILE_NODES),
                             div_down(columns.x1 + 1, TILE_NODES), div_down(columns.z1 + 1, TILE_NODES)};
    for (border_walk w = borders_in(f, tiles); borders_next(&w);)
        for (int side = 0; side < 2; side++)
            cross_lines(f, &columns, &f->borders[w.border], side);
}
