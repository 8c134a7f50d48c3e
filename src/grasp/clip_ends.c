// SPDX-License-Identifier: MIT
// Keeping hands and feet out of solids. A foot that holds may have its hold anywhere between heel and toes: it stands
// as far back as a wall ahead asks for, on its toes where a ledge is narrow. A hand that holds bends at the wrist until
// its fingers are free. In the air both keep away: pushed out where they would be inside, and evened out along their
// way.
#include "grasp/clip_ends.h"

#include "grasp/body.h"

#define ANKLE_SOFT 0.3   // radians before and after its limit in which an ankle gives way
#define PARTS 8          // places of a hand or foot that are looked at
#define TOUCHES 0.004    // metres inside that count as touching
#define SLIDE_STEP 0.01  // metres
#define GIVES_WAY 0.05   // metres that the body may follow a hand which is bent
#define LONGEST 0.99     // of its length that an arm uses
#define GRIP_WAYS 24     // in which a hand that lies still may point
#define GRIP_FRAMES 8    // frames between those that are looked at for it
#define BENT 0.001       // metres inside that a wrist bent by a radian counts for
#define AIR 0.02         // metres that hands and feet in the air keep away
#define AT_HOLDS (-0.01) // and right before and after a hold
#define AWAY_TIME 0.15   // seconds in which they get away
#define FARTHEST 0.03    // metres that one is pushed in a round
#define BEND_TIME 0.3    // seconds in which a hand bends before it holds
#define ROUNDS 48

double clip_foot_turned(const lope_climb_frame *frame, int limb)
{
    double begin = limb == LOPE_LEFT_LEG ? 0.1 : 0.5;
    double t = clamp_to((frame->yaw / LOPE_PI - begin) / 0.4, 0.0, 1.0);
    return ease_between(t);
}

bool clip_steps_round(const lope_climb_frame *frame, int limb)
{
    double turned = clip_foot_turned(frame, limb);
    return body_is_leg(limb) && turned > 0.0 && turned < 1.0;
}

double clip_far_angle(const lope_climb_frame *frame, int limb)
{
    const double *angles = frame->pose.limb[limb];
    return angles[0] - frame->pose.spine + (body_is_leg(limb) ? -angles[1] : angles[1]);
}

// 0 below, x above, and smooth between.
static double soft_excess(double x)
{
    double t = x + ANKLE_SOFT;
    return x < -ANKLE_SOFT ? 0.0 : x > ANKLE_SOFT ? x : t * t / (4.0 * ANKLE_SOFT);
}

double clip_foot_pitch(double far, double ground)
{
    double over = -far - CLIP_ANKLE_PLAY - ground, under = ground - CLIP_ANKLE_PLAY + far;
    return ground + soft_excess(over) - soft_excess(under);
}

lope_xy clip_foot_ankle(const clip_end_shape *shape, const clip_end *end, double pitch)
{
    double sine, cosine, ground_sine, ground_cosine;
    lope_sincos(pitch, &sine, &cosine);
    lope_sincos(end->ground, &ground_sine, &ground_cosine);
    double pivot = pitch >= end->ground ? shape->pivot : shape->heel, up = pitch >= end->ground ? shape->pivot_up : 0.0;
    double along = pivot - end->slide, above = shape->height - up;
    return xy(along * ground_cosine + up * ground_sine - pivot * cosine + above * sine,
              -along * ground_sine + up * ground_cosine + pivot * sine + above * cosine);
}

static clip_end *end_of(const clip_ends *e, int frame, int limb)
{
    return &e->items[(size_t)frame * LOPE_LIMB_COUNT + (size_t)limb];
}

static bool holds(const clip_ends *e, int frame, int limb)
{
    const lope_climb_frame *f = &e->plan->frames[frame];
    return f->held >> limb & 1u && !clip_steps_round(f, limb);
}

