// SPDX-License-Identifier: MIT
// Sampling packed clips where they lie. Bits are read one number after the other, which leaves the time until the next
// load to the arithmetic of the last; quaternions are made of whole runs of joints, so that the compiler can use
// vectors.
#include "motion/packed.h"

#include <assert.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/wide.h"
#include "motion/pose_kernels.h"

#define BLOCK 64 // joints that are worked on at once, on the stack

// Where the numbers of one moment lie.
typedef struct moment_bits {
    const packed_segment *segment;
    const unsigned char *bytes;
    uint64_t key, next, residue; // bits: the keys before and after, the residues
    int slot;                    // of the quad: 0 to 3
    float t;                     // from there to the next frame, 0 to 1
} moment_bits;

static const packed_image *image_of(const lope_packed *packed)
{
    return packed->bytes;
}

static const uint32_t *segment_offsets(const packed_image *image)
{
    return (const uint32_t *)(const void *)((const char *)image + image->segments);
}

static const packed_track *tracks_of(const packed_segment *segment)
{
    return (const packed_track *)(const void *)(segment + 1);
}

// Frame `frame` and the way to the next one.
static moment_bits find_bits(const packed_image *image, uint32_t frame, float t)
{
    uint32_t index = frame / PACKED_FRAMES;
    if (index >= image->segment_count)
        index = image->segment_count - 1;
    const packed_segment *segment =
        (const packed_segment *)(const void *)((const char *)image + segment_offsets(image)[index]);
    uint32_t local = frame - index * PACKED_FRAMES, quads = packed_quads(image->frame_count, index), quad = local / 4;
    moment_bits bits = {.segment = segment, .slot = (int)(local % 4), .t = t};
    if (quad == quads) { // the last frame of the last segment
        quad--;
        bits.slot = 3;
        bits.t = 1.0f;
    }
    bits.bytes = (const unsigned char *)(tracks_of(segment) + image->joint_count);
    uint64_t step = (uint64_t)segment->key_bits + segment->residue_bits;
    bits.key = quad * step;
    bits.residue = bits.key + segment->key_bits;
    bits.next = bits.key + step;
    return bits;
}

static inline uint64_t load_bits(const unsigned char *bytes, uint64_t at)
{
    uint64_t word;
    memcpy(&word, bytes + (at >> 3), sizeof word);
    return word >> (at & 7);
}

// A run of joints: the fields of each number as they lie in the bits, then what they make. First all x, then y, z.
typedef struct joint_numbers {
    uint32_t widths[3 * BLOCK]; // as in packed_track
    uint32_t first[3 * BLOCK], last[3 * BLOCK], middle[3 * BLOCK], other[3 * BLOCK];
    float step[BLOCK];       // of a track
    float value[3 * BLOCK];  // from the middle
    float centre[3 * BLOCK]; // the middle
} joint_numbers;

static inline uint32_t low_bits(uint64_t word, unsigned width)
{
    return (uint32_t)(word & ((1ull << width) - 1));
}

// The words that the next fields of a track begin in.
typedef struct track_words {
    uint64_t first, last, middle, other;
} track_words;

// The fields of number `i`, which are taken from the words.
LOPE_INLINE void read_number(track_words *words, unsigned widths, int i, joint_numbers *out)
{
    unsigned key = widths & 31, middle = widths >> 5 & 31, other = widths >> 10 & 31;
    out->widths[i] = widths;
    out->first[i] = low_bits(words->first, key);
    out->last[i] = low_bits(words->last, key);
    out->middle[i] = low_bits(words->middle, middle);
    out->other[i] = low_bits(words->other, other);
    words->first >>= key;
    words->last >>= key;
    words->middle >>= middle;
    words->other >>= other;
}

