// SPDX-License-Identifier: MIT
#include "bench/world_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEET 4          // heels and toes
#define PARTS 6         // heels, toes, hands: the first of the contact points
#define HELD 0.15       // metres per second below which a part holds,
#define LET_GO 0.4      // and above which it has let go,
#define RISEN 0.01      // or so many metres above where it held
#define AT_HAND 0.06    // metres from a palm within which there is something that it may hold
#define APART 1.0       // seconds within which the worst of one character count once
#define STANDS 0.25     // metres per second: a ball of a foot that is slower stands
#define WATCHED 1.1     // seconds after a hand-over
#define MOVING 0.3      // metres per second: hips
#define STILL 0.08      // metres per second: hips that stand about
#define LONG_BONE 0.06f // metres: of shorter ones only the ends are looked at
#define ALONG_BONE 3
#define HISTORY 128 // frames

struct world_judge {
    const lope_skeleton *skeleton;
    world_grades *grades;
    double dt;
    long frame;
    lope_vec3 *joints[4]; // of this frame and the three before
    lope_vec3 points[3][LOPE_CONTACT_COUNT];
    char carrier[24];
    // the last hand-over
    char change[56]; // from what to what
    long changed;    // frame; -1: none to watch
    bool to_gait;    // between walking and gait
    bool held[PARTS];
    lope_vec3 hold[PARTS];
    double slip[PARTS];
    double hips[HISTORY]; // metres per second, by frame
    double still;         // seconds for which the hips have been still
    bool left_climb;      // and has not moved on yet
    int errand;
    long free_to_stand; // last frame in which it began or ended an errand, or stood in line
};

world_judge *world_judge_create(const lope_skeleton *skeleton, double dt, world_grades *grades)
{
    const size_t joints = (size_t)skeleton->joint_count;
    world_judge *judge = calloc(1, sizeof *judge);
    lope_vec3 *memory = judge ? malloc(4 * joints * sizeof *memory) : NULL;
    if (!memory) {
        free(judge);
        return NULL;
    }
    *judge = (world_judge){.skeleton = skeleton, .grades = grades, .dt = dt, .changed = -1};
    for (size_t i = 0; i < 4; i++)
        judge->joints[i] = memory + i * joints;
    return judge;
}

void world_judge_destroy(world_judge *judge)
{
    if (!judge)
        return;
    lope_vec3 *first = judge->joints[0];
    for (int i = 1; i < 4; i++)
        first = judge->joints[i] < first ? judge->joints[i] : first;
    free(first);
    free(judge);
}

static double length(lope_vec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static double flat(lope_vec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.z * (double)v.z);
}

static double hips_at(const world_judge *j, long frame)
{
    return j->hips[((frame % HISTORY) + HISTORY) % HISTORY];
}

double world_worst_value(const world_worsts *worst)
{
    return worst->count ? worst->items[0].value : 0.0;
}

// Takes out what the same character did just before, if that was less; false if it was more.
static bool replaces(world_worsts *list, const world_worst *one)
{
    for (int i = 0; i < list->count; i++) {
        const world_worst *other = &list->items[i];
        if (other->who != one->who || fabs(other->seconds - one->seconds) > APART)
            continue;
        if (other->value >= one->value)
            return false;
        memmove(&list->items[i], &list->items[i + 1], (size_t)(--list->count - i) * sizeof *list->items);
        return true;
    }
    return true;
}

static void note_worst(const world_judge *j, world_worsts *list, double value, const char *what)
{
    world_worst one = {.value = value, .seconds = (double)j->frame * j->dt, .at = j->joints[0][0], .who = j};
    const bool full = list->count == WORLD_TOP;
    if (!(value > 0.0) || (full && value <= list->items[WORLD_TOP - 1].value) || !replaces(list, &one))
        return;
    snprintf(one.what, sizeof one.what, "%s", what);
    snprintf(one.where, sizeof one.where, "%s", j->grades->where ? j->grades->where : "");
    int k = list->count < WORLD_TOP ? list->count++ : WORLD_TOP - 1;
    for (; k > 0 && list->items[k - 1].value < value; k--)
        list->items[k] = list->items[k - 1];
    list->items[k] = one;
}

// ---- in solids

static void look_at(world_judge *j, const world_frame *f, lope_vec3 at, const char *name, double *deepest)
{
    const double depth = world_solids_depth(f->solids, at);
    world_grades *g = j->grades;
    int c = 0;
    *deepest = fmax(*deepest, depth);
    if (depth <= WORLD_DEEP)
        return;
    while (c < g->carriers && strcmp(g->deepest[c].carrier, f->carrier) != 0)
        c++;
    if (c == WORLD_CARRIERS)
        return;
    if (c == g->carriers)
        snprintf(g->deepest[g->carriers++].carrier, sizeof g->deepest[c].carrier, "%s", f->carrier);
    note_worst(j, &g->deepest[c].worst, depth, name);
}

