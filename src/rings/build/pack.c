// SPDX-License-Identifier: MIT
// The compact ring (section 3.4): rotation vectors of all joints about their means, and the principal directions they
// vary in (principal geodesic analysis in its practical form). Keeping 99 % of the variance, as the paper does, leaves
// feet 6 to 9 cm off: hips and knees move them most. Those weigh more here, and directions are added until no foot
// of any sample is farther off than asked for. Root and time warp are not compressed.
//
// The directions are those of MIXED joints at most: the work grows with the cube of their number. In a skeleton of more
// (fingers, twists, faces) the joints that turn least ride along: they follow the modes as far as those tell what they
// do (least squares; the modes' coefficients are orthogonal, so each is on its own).
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/hinge.h"
#include "motion/joints.h"
#include "rings/build/build.h"

enum { MIXED = 92 };

static const double ODD_TURN = 0.03, ODD_PLACE = 0.01; // radians, metres off a smooth course: pops of a capture

static const double VARIANCE = 0.99; // that is kept where the paper's way is chosen

static const double HIP_WEIGHT = 4.0, KNEE_WEIGHT = 3.0, ANKLE_WEIGHT = 3.0, TOE_WEIGHT = 2.5;

// Everything while a ring is packed. `n` numbers describe the joints of a frame.
typedef struct packer {
    const ring_pack_def *def;
    int frames, span, slots, rows; // frames of a track; those and the ones beyond; ...
    int mixed, n;                  // slots whose turns decide on the modes, three numbers each
    int *order;                    // [slots], joint or -1
    int *mixes;                    // [mixed], slots, ascending; all others ride along
    lope_quat *rotations;          // [rows][slots], of the takes as they are
    lope_quat *roots;              // [rows], in the frame of the track
    lope_vec3 *places;             // [rows][3], of the root and the balls of both feet, likewise
    float *rates;                  // [rows]
    lope_quat *means, root_mean;   // [slots]
    double *weights, *turns;       // [slots]; how far each turns in all
    double *logs;                  // [rows][n], weighted
    double *directions;            // [n][n], rows
    int modes;
    float foot_error;
} packer;

static int row_index(const packer *p, int track, int frame, int sample)
{
    return (track * p->span + frame + RING_BEYOND) * p->def->count + sample;
}

static int leg_slots(const packer *p)
{
    return ring_leg_slots(p->def->legs);
}

static bool in_legs(const packer *p, int joint)
{
    for (int i = 0; i < leg_slots(p); i++)
        if (p->order[i] == joint)
            return true;
    return false;
}

static bool by_variance(const packer *p)
{
    return p->def->def->published & LOPE_PUBLISHED_VARIANCE;
}

static void order_joints(packer *p)
{
    int next = leg_slots(p);
    for (int i = 0; i < p->slots; i++) {
        p->order[i] = -1;
        p->weights[i] = 1.0;
    }
    for (int side = 0; side < 2; side++) {
        const ring_leg *leg = &p->def->legs[side];
        for (int i = 0; i < leg->count; i++) {
            p->weights[leg->slots[i]] = by_variance(p)    ? 1.0
                                        : i == leg->hip   ? HIP_WEIGHT
                                        : i == leg->knee  ? KNEE_WEIGHT
                                        : i == leg->ankle ? ANKLE_WEIGHT
                                        : i == leg->toe   ? TOE_WEIGHT
                                                          : 1.0;
            p->order[leg->slots[i]] = leg->joints[i];
        }
    }
    for (int j = 1; j < p->def->skeleton->joint_count; j++)
        if (!in_legs(p, j))
            p->order[next++] = j;
}

