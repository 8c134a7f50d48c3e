// SPDX-License-Identifier: MIT
// What the motion of a file says about things that the file does not state: which way is up, how the body stands, where
// the soles of its feet are. Everything is gathered in the file's own axes and units, so that files of one library can
// be looked at one by one and be decided on together.
#ifndef LOPE_SRC_IO_BODY_EVIDENCE_H
#define LOPE_SRC_IO_BODY_EVIDENCE_H

#include "io/units.h"
#include "lope/skeleton.h"

#define EVIDENCE_AXES 6 // by lope_axis, from LOPE_AXIS_Y on
#define PIVOTS 11       // points of a foot without toe joint that may be its ball: on its bone, from LEAST_PIVOT on
#define LEAST_PIVOT 0.5f

// A file's motion: joints in its own axes and units, frame by frame.
typedef struct evidence_source {
    const lope_skeleton *skeleton; // lengths of bones count, directions at rest hardly do
    int frame_count;
    double frame_rate;
    void (*model)(const void *user, int frame, lope_transform *out);
    const void *user;
} evidence_source;

// A foot that rests.
typedef struct foot_sample {
    lope_quat ankle;  // in the world
    lope_quat toe;    // relative to the ankle
    lope_vec3 toe_at; // in the ankle's frame
    lope_vec3 left;   // from the right hip joint to the left one, in the world
    lope_vec3 shin;   // from ankle to knee, in the world
    lope_vec3 other;  // from this ankle to the other one, in the world
    float unrest;     // 1: as fast as a foot may be that stands
} foot_sample;

typedef struct lope_evidence {
    lope_skeleton *skeleton;    // as in the source; shared
    uint64_t hierarchy;         // hash of names and parents
    float span;                 // of the body, see unit_body
    int first;                  // joint of the body, likewise: those above it only say where the body is
    float leg;                  // thigh and shin, 0: no legs found
    int roles[LOPE_ROLE_COUNT]; // sides may have to be exchanged unless sides_known
    bool sides_known;
    double windows;           // short stretches of motion looked at
    double up[EVIDENCE_AXES]; // votes: the sum over the windows of at most 2 each
    lope_vec3 rest_up;        // from feet to trunk in the rest pose, in spans
    double upright;           // windows in which the body stands
    double (*poses)[10];      // [joint_count] sums of products of the rotations in those; the hips' is in body axes
    foot_sample *samples;     // feet at rest: those of the left leg, then those of the right one
    int sample_count[2];
    double pivots[PIVOTS]; // votes: how often each of these points stayed while the foot rolled over it, both feet
} lope_evidence;

// Where a candidate lies, as a share of the bone from the ankle to the end of the foot.
static inline float pivot_share(int index)
{
    return LEAST_PIVOT + (1.0f - LEAST_PIVOT) * (float)index / (float)(PIVOTS - 1);
}

// Adds the ten products of a rotation's components with one another, which know no sign.
void lope_quat_add_product(double sums[10], lope_quat q);

lope_status lope_evidence_gather(const evidence_source *source, lope_evidence *out, lope_error *error);
void lope_evidence_free(lope_evidence *evidence);

// The same from a clip.
lope_status lope_evidence_from_clip(const lope_clip *clip, lope_evidence *out, lope_error *error);
// From clips of one skeleton: the first dozen or so tell enough.
lope_status lope_evidence_from_clips(const lope_clip *const *clips, int count, lope_evidence *out, lope_error *error);

// The unit vector of an axis.
lope_vec3 lope_axis_vector(lope_axis axis);

// The axis that points up in all of these files: by what carries the body, what stays level and how it stands.
lope_axis lope_evidence_up(const lope_evidence *const *all, int count);

// How the one body that all of these files show stands, and where its soles are.
typedef struct body_fit {
    lope_skeleton *skeleton;    // of the evidence, as `roles`
    int roles[LOPE_ROLE_COUNT]; //
    lope_quat *stance;          // [joint_count] relative to the parents, Y up and facing +Z; NULL: never seen standing
    float front;                // -1: left and right of the evidence are exchanged, else 1
    float pivot;                // the ball of a foot without toe joint, see find_pivot; 0: not known
    bool feet_known;
    lope_sole feet[2]; // in file units and the file's joint frames
    lope_sole up[2];   // which way is up there when the foot stands flat: unit vectors in the same frames
} body_fit;

lope_status lope_body_fit_make(const lope_evidence *const *all, int count, lope_axis up, body_fit *out,
                               lope_error *error);
void lope_body_fit_free(body_fit *fit);
// The same from clips in metres and Y up: those of the first one's skeleton.
lope_status lope_body_fit_clips(const lope_clip *const *clips, int count, body_fit *out, lope_error *error);

// How a file's space becomes ours, for joints: the frames of all joints turn along, or only that of the root.
typedef struct body_turn {
    lope_axis up;
    bool joints;
    float scale;
    bool hips_free; // the hips move below another joint, and their offset at rest means nothing
} body_turn;

lope_quat lope_turn_of(lope_axis up);                               // takes `up` to +Y
lope_vec3 lope_turn_vector(lope_axis up, lope_vec3 v);              // the same without rounding
lope_quat lope_turn_frame(lope_axis up, lope_quat q);               // the same rotation about the turned axis
bool lope_turn_joints(const lope_evidence *evidence, lope_axis up); // the rest pose stands along `up`, too

// Whether joints at rest stand as in a stance, both Y up, the stance facing +Z. Joints are looked up by `roles`.
bool lope_rest_stands(const int *roles, const lope_transform *rest, const lope_transform *stance);

// Replaces `skeleton`, already in metres and Y up, by one that stands at rest as the body does in the motion, where its
// rest pose is no stance, and that knows its feet. `roles` may be NULL. `stood_up` (may be NULL) says whether the rest
// pose was replaced.
lope_status lope_body_fit_apply(const body_fit *fit, const body_turn *turn, const int *roles, lope_skeleton **skeleton,
                                bool *stood_up, lope_error *error);

// Whether apply would replace the rest pose.
lope_status lope_body_fit_stands(const body_fit *fit, lope_axis up, bool turn_joints, bool *stood_up,
                                 lope_error *error);

// What was decided about a file, alone or as part of a library.
typedef struct read_decision {
    body_turn turn;
    const body_fit *fit; // NULL: nothing is known
} read_decision;

// Decides about a file alone, heeding what the caller knows. Free the fit.
lope_status lope_evidence_decide(const lope_evidence *evidence, const lope_read_def *def, read_decision *out,
                                 body_fit *fit, lope_error *error);

#endif
