// SPDX-License-Identifier: MIT
// What people are told, and what becomes of it: tasks, ways to where they lead, how long one stays.
#include "base/error.h"
#include "blocks/people.h"

// Ways that are not found before one gives up, seconds between two such attempts.
#define MOST_FAILURES 5
#define TRY_AGAIN 2.0f
// Metres by which another place than the nearest one may be farther off.
#define SLACK 1.5f

static people_goal goal_at(const lope_people *p, int node)
{
    return (people_goal){.node = node,
                         .at = people_node_place(p, node),
                         .seat = node >= p->world->tile_nodes ? p->search.seat[node - p->world->tile_nodes] : -1};
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

void people_set_task(const lope_people *p, person *who, person_task task, int target, float seconds)
{
    who->task = task;
    who->target = target;
    who->goal = target >= 0 ? people_node_place(p, target) : (lope_spot){0};
    who->seconds = seconds;
    who->arrived = who->in_line = false;
    who->on_stand = target >= 0 && task != TASK_SIT;
    who->awaits = -1;
    who->awaits_since = -1.0;
    who->partner = -1;
    who->slack = 0.0f;
    who->failures = 0;
    who->route_at = who->route_count = 0;
    who->patience = 0.0f;
    who->stuck = 0.0f;
    who->mark = lope_v3(INFINITY, 0.0f, 0.0f);
    wake(who);
}

void people_free(lope_people *p, int index)
{
    person *who = &p->persons[index];
    int partner = who->partner;
    people_leave_seat(p, index, false);
    people_set_task(p, who, TASK_ROAM, -1, 0.0f);
    if (partner >= 0 && p->persons[partner].partner == index)
        people_free(p, partner);
}

bool people_stays(const lope_people *p, const person *who, int node)
{
    if (who->awaits >= 0)
        return node == who->wait_node;
    if (!who->arrived || !(who->seconds > 0.0f))
        return false;
    return who->task == TASK_SIT && !who->in_line ? people_sits_near(p, who, node) : node == who->target;
}

// The way to where it should be; those with some slack take the free place that is reached soonest.
static void plan_way(lope_people *p, int index, int from, int to)
{
    person *who = &p->persons[index];
    people_goal goal = goal_at(p, to);
    int end = to;
    who->route_at = who->route_count = 0;
    if (who->slack > 0.0f)
        goal = (people_goal){
            .node = -1, .at = who->wish, .reach = who->slack, .seat = -1, .is_goal = people_is_free_stand};
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
        who->goal = people_node_place(p, end);
    }
}

// Whoever roams and is on a thing or in front of one goes back to the floor first.
static void roam_on(lope_people *p, int index, int node)
{
    person *who = &p->persons[index];
    if (node < p->world->tile_nodes || p->stands.count == 0 || who->route_at < who->route_count)
        return;
    lope_spot here = people_node_place(p, node);
    int best = -1;
    for (int i = 0; i < 32; i++) { // one of those not too far away
        int at = (int)(person_draw(who) * (float)p->stands.count) % p->stands.count;
        if (best < 0 || people_distance(stand_at(p, at)->at, here) < people_distance(stand_at(p, best)->at, here))
            best = at;
    }
    plan_way(p, index, node, stand_at(p, best)->node);
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
    bool there = who->task == TASK_SIT && !who->in_line ? people_sits_near(p, who, node) : node == who->target;
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
    who->queued = going && who->awaits >= 0 ? who->queued + dt : 0.0f;
    who->stuck = who->awaits >= 0 ? 0.0f : who->stuck + (going ? dt : 0.0f);
    p->counts.longest_way = fmaxf(p->counts.longest_way, who->way);
    p->counts.longest_queue = fmaxf(p->counts.longest_queue, who->queued);
    p->counts.longest_stuck = fmaxf(p->counts.longest_stuck, who->stuck);
}

void people_task_step(lope_people *p, int index, float dt)
{
    person *who = &p->persons[index];
    lope_spot at = lope_block_player_place(&who->player);
    who->patience -= dt;
    people_passage_step(p, index, dt);
    note_progress(p, who, at, dt);
    // A person that has got up and away leaves the seat to the next one.
    if (who->leaving >= 0 && !people_is_near_seat(p, who, who->leaving)) {
        seat_at(p, who->leaving)->owner = -1;
        who->leaving = -1;
    }
    if (who->in_line) {
        people_come_forward(p, index);
        return;
    }
    if (who->task == TASK_ROAM || !who->arrived)
        return;
    if (who->task != TASK_CHAT || people_both_there(p, who))
        who->seconds -= dt;
    if (who->seconds <= 0.0f)
        people_free(p, index);
}

lope_status people_check(lope_people *p, int index, float seconds, lope_error *error)
{
    lope_status status = people_follow_world(p, error);
    if (status)
        return status;
    if (!people_is_there(p, index))
        return lope_fail(error, LOPE_NOT_FOUND, "there is no person %d", index);
    if (!(seconds > 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "people stay for some seconds, found %g", (double)seconds);
    return LOPE_OK;
}

lope_status lope_person_go(lope_people *p, int index, lope_spot goal, float seconds, lope_error *error)
{
    lope_status status = people_check(p, index, seconds, error);
    if (status)
        return status;
    if (!isfinite(goal.x) || !isfinite(goal.y) || !isfinite(goal.z))
        return lope_fail(error, LOPE_BAD_DATA, "nobody can go to (%g, %g, %g)", (double)goal.x, (double)goal.y,
                         (double)goal.z);
    int stand = people_find_stand(p, index, goal);
    if (stand < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "no way leads to a free place near (%g, %g, %g)", (double)goal.x,
                         (double)goal.y, (double)goal.z);
    people_free(p, index);
    person *who = &p->persons[index];
    people_set_task(p, who, TASK_STAND, stand, seconds);
    who->wish = goal;
    who->slack = people_distance(who->goal, goal) + SLACK;
    return LOPE_OK;
}

lope_status lope_person_idle(lope_people *p, int index, float seconds, lope_error *error)
{
    lope_status status = people_check(p, index, seconds, error);
    if (status)
        return status;
    return lope_person_go(p, index, people_node_place(p, people_node_ahead(&p->persons[index])), seconds, error);
}

void lope_person_roam(lope_people *p, int index)
{
    if (people_is_there(p, index))
        people_free(p, index);
}

lope_person_state lope_person_state_of(const lope_people *p, int index)
{
    if (!people_is_there(p, index))
        return LOPE_PERSON_GONE;
    const person *who = &p->persons[index];
    if (who->task == TASK_ROAM)
        return LOPE_PERSON_ROAMING;
    if (who->in_line)
        return LOPE_PERSON_QUEUEING;
    if (!who->arrived)
        return LOPE_PERSON_GOING;
    if (who->task == TASK_CHAT)
        return people_both_there(p, who) ? LOPE_PERSON_CHATTING : LOPE_PERSON_STANDING;
    return who->task == TASK_SIT ? LOPE_PERSON_SITTING : LOPE_PERSON_STANDING;
}
