// SPDX-License-Identifier: MIT
// Recipes, and cooking them.
#include "bench/strangers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/strangers_parts.h"

double stranger_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; // splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}

double stranger_normal(uint64_t *state)
{
    double sum = 0.0;
    for (int i = 0; i < 12; i++)
        sum += stranger_random(state);
    return sum - 6.0;
}

lope_quat stranger_up_turn(stranger_up up)
{
    const float quarter = (float)(0.5 * LOPE_PI);
    if (up == STRANGER_UP_Z)
        return lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), quarter);
    return up == STRANGER_UP_X ? lope_quat_axis_angle(lope_v3(0.0f, 0.0f, 1.0f), -quarter) : lope_quat_identity();
}

static int pick(uint64_t *state, int count)
{
    return (int)(stranger_random(state) * (double)count);
}

static bool chance(uint64_t *state, double share)
{
    return stranger_random(state) < share;
}

static void choose_place(stranger_recipe *recipe, uint64_t *state)
{
    recipe->origin.x = (float)(4.0 * stranger_random(state) - 2.0);
    recipe->origin.y = chance(state, 0.5) ? (float)(2.0 * stranger_random(state) - 1.0) : 0.0f;
    recipe->origin.z = (float)(4.0 * stranger_random(state) - 2.0);
    recipe->yaw = (float)(LOPE_PI * (2.0 * stranger_random(state) - 1.0));
}

static void choose_joints(stranger_recipe *recipe, uint64_t *state)
{
    recipe->six_channels = chance(state, 0.4);
    recipe->zero_offsets = recipe->six_channels && chance(state, 0.2);
    recipe->twist_chain = chance(state, 0.2);
    recipe->twist_leaves = chance(state, 0.3);
    recipe->fingers = chance(state, 0.3);
    recipe->helpers = chance(state, 0.3);
    recipe->prop = chance(state, 0.15);
    recipe->no_toes = chance(state, 0.2);
    recipe->no_collars = chance(state, 0.2);
    recipe->spine = pick(state, 4) - 1;
}

stranger_recipe stranger_recipe_random(uint64_t seed)
{
    static const float units[] = {1.0f, 0.01f, 0.01f, 0.001f, 0.0254f, 0.3048f};
    static const double rates[] = {24.0, 25.0, 30.0, 60.0, 100.0, 120.0};
    static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
    static const stranger_root roots[] = {STRANGER_ROOT_HIPS,   STRANGER_ROOT_HIPS,   STRANGER_ROOT_STATIC,
                                          STRANGER_ROOT_STATIC, STRANGER_ROOT_TURNED, STRANGER_ROOT_TRAVELLING};
    uint64_t state = seed * 0x2545f4914f6cdd1du + 11;
    stranger_recipe recipe = {.seed = seed};
    recipe.rest = (stranger_rest)pick(&state, STRANGER_REST_COUNT);
    recipe.names = (stranger_naming)pick(&state, STRANGER_NAMES_COUNT);
    recipe.root = roots[pick(&state, 6)];
    recipe.hips_offset = lope_v3(0.0f, 0.0f, 0.0f);
    if (chance(&state, 0.6))
        recipe.hips_offset = chance(&state, 0.5) ? lope_v3(0.0f, 0.9f, 0.0f) : lope_v3(0.0f, 0.1f, 1.3f);
    double up = stranger_random(&state);
    recipe.up = up < 0.05 ? STRANGER_UP_X : up < 0.4 ? STRANGER_UP_Z : STRANGER_UP_Y;
    recipe.rest_stands = chance(&state, 0.6);
    choose_joints(&recipe, &state);
    recipe.unit = units[pick(&state, 6)];
    memcpy(recipe.order, orders[pick(&state, 6)], 4);
    recipe.frame_rate = rates[pick(&state, 6)];
    choose_place(&recipe, &state);
    if (chance(&state, 0.3))
        recipe.noise = (float)(0.001 * stranger_random(&state));
    if (chance(&state, 0.2))
        recipe.dropped = 0.005f;
    if (chance(&state, 0.2))
        recipe.repeated = 0.005f;
    bool pose = recipe.rest == STRANGER_REST_KEPT || recipe.rest == STRANGER_REST_T;
    recipe.tpose = chance(&state, 0.2) && pose && !recipe.zero_offsets;
    recipe.crlf = chance(&state, 0.2);
    return recipe;
}

