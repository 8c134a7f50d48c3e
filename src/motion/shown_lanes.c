// SPDX-License-Identifier: MIT
// Poses of crowds: several bodies side by side in vector lanes, four everywhere, eight where the processor has AVX2.
#include "motion/shown.h"

#include "motion/contact_points.h"
#include "motion/hinge.h"
#include "motion/lock.h"
#include "motion/shown_span.h"

#define MAX_LANES 8

#define LANES 4
#define LANES_TARGET
#define LANES_NAME(x) x##_4
#include "motion/shown_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)

#define LANES 8
#define LANES_TARGET __attribute__((target("avx2")))
#define LANES_NAME(x) x##_8
#include "motion/shown_lanes.h"

int lope_shown_lanes(void)
{
    return __builtin_cpu_supports("avx2") ? 8 : 4;
}

#else

#define pose_views_8 pose_views_4
#define local_views_8 local_views_4
int lope_shown_lanes(void)
{
    return 4;
}

#endif

static bool can_group(const shown_view *view)
{
    const lope_clip *clip = view->clip;
    const lope_lock_rig *rig = view->look.rig;
    return view->look.lock && clip->contacts && !clip->translations && rig->part_count > 0 &&
           rig->legs[0].joints.upper >= 0 && rig->legs[1].joints.upper >= 0 &&
           clip->skeleton->joint_count <= SHOWN_JOINTS;
}

// Asks for the frames of a body, which rarely lie in the cache.
static void fetch(const shown_view *view)
{
    size_t joints = (size_t)view->clip->skeleton->joint_count;
    const char *frame = (const char *)(view->clip->rotations + (size_t)view->frame * joints);
    for (size_t at = 0; at < joints * sizeof(lope_quat); at += 64)
        __builtin_prefetch(frame + at);
}

// Bodies are taken in turns of so many, those that fade first: groups in which nobody fades are done sooner.
#define TURN 64

static int fading_first(const shown_view *views, int count, int order[TURN])
{
    int turn = count < TURN ? count : TURN, at = 0;
    for (int fading = 1; fading >= 0; fading--)
        for (int i = 0; i < turn; i++)
            if ((views[i].body->fade.elapsed >= 0.0f) == fading)
                order[at++] = i;
    return turn;
}

// Poses `count` bodies, the last one again in lanes that are left over.
static void pose_group(const shown_view *const *views, lope_transform *const *models, int count, int lanes)
{
    const shown_view *group[MAX_LANES];
    lope_transform *out[MAX_LANES];
    for (int l = 0; l < lanes; l++) {
        group[l] = views[l < count ? l : count - 1];
        out[l] = models[l < count ? l : count - 1];
    }
    if (lanes == 8)
        pose_views_8(group, out);
    else
        pose_views_4(group, out);
    for (int l = 0; l < count; l++)
        views[l]->body->unposed = 0.0f;
}

static void pose_turn(const shown_view *views, const int *order, int count, lope_transform *const *models, int lanes)
{
    const shown_view *group[MAX_LANES];
    lope_transform *out[MAX_LANES];
    int size = 0;
    for (int k = 0; k < count; k++) {
        int i = order[k];
        if (!can_group(&views[i])) {
            lope_shown_pose(&views[i], NULL, models[i]);
            continue;
        }
        if (size > 0 && views[i].look.rig != group[0]->look.rig) {
            pose_group(group, out, size, lanes);
            size = 0;
        }
        fetch(&views[i]);
        group[size] = &views[i];
        out[size++] = models[i];
        if (size == lanes) {
            pose_group(group, out, size, lanes);
            size = 0;
        }
    }
    if (size > 0)
        pose_group(group, out, size, lanes);
}

void lope_shown_poses_in(const shown_view *views, int count, lope_transform *const *models, int lanes)
{
    int order[TURN];
    for (int first = 0; first < count; first += TURN) {
        int turn = fading_first(views + first, count - first, order);
        pose_turn(views + first, order, turn, models + first, lanes);
    }
}

void lope_shown_poses(const shown_view *views, int count, lope_transform *const *models)
{
    lope_shown_poses_in(views, count, models, lope_shown_lanes());
}

static void local_turn(const shown_view *views, const int *order, int count, lope_vec3 *const *roots,
                       lope_quat *const *rotations)
{
    int lanes = lope_shown_lanes();
    for (int first = 0; first < count; first += lanes) {
        const shown_view *group[MAX_LANES];
        lope_vec3 *to_roots[MAX_LANES];
        lope_quat *to_rotations[MAX_LANES];
        for (int l = 0; l < lanes; l++) {
            int i = order[first + l < count ? first + l : count - 1];
            group[l] = &views[i];
            to_roots[l] = roots[i];
            to_rotations[l] = rotations[i];
            fetch(&views[i]);
        }
        if (lanes == 8)
            local_views_8(group, to_roots, to_rotations);
        else
            local_views_4(group, to_roots, to_rotations);
    }
}

// Clips without moving joints only: their rotations are all there is.
void lope_shown_locals(const shown_view *views, int count, lope_vec3 *const *roots, lope_quat *const *rotations)
{
    int order[TURN];
    for (int i = 0; i < count && views->clip->skeleton->joint_count > SHOWN_JOINTS; i++) {
        lope_pose pose = {.rotations = rotations[i]};
        shown_local(&views[i], &pose);
        *roots[i] = pose.root;
    }
    for (int first = 0; first < count && views->clip->skeleton->joint_count <= SHOWN_JOINTS; first += TURN) {
        int turn = fading_first(views + first, count - first, order);
        local_turn(views + first, order, turn, roots + first, rotations + first);
    }
}
