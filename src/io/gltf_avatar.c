// SPDX-License-Identifier: MIT
// Opening a character: chooses its skins, makes its skeleton, finds or adds the root bone.
#include "io/gltf_avatar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/joints.h"
#include "motion/root_bone.h"

#define MOST_CHARACTERS 64
#define UNEVEN 0.1f // largest difference between a node's scales, as a share, that is taken for the same

lope_avatar_def lope_avatar_def_default(void)
{
    return (lope_avatar_def){0};
}

typedef struct named_joint {
    const char *name;
    int joint;
} named_joint;

static int compare_names(const void *a, const void *b)
{
    const named_joint *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->joint > y->joint) - (x->joint < y->joint);
}

static const json_t *node_at(const gltf_body *body, int node)
{
    return json_array_get(json_object_get(body->file->root, "nodes"), (size_t)node);
}

// A name of its own for each joint: those without one, or with one that an earlier joint bears, get their node's
// number. Those are allocated, and listed in `made` to be freed.
static lope_status name_joints(const gltf_body *body, const char **names, char **made, lope_error *error)
{
    size_t count = (size_t)body->joint_count;
    named_joint *sorted = lope_alloc_array(count, sizeof *sorted);
    lope_status status = sorted ? LOPE_OK : lope_fail_memory(error);
    for (size_t j = 0; j < count && !status; j++)
        sorted[j] = (named_joint){lope_gltf_name(node_at(body, body->nodes[j])), (int)j};
    if (!status)
        qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 0; i < count && !status; i++) {
        int joint = sorted[i].joint;
        const char *name = sorted[i].name;
        names[joint] = name;
        if (name[0] && (i == 0 || strcmp(sorted[i - 1].name, name) != 0))
            continue;
        size_t size = strlen(name) + 24;
        made[joint] = lope_alloc(size);
        if (made[joint])
            snprintf(made[joint], size, "%s_%d", name[0] ? name : "joint", body->nodes[joint]);
        else
            status = lope_fail_memory(error);
        names[joint] = made[joint];
    }
    lope_free(sorted);
    return status;
}

// Where a leaf's bone ends: files of our own say it, others have a node there that nothing is shown at.
static lope_vec3 tip_of(const gltf_body *body, int joint)
{
    const json_t *node = node_at(body, body->nodes[joint]), *extras = json_object_get(node, "extras"), *child;
    const json_t *x = json_object_get(extras, "tip_x"), *y = json_object_get(extras, "tip_y"),
                 *z = json_object_get(extras, "tip_z");
    lope_quat to_joint = lope_quat_conjugate(lope_affine_rigid(&body->rest[joint]).rotation);
    lope_vec3 tip = {(float)json_number_value(x), (float)json_number_value(y), (float)json_number_value(z)};
    size_t i;
    json_array_foreach(json_object_get(node, "children"), i, child)
    {
        int at = lope_gltf_index(child, body->file->node_count);
        if (body->joints[at] >= 0)
            return lope_v3(0.0f, 0.0f, 0.0f); // no leaf
        if (!x && !json_object_get(node_at(body, at), "mesh"))
            tip = lope_affine_rigid(&body->file->locals[at]).translation;
    }
    tip = lope_quat_rotate(to_joint, lope_affine_turn(&body->rest[joint], tip));
    bool near = lope_v3_length(tip) <= LOPE_MAX_DISTANCE; // false for what is not finite
    return near ? tip : lope_v3(0.0f, 0.0f, 0.0f);
}

static lope_status make_skeleton(gltf_body *body, const int *roles, lope_error *error)
{
    size_t count = (size_t)body->joint_count;
    const char **names = lope_alloc_array(count, sizeof *names);
    char **made = lope_alloc_zero(count * sizeof *made);
    lope_transform *rest = lope_alloc_array(count, sizeof *rest);
    lope_status status = names && made && rest ? name_joints(body, names, made, error) : lope_fail_memory(error);
    if (!status) {
        for (size_t j = 0; j < count; j++)
            rest[j] = j > 0 ? lope_affine_relative(&body->rest[body->parents[j]], &body->rest[j])
                            : lope_affine_rigid(&body->rest[0]);
        lope_skeleton_release(body->skeleton);
        body->skeleton = NULL;
        lope_skeleton_def def = {
            body->joint_count, names, body->parents, rest, body->tips, roles, body->feet_known ? body->feet : NULL};
        status = lope_skeleton_create(&def, &body->skeleton, error);
        if (status && error && !error->file[0])
            snprintf(error->file, sizeof error->file, "%s", body->file->path);
    }
    for (size_t j = 0; made && j < count; j++)
        lope_free(made[j]);
    lope_free((void *)made);
    lope_free((void *)names);
    lope_free(rest);
    return status;
}

static lope_status check_roles(const gltf_body *body, const int *roles, lope_error *error)
{
    for (int r = 0; roles && r < LOPE_ROLE_COUNT; r++)
        if (roles[r] < -1 || roles[r] >= body->joint_count)
            return lope_fail_at(error, LOPE_BAD_DATA, body->file->path, 0, "role '%s' names joint %d of %d",
                                lope_role_name((lope_role)r), roles[r], body->joint_count);
    return LOPE_OK;
}

