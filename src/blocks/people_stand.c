// SPDX-License-Identifier: MIT
// Places to stand: those of the tiles that leave seats and stairs accessible; each is kept for one at a time.
#include "base/error.h"
#include "blocks/people.h"

// Metres between places that are kept for people, from those to seats, and from where stairs, ladders and slides begin
// and end.
#define STAND_APART 0.6f
#define OFF_SEATS 1.3f
#define OFF_DOORS 2.0f

static bool leaves_ways_open(const lope_people *p, lope_spot at)
{
    const lope_block_world *w = p->world;
    for (int s = 0; s < p->seats.count; s++) {
        lope_spot seat = seat_at(p, s)->at;
        if (hypotf(seat.x - at.x, seat.z - at.z) < OFF_SEATS && fabsf(seat.y - at.y) < OFF_SEATS)
            return false;
    }
    for (int j = 0; j < w->junctions.count; j++) {
        lope_spot door = junction_at(w, j)->at;
        if (p->search.doors[j].passage >= 0 && junction_at(w, j)->floor >= 0 &&
            hypotf(door.x - at.x, door.z - at.z) < OFF_DOORS && fabsf(door.y - at.y) < OFF_DOORS)
            return false;
    }
    return true;
}

lope_status people_find_stands(lope_people *p, lope_error *error)
{
    const lope_block_world *w = p->world;
    const lope_tile *tile = w->blocks->tile;
    p->stands.count = 0;
    for (int32_t node = 0; node < w->tile_nodes; node++) {
        const lope_tile_gate *gate = &tile->gates[node % tile->gate_count];
        if (!gate->inside || gate->pose != w->blocks->standing || !graph_node_lives(w, node))
            continue;
        int pose;
        people_stand stand = {node, lope_block_node_place(w, node, &pose)};
        if (leaves_ways_open(p, stand.at) && !list_add(&p->stands, &stand, sizeof stand))
            return lope_fail_memory(error);
    }
    return LOPE_OK;
}

// Whether nobody else keeps a place near to this one.
bool people_stand_is_free(const lope_people *p, int index, lope_spot at)
{
    for (int i = 0; i < p->count; i++) {
        const person *other = &p->persons[i];
        if (i == index || !other->alive)
            continue;
        if ((other->on_stand && people_distance(other->goal, at) < STAND_APART) ||
            (other->awaits >= 0 && other->wait_node >= 0 && people_distance(other->wait_at, at) < STAND_APART))
            return false;
    }
    return true;
}

// Stands are in the order of their nodes.
static bool is_stand(const lope_people *p, int node)
{
    int first = 0, end = p->stands.count;
    while (first < end) {
        int middle = (first + end) / 2;
        if (stand_at(p, middle)->node == node)
            return true;
        *(stand_at(p, middle)->node < node ? &first : &end) = stand_at(p, middle)->node < node ? middle + 1 : middle;
    }
    return false;
}

bool people_is_free_stand(const lope_people *p, int who, const people_goal *goal, int node)
{
    if (node >= p->world->tile_nodes)
        return false;
    const lope_tile *tile = p->world->blocks->tile;
    const lope_tile_gate *gate = &tile->gates[node % tile->gate_count];
    if (!gate->inside || gate->pose != p->world->blocks->standing)
        return false;
    lope_spot at = people_node_place(p, node);
    return people_distance(at, goal->at) < goal->reach && is_stand(p, node) && people_stand_is_free(p, who, at);
}

// The nearest place to stand that is free and can be come to; -1: none.
int people_find_stand(const lope_people *p, int index, lope_spot near)
{
    float least = INFINITY;
    int best = -1;
    for (int i = 0; i < p->stands.count; i++) {
        const people_stand *stand = stand_at(p, i);
        float d = people_distance(stand->at, near);
        if (d < least && p->search.reached[stand->node] && people_stand_is_free(p, index, stand->at)) {
            least = d;
            best = stand->node;
        }
    }
    return best;
}

int people_way_to_stand(lope_people *p, int index, int from, float reach)
{
    person *who = &p->persons[index];
    people_goal goal = {
        .node = -1, .at = people_node_place(p, from), .reach = reach, .seat = -1, .is_goal = people_is_free_stand};
    int end, count = people_way(p, index, from, &goal, who->route, PEOPLE_ROUTE, &end);
    who->route_at = 0;
    who->route_count = count < 0 ? 0 : count < PEOPLE_ROUTE ? count : PEOPLE_ROUTE;
    return count < 0 ? -1 : end;
}
