// SPDX-License-Identifier: MIT
// Climbs over links as controllers. The level is cut along the link, a script for its kind is written in that slice for
// the character's own measures (script.h), and the performance is placed in the world. Everything is made ahead;
// playing it samples a clip.
#include "lope/climber.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/passage.h"
#include "grasp/script.h"
#include "lope/contacts.h"
#include "lope/ground.h"
#include "lope/slice.h"

#define BELOW_ANKLE 0.3f  // of the way from heel to ball
#define ON_GROUND 0.15    // metres that feet may seem above or below the surface that they stand on
#define LARGEST_SHIFT 0.4 // metres along the edge that a climb is moved to where its character is
#define EDGE_MARGIN 0.3f  // metres from the ends of the edge
#define FARTHEST 0.6f     // metres of difference from which on it cannot be entered
#define MOST_TURN 0.55f   // radians: feet that are turned farther off cannot stay where they are,
#define TURNED_AWAY 1.0f  // which counts as so many metres
#define TURN_RADIUS 0.2f  // metres that a radian counts
#define SPEED_TIME 0.1f   // seconds: how much differences in speed count
#define OTHER_FOOT 0.08f  // metres that a foot counts which stands here and not there
#define BENT_HAND 0.96    // of its length that a forearm has with a hand that is bent where it holds
#define MOST_BACK 0.2     // metres that climbs up and low passages begin before where the link does, for a usual body,
#define BACK_STEP 0.05    // in steps of so many,
#define BACK_RISE 0.08    // where the ground is as high but for so many,
#define HEEL_ROOM 0.15    // and goes on so far behind the hips
#define SOLE_PARTS 4      // heels and toes, the first parts of lope_contact
#define HAND_FROM 0.1f    // metres beside the middle of the body from which on a hand may press on the ground,
#define HAND_TO 0.35f     // up to so many,
#define HAND_RISE 0.05f   // where it is as high as the feet but for so many

enum { HAND_LOOKS = 10 }; // at the ground beside the body

// What is compared when a climb is entered, in the slice.
typedef struct entry_frame {
    lope_vec3 points[SOLE_PARTS], root, speed;
    float yaw;
    uint16_t contacts;
} entry_frame;

struct lope_climber {
    lope_grasp_world *world;
    lope_climb_plan *plan;
    lope_clip *clip;
    lope_clip *straight;          // before it was bent along a passage; NULL where there is none
    lope_ground place;            // of the slice, as planned
    lope_ground shifted;          // and as entered
    double low_shift, high_shift; // metres to the side, in z of the slice
    entry_frame *entries;         // of frames from `begin` on
    int entry_count, begin, left, landed;
    double time;             // seconds in the clip
    lope_link planned, link; // as the floors had it, and as it was planned: moved along its line
    uint64_t solids;         // a hash of what it was planned in
};

lope_climber_def lope_climber_def_default(const lope_floors *floors, int link, const lope_skeleton *skeleton)
{
    const lope_climb_def like = lope_climb_def_default();
    return (lope_climber_def){.floors = floors,
                              .link = link,
                              .skeleton = skeleton,
                              .share = 0.5f,
                              .speed = like.speed,
                              .frame_rate = like.frame_rate};
}

// --- The slice

