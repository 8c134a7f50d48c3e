// SPDX-License-Identifier: MIT
// Poses of crowds: several walkers side by side in vector lanes, four everywhere, eight where the processor has AVX2.
// Walkers that need what the lanes do not know (clips whose joints move, no contacts, very large skeletons) are posed
// one by one; both ways give the same bits.
#include <assert.h>

#include "mobility/walker.h"
#include "motion/contact_points.h"
#include "motion/lock.h"

// Joints a group keeps on the stack: about 30 kB at eight lanes, which a browser's stack holds too.
#define GROUP_JOINTS 128

#define LANES 4
#define LANES_TARGET
#define LANES_NAME(x) x##_4
#include "mobility/walk_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)

#define LANES 8
#define LANES_TARGET __attribute__((target("avx2")))
#define LANES_NAME(x) x##_8
#include "mobility/walk_lanes.h"

static bool has_eight(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

#define pose_walkers_8 pose_walkers_4
static bool has_eight(void)
{
    return false;
}

#endif

static bool can_group(const lope_walker *walker)
{
    const lope_mobility *map = walker->map;
    const lope_clip *clip = map->set->clips[map->poses[walker->pose].clip];
    return walker->def.lock_feet && clip->contacts && !clip->translations && map->rig.part_count > 0 &&
           map->rig.legs[0].joints.upper >= 0 && map->rig.legs[1].joints.upper >= 0 &&
           map->set->skeleton->joint_count <= GROUP_JOINTS;
}

// Asks for the frames that a walker will show, which rarely lie in the cache.
static void fetch(const lope_walker *walker)
{
    walk_span span = walk_span_of(walker);
    size_t bytes = (size_t)walker->map->set->skeleton->joint_count * sizeof *span.a;
    for (size_t at = 0; at < bytes; at += 64)
        __builtin_prefetch((const char *)span.a + at);
}

// Poses `count` walkers, the last one again in lanes that are left over.
static void pose_group(lope_walker *const *walkers, lope_transform *const *models, int count, int lanes)
{
    lope_walker *group[8];
    lope_transform *out[8];
    for (int l = 0; l < lanes; l++) {
        group[l] = walkers[l < count ? l : count - 1];
        out[l] = models[l < count ? l : count - 1];
    }
    if (lanes == 8)
        pose_walkers_8(group, out);
    else
        pose_walkers_4(group, out);
    for (int l = 0; l < count; l++)
        walkers[l]->unposed = 0.0f;
}

void walk_poses(lope_walker *const *walkers, lope_transform *const *models, int count, int lanes)
{
    lope_walker *group[8];
    lope_transform *out[8];
    int size = 0;
    for (int i = 0; i < count; i++) {
        if (!can_group(walkers[i])) {
            lope_walker_pose(walkers[i], NULL, models[i]);
            continue;
        }
        if (size > 0 && walkers[i]->map != group[0]->map) {
            pose_group(group, out, size, lanes);
            size = 0;
        }
        fetch(walkers[i]);
        group[size] = walkers[i];
        out[size++] = models[i];
        if (size == lanes) {
            pose_group(group, out, size, lanes);
            size = 0;
        }
    }
    if (size > 0)
        pose_group(group, out, size, lanes);
}

void lope_walkers_pose(lope_walker *const *walkers, int count, lope_transform *const *models)
{
    walk_poses(walkers, models, count, has_eight() ? 8 : 4);
}
