// SPDX-License-Identifier: MIT
// A skinned character as others make them: boxes on a biped with the names of Mixamo, 1.8 m tall, with a texture, a
// prop, extras, an animation of its own, under a node that turns and scales everything.
#ifndef LOPE_TESTS_HERO_H
#define LOPE_TESTS_HERO_H

#include "support/support.h"

// How to write it: all zero is the plain one.
typedef struct hero_variant {
    bool posed;      // nodes stand with lowered arms and bent knees; the skin was bound in a T-pose
    bool matrices;   // nodes have matrices
    bool root_joint; // a joint "Root" above the hips
    bool still;      // no animation of its own
    bool two;        // a second character beside it, and the boots on a skin of their own
    bool plain_text; // .gltf: data inside the text
    bool beside;     // .gltf: data and picture in files beside it
    bool no_skin;    // the mesh hangs on no skeleton
    bool quadruped;  // names and shape make no body: a chain
    float stretch;   // scale of the armature along x, as a share of the others; 0 means 1
} hero_variant;

void hero_write(const char *path, const hero_variant *variant);

// Height of the hero from the sole to the top of the head, and of its ankles above the sole, in metres.
#define HERO_HEIGHT 1.8f
#define HERO_ANKLE 0.11f

#endif
