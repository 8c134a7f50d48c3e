// SPDX-License-Identifier: MIT
// JSON text. Whether a comma is due can be read off the last character written, so no stack of states is needed.
#include "io/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void append(lope_json *json, const char *bytes, size_t size)
{
    if (json->failed)
        return;
    if (size > json->capacity - json->length) {
        size_t capacity = json->capacity ? json->capacity : 4096;
        while (capacity - json->length < size && capacity <= SIZE_MAX / 2)
            capacity *= 2;
        char *larger = capacity - json->length < size ? NULL : lope_grow(json->text, json->length, capacity);
        if (!larger) {
            json->failed = true;
            return;
        }
        json->text = larger;
        json->capacity = capacity;
    }
    memcpy(json->text + json->length, bytes, size);
    json->length += size;
}

static void append_text(lope_json *json, const char *text)
{
    append(json, text, strlen(text));
}

static void append_quoted(lope_json *json, const char *value)
{
    append(json, "\"", 1);
    for (const char *at = value; *at;) {
        size_t length = lope_utf8_length(at);
        if (length == 0) {
            append_text(json, "\\ufffd");
            length = 1;
        } else if ((unsigned char)*at < 0x20 || *at == 0x7F) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*at);
            append_text(json, escape);
        } else {
            if (*at == '"' || *at == '\\')
                append(json, "\\", 1);
            append(json, at, length);
        }
        at += length;
    }
    append(json, "\"", 1);
}

static void begin_value(lope_json *json, const char *key)
{
    char last = json->length ? json->text[json->length - 1] : '[';
    if (last != '{' && last != '[')
        append(json, ",", 1);
    if (key) {
        append_quoted(json, key);
        append(json, ":", 1);
    }
}

void lope_json_begin_object(lope_json *json, const char *key)
{
    begin_value(json, key);
    append(json, "{", 1);
}

void lope_json_end_object(lope_json *json)
{
    append(json, "}", 1);
}

void lope_json_begin_array(lope_json *json, const char *key)
{
    begin_value(json, key);
    append(json, "[", 1);
}

void lope_json_end_array(lope_json *json)
{
    append(json, "]", 1);
}

void lope_json_string(lope_json *json, const char *key, const char *value)
{
    begin_value(json, key);
    append_quoted(json, value);
}

void lope_json_integer(lope_json *json, const char *key, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    begin_value(json, key);
    append_text(json, text);
}

// printf writes the locale's decimal point, which may be a comma; JSON knows only the dot.
static void append_number(lope_json *json, const char *key, char *text)
{
    for (char *at = text; *at; at++)
        if (!strchr("0123456789+-eE", *at))
            *at = '.';
    begin_value(json, key);
    append_text(json, text);
}

void lope_json_double(lope_json *json, const char *key, double value)
{
    assert(isfinite(value));
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    append_number(json, key, text);
}

void lope_json_float(lope_json *json, const char *key, float value)
{
    assert(isfinite(value));
    char text[40];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    append_number(json, key, text);
}

void lope_json_rounded(lope_json *json, const char *key, double value, int decimals)
{
    assert(isfinite(value) && decimals >= 0 && decimals <= 9);
    int64_t unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    double scaled = value * (double)unit;
    if (fabs(scaled) > 1e15) { // no digits left behind the point
        lope_json_double(json, key, value);
        return;
    }
    int64_t rounded = llround(scaled), magnitude = rounded < 0 ? -rounded : rounded;
    char text[48];
    int length = snprintf(text, sizeof text, "%s%lld", rounded < 0 ? "-" : "", (long long)(magnitude / unit));
    if (magnitude % unit != 0) {
        length +=
            snprintf(text + length, sizeof text - (size_t)length, ".%0*lld", decimals, (long long)(magnitude % unit));
        while (text[length - 1] == '0')
            text[--length] = 0;
    }
    begin_value(json, key);
    append_text(json, text);
}

void lope_json_boolean(lope_json *json, const char *key, bool value)
{
    begin_value(json, key);
    append_text(json, value ? "true" : "false");
}

void lope_json_floats(lope_json *json, const char *key, const float *values, int count)
{
    lope_json_begin_array(json, key);
    for (int i = 0; i < count; i++)
        lope_json_float(json, NULL, values[i]);
    lope_json_end_array(json);
}

void lope_json_pad(lope_json *json, size_t alignment)
{
    while (!json->failed && json->length % alignment != 0)
        append(json, " ", 1);
}

void lope_json_free(lope_json *json)
{
    lope_free(json->text);
    *json = (lope_json){0};
}
