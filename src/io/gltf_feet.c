// SPDX-License-Identifier: MIT
// Soles of a character. Joints of a foot lie somewhere inside the shoe; where the floor is, only the mesh knows. The
// sole is as deep as the lowest vertex of the foot: its ball lies below the toe joint, its heel as far back as the
// rearmost vertex, the tip of the foot as far ahead as the foremost.
#include "base/error.h"
#include "base/memory.h"
#include "io/gltf_avatar.h"
#include "motion/joints.h"

#define BALL_OF_FRONT 0.65f             // ankle to ball as a share of ankle to the end of the foot, without a toe joint
#define DEEPEST_SOLE 0.4f               // legs below the ankle; and no foot is as long as a leg
#define MOST_VERTICES ((size_t)1 << 26) // one mesh may be shown by many nodes; beyond this, soles are found already

typedef struct foot_reach {
    int ankle, carrier; // joints; the carrier has the tip
    lope_vec3 forward;  // along the foot, level
    float lowest;       // height of the lowest vertex
    float back, front;  // how far ahead of the ankle the rearmost and the foremost are
    bool any;
} foot_reach;

typedef struct feet {
    gltf_body *body;
    const lope_transform *model; // [joint_count] at rest
    foot_reach foot[2];
    affine *moves; // [joints of a skin] from the mesh to where it is at rest
    int *joints;   // [joints of a skin] in the skeleton
    int skin_joints;
    size_t vertices;
} feet;

static foot_reach begin_foot(const feet *f, lope_side side)
{
    const lope_skeleton *skeleton = f->body->skeleton;
    const int *roles = skeleton->roles;
    int ankle = roles[side == LOPE_LEFT ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
    int toe = roles[side == LOPE_LEFT ? LOPE_LEFT_TOE : LOPE_RIGHT_TOE];
    lope_vec3 left =
        lope_v3_sub(f->model[roles[LOPE_LEFT_HIP]].translation, f->model[roles[LOPE_RIGHT_HIP]].translation);
    lope_vec3 ahead = lope_v3_cross(left, lope_v3(0.0f, 1.0f, 0.0f));
    if (toe >= 0)
        ahead = lope_v3_sub(f->model[toe].translation, f->model[ankle].translation);
    ahead.y = 0.0f;
    return (foot_reach){.ankle = ankle,
                        .carrier = toe >= 0 ? toe : ankle,
                        .forward = lope_v3_normalize(ahead, lope_v3(0.0f, 0.0f, 1.0f)),
                        .lowest = INFINITY,
                        .back = INFINITY,
                        .front = -INFINITY};
}

static void add_vertex(feet *f, int joint, lope_vec3 at)
{
    for (int side = 0; side < 2; side++) {
        foot_reach *foot = &f->foot[side];
        if (!joint_is_above(f->body->skeleton, foot->ankle, joint))
            continue;
        lope_vec3 from_ankle = lope_v3_sub(at, f->model[foot->ankle].translation);
        foot->lowest = fminf(foot->lowest, at.y);
        foot->back = fminf(foot->back, lope_v3_dot(from_ankle, foot->forward));
        foot->front = fmaxf(foot->front, lope_v3_dot(from_ankle, foot->forward));
        foot->any = true;
    }
}

// The joint that a vertex follows most, as an index into the skin's joints; -1: none.
static int strongest(const gltf_numbers *joints, const gltf_numbers *weights, size_t vertex, int count)
{
    double most = 0.0;
    int found = -1;
    for (int i = 0; i < 4; i++) {
        double weight = lope_gltf_number(weights, vertex, i), joint = lope_gltf_number(joints, vertex, i);
        if (weight > most && joint >= 0.0 && joint < (double)count) {
            most = weight;
            found = (int)joint;
        }
    }
    return found;
}

static void add_primitive(feet *f, const json_t *primitive)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    gltf_numbers places, joints, weights;
    const gltf_file *file = f->body->file;
    if (!lope_gltf_numbers(file, json_object_get(attributes, "POSITION"), &places) || places.components != 3)
        return;
    f->vertices += places.count;
    if (f->vertices > MOST_VERTICES || !lope_gltf_numbers(file, json_object_get(attributes, "JOINTS_0"), &joints) ||
        joints.components != 4 || !lope_gltf_numbers(file, json_object_get(attributes, "WEIGHTS_0"), &weights) ||
        weights.components != 4)
        return;
    for (size_t v = 0; v < places.count && v < joints.count && v < weights.count; v++) {
        int slot = strongest(&joints, &weights, v, f->skin_joints);
        if (slot < 0 || f->joints[slot] < 0)
            continue;
        lope_vec3 at = {(float)lope_gltf_number(&places, v, 0), (float)lope_gltf_number(&places, v, 1),
                        (float)lope_gltf_number(&places, v, 2)};
        at = lope_affine_point(&f->moves[slot], at);
        if (isfinite(at.x) && isfinite(at.y) && isfinite(at.z))
            add_vertex(f, f->joints[slot], at);
    }
}

