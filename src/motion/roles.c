// SPDX-License-Identifier: MIT
// Roles of joints: their names, and the search for them, by names first and by the shape of the rest pose failing that.
#include "motion/roles.h"

#include <string.h>

#include "base/memory.h"

static const char *const role_names[LOPE_ROLE_COUNT] = {
    "hips",       "spine",      "chest",        "neck",           "head",        "left collar", "left shoulder",
    "left elbow", "left hand",  "right collar", "right shoulder", "right elbow", "right hand",  "left hip",
    "left knee",  "left ankle", "left toe",     "right hip",      "right knee",  "right ankle", "right toe",
};

const char *lope_role_name(lope_role role)
{
    return (unsigned)role < LOPE_ROLE_COUNT ? role_names[role] : "unknown";
}

lope_role lope_role_from_name(const char *name)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (strcmp(name, role_names[r]) == 0)
            return (lope_role)r;
    return LOPE_ROLE_COUNT;
}

lope_role lope_role_mirror(lope_role role)
{
    if (role >= LOPE_LEFT_COLLAR && role <= LOPE_LEFT_HAND)
        return role + (LOPE_RIGHT_COLLAR - LOPE_LEFT_COLLAR);
    if (role >= LOPE_RIGHT_COLLAR && role <= LOPE_RIGHT_HAND)
        return role - (LOPE_RIGHT_COLLAR - LOPE_LEFT_COLLAR);
    if (role >= LOPE_LEFT_HIP && role <= LOPE_LEFT_TOE)
        return role + (LOPE_RIGHT_HIP - LOPE_LEFT_HIP);
    if (role >= LOPE_RIGHT_HIP && role <= LOPE_RIGHT_TOE)
        return role - (LOPE_RIGHT_HIP - LOPE_LEFT_HIP);
    return role;
}

bool role_tree_make(const lope_skeleton *skeleton, role_tree *out)
{
    size_t n = (size_t)skeleton->joint_count;
    int *block = lope_alloc_array(n, 4 * sizeof(int) + sizeof(float));
    if (!block)
        return false;
    *out = (role_tree){skeleton, block, block + n, block + 2 * n, block + 3 * n, (float *)(void *)(block + 4 * n)};
    for (int j = 0; j < skeleton->joint_count; j++) {
        out->first_child[j] = out->next_sibling[j] = out->longest[j] = -1;
        out->links[j] = 1;
        out->reach[j] = lope_v3_length(skeleton->tips[j]);
    }
    // Children come after their parents: going backwards, a joint is complete when it is its turn, and pushing each
    // in front keeps siblings in order.
    for (int j = skeleton->joint_count - 1; j > 0; j--) {
        int parent = skeleton->parents[j];
        out->next_sibling[j] = out->first_child[parent];
        out->first_child[parent] = j;
        float reach = out->reach[j] + lope_v3_length(skeleton->rest[j].translation);
        if (out->longest[parent] < 0 || reach >= out->reach[parent]) {
            out->reach[parent] = reach;
            out->longest[parent] = j;
            out->links[parent] = out->links[j] + 1;
        }
    }
    return true;
}

void role_tree_free(role_tree *tree)
{
    lope_free(tree->first_child);
}

int role_common(const lope_skeleton *skeleton, int a, int b)
{
    while (a != b) {
        if (a > b)
            a = skeleton->parents[a];
        else
            b = skeleton->parents[b];
    }
    return a;
}

int role_child_towards(const lope_skeleton *skeleton, int ancestor, int joint)
{
    while (skeleton->parents[joint] != ancestor)
        joint = skeleton->parents[joint];
    return joint;
}

void roles_find_head(const role_tree *tree, int branch, int *roles)
{
    const lope_skeleton *skeleton = tree->skeleton;
    int head = branch;
    while (tree->longest[head] >= 0) {
        int next = tree->longest[head];
        // Several children make a face. A last joint much farther away than the one before is not a joint but the
        // mark of the crown.
        bool face = tree->next_sibling[tree->first_child[head]] >= 0 && head != branch;
        bool crown =
            tree->longest[next] < 0 && head != branch &&
            lope_v3_length(skeleton->rest[next].translation) > 1.4f * lope_v3_length(skeleton->rest[head].translation);
        if (face || crown)
            break;
        head = next;
    }
    roles[LOPE_HEAD] = head;
    roles[LOPE_NECK] = head != branch ? branch : -1;
}

static bool has_arms(const int *roles)
{
    return roles[LOPE_LEFT_SHOULDER] >= 0 && roles[LOPE_RIGHT_SHOULDER] >= 0;
}

// Where names told the legs only, the shape may know arms and head, provided that it means the same legs.
static void complete_from_shape(const role_tree *tree, int *roles, bool *no_memory)
{
    int shape[LOPE_ROLE_COUNT];
    if (!roles_from_shape(tree, shape, no_memory))
        return;
    for (int r = LOPE_LEFT_HIP; r <= LOPE_RIGHT_ANKLE; r++)
        if (r != LOPE_LEFT_TOE && shape[r] != roles[r])
            return;
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (roles[r] < 0)
            roles[r] = shape[r];
}

lope_status lope_roles_find(const lope_skeleton *skeleton, int *roles, lope_role_source *source)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    *source = LOPE_ROLES_NONE;
    role_tree tree;
    if (!role_tree_make(skeleton, &tree))
        return LOPE_NO_MEMORY;
    bool no_memory = false;
    if (roles_from_names(&tree, roles, &no_memory)) {
        *source = LOPE_ROLES_NAMES;
        if (!has_arms(roles))
            complete_from_shape(&tree, roles, &no_memory);
    } else if (!no_memory && roles_from_shape(&tree, roles, &no_memory)) {
        *source = LOPE_ROLES_TOPOLOGY;
    }
    role_tree_free(&tree);
    return no_memory ? LOPE_NO_MEMORY : LOPE_OK;
}
