// SPDX-License-Identifier: MIT
// Measuring and judging: jerk, angular velocity and acceleration, ranges of knees and elbows, depth under the floor.
#include "bench/grader/grader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grader/grader_parts.h"

enum { MOST_TRACKED = 19, LIMBS = 4 };

// Numbers that are sorted when they are asked for.
typedef struct samples {
    double *items;
    size_t count, capacity;
    bool sorted;
} samples;

// How a limb was bent in a frame: the axis in the frame of the joint above, as long as the sine, and the cosine.
typedef struct bend {
    grader_vec across;
    double cosine;
} bend;

// A knee or an elbow in all frames.
typedef struct limb {
    bend *bends;
    size_t count, capacity;
} limb;

// Radians.
typedef struct range {
    double least, most;
} range;

struct grader_sums {
    int joint_count;
    int tracked_count, tracked[MOST_TRACKED];
    char names[MOST_TRACKED][64];
    double seconds, moving;
    double low_travel, low_seconds, stand_travel, stand_seconds;
    double sink; // metres
    double jerk_sum;
    samples jerk;
    samples speed[MOST_TRACKED], turn[MOST_TRACKED]; // rad/s, rad/s^2
    limb limbs[LIMBS];                               // left and right knee, left and right elbow
    double lowest[MOST_TRACKED];                     // metres over the floor
};

static void push(samples *s, double value)
{
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 1024;
        s->items = realloc(s->items, s->capacity * sizeof *s->items);
        if (!s->items)
            abort();
    }
    s->items[s->count++] = value;
    s->sorted = false;
}

static void sort(samples *s)
{
    if (!s->sorted && s->count)
        qsort(s->items, s->count, sizeof *s->items, grader_compare);
    s->sorted = true;
}

// The value that a share of all lies below.
static double quantile(const samples *s, double share)
{
    return s->count ? s->items[(size_t)(share * (double)(s->count - 1))] : 0.0;
}

grader_sums *grader_sums_create(void)
{
    grader_sums *sums = calloc(1, sizeof *sums);
    if (!sums)
        abort();
    for (int i = 0; i < MOST_TRACKED; i++)
        sums->lowest[i] = INFINITY;
    return sums;
}

void grader_sums_destroy(grader_sums *sums)
{
    if (!sums)
        return;
    free(sums->jerk.items);
    for (int i = 0; i < MOST_TRACKED; i++) {
        free(sums->speed[i].items);
        free(sums->turn[i].items);
    }
    for (int i = 0; i < LIMBS; i++)
        free(sums->limbs[i].bends);
    free(sums);
}

static void track(grader_sums *sums, const grader_motion *motion, int joint)
{
    if (joint < 0 || sums->tracked_count == MOST_TRACKED)
        return;
    memcpy(sums->names[sums->tracked_count], motion->names[joint], 64);
    sums->tracked[sums->tracked_count++] = joint;
}

static bool choose_joints(grader_sums *sums, const grader_motion *motion, const grader_body *body)
{
    if (sums->joint_count)
        return sums->joint_count == motion->joint_count;
    sums->joint_count = motion->joint_count;
    const int middle[] = {body->hips, body->spine, body->chest, body->neck, body->head};
    for (int i = 0; i < 5; i++)
        track(sums, motion, middle[i]);
    for (int side = 0; side < 2; side++) {
        const int ends[] = {body->shoulder[side], body->elbow[side], body->hand[side], body->hip[side],
                            body->knee[side],     body->ankle[side], body->toe[side]};
        for (int i = 0; i < 7; i++)
            track(sums, motion, ends[i]);
    }
    return true;
}

static const grader_vec *position(const grader_motion *m, int frame, int joint)
{
    return &m->positions[(size_t)frame * (size_t)m->joint_count + (size_t)joint];
}

static const grader_quat *world(const grader_motion *m, int frame, int joint)
{
    return &m->world[(size_t)frame * (size_t)m->joint_count + (size_t)joint];
}

// Whether the hips travel faster than 0.3 m/s over the second around a frame.
static bool moves(const grader_motion *m, const grader_body *body, int frame)
{
    int half = (int)(0.5 * m->rate), a = frame - half, b = frame + half;
    a = a < 0 ? 0 : a;
    b = b >= m->frame_count ? m->frame_count - 1 : b;
    if (a >= b)
        return false;
    grader_vec d = gv_sub(*position(m, b, body->hips), *position(m, a, body->hips));
    return hypot(d.x, d.z) * m->rate / (double)(b - a) > 0.3;
}

