// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/piles.h"

#define MEANS_ROUNDS 6
// Larger piles are not checked pair by pair before they are cut once more: they hardly ever are narrow.
#define LARGE_PILE 512

typedef struct cutter {
    const pose_features *features;
    float bound2;
    int32_t *frames;
    const int32_t *first; // of the piles as they came
    uint8_t *starts;      // [count] a pile begins at this place of `frames`
    int32_t *spare;       // [count] for partitioning, each pile in its own part
    float *means;         // [threads * 2 * width]
} cutter;

static void mean_of(const pose_features *f, const int32_t *frames, int count, float *mean)
{
    memset(mean, 0, (size_t)f->width * sizeof *mean);
    for (int i = 0; i < count; i++) {
        const float *row = pose_row(f, frames[i]);
        for (int k = 0; k < f->width; k++)
            mean[k] += row[k];
    }
    for (int k = 0; k < f->width; k++)
        mean[k] /= (float)count;
}

static int farthest_from(const pose_features *f, const int32_t *frames, int count, const float *row, float *distance2)
{
    int best = 0;
    *distance2 = -1.0f;
    for (int i = 0; i < count; i++) {
        float d = pose_chord2(pose_row(f, frames[i]), row, f->width);
        if (d > *distance2) {
            *distance2 = d;
            best = i;
        }
    }
    return best;
}

static bool pairs_are_near(const pose_features *f, const int32_t *frames, int count, float bound2)
{
    for (int i = 1; i < count; i++)
        for (int j = 0; j < i; j++)
            if (pose_distance2_within(f, frames[i], frames[j], bound2) > bound2)
                return false;
    return true;
}

// Puts frames nearer to means[0] in front; how many those are. The order within both parts stays.
static int partition(const cutter *c, int32_t *frames, int32_t *spare, int count, const float *means)
{
    const pose_features *f = c->features;
    int front = 0, back = 0;
    for (int i = 0; i < count; i++) {
        const float *row = pose_row(f, frames[i]);
        bool near = pose_chord2(row, means, f->width) <= pose_chord2(row, means + f->width, f->width);
        if (near)
            frames[front++] = frames[i];
        else
            spare[back++] = frames[i];
    }
    memcpy(frames + front, spare, (size_t)back * sizeof *frames);
    return front;
}

// Where to cut a pile in two, or 0 where it is narrow enough.
static int cut_in_two(const cutter *c, int32_t *frames, int32_t *spare, int count, float *means)
{
    const pose_features *f = c->features;
    if (count < 2)
        return 0;
    float spread;
    mean_of(f, frames, count, means);
    int a = farthest_from(f, frames, count, means, &spread);
    float *other = means + f->width;
    memcpy(other, pose_row(f, frames[a]), (size_t)f->width * sizeof *other);
    int b = farthest_from(f, frames, count, other, &spread);
    if (spread <= c->bound2 && count <= LARGE_PILE && pairs_are_near(f, frames, count, c->bound2))
        return 0;
    if (spread <= 0.0f) // a large pile of one and the same pose: any half will do
        return count / 2;
    memcpy(means, pose_row(f, frames[b]), (size_t)f->width * sizeof *means);
    int front = 0;
    for (int round = 0, before = -1; round < MEANS_ROUNDS && front != before; round++) {
        before = front;
        front = partition(c, frames, spare, count, means);
        mean_of(f, frames, front, means);
        mean_of(f, frames + front, count - front, other);
    }
    return front;
}

static void cut_pile(void *user, int index, int thread)
{
    cutter *c = user;
    float *means = c->means + (size_t)thread * 2 * (size_t)c->features->width;
    // Marks ahead of the place being looked at are the stack: each cut adds one inside the current part.
    int end = c->first[index + 1];
    for (int begin = c->first[index]; begin < end;) {
        int part_end = begin + 1;
        while (part_end < end && !c->starts[part_end])
            part_end++;
        int front = cut_in_two(c, c->frames + begin, c->spare + begin, part_end - begin, means);
        if (front == 0)
            begin = part_end;
        else
            c->starts[begin + front] = 1;
    }
}

static void collect(const uint8_t *starts, int frame_count, pose_piles *piles, int32_t *first)
{
    piles->count = 0;
    for (int i = 0; i < frame_count; i++)
        if (starts[i])
            first[piles->count++] = i;
    first[piles->count] = frame_count;
    lope_free(piles->first);
    piles->first = first;
}

lope_status pose_piles_cut(const pose_features *features, float bound, lope_jobs *jobs, pose_piles *piles,
                           lope_error *error)
{
    size_t n = (size_t)features->count, threads = (size_t)lope_jobs_thread_count(jobs);
    cutter c = {.features = features,
                .bound2 = bound * bound,
                .frames = piles->frames,
                .first = piles->first,
                .starts = lope_alloc_zero(n),
                .spare = lope_alloc_array(n, sizeof *c.spare),
                .means = lope_alloc_array(threads * 2 * (size_t)features->width, sizeof *c.means)};
    int32_t *first = lope_alloc_array(n + 1, sizeof *first);
    bool ok = c.starts && c.spare && c.means && first;
    if (ok) {
        for (int p = 0; p < piles->count; p++)
            c.starts[piles->first[p]] = 1;
        lope_jobs_run(jobs, piles->count, cut_pile, &c);
        collect(c.starts, features->count, piles, first);
    } else {
        lope_free(first);
    }
    lope_free(c.starts);
    lope_free(c.spare);
    lope_free(c.means);
    return ok ? LOPE_OK : lope_fail_memory(error);
}
