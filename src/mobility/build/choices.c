// SPDX-License-Identifier: MIT
// Choices of a state (thesis 4.1): all targets whose cheapest sequence has exactly `steps` actions, with where it ends.
// Where there are too many, those are kept that lie farthest apart, because many alike are no more choice than one.
#include "mobility/build/stages.h"

#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"

void mobility_moves(const lope_set *set, const lope_state_graph *graph, const uint32_t *tags, mobility_pose *poses,
                    mobility_action *actions)
{
    int pose = 0;
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f++, pose++) {
            lope_ground step = f > 0 ? lope_clip_ground_step(set->clips[c], f - 1) : (lope_ground){0.0f, 0.0f, 0.0f};
            poses[pose] = (mobility_pose){
                graph->next[pose], graph->state_of_pose[pose], ground_move_of(step), step.yaw, c, f, tags[pose]};
        }
    for (size_t a = 0; a < graph->offsets[graph->state_count]; a++) {
        lope_action action = graph->actions[a];
        mobility_action out = {action.first_pose, action.state, action.length, {0.0f, 0.0f, 1.0f, 0.0f}, 0.0f};
        for (int k = 0, p = action.first_pose; k < action.length; k++, p = graph->next[p]) {
            out.move = ground_move_mul(out.move, poses[p].enter);
            out.yaw += poses[p].yaw;
        }
        actions[a] = out;
    }
}

// Everything one thread needs to find the choices of a state.
typedef struct choice_worker {
    lope_path_tree tree;
    mobility_choice *candidates; // [state_count]
    float *spread;               // [state_count] distance to the nearest choice that was kept
    uint8_t *kept;               // [state_count]
} choice_worker;

typedef struct choice_run {
    const lope_state_graph *graph;
    const mobility_action *actions;
    const lope_mobility_def *def;
    float frame_seconds;
    const lope_all_paths *all; // NULL: each state finds its own
    choice_worker *workers;
    choice_list *lists;
    int first;
    atomic_bool out_of_memory;
} choice_run;

// Action indices on the way to `state`, from the source on.
static void trace(const lope_path_tree *tree, int state, int steps, int *actions)
{
    for (int k = steps; k-- > 0; state = tree->labels[state].from)
        actions[k] = tree->labels[state].action;
}

static mobility_choice measure(const choice_run *run, const lope_path_tree *tree, int state)
{
    int way[MOST_STEPS], steps = run->def->steps;
    trace(tree, state, steps, way);
    ground_move move = {0.0f, 0.0f, 1.0f, 0.0f};
    mobility_choice choice = {.state = state};
    int frames = 0;
    for (int k = 0; k < steps; k++) {
        const mobility_action *action = &run->actions[way[k]];
        move = ground_move_mul(move, action->move);
        choice.yaw += action->yaw;
        frames += action->frames;
    }
    choice.x = move.x;
    choice.z = move.z;
    choice.cosine = move.cosine;
    choice.sine = move.sine;
    choice.frames = (uint16_t)(frames < UINT16_MAX ? frames : UINT16_MAX);
    choice.yaw = lope_wrap_angle(choice.yaw);
    return choice;
}

// How different two choices are, in metres: half a turn counts like a metre and a half, a second like a third of one.
static float difference(mobility_choice a, mobility_choice b, float frame_seconds)
{
    float dx = a.x - b.x, dz = a.z - b.z, turn = 0.5f * lope_wrap_angle(a.yaw - b.yaw);
    float time = 0.33f * frame_seconds * (float)(a.frames - b.frames);
    return sqrtf(dx * dx + dz * dz + turn * turn + time * time);
}

// Farthest-point choice of `wanted` out of `count`: begin with the first, then always what is farthest from all kept.
static void keep_spread(const mobility_choice *items, int count, int wanted, float frame_seconds, choice_worker *w)
{
    memset(w->kept, 0, (size_t)count);
    for (int i = 0; i < count; i++)
        w->spread[i] = 1e30f;
    int next = 0;
    for (int k = 0; k < wanted; k++) {
        w->kept[next] = 1;
        int farthest = -1;
        for (int i = 0; i < count; i++) {
            float d = difference(items[i], items[next], frame_seconds);
            w->spread[i] = d < w->spread[i] ? d : w->spread[i];
            if (!w->kept[i] && (farthest < 0 || w->spread[i] > w->spread[farthest]))
                farthest = i;
        }
        if (farthest < 0)
            return;
        next = farthest;
    }
}

// Pruning takes choices away, so more are kept until then than will remain.
enum { SPARE = 4 };

static int gather(const choice_run *run, choice_worker *w)
{
    int count = 0, limit = SPARE * run->def->max_choices;
    // By state number, so that the order does not depend on how the tree was found.
    for (int s = 0; s < run->graph->state_count; s++)
        if (w->tree.labels[s].steps == run->def->steps)
            w->candidates[count++] = measure(run, &w->tree, s);
    if (count <= limit)
        memset(w->kept, 1, (size_t)count);
    else
        keep_spread(w->candidates, count, limit, run->frame_seconds, w);
    return count;
}

