// SPDX-License-Identifier: MIT
// Measuring and judging: jerk, angular velocity and acceleration, ranges of knees and elbows, depth under the floor.
#include "bench/grader/grader.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grader/grader_parts.h"

enum { MOST_TRACKED = 19, LIMBS = 4, TEMPOS = 7 };

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
    grader_place place;
} bend;

// A knee or an elbow in all frames.
typedef struct limb {
    bend *bends;
    size_t count, capacity;
} limb;

// Radians.
typedef struct range {
    double least, most;
    grader_place least_place, most_place;
} range;

// A frame of a motion, and the largest value of something, which it has.
typedef struct peak {
    double value;
    grader_place place;
} peak;

// What is measured while the body travels at about one speed: standing and creeping come first.
typedef struct tempo {
    double seconds;
    double low_travel, low_seconds, stand_travel, stand_seconds;
    double jerk_sum;
    samples jerk;
    samples speed[MOST_TRACKED], turn[MOST_TRACKED]; // rad/s, rad/s^2
} tempo;

struct grader_sums {
    int joint_count;
    int tracked_count, tracked[MOST_TRACKED];
    char names[MOST_TRACKED][64];
    int motion_count;
    double seconds;
    tempo tempos[TEMPOS];
    peak speed_peaks[MOST_TRACKED], turn_peaks[MOST_TRACKED];
    double sink;                 // metres
    limb limbs[LIMBS];           // left and right knee, left and right elbow
    double lowest[MOST_TRACKED]; // metres over the floor
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

grader_sums *grader_sums_create(void)
{
    grader_sums *sums = calloc(1, sizeof *sums);
    if (!sums)
        abort();
    for (int i = 0; i < MOST_TRACKED; i++)
        sums->lowest[i] = (double)INFINITY;
    return sums;
}

void grader_sums_destroy(grader_sums *sums)
{
    if (!sums)
        return;
    for (int k = 0; k < TEMPOS; k++) {
        free(sums->tempos[k].jerk.items);
        for (int i = 0; i < MOST_TRACKED; i++) {
            free(sums->tempos[k].speed[i].items);
            free(sums->tempos[k].turn[i].items);
        }
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

// How fast the hips travel over the second around a frame: 0 below 0.3 m/s, then in steps.
static int tempo_at(const grader_motion *m, const grader_body *body, int frame)
{
    static const double from[TEMPOS - 1] = {0.3, 0.7, 1.0, 1.3, 1.7, 2.5};
    int half = (int)(0.5 * m->rate), a = frame - half, b = frame + half, k = 0;
    a = a < 0 ? 0 : a;
    b = b >= m->frame_count ? m->frame_count - 1 : b;
    if (a >= b)
        return 0;
    grader_vec d = gv_sub(*position(m, b, body->hips), *position(m, a, body->hips));
    double speed = hypot(d.x, d.z) * m->rate / (double)(b - a);
    while (k < TEMPOS - 1 && speed > from[k])
        k++;
    return k;
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
            tempo *t = &sums->tempos[tempo_at(m, body, f)];
            if (t == sums->tempos)
                continue;
            sums->sink = fmax(sums->sink, low - GRADER_LOW - grader_ball(m, body, side, f).y);
            double step = grader_ball_step(m, body, side, f) / m->rate;
            bool is_low = grader_ball(m, body, side, f).y < low && grader_ball(m, body, side, f + 1).y < low;
            if (is_low) {
                t->low_travel += step;
                t->low_seconds += 1.0 / m->rate;
            }
            if (stands[f][side] && stands[f + 1][side]) {
                t->stand_travel += step;
                t->stand_seconds += 1.0 / m->rate;
            }
        }
    }
    free(stands);
}

static void add_jerk(grader_sums *sums, const grader_motion *m, const grader_body *body)
{
    double scale = m->rate * m->rate * m->rate;
    for (int f = 0; f + 3 < m->frame_count; f++) {
        tempo *t = &sums->tempos[tempo_at(m, body, f)];
        if (t == sums->tempos)
            continue;
        for (int i = 0; i < sums->tracked_count; i++) {
            int j = sums->tracked[i];
            grader_vec p0 = *position(m, f, j), p1 = *position(m, f + 1, j), p2 = *position(m, f + 2, j),
                       p3 = *position(m, f + 3, j);
            grader_vec third = gv_add(gv_sub(p3, p0), gv_scale(gv_sub(p1, p2), 3.0));
            double jerk = gv_length(third) * scale;
            t->jerk_sum += jerk;
            push(&t->jerk, jerk);
        }
    }
}

// Rotation of a joint relative to the hips' parent or to the joint above: hips in the world.
static grader_quat turned(const grader_motion *m, int frame, int joint)
{
    return m->local[(size_t)frame * (size_t)m->joint_count + (size_t)joint];
}

static void note_peak(peak *p, double value, const grader_sums *sums, double seconds)
{
    if (value > p->value)
        *p = (peak){value, {sums->motion_count, seconds}};
}

static void add_turns(grader_sums *sums, const grader_motion *m, const grader_body *body)
{
    for (int i = 0; i < sums->tracked_count; i++) {
        grader_vec before = gv(0.0, 0.0, 0.0);
        for (int f = 0; f + 1 < m->frame_count; f++) {
            grader_quat a = turned(m, f, sums->tracked[i]), b = turned(m, f + 1, sums->tracked[i]);
            grader_vec speed = gv_scale(gq_log(gq_mul(b, gq_back(a))), m->rate); // in the parent's frame
            double fast = gv_length(speed), change = gv_length(gv_sub(speed, before)) * m->rate;
            tempo *t = &sums->tempos[tempo_at(m, body, f)];
            push(&t->speed[i], fast);
            note_peak(&sums->speed_peaks[i], fast, sums, (double)f / m->rate);
            if (f > 0) {
                push(&t->turn[i], change);
                note_peak(&sums->turn_peaks[i], change, sums, (double)f / m->rate);
            }
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
            grader_place place = {sums->motion_count, (double)f / m->rate};
            to->bends[to->count++] = (bend){across, gv_dot(above, below), place};
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
        sums->tempos[tempo_at(motion, body, f)].seconds += 1.0 / motion->rate;
    add_feet(sums, motion, body);
    add_jerk(sums, motion, body);
    add_turns(sums, motion, body);
    add_limbs(sums, motion, body);
    add_floor(sums, motion, body);
    sums->motion_count++;
    return true;
}

static void sort_all(grader_sums *sums)
{
    for (int k = 0; k < TEMPOS; k++) {
        sort(&sums->tempos[k].jerk);
        for (int i = 0; i < sums->tracked_count; i++) {
            sort(&sums->tempos[k].speed[i]);
            sort(&sums->tempos[k].turn[i]);
        }
    }
}

// How much each tempo of `sums` counts so that it is met as often as in `like`. What `sums` has less than a third of a
// second of counts for the nearest tempo that it has.
static void weigh(const grader_sums *sums, const grader_sums *like, double weights[TEMPOS])
{
    const double least = 1.0 / 3.0;
    for (int k = 0; k < TEMPOS; k++)
        weights[k] = 0.0;
    for (int k = 0; k < TEMPOS; k++) {
        int to = -1;
        for (int i = 0; i < TEMPOS; i++)
            if (sums->tempos[i].seconds >= least && (i > 0) == (k > 0) && (to < 0 || abs(i - k) < abs(to - k)))
                to = i;
        if (to >= 0)
            weights[to] += like->tempos[k].seconds / sums->tempos[to].seconds;
    }
}

static size_t count_above(const samples *s, double bound)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->items[middle] > bound)
            high = middle;
        else
            low = middle + 1;
    }
    return s->count - low;
}

