// SPDX-License-Identifier: MIT
// Routes: the quickest way over regions, gates and links. Within a region a body goes straight; through a gate it goes
// where the straight line to the goal meets it, or as near as it can. So times of floors are near those of exact paths,
// which are found when a leg is walked.
#include "level/route.h"

#include "base/error.h"

#define SLACK 4.0f // metres: regions are no points

typedef struct waiting {
    float estimate;
    int region;
} waiting;

lope_traveller lope_traveller_default(void)
{
    return (lope_traveller){.radius = 0.3f,
                            .height = 1.8f,
                            .reach = 2.2f,
                            .climb = 2.5f,
                            .leap = 1.5f,
                            .speed = 1.3f,
                            .kinds = (1u << LOPE_LINK_KIND_COUNT) - 1u};
}

lope_status lope_level_router_create(lope_level_router **out, lope_error *error)
{
    *out = lope_alloc_zero(sizeof **out);
    return *out ? LOPE_OK : lope_fail_memory(error);
}

void lope_level_router_destroy(lope_level_router *r)
{
    if (!r)
        return;
    lope_free(r->first_region.items), lope_free(r->gates.items), lope_free(r->links.items);
    lope_free(r->gate_first.items), lope_free(r->link_first.items), lope_free(r->known.items);
    lope_free(r->before.items), lope_free(r->bytes.items), lope_free(r->places.items), lope_free(r->marks.items);
    lope_free(r->heap.items), lope_free(r->legs.items);
    lope_free(r);
}

void lope_level_router_avoid(lope_level_router *router, const int *links, int count)
{
    router->avoided = links;
    router->avoided_count = count;
}

// ---- the search

static bool push(lope_level_router *r, float estimate, int region)
{
    waiting w = {estimate, region};
    if (!list_add(&r->heap, &w, sizeof w))
        return false;
    waiting *h = r->heap.items;
    int i = r->heap.count - 1;
    for (; i > 0 && h[(i - 1) / 2].estimate > estimate; i = (i - 1) / 2)
        h[i] = h[(i - 1) / 2];
    h[i] = w;
    return true;
}

static waiting pop(lope_level_router *r)
{
    waiting *h = r->heap.items, first = h[0], last = h[--r->heap.count];
    int i = 0, count = r->heap.count;
    for (int child = 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && h[child + 1].estimate < h[child].estimate)
            child++;
        if (h[child].estimate >= last.estimate)
            break;
        h[i] = h[child];
        i = child;
    }
    h[i] = last;
    return first;
}

// Seconds that the rest takes at least: straight there, or what is known from landmarks: from one to the goal it is not
// farther than by way of this region.
static float rest(const lope_level_router *r, int region, lope_vec3 at)
{
    if (r->goal_region < 0)
        return 0.0f;
    const route_marks *here = (const route_marks *)r->marks.items + region,
                      *there = (const route_marks *)r->marks.items + r->goal_region;
    float most = route_distance(at, r->goal);
    for (int i = 0; i < r->mark_count; i++)
        if (here->seconds[i] < HUGE_VALF)
            most = fmaxf(most, (there->seconds[i] - here->seconds[i]) * r->who.speed - SLACK);
    return most / r->who.speed;
}

// Whether a region is reached no later than that.
static bool is_known(const lope_level_router *r, int region, float seconds)
{
    const route_place *p = (const route_place *)r->places.items + region;
    return p->reached == r->search && (p->done || p->seconds <= seconds);
}

static bool reach(lope_level_router *r, int region, const route_place *by)
{
    route_place *p = (route_place *)r->places.items + region;
    if (is_known(r, region, by->seconds))
        return true;
    *p = *by;
    p->reached = r->search;
    return push(r, by->seconds + rest(r, region, by->at), region);
}

// Where the straight line from a place to the goal meets a gate, or as near as that can be; without a goal its middle.
static lope_vec3 through(const lope_level_router *r, const route_gate *g, lope_vec3 at)
{
    if (r->goal_region < 0)
        return lope_v3_lerp(g->left, g->right, 0.5f);
    const lope_vec3 goal = r->goal;
    float gx = g->right.x - g->left.x, gz = g->right.z - g->left.z, dx = goal.x - at.x, dz = goal.z - at.z;
    float turn = dx * gz - dz * gx, t = 0.5f;
    if (turn * turn > 1e-9f)
        t = ((at.x - g->left.x) * dz - (at.z - g->left.z) * dx) / -turn;
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return lope_v3_lerp(g->left, g->right, t);
}

static bool is_avoided(const lope_level_router *r, int link)
{
    for (int i = 0; i < r->avoided_count; i++)
        if (r->avoided[i] == link)
            return true;
    return false;
}

static bool expand(lope_level_router *r, int region)
{
    const route_place here = ((route_place *)r->places.items)[region];
    const int *gates = (int *)r->gate_first.items + region, *links = (int *)r->link_first.items + region;
    const float per_metre = 1.0f / r->who.speed;
    bool fine = true;
    for (int i = gates[0]; i < gates[1] && fine; i++) {
        const route_gate *g = (route_gate *)r->gates.items + i;
        if (is_known(r, g->other, here.seconds))
            continue;
        lope_vec3 at = through(r, g, here.at);
        float seconds = here.seconds + route_distance(here.at, at) * per_metre;
        fine = reach(r, g->other, &(route_place){at, seconds, 0.0f, region, -1, 0, false});
    }
    for (int i = links[0]; i < links[1] && fine; i++) {
        const route_link *l = (route_link *)r->links.items + i;
        if (is_known(r, l->other, here.seconds + l->seconds) || is_avoided(r, l->link))
            continue;
        float before = here.seconds + route_distance(here.at, l->start) * per_metre;
        fine = reach(r, l->other, &(route_place){l->end, before + l->seconds, before, region, l->link, 0, false});
    }
    return fine;
}

