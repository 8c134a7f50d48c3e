// SPDX-License-Identifier: MIT
// Links of a level: finds those of every kind, and keeps them right while the level changes.
#include "level/links.h"

#include <math.h>
#include <stdlib.h>

#include "terrain/terrain.h"

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

bool links_boxes_meet(const links_box *a, const links_box *b)
{
    return a->low.x <= b->high.x && a->high.x >= b->low.x && a->low.y <= b->high.y && a->high.y >= b->low.y &&
           a->low.z <= b->high.z && a->high.z >= b->low.z;
}

links_box links_box_grown(const links_box *box, double plan, double up)
{
    const float p = (float)plan, y = (float)up;
    return (links_box){{box->low.x - p, box->low.y - y, box->low.z - p},
                       {box->high.x + p, box->high.y + y, box->high.z + p}};
}

links_box links_box_joined(const links_box *a, const links_box *b)
{
    return (links_box){{fminf(a->low.x, b->low.x), fminf(a->low.y, b->low.y), fminf(a->low.z, b->low.z)},
                       {fmaxf(a->high.x, b->high.x), fmaxf(a->high.y, b->high.y), fmaxf(a->high.z, b->high.z)}};
}

bool links_wanted(const links_want *want, const links_origin *origin)
{
    const lope_vec3 at = origin->source;
    const links_box *box = &want->box;
    if (!want->owned)
        return links_boxes_meet(box, &origin->influence);
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

bool links_add(links_found *out, const links_want *want, const lope_link *link, const links_origin *origin)
{
    return !links_wanted(want, origin) || add(&out->links, &out->link_origins, link, sizeof *link, origin);
}

bool holds_add(links_found *out, const links_want *want, const lope_level_hold *hold, const links_origin *origin)
{
    return !links_wanted(want, origin) || add(&out->holds, &out->hold_origins, hold, sizeof *hold, origin);
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

// Whether a point is clearly beside a triangle, seen from above.
static bool is_beside(const lope_terrain_triangle *t, point2 at)
{
    bool left = false, right = false;
    for (int i = 0; i < 3; i++) {
        const lope_vec3 a = t->corners[i], b = t->corners[(i + 1) % 3];
        const double side = (double)(b.x - a.x) * (at.z - (double)a.z) - (double)(b.z - a.z) * (at.x - (double)a.x);
        left = left || side > 1e-4, right = right || side < -1e-4;
    }
    return left && right;
}

int links_column(const links_source *source, point2 at, double low, ground_layer out[LINKS_LAYERS])
{
    lope_terrain_triangle near[64], *triangles = near;
    const lope_vec3 from = {(float)at.x, (float)low, (float)at.z}, to = {(float)at.x, INFINITY, (float)at.z};
    const int found = lope_terrain_triangles(source->terrain, from, to, near, 64);
    int count = 0;
    if (found > 64) {
        triangles = lope_alloc_array((size_t)found, sizeof *triangles);
        if (!triangles)
            return 0;
        lope_terrain_triangles(source->terrain, from, to, triangles, found);
    }
    for (int i = 0; i < found && count < LINKS_LAYERS; i++) {
        surface s;
        if (is_beside(&triangles[i], at) || !section_surface(&triangles[i], (double)source->body.flatness, &s) ||
            s.thin || !section_covers(&s, at.x, at.z))
            continue;
        const double y = section_height(&s, at.x, at.z);
        if (y >= low)
            out[count++] = (ground_layer){y, terrain_solid(source->terrain, s.piece, s.triangle), i, s.flat};
    }
    if (triangles != near)
        lope_free(triangles);
    ground_sort(out, count);
    return count;
}

bool links_ground(const links_source *source, point2 at, double y, double reach, double *out)
{
    ground_layer layers[LINKS_LAYERS];
    const int count = links_column(source, at, y - reach, layers);
    double best = 2.0 * reach + 1.0;
    for (int i = 0; i < count && layers[i].y <= y + reach; i++)
        if (fabs(layers[i].y - y) < best && ground_is_free(&source->body, layers, count, i)) {
            best = fabs(layers[i].y - y);
            *out = layers[i].y;
        }
    return best <= reach;
}

lope_status links_find(const links_source *source, const links_want *want, links_found *out)
{
    return links_crossings(source, want, out) && links_stairs(source, want, out) && links_low(source, want, out) &&
                   links_uneven(source, want, out) && links_things(source, want, out)
               ? LOPE_OK
               : LOPE_NO_MEMORY;
}

// ---- everything

typedef struct tile_work {
    const links_source *source;
    links_box box;
    int columns;
    links_found *tiles;
    bool *failed;
} tile_work;

#define TILE 16.0f // metres

// Tile by tile what has straight edges; everything else as the last job, because it is followed over any distance.
static void look_at_tile(void *user, int tile, int thread)
{
    tile_work *w = user;
    (void)thread;
    links_want want = {.box = w->box, .owned = true};
    links_found *out = &w->tiles[tile];
    if (tile == 0) {
        want.owned = false;
        w->failed[tile] = !(links_low(w->source, &want, out) && links_uneven(w->source, &want, out) &&
                            links_things(w->source, &want, out));
        return;
    }
    want.box.low.x += TILE * (float)((tile - 1) % w->columns);
    want.box.low.z += TILE * (float)((tile - 1) / w->columns);
    want.box.high.x = want.box.low.x + TILE, want.box.high.z = want.box.low.z + TILE;
    w->failed[tile] = !(links_edges(w->source, &want, out) && links_bars(w->source, &want, out) &&
                        links_crossings(w->source, &want, out) && links_stairs(w->source, &want, out));
}

static bool append(list *to, const list *from, size_t size)
{
    bool fine = true;
    for (int i = 0; i < from->count && fine; i++)
        fine = list_add(to, (const char *)from->items + (size_t)i * size, size);
    return fine;
}

static bool append_found(links_found *to, const links_found *from)
{
    const int first = to->links.count, steps = to->steps.count;
    if (!append(&to->links, &from->links, sizeof(lope_link)) ||
        !append(&to->link_origins, &from->link_origins, sizeof(links_origin)) ||
        !append(&to->steps, &from->steps, sizeof(lope_link_step)) ||
        !append(&to->holds, &from->holds, sizeof(lope_level_hold)) ||
        !append(&to->hold_origins, &from->hold_origins, sizeof(links_origin)))
        return false;
    for (int i = first; i < to->links.count; i++)
        ((lope_link *)to->links.items)[i].first += steps;
    return true;
}

lope_status links_build(const links_source *source, const links_box *box, lope_jobs *jobs, links_found *out)
{
    const links_box wide = links_box_grown(box, 0.5, 1.0);
    const int columns = 1 + (int)((wide.high.x - wide.low.x) / TILE),
              rows = 1 + (int)((wide.high.z - wide.low.z) / TILE);
    const size_t count = (size_t)columns * (size_t)rows + 1;
    tile_work w = {source, wide, columns, lope_alloc_zero(count * sizeof *w.tiles), lope_alloc_zero(count)};
    bool fine = w.tiles && w.failed;
    if (fine)
        lope_jobs_run(jobs, (int)count, look_at_tile, &w);
    for (size_t i = 0; fine && i < count; i++)
        fine = !w.failed[i] && append_found(out, &w.tiles[i]);
    for (size_t i = 0; w.tiles && i < count; i++)
        links_found_free(&w.tiles[i]);
    lope_free(w.tiles), lope_free(w.failed);
    return fine ? LOPE_OK : LOPE_NO_MEMORY;
}

// ---- changes

// Removes what the box influences; keeps where links were.
static bool drop(list *items, list *origins, size_t size, const links_box *box, list *seeds)
{
    links_origin *o = origins->items;
    char *bytes = items->items;
    bool fine = true;
    int kept = 0;
    for (int i = 0; i < items->count; i++) {
        char *item = bytes + (size_t)i * size;
        if (links_boxes_meet(&o[i].influence, box)) {
            const links_seed seed = {o[i].source,
                                     seeds ? ((const lope_link *)(const void *)item)->kind : LOPE_LINK_SEAM};
            fine = fine && (!seeds || list_add(seeds, &seed, sizeof seed));
            continue;
        }
        if (kept != i)
            memcpy(bytes + (size_t)kept * size, item, size);
        o[kept++] = o[i];
    }
    items->count = origins->count = kept;
    return fine;
}

// Keeps the steps of links that are left. Links were put in the order of their steps, and stay so.
static void drop_steps(links_found *found)
{
    lope_link *links = found->links.items;
    lope_link_step *steps = found->steps.items;
    int kept = 0;
    for (int i = 0; i < found->links.count; i++) {
        if (links[i].count == 0)
            continue;
        memmove(steps + kept, steps + links[i].first, (size_t)links[i].count * sizeof *steps);
        links[i].first = kept;
        kept += links[i].count;
    }
    found->steps.count = kept;
}

lope_status links_update(const links_source *source, const links_box *box, links_found *found)
{
    list links = {0};
    bool fine = drop(&found->links, &found->link_origins, sizeof(lope_link), box, &links) &&
                drop(&found->holds, &found->hold_origins, sizeof(lope_level_hold), box, NULL);
    drop_steps(found);
    const links_want want_holds = {.box = *box}, want = {.box = *box, .seeds = links.items, .seed_count = links.count};
    lope_status status = fine ? holds_find(source, &want_holds, found) : LOPE_NO_MEMORY;
    if (!status)
        status = links_find(source, &want, found);
    lope_free(links.items);
    return status;
}
