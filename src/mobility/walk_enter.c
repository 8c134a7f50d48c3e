// SPDX-License-Identifier: MIT
// Walkers as controllers: entering a map from any motion. The states of the map are the frames at which it can be
// entered; the nearest one is found by what touches, places and speeds (motion/entries.h).
#include "base/error.h"
#include "base/memory.h"
#include "mobility/walker.h"
#include "motion/entries.h"

// Nobody comes in with a jump, or in a state without ways on.
static bool can_enter(const lope_mobility *map, uint32_t state)
{
    const mobility_pose *pose = &map->poses[map->state_poses[state]];
    return walk_has_choices(map, (int32_t)state) && pose->frame > 0 && !(pose->tags >> LOPE_TAG_ODD & 1u);
}

lope_status lope_mobility_learn_entries(lope_mobility *map, lope_error *error)
{
    if (map->entries)
        return LOPE_OK;
    entry_frame *frames = lope_alloc_array(map->head.state_count, sizeof *frames);
    if (!frames)
        return lope_fail_memory(error);
    int count = 0;
    for (uint32_t s = 0; s < map->head.state_count; s++) {
        const mobility_pose *pose = &map->poses[map->state_poses[s]];
        if (can_enter(map, s))
            frames[count++] = (entry_frame){pose->clip, pose->frame, (int32_t)s};
    }
    lope_status status = lope_entries_create(map->set->clips, frames, count, &map->entries, error);
    lope_free(frames);
    return status;
}

// Metres that a second counts by which it takes longer to the goal than from the best state.
#define LATE_COST 0.05f

// Where somebody wants to go on a map.
typedef struct walk_wish {
    const lope_mobility *map;
    const lope_aim *aim;
} walk_wish;

static float late_cost(const void *user, int32_t state, lope_ground at)
{
    const walk_wish *wish = user;
    lope_vec2 goal = mobility_see(ground_move_of(at), (lope_vec2){wish->aim->place.x, wish->aim->place.z});
    if (wish->aim->stop)
        return LATE_COST * TIME_UNIT *
               fmaxf(lope_mobility_stand_at(wish->map, state, goal) - lope_mobility_least_stand_at(wish->map, goal),
                     0.0f);
    const uint8_t *times = wish->map->times + (size_t)state * 2 * GRID_POINTS;
    float late = lope_mobility_time_at(times, goal) - lope_mobility_time_at(wish->map->least_times, goal);
    return LATE_COST * TIME_UNIT * fmaxf(late, 0.0f);
}

static entry_found find(const lope_walker *walker, const lope_moment *moment, const lope_aim *aim)
{
    if (!walker->map->entries)
        return (entry_found){.id = -1, .fit = INFINITY};
    bool goes = aim && isfinite(aim->place.x) && isfinite(aim->place.z);
    walk_wish where = {walker->map, aim};
    return lope_entries_find(walker->map->entries, moment, goes ? &(entry_wish){late_cost, &where} : NULL);
}

static float fit(void *self, const lope_moment *moment, const lope_aim *aim)
{
    return find(self, moment, aim).fit;
}

static void take_aim(void *self, const lope_aim *aim)
{
    if (!aim ||
        lope_walker_go_to(self, &(lope_goal){{aim->place.x, aim->place.z}, aim->facing, aim->stop, aim->place.y}, NULL))
        lope_walker_stop(self);
}

static lope_status enter(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    lope_walker *walker = self;
    entry_found found = find(walker, moment, aim);
    if (!walker->map->entries)
        return lope_fail(error, LOPE_UNSUPPORTED, "the map has not learnt its entries: lope_mobility_learn_entries");
    if (found.id < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "the map has no state that goes on from this moment");
    lope_walker_set_height(walker, moment->height);
    walker->ground = ground_move_of(found.at); // a goal that is here already is met
    walker->holding = false;
    walker->progress = LOPE_WALKER_IDLE;
    take_aim(walker, aim);
    walk_put(walker, found.id, found.at);
    return LOPE_OK;
}

static void advance(void *self, float dt)
{
    lope_walker_step(self, dt);
}

static void moment_of(void *self, lope_moment *out)
{
    lope_walker *walker = self;
    lope_walker_pose(walker, &out->now, NULL);
    out->contacts = lope_walker_contacts(walker);
    out->height = walker->height;
}

static bool may_leave(const void *self)
{
    (void)self;
    return true;
}

const lope_controller *lope_walker_controller(void)
{
    static const lope_controller controller = {"walker", fit, enter, take_aim, advance, moment_of, may_leave};
    return &controller;
}
