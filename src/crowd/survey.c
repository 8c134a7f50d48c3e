// SPDX-License-Identifier: MIT
// Looking further ahead than single motions do: is the way ahead full of people who stand or come towards us? Then a
// way beside it may be quicker. Those who walk the same way do not count, so that lanes form by themselves.
#include "crowd/level.h"

#define REACH 7.0f      // metres that are looked over
#define NEAREST 3.0f    // metres: nearer to its target a body just goes there
#define HALF_WIDTH 0.9f // metres of a lane
#define USUAL_SPEED 1.2f
#define PERSON_COST 0.7f // seconds for somebody who comes towards us in our lane
#define WORTH_IT 0.8f    // seconds that must be saved
#define LANES 5
#define IN_NEED 2.0f // seconds: a body that has got nowhere for so long goes straight

typedef struct lane {
    lope_vec2 way; // unit
    float people;  // in it, by how much they are in the way
} lane;

typedef struct survey {
    lope_vec2 place;
    float length;
    lane lanes[LANES];
} survey;

// Ahead, then to the right and left by 35 and 70 degrees.
static void make_lanes(survey *s, lope_vec2 way)
{
    static const float cosines[LANES] = {1.0f, 0.8191520f, 0.8191520f, 0.3420201f, 0.3420201f};
    static const float sines[LANES] = {0.0f, -0.5735764f, 0.5735764f, -0.9396926f, 0.9396926f};
    for (int i = 0; i < LANES; i++)
        s->lanes[i] = (lane){{cosines[i] * way.x + sines[i] * way.z, cosines[i] * way.z - sines[i] * way.x}, 0.0f};
}

static void count_person(survey *s, const crowd_course *course)
{
    lope_vec2 to = crowd_sub(course->places[0], s->place);
    lope_vec2 velocity = crowd_sub(course->places[CROWD_MOMENTS / 2], course->places[0]);
    const float per_second = 1.0f / (CROWD_INTERVAL * (float)(CROWD_MOMENTS / 2));
    for (int i = 0; i < LANES; i++) {
        lope_vec2 way = s->lanes[i].way;
        float along = crowd_dot(to, way), beside = fabsf(crowd_cross(way, to));
        if (along < 0.5f || along > s->length || beside > HALF_WIDTH)
            continue;
        float with_us = crowd_dot(velocity, way) * per_second / USUAL_SPEED;
        with_us = with_us > 1.0f ? 1.0f : with_us < -1.0f ? -1.0f : with_us;
        s->lanes[i].people += 0.5f * (1.0f - with_us);
    }
}

static void count_people(survey *s, const lope_crowd *world, int slot)
{
    int32_t low_x = crowd_grid_cell(s->place.x - s->length), high_x = crowd_grid_cell(s->place.x + s->length);
    int32_t low_z = crowd_grid_cell(s->place.z - s->length), high_z = crowd_grid_cell(s->place.z + s->length);
    for (int32_t x = low_x; x <= high_x; x++)
        for (int32_t z = low_z; z <= high_z; z++) {
            uint32_t bucket = crowd_grid_bucket(&world->grid, x, z);
            for (uint32_t e = world->grid.first[bucket]; e < world->grid.first[bucket + 1]; e++) {
                const crowd_grid_entry *entry = &world->grid.entries[e];
                if (entry->cell_x == x && entry->cell_z == z && entry->slot != slot &&
                    crowd_meet(entry->height, world->heights[slot]))
                    count_person(s, &world->seen[entry->slot].course);
            }
        }
}

bool crowd_survey(const crowd_body *body, lope_vec2 target, lope_vec2 *aside)
{
    const lope_crowd *world = body->world;
    survey s = {.place = world->places[body->slot]};
    lope_vec2 way = crowd_sub(target, s.place);
    float distance = crowd_length(way), straight = INFINITY, least = INFINITY, radius = world->seen[body->slot].radius;
    if (distance < NEAREST || body->stuck > IN_NEED)
        return false;
    s.length = fminf(distance, REACH);
    make_lanes(&s, (lope_vec2){way.x / distance, way.z / distance});
    count_people(&s, world, body->slot);
    for (int i = 0; i < LANES; i++) {
        float length = i < 3 ? s.length : 0.6f * s.length; // far to the side one does not go as far
        lope_vec2 end = crowd_mad(s.place, s.lanes[i].way, length);
        float cost = (length + crowd_distance(end, target)) / USUAL_SPEED + PERSON_COST * s.lanes[i].people;
        straight = i == 0 ? cost : straight;
        if (i == 0 || cost >= least || cost >= straight - WORTH_IT ||
            !crowd_routes_inside(&world->routes, end, radius) ||
            !crowd_sees(body, s.place, end, body->footing ? body->footing->floor : 0))
            continue;
        least = cost;
        *aside = end;
    }
    return least < straight;
}
