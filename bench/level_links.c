// SPDX-License-Identifier: MIT
// Links and holds on random levels. Those that are there by construction must be found; each one that is found must
// pass a test by brute force (level_links_brute.c). Edges that a hand can hold by brute force must be among the holds.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/level.h"
#include "bench/level_links_brute.h"
#include "generators/level_random.h"

#define SEED 527001 // nothing was tuned on these
#define EASE 0.03   // metres that the test is easier by, for bodies that just fit

typedef struct grader {
    bench_run *run;
    lope_floors_def def;
    const lope_floors *floors;
    link_brute *brute;
    lope_terrain_triangle *triangles;
    int triangle_count;
    int known, found, told, wrong;              // links
    int edges, edges_found, holds, holds_wrong; // holds
    int notes;
} grader;

static brute_point point(lope_vec3 v)
{
    return (brute_point){(double)v.x, (double)v.y, (double)v.z};
}

static brute_point between(brute_point a, brute_point b, double part)
{
    return (brute_point){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.z + part * (b.z - a.z)};
}

static double plan_distance(brute_point a, brute_point b)
{
    return hypot(a.x - b.x, a.z - b.z);
}

// ---- bodies

static bool body_free(const grader *g, brute_point at, double height, double radius)
{
    const double step = (double)g->def.step;
    at.y += step + 0.02;
    return link_brute_free(g->brute, at, height - step - 0.04, radius);
}

static bool stands(const grader *g, brute_point at, double radius)
{
    double y;
    if (!link_brute_ground(g->brute, at, 0.03, &y) || !body_free(g, at, (double)g->def.height, radius))
        return false;
    for (int i = 0; i < 8; i++) {
        const double angle = i * 0.7853981633974483;
        const brute_point rim = {at.x + radius * cos(angle), at.y, at.z + radius * sin(angle)};
        if (!link_brute_ground(g->brute, rim, (double)g->def.step + 0.02, &y))
            return false;
    }
    return true;
}

// ---- links, one test each

static bool is_ledge(const grader *g, const lope_link *l)
{
    const bool up = l->rise > 0.0f;
    const brute_point low = point(up ? l->from : l->to), high = point(up ? l->to : l->from);
    const brute_point edge = between(point(l->left), point(l->right), 0.5);
    const double far = plan_distance(low, high), rise = high.y - low.y;
    const double x = (high.x - low.x) / far, z = (high.z - low.z) / far, r = (double)g->def.radius;
    const brute_point inner = {edge.x + 0.03 * x, high.y, edge.z + 0.03 * z};
    const brute_point outer = {edge.x - r * x, high.y, edge.z - r * z};
    double y;
    return rise > (double)g->def.step - 0.01 && rise < (double)g->def.climb + 0.01 &&
           link_brute_ground(g->brute, inner, 0.05, &y) &&
           !link_brute_ground(g->brute, outer, (double)g->def.step - 0.02, &y) &&
           body_free(g, low, rise + (double)g->def.height, (double)g->def.radius - EASE);
}

// From edge to edge, a body's height above the line between them is free.
static bool is_open(const grader *g, const lope_link *l)
{
    const brute_point a = point(l->from), b = point(l->to);
    const double r = (double)g->def.radius;
    const int steps = 2 + (int)(plan_distance(a, b) / 0.1);
    const double whole = plan_distance(a, b), edge = r / whole;
    for (int i = 0; i <= steps; i++) {
        const double part = (double)i / steps, inside = fmin(fmax((part - edge) / (1.0 - 2.0 * edge), 0.0), 1.0);
        brute_point p = between(a, b, part);
        p.y = a.y + inside * (b.y - a.y);
        if (!body_free(g, p, (double)g->def.height, 0.5 * r))
            return false;
    }
    return true;
}

static bool is_gap(const grader *g, const lope_link *l)
{
    const brute_point a = point(l->from), b = point(l->to);
    const double far = plan_distance(a, b);
    double left = -1.0, there = -1.0, y;
    for (double t = 0.0; t <= far && there < 0.0; t += 0.005) {
        brute_point p = between(a, b, t / far);
        p.y = a.y;
        if (left < 0.0 && !link_brute_ground(g->brute, p, (double)g->def.step, &y))
            left = t;
        p.y = b.y;
        if (left >= 0.0 && link_brute_ground(g->brute, p, 0.1, &y))
            there = t;
    }
    return left >= 0.0 && there - left < (double)l->across + 0.06 && is_open(g, l);
}

