// SPDX-License-Identifier: MIT
// Talks. One character walks up to another, which turns to it if it has nothing else to do, and both talk with their
// hands, as far as the moves have such motion. Somebody who sits stays seated.
#include "base/error.h"
#include "world/world.h"

#define APART 1.2f      // metres between two that stand and talk,
#define SEAT_APART 1.3f // and from a seated character
#define CLOSE 1.9f      // metres from the other at which one that stands is there,
#define CLOSEST 0.55f   // and nearer than which one steps back
#define FARTHEST 2.8f   // metres over which people talk
#define STOREY 1.0f     // metres of height, the same
#define FACING 0.35f    // radians off the other that are not worth a turn
#define TURN_FOR 4.0f   // seconds after which somebody talks however it has turned
#define WAITS 1.0f      // seconds after which gestures begin, however they fit
#define FITS_STILL 0.3f // metres: how badly they may fit before
enum { DIRECTIONS = 8, MOST_FOLLOWED = 4 };

// ---- with whom, and where

// Sits: on what, if it stays there.
static lope_use *seat_of(const world_body *body)
{
    bool sits = body->carrier == WORLD_CROSS && body->on == LOPE_LINK_SEAT && !body->next.done;
    return sits && lope_use_state_of(body->outfit->use) == LOPE_USE_STAYS ? body->outfit->use : NULL;
}

static bool are_near(const world_body *a, const world_body *b)
{
    return world_distance(world_place(a), world_place(b)) < FARTHEST && fabsf(a->height - b->height) < STOREY;
}

// Whether nothing is between a place and the other.
static bool is_open(const world_body *with, const lope_floor_spot *spot)
{
    const lope_space *space = lope_floors_space(with->world->floors, spot->floor);
    lope_vec2 from = {spot->at.x, spot->at.z};
    return seat_of(with) || (space && lope_space_sweep_free(space, from, with->place, 0.1f, NULL));
}

// The place before the other that is nearest to where one comes from, where there is room to stand; or any nearby.
static lope_destination find_place(const world_body *body, const world_body *with)
{
    static const int order[DIRECTIONS] = {0, 1, -1, 2, -2, 3, -3, 4};
    const lope_vec3 to = world_place(with), from = world_place(body);
    const float towards = world_yaw(to, from), apart = seat_of(with) ? SEAT_APART : APART;
    const lope_floors *floors = body->world->floors;
    lope_destination there = {to, NAN, true};
    lope_floor_spot spot;
    bool fine = false;
    for (int i = 0; i < DIRECTIONS && !fine; i++) {
        double yaw = (double)towards + (double)order[i] * 2.0 * LOPE_PI / DIRECTIONS;
        lope_vec3 at = lope_v3_add(to, lope_v3(apart * (float)lope_sin(yaw), 0.0f, apart * (float)lope_cos(yaw)));
        fine = lope_floors_ground(floors, at, 0.5f, &spot) && spot.floor >= 0 &&
               lope_floors_clearance(floors, &spot, 1.0f) >= body->who.radius && is_open(with, &spot);
    }
    if (fine || lope_floors_nearest(floors, to, body->who.radius, FARTHEST, &spot))
        there.place = spot.at;
    return there;
}

// ---- beginning and ending

static void tell(world_body *body, lope_event_kind kind)
{
    const lope_task kept = body->task.kind; // people on seats keep theirs
    body->task.kind = LOPE_TASK_TALK;
    world_event(body, kind, -1, LOPE_OK, "");
    body->task.kind = kept;
}

static void begin(world_body *body, const world_body *with, const world_talk *talk)
{
    body->talk = *talk;
    body->talk.other = world_id_of(with);
    if (seat_of(body))
        lope_use_talk(seat_of(body), true);
    tell(body, LOPE_EVENT_BEGAN);
}

void world_talk_end(world_body *body)
{
    if (!body->talk.other.index1)
        return;
    if (seat_of(body))
        lope_use_talk(seat_of(body), false);
    body->talk = (world_talk){.seconds = 0.0f};
    world_errands_talked(body);
    tell(body, LOPE_EVENT_ENDED);
}

// The other answers: on its seat, or where it stands with nothing else to do.
static void answer(world_body *body, const world_body *with)
{
    bool idle = (body->task.kind == LOPE_TASK_NONE || world_errands_pause(body)) && body->carrier == WORLD_WALK &&
                !world_way_now(body);
    if (body->talk.other.index1 || !(idle || seat_of(body)))
        return;
    if (idle && body->task.kind == LOPE_TASK_WAIT)
        world_event(body, LOPE_EVENT_ENDED, -1, LOPE_OK, "");
    if (idle) {
        body->task = (world_task){.kind = LOPE_TASK_TALK, .begun = true};
        body->state = LOPE_CHARACTER_BUSY;
    }
    begin(body, with, &(world_talk){.seconds = with->talk.seconds});
}

static void begin_both(world_body *body, world_body *with, float seconds)
{
    begin(body, with, &(world_talk){.seconds = seconds, .called = true});
    answer(with, body);
}

