// SPDX-License-Identifier: MIT
// Tasks: what a character is told to do, and what becomes of it.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "world/world.h"

#define NEAREST 5.0f      // metres that a goal is moved to where one can stand
#define STILL 3.5f        // seconds about one place after which something else carries it,
#define OTHERS 2.0f       // metres: not where others are so near
#define STILL_WITHIN 0.4f // metres
#define BESIDE 1.0f       // metres: it goes straight to where it stops only if nobody is so near
#define PASSED 6.0f       // seconds after which a gait has passed others, or is not held up by them
#define ANOTHER 9.0f   // seconds without progress after which a new way is looked for, one that avoids the next link,
#define HOPELESS 19.0f // and after which the task is given up
#define CLOSED 20.0    // seconds that a link is avoided where somebody got nowhere before it
#define PROGRESS 0.25f // metres
#define WALKABLE 0.1f  // metres of height that are left of stairs which walkers may end
#define MOST_WAYS 24   // that are tried between one link and the next
#define GOES_ON 2.0f   // seconds without progress of somebody that others wait for and that count as going on
#define ASTRAY 1.2f    // metres off its way from which on somebody that gets nowhere looks for another
#define NEAR_END 1.5f  // metres before the end of a stretch where coming no nearer means little
#define NEAR_LINE 3.0f // metres before a link in which somebody stands in line for it

enum { MOST_WAITING = 8 }; // that wait for each other

lope_status world_fail_gone(lope_error *error)
{
    return lope_fail(error, LOPE_NOT_FOUND, "this character is gone");
}

lope_destination lope_destination_at(lope_vec3 place)
{
    return (lope_destination){place, NAN, true};
}

lope_destination world_task_end(const world_body *body)
{
    const world_task *t = &body->task;
    lope_destination none = {{NAN, NAN, NAN}, NAN, true};
    return t->kind == LOPE_TASK_GO || t->kind == LOPE_TASK_TALK ? t->places[t->place] : none;
}

// A place to stand at; LOPE_PARTIAL where it had to be moved.
static lope_status admit(const world_body *body, lope_destination *there, lope_error *error)
{
    const lope_world *world = body->world;
    lope_vec3 asked = there->place;
    lope_floor_spot spot;
    if (!isfinite(asked.x) || !isfinite(asked.y) || !isfinite(asked.z) || isinf(there->facing))
        return lope_fail(error, LOPE_BAD_DATA, "nobody can go to %g %g %g, facing %g", (double)asked.x, (double)asked.y,
                         (double)asked.z, (double)there->facing);
    if (lope_floors_ground(world->floors, asked, 0.5f, &spot) && spot.floor >= 0 &&
        lope_floors_clearance(world->floors, &spot, 1.0f) >= body->who.radius) {
        there->place = spot.at;
        return LOPE_OK;
    }
    if (!lope_floors_nearest(world->floors, asked, body->who.radius, NEAREST, &spot))
        return lope_fail(error, LOPE_NOT_FOUND, "nobody can stand within %.0f m of %.1f %.1f %.1f", (double)NEAREST,
                         (double)asked.x, (double)asked.y, (double)asked.z);
    there->place = spot.at;
    return lope_fail(error, LOPE_PARTIAL, "nobody can stand at %.1f %.1f %.1f; going to %.1f %.1f %.1f",
                     (double)asked.x, (double)asked.y, (double)asked.z, (double)spot.at.x, (double)spot.at.y,
                     (double)spot.at.z);
}

// Ends what the task before was about; the body stays as it is.
void world_begin_task(world_body *body, const world_task *task)
{
    world_talk_end(body);
    if (!body->world->stepping)
        world_errands_drop(body);
    body->task = *task;
    body->retries = 0;
    body->stuck = 0.0f;
    body->turning = false;
}

