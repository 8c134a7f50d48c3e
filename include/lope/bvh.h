// SPDX-License-Identifier: MIT
// BVH files in and out (offline library).
#ifndef LOPE_BVH_H
#define LOPE_BVH_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_axis {
    LOPE_AXIS_AUTO,
    LOPE_AXIS_Y,
    LOPE_AXIS_Z,
    LOPE_AXIS_X,
    LOPE_AXIS_MINUS_Y,
    LOPE_AXIS_MINUS_Z,
    LOPE_AXIS_MINUS_X
} lope_axis;
typedef enum lope_tpose { LOPE_TPOSE_AUTO, LOPE_TPOSE_KEEP, LOPE_TPOSE_DROP } lope_tpose;

// How to read a clip file. LOPE_TPOSE_AUTO drops a T-pose where one is found, LOPE_TPOSE_DROP drops frame 0 in any
// case. Zero-initialised means: guess what the file does not say.
typedef struct lope_read_def {
    float scale;       // metres per unit; 0: as the file states, else guessed from the body's bones
    lope_axis up;      // which axis points up in the file
    double frame_rate; // overrides the file's; 0: as in the file
    lope_tpose tpose;  // a T-pose in frame 0 that does not belong to the motion
    const int *roles;  // NULL, or [LOPE_ROLE_COUNT] joint indices to use instead of searching
} lope_read_def;

// What was guessed and done on the way in.
typedef struct lope_read_report {
    float scale; // metres per unit that was used
    bool scale_guessed;
    lope_axis up;    // which axis points up in the file, never LOPE_AXIS_AUTO
    bool up_guessed; // from the motion: what carries the body, what stays level, how it stands
    bool stood_up;   // the rest pose is no stance: it was replaced by how the body stands in the motion
    bool feet_found; // soles were fitted to resting feet
    bool tpose_found;
    bool tpose_dropped;
    int dropped_frames; // at the start: the T-pose, and rest poses right behind it where the body was not seen yet
    int moving_joints;  // joints besides the root whose translation changes
    bool rest_only;     // FBX and glTF without animation: the one frame is the rest pose
} lope_read_report;

LOPE_API lope_read_def lope_read_def_default(void);

// Reads a BVH file of up to 2 GB. `def` and `report` may be NULL. Position channels of the root are its place (its
// OFFSET is then only the rest pose); those of other joints become the rest offset where they never change, and
// clip->translations where they do (where OFFSET is zero, the first frame is then the rest pose). Joints keep the
// file's order; End Sites become tips; a name that occurs again gets "_2", "_3", ... The result is in metres, Y up:
// files with another axis up are turned, rest pose and all; a rest pose that is no stance becomes the one in which the
// body stands in the motion, and the skeleton knows its feet where they rest. LOPE_BAD_DATA names the line, what was
// expected there and what was found. Frames count from 0.
LOPE_API lope_status lope_bvh_read(const char *path, const lope_read_def *def, lope_clip **out,
                                   lope_read_report *report, lope_error *error);
// The same from memory. `name` names the clip and stands in messages.
LOPE_API lope_status lope_bvh_read_memory(const char *text, size_t size, const char *name, const lope_read_def *def,
                                          lope_clip **out, lope_read_report *report, lope_error *error);

// Writes a clip: beside the target first, then renamed. `units_per_metre` is 100 for centimetres, 1 for metres. Joints
// are written depth first, rotations in the order Z, X, Y to 1e-5 degrees, lengths to a micrometre. The rest pose keeps
// its offsets but not its rotations, which BVH does not know. The root and other joints with position channels have
// OFFSET 0, so that programs that add it to the channels show the same as those that do not. LOPE_BAD_DATA where a
// value is not finite.
LOPE_API lope_status lope_bvh_write(const lope_clip *clip, const char *path, float units_per_metre, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
