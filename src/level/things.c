// SPDX-License-Identifier: MIT
// Links of things with a known use: ladders, slides, seats; and the lines that levels say can be held.
#include <math.h>

#include "level/links.h"
#include "level/part_shapes.h"

#define REACH 1.5     // metres around a thing that matter
#define LANDING 0.4f  // metres from a ladder or slide to where one stands
#define SEATED 0.85f  // metres above a seat that a body needs
#define SEAT_LOW 0.2f // metres from the foot of a chair to its seat
#define SEAT_HIGH 0.7f
#define BEFORE 0.38f    // metres from the sides of a seat to where one stands
#define SEAT_WIDE 0.15f // metres to both sides that must be free above a seat

typedef struct thing {
    const links_source *source;
    links_found *out;
    const lope_part *part;
    int number;
} thing;

// A place of the thing's own frame in the level.
static lope_vec3 place(const thing *t, float x, float y, float z)
{
    return lope_transform_point(t->part->at, (lope_vec3){x, y, z});
}

// Ground at a place, at most `reach` above or below, on which a body has room.
static bool stand_at(const thing *t, lope_vec3 p, double reach, lope_vec3 *out)
{
    const point2 at = {(double)p.x, (double)p.z};
    double y;
    if (!links_ground(t->source, at, (double)p.y, reach, &y) || !links_is_clear(t->source, at, y))
        return false;
    *out = (lope_vec3){p.x, (float)y, p.z};
    return true;
}

static bool add(const thing *t, lope_link *link, bool both)
{
    const links_box box = {t->part->low, t->part->high};
    const links_origin origin = {.influence = links_box_grown(&box, REACH, REACH), .source = t->part->at.translation};
    const float x = link->to.x - link->from.x, z = link->to.z - link->from.z;
    link->from_floor = link->to_floor = -1;
    link->part = t->number;
    link->headroom = t->source->def->height;
    link->rise = link->to.y - link->from.y;
    link->across = sqrtf(x * x + z * z);
    link->room = 2.0f * t->source->def->radius;
    lope_link back = *link;
    back.from = link->to, back.to = link->from, back.left = link->right, back.right = link->left;
    back.rise = -link->rise;
    return links_add(t->out, link, &origin) && (!both || links_add(t->out, &back, &origin));
}

// From its foot, climbed facing +Z.
static bool add_ladder(const thing *t)
{
    lope_link link = {.kind = LOPE_LINK_LADDER};
    const float height = t->part->size.y * t->part->scale, half = 0.5f * t->part->size.x * t->part->scale;
    if (!stand_at(t, place(t, 0.0f, 0.0f, -LANDING), (double)t->source->def->step, &link.from))
        return true;
    bool found = false; // behind it, or where it leans against
    for (float z = 0.3f; z < 0.8f && !found; z += 0.1f)
        found = stand_at(t, place(t, 0.0f, height, z), 0.4, &link.to);
    link.left = place(t, half, 0.0f, 0.0f);
    link.right = place(t, -half, 0.0f, 0.0f);
    return !found || link.to.y - link.from.y < t->source->def->step || add(t, &link, true);
}

// From below its top, down towards +Z.
static bool add_slide(const thing *t)
{
    lope_link link = {.kind = LOPE_LINK_SLIDE};
    const float height = t->part->size.y * t->part->scale, length = t->part->size.z * t->part->scale;
    const float half = 0.5f * t->part->size.x * t->part->scale;
    const double step = (double)t->source->def->step;
    link.left = place(t, half, height, 0.0f);
    link.right = place(t, -half, height, 0.0f);
    return !stand_at(t, place(t, 0.0f, height, -LANDING), step, &link.from) ||
           !stand_at(t, place(t, 0.0f, 0.0f, length + LANDING), step, &link.to) || add(t, &link, false);
}

// The middle of its seat, if a body has room above that.
static bool find_seat(const thing *t, lope_vec3 *seat)
{
    const float scale = t->part->scale;
    const lope_vec3 from = place(t, 0.0f, SEAT_HIGH * scale, 0.0f);
    lope_terrain_hit hit;
    if (!lope_terrain_below(t->source->terrain, NULL, from, (SEAT_HIGH - SEAT_LOW) * scale, &hit) ||
        hit.piece != t->part->piece)
        return false;
    *seat = hit.point;
    const float high = hit.point.y - t->part->at.translation.y + 0.02f;
    for (int i = -1; i <= 1; i++)
        if (lope_terrain_ray(t->source->terrain, NULL, place(t, SEAT_WIDE * (float)i, high, 0.0f),
                             place(t, SEAT_WIDE * (float)i, high + SEATED, 0.0f), &hit))
            return false;
    return true;
}

// One stands before it and sits down; where there is no room, as at a desk, beside it.
static bool add_seat(const thing *t)
{
    const lope_vec3 half = lope_v3_scale(t->part->size, 0.5f * t->part->scale);
    const float ahead = half.z + BEFORE, aside = half.x + BEFORE;
    const float before[5][2] = {{0.0f, ahead}, {aside, 0.15f}, {-aside, 0.15f}, {aside, -0.15f}, {-aside, -0.15f}};
    lope_link link = {.kind = LOPE_LINK_SEAT};
    bool found = false;
    if (!find_seat(t, &link.to))
        return true;
    for (int i = 0; i < 5 && !found; i++)
        found = stand_at(t, place(t, before[i][0], 0.0f, before[i][1]), (double)t->source->def->step, &link.from);
    link.left = link.right = link.to;
    return !found || add(t, &link, false);
}

bool links_things(const links_source *source, const links_want *want, links_found *out)
{
    static const struct {
        const char *kind;
        bool (*add)(const thing *t);
    } kinds[] = {{"ladder", add_ladder}, {"slide", add_slide}, {"chair", add_seat}, {"bench", add_seat}};
    thing t = {.source = source, .out = out};
    for (; t.number < lope_level_part_limit(source->level); t.number++) {
        t.part = level_part_at(source->level, t.number);
        if (!t.part || !t.part->kind[0])
            continue;
        const links_box box = links_box_grown(&(links_box){t.part->low, t.part->high}, REACH, REACH);
        if (!terrain_box_meets(&box, &want->box))
            continue;
        for (int k = 0; k < 4; k++)
            if (!strcmp(t.part->kind, kinds[k].kind) && !kinds[k].add(&t))
                return false;
    }
    for (int i = 0; i < source->lines->count; i++) {
        lope_level_hold line = ((const lope_level_hold *)source->lines->items)[i];
        if (!bars_add(source, want, &line, out))
            return false;
    }
    return true;
}
