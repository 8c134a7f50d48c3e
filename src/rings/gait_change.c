// SPDX-License-Identifier: MIT
// Changes: from step to step, between rings, into rest and out of it. What is shown never jumps: at a strike the root's
// difference between the two frames decays; between rings both are played for a while and mixed.
#include "rings/gait.h"

#include <string.h>

static const float FADE = 0.3f; // seconds

// The root at a frame of the running track, and its speeds, from a difference over half a frame.
typedef struct root_motion {
    lope_quat rotation;
    lope_vec3 place, speed, turn_speed;
} root_motion;

static root_motion root_at(const lope_gait *gait, float frame, float step)
{
    lope_quat slots[RING_GROUPS * 4];
    lope_transform chains[2][RING_CHAIN];
    float weights[RING_SAMPLES];
    gait_weights_at(gait, frame, weights);
    gait_played here = gait_play(gait, frame, weights, true, slots, chains);
    gait_weights_at(gait, frame + step, weights);
    gait_played there = gait_play(gait, frame + step, weights, true, slots, chains);
    float scale = fmaxf(here.rate, 1.0f) / step;
    return (root_motion){here.root, here.place, lope_v3_scale(lope_v3_sub(there.place, here.place), scale),
                         lope_v3_scale(gait_turn(here.root, there.root), scale)};
}

