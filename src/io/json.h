// SPDX-License-Identifier: MIT
// A small writer of JSON text into one growing block: commas, escapes and numbers come out right by themselves.
//
// `key` is the member's name inside an object and NULL inside an array. Running out of memory is remembered in
// `failed`, so callers check once, at the end. Output does not depend on the locale.
#ifndef LOPE_SRC_IO_JSON_H
#define LOPE_SRC_IO_JSON_H

#include "lope/base.h"

typedef struct lope_json {
    char *text; // `length` bytes, not terminated
    size_t length;
    size_t capacity;
    bool failed;
} lope_json;

void lope_json_begin_object(lope_json *json, const char *key);
void lope_json_end_object(lope_json *json);
void lope_json_begin_array(lope_json *json, const char *key);
void lope_json_end_array(lope_json *json);

// Any bytes are fine: what is not UTF-8 becomes U+FFFD.
void lope_json_string(lope_json *json, const char *key, const char *value);
void lope_json_integer(lope_json *json, const char *key, int64_t value);
// The shortest of the usual precisions that reads back as the same number. The value must be finite.
void lope_json_double(lope_json *json, const char *key, double value);
void lope_json_float(lope_json *json, const char *key, float value);
// Rounded to `decimals` (0 to 9) places, without trailing zeros.
void lope_json_rounded(lope_json *json, const char *key, double value, int decimals);
void lope_json_boolean(lope_json *json, const char *key, bool value);
void lope_json_floats(lope_json *json, const char *key, const float *values, int count);

// Appends spaces until the length is a multiple of `alignment`.
void lope_json_pad(lope_json *json, size_t alignment);
void lope_json_free(lope_json *json);

#endif
