// SPDX-License-Identifier: MIT
// Keeping finished stages: a container that is written anew, beside itself and renamed, whenever a stage is done.
#include "mobility/build/keep.h"

#include <string.h>

#include "base/memory.h"
#include "mobility/map.h"

#define KEEP_VERSION 3u // of the contents of all stages: raise it when one of them changes

void stage_keeper_open(stage_keeper *keeper, const char *path)
{
    *keeper = (stage_keeper){.path = path};
    if (!path)
        return;
    lope_error error;
    lope_status status = lope_container_open(path, &keeper->found, &error);
    if (status)
        keeper->found = NULL;
    keeper->damaged = status && status != LOPE_NOT_FOUND;
    if (lope_container_writer_create(&keeper->writer, &error) != LOPE_OK)
        keeper->writer = NULL;
}

void stage_keeper_close(stage_keeper *keeper)
{
    lope_container_close(keeper->found);
    lope_container_writer_destroy(keeper->writer);
    *keeper = (stage_keeper){0};
}

const void *stage_keeper_find(const stage_keeper *keeper, uint32_t stage, uint64_t key, size_t *size)
{
    *size = 0;
    int index = keeper->found ? lope_container_find(keeper->found, stage, 0) : -1;
    if (index < 0)
        return NULL;
    uint32_t version;
    lope_container_type(keeper->found, index, &version);
    size_t found;
    const char *bytes = lope_container_data(keeper->found, index, &found);
    if (version != KEEP_VERSION || found < sizeof key || memcmp(bytes, &key, sizeof key) != 0)
        return NULL;
    *size = found - sizeof key;
    return bytes + sizeof key;
}

void stage_keeper_add(stage_keeper *keeper, uint32_t stage, uint64_t key, const void *bytes, size_t size)
{
    if (!keeper->path)
        return;
    lope_error error;
    char *keyed = lope_alloc(sizeof key + size);
    lope_status status = keyed && keeper->writer ? LOPE_OK : LOPE_NO_MEMORY;
    if (!status) {
        memcpy(keyed, &key, sizeof key);
        if (size > 0)
            memcpy(keyed + sizeof key, bytes, size);
        status = lope_container_writer_add(keeper->writer, stage, KEEP_VERSION, keyed, sizeof key + size, &error);
    }
    if (!status)
        status = lope_container_writer_save(keeper->writer, keeper->path, &error);
    keeper->unwritten = keeper->unwritten || status;
    lope_free(keyed);
}

static uint64_t hash_clip(const lope_clip *clip, uint64_t hash)
{
    size_t frames = (size_t)clip->frame_count, joints = (size_t)clip->skeleton->joint_count;
    hash = lope_hash(&clip->frame_rate, sizeof clip->frame_rate, hash);
    hash = lope_hash(clip->root, frames * sizeof *clip->root, hash);
    hash = lope_hash(clip->rotations, frames * joints * sizeof *clip->rotations, hash);
    if (clip->translations)
        hash = lope_hash(clip->translations, frames * joints * sizeof *clip->translations, hash);
    return hash;
}

// Numbers one by one: a struct may have gaps whose bytes mean nothing.
static uint64_t hash_number(double value, uint64_t hash)
{
    return lope_hash(&value, sizeof value, hash);
}

uint64_t stage_key_transitions(const lope_set *set, const lope_transition_def *def)
{
    const lope_skeleton *skeleton = set->skeleton;
    size_t joints = (size_t)skeleton->joint_count;
    uint64_t hash = lope_hash(skeleton->parents, joints * sizeof *skeleton->parents, 0);
    hash = lope_hash(skeleton->rest, joints * sizeof *skeleton->rest, hash);
    hash = lope_hash(skeleton->tips, joints * sizeof *skeleton->tips, hash);
    hash = lope_hash(skeleton->roles, sizeof skeleton->roles, hash);
    for (int c = 0; c < set->clip_count; c++)
        hash = hash_clip(set->clips[c], hash);
    const double numbers[] = {(double)def->metric,      (double)def->threshold,    (double)def->local_minima,
                              (double)def->min_gap,     (double)def->angle_weight, (double)def->velocity_weight,
                              (double)def->root_weight, (double)def->window,       (double)def->most};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = hash_number(numbers[i], hash);
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        hash = hash_number((double)def->role_weights[r], hash);
    return hash;
}

// Which transitions and poses make the graph depends on tags, budgets and more, so the graph itself is hashed.
uint64_t stage_key_choices(uint64_t clips, const lope_transitions *transitions, const lope_state_graph *graph,
                           const lope_mobility_def *def)
{
    uint64_t hash = lope_hash(transitions->items, transitions->count * sizeof *transitions->items, clips);
    hash = lope_hash(graph->state_of_pose, (size_t)graph->pose_count * sizeof *graph->state_of_pose, hash);
    hash = lope_hash(graph->next, (size_t)graph->pose_count * sizeof *graph->next, hash);
    hash = hash_number((double)sizeof(mobility_choice), hash); // it may grow from version to version
    hash = hash_number((double)def->frame_cost, hash);
    hash = hash_number((double)def->steps, hash);
    return hash_number((double)def->max_choices, hash);
}
