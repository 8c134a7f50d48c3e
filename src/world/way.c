// SPDX-License-Identifier: MIT
// Ways: the legs of a route become one line over floors, cut where a link has to be crossed; and the line is cut into
// stretches to walk and stretches of uneven ground, where a gait goes. What is uneven is seen in the heights of the
// ground along the line.
#include <string.h>

#include "base/error.h"
#include "world/world.h"

#define SAMPLE 0.1f      // metres between looks at the ground
#define A_WAY 100        // looks that a way takes as long as, beside those along it
#define PIECE 10         // looks whose ground is gathered at once
#define EVEN 1e-4f       // metres: ground that is level
#define LOOK 0.6f        // metres of height within which ground is looked for
#define WINDOW 3         // samples over which
#define BUMP 0.055f      // metres up and down are uneven ground: 10 degrees
#define BEFORE 1.8f      // metres of even ground that a gait begins before uneven ground,
#define AFTER 1.8f       // and that it goes on after it
#define SHORTEST 0.4f    // metres of even ground between uneven ones that are worth walking
#define CORNER 0.4f      // metres of line on both sides of a corner that say how sharp it is
#define SHARP 0.7f       // radians
#define ARRIVES 1.5f     // metres before the end of the line where that does not count: gaits do not come close to it
#define GAP 0.95f        // of its radius: where there is less room, walkers do not get through, but gaits do
#define TREADS 0.4f      // metres of height within which a gait goes to such a place
#define WIDE 1.3f        // of its radius that a body keeps off walls where there is room: gaits are not exact
#define START_REACH 1.5f // metres to where a way can begin
#define SEAMLESS 0.02f   // metres between points that are one
#define MOST_ROUTES 8    // that are tried until one is wide enough

static void empty(lope_world *world, world_way *w)
{
    for (int i = 0; i < w->stretches.count; i++) {
        const world_stretch *s = (world_stretch *)w->stretches.items + i;
        if (s->crossing >= 0)
            world_crossing_at(world, s->crossing)->wanted--;
    }
    w->stretches.count = w->points.count = w->now = 0;
}

void world_way_clear(world_body *body)
{
    empty(body->world, &body->way);
    body->along = 0.0f;
}

world_stretch *world_way_now(const world_body *body)
{
    const world_way *w = &body->way;
    return w->now < w->stretches.count ? (world_stretch *)w->stretches.items + w->now : NULL;
}

world_stretch *world_way_next(const world_body *body)
{
    const world_way *w = &body->way;
    return w->now + 1 < w->stretches.count ? (world_stretch *)w->stretches.items + w->now + 1 : NULL;
}

lope_vec3 world_way_at(const world_body *body, const world_stretch *s, float along)
{
    const lope_vec3 *p = (const lope_vec3 *)body->way.points.items + s->first;
    for (int i = 0; i + 1 < s->count; i++) {
        float length = world_distance(p[i], p[i + 1]);
        if (along <= length && length > 0.0f)
            return lope_v3_lerp(p[i], p[i + 1], fmaxf(along, 0.0f) / length);
        along -= length;
    }
    return p[s->count - 1];
}

void world_way_follow(world_body *body, lope_vec3 place)
{
    const world_stretch *s = world_way_now(body);
    const float look = 2.0f; // metres ahead
    const lope_vec3 *p = (const lope_vec3 *)body->way.points.items + s->first;
    float best = INFINITY, along = 0.0f, found = body->along;
    for (int i = 0; i + 1 < s->count; i++) {
        float length = world_distance(p[i], p[i + 1]), from = body->along - along;
        if (from <= length && along <= body->along + look && length > 0.0f) {
            float x = (p[i + 1].x - p[i].x) / length, z = (p[i + 1].z - p[i].z) / length;
            float t = (place.x - p[i].x) * x + (place.z - p[i].z) * z;
            t = fminf(fmaxf(t, fmaxf(from, 0.0f)), fminf(length, fmaxf(body->along + look - along, 0.0f)));
            lope_vec3 off_line = lope_v3_sub(lope_v3_lerp(p[i], p[i + 1], t / length), place);
            float off = lope_v3_dot(off_line, off_line);
            if (off < best) {
                best = off;
                found = along + t;
            }
        }
        along += length;
    }
    body->along = found;
}

float world_way_left(const world_body *body)
{
    const world_way *w = &body->way;
    float left = -body->along;
    for (int i = w->now; i < w->stretches.count; i++)
        left += ((world_stretch *)w->stretches.items)[i].length;
    return left;
}

// ---- the line

