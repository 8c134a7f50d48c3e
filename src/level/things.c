// SPDX-License-Identifier: MIT
// Links of things with a known use: ladders, slides, seats.
#include <math.h>

#include "level/links.h"

#define REACH 1.5    // metres around a thing that matter
#define SIT 0.6f     // metres from a seat's middle to where one stands before it
#define LANDING 0.4f // metres from a ladder or slide to where one stands

typedef struct thing {
    const links_source *source;
    lope_part part;
    int number;
} thing;

// Ground at a place of the thing's own frame, at most `reach` above or below.
static bool stand_at(const thing *t, lope_vec3 own, double reach, lope_vec3 *out)
{
    const lope_vec3 p = lope_transform_point(t->part.at, own);
    double y;
    if (!links_ground(t->source, (point2){(double)p.x, (double)p.z}, (double)p.y, reach, &y))
        return false;
    *out = (lope_vec3){p.x, (float)y, p.z};
    return true;
}

static lope_link link_of(const thing *t, lope_link_kind kind)
{
    return (lope_link){
        .kind = kind, .from_floor = -1, .to_floor = -1, .part = t->number, .headroom = t->source->def->height};
}

static bool add(const thing *t, const links_want *want, lope_link *link, bool both, links_found *out)
{
    const links_box box = {t->part.low, t->part.high};
    const links_origin origin = {links_box_grown(&box, REACH, REACH), t->part.at.translation};
    const float x = link->to.x - link->from.x, z = link->to.z - link->from.z;
    link->rise = link->to.y - link->from.y;
    link->across = sqrtf(x * x + z * z);
    link->room = 2.0f * t->source->def->radius;
    if (!links_add(out, want, link, &origin))
        return false;
    if (!both)
        return true;
    lope_link back = *link;
    back.from = link->to, back.to = link->from, back.left = link->right, back.right = link->left;
    back.rise = -link->rise;
    return links_add(out, want, &back, &origin);
}

// From its foot, climbed facing +Z.
static bool add_ladder(const thing *t, const links_want *want, links_found *out)
{
    lope_link link = link_of(t, LOPE_LINK_LADDER);
    const float height = t->part.size.y * t->part.scale, half = 0.5f * t->part.size.x * t->part.scale;
    const double step = (double)t->source->def->step;
    if (!stand_at(t, (lope_vec3){0.0f, 0.0f, -LANDING}, step, &link.from))
        return true;
    bool found = false; // behind it, or where it leans against
    for (float z = 0.3f; z < 0.8f && !found; z += 0.1f)
        found = stand_at(t, (lope_vec3){0.0f, height, z}, 0.4, &link.to);
    link.left = lope_transform_point(t->part.at, (lope_vec3){half, 0.0f, 0.0f});
    link.right = lope_transform_point(t->part.at, (lope_vec3){-half, 0.0f, 0.0f});
    return !found || link.to.y - link.from.y < t->source->def->step || add(t, want, &link, true, out);
}

// From below its top, down towards +Z.
static bool add_slide(const thing *t, const links_want *want, links_found *out)
{
    lope_link link = link_of(t, LOPE_LINK_SLIDE);
    const float height = t->part.size.y * t->part.scale, length = t->part.size.z * t->part.scale;
    const float half = 0.5f * t->part.size.x * t->part.scale;
    const double step = (double)t->source->def->step;
    link.left = lope_transform_point(t->part.at, (lope_vec3){half, height, 0.0f});
    link.right = lope_transform_point(t->part.at, (lope_vec3){-half, height, 0.0f});
    return !stand_at(t, (lope_vec3){0.0f, height, -LANDING}, step, &link.from) ||
           !stand_at(t, (lope_vec3){0.0f, 0.0f, length + LANDING}, step, &link.to) || add(t, want, &link, false, out);
}

// One stands before it and sits down.
static bool add_seat(const thing *t, const links_want *want, links_found *out)
{
    lope_link link = link_of(t, LOPE_LINK_SEAT);
    link.left = link.right = t->part.at.translation;
    if (!stand_at(t, (lope_vec3){0.0f, 0.0f, SIT}, (double)t->source->def->step, &link.from))
        return true;
    link.to = link.from;
    return add(t, want, &link, false, out);
}

bool links_things(const links_source *source, const links_want *want, links_found *out)
{
    static const struct {
        const char *kind;
        bool (*add)(const thing *t, const links_want *want, links_found *out);
    } kinds[] = {{"ladder", add_ladder}, {"slide", add_slide}, {"chair", add_seat}, {"bench", add_seat}};
    thing t = {.source = source};
    for (; source->level && t.number < lope_level_part_limit(source->level); t.number++) {
        if (!lope_level_part(source->level, t.number, &t.part) || !t.part.kind[0])
            continue;
        for (int k = 0; k < 4; k++)
            if (!strcmp(t.part.kind, kinds[k].kind) && !kinds[k].add(&t, want, out))
                return false;
    }
    return true;
}
