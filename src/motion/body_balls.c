// SPDX-License-Identifier: MIT
#include "motion/body_balls.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/contact_points.h"
#include "motion/joints.h"

#define MOST_BALLS 64 // along one bone
#define USUAL_LEG 0.84f

typedef struct ball_body {
    body_ball *balls; // NULL while counting
    int count;
    float spacing, thickness;
} ball_body;

// Thickness in metres of the bones that start at a joint, for a person with legs of USUAL_LEG. Zero: touches by points.
static float usual_radius(int role)
{
    switch (role) {
    case LOPE_HIPS:
    case LOPE_SPINE:
    case LOPE_CHEST:
        return 0.09f;
    case LOPE_HEAD:
        return 0.08f;
    case LOPE_LEFT_HIP:
    case LOPE_RIGHT_HIP:
        return 0.06f;
    case LOPE_LEFT_KNEE:
    case LOPE_RIGHT_KNEE:
    case LOPE_NECK:
    case LOPE_LEFT_COLLAR:
    case LOPE_RIGHT_COLLAR:
    case LOPE_LEFT_SHOULDER:
    case LOPE_RIGHT_SHOULDER:
        return 0.04f;
    case LOPE_LEFT_ELBOW:
    case LOPE_RIGHT_ELBOW:
        return 0.03f;
    default:
        return 0.0f;
    }
}

// The role of the nearest joint upwards that has one.
static int role_above(const lope_skeleton *skeleton, int joint)
{
    for (; joint >= 0; joint = skeleton->parents[joint])
        for (int role = 0; role < LOPE_ROLE_COUNT; role++)
            if (skeleton->roles[role] == joint)
                return role;
    return LOPE_HIPS;
}

static void add_ball(ball_body *body, int joint, lope_vec3 centre, float radius)
{
    if (body->balls)
        body->balls[body->count] = (body_ball){joint, centre, radius};
    body->count++;
}

// Balls from a joint to `end` in its frame; the thickness runs evenly from one end to the other.
static void add_bone(ball_body *body, int joint, lope_vec3 end, float radius, float end_radius)
{
    int steps = (int)fminf(lope_v3_length(end) / body->spacing, (float)(MOST_BALLS - 1)) + 1;
    for (int i = 0; i <= steps; i++) {
        float t = (float)i / (float)steps;
        add_ball(body, joint, lope_v3_scale(end, t), radius + (end_radius - radius) * t);
    }
}

// Joints above the hips, and what else hangs on those, carry no body: they only say where it is.
static void add_limbs(const lope_skeleton *skeleton, float scale, ball_body *body)
{
    int hips = skeleton->roles[LOPE_HIPS] > 0 ? skeleton->roles[LOPE_HIPS] : 0;
    for (int j = hips; j < skeleton->joint_count; j++) {
        if (!joint_is_above(skeleton, hips, j))
            continue;
        int parent = skeleton->parents[j], role = role_above(skeleton, j);
        int parent_role = parent >= 0 ? role_above(skeleton, parent) : role;
        float radius = usual_radius(parent_role) * scale, end_radius = fminf(radius, usual_radius(role) * scale);
        if (radius > 0.0f && body->thickness > 0.0f) {
            radius = body->thickness;
            end_radius = end_radius > 0.0f ? radius : 0.0f;
        }
        if (j > hips && radius > 0.0f)
            add_bone(body, parent, skeleton->rest[j].translation, radius, end_radius);
        float tip_radius = body->thickness > 0.0f ? body->thickness : usual_radius(role) * scale;
        if (role == LOPE_HEAD) // the skull's ball ends at the tip
            add_bone(body, j, lope_v3_scale(skeleton->tips[j], 0.5f), tip_radius, tip_radius);
    }
}

static void build_body(const lope_skeleton *skeleton, ball_body *body)
{
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(skeleton, &anatomy);
    body->count = 0;
    for (int part = PART_LEFT_HEEL; part <= PART_RIGHT_HAND; part++)
        if (anatomy.parts[part].joint >= 0)
            add_ball(body, anatomy.parts[part].joint, anatomy.parts[part].offset, 0.0f);
    add_limbs(skeleton, anatomy.leg_length / USUAL_LEG, body);
}

lope_status lope_body_balls_create(const lope_skeleton *skeleton, float spacing, float thickness, body_balls *out,
                                   lope_error *error)
{
    ball_body body = {.spacing = spacing, .thickness = thickness};
    build_body(skeleton, &body);
    body.balls = lope_alloc_array((size_t)body.count, sizeof *body.balls);
    if (!body.balls)
        return lope_fail_memory(error);
    build_body(skeleton, &body);
    *out = (body_balls){body.balls, body.count};
    return LOPE_OK;
}

void lope_body_balls_destroy(body_balls *balls)
{
    lope_free(balls->balls);
    *balls = (body_balls){NULL, 0};
}