// Joints, the ends of the last bones, places along bones, soles and palms.
static void judge_solids(world_judge *j, const world_frame *f)
{
    const lope_skeleton *s = j->skeleton;
    double deepest = 0.0;
    for (int i = 0; i < s->joint_count; i++) {
        const lope_vec3 at = f->model[i].translation;
        look_at(j, f, at, s->names[i], &deepest);
        look_at(j, f, lope_transform_point(f->model[i], s->tips[i]), s->names[i], &deepest);
        const lope_vec3 from = s->parents[i] >= 0 ? f->model[s->parents[i]].translation : at;
        for (int k = 1; k <= ALONG_BONE && lope_v3_distance(from, at) > LONG_BONE; k++)
            look_at(j, f, lope_v3_lerp(from, at, (float)k / (ALONG_BONE + 1)), s->names[s->parents[i]], &deepest);
    }
    for (int i = 0; i < PARTS; i++)
        look_at(j, f, j->points[0][i], lope_contact_name(i), &deepest);
    j->grades->deep_frames += deepest > WORLD_DEEP;
}

// ---- hand-overs

static bool climbs(const char *carrier)
{
    return strcmp(carrier, "climb") == 0 || strcmp(carrier, "climber") == 0 || strcmp(carrier, "use") == 0;
}

static bool is_between(const char *a, const char *b, const char *one, const char *other)
{
    return (strcmp(a, one) == 0 && strcmp(b, other) == 0) || (strcmp(a, other) == 0 && strcmp(b, one) == 0);
}

// Hips around a hand-over that has been watched to its end.
static void judge_hips(world_judge *j)
{
    const long half = (long)(0.5 / j->dt), at = j->changed;
    if (!j->to_gait || at - 2 * half < j->free_to_stand || 4 * half + 2 > HISTORY)
        return; // a character that stands at the end of an errand does not walk
    double before = 0.0, after = 0.0, least = (double)INFINITY;
    for (long i = half; i < 2 * half; i++) {
        before += hips_at(j, at - i) / (double)half;
        after += hips_at(j, at + i) / (double)half;
    }
    for (long i = -half; i <= half; i++)
        least = fmin(least, (hips_at(j, at + i - 1) + hips_at(j, at + i) + hips_at(j, at + i + 1)) / 3.0);
    const double slower = fmin(before, after);
    if (!(slower > MOVING))
        return;
    j->grades->gait_count++;
    j->grades->slow_count += least < WORLD_SLOW * slower;
    note_worst(j, &j->grades->slow, 1.0 - least / slower, j->change);
}

static void end_watch(world_judge *j)
{
    for (int i = 0; i < PARTS; i++)
        if (j->slip[i] >= 0.0) {
            char what[80];
            snprintf(what, sizeof what, "%s, %s", j->change, lope_contact_name(i));
            note_worst(j, &j->grades->slip, j->slip[i], what);
            j->grades->slip_sum += j->slip[i];
            j->grades->slip_count++;
        }
    judge_hips(j);
    j->changed = -1;
}

static double part_speed(const world_judge *j, int part, int ago)
{
    return length(lope_v3_sub(j->points[ago][part], j->points[ago + 1][part])) / j->dt;
}

// Whether a part may hold: hands only where there is something to hold; those of walkers hang.
static bool may_hold(const world_judge *j, const world_frame *f, int part)
{
    return part < FEET || ((climbs(j->carrier) || climbs(f->carrier)) && f->solids &&
                           world_solids_near(f->solids, j->points[1][part], AT_HAND));
}

static void begin_watch(world_judge *j, const world_frame *f)
{
    world_grades *g = j->grades;
    const char *was = j->carrier;
    if (j->changed >= 0)
        end_watch(j);
    g->handovers++;
    j->changed = j->frame;
    snprintf(j->change, sizeof j->change, "%s to %s", was, f->carrier);
    j->to_gait = is_between(was, f->carrier, "walker", "gait");
    for (int i = 0; i < PARTS; i++) {
        j->held[i] = may_hold(j, f, i) && part_speed(j, i, 1) < HELD && part_speed(j, i, 0) < LET_GO;
        j->hold[i] = j->points[1][i];
        j->slip[i] = j->held[i] ? 0.0 : -1.0;
    }
    if (climbs(f->carrier) && !f->waits) {
        g->before += j->still;
        note_worst(j, &g->stood_before, j->still, j->change);
        g->before_count++;
        g->before_long += j->still > WORLD_STANDS;
    }
    j->left_climb = climbs(was) && f->busy;
}

