// SPDX-License-Identifier: MIT
// Carts: boxes of a scene that drive to and fro along lines.
#include "crowd/carts.h"

#include "crowd/obstacles.h"

static float length_of(const lope_scene_cart *cart)
{
    float length = 0.0f;
    for (int i = 1; i < cart->stop_count; i++)
        length += crowd_distance(cart->stops[i - 1], cart->stops[i]);
    return length;
}

// Where a cart is so many metres from its first stop, and which way it looks.
static lope_ground place_along(const lope_scene_cart *cart, float along)
{
    int i = 1;
    for (; i + 1 < cart->stop_count && along > crowd_distance(cart->stops[i - 1], cart->stops[i]); i++)
        along -= crowd_distance(cart->stops[i - 1], cart->stops[i]);
    lope_vec2 from = cart->stops[i - 1], way = crowd_sub(cart->stops[i], from);
    float length = crowd_length(way);
    lope_vec2 at = crowd_mad(from, way, fminf(along / length, 1.0f));
    return (lope_ground){at.x, at.z, (float)lope_atan2((double)way.x, (double)way.z)};
}

lope_ground crowd_cart_at(const lope_scene_cart *cart, double seconds)
{
    double length = (double)length_of(cart), driven = fmod((double)cart->speed * seconds, 2.0 * length);
    return place_along(cart, (float)(driven > length ? 2.0 * length - driven : driven));
}

lope_status crowd_cart_add(const lope_scene_cart *cart, lope_crowd *world, lope_obstacle_id *out, lope_error *error)
{
    lope_status status =
        lope_crowd_add_box(world, (lope_ground){cart->stops[0].x, cart->stops[0].z, 0.0f}, cart->size, out, error);
    if (status)
        return status;
    status = lope_crowd_move_obstacle(world, *out, crowd_cart_at(cart, 0.0), error);
    if (status)
        lope_crowd_remove_obstacle(world, *out);
    return status;
}