void gait_strike_now(lope_gait *gait, float before_strike, float after_strike)
{
    const lope_ring *ring = gait_ring(gait);
    gait_step *step = &gait->step;
    root_motion before = root_at(gait, (float)ring->head->frames, -0.5f);
    gait_root_decay(gait, before_strike);
    gait->root.value.y -= gait_lowered_at(gait, (float)ring->head->frames);
    step->lower = step->lower_from = 0.0f;
    gait->root_dt = after_strike;
    int landed = 1 - gait->track;
    gait_foot *foot = &gait->feet[landed];
    gait_foot_place(&gait->rings->legs[landed], foot, step->anchor, step->normal, step->plant);
    foot->planted = true;
    foot->offset = foot->turn = foot->toe = (gait_rest){{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    gait->strikes++;
    gait->last = step->strike;
    gait->track = landed;
    gait->origin = step->anchor;
    gait->yaw = lope_wrap_angle(step->yaw);
    gait->frame = 0.0f;
    memcpy(step->from, step->to, sizeof step->from);
    memset(step->speed, 0, sizeof step->speed);
    step->begin = step->trim = step->trim_from = step->trim_begin = 0.0f;
    step->planned = false;
    memset(step->tried, 0, sizeof step->tried);
    gait->searching = false;
    gait->fade.active = false;
    root_motion after = root_at(gait, 0.0f, 0.5f);
    gait->root.value = lope_v3_add(gait->root.value, lope_v3_sub(before.place, after.place));
    gait->root.speed = lope_v3_add(gait->root.speed, lope_v3_sub(before.speed, after.speed));
    gait->root_turn.value = lope_v3_add(gait->root_turn.value, gait_turn(after.rotation, before.rotation));
    gait->root_turn.speed = lope_v3_add(gait->root_turn.speed, lope_v3_sub(before.turn_speed, after.turn_speed));
}

// Begins to mix what is played now into whatever is played next.
static void begin_fade(lope_gait *gait, float duration)
{
    gait->fade = (gait_fade){.active = true,
                             .ring = gait->ring,
                             .track = gait->track,
                             .frame = gait->frame,
                             .duration = duration,
                             .yaw = gait_yaw_at(gait, gait->frame),
                             .origin = gait->origin};
    memcpy(gait->fade.weights, gait->weights, sizeof gait->weights);
}

// Keeps the root where it was shown, whatever has changed below it.
static void absorb(lope_gait *gait, lope_vec3 place, lope_quat rotation)
{
    gait_show(gait, 0.0f);
    gait->root.value = lope_v3_add(gait->root.value, lope_v3_sub(place, gait->root_place));
    gait->root_turn.value = lope_v3_add(gait->root_turn.value, gait_turn(gait->root_rotation, rotation));
}

static void steady_weights(lope_gait *gait, const float *weights)
{
    gait_step *step = &gait->step;
    step->lower = step->lower_from = 0.0f;
    memset(step->speed, 0, sizeof step->speed);
    memcpy(step->from, weights, sizeof step->from);
    memcpy(step->to, weights, sizeof step->to);
    step->begin = step->trim = step->trim_from = step->trim_begin = 0.0f;
    step->planned = false;
    memset(step->tried, 0, sizeof step->tried);
}

// Where the other foot stands, seen from the one of `track` with the given facing.
static lope_vec3 other_foot(const lope_gait *gait, int track, float yaw)
{
    lope_vec3 way = lope_v3_sub(gait->feet[1 - track].anchor, gait->feet[track].anchor);
    return lope_quat_rotate(lope_quat_yaw(-yaw), way);
}

void gait_rest_weights(const lope_gait *gait, int track, float yaw, float *weights)
{
    const lope_ring *ring = &gait->rings->rings[lope_rings_find(gait->rings, LOPE_RING_REST)];
    const ring_head *h = ring->head;
    lope_vec3 p = other_foot(gait, track, yaw);
    const float *low = h->low[track], *high = h->high[track];
    memset(weights, 0, RING_SAMPLES * sizeof *weights);
    p = lope_v3(fmaxf(low[0], fminf(p.x, high[0])), fmaxf(low[1], fminf(p.y, high[1])),
                fmaxf(low[2], fminf(p.z, high[2])));
    ring_krige(ring, track, p, weights);
    ring_limit((int)h->samples, weights);
}

void gait_enter_rest(lope_gait *gait)
{
    lope_vec3 place = gait->root_place;
    place.y -= gait_lowered_at(gait, gait->frame);
    lope_quat rotation = gait->root_rotation;
    float weights[RING_SAMPLES], course = gait->yaw + ring_bias(gait_ring(gait), gait->track, gait->weights);
    begin_fade(gait, 1.5f * FADE);
    gait->ring = lope_rings_find(gait->rings, LOPE_RING_REST);
    gait->yaw = lope_wrap_angle(course);
    gait->frame = 0.0f;
    gait->standing = true;
    gait->since_try = 0.0f;
    gait->searching = false;
    memset(gait->start_tried, 0, sizeof gait->start_tried);
    gait->start_over[0] = gait->start_over[1] = false;
    gait->origin = gait->feet[gait->track].anchor;
    gait_rest_weights(gait, gait->track, course, weights);
    steady_weights(gait, weights);
    absorb(gait, place, rotation);
}

// Weights with which the supporting foot would have come down where it stands, seen from the other one.
static void entry_weights(const lope_gait *gait, const lope_ring *ring, int track, float *weights)
{
    lope_vec3 goal = other_foot(gait, 1 - track, gait->yaw);
    const ring_head *h = ring->head;
    const float *low = h->low[1 - track], *high = h->high[1 - track];
    goal = lope_v3(fmaxf(low[0], fminf(goal.x, high[0])), fmaxf(low[1], fminf(goal.y, high[1])),
                   fmaxf(low[2], fminf(goal.z, high[2])));
    memset(weights, 0, RING_SAMPLES * sizeof *weights);
    ring_krige(ring, 1 - track, goal, weights);
    ring_limit((int)h->samples, weights);
    for (int round = 0; round < 3; round++) {
        float change[RING_SAMPLES];
        ring_krige_change(ring, 1 - track, ring_land(gait->rings, ring, 1 - track, weights).point, goal, change);
        for (uint32_t s = 0; s < h->samples; s++)
            weights[s] += change[s];
        ring_limit((int)h->samples, weights);
    }
}

static gait_search start_on(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, int support)
{
    lope_gait kept = *gait;
    float weights[RING_SAMPLES];
    begin_fade(gait, FADE);
    gait->fade.track = support;
    gait->fade.origin = gait->feet[support].anchor;
    gait_rest_weights(gait, support, gait->yaw, gait->fade.weights);
    gait->ring = lope_rings_find(gait->rings, LOPE_RING_WALK);
    gait->track = support;
    gait->origin = gait->feet[support].anchor;
    entry_weights(gait, gait_ring(gait), support, weights);
    gait->yaw = lope_wrap_angle(gait->yaw - ring_bias(gait_ring(gait), support, weights));
    gait->frame = 0.0f;
    gait->standing = false;
    steady_weights(gait, weights);
    memcpy(gait->weights, weights, sizeof weights);
    gait->rate = 0.0f;
    memcpy(gait->step.tried, kept.start_tried[support], sizeof gait->step.tried);
    gait_search found = gait_plan(gait, terrain, control, false);
    if (found != GAIT_FOUND) {
        memcpy(kept.start_tried[support], gait->step.tried, sizeof gait->step.tried);
        *gait = kept;
        return found;
    }
    gait->control = *control;
    absorb(gait, kept.root_place, kept.root_rotation);
    return found;
}

gait_search gait_start(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control)
{
    double s = lope_sin((double)control->direction), c = lope_cos((double)control->direction);
    lope_vec3 apart = lope_v3_sub(gait->feet[0].anchor, gait->feet[1].anchor);
    double ahead = (double)apart.x * s + (double)apart.z * c; // of the left foot
    int support = lope_wrap_angle(control->direction - gait->yaw) > 0.0f ? LOPE_RIGHT : LOPE_LEFT;
    if (fabs(ahead) > 0.1)
        support = ahead > 0.0 ? LOPE_LEFT : LOPE_RIGHT;
    // The other foot only where neither is ahead: who stands in a stride goes on with the hind foot.
    if (gait->start_over[support] && fabs(ahead) < 0.2)
        support = 1 - support;
    if (gait->start_over[support])
        return GAIT_NONE;
    gait_search found = start_on(gait, terrain, control, support);
    gait->start_over[support] = found == GAIT_NONE;
    return found == GAIT_NONE && fabs(ahead) < 0.2 && !gait->start_over[1 - support] ? GAIT_MORE : found;
}

static const ring_link *find_link(const lope_gait *gait, int to)
{
    for (int l = 0; l < gait->rings->link_count; l++) {
        const ring_link *link = &gait->rings->links[l];
        float frames = (float)gait_ring(gait)->head->frames;
        if (link->from == gait->ring && link->to == to && (link->from_frame >= frames) == (gait->track == 1))
            return link;
    }
    return NULL;
}

bool gait_change_ring(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, int to)
{
    const ring_link *link = find_link(gait, to);
    const lope_ring *old = gait_ring(gait), *ring = &gait->rings->rings[to];
    if (!link)
        return false;
    float from_frame = link->from_frame - (gait->track ? (float)old->head->frames : 0.0f);
    float to_frame = link->to_frame - (gait->track ? (float)ring->head->frames : 0.0f);
    if (!gait->step.planned || gait->frame < from_frame || gait->frame > 0.5f * (float)old->head->frames + 1.0f)
        return false;
    lope_gait kept = *gait;
    float weights[RING_SAMPLES] = {0.0f};
    const float *low = ring->head->low[gait->track], *high = ring->head->high[gait->track];
    lope_vec3 goal = lope_quat_rotate(lope_quat_yaw(-gait->yaw), lope_v3_sub(gait->step.anchor, gait->origin));
    goal = lope_v3(fmaxf(low[0], fminf(goal.x, high[0])), fmaxf(low[1], fminf(goal.y, high[1])),
                   fmaxf(low[2], fminf(goal.z, high[2])));
    gait_foot *foot = &gait->feet[1 - gait->track];
    if (!foot->planted)
        gait_fold_in(gait, foot);
    begin_fade(gait, FADE);
    gait->yaw = lope_wrap_angle(gait_yaw_at(gait, gait->frame));
    gait->ring = to;
    gait->frame = to_frame + (gait->frame - from_frame);
    ring_krige(ring, gait->track, goal, weights);
    ring_limit((int)ring->head->samples, weights);
    steady_weights(gait, weights);
    gait->step.begin = gait->frame;
    memcpy(gait->weights, weights, sizeof weights);
    if (gait_plan(gait, terrain, control, true) != GAIT_FOUND) {
        *gait = kept;
        return false;
    }
    gait->control = *control;
    return true;
}