bool route_spread(lope_level_router *r, lope_vec3 from, int region)
{
    route_place *places = r->places.items;
    if (++r->search == 0) { // after four thousand million searches
        memset(places, 0, (size_t)r->region_count * sizeof *places);
        r->search = 1;
    }
    r->heap.count = 0;
    bool fine = reach(r, region, &(route_place){from, 0.0f, 0.0f, -1, -1, 0, false});
    while (fine && r->heap.count) {
        waiting next = pop(r);
        region = next.region;
        if (next.estimate == HUGE_VALF) // a landmark says that there is no way
            break;
        if (places[region].done)
            continue;
        places[region].done = true;
        if (region == r->goal_region)
            break;
        fine = expand(r, region);
    }
    return fine;
}

// ---- legs

static bool add_walk(lope_level_router *r, const lope_floor_spot *from, lope_vec3 to, float seconds)
{
    lope_leg leg = {from->floor, -1, from->at, to, seconds};
    return route_distance(from->at, to) < 1e-3f || list_add(&r->legs, &leg, sizeof leg);
}

// Links that lead to a region, in order, as legs with walks between them.
static bool list_legs(lope_level_router *r, lope_floor_spot from, float seconds)
{
    const lope_link *l = r->floors->all_links.items;
    const route_place *places = r->places.items;
    list *stack = &r->heap; // the search is over
    stack->count = 0;
    for (int region = r->goal_region; region >= 0; region = places[region].from)
        if (places[region].link >= 0 && !list_add(stack, &(waiting){0.0f, region}, sizeof(waiting)))
            return false;
    float at = 0.0f;
    bool fine = true;
    for (int i = stack->count - 1; i >= 0 && fine; i--) {
        const route_place *p = &places[((waiting *)stack->items)[i].region];
        const lope_link *link = &l[p->link];
        lope_leg leg = {-1, p->link, link->from, link->to, p->seconds - p->before};
        fine = add_walk(r, &from, link->from, p->before - at) && list_add(&r->legs, &leg, sizeof leg);
        from.floor = link->to_floor, from.at = link->to, at = p->seconds;
    }
    return fine && add_walk(r, &from, r->goal, seconds - at);
}

static lope_status check_traveller(const lope_traveller *who, lope_error *error)
{
    return LOPE_CHECK(error, LOPE_RANGE(who, radius, 0.0, 10.0), LOPE_RANGE(who, height, 0.1, 10.0),
                      LOPE_RANGE(who, reach, 0.0, 20.0), LOPE_RANGE(who, climb, 0.0, 20.0),
                      LOPE_RANGE(who, leap, 0.0, 20.0), LOPE_RANGE(who, speed, 0.01, 100.0));
}

static lope_status search(lope_level_router *r, const lope_floor_spot *from, int region, lope_legs *out,
                          lope_error *error)
{
    if (!route_spread(r, from->at, region))
        return lope_fail_memory(error);
    const route_place *p = (route_place *)r->places.items + r->goal_region;
    if (p->reached != r->search || !p->done)
        return lope_fail(error, LOPE_NOT_FOUND, "no way leads there that this body can take");
    float seconds = p->seconds + route_distance(p->at, r->goal) / r->who.speed;
    if (!list_legs(r, *from, seconds))
        return lope_fail_memory(error);
    *out = (lope_legs){r->legs.items, r->legs.count, seconds};
    return LOPE_OK;
}

lope_status lope_level_route(lope_level_router *r, const lope_floors *f, const lope_trip *trip, lope_legs *out,
                             lope_error *error)
{
    lope_floor_spot ends[2];
    const lope_vec3 places[2] = {trip->from, trip->to};
    int regions[2];
    *out = (lope_legs){NULL, 0, 0.0f};
    lope_status status = check_traveller(&trip->who, error);
    int avoided = r->avoided_count;
    r->avoided_count = 0; // what is learnt holds for all questions
    if (status == LOPE_OK && !route_learn(r, f, &trip->who))
        status = lope_fail_memory(error);
    r->avoided_count = avoided;
    for (int i = 0; i < 2 && status == LOPE_OK; i++) {
        node_ref node;
        if (lope_floors_ground(f, places[i], 1.0f, &ends[i]) && places_node(f, ends[i].at, &node))
            regions[i] = ((int *)r->first_region.items)[node.block] + node_at(f, node)->region;
        else
            status = lope_fail(error, LOPE_NOT_FOUND, "no floor at the %s, %.2f %.2f %.2f", i ? "goal" : "start",
                               (double)places[i].x, (double)places[i].y, (double)places[i].z);
    }
    if (status != LOPE_OK)
        return status;
    r->goal = ends[1].at;
    r->goal_region = regions[1];
    r->legs.count = 0;
    return search(r, &ends[0], regions[0], out, error);
}