bool world_line_add(lope_world *world, lope_vec3 at, bool rough)
{
    world_line_point *line = world->line.items;
    if (world->line.count > 0 && lope_v3_distance(line[world->line.count - 1].at, at) < SEAMLESS) {
        line[world->line.count - 1].rough |= rough;
        return true;
    }
    return list_add(&world->line, &(world_line_point){at, rough}, sizeof(world_line_point));
}

// The way on a floor between two places, as wide as there is room. False: none.
bool world_path_find(const world_body *body, int floor, lope_vec3 from, lope_vec3 to, lope_path *path)
{
    const lope_passages *passages = lope_floors_passages(body->world->floors, floor);
    path->point_count = 0;
    float share = WIDE;
    for (; passages && share > 0.3f && path->point_count == 0; share -= 0.3f)
        lope_path_find(body->world->finder, passages, (lope_vec2){from.x, from.z}, (lope_vec2){to.x, to.z},
                       share * body->who.radius, path, NULL);
    body->world->narrow |= path->point_count > 0 && share < 0.6f;
    return path->point_count > 0;
}

bool world_line_walk(world_body *body, int floor, lope_vec3 from, lope_vec3 to, lope_error *error)
{
    lope_world *world = body->world;
    lope_path path;
    bool found = world_path_find(body, floor, from, to, &path), fine = world_line_add(world, from, false);
    if (!found && world_distance(from, to) > 1.5f) {
        lope_fail(error, LOPE_NOT_FOUND, "the way to %.1f %.1f %.1f is too narrow for a radius of %.2f m", (double)to.x,
                  (double)to.y, (double)to.z, (double)body->who.radius);
        return false;
    }
    float gone = 0.0f;
    for (int i = 1; i + 1 < path.point_count && fine; i++) {
        lope_vec2 p = path.points[i], q = path.points[i - 1];
        gone += hypotf(p.x - q.x, p.z - q.z);
        float share = gone / fmaxf(path.length, 1e-3f); // the ground says better below
        fine = world_line_add(world, lope_v3(p.x, from.y + (to.y - from.y) * share, p.z), false);
    }
    fine = fine && world_line_add(world, to, false);
    if (!fine)
        lope_fail_memory(error);
    return fine;
}

// ---- cutting the line

// Level ground below a piece of the line, with nothing on it.
enum { LEVEL_TRIANGLES = 16 };
typedef struct level_ground {
    float height;
    lope_terrain_triangle triangles[LEVEL_TRIANGLES];
    int count; // 0: it is not known to be level
} level_ground;

static void find_level(const lope_world *world, lope_vec3 from, lope_vec3 to, float height, level_ground *out)
{
    lope_vec3 low = {fminf(from.x, to.x), height - EVEN, fminf(from.z, to.z)};
    lope_vec3 high = {fmaxf(from.x, to.x), height + LOOK, fmaxf(from.z, to.z)};
    const lope_terrain *terrain = lope_level_terrain(world->def.level);
    int count = lope_terrain_triangles(terrain, low, high, out->triangles, LEVEL_TRIANGLES);
    out->height = height;
    out->count = count <= LEVEL_TRIANGLES ? count : 0;
    for (int i = 0; i < 3 * count && out->count; i++)
        if (!(fabsf(out->triangles[i / 3].corners[i % 3].y - height) <= EVEN))
            out->count = 0;
}

static bool is_level(const level_ground *ground, lope_vec3 at)
{
    for (int i = 0; i < ground->count; i++) {
        const lope_vec3 *c = ground->triangles[i].corners;
        float sides[3];
        for (int k = 0; k < 3; k++) {
            const lope_vec3 a = c[k], b = c[(k + 1) % 3];
            sides[k] = (b.x - a.x) * (at.z - a.z) - (b.z - a.z) * (at.x - a.x);
        }
        if (sides[0] * sides[1] > 0.0f && sides[0] * sides[2] > 0.0f)
            return true;
    }
    return false;
}

static bool look_at(const world_body *body, world_look l, const level_ground *level, float *height)
{
    lope_world *world = body->world;
    world->looks_left--;
    l.at.y = *height;
    lope_floor_spot spot = {.at = l.at};
    if ((level->height == *height && is_level(level, l.at)) || lope_floors_ground(world->floors, l.at, LOOK, &spot)) {
        l.at.y = *height = spot.at.y;
        float radius = GAP * body->who.radius;
        l.narrow = world->narrow && lope_floors_clearance(world->floors, &spot, radius) < radius;
    }
    return list_add(&world->marks, &l, sizeof l);
}

