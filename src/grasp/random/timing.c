// SPDX-License-Identifier: MIT
// Timing of paths (6.2.4, 6.2.8). Every stretch between two configurations gets the time that its joints need; frames
// are read off the straight stretches and then rounded in time, so that nothing starts or stops at once. Held limbs are
// placed again in every frame; what free ones are off by then, they give back until they take hold. Where rounding
// touches something, it is taken back there; where a joint is too fast, the stretch gets more time.
#include "grasp/random/timing.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/plan.h"

#define MEAN_SPEED 2.4  // radians per second of the fastest joint
#define BODY_SPEED 0.9  // metres per second of the hip
#define FASTEST 8.2     // radians per second, in any frame
#define TURN_TIME 1.0   // seconds
#define LEAST_TIME 0.28 // seconds between two changes of contact
#define ROUNDING 0.14   // seconds to either side
#define STRAIGHT 0.25   // radians that held elbows and knees are bent by, at least
#define ROUNDS 10
#define LONGEST 12.0 // times that a stretch gets longer

typedef struct timing {
    timing_input *input;
    int stretch_count, frame_count;
    double end;      // natural clock
    double *begin;   // [stretch_count + 1] seconds
    double *stretch; // [stretch_count] how much longer than natural
    double (*raw)[LOPE_GRASP_DOF], (*smooth)[LOPE_GRASP_DOF];
    double *weight; // [frame_count] how much of the rounding each frame keeps
    int *item;      // [frame_count] where in the path
    lope_climb_frame *frames;
    int capacity;
} timing;

static bool turns(const timing *t, int stretch)
{
    return t->input->path->items[stretch].pose.facing != t->input->path->items[stretch + 1].pose.facing;
}

static double natural_time(const timing *t, int i)
{
    const lope_grasp_pose *a = &t->input->path->items[i].pose, *b = &t->input->path->items[i + 1].pose;
    return turns(t, i) ? TURN_TIME : fmax(edge_turn(a, b) / MEAN_SPEED, xy_distance(a->hip, b->hip) / BODY_SPEED);
}

static bool grasps_change(const trail *path, int i)
{
    return !figure_same_holds(&path->items[i - 1], &path->items[i]);
}

// Stretches between two changes of contact take some time at least, unless nothing happens in them.
static void set_times(timing *t)
{
    const trail *path = t->input->path;
    double clock = t->input->natural;
    t->begin[0] = 0.0;
    for (int first = 0; first < t->stretch_count;) {
        int last = first + 1;
        double sum = 0.0;
        while (last < t->stretch_count && !grasps_change(path, last))
            last++;
        for (int i = first; i < last; i++)
            sum += natural_time(t, i);
        double scale = sum > 0.03 ? fmax(1.0, LEAST_TIME / sum) : 1.0;
        for (int i = first; i < last; i++) {
            double natural = natural_time(t, i) * scale;
            t->begin[i + 1] = t->begin[i] + natural * t->stretch[i] / plan_speed(t->input->def, clock + 0.5 * natural);
            clock += natural;
        }
        first = last;
    }
    t->end = clock;
    t->frame_count = 1 + (int)ceil(t->begin[t->stretch_count] * t->input->frame_rate - 1e-9);
}

static bool make_room(timing *t)
{
    if (t->frame_count <= t->capacity)
        return true;
    t->capacity = t->frame_count + t->frame_count / 4;
    size_t count = (size_t)t->capacity;
    lope_free(t->raw);
    lope_free(t->smooth);
    lope_free(t->weight);
    lope_free(t->item);
    lope_free(t->frames);
    t->raw = lope_alloc_array(count, sizeof *t->raw);
    t->smooth = lope_alloc_array(count, sizeof *t->smooth);
    t->weight = lope_alloc_array(count, sizeof *t->weight);
    t->item = lope_alloc_array(count, sizeof *t->item);
    t->frames = lope_alloc_array(count, sizeof *t->frames);
    return t->raw && t->smooth && t->weight && t->item && t->frames;
}

static void read_off(timing *t)
{
    int at = 0;
    const trail *path = t->input->path;
    for (int i = 0; i < t->frame_count; i++) {
        double time = i / t->input->frame_rate;
        while (at < t->stretch_count - 1 && time >= t->begin[at + 1])
            at++;
        double span = t->stretch_count ? t->begin[at + 1] - t->begin[at] : 0.0;
        double u = span > 0.0 ? clamp_to((time - t->begin[at]) / span, 0.0, 1.0) : 1.0;
        bool end = t->stretch_count == 0 || time >= t->begin[t->stretch_count];
        lope_grasp_pose pose = end || turns(t, at) ? path->items[end ? t->stretch_count : at].pose
                                                   : figure_between(t->input->world, t->input->body, &path->items[at],
                                                                    &path->items[at + 1].pose, u);
        t->item[i] = end ? path->count - 1 : at;
        pose_numbers(&pose, t->raw[i]);
    }
}

