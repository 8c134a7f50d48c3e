// SPDX-License-Identifier: MIT
// Joint names of other programs and languages. '@' stands for the side, '#' for a number.
#include <stdio.h>
#include <string.h>

#include "bench/strangers_parts.h"

typedef struct naming {
    const char *sides[2];
    const char *middle[5]; // hips, spine, chest, neck, head
    const char *arm[4];    // collar, shoulder, elbow, hand
    const char *leg[4];    // hip, knee, ankle, toe
    const char *extra[STRANGER_EXTRA_COUNT];
} naming;

static const naming namings[STRANGER_NAMES_COUNT] = {
    [STRANGER_NAMES_KEPT] = {{"Left", "Right"},
                             {0},
                             {0},
                             {0},
                             {NULL, "Reference", "SpineExtra#", "Neck#", "@Twist#", "@HandFinger#", "@End#", "Helper#",
                              "@Prop"}},
    [STRANGER_NAMES_MIXAMO] = {{"Left", "Right"},
                               {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine2", "mixamorig:Neck",
                                "mixamorig:Head"},
                               {"mixamorig:@Shoulder", "mixamorig:@Arm", "mixamorig:@ForeArm", "mixamorig:@Hand"},
                               {"mixamorig:@UpLeg", "mixamorig:@Leg", "mixamorig:@Foot", "mixamorig:@ToeBase"},
                               {NULL, "Armature", "mixamorig:Spine1#", "mixamorig:Neck#", "mixamorig:@Twist#",
                                "mixamorig:@HandIndex#", "mixamorig:@_End#", "mixamorig:Helper#", "mixamorig:@Prop"}},
    [STRANGER_NAMES_BIPED] = {{"L", "R"},
                              {"Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Neck", "Bip01 Head"},
                              {"Bip01 @ Clavicle", "Bip01 @ UpperArm", "Bip01 @ Forearm", "Bip01 @ Hand"},
                              {"Bip01 @ Thigh", "Bip01 @ Calf", "Bip01 @ Foot", "Bip01 @ Toe0"},
                              {NULL, "Bip01", "Bip01 Spine0#", "Bip01 Neck#", "Bip01 @ Twist#", "Bip01 @ Finger#",
                               "Bip01 @ Nub#", "Bip01 Footsteps#", "Bip01 @ Prop"}},
    [STRANGER_NAMES_ENGINE] = {{"l", "r"},
                               {"pelvis", "spine_01", "spine_05", "neck_01", "head"},
                               {"clavicle_@", "upperarm_@", "lowerarm_@", "hand_@"},
                               {"thigh_@", "calf_@", "foot_@", "ball_@"},
                               {NULL, "root", "spine_02_#", "neck_02_#", "twist_#_@", "finger_#_@", "end_#_@",
                                "attach_#", "weapon_@"}},
    [STRANGER_NAMES_PLAIN] = {{"L", "R"},
                              {"Hips", "Spine", "Chest", "Neck", "Head"},
                              {"Shoulder_@", "UpperArm_@", "LowerArm_@", "Hand_@"},
                              {"UpperLeg_@", "LowerLeg_@", "Foot_@", "Toes_@"},
                              {NULL, "joint_Root", "Spine_#", "Neck_#", "Twist#_@", "Finger#_@", "End#_@", "Helper#",
                               "Prop_@"}},
    [STRANGER_NAMES_ROMAJI] = {{"Hidari", "Migi"},
                               {"Koshi", "Sebone", "Mune", "Kubi", "Atama"},
                               {"@Sakotsu", "@Kata", "@Hiji", "@Tekubi"},
                               {"@Momo", "@Hiza", "@Ashikubi", "@Tsumasaki"},
                               {NULL, "Zentai", "Sebone#", "Kubi#", "@Hineri#", "@Yubi#", "@Saki#", "Hojo#", "@Dougu"}},
    [STRANGER_NAMES_KANJI] = {{"左", "右"},
                              {"腰", "上半身", "上半身2", "首", "頭"},
                              {"@肩", "@腕", "@ひじ", "@手首"},
                              {"@足", "@ひざ", "@足首", "@つま先"},
                              {NULL, "全ての親", "上半身1_#", "首#", "@捩#", "@指#", "@先#", "補助#", "@道具"}},
    [STRANGER_NAMES_GERMAN] = {{"links", "rechts"},
                               {"Hüfte", "Wirbelsäule", "Brust", "Hals", "Kopf"},
                               {"Schlüsselbein_@", "Oberarm_@", "Unterarm_@", "Hand_@"},
                               {"Oberschenkel_@", "Unterschenkel_@", "Fuß_@", "Zehen_@"},
                               {NULL, "Wurzel", "Wirbel_#", "Hals_#", "Drehung_#_@", "Finger_#_@", "Ende_#_@",
                                "Hilfe_#", "Stock_@"}},
};

static const char *pattern_of(const naming *n, stranger_label label, int *side)
{
    if (label.role == LOPE_ROLE_COUNT)
        return n->extra[label.extra];
    if (label.role <= LOPE_HEAD)
        return n->middle[label.role - LOPE_HIPS];
    int arm = (int)label.role - LOPE_LEFT_COLLAR, leg = (int)label.role - LOPE_LEFT_HIP;
    *side = leg >= 0 ? leg / 4 : arm / 4;
    return leg >= 0 ? n->leg[leg % 4] : n->arm[arm % 4];
}

void stranger_name(stranger_naming naming_index, stranger_label label, char out[64])
{
    const naming *n = &namings[naming_index];
    int side = label.side;
    const char *pattern = pattern_of(n, label, &side);
    size_t at = 0;
    for (const char *c = pattern; *c && at + 16 < 64; c++) {
        if (*c == '@' && side >= 0)
            at += (size_t)snprintf(out + at, 64 - at, "%s", n->sides[side]);
        else if (*c == '#')
            at += (size_t)snprintf(out + at, 64 - at, "%d", label.number);
        else if (*c != '@')
            out[at++] = *c;
    }
    out[at] = 0;
}
