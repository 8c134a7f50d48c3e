// SPDX-License-Identifier: MIT
// Chunk images of skeletons and clips. Checksums say that a file is as it was written, not that its writer was
// sane: every count, index and number is checked before it is trusted.
#include "asset/chunks.h"

#include <string.h>

#include "asset/sane.h"
#include "base/error.h"
#include "base/memory.h"
#include "lope/packed.h"

#define SKELETON_VERSION 1u
#define CLIP_VERSION 1u
#define FEET_VERSION 1u
#define PACKED_CHUNK_VERSION 1u

typedef struct skeleton_image {
    uint32_t joint_count;
    uint32_t names_size; // zero-terminated names, one after the other, at the end of the chunk
    int32_t role_source;
    int32_t roles[LOPE_ROLE_COUNT];
    // then int32_t parents[], lope_transform rest[], lope_vec3 tips[], char names[]
} skeleton_image;

typedef struct clip_image {
    uint32_t frame_count;
    uint32_t joint_count;
    double frame_rate;
    uint32_t flags; // lope_clip_flags
    uint32_t name_size;
    uint64_t rotations, root, translations, contacts, name; // offsets in the chunk, multiples of 64
} clip_image;

_Static_assert(sizeof(lope_transform) == 28 && sizeof(lope_quat) == 16, "these are part of the file format");
_Static_assert(sizeof(lope_sole) == 24, "feet are part of the file format");
_Static_assert(sizeof(clip_image) == 64, "the clip header is part of the file format");

// In 64 bits on every machine: what a file says may not fit into fewer.
static uint64_t skeleton_size(uint64_t joints, uint64_t names_size)
{
    uint64_t per_joint = sizeof(int32_t) + sizeof(lope_transform) + sizeof(lope_vec3);
    return sizeof(skeleton_image) + joints * per_joint + names_size;
}

static char *append(char *at, const void *data, size_t size)
{
    memcpy(at, data, size);
    return at + size;
}

static void fill_skeleton(const lope_skeleton *skeleton, size_t names_size, char *at)
{
    size_t n = (size_t)skeleton->joint_count;
    skeleton_image head = {(uint32_t)n, (uint32_t)names_size, (int32_t)skeleton->role_source, {0}};
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        head.roles[r] = skeleton->roles[r];
    at = append(at, &head, sizeof head);
    at = append(at, skeleton->parents, n * sizeof(int32_t));
    at = append(at, skeleton->rest, n * sizeof(lope_transform));
    at = append(at, skeleton->tips, n * sizeof(lope_vec3));
    for (size_t j = 0; j < n; j++)
        at = append(at, skeleton->names[j], strlen(skeleton->names[j]) + 1);
}

lope_status lope_chunk_add_skeleton(lope_container_writer *writer, const lope_skeleton *skeleton, lope_error *error)
{
    size_t names_size = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        names_size += strlen(skeleton->names[j]) + 1;
    size_t size = (size_t)skeleton_size((uint64_t)skeleton->joint_count, names_size);
    char *image = lope_alloc(size);
    if (!image)
        return lope_fail_memory(error);
    fill_skeleton(skeleton, names_size, image);
    lope_status status = lope_container_writer_add(writer, LOPE_CHUNK_SKELETON, SKELETON_VERSION, image, size, error);
    lope_free(image);
    if (!status && skeleton->feet_known)
        status = lope_container_writer_add(writer, LOPE_CHUNK_FEET, FEET_VERSION, skeleton->feet, sizeof skeleton->feet,
                                           error);
    return status;
}

static uint64_t place(uint64_t *end, uint64_t size)
{
    uint64_t at = *end;
    *end = (at + size + 63) & ~(uint64_t)63;
    return at;
}

// Where the arrays of a clip lie in its chunk; the size of the chunk is returned.
static uint64_t lay_out(clip_image *image)
{
    uint64_t frames = image->frame_count, joints = image->joint_count, end = sizeof *image;
    image->rotations = place(&end, frames * joints * sizeof(lope_quat));
    image->root = place(&end, frames * sizeof(lope_vec3));
    image->translations = place(&end, image->flags & LOPE_CLIP_TRANSLATIONS ? frames * joints * sizeof(lope_vec3) : 0);
    image->contacts = place(&end, image->flags & LOPE_CLIP_CONTACTS ? frames * sizeof(uint16_t) : 0);
    image->name = place(&end, image->name_size);
    return image->name + image->name_size;
}

static void fill_clip(const clip_image *image, const lope_clip *clip, char *bytes)
{
    size_t frames = image->frame_count, joints = image->joint_count;
    memcpy(bytes, image, sizeof *image);
    memcpy(bytes + image->rotations, clip->rotations, frames * joints * sizeof *clip->rotations);
    memcpy(bytes + image->root, clip->root, frames * sizeof *clip->root);
    if (clip->translations)
        memcpy(bytes + image->translations, clip->translations, frames * joints * sizeof *clip->translations);
    if (clip->contacts)
        memcpy(bytes + image->contacts, clip->contacts, frames * sizeof *clip->contacts);
    memcpy(bytes + image->name, clip->name, image->name_size);
}

