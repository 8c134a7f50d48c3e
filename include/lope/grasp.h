// SPDX-License-Identifier: MIT
// Climbing worlds and the body that moves in them: what the grasp planner (Kalisiak 1999) stands on.
//
// Everything happens in a vertical plane: x along it, y up, metres and radians. A world is a rectangle with polygonal
// obstacles and holds, the points that hands and feet may take. The body has ten links seen from the side; its pose is
// a place, the lean of the spine and nine joint angles. Planning itself is in lope/climb.h.
#ifndef LOPE_GRASP_H
#define LOPE_GRASP_H

#include "lope/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// A point or direction in the plane.
typedef struct lope_xy {
    double x, y;
} lope_xy;

// --- The world ------------------------------------------------------------------------------------------------------

// What a hold is good for.
typedef enum lope_hold_kind {
    LOPE_HOLD_PENDENT,      // hands hang from it
    LOPE_HOLD_LOAD_BEARING, // feet stand on it; hands may lean on it or pull themselves up its edge
    LOPE_HOLD_HYBRID,       // both
    LOPE_HOLD_BRACE,        // feet push against it while hands hold on elsewhere: a wall without edges
    LOPE_HOLD_KIND_COUNT,
    LOPE_HOLD_BY_SLOPE = LOPE_HOLD_KIND_COUNT // in definitions: by the slope of the surface; pendent in the air
} lope_hold_kind;

typedef struct lope_hold {
    lope_xy at;
    lope_xy normal; // unit, out of the surface; zero in the air (a bar seen from its end)
    lope_hold_kind kind;
    int surface; // the grasp surface that it samples, or -1
} lope_hold;

// Corners in either order, closed by itself: the last corner is joined to the first.
typedef struct lope_grasp_polygon {
    const lope_xy *corners;
    int count;
} lope_grasp_polygon;

// A straight stretch of which every point can be held (6.2.2). The contact-first planner chooses the place with the
// posture; the others use samples, LOPE_SURFACE_STEP metres apart.
#define LOPE_SURFACE_STEP 0.1
typedef struct lope_grasp_surface {
    lope_xy from, to;
    lope_hold_kind kind;
} lope_grasp_surface;

typedef struct lope_grasp_world_def {
    lope_xy low, high; // bounds: nothing leaves them
    int obstacle_count, hold_count, surface_count;
    const lope_grasp_polygon *obstacles;
    const lope_hold *holds; // `normal` and `surface` are found, what stands there is ignored
    const lope_grasp_surface *surfaces;
    double place_spacing; // > 0: holds this far apart along every side of every obstacle, kinds by slope
    double cell;          // of bitmaps and fields, metres
} lope_grasp_world_def;

LOPE_API lope_grasp_world_def lope_grasp_world_def_default(void);

// The part of a definition that an error is about; index -1 where there is none.
typedef enum lope_grasp_part {
    LOPE_GRASP_BOUNDS,
    LOPE_GRASP_OBSTACLE,
    LOPE_GRASP_HOLD,
    LOPE_GRASP_SURFACE
} lope_grasp_part;
typedef struct lope_grasp_fault {
    lope_grasp_part part;
    int index;
} lope_grasp_fault;

typedef struct lope_grasp_box {
    lope_xy low, high;
} lope_grasp_box;

// A world at rest; made once, read by many threads. Arrays are visible, treat them as immutable.
typedef struct lope_grasp_world {
    lope_xy low, high;
    double cell;
    int obstacle_count, hold_count;
    const lope_grasp_polygon *obstacles; // counter-clockwise
    const lope_grasp_box *boxes;         // round each of them
    const lope_hold *holds;              // those of the definition first, then those of surfaces and placing
    int surface_count;
    const lope_grasp_surface *surfaces; // of the definition; their holds are samples, LOPE_SURFACE_STEP apart
    // Signed distance to obstacles and bounds (negative inside) at nodes `cell` apart, row by row from `low`.
    int field_columns, field_rows;
    const float *field;
} lope_grasp_world;

// LOPE_BAD_DATA: bounds without area or of absurd size, polygons with fewer than three corners, without area, that
// cross themselves or overlap another, holds inside obstacles or out of bounds. `fault` (may be NULL) says which.
LOPE_API lope_status lope_grasp_world_create(const lope_grasp_world_def *def, lope_grasp_world **out,
                                             lope_grasp_fault *fault, lope_error *error);
LOPE_API void lope_grasp_world_destroy(lope_grasp_world *world);

// The kind of a hold on a surface with this normal: load-bearing up to 45 degrees from level, pendent on the underside,
// hybrid between.
LOPE_API lope_hold_kind lope_hold_kind_by_slope(lope_xy normal);

// Distance to the nearest obstacle or bound, negative inside: between the nodes of the field, with its gradient where
// `gradient` is not NULL. Exact along straight sides, up to a quarter cell off at corners.
LOPE_API double lope_grasp_clearance(const lope_grasp_world *world, lope_xy at, lope_xy *gradient);
// The same to the polygons themselves: exact and slow. Bounds do not count.
LOPE_API double lope_grasp_depth(const lope_grasp_world *world, lope_xy at);

