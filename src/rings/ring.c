// SPDX-License-Identifier: MIT
// Where the parts of a ring lie in its image, and whether they can be trusted.
#include "rings/ring.h"

#include <string.h>

static size_t place(size_t *end, size_t size)
{
    size_t at = *end;
    *end = (at + size + 63) & ~(size_t)63;
    return at;
}

size_t lope_ring_attach(lope_ring *ring, const void *image)
{
    const char *base = image;
    const ring_head *h = image;
    size_t end = 0, samples = h->samples, groups = h->groups;
    size_t spheres = (size_t)h->lattice[0] * h->lattice[1] * h->lattice[2];
    place(&end, sizeof *h);
    ring->head = h;
    ring->rows = (const float *)(base + place(&end, 2 * (h->frames + 3) * samples * h->width * sizeof(float)));
    ring->modes = (const float *)(base + place(&end, h->modes * groups * 12 * sizeof(float)));
    ring->means = (const float *)(base + place(&end, groups * 16 * sizeof(float)));
    ring->order = (const int32_t *)(base + place(&end, groups * 4 * sizeof(int32_t)));
    ring->root_mean = (const float *)(base + place(&end, 4 * sizeof(float)));
    ring->kriging = (const float *)(base + place(&end, 2 * samples * (samples + RING_DRIFT) * sizeof(float)));
    ring->points = (const float *)(base + place(&end, 2 * samples * 4 * sizeof(float)));
    ring->spheres = (const ring_sphere *)(base + place(&end, 2 * spheres * sizeof(ring_sphere)));
    ring->facets = (const float *)(base + place(&end, (size_t)(h->facets[0] + h->facets[1]) * 4 * sizeof(float)));
    ring->bytes = end;
    return end;
}

// What a ring holds is seen from a foot that stands: nothing of it is far away.
#define FAR 100.0f       // metres
#define FAR_OFF 1e6f     // anything else
#define MOST_TURNED 7.0f // radians that a joint is turned off its mean; posing is exact up to 3
#define MOST_RATE 1e4f   // frames per second

static bool all_within(const float *values, size_t count, float most)
{
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        fine &= fabsf(values[i]) <= most;
    return fine;
}

static bool sane_rotations(const float *x, const float *y, const float *z, const float *w, size_t count)
{
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        fine &= fabsf(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] + w[i] * w[i] - 1.0f) < 0.01f;
    return fine;
}

static bool sane_turn(float x, float y, float z)
{
    return x * x + y * y + z * z <= MOST_TURNED * MOST_TURNED;
}

static bool sane_head(const ring_head *h, int joint_count)
{
    return memchr(h->name, 0, sizeof h->name) && h->kind <= LOPE_RING_OWN && h->frames >= 2 && h->frames <= 4096 &&
           h->samples >= 1 && h->samples <= RING_SAMPLES && h->modes >= 1 && h->modes <= RING_MODES &&
           h->width >= h->modes + RING_TAIL && h->width <= RING_WIDTH && h->width % 4 == 0 &&
           h->joints == (uint32_t)joint_count && h->groups >= 1 && h->groups == (h->joints + 2) / 4 &&
           h->leg_groups >= 1 && h->leg_groups <= h->groups && h->leg_groups <= RING_LEG_GROUPS && h->lattice[0] >= 1 &&
           h->lattice[0] <= 16 && h->lattice[1] >= 1 && h->lattice[1] <= 16 && h->lattice[2] >= 1 &&
           h->lattice[2] <= 16 && h->facets[0] <= RING_FACETS && h->facets[1] <= RING_FACETS;
}

bool lope_ring_head_sane(const void *image, size_t size, int joint_count)
{
    return size >= sizeof(ring_head) && sane_head(image, joint_count);
}

// The legs come first and within the groups that are posed for them alone; every other joint has one slot.
static bool sane_order(const lope_ring *ring, const ring_leg legs[2])
{
    const ring_head *h = ring->head;
    uint64_t seen[LOPE_MAX_JOINTS / 64] = {0};
    uint32_t named = 1;
    for (uint32_t i = 0; i < h->groups * 4; i++) {
        int32_t joint = ring->order[i];
        if (joint == -1)
            continue;
        if (joint <= 0 || joint >= (int32_t)h->joints || seen[joint / 64] >> joint % 64 & 1)
            return false;
        seen[joint / 64] |= (uint64_t)1 << joint % 64;
        named++;
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < legs[side].count; i++)
            if (legs[side].slots[i] >= (int)h->leg_groups * 4 ||
                ring->order[legs[side].slots[i]] != legs[side].joints[i])
                return false;
    return named == h->joints;
}

