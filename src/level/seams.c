// SPDX-License-Identifier: MIT
// Seams as links: runs of connected nodes of two floors, crossed where there is most room.
#include "base/error.h"
#include "level/floors.h"

#define WIDEST 2.0f // metres of clearance that are looked for at seams

typedef struct seam_side {
    lope_vec3 at, other; // nodes on both sides
} seam_side;

static bool side_of(const lope_floors *f, const floor_block *b, const floor_seam *s, seam_side *out)
{
    int x = b->x * BLOCK_NODES + s->column % BLOCK_NODES, z = b->z * BLOCK_NODES + s->column / BLOCK_NODES;
    node_ref node, next;
    if (!nodes_near(f, x, z, s->y, &node) || !nodes_next(f, node, s->side, &next))
        return false;
    out->at = (lope_vec3){node_place(x), node_at(f, node)->y, node_place(z)};
    out->other = (lope_vec3){node_place(x + (s->side == 0)), node_at(f, next)->y, node_place(z + (s->side == 1))};
    return true;
}

static bool goes_on(const lope_floors *f, lope_vec3 a, lope_vec3 b)
{
    float x = a.x - b.x, z = a.z - b.z;
    return x * x + z * z < 2.2f * (float)(NODE_CELL * NODE_CELL) && fabsf(a.y - b.y) < f->near;
}

static bool same_floors(const floor_seam *a, const floor_seam *b)
{
    return (a->floor == b->floor && a->other_floor == b->other_floor) ||
           (a->floor == b->other_floor && a->other_floor == b->floor);
}

// Both ways across a run of seams: where it is widest.
static bool add_both(const lope_floors *f, floor_block *b, const floor_seam *best, const lope_link *run)
{
    seam_side side;
    if (!side_of(f, b, best, &side))
        return true;
    lope_link link = *run;
    link.from = side.at, link.to = side.other;
    link.from_floor = best->floor, link.to_floor = best->other_floor;
    for (int way = 0; way < 2; way++) {
        link.rise = link.to.y - link.from.y;
        if (!list_add(&b->seam_links, &link, sizeof link))
            return false;
        link = (lope_link){.kind = LOPE_LINK_SEAM,
                           .from_floor = link.to_floor,
                           .to_floor = link.from_floor,
                           .from = link.to,
                           .to = link.from,
                           .left = link.right,
                           .right = link.left,
                           .across = link.across,
                           .headroom = link.headroom,
                           .room = link.room,
                           .part = -1};
    }
    return true;
}

// The run that a seam is part of: marks what it takes.
static bool follow(const lope_floors *f, floor_block *b, int first, bool *taken)
{
    const floor_seam *s = b->seams.items, *best = &s[first];
    seam_side side, other;
    lope_link run = {.kind = LOPE_LINK_SEAM, .headroom = f->def.height, .part = -1, .across = (float)NODE_CELL};
    if (!side_of(f, b, best, &side))
        return true;
    run.left = run.right = side.at;
    taken[first] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = first; i < b->seams.count; i++) {
            if (taken[i] || !same_floors(&s[i], &s[first]) || !side_of(f, b, &s[i], &other))
                continue;
            bool left = goes_on(f, other.at, run.left);
            if (!left && !goes_on(f, other.at, run.right))
                continue;
            *(left ? &run.left : &run.right) = other.at;
            taken[i] = more = true;
        }
    }
    for (int i = first; i < b->seams.count; i++) {
        if (!taken[i] || !same_floors(&s[i], &s[first]) || !side_of(f, b, &s[i], &side))
            continue;
        float room = 2.0f * lope_floors_clearance(f, &(lope_floor_spot){s[i].floor, side.at, -1, -1}, WIDEST);
        if (room > run.room)
            run.room = room, best = &s[i];
    }
    return add_both(f, b, best, &run);
}

bool seams_join(lope_floors *f, int block)
{
    floor_block *b = &f->blocks[block];
    f->seams_changed = f->seams_changed || b->seams.count || b->seam_links.count;
    b->seam_links.count = 0;
    if (!b->seams.count)
        return true;
    bool *taken = lope_alloc_zero((size_t)b->seams.count), fine = taken != NULL;
    for (int i = 0; i < b->seams.count && fine; i++)
        if (!taken[i])
            fine = follow(f, b, i, taken);
    lope_free(taken);
    return fine;
}

// ---- all links

static bool gather_seams(lope_floors *f)
{
    bool fine = true;
    f->seam_links.count = 0;
    for (int block = 0; block < f->block_count && fine; block++) {
        const list *l = &f->blocks[block].seam_links;
        fine = list_add_all(&f->seam_links, l->items, l->count, sizeof(lope_link));
    }
    f->seams_changed = !fine;
    return fine;
}

lope_status seams_list_links(lope_floors *f, lope_error *error)
{
    list *found = floors_found_links(f);
    const bool fine =
        (!f->seams_changed || gather_seams(f)) && list_reserve(found, f->seam_links.count, sizeof(lope_link));
    f->all_links = *found;
    if (!fine)
        return lope_fail_memory(error);
    if (f->seam_links.count)
        memcpy((lope_link *)found->items + found->count, f->seam_links.items,
               (size_t)f->seam_links.count * sizeof(lope_link));
    f->all_links.count += f->seam_links.count;
    return LOPE_OK;
}
