// SPDX-License-Identifier: MIT
// Walks by phase: strides of clips, brought to one time by the strikes of both feet.
#include "base/error.h"
#include "base/list.h"
#include "fill/fill.h"
#include "lope/ground.h"

#define LEVEL 0.1f // of the leg: steps that rise less are on the flat

bool fill_cycle_create(int joints, fill_cycle *out)
{
    *out = (fill_cycle){.joints = joints};
    out->rotations = lope_alloc_array((size_t)joints * (FILL_PHASES + 2), sizeof *out->rotations);
    return out->rotations != NULL;
}

void fill_cycle_free(fill_cycle *cycle)
{
    lope_free(cycle->rotations);
    *cycle = (fill_cycle){0};
}

void fill_phases(const fill_steps *steps, int frame_count, float *out)
{
    float phase = steps->count && steps->steps[0].side == LOPE_RIGHT ? 0.5f : 0.0f;
    int first = steps->count ? steps->steps[0].strike : 0;
    float pace = 0.0f; // phase per frame of the step before the first strike, and later of each
    if (steps->count > 1)
        pace = 0.5f / fmaxf((float)(steps->steps[1].strike - first), 1.0f);
    for (int f = 0; f < frame_count; f++)
        out[f] = phase + pace * (float)(f - first);
    for (int i = 1; i < steps->count; i++) {
        const fill_step *step = &steps->steps[i], *before = step - 1;
        pace = (step->side == before->side ? 1.0f : 0.5f) / fmaxf((float)(step->strike - before->strike), 1.0f);
        for (int f = before->strike; f < frame_count; f++)
            out[f] = phase + pace * (float)(f - before->strike);
        phase = out[step->strike];
    }
}

// Heading of the body while it strides, without the swing of the hips.
static float mean_yaw(const lope_clip *clip, const fill_stride *stride)
{
    float first = lope_clip_ground(clip, stride->strikes[0]).yaw, sum = 0.0f;
    for (int f = stride->strikes[0]; f < stride->strikes[2]; f++)
        sum += lope_wrap_angle(lope_clip_ground(clip, f).yaw - first);
    return first + sum / (float)(stride->strikes[2] - stride->strikes[0]);
}

// A frame of a stride; the root's rotation is without heading, which is returned.
static float sample_at(const lope_clip *clip, double frame, lope_transform *model, lope_pose *pose)
{
    lope_clip_sample(clip, frame / clip->frame_rate, pose);
    lope_pose_to_model(clip->skeleton, pose, model);
    float yaw = lope_ground_of_model(clip->skeleton, model).yaw;
    pose->rotations[0] = lope_quat_mul(lope_quat_yaw(-yaw), pose->rotations[0]);
    return yaw;
}

// Takes out what a stride ends with beyond what it began with, half of it at either end: cycles go round, and what does
// not close would show as a hitch in every stride. `share` of the way through the stride, 0 .. 1.
static lope_quat closed(lope_quat q, lope_quat first, lope_quat last, float share)
{
    lope_quat gap = lope_quat_mul(last, lope_quat_conjugate(first));
    lope_vec3 turn = lope_quat_log(gap.w < 0.0f ? lope_quat_negate(gap) : gap);
    return lope_quat_normalize(lope_quat_mul(lope_quat_exp(lope_v3_scale(turn, 0.5f - share)), q));
}

void fill_stride_sample(const lope_clip *clip, const fill_stride *stride, lope_transform *model, fill_cycle *out)
{
    float heading = mean_yaw(clip, stride);
    size_t joints = (size_t)out->joints;
    lope_pose ends[2] = {{.joint_count = out->joints, .rotations = out->rotations + FILL_PHASES * joints},
                         {.joint_count = out->joints, .rotations = out->rotations + (FILL_PHASES + 1) * joints}};
    float from = sample_at(clip, stride->strikes[0], model, &ends[0]);
    float turned = lope_wrap_angle(sample_at(clip, stride->strikes[2], model, &ends[1]) - from);
    float risen = ends[1].root.y - ends[0].root.y;
    for (int p = 0; p < FILL_PHASES; p++) {
        double u = p / (double)FILL_PHASES + (stride->side == LOPE_RIGHT ? 0.5 : 0.0);
        u -= floor(u);
        int half = u >= 0.5;
        double frame = stride->strikes[half] + (2.0 * u - half) * (stride->strikes[half + 1] - stride->strikes[half]);
        lope_pose pose = {.joint_count = out->joints, .rotations = out->rotations + (size_t)p * joints};
        float yaw = sample_at(clip, frame, model, &pose), share = (float)u;
        for (size_t j = 0; j < joints; j++)
            pose.rotations[j] = closed(pose.rotations[j], ends[0].rotations[j], ends[1].rotations[j], share);
        unsigned contacts = clip->contacts ? clip->contacts[(int)(frame + 0.5)] : 0;
        for (int part = 0; part < 4; part++)
            out->touch[p][part] = (float)(contacts >> part & 1);
        out->height[p] = pose.root.y + (0.5f - share) * risen;
        out->yaw[p] = lope_wrap_angle(yaw - heading + (0.5f - share) * turned);
    }
}

static bool goes_on(const fill_step *step, const fill_step *before, float leg, float most_turn)
{
    return step->kind == FILL_WALK && step->from == before->strike && step->side != before->side &&
           fabsf(step->turn) < most_turn && fabsf(step->rise) < LEVEL * leg;
}

static lope_status add_strides(const lope_clip *clip, int index, float most_turn, list *out, lope_error *error)
{
    fill_steps found;
    lope_status status = fill_steps_find(clip, &found, error);
    float leg = lope_skeleton_leg_length(clip->skeleton);
    for (int i = 0; i + 2 < found.count && !status; i++) {
        const fill_step *s = &found.steps[i];
        if (!goes_on(s + 1, s, leg, most_turn) || !goes_on(s + 2, s + 1, leg, most_turn))
            continue;
        fill_stride stride = {.clip = index, .strikes = {s[0].strike, s[1].strike, s[2].strike}, .side = s->side};
        lope_ground a = lope_clip_ground(clip, s[0].strike), b = lope_clip_ground(clip, s[2].strike);
        stride.length = sqrtf((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
        stride.seconds = (float)((s[2].strike - s[0].strike) / clip->frame_rate);
        if (!list_add(out, &stride, sizeof stride))
            status = lope_fail_memory(error);
    }
    fill_steps_free(&found);
    return status;
}

lope_status fill_strides_find(const lope_set *set, float most_turn, fill_stride **out, int *stride_count,
                              lope_error *error)
{
    list strides = {0};
    lope_status status = LOPE_OK;
    for (int c = 0; c < set->clip_count && !status; c++)
        status = add_strides(set->clips[c], c, most_turn, &strides, error);
    if (status) {
        lope_free(strides.items);
        strides = (list){0};
    }
    *out = strides.items;
    *stride_count = strides.count;
    return status;
}
