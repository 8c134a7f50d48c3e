// SPDX-License-Identifier: MIT
// What carries a character along its way, stretch by stretch. Deciding (what is wanted next, where to aim) is done one
// character after the other; carrying (advancing, and handing over as soon as it fits) in parallel, each on its own.
#include <string.h>

#include "base/error.h"
#include "base/fetch.h"
#include "crowd/crowd.h"
#include "rings/gait.h"
#include "world/world.h"

#define FETCHED 2048      // bytes of a hand-over that are needed first
#define WINDOW 0.5f       // metres before the end of a stretch in which the next controller may take over
#define NEAR_LINK 0.7f    // the same before links
#define NEAR_FOR 1.5f     // seconds near a link after which it is told to come exactly to where the link begins
#define STEPS_FROM 2.0f   // metres before a link from which on a gait comes to where it begins,
#define STEPS_OFF 2.0f    // unless it has to turn there by so many radians,
#define STEPS_LEAST 0.7f  // or is nearer already
#define LINK_LEVEL 0.3f   // metres of height within which the ground before it counts as level
#define STAIRS_FROM 1.5f  // metres before a link on treads in which it may begin
#define STEPS_NEAR 0.35f  // metres and radians that it may be off there
#define STEPS_STOOD 0.1f  // seconds for which it has stood then
#define STEPS_LOST 1.2f   // seconds of standing elsewhere,
#define STEPS_FOR 6.0f    // or of walking, after which it tries again,
#define STEPS_LAST 9.0f   // or so many seconds where it is
#define STEPS_NEARLY 0.7f // nearly there, in metres and radians; half of both times at the second try
#define STEPS_TRIES 2     // times that it tries; then a walker does the rest
#define FROM_LINK 0.5f    // metres from where a link begins; a character that is farther off and turns on the spot
#define BEFORE_LINK 1.0f  // faces a place so many metres before it
#define LAST_WAY 0.5f     // metres of way before a link that say where it leads
#define ROUND 1.0f        // radians off it from which on somebody turns when it is there,
#define ROUND_NEAR 0.12f  // within so many metres,
#define ROUND_STOOD 0.3f  // or so many where it has come to a stand
#define ROUND_ROOM 0.35f  // metres beside a straight way there,
#define ROUND_END 0.4f    // up to so many before its end
#define ROUND_LEAST 0.15f // and beside that of a gait which is on its way there already
#define THERE 0.2f        // metres from where a link begins from which on it turns to face it
#define ASTERN 1.0f       // radians off the way there that are turned in the end
#define AT_ONCE 0.8f      // seconds after which a controller takes over that should at once, however it fits
#define LEAVES 0.35f      // the same after links
#define STANDS_FOR 0.25f  // seconds of standing before a link after which it begins although it fits less well,
#define STANDS_FITS 0.75f // in metres: facing the link; in turning to sit down
#define TURNS_FITS 0.2f   // it begins with this,
#define ANYHOW 3.5f       // or however it fits after so many seconds near it
#define HOLD_SECONDS 0.2f // in which hands of bodies with another skeleton come to what is held
#define STILL_SPEED 0.08f // metres per second of hips that stand,
#define STILL_TURN 0.3f   // and radians per second
#define QUEUE_FIRST 1.0f  // metres before a link where the first waits,
#define QUEUE_NEXT 0.8f   // and from one that waits to the next
#define SAME_ON 0.1f      // metres before the end of a stretch from which on the next one counts that the same carries
#define PASSES 1.0f       // metres beyond the end of a stretch that a walker aims at where it does not stop
#define SEES 1.5f         // metres within which a gait keeps away from others,
#define PATIENCE 3.0f     // for so many seconds
#define TURN_FIRST 0.9f   // radians off the way from which on a walker turns on the spot before a gait begins,
#define TURN_STUCK 0.6f   // or from which on one does so for a gait that gets nowhere,
#define TURNED 0.35f      // until it is off by so many,
#define TURN_FOR 4.0f     // for so many seconds at most,
#define TURN_WITHIN 0.4f  // and metres
#define STEPS_ON 1.2f     // seconds for which no gait fitted after which a walker steps on along its way,
#define STEPPED_ON 2.7f   // until then
#define TURN_AHEAD 0.5f   // metres of way ahead that say where to
#define SETS_OFF 3.0f     // seconds after a link in which a walker goes straight to
#define OFF_TO 2.5f       // metres along its way,
#define OFF 0.6f          // until it has come so far,
#define OFF_ROOM 0.2f     // where walls are no nearer, or no nearer than where it stands,
#define OFF_LEAST 0.1f    // nor than this,
#define OFF_NEAR 1.5f     // and nobody before it is so near,
#define OFF_SAME 0.3f     // but for others at the same place
#define SETTLES 0.25f     // seconds after a hand-over in which no other one follows, but to links
#define LEAPS 2.0f // metres per second by which a knee leaps in a frame in which nothing takes over if it can wait
#define LEVEL 0.1f // metres of height from the end of a stretch within which a walker may take over there

