// SPDX-License-Identifier: MIT
// Using things: a chair, a ladder, a slide. The way leads to where the link of the thing begins, and over it.
#include <string.h>

#include "base/error.h"
#include "world/world.h"

// Links of a part, the one that begins nearest first; returns how many there are, at most 8.
enum { MOST_LINKS = 8 };
static int links_of(const world_body *body, int part, int out[MOST_LINKS])
{
    int count, found = 0;
    const lope_link *links = lope_floors_links(body->world->floors, &count);
    lope_vec3 here = world_place(body);
    float distances[MOST_LINKS];
    for (int i = 0; i < count && found < MOST_LINKS; i++) {
        if (links[i].part != part || !world_is_thing(links[i].kind))
            continue;
        float distance = lope_v3_distance(links[i].from, here);
        int k = found++;
        for (; k > 0 && distances[k - 1] > distance; k--) {
            distances[k] = distances[k - 1];
            out[k] = out[k - 1];
        }
        distances[k] = distance;
        out[k] = i;
    }
    return found;
}

// Where the way to one end of a thing leads over the thing itself, that is using it: the way ends there.
static void end_at_first_use(world_body *body, int part)
{
    world_way *w = &body->way;
    world_stretch *s = w->stretches.items;
    int end = w->now;
    while (end < w->stretches.count &&
           (s[end].crossing < 0 || world_crossing_at(body->world, s[end].crossing)->link.part != part))
        end++;
    for (int i = end + 1; i < w->stretches.count; i++)
        if (s[i].crossing >= 0)
            world_crossing_at(body->world, s[i].crossing)->wanted--;
    w->stretches.count = end < w->stretches.count ? end + 1 : w->stretches.count;
}

lope_status world_use_find(world_body *body, lope_part_id part, lope_error *error)
{
    const lope_world *world = body->world;
    int links[MOST_LINKS], index = lope_level_part_index(world->def.level, part), count;
    lope_part what;
    if (index < 0 || !lope_level_part(world->def.level, index, &what))
        return lope_fail(error, LOPE_NOT_FOUND, "this part of the level is gone");
    const char *kind = what.kind[0] ? what.kind : "solid";
    if (!world->def.moves->blocks)
        return lope_fail(error, LOPE_UNSUPPORTED, "these moves have no motion for a %s", kind);
    int found = links_of(body, index, links);
    if (found == 0)
        return lope_fail(error, LOPE_UNSUPPORTED, "a %s is not used, or nobody has room to stand before this one",
                         kind);
    const lope_link *all = lope_floors_links(world->floors, &count);
    lope_status status = LOPE_NOT_FOUND;
    for (int i = 0; i < found && status; i++)
        status = world_way_find(body, all[links[i]].from, links[i], error);
    if (!status)
        end_at_first_use(body, index);
    return status;
}

lope_status lope_character_use(lope_world *world, lope_character_id id, lope_part_id part, float seconds,
                               lope_error *error)
{
    world_body *body = world_body_of(world, id);
    if (!body)
        return world_fail_gone(error);
    if (!(seconds >= 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "nobody uses a thing for %g seconds", (double)seconds);
    world_took_over(body);
    lope_status status = world_use_find(body, part, error);
    if (status)
        return status;
    world_begin_task(body, &(world_task){.kind = LOPE_TASK_USE, .part = part, .seconds = seconds});
    world_begin_way(body);
    return LOPE_OK;
}
