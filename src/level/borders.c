// SPDX-License-Identifier: MIT
// The rim of free ground in a tile. Lines across which ground can end are collected first; then each is cut where
// anything on its two sides begins, ends or crosses, and the columns in the middle of each piece are compared. Crowded
// tiles are quartered until few surfaces or few lines are left; in the end, pieces that go on as one another are
// joined.
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "level/borders.h"

#define CROWDED 64      // surfaces in a part of a tile; with more it is quartered, as long as that helps
#define DEEPEST 10      // times
#define LINES 96        // in a part of a tile; with more it is quartered
#define LINES_DEEPEST 9 // times
#define SHORTEST 1e-4   // metres: pieces that are not looked at
#define FAINT 5e-4      // metres: borders that are left out
#define SLIM 1.5e-3     // metres: pieces that have no say about what lies beyond
#define COLLINEAR 2e-5  // metres: lines that are one
#define WALL_REACH 1e-3 // metres from a line to the walls on it

// A line across which ground may end.
typedef struct line {
    point2 ends[2], direction; // unit
    double length;
    int piece, triangle;
} line;

// Free ground of one side of a piece of a line, which does not go on on the other.
typedef struct run {
    double from, to; // along the line
    double from_y, to_y, other;
    bool extended;
} run;

typedef struct look {
    const ground_tile *tile;
    list chosen;              // part_surface: of the parts of the tile that are open, one after the other
    list lines;               // line
    const part_surface *near; // those of this part
    int near_count;
    list ranges;             // scratch
    list uppers;             // part_surface: those of `near` that may be a step above ground
    point2 start, direction; // of the line that is looked at; unit
    double length;
    const line *line;
    list spans[2], walls; // span; int
    list cuts;            // double
    list columns[2];      // ground_layer
    list runs[2];         // run
    list borders;         // ground_border
    list beginnings;      // scratch
    bool quartered;       // the tile was
    bool failed;
} look;

static const surface *surface_at(const look *l, int i)
{
    return &((const surface *)l->tile->surfaces.items)[i];
}

static void add(look *l, list *to, const void *item, size_t size)
{
    l->failed = l->failed || !list_add(to, item, size);
}

static point2 along(const look *l, double t, double aside)
{
    return (point2){l->start.x + t * l->direction.x - aside * l->direction.z,
                    l->start.z + t * l->direction.z + aside * l->direction.x};
}

// ---- one line: cuts

static void add_cut(look *l, double t)
{
    if (t > 0.0 && t < l->length)
        add(l, &l->cuts, &t, sizeof t);
}

// Where the difference of two spans is one of `apart`.
static void cut_where(look *l, const span *a, const span *b, const double *apart, int count)
{
    double rate = a->slope - b->slope, from = section_most(a->from, b->from), to = section_least(a->to, b->to);
    if (fabs(rate) < 1e-9)
        return;
    double by = 1.0 / rate, level = (b->y - a->y) * by;
    for (int i = 0; i < count; i++) {
        double t = level + apart[i] * by;
        if (t > from && t < to)
            add_cut(l, t);
    }
}

// Whether two spans can be at most `reach` apart in height.
static bool are_near(const look *l, const span *a, const span *b, double reach)
{
    const surface *s = surface_at(l, a->surface), *t = surface_at(l, b->surface);
    return s->low - t->high <= reach && t->low - s->high <= reach && a->from < b->to && b->from < a->to;
}

// Where ground may begin or end to be free: other ground crosses it, or something is a step or a body's height above.
static void cut_pairs(look *l)
{
    const double step = (double)l->tile->body->step, height = (double)l->tile->body->height;
    const double under_ground[2] = {0.0, height}, under_others[2] = {step, height}, across[2] = {step, -step};
    for (int side = 0; side < 2; side++) {
        const span *s = l->spans[side].items, *others = l->spans[1].items;
        for (int i = 0; i < l->spans[side].count; i++) {
            for (int j = 0; s[i].live && j < l->spans[side].count; j++)
                if (j != i && are_near(l, &s[i], &s[j], height))
                    cut_where(l, &s[j], &s[i], s[j].flat ? under_ground : under_others, 2);
            for (int j = 0; side == 0 && s[i].live && j < l->spans[1].count; j++)
                if (others[j].live && are_near(l, &s[i], &others[j], step))
                    cut_where(l, &s[i], &others[j], across, 2);
        }
    }
}

