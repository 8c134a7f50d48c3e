// SPDX-License-Identifier: MIT
// One ring in memory, as it lies in the file. A cycle consists of two tracks: from the strike of the left foot to that
// of the right, and back. Each is told in its own frame: the origin where the ball of the supporting foot stands, +Z
// where the body faces at the strike. Rows are frames of one sample, as controls of
// cubic B-splines through them; a track has one more before and two behind.
//
// A row holds the coefficients of the joints' modes, then the root: its rotation vector, its place, and how fast the
// ring is passed through; then the places of the balls of both feet. Places are mixed as places, and the legs are
// turned to join them: so a foot that stands in all samples stands in every mixture, whatever the weights do, the body
// goes as smoothly as the samples' do, also across strikes, and a mixture of landings lands in their mean. Angles alone
// mix to none of that.
#ifndef LOPE_SRC_RINGS_RING_H
#define LOPE_SRC_RINGS_RING_H

#include "asset/built.h"
#include "lope/ik.h"
#include "lope/rings.h"
#include "math/larger.h"

enum {
    RING_SAMPLES = LOPE_RING_MAX_SAMPLES,
    RING_MODES = 56,
    RING_WIDTH = RING_MODES + 16,
    RING_CHAIN = 16,                  // joints from below the root to the toes, at most
    RING_LEG_GROUPS = RING_CHAIN / 2, // of four joints each, that hold both legs
    RING_LEG_SLOTS = RING_LEG_GROUPS * 4,
    RING_FACETS = 96,
    RING_DRIFT = 4 // kriging: one and the three coordinates
};

// Behind the modes in a row.
enum ring_tail { RING_TURN, RING_PLACE = 3, RING_RATE = 6, RING_FEET, RING_TAIL = RING_FEET + 6 };

typedef float ring_four __attribute__((vector_size(16)));

typedef struct ring_head {
    char name[32];
    uint32_t kind;   // lope_ring_kind
    uint32_t frames; // of a track
    uint32_t samples, modes, width;
    uint32_t joints, groups, leg_groups;
    uint32_t lattice[3];
    uint32_t facets[2];
    float foot_error, seconds;
    float lift[2][RING_SAMPLES]; // frame of track (side is the one that came down first) at which the other foot leaves
    float off[2][RING_SAMPLES];  // frame of a track at which its own supporting foot leaves; beyond its end: later
    float pitch[2][RING_SAMPLES]; // of each foot while it stands flat, radians
    float bias[RING_SAMPLES]; // radians from the facing at the left foot's strike to the course; at the right's, less
    float low[2][3], high[2][3]; // where feet land
    lope_hinge elbows[2];        // how far they bend in the clips of the samples; joint 0: not known
    int32_t elbow_slots[2];
    float reach[2][2]; // metres from hip to ankle in those clips, by side: the shortest and the longest
    float stride;      // metres from foot to foot, as the performer usually steps; 0: not known
    float steep;       // how many times height counts in distances of kriging
    float heading;     // radians from where the body faces to where it goes: of sidesteps a right angle
    uint32_t bare;     // 1: feet do not stand on their soles, as in a crawl, and are not put on the ground by IK
    uint32_t angles;   // 1: feet are where the mixed angles lead; 0: where their mixed places are
} ring_head;

typedef struct ring_sphere {
    float x, y, z, yaw;
    float course; // after the step, against the facing before it
    float stride; // along the course
    float weights[RING_SAMPLES];
} ring_sphere;

typedef struct ring_link {
    int32_t from, to;
    float from_frame, to_frame, cost;
} ring_link;

// The leg of one side, for posing without the rest of the body.
typedef struct ring_leg {
    int count;                 // joints of the chain, below the root
    int joints[RING_CHAIN];    // of the skeleton
    int slots[RING_CHAIN];     // where they are in the groups
    int hip, knee, ankle, toe; // in the chain; toe == ankle where there is none
    float thigh, shin;         // metres from joint to joint; those between (twists) turn along with the one above
    lope_vec3 heel;            // of the sole, in the ankle's frame
    lope_vec3 ball;            // of the sole, in the toe's frame
    lope_vec3 tip;             // of the toes, in the toe's frame
    lope_vec3 pivot;           // what the heel rises about, in the ankle's frame: the toe joint, or the end of the foot
    lope_vec3 toe_offset;      // toe joint in the ankle's frame; zero where there is none
    lope_quat toe_rest;        // of the toe joint relative to the ankle, in the rest pose
    lope_quat sole;            // orientation of the foot in the ankle's frame: +Y up from the sole, +Z to the toes
} ring_leg;

