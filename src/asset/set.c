// SPDX-License-Identifier: MIT
// Motion sets: clips that fit each other, saved as one skeleton chunk and one chunk per clip.
#include "lope/set.h"

#include "asset/built.h"
#include "asset/chunks.h"
#include "base/error.h"
#include "base/memory.h"

static lope_status check_fit(lope_clip *const *clips, int clip_count, lope_error *error)
{
    if (clip_count < 1)
        return lope_fail(error, LOPE_BAD_DATA, "a motion set needs at least one clip");
    for (int i = 1; i < clip_count; i++) {
        const lope_clip *a = clips[0], *b = clips[i];
        if (!lope_skeleton_equal(a->skeleton, b->skeleton, 1e-3f))
            return lope_fail(error, LOPE_MISMATCH,
                             "clips '%s' and '%s' have different skeletons; retarget them onto one first", a->name,
                             b->name);
        if (fabs(b->frame_rate / a->frame_rate - 1.0) > 0.01)
            return lope_fail(error, LOPE_MISMATCH,
                             "clips '%s' and '%s' have different rates (%g and %g per second); resample them first",
                             a->name, b->name, a->frame_rate, b->frame_rate);
    }
    return LOPE_OK;
}

static lope_set *allocate_set(int clip_count, const lope_skeleton *skeleton)
{
    lope_set *set = lope_alloc_zero(sizeof *set);
    lope_clip **clips = lope_alloc_zero((size_t)clip_count * sizeof *clips);
    if (!set || !clips) {
        lope_free(set);
        lope_free((void *)clips);
        return NULL;
    }
    *set = (lope_set){lope_skeleton_retain(skeleton), clip_count, clips, NULL};
    return set;
}

lope_status lope_set_create(lope_clip *const *clips, int clip_count, lope_set **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check_fit(clips, clip_count, error);
    if (status)
        return status;
    lope_set *set = allocate_set(clip_count, clips[0]->skeleton);
    if (!set)
        return lope_fail_memory(error);
    for (int i = 0; i < clip_count; i++) {
        // One skeleton for all: offsets that differ by less than the tolerance become the same.
        lope_skeleton *own = clips[i]->skeleton;
        clips[i]->skeleton = lope_skeleton_retain(set->skeleton);
        lope_skeleton_release(own);
        set->clips[i] = clips[i];
    }
    *out = set;
    return LOPE_OK;
}

void lope_set_destroy(lope_set *set)
{
    if (!set)
        return;
    for (int i = 0; i < set->clip_count; i++)
        lope_clip_destroy(set->clips[i]);
    lope_skeleton_release(set->skeleton);
    lope_free((void *)set->clips);
    lope_container_close(set->storage);
    lope_free(set);
}

static lope_status add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    return lope_chunk_add_set(writer, built, error);
}

lope_status lope_set_save(const lope_set *set, const char *path, lope_error *error)
{
    return lope_chunk_save(path, add_chunks, set, error);
}

static int count_clips(const lope_container *container)
{
    int count = 0;
    for (int i = 0; i < lope_container_count(container); i++)
        count += lope_chunk_is_clip(container, i);
    return count;
}

static lope_status read_clips(const lope_container *container, const char *name, lope_set *set, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0, next = 0; i < lope_container_count(container) && !status; i++)
        if (lope_chunk_is_clip(container, i))
            status = lope_chunk_read_clip(container, i, set->skeleton, name, &set->clips[next++], error);
    return status;
}

static lope_status read_set(const lope_container *container, const char *name, lope_set **out, lope_error *error)
{
    int skeleton_index = lope_container_find(container, LOPE_CHUNK_SKELETON, 0);
    int clip_count = count_clips(container);
    if (skeleton_index < 0 || clip_count == 0)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0,
                            "holds no motion set: expected a skeleton and clips, found %s",
                            skeleton_index < 0 ? "no skeleton" : "no clip");
    lope_skeleton *skeleton;
    lope_status status = lope_chunk_read_skeleton(container, skeleton_index, name, &skeleton, error);
    if (status)
        return status;
    lope_set *set = allocate_set(clip_count, skeleton);
    lope_skeleton_release(skeleton);
    if (!set)
        return lope_fail_memory(error);
    status = read_clips(container, name, set, error);
    if (!status)
        status = check_fit(set->clips, clip_count, error);
    if (status) {
        lope_set_destroy(set);
        return status;
    }
    *out = set;
    return LOPE_OK;
}

// The set takes over the container; where it cannot be read, the container is closed.
static lope_status take_container(lope_container *container, const char *name, lope_set **out, lope_error *error)
{
    lope_status status = read_set(container, name, out, error);
    if (status)
        lope_container_close(container);
    else
        (*out)->storage = container;
    return status;
}

LOPE_DEFINE_OPENERS(set, container, take_container)
