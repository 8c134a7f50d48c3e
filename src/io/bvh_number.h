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

// Reads "[-]digits[.digits]" of up to 14 digits that ends at white space. Returns its length, or 0 where the number
// needs the plain way (which also finds out whether it is one). BVH_NUMBER_REACH bytes must be readable.
static inline size_t bvh_number_fast(const char *text, float *value)
{
    // Signs are unpredictable, so nothing branches on them; both candidates are loaded before it is known which counts.
    uint64_t unsigned_word = bvh_load_word(text), signed_word = bvh_load_word(text + 1);
    size_t sign = (unsigned_word & 0xFF) == '-';
    uint64_t digits = (sign ? signed_word : unsigned_word) ^ 0x3030303030303030ull;
    text += sign;
    uint64_t stops = bvh_not_digits(digits);
    if (!stops)
        return 0;
    unsigned whole = (unsigned)__builtin_ctzll(stops) >> 3, length = whole, count = whole, more = 0;
    uint64_t tail = 0;
    if (text[whole] == '.') {
        uint64_t after_point = stops & (stops - 1), below = ((uint64_t)1 << (8 * whole)) - 1;
        length = 8;
        if (after_point) {
            length = (unsigned)__builtin_ctzll(after_point) >> 3;
        } else {
            tail = bvh_load_word(text + 8) ^ 0x3030303030303030ull;
            uint64_t tail_stops = bvh_not_digits(tail);
            if (!tail_stops)
                return 0;
            more = (unsigned)__builtin_ctzll(tail_stops) >> 3;
            tail = more ? bvh_join_digits(tail << (64 - 8 * more)) : 0;
        }
        digits = (digits & below) | ((digits >> 8) & ~below);
        count = length - 1;
    }
    if (count == 0 || !bvh_is_space(text[length + more]))
        return 0;
    double integer = (double)(int64_t)bvh_join_digits(digits << (64 - 8 * count));
    if (more)
        integer = integer * bvh_powers_of_ten[more] + (double)(int64_t)tail;
    *value = (float)(integer * bvh_signed_tenths[sign][count - whole + more]);
    return sign + length + more;
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
