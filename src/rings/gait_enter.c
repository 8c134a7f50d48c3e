// SPDX-License-Identifier: MIT
// Going over into a gait from anybody's motion. The ring goes on where gait_match.c says; the supporting ball stays
// where it stands and becomes the step's frame. Whatever else differs then is what a gait knows how to lose: the root's
// place, turn and speed as at a strike, the way of a foot in the air as when it left the ground. Standing feet keep
// how they are tilted and rolled, and lose that while they stand.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "rings/gait_match.h"
#include "rings/gait_plan.h"

static const float NEAR_GROUND = 0.12f; // metres between a sole that touches and the ground
static const float HANGS = 1.0f;        // metres that a foot counts which hangs farther above it, over an edge
static const float LEAVING = 11.0f;     // frames, as a foot that leaves (gait_feet.c)
// Metres by which the ground may be higher or lower than where the weights lead: little as long as others are found.
static const float EARLY_STEP = 0.05f, LATE_STEP = 0.25f;
static const float LITTLE = 0.05f; // metres by which it may be off without a worse fit

// Where a foot of somebody stands.
typedef struct foothold {
    lope_vec3 anchor, normal;
    lope_quat plant;
    lope_vec3 on; // the ground below what holds
    bool hangs;   // in the air: there is none
} foothold;

// How a foot stands on the ground at a place. What holds is the ball or, while the toes are up, the heel.
static void hold_on(const lope_rings *rings, const gait_seen *seen, int side, lope_vec3 on, foothold *out)
{
    const gait_seen_foot *foot = &seen->feet[side];
    const ring_leg *leg = &rings->legs[side];
    lope_quat sole = lope_quat_mul(foot->ankle[0].rotation, leg->sole);
    lope_vec3 ahead = lope_v3(0.0f, 0.0f, 1.0f), forward = lope_quat_rotate(sole, ahead);
    out->anchor = on;
    out->plant = gait_plant_of(forward, out->normal);
    if (!foot->on_toes) {
        gait_foot placed = {0};
        gait_foot_place(leg, &placed, on, out->normal, out->plant);
        out->anchor = lope_v3_add(on, lope_v3_sub(on, placed.heel));
    }
}

static lope_vec3 sole_of(const gait_seen *seen, int side)
{
    const gait_seen_foot *foot = &seen->feet[side];
    return foot->on_toes ? foot->ball[0] : foot->heel;
}

static bool find_ground(const lope_terrain *terrain, lope_vec3 at, foothold *out)
{
    at.y += NEAR_GROUND;
    return gait_ground_below(terrain, NULL, at, 2.0f * NEAR_GROUND, &out->on, &out->normal);
}

// The ground below a standing foot: below what holds or, where that is over an edge, below the rest of the sole. A foot
// that has none stays in the air until it steps.
static bool find_foothold(const lope_rings *rings, const lope_terrain *terrain, const gait_seen *seen, int side,
                          foothold *out)
{
    const gait_seen_foot *foot = &seen->feet[side];
    lope_vec3 sole = sole_of(seen, side), rest = foot->on_toes ? foot->heel : foot->ball[0];
    out->hangs = !find_ground(terrain, sole, out);
    if (out->hangs) {
        rest.y = sole.y;
        bool edge = find_ground(terrain, rest, out) || find_ground(terrain, lope_v3_lerp(sole, rest, 0.5f), out);
        out->hangs = !edge;
        out->normal = lope_v3(0.0f, 1.0f, 0.0f);
        out->on = lope_v3(sole.x, edge ? out->on.y : sole.y, sole.z);
    }
    hold_on(rings, seen, side, out->on, out);
    return !out->hangs;
}

