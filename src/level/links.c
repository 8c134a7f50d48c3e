// SPDX-License-Identifier: MIT
// Links of a level: finds those of every kind, and keeps them right while the level changes.
#include "level/edges.h"

#include <math.h>

const char *lope_link_kind_name(lope_link_kind kind)
{
    static const char *const names[LOPE_LINK_KIND_COUNT] = {
        [LOPE_LINK_SEAM] = "seam",       [LOPE_LINK_STAIRS] = "stairs", [LOPE_LINK_SLOPE] = "slope",
        [LOPE_LINK_RUBBLE] = "rubble",   [LOPE_LINK_UP] = "up",         [LOPE_LINK_DOWN] = "down",
        [LOPE_LINK_OVER] = "over",       [LOPE_LINK_GAP] = "gap",       [LOPE_LINK_BARS] = "bars",
        [LOPE_LINK_LOW] = "low passage", [LOPE_LINK_LADDER] = "ladder", [LOPE_LINK_SLIDE] = "slide",
        [LOPE_LINK_SEAT] = "seat"};
    return kind >= 0 && kind < LOPE_LINK_KIND_COUNT ? names[kind] : "unknown";
}

void links_found_free(links_found *found)
{
    lope_free(found->links.items), lope_free(found->link_origins.items), lope_free(found->steps.items);
    lope_free(found->holds.items), lope_free(found->hold_origins.items);
    *found = (links_found){0};
}

links_box links_box_grown(const links_box *box, double plan, double up)
{
    const float p = (float)plan, y = (float)up;
    return (links_box){{box->low.x - p, box->low.y - y, box->low.z - p},
                       {box->high.x + p, box->high.y + y, box->high.z + p}};
}

bool links_depends(const links_origin *o, const links_box *box)
{
    if (!terrain_box_meets(&o->influence, box))
        return false;
    const float x = 0.5f * (box->low.x + box->high.x), z = 0.5f * (box->low.z + box->high.z);
    const float wide = box->high.x - x, deep = box->high.z - z;
    const float s = x * o->along.x + z * o->along.z, t = x * o->along.z - z * o->along.x;
    const float more_s = wide * fabsf(o->along.x) + deep * fabsf(o->along.z);
    const float more_t = wide * fabsf(o->along.z) + deep * fabsf(o->along.x);
    return s + more_s >= o->s[0] && s - more_s <= o->s[1] && t + more_t >= o->t[0] && t - more_t <= o->t[1];
}

void links_note(links_origin *o, const links_border *border)
{
    for (int i = 0; i < 2; i++) {
        const lope_vec3 p = i ? border->to : border->from;
        const links_box here = links_box_grown(&(links_box){p, p}, 0.01, 0.01);
        const float s = p.x * o->along.x + p.z * o->along.z, t = p.x * o->along.z - p.z * o->along.x;
        terrain_box_join(&o->influence, &here);
        o->s[0] = fminf(o->s[0], s - 0.02f), o->s[1] = fmaxf(o->s[1], s + 0.02f);
        o->t[0] = fminf(o->t[0], t - 0.02f), o->t[1] = fmaxf(o->t[1], t + 0.02f);
    }
}

bool links_wanted(const links_want *want, const links_origin *origin)
{
    const lope_vec3 at = origin->source;
    const links_box *box = &want->box;
    if (!want->owned)
        return links_depends(origin, box);
    return at.x >= box->low.x && at.x < box->high.x && at.y >= box->low.y && at.y < box->high.y && at.z >= box->low.z &&
           at.z < box->high.z;
}

static bool add(list *items, list *origins, const void *item, size_t size, const links_origin *origin)
{
    if (!list_add(items, item, size))
        return false;
    if (list_add(origins, origin, sizeof *origin))
        return true;
    items->count--;
    return false;
}

bool links_add(links_found *out, const lope_link *link, const links_origin *origin)
{
    return add(&out->links, &out->link_origins, link, sizeof *link, origin);
}

bool holds_add(links_found *out, const lope_level_hold *hold, const links_origin *origin)
{
    return add(&out->holds, &out->hold_origins, hold, sizeof *hold, origin);
}

