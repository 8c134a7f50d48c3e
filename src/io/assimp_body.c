// SPDX-License-Identifier: MIT
// Which nodes of a scene are joints. Bones of meshes and animated nodes that belong to them are, and everything between
// those and their common ancestor. Cameras, lights, props and mesh nodes stay out.
#include "io/import_assimp.h"

#ifdef LOPE_HAVE_ASSIMP
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define MAX_NODES (1 << 20)
#define PIVOT "_$AssimpFbx$_" // marks the helper nodes that carry an FBX node's pivots
#define NAME_SIZE (sizeof((struct aiString *)0)->data + 16)

#define NO_SKELETON "has no skeleton: no mesh has bones, no node is animated, and the nodes do not make a body"

enum { BONE = 1, ANIMATED = 2, BELOW_BONE = 4, ABOVE_BONE = 8 };

static bool is_pivot(const struct aiNode *node)
{
    return strstr(node->mName.data, PIVOT) != NULL;
}

// A pile of nodes whose turn will come.
typedef struct pile {
    scene_node *nodes;
    size_t count, capacity;
} pile;

static bool pile_reserve(pile *p, size_t more)
{
    if (more <= p->capacity - p->count)
        return true;
    size_t capacity = p->capacity ? p->capacity : 256;
    while (capacity - p->count < more)
        capacity *= 2;
    scene_node *larger = lope_grow(p->nodes, p->count * sizeof *larger, capacity * sizeof *larger);
    if (!larger)
        return false;
    p->nodes = larger;
    p->capacity = capacity;
    return true;
}

// Depth first, without recursion, so that no file can exhaust the stack here.
static lope_status lay_out(const struct aiScene *scene, assimp_body *body, lope_error *error)
{
    pile waiting = {0}, done = {0};
    lope_status status = pile_reserve(&waiting, 1) ? LOPE_OK : lope_fail_memory(error);
    if (!status)
        waiting.nodes[waiting.count++] = (scene_node){.node = scene->mRootNode, .parent = -1};
    while (!status && waiting.count > 0) {
        scene_node next = waiting.nodes[--waiting.count];
        size_t children = next.node->mNumChildren;
        if (done.count + waiting.count + children > MAX_NODES) {
            status = lope_fail_at(error, LOPE_BAD_DATA, body->path, 0, "has more than %d nodes", MAX_NODES);
        } else if (!pile_reserve(&done, 1) || !pile_reserve(&waiting, children)) {
            status = lope_fail_memory(error);
        } else {
            next.joint = next.carrier = -1;
            next.local = lope_affine_from_ai(&next.node->mTransformation);
            for (size_t i = children; i-- > 0;)
                waiting.nodes[waiting.count++] =
                    (scene_node){.node = next.node->mChildren[i], .parent = (int)done.count};
            done.nodes[done.count++] = next;
        }
    }
    lope_free(waiting.nodes);
    body->nodes = done.nodes;
    body->node_count = (int)done.count;
    return status;
}

// Indices into a struct cannot be compared without it, so pointers to names are sorted and turned into indices.
typedef struct name_entry {
    const char *name;
    int node;
} name_entry;

