// SPDX-License-Identifier: MIT
// Holds: edges of triangles that fingers can lie on. An edge counts where it is about level and sharp, where the
// surface behind it is deep enough and there is room for a hand above and in front of it.
#include <math.h>
#include <stdlib.h>

#include "level/links.h"
#include "terrain/terrain.h"

#define SHARPEST_DOT (-0.5f) // cosine of the widest angle between the faces, 120 degrees
#define LEVEL 0.5f           // rise of an edge per metre of it, at most
#define TOP 0.6f             // least y of the normal of what fingers lie on
#define LEAST_DEPTH 0.02f    // metres
#define LEAST_ROOM 0.05f
#define LEAST_LENGTH 0.08f
#define DROP 0.1f // metres below the edge that are free in front of it
#define FRONT 0.06f
#define DEEPEST 0.3f
#define HIGHEST 0.5f
#define SPACING 0.1f // metres between places that are looked at
#define REACH 0.7    // metres around an edge that matter

typedef struct side {
    lope_vec3 a, b; // sorted
    int triangle;
} side;

// A sharp edge: from a along `along`, fingers lie on the surface towards `in`.
typedef struct sharp {
    lope_vec3 a, along, in, normal, out, inner; // inner: between the faces
    float length, angle;
    int64_t solid;
    int piece;
} sharp;

typedef struct hold_search {
    const links_source *source;
    const links_want *want;
    links_found *out;
    list triangles, sides;
} hold_search;

static bool ray(const hold_search *h, lope_vec3 from, lope_vec3 direction, float length, float *distance)
{
    lope_terrain_hit hit;
    if (!lope_terrain_ray(h->source->terrain, NULL, from, lope_v3_mad(from, direction, length), &hit))
        return false;
    *distance = hit.distance;
    return true;
}

static bool is_inside(const hold_search *h, lope_vec3 at)
{
    ground_layer layers[LINKS_LAYERS];
    const int count = links_column(h->source, (point2){(double)at.x, (double)at.z}, (double)at.y, layers);
    return ground_is_inside(layers, count, 0);
}

// ---- places along an edge

// How deep the surface is behind a place: until it ends, drops, or something stands on it.
static float depth_at(const hold_search *h, const sharp *e, lope_vec3 at)
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
static bool look_at(const hold_search *h, const sharp *e, float s, lope_level_hold *out)
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
    if (out->room < LEAST_ROOM || is_inside(h, lope_v3_mad(front, up, 0.01f)))
        return false;
    out->depth = depth_at(h, e, at);
    return out->depth >= LEAST_DEPTH;
}

// The last place towards `bad` from `good` that can be held.
static float end_of(const hold_search *h, const sharp *e, float good, float bad)
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

static bool add_hold(hold_search *h, const sharp *e, float from, float to, lope_level_hold hold)
{
    if (to - from < LEAST_LENGTH)
        return true;
    hold.from = lope_v3_mad(e->a, e->along, from), hold.to = lope_v3_mad(e->a, e->along, to);
    hold.normal = e->normal, hold.out = e->out;
    hold.angle = e->angle;
    hold.slope = (float)lope_acos((double)e->normal.y);
    hold.part = h->source->level ? lope_level_part_of(h->source->level, e->piece) : -1;
    const lope_vec3 end = lope_v3_mad(e->a, e->along, e->length);
    const links_box line = {{fminf(e->a.x, end.x), fminf(e->a.y, end.y), fminf(e->a.z, end.z)},
                            {fmaxf(e->a.x, end.x), fmaxf(e->a.y, end.y), fmaxf(e->a.z, end.z)}};
    const links_origin origin = {links_box_grown(&line, REACH, REACH), lope_v3_lerp(e->a, end, 0.5f)};
    return holds_add(h->out, h->want, &hold, &origin);
}

