// SPDX-License-Identifier: MIT
// Stairs on the way. Paths keep off corners and may cross treads at any angle; feet find them better straight on. So
// the line of a way is led to before the first tread, straight over the stairs, and on from beyond the last one.
#include "world/world.h"

#define RUN_UP 1.2f // metres straight on before the first tread, at most,
#define RUN_ON 0.6f // and after the last one
#define RUN_UP_STEP 0.2f
#define BESIDE 0.45f  // metres beside stairs where one goes around their corner
#define NEARBY 1.5f   // metres from their ends within which the line may come onto stairs and leave them
#define ASIDE 2.0f    // metres that a way may be off a link which it goes over
#define RIGHT 0.35f   // metres to the right of the middle that stairs are gone, where they are wide enough
#define BENT 0.3f     // metres off the straight line by which stairs count as winding
#define SHORTEST 0.9f // metres: shorter ones are kerbs
#define BEND_IN 2.5f  // metres before and after the stairs in which the line is led there
#define BEND_OUT 2.0f
#define STOREY 1.0f // metres of height by which the line is on other stairs
enum { MOST = 8 };  // stairs of one line

// Stairs that the line leads over.
typedef struct met {
    const lope_link *link;
    lope_vec3 from, to; // where it begins and ends to go straight
    int in, out;        // looks at which the line is on them first and last
    bool ends;          // on them
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

// Ends of the straight way over stairs, to the right of their middle: others may come the other way.
static void keep_right(const world_body *body, met *m, lope_vec2 way)
{
    const lope_floors *floors = body->world->floors;
    float half = 0.5f * world_distance(m->link->left, m->link->right) - body->who.radius;
    float side = fminf(fmaxf(half, 0.0f), RIGHT);
    lope_vec3 move = lope_v3(-way.z * side, 0.0f, way.x * side);
    lope_vec3 *ends[2] = {&m->from, &m->to};
    m->from = lope_v3_add(m->link->from, move);
    m->to = lope_v3_add(m->link->to, move);
    for (int i = 0; i < 2; i++) { // with a run-up, and a step on after it, as far as there is room
        lope_vec3 edge = *ends[i];
        for (float by = RUN_UP_STEP; by <= (i ? RUN_ON : RUN_UP); by += RUN_UP_STEP) {
            lope_floor_spot spot;
            float turn = i ? by : -by;
            lope_vec3 at = lope_v3_add(edge, lope_v3(turn * way.x, 0.0f, turn * way.z));
            if (!lope_floors_ground(floors, at, 0.2f, &spot) ||
                lope_floors_clearance(floors, &spot, 1.0f) < body->who.radius)
                break;
            *ends[i] = spot.at;
        }
    }
}

// How far along stairs a place is that is on them, and how far to the side; false: it is not.
static bool is_on(const lope_link *link, lope_vec3 at, float *along, float *side)
{
    float length = world_distance(link->from, link->to), half = 0.5f * world_distance(link->left, link->right);
    lope_vec2 way = {(link->to.x - link->from.x) / length, (link->to.z - link->from.z) / length};
    float x = at.x - link->from.x, z = at.z - link->from.z;
    *along = x * way.x + z * way.z;
    *side = way.x * z - way.z * x;
    float height = link->from.y + link->rise * fminf(fmaxf(*along / length, 0.0f), 1.0f);
    return fabsf(*side) <= half + 0.05f && *along >= 0.0f && *along <= length && fabsf(at.y - height) < STOREY;
}

// Whether the line leads over stairs in their direction: onto them near their beginning, maybe from the side, and off
// near their end, or it ends there.
static bool meets(const world_body *body, met *m)
{
    const world_look *l = body->world->marks.items;
    int count = body->world->marks.count;
    float length = world_distance(m->link->from, m->link->to), nearby = fminf(NEARBY, 0.5f * length);
    float along, side, first = 0.0f, last = 0.0f;
    m->in = m->out = -1;
    for (int i = 0; i < count; i++) {
        bool on = is_on(m->link, l[i].at, &along, &side);
        if (!on && m->in >= 0 && last - first > 0.4f * length)
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
    if (m->in < 0 || first > nearby || last < first)
        return false;
    m->ends = m->out == count - 1 && last < length - 0.1f;
    if (!m->ends && last < length - nearby)
        return false;
    keep_right(body, m,
               (lope_vec2){(m->link->to.x - m->link->from.x) / length, (m->link->to.z - m->link->from.z) / length});
    return !m->ends || last > 0.4f;
}

static int find_met(const world_body *body, met out[MOST])
{
    int links_count, count = 0;
    const lope_link *links = lope_floors_links(body->world->floors, &links_count);
    for (int i = 0; i < body->world->stairs.count && count < MOST; i++) {
        met m = {.link = &links[((int *)body->world->stairs.items)[i]]};
        if (!meets(body, &m))
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

// The line up to and over one flight; returns the look from which the old line goes on.
static int lead_over(world_body *body, const met *m, int from, int limit)
{
    lope_world *world = body->world;
    const world_look *l = world->marks.items;
    int in = m->in, out = m->out, last = world->marks.count - 1;
    while (in > from && world_distance(l[in].at, m->from) < BEND_IN)
        in--;
    bool fine = copy_corners(world, from, in) && go_around(body, m, l[in].at, m->from);
    lope_vec3 before = ((world_line_point *)world->line.items)[world->line.count - 1].at;
    fine = fine && world_line_walk(body, m->link->from_floor, before, m->from, NULL) &&
           world_line_add(world, m->from, true);
    if (m->ends)
        return fine && world_line_add(world, l[last].at, false) ? last : -1;
    while (out < limit && world_distance(l[out].at, m->to) < BEND_OUT)
        out++;
    fine = fine && world_line_add(world, m->to, false) && go_around(body, m, l[out].at, m->to);
    before = ((world_line_point *)world->line.items)[world->line.count - 1].at;
    fine = fine && world_line_walk(body, m->link->to_floor, before, l[out].at, NULL);
    return fine ? out : -1;
}

bool world_stairs_straighten(world_body *body)
{
    lope_world *world = body->world;
    met all[MOST];
    int count = find_met(body, all), from = 0, last = world->marks.count - 1;
    if (count == 0)
        return false;
    list old = world->line; // to come back to
    world->line = world->straight;
    world->line.count = 0;
    for (int i = 0; i < count && from >= 0; i++)
        if (all[i].in >= from)
            from = lead_over(body, &all[i], from, i + 1 < count ? all[i + 1].in - 1 : last);
    bool fine = from >= 0 && (from == last || copy_corners(world, from, last));
    world->straight = fine ? old : world->line;
    if (!fine)
        world->line = old;
    return fine;
}
