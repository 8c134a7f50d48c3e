// SPDX-License-Identifier: MIT
// Sites as configurations, and pregenerated sequences (5.4.4): a plan goes to the first pose, performs them, and goes
// on from the last.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/plan.h"

#define DEEPEST 0.02 // metres that its poses may be inside obstacles
#define BETWEEN 4    // places that are looked at from one pose to the next
#define FASTEST 10.0 // radians per second of any joint (573 degrees)

// Which holds the extremities of a pose are on. Bodies that fly hold nothing.
static stance stance_under(const planner *p, const lope_grasp_pose *pose)
{
    return p->def->planner == LOPE_PLANNER_FLIGHT ? (stance){{-1, -1, -1, -1}, pose->facing, 0, 0}
                                                  : stance_of_pose(p->world, p->body, pose, plan_slides(p));
}

static const char *const limb_names[LOPE_LIMB_COUNT] = {"left hand", "right hand", "left foot", "right foot"};

// "left hand, right foot", or "nothing".
static void name_held(const stance *s, char *out, size_t size)
{
    size_t used = 0;
    snprintf(out, size, "nothing");
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (s->hold[i] >= 0)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", limb_names[i]);
}

static lope_status footing_under(planner *p, const lope_grasp_pose *pose, footing *out)
{
    lope_grasp_points points;
    lope_grasp_forward(p->body, pose, &points);
    *out = (footing){.s = stance_under(p, pose), .pose = *pose, .mass = points.mass};
    if (p->def->planner == LOPE_PLANNER_FLIGHT)
        return LOPE_OK;
    if (stance_mode(p->world, &out->s) == STANCE_NONE) {
        char held[64];
        name_held(&out->s, held, sizeof held);
        return lope_fail(p->error, LOPE_BAD_DATA,
                         "the pose at (%.2f, %.2f) needs both feet, both hands, or hands and feet on holds, found %s",
                         pose->hip.x, pose->hip.y, held);
    }
    out->contacts = stance_places(p->world, &out->s, &points);
    if (!posture_hold(p->body, &out->contacts, &out->pose) || lope_grasp_excess(p->body, &out->pose) > 1e-3)
        return lope_fail(p->error, LOPE_BAD_DATA, "the pose at (%.2f, %.2f) leaves the range of a joint", pose->hip.x,
                         pose->hip.y);
    return LOPE_OK;
}

// A pose of a sequence in the measures of the body that plans: hands and feet are where they were.
static lope_grasp_pose sequence_pose(const planner *p, const lope_climb_sequence *sequence, int index,
                                     unsigned exchange)
{
    lope_grasp_pose pose = sequence->poses[index];
    if (sequence->body) {
        lope_grasp_points points;
        lope_grasp_contacts ends = {.mask = LOPE_ARM_MASK | LOPE_LEG_MASK};
        lope_grasp_forward(sequence->body, &pose, &points);
        memcpy(ends.at, points.end, sizeof ends.at);
        posture_hold(p->body, &ends, &pose);
        for (int i = 0; i < LOPE_LIMB_COUNT; i++)
            for (int k = 0; k < 2; k++)
                pose.limb[i][k] = clamp_to(pose.limb[i][k], p->body->range[body_is_leg(i)][k].low,
                                           p->body->range[body_is_leg(i)][k].high);
    }
    return pose_exchanged(&pose, exchange);
}

lope_status plan_site(planner *p, const lope_climb_site *site, const char *what, footing *out)
{
    if (site->sequence) {
        lope_grasp_pose first = sequence_pose(p, site->sequence, 0, 0);
        return footing_under(p, &first, out);
    }
    const footing_task like = {.world = p->world, .body = p->body, .slides = plan_slides(p)};
    return footing_at(&like, site, what, out, &p->plan->counts, p->error);
}

bool plan_site_facing(const lope_climb_site *site)
{
    return site->sequence || site->facing != 0;
}

// Of which pairs of limbs the plan has left and right exchanged where it stands at the beginning of a sequence.
static unsigned arrived_exchanged(const planner *p, const lope_climb_sequence *sequence, const stance *at)
{
    lope_grasp_pose pose = sequence_pose(p, sequence, 0, 0);
    stance first = stance_under(p, &pose);
    return pose_pairs_to_exchange(first.hold, at->hold);
}

// Seconds that it takes: as many as were asked for, and so many that no joint is too fast.
static double sequence_time(const planner *p, const lope_climb_sequence *sequence)
{
    double most = 0.0;
    for (int i = 0; i + 1 < sequence->count; i++) {
        lope_grasp_pose a = sequence_pose(p, sequence, i, 0), b = sequence_pose(p, sequence, i + 1, 0);
        most = fmax(most, edge_turn(&a, &b));
    }
    double speed = plan_speed(p->def, p->natural + 0.5 * sequence->seconds);
    return fmax(sequence->seconds / speed, most * (sequence->count - 1) / FASTEST);
}