// Which way a hand or foot points: 1 or -1; 0 while it turns round.
static int facing_of(const clip_ends *e, int frame, int limb)
{
    const lope_climb_frame *f = &e->plan->frames[frame];
    double turned = body_is_leg(limb) ? clip_foot_turned(f, limb) : f->yaw / LOPE_PI;
    return turned < 1e-6 ? 1 : turned > 1.0 - 1e-6 ? -1 : 0;
}

static const clip_figure_end *figure_of(const clip_ends *e, int frame, int limb)
{
    return &e->figure[(size_t)frame * LOPE_LIMB_COUNT + (size_t)limb];
}

static void find_figure(clip_ends *e)
{
    for (int i = 0; i < e->plan->frame_count; i++)
        for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++) {
            const lope_climb_frame *f = &e->plan->frames[i];
            lope_vec3 at = lope_climb_extremity(e->body, f, (lope_grasp_limb)limb);
            e->figure[i * LOPE_LIMB_COUNT + limb] =
                (clip_figure_end){xy((double)at.x, (double)at.y), clip_far_angle(f, limb)};
        }
}

// Places of a foot's sole, the heel first, or of a hand from the wrist to the fingertips. Toes lie on the ground where
// the heel rises.
static void list_parts(const clip_ends *e, int frame, int limb, const clip_end *end, lope_xy out[PARTS])
{
    const clip_end_shape *shape = &e->shapes[limb];
    int facing = facing_of(e, frame, limb);
    double far = figure_of(e, frame, limb)->far, sine, cosine;
    double settled = (double)e->settled[(size_t)frame * LOPE_LIMB_COUNT + (size_t)limb];
    lope_xy at = xy_add(figure_of(e, frame, limb)->at, end->push);
    if (body_is_leg(limb)) {
        double pitch = clip_foot_pitch(far, end->ground);
        lope_sincos(far, &sine, &cosine);
        lope_xy ankle =
            xy_lerp(xy(-sine * shape->height, cosine * shape->height), clip_foot_ankle(shape, end, pitch), settled);
        lope_sincos(pitch, &sine, &cosine);
        at = xy_add(at, xy(facing * ankle.x, ankle.y));
        lope_xy ahead = xy(facing * cosine, -sine), below = xy_mad(at, xy(facing * sine, cosine), -shape->height);
        lope_xy ball = xy_mad(below, ahead, shape->ball), toes = ahead;
        if (shape->bends && pitch > end->ground)
            toes = xy(facing * lope_cos(end->ground), -lope_sin(end->ground));
        out[0] = xy_mad(below, ahead, 0.5 * shape->heel);
        out[1] = xy_mad(below, ahead, shape->heel);
        for (int k = 2; k < PARTS - 3; k++)
            out[k] = xy_lerp(below, ball, (k - 1.0) / (PARTS - 4));
        for (int k = PARTS - 3; k < PARTS; k++)
            out[k] = xy_mad(ball, toes, 0.5 * (k - PARTS + 3) * (shape->tip - shape->ball));
        return;
    }
    lope_sincos(far + end->turn, &sine, &cosine);
    lope_xy along = xy(facing * sine, -cosine);
    double part = CLIP_STRAIGHT_HAND + (1.0 - CLIP_STRAIGHT_HAND) * settled;
    lope_xy wrist = xy_mad(at, along, -part * shape->height);
    for (int k = 0; k < PARTS; k++)
        out[k] = xy_mad(wrist, along, shape->tip * k / (PARTS - 1));
}

// How far hands and feet would be inside of solids, all places together.
static double inside(const clip_ends *e, int frame, int limb, const clip_end *end)
{
    lope_xy parts[PARTS];
    double sum = 0.0;
    list_parts(e, frame, limb, end, parts);
    for (int k = 0; k < PARTS; k++)
        if (lope_grasp_clearance(e->world, parts[k], NULL) < 0.05) {
            double depth = -TOUCHES - lope_grasp_depth(e->world, parts[k]);
            sum += depth > 0.0 ? depth : 0.0;
        }
    return sum;
}

// --- What holds

