// SPDX-License-Identifier: MIT
// Cutting a level with a vertical plane. Triangles become lines. Between any two places where a line begins, ends or
// crosses another, solids are bands over each other; their rims, where no band goes on on the other side, are put
// together to outlines. Outlines have no holes: where there would be one, solids are cut in two that touch.
#include "lope/slice.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "level/floors.h"
#include "level/links.h"
#include "terrain/terrain.h"

#define GRAIN 1e-5  // metres: heights are multiples of it, so that corners are equal or not
#define NARROW 1e-6 // metres of strips that are not looked at
#define MOST_CUTS 64
#define INSIDE 2e-3 // metres that surfaces end before the bounds
#define LEAST_AREA 1e-5

typedef struct line {
    double x[2], y[2]; // from left to right
    int64_t solid;
} line;

typedef struct band {
    double low[2], high[2]; // left and right
} band;

typedef struct rim {
    lope_xy from, to; // the solid is on the left
    bool used;
} rim;

typedef struct slicer {
    const lope_floors *floors;
    const lope_slice_def *def;
    lope_vec3 origin, along;
    double left, right, bottom, top;
    list triangles, lines, places, bands, first, rims, loop, corners, counts, holds, numbers, surfaces;
    list over, heights; // const line *: those over a place, from the lowest; double
    double cuts[MOST_CUTS];
    int cut_count;
    bool failed;
} slicer;

static void add(slicer *s, list *l, const void *item, size_t size)
{
    s->failed |= !list_add(l, item, size);
}

static double grain(double y)
{
    return floor(y / GRAIN + 0.5) * GRAIN;
}

static double height_at(const line *l, double x)
{
    const double part = (x - l->x[0]) / (l->x[1] - l->x[0]);
    return l->y[0] + fmin(fmax(part, 0.0), 1.0) * (l->y[1] - l->y[0]);
}

// ---- lines

static void add_line(slicer *s, lope_xy a, lope_xy b, int64_t solid)
{
    if (fabs(a.x - b.x) < NARROW)
        return; // upright: bands end there by themselves
    const bool turned = a.x > b.x;
    const line l = {{turned ? b.x : a.x, turned ? a.x : b.x}, {turned ? b.y : a.y, turned ? a.y : b.y}, solid};
    add(s, &s->lines, &l, sizeof l);
}

// A surface without a volume, as a solid of its own around it.
static void add_sheet(slicer *s, lope_xy a, lope_xy b, int number)
{
    const double thick = (double)s->def->thickness;
    const int64_t solid = -2 - (int64_t)number;
    const bool steep = fabs(b.y - a.y) > fabs(b.x - a.x); // to both sides; level ones keep their upper side
    const double x = steep ? 0.5 * thick : 0.0, down = steep ? 0.0 : thick;
    const lope_xy c[4] = {{a.x + x, a.y}, {b.x + x, b.y}, {b.x - x, b.y - down}, {a.x - x, a.y - down}};
    for (int i = 0; i < 4; i++)
        add_line(s, c[i], c[(i + 1) % 4], solid);
}

static void cut_triangle(slicer *s, const lope_terrain_triangle *t, int number)
{
    lope_xy ends[2];
    int count = 0;
    double off[3];
    for (int i = 0; i < 3; i++) {
        const lope_vec3 d = lope_v3_sub(t->corners[i], s->origin);
        off[i] = (double)d.x * (double)s->along.z - (double)d.z * (double)s->along.x;
        off[i] = off[i] == 0.0 ? 1e-9 : off[i];
    }
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3;
        if ((off[i] < 0.0) == (off[k] < 0.0))
            continue;
        const double part = off[i] / (off[i] - off[k]);
        const lope_vec3 a = lope_v3_sub(t->corners[i], s->origin), b = lope_v3_sub(t->corners[k], s->origin);
        const double x[2] = {(double)lope_v3_dot(a, s->along), (double)lope_v3_dot(b, s->along)};
        ends[count++ % 2] =
            (lope_xy){x[0] + part * (x[1] - x[0]),
                      (double)t->corners[i].y + part * ((double)t->corners[k].y - (double)t->corners[i].y)};
    }
    const int64_t solid = terrain_solid(lope_level_terrain(s->floors->level), t->piece, t->triangle);
    if (count == 2 && solid >= 0)
        add_line(s, ends[0], ends[1], solid);
    else if (count == 2)
        add_sheet(s, ends[0], ends[1], number);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Where lines begin, end and cross.
