// SPDX-License-Identifier: MIT
// How wide the steps of each joint may be. A joint is told relative to what its parent shows, not to what the parent
// should show, so that errors of rotations do not add up down the body; what adds up is how far bones end from where
// they should. Steps begin so that every bone adds as much, and then each joint in turn takes wider ones for as long as
// no point of the body is farther off than allowed.
#include "motion/build/pack.h"

#define TRIES 16      // wider steps of one joint, a quarter of a power of two each
#define PASSES 2      // over all joints
#define MARGIN 0.998f // of the error: what rounding may add
#define PLACE 0.125f  // step of the root's place, of the error
#define LARGEST 20.0f // a number of a rotation: 174 degrees from the middle

// The first step of packed_step that is not wider than this.
static unsigned step_below(float width)
{
    unsigned step = 0;
    while (step < PACKED_MAX_STEP && packed_step(step) > width)
        step++;
    return step;
}

static int32_t nearest(float number)
{
    return (int32_t)lrintf(number);
}

static lope_vec3 from_centre(lope_quat centre, lope_quat q)
{
    lope_quat d = lope_quat_mul(lope_quat_conjugate(centre), q);
    float w = d.w > 1e-6f ? d.w : 1e-6f;
    return (lope_vec3){d.x / w, d.y / w, d.z / w};
}

static void round_centre(lope_quat q, int16_t out[3])
{
    if (q.w < 0.0f)
        q = lope_quat_negate(q);
    out[0] = (int16_t)lrintf(q.x * PACKED_CENTRE);
    out[1] = (int16_t)lrintf(q.y * PACKED_CENTRE);
    out[2] = (int16_t)lrintf(q.z * PACKED_CENTRE);
}

// The mean of all rotations, moved so that the largest and the smallest number are equally far.
static lope_quat find_centre(const lope_quat *wanted, int count, int16_t out[3])
{
    lope_quat sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int f = 0; f < count; f++)
        sum = (lope_quat){sum.x + wanted[f].x, sum.y + wanted[f].y, sum.z + wanted[f].z, sum.w + wanted[f].w};
    lope_quat mean = lope_quat_normalize(sum);
    lope_vec3 least = {LARGEST, LARGEST, LARGEST}, most = {-LARGEST, -LARGEST, -LARGEST};
    for (int f = 0; f < count; f++) {
        lope_vec3 v = from_centre(mean, wanted[f]);
        least = (lope_vec3){fminf(least.x, v.x), fminf(least.y, v.y), fminf(least.z, v.z)};
        most = (lope_vec3){fmaxf(most.x, v.x), fmaxf(most.y, v.y), fmaxf(most.z, v.z)};
    }
    lope_quat middle = packed_rotation(mean, lope_v3_scale(lope_v3_add(least, most), 0.5f));
    round_centre(middle, out);
    lope_quat centre = packed_centre((float)out[0], (float)out[1], (float)out[2]);
    return lope_quat_dot(centre, middle) < 0.0f ? lope_quat_negate(centre) : centre;
}

// How far off a body is that turns with a joint.
static float error_at(lope_transform truth, lope_transform shown, float shell)
{
    const lope_vec3 points[3] = {{shell, 0.0f, 0.0f}, {0.0f, shell, 0.0f}, {0.0f, 0.0f, shell}};
    float worst = lope_v3_distance(truth.translation, shown.translation);
    for (int p = 0; p < 3; p++)
        worst = fmaxf(worst,
                      lope_v3_distance(lope_transform_point(truth, points[p]), lope_transform_point(shown, points[p])));
    return worst;
}