// The pose at a fraction of a frame, by cubic interpolation: a line between frames would put a kink into every one.
static void sample_smoothly(const lope_clip *clip, double frame, lope_pose *pose)
{
    int first = (int)floor(frame), last = clip->frame_count - 1;
    float t = (float)(frame - first), t2 = t * t, t3 = t2 * t;
    float b[4] = {0.5f * (-t3 + 2.0f * t2 - t), 0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f),
                  0.5f * (-3.0f * t3 + 4.0f * t2 + t), 0.5f * (t3 - t2)};
    size_t joints = (size_t)clip->skeleton->joint_count, at[4];
    pose->root = lope_v3(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 4; k++) {
        int f = first + k - 1;
        at[k] = (size_t)(f < 0 ? 0 : f > last ? last : f);
        pose->root = lope_v3_mad(pose->root, clip->root[at[k]], b[k]);
    }
    for (size_t j = 0; j < joints; j++) { // consecutive frames lie in one hemisphere
        lope_quat sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < 4; k++) {
            lope_quat q = clip->rotations[at[k] * joints + j];
            sum = (lope_quat){sum.x + b[k] * q.x, sum.y + b[k] * q.y, sum.z + b[k] * q.z, sum.w + b[k] * q.w};
        }
        pose->rotations[j] = lope_quat_normalize(sum);
    }
}

// Poses of a take at the ring's frames, the root seen from the track's frame.
static void sample_take(packer *p, int sample, lope_pose *pose, lope_transform *model)
{
    const ring_take *take = &p->def->takes[p->def->chosen[sample]];
    for (int track = 0; track < 2; track++) {
        lope_quat back = lope_quat_yaw(-take->yaws[track]);
        for (int f = -RING_BEYOND; f <= p->frames + RING_BEYOND; f++) {
            int row = row_index(p, track, f, sample);
            sample_smoothly(take->loop.clip, take->times[track][f + RING_BEYOND], pose);
            lope_pose_to_model(p->def->skeleton, pose, model);
            lope_vec3 *places = p->places + 3 * (size_t)row;
            places[0] = lope_quat_rotate(back, lope_v3_sub(pose->root, take->places[track]));
            for (int side = 0; side < 2; side++) {
                const ring_leg *leg = &p->def->legs[side];
                lope_vec3 ball = lope_transform_point(model[leg->joints[leg->toe]], leg->ball);
                places[1 + side] = lope_quat_rotate(back, lope_v3_sub(ball, take->places[track]));
            }
            p->rates[row] = (float)take->rates[track][f + RING_BEYOND];
            p->roots[row] = lope_quat_mul(back, pose->rotations[0]);
            for (int s = 0; s < p->slots; s++)
                p->rotations[(size_t)row * (size_t)p->slots + (size_t)s] =
                    p->order[s] > 0 ? pose->rotations[p->order[s]] : lope_quat_identity();
        }
    }
}

static lope_vec3 short_log(lope_quat mean, lope_quat q)
{
    lope_quat d = lope_quat_mul(lope_quat_conjugate(mean), q);
    return lope_quat_log(d.w < 0.0f ? lope_quat_negate(d) : d);
}

// The rotation about which the given ones' rotation vectors sum to zero.
static lope_quat mean_rotation(const lope_quat *rotations, int count, size_t stride)
{
    lope_quat mean = rotations[0];
    for (int round = 0; round < 20; round++) {
        lope_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int i = 0; i < count; i++)
            sum = lope_v3_mad(sum, short_log(mean, rotations[(size_t)i * stride]), 1.0f / (float)count);
        mean = lope_quat_normalize(lope_quat_mul(mean, lope_quat_exp(sum)));
        if (lope_v3_length(sum) < 1e-6f)
            break;
    }
    return mean;
}

// The turn of a slot off its mean in a row.
static lope_vec3 turn_of(const packer *p, int row, int slot)
{
    return short_log(p->means[slot], p->rotations[(size_t)row * (size_t)p->slots + (size_t)slot]);
}