static double clearance_of(const planner *p, const lope_grasp_pose *pose)
{
    lope_grasp_points points;
    lope_grasp_forward(p->body, pose, &points);
    return posture_clearance(p->world, &points);
}

// Poses, and the ways between them.
static lope_status check_sequence(const planner *p, const lope_climb_sequence *sequence)
{
    for (int i = 0; i < sequence->count; i++) {
        int next = i + 1 < sequence->count ? i + 1 : i;
        lope_grasp_pose a = sequence_pose(p, sequence, i, 0), b = sequence_pose(p, sequence, next, 0);
        for (int k = 0; k < BETWEEN; k++) {
            lope_grasp_pose pose = pose_between(&a, &b, (double)k / BETWEEN);
            double clearance = clearance_of(p, &pose);
            if (clearance < -DEEPEST)
                return lope_fail(p->error, LOPE_BAD_DATA,
                                 "pose %d of the sequence at (%.2f, %.2f) is %.2f m inside an obstacle%s", i,
                                 sequence->poses[0].hip.x, sequence->poses[0].hip.y, -clearance,
                                 k ? ", on its way to the next" : "");
        }
    }
    return LOPE_OK;
}

static void write_frames(const planner *p, const lope_climb_sequence *sequence, const leg *l, unsigned exchange,
                         lope_climb_plan *part)
{
    int last = part->frame_count - 1;
    for (int i = 0; i <= last; i++) {
        double at = (double)(sequence->count - 1) * i / last;
        int k = i < last ? (int)at : sequence->count - 2;
        lope_grasp_pose a = sequence_pose(p, sequence, k, exchange), b = sequence_pose(p, sequence, k + 1, exchange);
        part->frames[i] = (lope_climb_frame){.pose = pose_between(&a, &b, at - k),
                                             .mode = l->mode,
                                             .hold = {-1, -1, -1, -1},
                                             .yaw = a.facing > 0 ? 0.0 : LOPE_PI};
    }
    part->frames[last].pose = l->at.pose;
    part->frames[last].held = stance_mask(&l->at.s);
    memcpy(part->frames[last].hold, l->at.s.hold, sizeof l->at.s.hold);
}

lope_status plan_check(planner *p, const lope_climb_problem *problem)
{
    lope_status status = LOPE_OK;
    for (int i = -1; i <= problem->via_count && !status; i++) {
        const lope_climb_site *site = i < 0                    ? &problem->start
                                      : i < problem->via_count ? &problem->via[i]
                                                               : &problem->goal;
        const lope_climb_sequence *sequence = site->sequence;
        footing ends;
        if (!sequence || p->def->planner == LOPE_PLANNER_FLIGHT)
            continue;
        status = check_sequence(p, sequence);
        for (int last = 0; last < 2 && !status; last++) {
            lope_grasp_pose pose = sequence_pose(p, sequence, last ? sequence->count - 1 : 0, 0);
            status = footing_under(p, &pose, &ends);
        }
    }
    return status;
}

lope_status plan_perform(planner *p, const lope_climb_sequence *sequence, leg *l)
{
    if (sequence->count == 1)
        return LOPE_OK; // a pose that was passed
    lope_climb_step step[2] = {{.mode = l->mode, .facing = sequence->poses[0].facing}, {0}};
    unsigned exchange = stance_mask(&l->at.s) ? arrived_exchanged(p, sequence, &l->at.s) : 0;
    lope_grasp_pose end = sequence_pose(p, sequence, sequence->count - 1, exchange);
    lope_status status = footing_under(p, &end, &l->at);
    if (status)
        return status;
    if (stance_mask(&l->at.s))
        l->mode = (lope_grasp_mode)stance_mode(p->world, &l->at.s);
    double rate = p->plan->frame_rate;
    lope_climb_plan part = {
        .frame_count = 2 + (int)ceil(sequence_time(p, sequence) * rate), .step_count = 2, .steps = step};
    part.frames = lope_alloc_array((size_t)part.frame_count, sizeof *part.frames);
    if (!part.frames)
        return lope_fail_memory(p->error);
    write_frames(p, sequence, l, exchange, &part);
    step[1] = (lope_climb_step){.mode = l->mode, .facing = l->at.s.facing, .time = (part.frame_count - 1) / rate};
    memcpy(step[1].hold, l->at.s.hold, sizeof step[1].hold);
    status = plan_add(p, &part);
    p->natural += sequence->seconds;
    lope_free(part.frames);
    return status;
}