// The three numbers of track `j`. Fields of a kind fit one load (PACKED_LOAD).
LOPE_INLINE void read_track(moment_bits *bits, const uint16_t widths[3], int j, joint_numbers *out)
{
    unsigned keys = packed_kind(widths, 0), middles = packed_kind(widths, 1), others = packed_kind(widths, 2);
    track_words words = {load_bits(bits->bytes, bits->key), load_bits(bits->bytes, bits->next),
                         load_bits(bits->bytes, bits->residue),
                         load_bits(bits->bytes, bits->residue + middles + (bits->slot >= 2 ? others : 0))};
    read_number(&words, widths[0], j, out);
    read_number(&words, widths[1], BLOCK + j, out);
    read_number(&words, widths[2], 2 * BLOCK + j, out);
    bits->key += keys;
    bits->next += keys;
    bits->residue += middles + 2 * others;
}

LOPE_WIDE static void read_joints(moment_bits *at, const packed_track *tracks, int count, joint_numbers *out)
{
    moment_bits bits = *at;
    for (int j = 0; j < count; j++) {
        out->step[j] = packed_step(tracks[j].step);
        for (int c = 0; c < 3; c++)
            out->centre[c * BLOCK + j] = (float)tracks[j].centre[c];
        read_track(&bits, tracks[j].widths, j, out);
    }
    *at = bits;
}

// A signed number of so many bits.
static inline int32_t to_signed(uint32_t field, uint32_t width)
{
    uint32_t sign = (1u << width) >> 1;
    return (int32_t)((field ^ sign) - sign);
}

// What the fields make: the frame before and the one after, and what is between.
LOPE_INLINE float between(const joint_numbers *n, int i, int slot, float t)
{
    uint32_t widths = n->widths[i];
    int32_t first = to_signed(n->first[i], widths & 31), last = to_signed(n->last[i], widths & 31);
    int32_t middle = ((first + last) >> 1) + to_signed(n->middle[i], widths >> 5 & 31);
    int32_t before = slot >= 2 ? middle : first, after = slot >= 2 ? last : middle;
    int32_t other = ((before + after) >> 1) + to_signed(n->other[i], widths >> 10 & 31);
    int32_t a = slot & 1 ? other : before, b = slot & 1 ? after : other;
    return (float)a + (float)(b - a) * t;
}

LOPE_INLINE void find_slot(joint_numbers *numbers, int count, int slot, float t)
{
    for (int c = 0; c < 3; c++)
        for (int j = 0; j < count; j++)
            numbers->value[c * BLOCK + j] = between(numbers, c * BLOCK + j, slot, t) * numbers->step[j];
}

LOPE_WIDE static void find_values(const moment_bits *bits, int count, joint_numbers *numbers)
{
    if (bits->slot == 0)
        find_slot(numbers, count, 0, bits->t);
    else if (bits->slot == 1)
        find_slot(numbers, count, 1, bits->t);
    else if (bits->slot == 2)
        find_slot(numbers, count, 2, bits->t);
    else
        find_slot(numbers, count, 3, bits->t);
}

static lope_vec3 sample_root(moment_bits *bits)
{
    const packed_segment *segment = bits->segment;
    joint_numbers numbers;
    numbers.step[0] = packed_step(segment->step);
    read_track(bits, segment->widths, 0, &numbers);
    find_values(bits, 1, &numbers);
    const float *place = segment->place, *v = numbers.value;
    return (lope_vec3){place[0] + v[0], place[1] + v[BLOCK], place[2] + v[2 * BLOCK]};
}

// packed_rotation of each.
LOPE_WIDE static void turn_joints(const joint_numbers *numbers, int count, lope_quat *out)
{
    float turned[4][BLOCK];
    const float *c = numbers->centre, *v = numbers->value;
    for (int j = 0; j < count; j++) {
        lope_quat q = packed_rotation(packed_centre(c[j], c[BLOCK + j], c[2 * BLOCK + j]),
                                      (lope_vec3){v[j], v[BLOCK + j], v[2 * BLOCK + j]});
        turned[0][j] = q.x;
        turned[1][j] = q.y;
        turned[2][j] = q.z;
        turned[3][j] = q.w;
    }
    for (int j = 0; j < count; j++)
        out[j] = (lope_quat){turned[0][j], turned[1][j], turned[2][j], turned[3][j]};
}

static void sample_joints(moment_bits *bits, const packed_track *tracks, int count, lope_quat *out)
{
    joint_numbers numbers;
    read_joints(bits, tracks, count, &numbers);
    find_values(bits, count, &numbers);
    turn_joints(&numbers, count, out);
}

