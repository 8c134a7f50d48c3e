// SPDX-License-Identifier: MIT
// Links and holds of floors: found from the level and the borders, told by floor.
#include <math.h>

#include "base/error.h"
#include "level/floors.h"
#include "level/links.h"

#define AROUND 2.6 // metres around a change: ground of its tiles may have got another floor

typedef struct floor_links {
    links_found found;
} floor_links;

// Ground at both ends of links that a change may have given another floor, or that have none yet.
static void set_floors(lope_floors *f, const links_box *around)
{
    lope_link *links = f->links->found.links.items;
    for (int i = 0; i < f->links->found.links.count; i++) {
        const lope_vec3 ends[2] = {links[i].from, links[i].to};
        for (int k = 0; k < 2; k++) {
            int *floor = k ? &links[i].to_floor : &links[i].from_floor;
            const links_box end = {ends[k], ends[k]};
            lope_floor_spot spot;
            if (*floor >= 0 && around && !links_boxes_meet(&end, around))
                continue;
            *floor = lope_floors_ground(f, ends[k], f->def.step, &spot) ? spot.floor : -1;
        }
    }
}

lope_status floors_find_links(lope_floors *f, const lope_level_change *changes, int count, lope_jobs *jobs,
                              lope_error *error)
{
    links_box box;
    border_index index;
    const links_source source = {lope_level_terrain(f->level), f->level, &f->def, f->body, &index};
    if (!f->links)
        f->links = lope_alloc_zero(sizeof *f->links);
    if (!f->links || border_index_create(f->borders, f->border_count, &index))
        return lope_fail_memory(error);
    lope_status status = LOPE_OK;
    if (!changes) {
        links_found_free(&f->links->found);
        if (lope_terrain_bounds(source.terrain, &box.low, &box.high))
            status = links_build(&source, &box, jobs, &f->links->found);
        set_floors(f, NULL);
    }
    for (int i = 0; changes && i < count && !status; i++) {
        box = (links_box){changes[i].low, changes[i].high};
        status = links_update(&source, &box, &f->links->found);
        box = links_box_grown(&box, AROUND, AROUND);
        set_floors(f, &box);
    }
    border_index_destroy(&index);
    return status ? lope_fail_memory(error) : LOPE_OK;
}

void floors_free_links(lope_floors *f)
{
    if (f->links)
        links_found_free(&f->links->found);
    lope_free(f->links);
    f->links = NULL;
}

size_t floors_links_memory(const lope_floors *f)
{
    if (!f->links)
        return 0;
    const links_found *l = &f->links->found;
    return (size_t)l->links.room * sizeof(lope_link) + (size_t)l->holds.room * sizeof(lope_level_hold) +
           ((size_t)l->link_origins.room + (size_t)l->hold_origins.room) * sizeof(links_origin) +
           (size_t)l->steps.room * sizeof(lope_link_step) + sizeof *f->links;
}

static const void *items_of(const list *l, int *count)
{
    *count = l->count;
    return l->items;
}

const list *floors_found_links(const lope_floors *f)
{
    return &f->links->found.links;
}

const lope_link *lope_floors_links(const lope_floors *floors, int *count)
{
    return items_of(&floors->all_links, count);
}

const lope_link_step *lope_floors_steps(const lope_floors *floors, int *count)
{
    return items_of(&floors->links->found.steps, count);
}

const lope_level_hold *lope_floors_holds(const lope_floors *floors, int *count)
{
    return items_of(&floors->links->found.holds, count);
}
