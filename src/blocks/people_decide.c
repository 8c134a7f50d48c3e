// SPDX-License-Identifier: MIT
// What somebody does next: the step of its way, or what comes nearest to it, where that is free and leads on to steps
// that are free as well; those are reserved too.
#include <limits.h>

#include "blocks/people.h"

// Seconds before the end of a step from which on the next one is chosen, and at which the least bad one is taken.
#define LOOK_AHEAD 2.5f
#define LAST_MOMENT 0.25f
#define TRY_AGAIN 0.2f
// Seconds that it costs not to walk on as planned, and per metre off the way; to stand; to turn round while roaming.
#define OTHER_STEP 3.0f
#define PER_METRE 1.5f
#define STANDING 4.0f
// Seconds that a place is kept beyond the end of a step that stays there, or might.
#define KEPT 4.0f
// The same on stairs and ladders, where others follow.
#define ON_STAIRS 0.6f
// Those who wait do so for this long at a time (seconds).
#define SHORT_WAIT 1.0f
#define MOST_TRIED 12
// Where many need ways at once, those who have time for it are looked for later: once this much was looked at.
#define LOOKED_PER_STEP 300000

typedef struct choice {
    lope_block_step *step;
    float cost;
} choice;

static bool can_stand(const lope_people *p, int node)
{
    int pose;
    if (p->world->blocks->standing < 0)
        return false;
    lope_block_node_place(p->world, node, &pose);
    return pose == p->world->blocks->standing;
}

// On a seat, or in front of one.
static bool is_at_seat(const lope_people *p, int node)
{
    return node >= p->world->tile_nodes && p->search.seat[node - p->world->tile_nodes] >= 0;
}

// A behaviour for somebody who stands at a node; false where there is none. `chats`: talking, otherwise anything else.
static bool behave(const lope_people *p, person *who, int node, bool chats, lope_block_step *out)
{
    const lope_blocks *blocks = p->world->blocks;
    int found = 0;
    for (int b = 0; b < blocks->block_count; b++) {
        const lope_block *block = &blocks->blocks[b];
        bool talks = block->name[0] == 'c' && block->name[1] == 'h' && block->name[2] == 'a' && block->name[3] == 't';
        if (block->unit_count > 0 || block->gate_count != 1 || talks != chats)
            continue;
        for (int l = 0; l < block->link_count; l++) {
            lope_block_step step;
            if (lope_block_behaviour(p->world, node, b, l, &step, NULL) != LOPE_OK)
                continue;
            found++;
            if (person_draw(who) * (float)found < 1.0f)
                *out = step;
        }
    }
    return found > 0;
}

// Only the beginning of a behaviour; what it differs by from its end fades.
static void cut_short(const lope_people *p, float seconds, lope_block_step *step)
{
    if (!(seconds < step->seconds)) // those who stay for ever play it to its end
        return;
    int frames = (int)(seconds * p->world->frame_rate) + 1;
    if (step->segment.piece.frames > frames) {
        step->seconds = (float)(frames - 1) / p->world->frame_rate;
        step->segment.piece.frames = frames;
    }
}

// What one does who stays: behaviours where one stands, links that stay on a seat. Returns how many.
static int list_stays(lope_people *p, person *who, int node, lope_block_step *out)
{
    int count = 0;
    if (can_stand(p, node)) {
        count += behave(p, who, node, who->task == TASK_CHAT && who->arrived, out);
        if (count > 0 && (who->in_line || !who->arrived))
            cut_short(p, SHORT_WAIT, out);
        else if (count > 0)
            cut_short(p, fmaxf(who->seconds, SHORT_WAIT), out);
        return count;
    }
    if (node < p->world->tile_nodes)
        return 0;
    lope_spot at = junction_at(p->world, node - p->world->tile_nodes)->at;
    int all = lope_block_steps(p->world, node, out, PEOPLE_CHOICES);
    for (int i = 0; i < all && i < PEOPLE_CHOICES; i++) {
        int to = out[i].to - p->world->tile_nodes;
        if (out[i].kind != LOPE_STEP_LINK || junction_at(p->world, to)->floor >= 0)
            continue;
        lope_spot there = junction_at(p->world, to)->at;
        if (hypotf(at.x - there.x, at.z - there.z) < PEOPLE_SAME)
            out[count++] = out[i];
    }
    return count;
}

static bool same_step(const lope_block_step *a, const lope_block_step *b)
{
    return a->kind == b->kind && a->to == b->to && a->where == b->where && a->link == b->link;
}