// Samples of one kind: those of a tempo are `offset` bytes into it.
static const samples *samples_of(const grader_sums *sums, int k, size_t offset)
{
    return (const samples *)(const void *)((const char *)&sums->tempos[k] + offset);
}

// Of weighted samples.
static double share_above(const grader_sums *sums, const double weights[TEMPOS], size_t offset, double bound)
{
    double above = 0.0, all = 0.0;
    for (int k = 0; k < TEMPOS; k++) {
        const samples *s = samples_of(sums, k, offset);
        above += weights[k] * (double)count_above(s, bound);
        all += weights[k] * (double)s->count;
    }
    return all > 0.0 ? above / all : 0.0;
}

static double largest(const grader_sums *sums, size_t offset)
{
    double most = 0.0;
    for (int k = 0; k < TEMPOS; k++) {
        const samples *s = samples_of(sums, k, offset);
        most = s->count ? fmax(most, s->items[s->count - 1]) : most;
    }
    return most;
}

// The value that a share of the weighted samples lies below.
static double quantile(const grader_sums *sums, const double weights[TEMPOS], size_t offset, double share)
{
    double low = 0.0, high = largest(sums, offset);
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (low + high);
        *(share_above(sums, weights, offset, middle) > 1.0 - share ? &low : &high) = middle;
    }
    return high;
}

static const double even[TEMPOS] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};

