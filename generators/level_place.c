// SPDX-License-Identifier: MIT
#include "generators/level_place.h"

#include <stdlib.h>

#define TRIES 200
#define RADIUS 0.35f    // metres
#define AROUND 1.5f     // metres that are looked around
#define LEAST_AREA 4.0f // square metres
#define ROOM_TRIES 50
#define APART 0.8f // metres between characters

static float share(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) * 0x1p-24f;
}

static float between(uint64_t *state, float low, float high)
{
    return low + share(state) * (high - low);
}

static bool find_place(const lope_floors *floors, const lope_floor_extent *extents, uint64_t *state, lope_vec3 *out)
{
    const int count = lope_floors_count(floors);
    for (int tries = 0; count > 0 && tries < TRIES; tries++) {
        const lope_floor_extent *e = &extents[(int)(share(state) * (float)count)];
        if (e->low.y > e->high.y || e->area < LEAST_AREA)
            continue;
        const lope_vec3 near = {between(state, e->low.x, e->high.x), between(state, e->low.y, e->high.y),
                                between(state, e->low.z, e->high.z)};
        lope_floor_spot spot;
        if (!lope_floors_nearest(floors, near, RADIUS, AROUND, &spot))
            continue;
        *out = spot.at;
        return true;
    }
    return false;
}

int level_random_places(const lope_floors *floors, uint64_t *state, lope_vec3 *out, int capacity)
{
    lope_floor_extent *extents = malloc((size_t)(lope_floors_count(floors) + 1) * sizeof *extents);
    int found = 0;
    if (extents)
        lope_floors_extents(floors, extents);
    while (extents && found < capacity && find_place(floors, extents, state, &out[found]))
        found++;
    free(extents);
    return found;
}

lope_vec3 level_random_choice(const lope_vec3 *places, int count, uint64_t *state)
{
    return places[(int)(share(state) * (float)count)];
}

static bool is_apart(const lope_world *world, const lope_character_id *people, int count, lope_vec3 place)
{
    for (int i = 0; i < count; i++)
        if (lope_v3_distance(place, lope_character_place(world, people[i])) <= APART)
            return false;
    return true;
}

bool level_random_room(const lope_world *world, const lope_character_id *people, int count, uint64_t *state,
                       lope_vec3 *out)
{
    for (int tries = 0; tries < ROOM_TRIES; tries++) {
        if (!level_random_places(lope_world_floors(world), state, out, 1))
            return false;
        if (is_apart(world, people, count, *out))
            return true;
    }
    return false;
}
