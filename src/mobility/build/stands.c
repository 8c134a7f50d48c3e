// SPDX-License-Identifier: MIT
// Time until standing: like the time-to-goal tables (times.c), but a goal is met only where a choice comes by it in a
// state that can be stood in; and once more for places together with a heading. Beyond their grids the next simpler
// table goes on, with the mean difference along the edge added, which is measured anew after every sweep.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/ranks.h"
#include "lope/ground.h"
#include "math/larger.h"
#include "mobility/build/stages.h"

#define HALF ((GRID_SIDE - 1) / 2)
#define FACE_HALF ((FACE_SIDE - 1) / 2)
#define FACE_PLACES (FACE_SIDE * FACE_SIDE)
#define ROW (2 * GRID_POINTS)
#define STAND_PADDED ((GRID_POINTS + 15) / 16 * 16) // whole vector lanes
#define LONGEST ((float)TIME_MAX * TIME_UNIT)
// Share of the hit radius: between points of the grid, times must not promise what is not kept.
#define STAND_RADIUS 0.7f
// The same for places with a heading, of which few are met at all: wherever a body stands it meets at least one point
// of the grid, or tables of sets with few stands know of no way but by chance, and their walkers go in circles.
#define FACE_RADIUS 1.1f
// Seconds to begin with. Rather too long, or bodies that stand about would believe for ever that they soon get there.
#define STAND_GUESS 8.0f
#define FACE_GUESS 20.0f
// Radians within which a heading of the grid is met, and what small edits on the way make up for: per metre walked, and
// per radian turned.
#define FACE_MET 0.3f
#define EDIT_PER_METRE 0.08f
#define EDIT_PER_TURN 0.1f

typedef struct stands_run {
    const lope_mobility *map;
    float radius, face_radius;
    // Seconds, of the sweep before and of this one. Rows of `stands` hold the fine grid of standing, then the coarse
    // one of passing; [state_count * ROW] and [state_count * FACE_POINTS].
    const float *stands_before, *faces_before;
    float *stands, *faces;
    float goals_x[STAND_PADDED], goals_z[STAND_PADDED]; // of the fine grid
    float stand_extra, face_extra;                      // seconds
    int sweeps, first;
} stands_run;

// Where a list of goals lies in a row of the fine times of standing and the coarse ones of passing: between four
// neighbours, and how much longer from there.
typedef struct lookup_list {
    float a[STAND_PADDED], b[STAND_PADDED];
    int at[STAND_PADDED];
    float more[STAND_PADDED];
} lookup_list;

static void locate_goals(const float *restrict xs, const float *restrict zs, int count, ground_move end, float extra,
                         lookup_list *restrict out)
{
    const float half = (float)HALF, fine_limit = FINE_STEP * half, limit = COARSE_STEP * half;
    for (int k = 0; k < count; k++) {
        float dx = xs[k] - end.x, dz = zs[k] - end.z;
        float x = end.cosine * dx - end.sine * dz, z = end.sine * dx + end.cosine * dz;
        float reach = larger(fabsf(x), fabsf(z));
        float shrink = limit / larger(reach, limit);
        bool fine = reach <= fine_limit;
        // A hair less than the limit keeps the neighbour on the far side inside the grid.
        float scale = shrink * (fine ? 0.9999f / FINE_STEP : 0.9999f / COARSE_STEP);
        float u = x * scale + half, v = z * scale + half;
        int i = (int)u, j = (int)v;
        out->a[k] = u - (float)i;
        out->b[k] = v - (float)j;
        out->at[k] = (fine ? 0 : GRID_POINTS) + j * GRID_SIDE + i;
        out->more[k] = (1.0f - shrink) * sqrtf(x * x + z * z) * (1.0f / WALKING_SPEED) + (fine ? 0.0f : extra);
    }
}

static inline float look_up(const lookup_list *where, int k, const float *row)
{
    const float *at = row + where->at[k];
    float a = where->a[k], b = where->b[k];
    float low = at[0] + a * (at[1] - at[0]), high = at[GRID_SIDE] + a * (at[GRID_SIDE + 1] - at[GRID_SIDE]);
    return where->more[k] + (low + b * (high - low));
}

// A place where the body can stand.
typedef struct stand_place {
    ground_move at;
    float yaw, seconds;
    float met; // radians within which a heading is met
} stand_place;

// Lowers the times of headings near that of a place.
static void mark_headings(const stand_place *place, float *face)
{
    for (int h = 0; h < FACE_TURNS; h++) {
        float heading = (float)h * (float)(2.0 * LOPE_PI / FACE_TURNS);
        if (place->seconds < face[h] && fabsf(lope_wrap_angle(heading - place->yaw)) <= place->met)
            face[h] = place->seconds;
    }
}

