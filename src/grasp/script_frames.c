// SPDX-License-Identifier: MIT
// From a script to a plan. The body runs along cubics through its keys, hands and feet along others from hold to hold.
// Then the body gives way: towards what it holds where a limb is too short, and away from solids, evened out over time
// so that nothing jumps. Limbs follow by inverse kinematics.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/edge.h"
#include "grasp/script.h"

#define ROUNDS 40
#define SMOOTH 0.07    // seconds to either side that the body's way is averaged over
#define TRUNK_PLACES 4 // of the trunk that keep away from solids
#define KEEP_AWAY 0.09 // metres that they do
#define HEAD_AWAY 0.05
#define LONGEST 0.985   // of its length that a limb which holds uses
#define SHORTEST 0.32   // of its length that it folds to
#define NECK 0.6        // of its lean that the neck straightens
#define WAY_SPEED 4.0   // metres per second that the body gives way with,
#define LEAP_SPEED 12.0 // and that it would have to, were it pushed from one side of a wall to the other

typedef struct raw_frame {
    lope_xy hip, end[LOPE_LIMB_COUNT], off; // off: how far the body gives way
    double spine, loose[LOPE_LIMB_COUNT];   // loose: how much an end goes with the body
    int hold[LOPE_LIMB_COUNT];
} raw_frame;

// --- Cubics

// A value and how fast it changes.
typedef struct knot {
    double value, slope;
} knot;

static double hermite(knot a, knot b, double span, double t)
{
    double v = 1.0 - t;
    return a.value * (1.0 + 2.0 * t) * v * v + b.value * (1.0 + 2.0 * v) * t * t +
           span * (a.slope * t * v * v - b.slope * t * t * v);
}

// The slope at b between neighbours a and c that keeps the curve monotone.
static double slope_between(double a, double b, double c, double before, double after)
{
    double left = (b - a) / before, right = (c - b) / after;
    return left * right <= 0.0 ? 0.0 : 2.0 * left * right / (left + right);
}

static double key_value(const script_key *k, int which)
{
    return which == 0 ? k->hip.x : which == 1 ? k->hip.y : k->spine;
}

static double key_slope(const script *s, int i, int which)
{
    const script_key *k = &s->keys[i];
    if (k->given && which < 2)
        return which ? k->slope.y : k->slope.x;
    if (i == 0 || i == s->key_count - 1)
        return 0.0;
    return slope_between(key_value(k - 1, which), key_value(k, which), key_value(k + 1, which), k->time - k[-1].time,
                         k[1].time - k->time);
}

static void body_at(const script *s, double time, raw_frame *out)
{
    int i = 0;
    while (i + 2 < s->key_count && time >= s->keys[i + 1].time)
        i++;
    const script_key *a = &s->keys[i], *b = a + 1;
    double span = b->time - a->time, t = clamp_to((time - a->time) / span, 0.0, 1.0), value[3];
    for (int c = 0; c < 3; c++)
        value[c] = hermite((knot){key_value(a, c), key_slope(s, i, c)}, (knot){key_value(b, c), key_slope(s, i + 1, c)},
                           span, t);
    out->hip = xy(value[0], value[1]);
    out->spine = value[2];
}

// --- Ends of limbs

static lope_xy neck_of(const script *s, lope_xy hip, double spine)
{
    return xy_mad(hip, xy(lope_sin(spine), lope_cos(spine)), s->trunk);
}

static lope_xy point_at(const script *s, const script_point *p, int limb, const raw_frame *f)
{
    if (p->kind != SCRIPT_LOOSE)
        return p->at;
    return xy_add(body_is_leg(limb) ? f->hip : neck_of(s, f->hip, f->spine), p->at);
}

static lope_xy point_slope(const script *s, int limb, int i, const raw_frame *f)
{
    const script_point *p = &s->points[limb][i];
    if (p->kind == SCRIPT_HELD || i == 0 || i == s->point_count[limb] - 1)
        return xy(0, 0);
    lope_xy a = point_at(s, p - 1, limb, f), b = point_at(s, p + 1, limb, f);
    double span = fmax(p[1].time - p[-1].time, 1e-6);
    return xy((b.x - a.x) / span, (b.y - a.y) / span);
}

