// SPDX-License-Identifier: MIT
// Mobility maps at rest: what is in one, how it is saved and opened.
#include "mobility/map.h"

#include <assert.h>
#include <string.h>

#include "asset/built.h"
#include "base/error.h"
#include "base/memory.h"
#include "motion/lock.h"

#define MAP_VERSION 2u
#define CHUNK_HEADER LOPE_CHUNK('M', 'O', 'B', 'I')

static const lope_chunk_kind KIND = {MAP_VERSION, "mobility map", "lope build --mobility"};

void lope_mobility_arrays(lope_mobility *map, lope_chunk_array out[MOBILITY_ARRAYS])
{
    const mobility_header *h = &map->head;
    size_t states = h->state_count, choices = h->choice_count;
    const lope_chunk_array arrays[MOBILITY_ARRAYS] = {
        {LOPE_CHUNK('M', 'P', 'O', 'S'), h->pose_count * sizeof *map->poses, (const void **)&map->poses},
        {LOPE_CHUNK('M', 'S', 'T', 'A'), states * sizeof *map->state_poses, (const void **)&map->state_poses},
        {LOPE_CHUNK('M', 'A', 'C', 'F'), (states + 1) * sizeof *map->action_first, (const void **)&map->action_first},
        {LOPE_CHUNK('M', 'A', 'C', 'T'), h->action_count * sizeof *map->actions, (const void **)&map->actions},
        {LOPE_CHUNK('M', 'C', 'H', 'F'), (states + 1) * sizeof *map->choice_first, (const void **)&map->choice_first},
        {LOPE_CHUNK('M', 'C', 'H', 'O'), choices * sizeof *map->choices, (const void **)&map->choices},
        {LOPE_CHUNK('M', 'P', 'T', 'H'), choices * h->steps, (const void **)&map->paths},
        {LOPE_CHUNK('M', 'T', 'I', 'M'), states * (2 * GRID_POINTS), (const void **)&map->times},
        {LOPE_CHUNK('M', 'S', 'T', 'D'), states * GRID_POINTS, (const void **)&map->stands},
        {LOPE_CHUNK('M', 'F', 'A', 'C'), states * FACE_POINTS, (const void **)&map->faces},
    };
    memcpy(out, arrays, sizeof arrays);
}

static lope_status add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    const lope_mobility *map = built;
    lope_status status = lope_chunk_add_set(writer, map->set, error);
    if (!status)
        status = lope_container_writer_add(writer, CHUNK_HEADER, MAP_VERSION, &map->head, sizeof map->head, error);
    lope_mobility copy = *map;
    lope_chunk_array arrays[MOBILITY_ARRAYS];
    lope_mobility_arrays(&copy, arrays);
    return status ? status : lope_chunk_add_arrays(writer, arrays, MOBILITY_ARRAYS, MAP_VERSION, error);
}

lope_status lope_mobility_save(const lope_mobility *map, const char *path, lope_error *error)
{
    return lope_chunk_save(path, add_chunks, map, error);
}

static bool increasing(const uint32_t *first, uint32_t count, uint32_t end)
{
    for (uint32_t i = 0; i < count; i++)
        if (first[i] > first[i + 1])
            return false;
    return first[0] == 0 && first[count] == end;
}

static bool in_range(int32_t index, uint32_t count)
{
    return index >= 0 && (uint32_t)index < count;
}

// A pose that is gone on to has a frame before it, which the way there is played from.
static bool can_be_entered(const lope_mobility *map, int32_t pose)
{
    return in_range(pose, map->head.pose_count) && map->poses[pose].frame > 0;
}

static bool sane_movement(const mobility_pose *pose)
{
    return isfinite(pose->enter.x) && isfinite(pose->enter.z) && isfinite(pose->enter.cosine) &&
           isfinite(pose->enter.sine) && isfinite(pose->yaw);
}

