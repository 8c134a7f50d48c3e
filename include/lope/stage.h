// SPDX-License-Identifier: MIT
// Stages of one's own as JSON files (offline library): what clips were performed on, where it stood, and what people do
// without anything.
//
//   {"units": [{"name": "crate", "boxes": [{"centre": [0, 0.3, 0], "size": [0.8, 0.6, 0.5]}]},
//              {"name": "rock", "mesh": "rock.obj", "scale": 0.01}],
//    "performances": [{"clip": "over_01", "floors": [0],
//                      "things": [{"unit": "crate", "at": [0.1, 0, 1.2], "degrees": 30}]}],
//    "behaviours": [{"name": "chat", "clip": "talk_01"}, {"name": "idle", "clip": "talk_01", "from": 12, "to": 20}],
//    "variants": [{"name": "low", "of": "step_21", "scale": [1, 0.85, 1.1]}]}
//
// Places are x, y (up) and z in metres of the clip's world, y above its floor; things stand in rows as in worlds of
// blocks (lope/block_scene.h). "floors" are heights of the floors, one or two, [0] where nothing is said. "mirror":
// false keeps a performance from being used mirrored as well. A behaviour is the part of a clip between two moments, in
// seconds; it begins and ends where the clip comes nearest to standing. A variant is a thing of another size with the
// motion bent to it: `scale` of width, height and depth, of everything that was on stage with the thing it is of; what
// is made is called after it, "step_21_low". Meshes are files beside this one; they are filled with boxes.
#ifndef LOPE_STAGE_H
#define LOPE_STAGE_H

#include "lope/blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LOPE_STAGE_CLIP 128 // bytes of a clip's name, with its end

typedef struct lope_stage_unit {
    char name[LOPE_UNIT_NAME];
    int32_t box_first, box_count;
    float error; // metres that the boxes of a mesh are off its surface at most; 0: it is no mesh
    int32_t line;
} lope_stage_unit;

typedef struct lope_stage_performance {
    char clip[LOPE_STAGE_CLIP];
    int32_t placed_first, placed_count, floor_count;
    float floors[2];
    bool mirror;
    int32_t line;
} lope_stage_performance;

typedef struct lope_stage_part {
    char name[LOPE_UNIT_NAME], clip[LOPE_STAGE_CLIP];
    float from, to; // seconds; to INFINITY: up to the end
    int32_t line;
} lope_stage_part;

typedef struct lope_stage_variant {
    char name[LOPE_UNIT_NAME], of[LOPE_UNIT_NAME];
    lope_vec3 scale;
    int32_t line;
} lope_stage_variant;

// Treat as immutable.
typedef struct lope_stage_file {
    char file[256]; // that it was read from, for messages
    int unit_count, box_count, placed_count, performance_count, part_count, variant_count;
    lope_stage_unit *units;
    lope_box *boxes;
    lope_placed_unit *placed; // of the units
    lope_stage_performance *performances;
    lope_stage_part *parts; // behaviours
    lope_stage_variant *variants;
} lope_stage_file;

// LOPE_BAD_DATA, with the line, where something is missing, unknown or impossible.
LOPE_API lope_status lope_stage_read(const char *path, lope_stage_file **out, lope_error *error);
// The same from memory; `name` stands in messages, and meshes are looked for beside it.
LOPE_API lope_status lope_stage_read_memory(const char *text, size_t size, const char *name, lope_stage_file **out,
                                            lope_error *error);
LOPE_API void lope_stage_file_destroy(lope_stage_file *stage);

#ifdef __cplusplus
}
#endif
#endif
