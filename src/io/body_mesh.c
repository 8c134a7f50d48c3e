// SPDX-License-Identifier: MIT
// From shapes to triangles. A shape is the hull of two balls: a cap around each end and a cone that touches both, whose
// normal leans by asin((radius_a - radius_b) / length). Rings of latitude run from pole to pole.
#include "io/body_mesh.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/body_shapes.h"

#define SECTORS 12  // around the axis
#define CAP_RINGS 3 // from a pole to the cone, at each end
#define RINGS (2 * CAP_RINGS)
#define SHAPE_VERTICES (RINGS * SECTORS + 2)
#define SHAPE_INDICES (6 * RINGS * SECTORS)

typedef struct frame {
    lope_vec3 side, axis, depth; // orthonormal, right-handed
    float length;
} frame;

static frame frame_of(const lope_body_shape *shape)
{
    frame f;
    lope_vec3 along = lope_v3_sub(shape->b, shape->a);
    f.length = lope_v3_length(along);
    f.axis = lope_v3_normalize(along, lope_v3(0.0f, 1.0f, 0.0f));
    lope_vec3 side = lope_v3_mad(shape->side, f.axis, -lope_v3_dot(shape->side, f.axis));
    if (lope_v3_length(side) < 1e-3f) { // parallel to the axis: any perpendicular will do
        lope_vec3 other = fabsf(f.axis.x) < 0.6f ? lope_v3(1.0f, 0.0f, 0.0f) : lope_v3(0.0f, 0.0f, 1.0f);
        side = lope_v3_mad(other, f.axis, -lope_v3_dot(other, f.axis));
    }
    f.side = lope_v3_normalize(side, lope_v3(1.0f, 0.0f, 0.0f));
    f.depth = lope_v3_cross(f.side, f.axis);
    return f;
}

// The vertex at latitude `up` (radians, -pi/2 at the near pole) and longitude `around` on the ball at one end.
static void put_vertex(lope_body_vertex *out, const lope_body_shape *shape, const frame *f, bool far_end, double up,
                       double around)
{
    float radius = far_end ? shape->radius_b : shape->radius_a;
    float out_of_axis = (float)lope_cos(up), along_axis = (float)lope_sin(up);
    float x = out_of_axis * (float)lope_cos(around), z = out_of_axis * (float)lope_sin(around);
    lope_vec3 spot = lope_v3_scale(f->side, x * radius * shape->widen);
    spot = lope_v3_mad(lope_v3_mad(spot, f->depth, z * radius), f->axis, along_axis * radius);
    out->position = lope_v3_add(far_end ? shape->b : shape->a, spot);
    lope_vec3 normal = lope_v3_scale(f->side, x / shape->widen);
    normal = lope_v3_mad(lope_v3_mad(normal, f->depth, z), f->axis, along_axis);
    out->normal = lope_v3_normalize(normal, f->axis);
    out->joints[0] = (uint16_t)shape->joint;
    out->weights[0] = 255;
}

static void put_vertices(lope_body_vertex *out, const lope_body_shape *shape)
{
    frame f = frame_of(shape);
    double lean = 0.0;
    if (f.length > 1e-6f)
        lean = lope_asin((double)((shape->radius_a - shape->radius_b) / f.length));
    put_vertex(out++, shape, &f, false, -0.5 * LOPE_PI, 0.0);
    for (int ring = 0; ring < RINGS; ring++) {
        bool far_end = ring >= CAP_RINGS;
        double t = far_end ? (double)(ring - CAP_RINGS) / CAP_RINGS : (double)(ring + 1) / CAP_RINGS;
        double up = far_end ? lean + (0.5 * LOPE_PI - lean) * t : -0.5 * LOPE_PI + (lean + 0.5 * LOPE_PI) * t;
        for (int sector = 0; sector < SECTORS; sector++)
            put_vertex(out++, shape, &f, far_end, up, 2.0 * LOPE_PI * (double)sector / SECTORS);
    }
    put_vertex(out, shape, &f, true, 0.5 * LOPE_PI, 0.0);
}

static uint32_t *put_triangle(uint32_t *out, uint32_t a, uint32_t b, uint32_t c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    return out + 3;
}

