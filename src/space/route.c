// SPDX-License-Identifier: MIT
// Places on polylines, by distance and by nearness.
#include "lope/route.h"

#include <assert.h>
#include <limits.h>

#include "base/error.h"

static float distance_between(lope_vec2 a, lope_vec2 b)
{
    double x = (double)b.x - (double)a.x, z = (double)b.z - (double)a.z;
    return (float)sqrt(x * x + z * z);
}

lope_status lope_route_init(lope_route *route, const lope_vec2 *points, int count, float half_width, float *along,
                            lope_error *error)
{
    *route = (lope_route){0};
    if (count < 1)
        return lope_fail(error, LOPE_BAD_DATA, "a route has %d points, expected 1 or more", count);
    if (!isfinite(half_width) || half_width < 0.0f)
        return lope_fail(error, LOPE_BAD_DATA, "a corridor of %g m to either side is not a width", (double)half_width);
    double length = 0.0;
    for (int i = 0; i < count; i++) {
        if (!isfinite(points[i].x) || !isfinite(points[i].z))
            return lope_fail(error, LOPE_BAD_DATA, "point %d of a route is not finite", i);
        length += i ? (double)distance_between(points[i - 1], points[i]) : 0.0;
        along[i] = (float)length;
    }
    if (!isfinite(along[count - 1]))
        return lope_fail(error, LOPE_BAD_DATA, "a route is too long to be measured");
    *route = (lope_route){points, along, count, half_width};
    return LOPE_OK;
}

float lope_route_length(const lope_route *route)
{
    return route->along[route->count - 1];
}

// The last line that begins at or before a distance and has a length, if any has.
static int line_at(const lope_route *route, float along)
{
    int low = 0, high = route->count - 1; // the line is in [low, high)
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (route->along[middle] <= along)
            low = middle;
        else
            high = middle;
    }
    while (low > 0 && route->along[low + 1] <= route->along[low])
        low--;
    return low;
}

static float clamp(float value, float low, float high)
{
    return value > low ? value < high ? value : high : low;
}

static lope_route_spot spot_on(const lope_route *route, int line, float along)
{
    lope_route_spot spot = {.point = route->points[line], .along = along, .line = line};
    if (line + 1 >= route->count)
        return spot;
    lope_vec2 a = route->points[line], b = route->points[line + 1];
    float length = route->along[line + 1] - route->along[line];
    if (!(length > 0.0f))
        return spot;
    float t = clamp((along - route->along[line]) / length, 0.0f, 1.0f), whole = distance_between(a, b);
    spot.point = t < 1.0f ? (lope_vec2){a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)} : b;
    spot.direction = (lope_vec2){(b.x - a.x) / whole, (b.z - a.z) / whole};
    return spot;
}

lope_route_spot lope_route_at(const lope_route *route, float along)
{
    along = clamp(along, 0.0f, lope_route_length(route));
    return spot_on(route, line_at(route, along), along);
}

// Distance along the part of a line from `from` to `to` of the spot nearest to a point.
static float nearest_on(const lope_route *route, int line, lope_vec2 p, float from, float to)
{
    lope_vec2 a = route->points[line], b = route->points[line + 1];
    float start = route->along[line], end = route->along[line + 1];
    float x = b.x - a.x, z = b.z - a.z, square = x * x + z * z;
    float t = square > 0.0f ? ((p.x - a.x) * x + (p.z - a.z) * z) / square : 0.0f;
    return clamp(start + clamp(t, 0.0f, 1.0f) * (end - start), fmaxf(from, start), fminf(to, end));
}

lope_route_spot lope_route_nearest(const lope_route *route, lope_vec2 point, float from, float to)
{
    float length = lope_route_length(route), best = INFINITY;
    from = clamp(from, 0.0f, length);
    to = clamp(to, from, length);
    lope_route_spot found = lope_route_at(route, from);
    for (int line = found.line; line + 1 < route->count && route->along[line] <= to; line++) {
        lope_route_spot spot = spot_on(route, line, nearest_on(route, line, point, from, to));
        float x = point.x - spot.point.x, z = point.z - spot.point.z, square = x * x + z * z;
        bool has_length = route->along[line + 1] > route->along[line];
        if (square < best && (has_length || line == found.line)) {
            best = square;
            found = spot;
        }
    }
    float x = point.x - found.point.x, z = point.z - found.point.z;
    found.distance = sqrtf(x * x + z * z);
    found.offset = x * found.direction.z - z * found.direction.x < 0.0f ? -found.distance : found.distance;
    return found;
}

bool lope_route_holds(const lope_route *route, lope_vec2 point)
{
    return lope_route_nearest(route, point, 0.0f, INFINITY).distance <= route->half_width;
}

int lope_route_sample(const lope_route *route, float from, float to, float step, lope_route_spot *out, int capacity)
{
    assert(step > 0.0f);
    float length = lope_route_length(route);
    from = clamp(from, 0.0f, length);
    to = clamp(to, from, length);
    double steps = ceil(((double)to - (double)from) / (double)step);
    int line = line_at(route, from), count = steps < INT_MAX - 1 ? (int)steps + 1 : INT_MAX;
    for (int i = 0; i < count && i < capacity; i++) {
        float along = i + 1 < count ? (float)((double)from + i * (double)step) : to;
        while (line + 2 < route->count && route->along[line + 1] <= along &&
               route->along[route->count - 1] > route->along[line + 1])
            line++;
        out[i] = spot_on(route, line, along);
    }
    return count;
}
