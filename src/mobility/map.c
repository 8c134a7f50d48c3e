// SPDX-License-Identifier: MIT
// Mobility maps at rest: what is in one, how it is saved and opened.
#include "mobility/map.h"

#include <assert.h>
#include <string.h>

#include "asset/built.h"
#include "asset/sane.h"
#include "base/error.h"
#include "base/memory.h"
#include "motion/entries.h"
#include "motion/lock.h"

#define MAP_VERSION 2u
#define CHUNK_HEADER LOPE_CHUNK('M', 'O', 'B', 'I')
#define CHUNK_TAG_NAMES LOPE_CHUNK('M', 'T', 'A', 'G') // only where an own tag has a name

static const lope_chunk_kind KIND = {MAP_VERSION, "mobility map", "lope build --mobility"};

void lope_mobility_arrays(lope_mobility *map, lope_chunk_array out[MOBILITY_ARRAYS])
{
    const mobility_header *h = &map->head;
    uint64_t states = h->state_count, choices = h->choice_count;
    const lope_chunk_array arrays[MOBILITY_ARRAYS] = {
        {LOPE_CHUNK('M', 'P', 'O', 'S'), h->pose_count, sizeof *map->poses, (const void **)&map->poses},
        {LOPE_CHUNK('M', 'S', 'T', 'A'), states, sizeof *map->state_poses, (const void **)&map->state_poses},
        {LOPE_CHUNK('M', 'A', 'C', 'F'), states + 1, sizeof *map->action_first, (const void **)&map->action_first},
        {LOPE_CHUNK('M', 'A', 'C', 'T'), h->action_count, sizeof *map->actions, (const void **)&map->actions},
        {LOPE_CHUNK('M', 'C', 'H', 'F'), states + 1, sizeof *map->choice_first, (const void **)&map->choice_first},
        {LOPE_CHUNK('M', 'C', 'H', 'O'), choices, sizeof *map->choices, (const void **)&map->choices},
        {LOPE_CHUNK('M', 'P', 'T', 'H'), choices, h->steps, (const void **)&map->paths},
        {LOPE_CHUNK('M', 'T', 'I', 'M'), states, 2 * GRID_POINTS, (const void **)&map->times},
        {LOPE_CHUNK('M', 'S', 'T', 'D'), states, GRID_POINTS, (const void **)&map->stands},
        {LOPE_CHUNK('M', 'F', 'A', 'C'), states, FACE_POINTS, (const void **)&map->faces},
    };
    memcpy(out, arrays, sizeof arrays);
}

lope_status lope_mobility_add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    const lope_mobility *map = built;
    lope_status status = lope_chunk_add_set(writer, map->set, error);
    if (!status)
        status = lope_container_writer_add(writer, CHUNK_HEADER, MAP_VERSION, &map->head, sizeof map->head, error);
    bool named = false;
    for (int t = 0; t < LOPE_OWN_TAGS; t++)
        named |= map->tag_names[t][0] != '\0';
    if (!status && named)
        status = lope_container_writer_add(writer, CHUNK_TAG_NAMES, MAP_VERSION, map->tag_names, sizeof map->tag_names,
                                           error);
    lope_mobility copy = *map;
    lope_chunk_array arrays[MOBILITY_ARRAYS];
    lope_mobility_arrays(&copy, arrays);
    return status ? status : lope_chunk_add_arrays(writer, arrays, MOBILITY_ARRAYS, MAP_VERSION, error);
}

lope_status lope_mobility_save(const lope_mobility *map, const char *path, lope_error *error)
{
    return lope_chunk_save(path, lope_mobility_add_chunks, map, error);
}

static bool increasing(const uint32_t *first, uint32_t count, uint32_t end)
{
    for (uint32_t i = 0; i < count; i++)
        if (first[i] > first[i + 1])
            return false;
    return first[0] == 0 && first[count] == end;
}

// A pose that is gone on to has a frame before it, which the way there is played from.
static bool can_be_entered(const lope_mobility *map, int32_t pose)
{
    return sane_index(pose, map->head.pose_count) && map->poses[pose].frame > 0;
}