lope_status lope_chunk_add_clip(lope_container_writer *writer, const lope_clip *clip, lope_error *error)
{
    if (clip->packed)
        return lope_container_writer_add(writer, LOPE_CHUNK_PACKED, PACKED_CHUNK_VERSION, clip->packed->bytes,
                                         clip->packed->size, error);
    clip_image image = {.frame_count = (uint32_t)clip->frame_count,
                        .joint_count = (uint32_t)clip->skeleton->joint_count,
                        .frame_rate = clip->frame_rate,
                        .flags = lope_clip_flags_of(clip),
                        .name_size = (uint32_t)strlen(clip->name) + 1};
    size_t size = (size_t)lay_out(&image);
    char *bytes = lope_alloc_zero(size);
    if (!bytes)
        return lope_fail_memory(error);
    fill_clip(&image, clip, bytes);
    lope_status status = lope_container_writer_add(writer, LOPE_CHUNK_CLIP, CLIP_VERSION, bytes, size, error);
    lope_free(bytes);
    return status;
}

static lope_status check_version(const lope_container *container, int index, uint32_t supported, const char *what,
                                 const char *name, lope_error *error)
{
    uint32_t version;
    lope_container_type(container, index, &version);
    if (version != supported)
        return lope_fail_at(error, LOPE_UNSUPPORTED, name, 0, "chunk %d: %s of version %u, this Lope reads version %u",
                            index, what, version, supported);
    return LOPE_OK;
}

// Points `names` at the zero-terminated names in `text`; false when they do not fill it exactly.
static bool split_names(const char *text, size_t size, uint32_t count, const char **names)
{
    const char *end = text + size;
    for (uint32_t j = 0; j < count; j++) {
        const char *zero = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
        if (!zero)
            return false;
        names[j] = text;
        text = zero + 1;
    }
    return text == end;
}

// The feet behind the skeleton in chunk `index`: NULL in files made before feet were kept.
static lope_status find_feet(const lope_container *container, int index, const char *name, const lope_sole **out,
                             lope_error *error)
{
    *out = NULL;
    if (index + 1 >= lope_container_count(container) ||
        lope_container_type(container, index + 1, NULL) != LOPE_CHUNK_FEET)
        return LOPE_OK;
    lope_status status = check_version(container, index + 1, FEET_VERSION, "feet", name, error);
    if (status)
        return status;
    size_t size;
    *out = lope_container_data(container, index + 1, &size);
    if (size != 2 * sizeof **out)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "chunk %d: two feet do not have %zu bytes", index + 1, size);
    return LOPE_OK;
}

// What the chunks of a skeleton hold.
typedef struct skeleton_parts {
    const skeleton_image *image;
    const char *arrays;
    const lope_sole *feet; // NULL: not known
    const char **names;    // [joint_count] to be filled
} skeleton_parts;

static lope_status build_skeleton(const skeleton_parts *parts, const char *name, lope_skeleton **out, lope_error *error)
{
    const skeleton_image *image = parts->image;
    const char *arrays = parts->arrays, **names = parts->names;
    size_t n = image->joint_count;
    const char *rest = arrays + n * sizeof(int32_t), *tips = rest + n * sizeof(lope_transform);
    lope_skeleton_def def = {.joint_count = (int)n,
                             .names = names,
                             .parents = (const int *)(const void *)arrays,
                             .rest = (const lope_transform *)(const void *)rest,
                             .tips = (const lope_vec3 *)(const void *)tips,
                             .roles = image->roles,
                             .feet = parts->feet};
    if (!split_names(tips + n * sizeof(lope_vec3), image->names_size, image->joint_count, names))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "a skeleton's %zu names do not fit their %u bytes", n,
                            image->names_size);
    lope_status status = lope_skeleton_create(&def, out, error);
    if (status == LOPE_OK && image->role_source >= LOPE_ROLES_NONE && image->role_source <= LOPE_ROLES_GIVEN)
        (*out)->role_source = (lope_role_source)image->role_source;
    return status;
}

lope_status lope_chunk_read_skeleton(const lope_container *container, int index, const char *name, lope_skeleton **out,
                                     lope_error *error)
{
    *out = NULL;
    lope_status status = check_version(container, index, SKELETON_VERSION, "a skeleton", name, error);
    if (status)
        return status;
    size_t size;
    const char *bytes = lope_container_data(container, index, &size);
    skeleton_image image = {0};
    if (size >= sizeof image)
        memcpy(&image, bytes, sizeof image);
    if (image.joint_count == 0 || image.joint_count > LOPE_MAX_JOINTS ||
        size != skeleton_size(image.joint_count, image.names_size))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "chunk %d: a skeleton of %u joints does not have %zu bytes",
                            index, image.joint_count, size);
    skeleton_parts parts = {.image = &image, .arrays = bytes + sizeof image};
    status = find_feet(container, index, name, &parts.feet, error);
    if (status)
        return status;
    parts.names = lope_alloc_array(image.joint_count, sizeof *parts.names);
    if (!parts.names)
        return lope_fail_memory(error);
    status = build_skeleton(&parts, name, out, error);
    lope_free((void *)parts.names);
    return status;
}

