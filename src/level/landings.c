// SPDX-License-Identifier: MIT
// Landings: grounds that an edge can be left for, and what stands in the way to them.
#include "level/crossing.h"

#define SPACING 0.25 // metres between places where ground below an edge is looked for

typedef struct facing_border {
    const links_border *border;
    sweep_edge edge; // of it alone
    bool taken;
} facing_border;

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
    l.near = crossing_at(&l.edge, s);
    const double rise = crossing_height(&l.edge, s) - e->y - e->slope * s;
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
        const sweep_edge piece = crossing_edge(border);
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
                if (!f[i].taken && crossing_join(&main->edge, f[i].border, range))
                    f[i].taken = more = true;
        }
        sweep_edge whole_one = main->edge;
        whole_one.start = sweep_place(&main->edge, range[0], 0.0);
        whole_one.y += whole_one.slope * range[0];
        whole_one.length = range[1] - range[0];
        add_facing(c, &whole_one);
    }
}

void crossing_find_landings(crossing *c)
{
    c->landing_count = 0;
    for (int i = 0; i < c->clear.count; i++)
        add_grounds_below(c, c->clear.from[i], c->clear.to[i]);
    find_facing(c);
    add_all_facing(c);
}

// ---- what stands in the way

void crossing_gather(crossing *c, const landing *l, double top)
{
    const sweep_edge *e = &c->edge;
    const double r = (double)c->source->def->radius, last = l->where.to[l->where.count - 1];
    links_box box = terrain_box_empty();
    for (int i = 0; i < 4; i++) {
        const double s = i & 1 ? last + r : l->where.from[0] - r;
        const point2 p = sweep_place(e, s, i & 2 ? crossing_at(&l->stand, s) + r : -2.0 * r);
        box.low.x = fminf(box.low.x, (float)p.x), box.high.x = fmaxf(box.high.x, (float)p.x);
        box.low.z = fminf(box.low.z, (float)p.z), box.high.z = fmaxf(box.high.z, (float)p.z);
        const double lower = fmin(e->y + e->slope * s, crossing_height(&l->edge, s));
        box.low.y = fminf(box.low.y, (float)lower);
    }
    box.high.y = (float)top;
    c->failed |= !links_triangles(c->source->terrain, &box, &c->triangles) || !sweep_take(e, &c->triangles, &c->swept);
}

// Cuts where the body cannot pass: above both grounds, and between them above `low`.
void crossing_cut(const crossing *c, const landing *l, const sweep_zone *between, double top, ranges *r)
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

sweep_zone crossing_zone(const crossing *c, const landing *l, bool ledge, double top)
{
    const double s = 0.5 * (l->where.from[0] + l->where.to[l->where.count - 1]), step = (double)c->source->def->step;
    const double a = c->edge.y + c->edge.slope * s, b = crossing_height(&l->edge, s);
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