static lope_vec3 end_of(const lope_people *p, const lope_block_step *step)
{
    int pose;
    lope_spot at = lope_block_node_place(p->world, step->to, &pose);
    return lope_v3(at.x, at.y, at.z);
}

// Steps on floors with what each costs: the wanted one nothing, others by how far off they end.
static int list_walks(lope_people *p, person *who, int node, const lope_block_step *wanted, lope_block_step *steps,
                      choice *out)
{
    int all = lope_block_steps(p->world, node, steps, PEOPLE_CHOICES), count = 0;
    for (int i = 0; i < all && i < PEOPLE_CHOICES; i++) {
        bool is_wanted = wanted && same_step(&steps[i], wanted);
        bool inside = steps[i].kind == LOPE_STEP_TILE && can_stand(p, steps[i].to);
        if (!is_wanted && steps[i].kind != LOPE_STEP_TILE && steps[i].kind != LOPE_STEP_GO)
            continue;
        float cost = steps[i].seconds + person_draw(who) * (wanted ? 0.5f : 3.0f) + (inside ? STANDING : 0.0f);
        if (is_wanted) {
            cost = 0.0f;
        } else if (wanted) {
            cost += OTHER_STEP + PER_METRE * lope_v3_distance(end_of(p, &steps[i]), end_of(p, wanted));
        } else {
            int pose;
            float turn = lope_wrap_angle(lope_block_node_place(p->world, steps[i].to, &pose).yaw - steps[i].gate.yaw);
            cost += 2.0f * fabsf(turn); // who roams rather goes on
        }
        out[count++] = (choice){&steps[i], cost};
    }
    return count;
}

static choice take_best(choice *choices, int *count)
{
    int best = 0;
    for (int i = 1; i < *count; i++)
        best = choices[i].cost < choices[best].cost ? i : best;
    choice taken = choices[best];
    choices[best] = choices[--*count];
    return taken;
}

// Traces of free steps to go on with, one after the other. Where one could stand or sit, staying there does. Returns
// how many there are of `most`; staying counts as all of them.
static int find_spares(lope_people *p, int who, const people_plan *plan, int most, people_trace *traces, int *used)
{
    lope_block_step *steps = p->steps + (size_t)most * PEOPLE_CHOICES;
    int node = plan->step->to, best = 0;
    float delay = plan->delay + plan->step->seconds / plan->tempo;
    bool stays = can_stand(p, node) ||
                 (node >= p->world->tile_nodes && junction_at(p->world, node - p->world->tile_nodes)->floor < 0);
    *used = 0;
    if (stays)
        return most; // its plan keeps the place
    int all = lope_block_steps(p->world, node, steps, PEOPLE_CHOICES);
    all = all < PEOPLE_CHOICES ? all : PEOPLE_CHOICES;
    int stride = all > MOST_TRIED ? all / MOST_TRIED : 1;
    for (int i = 0; i < all && best < most; i += stride) {
        people_trace trace, more[PEOPLE_SPARES];
        people_plan spare = {&steps[i], delay, 1.0f, 0.0f};
        int more_used = 0, found = 1;
        if (steps[i].kind == LOPE_STEP_LINK && !people_is_let_in(p, who, steps[i].to))
            continue;
        people_trace_of(p, &spare, &trace);
        if (people_conflicts(p, who, &trace, 1) > 0)
            continue;
        if (most > 1)
            found += find_spares(p, who, &spare, most - 1, more, &more_used);
        if (found <= best)
            continue;
        best = found;
        traces[0] = trace;
        for (int k = 0; k < more_used; k++)
            traces[k + 1] = more[k];
        *used = 1 + more_used;
    }
    return best;
}

typedef struct decision {
    const lope_block_step *step;
    float tempo;
    int conflicts, spares, used;
    people_trace trace, traces[PEOPLE_SPARES];
} decision;

// Whether somebody who comes to a node is where it wants to be for a while.
static bool will_stay(const lope_people *p, const person *who, int node)
{
    if (who->awaits >= 0)
        return node == who->wait_node;
    return (who->task != TASK_ROAM && node == who->target) || people_stays(p, who, node);
}

