// SPDX-License-Identifier: MIT
// Stairs: edges over which ground drops by no more than feet rise at once, one in front of the other. A riser's next
// one down is the edge of the tread at its foot.
#include <math.h>
#include <stdlib.h>

#include "level/edges.h"

#define LOWEST 0.05       // metres: risers below are unevenness
#define LEVEL_WITHIN 0.02 // metres that heights of one edge may differ
#define DEEPEST 0.55f     // metres of a tread; deeper ones are landings
#define NARROWEST 0.08f
#define SPACING 0.3f // metres between places of an edge that are looked at
#define FEWEST 2     // risers of stairs
#define BESIDE 0.65  // metres around them that matter: those of the next risers
#define ABOVE 0.5

typedef struct riser {
    lope_vec3 a, along, out; // from a along the edge; out is the way down
    float length, rise;
    int lower, upper; // risers of the treads at its foot and behind it; -1: none
    float overlap;    // metres of its edge that the lower one is in front of
    float depth;      // metres to that
} riser;

static lope_vec3 at(const riser *r, float s)
{
    return lope_v3_mad(r->a, r->along, s);
}

// How far ground drops over an edge at s; 0 where it is no riser there.
static float drop_at(const links_source *source, const sharp_edge *e, float s)
{
    const lope_vec3 p = lope_v3_mad(e->a, e->along, s);
    const lope_vec3 above = lope_v3_mad(p, e->out, -0.02f), below = lope_v3_mad(p, e->out, 0.02f);
    const double most = (double)source->def->step, y = (double)p.y;
    double top, foot;
    if (!links_ground(source, (point2){(double)below.x, (double)below.z}, y - 0.5 * (most + LOWEST),
                      0.5 * (most - LOWEST) + 1e-3, &foot) ||
        !links_ground(source, (point2){(double)above.x, (double)above.z}, y, 0.03, &top))
        return 0.0f;
    return (float)(y - foot);
}

static float last_like(const links_source *source, const sharp_edge *e, float good, float bad)
{
    const float drop = drop_at(source, e, good);
    for (int i = 0; i < 6; i++) {
        const float middle = 0.5f * (good + bad);
        if (fabsf(drop_at(source, e, middle) - drop) < (float)LEVEL_WITHIN)
            good = middle;
        else
            bad = middle;
    }
    return good;
}

// Stretches of an edge over which ground drops evenly.
static bool add_risers(const links_source *source, const sharp_edge *e, list *out)
{
    const int count = 2 + (int)(e->length / SPACING);
    float begin = 0.0f, drop = 0.0f, last = 0.0f;
    for (int i = 0; i <= count; i++) {
        const float s = fminf(fmaxf(e->length * (float)i / (float)(count - 1), 0.01f), e->length - 0.01f);
        const float here = i < count ? drop_at(source, e, s) : 0.0f;
        if (drop > 0.0f && fabsf(here - drop) >= (float)LEVEL_WITHIN) {
            const float to = i < count ? last_like(source, e, last, s) : e->length;
            const riser r = {.a = lope_v3_mad(e->a, e->along, begin),
                             .along = e->along,
                             .out = e->out,
                             .length = to - begin,
                             .rise = drop,
                             .lower = -1,
                             .upper = -1};
            if (r.length >= 2.0f * source->def->radius - 0.01f && !list_add(out, &r, sizeof r))
                return false;
            drop = 0.0f;
        }
        if (here > 0.0f && !(drop > 0.0f))
            begin = i > 0 ? last_like(source, e, s, last) : 0.0f, drop = here;
        last = s;
    }
    return true;
}

// How much of a riser's edge has another one in front, as the edge of the tread at its foot, and how far away.
static float overlap_of(const riser *r, const riser *lower, float *depth)
{
    const lope_vec3 from = lope_v3_sub(lower->a, r->a), to = lope_v3_sub(at(lower, lower->length), r->a);
    if (fabsf(0.5f * (from.y + to.y) + r->rise) > (float)LEVEL_WITHIN || lope_v3_dot(r->out, lower->out) < 0.7f)
        return 0.0f;
    const float s[2] = {lope_v3_dot(from, r->along), lope_v3_dot(to, r->along)};
    const float t[2] = {lope_v3_dot(from, r->out), lope_v3_dot(to, r->out)};
    const float low = fmaxf(0.0f, fminf(s[0], s[1])), high = fminf(r->length, fmaxf(s[0], s[1]));
    *depth = t[0] + (t[1] - t[0]) * (0.5f * (low + high) - s[0]) / (s[1] - s[0]);
    return *depth >= NARROWEST && *depth <= DEEPEST ? high - low : 0.0f;
}

static void chain_risers(const lope_floors_def *def, riser *r, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            float depth = 0.0f;
            const float overlap = i == j ? 0.0f : overlap_of(&r[i], &r[j], &depth);
            if (overlap >= 2.0f * def->radius - 0.01f && overlap > r[i].overlap + 1e-3f)
                r[i].overlap = overlap, r[i].depth = depth, r[i].lower = j;
        }
    }
    for (int i = 0; i < count; i++) {
        const int j = r[i].lower;
        if (j >= 0 && (r[j].upper < 0 || r[i].overlap > r[r[j].upper].overlap))
            r[j].upper = i;
    }
    for (int i = 0; i < count; i++)
        if (r[i].lower >= 0 && r[r[i].lower].upper != i)
            r[i].lower = -1;
}

// ---- links

typedef struct flight {
    const links_source *source;
    const riser *risers;
    int lowest, highest, count;
} flight;

