// SPDX-License-Identifier: MIT
// Uses of things as controllers: where they begin and end, how well a moment fits, what they play.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "level/use.h"

#define FARTHEST 0.35f   // metres from the approach
#define MOST_TURN 0.7f   // radians,
#define SEAT_TURN 1.2f   // before seats
#define FASTEST 0.7f     // metres per second: a faster body does not stand
#define LEAVE_EARLY 0.6f // seconds before its end that the last link may be left

lope_use_def lope_use_def_default(const lope_blocks *blocks, const lope_level *level, int part)
{
    return (lope_use_def){.blocks = blocks, .level = level, .part = part, .from = {NAN, NAN, NAN}, .seconds = 10.0f};
}

lope_use_def lope_use_def_link(const lope_blocks *blocks, const lope_level *level, const lope_link *link)
{
    lope_use_def def = lope_use_def_default(blocks, level, link->part);
    def.down = link->kind == LOPE_LINK_LADDER && link->rise < 0.0f;
    def.from = link->from;
    return def;
}

// ---- memory

enum { POSES = 5 };

static size_t round_up(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

size_t lope_use_size(const lope_blocks *blocks)
{
    size_t joints = (size_t)blocks->set->skeleton->joint_count;
    return round_up(sizeof(lope_use)) + POSES * joints * sizeof(lope_quat) +
           round_up(joints * sizeof(lope_transform) + (POSES + 2) * joints * sizeof(lope_vec3));
}

static void lay_out(lope_use *u)
{
    size_t joints = (size_t)u->def.blocks->set->skeleton->joint_count;
    lope_quat *rotations = (lope_quat *)(void *)((char *)u + round_up(sizeof *u));
    u->model = (lope_transform *)(void *)(rotations + POSES * joints);
    lope_vec3 *vectors = (lope_vec3 *)(void *)(u->model + joints);
    lope_pose *poses[POSES] = {&u->pose, &u->base, &u->base_before, &u->spare[0], &u->spare[1]};
    for (size_t p = 0; p < POSES; p++)
        *poses[p] = (lope_pose){
            .joint_count = (int)joints, .rotations = rotations + p * joints, .translations = vectors + p * joints};
    u->fade = (lope_fade_state){.kind = LOPE_FADE_INERTIA,
                                .joint_count = (int)joints,
                                .duration = 0.1f,
                                .offsets = vectors + POSES * joints,
                                .velocities = vectors + (POSES + 1) * joints};
    lope_fade_reset(&u->fade);
}

static lope_status find_thing(lope_use *u, lope_error *error)
{
    lope_part part;
    if (u->def.part < 0)
        return use_find_behaviour(u, error);
    if (!u->def.level || !lope_level_part(u->def.level, u->def.part, &part))
        return lope_fail(error, LOPE_NOT_FOUND, "the level has no part %d", u->def.part);
    u->kind = strcmp(part.kind, "ladder") == 0  ? LOPE_USE_LADDER
              : strcmp(part.kind, "slide") == 0 ? LOPE_USE_SLIDE
                                                : LOPE_USE_SEAT;
    if (u->kind == LOPE_USE_LADDER)
        return use_find_ladder(u, &part, error);
    if (u->kind == LOPE_USE_SLIDE)
        return use_find_slide(u, &part, error);
    if (strcmp(part.kind, "chair") != 0 && strcmp(part.kind, "bench") != 0 && strcmp(part.kind, "stool") != 0)
        return lope_fail(error, LOPE_UNSUPPORTED, "'%s' is %s%s, nothing that can be used", part.name,
                         part.kind[0] ? "a " : "a solid", part.kind);
    return use_find_seat(u, &part, error);
}

lope_status lope_use_init(void *memory, const lope_use_def *def, lope_use **out, lope_error *error)
{
    assert(memory && ((uintptr_t)memory & 15) == 0 && def->blocks);
    *out = NULL;
    lope_use *u = memory;
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, aside, -LOPE_LARGE, LOPE_LARGE),
                   LOPE_RANGE(def, at.x, -LOPE_LARGE, LOPE_LARGE), LOPE_RANGE(def, at.z, -LOPE_LARGE, LOPE_LARGE),
                   LOPE_RANGE(def, at.yaw, -LOPE_LARGE, LOPE_LARGE), LOPE_RANGE(def, height, -LOPE_LARGE, LOPE_LARGE));
    if (!status && !(def->seconds >= 0.0f))
        status = lope_fail(error, LOPE_BAD_DATA, "seconds is %g, must be at least 0", (double)def->seconds);
    if (status)
        return status;
    memset(u, 0, lope_use_size(def->blocks));
    u->def = *def;
    u->kind = LOPE_USE_BEHAVIOUR;
    u->walked.segment = -1;
    lay_out(u);
    const lope_skeleton *skeleton = def->blocks->set->skeleton;
    lope_contact_anatomy_find(skeleton, &u->anatomy);
    for (int i = 0; i < USE_LIMBS; i++) {
        use_limb *l = &u->limbs[i];
        if (!(i < 2 ? lope_skeleton_leg(skeleton, (lope_side)i, &l->joints)
                    : lope_skeleton_arm(skeleton, (lope_side)(i - 2), &l->joints)))
            l->joints.upper = -1;
    }
    u->idle = use_find_segment(u, "idle");
    u->gesture.segment = use_find_segment(u, "chat");
    status = find_thing(u, error);
    if (!status)
        *out = u;
    return status;
}

