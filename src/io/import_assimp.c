// SPDX-License-Identifier: MIT
// FBX and glTF files: loading, units, the axis that points up, and one clip per animation, or one of the rest pose.
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
#include "io/body_evidence.h"
#include "io/import_check.h"
#include "io/units.h"

#define MAX_FILE_SIZE ((size_t)1 << 31)
#define MAX_ANIMATIONS 65536u
#define REST_RATE 30.0 // of the one frame of a rig

static lope_status load(const char *path, const struct aiScene **out, import_facts *facts, lope_error *error)
{
    *out = NULL;
    lope_status status = lope_import_check(path, MAX_FILE_SIZE, facts, error);
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

// What the caller says, then what the file says: no guess overrides that, however small or large the body is. Where it
// says nothing, one unit is a centimetre, as the format has it, unless no body can be that small or large.
static lope_status settle_scale(const struct aiScene *scene, const assimp_body *body, const lope_read_def *def,
                                lope_read_report *report, lope_error *error)
{
    double factor;
    report->scale = def->scale;
    if (def->scale != 0.0f)
        return LOPE_OK;
    if (is_gltf(body->path)) {
        report->scale = 1.0f;
        return LOPE_OK;
    }
    if (body->states_unit && lope_assimp_number(scene->mMetaData, "UnitScaleFactor", &factor) && factor > 1e-6 &&
        factor < 1e6) {
        report->scale = (float)(factor * 0.01); // centimetres per unit
        return LOPE_OK;
    }
    unit_body size;
    lope_status status = lope_units_measure_skeleton(body->skeleton, &size, error);
    if (status)
        return status;
    report->scale_guessed = true;
    report->scale = lope_units_plausible(size.span * 0.01f) ? 0.01f : lope_units_guess(size.span);
    return LOPE_OK;
}

static bool is_turned(const struct aiMatrix4x4 *m)
{
    return fabsf((float)m->a2) + fabsf((float)m->a3) + fabsf((float)m->b1) + fabsf((float)m->b3) + fabsf((float)m->c1) +
               fabsf((float)m->c2) >
           1e-4f;
}

// Decides which way is up, returns the axis that is still to be turned up and, where the caller knows better than the
// file, takes back what the file's axes did.
static lope_axis settle_up(const struct aiScene *scene, assimp_body *body, const lope_read_def *def,
                           lope_read_report *report)
{
    double up_axis = 1.0;
    bool stated = lope_assimp_number(scene->mMetaData, "UpAxis", &up_axis);
    bool turned = stated && is_turned(&scene->mRootNode->mTransformation);
    report->up_guessed = def->up == LOPE_AXIS_AUTO && !stated && !is_gltf(body->path);
    if (def->up != LOPE_AXIS_AUTO) {
        if (turned)
            body->nodes[0].local = lope_affine_identity();
        return report->up = def->up;
    }
    report->up = up_axis == 2.0 ? LOPE_AXIS_Z : LOPE_AXIS_Y;
    return turned ? LOPE_AXIS_Y : report->up;
}

static lope_status settle(const struct aiScene *scene, assimp_body *body, const lope_read_def *def,
                          lope_read_report *report, lope_error *error)
{
    lope_axis up = settle_up(scene, body, def, report);
    lope_status status = lope_assimp_skeleton(body, NULL, error); // in file units, to be measured
    if (!status)
        status = settle_scale(scene, body, def, report, error);
    if (status)
        return status;
    lope_skeleton_release(body->skeleton);
    body->skeleton = NULL;
    double s = (double)report->scale;
    lope_vec3 x = lope_turn_vector(up, lope_v3(1.0f, 0.0f, 0.0f)), y = lope_turn_vector(up, lope_v3(0.0f, 1.0f, 0.0f));
    lope_vec3 z = lope_turn_vector(up, lope_v3(0.0f, 0.0f, 1.0f));
    body->base = (affine){{{s * (double)x.x, s * (double)y.x, s * (double)z.x, 0.0},
                           {s * (double)x.y, s * (double)y.y, s * (double)z.y, 0.0},
                           {s * (double)x.z, s * (double)y.z, s * (double)z.z, 0.0}}};
    return lope_assimp_skeleton(body, def->roles, error);
}

// The file's name without folder and ending.
static void stem_of(const char *path, char *out, size_t size)
{
    const char *base = lope_path_base(path), *dot = strrchr(base, '.');
    snprintf(out, size, "%.*s", (int)(dot ? dot - base : (ptrdiff_t)strlen(base)), base);
}

// The animation's name where it says something; programs' own inventions give way to the file's name.
static void name_clip(const struct aiScene *scene, unsigned index, const char *path, char *out, size_t size)
{
    static const char *const empty[] = {"", "mixamo.com", "Take 001", "Unreal Take", "Animation", "Scene"};
    const char *name = scene->mAnimations[index]->mName.data;
    char stem[1000];
    bool says_nothing = false;
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        says_nothing = says_nothing || strcmp(name, empty[i]) == 0;
    stem_of(path, stem, sizeof stem);
    if (!says_nothing)
        snprintf(out, size, "%s", name);
    else if (scene->mNumAnimations == 1)
        snprintf(out, size, "%s", stem);
    else
        snprintf(out, size, "%s_%u", stem, index + 1);
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

// A rig that nothing moves: one frame of how it stands in the file, named like the file.
static lope_status read_rest(const assimp_body *body, lope_clip_list *out, lope_error *error)
{
    char name[1100];
    lope_clip *clip;
    stem_of(body->path, name, sizeof name);
    lope_status status = lope_clip_create(body->skeleton, name, 1, REST_RATE, 0, &clip, error);
    if (status)
        return status;
    for (int j = 0; j < body->skeleton->joint_count; j++)
        clip->rotations[j] = body->skeleton->rest[j].rotation;
    clip->root[0] = body->skeleton->rest[0].translation;
    out->clips[out->count++] = clip;
    return LOPE_OK;
}

static lope_status read_animations(const struct aiScene *scene, const assimp_body *body, const lope_read_def *def,
                                   lope_clip_list *out, lope_read_report *report, lope_error *error)
{
    lope_status status = LOPE_OK;
    out->clips = lope_alloc_zero(((size_t)scene->mNumAnimations + 1) * sizeof(lope_clip *));
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
    if (!status && out->count == 0) {
        status = read_rest(body, out, error);
        report->rest_only = !status;
    }
    return status;
}

lope_status lope_assimp_read(const char *path, const lope_read_def *def, lope_clip_list *out, lope_read_report *report,
                             lope_error *error)
{
    *out = (lope_clip_list){0};
    const struct aiScene *scene;
    import_facts facts;
    lope_status status = lope_read_def_check(def, path, error);
    if (!status)
        status = load(path, &scene, &facts, error);
    if (status)
        return status;
    assimp_body body = {0};
    if (scene->mNumAnimations > MAX_ANIMATIONS)
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "has %u animations, the limit is %u",
                              scene->mNumAnimations, MAX_ANIMATIONS);
    if (!status)
        status = lope_assimp_body(scene, path, &body, error);
    body.states_unit = facts.states_unit;
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
