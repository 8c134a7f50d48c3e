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
#define STAIRS_FROM 1.5f  // metres before a link on treads in which it may begin
#define AT_ONCE 0.8f      // seconds after which a controller takes over that should at once, however it fits
#define LEAVES 0.35f      // the same after links
#define HOLD_SECONDS 0.2f // in which hands of bodies with another skeleton come to what is held
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
#define SETTLES 0.25f     // seconds after a hand-over in which no other one follows, but to links
#define LEAPS 2.0f // metres per second by which a knee leaps in a frame in which nothing takes over if it can wait
#define LEVEL 0.1f // metres of height from the end of a stretch within which a walker may take over there

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

void world_want(world_body *body, int stretch, float accept)
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

void world_forget_next(world_body *body)
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
    world_forget_next(body);
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
    world_forget_next(body);
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

// Where to go straight from where a link ends, as the walker was entered for: up to OFF_TO metres along the way, where
// there is as much room as here. False: nowhere.
static bool find_straight(const world_body *body, const world_stretch *s, lope_vec3 *to)
{
    lope_vec3 from = world_place(body);
    float room = 0.9f * fminf(world_room_at(body, from, OFF_ROOM), OFF_ROOM);
    for (float metres = OFF_TO; metres > OFF; metres -= 0.5f) {
        *to = world_way_at(body, s, metres);
        bool free = world_distance(from, *to) > OFF;
        for (float at = 0.1f; at < 1.0f && free; at += 0.1f)
            free = world_room_at(body, lope_v3_lerp(from, *to, at), OFF_ROOM) >= room;
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
                world_room_at(body, world_place(body), OFF_ROOM) > OFF_LEAST &&
                !world_is_somebody_before(body, world_way_at(body, s, OFF_TO));
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
        world_walk_to_link(body, next);
        return;
    }
    world_walk_on(body, &(lope_destination){world_way_at(body, next, PASSES), NAN, false});
    if (left < WINDOW)
        world_want(body, body->way.now + 1, left < 0.05f ? INFINITY : WORLD_FITS + 0.3f * (1.0f - left / WINDOW));
    else
        world_forget_next(body);
}

// ---- gaits

void world_see_others(const world_body *body)
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
    world_see_others(body);
    lope_gait_controller()->aim(
        gait, &(lope_aim){.place = world_way_at(body, s, s->length), .facing = NAN, .speed = world_gait_speed(body)});
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
    if (world_left_to_link(body) < WORLD_STEPS_FROM || (next && next->by == WORLD_CROSS && left < STAIRS_FROM)) {
        world_gait_to_link(body, next);
        return;
    }
    body->aims = true;
    if (!next) {
        bool stop = world_task_end(body).stop;
        if (stop ? gait.standing && left < 0.6f : left < 0.3f)
            body->way.now++;
    } else if (next->by == WORLD_WALK && left < WINDOW && fabsf(end - body->height) < LEVEL) {
        world_want(body, body->way.now + 1, left < 0.05f ? INFINITY : WORLD_FITS + 0.3f * (1.0f - left / WINDOW));
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
        world_want(body, first, accept);
    else
        world_want_to_stand(body, first, accept);
}

// Gaits turn in small steps, for which there may be no room. A walker turns on the spot: one that stands before uneven
// ground, and one that takes over from a gait that got nowhere. True: that is being done.
static bool turn_first(world_body *body, const world_stretch *s)
{
    lope_vec3 here = world_place(body);
    float facing = world_yaw(here, world_way_at(body, s, body->along + TURN_AHEAD));
    if (world_left_to_link(body) < WORLD_STEPS_FROM && body->goes)
        facing = world_facing_to_link(body);
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
        accept = walks && was < STEPPED_ON ? WORLD_STANDS_FITS : INFINITY;
    if (was > STEPPED_ON + AT_ONCE)
        body->waited = AT_ONCE; // and again
    const world_stretch *next = world_way_next(body);
    if (!walks && s->by == WORLD_WALK && body->turns && next && next->by == WORLD_CROSS) {
        world_want_to_stand(body, body->way.now, accept);
        body->next.aim.facing = world_crossing_at(body->world, next->crossing)->approach.yaw;
        return;
    }
    world_want(body, body->way.now, accept);
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
        world_forget_next(body);
        if (body->carrier == WORLD_GAIT)
            lope_gait_controller()->aim(&body->outfit->gait, NULL);
    } else if (s->by == WORLD_CROSS) { // a way that begins with a link
        world_begin_with_link(body, s);
    } else {
        world_way_follow(body, world_place(body));
        s = same_on(body);
        if (s->by == WORLD_GAIT && (world_left_to_link(body) > WORLD_STEPS_FROM || body->turning) &&
            turn_first(body, s)) {
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