// One step of the way up or down.
static lope_link_step step_over(const flight *f, int i, bool up)
{
    const riser *r = &f->risers[i];
    const lope_vec3 ends[2] = {r->a, at(r, r->length)};
    const bool first_is_left = (r->along.x * r->out.z - r->along.z * r->out.x > 0.0f) == up;
    lope_link_step step = {.left = ends[first_is_left ? 0 : 1], .right = ends[first_is_left ? 1 : 0]};
    step.rise = up ? r->rise : -r->rise;
    const int tread = up ? r->upper : i; // whose depth is that of the tread which is stepped on
    step.depth = tread >= 0 && f->risers[tread].lower >= 0 ? f->risers[tread].depth : 0.0f;
    step.headroom = links_headroom(f->source, lope_v3_mad(at(r, 0.5f * r->length), r->out, up ? -0.1f : 0.1f));
    return step;
}

static bool add_stairs(const flight *f, const links_want *want, bool up, links_found *out)
{
    const riser *r = f->risers, *first = &r[up ? f->lowest : f->highest];
    const riser *low = &r[f->lowest], *high = &r[f->highest];
    const float radius = f->source->def->radius;
    lope_link link = {.kind = LOPE_LINK_STAIRS, .from_floor = -1, .to_floor = -1, .part = -1, .headroom = INFINITY};
    links_origin origin = edges_origin(low->a, at(low, low->length), BESIDE, ABOVE); // of its lowest riser
    lope_vec3 foot = lope_v3_mad(at(low, 0.5f * low->length), low->out, radius);
    foot.y -= low->rise;
    const lope_vec3 top = lope_v3_mad(at(high, 0.5f * high->length), high->out, -radius);
    link.from = up ? foot : top, link.to = up ? top : foot;
    link.rise = link.to.y - link.from.y;
    link.room = first->length;
    link.first = out->steps.count;
    for (int i = up ? f->lowest : f->highest; i >= 0; i = up ? r[i].upper : r[i].lower) {
        links_origin here = edges_origin(r[i].a, at(&r[i], r[i].length), BESIDE, ABOVE);
        const lope_link_step step = step_over(f, i, up);
        here.influence.high.y += LINKS_HEADROOM * f->source->def->height;
        terrain_box_join(&origin.influence, &here.influence);
        link.room = fminf(link.room, r[i].lower >= 0 ? fminf(r[i].length, r[i].overlap) : r[i].length);
        link.across += r[i].lower >= 0 ? r[i].depth : 0.0f;
        link.headroom = fminf(link.headroom, step.headroom);
        link.count++;
        if (!list_add(&out->steps, &step, sizeof step))
            return false;
        if (link.count == 1)
            link.left = step.left, link.right = step.right;
    }
    if (links_wanted(want, &origin))
        return links_add(out, &link, &origin);
    out->steps.count = link.first;
    return true;
}

static bool add_flights(const links_source *source, const links_want *want, const list *risers, links_found *out)
{
    const riser *r = risers->items;
    for (int i = 0; i < risers->count; i++) {
        flight f = {source, r, i, i, 1};
        if (r[i].lower >= 0)
            continue;
        while (r[f.highest].upper >= 0)
            f.highest = r[f.highest].upper, f.count++;
        if (f.count >= FEWEST && !(add_stairs(&f, want, true, out) && add_stairs(&f, want, false, out)))
            return false;
    }
    return true;
}

// ---- following flights

typedef struct stair_search {
    const links_source *source;
    list risers;
    list seen; // links_box: what was looked at
} stair_search;

// Adds the risers of edges, those that meet a box and met none before.
static bool take(stair_search *s, const list *edges, const links_box *box)
{
    bool fine = true;
    for (int i = 0; i < edges->count && fine; i++)
        fine = add_risers(s->source, &((const sharp_edge *)edges->items)[i], &s->risers);
    return fine && list_add(&s->seen, box, sizeof *box);
}

static bool look_in(stair_search *s, const links_box *box)
{
    list edges = {0};
    const bool fine = edges_find(s->source, box, &s->seen, &edges) && take(s, &edges, box);
    lope_free(edges.items);
    return fine;
}

// From each riser to those that may come before and after it.
static bool follow(stair_search *s)
{
    for (int i = 0; i < s->risers.count; i++) {
        const riser *r = &((riser *)s->risers.items)[i];
        links_box box = {r->a, r->a};
        terrain_box_add(&box, at(r, r->length));
        box = links_box_grown(&box, (double)DEEPEST + 0.05, (double)s->source->def->step + 0.05);
        if (!edges_seen(&s->seen, &box, true) && !look_in(s, &box))
            return false;
    }
    return true;
}

// By place: which of equals comes first must not depend on where the search began.
static int compare_risers(const void *first, const void *second)
{
    const riser *r = first, *s = second;
    const int order = place_order(r->a, s->a);
    return order ? order : place_order(r->along, s->along);
}

bool links_stairs(const links_source *source, const links_want *want, const list *edges, links_found *out)
{
    stair_search s = {.source = source};
    links_box box = links_box_grown(&want->box, LINKS_BESIDE, LINKS_ABOVE);
    bool fine = take(&s, edges, &box);
    for (int i = 0; i < want->seed_count && fine; i++) {
        box = links_box_grown(&(links_box){want->seeds[i].at, want->seeds[i].at}, 0.05, 0.05);
        if (want->seeds[i].kind == LOPE_LINK_STAIRS && !edges_seen(&s.seen, &box, true))
            fine = look_in(&s, &box);
    }
    fine = fine && follow(&s);
    if (fine) {
        if (s.risers.count > 1)
            qsort(s.risers.items, (size_t)s.risers.count, sizeof(riser), compare_risers);
        chain_risers(source->def, s.risers.items, s.risers.count);
        fine = add_flights(source, want, &s.risers, out);
    }
    lope_free(s.risers.items), lope_free(s.seen.items);
    return fine;
}
