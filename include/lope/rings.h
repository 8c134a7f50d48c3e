// SPDX-License-Identifier: MIT
// Motion rings: gaits whose feet find the ground on any terrain (Mukai 2011).
//
// A ring is one cycle of a motion in several samples (short and long strides, turns, steps up and down) that are
// aligned in time and can be mixed by weights, at any moment and with any weights. Offline, lope_rings_build
// (lope/rings_build.h) makes rings from clips. At run time they are immutable and shared; a lope_gait is one character
// that circulates through them. At every strike of a foot it looks for a place for the next one among the places its
// samples can reach, and changes its weights on the way there.
#ifndef LOPE_RINGS_H
#define LOPE_RINGS_H

#include "lope/controller.h"
#include "lope/jobs.h"
#include "lope/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

// Rings of one skeleton, and how to get from one to another.
typedef struct lope_rings lope_rings;

#define LOPE_RING_MAX_SAMPLES 16

typedef enum lope_ring_kind {
    LOPE_RING_REST, // both feet stay where they are
    LOPE_RING_WALK,
    LOPE_RING_RUN,
    LOPE_RING_OWN // any other cyclic motion on two feet
} lope_ring_kind;

// What a character plays. LOPE_GAIT_OWN plays the first ring of kind LOPE_RING_OWN, LOPE_GAIT_OWN + 1 the second, and
// so on; where there are fewer, it is a walk.
typedef enum lope_gait_mode { LOPE_GAIT_STAND, LOPE_GAIT_WALK, LOPE_GAIT_RUN, LOPE_GAIT_OWN } lope_gait_mode;

// The paper's own ways, where rings and gaits do something else by default; docs/motion-rings.md says what each of our
// ways gains. Bits: any of them can be chosen.
typedef enum lope_published {
    LOPE_PUBLISHED_LOOPS = 1 << 0,      // 3.1: a curve fitted across the gap closes a cycle, not the gap spread over it
    LOPE_PUBLISHED_STRIKES = 1 << 1,    // 3.2: a foot strikes where its acceleration crosses zero, in mid-stance
    LOPE_PUBLISHED_ALIGNMENT = 1 << 2,  // 3.3: a cycle is warped as a whole and all the way, not in halves and half way
    LOPE_PUBLISHED_FRAMES = 1 << 3,     // 3.3: only angles are mixed, and feet are where those lead
    LOPE_PUBLISHED_SAMPLES = 1 << 4,    // 3.4: samples are chosen greedily, 30 cm apart, and none is exchanged
    LOPE_PUBLISHED_VARIANCE = 1 << 5,   // 3.4: as many modes as hold 99 % of the variance, all joints alike
    LOPE_PUBLISHED_KRIGING = 1 << 6,    // 4.1: ordinary kriging: no drift, height counts as much as width
    LOPE_PUBLISHED_SEARCH = 1 << 7,     // 4.2: the best sphere that touches, as it is, whatever is below heel and toes
    LOPE_PUBLISHED_EASE = 1 << 8,       // 4.2, 4.4: weights on a cubic, extrapolated back when the stick moves
    LOPE_PUBLISHED_CORRECTION = 1 << 9, // 4.3: half of each correction, towards the ground below, down to 3 cm
    LOPE_PUBLISHED_BUILD = (1 << 7) - 1, // all that count when rings are built
    LOPE_PUBLISHED_GAIT = 7 << 7         // all that count when a gait is played
} lope_published;

// Writes a .lope file; opens one, read as lope/container.h says and used in place.
LOPE_API lope_status lope_rings_save(const lope_rings *rings, const char *path, lope_error *error);
LOPE_API lope_status lope_rings_open(const char *path, lope_rings **out, lope_error *error);
// The same over memory that outlives the rings; `data` must be 64-byte aligned.
LOPE_API lope_status lope_rings_open_memory(const void *data, size_t size, const char *name, lope_rings **out,
                                            lope_error *error);
LOPE_API void lope_rings_close(lope_rings *rings);

LOPE_API const lope_skeleton *lope_rings_skeleton(const lope_rings *rings);
LOPE_API int lope_rings_count(const lope_rings *rings);
// The first ring of a kind, or -1.
LOPE_API int lope_rings_find(const lope_rings *rings, lope_ring_kind kind);
// How it is asked for: the mode that plays a ring with that name; LOPE_GAIT_STAND where there is none.
LOPE_API lope_gait_mode lope_rings_mode(const lope_rings *rings, const char *name);

