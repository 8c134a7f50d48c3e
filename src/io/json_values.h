// SPDX-License-Identifier: MIT
// What scene files are made of: numbers within limits, points, rectangles, words out of a few, lists that grow. All
// fail at the value in hand, as json_read.h says.
#ifndef LOPE_SRC_IO_JSON_VALUES_H
#define LOPE_SRC_IO_JSON_VALUES_H

#include "io/json_read.h"

#define JSON_FURTHEST 1e5 // metres from the origin that a scene may reach

bool json_no_memory(json_reader *reader);

bool json_between(json_reader *reader, const char *what, double low, double high, double *out);
bool json_float(json_reader *reader, const char *what, double low, double high, float *out);
bool json_whole(json_reader *reader, const char *what, int low, int high, int *out);
// Degrees in the file, radians in `out`.
bool json_turn(json_reader *reader, const char *what, float *out);
// An array of `count` numbers; `order` says which, for messages ("x and z"; "" says nothing).
bool json_numbers(json_reader *reader, const char *what, const char *order, int count, double low, double high,
                  double *out);
// Two opposite corners, in whichever order; each of two numbers within JSON_FURTHEST.
bool json_rectangle(json_reader *reader, const char *what, const char *order, double low[2], double high[2]);
// One of `words`, up to eight.
bool json_word(json_reader *reader, const char *what, const char *const *words, int count, int *out);

// Makes room for one more item.
bool json_grow(json_reader *reader, void **items, int count, int *capacity, size_t size);

#endif
