// SPDX-License-Identifier: MIT
#include "support/bodies.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"

#define ROWS(table) (int)(sizeof table / sizeof *table), table

static const body_row cmu[] = {
    {"Hips", NULL, {0, 1.0f, 0}, LOPE_HIPS},
    {"*HipJoint", "Hips", {0, 0, 0}, -1},
    {"*UpLeg", "*HipJoint", {0.086f, -0.104f, 0.043f}, LOPE_LEFT_HIP},
    {"*Leg", "*UpLeg", {0.145f, -0.397f, 0}, LOPE_LEFT_KNEE},
    {"*Foot", "*Leg", {0.147f, -0.403f, 0}, LOPE_LEFT_ANKLE},
    {"*ToeBase", "*Foot", {0.008f, -0.021f, 0.113f}, LOPE_LEFT_TOE},
    {"LowerBack", "Hips", {0, 0, 0}, LOPE_SPINE},
    {"Spine", "LowerBack", {0, 0.119f, -0.017f}, -1},
    {"Spine1", "Spine", {0, 0.12f, 0}, LOPE_CHEST},
    {"Neck", "Spine1", {0, 0, 0}, LOPE_NECK},
    {"Neck1", "Neck", {0, 0.091f, 0.018f}, -1},
    {"Head", "Neck1", {0, 0.093f, -0.018f}, LOPE_HEAD},
    {"*Shoulder", "Spine1", {0, 0, 0}, LOPE_LEFT_COLLAR},
    {"*Arm", "*Shoulder", {0.183f, 0.058f, -0.014f}, LOPE_LEFT_SHOULDER},
    {"*ForeArm", "*Arm", {0.301f, 0, 0}, LOPE_LEFT_ELBOW},
    {"*Hand", "*ForeArm", {0.208f, 0, 0}, LOPE_LEFT_HAND},
    {"*FingerBase", "*Hand", {0, 0, 0}, -1},
    {"*HandIndex1", "*FingerBase", {0.03f, 0, 0}, -1},
    {"*HandThumb", "*Hand", {0, 0, 0}, -1},
};

static const body_row mixamo[] = {
    {"mixamorig:Hips", NULL, {0, 1.0f, 0}, LOPE_HIPS},
    {"mixamorig:Spine", "mixamorig:Hips", {0, 0.1f, -0.012f}, LOPE_SPINE},
    {"mixamorig:Spine1", "mixamorig:Spine", {0, 0.117f, 0}, -1},
    {"mixamorig:Spine2", "mixamorig:Spine1", {0, 0.134f, 0}, LOPE_CHEST},
    {"mixamorig:Neck", "mixamorig:Spine2", {0, 0.15f, 0}, LOPE_NECK},
    {"mixamorig:Head", "mixamorig:Neck", {0, 0.1f, 0.03f}, LOPE_HEAD},
    {"mixamorig:HeadTop_End", "mixamorig:Head", {0, 0.2f, 0.06f}, -1},
    {"mixamorig:*Shoulder", "mixamorig:Spine2", {0.061f, 0.091f, 0}, LOPE_LEFT_COLLAR},
    {"mixamorig:*Arm", "mixamorig:*Shoulder", {0.129f, 0, 0}, LOPE_LEFT_SHOULDER},
    {"mixamorig:*ForeArm", "mixamorig:*Arm", {0.274f, 0, 0}, LOPE_LEFT_ELBOW},
    {"mixamorig:*Hand", "mixamorig:*ForeArm", {0.276f, 0, 0}, LOPE_LEFT_HAND},
    {"mixamorig:*HandThumb1", "mixamorig:*Hand", {0.03f, -0.01f, 0.03f}, -1},
    {"mixamorig:*HandThumb2", "mixamorig:*HandThumb1", {0.03f, 0, 0.03f}, -1},
    {"mixamorig:*HandIndex1", "mixamorig:*Hand", {0.123f, 0, 0.028f}, -1},
    {"mixamorig:*HandIndex2", "mixamorig:*HandIndex1", {0.039f, 0, 0}, -1},
    {"mixamorig:*HandIndex3", "mixamorig:*HandIndex2", {0.034f, 0, 0}, -1},
    {"mixamorig:*HandPinky1", "mixamorig:*Hand", {0.109f, 0, -0.047f}, -1},
    {"mixamorig:*HandPinky2", "mixamorig:*HandPinky1", {0.04f, 0, 0}, -1},
    {"mixamorig:*UpLeg", "mixamorig:Hips", {0.091f, -0.067f, 0}, LOPE_LEFT_HIP},
    {"mixamorig:*Leg", "mixamorig:*UpLeg", {0, -0.406f, 0}, LOPE_LEFT_KNEE},
    {"mixamorig:*Foot", "mixamorig:*Leg", {0, -0.421f, -0.02f}, LOPE_LEFT_ANKLE},
    {"mixamorig:*ToeBase", "mixamorig:*Foot", {0, -0.104f, 0.138f}, LOPE_LEFT_TOE},
    {"mixamorig:*Toe_End", "mixamorig:*ToeBase", {0, 0, 0.1f}, -1},
};

