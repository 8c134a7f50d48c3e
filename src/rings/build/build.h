// SPDX-License-Identifier: MIT
// What the stages of building a ring hand to each other.
#ifndef LOPE_SRC_RINGS_BUILD_H
#define LOPE_SRC_RINGS_BUILD_H

#include "lope/rings_build.h"
#include "rings/ring.h"

// A ring's definition as that of a set says.
lope_ring_def ring_def_as(lope_ring_kind kind, const lope_rings_set_def *set);

// ---- small dense algebra, double precision, row by row

// Eigenvalues (descending) and eigenvectors (rows of `vectors`) of a symmetric matrix, by Jacobi rotations. `a` is used
// up.
void ring_eigen(int n, double *a, double *values, double *vectors);
// Inverts in place with pivoting; `work` has n * n numbers. False where the matrix is singular.
bool ring_invert(int n, double *a, double *work);

// ---- features of poses: joints seen from the body's ground frame

// out[frame_count][3 * joint_count], metres.
lope_status ring_features(const lope_clip *clip, float **out, lope_error *error);
// Projects rows of features onto their first four principal axes, scaled so that distances are root mean square
// distances of joints. out[rows][4].
lope_status ring_reduce(const float *features, int rows, int columns, float **out, lope_error *error);

// ---- loops

// The cycle [first, first + period) of a clip, to be closed.
typedef struct ring_cycle {
    int first, period;
    float gap;
} ring_cycle;
// Poses of a closed cycle: rotations without heading, and steps over the ground.
typedef struct ring_closed {
    int period, joints;
    lope_quat *rotations; // [period][joints]; of the root without heading
    lope_ground *steps;   // [period]: from each frame to the next
    float *rises;         // [period]: change of the root's height
    float height;         // of the root in the first frame
} ring_closed;
lope_status ring_close_spread(const lope_clip *clip, ring_cycle cycle, ring_closed *out, lope_error *error);
lope_status ring_close_fitted(const lope_clip *clip, ring_cycle cycle, const float *reduced, ring_closed *out,
                              float *curve, lope_error *error);
lope_status ring_closed_create(int period, int joints, ring_closed *out, lope_error *error);
void ring_closed_free(ring_closed *closed);

// A joint's rotation in a frame of a clip (of the root without heading), the step over the ground and the rise to the
// next frame. Beyond its ends a clip stays in its last pose, and goes on as it went.
lope_quat ring_rotation_at(const lope_clip *clip, int frame, int joint);
lope_ground ring_step_at(const lope_clip *clip, int frame);
float ring_rise_at(const lope_clip *clip, int frame);

// ---- alignment

// Frames beyond both ends of a track that are looked at when its curves are fitted.
enum { RING_BEYOND = 10 };

#define RING_ON_SOLES 0.7f // cosine between soles and ground of feet that stand on them

// A loop with its strikes, and the times of a ring's frames in it.
typedef struct ring_take {
    lope_loop loop;
    const char *name;
    int clip;            // of the ring's definition
    bool filled;         // that clip is not the performer's
    lope_vec3 places[2]; // where the balls of left and right foot stand in the middle cycle
    float yaws[2];       // facing when they came down
    int strikes[2];      // frames of the loop's clip
    int leaves[2];       // frame at which the trailing foot of each track leaves
    float pitches[2];    // of each foot when it stands flat
    float upright[2];    // cosine between what is up from each sole and from the ground, while it stands
    double *times[2];    // frame of the loop's clip for frames -RING_BEYOND .. frames + RING_BEYOND of a track
    double *rates[2];    // ring frames per second, likewise
} ring_take;
void ring_take_free(ring_take *take);
// Before a take is aligned again.
void ring_take_forget_times(ring_take *take);

// Finds strikes, places and facings of a loop.
// `published`: strikes are where accelerations cross zero.
lope_status ring_take_measure(ring_take *take, const ring_leg legs[2], bool rest, bool published, lope_error *error);
// Whether a measured take can be mixed with others. LOPE_NOT_FOUND, saying why, where it cannot.
lope_status ring_take_check(const ring_take *take, const lope_clip *source, const lope_ring_def *def,
                            lope_error *error);
// Where both steps of a take lead, each seen from the foot that stands.
void ring_take_landings(const ring_take *take, bool rest, float out[2][3]);
// Times of a take's frames: strikes pinned, in between warped to be like `reference`.
typedef struct ring_align_def {
    const ring_take *reference;
    int frames; // of a track
    bool rest;
    bool whole; // the cycle is warped as a whole, and all the way
} ring_align_def;
lope_status ring_take_align(ring_take *take, const ring_align_def *def, lope_error *error);

// ---- choosing

typedef struct ring_choose_def {
    const ring_take *takes;
    int take_count, most;
    double dissimilarity; // metres
    bool rest;
    bool greedy;   // no exchange
    bool straight; // no turns
} ring_choose_def;
// Writes which takes become samples, at most `most`.
lope_status ring_choose(const ring_choose_def *def, int *chosen, int *count, lope_error *error);

// Metres from foot to foot of the performer's usual step: the median of its takes, straight and level ones above all.
// 0 where all were filled in, or none is known to be its own.
float ring_usual_stride(const ring_take *takes, int count);

// ---- noise

// Smooths a curve in place, above the tenth harmonic of a cycle of that many frames. What is `odd` radians or metres
// off its smooth course counts half, and less beyond.
lope_status ring_smooth(lope_vec3 *curve, int count, int cycle, double odd, lope_error *error);

// ---- packing

// Everything about one ring but its spheres, from takes that are aligned. The image is the caller's.
typedef struct ring_pack_def {
    const lope_ring_def *def;
    const lope_skeleton *skeleton;
    const ring_leg *legs;
    const ring_take *takes;
    const int *chosen;
    int count;
} ring_pack_def;
lope_status ring_pack(const ring_pack_def *def, void **image, lope_error *error);

// Kriging, hull and spheres of a packed ring.
lope_status ring_fill_spheres(lope_rings *rings, lope_ring *ring, void *image, lope_error *error);

// Ways between rings.
lope_status ring_find_links(lope_rings *rings, lope_error *error);

#endif
