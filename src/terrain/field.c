// SPDX-License-Identifier: MIT
// Height fields. Leaves are blocks of 2 x 2 cells, which are eight triangles, made from nine heights when they are
// looked at; the tree over them knows the lowest and highest sample of each block. What lies below a point needs no
// tree: the cell follows from the place.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "terrain/terrain.h"

typedef struct block_range {
    int x, z, wide, deep; // in blocks
} block_range;

static block_range all_blocks(const terrain_piece *piece)
{
    return (block_range){0, 0, piece->columns / 2, piece->rows / 2}; // half of the cells, rounded up
}

static lope_vec3 sample_at(const terrain_piece *piece, int column, int row)
{
    return lope_v3(piece->origin.x + (float)column * piece->cell,
                   piece->heights[(size_t)row * (size_t)piece->columns + (size_t)column],
                   piece->origin.z + (float)row * piece->cell);
}

static bool whole(const lope_vec3 corners[3])
{
    return !isnan(corners[0].y) && !isnan(corners[1].y) && !isnan(corners[2].y);
}

// Both triangles of a cell. The first lies towards +x, the second towards +z.
static void cell_triangles(const terrain_piece *piece, int column, int row, lope_vec3 first[3], lope_vec3 second[3])
{
    first[0] = second[0] = sample_at(piece, column, row);
    first[1] = second[2] = sample_at(piece, column + 1, row + 1);
    first[2] = sample_at(piece, column + 1, row);
    second[1] = sample_at(piece, column, row + 1);
}

void terrain_field_leaf(const terrain_piece *piece, int leaf, terrain_leaf *out)
{
    int column = leaf % piece->blocks_x * 2, row = leaf / piece->blocks_x * 2;
    for (int i = 0; i < 4; i++) {
        int c = column + (i & 1), r = row + (i >> 1);
        lope_vec3 first[3], second[3];
        bool inside = c < piece->columns - 1 && r < piece->rows - 1;
        if (inside)
            cell_triangles(piece, c, r, first, second);
        int id = 2 * (r * (piece->columns - 1) + c);
        terrain_leaf_set(out, 2 * i, first, inside && whole(first) ? id : -1);
        terrain_leaf_set(out, 2 * i + 1, second, inside && whole(second) ? id + 1 : -1);
    }
}

void terrain_field_corners(const terrain_piece *piece, int id, lope_vec3 corners[3])
{
    int cell = id / 2, column = cell % (piece->columns - 1), row = cell / (piece->columns - 1);
    lope_vec3 first[3], second[3];
    cell_triangles(piece, column, row, first, second);
    memcpy(corners, id % 2 ? second : first, sizeof first);
}

int terrain_field_triangle(const terrain_piece *piece, const terrain_spot *spot, lope_vec3 *a, lope_vec3 *ab,
                           lope_vec3 *ac)
{
    int column = spot->leaf % piece->blocks_x * 2 + (spot->lane >> 1 & 1);
    int row = spot->leaf / piece->blocks_x * 2 + (spot->lane >> 2), second = spot->lane & 1;
    lope_vec3 diagonal = sample_at(piece, column + 1, row + 1);
    *a = sample_at(piece, column, row);
    *ab = lope_v3_sub(second ? sample_at(piece, column, row + 1) : diagonal, *a);
    *ac = lope_v3_sub(second ? diagonal : sample_at(piece, column + 1, row), *a);
    return 2 * (row * (piece->columns - 1) + column) + second;
}

// The cell under a coordinate and how far into it. Places on the far rim belong to the last cell.
static bool locate(float offset, float per_metre, int cells, int *cell, float *fraction)
{
    float at = offset * per_metre;
    if (!(at >= -1e-5f && at <= (float)cells + 1e-5f))
        return false;
    int index = (int)at;
    index = index < 0 ? 0 : index >= cells ? cells - 1 : index;
    *cell = index;
    *fraction = fminf(fmaxf(at - (float)index, 0.0f), 1.0f);
    return true;
}

bool terrain_field_at(const terrain_piece *piece, float x, float z, terrain_spot *out)
{
    int column, row;
    float u, v;
    if (!locate(x - piece->origin.x, piece->per_metre, piece->columns - 1, &column, &u) ||
        !locate(z - piece->origin.z, piece->per_metre, piece->rows - 1, &row, &v))
        return false;
    const float *near = piece->heights + (size_t)row * (size_t)piece->columns + column, *far = near + piece->columns;
    bool second = v > u;
    float a = near[0], b = second ? far[0] : far[1], c = second ? far[1] : near[1];
    out->leaf = row / 2 * piece->blocks_x + column / 2;
    out->lane = 4 * (row & 1) + 2 * (column & 1) + second;
    out->v = second ? v - u : v;
    out->w = second ? u : u - v;
    out->y = a + out->v * (b - a) + out->w * (c - a);
    return !isnan(out->y);
}

