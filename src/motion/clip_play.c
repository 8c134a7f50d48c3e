// SPDX-License-Identifier: MIT
// A clip as a controller: the smallest one that is complete.
#include "base/error.h"
#include "base/memory.h"
#include "lope/controller.h"
#include "lope/ground.h"
#include "motion/entries.h"
#include "motion/joints.h"

// Seconds that must be left to play where a clip is entered, or half of it where it is shorter than that.
#define LEFT_TO_PLAY 1.0

struct lope_clip_play {
    const lope_clip *clip;
    lope_entries *entries;
    double time;         // seconds of the clip
    lope_ground placing; // world from clip
    float height;        // of the ground, metres
};

lope_status lope_clip_play_create(const lope_clip *clip, lope_clip_play **out, lope_error *error)
{
    *out = NULL;
    lope_clip_play *play = lope_alloc_zero(sizeof *play);
    entry_frame *frames = lope_alloc_array((size_t)clip->frame_count, sizeof *frames);
    lope_status status = play && frames ? LOPE_OK : lope_fail_memory(error);
    int rest = (int)(LEFT_TO_PLAY * clip->frame_rate), half = clip->frame_count / 2;
    int count = clip->frame_count - (rest < half ? rest : half);
    for (int f = 0; !status && f < count; f++)
        frames[f] = (entry_frame){.frame = f};
    if (!status)
        status = lope_entries_create((lope_clip *const[]){(lope_clip *)(uintptr_t)clip}, frames, count, &play->entries,
                                     error);
    lope_free(frames);
    if (status) {
        lope_clip_play_destroy(play);
        return status;
    }
    play->clip = clip;
    *out = play;
    return LOPE_OK;
}

void lope_clip_play_destroy(lope_clip_play *play)
{
    if (!play)
        return;
    lope_entries_destroy(play->entries);
    lope_free(play);
}

void lope_clip_play_place(lope_clip_play *play, int frame, lope_ground at, float height)
{
    play->placing = lope_ground_mul(at, lope_ground_inverse(lope_clip_ground(play->clip, frame)));
    play->time = (double)frame / play->clip->frame_rate;
    play->height = height;
}

double lope_clip_play_left(const lope_clip_play *play)
{
    return lope_clip_duration(play->clip) - play->time;
}

static float fit(void *self, const lope_moment *moment, const lope_aim *aim)
{
    (void)aim;
    const lope_clip_play *play = self;
    return lope_entries_find(play->entries, moment, NULL).fit;
}

static lope_status enter(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    (void)aim;
    lope_clip_play *play = self;
    entry_found found = lope_entries_find(play->entries, moment, NULL);
    if (found.id < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: no frame goes on from this moment", play->clip->name);
    lope_clip_play_place(play, found.frame, found.at, moment->height);
    return LOPE_OK;
}

static void take_aim(void *self, const lope_aim *aim)
{
    (void)self;
    (void)aim;
}

static void advance(void *self, float dt)
{
    lope_clip_play *play = self;
    double end = lope_clip_duration(play->clip), time = play->time + (double)dt;
    play->time = time < end ? time : end;
}

static void moment_of(void *self, lope_moment *out)
{
    const lope_clip_play *play = self;
    const lope_clip *clip = play->clip;
    lope_clip_sample(clip, play->time, &out->now);
    lope_pose_place(&out->now, play->placing);
    pose_raise(&out->now, play->height);
    out->height = play->height;
    out->contacts = clip->contacts ? clip->contacts[(int)(play->time * clip->frame_rate + 0.5)] : 0;
}

static bool may_leave(const void *self)
{
    (void)self;
    return true;
}

const lope_controller *lope_clip_controller(void)
{
    static const lope_controller controller = {"clip", fit, enter, take_aim, advance, moment_of, may_leave};
    return &controller;
}