// Rounds a joint to its steps, on what its parent shows.
static bool round_joint(pack_segment *segment, int j)
{
    pack_joint *joint = &segment->joints[j];
    const pack_joint *parent = j > 0 ? &segment->joints[segment->skeleton->parents[j]] : NULL;
    lope_quat wanted[PACK_MOST]; // from frame to frame by the shorter way round
    for (int f = 0; f < segment->frame_count; f++) {
        lope_quat q = joint->truth[f].rotation;
        wanted[f] = parent ? lope_quat_mul(lope_quat_conjugate(parent->shown[f].rotation), q) : q;
        if (f > 0 && lope_quat_dot(wanted[f], wanted[f - 1]) < 0.0f)
            wanted[f] = lope_quat_negate(wanted[f]);
    }
    lope_quat centre = find_centre(wanted, segment->frame_count, joint->centre);
    float step = packed_step(joint->step);
    joint->error = 0.0f;
    for (int f = 0; f < segment->frame_count; f++) {
        lope_vec3 v = from_centre(centre, wanted[f]);
        if (!(fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z))) <= LARGEST))
            return false;
        int32_t n[3] = {nearest(v.x / step), nearest(v.y / step), nearest(v.z / step)};
        for (int c = 0; c < 3; c++)
            joint->numbers.of[c][f] = n[c];
        lope_quat local =
            packed_rotation(centre, (lope_vec3){(float)n[0] * step, (float)n[1] * step, (float)n[2] * step});
        lope_transform own = {local, segment->skeleton->rest[j].translation};
        if (parent)
            joint->shown[f] = lope_transform_mul(parent->shown[f], own);
        else
            joint->shown[f].rotation = local; // its place is rounded once, before
        joint->error = fmaxf(joint->error, error_at(joint->truth[f], joint->shown[f], segment->def->shell));
    }
    return true;
}

// Rounds a joint and all that hang on it. False where that is not possible, or too far off.
static bool round_below(pack_segment *segment, int first)
{
    const lope_skeleton *skeleton = segment->skeleton;
    bool good = true;
    for (int j = first; j < skeleton->joint_count; j++) {
        int above = j;
        while (above > first) // parents come before their children
            above = skeleton->parents[above];
        if (above != first)
            continue;
        if (!round_joint(segment, j))
            return false;
        good = good && segment->joints[j].error <= segment->def->error * MARGIN;
    }
    return good;
}

static void round_place(pack_segment *segment)
{
    pack_joint *root = &segment->joints[0];
    segment->place_step = step_below(segment->def->error * PLACE);
    float step = packed_step(segment->place_step);
    for (int c = 0; c < 3; c++) {
        float least = INFINITY, most = -INFINITY;
        for (int f = 0; f < segment->frame_count; f++) {
            float at = (&root->truth[f].translation.x)[c];
            least = fminf(least, at);
            most = fmaxf(most, at);
        }
        float centre = segment->place_centre[c] = 0.5f * (least + most);
        for (int f = 0; f < segment->frame_count; f++) {
            int32_t n = nearest(fmaxf(-1e9f, fminf(1e9f, ((&root->truth[f].translation.x)[c] - centre) / step)));
            segment->place.of[c][f] = n;
            (&root->shown[f].translation.x)[c] = centre + (float)n * step;
        }
    }
}

// The widest steps that are alike for all bones.
static bool begin(pack_segment *segment)
{
    for (float share = 4.0f; share > 0.005f; share *= 0.84f) {
        for (int j = 0; j < segment->skeleton->joint_count; j++) {
            pack_joint *joint = &segment->joints[j];
            joint->step = step_below(share * segment->def->error / joint->reach);
        }
        if (round_below(segment, 0))
            return pack_fits(segment);
    }
    return false;
}

static void widen(pack_segment *segment, int j)
{
    pack_joint *joint = &segment->joints[j];
    for (int i = 0; i < TRIES && joint->step > 0; i++) {
        joint->step--;
        if (round_below(segment, j))
            continue;
        joint->step++;
        round_below(segment, j);
        return;
    }
}

bool pack_fit(pack_segment *segment)
{
    round_place(segment);
    if (!begin(segment))
        return false;
    for (int pass = 0; pass < PASSES; pass++)
        for (int j = segment->skeleton->joint_count - 1; j >= 0; j--)
            widen(segment, j);
    return pack_fits(segment);
}
