// SPDX-License-Identifier: MIT
// Ways over stairs, slopes and rubble. Stairs are crossed at right angles to their edges; slopes and rubble straight,
// but away from borders.
#include "lope/link_way.h"

#include <assert.h>
#include <math.h>

static const float EVEN = 0.06f;  // metres of height within which ground before and behind a link counts as level
static const float PACE = 0.1f;   // metres between places that are looked at before and behind
static const float APART = 0.4f;  // metres between points on slopes and rubble, at least
static const float WIDEST = 3.0f; // metres: no radius beyond it is asked for

lope_link_way_def lope_link_way_def_default(void)
{
    return (lope_link_way_def){.radius = 0.35f, .before = 1.2f, .after = 1.2f};
}

// Ground at x and z of a place, and how far it is to the nearest border; negative where there is none.
static float room_at(const lope_floors *floors, lope_vec3 *at, float reach, float limit)
{
    lope_floor_spot spot;
    if (!lope_floors_ground(floors, *at, reach, &spot))
        return -1.0f;
    *at = spot.at;
    return lope_floors_clearance(floors, &spot, limit);
}

// How far one can go straight on from a place over level ground, at most `most` metres.
static lope_vec3 go_on(const lope_floors *floors, const lope_link_way_def *def, lope_vec3 from, lope_vec3 along,
                       float most)
{
    lope_vec3 best = from;
    float least = fminf(def->radius, fmaxf(room_at(floors, &best, 0.2f, def->radius), 0.0f));
    best = from;
    for (float far = PACE; far <= most + 1e-3f; far += PACE) {
        lope_vec3 at = lope_v3_mad(from, along, far);
        float room = room_at(floors, &at, EVEN, def->radius);
        if (room < least)
            break;
        least = fmaxf(least, fminf(room, def->radius)); // once there is room, it stays there
        best = at;
    }
    return best;
}

static lope_vec3 across(lope_vec3 from, lope_vec3 to)
{
    lope_vec3 way = lope_v3_sub(to, from);
    way.y = 0.0f;
    return lope_v3_normalize(way, lope_v3(0.0f, 0.0f, 0.0f));
}

static void add(lope_link_way *out, lope_vec3 point)
{
    out->points[out->count < LOPE_LINK_WAY_MOST ? out->count++ : LOPE_LINK_WAY_MOST - 1] = point;
}

// Where an edge is crossed: its middle or, as far as there is room, beside it.
static lope_vec3 over_edge(const lope_link_way_def *def, lope_vec3 left, lope_vec3 right)
{
    float half = 0.5f * lope_v3_distance(left, right), most = fmaxf(0.0f, half - def->radius);
    float aside = fmaxf(-most, fminf(def->aside, most));
    return lope_v3_mad(lope_v3_lerp(left, right, 0.5f), across(left, right), aside);
}

static lope_vec3 ahead_of(lope_vec3 left, lope_vec3 right)
{
    lope_vec3 right_hand = across(left, right);
    return lope_v3(right_hand.z, 0.0f, -right_hand.x);
}

static void over_stairs(const lope_floors *floors, const lope_link *link, const lope_link_way_def *def,
                        lope_link_way *out)
{
    int count;
    const lope_link_step *steps = lope_floors_steps(floors, &count) + link->first, *last = &steps[link->count - 1];
    lope_vec3 first = over_edge(def, steps->left, steps->right), ahead = ahead_of(steps->left, steps->right);
    first.y = link->from.y;
    lope_vec3 foot = lope_v3_mad(first, ahead, -0.2f);
    add(out, go_on(floors, def, foot, lope_v3_scale(ahead, -1.0f), def->before));
    out->first = out->count;
    // Every so many treads, so that there is room for long flights.
    int stride = 1 + link->count / (LOPE_LINK_WAY_MOST - 4);
    for (int i = 0; i < link->count; i += stride)
        add(out, over_edge(def, steps[i].left, steps[i].right));
    lope_vec3 end = over_edge(def, last->left, last->right);
    end.y = link->to.y;
    if ((link->count - 1) % stride)
        add(out, end);
    out->last = out->count - 1;
    ahead = ahead_of(last->left, last->right);
    add(out, go_on(floors, def, lope_v3_mad(end, ahead, 0.2f), ahead, def->after));
}

