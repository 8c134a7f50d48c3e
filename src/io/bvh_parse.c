// SPDX-License-Identifier: MIT
// The hierarchy of a BVH file. Joints are read in file order, which is depth first, with the current joint's parent as
// the only stack: a chain of thirty thousand joints costs no more than a bush of them. The motion is in bvh_motion.c.
#include "io/bvh_parse.h"

#include <string.h>

#include "base/memory.h"
#include "io/bvh_motion.h"
#include "io/bvh_text.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static bvh_quote joint_quote(const bvh_joint *joint)
{
    return lope_bvh_quote((bvh_word){joint->name, joint->name_length});
}

// Names may hold spaces: they reach to the end of the line or to the brace.
static lope_status read_name(bvh_text *text, bvh_joint *joint)
{
    lope_bvh_skip_space(text);
    const char *start = text->at, *end = start;
    while (end < text->end && *end != '{' && *end != '}' && *end != '\n' && *end != '\r')
        end++;
    text->at = end;
    while (end > start && bvh_is_space(end[-1]))
        end--;
    if (end == start)
        return BVH_FAIL(text, start, "expected the name of a joint, found %s",
                        lope_bvh_quote(lope_bvh_peek(text)).text);
    for (const char *c = start; c < end; c++)
        if ((unsigned char)*c < ' ' && *c != '\t')
            return BVH_FAIL(text, start, "the name of a joint holds a control character (%d)", (int)*c);
    joint->name = start;
    joint->name_length = (size_t)(end - start);
    return LOPE_OK;
}

static lope_status expect_brace(bvh_text *text, const char *after, bvh_quote name)
{
    bvh_word word = lope_bvh_next(text);
    if (lope_bvh_is(word, "{"))
        return LOPE_OK;
    return BVH_FAIL(text, word.text, "expected '{' after %s %s, found %s", after, name.text, lope_bvh_quote(word).text);
}

// Reads "NAME {" and appends a joint.
static lope_status open_joint(bvh_text *text, bvh_document *document, int parent)
{
    if (document->joint_count == LOPE_MAX_JOINTS)
        return BVH_FAIL(text, text->at, "expected at most %d joints, found more", LOPE_MAX_JOINTS);
    if (document->joint_count == document->joint_capacity) {
        int capacity = document->joint_capacity ? document->joint_capacity * 2 : 64;
        bvh_joint *joints = lope_grow(document->joints, (size_t)document->joint_capacity * sizeof *joints,
                                      (size_t)capacity * sizeof *joints);
        if (!joints)
            return lope_fail_memory(text->error);
        document->joints = joints;
        document->joint_capacity = capacity;
    }
    bvh_joint *joint = &document->joints[document->joint_count];
    *joint = (bvh_joint){.parent = parent, .position = {-1, -1, -1}};
    lope_status status = read_name(text, joint);
    if (!status)
        status = expect_brace(text, "joint", joint_quote(joint));
    document->joint_count += !status;
    return status;
}

static lope_status read_vector(bvh_text *text, const char *what, lope_vec3 *out)
{
    double v[3];
    for (int i = 0; i < 3; i++) {
        lope_status status = lope_bvh_read_number(text, what, &v[i]);
        if (status)
            return status;
    }
    *out = lope_v3((float)v[0], (float)v[1], (float)v[2]);
    return LOPE_OK;
}

static lope_status read_offset(bvh_text *text, const char *where, bvh_joint *joint)
{
    if (joint->has_offset)
        return BVH_FAIL(text, where, "joint %s has a second OFFSET", joint_quote(joint).text);
    joint->has_offset = true;
    return read_vector(text, "OFFSET", &joint->offset);
}

// Adds one channel by name to a joint.
static lope_status add_channel(bvh_text *text, bvh_joint *joint, bvh_word word, int channel)
{
    static const char *const kinds[] = {"position", "rotation"};
    int axis = word.length ? (word.text[0] | 0x20) - 'x' : -1;
    bvh_word kind = {word.text + 1, word.length - 1};
    if (axis < 0 || axis > 2 || (!lope_bvh_is(kind, kinds[0]) && !lope_bvh_is(kind, kinds[1])))
        return BVH_FAIL(text, word.text, "expected a channel like Xposition or Zrotation, found %s",
                        lope_bvh_quote(word).text);
    if (lope_bvh_is(kind, kinds[1])) {
        joint->rotation[joint->rotation_count] = channel;
        joint->axis[joint->rotation_count++] = axis;
        return LOPE_OK;
    }
    if (joint->position[axis] >= 0)
        return BVH_FAIL(text, word.text, "joint %s names channel %s twice", joint_quote(joint).text,
                        lope_bvh_quote(word).text);
    joint->position[axis] = channel;
    return LOPE_OK;
}

static lope_status read_channels(bvh_text *text, const char *where, bvh_document *document, bvh_joint *joint)
{
    if (joint->has_channels)
        return BVH_FAIL(text, where, "joint %s has a second CHANNELS", joint_quote(joint).text);
    joint->has_channels = true;
    int count;
    lope_status status = lope_bvh_read_integer(text, "CHANNELS", 0, BVH_MAX_JOINT_CHANNELS, &count);
    for (int i = 0; !status && i < count; i++)
        status = add_channel(text, joint, lope_bvh_next(text), document->channel_count++);
    return status;
}

