// SPDX-License-Identifier: MIT
// A path, measured out: points at even distances, so that a distance along it is an index.
#include "base/memory.h"
#include "maps/follow.h"

#define SMOOTH 2 // points to each side that a direction is taken over

void lope_line_free(follow_line *line)
{
    lope_free(line->points);
    *line = (follow_line){0};
}

static float distance(lope_vec2 a, lope_vec2 b)
{
    float x = b.x - a.x, z = b.z - a.z;
    return sqrtf(x * x + z * z);
}

float lope_line_measure(const lope_vec2 *points, int count)
{
    float length = 0.0f;
    for (int i = 1; i < count; i++)
        length += distance(points[i - 1], points[i]);
    return length;
}

static bool reserve(follow_line *line, int count)
{
    if (count <= line->capacity)
        return true;
    int larger = count + count / 2;
    line_point *points = lope_alloc_array((size_t)larger, sizeof *points);
    if (!points)
        return false;
    lope_free(line->points);
    line->points = points;
    line->capacity = larger;
    return true;
}

static void place_points(follow_line *line, const lope_vec2 *points, int count)
{
    int segment = 0;
    float before = 0.0f, length = distance(points[0], points[1]);
    for (int i = 0; i < line->count - 1; i++) {
        float along = LINE_STEP * (float)i;
        while (segment < count - 2 && along > before + length) {
            before += length;
            segment++;
            length = distance(points[segment], points[segment + 1]);
        }
        float share = length > 0.0f ? (along - before) / length : 0.0f;
        share = share > 1.0f ? 1.0f : share;
        const lope_vec2 *a = &points[segment], *b = a + 1;
        line->points[i].x = a->x + (b->x - a->x) * share;
        line->points[i].z = a->z + (b->z - a->z) * share;
    }
    line->points[line->count - 1].x = points[count - 1].x;
    line->points[line->count - 1].z = points[count - 1].z;
}

// Where the direction stays, so does its angle: most of a path is straight.
static void find_directions(follow_line *line)
{
    for (int i = 0; i < line->count; i++) {
        const line_point *a = &line->points[i > SMOOTH ? i - SMOOTH : 0];
        const line_point *b = &line->points[i + SMOOTH < line->count ? i + SMOOTH : line->count - 1];
        float x = b->x - a->x, z = b->z - a->z, length = sqrtf(x * x + z * z);
        line_point *p = &line->points[i];
        p->tx = length > 0.0f ? x / length : 0.0f;
        p->tz = length > 0.0f ? z / length : 1.0f;
        if (i > 0 && fabsf(p->tx - p[-1].tx) + fabsf(p->tz - p[-1].tz) < 1e-4f)
            p->yaw = p[-1].yaw;
        else
            p->yaw = (float)lope_atan2((double)p->tx, (double)p->tz);
    }
}

bool lope_line_set(follow_line *line, const lope_vec2 *points, int count)
{
    line->length = lope_line_measure(points, count);
    int needed = (int)ceilf(line->length / LINE_STEP) + 1;
    if (!reserve(line, needed < 2 ? 2 : needed))
        return false;
    line->count = needed < 2 ? 2 : needed;
    place_points(line, points, count);
    find_directions(line);
    return true;
}

static float squared(const line_point *p, float x, float z)
{
    return (p->x - x) * (p->x - x) + (p->z - z) * (p->z - z);
}

// Squared distance from the piece of the line behind point `i`.
static float segment_squared(const follow_line *line, int i, float x, float z, float *share)
{
    const line_point *a = &line->points[i], *b = a + 1;
    float dx = b->x - a->x, dz = b->z - a->z, length = dx * dx + dz * dz;
    float t = length > 0.0f ? ((x - a->x) * dx + (z - a->z) * dz) / length : 0.0f;
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    *share = t;
    float ex = a->x + dx * t - x, ez = a->z + dz * t - z;
    return ex * ex + ez * ez;
}

static int nearest_point(const follow_line *line, float x, float z, int index)
{
    float here = squared(&line->points[index], x, z);
    for (int way = -1; way <= 1; way += 2)
        while (index + way >= 0 && index + way < line->count) {
            float there = squared(&line->points[index + way], x, z);
            if (!(there < here))
                break;
            here = there;
            index += way;
        }
    return index;
}

float line_distance(const follow_line *line, float x, float z, int *index)
{
    float share, best = INFINITY;
    *index = nearest_point(line, x, z, *index);
    if (*index > 0)
        best = segment_squared(line, *index - 1, x, z, &share);
    if (*index + 1 < line->count)
        best = fminf(best, segment_squared(line, *index, x, z, &share));
    return sqrtf(best);
}

float lope_line_project(const follow_line *line, float x, float z, int index)
{
    float share, best = INFINITY, along = 0.0f;
    index = nearest_point(line, x, z, index);
    for (int i = index > 0 ? index - 1 : 0; i <= index && i + 1 < line->count; i++) {
        float squares = segment_squared(line, i, x, z, &share);
        if (squares < best) {
            best = squares;
            along = LINE_STEP * ((float)i + share);
        }
    }
    return along < line->length ? along : line->length;
}