static bool is_wall(const grader *g, const lope_link *l)
{
    brute_point a = point(l->from), b = point(l->to);
    const double top = a.y + (double)l->reach, r = (double)g->def.radius;
    const int steps = 2 + (int)(plan_distance(a, b) / 0.1);
    for (int i = 0; i <= steps; i++) {
        brute_point p = between(a, b, (double)i / steps);
        p.y = top + 0.01;
        if (!link_brute_free(g->brute, p, (double)g->def.crawl - 0.02, 0.5 * r))
            return false;
    }
    a.y = b.y = fmax(a.y, b.y) + (double)g->def.step + 0.02;
    bool blocked = false;
    for (; a.y < top; a.y = b.y += 0.05)
        blocked = blocked || link_brute_blocked(g->brute, a, b);
    return blocked;
}

static bool is_stairs(const grader *g, const lope_link *l, const lope_link_step *steps)
{
    const brute_point a = point(l->from), b = point(l->to);
    for (int i = 0; i < l->count; i++) {
        const lope_link_step *s = &steps[l->first + i];
        const brute_point edge = between(point(s->left), point(s->right), 0.5);
        double ax = (double)(s->right.z - s->left.z), az = (double)(s->left.x - s->right.x), length = hypot(ax, az);
        double before, after;
        ax *= 0.04 / length, az *= 0.04 / length; // across the edge
        if (ax * (b.x - a.x) + az * (b.z - a.z) < 0.0)
            ax = -ax, az = -az;
        const double rise = (double)s->rise, high = edge.y;
        const brute_point p = {edge.x - ax, rise > 0.0 ? high - rise : high, edge.z - az};
        const brute_point q = {edge.x + ax, rise > 0.0 ? high : high + rise, edge.z + az};
        if (!link_brute_ground(g->brute, p, 0.1, &before) || !link_brute_ground(g->brute, q, 0.1, &after) ||
            fabs(after - before - rise) > 0.03)
            return false;
    }
    return l->count >= 2;
}

// Ground goes on from one end to the other, most of it tilted.
static bool is_uneven(const grader *g, const lope_link *l)
{
    brute_point a = point(l->from), b = point(l->to);
    const int steps = 1 + (int)(plan_distance(a, b) / 0.05);
    int tilted = 0, missing = 0;
    double y = a.y;
    for (int i = 0; i <= steps; i++) {
        brute_point p = between(a, b, (double)i / steps);
        p.y = y + (double)g->def.step; // the highest
        missing += !link_brute_ground(g->brute, p, 2.0 * (double)g->def.step, &y);
        p.y = y;
        tilted += link_brute_tilt(g->brute, p, 0.3) > 0.15;
    }
    return 3 * tilted > steps && 2 * missing < steps;
}

static bool is_low(const grader *g, const lope_link *l, const lope_link_step *steps)
{
    for (int i = 0; i < l->count; i++) {
        const lope_link_step *s = &steps[l->first + i];
        brute_point p = between(point(s->left), point(s->right), 0.5), up = p;
        const double head = (double)s->headroom;
        double y;
        up.y += head + 0.02, p.y += 0.02;
        if (!link_brute_ground(g->brute, p, 0.05, &y) || head > (double)g->def.height ||
            head < (double)g->def.crawl - 0.01 || !link_brute_blocked(g->brute, p, up))
            return false;
        p.y += (double)g->def.step;
        if (!link_brute_free(g->brute, p, fmax(0.02, head - (double)g->def.step - 0.2),
                             (double)g->def.radius - 0.08)) // ceilings may slope
            return false;
    }
    return l->count > 0;
}

static bool is_true(const grader *g, const lope_link *l, const lope_link_step *steps)
{
    const double r = (double)g->def.radius - EASE;
    if (l->kind == LOPE_LINK_SEAM)
        return true;
    if (l->kind != LOPE_LINK_SEAT && l->kind != LOPE_LINK_LADDER && l->kind != LOPE_LINK_SLIDE &&
        !(stands(g, point(l->from), r) && stands(g, point(l->to), r)))
        return false;
    switch (l->kind) {
    case LOPE_LINK_UP:
    case LOPE_LINK_DOWN:
        return is_ledge(g, l);
    case LOPE_LINK_GAP:
        return is_gap(g, l);
    case LOPE_LINK_OVER:
        return is_wall(g, l);
    case LOPE_LINK_STAIRS:
        return is_stairs(g, l, steps);
    case LOPE_LINK_SLOPE:
    case LOPE_LINK_RUBBLE:
        return is_uneven(g, l);
    case LOPE_LINK_LOW:
        return is_low(g, l, steps);
    default:
        return stands(g, point(l->from), 0.5 * r);
    }
}

// ---- known links

// Whether the middle of a known edge lies on the edge of a link.
static bool same_edge(const lope_link *l, const level_known *k)
{
    const brute_point a = point(l->left), b = point(l->right), m = between(point(k->left), point(k->right), 0.5);
    const double x = b.x - a.x, z = b.z - a.z;
    double part = ((m.x - a.x) * x + (m.z - a.z) * z) / fmax(x * x + z * z, 1e-12);
    part = fmin(fmax(part, 0.0), 1.0);
    return hypot(m.x - a.x - part * x, m.z - a.z - part * z) < 0.1 && fabs(m.y - a.y) < 0.1 &&
           fabsf(l->rise - k->rise) < 0.05f && fabsf(l->across - k->across) < 0.1f;
}