// Looks at the ground between two points of the line.
static bool look_between(const world_body *body, const world_look *from, lope_vec3 to, float *height)
{
    float length = world_distance(from->at, to);
    int parts = (int)(length / SAMPLE);
    level_ground level = {.count = 0};
    for (int k = 1; k <= parts; k++) {
        world_look l = *from;
        float t = (float)k * SAMPLE / length;
        if (t > 0.999f)
            break;
        l.at = lope_v3_lerp(from->at, to, t);
        l.along += (float)k * SAMPLE;
        l.corner = false;
        if (k % PIECE == 1)
            find_level(body->world, l.at, lope_v3_lerp(from->at, to, fminf(t + PIECE * SAMPLE / length, 1.0f)), *height,
                       &level);
        if (!look_at(body, l, &level, height))
            return false;
    }
    return true;
}

// Looks at the ground along the line: all of its points, and between them.
static bool look_along(const world_body *body)
{
    lope_world *world = body->world;
    const world_line_point *p = world->line.items;
    const level_ground nothing = {.count = 0};
    int count = world->line.count;
    float along = 0.0f, height = p[0].at.y;
    bool fine = true;
    world->marks.count = 0;
    for (int i = 0; i < count && fine; i++) {
        if (i > 0 && p[i].rough != p[i - 1].rough)
            height = p[i].at.y;
        world_look at = {.at = p[i].at, .along = along, .rough = p[i].rough, .corner = true};
        fine = look_at(body, at, &nothing, &height);
        if (i + 1 == count || !fine)
            break;
        fine = look_between(body, &at, p[i + 1].at, &height);
        along += world_distance(p[i].at, p[i + 1].at);
    }
    return fine;
}

static void mark_rough(lope_world *world)
{
    world_look *l = world->marks.items;
    int count = world->marks.count;
    for (int i = 0; i < count; i++) {
        float low = l[i].at.y, high = low;
        l[i].rough |= l[i].narrow && l[count - 1].along - l[i].along > ARRIVES;
        for (int k = i + 1; k < count && l[k].along <= l[i].along + (float)WINDOW * SAMPLE + 1e-3f; k++) {
            low = fminf(low, l[k].at.y);
            high = fmaxf(high, l[k].at.y);
            if (high - low > BUMP) { // all of the window
                for (int m = i; m <= k; m++)
                    l[m].rough = true;
                break;
            }
        }
    }
}

// Whether the line turns sharply at a look. Walkers swing out there; gaits keep to the line.
static bool is_sharp(const lope_world *world, int look)
{
    const world_look *l = world->marks.items;
    int count = world->marks.count, before = look, after = look;
    if (!l[look].corner || look == 0 || look + 1 == count)
        return false;
    while (before > 0 && l[look].along - l[before].along < CORNER)
        before--;
    while (after + 1 < count && l[after].along - l[look].along < CORNER)
        after++;
    float turn = lope_wrap_angle(world_yaw(l[look].at, l[after].at) - world_yaw(l[before].at, l[look].at));
    return fabsf(turn) > SHARP;
}

// Grows rough stretches by what a gait needs before and after, there and about sharp corners; and joins those that are
// near each other.
static void widen_rough(lope_world *world)
{
    world_look *l = world->marks.items;
    int count = world->marks.count, last = -1; // the last rough one so far
    for (int i = 0; i < count; i++) {
        if (!l[i].rough)
            continue;
        bool joined = last >= 0 && l[i].along - l[last].along < BEFORE + AFTER + SHORTEST;
        float from = l[i].along;
        for (int k = i - 1; k > last && (joined || from - l[k].along < BEFORE); k--) {
            l[k].rough = true;
            from = is_sharp(world, k) ? l[k].along : from;
        }
        last = i;
    }
    for (int i = count - 1; i >= 0; i--) {
        float to = l[i].along;
        for (int k = i + 1; l[i].rough && k < count && !l[k].rough && l[k].along - to < AFTER; k++) {
            l[k].rough = true;
            to = is_sharp(world, k) ? l[k].along : to;
        }
    }
}

static bool add_stretch(world_body *body, int from, int to, bool rough)
{
    const world_look *l = body->world->marks.items;
    world_way *w = &body->world->draft;
    world_stretch s = {rough ? WORLD_GAIT : WORLD_WALK, -1, -1, w->points.count, 0, l[to].along - l[from].along, 0};
    if (rough) {
        int a = from + (to - from) / 3, b = to - (to - from) / 3;
        s.kind = world_uneven_kind(body->world, l[(a + b) / 2].at,
                                   (lope_vec2){l[b].at.x - l[a].at.x, l[b].at.z - l[a].at.z});
    }
    bool fine = true;
    for (int i = from; i <= to && fine; i++)
        if (i == from || i == to || l[i].corner) {
            fine = list_add(&w->points, &l[i].at, sizeof l[i].at);
            s.count++;
        }
    return fine && list_add(&w->stretches, &s, sizeof s);
}

