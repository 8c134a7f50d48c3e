// SPDX-License-Identifier: MIT
#include "asset/built.h"

#include <string.h>

#include "asset/chunks.h"
#include "asset/sane.h"
#include "base/error.h"
#include "base/memory.h"
#include "motion/lock.h"

#define LEGS_VERSION 1

lope_status lope_chunk_find(const lope_container *container, uint32_t type, uint64_t size, const lope_chunk_kind *kind,
                            const char *path, const void **data, lope_error *error)
{
    int index = lope_container_find(container, type, 0);
    uint32_t version = 0;
    size_t found = 0;
    if (index < 0)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "holds no %s; build one with '%s'", kind->what,
                            kind->command);
    lope_container_type(container, index, &version);
    *data = lope_container_data(container, index, &found);
    if (version != kind->version)
        return lope_fail_at(error, LOPE_UNSUPPORTED, path, 0, "a %s of version %u, this Lope reads version %u",
                            kind->what, version, kind->version);
    if (found != size)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "a part of the %s has %zu bytes, expected %llu", kind->what,
                            found, (unsigned long long)size);
    return LOPE_OK;
}

uint32_t lope_chunk_frames(const lope_set *set)
{
    uint32_t count = 0;
    for (int c = 0; c < set->clip_count; c++)
        count += (uint32_t)set->clips[c]->frame_count;
    return count;
}

lope_status lope_chunk_add_arrays(lope_container_writer *writer, const lope_chunk_array *arrays, int count,
                                  uint32_t version, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int a = 0; a < count && !status; a++)
        status = lope_container_writer_add(writer, arrays[a].type, version, *arrays[a].data,
                                           (size_t)chunk_array_bytes(&arrays[a]), error);
    return status;
}

lope_status lope_chunk_find_arrays(const lope_container *container, const lope_chunk_array *arrays, int count,
                                   const lope_chunk_kind *kind, const char *path, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int a = 0; a < count && !status; a++)
        status = lope_chunk_find(container, arrays[a].type, chunk_array_bytes(&arrays[a]), kind, path, arrays[a].data,
                                 error);
    return status;
}

static lope_status add_legs(lope_container_writer *writer, const lope_set *set, lope_error *error)
{
    lope_lock_rig rig;
    lock_learnt learnt;
    lope_lock_rig_learn(set->skeleton, set->clips, set->clip_count, &rig);
    lope_lock_rig_note(&rig, &learnt);
    return lope_container_writer_add(writer, LOPE_CHUNK_LEGS, LEGS_VERSION, &learnt, sizeof learnt, error);
}

lope_status lope_chunk_add_set(lope_container_writer *writer, const lope_set *set, lope_error *error)
{
    lope_status status = lope_chunk_add_skeleton(writer, set->skeleton, error);
    for (int c = 0; c < set->clip_count && !status; c++)
        status = lope_chunk_add_clip(writer, set->clips[c], error);
    return status ? status : add_legs(writer, set, error);
}

static bool sane_legs(const lock_learnt *learnt)
{
    bool sane = true;
    for (int k = 0; k < 10; k++) // one of a set that has no legs says that soles are below all floors
        sane = sane && sane_size(learnt->legs[k / 5][k % 5], 2e9f);
    for (int i = 0; i < LOPE_LOCK_HINGES && sane; i++) {
        const lope_hinge *h = &learnt->hinges[i];
        sane = sane_point(h->bone) && sane_point(h->axis) && sane_point(h->middle) && sane_point(h->side) &&
               sane_size(h->cosine, 1.0f) && sane_size(h->sine, 1.0f);
    }
    return sane;
}

void lope_chunk_lock_rig(const lope_set *set, lope_lock_rig *out)
{
    const lope_container *container = set->storage;
    int index = container ? lope_container_find(container, LOPE_CHUNK_LEGS, 0) : -1;
    uint32_t version = 0;
    size_t size = 0;
    lock_learnt learnt;
    const void *data = index < 0 ? NULL : lope_container_data(container, index, &size);
    if (data && size == sizeof learnt && lope_container_type(container, index, &version) && version == LEGS_VERSION) {
        memcpy(&learnt, data, sizeof learnt);
        if (sane_legs(&learnt)) {
            lope_lock_rig_recall(set->skeleton, &learnt, out);
            return;
        }
    }
    lope_lock_rig_learn(set->skeleton, set->clips, set->clip_count, out);
}

lope_status lope_chunk_save(const char *path, lope_chunk_adder *add, const void *built, lope_error *error)
{
    lope_container_writer *writer;
    lope_status status = lope_container_writer_create(&writer, error);
    if (status)
        return status;
    status = add(writer, built, error);
    if (!status)
        status = lope_container_writer_save(writer, path, error);
    lope_container_writer_destroy(writer);
    return status;
}

lope_status lope_chunk_add_nested(lope_container_writer *writer, uint32_t type, lope_chunk_adder *add,
                                  const void *built, lope_error *error)
{
    lope_container_writer *inner;
    void *bytes = NULL;
    size_t size = 0;
    lope_status status = lope_container_writer_create(&inner, error);
    if (!status)
        status = add(inner, built, error);
    if (!status)
        status = lope_container_writer_image(inner, &bytes, &size, error);
    lope_container_writer_destroy(inner);
    if (!status)
        status = lope_container_writer_add(writer, type, 1, bytes, size, error); // its chunks have versions
    lope_free(bytes);
    return status;
}