// All bones along x: the rest "pose" of these files is no stance.
static const body_row lafan[] = {
    {"Hips", NULL, {0, 0, 0}, LOPE_HIPS},
    {"*UpLeg", "Hips", {0.001f, 0.019f, 0.105f}, LOPE_LEFT_HIP},
    {"*Leg", "*UpLeg", {0.435f, 0, 0}, LOPE_LEFT_KNEE},
    {"*Foot", "*Leg", {0.424f, 0, 0}, LOPE_LEFT_ANKLE},
    {"*Toe", "*Foot", {0.173f, 0, 0}, LOPE_LEFT_TOE},
    {"Spine", "Hips", {0.069f, -0.026f, 0}, LOPE_SPINE},
    {"Spine1", "Spine", {0.126f, 0, 0}, -1},
    {"Spine2", "Spine1", {0.126f, 0, 0}, LOPE_CHEST},
    {"Neck", "Spine2", {0.257f, 0, 0}, LOPE_NECK},
    {"Head", "Neck", {0.118f, 0, 0}, LOPE_HEAD},
    {"*Shoulder", "Spine2", {0.177f, 0.007f, 0.061f}, LOPE_LEFT_COLLAR},
    {"*Arm", "*Shoulder", {0.108f, 0, 0}, LOPE_LEFT_SHOULDER},
    {"*ForeArm", "*Arm", {0.33f, 0, 0}, LOPE_LEFT_ELBOW},
    {"*Hand", "*ForeArm", {0.252f, 0, 0}, LOPE_LEFT_HAND},
};

static const body_row unreal[] = {
    {"root", NULL, {0, 0, 0}, -1},
    {"pelvis", "root", {0, 0.967f, 0}, LOPE_HIPS},
    {"spine_01", "pelvis", {0, 0.108f, 0.01f}, LOPE_SPINE},
    {"spine_02", "spine_01", {0, 0.189f, 0}, -1},
    {"spine_03", "spine_02", {0, 0.134f, 0}, LOPE_CHEST},
    {"clavicle_*", "spine_03", {0.038f, 0.119f, 0}, LOPE_LEFT_COLLAR},
    {"upperarm_*", "clavicle_*", {0.15f, -0.03f, 0}, LOPE_LEFT_SHOULDER},
    {"lowerarm_*", "upperarm_*", {0.22f, -0.21f, 0}, LOPE_LEFT_ELBOW},
    {"hand_*", "lowerarm_*", {0.19f, -0.19f, 0.03f}, LOPE_LEFT_HAND},
    {"index_01_*", "hand_*", {0.08f, -0.08f, 0.03f}, -1},
    {"index_02_*", "index_01_*", {0.03f, -0.03f, 0}, -1},
    {"thumb_01_*", "hand_*", {0.02f, -0.04f, 0.04f}, -1},
    {"lowerarm_twist_01_*", "lowerarm_*", {0.1f, -0.1f, 0}, -1},
    {"upperarm_twist_01_*", "upperarm_*", {0, 0, 0}, -1},
    {"neck_01", "spine_03", {0, 0.165f, 0}, LOPE_NECK},
    {"head", "neck_01", {0, 0.093f, 0.02f}, LOPE_HEAD},
    {"thigh_*", "pelvis", {0.09f, -0.015f, 0}, LOPE_LEFT_HIP},
    {"calf_*", "thigh_*", {0.04f, -0.42f, 0}, LOPE_LEFT_KNEE},
    {"calf_twist_01_*", "calf_*", {0, -0.2f, 0}, -1},
    {"foot_*", "calf_*", {0.03f, -0.4f, -0.03f}, LOPE_LEFT_ANKLE},
    {"ball_*", "foot_*", {0.01f, -0.1f, 0.16f}, LOPE_LEFT_TOE},
    {"thigh_twist_01_*", "thigh_*", {0.02f, -0.2f, 0}, -1},
    {"ik_foot_root", "root", {0, 0, 0}, -1},
    {"ik_foot_*", "ik_foot_root", {0.16f, 0.135f, 0}, -1},
    {"ik_hand_root", "root", {0, 0, 0}, -1},
    {"ik_hand_gun", "ik_hand_root", {-0.6f, 1.1f, 0}, -1},
    {"ik_hand_*", "ik_hand_gun", {0, 0, 0}, -1},
};

