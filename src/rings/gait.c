// SPDX-License-Identifier: MIT
// A character on rings: made, stepped, asked about.
#include "rings/gait.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

lope_gait_def lope_gait_def_default(void)
{
    return (lope_gait_def){.above = 2.0f,
                           .radius = 0.2f,
                           .trim = 0.2f,
                           .combined_turn = 0.5f,
                           .steepest = 0.75f,
                           .accuracy = 0.005f,
                           .ik = true};
}

// Puts both feet on the ground beside each other, as the rest ring's first sample stands.
static bool stand(lope_gait *gait, const lope_terrain *terrain)
{
    const lope_ring *rest = gait_ring(gait);
    const float *other = rest->points; // the right foot seen from the left
    lope_quat facing = lope_quat_yaw(gait->def.at.yaw);
    lope_vec3 apart = lope_quat_rotate(facing, lope_v3(other[0], 0.0f, other[2]));
    lope_vec3 middle = lope_v3(gait->def.at.x, gait->def.above, gait->def.at.z);
    for (int side = 0; side < 2; side++) {
        lope_vec3 from = lope_v3_mad(middle, apart, side == LOPE_LEFT ? -0.5f : 0.5f), point, normal;
        if (!gait_ground_below(terrain, NULL, from, 1000.0f, &point, &normal))
            return false;
        float out = side == LOPE_LEFT ? 0.12f : -0.12f;
        lope_vec3 forward = lope_quat_rotate(lope_quat_yaw(gait->def.at.yaw + out), lope_v3(0.0f, 0.0f, 1.0f));
        gait_foot_place(&gait->rings->legs[side], &gait->feet[side], point, normal, gait_plant_of(forward, normal));
        gait->feet[side].planted = true;
    }
    return fabsf(gait->feet[0].anchor.y - gait->feet[1].anchor.y) < 0.35f;
}

static lope_status check(const lope_gait_def *def, lope_error *error)
{
    return LOPE_CHECK(error, LOPE_RANGE(def, at.x, -1e5, 1e5), LOPE_RANGE(def, at.z, -1e5, 1e5),
                      LOPE_RANGE(def, at.yaw, -1e5, 1e5), LOPE_RANGE(def, above, -LOPE_LARGE, LOPE_LARGE),
                      LOPE_RANGE(def, radius, LOPE_ABOVE_ZERO, 10), LOPE_RANGE(def, trim, 0, 10),
                      LOPE_RANGE(def, combined_turn, 0, 10), LOPE_RANGE(def, accuracy, LOPE_ABOVE_ZERO, 10),
                      LOPE_RANGE(def, steepest, LOPE_ABOVE_ZERO, 10),
                      LOPE_RANGE(def, published, 0, (LOPE_PUBLISHED_BUILD | LOPE_PUBLISHED_GAIT)));
}

static size_t slots_of(const lope_rings *rings)
{
    return (size_t)rings->rings[0].head->groups * 4;
}

size_t lope_gait_size(const lope_rings *rings)
{
    size_t quats = (size_t)rings->skeleton->joint_count + slots_of(rings);
    return (sizeof(lope_gait) + quats * sizeof(lope_quat) + 15) & ~(size_t)15;
}

static void begin(lope_gait *gait, const lope_terrain *terrain)
{
    gait->yaw = gait->def.at.yaw;
    gait->origin = gait->feet[0].anchor;
    gait->version = terrain ? lope_terrain_version(terrain) : 0;
    gait->control = (lope_gait_control){LOPE_GAIT_STAND, gait->yaw, 0.0f};
    gait_rest_weights(gait, 0, gait->yaw, gait->step.to);
    gait_pelvis_stand(gait);
    for (int i = 0; i < GAIT_PAST; i++) // nothing moved before
        gait_show(gait, 0.0f);
}