static void find_places(slicer *s)
{
    const line *l = s->lines.items;
    add(s, &s->places, &s->left, sizeof s->left);
    add(s, &s->places, &s->right, sizeof s->right);
    for (int i = 0; i < s->lines.count; i++) {
        add(s, &s->places, &l[i].x[0], sizeof l[i].x[0]);
        add(s, &s->places, &l[i].x[1], sizeof l[i].x[1]);
        for (int k = 0; k < i; k++) {
            const double from = fmax(l[i].x[0], l[k].x[0]), to = fmin(l[i].x[1], l[k].x[1]);
            if (from >= to)
                continue;
            const double a = height_at(&l[i], from) - height_at(&l[k], from),
                         b = height_at(&l[i], to) - height_at(&l[k], to);
            const double x = from + (to - from) * a / (a - b);
            if ((a < 0.0) != (b < 0.0) && x > from && x < to)
                add(s, &s->places, &x, sizeof x);
        }
    }
}

// In order, each once, within the bounds.
static void sort_places(slicer *s)
{
    qsort(s->places.items, (size_t)s->places.count, sizeof(double), compare_numbers);
    double *x = s->places.items;
    int kept = 0;
    for (int i = 0; i < s->places.count; i++)
        if (x[i] >= s->left && x[i] <= s->right && (kept == 0 || x[i] - x[kept - 1] > NARROW))
            x[kept++] = x[i];
    s->places.count = kept;
}

// ---- bands

static void find_over(slicer *s, double middle)
{
    s->over.count = 0;
    for (int i = 0; i < s->lines.count && !s->failed; i++) {
        const line *l = (const line *)s->lines.items + i;
        if (l->x[0] >= middle || l->x[1] <= middle)
            continue;
        int at = s->over.count;
        add(s, &s->over, &l, sizeof(const line *));
        const line **out = s->over.items;
        for (; !s->failed && at > 0 && height_at(out[at - 1], middle) > height_at(l, middle); at--)
            out[at] = out[at - 1], out[at - 1] = l;
    }
}

static void find_bands(slicer *s)
{
    const double *x = s->places.items;
    s->bands.count = s->first.count = 0;
    for (int i = 0; i + 1 < s->places.count; i++) {
        const line *begin = NULL;
        int inside = 0;
        find_over(s, 0.5 * (x[i] + x[i + 1]));
        const line *const *over = s->over.items;
        add(s, &s->first, &s->bands.count, sizeof(int));
        for (int k = 0; k < s->over.count; k++) {
            int crossed = 0; // how often this one's solid was before
            for (int m = 0; m < k; m++)
                crossed += over[m]->solid == over[k]->solid;
            const int before = inside;
            inside += crossed % 2 ? -1 : 1;
            begin = before == 0 ? over[k] : begin;
            if (inside > 0)
                continue;
            band b;
            for (int end = 0; end < 2; end++) {
                b.low[end] = grain(fmin(fmax(height_at(begin, x[i + end]), s->bottom), s->top));
                b.high[end] = grain(fmin(fmax(height_at(over[k], x[i + end]), s->bottom), s->top));
            }
            if (b.high[0] > b.low[0] || b.high[1] > b.low[1])
                add(s, &s->bands, &b, sizeof b);
        }
    }
    add(s, &s->first, &s->bands.count, sizeof(int));
}

