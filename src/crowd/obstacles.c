// SPDX-License-Identifier: MIT
// Obstacles: every question is first asked of the bounding circle, and only near ones look at their edges.
#include "crowd/obstacles.h"

#include <assert.h>

#include "base/error.h"
#include "base/memory.h"

#define LEAST_AREA 1e-4f // square metres
#define FASTEST 20.0f    // metres per second; what moves faster was put elsewhere

static float area_of(const lope_vec2 *corners, int count)
{
    float twice = 0.0f;
    for (int i = 0; i < count; i++) // relative to the first corner: far from the origin nothing is lost
        twice += crowd_cross(crowd_sub(corners[i], corners[0]), crowd_sub(corners[(i + 1) % count], corners[0]));
    return 0.5f * twice;
}

static bool segments_cross(lope_vec2 a, lope_vec2 b, lope_vec2 c, lope_vec2 d)
{
    lope_vec2 ab = crowd_sub(b, a), cd = crowd_sub(d, c);
    float c_side = crowd_cross(ab, crowd_sub(c, a)), d_side = crowd_cross(ab, crowd_sub(d, a));
    float a_side = crowd_cross(cd, crowd_sub(a, c)), b_side = crowd_cross(cd, crowd_sub(b, c));
    return ((c_side > 0.0f && d_side < 0.0f) || (c_side < 0.0f && d_side > 0.0f)) &&
           ((a_side > 0.0f && b_side < 0.0f) || (a_side < 0.0f && b_side > 0.0f));
}

static lope_status check_polygon(const lope_vec2 *corners, int count, lope_error *error)
{
    if (count < 3 || count > LOPE_MAX_CORNERS)
        return lope_fail(error, LOPE_BAD_DATA, "a polygon has 3 to %d corners, found %d", LOPE_MAX_CORNERS, count);
    for (int i = 0; i < count; i++)
        if (!crowd_finite(corners[i]))
            return lope_fail(error, LOPE_BAD_DATA, "corner %d is not a place within 1000 km", i + 1);
    for (int i = 0; i < count; i++)
        for (int j = i + 2; j < count; j++)
            if ((j + 1) % count != i &&
                segments_cross(corners[i], corners[i + 1], corners[j], corners[(j + 1) % count]))
                return lope_fail(error, LOPE_BAD_DATA, "the polygon crosses itself: edge %d meets edge %d", i + 1,
                                 j + 1);
    if (fabsf(area_of(corners, count)) < LEAST_AREA)
        return lope_fail(error, LOPE_BAD_DATA, "the polygon has no area");
    return LOPE_OK;
}

