// SPDX-License-Identifier: MIT
// What numbers of built files may be. A checksum says that a file is as it was written, not that its writer was sane:
// whatever becomes an index, a count of turns of a loop or a cell of a grid is held against these when it is opened.
// They are far beyond what motion needs, and far within what can be computed with.
#ifndef LOPE_SRC_ASSET_SANE_H
#define LOPE_SRC_ASSET_SANE_H

#include "lope/clip.h"

#define SANE_FRAMES (1u << 28) // of a clip
#define SANE_PLACE 1e4f        // metres from the origin of what it belongs to, or of way
#define SANE_TURN 1000.0f      // radians that a piece of motion turns by
#define SANE_YAW 10.0f         // radians that a heading is told by
#define SANE_COST 1e6f         // seconds, or any other measure of effort
#define SANE_EDIT 10.0f        // metres or radians that a piece of motion is edited by
#define SANE_COUNT 10000000    // of anything in motion blocks
#define SANE_KINDS 4096        // of poses that gates of tiles have; tables are as large as its square
#define SANE_POSES 100000      // that gates of blocks have
#define SANE_LAID (1u << 24)   // frames of all links of a tile, which a world lays out one by one
#define SANE_PLAYED (1u << 26) // frames of all pieces of clips in a file, which are gone through when it is opened

// False for what is not a number.
static inline bool sane_size(float value, float most)
{
    return fabsf(value) <= most;
}

// The same for what cannot be less than nothing: lengths, radii, costs.
static inline bool sane_amount(float value, float most)
{
    return value >= 0.0f && value <= most;
}

static inline bool sane_place(float x, float z)
{
    return sane_size(x, SANE_PLACE) && sane_size(z, SANE_PLACE);
}

// A length, a radius.
static inline bool sane_length(float metres)
{
    return sane_amount(metres, SANE_PLACE);
}

static inline bool sane_ground(lope_ground g)
{
    return sane_place(g.x, g.z) && sane_size(g.yaw, SANE_YAW);
}

static inline bool sane_point(lope_vec3 v)
{
    return sane_place(v.x, v.z) && sane_size(v.y, SANE_PLACE);
}

// Cosine and sine of one angle.
static inline bool sane_heading(float cosine, float sine)
{
    return sane_size(cosine * cosine + sine * sine - 1.0f, 0.01f);
}

static inline bool sane_rate(double frames_per_second)
{
    return frames_per_second >= LOPE_MIN_FRAME_RATE && frames_per_second <= LOPE_MAX_FRAME_RATE;
}

// Whether an index is one of `count`, and whether `count` things from `first` on are among `all`.
static inline bool sane_index(int64_t index, int64_t count)
{
    return index >= 0 && index < count;
}
static inline bool sane_range(int64_t first, int64_t count, int64_t all)
{
    return first >= 0 && count >= 0 && count <= all && first <= all - count;
}

#endif
