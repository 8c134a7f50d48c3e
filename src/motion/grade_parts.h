// SPDX-License-Identifier: MIT
// The parts of a grade, one source file each.
#ifndef LOPE_SRC_MOTION_GRADE_PARTS_H
#define LOPE_SRC_MOTION_GRADE_PARTS_H

#include "lope/grade.h"
#include "motion/contact_points.h"

// Distance of a point to the world that is graded against: the solid, or the floor where there is none.
float lope_grade_distance(const lope_grade_def *def, float floor, lope_vec3 point);

// skate, planted_skate, contact_drift, sliding_share. `contacts` are masks per frame; they are `exact` when the clip
// brought them itself.
void lope_grade_feet(const lope_contact_tracks *tracks, const lope_grade_def *def, const uint16_t *contacts, bool exact,
                     lope_grade *out);

// jerk_mean and jerk_999.
lope_status lope_grade_jerk(const lope_clip *clip, lope_grade *out, lope_error *error);

// penetration and penetration_share; reads out->floor.
lope_status lope_grade_penetration(const lope_clip *clip, const lope_grade_def *def, lope_grade *out,
                                   lope_error *error);

#endif
