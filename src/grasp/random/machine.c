// SPDX-License-Identifier: MIT
// Looking through the edges of the present mode, and the questions that preconditions have in common.
#include "grasp/random/machine.h"

#include <string.h>

#define STALLED 2       // local minima without getting nearer
#define UNREACHED 10.0  // added to the order of holds that the body has to move for
#define COOL_DOWN 10000 // neighbours until a choice that failed is tried again

const machine_edge *machine_edge_of(lope_grasp_mode from, int i)
{
    // By weight, and in the order of the modes that bring them among equals.
    for (int weight = 9; weight >= 0; weight--)
        for (int k = 0; k < LOPE_MODE_COUNT; k++)
            for (const machine_edge *e = modes[k]->edges; e->find; e++)
                if (e->from == from && e->weight == weight && i-- == 0)
                    return e;
    return NULL;
}

hold_query hold_query_of(int limb, unsigned kinds)
{
    return (hold_query){.limb = limb,
                        .kinds = kinds,
                        .closer_than = (double)INFINITY,
                        .apart_from = {-1, -1},
                        .low = -(double)INFINITY,
                        .high = (double)INFINITY,
                        .left = -(double)INFINITY,
                        .right = (double)INFINITY};
}

static bool meets(const scribe *s, const hold_query *query, int index)
{
    const lope_hold *hold = &s->task->world->holds[index];
    const figure *now = &s->path.items[s->path.count - 1];
    if (!(query->kinds >> hold->kind & 1u) || hold->at.y < query->low || hold->at.y > query->high ||
        hold->at.x < query->left || hold->at.x > query->right ||
        !(scribe_limb_distance(s, query->limb, index) < query->closer_than))
        return false;
    if (query->beside && !hold_is_beside(hold))
        return false;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (now->hold[i] == index)
            return false;
    for (int i = 0; i < 2; i++)
        if (query->apart_from[i] >= 0 &&
            xy_distance(hold->at, s->task->world->holds[query->apart_from[i]].at) <= query->apart[i])
            return false;
    return true;
}

static int keep(choice *out, int count, choice c)
{
    int i = count < MACHINE_CHOICES ? count : MACHINE_CHOICES - 1;
    if (count == MACHINE_CHOICES && out[i].order <= c.order)
        return count;
    for (; i > 0 && out[i - 1].order > c.order; i--)
        out[i] = out[i - 1];
    out[i] = c;
    return count < MACHINE_CHOICES ? count + 1 : count;
}

int machine_holds(scribe *s, const hold_query *query, choice *out, int count)
{
    const scribe_task *task = s->task;
    lope_grasp_points points;
    int leg = body_is_leg(query->limb);
    if (body_lacks(task->body, query->limb))
        return count;
    double reach = task->body->length[leg][0] + task->body->length[leg][1];
    lope_grasp_forward(task->body, &scribe_now(s)->pose, &points);
    lope_xy base = leg ? points.hip : points.neck;
    for (int i = 0; i < task->world->hold_count; i++) {
        lope_grasp_pose pose;
        if (xy_distance(task->world->holds[i].at, base) > reach + query->stretch ||
            s->refused[4 * i + query->limb] > s->samples || !meets(s, query, i))
            continue;
        bool reached = scribe_reaches(s, query->limb, i, &pose);
        if (!reached && !(query->stretch > 0.0))
            continue;
        double apart = query->apart_from[0] >= 0
                           ? xy_distance(task->world->holds[i].at, task->world->holds[query->apart_from[0]].at)
                           : scribe_limb_distance(s, query->limb, i);
        count = keep(out, count,
                     (choice){.limb = query->limb,
                              .hold = i,
                              .foot = -1,
                              .foot_hold = -1,
                              .order = apart + query->later + (reached ? 0.0 : UNREACHED)});
    }
    return count;
}

bool machine_stalled(const scribe *s)
{
    return s->idle >= STALLED;
}

// Figure 4.13: each edge belongs to the mode that the body is in.
static bool traverse(scribe *s, const machine_edge *e, const choice *c)
{
    int mark = s->path.count;
    figure before = *scribe_now(s);
    int foot = before.hold[LOPE_LEFT_LEG] >= 0 ? before.hold[LOPE_LEFT_LEG] : before.hold[LOPE_RIGHT_LEG];
    if (e->go(s, c) && !s->failed) {
        if (e->from != e->to) {
            scribe_now(s)->entered = scribe_value(s, scribe_now(s), scribe_distance, NULL);
            scribe_now(s)->entered_foot = foot;
            s->idle = 0;
        }
        // What was out of the way from there may not be from here.
        memset(s->refused, 0, (size_t)s->task->world->hold_count * LOPE_LIMB_COUNT * sizeof *s->refused);
        return true;
    }
    scribe_cut(s, mark);
    *scribe_now(s) = before;
    s->refused[4 * c->hold + c->limb] = s->samples + COOL_DOWN;
    return false;
}

bool machine_consult(scribe *s)
{
    const machine_edge *e;
    lope_grasp_mode mode = scribe_now(s)->mode;
    for (int i = 0; (e = machine_edge_of(mode, i)) != NULL; i++) {
        if (s->task->without >> e->to & 1u)
            continue;
        choice choices[MACHINE_CHOICES];
        int count = e->find(s, choices);
        for (int k = 0; k < count && !s->failed; k++)
            if (traverse(s, e, &choices[k]))
                return true;
    }
    return false;
}