static void weigh(lope_people *p, int who, const lope_block_step *step, float delay, decision *best)
{
    static const float tempos[] = {1.0f, 0.85f, 1.15f, 0.7f, 0.55f};
    bool seated = is_at_seat(p, step->to), link = step->kind == LOPE_STEP_LINK;
    bool ends_there = can_stand(p, step->to) || seated;
    int tries = link && (seated || is_at_seat(p, step->from)) ? 1 : 5; // only walks are walked slower or faster
    for (int i = 0; i < tries && best->spares < PEOPLE_SPARES; i++) {
        decision d = {.step = step, .tempo = tempos[i]};
        people_plan plan = {step, delay, tempos[i], ends_there ? KEPT : link ? ON_STAIRS : 0.0f};
        if (will_stay(p, &p->persons[who], step->to))
            plan.hold = INFINITY;
        people_trace_of(p, &plan, &d.trace);
        d.conflicts = people_conflicts(p, who, &d.trace, best->conflicts > 0 ? best->conflicts : 1);
        if (d.conflicts > 0 && d.conflicts >= best->conflicts)
            continue;
        if (d.conflicts == 0)
            d.spares = find_spares(p, who, &plan, PEOPLE_SPARES, d.traces, &d.used);
        if (d.conflicts < best->conflicts || d.spares > best->spares)
            *best = d;
    }
}

static float seconds_left(const lope_people *p, const person *who)
{
    int left = who->player.step.segment.piece.frames - 1 - who->player.frame;
    return fmaxf(((float)left - who->player.phase) / (p->world->frame_rate * who->tempo), 0.0f);
}

static int list_choices(lope_people *p, person *who, int node, choice *out)
{
    const lope_block_step *wanted = who->route_at < who->route_count ? &who->route[who->route_at] : NULL;
    lope_block_step *steps = p->steps;
    int count = 0;
    if (people_stays(p, who, node) || (wanted && who->task == TASK_SIT && node == who->target)) {
        int stays = list_stays(p, who, node, steps);
        for (int i = 0; i < stays; i++)
            out[count++] = (choice){&steps[i], person_draw(who)};
        if (count > 0)
            return count;
    }
    count = list_walks(p, who, node, wanted, steps, out);
    if (can_stand(p, node) && count < PEOPLE_CHOICES && behave(p, who, node, false, &p->steps[PEOPLE_CHOICES - 1])) {
        cut_short(p, SHORT_WAIT, &p->steps[PEOPLE_CHOICES - 1]);
        out[count++] = (choice){&p->steps[PEOPLE_CHOICES - 1], STANDING + OTHER_STEP};
    }
    return count;
}

static void commit(lope_people *p, person *who, int index, const decision *d)
{
    const lope_block_step *wanted = who->route_at < who->route_count ? &who->route[who->route_at] : NULL;
    who->next = *d->step;
    who->next_tempo = d->tempo;
    who->has_next = true;
    p->counts.decisions++;
    p->counts.forced += d->conflicts > 0 && d->step->from != d->step->to; // who stays is where it was
    people_reserve(p, index, &d->trace);
    for (int i = 0; i < d->used; i++)
        people_reserve(p, index, &d->traces[i]);
    if (wanted && same_step(wanted, d->step))
        who->route_at++;
    else if (d->step->to != d->step->from)
        who->route_at = who->route_count = 0; // somewhere else: ask again from there
}

void people_decide(lope_people *p, int index)
{
    person *who = &p->persons[index];
    float delay = seconds_left(p, who);
    if (delay > LOOK_AHEAD) {
        who->undecided = delay - LOOK_AHEAD;
        return;
    }
    if (p->search.looked > LOOKED_PER_STEP && delay > LAST_MOMENT)
        return;
    int node = who->player.step.to;
    people_follow_task(p, index, node);
    choice choices[PEOPLE_CHOICES];
    int count = list_choices(p, who, node, choices);
    decision best = {.conflicts = INT_MAX, .spares = -1};
    bool hurry = delay <= LAST_MOMENT, on_way = who->route_at < who->route_count;
    // A person on its way sticks to it as long as there is time: others pass by.
    int most = hurry ? count : on_way ? 1 : MOST_TRIED;
    for (int tried = 0; count > 0 && best.spares < PEOPLE_SPARES && tried < most; tried++) {
        weigh(p, index, take_best(choices, &count).step, delay, &best);
        if (on_way && tried == 0 && best.conflicts == 0 && best.spares > 0)
            break;
    }
    if (!best.step || (!hurry && best.spares < (on_way ? 1 : PEOPLE_SPARES))) {
        who->undecided = hurry ? 0.0f : fminf(TRY_AGAIN, delay - LAST_MOMENT);
        return;
    }
    commit(p, who, index, &best);
}
