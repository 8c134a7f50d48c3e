// SPDX-License-Identifier: MIT
#include "io/json_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/math.h"

bool json_no_memory(json_reader *reader)
{
    if (!reader->status)
        reader->status = lope_fail_memory(reader->error);
    return false;
}

bool json_between(json_reader *reader, const char *what, double low, double high, double *out)
{
    if (!json_number(reader, what, out))
        return false;
    // Whole limits in full: "100000" says more than "1e+05".
    if (*out >= low && *out <= high)
        return true;
    return json_fail(reader, "%s must lie between %.10g and %.10g", what, low, high);
}

bool json_float(json_reader *reader, const char *what, double low, double high, float *out)
{
    double number;
    bool good = json_between(reader, what, low, high, &number);
    *out = good ? (float)number : 0.0f;
    return good;
}

bool json_whole(json_reader *reader, const char *what, int low, int high, int *out)
{
    double number;
    if (!json_number(reader, what, &number))
        return false;
    if (!(number >= low && number <= high) || number != floor(number))
        return json_fail(reader, "%s must be a whole number from %d to %d", what, low, high);
    *out = (int)number;
    return true;
}

bool json_turn(json_reader *reader, const char *what, float *out)
{
    double degrees;
    if (!json_between(reader, what, -36000.0, 36000.0, &degrees))
        return false;
    *out = (float)(degrees * LOPE_PI / 180.0);
    return true;
}

bool json_numbers(json_reader *reader, const char *what, const char *order, int count, double low, double high,
                  double *out)
{
    static const char *const counted[] = {"no", "one", "two", "three", "four"};
    char wanted[64];
    int found = 0;
    if (!json_open(reader, '[', what))
        return false;
    size_t begin = reader->mark;
    if (count < 5)
        snprintf(wanted, sizeof wanted, "%s numbers%s%s", counted[count], *order ? ", " : "", order);
    else
        snprintf(wanted, sizeof wanted, "%d numbers%s%s", count, *order ? ", " : "", order);
    while (json_item(reader)) {
        if (found == count)
            return json_fail(reader, "%s has %s; found more", what, wanted);
        if (!json_between(reader, what, low, high, &out[found++]))
            return false;
    }
    if (reader->status)
        return false;
    reader->mark = begin;
    return found == count || json_fail(reader, "%s has %s; found %d", what, wanted, found);
}

bool json_rectangle(json_reader *reader, const char *what, const char *order, double low[2], double high[2])
{
    double corners[2][2];
    int count = 0;
    if (!json_open(reader, '[', what))
        return false;
    size_t begin = reader->mark;
    while (json_item(reader)) {
        if (count == 2)
            return json_fail(reader, "%s has two corners; found more", what);
        if (!json_numbers(reader, "a corner", order, 2, -JSON_FURTHEST, JSON_FURTHEST, corners[count++]))
            return false;
    }
    if (reader->status)
        return false;
    reader->mark = begin;
    if (count != 2)
        return json_fail(reader, "%s has two corners; found %d", what, count);
    for (int i = 0; i < 2; i++) {
        low[i] = fmin(corners[0][i], corners[1][i]);
        high[i] = fmax(corners[0][i], corners[1][i]);
    }
    return (low[0] < high[0] && low[1] < high[1]) || json_fail(reader, "%s has no area", what);
}

bool json_word(json_reader *reader, const char *what, const char *const *words, int count, int *out)
{
    char word[32], list[256] = "";
    if (!json_read_string(reader, what, word, sizeof word))
        return false;
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return true;
        }
        size_t used = strlen(list);
        const char *before = i == 0 ? "" : i == count - 1 ? " or " : ", ";
        snprintf(list + used, sizeof list - used, "%s\"%s\"", before, words[i]);
    }
    return json_fail(reader, "%s must be %s, found \"%s\"", what, list, word);
}

bool json_grow(json_reader *reader, void **items, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    int larger = *capacity ? 2 * *capacity : 16;
    void *grown = lope_grow(*items, (size_t)*capacity * size, (size_t)larger * size);
    if (!grown)
        return json_no_memory(reader);
    *items = grown;
    *capacity = larger;
    return true;
}
