// SPDX-License-Identifier: MIT
// Steady gaits: every step as long, turning and rising as much as the one before, so that the motion repeats exactly
// after two steps. They are the samples of motion rings. The manner is mixed from those of the built-in set: short
// steps are slow and careful, long ones quick, steps on stairs lift before they go ahead.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/synth.h"
#include "synth/gait.h"

enum { LEAD_IN = 4, RECORDED = 6 }; // steps before the first recorded one and after the last; steps recorded

lope_synth_gait_def lope_synth_gait_def_default(void)
{
    return (lope_synth_gait_def){.stride = 0.65f, .tempo = 1.0f};
}

static float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

// Numbers of a manner lie side by side but for the two whole ones in the middle, which are taken from the nearer.
static synth_gait mix_manners(const synth_gait *a, const synth_gait *b, float t)
{
    synth_gait out = t < 0.5f ? *a : *b;
    const float *from = (const float *)a, *to = (const float *)b;
    float *into = (float *)&out;
    const size_t whole = offsetof(synth_gait, lift_rise) / sizeof(float);
    for (size_t i = 0; i < sizeof out / sizeof(float); i++)
        if (i != whole && i != whole + 1)
            into[i] = mix(from[i], to[i], t);
    return out;
}

static float share(float value, float from, float to)
{
    return fmaxf(0.0f, fminf((value - from) / (to - from), 1.0f));
}

static synth_gait manner_of(const lope_synth_gait_def *def)
{
    const synth_manners *manners = &synth_gait_manners;
    synth_gait gait;
    if (def->run) {
        gait = *manners->run;
        float effort = def->stride / gait.step_length;
        gait.arms *= mix(0.7f, 1.0f, share(effort, 0.4f, 1.0f));
        gait.lift *= mix(0.6f, 1.0f, share(effort, 0.4f, 1.0f));
        gait.lead *= effort;
        gait.twist *= effort;
    } else if (def->stride < manners->normal->step_length) {
        gait = mix_manners(manners->slow, manners->normal,
                           share(def->stride, manners->slow->step_length, manners->normal->step_length));
    } else {
        gait = mix_manners(manners->normal, manners->fast,
                           share(def->stride, manners->normal->step_length, manners->fast->step_length));
    }
    // Steps shorter than a slow walk's swing the arms less, roll the feet less and do not run ahead of themselves.
    float vigour = def->run ? 1.0f : share(def->stride, 0.0f, manners->slow->step_length);
    gait.arms *= vigour;
    gait.twist *= vigour;
    gait.lead *= vigour;
    gait.bob *= vigour;
    gait.arrive *= mix(0.25f, 1.0f, vigour);
    gait.depart *= mix(0.45f, 1.0f, vigour);
    gait.depart_speed *= mix(0.35f, 1.0f, vigour);
    gait.width = mix(0.16f, gait.width, vigour);
    gait.lift = mix(0.06f, gait.lift, vigour);
    float stairs = share(fabsf(def->rise), 0.0f, 0.15f);
    if (!def->run) {
        gait = mix_manners(&gait, def->rise > 0.0f ? manners->up : manners->down, stairs);
    } else {
        gait.lift += 0.5f * fabsf(def->rise);
        gait.climb = 0.5f * stairs;
    }
    gait.step_length = def->stride;
    // A whole number of frames at 60 per second, so that the motion repeats exactly.
    gait.step_time = roundf(gait.step_time / def->tempo * 60.0f) / 60.0f;
    return gait;
}

// Feet stand on a helix.
static void place(const lope_synth_gait_def *def, synth_plan *plan, int index)
{
    synth_hold *hold = &plan->holds[index];
    double steps = index - LEAD_IN, turn = (double)def->turn, stride = (double)def->stride;
    double side = hold->side == LOPE_LEFT ? 1.0 : -1.0, heading = steps * turn, x, z;
    if (fabs(turn) < 1e-6) {
        x = 0.0;
        z = steps * stride;
    } else {
        double radius = stride / turn;
        x = radius * (1.0 - lope_cos(heading));
        z = radius * lope_sin(heading);
    }
    double across = 0.5 * (double)hold->gait->width * side;
    hold->heading = (float)heading;
    hold->yaw = (float)(heading + 0.5 * turn + side * 0.1);
    hold->ground = lope_quat_yaw(hold->yaw);
    hold->sole = lope_v3((float)(x + across * lope_cos(heading)), (float)(steps * (double)def->rise),
                         (float)(z - across * lope_sin(heading)));
    double speed = stride / (double)hold->gait->step_time;
    double lean = lope_atan2(speed * turn / (double)hold->gait->step_time, 9.81);
    hold->lean = (float)fmax(-0.2, fmin(0.2, lean));
}

