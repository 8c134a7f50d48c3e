// SPDX-License-Identifier: MIT
// Routes: the quickest way over regions, gates and links. Within a region a body goes straight; through a gate it goes
// where the straight line to the goal meets it, or as near as it can. So times of floors are near those of exact paths,
// which are found when a leg is walked.
#include "base/error.h"
#include "level/floors.h"

#define LANDMARKS 8
#define SLACK 4.0f // metres: regions are no points

typedef struct place {
    lope_vec3 at;     // where the region is entered
    float seconds;    // from the start
    float before;     // the same, before the link that leads here
    int from, link;   // where from: a region, -1: the start; by which link, -1: a gate
    uint32_t reached; // search in which it was
    bool done;
} place;

typedef struct waiting {
    float estimate;
    int region;
} waiting;

struct lope_level_router {
    const lope_floors *floors; // what the following is of
    uint64_t version;
    lope_traveller who;
    int *first_region; // of each block, and how many there are
    int *gate_first;   // of each region, into gates
    int *link_first;   // of each region, into links
    int *goals;        // region that a link leads to
    list gates, links; // region_gate; int: links that may be taken, by region
    place *places;     // of each region
    list heap, legs;   // waiting, lope_leg
    int region_count;
    uint32_t search;
    lope_vec3 goal;
    int goal_region;         // -1: none, everything is reached
    float *marks[LANDMARKS]; // seconds from a landmark to each region; HUGE_VALF: no way
    int mark_count;
};

typedef struct region_gate {
    int other;
    lope_vec3 from, to;
} region_gate;

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

static void forget(lope_level_router *r)
{
    lope_free(r->first_region), lope_free(r->gate_first), lope_free(r->link_first), lope_free(r->goals);
    lope_free(r->places);
    for (; r->mark_count > 0; r->mark_count--)
        lope_free(r->marks[r->mark_count - 1]);
    r->first_region = r->gate_first = r->link_first = r->goals = NULL;
    r->places = NULL;
    r->floors = NULL;
}

void lope_level_router_destroy(lope_level_router *r)
{
    if (!r)
        return;
    forget(r);
    lope_free(r->gates.items), lope_free(r->links.items), lope_free(r->heap.items), lope_free(r->legs.items);
    lope_free(r);
}

// ---- what can be gone

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

static float plan_distance(lope_vec3 a, lope_vec3 b)
{
    float x = a.x - b.x, z = a.z - b.z;
    return sqrtf(x * x + z * z);
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
    float walking = fmaxf(l->across, plan_distance(l->from, l->to)) / who->speed;
    return costs[l->kind].start + costs[l->kind].of_walking * walking + costs[l->kind].of_rise * fabsf(l->rise);
}

static int region_at(const lope_level_router *r, const lope_floors *f, lope_vec3 at)
{
    node_ref node;
    return places_node(f, at, &node) ? r->first_region[node.block] + node_at(f, node)->region : -1;
}

// Numbers of regions; gates of each, both ways, that are wide enough.
static bool list_gates(lope_level_router *r, const lope_floors *f)
{
    r->first_region = lope_alloc_array((size_t)f->block_count + 1, sizeof *r->first_region);
    if (!r->first_region)
        return false;
    r->first_region[0] = 0;
    for (int i = 0; i < f->block_count; i++)
        r->first_region[i + 1] = r->first_region[i] + f->blocks[i].region_count;
    r->region_count = r->first_region[f->block_count];
    r->gate_first = lope_alloc_zero(((size_t)r->region_count + 2) * sizeof *r->gate_first);
    r->places = lope_alloc_zero((size_t)r->region_count * sizeof *r->places);
    bool fine = r->gate_first && r->places;
    for (int pass = 0; pass < 2 && fine; pass++) { // counts, then puts
        for (int i = 0; i < f->block_count; i++)
            for (int k = 0; k < f->blocks[i].gates.count; k++) {
                const floor_gate *g = &((floor_gate *)f->blocks[i].gates.items)[k];
                int ends[2] = {r->first_region[i] + g->region, r->first_region[f->blocks[i].next[g->side]] + g->other};
                if ((float)(g->width + 1) * (float)NODE_CELL < 2.0f * r->who.radius)
                    continue;
                for (int way = 0; way < 2; way++) {
                    if (pass == 0)
                        r->gate_first[ends[way] + 2]++;
                    else
                        ((region_gate *)r->gates.items)[r->gate_first[ends[way] + 1]++] =
                            (region_gate){ends[!way], g->from, g->to};
                }
            }
        if (pass)
            break;
        for (int i = 0; i < r->region_count; i++)
            r->gate_first[i + 2] += r->gate_first[i + 1];
        r->gates.count = r->gate_first[r->region_count + 1];
        if (r->gates.room < r->gates.count) {
            lope_free(r->gates.items);
            r->gates.items = lope_alloc_array((size_t)r->gates.count, sizeof(region_gate));
            r->gates.room = r->gates.items ? r->gates.count : 0;
            fine = r->gates.items;
        }
    }
    return fine;
}

