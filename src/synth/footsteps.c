// SPDX-License-Identifier: MIT
// Footsteps: where and when the feet stand. A course is walked in one go with steps to spare before and after what is
// recorded, so that clips begin and end in full motion, at the strike of the left foot, in the same pose.
#include "synth/gait.h"

#include <assert.h>

enum { RUN_UP = 4 };                    // steps before the first recorded one, and after the last
static const double REST = 0.3;         // seconds of standing at the beginning of a start and the end of a stop
static const double SHIFT_WEIGHT = 0.4; // seconds from rest to the first foot leaving
static const double SETTLE = 0.5;       // seconds from the last strike to rest
static const double GRAVITY = 9.81;

// A step out of the stance, or the one that closes it: small and flat.
static const synth_gait SHORT_STEP = {.step_length = 0.4f,
                                      .step_time = 0.55f,
                                      .width = 0.12f,
                                      .overlap = 0.24f,
                                      .flat = 0.2f,
                                      .rise = 0.5f,
                                      .arrive = -0.12f,
                                      .depart = 0.55f,
                                      .depart_speed = 2.0f,
                                      .lift = 0.05f,
                                      .clearance = 0.02f,
                                      .speed_up = 0.34f,
                                      .slow_down = 0.42f,
                                      .lift_rise = 3,
                                      .lift_fall = 4,
                                      .knee = 0.2f,
                                      .bob = 0.02f,
                                      .sway = 0.45f,
                                      .list = 0.05f,
                                      .twist = 0.05f,
                                      .tilt = 0.03f,
                                      .shoulders = 1.6f,
                                      .arms = 0.2f,
                                      .elbow = 0.25f,
                                      .elbow_swing = 0.3f};

// Puts a foot at `along` and `across` (to the left) of a ground frame.
static void place_hold(synth_hold *hold, lope_ground frame, double across, double along)
{
    double c = lope_cos((double)frame.yaw), s = lope_sin((double)frame.yaw);
    hold->sole = lope_v3((float)((double)frame.x + across * c + along * s), 0.0f,
                         (float)((double)frame.z - across * s + along * c));
    hold->heading = frame.yaw;
    hold->ground = lope_quat_yaw(hold->yaw);
}

static double outwards(lope_side side)
{
    return side == LOPE_LEFT ? 1.0 : -1.0;
}

static void place_in_stance(const synth_plan *plan, synth_hold *hold, lope_ground frame)
{
    hold->yaw = frame.yaw + (float)outwards(hold->side) * synth_stance_toe_out(plan->take);
    place_hold(hold, frame, outwards(hold->side) * (double)synth_stance_half_width(plan->body, plan->take),
               -(double)synth_stance_back());
}

static lope_ground curve_frame(const synth_curve *curve, double s)
{
    double x, z;
    synth_curve_place(curve, s, &x, &z);
    return (lope_ground){(float)x, (float)z, (float)synth_curve_heading(curve, s)};
}

// The sole lies on the surface spanned by the curve's rise and the level line across it.
static lope_quat on_slope(double yaw, double heading, double slope)
{
    lope_vec3 normal = lope_v3((float)(-slope * lope_sin(heading)), 1.0f, (float)(-slope * lope_cos(heading)));
    normal = lope_v3_normalize(normal, lope_v3(0.0f, 1.0f, 0.0f));
    lope_vec3 ahead = lope_v3((float)lope_sin(yaw), 0.0f, (float)lope_cos(yaw));
    lope_vec3 x = lope_v3_normalize(lope_v3_cross(normal, ahead), lope_v3(1.0f, 0.0f, 0.0f));
    return lope_quat_from_axes(x, normal, lope_v3_cross(x, normal));
}

static void place_on_curve(const synth_plan *plan, synth_hold *hold, double s, double speed)
{
    const synth_curve *curve = &plan->curve;
    double side = outwards(hold->side), across = 0.5 * (double)(hold->gait->width * plan->take->width) * side;
    const double look_ahead = 0.08; // feet point to where the middle of the foot will be
    hold->yaw = (float)(synth_curve_heading(curve, s + look_ahead) + side * (double)(0.1f + plan->take->toe_out));
    place_hold(hold, curve_frame(curve, s), across, 0.0);
    double slope = synth_curve_slope(curve, s) / (1.0 - across * synth_curve_bend(curve, s));
    hold->sole.y = (float)synth_curve_height(curve, s);
    if (slope != 0.0)
        hold->ground = on_slope((double)hold->yaw, (double)hold->heading, slope);
    double lean = lope_atan2(speed * speed * synth_curve_bend(curve, s), GRAVITY);
    hold->lean = (float)fmax(-0.25, fmin(0.25, lean));
}

