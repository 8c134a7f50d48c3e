// SPDX-License-Identifier: MIT
// Time-to-goal tables: for each state and each goal on two grids around it, how long until the body can pass there.
// Value iteration over the choices of the map: a goal that a choice passes is reached on the way, any other after the
// choice plus the time from its end. Sweeps read the tables of the sweep before, so they do not depend on threads.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/wide.h"
#include "graph/ranks.h"
#include "math/larger.h"
#include "mobility/build/stages.h"

#define ROW (2 * GRID_POINTS)
#define ROW_PADDED ((ROW + 15) / 16 * 16) // whole vector lanes; what is behind ROW is never read back
#define HALF ((GRID_SIDE - 1) / 2)

typedef struct times_run {
    const lope_mobility *map;
    const lope_mobility_def *def;
    const struct goal_list *goals;
    const float *before; // [state_count * ROW_PADDED] seconds, of the sweep before
    float *after;
    float *hits; // [state_count * ROW_PADDED] of goals that choices pass on their way: the same in every sweep
    int first;
} times_run;

static float grid_step(int grid)
{
    return grid == 0 ? FINE_STEP : COARSE_STEP;
}

static lope_vec2 grid_goal(int grid, int point)
{
    float step = grid_step(grid);
    return (lope_vec2){step * (float)(point % GRID_SIDE - HALF), step * (float)(point / GRID_SIDE - HALF)};
}

// A plain guess to begin with, rather too long: turn towards the goal, then walk there.
static float first_guess(lope_vec2 goal)
{
    float distance = sqrtf(goal.x * goal.x + goal.z * goal.z);
    float turn = distance > 0.05f ? fabsf((float)lope_atan2((double)goal.x, (double)goal.z)) : 0.0f;
    return 3.0f + distance / 0.9f + turn;
}

// The goals of both grids, one array per coordinate.
typedef struct goal_list {
    float x[ROW_PADDED], z[ROW_PADDED];
} goal_list;

// Where goals lie in a table row: between four neighbours, and how long to walk from the grid's edge.
typedef struct lookup_list {
    float a[ROW_PADDED], b[ROW_PADDED];
    int at[ROW_PADDED];
    float beyond[ROW_PADDED];
} lookup_list;

// Goals as seen from `end`. One that lies on neither grid is looked up at the edge and walked to from there.
LOPE_INLINE void locate_goals(const goal_list *restrict goals, ground_move end, lookup_list *restrict out)
{
    const float half = (float)HALF, fine_limit = FINE_STEP * half, limit = COARSE_STEP * half;
    for (int k = 0; k < ROW_PADDED; k++) {
        float dx = goals->x[k] - end.x, dz = goals->z[k] - end.z;
        float x = end.cosine * dx - end.sine * dz, z = end.sine * dx + end.cosine * dz;
        float reach = larger(fabsf(x), fabsf(z));
        float shrink = limit / larger(reach, limit);
        int fine = reach <= fine_limit; // a number rather than a condition: branches would keep it out of vector units
        // A hair less than the limit keeps the neighbour on the far side inside the grid.
        float scale = shrink * (0.9999f / COARSE_STEP + (float)fine * (0.9999f / FINE_STEP - 0.9999f / COARSE_STEP));
        float u = x * scale + half, v = z * scale + half;
        int i = (int)u, j = (int)v;
        out->a[k] = u - (float)i;
        out->b[k] = v - (float)j;
        out->at[k] = (1 - fine) * GRID_POINTS + j * GRID_SIDE + i;
        out->beyond[k] = (1.0f - shrink) * sqrtf(x * x + z * z) * (1.0f / WALKING_SPEED);
    }
}

// Lowers `row` to what the way over the end of a choice takes: `spent` there, and the time `from` on from its end.
LOPE_WIDE static void lower_row(const goal_list *goals, ground_move end, float spent, const float *restrict from,
                                float *restrict row)
{
    lookup_list where;
    locate_goals(goals, end, &where);
    for (int k = 0; k < ROW_PADDED; k++) {
        const float *at = from + where.at[k];
        float a = where.a[k], b = where.b[k];
        float low = at[0] + a * (at[1] - at[0]), high = at[GRID_SIDE] + a * (at[GRID_SIDE + 1] - at[GRID_SIDE]);
        float time = spent + where.beyond[k] + (low + b * (high - low));
        row[k] = smaller(time, row[k]);
    }
}

// Lowers the times of goals within the hit radius of `at`.
static void mark_hits(lope_vec2 at, float radius, float time, float *row)
{
    for (int grid = 0; grid < 2; grid++) {
        float step = grid_step(grid);
        int i0 = (int)ceilf((at.x - radius) / step), i1 = (int)floorf((at.x + radius) / step);
        int j0 = (int)ceilf((at.z - radius) / step), j1 = (int)floorf((at.z + radius) / step);
        for (int j = j0 < -HALF ? -HALF : j0; j <= j1 && j <= HALF; j++)
            for (int i = i0 < -HALF ? -HALF : i0; i <= i1 && i <= HALF; i++) {
                float dx = (float)i * step - at.x, dz = (float)j * step - at.z;
                float *value = &row[grid * GRID_POINTS + (j + HALF) * GRID_SIDE + i + HALF];
                if (dx * dx + dz * dz <= radius * radius && time < *value)
                    *value = time;
            }
    }
}

