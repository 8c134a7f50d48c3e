// SPDX-License-Identifier: MIT
// The search: stages on a stack, each a map laid along the path from where the walk ends so far. The best walk of the
// map that passes is appended and opens the next stage; where none does, the stage before tries its next best. At every
// stage the goal is asked for first.
#include "maps/follow.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

lope_follow_def lope_follow_def_default(void)
{
    const float degree = (float)(LOPE_PI / 180.0);
    return (lope_follow_def){.corridor = 0.5f,
                             .turn = 5.0f * degree,
                             .stride = 0.05f,
                             .goal_distance = 0.01f,
                             .goal_turn = degree,
                             .touch = 0.02f,
                             .work = 2000};
}

lope_follow_def lope_follow_def_published(void)
{
    const float cell = 0.1f, turn = (float)(2.0 * LOPE_PI / LOPE_MAP_TURNS);
    return (lope_follow_def){.corridor = 1000.0f, // none
                             .goal_distance = 1.42f * cell,
                             .goal_turn = 1.02f * turn, // headings of maps are rounded
                             .work = 50000,
                             .published = LOPE_FOLLOW_PUBLISHED};
}

static bool in_space(const void *user, lope_vec2 from, lope_vec2 to, float radius, int *hint)
{
    return lope_space_sweep_free(user, from, to, radius, hint);
}

lope_follow_world lope_follow_in_space(const lope_space *space)
{
    return (lope_follow_world){in_space, space};
}

lope_follow_query lope_follow_query_along(const lope_vec2 *path, int count, float clearance)
{
    lope_follow_query query = {.path = path, .path_count = count, .clearance = clearance, .step = -1};
    if (count < 2)
        return query;
    lope_vec2 a = path[0], b = path[1], y = path[count - 2], z = path[count - 1];
    query.start = (lope_ground){a.x, a.z, (float)lope_atan2((double)(b.x - a.x), (double)(b.z - a.z))};
    query.goal_yaw = (float)lope_atan2((double)(z.x - y.x), (double)(z.z - y.z));
    return query;
}

lope_status lope_follow_create(const lope_maps *maps, const lope_follow_def *def, lope_follow **out, lope_error *error)
{
    *out = NULL;
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, corridor, LOPE_ABOVE_ZERO, LOPE_LARGE), LOPE_RANGE(def, turn, 0, 0.2f),
                   LOPE_RANGE(def, stride, 0, 0.3f), LOPE_RANGE(def, goal_distance, 0, LOPE_LARGE),
                   LOPE_RANGE(def, goal_turn, 0, LOPE_LARGE), LOPE_RANGE(def, touch, -LOPE_LARGE, LOPE_LARGE),
                   LOPE_RANGE(def, work, 1, INT_MAX), LOPE_RANGE(def, published, 0, LOPE_FOLLOW_PUBLISHED));
    if (status)
        return status;
    lope_follow *follow = lope_alloc_zero(sizeof *follow);
    if (!follow)
        return lope_fail_memory(error);
    follow->maps = maps;
    follow->def = *def;
    follow->found.items = lope_alloc_array(STAGE_CANDIDATES, sizeof *follow->found.items);
    follow->found.room = STAGE_CANDIDATES;
    if (!choice_room_make(&follow->room, maps) || !follow->found.items) {
        lope_follow_destroy(follow);
        return lope_fail_memory(error);
    }
    *out = follow;
    return LOPE_OK;
}

void lope_follow_destroy(lope_follow *follow)
{
    if (!follow)
        return;
    lope_line_free(&follow->line);
    lope_free(follow->walk.pieces);
    lope_free(follow->best.pieces);
    lope_free(follow->saved.pieces);
    lope_free(follow->stages);
    lope_free(follow->candidates);
    lope_free(follow->found.items);
    choice_room_free(&follow->room);
    lope_free(follow);
}

// --- queries

