// SPDX-License-Identifier: MIT
// Passages: stairs, ladders and slides, where nobody can step aside. A person that is let in comes out at the other end
// before anybody comes from there; who must wait does so at a place to stand nearby. Those who come from one end follow
// each other for a while, then it is the turn of the other end.
#include "base/error.h"
#include "base/memory.h"
#include "blocks/people.h"

// Seconds for which others follow while somebody waits at the other end.
#define BATCH 12.0
// Those who were let in but are not there yet, at most: more would be in each other's way.
#define MOST_COMING 3
// Seconds for which a passage is kept for somebody who is not there yet, or not any more.
#define KEPT_BEFORE 20.0f
#define KEPT_AFTER 0.3f
// Seconds that one expects to wait where others come from the other end, for each that goes before one, and, for those
// who were let in somewhere, anywhere else.
#define AGAINST 60.0f
#define AFTER_ANOTHER 4.0f
#define ELSEWHERE 60.0f
// Metres around somebody who must wait in which a place to do so is looked for; metres that such places are away from
// where people come out.
#define WAIT_NEARBY 8.0f

static people_door *door_of(const lope_people *p, int node)
{
    return node >= p->world->tile_nodes ? &p->search.doors[node - p->world->tile_nodes] : NULL;
}

static bool is_inside(const lope_people *p, int junction)
{
    return junction_at(p->world, junction)->floor < 0 && p->search.seat[junction] < 0;
}

static int root_of(int32_t *parents, int object)
{
    while (parents[object] != object)
        object = parents[object] = parents[parents[object]];
    return object;
}

// Things that are used together by motion that is neither on a floor nor on a seat are one passage: the steps of a
// flight, the sections of a ladder.
static bool is_passage(const lope_people *p, const lope_block_instance *instance)
{
    const lope_block_world *w = p->world;
    const lope_block *block = &w->blocks->blocks[instance->block];
    const int32_t *junctions = (const int32_t *)w->junction_of.items + instance->gate_first;
    for (int g = 0; g < block->gate_count; g++)
        if (is_inside(p, junctions[g]))
            return true;
    return false;
}

static void unite(const lope_people *p, int32_t *parents)
{
    const lope_block_world *w = p->world;
    for (int i = 0; i < w->instances.count; i++) {
        const lope_block_instance *instance = instance_at(w, i);
        const int32_t *objects = (const int32_t *)w->instance_objects.items + instance->object_first;
        if (!is_passage(p, instance))
            continue;
        for (int k = 1; k < w->blocks->blocks[instance->block].unit_count; k++)
            parents[root_of(parents, objects[k])] = root_of(parents, objects[0]);
    }
}

// Numbers what is united, and tells every junction of it. Returns how many there are.
static int number_passages(lope_people *p, int32_t *parents, int32_t *numbers)
{
    const lope_block_world *w = p->world;
    int count = 0;
    for (int i = 0; i < w->instances.count; i++) {
        const lope_block_instance *instance = instance_at(w, i);
        const lope_block *block = &w->blocks->blocks[instance->block];
        const int32_t *junctions = (const int32_t *)w->junction_of.items + instance->gate_first;
        if (block->unit_count == 0 || !is_passage(p, instance))
            continue;
        int root = root_of(parents, ((const int32_t *)w->instance_objects.items)[instance->object_first]);
        if (numbers[root] < 0)
            numbers[root] = count++;
        for (int g = 0; g < block->gate_count; g++)
            p->search.doors[junctions[g]].passage = numbers[root];
    }
    return count;
}

static float between(lope_spot a, lope_spot b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// The two ends: the first place on a floor, and the one that is farthest from it; others belong to the nearer one.
static void find_ends(lope_people *p, int number, people_passage *out)
{
    const lope_block_world *w = p->world;
    people_search *s = &p->search;
    int ends[2] = {-1, -1};
    float farthest = -1.0f;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < w->junctions.count; j++) {
            if (s->doors[j].passage != number || is_inside(p, j))
                continue;
            if (pass == 0 && ends[0] < 0)
                ends[0] = j;
            float off = between(junction_at(w, j)->at, junction_at(w, ends[0] < 0 ? j : ends[0])->at);
            if (pass == 1 && off > farthest) {
                farthest = off;
                ends[1] = j;
            }
        }
    for (int j = 0; j < w->junctions.count && ends[1] >= 0; j++)
        if (s->doors[j].passage == number)
            s->doors[j].end = between(junction_at(w, j)->at, junction_at(w, ends[1])->at) <
                              between(junction_at(w, j)->at, junction_at(w, ends[0])->at);
    for (int k = 0; k < 2; k++)
        out->ends[k] = ends[k] >= 0 ? junction_at(w, ends[k])->at : (lope_spot){0};
}

