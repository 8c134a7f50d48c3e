// SPDX-License-Identifier: MIT
// Which cycles a ring may mix. A clip that turns on the spot, hops, steps back, climbs or sinks to the floor has
// cycles, too; one such sample among walks bends everything that is mixed near it.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"
#include "motion/joints.h"
#include "rings/build/build.h"

enum { LOOKS = 12 };
// Shares of the leg's length.
static const double LOWEST_HIPS = 0.6, LOWEST_STANCE = 0.8;         // hips above the lower ankle
static const double SINKS = 0.09;                                   // hips against feet over a cycle
static const double BACK = 0.25, ASIDE = 1.0, FAR = 2.2;            // of a step
static const double SIDEWAYS = 0.25, CLIMBS = 0.15, LEADS_ON = 0.2; // of a cycle
static const double STEPS = 0.06;                                   // of a foot in a stance
static const double MOST_TURN = 1.6;                                // radians of a cycle
static const double STRAIGHT = 0.25;                                // radians of a cycle: no more turn than that
static const double STANCE_TURN = 0.2;                              // radians, in a stance
static const double OWN_EVEN = 0.12;      // the least share of the cycle between strikes of a motion of one's own
static const double EVEN[2] = {0.3, 0.7}; // share of the cycle at which the right foot strikes

void ring_take_landings(const ring_take *take, bool rest, float out[2][3])
{
    for (int track = 0; track < 2; track++) {
        lope_vec3 next = take->places[1 - track];
        if (track == 1 && !rest) { // the left foot's next place is one cycle on
            const lope_clip *clip = take->loop.clip;
            size_t joints = (size_t)clip->skeleton->joint_count;
            size_t a = (size_t)take->strikes[0], c = a + (size_t)take->loop.period;
            lope_quat turn =
                lope_quat_mul(clip->rotations[c * joints], lope_quat_conjugate(clip->rotations[a * joints]));
            next = lope_v3_add(clip->root[c], lope_quat_rotate(turn, lope_v3_sub(next, clip->root[a])));
        }
        lope_vec3 p = lope_quat_rotate(lope_quat_yaw(-take->yaws[track]), lope_v3_sub(next, take->places[track]));
        memcpy(out[track], &p, sizeof p);
    }
}

static double joint_height(const lope_clip *clip, int frame, int role)
{
    return (double)joint_in_frame(clip, frame, clip->skeleton->roles[role]).translation.y;
}

// Hips above the lower ankle, at least, over the middle cycle.
static double lowest_hips(const ring_take *take)
{
    const lope_clip *clip = take->loop.clip;
    double lowest = HUGE_VAL;
    for (int i = 0; i < LOOKS; i++) {
        int f = take->loop.period + take->loop.period * i / LOOKS;
        double low = fmin(joint_height(clip, f, LOPE_LEFT_ANKLE), joint_height(clip, f, LOPE_RIGHT_ANKLE));
        lowest = fmin(lowest, joint_height(clip, f, LOPE_LEFT_HIP) - low);
    }
    return lowest;
}

static double turn_of(const ring_take *take, int from, int to)
{
    const lope_clip *clip = take->loop.clip;
    return fabs((double)lope_wrap_angle(lope_clip_ground(clip, to).yaw - lope_clip_ground(clip, from).yaw));
}

// In a stance nothing turns and no foot goes anywhere.
static lope_status check_stance(const ring_take *take, double leg, lope_error *error)
{
    const lope_clip *clip = take->loop.clip;
    static const int roles[2] = {LOPE_LEFT_ANKLE, LOPE_RIGHT_ANKLE};
    int first = take->loop.period;
    for (int i = 1; i <= LOOKS; i++) {
        int f = first + take->loop.period * i / LOOKS;
        if (turn_of(take, first, f) > STANCE_TURN)
            return lope_fail(error, LOPE_NOT_FOUND, "%s: turns on the spot, which is no stance", take->name);
        for (int side = 0; side < 2; side++) {
            int joint = clip->skeleton->roles[roles[side]];
            lope_vec3 a = joint_in_frame(clip, first, joint).translation,
                      b = joint_in_frame(clip, f, joint).translation;
            if ((double)lope_v3_distance(a, b) > STEPS * leg)
                return lope_fail(error, LOPE_NOT_FOUND, "%s: its feet move, which is no stance", take->name);
        }
    }
    if (lowest_hips(take) < LOWEST_STANCE * leg)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: sits or crouches, which is no stance", take->name);
    return LOPE_OK;
}

// What the hips rise by from the cycle's first frame to its last, less what the left foot does, in the clip as
// captured.
static double sinks_by(const ring_take *take, const lope_clip *source)
{
    int a = take->loop.source_first, b = a + take->loop.period;
    b = b < source->frame_count ? b : source->frame_count - 1;
    double hips = (double)(source->root[b].y - source->root[a].y);
    return fabs(hips - (joint_height(source, b, LOPE_LEFT_ANKLE) - joint_height(source, a, LOPE_LEFT_ANKLE)));
}