// What a climb is planned in.
typedef struct slice_work {
    const lope_climber_def *def;
    lope_link link;    // moved along its line
    lope_slice *slice; // NULL in a passage
    const lope_grasp_world_def *solids;
    lope_vec3 origin, along; // of the slice, or where the passage begins
    passage *passage;        // NULL where there is none
    lope_grasp_body body;
    script script;
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

// The surface that a foot stands on.
static bool find_surface(const script *s, lope_xy *at)
{
    double y = script_ground(s, at->x, at->y + ON_GROUND);
    bool near = fabs(y - at->y) < ON_GROUND;
    at->y = near ? y : at->y;
    return near;
}

// Feet where they are at the moment. The climb begins where the link does when one of them stands on nothing.
static void put_feet(slice_work *w)
{
    const lope_moment *moment = w->def->moment;
    for (int side = 0; side < 2 && moment; side++) {
        lope_vec3 sole = lope_v3_lerp(moment->points[2 * side], moment->points[2 * side + 1], BELOW_ANKLE);
        lope_vec3 from = lope_v3_sub(sole, w->origin);
        lope_xy at = xy((double)lope_v3_dot(from, w->along), (double)sole.y);
        w->script.start_known = find_surface(&w->script, &at) && (side == 0 || w->script.start_known);
        w->script.start[side] = at;
    }
}

// How far the climb may be moved along the edge, in z of the slice.
static void shift_range(const slice_work *w, double *low, double *high)
{
    lope_vec3 side = lope_v3_cross(w->along, lope_v3(0, 1, 0));
    float a = lope_v3_dot(lope_v3_sub(w->link.left, w->origin), side),
          b = lope_v3_dot(lope_v3_sub(w->link.right, w->origin), side);
    *low = w->passage ? 0.0 : clamp_to((double)(fminf(a, b) + EDGE_MARGIN), -LARGEST_SHIFT, 0.0);
    *high = w->passage ? 0.0 : clamp_to((double)(fmaxf(a, b) - EDGE_MARGIN), 0.0, LARGEST_SHIFT);
}

// Whether a hand on the left (-1) or right (1) of the body finds ground as high as where the link begins, wherever the
// climb is moved to.
static bool is_level_beside(const slice_work *w, float hand)
{
    lope_vec3 side = lope_v3_cross(w->along, lope_v3(0, 1, 0));
    double low, high;
    shift_range(w, &low, &high);
    float from = hand * (hand > 0.0f ? HAND_FROM : HAND_TO) + (float)low,
          to = hand * (hand > 0.0f ? HAND_TO : HAND_FROM) + (float)high;
    for (int i = 0; i <= HAND_LOOKS; i++) {
        lope_floor_spot spot;
        lope_vec3 at = lope_v3_mad(w->link.from, side, from + (to - from) * (float)i / HAND_LOOKS);
        if (!lope_floors_ground(w->def->floors, at, 1.0f, &spot) || fabsf(spot.at.y - w->link.from.y) > HAND_RISE)
            return false;
    }
    return true;
}

static lope_status cut(slice_work *w, lope_error *error)
{
    if (w->link.kind == LOPE_LINK_LOW && w->link.count > 0) {
        w->passage = lope_alloc_zero(sizeof *w->passage);
        if (!w->passage)
            return lope_fail_memory(error);
        if (!passage_find(w->def->floors, &w->link, w->passage))
            return lope_fail(error, LOPE_NOT_FOUND, "a passage of %.1f m is too long", (double)w->link.across);
        w->solids = &w->passage->world;
        w->origin = w->link.from;
        w->along = w->passage->along;
        return LOPE_OK;
    }
    const lope_slice_def def = lope_slice_def_default(w->link.from, w->link.to);
    lope_status status = lope_slice_create(w->def->floors, &def, &w->slice, error);
    if (!status) {
        w->solids = &w->slice->world;
        w->origin = w->slice->origin;
        w->along = w->slice->along;
    }
    return status;
}

// --- Planning

typedef bool (*script_kind)(script *, script_link *);

// Metres behind the beginning of a link where there is ground to stand on: knees and toes need room before a wall that
// is climbed and a passage that the body bends down for.
static double room_behind(const script *s, const script_link *link)
{
    double most = 0.0;
    for (double back = BACK_STEP; back <= MOST_BACK * s->scale; back += BACK_STEP) {
        double heel = link->from.x - back - HEEL_ROOM;
        if (fabs(script_ground(s, heel, link->from.y + ON_GROUND) - link->from.y) > BACK_RISE ||
            script_ceiling(s, heel, link->from.y + ON_GROUND) < link->from.y + s->stand + 1.2 * s->trunk)
            break;
        most = back;
    }
    return most;
}

static lope_status write_script(slice_work *w, lope_error *error)
{
    static const script_kind kinds[LOPE_LINK_KIND_COUNT] = {
        [LOPE_LINK_UP] = script_up,   [LOPE_LINK_DOWN] = script_down, [LOPE_LINK_OVER] = script_over,
        [LOPE_LINK_GAP] = script_gap, [LOPE_LINK_BARS] = script_bars, [LOPE_LINK_LOW] = script_low};
    float x = w->link.to.x - w->link.from.x, z = w->link.to.z - w->link.from.z;
    script_link link = {.from = {0.0, (double)w->link.from.y},
                        .to = {w->passage ? w->passage->length : (double)sqrtf(x * x + z * z), (double)w->link.to.y},
                        .across = (double)w->link.across,
                        .reach = (double)w->link.reach};
    script_begin(&w->script, &w->body, w->solids);
    if (w->link.kind == LOPE_LINK_UP || w->link.kind == LOPE_LINK_OVER || w->link.kind == LOPE_LINK_LOW)
        link.from.x -= room_behind(&w->script, &link);
    put_feet(w);
    w->script.beside[0] = is_level_beside(w, -1.0f);
    w->script.beside[1] = is_level_beside(w, 1.0f);
    if (!kinds[w->link.kind](&w->script, &link))
        return lope_fail(error, LOPE_NOT_FOUND, "%s", link.why[0] ? link.why : "no way is known");
    if (w->script.full)
        return lope_fail(error, LOPE_NOT_FOUND, "the way is longer than a climb can be");
    return LOPE_OK;
}

static lope_status perform(lope_climber *c, slice_work *w, lope_error *error)
{
    lope_grasp_world_def def = *w->solids;
    def.holds = w->script.holds;
    def.hold_count = w->script.hold_count;
    def.surface_count = 0;
    c->plan = lope_alloc_zero(sizeof *c->plan);
    lope_status status = c->plan ? lope_grasp_world_create(&def, &c->world, NULL, error) : lope_fail_memory(error);
    if (!status)
        status = script_perform(&w->script, c->world, w->def->speed, w->def->frame_rate, c->plan, error);
    const lope_climb_performance performance = {c->plan, &w->body, w->def->skeleton, c->world,
                                                lope_link_kind_name(w->link.kind)};
    if (!status)
        status = lope_climb_clip(&performance, &c->clip, error);
    if (!status && w->passage) {
        status = lope_clip_copy(c->clip, c->clip->name, 0, &c->straight, error);
        if (!status)
            status = passage_bend(w->passage, c->clip, error);
    }
    return status;
}

// Frames that matter: leaving the ground, and standing beyond the link.
static void find_frames(lope_climber *c, const slice_work *w)
{
    double rate = w->def->frame_rate / w->def->speed;
    int last = c->plan->frame_count - 1;
    c->left = (int)fmin(ceil(w->script.left * rate), last);
    c->landed = (int)fmin(ceil(w->script.landed * rate), last);
    c->entry_count = c->left + 1;
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
        c->entries[i].yaw = lope_clip_ground(c->clip, frame).yaw;
        c->entries[i].speed =
            lope_v3_scale(lope_v3_sub(c->clip->root[next], c->clip->root[frame]), (float)c->clip->frame_rate);
    }
    lope_free(model);
    return LOPE_OK;
}