// Height of the treads on the way from hold `index` to the next of that foot: each begins a little behind its heel.
static double tread_height(const synth_plan *plan, int index, lope_vec3 point)
{
    const synth_hold *from = &plan->holds[index], *to = &plan->holds[index + 2];
    double dx = (double)(to->sole.x - from->sole.x), dz = (double)(to->sole.z - from->sole.z);
    double length = sqrt(dx * dx + dz * dz), tread = 0.5 * length;
    if (tread < 0.2)
        return fmin((double)from->sole.y, (double)to->sole.y);
    double along = ((double)(point.x - from->sole.x) * dx + (double)(point.z - from->sole.z) * dz) / length;
    double behind = (double)plan->body->heel_back + 0.4 * fmax(tread - 0.26, 0.0);
    double step = fmax(0.0, fmin(floor((along + behind) / tread), 2.0));
    return (double)from->sole.y + step * 0.5 * (double)(to->sole.y - from->sole.y);
}

static double clearance(const synth_plan *plan, int index)
{
    const synth_hold *from = &plan->holds[index], *to = &plan->holds[index + 2];
    double least = 1.0;
    for (int i = 1; i < 40; i++) {
        double u = i / 40.0;
        synth_foot foot;
        uint16_t contacts = 0;
        synth_foot_at(plan, from->side, from->leave + u * (to->strike - from->leave), &foot, &contacts);
        lope_vec3 points[3];
        synth_sole_points(plan->body, &foot, points);
        double wanted = (double)from->gait->clearance * synth_bump(u, 3, 4);
        for (int p = 0; p < 3; p++)
            least = fmin(least, (double)points[p].y - tread_height(plan, index, points[p]) - wanted);
    }
    return least;
}

static void lift_swings(synth_plan *plan)
{
    const double highest = 0.4, step = 0.005;
    double lift = (double)plan->holds[0].gait->lift;
    // Feet alternate on one helix: a swing of each side says it all.
    for (int side = 0; side < 2; side++) {
        double own = lift;
        do {
            for (int i = side; i < plan->count; i += 2)
                plan->holds[i].lift = own;
            own += step;
        } while (own < highest && clearance(plan, LEAD_IN + side) < -2e-4);
    }
}

static void plan_steady(synth_plan *plan, const lope_synth_gait_def *def, const synth_gait *gait)
{
    plan->count = LEAD_IN + RECORDED + 1 + LEAD_IN;
    plan->curve = (synth_curve){.terrain = SYNTH_FLAT};
    plan->rest_begin = -HUGE_VAL;
    plan->rest_end = HUGE_VAL;
    for (int i = 0; i < plan->count; i++) {
        plan->holds[i] = (synth_hold){.side = i % 2 ? LOPE_RIGHT : LOPE_LEFT, .gait = gait, .vigour = 1.0f};
        plan->holds[i].strike = (i - LEAD_IN) * (double)gait->step_time;
        plan->holds[i].rise = plan->holds[i].leave = HUGE_VAL;
        place(def, plan, i);
    }
    synth_time_holds(plan);
    lift_swings(plan);
    plan->begin = 0.0;
    plan->end = RECORDED * (double)gait->step_time;
    synth_plan_pelvis(plan);
}

static lope_status check(const lope_synth_gait_def *def, const lope_synth_def *synth, lope_error *error)
{
    float least = def->run ? 0.4f : 0.0f, most = def->run ? 1.6f : 0.95f, rise = def->run ? 0.2f : 0.32f;
    return LOPE_CHECK(error, LOPE_RANGE(def, stride, least, most), LOPE_RANGE(def, turn, -0.9f, 0.9f),
                      LOPE_RANGE(def, rise, -rise, rise), LOPE_RANGE(def, tempo, 0.5, 2),
                      LOPE_RANGE(synth, frame_rate, 1, 1000));
}

