// SPDX-License-Identifier: MIT
// Links against convex pieces: a segment is cut by one half-plane after the other until nothing is left of it. The
// distance field answers the same question for how deep something is, but takes ten times as long.
//
// Obstacles that are not convex are cut into triangles, ear by ear. Sides between two triangles are no surface, so
// nothing is taken off there.
#include "grasp/random/touch.h"

#include "base/memory.h"

typedef struct ear_clip {
    const lope_grasp_polygon *polygon;
    int *corners; // those that are left
    int count;
} ear_clip;

static lope_xy corner_of(const ear_clip *c, int i)
{
    return c->polygon->corners[c->corners[(i + c->count) % c->count]];
}

static bool is_convex(const lope_grasp_polygon *p)
{
    for (int i = 0; i < p->count; i++) {
        lope_xy a = p->corners[i], b = p->corners[(i + 1) % p->count], c = p->corners[(i + 2) % p->count];
        if (xy_cross(xy_sub(b, a), xy_sub(c, b)) < 0.0)
            return false;
    }
    return true;
}

static void add_side(touch_map *map, lope_xy a, lope_xy b, double dip)
{
    lope_xy along = xy_sub(b, a);
    double length = xy_length(along);
    if (length < 1e-12)
        return;
    touch_side side = {.x = -along.y / length, .y = along.x / length};
    side.least = side.x * a.x + side.y * a.y + dip;
    map->sides[map->side_count++] = side;
}

static void add_piece(touch_map *map, const lope_grasp_box *box, const lope_xy *corners, const double *dips, int count)
{
    touch_piece *piece = &map->pieces[map->piece_count++];
    *piece = (touch_piece){.low = corners[0], .high = corners[0], .first = map->side_count};
    for (int i = 0; i < count; i++) {
        piece->low = xy(fmin(piece->low.x, corners[i].x), fmin(piece->low.y, corners[i].y));
        piece->high = xy(fmax(piece->high.x, corners[i].x), fmax(piece->high.y, corners[i].y));
        add_side(map, corners[i], corners[(i + 1) % count], dips[i]);
    }
    piece->low = xy(fmax(piece->low.x, box->low.x), fmax(piece->low.y, box->low.y));
    piece->high = xy(fmin(piece->high.x, box->high.x), fmin(piece->high.y, box->high.y));
    piece->count = map->side_count - piece->first;
}

// Whether the corner may be cut off: it points outward, and no other one lies in its triangle.
static bool is_ear(const ear_clip *c, int i)
{
    lope_xy a = corner_of(c, i - 1), b = corner_of(c, i), d = corner_of(c, i + 1);
    if (xy_cross(xy_sub(b, a), xy_sub(d, b)) <= 0.0)
        return false;
    for (int k = 2; k < c->count - 1; k++) {
        lope_xy p = corner_of(c, i + k);
        if (xy_cross(xy_sub(b, a), xy_sub(p, a)) > 0.0 && xy_cross(xy_sub(d, b), xy_sub(p, b)) > 0.0 &&
            xy_cross(xy_sub(a, d), xy_sub(p, d)) > 0.0)
            return false;
    }
    return true;
}

static void cut_off(touch_map *map, const lope_grasp_box *box, ear_clip *c, int i, double dip)
{
    const int n = c->polygon->count;
    lope_xy corners[3];
    double dips[3];
    for (int k = 0; k < 3; k++) {
        int from = c->corners[(i - 1 + k + c->count) % c->count],
            to = c->corners[(i - 1 + (k + 1) % 3 + c->count) % c->count];
        corners[k] = c->polygon->corners[from];
        dips[k] = (from + 1) % n == to ? dip : 0.0;
    }
    add_piece(map, box, corners, dips, 3);
    for (int k = i; k + 1 < c->count; k++)
        c->corners[k] = c->corners[k + 1];
    c->count--;
}

static void add_ears(touch_map *map, const lope_grasp_box *box, const lope_grasp_polygon *polygon, int *room,
                     double dip)
{
    ear_clip c = {polygon, room, polygon->count};
    for (int i = 0; i < c.count; i++)
        room[i] = i;
    while (c.count >= 3) {
        int ear = 0;
        while (ear < c.count - 1 && !is_ear(&c, ear))
            ear++;
        cut_off(map, box, &c, ear, dip); // the last one where rounding leaves none: flat, it hides nothing
    }
}

