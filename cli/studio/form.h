// SPDX-License-Identifier: MIT
// Fields of forms and queries, and what '%' stands for in them. Internal to the parsing of requests.
#ifndef LOPE_CLI_STUDIO_FORM_H
#define LOPE_CLI_STUDIO_FORM_H

#include <stdbool.h>
#include <stddef.h>

// One field, still encoded; points into the text.
typedef struct studio_field {
    const char *name, *value;
    size_t name_length, value_length;
} studio_field;
// Reads the field that `text` begins with; returns where the next one begins.
const char *studio_next_field(const char *text, studio_field *out);
// Replaces %41 by A and, in forms, + by a space. False where the text is broken, holds a zero byte or is too long.
bool studio_decode(const char *text, size_t length, bool form, char *out, size_t size);
// 1 to 32 letters, digits, '-' or '_'.
bool studio_good_id(const char *text);

#endif