// Rounding does not look over places where the body turns round.
static void round_off(timing *t)
{
    int reach = (int)(ROUNDING * t->input->frame_rate / t->input->def->speed);
    for (int i = 0; i < t->frame_count; i++)
        for (int c = 0; c < LOPE_GRASP_DOF; c++) {
            double sum = t->raw[i][c] * (reach + 1.0), total = reach + 1.0;
            int ends = i < t->frame_count - 1 - i ? i : t->frame_count - 1 - i;
            for (int k = 1; k <= reach && k <= ends; k++) {
                if (t->item[i - k] != t->item[i] || t->item[i + k] != t->item[i]) {
                    const figure *a = &t->input->path->items[t->item[i - k]],
                                 *b = &t->input->path->items[t->item[i + k]];
                    if (a->pose.facing != b->pose.facing)
                        break;
                }
                sum += (t->raw[i - k][c] + t->raw[i + k][c]) * (reach + 1.0 - k);
                total += 2.0 * (reach + 1.0 - k);
            }
            t->smooth[i][c] = sum / total;
        }
}

static const figure *figure_of(const timing *t, int frame)
{
    return &t->input->path->items[t->item[frame]];
}

static bool holds(const timing *t, int frame, int limb)
{
    return figure_of(t, frame)->hold[limb] >= 0;
}

// Whether rounding has made a held limb so straight that it snaps when it bends again.
static bool snaps(const timing *t, int i)
{
    const lope_climb_frame *frame = &t->frames[i];
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
        if (frame->hold[limb] >= 0 && frame->pose.limb[limb][1] < fmin(STRAIGHT, t->raw[i][5 + 2 * limb] - 1e-3))
            return true;
    return false;
}

// The frame with its held limbs placed; false where one is out of reach or snaps.
static bool place_frame(timing *t, int i)
{
    const figure *f = figure_of(t, i);
    double channels[LOPE_GRASP_DOF];
    for (int c = 0; c < LOPE_GRASP_DOF; c++)
        channels[c] = t->raw[i][c] + (t->smooth[i][c] - t->raw[i][c]) * t->weight[i];
    lope_climb_frame *frame = &t->frames[i];
    *frame = (lope_climb_frame){.mode = f->mode, .held = figure_mask(f), .yaw = f->pose.facing > 0 ? 0.0 : LOPE_PI};
    frame->pose = pose_of_numbers(channels, f->pose.facing);
    memcpy(frame->hold, f->hold, sizeof frame->hold);
    lope_grasp_contacts contacts = figure_contacts(t->input->world, f);
    return posture_hold(t->input->body, &contacts, &frame->pose) && !snaps(t, i);
}

// What a limb is off where it leaves a hold and where it takes the next, it gives back evenly in between.
static void join_limb(timing *t, int limb, int first, int last)
{
    double off[2][2] = {{0}};
    for (int end = 0; end < 2; end++) {
        int at = end ? last + 1 : first - 1;
        if (at < 0 || at >= t->frame_count || !holds(t, at, limb))
            continue;
        for (int k = 0; k < 2; k++) {
            double plain = t->raw[at][4 + 2 * limb + k] +
                           (t->smooth[at][4 + 2 * limb + k] - t->raw[at][4 + 2 * limb + k]) * t->weight[at];
            off[end][k] = t->frames[at].pose.limb[limb][k] - plain;
        }
    }
    const lope_grasp_body *body = t->input->body;
    for (int i = first; i <= last; i++) {
        double u = (i - first + 1.0) / (last - first + 2.0), ease = ease_between(u);
        for (int k = 0; k < 2; k++) {
            lope_angle_range range = body->range[body_is_leg(limb)][k];
            double *angle = &t->frames[i].pose.limb[limb][k];
            *angle = clamp_to(*angle + off[0][k] + (off[1][k] - off[0][k]) * ease, range.low, range.high);
        }
    }
}

static void join_limbs(timing *t)
{
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
        for (int i = 0; i < t->frame_count; i++) {
            int first = i;
            while (i < t->frame_count && !holds(t, i, limb))
                i++;
            if (i > first)
                join_limb(t, limb, first, i - 1);
        }
}

// The part of a turn that is done in a frame, or -1 where it does not turn.
static double turned(const timing *t, int i)
{
    int at = t->item[i];
    if (at >= t->stretch_count || !turns(t, at))
        return -1.0;
    return clamp_to((i / t->input->frame_rate - t->begin[at]) / (t->begin[at + 1] - t->begin[at]), 0.0, 1.0);
}

static void turn_frame(timing *t, int i, double u)
{
    const figure *a = figure_of(t, i), *b = a + 1;
    lope_grasp_contacts contacts = figure_contacts(t->input->world, a);
    lope_climb_frame *frame = &t->frames[i];
    frame->pose = pose_between(&a->pose, &b->pose, ease_between(u));
    motion_turn(a->pose.facing, b->pose.facing, u, frame);
    motion_turn_legs(t->input->body, &contacts, frame);
}

static bool frame_allowed(const timing *t, int i)
{
    return lope_grasp_excess(t->input->body, &t->frames[i].pose) < 1e-3 &&
           edge_allows(&(edge_probe){.world = t->input->world, .body = t->input->body}, &t->frames[i].pose);
}