typedef struct lope_ring_info {
    char name[32];
    lope_ring_kind kind;
    int frames;          // of a whole cycle
    int samples, modes;  // motions that are mixed; numbers that a pose of one is compressed to
    int spheres;         // per side
    size_t bytes;        // of the ring, its contact spheres included
    float foot_error;    // metres: farthest that compression moves a foot in any frame of any sample
    float cycle_seconds; // of the mean of all samples
    float stride;  // metres from foot to foot of the performer's usual step, straight on level ground; 0: not known
    float heading; // radians from where the body faces to where it goes: 0 but for sidesteps and the like
    lope_vec3 low, high; // metres: box around where the left foot can land, seen from the right: x left, y up, z ahead
} lope_ring_info;
LOPE_API lope_ring_info lope_rings_info(const lope_rings *rings, int ring);

// A place where a foot comes down if the ring is played with certain weights, seen from the other foot, which stands at
// the origin with the body facing +Z when that one came down.
typedef struct lope_ring_landing {
    lope_vec3 point; // of the ball of the foot, metres
    float yaw;       // radians by which the body has turned until then
} lope_ring_landing;

// Contact sphere number `index` of the steps in which `support` stands: where its foot lands, and its weights (may be
// NULL), [samples].
LOPE_API lope_ring_landing lope_ring_sphere(const lope_rings *rings, int ring, lope_side support, int index,
                                            float *weights);
// Where the swinging foot really lands with the given weights, whose sum is 1.
LOPE_API lope_ring_landing lope_ring_land(const lope_rings *rings, int ring, lope_side support, const float *weights);
// Weights for a wanted landing, by kriging. Returns false where the place lies outside the hull of what the samples
// reach; the weights are then those of what can be done in that direction.
LOPE_API bool lope_ring_reach(const lope_rings *rings, int ring, lope_side support, lope_vec3 point, float *weights);
// The pose at `frame` (0 .. frames, fractions too) of the cycle with constant weights, the supporting foot at the
// origin.
LOPE_API void lope_ring_pose(const lope_rings *rings, int ring, float frame, const float *weights, lope_pose *out);

// Ways from one ring to another, found when they were built: in `frame` of ring `from`, change to `to_frame` of ring
// `to`; `cost` is the root mean square distance of the joints there, in metres.
typedef struct lope_ring_link {
    int from, to;
    float from_frame, to_frame, cost;
} lope_ring_link;
LOPE_API int lope_rings_link_count(const lope_rings *rings);
LOPE_API lope_ring_link lope_rings_link(const lope_rings *rings, int link);

// ---- one character

// A character that walks, runs and stands on rings. Rings and terrain are shared and only read; each gait may be
// stepped on its own thread. Stepping allocates nothing, and the same steps give the same bits.
typedef struct lope_gait lope_gait;

// What the character is asked to do, like the position of a stick. Changes are heeded within a quarter of a cycle.
typedef struct lope_gait_control {
    lope_gait_mode mode;
    float direction; // radians, where to go; ignored while standing
    float stride;    // metres from foot to foot; what the samples cannot do is cut down to what they can
} lope_gait_control;

typedef struct lope_gait_def {
    lope_ground at; // where it stands at first, and where it faces
    float above;    // metres: the ground is looked for from this height down
    float radius;   // metres, of contact spheres
    float trim;     // radians by which a step may be turned directly, beyond what its samples turn
    bool combined;  // rings of straight samples: the body is turned directly, up to `combined_turn` per step
    float combined_turn;
    float steepest;     // radians: ground steeper than this is no place for a foot
    float accuracy;     // metres: weights are corrected until the foot lands as near as this
    bool ik;            // feet are put on the ground and held there; false: what weights alone do
    unsigned published; // lope_published bits of LOPE_PUBLISHED_GAIT; 0: none
} lope_gait_def;
LOPE_API lope_gait_def lope_gait_def_default(void);

// Makes a character that stands. `terrain` NULL: flat ground at height 0. LOPE_NOT_FOUND where there is no ground for
// both feet, or the rings know no gait or no rest.
LOPE_API lope_status lope_gait_create(const lope_rings *rings, const lope_terrain *terrain, const lope_gait_def *def,
                                      lope_gait **out, lope_error *error);
LOPE_API void lope_gait_destroy(lope_gait *gait);
// The same in the caller's memory, for many: bytes of one, a multiple of 16, and one in memory aligned to 16, which
// needs no destroying. Gaits that will be entered (below) can be made with `terrain` NULL and the default definition.
LOPE_API size_t lope_gait_size(const lope_rings *rings);
LOPE_API lope_status lope_gait_init(void *memory, const lope_rings *rings, const lope_terrain *terrain,
                                    const lope_gait_def *def, lope_gait **out, lope_error *error);