// ---- rims

static void add_rim(slicer *s, double x0, double y0, double x1, double y1)
{
    const rim r = {{x0, y0}, {x1, y1}, false};
    if (x0 != x1 || y0 != y1)
        add(s, &s->rims, &r, sizeof r);
}

// Whether a height lies in a band of a strip, at one of its ends.
static bool in_band(const slicer *s, int strip, int end, double y)
{
    const int *first = s->first.items;
    const band *b = s->bands.items;
    if (strip < 0 || strip + 1 >= s->first.count)
        return false;
    for (int i = first[strip]; i < first[strip + 1]; i++)
        if (b[i].low[end] < y && y < b[i].high[end])
            return true;
    return false;
}

// Upright rims at a place: where a band is on one side only.
static void add_upright(slicer *s, int place)
{
    const double x = ((double *)s->places.items)[place];
    const int *first = s->first.items;
    bool cut = false;
    s->heights.count = 0;
    for (int i = 0; i < s->cut_count; i++)
        cut = cut || fabs(s->cuts[i] - x) <= NARROW;
    for (int side = 0; side < 2; side++) {
        const int strip = place - 1 + side;
        for (int i = strip >= 0 && strip + 1 < s->first.count ? first[strip] : 0;
             strip >= 0 && strip + 1 < s->first.count && i < first[strip + 1]; i++) {
            const band *b = &((band *)s->bands.items)[i];
            add(s, &s->heights, &b->low[!side], sizeof(double));
            add(s, &s->heights, &b->high[!side], sizeof(double));
        }
    }
    const double *y = s->heights.items;
    if (s->heights.count)
        qsort(s->heights.items, (size_t)s->heights.count, sizeof *y, compare_numbers);
    for (int i = 0; i + 1 < s->heights.count; i++) {
        if (y[i] == y[i + 1])
            continue;
        const double middle = 0.5 * (y[i] + y[i + 1]);
        const bool before = in_band(s, place - 1, 1, middle), after = in_band(s, place, 0, middle);
        if (before && (!after || cut))
            add_rim(s, x, y[i], x, y[i + 1]);
        if (after && (!before || cut))
            add_rim(s, x, y[i + 1], x, y[i]);
    }
}

static void find_rims(slicer *s)
{
    const double *x = s->places.items;
    const int *first = s->first.items;
    s->rims.count = 0;
    for (int i = 0; i < s->places.count; i++) {
        add_upright(s, i);
        for (int k = first[i]; i + 1 < s->places.count && k < first[i + 1]; k++) {
            const band *b = &((band *)s->bands.items)[k];
            add_rim(s, x[i], b->low[0], x[i + 1], b->low[1]);
            add_rim(s, x[i + 1], b->high[1], x[i], b->high[0]);
        }
    }
}

// ---- outlines

// The rim that goes on from another: of several the one that turns most to the left. -1: none.
static int next_rim(const slicer *s, const rim *r)
{
    const rim *all = s->rims.items;
    int best = -1;
    double most = (double)-INFINITY;
    for (int i = 0; i < s->rims.count; i++) {
        if (all[i].used || all[i].from.x != r->to.x || all[i].from.y != r->to.y)
            continue;
        const double ax = r->to.x - r->from.x, ay = r->to.y - r->from.y;
        const double bx = all[i].to.x - all[i].from.x, by = all[i].to.y - all[i].from.y;
        double turn = lope_atan2(ax * by - ay * bx, ax * bx + ay * by);
        turn = turn > 3.14159 ? -turn : turn; // back along a cut
        if (turn > most)
            most = turn, best = i;
    }
    return best;
}

