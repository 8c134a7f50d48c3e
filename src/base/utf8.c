// SPDX-License-Identifier: MIT
// What is UTF-8 and what is not, by the table of well-formed sequences in the Unicode standard.
#include "lope/base.h"

size_t lope_utf8_length(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (bytes[0] < 0x80)
        return 1;
    if (bytes[0] < 0xC2 || bytes[0] > 0xF4)
        return 0;
    size_t length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80) // the terminating zero as well
            return 0;
    // Overlong forms, surrogates and what lies above U+10FFFF show in the second byte.
    bool overlong = (bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xF0 && bytes[1] < 0x90);
    bool outside = (bytes[0] == 0xED && bytes[1] > 0x9F) || (bytes[0] == 0xF4 && bytes[1] > 0x8F);
    return overlong || outside ? 0 : length;
}
