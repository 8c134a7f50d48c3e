// SPDX-License-Identifier: MIT
// Strangers: a known clip written as if it came from elsewhere, with the truth kept beside it.
//
// A recipe says what is foreign: the rest pose, the names, the unit, the up axis, extra and missing joints, the rate,
// the floor, noise. Bones keep their lengths and the body keeps its motion, so everything that is read from the file
// can be held against the clip it was made of. The same recipe over several clips of one skeleton gives a library of
// one skeleton. Tests and `lope bench captures` use this; it stands on public headers alone.
#ifndef LOPE_BENCH_STRANGERS_H
#define LOPE_BENCH_STRANGERS_H

#include "lope/offline.h"

// What all joints look like without any rotation.
typedef enum stranger_rest {
    STRANGER_REST_KEPT,    // as in the clip
    STRANGER_REST_T,       // arms out to the sides, legs straight down
    STRANGER_REST_A,       // arms 45 degrees down
    STRANGER_REST_BENT,    // every joint turned by up to 40 degrees
    STRANGER_REST_ALONG_X, // every bone along +X: a convention of axes, not a pose
    STRANGER_REST_FEET,    // a T with feet that point straight down
    STRANGER_REST_COUNT
} stranger_rest;

typedef enum stranger_naming {
    STRANGER_NAMES_KEPT,
    STRANGER_NAMES_MIXAMO,
    STRANGER_NAMES_BIPED, // 3ds Max, with spaces
    STRANGER_NAMES_ENGINE,
    STRANGER_NAMES_PLAIN, // Hips, UpperLeg_L, ...
    STRANGER_NAMES_ROMAJI,
    STRANGER_NAMES_KANJI,
    STRANGER_NAMES_GERMAN,
    STRANGER_NAMES_NUMBERED, // joint_00, joint_01, ...: they say nothing
    STRANGER_NAMES_COUNT
} stranger_naming;

typedef enum stranger_root {
    STRANGER_ROOT_HIPS,      // the hips are the root
    STRANGER_ROOT_STATIC,    // a joint above the hips that never moves
    STRANGER_ROOT_TURNED,    // likewise, a quarter turn about X
    STRANGER_ROOT_TRAVELLING // a joint above the hips that follows them along the floor
} stranger_root;

typedef enum stranger_up { STRANGER_UP_X, STRANGER_UP_Y, STRANGER_UP_Z } stranger_up;

// Zero-initialised with a rate, a unit and an order of rotations, it writes the clip as it is.
typedef struct stranger_recipe {
    uint64_t seed; // for the random numbers of bent rests, noise and dropped frames
    stranger_rest rest;
    stranger_naming names;
    stranger_root root;
    lope_vec3 hips_offset; // metres: OFFSET of hips below another root; their channels say where they are
    stranger_up up;
    bool rest_stands;  // the rest pose stands along the file's up axis; else along Y
    bool six_channels; // position channels on every joint
    bool zero_offsets; // with six channels: OFFSET is zero, and only channels hold the bones
    bool twist_chain;  // joints between shoulder and elbow, hip and knee
    bool twist_leaves; // joints beside them
    bool fingers;      // five of three joints
    bool helpers;      // ends of toes and head, a joint behind the hips
    bool prop;         // a stick in the right hand
    bool no_toes;      // the foot ends at the ball
    bool toe_tips;     // with no_toes: it ends at the tips of the toes; not chosen at random
    bool no_collars;   // shoulders hang on the chest
    int spine;         // joints more between spine and chest, -1: those between them are left out
    float unit;        // metres per unit of the file
    char order[4];     // of rotations, such as "ZXY"
    double frame_rate; // frames per second; 0: the clip's own
    lope_vec3 origin;  // metres, Y up: where the clip's world lies in the file; y is the height of its floor
    float yaw;         // radians: how it is turned there
    float noise;       // metres, standard deviation of hips; joints with a role turn by as much over 0.4 m
    float dropped;     // share of frames left out
    float repeated;    // share of frames shown twice, instead of the next
    bool tpose;        // a frame without rotations in front
    bool crlf;         // lines end as on Windows
} stranger_recipe;

// What is true of the file, as it should be read: in metres, Y up.
typedef struct stranger_truth {
    int joint_count;
    char (*names)[64];          // [joint_count] in the file's order
    int *parents;               // [joint_count]
    int *sources;               // [joint_count] joint of the clip that has the same motion and place, -1: none has
    int roles[LOPE_ROLE_COUNT]; // joint, or -1
    float unit;
    stranger_up up;
    float floor; // height of the floor along up, metres; NAN where the clip is no biped
    double frame_rate;
    int frame_count;      // a T-pose in front not counted
    int tpose_frames;     // 1 or 0
    double *times;        // [frame_count] seconds in the clip that each frame shows
    lope_vec3 *positions; // [frame_count * joint_count] before noise
} stranger_truth;

typedef struct stranger {
    char *text; // the BVH file, zero-terminated
    size_t size;
    stranger_truth truth;
} stranger;

// Everything chosen at random from the seed.
stranger_recipe stranger_recipe_random(uint64_t seed);
// A library out in the world: 30 frames per second, centimetres, a static joint_Root above the hips, six channels on
// every joint, a rest pose that is only a convention of axes.
stranger_recipe stranger_recipe_static_root(void);
// Nothing foreign, but what the file holds less of or what was added to it: the same rate, toes and collars left out,
// noise, lost and repeated frames. What is read of a stranger should be what is read of this.
stranger_recipe stranger_recipe_like(const stranger_recipe *recipe);
// What a recipe does, in a line: "T rest, Kanji names, Z up, inches, 24 fps, ...". Returns text.
const char *stranger_recipe_text(const stranger_recipe *recipe, char *text, size_t size);

// Writes the clip, a biped without moving joints besides the root, into memory. Free it with stranger_free.
lope_status stranger_make(const lope_clip *clip, const stranger_recipe *recipe, stranger *out, lope_error *error);
// Writes the file, and what is true of it to `path` with ".truth.json" behind it.
lope_status stranger_save(const stranger *file, const char *path, lope_error *error);
void stranger_free(stranger *file);

#endif
