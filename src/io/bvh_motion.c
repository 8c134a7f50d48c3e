// SPDX-License-Identifier: MIT
// The motion of a BVH file: the number of frames, their time, and a line of values each. This is where the reader
// spends its time, so the loop over values does nothing but numbers; whatever is unusual leaves it.
#include "io/bvh_motion.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"

// Reads words and a colon: "Frame Time:" as well as "frame time :".
static lope_status expect_label(bvh_text *text, const char *const *words, const char *label)
{
    for (; *words; words++) {
        bvh_word word = lope_bvh_peek(text);
        size_t length = strlen(*words);
        bvh_word head = {word.text, word.length < length ? word.length : length};
        if (!lope_bvh_is(head, *words) || (word.length > length && word.text[length] != ':'))
            return BVH_FAIL(text, word.text, "expected '%s', found %s", label, lope_bvh_quote(word).text);
        text->at += length;
    }
    lope_bvh_skip_space(text);
    if (text->at == text->end || *text->at != ':')
        return BVH_FAIL(text, text->at, "expected '%s', found no ':'", label);
    text->at++;
    return LOPE_OK;
}

static lope_status read_frame_count(bvh_text *text, int *count)
{
    lope_status status = expect_label(text, (const char *const[]){"Frames", NULL}, "Frames:");
    if (status)
        return status;
    const char *where = text->at;
    // Zero is a whole number too, but deserves to be told apart from nonsense.
    status = lope_bvh_read_integer(text, "Frames", 0, INT_MAX, count);
    if (!status && *count == 0)
        return BVH_FAIL(text, where, "the clip has no frames (Frames: 0); expected at least 1");
    return status;
}

// Files say .0083333 and mean 1/120. Where the stated time is a rounded or cut 1/n, n it is: the difference may be up
// to a unit in the last stated place, and never more than half a frame in ten thousand.
static double frame_rate_of(bvh_word word, double time)
{
    const char *point = memchr(word.text, '.', word.length);
    size_t decimals = point ? word.length - (size_t)(point - word.text) - 1 : 0;
    double whole = floor(1.0 / time + 0.5);
    bool plain = !memchr(word.text, 'e', word.length) && !memchr(word.text, 'E', word.length);
    if (!plain || whole < 1.0 || decimals >= 23)
        return 1.0 / time;
    double difference = fabs(time - 1.0 / whole), unit = 1.0 / bvh_powers_of_ten[decimals];
    return difference <= unit && difference <= 5e-5 * time ? whole : 1.0 / time;
}

