// SPDX-License-Identifier: MIT
// Writing a character: the file's JSON with animations appended, its buffers as they were, and the frames behind them.
//
// Clips are told in metres; nodes of the file may be scaled and turned, and the nodes above the skeleton stand where
// they stand. So each clip is first brought to the nodes' own units: a clip of the skeleton that the nodes make.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/glb_plan.h"
#include "io/gltf_avatar.h"
#include "motion/root_bone.h"

#define SAME_PLACE 1e-5f // metres; and parts of a quaternion: nearer than this is where the node is anyway
#define SAME_TURN 1e-6f

typedef struct saving {
    const lope_avatar *avatar;
    const gltf_file *file;
    const char *path;
    json_t *root;                // the JSON that is written
    lope_skeleton *nodes;        // the joints as nodes have them, in the file's units
    int *node_of;                // [joint_count] with the added bone numbered
    float *scales;               // [joint_count] metres per unit of what hangs on a joint
    affine above, above_inverse; // the node above the skeleton
    const lope_clip **carried;   // [clip_count] in metres, moved by hips or root bone
    const lope_clip **clips;     // [clip_count] in the file's units
    int clip_count;
    uint64_t *starts;  // [buffer_count] where each buffer lies in the binary chunk
    size_t old_size;   // bytes of the buffers, padded
    char *extra;       // what comes between the buffers and the clips: bind matrices, pictures
    size_t extra_size; // a multiple of 4
} saving;

static json_t *list(json_t *root, const char *key)
{
    json_t *array = json_object_get(root, key);
    if (!json_is_array(array)) {
        json_object_set_new(root, key, json_array());
        array = json_object_get(root, key);
    }
    return array;
}

static float scale_of(const affine *a)
{
    float sum = 0.0f;
    for (int i = 0; i < 3; i++)
        sum += lope_v3_length(lope_affine_turn(a, lope_v3(i == 0, i == 1, i == 2)));
    return sum / 3.0f;
}

// The joints as the file's nodes have them, without scales.
static lope_status node_skeleton(saving *s, lope_error *error)
{
    const lope_skeleton *skeleton = s->avatar->skeleton;
    size_t count = (size_t)skeleton->joint_count;
    lope_transform *rest = lope_alloc_array(count, sizeof *rest);
    s->scales = lope_alloc_array(count, sizeof *s->scales);
    s->node_of = lope_alloc_array(count, sizeof *s->node_of);
    lope_status status = rest && s->scales && s->node_of ? LOPE_OK : lope_fail_memory(error);
    int top = s->avatar->nodes[0], roles[LOPE_ROLE_COUNT];
    if (top < 0)
        top = skeleton->joint_count > 1 ? s->avatar->nodes[1] : -1;
    s->above =
        top >= 0 && s->file->parents[top] >= 0 ? s->file->globals[s->file->parents[top]] : lope_affine_identity();
    if (!status && !lope_affine_inverse(&s->above, &s->above_inverse))
        status = lope_fail_at(error, LOPE_UNSUPPORTED, s->file->path, 0, "the node above the skeleton flattens it");
    for (size_t j = 0; j < count && !status; j++) {
        int node = s->node_of[j] = s->avatar->nodes[j];
        rest[j] = lope_transform_identity();
        s->scales[j] = node >= 0 ? scale_of(&s->file->globals[node])
                       : j > 0   ? s->scales[skeleton->parents[j]]
                                 : scale_of(&s->above);
        lope_vec3 unused;
        if (node >= 0)
            lope_gltf_node_parts(s->file, node, &rest[j].translation, &rest[j].rotation, &unused);
        else
            s->node_of[j] = s->file->node_count; // appended
        if (!(s->scales[j] > 0.0f))
            status = lope_fail_at(error, LOPE_UNSUPPORTED, s->file->path, 0, "joint '%s' is scaled to nothing",
                                  skeleton->names[j]);
    }
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    lope_skeleton_def def = {skeleton->joint_count, skeleton->names, skeleton->parents, rest, NULL, roles, NULL};
    if (!status)
        status = lope_skeleton_create(&def, &s->nodes, error);
    lope_free(rest);
    return status;
}