static void sample_bits(moment_bits *bits, int joint_count, lope_vec3 *root, lope_quat *rotations)
{
    *root = sample_root(bits);
    const packed_track *tracks = tracks_of(bits->segment);
    for (int first = 0; first < joint_count; first += BLOCK) {
        int count = joint_count - first < BLOCK ? joint_count - first : BLOCK;
        sample_joints(bits, tracks + first, count, rotations + first);
    }
}

static moment_bits find_time(const lope_packed *packed, double time)
{
    double at = time * packed->frame_rate;
    int last = packed->frame_count - 1;
    if (!(at > 0.0)) // NaN as well
        return find_bits(packed->bytes, 0, 0.0f);
    if (at >= (double)last)
        return find_bits(packed->bytes, (uint32_t)last, 0.0f);
    return find_bits(packed->bytes, (uint32_t)at, (float)(at - (double)(uint32_t)at));
}

void lope_packed_sample(const lope_packed *packed, double time, lope_pose *out)
{
    moment_bits bits = find_time(packed, time);
    const lope_skeleton *skeleton = packed->skeleton;
    out->joint_count = skeleton->joint_count;
    sample_bits(&bits, skeleton->joint_count, &out->root, out->rotations);
    if (!out->translations)
        return;
    for (int j = 1; j < skeleton->joint_count; j++)
        out->translations[j] = skeleton->rest[j].translation;
    out->translations[0] = out->root;
}

void lope_packed_sample_many(const lope_skeleton *skeleton, const lope_packed_request *requests, int count,
                             lope_transform *models)
{
    const pose_kernels *kernels = lope_kernels_best();
    int joints = skeleton->joint_count;
    for (int i = 0; i < count; i++) {
        assert(requests[i].packed->skeleton->joint_count == joints);
        moment_bits bits = find_time(requests[i].packed, requests[i].time);
        lope_vec3 root = sample_root(&bits);
        const packed_track *tracks = tracks_of(bits.segment);
        lope_transform *out = models + (size_t)i * (size_t)joints;
        for (int first = 0; first < joints; first += BLOCK) {
            lope_quat rotations[BLOCK];
            int end = joints - first < BLOCK ? joints : first + BLOCK;
            sample_joints(&bits, tracks + first, end - first, rotations);
            kernels->to_model(skeleton, first, end, root, rotations, NULL, out);
        }
    }
}

static const packed_run *runs_of(const packed_image *image)
{
    return (const packed_run *)(const void *)((const char *)image + image->runs);
}

static void unpack_contacts(const packed_image *image, uint16_t *contacts)
{
    const packed_run *runs = runs_of(image);
    for (uint32_t i = 0; i < image->run_count; i++) {
        uint32_t end = i + 1 < image->run_count ? runs[i + 1].first : image->frame_count;
        for (uint32_t f = runs[i].first; f < end; f++)
            contacts[f] = (uint16_t)runs[i].contacts;
    }
}

lope_status lope_packed_unpack(const lope_packed *packed, lope_clip **out, lope_error *error)
{
    const packed_image *image = image_of(packed);
    unsigned flags = image->has_contacts ? LOPE_CLIP_CONTACTS : 0;
    lope_status status =
        lope_clip_create(packed->skeleton, packed->name, packed->frame_count, packed->frame_rate, flags, out, error);
    if (status)
        return status;
    size_t joints = image->joint_count;
    for (uint32_t f = 0; f < image->frame_count; f++) {
        moment_bits bits = find_bits(image, f, 0.0f);
        sample_bits(&bits, (int)joints, &(*out)->root[f], (*out)->rotations + f * joints);
    }
    lope_clip_align_quaternions(*out);
    if (image->has_contacts)
        unpack_contacts(image, (*out)->contacts);
    return LOPE_OK;
}

void lope_packed_destroy(lope_packed *packed)
{
    if (!packed)
        return;
    lope_skeleton_release(packed->skeleton);
    lope_free(packed->storage);
    lope_free(packed);
}