// Stretches of an edge that can be held, each with its least depth and room.
static bool hold_along(hold_search *h, const sharp *e)
{
    const int count = 2 + (int)ceilf(e->length / SPACING);
    float begin = NAN, last = 0.0f;
    lope_level_hold whole = {0};
    for (int i = 0; i <= count; i++) {
        const float s = fminf(e->length * (float)i / (float)(count - 1), e->length - 1e-3f);
        lope_level_hold here = {.part = -1};
        const bool good = i < count && look_at(h, e, fmaxf(s, 1e-3f), &here);
        const bool same = good && !isnan(begin) && fabsf(here.depth - whole.depth) < 0.05f;
        if (!isnan(begin) && !same) {
            const float to = i == count ? e->length : good ? last : end_of(h, e, last, s);
            if (!add_hold(h, e, begin, to, whole))
                return false;
            begin = NAN;
        }
        if (good && isnan(begin)) {
            begin = i == 0 ? 0.0f : same ? last : end_of(h, e, s, last);
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

// ---- sharp edges

static int compare_places(lope_vec3 a, lope_vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    return (a.y > b.y) - (a.y < b.y);
}

static int compare_sides(const void *first, const void *second)
{
    const side *s = first, *t = second;
    int order = compare_places(s->a, t->a);
    order = order ? order : compare_places(s->b, t->b);
    return order ? order : s->triangle - t->triangle;
}

// The direction from the edge into a triangle, across the edge.
static lope_vec3 into(const lope_terrain_triangle *t, lope_vec3 a, lope_vec3 along)
{
    lope_vec3 best = {0}; // the corner farthest from the edge
    for (int i = 0; i < 3; i++) {
        const lope_vec3 d = lope_v3_sub(t->corners[i], a);
        const lope_vec3 across = lope_v3_mad(d, along, -lope_v3_dot(d, along));
        if (lope_v3_dot(across, across) > lope_v3_dot(best, best))
            best = across;
    }
    return lope_v3_normalize(best, (lope_vec3){0.0f, 1.0f, 0.0f});
}

// The edge that `count` triangles meet at. False where it is not sharp, not level, or has no surface on top.
static bool sharpen(const hold_search *h, const side *s, int count, sharp *out)
{
    const lope_terrain_triangle *t = h->triangles.items;
    *out = (sharp){.a = s->a, .length = lope_v3_distance(s->a, s->b), .piece = t[s->triangle].piece};
    out->along = lope_v3_normalize(lope_v3_sub(s->b, s->a), (lope_vec3){0.0f, 1.0f, 0.0f});
    if (out->length < LEAST_LENGTH || fabsf(out->along.y) > LEVEL)
        return false;
    const lope_vec3 first = into(&t[s[0].triangle], s->a, out->along);
    lope_vec3 second = first;
    for (int i = 1; i < count && lope_v3_dot(first, second) > 0.9999f; i++)
        second = into(&t[s[i].triangle], s->a, out->along);
    const float cosine = lope_v3_dot(first, second);
    const lope_vec3 inner = lope_v3_normalize(lope_v3_add(first, second), first);
    if (cosine < SHARPEST_DOT)
        return false;
    for (int i = 0; i < 2; i++) { // the face on top
        const lope_vec3 in = i ? second : first;
        lope_vec3 normal = lope_v3_cross(out->along, in);
        const float outside = cosine > 0.9999f ? -normal.y : lope_v3_dot(normal, inner);
        normal = outside > 0.0f ? lope_v3_scale(normal, -1.0f) : normal;
        if (normal.y >= TOP && normal.y > out->normal.y)
            out->normal = normal, out->in = in;
    }
    out->inner = inner;
    out->out = lope_v3_normalize((lope_vec3){-out->in.x, 0.0f, -out->in.z}, (lope_vec3){1.0f, 0.0f, 0.0f});
    out->angle = cosine > 0.9999f ? 0.0f : (float)lope_acos((double)cosine);
    out->solid = terrain_solid(h->source->terrain, out->piece, t[s->triangle].triangle);
    return out->normal.y >= TOP;
}

// Whether the solid is between the faces, not around them.
static bool is_convex(const hold_search *h, const sharp *e)
{
    const lope_vec3 middle = lope_v3_mad(e->a, e->along, 0.5f * e->length);
    if (e->solid < 0)
        return e->angle == 0.0f || e->inner.y < 0.0f;
    return is_inside(h, lope_v3_mad(middle, e->inner, 5e-3f));
}

static bool gather_sides(hold_search *h, const links_box *box)
{
    if (!links_triangles(h->source->terrain, box, &h->triangles))
        return false;
    const lope_terrain_triangle *t = h->triangles.items;
    for (int i = 0; i < 3 * h->triangles.count; i++) {
        side s = {t[i / 3].corners[i % 3], t[i / 3].corners[(i + 1) % 3], i / 3};
        if (compare_places(s.a, s.b) > 0)
            s = (side){s.b, s.a, i / 3};
        if (!list_add(&h->sides, &s, sizeof s))
            return false;
    }
    if (h->sides.count > 1)
        qsort(h->sides.items, (size_t)h->sides.count, sizeof(side), compare_sides);
    return true;
}

// Whether holds along an edge may be wanted.
static bool may_matter(const links_want *want, const side *s)
{
    const links_box line = {{fminf(s->a.x, s->b.x), fminf(s->a.y, s->b.y), fminf(s->a.z, s->b.z)},
                            {fmaxf(s->a.x, s->b.x), fmaxf(s->a.y, s->b.y), fmaxf(s->a.z, s->b.z)}};
    const links_origin origin = {links_box_grown(&line, REACH, REACH), lope_v3_lerp(s->a, s->b, 0.5f)};
    return links_wanted(want, &origin);
}

bool links_edges(const links_source *source, const links_want *want, links_found *out)
{
    hold_search h = {.source = source, .want = want, .out = out};
    const links_box box = links_box_grown(&want->box, want->owned ? 0.0 : REACH, want->owned ? 0.0 : REACH);
    bool fine = gather_sides(&h, &box);
    const side *s = h.sides.items;
    for (int i = 0, next; fine && i < h.sides.count; i = next) {
        for (next = i + 1; next < h.sides.count; next++)
            if (compare_places(s[i].a, s[next].a) || compare_places(s[i].b, s[next].b))
                break;
        sharp e;
        lope_level_hold bar;
        if (may_matter(want, &s[i]) && sharpen(&h, &s[i], next - i, &e) && is_convex(&h, &e) &&
            !links_is_bar(source, &((lope_terrain_triangle *)h.triangles.items)[s[i].triangle], &bar))
            fine = hold_along(&h, &e);
    }
    lope_free(h.triangles.items), lope_free(h.sides.items);
    return fine;
}

lope_status holds_find(const links_source *source, const links_want *want, links_found *out)
{
    return links_edges(source, want, out) && links_bars(source, want, out) ? LOPE_OK : LOPE_NO_MEMORY;
}