// The slots of the legs, and of the rest those that turn most.
static void choose_mixed(packer *p)
{
    bool all = p->mixed == p->slots;
    for (int s = leg_slots(p); s < p->slots && !all; s++)
        for (int r = 0; r < p->rows; r++) {
            lope_vec3 v = turn_of(p, r, s);
            p->turns[s] += (double)lope_v3_dot(v, v);
        }
    for (int i = 0; i < p->mixed; i++) { // by falling turns
        int best = i < leg_slots(p) || all ? i : leg_slots(p);
        for (int s = best; s < p->slots && i >= leg_slots(p) && !all; s++)
            best = p->turns[s] > p->turns[best] ? s : best;
        p->mixes[i] = best;
        p->turns[best] = -1.0;
    }
    for (int i = 0, s = 0; s < p->slots; s++) // by place
        if (all || p->turns[s] < 0.0)
            p->mixes[i++] = s;
}

static void take_logs(packer *p)
{
    for (int s = 0; s < p->slots; s++)
        p->means[s] = mean_rotation(p->rotations + s, p->rows, (size_t)p->slots);
    choose_mixed(p);
    for (int i = 0; i < p->mixed; i++)
        for (int r = 0; r < p->rows; r++) {
            lope_vec3 v = turn_of(p, r, p->mixes[i]);
            double *log = p->logs + (size_t)r * (size_t)p->n + 3 * (size_t)i, weight = p->weights[p->mixes[i]];
            log[0] = (double)v.x * weight;
            log[1] = (double)v.y * weight;
            log[2] = (double)v.z * weight;
        }
    p->root_mean = mean_rotation(p->roots, p->rows, 1);
}

// ---- noise

// A curve of a sample through a track: where it begins, and how many numbers are from frame to frame.
static lope_status smooth_places(packer *p, lope_vec3 *first, size_t stride, lope_vec3 *curve, lope_error *error)
{
    for (int f = 0; f < p->span; f++)
        curve[f] = first[(size_t)f * stride];
    lope_status status = ring_smooth(curve, p->span, 2 * p->frames, ODD_PLACE, error);
    for (int f = 0; f < p->span && !status; f++)
        first[(size_t)f * stride] = curve[f];
    return status;
}

static lope_status smooth_root(packer *p, lope_quat *first, size_t stride, lope_vec3 *curve, lope_error *error)
{
    lope_quat mean = mean_rotation(first, p->span, stride);
    for (int f = 0; f < p->span; f++)
        curve[f] = short_log(mean, first[(size_t)f * stride]);
    lope_status status = ring_smooth(curve, p->span, 2 * p->frames, ODD_TURN, error);
    for (int f = 0; f < p->span && !status; f++)
        first[(size_t)f * stride] = lope_quat_mul(mean, lope_quat_exp(curve[f]));
    return status;
}

static lope_quat *turn_at(const packer *p, int track, int frame, int sample, int slot)
{
    return &p->rotations[(size_t)row_index(p, track, frame, sample) * (size_t)p->slots + (size_t)slot];
}

// Joints are alike in every cycle: both tracks are smoothed as one curve, half a cycle more before and behind it, so
// that they meet in the same pose.
static lope_status smooth_joint(const packer *p, int sample, int slot, lope_vec3 *curve, lope_error *error)
{
    int frames = p->frames, cycle = 2 * frames;
    lope_quat first = *turn_at(p, 0, 0, sample, slot);
    for (int i = 0; i < 2 * cycle; i++) {
        int f = (i + frames) % cycle;
        curve[i] = short_log(first, *turn_at(p, f / frames, f % frames, sample, slot));
    }
    lope_status status = ring_smooth(curve, 2 * cycle, cycle, ODD_TURN, error);
    for (int track = 0; track < 2 && !status; track++)
        for (int f = -RING_BEYOND; f <= frames + RING_BEYOND; f++) {
            int i = frames + ((track * frames + f) % cycle + cycle) % cycle;
            *turn_at(p, track, f, sample, slot) = lope_quat_mul(first, lope_quat_exp(curve[i]));
        }
    return status;
}

