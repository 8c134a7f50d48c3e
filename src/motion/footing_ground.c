// SPDX-License-Identifier: MIT
// The ground around one character, gathered when it has gone half a metre: level, a few triangles, or too many to keep.
#include <math.h>
#include <string.h>

#include "motion/footing.h"

#define AROUND 1.7f  // metres to each side of the body that are gathered,
#define FEET 1.1f    // of which feet need so many around it
#define OVER 0.55f   // metres above and below the ground that are looked at
#define GATHERED 96  // triangles that are looked through
#define FLAT 1e-5f   // square metres in plan below which a triangle is a wall
#define SAME 1e-4f   // metres: heights and edges that are the same
#define FASTEST 8.0f // metres per second; a faster body was put elsewhere
#define SAME_AREA 1e-3f
#define PLACES 5 // across the box
#define SQUARE 1.4142136f

static float plan_turn(lope_vec3 a, lope_vec3 b, lope_vec3 c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

// A triangle in plan, from x towards z.
static bool keep_triangle(const lope_terrain_triangle *t, lope_footing *f, int index)
{
    lope_vec3 a = t->corners[0], b = t->corners[1], c = t->corners[2];
    float turn = plan_turn(a, b, c);
    if (fabsf(turn) < FLAT)
        return false;
    float u = b.y - a.y, v = c.y - a.y;
    f->triangles[index].x = a.x, f->triangles[index].z = a.z, f->triangles[index].y = a.y;
    f->triangles[index].slope_x = (u * (c.z - a.z) - v * (b.z - a.z)) / turn;
    f->triangles[index].slope_z = (v * (b.x - a.x) - u * (c.x - a.x)) / turn;
    for (int k = 0; k < 3; k++) {
        lope_vec3 p = t->corners[k], q = t->corners[(k + 1) % 3];
        float x = q.x - p.x, z = q.z - p.z, length = sqrtf(x * x + z * z), sign = turn > 0.0f ? 1.0f : -1.0f;
        f->triangles[index].edges[k][0] = -sign * z / length;
        f->triangles[index].edges[k][1] = sign * x / length;
        f->triangles[index].edges[k][2] = sign * (z * p.x - x * p.z) / length + SAME;
    }
    return true;
}

// Clips a polygon in plan at one side of a box: keeps what is on the inner side of `at`.
static int clip_side(float (*in)[2], int count, int axis, float sign, float at, float (*out)[2])
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const float *a = in[i], *b = in[(i + 1) % count];
        float from = sign * (at - a[axis]), to = sign * (at - b[axis]);
        if (from >= 0.0f)
            out[made][0] = a[0], out[made++][1] = a[1];
        if ((from < 0.0f) != (to < 0.0f)) {
            float part = from / (from - to);
            out[made][0] = a[0] + part * (b[0] - a[0]), out[made++][1] = a[1] + part * (b[1] - a[1]);
        }
    }
    return made;
}

// Square metres of a triangle within the box in plan.
static float area_within(const lope_terrain_triangle *t, lope_vec2 centre)
{
    float one[8][2], other[8][2], area = 0.0f;
    for (int k = 0; k < 3; k++)
        one[k][0] = t->corners[k].x - centre.x, one[k][1] = t->corners[k].z - centre.z;
    int count = clip_side(one, 3, 0, 1.0f, AROUND, other);
    count = clip_side(other, count, 0, -1.0f, -AROUND, one);
    count = clip_side(one, count, 1, 1.0f, AROUND, other);
    count = clip_side(other, count, 1, -1.0f, -AROUND, one);
    for (int k = 0; k < count; k++)
        area += one[k][0] * one[(k + 1) % count][1] - one[k][1] * one[(k + 1) % count][0];
    return 0.5f * fabsf(area);
}

static bool is_wall(const lope_vec3 *c)
{
    return fabsf(plan_turn(c[0], c[1], c[2])) < FLAT;
}