static const body_row separate_root[] = {
    {"joint_Root", NULL, {0, 0, 0}, -1},
    {"Hips", "joint_Root", {0, 0.95f, 0}, LOPE_HIPS},
    {"*UpLeg", "Hips", {0.09f, -0.05f, 0}, LOPE_LEFT_HIP},
    {"*Leg", "*UpLeg", {0, -0.42f, 0}, LOPE_LEFT_KNEE},
    {"*Foot", "*Leg", {0, -0.41f, 0}, LOPE_LEFT_ANKLE},
    {"*ToeBase", "*Foot", {0, -0.05f, 0.13f}, LOPE_LEFT_TOE},
    {"Spine", "Hips", {0, 0.12f, 0}, LOPE_SPINE},
    {"Spine1", "Spine", {0, 0.2f, 0}, LOPE_CHEST},
    {"Neck", "Spine1", {0, 0.2f, 0}, LOPE_NECK},
    {"Head", "Neck", {0, 0.1f, 0}, LOPE_HEAD},
    {"*Shoulder", "Spine1", {0.05f, 0.15f, 0}, LOPE_LEFT_COLLAR},
    {"*Arm", "*Shoulder", {0.13f, 0, 0}, LOPE_LEFT_SHOULDER},
    {"*ForeArm", "*Arm", {0.28f, 0, 0}, LOPE_LEFT_ELBOW},
    {"*Hand", "*ForeArm", {0.25f, 0, 0}, LOPE_LEFT_HAND},
};

// The arms hang on the neck; the joint above the pelvis carries the whole.
static const body_row biped[] = {
    {"Bip01", NULL, {0, 0.95f, 0}, -1},
    {"Bip01 Pelvis", "Bip01", {0, 0, 0}, LOPE_HIPS},
    {"Bip01 Spine", "Bip01 Pelvis", {0, 0.12f, 0}, LOPE_SPINE},
    {"Bip01 Spine1", "Bip01 Spine", {0, 0.13f, 0}, LOPE_CHEST},
    {"Bip01 Neck", "Bip01 Spine1", {0, 0.22f, 0}, LOPE_NECK},
    {"Bip01 Head", "Bip01 Neck", {0, 0.1f, 0}, LOPE_HEAD},
    {"Bip01 * Clavicle", "Bip01 Neck", {0.03f, -0.03f, 0}, LOPE_LEFT_COLLAR},
    {"Bip01 * UpperArm", "Bip01 * Clavicle", {0.15f, 0, 0}, LOPE_LEFT_SHOULDER},
    {"Bip01 * Forearm", "Bip01 * UpperArm", {0.28f, 0, 0}, LOPE_LEFT_ELBOW},
    {"Bip01 * Hand", "Bip01 * Forearm", {0.25f, 0, 0}, LOPE_LEFT_HAND},
    {"Bip01 * Finger0", "Bip01 * Hand", {0.03f, 0, 0.02f}, -1},
    {"Bip01 * Finger1", "Bip01 * Hand", {0.09f, 0, 0}, -1},
    {"Bip01 * Thigh", "Bip01 Pelvis", {0.1f, -0.02f, 0}, LOPE_LEFT_HIP},
    {"Bip01 * Calf", "Bip01 * Thigh", {0, -0.43f, 0}, LOPE_LEFT_KNEE},
    {"Bip01 * Foot", "Bip01 * Calf", {0, -0.42f, 0}, LOPE_LEFT_ANKLE},
    {"Bip01 * Toe0", "Bip01 * Foot", {0, -0.08f, 0.14f}, LOPE_LEFT_TOE},
    {"Bip01 * Toe0Nub", "Bip01 * Toe0", {0, 0, 0.06f}, -1},
};