stranger_recipe stranger_recipe_static_root(void)
{
    return (stranger_recipe){.seed = 151,
                             .rest = STRANGER_REST_ALONG_X,
                             .names = STRANGER_NAMES_PLAIN,
                             .root = STRANGER_ROOT_STATIC,
                             .hips_offset = {0.0f, 0.0f, 0.95f},
                             .up = STRANGER_UP_Y,
                             .six_channels = true,
                             .unit = 0.01f,
                             .order = "ZXY",
                             .frame_rate = 30.0};
}

stranger_recipe stranger_recipe_like(const stranger_recipe *recipe)
{
    return (stranger_recipe){.seed = recipe->seed,
                             .up = STRANGER_UP_Y,
                             .unit = 0.01f,
                             .order = "ZXY",
                             .frame_rate = recipe->frame_rate,
                             .no_toes = recipe->no_toes,
                             .no_collars = recipe->no_collars,
                             .noise = recipe->noise,
                             .dropped = recipe->dropped,
                             .repeated = recipe->repeated};
}

const char *stranger_recipe_text(const stranger_recipe *r, char *text, size_t size)
{
    static const char *const rests[] = {"kept", "T", "A", "bent", "all along X", "feet down"};
    static const char *const names[] = {"kept",   "Mixamo", "3ds Max", "engine",  "plain",
                                        "romaji", "Kanji",  "German",  "numbered"};
    static const char *const roots[] = {"hips", "static", "turned", "travelling"};
    snprintf(
        text, size,
        "seed %llu: rest %s, names %s, root %s, %c up%s, %g m, %s, %g fps, floor %.2f m%s%s%s%s%s%s%s%s%s%s%s%s%s%s"
        ", spine %+d",
        (unsigned long long)r->seed, rests[r->rest], names[r->names], roots[r->root], "XYZ"[r->up],
        r -> rest_stands ? " at rest, too" : "", (double)r->unit, r->order, r->frame_rate, (double)r->origin.y,
        r->six_channels ? ", 6 channels" : "", r->zero_offsets ? ", no offsets" : "",
        r->twist_chain ? ", twist chain" : "", r->twist_leaves ? ", twist leaves" : "", r->fingers ? ", fingers" : "",
        r->helpers ? ", helpers" : "", r->prop ? ", prop" : "", r->no_toes ? ", no toes" : "",
        r->no_collars ? ", no collars" : "", r->noise > 0.0f ? ", noise" : "", r->dropped > 0.0f ? ", dropped" : "",
        r->repeated > 0.0f ? ", repeated" : "", r->tpose ? ", T-pose in front" : "", r->crlf ? ", CRLF" : "", r->spine);
    return text;
}

// What is cooked: the clip at the file's rate, the body, and where the world lies.
typedef struct kitchen {
    const lope_clip *clip;
    const stranger_recipe *recipe;
    stranger_body body;
    lope_transform *model;  // [joint_count of the clip]
    lope_transform *placed; // [body.count] in the clip's world as it lies in the file, Y up
    uint64_t state, seed;   // for frames that are left out and shown twice; for noise
} kitchen;

// Which frame of the clip every frame of the file shows: some are left out, some shown twice. Returns their number.
static int choose_frames(kitchen *k, int *frames)
{
    int count = 0, wanted = k->clip->frame_count;
    for (int f = 0; f < wanted; f++) {
        bool inside = f > 0 && f + 1 < wanted;
        if (inside && chance(&k->state, (double)k->recipe->dropped))
            continue;
        bool again = inside && count && chance(&k->state, (double)k->recipe->repeated);
        frames[count] = again ? frames[count - 1] : f;
        count++;
    }
    return count;
}

// All joints of the file where they belong: metres, Y up, rotations as the file has them but for its up axis.
static void place(kitchen *k, int frame)
{
    const stranger_recipe *recipe = k->recipe;
    lope_transform world = {lope_quat_yaw(recipe->yaw), recipe->origin};
    lope_clip_model(k->clip, frame, k->model);
    for (int i = 0; i < k->body.count; i++) {
        const stranger_joint *joint = &k->body.joints[i];
        if (joint->source < 0) {
            lope_vec3 hips = lope_transform_point(world, k->model[0].translation);
            bool travels = recipe->root == STRANGER_ROOT_TRAVELLING;
            k->placed[i] = lope_transform_identity();
            if (travels)
                k->placed[i].translation = lope_v3(hips.x, recipe->origin.y, hips.z);
            continue;
        }
        k->placed[i].rotation =
            lope_quat_mul(world.rotation, lope_quat_mul(k->model[joint->source].rotation, joint->turn));
        if (i == k->body.hips) {
            k->placed[i].translation = lope_transform_point(world, k->model[0].translation);
            continue;
        }
        const stranger_joint *parent = &k->body.joints[joint->parent];
        lope_vec3 offset = lope_quat_rotate(lope_quat_conjugate(parent->turn), joint->offset);
        k->placed[i].translation = lope_transform_point(k->placed[joint->parent], offset);
    }
}

