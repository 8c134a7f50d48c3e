// SPDX-License-Identifier: MIT
// The rim of free ground. Lines across which ground can end are collected first; then each is cut where anything on
// its two sides begins, ends or crosses, and the columns in the middle of each piece are compared.
#include <math.h>
#include <stdlib.h>

#include "level/ground.h"
#include "level/section.h"

#define CHUNK 4.0        // metres of a line looked at in one go
#define CROWDED 48       // surfaces beside a chunk; with more it is halved
#define SHORTEST 1e-4    // metres: pieces that are not looked at
#define LAYERS 64        // surfaces above a point
#define OPEN 16          // borders that go on from piece to piece, on one side
#define NO_WALL 1e30

// A line across which ground may end, and the heights of what it belongs to.
typedef struct candidate {
    point2 from, to;
    double low, high;
    int piece, triangle;
} candidate;

typedef struct open_border {
    double from, to; // along the chunk's line
    double from_y, to_y, other;
    bool extended;
} open_border;

typedef struct chunk {
    const lope_terrain *terrain;
    const ground_body *body;
    const candidate *line;
    point2 start, direction; // unit
    double length;
    list triangles, surfaces, spans[2], cuts;
    open_border open[2][OPEN];
    int open_count[2];
    list *out;
    bool failed;
} chunk;

static point2 along(const chunk *c, double t, double aside)
{
    return (point2){c->start.x + t * c->direction.x - aside * c->direction.z,
                    c->start.z + t * c->direction.z + aside * c->direction.x};
}

static void add_cut(chunk *c, double t)
{
    if (t > 0.0 && t < c->length)
        c->failed |= !list_add(&c->cuts, &t, sizeof t);
}

// Where the difference of two spans is `apart`.
static void cut_where_apart(chunk *c, const span *a, const span *b, double apart)
{
    double rate = a->slope - b->slope;
    if (fabs(rate) < 1e-9)
        return;
    double t = (apart - (a->y - b->y)) / rate;
    if (t > a->from && t < a->to && t > b->from && t < b->to)
        add_cut(c, t);
}

