// SPDX-License-Identifier: MIT
// What filling is made of: bending a walk, the manner of a subject, built-in motions in that manner, and joining them.
#ifndef LOPE_SRC_FILL_FILL_H
#define LOPE_SRC_FILL_FILL_H

#include "fill/steps.h"
#include "lope/fill.h"
#include "lope/ik.h"

// ---- warp.c: a walk led along another way

// What changes in each frame, [frame_count] each: radians added to the heading, and a factor on the way over the
// ground.
typedef struct fill_way {
    const float *turn;
    const float *stretch; // NULL: 1
} fill_way;

// Leads the body along the other way. Planted feet stay as still as they were: each plant is moved as one piece, and
// only swings between plants are bent. Frames before the way changes stay as they are.
lope_status fill_warp(const lope_clip *clip, const fill_way *way, const char *name, lope_clip **out, lope_error *error);

// ---- cycle.c: walks by phase

enum { FILL_PHASES = 32 };

// One walk cycle, from a strike of the left foot to the next; the right foot strikes in the middle.
typedef struct fill_cycle {
    int joints;
    lope_quat *rotations;        // [FILL_PHASES + 2][joints]; of joint 0 without heading; two rows to measure with
    float height[FILL_PHASES];   // of joint 0, metres
    float yaw[FILL_PHASES];      // heading of the hips against where the body goes, radians
    float touch[FILL_PHASES][4]; // how often heels and toes touch, 0 .. 1, in the order of lope_contact
} fill_cycle;

bool fill_cycle_create(int joints, fill_cycle *out);
void fill_cycle_free(fill_cycle *cycle);

// Two steps in a row over level ground.
typedef struct fill_stride {
    int clip;
    int strikes[3]; // frames
    lope_side side; // that strikes first and last
    float length;   // metres over both steps
    float seconds;
} fill_stride;

// Unwrapped phases [frame_count]: whole at strikes of the left foot, a half more at those of the right one. Steps
// before the first strike and after the last take as long as their neighbours.
void fill_phases(const fill_steps *steps, int frame_count, float *out);

// A stride at each of the FILL_PHASES, closed to a cycle. `model` is scratch [joint_count].
void fill_stride_sample(const lope_clip *clip, const fill_stride *stride, lope_transform *model, fill_cycle *out);
// The strides of all clips whose steps turn by less than `most_turn` radians, by clip and frame. `out` is lope_free'd
// by the caller.
lope_status fill_strides_find(const lope_set *set, float most_turn, fill_stride **out, int *stride_count,
                              lope_error *error);

// ---- range.c: how far knees and elbows bend

enum { FILL_HINGES = 4 }; // left and right knee, left and right elbow
typedef struct fill_hinge {
    lope_limb limb;
    lope_vec3 axis;    // that the limb bends about, in the frame of its upper joint
    float least, most; // radians
    bool known;
} fill_hinge;

void fill_ranges_find(const lope_set *set, fill_hinge hinges[FILL_HINGES]);

// ---- manner.c: how a subject walks and stands

typedef struct fill_manner {
    const lope_skeleton *skeleton;
    double frame_rate;
    bool walks;         // otherwise nothing below is known, and offsets are none
    fill_cycle offsets; // rotations: what to turn joints of a carried walk by; height and yaw: what to add
    lope_quat *stand;   // [joints] the same when standing
    float stand_height;
    bool borrowed_stand;                 // the set never stands: feet stand as the built-in performer's
    float step_length, step_time, speed; // metres, seconds, metres per second
    float stride, tempo;                 // factors on the built-in walk's
    float stretch;                       // what is left of the length of steps: a factor on the way of a carried walk
    int home_clip;                       // what most walking of the set is like: strides in a row without turning
    int home_first, home_end;
    fill_hinge hinges[FILL_HINGES];
    lope_lock_state lock; // knows how far the set's legs stretch and how low its soles come
} fill_manner;

// True for the joints that carry the body: the root and the legs.
bool fill_carries(const lope_skeleton *skeleton, int joint);

// Keeps elbows of a clip, and with `legs` knees where they do not stand, within the set's range. Stairs bend knees
// farther than any walk on the level does.
void fill_limit(const fill_manner *manner, bool legs, lope_clip *clip);
// Keeps knees of a frame within it, of legs that stand, too: for feet that are brought back to their places afterwards.
void fill_limit_knees(const fill_manner *manner, lope_clip *clip, int frame);

lope_status fill_manner_find(const lope_set *set, fill_manner *out, lope_error *error);
void fill_manner_free(fill_manner *manner);

// ---- carry.c: built-in motions on the set's skeleton, in its manner

// Which performance: a built-in motion, its take, and whether it is seen in a mirror.
typedef struct fill_part {
    const char *motion;
    int take;
    bool mirrored;
} fill_part;

lope_status fill_carry(const fill_manner *manner, fill_part part, const char *name, lope_clip **out, lope_error *error);
// The same without the manner, but for stride and tempo: what the manner is measured against.
lope_status fill_carry_plain(const fill_manner *manner, fill_part part, lope_clip **out, lope_error *error);
// Turns a clip that was carried over into the subject's manner, in place. `legs`: those, too; otherwise they stay as
// they are, as on stairs, where they do what the flat walk does not know.
lope_status fill_adapt(const fill_manner *manner, bool legs, lope_clip *clip, lope_error *error);

// ---- splice.c: one clip after another

// Frames at which the first may be left, and at which the second may be entered.
typedef struct fill_splice {
    const lope_clip *from;
    int from_first, from_end;
    const lope_clip *to;
    int to_first, to_end;
    int window; // frames
    int gap;    // frames by which the first must be left later than the second is entered; may be negative
} fill_splice;

// Joins where poses and speeds fit best. `at` (may be NULL): frame of the result in the middle of the window.
lope_status fill_join(const fill_splice *splice, const char *name, lope_clip **out, int *at, lope_error *error);

#endif