// Slides are too fast to follow each other on.
static bool slides(const lope_people *p, int number)
{
    const lope_block_world *w = p->world;
    for (int j = 0; j < w->junctions.count; j++) {
        graph_cursor cursor = {0, 0};
        graph_step step;
        while (p->search.doors[j].passage == number && graph_next(w, w->tile_nodes + j, &cursor, &step)) {
            if (step.kind != LOPE_STEP_LINK)
                continue;
            if (graph_describe(w, w->tile_nodes + j, &step).segment.glide_frames > 0)
                return true;
        }
    }
    return false;
}

lope_status people_find_passages(lope_people *p, lope_error *error)
{
    const lope_block_world *w = p->world;
    int objects = w->objects.count;
    int32_t *parents = lope_alloc_array((size_t)objects + 1, sizeof *parents);
    int32_t *numbers = lope_alloc_array((size_t)objects + 1, sizeof *numbers);
    lope_status status = parents && numbers ? LOPE_OK : lope_fail_memory(error);
    p->passages.count = 0;
    for (int i = 0; i < objects && !status; i++) {
        parents[i] = i;
        numbers[i] = -1;
    }
    for (int j = 0; j < w->junctions.count; j++)
        p->search.doors[j] = (people_door){-1, 0};
    if (!status)
        unite(p, parents);
    int count = status ? 0 : number_passages(p, parents, numbers);
    for (int k = 0; k < count && !status; k++) {
        people_passage passage = {.since = -1.0};
        find_ends(p, k, &passage);
        passage.single = slides(p, k);
        if (!list_add(&p->passages, &passage, sizeof passage))
            status = lope_fail_memory(error);
    }
    lope_free(parents);
    lope_free(numbers);
    return status;
}

bool people_is_inside(const lope_people *p, int node)
{
    return node >= p->world->tile_nodes && p->search.doors[node - p->world->tile_nodes].passage >= 0 &&
           is_inside(p, node - p->world->tile_nodes);
}

bool people_is_let_in(const lope_people *p, int index, int node)
{
    const people_door *door = door_of(p, node);
    return door && door->passage >= 0 && door->passage == p->persons[index].passage;
}

// Who is in a passage and who waits for it, seen by somebody at one end.
typedef struct passage_state {
    int here, there;    // that came in by this end, by the other
    int coming;         // of those here: not in it yet
    double first_there; // since when somebody waits at the other end; INFINITY: nobody does
    double first_here;  // the same at this end, without oneself
} passage_state;

static passage_state look(const lope_people *p, int index, int passage, int end)
{
    passage_state state = {0, 0, 0, (double)INFINITY, (double)INFINITY};
    for (int i = 0; i < p->count; i++) {
        const person *other = &p->persons[i];
        if (i == index || !other->alive)
            continue;
        if (other->passage == passage && other->passage_end == end && other->passage_kept > KEPT_AFTER)
            state.coming++;
        if (other->passage == passage)
            *(other->passage_end == end ? &state.here : &state.there) += 1;
        if (other->awaits == passage) {
            double *first = other->awaits_end == end ? &state.first_here : &state.first_there;
            *first = fmin(*first, other->awaits_since);
        }
    }
    return state;
}

static bool may_enter(const lope_people *p, int index, int passage, int end)
{
    const person *who = &p->persons[index];
    const people_passage *q = passage_at(p, passage);
    passage_state state = look(p, index, passage, end);
    double since = who->awaits_since >= 0.0 ? who->awaits_since : p->now;
    if (state.there > 0 || state.coming >= MOST_COMING || state.first_here < since || (q->single && state.here > 0))
        return false;
    return state.here > 0 ? !(state.first_there < (double)INFINITY && p->now - q->since > BATCH)
                          : !(state.first_there < since);
}

static void enter(lope_people *p, int index, int passage, int end)
{
    person *who = &p->persons[index];
    if (look(p, index, passage, end).here == 0)
        passage_at(p, passage)->since = p->now;
    who->passage = passage;
    who->passage_end = end;
    who->passage_kept = KEPT_BEFORE;
    who->awaits = -1;
}