static int compare_entries(const void *a, const void *b)
{
    const name_entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

static lope_status index_names(assimp_body *body, lope_error *error)
{
    size_t count = (size_t)body->node_count;
    name_entry *entries = lope_alloc_array(count, sizeof *entries);
    body->by_name = lope_alloc_array(count, sizeof(int));
    body->globals = lope_alloc_array(count, sizeof *body->globals);
    if (!entries || !body->by_name || !body->globals) {
        lope_free(entries);
        return lope_fail_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        entries[i] = (name_entry){body->nodes[i].node->mName.data, (int)i};
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++)
        body->by_name[i] = entries[i].node;
    lope_free(entries);
    return LOPE_OK;
}

int lope_assimp_find(const assimp_body *body, const char *name)
{
    int low = 0, high = body->node_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(body->nodes[body->by_name[middle]].node->mName.data, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == body->node_count || strcmp(body->nodes[body->by_name[low]].node->mName.data, name) != 0)
        return -1;
    return body->by_name[low];
}

static void mark(const assimp_body *body, uint8_t *flags, const struct aiString *name, uint8_t flag)
{
    // Moving a pivot moves the node it belongs to.
    char owner[sizeof name->data];
    snprintf(owner, sizeof owner, "%s", name->data);
    char *pivot = strstr(owner, PIVOT);
    if (pivot)
        *pivot = 0;
    int node = lope_assimp_find(body, owner);
    if (node >= 0)
        flags[node] |= flag;
}

static bool mark_all(const struct aiScene *scene, const assimp_body *body, uint8_t *flags)
{
    bool bones = false;
    for (unsigned m = 0; m < scene->mNumMeshes; m++)
        for (unsigned b = 0; b < scene->mMeshes[m]->mNumBones; b++, bones = true)
            mark(body, flags, &scene->mMeshes[m]->mBones[b]->mName, BONE);
    for (unsigned a = 0; a < scene->mNumAnimations; a++)
        for (unsigned c = 0; c < scene->mAnimations[a]->mNumChannels; c++)
            mark(body, flags, &scene->mAnimations[a]->mChannels[c]->mNodeName, ANIMATED);
    for (int i = 1; i < body->node_count; i++)
        if (flags[body->nodes[i].parent] & (BONE | BELOW_BONE))
            flags[i] |= BELOW_BONE;
    for (int i = body->node_count - 1; i > 0; i--)
        if (flags[i] & (BONE | ABOVE_BONE))
            flags[body->nodes[i].parent] |= ABOVE_BONE;
    return bones;
}

static bool is_camera_or_light(const struct aiScene *scene, const char *name)
{
    for (unsigned i = 0; i < scene->mNumCameras; i++)
        if (strcmp(scene->mCameras[i]->mName.data, name) == 0)
            return true;
    for (unsigned i = 0; i < scene->mNumLights; i++)
        if (strcmp(scene->mLights[i]->mName.data, name) == 0)
            return true;
    return false;
}

// A rig without mesh and animation: every node could be a joint, but for those that stand alone. Whether they make a
// body is for the skeleton's roles to say.
static void mark_limbs(const struct aiScene *scene, assimp_body *body, uint8_t *flags)
{
    body->only_nodes = true;
    for (int i = 1; i < body->node_count; i++) {
        const struct aiNode *node = body->nodes[i].node;
        bool alone = node->mNumChildren == 0 && body->nodes[i].parent == 0;
        if (!alone && node->mNumMeshes == 0 && !is_camera_or_light(scene, node->mName.data))
            flags[i] |= ANIMATED;
    }
}

// Where there are bones, what moves counts only along with them; a mesh that rides on a bone is no joint.
static bool is_needed(const scene_node *node, uint8_t flags, bool bones)
{
    if (flags & BONE)
        return true;
    if (!(flags & ANIMATED))
        return false;
    return !bones || flags & ABOVE_BONE || (flags & BELOW_BONE && node->node->mNumMeshes == 0);
}

// The deepest node that has everything needed below it: preorder puts it last among those that do.
static int common_ancestor(const assimp_body *body, const uint8_t *flags, bool bones, int *below)
{
    for (int i = body->node_count - 1; i >= 0; i--) {
        below[i] += is_needed(&body->nodes[i], flags[i], bones);
        if (i > 0)
            below[body->nodes[i].parent] += below[i];
    }
    int found = 0;
    for (int i = 1; i < body->node_count; i++)
        if (below[i] == below[0])
            found = i;
    return below[0] > 0 ? found : -1;
}

static lope_status number_joints(assimp_body *body, int root, const int *below, lope_error *error)
{
    body->joint_nodes = lope_alloc_array((size_t)body->node_count, sizeof(int));
    if (!body->joint_nodes)
        return lope_fail_memory(error);
    for (int i = root; i < body->node_count; i++) {
        scene_node *node = &body->nodes[i];
        bool inside = i == root || (node->parent >= root && body->nodes[node->parent].carrier >= 0);
        if (!inside)
            continue;
        node->carrier = i == root ? 0 : body->nodes[node->parent].carrier;
        if (i == root || (below[i] > 0 && !is_pivot(node->node))) {
            node->joint = node->carrier = body->joint_count;
            body->joint_nodes[body->joint_count++] = i;
        }
    }
    if (body->joint_count > LOPE_MAX_JOINTS)
        return lope_fail_at(error, LOPE_BAD_DATA, body->path, 0, "has %d joints, the limit is %d", body->joint_count,
                            LOPE_MAX_JOINTS);
    return LOPE_OK;
}

static lope_status choose_joints(const struct aiScene *scene, assimp_body *body, lope_error *error)
{
    size_t count = (size_t)body->node_count;
    uint8_t *flags = lope_alloc_zero(count);
    int *below = lope_alloc_zero(count * sizeof *below);
    lope_status status = LOPE_OK;
    if (flags && below) {
        bool bones = mark_all(scene, body, flags);
        if (!bones && scene->mNumAnimations == 0)
            mark_limbs(scene, body, flags);
        int root = common_ancestor(body, flags, bones, below);
        status = root < 0 ? lope_fail_at(error, LOPE_BAD_DATA, body->path, 0, "%s", NO_SKELETON)
                          : number_joints(body, root, below, error);
    } else {
        status = lope_fail_memory(error);
    }
    lope_free(flags);
    lope_free(below);
    return status;
}

lope_status lope_assimp_body(const struct aiScene *scene, const char *path, assimp_body *out, lope_error *error)
{
    *out = (assimp_body){.path = path, .base = lope_affine_identity()};
    lope_status status = lay_out(scene, out, error);
    if (!status)
        status = index_names(out, error);
    if (!status)
        status = choose_joints(scene, out, error);
    return status;
}

void lope_assimp_body_free(assimp_body *body)
{
    lope_free(body->nodes);
    lope_free(body->by_name);
    lope_free(body->joint_nodes);
    lope_free(body->globals);
    lope_skeleton_release(body->skeleton);
    *body = (assimp_body){0};
}

// A name of its own for each joint: those without one, or with one that another node bears, get their node's number.
static void name_joint(const assimp_body *body, int joint, char *out)
{
    int node = body->joint_nodes[joint];
    const char *name = body->nodes[node].node->mName.data;
    snprintf(out, NAME_SIZE, "%s", name);
    if (name[0] && lope_assimp_find(body, name) == node)
        return;
    int number = node;
    do {
        snprintf(out, NAME_SIZE, "%.1000s_%d", name[0] ? name : "joint", number);
        number += body->node_count; // two joints never arrive at the same number
    } while (lope_assimp_find(body, out) >= 0 && number < INT32_MAX - body->node_count);
}

bool lope_assimp_number(const struct aiMetadata *data, const char *key, double *out)
{
    const struct aiMetadataEntry *entry = NULL;
    for (unsigned i = 0; data && i < data->mNumProperties && !entry; i++)
        if (strcmp(data->mKeys[i].data, key) == 0)
            entry = &data->mValues[i];
    if (!entry || !entry->mData)
        return false;
    switch (entry->mType) {
    case AI_INT32:
        *out = (double)*(const int32_t *)entry->mData;
        return true;
    case AI_UINT64:
        *out = (double)*(const uint64_t *)entry->mData;
        return true;
    case AI_FLOAT:
        *out = (double)*(const float *)entry->mData;
        return true;
    case AI_DOUBLE:
        *out = *(const double *)entry->mData;
        return true;
    default:
        return false;
    }
}

// Files of our own say where a leaf ends.
static bool stated_tip(const assimp_body *body, int node, lope_vec3 *out)
{
    const struct aiMetadata *data = body->nodes[node].node->mMetaData;
    double x, y, z;
    if (!lope_assimp_number(data, "tip_x", &x) || !lope_assimp_number(data, "tip_y", &y) ||
        !lope_assimp_number(data, "tip_z", &z))
        return false;
    lope_vec3 in_world = lope_affine_turn(&body->globals[node], lope_v3((float)x, (float)y, (float)z));
    *out = lope_quat_rotate(lope_quat_conjugate(lope_affine_rigid(&body->globals[node]).rotation), in_world);
    return isfinite(out->x) && isfinite(out->y) && isfinite(out->z);
}

// Otherwise a leaf's bone ends where a node below it lies: exporters write such ends without animating them.
static lope_vec3 tip_of(const assimp_body *body, int joint)
{
    int node = body->joint_nodes[joint];
    lope_vec3 stated;
    if (stated_tip(body, node, &stated))
        return stated;
    for (int i = node + 1; i < body->node_count && body->nodes[i].parent >= node; i++) {
        if (body->nodes[i].joint >= 0)
            break;
        if (body->nodes[i].carrier == joint && body->nodes[i].node->mNumMeshes == 0) {
            lope_vec3 tip = lope_affine_relative(&body->globals[node], &body->globals[i]).translation;
            if (lope_v3_length(tip) > 1e-4f)
                return tip;
        }
    }
    return lope_v3(0.0f, 0.0f, 0.0f);
}

static lope_status make_skeleton(assimp_body *body, const int *roles, lope_error *error)
{
    for (int i = 0; i < body->node_count; i++) {
        const affine *above = i > 0 ? &body->globals[body->nodes[i].parent] : &body->base;
        body->globals[i] = lope_affine_mul(above, &body->nodes[i].local);
    }
    size_t count = (size_t)body->joint_count;
    char *text = lope_alloc_array(count, NAME_SIZE);
    const char **names = lope_alloc_array(count, sizeof *names);
    int *parents = lope_alloc_array(count, sizeof *parents);
    lope_transform *rest = lope_alloc_array(count, sizeof *rest);
    lope_vec3 *tips = lope_alloc_array(count, sizeof *tips);
    lope_status status = LOPE_OK;
    if (text && names && parents && rest && tips) {
        for (int j = 0; j < body->joint_count; j++) {
            int node = body->joint_nodes[j];
            parents[j] = j > 0 ? body->nodes[body->nodes[node].parent].carrier : -1;
            name_joint(body, j, text + (size_t)j * NAME_SIZE);
            names[j] = text + (size_t)j * NAME_SIZE;
            rest[j] = j > 0 ? lope_affine_relative(&body->globals[body->joint_nodes[parents[j]]], &body->globals[node])
                            : lope_affine_rigid(&body->globals[node]);
            tips[j] = tip_of(body, j);
        }
        lope_skeleton_def def = {body->joint_count, names, parents, rest, tips, roles, NULL};
        status = lope_skeleton_create(&def, &body->skeleton, error);
    } else {
        status = lope_fail_memory(error);
    }
    lope_free(text);
    lope_free(names);
    lope_free(parents);
    lope_free(rest);
    lope_free(tips);
    return status;
}

lope_status lope_assimp_skeleton(assimp_body *body, const int *roles, lope_error *error)
{
    lope_status status = make_skeleton(body, roles, error);
    if (!status && body->only_nodes && body->skeleton->role_source == LOPE_ROLES_NONE)
        status = lope_fail_at(error, LOPE_BAD_DATA, body->path, 0, "%s", NO_SKELETON);
    return status;
}
#endif
