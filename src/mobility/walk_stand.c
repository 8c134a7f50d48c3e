// SPDX-License-Identifier: MIT
// Standing still. Capture rarely holds long stands that loop, but a body that stands sways the same way forwards and
// backwards in time: the walker plays the still part of the clip to and fro, slowing down before it turns round.
#include "mobility/walker.h"

#define STAND_BIT (1u << LOPE_TAG_STAND)
// Playing to and fro: frames per frame, and how fast that changes per frame.
#define SWAY_RATE 0.6f
#define SWAY_BRAKE 0.05f
// A shorter still part is not swayed in, it is held.
#define SHORTEST_SWAY 6
// A longer one is not looked at.
#define LONGEST_SWAY 300
// Metres and radians that it may lead away from where the body came to a stand.
#define SWAY_PLACE 0.03f
#define SWAY_TURN 0.05f

// Metres; seconds after which a walker that is so near to where it should stand, and does not, becomes restless; how
// much so per second, and at most (seconds of cost).
#define ABOUT_GOAL 2.0f
#define PATIENCE 4.0f
#define RESTLESS_RATE 0.5f
#define MOST_RESTLESS 4.0f

static bool still(const lope_mobility *map, int32_t pose)
{
    return map->poses[pose].tags & STAND_BIT;
}

// Still, led to by the pose before, and not far from where the body came to a stand.
static bool can_sway_to(const lope_mobility *map, int32_t pose, int32_t before, ground_move from_stand)
{
    bool near_by =
        fabsf(from_stand.x) < SWAY_PLACE && fabsf(from_stand.z) < SWAY_PLACE && fabsf(from_stand.sine) < SWAY_TURN;
    return near_by && still(map, pose) && (map->poses[before].state >= 0 || map->poses[before].next == before + 1);
}

// The part of the clip around `pose` that can be held: still throughout, each pose leading to the next, and at its end
// a state from which all choices are open.
static void still_part(const lope_mobility *map, int32_t pose, int32_t *first, int32_t *last)
{
    *first = *last = pose;
    int32_t end = (int32_t)map->head.pose_count - 1;
    ground_move at = {0.0f, 0.0f, 1.0f, 0.0f};
    for (int32_t p = pose; p < end && p < pose + LONGEST_SWAY && map->poses[p + 1].frame > 0; p++) {
        at = ground_move_mul(at, map->poses[p + 1].enter);
        if (!can_sway_to(map, p + 1, p, at))
            break;
        if (map->poses[p + 1].state >= 0 && walk_has_choices(map, map->poses[p + 1].state))
            *last = p + 1;
    }
    at = (ground_move){0.0f, 0.0f, 1.0f, 0.0f};
    for (int32_t p = pose; p > pose - LONGEST_SWAY && map->poses[p].frame > 0; p--) {
        at = ground_move_mul(at, ground_move_inverse(map->poses[p].enter));
        if (!can_sway_to(map, p - 1, p - 1, at))
            break;
        *first = p - 1;
    }
}

static bool faces_goal(const lope_walker *walker)
{
    if (isnan(walker->goal.facing))
        return true;
    // Compared by cosine, so that no angle is computed.
    ground_move wanted = ground_move_of((lope_ground){0.0f, 0.0f, walker->goal.facing});
    float along = wanted.cosine * walker->ground.cosine + wanted.sine * walker->ground.sine;
    return along >= (float)lope_cos((double)walker->def.arrive_angle);
}

bool walk_should_hold(const lope_walker *walker, int32_t state)
{
    if (walker->aim == WALK_PASS || !lope_mobility_can_stand(walker->map, state))
        return false;
    if (walker->aim == WALK_STAY)
        return true;
    float dx = walker->goal.position.x - walker->ground.x, dz = walker->goal.position.z - walker->ground.z;
    float radius = walker->def.arrive_radius * WALK_STOP_SHARE;
    bool planned = walker->plan.hit_step >= 0 && walker->plan.step < (uint32_t)walker->plan.hit_step;
    return !planned && dx * dx + dz * dz <= radius * radius && faces_goal(walker);
}

void walk_note_goal(lope_walker *walker, float seconds)
{
    if (walker->aim != WALK_STOP)
        return;
    float dx = walker->goal.position.x - walker->ground.x, dz = walker->goal.position.z - walker->ground.z;
    if (dx * dx + dz * dz < ABOUT_GOAL * ABOUT_GOAL)
        walker->about_goal += seconds;
}

float walk_restlessness(const lope_walker *walker)
{
    float more = RESTLESS_RATE * (walker->about_goal - PATIENCE);
    return walker->aim == WALK_STOP && more > 0.0f ? fminf(more, MOST_RESTLESS) : 0.0f;
}

float walk_editing(const lope_walker *walker)
{
    return 1.0f + walk_restlessness(walker) / MOST_RESTLESS;
}

void walk_hold(lope_walker *walker)
{
    still_part(walker->map, walker->pose, &walker->still_first, &walker->still_last);
    if (walker->aim == WALK_STOP) {
        walker->progress = LOPE_WALKER_ARRIVED;
        walker->aim = WALK_STAY;
    }
    walker->holding = true;
    walker->sway = 1.0f;
    walker->rate = 1.0f;
    walker->plan.choice = walker->plan.hit_step = -1;
    if (walker->pose < walker->still_last) {
        walker->pose++;
        walker->phase = 0.0f;
    } else { // at the end already: the same moment, as the end of the frame before
        walker->ground = ground_move_mul(walker->ground, ground_move_inverse(walker->map->poses[walker->pose].enter));
        walker->phase = 1.0f;
    }
}

// Frames that are left in the direction of swaying.
static float room(const lope_walker *walker)
{
    int32_t first = walker->still_first, last = walker->still_last;
    float at = (float)(walker->pose - first) - 1.0f + walker->phase;
    return walker->sway > 0.0f ? (float)(last - first) - at : at;
}

static void turn_round(lope_walker *walker, float frames)
{
    bool long_enough = walker->still_last - walker->still_first >= SHORTEST_SWAY;
    float left = room(walker), speed = walker->rate * walker->sway; // speed < 0: still the other way
    float brake = speed > 0.0f ? speed * speed / (2.0f * fmaxf(left, 1e-3f)) : 0.0f;
    if (brake >= SWAY_BRAKE || left <= 0.0f) {
        speed = fmaxf(0.0f, speed - fmaxf(brake, SWAY_BRAKE) * frames);
        walker->rate = speed * walker->sway;
        if (speed <= 0.01f && long_enough)
            walker->sway = -walker->sway;
    } else if (long_enough || speed > 0.0f) {
        float change = SWAY_RATE - speed;
        speed += fmaxf(-SWAY_BRAKE * frames, fminf(SWAY_BRAKE * frames, change));
        walker->rate = speed * walker->sway;
    }
}

void walk_hold_advance(lope_walker *walker, float frames)
{
    const mobility_pose *poses = walker->map->poses;
    turn_round(walker, frames);
    float most = (float)(walker->still_last - walker->pose) + 1.0f;
    float least = (float)(walker->still_first - walker->pose) + 1.0f;
    walker->phase = fmaxf(least, fminf(most, walker->phase + walker->rate * frames));
    while (walker->phase > 1.0f) {
        walker->ground = ground_move_mul(walker->ground, poses[walker->pose].enter);
        walker->pose++;
        walker->phase -= 1.0f;
    }
    while (walker->phase < 0.0f) {
        walker->pose--;
        walker->ground = ground_move_mul(walker->ground, ground_move_inverse(poses[walker->pose].enter));
        walker->phase += 1.0f;
    }
}
