// SPDX-License-Identifier: MIT
// The path of a foot. On the ground it rolls: about the heel until the sole is flat, then about the ball; whatever
// touches is a fixed point that the ankle is hung from, so it cannot slide. In the air the same construction goes on:
// the pivot wanders from the ball to the heel while its place in the world travels to the next hold.
#include "synth/gait.h"

static const double PIVOT_BEGIN = 0.2, PIVOT_END = 0.85; // of the swing: when the pivot wanders
static const double TOES_FREE = 0.85;                    // of the swing: bent toes are straight again
static const double TOES_READY = 0.4;                    // of the swing: toes that land first begin to bend again
static const double CLIMB_RISE = 0.6; // of the swing: a foot stepping up is at its new height by then
static const double CLIMB_WAIT = 0.2; // of the swing: before it goes ahead

static lope_vec3 heel_point(const synth_body *body)
{
    return lope_v3(0.0f, -body->ankle_height, -body->heel_back);
}

static lope_vec3 ball_point(const synth_body *body)
{
    return lope_v3(0.0f, -body->ankle_height, body->ball_forward);
}

static lope_quat pitched(lope_quat ground, double pitch)
{
    return lope_quat_mul(ground, lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), (float)pitch));
}

// Hangs the ankle so that the foot's point `pivot` is at `place`.
static lope_transform hang(lope_quat rotation, lope_vec3 pivot, lope_vec3 place)
{
    lope_transform ankle = {rotation, lope_v3_sub(place, lope_quat_rotate(rotation, pivot))};
    return ankle;
}

// Where a point of the flat foot lies while the hold lasts.
static lope_vec3 held_place(const synth_body *body, const synth_hold *hold, lope_vec3 point)
{
    point.y += body->ankle_height;
    return lope_v3_add(hold->sole, lope_quat_rotate(hold->ground, point));
}

static lope_vec3 arriving_point(const synth_body *body, const synth_hold *hold)
{
    return hold->gait->arrive > 0.0f ? ball_point(body) : heel_point(body);
}

static lope_vec3 departing_point(const synth_body *body, const synth_hold *hold)
{
    return hold->depart < 0.0f ? heel_point(body) : ball_point(body);
}

static synth_state departing_state(const synth_hold *hold)
{
    return (synth_state){(double)hold->depart, (double)hold->depart_speed, 0.0};
}

// The foot is already rolling down when it strikes.
static synth_state arriving_state(const synth_hold *hold)
{
    double arrive = (double)hold->gait->arrive;
    return (synth_state){arrive, -0.5 * arrive / (hold->flat - hold->strike), 0.0};
}

static uint16_t bits_of(lope_side side, bool heel, bool toe)
{
    unsigned bits = (heel ? LOPE_CONTACT_LEFT_HEEL : 0u) | (toe ? LOPE_CONTACT_LEFT_TOE : 0u);
    return (uint16_t)(side == LOPE_LEFT ? bits : bits << 2);
}

static void foot_on_ground(const synth_body *body, const synth_hold *hold, double time, synth_foot *foot,
                           uint16_t *contacts)
{
    bool heel = true, toe = true;
    double pitch = 0.0;
    lope_vec3 pivot = ball_point(body);
    if (time < hold->flat) {
        heel = hold->gait->arrive <= 0.0f;
        toe = hold->gait->arrive >= 0.0f;
        synth_state to = {0.0, 0.0, 0.0};
        pitch = synth_quintic(arriving_state(hold), to, hold->flat - hold->strike, time - hold->strike);
        pivot = arriving_point(body, hold);
    } else if (time > hold->rise) {
        heel = hold->depart <= 0.0f;
        toe = hold->depart >= 0.0f;
        synth_state from = {0.0, 0.0, 0.0};
        pitch = synth_quintic(from, departing_state(hold), hold->leave - hold->rise, time - hold->rise);
        pivot = departing_point(body, hold);
    }
    foot->ankle = hang(pitched(hold->ground, pitch), pivot, held_place(body, hold, pivot));
    foot->toe_bend = (float)fmax(pitch, 0.0);
    *contacts |= bits_of(hold->side, heel, toe);
}

// How far the height has changed at `u`: a foot that climbs rises before it goes ahead, one that steps down falls last.
static double height_progress(const synth_gait *gait, double u, double change, double climb)
{
    double up = (double)gait->speed_up, down = (double)gait->slow_down;
    double shifted = change > 0.0 ? u / CLIMB_RISE : (u - 1.0 + CLIMB_RISE) / CLIMB_RISE;
    double even = synth_cruise(u, up, down);
    return even + climb * (synth_cruise(shifted, up, down) - even);
}

// How far the foot has gone ahead at `u`: away from a riser only after it has risen, and early over an edge.
static double way_progress(const synth_gait *gait, double u, double change, double climb)
{
    double up = (double)gait->speed_up, down = (double)gait->slow_down;
    double shifted = (change > 0.0 ? u - CLIMB_WAIT : u) / (1.0 - CLIMB_WAIT);
    double even = synth_cruise(u, up, down);
    return even + climb * (synth_cruise(shifted, up, down) - even);
}