typedef struct lope_ring {
    const ring_head *head;
    const float *rows;          // [2][frames + 3][samples][width]
    const float *modes;         // [modes][groups][3][4]
    const float *means;         // [groups][4][4]: x, y, z, w of four joints
    const int32_t *order;       // [groups * 4]: joint of a slot, -1: none
    const float *root_mean;     // [4]
    const float *kriging;       // [2][samples][samples + RING_DRIFT]
    const float *points;        // [2][samples][4]: landings and yaw
    const ring_sphere *spheres; // [2][lattice product]
    const float *facets;        // [2][RING_FACETS][4]: outward normal and distance
    size_t bytes;
} lope_ring;

struct lope_rings {
    lope_skeleton *skeleton;
    struct lope_container *container; // NULL: own memory
    void *memory;
    int count, link_count;
    lope_ring *rings;
    void **images; // of rings that were built
    ring_link *links;
    ring_leg legs[2];
};

// The ring that a mode other than standing plays: a walk where there is no other; -1: there is no gait.
LOPE_API int lope_rings_of_mode(const lope_rings *rings, lope_gait_mode mode);

// ---- layout

// Skeleton and rings as chunks of a file.
lope_chunk_adder lope_rings_add_chunks;

// Points a ring into an image that begins with its head. Returns how many bytes the image needs.
LOPE_API size_t lope_ring_attach(lope_ring *ring, const void *image);
// Whether an image begins with a head that makes sense; only then may a ring be pointed into it.
LOPE_API bool lope_ring_head_sane(const void *image, size_t size, int joint_count);
// Whether everything in the image is finite and within its bounds, for a head that makes sense and a skeleton with
// those legs.
LOPE_API bool lope_ring_sane(const lope_ring *ring, const ring_leg legs[2]);
// The first sample that turns a joint farther than files may; -1: none.
LOPE_API int lope_ring_odd_sample(const lope_ring *ring);

static inline int ring_lattice(const lope_ring *ring)
{
    return (int)(ring->head->lattice[0] * ring->head->lattice[1] * ring->head->lattice[2]);
}
static inline const float *ring_row(const lope_ring *ring, int track, int frame, int sample)
{
    const ring_head *h = ring->head;
    size_t index = ((size_t)track * (h->frames + 3) + (size_t)(frame + 1)) * h->samples + (size_t)sample;
    return ring->rows + index * h->width;
}

// ---- legs

// False where the skeleton is no biped with the hips as root, or there are too many joints in a leg.
LOPE_API bool lope_ring_find_legs(const lope_skeleton *skeleton, ring_leg legs[2]);
// How many slots both legs take up. Chains that share joints share their first ones, so the last slot is at an end.
static inline int ring_leg_slots(const ring_leg legs[2])
{
    int left = legs[0].slots[legs[0].count - 1], right = legs[1].slots[legs[1].count - 1];
    return 1 + (left > right ? left : right);
}

// ---- posing

// Rows of numbers and what each counts.
typedef struct ring_terms {
    const float *rows;
    size_t stride;   // floats from row to row
    const float *by; // [count]
    int count;
} ring_terms;
// Their sum: the first `count` numbers of the rows, a multiple of four up to RING_WIDTH; the same bits for 4 and 8
// lanes.
LOPE_API void lope_ring_weigh(const ring_terms *terms, int count, int lanes, float *out);
LOPE_API int lope_ring_lanes(void); // as many as this processor is best at

// Mixes the rows around `frame` of a track (0 .. frames), with slopes continuous everywhere. row[RING_WIDTH].
LOPE_API void lope_ring_mix(const lope_ring *ring, int track, float frame, const float *weights, float *row);
// Rotations of the joints in groups [first, last) from a mixed row; slots[(last - first) * 4]. Elbows bend no farther
// than in the clips, whatever the weights, and what the modes leave out, would have them do.
LOPE_API void lope_ring_decode(const lope_ring *ring, const float *row, int first, int last, lope_quat *slots);
// A moment of a ring.
typedef struct ring_moment {
    int track;
    float frame;          // 0 .. frames
    const float *weights; // of the samples
} ring_moment;
// The whole pose, legs joined to where the feet are; out->rotations[joint_count].
LOPE_API void lope_ring_pose_all(const lope_rings *rings, const lope_ring *ring, ring_moment at, lope_pose *out);
LOPE_API lope_quat lope_ring_root_rotation(const lope_ring *ring, const float *row);
static inline lope_vec3 ring_place(const lope_ring *ring, const float *row)
{
    const float *place = row + ring->head->modes + RING_PLACE;
    return lope_v3(place[0], place[1], place[2]);
}
static inline lope_vec3 ring_ball_place(const lope_ring *ring, const float *row, int side)
{
    const float *place = row + ring->head->modes + RING_FEET + 3 * side;
    return lope_v3(place[0], place[1], place[2]);
}