// Takes rounding back round a frame, gently.
static bool take_back(timing *t, int i)
{
    int reach = 2 + (int)(ROUNDING * t->input->frame_rate);
    bool changed = false;
    for (int k = -reach; k <= reach; k++) {
        if (i + k < 0 || i + k >= t->frame_count)
            continue;
        double most = fmax(0.6 * t->weight[i] - 0.1, 0.0) + (double)(k < 0 ? -k : k) / reach;
        if (t->weight[i + k] > most) {
            t->weight[i + k] = most;
            changed = true;
        }
    }
    return changed;
}

// The same for a frame in which something is wrong, and where its free limbs left or take their holds: what those give
// back comes from there.
static bool mend_frame(timing *t, int i)
{
    bool changed = take_back(t, i);
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++) {
        int first = i, last = i;
        if (holds(t, i, limb))
            continue;
        while (first > 0 && !holds(t, first, limb))
            first--;
        while (last < t->frame_count - 1 && !holds(t, last, limb))
            last++;
        changed |= take_back(t, first);
        changed |= take_back(t, last);
    }
    return changed;
}

// Places all frames; returns whether rounding had to be taken back somewhere.
static bool place_frames(timing *t)
{
    bool changed = false;
    for (int i = 0; i < t->frame_count; i++)
        if (!place_frame(t, i) && turned(t, i) < 0.0)
            changed |= take_back(t, i);
    join_limbs(t);
    for (int i = 0; i < t->frame_count; i++) {
        double u = turned(t, i);
        if (u >= 0.0)
            turn_frame(t, i, u);
        else if (!frame_allowed(t, i))
            changed |= mend_frame(t, i);
    }
    return changed;
}

// Gives more time to stretches in which a joint is too fast; returns whether there are any.
static bool slow_down(timing *t)
{
    bool any = false;
    double *more = t->begin; // times are set anew after this: room for factors
    for (int i = 0; i < t->stretch_count; i++)
        more[i] = 1.0;
    for (int i = 1; i < t->frame_count; i++) {
        double speed = edge_turn(&t->frames[i - 1].pose, &t->frames[i].pose) * t->input->frame_rate;
        if (speed <= FASTEST)
            continue;
        for (int k = t->item[i - 1]; k <= t->item[i] && k < t->stretch_count; k++)
            more[k] = fmax(more[k], fmin(1.05 * speed / FASTEST, 2.0));
    }
    for (int i = 0; i < t->stretch_count; i++)
        if (more[i] > 1.0 && t->stretch[i] < LONGEST) {
            t->stretch[i] *= more[i];
            any = true;
        }
    return any;
}

static bool run(timing *t)
{
    for (int round = 0;; round++) {
        set_times(t);
        if (!make_room(t))
            return false;
        for (int i = 0; i < t->frame_count; i++)
            t->weight[i] = 1.0;
        read_off(t);
        round_off(t);
        for (int k = 0; k < ROUNDS && place_frames(t); k++)
            ;
        if (round == ROUNDS || !slow_down(t))
            break;
    }
    set_times(t);
    return true;
}

// A step is a contact that is gained.
static lope_status write_steps(const timing *t, lope_climb_plan *out, lope_error *error)
{
    const trail *path = t->input->path;
    out->steps = lope_alloc_array((size_t)path->count + 1, sizeof *out->steps);
    if (!out->steps)
        return lope_fail_memory(error);
    for (int i = 0; i < path->count; i++) {
        const figure *f = &path->items[i];
        bool gained = i == 0 || f->pose.facing != path->items[i - 1].pose.facing;
        for (int k = 0; k < LOPE_LIMB_COUNT; k++)
            gained |= i > 0 && f->hold[k] >= 0 && path->items[i - 1].hold[k] != f->hold[k];
        if (!gained)
            continue;
        lope_climb_step *step = &out->steps[out->step_count++];
        *step = (lope_climb_step){.mode = f->mode, .facing = f->pose.facing, .time = t->begin[i]};
        memcpy(step->hold, f->hold, sizeof step->hold);
    }
    return LOPE_OK;
}

lope_status timing_build(timing_input *input, lope_climb_plan *out, lope_error *error)
{
    timing t = {.input = input, .stretch_count = input->path->count - 1};
    size_t count = (size_t)input->path->count + 1;
    t.begin = lope_alloc_array(count, sizeof *t.begin);
    t.stretch = lope_alloc_array(count, sizeof *t.stretch);
    bool fine = t.begin && t.stretch;
    for (int i = 0; i < t.stretch_count && fine; i++)
        t.stretch[i] = 1.0;
    fine = fine && run(&t);
    lope_status status = fine ? write_steps(&t, out, error) : lope_fail_memory(error);
    out->frame_rate = input->frame_rate;
    out->frame_count = t.frame_count;
    out->frames = t.frames;
    input->natural = t.end;
    lope_free(t.begin);
    lope_free(t.stretch);
    lope_free(t.raw);
    lope_free(t.smooth);
    lope_free(t.weight);
    lope_free(t.item);
    return status;
}
