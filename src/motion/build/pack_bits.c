// SPDX-License-Identifier: MIT
// The bytes of a packed segment: how wide each field has to be, and the fields.
#include "base/memory.h"
#include "motion/build/pack.h"

// Bits that hold every signed number from `least` to `most`, which include 0.
static unsigned width_of(int64_t least, int64_t most)
{
    unsigned width = 0;
    while (least < -((int64_t)1 << width) / 2 || most > ((int64_t)1 << width) / 2 - (width > 0))
        width++;
    return width;
}

typedef struct extent {
    int64_t least, most;
} extent;

static void include(extent *e, int64_t number)
{
    e->least = number < e->least ? number : e->least;
    e->most = number > e->most ? number : e->most;
}

// What frame `f` differs by from the mean of those `gap` before and after it.
static int32_t residue(const int32_t *numbers, int f, int gap)
{
    return numbers[f] - ((numbers[f - gap] + numbers[f + gap]) >> 1);
}

typedef struct field_widths {
    unsigned key, middle, other;
} field_widths;

static field_widths find_widths(const int32_t *numbers, int frame_count)
{
    extent key = {0, 0}, middle = {0, 0}, other = {0, 0};
    for (int f = 0; f < frame_count; f += 4)
        include(&key, numbers[f]);
    for (int f = 0; f + 4 < frame_count; f += 4) {
        include(&middle, residue(numbers, f + 2, 2));
        include(&other, residue(numbers, f + 1, 1));
        include(&other, residue(numbers, f + 3, 1));
    }
    return (field_widths){width_of(key.least, key.most), width_of(middle.least, middle.most),
                          width_of(other.least, other.most)};
}

static bool track_fits(const pack_numbers *numbers, int frame_count)
{
    unsigned keys = 0, middles = 0, others = 0;
    bool fit = true;
    for (int c = 0; c < 3; c++) {
        field_widths w = find_widths(numbers->of[c], frame_count);
        fit = fit && w.key <= PACKED_WIDTH && w.middle <= PACKED_WIDTH && w.other <= PACKED_WIDTH;
        keys += w.key;
        middles += w.middle;
        others += w.other;
    }
    return fit && keys <= PACKED_LOAD && middles <= PACKED_LOAD && others <= PACKED_LOAD;
}

bool pack_fits(const pack_segment *segment)
{
    bool fit = track_fits(&segment->place, segment->frame_count);
    for (int j = 0; j < segment->skeleton->joint_count && fit; j++)
        fit = track_fits(&segment->joints[j].numbers, segment->frame_count);
    return fit;
}

// Where bits are written to.
typedef struct bit_writer {
    unsigned char *bytes;
    uint64_t at;
} bit_writer;

static void put(bit_writer *writer, int32_t number, unsigned width)
{
    for (unsigned b = 0; b < width; b++, writer->at++)
        if ((uint32_t)number >> b & 1)
            writer->bytes[writer->at >> 3] |= (unsigned char)(1u << (writer->at & 7));
}

// All numbers of a segment, with their widths: those of the root's place, then three of each joint.
typedef struct column {
    const int32_t *numbers;
    field_widths widths;
} column;

static column column_of(const pack_segment *segment, int index)
{
    const int32_t *numbers =
        index < 3 ? segment->place.of[index] : segment->joints[index / 3 - 1].numbers.of[index % 3];
    return (column){numbers, find_widths(numbers, segment->frame_count)};
}

// The residues of a track, whose three columns these are: of the middle frame, then of the two others.
static void put_residues(bit_writer *writer, const column track[3], int f)
{
    for (int c = 0; c < 3; c++)
        put(writer, residue(track[c].numbers, f + 2, 2), track[c].widths.middle);
    for (int c = 0; c < 3; c++)
        put(writer, residue(track[c].numbers, f + 1, 1), track[c].widths.other);
    for (int c = 0; c < 3; c++)
        put(writer, residue(track[c].numbers, f + 3, 1), track[c].widths.other);
}

static void put_quads(const pack_segment *segment, const column *columns, int count, unsigned char *bytes)
{
    bit_writer writer = {bytes, 0};
    for (int f = 0; f < segment->frame_count; f += 4) {
        for (int i = 0; i < count; i++)
            put(&writer, columns[i].numbers[f], columns[i].widths.key);
        for (int i = 0; i < count && f + 4 < segment->frame_count; i += 3)
            put_residues(&writer, columns + i, f);
    }
}

static uint16_t widths_in_file(field_widths w)
{
    return (uint16_t)(w.key | w.middle << 5 | w.other << 10);
}

static void fill_header(const pack_segment *segment, const column *columns, packed_segment *head, packed_track *tracks)
{
    for (int c = 0; c < 3; c++) {
        head->place[c] = segment->place_centre[c];
        head->widths[c] = widths_in_file(columns[c].widths);
    }
    head->step = (uint16_t)segment->place_step;
    for (int j = 0; j < segment->skeleton->joint_count; j++) {
        const pack_joint *joint = &segment->joints[j];
        tracks[j].step = (uint16_t)joint->step;
        for (int c = 0; c < 3; c++) {
            tracks[j].centre[c] = joint->centre[c];
            tracks[j].widths[c] = widths_in_file(columns[3 + 3 * j + c].widths);
        }
    }
}

size_t pack_write(const pack_segment *segment, unsigned char *bytes)
{
    int joints = segment->skeleton->joint_count, count = 3 + 3 * joints;
    column *columns = lope_alloc_array((size_t)count, sizeof *columns);
    if (!columns)
        return 0;
    packed_segment head = {0};
    for (int i = 0; i < count; i++) {
        columns[i] = column_of(segment, i);
        head.key_bits += columns[i].widths.key;
        head.residue_bits += columns[i].widths.middle + 2u * columns[i].widths.other;
    }
    size_t size = (size_t)packed_segment_bytes((uint32_t)joints, (uint32_t)(segment->frame_count - 1) / 4,
                                               head.key_bits, head.residue_bits);
    if (bytes) {
        memset(bytes, 0, size);
        packed_track *tracks = (packed_track *)(void *)(bytes + sizeof head);
        fill_header(segment, columns, &head, tracks);
        memcpy(bytes, &head, sizeof head);
        put_quads(segment, columns, count, (unsigned char *)(tracks + joints));
    }
    lope_free(columns);
    return size;
}
