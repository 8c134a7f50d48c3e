// SPDX-License-Identifier: MIT
// Which nodes of a glTF file are the joints of a character, and how they stand at rest.
//
// A character may wear several skins (body, hair, clothes), each with its own list of joints. Skins belong together
// where their joints meet in one tree: where they share a node, or where one hangs below the other.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/gltf_avatar.h"

// Matrices that take a mesh into its bind pose differ by more than this, as a share, where the nodes are posed.
#define SAME_BIND 1e-3
// Scales of two spaces that differ by less, as a share, and turns by less, in radians: the spaces are taken to be one.
#define SAME_SCALE 0.02f
#define SAME_SPACE 1.0f

static const json_t *skin_at(const gltf_body *body, int skin)
{
    return json_array_get(json_object_get(body->file->root, "skins"), (size_t)skin);
}

static lope_status check_skin(const gltf_body *body, int skin, lope_error *error)
{
    const json_t *joints = json_object_get(skin_at(body, skin), "joints");
    size_t i;
    json_t *node;
    if (json_array_size(joints) == 0)
        return lope_fail_at(error, LOPE_BAD_DATA, body->file->path, 0, "skin %d: expected joints, found none", skin);
    json_array_foreach(joints, i, node)
    {
        if (lope_gltf_index(node, body->file->node_count) < 0)
            return lope_fail_at(error, LOPE_BAD_DATA, body->file->path, 0,
                                "skin %d: expected joints that are nodes from 0 to %d, found another", skin,
                                body->file->node_count - 1);
    }
    return LOPE_OK;
}

// Counts, for each node, the joints at and below it that a skin of the group has. One skin alone: `only`; all: -1.
static int count_below(const gltf_body *body, int only, int *below)
{
    const gltf_file *file = body->file;
    int total = 0;
    memset(below, 0, (size_t)file->node_count * sizeof *below);
    for (int s = 0; s < body->skin_count; s++) {
        if (only >= 0 ? s != only : body->groups[s] != body->group)
            continue;
        size_t i;
        json_t *node;
        json_array_foreach(json_object_get(skin_at(body, s), "joints"), i, node)
        {
            below[lope_gltf_index(node, file->node_count)]++;
            total++;
        }
    }
    for (int i = file->node_count - 1; i > 0; i--) {
        int node = file->order[i], parent = file->parents[node];
        if (parent >= 0)
            below[parent] += below[node];
    }
    return total;
}

// The deepest node that has all joints at or below it: depth-first order puts it last among those. -1: there is none.
static int common_ancestor(const gltf_file *file, const int *below, int total)
{
    int found = -1;
    for (int i = 0; i < file->node_count; i++)
        if (below[file->order[i]] == total)
            found = file->order[i];
    return found;
}

static int group_of(const int *links, int skin)
{
    while (links[skin] != skin)
        skin = links[skin];
    return skin;
}

static void join_groups(int *links, int a, int b)
{
    a = group_of(links, a);
    b = group_of(links, b);
    links[a > b ? a : b] = a > b ? b : a;
}

// Marks the nodes that a skin covers with its number; skins that cover a node together belong together.
static lope_status cover(gltf_body *body, int skin, int *below, int *owner, int *tops)
{
    const gltf_file *file = body->file;
    int total = count_below(body, skin, below), top = common_ancestor(file, below, total);
    tops[skin] = top;
    if (top < 0)
        return LOPE_BAD_DATA;
    for (int i = 0; i < file->node_count; i++) {
        int node = file->order[i];
        bool inside = below[node] > 0 && (node == top || below[node] < total); // not above the top
        if (!inside)
            continue;
        if (owner[node] >= 0)
            join_groups(body->groups, owner[node], skin);
        owner[node] = skin;
    }
    return LOPE_OK;
}

static lope_status group(gltf_body *body, int *block, lope_error *error)
{
    const gltf_file *file = body->file;
    int *below = block, *owner = block + file->node_count, *tops = owner + file->node_count;
    memset(owner, -1, (size_t)file->node_count * sizeof *owner);
    for (int s = 0; s < body->skin_count; s++) {
        lope_status status = check_skin(body, s, error);
        if (status)
            return status;
        body->groups[s] = s;
        if (cover(body, s, below, owner, tops))
            return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0,
                                "skin %d: expected joints with a common node above them, found joints in several trees",
                                s);
    }
    for (int s = 0; s < body->skin_count; s++)
        for (int node = tops[s]; node >= 0; node = file->parents[node])
            if (owner[node] >= 0)
                join_groups(body->groups, owner[node], s);
    return LOPE_OK;
}

