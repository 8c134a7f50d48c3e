// SPDX-License-Identifier: MIT
// Stairs, slopes and rubble on the way. Those that are links of the route are gone along their link ways
// (lope/link_way.h). Paths on floors may lead over stairs, too, at any angle; feet find treads better straight on, so
// such a line is led to before the first tread, along the link way, and on from beyond the last one. A line that comes
// onto stairs or leaves them over their side, too high to step there, is led around their lower end.
#include "world/world.h"

#define BESIDE 0.45f  // metres beside stairs where one goes around their corner
#define NEARBY 1.5f   // metres from their ends within which the line may come onto stairs and leave them
#define ASIDE 2.0f    // metres that a way may be off a link which it goes over
#define RIGHT 0.35f   // metres to the right of the middle that links are gone, where they are wide enough
#define BENT 0.3f     // metres off the straight line by which stairs count as winding
#define SHORTEST 0.9f // metres: shorter ones are kerbs
#define BEND_IN 2.5f  // metres before and after the stairs in which the line is led there
#define BEND_OUT 2.0f
#define ASTERN 2.0f     // radians off the way that are too far to turn on treads
#define LANDING 3.0f    // metres of line from one flight to the next one that it is led to directly
#define AROUND 1.0f     // metres before and after the side of stairs in which a line is led around them
#define STOREY 1.0f     // metres of height by which the line is on other stairs
#define HIGH_SIDE 0.25f // metres of height on stairs that are not stepped onto or off over their side
enum { MOST = 8 };      // stairs of one line

// Stairs that the line leads over.
typedef struct met {
    const lope_link *link;
    int number;
    lope_link_way way;
    lope_vec3 from, to; // its ends
    int in, out;        // looks at which the line is on them first and last
    bool begins, ends;  // on them
    bool clipped;       // the line only comes over their side
} met;

static bool is_straight(const lope_world *world, const lope_link *link)
{
    int count;
    const lope_link_step *steps = lope_floors_steps(world->floors, &count);
    float x = link->to.x - link->from.x, z = link->to.z - link->from.z, length = sqrtf(x * x + z * z);
    if (length < SHORTEST)
        return false;
    for (int i = link->first; i < link->first + link->count; i++) {
        lope_vec3 middle = lope_v3_lerp(steps[i].left, steps[i].right, 0.5f);
        float off = ((middle.x - link->from.x) * z - (middle.z - link->from.z) * x) / length;
        if (fabsf(off) > BENT)
            return false;
    }
    return true;
}

bool world_stairs_list(lope_world *world)
{
    int count;
    const lope_link *links = lope_floors_links(world->floors, &count);
    world->stairs.count = world->uneven.count = 0;
    for (int i = 0; i < count; i++) {
        bool stairs = links[i].kind == LOPE_LINK_STAIRS && is_straight(world, &links[i]);
        bool uneven = links[i].kind >= LOPE_LINK_STAIRS && links[i].kind <= LOPE_LINK_RUBBLE;
        if ((stairs && !list_add(&world->stairs, &i, sizeof i)) || (uneven && !list_add(&world->uneven, &i, sizeof i)))
            return false;
    }
    return true;
}

int world_uneven_kind(const lope_world *world, lope_vec3 middle, lope_vec2 way)
{
    int links_count, kind = -1;
    const lope_link *links = lope_floors_links(world->floors, &links_count);
    float best = ASIDE;
    for (int i = 0; i < world->uneven.count; i++) {
        const lope_link *l = &links[((int *)world->uneven.items)[i]];
        lope_vec3 along = lope_v3_sub(l->to, l->from), from = lope_v3_sub(middle, l->from);
        float length = lope_v3_dot(along, along), share = length > 0.0f ? lope_v3_dot(from, along) / length : 0.0f;
        share = fminf(fmaxf(share, 0.0f), 1.0f);
        float off = lope_v3_distance(middle, lope_v3_lerp(l->from, l->to, share));
        if (off < best && way.x * along.x + way.z * along.z > 0.0f) {
            best = off;
            kind = (int)l->kind;
        }
    }
    return kind;
}

bool world_link_way(const world_body *body, int link, lope_link_way *out)
{
    lope_link_way_def def = lope_link_way_def_default();
    def.aside = RIGHT;
    def.finder = body->world->finder;
    return lope_link_way_find(body->world->floors, link, &def, out);
}