lope_status lope_gait_init(void *memory, const lope_rings *rings, const lope_terrain *terrain, const lope_gait_def *def,
                           lope_gait **out, lope_error *error)
{
    assert(memory && rings && def && out);
    *out = NULL;
    int rest = lope_rings_find(rings, LOPE_RING_REST);
    if (rest < 0 || lope_rings_of_mode(rings, LOPE_GAIT_WALK) < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "the rings hold no walk or no rest");
    lope_status status = check(def, error);
    if (status)
        return status;
    size_t joints = (size_t)rings->skeleton->joint_count;
    lope_gait *gait = memory;
    memset(gait, 0, lope_gait_size(rings));
    gait->rings = rings;
    gait->def = *def;
    gait->rotations = (lope_quat *)(void *)(gait + 1);
    gait->slots = gait->rotations + joints;
    gait->pose = (lope_pose){.joint_count = rings->skeleton->joint_count, .rotations = gait->rotations};
    gait->ring = rest;
    gait->standing = true;
    gait->root_dt = -1.0f;
    gait->pace = 1.0f;
    if (!stand(gait, terrain))
        return lope_fail(error, LOPE_NOT_FOUND, "no ground for two feet at x %g, z %g below height %g",
                         (double)def->at.x, (double)def->at.z, (double)def->above);
    begin(gait, terrain);
    *out = gait;
    return LOPE_OK;
}

lope_status lope_gait_create(const lope_rings *rings, const lope_terrain *terrain, const lope_gait_def *def,
                             lope_gait **out, lope_error *error)
{
    assert(rings && def && out);
    *out = NULL;
    void *memory = lope_alloc_zero(lope_gait_size(rings));
    if (!memory)
        return lope_fail_memory(error);
    lope_status status = lope_gait_init(memory, rings, terrain, def, out, error);
    if (status)
        lope_free(memory);
    return status;
}

void lope_gait_destroy(lope_gait *gait)
{
    lope_free(gait);
}

// ---- stepping

enum { LAST_LOOKS = 8 }; // where a search has to end in this frame

static lope_gait_control sane_control(const lope_gait *gait, const lope_gait_control *control)
{
    lope_gait_control c = *control;
    if (!isfinite(c.direction))
        c.direction = gait->yaw;
    c.direction = lope_wrap_angle(c.direction);
    c.stride = c.stride > 0.0f ? smaller(c.stride, 10.0f) : 0.0f;
    if ((int)c.mode < LOPE_GAIT_STAND || (int)c.mode > LOPE_GAIT_OWN + gait->rings->count)
        c.mode = LOPE_GAIT_STAND;
    if (c.mode == LOPE_GAIT_RUN && lope_rings_find(gait->rings, LOPE_RING_RUN) < 0)
        c.mode = LOPE_GAIT_WALK;
    return c;
}

static bool same_control(const lope_gait_control *a, const lope_gait_control *b)
{
    return a->mode == b->mode &&
           (a->mode == LOPE_GAIT_STAND ||
            (fabsf(lope_wrap_angle(a->direction - b->direction)) < 0.03f && fabsf(a->stride - b->stride) < 0.02f));
}

// Another place for the step that is on its way, or one that ends it; where there is none, it stays as it is.
static void plan_again(lope_gait *gait, const lope_terrain *terrain)
{
    lope_gait_control control = gait->control, stop = {LOPE_GAIT_STAND, control.direction, 0.0f};
    gait_search found = gait_plan(gait, terrain, &control, true);
    for (int more = 0; more < LAST_LOOKS && found == GAIT_MORE; more++)
        found = gait_plan(gait, terrain, &control, false);
    if (found != GAIT_FOUND && gait_plan(gait, terrain, &stop, true) == GAIT_FOUND)
        gait->closing = gait->refused = true;
}

