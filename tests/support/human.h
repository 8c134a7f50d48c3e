// SPDX-License-Identifier: MIT
// Does motion that leaves the library stay human? Everything is computed here from joints in model space and held
// against what the source clips do themselves: how far knees and elbows bend and to which side, how fast joints turn
// (twist included) and how suddenly, how low joints come, how hips turn over planted feet.
#ifndef LOPE_TESTS_HUMAN_H
#define LOPE_TESTS_HUMAN_H

#include "support/support.h"

// Poses over time in model space, at even frames.
typedef struct test_motion {
    const lope_skeleton *skeleton;
    double rate; // frames per second
    int frames, capacity;
    lope_transform *models; // [frames * joint_count]
} test_motion;

test_motion test_motion_begin(const lope_skeleton *skeleton, double rate);
// Room for one more frame; the caller writes the joints.
lope_transform *test_motion_add(test_motion *motion);
// A clip as it is; with `lock`, its feet locked.
test_motion test_motion_of_clip(const lope_clip *clip, const lope_lock_def *lock);
void test_motion_end(test_motion *motion);

// What the source does.
typedef struct test_source test_source;
test_source *test_source_create(lope_clip *const *clips, int count);
void test_source_destroy(test_source *source);

// Motions held against their source. Shares are of all joints in all frames.
typedef struct test_human {
    float bent;        // degrees that a knee or elbow bends farther than it ever does in the source
    float backwards;   // degrees that one bends past straight, or past the farthest back that the source has it
    float under;       // metres that a joint comes lower than any does in the source
    float speed_over;  // share of angular speeds above what 99.9 % of the source's stay below
    float speed_most;  // the largest, as a multiple of that or, where that is more, of half the source's largest
    float change_over; // likewise angular accelerations
    float change_most;
    float hips_turn; // radians per second that hips turn over two planted feet, beyond the source's most
    float leap;      // metres that a joint goes from frame to frame as seen from the hips, beyond the source's most
    int worst_frame, worst_joint;   // of speed_most
    int change_frame, change_joint; // of change_most
    int bent_frame, bent_limb;      // of the larger of bent and backwards: left and right knee, left and right elbow
} test_human;

test_human test_human_check(const test_source *source, const test_motion *motions, int count);
// Says what is seen and where; for looking, and for tests that fail.
void test_human_print(const char *what, const test_human *seen, const lope_skeleton *skeleton);

// Fails with all of it where the motion is not human. Less than a degree, a centimetre and 0.2 % is measurement. With
// `_within`, another share may turn faster than usual: a motion that walks or runs all the time, of clips that mostly
// stand, does so.
#define assert_human(source, motions, count) assert_human_within(source, motions, count, 0.002f)
#define assert_human_within(source, motions, count, share)                                                             \
    test_assert_human((source), (motions), (count), (share), __FILE__, __LINE__)
void test_assert_human(const test_source *source, const test_motion *motions, int count, float share, const char *file,
                       int line);

// The same motion on a skeleton whose rest pose is only a convention: every joint's first bone lies along its own +X
// axis, and all joints are unturned at rest. Joints of all frames are where they were.
lope_clip *test_axis_convention(const lope_clip *clip);

#endif