enum { OFF_OTHERS = 4 }; // others that are looked at

// ---- where it is

lope_ground world_ground(const world_body *body)
{
    return body->outfit ? lope_handover_shown(body->outfit->handover)->ground : lope_walker_ground(body->walker);
}

lope_vec3 world_place(const world_body *body)
{
    return lope_v3(body->place.x, body->height, body->place.z);
}

// ---- outfits

static world_outfit *outfit_create(lope_world *world)
{
    const lope_moves *moves = world->def.moves;
    const lope_handover_def def = lope_handover_def_default(moves->skeleton);
    lope_gait_def gait = lope_gait_def_default();
    world_outfit *outfit = lope_alloc_zero(sizeof *outfit);
    void *memory = outfit ? lope_alloc(lope_handover_size(moves->skeleton)) : NULL;
    bool fine = memory && !lope_handover_init(memory, &def, &outfit->handover, NULL);
    if (fine && moves->rings)
        fine = !lope_gait_create(moves->rings, NULL, &gait, &outfit->gait.gait, NULL);
    if (fine && moves->blocks)
        fine = (outfit->use_memory = lope_alloc(lope_use_size(moves->blocks)));
    if (fine && list_add(&world->outfits, &outfit, sizeof(world_outfit *)))
        return outfit;
    if (outfit) {
        lope_gait_destroy(outfit->gait.gait);
        lope_free(outfit->use_memory);
    }
    lope_free(memory);
    lope_free(outfit);
    return NULL;
}

void world_outfits_destroy(lope_world *world)
{
    for (int i = 0; i < world->outfits.count; i++) {
        world_outfit *outfit = ((world_outfit **)world->outfits.items)[i];
        lope_gait_destroy(outfit->gait.gait);
        lope_free(outfit->handover);
        lope_free(outfit->use_memory);
        lope_free(outfit);
    }
    lope_free(world->outfits.items);
}

bool world_dress(world_body *body)
{
    lope_world *world = body->world;
    if (body->outfit)
        return true;
    world_outfit *found = NULL;
    for (int i = 0; i < world->outfits.count && !found; i++)
        if (!((world_outfit **)world->outfits.items)[i]->taken)
            found = ((world_outfit **)world->outfits.items)[i];
    found = found ? found : outfit_create(world);
    if (!found)
        return false;
    found->taken = true;
    memset(found->holds, 0, sizeof found->holds);
    found->gait.terrain = lope_level_terrain(world->def.level);
    found->gait.like = (lope_gait_control){LOPE_GAIT_WALK, 0.0f, 0.6f};
    found->gait.aimed = false;
    lope_member_set_posed(world->crowd, body->member, false); // by the hand-over
    lope_handover_begin(found->handover, world_walk_controller(), body);
    body->outfit = found;
    return true;
}

static void undress(world_body *body)
{
    if (!body->outfit || body->carrier != WORLD_WALK || body->next.controller || body->ready ||
        lope_handover_settling(body->outfit->handover))
        return;
    body->outfit->taken = false;
    body->outfit = NULL;
    lope_member_set_posed(body->world->crowd, body->member, body->posed);
}

// ---- what is to take over

static void want(world_body *body, int stretch, float accept)
{
    const world_stretch *s = (const world_stretch *)body->way.stretches.items + stretch;
    world_next *next = &body->next;
    if (!world_dress(body))
        return;
    next->stretch = stretch;
    next->accept = accept;
    next->by = s->by;
    next->aim = (lope_aim){.place = world_way_at(body, s, fminf(2.5f, s->length)),
                           .facing = NAN,
                           .stop = s->length < 2.0f && s->by == WORLD_WALK && stretch + 1 == body->way.stretches.count,
                           .speed = body->who.speed};
    if (s->by == WORLD_CROSS) {
        next->controller = world_crossing_controller(body, s->crossing, &next->self);
    } else {
        next->controller = s->by == WORLD_GAIT ? lope_gait_controller() : world_walk_controller();
        next->self = s->by == WORLD_GAIT ? (void *)&body->outfit->gait : (void *)body;
    }
}

static void forget_next(world_body *body)
{
    body->next = (world_next){.controller = NULL};
}