// The loops have no branch per value, so that checking costs less than reading the file did.
static bool are_unit(const char *bytes, size_t count)
{
    const lope_quat *rotations = (const lope_quat *)(const void *)bytes;
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= fabsf(lope_quat_dot(rotations[i], rotations[i]) - 1.0f) < 0.01f; // false for what is not finite
    return good;
}

static bool are_near(const char *bytes, size_t count)
{
    const float *coordinates = (const float *)(const void *)bytes;
    bool good = true;
    for (size_t i = 0; i < 3 * count; i++)
        good &= fabsf(coordinates[i]) <= LOPE_MAX_DISTANCE;
    return good;
}

static lope_status check_clip(const clip_image *image, const char *bytes, size_t size, int index, const char *name,
                              lope_error *error)
{
    clip_image expected = *image;
    if (image->frame_count == 0 || image->frame_count > SANE_FRAMES || image->name_size == 0 ||
        lay_out(&expected) != size || memcmp(&expected, image, sizeof expected) != 0 || bytes[size - 1] != 0)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "chunk %d: a clip of %u frames does not have %zu bytes",
                            index, image->frame_count, size);
    if (!sane_rate(image->frame_rate))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "chunk %d: a clip's frame rate is %g", index,
                            image->frame_rate);
    size_t frames = image->frame_count, values = frames * image->joint_count;
    bool moving = image->flags & LOPE_CLIP_TRANSLATIONS;
    if (!are_unit(bytes + image->rotations, values))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0,
                            "chunk %d: a clip's rotations are not finite, or no rotations", index);
    if (!are_near(bytes + image->root, frames) || (moving && !are_near(bytes + image->translations, values)))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "chunk %d: a clip's places are not finite, or too far",
                            index);
    return LOPE_OK;
}

// A clip whose arrays are those of the image; read-only by contract, hence the cast.
static void attach_clip(lope_clip *clip, const clip_image *image, const char *bytes, const lope_skeleton *skeleton)
{
    char *arrays = (char *)(uintptr_t)bytes;
    clip->skeleton = lope_skeleton_retain(skeleton);
    clip->name = arrays + image->name;
    clip->frame_count = (int)image->frame_count;
    clip->frame_rate = image->frame_rate;
    clip->rotations = (lope_quat *)(void *)(arrays + image->rotations);
    clip->root = (lope_vec3 *)(void *)(arrays + image->root);
    if (image->flags & LOPE_CLIP_TRANSLATIONS)
        clip->translations = (lope_vec3 *)(void *)(arrays + image->translations);
    if (image->flags & LOPE_CLIP_CONTACTS)
        clip->contacts = (uint16_t *)(void *)(arrays + image->contacts);
}

bool lope_chunk_is_clip(const lope_container *container, int index)
{
    uint32_t type = lope_container_type(container, index, NULL);
    return type == LOPE_CHUNK_CLIP || type == LOPE_CHUNK_PACKED;
}

static lope_status read_packed(const lope_container *container, int index, const lope_skeleton *skeleton,
                               const char *name, lope_clip **out, lope_error *error)
{
    lope_status status = check_version(container, index, PACKED_CHUNK_VERSION, "a packed clip", name, error);
    if (status)
        return status;
    size_t size;
    const void *bytes = lope_container_data(container, index, &size);
    lope_packed *packed;
    status = lope_packed_create(skeleton, bytes, size, name, &packed, error);
    if (status)
        return status;
    status = lope_packed_unpack(packed, out, error);
    if (status)
        lope_packed_destroy(packed);
    else
        (*out)->packed = packed;
    return status;
}

lope_status lope_chunk_read_clip(const lope_container *container, int index, const lope_skeleton *skeleton,
                                 const char *name, lope_clip **out, lope_error *error)
{
    *out = NULL;
    if (lope_container_type(container, index, NULL) == LOPE_CHUNK_PACKED)
        return read_packed(container, index, skeleton, name, out, error);
    lope_status status = check_version(container, index, CLIP_VERSION, "a clip", name, error);
    if (status)
        return status;
    size_t size;
    const char *bytes = lope_container_data(container, index, &size);
    clip_image image = {0};
    if (size >= sizeof image)
        memcpy(&image, bytes, sizeof image);
    if (image.joint_count != (uint32_t)skeleton->joint_count)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "chunk %d: a clip of %u joints on a skeleton of %d", index,
                            image.joint_count, skeleton->joint_count);
    status = check_clip(&image, bytes, size, index, name, error);
    if (status)
        return status;
    lope_clip *clip = lope_alloc_zero(sizeof *clip);
    if (!clip)
        return lope_fail_memory(error);
    attach_clip(clip, &image, bytes, skeleton);
    *out = clip;
    return LOPE_OK;
}
