// SPDX-License-Identifier: MIT
// Links across borders: ledges, gaps and walls to climb over. Straight edges of free ground are put together from
// borders; in front of each, the grounds to land on are looked for: right below the edge, and behind every border that
// faces it. A disc must have room on both sides of the crossing, and nothing may stand in the body's way.
#include <math.h>
#include <stdlib.h>

#include "level/edge.h"
#include "level/sweep.h"

#define SKIN 3e-3     // metres on both sides of an edge that count as the edge itself
#define SPACING 0.25  // metres between places where ground below an edge is looked for
#define THICKEST 1.0  // metres of walls that are climbed over
#define THIN 0.15     // metres
#define WINDOWS 0.05  // metres between places where a wall's top is looked for
#define SHORTEST 0.02 // metres: borders below are part of edges, but say nothing about their direction
#define LANDINGS 64
#define NO_HEIGHT (double)NAN

typedef struct landing {
    sweep_line edge, stand; // where the ground begins, and where the feet are
    ranges where;           // of s
    double near;            // t of its edge in the middle
} landing;

// A straight edge, and the longest border of it.
typedef struct whole {
    sweep_edge edge;
    const links_border *main;
    bool done;
} whole;

typedef struct facing_border {
    const links_border *border;
    sweep_edge edge; // of it alone
    bool taken;
} facing_border;

typedef struct edge_mark {
    const links_border *border; // NULL: free
    int edge;
} edge_mark;

typedef struct crossing {
    const links_source *source;
    const links_want *want;
    links_found *out;
    sweep_edge edge;
    links_origin origin;
    sweep_line stand;
    ranges clear; // where a disc has room on this side
    landing landings[LANDINGS];
    int landing_count;
    list triangles, swept; // the same, as sweep_triangle
    list ids;
    list edges;       // whole
    edge_mark *marks; // by hash: the edges of borders that are known
    int mark_count, mark_room;
    list facing;    // facing_border
    list obstacles; // sweep_extent
    bool failed;
} crossing;

static double at(const sweep_line *line, double s)
{
    return line->t + line->lean * s;
}

static double height(const sweep_line *line, double s)
{
    return line->y + line->slope * s;
}

// ---- edges from borders

static sweep_edge edge_of(const links_border *b)
{
    const double x = (double)b->to.x - (double)b->from.x, z = (double)b->to.z - (double)b->from.z;
    const double length = sqrt(x * x + z * z), scale = length > 0.0 ? 1.0 / length : 0.0;
    return (sweep_edge){.start = {(double)b->from.x, (double)b->from.z},
                        .along = {x * scale, z * scale},
                        .out = {z * scale, -x * scale},
                        .length = length,
                        .y = (double)b->from.y,
                        .slope = ((double)b->to.y - (double)b->from.y) * scale};
}

// Where b goes on from an edge's stretch [range[0], range[1]] or lies in it, widens that. True where it is part of it.
static bool join_border(const sweep_edge *e, const links_border *b, double range[2])
{
    const sweep_edge other = edge_of(b);
    const point2 from = sweep_from_place(e, (double)b->from.x, (double)b->from.z);
    const point2 to = sweep_from_place(e, (double)b->to.x, (double)b->to.z);
    if (fabs(from.z) > SKIN || fabs(to.z) > SKIN || to.x <= from.x || fabs(other.slope - e->slope) > 0.05)
        return false;
    if (from.x > range[1] + 2.0 * SKIN || to.x < range[0] - 2.0 * SKIN)
        return false;
    if (fabs(other.y - e->y - e->slope * from.x) > 0.05)
        return false;
    range[0] = fmin(range[0], from.x), range[1] = fmax(range[1], to.x);
    return true;
}

// The mark of a border: a free one where it is not known yet. NULL: no memory.
static edge_mark *mark_of(crossing *c, const links_border *border)
{
    if (2 * c->mark_count >= c->mark_room) {
        const int room = c->mark_room ? 2 * c->mark_room : 256, old_room = c->mark_room;
        edge_mark *old = c->marks;
        c->marks = lope_alloc_zero((size_t)room * sizeof *c->marks);
        if (!c->marks) {
            c->marks = old;
            return NULL;
        }
        c->mark_room = room;
        for (int i = 0; i < old_room; i++)
            if (old[i].border)
                *mark_of(c, old[i].border) = old[i];
        lope_free(old);
    }
    for (uint32_t at = (uint32_t)((uintptr_t)border / 4) * 2654435761u >> 7;; at++) {
        edge_mark *mark = &c->marks[at & (uint32_t)(c->mark_room - 1)];
        if (!mark->border || mark->border == border)
            return mark;
    }
}