static bool sane_poses(const lope_mobility *map)
{
    int32_t clip = 0, frame = 0;
    for (uint32_t p = 0; p < map->head.pose_count; p++, frame++) {
        const mobility_pose *pose = &map->poses[p];
        if (frame == map->set->clips[clip]->frame_count) {
            clip++;
            frame = 0;
        }
        if (pose->clip != clip || pose->frame != frame || !sane_movement(pose) ||
            (pose->state != -1 && !in_range(pose->state, map->head.state_count)))
            return false;
    }
    for (uint32_t p = 0; p < map->head.pose_count; p++)
        if (map->poses[p].next != -1 && !can_be_entered(map, map->poses[p].next))
            return false;
    for (uint32_t s = 0; s < map->head.state_count; s++)
        if (!in_range(map->state_poses[s], map->head.pose_count) || map->poses[map->state_poses[s]].state != (int32_t)s)
            return false;
    return true;
}

// Every action leads over existing poses to the state it names, in the number of frames it says.
static bool sane_action(const lope_mobility *map, const mobility_action *action)
{
    if (!can_be_entered(map, action->first_pose) || !in_range(action->state, map->head.state_count) ||
        action->frames < 1 || action->frames > UINT16_MAX || (uint32_t)action->frames > map->head.pose_count)
        return false;
    int32_t pose = action->first_pose;
    for (int32_t k = 1; k < action->frames; k++) {
        pose = map->poses[pose].next;
        if (pose < 0)
            return false;
    }
    return pose == map->state_poses[action->state] && isfinite(action->move.x) && isfinite(action->move.z) &&
           isfinite(action->yaw);
}

// A choice follows its path to the state it names.
static bool sane_choice(const lope_mobility *map, uint32_t state, uint32_t choice)
{
    const mobility_choice *c = &map->choices[choice];
    const uint8_t *path = map->paths + (size_t)choice * map->head.steps;
    for (uint32_t k = 0; k < map->head.steps; k++) {
        uint32_t first = map->action_first[state];
        if (path[k] >= map->action_first[state + 1] - first)
            return false;
        state = (uint32_t)map->actions[first + path[k]].state;
    }
    return (uint32_t)c->state == state && map->choice_first[state] < map->choice_first[state + 1] && isfinite(c->x) &&
           isfinite(c->z) && isfinite(c->cosine) && isfinite(c->sine) && isfinite(c->yaw) && c->frames > 0;
}

static bool sane(const lope_mobility *map)
{
    const mobility_header *h = &map->head;
    if (!sane_poses(map) || !increasing(map->action_first, h->state_count, h->action_count) ||
        !increasing(map->choice_first, h->state_count, h->choice_count))
        return false;
    for (uint32_t a = 0; a < h->action_count; a++)
        if (!sane_action(map, &map->actions[a]))
            return false;
    for (uint32_t s = 0; s < h->state_count; s++)
        for (uint32_t c = map->choice_first[s]; c < map->choice_first[s + 1]; c++)
            if (!sane_choice(map, s, c))
                return false;
    return true;
}

static lope_status attach(lope_mobility *map, const lope_container *container, const char *path, lope_error *error)
{
    const void *data;
    lope_status status = lope_chunk_find(container, CHUNK_HEADER, sizeof map->head, &KIND, path, &data, error);
    if (status)
        return status;
    memcpy(&map->head, data, sizeof map->head);
    if (map->head.pose_count != lope_chunk_frames(map->set) || map->head.steps == 0 || map->head.steps > 64 ||
        map->head.state_count == 0 || map->head.state_count > map->head.pose_count || !(map->head.frame_rate > 0.0f) ||
        !isfinite(map->head.frame_rate))
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the mobility map was built for another set of clips");
    lope_chunk_array arrays[MOBILITY_ARRAYS];
    lope_mobility_arrays(map, arrays);
    status = lope_chunk_find_arrays(container, arrays, MOBILITY_ARRAYS, &KIND, path, error);
    if (!status && !sane(map))
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the mobility map refers to what is not there");
    return status;
}

