// SPDX-License-Identifier: MIT
// The pelvis that goes with the footsteps: a spline through one knot where weight passes from foot to foot and one in
// the middle of each support. Heights begin from a wanted bend of the bearing knee and the gait's bob; then every
// knot sinks as far as needed for both legs to reach their feet with the knee still a little bent.
#include "synth/gait.h"

#include <assert.h>

static const double LEAST_KNEE = 0.2; // radians: in motion a leg never gets straighter; near its limit a knee snaps
static const double STANDING_KNEE = 0.12, UNLOCK = 0.8; // the same in the stance, and seconds from one to the other
static const double LEAN_HEIGHT = 0.85;                 // the pelvis moves aside by this much per radian of lean

static const double SAMPLE_STEP = 1.0 / 120.0;
enum { MAX_SAMPLES = 4096 };

static double leg_reach(const synth_body *body, double knee)
{
    double a = (double)body->thigh, b = (double)body->shin;
    return sqrt(a * a + b * b + 2.0 * a * b * lope_cos(knee));
}

static double outwards(lope_side side)
{
    return side == LOPE_LEFT ? 1.0 : -1.0;
}

// Height of the pelvis over the bearing foot in the middle of its support.
static double support_height(const synth_plan *plan, const synth_gait *gait, double vigour)
{
    const synth_body *body = plan->body;
    double hip_drop = -(double)body->skeleton->rest[SYNTH_LEFT_HIP].translation.y;
    double high = (double)body->ankle_height + hip_drop + leg_reach(body, (double)gait->knee) -
                  (double)(body->hip_half_width * gait->list);
    double standing = (double)synth_stance_height(body, plan->take);
    return standing + (high - standing) * vigour;
}

static double *add_knot(synth_spline *spline, double time)
{
    assert(spline->knots < SYNTH_SPLINE_KNOTS);
    spline->times[spline->knots] = time;
    double *values = spline->values[spline->knots++];
    for (int c = 0; c < SYNTH_CHANNELS; c++)
        values[c] = 0.0;
    return values;
}

// Standing between two holds.
static void standing_knot(synth_plan *plan, double time, const synth_hold *a, const synth_hold *b)
{
    double *v = add_knot(&plan->pelvis, time), back = (double)synth_stance_back();
    v[SYNTH_YAW] = v[SYNTH_LOOK] = 0.5 * (double)(a->heading + b->heading);
    v[SYNTH_X] = 0.5 * (double)(a->sole.x + b->sole.x) + back * lope_sin(v[SYNTH_YAW]);
    v[SYNTH_Z] = 0.5 * (double)(a->sole.z + b->sole.z) + back * lope_cos(v[SYNTH_YAW]);
    v[SYNTH_Y] = 0.5 * (double)(a->sole.y + b->sole.y) + (double)synth_stance_height(plan->body, plan->take);
    v[SYNTH_PITCH] = (double)plan->take->lean;
    v[SYNTH_ELBOW] = 0.25;
}

// Weight passes from hold a to hold b.
static void passing_knot(synth_plan *plan, double time, const synth_hold *a, const synth_hold *b)
{
    double *v = add_knot(&plan->pelvis, time);
    const synth_gait *gait = b->gait;
    double vigour = (double)b->vigour, side = outwards(b->side), heading = 0.5 * (double)(a->heading + b->heading);
    double lean = 0.5 * (double)(a->lean + b->lean), lead = (double)gait->lead * vigour;
    double c = lope_cos(heading), s = lope_sin(heading), aside = lean * LEAN_HEIGHT;
    v[SYNTH_X] = 0.5 * (double)(a->sole.x + b->sole.x) + lead * s + aside * c;
    v[SYNTH_Z] = 0.5 * (double)(a->sole.z + b->sole.z) + lead * c - aside * s;
    double bob = 0.5 * (double)(a->gait->bob + gait->bob) * vigour;
    v[SYNTH_Y] = 0.5 * (double)(a->sole.y + b->sole.y) + support_height(plan, gait, vigour) - bob;
    double twist = (double)(gait->twist * plan->take->stride) * vigour;
    v[SYNTH_YAW] = heading - side * twist;
    v[SYNTH_LEAN] = lean;
    v[SYNTH_TILT] = (double)gait->tilt * vigour;
    v[SYNTH_PITCH] = (double)plan->take->lean + (double)gait->lean * vigour;
    v[SYNTH_SHOULDERS] = side * twist * (double)gait->shoulders;
    v[SYNTH_ARMS] = -side * (double)(gait->arms * plan->take->arm_swing) * vigour;
    v[SYNTH_ELBOW] = 0.25 + (double)(gait->elbow - 0.25f) * vigour;
    v[SYNTH_ELBOW_SWING] = (double)gait->elbow_swing * vigour;
    v[SYNTH_LOOK] = (double)b->heading;
    v[SYNTH_EARLY] = (double)(gait->early / plan->take->tempo) * vigour;
}