// The highest level triangle at a place; -1: none, or something that is not level is there.
static int level_at(const lope_terrain_triangle *found, int count, lope_vec2 place)
{
    const lope_vec3 p = {place.x, 0.0f, place.z};
    int best = -1;
    for (int i = 0; i < count; i++) {
        const lope_vec3 *c = found[i].corners;
        float one = plan_turn(c[0], c[1], p), two = plan_turn(c[1], c[2], p), three = plan_turn(c[2], c[0], p);
        bool holds = (one >= 0.0f && two >= 0.0f && three >= 0.0f) || (one <= 0.0f && two <= 0.0f && three <= 0.0f);
        if (is_wall(c) || !holds)
            continue;
        if (c[0].y != c[1].y || c[0].y != c[2].y)
            return -1;
        best = best < 0 || c[0].y > found[best].corners[0].y ? i : best;
    }
    return best;
}

// Metres in plan from a place to a triangle.
static float distance_to(const lope_vec3 *c, lope_vec2 place)
{
    const lope_vec3 p = {place.x, 0.0f, place.z};
    float sides[3], least = INFINITY;
    for (int k = 0; k < 3; k++) {
        lope_vec3 a = c[k], b = c[(k + 1) % 3];
        float x = b.x - a.x, z = b.z - a.z, t = ((p.x - a.x) * x + (p.z - a.z) * z) / fmaxf(x * x + z * z, 1e-12f);
        t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
        float from_x = p.x - a.x - t * x, from_z = p.z - a.z - t * z;
        sides[k] = plan_turn(a, b, p);
        least = fminf(least, from_x * from_x + from_z * from_z);
    }
    bool inside = (sides[0] >= 0.0f && sides[1] >= 0.0f && sides[2] >= 0.0f) ||
                  (sides[0] <= 0.0f && sides[1] <= 0.0f && sides[2] <= 0.0f);
    return inside ? 0.0f : sqrtf(least);
}

// Whether level ground as high as triangle `under` covers the whole box. Pieces side by side do so together; where some
// may overlap, which hides gaps, places are looked at as well.
static bool is_covered(const lope_terrain_triangle *found, int count, int under, lope_vec2 centre)
{
    const float y = found[under].corners[0].y;
    float area = 0.0f, own = 0.0f;
    for (int i = 0; i < count; i++) {
        const lope_vec3 *c = found[i].corners;
        if (is_wall(c) || c[0].y != y || c[1].y != y || c[2].y != y)
            continue;
        float within = area_within(&found[i], centre);
        area += within;
        own += found[i].piece == found[under].piece ? within : 0.0f;
    }
    const float whole = 4.0f * AROUND * AROUND;
    bool covered = fabsf(own - whole) < SAME_AREA, together = fabsf(area - whole) < SAME_AREA;
    for (int i = 0; i < PLACES * PLACES && !covered && together; i++) {
        const float step = 2.0f * AROUND / (float)PLACES;
        lope_vec2 at = {centre.x - AROUND + ((float)(i % PLACES) + 0.5f) * step,
                        centre.z - AROUND + ((float)(i / PLACES) + 0.5f) * step};
        bool held = false;
        for (int k = 0; k < count && !held; k++)
            held =
                !is_wall(found[k].corners) && found[k].corners[0].y >= y && distance_to(found[k].corners, at) == 0.0f;
        together = held;
    }
    return covered || together;
}

// Metres around the place within which level ground, of which triangle `under` is a part, carries and nothing lies on
// it. Walls do not matter: bodies keep off them.
static float level_reach(const lope_terrain_triangle *found, int count, int under, lope_vec2 centre)
{
    const float y = found[under].corners[0].y;
    float reach = 2.0f * AROUND;
    if (!is_covered(found, count, under, centre))
        return 0.0f;
    for (int i = 0; i < count; i++) {
        const lope_vec3 *c = found[i].corners;
        if (!is_wall(c) && fmaxf(fmaxf(c[0].y, c[1].y), c[2].y) > y)
            reach = fminf(reach, distance_to(c, centre));
    }
    return reach;
}