static void add_feet(grader_sums *sums, const grader_motion *m, const grader_body *body)
{
    uint8_t(*stands)[2] = malloc((size_t)m->frame_count * sizeof *stands);
    if (!stands)
        abort();
    grader_contacts(m, body, stands);
    for (int side = 0; side < 2; side++) {
        double low = grader_low(m, body, side);
        for (int f = 0; f + 1 < m->frame_count; f++) {
            if (!moves(m, body, f))
                continue;
            sums->sink = fmax(sums->sink, low - GRADER_LOW - grader_ball(m, body, side, f).y);
            double step = grader_ball_step(m, body, side, f) / m->rate;
            bool is_low = grader_ball(m, body, side, f).y < low && grader_ball(m, body, side, f + 1).y < low;
            if (is_low) {
                sums->low_travel += step;
                sums->low_seconds += 1.0 / m->rate;
            }
            if (stands[f][side] && stands[f + 1][side]) {
                sums->stand_travel += step;
                sums->stand_seconds += 1.0 / m->rate;
            }
        }
    }
    free(stands);
}

static void add_jerk(grader_sums *sums, const grader_motion *m, const grader_body *body)
{
    double scale = m->rate * m->rate * m->rate;
    for (int f = 0; f + 3 < m->frame_count; f++) {
        if (!moves(m, body, f))
            continue;
        for (int i = 0; i < sums->tracked_count; i++) {
            int j = sums->tracked[i];
            grader_vec p0 = *position(m, f, j), p1 = *position(m, f + 1, j), p2 = *position(m, f + 2, j),
                       p3 = *position(m, f + 3, j);
            grader_vec third = gv_add(gv_sub(p3, p0), gv_scale(gv_sub(p1, p2), 3.0));
            double jerk = gv_length(third) * scale;
            sums->jerk_sum += jerk;
            push(&sums->jerk, jerk);
        }
    }
}

// Rotation of a joint relative to the hips' parent or to the joint above: hips in the world.
static grader_quat turned(const grader_motion *m, int frame, int joint)
{
    return m->local[(size_t)frame * (size_t)m->joint_count + (size_t)joint];
}

static void add_turns(grader_sums *sums, const grader_motion *m)
{
    for (int i = 0; i < sums->tracked_count; i++) {
        grader_vec before = gv(0.0, 0.0, 0.0);
        for (int f = 0; f + 1 < m->frame_count; f++) {
            grader_quat a = turned(m, f, sums->tracked[i]), b = turned(m, f + 1, sums->tracked[i]);
            grader_vec speed = gv_scale(gq_log(gq_mul(b, gq_back(a))), m->rate); // in the parent's frame
            push(&sums->speed[i], gv_length(speed));
            if (f > 0)
                push(&sums->turn[i], gv_length(gv_sub(speed, before)) * m->rate);
            before = speed;
        }
    }
}

typedef struct limb_joints {
    int upper, middle, lower;
} limb_joints;

static limb_joints limb_of(const grader_body *body, int index)
{
    int side = index % 2;
    return index < 2 ? (limb_joints){body->hip[side], body->knee[side], body->ankle[side]}
                     : (limb_joints){body->shoulder[side], body->elbow[side], body->hand[side]};
}

// Directions of the bones above and below the hinge.
static void bones_of(const grader_motion *m, int frame, limb_joints l, grader_vec *above, grader_vec *below)
{
    *above = gv_sub(*position(m, frame, l.middle), *position(m, frame, l.upper));
    *below = gv_sub(*position(m, frame, l.lower), *position(m, frame, l.middle));
    *above = gv_scale(*above, 1.0 / fmax(gv_length(*above), 1e-9));
    *below = gv_scale(*below, 1.0 / fmax(gv_length(*below), 1e-9));
}

static void add_limbs(grader_sums *sums, const grader_motion *m, const grader_body *body)
{
    for (int i = 0; i < LIMBS; i++) {
        limb_joints l = limb_of(body, i);
        limb *to = &sums->limbs[i];
        if (l.upper < 0 || l.middle < 0 || l.lower < 0)
            continue;
        size_t room = to->count + (size_t)m->frame_count;
        if (room > to->capacity) {
            to->capacity = 2 * room;
            to->bends = realloc(to->bends, to->capacity * sizeof *to->bends);
            if (!to->bends)
                abort();
        }
        for (int f = 0; f < m->frame_count; f++) {
            grader_vec above, below;
            bones_of(m, f, l, &above, &below);
            grader_vec across = gq_rotate(gq_back(*world(m, f, l.upper)), gv_cross(above, below));
            to->bends[to->count++] = (bend){across, gv_dot(above, below)};
        }
    }
}

static void add_floor(grader_sums *sums, const grader_motion *m, const grader_body *body)
{
    for (int i = 0; i < sums->tracked_count; i++)
        for (int f = 0; f < m->frame_count; f++)
            sums->lowest[i] = fmin(sums->lowest[i], position(m, f, sums->tracked[i])->y - body->floor);
}

