// SPDX-License-Identifier: MIT
// The thesis' one-sided blend (5.3): at a transition the body goes straight from the pose it shows to one that the new
// sequence comes to some frames later; what lies between is not shown. Where a new goal interrupts that, the walker
// goes on from the pose of the map that is nearest to the interpolated one.
//
// Inertialisation shows every frame of the new sequence instead, keeps the speed at the cut, and needs no look-up.
#include "mobility/walker.h"

bool walk_blends_ahead(const lope_walker *walker)
{
    const shown_fade *fade = &walker->body.fade;
    return walker->def.fade == LOPE_FADE_AHEAD && fade->elapsed >= 0.0f && fade->elapsed < fade->memory;
}

int walk_look_ahead(const lope_walker *walker, const lope_clip *clip, int frame, float *seconds)
{
    float rate = walker->map->head.frame_rate;
    int wanted = (int)(walker->def.fade_duration * rate + 0.5f), left = clip->frame_count - 1 - frame;
    int frames = wanted < left ? wanted : left;
    frames = frames < 1 ? 1 : frames;
    *seconds = (float)frames / rate;
    return frame + frames < clip->frame_count ? frame + frames : frame;
}

// A root without what turns it about the vertical.
static lope_quat without_yaw(lope_quat root)
{
    float length = sqrtf(root.y * root.y + root.w * root.w);
    if (length < 1e-6f)
        return root;
    return lope_quat_mul((lope_quat){0.0f, -root.y / length, 0.0f, root.w / length}, root);
}

// About the sum over joints of eq. 3.7, for poses without their yaw: sines of half the angles in place of the angles.
// Stops where it comes to `most`.
static float distance(const lope_quat *a, lope_quat a_root, const lope_quat *b, int count, float most)
{
    float cosine = lope_quat_dot(a_root, without_yaw(b[0])), sum = sqrtf(fmaxf(1.0f - cosine * cosine, 0.0f));
    for (int j = 1; j < count && sum < most; j++) {
        cosine = lope_quat_dot(a[j], b[j]);
        sum += sqrtf(fmaxf(1.0f - cosine * cosine, 0.0f));
    }
    return sum;
}

static int32_t nearest_state(const lope_mobility *map, const lope_quat *rotations)
{
    int joints = map->set->skeleton->joint_count;
    lope_quat root = without_yaw(rotations[0]);
    int32_t best = -1;
    float least = INFINITY;
    for (int32_t s = 0; s < (int32_t)map->head.state_count; s++) {
        const mobility_pose *pose = &map->poses[map->state_poses[s]];
        if (!walk_has_choices(map, s))
            continue;
        const lope_quat *own = map->set->clips[pose->clip]->rotations + (size_t)pose->frame * (size_t)joints;
        float apart = distance(rotations, root, own, joints, least);
        if (apart < least) {
            least = apart;
            best = s;
        }
    }
    return best;
}

void walk_go_on_from_nearest(lope_walker *walker)
{
    lope_quat rotations[SHOWN_JOINTS];
    shown_view view = walk_view(walker);
    if (walker->map->set->skeleton->joint_count > SHOWN_JOINTS)
        return;
    lope_pose pose = {.rotations = rotations};
    shown_local(&view, &pose);
    int32_t state = nearest_state(walker->map, rotations);
    if (state >= 0)
        walk_cut_into(walker, state);
}
