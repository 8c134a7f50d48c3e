// SPDX-License-Identifier: MIT
// Skeletons: joints in parent-before-child order, and the roles that say which joint is the left knee.
#ifndef LOPE_SKELETON_H
#define LOPE_SKELETON_H

#include "lope/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// More joints than this are refused by every reader: hostile files should not cost gigabytes.
#define LOPE_MAX_JOINTS 32768
// Likewise bones longer and places farther away than this, in metres: sums and squares of what is left stay finite.
#define LOPE_MAX_DISTANCE 1e9f

// What a joint is to the body. A role names the joint at the *near* end of the part: LOPE_LEFT_KNEE is the
// joint that bends the left knee (its bone is the shin), LOPE_LEFT_HAND the wrist.
typedef enum lope_role {
    LOPE_HIPS,  // the pelvis: carries both legs and the spine
    LOPE_SPINE, // first joint above the pelvis
    LOPE_CHEST, // last trunk joint: carries neck and arms
    LOPE_NECK,
    LOPE_HEAD,
    LOPE_LEFT_COLLAR,
    LOPE_LEFT_SHOULDER,
    LOPE_LEFT_ELBOW,
    LOPE_LEFT_HAND,
    LOPE_RIGHT_COLLAR,
    LOPE_RIGHT_SHOULDER,
    LOPE_RIGHT_ELBOW,
    LOPE_RIGHT_HAND,
    LOPE_LEFT_HIP,
    LOPE_LEFT_KNEE,
    LOPE_LEFT_ANKLE,
    LOPE_LEFT_TOE,
    LOPE_RIGHT_HIP,
    LOPE_RIGHT_KNEE,
    LOPE_RIGHT_ANKLE,
    LOPE_RIGHT_TOE,
    LOPE_ROLE_COUNT
} lope_role;

typedef enum lope_side { LOPE_LEFT, LOPE_RIGHT } lope_side;

// How the roles of a skeleton were found.
typedef enum lope_role_source {
    LOPE_ROLES_NONE,     // not looked for, or too few to be a biped
    LOPE_ROLES_NAMES,    // from joint names
    LOPE_ROLES_TOPOLOGY, // from the shape of the rest pose
    LOPE_ROLES_GIVEN     // told by the user
} lope_role_source;

// Where the sole of a foot is, as feet stand on the ground in the motion (lope_import and lope_set_prepare find out).
typedef struct lope_sole {
    lope_vec3 heel; // in the frame of the ankle, metres
    lope_vec3 ball; // in the frame of the toe joint, or of the ankle where the foot has no toe joint
} lope_sole;

// An immutable, shared skeleton. Read the fields freely; make one with lope_skeleton_create. Clips hold a
// reference each; threads may share it.
typedef struct lope_skeleton {
    int joint_count;            // >= 1; joint 0 is the root and has parent -1
    const char *const *names;   // [joint_count] never NULL, unique
    const int *parents;         // [joint_count] parents[j] < j
    const lope_transform *rest; // [joint_count] rest pose relative to the parent; rest[0].translation is the
                                // root's height and place at rest (often zero)
    const lope_vec3 *tips;      // [joint_count] where a leaf's bone ends, in the joint's frame; zero if unknown
    int roles[LOPE_ROLE_COUNT]; // joint index, or -1
    lope_role_source role_source;
    bool feet_known;   // `feet` was found in motion or given; where not, contact points come from the rest pose
    lope_sole feet[2]; // by lope_side; zero where not known
} lope_skeleton;

// What a skeleton is made from. Arrays are copied.
typedef struct lope_skeleton_def {
    int joint_count;
    const char *const *names;
    const int *parents;
    const lope_transform *rest;
    const lope_vec3 *tips; // NULL: all zero
    const int *roles;      // NULL: find them (names first, then topology)
    const lope_sole *feet; // NULL: not known; else [2] by lope_side
} lope_skeleton_def;

// Makes a skeleton and finds its roles. LOPE_BAD_DATA where the definition is impossible: no joints, a parent that does
// not come before its child, two joints of one name, a rest pose that is not finite, a role of a joint there is not.
LOPE_API lope_status lope_skeleton_create(const lope_skeleton_def *def, lope_skeleton **out, lope_error *error);

// Shares and lets go. The last release frees. Releasing NULL is harmless.
LOPE_API lope_skeleton *lope_skeleton_retain(const lope_skeleton *skeleton);
LOPE_API void lope_skeleton_release(const lope_skeleton *skeleton);

// Index of the joint with that name, or -1.
LOPE_API int lope_skeleton_find(const lope_skeleton *skeleton, const char *name);

// "left knee" for LOPE_LEFT_KNEE; and the role of a name written that way, or LOPE_ROLE_COUNT.
LOPE_API const char *lope_role_name(lope_role role);
LOPE_API lope_role lope_role_from_name(const char *name);

// The role on the other side; the same role for those in the middle.
LOPE_API lope_role lope_role_mirror(lope_role role);

// Same joints: count, names, parents, and offsets within `tolerance` metres, but for the root's place. Clips of such
// skeletons can be played on one another without retargeting.
LOPE_API bool lope_skeleton_equal(const lope_skeleton *a, const lope_skeleton *b, float tolerance);

// True when hips, both legs down to the ankles, and therefore facing and ground contacts, are known.
LOPE_API bool lope_skeleton_is_biped(const lope_skeleton *skeleton);

// Rest pose in model space: out[joint_count].
LOPE_API void lope_skeleton_rest_model(const lope_skeleton *skeleton, lope_transform *out);

// Length of thigh plus shin, the mean of both sides; 0 unless a biped.
LOPE_API float lope_skeleton_leg_length(const lope_skeleton *skeleton);

// From the lowest to the highest joint or tip of the rest pose along Y, in metres; 0 where there is no memory.
LOPE_API float lope_skeleton_height(const lope_skeleton *skeleton);

#ifdef __cplusplus
}
#endif
#endif
