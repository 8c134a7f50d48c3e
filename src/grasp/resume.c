// SPDX-License-Identifier: MIT
// Going on from a frame of a plan (5.6.3). A posture that one planner left in the middle of something may lead nowhere
// for another: where nothing leads on, the cut moves back over the plan's changes of contact, in growing strides, down
// to the start. What comes out never comes less far than the plan did.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/plan.h"

#define LONGER 3      // times as far back as the stride before
#define PATIENCE 3    // each cut may cost this part of the budget that is left; the start all of it
#define FASTEST 8.0   // radians per second of any joint over the cut
#define OFF_HOLD 0.05 // metres that a limb may be off what it holds in a plan of the same world

// Where to cut a plan: its last frame that is kept, and how many steps.
typedef struct cut {
    int frame, steps;
} cut;

typedef struct resumption {
    const lope_climb_problem *problem;
    const lope_climb_plan *plan; // that is gone on from
    int frame;                   // that was asked for
    lope_climb_plan *best;       // of what was tried
    lope_error reason;           // why it is not complete
    lope_climb_counts counts;    // of everything that was tried
} resumption;

// Where a stance of a plan holds: on surfaces, where the limb is in the first frame from `frame` on that holds so.
static lope_grasp_contacts places_after(const planner *p, const lope_climb_plan *plan, int frame, const stance *s)
{
    lope_grasp_contacts contacts = stance_contacts(p->world, s);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (s->hold[i] < 0 || p->world->holds[s->hold[i]].surface < 0)
            continue;
        int k = frame;
        while (k < plan->frame_count - 1 && !(plan->frames[k].held >> i & 1u && plan->frames[k].hold[i] == s->hold[i]))
            k++;
        lope_grasp_points points;
        lope_grasp_forward(p->body, &plan->frames[k].pose, &points);
        contacts.at[i] = stance_places(p->world, s, &points).at[i];
    }
    return contacts;
}

// How far a joint turns, from a kept frame to the next one, where that frame's pose is made to hold what a stance
// holds.
static double seam_at(const planner *p, const lope_climb_frame *frame, const footing *at, lope_grasp_pose *out)
{
    *out = frame->pose;
    if (frame->pose.facing != at->s.facing || fabs(lope_sin(frame->yaw)) > 1e-9 ||
        !posture_hold(p->body, &at->contacts, out) || lope_grasp_excess(p->body, out) > 1e-3)
        return (double)INFINITY;
    return edge_turn(&frame->pose, out);
}

// The cut at a step. Its time lies between two frames: in one of them a limb has not arrived yet, in the other one may
// have left. False where both would tear at a joint.
static bool cut_step(const planner *p, const lope_climb_plan *plan, int step, leg *l, cut *out)
{
    double best = (double)INFINITY, time = plan->steps[step].time * plan->frame_rate;
    l->at.s = (stance){.facing = plan->steps[step].facing, .seat = plan->steps[step].seat};
    l->mode = plan->steps[step].mode;
    memcpy(l->at.s.hold, plan->steps[step].hold, sizeof l->at.s.hold);
    if (stance_mode(p->world, &l->at.s) == STANCE_NONE)
        return false;
    l->at.contacts = places_after(p, plan, (int)floor(time + 1e-6), &l->at.s);
    for (int frame = (int)floor(time + 1e-6); frame <= (int)ceil(time - 1e-6) && frame < plan->frame_count; frame++) {
        lope_grasp_pose pose;
        double seam = seam_at(p, &plan->frames[frame], &l->at, &pose);
        if (seam < best) {
            best = seam;
            l->at.pose = pose;
            *out = (cut){frame, step + 1};
        }
    }
    return best * plan->frame_rate < FASTEST;
}

// The last change of contact before a frame: the contact-first planner knows nothing between those.
static cut cut_at_step(const planner *p, const lope_climb_plan *plan, int frame, leg *l)
{
    cut c = {0, 1};
    for (int k = plan->step_count - 1; k > 0; k--)
        if (plan->steps[k].time * plan->frame_rate <= frame + 1e-6 && cut_step(p, plan, k, l, &c))
            return c;
    l->at.pose = plan->frames[0].pose;
    l->at.s = (stance){.facing = plan->steps[0].facing, .seat = plan->steps[0].seat};
    l->mode = plan->steps[0].mode;
    memcpy(l->at.s.hold, plan->steps[0].hold, sizeof l->at.s.hold);
    l->at.contacts = places_after(p, plan, 0, &l->at.s);
    return (cut){0, 1};
}