bool links_triangles(const lope_terrain *terrain, const links_box *box, list *out)
{
    int count = lope_terrain_triangles(terrain, box->low, box->high, out->items, out->room);
    if (count > out->room) {
        lope_free(out->items);
        *out = (list){.items = lope_alloc_array((size_t)count * 2, sizeof(lope_terrain_triangle)), .room = 2 * count};
        if (!out->items) {
            *out = (list){0};
            return false;
        }
        count = lope_terrain_triangles(terrain, box->low, box->high, out->items, out->room);
    }
    out->count = count;
    return true;
}

// ---- everything

#define EVERYWHERE 1e6f // metres

typedef struct build {
    const links_source *source;
    links_columns *columns; // of each thread
    links_found *found;     // of each block; the last is what is followed over any distance
    bool *failed;
} build;

// What has straight edges.
static bool look_at_edges(const links_source *source, const links_want *want, links_found *out)
{
    const links_box box = links_box_grown(&want->box, LINKS_BESIDE, LINKS_ABOVE);
    list edges = {0};
    const bool fine = edges_find(source, &box, NULL, &edges) && links_edges(source, want, &edges, out) &&
                      links_bars(source, want, out) && links_stairs(source, want, &edges, out);
    lope_free(edges.items);
    return fine;
}

static void look_at_block(void *user, int block, int thread)
{
    build *b = user;
    const lope_floors *f = b->source->borders->floors;
    links_source source = *b->source;
    links_found *out = &b->found[block];
    links_want want = {.box = {{-EVERYWHERE, -EVERYWHERE, -EVERYWHERE}, {EVERYWHERE, EVERYWHERE, EVERYWHERE}}};
    source.columns = &b->columns[thread];
    if (block == f->block_count) {
        want.everywhere = true;
        b->failed[block] =
            !(links_low(&source, &want, out) && links_uneven(&source, &want, out) && links_things(&source, &want, out));
        return;
    }
    const float side = (float)(GROUND_TILE * BLOCK_TILES), shift = (float)GROUND_SHIFT;
    want.owned = true, want.block = block;
    want.box.low.x = shift + side * (float)f->blocks[block].x;
    want.box.low.z = shift + side * (float)f->blocks[block].z;
    want.box.high.x = shift + side * (float)(f->blocks[block].x + 1);
    want.box.high.z = shift + side * (float)(f->blocks[block].z + 1);
    b->failed[block] = !links_crossings(&source, &want, out) || !look_at_edges(&source, &want, out);
}

static bool append_found(links_found *to, const links_found *from)
{
    const int first = to->links.count, steps = to->steps.count;
    if (!list_add_all(&to->links, from->links.items, from->links.count, sizeof(lope_link)) ||
        !list_add_all(&to->link_origins, from->link_origins.items, from->link_origins.count, sizeof(links_origin)) ||
        !list_add_all(&to->steps, from->steps.items, from->steps.count, sizeof(lope_link_step)) ||
        !list_add_all(&to->holds, from->holds.items, from->holds.count, sizeof(lope_level_hold)) ||
        !list_add_all(&to->hold_origins, from->hold_origins.items, from->hold_origins.count, sizeof(links_origin)))
        return false;
    for (int i = first; i < to->links.count; i++)
        ((lope_link *)to->links.items)[i].first += steps;
    return true;
}

lope_status links_build(const links_source *source, lope_jobs *jobs, links_found *out)
{
    const int count = source->borders->floors->block_count + 1, threads = lope_jobs_thread_count(jobs);
    build b = {source, lope_alloc_zero((size_t)threads * sizeof *b.columns),
               lope_alloc_zero((size_t)count * sizeof *b.found), lope_alloc_zero((size_t)count)};
    bool fine = b.columns && b.found && b.failed;
    if (fine)
        lope_jobs_run(jobs, count, look_at_block, &b);
    for (int i = 0; b.columns && i < threads; i++) {
        fine = fine && !b.columns[i].failed;
        links_columns_free(&b.columns[i]);
    }
    for (int i = 0; fine && i < count; i++)
        fine = !b.failed[i] && append_found(out, &b.found[i]);
    for (int i = 0; b.found && i < count; i++)
        links_found_free(&b.found[i]);
    lope_free(b.columns), lope_free(b.found), lope_free(b.failed);
    return fine ? LOPE_OK : LOPE_NO_MEMORY;
}

// ---- changes

static void remove_at(list *items, list *origins, size_t size, int i)
{
    const int last = --items->count;
    origins->count = last;
    if (i == last)
        return;
    memcpy((char *)items->items + (size_t)i * size, (char *)items->items + (size_t)last * size, size);
    ((links_origin *)origins->items)[i] = ((links_origin *)origins->items)[last];
}