static lope_status read_frame_time(bvh_text *text, double *frame_rate)
{
    lope_status status = expect_label(text, (const char *const[]){"Frame", "Time", NULL}, "Frame Time:");
    if (status)
        return status;
    bvh_word word = lope_bvh_next(text);
    double time;
    status = lope_bvh_word_number(text, word, "Frame Time", &time);
    if (status)
        return status;
    if (!(time >= 1.0 / LOPE_MAX_FRAME_RATE && time <= 1.0 / LOPE_MIN_FRAME_RATE))
        return BVH_FAIL(text, word.text, "Frame Time: expected %g to %g seconds, found %s", 1.0 / LOPE_MAX_FRAME_RATE,
                        1.0 / LOPE_MIN_FRAME_RATE, lope_bvh_quote(word).text);
    *frame_rate = frame_rate_of(word, time);
    return LOPE_OK;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static const char *skip_blanks(const bvh_text *text, const char *at)
{
    while (at < text->end && bvh_is_space(*at) && !is_line_end(*at))
        at++;
    return at;
}

// Says how many values the line of `line` really has.
static lope_status fail_count(bvh_text *text, const bvh_document *document, int frame, const char *line)
{
    long long count = 0;
    const char *at = skip_blanks(text, line);
    while (at < text->end && !is_line_end(*at)) {
        count++;
        while (at < text->end && !bvh_is_space(*at))
            at++;
        at = skip_blanks(text, at);
    }
    return BVH_FAIL(text, line, "frame %d has %lld values, the skeleton needs %d", frame, count,
                    document->channel_count);
}

static lope_status read_value_plain(bvh_text *text, bvh_document *document, int frame, float *value)
{
    const char *end = text->at;
    while (end < text->end && !bvh_is_space(*end))
        end++;
    char what[32];
    snprintf(what, sizeof what, "frame %d", frame);
    bvh_word word = {text->at, (size_t)(end - text->at)};
    double number;
    lope_status status = lope_bvh_word_number(text, word, what, &number);
    if (status)
        return status;
    *value = (float)number;
    document->has_large_values |= fabs(number) > (double)BVH_LARGE_VALUE;
    text->at = end;
    return LOPE_OK;
}

// Reads one line of values into a lane. text->at stands at the first value.
static lope_status read_frame(bvh_text *text, bvh_document *document, int frame)
{
    const char *line = text->at, *at = line;
    const char *fast_end = text->end - line > BVH_NUMBER_REACH ? text->end - BVH_NUMBER_REACH : line;
    float *out = bvh_value(document, frame, 0), *out_end = out + (size_t)document->channel_count * BVH_LANES;
    for (; out < out_end; out += BVH_LANES) {
        const char *next = at < fast_end ? bvh_number_fast(at, out) : NULL;
        if (!next) {
            at = skip_blanks(text, at);
            if (at == text->end || is_line_end(*at))
                return fail_count(text, document, frame, line);
            next = at < fast_end ? bvh_number_fast(at, out) : NULL;
        }
        if (next) {
            at = next;
            continue;
        }
        text->at = at;
        lope_status status = read_value_plain(text, document, frame, out);
        if (status)
            return status;
        at = text->at;
    }
    text->at = skip_blanks(text, at);
    if (text->at < text->end && !is_line_end(*text->at))
        return fail_count(text, document, frame, line);
    return LOPE_OK;
}

// Where four lines begin, the first at text->at; false where there are fewer or something else ends them.
static bool find_lines(const bvh_text *text, const char **lines)
{
    lines[0] = text->at;
    for (int i = 1; i < BVH_LANES; i++) {
        const char *end = memchr(lines[i - 1], '\n', (size_t)(text->end - lines[i - 1]));
        if (!end)
            return false;
        lines[i] = end + 1;
    }
    return true;
}

static bool ends_line(const bvh_text *text, const char *at)
{
    at = skip_blanks(text, at);
    return at < text->end && is_line_end(*at);
}

// Reads a block of four lines side by side. A number says where the next one begins only at its end, and that wait is
// what a single line's time goes into; four lines wait together. Returns false, with the text where it was, where
// anything is unusual: then read_frame sorts it out line by line.
static bool read_block(bvh_text *text, const bvh_document *document, int frame)
{
    const char *lines[BVH_LANES];
    if (text->end - text->at <= BVH_NUMBER_REACH || !find_lines(text, lines))
        return false;
    const char *a = lines[0], *b = lines[1], *c = lines[2], *d = lines[3], *fast_end = text->end - BVH_NUMBER_REACH;
    float *out = bvh_value(document, frame, 0), *out_end = out + (size_t)document->channel_count * BVH_LANES;
    for (; out < out_end; out += BVH_LANES) {
        if (d >= fast_end) // the last line is the farthest
            return false;
        a = bvh_number_fast(a, out);
        b = bvh_number_fast(b, out + 1);
        c = bvh_number_fast(c, out + 2);
        d = bvh_number_fast(d, out + 3);
        if (!a || !b || !c || !d)
            return false;
    }
    if (!ends_line(text, a) || !ends_line(text, b) || !ends_line(text, c) || !ends_line(text, d))
        return false;
    text->at = d;
    return true;
}

static lope_status read_frames(bvh_text *text, bvh_document *document)
{
    for (int f = 0; f < document->frame_count; f++) {
        lope_bvh_skip_space(text);
        if (f % BVH_LANES == 0 && document->frame_count - f >= BVH_LANES && read_block(text, document, f)) {
            f += BVH_LANES - 1;
            continue;
        }
        if (text->at == text->end)
            return BVH_FAIL(text, text->at, "expected %d frames (Frames: %d), found %d", document->frame_count,
                            document->frame_count, f);
        lope_status status = read_frame(text, document, f);
        if (status)
            return status;
    }
    lope_bvh_skip_space(text);
    if (text->at < text->end)
        return BVH_FAIL(text, text->at, "too many frames: expected the end of the file after %d (Frames: %d), found %s",
                        document->frame_count, document->frame_count, lope_bvh_quote(lope_bvh_peek(text)).text);
    return LOPE_OK;
}

lope_status lope_bvh_read_motion(bvh_text *text, bvh_document *document)
{
    if (document->channel_count == 0)
        return BVH_FAIL(text, text->at, "no joint has channels: there is no motion to read");
    lope_status status = read_frame_count(text, &document->frame_count);
    if (!status)
        status = read_frame_time(text, &document->frame_rate);
    if (status)
        return status;
    // A value takes two characters at least, so the text bounds the memory, whatever the file claims. A claim beyond
    // that will be found out when the text ends.
    size_t channels = (size_t)document->channel_count, left = (size_t)(text->end - text->at);
    size_t possible = (left + 1) / (2 * channels) + 1, claimed = (size_t)document->frame_count;
    size_t blocks = ((claimed < possible ? claimed : possible) + BVH_LANES - 1) / BVH_LANES;
    size_t count = blocks * channels * BVH_LANES;
    document->values = lope_alloc_array(count, sizeof *document->values);
    if (!document->values)
        return lope_fail_memory(text->error);
    size_t last = count - channels * BVH_LANES; // only the last block can have lanes without a frame
    memset(document->values + last, 0, (count - last) * sizeof *document->values);
    return read_frames(text, document);
}