static void find_place(lope_climber *c, const slice_work *w)
{
    shift_range(w, &c->low_shift, &c->high_shift);
    c->place = (lope_ground){w->origin.x, w->origin.z, (float)lope_atan2(-(double)w->along.z, (double)w->along.x)};
    c->shifted = c->place;
}

static uint64_t hash_solids(const lope_grasp_world_def *def)
{
    uint64_t hash = 0;
    for (int i = 0; i < def->obstacle_count; i++) {
        const lope_grasp_polygon *p = &def->obstacles[i];
        hash = lope_hash(p->corners, (size_t)p->count * sizeof *p->corners, hash);
    }
    return hash;
}

static lope_status plan(lope_climber *c, slice_work *w, lope_error *error)
{
    lope_status status = lope_climb_body_of(w->def->skeleton, &w->body, error);
    w->body.length[0][1] *= BENT_HAND;
    if (!status)
        status = find_link(w, error);
    if (!status)
        status = cut(w, error);
    if (!status) {
        int count;
        c->planned = lope_floors_links(w->def->floors, &count)[w->def->link];
        c->link = w->link;
        c->solids = hash_solids(w->solids);
        status = write_script(w, error);
    }
    if (!status)
        status = perform(c, w, error);
    if (!status) {
        find_frames(c, w);
        find_place(c, w);
        status = find_entries(c, error);
    }
    lope_slice_destroy(w->slice);
    lope_free(w->passage);
    return status;
}

lope_status lope_climber_create(const lope_climber_def *def, lope_climber **out, lope_error *error)
{
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, share, 0.0, 1.0), LOPE_RANGE(def, speed, 0.05, 20),
                                    LOPE_RANGE(def, frame_rate, 1, 1000));
    lope_climber *c = status ? NULL : lope_alloc_zero(sizeof *c);
    slice_work *w = status ? NULL : lope_alloc_zero(sizeof *w);
    if (!status && (!c || !w))
        status = lope_fail_memory(error);
    if (!status) {
        w->def = def;
        status = plan(c, w, error);
    }
    lope_free(w);
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
    lope_clip_destroy(climber->straight);
    lope_free(climber->entries);
    lope_free(climber);
}

static bool is_same_link(const lope_link *a, const lope_link *b)
{
    return a->kind == b->kind && lope_v3_distance(a->from, b->from) < 1e-4f && lope_v3_distance(a->to, b->to) < 1e-4f;
}

bool lope_climber_fresh(const lope_climber *climber, const lope_floors *floors)
{
    int count;
    const lope_link *links = lope_floors_links(floors, &count);
    const lope_climber_def def = {.floors = floors};
    bool fresh = false;
    for (int i = 0; i < count && !fresh; i++) {
        if (!is_same_link(&links[i], &climber->planned))
            continue;
        slice_work *w = lope_alloc_zero(sizeof *w);
        if (!w)
            return false;
        lope_error error;
        w->def = &def;
        w->link = climber->link;
        w->link.first = links[i].first;
        w->link.count = links[i].count;
        fresh = !cut(w, &error) && hash_solids(w->solids) == climber->solids;
        lope_slice_destroy(w->slice);
        lope_free(w->passage);
        lope_free(w);
    }
    return fresh;
}

lope_climber_parts lope_climber_inside(const lope_climber *c)
{
    return (lope_climber_parts){c->world,   c->plan,  c->clip, c->straight ? c->straight : c->clip,
                                c->shifted, c->begin, c->left, c->landed};
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
    float aside = 0.0f, turn = fabsf(lope_wrap_angle(moment->ground.yaw + back.yaw - e->yaw));
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
    float far =
        sum / (SOLE_PARTS + 1) + SPEED_TIME * lope_v3_distance(lope_quat_rotate(into.rotation, speed), e->speed);
    return far > FARTHEST ? INFINITY : far + TURN_RADIUS * turn + (turn > MOST_TURN ? TURNED_AWAY : 0.0f);
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
    return best;
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