// Adds the points of a way from one of them on.
static bool add_way(lope_world *world, const lope_link_way *way, int from)
{
    bool fine = true;
    for (int i = from; i < way->count && fine; i++)
        fine = world_line_add(world, way->points[i], i >= way->first && i < way->last);
    return fine;
}

bool world_line_over(lope_world *world, const lope_link_way *way)
{
    return add_way(world, way, 0);
}

// Stairs seen from above.
typedef struct flight {
    const lope_link *link;
    lope_vec2 way; // of length 1
    float length, half;
} flight;

static flight flight_of(const lope_link *link)
{
    float length = world_distance(link->from, link->to);
    lope_vec2 way = {(link->to.x - link->from.x) / length, (link->to.z - link->from.z) / length};
    return (flight){link, way, length, 0.5f * world_distance(link->left, link->right)};
}

// Whether a place is on stairs, and how far along them.
static bool is_on(const flight *f, lope_vec3 at, float *along)
{
    const lope_link *link = f->link;
    float x = at.x - link->from.x, z = at.z - link->from.z, side = f->way.x * z - f->way.z * x;
    *along = x * f->way.x + z * f->way.z;
    if (fabsf(side) > f->half + 0.05f || *along < 0.0f || *along > f->length)
        return false;
    float height = link->from.y + link->rise * fminf(fmaxf(*along / f->length, 0.0f), 1.0f);
    return fabsf(at.y - height) < STOREY;
}

// Whether the line leads over stairs in their direction: onto them near their beginning, maybe from the side, and off
// near their end, or it ends there.
static bool meets(const world_body *body, met *m)
{
    const world_look *l = body->world->marks.items;
    int count = body->world->marks.count;
    const flight f = flight_of(m->link);
    float length = f.length, nearby = fminf(NEARBY, 0.5f * length), along, first = 0.0f, last = 0.0f;
    m->in = m->out = -1;
    for (int i = 0; i < count; i++) {
        bool on = is_on(&f, l[i].at, &along);
        if (!on && m->in >= 0 && last - first > (m->in ? 0.4f * length : 0.4f))
            break;
        if (!on)
            m->in = -1;
        if (on && m->in < 0) {
            m->in = i;
            first = along;
        }
        if (on) {
            m->out = i;
            last = along;
        }
    }
    m->begins = m->in == 0;
    m->ends = m->out == count - 1 && last < length - 0.1f;
    if (m->in < 0 || last < first + 0.4f || (!m->begins && first > nearby) || (!m->ends && last < length - nearby))
        return false;
    if (l[(m->in + m->out) / 2].rough || !world_link_way(body, m->number, &m->way))
        return false; // it is a link of the route
    m->from = m->way.points[0];
    m->to = m->way.points[m->way.count - 1];
    return true;
}

// Whether the line comes over the side of stairs that lead up, so high that no foot steps there.
static bool is_clipped(const world_body *body, met *m)
{
    const world_look *l = body->world->marks.items;
    const int last = body->world->marks.count - 1;
    const flight f = flight_of(m->link);
    float along, high = 0.0f;
    if (m->link->rise < 0.0f)
        return false;
    m->in = -1;
    for (int i = 0; i <= last; i++) {
        const bool on = is_on(&f, l[i].at, &along);
        if (on && l[i].rough)
            return false; // a link of the route
        if (!on && m->in >= 0 && high > HIGH_SIDE)
            break;
        m->in = !on ? -1 : m->in < 0 ? i : m->in;
        high = !on ? 0.0f : fmaxf(high, l[i].at.y - m->link->from.y);
        m->out = on ? i : m->out;
    }
    m->clipped = m->in > 0 && m->out < last && high > HIGH_SIDE;
    return m->clipped;
}

static int find_met(const world_body *body, met out[MOST])
{
    int links_count, count = 0;
    const lope_link *links = lope_floors_links(body->world->floors, &links_count);
    for (int i = 0; i < body->world->stairs.count && count < MOST; i++) {
        met m = {.number = ((int *)body->world->stairs.items)[i]};
        m.link = &links[m.number];
        if (!meets(body, &m) && !is_clipped(body, &m))
            continue;
        int k = count++;
        for (; k > 0 && out[k - 1].in > m.in; k--)
            out[k] = out[k - 1];
        out[k] = m;
    }
    return count;
}

