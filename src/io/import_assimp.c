// SPDX-License-Identifier: MIT
// FBX and glTF files: loading, units, the axis that points up, and one clip per animation.
//
// glTF is in metres with Y up by definition. FBX states both; assimp 5 turns the scene's root by what the file says
// about its axes, so a turn is only ours to make where it has not.
#include "io/import_assimp.h"

#include <string.h>

#include "base/error.h"

#ifdef LOPE_HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <stdio.h>
#include <strings.h>

#include "base/files.h"
#include "base/memory.h"
#include "io/units.h"

#define MAX_FILE_SIZE ((size_t)1 << 31)
#define MAX_ANIMATIONS 65536u

static lope_status check_file(const char *path, lope_error *error)
{
    lope_file_map map;
    lope_status status = lope_file_map_open(path, &map, error);
    if (status)
        return status;
    size_t size = map.size;
    lope_file_map_close(&map);
    if (size > MAX_FILE_SIZE)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "file of %zu bytes is larger than the limit of %zu", size,
                            MAX_FILE_SIZE);
    return LOPE_OK;
}

static lope_status load(const char *path, const struct aiScene **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check_file(path, error);
    if (status)
        return status;
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties)
        return lope_fail_memory(error);
    // Only nodes, bones and animations are wanted.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_MATERIALS, 0);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_READ_TEXTURES, 0);
    *out = aiImportFileExWithProperties(path, 0, NULL, properties);
    aiReleasePropertyStore(properties);
    if (!*out)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "cannot be read: %s", aiGetErrorString());
    if (!(*out)->mRootNode) {
        aiReleaseImport(*out);
        *out = NULL;
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "has no skeleton: the scene is empty");
    }
    return LOPE_OK;
}

static bool is_gltf(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && (strcasecmp(ending, ".glb") == 0 || strcasecmp(ending, ".gltf") == 0);
}

// Longest way through the body's bones in file units: down one branch and up another.
static lope_status measure_span(const assimp_body *body, float *out, lope_error *error)
{
    const lope_skeleton *skeleton = body->skeleton;
    float *longest = lope_alloc_zero((size_t)skeleton->joint_count * sizeof *longest);
    if (!longest)
        return lope_fail_memory(error);
    *out = 0.0f;
    for (int j = skeleton->joint_count - 1; j >= 0; j--) {
        longest[j] = fmaxf(longest[j], lope_v3_length(skeleton->tips[j]));
        *out = fmaxf(*out, longest[j]);
        if (j == 0)
            break;
        int parent = skeleton->parents[j];
        float way = longest[j] + lope_v3_length(skeleton->rest[j].translation);
        *out = fmaxf(*out, longest[parent] + way);
        longest[parent] = fmaxf(longest[parent], way);
    }
    lope_free(longest);
    return LOPE_OK;
}

static lope_status settle_scale(const struct aiScene *scene, const assimp_body *body, const lope_read_def *def,
                                lope_read_report *report, lope_error *error)
{
    float span = 0.0f;
    double factor;
    lope_status status = measure_span(body, &span, error);
    if (status)
        return status;
    bool stated = is_gltf(body->path);
    float scale = 1.0f;
    if (!stated && lope_assimp_number(scene->mMetaData, "UnitScaleFactor", &factor) && factor > 1e-6 && factor < 1e6) {
        stated = true;
        scale = (float)(factor * 0.01); // centimetres per unit
    }
    // Exporters often state the wrong unit; a body of 170 metres tells.
    report->scale_guessed = def->scale == 0.0f && (!stated || (span > 0.0f && !lope_units_plausible(span * scale)));
    if (report->scale_guessed)
        scale = lope_units_guess(span);
    report->scale = def->scale != 0.0f ? def->scale : scale;
    return LOPE_OK;
}

static bool is_turned(const struct aiMatrix4x4 *m)
{
    return fabsf((float)m->a2) + fabsf((float)m->a3) + fabsf((float)m->b1) + fabsf((float)m->b3) + fabsf((float)m->c1) +
               fabsf((float)m->c2) >
           1e-4f;
}

// Decides which way is up and, where the caller knows better than the file, takes back what the file's axes did.
static bool settle_up(const struct aiScene *scene, assimp_body *body, const lope_read_def *def,
                      lope_read_report *report)
{
    double up_axis = 1.0;
    bool stated = lope_assimp_number(scene->mMetaData, "UpAxis", &up_axis);
    bool turned = stated && is_turned(&scene->mRootNode->mTransformation);
    report->up_guessed = def->up == LOPE_AXIS_AUTO && !stated && !is_gltf(body->path);
    if (def->up != LOPE_AXIS_AUTO) {
        if (turned)
            body->nodes[0].local = lope_affine_identity();
        report->up = def->up;
        return def->up == LOPE_AXIS_Z;
    }
    report->up = up_axis == 2.0 ? LOPE_AXIS_Z : LOPE_AXIS_Y;
    return report->up == LOPE_AXIS_Z && !turned;
}

