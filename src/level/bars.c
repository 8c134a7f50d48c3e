// SPDX-License-Identifier: MIT
// Bars: closed solids that are long and thin enough for a hand, and the lines that levels name as holds.
#include <math.h>

#include "level/links.h"

#define THICKEST 0.09f // metres
#define THINNEST 0.01f
#define SHORTEST 0.3f
#define MOST 256 // triangles of a bar
#define REACH 0.3
#define ROOM 0.05f

// The triangles of a solid whose boxes meet a box; at most MOST, more than that where there are.
static int of_solid(const lope_terrain *terrain, const links_box *box, int64_t solid, lope_terrain_triangle out[MOST])
{
    lope_terrain_triangle near[MOST];
    const int found = lope_terrain_triangles(terrain, box->low, box->high, near, MOST);
    int count = 0;
    for (int i = 0; i < found && i < MOST; i++)
        if (terrain_solid(terrain, near[i].piece, near[i].triangle) == solid)
            out[count++] = near[i];
    return found > MOST ? found : count;
}

// Direction of the longest side of a triangle; its length.
static float longest(const lope_terrain_triangle *t, lope_vec3 *direction)
{
    float best = 0.0f;
    for (int i = 0; i < 3; i++) {
        const lope_vec3 d = lope_v3_sub(t->corners[(i + 1) % 3], t->corners[i]);
        const float length = lope_v3_length(d);
        if (length > best)
            best = length, *direction = lope_v3_scale(d, 1.0f / length);
    }
    return best;
}

// All triangles of the solid of one of them. 0: too many.
static int gather(const lope_terrain *terrain, const lope_terrain_triangle *first, lope_terrain_triangle out[MOST])
{
    const int64_t solid = terrain_solid(terrain, first->piece, first->triangle);
    links_box box = {first->corners[0], first->corners[0]};
    int count = 0, before;
    out[0] = *first;
    do {
        before = count;
        const int known = count ? count : 1;
        for (int i = 0; i < 3 * known; i++)
            terrain_box_add(&box, out[i / 3].corners[i % 3]);
        const links_box grown = links_box_grown(&box, 1e-3, 1e-3);
        count = of_solid(terrain, &grown, solid, out);
    } while (count > before && count <= MOST);
    return count <= MOST ? count : 0;
}

// The middle of the corners that lie at one end.
static lope_vec3 end_of(const lope_terrain_triangle *t, int count, lope_vec3 along, float s, float reach)
{
    links_box box = terrain_box_empty();
    for (int i = 0; i < 3 * count; i++)
        if (fabsf(lope_v3_dot(t[i / 3].corners[i % 3], along) - s) <= reach)
            terrain_box_add(&box, t[i / 3].corners[i % 3]);
    return lope_v3_lerp(box.low, box.high, 0.5f);
}

// Both ends of a long solid.
static void find_axis(const lope_terrain_triangle *t, int count, lope_vec3 ends[2])
{
    lope_vec3 along = {0};
    float best = 0.0f, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        lope_vec3 direction = {0};
        const float length = longest(&t[i], &direction);
        if (length > best + 1e-6f)
            best = length, along = direction;
    }
    for (int i = 0; i < 3 * count; i++) {
        const float s = lope_v3_dot(t[i / 3].corners[i % 3], along);
        low = fminf(low, s), high = fmaxf(high, s);
    }
    const float reach = fminf(THICKEST, 0.4f * (high - low));
    ends[0] = end_of(t, count, along, low, reach);
    ends[1] = end_of(t, count, along, high, reach);
}

