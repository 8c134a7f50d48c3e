// SPDX-License-Identifier: MIT
// Judging climbing plans frame by frame. Kinematics and distances are written out once more, on purpose.
#include "support/climb_check.h"

#include "support/support.h"

#include <math.h>

#define STEP 0.01 // metres between the points of a limb that are looked at

typedef struct vec {
    double x, y;
} vec;

typedef struct figure {
    vec hip, neck, top, middle[4], end[4], mass;
} figure;

static vec along(vec from, double length, double angle, int facing)
{
    return (vec){from.x + facing * length * sin(angle), from.y - length * cos(angle)};
}

static vec part(vec a, vec b, double t)
{
    return (vec){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

static void weigh(vec *sum, vec at, double mass)
{
    sum->x += at.x * mass;
    sum->y += at.y * mass;
}

// Metres of the links.
typedef struct measures {
    double spine, head, arm[2], leg[2];
    uint64_t missing; // limbs
} measures;

static const measures standard = {0.55, 0.25, {0.35, 0.35}, {0.45, 0.45}, 0};

static measures measures_of(const lope_grasp_body *body)
{
    return (measures){body->spine,
                      body->head,
                      {body->length[0][0], body->length[0][1]},
                      {body->length[1][0], body->length[1][1]},
                      body->missing};
}

static figure figure_of(const measures *m, const lope_grasp_pose *p)
{
    figure f = {.hip = {p->hip.x, p->hip.y}};
    f.neck = along(f.hip, -m->spine, -p->spine, p->facing);
    f.top = along(f.neck, -m->head, -p->spine - p->neck, p->facing);
    weigh(&f.mass, part(f.hip, f.neck, 0.5), 0.497);
    weigh(&f.mass, part(f.neck, f.top, 0.5), 0.081);
    for (int i = 0; i < 4; i++) {
        const double *length = i < 2 ? m->arm : m->leg;
        double near = p->limb[i][0] - p->spine;
        double far = i < 2 ? near + p->limb[i][1] : near - p->limb[i][1];
        vec base = i < 2 ? f.neck : f.hip;
        f.middle[i] = along(base, length[0], near, p->facing);
        f.end[i] = along(f.middle[i], length[1], far, p->facing);
        weigh(&f.mass, part(base, f.middle[i], i < 2 ? 0.436 : 0.433), i < 2 ? 0.028 : 0.1);
        weigh(&f.mass, part(f.middle[i], f.end[i], i < 2 ? 0.682 : 0.606), i < 2 ? 0.022 : 0.061);
    }
    return f;
}

static double outline_distance(const lope_grasp_polygon *polygon, vec at)
{
    double nearest = (double)INFINITY;
    for (int k = 0; k < polygon->count; k++) {
        lope_xy a = polygon->corners[k], b = polygon->corners[(k + 1) % polygon->count];
        double dx = b.x - a.x, dy = b.y - a.y, t = ((at.x - a.x) * dx + (at.y - a.y) * dy) / (dx * dx + dy * dy);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        nearest = fmin(nearest, hypot(at.x - a.x - t * dx, at.y - a.y - t * dy));
    }
    return nearest;
}

// How deep a point is inside the obstacles; 0 outside.
static double depth_of(const lope_grasp_world *world, vec at)
{
    double deepest = 0.0;
    for (int i = 0; i < world->obstacle_count; i++) {
        const lope_grasp_polygon *polygon = &world->obstacles[i];
        int crossings = 0; // polygons of the scenes may be concave
        for (int k = 0; k < polygon->count; k++) {
            lope_xy a = polygon->corners[k], b = polygon->corners[(k + 1) % polygon->count];
            crossings += (a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y);
        }
        if (crossings % 2 == 1)
            deepest = fmax(deepest, outline_distance(polygon, at));
    }
    return deepest;
}

static double link_depth(const lope_grasp_world *world, vec a, vec b)
{
    double deepest = 0.0;
    int steps = 1 + (int)(hypot(b.x - a.x, b.y - a.y) / STEP);
    for (int i = 0; i <= steps; i++)
        deepest = fmax(deepest, depth_of(world, part(a, b, (double)i / steps)));
    return deepest;
}

static double body_depth(const lope_grasp_world *world, const figure *f, uint64_t missing)
{
    double deepest = fmax(link_depth(world, f->hip, f->neck), link_depth(world, f->neck, f->top));
    for (int i = 0; i < 4; i++) {
        if (missing >> i & 1u)
            continue;
        deepest = fmax(deepest, link_depth(world, i < 2 ? f->neck : f->hip, f->middle[i]));
        deepest = fmax(deepest, link_depth(world, f->middle[i], f->end[i]));
    }
    return deepest;
}

static double beyond(double value, double low, double high)
{
    return fmax(fmax(low - value, value - high), 0.0) * LOPE_PI / 180.0;
}

static double range_excess(const lope_grasp_pose *p)
{
    const double degrees = 180.0 / LOPE_PI;
    double worst = beyond(p->neck * degrees, -45, 45);
    for (int i = 0; i < 4; i++) {
        worst =
            fmax(worst, i < 2 ? beyond(p->limb[i][0] * degrees, -60, 220) : beyond(p->limb[i][0] * degrees, -30, 140));
        worst = fmax(worst, beyond(p->limb[i][1] * degrees, 0, 150));
    }
    return worst;
}

static double fastest_joint(const lope_grasp_pose *a, const lope_grasp_pose *b)
{
    double worst = fmax(fabs(a->spine - b->spine), fabs(a->neck - b->neck));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            worst = fmax(worst, fabs(a->limb[i][k] - b->limb[i][k]));
    return worst;
}

static bool in_plane(const lope_climb_frame *frame)
{
    return fabs(sin(frame->yaw)) < 1e-9;
}

// How far a point is from a hold; on a surface, from the part of it that the hold stands for.
static double off_hold(const lope_grasp_world *world, const lope_hold *hold, lope_xy at)
{
    double off = hypot(at.x - hold->at.x, at.y - hold->at.y);
    if (hold->surface < 0 || off > 0.5 * LOPE_SURFACE_STEP + 1e-3)
        return off;
    const lope_grasp_surface *s = &world->surfaces[hold->surface];
    double length = hypot(s->to.x - s->from.x, s->to.y - s->from.y);
    return fabs((s->to.x - s->from.x) * (at.y - s->from.y) - (s->to.y - s->from.y) * (at.x - s->from.x)) / length;
}

// Where each limb took hold.
typedef struct taken {
    int hold[4];
    lope_xy at[4];
} taken;

static void judge_holds(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_frame *frame,
                        taken *since, climb_verdict *verdict)
{
    if (frame->seat > world->hold_count)
        verdict->holds_known = false;
    else if (frame->seat > 0) { // the hip is a hand's breadth above
        lope_xy at = world->holds[frame->seat - 1].at;
        verdict->loosest =
            fmax(verdict->loosest, hypot(frame->pose.hip.x - at.x, frame->pose.hip.y - at.y - 0.1) - 1.5e-3);
    }
    for (int i = 0; i < 4; i++) {
        if (!(frame->held >> i & 1u)) {
            since->hold[i] = -1;
            continue;
        }
        if (body->missing >> i & 1u || frame->hold[i] < 0 || frame->hold[i] >= world->hold_count ||
            (i >= 2 && world->holds[frame->hold[i]].kind == LOPE_HOLD_PENDENT)) {
            verdict->holds_known = false;
            return;
        }
        measures m = measures_of(body);
        figure f = figure_of(&m, &frame->pose);
        lope_vec3 turned = lope_climb_extremity(body, frame, (lope_grasp_limb)i);
        lope_xy at =
            in_plane(frame) ? (lope_xy){f.end[i].x, f.end[i].y} : (lope_xy){(double)turned.x, (double)turned.y};
        double off = off_hold(world, &world->holds[frame->hold[i]], at);
        verdict->loosest = fmax(verdict->loosest, in_plane(frame) ? off : hypot(off, (double)turned.z));
        if (since->hold[i] != frame->hold[i])
            since->at[i] = at;
        since->hold[i] = frame->hold[i];
        verdict->loosest = fmax(verdict->loosest, hypot(at.x - since->at[i].x, at.y - since->at[i].y));
    }
}

static void judge_balance(const lope_climb_step *step, const figure *f, climb_verdict *verdict)
{
    if (step->mode != LOPE_MODE_WALK || step->hold[2] < 0 || step->hold[3] < 0) // a step is from foot to foot
        return;
    double a = f->end[2].x, b = f->end[3].x;
    verdict->off_balance = fmax(verdict->off_balance, fmax(fmin(a, b) - f->mass.x, f->mass.x - fmax(a, b)));
}

climb_verdict climb_judge(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_plan *plan)
{
    climb_verdict verdict = {.holds_known = true};
    lope_grasp_body usual = lope_grasp_body_default();
    measures m = body ? measures_of(body) : standard;
    int step = 0;
    taken since = {.hold = {-1, -1, -1, -1}};
    for (int i = 0; i < plan->frame_count; i++) {
        const lope_climb_frame *frame = &plan->frames[i];
        figure f = figure_of(&m, &frame->pose);
        if (in_plane(frame))
            verdict.deepest = fmax(verdict.deepest, body_depth(world, &f, m.missing));
        verdict.bent = fmax(verdict.bent, range_excess(&frame->pose));
        judge_holds(world, body ? body : &usual, frame, &since, &verdict);
        while (step < plan->step_count && plan->steps[step].time <= i / plan->frame_rate) {
            if (i / plan->frame_rate - plan->steps[step].time < 1.0 / plan->frame_rate && in_plane(frame))
                judge_balance(&plan->steps[step], &f, &verdict);
            step++;
        }
        if (i == 0)
            continue;
        const lope_climb_frame *last = &plan->frames[i - 1];
        verdict.fastest = fmax(verdict.fastest, fastest_joint(&last->pose, &frame->pose) * plan->frame_rate);
        verdict.leap =
            fmax(verdict.leap, hypot(frame->pose.hip.x - last->pose.hip.x, frame->pose.hip.y - last->pose.hip.y));
    }
    return verdict;
}

void climb_require_sound(const lope_climb_scene *scene, const lope_climb_plan *plan)
{
    climb_require_sound_for(scene, NULL, plan);
}

void climb_require_sound_for(const lope_climb_scene *scene, const lope_grasp_body *body, const lope_climb_plan *plan)
{
    climb_verdict v = climb_judge(scene->world, body, plan);
    if (!v.holds_known || v.deepest > 0.02 || v.loosest > 1e-3 || v.bent > 2e-3 || v.fastest > 600 * LOPE_PI / 180 ||
        v.leap > 0.06 || v.off_balance > 0.08)
        fail_msg("%s: %.3f m deep, %.4f m off hold, %.4f beyond range, %.0f degrees/s, %.3f m leap, %.3f m off balance",
                 scene->name, v.deepest, v.loosest, v.bent, v.fastest * 180 / LOPE_PI, v.leap, v.off_balance);
}