static void set_mark(crossing *c, const links_border *border, int number)
{
    edge_mark *mark = mark_of(c, border);
    c->failed |= !mark;
    if (mark) {
        c->mark_count += !mark->border;
        *mark = (edge_mark){border, number};
    }
}

// Goes on from a border to both sides as far as it is straight; marks its borders with `number`. Returns the longest of
// them, the first of equals: the direction of short ones is not known well.
static const links_border *follow(crossing *c, const links_border *border, int number, double range[2])
{
    const sweep_edge e = edge_of(border);
    const links_border *longest = border;
    double length = e.length;
    range[0] = 0.0, range[1] = e.length;
    for (int end = 0; end < 2; end++)
        for (double before = NO_HEIGHT; range[end] != before && !c->failed;) {
            before = range[end];
            const point2 p = sweep_place(&e, before, 0.0);
            c->failed |= !border_index_find(c->source->borders, (point2){p.x - 0.01, p.z - 0.01},
                                            (point2){p.x + 0.01, p.z + 0.01}, &c->ids);
            for (int i = 0; i < c->ids.count; i++) {
                const links_border *b = ((const links_border **)c->ids.items)[i];
                if (!join_border(&e, b, range))
                    continue;
                set_mark(c, b, number);
                const double other = edge_of(b).length;
                if (other > length || (other == length && place_order(b->from, longest->from) < 0))
                    length = other, longest = b;
            }
        }
    return longest;
}

// The number of the whole straight edge that a border is part of, the same for each of its borders.
static int whole_edge(crossing *c, const links_border *border)
{
    const edge_mark *known = mark_of(c, border);
    if (known && known->border)
        return known->edge;
    double range[2];
    const int number = c->edges.count;
    const links_border *main = follow(c, border, number, range), *before = border;
    for (int tries = 0; main != before && tries < 8; tries++) {
        before = main;
        main = follow(c, main, number, range); // the same edge, wherever it was come upon
    }
    set_mark(c, border, number);
    whole w = {edge_of(main), main, false};
    w.edge.start = sweep_place(&w.edge, range[0], 0.0);
    w.edge.y += w.edge.slope * range[0];
    w.edge.length = range[1] - range[0];
    c->failed |= !list_add(&c->edges, &w, sizeof w);
    return number;
}

// ---- grounds to land on

static void add_landing(crossing *c, const landing *l)
{
    if (c->landing_count == LANDINGS || l->where.count == 0)
        return;
    int i = c->landing_count++;
    for (; i > 0 && (c->landings[i - 1].near > l->near + 1e-6 ||
                     (c->landings[i - 1].near > l->near - 1e-6 && c->landings[i - 1].edge.y < l->edge.y));
         i--)
        c->landings[i] = c->landings[i - 1];
    c->landings[i] = *l;
}

// Ground right below the edge, from place to place along it.
static void add_grounds_below(crossing *c, double from, double to)
{
    const lope_floors_def *def = c->source->def;
    const sweep_edge *e = &c->edge;
    const int count = 1 + (int)ceil((to - from) / SPACING);
    const double deepest = (double)def->climb, reach = 0.5 * (deepest - (double)def->step);
    double begin = 0.0, begin_y = NO_HEIGHT, last_y = NO_HEIGHT, last = from;
    for (int i = 0; i <= count; i++) {
        const double s = count > 1 ? from + (to - from) * fmin(i, count - 1) / (count - 1) : from;
        const double top = e->y + e->slope * s;
        double y = NO_HEIGHT;
        if (i == count || !links_ground(c->source, sweep_place(e, s, (double)def->radius),
                                        top - (double)def->step - reach, reach, &y))
            y = NO_HEIGHT;
        if (!isnan(begin_y) && !(fabs(y - last_y) <= (double)def->step)) {
            landing l = {.where = {1, {begin}, {fmin(to, s)}}, .near = 0.0};
            l.edge.slope = last > begin ? (last_y - begin_y) / (last - begin) : 0.0;
            l.edge.y = begin_y - l.edge.slope * begin;
            l.stand = l.edge;
            l.stand.t = (double)def->radius;
            add_landing(c, &l);
            begin_y = NO_HEIGHT;
        }
        if (isnan(begin_y) && !isnan(y))
            begin = i == 0 ? from : last, begin_y = y;
        last_y = y, last = s;
    }
}

