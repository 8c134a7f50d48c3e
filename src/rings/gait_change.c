// SPDX-License-Identifier: MIT
// Changes: from step to step, between rings, into rest and out of it. What is shown never jumps: at a strike the root's
// difference between the two frames decays; between rings both are played for a while and mixed.
#include "rings/gait.h"

#include <string.h>

// Seconds; of root and legs where a step is on its way.
static const float FADE = 0.3f, TRUNK_FADE = 0.45f;
// Frames between the moments that speed and acceleration at a strike are measured by. With wider ones, noise of a
// capture looks like an acceleration that the new step lacks, and the hips swing out by tens of degrees to lose it.
static const float STRIKE_STEP = 0.1f;

// The root at an end of the running track, from three moments next to it, per second; and both ankles.
typedef struct track_end {
    gait_end place, turn;
    lope_quat rotation;
    lope_transform ankles[2];
} track_end;

static track_end track_at(const lope_gait *gait, float frame, float step)
{
    lope_quat slots[RING_LEG_SLOTS], rotations[3];
    lope_transform chains[2][RING_CHAIN];
    float weights[RING_SAMPLES], at[3], rate = 1.0f;
    lope_vec3 places[3], turns[3];
    track_end out;
    for (int i = 0; i < 3; i++) {
        gait_weights_at(gait, frame + (float)i * step, weights);
        gait_played played = gait_play(gait, frame + (float)i * step, weights, true, slots, chains);
        if (i == 0)
            rate = larger(played.rate, 1.0f);
        for (int side = 0; side < 2 && i == 0; side++)
            out.ankles[side] =
                (lope_transform){chains[side][gait->rings->legs[side].ankle].rotation, played.feet[side]};
        at[i] = (float)i * step / rate;
        places[i] = played.place;
        rotations[i] = played.root;
        turns[i] = gait_turn(rotations[0], played.root);
    }
    out.rotation = rotations[0];
    out.place = gait_end_through(at, places);
    out.turn = gait_end_through(at, turns);
    return out;
}

// The foot that does not land goes on in the air (runs), seen from the new track. It has begun a new way at the strike;
// where that leads will be known when its step is planned.
static void carry_over(lope_gait *gait, gait_foot *foot, const lope_transform *before, const lope_transform *after)
{
    foot->begin = 0.0f;
    foot->left -= (float)gait_ring(gait)->head->frames;
    lope_vec3 jump = lope_v3_sub(before->translation, after->translation);
    foot->place.from.place = lope_v3_add(foot->place.from.place, jump);
    foot->turn.from.place = lope_v3_add(foot->turn.from.place, gait_turn(after->rotation, before->rotation));
    foot->place.to = foot->turn.to = foot->toe.to = (gait_end){.place = {0.0f, 0.0f, 0.0f}};
}

// What was played of a foot before the strike, as the new track would have played it: the two differ in where they are
// and where they face, and a foot that leaves in the next frame must not take that for speed.
static void see_from_new_track(gait_foot *foot, const lope_transform *before, const lope_transform *after)
{
    lope_vec3 jump = lope_v3_sub(after->translation, before->translation);
    lope_quat turn = lope_quat_mul(after->rotation, lope_quat_conjugate(before->rotation));
    for (int i = 0; i < GAIT_PAST; i++) {
        foot->played[i].translation = lope_v3_add(foot->played[i].translation, jump);
        foot->played[i].rotation = lope_quat_mul(turn, foot->played[i].rotation);
    }
}