lope_status lope_synth_gait(const lope_synth_gait_def *def, const lope_synth_def *synth, lope_clip **out,
                            lope_error *error)
{
    assert(def && synth && out);
    *out = NULL;
    lope_status status = check(def, synth, error);
    synth_body body;
    if (!status)
        status = synth_body_create(&body, error);
    if (status)
        return status;
    synth_take take = synth_take_of("gait", synth->seed, 0, 0, synth->frame_rate);
    snprintf(take.name, sizeof take.name, "%s_stride%.2f_turn%+.0f_rise%+.2f", def->run ? "run" : "walk",
             (double)def->stride, (double)def->turn * 180.0 / LOPE_PI, (double)def->rise);
    synth_gait gait = manner_of(def);
    synth_plan *plan = lope_alloc_zero(sizeof *plan);
    if (!plan) {
        synth_body_release(&body);
        return lope_fail_memory(error);
    }
    plan->body = &body;
    plan->take = &take;
    plan_steady(plan, def, &gait);
    status = synth_record(&body, &take, plan->end - plan->begin, synth_plan_describe, plan, NULL, out, error);
    lope_free(plan);
    synth_body_release(&body);
    return status;
}

// Standing: the stance with one foot moved, the pelvis between the feet and as low as the longer leg needs.
typedef struct standing {
    const synth_body *body;
    const synth_take *take;
    const lope_synth_stand_def *def;
} standing;

static const double BREATH = 4.0;

static void describe_standing(const void *user, double time, synth_frame *out)
{
    const standing *s = user;
    synth_stance(s->body, s->take, (lope_ground){0.0f, 0.0f, 0.0f}, 0.0f, out);
    lope_vec3 *ankle = &out->feet[LOPE_RIGHT].ankle.translation;
    *ankle = lope_v3_add(*ankle, lope_v3(-s->def->aside, s->def->rise, s->def->ahead));
    double breath = 0.5 - 0.5 * lope_cos(2.0 * LOPE_PI * time / BREATH);
    lope_vec3 *pelvis = &out->pelvis.translation;
    pelvis->x -= 0.5f * s->def->aside;
    pelvis->z += 0.5f * s->def->ahead;
    // Both legs reach with bent knees; more weight on the lower foot.
    float least = 1e9f, reach = 0.985f * (s->body->thigh + s->body->shin);
    for (int side = 0; side < 2; side++) {
        int joint = side == LOPE_LEFT ? SYNTH_LEFT_HIP : SYNTH_RIGHT_HIP;
        lope_vec3 hip = lope_transform_point(out->pelvis, s->body->skeleton->rest[joint].translation);
        lope_vec3 foot = out->feet[side].ankle.translation;
        float dx = hip.x - foot.x, dz = hip.z - foot.z;
        float highest = foot.y + sqrtf(fmaxf(reach * reach - dx * dx - dz * dz, 0.04f)) - (hip.y - pelvis->y);
        least = fminf(least, highest);
    }
    pelvis->y = fminf(pelvis->y, least) + (float)(0.004 * breath);
    out->spine_pitch -= (float)(0.02 * breath);
    for (int side = 0; side < 2; side++)
        out->arms[side].abduction += (float)(0.02 * breath);
}

lope_status lope_synth_stand(const lope_synth_stand_def *def, const lope_synth_def *synth, lope_clip **out,
                             lope_error *error)
{
    assert(def && synth && out);
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, ahead, -0.5f, 0.5f), LOPE_RANGE(def, rise, -0.3f, 0.3f),
                                    LOPE_RANGE(def, aside, -0.05f, 0.3f), LOPE_RANGE(synth, frame_rate, 1, 1000));
    synth_body body;
    if (!status)
        status = synth_body_create(&body, error);
    if (status)
        return status;
    synth_take take = synth_take_of("stand", synth->seed, 0, 0, synth->frame_rate);
    snprintf(take.name, sizeof take.name, "stand_ahead%+.2f_rise%+.2f", (double)def->ahead, (double)def->rise);
    standing s = {&body, &take, def};
    status = synth_record(&body, &take, 1.5 * BREATH, describe_standing, &s, NULL, out, error);
    synth_body_release(&body);
    return status;
}
