// SPDX-License-Identifier: MIT
// Holds: edges of triangles that fingers can lie on. An edge counts where it is about level and sharp, where the
// surface behind it is deep enough and there is room for a hand above and in front of it.
#include <math.h>

#include "level/edges.h"

#define LEAST_DEPTH 0.02f // metres
#define LEAST_ROOM 0.05f
#define DROP 0.1f // metres below the edge that are free in front of it
#define FRONT 0.06f
#define DEEPEST 0.3f
#define HIGHEST 0.5f
#define SPACING 0.1f // metres between places that are looked at
#define PLAIN_SPACING 0.4f

typedef struct hold_search {
    const links_source *source;
    links_found *out;
    list triangles;
} hold_search;

static bool ray(const hold_search *h, lope_vec3 from, lope_vec3 direction, float length, float *distance)
{
    lope_terrain_hit hit;
    if (!lope_terrain_ray(h->source->terrain, NULL, from, lope_v3_mad(from, direction, length), &hit))
        return false;
    *distance = hit.distance;
    return true;
}

// ---- places along an edge

// How deep the surface is behind a place: until it ends, drops, or something stands on it.
static float depth_at(const hold_search *h, const sharp_edge *e, lope_vec3 at)
{
    const lope_vec3 above = lope_v3_mad(at, e->normal, 0.02f), down = lope_v3_scale(e->normal, -1.0f);
    float limit, unused, low = 0.0f;
    if (!ray(h, lope_v3_mad(above, e->in, 1e-3f), e->in, DEEPEST, &limit))
        limit = DEEPEST;
    float high = limit;
    if (ray(h, lope_v3_mad(above, e->in, limit - 1e-3f), down, 0.03f, &unused))
        return limit;
    for (int i = 0; i < 7; i++) {
        const float middle = 0.5f * (low + high);
        if (ray(h, lope_v3_mad(above, e->in, middle), down, 0.03f, &unused))
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Whether a hand can hold the edge at s, with how much depth and room.
static bool look_at(const hold_search *h, const sharp_edge *e, float s, lope_level_hold *out)
{
    const lope_vec3 at = lope_v3_mad(e->a, e->along, s), up = {0.0f, 1.0f, 0.0f}, down = {0.0f, -1.0f, 0.0f};
    const lope_vec3 front = lope_v3_mad(at, e->out, 0.03f);
    float distance;
    if (ray(h, lope_v3_mad(front, up, 0.02f), down, 0.02f + DROP, &distance) ||
        ray(h, lope_v3_mad(lope_v3_mad(at, up, 0.01f), e->out, 1e-3f), e->out, FRONT, &distance) ||
        ray(h, lope_v3_mad(lope_v3_mad(at, up, -0.5f * DROP), e->out, 0.02f), e->out, FRONT, &distance))
        return false;
    out->room = HIGHEST;
    if (ray(h, lope_v3_mad(lope_v3_mad(at, e->in, 5e-3f), e->normal, 3e-3f), up, HIGHEST, &distance))
        out->room = distance;
    if (out->room < LEAST_ROOM || edges_inside(h->source, lope_v3_mad(front, up, 0.01f)) ||
        edges_inside(h->source, lope_v3_mad(lope_v3_mad(at, e->in, 5e-3f), e->normal, 0.01f)))
        return false;
    out->depth = depth_at(h, e, at);
    return out->depth >= LEAST_DEPTH;
}

// The last place towards `bad` from `good` that can be held.
static float end_of(const hold_search *h, const sharp_edge *e, float good, float bad)
{
    lope_level_hold unused;
    for (int i = 0; i < 6; i++) {
        const float middle = 0.5f * (good + bad);
        if (look_at(h, e, middle, &unused))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static bool add_hold(hold_search *h, const sharp_edge *e, float from, float to, lope_level_hold hold)
{
    if (to - from < EDGES_SHORTEST)
        return true;
    hold.from = lope_v3_mad(e->a, e->along, from), hold.to = lope_v3_mad(e->a, e->along, to);
    hold.normal = e->normal, hold.out = e->out;
    hold.angle = e->angle;
    hold.slope = (float)lope_acos((double)e->normal.y);
    hold.part = lope_level_part_of(h->source->level, e->triangle.piece);
    const links_origin origin = edges_origin(e->a, e->b, LINKS_BESIDE, LINKS_ABOVE);
    return holds_add(h->out, &hold, &origin);
}

// Metres from one place of the edge towards another until something thin stands across it.
static float clear_along(const hold_search *h, const sharp_edge *e, float from, float to)
{
    const lope_vec3 at = lope_v3_mad(e->a, e->along, from), up = {0.0f, 1.0f, 0.0f};
    const lope_vec3 starts[2] = {lope_v3_mad(lope_v3_mad(at, e->out, 0.03f), up, 0.01f),
                                 lope_v3_mad(lope_v3_mad(at, e->in, 5e-3f), e->normal, 0.02f)};
    float least = fabsf(to - from), distance;
    for (int i = 0; i < 2; i++)
        if (ray(h, starts[i], lope_v3_scale(e->along, to > from ? 1.0f : -1.0f), least, &distance))
            least = distance;
    return least;
}

// Whether no corner of a triangle lies beside the edge between its ends: then little can change along it.
static bool is_plain(hold_search *h, const sharp_edge *e, bool *plain)
{
    links_box box = {e->a, e->a};
    terrain_box_add(&box, e->b);
    box = links_box_grown(&box, (double)DEEPEST, (double)HIGHEST);
    *plain = true;
    if (!links_triangles(h->source->terrain, &box, &h->triangles))
        return false;
    for (int i = 0; i < 3 * h->triangles.count && *plain; i++) {
        const lope_vec3 c = ((lope_terrain_triangle *)h->triangles.items)[i / 3].corners[i % 3];
        const float s = lope_v3_dot(lope_v3_sub(c, e->a), e->along);
        *plain = s < 0.01f || s > e->length - 0.01f || c.x < box.low.x || c.x > box.high.x || c.y < box.low.y ||
                 c.y > box.high.y || c.z < box.low.z || c.z > box.high.z;
    }
    return true;
}

// Stretches of an edge that can be held, each with its least depth and room.
static bool hold_along(hold_search *h, const sharp_edge *e)
{
    bool plain;
    if (!is_plain(h, e, &plain))
        return false;
    const int count = 2 + (int)ceilf(e->length / (plain ? PLAIN_SPACING : SPACING));
    float begin = NAN, last = 0.0f;
    lope_level_hold whole = {0};
    for (int i = 0; i <= count; i++) {
        const float s = fminf(e->length * (float)i / (float)(count - 1), e->length - 1e-3f);
        lope_level_hold here = {.part = -1};
        const bool good = i < count && look_at(h, e, fmaxf(s, 1e-3f), &here);
        const bool same = good && !isnan(begin) && fabsf(here.depth - whole.depth) < 0.05f;
        const float clear = same ? clear_along(h, e, last, s) : s - last;
        const bool across = clear < s - last;
        if (!isnan(begin) && (!same || across)) {
            const float to = i == count ? e->length : good ? last + (across ? clear : 0.0f) : end_of(h, e, last, s);
            if (!add_hold(h, e, begin, to, whole))
                return false;
            begin = NAN;
        }
        if (good && isnan(begin)) {
            begin = i == 0 ? 0.0f : across ? s - clear_along(h, e, s, last) : end_of(h, e, s, last);
            whole = here;
        }
        if (good) {
            whole.depth = fminf(whole.depth, here.depth);
            whole.room = fminf(whole.room, here.room);
        }
        last = s;
    }
    return true;
}

bool links_edges(const links_source *source, const links_want *want, const list *edges, links_found *out)
{
    hold_search h = {.source = source, .out = out};
    lope_level_hold bar;
    bool fine = true;
    for (int i = 0; i < edges->count && fine; i++) {
        const sharp_edge *e = &((const sharp_edge *)edges->items)[i];
        const links_origin origin = edges_origin(e->a, e->b, LINKS_BESIDE, LINKS_ABOVE);
        if (links_wanted(want, &origin) && !links_is_bar(source, &e->triangle, &bar))
            fine = hold_along(&h, e);
    }
    lope_free(h.triangles.items);
    return fine;
}