static lope_quat settle_turn(lope_quat turn, lope_quat node)
{
    float sign = lope_quat_dot(turn, node) < 0.0f ? -1.0f : 1.0f;
    bool same = fabsf(turn.x - sign * node.x) < SAME_TURN && fabsf(turn.y - sign * node.y) < SAME_TURN &&
                fabsf(turn.z - sign * node.z) < SAME_TURN && fabsf(turn.w - sign * node.w) < SAME_TURN;
    return same ? sign < 0.0f ? lope_quat_negate(node) : node : turn;
}

static void convert_frame(const saving *s, const lope_clip *clip, int frame, lope_clip *out)
{
    const lope_skeleton *skeleton = s->avatar->skeleton;
    size_t first = (size_t)frame * (size_t)skeleton->joint_count;
    for (int j = 0; j < skeleton->joint_count; j++) {
        const lope_transform *node = &s->nodes->rest[j];
        lope_quat turn = clip->rotations[first + (size_t)j];
        lope_vec3 at = lope_glb_translation(clip, frame, j);
        float scale = j > 0 ? s->scales[skeleton->parents[j]] : scale_of(&s->above);
        if (j > 0) {
            at = lope_v3_scale(at, 1.0f / scale);
        } else {
            at = lope_affine_point(&s->above_inverse, at);
            turn = lope_quat_mul(lope_quat_conjugate(lope_affine_rigid(&s->above).rotation), turn);
        }
        if (lope_v3_distance(at, node->translation) * scale < SAME_PLACE)
            at = node->translation;
        out->rotations[first + (size_t)j] = settle_turn(lope_quat_normalize(turn), node->rotation);
        out->translations[first + (size_t)j] = at;
    }
    out->root[frame] = out->translations[first];
}

// One clip: moved by what shall move it, and then in the file's units.
static lope_status convert_clip(saving *s, const lope_clip *clip, int index, lope_error *error)
{
    const lope_skeleton *skeleton = s->avatar->skeleton;
    if (!lope_skeleton_equal(skeleton, clip->skeleton, 1e-3f))
        return lope_fail_at(error, LOPE_MISMATCH, s->file->path, 0,
                            "clip '%.120s' is not of the character's skeleton: expected %d joints of the same names, "
                            "found %d; retarget it first",
                            clip->name, skeleton->joint_count, clip->skeleton->joint_count);
    lope_clip *carried, *out;
    lope_status status = skeleton->roles[LOPE_HIPS] >= 0 ? lope_clip_carry(clip, s->avatar->root_bone, &carried, error)
                                                         : lope_clip_copy(clip, NULL, 0, &carried, error);
    if (status)
        return status;
    s->carried[index] = carried;
    status = lope_clip_create(s->nodes, clip->name, clip->frame_count, clip->frame_rate, LOPE_CLIP_TRANSLATIONS, &out,
                              error);
    if (status)
        return status;
    s->clips[index] = out;
    for (int f = 0; f < clip->frame_count; f++)
        convert_frame(s, carried, f, out);
    return LOPE_OK;
}

static bool name_taken(const json_t *animations, const char *name)
{
    size_t i;
    json_t *animation;
    json_array_foreach(animations, i, animation)
    {
        if (strcmp(lope_gltf_name(animation), name) == 0)
            return true;
    }
    return false;
}

// Engines look animations up by name: one that is taken gets a number.
static void name_animation(const json_t *animations, json_t *animation)
{
    json_t *given = json_incref(json_object_get(animation, "name")); // kept: the animation's own is replaced
    for (int number = 2; name_taken(animations, lope_gltf_name(animation)) && number < 1000; number++)
        json_object_set_new(animation, "name", json_sprintf("%s_%d", json_string_value(given), number));
    json_decref(given);
}

static lope_status append(saving *s, const char *key, lope_json *text, lope_error *error)
{
    lope_json_end_array(text);
    json_t *items = text->failed ? NULL : json_loadb(text->text, text->length, 0, NULL), *item;
    json_t *array = list(s->root, key);
    size_t i;
    lope_json_free(text);
    if (!items)
        return lope_fail_memory(error);
    json_array_foreach(items, i, item)
    {
        if (strcmp(key, "animations") == 0)
            name_animation(array, item);
        json_array_append(array, item);
    }
    json_decref(items);
    return LOPE_OK;
}

