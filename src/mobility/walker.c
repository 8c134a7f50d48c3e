// SPDX-License-Identifier: MIT
// The timeline of a walker: steps of any length, from frame to frame, from state to state, and the cuts between clips.
#include "mobility/walker.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "lope/ground.h"

// Longer steps are cut to this: a debugger's pause must not cost a minute of catching up.
#define LONGEST_STEP 10.0f

lope_walker_def lope_walker_def_default(void)
{
    lope_walker_def def = {.decision = LOPE_DECIDE_TIME,
                           .distance_weight = 310.0f,
                           .angle_weight = 17.0f,
                           .keep_margin = 0.05f,
                           .decide_interval = 0.2f,
                           .arrive_radius = 0.25f,
                           .arrive_angle = 15.0f * (float)LOPE_PI / 180.0f,
                           .edit_step = 0.05f,
                           .edit_turn = 0.12f,
                           .fade = LOPE_FADE_INERTIA,
                           .fade_duration = 0.12f,
                           .lock_feet = true,
                           .lock = lope_lock_def_default()};
    // Gentler than for motion as captured: transitions ask more of the legs, and less lowering shows less.
    def.lock.halflife = 0.12f;
    def.lock.lowering = 0.045f;
    // Legs give way before they are straight: a straight knee that lets go snaps.
    def.lock.softness = 0.03f;
    return def;
}