static void add_facing(crossing *c, const sweep_edge *other)
{
    const lope_floors_def *def = c->source->def;
    const sweep_edge *e = &c->edge;
    const point2 start = other->start, end = sweep_place(other, other->length, 0.0);
    const point2 from = sweep_from_place(e, start.x, start.z), to = sweep_from_place(e, end.x, end.z);
    landing l = {.where = c->clear};
    ranges_cut(&l.where, (double)-INFINITY, fmin(from.x, to.x));
    ranges_cut(&l.where, fmax(from.x, to.x), (double)INFINITY);
    if (l.where.count == 0)
        return;
    l.edge.lean = (to.z - from.z) / (to.x - from.x);
    l.edge.t = from.z - l.edge.lean * from.x;
    l.edge.slope = other->slope * other->length / (to.x - from.x);
    l.edge.y = other->y - l.edge.slope * from.x;
    l.stand = l.edge;
    l.stand.t += (double)def->radius * sqrt(1.0 + l.edge.lean * l.edge.lean);
    const double s = 0.5 * (l.where.from[0] + l.where.to[l.where.count - 1]);
    l.near = at(&l.edge, s);
    const double rise = height(&l.edge, s) - e->y - e->slope * s;
    if (l.near > -SKIN && l.near <= (double)def->leap && fabs(rise) <= (double)def->climb)
        add_landing(c, &l);
}

// Borders whose ground lies in front, behind them: those that reach into what is in front of the edge.
static void find_facing(crossing *c)
{
    const sweep_edge *e = &c->edge;
    const double far = (double)c->source->def->leap + SKIN;
    const point2 a = sweep_place(e, 0.0, 0.0), b = sweep_place(e, e->length, 0.0);
    const point2 low = {fmin(a.x, b.x) + fmin(0.0, far * e->out.x), fmin(a.z, b.z) + fmin(0.0, far * e->out.z)};
    const point2 high = {fmax(a.x, b.x) + fmax(0.0, far * e->out.x), fmax(a.z, b.z) + fmax(0.0, far * e->out.z)};
    c->facing.count = 0;
    c->failed |= !border_index_find(c->source->borders, (point2){low.x - SKIN, low.z - SKIN},
                                    (point2){high.x + SKIN, high.z + SKIN}, &c->ids);
    for (int i = 0; i < c->ids.count && !c->failed; i++) {
        const links_border *border = ((const links_border **)c->ids.items)[i];
        const sweep_edge piece = edge_of(border);
        const point2 p = sweep_from_place(e, (double)border->from.x, (double)border->from.z);
        const point2 q = sweep_from_place(e, (double)border->to.x, (double)border->to.z);
        if (piece.out.x * e->out.x + piece.out.z * e->out.z > -0.5 || (p.x < 0.0 && q.x < 0.0) ||
            (p.x > e->length && q.x > e->length) || (p.z < -SKIN && q.z < -SKIN) || (p.z > far && q.z > far) ||
            fabs(piece.y - e->y) > (double)(c->source->def->climb + c->source->def->height))
            continue;
        c->failed |= !list_add(&c->facing, &(facing_border){border, piece, false}, sizeof(facing_border));
        links_note(&c->origin, border);
    }
}

// Puts borders that face the edge together to straight ones, from the longest on: a landing behind each.
static void add_all_facing(crossing *c)
{
    facing_border *f = c->facing.items;
    for (;;) {
        facing_border *main = NULL;
        for (int i = 0; i < c->facing.count; i++)
            if (!f[i].taken && f[i].edge.length >= SHORTEST && (!main || f[i].edge.length > main->edge.length))
                main = &f[i];
        if (!main)
            return;
        double range[2] = {0.0, main->edge.length};
        main->taken = true;
        for (bool more = true; more;) {
            more = false;
            for (int i = 0; i < c->facing.count; i++)
                if (!f[i].taken && join_border(&main->edge, f[i].border, range))
                    f[i].taken = more = true;
        }
        sweep_edge whole_one = main->edge;
        whole_one.start = sweep_place(&main->edge, range[0], 0.0);
        whole_one.y += whole_one.slope * range[0];
        whole_one.length = range[1] - range[0];
        add_facing(c, &whole_one);
    }
}

static void find_landings(crossing *c)
{
    c->landing_count = 0;
    for (int i = 0; i < c->clear.count; i++)
        add_grounds_below(c, c->clear.from[i], c->clear.to[i]);
    find_facing(c);
    add_all_facing(c);
}

// ---- what stands in the way

static void gather_triangles(crossing *c, const landing *l, double top)
{
    const sweep_edge *e = &c->edge;
    const double r = (double)c->source->def->radius, last = l->where.to[l->where.count - 1];
    links_box box = terrain_box_empty();
    for (int i = 0; i < 4; i++) {
        const double s = i & 1 ? last + r : l->where.from[0] - r;
        const point2 p = sweep_place(e, s, i & 2 ? at(&l->stand, s) + r : -2.0 * r);
        box.low.x = fminf(box.low.x, (float)p.x), box.high.x = fmaxf(box.high.x, (float)p.x);
        box.low.z = fminf(box.low.z, (float)p.z), box.high.z = fmaxf(box.high.z, (float)p.z);
        const double lower = fmin(e->y + e->slope * s, height(&l->edge, s));
        box.low.y = fminf(box.low.y, (float)lower);
    }
    box.high.y = (float)top;
    c->failed |= !links_triangles(c->source->terrain, &box, &c->triangles) || !sweep_take(e, &c->triangles, &c->swept);
}

