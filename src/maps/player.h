// SPDX-License-Identifier: MIT
// A player in memory, and what its parts (timeline, poses, standing) do for each other.
//
// A line is one step laid into the world: at `u` frames after its first one the clip is `first + u`. It is entered at
// u = -1, the moment at which the step before shows its last frame, so that one frame passes in the join.
#ifndef LOPE_SRC_MAPS_PLAYER_H
#define LOPE_SRC_MAPS_PLAYER_H

#include "lope/ground.h"
#include "lope/player.h"
#include "motion/shown.h"

typedef struct play_line {
    lope_play play;
    lope_ground at;         // first frame in the world
    lope_ground end;        // last frame, bent and stretched
    ground_move placing;    // world from clip, unbent
    ground_move from_world; // first frame from world
} play_line;

struct lope_player {
    const lope_steps *graph;
    lope_player_def def;
    play_line line;
    float u;        // frames after the first one; -1 to the last, and beyond while it stands
    float rate;     // frames per frame of playing; below 1 while waiting
    uint32_t begun; // steps; 0: none yet
    // Standing, the clip is played to and fro between two of its frames.
    bool stands;
    bool no_brake;                   // the end of the last step is the end of the film
    float sway_rate;                 // frames per frame, signed
    float sway_way;                  // 1 or -1
    int32_t still_first, still_last; // like u
    // Steps that wait: a ring.
    lope_play *ring;
    int head, waiting;
    lope_ground last_end; // of all steps
    int32_t last_step;    // -1: stands where it was put
    // As a controller: where to go, if anywhere.
    lope_aim aim;
    bool aimed;
    float height; // of the ground, metres
    // Look.
    shown_body body;
};

static inline const lope_step *play_step(const lope_player *player)
{
    return &player->graph->steps[player->line.play.step];
}

static inline const lope_clip *play_clip(const lope_player *player, const play_line *line)
{
    return player->graph->set->clips[player->graph->steps[line->play.step].clip];
}

static inline float play_frame_rate(const lope_player *player)
{
    return (float)player->graph->set->clips[0]->frame_rate;
}

play_line play_line_make(const lope_steps *graph, lope_play play, lope_ground at);

// Whether items lead on from step `last`, each from the one before.
lope_status play_check(const lope_steps *graph, int32_t last, const lope_play *items, int count, lope_error *error);

// player_pose.c: a cut from what is shown now to another line at u = -1; `standing`: from standing to standing.
void play_cut(lope_player *player, const play_line *next, bool standing);

// player_stand.c: begins to stand at frame `frame` of the clip that is played; goes on to do so.
void play_stand(lope_player *player, int32_t frame);
void play_sway(lope_player *player, float frames);

#endif
