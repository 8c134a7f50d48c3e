// SPDX-License-Identifier: MIT
// Building a mobility map, stage by stage: transitions, pose graph and states, choices, pruning, time tables.
#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "graph/ranks.h"
#include "mobility/build/shared.h"
#include "motion/lock.h"

lope_mobility_def lope_mobility_def_default(void)
{
    lope_transition_def transitions = lope_transition_def_default(LOPE_METRIC_CLOUD);
    transitions.threshold = 0.0f;
    return (lope_mobility_def){.transitions = transitions,
                               .max_states = 13000,
                               .max_ways = 254,
                               .frame_cost = 0.0005f,
                               .steps = 25,
                               .min_choices = 30,
                               .max_choices = 40,
                               .min_component = 60,
                               .hit_radius = 0.2f,
                               .sweeps = 8};
}

lope_mobility_def lope_mobility_def_thesis(void)
{
    lope_mobility_def def = lope_mobility_def_default();
    def.transitions = lope_transition_def_default(LOPE_METRIC_ANGLES);
    def.transitions.local_minima = false;
    def.frame_cost = 0.0f;
    def.max_choices = 100000;
    def.largest = def.all_pairs = true;
    return def;
}

// Bytes of an array in the block, so that the next one is aligned.
static size_t array_room(const lope_chunk_array *array)
{
    return ((size_t)chunk_array_bytes(array) + 63) & ~(size_t)63;
}

// One block for all arrays of the map, filled from the graph and the choices.
static lope_status allocate_map(const build_state *b, lope_mobility **out, lope_error *error)
{
    lope_mobility *map = lope_alloc_zero(sizeof *map);
    if (!map)
        return lope_fail_memory(error);
    size_t choices = 0;
    for (int s = 0; s < b->graph.state_count; s++)
        choices += (size_t)b->lists[s].count;
    map->set = b->set;
    lope_lock_rig_learn(b->set->skeleton, b->set->clips, b->set->clip_count, &map->rig);
    map->head = (mobility_header){.pose_count = (uint32_t)b->graph.pose_count,
                                  .state_count = (uint32_t)b->graph.state_count,
                                  .action_count = (uint32_t)b->graph.offsets[b->graph.state_count],
                                  .choice_count = (uint32_t)choices,
                                  .steps = (uint32_t)b->def->steps,
                                  .frame_rate = (float)b->set->clips[0]->frame_rate};
    for (int t = 0; t < LOPE_OWN_TAGS; t++)
        if (b->def->tag_names[t])
            memcpy(map->tag_names[t], b->def->tag_names[t], strlen(b->def->tag_names[t]));
    lope_chunk_array arrays[MOBILITY_ARRAYS];
    lope_mobility_arrays(map, arrays);
    size_t size = 0;
    for (int a = 0; a < MOBILITY_ARRAYS; a++)
        size += array_room(&arrays[a]);
    char *block = lope_alloc_zero(size);
    if (!block) {
        lope_free(map);
        return lope_fail_memory(error);
    }
    map->storage = block;
    for (int a = 0; a < MOBILITY_ARRAYS; a++) {
        *arrays[a].data = block;
        block += array_room(&arrays[a]);
    }
    b->report->choices = choices;
    b->report->bytes = size;
    *out = map;
    return LOPE_OK;
}

// The map's arrays are const for everyone but its builder.
#define WRITABLE(type, array) ((type *)(uintptr_t)(array))

static void fill_map(const build_state *b, const mobility_pose *poses, const mobility_action *actions,
                     lope_mobility *map)
{
    memcpy(WRITABLE(mobility_pose, map->poses), poses, map->head.pose_count * sizeof *poses);
    memcpy(WRITABLE(mobility_action, map->actions), actions, map->head.action_count * sizeof *actions);
    memcpy(WRITABLE(int32_t, map->state_poses), b->graph.pose_of_state, map->head.state_count * sizeof(int32_t));
    uint32_t choice = 0;
    for (uint32_t s = 0; s <= map->head.state_count; s++) {
        WRITABLE(uint32_t, map->action_first)[s] = (uint32_t)b->graph.offsets[s];
        WRITABLE(uint32_t, map->choice_first)[s] = choice;
        if (s == map->head.state_count)
            break;
        const choice_list *list = &b->lists[s];
        if (list->count > 0) {
            memcpy(WRITABLE(mobility_choice, map->choices) + choice, list->items,
                   (size_t)list->count * sizeof *list->items);
            memcpy(WRITABLE(uint8_t, map->paths) + (size_t)choice * map->head.steps, list->paths,
                   (size_t)list->count * map->head.steps);
        }
        choice += (uint32_t)list->count;
    }
}

enum { FEW_STEPS = 8 };

// Small sets have few ways of many steps: where those would leave less than half of the states, fewer steps are taken.
static lope_status choose_and_prune(build_state *b, choice_task *task, lope_error *error)
{
    for (;;) {
        double start = lope_seconds();
        lope_status status = shared_choices(b, task, error);
        b->report->seconds[2] += lope_seconds() - start;
        b->report->steps = b->def->steps;
        if (status)
            return status;
        start = lope_seconds();
        // Ranks must agree whether to try again; what can differ among them is whether memory ran out.
        status = lope_ranks_agree(b->help->ranks,
                                  mobility_prune(b->def, b->graph.state_count, b->lists, b->report, error), error);
        b->report->seconds[3] += lope_seconds() - start;
        bool poor = status ? status == LOPE_NOT_FOUND && b->def->steps > 1
                           : b->report->states < b->graph.state_count / 2 && b->def->steps > FEW_STEPS;
        if (!poor)
            return status;
        b->def->steps = b->def->steps * 2 / 3;
    }
}

