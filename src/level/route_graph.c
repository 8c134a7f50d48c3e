// SPDX-License-Identifier: MIT
// The graph that routes are searched in, made anew after every change of the floors. What takes long is finding the
// regions that links lead from and to; those are remembered by place, for as long as nothing near them changed.
#include "level/route.h"

#define SEARCHED 64 // places of the list that a seam is looked for

// The node at an end of a link, and its region.
typedef struct known_end {
    int own, tile;          // block and tile that the place is in
    int block, column;      // of the node; block -1: there is none
    float y;                // of it
    int region;             // of the block
    uint64_t near, version; // of the tile, and of the block's regions; near 0: not known
} known_end;

typedef struct known_link {
    lope_vec3 from, to;
    known_end ends[2];
} known_link;

// ---- what a body can take

static bool is_walked(lope_link_kind kind)
{
    return kind == LOPE_LINK_SEAM || kind == LOPE_LINK_STAIRS || kind == LOPE_LINK_SLOPE || kind == LOPE_LINK_RUBBLE ||
           kind == LOPE_LINK_GAP;
}

static bool is_climbed(lope_link_kind kind)
{
    return kind == LOPE_LINK_UP || kind == LOPE_LINK_DOWN || kind == LOPE_LINK_OVER;
}

// Climbing, crawling and sitting need neither the headroom nor the width of walking.
static bool may_take(const lope_link *l, const lope_traveller *who)
{
    if (!(who->kinds >> l->kind & 1) || l->reach > who->reach)
        return false;
    if (is_climbed(l->kind))
        return fabsf(l->rise) <= who->climb;
    if (!is_walked(l->kind))
        return true;
    return (l->headroom == 0.0f || l->headroom >= who->height - 0.01f) &&
           (l->room == 0.0f || l->room >= 2.0f * who->radius) && (l->kind != LOPE_LINK_GAP || l->across <= who->leap);
}

// Never less than walking straight, so that estimates hold.
static float link_seconds(const lope_link *l, const lope_traveller *who)
{
    static const struct {
        float start, of_walking, of_rise; // seconds; times those of walking; seconds a metre
    } costs[LOPE_LINK_KIND_COUNT] = {
        [LOPE_LINK_SEAM] = {0.0f, 1.0f, 0.0f},  [LOPE_LINK_STAIRS] = {0.0f, 1.2f, 0.6f},
        [LOPE_LINK_SLOPE] = {0.0f, 1.2f, 0.5f}, [LOPE_LINK_RUBBLE] = {0.0f, 1.5f, 0.5f},
        [LOPE_LINK_UP] = {2.0f, 1.0f, 2.0f},    [LOPE_LINK_DOWN] = {1.5f, 1.0f, 1.0f},
        [LOPE_LINK_GAP] = {1.0f, 1.0f, 1.0f},   [LOPE_LINK_BARS] = {3.0f, 3.0f, 1.0f},
        [LOPE_LINK_LOW] = {2.0f, 3.0f, 1.0f},   [LOPE_LINK_LADDER] = {1.0f, 1.0f, 2.0f},
        [LOPE_LINK_SLIDE] = {2.0f, 1.0f, 0.5f}, [LOPE_LINK_SEAT] = {2.0f, 1.0f, 0.0f},
        [LOPE_LINK_OVER] = {3.0f, 1.0f, 3.0f},
    };
    float walking = fmaxf(l->across, route_distance(l->from, l->to)) / who->speed;
    return costs[l->kind].start + costs[l->kind].of_walking * walking + costs[l->kind].of_rise * fabsf(l->rise);
}

// ---- regions of places