// Any frame will do that holds on to something and does not turn round.
static cut cut_at_frame(const planner *p, const lope_climb_plan *plan, int frame, leg *l)
{
    bool flies = p->def->planner == LOPE_PLANNER_FLIGHT;
    while (frame > 0 && (fabs(lope_sin(plan->frames[frame].yaw)) > 1e-9 || (!plan->frames[frame].held && !flies)))
        frame--;
    cut c = {frame, 0};
    while (c.steps < plan->step_count && plan->steps[c.steps].time * plan->frame_rate <= frame + 1e-6)
        c.steps++;
    const lope_climb_frame *f = &plan->frames[frame];
    memcpy(l->at.s.hold, f->hold, sizeof f->hold);
    l->at.pose = f->pose;
    l->at.s.facing = f->pose.facing;
    l->at.contacts = stance_contacts(p->world, &l->at.s); // planners of points
    l->mode = f->mode;
    return c;
}

// --- Sites

// The last change of contact by the end of a frame: sites are reached between one frame and the next.
static int step_in(const lope_climb_plan *plan, int frame)
{
    int k = plan->step_count - 1;
    while (k > 0 && plan->steps[k].time * plan->frame_rate > frame + 1 - 5e-7)
        k--;
    return k;
}

// Whether a plan is at a site in the frame at which it says that it reached one. In that frame the last limb may still
// be in the air, so the change of contact counts; limbs that only let go are in frames alone.
static bool is_at(planner *p, const lope_climb_site *site, const lope_climb_plan *plan, int frame)
{
    const lope_climb_frame *f = &plan->frames[frame];
    const lope_climb_step *step = &plan->steps[step_in(plan, frame)];
    bool either = !plan_site_facing(site), about = p->world->surface_count > 0 && !site->sequence;
    footing goal;
    if (plan_site(p, site, "milestone", &goal) != LOPE_OK)
        return false;
    if ((either || step->facing == goal.s.facing) &&
        (about ? stance_holds_about(p->world, step->hold, &goal.s) : stance_holds_as(step->hold, &goal.s)))
        return true;
    if (!f->held) // it flew there
        return xy_distance(f->pose.hip, goal.pose.hip) < OFF_HOLD;
    return (either || f->pose.facing == goal.s.facing) && stance_holds_as(f->hold, &goal.s);
}

// Takes over the sites that a part of a plan reaches, as far as they are those of the problem of now. A sequence that
// the part does not contain to its end is still to be performed.
static void take_sites(planner *p, const resumption *r, cut c)
{
    const lope_climb_plan *plan = r->plan;
    const lope_climb_problem *problem = r->problem;
    for (int i = 0; i < plan->reached && i <= problem->via_count && plan->site_frame[i] <= c.frame; i++) {
        const lope_climb_site *site = i < problem->via_count ? &problem->via[i] : &problem->goal;
        bool performs = site->sequence && site->sequence->count > 1;
        if (!is_at(p, site, plan, plan->site_frame[i]) ||
            (performs && c.steps - 1 <= step_in(plan, plan->site_frame[i])))
            break;
        plan_reach(p, plan->site_frame[i]);
    }
}

static lope_status keep_until(planner *p, const resumption *r, cut c, leg *l)
{
    lope_climb_plan part = *r->plan;
    lope_grasp_points points;
    posture_hold(p->body, &l->at.contacts, &l->at.pose);
    lope_grasp_forward(p->body, &l->at.pose, &points);
    l->at.mass = points.mass;
    part.frame_count = c.frame + 1;
    part.step_count = c.steps;
    p->plan->frame_rate = part.frame_rate;
    p->plan->kept = c.frame + 1;
    p->natural = c.frame / part.frame_rate; // a kept part counts as it is
    take_sites(p, r, c);
    return plan_add(p, &part);
}

// --- Going back

static bool comes_further(const lope_climb_plan *a, const lope_climb_plan *b)
{
    return !b || a->reached > b->reached || (a->reached == b->reached && a->left < b->left);
}

