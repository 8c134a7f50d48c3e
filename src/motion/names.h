// SPDX-License-Identifier: MIT
// Reading joint names: the words in them and the side of the body they speak of.
#ifndef LOPE_SRC_MOTION_NAMES_H
#define LOPE_SRC_MOTION_NAMES_H

#include "lope/skeleton.h"

#define NAME_MAX_WORDS 12
#define NAME_MAX_TEXT 96

enum name_side { NAME_MIDDLE = -1, NAME_LEFT = LOPE_LEFT, NAME_RIGHT = LOPE_RIGHT };

// A name taken apart: "mixamorig:LeftUpLeg" is { left; up, leg }, "spine_01" is { middle; spine; 1 }.
typedef struct joint_words {
    int side;  // enum name_side
    int count; // words without side and numbers
    int number;
    bool helper;                // twist, IK, end and control bones, which play no role
    char text[NAME_MAX_TEXT];   // the words in lower case, run together
    int start[NAME_MAX_WORDS];  // where each begins in text
    int length[NAME_MAX_WORDS]; // and how long it is
} joint_words;

// Namespaces ("mixamorig:", "|Armature|") are dropped; words end at separators, digits and capitals.
void joint_words_read(const char *name, joint_words *out);

#endif
