// SPDX-License-Identifier: MIT
// Numbers that are longer than eight characters or have no point, still a word at a time; and the plain way to read a
// number: any length, any exponent, and words for what is not finite.
#include "io/bvh_number.h"

#include <math.h>
#include <strings.h>

const char *lope_bvh_number_long(const char *text, float *value)
{
    size_t sign = text[0] == '-';
    text += sign;
    uint64_t digits = bvh_load_word(text) ^ BVH_ZEROS, stops = bvh_not_digits(digits), tail = 0;
    if (!stops)
        return NULL;
    unsigned whole = (unsigned)__builtin_ctzll(stops) >> 3, length = whole, count = whole, more = 0;
    if (text[whole] == '.') {
        uint64_t after_point = stops & (stops - 1), below = ((uint64_t)1 << (8 * whole)) - 1;
        length = after_point ? (unsigned)__builtin_ctzll(after_point) >> 3 : 8;
        if (!after_point) {
            tail = bvh_load_word(text + 8) ^ BVH_ZEROS;
            uint64_t tail_stops = bvh_not_digits(tail);
            if (!tail_stops)
                return NULL;
            more = (unsigned)__builtin_ctzll(tail_stops) >> 3;
            tail = more ? bvh_join_digits(tail << (64 - 8 * more)) : 0;
        }
        digits = (digits & below) | ((digits >> 8) & ~below);
        count = length - 1;
    }
    if (count == 0 || whole > 6 || !bvh_is_space(text[length + more]))
        return NULL;
    double integer = (double)(int64_t)bvh_join_digits(digits << (64 - 8 * count));
    if (more)
        integer = integer * bvh_powers_of_ten[more] + (double)(int64_t)tail;
    *value = (float)(integer * bvh_signed_tenths[sign][count - whole + more]);
    return text + length + more;
}

// Exponents beyond this are zero or infinite for any mantissa a file can hold.
#define EXPONENT_LIMIT 1000000000

// value * 10^exponent, in exact steps where there are any.
static double scale_by_ten(double value, int64_t exponent)
{
    while (exponent > 0 && value < (double)INFINITY && value != 0.0) {
        int step = exponent < 22 ? (int)exponent : 22;
        value *= bvh_powers_of_ten[step];
        exponent -= step;
    }
    while (exponent < 0 && value != 0.0) {
        int step = -exponent < 22 ? (int)-exponent : 22;
        value /= bvh_powers_of_ten[step];
        exponent += step;
    }
    return value;
}

static bool read_exponent(const char *text, const char *end, int *exponent)
{
    bool negative = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+'))
        text++;
    if (text == end)
        return false;
    int value = 0;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return false;
        value = value < EXPONENT_LIMIT / 10 - 1 ? value * 10 + (*text - '0') : EXPONENT_LIMIT;
    }
    *exponent = negative ? -value : value;
    return true;
}

static bool is_not_finite(const char *text, size_t length)
{
    static const char *const words[] = {"nan", "inf", "infinity", "-nan(ind)", "1.#inf", "1.#qnan", "1.#ind"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(text, words[i], length) == 0)
            return true;
    return length > 4 && strncasecmp(text, "nan(", 4) == 0;
}

bvh_number_kind lope_bvh_number(const char *text, const char *end, double *value)
{
    bool negative = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+'))
        text++;
    if (is_not_finite(text, (size_t)(end - text)))
        return BVH_NUMBER_NOT_FINITE;
    uint64_t mantissa = 0;
    int64_t exponent = 0;
    bool point = false, digits = false;
    for (; text < end; text++) {
        if (*text == '.' && !point) {
            point = true;
            continue;
        }
        if (*text < '0' || *text > '9')
            break;
        digits = true;
        if (mantissa < 1000000000000000000ull) { // 18 digits are more than a double holds; the rest only scales
            mantissa = mantissa * 10 + (uint64_t)(*text - '0');
            exponent -= point;
        } else {
            exponent += !point;
        }
    }
    if (!digits)
        return BVH_NUMBER_NONE;
    if (text < end) {
        int stated;
        if ((*text != 'e' && *text != 'E') || !read_exponent(text + 1, end, &stated))
            return BVH_NUMBER_NONE;
        exponent += stated;
    }
    double magnitude = scale_by_ten((double)mantissa, exponent);
    *value = negative ? -magnitude : magnitude;
    return BVH_NUMBER_OK;
}