// The pelvis is called spine, neck and head too; limbs are cut in two.
static const body_row rigify[] = {
    {"DEF-spine", NULL, {0, 0.95f, 0}, LOPE_HIPS},
    {"DEF-spine.001", "DEF-spine", {0, 0.13f, 0}, LOPE_SPINE},
    {"DEF-spine.002", "DEF-spine.001", {0, 0.13f, 0}, -1},
    {"DEF-spine.003", "DEF-spine.002", {0, 0.13f, 0}, LOPE_CHEST},
    {"DEF-spine.004", "DEF-spine.003", {0, 0.18f, 0}, LOPE_NECK},
    {"DEF-spine.005", "DEF-spine.004", {0, 0.05f, 0}, -1},
    {"DEF-spine.006", "DEF-spine.005", {0, 0.05f, 0}, LOPE_HEAD},
    {"DEF-pelvis.*", "DEF-spine", {0, 0, 0}, -1},
    {"DEF-thigh.*", "DEF-spine", {0.1f, -0.02f, 0}, LOPE_LEFT_HIP},
    {"DEF-thigh.*.001", "DEF-thigh.*", {0, -0.21f, 0}, -1},
    {"DEF-shin.*", "DEF-thigh.*.001", {0, -0.21f, 0}, LOPE_LEFT_KNEE},
    {"DEF-shin.*.001", "DEF-shin.*", {0, -0.21f, 0}, -1},
    {"DEF-foot.*", "DEF-shin.*.001", {0, -0.21f, 0}, LOPE_LEFT_ANKLE},
    {"DEF-toe.*", "DEF-foot.*", {0, -0.06f, 0.13f}, LOPE_LEFT_TOE},
    {"DEF-shoulder.*", "DEF-spine.003", {0.02f, 0.1f, 0}, LOPE_LEFT_COLLAR},
    {"DEF-upper_arm.*", "DEF-shoulder.*", {0.15f, 0, 0}, LOPE_LEFT_SHOULDER},
    {"DEF-upper_arm.*.001", "DEF-upper_arm.*", {0.14f, 0, 0}, -1},
    {"DEF-forearm.*", "DEF-upper_arm.*.001", {0.14f, 0, 0}, LOPE_LEFT_ELBOW},
    {"DEF-forearm.*.001", "DEF-forearm.*", {0.13f, 0, 0}, -1},
    {"DEF-hand.*", "DEF-forearm.*.001", {0.13f, 0, 0}, LOPE_LEFT_HAND},
    {"DEF-f_index.01.*", "DEF-hand.*", {0.09f, 0, 0.02f}, -1},
    {"DEF-f_index.02.*", "DEF-f_index.01.*", {0.04f, 0, 0}, -1},
    {"DEF-thumb.01.*", "DEF-hand.*", {0.03f, 0, 0.03f}, -1},
};