// Cuts where the body cannot pass: above both grounds, and between them above `low`.
static void cut_blocked(crossing *c, const landing *l, const sweep_zone *between, double top, ranges *r)
{
    const double radius = (double)c->source->def->radius, step = (double)c->source->def->step;
    const sweep_line here = {-SKIN, 0.0, 0.0, 0.0}, behind = {-2.0 * radius, 0.0, 0.0, 0.0};
    sweep_line far = l->edge, beyond = l->stand;
    far.t += SKIN, beyond.t += radius;
    const sweep_zone zones[2] = {{behind, here, c->edge.y + step, c->edge.slope, 0.0, top},
                                 {far, beyond, l->edge.y + step, l->edge.slope, 0.0, top}};
    sweep_triangles(&c->swept, &zones[0], radius, r);
    sweep_triangles(&c->swept, &zones[1], radius, r);
    if (between)
        sweep_triangles(&c->swept, between, radius, r);
}

static sweep_zone zone_between(const crossing *c, const landing *l, bool ledge, double top)
{
    const double s = 0.5 * (l->where.from[0] + l->where.to[l->where.count - 1]), step = (double)c->source->def->step;
    const double a = c->edge.y + c->edge.slope * s, b = height(&l->edge, s);
    sweep_zone zone = {.near = {-SKIN, 0.0, 0.0, 0.0}, .far = l->edge, .high = top};
    zone.far.t += SKIN;
    if (ledge || l->near < SKIN) { // up to the higher one
        const bool here = a >= b;
        zone.low = (here ? c->edge.y : l->edge.y) + step;
        zone.slope = here ? c->edge.slope : l->edge.slope;
    } else { // up to the line from edge to edge
        zone.slope = c->edge.slope;
        zone.low = c->edge.y + step;
        zone.fall = (b - a) / l->near;
    }
    return zone;
}

// ---- links

static lope_vec3 place(const crossing *c, double s, double t, double y)
{
    const point2 p = sweep_place(&c->edge, s, t);
    double ground;
    if (!links_ground(c->source, p, y, (double)c->source->def->step, &ground))
        ground = y;
    return (lope_vec3){(float)p.x, (float)ground, (float)p.z};
}

static lope_vec3 on_edge(const crossing *c, double s, double t, double y)
{
    const point2 p = sweep_place(&c->edge, s, t);
    return (lope_vec3){(float)p.x, (float)y, (float)p.z};
}

static float headroom(const crossing *c, const lope_link *link)
{
    const float top = fmaxf(link->from.y, link->to.y);
    const lope_vec3 middle = lope_v3_lerp(link->left, link->right, 0.5f);
    const float before = links_headroom(c->source, (lope_vec3){link->from.x, top, link->from.z});
    const float after = links_headroom(c->source, (lope_vec3){link->to.x, top, link->to.z});
    return fminf(fminf(before, after), links_headroom(c->source, (lope_vec3){middle.x, top, middle.z}));
}

// Whether there is ground all around a place: borders of what is narrower than a hand may be missing.
static bool is_ground(const crossing *c, lope_vec3 at)
{
    const double r = 0.9 * (double)c->source->def->radius, step = (double)c->source->def->step;
    double y;
    for (int i = 0; i < 5; i++) {
        const point2 p = {(double)at.x + (i == 1   ? r
                                          : i == 2 ? -r
                                                   : 0.0),
                          (double)at.z + (i == 3   ? r
                                          : i == 4 ? -r
                                                   : 0.0)};
        if (!links_ground(c->source, p, (double)at.y, step, &y))
            return false;
    }
    return true;
}

static void add_link(crossing *c, lope_link *link, bool back)
{
    if (!is_ground(c, link->from) || !is_ground(c, link->to))
        return;
    link->headroom = link->headroom > 0.0f ? link->headroom : headroom(c, link);
    c->failed |= !links_add(c->out, link, &c->origin);
    if (!back)
        return;
    lope_link turned = *link;
    turned.kind = LOPE_LINK_UP;
    turned.from = link->to, turned.to = link->from;
    turned.left = link->right, turned.right = link->left;
    turned.rise = -link->rise;
    turned.reach = turned.rise;
    c->failed |= !links_add(c->out, &turned, &c->origin);
}

