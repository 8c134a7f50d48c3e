// SPDX-License-Identifier: MIT
// Seats: each has one owner at a time, from the moment it is promised until its user is away; others wait in line.
#include "base/error.h"
#include "blocks/people.h"

// Metres from a seat at which its next user may come.
#define LEFT_SEAT 1.0f
// Metres by which a place to wait may be farther off than the nearest one.
#define SLACK 3.0f

bool people_is_near_seat(const lope_people *p, const person *who, int seat)
{
    lope_spot at = lope_block_player_place(&who->player);
    return hypotf(at.x - seat_at(p, seat)->at.x, at.z - seat_at(p, seat)->at.z) < LEFT_SEAT;
}

void people_leave_seat(lope_people *p, int index, bool now)
{
    person *who = &p->persons[index];
    if (who->seat >= 0 && seat_at(p, who->seat)->owner == index) {
        if (!now && who->leaving < 0 && people_is_near_seat(p, who, who->seat))
            who->leaving = who->seat;
        else if (who->leaving != who->seat)
            seat_at(p, who->seat)->owner = -1;
    }
    who->seat = -1;
    if (now && who->leaving >= 0) {
        seat_at(p, who->leaving)->owner = -1;
        who->leaving = -1;
    }
}

static bool is_first_in_line(const lope_people *p, int index)
{
    const person *who = &p->persons[index];
    for (int i = 0; i < p->count; i++) {
        const person *other = &p->persons[i];
        if (i != index && other->alive && other->in_line && other->seat == who->seat && other->ticket < who->ticket)
            return false;
    }
    return true;
}

static int line_of(const lope_people *p, int seat)
{
    int count = 0;
    for (int i = 0; i < p->count; i++)
        count += p->persons[i].alive && p->persons[i].in_line && p->persons[i].seat == seat;
    return count;
}

void people_take_seat(lope_people *p, int index, int seat, float seconds)
{
    person *who = &p->persons[index];
    people_set_task(p, who, TASK_SIT, seat_at(p, seat)->node, seconds);
    who->seat = seat;
    who->leaving = who->leaving == seat ? -1 : who->leaving;
    seat_at(p, seat)->owner = index;
}

bool people_sits_near(const lope_people *p, const person *who, int node)
{
    return who->seat >= 0 && node >= p->world->tile_nodes &&
           junction_at(p->world, node - p->world->tile_nodes)->floor < 0 &&
           people_distance(people_node_place(p, node), seat_at(p, who->seat)->at) < PEOPLE_SAME;
}

void people_come_forward(lope_people *p, int index)
{
    person *who = &p->persons[index];
    if (seat_at(p, who->seat)->owner < 0 && is_first_in_line(p, index))
        people_take_seat(p, index, who->seat, who->seconds);
}

// The nearest seat that is free, or else the one with the shortest line; -1: there is none.
static int choose_seat(const lope_people *p, int index)
{
    lope_spot here = lope_block_player_place(&p->persons[index].player);
    int best = -1;
    float least = INFINITY;
    for (int s = 0; s < p->seats.count; s++) {
        int before = (seat_at(p, s)->owner >= 0 && seat_at(p, s)->owner != index) + line_of(p, s);
        float cost = people_distance(seat_at(p, s)->at, here) + 1000.0f * (float)before;
        if (cost < least && p->search.reached[seat_at(p, s)->node]) {
            least = cost;
            best = s;
        }
    }
    return best;
}

static int seat_of_object(const lope_people *p, int object)
{
    for (int s = 0; s < p->seats.count; s++)
        if (seat_at(p, s)->object == object)
            return s;
    return -1;
}

static lope_status wait_in_line(lope_people *p, int index, int seat, float seconds, lope_error *error)
{
    person *who = &p->persons[index];
    int stand = people_find_stand(p, index, seat_at(p, seat)->at);
    if (stand < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "object %d is taken, and there is no place to wait near it",
                         seat_at(p, seat)->object);
    people_free(p, index);
    people_set_task(p, who, TASK_SIT, stand, seconds);
    who->seat = seat;
    who->in_line = who->on_stand = true;
    who->wish = seat_at(p, seat)->at;
    who->slack = people_distance(who->goal, who->wish) + SLACK;
    who->ticket = ++p->tickets;
    p->counts.waits++;
    return LOPE_OK;
}

lope_status lope_person_sit(lope_people *p, int index, int object, float seconds, lope_error *error)
{
    lope_status status = people_check(p, index, seconds, error);
    if (status)
        return status;
    int seat = object < 0 ? choose_seat(p, index) : seat_of_object(p, object);
    if (seat < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "nobody can sit on object %d", object);
    if (!p->search.reached[seat_at(p, seat)->node])
        return lope_fail(error, LOPE_NOT_FOUND, "no way leads to object %d", seat_at(p, seat)->object);
    int owner = seat_at(p, seat)->owner;
    if ((owner >= 0 && owner != index) || line_of(p, seat) > 0)
        return wait_in_line(p, index, seat, seconds, error);
    people_free(p, index);
    people_take_seat(p, index, seat, seconds);
    return LOPE_OK;
}

int lope_people_seat_count(const lope_people *p)
{
    return p->seats.count;
}

int lope_people_seat(const lope_people *p, int index)
{
    return index >= 0 && index < p->seats.count ? seat_at(p, index)->object : -1;
}

int lope_people_seat_owner(const lope_people *p, int object)
{
    int seat = seat_of_object(p, object);
    return seat >= 0 ? seat_at(p, seat)->owner : -1;
}

int lope_people_seat_line(const lope_people *p, int object)
{
    int seat = seat_of_object(p, object);
    return seat >= 0 ? line_of(p, seat) : 0;
}