void world_want_to_stand(world_body *body, int stretch, float accept)
{
    lope_vec3 here = world_place(body);
    body->next = (world_next){.controller = world_walk_controller(),
                              .self = body,
                              .by = WORLD_WALK,
                              .stretch = stretch,
                              .accept = accept,
                              .aim = {.place = here, .facing = NAN, .stop = true}};
}

void world_took_over(world_body *body)
{
    if (!body->next.done)
        return;
    world_next next = body->next;
    forget_next(body);
    if (body->on >= 0)
        world_event(body, LOPE_EVENT_ENDED, body->on, LOPE_OK, "");
    body->on = -1;
    body->sets_off = body->carrier == WORLD_CROSS && next.by == WORLD_WALK ? SETS_OFF : 0.0f;
    if (body->carrier == WORLD_CROSS)
        world_crossing_leave(body);
    if (next.by == WORLD_WALK && body->carrier != WORLD_WALK)
        world_walk_release(body);
    body->carrier = next.by;
    body->waited = body->stood = 0.0f;
    body->way.now = next.stretch;
    body->along = 0.0f;
    body->sent = body->fresh = false;
    const world_stretch *s = world_way_now(body);
    if (!s || s->by != next.by)
        return; // stands
    body->on = s->kind;
    if (s->by == WORLD_CROSS) {
        body->crossing = s->crossing;
        body->turns = false;
        body->state = s->kind == LOPE_LINK_SEAT ? LOPE_CHARACTER_BUSY : LOPE_CHARACTER_CROSSING;
    }
    if (body->on >= 0)
        world_event(body, LOPE_EVENT_BEGAN, body->on, LOPE_OK, "");
}

void world_begin_way(world_body *body)
{
    forget_next(body);
    body->along = 0.0f;
    body->sent = false;
    body->nearest = INFINITY;
    body->waited = body->stood = body->still = 0.0f;
    body->lost = false;
    body->fresh = true;
    if (body->carrier == WORLD_CROSS && body->on == LOPE_LINK_SEAT)
        lope_use_leave(body->outfit->use); // gets up for what comes next
    if (body->carrier != WORLD_CROSS) {
        world_crossing_leave(body);
        body->state = LOPE_CHARACTER_GOING;
    }
}

// ---- walking

// Before a link: asks for it, and stands in the queue where others are on it. True: go.
static bool may_cross(world_body *body, const world_stretch *next, lope_destination *end)
{
    const world_stretch *s = world_way_now(body);
    lope_world *world = body->world;
    bool ready = world_crossing_ready(world, next->crossing);
    const world_crossing *c = world_crossing_at(world, next->crossing);
    if (c->why[0] || c->number < 0) {
        body->lost = true;
        return false;
    }
    bool near = s == next || s->length - body->along < 3.0f;
    bool mine = near && world_crossing_ask(body, next->crossing);
    if (mine && ready && !world_crossing_prepare(body, next->crossing)) {
        body->lost = true;
        return false;
    }
    if (mine && ready) {
        *end = (lope_destination){lope_v3(c->approach.x, c->link.from.y, c->approach.z), c->approach.yaw, true};
        return true;
    }
    int rank = world_crossing_rank(body);
    if (s == next)
        return false;
    float back = rank >= 0 ? QUEUE_FIRST + QUEUE_NEXT * (float)rank : ready ? 0.0f : 0.5f;
    *end = (lope_destination){world_way_at(body, s, s->length - back), NAN, back > 0.0f};
    return false;
}

// Neither goes nor turns, whatever its walker plays.
static bool is_still(const world_body *body)
{
    const lope_moment *m = lope_handover_shown(body->outfit->handover);
    lope_quat turn = lope_quat_mul(m->now.rotations[0], lope_quat_conjugate(m->before.rotations[0]));
    return lope_v3_distance(m->now.root, m->before.root) < STILL_SPEED * m->dt &&
           lope_v3_length(lope_quat_log(turn)) < STILL_TURN * m->dt;
}

// Metres to the nearest wall or edge, of `most` at most.
static float room_at(const world_body *body, lope_vec3 at, float most)
{
    const lope_floors *floors = body->world->floors;
    lope_floor_spot spot;
    bool found = lope_floors_ground(floors, at, 0.3f, &spot) && spot.floor >= 0;
    return found ? lope_floors_clearance(floors, &spot, most) : 0.0f;
}