static void watch(world_judge *j)
{
    for (int i = 0; i < PARTS; i++) {
        const lope_vec3 off = lope_v3_sub(j->points[0][i], j->hold[i]);
        j->held[i] = j->held[i] && part_speed(j, i, 0) < LET_GO && (double)off.y < RISEN;
        if (j->held[i])
            j->slip[i] = fmax(j->slip[i], flat(off));
    }
    if ((double)(j->frame - j->changed) * j->dt > WATCHED)
        end_watch(j);
}

static void judge_standing(world_judge *j, const world_frame *f, double hips)
{
    world_grades *g = j->grades;
    const double stood = j->still;
    j->still = hips < STILL && !f->waits && f->busy ? j->still + j->dt : 0.0;
    if (!j->left_climb)
        return;
    if (hips >= STILL || !f->busy || f->waits || climbs(f->carrier)) {
        j->left_climb = false;
        g->after_count++;
        g->after_long += stood > WORLD_STANDS;
    } else {
        g->after += j->dt;
        note_worst(j, &g->stood_after, j->still, j->change);
    }
}

// ---- plain motion

static void judge_motion(world_judge *j)
{
    world_grades *g = j->grades;
    const double cube = j->dt * j->dt * j->dt;
    if (hips_at(j, j->frame) > MOVING && j->frame >= 3)
        for (int i = 0; i < j->skeleton->joint_count; i++) {
            const lope_vec3 a = lope_v3_sub(j->joints[0][i], j->joints[3][i]);
            const lope_vec3 b = lope_v3_sub(j->joints[1][i], j->joints[2][i]);
            g->jerk += length(lope_v3_sub(a, lope_v3_scale(b, 3.0f))) / cube;
            g->jerk_count++;
        }
    for (int toe = 1; toe < 4; toe += 2) {
        if (part_speed(j, toe, 0) > STANDS || part_speed(j, toe, 1) > STANDS)
            continue;
        g->planted_travel += flat(lope_v3_sub(j->points[0][toe], j->points[1][toe]));
        g->planted_seconds += j->dt;
    }
}

// The largest change of any joint's velocity from the frame before.
static double largest_step(const world_judge *j)
{
    double most = 0.0;
    for (int i = 0; i < j->skeleton->joint_count; i++) {
        const lope_vec3 now = lope_v3_sub(j->joints[0][i], j->joints[1][i]);
        const lope_vec3 before = lope_v3_sub(j->joints[1][i], j->joints[2][i]);
        most = fmax(most, length(lope_v3_sub(now, before)) / j->dt);
    }
    return most;
}

static void keep_step(world_grades *g, double step)
{
    if (g->step_count < g->step_capacity)
        g->steps[g->step_count++] = (float)step;
}

static void take_in(world_judge *j, const world_frame *f)
{
    lope_vec3 *oldest = j->joints[3];
    memmove(&j->joints[1], &j->joints[0], 3 * sizeof *j->joints);
    j->joints[0] = oldest;
    for (int i = 0; i < j->skeleton->joint_count; i++)
        oldest[i] = f->model[i].translation;
    memmove(&j->points[1], &j->points[0], 2 * sizeof *j->points);
    lope_contact_points(j->skeleton, f->model, j->points[0]);
}

void world_judge_frame(world_judge *j, const world_frame *f)
{
    take_in(j, f);
    const double hips = j->frame ? flat(lope_v3_sub(j->joints[0][0], j->joints[1][0])) / j->dt : 0.0;
    j->hips[j->frame % HISTORY] = hips;
    if (f->errand != j->errand || !f->busy || f->waits)
        j->free_to_stand = j->frame;
    j->errand = f->errand;
    j->grades->seconds += j->dt;
    j->grades->frames++;
    if (f->deep)
        judge_solids(j, f);
    if (j->frame >= 3) {
        const double step = largest_step(j);
        const bool changes = strcmp(j->carrier, f->carrier) != 0;
        judge_motion(j);
        keep_step(j->grades, step);
        if (changes)
            begin_watch(j, f);
        if (j->changed >= 0 && j->frame - j->changed <= 1) // the frame of the hand-over and the one after it
            note_worst(j, &j->grades->step, step, j->change);
        else
            note_worst(j, &j->grades->pop, step, f->carrier);
        if (j->changed >= 0 && !changes)
            watch(j);
        judge_standing(j, f, hips);
    }
    snprintf(j->carrier, sizeof j->carrier, "%s", f->carrier);
    j->frame++;
}
