// SPDX-License-Identifier: MIT
// Walls that are too thin to stand on, and windows in them: the lowest opening that a body fits through. Boards that
// hang too low, and are too thin for the cells of low.c to see, are ducked under.
#include "level/crossing.h"

#define THIN 0.15    // metres
#define WINDOWS 0.05 // metres between places where a wall's top is looked for

// The parts of triangles between both edges, above feet's reach: what an opening must be clear of.
static void find_obstacles(crossing *c, const landing *l)
{
    const sweep_triangle *t = c->swept.items;
    sweep_zone zone = {.near = {.t = -SKIN}, .far = l->edge, .low = (double)-INFINITY, .high = (double)INFINITY};
    zone.far.t += SKIN;
    zone.low = fmin(c->edge.y, l->edge.y) - 1e3, zone.high = zone.low + 2e3;
    const double first = l->where.from[0] - (double)c->source->def->radius,
                 last = l->where.to[l->where.count - 1] + (double)c->source->def->radius;
    c->obstacles.count = 0;
    for (int i = 0; i < c->swept.count; i++) {
        sweep_extent extent;
        if (t[i].low[0] <= last && t[i].high[0] >= first && sweep_extent_of(&t[i], &zone, &extent))
            c->failed |= !list_add(&c->obstacles, &extent, sizeof extent);
    }
}

// How high what hangs above a place is, over the higher ground; as much as is told where nothing does.
static double hangs_at(const crossing *c, const landing *l, double from, double to)
{
    const sweep_extent *o = c->obstacles.items;
    const double s = 0.5 * (from + to), r = (double)c->source->def->radius;
    const double ground = fmax(c->edge.y + c->edge.slope * s, crossing_height(&l->edge, s));
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
    const double r = (double)def->radius, a = c->edge.y + c->edge.slope * s, b = crossing_height(&l->edge, s);
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
    return crossing_at(&l->edge, s) >= 2.0 * (double)c->source->def->radius &&
           links_ground(c->source, sweep_place(&c->edge, s, 0.5 * crossing_at(&l->edge, s)), y, 0.05, &ground);
}

// A board that hangs too low, and is too thin for cells to see: a passage below it.
static void add_under(crossing *c, const landing *l, double from, double to)
{
    lope_link link = crossing_link(c, l, from, to);
    link.kind = LOPE_LINK_LOW;
    link.headroom = (float)hangs_at(c, l, from, to);
    link.left.y = link.right.y = fmaxf(link.from.y, link.to.y);
    link.first = c->out->steps.count, link.count = 1;
    const lope_link_step step = {.left = link.left, .right = link.right, .headroom = link.headroom};
    if (link.headroom < c->source->def->crawl || link.headroom > c->source->def->height ||
        !crossing_ground(c, link.from) || !crossing_ground(c, link.to))
        return;
    c->failed |= !list_add(&c->out->steps, &step, sizeof step);
    crossing_add(c, &link, false);
}

static void add_wall(crossing *c, const landing *l, double from, double to, double top)
{
    const double s = 0.5 * (from + to), ground = fmax(c->edge.y + c->edge.slope * s, crossing_height(&l->edge, s));
    if (top <= ground + (double)c->source->def->step + 1e-3) {
        if (l->near < THIN)
            add_under(c, l, from, to);
        return;
    }
    landing part = *l;
    part.where = (ranges){1, {from}, {to}};
    crossing_cut(c, &part, NULL, top + (double)c->source->def->crawl, &part.where);
    for (int i = 0; i < part.where.count; i++) {
        lope_link link = crossing_link(c, l, part.where.from[i], part.where.to[i]);
        link.kind = LOPE_LINK_OVER;
        link.reach = (float)top - link.from.y;
        link.left.y = link.right.y = (float)top;
        link.headroom = c->source->def->crawl;
        crossing_add(c, &link, false);
    }
}

// Stretches of a wall of one height.
void crossing_walls(crossing *c, const landing *l)
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