// How often and how far a motion goes above 99.9 % of what its source does at the same tempo; nothing below `least`
// counts. Where the source itself goes beyond twice that, a motion that does the same is not blamed: the worst is then
// told in halves of the source's own largest value.
static grader_excess find_excess(const grader_sums *mine, const grader_sums *source, size_t offset, double least)
{
    grader_excess e = {.joint = ""};
    int count = mine->tracked_count < source->tracked_count ? mine->tracked_count : source->tracked_count;
    double weights[TEMPOS];
    weigh(source, mine, weights);
    for (int i = 0; i < count; i++) {
        size_t at = offset + (size_t)i * sizeof(samples);
        double bound = fmax(quantile(source, weights, at, 0.999), least), theirs = largest(source, at);
        double worst = largest(mine, at) / fmax(bound, 0.5 * theirs);
        e.share += share_above(mine, even, at, bound) / count;
        if (worst <= e.worst)
            continue;
        e.worst = worst;
        e.plain = largest(mine, at) / bound;
        e.source = theirs / bound;
        e.place = (offset == offsetof(tempo, speed) ? mine->speed_peaks : mine->turn_peaks)[i].place;
        memcpy(e.joint, mine->names[i], sizeof e.joint);
    }
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
    range r = {.least = (double)INFINITY, .most = -(double)INFINITY};
    for (size_t i = 0; i < l->count; i++) {
        double angle = atan2(gv_dot(l->bends[i].across, hinge), l->bends[i].cosine);
        if (angle < r.least) {
            r.least = angle;
            r.least_place = l->bends[i].place;
        }
        if (angle > r.most) {
            r.most = angle;
            r.most_place = l->bends[i].place;
        }
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
        double below = theirs.least - mine.least, above = mine.most - theirs.most, past = fmax(below, above);
        if (GRADER_DEGREES * past > fmax(g->knee_beyond, g->elbow_beyond))
            g->limb_place = below > above ? mine.least_place : mine.most_place;
        *to = fmax(*to, GRADER_DEGREES * past);
        g->backwards = fmax(g->backwards, GRADER_DEGREES * (fmin(0.0, theirs.least) - mine.least));
    }
}

static void judge_against(const grader_sums *sums, const grader_sums *source, grader_grades *g)
{
    int count = sums->tracked_count < source->tracked_count ? sums->tracked_count : source->tracked_count;
    g->speed = find_excess(sums, source, offsetof(tempo, speed), 1.0);
    g->turn = find_excess(sums, source, offsetof(tempo, turn), 30.0);
    judge_limbs(sums, source, g);
    double mine = (double)INFINITY, theirs = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        mine = fmin(mine, sums->lowest[i]);
        theirs = fmin(theirs, source->lowest[i]);
    }
    g->under_floor = count ? fmax(0.0, fmin(theirs, 0.0) - mine) : 0.0;
}

// Numbers of `sums` where every tempo counts so much.
static grader_grades numbers(const grader_sums *sums, const double weights[TEMPOS])
{
    tempo all = {0};
    double jerks = 0.0, moving[TEMPOS];
    grader_grades g = {.seconds = sums->seconds, .sink = sums->sink};
    moving[0] = 0.0;
    for (int k = 1; k < TEMPOS; k++) {
        const tempo *t = &sums->tempos[k];
        moving[k] = weights[k];
        g.moving += t->seconds;
        all.low_travel += weights[k] * t->low_travel;
        all.low_seconds += weights[k] * t->low_seconds;
        all.stand_travel += weights[k] * t->stand_travel;
        all.stand_seconds += weights[k] * t->stand_seconds;
        all.jerk_sum += weights[k] * t->jerk_sum;
        jerks += weights[k] * (double)t->jerk.count;
    }
    g.skate = all.low_seconds > 0.0 ? 100.0 * all.low_travel / all.low_seconds : 0.0;
    g.planted = all.stand_seconds > 0.0 ? 100.0 * all.stand_travel / all.stand_seconds : 0.0;
    g.jerk = jerks > 0.0 ? all.jerk_sum / jerks : 0.0;
    g.jerk_high = quantile(sums, moving, offsetof(tempo, jerk), 0.999);
    return g;
}

grader_grades grader_judge(grader_sums *sums, grader_sums *source)
{
    sort_all(sums);
    if (source)
        sort_all(source);
    grader_grades g = numbers(sums, even);
    if (source)
        judge_against(sums, source, &g);
    return g;
}

grader_grades grader_reference(grader_sums *source, const grader_sums *motion)
{
    double weights[TEMPOS];
    sort_all(source);
    weigh(source, motion, weights);
    return numbers(source, weights);
}