static lope_status read_group(gltf_body *body, int group, const int *roles, lope_error *error)
{
    body->group = group;
    lope_status status = lope_gltf_choose_joints(body, -1, error);
    if (!status)
        status = lope_gltf_find_rest(body, error);
    if (!status)
        status = check_roles(body, roles, error);
    if (status)
        return status;
    for (int j = 0; j < body->joint_count; j++)
        body->tips[j] = tip_of(body, j);
    return make_skeleton(body, roles, error);
}

static const char *skin_name(const gltf_body *body, int skin, char text[24])
{
    const char *name = lope_gltf_name(json_array_get(json_object_get(body->file->root, "skins"), (size_t)skin));
    if (!name[0])
        snprintf(text, 24, "%d", skin);
    return name[0] ? name : text;
}

// The only character of the file, the only one with legs, or the one whose skin was named.
static lope_status choose_group(gltf_body *body, const lope_avatar_def *def, lope_error *error)
{
    int groups, bipeds = 0, found = 0;
    char text[24], names[200] = "";
    lope_status status = lope_gltf_group_skins(body, &groups, error);
    if (status)
        return status;
    if (def->skin) {
        for (int s = 0; s < body->skin_count; s++)
            if (strcmp(skin_name(body, s, text), def->skin) == 0)
                return read_group(body, body->groups[s], def->roles, error);
        return lope_fail_at(error, LOPE_NOT_FOUND, body->file->path, 0, "expected a skin '%.80s', found '%.80s'%s",
                            def->skin, skin_name(body, 0, text), body->skin_count > 1 ? " and others" : "");
    }
    if (groups == 1)
        return read_group(body, 0, def->roles, error);
    for (int g = 0; g < groups && g < MOST_CHARACTERS; g++) {
        status = read_group(body, g, NULL, error);
        if (status)
            return status;
        if (!lope_skeleton_is_biped(body->skeleton))
            continue;
        found = bipeds++ ? found : g;
        int skin = 0;
        while (body->groups[skin] != g)
            skin++;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s'%.40s'", used ? ", " : "", skin_name(body, skin, text));
    }
    if (bipeds != 1)
        return lope_fail_at(error, LOPE_BAD_DATA, body->file->path, 0,
                            "shows %d characters: expected one with legs, found %d%s%.200s%s", groups, bipeds,
                            bipeds ? " (skins " : "", names, bipeds ? "); name the skin of one" : "");
    return read_group(body, found, def->roles, error);
}

// Nodes that are scaled differently along their axes shear what hangs on them: joints cannot be turned independently.
static lope_status check_scale(const gltf_body *body, int node, lope_error *error)
{
    lope_vec3 translation, s;
    lope_quat rotation;
    bool straight = lope_gltf_node_parts(body->file, node, &translation, &rotation, &s);
    float most = fmaxf(s.x, fmaxf(s.y, s.z)), least = fminf(s.x, fminf(s.y, s.z));
    if (straight && least > 0.0f && most - least <= UNEVEN * most)
        return LOPE_OK;
    return lope_fail_at(error, LOPE_UNSUPPORTED, body->file->path, 0,
                        "node %d ('%.80s') is scaled by %g, %g, %g%s: expected one scale above 0 for all axes", node,
                        lope_gltf_name(node_at(body, node)), (double)s.x, (double)s.y, (double)s.z,
                        straight ? "" : " and sheared");
}

static lope_status check_scales(const gltf_body *body, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int node = body->file->parents[body->nodes[0]]; node >= 0 && !status; node = body->file->parents[node])
        status = check_scale(body, node, error);
    for (int j = 0; j < body->joint_count && !status; j++)
        status = check_scale(body, body->nodes[j], error);
    return status;
}

// The node that shall carry the body: named, or the topmost joint of a skin above the hips. -1: none; -2: the name
// belongs to a node that is not above the hips.
static int find_bone(const gltf_body *body, const char *name)
{
    const gltf_file *file = body->file;
    int hips = body->nodes[body->skeleton->roles[LOPE_HIPS]], found = -1;
    for (int node = file->parents[hips]; node >= 0; node = file->parents[node]) {
        if (name[0] ? strcmp(lope_gltf_name(node_at(body, node)), name) == 0 : body->skinned[node])
            found = node;
        if (found >= 0 && name[0])
            return found;
    }
    for (int node = 0; node < file->node_count && name[0]; node++)
        if (strcmp(lope_gltf_name(node_at(body, node)), name) == 0)
            return -2;
    return found;
}