static const body_row asf[] = {
    {"root", NULL, {0, 1.0f, 0}, LOPE_HIPS},
    {"*hipjoint", "root", {0, 0, 0}, -1},
    {"*femur", "*hipjoint", {0.09f, -0.1f, 0.04f}, LOPE_LEFT_HIP},
    {"*tibia", "*femur", {0.14f, -0.39f, 0}, LOPE_LEFT_KNEE},
    {"*foot", "*tibia", {0.15f, -0.4f, 0}, LOPE_LEFT_ANKLE},
    {"*toes", "*foot", {0.01f, -0.03f, 0.12f}, LOPE_LEFT_TOE},
    {"lowerback", "root", {0, 0, 0}, LOPE_SPINE},
    {"upperback", "lowerback", {0, 0.12f, 0}, -1},
    {"thorax", "upperback", {0, 0.12f, 0}, LOPE_CHEST},
    {"lowerneck", "thorax", {0, 0.12f, 0}, LOPE_NECK},
    {"upperneck", "lowerneck", {0, 0.09f, 0}, -1},
    {"head", "upperneck", {0, 0.09f, 0}, LOPE_HEAD},
    {"*clavicle", "thorax", {0, 0.12f, 0}, LOPE_LEFT_COLLAR},
    {"*humerus", "*clavicle", {0.18f, 0.05f, 0}, LOPE_LEFT_SHOULDER},
    {"*radius", "*humerus", {0.29f, 0, 0}, LOPE_LEFT_ELBOW},
    {"*wrist", "*radius", {0.21f, 0, 0}, LOPE_LEFT_HAND},
    {"*hand", "*wrist", {0.08f, 0, 0}, -1},
    {"*fingers", "*hand", {0.03f, 0, 0}, -1},
    {"*thumb", "*wrist", {0.03f, 0, 0.03f}, -1},
};

static const body_row smpl[] = {
    {"m_avg_Pelvis", NULL, {0, 0.95f, 0}, LOPE_HIPS},
    {"m_avg_*_Hip", "m_avg_Pelvis", {0.06f, -0.09f, -0.01f}, LOPE_LEFT_HIP},
    {"m_avg_*_Knee", "m_avg_*_Hip", {0.04f, -0.38f, 0}, LOPE_LEFT_KNEE},
    {"m_avg_*_Ankle", "m_avg_*_Knee", {-0.01f, -0.4f, -0.04f}, LOPE_LEFT_ANKLE},
    {"m_avg_*_Foot", "m_avg_*_Ankle", {0.03f, -0.06f, 0.12f}, LOPE_LEFT_TOE},
    {"m_avg_Spine1", "m_avg_Pelvis", {0, 0.11f, -0.03f}, LOPE_SPINE},
    {"m_avg_Spine2", "m_avg_Spine1", {0, 0.14f, 0}, -1},
    {"m_avg_Spine3", "m_avg_Spine2", {0, 0.06f, 0}, LOPE_CHEST},
    {"m_avg_Neck", "m_avg_Spine3", {0, 0.21f, -0.03f}, LOPE_NECK},
    {"m_avg_Head", "m_avg_Neck", {0, 0.09f, 0.05f}, LOPE_HEAD},
    {"m_avg_*_Collar", "m_avg_Spine3", {0.07f, 0.11f, -0.02f}, LOPE_LEFT_COLLAR},
    {"m_avg_*_Shoulder", "m_avg_*_Collar", {0.12f, 0.05f, 0}, LOPE_LEFT_SHOULDER},
    {"m_avg_*_Elbow", "m_avg_*_Shoulder", {0.26f, -0.02f, 0}, LOPE_LEFT_ELBOW},
    {"m_avg_*_Wrist", "m_avg_*_Elbow", {0.25f, 0.01f, 0}, LOPE_LEFT_HAND},
    {"m_avg_*_Hand", "m_avg_*_Wrist", {0.08f, 0, 0}, -1},
};

