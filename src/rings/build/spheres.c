// SPDX-License-Identifier: MIT
// Contact spheres (section 4.1): where the samples' feet land, kriging between those places, the hull around them,
// and a lattice of spheres in their box. Landings are those of the packed ring, never of the clips; a sphere lies where
// its weights really lead.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "rings/build/build.h"

static const float THICKNESS = 0.015f; // metres: hulls of samples on one level or line are given at least this
static const double FLAT = 0.05;       // metres: coordinates that vary less than this get no drift

static void land_samples(const lope_rings *rings, const lope_ring *ring, int track)
{
    int samples = (int)ring->head->samples;
    float *points = (float *)(uintptr_t)ring->points + (size_t)track * (size_t)samples * 4;
    ring_head *head = (ring_head *)(uintptr_t)ring->head;
    for (int d = 0; d < 3; d++) {
        head->low[track][d] = 1e9f;
        head->high[track][d] = -1e9f;
    }
    for (int s = 0; s < samples; s++) {
        float weights[RING_SAMPLES] = {0.0f};
        weights[s] = 1.0f;
        lope_ring_landing landing = lope_ring_land_of(rings, ring, track, weights);
        const float *p = &landing.point.x;
        memcpy(points + 4 * s, p, 3 * sizeof *p);
        points[4 * s + 3] = landing.yaw;
        for (int d = 0; d < 3; d++) {
            head->low[track][d] = fminf(head->low[track][d], p[d]);
            head->high[track][d] = fmaxf(head->high[track][d], p[d]);
        }
    }
}

// Over a whole cycle facing and course turn by the same angle; what a step turns more than the other is swing.
static void find_bias(const lope_ring *ring)
{
    ring_head *head = (ring_head *)(uintptr_t)ring->head;
    for (uint32_t s = 0; s < head->samples; s++) {
        float left = ring->points[4 * s + 3], right = ring->points[4 * (head->samples + s) + 3];
        head->bias[s] = 0.25f * (left - right);
    }
}

// Where the body goes, against where it faces: over all samples, each step seen from half way of its turn. Walks and
// runs lead ahead, whatever noise says.
static float heading_of(const lope_ring *ring)
{
    const double ahead = 0.2; // radians: no more than a walk's
    const ring_head *h = ring->head;
    double x = 0.0, z = 0.0;
    for (uint32_t i = 0; i < 2 * h->samples && h->kind == LOPE_RING_OWN; i++) {
        const float *p = ring->points + 4 * i;
        double half = 0.5 * (double)p[3], s = lope_sin(half), c = lope_cos(half);
        x += (double)p[0] * c - (double)p[2] * s;
        z += (double)p[0] * s + (double)p[2] * c;
    }
    double heading = x == 0.0 && z == 0.0 ? 0.0 : lope_atan2(x, z);
    return fabs(heading) < ahead ? 0.0f : (float)heading;
}

// The kriging system with drift in the coordinates of `drift`, inverted. Rows of coordinates without drift say 1 = 1.
static bool invert_system(const lope_ring *ring, int track, const bool drift[3], double *matrix, double *work)
{
    int samples = (int)ring->head->samples, n = samples + RING_DRIFT;
    const float *points = ring->points + (size_t)track * (size_t)samples * 4;
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
    for (int i = 0; i < samples; i++) {
        for (int j = 0; j < samples; j++) {
            matrix[i * n + j] = (double)ring_apart(points + 4 * i, points + 4 * j, ring->head->steep);
        }
        matrix[i * n + samples] = matrix[samples * n + i] = 1.0;
        for (int d = 0; d < 3; d++)
            if (drift[d])
                matrix[i * n + samples + 1 + d] = matrix[(samples + 1 + d) * n + i] = (double)points[4 * i + d];
    }
    for (int d = 0; d < 3; d++)
        if (!drift[d])
            matrix[(samples + 1 + d) * n + samples + 1 + d] = 1.0;
    return ring_invert(n, matrix, work);
}

static lope_status fill_kriging(const lope_ring *ring, int track, bool plain, lope_error *error)
{
    int samples = (int)ring->head->samples, n = samples + RING_DRIFT;
    double matrix[(RING_SAMPLES + RING_DRIFT) * (RING_SAMPLES + RING_DRIFT)], work[sizeof matrix / sizeof *matrix];
    bool drift[3];
    for (int d = 0; d < 3; d++)
        drift[d] = !plain && samples > 4 && (double)(ring->head->high[track][d] - ring->head->low[track][d]) > FLAT;
    bool good = invert_system(ring, track, drift, matrix, work);
    // Landings that lie on a plane by chance: give up the drift in x, which is the least needed, then all of it.
    if (!good && drift[0]) {
        drift[0] = false;
        good = invert_system(ring, track, drift, matrix, work);
    }
    if (!good) {
        drift[0] = drift[1] = drift[2] = false;
        good = invert_system(ring, track, drift, matrix, work);
    }
    if (!good)
        return lope_fail(error, LOPE_BAD_DATA, "ring '%s': two samples land in the same place", ring->head->name);
    float *kriging = (float *)(uintptr_t)ring->kriging + (size_t)track * (size_t)samples * (size_t)n;
    for (int s = 0; s < samples; s++)
        for (int c = 0; c < n; c++)
            kriging[s * n + c] = c > samples && !drift[c - samples - 1] ? 0.0f : (float)matrix[s * n + c];
    return LOPE_OK;
}

