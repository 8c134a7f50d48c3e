// SPDX-License-Identifier: MIT
// Pose groups: frames sorted by contacts, each pile cut until narrow, neighbours merged while the whole stays narrow.
#include "lope/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/piles.h"

typedef struct coded_frame {
    uint64_t code;
    int32_t frame;
} coded_frame;

static int by_code(const void *a, const void *b)
{
    const coded_frame *x = a, *y = b;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

static void code_frames(const lope_set *set, coded_frame *out)
{
    int at = 0;
    for (int c = 0; c < set->clip_count; c++) {
        const lope_clip *clip = set->clips[c];
        for (int frame = 0; frame < clip->frame_count; frame++, at++) {
            out[at].frame = at;
            out[at].code = 0;
            if (clip->contacts) {
                int before = frame > 0 ? frame - 1 : 0, after = frame + 1 < clip->frame_count ? frame + 1 : frame;
                out[at].code = (uint64_t)clip->contacts[before] | (uint64_t)clip->contacts[frame] << 16 |
                               (uint64_t)clip->contacts[after] << 32;
            }
        }
    }
}

// One pile for each contact code.
static lope_status sort_by_contacts(const lope_set *set, int frame_count, pose_piles *out, lope_error *error)
{
    size_t n = (size_t)frame_count;
    coded_frame *coded = lope_alloc_array(n, sizeof *coded);
    pose_piles made = {0, lope_alloc_array(n + 1, sizeof *made.first), lope_alloc_array(n, sizeof *made.frames)};
    *out = made;
    if (!coded || !made.first || !made.frames) {
        lope_free(coded);
        return lope_fail_memory(error);
    }
    code_frames(set, coded);
    qsort(coded, n, sizeof *coded, by_code);
    for (int i = 0; i < frame_count; i++) {
        if (i == 0 || coded[i].code != coded[i - 1].code)
            out->first[out->count++] = i;
        out->frames[i] = coded[i].frame;
    }
    out->first[out->count] = frame_count;
    lope_free(coded);
    return LOPE_OK;
}

// Which of the first piles each of the smaller ones came from.
static int32_t *classes_of(const pose_piles *piles, const int32_t *class_first, int class_count)
{
    int32_t *classes = lope_alloc_array((size_t)piles->count, sizeof *classes);
    for (int p = 0, c = 0; classes && p < piles->count; p++) {
        while (c + 1 < class_count && class_first[c + 1] <= piles->first[p])
            c++;
        classes[p] = c;
    }
    return classes;
}

static lope_status cut_and_merge(const pose_features *features, float bound, lope_jobs *jobs, pose_piles *piles,
                                 lope_error *error)
{
    int class_count = piles->count;
    int32_t *class_first = lope_alloc_array((size_t)class_count + 1, sizeof *class_first), *classes = NULL;
    if (!class_first)
        return lope_fail_memory(error);
    memcpy(class_first, piles->first, (size_t)class_count * sizeof *class_first);
    lope_status status = pose_piles_cut(features, bound, jobs, piles, error);
    if (status == LOPE_OK && !(classes = classes_of(piles, class_first, class_count)))
        status = lope_fail_memory(error);
    if (status == LOPE_OK)
        status = pose_piles_merge(features, classes, bound, jobs, piles, error);
    lope_free(class_first);
    lope_free(classes);
    return status;
}

typedef struct describe_work {
    const pose_features *features;
    const pose_piles *piles;
    int32_t *typical;
    float *widths2; // [group count]
    float *means;   // [threads * width]
} describe_work;

// The middle of a group, the frame nearest to it, and how wide the group really is.
static void describe_group(void *user, int index, int thread)
{
    describe_work *w = user;
    const pose_features *f = w->features;
    const int32_t *frames = w->piles->frames + w->piles->first[index];
    int count = w->piles->first[index + 1] - w->piles->first[index];
    float *mean = w->means + (size_t)thread * (size_t)f->width, nearest = 0.0f;
    memset(mean, 0, (size_t)f->width * sizeof *mean);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < f->width; k++)
            mean[k] += pose_row(f, frames[i])[k] / (float)count;
    for (int i = 0; i < count; i++) {
        float distance2 = pose_chord2(pose_row(f, frames[i]), mean, f->width);
        if (i == 0 || distance2 < nearest) {
            nearest = distance2;
            w->typical[index] = frames[i];
        }
        for (int j = 0; j < i; j++) {
            const float *x = pose_row(f, frames[i]), *y = pose_row(f, frames[j]);
            if (pose_chord2(x, y, f->width) * POSE_ARC2_PER_CHORD2 > w->widths2[index])
                w->widths2[index] = fmaxf(w->widths2[index], pose_arc2(f, x, y));
        }
    }
}

