// SPDX-License-Identifier: MIT
// Obstacles on the ground: circles and simple polygons, and how far a point or a line is from them.
#ifndef LOPE_SRC_CROWD_OBSTACLES_H
#define LOPE_SRC_CROWD_OBSTACLES_H

#include "lope/crowd.h"

typedef struct crowd_obstacle {
    lope_vec2 centre; // of the bounding circle
    float radius;     // of the bounding circle, or of the circle itself
    int corner_count; // 0: a circle
    int corner_first; // in the corners of all obstacles
    uint32_t generation;
    bool alive;
    uint32_t moves;     // how often it was moved
    lope_vec2 moved;    // metres since the last step
    lope_vec2 velocity; // metres per second during that step
} crowd_obstacle;

typedef struct crowd_obstacles {
    crowd_obstacle *items;
    int count, capacity; // slots; some may be dead
    lope_vec2 *corners;  // of all polygons, counter-clockwise seen with x to the right and z up
    lope_vec2 *shapes;   // the same as they were added, from the middle of their bounds
    int corner_count, corner_capacity, shape_capacity;
    int alive;
} crowd_obstacles;

static inline lope_vec2 crowd_sub(lope_vec2 a, lope_vec2 b)
{
    return (lope_vec2){a.x - b.x, a.z - b.z};
}
static inline float crowd_dot(lope_vec2 a, lope_vec2 b)
{
    return a.x * b.x + a.z * b.z;
}
// Positive where b lies counter-clockwise of a, x to the right and z up.
static inline float crowd_cross(lope_vec2 a, lope_vec2 b)
{
    return a.x * b.z - a.z * b.x;
}
static inline lope_vec2 crowd_mad(lope_vec2 a, lope_vec2 b, float s)
{
    return (lope_vec2){a.x + b.x * s, a.z + b.z * s};
}
static inline float crowd_length(lope_vec2 a)
{
    return sqrtf(crowd_dot(a, a));
}
static inline float crowd_distance(lope_vec2 a, lope_vec2 b)
{
    return crowd_length(crowd_sub(a, b));
}
static inline lope_vec3 crowd_up(lope_vec2 a, float height)
{
    return (lope_vec3){a.x, height, a.z};
}
static inline bool crowd_finite(lope_vec2 a)
{
    return isfinite(a.x) && isfinite(a.z) && fabsf(a.x) < 1e6f && fabsf(a.z) < 1e6f;
}

// A polygon of `count` corners, or a circle where count is 0.
typedef struct crowd_shape {
    const lope_vec2 *corners;
    int count;
    lope_vec2 centre; // of the circle
    float radius;
} crowd_shape;
lope_status crowd_obstacles_add(crowd_obstacles *obstacles, const crowd_shape *shape, lope_obstacle_id *out,
                                lope_error *error);
bool crowd_obstacles_remove(crowd_obstacles *obstacles, lope_obstacle_id id);
// Its index; -1: it is gone.
int crowd_obstacles_find(const crowd_obstacles *obstacles, lope_obstacle_id id);
// Puts the middle of its bounds, as they were when it was added, to a place, turned by so much since then.
void crowd_obstacles_move(crowd_obstacles *obstacles, int index, lope_ground to);
// Those that were moved since the last step are seen as going on like that.
void crowd_obstacles_step(crowd_obstacles *obstacles, float dt);
void crowd_obstacles_free(crowd_obstacles *obstacles);

// Metres from a point to the obstacle, negative inside.
float crowd_obstacle_distance(const crowd_obstacles *obstacles, int index, lope_vec2 point);
// True where the line from a to b stays at least `keep` metres away from the obstacle.
bool crowd_obstacle_clears(const crowd_obstacles *obstacles, int index, lope_vec2 a, lope_vec2 b, float keep);
bool crowd_obstacles_clear(const crowd_obstacles *obstacles, lope_vec2 a, lope_vec2 b, float keep);
// Distance to the nearest obstacle, at most `limit`; `which` (may be NULL) is -1 where none is that near.
float crowd_obstacles_distance(const crowd_obstacles *obstacles, lope_vec2 point, float limit, int *which);

#endif