lope_status world_go(world_body *body, world_task *task, lope_error *error)
{
    lope_status moved = LOPE_OK;
    lope_error local;
    for (int i = 0; i < task->place_count; i++) {
        lope_status status = admit(body, &task->places[i], error);
        if (status && status != LOPE_PARTIAL)
            return status;
        moved = status ? status : moved;
    }
    world_took_over(body);
    lope_status status = world_way_find(body, task->places[0].place, -1, moved ? &local : error);
    if (status) {
        if (moved && error)
            *error = local;
        return status;
    }
    world_begin_task(body, task);
    world_begin_way(body);
    if (moved)
        world_event(body, LOPE_EVENT_MOVED, -1, LOPE_PARTIAL, error ? error->message : "");
    return moved;
}

lope_status lope_character_follow(lope_world *world, lope_character_id id, const lope_destination *places, int count,
                                  lope_error *error)
{
    world_body *body = world_body_of(world, id);
    if (!body)
        return world_fail_gone(error);
    if (count < 1 || count > LOPE_MAX_PLACES)
        return lope_fail(error, LOPE_BAD_DATA, "a character follows 1 to %d places, found %d", LOPE_MAX_PLACES, count);
    world_task task = {.kind = LOPE_TASK_GO, .place_count = count};
    memcpy(task.places, places, (size_t)count * sizeof *places);
    return world_go(body, &task, error);
}

lope_status lope_character_go_to(lope_world *world, lope_character_id id, const lope_destination *there,
                                 lope_error *error)
{
    return lope_character_follow(world, id, there, 1, error);
}

static void stand(world_body *body, const world_task *task)
{
    world_took_over(body);
    world_begin_task(body, task);
    world_way_clear(body);
    world_begin_way(body);
    if (body->carrier == WORLD_WALK)
        world_walk_stop(body);
}

