// SPDX-License-Identifier: MIT
// Every question looks at all triangles of the cells of a grid that it touches.
#include "bench/level_links_brute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 1.0

typedef struct tri {
    double c[3][3];
    double n[3]; // unit, upwards
    int part;
} tri;

struct link_brute {
    tri *tris;
    int count, columns, rows;
    double low_x, low_z, flat;
    int *first, *members; // of cells
};

static int column(const link_brute *b, double x)
{
    const int i = (int)floor((x - b->low_x) / CELL);
    return i < 0 ? 0 : i >= b->columns ? b->columns - 1 : i;
}

static int row(const link_brute *b, double z)
{
    const int i = (int)floor((z - b->low_z) / CELL);
    return i < 0 ? 0 : i >= b->rows ? b->rows - 1 : i;
}

static double least(const tri *t, int k)
{
    return fmin(t->c[0][k], fmin(t->c[1][k], t->c[2][k]));
}

static double most(const tri *t, int k)
{
    return fmax(t->c[0][k], fmax(t->c[1][k], t->c[2][k]));
}

static void set_normal(tri *t)
{
    double u[3], v[3], n[3], length = 0.0;
    for (int k = 0; k < 3; k++)
        u[k] = t->c[1][k] - t->c[0][k], v[k] = t->c[2][k] - t->c[0][k];
    for (int k = 0; k < 3; k++) {
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        length += n[k] * n[k];
    }
    length = sqrt(length) * (n[1] < 0.0 ? -1.0 : 1.0);
    for (int k = 0; k < 3; k++)
        t->n[k] = length != 0.0 ? n[k] / length : 0.0;
}

// Fills cells; first with members == NULL to count.
static void fill(link_brute *b)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < b->count; i++)
            for (int x = column(b, least(&b->tris[i], 0)); x <= column(b, most(&b->tris[i], 0)); x++)
                for (int z = row(b, least(&b->tris[i], 2)); z <= row(b, most(&b->tris[i], 2)); z++) {
                    int *at = &b->first[x * b->rows + z + (pass ? 0 : 1)];
                    if (pass)
                        b->members[*at] = i;
                    (*at)++;
                }
        const int cells = b->columns * b->rows;
        if (!pass) {
            for (int i = 0; i < cells; i++)
                b->first[i + 1] += b->first[i];
            b->members = malloc((size_t)b->first[cells] * sizeof(int) + 1);
        } else {
            memmove(b->first + 1, b->first, (size_t)cells * sizeof(int));
            b->first[0] = 0;
        }
    }
}

link_brute *link_brute_create(const float *triangles, const int *parts, int count, double flat)
{
    link_brute *b = calloc(1, sizeof *b);
    b->tris = malloc((size_t)count * sizeof *b->tris);
    b->count = count;
    b->flat = flat;
    double high_x = -1e9, high_z = -1e9;
    b->low_x = b->low_z = 1e9;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 9; k++)
            b->tris[i].c[k / 3][k % 3] = (double)triangles[9 * i + k];
        b->tris[i].part = parts[i];
        set_normal(&b->tris[i]);
        b->low_x = fmin(b->low_x, least(&b->tris[i], 0)), high_x = fmax(high_x, most(&b->tris[i], 0));
        b->low_z = fmin(b->low_z, least(&b->tris[i], 2)), high_z = fmax(high_z, most(&b->tris[i], 2));
    }
    b->columns = 1 + (int)((high_x - b->low_x) / CELL), b->rows = 1 + (int)((high_z - b->low_z) / CELL);
    b->first = calloc((size_t)b->columns * (size_t)b->rows + 1, sizeof(int));
    fill(b);
    return b;
}

void link_brute_destroy(link_brute *b)
{
    if (b)
        free(b->tris), free(b->first), free(b->members);
    free(b);
}

// Height of a triangle at x, z; false where it is not there.
static bool height_at(const tri *t, double x, double z, double *y)
{
    if (t->n[1] < 1e-3)
        return false;
    bool left = false, right = false;
    for (int k = 0; k < 3; k++) {
        const double *a = t->c[k], *b = t->c[(k + 1) % 3];
        const double side = (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]);
        left = left || side > 0.0, right = right || side < 0.0;
    }
    if (left && right)
        return false;
    *y = t->c[0][1] - (t->n[0] * (x - t->c[0][0]) + t->n[2] * (z - t->c[0][2])) / t->n[1];
    return true;
}