static bool list_links(lope_level_router *r, const lope_floors *f)
{
    const lope_link *l = f->all_links.items;
    int count = f->all_links.count;
    int *from = lope_alloc_array((size_t)count, sizeof *from);
    r->goals = lope_alloc_array((size_t)count, sizeof *r->goals);
    r->link_first = lope_alloc_zero(((size_t)r->region_count + 2) * sizeof *r->link_first);
    bool fine = from && r->goals && r->link_first;
    for (int i = 0; i < count && fine; i++) {
        bool taken = may_take(&l[i], &r->who);
        from[i] = taken ? region_at(r, f, l[i].from) : -1;
        r->goals[i] = taken ? region_at(r, f, l[i].to) : -1;
        if (from[i] >= 0 && r->goals[i] >= 0)
            r->link_first[from[i] + 2]++;
        r->links.count = 0;
        fine = r->links.room >= count || list_add(&r->links, &i, sizeof i);
        for (r->links.count = r->links.room; fine && r->links.room < count; r->links.count = r->links.room)
            fine = list_add(&r->links, &i, sizeof i);
    }
    for (int i = 0; i < r->region_count && fine; i++)
        r->link_first[i + 2] += r->link_first[i + 1];
    for (int i = 0; i < count && fine; i++)
        if (from[i] >= 0 && r->goals[i] >= 0)
            ((int *)r->links.items)[r->link_first[from[i] + 1]++] = i;
    lope_free(from);
    return fine;
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
    float most = plan_distance(at, r->goal);
    for (int i = 0; i < r->mark_count; i++) {
        float here = r->marks[i][region], there = r->marks[i][r->goal_region];
        if (here < HUGE_VALF)
            most = fmaxf(most, (there - here) * r->who.speed - SLACK);
    }
    return most / r->who.speed;
}

static bool reach(lope_level_router *r, int region, const place *by)
{
    place *p = &r->places[region];
    if (p->reached == r->search && (p->done || p->seconds <= by->seconds))
        return true;
    *p = *by;
    p->reached = r->search;
    return push(r, by->seconds + rest(r, region, by->at), region);
}

// Where the straight line from a place to the goal meets a gate, or as near as that can be; without a goal its middle.
static lope_vec3 through(const lope_level_router *r, const region_gate *g, lope_vec3 at)
{
    if (r->goal_region < 0)
        return lope_v3_lerp(g->from, g->to, 0.5f);
    const lope_vec3 goal = r->goal;
    float gx = g->to.x - g->from.x, gz = g->to.z - g->from.z, dx = goal.x - at.x, dz = goal.z - at.z;
    float turn = dx * gz - dz * gx, t = 0.5f;
    if (turn * turn > 1e-9f)
        t = ((at.x - g->from.x) * dz - (at.z - g->from.z) * dx) / -turn;
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return lope_v3_lerp(g->from, g->to, t);
}

static bool expand(lope_level_router *r, int region)
{
    place here = r->places[region];
    const region_gate *g = r->gates.items;
    const lope_link *l = r->floors->all_links.items;
    bool fine = true;
    for (int i = r->gate_first[region]; i < r->gate_first[region + 1] && fine; i++) {
        lope_vec3 at = through(r, &g[i], here.at);
        float seconds = here.seconds + plan_distance(here.at, at) / r->who.speed;
        fine = reach(r, g[i].other, &(place){at, seconds, 0.0f, region, -1, 0, false});
    }
    for (int i = r->link_first[region]; i < r->link_first[region + 1] && fine; i++) {
        int link = ((int *)r->links.items)[i];
        float before = here.seconds + plan_distance(here.at, l[link].from) / r->who.speed;
        fine = reach(r, r->goals[link],
                     &(place){l[link].to, before + link_seconds(&l[link], &r->who), before, region, link, 0, false});
    }
    return fine;
}

// Reaches regions, the nearest first, up to the goal. False: no memory.
static bool spread(lope_level_router *r, lope_vec3 from, int region)
{
    if (++r->search == 0) { // after four thousand million searches
        memset(r->places, 0, (size_t)r->region_count * sizeof *r->places);
        r->search = 1;
    }
    r->heap.count = 0;
    bool fine = reach(r, region, &(place){from, 0.0f, 0.0f, -1, -1, 0, false});
    while (fine && r->heap.count) {
        waiting next = pop(r);
        region = next.region;
        if (next.estimate == HUGE_VALF) // a landmark says that there is no way
            break;
        if (r->places[region].done)
            continue;
        r->places[region].done = true;
        if (region == r->goal_region)
            break;
        fine = expand(r, region);
    }
    return fine;
}

// ---- landmarks