// Lowers the times of goals within the radius of a place.
static void mark_stand(const stands_run *run, const stand_place *place, float *stands, float *faces)
{
    float radius = run->face_radius, time = place->seconds;
    lope_vec2 at = {place->at.x, place->at.z};
    int i0 = (int)ceilf((at.x - radius) / FINE_STEP), i1 = (int)floorf((at.x + radius) / FINE_STEP);
    int j0 = (int)ceilf((at.z - radius) / FINE_STEP), j1 = (int)floorf((at.z + radius) / FINE_STEP);
    for (int j = j0 < -HALF ? -HALF : j0; j <= j1 && j <= HALF; j++)
        for (int i = i0 < -HALF ? -HALF : i0; i <= i1 && i <= HALF; i++) {
            float dx = (float)i * FINE_STEP - at.x, dz = (float)j * FINE_STEP - at.z, square = dx * dx + dz * dz;
            float *stand = &stands[(j + HALF) * GRID_SIDE + i + HALF];
            if (square <= run->radius * run->radius)
                *stand = time < *stand ? time : *stand;
            if (square <= radius * radius && abs(i) <= FACE_HALF && abs(j) <= FACE_HALF)
                mark_headings(place, &faces[((j + FACE_HALF) * FACE_SIDE + i + FACE_HALF) * FACE_TURNS]);
        }
}

static void mark_way(const stands_run *run, int32_t state, uint32_t choice, float *stands, float *faces)
{
    const lope_mobility *map = run->map;
    const uint8_t *path = map->paths + (size_t)choice * map->head.steps;
    stand_place place = {
        .at = {0.0f, 0.0f, 1.0f, 0.0f}, .seconds = mobility_odd_seconds(&map->choices[choice]), .met = FACE_MET};
    for (uint32_t k = 0; k < map->head.steps; k++) {
        const mobility_action *action = &map->actions[map->action_first[state] + path[k]];
        place.at = ground_move_mul(place.at, action->move);
        place.yaw += action->yaw;
        place.seconds += (float)action->frames / map->head.frame_rate;
        place.met += EDIT_PER_METRE * sqrtf(action->move.x * action->move.x + action->move.z * action->move.z) +
                     EDIT_PER_TURN * fabsf(action->yaw);
        state = action->state;
        if (lope_mobility_can_stand(map, state))
            mark_stand(run, &place, stands, faces);
    }
}

// The faces of a state as a body turned by `yaw` against it counts them.
static void turn_faces(const float *restrict faces, float yaw, float *restrict out)
{
    float turn = -yaw * (float)(FACE_TURNS / (2.0 * LOPE_PI));
    float whole = floorf(turn), t = turn - whole;
    int shift = (int)whole % FACE_TURNS;
    shift = shift < 0 ? shift + FACE_TURNS : shift;
    for (int p = 0; p < FACE_PLACES; p++) {
        float twice[2 * FACE_TURNS + 1]; // once around and on, so that no index wraps
        memcpy(twice, faces + p * FACE_TURNS, FACE_TURNS * sizeof *twice);
        memcpy(twice + FACE_TURNS, twice, FACE_TURNS * sizeof *twice);
        twice[2 * FACE_TURNS] = twice[0];
        for (int h = 0; h < FACE_TURNS; h++)
            out[p * FACE_TURNS + h] = (1.0f - t) * twice[h + shift] + t * twice[h + shift + 1];
    }
}

static void lower_place(const float *restrict at, float a, float b, float spent, float *restrict face)
{
    const float *right = at + FACE_TURNS, *above = at + FACE_SIDE * FACE_TURNS, *both = above + FACE_TURNS;
    float w0 = (1.0f - b) * (1.0f - a), w1 = (1.0f - b) * a, w2 = b * (1.0f - a), w3 = b * a;
    for (int h = 0; h < FACE_TURNS; h++) {
        float time = spent + (w0 * at[h] + w1 * right[h]) + (w2 * above[h] + w3 * both[h]);
        face[h] = time < face[h] ? time : face[h];
    }
}

