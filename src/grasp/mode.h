// SPDX-License-Identifier: MIT
// What a mode of getting along is: data and small functions. Every mode is one file in src/grasp/modes/ and one entry
// of LOPE_GRASP_MODES; nothing else knows them by name but where they lead into each other.
#ifndef LOPE_SRC_GRASP_MODE_H
#define LOPE_SRC_GRASP_MODE_H

#include "grasp/posture.h"

// Which limb holds what.
typedef struct stance {
    int32_t hold[LOPE_LIMB_COUNT]; // index of a hold, or -1
    int32_t facing;
    int32_t squat; // 1: on all fours, but still over the feet: on the way down or up
    int32_t seat;  // 1 + the hold that the body sits on; 0: none
} stance;

// A hybrid hold without a surface in the plane belongs to a wall that runs beside the way, as one sees it on the page.
static inline bool hold_is_beside(const lope_hold *hold)
{
    return hold->kind == LOPE_HOLD_HYBRID && hold->normal.x == 0.0 && hold->normal.y == 0.0;
}

// A stance at a glance, for those that ask whether it is theirs.
typedef struct stance_view {
    const lope_grasp_world *world;
    const stance *s;
    int hands, feet;
    bool hands_level, feet_level; // all on load-bearing holds
    bool hands_hang;              // none on a load-bearing one
    bool hands_beside;            // all on walls beside the way
    bool faces_walls;             // none on a wall beside or behind
    bool level;                   // hands and feet on ground of about the same height
    double highest_hand, lowest_hand, highest_foot, lowest_foot;
} stance_view;

// What the published heuristics leave open, gently: how a body looks.
typedef struct mode_style {
    double comfy;               // weight of comfortable elbows and knees
    double spine, spine_weight; // lean
    double arm, leg;            // free limbs: arms against the trunk, legs against the vertical, as they hang
    double arm_weight, leg_weight;
} mode_style;

// Middles of what hands and feet hold.
typedef struct contact_middles {
    lope_xy hands, feet;
    int hand_count, foot_count;
} contact_middles;

typedef struct grasp_mode {
    const char *name;    // "walk"
    const char *doing;   // "walking"
    unsigned heuristics; // table 5.1: HEURISTIC(...) of those whose product is its discomfort

    // Contacts first. Modes are asked from the last to the first whether a stance is theirs.
    bool (*takes)(const stance_view *view);
    double step_time;              // natural seconds for one change of contact
    double dislike;                // cost of a step beside its time
    double reluctance;             // metres of way that being in it is worth: the order of preference
    double stride;                 // metres that a step comfortably takes
    double max_discomfort;         // beyond which a posture is refused
    double support_slack;          // metres that the mass centre may be beyond what is held
    double lift_share, least_lift; // of a moving hand or foot: part of its way, and metres
    mode_style style;
    void (*typical)(const posture_problem *problem, const contact_middles *held, int variant, lope_grasp_pose *pose);
    int variants;         // of typical poses that are tried
    lope_xy hands;        // of those that hold with hands and feet: where hands are from the feet, metres ahead and up
    unsigned pair;        // LOPE_LEG_MASK or LOPE_ARM_MASK where the limbs of one pair go in turn; 0: any limb
    bool upright : 1;     // stands: needs headroom, and its mass centre over its feet at every step
    bool hangs : 1;       // below its hands
    bool hands_carry : 1; // hands far above the feet carry it wherever the mass centre is
    bool on_all_fours : 1;
    bool sits : 1;     // on a seat
    bool lets_go : 1;  // a limb may let go without taking anything
    bool gives_up : 1; // where the posture before leads nowhere, typical ones do not either

    // The published planner: the edges that it brings along, from and to any mode, ended by one without a function.
    const struct machine_edge *edges;
} grasp_mode;

#define HEURISTIC(name) (1u << LOPE_##name)

extern const grasp_mode *const modes[LOPE_MODE_COUNT];

#endif
