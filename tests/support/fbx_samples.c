// SPDX-License-Identifier: MIT
#include "support/fbx_samples.h"

#include <stdio.h>
#include <string.h>

enum { STACK = 1, LAYER, ARMATURE, CURVES = 100, JOINTS = 10000 };

static void write_settings(FILE *file, const fbx_sample *sample)
{
    static const struct {
        const char *name;
        int value;
    } axes[] = {{"UpAxis", 1},        {"UpAxisSign", 1}, {"FrontAxis", 2},
                {"FrontAxisSign", 1}, {"CoordAxis", 0},  {"CoordAxisSign", 1}};
    fprintf(file, "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
                  "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n");
    for (int i = 0; i < 6; i++)
        fprintf(file, "\t\tP: \"%s\", \"int\", \"Integer\", \"\",%d\n", axes[i].name, axes[i].value);
    if (sample->unit > 0.0)
        fprintf(file, "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",%.9g\n", sample->unit);
    fprintf(file, "\t\tP: \"OriginalUnitScaleFactor\", \"double\", \"Number\", \"\",1\n"
                  "\t\tP: \"TimeMode\", \"enum\", \"\", \"\",6\n\t}\n}\n");
}

static void write_model(FILE *file, int id, const char *name, lope_vec3 place, double turn)
{
    fprintf(file,
            "\tModel: %d, \"Model::%s\", \"LimbNode\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n"
            "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",%.9g,%.9g,%.9g\n"
            "\t\t\tP: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",%.9g,0,0\n\t\t}\n\t}\n",
            id, name, (double)place.x, (double)place.y, (double)place.z, turn);
}

// Degrees about X.
static double turn_of(const fbx_sample *sample, int joint)
{
    const int *roles = sample->skeleton->roles;
    if (sample->pose == FBX_LYING)
        return joint == 0 ? -90.0 : 0.0;
    if (sample->pose == FBX_CROUCHING)
        return joint == roles[LOPE_LEFT_HIP] || joint == roles[LOPE_RIGHT_HIP]     ? -100.0
               : joint == roles[LOPE_LEFT_KNEE] || joint == roles[LOPE_RIGHT_KNEE] ? 130.0
                                                                                   : 0.0;
    return 0.0;
}

// Three curves of one value each at two times.
static void write_curves(FILE *file, int id, lope_vec3 value)
{
    const float parts[3] = {value.x, value.y, value.z};
    fprintf(file, "\tAnimationCurveNode: %d, \"AnimCurveNode::T\", \"\" {\n\t}\n", id);
    for (int i = 0; i < 3; i++)
        fprintf(file,
                "\tAnimationCurve: %d, \"AnimCurve::\", \"\" {\n\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n"
                "\t\tKeyValueFloat: *2 {\n\t\t\ta: %.9g,%.9g\n\t\t}\n\t}\n",
                id + 1 + i, (double)parts[i], (double)parts[i]);
}

static void connect_curves(FILE *file, int id, int model, const char *property)
{
    fprintf(file, "\tC: \"OO\",%d,%d\n\tC: \"OP\",%d,%d, \"%s\"\n", id, LAYER, id, model, property);
    for (int i = 0; i < 3; i++)
        fprintf(file, "\tC: \"OP\",%d,%d, \"d|%c\"\n", id + 1 + i, id, 'X' + i);
}

static void write_objects(FILE *file, const fbx_sample *sample)
{
    const lope_skeleton *skeleton = sample->skeleton;
    float units = (float)sample->units_per_metre, scale = (float)sample->armature_scale;
    lope_vec3 root = lope_v3_scale(sample->place, units);
    fprintf(file, "Objects:  {\n");
    if (scale > 0.0f)
        fprintf(file,
                "\tModel: %d, \"Model::Armature\", \"Null\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n"
                "\t\t\tP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",%.9g,%.9g,%.9g\n\t\t}\n\t}\n",
                ARMATURE, (double)scale, (double)scale, (double)scale);
    for (int j = 0; j < skeleton->joint_count; j++)
        write_model(file, JOINTS + j, skeleton->names[j],
                    j ? lope_v3_scale(skeleton->rest[j].translation, units) : root, turn_of(sample, j));
    if (sample->animated) {
        fprintf(file,
                "\tAnimationStack: %d, \"AnimStack::take\", \"\" {\n\t}\n"
                "\tAnimationLayer: %d, \"AnimLayer::base\", \"\" {\n\t}\n",
                STACK, LAYER);
        if (scale > 0.0f)
            write_curves(file, CURVES, lope_v3(scale, scale, scale));
        for (int j = 0; j < skeleton->joint_count; j++)
            write_curves(file, CURVES + 10 * (j + 1), j ? lope_v3_scale(skeleton->rest[j].translation, units) : root);
    }
    fprintf(file, "}\n");
}

void fbx_sample_write(const fbx_sample *sample, const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    bool armature = sample->armature_scale > 0.0;
    write_settings(file, sample);
    write_objects(file, sample);
    fprintf(file, "Connections:  {\n");
    if (armature)
        fprintf(file, "\tC: \"OO\",%d,0\n", ARMATURE);
    for (int j = 0; j < sample->skeleton->joint_count; j++)
        fprintf(file, "\tC: \"OO\",%d,%d\n", JOINTS + j,
                j          ? JOINTS + sample->skeleton->parents[j]
                : armature ? ARMATURE
                           : 0);
    if (sample->animated) {
        fprintf(file, "\tC: \"OO\",%d,%d\n", LAYER, STACK);
        if (armature)
            connect_curves(file, CURVES, ARMATURE, "Lcl Scaling");
        for (int j = 0; j < sample->skeleton->joint_count; j++)
            connect_curves(file, CURVES + 10 * (j + 1), JOINTS + j, "Lcl Translation");
    }
    fprintf(file, "}\n");
    assert_int_equal(fclose(file), 0);
}