// Facets of the convex hull, by brute force over triples: there are few points.
static uint32_t find_hull(const lope_ring *ring, int track, float *facets)
{
    enum { MOST = RING_SAMPLES * 2 };
    lope_vec3 points[MOST];
    int samples = (int)ring->head->samples, count = 0;
    uint32_t found = 0;
    for (int s = 0; s < samples; s++) {
        const float *p = ring->points + ((size_t)track * (size_t)samples + (size_t)s) * 4;
        float aside = s % 2 ? THICKNESS : -THICKNESS;
        points[count++] = lope_v3(p[0] + aside, p[1] - THICKNESS, p[2]);
        points[count++] = lope_v3(p[0] - aside, p[1] + THICKNESS, p[2]);
    }
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++) {
                lope_vec3 normal = lope_v3_cross(lope_v3_sub(points[j], points[i]), lope_v3_sub(points[k], points[i]));
                float length = lope_v3_length(normal);
                if (length < 1e-6f)
                    continue;
                normal = lope_v3_scale(normal, 1.0f / length);
                float at = lope_v3_dot(normal, points[i]), above = -1e9f, below = 1e9f;
                for (int m = 0; m < count; m++) {
                    float d = lope_v3_dot(normal, points[m]) - at;
                    above = fmaxf(above, d);
                    below = fminf(below, d);
                }
                float sign = above < 1e-4f ? 1.0f : below > -1e-4f ? -1.0f : 0.0f;
                if (sign == 0.0f)
                    continue;
                float facet[4] = {sign * normal.x, sign * normal.y, sign * normal.z, sign * at};
                bool known = false;
                for (uint32_t f = 0; f < found && !known; f++)
                    known = fabsf(facets[4 * f] - facet[0]) + fabsf(facets[4 * f + 1] - facet[1]) +
                                fabsf(facets[4 * f + 2] - facet[2]) + fabsf(facets[4 * f + 3] - facet[3]) <
                            1e-3f;
                if (!known && found < RING_FACETS) {
                    memcpy(facets + 4 * found, facet, sizeof facet);
                    found++;
                }
            }
    return found;
}

static void lay_spheres(const lope_rings *rings, const lope_ring *ring, int track)
{
    const ring_head *h = ring->head;
    ring_sphere *sphere = (ring_sphere *)(uintptr_t)ring->spheres + track * ring_lattice(ring);
    const float *low = h->low[track], *high = h->high[track];
    uint32_t count[3] = {h->lattice[0], h->lattice[1], h->lattice[2]}, at[3];
    for (at[2] = 0; at[2] < count[2]; at[2]++)
        for (at[1] = 0; at[1] < count[1]; at[1]++)
            for (at[0] = 0; at[0] < count[0]; at[0]++, sphere++) {
                float p[3];
                for (int d = 0; d < 3; d++) {
                    float share = count[d] > 1 ? (float)at[d] / (float)(count[d] - 1) : 0.5f;
                    p[d] = low[d] + (high[d] - low[d]) * share;
                }
                *sphere = (ring_sphere){0};
                lope_ring_krige(ring, track, lope_v3(p[0], p[1], p[2]), sphere->weights);
                lope_ring_limit((int)h->samples, sphere->weights);
                lope_ring_landing landing = lope_ring_land_of(rings, ring, track, sphere->weights);
                sphere->x = landing.point.x;
                sphere->y = landing.point.y;
                sphere->z = landing.point.z;
                sphere->yaw = landing.yaw;
                sphere->course = landing.yaw + ring_bias(ring, 1 - track, sphere->weights);
                float along = 0.5f * (sphere->course + ring_bias(ring, track, sphere->weights)) + h->heading;
                sphere->stride =
                    (float)((double)sphere->x * lope_sin((double)along) + (double)sphere->z * lope_cos((double)along));
            }
}

lope_status ring_fill_spheres(lope_rings *rings, lope_ring *ring, void *image, lope_error *error)
{
    ring_head *head = image;
    float facets[2][RING_FACETS * 4];
    land_samples(rings, ring, 0);
    land_samples(rings, ring, 1);
    find_bias(ring);
    head->heading = heading_of(ring);
    for (int track = 0; track < 2; track++) {
        lope_status status = fill_kriging(ring, track, head->steep < RING_STEEP, error);
        if (status)
            return status;
        head->facets[track] = find_hull(ring, track, facets[track]);
        lay_spheres(rings, ring, track);
    }
    // The image was laid out with room for as many facets as there may be.
    float *into = (float *)(uintptr_t)ring->facets;
    memcpy(into, facets[0], head->facets[0] * 4 * sizeof(float));
    memcpy(into + 4 * head->facets[0], facets[1], head->facets[1] * 4 * sizeof(float));
    lope_ring_attach(ring, image);
    return LOPE_OK;
}
