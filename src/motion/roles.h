// SPDX-License-Identifier: MIT
// Finding out which joint is what.
#ifndef LOPE_SRC_MOTION_ROLES_H
#define LOPE_SRC_MOTION_ROLES_H

#include "lope/skeleton.h"

// The hierarchy prepared for searching. `reach` is the length of the longest chain of bones hanging below a joint
// (leaf tips included), `longest` the child that chain goes through, `links` the number of joints on it.
typedef struct role_tree {
    const lope_skeleton *skeleton;
    int *first_child;
    int *next_sibling;
    int *longest;
    int *links;
    float *reach;
} role_tree;

// False where there is no memory. Free with role_tree_free.
bool role_tree_make(const lope_skeleton *skeleton, role_tree *out);
void role_tree_free(role_tree *tree);

// Deepest joint above or equal to both.
int role_common(const lope_skeleton *skeleton, int a, int b);
// The child of `ancestor` on the way down to `joint`, which lies strictly below it.
int role_child_towards(const lope_skeleton *skeleton, int ancestor, int joint);

// Neck and head of the branch that leaves the trunk at `chest`, where names say nothing.
void roles_find_head(const role_tree *tree, int branch, int *roles);

// Each fills roles[LOPE_ROLE_COUNT] completely (-1 where unknown) and is true where they make a biped, or sets
// *no_memory.
bool roles_from_names(const role_tree *tree, int *roles, bool *no_memory);
bool roles_from_shape(const role_tree *tree, int *roles, bool *no_memory);

// Fills roles[LOPE_ROLE_COUNT] (-1 where unknown) from names, failing that from topology and symmetry.
// LOPE_NO_MEMORY is the only failure.
lope_status lope_roles_find(const lope_skeleton *skeleton, int *roles, lope_role_source *source);

// Legs, arms, trunk and head by the lengths of bones and how they hang together alone, whatever the rest pose is: which
// side is left stays open, and sides of legs and arms need not agree. False where no body is found.
LOPE_API bool lope_roles_from_limbs(const lope_skeleton *skeleton, int *roles, bool *no_memory);

#endif