// The plan in hand is put aside for another try, or forgotten where an earlier one came as far.
static lope_status put_aside(planner *p, resumption *r)
{
    plan_count(&r->counts, &p->plan->counts);
    lope_climb_plan *made = p->plan, *worse = made;
    if (comes_further(made, r->best)) {
        worse = r->best;
        r->best = made;
        r->reason = p->error ? *p->error : r->reason;
    }
    lope_climb_plan_destroy(worse);
    p->plan = lope_alloc_zero(sizeof *p->plan);
    if (!p->plan)
        return lope_fail_memory(p->error);
    p->plan->body = *p->body;
    p->site = 0;
    return LOPE_OK;
}

static int share(int left, int part)
{
    return left / part + (left % part != 0);
}

// What a try may spend: the last one, from the start, all that is left.
static void allow(lope_climb_def *def, const lope_climb_def *whole, const lope_climb_counts *spent, bool last)
{
    int part = last ? 1 : PATIENCE;
    def->budget = share(whole->budget - spent->looked, part);
    def->samples = share(whole->samples - spent->samples, part);
}

static bool all_spent(const lope_climb_def *def, const lope_climb_counts *spent)
{
    return def->planner == LOPE_PLANNER_CONTACTS ? spent->looked >= def->budget : spent->samples >= def->samples;
}

// Plans on from a cut at a frame.
static lope_status go_on_from(planner *p, const resumption *r, int frame, cut *c)
{
    leg l = {0};
    lope_climb_def def = *p->def;
    const lope_climb_def *whole = p->def;
    bool steps_only = p->def->planner == LOPE_PLANNER_CONTACTS;
    *c = steps_only ? cut_at_step(p, r->plan, frame, &l) : cut_at_frame(p, r->plan, frame, &l);
    if (steps_only && stance_mode(p->world, &l.at.s) == STANCE_NONE)
        return lope_fail(p->error, LOPE_MISMATCH,
                         "the plan is of another world: what it holds at its start is no stance");
    allow(&def, whole, &r->counts, c->frame == 0);
    lope_status status = keep_until(p, r, *c, &l);
    p->def = &def;
    if (!status)
        status = plan_go_on(p, r->problem, &l);
    p->def = whole;
    return status;
}

// LOPE_PARTIAL where no cut leads to the end: `best` is then what came furthest.
static lope_status try_cuts(planner *p, resumption *r)
{
    const lope_climb_plan *plan = r->plan;
    lope_status status;
    cut c;
    int frame = r->frame, asked = plan->step_count - 1;
    while (asked > 0 && plan->steps[asked].time * plan->frame_rate > frame + 1e-6)
        asked--;
    for (int back = 1;; back *= LONGER) {
        status = go_on_from(p, r, frame, &c);
        p->plan->went_back = asked - (c.steps - 1);
        if (status != LOPE_PARTIAL)
            break;
        bool over = p->stopped || c.frame == 0;
        lope_status aside = put_aside(p, r);
        if (aside || over || all_spent(p->def, &r->counts))
            return aside ? aside : status;
        int step = asked - back < c.steps - 2 ? asked - back : c.steps - 2; // before the last cut in any case
        frame = step > 0 ? (int)ceil(plan->steps[step].time * plan->frame_rate - 1e-6) : 0;
    }
    if (!status && p->error)
        *p->error = (lope_error){0}; // what earlier tries left there
    return status;
}

// --- What there was

// The plan that was gone on from as it is, judged by the sites of now.
static lope_status copy_whole(planner *p, const resumption *r)
{
    const lope_climb_plan *plan = r->plan;
    const lope_climb_problem *problem = r->problem;
    p->plan->frame_rate = plan->frame_rate;
    p->plan->seed = plan->seed;
    p->plan->kept = plan->frame_count;
    take_sites(p, r, (cut){plan->frame_count - 1, plan->step_count});
    int next = p->plan->reached;
    p->plan->complete = next > problem->via_count;
    lope_status status = plan_add(p, plan);
    if (!status && !p->plan->complete)
        status = plan_left(p, next < problem->via_count ? &problem->via[next] : &problem->goal,
                           &plan->frames[plan->frame_count - 1], &p->plan->left);
    return status;
}

