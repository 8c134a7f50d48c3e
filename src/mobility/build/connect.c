// SPDX-License-Identifier: MIT
// From transitions to the graph of states: which transitions are used, which part of what they connect stays, and what
// became of every clip.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "mobility/build/parts.h"
#include "mobility/build/select.h"
#include "mobility/build/shared.h"

typedef struct connecting {
    build_state *b;
    body_motion motion;
    float *nearest; // [clip_count] cost of the cheapest transition from or to a clip
    int *part;      // [pose_count]
    int part_count;
    part_choice best;
    uint8_t *keep; // [pose_count]
} connecting;

static void find_nearest(connecting *c)
{
    const lope_set *set = c->b->set;
    for (int k = 0; k < set->clip_count; k++)
        c->nearest[k] = INFINITY;
    int clip = 0, first = 0;
    for (size_t t = 0; t < c->b->transitions.count; t++) {
        const lope_transition *item = &c->b->transitions.items[t];
        for (; item->from >= first + set->clips[clip]->frame_count; clip++)
            first += set->clips[clip]->frame_count;
        // Half of all that enter a clip are the mirror images of such that leave it.
        c->nearest[clip] = fminf(c->nearest[clip], item->cost);
    }
}

// Poses of each part that lie in a clip tell why it is not in the map.
static void tell_use(const connecting *c, int clip, int first, lope_clip_use *use)
{
    const lope_set *set = c->b->set;
    const lope_transition_def *wanted = &c->b->wanted;
    int frames = set->clips[clip]->frame_count, elsewhere = 0;
    *use = (lope_clip_use){.found = frames};
    for (int p = first; p < first + frames; p++) {
        use->used += c->keep[p];
        bool in_loop =
            (p > first && c->part[p] == c->part[p - 1]) || (p + 1 < first + frames && c->part[p] == c->part[p + 1]);
        elsewhere += !c->keep[p] && in_loop;
    }
    double shortest = wanted->metric == LOPE_METRIC_CLOUD ? (double)wanted->window : 0.0;
    if (use->used > 0)
        return;
    if ((double)frames <= shortest * set->clips[clip]->frame_rate + 1.0)
        snprintf(use->why, sizeof use->why, "too short: %.2g s of motion are compared", shortest);
    else if (isinf(c->nearest[clip]))
        snprintf(use->why, sizeof use->why, "no pose is within %.3g of one that it could go on from or to",
                 (double)wanted->threshold);
    else if (elsewhere > 0)
        snprintf(use->why, sizeof use->why, "connects (from a cost of %.3g on), but not with the part that can do most",
                 (double)c->nearest[clip]);
    else
        snprintf(use->why, sizeof use->why, "leads only out of or into others (from a cost of %.3g on)",
                 (double)c->nearest[clip]);
}

static lope_status keep_best(connecting *c, const lope_digraph *poses, lope_error *error)
{
    build_state *b = c->b;
    lope_status status = lope_components(poses, c->part, &c->part_count, error);
    if (!status)
        status = parts_best(&c->motion, c->part, c->part_count, &c->best, error);
    if (status)
        return status;
    int size = b->report->component = c->best.value.poses, first = 0;
    for (int p = 0; p < poses->node_count; p++)
        c->keep[p] = c->part[p] == c->best.part;
    for (int k = 0; k < b->set->clip_count && b->def->uses; first += b->set->clips[k++]->frame_count)
        tell_use(c, k, first, &b->def->uses[k]);
    if (size < b->def->min_component)
        return lope_fail(error, LOPE_NOT_FOUND,
                         "the clips do not connect: their best part has %d of %d poses, %d are needed, at costs up to "
                         "%.3g; give clips that are more alike or longer, or a higher threshold",
                         size, poses->node_count, b->def->min_component, (double)b->wanted.threshold);
    return parts_ability(&c->motion, c->keep, &b->report->ability, error);
}

static lope_status make_graph(connecting *c, lope_error *error)
{
    build_state *b = c->b;
    lope_digraph poses;
    lope_status status = lope_pose_graph(b->set, &b->transitions, b->def->frame_cost, &poses, error);
    if (status)
        return status;
    status = keep_best(c, &poses, error);
    if (!status)
        status = lope_state_graph_create(&poses, c->keep, &b->graph, error);
    lope_digraph_free(&poses);
    b->report->graph_states = b->graph.state_count;
    return status;
}

static lope_status connect(connecting *c, lope_error *error)
{
    build_state *b = c->b;
    size_t poses = (size_t)b->report->poses;
    b->tags = lope_alloc_array(poses, sizeof *b->tags);
    c->nearest = lope_alloc_array((size_t)b->set->clip_count, sizeof *c->nearest);
    c->part = lope_alloc_array(poses, sizeof *c->part);
    c->keep = lope_alloc_array(poses, sizeof *c->keep);
    lope_status status = b->tags && c->nearest && c->part && c->keep ? LOPE_OK : lope_fail_memory(error);
    if (!status)
        status = mobility_tags(b->set, b->def, b->tags, error);
    if (!status)
        status = body_motion_find(b->set, b->def, b->tags, &c->motion, error);
    if (status)
        return status;
    find_nearest(c);
    status = select_transitions(&c->motion, b->def, &b->transitions, b->report, error);
    b->report->transitions = b->transitions.count;
    return status ? status : make_graph(c, error);
}

lope_status mobility_connect(build_state *b, lope_error *error)
{
    connecting c = {.b = b};
    lope_status status = connect(&c, error);
    body_motion_free(&c.motion);
    lope_free(c.nearest);
    lope_free(c.part);
    lope_free(c.keep);
    return status;
}