static bool store(const choice_run *run, const choice_worker *w, int source, int count, choice_list *list)
{
    int kept = 0, way[MOST_STEPS], steps = run->def->steps;
    for (int i = 0; i < count; i++)
        kept += w->kept[i];
    list->items = lope_alloc_array((size_t)kept, sizeof *list->items);
    list->paths = lope_alloc_array((size_t)kept, (size_t)steps);
    if (!list->items || !list->paths)
        return false;
    for (int i = 0; i < count; i++) {
        if (!w->kept[i])
            continue;
        list->items[list->count] = w->candidates[i];
        trace(&w->tree, w->candidates[i].state, steps, way);
        int state = source;
        for (int k = 0; k < steps; k++) {
            list->paths[list->count * steps + k] = (uint8_t)((size_t)way[k] - run->graph->offsets[state]);
            state = run->actions[way[k]].state;
        }
        list->count++;
    }
    return true;
}

static void find_choices(void *user, int index, int thread)
{
    choice_run *run = user;
    choice_worker *w = &run->workers[thread];
    int state = run->first + index;
    if (run->all)
        lope_all_paths_tree(run->graph, run->all, state, &w->tree);
    else
        lope_path_tree_run(run->graph, state, &w->tree);
    int count = gather(run, w);
    if (!store(run, w, state, count, &run->lists[state]))
        atomic_store(&run->out_of_memory, true);
}

static lope_status make_worker(const lope_state_graph *graph, int steps, choice_worker *w, lope_error *error)
{
    size_t n = (size_t)graph->state_count;
    lope_status status = lope_path_tree_create(graph, &w->tree, error);
    w->tree.step_limit = steps;
    w->candidates = lope_alloc_array(n, sizeof *w->candidates);
    w->spread = lope_alloc_array(n, sizeof *w->spread);
    w->kept = lope_alloc_array(n, sizeof *w->kept);
    return !status && w->candidates && w->spread && w->kept ? LOPE_OK : lope_fail_memory(error);
}

static void free_workers(choice_worker *workers, int count)
{
    for (int t = 0; workers && t < count; t++) {
        lope_path_tree_free(&workers[t].tree);
        lope_free(workers[t].candidates);
        lope_free(workers[t].spread);
        lope_free(workers[t].kept);
    }
    lope_free(workers);
}

static lope_status make_workers(const choice_task *task, int threads, choice_worker **out, lope_error *error)
{
    *out = lope_alloc_zero((size_t)threads * sizeof **out);
    lope_status status = *out ? LOPE_OK : lope_fail_memory(error);
    for (int t = 0; t < threads && !status; t++)
        status = make_worker(task->graph, task->def->steps, &(*out)[t], error);
    return status;
}

lope_status mobility_choices(const choice_task *task, lope_jobs *jobs, const lope_progress *progress,
                             choice_list *lists, lope_error *error)
{
    enum { AT_ONCE = 256 };
    int threads = lope_jobs_thread_count(jobs), total = task->end - task->first;
    choice_run run = {task->graph, task->actions, task->def, task->frame_seconds, .lists = lists};
    lope_all_paths all = {0};
    lope_status status = LOPE_OK;
    if (task->def->all_pairs) {
        run.all = &all;
        status = lope_all_paths_create(task->graph, jobs, progress, &all, error);
    }
    if (!status)
        status = make_workers(task, threads, &run.workers, error);
    for (run.first = task->first; run.first < task->end && !status; run.first += AT_ONCE) {
        int left = task->end - run.first, count = left < AT_ONCE ? left : AT_ONCE;
        lope_jobs_run(jobs, count, find_choices, &run);
        double done = (double)(run.first + count - task->first) / (double)total;
        if (atomic_load(&run.out_of_memory))
            status = lope_fail_memory(error);
        else if (progress && !progress->report(progress->user, "choices", done))
            status = lope_fail(error, LOPE_INTERRUPTED, "interrupted while finding choices");
    }
    lope_all_paths_free(&all);
    free_workers(run.workers, threads);
    return status;
}

static void thin_list(void *user, int index, int thread)
{
    choice_run *run = user;
    choice_list *list = &run->lists[index];
    choice_worker *w = &run->workers[thread];
    int steps = run->def->steps, count = 0;
    if (list->count <= run->def->max_choices)
        return;
    keep_spread(list->items, list->count, run->def->max_choices, run->frame_seconds, w);
    for (int i = 0; i < list->count; i++) {
        if (!w->kept[i])
            continue;
        list->items[count] = list->items[i];
        memmove(list->paths + count * steps, list->paths + i * steps, (size_t)steps);
        count++;
    }
    list->count = count;
}

lope_status mobility_thin(const choice_task *task, lope_jobs *jobs, choice_list *lists, lope_error *error)
{
    int threads = lope_jobs_thread_count(jobs);
    choice_run run = {task->graph, task->actions, task->def, task->frame_seconds, .lists = lists};
    lope_status status = make_workers(task, threads, &run.workers, error);
    if (!status)
        lope_jobs_run(jobs, task->graph->state_count, thin_list, &run);
    free_workers(run.workers, threads);
    return status;
}

void choice_lists_free(choice_list *lists, int count)
{
    for (int s = 0; lists && s < count; s++) {
        lope_free(lists[s].items);
        lope_free(lists[s].paths);
    }
    lope_free(lists);
}