// Twice the least distance of its long sides from the axis; 0 where a corner is too far from it.
static float thickness(const lope_terrain_triangle *t, int count, const lope_vec3 ends[2])
{
    const lope_vec3 along = lope_v3_normalize(lope_v3_sub(ends[1], ends[0]), (lope_vec3){0.0f, 1.0f, 0.0f});
    float inner = THICKEST;
    for (int i = 0; i < count; i++) {
        const lope_vec3 *c = t[i].corners;
        const lope_vec3 normal =
            lope_v3_normalize(lope_v3_cross(lope_v3_sub(c[1], c[0]), lope_v3_sub(c[2], c[0])), along);
        if (fabsf(lope_v3_dot(normal, along)) < 0.2f)
            inner = fminf(inner, fabsf(lope_v3_dot(lope_v3_sub(c[0], ends[0]), normal)));
        for (int k = 0; k < 3; k++) {
            const lope_vec3 d = lope_v3_sub(c[k], ends[0]);
            if (lope_v3_length(lope_v3_mad(d, along, -lope_v3_dot(d, along))) > 0.75f * THICKEST)
                return 0.0f;
        }
    }
    return 2.0f * inner;
}

bool links_is_bar(const links_source *source, const lope_terrain_triangle *triangle, lope_level_hold *out)
{
    lope_terrain_triangle t[MOST];
    lope_vec3 ends[2], unused;
    const lope_vec3 *c = triangle->corners;
    const float area = lope_v3_length(lope_v3_cross(lope_v3_sub(c[1], c[0]), lope_v3_sub(c[2], c[0])));
    if (area > longest(triangle, &unused) * 1.5f * THICKEST ||
        terrain_solid(source->terrain, triangle->piece, triangle->triangle) < 0)
        return false;
    const int count = gather(source->terrain, triangle, t);
    if (count == 0)
        return false;
    find_axis(t, count, ends);
    const float thick = thickness(t, count, ends);
    if (thick < THINNEST || thick > THICKEST || lope_v3_distance(ends[0], ends[1]) < SHORTEST)
        return false;
    *out = (lope_level_hold){.from = ends[0],
                             .to = ends[1],
                             .depth = thick,
                             .part = lope_level_part_of(source->level, triangle->piece),
                             .bar = true};
    return true;
}

bool bars_add(const links_source *source, const links_want *want, lope_level_hold *hold, links_found *out)
{
    const lope_vec3 middle = lope_v3_lerp(hold->from, hold->to, 0.5f);
    links_box line = {hold->from, hold->from};
    terrain_box_add(&line, hold->to);
    const links_origin origin = {.influence = links_box_grown(&line, REACH, REACH + 0.5), .source = middle};
    const lope_vec3 above = {middle.x, middle.y + 0.5f * hold->depth + 2e-3f, middle.z};
    lope_terrain_hit hit;
    hold->room = 0.5f;
    if (lope_terrain_ray(source->terrain, NULL, above, lope_v3_add(above, (lope_vec3){0.0f, 0.5f, 0.0f}), &hit))
        hold->room = hit.distance;
    return hold->room < ROOM || !links_wanted(want, &origin) || holds_add(out, hold, &origin);
}

bool bars_find(const links_source *source, const list *triangles, list *out)
{
    const lope_terrain_triangle *t = triangles->items;
    list seen = {0}; // solids
    bool fine = true;
    out->count = 0;
    for (int i = 0; fine && i < triangles->count; i++) {
        const int64_t solid = terrain_solid(source->terrain, t[i].piece, t[i].triangle);
        bool known = solid < 0;
        for (int k = seen.count - 1; k >= 0 && !known; k--)
            known = ((int64_t *)seen.items)[k] == solid;
        lope_level_hold bar;
        fine = known || list_add(&seen, &solid, sizeof solid);
        if (!known && fine && links_is_bar(source, &t[i], &bar))
            fine = list_add(out, &bar, sizeof bar);
    }
    lope_free(seen.items);
    return fine;
}

bool links_bars(const links_source *source, const links_want *want, links_found *out)
{
    list triangles = {0}, bars = {0};
    const links_box box = links_box_grown(&want->box, want->owned ? 0.0 : REACH, want->owned ? 0.0 : REACH + 0.5);
    bool fine = links_triangles(source->terrain, &box, &triangles) && bars_find(source, &triangles, &bars);
    for (int i = 0; fine && i < bars.count; i++)
        fine = bars_add(source, want, &((lope_level_hold *)bars.items)[i], out);
    lope_free(triangles.items), lope_free(bars.items);
    return fine;
}