static void add_obstacle(touch_map *map, const lope_grasp_world *world, int index, void *room, double dip)
{
    const lope_grasp_polygon *polygon = &world->obstacles[index];
    lope_grasp_box box = world->boxes[index];
    box = (lope_grasp_box){xy(box.low.x + dip, box.low.y + dip), xy(box.high.x - dip, box.high.y - dip)};
    if (!is_convex(polygon)) {
        add_ears(map, &box, polygon, room, dip);
        return;
    }
    double *dips = room;
    for (int i = 0; i < polygon->count; i++)
        dips[i] = dip;
    add_piece(map, &box, polygon->corners, dips, polygon->count);
}

touch_map *touch_map_create(const lope_grasp_world *world, double dip)
{
    size_t corners = 1;
    for (int i = 0; i < world->obstacle_count; i++)
        corners += (size_t)world->obstacles[i].count;
    touch_map *map = lope_alloc_zero(sizeof *map);
    void *room = lope_alloc_array(corners, sizeof(double));
    if (map) {
        map->low = xy(world->low.x - dip, world->low.y - dip);
        map->high = xy(world->high.x + dip, world->high.y + dip);
        map->pieces = lope_alloc_array(corners, sizeof *map->pieces);
        map->sides = lope_alloc_array(3 * corners, sizeof *map->sides);
    }
    if (!map || !room || !map->pieces || !map->sides) {
        lope_free(room);
        touch_map_destroy(map);
        return NULL;
    }
    for (int i = 0; i < world->obstacle_count; i++)
        add_obstacle(map, world, i, room, dip);
    lope_free(room);
    return map;
}

void touch_map_destroy(touch_map *map)
{
    if (!map)
        return;
    lope_free(map->pieces);
    lope_free(map->sides);
    lope_free(map);
}

static bool gets_into(const touch_side *sides, int count, lope_xy a, lope_xy b, double slack)
{
    double enter = 0.0, leave = 1.0;
    for (int i = 0; i < count; i++) {
        double from = sides[i].x * a.x + sides[i].y * a.y - sides[i].least - slack;
        double to = sides[i].x * b.x + sides[i].y * b.y - sides[i].least - slack;
        if (from <= 0.0 && to <= 0.0)
            return false;
        if (from < 0.0) {
            double at = from / (from - to);
            enter = at > enter ? at : enter;
        } else if (to < 0.0) {
            double at = from / (from - to);
            leave = at < leave ? at : leave;
        }
        if (enter >= leave)
            return false;
    }
    return true;
}

bool touch_link(const touch_map *map, lope_xy a, lope_xy b, double slack)
{
    double low_x = a.x < b.x ? a.x : b.x, high_x = a.x < b.x ? b.x : a.x;
    double low_y = a.y < b.y ? a.y : b.y, high_y = a.y < b.y ? b.y : a.y;
    if (low_x < map->low.x - slack || low_y < map->low.y - slack || high_x > map->high.x + slack ||
        high_y > map->high.y + slack)
        return true;
    for (int i = 0; i < map->piece_count; i++) {
        const touch_piece *p = &map->pieces[i];
        if (low_x < p->high.x && high_x > p->low.x && low_y < p->high.y && high_y > p->low.y &&
            gets_into(map->sides + p->first, p->count, a, b, slack))
            return true;
    }
    return false;
}

bool touch_body(const touch_map *map, const lope_grasp_points *points, double slack)
{
    if (touch_link(map, points->hip, points->neck, slack) || touch_link(map, points->neck, points->head, slack))
        return true;
    for (int i = LOPE_LIMB_COUNT - 1; i >= 0; i--) {
        lope_xy base = i >= LOPE_LEFT_LEG ? points->hip : points->neck;
        if (touch_link(map, base, points->middle[i], slack) ||
            touch_link(map, points->middle[i], points->end[i], slack))
            return true;
    }
    return false;
}
