// SPDX-License-Identifier: MIT
// From evidence to decisions: the axis that points up, the pose in which a body stands, the soles of its feet.
//
// The stance is the mean pose of all windows in which the body stands: the principal axis of the sums of products of
// each joint's rotation (Markley et al. 2007), which knows no sign. A foot's sole is level where the foot rests: the
// direction of up in the ankle's frame gathers around one direction, the one of a flat foot, whatever else a foot does.
// The sole lies at the height of the toe joint then. Toes bend in the motion, so where they end does not count, unless
// a rest pose that stands says how thick the foot is below the toe joint.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/body_evidence.h"
#include "motion/contact_points.h"
#include "motion/joints.h"

#define REST_WEIGHT 0.7    // of a rest pose that stands, against what all the motion says
#define LEAST_UPRIGHT 1.0  // windows
#define LEAST_ROLLING 2.0  // windows in which a foot rolls
#define LEAST_SAMPLES 3    // resting feet that agree
#define ENOUGH_SAMPLES 8   // resting feet: with so many, none that hardly rest are taken
#define SHIN_COSINE 0.7f   // between the shin of a standing foot and up
#define MAX_SAMPLES 1024   // resting feet that are compared with one another
#define GOOD_SHARE 0.3f    // of the most resting feet that agree
#define FLAT_COSINE 0.985f // 10 degrees: directions of up that belong to one flat foot
#define TOE_AHEAD 0.14f    // legs: where toe joints usually are, from the ankle of a flat foot
#define TOE_BELOW 0.045f
#define MAX_DIP 0.05f     // legs: the thickest sole below a toe joint
#define RESTS_ALONG 0.35f // spans from feet to trunk along an axis: the rest pose stands along it

// Axes other than these are rare: they have to be clearly better.
static const double prior[EVIDENCE_AXES] = {0.12, 0.1, -0.2, -0.2, -0.2, -0.2};

bool lope_turn_joints(const lope_evidence *evidence, lope_axis up)
{
    return lope_v3_dot(evidence->rest_up, lope_axis_vector(up)) > RESTS_ALONG;
}

lope_axis lope_evidence_up(const lope_evidence *const *all, int count)
{
    double votes[EVIDENCE_AXES] = {0}, windows = 0.0;
    for (int i = 0; i < count; i++) {
        windows += all[i]->windows;
        for (int k = 0; k < EVIDENCE_AXES; k++)
            votes[k] += all[i]->up[k];
    }
    int best = 0;
    for (int k = 0; k < EVIDENCE_AXES; k++) {
        bool rests = lope_turn_joints(all[0], (lope_axis)(LOPE_AXIS_Y + k));
        votes[k] = votes[k] / fmax(windows, 1.0) + prior[k] + (rests ? REST_WEIGHT : 0.0);
        best = votes[k] > votes[best] ? k : best;
    }
    return (lope_axis)(LOPE_AXIS_Y + best);
}

lope_vec3 lope_turn_vector(lope_axis up, lope_vec3 v)
{
    switch (up) {
    case LOPE_AXIS_Z:
        return lope_v3(v.x, v.z, -v.y);
    case LOPE_AXIS_X:
        return lope_v3(-v.y, v.x, v.z);
    case LOPE_AXIS_MINUS_Y:
        return lope_v3(v.x, -v.y, -v.z);
    case LOPE_AXIS_MINUS_Z:
        return lope_v3(v.x, -v.z, v.y);
    case LOPE_AXIS_MINUS_X:
        return lope_v3(v.y, -v.x, v.z);
    default:
        return v;
    }
}

lope_quat lope_turn_frame(lope_axis up, lope_quat q)
{
    lope_vec3 v = lope_turn_vector(up, lope_v3(q.x, q.y, q.z));
    return (lope_quat){v.x, v.y, v.z, q.w};
}

