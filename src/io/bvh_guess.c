// SPDX-License-Identifier: MIT
// Guessing what a BVH file does not say, from the body itself.
//
// Up, stance and soles come from the motion (body_evidence.c looks at the document through a view of its own). Unit:
// from toe to fingertip along the bones people measure 1.4 times their height, in any pose; known units lie further
// apart than people do. T-pose: a neutral pose that the motion leaves in one jump far larger than its own steps was put
// in front by a converter.
#include "io/bvh_guess.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/bvh_convert.h"
#include "io/bvh_names.h"

#define STILL 0.002f // radians from frame to frame: joints that never turn by more do not move

// Frames looked at: the first ones side by side, because a T-pose shows in how the motion starts.
#define HEAD_BLOCKS 4
#define MAX_FRAMES (HEAD_BLOCKS * BVH_LANES)

// Sides of the box around the body in one frame, and where it begins.
typedef struct box {
    lope_vec3 low, high;
} box;

typedef struct probe {
    const bvh_document *document;
    int count; // frames looked at
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

// Places all joints in frame `index` of the probe. Returns the box around the body.
static box pose_body(const probe *p, int index)
{
    const bvh_document *document = p->document;
    int frame = p->frames[index];
    box bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int j = 0; j < document->joint_count; j++) {
        const bvh_joint *joint = &document->joints[j];
        lope_transform local = {probe_row(p, index)[j], bvh_translation(document, frame, j)};
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

// Angle between two rotations, in radians; near enough for small angles (chord, not arc).
static float turn_between(lope_quat a, lope_quat b)
{
    lope_quat d = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    return 2.0f * sqrtf(lope_quat_dot(d, d)); // same hemisphere: lope_bvh_convert_block aligns
}

// Number of joints that turn at all in the first frames: fingers and helpers often do not.
static int count_turning(const probe *p)
{
    int turning = 0;
    for (int j = 0; j < p->document->joint_count; j++) {
        bool turns = false;
        for (int i = 0; i + 1 < p->count && !turns; i++)
            turns = turn_between(probe_row(p, i)[j], probe_row(p, i + 1)[j]) > STILL;
        turning += turns;
    }
    return turning;
}

// Mean over `turning` joints of how far they turn from frame `index` of the probe to the next.
static float mean_turn(const probe *p, int index, int turning)
{
    float sum = 0.0f;
    for (int j = 0; j < p->document->joint_count; j++)
        sum += turn_between(probe_row(p, index)[j], probe_row(p, index + 1)[j]);
    return turning ? sum / (float)turning : 0.0f;
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
        for (int i = 0; i < p->count && !moves; i++)
            moves = !is_neutral(probe_row(p, i)[j]);
        moving += moves;
        neutral += moves && is_neutral(probe_row(p, index)[j]);
    }
    return moving > 0 && 2 * neutral >= moving;
}

static lope_vec2 on_ground(lope_vec3 point, lope_axis up)
{
    point = lope_turn_vector(up, point);
    return (lope_vec2){point.x, point.z};
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
    float one = lope_turn_vector(up, bounds.low).y, other = lope_turn_vector(up, bounds.high).y;
    float low = fminf(one, other), tall = fabsf(other - one);
    float a_height = lope_turn_vector(up, a).y - low, b_height = lope_turn_vector(up, b).y - low;
    return lope_v3_distance(a, b) > 0.75f * tall && fminf(a_height, b_height) > 0.65f * tall &&
           fmaxf(a_height, b_height) < 0.95f * tall && fabsf(a_height - b_height) < 0.1f * tall;
}

// Steps smaller than this, in radians per joint on average, are motion whatever they are compared with.
#define SMALLEST_JUMP 0.1f

// Number of frames at the start that do not belong to the motion. Usually one; some converters put a few rest poses
// behind it, where the body was not seen yet.
static int guess_tpose(const probe *p, lope_axis up)
{
    if (p->count < 3)
        return 0; // nothing to compare a jump with
    int steps = p->count - 1, jump = 0, turning = count_turning(p);
    float turns[MAX_FRAMES], sorted[MAX_FRAMES];
    for (int i = 0; i < steps; i++) {
        turns[i] = mean_turn(p, i, turning);
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

lope_status lope_bvh_tpose(const bvh_document *document, lope_axis up, int *frames, lope_error *error)
{
    *frames = 0;
    probe p;
    lope_status status = probe_open(document, &p, error);
    if (!status)
        status = lope_bvh_measure(document, &p.body, error);
    if (!status)
        *frames = guess_tpose(&p, up);
    probe_close(&p);
    return status;
}

// A document as a source of evidence.
typedef struct document_view {
    const bvh_document *document;
    lope_quat *rotations, *last; // [joint_count] scratch
} document_view;

static void document_model(const void *user, int frame, lope_transform *out)
{
    const document_view *view = user;
    const bvh_document *document = view->document;
    lope_quat *rows[BVH_LANES] = {NULL};
    rows[frame % BVH_LANES] = view->rotations;
    for (int j = 0; j < document->joint_count; j++)
        view->last[j] = lope_quat_identity();
    lope_bvh_convert_block(document, frame / BVH_LANES, view->last, rows);
    for (int j = 0; j < document->joint_count; j++) {
        lope_transform local = {view->rotations[j], bvh_translation(document, frame, j)};
        out[j] = j ? lope_transform_mul(out[document->joints[j].parent], local) : local;
    }
}

lope_status lope_bvh_skeleton(const bvh_bones *bones, const int *roles, lope_skeleton **out, lope_error *error)
{
    *out = NULL;
    const bvh_document *document = bones->document;
    size_t joints = (size_t)document->joint_count;
    int *parents = lope_alloc_array(joints, sizeof *parents);
    lope_transform *rest = lope_alloc_array(joints, sizeof *rest);
    lope_vec3 *tips = lope_alloc_array(joints, sizeof *tips);
    const char **names = NULL;
    lope_status status = parents && rest && tips ? LOPE_OK : lope_fail_memory(error);
    if (!status)
        status = lope_bvh_names(document, &names, error);
    for (size_t j = 0; j < joints && !status; j++) {
        bvh_bone bone = bones->bone(bones->user, (int)j);
        parents[j] = document->joints[j].parent;
        rest[j] = (lope_transform){lope_quat_identity(), bone.offset};
        tips[j] = bone.tip;
    }
    lope_skeleton_def def = {document->joint_count, names, parents, rest, tips, roles, NULL};
    if (!status)
        status = lope_skeleton_create(&def, out, error);
    lope_free(parents);
    lope_free(rest);
    lope_free(tips);
    lope_free(names);
    return status;
}

// Joints that position channels move have no better offset than that of some frame; the last one is never a T-pose.
static bvh_bone plain_bone(const void *user, int joint)
{
    const bvh_document *document = user;
    return (bvh_bone){bvh_translation(document, document->frame_count - 1, joint), document->joints[joint].tip};
}

lope_status lope_bvh_plain_skeleton(const bvh_document *document, const int *roles, lope_skeleton **out,
                                    lope_error *error)
{
    return lope_bvh_skeleton(&(bvh_bones){document, plain_bone, document}, roles, out, error);
}

lope_status lope_bvh_evidence(const bvh_document *document, const lope_skeleton *skeleton, lope_evidence *out,
                              lope_error *error)
{
    size_t joints = (size_t)document->joint_count;
    *out = (lope_evidence){0};
    document_view view = {document, lope_alloc_array(joints, sizeof *view.rotations),
                          lope_alloc_array(joints, sizeof *view.last)};
    lope_status status = view.rotations && view.last ? LOPE_OK : lope_fail_memory(error);
    evidence_source source = {skeleton, document->frame_count, document->frame_rate, document_model, &view};
    if (!status)
        status = lope_evidence_gather(&source, out, error);
    lope_free(view.rotations);
    lope_free(view.last);
    return status;
}