static lope_status settle(const struct aiScene *scene, assimp_body *body, const lope_read_def *def,
                          lope_read_report *report, lope_error *error)
{
    bool turn = settle_up(scene, body, def, report);
    lope_status status = lope_assimp_skeleton(body, NULL, error); // in file units, to be measured
    if (!status)
        status = settle_scale(scene, body, def, report, error);
    if (status)
        return status;
    lope_skeleton_release(body->skeleton);
    body->skeleton = NULL;
    double s = (double)report->scale;
    // Z up: (x, y, z) -> (x, z, -y).
    body->base = turn ? (affine){{{s, 0.0, 0.0, 0.0}, {0.0, 0.0, s, 0.0}, {0.0, -s, 0.0, 0.0}}}
                      : (affine){{{s, 0.0, 0.0, 0.0}, {0.0, s, 0.0, 0.0}, {0.0, 0.0, s, 0.0}}};
    return lope_assimp_skeleton(body, def->roles, error);
}

// The animation's name where it says something; programs' own inventions give way to the file's name.
static void name_clip(const struct aiScene *scene, unsigned index, const char *path, char *out, size_t size)
{
    static const char *const empty[] = {"", "mixamo.com", "Take 001", "Unreal Take", "Animation", "Scene"};
    const char *name = scene->mAnimations[index]->mName.data, *base = lope_path_base(path);
    bool says_nothing = false;
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        says_nothing = says_nothing || strcmp(name, empty[i]) == 0;
    const char *dot = strrchr(base, '.');
    int stem = (int)(dot ? dot - base : (ptrdiff_t)strlen(base));
    if (!says_nothing)
        snprintf(out, size, "%s", name);
    else if (scene->mNumAnimations == 1)
        snprintf(out, size, "%.*s", stem, base);
    else
        snprintf(out, size, "%.*s_%u", stem, base, index + 1);
}

static int count_moving(const lope_clip *clip)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    int moving = 0;
    for (size_t j = 1; clip->translations && j < joints; j++)
        for (size_t f = 1; f < (size_t)clip->frame_count; f++)
            if (lope_v3_distance(clip->translations[f * joints + j], clip->translations[j]) > 1e-4f) {
                moving++;
                break;
            }
    return moving;
}

// What the caller asked for beyond the file: another rate, no first frame.
static lope_status apply_def(lope_clip **clip, const lope_read_def *def, lope_read_report *report, lope_error *error)
{
    if (def->frame_rate > 0.0)
        (*clip)->frame_rate = def->frame_rate;
    int moving = count_moving(*clip);
    report->moving_joints = moving > report->moving_joints ? moving : report->moving_joints;
    if (def->tpose != LOPE_TPOSE_DROP || (*clip)->frame_count == 1)
        return LOPE_OK;
    lope_clip *rest;
    lope_status status = lope_clip_trim(*clip, 1, (*clip)->frame_count - 1, &rest, error);
    if (status)
        return status;
    report->tpose_dropped = true;
    report->dropped_frames = 1;
    lope_clip_destroy(*clip);
    *clip = rest;
    return LOPE_OK;
}

static lope_status read_animations(const struct aiScene *scene, const assimp_body *body, const lope_read_def *def,
                                   lope_clip_list *out, lope_read_report *report, lope_error *error)
{
    lope_status status = LOPE_OK;
    out->clips = lope_alloc_zero((size_t)scene->mNumAnimations * sizeof(lope_clip *));
    if (!out->clips)
        return lope_fail_memory(error);
    for (unsigned a = 0; a < scene->mNumAnimations && !status; a++) {
        char name[1100];
        if (scene->mAnimations[a]->mNumChannels == 0)
            continue;
        name_clip(scene, a, body->path, name, sizeof name);
        lope_clip **clip = &out->clips[out->count];
        status = lope_assimp_clip(body, scene->mAnimations[a], name, is_gltf(body->path), clip, error);
        if (!status) {
            out->count++;
            status = apply_def(clip, def, report, error);
        }
    }
    if (!status && out->count == 0)
        status = lope_fail_at(error, LOPE_BAD_DATA, body->path, 0, "has animations, but none of them moves a node");
    return status;
}

lope_status lope_assimp_read(const char *path, const lope_read_def *def, lope_clip_list *out, lope_read_report *report,
                             lope_error *error)
{
    *out = (lope_clip_list){0};
    const struct aiScene *scene;
    lope_status status = lope_read_def_check(def, path, error);
    if (!status)
        status = load(path, &scene, error);
    if (status)
        return status;
    assimp_body body = {0};
    if (scene->mNumAnimations == 0)
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "has no animation");
    else if (scene->mNumAnimations > MAX_ANIMATIONS)
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "has %u animations, the limit is %u",
                              scene->mNumAnimations, MAX_ANIMATIONS);
    if (!status)
        status = lope_assimp_body(scene, path, &body, error);
    if (!status)
        status = settle(scene, &body, def, report, error);
    if (!status)
        status = read_animations(scene, &body, def, out, report, error);
    lope_assimp_body_free(&body);
    aiReleaseImport(scene);
    return status;
}

#else

lope_status lope_assimp_read(const char *path, const lope_read_def *def, lope_clip_list *out, lope_read_report *report,
                             lope_error *error)
{
    (void)def, (void)report;
    memset(out, 0, sizeof *out);
    return lope_fail_at(error, LOPE_UNSUPPORTED, path, 0,
                        "this build cannot read FBX and glTF: install assimp (Debian: libassimp-dev) and build again");
}

#endif