// Transforms of a leg's chain, below a root with that rotation at the origin.
LOPE_API void lope_ring_pose_leg(const lope_skeleton *skeleton, const ring_leg *leg, const lope_quat *slots,
                                 lope_quat root, lope_transform chain[RING_CHAIN]);
LOPE_API lope_vec3 lope_ring_ball(const ring_leg *leg, const lope_transform *chain);
// The ankle of a leg whose ball is at a place.
static inline lope_vec3 ring_ankle_for(const ring_leg *leg, const lope_transform *chain, lope_vec3 ball)
{
    return lope_v3_sub(lope_v3_add(ball, chain[leg->ankle].translation), lope_ring_ball(leg, chain));
}
// Where the ball of a foot is, given the leg's chain below the row's root.
static inline lope_vec3 ring_ball_shown(const lope_ring *ring, const float *row, int side, const ring_leg *leg,
                                        const lope_transform *chain)
{
    return ring->head->angles ? lope_v3_add(ring_place(ring, row), lope_ring_ball(leg, chain))
                              : ring_ball_place(ring, row, side);
}
LOPE_API lope_vec3 lope_ring_heel(const ring_leg *leg, const lope_transform *chain);

// From the right hip joint to the left one, given the chains of both legs.
static inline lope_vec3 ring_hips(const ring_leg legs[2], lope_transform chains[2][RING_CHAIN])
{
    return lope_v3_sub(chains[0][legs[0].hip].translation, chains[1][legs[1].hip].translation);
}

// Turns a leg so that its ankle comes to the target; `hip` is where the hip joint is, `above` the rotation it hangs on,
// `hips` leads from the right hip joint to the left one.
// Where the leg would get longer than `most` of its length, or within `soft` metres of that, the foot stays behind.
typedef struct ring_leg_goal {
    lope_vec3 hip, hips;
    lope_quat above;
    lope_transform ankle;
    lope_quat toe;
    float most, soft;
} ring_leg_goal;
LOPE_API void lope_ring_leg_solve(const ring_leg *leg, const lope_transform *chain, const ring_leg_goal *goal,
                                  lope_quat out[RING_CHAIN]);
// Turns hips and knees below a root so that the balls of both feet come to their places, and keeps the orientation of
// the feet.
LOPE_API void lope_ring_join_legs(const lope_skeleton *skeleton, const ring_leg legs[2], lope_transform root,
                                  const lope_vec3 balls[2], lope_quat *slots);
// max(x, 0), rounded off within about `soft`.
static inline float ring_soft_excess(float x, float soft)
{
    return 0.5f * (x + sqrtf(x * x + soft * soft));
}
#define RING_STRAIGHTEST 0.9985f // of thigh and shin: knees never get past straight

// A strike with given weights, seen from the supporting foot's frame: where the foot comes to stand, and its ankle and
// toes at that moment.
typedef struct ring_strike {
    lope_ring_landing landing;
    lope_transform ankle;
    lope_quat toe; // relative to the ankle
} ring_strike;
LOPE_API ring_strike lope_ring_strike_of(const lope_rings *rings, const lope_ring *ring, int track,
                                         const float *weights);
LOPE_API lope_ring_landing lope_ring_land_of(const lope_rings *rings, const lope_ring *ring, int track,
                                             const float *weights);

// Where the body goes when it faces its frame's +Z at the strike of `track`: pelvis and course swing about each other.
static inline float ring_bias(const lope_ring *ring, int track, const float *weights)
{
    float sum = 0.0f;
    for (uint32_t s = 0; s < ring->head->samples; s++)
        sum += weights[s] * ring->head->bias[s];
    return track ? -sum : sum;
}

// ---- weights

// How far landings are apart for kriging. Height counts several times: a step of 20 cm up looks less like one on the
// level than one that is 20 cm longer does, and walks on the flat should not be mixed from climbing up and down.
#define RING_STEEP 2.0f
static inline float ring_apart(const float *a, const float *b, float steep)
{
    float x = a[0] - b[0], y = steep * (a[1] - b[1]), z = a[2] - b[2];
    return sqrtf(x * x + y * y + z * z);
}
// Kriging weights for a landing, not limited.
LOPE_API void lope_ring_krige(const lope_ring *ring, int track, lope_vec3 point, float *weights);
// The change of weights that moves a landing from one place to another.
LOPE_API void lope_ring_krige_change(const lope_ring *ring, int track, lope_vec3 from, lope_vec3 to, float *change);
// Scales weights down so that their sum is 1 and that of their sizes at most RING_MOST_SIZE: beyond, knees bend
// backwards.
#define RING_MOST_SIZE 2.5f
LOPE_API void lope_ring_limit(int samples, float *weights);
// How far outside the hull of the samples' landings a place lies; negative inside.
LOPE_API float lope_ring_outside(const lope_ring *ring, int track, lope_vec3 point);

#endif
