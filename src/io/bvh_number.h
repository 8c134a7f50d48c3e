// SPDX-License-Identifier: MIT
// Decimal numbers of BVH files. Nearly all are short ("-28.0158"), so the fast path takes eight characters at once in a
// 64-bit word, finds the point and the end with bit tricks, squeezes the point out and turns the digits into an integer
// with three multiplications. Everything else ("1e-3", "+2", forty digits) goes the plain way.
#ifndef LOPE_SRC_IO_BVH_NUMBER_H
#define LOPE_SRC_IO_BVH_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The fast path may look at this many bytes from where it starts.
#define BVH_NUMBER_REACH 24

// Larger values are refused: no body is that far away, and sums and products of such stay finite in float.
#define BVH_VALUE_LIMIT 1e9

static inline bool bvh_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

#define BVH_ZEROS 0x3030303030303030ull // eight times '0'

static inline uint64_t bvh_load_word(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

// The high bit of each byte that is not a digit's value 0..9. `digits` is text with '0' removed by xor.
static inline uint64_t bvh_not_digits(uint64_t digits)
{
    return (((digits & 0x7F7F7F7F7F7F7F7Full) + 0x7676767676767676ull) | digits) & 0x8080808080808080ull;
}

// The integer of eight digit values, the first in the lowest byte: neighbours are joined to pairs, fours, eight.
static inline uint64_t bvh_join_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    return ((digits & 0x000000FF000000FFull) * 0x000F424000000064ull +
            ((digits >> 16) & 0x000000FF000000FFull) * 0x0000271000000001ull) >>
           32;
}

static const double bvh_powers_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// 10^-n, and the same negative. A product with it is within 2^-52 of the quotient, far below what a float shows.
static const double bvh_signed_tenths[2][15] = {
    {1e-0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14},
    {-1e-0, -1e-1, -1e-2, -1e-3, -1e-4, -1e-5, -1e-6, -1e-7, -1e-8, -1e-9, -1e-10, -1e-11, -1e-12, -1e-13, -1e-14}};

// Reads "[-]digits[.digits]" that ends at white space, at most 14 digits, 6 of them before the point. Returns where it
// ends, or NULL where the number needs the plain way (which also finds out whether it is one). BVH_NUMBER_REACH bytes
// must be readable.
const char *lope_bvh_number_long(const char *text, float *value);

// The same, for numbers with a point and no more than eight characters behind the sign; others take the call above.
// A single blank behind the number is skipped too.
static inline const char *bvh_number_fast(const char *text, float *value)
{
    // Signs are unpredictable, so nothing branches on them; both candidates are loaded before it is known which counts.
    uint64_t unsigned_word = bvh_load_word(text), signed_word = bvh_load_word(text + 1);
    size_t sign = (unsigned_word & 0xFF) == '-';
    uint64_t digits = (sign ? signed_word : unsigned_word) ^ BVH_ZEROS;
    uint64_t stops = bvh_not_digits(digits), after_point = stops & (stops - 1);
    const char *end;
    if (__builtin_expect(after_point != 0, 1)) {
        // In bits: where the point stands, and where the number ends.
        unsigned point = (unsigned)__builtin_ctzll(stops) & 56, length = (unsigned)__builtin_ctzll(after_point) & 56;
        if (__builtin_expect(text[sign + point / 8] == '.' && length > 8, 1)) {
            uint64_t below = ((uint64_t)1 << point) - 1;
            digits = ((digits & below) | ((digits >> 8) & ~below)) << (72 - length);
            double integer = (double)(int64_t)bvh_join_digits(digits);
            *value = (float)(integer * bvh_signed_tenths[sign][(length - point) / 8 - 1]);
            end = text + sign + length / 8;
            if (__builtin_expect(*end == ' ', 1))
                return end + 1;
            return bvh_is_space(*end) ? end : NULL;
        }
    }
    end = lope_bvh_number_long(text, value);
    return end && *end == ' ' ? end + 1 : end;
}

typedef enum bvh_number_kind {
    BVH_NUMBER_OK,
    BVH_NUMBER_NONE,      // not a number
    BVH_NUMBER_NOT_FINITE // nan, inf
} bvh_number_kind;

// Reads any decimal number that fills [text, end) completely. Relative error below 1e-14; inf where it is beyond
// double.
bvh_number_kind lope_bvh_number(const char *text, const char *end, double *value);

#endif
