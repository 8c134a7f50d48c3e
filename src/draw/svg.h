// SPDX-License-Identifier: MIT
// A small SVG writer: elements are appended to text in memory, and the text is written in one go at the end.
//
// Numbers are formatted here and not by printf, so that the same picture has the same bytes whatever the locale.
#ifndef LOPE_SRC_DRAW_SVG_H
#define LOPE_SRC_DRAW_SVG_H

#include "lope/math.h"

typedef struct svg_colour {
    uint8_t red, green, blue;
} svg_colour;

typedef struct svg_point {
    double x, y;
} svg_point;

typedef struct svg {
    char *text;
    size_t size, capacity;
    bool failed; // memory ran out: everything after it is ignored, svg_save reports it
} svg;

// How a text is set. `anchor`: -1 begins at x, 0 is centred on it, 1 ends there.
typedef struct svg_font {
    double size;
    int anchor;
    bool bold;
    svg_colour colour;
    const svg_colour *halo; // NULL, or the colour of a rim that keeps the text readable over lines
} svg_font;

// How a line is drawn. `dash` is NULL or an SVG dash list such as "4 3".
typedef struct svg_pen {
    svg_colour colour;
    double width;
    const char *dash;
} svg_pen;

void svg_free(svg *out);

// Pieces of text: as it is; escaped for use in text and attributes; a number with at most two decimals.
void svg_raw(svg *out, const char *text);
void svg_escaped(svg *out, const char *text);
void svg_number(svg *out, double value);
void svg_attribute(svg *out, const char *name, double value);
void svg_colour_value(svg *out, svg_colour colour);

// Part of the way from `a` (t = 0) to `b` (t = 1).
svg_colour svg_mix(svg_colour a, svg_colour b, double t);

// A group with an id (may be NULL) and a title that browsers show when hovering (may be NULL).
void svg_group_begin(svg *out, const char *id, const char *title);
void svg_group_end(svg *out);

void svg_line(svg *out, svg_point a, svg_point b, svg_pen pen);
void svg_polyline(svg *out, const svg_point *points, int count, svg_pen pen);
void svg_rect(svg *out, svg_point corner, double width, double height, double rounding, svg_colour fill);
// A filled circle or polygon with an outline (no outline where outline.width is 0).
void svg_circle(svg *out, svg_point centre, double radius, svg_colour fill, svg_pen outline);
void svg_polygon(svg *out, const svg_point *points, int count, svg_colour fill, svg_pen outline);
// A tapered capsule: the hull of two circles.
void svg_capsule(svg *out, svg_point a, double radius_a, svg_point b, double radius_b, svg_colour fill,
                 svg_pen outline);
// Text with its baseline at `at`.
void svg_text(svg *out, svg_point at, svg_font font, const char *text);

// Roughly how wide a text is: fonts differ, so leave some air.
double svg_text_width(double font_size, const char *text);

// Writes a whole picture of the given size: header, background, what was appended, end.
lope_status svg_save(const svg *out, const char *path, double width, double height, svg_colour background,
                     const char *title, lope_error *error);

#endif
