// SPDX-License-Identifier: MIT
// Parts of reading and writing characters.
#ifndef LOPE_SRC_IO_GLTF_AVATAR_H
#define LOPE_SRC_IO_GLTF_AVATAR_H

#include "io/gltf_file.h"
#include "lope/avatar.h"

// Which nodes of a file are a character's joints.
typedef struct gltf_body {
    const gltf_file *file;
    int *groups;       // [skin_count] skins of one number hang on one skeleton
    int skin_count;    // of the file
    int group;         // the one that is read
    int *joints;       // [node_count] joint index of each node, -1: none
    bool *skinned;     // [node_count] named by a skin of the group
    int *nodes;        // [joint_count]
    int *parents;      // [joint_count]
    affine *rest;      // [joint_count] at rest in the scene
    lope_vec3 *tips;   // [joint_count] in the joint's frame
    lope_sole feet[2]; // by lope_side
    bool feet_known;
    int joint_count;
    lope_skeleton *skeleton;
} gltf_body;

struct lope_avatar_file {
    gltf_file gltf;
    gltf_body body;
};

// gltf_skin.c
// Sorts the skins into characters; *group_count: how many there are.
lope_status lope_gltf_group_skins(gltf_body *body, int *group_count, lope_error *error);
// Chooses the nodes of body->group. `top`: a node above all of them to begin with; -1: their common ancestor.
lope_status lope_gltf_choose_joints(gltf_body *body, int top, lope_error *error);
// Where joints are at rest: as they were bound, which is not how the nodes stand in files that were saved in a pose.
lope_status lope_gltf_find_rest(gltf_body *body, lope_error *error);
void lope_gltf_body_free(gltf_body *body);
// The inverse bind matrix of item `index` of a skin.
affine lope_gltf_bind(const gltf_numbers *matrices, size_t index);

// gltf_feet.c: tips of the feet at the soles of the mesh, once the skeleton's roles are known. Counts vertices.
lope_status lope_gltf_find_feet(gltf_body *body, int *vertex_count, lope_error *error);

#endif
