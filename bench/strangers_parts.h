// SPDX-License-Identifier: MIT
// Inside the generator of strangers: its bodies, names and random numbers.
#ifndef LOPE_BENCH_STRANGERS_PARTS_H
#define LOPE_BENCH_STRANGERS_PARTS_H

#include "bench/strangers.h"

// A joint of the file. Its rotation in the world is that of joint `source` of the clip, turned by a constant.
typedef struct stranger_joint {
    char name[64];
    int parent;
    int source;       // joint of the clip whose rotation it has; -1: a root above the hips
    bool same;        // it is that joint, and lies where that lies
    lope_role role;   // or LOPE_ROLE_COUNT
    lope_vec3 offset; // from the parent, in the frame of the parent's source
    lope_vec3 tip;    // of leaves, in the frame of its own source
    lope_vec3 main;   // where its bone goes, likewise
    lope_quat turn;   // from the joint's frame in the file to that of its source
    bool leaf;
} stranger_joint;

typedef struct stranger_body {
    int count, capacity, hips; // hips: the joint with the clip's root motion
    stranger_joint *joints;    // depth first
} stranger_body;

// Makes the joints, depth first, and names them. Free with stranger_body_free.
void stranger_body_make(const lope_skeleton *skeleton, const stranger_recipe *recipe, stranger_body *out);
void stranger_body_free(stranger_body *body);
// Gives every joint the frame that the recipe's rest pose asks for.
void stranger_body_turn(stranger_body *body, const lope_skeleton *skeleton, const stranger_recipe *recipe);

// What an extra joint is there for.
typedef enum stranger_extra {
    STRANGER_EXTRA_NONE,
    STRANGER_EXTRA_ROOT,
    STRANGER_EXTRA_SPINE,
    STRANGER_EXTRA_NECK,
    STRANGER_EXTRA_TWIST,
    STRANGER_EXTRA_FINGER,
    STRANGER_EXTRA_END,
    STRANGER_EXTRA_HELPER,
    STRANGER_EXTRA_PROP,
    STRANGER_EXTRA_COUNT
} stranger_extra;

// What to call a joint with a role, or an extra one with a number on a side (LOPE_LEFT, LOPE_RIGHT, -1).
typedef struct stranger_label {
    lope_role role;
    stranger_extra extra;
    int side, number;
} stranger_label;
void stranger_name(stranger_naming naming, stranger_label label, char out[64]);

// From the file's axes to the clip's, and where the clip's world lies in the file (in metres).
lope_quat stranger_up_turn(stranger_up up);

// Uniform in [0, 1), and normally distributed with deviation 1.
double stranger_random(uint64_t *state);
double stranger_normal(uint64_t *state);

// Writes the file's text. `values` holds frame_count rows of `body.count` local transforms, in metres along the file's
// axes.
typedef struct stranger_motion {
    const stranger_recipe *recipe;
    const stranger_body *body;
    int frame_count;
    double frame_rate;
    const lope_transform *values;
} stranger_motion;
char *stranger_text(const stranger_motion *motion, size_t *size);

#endif