// Whether a wall stands on the line, all of it.
static bool is_along(const look *l, const surface *s)
{
    bool near = true;
    for (int k = 0; k < 3; k++) {
        double x = s->corners[k].x - l->start.x, z = s->corners[k].z - l->start.z;
        near = near && fabs(x * l->direction.z - z * l->direction.x) <= WALL_REACH;
    }
    return near;
}

// Where a wall along the line begins, ends, and rises over a step above the ground or sinks below a head.
static void cut_at_wall(look *l, const surface *wall)
{
    const double apart[2] = {(double)l->tile->body->step, (double)l->tile->body->height};
    double t[3];
    for (int k = 0; k < 3; k++) {
        point2 c = wall->corners[k];
        t[k] = (c.x - l->start.x) * l->direction.x + (c.z - l->start.z) * l->direction.z;
        add_cut(l, t[k]);
    }
    for (int k = 0; k < 3 && is_along(l, wall); k++) {
        int m = (k + 1) % 3;
        double slope = (wall->heights[m] - wall->heights[k]) / (t[m] - t[k]);
        span edge = {section_least(t[k], t[m]),
                     section_most(t[k], t[m]),
                     wall->heights[k] - slope * t[k],
                     slope,
                     -1,
                     false,
                     false};
        for (int i = 0; isfinite(slope) && i < l->spans[0].count + l->spans[1].count; i++) {
            bool second = i >= l->spans[0].count;
            const span *s = (const span *)l->spans[second].items + (second ? i - l->spans[0].count : i);
            if (s->live)
                cut_where(l, &edge, s, apart, 2);
        }
    }
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void find_cuts(look *l)
{
    l->cuts.count = 0;
    for (int side = 0; side < 2; side++) {
        const span *s = l->spans[side].items;
        for (int i = 0; i < l->spans[side].count; i++) {
            add_cut(l, s[i].from);
            add_cut(l, s[i].to);
        }
    }
    cut_pairs(l);
    for (int i = 0; i < l->walls.count; i++)
        cut_at_wall(l, surface_at(l, ((const int *)l->walls.items)[i]));
    add(l, &l->cuts, &l->length, sizeof l->length);
    if (!l->failed)
        qsort(l->cuts.items, (size_t)l->cuts.count, sizeof(double), compare_numbers);
}

static void find_spans(look *l)
{
    l->spans[0].count = l->spans[1].count = l->walls.count = 0;
    const point2 starts[2] = {along(l, 0.0, GROUND_SIDE), along(l, 0.0, -GROUND_SIDE)}, end = along(l, l->length, 0.0);
    const frame around = {section_least(l->start.x, end.x) - WALL_REACH, section_least(l->start.z, end.z) - WALL_REACH,
                          section_most(l->start.x, end.x) + WALL_REACH, section_most(l->start.z, end.z) + WALL_REACH};
    for (int i = 0; i < l->near_count; i++) {
        const surface *s = surface_at(l, l->near[i].surface);
        if (section_apart(&s->around, &around))
            continue;
        if (s->thin)
            add(l, &l->walls, &l->near[i].surface, sizeof l->near->surface);
        for (int side = 0; side < 2 && !s->thin; side++) {
            span cut = {.surface = l->near[i].surface, .live = l->near[i].live};
            if (section_span(s, starts[side], l->direction, &cut) && cut.to > 0.0 && cut.from < l->length)
                add(l, &l->spans[side], &cut, sizeof cut);
        }
    }
}

// ---- one line: columns

static void find_column(look *l, int side, double t)
{
    const span *s = l->spans[side].items;
    list *column = &l->columns[side];
    column->count = 0;
    for (int i = 0; i < l->spans[side].count; i++)
        if (s[i].from <= t && t <= s[i].to) {
            ground_layer layer = {.y = s[i].y + s[i].slope * t,
                                  .solid = surface_at(l, s[i].surface)->solid,
                                  .surface = s[i].surface,
                                  .flat = s[i].flat};
            add(l, column, &layer, sizeof layer);
        }
    ground_layer *layers = column->items;
    ground_sort(layers, column->count);
}

static bool wall_between(const look *l, double t, double ground)
{
    const int *walls = l->walls.items;
    const double knee = ground + (double)l->tile->body->step + GROUND_SAME,
                 head = ground + (double)l->tile->body->height - GROUND_SAME;
    point2 at = along(l, t, 0.0);
    double low, high;
    for (int i = 0; i < l->walls.count; i++) {
        const surface *s = surface_at(l, walls[i]);
        if (s->high > knee && s->low < head && section_wall(s, at, WALL_REACH, &low, &high) && high > knee &&
            low < head)
            return true;
    }
    return false;
}

static void close_run(look *l, int side, const run *r)
{
    point2 from = along(l, side ? r->to : r->from, 0.0), to = along(l, side ? r->from : r->to, 0.0);
    ground_border border = {.from = {(float)from.x, (float)from.z},
                            .to = {(float)to.x, (float)to.z},
                            .from_y = (float)(side ? r->to_y : r->from_y),
                            .to_y = (float)(side ? r->from_y : r->to_y),
                            .other = (float)r->other,
                            .piece = l->line->piece,
                            .triangle = l->line->triangle};
    add(l, &l->borders, &border, sizeof border);
}

// Pieces as short as the columns are from the line may see what lies behind a corner: they are taken in by longer ones.
static bool goes_on_as(const run *r, const run *piece)
{
    return !r->extended && fabs(r->to_y - piece->from_y) < 1e-3 &&
           (borders_same_other(r->other, piece->other) || piece->to - piece->from < SLIM || r->to - r->from < SLIM);
}

static void extend(look *l, int side, const run *piece)
{
    run *r = l->runs[side].items;
    for (int i = 0; i < l->runs[side].count; i++)
        if (goes_on_as(&r[i], piece)) {
            if (r[i].to - r[i].from < SLIM)
                r[i].other = piece->other;
            r[i].to = piece->to, r[i].to_y = piece->to_y;
            r[i].extended = true;
            return;
        }
    add(l, &l->runs[side], piece, sizeof *piece);
}

// Runs that the last piece did not extend have ended.
static void close_others(look *l)
{
    for (int side = 0; side < 2; side++) {
        run *r = l->runs[side].items;
        int kept = 0;
        for (int i = 0; i < l->runs[side].count; i++)
            if (r[i].extended) {
                r[kept] = r[i];
                r[kept++].extended = false;
            } else {
                close_run(l, side, &r[i]);
            }
        l->runs[side].count = kept;
    }
}

// The free ground of the other side that is nearest in height, and whether one can go there.
static double look_across(const look *l, const list *column, double t, double y, bool *goes_on)
{
    const ground_layer *others = column->items;
    const double step = (double)l->tile->body->step + GROUND_SAME;
    double nearest = (double)NAN;
    *goes_on = false;
    for (int j = 0; j < column->count; j++) {
        double far = fabs(others[j].y - y);
        if (far > fabs(nearest - y) || !ground_is_free(l->tile->body, others, column->count, j))
            continue;
        nearest = others[j].y;
    }
    *goes_on = fabs(nearest - y) <= step && !wall_between(l, t, section_most(y, nearest));
    return nearest;
}

static void compare_side(look *l, int side, double from, double to)
{
    const list *column = &l->columns[side];
    const ground_layer *own = column->items;
    double t = 0.5 * (from + to);
    for (int i = 0; i < column->count; i++) {
        bool goes_on;
        if (!own[i].flat || !ground_is_free(l->tile->body, own, column->count, i))
            continue;
        double y = own[i].y, other = look_across(l, &l->columns[!side], t, y, &goes_on);
        if (goes_on)
            continue;
        const surface *s = surface_at(l, own[i].surface);
        double slope = s->slope_x * l->direction.x + s->slope_z * l->direction.z;
        run piece = {from, to, y + slope * (from - t), y + slope * (to - t), other, true};
        extend(l, side, &piece);
    }
}

static void look_along(look *l, const line *at)
{
    l->line = at;
    l->length = at->length;
    l->start = at->ends[0];
    l->direction = at->direction;
    find_spans(l);
    find_cuts(l);
    const double *cuts = l->cuts.items;
    double from = 0.0;
    for (int i = 0; i < l->cuts.count && !l->failed; i++) {
        if (cuts[i] - from < SHORTEST)
            continue;
        find_column(l, 0, 0.5 * (from + cuts[i]));
        find_column(l, 1, 0.5 * (from + cuts[i]));
        compare_side(l, 0, from, cuts[i]);
        compare_side(l, 1, from, cuts[i]);
        close_others(l);
        from = cuts[i];
    }
    close_others(l);
}

// ---- lines

static void measure(line *a)
{
    double x = a->ends[1].x - a->ends[0].x, z = a->ends[1].z - a->ends[0].z;
    a->length = sqrt(x * x + z * z);
    a->direction = (point2){x / a->length, z / a->length};
}

// Whether two lines lie on each other, seen from above: then the first takes in the other.
static bool take_in(line *a, const line *b)
{
    const point2 way = a->direction;
    double t[2];
    for (int i = 0; i < 2; i++) {
        double dx = b->ends[i].x - a->ends[0].x, dz = b->ends[i].z - a->ends[0].z;
        if (fabs(dx * way.z - dz * way.x) > COLLINEAR)
            return false;
        t[i] = dx * way.x + dz * way.z;
    }
    if (section_least(t[0], t[1]) > a->length || section_most(t[0], t[1]) < 0.0)
        return false;
    const line old = *a;
    for (int i = 0; i < 2; i++) {
        bool first = t[i] < 0.0 && t[i] <= t[!i], last = t[i] > old.length && t[i] >= t[!i];
        if (first || last)
            a->ends[last] = b->ends[i];
    }
    measure(a);
    if (a->direction.x * way.x + a->direction.z * way.z <= 0.0)
        *a = old;
    return true;
}

static void add_line(look *l, const frame *part, const point2 ends[2], const surface *of)
{
    line added = {.ends = {ends[0], ends[1]}, .piece = of->piece, .triangle = of->triangle};
    double x = ends[1].x - ends[0].x, z = ends[1].z - ends[0].z;
    if (x * x + z * z < SHORTEST * SHORTEST || !section_clip(part, added.ends))
        return;
    measure(&added);
    if (added.length < SHORTEST)
        return;
    line *lines = l->lines.items;
    for (int i = 0; i < l->lines.count; i++)
        if (take_in(&lines[i], &added))
            return;
    add(l, &l->lines, &added, sizeof added);
}

// Whether enough lines are known to tell that the part must be quartered.
static bool has_many_lines(const look *l, int depth)
{
    return l->lines.count > LINES && depth < LINES_DEEPEST;
}

// How far above ground something is when it begins to be in the way, at least. Heights within a part are rounded.
static double least_above(const look *l, const surface *upper)
{
    return (double)(upper->flat ? l->tile->body->height : l->tile->body->step) - GROUND_SAME;
}

static void add_level_lines(look *l, const frame *part, const surface *upper, const surface *lower)
{
    const double above[2] = {(double)l->tile->body->height, (double)l->tile->body->step};
    point2 ends[2];
    if (section_apart(&upper->around, &lower->around))
        return;
    for (int i = 0; i < (upper->flat ? 1 : 2); i++)
        if (upper->high - lower->low >= above[i] && upper->low - lower->high <= above[i] &&
            section_level_line(upper, lower, above[i], ends))
            add_line(l, part, ends, upper);
}

// Of hundreds of triangles of ground few are high enough to be in the way of others.
static void find_uppers(look *l)
{
    double low = (double)INFINITY;
    l->uppers.count = 0;
    for (int i = 0; i < l->near_count; i++)
        low = l->near[i].live ? section_least(low, l->near[i].low) : low;
    for (int i = 0; i < l->near_count; i++) {
        const surface *s = surface_at(l, l->near[i].surface);
        if (!s->thin && l->near[i].high - low >= least_above(l, s))
            add(l, &l->uppers, &l->near[i], sizeof l->near[i]);
    }
}

static void find_lines(look *l, const frame *part, int depth)
{
    const double height = (double)l->tile->body->height + GROUND_SAME;
    find_uppers(l);
    l->lines.count = 0;
    for (int i = 0; i < l->near_count && !has_many_lines(l, depth); i++) {
        const part_surface *own = &l->near[i];
        const surface *s = surface_at(l, own->surface);
        for (int k = 0; k < 3; k++) {
            const point2 ends[2] = {s->corners[k], s->corners[(k + 1) % 3]};
            if (s->rim[k])
                add_line(l, part, ends, s);
        }
        for (int j = 0; own->live && j < l->uppers.count; j++) {
            const part_surface *upper = &((const part_surface *)l->uppers.items)[j];
            const surface *t = surface_at(l, upper->surface);
            if (t != s && upper->high - own->low >= least_above(l, t) && upper->low - own->high <= height)
                add_level_lines(l, part, t, s);
        }
    }
}

// ---- parts of a tile

static frame widened(const frame *f)
{
    const double more = 2.0 * GROUND_SIDE;
    return (frame){f->low_x - more, f->low_z - more, f->high_x + more, f->high_z + more};
}

static void look_at_part(look *l, frame part, int first, int depth, int before);

static void quarter(look *l, const frame *whole, int first, int depth)
{
    const double x[3] = {whole->low_x, 0.5 * (whole->low_x + whole->high_x), whole->high_x},
                 z[3] = {whole->low_z, 0.5 * (whole->low_z + whole->high_z), whole->high_z};
    int end = l->chosen.count;
    l->quartered = true;
    for (int k = 0; k < 4 && !l->failed; k++) {
        int i = k & 1, j = k >> 1;
        frame part = {x[i], z[j], x[i + 1], z[j + 1]};
        frame wide = widened(&part);
        for (int s = first; s < end; s++) {
            part_surface which = ((const part_surface *)l->chosen.items)[s];
            if (section_meets(surface_at(l, which.surface), &wide))
                add(l, &l->chosen, &which, sizeof which);
        }
        look_at_part(l, part, end, depth + 1, end - first);
        l->chosen.count = end;
    }
}

// Whether ground goes on everywhere in a part: nothing ends in it, and nothing is a step above anything.
static bool is_even(const look *l, const part_surface *p, int count)
{
    double low = p[0].low, high = p[0].high;
    bool rims = false;
    for (int i = 0; i < count && !rims; i++) {
        const surface *s = surface_at(l, p[i].surface);
        rims = s->rim[0] || s->rim[1] || s->rim[2];
        low = section_least(low, p[i].low), high = section_most(high, p[i].high);
    }
    return !rims && high - low < (double)l->tile->body->step;
}

// `before` is how many surfaces the part had that this one is a quarter of. Storeys over storeys are not thinned out by
// quartering; then the number of lines tells whether to go on.
static void look_at_part(look *l, frame part, int first, int depth, int before)
{
    if (l->failed || l->chosen.count == first)
        return;
    const frame wide = widened(&part);
    const int count =
        borders_thin(l->tile, &wide, (part_surface *)l->chosen.items + first, l->chosen.count - first, &l->ranges);
    l->failed = count < 0;
    if (count <= 0 || is_even(l, (const part_surface *)l->chosen.items + first, count))
        return;
    l->chosen.count = first + count;
    if (count > CROWDED && depth < DEEPEST && 4 * count <= 3 * before) {
        quarter(l, &part, first, depth);
        return;
    }
    l->near_count = count;
    l->near = (const part_surface *)l->chosen.items + first;
    find_lines(l, &part, depth);
    if (has_many_lines(l, depth)) {
        quarter(l, &part, first, depth);
        return;
    }
    const line *lines = l->lines.items;
    for (int i = 0; i < l->lines.count && !l->failed; i++)
        look_along(l, &lines[i]);
}

// ---- tiles

bool ground_tile_borders(ground_tile *tile, list *out)
{
    if (!tile->scratch)
        tile->scratch = lope_alloc_zero(sizeof *tile->scratch);
    look *l = tile->scratch;
    if (!l)
        return false;
    l->tile = tile;
    l->failed = l->quartered = false;
    l->borders.count = l->chosen.count = l->runs[0].count = l->runs[1].count = 0;
    for (int i = 0; i < tile->surfaces.count; i++)
        add(l, &l->chosen, &(part_surface){.surface = i}, sizeof(part_surface));
    look_at_part(l, (frame){tile->low_x, tile->low_z, tile->high_x, tile->high_z}, 0, 0, INT_MAX / 4);
    if (l->quartered && !l->failed)
        l->failed = !borders_join(l->borders.items, l->borders.count, &l->beginnings);
    const ground_border *b = l->borders.items;
    for (int i = 0; i < l->borders.count && !l->failed; i++) {
        double x = (double)(b[i].to.x - b[i].from.x), z = (double)(b[i].to.z - b[i].from.z);
        if (b[i].piece != BORDERS_TAKEN && x * x + z * z >= FAINT * FAINT)
            add(l, out, &b[i], sizeof b[i]);
    }
    return !l->failed;
}

void ground_tile_free(ground_tile *tile)
{
    look *l = tile->scratch;
    if (l) {
        lope_free(l->chosen.items), lope_free(l->lines.items), lope_free(l->walls.items), lope_free(l->cuts.items);
        lope_free(l->borders.items), lope_free(l->ranges.items), lope_free(l->beginnings.items);
        lope_free(l->uppers.items);
        for (int side = 0; side < 2; side++)
            lope_free(l->spans[side].items), lope_free(l->columns[side].items), lope_free(l->runs[side].items);
    }
    lope_free(l);
    lope_free(tile->triangles.items), lope_free(tile->keys.items), lope_free(tile->gathered.items);
    lope_free(tile->surfaces.items);
    *tile = (ground_tile){0};
}