static void cut_pair(chunk *c, const span *a, const span *b)
{
    const double step = (double)c->body->step, height = (double)c->body->height;
    const double apart[6] = {0.0, step, -step, height, -height, GROUND_SAME};
    for (int i = 0; i < 5; i++)
        cut_where_apart(c, a, b, apart[i]);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void find_cuts(chunk *c)
{
    c->cuts.count = 0;
    for (int side = 0; side < 2; side++) {
        const span *spans = c->spans[side].items, *others = c->spans[1].items;
        for (int i = 0; i < c->spans[side].count; i++) {
            add_cut(c, spans[i].from);
            add_cut(c, spans[i].to);
            for (int j = i + 1; j < c->spans[side].count; j++)
                cut_pair(c, &spans[i], &spans[j]);
            for (int j = 0; side == 0 && j < c->spans[1].count; j++)
                cut_pair(c, &spans[i], &others[j]);
        }
    }
    const surface *s = c->surfaces.items; // walls across the line
    for (int i = 0; i < c->surfaces.count; i++)
        for (int k = 0; s[i].thin && k < 3; k += 2) {
            double x = s[i].corners[k].x - c->start.x, z = s[i].corners[k].z - c->start.z;
            add_cut(c, x * c->direction.x + z * c->direction.z);
        }
    add_cut(c, 0.5 * SHORTEST);
    double end = c->length;
    c->failed |= !list_add(&c->cuts, &end, sizeof end);
    qsort(c->cuts.items, (size_t)c->cuts.count, sizeof(double), compare_numbers);
}

static void gather(chunk *c)
{
    const double wide = 4.0 * GROUND_SIDE;
    point2 end = along(c, c->length, 0.0);
    double up = (double)c->body->height + (double)c->body->step;
    lope_vec3 low = {(float)(fmin(c->start.x, end.x) - wide), (float)(c->line->low - up),
                     (float)(fmin(c->start.z, end.z) - wide)};
    lope_vec3 high = {(float)(fmax(c->start.x, end.x) + wide), (float)(c->line->high + up),
                      (float)(fmax(c->start.z, end.z) + wide)};
    int count = lope_terrain_triangles(c->terrain, low, high, c->triangles.items, c->triangles.room);
    if (count > c->triangles.room) {
        lope_free(c->triangles.items);
        c->triangles.items = lope_alloc_array((size_t)count * 2, sizeof(lope_terrain_triangle));
        c->triangles.room = c->triangles.items ? 2 * count : 0;
        c->failed |= !c->triangles.items;
        count = lope_terrain_triangles(c->terrain, low, high, c->triangles.items, c->triangles.room);
    }
    c->triangles.count = c->failed ? 0 : count;
    c->surfaces.count = c->spans[0].count = c->spans[1].count = 0;
    const lope_terrain_triangle *t = c->triangles.items;
    for (int i = 0; i < c->triangles.count; i++) {
        surface s = section_surface(&t[i], (double)c->body->flatness);
        if (s.thin)
            c->failed |= !list_add(&c->surfaces, &s, sizeof s);
        span cut;
        for (int side = 0; side < 2 && !s.thin; side++)
            if (section_span(&s, along(c, 0.0, side ? -GROUND_SIDE : GROUND_SIDE), c->direction, &cut) &&
                cut.to > 0.0 && cut.from < c->length)
                c->failed |= !list_add(&c->spans[side], &cut, sizeof cut);
    }
}

// The column at t: layers and, for each, the span it came from.
static int column_at(const list *spans, double t, ground_layer *layers)
{
    const span *s = spans->items;
    int count = 0;
    for (int i = 0; i < spans->count && count < LAYERS; i++)
        if (s[i].from <= t && t <= s[i].to)
            layers[count++] = (ground_layer){s[i].y + s[i].slope * t, s[i].flat};
    return ground_sort(layers, count);
}

static bool wall_between(const chunk *c, double t, double ground)
{
    const surface *s = c->surfaces.items;
    point2 at = along(c, t, 0.0);
    double low, high;
    for (int i = 0; i < c->surfaces.count; i++)
        if (section_wall(&s[i], at, 2.0 * GROUND_SIDE, &low, &high) && high > ground + (double)c->body->step &&
            low < ground + (double)c->body->height)
            return true;
    return false;
}

// The slope along the line of the layer at height y.
static double slope_at(const list *spans, double t, double y)
{
    const span *s = spans->items;
    double nearest = INFINITY, slope = 0.0;
    for (int i = 0; i < spans->count; i++)
        if (s[i].from <= t && t <= s[i].to && s[i].flat && fabs(s[i].y + s[i].slope * t - y) < nearest) {
            nearest = fabs(s[i].y + s[i].slope * t - y);
            slope = s[i].slope;
        }
    return slope;
}

static void close_border(chunk *c, int side, int i)
{
    open_border *b = &c->open[side][i];
    point2 from = along(c, side ? b->to : b->from, 0.0), to = along(c, side ? b->from : b->to, 0.0);
    ground_border border = {.from = {(float)from.x, (float)from.z},
                            .to = {(float)to.x, (float)to.z},
                            .from_y = (float)(side ? b->to_y : b->from_y),
                            .to_y = (float)(side ? b->from_y : b->to_y),
                            .other = (float)b->other,
                            .piece = c->line->piece,
                            .triangle = c->line->triangle};
    c->failed |= !list_add(c->out, &border, sizeof border);
    *b = c->open[side][--c->open_count[side]];
}

static void extend(chunk *c, int side, const open_border *piece)
{
    for (int i = 0; i < c->open_count[side]; i++) {
        open_border *b = &c->open[side][i];
        bool same = fabs(b->other - piece->other) < 0.01 || (isnan(b->other) && isnan(piece->other));
        if (!b->extended && same && fabs(b->to_y - piece->from_y) < 1e-3 && piece->from - b->to < 2.0 * SHORTEST) {
            b->to = piece->to, b->to_y = piece->to_y;
            b->extended = true;
            return;
        }
    }
    if (c->open_count[side] == OPEN)
        close_border(c, side, 0);
    c->open[side][c->open_count[side]++] = *piece;
}

static void close_others(chunk *c)
{
    for (int side = 0; side < 2; side++)
        for (int i = c->open_count[side]; i-- > 0;) {
            if (!c->open[side][i].extended)
                close_border(c, side, i);
        }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < c->open_count[side]; i++)
            c->open[side][i].extended = false;
}

// Free ground of one side that does not go on on the other.
static void compare_side(chunk *c, int side, double from, double to)
{
    ground_layer own[LAYERS], others[LAYERS];
    double t = 0.5 * (from + to);
    int count = column_at(&c->spans[side], t, own), other_count = column_at(&c->spans[!side], t, others);
    for (int i = 0; i < count; i++) {
        double y = own[i].y;
        if (!ground_is_free(c->body, own, count, i))
            continue;
        bool goes_on = false;
        double other = NAN;
        for (int j = 0; j < other_count; j++) {
            if (!ground_is_free(c->body, others, other_count, j))
                continue;
            if (fabs(others[j].y - y) <= (double)c->body->step && !wall_between(c, t, fmax(y, others[j].y)))
                goes_on = true;
            if (!(fabs(others[j].y - y) > fabs(other - y)))
                other = others[j].y;
        }
        if (goes_on)
            continue;
        double slope = slope_at(&c->spans[side], t, y);
        open_border piece = {from, to, y + slope * (from - t), y + slope * (to - t), other, true};
        extend(c, side, &piece);
    }
}