static bool is_known(const lope_link *l, const level_known *k)
{
    if (l->kind != k->kind)
        return false;
    if (k->part >= 0)
        return l->part == k->part && l->rise * k->rise >= 0.0f;
    if (k->kind == LOPE_LINK_UP || k->kind == LOPE_LINK_DOWN || k->kind == LOPE_LINK_GAP || k->kind == LOPE_LINK_BARS)
        return same_edge(l, k);
    return plan_distance(point(l->from), point(k->from)) < 0.7 && plan_distance(point(l->to), point(k->to)) < 0.7 &&
           fabsf(l->from.y - k->from.y) < 0.3f && fabsf(l->to.y - k->to.y) < 0.3f &&
           (k->kind != LOPE_LINK_STAIRS || (l->count == k->treads && fabsf(l->across - k->across) < 0.05f)) &&
           (k->kind != LOPE_LINK_LOW || fabsf(l->headroom - k->headroom) < 0.02f);
}

static void note(grader *g, const char *what, const char *kind, lope_vec3 at)
{
    if (g->notes++ < 8)
        bench_note(g->run, "%s: %s at (%.2f, %.2f, %.2f)", what, kind, (double)at.x, (double)at.y, (double)at.z);
}

static void grade_links(grader *g, const level_random *made)
{
    int count, step_count;
    const lope_link *links = lope_floors_links(g->floors, &count);
    const lope_link_step *steps = lope_floors_steps(g->floors, &step_count);
    for (int k = 0; k < made->known_count; k++) {
        bool found = false;
        for (int i = 0; i < count && !found; i++)
            found = is_known(&links[i], &made->known[k]);
        g->known++, g->found += found;
        if (!found)
            note(g, "not found", lope_link_kind_name(made->known[k].kind), made->known[k].from);
    }
    for (int i = 0; i < count; i++) {
        const bool fine = links[i].kind == LOPE_LINK_SEAM || is_true(g, &links[i], steps);
        g->told += links[i].kind != LOPE_LINK_SEAM, g->wrong += !fine;
        if (!fine)
            note(g, "false", lope_link_kind_name(links[i].kind), links[i].from);
    }
}

// ---- holds

// Whether a hand can hold an edge at a point; `in` leads level onto the surface. `more` metres are asked for on top.
static bool holds(const grader *g, brute_point p, const double in[2], double more)
{
    const double deep = 0.02 + more, room = 0.05 + more;
    double y;
    for (double d = 0.004; d <= deep; d += 0.008) {
        const brute_point q = {p.x + d * in[0], p.y, p.z + d * in[1]};
        if (!link_brute_ground(g->brute, q, 0.02 + d, &y))
            return false;
    }
    const brute_point over = {p.x + 0.005 * in[0], p.y + 0.012, p.z + 0.005 * in[1]};
    const brute_point up = {over.x, p.y + room, over.z}, front = {p.x - 0.03 * in[0], p.y + 0.02, p.z - 0.03 * in[1]};
    const brute_point under = {front.x, p.y - 0.1 - more, front.z};
    const brute_point ahead[2] = {{p.x - 0.002 * in[0], p.y + 0.01, p.z - 0.002 * in[1]},
                                  {p.x - 0.02 * in[0], p.y - 0.05, p.z - 0.02 * in[1]}};
    for (int i = 0; i < 2; i++) {
        const double far = 0.059 + more;
        const brute_point to = {ahead[i].x - far * in[0], ahead[i].y, ahead[i].z - far * in[1]};
        if (link_brute_blocked(g->brute, ahead[i], to))
            return false;
    }
    return !link_brute_blocked(g->brute, over, up) && !link_brute_blocked(g->brute, front, under) &&
           !link_brute_inside(g->brute, front) && !link_brute_inside(g->brute, over);
}

static double distance_to_hold(const lope_level_hold *h, brute_point p)
{
    const brute_point a = point(h->from), b = point(h->to);
    const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    double part = ((p.x - a.x) * x + (p.y - a.y) * y + (p.z - a.z) * z) / fmax(x * x + y * y + z * z, 1e-12);
    part = fmin(fmax(part, 0.0), 1.0);
    const brute_point q = between(a, b, part);
    return sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
}