// Goes on by dt seconds, at most 0.1. The same terrain each time, which may have changed.
LOPE_API void lope_gait_step(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, float dt);
// Steps many, each with its own control, on the pool's threads (NULL: one after the other).
LOPE_API void lope_gait_step_many(lope_gait *const *gaits, const lope_gait_control *controls, int count,
                                  const lope_terrain *terrain, float dt, lope_jobs *jobs);

// Another character, kept away from as walls are: steps that would come too near turn aside, get shorter, or wait.
typedef struct lope_gait_disc {
    lope_vec3 centre;   // on the ground; it counts within 1.5 m of height
    lope_vec2 velocity; // metres per second
    float radius;       // metres
} lope_gait_disc;
#define LOPE_GAIT_DISCS 8
// From the next step on until told again; the first LOPE_GAIT_DISCS are copied, so give the nearest. Only steps that
// are not yet planned heed it: tell it every frame.
LOPE_API void lope_gait_avoid(lope_gait *gait, const lope_gait_disc *discs, int count);

// What is shown now, in the world; lives as long as the gait.
LOPE_API const lope_pose *lope_gait_pose(const lope_gait *gait);
// Goes over into the gait from a moment of anybody's motion (of the same skeleton), in motion: the nearest pose and
// velocity of a ring with the same supporting foot. Feet that stand stay where they stand, a foot in the air goes on
// from where it is, hips keep place and speed; what differs of that fades. Trunk and arms are the ring's at once: let a
// lope_handover (lope/controller.h) fade them. The control of the next lope_gait_step is heeded as soon as that foot
// allows. Allocates nothing. LOPE_NOT_FOUND where there is no ground below the feet; the gait stays as it was.
LOPE_API lope_status lope_gait_enter(lope_gait *gait, const lope_terrain *terrain, const lope_moment *moment,
                                     lope_error *error);
// How badly that would match, in metres; INFINITY where it cannot. Changes nothing.
LOPE_API float lope_gait_fit(const lope_gait *gait, const lope_terrain *terrain, const lope_moment *moment);
// Whether others go on well from here: it stands, or no foot is about to come down or has just done so. Legs are
// straight then, and their knees leap where anything changes.
LOPE_API bool lope_gait_may_leave(const lope_gait *gait);

// Parts of the feet that touch: lope_contact bits.
LOPE_API uint16_t lope_gait_contacts(const lope_gait *gait);
// Where it is and where it is going.
LOPE_API lope_ground lope_gait_ground(const lope_gait *gait);

// A foot that came down.
typedef struct lope_gait_strike {
    lope_side side;
    lope_vec3 place;      // of the ball, on the ground
    lope_vec3 normal;     // of the ground there
    float by_weights;     // metres between foot and ground before IK
    float by_ik;          // after it
    bool in_hull;         // the place lies within what the samples reach
    float stride, course; // metres along the course; radians, where it goes from here
} lope_gait_strike;

typedef struct lope_gait_state {
    int ring;    // that is played
    float frame; // of its cycle
    lope_side support;
    bool standing;
    bool refused; // would go on, but there is no place for the next foot
    bool stuck;   // has tried everything from here, and waits for another direction or other ground
    bool blocked; // has stopped within a step, because a solid has come right before it
    int strikes;  // feet that have come down so far
    lope_gait_strike last;
    lope_gait_strike next; // what the swinging foot is heading for
    float wait;            // seconds until control is heeded again; 0: at once
} lope_gait_state;
LOPE_API lope_gait_state lope_gait_state_of(const lope_gait *gait);

// Control that leads along a way over the ground and stops at its end. `next` is the caller's and begins at 0: the
// corner that is headed for. `look_ahead` metres, about 1. The mode and stride of `like` are used on the way. Where no
// start leads on, a few of them are turned aside.
LOPE_API lope_gait_control lope_gait_follow(const lope_gait *gait, const lope_vec2 *way, int count, int *next,
                                            float look_ahead, const lope_gait_control *like);
// Control that leads to a place and stops there.
LOPE_API lope_gait_control lope_gait_go_to(const lope_gait *gait, lope_vec2 place, const lope_gait_control *like);

// A gait as a controller (lope/controller.h): this is its `self`. The caller sets what is not private.
typedef struct lope_gait_carrier {
    lope_gait *gait;
    const lope_terrain *terrain; // NULL: flat ground at height 0
    lope_gait_control like;      // mode and stride on the way, for aims that ask for no speed
    // A way to the place of aims that give no direction, such as one over a link (lope/link_way.h), in plan; NULL:
    // straight. Set way_next to 0 with it.
    const lope_vec3 *way;
    int way_count, way_next;
    lope_aim aim; // private
    bool aimed;   // private: otherwise it stands
} lope_gait_carrier;
LOPE_API const lope_controller *lope_gait_controller(void);

#ifdef __cplusplus
}
#endif
#endif