void gait_strike_now(lope_gait *gait, float before_strike, float after_strike)
{
    const lope_ring *ring = gait_ring(gait);
    gait_step *step = &gait->step;
    float end = (float)ring->head->frames;
    track_end before = track_at(gait, end, -STRIKE_STEP);
    gait->root_elapsed += before_strike;
    gait->root_dt = after_strike;
    int landed = 1 - gait->track;
    gait_foot *foot = &gait->feet[landed], *other = &gait->feet[gait->track];
    if (!other->planted) {
        gait->frame = end;
        gait_foot_anew(gait, other);
    }
    gait_foot_as_planned(gait, foot);
    foot->planted = true;
    gait->strikes++;
    gait->last = step->strike;
    gait->track = landed;
    gait->origin = step->anchor;
    gait->yaw = lope_wrap_angle(step->yaw);
    gait->frame = 0.0f;
    for (int i = 0; i < GAIT_PAST; i++)
        gait->past[i] -= end;
    memcpy(step->from, step->to, sizeof step->from);
    memset(step->speed, 0, sizeof step->speed);
    memset(step->bend, 0, sizeof step->bend);
    memset(step->trims, 0, sizeof step->trims);
    step->begin = step->trim = step->pelvis_begin = 0.0f;
    step->pelvis.from = step->pelvis.to;
    step->planned = false;
    memset(step->tried, 0, sizeof step->tried);
    gait->searching = false;
    gait->fade.trunk = true;
    track_end after = track_at(gait, 0.0f, STRIKE_STEP);
    gait_end turn = gait_end_sub(before.turn, after.turn);
    turn.place = gait_turn(after.rotation, before.rotation);
    gait_root_add(gait, gait_end_sub(before.place, after.place), turn);
    if (!other->planted)
        carry_over(gait, other, &before.ankles[1 - landed], &after.ankles[1 - landed]);
    for (int side = 0; side < 2; side++)
        see_from_new_track(&gait->feet[side], &before.ankles[side], &after.ankles[side]);
}

// Begins to mix what is played now into whatever is played next.
static void begin_fade(lope_gait *gait, float duration)
{
    gait->fade = (gait_fade){.active = true,
                             .ring = gait->ring,
                             .track = gait->track,
                             .frame = gait->frame,
                             .rate = gait->rate * (gait->standing ? 1.0f : gait->pace),
                             .duration = duration,
                             .legs = duration,
                             .yaw = gait_yaw_at(gait, gait->frame),
                             .origin = gait->origin};
    memcpy(gait->fade.weights, gait->weights, sizeof gait->weights);
}

// Root and legs are through with the fade by the strike that was planned.
static void end_by_strike(lope_gait *gait)
{
    const ring_head *h = gait_ring(gait)->head;
    float rate = 2.0f * (float)h->frames / h->seconds * larger(gait->pace, 0.1f); // a cycle has both tracks
    float left = ((float)h->frames - gait->frame) / rate;
    gait->fade.legs = larger(0.05f, smaller(FADE, 0.85f * left));
}

// Keeps the root where it was shown, whatever has changed below it.
static void absorb(lope_gait *gait, lope_vec3 place, lope_quat rotation)
{
    gait_show(gait, 0.0f);
    lope_vec3 now = lope_v3_add(gait->root_place, gait_pelvis_at(gait, gait->frame));
    gait_root_add(gait, (gait_end){.place = lope_v3_sub(place, now)},
                  (gait_end){.place = gait_turn(gait->root_rotation, rotation)});
}

// Where the root is shown, but for what is left of earlier differences.
static lope_vec3 shown_root(const lope_gait *gait)
{
    return lope_v3_add(gait->root_place, gait_pelvis_at(gait, gait->frame));
}

void gait_steady_weights(lope_gait *gait, const float *weights)
{
    gait_step *step = &gait->step;
    memset(step->speed, 0, sizeof step->speed);
    memset(step->bend, 0, sizeof step->bend);
    memset(step->trims, 0, sizeof step->trims);
    memcpy(step->from, weights, sizeof step->from);
    memcpy(step->to, weights, sizeof step->to);
    step->begin = step->trim = 0.0f;
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
    p = lope_v3(larger(low[0], smaller(p.x, high[0])), larger(low[1], smaller(p.y, high[1])),
                larger(low[2], smaller(p.z, high[2])));
    lope_ring_krige(ring, track, p, weights);
    lope_ring_limit((int)h->samples, weights);
}