// "Site { OFFSET x y z }". Only the first end of a joint is kept.
static lope_status read_end_site(bvh_text *text, bvh_joint *joint)
{
    bvh_word word = lope_bvh_next(text);
    if (!lope_bvh_is(word, "Site"))
        return BVH_FAIL(text, word.text, "expected Site after End, found %s", lope_bvh_quote(word).text);
    while (text->at < text->end && *text->at != '{' && *text->at != '\n' && *text->at != '\r')
        text->at++; // some programs name their ends
    lope_status status = expect_brace(text, "the End Site of", joint_quote(joint));
    if (status)
        return status;
    lope_vec3 tip = {0};
    word = lope_bvh_next(text);
    if (lope_bvh_is(word, "OFFSET")) {
        status = read_vector(text, "OFFSET", &tip);
        if (status)
            return status;
        word = lope_bvh_next(text);
    }
    if (!lope_bvh_is(word, "}"))
        return BVH_FAIL(text, word.text, "expected '}' after the End Site of %s, found %s", joint_quote(joint).text,
                        lope_bvh_quote(word).text);
    if (!joint->has_tip)
        joint->tip = tip;
    joint->has_tip = true;
    return LOPE_OK;
}

// One thing inside the braces of joint `*current`, which changes when a joint opens or closes.
static lope_status read_joint_item(bvh_text *text, bvh_document *document, int *current)
{
    bvh_word word = lope_bvh_next(text);
    bvh_joint *joint = &document->joints[*current];
    if (lope_bvh_is(word, "OFFSET"))
        return read_offset(text, word.text, joint);
    if (lope_bvh_is(word, "CHANNELS"))
        return read_channels(text, word.text, document, joint);
    if (lope_bvh_is(word, "End"))
        return read_end_site(text, joint);
    if (lope_bvh_is(word, "JOINT")) {
        int parent = *current;
        *current = document->joint_count;
        return open_joint(text, document, parent);
    }
    if (lope_bvh_is(word, "}")) {
        *current = joint->parent;
        return joint->has_offset ? LOPE_OK
                                 : BVH_FAIL(text, word.text, "joint %s has no OFFSET", joint_quote(joint).text);
    }
    if (word.length == 0 || lope_bvh_is(word, "MOTION"))
        return BVH_FAIL(text, word.text, "unbalanced braces: expected '}' for joint %s, found %s",
                        joint_quote(joint).text, lope_bvh_quote(word).text);
    return BVH_FAIL(text, word.text, "expected OFFSET, CHANNELS, JOINT, End Site or '}' in joint %s, found %s",
                    joint_quote(joint).text, lope_bvh_quote(word).text);
}

static lope_status expect_motion(bvh_text *text)
{
    bvh_word word = lope_bvh_next(text);
    if (lope_bvh_is(word, "MOTION"))
        return LOPE_OK;
    if (lope_bvh_is(word, "ROOT"))
        return BVH_FAIL(text, word.text, "expected one ROOT, found a second: one skeleton per file");
    if (lope_bvh_is(word, "}"))
        return BVH_FAIL(text, word.text, "unbalanced braces: expected MOTION, found a '}' too many");
    return BVH_FAIL(text, word.text, "expected MOTION after the hierarchy, found %s", lope_bvh_quote(word).text);
}

static lope_status read_hierarchy(bvh_text *text, bvh_document *document)
{
    bvh_word word = lope_bvh_next(text);
    if (word.length == 0)
        return BVH_FAIL(text, word.text, "the file is empty; expected a BVH file");
    if (!lope_bvh_is(word, "HIERARCHY"))
        return BVH_FAIL(text, word.text, "not a BVH file: expected HIERARCHY, found %s", lope_bvh_quote(word).text);
    word = lope_bvh_next(text);
    if (!lope_bvh_is(word, "ROOT"))
        return BVH_FAIL(text, word.text, "expected ROOT after HIERARCHY, found %s", lope_bvh_quote(word).text);
    lope_status status = open_joint(text, document, -1);
    int current = 0;
    while (!status && current >= 0)
        status = read_joint_item(text, document, &current);
    return status ? status : expect_motion(text);
}

lope_status lope_bvh_parse(const char *bytes, size_t size, const char *file, bvh_document *out, lope_error *error)
{
    *out = (bvh_document){0};
    bvh_text text = {bytes, bytes, bytes + size, file, error};
    if (size >= 3 && memcmp(bytes, BYTE_ORDER_MARK, 3) == 0)
        text.at += 3;
    lope_status status = read_hierarchy(&text, out);
    if (!status)
        status = lope_bvh_read_motion(&text, out);
    if (status)
        lope_bvh_document_free(out);
    return status;
}

void lope_bvh_document_free(bvh_document *document)
{
    lope_free(document->joints);
    lope_free(document->values);
    *document = (bvh_document){0};
}
