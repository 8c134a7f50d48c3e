// SPDX-License-Identifier: MIT
// Standing places by brute force. Triangles are kept in cells of a quarter of a metre, which is all the cleverness
// there is. Whether a point is inside a solid is told by the solid angle of its part's triangles (Van Oosterom and
// Strackee 1983), not by counting crossings.
#include "bench/level_brute.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CELL 0.25
#define PACE 0.006    // metres from one look to the next
#define CRACK 1e-3    // metres
#define EQUAL 1e-4    // metres of height that do not count
#define DIRECTIONS 96 // at least
#define MOST 4096     // layers, directions

typedef struct vec {
    double x, y, z;
} vec;

typedef struct triangle {
    vec c[3];
    vec normal; // unit, in either direction
    bool flat_enough;
    int part;
} triangle;

typedef struct layer {
    double y;
    bool flat_enough;
} layer;

struct brute_level {
    triangle *t;
    int count, part_count;
    int *part_first; // [part_count + 1] of by_part
    int *by_part;
    vec *part_low, *part_high, *part_area; // areas as vectors: their sum is 0 where nothing is open
    brute_body body;
    double low_x, low_z;
    int columns, rows;
    int *cell_first, *cell_items;
};

static vec minus(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static vec times(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static double size(vec a)
{
    return sqrt(dot(a, a));
}

// ---- making

static int clamp(int v, int most)
{
    return v < 0 ? 0 : v > most ? most : v;
}

static int column_of(const brute_level *l, double x)
{
    return clamp((int)floor((x - l->low_x) / CELL), l->columns - 1);
}
static int row_of(const brute_level *l, double z)
{
    return clamp((int)floor((z - l->low_z) / CELL), l->rows - 1);
}

static void fill_cells(brute_level *l, bool counting)
{
    for (int i = 0; i < l->count; i++) {
        const vec *c = l->t[i].c;
        int x0 = column_of(l, fmin(fmin(c[0].x, c[1].x), c[2].x) - EQUAL),
            x1 = column_of(l, fmax(fmax(c[0].x, c[1].x), c[2].x) + EQUAL);
        int z0 = row_of(l, fmin(fmin(c[0].z, c[1].z), c[2].z) - EQUAL),
            z1 = row_of(l, fmax(fmax(c[0].z, c[1].z), c[2].z) + EQUAL);
        for (int z = z0; z <= z1; z++)
            for (int x = x0; x <= x1; x++) {
                int *at = &l->cell_first[z * l->columns + x];
                if (counting)
                    at[1]++;
                else
                    l->cell_items[(*at)++] = i;
            }
    }
}

static void make_cells(brute_level *l)
{
    vec low = {(double)INFINITY, 0, (double)INFINITY}, high = {(double)-INFINITY, 0, (double)-INFINITY};
    for (int i = 0; i < 3 * l->count; i++) {
        vec c = l->t[i / 3].c[i % 3];
        low.x = fmin(low.x, c.x), low.z = fmin(low.z, c.z), high.x = fmax(high.x, c.x), high.z = fmax(high.z, c.z);
    }
    l->low_x = low.x, l->low_z = low.z;
    l->columns = (int)floor((high.x - low.x) / CELL) + 1;
    l->rows = (int)floor((high.z - low.z) / CELL) + 1;
    int cells = l->columns * l->rows;
    l->cell_first = calloc((size_t)cells + 1, sizeof *l->cell_first);
    fill_cells(l, true);
    for (int i = 0; i < cells; i++)
        l->cell_first[i + 1] += l->cell_first[i];
    l->cell_items = malloc(((size_t)l->cell_first[cells] + 1) * sizeof *l->cell_items);
    fill_cells(l, false);
    memmove(l->cell_first + 1, l->cell_first, (size_t)cells * sizeof *l->cell_first);
    l->cell_first[0] = 0;
}

static void sort_by_part(brute_level *l)
{
    l->part_first = calloc((size_t)l->part_count + 2, sizeof *l->part_first);
    l->by_part = malloc(((size_t)l->count + 1) * sizeof *l->by_part);
    l->part_low = malloc(((size_t)l->part_count + 1) * sizeof *l->part_low);
    l->part_high = malloc(((size_t)l->part_count + 1) * sizeof *l->part_high);
    l->part_area = calloc((size_t)l->part_count + 1, sizeof *l->part_area);
    for (int p = 0; p < l->part_count; p++) {
        l->part_low[p] = (vec){(double)INFINITY, (double)INFINITY, (double)INFINITY};
        l->part_high[p] = (vec){(double)-INFINITY, (double)-INFINITY, (double)-INFINITY};
    }
    for (int i = 0; i < l->count; i++) {
        vec *low = &l->part_low[l->t[i].part], *high = &l->part_high[l->t[i].part];
        for (int k = 0; k < 3; k++) {
            vec c = l->t[i].c[k];
            *low = (vec){fmin(low->x, c.x), fmin(low->y, c.y), fmin(low->z, c.z)};
            *high = (vec){fmax(high->x, c.x), fmax(high->y, c.y), fmax(high->z, c.z)};
        }
        vec area = times(minus(l->t[i].c[1], l->t[i].c[0]), minus(l->t[i].c[2], l->t[i].c[0])),
            *sum = &l->part_area[l->t[i].part];
        *sum = (vec){sum->x + area.x, sum->y + area.y, sum->z + area.z};
        l->part_first[l->t[i].part + 2]++;
    }
    for (int p = 0; p < l->part_count; p++)
        l->part_first[p + 2] += l->part_first[p + 1];
    for (int i = 0; i < l->count; i++)
        l->by_part[l->part_first[l->t[i].part + 1]++] = i;
}

brute_level *brute_level_create(const float *triangles, const int *parts, int count, const brute_body *body)
{
    brute_level *l = calloc(1, sizeof *l);
    l->t = malloc((size_t)count * sizeof *l->t);
    l->body = *body;
    for (int i = 0; i < count; i++) {
        triangle t = {.part = parts[i]};
        for (int k = 0; k < 3; k++)
            t.c[k] = (vec){(double)triangles[9 * i + 3 * k], (double)triangles[9 * i + 3 * k + 1],
                           (double)triangles[9 * i + 3 * k + 2]};
        vec n = times(minus(t.c[1], t.c[0]), minus(t.c[2], t.c[0]));
        double length = size(n);
        if (length < 1e-9)
            continue;
        t.normal = (vec){n.x / length, n.y / length, n.z / length};
        t.flat_enough = acos(fmin(1.0, fabs(t.normal.y))) <= body->slope;
        l->t[l->count++] = t;
        l->part_count = t.part >= l->part_count ? t.part + 1 : l->part_count;
    }
    sort_by_part(l);
    make_cells(l);
    return l;
}

void brute_level_destroy(brute_level *l)
{
    if (!l)
        return;
    free(l->t), free(l->part_first), free(l->by_part), free(l->part_low), free(l->part_high), free(l->part_area);
    free(l->cell_first), free(l->cell_items);
    free(l);
}

// ---- columns

static bool height_at(const triangle *t, double x, double z, double *y)
{
    if (fabs(t->normal.y) < 1e-6)
        return false;
    double s[3];
    for (int k = 0; k < 3; k++) {
        vec a = t->c[k], b = t->c[(k + 1) % 3];
        s[k] = (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
    }
    if ((s[0] < 0 || s[1] < 0 || s[2] < 0) && (s[0] > 0 || s[1] > 0 || s[2] > 0))
        return false;
    *y = t->c[0].y - (t->normal.x * (x - t->c[0].x) + t->normal.z * (z - t->c[0].z)) / t->normal.y;
    return true;
}

static void insert(layer *layers, int count, layer added)
{
    for (; count > 0 && layers[count - 1].y > added.y; count--)
        layers[count] = layers[count - 1];
    layers[count] = added;
}

static int layers_at(const brute_level *l, double x, double z, layer *out)
{
    int count = 0;
    if (x < l->low_x || z < l->low_z || x > l->low_x + CELL * l->columns || z > l->low_z + CELL * l->rows)
        return 0;
    int cell = row_of(l, z) * l->columns + column_of(l, x);
    for (int i = l->cell_first[cell]; i < l->cell_first[cell + 1] && count < MOST; i++) {
        const triangle *t = &l->t[l->cell_items[i]];
        double y;
        if (height_at(t, x, z, &y))
            insert(out, count++, (layer){y, t->flat_enough});
    }
    return count;
}

// Whether a point is inside a part: how much of all directions its triangles cover, with signs.
static bool is_in_part(const brute_level *l, int part, vec p)
{
    double sum = 0.0;
    const vec low = l->part_low[part], high = l->part_high[part];
    if (p.x < low.x || p.y < low.y || p.z < low.z || p.x > high.x || p.y > high.y || p.z > high.z ||
        size(l->part_area[part]) > 1e-4)
        return false;
    for (int i = l->part_first[part]; i < l->part_first[part + 1]; i++) {
        const triangle *t = &l->t[l->by_part[i]];
        vec a = minus(t->c[0], p), b = minus(t->c[1], p), c = minus(t->c[2], p);
        double u = size(a), v = size(b), w = size(c);
        sum += atan2(dot(a, times(b, c)), u * v * w + dot(a, b) * w + dot(b, c) * u + dot(c, a) * v);
    }
    return fabs(sum) > 1.8 * 3.14159265358979; // 2 pi inside, 0 outside, pi on a plane
}

static bool is_in_solid(const brute_level *l, vec p)
{
    for (int part = 0; part < l->part_count; part++)
        if (is_in_part(l, part, p))
            return true;
    return false;
}

// Whether nothing hinders a body on layer i.
static bool is_free(const brute_level *l, const layer *layers, int count, int i, double x, double z)
{
    double y = layers[i].y;
    if (!layers[i].flat_enough)
        return false;
    for (int j = 0; j < count; j++) {
        double above = layers[j].y - y;
        if (j != i && layers[j].flat_enough && (above > EQUAL || (above >= 0.0 && j > i)) &&
            above < l->body.height - EQUAL)
            return false;
        if (above > l->body.step + EQUAL && above < l->body.height - EQUAL)
            return false;
    }
    return !is_in_solid(l, (vec){x, y + 0.5 * (l->body.step + l->body.height), z});
}

// Heights of free ground at most `reach` from y.
static int ground_near(const brute_level *l, vec at, double reach, double *out, int capacity)
{
    static _Thread_local layer layers[MOST];
    double x = at.x, z = at.z;
    int count = layers_at(l, x, z, layers), found = 0;
    for (int i = 0; i < count && found < capacity; i++)
        if (fabs(layers[i].y - at.y) <= reach && is_free(l, layers, count, i, x, z))
            out[found++] = layers[i].y;
    return found;
}

int brute_level_ground(const brute_level *l, double x, double z, double *out, int capacity)
{
    return ground_near(l, (vec){x, 0, z}, (double)INFINITY, out, capacity);
}

// ---- going

// Whether an upright triangle stands between two points of the plan, for a body on ground y.
static bool is_walled(const brute_level *l, vec from, vec to, double y)
{
    int x0 = column_of(l, fmin(from.x, to.x)), x1 = column_of(l, fmax(from.x, to.x)),
        z0 = row_of(l, fmin(from.z, to.z)), z1 = row_of(l, fmax(from.z, to.z));
    for (int cell = z0 * l->columns + x0; cell <= z1 * l->columns + x1;
         cell += cell % l->columns == x1 ? l->columns - x1 + x0 : 1)
        for (int i = l->cell_first[cell]; i < l->cell_first[cell + 1]; i++) {
            const triangle *t = &l->t[l->cell_items[i]];
            if (fabs(t->normal.y) > 0.02)
                continue;
            vec way = minus(to, from);
            double side[3], low = (double)INFINITY, high = (double)-INFINITY;
            for (int k = 0; k < 3; k++)
                side[k] = way.x * (t->c[k].z - from.z) - way.z * (t->c[k].x - from.x);
            for (int k = 0; k < 3; k++) {
                int m = (k + 1) % 3;
                if ((side[k] < 0) == (side[m] < 0))
                    continue;
                double q = side[k] / (side[k] - side[m]);
                vec a = t->c[k], b = t->c[m], p = {a.x + q * (b.x - a.x), a.y + q * (b.y - a.y), a.z + q * (b.z - a.z)};
                double along = ((p.x - from.x) * way.x + (p.z - from.z) * way.z) / (way.x * way.x + way.z * way.z);
                if (along < 0 || along > 1)
                    continue;
                low = fmin(low, p.y), high = fmax(high, p.y);
            }
            if (high > y + l->body.step + EQUAL && low < y + l->body.height - EQUAL)
                return true;
        }
    return false;
}

// Whether one can go from a place to another; *y becomes its height.
static bool can_go(const brute_level *l, vec from, vec to, double *y)
{
    double heights[64], best = (double)INFINITY;
    int count = ground_near(l, (vec){to.x, from.y, to.z}, l->body.step + EQUAL, heights, 64);
    for (int i = 0; i < count; i++)
        if (fabs(heights[i] - from.y) < fabs(best - from.y))
            best = heights[i];
    if (isinf(best) || is_walled(l, from, to, fmax(from.y, best)))
        return false;
    *y = best;
    return true;
}

// The same to a distance along a way, or a millimetre farther: cracks that are narrower stop nobody.
static bool can_reach(const brute_level *l, vec from, vec start, vec unit, double far, vec *out)
{
    for (int i = 0; i < 2; i++) {
        *out = (vec){start.x + unit.x * (far + CRACK * i), 0, start.z + unit.z * (far + CRACK * i)};
        if (can_go(l, from, *out, &out->y))
            return true;
    }
    return false;
}

static double go_towards(const brute_level *l, vec start, vec way, double limit)
{
    double length = sqrt(way.x * way.x + way.z * way.z);
    vec from = start, to, unit = {way.x / length, 0, way.z / length};
    for (double done = 0.0; done < limit;) {
        double next = fmin(done + PACE, limit);
        if (!can_reach(l, from, start, unit, next, &to)) {
            for (int i = 0; i < 8; i++) { // where exactly
                double middle = 0.5 * (done + next);
                if (can_reach(l, from, start, unit, middle, &to))
                    done = middle;
                else
                    next = middle;
            }
            return done;
        }
        from = to;
        done = next;
    }
    return limit;
}

// Directions to what may be near: around corners, and straight at edges.
static int aim(const brute_level *l, vec start, double limit, vec *ways, int count)
{
    vec corners[256];
    int corner_count = 0;
    int x0 = column_of(l, start.x - limit), x1 = column_of(l, start.x + limit), z0 = row_of(l, start.z - limit),
        z1 = row_of(l, start.z + limit);
    for (int z = z0; z <= z1; z++)
        for (int x = x0; x <= x1; x++)
            for (int i = l->cell_first[z * l->columns + x]; i < l->cell_first[z * l->columns + x + 1]; i++)
                for (int k = 0; k < 3; k++) {
                    const vec *c = l->t[l->cell_items[i]].c;
                    vec a = minus(c[k], start), b = minus(c[(k + 1) % 3], start), e = minus(b, a);
                    double squared = e.x * e.x + e.z * e.z, u = squared > 0 ? -(a.x * e.x + a.z * e.z) / squared : -1;
                    vec foot = {a.x + u * e.x, 0, a.z + u * e.z};
                    bool known = false;
                    for (int n = 0; n < corner_count && !known; n++)
                        known = corners[n].x == a.x && corners[n].z == a.z;
                    if (u > 0 && u < 1 && foot.x * foot.x + foot.z * foot.z < limit * limit && count < MOST)
                        ways[count++] = foot;
                    if (known || a.x * a.x + a.z * a.z >= limit * limit || corner_count == 256)
                        continue;
                    corners[corner_count++] = a;
                    for (int n = 0; n < 8 && count < MOST; n++)
                        ways[count++] = (vec){a.x + 1e-3 * cos(n * 0.785398), 0, a.z + 1e-3 * sin(n * 0.785398)};
                }
    return count;
}

double brute_level_clearance(const brute_level *l, double x, double y, double z, double limit)
{
    static _Thread_local vec ways[MOST];
    vec start = {x, y, z};
    int count = 0;
    for (; count < DIRECTIONS; count++)
        ways[count] = (vec){cos(count * 6.283185307 / DIRECTIONS), 0, sin(count * 6.283185307 / DIRECTIONS)};
    count = aim(l, start, limit, ways, count);
    for (int i = count - 1; i >= 0; i--) {
        if (ways[i].x * ways[i].x + ways[i].z * ways[i].z > 1e-12)
            limit = go_towards(l, start, ways[i], limit);
    }
    return limit;
}

double brute_level_towards(const brute_level *l, const double from[3], double to_x, double to_z, double limit)
{
    vec start = {from[0], from[1], from[2]}, way = {to_x - from[0], 0, to_z - from[2]};
    return way.x * way.x + way.z * way.z > 1e-12 ? go_towards(l, start, way, limit) : 0.0;
}
