// SPDX-License-Identifier: MIT
// Opening packed clips. Sampling reads where these bytes say, without looking: so everything that becomes an offset, a
// width or a step is checked here, and numbers that could become something other than a place or a rotation.
#include "base/error.h"
#include "base/memory.h"
#include "motion/packed.h"

#define MOST_FRAMES (1u << 28)
#define LARGEST_CONTACT (1u << LOPE_CONTACT_COUNT)

// What is wrong with the bytes; NULL: nothing.
static const char *check_layout(const packed_image *image, size_t size, const lope_skeleton *skeleton)
{
    if (image->version != PACKED_VERSION)
        return "its version is unknown";
    if (image->joint_count != (uint32_t)skeleton->joint_count)
        return "it has another number of joints than the skeleton";
    if (image->frame_count == 0 || image->frame_count > MOST_FRAMES)
        return "its number of frames is impossible";
    if (!(image->frame_rate >= LOPE_MIN_FRAME_RATE && image->frame_rate <= LOPE_MAX_FRAME_RATE))
        return "its frame rate is impossible";
    if (!(image->error > 0.0f && image->error <= 1.0f))
        return "its error is impossible";
    uint64_t segments = sizeof *image, runs = segments + 4 * ((uint64_t)image->segment_count + 1);
    uint64_t name = runs + (uint64_t)image->run_count * sizeof(packed_run);
    uint64_t motion = (name + image->name_size + 3) & ~(uint64_t)3;
    if (image->segment_count != packed_segments(image->frame_count) || image->segments != segments ||
        image->runs != runs || image->name != name || image->motion != motion || image->size != size ||
        motion + PACKED_PADDING > size)
        return "its parts do not lie where they should";
    return image->name_size && ((const char *)image)[name + image->name_size - 1] == 0 ? NULL : "its name has no end";
}

static const char *check_runs(const packed_image *image)
{
    const packed_run *runs = (const packed_run *)(const void *)((const char *)image + image->runs);
    if (!image->has_contacts != !image->run_count || image->run_count > image->frame_count)
        return "its contacts do not fit its frames";
    for (uint32_t i = 0; i < image->run_count; i++)
        if (runs[i].first >= image->frame_count || (i == 0 ? runs[i].first != 0 : runs[i].first <= runs[i - 1].first) ||
            runs[i].contacts >= LARGEST_CONTACT)
            return "its contacts are out of order";
    return NULL;
}

static bool check_widths(const uint16_t widths[3], uint64_t *keys, uint64_t *residues)
{
    bool good = true;
    for (int kind = 0; kind < 3; kind++) {
        for (int c = 0; c < 3; c++)
            good = good && (widths[c] >> 5 * kind & 31) <= PACKED_WIDTH;
        good = good && packed_kind(widths, kind) <= PACKED_LOAD;
    }
    *keys += packed_kind(widths, 0);
    *residues += packed_kind(widths, 1) + 2 * packed_kind(widths, 2);
    return good && (widths[0] | widths[1] | widths[2]) < 1 << 15;
}

static bool check_root(const packed_segment *segment, uint64_t *keys, uint64_t *residues)
{
    if (segment->step > PACKED_MAX_STEP || !check_widths(segment->widths, keys, residues))
        return false;
    float farthest = packed_step(segment->step) * (float)(1 << (PACKED_WIDTH + 1));
    bool good = true;
    for (int c = 0; c < 3; c++)
        good = good && fabsf(segment->place[c]) + farthest <= LOPE_MAX_DISTANCE;
    return good;
}

static bool check_track(const packed_track *track, uint64_t *keys, uint64_t *residues)
{
    float length = 0.0f;
    for (int c = 0; c < 3; c++)
        length += (float)track->centre[c] * (float)track->centre[c];
    return track->step <= PACKED_MAX_STEP && length <= 1.001f * PACKED_CENTRE * PACKED_CENTRE &&
           check_widths(track->widths, keys, residues);
}

static const char *check_segment(const packed_image *image, uint32_t index, uint32_t from, uint32_t to)
{
    const packed_segment *segment = (const packed_segment *)(const void *)((const char *)image + from);
    if ((uint64_t)to - from < packed_segment_bytes(image->joint_count, 0, 0, 0))
        return "a segment is too short";
    uint64_t keys = 0, residues = 0;
    bool good = check_root(segment, &keys, &residues);
    const packed_track *tracks = (const packed_track *)(const void *)(segment + 1);
    for (uint32_t j = 0; j < image->joint_count && good; j++)
        good = check_track(&tracks[j], &keys, &residues);
    if (!good || keys != segment->key_bits || residues != segment->residue_bits)
        return "widths, steps or middles of a segment are impossible";
    uint64_t bytes = packed_segment_bytes(image->joint_count, packed_quads(image->frame_count, index),
                                          segment->key_bits, segment->residue_bits);
    return bytes == (uint64_t)to - from ? NULL : "a segment has another size than its widths say";
}

static const char *check_segments(const packed_image *image)
{
    const uint32_t *at = (const uint32_t *)(const void *)((const char *)image + image->segments);
    uint64_t end = image->size - PACKED_PADDING;
    if (at[0] != image->motion || at[image->segment_count] != end)
        return "its motion does not fill it";
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const char *wrong = at[i + 1] <= at[i] || at[i + 1] > end || at[i] % 4
                                ? "segments are out of order"
                                : check_segment(image, i, at[i], at[i + 1]);
        if (wrong)
            return wrong;
    }
    return NULL;
}

lope_status lope_packed_create(const lope_skeleton *skeleton, const void *bytes, size_t size, const char *file,
                               lope_packed **out, lope_error *error)
{
    *out = NULL;
    const packed_image *image = bytes;
    const char *wrong = size < sizeof *image ? "it is too short" : check_layout(image, size, skeleton);
    if (!wrong)
        wrong = check_runs(image);
    if (!wrong)
        wrong = check_segments(image);
    if (wrong)
        return lope_fail_at(error, LOPE_BAD_DATA, file, 0, "no packed clip: %s", wrong);
    lope_packed *packed = lope_alloc_zero(sizeof *packed);
    if (!packed)
        return lope_fail_memory(error);
    *packed = (lope_packed){lope_skeleton_retain(skeleton),
                            (const char *)bytes + image->name,
                            (int)image->frame_count,
                            image->frame_rate,
                            image->error,
                            bytes,
                            size,
                            NULL};
    *out = packed;
    return LOPE_OK;
}
