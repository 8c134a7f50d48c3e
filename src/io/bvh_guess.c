// SPDX-License-Identifier: MIT
// Guessing what a BVH file does not say, from the body itself.
//
// Up: bodies are tall where their rest pose or, failing that, their motion says so. Unit: from toe to fingertip along
// the bones people measure 1.4 times their height, in any pose; known units lie further apart than people do. T-pose: a
// neutral pose that the motion leaves in one jump far larger than its own steps was put in front by a converter.
#include "io/bvh_guess.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/bvh_convert.h"

// Frames looked at: the first ones side by side, because a T-pose shows in how the motion starts, and some later ones.
#define HEAD_BLOCKS 4
#define LATER_BLOCKS 4
#define MAX_FRAMES ((HEAD_BLOCKS + LATER_BLOCKS) * BVH_LANES)

// Sides of the box around the body in one frame, and where it begins.
typedef struct box {
    lope_vec3 low, high;
} box;

typedef struct probe {
    const bvh_document *document;
    int count, head_count; // frames looked at; those at the beginning, without a gap
    int frames[MAX_FRAMES];
    lope_quat *rotations;  // [count][joint_count]
    lope_transform *model; // [joint_count] scratch
    lope_quat *last;       // [joint_count] scratch
    unit_body body;
} probe;

static lope_quat *probe_row(const probe *p, int index)
{
    return p->rotations + (size_t)index * (size_t)p->document->joint_count;
}

// Converts one block and keeps its frames.
static void probe_block(probe *p, int block)
{
    lope_quat *rows[BVH_LANES] = {NULL};
    for (int i = 0; i < BVH_LANES; i++) {
        int frame = block * BVH_LANES + i;
        if (frame >= p->document->frame_count)
            break;
        rows[i] = probe_row(p, p->count);
        p->frames[p->count++] = frame;
    }
    lope_bvh_convert_block(p->document, block, p->last, rows);
}

static lope_status probe_open(const bvh_document *document, probe *p, lope_error *error)
{
    size_t joints = (size_t)document->joint_count;
    *p = (probe){.document = document};
    p->rotations = lope_alloc_array(joints * MAX_FRAMES, sizeof *p->rotations);
    p->model = lope_alloc_array(joints, sizeof *p->model);
    p->last = lope_alloc_array(joints, sizeof *p->last);
    if (!p->rotations || !p->model || !p->last)
        return lope_fail_memory(error);
    for (size_t j = 0; j < joints; j++)
        p->last[j] = lope_quat_identity();
    int blocks = bvh_block_count(document), head = blocks < HEAD_BLOCKS ? blocks : HEAD_BLOCKS;
    for (int b = 0; b < head; b++)
        probe_block(p, b);
    p->head_count = p->count;
    int later = blocks - head < LATER_BLOCKS ? blocks - head : LATER_BLOCKS;
    for (int i = 1; i <= later; i++)
        probe_block(p, head + (int)((int64_t)(blocks - head) * i / later) - 1);
    return LOPE_OK;
}

static void probe_close(probe *p)
{
    lope_free(p->rotations);
    lope_free(p->model);
    lope_free(p->last);
}

static void include(box *b, lope_vec3 point)
{
    b->low = lope_v3(fminf(b->low.x, point.x), fminf(b->low.y, point.y), fminf(b->low.z, point.z));
    b->high = lope_v3(fmaxf(b->high.x, point.x), fmaxf(b->high.y, point.y), fmaxf(b->high.z, point.z));
}

// Places all joints: frame `index` of the probe, or the rest pose for -1. Returns the box around the body.
static box pose_body(const probe *p, int index)
{
    const bvh_document *document = p->document;
    // Joints that position channels move have no better rest than some frame; the last one is never a T-pose.
    int frame = index < 0 ? document->frame_count - 1 : p->frames[index];
    box bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int j = 0; j < document->joint_count; j++) {
        const bvh_joint *joint = &document->joints[j];
        lope_quat rotation = index < 0 ? lope_quat_identity() : probe_row(p, index)[j];
        lope_transform local = {rotation, bvh_translation(document, frame, j)};
        p->model[j] = joint->parent < 0 ? local : lope_transform_mul(p->model[joint->parent], local);
        if (j < p->body.first || j >= p->body.end)
            continue;
        include(&bounds, p->model[j].translation);
        include(&bounds, lope_transform_point(p->model[j], joint->tip));
    }
    return bounds;
}

