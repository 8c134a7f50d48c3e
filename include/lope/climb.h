// SPDX-License-Identifier: MIT
// Planning in climbing worlds: from a site to another, by walking, climbing, swinging and crawling.
#ifndef LOPE_CLIMB_H
#define LOPE_CLIMB_H

#include "lope/clip.h"
#include "lope/grasp.h"
#include "lope/jobs.h"

#ifdef __cplusplus
extern "C" {
#endif

// A pregenerated motion (5.4.4): poses evenly spaced in time. In its first and last pose hands and feet are on holds
// (within 1 cm) in a way that some mode knows: both feet, both hands, or hands and feet; in between nothing is held. A
// single pose is a whole configuration that a plan begins in, passes or ends in.
typedef struct lope_climb_sequence {
    const lope_grasp_pose *poses; // that face the same way
    int count;
    const lope_grasp_body *body; // whose measures the poses have: others put their hands and feet where it has them.
                                 // NULL: the one that plans
    double seconds;              // at natural speed; more where a joint would turn faster than 600 degrees per second
} lope_climb_sequence;

// Where a plan begins, passes or ends.
typedef struct lope_climb_site {
    lope_xy at;           // between the feet; between the hands where the mode is swing, below the seat where it is sit
    lope_grasp_mode mode; // what the body does there; the holds for it are found near `at`
    int facing;           // 1: +x, -1: -x, 0: either
    // A pose, or a sequence: the plan begins in its first pose or goes there, performs it and goes on from its last.
    // The fields above do not count then. NULL: none. The flying planner takes poses that hold nothing, too.
    const lope_climb_sequence *sequence;
} lope_climb_site;

// A comfortable pose for a site, as plans begin with. LOPE_NOT_FOUND or LOPE_BAD_DATA, with the reason, where there is
// none.
LOPE_API lope_status lope_grasp_pose_at(const lope_grasp_world *world, const lope_grasp_body *body,
                                        const lope_climb_site *site, lope_grasp_pose *out, lope_error *error);

#define LOPE_CLIMB_MAX_VIA 16

// Milestones (5.4.4) are passed in their order.
typedef struct lope_climb_problem {
    lope_climb_site start, goal;
    int via_count; // 0 to LOPE_CLIMB_MAX_VIA
    lope_climb_site via[LOPE_CLIMB_MAX_VIA];
} lope_climb_problem;

// What planning took.
typedef struct lope_climb_counts {
    int looked;         // stances that a posture was sought for
    int expanded;       // stances that were reached
    int postures;       // descents
    int evaluations;    // of discomfort and gradient
    int motions;        // changes of contact that were checked
    int motions_failed; // and did not work
    int samples;        // random neighbours that were tried
    int walks;          // random walks out of local minima
    int backtracks;     // times that part of a path was thrown away
} lope_climb_counts;

#define LOPE_SEAT_HEIGHT 0.1 // metres from what a body sits on to its hip

// Which planner.
typedef enum lope_climb_planner {
    LOPE_PLANNER_CONTACTS, // grasps first, then postures and motions: fast, and sure to find what its grasps allow
    LOPE_PLANNER_THESIS,   // as published: gradient descent, random walks, backtracking, a machine of modes
    LOPE_PLANNER_FLIGHT,   // its precursor (chapter 3): a body that flies, and holds nothing
    LOPE_PLANNER_COUNT
} lope_climb_planner;
LOPE_API const char *lope_climb_planner_name(lope_climb_planner which);

// A key of a curve of speeds (6.2.4): from here on so many times as fast, and evenly faster or slower to the next key.
typedef struct lope_climb_speed {
    double at;    // seconds into the motion as it would be at natural speed; keys are in order
    double speed; // 0.05 to 20
} lope_climb_speed;

// How to plan.
typedef struct lope_climb_def {
    const lope_grasp_body *body; // NULL: the default one
    lope_climb_planner planner;
    uint64_t seed;
    int racers;        // searches with different seeds side by side; the first one that arrives counts
    int budget;        // contacts first: stances that each may look at before the best partial plan is taken
    int samples;       // thesis and flight: random neighbours that each may try from site to site
    unsigned without;  // bits 1 << lope_grasp_mode of ways that are not used
    double weight;     // contacts first: of the way left against the way behind: higher is faster, less considered
    bool sits;         // contacts first: bodies may sit down on their way; where start or goal sit they do anyway
    bool sampled;      // contacts first: on surfaces, hands and feet take the samples only, as if they were points
    bool keep_stopped; // where `progress` asks to stop: LOPE_PARTIAL and the plan so far instead of LOPE_INTERRUPTED
    double speed;      // of the motion, 0.05 to 20; 1 is natural
    const lope_climb_speed *speeds; // a curve beside it: both are multiplied; NULL: none
    int speed_count;
    double frame_rate; // frames per second, 1 to 1000
} lope_climb_def;

LOPE_API lope_climb_def lope_climb_def_default(void);

// One instant. While the body turns round, `yaw` runs from 0 (facing +x) to pi or back, and the legs spread sideways to
// their holds: the pose is then in the plane that the body looks along, and `spread` turns each limb's plane about it.
typedef struct lope_climb_frame {
    lope_grasp_pose pose;
    lope_grasp_mode mode;
    unsigned held;             // bits 1 << limb of those that hold
    int hold[LOPE_LIMB_COUNT]; // what they hold, or -1
    int seat;                  // 1 + the hold that the body sits on (6.2.5), its hip LOPE_SEAT_HEIGHT above; 0: none
    double yaw;                // radians
    double spread[LOPE_LIMB_COUNT];
} lope_climb_frame;

// A change of contact: what holds after it, and from when on.
typedef struct lope_climb_step {
    lope_grasp_mode mode;
    int facing;
    int hold[LOPE_LIMB_COUNT];
    int seat;    // as in frames
    double time; // seconds
} lope_climb_step;

typedef struct lope_climb_plan {
    double frame_rate;
    int frame_count, step_count;
    lope_climb_frame *frames;
    lope_climb_step *steps; // the first is the start
    lope_grasp_body body;   // that it was made for
    lope_climb_counts counts;
    bool complete;
    int reached;                            // sites that were reached, milestones and goal
    int site_frame[LOPE_CLIMB_MAX_VIA + 1]; // the frame at which each of them was
    double left;                            // metres to the next site where the plan is not complete
    uint64_t seed;                          // the one that won
    int kept;      // of plans that go on from another one: its frames that are part of this one
    int went_back; // changes of contact further back than was asked for, where nothing led on from there
} lope_climb_plan;

// Plans a motion. LOPE_OK; LOPE_PARTIAL where no way was found within the budget, with a plan that goes as near as one
// could get and an error that says what is missing; LOPE_INTERRUPTED where `progress`, which is asked every few dozen
// milliseconds, wants to stop. The same input
// gives the same plan for any number of threads. `jobs` and `progress` may be NULL.
LOPE_API lope_status lope_climb_plan_create(const lope_grasp_world *world, const lope_climb_problem *problem,
                                            const lope_climb_def *def, lope_jobs *jobs, const lope_progress *progress,
                                            lope_climb_plan **out, lope_error *error);
// Manual backtracking (5.6.3): keeps a plan up to a frame and plans on from there, perhaps with another seed, planner
// or milestones. Of those the first ones that the kept part comes to count as reached, a sequence where the part
// contains its end. With LOPE_PLANNER_CONTACTS the cut is at the last change of contact before the frame. Where nothing
// leads on from there, earlier changes are tried, further and further back (`went_back`), within the same budget.
// LOPE_PARTIAL where none leads to the goal: the result is then the plan that comes furthest of all, a copy of `plan`
// where nothing came further, and the error says so. LOPE_MISMATCH where the plan is not of this world or body. `plan`
// stays as it is; the result contains the part that was kept.
LOPE_API lope_status lope_climb_plan_resume(const lope_grasp_world *world, const lope_climb_problem *problem,
                                            const lope_climb_def *def, const lope_climb_plan *plan, int frame,
                                            lope_jobs *jobs, const lope_progress *progress, lope_climb_plan **out,
                                            lope_error *error);
LOPE_API void lope_climb_plan_destroy(lope_climb_plan *plan);
// Plans as .lope files. What is opened has the bits of what was saved, so going on from it (lope_climb_plan_resume) is
// the same; what planning took (`counts`) is not kept. Opening checks that the file holds a plan; lope_climb_plan_check
// says whether it is one of a world. `data` must be 64-byte aligned; `name` is for messages.
LOPE_API lope_status lope_climb_plan_save(const lope_climb_plan *plan, const char *path, lope_error *error);
LOPE_API lope_status lope_climb_plan_open(const char *path, lope_climb_plan **out, lope_error *error);
LOPE_API lope_status lope_climb_plan_open_memory(const void *data, size_t size, const char *name, lope_climb_plan **out,
                                                 lope_error *error);
// LOPE_MISMATCH where a plan is not of this world: where it holds what does not exist, or lies elsewhere for its body.
LOPE_API lope_status lope_climb_plan_check(const lope_grasp_world *world, const lope_climb_plan *plan,
                                           lope_error *error);

// Where a limb's extremity is in a frame, the plane of the world first, then out of it: while turning, feet leave it.
LOPE_API lope_vec3 lope_climb_extremity(const lope_grasp_body *body, const lope_climb_frame *frame,
                                        lope_grasp_limb limb);

// How large a body is against the default one, by the way from hand to foot when it stretches.
LOPE_API double lope_climb_body_size(const lope_grasp_body *body);
// The measures of a character with roles: plans made for them fit it. LOPE_MISMATCH where it lacks an arm or a leg.
LOPE_API lope_status lope_climb_body_of(const lope_skeleton *skeleton, lope_grasp_body *out, lope_error *error);
// A plan and the character that performs it.
typedef struct lope_climb_performance {
    const lope_climb_plan *plan;
    const lope_grasp_body *body; // the one it was planned for
    const lope_skeleton *skeleton;
    const lope_grasp_world *world; // whose solids hands and feet keep out of, from fingertips to heels; NULL: none
    const char *name;              // of the clip
} lope_climb_performance;
// The performance as a clip: x and y of the plan are those of the world, limbs have the width of shoulders and hips,
// hands and feet are put on, turns are turned. Contacts are those of the plan, but for heels that rise.
LOPE_API lope_status lope_climb_clip(const lope_climb_performance *of, lope_clip **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