static void end_at(const script *s, int limb, double time, raw_frame *f)
{
    const script_point *points = s->points[limb];
    int count = s->point_count[limb], i = 0;
    while (i + 2 < count && time >= points[i + 1].time)
        i++;
    const script_point *a = &points[i], *b = count > 1 ? a + 1 : a;
    double span = fmax(b->time - a->time, 1e-6), t = clamp_to((time - a->time) / span, 0.0, 1.0);
    lope_xy from = point_at(s, a, limb, f), to = point_at(s, b, limb, f), u = point_slope(s, limb, i, f),
            v = count > 1 ? point_slope(s, limb, i + 1, f) : u;
    f->end[limb] = xy(hermite((knot){from.x, u.x}, (knot){to.x, v.x}, span, t),
                      hermite((knot){from.y, u.y}, (knot){to.y, v.y}, span, t));
    f->loose[limb] = (a->kind == SCRIPT_LOOSE) * (1.0 - t) + (b->kind == SCRIPT_LOOSE) * t;
    bool held =
        a->kind == SCRIPT_HELD && b->kind == SCRIPT_HELD && a->hold == b->hold && time >= a->time && time <= b->time;
    bool rests = a->kind == SCRIPT_HELD && time <= a->time && i == 0;
    bool stays = b->kind == SCRIPT_HELD && time >= b->time;
    f->hold[limb] = held || rests ? a->hold : stays ? b->hold : -1;
}

// --- Giving way

static lope_xy base_of(const script *s, const raw_frame *f, int limb)
{
    lope_xy hip = xy_add(f->hip, f->off);
    return body_is_leg(limb) ? hip : neck_of(s, hip, f->spine);
}

static void reach_holds(const script *s, raw_frame *f)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (f->hold[i] < 0)
            continue;
        double length = body_is_leg(i) ? s->leg : s->arm;
        lope_xy to = xy_sub(f->end[i], base_of(s, f, i));
        double far = xy_length(to), lack = far - LONGEST * length, much = far - SHORTEST * length;
        if (far > 1e-6 && lack > 0.0)
            f->off = xy_mad(f->off, to, lack / far);
        else if (far > 1e-6 && much < 0.0)
            f->off = xy_mad(f->off, to, much / far);
    }
}

static void keep_away(const lope_grasp_world *world, lope_xy at, double room, lope_xy *off)
{
    lope_xy out;
    double lack = room - lope_grasp_clearance(world, at, &out), length = xy_length(out);
    if (lack > 0.0 && length > 1e-6)
        *off = xy_mad(*off, out, fmin(lack, 0.05) / length);
}

static void leave_solids(const script *s, const lope_grasp_world *world, raw_frame *f)
{
    lope_xy hip = xy_add(f->hip, f->off), neck = neck_of(s, hip, f->spine);
    double head = f->spine - clamp_to(NECK * f->spine, s->body->neck_range.low, s->body->neck_range.high);
    for (int k = 0; k < TRUNK_PLACES; k++)
        keep_away(world, xy_lerp(hip, neck, k / (TRUNK_PLACES - 1.0)), KEEP_AWAY * s->scale, &f->off);
    keep_away(world, xy_mad(neck, xy(lope_sin(head), lope_cos(head)), s->body->head), HEAD_AWAY * s->scale, &f->off);
}

static void give_way(const script *s, const lope_grasp_world *world, raw_frame *frames, int count)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            leave_solids(s, world, &frames[i]);
            reach_holds(s, &frames[i]);
        }
        lope_xy before = frames[0].off;
        for (int i = 1; i + 1 < count && round + 1 < ROUNDS; i++) {
            lope_xy was = frames[i].off, after = frames[i + 1].off;
            frames[i].off = xy(0.5 * was.x + 0.25 * (before.x + after.x), 0.5 * was.y + 0.25 * (before.y + after.y));
            before = was;
        }
    }
}

// Lets offsets change no faster than `most` from a frame to the next, with as much before as after the change.
static void slow_down(raw_frame *frames, raw_frame *scratch, int count, double most)
{
    lope_xy ahead = frames[0].off, back = frames[count - 1].off;
    for (int i = 0; i < count; i++) {
        lope_xy step = xy_sub(frames[i].off, ahead);
        ahead = xy_mad(ahead, step, fmin(1.0, most / fmax(xy_length(step), 1e-9)));
        scratch[i].off = ahead;
    }
    for (int i = count - 1; i >= 0; i--) {
        lope_xy step = xy_sub(frames[i].off, back);
        back = xy_mad(back, step, fmin(1.0, most / fmax(xy_length(step), 1e-9)));
        frames[i].off = xy_lerp(scratch[i].off, back, 0.5);
    }
}

// Whether the body is pushed to one side of something and then to the other: it does not get past.
static bool leaps(const raw_frame *frames, int count, double most)
{
    for (int i = 1; i < count; i++)
        if (xy_length(xy_sub(frames[i].off, frames[i - 1].off)) > most)
            return true;
    return false;
}

// Corners in the body's way become curves.
static void smooth_body(raw_frame *frames, raw_frame *scratch, int count, int half)
{
    memcpy(scratch, frames, (size_t)count * sizeof *frames);
    for (int i = 0; i < count; i++) {
        int reach = i < half ? i : count - 1 - i < half ? count - 1 - i : half;
        double sum = 0.0, spine = 0.0;
        lope_xy hip = xy(0, 0);
        for (int k = -reach; k <= reach; k++) {
            double x = k / (reach + 1.0), weight = (1.0 - x * x) * (1.0 - x * x);
            hip = xy_mad(hip, scratch[i + k].hip, weight);
            spine += weight * scratch[i + k].spine;
            sum += weight;
        }
        frames[i].hip = xy(hip.x / sum, hip.y / sum);
        frames[i].spine = spine / sum;
    }
}

