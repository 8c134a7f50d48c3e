// SPDX-License-Identifier: MIT
// Climbs over links as controllers. The level is cut along the link, the planner of contacts finds a way through that
// slice for the character's own measures, and the performance is placed in the world. Everything is made ahead; playing
// it samples a clip.
#include "lope/climber.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/body.h"
#include "lope/contacts.h"
#include "lope/ground.h"
#include "lope/slice.h"

#define BELOW_ANKLE 0.3f  // of the way from heel to ball
#define FEET_APART 0.03   // metres along the way between feet that stand side by side
#define ON_GROUND 0.15    // metres that feet may seem above or below the surface that they stand on
#define LEAN_TIME 0.2     // seconds in which the body leans before the first foot leaves
#define ENTRY_TIME 1.0    // seconds of walking in which a climb may be entered
#define LARGEST_SHIFT 0.4 // metres along the edge that a climb is moved to where its character is
#define EDGE_MARGIN 0.3f  // metres from the ends of the edge
#define FARTHEST 0.6f     // metres of difference from which on it cannot be entered
#define SPEED_TIME 0.1f   // seconds: how much differences in speed count
#define OTHER_FOOT 0.08f  // metres that a foot counts which stands here and not there
#define MORE_HOLDS 400    // beside those of the slice
#define ATTEMPTS 3
#define REACH 0.98       // of a body's length from sole to palm that its hands get up to
#define LONGEST_STEP 0.9 // metres across a gap
#define BENDS 1.15f      // times the straight way that a passage is long which has a bend
#define BENT_HAND 0.96   // of its length that a forearm has with a hand that is bent where it holds
#define SOLE_EDGE 0.06   // metres from the ends of what they stand on
#define BRACE_LOW 0.35   // metres above the ground from which feet push against walls,
#define BRACE_HIGH 0.25  // metres below their top up to which they do,
#define BRACE_APART 0.3  // and metres between
#define MOST_ROOM 0.7f   // metres beyond the link that one gets up
#define SOLE_PARTS 4     // heels and toes, the first parts of lope_contact

// What is compared when a climb is entered, in the slice.
typedef struct entry_frame {
    lope_vec3 points[SOLE_PARTS], root, speed;
    uint16_t contacts;
} entry_frame;

struct lope_climber {
    lope_grasp_world *world;
    lope_climb_plan *plan;
    lope_clip *clip;
    lope_ground place;            // of the slice, as planned
    lope_ground shifted;          // and as entered
    double low_shift, high_shift; // metres to the side, in z of the slice
    entry_frame *entries;         // of frames from `begin` on
    int entry_count, begin, left, landed;
    double time; // seconds in the clip
};

lope_climber_def lope_climber_def_default(const lope_floors *floors, int link, const lope_skeleton *skeleton)
{
    const lope_climb_def like = lope_climb_def_default();
    return (lope_climber_def){.floors = floors,
                              .link = link,
                              .skeleton = skeleton,
                              .share = 0.5f,
                              .budget = 1200,
                              .speed = like.speed,
                              .frame_rate = like.frame_rate};
}

// --- The slice

// What a climb is planned in.
typedef struct slice_work {
    const lope_climber_def *def;
    lope_link link; // moved along its line
    lope_slice *slice;
    lope_hold *holds; // those of the slice, and more
    int hold_capacity;
    lope_climb_problem problem;
    lope_grasp_body body;
} slice_work;

static lope_status find_link(slice_work *w, lope_error *error)
{
    static const uint32_t climbed = 1u << LOPE_LINK_UP | 1u << LOPE_LINK_DOWN | 1u << LOPE_LINK_OVER |
                                    1u << LOPE_LINK_GAP | 1u << LOPE_LINK_BARS | 1u << LOPE_LINK_LOW;
    int count;
    const lope_link *links = lope_floors_links(w->def->floors, &count);
    if (w->def->link < 0 || w->def->link >= count)
        return lope_fail(error, LOPE_BAD_DATA, "there is no link %d: the floors have %d", w->def->link, count);
    w->link = links[w->def->link];
    if (!(climbed >> w->link.kind & 1u))
        return lope_fail(error, LOPE_BAD_DATA, "link %d is not climbed: %s", w->def->link,
                         lope_link_kind_name(w->link.kind));
    lope_vec3 across = lope_v3_sub(w->link.right, w->link.left);
    lope_vec3 *const ends[] = {&w->link.from, &w->link.to};
    for (int i = 0; i < 2 && w->def->share != 0.5f; i++) {
        lope_floor_spot spot;
        *ends[i] = lope_v3_mad(*ends[i], across, w->def->share - 0.5f);
        if (lope_floors_ground(w->def->floors, *ends[i], 1.0f, &spot))
            ends[i]->y = spot.at.y;
    }
    return LOPE_OK;
}

