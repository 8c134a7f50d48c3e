// SPDX-License-Identifier: MIT
// What people are told, and what becomes of it: places to stand that are kept for one, seats with a line, two who talk.
#include "base/error.h"
#include "blocks/people.h"

// Metres between places that are kept for people, and from a seat at which its next user may come.
#define STAND_APART 0.6f
#define LEFT_SEAT 1.0f
// How far two who talk stand apart at least and at most (metres), and how they may be turned off each other (radians).
#define TALK_NEAREST 0.7f
#define TALK_FARTHEST 2.1f
#define TALK_TURN 0.95f
// Ways that are not found before one gives up, seconds between two such attempts, metres within which places are looked
// for.
#define MOST_FAILURES 5
#define TRY_AGAIN 2.0f
#define NEARBY 8.0f
// Metres by which another place than the nearest one may be farther off.
#define SLACK 1.5f

static lope_spot node_place(const lope_people *p, int node)
{
    int pose;
    return lope_block_node_place(p->world, node, &pose);
}

static float distance(lope_spot a, lope_spot b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static bool is_person(const lope_people *p, int index)
{
    return index >= 0 && index < p->count && p->persons[index].alive;
}

// The node that it comes to when it has played what is decided.
static int node_ahead(const person *who)
{
    return who->has_next ? who->next.to : who->player.step.to;
}

// Whether nobody else keeps a place near to this one.
static bool stand_is_free(const lope_people *p, int index, lope_spot at)
{
    for (int i = 0; i < p->count; i++) {
        const person *other = &p->persons[i];
        if (i == index || !other->alive)
            continue;
        if ((other->on_stand && distance(other->goal, at) < STAND_APART) ||
            (other->awaits >= 0 && other->wait_node >= 0 && distance(other->wait_at, at) < STAND_APART))
            return false;
    }
    return true;
}

static people_goal goal_at(const lope_people *p, int node)
{
    return (people_goal){.node = node,
                         .at = node_place(p, node),
                         .seat = node >= p->world->tile_nodes ? p->search.seat[node - p->world->tile_nodes] : -1};
}

static bool is_free_stand(const lope_people *p, int who, const people_goal *goal, int node)
{
    if (node >= p->world->tile_nodes)
        return false;
    const lope_tile *tile = p->world->blocks->tile;
    const lope_tile_gate *gate = &tile->gates[node % tile->gate_count];
    if (!gate->inside || gate->pose != p->world->blocks->standing)
        return false;
    lope_spot at = node_place(p, node);
    return distance(at, goal->at) < goal->reach && people_can_wait_at(p, at) && stand_is_free(p, who, at);
}

// The nearest place to stand that is free and can be come to; -1: none.
static int find_stand(const lope_people *p, int index, lope_spot near)
{
    float least = INFINITY;
    int best = -1;
    for (int i = 0; i < p->stands.count; i++) {
        const people_stand *stand = stand_at(p, i);
        float d = distance(stand->at, near);
        if (d < least && p->search.reached[stand->node] && stand_is_free(p, index, stand->at)) {
            least = d;
            best = stand->node;
        }
    }
    return best;
}

// Ends what it does while it stays somewhere, so that it can do something else.
static void wake(person *who)
{
    lope_block_step *step = &who->player.step;
    if (who->has_next && who->next.from == who->next.to && step->to == who->next.from)
        who->has_next = false;
    if (step->from == step->to && step->segment.piece.frames > who->player.frame + 2)
        step->segment.piece.frames = who->player.frame + 2;
    who->undecided = 0.0f;
}

static void set_task(const lope_people *p, person *who, person_task task, int target, float seconds)
{
    who->task = task;
    who->target = target;
    who->goal = target >= 0 ? node_place(p, target) : (lope_spot){0};
    who->seconds = seconds;
    who->arrived = who->in_line = false;
    who->on_stand = target >= 0 && task != TASK_SIT;
    who->awaits = -1;
    who->partner = -1;
    who->slack = 0.0f;
    who->failures = 0;
    who->route_at = who->route_count = 0;
    who->patience = 0.0f;
    who->stuck = 0.0f;
    who->mark = lope_v3(INFINITY, 0.0f, 0.0f);
    wake(who);
}

static bool is_near_seat(const lope_people *p, const person *who, int seat)
{
    lope_spot at = lope_block_player_place(&who->player);
    return hypotf(at.x - seat_at(p, seat)->at.x, at.z - seat_at(p, seat)->at.z) < LEFT_SEAT;
}

void people_leave_seat(lope_people *p, int index, bool now)
{
    person *who = &p->persons[index];
    if (who->seat >= 0 && seat_at(p, who->seat)->owner == index) {
        if (!now && who->leaving < 0 && is_near_seat(p, who, who->seat))
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

void people_free(lope_people *p, int index)
{
    person *who = &p->persons[index];
    int partner = who->partner;
    people_leave_seat(p, index, false);
    set_task(p, who, TASK_ROAM, -1, 0.0f);
    if (partner >= 0 && p->persons[partner].partner == index)
        people_free(p, partner);
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

static void take_seat(lope_people *p, int index, int seat, float seconds)
{
    person *who = &p->persons[index];
    set_task(p, who, TASK_SIT, seat_at(p, seat)->node, seconds);
    who->seat = seat;
    who->leaving = who->leaving == seat ? -1 : who->leaving;
    seat_at(p, seat)->owner = index;
}

static bool sits_near(const lope_people *p, const person *who, int node)
{
    return who->seat >= 0 && node >= p->world->tile_nodes &&
           junction_at(p->world, node - p->world->tile_nodes)->floor < 0 &&
           distance(node_place(p, node), seat_at(p, who->seat)->at) < PEOPLE_SAME;
}

bool people_stays(const lope_people *p, const person *who, int node)
{
    if (who->awaits >= 0)
        return node == who->wait_node;
    if (!who->arrived || !(who->seconds > 0.0f))
        return false;
    return who->task == TASK_SIT && !who->in_line ? sits_near(p, who, node) : node == who->target;
}

// The way to where it should be; those with some slack take the free place that is reached soonest.
static void plan_way(lope_people *p, int index, int from, int to)
{
    person *who = &p->persons[index];
    people_goal goal = goal_at(p, to);
    int end = to;
    who->route_at = who->route_count = 0;
    if (who->slack > 0.0f)
        goal = (people_goal){.node = -1, .at = who->wish, .reach = who->slack, .seat = -1, .is_goal = is_free_stand};
    int count = people_way(p, index, from, &goal, who->route, PEOPLE_ROUTE, &end);
    if (count < 0) {
        who->patience = TRY_AGAIN;
        if (++who->failures >= MOST_FAILURES)
            people_free(p, index);
        return;
    }
    who->failures = 0;
    who->route_count = count < PEOPLE_ROUTE ? count : PEOPLE_ROUTE;
    if (who->slack > 0.0f && end != who->target) {
        who->target = end;
        who->goal = node_place(p, end);
    }
}

// Whoever roams and is on a thing or in front of one goes back to the floor first.
static void roam_on(lope_people *p, int index, int node)
{
    person *who = &p->persons[index];
    if (node < p->world->tile_nodes || p->stands.count == 0 || who->route_at < who->route_count)
        return;
    lope_spot here = node_place(p, node);
    int best = -1;
    for (int i = 0; i < 32; i++) { // one of those not too far away
        int at = (int)(person_draw(who) * (float)p->stands.count) % p->stands.count;
        if (best < 0 || distance(stand_at(p, at)->at, here) < distance(stand_at(p, best)->at, here))
            best = at;
    }
    plan_way(p, index, node, stand_at(p, best)->node);
}

int people_way_to_stand(lope_people *p, int index, int from, float reach)
{
    person *who = &p->persons[index];
    people_goal goal = {.node = -1, .at = node_place(p, from), .reach = reach, .seat = -1, .is_goal = is_free_stand};
    int end, count = people_way(p, index, from, &goal, who->route, PEOPLE_ROUTE, &end);
    who->route_at = 0;
    who->route_count = count < 0 ? 0 : count < PEOPLE_ROUTE ? count : PEOPLE_ROUTE;
    return count < 0 ? -1 : end;
}

static void follow(lope_people *p, int index, int node)
{
    person *who = &p->persons[index];
    if (who->awaits >= 0)
        return;
    if (who->task == TASK_ROAM) {
        roam_on(p, index, node);
        return;
    }
    bool there = who->task == TASK_SIT && !who->in_line ? sits_near(p, who, node) : node == who->target;
    if (there && !who->arrived) {
        who->arrived = true;
        p->counts.sittings += who->task == TASK_SIT && !who->in_line;
    }
    if (there || who->route_at < who->route_count || who->patience > 0.0f)
        return;
    who->arrived = false;
    plan_way(p, index, node, who->target);
}

void people_follow_task(lope_people *p, int index, int node)
{
    follow(p, index, node);
    if (people_pass(p, index, node))
        return;
    follow(p, index, node);
    people_pass(p, index, node);
}

static void come_forward(lope_people *p, int index)
{
    person *who = &p->persons[index];
    if (seat_at(p, who->seat)->owner < 0 && is_first_in_line(p, index))
        take_seat(p, index, who->seat, who->seconds);
}

static bool both_there(const lope_people *p, const person *who)
{
    return who->partner >= 0 && who->arrived && p->persons[who->partner].arrived &&
           p->persons[who->partner].task == TASK_CHAT;
}

static void note_progress(lope_people *p, person *who, lope_spot at, float dt)
{
    lope_vec3 here = lope_v3(at.x, at.y, at.z);
    bool going = who->task != TASK_ROAM && !who->arrived && !who->in_line;
    const lope_block_step *step = &who->player.step;
    if (!going || step->from != step->to || !(lope_v3_distance(here, who->mark) < 0.5f)) {
        who->mark = here;
        who->stuck = 0.0f;
    }
    who->way = going ? who->way + dt : 0.0f;
    who->hassle = going ? who->hassle + (who->awaits < 0 ? dt : 0.0f) : 0.0f;
    who->stuck += going ? dt : 0.0f;
    p->counts.longest_way = fmaxf(p->counts.longest_way, who->way);
    p->counts.longest_stuck = fmaxf(p->counts.longest_stuck, who->stuck);
}

void people_task_step(lope_people *p, int index, float dt)
{
    person *who = &p->persons[index];
    lope_spot at = lope_block_player_place(&who->player);
    who->patience -= dt;
    people_passage_step(p, index, dt);
    note_progress(p, who, at, dt);
    // Whoever has got up and away leaves the seat to the next one.
    if (who->leaving >= 0 && !is_near_seat(p, who, who->leaving)) {
        seat_at(p, who->leaving)->owner = -1;
        who->leaving = -1;
    }
    if (who->in_line) {
        come_forward(p, index);
        return;
    }
    if (who->task == TASK_ROAM || !who->arrived)
        return;
    if (who->task != TASK_CHAT || both_there(p, who))
        who->seconds -= dt;
    if (who->seconds <= 0.0f)
        people_free(p, index);
}

static lope_status check(const lope_people *p, int index, float seconds, lope_error *error)
{
    if (!is_person(p, index))
        return lope_fail(error, LOPE_NOT_FOUND, "there is no person %d", index);
    if (!(seconds > 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "people stay for some seconds, found %g", (double)seconds);
    return LOPE_OK;
}

lope_status lope_person_go(lope_people *p, int index, lope_spot goal, float seconds, lope_error *error)
{
    lope_status status = check(p, index, seconds, error);
    if (status)
        return status;
    if (!isfinite(goal.x) || !isfinite(goal.y) || !isfinite(goal.z))
        return lope_fail(error, LOPE_BAD_DATA, "nobody can go to (%g, %g, %g)", (double)goal.x, (double)goal.y,
                         (double)goal.z);
    int stand = find_stand(p, index, goal);
    if (stand < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "no way leads to a free place near (%g, %g, %g)", (double)goal.x,
                         (double)goal.y, (double)goal.z);
    people_free(p, index);
    person *who = &p->persons[index];
    set_task(p, who, TASK_STAND, stand, seconds);
    who->wish = goal;
    who->slack = distance(who->goal, goal) + SLACK;
    return LOPE_OK;
}

lope_status lope_person_idle(lope_people *p, int index, float seconds, lope_error *error)
{
    lope_status status = check(p, index, seconds, error);
    if (status)
        return status;
    return lope_person_go(p, index, node_place(p, node_ahead(&p->persons[index])), seconds, error);
}

// The nearest seat that is free, or else the one with the shortest line; -1: there is none.
static int choose_seat(const lope_people *p, int index)
{
    lope_spot here = lope_block_player_place(&p->persons[index].player);
    int best = -1;
    float least = INFINITY;
    for (int s = 0; s < p->seats.count; s++) {
        int before = (seat_at(p, s)->owner >= 0 && seat_at(p, s)->owner != index) + line_of(p, s);
        float cost = distance(seat_at(p, s)->at, here) + 1000.0f * (float)before;
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
    int stand = find_stand(p, index, seat_at(p, seat)->at);
    if (stand < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "object %d is taken, and there is no place to wait near it",
                         seat_at(p, seat)->object);
    people_free(p, index);
    set_task(p, who, TASK_SIT, stand, seconds);
    who->seat = seat;
    who->in_line = who->on_stand = true;
    who->wish = seat_at(p, seat)->at;
    who->slack = distance(who->goal, who->wish) + 2.0f * SLACK;
    who->ticket = ++p->tickets;
    p->counts.waits++;
    return LOPE_OK;
}

lope_status lope_person_sit(lope_people *p, int index, int object, float seconds, lope_error *error)
{
    lope_status status = check(p, index, seconds, error);
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
    take_seat(p, index, seat, seconds);
    return LOPE_OK;
}

// How bad it is to talk from two places: metres too far, radians turned off each other. INFINITY: not possible.
static float awkwardness(lope_spot a, lope_spot b)
{
    float apart = distance(a, b);
    if (apart < TALK_NEAREST || apart > TALK_FARTHEST)
        return INFINITY;
    float way = (float)lope_atan2((double)(b.x - a.x), (double)(b.z - a.z));
    float first = fabsf(lope_wrap_angle(a.yaw - way));
    float second = fabsf(lope_wrap_angle(b.yaw - way - (float)LOPE_PI));
    return first > TALK_TURN || second > TALK_TURN ? INFINITY : fabsf(apart - 1.2f) + 2.0f * (first + second);
}

// The best partner place for a place; -1: none.
static int face_to(const lope_people *p, int who, lope_spot first, float *cost)
{
    int best = -1;
    *cost = INFINITY;
    for (int k = 0; k < p->stands.count; k++) {
        lope_spot second = stand_at(p, k)->at;
        float found = awkwardness(first, second);
        if (found < *cost && p->search.reached[stand_at(p, k)->node] && stand_is_free(p, who, second)) {
            *cost = found;
            best = stand_at(p, k)->node;
        }
    }
    return best;
}

// Two places that face each other, near the middle between two people.
static bool find_talk(const lope_people *p, int a, int b, int out[2])
{
    lope_spot x = node_place(p, node_ahead(&p->persons[a])), y = node_place(p, node_ahead(&p->persons[b]));
    lope_spot middle = {0.5f * (x.x + y.x), 0.5f * (x.y + y.y), 0.5f * (x.z + y.z), 0.0f};
    float least = INFINITY;
    for (int i = 0; i < p->stands.count; i++) {
        const people_stand *first = stand_at(p, i);
        float off = distance(first->at, middle), cost;
        if (off > NEARBY || off >= least || !p->search.reached[first->node] || !stand_is_free(p, a, first->at))
            continue;
        int other = face_to(p, b, first->at, &cost);
        if (other < 0 || off + cost >= least)
            continue;
        least = off + cost;
        out[0] = first->node;
        out[1] = other;
    }
    return least < INFINITY;
}

lope_status lope_person_chat(lope_people *p, int index, int other, float seconds, lope_error *error)
{
    lope_status status = check(p, index, seconds, error);
    if (!status)
        status = check(p, other, seconds, error);
    if (status)
        return status;
    if (index == other)
        return lope_fail(error, LOPE_BAD_DATA, "person %d talks to itself", index);
    int places[2] = {-1, -1};
    if (!find_talk(p, index, other, places))
        return lope_fail(error, LOPE_NOT_FOUND,
                         "there is no place near persons %d and %d where two can face each other", index, other);
    people_free(p, index);
    people_free(p, other);
    set_task(p, &p->persons[index], TASK_CHAT, places[0], seconds);
    set_task(p, &p->persons[other], TASK_CHAT, places[1], seconds);
    p->persons[index].partner = other;
    p->persons[other].partner = index;
    p->counts.chats++;
    return LOPE_OK;
}

void lope_person_roam(lope_people *p, int index)
{
    if (is_person(p, index))
        people_free(p, index);
}

lope_person_state lope_person_state_of(const lope_people *p, int index)
{
    if (!is_person(p, index))
        return LOPE_PERSON_GONE;
    const person *who = &p->persons[index];
    if (who->task == TASK_ROAM)
        return LOPE_PERSON_ROAMING;
    if (who->in_line)
        return LOPE_PERSON_QUEUEING;
    if (!who->arrived)
        return LOPE_PERSON_GOING;
    if (who->task == TASK_CHAT)
        return both_there(p, who) ? LOPE_PERSON_CHATTING : LOPE_PERSON_STANDING;
    return who->task == TASK_SIT ? LOPE_PERSON_SITTING : LOPE_PERSON_STANDING;
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