// ---- asking

lope_use_place lope_use_approach(const lope_use *use)
{
    return use_step_place(use, use->in_count ? &use->in[0] : &use->stays[0], use->thing, false);
}

lope_use_place lope_use_end(const lope_use *use)
{
    if (use->kind == LOPE_USE_BEHAVIOUR)
        return lope_use_approach(use);
    return use_step_place(use, use->kind == LOPE_USE_SEAT ? &use->out : &use->in[use->in_count - 1], use->finish, true);
}

lope_use_state lope_use_state_of(const lope_use *use)
{
    static const lope_use_state states[] = {[USE_WAITS] = LOPE_USE_BEFORE,
                                            [USE_IN] = LOPE_USE_BEGINS,
                                            [USE_STAY] = LOPE_USE_STAYS,
                                            [USE_OUT] = LOPE_USE_ENDS,
                                            [USE_END] = LOPE_USE_DONE};
    return states[use->mode];
}

lope_use_kind lope_use_kind_of(const lope_use *use)
{
    return use->kind;
}

void lope_use_stay(lope_use *use, float seconds)
{
    if (!(seconds >= 0.0f))
        return;
    use->seconds = use->def.seconds = seconds;
    use->leaving = false;
}

void lope_use_leave(lope_use *use)
{
    use->leaving = true;
}

void lope_use_talk(lope_use *use, bool talks)
{
    use->gesture.on = talks;
}

// ---- the controller

static float use_fit(void *self, const lope_moment *moment, const lope_aim *aim)
{
    const lope_use *u = self;
    lope_use_place at = lope_use_approach(u);
    (void)aim;
    float x = moment->ground.x - at.place.x, z = moment->ground.z - at.place.z, far = sqrtf(x * x + z * z);
    float turn = fabsf(lope_wrap_angle(moment->ground.yaw - at.facing));
    float speed = lope_v3_distance(moment->now.root, moment->before.root) / moment->dt;
    const float most = u->kind == LOPE_USE_SEAT ? SEAT_TURN : MOST_TURN;
    if (far > FARTHEST || turn > most || speed > FASTEST || fabsf(moment->height - at.place.y) > 0.25f)
        return INFINITY;
    return 0.7f * far + 0.25f * turn + 0.15f * speed;
}

static lope_status use_enter_moment(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    if (isinf(use_fit(self, moment, aim)))
        return lope_fail(error, LOPE_MISMATCH, "the character does not stand where the thing is used from");
    use_enter(self, moment);
    return LOPE_OK;
}

static void use_aim(void *self, const lope_aim *aim)
{
    if (!aim)
        lope_use_leave(self);
}

static void use_go_on(void *self, float dt)
{
    use_advance(self, dt);
}

static void use_moment(void *self, lope_moment *out)
{
    const lope_use *u = self;
    lope_pose_lerp(&u->pose, &u->pose, 0.0f, &out->now);
    out->contacts = u->contacts;
    out->height = NAN;
}

static bool use_may_leave(const void *self)
{
    const lope_use *u = self;
    if (u->mode == USE_END || u->mode == USE_WAITS || u->kind == LOPE_USE_BEHAVIOUR)
        return true;
    bool last = u->mode == USE_OUT || (u->mode == USE_IN && u->kind != LOPE_USE_SEAT && u->in_index + 1 == u->in_count);
    float left = (float)use_segment(u, &u->now.step)->piece.frames - 1.0f - u->now.frame;
    return last && left < LEAVE_EARLY * (float)use_clip(u, &u->now.step)->frame_rate;
}

const lope_controller *lope_use_controller(void)
{
    static const lope_controller table = {"use",     use_fit,    use_enter_moment, use_aim,
                                          use_go_on, use_moment, use_may_leave};
    return &table;
}
