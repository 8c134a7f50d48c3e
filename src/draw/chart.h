// SPDX-License-Identifier: MIT
// Charts over time: a plot area with a seconds axis, shared by contact bars and curves.
#ifndef LOPE_SRC_DRAW_CHART_H
#define LOPE_SRC_DRAW_CHART_H

#include "draw/picture.h"

#define CHART_LABELS 84.0 // pixels to the left of the plot for row names and numbers

typedef struct chart {
    double left, right, top, bottom; // pixels of the plot
    double start, end;               // seconds at left and right
    double low, high;                // values at bottom and top
} chart;

double chart_x(const chart *area, double seconds);
double chart_y(const chart *area, double value);
// A chart across the page, `height` pixels high, from page->top.
chart chart_begin(const picture *page, double height);
// The panel, vertical lines and numbers of the time axis; `label` below the last chart of a stack, else NULL.
void chart_time_axis(picture *page, const chart *area, bool numbers);

#endif
