// SPDX-License-Identifier: MIT
// A stranger as text: hierarchy, channels in any order, frames.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/strangers_parts.h"

typedef struct page {
    char *text;
    size_t size, capacity;
    const char *line_end;
} page;

static void LOPE_PRINTF(2, 3) put(page *p, const char *format, ...)
{
    if (p->size + 512 > p->capacity) {
        p->capacity = 2 * p->capacity + 65536;
        p->text = realloc(p->text, p->capacity);
        if (!p->text)
            abort();
    }
    va_list arguments;
    va_start(arguments, format);
    p->size += (size_t)vsnprintf(p->text + p->size, p->capacity - p->size, format, arguments);
    va_end(arguments);
}

// Angles in degrees of the rotation about the axes of `order`, applied from the last to the first.
static void euler(lope_quat q, const char *order, double out[3])
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    double m[3][3] = {{1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
                      {s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)},
                      {s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)}};
    int i = order[0] - 'X', j = order[1] - 'X', k = order[2] - 'X';
    double sign = (i + 1) % 3 == j ? 1.0 : -1.0;
    double cosine = sqrt(m[i][i] * m[i][i] + m[i][j] * m[i][j]);
    out[1] = lope_atan2(sign * m[i][k], cosine);
    if (cosine > 1e-7) {
        out[0] = lope_atan2(-sign * m[j][k], m[k][k]);
        out[2] = lope_atan2(-sign * m[i][j], m[i][i]);
    } else { // only the sum of the outer two is determined
        out[0] = lope_atan2(sign * m[k][j], m[j][j]);
        out[2] = 0.0;
    }
    for (int a = 0; a < 3; a++)
        out[a] *= 180.0 / LOPE_PI;
}

static bool has_positions(const stranger_motion *motion, int j)
{
    return j == 0 || j == motion->body->hips || motion->recipe->six_channels;
}

static void put_vector(page *p, const stranger_motion *motion, lope_vec3 v)
{
    double scale = 1.0 / (double)motion->recipe->unit;
    put(p, "%.6f %.6f %.6f", scale * (double)v.x, scale * (double)v.y, scale * (double)v.z);
}

static lope_vec3 rest_offset(const stranger_motion *motion, int j)
{
    const stranger_joint *joint = &motion->body->joints[j];
    if (j == motion->body->hips && j > 0)
        return motion->recipe->hips_offset;
    if (j == 0 || (motion->recipe->six_channels && motion->recipe->zero_offsets))
        return lope_v3(0.0f, 0.0f, 0.0f);
    return lope_quat_rotate(lope_quat_conjugate(motion->body->joints[joint->parent].turn), joint->offset);
}

static int depth_of(const stranger_body *body, int j)
{
    int depth = 0;
    for (; body->joints[j].parent >= 0; j = body->joints[j].parent)
        depth++;
    return depth;
}

static void indent(page *p, int depth)
{
    for (int i = 0; i < depth; i++)
        put(p, "\t");
}

static void put_joint(page *p, const stranger_motion *motion, int j)
{
    const stranger_joint *joint = &motion->body->joints[j];
    const char *order = motion->recipe->order, *end = p->line_end;
    int depth = depth_of(motion->body, j);
    indent(p, depth);
    put(p, "%s %s%s", j ? "JOINT" : "ROOT", joint->name, end);
    indent(p, depth);
    put(p, "{%s", end);
    indent(p, depth + 1);
    put(p, "OFFSET ");
    put_vector(p, motion, rest_offset(motion, j));
    put(p, "%s", end);
    indent(p, depth + 1);
    put(p, has_positions(motion, j) ? "CHANNELS 6 Xposition Yposition Zposition " : "CHANNELS 3 ");
    put(p, "%crotation %crotation %crotation%s", order[0], order[1], order[2], end);
    if (!joint->leaf)
        return;
    indent(p, depth + 1);
    put(p, "End Site%s", end);
    indent(p, depth + 1);
    put(p, "{%s", end);
    indent(p, depth + 2);
    put(p, "OFFSET ");
    put_vector(p, motion, lope_quat_rotate(lope_quat_conjugate(joint->turn), joint->tip));
    put(p, "%s", end);
    indent(p, depth + 1);
    put(p, "}%s", end);
}

static void put_hierarchy(page *p, const stranger_motion *motion)
{
    const stranger_body *body = motion->body;
    put(p, "HIERARCHY%s", p->line_end);
    for (int j = 0; j < body->count; j++) {
        put_joint(p, motion, j);
        int depth = depth_of(body, j), next = j + 1 < body->count ? depth_of(body, j + 1) : 0;
        for (; depth >= next; depth--) {
            indent(p, depth);
            put(p, "}%s", p->line_end);
        }
    }
}

static void put_frame(page *p, const stranger_motion *motion, const lope_transform *locals)
{
    for (int j = 0; j < motion->body->count; j++) {
        if (has_positions(motion, j)) {
            put(p, j ? " " : "");
            put_vector(p, motion, locals[j].translation);
        }
        double angles[3];
        euler(locals[j].rotation, motion->recipe->order, angles);
        put(p, " %.6f %.6f %.6f", angles[0], angles[1], angles[2]);
    }
    put(p, "%s", p->line_end);
}

char *stranger_text(const stranger_motion *motion, size_t *size)
{
    page p = {.line_end = motion->recipe->crlf ? "\r\n" : "\n"};
    put_hierarchy(&p, motion);
    put(&p, "MOTION%sFrames: %d%sFrame Time: %.8f%s", p.line_end, motion->frame_count, p.line_end,
        1.0 / motion->frame_rate, p.line_end);
    for (int f = 0; f < motion->frame_count; f++)
        put_frame(&p, motion, motion->values + (size_t)f * (size_t)motion->body->count);
    *size = p.size;
    return p.text;
}