static int32_t make(terrain_piece *piece, block_range r, terrain_box *box);

static void add_child(terrain_piece *piece, int index, int lane, block_range r, terrain_box *box)
{
    terrain_box child_box;
    int32_t child = make(piece, r, &child_box);
    piece->nodes[index].children[lane] = child;
    terrain_set_lane_box(piece->nodes[index].boxes[0], lane, &child_box);
    terrain_box_join(box, &child_box);
}

// Three times half of what is longer: up to eight parts, each no less than a block.
static int split(block_range whole_range, block_range parts[8])
{
    int count = 1;
    parts[0] = whole_range;
    for (int level = 0; level < 3; level++)
        for (int i = count - 1; i >= 0; i--) {
            block_range r = parts[i], other = r;
            if (r.wide * r.deep < 2)
                continue;
            if (r.wide >= r.deep) {
                parts[i].wide = r.wide / 2;
                other.x += r.wide / 2;
                other.wide -= r.wide / 2;
            } else {
                parts[i].deep = r.deep / 2;
                other.z += r.deep / 2;
                other.deep -= r.deep / 2;
            }
            parts[count++] = other;
        }
    return count;
}

static int32_t make(terrain_piece *piece, block_range r, terrain_box *box)
{
    if (r.wide == 1 && r.deep == 1) {
        terrain_leaf leaf;
        int index = r.z * piece->blocks_x + r.x;
        terrain_field_leaf(piece, index, &leaf);
        for (int i = 0; i < 8; i++)
            piece->triangle_count += leaf.ids[i] >= 0;
        *box = terrain_leaf_box(&leaf);
        return ~index;
    }
    block_range parts[8];
    int count = split(r, parts), index = piece->node_count++;
    const terrain_box nothing = terrain_box_empty();
    *box = nothing;
    for (int i = 0; i < 8; i++)
        if (i < count) {
            add_child(piece, index, i, parts[i], box);
        } else {
            piece->nodes[index].children[i] = 0;
            terrain_set_lane_box(piece->nodes[index].boxes[0], i, &nothing);
        }
    return index;
}

// Blocks that a change of samples touches: [first, last] along x and z.
typedef struct block_window {
    int x0, x1, z0, z1;
} block_window;

static bool meets(const block_window *window, block_range r)
{
    return r.x <= window->x1 && window->x0 < r.x + r.wide && r.z <= window->z1 && window->z0 < r.z + r.deep;
}

static terrain_box refit(terrain_piece *piece, int32_t child, block_range r, const block_window *window)
{
    if (child < 0) {
        terrain_leaf leaf;
        terrain_field_leaf(piece, ~child, &leaf);
        return terrain_leaf_box(&leaf);
    }
    terrain_node *node = &piece->nodes[child];
    block_range parts[8];
    int count = split(r, parts);
    terrain_box all = terrain_box_empty();
    for (int i = 0; i < count; i++) {
        terrain_box box = terrain_lane_box(node->boxes[0], i);
        if (meets(window, parts[i])) {
            box = refit(piece, node->children[i], parts[i], window);
            terrain_set_lane_box(node->boxes[0], i, &box);
        }
        terrain_box_join(&all, &box);
    }
    return all;
}

// A sample belongs to the cells before and behind it.
void terrain_field_refit(terrain_piece *piece, lope_terrain_cells cells)
{
    block_window window = {(cells.column - 1) / 2, (cells.column + cells.columns - 1) / 2, (cells.row - 1) / 2,
                           (cells.row + cells.rows - 1) / 2};
    piece->bounds = refit(piece, piece->root, all_blocks(piece), &window);
}

static int count_nodes(block_range r)
{
    block_range parts[8];
    if (r.wide == 1 && r.deep == 1)
        return 0;
    int count = split(r, parts), nodes = 1;
    for (int i = 0; i < count; i++)
        nodes += count_nodes(parts[i]);
    return nodes;
}

lope_status terrain_build_field(terrain_piece *piece, lope_error *error)
{
    block_range all = all_blocks(piece);
    piece->blocks_x = all.wide;
    piece->leaf_count = all.wide * all.deep;
    piece->nodes = lope_alloc_array((size_t)count_nodes(all), sizeof *piece->nodes);
    if (!piece->nodes)
        return lope_fail_memory(error);
    piece->root = make(piece, all, &piece->bounds);
    if (piece->triangle_count == 0)
        return lope_fail(error, LOPE_BAD_DATA,
                         "a height field needs at least one triangle; all of its cells are holes");
    return LOPE_OK;
}
