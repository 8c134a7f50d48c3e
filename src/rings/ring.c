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

static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) < 1e6f))
            return false;
    return true;
}

static bool sane_head(const ring_head *h, int joint_count)
{
    return memchr(h->name, 0, sizeof h->name) && h->kind <= LOPE_RING_OWN && h->frames >= 2 && h->frames <= 4096 &&
           h->samples >= 1 && h->samples <= RING_SAMPLES && h->modes >= 1 && h->modes <= RING_MODES &&
           h->width >= h->modes + RING_TAIL && h->width <= RING_WIDTH && h->width % 4 == 0 &&
           h->joints == (uint32_t)joint_count && h->groups >= 1 && h->groups <= RING_GROUPS &&
           h->groups * 4 >= h->joints - 1 && h->leg_groups >= 1 && h->leg_groups <= h->groups && h->lattice[0] >= 1 &&
           h->lattice[0] <= 16 && h->lattice[1] >= 1 && h->lattice[1] <= 16 && h->lattice[2] >= 1 &&
           h->lattice[2] <= 16 && h->facets[0] <= RING_FACETS && h->facets[1] <= RING_FACETS;
}

bool lope_ring_head_sane(const void *image, size_t size, int joint_count)
{
    return size >= sizeof(ring_head) && sane_head(image, joint_count);
}

bool lope_ring_sane(const lope_ring *ring, int joint_count)
{
    const ring_head *h = ring->head;
    size_t samples = h->samples;
    if (!sane_head(h, joint_count))
        return false;
    bool seen[RING_GROUPS * 4 + 1] = {false}; // the root, and one for each slot
    uint32_t named = 0;
    for (uint32_t i = 0; i < h->groups * 4; i++) {
        int32_t joint = ring->order[i];
        if (joint < -1 || joint == 0 || joint >= joint_count || (joint > 0 && seen[joint]))
            return false;
        if (joint > 0) {
            seen[joint] = true;
            named++;
        }
    }
    return named + 1 == h->joints && all_finite(h->lift[0], 2 * RING_SAMPLES) &&
           all_finite(h->pitch[0], 2 * RING_SAMPLES) && all_finite(h->off[0], 2 * RING_SAMPLES) &&
           all_finite(h->bias, RING_SAMPLES) && all_finite(h->low[0], 6) && all_finite(h->high[0], 6) &&
           all_finite(&h->foot_error, 2) && h->seconds > 0.0f &&
           all_finite(ring->rows, 2 * (h->frames + 3) * samples * h->width) &&
           all_finite(ring->modes, (size_t)h->modes * h->groups * 12) &&
           all_finite(ring->means, (size_t)h->groups * 16) && all_finite(ring->root_mean, 4) &&
           all_finite(ring->kriging, 2 * samples * (samples + RING_DRIFT)) && all_finite(ring->points, 8 * samples) &&
           all_finite((const float *)ring->spheres, 2 * (size_t)ring_lattice(ring) * (sizeof(ring_sphere) / 4)) &&
           all_finite(ring->facets, (size_t)(h->facets[0] + h->facets[1]) * 4);
}