// Whether somebody is on the way to a place; bodies that stand at the same place do not count.
static bool is_somebody_before(const world_body *body, lope_vec3 to)
{
    world_body *near[OFF_OTHERS];
    lope_vec3 here = world_place(body), way = lope_v3_sub(to, here);
    int count = world_near(body, OFF_NEAR, near, OFF_OTHERS);
    for (int i = 0; i < count; i++) {
        lope_vec3 other = lope_v3_sub(world_place(near[i]), here);
        float far = lope_v3_length(other);
        if (far > OFF_SAME && other.x * way.x + other.z * way.z > 0.3f * far * lope_v3_length(way))
            return true;
    }
    return false;
}

// Whether there is room for a gait on the straight line to where the link ahead begins, but for the end of it.
static bool is_straight_there(const world_body *body, lope_vec3 to)
{
    lope_vec3 from = world_place(body);
    float far = world_distance(from, to), room = body->carrier == WORLD_GAIT ? ROUND_LEAST : ROUND_ROOM;
    for (float at = 0.1f; at < far - ROUND_END; at += 0.2f)
        if (room_at(body, lope_v3_lerp(from, to, at / far), room) < room)
            return false;
    return true;
}

// Whether somebody turns round before the link ahead: to sit down, or to go down a ladder.
static bool is_backwards(const world_body *body)
{
    const lope_link *link = &world_crossing_at(body->world, world_way_next(body)->crossing)->link;
    return link->kind == LOPE_LINK_SEAT || (link->kind == LOPE_LINK_LADDER && link->rise < 0.0f);
}

// Which way a gait faces as it comes to where the link ahead begins: as the link does; before seats and ladders that
// lead down along its way, if that is far off: a walker turns round there.
static float facing_there(const world_body *body, const lope_destination *end)
{
    const world_stretch *s = world_way_now(body);
    float way = world_yaw(world_way_at(body, s, s->length - LAST_WAY), world_way_at(body, s, s->length));
    return is_backwards(body) && fabsf(lope_wrap_angle(end->facing - way)) > ROUND ? way : end->facing;
}

// Whether a gait comes to where the link ahead begins, which is more exact and quicker than a walker. Gaits turn slowly
// on the spot, and go round nothing: before things that are used backwards they only go straight.
static bool steps_there(const world_body *body, const lope_destination *end)
{
    bool backwards = is_backwards(body);
    if (!body->world->def.moves->rings || world_way_now(body)->tries >= STEPS_TRIES ||
        (backwards && (is_somebody_before(body, end->place) || !is_straight_there(body, end->place))))
        return false;
    if (body->carrier == WORLD_GAIT)
        return true;
    lope_vec3 here = world_place(body);
    float way = world_yaw(here, end->place), off = fabsf(lope_wrap_angle(facing_there(body, end) - way));
    bool faces = !backwards || fabsf(lope_wrap_angle(world_ground(body).yaw - way)) < ROUND;
    return faces && off < (backwards ? ROUND : STEPS_OFF) && world_distance(here, end->place) > STEPS_LEAST;
}

static void walk_before_link(world_body *body, const world_stretch *next)
{
    lope_destination end;
    bool goes = may_cross(body, next, &end);
    body->waits = !goes && body->queued >= 0;
    if (body->lost)
        return;
    if (goes != body->goes)
        body->sent = false; // to another place than before
    body->goes = goes;
    float left = world_distance(world_place(body), end.place);
    if (goes && left < STEPS_FROM && steps_there(body, &end)) {
        world_way_now(body)->by = WORLD_GAIT;
        body->near_link = 0.0f;
        forget_next(body);
        return;
    }
    bool arrived = body->sent && goes && (world_walk_stands(body) || world_walk_arrived(body, &body->sent_to));
    body->turns = goes && (left < THERE || (left < NEAR_LINK && (body->turns || arrived)));
    float off = lope_wrap_angle(end.facing - world_yaw(world_place(body), end.place));
    if (goes && !body->turns && fabsf(off) > ASTERN)
        end.facing = NAN; // walkers do not step back: there first, then round
    world_walk_on(body, &end);
    if (!goes || left > NEAR_LINK) {
        body->near_link = 0.0f;
        return;
    }
    body->near_link += body->world->dt;
    if (body->near_link > NEAR_FOR && body->near_link <= NEAR_FOR + body->world->dt)
        world_walk_straight(body, &end);
    body->stood = body->outfit && is_still(body) ? body->stood + body->world->dt : 0.0f;
    if (body->stood > 2.0f * STANDS_FOR) { // and cannot begin: comes nearer
        body->stood = 0.0f;
        world_walk_straight(body, &end);
    }
    float stands = body->near_link > ANYHOW ? INFINITY : STANDS_FITS;
    float moving = body->turns && next->kind == LOPE_LINK_SEAT ? TURNS_FITS : WORLD_FITS;
    want(body, body->way.now + 1, body->stood > STANDS_FOR ? stands : moving);
}