static bool sane_move(ground_move move, float yaw)
{
    return sane_place(move.x, move.z) && sane_heading(move.cosine, move.sine) && sane_size(yaw, SANE_TURN);
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
        bool on_the_way = pose->state == -1; // only states choose what follows; other poses know it
        if (pose->clip != clip || pose->frame != frame || !sane_move(pose->enter, pose->yaw) ||
            (!on_the_way && (pose->next != -1 || !sane_index(pose->state, map->head.state_count))))
            return false;
    }
    for (uint32_t p = 0; p < map->head.pose_count; p++)
        if (map->poses[p].next != -1 && !can_be_entered(map, map->poses[p].next))
            return false;
    for (uint32_t s = 0; s < map->head.state_count; s++)
        if (!sane_index(map->state_poses[s], map->head.pose_count) ||
            map->poses[map->state_poses[s]].state != (int32_t)s)
            return false;
    return true;
}

// Where a pose leads: to `state`, after `frames` poses that follow each other.
typedef struct pose_way {
    int32_t frames, state; // state -1: to none, for example in a circle
} pose_way;

enum { WAY_UNKNOWN = -1, WAY_ASKED = -2 };

// Passes each pose at most twice, however many lead to it, so that finding the ways of all poses takes linear time.
static void find_way(const lope_mobility *map, int32_t pose, pose_way *ways)
{
    int32_t end = pose, frames = 0;
    for (; end >= 0 && ways[end].frames == WAY_UNKNOWN; end = map->poses[end].next, frames++)
        ways[end].frames = WAY_ASKED;
    bool nowhere = end < 0 || ways[end].frames == WAY_ASKED || ways[end].state < 0;
    int32_t state = nowhere ? -1 : ways[end].state, rest = nowhere ? 0 : ways[end].frames;
    for (int32_t at = pose; frames > 0; at = map->poses[at].next, frames--)
        ways[at] = (pose_way){rest + frames, state};
}

static pose_way *find_ways(const lope_mobility *map)
{
    pose_way *ways = lope_alloc_array(map->head.pose_count, sizeof *ways);
    if (!ways)
        return NULL;
    for (uint32_t p = 0; p < map->head.pose_count; p++) {
        int32_t state = map->poses[p].state;
        ways[p] = (pose_way){state >= 0 ? 0 : WAY_UNKNOWN, state};
    }
    for (uint32_t p = 0; p < map->head.pose_count; p++)
        find_way(map, (int32_t)p, ways);
    return ways;
}

// Every action leads over existing poses to the state it names, in the number of frames it says.
static bool sane_action(const lope_mobility *map, const mobility_action *action, const pose_way *ways)
{
    return can_be_entered(map, action->first_pose) && action->frames >= 1 && action->frames <= UINT16_MAX &&
           sane_index(action->state, map->head.state_count) && ways[action->first_pose].state == action->state &&
           ways[action->first_pose].frames == action->frames - 1 && sane_move(action->move, action->yaw);
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
    return (uint32_t)c->state == state && map->choice_first[state] < map->choice_first[state + 1] &&
           sane_move((ground_move){c->x, c->z, c->cosine, c->sine}, c->yaw) && c->frames > 0;
}

static bool sane_actions(const lope_mobility *map, const pose_way *ways)
{
    for (uint32_t a = 0; a < map->head.action_count; a++)
        if (!sane_action(map, &map->actions[a], ways))
            return false;
    return true;
}

static bool sane_choices(const lope_mobility *map)
{
    for (uint32_t s = 0; s < map->head.state_count; s++)
        for (uint32_t c = map->choice_first[s]; c < map->choice_first[s + 1]; c++)
            if (!sane_choice(map, s, c))
                return false;
    return true;
}

static lope_status check(const lope_mobility *map, const char *path, lope_error *error)
{
    const mobility_header *h = &map->head;
    bool fine = sane_poses(map) && increasing(map->action_first, h->state_count, h->action_count) &&
                increasing(map->choice_first, h->state_count, h->choice_count);
    if (fine) {
        pose_way *ways = find_ways(map);
        if (!ways)
            return lope_fail_memory(error);
        fine = sane_actions(map, ways) && sane_choices(map);
        lope_free(ways);
    }
    return fine ? LOPE_OK : lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the mobility map refers to what is not there");
}