static lope_link link_over(const crossing *c, const landing *l, double from, double to)
{
    const double r = (double)c->source->def->radius, s = 0.5 * (from + to);
    const double a = c->edge.y + c->edge.slope * s, b = height(&l->edge, s);
    lope_link link = {.from_floor = -1, .to_floor = -1, .part = -1};
    link.from = place(c, s, -r, a);
    link.to = place(c, s, at(&l->stand, s), b);
    const bool upper = a >= b; // the line is the edge that hands or feet take
    for (int i = 0; i < 2; i++) {
        const double x = i ? to : from;
        *(i ? &link.right : &link.left) = upper ? on_edge(c, x, 0.0, c->edge.y + c->edge.slope * x)
                                                : on_edge(c, x, at(&l->edge, x), height(&l->edge, x));
    }
    link.rise = link.to.y - link.from.y;
    link.across = (float)fmax(at(&l->edge, s), 0.0);
    link.room = (float)(to - from + 2.0 * r);
    return link;
}

static void add_links(crossing *c, const landing *l, bool ledge)
{
    for (int i = 0; i < l->where.count; i++) {
        lope_link link = link_over(c, l, l->where.from[i], l->where.to[i]);
        link.kind = ledge ? LOPE_LINK_DOWN : LOPE_LINK_GAP;
        link.reach = !ledge && link.rise > c->source->def->step ? link.rise : 0.0f;
        add_link(c, &link, ledge);
    }
}

// ---- bars over gaps

#define BARS 64
#define BARS_LOW 1.4   // metres above the feet
#define BARS_HIGH 2.7  // metres
#define BARS_APART 0.8 // metres from one to the next, at most
#define BARS_BEGIN 0.6 // metres from an edge to the first

typedef struct bar_range {
    double s[2], t[2], y; // s and t ascending
} bar_range;

// Bars in reach above a gap.
static int find_bars(crossing *c, const landing *l, double feet, bar_range out[BARS])
{
    int count = 0;
    const lope_terrain_triangle *t = c->triangles.items;
    lope_level_hold bar;
    for (int i = 0; i < c->triangles.count && count < BARS; i++) {
        const double y = (double)t[i].corners[0].y - feet;
        if (y < BARS_LOW || y > BARS_HIGH || !links_may_be_first(c->source->terrain, &t[i]) ||
            !links_is_bar(c->source, &t[i], &bar) || !(bar.room > 0.0f))
            continue;
        const point2 a = sweep_from_place(&c->edge, (double)bar.from.x, (double)bar.from.z);
        const point2 b = sweep_from_place(&c->edge, (double)bar.to.x, (double)bar.to.z);
        const bar_range r = {
            {fmin(a.x, b.x), fmax(a.x, b.x)}, {fmin(a.z, b.z), fmax(a.z, b.z)}, 0.5 * (double)(bar.from.y + bar.to.y)};
        if (fabsf(bar.to.y - bar.from.y) > 0.3f || r.t[0] > l->near + BARS_BEGIN || r.t[1] < -BARS_BEGIN)
            continue;
        int at = count++;
        for (; at > 0 && out[at - 1].t[0] > r.t[0]; at--)
            out[at] = out[at - 1];
        out[at] = r;
    }
    return count;
}

// How far bars lead from one of them on, over which s and how high.
static double follow_bars(const bar_range *bars, int count, int first, bar_range *way)
{
    *way = bars[first];
    for (int i = first + 1; i < count && bars[i].t[0] <= way->t[1] + BARS_APART; i++) {
        const double from = fmax(way->s[0], bars[i].s[0]), to = fmin(way->s[1], bars[i].s[1]);
        if (from > to)
            continue; // beside the others
        way->s[0] = from, way->s[1] = to;
        way->t[1] = fmax(way->t[1], bars[i].t[1]), way->y = fmax(way->y, bars[i].y);
    }
    return way->s[1] - way->s[0];
}

// Where bars lead over a gap, one after the other or along one: the widest way.
static void add_bars(crossing *c, const landing *l, double feet)
{
    bar_range bars[BARS], way, best = {{0.0, -1.0}, {0.0, 0.0}, 0.0};
    const int count = find_bars(c, l, feet, bars);
    for (int first = 0; first < count && bars[first].t[0] <= BARS_BEGIN; first++)
        if (follow_bars(bars, count, first, &way) > best.s[1] - best.s[0] && way.t[1] >= l->near - BARS_BEGIN)
            best = way;
    landing under = *l;
    ranges_cut(&under.where, (double)-INFINITY, best.s[0]);
    ranges_cut(&under.where, best.s[1], (double)INFINITY);
    for (int i = 0; i < under.where.count && best.s[1] >= best.s[0]; i++) {
        lope_link link = link_over(c, &under, under.where.from[i], under.where.to[i]);
        link.kind = LOPE_LINK_BARS;
        link.reach = (float)best.y - link.from.y;
        add_link(c, &link, false);
    }
}

// ---- walls to climb over

