// SPDX-License-Identifier: MIT
// Boxes and things as worlds and stages write them.
#ifndef LOPE_SRC_IO_JSON_THINGS_H
#define LOPE_SRC_IO_JSON_THINGS_H

#include "io/json_values.h"
#include "lope/blocks.h"

// Line of the value or key in hand.
int json_line(const json_reader *reader);

// An array of x, y and z, within JSON_FURTHEST.
bool json_place(json_reader *reader, const char *what, float out[3]);

// {"centre": [x, y, z], "size": [x, y, z], "degrees": yaw, "pitch": degrees} of a unit that messages name.
bool json_box(json_reader *reader, const char *unit, lope_box *out);

// {"unit": name, "at": [x, y, z], "degrees": yaw, "count": n, "by": [x, y, z]}: things in a row, each moved by `by`
// from the one before, as seen from the thing.
typedef struct json_thing {
    char unit[LOPE_UNIT_NAME];
    lope_spot at;
    int line, count;
    lope_spot by;
} json_thing;
bool json_thing_read(json_reader *reader, json_thing *out);

#endif