// Feet that stand move with the ground where it changed; the body follows.
static void follow_ground(lope_gait *gait, const lope_terrain *terrain)
{
    uint64_t version = terrain ? lope_terrain_version(terrain) : 0, since = gait->version;
    if (version == since)
        return;
    gait->version = version;
    lope_vec3 low = lope_v3(gait->origin.x - 1.5f, gait->origin.y - 1.5f, gait->origin.z - 1.5f);
    lope_vec3 high = lope_v3(gait->origin.x + 1.5f, gait->origin.y + 1.5f, gait->origin.z + 1.5f);
    if (!terrain || !lope_terrain_changed(terrain, since, low, high))
        return;
    gait->held = gait->stuck = false;
    gait->wary = !gait->standing;
    for (int side = 0; side < 2; side++) {
        gait_foot *foot = &gait->feet[side];
        lope_vec3 from = foot->anchor, point, normal;
        from.y += 0.5f;
        if (!foot->planted || !gait_ground_below(terrain, NULL, from, 1.0f, &point, &normal))
            continue;
        lope_vec3 forward = lope_quat_rotate(foot->plant, lope_v3(0.0f, 0.0f, 1.0f));
        if (side == gait->track) {
            gait_root_add(gait, (gait_end){.place = {0.0f, gait->origin.y - point.y, 0.0f}}, (gait_end){0});
            gait->origin = point;
        }
        gait_foot_place(&gait->rings->legs[side], foot, point, normal, gait_plant_of(forward, normal));
    }
    if (gait->standing) {
        lope_vec3 was = gait->step.pelvis.to.place;
        gait_pelvis_stand(gait);
        gait_root_add(gait, (gait_end){.place = lope_v3_sub(was, gait->step.pelvis.to.place)}, (gait_end){0});
    }
    if (!gait->standing && gait->step.planned && gait->frame < 0.6f * (float)gait_ring(gait)->head->frames)
        plan_again(gait, terrain);
}

static float mixed(const float *values, const float *weights, uint32_t samples)
{
    float sum = 0.0f;
    for (uint32_t s = 0; s < samples; s++)
        sum += weights[s] * values[s];
    return sum;
}

// Feet leave when the motion says so, or when the leg cannot hold them any longer.
static void release_feet(lope_gait *gait, const lope_terrain *terrain)
{
    const ring_head *h = gait_ring(gait)->head;
    int trailing = 1 - gait->track;
    float end = (float)h->frames;
    float lift = larger(0.5f, smaller(mixed(h->lift[gait->track], gait->weights, h->samples), 0.6f * end));
    // Or a little before, when in the motion it rises from where it stands, or the leg has pushed off as far as it can.
    gait_foot *foot = &gait->feet[trailing];
    bool rises = gait->frame > 0.4f * lift && foot->pitch > 0.15f &&
                 (gait_foot_rises(gait, trailing) > 0.12f || foot->push > 0.05f);
    if (foot->planted && gait->step.planned && (gait->frame >= lift || rises)) {
        if (terrain && gait->frame < foot->lift_from - 1.0f && gait->step.todo == GAIT_NOTHING)
            gait->step.todo = GAIT_RAISE; // earlier than thought: what lies in its way from here on?
        gait_foot_release(gait, trailing);
    }
    // A walking body stands on one foot at least, whatever noise or weights beyond the samples say.
    float off = mixed(h->off[gait->track], gait->weights, h->samples);
    if (h->kind != LOPE_RING_WALK && gait->feet[gait->track].planted && off < end - 1.0f && gait->frame >= off)
        gait_foot_release(gait, gait->track);
}

static bool both_stand(const lope_gait *gait)
{
    return gait->feet[0].planted && gait->feet[1].planted;
}

