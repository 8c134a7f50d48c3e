// SPDX-License-Identifier: MIT
// Changing ground. A triangle's box holds its corners, so all triangles of a mesh that change when corners move lie
// where the box of their old places meets the tree: that part is walked to make leaves and boxes fit again.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "terrain/terrain.h"

// ---- meshes

typedef struct refit {
    terrain_piece *piece;
    terrain_box old;     // of the vertices that moved
    terrain_box changed; // of the triangles that did, before and after
} refit;

static void add_lane(terrain_box *box, const terrain_leaf *leaf, int lane)
{
    lope_vec3 a = lope_v3(leaf->a[0][lane], leaf->a[1][lane], leaf->a[2][lane]);
    terrain_box_add(box, a);
    terrain_box_add(box, lope_v3_add(a, lope_v3(leaf->ab[0][lane], leaf->ab[1][lane], leaf->ab[2][lane])));
    terrain_box_add(box, lope_v3_add(a, lope_v3(leaf->ac[0][lane], leaf->ac[1][lane], leaf->ac[2][lane])));
}

static bool same_lane(const terrain_leaf *x, const terrain_leaf *y, int lane)
{
    for (int k = 0; k < 3; k++)
        if (x->a[k][lane] != y->a[k][lane] || x->ab[k][lane] != y->ab[k][lane] || x->ac[k][lane] != y->ac[k][lane])
            return false;
    return true;
}

static terrain_box refit_leaf(refit *work, int index)
{
    terrain_piece *piece = work->piece;
    terrain_leaf *leaf = &piece->leaves[index], before = *leaf;
    for (int i = 0; i < 8; i++) {
        lope_vec3 corners[3];
        int id = leaf->ids[i];
        if (id < 0)
            continue;
        terrain_corners(piece, id, corners);
        terrain_leaf_set(leaf, i, corners, id);
        if (!same_lane(&before, leaf, i)) {
            add_lane(&work->changed, &before, i);
            add_lane(&work->changed, leaf, i);
        }
    }
    return terrain_leaf_box(leaf);
}

static terrain_box refit_child(refit *work, int32_t child)
{
    if (child < 0)
        return refit_leaf(work, ~child);
    terrain_node *node = &work->piece->nodes[child];
    terrain_box all = terrain_box_empty();
    for (int i = 0; i < 8; i++) {
        terrain_box box = terrain_lane_box(node->boxes[0], i);
        if (terrain_box_meets(&box, &work->old)) {
            box = refit_child(work, node->children[i]);
            terrain_set_lane_box(node->boxes[0], i, &box);
        }
        terrain_box_join(&all, &box);
    }
    return all;
}

// Vertices of a mesh that were in `old` have moved: makes it fit, and notes what changed.
static void refit_mesh(lope_terrain *terrain, int piece, const terrain_box *old)
{
    refit work = {&terrain->pieces[piece], *old, terrain_box_empty()};
    if (terrain_box_meets(&work.piece->bounds, old))
        work.piece->bounds = refit_child(&work, work.piece->root);
    terrain_root_update(terrain, piece);
    terrain_note_change(terrain, &work.changed);
}

lope_status lope_terrain_move_vertices(lope_terrain *terrain, int piece, int first, int count,
                                       const lope_vec3 *positions, lope_error *error)
{
    assert(piece >= 0 && piece < terrain->slot_count && terrain->pieces[piece].used);
    terrain_piece *p = &terrain->pieces[piece];
    if (p->is_field)
        return lope_fail(error, LOPE_MISMATCH, "piece %d is a height field and has no vertices to move", piece);
    assert(first >= 0 && count >= 0 && first <= p->vertex_count - count);
    for (int i = 0; i < count; i++) {
        lope_vec3 v = positions[i];
        if (!terrain_near_enough(v.x) || !terrain_near_enough(v.y) || !terrain_near_enough(v.z))
            return lope_fail(error, LOPE_BAD_DATA,
                             "vertex %d would move to (%g, %g, %g); coordinates must be finite and within 100 km",
                             first + i, (double)v.x, (double)v.y, (double)v.z);
    }
    terrain_box old = terrain_box_empty();
    for (int i = 0; i < count; i++) {
        terrain_box_add(&old, p->vertices[first + i]);
        p->vertices[first + i] = positions[i];
    }
    refit_mesh(terrain, piece, &old);
    return LOPE_OK;
}

// ---- height fields