static lope_status append_clips(saving *s, const glb_plan *plan, lope_error *error)
{
    lope_json animations = {0}, accessors = {0}, views = {0};
    lope_json_begin_array(&animations, NULL);
    lope_json_begin_array(&accessors, NULL);
    lope_json_begin_array(&views, NULL);
    lope_glb_animations_json(plan, &animations);
    lope_glb_accessors_json(plan, &accessors);
    lope_glb_views_json(plan, &views);
    lope_status a = append(s, "animations", &animations, error), b = append(s, "accessors", &accessors, error),
                c = append(s, "bufferViews", &views, error);
    return a ? a : b ? b : c;
}

// Channels move translation, rotation and scale; a matrix would be in their way.
static void split_matrices(const saving *s, const glb_plan *plan)
{
    json_t *nodes = json_object_get(s->root, "nodes");
    for (size_t c = 0; c < plan->channel_count; c++) {
        int index = s->node_of[plan->channels[c].joint];
        json_t *node = json_array_get(nodes, (size_t)index);
        if (!json_object_get(node, "matrix"))
            continue;
        lope_vec3 t, scale;
        lope_quat r;
        lope_gltf_node_parts(s->file, index, &t, &r, &scale);
        json_object_del(node, "matrix");
        json_object_set_new(node, "translation", json_pack("[f,f,f]", (double)t.x, (double)t.y, (double)t.z));
        json_object_set_new(node, "rotation",
                            json_pack("[f,f,f,f]", (double)r.x, (double)r.y, (double)r.z, (double)r.w));
        json_object_set_new(node, "scale", json_pack("[f,f,f]", (double)scale.x, (double)scale.y, (double)scale.z));
    }
}

// Puts the new node between the hips and what was above them. False where its name is no UTF-8.
static bool insert_node(const saving *s, int hips, const char *name)
{
    json_t *nodes = json_object_get(s->root, "nodes"), *item, *scene;
    int above = s->file->parents[hips];
    size_t i, k;
    if (json_array_append_new(nodes, json_pack("{s:s, s:[i]}", "name", name, "children", hips)))
        return false;
    json_t *lists = json_array();
    if (above >= 0)
        json_array_append(lists, json_object_get(json_array_get(nodes, (size_t)above), "children"));
    json_array_foreach(json_object_get(s->root, "scenes"), i, scene)
        json_array_append(lists, json_object_get(scene, "nodes"));
    for (i = 0; i < json_array_size(lists); i++) {
        json_t *array = json_array_get(lists, i);
        json_array_foreach(array, k, item)
        {
            if (json_integer_value(item) == hips && json_is_integer(item))
                json_array_set_new(array, k, json_integer(s->file->node_count));
        }
    }
    json_decref(lists);
    return true;
}

static void put_matrix(float *out, const affine *a)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            out[4 * column + row] = (float)a->m[row][column];
    out[3] = out[7] = out[11] = 0.0f;
    out[15] = 1.0f;
}

// Room for `size` bytes behind the buffers, with a view of them; *view is its index. NULL: no memory.
static char *add_extra(saving *s, size_t size, int *view)
{
    size_t padded = (size + 3) & ~(size_t)3, start = s->extra_size;
    char *larger = lope_grow(s->extra, start, start + padded);
    if (!larger)
        return NULL;
    s->extra = larger;
    s->extra_size += padded;
    memset(larger + start, 0, padded);
    json_t *views = list(s->root, "bufferViews");
    *view = (int)json_array_size(views);
    json_array_append_new(views, json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset",
                                           (json_int_t)(s->old_size + start), "byteLength", (json_int_t)size));
    return larger + start;
}

// The bind matrices of a skin and of the bone that it got.
static lope_status add_binds(saving *s, json_t *skin, size_t slot, const affine *scene_from_joint, lope_error *error)
{
    gltf_numbers old;
    const json_t *index = json_object_get(skin, "inverseBindMatrices");
    if (!lope_gltf_numbers(s->file, index, &old) || old.components != 16 || old.type != 5126 || slot >= old.count)
        return LOPE_OK; // all are identities
    int view;
    char *out = add_extra(s, (old.count + 1) * 64, &view);
    if (!out)
        return lope_fail_memory(error);
    for (size_t i = 0; i < old.count; i++)
        memcpy(out + 64 * i, old.bytes + i * old.stride, 64);
    int above = s->file->parents[lope_gltf_index(json_array_get(json_object_get(skin, "joints"), slot), INT32_MAX)];
    affine bone = above >= 0 ? s->file->globals[above] : lope_affine_identity(), to_bone = lope_affine_identity();
    affine bind = lope_gltf_bind(&old, slot), placed = lope_affine_mul(scene_from_joint, &bind);
    lope_affine_inverse(&bone, &to_bone);
    bind = lope_affine_mul(&to_bone, &placed);
    put_matrix((float *)(void *)(out + 64 * old.count), &bind);
    json_t *accessors = list(s->root, "accessors");
    json_object_set_new(skin, "inverseBindMatrices", json_integer((json_int_t)json_array_size(accessors)));
    json_array_append_new(accessors, json_pack("{s:i, s:i, s:I, s:s}", "bufferView", view, "componentType", 5126,
                                               "count", (json_int_t)(old.count + 1), "type", "MAT4"));
    return LOPE_OK;
}