// What no plan does is said at once: plans always hold on to something, and stay in one vertical plane.
static lope_status check_link(const slice_work *w, lope_error *error)
{
    const lope_link *l = &w->link;
    double reach = REACH * (w->body.spine + w->body.length[0][0] + w->body.length[0][1] + w->body.length[1][0] +
                            w->body.length[1][1]);
    double rise = fmax((double)l->reach, fabs((double)l->rise));
    float x = l->to.x - l->from.x, z = l->to.z - l->from.z, straight = sqrtf(x * x + z * z);
    if (rise > reach && l->kind != LOPE_LINK_BARS)
        return lope_fail(error, LOPE_NOT_FOUND, "hands reach %.2f m, the edge is %.2f m up: that takes a jump", reach,
                         rise);
    if (l->kind == LOPE_LINK_GAP && (double)l->across > LONGEST_STEP)
        return lope_fail(error, LOPE_NOT_FOUND, "a gap of %.2f m is wider than a step of %.2f m: that takes a jump",
                         (double)l->across, LONGEST_STEP);
    if (l->kind == LOPE_LINK_LOW && l->across > BENDS * straight)
        return lope_fail(error, LOPE_NOT_FOUND,
                         "a passage of %.2f m between places %.2f m apart bends: no straight cut "
                         "leads through",
                         (double)l->across, (double)straight);
    return LOPE_OK;
}

// The surface that a foot stands on.
static bool find_surface(const lope_slice *slice, lope_xy *at)
{
    double nearest = ON_GROUND, y = at->y;
    for (int i = 0; i < slice->world.surface_count; i++) {
        lope_xy a = slice->world.surfaces[i].from, b = slice->world.surfaces[i].to;
        double part = (at->x - a.x) / (b.x - a.x), here = a.y + part * (b.y - a.y);
        if (part >= 0.0 && part <= 1.0 && fabs(here - y) < nearest) {
            nearest = fabs(here - y);
            at->y = here;
        }
    }
    return nearest < ON_GROUND;
}

// Returns its number; holds beyond what there is room for are left out.
static int add_hold(slice_work *w, lope_xy at, lope_hold_kind kind)
{
    if (w->slice->world.hold_count == w->hold_capacity)
        return 0;
    w->holds[w->slice->world.hold_count] = (lope_hold){.at = at, .kind = kind, .surface = -1};
    return w->slice->world.hold_count++;
}

// Edges are wide: both hands find room on them side by side.
static void double_edges(slice_work *w)
{
    for (int i = 0, count = w->slice->world.hold_count; i < count; i++)
        if (w->holds[i].kind == LOPE_HOLD_HYBRID)
            add_hold(w, w->holds[i].at, LOPE_HOLD_HYBRID);
}

// Where soles may stand: not denser than a search needs.
static void add_soles(slice_work *w, int attempt)
{
    static const double spacings[ATTEMPTS] = {0.28, 0.25, 0.32}; // metres
    double spacing = spacings[attempt];
    for (int i = 0; i < w->slice->world.surface_count; i++) {
        lope_xy a = w->slice->world.surfaces[i].from, b = w->slice->world.surfaces[i].to;
        double length = xy_distance(a, b);
        int steps = (int)floor((length - 2.0 * SOLE_EDGE) / spacing + 1e-6);
        double first = 0.5 * (length - (steps > 0 ? steps : 0) * spacing);
        for (int k = 0; k <= steps || k == 0; k++)
            add_hold(w, xy_lerp(a, b, (first + k * spacing) / length), LOPE_HOLD_LOAD_BEARING);
    }
    w->slice->world.surface_count = 0;
}

// Walls between where the climb begins and ends, which feet can push against.
static void add_braces(slice_work *w, double length)
{
    const lope_grasp_world_def *world = &w->slice->world;
    for (int i = 0; i < world->obstacle_count; i++)
        for (int k = 0; k < world->obstacles[i].count; k++) {
            lope_xy a = world->obstacles[i].corners[k],
                    b = world->obstacles[i].corners[(k + 1) % world->obstacles[i].count], along = xy_sub(b, a);
            double long_way = xy_length(along), low = fmin(a.y, b.y), high = fmax(a.y, b.y);
            if (fabs(along.y) < 0.8 * long_way || fmin(a.x, b.x) < -0.1 || fmax(a.x, b.x) > length + 0.1)
                continue;
            low = fmax(low, fmin((double)w->link.from.y, (double)w->link.to.y)) + BRACE_LOW;
            for (double y = low; y < high - BRACE_HIGH; y += BRACE_APART)
                add_hold(w, xy_lerp(a, b, (y - a.y) / (b.y - a.y)), LOPE_HOLD_BRACE);
        }
}

