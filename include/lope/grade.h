// SPDX-License-Identifier: MIT
// How good is a motion? One report for captured, built-in and synthesised motion alike.
#ifndef LOPE_GRADE_H
#define LOPE_GRADE_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Distance from a point to a solid world, negative inside. NULL world: the flat floor.
typedef struct lope_solid {
    float (*distance)(void *user, lope_vec3 point);
    void *user;
} lope_solid;

typedef struct lope_grade_def {
    float floor;             // metres: height of the flat floor; NAN: estimated from the clip
    const lope_solid *solid; // what the body must not enter; NULL: the half-space below the floor
    float capsule_radius;    // metres: thickness of the body's capsules for penetration (0: by bone)
} lope_grade_def;

// Compare grades at equal frame rates only: noise makes jerk and travel grow with the rate.
typedef struct lope_grade {
    float seconds;
    float skate;         // cm per second of low feet, weighted by height (Kovar's measure; swinging feet count a
                         // little): travel of toes less than 2.5 cm above the floor or the solid
    float planted_skate; // cm per second of planted feet: toe within 1 cm of its local ground for 0.1 s or more
    float contact_drift; // cm per second of contact: travel of heels, toes and hands while the clip's contacts say
                         // that they touch; NAN: the clip knows no contacts
    float sliding_share; // share of contact frames with foot speed (over 1/30 s) above 0.2 m/s; contacts are found if
                         // not known
    float jerk_mean;     // m/s^3 over all joints
    float jerk_999;      // its 99.9th percentile, where pops show
    float penetration;   // metres: largest depth of the body in the world; soles and palms count without thickness
    float penetration_share; // share of frames deeper than 1 cm
    float floor;             // metres: the floor used
} lope_grade;

LOPE_API lope_grade_def lope_grade_def_default(void);

// LOPE_MISMATCH unless the skeleton is a biped. Calls the solid from the calling thread only.
LOPE_API lope_status lope_clip_grade(const lope_clip *clip, const lope_grade_def *def, lope_grade *out,
                                     lope_error *error);

// Cost of going from frame i of `a` to frame j of `b`: root mean square distance in metres of joint positions over a
// window of `window` frames around each, after the best alignment on the ground (Kovar et al. 2002).
// Windows are clamped at the clips' ends. Writes the frame that moves `b` onto `a` to `align` (may be NULL).
// LOPE_MISMATCH where the clips differ in joints or by more than 1 % in rate.
LOPE_API lope_status lope_transition_cost(const lope_clip *a, int i, const lope_clip *b, int j, int window, float *cost,
                                          lope_ground *align, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