// Triangles around the samples of a rectangle.
static int count_triangles(const terrain_piece *piece, lope_terrain_cells cells)
{
    int count = 0;
    for (int row = cells.row - 1; row < cells.row + cells.rows; row++)
        for (int column = cells.column - 1; column < cells.column + cells.columns; column++) {
            if (row < 0 || column < 0 || row >= piece->rows - 1 || column >= piece->columns - 1)
                continue;
            const float *near = piece->heights + (size_t)row * (size_t)piece->columns + column;
            bool diagonal = !isnan(near[0]) && !isnan(near[piece->columns + 1]);
            count += diagonal && !isnan(near[1]);
            count += diagonal && !isnan(near[piece->columns]);
        }
    return count;
}

static terrain_box ground_of(const terrain_piece *piece, lope_terrain_cells cells)
{
    float x = piece->origin.x, z = piece->origin.z, cell = piece->cell;
    return (terrain_box){
        {x + (float)(cells.column - 1) * cell, INFINITY, z + (float)(cells.row - 1) * cell},
        {x + (float)(cells.column + cells.columns) * cell, -INFINITY, z + (float)(cells.row + cells.rows) * cell}};
}

static void add_heights(terrain_box *box, const terrain_piece *piece, lope_terrain_cells cells)
{
    for (int row = cells.row - 1; row <= cells.row + cells.rows; row++)
        for (int column = cells.column - 1; column <= cells.column + cells.columns; column++) {
            if (row < 0 || column < 0 || row >= piece->rows || column >= piece->columns)
                continue;
            float y = piece->heights[(size_t)row * (size_t)piece->columns + (size_t)column];
            box->low.y = fminf(box->low.y, y); // fminf passes over NaN
            box->high.y = fmaxf(box->high.y, y);
        }
}

// A rectangle of samples is about to change, and has.
static terrain_box field_before(terrain_piece *piece, lope_terrain_cells cells)
{
    terrain_box changed = ground_of(piece, cells);
    add_heights(&changed, piece, cells);
    piece->triangle_count -= count_triangles(piece, cells);
    return changed;
}

static void field_after(lope_terrain *terrain, int piece, lope_terrain_cells cells, terrain_box changed)
{
    terrain_piece *p = &terrain->pieces[piece];
    add_heights(&changed, p, cells);
    p->triangle_count += count_triangles(p, cells);
    terrain_field_refit(p, cells);
    terrain_root_update(terrain, piece);
    terrain_note_change(terrain, &changed);
}

lope_status lope_terrain_set_heights(lope_terrain *terrain, int piece, lope_terrain_cells cells, const float *heights,
                                     lope_error *error)
{
    assert(piece >= 0 && piece < terrain->slot_count && terrain->pieces[piece].used);
    terrain_piece *p = &terrain->pieces[piece];
    if (!p->is_field)
        return lope_fail(error, LOPE_MISMATCH, "piece %d is a mesh and has no heights to set", piece);
    if (cells.columns < 1 || cells.rows < 1 || cells.column < 0 || cells.row < 0 ||
        cells.columns > p->columns - cells.column || cells.rows > p->rows - cells.row)
        return lope_fail(error, LOPE_BAD_DATA, "%d x %d samples from (%d, %d) on are not in a field of %d x %d",
                         cells.columns, cells.rows, cells.column, cells.row, p->columns, p->rows);
    for (int i = 0; i < cells.columns * cells.rows; i++)
        if (!terrain_near_enough(heights[i]) && !isnan(heights[i]))
            return lope_fail(error, LOPE_BAD_DATA, "height %d is %g; heights must be within 100 km, or NaN for a hole",
                             i, (double)heights[i]);
    terrain_box changed = field_before(p, cells);
    for (int row = 0; row < cells.rows; row++)
        memcpy(p->heights + (size_t)(cells.row + row) * (size_t)p->columns + cells.column,
               heights + (size_t)row * (size_t)cells.columns, (size_t)cells.columns * sizeof *heights);
    field_after(terrain, piece, cells, changed);
    return LOPE_OK;
}

// ---- the brush

// 1 in the middle, 0 at the rim, flat at both.
static float weight_of(const lope_terrain_brush *brush, float x, float z)
{
    float dx = (x - brush->centre.x) / brush->radius, dz = (z - brush->centre.z) / brush->radius;
    float rest = 1.0f - (dx * dx + dz * dz);
    return rest > 0.0f ? rest * rest : 0.0f;
}

static terrain_box column_of(const lope_terrain_brush *brush)
{
    return (terrain_box){{brush->centre.x - brush->radius, -INFINITY, brush->centre.z - brush->radius},
                         {brush->centre.x + brush->radius, INFINITY, brush->centre.z + brush->radius}};
}