// Choices, pruning, and the map without its time tables.
static lope_status choose(build_state *b, mobility_pose *poses, mobility_action *actions, lope_mobility **out,
                          lope_error *error)
{
    choice_task task = {.graph = &b->graph,
                        .actions = actions,
                        .def = b->def,
                        .frame_seconds = (float)(1.0 / b->set->clips[0]->frame_rate)};
    mobility_moves(b->set, &b->graph, b->tags, poses, actions);
    lope_status status = choose_and_prune(b, &task, error);
    double start = lope_seconds();
    if (!status)
        status = mobility_thin(&task, b->help->jobs, b->lists, error);
    if (!status)
        status = allocate_map(b, out, error);
    if (!status) {
        fill_map(b, poses, actions, *out);
        mobility_describe(*out, WRITABLE(mobility_choice, (*out)->choices));
        b->report->stands = (int)(*out)->head.stand_count;
    }
    b->report->seconds[3] += lope_seconds() - start;
    return status;
}

static lope_status make_map(build_state *b, lope_mobility **out, lope_error *error)
{
    size_t action_count = b->graph.offsets[b->graph.state_count];
    mobility_pose *poses = lope_alloc_array((size_t)b->graph.pose_count, sizeof *poses);
    mobility_action *actions = lope_alloc_array(action_count, sizeof *actions);
    b->lists = lope_alloc_zero((size_t)b->graph.state_count * sizeof *b->lists);
    lope_status status = poses && actions && b->lists ? LOPE_OK : lope_fail_memory(error);
    status = lope_ranks_agree(b->help->ranks, status, error);
    if (!status)
        status = choose(b, poses, actions, out, error);
    lope_free(poses);
    lope_free(actions);
    return status;
}

static lope_status run_stages(build_state *b, lope_mobility **out, lope_error *error)
{
    double start = lope_seconds();
    lope_status status = shared_transitions(b, error);
    b->report->seconds[0] = lope_seconds() - start;
    start = lope_seconds();
    if (!status)
        status = mobility_connect(b, error);
    b->report->seconds[1] = lope_seconds() - start;
    // From here on ranks hold equal data; what can differ among them is whether memory ran out.
    status = lope_ranks_agree(b->help->ranks, status, error);
    if (!status)
        status = lope_ranks_agree(b->help->ranks, make_map(b, out, error), error);
    start = lope_seconds();
    if (!status)
        status = mobility_times(*out, b->def, b->help, WRITABLE(uint8_t, (*out)->times), error);
    b->report->seconds[4] = lope_seconds() - start;
    start = lope_seconds();
    if (!status)
        status = mobility_stands(*out, b->def, b->help, WRITABLE(uint8_t, (*out)->stands),
                                 WRITABLE(uint8_t, (*out)->faces), error);
    if (!status && !lope_mobility_find_least(*out))
        status = lope_fail_memory(error);
    if (!status)
        status = mobility_try(*out, &b->report->trial, error);
    b->report->seconds[5] = lope_seconds() - start;
    return lope_ranks_agree(b->help->ranks, status, error);
}

static lope_status check_def(const lope_mobility_def *def, lope_error *error)
{
    for (int t = 0; t < LOPE_OWN_TAGS; t++)
        if (def->tag_names[t] && strlen(def->tag_names[t]) >= LOPE_TAG_NAME)
            return lope_fail(error, LOPE_BAD_DATA, "tag_names: '%s' is longer than %d bytes", def->tag_names[t],
                             LOPE_TAG_NAME - 1);
    return LOPE_CHECK(error, LOPE_RANGE(def, frame_cost, 0, 100), LOPE_RANGE(def, hit_radius, LOPE_ABOVE_ZERO, 1000),
                      LOPE_RANGE(def, steps, 1, MOST_STEPS), LOPE_RANGE(def, sweeps, 0, 10000),
                      LOPE_RANGE(def, max_choices, 1, LOPE_LARGE), LOPE_RANGE(def, max_states, 1, LOPE_LARGE),
                      LOPE_RANGE(def, max_ways, 1, 254), LOPE_RANGE(def, own_clips, 0, INT_MAX),
                      LOPE_RANGE(def, min_choices, 0, LOPE_LARGE), LOPE_RANGE(def, min_component, 0, LOPE_LARGE),
                      LOPE_RANGE(def, tag_count, 0, INT_MAX));
}

lope_status lope_mobility_build_with(const lope_set *set, const lope_mobility_def *def, const lope_build_help *help,
                                     lope_mobility **out, lope_mobility_report *report, lope_error *error)
{
    *out = NULL;
    lope_mobility_report unused;
    report = report ? report : &unused;
    *report = (lope_mobility_report){.poses = lope_set_pose_count(set)};
    lope_status status = check_def(def, error);
    if (status)
        return status;
    lope_mobility_def own = *def;
    build_state b = {.set = set, .def = &own, .help = help, .report = report};
    stage_keeper_open(&b.keeper, ranks_own(help->ranks) == 0 ? help->stages : NULL);
    report->stages_damaged = b.keeper.damaged;
    status = run_stages(&b, out, error);
    report->stages_unkept = b.keeper.unwritten;
    stage_keeper_close(&b.keeper);
    choice_lists_free(b.lists, b.graph.state_count);
    lope_state_graph_free(&b.graph);
    lope_transitions_free(&b.transitions);
    lope_free(b.tags);
    if (status) {
        lope_mobility_close(*out);
        *out = NULL;
    }
    return status;
}

lope_status lope_mobility_build(const lope_set *set, const lope_mobility_def *def, lope_jobs *jobs,
                                const lope_progress *progress, lope_mobility **out, lope_mobility_report *report,
                                lope_error *error)
{
    lope_build_help help = {.jobs = jobs, .progress = progress};
    return lope_mobility_build_with(set, def, &help, out, report, error);
}