// Where on its sole a foot that stands from one frame to another has its hold: as near to below the ankle as there is
// room for heel and toes.
static void stand(clip_ends *e, int first, int end, int limb)
{
    const lope_climb_frame *f = &e->plan->frames[first];
    const clip_end_shape *shape = &e->shapes[limb];
    clip_end best = {0};
    if (e->world && f->hold[limb] >= 0) {
        const lope_hold *hold = &e->world->holds[f->hold[limb]];
        int facing = facing_of(e, first, limb);
        if (hold->kind == LOPE_HOLD_LOAD_BEARING || hold->kind == LOPE_HOLD_BRACE)
            best.ground = lope_atan2(facing * hold->normal.x, hold->normal.y);
        best.slide = hold->kind == LOPE_HOLD_BRACE ? shape->ball : 0.0;
        double least = inside(e, first, limb, &best), slide = best.slide;
        for (int k = 1; least > 0.0 && k < 64; k++) {
            clip_end other = best;
            other.slide = best.slide + SLIDE_STEP * (k / 2 + 1) * (k & 1 ? 1 : -1);
            if (other.slide > shape->tip || other.slide < shape->heel)
                continue;
            double deep = inside(e, first, limb, &other);
            if (deep < least - 1e-6) {
                least = deep;
                slide = other.slide;
            }
        }
        best.slide = slide;
    }
    for (int i = first; i < end; i++)
        *end_of(e, i, limb) = best;
}

// Metres that the wrist is too far away for the arm.
static double out_of_reach(const clip_ends *e, int frame, int limb, const clip_end *end)
{
    lope_xy parts[PARTS], neck = body_neck(e->body, &e->plan->frames[frame].pose);
    list_parts(e, frame, limb, end, parts);
    double most = LONGEST * e->shapes[limb].reach;
    return fmax(xy_distance(parts[0], neck) - most - GIVES_WAY, 0.0);
}

// What it costs a hand to point the same way from one frame to another.
static double grip_cost(const clip_ends *e, int first, int end, int limb, double angle)
{
    double sum = 0.0;
    for (int i = first; i < end; i += GRIP_FRAMES) {
        double far = figure_of(e, i, limb)->far;
        clip_end other = {.turn = body_unwind(angle, far) - far};
        sum += inside(e, i, limb, &other) + 2.0 * out_of_reach(e, i, limb, &other) + BENT * other.turn * other.turn;
    }
    return sum;
}

static bool is_free(const clip_ends *e, int first, int end, int limb)
{
    const clip_end straight = {0};
    for (int i = first; i < end; i += GRIP_FRAMES)
        if (inside(e, i, limb, &straight) > 0.0)
            return false;
    return true;
}

// A hand that holds goes on from the forearm where its fingers are free; else it lies still, where it is bent least.
static void grip(clip_ends *e, int first, int end, int limb)
{
    int hold = e->plan->frames[first].hold[limb];
    bool bar = e->world && hold >= 0 && e->world->holds[hold].kind == LOPE_HOLD_PENDENT; // fingers close round it
    bool straight = !e->world || bar || is_free(e, first, end, limb);
    bool edge = e->world && hold >= 0 && e->world->holds[hold].kind == LOPE_HOLD_HYBRID; // fingers lie over it, ahead
    double best = 0.0, least = (double)INFINITY, from = edge ? 0.2 * LOPE_PI : -0.5 * LOPE_PI,
           range = edge ? 0.6 * LOPE_PI : 2.0 * LOPE_PI;
    for (int k = 0; !straight && k < GRIP_WAYS; k++) {
        double angle = from + range * k / GRIP_WAYS, cost = grip_cost(e, first, end, limb, angle);
        if (cost < least) {
            least = cost;
            best = angle;
        }
    }
    best = body_unwind(best, clip_far_angle(&e->plan->frames[first], limb));
    for (int i = first; i < end; i++) {
        double turn = best - figure_of(e, i, limb)->far;
        *end_of(e, i, limb) = (clip_end){.turn = straight ? 0.0 : turn};
    }
}

// --- What is in the air