// The better of what was found and what there was.
static lope_status choose(planner *p, resumption *r)
{
    lope_status status = copy_whole(p, r);
    if (status)
        return status;
    bool further = comes_further(r->best, p->plan);
    if (further) {
        lope_climb_plan *was = p->plan;
        p->plan = r->best;
        r->best = was;
    }
    p->plan->counts = (lope_climb_counts){0}; // those of all tries are added
    if (further && p->error)
        *p->error = r->reason;
    if (further)
        return LOPE_PARTIAL;
    if (p->plan->complete)
        return lope_fail(p->error, LOPE_PARTIAL,
                         "the plan stays as it was: going on from frame %d does not arrive (%.300s)", r->frame,
                         r->reason.message);
    return lope_fail(
        p->error, LOPE_PARTIAL,
        "the plan stays as it was, %.1f m before the goal: going on from frame %d came no further (%.300s)",
        p->plan->left, r->frame, r->reason.message);
}

static bool exist(const planner *p, const int hold[LOPE_LIMB_COUNT])
{
    bool all = true;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        all &= hold[i] >= -1 && hold[i] < p->world->hold_count;
    return all;
}

static lope_status check_frame(const planner *p, const lope_climb_plan *plan, int index)
{
    const lope_climb_frame *f = &plan->frames[index];
    if (!exist(p, f->hold))
        return lope_fail(p->error, LOPE_MISMATCH,
                         "the plan is of another world: frame %d holds a grasp that is none of %d", index,
                         p->world->hold_count);
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++) {
        int hold = f->held >> limb & 1u ? f->hold[limb] : -1;
        if (hold < 0 || fabs(lope_sin(f->yaw)) > 1e-9)
            continue;
        lope_vec3 at = lope_climb_extremity(p->body, f, (lope_grasp_limb)limb);
        double off = xy_distance(xy((double)at.x, (double)at.y), p->world->holds[hold].at);
        if (!(off <= OFF_HOLD + (p->world->holds[hold].surface >= 0 ? LOPE_SURFACE_STEP : 0.0)))
            return lope_fail(p->error, LOPE_MISMATCH,
                             "the plan is of another world or body: in frame %d a limb is %.2f m off its grasp", index,
                             off);
    }
    return LOPE_OK;
}

// A plan of another world has grasps that do not exist, or lie elsewhere. All of it is looked at: it may be handed back
// as it is.
static lope_status check_world(const planner *p, const lope_climb_plan *plan)
{
    lope_status status = LOPE_OK;
    if (plan->step_count < 1)
        return lope_fail(p->error, LOPE_MISMATCH, "the plan has no first step: it holds nothing at its start");
    for (int i = 0; i < plan->step_count; i++)
        if (!exist(p, plan->steps[i].hold) || plan->steps[i].seat > p->world->hold_count)
            return lope_fail(p->error, LOPE_MISMATCH,
                             "the plan is of another world: step %d holds a grasp that is none of %d", i,
                             p->world->hold_count);
    for (int i = 0; i < plan->frame_count && !status; i++)
        status = check_frame(p, plan, i);
    return status;
}

lope_status lope_climb_plan_check(const lope_grasp_world *world, const lope_climb_plan *plan, lope_error *error)
{
    planner p = {.world = world, .body = &plan->body, .error = error};
    return check_world(&p, plan);
}

lope_status lope_climb_plan_resume(const lope_grasp_world *world, const lope_climb_problem *problem,
                                   const lope_climb_def *def, const lope_climb_plan *plan, int frame, lope_jobs *jobs,
                                   const lope_progress *progress, lope_climb_plan **out, lope_error *error)
{
    lope_grasp_body standard = lope_grasp_body_default();
    planner p = {world, def->body ? def->body : &standard, def, jobs, progress, .error = error};
    resumption r = {.problem = problem, .plan = plan, .frame = frame};
    *out = NULL;
    if (frame < 0 || frame >= plan->frame_count)
        return lope_fail(error, LOPE_BAD_DATA, "frame %d is not in the plan, which has %d", frame, plan->frame_count);
    lope_status status = check_world(&p, plan);
    if (status)
        return status;
    status = plan_begin(&p, problem);
    if (!status)
        status = try_cuts(&p, &r);
    if (status == LOPE_PARTIAL)
        status = choose(&p, &r);
    if (p.plan)
        plan_count(&p.plan->counts, &r.counts);
    lope_climb_plan_destroy(r.best);
    return plan_end(&p, status, out);
}