// The skin of a node that shows a mesh, taken to the rest pose.
static lope_status begin_skin(feet *f, const json_t *skin, lope_error *error)
{
    const json_t *joints = json_object_get(skin, "joints");
    size_t count = json_array_size(joints);
    gltf_numbers binds;
    bool bound = lope_gltf_numbers(f->body->file, json_object_get(skin, "inverseBindMatrices"), &binds) &&
                 binds.components == 16;
    f->moves = lope_alloc_array(count, sizeof *f->moves);
    f->joints = lope_alloc_array(count, sizeof *f->joints);
    f->skin_joints = (int)count;
    if (!f->moves || !f->joints)
        return lope_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        int joint = f->body->joints[lope_gltf_index(json_array_get(joints, i), f->body->file->node_count)];
        affine bind = bound && i < binds.count ? lope_gltf_bind(&binds, i) : lope_affine_identity();
        f->joints[i] = joint;
        f->moves[i] = joint >= 0 ? lope_affine_mul(&f->body->rest[joint], &bind) : bind;
    }
    return LOPE_OK;
}

static lope_status add_node(feet *f, const json_t *node, lope_error *error)
{
    const gltf_body *body = f->body;
    int skin = lope_gltf_index(json_object_get(node, "skin"), body->skin_count);
    const json_t *mesh = lope_gltf_nth(body->file->root, "meshes", json_object_get(node, "mesh")), *primitive;
    size_t i;
    if (skin < 0 || body->groups[skin] != body->group || !mesh)
        return LOPE_OK;
    lope_status status = begin_skin(f, lope_gltf_nth(body->file->root, "skins", json_object_get(node, "skin")), error);
    if (!status) {
        json_array_foreach(json_object_get(mesh, "primitives"), i, primitive) add_primitive(f, primitive);
    }
    lope_free(f->moves);
    lope_free(f->joints);
    f->moves = NULL;
    f->joints = NULL;
    return status;
}

static lope_vec3 in_joint(const feet *f, int joint, lope_vec3 place)
{
    return lope_transform_point(lope_transform_inverse(f->model[joint]), place);
}

// A sole lies below the ankle, and not far below it: anything else is a dress, or a mesh that was bound elsewhere.
static bool end_foot(feet *f, lope_side side)
{
    const foot_reach *foot = &f->foot[side];
    lope_vec3 ankle = f->model[foot->ankle].translation, carrier = f->model[foot->carrier].translation;
    float leg = lope_skeleton_leg_length(f->body->skeleton), height = ankle.y - foot->lowest;
    if (!foot->any || !(height > 0.0f) || !(height < DEEPEST_SOLE * leg) || !(fabsf(foot->front) < leg))
        return false;
    float front = fmaxf(foot->front, 0.0f), back = fminf(foot->back, 0.0f);
    lope_vec3 tip = lope_v3_mad(ankle, foot->forward, front), heel = lope_v3_mad(ankle, foot->forward, back);
    lope_vec3 ball = foot->carrier == foot->ankle ? lope_v3_mad(ankle, foot->forward, BALL_OF_FRONT * front) : carrier;
    tip.y = heel.y = ball.y = foot->lowest;
    f->body->tips[foot->carrier] = in_joint(f, foot->carrier, tip);
    f->body->feet[side] = (lope_sole){in_joint(f, foot->ankle, heel), in_joint(f, foot->carrier, ball)};
    return true;
}

lope_status lope_gltf_find_feet(gltf_body *body, int *vertex_count, lope_error *error)
{
    lope_status status = LOPE_OK;
    bool biped = lope_skeleton_is_biped(body->skeleton);
    lope_transform *model = lope_alloc_array((size_t)body->joint_count, sizeof *model);
    if (!model)
        return lope_fail_memory(error);
    lope_skeleton_rest_model(body->skeleton, model);
    feet f = {.body = body, .model = model};
    for (int side = 0; side < 2; side++)
        f.foot[side] = biped ? begin_foot(&f, (lope_side)side) : (foot_reach){.ankle = body->joint_count};
    size_t i;
    json_t *node;
    json_array_foreach(json_object_get(body->file->root, "nodes"), i, node)
    {
        status = add_node(&f, node, error);
        if (status)
            break;
    }
    if (biped && !status) {
        bool left = end_foot(&f, LOPE_LEFT), right = end_foot(&f, LOPE_RIGHT);
        body->feet_known = left && right;
    }
    *vertex_count = f.vertices < INT32_MAX ? (int)f.vertices : INT32_MAX;
    lope_free(model);
    return status;
}
