// SPDX-License-Identifier: MIT
// The walk that everything filled in sets out from and comes back to.
#ifndef LOPE_SRC_FILL_HOME_H
#define LOPE_SRC_FILL_HOME_H

#include "fill/fill.h"

// The home walk of a manner that walks, some nine steps long where it can be joined to itself, with contacts.
lope_status fill_home(const lope_set *set, const fill_manner *manner, lope_clip **out, lope_error *error);

typedef struct fill_curve {
    const char *name; // of the clip
    float turn;       // radians per step, > 0: to the left
    float steps;      // that turn as much
    float stretch;    // factor on the length of steps there
    float first;      // steps of the home walk that are left out before
} fill_curve;

// The home walk, bent, with a step straight ahead before and after.
lope_status fill_bend(const fill_manner *manner, const lope_clip *home, const fill_curve *curve, lope_clip **out,
                      lope_error *error);

// Frames of so many steps, and of the window that clips are joined over.
int fill_step_frames(const fill_manner *manner, float steps);
int fill_window(const fill_manner *manner);

#endif