static const body_row xsens[] = {
    {"Hips", NULL, {0, 0.97f, 0}, LOPE_HIPS},
    {"Chest", "Hips", {0, 0.11f, 0}, LOPE_SPINE},
    {"Chest2", "Chest", {0, 0.1f, 0}, -1},
    {"Chest3", "Chest2", {0, 0.1f, 0}, -1},
    {"Chest4", "Chest3", {0, 0.1f, 0}, LOPE_CHEST},
    {"Neck", "Chest4", {0, 0.14f, 0}, LOPE_NECK},
    {"Head", "Neck", {0, 0.1f, 0}, LOPE_HEAD},
    {"*Collar", "Chest4", {0.02f, 0.08f, 0}, LOPE_LEFT_COLLAR},
    {"*Shoulder", "*Collar", {0.14f, 0, 0}, LOPE_LEFT_SHOULDER},
    {"*Elbow", "*Shoulder", {0.29f, 0, 0}, LOPE_LEFT_ELBOW},
    {"*Wrist", "*Elbow", {0.24f, 0, 0}, LOPE_LEFT_HAND},
    {"*Hip", "Hips", {0.09f, -0.01f, 0}, LOPE_LEFT_HIP},
    {"*Knee", "*Hip", {0, -0.43f, 0}, LOPE_LEFT_KNEE},
    {"*Ankle", "*Knee", {0, -0.43f, 0}, LOPE_LEFT_ANKLE},
    {"*Toe", "*Ankle", {0, -0.08f, 0.15f}, LOPE_LEFT_TOE},
};

static const body_row mvnx[] = {
    {"Pelvis", NULL, {0, 0.97f, 0}, LOPE_HIPS},
    {"L5", "Pelvis", {0, 0.11f, 0}, LOPE_SPINE},
    {"L3", "L5", {0, 0.1f, 0}, -1},
    {"T12", "L3", {0, 0.1f, 0}, -1},
    {"T8", "T12", {0, 0.1f, 0}, LOPE_CHEST},
    {"Neck", "T8", {0, 0.14f, 0}, LOPE_NECK},
    {"Head", "Neck", {0, 0.1f, 0}, LOPE_HEAD},
    {"*Shoulder", "T8", {0.02f, 0.08f, 0}, LOPE_LEFT_COLLAR},
    {"*UpperArm", "*Shoulder", {0.14f, 0, 0}, LOPE_LEFT_SHOULDER},
    {"*ForeArm", "*UpperArm", {0.29f, 0, 0}, LOPE_LEFT_ELBOW},
    {"*Hand", "*ForeArm", {0.24f, 0, 0}, LOPE_LEFT_HAND},
    {"*UpperLeg", "Pelvis", {0.09f, -0.01f, 0}, LOPE_LEFT_HIP},
    {"*LowerLeg", "*UpperLeg", {0, -0.43f, 0}, LOPE_LEFT_KNEE},
    {"*Foot", "*LowerLeg", {0, -0.43f, 0}, LOPE_LEFT_ANKLE},
    {"*Toe", "*Foot", {0, -0.08f, 0.15f}, LOPE_LEFT_TOE},
};

// No toes, no collars, legs that hang on a joint of their own below the one that carries the trunk.
static const body_row sparse[] = {
    {"CC_Base_Hip", NULL, {0, 0.95f, 0}, LOPE_HIPS},
    {"CC_Base_Pelvis", "CC_Base_Hip", {0, 0.01f, 0}, -1},
    {"CC_Base_*_Thigh", "CC_Base_Pelvis", {0.1f, -0.04f, 0}, LOPE_LEFT_HIP},
    {"CC_Base_*_Calf", "CC_Base_*_Thigh", {0, -0.44f, 0}, LOPE_LEFT_KNEE},
    {"CC_Base_*_Foot", "CC_Base_*_Calf", {0, -0.41f, 0}, LOPE_LEFT_ANKLE},
    {"CC_Base_Waist", "CC_Base_Hip", {0, 0.1f, 0}, LOPE_SPINE},
    {"CC_Base_Spine01", "CC_Base_Waist", {0, 0.2f, 0}, LOPE_CHEST},
    {"CC_Base_NeckTwist01", "CC_Base_Spine01", {0, 0.2f, 0}, LOPE_NECK},
    {"CC_Base_Head", "CC_Base_NeckTwist01", {0, 0.1f, 0}, LOPE_HEAD},
    {"CC_Base_*_Upperarm", "CC_Base_Spine01", {0.16f, 0.12f, 0}, LOPE_LEFT_SHOULDER},
    {"CC_Base_*_Forearm", "CC_Base_*_Upperarm", {0.28f, 0, 0}, LOPE_LEFT_ELBOW},
    {"CC_Base_*_Hand", "CC_Base_*_Forearm", {0.25f, 0, 0}, LOPE_LEFT_HAND},
};