lope_status lope_character_wait(lope_world *world, lope_character_id id, float seconds, lope_error *error)
{
    world_body *body = world_body_of(world, id);
    if (!body)
        return world_fail_gone(error);
    if (!(seconds >= 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "nobody waits for %g seconds", (double)seconds);
    stand(body, &(world_task){.kind = LOPE_TASK_WAIT, .seconds = seconds, .begun = true});
    body->state = body->carrier == WORLD_CROSS ? body->state : LOPE_CHARACTER_BUSY;
    return LOPE_OK;
}

void lope_character_stop(lope_world *world, lope_character_id id)
{
    world_body *body = world_body_of(world, id);
    if (!body)
        return;
    stand(body, &(world_task){.kind = LOPE_TASK_NONE});
    body->state = body->carrier == WORLD_CROSS ? body->state : LOPE_CHARACTER_IDLE;
}

// ---- as time goes on

void world_give_up(world_body *body, lope_status status, const char *why)
{
    world_event(body, LOPE_EVENT_CANNOT, -1, status, why);
    world_errands_give_up(body);
    lope_character_stop(body->world, world_id_of(body));
}

static void end_task(world_body *body, lope_event_kind kind)
{
    world_event(body, kind, -1, LOPE_OK, "");
    world_crossing_leave(body);
    body->task = (world_task){.kind = LOPE_TASK_NONE};
    body->state = LOPE_CHARACTER_IDLE;
}

bool world_plan(world_body *body, lope_error *error)
{
    world_took_over(body);
    lope_status status = body->task.kind == LOPE_TASK_USE ? world_use_find(body, body->task.part, error)
                                                          : world_way_find(body, world_task_end(body).place, -1, error);
    if (status)
        return false;
    world_begin_way(body);
    body->nearest = world_way_left(body);
    return true;
}

// Why the way ahead cannot be gone, where a link on it is known to be the reason.
static const char *why_of(const world_body *body)
{
    for (int i = body->way.now; i < body->way.stretches.count; i++) {
        const world_stretch *s = (world_stretch *)body->way.stretches.items + i;
        if (s->crossing >= 0 && world_crossing_at(body->world, s->crossing)->why[0])
            return world_crossing_at(body->world, s->crossing)->why;
    }
    return NULL;
}

// Opens links that are closed for a while: nothing else leads there. False: there are none.
static bool open_all(lope_world *world)
{
    bool any = false;
    for (int i = 0; i < world->crossings.count; i++) {
        world_crossing *c = world_crossing_at(world, i);
        any |= c->closed_until > world->time;
        c->closed_until = 0.0;
    }
    return any;
}

// The link that it comes to next, if it is near; -1: none.
static int near_crossing(const world_body *body)
{
    const world_stretch *s = world_way_now(body), *next = world_way_next(body);
    return next && next->by == WORLD_CROSS && s->length - body->along < NEAR_LINE ? next->crossing : -1;
}

static void find_again(world_body *body)
{
    lope_error error;
    const char *why = why_of(body);
    const int had = body->crossing;
    if (body->world->looks_left <= 0)
        return;
    body->lost = false;
    if (body->retries++ > MOST_WAYS)
        world_give_up(body, LOPE_PARTIAL, why ? why : "no way of many led any farther");
    else if (!world_plan(body, &error) && (!open_all(body->world) || !world_plan(body, &error)))
        world_give_up(body, LOPE_NOT_FOUND, why ? why : error.message);
    else if (had >= 0 && near_crossing(body) == had)
        world_crossing_yield(body, had);
}

// Closes the link that it does not get over.
static void close_next(world_body *body)
{
    const world_stretch *next = world_way_next(body);
    if (next && next->crossing >= 0)
        world_crossing_at(body->world, next->crossing)->closed_until = body->world->time + CLOSED;
}

// Where walking gets nowhere, on the top of a wall, say, a gait may, which goes along the line and nowhere else; and
// the other way round.
static void carry_otherwise(world_body *body)
{
    const lope_world *world = body->world;
    world_stretch *s = world_way_now(body);
    if (s->by == WORLD_CROSS || !world->def.moves->rings)
        return;
    if (lope_v3_distance(world_place(body), world_way_at(body, s, body->along)) > ASTRAY) {
        body->lost = true;
        return;
    }
    world_body *other;
    if ((s->by == WORLD_WALK || body->stuck < PASSED) && world_near(body, OTHERS, &other, 1) > 0)
        return; // waits for others, or passes them
    const bool rises = fabsf(world_way_at(body, s, s->length).y - body->height) > WALKABLE;
    if (s->by == WORLD_GAIT && rises) { // walkers do not find treads: turned, another way from here
        body->lost = body->turning = true;
        return;
    }
    s->by = s->by == WORLD_WALK ? WORLD_GAIT : WORLD_WALK;
    body->waited = 0.0f;
    body->sent = false;
}

// Has been about one place for long.
static bool is_still(world_body *body)
{
    lope_vec3 here = world_place(body);
    body->still += body->world->dt;
    if (world_distance(here, body->still_at) > STILL_WITHIN || body->waits) {
        body->still_at = here;
        body->still = 0.0f;
    }
    bool still = body->still > STILL;
    if (still)
        body->still = 0.0f;
    return still;
}

// The one that somebody waits for; NULL: nobody.
static const world_body *waits_for(const world_body *body)
{
    int slot = body->waits && body->queued >= 0 ? world_crossing_user(body->world, body->queued) : -1;
    return slot >= 0 ? world_at(body->world, slot) : NULL;
}

// Whether it waits for somebody that goes on, maybe by way of others that wait; a body that sits will get up, unless
// it was told to sit for good.
static bool others_go_on(const world_body *body)
{
    const world_body *other = waits_for(body);
    for (int i = 0; other && i < MOST_WAITING; i++) {
        if (!other->alive)
            return false;
        if (other->on == LOPE_LINK_SEAT && other->carrier == WORLD_CROSS)
            return other->task.kind != LOPE_TASK_USE || isfinite(other->task.seconds);
        if (!waits_for(other))
            return other->stuck < GOES_ON;
        other = waits_for(other);
    }
    return false;
}

// Has been about one place for long. Somebody turns and comes to a stand where it is to stop; where walls keep a
// crowd's walker from that, it goes straight.
static void free_itself(world_body *body)
{
    const world_stretch *now = world_way_now(body), *next = world_way_next(body);
    world_body *other;
    bool stops = !next || next->by == WORLD_CROSS;
    if (!stops || lope_v3_distance(world_place(body), world_way_at(body, now, now->length)) > NEAR_END)
        carry_otherwise(body);
    else if (body->carrier == WORLD_WALK && body->sent && !body->straight && world_near(body, BESIDE, &other, 1) == 0)
        world_walk_straight(body, &body->sent_to);
}

// A gait that has come off the stairs which its way leads over, and goes along below them.
static bool is_below(const world_body *body)
{
    const world_stretch *s = world_way_now(body);
    return body->carrier == WORLD_GAIT && s->by == WORLD_GAIT &&
           fabsf(world_way_at(body, s, body->along).y - body->height) > ASTRAY;
}

static void watch_progress(world_body *body)
{
    float left = world_way_left(body);
    if (body->carrier == WORLD_CROSS || left < body->nearest - PROGRESS || others_go_on(body)) {
        body->nearest = left;
        body->stuck = 0.0f;
        return;
    }
    body->stuck += body->world->dt;
    bool going = lope_member_state_of(body->world->crowd, body->member) == LOPE_MEMBER_GOING;
    if (body->carrier == WORLD_WALK && going) // it may go another way around things than planned
        body->stuck = fminf(body->stuck, lope_member_stuck(body->world->crowd, body->member));
    bool other = !body->overdue && body->stuck >= ANOTHER;
    body->overdue = body->stuck >= ANOTHER;
    if (body->waits && !body->overdue)
        return;
    if (other)
        close_next(body);
    if (is_still(body) && !body->waits)
        free_itself(body);
    body->turning |= other && body->carrier == WORLD_GAIT;
    body->lost |= other || is_below(body);
    if (body->stuck > HOPELESS)
        world_give_up(body, LOPE_PARTIAL, "gets no farther");
}

static void next_place(world_body *body)
{
    lope_error error;
    body->task.place++;
    if (!world_plan(body, &error))
        world_give_up(body, LOPE_NOT_FOUND, error.message);
    body->nearest = INFINITY;
}

static void count_down(world_body *body)
{
    body->state = LOPE_CHARACTER_BUSY;
    body->task.seconds -= body->world->dt;
    if (body->task.seconds <= 0.0f)
        end_task(body, LOPE_EVENT_ENDED);
}

// At the end of the way.
static void arrive(world_body *body)
{
    world_task *t = &body->task;
    if (t->kind == LOPE_TASK_GO && t->place + 1 < t->place_count) {
        next_place(body);
    } else if (t->kind == LOPE_TASK_GO) {
        bool stop = t->places[t->place].stop;
        end_task(body, LOPE_EVENT_ARRIVED);
        if (!stop && body->carrier == WORLD_WALK)
            world_walk_stop(body);
    } else if (t->kind == LOPE_TASK_TALK && !t->begun) {
        world_talk_arrive(body);
    } else if (t->kind == LOPE_TASK_USE) {
        end_task(body, LOPE_EVENT_ARRIVED); // beyond the thing, or up again
    } else if (t->begun) {
        count_down(body);
    }
}

// What was used is done with: told at once, so that what comes next is gone on with instead of standing about.
bool world_task_up(world_body *body, int next)
{
    if (body->task.kind != LOPE_TASK_USE || next < body->way.stretches.count)
        return false;
    world_talk_end(body); // one that it had on its seat
    world_event(body, LOPE_EVENT_ARRIVED, -1, LOPE_OK, "");
    body->task = (world_task){.kind = LOPE_TASK_NONE};
    return true;
}

void world_tasks_decide(world_body *body)
{
    if (world_talk_step(body) && body->carrier != WORLD_CROSS)
        return;
    if (body->task.kind == LOPE_TASK_NONE) {
        if (body->carrier != WORLD_CROSS)
            body->state = LOPE_CHARACTER_IDLE;
        if (body->errands)
            world_errands_next(body);
        return;
    }
    if (body->carrier == WORLD_CROSS) {
        body->stuck = 0.0f;
        body->retries = 0;
        return;
    }
    if (body->task.kind == LOPE_TASK_DRIVE) {
        world_drive(body);
        return;
    }
    if (body->task.begun || !world_way_now(body) || world_talk_near(body)) {
        arrive(body);
        return;
    }
    body->state = body->waits ? LOPE_CHARACTER_QUEUEING : LOPE_CHARACTER_GOING;
    watch_progress(body);
    if (body->lost)
        find_again(body);
}
