// SPDX-License-Identifier: MIT
// Two who talk: places where they stand a step apart and look at each other.
#include "base/error.h"
#include "blocks/people.h"

// How far two who talk stand apart at least and at most (metres), and how far they may be turned off each other
// (radians): rather little, where there are such places.
#define TALK_NEAREST 0.8f
#define TALK_FARTHEST 2.1f
#define TALK_TURN 0.52f
#define TALK_TURN_MOST 0.95f
// Metres around the middle between two within which places are looked for.
#define NEARBY 8.0f

bool people_both_there(const lope_people *p, const person *who)
{
    return who->partner >= 0 && who->arrived && p->persons[who->partner].arrived &&
           p->persons[who->partner].task == TASK_CHAT;
}

// How bad it is to talk from two places: metres too far, radians turned off each other. INFINITY: not possible.
static float awkwardness(lope_spot a, lope_spot b, float most)
{
    float apart = people_distance(a, b);
    if (apart < TALK_NEAREST || apart > TALK_FARTHEST)
        return INFINITY;
    float way = (float)lope_atan2((double)(b.x - a.x), (double)(b.z - a.z));
    float first = fabsf(lope_wrap_angle(a.yaw - way));
    float second = fabsf(lope_wrap_angle(b.yaw - way - (float)LOPE_PI));
    return first > most || second > most ? INFINITY : fabsf(apart - 1.2f) + 2.0f * (first + second);
}

// The best partner place for a place; -1: none.
static int face_to(const lope_people *p, int who, lope_spot first, float most, float *cost)
{
    int best = -1;
    *cost = INFINITY;
    for (int k = 0; k < p->stands.count; k++) {
        lope_spot second = stand_at(p, k)->at;
        float found = awkwardness(first, second, most);
        if (found < *cost && p->search.reached[stand_at(p, k)->node] && people_stand_is_free(p, who, second)) {
            *cost = found;
            best = stand_at(p, k)->node;
        }
    }
    return best;
}

// Two places that face each other, near the middle between two people.
static bool find_talk(const lope_people *p, int a, int b, float most, int out[2])
{
    lope_spot x = people_node_place(p, people_node_ahead(&p->persons[a])),
              y = people_node_place(p, people_node_ahead(&p->persons[b]));
    lope_spot middle = {0.5f * (x.x + y.x), 0.5f * (x.y + y.y), 0.5f * (x.z + y.z), 0.0f};
    float least = INFINITY;
    for (int i = 0; i < p->stands.count; i++) {
        const people_stand *first = stand_at(p, i);
        float off = people_distance(first->at, middle), cost;
        if (off > NEARBY || off >= least || !p->search.reached[first->node] || !people_stand_is_free(p, a, first->at))
            continue;
        int other = face_to(p, b, first->at, most, &cost);
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
    lope_status status = people_check(p, index, seconds, error);
    if (!status)
        status = people_check(p, other, seconds, error);
    if (status)
        return status;
    if (index == other)
        return lope_fail(error, LOPE_BAD_DATA, "person %d talks to itself", index);
    int places[2] = {-1, -1};
    if (!find_talk(p, index, other, TALK_TURN, places) && !find_talk(p, index, other, TALK_TURN_MOST, places))
        return lope_fail(error, LOPE_NOT_FOUND,
                         "there is no place near persons %d and %d where two can face each other", index, other);
    people_free(p, index);
    people_free(p, other);
    people_set_task(p, &p->persons[index], TASK_CHAT, places[0], seconds);
    people_set_task(p, &p->persons[other], TASK_CHAT, places[1], seconds);
    p->persons[index].partner = other;
    p->persons[other].partner = index;
    p->counts.chats++;
    return LOPE_OK;
}