// Feet where they are at the moment, or side by side where the link begins.
static void put_feet(slice_work *w)
{
    const lope_moment *moment = w->def->moment;
    lope_xy feet[2];
    for (int side = 0; side < 2; side++) {
        feet[side] = xy(side ? FEET_APART : -FEET_APART, (double)w->link.from.y);
        if (moment) {
            lope_vec3 sole = lope_v3_lerp(moment->points[2 * side], moment->points[2 * side + 1], BELOW_ANKLE);
            lope_vec3 from = lope_v3_sub(sole, w->slice->origin);
            feet[side] = xy((double)lope_v3_dot(from, w->slice->along), (double)sole.y);
        }
        if (!find_surface(w->slice, &feet[side]))
            return;
    }
    if (xy_distance(feet[0], feet[1]) < 2e-3)
        feet[1].x += 2e-3;
    for (int side = 0; side < 2; side++)
        w->problem.start.hold[side] = add_hold(w, feet[side], LOPE_HOLD_LOAD_BEARING);
    w->problem.start.at = xy_lerp(feet[0], feet[1], 0.5);
    if (moment && (double)w->slice->along.x * lope_sin((double)moment->ground.yaw) +
                          (double)w->slice->along.z * lope_cos((double)moment->ground.yaw) <
                      0.0)
        w->problem.start.facing = -1;
}

// How far beyond the link one gets up best: somewhat farther than feet first come to stand, where there is ground.
static double find_room(const slice_work *w)
{
    for (float more = MOST_ROOM; more > 0.1f; more -= 0.2f) {
        lope_floor_spot spot;
        lope_vec3 at = lope_v3_mad(w->link.to, w->slice->along, more);
        if (lope_floors_ground(w->def->floors, at, 0.2f, &spot) &&
            lope_floors_clearance(w->def->floors, &spot, 0.5f) > 0.15f)
            return (double)more;
    }
    return 0.0;
}

static lope_status cut(slice_work *w, int attempt, lope_grasp_world **out, lope_error *error)
{
    const lope_slice_def def = lope_slice_def_default(w->link.from, w->link.to);
    lope_status status = lope_slice_create(w->def->floors, &def, &w->slice, error);
    if (status)
        return status;
    size_t count = (size_t)w->slice->world.hold_count;
    w->hold_capacity = 2 * (int)count + MORE_HOLDS;
    w->holds = lope_alloc_array((size_t)w->hold_capacity, sizeof *w->holds);
    if (!w->holds)
        return lope_fail_memory(error);
    if (count)
        memcpy(w->holds, w->slice->world.holds, count * sizeof *w->holds);
    w->slice->world.holds = w->holds;
    float x = w->link.to.x - w->link.from.x, z = w->link.to.z - w->link.from.z;
    w->problem.start = (lope_climb_site){.at = {0.0, (double)w->link.from.y}, .mode = LOPE_MODE_WALK, .facing = 1};
    double length = (double)sqrtf(x * x + z * z), more = find_room(w);
    w->problem.goal = (lope_climb_site){.at = {length + more, (double)w->link.to.y}, .mode = LOPE_MODE_WALK};
    find_surface(w->slice, &w->problem.goal.at);
    put_feet(w);
    double_edges(w);
    add_braces(w, length);
    add_soles(w, attempt);
    return lope_grasp_world_create(&w->slice->world, out, NULL, error);
}

// --- Planning

static lope_status plan(lope_climber *c, slice_work *w, lope_error *error)
{
    lope_climb_def def = lope_climb_def_default();
    def.body = &w->body;
    def.budget = w->def->budget;
    def.speed = w->def->speed;
    def.frame_rate = w->def->frame_rate;
    lope_status status = lope_climb_plan_create(c->world, &w->problem, &def, NULL, NULL, &c->plan, error);
    if (status == LOPE_PARTIAL && error)
        error->status = LOPE_NOT_FOUND;
    if (status == LOPE_PARTIAL)
        return LOPE_NOT_FOUND;
    const lope_climb_performance performance = {c->plan, &w->body, w->def->skeleton, c->world,
                                                lope_link_kind_name(w->link.kind)};
    return status ? status : lope_climb_clip(&performance, &c->clip, error);
}