static void mark_way(const times_run *run, int state, uint32_t choice, float *row)
{
    const lope_mobility *map = run->map;
    const uint8_t *path = map->paths + (size_t)choice * map->head.steps;
    ground_move at = {0.0f, 0.0f, 1.0f, 0.0f};
    float odd = mobility_odd_seconds(&map->choices[choice]);
    int frames = 0;
    for (uint32_t k = 0; k < map->head.steps; k++) {
        const mobility_action *action = &map->actions[map->action_first[state] + path[k]];
        at = ground_move_mul(at, action->move);
        frames += action->frames;
        mark_hits((lope_vec2){at.x, at.z}, run->def->hit_radius, odd + (float)frames / map->head.frame_rate, row);
        state = action->state;
    }
}

static void fill_hits(void *user, int index, int thread)
{
    (void)thread;
    times_run *run = user;
    int state = run->first + index;
    float *row = run->hits + (size_t)state * ROW_PADDED;
    for (int k = 0; k < ROW_PADDED; k++)
        row[k] = 1e9f;
    mark_hits((lope_vec2){0.0f, 0.0f}, run->def->hit_radius, 0.0f, row);
    for (uint32_t c = run->map->choice_first[state]; c < run->map->choice_first[state + 1]; c++)
        mark_way(run, state, c, row);
}

static void sweep_state(void *user, int index, int thread)
{
    (void)thread;
    times_run *run = user;
    int state = run->first + index;
    float *row = run->after + (size_t)state * ROW_PADDED;
    uint32_t begin = run->map->choice_first[state], end = run->map->choice_first[state + 1];
    if (begin == end)
        return;
    memcpy(row, run->hits + (size_t)state * ROW_PADDED, ROW_PADDED * sizeof *row);
    for (uint32_t c = begin; c < end; c++) {
        const mobility_choice *choice = &run->map->choices[c];
        ground_move there = {choice->x, choice->z, choice->cosine, choice->sine};
        float spent = (float)choice->frames / run->map->head.frame_rate + mobility_odd_seconds(choice);
        lower_row(run->goals, there, spent, run->before + (size_t)choice->state * ROW_PADDED, row);
    }
}

static void list_goals(goal_list *goals)
{
    memset(goals, 0, sizeof *goals);
    for (int k = 0; k < ROW; k++) {
        lope_vec2 goal = grid_goal(k / GRID_POINTS, k % GRID_POINTS);
        goals->x[k] = goal.x;
        goals->z[k] = goal.z;
    }
}

static void fill_guess(int state_count, float *table)
{
    memset(table, 0, ROW_PADDED * sizeof *table);
    for (int k = 0; k < ROW; k++)
        table[k] = first_guess(grid_goal(k / GRID_POINTS, k % GRID_POINTS));
    for (int s = 1; s < state_count; s++)
        memcpy(table + (size_t)s * ROW_PADDED, table, ROW_PADDED * sizeof *table);
}

static void quantise(const float *table, int state_count, uint8_t *times)
{
    for (int s = 0; s < state_count; s++)
        for (int k = 0; k < ROW; k++) {
            float units = table[(size_t)s * ROW_PADDED + (size_t)k] / TIME_UNIT + 0.5f;
            times[(size_t)s * ROW + (size_t)k] = units < (float)TIME_MAX ? (uint8_t)units : TIME_MAX;
        }
}

// The share of this process of one sweep.
static lope_status sweep_share(times_run *run, int sweep, const lope_build_help *help, lope_error *error)
{
    enum { AT_ONCE = 512 };
    int states = (int)run->map->head.state_count, own = ranks_own(help->ranks);
    int first = ranks_first(help->ranks, own, states), end = ranks_first(help->ranks, own + 1, states);
    for (run->first = first; run->first < end; run->first += AT_ONCE) {
        int left = end - run->first;
        int some = left < AT_ONCE ? left : AT_ONCE;
        if (sweep == 0)
            lope_jobs_run(help->jobs, some, fill_hits, run);
        lope_jobs_run(help->jobs, some, sweep_state, run);
        double part = (double)(run->first - first) / (double)(end - first);
        const lope_progress *progress = help->progress;
        if (progress &&
            !progress->report(progress->user, "time to goal", ((double)sweep + part) / (double)run->def->sweeps))
            return lope_fail(error, LOPE_INTERRUPTED, "interrupted while filling the time tables");
    }
    return LOPE_OK;
}

static lope_status run_sweeps(times_run *run, float *tables[2], const lope_build_help *help, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int sweep = 0; sweep < run->def->sweeps && !status; sweep++) {
        run->before = tables[sweep % 2];
        run->after = tables[(sweep + 1) % 2];
        status = sweep_share(run, sweep, help, error);
        status = lope_ranks_share_rows(help->ranks, status, run->after, ROW_PADDED * sizeof(float),
                                       (int)run->map->head.state_count, error);
    }
    return status;
}

lope_status mobility_times(const lope_mobility *map, const lope_mobility_def *def, const lope_build_help *help,
                           uint8_t *times, lope_error *error)
{
    size_t count = (size_t)map->head.state_count * ROW_PADDED;
    float *tables[2] = {lope_alloc_array(count, sizeof(float)), lope_alloc_array(count, sizeof(float))};
    float *hits = lope_alloc_array(count, sizeof(float));
    lope_status status = tables[0] && tables[1] && hits ? LOPE_OK : lope_fail_memory(error);
    status = lope_ranks_agree(help->ranks, status, error);
    if (!status) {
        goal_list goals;
        list_goals(&goals);
        times_run run = {.map = map, .def = def, .goals = &goals, .hits = hits};
        fill_guess((int)map->head.state_count, tables[0]);
        fill_guess((int)map->head.state_count, tables[1]);
        status = run_sweeps(&run, tables, help, error);
        if (!status)
            quantise(tables[def->sweeps % 2], (int)map->head.state_count, times);
    }
    lope_free(tables[0]);
    lope_free(tables[1]);
    lope_free(hits);
    return status;
}
