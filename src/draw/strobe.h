// SPDX-License-Identifier: MIT
// Inside the strobe picture: which bodies are drawn where, and the camera that looks at them.
#ifndef LOPE_SRC_DRAW_STROBE_H
#define LOPE_SRC_DRAW_STROBE_H

#include "draw/picture.h"

// One body of the strobe.
typedef struct strobe_body {
    int frame;
    int shape_count;
    body_shape *shapes; // into strobe.shapes
    lope_vec3 hips;     // in the world, before shifting
    lope_vec3 shift;    // where it is drawn instead, in metres
    int row;            // line of the strip
    float ground;       // height of what the body stands on
    int support_count;  // feet that stand well above the floor, as points of the tread below them
    body_foot supports[2];
} strobe_body;

typedef struct strobe {
    int body_count;
    strobe_body *bodies;
    body_shape *shapes;
    int thinned;     // bodies that were asked for, where that was more than are drawn; else 0
    double interval; // seconds between the bodies that are drawn
    bool shifted;    // some body is not drawn where it was
} strobe;

// x right, y down, in pixels; `forward` is where the camera looks.
typedef struct strobe_camera {
    lope_vec3 right, up, forward, eye;
    double distance; // 0: parallel projection; else from eye to the centre of interest
    double scale;    // pixels per metre (at `distance`)
    svg_point origin;
} strobe_camera;

typedef struct strobe_spot {
    svg_point at;
    double depth;  // metres from the camera's plane
    double factor; // pixels per metre there
} strobe_spot;

strobe_spot strobe_project(const strobe_camera *camera, lope_vec3 point);

// Box of all bodies in the picture's plane for a camera of scale 1.
typedef struct strobe_box {
    double left, right, low, high; // low and high in pixels downwards: low > high
} strobe_box;
void strobe_box_add(strobe_box *box, const strobe_camera *camera, const strobe_body *body);
#define STROBE_BOX_EMPTY ((strobe_box){1e30, -1e30, -1e30, 1e30})

// Draws solids of one body from the farthest to the nearest, faded towards the background by `age`.
void strobe_draw_shapes(picture *page, const strobe_camera *camera, const strobe_body *body, double age);
// The same, with the time of its frame as a title; `age` goes from 0 (now) to 1 (oldest).
void strobe_draw_body(picture *page, const strobe_camera *camera, const strobe_body *body, double age);

// Layouts: bodies in lines (side and front), or in space (top and perspective).
lope_status strobe_draw_strip(picture *page, strobe *all, lope_error *error);
lope_status strobe_draw_space(picture *page, strobe *all, lope_error *error);

#endif