static void put_indices(uint32_t *out, uint32_t first)
{
    uint32_t last = first + SHAPE_VERTICES - 1;
    for (uint32_t i = 0; i < SECTORS; i++) {
        uint32_t next = (i + 1) % SECTORS, low = first + 1, top = last - SECTORS;
        out = put_triangle(out, first, low + i, low + next);
        for (uint32_t ring = 0; ring + 1 < RINGS; ring++, low += SECTORS) {
            out = put_triangle(out, low + i, low + SECTORS + i, low + SECTORS + next);
            out = put_triangle(out, low + i, low + SECTORS + next, low + next);
        }
        out = put_triangle(out, top + i, last, top + next);
    }
}

// Moves a shape's vertices with their joint from the pose it was shaped in to the rest pose.
static void to_rest(lope_body_vertex *vertices, lope_transform rest, lope_transform pose)
{
    lope_transform move = lope_transform_mul(rest, lope_transform_inverse(pose));
    for (int i = 0; i < SHAPE_VERTICES; i++) {
        vertices[i].position = lope_transform_point(move, vertices[i].position);
        vertices[i].normal = lope_v3_normalize(lope_quat_rotate(move.rotation, vertices[i].normal), //
                                               lope_v3(0.0f, 1.0f, 0.0f));
    }
}

// Standing: the head or chest above the hips, the feet below, the left hip to the side.
static bool upright(const lope_skeleton *skeleton, const lope_transform *model)
{
    if (!lope_skeleton_is_biped(skeleton))
        return true;
    const int *roles = skeleton->roles;
    float leg = lope_skeleton_leg_length(skeleton);
    lope_vec3 hips = model[roles[LOPE_HIPS]].translation;
    lope_vec3 across = lope_v3_sub(model[roles[LOPE_LEFT_HIP]].translation, model[roles[LOPE_RIGHT_HIP]].translation);
    int top = roles[LOPE_HEAD] >= 0 ? roles[LOPE_HEAD] : roles[LOPE_CHEST];
    return hips.y - model[roles[LOPE_LEFT_ANKLE]].translation.y > 0.6f * leg &&
           hips.y - model[roles[LOPE_RIGHT_ANKLE]].translation.y > 0.6f * leg &&
           (top < 0 || model[top].translation.y - hips.y > 0.3f * leg) &&
           fabsf(across.y) < 0.5f * lope_v3_length(across);
}

static lope_status allocate(lope_body_mesh *mesh, size_t shapes, lope_error *error)
{
    mesh->vertex_count = shapes * SHAPE_VERTICES;
    mesh->index_count = shapes * SHAPE_INDICES;
    mesh->vertices = lope_alloc_zero(mesh->vertex_count * sizeof *mesh->vertices);
    mesh->indices = lope_alloc_array(mesh->index_count, sizeof *mesh->indices);
    if (mesh->vertices && mesh->indices)
        return LOPE_OK;
    lope_body_mesh_free(mesh);
    return lope_fail_memory(error);
}

lope_status lope_body_mesh_create(const lope_clip *clip, lope_body_mesh *out, lope_error *error)
{
    *out = (lope_body_mesh){0};
    const lope_skeleton *skeleton = clip->skeleton;
    size_t joints = (size_t)skeleton->joint_count;
    lope_transform *rest = lope_alloc_array(2 * joints, sizeof *rest), *pose = rest ? rest + joints : NULL;
    lope_body_shape *shapes = lope_alloc_array(lope_body_shape_limit(skeleton), sizeof *shapes);
    uint8_t *parts = lope_alloc(joints);
    lope_status status = LOPE_OK;
    if (rest && shapes && parts) {
        lope_skeleton_rest_model(skeleton, rest);
        if (upright(skeleton, rest))
            memcpy(pose, rest, joints * sizeof *pose);
        else
            lope_clip_model(clip, 0, pose);
        size_t count = (size_t)lope_body_shapes(skeleton, pose, parts, shapes);
        status = allocate(out, count, error);
        for (size_t i = 0; i < count && !status; i++) {
            lope_body_vertex *vertices = out->vertices + i * SHAPE_VERTICES;
            put_vertices(vertices, &shapes[i]);
            put_indices(out->indices + i * SHAPE_INDICES, (uint32_t)(i * SHAPE_VERTICES));
            to_rest(vertices, rest[shapes[i].joint], pose[shapes[i].joint]);
        }
    } else {
        status = lope_fail_memory(error);
    }
    lope_free(rest);
    lope_free(shapes);
    lope_free(parts);
    return status;
}

void lope_body_mesh_free(lope_body_mesh *mesh)
{
    lope_free(mesh->vertices);
    lope_free(mesh->indices);
    *mesh = (lope_body_mesh){0};
}