// --- Frames

static lope_grasp_mode mode_of(const lope_grasp_world *world, const lope_climb_frame *f)
{
    int hands = (f->held & 1u) + (f->held >> 1 & 1u), feet = (f->held >> 2 & 1u) + (f->held >> 3 & 1u);
    bool bar = false;
    for (int i = LOPE_LEFT_ARM; i <= LOPE_RIGHT_ARM; i++)
        bar |= f->hold[i] >= 0 && world->holds[f->hold[i]].kind == LOPE_HOLD_PENDENT;
    return hands == 0 ? LOPE_MODE_WALK : bar && !feet ? LOPE_MODE_SWING : LOPE_MODE_CLIMB;
}

static void write_frame(const script *s, const lope_grasp_world *world, const raw_frame *raw, lope_climb_frame *out)
{
    const lope_climb_frame *before = out - 1; // not read for the first
    lope_grasp_pose *pose = &out->pose;
    bool first = out->mode == LOPE_MODE_COUNT;
    *out = (lope_climb_frame){.pose = {.hip = xy_add(raw->hip, raw->off), .spine = raw->spine, .facing = 1}};
    pose->neck = clamp_to(-NECK * raw->spine, s->body->neck_range.low, s->body->neck_range.high);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int leg = body_is_leg(i);
        lope_xy base = base_of(s, raw, i), end = xy_mad(raw->end[i], raw->off, raw->loose[i]);
        double *angles = pose->limb[i];
        out->hold[i] = raw->hold[i];
        out->held |= raw->hold[i] >= 0 ? 1u << i : 0u;
        body_bend(s->body, pose, i, base, edge_drawn_in(s->body, leg, base, end, raw->hold[i] >= 0 ? 0.0 : 0.5),
                  angles);
        if (!first)
            angles[0] = body_unwind(angles[0], before->pose.limb[i][0]);
        angles[1] = clamp_to(angles[1], s->body->range[leg][1].low, s->body->range[leg][1].high);
    }
    out->mode = mode_of(world, out);
}

static void write_steps(lope_climb_plan *plan)
{
    for (int i = 0; i < plan->frame_count; i++) {
        const lope_climb_frame *f = &plan->frames[i];
        if (i > 0 && !memcmp(f->hold, f[-1].hold, sizeof f->hold))
            continue;
        lope_climb_step *step = &plan->steps[plan->step_count++];
        *step = (lope_climb_step){.mode = f->mode, .facing = f->pose.facing, .time = i / plan->frame_rate};
        memcpy(step->hold, f->hold, sizeof step->hold);
    }
}

lope_status script_perform(const script *s, const lope_grasp_world *world, double speed, double frame_rate,
                           lope_climb_plan *plan, lope_error *error)
{
    double rate = frame_rate / speed; // frames of a script's second
    int count = 1 + (int)ceil(s->keys[s->key_count - 1].time * rate);
    raw_frame *raw = lope_alloc_array(2 * (size_t)count, sizeof *raw);
    plan->frames = lope_alloc_array((size_t)count, sizeof *plan->frames);
    plan->steps = lope_alloc_array((size_t)count, sizeof *plan->steps);
    if (!raw || !plan->frames || !plan->steps) {
        lope_free(raw);
        return lope_fail_memory(error);
    }
    for (int i = 0; i < count; i++) {
        raw[i] = (raw_frame){0};
        body_at(s, i / rate, &raw[i]);
    }
    smooth_body(raw, raw + count, count, (int)(SMOOTH * rate));
    for (int i = 0; i < count; i++)
        for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
            end_at(s, limb, i / rate, &raw[i]);
    give_way(s, world, raw, count);
    if (leaps(raw, count, LEAP_SPEED / rate)) {
        lope_free(raw);
        return lope_fail(error, LOPE_NOT_FOUND, "the body does not get past what is in the way");
    }
    slow_down(raw, raw + count, count, WAY_SPEED / rate);
    plan->frames[0].mode = LOPE_MODE_COUNT;
    for (int i = 0; i < count; i++) {
        if (i)
            plan->frames[i].mode = LOPE_MODE_WALK;
        write_frame(s, world, &raw[i], &plan->frames[i]);
    }
    plan->frame_rate = frame_rate;
    plan->frame_count = count;
    write_steps(plan);
    plan->complete = true;
    plan->reached = 1;
    plan->site_frame[0] = count - 1;
    lope_free(raw);
    return LOPE_OK;
}
