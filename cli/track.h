// SPDX-License-Identifier: MIT
// What the parts of `lope track` share.
#ifndef LOPE_CLI_TRACK_H
#define LOPE_CLI_TRACK_H

#include "cli/outputs.h"
#include "lope/scene.h"
#include "lope/walker.h"

typedef struct track_settings {
    cli_outputs outputs;
    const char *to, *targets, *prefer, *avoid, *scene, *from, *weights;
    lope_ground start;
    double fps, limit, pause;
    int decision, fade, steering; // -1: the default
    int threads;
    bool pass, no_lock, no_edits, thesis, json;
} track_settings;

typedef struct target_list {
    lope_goal *items;
    int count;
} target_list;

// How one target went.
typedef struct target_result {
    bool arrived;
    bool moved;             // to where there is room: it lies in an obstacle or outside the scene
    double seconds, metres; // on the way
    double miss, facing;    // metres and degrees off in the end; facing NAN where none was asked for
} target_result;

// What the walker showed, frame after frame.
typedef struct recording {
    int frames, capacity, joints;
    lope_vec3 *root;
    lope_quat *rotations;
    uint16_t *contacts;
    const lope_mobility *map;
    int tagged[LOPE_TAG_COUNT]; // frames that show each tag
} recording;

typedef struct track_work {
    const lope_mobility *map;
    const lope_scene *scene; // NULL: open ground
    const track_settings *settings;
    const target_list *targets;
    target_result *results;
} track_work;

// track_walk.c: walks to all targets, alone on open ground, or as the one member of a crowd in the scene.
bool track_can_stand(const lope_mobility *map);
lope_status track_on_open_ground(const track_work *work, const lope_walker_def *def, recording *r, lope_error *error);
lope_status track_in_scene(const track_work *work, const lope_walker_def *def, recording *r, lope_error *error);
// The scene from above: straight from target to target, dashed, and the way that was walked.
lope_status track_draw_scene(const track_work *work, const lope_clip *clip, const char *path, lope_error *error);

#endif
