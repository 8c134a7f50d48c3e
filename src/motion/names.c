// SPDX-License-Identifier: MIT
// Reading joint names. Every convention says the same few words (left, upper, leg) in its own spelling, so names are
// cut into words once, here, and everybody compares words instead of spellings.
#include "motion/names.h"

#include <string.h>

enum letter { OTHER, LOWER, UPPER, DIGIT };

static enum letter letter_of(char c)
{
    if (c >= 'a' && c <= 'z')
        return LOWER;
    if (c >= 'A' && c <= 'Z')
        return UPPER;
    return c >= '0' && c <= '9' ? DIGIT : OTHER;
}

static const char *without_namespace(const char *name)
{
    const char *base = name;
    for (const char *c = name; *c; c++)
        if ((*c == ':' || *c == '|') && c[1])
            base = c + 1;
    return base;
}

// The first character of a word, given its neighbours: "LHipJoint" begins words at L, H and J, "IKFoot" at I and F.
static bool begins_word(char before, char here, char after)
{
    enum letter previous = letter_of(before), current = letter_of(here);
    if (previous == OTHER || (previous == DIGIT) != (current == DIGIT))
        return true;
    return current == UPPER && (previous == LOWER || letter_of(after) == LOWER);
}

static bool word_is(const char *word, int length, const char *text)
{
    return strlen(text) == (size_t)length && memcmp(word, text, (size_t)length) == 0;
}

static bool word_begins(const char *word, int length, const char *text)
{
    size_t prefix = strlen(text);
    return (size_t)length > prefix && memcmp(word, text, prefix) == 0;
}

static bool is_helper_word(const char *word, int length)
{
    static const char *const helpers[] = {
        "ik",     "fk",         "pole",   "target", "twist",    "ctrl",   "control", "mch",    "helper",
        "roll",   "nub",        "end",    "site",   "effector", "attach", "weapon",  "prop",   "socket",
        "vb",     "corrective", "goal",   "aim",    "jiggle",   "dummy",  "locator", "heel",   "thumb",
        "finger", "index",      "middle", "ring",   "eye",      "pinky",  "little",  "carpal", "front",
        "hind",   "rear",       "tail",   "wing",   "jaw",      "hair",
    };
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if (word_is(word, length, helpers[i]))
            return true;
    return false;
}

// One raw word: a number, a side, or a word to keep.
static void take_word(const char *word, int length, joint_words *out)
{
    if (letter_of(word[0]) == DIGIT) {
        out->number = 0;
        for (int i = 0; i < length && out->number < 10000; i++)
            out->number = out->number * 10 + (word[i] - '0');
        return;
    }
    static const char *const sides[2][3] = {{"left", "l", "lft"}, {"right", "r", "rgt"}};
    for (int s = 0; s < 2 && out->side == NAME_MIDDLE; s++) {
        if (word_is(word, length, sides[s][0]) || word_is(word, length, sides[s][1]) ||
            word_is(word, length, sides[s][2])) {
            out->side = s;
            return;
        }
        if (word_begins(word, length, sides[s][0])) { // "leftleg", all in lower case
            out->side = s;
            int skip = (int)strlen(sides[s][0]);
            word += skip;
            length -= skip;
        }
    }
    int end = out->count ? out->start[out->count - 1] + out->length[out->count - 1] : 0;
    if (out->count == NAME_MAX_WORDS || end + length >= NAME_MAX_TEXT) {
        out->helper = true; // no convention has names that long
        return;
    }
    memcpy(out->text + end, word, (size_t)length);
    out->text[end + length] = '\0';
    out->start[out->count] = end;
    out->length[out->count++] = length;
    out->helper = out->helper || is_helper_word(word, length);
}

void joint_words_read(const char *name, joint_words *out)
{
    *out = (joint_words){.side = NAME_MIDDLE, .number = -1};
    char word[NAME_MAX_TEXT];
    int length = 0;
    char before = '\0';
    for (const char *c = without_namespace(name);; before = *c++) {
        bool ends = *c == '\0' || letter_of(*c) == OTHER || begins_word(before, *c, c[1]);
        if (ends && length) {
            take_word(word, length, out);
            length = 0;
        }
        if (*c == '\0')
            break;
        if (letter_of(*c) != OTHER && length < NAME_MAX_TEXT - 1)
            word[length++] = letter_of(*c) == UPPER ? (char)(*c - 'A' + 'a') : *c;
    }
    if (out->count == 0) // "L5" is a vertebra, not the left of nothing
        out->side = NAME_MIDDLE;
}