static const int *cell(const link_brute *b, double x, double z, int *count)
{
    const int i = column(b, x) * b->rows + row(b, z);
    *count = b->first[i + 1] - b->first[i];
    return b->members + b->first[i];
}

bool link_brute_ground(const link_brute *b, brute_point at, double reach, double *out)
{
    int count;
    const int *ids = cell(b, at.x, at.z, &count);
    double best = reach, y;
    bool found = false;
    for (int i = 0; i < count; i++)
        if (b->tris[ids[i]].n[1] >= b->flat && height_at(&b->tris[ids[i]], at.x, at.z, &y) && fabs(y - at.y) <= best)
            best = fabs(y - at.y), *out = y, found = true;
    return found;
}

double link_brute_tilt(const link_brute *b, brute_point at, double reach)
{
    int count;
    const int *ids = cell(b, at.x, at.z, &count);
    double best = reach, y, tilt = -1.0;
    for (int i = 0; i < count; i++) {
        const double *n = b->tris[ids[i]].n;
        if (height_at(&b->tris[ids[i]], at.x, at.z, &y) && fabs(y - at.y) <= best)
            best = fabs(y - at.y), tilt = sqrt(n[0] * n[0] + n[2] * n[2]) / n[1];
    }
    return tilt;
}

static double distance_to(const tri *t, const double p[3])
{
    // The triangle in small pieces would do; here: the nearest of many points on it, refined.
    double best = 1e9, s0 = 0.0, s1 = 1.0, t0 = 0.0, t1 = 1.0;
    for (int round = 0; round < 12; round++) {
        double best_s = s0, best_t = t0;
        for (int i = 0; i <= 4; i++)
            for (int k = 0; k <= 4; k++) {
                const double s = s0 + (s1 - s0) * i / 4.0, u = t0 + (t1 - t0) * k / 4.0;
                const double v = u * (1.0 - s);
                double d = 0.0;
                for (int axis = 0; axis < 3; axis++) {
                    double q =
                        t->c[0][axis] + s * (t->c[1][axis] - t->c[0][axis]) + v * (t->c[2][axis] - t->c[0][axis]);
                    const double off = q - p[axis];
                    d += off * off;
                }
                if (d < best)
                    best = d, best_s = s, best_t = u;
            }
        const double ws = 0.3 * (s1 - s0), wt = 0.3 * (t1 - t0);
        s0 = fmax(0.0, best_s - ws), s1 = fmin(1.0, best_s + ws);
        t0 = fmax(0.0, best_t - wt), t1 = fmin(1.0, best_t + wt);
    }
    return sqrt(best);
}

// Keeps the part of a polygon on one side of a height; returns its corners.
static int cut(double (*c)[3], int count, double y, double sign)
{
    double kept[8][3];
    int n = 0;
    for (int i = 0; i < count; i++) {
        const double *p = c[i], *q = c[(i + 1) % count];
        const double a = sign * (p[1] - y), d = sign * (q[1] - y);
        if (a >= 0.0)
            memcpy(kept[n++], p, sizeof kept[0]);
        if ((a >= 0.0) != (d >= 0.0))
            for (int k = 0; k < 3; k++)
                kept[n][k] = p[k] + a / (a - d) * (q[k] - p[k]);
        n += (a >= 0.0) != (d >= 0.0);
    }
    memcpy(c, kept, (size_t)n * sizeof kept[0]);
    return n;
}