static lope_status check_step(const ring_take *take, const float land[3], double leg, lope_error *error)
{
    if (fabs((double)land[0]) > ASIDE * leg)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: steps aside by %.2f m", take->name, fabs((double)land[0]));
    if (sqrt((double)(land[0] * land[0] + land[2] * land[2])) > FAR * leg)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: leaps", take->name);
    return LOPE_OK;
}

// Both steps of a cycle, each seen from halfway between where it begins to face and where it ends: how far they lead to
// the side, beyond how far they lead ahead.
static double sideways(const ring_take *take, float landings[2][3])
{
    double aside = 0.0, ahead = 0.0, cycle = (double)lope_clip_ground(take->loop.clip, take->strikes[0]).yaw;
    cycle = (double)lope_clip_ground(take->loop.clip, take->strikes[0] + take->loop.period).yaw - cycle;
    double first = (double)lope_wrap_angle(take->yaws[1] - take->yaws[0]);
    double second = (double)lope_wrap_angle((float)(cycle - first));
    for (int track = 0; track < 2; track++) {
        double half = 0.5 * (track ? second : first), s = lope_sin(half), c = lope_cos(half);
        double x = (double)landings[track][0], z = (double)landings[track][2];
        aside += x * c - z * s;
        ahead += x * s + z * c;
    }
    return fabs(aside) - fmax(ahead, 0.0);
}

// On ladders: hardly ahead in a whole cycle, and up or down by more than that.
static bool climbs(float landings[2][3], double leg)
{
    double rise = (double)(landings[0][1] + landings[1][1]), ahead = (double)(landings[0][2] + landings[1][2]);
    return ahead < LEADS_ON * leg && fabs(rise) > fmax(ahead, CLIMBS * leg);
}

// Of a motion of one's own only what the frames of a ring cannot tell: that feet take turns, and how far bodies fly.
static lope_status check_own(const ring_take *take, double leg, lope_error *error)
{
    double share = (double)(take->strikes[1] - take->strikes[0]) / take->loop.period;
    float landings[2][3];
    if (share < OWN_EVEN || share > 1.0 - OWN_EVEN)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: hops: both feet strike within %.0f %% of the cycle", take->name,
                         100.0 * fmin(fabs(share), 1.0 - share));
    ring_take_landings(take, false, landings);
    lope_status status = check_step(take, landings[0], leg, error);
    return status ? status : check_step(take, landings[1], leg, error);
}

static lope_status check_gait(const ring_take *take, const lope_clip *source, double leg, lope_error *error)
{
    int period = take->loop.period;
    double share = (double)(take->strikes[1] - take->strikes[0]) / period, turn = turn_of(take, period, 2 * period);
    double sinks = sinks_by(take, source);
    float landings[2][3];
    if (share < EVEN[0] || share > EVEN[1])
        return lope_fail(error, LOPE_NOT_FOUND, "%s: hops: both feet strike within %.0f %% of the cycle", take->name,
                         100.0 * fmin(fabs(share), 1.0 - share));
    if (turn > MOST_TURN)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: turns by %.0f degrees in a cycle", take->name,
                         turn * 180.0 / LOPE_PI);
    if (sinks > SINKS * leg)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: hips sink or rise over the feet by %.0f cm in a cycle", take->name,
                         100.0 * sinks);
    if (lowest_hips(take) < LOWEST_HIPS * leg)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: crouches", take->name);
    ring_take_landings(take, false, landings);
    if ((double)(landings[0][2] + landings[1][2]) < -BACK * leg) // one of both steps back in turns on the spot
        return lope_fail(error, LOPE_NOT_FOUND, "%s: walks backwards", take->name);
    if (!take->filled && climbs(landings, leg))
        return lope_fail(error, LOPE_NOT_FOUND, "%s: climbs: goes up or down by more than it leads ahead", take->name);
    if (sideways(take, landings) > SIDEWAYS * leg)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: walks sideways", take->name);
    lope_status status = check_step(take, landings[0], leg, error);
    return status ? status : check_step(take, landings[1], leg, error);
}

lope_status ring_take_check(const ring_take *take, const lope_clip *source, const lope_ring_def *def, lope_error *error)
{
    double leg = (double)lope_skeleton_leg_length(source->skeleton);
    int period = take->loop.period;
    if (def->straight && turn_of(take, period, 2 * period) > STRAIGHT)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: turns, and only straight samples are wanted", take->name);
    if (def->kind == LOPE_RING_OWN)
        return check_own(take, leg, error);
    return def->kind == LOPE_RING_REST ? check_stance(take, leg, error) : check_gait(take, source, leg, error);
}