static synth_hold *add_hold(synth_plan *plan, lope_side side, const synth_gait *gait)
{
    assert(plan->count < SYNTH_MAX_HOLDS);
    synth_hold *hold = &plan->holds[plan->count++];
    *hold = (synth_hold){.side = side, .gait = gait, .vigour = 1.0f, .strike = -HUGE_VAL, .flat = -HUGE_VAL};
    hold->rise = hold->leave = HUGE_VAL;
    return hold;
}

void synth_time_holds(synth_plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        synth_hold *hold = &plan->holds[i];
        double step = (double)(hold->gait->step_time / plan->take->tempo);
        const synth_gait *following = plan->holds[i + 1 < plan->count ? i + 1 : i].gait;
        hold->depart = following->depart;
        hold->depart_speed = following->depart_speed;
        if (isfinite(hold->strike))
            hold->flat = hold->strike + (double)hold->gait->flat * step;
        if (i + 2 >= plan->count && plan->stops)
            continue;
        if (i + 1 < plan->count && isfinite(plan->holds[i + 1].strike)) {
            const synth_hold *next = &plan->holds[i + 1];
            double overlap = 0.5 * (double)(hold->gait->overlap + next->gait->overlap);
            hold->leave = next->strike + overlap * (double)(next->gait->step_time / plan->take->tempo);
        } else if (i + 1 == plan->count) {
            hold->leave = hold->strike + (1.0 + (double)hold->gait->overlap) * step;
        }
        if (isfinite(hold->leave)) {
            double stay = hold->leave - (isfinite(hold->strike) ? hold->strike : hold->leave - step);
            hold->rise = hold->leave - stay * (1.0 - (double)(hold->gait->rise / (1.0f + hold->gait->overlap)));
        }
    }
}

// Working state while the steps of a course are counted out along its curve.
typedef struct walker {
    synth_plan *plan;
    const synth_course *course;
    double s, time;
    int first;                       // hold that the record begins with
    int terrain_first, terrain_last; // holds on the ramp or stairs
    double places[SYNTH_MAX_HOLDS];
} walker;

static bool on_terrain(const walker *w, int index)
{
    return w->course->terrain != SYNTH_FLAT && index >= w->terrain_first && index <= w->terrain_last;
}

static const synth_gait *gait_of(const walker *w, int index)
{
    if (w->course->next_gait && index >= w->terrain_first)
        return w->course->next_gait;
    return on_terrain(w, index) ? w->course->terrain_gait : w->course->gait;
}

// Sharp bends shorten the step.
static double step_length(const walker *w, const synth_gait *gait)
{
    double bend = fabs(synth_curve_bend(&w->plan->curve, w->s + 0.5 * (double)gait->step_length));
    return (double)(gait->step_length * w->plan->take->stride) / (1.0 + 0.35 * bend);
}

// Where on a tread the ankle stands, from the tread's back edge: the whole foot on it going up, toes over the edge
// going down a narrow one.
static double ankle_on_tread(const walker *w)
{
    const synth_body *body = w->plan->body;
    double foot = (double)(body->heel_back + body->ball_forward + body->toe_length);
    double spare = (double)w->course->tread - foot;
    double back = w->course->riser > 0.0f ? fmax(0.4 * spare, 0.0) : fmax(0.5 * spare, 0.025);
    return (double)body->heel_back + back;
}

// The step from flat ground onto terrain also says where the terrain begins: between the feet.
static double step_onto_terrain(walker *w, double flat_length)
{
    synth_curve *curve = &w->plan->curve;
    const synth_body *body = w->plan->body;
    double tip = (double)(body->ball_forward + body->toe_length);
    if (w->course->terrain == SYNTH_STAIRS) {
        curve->terrain_begin = w->s + tip + (w->course->riser > 0.0f ? 0.06 : 0.0);
        return curve->terrain_begin + ankle_on_tread(w) - w->s;
    }
    double length = 0.5 * (flat_length + step_length(w, w->course->terrain_gait));
    curve->terrain_begin = w->s + 0.5 * (length + tip - (double)body->heel_back);
    return length;
}