float people_passage_cost(const lope_people *p, int node)
{
    const people_door *door = door_of(p, node);
    return door && door->passage >= 0 ? passage_at(p, door->passage)->cost[door->end] : 0.0f;
}

void people_note_passages(lope_people *p, int index)
{
    for (int q = 0; q < p->passages.count; q++)
        for (int end = 0; end < 2; end++)
            passage_at(p, q)->cost[end] = 0.0f;
    for (int i = 0; i < p->count; i++) {
        const person *other = &p->persons[i];
        if (i == index || !other->alive)
            continue;
        if (other->passage >= 0) {
            people_passage *q = passage_at(p, other->passage);
            q->cost[!other->passage_end] = fmaxf(q->cost[!other->passage_end], AGAINST);
            q->cost[other->passage_end] += q->single ? AFTER_ANOTHER : 0.0f;
        }
        if (other->awaits >= 0)
            passage_at(p, other->awaits)->cost[other->awaits_end] += AFTER_ANOTHER;
    }
    // A person that was let in at one goes there.
    for (int q = 0; q < p->passages.count && p->persons[index].passage >= 0; q++)
        for (int end = 0; end < 2 && q != p->persons[index].passage; end++)
            passage_at(p, q)->cost[end] += ELSEWHERE;
}

static void go_and_wait(lope_people *p, int index, int node)
{
    person *who = &p->persons[index];
    if (node == who->wait_node || who->route_at < who->route_count)
        return;
    who->wait_node = people_way_to_stand(p, index, node, WAIT_NEARBY);
    if (who->wait_node >= 0) {
        int pose;
        who->wait_at = lope_block_node_place(p->world, who->wait_node, &pose);
    }
}

bool people_pass(lope_people *p, int index, int node)
{
    person *who = &p->persons[index];
    if (who->awaits >= 0) {
        if (!may_enter(p, index, who->awaits, who->awaits_end)) {
            go_and_wait(p, index, node);
            return true;
        }
        enter(p, index, who->awaits, who->awaits_end);
        who->route_at = who->route_count = 0;
        return false; // its way leads on
    }
    const people_door *door = who->route_at < who->route_count ? door_of(p, who->route[who->route_at].to) : NULL;
    if (!door || door->passage < 0 || door->passage == who->passage)
        return true;
    if (may_enter(p, index, door->passage, door->end)) {
        enter(p, index, door->passage, door->end);
        return true;
    }
    who->awaits = door->passage;
    who->awaits_end = door->end;
    // A person that was let in and pushed off has its old place in the line.
    if (who->awaits_since < 0.0)
        who->awaits_since = p->now;
    who->wait_node = -1;
    who->route_at = who->route_count = 0;
    go_and_wait(p, index, node);
    return true;
}

void people_passage_step(lope_people *p, int index, float dt)
{
    person *who = &p->persons[index];
    if (who->passage < 0)
        return;
    const people_door *to = door_of(p, who->player.step.to), *next = who->has_next ? door_of(p, who->next.to) : NULL;
    bool there = (to && to->passage == who->passage) || (next && next->passage == who->passage) ||
                 (who->player.step.from >= 0 && people_is_inside(p, who->player.step.from));
    // Who leaves one passage may wait for the next already: it keeps its place in that line.
    if (there && who->awaits < 0)
        who->awaits_since = -1.0;
    who->passage_kept = there ? fminf(who->passage_kept, KEPT_AFTER) : who->passage_kept - dt;
    if (who->passage_kept <= 0.0f)
        who->passage = -1;
}

void people_find_passage(lope_people *p, int index)
{
    person *who = &p->persons[index];
    const people_door *door = who->player.step.to >= 0 ? door_of(p, who->player.step.to) : NULL;
    who->passage = door ? door->passage : -1;
    if (who->passage < 0)
        return;
    // A person on its way leaves behind it the end that it came from.
    const people_passage *q = passage_at(p, who->passage);
    float yaw = lope_block_player_place(&who->player).yaw;
    float ahead = (q->ends[1].x - q->ends[0].x) * (float)lope_sin((double)yaw) +
                  (q->ends[1].z - q->ends[0].z) * (float)lope_cos((double)yaw);
    who->passage_end = ahead < 0.0f;
    who->passage_kept = KEPT_BEFORE;
}
