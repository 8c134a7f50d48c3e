// SPDX-License-Identifier: MIT
// Weights for a landing: kriging with a linear variogram over the samples' landings. Plain (ordinary) kriging misses
// places between samples by centimetres, because a weighted mean of landings is not asked to be the place; with a
// linear drift (universal kriging) it is, and what remains is the bend of the map from weights to landings.
#include "rings/ring.h"

void lope_ring_krige(const lope_ring *ring, int track, lope_vec3 point, float *weights)
{
    size_t samples = ring->head->samples, columns = samples + RING_DRIFT;
    const float *matrix = ring->kriging + (size_t)track * samples * columns;
    const float *points = ring->points + (size_t)track * samples * 4;
    float right[RING_SAMPLES + RING_DRIFT];
    for (size_t s = 0; s < samples; s++)
        right[s] = ring_apart(points + 4 * s, &point.x, ring->head->steep);
    right[samples] = 1.0f;
    right[samples + 1] = point.x;
    right[samples + 2] = point.y;
    right[samples + 3] = point.z;
    for (size_t s = 0; s < samples; s++, matrix += columns) {
        float sum = 0.0f;
        for (size_t c = 0; c < columns; c++)
            sum += matrix[c] * right[c];
        weights[s] = sum;
    }
}

void lope_ring_krige_change(const lope_ring *ring, int track, lope_vec3 from, lope_vec3 to, float *change)
{
    size_t samples = ring->head->samples, columns = samples + RING_DRIFT;
    const float *matrix = ring->kriging + (size_t)track * samples * columns;
    const float *points = ring->points + (size_t)track * samples * 4;
    float right[RING_SAMPLES + RING_DRIFT], steep = ring->head->steep;
    for (size_t s = 0; s < samples; s++)
        right[s] = ring_apart(points + 4 * s, &to.x, steep) - ring_apart(points + 4 * s, &from.x, steep);
    right[samples] = 0.0f;
    right[samples + 1] = to.x - from.x;
    right[samples + 2] = to.y - from.y;
    right[samples + 3] = to.z - from.z;
    for (size_t s = 0; s < samples; s++, matrix += columns) {
        float sum = 0.0f;
        for (size_t c = 0; c < columns; c++)
            sum += matrix[c] * right[c];
        change[s] = sum;
    }
}

void lope_ring_limit(int samples, float *weights)
{
    float below = 0.0f, above = 0.0f;
    for (int s = 0; s < samples; s++) {
        below -= smaller(weights[s], 0.0f);
        above += larger(weights[s], 0.0f);
    }
    if (!(above > 1e-6f)) {
        for (int s = 0; s < samples; s++)
            weights[s] = 1.0f / (float)samples;
        return;
    }
    float most = 0.5f * (RING_MOST_SIZE - 1.0f), kept = smaller(below, most);
    float scale_below = below > 0.0f ? kept / below : 0.0f, scale_above = (1.0f + kept) / above;
    for (int s = 0; s < samples; s++)
        weights[s] *= weights[s] < 0.0f ? scale_below : scale_above;
}

float lope_ring_outside(const lope_ring *ring, int track, lope_vec3 point)
{
    const float *facet = ring->facets + (track ? 4 * (size_t)ring->head->facets[0] : 0);
    float farthest = -1e9f;
    for (uint32_t f = 0; f < ring->head->facets[track]; f++, facet += 4)
        farthest = larger(farthest, facet[0] * point.x + facet[1] * point.y + facet[2] * point.z - facet[3]);
    return farthest;
}