// Looks for the step that begins. Where there is none, the character stops as it stands.
static void plan_step(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control)
{
    const ring_head *h = gait_ring(gait)->head;
    lope_gait_control stop = {LOPE_GAIT_STAND, control->direction, 0.0f};
    gait_search found = gait_plan(gait, terrain, gait->halting ? &stop : control, false);
    // A foot that stands waits until it would leave; one in the air (runs) has until the middle of its swing.
    float lift = mixed(h->lift[gait->track], gait->weights, h->samples);
    float latest = both_stand(gait) ? lift - 1.5f + (gait->halting ? 4.0f : 0.0f) : 0.35f * (float)h->frames;
    if (found == GAIT_MORE && gait->frame < latest)
        return;
    for (int more = 0; more < LAST_LOOKS && found == GAIT_MORE; more++) // rather a slow frame than a stop
        found = gait_plan(gait, terrain, gait->halting ? &stop : control, false);
    gait->control = *control;
    gait->closing = gait->halting || control->mode == LOPE_GAIT_STAND;
    if (found == GAIT_FOUND)
        return;
    if (both_stand(gait)) {
        gait->refused = control->mode != LOPE_GAIT_STAND;
        if (gait->halting || !gait->refused) {
            gait_enter_rest(gait);
        } else { // bring the feet together, if there is a place for that
            gait->halting = true;
            memset(gait->step.tried, 0, sizeof gait->step.tried);
        }
        return;
    }
    // One foot is in the air: any ground will do, and then rest.
    found = gait_plan(gait, terrain, &stop, true);
    if (found != GAIT_FOUND)
        gait_plan_beside(gait);
    gait->closing = true;
    gait->refused = control->mode != LOPE_GAIT_STAND;
}

static int wanted_ring(const lope_gait *gait, const lope_gait_control *control)
{
    // Who is to stand walks to the end of its step; in a motion of its own it stays in that.
    bool stays = control->mode == LOPE_GAIT_STAND && gait_ring(gait)->head->kind == LOPE_RING_OWN;
    return stays ? gait->ring : lope_rings_of_mode(gait->rings, control->mode);
}

// It hesitates while it looks for a place, and takes its time for a step that is unlike the last; but never suddenly: a
// critically damped spring.
// Shares of samples exchanged from step to step that make it no slower, and as slow as it gets: by CARE.
static const float CARELESS = 0.25f, CAREFUL = 0.80f, CARE = 0.36f;

static float pace(lope_gait *gait, float dt)
{
    const float stiff = 12.0f;
    float care = gait->strikes < gait->hurry_until ? 0.0f : gait->step.care;
    float wanted = 1.0f - CARE * larger(0.0f, smaller((care - CARELESS) / (CAREFUL - CARELESS), 1.0f));
    if (!gait->step.planned && gait->frame > 0.0f)
        wanted = gait->halting ? 0.4f : smaller(wanted, 0.75f);
    float pull = stiff * stiff * (wanted - gait->pace) - 2.0f * stiff * gait->pace_speed;
    gait->pace_speed += pull * dt;
    gait->pace = larger(0.3f, smaller(gait->pace + gait->pace_speed * dt, 1.1f));
    return gait->pace;
}

static void step_gait(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, float dt)
{
    float end = (float)gait_ring(gait)->head->frames, rate = larger(gait->rate, 5.0f);
    if (!gait->step.planned)
        plan_step(gait, terrain, control);
    else if (gait->step.todo)
        gait_plan_on(gait, terrain);
    else if (gait->ring != wanted_ring(gait, control))
        gait_change_ring(gait, terrain, control, wanted_ring(gait, control));
    else if (!gait->refused && gait->frame < 0.58f * end &&
             (gait->searching || !same_control(control, &gait->control))) {
        // The stick moved: another step is looked for, if need be over several frames, and taken up where one is found.
        bool anew = !gait->searching || !same_control(control, &gait->control);
        gait_search found = gait_plan(gait, terrain, control, anew);
        gait->searching = found == GAIT_MORE;
        gait->control = *control;
        if (found == GAIT_FOUND)
            gait->closing = control->mode == LOPE_GAIT_STAND;
    }
    if (gait->standing || gait->blocked)
        return;
    rate *= pace(gait, dt);
    gait->frame += rate * dt;
    end = (float)gait_ring(gait)->head->frames;
    if (gait->frame < end) {
        release_feet(gait, terrain);
        return;
    }
    float over = gait->frame - end;
    if (!gait->step.planned) { // cannot be: a step without a place is refused long before
        gait->frame = end;
        return;
    }
    float after = smaller(over / rate, dt);
    gait_strike_now(gait, dt - after, after);
    gait->frame = smaller(over, 2.0f);
    if (gait->closing) {
        gait->closing = false;
        if (gait_ring(gait)->head->kind != LOPE_RING_RUN || gait->refused) {
            gait->frame -= rate * dt; // from where it was shown, but in the new track
            gait_foot_settle(gait);
            gait_show(gait, 0.0f);
            gait_enter_rest(gait);
        }
    }
}