// Noise of a role in a frame of the file, whatever the rig looks like: strangers of one seed have the same.
static lope_vec3 noise_of(const kitchen *k, int frame, lope_role role)
{
    const uint64_t key[3] = {k->seed, (uint64_t)frame, (uint64_t)role};
    uint64_t state = lope_hash(key, sizeof key, 1);
    float by[3];
    for (int a = 0; a < 3; a++)
        by[a] = k->recipe->noise * (float)stranger_normal(&state);
    return lope_v3(by[0], by[1], by[2]);
}

// Shakes the joints that a capture follows; what was added turns with them. `out` is what the channels say.
static void shake(const kitchen *k, int frame, lope_transform *out)
{
    lope_quat world = lope_quat_mul(stranger_up_turn(k->recipe->up), lope_quat_yaw(k->recipe->yaw));
    for (int i = 0; i < k->body.count; i++) {
        const stranger_joint *joint = &k->body.joints[i];
        if (!joint->same || joint->role == LOPE_ROLE_COUNT)
            continue;
        lope_vec3 by = noise_of(k, frame, joint->role);
        if (i == k->body.hips) {
            lope_quat above =
                joint->parent < 0 ? lope_quat_identity() : lope_quat_conjugate(k->placed[joint->parent].rotation);
            by = lope_quat_rotate(lope_quat_mul(above, world), by);
            out[i].translation = lope_v3_add(out[i].translation, by);
        } else {
            by = lope_quat_rotate(lope_quat_conjugate(joint->turn), lope_v3_scale(by, 2.5f));
            out[i].rotation = lope_quat_mul(out[i].rotation, lope_quat_exp(by));
        }
    }
}

// From places in the world to what the file's channels say.
static void make_locals(kitchen *k, int frame, lope_transform *out)
{
    lope_transform up = {stranger_up_turn(k->recipe->up), {0.0f, 0.0f, 0.0f}};
    lope_quat quarter = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), (float)(-0.5 * LOPE_PI));
    for (int i = 0; i < k->body.count; i++) {
        k->placed[i] = lope_transform_mul(up, k->placed[i]);
        if (k->body.joints[i].source < 0) // it stands along the file's axes
            k->placed[i].rotation = k->recipe->root == STRANGER_ROOT_TURNED ? quarter : lope_quat_identity();
        int parent = k->body.joints[i].parent;
        out[i] =
            parent < 0 ? k->placed[i] : lope_transform_mul(lope_transform_inverse(k->placed[parent]), k->placed[i]);
    }
    if (k->recipe->noise > 0.0f)
        shake(k, frame, out);
}

// The frame in front: nothing is rotated, hips where they are in the first frame.
static void make_tpose(const kitchen *k, const lope_transform *first, lope_transform *out)
{
    for (int i = 0; i < k->body.count; i++) {
        out[i] = first[i];
        if (k->body.joints[i].source >= 0)
            out[i].rotation = lope_quat_identity();
    }
}

static void describe(const kitchen *k, stranger_truth *truth)
{
    size_t n = (size_t)k->body.count;
    truth->joint_count = k->body.count;
    truth->names = malloc(n * sizeof *truth->names);
    truth->parents = malloc(n * sizeof *truth->parents);
    truth->sources = malloc(n * sizeof *truth->sources);
    if (!truth->names || !truth->parents || !truth->sources)
        abort();
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        truth->roles[r] = -1;
    for (int i = 0; i < k->body.count; i++) {
        const stranger_joint *joint = &k->body.joints[i];
        memcpy(truth->names[i], joint->name, sizeof joint->name);
        truth->parents[i] = joint->parent;
        truth->sources[i] = joint->same ? joint->source : -1;
        if (joint->role != LOPE_ROLE_COUNT && joint->same)
            truth->roles[joint->role] = i;
    }
    truth->unit = k->recipe->unit;
    truth->up = k->recipe->up;
    truth->frame_rate = k->clip->frame_rate;
}