// Leaves out corners on the straight line between their neighbours.
static int straighten(lope_xy *c, int count)
{
    for (bool changed = true; changed && count >= 3;) {
        changed = false;
        for (int i = 0; i < count && count >= 3; i++) {
            const lope_xy a = c[(i + count - 1) % count], b = c[i], d = c[(i + 1) % count];
            const double cross = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
            const double length = sqrt((d.x - a.x) * (d.x - a.x) + (d.y - a.y) * (d.y - a.y));
            if (fabs(cross) > 2.0 * GRAIN * fmax(length, 1e-3) && length > GRAIN)
                continue;
            memmove(c + i, c + i + 1, (size_t)(count - i - 1) * sizeof *c);
            count--;
            changed = true;
        }
    }
    return count;
}

static double area_of(const lope_xy *c, int count)
{
    double area = 0.0;
    for (int i = 0; i < count; i++)
        area += 0.5 * (c[i].x * c[(i + 1) % count].y - c[(i + 1) % count].x * c[i].y);
    return area;
}

// Keeps a loop that does not meet itself as a polygon. False where it runs round a hole: *cut is then where to cut.
static bool keep_loop(slicer *s, lope_xy *c, int count, double *cut)
{
    double left = (double)INFINITY, right = (double)-INFINITY;
    const double area = area_of(c, count);
    for (int i = 0; i < count; i++)
        left = fmin(left, c[i].x), right = fmax(right, c[i].x);
    *cut = 0.5 * (left + right);
    if (area < -LEAST_AREA)
        return false;
    count = straighten(c, count);
    for (int i = 0; i < count && count >= 3 && area > LEAST_AREA; i++)
        add(s, &s->corners, &c[i], sizeof c[i]);
    if (count >= 3 && area > LEAST_AREA)
        add(s, &s->counts, &count, sizeof count);
    return true;
}

// Takes an outline apart where it meets itself.
static bool keep_outline(slicer *s, lope_xy *c, int count, double *cut)
{
    for (int end = 1; end < count; end++) {
        int begin = end - 1;
        while (begin >= 0 && (c[begin].x != c[end].x || c[begin].y != c[end].y))
            begin--;
        if (begin < 0)
            continue;
        lope_xy *rest = c + end;
        if (!keep_loop(s, c + begin, end - begin, cut))
            return false;
        memmove(c + begin, rest, (size_t)(count - end) * sizeof *c);
        count -= end - begin;
        end = begin;
    }
    return keep_loop(s, c, count, cut);
}

// Follows rims round.
static bool find_outlines(slicer *s, double *cut)
{
    rim *all = s->rims.items;
    bool fine = true;
    s->corners.count = s->counts.count = 0;
    for (int i = 0; i < s->rims.count && !s->failed && fine; i++) {
        if (all[i].used)
            continue;
        s->loop.count = 0;
        for (int at = i; at >= 0; at = next_rim(s, &all[at])) {
            all[at].used = true;
            add(s, &s->loop, &all[at].from, sizeof all[at].from);
        }
        fine = keep_outline(s, s->loop.items, s->loop.count, cut);
    }
    return fine;
}

static void find_polygons(slicer *s)
{
    double cut;
    for (bool whole = false; !whole && !s->failed;) {
        sort_places(s);
        find_bands(s);
        if (s->failed)
            return;
        find_rims(s);
        whole = s->failed || find_outlines(s, &cut) || s->cut_count == MOST_CUTS;
        if (!whole) {
            s->cuts[s->cut_count++] = cut;
            add(s, &s->places, &cut, sizeof cut);
        }
    }
}

// ---- holds

static bool is_solid(const slicer *s, lope_xy p)
{
    const double *x = s->places.items;
    const int *first = s->first.items;
    for (int i = 0; i + 1 < s->places.count; i++)
        for (int k = first[i]; x[i] <= p.x && p.x < x[i + 1] && k < first[i + 1]; k++) {
            const band *b = &((band *)s->bands.items)[k];
            const double part = (p.x - x[i]) / (x[i + 1] - x[i]);
            if (p.y > b->low[0] + part * (b->low[1] - b->low[0]) + 5e-3 &&
                p.y < b->high[0] + part * (b->high[1] - b->high[0]) - 5e-3)
                return true;
        }
    return false;
}