// The parts of triangles between both edges, above feet's reach: what an opening must be clear of.
static void find_obstacles(crossing *c, const landing *l)
{
    const sweep_triangle *t = c->swept.items;
    sweep_zone zone = {.near = {.t = -SKIN}, .far = l->edge, .low = (double)-INFINITY, .high = (double)INFINITY};
    zone.far.t += SKIN;
    zone.low = fmin(c->edge.y, l->edge.y) - 1e3, zone.high = zone.low + 2e3;
    c->obstacles.count = 0;
    for (int i = 0; i < c->swept.count; i++) {
        sweep_extent extent;
        if (sweep_extent_of(&t[i], &zone, &extent))
            c->failed |= !list_add(&c->obstacles, &extent, sizeof extent);
    }
}

// How high what hangs above a place is, over the higher ground; as much as is told where nothing does.
static double hangs_at(const crossing *c, const landing *l, double from, double to)
{
    const sweep_extent *o = c->obstacles.items;
    const double s = 0.5 * (from + to), r = (double)c->source->def->radius;
    const double ground = fmax(c->edge.y + c->edge.slope * s, height(&l->edge, s));
    double least = (double)(LINKS_HEADROOM * c->source->def->height);
    for (int i = 0; i < c->obstacles.count; i++)
        if (o[i].s[1] >= from - r && o[i].s[0] <= to + r && o[i].y[1] > ground + (double)c->source->def->step)
            least = fmin(least, o[i].y[0] - ground);
    return least;
}

// Height of the lowest opening of a wall at s that a body fits through, a step above the ground where it is right
// there; NAN where there is none.
static double opening(const crossing *c, const landing *l, double s)
{
    const lope_floors_def *def = c->source->def;
    const double r = (double)def->radius, a = c->edge.y + c->edge.slope * s, b = height(&l->edge, s);
    const double low = fmax(a, b) + (double)def->step, highest = fmin(a, b) + (double)def->climb;
    const sweep_extent *o = c->obstacles.items;
    double bottom = low;
    for (bool free = false; !free && bottom <= highest;) { // rises over what is in the way, until nothing is
        free = true;
        for (int i = 0; i < c->obstacles.count; i++)
            if (o[i].s[1] >= s - r && o[i].s[0] <= s + r && o[i].y[1] > bottom + 1e-4 &&
                o[i].y[0] < bottom + (double)def->crawl) {
                bottom = o[i].y[1];
                free = false;
            }
    }
    return bottom > highest ? NO_HEIGHT : bottom;
}

static bool can_stand_on(const crossing *c, const landing *l, double s, double y)
{
    double ground;
    return at(&l->edge, s) >= 2.0 * (double)c->source->def->radius &&
           links_ground(c->source, sweep_place(&c->edge, s, 0.5 * at(&l->edge, s)), y, 0.05, &ground);
}

// A board that hangs too low, and is too thin for cells to see: a passage below it.
static void add_under(crossing *c, const landing *l, double from, double to)
{
    lope_link link = link_over(c, l, from, to);
    link.kind = LOPE_LINK_LOW;
    link.headroom = (float)hangs_at(c, l, from, to);
    link.left.y = link.right.y = fmaxf(link.from.y, link.to.y);
    link.first = c->out->steps.count, link.count = 1;
    const lope_link_step step = {.left = link.left, .right = link.right, .headroom = link.headroom};
    if (link.headroom < c->source->def->crawl || link.headroom > c->source->def->height || !is_ground(c, link.from) ||
        !is_ground(c, link.to))
        return;
    c->failed |= !list_add(&c->out->steps, &step, sizeof step);
    add_link(c, &link, false);
}

static void add_wall(crossing *c, const landing *l, double from, double to, double top)
{
    const double s = 0.5 * (from + to), ground = fmax(c->edge.y + c->edge.slope * s, height(&l->edge, s));
    if (top <= ground + (double)c->source->def->step + 1e-3) {
        if (l->near < THIN)
            add_under(c, l, from, to);
        return;
    }
    landing part = *l;
    part.where = (ranges){1, {from}, {to}};
    cut_blocked(c, &part, NULL, top + (double)c->source->def->crawl, &part.where);
    for (int i = 0; i < part.where.count; i++) {
        lope_link link = link_over(c, l, part.where.from[i], part.where.to[i]);
        link.kind = LOPE_LINK_OVER;
        link.reach = (float)top - link.from.y;
        link.left.y = link.right.y = (float)top;
        link.headroom = c->source->def->crawl;
        add_link(c, &link, false);
    }
}

