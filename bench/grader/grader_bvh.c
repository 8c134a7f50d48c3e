// SPDX-License-Identifier: MIT
// BVH for the grader: words between blanks, names to the end of the line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grader/grader_math.h"

enum { MOST_JOINTS = 1024, MOST_CHANNELS = 6 * MOST_JOINTS, DEEPEST = 128 };

// A channel: of which joint, position (0 to 2) or rotation (3 to 5) along which axis.
typedef struct channel {
    int joint, kind;
} channel;

typedef struct reader {
    const char *at, *end;
    grader_motion *motion;
    channel channels[MOST_CHANNELS];
    int channel_count;
    bool placed[MOST_JOINTS]; // has position channels
    char *message;
} reader;

static bool wrong(reader *r, const char *why)
{
    snprintf(r->message, 128, "%s", why);
    return false;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// The next word into `out`; false at the end.
static bool word(reader *r, char out[64])
{
    while (r->at < r->end && blank(*r->at))
        r->at++;
    size_t length = 0;
    for (; r->at < r->end && !blank(*r->at); r->at++)
        if (length < 63)
            out[length++] = *r->at;
    out[length] = 0;
    return length > 0;
}

static bool is_next(reader *r, const char *wanted)
{
    char text[64];
    return word(r, text) && strcmp(text, wanted) == 0;
}

static bool number(reader *r, double *out)
{
    char text[64], *end;
    if (!word(r, text))
        return false;
    *out = strtod(text, &end);
    return *end == 0;
}

static bool vector(reader *r, grader_vec *out)
{
    return number(r, &out->x) && number(r, &out->y) && number(r, &out->z);
}

// The rest of the line, without blanks around it.
static void name(reader *r, char out[64])
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
    size_t length = 0;
    for (; r->at < r->end && *r->at != '\n' && *r->at != '{'; r->at++)
        if (length < 63)
            out[length++] = *r->at;
    while (length && blank(out[length - 1]))
        length--;
    out[length] = 0;
}

static bool read_channels(reader *r, int joint)
{
    double count;
    if (!number(r, &count))
        return wrong(r, "a number of channels is missing");
    for (int i = 0; i < (int)count; i++) {
        char text[64];
        if (!word(r, text) || text[0] < 'X' || text[0] > 'Z' || r->channel_count == MOST_CHANNELS)
            return wrong(r, "a channel is missing");
        bool rotation = strcmp(text + 1, "rotation") == 0;
        r->placed[joint] |= !rotation;
        r->channels[r->channel_count++] = (channel){joint, text[0] - 'X' + (rotation ? 3 : 0)};
    }
    return true;
}

static int add_joint(reader *r, int parent)
{
    grader_motion *m = r->motion;
    if (m->joint_count == MOST_JOINTS)
        return -1;
    int j = m->joint_count++;
    name(r, m->names[j]);
    m->parents[j] = parent;
    return j;
}

static bool read_hierarchy(reader *r)
{
    int stack[DEEPEST], depth = 0;
    bool site = false; // within an End Site
    char text[64];
    if (!is_next(r, "HIERARCHY"))
        return wrong(r, "expected HIERARCHY");
    while (word(r, text) && strcmp(text, "MOTION") != 0) {
        if (strcmp(text, "ROOT") == 0 || strcmp(text, "JOINT") == 0) {
            int j = depth < DEEPEST ? add_joint(r, depth ? stack[depth - 1] : -1) : -1;
            if (j < 0)
                return wrong(r, "too many joints");
            stack[depth++] = j;
        } else if (strcmp(text, "End") == 0) {
            name(r, text);
            site = true;
        } else if (strcmp(text, "OFFSET") == 0) {
            if (!depth || !vector(r, site ? &r->motion->tips[stack[depth - 1]] : &r->motion->offsets[stack[depth - 1]]))
                return wrong(r, "an offset is missing");
        } else if (strcmp(text, "CHANNELS") == 0) {
            if (!depth || !read_channels(r, stack[depth - 1]))
                return false;
        } else if (strcmp(text, "}") == 0) {
            depth -= !site;
            site = false;
            if (depth < 0)
                return wrong(r, "a brace too many");
        }
    }
    return r->motion->joint_count ? true : wrong(r, "no joints");
}

static grader_quat about(int axis, double degrees)
{
    double half = 0.5 * degrees / GRADER_DEGREES;
    grader_quat q = {0.0, 0.0, 0.0, cos(half)};
    *(axis == 0 ? &q.x : axis == 1 ? &q.y : &q.z) = sin(half);
    return q;
}

// One frame: local rotations, and the place of every joint relative to its parent.
static bool read_frame(reader *r, grader_quat *local, grader_vec *places)
{
    grader_motion *m = r->motion;
    for (int j = 0; j < m->joint_count; j++) {
        local[j] = (grader_quat){0.0, 0.0, 0.0, 1.0};
        places[j] = r->placed[j] ? gv(0.0, 0.0, 0.0) : m->offsets[j];
    }
    for (int c = 0; c < r->channel_count; c++) {
        double value;
        if (!number(r, &value))
            return wrong(r, "a frame is too short");
        int j = r->channels[c].joint, kind = r->channels[c].kind;
        if (kind >= 3)
            local[j] = gq_mul(local[j], about(kind - 3, value));
        else
            *(kind == 0 ? &places[j].x : kind == 1 ? &places[j].y : &places[j].z) = value;
    }
    return true;
}

// The turn that brings the file's up axis to Y.
static grader_quat upright(char up)
{
    double h = sqrt(0.5);
    if (up == 'Z')
        return (grader_quat){-h, 0.0, 0.0, h};
    return up == 'X' ? (grader_quat){0.0, 0.0, h, h} : (grader_quat){0.0, 0.0, 0.0, 1.0};
}