// Lowers the times of goals to what the way over the end of a choice takes.
static void lower_by_choice(const stands_run *run, const mobility_choice *choice, float *stands, float *faces)
{
    lookup_list where;
    float turned[FACE_POINTS];
    ground_move end = {choice->x, choice->z, choice->cosine, choice->sine};
    const float *row = run->stands_before + (size_t)choice->state * ROW;
    float spent = (float)choice->frames / run->map->head.frame_rate + mobility_odd_seconds(choice);
    locate_goals(run->goals_x, run->goals_z, STAND_PADDED, end, run->stand_extra, &where);
    for (int k = 0; k < GRID_POINTS; k++) {
        float time = spent + look_up(&where, k, row);
        stands[k] = time < stands[k] ? time : stands[k];
    }
    turn_faces(run->faces_before + (size_t)choice->state * FACE_POINTS, choice->yaw, turned);
    for (int k = 0; k < FACE_PLACES; k++) {
        // The places of faces are the middle of the fine grid.
        int point = (k / FACE_SIDE + HALF - FACE_HALF) * GRID_SIDE + k % FACE_SIDE + HALF - FACE_HALF;
        float *face = faces + k * FACE_TURNS;
        lope_vec2 goal = mobility_see(end, (lope_vec2){run->goals_x[point], run->goals_z[point]});
        float u = goal.x / FACE_STEP + (float)FACE_HALF, v = goal.z / FACE_STEP + (float)FACE_HALF;
        if (u >= 0.0f && v >= 0.0f && u < (float)(FACE_SIDE - 1) && v < (float)(FACE_SIDE - 1)) {
            int i = (int)u, j = (int)v;
            lower_place(turned + (j * FACE_SIDE + i) * FACE_TURNS, u - (float)i, v - (float)j, spent, face);
        } else {
            float time = spent + look_up(&where, point, row) + run->face_extra;
            for (int h = 0; h < FACE_TURNS; h++)
                face[h] = time < face[h] ? time : face[h];
        }
    }
}

static void sweep_state(void *user, int index, int thread)
{
    (void)thread;
    stands_run *run = user;
    int32_t state = run->first + index;
    const lope_mobility *map = run->map;
    if (map->choice_first[state] == map->choice_first[state + 1])
        return;
    float *stands = run->stands + (size_t)state * ROW, *faces = run->faces + (size_t)state * FACE_POINTS;
    for (int k = 0; k < GRID_POINTS; k++)
        stands[k] = LONGEST;
    for (int k = 0; k < FACE_POINTS; k++)
        faces[k] = LONGEST;
    if (lope_mobility_can_stand(map, state))
        mark_stand(run, &(stand_place){.at = {0.0f, 0.0f, 1.0f, 0.0f}, .met = FACE_MET}, stands, faces);
    for (uint32_t c = map->choice_first[state]; c < map->choice_first[state + 1]; c++) {
        mark_way(run, state, c, stands, faces);
        lower_by_choice(run, &map->choices[c], stands, faces);
    }
}

// Means along the edges of the grids: how much longer standing takes than passing, and facing than standing.
static void measure_extras(stands_run *run)
{
    double stand = 0.0, face = 0.0;
    size_t stand_count = 0, face_count = 0;
    const lope_mobility *map = run->map;
    for (int32_t s = 0; s < (int32_t)map->head.state_count; s++) {
        if (map->choice_first[s] == map->choice_first[s + 1])
            continue;
        const uint8_t *times = map->times + (size_t)s * 2 * GRID_POINTS;
        const float *stands = run->stands + (size_t)s * ROW, *faces = run->faces + (size_t)s * FACE_POINTS;
        for (int k = 0; k < GRID_SIDE; k++, stand_count += 2)
            stand += (double)(stands[k] + stands[GRID_POINTS - 1 - k] -
                              TIME_UNIT * (float)(times[k] + times[GRID_POINTS - 1 - k]));
        for (int k = 0; k < FACE_SIDE * FACE_TURNS; k++, face_count++) {
            int column = k / FACE_TURNS + HALF - FACE_HALF, row = HALF - FACE_HALF;
            face += (double)(faces[k] - stands[row * GRID_SIDE + column]);
        }
    }
    run->stand_extra = stand_count ? (float)(stand / (double)stand_count) : 0.0f;
    run->face_extra = face_count ? (float)(face / (double)face_count) : 0.0f;
}