// Corners of the old line between two looks, the first one as well.
static bool copy_corners(lope_world *world, int from, int to)
{
    const world_look *l = world->marks.items;
    bool fine = true;
    for (int i = from; i <= to && fine; i++)
        if (i == from || i == to || l[i].corner)
            fine = world_line_add(world, l[i].at, l[i].rough);
    return fine;
}

// Metres along stairs and to the side of them.
static lope_vec2 seen_from(const lope_link *link, lope_vec3 at)
{
    float length = world_distance(link->from, link->to);
    lope_vec2 way = {(link->to.x - link->from.x) / length, (link->to.z - link->from.z) / length};
    float x = at.x - link->from.x, z = at.z - link->from.z;
    return (lope_vec2){x * way.x + z * way.z, way.x * z - way.z * x};
}

// Whether a straight walk from one place to another would tread on the stairs.
static bool treads_on(const lope_link *link, float radius, lope_vec3 from, lope_vec3 to)
{
    float length = world_distance(link->from, link->to), half = 0.5f * world_distance(link->left, link->right) + radius;
    lope_vec2 a = seen_from(link, from), b = seen_from(link, to);
    for (int i = 0; i <= 20; i++) {
        float t = (float)i / 20.0f, along = a.x + t * (b.x - a.x), side = a.z + t * (b.z - a.z);
        if (along > 0.0f && along < length && fabsf(side) < half)
            return true;
    }
    return false;
}

// Between a place beside or behind stairs and the end of them: treads are low there, and paths lead over their corner.
// Adds a place beside that end to the line, where there is room.
static bool go_around(world_body *body, const met *m, lope_vec3 far, lope_vec3 end)
{
    const lope_link *link = m->link;
    lope_floor_spot spot;
    if (!treads_on(link, body->who.radius, far, end))
        return true;
    float length = world_distance(link->from, link->to), half = 0.5f * world_distance(link->left, link->right);
    float side = seen_from(link, far).z >= 0.0f ? half + BESIDE : -half - BESIDE;
    float move = (side - seen_from(link, end).z) / length;
    lope_vec3 way = lope_v3_sub(link->to, link->from),
              at = lope_v3_add(end, lope_v3(-way.z * move, 0.0f, way.x * move));
    if (!lope_floors_ground(body->world->floors, at, 0.3f, &spot) || spot.floor < 0 ||
        lope_floors_clearance(body->world->floors, &spot, 1.0f) < body->who.radius)
        return true;
    return end.x == m->from.x && end.z == m->from.z
               ? world_line_walk(body, link->from_floor, far, spot.at, NULL)
               : world_line_add(body->world, end, false) && world_line_add(body->world, spot.at, false);
}

static lope_vec3 line_end(const lope_world *world)
{
    return ((const world_line_point *)world->line.items)[world->line.count - 1].at;
}

// The line from a place on a flight on. There is no room on treads to turn round: a gait that faces the other way goes
// on to the landing first. A climb that leads onto the flight ends as the way asks for.
static bool begin_on(world_body *body, const met *m)
{
    lope_world *world = body->world;
    lope_vec3 at = ((const world_look *)world->marks.items)[0].at;
    int first = 0;
    while (first < m->way.last && seen_from(m->link, m->way.points[first]).x < seen_from(m->link, at).x + 0.2f)
        first++;
    bool fine = world_line_add(world, at, true);
    float turn = lope_wrap_angle(world_yaw(m->link->from, m->link->to) - world_ground(body).yaw);
    if (body->carrier == WORLD_GAIT && world->draft.stretches.count == 0 && fabsf(turn) > ASTERN) {
        for (int i = first - 2; i >= 0 && fine; i--)
            fine = world_line_add(world, m->way.points[i], true);
        first = 1;
    }
    return fine && add_way(world, &m->way, first);
}

// The line up to one flight: from where it begins on it, from the flight before it, or from the old line, of which all
// up to look `from` is done.
static bool lead_to(world_body *body, const met *m, int from)
{
    lope_world *world = body->world;
    const world_look *l = world->marks.items;
    int in = m->in;
    if (m->begins)
        return begin_on(body, m);
    bool joined = world->line.count > 0 && l[in].along - l[from].along < LANDING;
    while (in > from && !joined && !l[in - 1].rough && world_distance(l[in].at, m->from) < BEND_IN)
        in--;
    return (joined || (copy_corners(world, from, in) && go_around(body, m, l[in].at, m->from))) &&
           world_line_walk(body, m->link->from_floor, line_end(world), m->from, NULL) && add_way(world, &m->way, 0);
}