static void add_hold(slicer *s, const lope_level_hold *h, int number)
{
    const lope_vec3 a = lope_v3_sub(h->from, s->origin), b = lope_v3_sub(h->to, s->origin);
    const double off[2] = {(double)(a.x * s->along.z - a.z * s->along.x),
                           (double)(b.x * s->along.z - b.z * s->along.x)};
    double part = off[0] == off[1] ? 0.5 : off[0] / (off[0] - off[1]);
    part = fmin(fmax(part, 0.0), 1.0);
    const double away = fabs(off[0] + part * (off[1] - off[0]));
    const lope_vec3 at = lope_v3_lerp(a, b, (float)part);
    lope_hold hold = {.at = {(double)lope_v3_dot(at, s->along), (double)(s->origin.y + at.y)},
                      .kind = h->bar ? LOPE_HOLD_PENDENT : LOPE_HOLD_HYBRID,
                      .surface = -1};
    if (away > (h->bar ? (double)s->def->reach : 0.01) || hold.at.x <= s->left || hold.at.x >= s->right ||
        hold.at.y <= s->bottom || hold.at.y >= s->top)
        return;
    if (h->bar && is_solid(s, hold.at)) // the plane cuts it: held on top
        hold.at.y += 0.5 * (double)h->depth;
    if (is_solid(s, hold.at))
        return;
    add(s, &s->holds, &hold, sizeof hold);
    add(s, &s->numbers, &number, sizeof number);
}

// Sides that soles can stand on.
static void find_surfaces(slicer *s)
{
    const lope_xy *c = s->corners.items;
    for (int i = 0; i < s->counts.count; i++) {
        const int count = ((int *)s->counts.items)[i];
        for (int k = 0; k < count; k++) {
            const lope_xy a = c[k], b = c[(k + 1) % count];
            const lope_grasp_surface side = {
                {fmin(a.x, s->right - INSIDE), a.y}, {fmax(b.x, s->left + INSIDE), b.y}, LOPE_HOLD_LOAD_BEARING};
            const bool inside = a.y > s->bottom + 0.01 && b.y > s->bottom + 0.01 && a.y < s->top && b.y < s->top;
            if (a.x - b.x > fabs(a.y - b.y) && a.x - b.x > 0.12 && inside)
                add(s, &s->surfaces, &side, sizeof side);
        }
        c += count;
    }
}

// ---- the slice

static lope_slice *put_together(const slicer *s)
{
    const size_t corners = (size_t)s->corners.count, polygons = (size_t)s->counts.count, holds = (size_t)s->holds.count;
    const size_t surfaces = (size_t)s->surfaces.count;
    lope_slice *out =
        lope_alloc_zero(sizeof *out + corners * sizeof(lope_xy) + polygons * sizeof(lope_grasp_polygon) +
                        holds * (sizeof(lope_hold) + sizeof(int)) + surfaces * sizeof(lope_grasp_surface));
    if (!out)
        return NULL;
    lope_grasp_polygon *polygon = (lope_grasp_polygon *)(void *)(out + 1);
    lope_hold *hold = (lope_hold *)(void *)(polygon + polygons);
    lope_grasp_surface *sides = (lope_grasp_surface *)(void *)(hold + holds);
    lope_xy *corner = (lope_xy *)(void *)(sides + surfaces);
    int *number = (int *)(void *)(corner + corners);
    if (corners)
        memcpy(corner, s->corners.items, corners * sizeof *corner);
    if (holds) {
        memcpy(hold, s->holds.items, holds * sizeof *hold);
        memcpy(number, s->numbers.items, holds * sizeof *number);
    }
    if (surfaces)
        memcpy(sides, s->surfaces.items, surfaces * sizeof *sides);
    for (size_t i = 0; i < polygons; i++) {
        polygon[i] = (lope_grasp_polygon){corner, ((int *)s->counts.items)[i]};
        corner += polygon[i].count;
    }
    out->world = lope_grasp_world_def_default();
    out->world.low = (lope_xy){s->left, s->bottom}, out->world.high = (lope_xy){s->right, s->top};
    out->world.obstacles = polygon, out->world.obstacle_count = (int)polygons;
    out->world.holds = hold, out->world.hold_count = (int)holds;
    out->world.surfaces = sides, out->world.surface_count = (int)surfaces;
    out->origin = s->origin, out->along = s->along;
    out->hold_numbers = number;
    return out;
}