static lope_status smooth_samples(packer *p, lope_error *error)
{
    size_t samples = (size_t)p->def->count, longest = (size_t)(p->span > 4 * p->frames ? p->span : 4 * p->frames);
    lope_vec3 *curve = lope_alloc_array(longest, sizeof *curve);
    lope_status status = curve ? LOPE_OK : lope_fail_memory(error);
    for (int s = 0; s < p->def->count * p->slots && !status; s++)
        status = smooth_joint(p, s / p->slots, s % p->slots, curve, error);
    for (size_t i = 0; i < 2 * samples && !status; i++) {
        size_t row = (size_t)row_index(p, (int)(i / samples), -RING_BEYOND, (int)(i % samples));
        status = smooth_root(p, p->roots + row, samples, curve, error);
        for (size_t k = 0; k < 3 && !status; k++)
            status = smooth_places(p, p->places + 3 * row + k, 3 * samples, curve, error);
    }
    lope_free(curve);
    return status;
}

static lope_status find_directions(packer *p, lope_error *error)
{
    size_t n = (size_t)p->n;
    double *covariance = lope_alloc_zero((n * n + n) * sizeof *covariance);
    if (!covariance)
        return lope_fail_memory(error);
    for (int r = 0; r < p->rows; r++) {
        const double *log = p->logs + (size_t)r * n;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n && log[i] != 0.0; j++)
                covariance[i * n + j] += log[i] * log[j];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            covariance[i * n + j] = covariance[j * n + i];
    ring_eigen(p->n, covariance, covariance + n * n, p->directions);
    double all = 0.0, held = 0.0;
    for (size_t i = 0; i < n; i++)
        all += fmax(covariance[n * n + i], 0.0);
    for (p->modes = 0; p->modes < RING_MODES && p->modes < p->n && held < VARIANCE * all; p->modes++)
        held += covariance[n * n + (size_t)p->modes];
    p->modes = p->modes > 0 ? p->modes : 1;
    lope_free(covariance);
    return LOPE_OK;
}

// How much of a direction is in a row.
static double coefficient(const packer *p, int row, int mode)
{
    const double *log = p->logs + (size_t)row * (size_t)p->n, *direction = p->directions + (size_t)mode * (size_t)p->n;
    double c = 0.0;
    for (int i = 0; i < p->n; i++)
        c += direction[i] * log[i];
    return c;
}

// A row's rotations of the legs through the first `modes` directions.
static void rebuild_legs(const packer *p, int row, int modes, lope_quat slots[RING_LEG_SLOTS])
{
    double sum[RING_LEG_SLOTS * 3] = {0.0};
    for (int k = 0; k < modes; k++) {
        double c = coefficient(p, row, k);
        for (int i = 0; i < 3 * leg_slots(p); i++)
            sum[i] += c * p->directions[(size_t)k * (size_t)p->n + (size_t)i];
    }
    for (int s = 0; s < leg_slots(p); s++) {
        double w = 1.0 / p->weights[s];
        lope_vec3 v = {(float)(sum[3 * s] * w), (float)(sum[3 * s + 1] * w), (float)(sum[3 * s + 2] * w)};
        slots[s] = lope_quat_mul(p->means[s], lope_quat_exp(v));
    }
}

// The legs of a row with the given rotations, joined to where the balls of the feet are.
static void joined_legs(const packer *p, int row, lope_quat *slots, lope_transform chains[2][RING_CHAIN])
{
    const ring_leg *legs = p->def->legs;
    const lope_vec3 *places = p->places + 3 * (size_t)row;
    if (!(p->def->def->published & LOPE_PUBLISHED_FRAMES))
        lope_ring_join_legs(p->def->skeleton, legs, (lope_transform){p->roots[row], places[0]}, places + 1, slots);
    for (int side = 0; side < 2; side++)
        lope_ring_pose_leg(p->def->skeleton, &legs[side], slots, p->roots[row], chains[side]);
}

