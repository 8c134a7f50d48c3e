// SPDX-License-Identifier: MIT
// Skeletons in the naming conventions in use, built from one table of joints each.
#ifndef LOPE_TESTS_BODIES_H
#define LOPE_TESTS_BODIES_H

#include "support/support.h"

// A joint of a convention. A '*' in a name stands for the side's text: such rows are made twice, the second time with
// the offset mirrored. `role` is the left one for sided rows, -1 for joints that play none.
typedef struct body_row {
    const char *name;
    const char *parent; // NULL: the root
    float offset[3];
    int role;
} body_row;

typedef struct body_table {
    const char *title;
    const char *sides[2]; // what '*' becomes
    int lateral;          // the axis that is mirrored: 0 for x, 2 for z
    uint32_t shapeless;   // bit per role that only names can tell
    int count;
    const body_row *rows;
} body_table;

extern const body_table body_tables[];
extern const int body_table_count;

// How to build: all zero is the plain table.
typedef struct body_variant {
    bool anonymous;     // joints are called j0, j1, ...
    bool tips;          // leaves get tips
    bool turned;        // every joint's rest frame is turned at random; joints stay where they are
    float arms_lowered; // radians from the table's pose, turned at the shoulder
    float scale;        // 0 means 1
} body_variant;

lope_skeleton *body_make(const body_table *table, const body_variant *variant, int roles[LOPE_ROLE_COUNT]);
const body_table *body_find(const char *title);

// Smooth made-up motion of any skeleton at 30 fps, about its rest pose, walking ahead and turning.
lope_clip *body_clip(const lope_skeleton *skeleton, int frames, unsigned flags, uint64_t seed);

#endif
