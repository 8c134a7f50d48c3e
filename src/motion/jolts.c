// SPDX-License-Identifier: MIT
// Jolts in captured rotations: markers that are taken for others, or lost and found again, turn a joint within a frame
// or two, to stay (a jump) or to come back (a spike). Two things tell them from motion. They stand alone: muscles
// speed a joint up and slow it down over a tenth of a second, so nothing human is over in half of that between frames
// that hardly turn. And they stand out from what the joint does in the rest of the clip. Spikes are left out along the
// way that leads on from their neighbours; jumps are spread over the frames around them, half before and half behind.
#include "lope/edit.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/blend.h"
#include "lope/ik.h"
#include "motion/joints.h"

// Times faster than the frames on both sides; with fewer frames than that a second, motion itself looks jerky.
#define ALONE 4.0f
#define ALONE_AT_FEW 8.0f
#define FEW_FRAMES 50.0f
// Times the acceleration that all but a share of the clip stays below, of so many frames that are looked at; and
// radians per second squared, both at 30 frames per second.
#define STANDS_OUT 5.0f
#define OFTEN 0.05f
#define STANDS_OUT_AND_BACK 2.0f // enough for spikes as short as a jump that leave hardly anything behind
#define HARDLY 0.25f             // of how far they lead
#define LOOKED_AT 500
#define LEAST_ACCELERATION 40.0f
// Radians per second, at the clip's rate: slower frames cannot reach that.
#define LEAST_SPEED 1.0f
// Seconds: the longest jump, the longest spike, and how long it is quiet on either side.
#define LONGEST_JUMP 0.036f
#define LONGEST_SPIKE 0.07f
#define QUIET 0.06f
// Radians per frame: what turns less is still.
#define STILLNESS 1e-4f
// Metres per second squared that mending may add to what a joint carries, at 30 frames per second.
#define MORE_SHAKEN 5.0f
// Share of a limb's length from which on it gives way instead of being stretched: a knee that is all but straight would
// shake by centimetres for millimetres at the foot.
#define GIVES_WAY 0.01f
// Radians from which on a joint has turned over, which is a tear.
#define TURNED_OVER 1.75f
enum { LIMBS = 4 };
// Radians per second that a jump which is spread adds, and the seconds before and behind that it is spread over.
#define SPREAD_SPEED 2.0f
#define LEAST_SPREAD 0.1f
#define MOST_SPREAD 0.5f

typedef struct joint_track {
    const lope_clip *clip;
    int joint;
    float rate;
    int quiet; // frames
    int apart; // frames of 1/30 s
} joint_track;

// Steps lead from a frame to the next. Those from `first` up to `end` are the jolt: frame `first` is the last good one
// before it, and frame `end` the first good one behind.
typedef struct jolt {
    int first, end;
    lope_quat before;  // the joint in frame `first`
    lope_vec3 pace;    // radians per frame: how the joint turns before and behind
    lope_vec3 jump;    // radians: how much farther it has turned afterwards
    int begin, length; // frames over which the jump is spread
    float stands_out;  // times the clip's usual acceleration that it needs
    unsigned kept;     // a bit for each of LIMBS that turned against it
} jolt;

// A clip, the same without the jolt that is mended at the moment, and room for a pose in model space.
typedef struct calm_run {
    lope_clip *clip, before;
    lope_transform *model;
} calm_run;

static lope_quat *rotation_at(const joint_track *track, int frame)
{
    size_t joints = (size_t)track->clip->skeleton->joint_count;
    return &track->clip->rotations[(size_t)frame * joints + (size_t)track->joint];
}

static lope_vec3 turn_between(const joint_track *track, int from, int to)
{
    return lope_quat_log(lope_quat_mul(*rotation_at(track, to), lope_quat_conjugate(*rotation_at(track, from))));
}

static float speed_at(const joint_track *track, int step)
{
    return lope_quat_angle(*rotation_at(track, step + 1), *rotation_at(track, step)) * track->rate;
}