static size_t round_up(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

size_t lope_walker_size(const lope_mobility *map)
{
    return round_up(sizeof(lope_walker)) + shown_body_bytes(map->set->skeleton->joint_count);
}

// The standing state that sets out soonest: in some sets a stand has to be played for seconds before anything follows.
// Where nothing stands, the first state that leads on.
static int32_t first_state(const lope_mobility *map)
{
    const lope_vec2 ahead = {0.0f, 2.0f};
    int32_t any = -1, best = -1;
    float least = INFINITY;
    for (int32_t s = 0; s < (int32_t)map->head.state_count; s++) {
        if (any < 0 && walk_has_choices(map, s))
            any = s;
        float time = lope_mobility_can_stand(map, s) ? lope_mobility_time(map, s, ahead) : INFINITY;
        if (time < least || (best < 0 && lope_mobility_can_stand(map, s))) {
            best = s;
            least = time;
        }
    }
    return best >= 0 ? best : any;
}

static lope_status check_start(const lope_mobility *map, const lope_walker_def *def, int state, lope_ground at,
                               lope_error *error)
{
    const lope_skeleton *skeleton = def->skeleton ? def->skeleton : map->set->skeleton;
    if (skeleton != map->set->skeleton && !lope_skeleton_equal(skeleton, map->set->skeleton, 0.001f))
        return lope_fail(error, LOPE_MISMATCH,
                         "the map was built for another skeleton: %d joints, the character has %d, or they differ in "
                         "names or rest pose; retarget the clips and build the map again",
                         map->set->skeleton->joint_count, skeleton->joint_count);
    if (!isfinite(at.x) || !isfinite(at.z) || !isfinite(at.yaw))
        return lope_fail(error, LOPE_BAD_DATA, "a walker cannot start at x %g, z %g, yaw %g", (double)at.x,
                         (double)at.z, (double)at.yaw);
    if (state < 0 || state >= (int)map->head.state_count || !walk_has_choices(map, state))
        return lope_fail(error, LOPE_BAD_DATA, "state %d of %u: not one that a walker can start in", state,
                         map->head.state_count);
    return LOPE_CHECK(error, LOPE_RANGE(def, fade_duration, LOPE_ABOVE_ZERO, LOPE_LARGE),
                      LOPE_RANGE(def, lock.halflife, LOPE_ABOVE_ZERO, LOPE_LARGE),
                      LOPE_RANGE(def, arrive_radius, LOPE_ABOVE_ZERO, LOPE_LARGE),
                      LOPE_RANGE(def, arrive_angle, 0, LOPE_LARGE), LOPE_RANGE(def, distance_weight, 0, LOPE_LARGE),
                      LOPE_RANGE(def, angle_weight, 0, LOPE_LARGE), LOPE_RANGE(def, keep_margin, 0, LOPE_LARGE),
                      LOPE_RANGE(def, decide_interval, 0, LOPE_LARGE), LOPE_RANGE(def, edit_step, 0, 1),
                      LOPE_RANGE(def, edit_turn, 0, LOPE_LARGE), LOPE_RANGE(def, awkward_cost, 0, LOPE_LARGE),
                      LOPE_RANGE(def, bend, -100, 100));
}

// World from clip, so that frame `frame` of the clip has its ground frame at `ground`.
static ground_move placing_of(const lope_clip *clip, int frame, ground_move ground)
{
    ground_move in_clip = ground_move_of(lope_clip_ground(clip, frame));
    return ground_move_unit(ground_move_mul(ground, ground_move_inverse(in_clip)));
}

// From the motion that has just reached `from` to another clip, at a frame of it.
static void cut_to(lope_walker *walker, const mobility_pose *from, int clip, int frame)
{
    lope_clip *const *clips = walker->map->set->clips;
    ground_move placing = placing_of(clips[clip], frame, walker->ground);
    shown_frame shown = {clips[from->clip], from->frame, walker->placing, 0.0f, 0.0f};
    shown_frame next = {clips[clip], frame, placing, 0.0f, 0.0f};
    shown_look look = walk_look(walker);
    float rate = walker->map->head.frame_rate;
    if (walk_blends_ahead(walker))
        shown.frame = walker->ahead;
    if (look.fade == LOPE_FADE_AHEAD) {
        walker->ahead = next.frame = walk_look_ahead(walker, next.clip, frame, &look.fade_duration);
        rate = 0.0f;
    }
    walker->placing = placing;
    shown_cut(&walker->body, &look, &shown, &next, rate);
}

// Goes on to `pose` from the frame that was reached.
static void go_on(lope_walker *walker, int32_t pose)
{
    if (pose != walker->pose + 1) {
        const mobility_pose *to = &walker->map->poses[pose];
        cut_to(walker, &walker->map->poses[walker->pose], to->clip, to->frame - 1);
        walker->counts.transitions++;
    }
    walker->pose = pose;
}

static void leave_state(lope_walker *walker, int32_t state)
{
    walk_plan *plan = &walker->plan;
    if (plan->choice < 0) { // woken up between two states that decide: the clip goes on to the next one
        go_on(walker, walker->pose + 1);
        return;
    }
    const mobility_action *action = walk_action(walker->map, state, plan->choice, plan->step);
    plan->step++;
    if (plan->hit_step >= 0 && plan->step > (uint32_t)plan->hit_step)
        plan->hit_step = -1;
    go_on(walker, action->first_pose);
}

static bool plan_is_over(const lope_walker *walker)
{
    return walker->plan.choice < 0 || walker->plan.step >= walker->map->head.steps;
}

static void reach_state(lope_walker *walker, int32_t state)
{
    if (walk_should_hold(walker, state)) {
        walk_hold(walker);
        return;
    }
    bool due = walker->flushed || walker->since_decided >= walker->def.decide_interval;
    if (walk_has_choices(walker->map, state) && (due || plan_is_over(walker)))
        walk_decide(walker, state);
    leave_state(walker, state);
}

static void note_passing(lope_walker *walker)
{
    if (walker->aim != WALK_PASS)
        return;
    float dx = walker->goal.position.x - walker->ground.x, dz = walker->goal.position.z - walker->ground.z;
    if (dx * dx + dz * dz > walker->def.arrive_radius * walker->def.arrive_radius)
        return;
    walker->progress = LOPE_WALKER_ARRIVED;
    walker->aim = WALK_STAY;
    walker->flushed = true;
}

// The same places, seen from one frame later.
static void follow_plan(walk_plan *plan, ground_move enter)
{
    ground_move back = ground_move_inverse(enter);
    plan->rest = ground_move_mul(back, plan->rest);
    plan->frames--;
    plan->hit = ground_move_mul(back, plan->hit);
    plan->hit_frames--;
}

static void reach_pose(lope_walker *walker)
{
    const mobility_pose *pose = &walker->map->poses[walker->pose];
    walker->ground = ground_move_unit(ground_move_mul(walker->ground, pose->enter));
    walker->phase = 0.0f;
    follow_plan(&walker->plan, pose->enter);
    note_passing(walker);
    if (pose->state >= 0)
        reach_state(walker, pose->state);
    else
        go_on(walker, pose->next);
}

void walk_put(lope_walker *walker, int32_t state, lope_ground at)
{
    const lope_mobility *map = walker->map;
    shown_body_reset(&walker->body, map->set->skeleton->joint_count, (char *)walker + round_up(sizeof *walker));
    walker->ground = ground_move_of(at);
    walker->phase = 0.0f;
    walker->rate = 1.0f;
    walker->holding = false;
    walker->plan.choice = walker->plan.hit_step = -1;
    walker->pose = map->state_poses[state];
    const mobility_pose *pose = &map->poses[walker->pose];
    walker->placing = placing_of(map->set->clips[pose->clip], pose->frame, walker->ground);
    reach_state(walker, state);
}

void walk_cut_into(lope_walker *walker, int32_t state)
{
    const mobility_pose *from = &walker->map->poses[walker->pose];
    const mobility_pose *to = &walker->map->poses[walker->map->state_poses[state]];
    walker->ground = ground_move_unit(walk_body(walker));
    walker->phase = 0.0f;
    cut_to(walker, from, to->clip, to->frame);
    walker->pose = walker->map->state_poses[state];
    walker->plan.choice = walker->plan.hit_step = -1;
    reach_state(walker, state);
}

lope_status lope_walker_init(void *memory, const lope_mobility *map, const lope_walker_def *def, int state,
                             lope_ground at, lope_walker **out, lope_error *error)
{
    assert(memory && ((uintptr_t)memory & 15) == 0);
    *out = NULL;
    state = state == -1 ? first_state(map) : state;
    lope_status status = check_start(map, def, state, at, error);
    if (status)
        return status;
    lope_walker *walker = memory;
    memset(walker, 0, lope_walker_size(map));
    walker->map = map;
    walker->def = *def;
    walk_put(walker, state, at);
    *out = walker;
    return LOPE_OK;
}

static void wake(lope_walker *walker)
{
    walker->holding = false;
    walker->rate = 1.0f;
    walker->plan.choice = -1;
}

lope_status lope_walker_go_to(lope_walker *walker, const lope_goal *goal, lope_error *error)
{
    if (!isfinite(goal->position.x) || !isfinite(goal->position.z) || isinf(goal->facing))
        return lope_fail(error, LOPE_BAD_DATA, "a walker cannot go to x %g, z %g, facing %g", (double)goal->position.x,
                         (double)goal->position.z, (double)goal->facing);
    bool same = walker->progress != LOPE_WALKER_IDLE && walker->goal.position.x == goal->position.x &&
                walker->goal.position.z == goal->position.z && walker->goal.stop == goal->stop &&
                (walker->goal.facing == goal->facing || (isnan(walker->goal.facing) && isnan(goal->facing)));
    if (same)
        return LOPE_OK;
    walker->about_goal = 0.0f;
    walker->goal = *goal;
    walker->aim = goal->stop ? WALK_STOP : WALK_PASS;
    walker->progress = LOPE_WALKER_GOING;
    walker->flushed = true;
    walker->plan.hit_step = -1;
    note_passing(walker);
    if (walker->holding)
        wake(walker);
    else if (walk_blends_ahead(walker))
        walk_go_on_from_nearest(walker);
    return LOPE_OK;
}

void lope_walker_stop(lope_walker *walker)
{
    walker->aim = WALK_STAY;
    walker->progress = LOPE_WALKER_IDLE;
    walker->flushed = true;
    walker->plan.hit_step = -1;
}

void lope_walker_reconsider(lope_walker *walker)
{
    walker->flushed = true;
}

void lope_walker_step(lope_walker *walker, float dt)
{
    if (!(dt > 0.0f && dt < INFINITY))
        return;
    dt = dt < LONGEST_STEP ? dt : LONGEST_STEP;
    walker->body.unposed += dt;
    float frames = dt * walker->map->head.frame_rate, seconds = walk_frame_seconds(walker);
    while (frames > 0.0f) {
        float left = walker->holding ? 1.0f : 1.0f - walker->phase;
        float part = frames < left ? frames : left;
        frames -= part;
        walker->since_decided += part * seconds;
        shown_fade_advance(&walker->body, part * seconds);
        if (walker->holding) {
            walk_hold_advance(walker, part);
            continue;
        }
        walk_edit(walker, part);
        walk_note_goal(walker, part * seconds);
        walker->phase += part;
        if (part >= left)
            reach_pose(walker);
    }
    if (walker->footing) {
        ground_move now = walk_body(walker);
        walker->height = lope_footing_follow(walker->footing, (lope_vec2){now.x, now.z}, dt);
    }
}

lope_walker_def *lope_walker_settings(lope_walker *walker)
{
    return &walker->def;
}

lope_walker_progress lope_walker_progress_of(const lope_walker *walker)
{
    return walker->progress;
}

void lope_walker_set_height(lope_walker *walker, float height)
{
    walker->height = height;
    if (walker->footing)
        lope_footing_init(walker->footing, walker->footing->terrain, height);
}

void lope_walker_stand_on(lope_walker *walker, lope_footing *footing)
{
    ground_move now = walk_body(walker);
    walker->footing = footing;
    if (footing)
        walker->height = lope_footing_follow(footing, (lope_vec2){now.x, now.z}, 0.0f);
}

bool lope_walker_stands(const lope_walker *walker)
{
    return walker->holding;
}

const lope_mobility *lope_walker_map(const lope_walker *walker)
{
    return walker->map;
}

int lope_walker_next_pose(const lope_walker *walker)
{
    return walker->pose;
}

int lope_walker_clip(const lope_walker *walker, double *time)
{
    const mobility_pose *pose = &walker->map->poses[walker->pose];
    double frame = (double)(pose->frame - 1) + (double)walker->phase;
    if (time)
        *time = frame / walker->map->set->clips[pose->clip]->frame_rate;
    return pose->clip;
}

lope_walker_counts lope_walker_counts_of(const lope_walker *walker)
{
    return walker->counts;
}