#define BIT(role) ((uint32_t)1 << (role))

const body_table body_tables[] = {
    {"cmu", {"Left", "Right"}, 0, 0, ROWS(cmu)},
    {"mixamo", {"Left", "Right"}, 0, 0, ROWS(mixamo)},
    {"lafan", {"Left", "Right"}, 2, 0, ROWS(lafan)},
    {"unreal", {"l", "r"}, 0, 0, ROWS(unreal)},
    {"joint_Root", {"Left", "Right"}, 0, 0, ROWS(separate_root)},
    // Shape cannot tell a neck that carries the arms from a chest.
    {"biped", {"L", "R"}, 0, BIT(LOPE_CHEST) | BIT(LOPE_NECK), ROWS(biped)},
    {"rigify", {"L", "R"}, 0, 0, ROWS(rigify)},
    {"asf", {"l", "r"}, 0, 0, ROWS(asf)},
    {"smpl", {"L", "R"}, 0, 0, ROWS(smpl)},
    {"xsens", {"Left", "Right"}, 0, 0, ROWS(xsens)},
    {"mvnx", {"Left", "Right"}, 0, 0, ROWS(mvnx)},
    {"sparse", {"L", "R"}, 0, 0, ROWS(sparse)},
};
const int body_table_count = (int)(sizeof body_tables / sizeof *body_tables);

enum { MAX_BODY_JOINTS = 128, NAME_SIZE = 64 };

typedef struct builder {
    int count;
    char names[MAX_BODY_JOINTS][NAME_SIZE];
    int parents[MAX_BODY_JOINTS];
    lope_transform rest[MAX_BODY_JOINTS];
    lope_vec3 tips[MAX_BODY_JOINTS];
} builder;

static void expand(const char *pattern, const char *side, char *out)
{
    const char *star = strchr(pattern, '*');
    if (star)
        snprintf(out, NAME_SIZE, "%.*s%s%s", (int)(star - pattern), pattern, side, star + 1);
    else
        snprintf(out, NAME_SIZE, "%s", pattern);
}

static int find_name(const builder *body, const char *name)
{
    for (int j = 0; j < body->count; j++)
        if (strcmp(body->names[j], name) == 0)
            return j;
    return -1;
}

static void add_row(builder *body, const body_table *table, const body_row *row, int side, int *roles, float scale)
{
    int j = body->count;
    assert_true(j < MAX_BODY_JOINTS);
    expand(row->name, table->sides[side], body->names[j]);
    char parent[NAME_SIZE];
    if (row->parent)
        expand(row->parent, table->sides[side], parent);
    body->parents[j] = row->parent ? find_name(body, parent) : -1;
    assert_true(!row->parent || body->parents[j] >= 0);
    float offset[3] = {row->offset[0] * scale, row->offset[1] * scale, row->offset[2] * scale};
    if (side == 1)
        offset[table->lateral] = -offset[table->lateral];
    body->rest[j] = (lope_transform){{0, 0, 0, 1}, {offset[0], offset[1], offset[2]}};
    if (row->role >= 0)
        roles[side ? lope_role_mirror((lope_role)row->role) : (lope_role)row->role] = j;
    body->count++;
}

static void lower_arms(builder *body, const body_table *table, const int *roles, float angle)
{
    lope_vec3 axis = table->lateral == 0 ? lope_v3(0, 0, 1) : lope_v3(0, 1, 0);
    body->rest[roles[LOPE_LEFT_SHOULDER]].rotation = lope_quat_axis_angle(axis, -angle);
    body->rest[roles[LOPE_RIGHT_SHOULDER]].rotation = lope_quat_axis_angle(axis, angle);
}