// Stands a foot, and keeps what is shown of it beyond that.
static void stand_foot(lope_gait *gait, int side, const gait_seen *seen, const foothold *hold)
{
    const ring_leg *leg = &gait->rings->legs[side];
    const gait_seen_foot *shown = &seen->feet[side];
    gait_foot *foot = &gait->feet[side];
    lope_transform ankle;
    lope_quat toe;
    float pitch[2];
    foot->planted = true;
    gait_foot_place(leg, foot, hold->anchor, hold->normal, hold->plant);
    for (int when = 0; when < 2; when++) {
        lope_quat sole = lope_quat_mul(shown->ankle[when].rotation, leg->sole);
        lope_vec3 forward = lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f));
        pitch[when] = gait_pitch_of(lope_quat_rotate(lope_quat_conjugate(hold->plant), forward));
    }
    gait_foot_rolled(leg, foot, pitch[0], &ankle, &toe);
    foot->roll = pitch[0];
    foot->roll_speed = (pitch[0] - pitch[1]) / seen->dt;
    foot->off = lope_v3_sub(shown->ankle[0].translation, ankle.translation);
    foot->tilt = gait_turn(ankle.rotation, shown->ankle[0].rotation);
    foot->bent = gait_turn(toe, shown->toe[0]);
}

// What is played of root and feet now [0] and dt earlier [1].
typedef struct played_twice {
    gait_played body[2];
    lope_transform ankles[2][2]; // of a side, at a time
    lope_quat toes[2][2];
    float pitch[2][2]; // of a side, at a time: as it would be shown
    float frames;      // between the two
} played_twice;

static void play_twice(const lope_gait *gait, float dt, played_twice *out)
{
    lope_quat slots[RING_LEG_SLOTS];
    lope_transform chains[2][RING_CHAIN];
    for (int when = 0; when < 2; when++) {
        float frame = gait->frame - (when ? out->frames : 0.0f);
        out->body[when] = gait_play(gait, frame, gait->weights, true, slots, chains);
        out->frames = out->body[0].rate * dt;
        for (int side = 0; side < 2; side++) {
            const ring_leg *leg = &gait->rings->legs[side];
            lope_quat turned = chains[side][leg->ankle].rotation;
            lope_vec3 forward = lope_quat_rotate(lope_quat_mul(turned, leg->sole), lope_v3(0.0f, 0.0f, 1.0f));
            out->ankles[side][when] = (lope_transform){turned, out->body[when].feet[side]};
            out->toes[side][when] = leg->toe == leg->ankle ? lope_quat_identity() : slots[leg->slots[leg->toe]];
            out->pitch[side][when] = gait_foot_pitch(
                &gait->feet[side], gait_pitch_of(forward) - gait_flat_pitch(gait_ring(gait), side, gait->weights));
        }
    }
}

// A difference now and `span` earlier, at rest in between but for its speed.
static gait_end end_of(lope_vec3 now, lope_vec3 before, float span)
{
    return (gait_end){.place = now, .speed = lope_v3_scale(lope_v3_sub(now, before), 1.0f / span)};
}

static void keep_root(lope_gait *gait, const gait_seen *seen, const played_twice *played)
{
    lope_vec3 pelvis = gait_pelvis_at(gait, gait->frame), places[2], turns[2];
    for (int when = 0; when < 2; when++) {
        const gait_played *body = &played->body[when];
        places[when] = lope_v3_sub(lope_v3_sub(seen->root[when].translation, body->place), pelvis);
        turns[when] = gait_turn(body->root, seen->root[when].rotation);
    }
    gait_root_add(gait, end_of(places[0], places[1], seen->dt), end_of(turns[0], turns[1], seen->dt));
}

// A foot in the air comes from where it stood at the last strike of the ring.
static void come_from(lope_gait *gait, int side)
{
    const lope_ring *ring = gait_ring(gait);
    const ring_leg *leg = &gait->rings->legs[side];
    float row[RING_WIDTH];
    lope_ring_mix(ring, gait->track, 0.0f, gait->weights, row);
    lope_vec3 ball = lope_quat_rotate(lope_quat_yaw(gait->yaw), ring_ball_place(ring, row, side));
    gait_foot_place(leg, &gait->feet[side], lope_v3_add(gait->origin, ball), lope_v3(0.0f, 1.0f, 0.0f),
                    lope_quat_yaw(gait->yaw));
}