// Frames that matter: leaving the ground, standing beyond the link, and where entering makes sense.
static void find_frames(lope_climber *c)
{
    const lope_climb_plan *p = c->plan;
    int last = p->frame_count - 1;
    for (c->left = 0; c->left < last && p->frames[c->left].held == p->frames[0].held;)
        c->left++;
    for (c->landed = last; c->landed > c->left && p->frames[c->landed - 1].held == p->frames[last].held;)
        c->landed--;
    c->begin = c->left - (int)(LEAN_TIME * p->frame_rate);
    c->begin = c->begin < 0 ? 0 : c->begin;
    int end = c->begin + 1;
    while (end < last && end < c->left + (int)(ENTRY_TIME * p->frame_rate) && p->frames[end].mode == LOPE_MODE_WALK &&
           p->frames[end].yaw == p->frames[0].yaw)
        end++;
    c->entry_count = end - c->begin;
}

static lope_status find_entries(lope_climber *c, lope_error *error)
{
    const lope_skeleton *skeleton = c->clip->skeleton;
    lope_transform *model = lope_alloc_array((size_t)skeleton->joint_count, sizeof *model);
    c->entries = lope_alloc_array((size_t)c->entry_count, sizeof *c->entries);
    if (!model || !c->entries) {
        lope_free(model);
        return lope_fail_memory(error);
    }
    for (int i = 0; i < c->entry_count; i++) {
        lope_vec3 points[LOPE_CONTACT_COUNT];
        int frame = c->begin + i, next = frame + 1 < c->clip->frame_count ? frame + 1 : frame;
        lope_clip_model(c->clip, frame, model);
        lope_contact_points(skeleton, model, points);
        memcpy(c->entries[i].points, points, sizeof c->entries[i].points);
        c->entries[i].contacts = c->clip->contacts[frame];
        c->entries[i].root = c->clip->root[frame];
        c->entries[i].speed =
            lope_v3_scale(lope_v3_sub(c->clip->root[next], c->clip->root[frame]), (float)c->clip->frame_rate);
    }
    lope_free(model);
    return LOPE_OK;
}

// How far the climb may be moved along the edge.
static void find_shifts(lope_climber *c, const slice_work *w)
{
    lope_vec3 side = lope_v3_cross(w->slice->along, lope_v3(0, 1, 0)); // z of the slice
    float a = lope_v3_dot(lope_v3_sub(w->link.left, w->slice->origin), side),
          b = lope_v3_dot(lope_v3_sub(w->link.right, w->slice->origin), side);
    c->low_shift = clamp_to((double)(fminf(a, b) + EDGE_MARGIN), -LARGEST_SHIFT, 0.0);
    c->high_shift = clamp_to((double)(fmaxf(a, b) - EDGE_MARGIN), 0.0, LARGEST_SHIFT);
    c->place = (lope_ground){w->slice->origin.x, w->slice->origin.z,
                             (float)lope_atan2(-(double)w->slice->along.z, (double)w->slice->along.x)};
    c->shifted = c->place;
}

// The same slice with other places to stand: where a search is lost among the one, it often gets through the other.
static lope_status try_to_plan(lope_climber *c, slice_work *w, int attempt, lope_error *error)
{
    lope_grasp_world_destroy(c->world);
    lope_climb_plan_destroy(c->plan);
    c->world = NULL;
    c->plan = NULL;
    lope_status status = cut(w, attempt, &c->world, error);
    if (!status)
        status = plan(c, w, error);
    if (!status) {
        find_frames(c);
        find_shifts(c, w);
    }
    lope_slice_destroy(w->slice);
    lope_free(w->holds);
    w->slice = NULL;
    w->holds = NULL;
    return status;
}

lope_status lope_climber_create(const lope_climber_def *def, lope_climber **out, lope_error *error)
{
    slice_work w = {.def = def};
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, share, 0.0, 1.0), LOPE_RANGE(def, budget, 0, 1 << 20),
                                    LOPE_RANGE(def, speed, 0.05, 20), LOPE_RANGE(def, frame_rate, 1, 1000));
    lope_climber *c = status ? NULL : lope_alloc_zero(sizeof *c);
    if (!status && !c)
        status = lope_fail_memory(error);
    if (!status)
        status = lope_climb_body_of(def->skeleton, &w.body, error);
    w.body.length[0][1] *= BENT_HAND;
    if (!status)
        status = find_link(&w, error);
    if (!status)
        status = check_link(&w, error);
    bool found = false;
    for (int i = 0; i < ATTEMPTS && !status && !found; i++) {
        status = try_to_plan(c, &w, i, error);
        found = !status;
        status = status == LOPE_NOT_FOUND && i + 1 < ATTEMPTS ? LOPE_OK : status;
    }
    if (!status)
        status = find_entries(c, error);
    if (status)
        lope_climber_destroy(c);
    else
        *out = c;
    return status;
}

