// SPDX-License-Identifier: MIT
// Clips to BVH files. Rotations are written in the order Z, X, Y.
//
// The angles come from the half-angle form of the quaternion: with q = qz qx qy, the pairs (w + x, z + y) and
// (w - x, z - y) are (cos, sin) of (z + y) / 2 and (z - y) / 2, stretched by cos(x/2) + sin(x/2) and
// cos(x/2) - sin(x/2). Nothing is divided and no asin is taken, so that a raised arm at x = 90 degrees loses no digits.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "lope/bvh.h"
#include "motion/joints.h"

#define ANGLE_DECIMALS 5
#define LONGEST_NUMBER 32

typedef struct writer {
    const lope_clip *clip;
    const char *path;
    lope_file_writer file;
    double units_per_metre;
    int position_decimals; // to a micrometre
    bool *moving;          // [joint_count] joints besides the root with position channels
    int *first_child;      // [joint_count] or -1
    int *next_sibling;     // [joint_count] or -1
    char *line;            // room for one frame
} writer;

typedef struct euler {
    double z, x, y; // degrees
} euler;

static double wrap_degrees(double angle)
{
    return angle > 180.0 ? angle - 360.0 : angle <= -180.0 ? angle + 360.0 : angle;
}

static euler euler_from_quat(lope_quat q)
{
    const double degrees = 180.0 / LOPE_PI;
    double sum_s = (double)q.z + (double)q.y, sum_c = (double)q.w + (double)q.x;
    double difference_s = (double)q.z - (double)q.y, difference_c = (double)q.w - (double)q.x;
    double plus = sqrt(sum_s * sum_s + sum_c * sum_c);
    double minus = sqrt(difference_s * difference_s + difference_c * difference_c);
    // At x = +-90 degrees one pair vanishes: only the other angle is determined, and the vanished one may be zero.
    double half_sum = plus > 1e-12 ? lope_atan2(sum_s, sum_c) : 0.0;
    double half_difference = minus > 1e-12 ? lope_atan2(difference_s, difference_c) : 0.0;
    return (euler){wrap_degrees((half_sum + half_difference) * degrees), 2.0 * lope_atan2(plus, minus) * degrees - 90.0,
                   wrap_degrees((half_sum - half_difference) * degrees)};
}

static const double powers_of_ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

// Two digits at a time.
static const char digit_pairs[201] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                     "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                     "8081828384858687888990919293949596979899";

// Writes a number with a fixed number of decimals and no more than that. |value| * 10^decimals must fit in 63 bits.
static char *put_number(char *at, double value, int decimals)
{
    int64_t scaled = (int64_t)(value * powers_of_ten[decimals] + (value < 0.0 ? -0.5 : 0.5));
    if (scaled == 0) {
        *at++ = '0';
        return at;
    }
    if (scaled < 0)
        *at++ = '-';
    uint64_t left = scaled < 0 ? 0 - (uint64_t)scaled : (uint64_t)scaled;
    char digits[LONGEST_NUMBER];
    char *end = digits + sizeof digits, *start = end;
    while (left >= 100) {
        start -= 2;
        memcpy(start, digit_pairs + left % 100 * 2, 2);
        left /= 100;
    }
    start -= 2;
    memcpy(start, digit_pairs + left * 2, 2);
    start += *start == '0';
    while (end - start <= decimals)
        *--start = '0';
    size_t whole = (size_t)(end - start) - (size_t)decimals;
    memcpy(at, start, whole);
    at += whole;
    if (decimals == 0)
        return at;
    *at++ = '.';
    memcpy(at, start + whole, (size_t)decimals);
    return at + decimals;
}

static char *put_vector(const writer *w, char *at, lope_vec3 v)
{
    const float parts[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        at = put_number(at, (double)parts[i] * w->units_per_metre, w->position_decimals);
        *at++ = ' ';
    }
    return at;
}

static char *put_rotation(char *at, lope_quat q)
{
    euler e = euler_from_quat(q);
    const double parts[3] = {e.z, e.x, e.y};
    for (int i = 0; i < 3; i++) {
        at = put_number(at, parts[i], ANGLE_DECIMALS);
        *at++ = ' ';
    }
    return at;
}

static bool writable(const writer *w, lope_vec3 v)
{
    double limit = 1e9 / w->units_per_metre; // what readers take
    return fabs((double)v.x) <= limit && fabs((double)v.y) <= limit && fabs((double)v.z) <= limit;
}

