// SPDX-License-Identifier: MIT
// Walls around a member. Borders know no storeys, so height tells whose they are: ground that a walker can go on to is
// not steeper than walkers take, and storeys are a body's height apart.
#include "crowd/walls.h"

#include "base/wide.h"
#include "level/floors.h"

#define SEEN 3.5f      // metres that must be known around a body,
#define SLACK 1.0f     // and more, so that it can go on for a while
#define SAME 0.6f      // metres of height that borders of the same ground may be off,
#define RISE 0.3f      // and more for each metre that they are away
#define SHORTEST 1e-6f // square metres: of lines that count
#define TIE 1e-4f      // metres: two lines that are equally near share a corner

typedef struct near_border {
    float distance;
    int border;
} near_border;

// Keeps the nearest in order.
static int keep_nearest(near_border *nearest, int count, near_border found)
{
    int at = count < CROWD_WALLS ? count : CROWD_WALLS - 1;
    if (count == CROWD_WALLS && !(found.distance < nearest[at].distance))
        return count;
    for (; at > 0 && found.distance < nearest[at - 1].distance; at--)
        nearest[at] = nearest[at - 1];
    nearest[at] = found;
    return count < CROWD_WALLS ? count + 1 : count;
}

// Seen from free ground, what is behind a border that the body is before is inside; other borders are those of other
// ground, such as the top of a step. Seen from inside, all lead out.
static void add(crowd_walls *walls, const lope_floor_border *border, bool free)
{
    int i = walls->count++;
    walls->x[i] = border->from.x;
    walls->z[i] = border->from.z;
    walls->dx[i] = border->to.x - border->from.x;
    walls->dz[i] = border->to.z - border->from.z;
    walls->per_square[i] = 1.0f / (walls->dx[i] * walls->dx[i] + walls->dz[i] * walls->dz[i]);
    float side = walls->dx[i] * (walls->centre.z - walls->z[i]) - walls->dz[i] * (walls->centre.x - walls->x[i]);
    walls->behind[i] = side >= 0.0f || !free ? -1.0f : 1.0f; // free ground is on the left
}

void crowd_walls_gather(crowd_walls *walls, const lope_floors *floors, lope_vec3 at, bool free)
{
    near_border nearest[CROWD_WALLS];
    int count = 0;
    for (border_walk w = borders_around(floors, at.x, at.z, SEEN + SLACK); borders_next(&w);) {
        const lope_floor_border *b = &floors->borders[w.border];
        float part, distance = border_distance(b, at.x, at.z, &part);
        float x = b->to.x - b->from.x, z = b->to.z - b->from.z, y = b->from.y + part * (b->to.y - b->from.y);
        if (distance < SEEN + SLACK && fabsf(y - at.y) < SAME + RISE * distance && x * x + z * z > SHORTEST)
            count = keep_nearest(nearest, count, (near_border){distance, w.border});
    }
    walls->known = true;
    walls->centre = (lope_vec2){at.x, at.z};
    walls->reach = count < CROWD_WALLS ? SEEN + SLACK : nearest[count - 1].distance;
    walls->count = 0;
    for (int i = 0; i < count; i++)
        walls->away[i] = nearest[i].distance, add(walls, &floors->borders[nearest[i].border], free);
}

void crowd_walls_follow(crowd_walls *walls, const lope_floors *floors, lope_vec3 at, bool free)
{
    float x = at.x - walls->centre.x, z = at.z - walls->centre.z;
    float slack = walls->reach > SEEN ? walls->reach - SEEN : 0.25f * walls->reach;
    if (!walls->known || x * x + z * z > slack * slack)
        crowd_walls_gather(walls, floors, at, free);
}

LOPE_WIDE static float walls_room(const crowd_walls *walls, lope_vec2 place, float limit)
{
    float squares[CROWD_WALLS], sides[CROWD_WALLS];
    float from_x = place.x - walls->centre.x, from_z = place.z - walls->centre.z;
    float farthest = limit + sqrtf(from_x * from_x + from_z * from_z) + TIE;
    int count = walls->count;
    if (count == 0 || walls->away[0] > farthest)
        return limit;
    while (count > 0 && walls->away[count - 1] > farthest)
        count--;
    for (int i = 0; i < count; i++) {
        float x = place.x - walls->x[i], z = place.z - walls->z[i];
        float t = (x * walls->dx[i] + z * walls->dz[i]) * walls->per_square[i];
        sides[i] = walls->dx[i] * z - walls->dz[i] * x;
        const float from_begin = t < 0.0f ? 0.0f : t;
        t = t > 1.0f ? 1.0f : from_begin; // no branches
        x -= t * walls->dx[i];
        z -= t * walls->dz[i];
        squares[i] = x * x + z * z;
    }
    float nearest = limit * limit, sign = 1.0f;
    for (int i = 0; i < count; i++) {
        if (squares[i] > nearest + TIE * TIE)
            continue;
        float side = sides[i] < 0.0f ? walls->behind[i] : 1.0f;
        sign = squares[i] < nearest - TIE * TIE ? side : fmaxf(sign, side);
        nearest = fminf(nearest, squares[i]);
    }
    return sign * sqrtf(nearest);
}

float crowd_walls_room(const crowd_walls *walls, lope_vec2 place, float limit)
{
    return walls_room(walls, place, limit);
}