void lope_climber_destroy(lope_climber *climber)
{
    if (!climber)
        return;
    lope_grasp_world_destroy(climber->world);
    lope_climb_plan_destroy(climber->plan);
    lope_clip_destroy(climber->clip);
    lope_free(climber->entries);
    lope_free(climber);
}

lope_climber_parts lope_climber_inside(const lope_climber *c)
{
    return (lope_climber_parts){c->world, c->plan, c->clip, c->shifted, c->begin, c->left, c->landed};
}

double lope_climber_left(const lope_climber *climber)
{
    return fmax(climber->landed / climber->clip->frame_rate - climber->time, 0.0);
}

// --- The controller

// How much a moment differs from a frame, in metres, when the climb is moved aside by *shift.
static float differs(const lope_climber *c, const lope_moment *moment, int index, double *shift)
{
    const entry_frame *e = &c->entries[index];
    const lope_ground back = lope_ground_inverse(c->place);
    const lope_transform into = lope_ground_transform(back);
    lope_vec3 points[SOLE_PARTS], root = lope_transform_point(into, moment->now.root);
    lope_vec3 speed = lope_v3_scale(lope_v3_sub(moment->now.root, moment->before.root), 1.0f / moment->dt);
    float aside = 0.0f;
    for (int i = 0; i < SOLE_PARTS; i++) {
        points[i] = lope_transform_point(into, moment->points[i]);
        aside += (points[i].z - e->points[i].z) / SOLE_PARTS;
    }
    *shift = clamp_to((double)aside, c->low_shift, c->high_shift);
    lope_vec3 move = lope_v3(0.0f, 0.0f, (float)-*shift);
    float sum = lope_v3_distance(lope_v3_add(root, move), e->root);
    for (int i = 0; i < SOLE_PARTS; i++) {
        sum += lope_v3_distance(lope_v3_add(points[i], move), e->points[i]);
        sum += (moment->contacts ^ e->contacts) >> i & 1u ? OTHER_FOOT : 0.0f;
    }
    return sum / (SOLE_PARTS + 1) + SPEED_TIME * lope_v3_distance(lope_quat_rotate(into.rotation, speed), e->speed);
}

static float best_entry(const lope_climber *c, const lope_moment *moment, int *index, double *shift)
{
    float best = INFINITY;
    for (int i = 0; i < c->entry_count; i++) {
        double aside;
        float here = differs(c, moment, i, &aside);
        if (here < best) {
            best = here;
            *index = i;
            *shift = aside;
        }
    }
    return best < FARTHEST ? best : INFINITY;
}

static float climber_fit(void *self, const lope_moment *moment, const lope_aim *aim)
{
    int index;
    double shift;
    (void)aim;
    return best_entry(self, moment, &index, &shift);
}

static lope_status climber_enter(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    lope_climber *c = self;
    int index = 0;
    double shift = 0.0;
    (void)aim;
    if (isinf(best_entry(c, moment, &index, &shift)))
        return lope_fail(error, LOPE_MISMATCH, "the character is too far from where the climb begins");
    c->shifted = lope_ground_mul(c->place, (lope_ground){0.0f, (float)shift, 0.0f});
    c->time = (c->begin + index) / c->clip->frame_rate;
    return LOPE_OK;
}

static void climber_aim(void *self, const lope_aim *aim)
{
    (void)self;
    (void)aim;
}

static void climber_advance(void *self, float dt)
{
    lope_climber *c = self;
    c->time = fmin(c->time + (double)dt, lope_clip_duration(c->clip));
}

static void climber_moment(void *self, lope_moment *out)
{
    const lope_climber *c = self;
    lope_clip_sample(c->clip, c->time, &out->now);
    lope_pose_place(&out->now, c->shifted);
    out->contacts = c->clip->contacts[(int)(c->time * c->clip->frame_rate + 0.5)];
    out->height = NAN;
}

static bool climber_may_leave(const void *self)
{
    const lope_climber *c = self;
    double frame = c->time * c->clip->frame_rate + 1e-6;
    return frame < c->left || frame >= c->landed;
}

const lope_controller *lope_climber_controller(void)
{
    static const lope_controller table = {"climb",         climber_fit,    climber_enter,    climber_aim,
                                          climber_advance, climber_moment, climber_may_leave};
    return &table;
}
