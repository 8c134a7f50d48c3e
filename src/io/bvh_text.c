// SPDX-License-Identifier: MIT
// Words, numbers and places in the text of a BVH file.
#include "io/bvh_text.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

int lope_bvh_line(const bvh_text *text, const char *where)
{
    int line = 1;
    for (const char *at = text->start; at < where; at++) {
        bool pair = *at == '\r' && at + 1 < text->end && at[1] == '\n'; // the line feed will count
        line += (*at == '\n' || *at == '\r') && !pair;
    }
    return line;
}

void lope_bvh_skip_space(bvh_text *text)
{
    while (text->at < text->end && bvh_is_space(*text->at))
        text->at++;
}

static bool is_brace(char c)
{
    return c == '{' || c == '}';
}

bvh_word lope_bvh_peek(bvh_text *text)
{
    lope_bvh_skip_space(text);
    const char *end = text->at;
    if (end < text->end && is_brace(*end))
        return (bvh_word){end, 1};
    while (end < text->end && !bvh_is_space(*end) && !is_brace(*end))
        end++;
    return (bvh_word){text->at, (size_t)(end - text->at)};
}

bvh_word lope_bvh_next(bvh_text *text)
{
    bvh_word word = lope_bvh_peek(text);
    text->at += word.length;
    return word;
}

bool lope_bvh_is(bvh_word word, const char *keyword)
{
    return strlen(keyword) == word.length && strncasecmp(word.text, keyword, word.length) == 0;
}

bvh_quote lope_bvh_quote(bvh_word word)
{
    bvh_quote quote;
    if (word.length == 0) {
        snprintf(quote.text, sizeof quote.text, "the end of the file");
        return quote;
    }
    size_t shown = word.length < 32 ? word.length : 32;
    char *at = quote.text;
    *at++ = '\'';
    for (size_t i = 0; i < shown; i++)
        *at++ = word.text[i] >= ' ' && word.text[i] <= '~' ? word.text[i] : '?';
    snprintf(at, sizeof quote.text - shown - 1, "%s'", shown < word.length ? "..." : "");
    return quote;
}

lope_status lope_bvh_word_number(bvh_text *text, bvh_word word, const char *what, double *out)
{
    bvh_number_kind kind = lope_bvh_number(word.text, word.text + word.length, out);
    if (kind == BVH_NUMBER_NOT_FINITE)
        return BVH_FAIL(text, word.text, "%s: expected a finite number, found %s", what, lope_bvh_quote(word).text);
    if (kind == BVH_NUMBER_NONE)
        return BVH_FAIL(text, word.text, "%s: expected a number, found %s", what, lope_bvh_quote(word).text);
    if (!(fabs(*out) <= BVH_VALUE_LIMIT))
        return BVH_FAIL(text, word.text, "%s: expected a number up to %g, found %s", what, BVH_VALUE_LIMIT,
                        lope_bvh_quote(word).text);
    return LOPE_OK;
}

lope_status lope_bvh_read_number(bvh_text *text, const char *what, double *out)
{
    return lope_bvh_word_number(text, lope_bvh_next(text), what, out);
}

lope_status lope_bvh_read_integer(bvh_text *text, const char *what, int low, int high, int *out)
{
    bvh_word word = lope_bvh_next(text);
    double value;
    bvh_number_kind kind = lope_bvh_number(word.text, word.text + word.length, &value);
    if (kind != BVH_NUMBER_OK || value != floor(value))
        return BVH_FAIL(text, word.text, "%s: expected a whole number, found %s", what, lope_bvh_quote(word).text);
    if (!(value >= (double)low && value <= (double)high))
        return BVH_FAIL(text, word.text, "%s: expected %d to %d, found %s", what, low, high, lope_bvh_quote(word).text);
    *out = (int)value;
    return LOPE_OK;
}