// The region that is farthest from all landmarks so far.
static int farthest(const lope_level_router *r)
{
    int best = -1;
    float most = 0.0f;
    for (int i = 0; i < r->region_count; i++) {
        float nearest = HUGE_VALF;
        for (int k = 0; k < r->mark_count; k++)
            nearest = fminf(nearest, r->marks[k][i]);
        if (nearest > most && nearest < HUGE_VALF)
            most = nearest, best = i;
    }
    return best;
}

// The first one is where most gates are; it is only there to find the others.
static bool choose_landmarks(lope_level_router *r)
{
    int next = 0;
    for (int i = 1; i < r->region_count; i++)
        if (r->gate_first[i + 1] - r->gate_first[i] > r->gate_first[next + 1] - r->gate_first[next])
            next = i;
    r->goal_region = -1;
    for (; r->mark_count < LANDMARKS && next >= 0 && next < r->region_count; next = farthest(r)) {
        lope_vec3 at = {0};
        if (r->gate_first[next] < r->gate_first[next + 1])
            at = ((region_gate *)r->gates.items)[r->gate_first[next]].from;
        float *mark = lope_alloc_array((size_t)r->region_count, sizeof *mark);
        if (!mark)
            return false;
        r->marks[r->mark_count++] = mark;
        if (!spread(r, at, next))
            return false;
        for (int i = 0; i < r->region_count; i++)
            mark[i] = r->places[i].reached == r->search ? r->places[i].seconds : HUGE_VALF;
    }
    return true;
}

static lope_status learn(lope_level_router *r, const lope_floors *f, const lope_traveller *who, lope_error *error)
{
    if (r->floors == f && r->version == f->version && memcmp(&r->who, who, sizeof *who) == 0)
        return LOPE_OK;
    forget(r);
    r->who = *who;
    r->floors = f;
    r->search = 0;
    if (!list_gates(r, f) || !list_links(r, f) || !choose_landmarks(r)) {
        forget(r);
        return lope_fail_memory(error);
    }
    r->version = f->version;
    return LOPE_OK;
}

// ---- legs

static bool add_walk(lope_level_router *r, const lope_floor_spot *from, lope_vec3 to, float seconds)
{
    lope_leg leg = {from->floor, -1, from->at, to, seconds};
    return plan_distance(from->at, to) < 1e-3f || list_add(&r->legs, &leg, sizeof leg);
}

// Links that lead to a region, in order, as legs with walks between them.
static bool list_legs(lope_level_router *r, lope_floor_spot from, float seconds)
{
    const lope_link *l = r->floors->all_links.items;
    list *stack = &r->heap; // the search is over
    stack->count = 0;
    for (int region = r->goal_region; region >= 0; region = r->places[region].from)
        if (r->places[region].link >= 0 && !list_add(stack, &(waiting){0.0f, region}, sizeof(waiting)))
            return false;
    float at = 0.0f;
    bool fine = true;
    for (int i = stack->count - 1; i >= 0 && fine; i--) {
        const place *p = &r->places[((waiting *)stack->items)[i].region];
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

static lope_status search(lope_level_router *r, const lope_floor_spot *from, int region, lope_error *error)
{
    if (!spread(r, from->at, region))
        return lope_fail_memory(error);
    const place *p = &r->places[r->goal_region];
    if (p->reached != r->search || !p->done)
        return lope_fail(error, LOPE_NOT_FOUND, "no way leads there that this body can take");
    float seconds = p->seconds + plan_distance(p->at, r->goal) / r->who.speed;
    return list_legs(r, *from, seconds) ? LOPE_OK : lope_fail_memory(error);
}

lope_status lope_level_route(lope_level_router *r, const lope_floors *f, lope_vec3 from, lope_vec3 to,
                             const lope_traveller *who, const lope_leg **legs, int *count, lope_error *error)
{
    lope_floor_spot ends[2];
    const lope_vec3 places[2] = {from, to};
    int regions[2];
    *legs = NULL, *count = 0;
    lope_status status = check_traveller(who, error);
    if (status == LOPE_OK)
        status = learn(r, f, who, error);
    for (int i = 0; i < 2 && status == LOPE_OK; i++) {
        bool found = lope_floors_ground(f, places[i], 1.0f, &ends[i]);
        regions[i] = found ? region_at(r, f, ends[i].at) : -1;
        if (regions[i] < 0)
            status = lope_fail(error, LOPE_NOT_FOUND, "no floor at the %s, %.2f %.2f %.2f", i ? "goal" : "start",
                               (double)places[i].x, (double)places[i].y, (double)places[i].z);
    }
    if (status != LOPE_OK)
        return status;
    r->goal = ends[1].at;
    r->goal_region = regions[1];
    r->legs.count = 0;
    status = search(r, &ends[0], regions[0], error);
    *legs = r->legs.items, *count = status == LOPE_OK ? r->legs.count : 0;
    return status;
}
