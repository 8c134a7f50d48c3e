// SPDX-License-Identifier: MIT
// Ways round obstacles. The ground is triangulated when obstacles have changed; a way through it is lines and arcs
// around corners (space/path.h), of which a character needs a place or two at each corner to walk by.
#include "crowd/routes.h"

#include "space/path.h"

#define TURN_AT_ONCE 1.1     // radians: sharper bends have several places
#define ROUNDED_OFF 1e-3f    // metres that may get lost on the way from doubles to floats
#define FURTHEST_OFF 0.35    // metres that places may be further off corners than the path is
#define FREE_PLACE_FAR 10.0f // metres that free places are looked for

bool crowd_routes_inside(const crowd_routes *routes, lope_vec2 place, float radius)
{
    return !routes->bounded || (place.x >= routes->low.x + radius && place.x <= routes->high.x - radius &&
                                place.z >= routes->low.z + radius && place.z <= routes->high.z - radius);
}

// What paths keep off the obstacles: places were checked against circles, and the corners around them leave a little
// less room.
static float narrowed(const crowd_routes *routes, float radius)
{
    float keep = radius + routes->clearance;
    return fmaxf(keep - routes->rounding - ROUNDED_OFF, 0.5f * keep);
}

bool crowd_routes_sees(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to,
                       float radius)
{
    return crowd_obstacles_clear(obstacles, from, to, narrowed(routes, radius) - ROUNDED_OFF);
}

// A body that was pushed nearer to an obstacle than ways keep off it may leave straight away from there.
static bool sees_from(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to,
                      float radius)
{
    float keep = radius + routes->clearance, room = crowd_obstacles_distance(obstacles, from, keep, NULL);
    return crowd_obstacles_clear(obstacles, from, to, room < keep ? fmaxf(room - 1e-3f, 0.0f) : keep);
}

static bool is_free(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 place, float radius)
{
    float keep = radius + routes->clearance;
    return crowd_routes_inside(routes, place, radius) &&
           crowd_obstacles_distance(obstacles, place, keep + 1.0f, NULL) >= keep;
}

// Rings of growing radius: coarse, but sure to find what is near.
static bool search_rings(const crowd_routes *routes, const crowd_obstacles *obstacles, float radius, lope_vec2 *place)
{
    lope_vec2 wanted = *place;
    for (float ring = 0.0f; ring <= FREE_PLACE_FAR; ring += 0.1f) {
        int count = ring > 0.0f ? 16 + (int)(ring * 24.0f) : 1;
        for (int i = 0; i < count; i++) {
            double angle = 2.0 * LOPE_PI * (double)i / (double)count;
            *place = crowd_mad(wanted, (lope_vec2){(float)lope_cos(angle), (float)lope_sin(angle)}, ring);
            if (is_free(routes, obstacles, *place, radius))
                return true;
        }
    }
    return false;
}

bool crowd_routes_free_place(const crowd_routes *routes, const crowd_obstacles *obstacles, float radius,
                             lope_vec2 *place)
{
    lope_vec2 wanted = *place;
    if (routes->bounded) {
        wanted.x = fminf(fmaxf(wanted.x, routes->low.x + radius), routes->high.x - radius);
        wanted.z = fminf(fmaxf(wanted.z, routes->low.z + radius), routes->high.z - radius);
    }
    *place = wanted;
    if (search_rings(routes, obstacles, radius, place))
        return true;
    // Deep inside: begin at the outline.
    *place = wanted;
    return routes->space && lope_space_nearest_free(routes->space, wanted, place, NULL) == LOPE_OK &&
           search_rings(routes, obstacles, radius, place);
}

static void add_place(crowd_route *route, lope_vec2 place, int floor)
{
    if (route->count < CROWD_ROUTE) {
        route->floors[route->count] = floor;
        route->places[route->count++] = place;
    } else {
        route->whole = false;
    }
}

typedef struct route_query {
    const crowd_obstacles *obstacles; // NULL: the level's, in
    const lope_space *space;          // this
    int floor;
    const lope_path_finder *finder; // with the bends
    lope_vec2 from;                 // where the last place was, or the start
    double keep;                    // metres that the path keeps off corners
    crowd_route *route;
} route_query;

static bool query_clears(const route_query *q, lope_vec2 to)
{
    float keep = (float)q->keep - ROUNDED_OFF;
    return q->obstacles ? crowd_obstacles_clear(q->obstacles, q->from, to, keep)
                        : lope_space_sweep_free(q->space, q->from, to, keep, NULL);
}

static double turn_between(lope_point u, lope_point v)
{
    return fabs(lope_atan2(u.x * v.z - u.z * v.x, u.x * v.x + u.z * v.z));
}

