// SPDX-License-Identifier: MIT
// Members that somebody else moves: the crowd only tells the others where they are and where they go.
#include "crowd/level.h"
#include "mobility/walker.h"

bool lope_crowd_carry(lope_crowd *world, lope_member_id id, const lope_carried *at)
{
    crowd_body *body = crowd_body_of(world, id);
    lope_vec2 place = {at->place.x, at->place.z};
    if (!body || !crowd_finite(place) || !isfinite(at->place.y) || !crowd_finite(at->velocity))
        return false;
    body->carried = true;
    body->carried_at = *at;
    body->stuck = 0.0f;
    return true;
}

bool lope_crowd_release(lope_crowd *world, lope_member_id id)
{
    crowd_body *body = crowd_body_of(world, id);
    if (!body || !body->carried)
        return false;
    ground_move now = walk_body(body->walker);
    body->carried = false;
    body->tempo = body->tempo_goal = 1.0f;
    body->bend = body->bend_goal = body->stuck = body->waited = body->adapt_in = body->wish_in = body->retry_in = 0.0f;
    body->nearest = INFINITY;
    body->sent = body->steering = body->turning = body->predicted = false;
    world->places[body->slot] = (lope_vec2){now.x, now.z};
    world->lost[body->slot] = crowd_going(body);
    body->route.count = crowd_going(body) ? 0 : body->route.count;
    if (body->footing && !crowd_level_stand(body, (lope_vec3){now.x, body->walker->height, now.z}))
        body->footing->floor = -1;
    const crowd_news told = crowd_now(world);
    crowd_publish(world, body->slot, &told);
    world->grid_stale = true;
    return true;
}

bool lope_member_is_carried(const lope_crowd *world, lope_member_id id)
{
    const crowd_body *body = crowd_body_of(world, id);
    return body && body->carried;
}

void crowd_publish_carried(const crowd_body *body, const crowd_news *to)
{
    const lope_carried *at = &body->carried_at;
    const lope_vec2 place = {at->place.x, at->place.z};
    crowd_seen *seen = &to->seen[body->slot];
    to->places[body->slot] = place;
    to->heights[body->slot] = at->place.y;
    seen->urgency = 0.0f;
    seen->claim = (lope_vec2){0.0f, 0.0f};
    for (int k = 0; k <= CROWD_MOMENTS; k++)
        seen->course.places[k] = crowd_mad(place, at->velocity, (float)k * CROWD_INTERVAL);
}