// Whether a kind of link depends on solids alone, not on borders, where a body has room.
static bool is_of_solids(lope_link_kind kind)
{
    return kind == LOPE_LINK_STAIRS || kind == LOPE_LINK_SLOPE || kind == LOPE_LINK_RUBBLE;
}

// Removes what a change influences. Where links were is kept in *seeds: that of passages all along their way, for parts
// of them may be left.
static bool drop(links_found *found, const links_change *change, list *seeds)
{
    const lope_link *links = found->links.items;
    const links_origin *o = found->link_origins.items;
    bool fine = true;
    for (int i = found->links.count - 1; i >= 0 && fine; i--) {
        if (!terrain_box_meets(&o[i].influence, &change->all) || // most: without a look at the link
            !links_depends(&o[i], is_of_solids(links[i].kind) ? &change->solids : &change->all))
            continue;
        const lope_link_step *steps = found->steps.items;
        fine = list_add(seeds, &(links_seed){o[i].source, o[i].along, links[i].kind}, sizeof(links_seed));
        for (int k = 0; k < links[i].count && links[i].kind == LOPE_LINK_LOW && fine; k++) {
            const links_seed seed = {
                .at = lope_v3_lerp(steps[links[i].first + k].left, steps[links[i].first + k].right, 0.5f),
                .kind = LOPE_LINK_LOW};
            fine = list_add(seeds, &seed, sizeof seed);
        }
        remove_at(&found->links, &found->link_origins, sizeof *links, i);
    }
    o = found->hold_origins.items;
    for (int i = found->holds.count - 1; i >= 0; i--)
        if (terrain_box_meets(&o[i].influence, &change->solids) && links_depends(&o[i], &change->solids))
            remove_at(&found->holds, &found->hold_origins, sizeof(lope_level_hold), i);
    return fine;
}

// Forgets steps that no link has any more, once they are many.
static bool drop_steps(links_found *found)
{
    lope_link *links = found->links.items;
    list kept = {0};
    int used = 0;
    for (int i = 0; i < found->links.count; i++)
        used += links[i].count;
    if (found->steps.count < 2 * used + 1000)
        return true;
    for (int i = 0; i < found->links.count; i++)
        for (int k = 0; k < links[i].count; k++)
            if (!list_add(&kept, (lope_link_step *)found->steps.items + links[i].first + k, sizeof(lope_link_step))) {
                lope_free(kept.items);
                return false;
            }
    for (int i = 0, first = 0; i < found->links.count; first += links[i++].count)
        links[i].first = first;
    lope_free(found->steps.items);
    found->steps = kept;
    return true;
}

typedef struct finding {
    links_want want, of_solids;
    links_source source[2];
    links_found found[2];
    bool failed[2];
} finding;

// Crossings take about as long as everything else together.
static void find_half(void *user, int half, int thread)
{
    finding *f = user;
    const links_source *source = &f->source[half];
    links_found *out = &f->found[half];
    (void)thread;
    f->failed[half] = half == 0 ? !links_crossings(source, &f->want, out)
                                : !look_at_edges(source, &f->of_solids, out) || !links_low(source, &f->want, out) ||
                                      !links_uneven(source, &f->of_solids, out) || !links_things(source, &f->want, out);
    f->failed[half] = f->failed[half] || source->columns->failed;
}

lope_status links_update(const links_source *source, links_columns *more, const links_change *change, lope_jobs *jobs,
                         links_found *found)
{
    list seeds = {0};
    bool fine = drop(found, change, &seeds) && drop_steps(found);
    finding f = {.want = {.box = change->all, .seeds = seeds.items, .seed_count = seeds.count},
                 .of_solids = {.box = change->solids, .seeds = seeds.items, .seed_count = seeds.count},
                 .source = {*source, *source}};
    if (lope_jobs_thread_count(jobs) > 1)
        f.source[1].columns = more;
    if (fine)
        lope_jobs_run(jobs, 2, find_half, &f);
    for (int i = 0; i < 2; i++) {
        fine = fine && !f.failed[i] && append_found(found, &f.found[i]);
        links_found_free(&f.found[i]);
    }
    lope_free(seeds.items);
    return fine ? LOPE_OK : LOPE_NO_MEMORY;
}
