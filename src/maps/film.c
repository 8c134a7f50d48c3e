// SPDX-License-Identifier: MIT
// Walks as clips: a player that is watched from the first frame to the last.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "maps/player.h"

// Seconds from the first frame of a walk to its last: every step but the last is followed by one frame of joining.
static double duration(const lope_steps *steps, const lope_play *walk, int count)
{
    double frames = -1.0;
    for (int i = 0; i < count; i++)
        frames += (double)steps->steps[walk[i].step].frames;
    return frames / steps->set->clips[0]->frame_rate;
}

static void watch(lope_player *player, const lope_play *walk, int count, lope_clip *clip)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (int f = 0, given = 1; f < clip->frame_count; f++) {
        lope_error unused; // all items were checked
        for (int one = 1; given < count && player->waiting < player->def.capacity; given++)
            lope_player_append(player, &walk[given], &one, &unused);
        lope_pose pose = {.rotations = clip->rotations + (size_t)f * joints,
                          .translations = clip->translations ? clip->translations + (size_t)f * joints : NULL};
        lope_player_pose(player, &pose, NULL);
        clip->root[f] = pose.root;
        clip->contacts[f] = lope_player_contacts(player);
        lope_player_step(player, (float)(1.0 / clip->frame_rate));
    }
    lope_clip_align_quaternions(clip);
}

static bool has_translations(const lope_set *set)
{
    for (int c = 0; c < set->clip_count; c++)
        if (set->clips[c]->translations)
            return true;
    return false;
}

lope_status lope_walk_film(const lope_steps *steps, const lope_play *walk, int count, lope_ground at,
                           const lope_player_def *def, double frame_rate, lope_clip **out, lope_error *error)
{
    *out = NULL;
    if (count < 1)
        return lope_fail(error, LOPE_BAD_DATA, "a walk needs a step");
    void *memory = lope_alloc(lope_player_size(steps, def));
    if (!memory)
        return lope_fail_memory(error);
    lope_player *player;
    lope_status status = lope_player_init(memory, steps, def, at, &player, error);
    if (!status)
        status = lope_player_begin(player, &walk[0], at, error);
    if (!status)
        status = play_check(steps, walk[0].step, walk + 1, count - 1, error);
    unsigned flags = LOPE_CLIP_CONTACTS | (has_translations(steps->set) ? LOPE_CLIP_TRANSLATIONS : 0u);
    bool possible = frame_rate >= LOPE_MIN_FRAME_RATE && frame_rate <= LOPE_MAX_FRAME_RATE;
    double frames = !status && possible ? duration(steps, walk, count) * frame_rate + 1.0 + 1e-6 : 1.0;
    if (!status && frames > 1e8)
        status = lope_fail(error, LOPE_BAD_DATA, "a walk of %g frames is too long for a clip", frames);
    if (!status)
        status = lope_clip_create(steps->set->skeleton, "walk", (int)frames, frame_rate, flags, out, error);
    if (!status) {
        player->no_brake = true;
        watch(player, walk, count, *out);
    }
    lope_free(memory);
    return status;
}