// Looks for a step back, if need be over several frames; whatever comes of it, a start is looked for from the beginning
// after that.
static void step_back(lope_gait *gait, const lope_terrain *terrain, float direction, bool anew)
{
    gait->backing = gait_step_back(gait, terrain, direction, anew) == GAIT_MORE;
    if (gait->backing)
        return;
    memset(gait->start_tried, 0, sizeof gait->start_tried);
    gait->start_over[0] = gait->start_over[1] = false;
}

// Whether it has got ahead since it was refused, or wants to go elsewhere: `wanted` is no look to the side.
static bool has_got_on(const lope_gait *gait, float direction, bool wanted)
{
    const double on = 0.5;    // metres
    const float other = 1.0f; // radians
    lope_vec3 since = lope_v3_sub(gait->origin, gait->refused_at);
    double way = (double)gait->refused_way, ahead = (double)since.x * lope_sin(way) + (double)since.z * lope_cos(way);
    return ahead > on || (wanted && fabsf(lope_wrap_angle(direction - gait->refused_way)) > other);
}

// Nothing leads on from here. From a walk, what is wanted is tried again from the stance it ended in, but for a walk
// that was such a try; where no start is found, looks around are next. Once there are none left it is stuck.
static void hold(lope_gait *gait, float direction, bool walked)
{
    bool wanted = gait->straight && gait->strikes >= gait->look_until;
    bool anew = !gait->held || has_got_on(gait, direction, wanted);
    if (anew) {
        gait->held = true;
        gait->looks = gait->look_until = 0;
        gait->refused_at = gait->origin;
        gait->refused_way = direction;
    }
    gait->straight = walked && (anew || gait->looked);
    gait->stuck = !gait->straight && gait->looks >= GAIT_LOOKS;
    gait->stuck_way = NAN;
}

static void let_go(lope_gait *gait)
{
    gait->held = gait->stuck = false;
    gait->look_until = 0;
}

void lope_gait_avoid(lope_gait *gait, const lope_gait_disc *discs, int count)
{
    const float moved = 0.1f; // metres
    int kept = count < LOPE_GAIT_DISCS ? count : LOPE_GAIT_DISCS;
    assert(gait && count >= 0 && (discs || count == 0));
    bool same = kept == gait->disc_count;
    for (int i = 0; i < kept && same; i++)
        same = lope_v3_distance(discs[i].centre, gait->discs[i].centre) < moved;
    if (same && gait->stuck)
        return; // what it is stuck by is still there
    if (gait->stuck)
        let_go(gait);
    if (kept)
        memcpy(gait->discs, discs, (size_t)kept * sizeof *discs);
    gait->disc_count = kept;
}

// What came of a start.
static void count_start(lope_gait *gait, bool found, float direction)
{
    bool looks = gait->held && !gait->straight && gait->strikes >= gait->look_until && gait->looks < GAIT_LOOKS;
    if (found) {
        gait->looked = looks || gait->strikes < gait->look_until;
        if (looks)
            gait->look_until = gait->strikes + gait_look_for(gait->looks).steps;
        gait->straight = true;
    }
    gait->looks += looks;
    if (!found) {
        gait->look_until = 0;
        hold(gait, direction, false);
    }
}

// Whether there is no use in trying: everything was tried, and what is wanted is still the same.
static bool is_stuck(lope_gait *gait, float direction)
{
    const float other = 0.3f; // radians
    if (gait->stuck && isnan(gait->stuck_way))
        gait->stuck_way = direction;
    if (gait->stuck && fabsf(lope_wrap_angle(direction - gait->stuck_way)) > other)
        let_go(gait);
    return gait->stuck;
}