// Edges of triangles that face up: where a hand holds with 1.5 cm to spare, there must be a hold.
static void grade_edges(grader *g, const lope_level_hold *found, int count)
{
    for (int i = 0; i < 3 * g->triangle_count; i++) {
        const lope_terrain_triangle *t = &g->triangles[i / 3];
        const brute_point a = point(t->corners[i % 3]), b = point(t->corners[(i + 1) % 3]);
        const brute_point c = point(t->corners[(i + 2) % 3]), m = between(a, b, 0.5);
        const double x = b.x - a.x, z = b.z - a.z, length = hypot(x, z);
        double in[2] = {-z / length, x / length};
        if (length < 0.2 || fabs(b.y - a.y) > 0.4 * length)
            continue;
        if (in[0] * (c.x - a.x) + in[1] * (c.z - a.z) < 0.0)
            in[0] = -in[0], in[1] = -in[1];
        const double across = in[0] * (c.x - m.x) + in[1] * (c.z - m.z);
        if (across < 0.04 || fabs(c.y - m.y) > 1.2 * across || !holds(g, m, in, 0.015))
            continue;
        bool there = false;
        for (int k = 0; k < count && !there; k++)
            there = distance_to_hold(&found[k], m) < (found[k].bar ? 0.08 : 0.02);
        g->edges++, g->edges_found += there;
        if (!there)
            note(g, "not found", "hold", (lope_vec3){(float)m.x, (float)m.y, (float)m.z});
    }
}

static void grade_holds(grader *g)
{
    int count;
    const lope_level_hold *found = lope_floors_holds(g->floors, &count);
    grade_edges(g, found, count);
    for (int i = 0; i < count; i++) {
        const brute_point p = between(point(found[i].from), point(found[i].to), 0.37);
        const double in[2] = {-(double)found[i].out.x, -(double)found[i].out.z}, half = 0.5 * (double)found[i].depth;
        const bool fine =
            found[i].bar ? fabs(link_brute_distance(g->brute, p, 0.2) - half) < 0.01 : holds(g, p, in, -0.005);
        g->holds++, g->holds_wrong += !fine;
        if (!fine)
            note(g, "false", found[i].bar ? "bar" : "hold", lope_v3_lerp(found[i].from, found[i].to, 0.37f));
    }
}

// ---- all

static bool gather(grader *g, const lope_level *level)
{
    const lope_terrain *terrain = lope_level_terrain(level);
    lope_vec3 low, high;
    lope_terrain_bounds(terrain, &low, &high);
    const int count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    float *numbers = malloc((size_t)count * 9 * sizeof *numbers);
    int *parts = malloc((size_t)count * sizeof *parts);
    g->triangles = malloc((size_t)count * sizeof *g->triangles);
    g->triangle_count = count;
    lope_terrain_triangles(terrain, low, high, g->triangles, count);
    for (int i = 0; i < count; i++) {
        memcpy(numbers + 9 * i, g->triangles[i].corners, 9 * sizeof *numbers);
        parts[i] = g->triangles[i].piece;
    }
    g->brute = link_brute_create(numbers, parts, count, cos((double)g->def.slope) - 1e-4);
    free(numbers), free(parts);
    return g->brute != NULL;
}

static lope_status grade_level(grader *g, uint64_t seed, lope_error *error)
{
    level_random_def def = level_random_def_default(seed);
    level_random made;
    lope_floors *floors = NULL;
    def.columns = 4, def.rows = 4;
    lope_status status = level_random_create(&def, &made, error);
    if (!status)
        status = lope_floors_create(made.level, &g->def, NULL, &floors, error);
    g->floors = floors;
    if (!status && gather(g, made.level)) {
        grade_links(g, &made);
        grade_holds(g);
        link_brute_destroy(g->brute);
        free(g->triangles);
    }
    lope_floors_destroy(floors);
    level_random_destroy(&made);
    return status;
}

static double percent(int part, int all)
{
    return 100.0 * part / (all ? all : 1);
}

lope_status level_bench_links(bench_run *run, lope_error *error)
{
    const int levels = bench_full(run) ? 50 : 6;
    const double none = (double)NAN;
    grader g = {.run = run, .def = lope_floors_def_default()};
    lope_status status = LOPE_OK;
    for (int i = 0; i < levels && !status && !bench_stopped(run); i++)
        status = grade_level(&g, SEED + (uint64_t)i, error);
    bench_add(run, (bench_figure){"known links found", percent(g.found, g.known), "%", none, none, 99.5, true});
    bench_add(run, (bench_figure){"links that are false", percent(g.wrong, g.told), "%", none, none, 0.5, false});
    bench_add(run, (bench_figure){"edges to hold found", percent(g.edges_found, g.edges), "%", none, none, 99.5, true});
    bench_add(run,
              (bench_figure){"holds that are false", percent(g.holds_wrong, g.holds), "%", none, none, 0.5, false});
    bench_note(run, "links: %d known, %d told; holds: %d edges by brute force, %d told; on %d random levels%s", g.known,
               g.told, g.edges, g.holds, levels, bench_full(run) ? "" : "; --full asks 50");
    return status;
}
