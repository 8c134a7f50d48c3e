// SPDX-License-Identifier: MIT
// Floors and links of a level, as a body of one height finds them.
//
// Ground is free where a surface is flat enough, nothing is in the way between a step and the body's height above it,
// and no other ground lies on it within a step. It ends along borders: walls, low ceilings, ledges. Borders are exact
// lines of the level's triangles, no cells. A floor is free ground of which, seen from above, no part lies over
// another; storeys are floors over each other. Each is a lope_space, in which borders are walls: so clearance and paths
// hold for any radius. Floors that meet do so at seams. Links are all other ways from place to place, with what each
// asks of a body.
#ifndef LOPE_FLOORS_H
#define LOPE_FLOORS_H

#include "lope/jobs.h"
#include "lope/level.h"
#include "lope/paths.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_floors lope_floors;

// Whose floors they are.
typedef struct lope_floors_def {
    float height;     // metres that must be free above the ground, 1.8
    float step;       // metres that feet rise over at once, 0.4
    float slope;      // radians: the steepest ground to stand on, 45 degrees
    float crawl;      // metres: least headroom of low passages, 0.5
    float climb;      // metres: highest ledges that links are looked for, 3.0
    float leap;       // metres: widest gaps, 4.0
    float radius;     // metres: least clearance that matters, 0.2; places that are narrower are no floor and no landing
    bool only_floors; // true: no links but seams, no holds; enough for paths, and several times faster
} lope_floors_def;
LOPE_API lope_floors_def lope_floors_def_default(void);

// The level must outlive them. Same result for any number of threads; `jobs` may be NULL.
LOPE_API lope_status lope_floors_create(const lope_level *level, const lope_floors_def *def, lope_jobs *jobs,
                                        lope_floors **out, lope_error *error);
LOPE_API void lope_floors_destroy(lope_floors *floors);
// Makes them right again after the level changed, with work near the changes only. Nobody may ask meanwhile. Which
// floor has which number may differ from floors made anew; every answer about places is the same.
LOPE_API lope_status lope_floors_update(lope_floors *floors, lope_jobs *jobs, lope_error *error);
LOPE_API size_t lope_floors_memory(const lope_floors *floors);

// ---- places

// Ground at a place.
typedef struct lope_floor_spot {
    int floor;           // -1: not on a floor
    lope_vec3 at;        // on the ground
    int piece, triangle; // of the terrain
} lope_floor_spot;

// The free ground at x and z of `near` whose height is nearest to its y, at most `reach` off. False where there is
// none.
LOPE_API bool lope_floors_ground(const lope_floors *floors, lope_vec3 near, float reach, lope_floor_spot *out);
// Radius of the largest disc that can stand there: metres to the nearest border, at most `limit` and at most 7.9.
LOPE_API float lope_floors_clearance(const lope_floors *floors, const lope_floor_spot *spot, float limit);
// The nearest place where a body of that radius can stand, at most `reach` away (and 7.9 m in plan); up to 10 cm
// farther than the very nearest.
LOPE_API bool lope_floors_nearest(const lope_floors *floors, lope_vec3 near, float radius, float reach,
                                  lope_floor_spot *out);

// Why a body cannot stand at a place.
typedef enum lope_floor_fault {
    LOPE_FLOOR_FINE,
    LOPE_FLOOR_NO_GROUND, // nothing below within reach
    LOPE_FLOOR_STEEP,     // `metres` is the slope in radians
    LOPE_FLOOR_LOW,       // `metres` of headroom, under `part`
    LOPE_FLOOR_NARROW,    // `metres` too narrow, between `part` and `other` (-1: a ledge)
} lope_floor_fault;
typedef struct lope_floor_reason {
    lope_floor_fault fault;
    float metres;
    int part, other;
    lope_vec3 at; // where that is
} lope_floor_reason;
// A radius above 4 m counts as that.
LOPE_API lope_floor_reason lope_floors_why(const lope_floors *floors, lope_vec3 near, float radius);

// ---- borders, for reading; valid until the next update