// Widens a jolt until all steps within the quiet on either side are slower than `slow`. False where it gets too long,
// where it is not at its fastest within it, or where the clip begins or ends too near.
static bool widen(const joint_track *track, float fastest, float slow, jolt *j)
{
    int longest = (int)fmaxf(2.0f, LONGEST_SPIKE * track->rate), last = track->clip->frame_count - 2;
    for (int step = j->first - 1; step >= j->first - track->quiet; step--) {
        float speed = step < 0 ? INFINITY : speed_at(track, step);
        if (speed > fastest || j->end - j->first > longest)
            return false;
        j->first = speed > slow ? step : j->first;
    }
    for (int step = j->end; step < j->end + track->quiet; step++) {
        float speed = step > last ? INFINITY : speed_at(track, step);
        if (speed > fastest || j->end - j->first > longest)
            return false;
        j->end = speed > slow ? step + 1 : j->end;
    }
    return j->end - j->first <= longest;
}

// Where the joint would be in a frame of the jolt had it gone on as before and behind.
static lope_quat led_on(const jolt *j, int frame)
{
    return lope_quat_mul(lope_quat_exp(lope_v3_scale(j->pace, (float)(frame - j->first))), j->before);
}

// How far it leads. False where it is too long for a jump and does not come back.
static bool measure(const joint_track *track, jolt *j)
{
    j->before = *rotation_at(track, j->first);
    j->pace = lope_v3_scale(
        lope_v3_add(turn_between(track, j->first - 2, j->first), turn_between(track, j->end, j->end + 2)), 0.25f);
    j->jump = lope_quat_log(lope_quat_mul(*rotation_at(track, j->end), lope_quat_conjugate(led_on(j, j->end))));
    float away = 0.0f, jump = lope_v3_length(j->jump);
    for (int f = j->first + 1; f < j->end; f++)
        away = fmaxf(away, lope_quat_angle(*rotation_at(track, f), led_on(j, f)));
    float seconds = fminf(fmaxf(0.75f * jump / SPREAD_SPEED, LEAST_SPREAD), MOST_SPREAD);
    int spread = (int)(seconds * track->rate) + 1;
    j->begin = j->first - spread;
    j->length = j->end + spread - j->begin;
    bool is_short = j->end - j->first <= (int)fmaxf(1.0f, LONGEST_JUMP * track->rate);
    bool comes_back = is_short && jump < HARDLY * away && track->rate >= FEW_FRAMES;
    j->stands_out = comes_back ? STANDS_OUT_AND_BACK : STANDS_OUT;
    return jump < TURNED_OVER && (is_short || jump < 0.5f * away);
}

// Radians per 1/30 s squared.
static float acceleration_at(const joint_track *track, int frame)
{
    int apart = track->apart;
    return lope_v3_distance(turn_between(track, frame, frame + apart), turn_between(track, frame - apart, frame));
}

static bool stands_out(const joint_track *track, const jolt *j)
{
    float most = 0.0f, seconds = (float)track->apart / track->rate;
    int apart = track->apart, end = track->clip->frame_count - apart, looked = 0, often = 0;
    int first = j->first - apart, last = j->end + apart;
    for (int f = first < apart ? apart : first; f <= last && f < end; f++)
        most = fmaxf(most, acceleration_at(track, f));
    if (most < LEAST_ACCELERATION * seconds * seconds)
        return false;
    for (int f = apart; f < end; f += 1 + track->clip->frame_count / LOOKED_AT) {
        bool inside = f >= first && f <= last;
        looked += !inside;
        often += !inside && acceleration_at(track, f) * j->stands_out > most;
    }
    return (float)often < OFTEN * (float)looked;
}

static bool find_at(const joint_track *track, int step, jolt *out)
{
    float fastest = speed_at(track, step);
    if (fastest < LEAST_SPEED)
        return false;
    *out = (jolt){.first = step, .end = step + 1};
    float alone = track->rate < FEW_FRAMES ? ALONE_AT_FEW : ALONE;
    return widen(track, fastest, fastest / alone, out) && measure(track, out) && stands_out(track, out);
}