// How far a row's heels and knees are off through the first `modes` directions, once the legs have been joined to the
// balls, whose places are not compressed; knees count less.
static float row_error(const packer *p, int row, int modes)
{
    const float knees = 0.3f;
    lope_quat packed[RING_LEG_SLOTS], own[RING_LEG_SLOTS];
    float worst = 0.0f;
    rebuild_legs(p, row, modes, packed);
    memcpy(own, p->rotations + (size_t)row * (size_t)p->slots, (size_t)leg_slots(p) * sizeof *own);
    lope_transform was[2][RING_CHAIN], is[2][RING_CHAIN];
    joined_legs(p, row, own, was);
    joined_legs(p, row, packed, is);
    for (int side = 0; side < 2; side++) {
        const ring_leg *leg = &p->def->legs[side];
        lope_vec3 knee = was[side][leg->knee].translation;
        worst = fmaxf(worst, lope_v3_distance(lope_ring_heel(leg, was[side]), lope_ring_heel(leg, is[side])));
        worst = fmaxf(worst, knees * lope_v3_distance(knee, is[side][leg->knee].translation));
    }
    return worst;
}

static float worst_error(const packer *p, int modes)
{
    float worst = 0.0f;
    for (int track = 0; track < 2; track++)
        for (int f = 0; f <= p->frames; f++)
            for (int s = 0; s < p->def->count; s++)
                worst = fmaxf(worst, row_error(p, row_index(p, track, f, s), modes));
    return worst;
}

// The least number of modes that is good enough; the error falls, so halving finds it. Or as many as hold the variance.
static void choose_modes(packer *p)
{
    if (by_variance(p)) {
        p->foot_error = worst_error(p, p->modes);
        return;
    }
    int low = 1, high = p->n < RING_MODES ? p->n : RING_MODES;
    while (low < high) {
        int middle = (low + high) / 2;
        if (worst_error(p, middle) <= p->def->def->foot_error)
            high = middle;
        else
            low = middle + 1;
    }
    p->modes = low;
    p->foot_error = worst_error(p, low);
}

// The clips that the samples are cut from. Returns their number.
static int clips_of_samples(const packer *p, lope_clip *out[RING_SAMPLES])
{
    int count = 0;
    for (int s = 0; s < p->def->count; s++) {
        const lope_clip *clip = p->def->def->clips[p->def->takes[p->def->chosen[s]].clip];
        bool known = false;
        for (int c = 0; c < count && !known; c++)
            known = out[c] == clip;
        if (!known)
            out[count++] = (lope_clip *)(uintptr_t)clip;
    }
    return count;
}

static void learn_reach(const ring_leg *leg, lope_clip *const *clips, int count, float reach[2])
{
    reach[0] = HUGE_VALF;
    for (int c = 0; c < count; c++)
        for (int f = 0; f < clips[c]->frame_count; f++) {
            lope_vec3 hip = joint_in_frame(clips[c], f, leg->joints[leg->hip]).translation;
            float far = lope_v3_distance(hip, joint_in_frame(clips[c], f, leg->joints[leg->ankle]).translation);
            reach[0] = fminf(reach[0], far);
            reach[1] = fmaxf(reach[1], far);
        }
}

// How far elbows bend and legs reach in the clips of the samples.
static void learn_limbs(const packer *p, ring_head *h)
{
    lope_hinge hinges[LOPE_LOCK_HINGES];
    lope_clip *clips[RING_SAMPLES];
    int count = clips_of_samples(p, clips);
    lope_hinges_learn(p->def->skeleton, clips, count, hinges);
    for (int side = 0; side < 2; side++) { // elbows come first
        h->elbows[side] = hinges[side];
        for (int s = 0; s < p->slots; s++)
            if (p->order[s] == hinges[side].joint)
                h->elbow_slots[side] = s;
        learn_reach(&p->def->legs[side], clips, count, h->reach[side]);
    }
}

