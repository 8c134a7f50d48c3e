// SPDX-License-Identifier: MIT
// Links across borders: ledges, gaps and walls to climb over. Straight edges of free ground are put together from
// borders; in front of each, the grounds to land on are looked for: right below the edge, and behind every border that
// faces it. A disc must have room on both sides of the crossing, and nothing may stand in the body's way.
#include <stddef.h>

#include "level/crossing.h"
#include "level/edge.h"

// ---- edges from borders

sweep_edge crossing_edge(const links_border *b)
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
bool crossing_join(const sweep_edge *e, const links_border *b, double range[2])
{
    const point2 from = sweep_from_place(e, (double)b->from.x, (double)b->from.z);
    const point2 to = sweep_from_place(e, (double)b->to.x, (double)b->to.z);
    if (fabs(from.z) > SKIN || fabs(to.z) > SKIN || to.x <= from.x || from.x > range[1] + 2.0 * SKIN ||
        to.x < range[0] - 2.0 * SKIN || fabs((double)b->from.y - e->y - e->slope * from.x) > 0.05 ||
        fabs(crossing_edge(b).slope - e->slope) > 0.05)
        return false;
    range[0] = fmin(range[0], from.x), range[1] = fmax(range[1], to.x);
    return true;
}

// Goes on from a border to both sides as far as it is straight. Returns the border itself, or the first one that is
// longer or, of equals, comes first by place: the direction of short ones is not known well.
static const links_border *follow(crossing *c, const links_border *border, double range[2])
{
    const sweep_edge e = crossing_edge(border);
    range[0] = 0.0, range[1] = e.length;
    for (int end = 0; end < 2; end++)
        for (double before = NO_HEIGHT; range[end] != before && !c->failed;) {
            before = range[end];
            const point2 p = sweep_place(&e, before, 0.0);
            c->failed |= !border_index_find(c->source->borders, (point2){p.x - 0.01, p.z - 0.01},
                                            (point2){p.x + 0.01, p.z + 0.01}, &c->ids);
            for (int i = 0; i < c->ids.count; i++) {
                const links_border *b = ((const links_border **)c->ids.items)[i];
                const double other = crossing_join(&e, b, range) ? crossing_edge(b).length : 0.0;
                if (other > e.length || (other == e.length && place_order(b->from, border->from) < 0))
                    return b;
            }
        }
    return border;
}

// Whether a search has lately come by a border: then the edge that it leads to is done.
static bool is_recent(crossing *c, const links_border *border)
{
    const links_border **slot = &c->recent[(uintptr_t)border / sizeof *border % CROSSING_RECENT];
    const bool recent = *slot == border;
    *slot = border;
    return recent;
}