// The step off the terrain says where a ramp ends: between the feet.
static double step_off_terrain(walker *w, double flat_length)
{
    synth_curve *curve = &w->plan->curve;
    const synth_body *body = w->plan->body;
    if (w->course->terrain == SYNTH_STAIRS)
        return 0.4 * flat_length + 0.6 * (double)w->course->tread;
    double tip = (double)(body->ball_forward + body->toe_length);
    double length = 0.5 * (flat_length + step_length(w, w->course->terrain_gait));
    curve->terrain_length = w->s + 0.5 * (length + tip - (double)body->heel_back) - curve->terrain_begin;
    return length;
}

static double next_step(walker *w, int index)
{
    double here = step_length(w, gait_of(w, index)), before = step_length(w, gait_of(w, index - 1));
    bool terrain = w->course->terrain != SYNTH_FLAT, stairs = w->course->terrain == SYNTH_STAIRS;
    if (terrain && index == w->terrain_first)
        return step_onto_terrain(w, before);
    if (terrain && index == w->terrain_last + 1)
        return step_off_terrain(w, here);
    if (on_terrain(w, index))
        return stairs ? (double)w->course->tread : here;
    double slower = stairs && index == w->terrain_first - 1 ? 0.85 : 1.0; // before the first riser
    return slower * 0.5 * (here + before);
}

static void begin_standing(walker *w)
{
    synth_plan *plan = w->plan;
    plan->rest_begin = REST;
    for (int i = 0; i < 2; i++) {
        synth_hold *hold = add_hold(plan, i == 0 ? LOPE_LEFT : LOPE_RIGHT, &SHORT_STEP);
        hold->vigour = 0.0f;
    }
    double step = (double)(SHORT_STEP.step_time / plan->take->tempo);
    plan->holds[0].leave = REST + SHIFT_WEIGHT / (double)plan->take->tempo;
    w->time = plan->holds[0].leave + 0.8 * step;
    w->s = 0.0;
}

static void lay_curve(walker *w)
{
    synth_curve *curve = &w->plan->curve;
    const synth_course *course = w->course;
    *curve = (synth_curve){.terrain = course->terrain, .terrain_begin = HUGE_VAL};
    curve->slope = lope_sin((double)course->slope) / lope_cos((double)course->slope);
    curve->riser = (double)course->riser;
    curve->tread = (double)course->tread;
    curve->risers = course->terrain_steps;
    if (course->radius > 0.0f && course->terrain == SYNTH_FLAT) {
        curve->curvature = (course->turn < 0.0f ? -1.0 : 1.0) / (double)course->radius;
        curve->bend_begin = 1.5 * (double)course->gait->step_length;
        curve->bend_ramp = 0.4 * fmin(1.0, (double)course->radius);
        curve->bend_length = fabs((double)course->turn) * (double)course->radius + curve->bend_ramp;
    }
}

// With terrain, the bend is laid over it once its length is known.
static void bend_terrain(walker *w)
{
    synth_curve *curve = &w->plan->curve;
    if (w->course->radius <= 0.0f || w->course->terrain == SYNTH_FLAT)
        return;
    if (curve->terrain == SYNTH_STAIRS)
        curve->terrain_length = curve->tread * (curve->risers - 1);
    curve->curvature = (w->course->turn < 0.0f ? -1.0 : 1.0) / (double)w->course->radius;
    curve->bend_ramp = 0.5;
    curve->bend_begin = curve->terrain_begin - curve->bend_ramp;
    curve->bend_length = curve->terrain_length + 2.0 * curve->bend_ramp;
}

// Index of the hold at whose strike the record may end, once it has come: straight and flat for two steps.
static bool may_end(const walker *w, int index)
{
    const synth_curve *curve = &w->plan->curve;
    if (index < w->first + w->course->steps || (index - w->first) % 2 != 0)
        return false;
    if (w->course->terrain != SYNTH_FLAT)
        return index >= w->terrain_last + 3;
    return curve->curvature == 0.0 || w->places[index - 2] >= curve->bend_begin + curve->bend_length;
}

static void walk_on(walker *w, int count)
{
    for (int i = 0; i < count; i++) {
        synth_plan *plan = w->plan;
        int index = plan->count;
        const synth_gait *gait = gait_of(w, index);
        double step = 0.5 * (double)((gait->step_time + gait_of(w, index - 1)->step_time) / plan->take->tempo);
        bool first_step = w->course->starts && index == 2;
        w->s += next_step(w, index) * (first_step ? 0.75 : 1.0);
        w->time += first_step ? 0.0 : step;
        synth_hold *hold = add_hold(plan, plan->holds[index - 1].side == LOPE_LEFT ? LOPE_RIGHT : LOPE_LEFT, gait);
        hold->strike = w->time;
        hold->vigour = first_step ? 0.75f : 1.0f;
        w->places[index] = w->s;
    }
}