static void fill_head(const packer *p, ring_head *h)
{
    const lope_ring_def *def = p->def->def;
    memcpy(h->name, def->name, sizeof h->name);
    h->name[sizeof h->name - 1] = 0;
    h->kind = (uint32_t)def->kind;
    h->frames = (uint32_t)p->frames;
    h->samples = (uint32_t)p->def->count;
    h->modes = (uint32_t)p->modes;
    h->width = (uint32_t)(p->modes + RING_TAIL + 3) / 4 * 4;
    h->joints = (uint32_t)p->def->skeleton->joint_count;
    h->groups = (uint32_t)p->slots / 4;
    h->leg_groups = (uint32_t)(leg_slots(p) + 3) / 4;
    for (int d = 0; d < 3; d++)
        h->lattice[d] = (uint32_t)def->lattice[d];
    h->foot_error = p->foot_error;
    h->steep = def->published & LOPE_PUBLISHED_KRIGING ? 1.0f : RING_STEEP;
    h->angles = def->published & LOPE_PUBLISHED_FRAMES ? 1 : 0;
    learn_limbs(p, h);
    double upright = 0.0;
    for (int s = 0; s < p->def->count; s++) {
        const ring_take *take = &p->def->takes[p->def->chosen[s]];
        upright += 0.5 * (double)(take->upright[0] + take->upright[1]) / p->def->count;
        h->seconds += (float)(take->loop.period / take->loop.clip->frame_rate) / (float)p->def->count;
        for (int track = 0; track < 2; track++) {
            int f = 0;
            while (f < p->frames && take->times[track][f + RING_BEYOND] < (double)take->leaves[track])
                f++;
            h->lift[track][s] = (float)f;
            double leaves = (double)(track ? take->leaves[0] + take->loop.period : take->leaves[1]);
            for (f = 0; f <= p->frames && take->times[track][f + RING_BEYOND] < leaves;)
                f++;
            h->off[track][s] = (float)f;
            h->pitch[track][s] = take->pitches[track];
        }
    }
    h->bare = def->kind == LOPE_RING_OWN && upright < (double)RING_ON_SOLES;
}

// One frame of a sample as the numbers of a row.
static void describe(const packer *p, int row, double *out)
{
    for (int k = 0; k < p->modes; k++)
        out[k] = coefficient(p, row, k);
    lope_vec3 turn = short_log(p->root_mean, p->roots[row]);
    double *tail = out + p->modes;
    tail[RING_TURN] = (double)turn.x;
    tail[RING_TURN + 1] = (double)turn.y;
    tail[RING_TURN + 2] = (double)turn.z;
    for (int i = 0; i < 3; i++) {
        double *into = tail + (i ? RING_FEET + 3 * (i - 1) : RING_PLACE);
        const lope_vec3 *place = p->places + 3 * (size_t)row + i;
        into[0] = (double)place->x;
        into[1] = (double)place->y;
        into[2] = (double)place->z;
    }
    tail[RING_RATE] = (double)p->rates[row];
}

// Controls of the uniform cubic B-spline that passes through the frames: (c[i-1] + 4 c[i] + c[i+1]) / 6 = y[i]. What is
// assumed at the ends of the span fades by a factor of four with every frame, and the ends are not kept.
static void fit_spline(double *values, int count, int stride, double *work)
{
    work[0] = 0.0;
    for (int i = 1; i + 1 < count; i++) {
        double pivot = 4.0 + (i > 1 ? -work[i - 1] : 0.0);
        double right = 6.0 * values[i * stride] - (i > 1 ? values[(i - 1) * stride] : values[0]);
        if (i + 2 == count)
            right -= values[(count - 1) * stride];
        work[i] = 1.0 / pivot;
        values[i * stride] = right / pivot;
    }
    for (int i = count - 3; i > 0; i--)
        values[i * stride] -= work[i] * values[(i + 1) * stride];
}