// A frame without the jolt.
static lope_quat mended(const joint_track *track, const jolt *j, int frame)
{
    bool within = frame > j->first && frame < j->end;
    float share = lope_ease((float)(frame - j->begin) / (float)j->length) - (frame < j->end ? 0.0f : 1.0f);
    lope_quat rotation = within ? led_on(j, frame) : *rotation_at(track, frame);
    return lope_quat_normalize(lope_quat_mul(lope_quat_exp(lope_v3_scale(j->jump, share)), rotation));
}

// What a joint below is turned by to stay as it stands in the world, given its mended parent; between both are only
// joints that are still.
static lope_quat turned_back(const joint_track *track, const jolt *j, int below, int frame)
{
    int parent = track->clip->skeleton->parents[below];
    joint_track between = *track;
    between.joint = parent;
    lope_quat now = *rotation_at(&between, frame);
    if (parent == track->joint)
        return lope_quat_mul(lope_quat_conjugate(mended(track, j, frame)), now);
    return lope_quat_mul(lope_quat_conjugate(now), lope_quat_mul(turned_back(track, j, parent, frame), now));
}

static lope_quat stayed(const joint_track *track, const jolt *j, const joint_track *below, int frame)
{
    return lope_quat_normalize(lope_quat_mul(turned_back(track, j, below->joint, frame), *rotation_at(below, frame)));
}

typedef enum response { STILL, WITH_IT, AGAINST_IT } response;

// What a joint below does during a jolt.
static response respond(const joint_track *track, const jolt *j, const joint_track *below)
{
    float own = 0.0f, against = 0.0f;
    for (int f = j->first; f < j->end; f++) {
        own = fmaxf(own, lope_quat_angle(*rotation_at(below, f), *rotation_at(below, f + 1)));
        against = fmaxf(against, lope_quat_angle(stayed(track, j, below, f), stayed(track, j, below, f + 1)));
    }
    return own < STILLNESS ? STILL : against < own ? AGAINST_IT : WITH_IT;
}

// The frames that a mended jolt changes.
static void frames_of(const lope_clip *clip, const jolt *j, int *begin, int *end)
{
    *begin = j->begin < 0 ? 0 : j->begin;
    *end = j->begin + j->length < clip->frame_count ? j->begin + j->length : clip->frame_count;
}

// Legs and arms, left and right.
static bool limb_at(const lope_skeleton *skeleton, int index, lope_limb *out)
{
    return index < 2 ? lope_skeleton_leg(skeleton, (lope_side)index, out)
                     : lope_skeleton_arm(skeleton, (lope_side)(index - 2), out);
}

static unsigned limb_from(const lope_skeleton *skeleton, int upper)
{
    lope_limb limb;
    for (int i = 0; i < LIMBS; i++)
        if (limb_at(skeleton, i, &limb) && limb.upper == upper)
            return 1u << i;
    return 0;
}

// Joints that turned against the jolt stay as they stand in the world.
static void keep_below(const joint_track *track, jolt *j, int parent)
{
    int begin, end;
    frames_of(track->clip, j, &begin, &end);
    for (int c = parent + 1; c < track->clip->skeleton->joint_count; c++) {
        joint_track below = *track;
        below.joint = c;
        if (track->clip->skeleton->parents[c] != parent)
            continue;
        response did = respond(track, j, &below);
        if (did == STILL)
            keep_below(track, j, c);
        if (did != AGAINST_IT)
            continue;
        j->kept |= limb_from(track->clip->skeleton, c);
        for (int f = begin; f < end; f++)
            *rotation_at(&below, f) = stayed(track, j, &below, f);
    }
}

// Limbs that turned against the jolt did so to leave hands and feet where they are.
static void keep_ends(const jolt *j, const calm_run *run)
{
    int begin, end;
    lope_limb limb;
    const lope_skeleton *skeleton = run->clip->skeleton;
    frames_of(run->clip, j, &begin, &end);
    for (int f = begin; f < end && j->kept; f++) {
        lope_pose pose = frame_pose(run->clip, f);
        lope_pose_to_model(skeleton, &pose, run->model);
        for (int i = 0; i < LIMBS; i++)
            if (j->kept >> i & 1u && limb_at(skeleton, i, &limb))
                lope_ik_limb(skeleton, limb, joint_in_frame(&run->before, f, limb.end).translation, GIVES_WAY, &pose,
                             run->model);
    }
}