// The line as stretches; it is empty afterwards. Stairs are gone straight, unless somebody is told which way to go.
static bool cut_line(world_body *body, bool led)
{
    lope_world *world = body->world;
    if (world->line.count == 1) // somebody stands there already
        world_line_add(world, lope_v3_add(((world_line_point *)world->line.items)[0].at, lope_v3(0, 0, SEAMLESS)),
                       false);
    if (world->line.count < 2)
        return true;
    bool fine = look_along(body);
    if (fine && !led && world->def.moves->rings && world_stairs_straighten(body))
        fine = look_along(body);
    if (fine && world->def.moves->rings) {
        mark_rough(world);
        widen_rough(world);
    }
    const world_look *l = world->marks.items;
    for (int from = 0; fine && from + 1 < world->marks.count;) {
        int to = from + 1;
        while (to + 1 < world->marks.count && l[to].rough == l[from].rough)
            to++;
        fine = add_stretch(body, from, to, l[from].rough && world->def.moves->rings);
        from = to;
    }
    world->line.count = 0;
    world->narrow = false;
    return fine;
}

// ---- the whole way

static bool add_crossing(world_body *body, const lope_leg *leg, lope_error *error)
{
    lope_world *world = body->world;
    int index = world_crossing_find(world, leg->link, error);
    if (index < 0)
        return false;
    world_way *w = &world->draft;
    int kind = (int)world_crossing_at(world, index)->link.kind;
    world_stretch s = {WORLD_CROSS, index, kind, w->points.count, 2, world_distance(leg->from, leg->to), 0};
    bool fine = list_add(&w->points, &leg->from, sizeof leg->from) && list_add(&w->points, &leg->to, sizeof leg->to) &&
                list_add(&w->stretches, &s, sizeof s);
    if (!fine) {
        lope_fail_memory(error);
        return false;
    }
    world_crossing_at(world, index)->wanted++;
    world_crossing_want(world, index);
    return true;
}

// A walk from where the line has got to; to where the next leg begins, if that is a link with a way over it.
static bool add_walk(world_body *body, const lope_legs *legs, int index, lope_error *error)
{
    const lope_world *world = body->world;
    const lope_leg *leg = &legs->items[index], *next = leg + 1;
    const world_line_point *line = world->line.items;
    lope_link_way way;
    lope_vec3 from = world->line.count ? line[world->line.count - 1].at : leg->from, to = leg->to;
    if (index + 1 < legs->count && next->link >= 0 && world->def.moves->rings && world_link_way(body, next->link, &way))
        to = way.points[0];
    return world_line_walk(body, leg->floor, from, to, error) ||
           (error->status == LOPE_NOT_FOUND && world_line_walk(body, leg->floor, leg->from, leg->to, error));
}

static bool add_leg(world_body *body, const lope_legs *legs, int index, lope_error *error)
{
    lope_world *world = body->world;
    const lope_leg *leg = &legs->items[index];
    int count;
    lope_link_way way;
    if (leg->link < 0)
        return add_walk(body, legs, index, error);
    bool seam = lope_floors_links(world->floors, &count)[leg->link].kind == LOPE_LINK_SEAM;
    bool over = world_link_way(body, leg->link, &way);
    if (seam || over) {
        bool straight = seam || !world->def.moves->rings;
        bool fine = straight ? world_line_add(world, leg->from, false) && world_line_add(world, leg->to, false)
                             : world_line_over(world, &way);
        if (!fine)
            lope_fail_memory(error);
        return fine;
    }
    if (!cut_line(body, false)) {
        lope_fail_memory(error);
        return false;
    }
    return add_crossing(body, leg, error);
}

// Links that nobody gets over, or that are closed for now.
static bool list_closed(lope_world *world)
{
    world->closed.count = 0;
    for (int i = 0; i < world->crossings.count; i++) {
        const world_crossing *c = world_crossing_at(world, i);
        bool closed = c->number >= 0 && (c->why[0] || c->closed_until > world->time);
        if (closed && !list_add(&world->closed, &c->number, sizeof(int)))
            return false;
    }
    return true;
}