// From what held before a way through the air to what holds after it.
static void carry(clip_ends *e, int first, int end, int limb)
{
    int count = e->plan->frame_count;
    clip_end none = {0};
    const clip_end from = first > 0 ? *end_of(e, first - 1, limb) : end < count ? *end_of(e, end, limb) : none;
    const clip_end to = end < count ? *end_of(e, end, limb) : from;
    double turn = first > 0 ? from.turn : 0.0, turned = end < count ? to.turn : 0.0; // hands that hang are straight
    double frames = fmin(BEND_TIME * e->plan->frame_rate, 0.5 * (end - first + 1));
    for (int i = first; i < end; i++) {
        double t = ease_between((double)(i - first + 1) / (end - first + 1));
        double before = 1.0 - ease_between(fmin((i - first + 1) / frames, 1.0)),
               after = 1.0 - ease_between(fmin((end - i) / frames, 1.0));
        *end_of(e, i, limb) = (clip_end){.slide = from.slide + (to.slide - from.slide) * t,
                                         .ground = from.ground + (to.ground - from.ground) * t,
                                         .turn = turn * before + turned * after};
    }
}

// Out of the solid that is met first, seen from wrist or ankle.
static void push_out(clip_ends *e, int frame, int limb, double room)
{
    clip_end *end = end_of(e, frame, limb);
    lope_xy parts[PARTS];
    if (facing_of(e, frame, limb) == 0)
        return;
    list_parts(e, frame, limb, end, parts);
    for (int k = 0; k < PARTS; k++) {
        lope_xy out;
        double lack = room - lope_grasp_clearance(e->world, parts[k], &out), length = xy_length(out);
        if (lack > 0.0 && length > 1e-6) {
            end->push = xy_mad(end->push, out, fmin(lack, FARTHEST) / length);
            return;
        }
    }
}

static void keep_away(clip_ends *e, int first, int end, int limb)
{
    lope_xy none = {0, 0};
    int count = e->plan->frame_count, frames = (int)(AWAY_TIME * e->plan->frame_rate) + 1;
    for (int round = 0; round < ROUNDS; round++) {
        lope_xy before = none;
        for (int i = first; i < end && round > 0; i++) {
            clip_end *here = end_of(e, i, limb);
            lope_xy after = i + 1 < end   ? end_of(e, i + 1, limb)->push
                            : end < count ? none
                                          : here->push,
                    was = here->push;
            before = i == first && first == 0 ? was : before;
            here->push = xy(0.5 * was.x + 0.25 * (before.x + after.x), 0.5 * was.y + 0.25 * (before.y + after.y));
            before = was;
        }
        for (int i = first; i < end; i++) { // the less, the nearer to what it leaves or takes
            int left = first > 0 ? i - first + 1 : frames, to = end < count ? end - i : frames;
            double share = fmin(fmin(left, to), frames) / frames;
            push_out(e, i, limb, AT_HOLDS + (AIR - AT_HOLDS) * share);
        }
    }
}

// The end of a stretch in which a hand or foot holds the same, or is in the air.
static int stretch_end(const clip_ends *e, int first, int limb)
{
    const lope_climb_frame *f = e->plan->frames;
    bool held = holds(e, first, limb);
    int end = first + 1;
    while (
        end < e->plan->frame_count && holds(e, end, limb) == held &&
        (!held || (f[end].hold[limb] == f[first].hold[limb] && facing_of(e, end, limb) == facing_of(e, first, limb))))
        end++;
    return end;
}

static void each_stretch(clip_ends *e, int limb, bool held, void (*use)(clip_ends *, int, int, int))
{
    for (int i = 0, end; i < e->plan->frame_count; i = end) {
        end = stretch_end(e, i, limb);
        if (holds(e, i, limb) == held)
            use(e, i, end, limb);
    }
}

void clip_ends_find(clip_ends *e)
{
    find_figure(e);
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++) {
        each_stretch(e, limb, true, body_is_leg(limb) ? stand : grip);
        each_stretch(e, limb, false, carry); // from what holds to what holds
        if (e->world)
            each_stretch(e, limb, false, keep_away);
    }
}