lope_status lope_gltf_group_skins(gltf_body *body, int *group_count, lope_error *error)
{
    const gltf_file *file = body->file;
    const json_t *skins = json_object_get(file->root, "skins");
    enum { MOST_SKINS = 1024 };
    *group_count = 0;
    body->skin_count = (int)json_array_size(skins);
    if (body->skin_count == 0)
        return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0,
                            "has no skin: expected a mesh that is bound to a skeleton, found %zu meshes without",
                            json_array_size(json_object_get(file->root, "meshes")));
    if (body->skin_count > MOST_SKINS)
        return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0, "has %d skins, the limit is %d", body->skin_count,
                            MOST_SKINS);
    body->groups = lope_alloc_array((size_t)body->skin_count, sizeof(int));
    int *block = lope_alloc_array(2 * (size_t)file->node_count + (size_t)body->skin_count, sizeof *block);
    lope_status status = body->groups && block ? group(body, block, error) : lope_fail_memory(error);
    lope_free(block);
    for (int s = 0; s < body->skin_count && !status; s++) { // numbers in the order of first skins, below 0 meanwhile
        int first = s;
        while (body->groups[first] >= 0 && body->groups[first] != first)
            first = body->groups[first];
        body->groups[s] = body->groups[first] < 0 ? body->groups[first] : -1 - (*group_count)++;
    }
    for (int s = 0; s < body->skin_count && !status; s++)
        body->groups[s] = -1 - body->groups[s];
    return status;
}

static void mark_skinned(gltf_body *body)
{
    for (int i = 0; i < body->file->node_count; i++)
        body->skinned[i] = false;
    for (int s = 0; s < body->skin_count; s++) {
        size_t i;
        json_t *node;
        if (body->groups[s] != body->group)
            continue;
        json_array_foreach(json_object_get(skin_at(body, s), "joints"), i, node)
            body->skinned[lope_gltf_index(node, body->file->node_count)] = true;
    }
}

static lope_status number_joints(gltf_body *body, int top, const int *below, lope_error *error)
{
    const gltf_file *file = body->file;
    body->joint_count = 0;
    for (int i = 0; i < file->node_count; i++) {
        int node = file->order[i], parent = file->parents[node];
        bool inside = node == top || (parent >= 0 && body->joints[parent] >= 0 && below[node] > 0);
        body->joints[node] = inside ? body->joint_count : -1;
        if (!inside)
            continue;
        if (body->joint_count == LOPE_MAX_JOINTS)
            return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0, "has more than %d joints", LOPE_MAX_JOINTS);
        body->nodes[body->joint_count] = node;
        body->parents[body->joint_count++] = node == top ? -1 : body->joints[parent];
    }
    return LOPE_OK;
}

lope_status lope_gltf_choose_joints(gltf_body *body, int top, lope_error *error)
{
    size_t count = (size_t)body->file->node_count;
    if (!body->joints) {
        body->joints = lope_alloc_array(count, sizeof(int));
        body->skinned = lope_alloc_array(count, sizeof(bool));
        body->nodes = lope_alloc_array(count, sizeof(int));
        body->parents = lope_alloc_array(count, sizeof(int));
        body->rest = lope_alloc_array(count, sizeof(affine));
        body->tips = lope_alloc_array(count, sizeof(lope_vec3));
    }
    int *below = lope_alloc_array(count, sizeof *below);
    bool good = body->joints && body->skinned && body->nodes && body->parents && body->rest && body->tips && below;
    lope_status status = good ? LOPE_OK : lope_fail_memory(error);
    if (good) {
        int total = count_below(body, -1, below), common = common_ancestor(body->file, below, total);
        mark_skinned(body);
        status = common < 0
                     ? lope_fail_at(error, LOPE_BAD_DATA, body->file->path, 0,
                                    "expected joints with a common node above them, found joints in several trees")
                     : number_joints(body, top >= 0 ? top : common, below, error);
    }
    lope_free(below);
    return status;
}

void lope_gltf_body_free(gltf_body *body)
{
    lope_free(body->groups);
    lope_free(body->joints);
    lope_free(body->skinned);
    lope_free(body->nodes);
    lope_free(body->parents);
    lope_free(body->rest);
    lope_free(body->tips);
    lope_skeleton_release(body->skeleton);
    *body = (gltf_body){0};
}

affine lope_gltf_bind(const gltf_numbers *matrices, size_t index)
{
    affine bind;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            bind.m[row][column] = lope_gltf_number(matrices, index, 4 * column + row);
    return bind;
}

// Largest difference of two matrices, as a share of how large the first scales and how far apart things are.
static double difference(const affine *a, const affine *b, double length)
{
    double size = 0.0, worst = 0.0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            size = fmax(size, fabs(a->m[row][column]));
            worst = fmax(worst, fabs(a->m[row][column] - b->m[row][column]));
        }
    worst /= size > 0.0 ? size : 1.0;
    for (int row = 0; row < 3; row++)
        worst = fmax(worst, fabs(a->m[row][3] - b->m[row][3]) / length);
    return worst;
}