static bool writable_rotation(lope_quat q)
{
    float square = lope_quat_dot(q, q);
    return square > 0.5f && square < 2.0f;
}

static lope_status check_frame(const writer *w, int frame, lope_error *error)
{
    const lope_clip *clip = w->clip;
    int joints = clip->skeleton->joint_count;
    const lope_quat *rotations = clip->rotations + (size_t)frame * (size_t)joints;
    const lope_vec3 *translations = clip->translations ? clip->translations + (size_t)frame * (size_t)joints : NULL;
    for (int j = 0; j < joints; j++) {
        bool position_is_fine = j == 0 ? writable(w, clip->root[frame]) : !translations || writable(w, translations[j]);
        if (!position_is_fine || !writable_rotation(rotations[j]))
            return lope_fail_at(error, LOPE_BAD_DATA, w->path, 0,
                                "cannot write frame %d: joint '%s' has a %s that is not finite or out of range", frame,
                                clip->skeleton->names[j], position_is_fine ? "rotation" : "translation");
    }
    return LOPE_OK;
}

static void indent(writer *w, int depth)
{
    for (int i = 0; i < depth; i++)
        lope_file_write(&w->file, "\t", 1);
}

static void write_text(writer *w, int depth, const char *text)
{
    indent(w, depth);
    lope_file_write(&w->file, text, strlen(text));
}

static void write_offset(writer *w, int depth, lope_vec3 offset)
{
    char text[3 * LONGEST_NUMBER];
    char *end = put_vector(w, text, offset);
    end[-1] = '\n';
    write_text(w, depth, "OFFSET ");
    lope_file_write(&w->file, text, (size_t)(end - text));
}

static bool has_position(const writer *w, int joint)
{
    return joint == 0 || w->moving[joint];
}

static void open_joint(writer *w, int joint, int depth)
{
    const lope_skeleton *skeleton = w->clip->skeleton;
    write_text(w, depth, joint == 0 ? "ROOT " : "JOINT ");
    write_text(w, 0, skeleton->names[joint]);
    write_text(w, 0, "\n");
    write_text(w, depth, "{\n");
    // Some readers add position channels to the offset (three.js), others take them instead (Blender): with an offset
    // of zero both arrive at the same place.
    write_offset(w, depth + 1, has_position(w, joint) ? lope_v3(0.0f, 0.0f, 0.0f) : skeleton->rest[joint].translation);
    write_text(w, depth + 1,
               has_position(w, joint) ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                                      : "CHANNELS 3 Zrotation Xrotation Yrotation\n");
    lope_vec3 tip = skeleton->tips[joint];
    if (w->first_child[joint] < 0 || lope_v3_length(tip) > 0.0f) {
        write_text(w, depth + 1, "End Site\n");
        write_text(w, depth + 1, "{\n");
        write_offset(w, depth + 2, tip);
        write_text(w, depth + 1, "}\n");
    }
}

// Depth first without recursion, since chains may be thousands of joints deep. `order` takes the joints as they come,
// which is the order of the values in the frames.
static void write_hierarchy(writer *w, int *order)
{
    const int *parents = w->clip->skeleton->parents;
    write_text(w, 0, "HIERARCHY\n");
    int joint = 0, depth = 0, count = 0;
    while (joint >= 0) {
        open_joint(w, joint, depth);
        order[count++] = joint;
        if (w->first_child[joint] >= 0) {
            joint = w->first_child[joint];
            depth++;
            continue;
        }
        write_text(w, depth, "}\n");
        while (joint >= 0 && w->next_sibling[joint] < 0) {
            joint = parents[joint];
            depth--;
            if (joint >= 0)
                write_text(w, depth, "}\n");
        }
        joint = joint >= 0 ? w->next_sibling[joint] : -1;
    }
}

