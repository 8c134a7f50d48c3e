// SPDX-License-Identifier: MIT
// Clips: motion of one skeleton at even frames, and poses sampled from them.
#ifndef LOPE_CLIP_H
#define LOPE_CLIP_H

#include "lope/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

// Parts of the body that touch the world, one bit each in a frame's contact mask.
typedef enum lope_contact {
    LOPE_CONTACT_LEFT_HEEL = 1 << 0,
    LOPE_CONTACT_LEFT_TOE = 1 << 1,
    LOPE_CONTACT_RIGHT_HEEL = 1 << 2,
    LOPE_CONTACT_RIGHT_TOE = 1 << 3,
    LOPE_CONTACT_LEFT_HAND = 1 << 4,
    LOPE_CONTACT_RIGHT_HAND = 1 << 5,
    LOPE_CONTACT_LEFT_KNEE = 1 << 6,
    LOPE_CONTACT_RIGHT_KNEE = 1 << 7,
    LOPE_CONTACT_SEAT = 1 << 8
} lope_contact;
#define LOPE_CONTACT_COUNT 9
#define LOPE_CONTACT_LEFT_FOOT (LOPE_CONTACT_LEFT_HEEL | LOPE_CONTACT_LEFT_TOE)
#define LOPE_CONTACT_RIGHT_FOOT (LOPE_CONTACT_RIGHT_HEEL | LOPE_CONTACT_RIGHT_TOE)

// Other frame rates are refused: nothing is captured that slowly or that fast, and counts of frames stay small.
#define LOPE_MIN_FRAME_RATE 0.001
#define LOPE_MAX_FRAME_RATE 10000.0

// A clip owns its arrays and shares its skeleton. Those who made it may write the arrays; everyone else treats
// it as immutable, and then threads may share it.
typedef struct lope_clip {
    lope_skeleton *skeleton;
    char *name;                 // never NULL; usually the file's name without folder and ending
    int frame_count;            // >= 1
    double frame_rate;          // frames per second, LOPE_MIN_FRAME_RATE to LOPE_MAX_FRAME_RATE
    lope_vec3 *root;            // [frame_count] translation of joint 0 in the clip's world
    lope_quat *rotations;       // [frame_count * joint_count] unit, relative to the parent (not to the rest pose);
                                // consecutive frames lie in the same hemisphere
    lope_vec3 *translations;    // NULL, or [frame_count * joint_count] where joints other than the root move
                                // relative to their parents (rare); entry 0 of a frame equals root
    uint16_t *contacts;         // NULL, or [frame_count] masks of lope_contact
    void *storage;              // private
    struct lope_packed *packed; // NULL, or the same motion in the form that files keep (lope/packed.h). Files then hold
                                // this form and not the arrays: copy the clip (lope_clip_copy) before you change it
} lope_clip;

enum lope_clip_flags { LOPE_CLIP_TRANSLATIONS = 1, LOPE_CLIP_CONTACTS = 2 };

// Makes a clip at the rest pose. `flags` (lope_clip_flags) chooses the optional arrays. `name` is copied. LOPE_BAD_DATA
// where the number of frames or their rate is impossible.
LOPE_API lope_status lope_clip_create(const lope_skeleton *skeleton, const char *name, int frame_count,
                                      double frame_rate, unsigned flags, lope_clip **out, lope_error *error);
LOPE_API void lope_clip_destroy(lope_clip *clip);

// Which of the optional arrays the clip has: lope_clip_flags.
LOPE_API unsigned lope_clip_flags_of(const lope_clip *clip);

// A copy under another name (NULL: the same), with the optional arrays of `more` (lope_clip_flags) added: contacts
// empty, translations as in the rest pose.
LOPE_API lope_status lope_clip_copy(const lope_clip *clip, const char *name, unsigned more, lope_clip **out,
                                    lope_error *error);

// (frame_count - 1) / frame_rate, in seconds.
LOPE_API double lope_clip_duration(const lope_clip *clip);

// A pose in the caller's buffers: each joint relative to its parent.
typedef struct lope_pose {
    int joint_count;
    lope_vec3 root;          // translation of joint 0
    lope_quat *rotations;    // [joint_count]
    lope_vec3 *translations; // NULL, or [joint_count]: where the clip has none it is filled from the rest pose
} lope_pose;

// The pose at `time` seconds, clamped to the clip. Interpolates along the shortest arc. Allocates nothing.
LOPE_API void lope_clip_sample(const lope_clip *clip, double time, lope_pose *out);

// The pose of one frame, without interpolation.
LOPE_API void lope_clip_frame(const lope_clip *clip, int frame, lope_pose *out);

// Joints in the clip's world: out[joint_count]. One pass down the hierarchy; allocates nothing.
LOPE_API void lope_pose_to_model(const lope_skeleton *skeleton, const lope_pose *pose, lope_transform *out);

// Joints of one frame of a clip in its world.
LOPE_API void lope_clip_model(const lope_clip *clip, int frame, lope_transform *out);

// One character of a crowd: which clip it plays and where in it.
typedef struct lope_sample_request {
    const lope_clip *clip;
    double time; // seconds, clamped to the clip
} lope_sample_request;

// Samples many characters and goes to model space in one call: request i fills models[i * joint_count] and what
// follows. Every clip must be of `skeleton` or of one with the same joints (lope_skeleton_equal); joints hang on one
// another as in `skeleton`. Gives the bits of lope_clip_sample and lope_pose_to_model, in less time, because characters
// are computed side by side. Allocates nothing; split `requests` to use several threads.
LOPE_API void lope_sample_many(const lope_skeleton *skeleton, const lope_sample_request *requests, int count,
                               lope_transform *models);

// The same one joint after the other, without vector instructions: what the fast one is measured against.
LOPE_API void lope_sample_many_plain(const lope_skeleton *skeleton, const lope_sample_request *requests, int count,
                                     lope_transform *models);

// Flips quaternions so that consecutive frames lie in the same hemisphere. Call after writing rotations.
LOPE_API void lope_clip_align_quaternions(lope_clip *clip);

// A copy of the frames [first, first + count), which the clip must have.
LOPE_API lope_status lope_clip_trim(const lope_clip *clip, int first, int count, lope_clip **out, lope_error *error);

// The same motion at another rate: the first frame stays, the last one falls on or before the clip's end. Between
// frames motion follows the cubic through the four around, which is closer to what was captured than straight lines
// are. Contacts are taken from the nearest frame. LOPE_BAD_DATA where the rate is impossible.
LOPE_API lope_status lope_clip_resample(const lope_clip *clip, double frame_rate, lope_clip **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