// --- Bitmaps and distance maps (chapter 3) --------------------------------------------------------------------------

// When a cell counts as occupied, by the part of its area that obstacles cover.
typedef enum lope_occupancy {
    LOPE_OCCUPIED_ANY, // more than nothing: nothing is ever touched
    LOPE_OCCUPIED_HALF // more than half: the thesis' choice, shallow overlap may happen
} lope_occupancy;

typedef struct lope_grasp_bitmap {
    lope_xy low;
    double cell;
    int columns, rows;
    uint8_t *cells; // [rows * columns] 1 where occupied, row by row from below
} lope_grasp_bitmap;

LOPE_API lope_status lope_grasp_bitmap_create(const lope_grasp_world *world, lope_occupancy rule,
                                              lope_grasp_bitmap **out, lope_error *error);
LOPE_API void lope_grasp_bitmap_destroy(lope_grasp_bitmap *bitmap);
// True outside the map too.
LOPE_API bool lope_grasp_bitmap_occupied(const lope_grasp_bitmap *bitmap, lope_xy at);
// Whether a segment passes an occupied cell, but for cells nearer than `spare_a` to `a` or `spare_b` to `b`: where a
// link ends at a hold, the hold's own cell may count as occupied.
LOPE_API bool lope_grasp_bitmap_blocks(const lope_grasp_bitmap *bitmap, lope_xy a, lope_xy b, double spare_a,
                                       double spare_b);

typedef struct lope_distance_def {
    double clearance_weight; // 0: steps of equal cost, as published; else a step in a cell costs 1 + weight * c /
                             // clearance where c is one cell: ways keep off walls
    bool extend;             // go on into obstacles, so that holds on their surfaces have a value
} lope_distance_def;

LOPE_API lope_distance_def lope_distance_def_default(void);

// Length of the shortest way to a goal over free cells, by steps to the four neighbours.
typedef struct lope_distance_map {
    lope_xy low;
    double cell;
    int columns, rows;
    float *distance; // [rows * columns] metres at cell centres; INFINITY where no way leads
} lope_distance_map;

// LOPE_BAD_DATA where the goal lies outside the map or in an obstacle.
LOPE_API lope_status lope_distance_map_create(const lope_grasp_bitmap *bitmap, lope_xy goal,
                                              const lope_distance_def *def, lope_distance_map **out, lope_error *error);
LOPE_API void lope_distance_map_destroy(lope_distance_map *map);
// Interpolated between the four nearest cell centres (5.4.1); those without a way do not count. INFINITY where none
// has.
LOPE_API double lope_distance_at(const lope_distance_map *map, lope_xy at);
// The nearest cell's value.
LOPE_API double lope_distance_cell(const lope_distance_map *map, lope_xy at);

// --- The body (3.3) -------------------------------------------------------------------------------------------------

typedef enum lope_grasp_limb {
    LOPE_LEFT_ARM,
    LOPE_RIGHT_ARM,
    LOPE_LEFT_LEG,
    LOPE_RIGHT_LEG,
    LOPE_LIMB_COUNT
} lope_grasp_limb;
#define LOPE_ARM_MASK 3u // bits 1 << limb
#define LOPE_LEG_MASK 12u

typedef struct lope_angle_range {
    double low, high;
} lope_angle_range;

// Lengths, masses (as parts of the whole) and mass centres (as parts of a link's length from its near end). Indexed by
// arm = 0, leg = 1 and near link = 0, far link = 1. Arms begin at the neck.
typedef struct lope_grasp_body {
    double unit; // metres per unit of the thesis, in which heuristics are calibrated
    double spine, head;
    double length[2][2];
    double spine_mass, head_mass, mass[2][2];
    double centre[2][2];
    lope_angle_range neck_range, range[2][2];
    uint64_t missing; // bits 1 << lope_grasp_limb of those that it does not have (6.2.3)
} lope_grasp_body;

// The thesis' body at 1.70 m: 1 unit is half a metre.
LOPE_API lope_grasp_body lope_grasp_body_default(void);
// Bodies by name: "human" (the default), "one-armed", which has no right arm, and "gibbon", with long arms and short
// legs. False where there is none of that name. lope_grasp_body_name counts them; NULL past the last.
LOPE_API bool lope_grasp_body_named(const char *name, lope_grasp_body *out);
LOPE_API const char *lope_grasp_body_name(int index);

// Angles: 0 for all is upright with hanging arms. Spine and neck lean forward; shoulder and hip swing the limb forward
// from the line of the spine; elbow and knee bend. Forward is +x where facing is 1, -x where it is -1.
typedef struct lope_grasp_pose {
    lope_xy hip;
    double spine, neck;
    double limb[LOPE_LIMB_COUNT][2]; // shoulder and elbow, hip and knee
    int facing;                      // 1 or -1
} lope_grasp_pose;

// Where everything is.
typedef struct lope_grasp_points {
    lope_xy hip, neck, head;         // head: its top
    lope_xy middle[LOPE_LIMB_COUNT]; // elbows, knees
    lope_xy end[LOPE_LIMB_COUNT];    // hands, feet
    lope_xy mass;                    // centre of mass
} lope_grasp_points;