bool grader_sums_add(grader_sums *sums, const grader_motion *motion, const grader_body *body)
{
    if (motion->frame_count < 4 || body->hips < 0 || body->ankle[0] < 0 || body->ankle[1] < 0)
        return false;
    if (!choose_joints(sums, motion, body))
        return false;
    sums->seconds += (double)motion->frame_count / motion->rate;
    for (int f = 0; f < motion->frame_count; f++)
        sums->moving += moves(motion, body, f) ? 1.0 / motion->rate : 0.0;
    add_feet(sums, motion, body);
    add_jerk(sums, motion, body);
    add_turns(sums, motion);
    add_limbs(sums, motion, body);
    add_floor(sums, motion, body);
    return true;
}

static void sort_all(grader_sums *sums)
{
    sort(&sums->jerk);
    for (int i = 0; i < sums->tracked_count; i++) {
        sort(&sums->speed[i]);
        sort(&sums->turn[i]);
    }
}

// How often and how far `mine` goes above 99.9 % of what the source does; nothing below `least` counts.
typedef struct excess {
    double share, worst;
    int joint;
} excess;

static excess find_excess(const samples *mine, const samples *source, int count, double least)
{
    excess e = {0.0, 0.0, -1};
    double above = 0.0, all = 0.0;
    for (int i = 0; i < count; i++) {
        double bound = fmax(quantile(&source[i], 0.999), least);
        for (size_t k = mine[i].count; k > 0 && mine[i].items[k - 1] > bound; k--)
            above += 1.0;
        all += (double)mine[i].count;
        double worst = mine[i].count ? mine[i].items[mine[i].count - 1] / bound : 0.0;
        if (worst > e.worst) {
            e.worst = worst;
            e.joint = i;
        }
    }
    e.share = all > 0.0 ? above / all : 0.0;
    return e;
}

// The axis that a limb bends about: the mean over all frames, weighted by how far it is bent.
static grader_vec find_hinge(const limb *l)
{
    grader_vec sum = gv(0.0, 0.0, 0.0);
    for (size_t i = 0; i < l->count; i++)
        sum = gv_add(sum, l->bends[i].across);
    return gv_scale(sum, 1.0 / fmax(gv_length(sum), 1e-12));
}

static range find_range(const limb *l, grader_vec hinge)
{
    range r = {INFINITY, -INFINITY};
    for (size_t i = 0; i < l->count; i++) {
        double angle = atan2(gv_dot(l->bends[i].across, hinge), l->bends[i].cosine);
        r.least = fmin(r.least, angle);
        r.most = fmax(r.most, angle);
    }
    return r;
}

static void judge_limbs(const grader_sums *sums, const grader_sums *source, grader_grades *g)
{
    for (int i = 0; i < LIMBS; i++) {
        if (!sums->limbs[i].count || !source->limbs[i].count)
            continue;
        grader_vec hinge = find_hinge(&source->limbs[i]);
        range mine = find_range(&sums->limbs[i], hinge), theirs = find_range(&source->limbs[i], hinge);
        double *to = i < 2 ? &g->knee_beyond : &g->elbow_beyond;
        double past = fmax(theirs.least - mine.least, mine.most - theirs.most);
        *to = fmax(*to, GRADER_DEGREES * past);
        g->backwards = fmax(g->backwards, GRADER_DEGREES * (fmin(0.0, theirs.least) - mine.least));
    }
}

static void judge_against(const grader_sums *sums, const grader_sums *source, grader_grades *g)
{
    int count = sums->tracked_count < source->tracked_count ? sums->tracked_count : source->tracked_count;
    excess speed = find_excess(sums->speed, source->speed, count, 1.0);
    excess turn = find_excess(sums->turn, source->turn, count, 30.0);
    g->speed_share = speed.share;
    g->speed_worst = speed.worst;
    g->turn_share = turn.share;
    g->turn_worst = turn.worst;
    if (speed.joint >= 0)
        memcpy(g->speed_joint, sums->names[speed.joint], 64);
    if (turn.joint >= 0)
        memcpy(g->turn_joint, sums->names[turn.joint], 64);
    judge_limbs(sums, source, g);
    double mine = INFINITY, theirs = INFINITY;
    for (int i = 0; i < count; i++) {
        mine = fmin(mine, sums->lowest[i]);
        theirs = fmin(theirs, source->lowest[i]);
    }
    g->under_floor = count ? fmax(0.0, fmin(theirs, 0.0) - mine) : 0.0;
}

grader_grades grader_judge(grader_sums *sums, grader_sums *source)
{
    sort_all(sums);
    if (source)
        sort_all(source);
    grader_grades g = {.seconds = sums->seconds, .moving = sums->moving};
    g.skate = sums->low_seconds > 0.0 ? 100.0 * sums->low_travel / sums->low_seconds : 0.0;
    g.planted = sums->stand_seconds > 0.0 ? 100.0 * sums->stand_travel / sums->stand_seconds : 0.0;
    g.jerk = sums->jerk.count ? sums->jerk_sum / (double)sums->jerk.count : 0.0;
    g.jerk_high = quantile(&sums->jerk, 0.999);
    g.sink = sums->sink;
    if (source)
        judge_against(sums, source, &g);
    return g;
}
