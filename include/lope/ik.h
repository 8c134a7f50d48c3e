// SPDX-License-Identifier: MIT
// Two-bone limbs: put a hand or a foot where it should be.
#ifndef LOPE_IK_H
#define LOPE_IK_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// A limb: three joints, each the ancestor of the next (helper joints between them stay rigid).
typedef struct lope_limb {
    int upper; // hip or shoulder
    int lower; // knee or elbow
    int end;   // ankle or hand
} lope_limb;

// The leg or arm of one side. False where the skeleton lacks the roles.
LOPE_API bool lope_skeleton_leg(const lope_skeleton *skeleton, lope_side side, lope_limb *out);
LOPE_API bool lope_skeleton_arm(const lope_skeleton *skeleton, lope_side side, lope_limb *out);

// The middle joint of a two-bone chain from `a` reaching for `target`, bending towards the direction `pole`.
// `softness` in metres: from that far before full stretch on, the reach approaches its limit smoothly instead of
// snapping straight (0: hard limit). Writes the reached end point (target, or short of it) and returns the middle
// joint.
LOPE_API lope_vec3 lope_ik_middle(lope_vec3 a, float upper_length, float lower_length, lope_vec3 target, lope_vec3 pole,
                                  float softness, lope_vec3 *reached);

// Turns a limb's upper and lower joints in `pose` so that its end joint comes to `target`, and keeps the end joint's
// orientation in the world. The limb swings as a whole and bends in the plane it bends in now; where it is straight,
// knees bend forwards, as pelvis and foot point in `pose`, and elbows to the back of the chest. Softness begins no
// earlier than the limb is stretched in `pose`, so a straight leg keeps reaching what it reaches. `model` is the pose
// in model space and is updated for the limb's joints and everything below. Returns how far from the target the end
// came to lie.
LOPE_API float lope_ik_limb(const lope_skeleton *skeleton, lope_limb limb, lope_vec3 target, float softness,
                            lope_pose *pose, lope_transform *model);

// Foot locking on a stream of poses. While a heel or ball touches, it stays over the place where it came down; while
// both do, the foot keeps its heading. Heights and tilts are the motion's: a foot lifts off and comes down as it does
// there. When a foot lets go, the difference to the motion decays like a critically damped spring, so that neither
// place nor speed jumps. Where a held foot would be out of the leg's reach, the body is lowered a little; where that is
// not enough, the foot gives way.
// One state per character; no allocation.
typedef struct lope_lock_def {
    float halflife; // seconds, > 0: of the decay after release, of lowering and of the way to `ground`, about 0.1
    float unlock_distance; // metres: an animated foot farther from its lock than this is let go, about 0.2
    float softness;        // metres before full stretch from which on a leg reaches less than asked, about 0.01
    float lowering;        // metres: the body is lowered by at most this, about 0.06; 0: never
    float ground;          // height of a flat floor that locked soles are put on; NAN: heights are left as animated
} lope_lock_def;

// Private: how far an elbow or a knee bends in the motion, as its lower bone goes about an axis.
typedef struct lope_hinge {
    int joint;                    // 0: not known
    lope_vec3 bone;               // in the joint's frame; the others in its parent's
    lope_vec3 axis, middle, side; // of the hinge, of the middle of the range, and across both
    float cosine, sine;           // of half the range
} lope_hinge;

// Private: what is known of the skeleton, and of its motion where that was looked at (lope_lock_learn). Of each leg its
// joints and the points of the foot that can touch; and the joints that hang on thigh, shin and foot.
#define LOPE_LOCK_PARTS 48
#define LOPE_LOCK_BITS 256
#define LOPE_LOCK_HINGES 4
typedef struct lope_lock_rig {
    struct {
        lope_limb joints;           // upper -1: the skeleton has no such leg
        int heel_joint, ball_joint; // ankle or toe
        lope_vec3 heel, ball;       // in the frames of those
        float per_hips, per_foot;   // one over the distance of the hip joints, and of ankle and toe, at rest; 0: none
        float longest, shortest;    // metres from hip to ankle in the motion; 0: not known
        float back;                 // metres that the knee comes to lie behind the leg in the motion
        float heel_low, ball_low;   // metres: the lowest that they come in the motion
    } legs[2];
    lope_hinge hinges[LOPE_LOCK_HINGES];     // elbows, then knees
    uint32_t legs_bits[LOPE_LOCK_BITS / 32]; // a bit for each joint of the legs and above them; joints beyond have none
    int part_count;                          // joints that follow the legs; -1: too many to be listed
    struct {
        uint16_t joint;
        uint8_t side, part; // of a lope_side; thigh 0, shin 1, foot 2
    } parts[LOPE_LOCK_PARTS];
} lope_lock_rig;

// What one foot's correction is at the moment.
typedef struct lope_lock_foot {
    lope_vec3 offset;     // shown minus animated ankle, metres; decaying unless locked
    float turn;           // shown from animated heading, radians; decaying unless flat
    lope_vec3 velocity;   // of the offset
    float turn_velocity;  // of the turn
    lope_vec2 point;      // where the heel or ball is held
    lope_vec2 direction;  // from heel to ball, held while flat
    lope_vec2 heel, ball; // where they were shown last
    bool locked;
    bool at_heel; // what is held: the heel, otherwise the ball
    bool flat;    // heel and ball both touch, and `direction` is held as well
    bool strayed; // was let go for its distance and waits until it is near again or lifts
} lope_lock_foot;

// Of one character.
typedef struct lope_lock_feet {
    lope_lock_foot feet[2];
    float body, body_velocity; // shown minus animated height of the root, metres: not above 0
} lope_lock_feet;

typedef struct lope_lock_state {
    bool ready; // the rig is known
    lope_lock_rig rig;
    lope_lock_feet now;
} lope_lock_state;

LOPE_API lope_lock_def lope_lock_def_default(void);
// Forgets everything, the skeleton included.
LOPE_API void lope_lock_reset(lope_lock_state *state);

// Looks at the clips that will be played: no leg is stretched or folded farther than it is there, no sole comes lower.
// Otherwise legs may be stretched to nearly their full length, and heights are as in the poses. Clips share `skeleton`
// and stand on a floor of one height. All frames are looked at, which takes about a microsecond each; files of sets
// tell what was learnt when they were written. Forgets what was corrected so far.
LOPE_API void lope_lock_learn(lope_lock_state *state, const lope_skeleton *skeleton, lope_clip *const *clips,
                              int count);

// Corrects the legs (and the root's height) of `pose` for this frame, dt seconds after the last one. `contacts` is the
// frame's mask, `model` is scratch [joint_count] and holds the corrected pose in model space afterwards. Without legs
// it only does the latter.
LOPE_API void lope_lock_apply(const lope_skeleton *skeleton, const lope_lock_def *def, lope_lock_state *state,
                              uint16_t contacts, float dt, lope_pose *pose, lope_transform *model);

#ifdef __cplusplus
}
#endif
#endif