LOPE_API void lope_grasp_forward(const lope_grasp_body *body, const lope_grasp_pose *pose, lope_grasp_points *out);

// The movable root of 3.3: the point of the body whose place a configuration tells. Limb i's extremity is
// LOPE_ROOT_LIMB + i.
typedef enum lope_grasp_root { LOPE_ROOT_HIP, LOPE_ROOT_NECK, LOPE_ROOT_LIMB } lope_grasp_root;
#define LOPE_GRASP_DOF 12
// q = x and y of the root, lean of the spine, neck, then shoulder and elbow or hip and knee of each limb.
LOPE_API void lope_grasp_configuration(const lope_grasp_body *body, const lope_grasp_pose *pose, int root,
                                       double q[LOPE_GRASP_DOF]);
LOPE_API void lope_grasp_pose_from(const lope_grasp_body *body, const double q[LOPE_GRASP_DOF], int root, int facing,
                                   lope_grasp_pose *out);

// Two-link inverse kinematics: turns one limb so that its extremity is at `target`; the rest stays. False, with the
// pose untouched, where it is out of reach or a joint would leave its range.
LOPE_API bool lope_grasp_reach(const lope_grasp_body *body, lope_grasp_pose *pose, lope_grasp_limb limb,
                               lope_xy target);
// Largest excess of any joint over its range, radians; 0 where all are kept.
LOPE_API double lope_grasp_excess(const lope_grasp_body *body, const lope_grasp_pose *pose);
// The same body facing the other way.
LOPE_API lope_grasp_pose lope_grasp_turned(const lope_grasp_pose *pose);

// --- Comfort (5.2) --------------------------------------------------------------------------------------------------

// Ways to get along: LOPE_MODE_WALK and so on. A new one is an entry here and a file in src/grasp/modes/.
#define LOPE_GRASP_MODES(MODE)                                                                                         \
    MODE(WALK, walk) MODE(CLIMB, climb) MODE(SWING, swing) MODE(CRAWL, crawl) MODE(SIDLE, sidle) MODE(SIT, sit)
#define LOPE_MODE_ENTRY(NAME, name) LOPE_MODE_##NAME,
typedef enum lope_grasp_mode { LOPE_GRASP_MODES(LOPE_MODE_ENTRY) LOPE_MODE_COUNT } lope_grasp_mode;
LOPE_API const char *lope_grasp_mode_name(lope_grasp_mode mode);  // "walk"
LOPE_API const char *lope_grasp_mode_doing(lope_grasp_mode mode); // "walking"

typedef enum lope_grasp_heuristic {
    LOPE_HEAD_UP,
    LOPE_COMFY_LIMBS,
    LOPE_BALANCE,
    LOPE_UPRIGHT_SPINE,
    LOPE_LIMB_COUNTER_BALANCE,
    LOPE_HANG_DOWN,
    LOPE_KNEES_DOWN,
    LOPE_HEURISTIC_COUNT
} lope_grasp_heuristic;

// Bits 1 << heuristic of those that a mode uses: table 5.1.
LOPE_API unsigned lope_grasp_heuristics(lope_grasp_mode mode);

// What the extremities hold: bit i of `mask` for limb i, at[i] where.
typedef struct lope_grasp_contacts {
    unsigned mask;
    lope_xy at[LOPE_LIMB_COUNT];
} lope_grasp_contacts;

// One heuristic as published, from 1 (optimal) up.
LOPE_API double lope_grasp_heuristic_value(const lope_grasp_body *body, const lope_grasp_pose *pose,
                                           const lope_grasp_contacts *contacts, lope_grasp_heuristic heuristic);
LOPE_API const char *lope_grasp_heuristic_name(lope_grasp_heuristic heuristic); // "head up"
// The discomfort of a mode: the product of its heuristics (4.3).
LOPE_API double lope_grasp_discomfort(const lope_grasp_body *body, const lope_grasp_pose *pose,
                                      const lope_grasp_contacts *contacts, lope_grasp_mode mode);

// What a posture editor shows (5.2.3).
typedef struct lope_grasp_view {
    int hold[LOPE_LIMB_COUNT]; // what each extremity is on, within 1 cm; -1: nothing
    int mode;                  // lope_grasp_mode of who holds that, or -1: nobody can stay like this
    double discomfort;         // of that mode; 0 where there is none
    double heuristic[LOPE_HEURISTIC_COUNT];
    double excess;    // radians that a joint is beyond its range
    double clearance; // metres to the nearest obstacle, negative inside
} lope_grasp_view;
LOPE_API void lope_grasp_look(const lope_grasp_world *world, const lope_grasp_body *body, const lope_grasp_pose *pose,
                              lope_grasp_view *out);
// Posture correction (4.3): the most comfortable pose nearby that holds the same. False, with the pose as it was, where
// there is none.
LOPE_API bool lope_grasp_settle(const lope_grasp_world *world, const lope_grasp_body *body, lope_grasp_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