static void look_along(chunk *c)
{
    find_cuts(c);
    const double *cuts = c->cuts.items;
    double from = 0.0;
    for (int i = 0; i < c->cuts.count && !c->failed; i++) {
        if (cuts[i] - from < SHORTEST)
            continue;
        compare_side(c, 0, from, cuts[i]);
        compare_side(c, 1, from, cuts[i]);
        close_others(c);
        from = cuts[i];
    }
    close_others(c);
    close_others(c);
}

static void look_at_part(chunk *c, double from, double to)
{
    point2 a = c->line->from;
    c->start = (point2){a.x + from * c->direction.x, a.z + from * c->direction.z};
    c->length = to - from;
    gather(c);
    if (c->spans[0].count + c->spans[1].count > 2 * CROWDED && c->length > 0.1) {
        double middle = 0.5 * (from + to);
        look_at_part(c, from, middle);
        look_at_part(c, middle, to);
        return;
    }
    look_along(c);
}

static void look_at(chunk *c, const candidate *line)
{
    double x = line->to.x - line->from.x, z = line->to.z - line->from.z, length = hypot(x, z);
    if (length < SHORTEST)
        return;
    c->line = line;
    c->direction = (point2){x / length, z / length};
    int parts = (int)ceil(length / CHUNK);
    for (int i = 0; i < parts && !c->failed; i++)
        look_at_part(c, length * i / parts, length * (i + 1) / parts);
}

// ---- candidates

typedef struct edge {
    lope_vec3 a, b; // sorted
    int triangle;   // of the gathered ones
} edge;

static int compare_places(lope_vec3 a, lope_vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    return (a.y > b.y) - (a.y < b.y);
}

static int compare_edges(const void *first, const void *second)
{
    const edge *e = first, *f = second;
    int order = compare_places(e->a, f->a);
    order = order ? order : compare_places(e->b, f->b);
    return order ? order : (e->triangle > f->triangle) - (e->triangle < f->triangle);
}

static double side_of(const edge *e, const surface *s)
{
    double middle_x = (s->corners[0].x + s->corners[1].x + s->corners[2].x) / 3.0,
           middle_z = (s->corners[0].z + s->corners[1].z + s->corners[2].z) / 3.0;
    return ((double)e->b.x - (double)e->a.x) * (middle_z - (double)e->a.z) -
           ((double)e->b.z - (double)e->a.z) * (middle_x - (double)e->a.x);
}

// A surface goes on smoothly across an edge of exactly these two.
static bool is_inside(const edge *e, const surface *s, const surface *t)
{
    return !s->thin && !t->thin && s->flat == t->flat && side_of(e, s) * side_of(e, t) < 0.0;
}

static bool add_candidate(list *out, point2 from, point2 to, const double heights[2], const surface *of)
{
    candidate c = {from, to, fmin(heights[0], heights[1]), fmax(heights[0], heights[1]), of->piece, of->triangle};
    return list_add(out, &c, sizeof c);
}

static bool add_edges(const surface *surfaces, const lope_terrain_triangle *triangles, int count, list *out)
{
    edge *edges = lope_alloc_array((size_t)count * 3, sizeof *edges);
    if (!edges)
        return false;
    for (int i = 0; i < 3 * count; i++) {
        lope_vec3 a = triangles[i / 3].corners[i % 3], b = triangles[i / 3].corners[(i + 1) % 3];
        bool swap = compare_places(a, b) > 0;
        edges[i] = (edge){swap ? b : a, swap ? a : b, i / 3};
    }
    qsort(edges, (size_t)count * 3, sizeof *edges, compare_edges);
    bool fine = true;
    for (int i = 0, next; i < 3 * count && fine; i = next) {
        const edge *e = &edges[i];
        for (next = i + 1; next < 3 * count; next++)
            if (compare_places(e->a, edges[next].a) || compare_places(e->b, edges[next].b))
                break;
        if (next - i == 2 && is_inside(e, &surfaces[e->triangle], &surfaces[e[1].triangle]))
            continue;
        const double heights[2] = {(double)e->a.y, (double)e->b.y};
        fine = add_candidate(out, (point2){(double)e->a.x, (double)e->a.z}, (point2){(double)e->b.x, (double)e->b.z},
                             heights, &surfaces[e->triangle]);
    }
    lope_free(edges);
    return fine;
}

static double surface_at(const surface *s, point2 p)
{
    return s->y + s->slope_x * p.x + s->slope_z * p.z;
}