static void pose(grader_motion *m, int frame, const grader_vec *places, const grader_read_def *def)
{
    size_t first = (size_t)frame * (size_t)m->joint_count;
    for (int j = 0; j < m->joint_count; j++) {
        grader_quat above = upright(def->up);
        grader_vec from = gv(0.0, 0.0, 0.0);
        if (m->parents[j] >= 0) {
            above = m->world[first + (size_t)m->parents[j]];
            from = m->positions[first + (size_t)m->parents[j]];
        }
        grader_vec place = gv_scale(places[j], def->metres_per_unit);
        m->world[first + (size_t)j] = gq_mul(above, m->local[first + (size_t)j]);
        m->positions[first + (size_t)j] = gv_add(from, gq_rotate(above, place));
    }
}

static bool make_room(grader_motion *m)
{
    size_t n = (size_t)m->joint_count * (size_t)m->frame_count;
    m->local = malloc(n * sizeof *m->local);
    m->world = malloc(n * sizeof *m->world);
    m->positions = malloc(n * sizeof *m->positions);
    return m->local && m->world && m->positions;
}

static bool read_motion(reader *r, const grader_read_def *def)
{
    grader_motion *m = r->motion;
    double frames, time;
    if (!is_next(r, "Frames:") || !number(r, &frames) || frames < 1.0 || frames > 1e7)
        return wrong(r, "expected Frames:");
    if (!is_next(r, "Frame") || !is_next(r, "Time:") || !number(r, &time) || !(time > 0.0))
        return wrong(r, "expected Frame Time:");
    m->frame_count = (int)frames;
    m->rate = 1.0 / time;
    grader_vec *places = malloc((size_t)m->joint_count * sizeof *places);
    if (!places || !make_room(m)) {
        free(places);
        return wrong(r, "no memory");
    }
    bool good = true;
    for (int f = 0; f < m->frame_count && good; f++) {
        good = read_frame(r, m->local + (size_t)f * (size_t)m->joint_count, places);
        if (good)
            pose(m, f, places, def);
    }
    for (int j = 0; j < m->joint_count; j++) { // bones as they are in the last frame
        m->offsets[j] = gv_scale(places[j], def->metres_per_unit);
        m->tips[j] = gv_scale(m->tips[j], def->metres_per_unit);
    }
    free(places);
    return good;
}

bool grader_read(const char *text, size_t size, const grader_read_def *def, grader_motion *out, char *message)
{
    *out = (grader_motion){0};
    reader *r = calloc(1, sizeof *r);
    out->names = calloc(MOST_JOINTS, sizeof *out->names);
    out->parents = calloc(MOST_JOINTS, sizeof *out->parents);
    out->offsets = calloc(MOST_JOINTS, sizeof *out->offsets);
    out->tips = calloc(MOST_JOINTS, sizeof *out->tips);
    bool good = r && out->names && out->parents && out->offsets && out->tips;
    if (r)
        *r = (reader){.at = text, .end = text + size, .motion = out, .message = message};
    good = good && read_hierarchy(r) && read_motion(r, def);
    free(r);
    if (!good)
        grader_motion_free(out);
    return good;
}

bool grader_read_file(const char *path, const grader_read_def *def, grader_motion *out, char *message)
{
    FILE *file = fopen(path, "rb");
    *out = (grader_motion){0};
    snprintf(message, 128, "cannot be read");
    if (!file)
        return false;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    bool good = text && fread(text, 1, (size_t)size, file) == (size_t)size;
    good = good && grader_read(text, (size_t)size, def, out, message);
    fclose(file);
    free(text);
    return good;
}

void grader_motion_free(grader_motion *m)
{
    free(m->names);
    free(m->parents);
    free(m->offsets);
    free(m->tips);
    free(m->local);
    free(m->world);
    free(m->positions);
    *m = (grader_motion){0};
}

static void *copy(const void *data, size_t size)
{
    void *to = malloc(size);
    return to ? memcpy(to, data, size) : NULL;
}

static grader_quat between(grader_quat a, grader_quat b, double t)
{
    double s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0 ? -t : t, r = 1.0 - t;
    grader_quat q = {a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s};
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (grader_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

bool grader_resample(const grader_motion *m, double rate, grader_motion *out)
{
    size_t n = (size_t)m->joint_count;
    *out = (grader_motion){.joint_count = m->joint_count, .rate = rate};
    out->frame_count = (int)((double)(m->frame_count - 1) * rate / m->rate + 1e-6) + 1;
    out->names = copy(m->names, n * sizeof *m->names);
    out->parents = copy(m->parents, n * sizeof *m->parents);
    out->offsets = copy(m->offsets, n * sizeof *m->offsets);
    out->tips = copy(m->tips, n * sizeof *m->tips);
    if (!make_room(out) || !out->names || !out->parents || !out->offsets || !out->tips) {
        grader_motion_free(out);
        return false;
    }
    for (int f = 0; f < out->frame_count; f++) {
        double at = fmin((double)f * m->rate / rate, (double)(m->frame_count - 1));
        size_t a = (size_t)at, b = a + 1 < (size_t)m->frame_count ? a + 1 : a;
        double t = at - (double)a;
        for (size_t j = 0; j < n; j++) {
            size_t to = (size_t)f * n + j, one = a * n + j, two = b * n + j;
            out->local[to] = between(m->local[one], m->local[two], t);
            out->world[to] = between(m->world[one], m->world[two], t);
            out->positions[to] = gv_add(gv_scale(m->positions[one], 1.0 - t), gv_scale(m->positions[two], t));
        }
    }
    return true;
}