static void gather(lope_footing *f, lope_vec2 place)
{
    lope_terrain_triangle found[GATHERED];
    lope_vec3 low = {place.x - AROUND, f->height - OVER, place.z - AROUND};
    lope_vec3 high = {place.x + AROUND, f->height + OVER, place.z + AROUND};
    int count = lope_terrain_triangles(f->terrain, low, high, found, GATHERED);
    f->centre = place;
    f->ground = f->height;
    f->version = lope_terrain_version(f->terrain);
    f->count = count <= GATHERED ? 0 : -1;
    int under = f->count < 0 ? -1 : level_at(found, count, place);
    f->level_reach = under >= 0 ? level_reach(found, count, under, place) : 0.0f;
    f->level_height = under >= 0 ? found[under].corners[0].y : f->height;
    for (int i = 0; i < count && f->count >= 0 && f->level_reach < FEET + SQUARE * (AROUND - FEET); i++) {
        if (f->count == LOPE_FOOTING_TRIANGLES) {
            f->count = -1;
            break;
        }
        f->count += keep_triangle(&found[i], f, f->count);
    }
}

static bool is_known(lope_footing *f, lope_vec2 place)
{
    const float slack = AROUND - FEET;
    if (!f->version || fabsf(place.x - f->centre.x) > slack || fabsf(place.z - f->centre.z) > slack ||
        fabsf(f->height - f->ground) > 0.1f)
        return false;
    uint64_t now = lope_terrain_version(f->terrain);
    if (f->version == now)
        return true;
    lope_vec3 low = {f->centre.x - AROUND, f->ground - OVER, f->centre.z - AROUND};
    lope_vec3 high = {f->centre.x + AROUND, f->ground + OVER, f->centre.z + AROUND};
    if (lope_terrain_changed(f->terrain, f->version, low, high))
        return false;
    f->version = now;
    return true;
}

bool footing_ground(const lope_footing *f, lope_vec2 at, float over, footing_spot *out)
{
    if (f->level) {
        *out = (footing_spot){f->level_height, 0.0f, 0.0f};
        return true;
    }
    float high = f->height + over, low = f->height - OVER;
    bool found = false;
    if (f->count < 0) {
        lope_terrain_hit hit;
        found = lope_terrain_below(f->terrain, NULL, (lope_vec3){at.x, high, at.z}, high - low, &hit);
        float up = fmaxf(hit.normal.y, 0.1f);
        if (found)
            *out = (footing_spot){hit.point.y, -hit.normal.x / up, -hit.normal.z / up};
        return found;
    }
    for (int i = 0; i < f->count; i++) {
        float y = f->triangles[i].y + f->triangles[i].slope_x * (at.x - f->triangles[i].x) +
                  f->triangles[i].slope_z * (at.z - f->triangles[i].z);
        if (!(y <= high && y >= low) || (found && y <= out->y))
            continue;
        const float(*e)[3] = f->triangles[i].edges;
        if (e[0][0] * at.x + e[0][1] * at.z + e[0][2] < 0.0f || e[1][0] * at.x + e[1][1] * at.z + e[1][2] < 0.0f ||
            e[2][0] * at.x + e[2][1] * at.z + e[2][2] < 0.0f)
            continue;
        *out = (footing_spot){y, f->triangles[i].slope_x, f->triangles[i].slope_z};
        found = true;
    }
    return found;
}

void lope_footing_init(lope_footing *footing, const lope_terrain *terrain, float height)
{
    memset(footing, 0, sizeof *footing);
    footing->terrain = terrain;
    footing->height = footing->body = height;
    footing->fresh = true;
}

static float square_of(lope_vec2 a, lope_vec2 b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z);
}

float lope_footing_follow(lope_footing *f, lope_vec2 place, float dt)
{
    footing_spot spot;
    f->dt += dt;
    if (!is_known(f, place))
        gather(f, place);
    const lope_vec2 by = {place.x - f->place.x, place.z - f->place.z};
    f->place = place;
    f->level = FEET + sqrtf(square_of(place, f->centre)) <= f->level_reach;
    f->climbs = 0.0f;
    if (!footing_ground(f, place, OVER, &spot))
        return f->height;
    if (dt > 0.0f && !f->fresh && by.x * by.x + by.z * by.z < FASTEST * FASTEST * dt * dt)
        f->climbs = (spot.slope_x * by.x + spot.slope_z * by.z) / dt;
    return f->height = spot.y;
}
