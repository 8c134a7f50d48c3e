// SPDX-License-Identifier: MIT
// FBX and glTF through assimp: every node's matrix is followed down the tree, and only where joints end up counts. So
// scale in nodes, pivot nodes and whatever stands above the skeleton fold into the joints by themselves.
#ifndef LOPE_SRC_IO_IMPORT_ASSIMP_H
#define LOPE_SRC_IO_IMPORT_ASSIMP_H

#include "lope/bvh.h"

typedef struct lope_clip_list {
    lope_clip **clips;
    int count;
} lope_clip_list;

// Reads all animations, or the rest pose where there are none. LOPE_UNSUPPORTED where the library was built without
// assimp. Whatever happens, what is in the list afterwards is the caller's to release.
lope_status lope_assimp_read(const char *path, const lope_read_def *def, lope_clip_list *out, lope_read_report *report,
                             lope_error *error);

// Gives all of them one skeleton.
void lope_clip_list_share(const lope_clip_list *list, const lope_skeleton *skeleton);

#ifdef LOPE_HAVE_ASSIMP
#include <assimp/scene.h>

#include "io/affine.h"

typedef struct scene_node {
    const struct aiNode *node;
    int parent;   // index, -1: the scene's root
    int joint;    // index of the joint it is, -1: none
    int carrier;  // the nearest joint at or above it, -1: none
    affine local; // as it stands in the file
} scene_node;

// A scene laid out flat, parents first.
typedef struct assimp_body {
    const char *path; // for messages
    bool states_unit; // the file says how long its unit is
    bool only_nodes;  // neither bones nor animations tell which nodes are joints
    scene_node *nodes;
    int *by_name; // node indices sorted by name
    int node_count;
    int *joint_nodes; // [joint_count] node of each joint
    int joint_count;
    affine base;     // metres and Y up from what the file has
    affine *globals; // [node_count] scratch
    lope_skeleton *skeleton;
} assimp_body;

// Lays the scene out and decides which nodes are joints.
lope_status lope_assimp_body(const struct aiScene *scene, const char *path, assimp_body *out, lope_error *error);
void lope_assimp_body_free(assimp_body *body);
// Makes the skeleton once `base` is known. `roles` may be NULL.
lope_status lope_assimp_skeleton(assimp_body *body, const int *roles, lope_error *error);
// Index of the node with that name, or -1.
int lope_assimp_find(const assimp_body *body, const char *name);

// A number among metadata, whatever type it is stored as. `data` may be NULL.
bool lope_assimp_number(const struct aiMetadata *data, const char *key, double *out);

// One animation as a clip. `from_keys`: the file counts in fractions of a second, so the rate is read off the keys.
lope_status lope_assimp_clip(const assimp_body *body, const struct aiAnimation *animation, const char *name,
                             bool from_keys, lope_clip **out, lope_error *error);

static inline affine lope_affine_from_ai(const struct aiMatrix4x4 *x)
{
    return (affine){{{(double)x->a1, (double)x->a2, (double)x->a3, (double)x->a4},
                     {(double)x->b1, (double)x->b2, (double)x->b3, (double)x->b4},
                     {(double)x->c1, (double)x->c2, (double)x->c3, (double)x->c4}}};
}
#endif

#endif