static lope_status check_query(const lope_follow *f, const lope_follow_query *q, lope_error *error)
{
    bool finite = isfinite(q->start.x) && isfinite(q->start.z) && isfinite(q->start.yaw) && isfinite(q->clearance) &&
                  (q->any_goal_yaw || isfinite(q->goal_yaw));
    for (int i = 0; i < q->path_count && finite; i++)
        finite = isfinite(q->path[i].x) && isfinite(q->path[i].z);
    if (!finite)
        return lope_fail(error, LOPE_BAD_DATA, "a path, start and goal to follow must be finite numbers");
    float length = q->path_count < 2 ? 0.0f : lope_line_measure(q->path, q->path_count);
    if (!(length > 0.0f && length <= 10000.0f))
        return lope_fail(error, LOPE_BAD_DATA, "a path to follow is up to 10 km long and more than a point; found %g m",
                         (double)length);
    if (q->step < -1 || q->step >= (int)f->maps->map_count)
        return lope_fail(error, LOPE_BAD_DATA, "no step %d to begin with; the graph has %u", q->step,
                         f->maps->map_count);
    return LOPE_OK;
}

static bool any_step(const lope_steps *steps, uint32_t flag)
{
    for (uint32_t s = 0; s < steps->step_count; s++)
        if (steps->steps[s].flags & flag)
            return true;
    return false;
}

static lope_status begin(lope_follow *f, const lope_follow_query *q, lope_error *error)
{
    lope_vec2 goal = q->path[q->path_count - 1];
    f->state = LOPE_FOLLOW_IDLE;
    f->report = (lope_follow_report){.path_length = lope_line_measure(q->path, q->path_count)};
    f->budget = f->def.work;
    f->base = f->played;
    if (!lope_line_set(&f->line, q->path, q->path_count))
        return lope_fail_memory(error);
    f->query = (rank_query){
        .maps = f->maps,
        .line = &f->line,
        .def = &f->def,
        .search = f,
        .room = f->room,
        .corridor = f->def.corridor,
        .stop = f->def.stop && any_step(f->maps->steps, LOPE_STEP_STOPS),
        .goal = lope_map_move_of((lope_ground){goal.x, goal.z, q->any_goal_yaw ? 0.0f : q->goal_yaw}, 0.0f),
        .any_goal_yaw = q->any_goal_yaw};
    f->check = (walk_check){f->maps, &f->line, f->def.corridor, q->clearance, f->def.touch, q->world, 0, 0};
    f->only_starts = f->def.start_standing && any_step(f->maps->steps, LOPE_STEP_STARTS);
    if (f->played > 0) {
        walk_piece *last = &f->walk.pieces[f->played - 1];
        last->along = lope_line_project(&f->line, last->end.x, last->end.z, 0);
    }
    if (!search_begin(f))
        return lope_fail_memory(error);
    f->state = LOPE_FOLLOW_SEARCHING;
    return LOPE_OK;
}

lope_status lope_follow_start(lope_follow *f, const lope_follow_query *q, lope_error *error)
{
    lope_status status = check_query(f, q, error);
    if (status)
        return status;
    f->played = f->walk.count = 0;
    f->start = lope_map_move_of(q->start, 0.0f);
    f->start_step = q->step;
    return begin(f, q, error);
}

lope_status lope_follow_join(lope_follow *f, const lope_walk_step *first, lope_error *error)
{
    if (first->step < 0 || (uint32_t)first->step >= f->maps->map_count)
        return lope_fail(error, LOPE_BAD_DATA, "no step %d to go on from; the graph has %u", first->step,
                         f->maps->map_count);
    if (!isfinite(first->at.x) || !isfinite(first->at.z) || !isfinite(first->at.yaw) || !isfinite(first->turn) ||
        !isfinite(first->stride))
        return lope_fail(error, LOPE_BAD_DATA, "a step to go on from must be at finite numbers");
    f->played = f->walk.count = 0;
    f->state = LOPE_FOLLOW_IDLE;
    if (!lope_pieces_reserve(&f->walk, 1))
        return lope_fail_memory(error);
    f->walk.pieces[0] = (walk_piece){.step = (uint32_t)first->step,
                                     .edge = NO_EDGE,
                                     .start = lope_map_move_of(first->at, 0.0f),
                                     .turn = first->turn,
                                     .stride = first->stride};
    lope_piece_place(f->maps, &f->walk, 0);
    f->played = f->base = f->walk.count = 1;
    return LOPE_OK;
}

