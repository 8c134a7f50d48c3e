// SPDX-License-Identifier: MIT
// The page of a terrain picture, and its two parts.
#ifndef LOPE_SRC_DRAW_TERRAIN_H
#define LOPE_SRC_DRAW_TERRAIN_H

#include "draw/picture.h"
#include "lope/terrain_draw.h"

typedef struct ground_page {
    svg out;
    const lope_terrain *terrain;
    const lope_terrain_picture *asked;
    picture_theme theme;
    lope_vec3 low, high; // of the terrain
    double width;        // pixels between the margins
    double top;          // pixels: where the next part begins
} ground_page;

// A heading with a note to its right; moves `top` below it.
void ground_heading(ground_page *page, const char *text, const char *note);
// Colour of a height: from the terrain's lowest to its highest.
svg_colour ground_colour(const ground_page *page, double height);
svg_colour ground_side_colour(const ground_page *page, int side);
// Thins a track out to at most `most` points: the stride to go by.
int ground_stride(int count, int most);

lope_status ground_draw_top(ground_page *page, lope_error *error);
lope_status ground_draw_profile(ground_page *page, lope_error *error);

#endif
