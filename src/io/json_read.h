// SPDX-License-Identifier: MIT
// A small reader of JSON that knows where it is: values are taken one by one, in the order of the text, and whoever
// takes them can say at which line and column something is wrong.
//
// After the first failure every call returns false, so callers check where it is convenient.
// No name may be one of jansson's, such as json_null and json_string: tests link both.
#ifndef LOPE_SRC_IO_JSON_READ_H
#define LOPE_SRC_IO_JSON_READ_H

#include "lope/base.h"

typedef struct json_reader {
    const char *name; // of the file
    const char *text;
    size_t size, at;
    size_t mark; // where the value or key in hand begins
    int depth;
    lope_error *error;
    lope_status status;
} json_reader;

// Fails at the value or key in hand. Returns false.
bool json_fail(json_reader *reader, const char *format, ...) LOPE_PRINTF(2, 3);

// Beginning of an object or array; `what` names it in messages ("an area"). Then, until they return false:
// json_key, which yields the index of a key among `keys` (ended by NULL; unknown ones and those that were there before,
// which `seen` remembers, fail), or json_name, which takes any key; json_item for arrays.
bool json_open(json_reader *reader, char bracket, const char *what);
bool json_key(json_reader *reader, const char *const *keys, unsigned *seen, int *index);
bool json_name(json_reader *reader, char *out, size_t size);
bool json_item(json_reader *reader);

bool json_number(json_reader *reader, const char *what, double *out);
bool json_boolean(json_reader *reader, const char *what, bool *out);
// Takes null where it stands; false, and nothing is taken or wrong, where something else does.
bool json_read_null(json_reader *reader);
// Fails where the text does not fit into `out`.
bool json_read_string(json_reader *reader, const char *what, char *out, size_t size);
// Nothing but white space may follow the outermost value.
bool json_end(json_reader *reader);

#endif