static void lift_leaf(terrain_piece *piece, int index, const lope_terrain_brush *brush)
{
    const terrain_leaf *leaf = &piece->leaves[index];
    for (int i = 0; i < 24; i++) {
        if (leaf->ids[i / 3] < 0)
            continue;
        int vertex = piece->indices[3 * leaf->ids[i / 3] + i % 3];
        if (piece->stamps[vertex] == piece->stamp)
            continue;
        piece->stamps[vertex] = piece->stamp;
        lope_vec3 *v = &piece->vertices[vertex];
        v->y += brush->height * weight_of(brush, v->x, v->z);
    }
}

static void lift_child(terrain_piece *piece, int32_t child, const terrain_box *column, const lope_terrain_brush *brush)
{
    if (child < 0) {
        lift_leaf(piece, ~child, brush);
        return;
    }
    for (int i = 0; i < 8; i++) {
        terrain_box box = terrain_lane_box(piece->nodes[child].boxes[0], i);
        if (terrain_box_meets(&box, column))
            lift_child(piece, piece->nodes[child].children[i], column, brush);
    }
}

static void raise_mesh(lope_terrain *terrain, int piece, const lope_terrain_brush *brush)
{
    terrain_piece *p = &terrain->pieces[piece];
    terrain_box column = column_of(brush);
    p->stamp++;
    lift_child(p, p->root, &column, brush);
    refit_mesh(terrain, piece, &column);
}

// Samples that a brush may reach along one axis: *first and how many.
static int reach(float centre, float radius, float origin, const terrain_piece *piece, int samples, int *first)
{
    float low = (centre - radius - origin) * piece->per_metre, high = (centre + radius - origin) * piece->per_metre;
    if (high < 0.0f || low > (float)(samples - 1))
        return 0;
    *first = low > 0.0f ? (int)low : 0;
    int last = high < (float)(samples - 1) ? (int)high : samples - 1;
    return last - *first + 1;
}

static void raise_field(lope_terrain *terrain, int piece, const lope_terrain_brush *brush)
{
    terrain_piece *p = &terrain->pieces[piece];
    lope_terrain_cells cells;
    cells.columns = reach(brush->centre.x, brush->radius, p->origin.x, p, p->columns, &cells.column);
    cells.rows = reach(brush->centre.z, brush->radius, p->origin.z, p, p->rows, &cells.row);
    if (cells.columns == 0 || cells.rows == 0)
        return;
    terrain_box changed = field_before(p, cells);
    for (int row = cells.row; row < cells.row + cells.rows; row++)
        for (int column = cells.column; column < cells.column + cells.columns; column++)
            p->heights[(size_t)row * (size_t)p->columns + (size_t)column] +=
                brush->height *
                weight_of(brush, p->origin.x + (float)column * p->cell, p->origin.z + (float)row * p->cell);
    field_after(terrain, piece, cells, changed);
}

lope_status lope_terrain_raise(lope_terrain *terrain, const lope_terrain_brush *brush, lope_error *error)
{
    assert(brush->piece >= -1 && brush->piece < terrain->slot_count);
    if (!terrain_near_enough(brush->centre.x) || !terrain_near_enough(brush->centre.z) ||
        !terrain_near_enough(brush->height) || !(brush->radius > 0.0f) || !terrain_near_enough(brush->radius))
        return lope_fail(error, LOPE_BAD_DATA,
                         "a brush needs finite numbers within 100 km and a radius > 0; found centre (%g, %g), radius "
                         "%g, height %g",
                         (double)brush->centre.x, (double)brush->centre.z, (double)brush->radius,
                         (double)brush->height);
    terrain_box column = column_of(brush);
    for (int pass = 0; pass < 2; pass++) // look at all before touching any
        for (int i = 0; i < terrain->slot_count; i++) {
            const terrain_piece *p = &terrain->pieces[i];
            if (!p->used || (brush->piece >= 0 && brush->piece != i) || !terrain_box_meets(&p->bounds, &column))
                continue;
            if (pass == 0 && !(terrain_near_enough(p->bounds.low.y + brush->height) &&
                               terrain_near_enough(p->bounds.high.y + brush->height)))
                return lope_fail(error, LOPE_BAD_DATA, "lifting piece %d by %g m would take it out of 100 km", i,
                                 (double)brush->height);
            if (pass == 1 && p->is_field)
                raise_field(terrain, i, brush);
            else if (pass == 1)
                raise_mesh(terrain, i, brush);
        }
    return LOPE_OK;
}