lope_quat lope_turn_of(lope_axis up)
{
    const float half = 0.70710678f;
    switch (up) {
    case LOPE_AXIS_Z:
        return (lope_quat){-half, 0.0f, 0.0f, half};
    case LOPE_AXIS_X:
        return (lope_quat){0.0f, 0.0f, half, half};
    case LOPE_AXIS_MINUS_Y:
        return (lope_quat){1.0f, 0.0f, 0.0f, 0.0f};
    case LOPE_AXIS_MINUS_Z:
        return (lope_quat){half, 0.0f, 0.0f, half};
    case LOPE_AXIS_MINUS_X:
        return (lope_quat){0.0f, 0.0f, -half, half};
    default:
        return lope_quat_identity();
    }
}

// The unit vector that the products agree on most, by powers of the matrix.
static lope_quat principal(const double sums[10])
{
    static const int at[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        largest = sums[at[i][i]] > sums[at[largest][largest]] ? i : largest;
    double v[4], next[4];
    for (int i = 0; i < 4; i++)
        v[i] = sums[at[largest][i]];
    for (int step = 0; step < 64; step++) {
        double square = 0.0;
        for (int r = 0; r < 4; r++) {
            next[r] = 0.0;
            for (int c = 0; c < 4; c++)
                next[r] += sums[at[r][c]] * v[c];
            square += next[r] * next[r];
        }
        if (!(square > 0.0))
            return lope_quat_identity();
        for (int i = 0; i < 4; i++)
            v[i] = next[i] / sqrt(square);
    }
    return lope_quat_normalize((lope_quat){(float)v[0], (float)v[1], (float)v[2], (float)v[3]});
}

// Where joints lie in the stance, with the lengths of `skeleton`.
static void stance_model(const body_fit *fit, const lope_skeleton *skeleton, lope_transform *out)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_transform local = {fit->stance[j], skeleton->rest[j].translation};
        out[j] = j ? lope_transform_mul(out[skeleton->parents[j]], local) : local;
    }
}

// How far ahead of the ankles toes are, and of straight legs knees: negative where the stance was turned around because
// the sides of the body were exchanged.
static float forward_of(const body_fit *fit, const lope_transform *model)
{
    float ahead = 0.0f;
    for (int side = 0; side < 2; side++) {
        const int *leg = fit->roles + (side == LOPE_LEFT ? LOPE_LEFT_HIP : LOPE_RIGHT_HIP);
        int end = leg[3] >= 0 ? leg[3] : leg[2];
        lope_vec3 tip = lope_transform_point(model[end], fit->skeleton->tips[end]);
        ahead += tip.z - model[leg[2]].translation.z;
        ahead += 2.0f * model[leg[1]].translation.z - model[leg[0]].translation.z - model[leg[2]].translation.z;
    }
    return ahead;
}

static lope_status fit_stance(const lope_evidence *const *all, int count, body_fit *fit, lope_error *error)
{
    int joints = fit->skeleton->joint_count, hips = fit->roles[LOPE_HIPS];
    double upright = 0.0;
    for (int i = 0; i < count; i++)
        upright += all[i]->upright;
    if (upright < LEAST_UPRIGHT)
        return LOPE_OK;
    fit->stance = lope_alloc_array((size_t)joints, sizeof *fit->stance);
    lope_transform *model = lope_alloc_array((size_t)joints, sizeof *model);
    if (!fit->stance || !model) {
        lope_free(model);
        return lope_fail_memory(error);
    }
    for (int j = 0; j < joints; j++) {
        double sums[10] = {0};
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 10; k++)
                sums[k] += all[i]->poses[j][k];
        // What is above the hips only says where they are.
        fit->stance[j] = j < hips && joint_is_above(fit->skeleton, j, hips) ? lope_quat_identity() : principal(sums);
    }
    stance_model(fit, fit->skeleton, model);
    fit->front = !all[0]->sides_known && forward_of(fit, model) < 0.0f ? -1.0f : 1.0f;
    if (fit->front < 0.0f)
        fit->stance[hips] = lope_quat_mul((lope_quat){0.0f, 1.0f, 0.0f, 0.0f}, fit->stance[hips]);
    lope_free(model);
    return LOPE_OK;
}