static lope_status fill_rows(const packer *p, const ring_head *h, float *rows, lope_error *error)
{
    int width = p->modes + RING_TAIL, count = p->def->count;
    double *values = lope_alloc_array((size_t)(p->span * (width + 1)), sizeof *values);
    if (!values)
        return lope_fail_memory(error);
    for (int track = 0; track < 2; track++)
        for (int s = 0; s < count; s++) {
            for (int f = 0; f < p->span; f++)
                describe(p, row_index(p, track, f - RING_BEYOND, s), values + f * width);
            for (int c = 0; c < width; c++)
                fit_spline(values + c, p->span, width, values + p->span * width);
            for (int f = -1; f <= p->frames + 1; f++) {
                float *row = rows + (size_t)((track * (p->frames + 3) + f + 1) * count + s) * h->width;
                for (int c = 0; c < width; c++)
                    row[c] = (float)values[(f + RING_BEYOND) * width + c];
            }
        }
    lope_free(values);
    return LOPE_OK;
}

// Where the three numbers of a slot lie in a mode of the ring: at this one, and two more by fours.
static float *mode_of(const packer *p, const lope_ring *ring, int mode, int slot)
{
    float *modes = (float *)(uintptr_t)ring->modes;
    return modes + (size_t)mode * 3 * (size_t)p->slots + (size_t)(slot / 4 * 12 + slot % 4);
}

static void fill_modes(const packer *p, const lope_ring *ring)
{
    float *means = (float *)(uintptr_t)ring->means;
    int32_t *order = (int32_t *)(uintptr_t)ring->order;
    for (int s = 0; s < p->slots; s++) {
        order[s] = p->order[s];
        const float *q = &p->means[s].x;
        for (int c = 0; c < 4; c++)
            means[16 * (s / 4) + 4 * c + s % 4] = q[c];
    }
    for (int i = 0; i < p->mixed; i++)
        for (int k = 0; k < p->modes; k++)
            for (int c = 0; c < 3; c++)
                mode_of(p, ring, k, p->mixes[i])[4 * c] =
                    (float)(p->directions[(size_t)k * (size_t)p->n + (size_t)(3 * i + c)] / p->weights[p->mixes[i]]);
    memcpy((float *)(uintptr_t)ring->root_mean, &p->root_mean, sizeof p->root_mean);
}

// What one mode tells about the slots that ride along.
static void add_riders(const packer *p, const lope_ring *ring, int mode, double *coefficients)
{
    double size = 0.0;
    for (int r = 0; r < p->rows; r++) {
        coefficients[r] = coefficient(p, r, mode);
        size += coefficients[r] * coefficients[r];
    }
    for (int s = 0, i = 0; s < p->slots && size > 1e-12; s++) {
        if (i < p->mixed && p->mixes[i] == s) {
            i++;
            continue;
        }
        double sum[3] = {0.0, 0.0, 0.0};
        for (int r = 0; r < p->rows; r++) {
            lope_vec3 v = turn_of(p, r, s);
            sum[0] += coefficients[r] * (double)v.x;
            sum[1] += coefficients[r] * (double)v.y;
            sum[2] += coefficients[r] * (double)v.z;
        }
        for (int c = 0; c < 3; c++)
            mode_of(p, ring, mode, s)[4 * c] = (float)(sum[c] / size);
    }
}

static lope_status fill_riders(const packer *p, const lope_ring *ring, lope_error *error)
{
    double *coefficients = lope_alloc_array((size_t)p->rows, sizeof *coefficients);
    if (!coefficients)
        return lope_fail_memory(error);
    for (int k = 0; k < p->modes && p->mixed < p->slots; k++)
        add_riders(p, ring, k, coefficients);
    lope_free(coefficients);
    return LOPE_OK;
}