// Stretches of a wall of one height.
static void add_walls(crossing *c, const landing *l)
{
    find_obstacles(c, l);
    for (int i = 0; i < l->where.count; i++) {
        const double from = l->where.from[i], to = l->where.to[i];
        const int count = 1 + (int)ceil((to - from) / WINDOWS);
        double begin = NO_HEIGHT, top = NO_HEIGHT, last = from;
        for (int k = 0; k <= count; k++) {
            const double s = count > 1 ? from + (to - from) * fmin(k, count - 1) / (count - 1) : from;
            double y = NO_HEIGHT;
            if (k < count)
                y = opening(c, l, s);
            if (!isnan(y) && can_stand_on(c, l, s, y))
                y = NO_HEIGHT;
            if (!isnan(begin) && !(fabs(y - top) < 0.05)) {
                add_wall(c, l, begin, last, top);
                begin = NO_HEIGHT;
            }
            if (isnan(begin) && !isnan(y))
                begin = s, top = y;
            top = isnan(y) ? top : fmax(top, y);
            last = s;
        }
    }
}

// ---- all of an edge

static void cross_to(crossing *c, landing *l)
{
    const lope_floors_def *def = c->source->def;
    for (int i = 0; i < c->landing_count && &c->landings[i] != l; i++) { // nearer ones that are no lower come first
        const landing *nearer = &c->landings[i];
        if (nearer->edge.y + 1e-3 >= l->edge.y - (double)def->step)
            for (int k = 0; k < nearer->where.count; k++)
                ranges_cut(&l->where, nearer->where.from[k] - SKIN, nearer->where.to[k] + SKIN);
    }
    c->failed |= !sweep_borders(c->source, &c->edge, &l->stand, &l->where, &c->origin);
    if (l->where.count == 0)
        return;
    const double s = 0.5 * (l->where.from[0] + l->where.to[l->where.count - 1]);
    const double a = c->edge.y + c->edge.slope * s, b = height(&l->edge, s), rise = b - a;
    const bool ledge = fabs(rise) > (double)def->step && l->near <= fabs(rise);
    if (ledge && rise > 0.0)
        return; // found from its upper edge
    const double top = fmax(a, b) + (double)def->height;
    gather_triangles(c, l, fmin(a, b) + fmax((double)def->climb, fabs(rise)) + (double)def->height);
    const sweep_zone between = zone_between(c, l, ledge, top);
    landing passed = *l;
    cut_blocked(c, l, &between, top, &passed.where);
    if (ledge || l->near / (double)def->leap + fmax(rise, 0.0) / (double)def->climb <= 1.0)
        add_links(c, &passed, ledge);
    if (!ledge && l->near > BARS_APART)
        add_bars(c, &passed, a);
    if (ledge || l->near > THICKEST)
        return;
    landing blocked = *l;
    for (int i = 0; i < passed.where.count; i++)
        ranges_cut(&blocked.where, passed.where.from[i], passed.where.to[i]);
    add_walls(c, &blocked);
}

// What lies behind the edge by two radii, and in front of it as far as a leap, matters.
static links_origin origin_of(const lope_floors_def *def, const sweep_edge *e, lope_vec3 source)
{
    const double more = 2.0 * (double)def->radius + 0.01;
    links_origin o = {.influence = terrain_box_empty(), .source = source};
    for (int i = 0; i < 4; i++) {
        const double s = i & 1 ? e->length : 0.0;
        const point2 p = sweep_place(e, s, i & 2 ? (double)def->leap : 0.0);
        terrain_box_add(&o.influence, (lope_vec3){(float)p.x, (float)(e->y + e->slope * s), (float)p.z});
    }
    o.influence = links_box_grown(&o.influence, more, (double)(def->climb + LINKS_HEADROOM * def->height));
    const double s = e->start.x * e->along.x + e->start.z * e->along.z;
    const double t = e->start.x * e->along.z - e->start.z * e->along.x;
    o.along = (lope_vec2){(float)e->along.x, (float)e->along.z};
    o.s[0] = (float)(s - more), o.s[1] = (float)(s + e->length + more);
    o.t[0] = (float)(t - more), o.t[1] = (float)(t + (double)def->leap + more);
    return o;
}

// Whether ground goes on in front of an end of the edge: another border leads away from it there.
static bool is_open_end(crossing *c, double s)
{
    const sweep_edge *e = &c->edge;
    const point2 p = sweep_place(e, s, 0.0);
    const double y = e->y + e->slope * s;
    bool open = false;
    c->failed |= !border_index_find(c->source->borders, (point2){p.x - 0.01, p.z - 0.01},
                                    (point2){p.x + 0.01, p.z + 0.01}, &c->ids);
    for (int i = 0; i < c->ids.count; i++) {
        const links_border *b = ((const links_border **)c->ids.items)[i];
        const point2 from = sweep_from_place(e, (double)b->from.x, (double)b->from.z);
        const point2 to = sweep_from_place(e, (double)b->to.x, (double)b->to.z);
        const bool begins = fabs(from.x - s) + fabs(from.z) < fabs(to.x - s) + fabs(to.z);
        const point2 near = begins ? from : to, far = begins ? to : from;
        const double x = far.x - near.x, z = far.z - near.z, length = sqrt(x * x + z * z);
        const bool leads = fabs(near.x - s) < 0.01 && fabs(near.z) < 0.01 && far.z > 0.3 * length &&
                           fabs((double)(begins ? b->from.y : b->to.y) - y) <= (double)c->source->def->step;
        if (leads)
            links_note(&c->origin, b);
        open = open || leads;
    }
    return open;
}