static void keep_foot(lope_gait *gait, int side, const gait_seen *seen, const played_twice *played)
{
    gait_foot *foot = &gait->feet[side];
    const gait_seen_foot *shown = &seen->feet[side];
    lope_vec3 places[2], turns[2], toes[2];
    for (int when = 0; when < 2; when++) {
        places[when] = lope_v3_sub(shown->ankle[when].translation, played->ankles[side][when].translation);
        turns[when] = gait_turn(played->ankles[side][when].rotation, shown->ankle[when].rotation);
        toes[when] = gait_turn(played->toes[side][when], shown->toe[when]);
    }
    if (foot->planted) {
        const float *pitch = played->pitch[side];
        foot->roll -= pitch[0];
        foot->roll_speed -= (pitch[0] - pitch[1]) / seen->dt;
        foot->settling = GAIT_FOOT_SETTLES;
        return;
    }
    foot->place.from = end_of(places[0], places[1], played->frames);
    foot->turn.from = end_of(turns[0], turns[1], played->frames);
    foot->toe.from = end_of(toes[0], toes[1], played->frames);
    foot->leaving = foot->landing = LEAVING;
    come_from(gait, side);
    foot->begin = gait->frame;
    foot->left = side == gait->track ? gait->frame : smaller(gait->frame, 0.25f * (float)gait_ring(gait)->head->frames);
}

// Everything as in a new gait.
static void clear(lope_gait *gait, const lope_terrain *terrain)
{
    lope_gait fresh = {.rings = gait->rings,
                       .def = gait->def,
                       .pose = gait->pose,
                       .rotations = gait->rotations,
                       .slots = gait->slots,
                       .root_dt = -1.0f,
                       .pace = 1.0f,
                       .since_try = 1.0f,
                       .strikes = gait->strikes,
                       .hurry_until = gait->strikes + 2,
                       .disc_count = gait->disc_count,
                       .version = terrain ? lope_terrain_version(terrain) : 0};
    memcpy(fresh.discs, gait->discs, sizeof fresh.discs);
    *gait = fresh;
}

// Where the step that is on its way comes down: where the weights lead and, with little time left, where the foot is
// off to. Then any ground will do.
static bool aim_first(gait_planner *p, gait_trial *t, bool late)
{
    const lope_gait *gait = p->gait;
    const ring_leg *leg = &gait->rings->legs[1 - p->track];
    const gait_foot *foot = &gait->feet[1 - p->track];
    float left = ((float)p->ring->head->frames - gait->frame) / LEAVING, up = late ? LATE_STEP : EARLY_STEP;
    lope_vec3 at = gait_to_world(p, t, t->strike.landing.point), off = foot->place.from.place;
    if (!foot->planted && late)
        at = lope_v3_mad(at, lope_v3(off.x, 0.0f, off.z), 1.0f - left);
    at.y += up;
    if (!gait_ground_below(p->terrain, &p->patch, at, 2.0f * up, &t->ground, &t->normal))
        return false;
    lope_quat sole = lope_quat_mul(t->facing, lope_quat_mul(t->strike.ankle.rotation, leg->sole));
    lope_vec3 local = lope_quat_rotate(lope_quat_conjugate(t->facing), lope_v3_sub(t->ground, gait->origin));
    lope_vec3 forward = lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f));
    t->error = lope_v3_distance(t->strike.landing.point, local);
    t->outside = lope_ring_outside(p->ring, p->track, local);
    t->in_hull = t->outside <= 1e-3f;
    t->plant = gait_plant_of(forward, t->normal);
    return (gait_foot_fits(p, leg, forward, t) && gait_body_passes(p, t)) || late;
}

// The same course and stride as the weights have.
static lope_gait_control as_it_goes(const gait_planner *p, const gait_trial *t)
{
    lope_ring_landing landing = t->strike.landing;
    float course = landing.yaw + ring_bias(p->ring, 1 - p->track, t->weights);
    double along = 0.5 * (double)(course + ring_bias(p->ring, p->track, t->weights));
    double stride = (double)landing.point.x * lope_sin(along) + (double)landing.point.z * lope_cos(along);
    bool runs = p->ring->head->kind == LOPE_RING_RUN;
    return (lope_gait_control){runs ? LOPE_GAIT_RUN : LOPE_GAIT_WALK, lope_wrap_angle(p->gait->yaw + course),
                               larger((float)stride, 0.0f)};
}