// Where to go straight from where a link ends, as the walker was entered for: up to OFF_TO metres along the way, where
// there is as much room as here. False: nowhere.
static bool find_straight(const world_body *body, const world_stretch *s, lope_vec3 *to)
{
    lope_vec3 from = world_place(body);
    float room = 0.9f * fminf(room_at(body, from, OFF_ROOM), OFF_ROOM);
    for (float metres = OFF_TO; metres > OFF; metres -= 0.5f) {
        *to = world_way_at(body, s, metres);
        bool free = world_distance(from, *to) > OFF;
        for (float at = 0.1f; at < 1.0f && free; at += 0.1f)
            free = room_at(body, lope_v3_lerp(from, *to, at), OFF_ROOM) >= room;
        if (free)
            return room > 0.0f;
    }
    return false;
}

// After a link somebody stands close to walls, with the way behind: the crowd would have it turn in small steps.
static bool set_off(world_body *body, const world_stretch *s)
{
    if (!(body->sets_off > 0.0f))
        return false;
    body->sets_off -= body->world->dt;
    lope_destination to = {.facing = NAN};
    bool goes = body->sets_off > 0.0f && body->along < OFF && s->length > OFF_TO &&
                room_at(body, world_place(body), OFF_ROOM) > OFF_LEAST &&
                !is_somebody_before(body, world_way_at(body, s, OFF_TO));
    if (goes && !body->sent && find_straight(body, s, &to.place))
        world_walk_straight(body, &to);
    if (goes && body->sent)
        return true;
    body->sets_off = 0.0f;
    body->sent = false;
    return false;
}

static void walk(world_body *body)
{
    const world_stretch *s = world_way_now(body), *next = world_way_next(body);
    float left = s->length - body->along, apart = world_distance(world_place(body), world_way_at(body, s, s->length));
    left = apart < WINDOW ? fminf(left, apart) : left; // it may have come another way around things
    body->waits = false;
    if (set_off(body, s))
        return;
    if (!body->sent) // where only a slim body found a way, it stays slim until then
        world_walk_slim(body, false);
    if (!next) {
        lope_destination end = world_task_end(body);
        if (!(end.place.x == end.place.x))
            end.place = world_way_at(body, s, s->length);
        world_walk_on(body, &end);
        if (world_walk_arrived(body, &end))
            body->way.now++;
        return;
    }
    if (next->by == WORLD_CROSS) {
        walk_before_link(body, next);
        return;
    }
    world_walk_on(body, &(lope_destination){world_way_at(body, next, PASSES), NAN, false});
    if (left < WINDOW)
        want(body, body->way.now + 1, left < 0.05f ? INFINITY : WORLD_FITS + 0.3f * (1.0f - left / WINDOW));
    else
        forget_next(body);
}

// ---- gaits

// Gaits keep away from others, too.
static void see_others(const world_body *body)
{
    const lope_crowd *crowd = body->world->crowd;
    lope_gait_disc discs[LOPE_GAIT_DISCS];
    int slots[CROWD_NEIGHBOURS], count = 0, member = (int)body->member.index1 - 1;
    int found = body->stuck < PATIENCE ? crowd_near(crowd, member, SEES, slots) : 0;
    for (int i = 0; i < found && count < LOPE_GAIT_DISCS; i++) {
        const lope_vec3 at = {crowd->places[slots[i]].x, crowd->heights[slots[i]], crowd->places[slots[i]].z};
        if (fabsf(at.y - body->height) < 1.0f)
            discs[count++] = (lope_gait_disc){at, {0.0f, 0.0f}, crowd->seen[slots[i]].radius};
    }
    lope_gait_avoid(body->outfit->gait.gait, discs, count);
}

// Along the points of the stretch; where it goes on, along those of the next one, too. Done as the gait is carried: in
// parallel, by where the crowd says that others are.
static void aim_gait(world_body *body)
{
    body->aims = false;
    if (body->carrier != WORLD_GAIT || !world_way_now(body) || world_way_now(body)->by == WORLD_CROSS)
        return;
    const world_stretch *s = world_way_now(body), *next = world_way_next(body);
    lope_gait_carrier *gait = &body->outfit->gait;
    gait->way = (const lope_vec3 *)body->way.points.items + s->first;
    gait->way_count = s->count + (next && next->by != WORLD_CROSS ? next->count : 0);
    gait->way_next = 0;
    for (float gone = 0.0f; gait->way_next + 1 < s->count && gone <= body->along; gait->way_next++)
        gone += world_distance(gait->way[gait->way_next], gait->way[gait->way_next + 1]);
    see_others(body);
    lope_gait_controller()->aim(
        gait, &(lope_aim){.place = world_way_at(body, s, s->length), .facing = NAN, .speed = body->who.speed});
}