// The bearing foot is `hold`: half way between the knots around it, moved towards the foot. Those knots' places are
// known already; the knot itself has been added in between.
static void bearing_knot(synth_plan *plan, int knot, const synth_hold *hold, double vigour)
{
    synth_spline *spline = &plan->pelvis;
    double *v = spline->values[knot];
    const double *before = spline->values[knot - 1], *after = spline->values[knot + 1];
    double share =
        (spline->times[knot] - spline->times[knot - 1]) / (spline->times[knot + 1] - spline->times[knot - 1]);
    if (plan->starts && knot == 1)
        share *= share; // setting off: the first half of the time covers a quarter of the way
    if (plan->stops && knot == spline->knots - 2)
        share = 1.0 - (1.0 - share) * (1.0 - share);
    for (int c = 0; c < SYNTH_CHANNELS; c++)
        v[c] = before[c] + (after[c] - before[c]) * share;
    double side = outwards(hold->side), c = lope_cos(v[SYNTH_YAW]), s = lope_sin(v[SYNTH_YAW]);
    double across = ((double)hold->sole.x - v[SYNTH_X]) * c - ((double)hold->sole.z - v[SYNTH_Z]) * s;
    double sway = (across + v[SYNTH_LEAN] * LEAN_HEIGHT) * (double)hold->gait->sway;
    v[SYNTH_X] += sway * c;
    v[SYNTH_Z] -= sway * s;
    v[SYNTH_Y] = (double)hold->sole.y + support_height(plan, hold->gait, vigour);
    v[SYNTH_LIST] = side * (double)hold->gait->list * vigour;
}

static void lay_knots(synth_plan *plan)
{
    synth_spline *spline = &plan->pelvis;
    const synth_hold *holds = plan->holds;
    int bearing[SYNTH_SPLINE_KNOTS];
    for (int i = 0; i < SYNTH_SPLINE_KNOTS; i++)
        bearing[i] = -1;
    spline->knots = 0;
    spline->channels = SYNTH_CHANNELS;
    spline->rest_first = plan->starts;
    spline->rest_last = plan->stops;
    if (plan->starts)
        standing_knot(plan, plan->rest_begin, &holds[0], &holds[1]);
    for (int k = 1; k < plan->count; k++) {
        if (isfinite(holds[k].strike) && isfinite(holds[k - 1].leave))
            passing_knot(plan, 0.5 * (holds[k].strike + holds[k - 1].leave), &holds[k - 1], &holds[k]);
        if (k + 1 < plan->count) {
            bearing[spline->knots] = k;
            add_knot(spline, 0.5 * (holds[k - 1].leave + holds[k + 1].strike));
        }
    }
    if (plan->stops)
        standing_knot(plan, plan->rest_end, &holds[plan->count - 2], &holds[plan->count - 1]);
    for (int i = 1; i + 1 < spline->knots; i++) {
        if (bearing[i] >= 0) {
            const synth_hold *hold = &holds[bearing[i]];
            bearing_knot(plan, i, hold, fmax((double)hold->vigour, (double)holds[bearing[i] + 1].vigour));
        }
    }
    for (int c = 0; c < SYNTH_CHANNELS; c++)
        synth_spline_fit(spline, c);
}

// The height of the pelvis runs ahead of the rest.
static double height_time(const synth_plan *plan, double time)
{
    double ahead = time + synth_spline_at(&plan->pelvis, SYNTH_EARLY, time);
    return fmax(fmin(ahead, plan->rest_end), plan->rest_begin);
}