lope_slice_def lope_slice_def_default(lope_vec3 from, lope_vec3 to)
{
    return (lope_slice_def){from, to, 2.0f, 1.0f, 4.0f, 0.3f, 0.03f};
}

static void cut_level(slicer *s)
{
    const lope_vec3 from = s->def->from, to = s->def->to;
    const float margin = s->def->margin;
    // Whole columns: what is cut by the bounds is solid between its far sides.
    const links_box ends = {{fminf(from.x, to.x), -1e6f, fminf(from.z, to.z)},
                            {fmaxf(from.x, to.x), 1e6f, fmaxf(from.z, to.z)}};
    const links_box box = links_box_grown(&ends, (double)margin, 0.0);
    s->failed |= !links_triangles(lope_level_terrain(s->floors->level), &box, &s->triangles);
    for (int i = 0; i < s->triangles.count; i++)
        cut_triangle(s, &((lope_terrain_triangle *)s->triangles.items)[i], i);
    find_places(s);
    if (!s->failed)
        find_polygons(s);
    if (s->failed)
        return;
    int count;
    const lope_level_hold *holds = lope_floors_holds(s->floors, &count);
    for (int i = 0; i < count; i++)
        add_hold(s, &holds[i], i);
    find_surfaces(s);
}

lope_status lope_slice_create(const lope_floors *floors, const lope_slice_def *def, lope_slice **out, lope_error *error)
{
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, margin, 0.0, 100.0), LOPE_RANGE(def, below, 0.0, 100.0),
                                    LOPE_RANGE(def, above, 0.0, 100.0), LOPE_RANGE(def, reach, 0.0, 10.0),
                                    LOPE_RANGE(def, thickness, 1e-3, 1.0));
    if (status)
        return status;
    const float x = def->to.x - def->from.x, z = def->to.z - def->from.z, length = sqrtf(x * x + z * z);
    if (!(length > 1e-3f && length < 1e3f && fabsf(def->to.y) < 1e5f && fabsf(def->from.y) < 1e5f))
        return lope_fail(error, LOPE_BAD_DATA, "a slice needs two ends, 1 mm to 1 km apart in plan; found %g m",
                         (double)length);
    slicer s = {.floors = floors, .def = def};
    s.origin = (lope_vec3){def->from.x, 0.0f, def->from.z};
    s.along = (lope_vec3){x / length, 0.0f, z / length};
    s.left = -(double)def->margin, s.right = (double)(length + def->margin);
    s.bottom = grain((double)(fminf(def->from.y, def->to.y) - def->below));
    s.top = grain((double)(fmaxf(def->from.y, def->to.y) + def->above));
    cut_level(&s);
    *out = s.failed ? NULL : put_together(&s);
    list *lists[] = {&s.triangles, &s.lines,  &s.places, &s.bands,   &s.first,    &s.rims, &s.loop,
                     &s.corners,   &s.counts, &s.holds,  &s.numbers, &s.surfaces, &s.over, &s.heights};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        lope_free(lists[i]->items);
    return *out ? LOPE_OK : lope_fail_memory(error);
}

void lope_slice_destroy(lope_slice *slice)
{
    lope_free(slice);
}
