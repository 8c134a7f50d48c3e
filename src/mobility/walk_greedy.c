// SPDX-License-Identifier: MIT
// The thesis' cost of all choices of a state (eq. 5.1): distance from where one ends to the goal, and the angle between
// the facing there and the way to the goal. Choices are turned into one array per coordinate first, so that the
// arithmetic runs in vector lanes; the angle comes from a polynomial (largest error 2e-6 radians).
#include "mobility/walker.h"

#define BLOCK 32

// |atan2(x, z)|
static inline float angle_from_ahead(float x, float z)
{
    float across = fabsf(x), along = fabsf(z);
    float larger = across > along ? across : along, smaller = across > along ? along : across;
    float t = smaller / (larger + 1e-30f), q = t * t;
    float angle =
        t * (0.999977217f +
             q * (-0.332622788f + q * (0.193540143f + q * (-0.116425936f + q * (0.052646795f + q * -0.011718931f)))));
    angle = across > along ? (float)(0.5 * LOPE_PI) - angle : angle;
    return z < 0.0f ? (float)LOPE_PI - angle : angle;
}

static inline float cost_of(float x, float z, float distance_weight, float angle_weight)
{
    return distance_weight * sqrtf(x * x + z * z) + angle_weight * angle_from_ahead(x, z);
}

static float radian_weight(const lope_walker *walker)
{
    return walker->def.angle_weight * (float)(180.0 / LOPE_PI);
}

float walk_greedy_cost(const lope_walker *walker, lope_vec2 goal)
{
    return cost_of(goal.x, goal.z, walker->def.distance_weight, radian_weight(walker));
}

void walk_greedy_costs(const lope_walker *walker, const mobility_choice *choices, uint32_t count, lope_vec2 goal,
                       float *costs)
{
    float distance_weight = walker->def.distance_weight, angle_weight = radian_weight(walker);
    float x[BLOCK] = {0.0f}, z[BLOCK] = {0.0f}, block[BLOCK];
    for (uint32_t first = 0; first < count; first += BLOCK) {
        uint32_t size = count - first < BLOCK ? count - first : BLOCK;
        for (uint32_t k = 0; k < size; k++) {
            const mobility_choice *choice = &choices[first + k];
            ground_move end = {choice->x, choice->z, choice->cosine, choice->sine};
            lope_vec2 seen = mobility_see(end, goal);
            x[k] = seen.x;
            z[k] = seen.z;
        }
        uint32_t lanes = (size + 7) & ~7u; // whole vectors; what is behind `size` is not used
        for (uint32_t k = 0; k < lanes; k++)
            block[k] = cost_of(x[k], z[k], distance_weight, angle_weight);
        for (uint32_t k = 0; k < size; k++)
            costs[first + k] = block[k];
    }
}