static void arrive(world_body *body, const lope_destination *end)
{
    lope_gait_carrier *gait = &body->outfit->gait;
    gait->way_count = 0;
    see_others(body);
    lope_gait_controller()->aim(
        gait, &(lope_aim){.place = end->place, .facing = end->facing, .stop = true, .speed = body->who.speed});
}

// Metres of its stretch that are left to somebody on level ground with a link at its end; INFINITY elsewhere.
static float left_to_link(const world_body *body)
{
    const world_stretch *s = world_way_now(body), *next = world_way_next(body);
    return next && next->by == WORLD_CROSS && s->kind != LOPE_LINK_STAIRS &&
                   fabsf(world_way_at(body, s, s->length).y - body->height) < LINK_LEVEL
               ? s->length - body->along
               : INFINITY;
}

// A gait that has not come to where a link begins: a walker turns it to there on the spot, and it tries again; then the
// walker does the rest.
static void step_again(world_body *body)
{
    world_stretch *s = world_way_now(body);
    body->near_link = body->stood = 0.0f;
    body->turning = ++s->tries < STEPS_TRIES;
    if (!body->turning)
        s->by = WORLD_WALK;
}

// Has come to where somebody turns round before a link: a walker does so.
static void turn_round(world_body *body)
{
    world_way_now(body)->by = WORLD_WALK;
    world_way_now(body)->tries = STEPS_TRIES;
    body->turns = true;
    body->near_link = 0.0f;
}

// Before a link: comes exactly to where it begins.
static void go_to_link(world_body *body, const world_stretch *next)
{
    lope_destination end;
    bool stairs = left_to_link(body) > STEPS_FROM, goes = may_cross(body, next, &end);
    body->waits = !goes && body->queued >= 0;
    body->goes = goes;
    if (body->lost)
        return;
    if (stairs)
        body->aims = true; // on treads it keeps to its way
    else
        arrive(body, &(lope_destination){end.place, goes ? facing_there(body, &end) : end.facing, true});
    body->stood = lope_gait_state_of(body->outfit->gait.gait).standing ? body->stood + body->world->dt : 0.0f;
    if (!goes)
        return;
    float turn = fabsf(lope_wrap_angle(end.facing - world_ground(body).yaw)),
          left = world_distance(world_place(body), end.place);
    bool there = left < STEPS_NEAR && turn < STEPS_NEAR && body->stood > STEPS_STOOD;
    body->near_link += body->world->dt;
    want(body, body->way.now + 1, stairs && body->stood > STANDS_FOR ? INFINITY : there ? STANDS_FITS : WORLD_FITS);
    float patience =
        (turn < STEPS_NEARLY && left < STEPS_NEARLY ? STEPS_LAST : STEPS_FOR) / (float)(1 + world_way_now(body)->tries);
    if (!stairs && is_backwards(body) && turn > STEPS_NEAR &&
        left < (body->stood > STEPS_STOOD ? ROUND_STOOD : ROUND_NEAR))
        turn_round(body);
    else if (!stairs && !steps_there(body, &end))
        world_way_now(body)->by = WORLD_WALK;
    else if (!stairs && (body->stood > STEPS_LOST || body->near_link > patience))
        step_again(body);
}

static void go(world_body *body)
{
    const world_stretch *s = world_way_now(body), *next = world_way_next(body);
    float left = s->length - body->along, end = world_way_at(body, s, s->length).y;
    lope_gait_state gait = lope_gait_state_of(body->outfit->gait.gait);
    body->waits = false;
    if (gait.blocked) { // by what has come: a walker gets away from there
        world_want_to_stand(body, body->way.now, INFINITY);
        return;
    }
    if (left_to_link(body) < STEPS_FROM || (next && next->by == WORLD_CROSS && left < STAIRS_FROM)) {
        go_to_link(body, next);
        return;
    }
    body->aims = true;
    if (!next) {
        bool stop = world_task_end(body).stop;
        if (stop ? gait.standing && left < 0.6f : left < 0.3f)
            body->way.now++;
    } else if (next->by == WORLD_WALK && left < WINDOW && fabsf(end - body->height) < LEVEL) {
        want(body, body->way.now + 1, left < 0.05f ? INFINITY : WORLD_FITS + 0.3f * (1.0f - left / WINDOW));
    }
}