static void cook(kitchen *k, stranger *out)
{
    stranger_truth *truth = &out->truth;
    size_t joints = (size_t)k->body.count, source = (size_t)k->clip->frame_count, front = k->recipe->tpose ? 1 : 0;
    int *frames = malloc(source * sizeof *frames);
    lope_transform *values = malloc((source + 1) * joints * sizeof *values);
    k->model = malloc((size_t)k->clip->skeleton->joint_count * sizeof *k->model);
    k->placed = malloc(joints * sizeof *k->placed);
    truth->times = malloc(source * sizeof *truth->times);
    truth->positions = malloc(source * joints * sizeof *truth->positions);
    if (!frames || !values || !k->model || !k->placed || !truth->times || !truth->positions)
        abort();
    truth->frame_count = choose_frames(k, frames);
    truth->tpose_frames = (int)front;
    for (int f = 0; f < truth->frame_count; f++) {
        truth->times[f] = (double)frames[f] / k->clip->frame_rate;
        place(k, frames[f]);
        for (size_t j = 0; j < joints; j++)
            truth->positions[(size_t)f * joints + j] = k->placed[j].translation;
        make_locals(k, f, values + ((size_t)f + front) * joints);
    }
    if (front)
        make_tpose(k, values + joints, values);
    stranger_motion motion = {k->recipe, &k->body, truth->frame_count + (int)front, k->clip->frame_rate, values};
    out->text = stranger_text(&motion, &out->size);
    free(frames);
    free(values);
    free(k->model);
    free(k->placed);
}

lope_status stranger_make(const lope_clip *clip, const stranger_recipe *recipe, stranger *out, lope_error *error)
{
    *out = (stranger){0};
    lope_clip *resampled = NULL;
    if (clip->translations || !lope_skeleton_is_biped(clip->skeleton) || clip->skeleton->roles[LOPE_HIPS] != 0) {
        *error =
            (lope_error){.status = LOPE_UNSUPPORTED,
                         .message = "strangers are made of bipeds whose hips are the root and the only moving joint"};
        return LOPE_UNSUPPORTED;
    }
    bool other_rate = recipe->frame_rate > 0.0 && fabs(recipe->frame_rate - clip->frame_rate) > 1e-3;
    lope_status status = other_rate ? lope_clip_resample(clip, recipe->frame_rate, &resampled, error) : LOPE_OK;
    if (status)
        return status;
    kitchen k = {.clip = resampled ? resampled : clip, .recipe = recipe};
    k.state = k.seed = recipe->seed ^ lope_hash(clip->name, strlen(clip->name), 1);
    stranger_body_make(clip->skeleton, recipe, &k.body);
    stranger_body_turn(&k.body, clip->skeleton, recipe);
    describe(&k, &out->truth);
    if (lope_clip_floor(clip, &out->truth.floor, NULL, error) == LOPE_OK)
        out->truth.floor += recipe->origin.y;
    else
        out->truth.floor = NAN;
    cook(&k, out);
    stranger_body_free(&k.body);
    lope_clip_destroy(resampled);
    return LOPE_OK;
}

void stranger_free(stranger *file)
{
    free(file->text);
    free(file->truth.names);
    free(file->truth.parents);
    free(file->truth.sources);
    free(file->truth.times);
    free(file->truth.positions);
    *file = (stranger){0};
}

static lope_status refuse(const char *path, lope_error *error)
{
    *error = (lope_error){.status = LOPE_IO};
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->message, sizeof error->message, "cannot be written");
    return LOPE_IO;
}

static void write_truth(FILE *file, const stranger_truth *truth)
{
    fprintf(file, "{\n  \"up\": \"%c\",\n  \"metres_per_unit\": %.9g,\n  \"floor\": %.6f,\n", "XYZ"[truth->up],
            (double)truth -> unit, (double)truth -> floor);
    fprintf(file, "  \"frame_rate\": %g,\n  \"frames\": %d,\n  \"tpose_frames\": %d,\n  \"roles\": {",
            truth->frame_rate, truth->frame_count, truth->tpose_frames);
    const char *before = "\n";
    for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
        if (truth->roles[r] < 0)
            continue;
        fprintf(file, "%s    \"%s\": \"%s\"", before, lope_role_name((lope_role)r), truth->names[truth->roles[r]]);
        before = ",\n";
    }
    fprintf(file, "\n  },\n  \"times\": [");
    for (int f = 0; f < truth->frame_count; f++)
        fprintf(file, "%s%.6g", f ? ", " : "", truth->times[f]);
    fprintf(file, "]\n}\n");
}

lope_status stranger_save(const stranger *file, const char *path, lope_error *error)
{
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.truth.json", path);
    FILE *bvh = fopen(path, "wb"), *truth = fopen(beside, "wb");
    bool good = bvh && truth && fwrite(file->text, 1, file->size, bvh) == file->size;
    if (truth)
        write_truth(truth, &file->truth);
    good = (!bvh || fclose(bvh) == 0) && good;
    good = (!truth || fclose(truth) == 0) && good;
    return good ? LOPE_OK : refuse(path, error);
}