// From where it ends on a flight or beyond, back to the old line; returns the look from which that goes on, -1: no
// memory.
static int lead_from(world_body *body, const met *m)
{
    lope_world *world = body->world;
    const world_look *l = world->marks.items;
    int out = m->out, last = world->marks.count - 1;
    if (m->ends) {
        float along = seen_from(m->link, l[last].at).x;
        while (world->line.count > 1 && seen_from(m->link, line_end(world)).x > along - 0.1f)
            world->line.count--;
        return world_line_add(world, l[last].at, false) ? last : -1;
    }
    while (out < last && !l[out + 1].rough && world_distance(l[out].at, m->to) < BEND_OUT)
        out++;
    bool fine = go_around(body, m, l[out].at, m->to) &&
                world_line_walk(body, m->link->to_floor, line_end(world), l[out].at, NULL);
    return fine ? out : -1;
}

// A place beside the lower end of stairs, on one side of them. False: there is no room.
static bool lower_corner(const world_body *body, const lope_link *link, float side, lope_vec3 *out)
{
    const flight f = flight_of(link);
    const float along = -BESIDE, aside = side >= 0.0f ? f.half + BESIDE : -f.half - BESIDE;
    const lope_vec3 at = {link->from.x + along * f.way.x - aside * f.way.z, link->from.y,
                          link->from.z + along * f.way.z + aside * f.way.x};
    lope_floor_spot spot;
    if (!lope_floors_ground(body->world->floors, at, 0.3f, &spot) || spot.floor < 0 ||
        lope_floors_clearance(body->world->floors, &spot, 1.0f) < body->who.radius)
        return false;
    *out = spot.at;
    return true;
}

// The line around the lower end of stairs that it would come over the side of; returns the look from which the old line
// goes on. Where there is no room it stays as it is.
static int lead_around(world_body *body, const met *m, int from)
{
    lope_world *world = body->world;
    const world_look *l = world->marks.items;
    const lope_link *link = m->link;
    int in = m->in, out = m->out, last = world->marks.count - 1, corners = 0;
    while (in > from && !l[in - 1].rough && l[m->in].along - l[in].along < AROUND)
        in--;
    while (out < last && !l[out + 1].rough && l[out].along - l[m->out].along < AROUND)
        out++;
    const lope_vec2 a = seen_from(link, l[in].at), b = seen_from(link, l[out].at);
    lope_vec3 at[2];
    bool room = a.x < 0.0f || lower_corner(body, link, a.z, &at[corners++]);
    if (b.x >= 0.0f && (a.x < 0.0f || a.z * b.z < 0.0f))
        room = room && lower_corner(body, link, b.z, &at[corners++]);
    if (!room || corners == 0)
        return copy_corners(world, from, out) ? out : -1;
    bool fine = copy_corners(world, from, in);
    for (int i = 0; i <= corners && fine; i++)
        fine = world_line_walk(body, link->from_floor, line_end(world), i < corners ? at[i] : l[out].at, NULL);
    return fine ? out : -1;
}

bool world_stairs_straighten(world_body *body)
{
    lope_world *world = body->world;
    const world_look *l = world->marks.items;
    met all[MOST];
    int count = find_met(body, all), from = 0, last = world->marks.count - 1;
    if (count == 0)
        return false;
    list old = world->line; // to come back to
    world->line = world->straight;
    world->line.count = 0;
    for (int i = 0; i < count && from >= 0; i++) {
        if (all[i].in < from)
            continue;
        bool joins = i + 1 < count && !all[i + 1].clipped && l[all[i + 1].in].along - l[all[i].out].along < LANDING;
        if (all[i].clipped)
            from = lead_around(body, &all[i], from);
        else if (!lead_to(body, &all[i], from))
            from = -1;
        else
            from = joins ? all[i].out : lead_from(body, &all[i]);
    }
    bool fine = from >= 0 && (from == last || copy_corners(world, from, last));
    world->straight = fine ? old : world->line;
    if (!fine)
        world->line = old;
    return fine;
}