// ---- everything

// Beyond a link: on with the way, or to a stand.
static void land(world_body *body)
{
    void *self;
    const lope_controller *now = lope_handover_controller(body->outfit->handover, &self);
    world_stretch *s = world_way_now(body);
    bool over = !body->fresh && s && s->by == WORLD_CROSS && s->crossing == body->crossing;
    int first = over ? body->way.now + 1 : body->way.now;
    bool there = now == lope_use_controller() || !(lope_climber_left(self) > 0.0);
    if (!there || !now->may_leave(self) || world_task_up(body, first))
        return;
    body->waited += body->world->dt;
    float accept = body->waited > LEAVES ? INFINITY : WORLD_FITS + 0.5f * body->waited;
    s = first < body->way.stretches.count ? (world_stretch *)body->way.stretches.items + first : NULL;
    bool climb = s && s->by == WORLD_CROSS && !world_is_thing((lope_link_kind)s->kind); // things are prepared first
    if (s && (s->by != WORLD_CROSS || (climb && world_crossing_ready(body->world, s->crossing) &&
                                       world_crossing_at(body->world, s->crossing)->user < 0)))
        want(body, first, accept);
    else
        world_want_to_stand(body, first, accept);
}

// A link right after another one, or where somebody stands.
static void begin_with_link(world_body *body, const world_stretch *s)
{
    lope_destination end;
    bool goes = may_cross(body, s, &end);
    body->waits = !goes;
    if (!goes)
        return;
    if (body->carrier == WORLD_WALK && !body->sent)
        world_walk_straight(body, &end);
    body->stood = world_walk_stands(body) ? body->stood + body->world->dt : 0.0f;
    want(body, body->way.now, body->stood > STANDS_FOR ? INFINITY : WORLD_FITS);
}

// Which way a character turns on the spot before it comes to where a link begins.
static float facing_to_link(const world_body *body, lope_ground begins)
{
    const lope_ground before = lope_ground_mul(begins, (lope_ground){0.0f, -BEFORE_LINK, 0.0f});
    lope_vec3 here = world_place(body);
    float left = world_distance(here, lope_v3(begins.x, here.y, begins.z));
    return left < FROM_LINK ? begins.yaw : world_yaw(here, lope_v3(before.x, here.y, before.z));
}

// Gaits turn in small steps, for which there may be no room. A walker turns on the spot: one that stands before uneven
// ground, and one that takes over from a gait that got nowhere. True: that is being done.
static bool turn_first(world_body *body, const world_stretch *s)
{
    lope_vec3 here = world_place(body);
    float facing = world_yaw(here, world_way_at(body, s, body->along + TURN_AHEAD));
    if (left_to_link(body) < STEPS_FROM && body->goes)
        facing = facing_to_link(body, world_crossing_at(body->world, world_way_next(body)->crossing)->approach);
    float off = fabsf(lope_wrap_angle(facing - world_ground(body).yaw));
    if (body->carrier == WORLD_GAIT) {
        body->turning = body->turning && off > TURN_STUCK;
        if (!body->turning)
            return false;
        body->waited += body->world->dt;
        world_want_to_stand(body, body->way.now, body->waited > AT_ONCE ? INFINITY : WORLD_FITS + 0.5f * body->waited);
        body->next.aim.facing = facing;
        body->aims = true;
        return true;
    }
    if (body->carrier != WORLD_WALK)
        return false;
    bool begins = !body->turning && !body->next.controller && off > TURN_FIRST && world_walk_stands(body);
    if (begins || (body->turning && !body->sent)) {
        lope_vec3 on_way = world_way_at(body, s, body->along);
        on_way = world_distance(here, on_way) < TURN_WITHIN ? on_way : here;
        world_walk_straight(body, &(lope_destination){on_way, facing, true});
        body->turned = 0.0f;
        body->turning = true;
    }
    body->turned += body->world->dt;
    body->turning = body->turning && off > TURNED && body->turned < TURN_FOR &&
                    world_distance(here, body->sent_to.place) < TURN_WITHIN;
    return body->turning;
}

// The stretch that it is on: at its end the next one, where the same carries it on.
static const world_stretch *same_on(world_body *body)
{
    const world_stretch *s = world_way_now(body), *next = world_way_next(body);
    if (!next || next->by != s->by || s->length - body->along > SAME_ON)
        return s;
    body->way.now++;
    body->along = 0.0f;
    body->sent = false;
    return next;
}