// "image/png" by a name's ending; NULL: not one that glTF promises to show.
static const char *picture_type(const char *uri)
{
    const char *dot = strrchr(uri, '.');
    if (!dot || strncmp(uri, "data:", 5) == 0)
        return NULL;
    return strcasecmp(dot, ".png") == 0                                    ? "image/png"
           : strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0 ? "image/jpeg"
                                                                           : NULL;
}

// Pictures beside the file come into it, because what is written may lie elsewhere. Those that are not found, or not
// below the file's folder, keep their address.
static lope_status take_pictures(saving *s, lope_error *error)
{
    size_t i;
    json_t *image;
    json_array_foreach(json_object_get(s->root, "images"), i, image)
    {
        const char *uri = json_string_value(json_object_get(image, "uri")), *type = uri ? picture_type(uri) : NULL;
        lope_file_data data = {0};
        lope_error unwanted;
        if (!type || lope_gltf_read_beside(s->file, uri, &data, &unwanted))
            continue;
        int view;
        char *out = add_extra(s, data.size, &view);
        if (out)
            memcpy(out, data.bytes, data.size);
        lope_file_free(&data);
        if (!out)
            return lope_fail_memory(error);
        json_object_set_new(image, "bufferView", json_integer(view));
        json_object_set_new(image, "mimeType", json_stringn_nocheck(type, strlen(type)));
        json_object_del(image, "uri");
    }
    return LOPE_OK;
}

// A root bone that the file does not have: a node at the hips' parent, and a joint of the skins that move the hips.
static lope_status add_bone(saving *s, lope_error *error)
{
    const gltf_body *body = &s->avatar->file->body;
    int bone = s->avatar->root_bone;
    if (bone < 0 || s->avatar->nodes[bone] >= 0)
        return LOPE_OK;
    int hips = s->avatar->nodes[bone + 1];
    if (!insert_node(s, hips, s->avatar->skeleton->names[bone]))
        return lope_fail_at(error, LOPE_BAD_DATA, s->file->path, 0, "expected a root bone whose name is UTF-8");
    lope_status status = LOPE_OK;
    for (int k = 0; k < body->skin_count && !status; k++) {
        json_t *skin = json_array_get(json_object_get(s->root, "skins"), (size_t)k);
        json_t *joints = json_object_get(skin, "joints"), *node;
        size_t i, slot = SIZE_MAX;
        json_array_foreach(joints, i, node)
        {
            if (lope_gltf_index(node, INT32_MAX) == hips)
                slot = i;
        }
        if (body->groups[k] != body->group || slot == SIZE_MAX)
            continue;
        status = add_binds(s, skin, slot, &body->rest[bone], error); // `rest` is without the bone: these are the hips
        json_array_append_new(joints, json_integer(s->file->node_count));
        if (lope_gltf_index(json_object_get(skin, "skeleton"), INT32_MAX) == hips)
            json_object_set_new(skin, "skeleton", json_integer(s->file->node_count));
    }
    return status;
}

// All buffers become one, the binary chunk of the GLB. A GLB that is whole keeps its views as they are.
static void join_buffers(saving *s)
{
    size_t i;
    json_t *view;
    for (int b = 0; b < s->file->buffer_count; b++) {
        s->starts[b] = s->old_size;
        s->old_size = (s->old_size + s->file->buffers[b].size + 3) & ~(size_t)3;
    }
    if (s->file->whole)
        return;
    json_array_foreach(json_object_get(s->root, "bufferViews"), i, view)
    {
        int buffer = lope_gltf_index(json_object_get(view, "buffer"), s->file->buffer_count);
        uint64_t offset = 0;
        lope_gltf_whole(view, "byteOffset", 0, &offset);
        json_object_set_new(view, "byteOffset", json_integer((json_int_t)(offset + s->starts[buffer])));
        json_object_set_new(view, "buffer", json_integer(0));
    }
    json_object_del(s->root, "buffers");
}