// The last two steps: a shorter one, and the other foot comes beside it.
static void end_standing(walker *w)
{
    walk_on(w, 1);
    synth_plan *plan = w->plan;
    w->s -= 0.2 * (double)(w->course->gait->step_length * plan->take->stride);
    w->places[plan->count - 1] = w->s;
    plan->holds[plan->count - 1].vigour = 0.8f;
    synth_hold *hold =
        add_hold(plan, plan->holds[plan->count - 1].side == LOPE_LEFT ? LOPE_RIGHT : LOPE_LEFT, &SHORT_STEP);
    w->time += (double)(SHORT_STEP.step_time / plan->take->tempo);
    hold->strike = w->time;
    hold->vigour = 0.4f;
    w->places[plan->count - 1] = w->s;
    plan->rest_end = w->time + SETTLE;
    plan->end = plan->rest_end + REST;
}

static void place_holds(walker *w)
{
    synth_plan *plan = w->plan;
    for (int i = 0; i < plan->count; i++) {
        synth_hold *hold = &plan->holds[i];
        int before = i > 0 ? i - 1 : 0, after = i + 1 < plan->count ? i + 1 : i;
        double speed =
            (w->places[after] - w->places[before]) / (plan->holds[after].strike - plan->holds[before].strike);
        bool standing = (plan->starts && i < 2) || (plan->stops && i >= plan->count - 2);
        if (standing)
            place_in_stance(plan, hold, curve_frame(&plan->curve, w->places[i]));
        else
            place_on_curve(plan, hold, w->places[i], speed);
    }
}

void synth_plan_course(synth_plan *plan, const synth_course *course)
{
    walker w = {.plan = plan, .course = course, .first = course->starts ? 0 : RUN_UP};
    w.terrain_first = w.first + 3;
    w.terrain_last = w.terrain_first + course->terrain_steps - 1;
    plan->starts = course->starts;
    plan->stops = course->stops;
    plan->rest_begin = -HUGE_VAL;
    plan->rest_end = HUGE_VAL;
    lay_curve(&w);
    if (course->starts) {
        begin_standing(&w);
    } else {
        // s = 0 and time 0 at the strike of the first recorded hold.
        w.s = -(double)(course->gait->step_length * plan->take->stride) * RUN_UP;
        w.time = -(double)(course->gait->step_time / plan->take->tempo) * RUN_UP;
        add_hold(plan, LOPE_LEFT, course->gait)->strike = w.time;
        w.places[0] = w.s;
    }
    do
        walk_on(&w, 1);
    while (!may_end(&w, plan->count - 1));
    plan->begin = 0.0;
    plan->end = plan->holds[plan->count - 1].strike;
    if (course->stops)
        end_standing(&w);
    else
        walk_on(&w, RUN_UP);
    bend_terrain(&w);
    synth_curve_integrate(&plan->curve);
    place_holds(&w);
    double first_leave = plan->holds[0].leave;
    synth_time_holds(plan);
    if (course->starts) {
        plan->holds[0].leave = first_leave;
        plan->holds[0].rise = first_leave - 0.25;
    }
}

void synth_plan_steps(synth_plan *plan, const synth_stepping *stepping)
{
    plan->starts = plan->stops = true;
    plan->curve = (synth_curve){.terrain = SYNTH_FLAT};
    plan->rest_begin = REST;
    lope_side side = stepping->first;
    double tempo = (double)plan->take->tempo, time = REST + SHIFT_WEIGHT / tempo, first_leave = time;
    for (int i = 0; i < 2 + stepping->count; i++) {
        synth_hold *hold = add_hold(plan, side, stepping->gait);
        lope_ground place = i < 2 ? (lope_ground){0.0f, 0.0f, 0.0f} : stepping->places[i - 2];
        if (i >= 2) {
            time += (i == 2 ? 0.75 : 1.0) * (double)stepping->gait->step_time / tempo;
            hold->strike = time;
        }
        hold->vigour = i < 2 ? 0.0f : 1.0f;
        place.x *= plan->take->stride;
        place.z *= plan->take->stride;
        place_in_stance(plan, hold, place);
        side = side == LOPE_LEFT ? LOPE_RIGHT : LOPE_LEFT;
    }
    plan->begin = 0.0;
    plan->rest_end = time + SETTLE;
    plan->end = plan->rest_end + REST;
    synth_time_holds(plan);
    plan->holds[0].leave = first_leave;
    plan->holds[0].rise = first_leave - 0.2;
}
