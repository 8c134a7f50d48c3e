// SPDX-License-Identifier: MIT
// Which places can be reached, without routes: links are flooded from a place, and a link is reached where an exact
// path on its floor leads to it. Slow, and shares nothing with lope_level_route.
#include "bench/world_reach.h"

#include <math.h>
#include <stdlib.h>

#define LEAST 0.4f // of its radius that somebody can make itself: what the world tries last

// Whether the body has the skill for a link.
static bool can(const lope_link *l, const lope_traveller *who)
{
    if (!(who->kinds >> l->kind & 1) || l->reach > who->reach)
        return false;
    if (l->kind == LOPE_LINK_UP || l->kind == LOPE_LINK_DOWN || l->kind == LOPE_LINK_OVER)
        return fabsf(l->rise) <= who->climb;
    if (l->kind > LOPE_LINK_GAP)
        return true;
    return (l->headroom == 0.0f || l->headroom > who->height - 0.01f) &&
           (l->room == 0.0f || l->room >= 2.0f * who->radius) && (l->kind != LOPE_LINK_GAP || l->across <= who->leap);
}

typedef struct flood {
    const lope_floors *floors;
    const lope_traveller *who;
    lope_path_finder *finder;
} flood;

static bool leads(const flood *f, const lope_floor_spot *from, lope_vec3 to)
{
    const lope_passages *passages = lope_floors_passages(f->floors, from->floor);
    lope_floor_spot spot;
    lope_path path = {.point_count = 0};
    if (!passages || !lope_floors_ground(f->floors, to, 0.5f, &spot) || spot.floor != from->floor)
        return false;
    lope_path_find(f->finder, passages, (lope_vec2){from->at.x, from->at.z}, (lope_vec2){to.x, to.z},
                   LEAST * f->who->radius, &path, NULL);
    return path.point_count > 0;
}

bool world_bench_reaches(const lope_floors *floors, const lope_traveller *who, lope_vec3 from, lope_vec3 to)
{
    int count, waiting = 0;
    const lope_link *links = lope_floors_links(floors, &count);
    flood f = {floors, who, NULL};
    bool *known = calloc((size_t)count + 1, sizeof *known), found = false;
    lope_floor_spot *spots = malloc(((size_t)count + 1) * sizeof *spots);
    if (known && spots && !lope_path_finder_create(&f.finder, NULL) &&
        lope_floors_ground(floors, from, 1.0f, &spots[0]) && spots[0].floor >= 0)
        waiting = 1;
    while (waiting > 0 && !found) {
        const lope_floor_spot here = spots[--waiting];
        found = leads(&f, &here, to);
        for (int i = 0; i < count && !found; i++) {
            if (known[i] || !can(&links[i], who) || !leads(&f, &here, links[i].from))
                continue;
            known[i] = true;
            waiting += lope_floors_ground(floors, links[i].to, 0.5f, &spots[waiting]) && spots[waiting].floor >= 0;
        }
    }
    lope_path_finder_destroy(f.finder);
    free(known);
    free(spots);
    return found;
}