static lope_status write_frames(writer *w, const int *order, lope_error *error)
{
    const lope_clip *clip = w->clip;
    size_t joints = (size_t)clip->skeleton->joint_count;
    lope_file_printf(&w->file, "MOTION\nFrames: %d\nFrame Time: %.12f\n", clip->frame_count, 1.0 / clip->frame_rate);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_status status = check_frame(w, f, error);
        if (status)
            return status;
        char *at = w->line;
        for (size_t i = 0; i < joints; i++) {
            int j = order[i];
            size_t entry = (size_t)f * joints + (size_t)j;
            if (has_position(w, j))
                at = put_vector(w, at, j == 0 ? clip->root[f] : clip->translations[entry]);
            at = put_rotation(at, clip->rotations[entry]);
        }
        at[-1] = '\n';
        lope_file_write(&w->file, w->line, (size_t)(at - w->line));
    }
    return LOPE_OK;
}

// Children in order of index, and which joints leave their rest place.
static void survey(writer *w)
{
    const lope_clip *clip = w->clip;
    const lope_skeleton *skeleton = clip->skeleton;
    int joints = skeleton->joint_count;
    list_children(skeleton, w->first_child, w->next_sibling);
    for (int j = 1; j < joints; j++) {
        w->moving[j] = false;
        for (int f = 0; clip->translations && f < clip->frame_count && !w->moving[j]; f++) {
            lope_vec3 here = clip->translations[(size_t)f * (size_t)joints + (size_t)j];
            w->moving[j] = !(lope_v3_distance(here, skeleton->rest[j].translation) <= 1e-6f);
        }
    }
}

// What readers, this one's among them, take as they find it.
static bool writable_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || strchr(" \t", name[0]) || strchr(" \t", name[length - 1]))
        return false;
    for (const char *c = name; *c; c++)
        if (*c == '{' || *c == '}' || ((unsigned char)*c < ' ' && *c != '\t'))
            return false;
    return true;
}

static lope_status check_rest(const writer *w, lope_error *error)
{
    const lope_skeleton *skeleton = w->clip->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (!writable(w, skeleton->rest[j].translation) || !writable(w, skeleton->tips[j]))
            return lope_fail_at(error, LOPE_BAD_DATA, w->path, 0, "cannot write joint '%s': its bone is out of range",
                                skeleton->names[j]);
        if (!writable_name(skeleton->names[j]))
            return lope_fail_at(error, LOPE_BAD_DATA, w->path, 0,
                                "cannot write joint %d: BVH allows no empty name, no blank around it and no brace or "
                                "line end in '%s'",
                                j, skeleton->names[j]);
    }
    return LOPE_OK;
}

static lope_status write_file(writer *w, int *order, lope_error *error)
{
    survey(w);
    lope_status status = check_rest(w, error);
    if (!status)
        status = lope_file_begin(&w->file, w->path, error);
    if (status)
        return status;
    write_hierarchy(w, order);
    status = write_frames(w, order, error);
    if (status) {
        lope_file_abort(&w->file);
        return status;
    }
    return lope_file_commit(&w->file, error);
}

// Decimals that resolve a micrometre: six for metres, four for centimetres.
static int decimals_for(double units_per_metre)
{
    int decimals = 6;
    for (double units = units_per_metre; units >= 10.0 && decimals > 0; units /= 10.0)
        decimals--;
    for (double units = units_per_metre; units < 1.0 && decimals < 9; units *= 10.0)
        decimals++;
    return decimals;
}

lope_status lope_bvh_write(const lope_clip *clip, const char *path, float units_per_metre, lope_error *error)
{
    assert(clip && path);
    if (!(units_per_metre >= 1e-3f && units_per_metre <= 1e6f))
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "expected 0.001 to 1e6 units per metre, found %g",
                            (double)units_per_metre);
    size_t joints = (size_t)clip->skeleton->joint_count;
    writer w = {.clip = clip,
                .path = path,
                .units_per_metre = (double)units_per_metre,
                .position_decimals = decimals_for((double)units_per_metre)};
    w.moving = lope_alloc_array(joints, sizeof *w.moving);
    w.first_child = lope_alloc_array(joints, sizeof *w.first_child);
    w.next_sibling = lope_alloc_array(joints, sizeof *w.next_sibling);
    w.line = lope_alloc_array(joints, 6 * LONGEST_NUMBER);
    int *order = lope_alloc_array(joints, sizeof *order);
    lope_status status = w.moving && w.first_child && w.next_sibling && w.line && order ? write_file(&w, order, error)
                                                                                        : lope_fail_memory(error);
    lope_free(w.moving);
    lope_free(w.first_child);
    lope_free(w.next_sibling);
    lope_free(w.line);
    lope_free(order);
    return status;
}