static void mend(const joint_track *track, jolt *j, const calm_run *run)
{
    int begin, end;
    frames_of(track->clip, j, &begin, &end);
    keep_below(track, j, track->joint);
    for (int f = begin; f < end; f++)
        *rotation_at(track, f) = mended(track, j, f);
    keep_ends(j, run);
}

// Metres per second squared at 30 frames per second: the most that a joint is accelerated by around a jolt.
static float most_shaken(const lope_clip *clip, int joint, const jolt *j, int apart)
{
    int begin, end;
    float most = 0.0f, per_second = (float)clip->frame_rate / (float)apart;
    frames_of(clip, j, &begin, &end);
    begin = begin < apart ? apart : begin;
    end = end + apart < clip->frame_count ? end : clip->frame_count - apart;
    for (int f = begin; f < end; f++) {
        lope_vec3 before = joint_in_frame(clip, f - apart, joint).translation;
        lope_vec3 now = joint_in_frame(clip, f, joint).translation;
        lope_vec3 after = joint_in_frame(clip, f + apart, joint).translation;
        most = fmaxf(most, lope_v3_length(lope_v3_add(lope_v3_sub(before, now), lope_v3_sub(after, now))));
    }
    return most * per_second * per_second;
}

// Solvers let joints make up for each other: mended one by one, they can shake what they carry. Such jolts are left.
static bool try_to_mend(const joint_track *track, jolt *j, const calm_run *run)
{
    int begin, end;
    lope_clip *clip = run->clip;
    frames_of(clip, j, &begin, &end);
    size_t joints = (size_t)clip->skeleton->joint_count, at = (size_t)begin * joints;
    size_t size = (size_t)(end - begin) * joints * sizeof *clip->rotations;
    mend(track, j, run);
    bool good = true;
    for (int c = track->joint + 1; good && c < clip->skeleton->joint_count; c++)
        good = !joint_is_above(clip->skeleton, track->joint, c) ||
               most_shaken(clip, c, j, track->apart) <= most_shaken(&run->before, c, j, track->apart) + MORE_SHAKEN;
    const lope_clip *right = good ? clip : &run->before, *wrong = good ? &run->before : clip;
    memcpy(wrong->rotations + at, right->rotations + at, size);
    return good;
}

static int calm_joint(const joint_track *track, const calm_run *run)
{
    int calmed = 0;
    for (int step = track->quiet; step + track->quiet < track->clip->frame_count - 1; step++) {
        jolt found;
        if (find_at(track, step, &found))
            calmed += try_to_mend(track, &found, run);
    }
    return calmed;
}

lope_status lope_clip_calm(lope_clip *clip, int *jolt_count, lope_error *error)
{
    size_t joints = (size_t)clip->skeleton->joint_count, size = (size_t)clip->frame_count * joints * sizeof(lope_quat);
    calm_run run = {clip, *clip, lope_alloc(joints * sizeof *run.model)};
    float rate = (float)clip->frame_rate;
    run.before.rotations = lope_alloc(size);
    *jolt_count = 0;
    bool ready = run.before.rotations && run.model;
    if (ready)
        memcpy(run.before.rotations, clip->rotations, size);
    joint_track track = {.clip = clip, .rate = rate, .quiet = (int)fmaxf(2.0f, QUIET * rate)};
    track.apart = (int)fmaxf(1.0f, rate / 30.0f + 0.5f);
    for (; ready && track.joint < clip->skeleton->joint_count; track.joint++)
        *jolt_count += calm_joint(&track, &run);
    if (*jolt_count > 0)
        lope_clip_align_quaternions(clip);
    lope_free(run.before.rotations);
    lope_free(run.model);
    return ready ? LOPE_OK : lope_fail_memory(error);
}