static bool reserve(void **items, int *capacity, int needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    int larger = *capacity ? *capacity : 16;
    while (larger < needed)
        larger *= 2;
    void *grown = lope_grow(*items, (size_t)*capacity * size, (size_t)larger * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = larger;
    return true;
}

static void bound(const lope_vec2 *corners, int count, lope_vec2 *centre, float *radius)
{
    lope_vec2 low = corners[0], high = corners[0];
    for (int i = 1; i < count; i++) {
        low = (lope_vec2){fminf(low.x, corners[i].x), fminf(low.z, corners[i].z)};
        high = (lope_vec2){fmaxf(high.x, corners[i].x), fmaxf(high.z, corners[i].z)};
    }
    *centre = (lope_vec2){0.5f * (low.x + high.x), 0.5f * (low.z + high.z)};
    *radius = 0.0f;
    for (int i = 0; i < count; i++)
        *radius = fmaxf(*radius, crowd_distance(*centre, corners[i]));
}

static int free_slot(const crowd_obstacles *obstacles)
{
    for (int i = 0; i < obstacles->count; i++)
        if (!obstacles->items[i].alive)
            return i;
    return obstacles->count;
}

// Removed polygons leave gaps in the corners, which are closed here.
static void close_gap(crowd_obstacles *obstacles, int first, int count)
{
    for (int i = first; i + count < obstacles->corner_count; i++) {
        obstacles->corners[i] = obstacles->corners[i + count];
        obstacles->shapes[i] = obstacles->shapes[i + count];
    }
    obstacles->corner_count -= count;
    for (int i = 0; i < obstacles->count; i++)
        if (obstacles->items[i].corner_first > first)
            obstacles->items[i].corner_first -= count;
}

lope_status crowd_obstacles_add(crowd_obstacles *obstacles, const crowd_shape *shape, lope_obstacle_id *out,
                                lope_error *error)
{
    const lope_vec2 *corners = shape->corners;
    int count = shape->count;
    lope_vec2 centre = shape->centre;
    float radius = shape->radius;
    lope_status status = count ? check_polygon(corners, count, error) : LOPE_OK;
    if (status)
        return status;
    int slot = free_slot(obstacles);
    if (!reserve((void **)&obstacles->items, &obstacles->capacity, slot + 1, sizeof *obstacles->items) ||
        !reserve((void **)&obstacles->corners, &obstacles->corner_capacity, obstacles->corner_count + count,
                 sizeof *obstacles->corners) ||
        !reserve((void **)&obstacles->shapes, &obstacles->shape_capacity, obstacles->corner_count + count,
                 sizeof *obstacles->shapes))
        return lope_fail_memory(error);
    uint32_t generation = slot < obstacles->count ? obstacles->items[slot].generation : 1;
    if (count)
        bound(corners, count, &centre, &radius);
    obstacles->items[slot] = (crowd_obstacle){.centre = centre,
                                              .radius = radius,
                                              .corner_count = count,
                                              .corner_first = obstacles->corner_count,
                                              .generation = generation,
                                              .alive = true};
    bool reversed = count && area_of(corners, count) < 0.0f;
    for (int i = 0; i < count; i++) {
        lope_vec2 corner = corners[reversed ? count - 1 - i : i];
        obstacles->shapes[obstacles->corner_count] = crowd_sub(corner, centre);
        obstacles->corners[obstacles->corner_count++] = corner;
    }
    obstacles->count = slot < obstacles->count ? obstacles->count : slot + 1;
    obstacles->alive++;
    if (out)
        *out = (lope_obstacle_id){(uint32_t)slot + 1, generation};
    return LOPE_OK;
}

int crowd_obstacles_find(const crowd_obstacles *obstacles, lope_obstacle_id id)
{
    if (id.index1 == 0 || id.index1 > (uint32_t)obstacles->count)
        return -1;
    const crowd_obstacle *obstacle = &obstacles->items[id.index1 - 1];
    return obstacle->alive && obstacle->generation == id.generation ? (int)id.index1 - 1 : -1;
}

void crowd_obstacles_move(crowd_obstacles *obstacles, int index, lope_ground to)
{
    crowd_obstacle *obstacle = &obstacles->items[index];
    float cosine = (float)lope_cos((double)to.yaw), sine = (float)lope_sin((double)to.yaw);
    for (int i = obstacle->corner_first; i < obstacle->corner_first + obstacle->corner_count; i++) {
        lope_vec2 from = obstacles->shapes[i];
        obstacles->corners[i] =
            (lope_vec2){to.x + cosine * from.x + sine * from.z, to.z + cosine * from.z - sine * from.x};
    }
    lope_vec2 centre = {to.x, to.z}; // the circle is one around the same point: it does not change when it turns
    obstacle->moved = crowd_mad(obstacle->moved, crowd_sub(centre, obstacle->centre), 1.0f);
    obstacle->centre = centre;
    obstacle->moves++;
}

void crowd_obstacles_step(crowd_obstacles *obstacles, float dt)
{
    if (!(dt > 0.0f))
        return;
    for (int i = 0; i < obstacles->count; i++) {
        crowd_obstacle *obstacle = &obstacles->items[i];
        lope_vec2 velocity = {obstacle->moved.x / dt, obstacle->moved.z / dt};
        bool drives = crowd_length(velocity) <= FASTEST;
        obstacle->velocity = drives ? velocity : (lope_vec2){0.0f, 0.0f};
        obstacle->moved = (lope_vec2){0.0f, 0.0f};
    }
}

bool crowd_obstacles_remove(crowd_obstacles *obstacles, lope_obstacle_id id)
{
    int index = crowd_obstacles_find(obstacles, id);
    if (index < 0)
        return false;
    crowd_obstacle *obstacle = &obstacles->items[index];
    obstacle->alive = false;
    obstacle->generation++;
    obstacles->alive--;
    close_gap(obstacles, obstacle->corner_first, obstacle->corner_count);
    obstacle->corner_count = 0;
    return true;
}

void crowd_obstacles_free(crowd_obstacles *obstacles)
{
    lope_free(obstacles->items);
    lope_free(obstacles->corners);
    lope_free(obstacles->shapes);
    *obstacles = (crowd_obstacles){0};
}

static float point_segment(lope_vec2 p, lope_vec2 a, lope_vec2 b)
{
    lope_vec2 ab = crowd_sub(b, a);
    float along = crowd_dot(crowd_sub(p, a), ab) / fmaxf(crowd_dot(ab, ab), 1e-20f);
    along = along < 0.0f ? 0.0f : along > 1.0f ? 1.0f : along;
    return crowd_distance(p, crowd_mad(a, ab, along));
}

float crowd_obstacle_distance(const crowd_obstacles *obstacles, int index, lope_vec2 point)
{
    const crowd_obstacle *obstacle = &obstacles->items[index];
    if (obstacle->corner_count == 0)
        return crowd_distance(point, obstacle->centre) - obstacle->radius;
    const lope_vec2 *corners = obstacles->corners + obstacle->corner_first;
    float nearest = INFINITY;
    bool inside = false;
    for (int i = 0, j = obstacle->corner_count - 1; i < obstacle->corner_count; j = i++) {
        lope_vec2 a = corners[i], b = corners[j];
        nearest = fminf(nearest, point_segment(point, b, a));
        if ((a.z > point.z) != (b.z > point.z) && point.x < (b.x - a.x) * (point.z - a.z) / (b.z - a.z) + a.x)
            inside = !inside;
    }
    return inside ? -nearest : nearest;
}

static float segment_segment(lope_vec2 a, lope_vec2 b, lope_vec2 c, lope_vec2 d)
{
    if (segments_cross(a, b, c, d))
        return 0.0f;
    return fminf(fminf(point_segment(a, c, d), point_segment(b, c, d)),
                 fminf(point_segment(c, a, b), point_segment(d, a, b)));
}

bool crowd_obstacle_clears(const crowd_obstacles *obstacles, int index, lope_vec2 a, lope_vec2 b, float keep)
{
    const crowd_obstacle *obstacle = &obstacles->items[index];
    if (point_segment(obstacle->centre, a, b) >= obstacle->radius + keep)
        return true;
    if (obstacle->corner_count == 0 || crowd_obstacle_distance(obstacles, index, a) < keep)
        return false;
    const lope_vec2 *corners = obstacles->corners + obstacle->corner_first;
    for (int i = 0, j = obstacle->corner_count - 1; i < obstacle->corner_count; j = i++)
        if (segment_segment(a, b, corners[j], corners[i]) < fmaxf(keep, 1e-6f)) // crossing is 0
            return false;
    return true;
}

bool crowd_obstacles_clear(const crowd_obstacles *obstacles, lope_vec2 a, lope_vec2 b, float keep)
{
    for (int i = 0; i < obstacles->count; i++)
        if (obstacles->items[i].alive && !crowd_obstacle_clears(obstacles, i, a, b, keep))
            return false;
    return true;
}

float crowd_obstacles_distance(const crowd_obstacles *obstacles, lope_vec2 point, float limit, int *which)
{
    float nearest = limit;
    int found = -1;
    for (int i = 0; i < obstacles->count; i++) {
        const crowd_obstacle *obstacle = &obstacles->items[i];
        if (!obstacle->alive || crowd_distance(point, obstacle->centre) - obstacle->radius >= nearest)
            continue;
        float distance = crowd_obstacle_distance(obstacles, i, point);
        if (distance < nearest) {
            nearest = distance;
            found = i;
        }
    }
    if (which)
        *which = found;
    return nearest;
}
