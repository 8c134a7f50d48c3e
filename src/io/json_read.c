// SPDX-License-Identifier: MIT
// Reading JSON (RFC 8259) by taking one value after the other. Lines and columns are counted only when something fails.
#include "io/json_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/bvh_number.h"

#define DEEPEST 32

bool json_fail(json_reader *reader, const char *format, ...)
{
    if (reader->status)
        return false;
    int line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < reader->mark && i < reader->size; i++)
        if (reader->text[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reader->status = lope_fail_at(reader->error, LOPE_BAD_DATA, reader->name, line, "%s", message);
    if (reader->error)
        reader->error->column = (int)(reader->mark - line_start) + 1;
    return false;
}

static char peek(json_reader *reader)
{
    if (reader->at == 0 && reader->size >= 3 && memcmp(reader->text, "\xEF\xBB\xBF", 3) == 0)
        reader->at = 3; // some editors put a byte order mark there
    while (reader->at < reader->size && memchr(" \t\r\n", reader->text[reader->at], 4))
        reader->at++;
    return reader->at < reader->size ? reader->text[reader->at] : '\0';
}

// Says what stands at the mark.
static const char *found(const json_reader *reader, char text[40])
{
    if (reader->mark >= reader->size) {
        snprintf(text, 40, "the end of the file");
        return text;
    }
    char c = reader->text[reader->mark];
    switch (c) {
    case '{':
        return "an object";
    case '[':
        return "an array";
    case '"':
        return "a string";
    case '}':
    case ']':
        return "nothing";
    default:
        break;
    }
    int length = 0;
    while (length < 24 && reader->mark + (size_t)length < reader->size) {
        unsigned char at = (unsigned char)reader->text[reader->mark + (size_t)length];
        if (at <= ' ' || at >= 127 || strchr(",:[]{}\"", at))
            break;
        length++;
    }
    if (length == 0)
        snprintf(text, 40, "byte 0x%02X", (unsigned char)c);
    else
        snprintf(text, 40, "'%.*s'", length, reader->text + reader->mark);
    return text;
}

static bool expected(json_reader *reader, const char *wanted, const char *what)
{
    char text[40];
    return json_fail(reader, "%s must be %s, found %s", what, wanted, found(reader, text));
}

bool json_open(json_reader *reader, char bracket, const char *what)
{
    if (reader->status)
        return false;
    char next = peek(reader);
    reader->mark = reader->at;
    if (next != bracket)
        return expected(reader, bracket == '{' ? "an object {...}" : "an array [...]", what);
    if (reader->depth == DEEPEST)
        return json_fail(reader, "brackets are nested more than %d deep", DEEPEST);
    reader->depth++;
    reader->at++;
    return true;
}

// Goes to the next member or item; false at the closing bracket, which is taken.
static bool next_element(json_reader *reader, char closing)
{
    if (reader->status)
        return false;
    // What came before decides whether a comma is due; nothing but white space lies between.
    size_t before = reader->at;
    while (before > 0 && memchr(" \t\r\n", reader->text[before - 1], 4))
        before--;
    bool first = before > 0 && (reader->text[before - 1] == '{' || reader->text[before - 1] == '[');
    char next = peek(reader);
    reader->mark = reader->at;
    if (next == closing) {
        reader->at++;
        reader->depth--;
        return false;
    }
    char text[40];
    if (!first && next != ',')
        return json_fail(reader, "expected ',' or '%c', found %s", closing, found(reader, text));
    if (!first) {
        reader->at++;
        next = peek(reader);
        reader->mark = reader->at;
    }
    if (next == '\0' || next == ',' || next == '}' || next == ']')
        return json_fail(reader, "expected a %s, found %s", closing == '}' ? "key" : "value", found(reader, text));
    return true;
}

bool json_item(json_reader *reader)
{
    return next_element(reader, ']');
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// One character of a string, escapes resolved; -1 where it is malformed. Only escapes of ASCII are understood.
static int take_character(json_reader *reader)
{
    unsigned char c = (unsigned char)reader->text[reader->at++];
    if (c < ' ')
        return -1;
    if (c != '\\')
        return c;
    if (reader->at >= reader->size)
        return -1;
    char escape = reader->text[reader->at++];
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *simple = escape ? strchr(from, escape) : NULL;
    if (simple)
        return to[simple - from];
    int value = 0;
    for (int i = 0; escape == 'u' && i < 4; i++) {
        int digit = reader->at < reader->size ? hex_digit(reader->text[reader->at++]) : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value > 0 && value < 128 ? value : -1;
}

bool json_read_string(json_reader *reader, const char *what, char *out, size_t size)
{
    if (reader->status)
        return false;
    char next = peek(reader);
    reader->mark = reader->at;
    if (next != '"')
        return expected(reader, "a string", what);
    reader->at++;
    size_t length = 0;
    while (reader->at < reader->size && reader->text[reader->at] != '"') {
        int c = take_character(reader);
        if (c < 0)
            return json_fail(reader, "%s holds a character or escape that is not understood", what);
        if (length + 1 >= size)
            return json_fail(reader, "%s is longer than %zu characters", what, size - 1);
        out[length++] = (char)c;
    }
    if (reader->at >= reader->size)
        return json_fail(reader, "%s has no closing quote", what);
    reader->at++;
    out[length] = '\0';
    return true;
}

bool json_name(json_reader *reader, char *out, size_t size)
{
    if (!next_element(reader, '}') || !json_read_string(reader, "a key", out, size))
        return false;
    size_t key = reader->mark;
    if (peek(reader) != ':') {
        char text[40];
        reader->mark = reader->at;
        return json_fail(reader, "expected ':' after the key '%s', found %s", out, found(reader, text));
    }
    reader->at++;
    reader->mark = key;
    return true;
}

bool json_key(json_reader *reader, const char *const *keys, unsigned *seen, int *index)
{
    char name[64], list[256] = "";
    if (!json_name(reader, name, sizeof name))
        return false;
    for (int i = 0; keys[i]; i++) {
        if (strcmp(keys[i], name) == 0) {
            if (*seen >> i & 1u)
                return json_fail(reader, "the key '%s' appears twice", name);
            *seen |= 1u << i;
            *index = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", keys[i]);
    }
    return json_fail(reader, "unknown key '%s'; allowed: %s", name, list);
}

bool json_number(json_reader *reader, const char *what, double *out)
{
    if (reader->status)
        return false;
    char next = peek(reader);
    reader->mark = reader->at;
    if (next != '-' && !(next >= '0' && next <= '9'))
        return expected(reader, "a number", what);
    size_t end = reader->at;
    while (end < reader->size && !memchr(" \t\r\n,]}", reader->text[end], 7))
        end++;
    if (lope_bvh_number(reader->text + reader->at, reader->text + end, out) != BVH_NUMBER_OK || !(*out > -1e300) ||
        !(*out < 1e300))
        return expected(reader, "a number", what);
    reader->at = end;
    return true;
}

bool json_boolean(json_reader *reader, const char *what, bool *out)
{
    if (reader->status)
        return false;
    peek(reader);
    reader->mark = reader->at;
    size_t left = reader->size - reader->at;
    if (left >= 4 && memcmp(reader->text + reader->at, "true", 4) == 0) {
        *out = true;
        reader->at += 4;
    } else if (left >= 5 && memcmp(reader->text + reader->at, "false", 5) == 0) {
        *out = false;
        reader->at += 5;
    } else {
        return expected(reader, "true or false", what);
    }
    return true;
}

bool json_read_null(json_reader *reader)
{
    if (reader->status)
        return false;
    peek(reader);
    if (reader->size - reader->at < 4 || memcmp(reader->text + reader->at, "null", 4) != 0)
        return false;
    reader->mark = reader->at;
    reader->at += 4;
    return true;
}

bool json_end(json_reader *reader)
{
    if (reader->status)
        return false;
    char text[40], next = peek(reader);
    reader->mark = reader->at;
    if (reader->at < reader->size) {
        (void)next;
        return json_fail(reader, "expected the end of the file, found %s", found(reader, text));
    }
    return true;
}
