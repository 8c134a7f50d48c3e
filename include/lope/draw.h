// SPDX-License-Identifier: MIT
// Pictures of motion as SVG (offline library): strobes, ground paths, contact bars, curves.
#ifndef LOPE_DRAW_H
#define LOPE_DRAW_H

#include "lope/climb_scene.h"
#include "lope/clip.h"
#include "lope/mobility.h"
#include "lope/patches.h"
#include "lope/paths.h"
#include "lope/scene.h"
#include "lope/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_view { LOPE_VIEW_SIDE, LOPE_VIEW_FRONT, LOPE_VIEW_TOP, LOPE_VIEW_PERSPECTIVE } lope_view;

// Parts of a picture, stacked from top to bottom in this order.
enum lope_draw_parts {
    LOPE_DRAW_STROBE = 1,   // the body every so often
    LOPE_DRAW_PATH = 2,     // the ground path from above with foot prints
    LOPE_DRAW_CONTACTS = 4, // a bar per touching part over time
    LOPE_DRAW_CURVES = 8,   // joint angles or speeds over time
    LOPE_DRAW_GROUND = 16   // the body from the side along its way, unrolled, on the ground it walked on; drawn first
};

typedef struct lope_draw_def {
    unsigned parts;     // lope_draw_parts
    lope_view view;     // of the strobe
    float interval;     // seconds between bodies of the strobe
    int width;          // pixels
    double start, end;  // seconds; end <= start: the whole clip
    float spread;       // metres added between bodies where the character hardly moves; 0: drawn in place,
                        // negative: chosen so that bodies do not overlap, and none is far from the next
    const char *curves; // comma-separated: "speed", "height", or role names ("left knee"); NULL: knees and hips
    bool dark;          // light lines on dark ground
    const struct lope_terrain *terrain; // of LOPE_DRAW_GROUND; NULL: flat ground at height 0
} lope_draw_def;

LOPE_API lope_draw_def lope_draw_def_default(void);

// Draws a clip and writes the SVG, beside the target first, then renamed.
LOPE_API lope_status lope_draw(const lope_clip *clip, const lope_draw_def *def, const char *path, lope_error *error);

// Draws where a state of a mobility map can get the body, seen from above: the ways of its choices, and a dot with the
// facing where each ends. Of `def` only width and dark count. LOPE_NOT_FOUND where there is no such state, or it has no
// choices.
LOPE_API lope_status lope_draw_reach(const lope_mobility *map, int state, const lope_draw_def *def, const char *path,
                                     lope_error *error);

// Draws where a mobility map can get a body, over all states (lope_mobility_capability): the darker a place, the more
// states have a choice that leads through it. `tags` as there; `notes`: lines below the title, NULL-ended, may be NULL.
LOPE_API lope_status lope_draw_capability(const lope_mobility *map, unsigned tags, const char *const *notes,
                                          const lope_draw_def *def, const char *path, lope_error *error);

// Draws a step graph: a clip with the steps that were cut from it (clip -1: the one with most), and all steps from
// above. Of `def` only width and dark count. LOPE_NOT_FOUND where there is no such clip.
LOPE_API lope_status lope_draw_steps(const lope_steps *steps, int clip, const lope_draw_def *def, const char *path,
                                     lope_error *error);

// Draws a walk tile: what leads on from one gate, and all its segments. Of `def` only width and dark count.
LOPE_API lope_status lope_draw_tile(const lope_tile *tile, const lope_draw_def *def, const char *path,
                                    lope_error *error);

// Draws free space from above, x to the right and z down: its triangles, obstacles, and a path for a disc (one without
// points: none) with what it sweeps and the edges it crosses. Of `def` only width and dark count.
LOPE_API lope_status lope_draw_space(const lope_passages *passages, const lope_path *path, float clearance,
                                     const lope_draw_def *def, const char *title, const char *file, lope_error *error);
// The same of a local clearance triangulation.
LOPE_API lope_status lope_draw_lct(const lope_lct *lct, const lope_path *path, float clearance,
                                   const lope_draw_def *def, const char *title, const char *file, lope_error *error);

// A way over the ground.
typedef struct lope_drawn_path {
    const lope_vec2 *points;
    int count;
} lope_drawn_path;

// Draws a scene from above with the ways that were walked in it, x to the right and z down, as an eye above sees it.
// `width` in pixels. Ways are coloured by where they lead; a dot marks where each ends.
LOPE_API lope_status lope_draw_paths(const lope_scene *scene, const lope_drawn_path *paths, int count, int width,
                                     bool dark, const char *file, lope_error *error);

// Lines of one kind, over what was drawn before them.
typedef enum lope_ink {
    LOPE_INK_TREE, // thin and pale: what a search looked at
    LOPE_INK_PATH, // dashed: what was asked for
    LOPE_INK_WALK, // what was found; a dot at each end
    LOPE_INK_BODY, // pale outlines
    LOPE_INK_DOTS  // a dot at every point, no lines
} lope_ink;
typedef struct lope_drawn_layer {
    const lope_drawn_path *lines;
    int count;
    lope_ink ink;
} lope_drawn_layer;

// Draws layers over a scene, or over empty ground (scene NULL), seen from above. `note` stands in the corner.
LOPE_API lope_status lope_draw_layers(const lope_scene *scene, const lope_drawn_layer *layers, int count,
                                      const char *title, const char *note, int width, bool dark, const char *file,
                                      lope_error *error);

// How a climbing plan is drawn.
typedef struct lope_climb_draw_def {
    int width;       // pixels
    bool dark;       // light lines on dark ground
    bool panels;     // one small picture per change of contact instead of one with all bodies in it
    double interval; // seconds between bodies, 0.001 or more; 0: one at every change of contact
} lope_climb_draw_def;

LOPE_API lope_climb_draw_def lope_climb_draw_def_default(void);

// Draws a plan in its world from the side: obstacles, holds by kind, the body again and again. Right limbs are drawn
// full, left ones dashed, colours follow the mode.
LOPE_API lope_status lope_draw_climb(const lope_climb_scene *scene, const lope_grasp_body *body,
                                     const lope_climb_plan *plan, const lope_climb_draw_def *def, const char *file,
                                     lope_error *error);

// A chart of a few lines over one axis, such as a benchmark's profile. Values lie at even steps from `first` to `last`,
// or where `at` says, each then with a dot; the axis begins at zero. At least two values each. On logarithmic axes all
// of these must be above zero, and the axis up begins at the lowest value.
#define LOPE_DRAW_MOST_LINES 6
typedef struct lope_draw_line {
    const char *name;
    const double *values;
    int count;
    const double *at; // [count] within `first` to `last`, rising; NULL: even steps
} lope_draw_line;
typedef struct lope_draw_lines_def {
    const char *title, *note;
    const char *across, *up; // what the axes say
    double first, last;
    lope_draw_line lines[LOPE_DRAW_MOST_LINES];
    int count;        // 1 to LOPE_DRAW_MOST_LINES
    bool logarithmic; // both axes
} lope_draw_lines_def;
LOPE_API lope_status lope_draw_lines(const lope_draw_lines_def *def, int width, bool dark, const char *path,
                                     lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