static bool sane_header(const lope_mobility *map)
{
    const mobility_header *h = &map->head;
    double rate = map->set->clips[0]->frame_rate;
    return h->pose_count == lope_chunk_frames(map->set) && h->steps >= 1 && h->steps <= MOST_STEPS &&
           h->state_count >= 1 && h->state_count <= h->pose_count && fabs((double)h->frame_rate / rate - 1.0) <= 0.01 &&
           sane_size(h->stand_extra, SANE_COST) && sane_size(h->face_extra, SANE_COST);
}

static lope_status attach_tag_names(lope_mobility *map, const lope_container *container, const char *path,
                                    lope_error *error)
{
    const void *data;
    if (lope_container_find(container, CHUNK_TAG_NAMES, 0) < 0)
        return LOPE_OK;
    lope_status status = lope_chunk_find(container, CHUNK_TAG_NAMES, sizeof map->tag_names, &KIND, path, &data, error);
    if (status)
        return status;
    memcpy(map->tag_names, data, sizeof map->tag_names);
    for (int t = 0; t < LOPE_OWN_TAGS; t++)
        if (!memchr(map->tag_names[t], '\0', LOPE_TAG_NAME))
            return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the name of tag %d does not end", LOPE_TAG_OWN + t);
    return LOPE_OK;
}

static lope_status attach(lope_mobility *map, const lope_container *container, const char *path, lope_error *error)
{
    const void *data;
    lope_status status = lope_chunk_find(container, CHUNK_HEADER, sizeof map->head, &KIND, path, &data, error);
    if (status)
        return status;
    memcpy(&map->head, data, sizeof map->head);
    if (!sane_header(map))
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the mobility map was built for another set of clips");
    lope_chunk_array arrays[MOBILITY_ARRAYS];
    lope_mobility_arrays(map, arrays);
    status = lope_chunk_find_arrays(container, arrays, MOBILITY_ARRAYS, &KIND, path, error);
    if (!status)
        status = attach_tag_names(map, container, path, error);
    return status ? status : check(map, path, error);
}

// The set keeps its file; the map's arrays lie in it, too.
static lope_status open_in_set(lope_set *set, const char *name, lope_mobility **out, lope_error *error)
{
    lope_mobility *map = lope_alloc_zero(sizeof *map);
    if (!map) {
        lope_set_destroy(set);
        return lope_fail_memory(error);
    }
    map->set = map->own_set = set;
    lope_status status = attach(map, set->storage, name, error);
    if (status) {
        lope_mobility_close(map);
        return status;
    }
    if (!lope_mobility_find_least(map)) {
        lope_mobility_close(map);
        return lope_fail_memory(error);
    }
    lope_chunk_lock_rig(set, &map->rig);
    *out = map;
    return LOPE_OK;
}

LOPE_DEFINE_OPENERS(mobility, set, open_in_set)

void lope_mobility_close(lope_mobility *map)
{
    if (!map)
        return;
    lope_set_destroy(map->own_set);
    lope_free(map->storage);
    lope_free(map->awkward);
    lope_entries_destroy(map->entries);
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

const char *lope_mobility_tag_name(const lope_mobility *map, lope_tag tag)
{
    static const char *const found[] = {[LOPE_TAG_STAND] = "stand", [LOPE_TAG_WALK] = "walk", [LOPE_TAG_RUN] = "run"};
    assert((unsigned)tag < LOPE_TAG_COUNT);
    if (tag < LOPE_TAG_OWN)
        return found[tag];
    return tag == LOPE_TAG_ODD ? "odd" : map->tag_names[tag - LOPE_TAG_OWN];
}

int lope_mobility_find_tag(const lope_mobility *map, const char *name)
{
    for (int t = 0; t < LOPE_TAG_COUNT; t++)
        if (name[0] && strcmp(lope_mobility_tag_name(map, (lope_tag)t), name) == 0)
            return t;
    return -1;
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