// Moves a place aside, away from borders, as little as is needed.
static lope_vec3 with_room(const lope_floors *floors, const lope_link_way_def *def, lope_vec3 place, lope_vec3 right)
{
    const float farthest = 1.0f;
    lope_vec3 best = place;
    float most = -1.0f;
    for (float off = 0.0f; off <= farthest && most < def->radius; off += PACE)
        for (int side = -1; side <= 1; side += 2) {
            lope_vec3 at = lope_v3_mad(place, right, (float)side * off);
            float room = room_at(floors, &at, 0.5f, def->radius);
            if (room > most + 0.02f)
                most = room, best = at;
        }
    return best;
}

// By a path of the floor, as wide as there is one.
static bool go_around(const lope_floors *floors, const lope_link *link, const lope_link_way_def *def, lope_vec3 to,
                      lope_link_way *out)
{
    lope_vec3 from = out->points[out->count - 1];
    lope_vec2 start = {from.x, from.z}, goal = {to.x, to.z};
    lope_error error;
    lope_path path = {0};
    bool found = false;
    for (float radius = def->radius; def->finder && radius > 0.15f && !found; radius -= 0.05f)
        found = lope_path_find(def->finder, lope_floors_passages(floors, link->from_floor), start, goal, radius, &path,
                               &error) == LOPE_OK;
    int stride = 1 + path.point_count / (LOPE_LINK_WAY_MOST - 4);
    for (int i = stride; found && i + 1 < path.point_count; i += stride) {
        lope_vec3 at = lope_v3(path.points[i].x, out->points[out->count - 1].y, path.points[i].z);
        room_at(floors, &at, 0.5f, def->radius);
        add(out, at);
    }
    return found;
}

static void over_ground(const lope_floors *floors, const lope_link *link, const lope_link_way_def *def,
                        lope_link_way *out)
{
    lope_vec3 ahead = across(link->from, link->to), right = lope_v3(-ahead.z, 0.0f, ahead.x);
    float length = hypotf(link->to.x - link->from.x, link->to.z - link->from.z);
    float most = fmaxf(0.0f, 0.5f * link->room - def->radius), aside = fmaxf(-most, fminf(def->aside, most));
    lope_vec3 from = lope_v3_mad(link->from, right, aside), to = lope_v3_mad(link->to, right, aside);
    int pieces = (int)fminf(fmaxf(1.0f, length / APART), (float)(LOPE_LINK_WAY_MOST - 4));
    from = with_room(floors, def, from, right);
    to = with_room(floors, def, to, right);
    add(out, go_on(floors, def, from, lope_v3_scale(ahead, -1.0f), def->before));
    out->first = out->count;
    add(out, from);
    bool around = link->from_floor == link->to_floor && go_around(floors, link, def, to, out);
    for (int i = 1; i < pieces && !around; i++) {
        lope_vec3 at = lope_v3_lerp(from, to, (float)i / (float)pieces);
        at.y = out->points[out->count - 1].y; // the ground that goes on from there
        add(out, with_room(floors, def, at, right));
    }
    add(out, to);
    out->last = out->count - 1;
    add(out, go_on(floors, def, to, ahead, def->after));
}

bool lope_link_way_find(const lope_floors *floors, int link, const lope_link_way_def *def, lope_link_way *out)
{
    int count;
    const lope_link *links = lope_floors_links(floors, &count);
    assert(link >= 0 && link < count && def && out);
    lope_link_kind kind = links[link].kind;
    lope_link_way_def bounded = *def;
    bounded.radius = fminf(fmaxf(0.0f, def->radius), WIDEST);
    out->count = out->first = out->last = 0;
    if (kind == LOPE_LINK_STAIRS && links[link].count > 0)
        over_stairs(floors, &links[link], &bounded, out);
    else if (kind == LOPE_LINK_SLOPE || kind == LOPE_LINK_RUBBLE)
        over_ground(floors, &links[link], &bounded, out);
    return out->count > 0;
}