static void cross(crossing *c)
{
    const double r = (double)c->source->def->radius;
    c->stand = (sweep_line){-r, 0.0, c->edge.y, c->edge.slope};
    c->clear = (ranges){1, {0.0}, {c->edge.length}};
    if (is_open_end(c, 0.0))
        ranges_cut(&c->clear, (double)-INFINITY, r);
    if (is_open_end(c, c->edge.length))
        ranges_cut(&c->clear, c->edge.length - r, (double)INFINITY);
    c->failed |= !sweep_borders(c->source, &c->edge, &c->stand, &c->clear, &c->origin);
    if (c->clear.count == 0)
        return;
    find_landings(c);
    for (int i = 0; i < c->landing_count && !c->failed; i++)
        cross_to(c, &c->landings[i]);
}

// Whether links of an edge are to be found: it is owned, or a change influences it, or had influenced its links.
static bool is_wanted(const crossing *c, const whole *w, const links_border *border)
{
    const links_want *want = c->want;
    if (want->owned)
        return w->main == border;
    bool wanted = links_depends(&c->origin, &want->box);
    for (int i = 0; i < want->seed_count && !wanted; i++)
        wanted = place_order(want->seeds[i].at, c->origin.source) == 0 && want->seeds[i].along.x == c->origin.along.x &&
                 want->seeds[i].along.z == c->origin.along.z;
    return wanted;
}

// Looks at the edge of a border, unless that was done or is not wanted.
static void look_at(crossing *c, const links_border *border)
{
    if (c->failed || edge_of(border).length < SHORTEST)
        return;
    const int number = whole_edge(c, border);
    if (c->failed)
        return;
    whole *w = &((whole *)c->edges.items)[number];
    c->origin = origin_of(c->source->def, &w->edge, w->main->from);
    if (w->done || !is_wanted(c, w, border))
        return;
    w->done = true;
    c->edge = w->edge;
    const int first = c->out->link_origins.count;
    cross(c);
    for (int i = first; i < c->out->link_origins.count; i++) // now it is known what they depend on
        ((links_origin *)c->out->link_origins.items)[i] = c->origin;
}

// Borders that a change influences, and those where links were.
static void look_around(crossing *c)
{
    const links_want *want = c->want;
    const links_box box = links_box_grown(&want->box, (double)c->source->def->leap + 1.0, 0.0);
    list near = {0};
    for (int i = -1; i < want->seed_count && !c->failed; i++) {
        const lope_vec3 p = i < 0 ? box.low : want->seeds[i].at, q = i < 0 ? box.high : p;
        if (i >= 0 && (want->seeds[i].kind < LOPE_LINK_UP || want->seeds[i].kind > LOPE_LINK_BARS))
            continue;
        c->failed |= !border_index_find(c->source->borders, (point2){(double)p.x - 0.01, (double)p.z - 0.01},
                                        (point2){(double)q.x + 0.01, (double)q.z + 0.01}, &near);
        for (int k = 0; k < near.count && !c->failed; k++) {
            const links_border *border = ((const links_border **)near.items)[k];
            const sweep_edge e = edge_of(border);
            const links_origin o = origin_of(c->source->def, &e, border->from);
            if (i >= 0 || terrain_box_meets(&o.influence, &want->box))
                look_at(c, border);
        }
    }
    lope_free(near.items);
}

bool links_crossings(const links_source *source, const links_want *want, links_found *out)
{
    crossing *c = lope_alloc_zero(sizeof *c);
    if (!c)
        return false;
    c->source = source, c->want = want, c->out = out;
    const list *own = want->owned ? &source->borders->blocks[want->block].borders : NULL;
    for (int i = 0; own && i < own->count; i++)
        look_at(c, &((const links_border *)own->items)[i]);
    if (!own)
        look_around(c);
    const bool fine = !c->failed;
    lope_free(c->triangles.items), lope_free(c->swept.items), lope_free(c->ids.items), lope_free(c->edges.items),
        lope_free(c->marks);
    lope_free(c->facing.items), lope_free(c->obstacles.items), lope_free(c);
    return fine;
}