// A bone above the skeleton's root becomes its root; roles stay with their nodes.
static lope_status extend_to(gltf_body *body, int node, lope_error *error)
{
    int roles[LOPE_ROLE_COUNT], before = body->joint_count;
    lope_role_source source = body->skeleton->role_source;
    memcpy(roles, body->skeleton->roles, sizeof roles);
    lope_status status = lope_gltf_choose_joints(body, node, error);
    if (status)
        return status;
    int added = body->joint_count - before; // a chain of nodes above what was there
    memmove(body->tips + added, body->tips, (size_t)before * sizeof *body->tips);
    memset(body->tips, 0, (size_t)added * sizeof *body->tips);
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] += roles[r] >= 0 ? added : 0;
    status = lope_gltf_find_rest(body, error);
    if (!status)
        status = make_skeleton(body, roles, error);
    if (!status)
        body->skeleton->role_source = source;
    return status;
}

static lope_status insert_bone(gltf_body *body, const char *name, lope_error *error)
{
    int hips = body->skeleton->roles[LOPE_HIPS];
    lope_skeleton *taller;
    lope_status status = lope_skeleton_insert(body->skeleton, hips, name, &taller, error);
    if (status)
        return status;
    lope_skeleton_release(body->skeleton);
    body->skeleton = taller;
    int *nodes = lope_alloc_array((size_t)body->joint_count + 1, sizeof *nodes);
    if (!nodes)
        return lope_fail_memory(error);
    memcpy(nodes, body->nodes, (size_t)hips * sizeof *nodes);
    nodes[hips] = -1;
    memcpy(nodes + hips + 1, body->nodes + hips, (size_t)(body->joint_count - hips) * sizeof *nodes);
    lope_free(body->nodes);
    body->nodes = nodes;
    body->joint_count++;
    return LOPE_OK;
}

static lope_status settle_bone(gltf_body *body, const lope_avatar_def *def, int *out, lope_error *error)
{
    *out = -1;
    if (!def->root_bone)
        return LOPE_OK;
    if (!lope_skeleton_is_biped(body->skeleton))
        return lope_fail_at(error, LOPE_MISMATCH, body->file->path, 0,
                            "expected hips and legs to put a root bone above, found none");
    int node = find_bone(body, def->root_bone);
    if (node == -2)
        return lope_fail_at(error, LOPE_MISMATCH, body->file->path, 0,
                            "expected a node above the hips as root bone, found '%.80s' elsewhere", def->root_bone);
    lope_status status = LOPE_OK;
    if (node >= 0 && body->joints[node] < 0)
        status = extend_to(body, node, error);
    if (node < 0)
        status = insert_bone(body, def->root_bone[0] ? def->root_bone : "root", error);
    if (!status)
        *out = node >= 0 ? body->joints[node] : body->skeleton->roles[LOPE_HIPS] - 1;
    return status;
}

static lope_status open_body(lope_avatar *avatar, const lope_avatar_def *def, lope_error *error)
{
    gltf_body *body = &avatar->file->body;
    body->file = &avatar->file->gltf;
    lope_status status = choose_group(body, def, error);
    if (!status)
        status = check_scales(body, error);
    if (!status)
        status = lope_gltf_find_feet(body, &avatar->vertex_count, error);
    if (!status) // once more, with the tips of the feet
        status = make_skeleton(body, def->roles, error);
    if (!status)
        status = settle_bone(body, def, &avatar->root_bone, error);
    if (status)
        return status;
    for (int s = 0; s < body->skin_count; s++)
        avatar->skin_count += body->groups[s] == body->group;
    avatar->skeleton = body->skeleton;
    avatar->nodes = body->nodes;
    avatar->animation_count = (int)json_array_size(json_object_get(body->file->root, "animations"));
    return LOPE_OK;
}

static lope_status begin(lope_avatar **out, lope_error *error)
{
    *out = lope_alloc_zero(sizeof **out);
    struct lope_avatar_file *file = lope_alloc_zero(sizeof *file);
    if (!*out || !file) {
        lope_free(*out);
        lope_free(file);
        *out = NULL;
        return lope_fail_memory(error);
    }
    (*out)->file = file;
    return LOPE_OK;
}

static lope_status finish(lope_status status, const lope_avatar_def *def, lope_avatar **out, lope_error *error)
{
    lope_avatar_def plain = lope_avatar_def_default();
    if (!status)
        status = open_body(*out, def ? def : &plain, error);
    if (status) {
        lope_avatar_close(*out);
        *out = NULL;
    }
    return status;
}

lope_status lope_avatar_open(const char *path, const lope_avatar_def *def, lope_avatar **out, lope_error *error)
{
    lope_status status = begin(out, error);
    return status ? status : finish(lope_gltf_open(path, &(*out)->file->gltf, error), def, out, error);
}

lope_status lope_avatar_open_memory(const void *bytes, size_t size, const char *name, const lope_avatar_def *def,
                                    lope_avatar **out, lope_error *error)
{
    lope_status status = begin(out, error);
    return status ? status
                  : finish(lope_gltf_open_memory(bytes, size, name, &(*out)->file->gltf, error), def, out, error);
}

void lope_avatar_close(lope_avatar *avatar)
{
    if (!avatar)
        return;
    lope_gltf_body_free(&avatar->file->body);
    lope_gltf_close(&avatar->file->gltf);
    lope_free(avatar->file);
    lope_free(avatar);
}