static void set_buffer_size(saving *s, size_t size)
{
    json_t *buffers = list(s->root, "buffers");
    if (json_array_size(buffers) == 0)
        json_array_append_new(buffers, json_object());
    json_object_set_new(json_array_get(buffers, 0), "byteLength", json_integer((json_int_t)size));
}

static void write_buffers(const saving *s, lope_file_writer *file)
{
    for (int b = 0; b < s->file->buffer_count; b++) {
        const gltf_buffer *buffer = &s->file->buffers[b];
        lope_file_write(file, buffer->bytes, buffer->size);
        lope_file_write(file, "\0\0\0", (4 - buffer->size % 4) % 4);
    }
}

static lope_status write_all(saving *s, const glb_plan *plan, lope_error *error)
{
    lope_json json = {0};
    char *text = json_dumps(s->root, JSON_COMPACT);
    size_t length = text ? strlen(text) : 0;
    json.text = text ? lope_alloc(length + 4) : NULL;
    if (!json.text) {
        free(text);
        return lope_fail_memory(error);
    }
    memcpy(json.text, text, length);
    free(text);
    json.length = length;
    json.capacity = length + 4;
    lope_file_writer file;
    lope_status status = lope_glb_begin(&file, s->path, &json, plan->binary_size, error);
    lope_json_free(&json);
    if (status)
        return status;
    write_buffers(s, &file);
    lope_file_write(&file, s->extra, s->extra_size);
    for (int c = 0; c < plan->clip_count; c++)
        lope_glb_write_clip(plan, c, &file);
    return lope_file_commit(&file, error);
}

static lope_status plan_and_write(saving *s, lope_error *error)
{
    join_buffers(s);
    lope_status status = add_bone(s, error);
    if (!status)
        status = take_pictures(s, error);
    glb_plan plan = {.clips = s->clips,
                     .told = s->carried,
                     .clip_count = s->clip_count,
                     .skeleton = s->nodes,
                     .nodes = s->node_of,
                     .first_accessor = json_array_size(json_object_get(s->root, "accessors")),
                     .first_view = (int)json_array_size(json_object_get(s->root, "bufferViews")),
                     .binary_size = s->old_size + s->extra_size};
    if (!status)
        status = lope_glb_plan_clips(&plan, error);
    if (!status)
        status = append_clips(s, &plan, error);
    if (!status) {
        split_matrices(s, &plan);
        set_buffer_size(s, plan.binary_size);
        status = write_all(s, &plan, error);
    }
    lope_glb_plan_free(&plan);
    return status;
}

lope_status lope_avatar_save(const lope_avatar *avatar, const lope_clip *const *clips, int clip_count,
                             const lope_avatar_save_def *def, const char *path, lope_error *error)
{
    const gltf_file *file = &avatar->file->gltf;
    saving s = {.avatar = avatar, .file = file, .path = path, .clip_count = clip_count};
    s.root = json_deep_copy(file->root);
    s.carried = lope_alloc_zero((size_t)clip_count * sizeof *s.carried);
    s.clips = lope_alloc_zero((size_t)clip_count * sizeof *s.clips);
    s.starts = lope_alloc_zero((size_t)file->buffer_count * sizeof *s.starts);
    lope_status status = s.root && s.carried && s.clips && s.starts ? LOPE_OK : lope_fail_memory(error);
    if (!status && def && def->replace)
        json_object_del(s.root, "animations");
    if (!status)
        status = node_skeleton(&s, error);
    for (int c = 0; c < clip_count && !status; c++)
        status = convert_clip(&s, clips[c], c, error);
    if (!status)
        status = plan_and_write(&s, error);
    for (int c = 0; c < clip_count && s.carried && s.clips; c++) {
        lope_clip_destroy((lope_clip *)(uintptr_t)s.carried[c]);
        lope_clip_destroy((lope_clip *)(uintptr_t)s.clips[c]);
    }
    lope_free((void *)s.carried);
    lope_free((void *)s.clips);
    lope_free(s.starts);
    lope_free(s.extra);
    lope_free(s.node_of);
    lope_free(s.scales);
    lope_skeleton_release(s.nodes);
    json_decref(s.root);
    return status;
}