// Files that show one body, and which way is up in them.
typedef struct evidence_list {
    const lope_evidence *const *all;
    int count;
    lope_vec3 up;
} evidence_list;

// Directions of up in the frames of resting ankles.
typedef struct sole_search {
    const foot_sample **samples; // [count]
    lope_vec3 *ups;              // [count]
    int count;
} sole_search;

static lope_vec3 mean_up(const sole_search *search, lope_vec3 about, int *agreeing)
{
    lope_vec3 sum = {0.0f, 0.0f, 0.0f};
    *agreeing = 0;
    for (int i = 0; i < search->count; i++)
        if (lope_v3_dot(search->ups[i], about) > FLAT_COSINE) {
            sum = lope_v3_add(sum, search->ups[i]);
            ++*agreeing;
        }
    return lope_v3_normalize(sum, about);
}

// From the ankle towards the toes, in the ankle's frame.
static lope_vec3 toewards(const sole_search *search, lope_vec3 up_in_world, float front)
{
    lope_vec3 toe = {0.0f, 0.0f, 0.0f}, forward = toe;
    for (int i = 0; i < search->count; i++) {
        const foot_sample *sample = search->samples[i];
        lope_vec3 ahead = lope_v3_scale(lope_v3_cross(sample->left, up_in_world), front);
        forward = lope_v3_add(forward, lope_quat_rotate(lope_quat_conjugate(sample->ankle), ahead));
        toe = lope_v3_add(toe, sample->toe_at);
    }
    return lope_v3_normalize(toe, lope_v3_normalize(forward, toe));
}

// The direction of up that samples agree on. Feet may rest on their toes for long, but hardly on their heels: of what a
// good share of them agree on, the foot is flat where the heel is lowest.
static lope_vec3 flat_up(const sole_search *search, lope_vec3 ahead, int *agreeing)
{
    int counts[MAX_SAMPLES], most = 0, best = 0;
    for (int i = 0; i < search->count; i++) {
        mean_up(search, search->ups[i], &counts[i]);
        most = counts[i] > most ? counts[i] : most;
    }
    float lowest = -INFINITY;
    for (int i = 0; i < search->count; i++) {
        float heel_down = lope_v3_dot(search->ups[i], ahead);
        if ((float)counts[i] >= GOOD_SHARE * (float)most && heel_down > lowest) {
            lowest = heel_down;
            best = i;
        }
    }
    lope_vec3 up = search->ups[best];
    for (int i = 0; i < 8; i++)
        up = mean_up(search, up, agreeing);
    return up;
}

// The bones of the foot as it stands flat, relative to the ankle and in axes with Y up; `axes` takes them there.
typedef struct flat_foot {
    lope_quat axes; // from the ankle's frame
    lope_quat toe;  // relative to the ankle
    lope_vec3 toe_at;
} flat_foot;

static flat_foot flatten(const sole_search *search, lope_vec3 up, lope_vec3 up_in_world, float front)
{
    lope_vec3 toe_at = {0.0f, 0.0f, 0.0f}, forward = {0.0f, 0.0f, 0.0f};
    double sums[10] = {0};
    int used = 0;
    for (int i = 0; i < search->count; i++) {
        const foot_sample *sample = search->samples[i];
        if (lope_v3_dot(search->ups[i], up) <= FLAT_COSINE)
            continue;
        lope_vec3 ahead = lope_v3_scale(lope_v3_cross(sample->left, up_in_world), front);
        forward = lope_v3_add(forward, lope_quat_rotate(lope_quat_conjugate(sample->ankle), ahead));
        toe_at = lope_v3_add(toe_at, sample->toe_at);
        lope_quat_add_product(sums, sample->toe);
        used++;
    }
    lope_vec3 z = lope_v3_mad(forward, up, -lope_v3_dot(forward, up));
    lope_vec3 other = fabsf(up.x) < 0.7f ? lope_v3(1.0f, 0.0f, 0.0f) : lope_v3(0.0f, 0.0f, 1.0f);
    z = lope_v3_normalize(z, lope_v3_normalize(lope_v3_cross(other, up), other));
    lope_quat ankle_from_flat = lope_quat_from_axes(lope_v3_cross(up, z), up, z);
    return (flat_foot){lope_quat_conjugate(ankle_from_flat), principal(sums),
                       lope_v3_scale(toe_at, 1.0f / (float)used)};
}