static bool sane_elbows(const lope_ring *ring)
{
    const ring_head *h = ring->head;
    bool fine = true;
    for (int side = 0; side < 2; side++) {
        const lope_hinge *hinge = &h->elbows[side];
        int32_t slot = h->elbow_slots[side];
        if (hinge->joint == 0)
            continue;
        fine = fine && slot >= 0 && slot < (int32_t)h->groups * 4 && ring->order[slot] == hinge->joint &&
               all_within(&hinge->bone.x, 3, 1.01f) && all_within(&hinge->axis.x, 3, 1.01f) &&
               all_within(&hinge->middle.x, 3, 1.01f) && all_within(&hinge->side.x, 3, 1.01f) &&
               all_within(&hinge->cosine, 1, 1.01f) && all_within(&hinge->sine, 1, 1.01f);
    }
    return fine;
}

// Whether the modes turn no joint too far in a row.
static bool sane_modes(const lope_ring *ring, const float *row)
{
    const ring_head *h = ring->head;
    size_t stride = (size_t)h->groups * 12;
    for (size_t slot = 0; slot < h->groups * 4; slot++) {
        const float *mode = ring->modes + slot / 4 * 12 + slot % 4;
        float turn[3] = {0.0f, 0.0f, 0.0f};
        for (uint32_t k = 0; k < h->modes; k++, mode += stride)
            for (int c = 0; c < 3; c++)
                turn[c] += row[k] * mode[4 * c];
        if (!sane_turn(turn[0], turn[1], turn[2]))
            return false;
    }
    return true;
}

int lope_ring_odd_sample(const lope_ring *ring)
{
    const ring_head *h = ring->head;
    size_t count = 2 * ((size_t)h->frames + 3) * h->samples;
    for (size_t r = 0; r < count; r++) {
        const float *row = ring->rows + r * h->width, *tail = row + h->modes;
        if (!sane_turn(tail[RING_TURN], tail[RING_TURN + 1], tail[RING_TURN + 2]) ||
            !all_within(tail + RING_PLACE, 3, FAR) || !all_within(tail + RING_RATE, 1, MOST_RATE) ||
            !all_within(tail + RING_FEET, 6, FAR) || !sane_modes(ring, row))
            return (int)(r % h->samples);
    }
    return -1;
}

// Whether weights are such as lope_ring_limit leaves.
static bool sane_weights(const float *weights, uint32_t count)
{
    float sum = 0.0f, size = 0.0f;
    for (uint32_t s = 0; s < count; s++) {
        sum += weights[s];
        size += fabsf(weights[s]);
    }
    return fabsf(sum - 1.0f) < 0.01f && size < RING_MOST_SIZE + 0.01f;
}

static bool sane_spheres(const lope_ring *ring)
{
    for (int i = 0; i < 2 * ring_lattice(ring); i++) {
        const ring_sphere *sphere = &ring->spheres[i];
        if (!all_within(&sphere->x, 6, FAR) || !sane_weights(sphere->weights, ring->head->samples))
            return false;
    }
    return true;
}

bool lope_ring_sane(const lope_ring *ring, const ring_leg legs[2])
{
    const ring_head *h = ring->head;
    size_t samples = h->samples, facets = (size_t)h->facets[0] + h->facets[1];
    const float *mean = ring->root_mean;
    for (size_t g = 0; g < h->groups; g++)
        if (!sane_rotations(ring->means + 16 * g, ring->means + 16 * g + 4, ring->means + 16 * g + 8,
                            ring->means + 16 * g + 12, 4))
            return false;
    return all_within(h->lift[0], 2 * RING_SAMPLES, FAR_OFF) && all_within(h->pitch[0], 2 * RING_SAMPLES, FAR) &&
           all_within(h->off[0], 2 * RING_SAMPLES, FAR_OFF) && all_within(h->bias, RING_SAMPLES, FAR) &&
           all_within(h->low[0], 6, FAR) && all_within(h->high[0], 6, FAR) && all_within(&h->foot_error, 2, FAR_OFF) &&
           all_within(h->reach[0], 4, FAR) && all_within(&h->stride, 1, FAR) && h->stride >= 0.0f &&
           all_within(&h->steep, 1, FAR) && all_within(&h->heading, 1, 4.0f) && h->angles <= 1 && h->bare <= 1 &&
           h->seconds > 0.0f && sane_rotations(mean, mean + 1, mean + 2, mean + 3, 1) &&
           all_within(ring->kriging, 2 * samples * (samples + RING_DRIFT), FAR_OFF) &&
           all_within(ring->points, 8 * samples, FAR) && all_within(ring->facets, 4 * facets, FAR_OFF) &&
           sane_order(ring, legs) && sane_elbows(ring) && lope_ring_odd_sample(ring) < 0 && sane_spheres(ring);
}