static lope_status describe(const pose_features *features, const pose_piles *piles, lope_jobs *jobs, int32_t *typical,
                            float *widest, lope_error *error)
{
    size_t threads = (size_t)lope_jobs_thread_count(jobs);
    describe_work w = {.features = features,
                       .piles = piles,
                       .typical = typical,
                       .widths2 = lope_alloc_zero((size_t)piles->count * sizeof *w.widths2),
                       .means = lope_alloc_array(threads * (size_t)features->width, sizeof *w.means)};
    bool ok = w.widths2 && w.means;
    *widest = 0.0f;
    if (ok) {
        lope_jobs_run(jobs, piles->count, describe_group, &w);
        for (int g = 0; g < piles->count; g++)
            *widest = fmaxf(*widest, sqrtf(w.widths2[g]));
    }
    lope_free(w.widths2);
    lope_free(w.means);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

// What the public arrays point into.
typedef struct group_arrays {
    pose_piles piles;
    int32_t *of_frame, *typical;
} group_arrays;

// Takes the arrays of the piles over.
static lope_status finish(const pose_features *features, pose_piles *piles, lope_jobs *jobs, lope_groups **out,
                          lope_error *error)
{
    lope_groups *made = lope_alloc_zero(sizeof *made);
    group_arrays *arrays = lope_alloc_zero(sizeof *arrays);
    if (!made || !arrays) {
        lope_free(made);
        lope_free(arrays);
        return lope_fail_memory(error);
    }
    arrays->piles = *piles;
    *piles = (pose_piles){0};
    arrays->of_frame = lope_alloc_array((size_t)features->count, sizeof *arrays->of_frame);
    arrays->typical = lope_alloc_array((size_t)arrays->piles.count, sizeof *arrays->typical);
    *made = (lope_groups){.frame_count = features->count,
                          .group_count = arrays->piles.count,
                          .of_frame = arrays->of_frame,
                          .first = arrays->piles.first,
                          .frames = arrays->piles.frames,
                          .typical = arrays->typical,
                          .storage = arrays};
    lope_status status = arrays->of_frame && arrays->typical ? LOPE_OK : lope_fail_memory(error);
    for (int g = 0; g < made->group_count && status == LOPE_OK; g++)
        for (int i = made->first[g]; i < made->first[g + 1]; i++)
            arrays->of_frame[made->frames[i]] = g;
    if (status == LOPE_OK)
        status = describe(features, &arrays->piles, jobs, arrays->typical, &made->widest, error);
    if (status == LOPE_OK)
        *out = made;
    else
        lope_groups_destroy(made);
    return status;
}

lope_status lope_groups_find(const lope_set *set, const lope_groups_def *def, lope_jobs *jobs, lope_groups **out,
                             lope_error *error)
{
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, bound, LOPE_ABOVE_ZERO, LOPE_LARGE),
                                    LOPE_RANGE(def, velocity_time, 0, LOPE_LARGE));
    if (status)
        return status;
    pose_features features;
    status = pose_features_create(set, def, jobs, &features, error);
    if (status != LOPE_OK)
        return status;
    pose_piles piles = {0};
    status = sort_by_contacts(set, features.count, &piles, error);
    if (status == LOPE_OK)
        status = cut_and_merge(&features, def->bound, jobs, &piles, error);
    if (status == LOPE_OK)
        status = finish(&features, &piles, jobs, out, error);
    lope_free(piles.first);
    lope_free(piles.frames);
    pose_features_destroy(&features);
    return status;
}

void lope_groups_destroy(lope_groups *groups)
{
    if (!groups)
        return;
    group_arrays *arrays = groups->storage;
    lope_free(arrays->piles.first);
    lope_free(arrays->piles.frames);
    lope_free(arrays->of_frame);
    lope_free(arrays->typical);
    lope_free(arrays);
    lope_free(groups);
}
