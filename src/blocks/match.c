// SPDX-License-Identifier: MIT
#include "blocks/match.h"

#include "base/error.h"

#define SAME_BOX 0.001f

lope_spot lope_place_turned(lope_spot at, int turn, int turns)
{
    return lope_spot_mul(at, (lope_spot){0.0f, 0.0f, 0.0f, (float)(2.0 * LOPE_PI * turn / turns)});
}

static bool near_turn(float angle, int turns)
{
    float part = 2.0f * (float)LOPE_PI / (float)turns;
    float rest = angle - part * roundf(angle / part);
    return fabsf(rest) <= SAME_YAW;
}

bool lope_places_look_same(lope_spot a, lope_spot b, int turns)
{
    return fabsf(a.x - b.x) <= SAME_PLACE && fabsf(a.y - b.y) <= SAME_PLACE && fabsf(a.z - b.z) <= SAME_PLACE &&
           near_turn(a.yaw - b.yaw, turns);
}

// Corners say everything about a box: two boxes are one where each corner of one is a corner of the other.
static void corners_of(const lope_box *box, lope_vec3 out[8])
{
    lope_quat turn =
        lope_quat_mul(lope_quat_yaw(box->yaw), lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), box->pitch));
    for (int i = 0; i < 8; i++) {
        lope_vec3 corner = {i & 1 ? box->half.x : -box->half.x, i & 2 ? box->half.y : -box->half.y,
                            i & 4 ? box->half.z : -box->half.z};
        out[i] = lope_v3_add(box->centre, lope_quat_rotate(turn, corner));
    }
}

static bool same_box(const lope_box *a, const lope_box *b)
{
    lope_vec3 of_a[8], of_b[8];
    corners_of(a, of_a);
    corners_of(b, of_b);
    for (int i = 0; i < 8; i++) {
        bool found = false;
        for (int k = 0; k < 8 && !found; k++)
            found = lope_v3_distance(of_a[i], of_b[k]) <= SAME_BOX;
        if (!found)
            return false;
    }
    return true;
}

static bool looks_same_turned(const lope_box *boxes, int count, int turns)
{
    float yaw = (float)(2.0 * LOPE_PI / turns);
    lope_quat turn = lope_quat_yaw(yaw);
    for (int i = 0; i < count; i++) {
        lope_box turned = boxes[i];
        turned.centre = lope_quat_rotate(turn, turned.centre);
        turned.yaw += yaw;
        bool found = false;
        for (int k = 0; k < count && !found; k++)
            found = same_box(&turned, &boxes[k]);
        if (!found)
            return false;
    }
    return true;
}

int lope_unit_turns(const lope_box *boxes, int count)
{
    static const int orders[] = {8, 6, 4, 3, 2};
    for (int i = 0; i < 5; i++)
        if (looks_same_turned(boxes, count, orders[i]))
            return orders[i];
    return 1;
}

// Shapes of meshes are the same in a mirror only nearly: a few of many places inside are not inside of the other.
#define MIRROR_PLACES 16
#define MIRROR_SHARE 0.03f
static bool is_inside(const lope_box *boxes, int count, lope_vec3 point)
{
    for (int i = 0; i < count; i++)
        if (lope_box_distance(&boxes[i], point) <= 0.0f)
            return true;
    return false;
}

bool lope_unit_mirrors(const lope_box *boxes, int count)
{
    int inside = 0, differ = 0, n = MIRROR_PLACES;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < n * n * n; k++) {
            float x = ((float)(k % n) + 0.5f) / (float)n, y = ((float)(k / n % n) + 0.5f) / (float)n,
                  z = ((float)(k / n / n) + 0.5f) / (float)n;
            lope_box box = boxes[i];
            lope_quat turn =
                lope_quat_mul(lope_quat_yaw(box.yaw), lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), box.pitch));
            lope_vec3 at = {(2.0f * x - 1.0f) * box.half.x, (2.0f * y - 1.0f) * box.half.y,
                            (2.0f * z - 1.0f) * box.half.z};
            at = lope_v3_add(box.centre, lope_quat_rotate(turn, at));
            at.x = -at.x;
            inside++;
            differ += !is_inside(boxes, count, at);
        }
    return (float)differ <= MIRROR_SHARE * (float)inside;
}

static void include_box(const lope_box *box, lope_unit *unit)
{
    lope_vec3 corners[8];
    corners_of(box, corners);
    for (int i = 0; i < 8; i++) {
        lope_vec3 p = corners[i];
        unit->low = lope_v3(fminf(unit->low.x, p.x), fminf(unit->low.y, p.y), fminf(unit->low.z, p.z));
        unit->high = lope_v3(fmaxf(unit->high.x, p.x), fmaxf(unit->high.y, p.y), fmaxf(unit->high.z, p.z));
    }
}

lope_status lope_unit_measure(const lope_box *boxes, lope_unit *unit, lope_error *error)
{
    unit->low = lope_v3(INFINITY, INFINITY, INFINITY);
    unit->high = lope_v3(-INFINITY, -INFINITY, -INFINITY);
    if (unit->box_count < 1)
        return lope_fail(error, LOPE_BAD_DATA, "unit '%s' has no shape", unit->name);
    for (int i = 0; i < unit->box_count; i++) {
        const lope_box *box = &boxes[unit->box_first + i];
        if (!(box->half.x > 0.0f && box->half.y > 0.0f && box->half.z > 0.0f))
            return lope_fail(error, LOPE_BAD_DATA, "box %d of unit '%s' has no size: %g by %g by %g m", i, unit->name,
                             2.0 * (double)box->half.x, 2.0 * (double)box->half.y, 2.0 * (double)box->half.z);
        include_box(box, unit);
    }
    unit->turns = lope_unit_turns(boxes + unit->box_first, unit->box_count);
    return LOPE_OK;
}