// The straight edge that a border is part of, into c->edge; returns its longest border. NULL: it is done, or another
// block's.
static const links_border *whole_edge(crossing *c, const links_border *border)
{
    double range[2];
    const links_border *main = border, *longer = NULL;
    if (!c->want->owned && is_recent(c, main))
        return NULL;
    while ((longer = follow(c, main, range)) != main && !c->failed) { // the same edge from wherever the search comes
        if (c->want->owned || is_recent(c, longer))
            return NULL;
        main = longer;
    }
    for (int i = 0; i < c->done.count && !c->want->owned; i++)
        if (((const links_border **)c->done.items)[i] == main)
            return NULL;
    c->failed |= !list_add(&c->done, &main, sizeof main);
    c->edge = crossing_edge(main);
    c->edge.start = sweep_place(&c->edge, range[0], 0.0);
    c->edge.y += c->edge.slope * range[0];
    c->edge.length = range[1] - range[0];
    return c->failed ? NULL : main;
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
bool crossing_ground(const crossing *c, lope_vec3 at)
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

void crossing_add(crossing *c, lope_link *link, bool back)
{
    if (!crossing_ground(c, link->from) || !crossing_ground(c, link->to))
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

lope_link crossing_link(const crossing *c, const landing *l, double from, double to)
{
    const double r = (double)c->source->def->radius, s = 0.5 * (from + to);
    const double a = c->edge.y + c->edge.slope * s, b = crossing_height(&l->edge, s);
    lope_link link = {.from_floor = -1, .to_floor = -1, .part = -1};
    link.from = place(c, s, -r, a);
    link.to = place(c, s, crossing_at(&l->stand, s), b);
    const bool upper = a >= b; // the line is the edge that hands or feet take
    for (int i = 0; i < 2; i++) {
        const double x = i ? to : from;
        *(i ? &link.right : &link.left) = upper ? on_edge(c, x, 0.0, c->edge.y + c->edge.slope * x)
                                                : on_edge(c, x, crossing_at(&l->edge, x), crossing_height(&l->edge, x));
    }
    link.rise = link.to.y - link.from.y;
    link.across = (float)fmax(crossing_at(&l->edge, s), 0.0);
    link.room = (float)(to - from + 2.0 * r);
    return link;
}

static void add_links(crossing *c, const landing *l, bool ledge)
{
    for (int i = 0; i < l->where.count; i++) {
        lope_link link = crossing_link(c, l, l->where.from[i], l->where.to[i]);
        link.kind = ledge ? LOPE_LINK_DOWN : LOPE_LINK_GAP;
        link.reach = !ledge && link.rise > c->source->def->step ? link.rise : 0.0f;
        crossing_add(c, &link, ledge);
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
    const double a = c->edge.y + c->edge.slope * s, b = crossing_height(&l->edge, s), rise = b - a;
    const bool ledge = fabs(rise) > (double)def->step && l->near <= fabs(rise);
    if (ledge && rise > 0.0)
        return; // found from its upper edge
    const double top = fmax(a, b) + (double)def->height;
    crossing_gather(c, l, fmin(a, b) + fmax((double)def->climb, fabs(rise)) + (double)def->height);
    const sweep_zone between = crossing_zone(c, l, ledge, top);
    landing passed = *l;
    crossing_cut(c, l, &between, top, &passed.where);
    if (ledge || l->near / (double)def->leap + fmax(rise, 0.0) / (double)def->climb <= 1.0)
        add_links(c, &passed, ledge);
    if (!ledge && l->near > BARS_APART && passed.where.count > 0)
        crossing_bars(c, &passed, a);
    if (ledge || l->near > WALLS_THICKEST)
        return;
    landing blocked = *l;
    for (int i = 0; i < passed.where.count; i++)
        ranges_cut(&blocked.where, passed.where.from[i], passed.where.to[i]);
    if (blocked.where.count > 0)
        crossing_walls(c, &blocked);
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
    o.influence = links_box_grown(&o.influence, more, 0.0);
    o.influence.low.y -= def->climb + crossing_deeper(def);
    o.influence.high.y += def->climb + LINKS_HEADROOM * def->height;
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

// Ground of a landing that falls along the edge may lie deeper than a climb at its end.
static void note_landing(crossing *c, const landing *l)
{
    const ranges *r = &l->where;
    const double low = fmin(crossing_height(&l->edge, r->from[0]), crossing_height(&l->edge, r->to[r->count - 1]));
    float *least = &c->origin.influence.low.y;
    *least = fminf(*least, (float)low - crossing_deeper(c->source->def));
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
    crossing_find_landings(c);
    for (int i = 0; i < c->landing_count; i++)
        note_landing(c, &c->landings[i]);
    for (int i = 0; i < c->landing_count && !c->failed; i++)
        cross_to(c, &c->landings[i]);
}

// Whether links of the edge are to be found: a change influences it, or had influenced its links.
static bool is_wanted(const crossing *c)
{
    const links_want *want = c->want;
    bool wanted = want->owned || links_depends(&c->origin, &want->box);
    for (int i = 0; i < want->seed_count && !wanted; i++)
        wanted = place_order(want->seeds[i].at, c->origin.source) == 0 && want->seeds[i].along.x == c->origin.along.x &&
                 want->seeds[i].along.z == c->origin.along.z;
    return wanted;
}

// Looks at the edge of a border, unless that was done or is not wanted.
static void look_at(crossing *c, const links_border *border)
{
    const links_border *main = crossing_edge(border).length < SHORTEST || c->failed ? NULL : whole_edge(c, border);
    if (!main)
        return;
    c->origin = origin_of(c->source->def, &c->edge, main->from);
    if (!is_wanted(c))
        return;
    const int first = c->out->link_origins.count;
    cross(c);
    for (int i = first; i < c->out->link_origins.count; i++) // now it is known what they depend on
        ((links_origin *)c->out->link_origins.items)[i] = c->origin;
}

// Whether a border's part of the straight edge that it belongs to can have a box, at most a leap away, in front of it.
// The edge's direction is that of its longest border, so a short one tells it less well.
static bool may_face(const links_origin *o, double length, const links_box *box)
{
    const float slack = 0.02f + 0.06f / (float)fmax(length, 1e-3);
    links_origin wide = *o;
    wide.t[0] -= slack, wide.t[1] += slack;
    wide.s[0] -= slack, wide.s[1] += slack;
    return links_depends(&wide, box);
}

// Borders that a change influences, and those where links were.
static void look_around(crossing *c)
{
    const links_want *want = c->want;
    const links_box box = links_box_grown(&want->box, (double)c->source->def->leap + 1.0, 0.0);
    list near = {0};
    for (int i = -1; i < want->seed_count && !c->failed; i++) {
        const lope_vec3 p = i < 0 ? box.low : want->seeds[i].at, q = i < 0 ? box.high : p;
        if (i >= 0 && ((want->seeds[i].along.x == 0.0f && want->seeds[i].along.z == 0.0f) ||
                       (i > 0 && place_order(p, want->seeds[i - 1].at) == 0)))
            continue; // no edge, or the place was looked at
        c->failed |= !border_index_find(c->source->borders, (point2){(double)p.x - 0.01, (double)p.z - 0.01},
                                        (point2){(double)q.x + 0.01, (double)q.z + 0.01}, &near);
        for (int k = 0; k < near.count && !c->failed; k++) {
            const links_border *border = ((const links_border **)near.items)[k];
            const sweep_edge e = crossing_edge(border);
            const links_origin o = origin_of(c->source->def, &e, border->from);
            if (i >= 0 || (terrain_box_meets(&o.influence, &want->box) && may_face(&o, e.length, &want->box)))
                look_at(c, border);
        }
    }
    lope_free(near.items);
}

bool links_crossings(const links_source *source, const links_want *want, links_found *out)
{
    crossing *c = lope_alloc(sizeof *c);
    if (!c)
        return false;
    memset(c, 0, offsetof(crossing, landings)); // they are many, and counted
    c->source = source, c->want = want, c->out = out;
    const list *own = want->owned ? &source->borders->blocks[want->block].borders : NULL;
    for (int i = 0; own && i < own->count; i++)
        look_at(c, &((const links_border *)own->items)[i]);
    if (!own)
        look_around(c);
    const bool fine = !c->failed;
    lope_free(c->triangles.items), lope_free(c->swept.items), lope_free(c->ids.items);
    lope_free(c->done.items);
    lope_free(c->facing.items), lope_free(c->obstacles.items), lope_free(c->bars.items), lope_free(c->high.items),
        lope_free(c);
    return fine;
}