static void add_tips(builder *body)
{
    for (int j = 0; j < body->count; j++) {
        bool leaf = true;
        for (int k = j + 1; k < body->count; k++)
            leaf = leaf && body->parents[k] != j;
        if (leaf)
            body->tips[j] = lope_v3_scale(body->rest[j].translation, 0.6f);
    }
}

// Turns every joint's own frame while all joints stay in place: what is below is expressed in the new frame.
static void turn_frames(builder *body)
{
    lope_random random = lope_random_seed(7);
    lope_quat turns[MAX_BODY_JOINTS];
    for (int j = 0; j < body->count; j++) {
        lope_vec3 turn = test_random_vector(&random);
        turns[j] = lope_quat_exp(turn);
        lope_quat parent = j ? lope_quat_conjugate(turns[body->parents[j]]) : lope_quat_identity();
        body->rest[j].translation = lope_quat_rotate(parent, body->rest[j].translation);
        body->rest[j].rotation = lope_quat_mul(lope_quat_mul(parent, body->rest[j].rotation), turns[j]);
        body->tips[j] = lope_quat_rotate(lope_quat_conjugate(turns[j]), body->tips[j]);
    }
}

lope_skeleton *body_make(const body_table *table, const body_variant *variant, int roles[LOPE_ROLE_COUNT])
{
    static builder body;
    memset(&body, 0, sizeof body);
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    for (int i = 0; i < table->count; i++)
        for (int side = 0; side < (strchr(table->rows[i].name, '*') ? 2 : 1); side++)
            add_row(&body, table, &table->rows[i], side, roles, variant->scale > 0 ? variant->scale : 1.0f);
    if (variant->tips)
        add_tips(&body);
    if (variant->arms_lowered != 0.0f)
        lower_arms(&body, table, roles, variant->arms_lowered);
    if (variant->turned)
        turn_frames(&body);
    const char *names[MAX_BODY_JOINTS];
    for (int j = 0; j < body.count; j++) {
        if (variant->anonymous)
            snprintf(body.names[j], NAME_SIZE, "j%d", j);
        names[j] = body.names[j];
    }
    lope_skeleton *skeleton;
    lope_error error;
    lope_skeleton_def def = {body.count, names, body.parents, body.rest, body.tips, NULL, NULL};
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    return skeleton;
}

const body_table *body_find(const char *title)
{
    for (int t = 0; t < body_table_count; t++)
        if (strcmp(body_tables[t].title, title) == 0)
            return &body_tables[t];
    fail_msg("no table '%s'", title);
    return NULL;
}

lope_clip *body_clip(const lope_skeleton *skeleton, int frames, unsigned flags, uint64_t seed)
{
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, "made-up", frames, 30.0, flags, &clip, &error));
    lope_random random = lope_random_seed(seed);
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_vec3 turn = test_random_vector(&random);
        float phase = lope_random_range(&random, 0.0f, 6.0f);
        for (int f = 0; f < frames; f++) {
            size_t at = (size_t)f * (size_t)skeleton->joint_count + (size_t)j;
            float size = 0.25f * (float)lope_sin(0.1 * (double)f + (double)phase);
            lope_quat q = lope_quat_mul(skeleton->rest[j].rotation, lope_quat_exp(lope_v3_scale(turn, size)));
            if (j == 0)
                q = lope_quat_mul(lope_quat_yaw(0.02f * (float)f), q);
            clip->rotations[at] = lope_quat_normalize(q);
            if (clip->translations)
                clip->translations[at] = lope_v3_mad(skeleton->rest[j].translation, turn, 0.1f * size);
        }
    }
    for (int f = 0; f < frames; f++) {
        clip->root[f] = lope_v3_add(skeleton->rest[0].translation, lope_v3(0.3f, 0.01f, 0.04f * (float)f));
        if (clip->translations)
            clip->translations[(size_t)f * (size_t)skeleton->joint_count] = clip->root[f];
        if (clip->contacts)
            clip->contacts[f] = (uint16_t)lope_random_below(&random, 1 << LOPE_CONTACT_COUNT);
    }
    lope_clip_align_quaternions(clip);
    return clip;
}
