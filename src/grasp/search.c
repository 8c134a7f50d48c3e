// SPDX-License-Identifier: MIT
// Contacts first: weighted A* over stances. Neighbours enter the queue with a guess of where they get the body; only
// what comes out of it pays for a posture and for a checked motion. A stance is closed when a motion into it is known
// to work, never before: the first way in may fail where another works.
#include <string.h>

#include "base/memory.h"
#include "grasp/search_state.h"

static bool is_goal(const search_task *task, const stance *s)
{
    if ((task->goal_facing && s->facing != task->goal.s.facing) || s->seat != task->goal.s.seat)
        return false;
    return task->slides && !task->goal_exact ? stance_holds_about(task->world, s->hold, &task->goal.s)
                                             : stance_holds_as(s->hold, &task->goal.s);
}

static lope_xy middle_of(const lope_grasp_world *world, const stance *s, int limb)
{
    return xy_lerp(world->holds[s->hold[limb]].at, world->holds[s->hold[limb + 1]].at, 0.5);
}

// Where the next posture is likely to be. A body that walks or swings goes along with its feet or hands, and what its
// left arm did its right arm does next.
static lope_grasp_pose guess_from(const search *s, const entry *from, const entry *to)
{
    const lope_grasp_world *world = s->task->world;
    lope_grasp_pose guess = from->at.pose;
    guess.facing = to->s.facing;
    if (from->mode != to->mode || !modes[to->mode]->pair || from->s.facing != to->s.facing)
        return guess;
    int limb = modes[to->mode]->pair == LOPE_LEG_MASK ? LOPE_LEFT_LEG : LOPE_LEFT_ARM;
    guess.hip = xy_add(guess.hip, xy_sub(middle_of(world, &to->s, limb), middle_of(world, &from->s, limb)));
    memcpy(guess.limb[LOPE_LEFT_ARM], from->at.pose.limb[LOPE_RIGHT_ARM], sizeof guess.limb[0]);
    memcpy(guess.limb[LOPE_RIGHT_ARM], from->at.pose.limb[LOPE_LEFT_ARM], sizeof guess.limb[0]);
    return guess;
}

// Limbs that hold already stay where they are; those that take what the goal has go to its very place, if it has one.
static void keep_place(const search_task *task, const footing *from, int limb, footing_task *solving)
{
    int hold = solving->s.hold[limb];
    if (hold < 0)
        return;
    bool stays = from->s.hold[limb] == hold;
    for (int k = 0; k < 2 && !stays && task->goal_exact; k++)
        if (task->goal.s.hold[limb ^ k] == hold) {
            solving->kept.mask |= 1u << limb;
            solving->kept.at[limb] = task->goal.contacts.at[limb ^ k];
            return;
        }
    if (stays) {
        solving->kept.mask |= 1u << limb;
        solving->kept.at[limb] = from->contacts.at[limb];
    }
}

// Posture of an entry, tried from the parent's pose. False where none is found yet.
static bool solve(search *s, int parent, int index)
{
    const search_task *task = s->task;
    entry *e = &s->entries[index];
    if (e->solved)
        return true;
    e->tries++;
    const entry *from = &s->entries[s->nodes[parent].entry];
    lope_grasp_pose warm = guess_from(s, from, e);
    footing_task solving = {task->world, task->body, e->s, &warm, {0}, task->slides};
    for (int i = 0; i < LOPE_LIMB_COUNT && task->slides; i++)
        keep_place(task, &from->at, i, &solving);
    e->solved = footing_solve(&solving, &e->at, &s->counts);
    return e->solved;
}

// Whether the posture of an entry was found for hands and feet that are where this parent has them.
static bool fits_parent(const search *s, int parent, int index)
{
    const footing *from = &s->entries[s->nodes[parent].entry].at, *at = &s->entries[index].at;
    for (int i = 0; i < LOPE_LIMB_COUNT && s->task->slides; i++)
        if (at->s.hold[i] >= 0 && at->s.hold[i] == from->s.hold[i] &&
            xy_distance(at->contacts.at[i], from->contacts.at[i]) > 1e-9)
            return false;
    return true;
}

