// SPDX-License-Identifier: MIT
// Links and holds of floors: found from the level and the borders, told by floor.
#include <math.h>

#include "base/error.h"
#include "level/links.h"
#include "level/part_shapes.h"

#define AROUND 2.6 // metres around a change: ground of its tiles may have got another floor

typedef struct floor_links {
    links_found found;
    border_index borders;
    links_columns columns, more; // two are at work after changes
    list lines;                  // of links_source
    list changes;                // links_change
} floor_links;

static bool is_near(lope_vec3 at, const links_box *around)
{
    return at.x >= around->low.x && at.x <= around->high.x && at.z >= around->low.z && at.z <= around->high.z &&
           at.y >= around->low.y && at.y <= around->high.y;
}

// Ground at the ends of all links.
static void find_floors(lope_floors *f)
{
    lope_link *links = f->links->found.links.items;
    for (int i = 0; i < f->links->found.links.count; i++) {
        links[i].from_floor = places_floor(f, links[i].from);
        links[i].to_floor = places_floor(f, links[i].to);
    }
}

// Of those that a change may have given another floor, or that have none yet.
static void find_floors_around(lope_floors *f, const links_change *change)
{
    const links_box around = links_box_grown(&change->all, AROUND, AROUND);
    lope_link *l = f->links->found.links.items, *end = l + f->links->found.links.count;
    for (; l < end; l++) {
        if (l->from_floor < 0 || is_near(l->from, &around))
            l->from_floor = places_floor(f, l->from);
        if (l->to_floor < 0 || is_near(l->to, &around))
            l->to_floor = places_floor(f, l->to);
    }
}

static void renew_block(void *user, int block, int thread)
{
    floor_links *l = user;
    (void)thread;
    border_index_renew(&l->borders, block, NULL);
}

// Copies the borders around a change again: its box becomes one around all that changed with it.
static bool renew_around(lope_floors *f, links_box *box)
{
    const ground_tiles t = ground_tiles_of(box->low, box->high);
    for (int z = div_down(t.z, BLOCK_TILES); z <= div_down(t.z + t.rows - 1, BLOCK_TILES); z++)
        for (int x = div_down(t.x, BLOCK_TILES); x <= div_down(t.x + t.columns - 1, BLOCK_TILES); x++) {
            const int block = floors_find_block(f, x, z);
            if (block >= 0 && !border_index_renew(&f->links->borders, block, box))
                return false;
        }
    return true;
}

static bool find_lines(lope_floors *f)
{
    list *lines = &f->links->lines;
    bool fine = true;
    lines->count = 0;
    for (int i = 0; level_has_holds(f->level) && i < lope_level_part_limit(f->level) && fine; i++) {
        const lope_part *part = level_part_at(f->level, i);
        if (part && part->shape == LOPE_PART_HOLD) {
            const lope_level_hold line = {.from = part->hold[0], .to = part->hold[1], .part = i, .bar = true};
            fine = list_add(lines, &line, sizeof line);
        }
    }
    return fine;
}

// Takes in what changed since the links were found.
static bool follow_changes(lope_floors *f, const links_source *source, const lope_level_change *changes, int count,
                           lope_jobs *jobs)
{
    floor_links *l = f->links;
    bool fine = list_resize(&l->changes, count, sizeof(links_change));
    links_change *c = l->changes.items;
    for (int i = 0; i < count && fine; i++) {
        const links_box box = {changes[i].low, changes[i].high};
        c[i] = (links_change){box, box};
        fine = renew_around(f, &c[i].all);
    }
    for (int i = 0; i < count && fine; i++)
        fine = links_update(source, &l->more, &c[i], jobs, &l->found) == LOPE_OK;
    for (int i = 0; i < count && fine; i++)
        find_floors_around(f, &c[i]);
    return fine;
}

lope_status floors_find_links(lope_floors *f, const lope_level_change *changes, int count, lope_jobs *jobs,
                              lope_error *error)
{
    if (!f->links)
        f->links = lope_alloc_zero(sizeof *f->links);
    floor_links *l = f->links;
    if (l && f->def.only_floors)
        return LOPE_OK;
    if (!l)
        return lope_fail_memory(error);
    const links_source source = {
        lope_level_terrain(f->level), f->level, &f->def, f->body, &l->borders, &l->columns, &l->lines};
    l->borders.floors = f;
    bool fine = border_index_reserve(&l->borders) && find_lines(f);
    l->columns.failed = l->more.failed = false;
    if (!changes && fine) {
        links_found_free(&l->found);
        lope_jobs_run(jobs, f->block_count, renew_block, l);
        for (int i = 0; i < f->block_count; i++)
            fine = fine && !l->borders.blocks[i].failed;
        fine = fine && links_build(&source, jobs, &l->found) == LOPE_OK;
    }
    links_columns_clear(&l->columns), links_columns_clear(&l->more);
    if (changes)
        fine = fine && follow_changes(f, &source, changes, count, jobs);
    else
        find_floors(f);
    return fine ? LOPE_OK : lope_fail_memory(error);
}

void floors_free_links(lope_floors *f)
{
    if (f->links) {
        links_found_free(&f->links->found);
        border_index_free(&f->links->borders);
        links_columns_free(&f->links->columns);
        links_columns_free(&f->links->more);
        lope_free(f->links->lines.items), lope_free(f->links->changes.items);
    }
    lope_free(f->links);
    f->links = NULL;
}

size_t floors_links_memory(const lope_floors *f)
{
    if (!f->links)
        return 0;
    const links_found *l = &f->links->found;
    const border_index *b = &f->links->borders;
    size_t sum = (size_t)l->links.room * sizeof(lope_link) + (size_t)l->holds.room * sizeof(lope_level_hold) +
                 ((size_t)l->link_origins.room + (size_t)l->hold_origins.room) * sizeof(links_origin) +
                 (size_t)l->steps.room * sizeof(lope_link_step) + sizeof *f->links;
    for (int i = 0; i < b->count; i++)
        sum += sizeof *b->blocks + (size_t)b->blocks[i].borders.room * sizeof(links_border);
    return sum;
}

static const void *items_of(const list *l, int *count)
{
    *count = l->count;
    return l->items;
}

list *floors_found_links(const lope_floors *f)
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
