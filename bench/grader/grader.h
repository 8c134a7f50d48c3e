// SPDX-License-Identifier: MIT
// An independent grader of motion: plain C, doubles and libm, no header of the library, its own BVH parser, forward
// kinematics and contact detection. What it says about a motion cannot be wrong in the way the library is wrong.
//
// It is told what it cannot know: unit, up axis, floor, and which joint is which. Everything is measured the same way
// in a motion and in its source (the clips that it was made of), and judged by their ratio.
#ifndef LOPE_BENCH_GRADER_H
#define LOPE_BENCH_GRADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct grader_vec {
    double x, y, z;
} grader_vec;

typedef struct grader_quat {
    double x, y, z, w;
} grader_quat;

// A motion in metres, Y up. Free it with grader_motion_free.
typedef struct grader_motion {
    int joint_count, frame_count;
    double rate;           // frames per second
    char (*names)[64];     // [joint_count]
    int *parents;          // [joint_count] -1 for the root
    grader_vec *offsets;   // [joint_count] from the parent
    grader_vec *tips;      // [joint_count] ends of leaves, zero elsewhere
    grader_quat *local;    // [frame_count * joint_count] rotation to the parent
    grader_quat *world;    // [frame_count * joint_count]
    grader_vec *positions; // [frame_count * joint_count]
} grader_motion;

typedef struct grader_read_def {
    double metres_per_unit;
    char up; // 'X', 'Y' or 'Z'
} grader_read_def;

// Reads a BVH text. Returns false and a message of up to 128 characters where it is none.
bool grader_read(const char *text, size_t size, const grader_read_def *def, grader_motion *out, char *message);
bool grader_read_file(const char *path, const grader_read_def *def, grader_motion *out, char *message);
// The same motion at another rate.
bool grader_resample(const grader_motion *motion, double rate, grader_motion *out);
void grader_motion_free(grader_motion *motion);

enum { GRADER_LEFT, GRADER_RIGHT };
// Joints by name; an index of -1: the rig has none.
typedef struct grader_body {
    int hips, spine, chest, neck, head;
    int shoulder[2], elbow[2], hand[2];
    int hip[2], knee[2], ankle[2], toe[2];
    double floor; // height, metres
} grader_body;

// A body without joints, and one more joint by its role's name ("left knee"); false where there is no such role.
grader_body grader_body_none(void);
bool grader_body_set(grader_body *body, const char *role, int joint);
int grader_find_joint(const grader_motion *motion, const char *name);

// Which feet stand, by the grader's own detection: the ball of the foot is low and slow. out[frame_count][2].
void grader_contacts(const grader_motion *motion, const grader_body *body, uint8_t (*out)[2]);
// Agreement of two tracks of `count` frames; frames match where the other track says the same within `slack` frames.
double grader_f1(const uint8_t *a, const uint8_t *b, int count, int slack);

// What is measured in one motion, or in all of a source together.
typedef struct grader_sums grader_sums;
grader_sums *grader_sums_create(void);
void grader_sums_destroy(grader_sums *sums);
// Adds a motion. The first one fixes the rig: others must have its joints. False where they have not, and where hips or
// ankles are not known.
bool grader_sums_add(grader_sums *sums, const grader_motion *motion, const grader_body *body);

// Where something was worst.
typedef struct grader_place {
    int motion; // in the order they were added
    double seconds;
} grader_place;

// How a motion's joints go beyond 99.9 % of what they do in the source.
typedef struct grader_excess {
    double share;  // of joints and frames
    double worst;  // times that, or times half of the source's largest value where that is more: what is judged
    double plain;  // times that, of the same joint
    double source; // times that, of the same joint's largest value in the source
    grader_place place;
    char joint[64];
} grader_excess;

// Everything beyond the source is 0 where nothing is.
typedef struct grader_grades {
    double seconds; // seen, and of it moving
    double moving;
    double skate;              // cm/s: travel of feet that are low
    double planted;            // cm/s: travel of feet that stand
    double jerk;               // m/s^3: mean over joints of moving stretches
    double jerk_high;          // m/s^3: 99.9 % of it
    grader_excess speed, turn; // angular velocity and acceleration
    double knee_beyond;        // degrees past the source's range
    double elbow_beyond;       //
    double backwards;          // degrees that a knee or elbow bends backwards, beyond the source
    double under_floor;        // metres that a joint is lower than in the source
    double sink;               // metres that the ball of a foot goes below where it stands
    grader_place limb_place;   // where a knee or elbow was farthest beyond
} grader_grades;

// Grades of a motion against its source; with NULL the motion's own numbers, and nothing beyond.
grader_grades grader_judge(grader_sums *sums, grader_sums *source);
// The source's own numbers at the tempo of a motion: each speed of travel counts as much as it is met there. A motion
// that walks fast all the time is compared with how the source walks fast, not with how it stands about.
grader_grades grader_reference(grader_sums *source, const grader_sums *motion);

#endif