static bool add_level_lines(const surface *upper, const surface *lower, const ground_body *body, list *out)
{
    point2 ends[2];
    bool fine = true;
    const double above[2] = {(double)body->height, (double)body->step};
    for (int i = 0; i < (upper->flat ? 1 : 2) && fine; i++)
        if (section_level_line(upper, lower, above[i], ends)) {
            const double heights[2] = {surface_at(lower, ends[0]), surface_at(lower, ends[1])};
            fine = add_candidate(out, ends[0], ends[1], heights, upper);
        }
    return fine;
}

static bool add_lines(const lope_terrain *terrain, const ground_body *body, const surface *surfaces, int count, list *out)
{
    list near = {0};
    bool fine = true;
    for (int i = 0; i < count && fine; i++) {
        const surface *s = &surfaces[i];
        if (!s->flat)
            continue;
        lope_vec3 low, high;
        low.x = (float)fmin(fmin(s->corners[0].x, s->corners[1].x), s->corners[2].x);
        low.z = (float)fmin(fmin(s->corners[0].z, s->corners[1].z), s->corners[2].z);
        high.x = (float)fmax(fmax(s->corners[0].x, s->corners[1].x), s->corners[2].x);
        high.z = (float)fmax(fmax(s->corners[0].z, s->corners[1].z), s->corners[2].z);
        low.y = (float)fmin(fmin(s->heights[0], s->heights[1]), s->heights[2]);
        high.y = (float)fmax(fmax(s->heights[0], s->heights[1]), s->heights[2]) + body->height;
        int found = lope_terrain_triangles(terrain, low, high, near.items, near.room);
        if (found > near.room) {
            lope_free(near.items);
            near.room = 2 * found;
            near.items = lope_alloc_array((size_t)near.room, sizeof(lope_terrain_triangle));
            if (!near.items)
                return false;
            found = lope_terrain_triangles(terrain, low, high, near.items, near.room);
        }
        const lope_terrain_triangle *t = near.items;
        for (int j = 0; j < found && fine; j++) {
            surface other = section_surface(&t[j], (double)body->flatness);
            if (!other.thin && (other.piece != s->piece || other.triangle != s->triangle))
                fine = add_level_lines(&other, s, body, out);
        }
    }
    lope_free(near.items);
    return fine;
}

static int compare_candidates(const void *a, const void *b)
{
    const candidate *c = a, *d = b;
    const double e[4] = {c->from.x, c->from.z, c->to.x, c->to.z}, f[4] = {d->from.x, d->from.z, d->to.x, d->to.z};
    for (int i = 0; i < 4; i++)
        if (e[i] != f[i])
            return e[i] < f[i] ? -1 : 1;
    return (c->low > d->low) - (c->low < d->low);
}

// Lines over one another are looked at once.
static void join_equal(list *lines)
{
    candidate *c = lines->items;
    int kept = 0;
    for (int i = 0; i < lines->count; i++) {
        candidate *last = kept ? &c[kept - 1] : NULL;
        if (last && last->from.x == c[i].from.x && last->from.z == c[i].from.z && last->to.x == c[i].to.x &&
            last->to.z == c[i].to.z) {
            last->low = fmin(last->low, c[i].low), last->high = fmax(last->high, c[i].high);
        } else {
            c[kept++] = c[i];
        }
    }
    lines->count = kept;
}

lope_status ground_borders(const lope_terrain *terrain, const ground_body *body, lope_vec3 low, lope_vec3 high,
                           list *out)
{
    int count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    lope_terrain_triangle *triangles = lope_alloc_array((size_t)count, sizeof *triangles);
    surface *surfaces = lope_alloc_array((size_t)count, sizeof *surfaces);
    list lines = {0};
    chunk c = {.terrain = terrain, .body = body, .out = out};
    bool fine = triangles && surfaces;
    if (fine) {
        lope_terrain_triangles(terrain, low, high, triangles, count);
        for (int i = 0; i < count; i++)
            surfaces[i] = section_surface(&triangles[i], (double)body->flatness);
        fine = add_edges(surfaces, triangles, count, &lines) && add_lines(terrain, body, surfaces, count, &lines);
    }
    if (fine)
        qsort(lines.items, (size_t)lines.count, sizeof(candidate), compare_candidates);
    join_equal(&lines);
    for (int i = 0; i < lines.count && fine; i++) {
        look_at(&c, &((candidate *)lines.items)[i]);
        fine = !c.failed;
    }
    lope_free(c.triangles.items), lope_free(c.surfaces.items), lope_free(c.cuts.items);
    lope_free(c.spans[0].items), lope_free(c.spans[1].items);
    lope_free(lines.items), lope_free(triangles), lope_free(surfaces);
    return fine ? LOPE_OK : LOPE_NO_MEMORY;
}
