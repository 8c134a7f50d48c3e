// SPDX-License-Identifier: MIT
// Standing still: the part of the clip around the frame in which the body came to a stand is played to and fro, slowing
// down before it turns round. What is still is looked up in the clip when the standing begins.
#include "maps/player.h"
#include "motion/joints.h"

#define SWAY_RATE 0.6f    // frames per frame
#define SWAY_BRAKE 0.05f  // how fast that changes per frame
#define SHORTEST_SWAY 6   // frames: a shorter still part is held
#define LONGEST_SWAY 60   // frames to either side that are looked at
#define STILL_HIPS 0.03f  // metres that the hips may be away
#define STILL_FEET 0.012f // and the ankles

static bool still_like(const lope_clip *clip, int frame, int other)
{
    static const lope_role roles[] = {LOPE_HIPS, LOPE_LEFT_ANKLE, LOPE_RIGHT_ANKLE};
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++) {
        int joint = clip->skeleton->roles[roles[k]];
        if (joint < 0)
            continue;
        lope_vec3 a = joint_in_frame(clip, frame, joint).translation,
                  b = joint_in_frame(clip, other, joint).translation;
        if (lope_v3_distance(a, b) > (k ? STILL_FEET : STILL_HIPS))
            return false;
    }
    return true;
}

void play_stand(lope_player *player, int32_t frame)
{
    const lope_clip *clip = play_clip(player, &player->line);
    int first = frame, last = frame;
    while (first > 0 && frame - first < LONGEST_SWAY && still_like(clip, frame, first - 1))
        first--;
    while (last + 1 < clip->frame_count && last - frame < LONGEST_SWAY && still_like(clip, frame, last + 1))
        last++;
    player->stands = true;
    player->still_first = first - play_step(player)->first;
    player->still_last = last - play_step(player)->first;
    player->sway_way = 1.0f;
    player->sway_rate = player->begun ? player->rate : 0.0f;
}

// Speed after `frames` in which it is brought towards SWAY_RATE, or down where the end is near.
static float next_speed(float speed, float left, float frames)
{
    float brake = speed > 0.0f ? speed * speed / (2.0f * fmaxf(left, 1e-3f)) : 0.0f;
    if (brake >= SWAY_BRAKE || left <= 0.0f)
        return fmaxf(0.0f, speed - fmaxf(brake, SWAY_BRAKE) * frames);
    float change = SWAY_RATE - speed, most = SWAY_BRAKE * frames;
    return speed + fmaxf(-most, fminf(most, change));
}

void play_sway(lope_player *player, float frames)
{
    float first = (float)player->still_first, last = (float)player->still_last;
    bool turns = player->still_last - player->still_first >= SHORTEST_SWAY;
    float left = player->sway_way > 0.0f ? last - player->u : player->u - first;
    float speed = player->sway_rate * player->sway_way; // below 0: still the other way
    if (!turns && speed <= 0.0f)
        return;
    speed = turns || left > 0.0f ? next_speed(speed, left, frames) : 0.0f;
    player->sway_rate = speed * player->sway_way;
    player->u = fmaxf(first, fminf(last, player->u + player->sway_rate * frames));
    if (turns && speed <= 0.01f && left < 1.0f)
        player->sway_way = -player->sway_way;
}