static void find_end(const lope_floors *f, lope_vec3 at, known_end *e)
{
    node_ref node;
    int x, z;
    ground_tile_at((double)at.x, (double)at.z, &x, &z);
    int block_x = div_down(x, BLOCK_TILES), block_z = div_down(z, BLOCK_TILES);
    *e = (known_end){.own = floors_find_block(f, block_x, block_z),
                     .tile = (z - block_z * BLOCK_TILES) * BLOCK_TILES + x - block_x * BLOCK_TILES,
                     .block = -1};
    if (e->own >= 0)
        e->near = f->blocks[e->own].tile_versions[e->tile];
    if (!places_node(f, at, &node))
        return;
    const floor_node *n = node_at(f, node);
    e->block = node.block, e->column = n->column, e->y = n->y, e->region = n->region;
    e->version = f->blocks[node.block].version;
}

// The region of a place. What is known of it holds while nothing changes in or beside its tile; regions of its block
// may have got other numbers.
static int region_of(const lope_level_router *r, const lope_floors *f, lope_vec3 at, known_end *e)
{
    if (!e->near || e->own >= f->block_count || f->blocks[e->own].tile_versions[e->tile] != e->near) {
        find_end(f, at, e);
    } else if (e->block >= 0 && f->blocks[e->block].version != e->version) {
        int node = 0;
        node_near_in(&f->blocks[e->block], e->column, e->y, f->near, &node);
        e->region = f->blocks[e->block].nodes[node].region;
        e->version = f->blocks[e->block].version;
    }
    return e->block < 0 ? -1 : ((int *)r->first_region.items)[e->block] + e->region;
}

static bool is_same(const known_link *k, const lope_link *l)
{
    return memcmp(&k->from, &l->from, sizeof l->from) == 0 && memcmp(&k->to, &l->to, sizeof l->to) == 0;
}

// What was known of a link before. Most links keep their place in the list; seams, which come last, their order. *next
// is the place where a seam is looked for.
static known_link look_up(const lope_level_router *r, const lope_link *l, int link, int *next)
{
    const known_link *before = r->before.items;
    int from = *next >= 0 ? *next : link, to = *next >= 0 ? *next + SEARCHED : link + 1;
    for (int i = from; i < to && i < r->before.count; i++)
        if (is_same(&before[i], l)) {
            *next = *next >= 0 ? i + 1 : -1;
            return before[i];
        }
    return (known_link){.from = l->from, .to = l->to};
}

// ---- gates and links

// Sorts items by their region, which is the first of their numbers. To be called with a size that is known.
static inline bool sort_by_region(lope_level_router *r, list *items, int size, list *first)
{
    if (!list_resize(first, r->region_count + 2, sizeof(int)) || !list_resize(&r->bytes, items->room * size, 1))
        return false;
    int *f = first->items;
    char *from = items->items, *to = r->bytes.items;
    memset(f, 0, (size_t)first->count * sizeof *f);
    for (int i = 0; i < items->count; i++)
        f[*(int *)(from + i * size) + 2]++;
    for (int i = 0; i < r->region_count; i++)
        f[i + 2] += f[i + 1];
    for (int i = 0; i < items->count; i++)
        memcpy(to + (size_t)(f[*(int *)(from + i * size) + 1]++ * size), from + i * size, (size_t)size);
    const list sorted = {to, items->count, r->bytes.room / size}; // both keep their memory
    r->bytes = (list){from, 0, items->room * size};
    *items = sorted;
    return true;
}

static bool number_regions(lope_level_router *r, const lope_floors *f)
{
    if (!list_resize(&r->first_region, f->block_count + 1, sizeof(int)))
        return false;
    int *first = r->first_region.items;
    first[0] = 0;
    for (int i = 0; i < f->block_count; i++)
        first[i + 1] = first[i] + f->blocks[i].region_count;
    r->region_count = first[f->block_count];
    if (!list_resize(&r->places, r->region_count, sizeof(route_place)) ||
        !list_resize(&r->marks, r->region_count, sizeof(route_marks)))
        return false;
    if (r->region_count)
        memset(r->places.items, 0, (size_t)r->region_count * sizeof(route_place));
    return true;
}