// The node of an entry reached from a parent by a motion that works; -1 where none does.
static int arrive(search *s, int parent, int index)
{
    const search_task *task = s->task;
    if (!search_room(s, (void **)&s->nodes, s->node_count, &s->node_capacity, sizeof *s->nodes))
        return -1;
    entry *e = &s->entries[index];
    const entry *from = &s->entries[s->nodes[parent].entry];
    const edge_end begin = footing_end(&from->at), end = footing_end(&e->at);
    edge motion = edge_make(task->world, task->body, &begin, &end);
    s->counts.motions++;
    if (from->s.facing == e->s.facing && !edge_validate(task->world, task->body, &motion, &s->counts.evaluations)) {
        s->counts.motions_failed++;
        return -1;
    }
    double cost = s->nodes[parent].cost + search_step_cost(s, &from->s, &e->s, e->mode) + search_comfort_cost(&e->at);
    s->nodes[s->node_count] = (node){index, parent, cost, motion};
    e->closed = s->node_count;
    double left = search_distance(s, e->at.mass);
    if (left < s->best_left) {
        s->best_left = left;
        s->best = s->node_count;
    }
    return s->node_count++;
}

static bool begin(search *s)
{
    const search_task *task = s->task;
    int index = search_entry(s, &task->start.s, stance_mode(task->world, &task->start.s));
    if (index < 0 || !search_room(s, (void **)&s->nodes, 0, &s->node_capacity, sizeof *s->nodes))
        return false;
    s->entries[index].solved = true;
    s->entries[index].at = task->start;
    s->entries[index].closed = 0;
    s->nodes[s->node_count++] = (node){.entry = index, .parent = -1};
    s->best_left = search_distance(s, task->start.mass);
    return true;
}

// Looks at stances in the order of the queue until one is the goal, so many have been looked at, or none is left.
static void look(search *s, int until)
{
    const search_task *task = s->task;
    while (s->heap_count > 0 && !s->failed && s->counts.looked < until) {
        waiting item = search_pop(s);
        if (s->entries[item.entry].closed >= 0 || search_twin_closed(s, &s->entries[item.entry].s))
            continue;
        bool known = s->entries[item.entry].solved, moved = known && !fits_parent(s, item.parent, item.entry);
        s->entries[item.entry].solved = known && !moved;
        s->counts.looked += !known || moved;
        if (!solve(s, item.parent, item.entry))
            continue;
        if (!known) { // now that the posture is known, so is its true cost
            stance copy = s->entries[item.entry].s;
            search_offer(s, item.parent, &copy, s->entries[item.entry].mode);
            continue;
        }
        int index = arrive(s, item.parent, item.entry);
        if (index < 0)
            continue;
        if (is_goal(task, &s->entries[item.entry].s)) {
            s->goal = index;
            return;
        }
        s->counts.expanded++;
        search_expand(s, index);
    }
    s->exhausted = s->heap_count == 0;
}

static void trace(search *s, int last, search_result *out)
{
    int count = 0;
    for (int i = last; s->nodes[i].parent >= 0; i = s->nodes[i].parent)
        count++;
    out->steps = lope_alloc_array((size_t)count + 1, sizeof *out->steps);
    if (!out->steps) {
        out->status = LOPE_NO_MEMORY;
        return;
    }
    out->count = count;
    for (int i = last; s->nodes[i].parent >= 0; i = s->nodes[i].parent)
        out->steps[--count] = (search_step){s->entries[s->nodes[i].entry].at, s->nodes[i].motion};
}

search *search_create(const search_task *task)
{
    search *s = lope_alloc_zero(sizeof *s);
    if (!s)
        return NULL;
    s->task = task;
    s->random = lope_random_seed(task->seed);
    s->goal = -1;
    if (begin(s) && is_goal(task, &task->start.s))
        s->goal = 0;
    else if (!s->failed)
        search_expand(s, 0);
    if (s->failed) {
        search_destroy(s);
        return NULL;
    }
    return s;
}

racer_state search_advance(search *s, int looks)
{
    int until = s->counts.looked + looks;
    if (s->goal < 0 && !s->failed)
        look(s, until < s->task->budget ? until : s->task->budget);
    if (s->failed || s->goal >= 0)
        return s->failed ? RACER_FAILED : RACER_ARRIVED;
    return s->exhausted || s->counts.looked >= s->task->budget ? RACER_ENDED : RACER_GOES_ON;
}

double search_left(const search *s)
{
    return s->goal >= 0 ? 0.0 : s->best_left;
}

void search_get(search *s, search_result *out)
{
    *out =
        (search_result){.status = s->goal >= 0 ? LOPE_OK : LOPE_PARTIAL, .left = search_left(s), .counts = s->counts};
    trace(s, s->goal >= 0 ? s->goal : s->best, out);
}

void search_destroy(search *s)
{
    if (!s)
        return;
    search_forget(s);
    lope_free(s);
}

void search_free(search_result *result)
{
    lope_free(result->steps);
    *result = (search_result){0};
}