static lope_status write_image(const packer *p, void **image, lope_error *error)
{
    ring_head head = {.facets = {RING_FACETS, RING_FACETS}};
    fill_head(p, &head);
    lope_ring ring;
    size_t size = lope_ring_attach(&ring, &head); // only measured: the head has no image behind it
    *image = lope_alloc_zero(size);
    if (!*image)
        return lope_fail_memory(error);
    memcpy(*image, &head, sizeof head);
    lope_ring_attach(&ring, *image);
    fill_modes(p, &ring);
    lope_status status = fill_riders(p, &ring, error);
    return status ? status : fill_rows(p, &head, (float *)(uintptr_t)ring.rows, error);
}

static lope_status allocate(packer *p, lope_error *error)
{
    size_t rows = (size_t)p->rows, n = (size_t)p->n, slots = (size_t)p->slots;
    p->order = lope_alloc_array(slots, sizeof *p->order);
    p->mixes = lope_alloc_array((size_t)p->mixed, sizeof *p->mixes);
    p->means = lope_alloc_array(slots, sizeof *p->means);
    p->weights = lope_alloc_array(slots, sizeof *p->weights);
    p->turns = lope_alloc_zero(slots * sizeof *p->turns);
    p->rotations = lope_alloc_array(rows * slots, sizeof *p->rotations);
    p->roots = lope_alloc_array(rows, sizeof *p->roots);
    p->places = lope_alloc_array(3 * rows, sizeof *p->places);
    p->rates = lope_alloc_array(rows, sizeof *p->rates);
    p->logs = lope_alloc_array(rows * n, sizeof *p->logs);
    p->directions = lope_alloc_array(n * n, sizeof *p->directions);
    bool good = p->order && p->mixes && p->means && p->weights && p->turns && p->rotations && p->roots && p->places &&
                p->rates && p->logs && p->directions;
    return good ? LOPE_OK : lope_fail_memory(error);
}

static void release(packer *p)
{
    lope_free(p->order);
    lope_free(p->mixes);
    lope_free(p->means);
    lope_free(p->weights);
    lope_free(p->turns);
    lope_free(p->rotations);
    lope_free(p->roots);
    lope_free(p->places);
    lope_free(p->rates);
    lope_free(p->logs);
    lope_free(p->directions);
    lope_free(p);
}

static lope_status sample_takes(packer *p, lope_error *error)
{
    size_t joints = (size_t)p->def->skeleton->joint_count;
    lope_pose pose = {.joint_count = (int)joints, .rotations = lope_alloc_array(joints, sizeof(lope_quat))};
    lope_transform *model = lope_alloc_array(joints, sizeof *model);
    lope_status status = pose.rotations && model ? LOPE_OK : lope_fail_memory(error);
    for (int s = 0; s < p->def->count && !status; s++)
        sample_take(p, s, &pose, model);
    lope_free(pose.rotations);
    lope_free(model);
    return status;
}

lope_status ring_pack(const ring_pack_def *def, void **image, lope_error *error)
{
    *image = NULL;
    packer *p = lope_alloc_zero(sizeof *p);
    if (!p)
        return lope_fail_memory(error);
    p->def = def;
    p->frames = def->def->kind == LOPE_RING_REST ? def->def->frames : def->def->frames / 2;
    p->span = p->frames + 2 * RING_BEYOND + 1;
    p->rows = 2 * p->span * def->count;
    p->slots = (def->skeleton->joint_count + 2) / 4 * 4;
    p->mixed = p->slots < MIXED ? p->slots : MIXED;
    p->n = 3 * p->mixed;
    lope_status status = allocate(p, error);
    if (!status) {
        order_joints(p);
        status = sample_takes(p, error);
    }
    if (!status && def->def->kind != LOPE_RING_REST)
        status = smooth_samples(p, error);
    if (!status) {
        take_logs(p);
        status = find_directions(p, error);
    }
    if (!status) {
        choose_modes(p);
        status = write_image(p, image, error);
    }
    release(p);
    return status;
}
