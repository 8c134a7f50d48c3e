// SPDX-License-Identifier: MIT
// FBX files as other programs write them, as text: with and without a unit, below a scaled armature, anywhere.
#ifndef LOPE_TESTS_FBX_SAMPLES_H
#define LOPE_TESTS_FBX_SAMPLES_H

#include "support/support.h"

typedef enum fbx_pose { FBX_STANDING, FBX_LYING, FBX_CROUCHING } fbx_pose;

typedef struct fbx_sample {
    const lope_skeleton *skeleton; // its rest pose without rotations
    double unit;                   // UnitScaleFactor: centimetres per unit; 0: not stated
    double armature_scale;         // of a node above the skeleton; 0: there is none
    double units_per_metre;        // of what is written below the armature
    lope_vec3 place;               // of the root, in metres
    fbx_pose pose;
    bool animated; // with curves that keep all joints where they are for a second; otherwise a rig
} fbx_sample;

void fbx_sample_write(const fbx_sample *sample, const char *path);

#endif