lope_status lope_character_talk(lope_world *world, lope_character_id id, lope_character_id other, float seconds,
                                lope_error *error)
{
    world_body *body = world_body_of(world, id), *with = world_body_of(world, other);
    if (!body || !with)
        return world_fail_gone(error);
    if (body == with || !(seconds >= 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "nobody talks to themselves, or for %g seconds", (double)seconds);
    world_took_over(body);
    if (seat_of(body) && are_near(body, with)) {
        world_talk_end(body);
        begin_both(body, with, seconds);
        return LOPE_OK;
    }
    world_task task = {.kind = LOPE_TASK_TALK, .place_count = 1, .other = other, .seconds = seconds};
    task.places[0] = find_place(body, with);
    lope_status status = world_go(body, &task, error);
    return status == LOPE_PARTIAL ? LOPE_OK : status; // any place near the other will do
}

// On the last stretch: stands before the other. To stand at the very place may take some steps to and fro.
bool world_talk_near(world_body *body)
{
    const world_body *with = world_body_of(body->world, body->task.other);
    const world_stretch *s = world_way_now(body);
    lope_floor_spot spot;
    if (body->task.kind != LOPE_TASK_TALK || !with || body->carrier != WORLD_WALK || s->by != WORLD_WALK ||
        world_way_next(body) || fabsf(body->height - with->height) > STOREY)
        return false;
    const float apart = world_distance(world_place(body), world_place(with));
    if (apart > CLOSE || apart < CLOSEST || !world_walk_stands(body) ||
        !lope_floors_ground(body->world->floors, world_place(body), 0.5f, &spot) || spot.floor < 0 ||
        !is_open(with, &spot))
        return false;
    world_way_clear(body);
    world_walk_stop(body);
    return true;
}

// At the place: the other may have gone on meanwhile.
void world_talk_arrive(world_body *body)
{
    lope_error error;
    world_body *with = world_body_of(body->world, body->task.other);
    if (body->carrier == WORLD_WALK && !world_walk_stands(body))
        return;
    if (!with) {
        world_give_up(body, LOPE_NOT_FOUND, "the other is gone");
    } else if (are_near(body, with)) {
        body->task.begun = true;
        body->state = LOPE_CHARACTER_BUSY;
        begin_both(body, with, body->task.seconds);
    } else if (body->task.followed++ >= MOST_FOLLOWED) {
        world_give_up(body, LOPE_PARTIAL, "the other does not stay");
    } else {
        body->task.places[0] = find_place(body, with);
        if (!world_plan(body, &error))
            world_give_up(body, LOPE_NOT_FOUND, error.message);
    }
}

// ---- while it lasts

// Whether the other is still there. One that answers stops when the other does.
static bool goes_on(const world_body *body, const world_body *with)
{
    if (!with || !are_near(body, with))
        return false;
    const lope_character_id me = world_id_of(body), theirs = with->talk.other;
    return body->talk.called || (theirs.index1 == me.index1 && theirs.generation == me.generation);
}

static void turn_to(world_body *body, const world_body *with)
{
    world_talk *t = &body->talk;
    const float facing = world_yaw(world_place(body), world_place(with));
    const float off = fabsf(lope_wrap_angle(facing - world_ground(body).yaw));
    t->turning += body->world->dt;
    if (body->carrier != WORLD_WALK || t->turning > TURN_FOR || (off < FACING && world_walk_stands(body)))
        t->turned = true;
    else if (off >= FACING && !t->sent)
        world_walk_straight(body, &(lope_destination){world_place(body), facing, true});
    t->sent = true;
}

bool world_talk_step(world_body *body)
{
    world_talk *t = &body->talk;
    if (!t->other.index1)
        return false;
    const world_body *with = world_body_of(body->world, t->other);
    t->seconds -= body->world->dt;
    if (t->seconds <= 0.0f || !goes_on(body, with)) {
        bool stands = body->task.kind == LOPE_TASK_TALK;
        world_talk_end(body);
        if (stands) {
            body->task = (world_task){.kind = LOPE_TASK_NONE};
            body->state = LOPE_CHARACTER_IDLE;
        }
        return stands;
    }
    if (!t->turned && !seat_of(body))
        turn_to(body, with);
    return true;
}

// ---- gestures of those that stand

// Has its hands talk. False: the moves have no motion for that.
static bool prepare(world_body *body)
{
    const lope_world *world = body->world;
    if (!world->def.moves->blocks || !world_dress(body))
        return false;
    lope_use_def def = lope_use_def_default(world->def.moves->blocks, world->def.level, -1);
    def.behaviour = "chat";
    def.at = world_ground(body);
    def.height = body->height;
    def.seconds = INFINITY;
    def.seed = (uint32_t)body->slot + world->steps;
    return lope_use_init(body->outfit->use_memory, &def, &body->outfit->use, NULL) == LOPE_OK;
}

// To talk with the hands, and back from it.
static void want_gestures(world_body *body, float accept)
{
    body->next = (world_next){.controller = lope_use_controller(),
                              .self = body->outfit->use,
                              .by = WORLD_ACT,
                              .stretch = body->way.stretches.count,
                              .accept = accept};
}

bool world_talk_carry(world_body *body)
{
    world_talk *t = &body->talk;
    const world_stretch *s = world_way_now(body);
    bool talks = t->other.index1 && t->turned && !s && body->carrier != WORLD_CROSS;
    if (body->carrier == WORLD_ACT && !talks) {
        if (s && s->by != WORLD_CROSS)
            return false; // what comes next takes over from here
        lope_use_leave(body->outfit->use);
        body->waited += body->world->dt;
        world_want_to_stand(body, body->way.now, body->waited);
        return true;
    }
    if (!talks || t->plain)
        return body->carrier == WORLD_ACT;
    if (body->carrier == WORLD_ACT || body->carrier != WORLD_WALK || !world_walk_stands(body))
        return body->carrier == WORLD_ACT;
    t->plain = !body->next.controller && !prepare(body);
    t->waited += body->world->dt;
    if (!t->plain)
        want_gestures(body, t->waited > WAITS ? INFINITY : FITS_STILL);
    return !t->plain;
}