// Something else is to carry it from here on. A walker that a gait does not fit, or whose feet have no ground below,
// steps on along its way before the gait has to take it as it is.
static void change_carrier(world_body *body, const world_stretch *s)
{
    float was = body->waited, accept = WORLD_FITS + 0.5f * was;
    bool walks = body->carrier == WORLD_WALK;
    body->waited += body->world->dt;
    if (walks && was <= STEPS_ON && body->waited > STEPS_ON) {
        lope_vec3 there = world_way_at(body, s, body->along + TURN_AHEAD);
        world_walk_straight(body, &(lope_destination){there, NAN, true});
    }
    if (was > AT_ONCE)
        accept = walks && was < STEPPED_ON ? STANDS_FITS : INFINITY;
    if (was > STEPPED_ON + AT_ONCE)
        body->waited = AT_ONCE; // and again
    const world_stretch *next = world_way_next(body);
    if (!walks && s->by == WORLD_WALK && body->turns && next && next->by == WORLD_CROSS) {
        world_want_to_stand(body, body->way.now, accept);
        body->next.aim.facing = world_crossing_at(body->world, next->crossing)->approach.yaw;
        return;
    }
    want(body, body->way.now, accept);
    body->aims = body->carrier == WORLD_GAIT;
}

void world_legs_decide(world_body *body)
{
    world_took_over(body);
    const world_stretch *s = world_way_now(body);
    if (body->carrier == WORLD_CROSS) {
        land(body);
        world_walk_carry(body);
        return;
    }
    if (world_talk_carry(body)) {
        // stands and talks
    } else if (!s) {
        forget_next(body);
        if (body->carrier == WORLD_GAIT)
            lope_gait_controller()->aim(&body->outfit->gait, NULL);
    } else if (s->by == WORLD_CROSS) { // a way that begins with a link
        begin_with_link(body, s);
    } else {
        world_way_follow(body, world_place(body));
        s = same_on(body);
        if (s->by == WORLD_GAIT && (left_to_link(body) > STEPS_FROM || body->turning) && turn_first(body, s)) {
            body->waits = false;
        } else if (s->by != body->carrier) {
            change_carrier(body, s);
        } else if (s->by == WORLD_WALK) {
            walk(body);
        } else {
            go(body);
        }
    }
    undress(body);
    if (body->carrier != WORLD_WALK)
        world_walk_carry(body);
}

static void try_next(world_body *body)
{
    world_next *next = &body->next;
    lope_handover *handover = body->outfit->handover;
    void *self;
    const lope_controller *now = lope_handover_controller(handover, &self);
    if (!next->controller || (now == next->controller && self == next->self) || !now->may_leave(self))
        return;
    if (next->by != WORLD_CROSS && body->outfit->since < SETTLES && lope_handover_settling(handover))
        return;
    if (next->accept < INFINITY && lope_handover_leap(handover) > LEAPS)
        return;
    float fit = next->controller->fit(next->self, lope_handover_shown(handover), &next->aim);
    next->done = fit < INFINITY && fit <= next->accept &&
                 lope_handover_to(handover, next->controller, next->self, &next->aim, NULL) == LOPE_OK;
    if (next->done)
        body->outfit->since = 0.0f;
}

// For bodies with another skeleton, whose hands and seat are taken to what is held.
static void note_holds(world_body *body, uint16_t contacts)
{
    const float change = body->world->dt / HOLD_SECONDS;
    for (int i = 0; i < LOPE_CONTACT_COUNT; i++) {
        float *hold = &body->outfit->holds[i];
        *hold = contacts & 1 << i ? fminf(*hold + change, 1.0f) : fmaxf(*hold - change, 0.0f);
    }
}

// Others ask often where it is. The yaw costs an arc tangent and is computed when it is asked for.
void world_legs_carry(world_body *body)
{
    const lope_crowd *crowd = body->world->crowd;
    const int member = (int)body->member.index1 - 1;
    if (body->carrier == WORLD_WALK)
        body->height = crowd->heights[member];
    if (!body->outfit) {
        body->place = crowd->places[member];
        return;
    }
    lope_fetch(body->outfit->handover, FETCHED);
    if (body->carrier == WORLD_GAIT)
        lope_fetch(body->outfit->gait.gait, sizeof(lope_gait));
    if (body->aims)
        aim_gait(body);
    lope_handover_advance(body->outfit->handover, body->world->dt);
    body->outfit->since += body->world->dt;
    const lope_moment *shown = lope_handover_shown(body->outfit->handover);
    if (body->onto)
        note_holds(body, shown->contacts);
    body->place = (lope_vec2){shown->ground.x, shown->ground.z};
    if (body->carrier != WORLD_WALK && isfinite(shown->height))
        body->height = shown->height;
    try_next(body);
}