// The set keeps its file mapped; the map's arrays lie in the same mapping.
static lope_status open_in_set(lope_set *set, const char *name, lope_mobility **out, lope_error *error)
{
    lope_mobility *map = lope_alloc_zero(sizeof *map);
    if (!map) {
        lope_set_destroy(set);
        return lope_fail_memory(error);
    }
    map->set = map->own_set = set;
    lope_lock_rig_find(set->skeleton, &map->rig);
    lope_status status = attach(map, set->storage, name, error);
    if (status) {
        lope_mobility_close(map);
        return status;
    }
    if (!lope_mobility_find_least(map)) {
        lope_mobility_close(map);
        return lope_fail_memory(error);
    }
    *out = map;
    return LOPE_OK;
}

lope_status lope_mobility_open(const char *path, lope_mobility **out, lope_error *error)
{
    *out = NULL;
    lope_set *set;
    lope_status status = lope_set_open(path, &set, error);
    return status ? status : open_in_set(set, path, out, error);
}

lope_status lope_mobility_open_memory(const void *data, size_t size, const char *name, lope_mobility **out,
                                      lope_error *error)
{
    *out = NULL;
    lope_set *set;
    lope_status status = lope_set_open_memory(data, size, name, &set, error);
    return status ? status : open_in_set(set, name, out, error);
}

void lope_mobility_close(lope_mobility *map)
{
    if (!map)
        return;
    lope_set_destroy(map->own_set);
    lope_free(map->storage);
    lope_free(map->awkward);
    lope_free(map);
}

const lope_set *lope_mobility_set(const lope_mobility *map)
{
    return map->set;
}

int lope_mobility_state_count(const lope_mobility *map)
{
    return (int)map->head.state_count;
}

int lope_mobility_state_pose(const lope_mobility *map, int state)
{
    assert(state >= 0 && (uint32_t)state < map->head.state_count);
    return map->state_poses[state];
}

int lope_mobility_pose_state(const lope_mobility *map, int pose)
{
    assert(pose >= 0 && (uint32_t)pose < map->head.pose_count);
    return map->poses[pose].state;
}

int lope_mobility_choice_count(const lope_mobility *map, int state)
{
    assert(state >= 0 && (uint32_t)state < map->head.state_count);
    return (int)(map->choice_first[state + 1] - map->choice_first[state]);
}

unsigned lope_mobility_pose_tags(const lope_mobility *map, int pose)
{
    assert(pose >= 0 && pose < (int)map->head.pose_count);
    return map->poses[pose].tags;
}

bool lope_mobility_can_stand(const lope_mobility *map, int state)
{
    assert(state >= 0 && state < (int)map->head.state_count);
    const mobility_pose *pose = &map->poses[map->state_poses[state]];
    return (pose->tags >> LOPE_TAG_STAND & 1) && pose->frame > 0 &&
           map->choice_first[state] < map->choice_first[state + 1];
}

lope_choice lope_mobility_choice(const lope_mobility *map, int state, int choice)
{
    assert(choice >= 0 && choice < lope_mobility_choice_count(map, state));
    const mobility_choice *c = &map->choices[map->choice_first[state] + (uint32_t)choice];
    return (lope_choice){c->state, {c->x, c->z, c->yaw}, c->frames};
}

int lope_mobility_sequence(const lope_mobility *map, int state, int choice, int *out, int capacity)
{
    assert(choice >= 0 && choice < lope_mobility_choice_count(map, state));
    size_t index = map->choice_first[state] + (uint32_t)choice;
    const uint8_t *path = map->paths + index * map->head.steps;
    int count = 0;
    for (uint32_t k = 0; k < map->head.steps; k++) {
        const mobility_action *action = &map->actions[map->action_first[state] + path[k]];
        int pose = action->first_pose;
        for (int f = 0; f < action->frames; f++, pose = map->poses[pose].next, count++)
            if (count < capacity)
                out[count] = pose;
        state = action->state;
    }
    return count;
}