// Adds what one skin says of its joints to what is known. Each skin has a space of its own, in which its mesh was made:
// a joint that is known already tells how that lies in the space of the first.
static void add_binds(const gltf_body *body, const json_t *joints, const gltf_numbers *matrices, affine *binds,
                      bool *known)
{
    affine first_from_this = lope_affine_identity();
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < json_array_size(joints) && i < matrices->count; i++) {
            int joint = body->joints[lope_gltf_index(json_array_get(joints, i), body->file->node_count)];
            affine inverse = lope_gltf_bind(matrices, i), bind;
            if (joint < 0 || !lope_affine_inverse(&inverse, &bind))
                continue;
            if (pass == 0 && known[joint]) {
                first_from_this = lope_affine_mul(&binds[joint], &inverse);
                break;
            }
            if (pass == 1 && !known[joint]) {
                binds[joint] = lope_affine_mul(&first_from_this, &bind);
                known[joint] = true;
            }
        }
}

static void collect_binds(const gltf_body *body, affine *binds, bool *known)
{
    memset(known, 0, (size_t)body->joint_count * sizeof *known);
    for (int s = 0; s < body->skin_count; s++) {
        const json_t *skin = skin_at(body, s);
        gltf_numbers matrices;
        if (body->groups[s] == body->group &&
            lope_gltf_numbers(body->file, json_object_get(skin, "inverseBindMatrices"), &matrices) &&
            matrices.components == 16)
            add_binds(body, json_object_get(skin, "joints"), &matrices, binds, known);
    }
}

// How far the body reaches: lengths are compared to this.
static double extent(const gltf_body *body)
{
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300}, size = 0.0;
    for (int j = 0; j < body->joint_count; j++)
        for (int row = 0; row < 3; row++) {
            low[row] = fmin(low[row], body->rest[j].m[row][3]);
            high[row] = fmax(high[row], body->rest[j].m[row][3]);
        }
    for (int row = 0; row < 3; row++)
        size = fmax(size, high[row] - low[row]);
    return size > 0.0 ? size : 1.0;
}

// How the space in which the mesh was made lies in the scene, going by a joint that should be where its node is. In a
// file that was saved in a pose that joint may lean; most exporters use the space of the node above the skeleton, so
// that is taken where it is near.
static affine scene_from_mesh(const gltf_body *body, int joint, const affine *mesh_to_joint)
{
    affine by_joint = lope_affine_mul(&body->rest[joint], mesh_to_joint);
    int above = body->file->parents[body->nodes[0]];
    affine by_node = above >= 0 ? body->file->globals[above] : lope_affine_identity();
    lope_vec3 unit = {1.0f, 0.0f, 0.0f};
    float a = lope_v3_length(lope_affine_turn(&by_joint, unit)), b = lope_v3_length(lope_affine_turn(&by_node, unit));
    float turn = lope_quat_angle(lope_affine_rigid(&by_joint).rotation, lope_affine_rigid(&by_node).rotation);
    return fabsf(a - b) < SAME_SCALE * a && turn < SAME_SPACE ? by_node : by_joint;
}

// Replaces the nodes' stand by that of the bind pose where they differ.
static void take_binds(gltf_body *body, const affine *binds, const bool *known)
{
    double length = extent(body);
    affine space, mesh_to_joint;
    int first = 0;
    bool posed = false;
    while (first < body->joint_count && !known[first])
        first++;
    if (first == body->joint_count || !lope_affine_inverse(&binds[first], &mesh_to_joint))
        return;
    space = lope_affine_mul(&body->rest[first], &mesh_to_joint);
    for (int j = first; j < body->joint_count && !posed; j++) {
        affine bound = known[j] ? lope_affine_mul(&space, &binds[j]) : body->rest[j];
        posed = difference(&body->rest[j], &bound, length) > SAME_BIND;
    }
    if (!posed)
        return;
    space = scene_from_mesh(body, first, &mesh_to_joint);
    for (int j = first; j < body->joint_count; j++) {
        if (known[j])
            body->rest[j] = lope_affine_mul(&space, &binds[j]);
        else if (j > 0)
            body->rest[j] = lope_affine_mul(&body->rest[body->parents[j]], &body->file->locals[body->nodes[j]]);
    }
}

lope_status lope_gltf_find_rest(gltf_body *body, lope_error *error)
{
    size_t count = (size_t)body->joint_count;
    affine *binds = lope_alloc_array(count, sizeof *binds);
    bool *known = lope_alloc_array(count, sizeof *known);
    for (int j = 0; j < body->joint_count; j++)
        body->rest[j] = body->file->globals[body->nodes[j]];
    if (binds && known) {
        collect_binds(body, binds, known);
        take_binds(body, binds, known);
    }
    bool good = binds && known;
    lope_free(binds);
    lope_free(known);
    return good ? LOPE_OK : lope_fail_memory(error);
}