lope_status lope_bvh_measure(const bvh_document *document, unit_body *out, lope_error *error)
{
    unit_bone *bones = lope_alloc_array((size_t)document->joint_count, sizeof *bones);
    if (!bones)
        return lope_fail_memory(error);
    for (int j = 0; j < document->joint_count; j++) {
        const bvh_joint *joint = &document->joints[j];
        bones[j] = (unit_bone){joint->parent, lope_v3_length(bvh_translation(document, document->frame_count - 1, j)),
                               lope_v3_length(joint->tip)};
    }
    lope_status status = lope_units_measure(bones, document->joint_count, out, error);
    lope_free(bones);
    return status;
}

// Mean height of the body over the probe along Y and Z, and how far its lowest point wanders: on the true up axis the
// floor holds it.
typedef struct stance {
    float y_tall, z_tall, y_wander, z_wander;
} stance;

static stance measure_stance(const probe *p)
{
    stance s = {0};
    lope_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < p->count; i += BVH_LANES) {
        box b = pose_body(p, i);
        s.y_tall += b.high.y - b.low.y;
        s.z_tall += b.high.z - b.low.z;
        low = lope_v3(0.0f, fminf(low.y, b.low.y), fminf(low.z, b.low.z));
        high = lope_v3(0.0f, fmaxf(high.y, b.low.y), fmaxf(high.z, b.low.z));
    }
    s.y_wander = high.y - low.y;
    s.z_wander = high.z - low.z;
    return s;
}

// The rest pose decides where it clearly stands; files whose root turns it upright, or whose rest pose is no stance at
// all, are seen through by their frames. A crawl is no reason to doubt: its lowest point travels along.
static void guess_up(const probe *p, bvh_guess *out)
{
    box rest = pose_body(p, -1);
    float y = rest.high.y - rest.low.y, z = rest.high.z - rest.low.z;
    bool rest_y = y > 1.5f * z && y > 0.5f * p->body.span, rest_z = z > 1.5f * y && z > 0.5f * p->body.span;
    stance s = measure_stance(p);
    out->rest_is_y_tall = rest_y;
    if (rest_y)
        out->up = s.z_tall > 1.5f * s.y_tall && s.z_wander < 0.5f * s.y_wander ? LOPE_AXIS_Z : LOPE_AXIS_Y;
    else if (rest_z)
        out->up = s.y_tall > 1.5f * s.z_tall && s.y_wander < 0.5f * s.z_wander ? LOPE_AXIS_Y : LOPE_AXIS_Z;
    else
        out->up = s.z_tall > 1.2f * s.y_tall ? LOPE_AXIS_Z : LOPE_AXIS_Y;
}

// Mean over the joints of the angle between two rotations, in radians; near enough for small angles (chord, not arc).
static float mean_turn(const lope_quat *a, const lope_quat *b, int count)
{
    float sum = 0.0f;
    for (int j = 0; j < count; j++) {
        lope_quat d = {a[j].x - b[j].x, a[j].y - b[j].y, a[j].z - b[j].z, a[j].w - b[j].w};
        sum += 2.0f * sqrtf(lope_quat_dot(d, d)); // same hemisphere: lope_bvh_convert_block aligns
    }
    return sum / (float)count;
}

static bool is_neutral(lope_quat q)
{
    return q.x * q.x + q.y * q.y + q.z * q.z < 2e-5f; // half a degree
}

// Most of the joints that move in the first frames have no rotation at all in frame `index`.
static bool is_neutral_pose(const probe *p, int index)
{
    int moving = 0, neutral = 0;
    for (int j = 0; j < p->document->joint_count; j++) {
        bool moves = false;
        for (int i = 0; i < p->head_count && !moves; i++)
            moves = !is_neutral(probe_row(p, i)[j]);
        moving += moves;
        neutral += moves && is_neutral(probe_row(p, index)[j]);
    }
    return moving > 0 && 2 * neutral >= moving;
}