static void step_standing(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, float dt)
{
    float end = (float)gait_ring(gait)->head->frames;
    gait->frame += larger(gait->rate, 1.0f) * dt;
    if (gait->frame >= end)
        gait->frame -= end;
    if (control->mode == LOPE_GAIT_STAND) {
        gait->refused = gait->backing = gait->ended = false;
        let_go(gait);
        gait->since_try = 1.0f;
        return;
    }
    if (gait->backing) {
        step_back(gait, terrain, control->direction, false);
        return;
    }
    gait->since_try += dt;
    if (gait->ended)
        hold(gait, control->direction, true);
    gait->ended = false;
    if (is_stuck(gait, control->direction))
        return;
    if (gait->fade.active || gait->since_try < (gait->refused ? 0.25f : 0.02f))
        return;
    gait_search found = gait_start(gait, terrain, control);
    gait->refused = found == GAIT_NONE;
    if (found != GAIT_MORE)
        count_start(gait, found == GAIT_FOUND, control->direction);
    if (found == GAIT_NONE) { // look again in a while: ground and wishes change
        gait->since_try = 0.0f;
        step_back(gait, terrain, control->direction, true);
    }
}

void lope_gait_step(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, float dt)
{
    assert(gait && control);
    if (!(dt > 0.0f))
        return;
    dt = smaller(dt, 0.1f);
    lope_gait_control c = sane_control(gait, control);
    int strikes = gait->strikes;
    follow_ground(gait, terrain);
    gait->blocked = terrain && gait->wary && gait_body_blocked(gait, terrain);
    if (gait->standing)
        step_standing(gait, terrain, &c, dt);
    else
        step_gait(gait, terrain, &c, dt);
    gait_show(gait, dt);
    if (gait->strikes != strikes)
        gait->last.by_ik = gait->missed[gait->last.side];
}

typedef struct many {
    lope_gait *const *gaits;
    const lope_gait_control *controls;
    const lope_terrain *terrain;
    float dt;
    int count;
} many;

enum { BATCH = 32 };

static void step_batch(void *user, int index, int thread)
{
    const many *m = user;
    (void)thread;
    for (int i = index * BATCH; i < m->count && i < (index + 1) * BATCH; i++)
        lope_gait_step(m->gaits[i], m->terrain, &m->controls[i], m->dt);
}

void lope_gait_step_many(lope_gait *const *gaits, const lope_gait_control *controls, int count,
                         const lope_terrain *terrain, float dt, lope_jobs *jobs)
{
    many m = {gaits, controls, terrain, dt, count};
    lope_jobs_run(jobs, (count + BATCH - 1) / BATCH, step_batch, &m);
}

// ---- asking

const lope_pose *lope_gait_pose(const lope_gait *gait)
{
    return &gait->pose;
}

uint16_t lope_gait_contacts(const lope_gait *gait)
{
    return gait->contacts;
}

lope_ground lope_gait_ground(const lope_gait *gait)
{
    float yaw = gait_yaw_at(gait, gait->frame);
    if (!gait->standing)
        yaw += ring_bias(gait_ring(gait), gait->track, gait->weights);
    return (lope_ground){gait->pose.root.x, gait->pose.root.z, lope_wrap_angle(yaw)};
}

lope_gait_state lope_gait_state_of(const lope_gait *gait)
{
    float end = (float)gait_ring(gait)->head->frames;
    bool open = gait->standing || gait->frame < 0.5f * end;
    return (lope_gait_state){.ring = gait->ring,
                             .frame = gait->frame + (gait->standing ? 0.0f : (float)gait->track * end),
                             .support = (lope_side)gait->track,
                             .standing = gait->standing,
                             .refused = gait->refused,
                             .stuck = gait->stuck,
                             .blocked = gait->blocked,
                             .strikes = gait->strikes,
                             .last = gait->last,
                             .next = gait->step.strike,
                             .wait = open ? 0.0f : (end - gait->frame) / larger(gait->rate, 1.0f)};
}