lope_transform synth_pelvis_at(const synth_plan *plan, double time)
{
    const synth_spline *spline = &plan->pelvis;
    time = fmax(fmin(time, plan->rest_end), plan->rest_begin);
    double ahead = height_time(plan, time);
    lope_quat yaw = lope_quat_yaw((float)synth_spline_at(spline, SYNTH_YAW, time));
    double tilt = synth_spline_at(spline, SYNTH_TILT, time);
    double roll = synth_spline_at(spline, SYNTH_LIST, time) - synth_spline_at(spline, SYNTH_LEAN, time);
    lope_quat pitch = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), (float)tilt);
    lope_quat list = lope_quat_axis_angle(lope_v3(0.0f, 0.0f, 1.0f), (float)roll);
    lope_transform pelvis = {lope_quat_mul(yaw, lope_quat_mul(pitch, list)),
                             lope_v3((float)synth_spline_at(spline, SYNTH_X, time),
                                     (float)synth_spline_at(spline, SYNTH_Y, ahead),
                                     (float)synth_spline_at(spline, SYNTH_Z, time))};
    return pelvis;
}

static double least_knee(const synth_plan *plan, double time)
{
    double moving = fmin(time - plan->rest_begin, plan->rest_end - time) / UNLOCK;
    return STANDING_KNEE + (LEAST_KNEE - STANDING_KNEE) * synth_ease(moving);
}

// How high the pelvis may be for a leg to reach its foot. Nothing but the height changes while the pelvis is fitted, so
// this holds throughout.
static double height_limit(const synth_plan *plan, lope_side side, lope_transform pelvis, double time)
{
    synth_foot foot;
    uint16_t contacts = 0;
    synth_foot_at(plan, side, time, &foot, &contacts);
    int joint = side == LOPE_LEFT ? SYNTH_LEFT_HIP : SYNTH_RIGHT_HIP;
    lope_vec3 hip = lope_transform_point(pelvis, plan->body->skeleton->rest[joint].translation);
    double reach = leg_reach(plan->body, least_knee(plan, time));
    double dx = (double)(hip.x - foot.ankle.translation.x), dz = (double)(hip.z - foot.ankle.translation.z);
    double height = sqrt(fmax(reach * reach - dx * dx - dz * dz, 0.0));
    return (double)foot.ankle.translation.y + height - (double)(hip.y - pelvis.translation.y);
}

// Limits on the height at even times.
typedef struct height_limits {
    int count;
    double times[MAX_SAMPLES]; // at which the height is read, see height_time
    double highest[MAX_SAMPLES];
} height_limits;

static void collect_limits(const synth_plan *plan, height_limits *out)
{
    const synth_spline *spline = &plan->pelvis;
    double first = fmax(spline->times[0], plan->begin - 1.0);
    double last = fmin(spline->times[spline->knots - 1], plan->end + 1.0);
    out->count = 0;
    for (int i = 0; first + i * SAMPLE_STEP <= last && out->count < MAX_SAMPLES; i++) {
        double time = first + i * SAMPLE_STEP;
        lope_transform pelvis = synth_pelvis_at(plan, time);
        out->times[out->count] = fmin(height_time(plan, time), last);
        out->highest[out->count++] =
            fmin(height_limit(plan, LOPE_LEFT, pelvis, time), height_limit(plan, LOPE_RIGHT, pelvis, time));
    }
}

// Says how far each knot should sink. Returns by how much the pelvis is too high where it is worst.
static double collect_sinking(const synth_spline *spline, const height_limits *limits, double *sink)
{
    double worst = 0.0;
    for (int i = 0; i < limits->count; i++) {
        double time = limits->times[i], excess = synth_spline_at(spline, SYNTH_Y, time) - limits->highest[i];
        if (excess <= 0.0)
            continue;
        worst = fmax(worst, excess);
        int k = synth_spline_interval(spline, time);
        double late = (time - spline->times[k]) / (spline->times[k + 1] - spline->times[k]);
        sink[k] = fmax(sink[k], excess * (1.0 - late));
        sink[k + 1] = fmax(sink[k + 1], excess * late);
    }
    return worst;
}

void synth_plan_pelvis(synth_plan *plan)
{
    lay_knots(plan);
    synth_spline *spline = &plan->pelvis;
    height_limits limits;
    collect_limits(plan, &limits);
    const int rounds = 60;
    for (int round = 0; round < rounds; round++) {
        double sink[SYNTH_SPLINE_KNOTS] = {0.0};
        if (collect_sinking(spline, &limits, sink) < 1e-4)
            return;
        for (int k = 0; k < spline->knots; k++) {
            bool standing = (plan->starts && k == 0) || (plan->stops && k == spline->knots - 1);
            if (!standing)
                spline->values[k][SYNTH_Y] -= sink[k];
        }
        synth_spline_fit(spline, SYNTH_Y);
    }
}