lope_status lope_follow_again(lope_follow *f, const lope_follow_query *q, lope_error *error)
{
    lope_status status = check_query(f, q, error);
    if (status)
        return status;
    return f->played > 0 ? begin(f, q, error) : lope_follow_start(f, q, error);
}

lope_status lope_follow_go_on(lope_follow *f, const lope_follow_query *q, lope_error *error)
{
    lope_status status = check_query(f, q, error);
    if (!status && f->played > 1) {
        f->walk.pieces[0] = f->walk.pieces[f->played - 1];
        f->walk.count = f->played = 1;
    }
    return status ? status : lope_follow_again(f, q, error);
}

lope_follow_state lope_follow_advance(lope_follow *f, int work)
{
    int least = f->budget - work;
    while (f->state == LOPE_FOLLOW_SEARCHING && f->budget > least)
        search_step(f);
    return f->state;
}

lope_status lope_follow_path(lope_follow *f, const lope_follow_query *q, lope_error *error)
{
    lope_status status = lope_follow_start(f, q, error);
    if (status)
        return status;
    while (f->state == LOPE_FOLLOW_SEARCHING)
        search_step(f);
    if (f->state == LOPE_FOLLOW_ARRIVED)
        return LOPE_OK;
    lope_follow_report report = lope_follow_about(f);
    return lope_fail(error, LOPE_PARTIAL, "no walk along the path was found; the best one ends %.2f m from the goal",
                     (double)report.miss);
}

// --- what was found

lope_follow_state lope_follow_now(const lope_follow *f)
{
    return f->state;
}

int lope_follow_count(const lope_follow *f)
{
    return f->walk.count;
}

static lope_ground ground_of(const lope_map_move *move)
{
    return (lope_ground){move->x, move->z, lope_wrap_angle(move->yaw)};
}

lope_walk_step lope_follow_step(const lope_follow *f, int index)
{
    assert(index >= 0 && index < f->walk.count);
    const walk_piece *piece = &f->walk.pieces[index];
    return (lope_walk_step){.step = (int32_t)piece->step,
                            .edge = piece->edge == NO_EDGE ? -1 : (int32_t)piece->edge,
                            .at = ground_of(&piece->start),
                            .end = ground_of(&piece->end),
                            .turn = piece->turn,
                            .stride = piece->stride,
                            .along = piece->along,
                            .stage = piece->stage};
}

void lope_follow_play(lope_follow *f, int count)
{
    assert(count >= 0 && count <= f->walk.count);
    if (count <= f->played)
        return;
    f->played = count;
    // What got further in another way cannot be gone back to.
    bool same = f->best.count >= count;
    for (int i = 0; i < count && same; i++)
        same = memcmp(&f->best.pieces[i], &f->walk.pieces[i], sizeof(walk_piece)) == 0;
    if (!same) {
        f->best.count = 0;
        f->best_along = -1.0f;
    }
}

int lope_follow_played(const lope_follow *f)
{
    return f->played;
}

bool lope_follow_clear(const lope_follow *f, const lope_follow_world *world)
{
    walk_check check = f->check;
    check.world = *world;
    check.clearance = 0.0f;
    check.hint = 0;
    return pieces_clear(&check, &f->walk, f->played);
}

lope_follow_report lope_follow_about(const lope_follow *f)
{
    lope_follow_report report = f->report;
    if (f->walk.count == 0)
        return report;
    const lope_map_move *end = &f->walk.pieces[f->walk.count - 1].end, *goal = &f->query.goal;
    float x = end->x - goal->x, z = end->z - goal->z;
    report.length = end->length - (f->base > 0 ? f->walk.pieces[f->base - 1].end.length : 0.0f);
    report.miss = sqrtf(x * x + z * z);
    report.turn = f->query.any_goal_yaw ? 0.0f : fabsf(lope_wrap_angle(end->yaw - goal->yaw));
    return report;
}