// The share of this process of one sweep.
static lope_status sweep_share(stands_run *run, int sweep, const lope_build_help *help, lope_error *error)
{
    enum { AT_ONCE = 512 };
    int states = (int)run->map->head.state_count, own = ranks_own(help->ranks);
    int first = ranks_first(help->ranks, own, states), end = ranks_first(help->ranks, own + 1, states);
    for (run->first = first; run->first < end; run->first += AT_ONCE) {
        int left = end - run->first;
        lope_jobs_run(help->jobs, left < AT_ONCE ? left : AT_ONCE, sweep_state, run);
        double part = (double)(run->first - first) / (double)(end - first);
        const lope_progress *progress = help->progress;
        if (progress && !progress->report(progress->user, "time to stand", ((double)sweep + part) / run->sweeps))
            return lope_fail(error, LOPE_INTERRUPTED, "interrupted while filling the tables of standing");
    }
    return LOPE_OK;
}

static lope_status run_sweeps(stands_run *run, float *stands[2], float *faces[2], const lope_build_help *help,
                              lope_error *error)
{
    lope_status status = LOPE_OK;
    int states = (int)run->map->head.state_count;
    for (int sweep = 0; sweep < run->sweeps && !status; sweep++) {
        run->stands_before = stands[sweep % 2];
        run->faces_before = faces[sweep % 2];
        run->stands = stands[(sweep + 1) % 2];
        run->faces = faces[(sweep + 1) % 2];
        status = sweep_share(run, sweep, help, error);
        status = lope_ranks_share_rows(help->ranks, status, run->stands, ROW * sizeof(float), states, error);
        status = lope_ranks_share_rows(help->ranks, status, run->faces, FACE_POINTS * sizeof(float), states, error);
        if (!status)
            measure_extras(run);
    }
    return status;
}

static void fill_guess(const lope_mobility *map, float *stands, float *faces)
{
    for (size_t s = 0; s < map->head.state_count; s++) {
        const uint8_t *times = map->times + s * ROW;
        for (int k = 0; k < ROW; k++)
            stands[s * ROW + (size_t)k] = TIME_UNIT * (float)times[k] + (k < GRID_POINTS ? STAND_GUESS : 0.0f);
        for (int k = 0; k < FACE_POINTS; k++)
            faces[s * FACE_POINTS + (size_t)k] = FACE_GUESS;
    }
}

static void list_goals(stands_run *run)
{
    for (int k = 0; k < GRID_POINTS; k++) {
        run->goals_x[k] = FINE_STEP * (float)(k % GRID_SIDE - HALF);
        run->goals_z[k] = FINE_STEP * (float)(k / GRID_SIDE - HALF);
    }
}

static uint8_t quantised(float seconds)
{
    float units = seconds / TIME_UNIT + 0.5f;
    return units < (float)TIME_MAX ? (uint8_t)units : TIME_MAX;
}

static void quantise(const float *stands, const float *faces, size_t states, uint8_t *stand_times, uint8_t *face_times)
{
    for (size_t s = 0; s < states; s++)
        for (size_t k = 0; k < GRID_POINTS; k++)
            stand_times[s * GRID_POINTS + k] = quantised(stands[s * ROW + k]);
    for (size_t k = 0; k < states * FACE_POINTS; k++)
        face_times[k] = quantised(faces[k]);
}

lope_status mobility_stands(lope_mobility *map, const lope_mobility_def *def, const lope_build_help *help,
                            uint8_t *stands, uint8_t *faces, lope_error *error)
{
    if (map->head.stand_count == 0)
        return LOPE_OK;
    size_t stand_count = (size_t)map->head.state_count * ROW;
    size_t face_count = (size_t)map->head.state_count * FACE_POINTS;
    float *block = lope_alloc_array(2 * (stand_count + face_count), sizeof *block);
    lope_status status = lope_ranks_agree(help->ranks, block ? LOPE_OK : lope_fail_memory(error), error);
    if (status) {
        lope_free(block);
        return status;
    }
    float *stand_tables[2] = {block, block + stand_count};
    float *face_tables[2] = {block + 2 * stand_count, block + 2 * stand_count + face_count};
    fill_guess(map, stand_tables[0], face_tables[0]);
    fill_guess(map, stand_tables[1], face_tables[1]);
    stands_run run = {.map = map,
                      .radius = STAND_RADIUS * def->hit_radius,
                      .face_radius = FACE_RADIUS * def->hit_radius,
                      .stand_extra = STAND_GUESS,
                      .face_extra = STAND_GUESS,
                      .sweeps = def->sweeps};
    list_goals(&run);
    status = run_sweeps(&run, stand_tables, face_tables, help, error);
    if (!status) {
        int last = def->sweeps % 2;
        quantise(stand_tables[last], face_tables[last], map->head.state_count, stands, faces);
        map->head.stand_extra = run.stand_extra / TIME_UNIT;
        map->head.face_extra = run.face_extra / TIME_UNIT;
    }
    lope_free(block);
    return status;
}
