// SPDX-License-Identifier: MIT
// Where to begin to look for the triangle of a point: a fine table of the plan with the triangle that each cell's
// middle is in. Changes leave it as it is. A cell's triangle may then be gone or be another one, which costs steps, and
// is never wrong.
#include <math.h>

#include "base/memory.h"
#include "space/passages.h"

#define CELLS_OF_VERTEX 4
#define SIDE_MAX 1024

// The rectangle around everything that is in the world.
static bool bounds_of(const lope_mesh *mesh, lope_point *low, lope_point *high)
{
    *low = (lope_point){HUGE_VAL, HUGE_VAL}, *high = (lope_point){-HUGE_VAL, -HUGE_VAL};
    for (int i = 4; i < mesh->vertex_count; i++) {
        const lope_point p = mesh->vertices[i].point;
        if (mesh->vertices[i].half_edge < 0)
            continue;
        *low = (lope_point){fmin(low->x, p.x), fmin(low->z, p.z)};
        *high = (lope_point){fmax(high->x, p.x), fmax(high->z, p.z)};
    }
    return low->x < high->x && low->z < high->z;
}

static int side_for(double length, double cell)
{
    const double side = ceil(length / cell);
    return side < 1.0 ? 1 : side > SIDE_MAX ? SIDE_MAX : (int)side;
}

void lope_face_table_make(lope_face_table *table, const lope_mesh *mesh)
{
    lope_point low, high;
    lope_free(table->cells);
    *table = (lope_face_table){0};
    if (!bounds_of(mesh, &low, &high))
        return;
    const double x = high.x - low.x, z = high.z - low.z,
                 cell = fmax(sqrt(x * z / (CELLS_OF_VERTEX * (double)mesh->alive_vertices)), fmax(x, z) / SIDE_MAX);
    const int columns = side_for(x, cell), rows = side_for(z, cell);
    int *cells = lope_alloc_array((size_t)columns * (size_t)rows, sizeof *cells);
    if (!cells) // it is slower without
        return;
    int hint = 0;
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < columns; i++) { // there and back, so that the next cell is beside the last
            const int column = row & 1 ? columns - 1 - i : i;
            const lope_point middle = {low.x + x * (column + 0.5) / columns, low.z + z * (row + 0.5) / rows};
            lope_mesh_face_near(mesh, &hint, middle);
            cells[row * columns + column] = hint;
        }
    *table = (lope_face_table){cells, columns, rows, low, {columns / x, rows / z}};
}

int lope_face_table_near(const lope_face_table *table, const lope_mesh *mesh, lope_point point)
{
    int hint = 0;
    if (table->cells) {
        const double x = (point.x - table->low.x) * table->scale.x, z = (point.z - table->low.z) * table->scale.z;
        const int column = x < 0.0 ? 0 : x < table->columns ? (int)x : table->columns - 1;
        const int row = z < 0.0 ? 0 : z < table->rows ? (int)z : table->rows - 1;
        hint = table->cells[row * table->columns + column];
    }
    return lope_mesh_face_near(mesh, &hint, point);
}