// Where the line that leads to the first bend meets the one that leads on from the last: one place instead of all of
// them. False where it is far off the path, or in the way of something else.
static bool meeting_place(const route_query *q, const lope_path_bend *first, const lope_path_bend *last, lope_vec2 *out)
{
    lope_path_line in = lope_path_between(first - 1, first, q->keep), on = lope_path_between(last, last + 1, q->keep);
    lope_point a = in.to, b = on.from, u = in.direction, v = on.direction;
    double sine = u.x * v.z - u.z * v.x;
    if (turn_between(u, v) > TURN_AT_ONCE || fabs(sine) < 1e-6)
        return false;
    double along = ((b.x - a.x) * v.z - (b.z - a.z) * v.x) / sine, nearest = (double)INFINITY;
    lope_point meet = {a.x + along * u.x, a.z + along * u.z};
    for (const lope_path_bend *bend = first; bend <= last; bend++)
        nearest = fmin(nearest, lope_path_distance(meet, bend->center));
    *out = (lope_vec2){(float)meet.x, (float)meet.z};
    return along >= 0.0 && nearest < q->keep + FURTHEST_OFF && query_clears(q, *out);
}

// Corners of an open polygon around the arc of a bend: each of its sides touches it.
static void add_bend(const route_query *q, const lope_path_bend *bend)
{
    lope_point u = lope_path_between(bend - 1, bend, q->keep).direction;
    lope_point v = lope_path_between(bend, bend + 1, q->keep).direction;
    double turn = turn_between(u, v);
    int count = 1 + (int)(turn / TURN_AT_ONCE);
    double part = turn / count, out = q->keep / lope_cos(0.5 * part) * bend->side;
    for (int i = 0; i < count; i++) {
        double angle = ((double)i + 0.5) * part * bend->side, cosine = lope_cos(angle), sine = lope_sin(angle);
        lope_point along = {cosine * u.x - sine * u.z, sine * u.x + cosine * u.z};
        lope_vec2 place = {(float)(bend->center.x + out * along.z), (float)(bend->center.z - out * along.x)};
        add_place(q->route, place, q->floor);
    }
}

// Places to walk by. The fewer, the further ahead a character can aim: what bends the same way little by little, as
// round obstacles do, is taken together.
static void add_bends(route_query *q)
{
    const lope_path_bend *bends = q->finder->bends;
    const int count = q->finder->bend_count;
    for (int i = 1, last; i + 1 < count; i = last + 1) {
        lope_vec2 place, further;
        bool meets = meeting_place(q, bends + i, bends + i, &place);
        for (last = i; meets && last + 2 < count && bends[last + 1].side == bends[i].side &&
                       meeting_place(q, bends + i, bends + last + 1, &further);
             last++)
            place = further;
        if (last > i)
            add_place(q->route, place, q->floor);
        else
            add_bend(q, bends + i);
        if (q->route->count > 0)
            q->from = q->route->places[q->route->count - 1];
    }
}

// The obstacle at the first corner that is on the right of somebody walking there: on the left of the path, whose sides
// are those of a plane with x to the right and z up, seen from below.
static int first_on_right(const crowd_obstacles *obstacles, const lope_path_finder *finder)
{
    for (int i = 1; i + 1 < finder->bend_count; i++) {
        lope_vec2 corner = {(float)finder->bends[i].center.x, (float)finder->bends[i].center.z};
        int which;
        crowd_obstacles_distance(obstacles, corner, 0.1f, &which);
        if (finder->bends[i].side > 0 && which >= 0)
            return which;
    }
    return -1;
}

// The nearest point of the triangulated ground, with room for the body.
static lope_vec2 clamped(const crowd_routes *routes, lope_vec2 place, float keep)
{
    const lope_space *space = &routes->passages->space;
    float low_x = (float)space->low.x + keep, low_z = (float)space->low.z + keep;
    float high_x = (float)space->high.x - keep, high_z = (float)space->high.z - keep;
    return (lope_vec2){fminf(fmaxf(place.x, low_x), high_x), fminf(fmaxf(place.z, low_z), high_z)};
}

void crowd_routes_find(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to,
                       float radius, crowd_route *out)
{
    float keep = radius + routes->clearance;
    out->count = 0;
    out->whole = true;
    out->right_of = -1;
    if (!routes->passages || sees_from(routes, obstacles, from, to, radius)) {
        add_place(out, to, 0);
        return;
    }
    lope_vec2 begin = from;
    if (!is_free(routes, obstacles, from, radius) && !crowd_routes_free_place(routes, obstacles, radius, &begin))
        return;
    lope_vec2 start = clamped(routes, begin, keep), goal = clamped(routes, to, keep);
    float path_keep = narrowed(routes, radius);
    if (!lope_path_bends(routes->finder, routes->passages, start, goal, path_keep))
        return;
    if (crowd_distance(start, from) > 1e-3f)
        add_place(out, start, 0);
    out->right_of = first_on_right(obstacles, routes->finder);
    add_bends(&(route_query){
        .obstacles = obstacles, .finder = routes->finder, .from = start, .keep = (double)path_keep, .route = out});
    if (crowd_distance(goal, to) > 1e-3f)
        add_place(out, goal, 0);
    add_place(out, to, 0);
}

bool crowd_routes_add(lope_path_finder *finder, const crowd_stretch *s, crowd_route *out)
{
    if (!lope_space_sweep_free(s->space, s->from, s->to, s->keep - ROUNDED_OFF, NULL)) {
        if (!lope_path_bends(finder, s->passages, s->from, s->to, s->keep))
            return false;
        add_bends(&(route_query){.space = s->space,
                                 .floor = s->floor,
                                 .finder = finder,
                                 .from = s->from,
                                 .keep = (double)s->keep,
                                 .route = out});
    }
    add_place(out, s->to, s->floor);
    return true;
}