typedef struct lope_floor_border {
    lope_vec3 from,
        to;       // on the free ground, which lies to the left: seen from above with x to the right and z up the page
    float beyond; // height of the nearest free ground on the other side; NaN: none
    int piece, triangle; // of the terrain: whose edge it is
    int floor;           // -1: too narrow for one
} lope_floor_border;
LOPE_API const lope_floor_border *lope_floors_borders(const lope_floors *floors, int *count);

// ---- floors, by number

// Numbers are below this. A floor need not be connected: the top of a box and the ground around it may be one.
LOPE_API int lope_floors_count(const lope_floors *floors);
// NULL where that number is not in use. Paths are for a clearance of up to 4 m.
LOPE_API const lope_space *lope_floors_space(const lope_floors *floors, int floor);
// Where floors are, as out[lope_floors_count]: the box around each, and about how large it is, from samples 25 cm
// apart.
typedef struct lope_floor_extent {
    lope_vec3 low, high; // low.y above high.y where that number is not in use
    float area;          // square metres
} lope_floor_extent;
LOPE_API void lope_floors_extents(const lope_floors *floors, lope_floor_extent *out);
LOPE_API const lope_passages *lope_floors_passages(const lope_floors *floors, int floor);

// ---- links

typedef enum lope_link_kind {
    LOPE_LINK_SEAM,   // one floor goes on as another: walk on
    LOPE_LINK_STAIRS, // treads
    LOPE_LINK_SLOPE,  // ground steeper than walkers take by themselves
    LOPE_LINK_RUBBLE, // ground on which feet must choose
    LOPE_LINK_UP,     // a ledge to climb onto
    LOPE_LINK_DOWN,   // a ledge to climb or jump down from
    LOPE_LINK_OVER,   // a wall to climb over, too thin to stand on; or a window
    LOPE_LINK_GAP,    // nothing to stand on for a stretch: step over, jump
    LOPE_LINK_BARS,   // a gap under bars that hands can go along
    LOPE_LINK_LOW,    // a passage too low to walk
    LOPE_LINK_LADDER,
    LOPE_LINK_SLIDE,
    LOPE_LINK_SEAT,
    LOPE_LINK_KIND_COUNT
} lope_link_kind;
LOPE_API const char *lope_link_kind_name(lope_link_kind kind);

// One way from a place to another. Ways that can be gone both ways are two links. Where the edge is wide, from and to
// are those in its middle, and it can be taken anywhere along the line.
typedef struct lope_link {
    lope_link_kind kind;
    int from_floor, to_floor;
    lope_vec3 from, to;    // where the feet are before and after; of seats, `to` is the middle of the seat
    lope_vec3 left, right; // ends of the edge, tread or line that is crossed, as seen on the way
    float rise;            // metres, negative down
    float across;          // metres in plan between the grounds: width of a gap, length of a passage or stair
    float headroom;        // least, metres; at most 1.5 times the height of lope_floors_def
    float reach;           // metres above the feet that hands must reach; 0: none
    float room;            // width of the way: metres of the largest disc's diameter
    int part;              // ladders, slides, seats, bars: of what; -1
    int first, count;      // stairs: its treads; low passages: headroom along the way; in lope_floors_steps
} lope_link;
LOPE_API const lope_link *lope_floors_links(const lope_floors *floors, int *count);

// A tread, or a place in a low passage.
typedef struct lope_link_step {
    lope_vec3 left, right; // its near edge
    float rise, depth;     // metres, of a tread
    float headroom;
} lope_link_step;
LOPE_API const lope_link_step *lope_floors_steps(const lope_floors *floors, int *count);

// ---- holds

// A straight stretch that hands can hold, and feet can stand on where it is deep and level enough.
typedef struct lope_level_hold {
    lope_vec3 from, to;
    lope_vec3 normal; // out of the surface that fingers lie on, unit; zero of bars
    lope_vec3 out;    // from the edge to where the body is, level, unit; zero of bars
    float angle;      // radians between its two faces; 0 of bars and of sheets
    float slope;      // radians that the surface behind the edge is tilted
    float depth;      // metres that fingers find behind the edge, at most 0.3; of bars the thickness
    float room;       // metres above it that are free for a hand, at most 0.5
    int part;
    bool bar;
} lope_level_hold;
LOPE_API const lope_level_hold *lope_floors_holds(const lope_floors *floors, int *count);

#ifdef __cplusplus
}
#endif
#endif