static void plan_first(lope_gait *gait, const lope_terrain *terrain)
{
    const lope_ring *ring = gait_ring(gait);
    gait_planner p = {.gait = gait, .terrain = terrain, .ring = ring, .track = gait->track};
    gait_trial t = {.facing = lope_quat_yaw(gait->yaw)};
    bool late = gait->frame > (float)ring->head->frames - LEAVING;
    gait_search found = GAIT_FOUND;
    p.samples = (int)ring->head->samples;
    memcpy(t.weights, gait->weights, sizeof t.weights);
    t.strike = lope_ring_strike_of(gait->rings, ring, p.track, t.weights);
    gait->control = as_it_goes(&p, &t);
    if (terrain)
        gait_gather(&p);
    if (aim_first(&p, &t, late))
        gait_take_up(&p, &t);
    else
        do
            found = late ? GAIT_NONE : gait_plan(gait, terrain, &gait->control, false);
        while (found == GAIT_MORE);
    if (found == GAIT_NONE && gait->feet[1 - p.track].planted)
        return; // the next frame stops
    if (found == GAIT_NONE)
        gait_plan_beside(gait);
    gait_plan_on(gait, terrain);
    if (late)
        gait->step.todo = GAIT_NOTHING; // no time to go up and down again
}

// Sets ring, frame, weights and feet.
static void go_on(lope_gait *gait, const gait_seen *seen, const gait_match *match, const foothold holds[2])
{
    gait->ring = match->ring;
    gait->track = match->track;
    gait->frame = match->frame;
    gait->yaw = match->yaw;
    gait->standing = match->standing;
    gait->pose.root = seen->root[0].translation;
    for (int side = 0; side < 2; side++)
        if (seen->feet[side].stands)
            stand_foot(gait, side, seen, &holds[side]);
    float weights[RING_SAMPLES];
    memcpy(weights, match->weights, sizeof weights);
    if (gait->standing)
        gait_rest_weights(gait, gait->track, gait->yaw, weights);
    gait_steady_weights(gait, weights);
    gait->step.begin = gait->step.pelvis_begin = gait->frame;
    memcpy(gait->weights, weights, sizeof weights);
    gait->origin = holds[gait->track].anchor;
    if (gait->standing)
        gait_pelvis_stand(gait);
}

// Where the frame of a step lies whose supporting foot has left already (runs): below the hips, as they are played.
static bool find_origin(const lope_rings *rings, const lope_terrain *terrain, const gait_seen *seen,
                        const gait_match *match, lope_vec3 *out)
{
    const lope_ring *ring = &rings->rings[match->ring];
    float row[RING_WIDTH];
    lope_ring_mix(ring, match->track, match->frame, match->weights, row);
    lope_vec3 place = lope_quat_rotate(lope_quat_yaw(match->yaw), ring_place(ring, row)), normal;
    lope_vec3 from = lope_v3_sub(seen->root[0].translation, place);
    from.y += 0.3f;
    return gait_ground_below(terrain, NULL, from, 0.6f, out, &normal);
}

static bool find_ground_for(const lope_rings *rings, const lope_terrain *terrain, const gait_seen *seen,
                            const gait_match *match, foothold holds[2])
{
    bool found = false, stands = false;
    for (int side = 0; side < 2; side++) {
        if (!seen->feet[side].stands)
            continue;
        stands = true;
        found = find_foothold(rings, terrain, seen, side, &holds[side]) || found;
    }
    if (stands && !found)
        return false;
    return seen->feet[match->track].stands || find_origin(rings, terrain, seen, match, &holds[match->track].anchor);
}

// Where a gait can go on.
typedef struct entry {
    gait_seen seen;
    gait_match match;
    foothold holds[2];
} entry;

static bool find_entry(const lope_gait *gait, const lope_terrain *terrain, const lope_moment *moment, entry *out)
{
    if (moment->now.joint_count != gait->rings->skeleton->joint_count || !(moment->dt > 0.0f))
        return false;
    memset(out, 0, sizeof *out);
    gait_see(gait->rings, moment, &out->seen);
    gait_find_match(gait->rings, &out->seen, &out->match);
    return out->match.cost < HUGE_VALF && find_ground_for(gait->rings, terrain, &out->seen, &out->match, out->holds);
}