void gait_enter_rest(lope_gait *gait)
{
    lope_vec3 place = shown_root(gait);
    lope_quat rotation = gait->root_rotation;
    float weights[RING_SAMPLES], course = gait->yaw + ring_bias(gait_ring(gait), gait->track, gait->weights);
    begin_fade(gait, TRUNK_FADE);
    gait->ring = lope_rings_find(gait->rings, LOPE_RING_REST);
    gait->yaw = lope_wrap_angle(course);
    gait->frame = 0.0f;
    gait->standing = true;
    gait->ended = gait->refused;
    gait->since_try = 0.0f;
    gait->searching = gait->halting = false;
    memset(gait->start_tried, 0, sizeof gait->start_tried);
    gait->start_over[0] = gait->start_over[1] = false;
    gait->origin = gait->feet[gait->track].anchor;
    gait_rest_weights(gait, gait->track, course, weights);
    gait_steady_weights(gait, weights);
    gait_pelvis_stand(gait);
    absorb(gait, place, rotation);
}

// Weights with which the supporting foot would have come down where it stands, seen from the other one.
static void entry_weights(const lope_gait *gait, const lope_ring *ring, int track, float *weights)
{
    lope_vec3 goal = other_foot(gait, 1 - track, gait->yaw);
    const ring_head *h = ring->head;
    const float *low = h->low[1 - track], *high = h->high[1 - track];
    goal = lope_v3(larger(low[0], smaller(goal.x, high[0])), larger(low[1], smaller(goal.y, high[1])),
                   larger(low[2], smaller(goal.z, high[2])));
    memset(weights, 0, RING_SAMPLES * sizeof *weights);
    lope_ring_krige(ring, 1 - track, goal, weights);
    lope_ring_limit((int)h->samples, weights);
    for (int round = 0; round < 3; round++) {
        float change[RING_SAMPLES];
        lope_ring_krige_change(ring, 1 - track, lope_ring_land_of(gait->rings, ring, 1 - track, weights).point, goal,
                               change);
        for (uint32_t s = 0; s < h->samples; s++)
            weights[s] += change[s];
        lope_ring_limit((int)h->samples, weights);
    }
}

// The body stays moved as it is until the next step is planned.
static void hold_pelvis(lope_gait *gait)
{
    gait->step.pelvis.from = gait->step.pelvis.to;
    gait->step.pelvis_begin = 0.0f;
}

// Runs begin as walks.
static int starts_with(const lope_gait *gait, const lope_gait_control *control)
{
    return lope_rings_of_mode(gait->rings, control->mode >= LOPE_GAIT_OWN ? control->mode : LOPE_GAIT_WALK);
}

static gait_search start_on(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, int support)
{
    lope_gait kept = *gait;
    float weights[RING_SAMPLES];
    begin_fade(gait, TRUNK_FADE);
    gait->fade.track = support;
    gait->fade.origin = gait->feet[support].anchor;
    gait_rest_weights(gait, support, gait->yaw, gait->fade.weights);
    gait->ring = starts_with(gait, control);
    gait->track = support;
    gait->origin = gait->feet[support].anchor;
    entry_weights(gait, gait_ring(gait), support, weights);
    gait->yaw = lope_wrap_angle(gait->yaw - ring_bias(gait_ring(gait), support, weights));
    gait->frame = 0.0f;
    gait->standing = false;
    gait_steady_weights(gait, weights);
    memcpy(gait->weights, weights, sizeof weights);
    gait->rate = 0.0f;
    hold_pelvis(gait);
    memcpy(gait->step.tried, kept.start_tried[support], sizeof gait->step.tried);
    gait_search found = gait_plan(gait, terrain, control, false);
    if (found != GAIT_FOUND) {
        memcpy(kept.start_tried[support], gait->step.tried, sizeof gait->step.tried);
        *gait = kept;
        return found;
    }
    gait->control = *control;
    end_by_strike(gait);
    absorb(gait, shown_root(&kept), kept.root_rotation);
    return found;
}

