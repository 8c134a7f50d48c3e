// SPDX-License-Identifier: MIT
// Bars over gaps that hands can go along: one after the other, or along one.
#include "level/crossing.h"

#define BARS 64
#define BARS_LOW 1.4   // metres above the feet
#define BARS_HIGH 2.7  // metres
#define BARS_BEGIN 0.6 // metres from an edge to the first

typedef struct bar_range {
    double s[2], t[2], y; // s and t ascending
} bar_range;

// Bars in reach above a gap.
static int find_bars(crossing *c, const landing *l, double feet, bar_range out[BARS])
{
    int count = 0;
    c->high.count = 0;
    for (int i = 0; i < c->triangles.count; i++) { // a bar is thin
        const lope_terrain_triangle *t = &((const lope_terrain_triangle *)c->triangles.items)[i];
        const double y = (double)t->corners[0].y - feet;
        if (y > BARS_LOW - 0.5 && y < BARS_HIGH + 0.5)
            c->failed |= !list_add(&c->high, t, sizeof *t);
    }
    c->failed |= !bars_find(c->source, &c->high, &c->bars);
    for (int i = 0; i < c->source->lines->count; i++)
        c->failed |= !list_add(&c->bars, (const lope_level_hold *)c->source->lines->items + i, sizeof(lope_level_hold));
    for (int i = 0; i < c->bars.count && count < BARS && !c->failed; i++) {
        const lope_level_hold *bar = &((const lope_level_hold *)c->bars.items)[i];
        const point2 a = sweep_from_place(&c->edge, (double)bar->from.x, (double)bar->from.z);
        const point2 b = sweep_from_place(&c->edge, (double)bar->to.x, (double)bar->to.z);
        const bar_range r = {{fmin(a.x, b.x), fmax(a.x, b.x)},
                             {fmin(a.z, b.z), fmax(a.z, b.z)},
                             0.5 * (double)(bar->from.y + bar->to.y)};
        if (r.y - feet < BARS_LOW || r.y - feet > BARS_HIGH || fabsf(bar->to.y - bar->from.y) > 0.3f ||
            r.t[0] > l->near + BARS_BEGIN || r.t[1] < -BARS_BEGIN)
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
void crossing_bars(crossing *c, const landing *l, double feet)
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
        lope_link link = crossing_link(c, &under, under.where.from[i], under.where.to[i]);
        link.kind = LOPE_LINK_BARS;
        link.reach = (float)best.y - link.from.y;
        crossing_add(c, &link, false);
    }
}