// Distance in plan from a point to the part of a triangle between two heights.
static double plan_distance(const tri *t, brute_point at, double low, double high)
{
    double c[8][3], best = 1e9;
    memcpy(c, t->c, sizeof t->c);
    int count = cut(c, 3, low, 1.0);
    count = cut(c, count, high, -1.0);
    bool left = false, right = false;
    for (int i = 0; i < count; i++) {
        const double *p = c[i], *q = c[(i + 1) % count];
        const double x = q[0] - p[0], z = q[2] - p[2], side = x * (at.z - p[2]) - z * (at.x - p[0]);
        double part = ((at.x - p[0]) * x + (at.z - p[2]) * z) / fmax(x * x + z * z, 1e-18);
        part = fmin(fmax(part, 0.0), 1.0);
        best = fmin(best, hypot(at.x - p[0] - part * x, at.z - p[2] - part * z));
        left = left || side > 0.0, right = right || side < 0.0;
    }
    return count >= 3 && !(left && right) && t->n[1] > 1e-3 ? 0.0 : best;
}

bool link_brute_free(const link_brute *b, brute_point at, double height, double radius)
{
    for (int x = column(b, at.x - radius); x <= column(b, at.x + radius); x++)
        for (int z = row(b, at.z - radius); z <= row(b, at.z + radius); z++) {
            const int i = x * b->rows + z;
            for (int k = b->first[i]; k < b->first[i + 1]; k++)
                if (plan_distance(&b->tris[b->members[k]], at, at.y, at.y + height) < radius)
                    return false;
        }
    return true;
}

double link_brute_distance(const link_brute *b, brute_point at, double limit)
{
    const double p[3] = {at.x, at.y, at.z};
    double best = limit;
    for (int x = column(b, at.x - limit); x <= column(b, at.x + limit); x++)
        for (int z = row(b, at.z - limit); z <= row(b, at.z + limit); z++) {
            const int i = x * b->rows + z;
            for (int k = b->first[i]; k < b->first[i + 1]; k++) {
                const tri *t = &b->tris[b->members[k]];
                if (least(t, 0) <= at.x + best && most(t, 0) >= at.x - best && least(t, 2) <= at.z + best &&
                    most(t, 2) >= at.z - best && least(t, 1) <= at.y + best && most(t, 1) >= at.y - best)
                    best = fmin(best, distance_to(t, p));
            }
        }
    return best;
}

bool link_brute_blocked(const link_brute *b, brute_point from, brute_point to)
{
    for (int x = column(b, fmin(from.x, to.x)); x <= column(b, fmax(from.x, to.x)); x++)
        for (int z = row(b, fmin(from.z, to.z)); z <= row(b, fmax(from.z, to.z)); z++) {
            const int i = x * b->rows + z;
            for (int k = b->first[i]; k < b->first[i + 1]; k++) {
                const tri *t = &b->tris[b->members[k]];
                const double d[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
                double e1[3], e2[3], h[3], o[3], q[3], a = 0.0, u = 0.0, v = 0.0, w = 0.0;
                for (int m = 0; m < 3; m++)
                    e1[m] = t->c[1][m] - t->c[0][m], e2[m] = t->c[2][m] - t->c[0][m];
                o[0] = from.x - t->c[0][0], o[1] = from.y - t->c[0][1], o[2] = from.z - t->c[0][2];
                for (int m = 0; m < 3; m++) {
                    h[m] = d[(m + 1) % 3] * e2[(m + 2) % 3] - d[(m + 2) % 3] * e2[(m + 1) % 3];
                    q[m] = o[(m + 1) % 3] * e1[(m + 2) % 3] - o[(m + 2) % 3] * e1[(m + 1) % 3];
                }
                for (int m = 0; m < 3; m++)
                    a += e1[m] * h[m], u += o[m] * h[m], v += d[m] * q[m], w += e2[m] * q[m];
                if (fabs(a) > 1e-12 && u / a >= 0.0 && v / a >= 0.0 && u / a + v / a <= 1.0 && w / a >= 0.0 &&
                    w / a <= 1.0)
                    return true;
            }
        }
    return false;
}

bool link_brute_inside(const link_brute *b, brute_point at)
{
    int count;
    const int *ids = cell(b, at.x, at.z, &count);
    for (int i = 0; i < count; i++) {
        int above = 0, below = 0;
        double y;
        for (int k = 0; k < count; k++)
            if (b->tris[ids[k]].part == b->tris[ids[i]].part && height_at(&b->tris[ids[k]], at.x, at.z, &y))
                above += y > at.y, below += y <= at.y;
        if (above % 2 == 1 && below % 2 == 1)
            return true;
    }
    return false;
}