static void foot_in_air(const synth_body *body, const synth_hold *from, const synth_hold *to, double time,
                        synth_foot *foot)
{
    double duration = to->strike - from->leave, u = (time - from->leave) / duration;
    double pitch = synth_quintic(departing_state(from), arriving_state(to), duration, time - from->leave);
    lope_quat ground = lope_quat_slerp(from->ground, to->ground, (float)synth_ease(u));
    lope_vec3 first = departing_point(body, from), last = arriving_point(body, to);
    double wander = synth_ease((u - PIVOT_BEGIN) / (PIVOT_END - PIVOT_BEGIN));
    lope_vec3 pivot = lope_v3_lerp(first, last, (float)wander);
    lope_vec3 start = held_place(body, from, first), goal = held_place(body, to, last);
    double change = (double)(goal.y - start.y), climb = (double)fmaxf(from->gait->climb, to->gait->climb);
    lope_vec3 place = lope_v3_lerp(start, goal, (float)way_progress(to->gait, u, change, climb));
    double bump = from->lift * synth_bump(u, from->gait->lift_rise, from->gait->lift_fall);
    bump += (double)to->gait->carry * synth_bump(u, 16, 3);
    place.y = (float)((double)start.y + change * height_progress(to->gait, u, change, climb) + bump);
    foot->ankle = hang(pitched(ground, pitch), pivot, place);
    double straight = from->depart > 0.0f ? synth_ease(u / TOES_FREE) : 1.0;
    if (to->gait->arrive > 0.0f)
        straight *= 1.0 - synth_ease((u - TOES_READY) / (1.0 - TOES_READY));
    foot->toe_bend = (float)(fmax(pitch, 0.0) * (1.0 - straight));
}

void synth_foot_at(const synth_plan *plan, lope_side side, double time, synth_foot *foot, uint16_t *contacts)
{
    int current = plan->holds[0].side == side ? 0 : 1;
    while (current + 2 < plan->count && plan->holds[current + 2].strike <= time)
        current += 2;
    const synth_hold *hold = &plan->holds[current];
    double turned = 1.0;
    const synth_hold *next = hold;
    if (time <= hold->leave || current + 2 >= plan->count) {
        foot_on_ground(plan->body, hold, fmin(time, hold->leave), foot, contacts);
    } else {
        next = &plan->holds[current + 2];
        foot_in_air(plan->body, hold, next, time, foot);
        turned = synth_ease((time - hold->leave) / (next->strike - hold->leave));
    }
    double yaw = (double)hold->yaw + (double)(next->yaw - hold->yaw) * turned;
    foot->knee_towards = lope_v3((float)lope_sin(yaw), 0.0f, (float)lope_cos(yaw));
}

void synth_sole_points(const synth_body *body, const synth_foot *foot, lope_vec3 out[3])
{
    lope_quat toes = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), -foot->toe_bend);
    lope_vec3 ball = ball_point(body);
    lope_vec3 tip = lope_v3_add(ball, lope_quat_rotate(toes, lope_v3(0.0f, 0.0f, body->toe_length)));
    out[0] = lope_transform_point(foot->ankle, heel_point(body));
    out[1] = lope_transform_point(foot->ankle, ball);
    out[2] = lope_transform_point(foot->ankle, tip);
}

// Height of the lowest part of the sole over the ground, less what is asked for, over one swing.
static double swing_slack(const synth_plan *plan, int index)
{
    const synth_hold *from = &plan->holds[index], *to = &plan->holds[index + 2];
    double least = 1.0;
    const int samples = 40;
    for (int i = 1; i < samples; i++) {
        double u = (double)i / samples;
        synth_foot foot;
        foot_in_air(plan->body, from, to, from->leave + u * (to->strike - from->leave), &foot);
        lope_vec3 points[3];
        synth_sole_points(plan->body, &foot, points);
        double wanted = (double)from->gait->clearance * synth_bump(u, 3, 4);
        for (int p = 0; p < 3; p++) {
            double ground = synth_ground_height(&plan->curve, (double)points[p].x, (double)points[p].z);
            least = fmin(least, (double)points[p].y - ground - wanted);
        }
    }
    return least;
}

void synth_plan_swings(synth_plan *plan)
{
    const double highest = 0.35, step = 0.005;
    // On a bending ramp the ground is not quite a plane; no lift helps against that.
    double tolerance = plan->curve.terrain == SYNTH_SLOPE ? 8e-4 : 2e-4;
    for (int i = 0; i + 2 < plan->count; i++) {
        synth_hold *hold = &plan->holds[i];
        hold->lift = (double)hold->gait->lift * (double)fmaxf(hold->vigour, plan->holds[i + 2].vigour);
        while (hold->lift < highest && swing_slack(plan, i) < -tolerance)
            hold->lift += step;
    }
}