static lope_vec2 on_ground(lope_vec3 point, lope_axis up)
{
    return up == LOPE_AXIS_Z ? (lope_vec2){point.x, point.y} : (lope_vec2){point.x, point.z};
}

// Joint or tip farthest from `from` on the ground.
static lope_vec3 farthest_point(const probe *p, lope_vec3 from, lope_axis up)
{
    lope_vec2 center = on_ground(from, up);
    lope_vec3 best = from;
    float best_distance = -1.0f;
    for (int j = p->body.first; j < p->body.end; j++) {
        lope_vec3 point = lope_transform_point(p->model[j], p->document->joints[j].tip);
        lope_vec2 at = on_ground(point, up);
        float distance = (at.x - center.x) * (at.x - center.x) + (at.z - center.z) * (at.z - center.z);
        if (distance > best_distance) {
            best_distance = distance;
            best = point;
        }
    }
    return best;
}

// Both hands out to the sides at shoulder height: the two points farthest apart on the ground are about as far from
// each other as the body is tall, and both in its upper part.
static bool is_arms_out(const probe *p, int index, lope_axis up)
{
    box bounds = pose_body(p, index);
    lope_vec3 a = farthest_point(p, p->model[p->body.first].translation, up), b = farthest_point(p, a, up);
    float low = up == LOPE_AXIS_Z ? bounds.low.z : bounds.low.y,
          high = up == LOPE_AXIS_Z ? bounds.high.z : bounds.high.y;
    float tall = high - low;
    float a_height = (up == LOPE_AXIS_Z ? a.z : a.y) - low, b_height = (up == LOPE_AXIS_Z ? b.z : b.y) - low;
    return lope_v3_distance(a, b) > 0.75f * tall && fminf(a_height, b_height) > 0.65f * tall &&
           fmaxf(a_height, b_height) < 0.95f * tall && fabsf(a_height - b_height) < 0.1f * tall;
}

// Steps smaller than this, in radians per joint on average, are motion whatever they are compared with.
#define SMALLEST_JUMP 0.1f

// Number of frames at the start that do not belong to the motion. Usually one; some converters put a few rest poses
// behind it, where the body was not seen yet.
static int guess_tpose(const probe *p, lope_axis up)
{
    if (p->head_count < 3)
        return 0; // nothing to compare a jump with
    int steps = p->head_count - 1, jump = 0;
    float turns[HEAD_BLOCKS * BVH_LANES], sorted[HEAD_BLOCKS * BVH_LANES];
    for (int i = 0; i < steps; i++) {
        turns[i] = mean_turn(probe_row(p, i), probe_row(p, i + 1), p->document->joint_count);
        jump = turns[i] > turns[jump] ? i : jump;
    }
    int later = steps - jump - 1;
    if (later < 1 || turns[jump] < SMALLEST_JUMP)
        return 0;
    for (int i = 0; i < later; i++) { // insertion sort: low ranks are not moved by a capture's glitches
        int at = i;
        for (; at > 0 && sorted[at - 1] > turns[jump + 1 + i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = turns[jump + 1 + i];
    }
    if (turns[jump] < 3.0f * sorted[later / 4])
        return 0;
    for (int i = 0; i <= jump; i++)
        if (!is_neutral_pose(p, i) && !is_arms_out(p, i, up))
            return 0;
    return jump + 1;
}

lope_status lope_bvh_guess(const bvh_document *document, bvh_guess *out, lope_error *error)
{
    *out = (bvh_guess){0};
    probe p;
    lope_status status = probe_open(document, &p, error);
    if (!status)
        status = lope_bvh_measure(document, &p.body, error);
    if (!status) {
        out->scale = lope_units_guess(p.body.span);
        guess_up(&p, out);
        out->tpose_frames = guess_tpose(&p, out->up);
    }
    probe_close(&p);
    return status;
}