// Where the next way begins: beyond the link that is being crossed, or here.
static lope_vec3 start_of(const world_body *body)
{
    const lope_floors *floors = body->world->floors;
    lope_vec3 here = world_place(body);
    lope_floor_spot spot;
    if (body->carrier == WORLD_CROSS && body->crossing >= 0)
        here = world_crossing_at(body->world, body->crossing)->link.to;
    bool fits = lope_floors_ground(floors, here, 1.0f, &spot) && spot.floor >= 0 &&
                lope_floors_clearance(floors, &spot, 1.0f) > 0.9f * body->who.radius;
    for (int half = 1; half <= 2 && !fits; half++) // a step away from the wall or edge first; not down from treads
        if (lope_floors_nearest(floors, here, body->who.radius / (float)half, START_REACH * (float)half, &spot) &&
            (body->carrier != WORLD_GAIT || fabsf(spot.at.y - here.y) < TREADS))
            return spot.at;
    return here;
}

static void surround(world_way *w)
{
    const lope_vec3 *p = w->points.items;
    w->low = w->high = w->points.count ? p[0] : lope_v3(0.0f, 0.0f, 0.0f);
    for (int i = 1; i < w->points.count; i++) {
        w->low = lope_v3_min(w->low, p[i]);
        w->high = lope_v3_max(w->high, p[i]);
    }
    w->crosses = false;
    for (int i = 0; i < w->stretches.count; i++)
        w->crosses |= ((world_stretch *)w->stretches.items)[i].crossing >= 0;
}

static void take_draft(world_body *body)
{
    world_way_clear(body);
    if (body->outfit) // its gait knows points of the old way, which others will write over
        body->outfit->gait.way_count = 0;
    world_way old = body->way;
    body->way = body->world->draft;
    body->world->draft = old;
    surround(&body->way);
}

bool world_way_straight(world_body *body, lope_vec3 from, lope_vec3 to)
{
    lope_world *world = body->world;
    empty(world, &world->draft);
    world->line.count = 0;
    world->narrow = false;
    if (!world_line_add(world, from, false) || !world_line_add(world, to, false) || !cut_line(body, true))
        return false;
    take_draft(body);
    return true;
}

// The legs of a route as the draft of a way. Where the exact path of a leg is too narrow, `blocked` is a link that
// leads to it or on from it; -1: none.
static bool draft_way(world_body *body, const lope_trip *trip, const lope_legs *legs, int *blocked, lope_error *error)
{
    lope_world *world = body->world;
    bool fine = true;
    empty(world, &world->draft);
    world->line.count = 0;
    world->narrow = false;
    world->looks_left -= A_WAY;
    *blocked = -1;
    for (int i = 0; i < legs->count && fine; i++) {
        fine = add_leg(body, legs, i, error);
        if (fine || error->status != LOPE_NOT_FOUND)
            continue;
        if (i > 0)
            *blocked = legs->items[i - 1].link;
        if (*blocked < 0 && i + 1 < legs->count)
            *blocked = legs->items[i + 1].link;
    }
    if (fine && legs->count == 0)
        fine = world_line_add(world, trip->from, false) && world_line_add(world, trip->to, false);
    if (fine && !cut_line(body, false))
        fine = lope_fail_memory(error) == LOPE_OK;
    return fine;
}

// By a route whose exact paths are wide enough: links that lead to ones that are not are avoided.
static lope_status find_draft(world_body *body, const lope_trip *trip, lope_error *error)
{
    lope_world *world = body->world;
    lope_level_router *router = world_router(world, &body->who, error);
    if (!router)
        return LOPE_NO_MEMORY;
    if (!list_closed(world))
        return lope_fail_memory(error);
    lope_error narrow = {0};
    for (int tried = 0, blocked = 0; tried < MOST_ROUTES && blocked >= 0; tried++) {
        lope_legs legs;
        lope_level_router_avoid(router, world->closed.items, world->closed.count);
        lope_status status = lope_level_route(router, world->floors, trip, &legs, error);
        if (status) {
            *error = tried ? narrow : *error;
            return status;
        }
        if (draft_way(body, trip, &legs, &blocked, error))
            return LOPE_OK;
        narrow = *error;
        if (blocked >= 0 && !list_add(&world->closed, &blocked, sizeof blocked))
            return lope_fail_memory(error);
    }
    return error->status;
}

lope_status world_way_find(world_body *body, lope_vec3 to, int link, lope_error *error)
{
    lope_world *world = body->world;
    lope_error local;
    error = error ? error : &local;
    const lope_trip trip = {start_of(body), to, body->who};
    lope_status status = find_draft(body, &trip, error);
    if (!status && link >= 0) {
        int count;
        const lope_link *l = &lope_floors_links(world->floors, &count)[link];
        if (!add_crossing(body, &(lope_leg){-1, link, l->from, l->to, 0.0f}, error))
            status = error->status;
    }
    if (status) {
        empty(world, &world->draft);
        return status;
    }
    take_draft(body);
    return LOPE_OK;
}
