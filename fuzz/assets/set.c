// SPDX-License-Identifier: MIT
// Motion sets: poses are sampled, blended, faded and locked, clips cut, joined, mirrored and graded.
#include "mutant.h"

const char *const mutant_kind = "set";

static void look_at_pose(const lope_skeleton *skeleton, const lope_pose *pose)
{
    lope_pose_to_model(skeleton, pose, mutant_model());
    mutant_look(mutant_model(), skeleton->joint_count);
}

static void sample(mutant *m, const lope_set *set)
{
    lope_pose poses[MUTANT_POSES];
    const lope_pose *mixed[MUTANT_POSES];
    const float weights[MUTANT_POSES] = {0.5f, 1.0f, 0.25f};
    lope_sample_request requests[8];
    for (int i = 0; i < 8; i++) {
        const lope_clip *clip = set->clips[mutant_pick(m, set->clip_count)];
        requests[i] = (lope_sample_request){clip, lope_clip_duration(clip) * (double)i / 6.0};
    }
    for (int i = 0; i < MUTANT_POSES; i++) {
        mixed[i] = &poses[i];
        poses[i] = mutant_pose(set->skeleton, i);
        lope_clip_sample(requests[i].clip, requests[i].time, &poses[i]);
        look_at_pose(set->skeleton, &poses[i]);
    }
    lope_pose_blend(mixed, weights, MUTANT_POSES, &poses[0]);
    lope_pose_lerp(&poses[0], &poses[1], 0.3f, &poses[1]);
    look_at_pose(set->skeleton, &poses[1]);
    lope_transform *models = malloc(8 * (size_t)set->skeleton->joint_count * sizeof *models);
    require(models != NULL);
    lope_sample_many(set->skeleton, requests, 8, models);
    mutant_look(models, 8 * set->skeleton->joint_count);
    free(models);
}

static void fade_and_lock(mutant *m, const lope_set *set)
{
    static lope_vec3 offsets[MUTANT_JOINTS], velocities[MUTANT_JOINTS];
    lope_lock_def def = lope_lock_def_default();
    lope_lock_state lock;
    lope_pose shown = mutant_pose(set->skeleton, 0), next = mutant_pose(set->skeleton, 1);
    lope_fade_state fade = {.kind = (lope_fade)mutant_pick(m, 2),
                            .joint_count = set->skeleton->joint_count,
                            .duration = 0.1f,
                            .offsets = offsets,
                            .velocities = velocities};
    const lope_clip *clip = set->clips[mutant_pick(m, set->clip_count)];
    lope_fade_reset(&fade);
    lope_lock_reset(&lock);
    lope_clip_frame(set->clips[0], 0, &shown);
    lope_clip_frame(clip, 0, &next);
    lope_fade_begin(&fade, &(lope_cut){.shown = &shown, .next = &next, .dt = 1.0f / 30.0f});
    for (int f = 0; f < clip->frame_count && f < 40; f++) {
        lope_clip_frame(clip, f, &next);
        lope_fade_apply(&fade, 1.0f / 30.0f, &next);
        lope_lock_apply(set->skeleton, &def, &lock, clip->contacts ? clip->contacts[f] : 5, 1.0f / 30.0f, &next,
                        mutant_model());
        mutant_look(mutant_model(), set->skeleton->joint_count);
        mutant_look_at(lope_clip_ground_step(clip, f));
    }
}

static void look_at_clip(lope_status status, lope_clip *made)
{
    if (status == LOPE_OK)
        for (int f = 0; f < made->frame_count && f < 100; f++) {
            lope_clip_model(made, f, mutant_model());
            mutant_look(mutant_model(), made->skeleton->joint_count);
        }
    lope_clip_destroy(made);
}

static void edit(mutant *m, const lope_set *set)
{
    const lope_clip *clip = set->clips[mutant_pick(m, set->clip_count)];
    const lope_clip *other = set->clips[mutant_pick(m, set->clip_count)];
    lope_clip *made = NULL;
    lope_error error;
    lope_join join = {clip, 0, other, 0, 2};
    switch (mutant_pick(m, 7)) {
    case 0:
        look_at_clip(lope_clip_join(&join, &made, &error), made);
        break;
    case 1:
        look_at_clip(lope_clip_resample(clip, clip->frame_rate * 0.7, &made, &error), made);
        break;
    case 2:
        look_at_clip(lope_clip_mirror(clip, NULL, &made, &error), made);
        break;
    case 3:
        look_at_clip(lope_clip_retarget(clip, set->skeleton, &made, &error), made);
        break;
    case 4:
        look_at_clip(lope_clip_fold_root(clip, &made, &error), made);
        break;
    case 5:
        look_at_clip(lope_clip_trim(clip, clip->frame_count / 2, 1, &made, &error), made);
        break;
    default:
        look_at_clip(lope_clip_place(clip, 0, (lope_ground){1.0f, 2.0f, 3.0f}, &made, &error), made);
    }
}

static void measure(mutant *m, const lope_set *set)
{
    const lope_clip *clip = set->clips[mutant_pick(m, set->clip_count)];
    lope_error error;
    lope_grade_def def = lope_grade_def_default();
    lope_grade grade;
    lope_contacts_def contacts = lope_contacts_def_default();
    lope_ground align;
    float cost;
    lope_clip_grade(clip, &def, &grade, &error);
    uint16_t *found = malloc((size_t)clip->frame_count * sizeof *found);
    require(found != NULL);
    lope_contacts_find(clip, &contacts, found, &error);
    free(found);
    lope_transition_cost(clip, clip->frame_count - 1, set->clips[0], 0, 5, &cost, &align, &error);
}

bool mutant_use(mutant *m)
{
    lope_set *set;
    lope_error error;
    if (lope_set_open_memory(m->bytes, m->size, "mutant.lope", &set, &error) != LOPE_OK)
        return false;
    sample(m, set);
    fade_and_lock(m, set);
    edit(m, set);
    measure(m, set);
    lope_set_destroy(set);
    return true;
}
