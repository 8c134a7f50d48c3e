// SPDX-License-Identifier: MIT
// Poses of a ring: rows mixed by weights, modes decoded into rotations, legs posed, landings.
//
// Rotation vectors of four joints lie side by side. Sine and cosine of half their length are even functions, so their
// series in the squared length need neither root nor division; six terms are exact to float up to a turn of 3 radians
// from a joint's mean, and a joint farther out than that is not one of a gait.
#include "rings/ring.h"

#include <string.h>

static inline ring_four load(const float *from)
{
    ring_four v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(float *to, ring_four v)
{
    memcpy(to, &v, sizeof v);
}

static inline ring_four all(float value)
{
    return (ring_four){value, value, value, value};
}

// Rows are the controls of uniform cubic B-splines: speed and acceleration are continuous for any weights.
static void basis(float t, float out[4])
{
    float r = 1.0f - t, t2 = t * t, r2 = r * r;
    out[0] = r2 * r * (1.0f / 6.0f);
    out[1] = 2.0f / 3.0f - t2 + 0.5f * t2 * t;
    out[2] = 2.0f / 3.0f - r2 + 0.5f * r2 * r;
    out[3] = t2 * t * (1.0f / 6.0f);
}

// Mixes `count` frames of a track, each counting as b says.
static void mix_frames(const lope_ring *ring, ring_moment from, const float *b, int count, float *row)
{
    const ring_head *h = ring->head;
    int samples = (int)h->samples;
    float by[4 * RING_SAMPLES];
    for (int k = 0; k < count; k++)
        for (int s = 0; s < samples; s++)
            by[k * samples + s] = b[k] * from.weights[s];
    ring_terms terms = {ring_row(ring, from.track, (int)from.frame, 0), h->width, by, count * samples};
    lope_ring_weigh(&terms, (int)h->width, lope_ring_lanes(), row);
}

void lope_ring_mix(const lope_ring *ring, int track, float frame, const float *weights, float *row)
{
    int last = (int)ring->head->frames - 1, first = frame > 0.0f ? frame < (float)last ? (int)frame : last : 0;
    float t = larger(-1.0f, smaller(frame - (float)first, 1.0f)), b[4]; // a little before the first: its curve goes on
    basis(t, b);
    mix_frames(ring, (ring_moment){track, (float)(first - 1), weights}, b, 4, row);
}

// The first frame of a track.
static void mix_first(const lope_ring *ring, int track, const float *weights, float *row)
{
    static const float b[3] = {1.0f / 6.0f, 2.0f / 3.0f, 1.0f / 6.0f};
    mix_frames(ring, (ring_moment){track, -1.0f, weights}, b, 3, row);
}

typedef struct four_quats {
    ring_four x, y, z, w;
} four_quats;

static inline four_quats exponential(ring_four x, ring_four y, ring_four z)
{
    ring_four q = (x * x + y * y + z * z) * 0.25f; // half the angle, squared
    ring_four s =
        1.0f + q * (-1.0f / 6.0f +
                    q * (1.0f / 120.0f + q * (-1.0f / 5040.0f + q * (1.0f / 362880.0f - q * (1.0f / 39916800.0f)))));
    ring_four c =
        1.0f + q * (-0.5f + q * (1.0f / 24.0f +
                                 q * (-1.0f / 720.0f +
                                      q * (1.0f / 40320.0f + q * (-1.0f / 3628800.0f + q * (1.0f / 479001600.0f))))));
    s *= 0.5f;
    return (four_quats){x * s, y * s, z * s, c};
}

static inline four_quats product(four_quats a, four_quats b)
{
    return (four_quats){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Radians at either end of an elbow's range within which it is bent less and less, and that it may go beyond.
#define ELBOW_SOFT 0.07f
#define ELBOW_COSINE 0.99755f
#define ELBOW_SINE 0.06994f
#define ELBOW_SPARE 0.007f

// The rotation of an elbow, turned back about its hinge where it is close to an end of its range or beyond.
static lope_quat keep_elbow(const lope_hinge *hinge, lope_quat q)
{
    lope_vec3 bone = lope_quat_rotate(q, hinge->bone);
    float along = lope_v3_dot(bone, hinge->middle), across = lope_v3_dot(bone, hinge->side);
    float size = along * along + across * across;
    if (size < 0.01f)
        return q;
    // The range without its ends, or what is left of a narrow one.
    bool narrow = hinge->cosine >= ELBOW_COSINE;
    float cosine = narrow ? 1.0f : hinge->cosine * ELBOW_COSINE + hinge->sine * ELBOW_SINE;
    float sine = narrow ? 0.0f : hinge->sine * ELBOW_COSINE - hinge->cosine * ELBOW_SINE;
    float per = 1.0f / sqrtf(size), c = along * per, s = fabsf(across) * per;
    float beyond = s * cosine - c * sine, inside = c * cosine + s * sine; // sine and cosine of the angle beyond that
    if (beyond <= 0.0f)
        return q;
    bool near = beyond < 0.5f && inside > 0.0f; // as it is in gaits: then a series will do
    float square = beyond * beyond, over = beyond * (1.0f + square * (1.0f / 6.0f + square * (3.0f / 40.0f)));
    over = near ? over : (float)lope_atan2((double)beyond, (double)inside);
    float soft = narrow ? hinge->sine : ELBOW_SOFT, x = over / (soft + ELBOW_SPARE);
    float half = 0.5f * (over - over / sqrtf(1.0f + x * x));
    float turn = near ? half * (1.0f - half * half * (1.0f / 6.0f)) : (float)lope_sin((double)half);
    turn = across > 0.0f ? -turn : turn;
    lope_vec3 by = lope_v3_scale(hinge->axis, turn);
    return lope_quat_mul((lope_quat){by.x, by.y, by.z, sqrtf(1.0f - turn * turn)}, q);
}

void lope_ring_decode(const lope_ring *ring, const float *row, int first, int last, lope_quat *slots)
{
    const ring_head *h = ring->head;
    float turns[24]; // x, y, z of four joints, of two groups
    ring_terms terms = {.stride = (size_t)h->groups * 12, .by = row, .count = (int)h->modes};
    for (int g = first; g < last; g++) {
        const float *turn = turns + 12 * ((g - first) % 2);
        terms.rows = ring->modes + 12 * (size_t)g;
        if (turn == turns)
            lope_ring_weigh(&terms, g + 1 < last ? 24 : 12, lope_ring_lanes(), turns);
        ring_four x = load(turn), y = load(turn + 4), z = load(turn + 8);
        const float *mean = ring->means + 16 * (size_t)g;
        four_quats m = {load(mean), load(mean + 4), load(mean + 8), load(mean + 12)};
        four_quats q = product(m, exponential(x, y, z));
        ring_four low01 = __builtin_shufflevector(q.x, q.y, 0, 4, 1, 5),
                  high01 = __builtin_shufflevector(q.x, q.y, 2, 6, 3, 7);
        ring_four low23 = __builtin_shufflevector(q.z, q.w, 0, 4, 1, 5),
                  high23 = __builtin_shufflevector(q.z, q.w, 2, 6, 3, 7);
        float *out = &slots[4 * (g - first)].x;
        store(out, __builtin_shufflevector(low01, low23, 0, 1, 4, 5));
        store(out + 4, __builtin_shufflevector(low01, low23, 2, 3, 6, 7));
        store(out + 8, __builtin_shufflevector(high01, high23, 0, 1, 4, 5));
        store(out + 12, __builtin_shufflevector(high01, high23, 2, 3, 6, 7));
    }
    for (int side = 0; side < 2; side++) {
        int slot = h->elbow_slots[side];
        if (h->elbows[side].joint > 0 && slot >= 4 * first && slot < 4 * last)
            slots[slot - 4 * first] = keep_elbow(&h->elbows[side], slots[slot - 4 * first]);
    }
}

lope_quat lope_ring_root_rotation(const lope_ring *ring, const float *row)
{
    const float *v = row + ring->head->modes + RING_TURN, *m = ring->root_mean;
    four_quats e = exponential(all(v[0]), all(v[1]), all(v[2]));
    return lope_quat_mul((lope_quat){m[0], m[1], m[2], m[3]}, (lope_quat){e.x[0], e.y[0], e.z[0], e.w[0]});
}

void lope_ring_pose_leg(const lope_skeleton *skeleton, const ring_leg *leg, const lope_quat *slots, lope_quat root,
                        lope_transform chain[RING_CHAIN])
{
    lope_transform above = {root, {0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < leg->count; i++) {
        lope_transform local = {slots[leg->slots[i]], skeleton->rest[leg->joints[i]].translation};
        above = chain[i] = lope_transform_mul(above, local);
    }
}

lope_vec3 lope_ring_ball(const ring_leg *leg, const lope_transform *chain)
{
    return lope_transform_point(chain[leg->toe], leg->ball);
}

lope_vec3 lope_ring_heel(const ring_leg *leg, const lope_transform *chain)
{
    return lope_transform_point(chain[leg->ankle], leg->heel);
}

// Writes the rotations of a group's slots to the joints they are of.
static void scatter(const lope_ring *ring, int group, const lope_quat *slots, lope_quat *rotations)
{
    for (int i = 0; i < 4; i++)
        if (ring->order[4 * group + i] > 0)
            rotations[ring->order[4 * group + i]] = slots[i];
}

void lope_ring_pose_all(const lope_rings *rings, const lope_ring *ring, ring_moment at, lope_pose *out)
{
    const ring_head *h = ring->head;
    float row[RING_WIDTH];
    lope_quat legs[RING_LEG_SLOTS], four[4];
    lope_ring_mix(ring, at.track, at.frame, at.weights, row);
    lope_ring_decode(ring, row, 0, (int)h->leg_groups, legs);
    lope_transform root = {lope_ring_root_rotation(ring, row), ring_place(ring, row)};
    const lope_vec3 balls[2] = {ring_ball_place(ring, row, 0), ring_ball_place(ring, row, 1)};
    if (!h->angles)
        lope_ring_join_legs(rings->skeleton, rings->legs, root, balls, legs);
    out->root = root.translation;
    out->rotations[0] = root.rotation;
    for (int g = 0; g < (int)h->groups; g++) {
        bool of_legs = g < (int)h->leg_groups;
        if (!of_legs)
            lope_ring_decode(ring, row, g, g + 1, four);
        scatter(ring, g, of_legs ? legs + (size_t)4 * (size_t)g : four, out->rotations);
    }
}

// The yaw of a rotation: its twist about +Y.
static float yaw_of(lope_quat q)
{
    return (float)(2.0 * lope_atan2((double)q.y, (double)q.w));
}

ring_strike lope_ring_strike_of(const lope_rings *rings, const lope_ring *ring, int track, const float *weights)
{
    const ring_head *h = ring->head;
    bool rest = h->kind == LOPE_RING_REST;
    float row[RING_WIDTH], next[RING_WIDTH];
    lope_quat slots[RING_LEG_SLOTS];
    lope_transform chain[RING_CHAIN];
    const ring_leg *swing = &rings->legs[1 - track];
    lope_ring_mix(ring, track, rest ? 0.0f : (float)h->frames, weights, row);
    lope_ring_decode(ring, row, 0, (int)h->leg_groups, slots);
    lope_quat root = lope_ring_root_rotation(ring, row);
    lope_ring_pose_leg(rings->skeleton, swing, slots, root, chain);
    ring_strike strike = {.ankle = chain[swing->ankle]};
    lope_vec3 ball = ring_ball_shown(ring, row, 1 - track, swing, chain);
    strike.ankle.translation = ring_ankle_for(swing, chain, ball);
    strike.toe = swing->toe == swing->ankle ? lope_quat_identity() : slots[swing->slots[swing->toe]];
    // The other track begins in its own frame, in the same pose: seen from there, where is the foot, and how turned?
    mix_first(ring, 1 - track, weights, next);
    lope_quat there = lope_ring_root_rotation(ring, next);
    float yaw = lope_wrap_angle(yaw_of(lope_quat_mul(root, lope_quat_conjugate(there))));
    if (h->angles) {
        lope_ring_decode(ring, next, 0, (int)h->leg_groups, slots);
        lope_ring_pose_leg(rings->skeleton, swing, slots, there, chain);
    }
    lope_vec3 struck = lope_quat_rotate(lope_quat_yaw(yaw), ring_ball_shown(ring, next, 1 - track, swing, chain));
    strike.landing = (lope_ring_landing){lope_v3_sub(ball, struck), yaw};
    return strike;
}

lope_ring_landing lope_ring_land_of(const lope_rings *rings, const lope_ring *ring, int track, const float *weights)
{
    return lope_ring_strike_of(rings, ring, track, weights).landing;
}