// What feet without a toe joint roll over, as a share of their bone; 0 where they hardly do.
static float find_pivot(const lope_evidence *const *all, int count)
{
    double votes[PIVOTS] = {0};
    int best = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < PIVOTS; k++)
            votes[k] += all[i]->pivots[k];
    for (int k = 1; k < PIVOTS; k++)
        best = votes[k] > votes[best] ? k : best;
    return votes[best] >= LEAST_ROLLING ? pivot_share(best) : 0.0f;
}

static lope_sole place_sole(body_fit *fit, int side, const flat_foot *flat, float leg)
{
    int toe = fit->roles[side == LOPE_LEFT ? LOPE_LEFT_TOE : LOPE_RIGHT_TOE];
    int end = toe >= 0 ? toe : fit->roles[side == LOPE_LEFT ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
    lope_vec3 tip = fit->skeleton->tips[end];
    lope_vec3 tip_at = lope_v3_add(flat->toe_at, lope_quat_rotate(flat->toe, tip));
    // A foot that ends at its ankle has its ball where the toe joint of others is.
    bool ends = toe < 0 && lope_v3_length(tip) == 0.0f;
    lope_vec3 usual = {0.0f, -TOE_BELOW * leg, TOE_AHEAD * leg};
    lope_foot_bones bones = {.has_toe = toe >= 0 || ends,
                             .has_tip = toe < 0 && lope_v3_length(tip) > 0.0f,
                             .toe = ends ? usual : lope_quat_rotate(flat->axes, flat->toe_at),
                             .tip = lope_quat_rotate(flat->axes, tip_at),
                             .forward = {0.0f, 0.0f, 1.0f},
                             .leg = leg,
                             .ball = fit->pivot};
    lope_vec3 heel, ball;
    lope_foot_measure(&bones, &heel, &ball);
    lope_quat back = lope_quat_conjugate(flat->axes);
    lope_vec3 up = lope_quat_rotate(back, lope_v3(0.0f, 1.0f, 0.0f));
    fit->up[side] = (lope_sole){up, lope_quat_rotate(lope_quat_conjugate(flat->toe), up)};
    ball = lope_v3_sub(lope_quat_rotate(back, ball), flat->toe_at);
    return (lope_sole){lope_quat_rotate(back, heel), lope_quat_rotate(lope_quat_conjugate(flat->toe), ball)};
}

// True where a sample belongs to a foot that stands: quiet enough, below its knee,
// and not much higher than the other.
static bool stands_on(const foot_sample *sample, lope_vec3 up, float unrest, float higher)
{
    return sample->unrest <= unrest && lope_v3_dot(sample->other, up) > -higher &&
           lope_v3_dot(sample->shin, up) > SHIN_COSINE * lope_v3_length(sample->shin);
}

// Goes through the samples of one foot of all files: counts those that stand, and takes every `stride`-th into `out`
// where that is not NULL.
static int visit_samples(const evidence_list *list, int side, float unrest, int stride, sole_search *out)
{
    int seen = 0;
    for (int i = 0; i < list->count; i++) {
        const lope_evidence *e = list->all[i];
        const foot_sample *samples = e->samples + (side ? e->sample_count[0] : 0);
        for (int k = 0; k < e->sample_count[side]; k++)
            if (stands_on(&samples[k], list->up, unrest, unrest > 1.0f ? 0.0f : 0.5f * e->leg) &&
                seen++ % stride == 0 && out) {
                out->samples[out->count] = &samples[k];
                out->ups[out->count++] = lope_quat_rotate(lope_quat_conjugate(samples[k].ankle), list->up);
            }
    }
    return seen;
}

static void collect(const evidence_list *list, int side, sole_search *out)
{
    float unrest = 1.0f;
    int total = visit_samples(list, side, unrest, 1, NULL);
    while (total < ENOUGH_SAMPLES && unrest < 4.0f) {
        unrest *= 1.26f; // three of them double it
        total = visit_samples(list, side, unrest, 1, NULL);
    }
    out->count = 0;
    visit_samples(list, side, unrest, 1 + (total - 1) / MAX_SAMPLES, out);
}

static lope_status fit_feet(const lope_evidence *const *all, int count, lope_vec3 up, body_fit *fit, lope_error *error)
{
    sole_search search = {.samples = lope_alloc_array(MAX_SAMPLES, sizeof *search.samples),
                          .ups = lope_alloc_array(MAX_SAMPLES, sizeof *search.ups)};
    lope_status status = search.samples && search.ups ? LOPE_OK : lope_fail_memory(error);
    evidence_list list = {all, count, up};
    fit->feet_known = !status;
    fit->pivot = find_pivot(all, count);
    for (int side = 0; side < 2 && fit->feet_known; side++) {
        int agreeing = 0;
        collect(&list, side, &search);
        lope_vec3 ahead = toewards(&search, up, fit->front);
        lope_vec3 sole_up = search.count ? flat_up(&search, ahead, &agreeing) : up;
        fit->feet_known = agreeing >= LEAST_SAMPLES;
        if (!fit->feet_known)
            break;
        flat_foot flat = flatten(&search, sole_up, up, fit->front);
        fit->feet[side] = place_sole(fit, side, &flat, all[0]->leg);
    }
    lope_free((void *)search.samples);
    lope_free(search.ups);
    return status;
}

lope_status lope_body_fit_make(const lope_evidence *const *all, int count, lope_axis up, body_fit *out,
                               lope_error *error)
{
    *out = (body_fit){.skeleton = lope_skeleton_retain(all[0]->skeleton), .front = 1.0f};
    memcpy(out->roles, all[0]->roles, sizeof out->roles);
    if (!(all[0]->leg > 0.0f))
        return LOPE_OK;
    lope_status status = fit_stance(all, count, out, error);
    if (!status)
        status = fit_feet(all, count, lope_axis_vector(up), out, error);
    if (status)
        lope_body_fit_free(out);
    return status;
}

lope_status lope_body_fit_clips(const lope_clip *const *clips, int count, body_fit *out, lope_error *error)
{
    *out = (body_fit){0};
    lope_evidence *evidence = lope_alloc_zero((size_t)count * sizeof *evidence);
    const lope_evidence **all = lope_alloc_array((size_t)count, sizeof *all);
    lope_status status = evidence && all ? LOPE_OK : lope_fail_memory(error);
    int used = 0;
    for (int i = 0; i < count && !status; i++)
        if (lope_skeleton_equal(clips[0]->skeleton, clips[i]->skeleton, 1e-3f)) {
            status = lope_evidence_from_clip(clips[i], &evidence[used], error);
            all[used] = &evidence[used];
            used += !status;
        }
    if (!status)
        status = lope_body_fit_make(all, used, LOPE_AXIS_Y, out, error);
    for (int i = 0; i < used; i++)
        lope_evidence_free(&evidence[i]);
    lope_free(evidence);
    lope_free((void *)all);
    return status;
}

void lope_body_fit_free(body_fit *fit)
{
    lope_skeleton_release(fit->skeleton);
    lope_free(fit->stance);
    *fit = (body_fit){0};
}

// Puts the rest pose into the stance where it is none: rotations only, bones keep their offsets.
static bool stand_up(const body_fit *fit, const body_turn *turn, const lope_skeleton *skeleton, lope_transform *rest,
                     lope_transform *scratch)
{
    int joints = skeleton->joint_count, hips = fit->roles[LOPE_HIPS];
    lope_transform *stance = scratch, *plain = scratch + joints;
    for (int j = 0; j < joints; j++) {
        lope_quat q = fit->stance[j];
        if (turn->joints && j != hips)
            q = lope_turn_frame(turn->up, q);
        else if (turn->joints)
            q = lope_quat_normalize(lope_quat_mul(q, lope_quat_conjugate(lope_turn_of(turn->up))));
        rest[j].rotation = q;
        stance[j] = j ? lope_transform_mul(stance[skeleton->parents[j]], rest[j]) : rest[j];
    }
    lope_skeleton_rest_model(skeleton, plain);
    if (!lope_rest_stands(fit->roles, plain, stance))
        return true;
    memcpy(rest, skeleton->rest, (size_t)joints * sizeof *rest);
    return false;
}

// Puts hips that move freely below another joint over the middle of the world, feet on the ground.
static void place_hips(const body_fit *fit, const lope_skeleton *skeleton, lope_transform *rest,
                       lope_transform *scratch)
{
    int hips = fit->roles[LOPE_HIPS];
    float lowest = 0.0f;
    lope_transform above = lope_transform_identity();
    for (int j = 0; j < skeleton->joint_count; j++) {
        scratch[j] = j ? lope_transform_mul(scratch[skeleton->parents[j]], rest[j]) : rest[j];
        if (j == hips && j > 0)
            above = scratch[skeleton->parents[j]];
        else if (j > hips && joint_is_above(skeleton, hips, j))
            lowest = fminf(lowest, scratch[j].translation.y - scratch[hips].translation.y);
    }
    rest[hips].translation = lope_transform_point(lope_transform_inverse(above), lope_v3(0.0f, -lowest, 0.0f));
}

// How far the toes of a rest pose that stands end below the toe joint. Feet that are not flat at rest do not say.
static float rest_dip(const lope_skeleton *skeleton, const int *leg, lope_sole up, float length)
{
    int ankle = leg[2], toe = leg[3];
    if (toe < 0)
        return 0.0f;
    lope_transform joint = joint_at_rest(skeleton, toe);
    if (lope_quat_rotate(joint_at_rest(skeleton, ankle).rotation, up.heel).y < FLAT_COSINE ||
        lope_quat_rotate(joint.rotation, up.ball).y < FLAT_COSINE)
        return 0.0f;
    float dip = joint.translation.y - lope_transform_point(joint, skeleton->tips[toe]).y;
    return fminf(fmaxf(dip, 0.0f), MAX_DIP * length);
}

static lope_vec3 lower(lope_vec3 point, lope_vec3 up, float by, const body_turn *turn)
{
    point = lope_v3_mad(lope_v3_scale(point, turn->scale), up, -by);
    return turn->joints ? lope_turn_vector(turn->up, point) : point;
}

// The feet by the sides that the skeleton has in the end; false where it takes other joints for ankles and toes.
static bool sort_feet(const body_fit *fit, const body_turn *turn, const lope_skeleton *skeleton, bool stood,
                      lope_sole out[2])
{
    const int *own = fit->roles, *roles = skeleton->roles;
    float leg_length = lope_skeleton_leg_length(skeleton);
    bool swap = roles[LOPE_LEFT_ANKLE] == own[LOPE_RIGHT_ANKLE];
    for (int side = 0; side < 2; side++) {
        int from = swap ? 1 - side : side;
        const int *leg = roles + (side == LOPE_LEFT ? LOPE_LEFT_HIP : LOPE_RIGHT_HIP);
        const int *fitted = own + (from == LOPE_LEFT ? LOPE_LEFT_HIP : LOPE_RIGHT_HIP);
        if (leg[2] != fitted[2] || leg[3] != fitted[3])
            return false;
        lope_sole up = fit->up[from];
        if (turn->joints)
            up = (lope_sole){lope_turn_vector(turn->up, up.heel), lope_turn_vector(turn->up, up.ball)};
        float dip = stood ? 0.0f : rest_dip(skeleton, leg, up, leg_length);
        out[side] = (lope_sole){lower(fit->feet[from].heel, fit->up[from].heel, dip, turn),
                                lower(fit->feet[from].ball, fit->up[from].ball, dip, turn)};
    }
    return true;
}

lope_status lope_body_fit_apply(const body_fit *fit, const body_turn *turn, const int *roles, lope_skeleton **skeleton,
                                bool *stood_up, lope_error *error)
{
    lope_skeleton *old = *skeleton, *stands = NULL, *made = NULL;
    size_t joints = (size_t)old->joint_count;
    lope_transform *rest = lope_alloc_array(3 * joints, sizeof *rest);
    if (!rest)
        return lope_fail_memory(error);
    memcpy(rest, old->rest, joints * sizeof *rest);
    bool stood = fit->stance && stand_up(fit, turn, old, rest, rest + joints);
    if (turn->hips_free && fit->roles[LOPE_HIPS] > 0)
        place_hips(fit, old, rest, rest + joints);
    lope_skeleton_def def = {old->joint_count, old->names, old->parents, rest, old->tips, roles, NULL};
    lope_status status = lope_skeleton_create(&def, &stands, error);
    lope_sole feet[2];
    if (!status && fit->feet_known && sort_feet(fit, turn, stands, stood, feet)) {
        def.feet = feet;
        def.roles = stands->roles;
        status = lope_skeleton_create(&def, &made, error);
        if (!status)
            made->role_source = stands->role_source;
    } else if (!status) {
        made = lope_skeleton_retain(stands);
    }
    lope_skeleton_release(stands);
    lope_free(rest);
    if (status)
        return status;
    if (stood_up)
        *stood_up = stood;
    lope_skeleton_release(old);
    *skeleton = made;
    return LOPE_OK;
}

lope_status lope_body_fit_stands(const body_fit *fit, lope_axis up, bool turn_joints, bool *stood_up, lope_error *error)
{
    const lope_skeleton *plain = fit->skeleton;
    size_t joints = (size_t)plain->joint_count;
    lope_transform *turned = lope_alloc_array(joints, sizeof *turned);
    if (!turned)
        return lope_fail_memory(error);
    for (size_t j = 0; j < joints; j++) {
        lope_vec3 offset = plain->rest[j].translation;
        turned[j] = (lope_transform){plain->rest[j].rotation, turn_joints ? lope_turn_vector(up, offset) : offset};
    }
    lope_skeleton_def def = {plain->joint_count, plain->names, plain->parents, turned, plain->tips, plain->roles, NULL};
    lope_skeleton *skeleton = NULL;
    body_turn turn = {up, turn_joints, 1.0f, false};
    lope_status status = lope_skeleton_create(&def, &skeleton, error);
    if (!status)
        status = lope_body_fit_apply(fit, &turn, plain->roles, &skeleton, stood_up, error);
    lope_skeleton_release(skeleton);
    lope_free(turned);
    return status;
}

lope_status lope_evidence_decide(const lope_evidence *evidence, const lope_read_def *def, read_decision *out,
                                 body_fit *fit, lope_error *error)
{
    lope_axis up = def->up != LOPE_AXIS_AUTO ? def->up : lope_evidence_up(&evidence, 1);
    *out = (read_decision){{up, up != LOPE_AXIS_Y && lope_turn_joints(evidence, up),
                            def->scale != 0.0f ? def->scale : lope_units_guess(evidence->span), false},
                           fit};
    return lope_body_fit_make(&evidence, 1, up, fit, error);
}