gait_search gait_start(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control)
{
    double facing = (double)(control->direction - gait->rings->rings[starts_with(gait, control)].head->heading);
    double s = lope_sin(facing), c = lope_cos(facing);
    lope_vec3 apart = lope_v3_sub(gait->feet[0].anchor, gait->feet[1].anchor);
    double ahead = (double)apart.x * s + (double)apart.z * c; // of the left foot
    int support = lope_wrap_angle(control->direction - gait->yaw) > 0.0f ? LOPE_RIGHT : LOPE_LEFT;
    if (fabs(ahead) > 0.1)
        support = ahead > 0.0 ? LOPE_LEFT : LOPE_RIGHT;
    // The other foot only where neither is ahead: a body that stands in a stride goes on with the hind foot.
    if (gait->start_over[support] && fabs(ahead) < 0.2)
        support = 1 - support;
    if (gait->start_over[support])
        return GAIT_NONE;
    gait_search found = start_on(gait, terrain, control, support);
    gait->start_over[support] = found == GAIT_NONE;
    return found == GAIT_NONE && fabs(ahead) < 0.2 && !gait->start_over[1 - support] ? GAIT_MORE : found;
}

gait_search gait_step_back(lope_gait *gait, const lope_terrain *terrain, float direction, bool anew)
{
    const float wide = 0.35f;
    double s = lope_sin((double)direction), c = lope_cos((double)direction);
    lope_vec3 apart = lope_v3_sub(gait->feet[0].anchor, gait->feet[1].anchor);
    double ahead = (double)apart.x * s + (double)apart.z * c; // of the left foot
    if (fabs(ahead) < (double)wide)
        return GAIT_NONE;
    lope_gait_control stop = {LOPE_GAIT_STAND, direction, 0.0f};
    int support = ahead > 0.0 ? LOPE_RIGHT : LOPE_LEFT;
    if (anew)
        memset(gait->start_tried[support], 0, sizeof gait->start_tried[support]);
    gait_search found = start_on(gait, terrain, &stop, support);
    gait->closing = found == GAIT_FOUND;
    return found;
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

static void slow_down(gait_end *end, float by)
{
    end->speed = lope_v3_scale(end->speed, by);
    end->acceleration = lope_v3_scale(end->acceleration, by * by);
}

// What is told in frames of a ring goes on in those of another, `ahead` of them, that take another time.
static void change_clock(lope_gait *gait, const lope_ring *to, float ahead)
{
    const ring_head *old = gait_ring(gait)->head, *new = to->head;
    float by = (float)old->frames / old->seconds * new->seconds / (float)new->frames;
    gait_step *step = &gait->step;
    for (int side = 0; side < 2; side++) {
        gait_foot *foot = &gait->feet[side];
        if (!foot->planted) {
            gait_foot_anew(gait, foot);
            slow_down(&foot->place.from, by);
            slow_down(&foot->turn.from, by);
            slow_down(&foot->toe.from, by);
            foot->begin += ahead;
            foot->left += ahead;
        }
    }
    float length = larger((float)old->frames - step->pelvis_begin, 1e-3f);
    float share = larger(0.0f, smaller((gait->frame - step->pelvis_begin) / length, 1.0f));
    gait_way was = step->pelvis; // a copy: compilers may write the result into what it is made from
    step->pelvis.from = gait_way_end(&was, share, length);
    slow_down(&step->pelvis.from, by);
    step->pelvis_begin = gait->frame + ahead;
    for (int i = 0; i < GAIT_PAST; i++)
        gait->past[i] = gait->frame + ahead + (gait->past[i] - gait->frame) / by;
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
    goal = lope_v3(larger(low[0], smaller(goal.x, high[0])), larger(low[1], smaller(goal.y, high[1])),
                   larger(low[2], smaller(goal.z, high[2])));
    change_clock(gait, ring, to_frame - from_frame);
    begin_fade(gait, TRUNK_FADE);
    gait->yaw = lope_wrap_angle(gait_yaw_at(gait, gait->frame));
    gait->ring = to;
    gait->frame += to_frame - from_frame;
    lope_ring_krige(ring, gait->track, goal, weights);
    lope_ring_limit((int)ring->head->samples, weights);
    gait_steady_weights(gait, weights);
    gait->step.begin = gait->frame;
    memcpy(gait->weights, weights, sizeof weights);
    if (gait_plan(gait, terrain, control, true) != GAIT_FOUND) {
        *gait = kept;
        return false;
    }
    gait->control = *control;
    end_by_strike(gait);
    return true;
}
