// SPDX-License-Identifier: MIT
// The poses of walkers: what each shows; motion/shown.h does the rest, for one or for many side by side.
#include "mobility/walker.h"
#include "motion/joints.h"

// Walkers whose views are made before they are posed.
#define RUN 32

static const lope_clip *clip_of(const lope_walker *walker)
{
    return walker->map->set->clips[walker->map->poses[walker->pose].clip];
}

uint16_t lope_walker_contacts(const lope_walker *walker)
{
    const mobility_pose *pose = &walker->map->poses[walker->pose];
    const lope_clip *clip = clip_of(walker);
    if (!clip->contacts)
        return 0;
    return clip->contacts[walker->phase < 0.5f ? pose->frame - 1 : pose->frame];
}

shown_look walk_look(const lope_walker *walker)
{
    const lope_walker_def *def = &walker->def;
    return (shown_look){def->fade, def->fade_duration, &walker->map->rig, def->lock_feet ? &def->lock : NULL, 0.0f};
}

shown_view walk_view(lope_walker *walker)
{
    const mobility_pose *pose = &walker->map->poses[walker->pose];
    bool ahead = walk_blends_ahead(walker), reached = pose->frame < 1 || walker->phase >= 1.0f || ahead;
    return (shown_view){.body = &walker->body,
                        .look = walk_look(walker),
                        .clip = clip_of(walker),
                        .frame = ahead     ? walker->ahead
                                 : reached ? pose->frame
                                           : pose->frame - 1,
                        .t = reached ? 0.0f : walker->phase,
                        .placing = walker->placing,
                        .contacts = lope_walker_contacts(walker)};
}

// Maps know flat ground at height 0 only.
static void lift(lope_walker *walker, lope_pose *pose, lope_transform *model)
{
    if (walker->footing && model) {
        const lope_footing_body body = {walker->map->set->skeleton, &walker->map->rig, lope_walker_contacts(walker)};
        lope_footing_apply(walker->footing, &body, pose, model);
        return;
    }
    if (pose)
        pose_raise(pose, walker->height);
    for (int j = 0; model && walker->height != 0.0f && j < walker->map->set->skeleton->joint_count; j++)
        model[j].translation.y += walker->height;
}

void lope_walker_pose(lope_walker *walker, lope_pose *pose, lope_transform *model)
{
    lope_transform scratch[SHOWN_JOINTS]; // feet are put onto uneven ground in model space
    shown_view view = walk_view(walker);
    if (!model && walker->footing && walker->map->set->skeleton->joint_count <= SHOWN_JOINTS)
        model = scratch;
    lope_shown_pose(&view, pose, model);
    lift(walker, pose, model);
}

void lope_walk_poses(lope_walker *const *walkers, lope_transform *const *models, int count, int lanes)
{
    shown_view views[RUN];
    for (int first = 0; first < count; first += RUN) {
        int size = count - first < RUN ? count - first : RUN;
        for (int i = 0; i < size; i++)
            views[i] = walk_view(walkers[first + i]);
        lope_shown_poses_in(views, size, models + first, lanes);
        for (int i = 0; i < size; i++)
            lift(walkers[first + i], NULL, models[first + i]);
    }
}

void lope_walkers_pose(lope_walker *const *walkers, int count, lope_transform *const *models)
{
    lope_walk_poses(walkers, models, count, lope_shown_lanes());
}
