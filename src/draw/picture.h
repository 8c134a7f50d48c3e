// SPDX-License-Identifier: MIT
// What the parts of a picture share: the stretch of motion that is drawn, measures of the body, colours and the place
// on the page. Parts are stacked: each draws below `top` and moves it down.
#ifndef LOPE_SRC_DRAW_PICTURE_H
#define LOPE_SRC_DRAW_PICTURE_H

#include "draw/svg.h"
#include "lope/draw.h"

typedef struct picture_theme {
    svg_colour background, panel, ink, muted, grid, floor, left, right, trunk, head;
} picture_theme;

typedef struct picture {
    svg out;
    const lope_clip *clip;
    const lope_draw_def *def;
    picture_theme theme;
    int first, last;          // frames that are drawn, inclusive
    lope_transform *rest;     // [joint_count] rest pose in model space
    lope_transform *model;    // [joint_count] scratch
    const uint16_t *contacts; // [frame_count] or NULL where they are not known
    uint16_t *found_contacts; // owned: contacts that the clip did not bring
    lope_vec3 travel;         // unit, horizontal: where the motion mainly goes
    float size;               // of the body relative to a man of 1.75 m
    float floor;              // metres: height of the floor line
    double top;               // pixels: where the next part begins
} picture;

#define PICTURE_MARGIN 28.0
#define PICTURE_SMALLEST_WIDTH 240 // pixels
#define PICTURE_LARGEST_WIDTH 20000
#define PICTURE_WIDTH(def) LOPE_RANGE(def, width, PICTURE_SMALLEST_WIDTH, PICTURE_LARGEST_WIDTH)

const picture_theme *picture_theme_of(bool dark);

// Width between the margins.
double picture_width(const picture *page);
double picture_seconds(const picture *page, int frame); // time of a frame
// A small heading with a note to its right (may be NULL); moves `top` below it.
void picture_heading(picture *page, const char *text, const char *note);
// A bar that says how long a metre (or ten) is, ending at `right`.
void picture_scale_bar(picture *page, svg_point right, double pixels_per_metre);
// 1, 2 or 5 times a power of ten: the smallest such step of which at most `count` fit into `range`.
double picture_step(double range, int count);
// A number with as many decimals as steps of that size need, into `text`; returns text.
const char *picture_label(char text[32], double value, double step);

// One solid of the body: the hull of one to four balls.
typedef enum shape_side { SHAPE_TRUNK, SHAPE_HEAD, SHAPE_LEFT, SHAPE_RIGHT } shape_side;
typedef struct body_shape {
    int count;
    lope_vec3 points[4];
    float radii[4];
    shape_side side;
} body_shape;

// Upper bound for body_shapes.
int body_shape_limit(const lope_skeleton *skeleton);
// Solids of the body whose joints are in page->model. Returns how many were written.
int body_shapes(const picture *page, body_shape *out);
// Feet in the world: heel and ball on the sole, tip of the toes. False where the skeleton has no such foot.
typedef struct body_foot {
    lope_vec3 heel, ball, tip;
} body_foot;
bool body_foot_points(const picture *page, lope_side side, body_foot *out);

lope_status draw_on_ground(picture *page, lope_error *error);
lope_status draw_strobe(picture *page, lope_error *error);
lope_status draw_path(picture *page, lope_error *error);
lope_status draw_contacts(picture *page, lope_error *error);
lope_status draw_curves(picture *page, lope_error *error);

#endif