// Gates of each region, both ways, that are wide enough.
static bool list_gates(lope_level_router *r, const lope_floors *f)
{
    const int *first = r->first_region.items;
    bool fine = true;
    r->gates.count = 0;
    for (int i = 0; i < f->block_count; i++)
        for (int k = 0; k < f->blocks[i].gates.count && fine; k++) {
            const floor_gate *g = &((floor_gate *)f->blocks[i].gates.items)[k];
            route_gate gate = {first[i] + g->region, first[f->blocks[i].next[g->side]] + g->other, g->from, g->to};
            if ((float)(g->width + 1) * (float)NODE_CELL < 2.0f * r->who.radius)
                continue;
            fine = list_add(&r->gates, &gate, sizeof gate);
            gate = (route_gate){gate.other, gate.from, g->from, g->to};
            fine = fine && list_add(&r->gates, &gate, sizeof gate);
        }
    return fine && sort_by_region(r, &r->gates, sizeof(route_gate), &r->gate_first);
}

static bool list_links(lope_level_router *r, const lope_floors *f)
{
    const lope_link *l = f->all_links.items;
    const int found = floors_found_links(f)->count, count = f->all_links.count;
    const list old = r->before;
    r->before = r->known, r->known = old;
    bool fine = list_resize(&r->known, count, sizeof(known_link));
    r->links.count = 0;
    for (int i = 0, next = -1; i < count && fine; i++) {
        known_link *k = (known_link *)r->known.items + i;
        if (i == found)
            next = r->known_found;
        *k = look_up(r, &l[i], i, &next);
        if (!may_take(&l[i], &r->who))
            continue;
        route_link link = {region_of(r, f, l[i].from, &k->ends[0]),
                           region_of(r, f, l[i].to, &k->ends[1]),
                           i,
                           link_seconds(&l[i], &r->who),
                           l[i].from,
                           l[i].to};
        if (link.from >= 0 && link.other >= 0)
            fine = list_add(&r->links, &link, sizeof link);
    }
    r->known_found = found;
    if (!fine)
        r->known.count = 0;
    return fine && sort_by_region(r, &r->links, sizeof(route_link), &r->link_first);
}

// ---- landmarks

// The region that is farthest from all landmarks so far.
static int farthest(const lope_level_router *r)
{
    const route_marks *marks = r->marks.items;
    int best = -1;
    float most = 0.0f;
    for (int i = 0; i < r->region_count; i++) {
        float nearest = HUGE_VALF;
        for (int k = 0; k < r->mark_count; k++)
            nearest = fminf(nearest, marks[i].seconds[k]);
        if (nearest > most && nearest < HUGE_VALF)
            most = nearest, best = i;
    }
    return best;
}

// The first one is where most gates are.
static bool choose_landmarks(lope_level_router *r)
{
    const int *first = r->gate_first.items;
    route_marks *marks = r->marks.items;
    int next = 0;
    for (int i = 1; i < r->region_count; i++)
        if (first[i + 1] - first[i] > first[next + 1] - first[next])
            next = i;
    r->goal_region = -1;
    for (r->mark_count = 0; r->mark_count < ROUTE_LANDMARKS && next >= 0 && next < r->region_count;
         next = farthest(r)) {
        lope_vec3 at = {0};
        if (first[next] < first[next + 1])
            at = ((route_gate *)r->gates.items)[first[next]].left;
        if (!route_spread(r, at, next))
            return false;
        const route_place *places = r->places.items;
        for (int i = 0; i < r->region_count; i++)
            marks[i].seconds[r->mark_count] = places[i].reached == r->search ? places[i].seconds : HUGE_VALF;
        r->mark_count++;
    }
    return true;
}

bool route_learn(lope_level_router *r, const lope_floors *f, const lope_traveller *who)
{
    if (r->version == f->version && memcmp(&r->who, who, sizeof *who) == 0)
        return true;
    r->version = 0;
    r->floors = f;
    r->who = *who;
    r->search = 0;
    if (!number_regions(r, f) || !list_gates(r, f) || !list_links(r, f) || !choose_landmarks(r))
        return false;
    r->version = f->version;
    return true;
}