// For a foot that is about to come down: metres by which the ground is higher or lower than it expects, and for how
// much faster than it goes it would have to get there.
static float misses_ground(const lope_rings *rings, const lope_terrain *terrain, const entry *e)
{
    const float counts = 4.0f, hurries = 0.5f, hurry_counts = 0.1f; // metres per second; seconds
    const gait_match *m = &e->match;
    const lope_ring *ring = &rings->rings[m->ring];
    const gait_seen_foot *foot = &e->seen.feet[1 - m->track];
    float frames = (float)ring->head->frames, left = (frames - m->frame) / LEAVING;
    if (m->standing || left >= 1.0f)
        return 0.0f;
    lope_vec3 at = lope_ring_land_of(rings, ring, m->track, m->weights).point, on, normal;
    at = lope_v3_add(e->holds[m->track].anchor, lope_quat_rotate(lope_quat_yaw(m->yaw), at));
    lope_vec3 from = lope_v3(at.x, at.y + LATE_STEP, at.z);
    bool found = gait_ground_below(terrain, NULL, from, 2.0f * LATE_STEP, &on, &normal);
    float seconds = left * LEAVING * ring->head->seconds / (2.0f * frames); // a cycle has both tracks
    float needed = lope_v3_distance(foot->ball[0], found ? on : at) / seconds;
    float goes = lope_v3_distance(foot->ball[0], foot->ball[1]) / e->seen.dt;
    return counts * (1.0f - left) * larger(0.0f, (found ? fabsf(on.y - at.y) : LATE_STEP) - LITTLE) +
           (foot->stands ? 0.0f : hurry_counts * larger(0.0f, needed - 2.0f * goes - hurries));
}

// Metres for a leg that is nearly straight: its knee would leap.
static float straightness(const gait_seen *seen)
{
    const float from = 0.97f, counts = 0.05f / 0.03f;
    return counts * larger(0.0f, larger(seen->feet[0].straight, seen->feet[1].straight) - from);
}

// Metres for feet that stand, but not on the ground: above it, as those of walkers that come down from something, or
// over an edge.
static float hovering(const gait_seen *seen, const foothold holds[2])
{
    const float counts = 3.0f;
    float worst = 0.0f;
    for (int side = 0; side < 2; side++) {
        if (!seen->feet[side].stands)
            continue;
        float off = fabsf(sole_of(seen, side).y - holds[side].on.y) - 0.5f * LITTLE;
        worst = larger(worst, holds[side].hangs ? HANGS : counts * off);
    }
    return worst;
}

float lope_gait_fit(const lope_gait *gait, const lope_terrain *terrain, const lope_moment *moment)
{
    entry e;
    assert(gait && moment);
    if (!find_entry(gait, terrain, moment, &e))
        return HUGE_VALF;
    return sqrtf(e.match.cost) + straightness(&e.seen) + hovering(&e.seen, e.holds) +
           misses_ground(gait->rings, terrain, &e);
}

lope_status lope_gait_enter(lope_gait *gait, const lope_terrain *terrain, const lope_moment *moment, lope_error *error)
{
    entry e;
    played_twice played;
    assert(gait && moment);
    if (!find_entry(gait, terrain, moment, &e))
        return lope_fail(error, LOPE_NOT_FOUND, "no ground below the feet, or motion that no ring has");
    clear(gait, terrain);
    go_on(gait, &e.seen, &e.match, e.holds);
    play_twice(gait, e.seen.dt, &played);
    gait->rate = played.body[0].rate;
    keep_root(gait, &e.seen, &played);
    for (int side = 0; side < 2; side++)
        keep_foot(gait, side, &e.seen, &played);
    if (!gait->standing)
        plan_first(gait, terrain);
    gait_show(gait, 0.0f);
    gait->past[1] = gait->frame - played.frames;
    for (int side = 0; side < 2; side++) { // as it was before, for the speed of feet that leave now
        gait_foot *foot = &gait->feet[side];
        foot->shown[1] = e.seen.feet[side].ankle[1];
        foot->shown_toe[1] = e.seen.feet[side].toe[1];
        foot->played[1] = played.ankles[side][1];
        foot->played_toe[1] = played.toes[side][1];
    }
    return LOPE_OK;
}

bool lope_gait_may_leave(const lope_gait *gait)
{
    float share = gait->frame / (float)gait_ring(gait)->head->frames;
    return gait->standing || gait->blocked || (share > 0.1f && share < 0.7f);
}
