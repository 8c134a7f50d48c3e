// SPDX-License-Identifier: MIT
// The manner of a subject: of all its strides the one that most others are like, the mean of those, and how they differ
// from the built-in walk of the same stride and tempo on the same skeleton, phase by phase. Where the set stands, the
// same for standing; where it does not, pelvis, trunk and arms are held as they are on average while walking.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fill/fill.h"
#include "lope/ground.h"
#include "motion/joints.h"
#include "synth/gait.h"

#define STRAIGHT 0.14f    // radians per step
#define CIRCLING 0.7f     // likewise
#define ALIKE 0.12f       // radians: strides whose joints differ by about this much are of one walk
#define ALIKE_SPEED 0.15f // parts of the speed, likewise
#define MOST_STRIDES 192  // that are compared with each other
#define HOME_SPEED 0.25f  // parts of the speed by which a walk may change and still go on
#define HOME_TURN 0.2f    // radians
#define BUILTIN_LEG 0.84f // metres, of the built-in performer
// Factors on the built-in walk within which it is performed well; the rest of a stride is stretched afterwards.
#define LEAST_STRIDE 0.6f
#define MOST_STRIDE 1.0f
#define LEAST_TEMPO 0.6f
#define MOST_TEMPO 1.5f

typedef struct stride_book {
    const lope_set *set;
    fill_stride *strides;
    fill_cycle *cycles; // [count]
    int count;
} stride_book;

static void close_book(stride_book *book)
{
    for (int i = 0; book->cycles && i < book->count; i++)
        fill_cycle_free(&book->cycles[i]);
    lope_free(book->cycles);
    lope_free(book->strides);
}

static lope_status open_book(const lope_set *set, stride_book *book, lope_error *error)
{
    *book = (stride_book){.set = set};
    lope_status status = fill_strides_find(set, STRAIGHT, &book->strides, &book->count, error);
    if (!status && !book->count) { // a walk in circles shows a manner, too
        lope_free(book->strides);
        status = fill_strides_find(set, CIRCLING, &book->strides, &book->count, error);
    }
    if (status)
        return status;
    if (book->count > MOST_STRIDES) { // evenly over all clips
        for (int i = 0; i < MOST_STRIDES; i++)
            book->strides[i] = book->strides[(int)((int64_t)i * book->count / MOST_STRIDES)];
        book->count = MOST_STRIDES;
    }
    int joints = set->skeleton->joint_count;
    lope_transform *model = lope_alloc_array((size_t)joints, sizeof *model);
    book->cycles = lope_alloc_zero((size_t)book->count * sizeof *book->cycles + 1);
    bool room = model && book->cycles;
    for (int i = 0; i < book->count && room; i++) {
        room = fill_cycle_create(joints, &book->cycles[i]);
        if (room)
            fill_stride_sample(set->clips[book->strides[i].clip], &book->strides[i], model, &book->cycles[i]);
    }
    lope_free(model);
    return room ? LOPE_OK : lope_fail_memory(error);
}

// How alike two strides are, 0 .. 1: by the joints that carry the body.
static double likeness(const stride_book *book, int a, int b)
{
    const int *roles = book->set->skeleton->roles;
    const fill_cycle *p = &book->cycles[a], *q = &book->cycles[b];
    double sum = 0.0;
    int count = 0;
    for (int phase = 0; phase < FILL_PHASES; phase += 4)
        for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
            if (roles[r] < 0)
                continue;
            size_t at = (size_t)phase * (size_t)p->joints + (size_t)roles[r];
            double dot = (double)lope_quat_dot(p->rotations[at], q->rotations[at]);
            sum += 4.0 * (1.0 - dot * dot); // the angle squared, where it is small
            count++;
        }
    double angle = sum / count / (double)(ALIKE * ALIKE);
    double v = (double)(book->strides[a].length / book->strides[a].seconds);
    double w = (double)(book->strides[b].length / book->strides[b].seconds);
    double speed = (v - w) / ((double)ALIKE_SPEED * 0.5 * (v + w));
    return lope_exp(-0.5 * (angle + speed * speed));
}

static int most_typical(const stride_book *book)
{
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < book->count; i++) {
        double sum = 0.0;
        for (int k = 0; k < book->count; k++)
            sum += likeness(book, i, k);
        if (sum > most + 1e-6) {
            most = sum;
            best = i;
        }
    }
    return best;
}

static void add_turned(lope_quat *sum, lope_quat q, float weight)
{
    float w = lope_quat_dot(*sum, q) < 0.0f ? -weight : weight;
    sum->x += w * q.x;
    sum->y += w * q.y;
    sum->z += w * q.z;
    sum->w += w * q.w;
}

// Mean of the strides that are like `typical`; all count alike where it is negative.
static void mean_cycle(const stride_book *book, int typical, fill_cycle *out, fill_manner *manner)
{
    double total = 0.0, length = 0.0, seconds = 0.0;
    size_t numbers = (size_t)out->joints * FILL_PHASES;
    memset(out->rotations, 0, numbers * sizeof *out->rotations);
    for (int i = 0; i < book->count; i++) {
        double weight = typical < 0 ? 1.0 : likeness(book, typical, i);
        const fill_cycle *cycle = &book->cycles[i];
        for (size_t k = 0; k < numbers; k++)
            add_turned(&out->rotations[k], cycle->rotations[k], (float)weight);
        for (int p = 0; p < FILL_PHASES; p++) {
            out->height[p] += (float)weight * cycle->height[p];
            out->yaw[p] += (float)weight * cycle->yaw[p];
            for (int part = 0; part < 4; part++)
                out->touch[p][part] += (float)weight * cycle->touch[p][part];
        }
        total += weight;
        length += weight * (double)book->strides[i].length;
        seconds += weight * (double)book->strides[i].seconds;
    }
    for (size_t k = 0; k < numbers; k++)
        out->rotations[k] = lope_quat_normalize(out->rotations[k]);
    for (int p = 0; p < FILL_PHASES; p++) {
        out->height[p] /= (float)total;
        out->yaw[p] /= (float)total;
        for (int part = 0; part < 4; part++)
            out->touch[p][part] /= (float)total;
    }
    manner->step_length = (float)(0.5 * length / total);
    manner->step_time = (float)(0.5 * seconds / total);
    manner->speed = manner->step_length / manner->step_time;
}

// True where the clip walks on at the manner's speed and heading.
static bool walks_on(const lope_clip *clip, const fill_manner *manner, int frame, lope_vec2 heading)
{
    int reach = (int)(0.5 * (double)manner->step_time * clip->frame_rate + 0.5);
    int a = frame - reach, b = frame + reach;
    a = a < 0 ? 0 : a;
    b = b >= clip->frame_count ? clip->frame_count - 1 : b;
    lope_ground from = lope_clip_ground(clip, a), to = lope_clip_ground(clip, b);
    float x = to.x - from.x, z = to.z - from.z, way = sqrtf(x * x + z * z);
    float speed = way * (float)clip->frame_rate / (float)(b - a);
    float aside = fabsf(x * heading.z - z * heading.x), ahead = x * heading.x + z * heading.z;
    return fabsf(speed - manner->speed) < HOME_SPEED * manner->speed && ahead > 0.0f && aside < HOME_TURN * ahead;
}

static void find_home(const stride_book *book, const fill_stride *typical, fill_manner *manner)
{
    const lope_clip *clip = book->set->clips[typical->clip];
    lope_ground a = lope_clip_ground(clip, typical->strikes[0]), b = lope_clip_ground(clip, typical->strikes[2]);
    float way = fmaxf(typical->length, 1e-3f);
    lope_vec2 heading = {(b.x - a.x) / way, (b.z - a.z) / way};
    manner->home_clip = typical->clip;
    manner->home_first = typical->strikes[0];
    manner->home_end = typical->strikes[2] + 1;
    while (manner->home_first > 0 && walks_on(clip, manner, manner->home_first - 1, heading))
        manner->home_first--;
    while (manner->home_end < clip->frame_count && walks_on(clip, manner, manner->home_end, heading))
        manner->home_end++;
}

// The frame in the middle of the set's best stand: next to walking, or failing that the longest.
static lope_status find_stand(const lope_set *set, int *clip, int *frame, lope_error *error)
{
    int longest = 0;
    *clip = -1;
    for (int c = 0; c < set->clip_count; c++) {
        fill_steps found;
        lope_status status = fill_steps_find(set->clips[c], &found, error);
        if (status)
            return status;
        for (int i = 0; i < found.stand_count; i++) {
            int frames = found.stands[i].end - found.stands[i].first;
            for (int k = 0; k < found.count; k++)
                if (found.steps[k].kind == FILL_WALK) { // counts as much as ten minutes of standing elsewhere
                    frames += (int)(600.0 * set->clips[c]->frame_rate);
                    break;
                }
            if (frames <= longest)
                continue;
            longest = frames;
            *clip = c;
            *frame = (found.stands[i].first + found.stands[i].end) / 2;
        }
        fill_steps_free(&found);
    }
    return LOPE_OK;
}

static lope_quat without_heading(const lope_clip *clip, int frame, int joint)
{
    lope_quat q = clip->rotations[(size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)joint];
    return joint ? q : lope_quat_mul(lope_quat_yaw(-lope_clip_ground(clip, frame).yaw), q);
}

bool fill_carries(const lope_skeleton *skeleton, int joint)
{
    return joint == 0 || joint_is_above(skeleton, skeleton->roles[LOPE_LEFT_HIP], joint) ||
           joint_is_above(skeleton, skeleton->roles[LOPE_RIGHT_HIP], joint);
}

static void mean_posture(fill_manner *manner)
{
    int joints = manner->offsets.joints;
    for (int j = 0; j < joints; j++) {
        manner->stand[j] = lope_quat_identity();
        if (j > 0 && fill_carries(manner->skeleton, j))
            continue;
        for (int p = 0; p < FILL_PHASES; p++)
            add_turned(&manner->stand[j], manner->offsets.rotations[(size_t)p * (size_t)joints + (size_t)j], 1.0f);
        manner->stand[j].w -= 1.0f; // what the sum began with
        manner->stand[j] = lope_quat_normalize(manner->stand[j]);
    }
}

static lope_status find_posture(const lope_set *set, fill_manner *manner, lope_error *error)
{
    int clip, frame;
    lope_clip *carried = NULL;
    lope_status status = find_stand(set, &clip, &frame, error);
    if (status)
        return status;
    mean_posture(manner);
    manner->borrowed_stand = clip < 0;
    if (clip < 0)
        return LOPE_OK;
    status = fill_carry_plain(manner, (fill_part){.motion = "walk_start"}, &carried, error);
    if (status)
        return status;
    for (int j = 0; j < manner->offsets.joints; j++)
        manner->stand[j] = lope_quat_mul(without_heading(set->clips[clip], frame, j),
                                         lope_quat_conjugate(without_heading(carried, 0, j)));
    manner->stand_height = set->clips[clip]->root[frame].y - carried->root[0].y;
    lope_clip_destroy(carried);
    return LOPE_OK;
}

// What turns the built-in walk's cycle into the subject's.
static lope_status compare_cycles(fill_manner *manner, lope_error *error)
{
    lope_clip *walk;
    lope_set one = {.skeleton = NULL, .clip_count = 1, .clips = &walk};
    lope_status status = fill_carry_plain(manner, (fill_part){.motion = "walk_normal"}, &walk, error);
    if (status)
        return status;
    one.skeleton = walk->skeleton;
    stride_book book;
    fill_manner plain;
    fill_cycle carried = {0}, *own = &manner->offsets;
    status = open_book(&one, &book, error);
    if (!status && book.count == 0)
        status = lope_fail(error, LOPE_MISMATCH, "the built-in walk does not walk on this skeleton");
    if (!status && !fill_cycle_create(own->joints, &carried))
        status = lope_fail_memory(error);
    if (!status) {
        mean_cycle(&book, -1, &carried, &plain);
        manner->stretch = manner->step_length / plain.step_length;
        for (size_t k = 0; k < (size_t)own->joints * FILL_PHASES; k++)
            own->rotations[k] = lope_quat_mul(own->rotations[k], lope_quat_conjugate(carried.rotations[k]));
        for (int p = 0; p < FILL_PHASES; p++) {
            own->height[p] -= carried.height[p];
            own->yaw[p] -= carried.yaw[p];
        }
    }
    fill_cycle_free(&carried);
    close_book(&book);
    lope_clip_destroy(walk);
    return status;
}

static void no_manner(fill_manner *manner)
{
    manner->stride = manner->tempo = manner->stretch = 1.0f;
    for (size_t k = 0; k < (size_t)manner->offsets.joints * FILL_PHASES; k++)
        manner->offsets.rotations[k] = lope_quat_identity();
    for (int j = 0; j < manner->offsets.joints; j++)
        manner->stand[j] = lope_quat_identity();
    const synth_gait *normal = synth_gait_manners.normal;
    float scale = lope_skeleton_leg_length(manner->skeleton) / BUILTIN_LEG;
    manner->step_length = normal->step_length * scale;
    manner->step_time = normal->step_time;
    manner->speed = manner->step_length / manner->step_time;
}

static float within(float value, float least, float most)
{
    return fmaxf(least, fminf(value, most));
}

static lope_status measure(const stride_book *book, fill_manner *manner, lope_error *error)
{
    int typical = most_typical(book);
    no_manner(manner);
    if (typical < 0)
        return LOPE_OK;
    const synth_gait *normal = synth_gait_manners.normal;
    float scale = manner->step_length / normal->step_length;
    mean_cycle(book, typical, &manner->offsets, manner);
    manner->walks = true;
    manner->stride = within(manner->step_length / scale / normal->step_length, LEAST_STRIDE, MOST_STRIDE);
    manner->tempo = within(normal->step_time / manner->step_time, LEAST_TEMPO, MOST_TEMPO);
    find_home(book, &book->strides[typical], manner);
    lope_status status = compare_cycles(manner, error);
    return status ? status : find_posture(book->set, manner, error);
}

lope_status fill_manner_find(const lope_set *set, fill_manner *out, lope_error *error)
{
    *out = (fill_manner){.skeleton = set->skeleton, .frame_rate = set->clips[0]->frame_rate};
    stride_book book;
    lope_status status = open_book(set, &book, error);
    out->stand = lope_alloc_array((size_t)set->skeleton->joint_count, sizeof *out->stand);
    if (!status && (!fill_cycle_create(set->skeleton->joint_count, &out->offsets) || !out->stand))
        status = lope_fail_memory(error);
    lope_lock_learn(&out->lock, set->skeleton, set->clips, set->clip_count);
    if (!status)
        fill_ranges_find(set, out->hinges);
    if (!status)
        status = measure(&book, out, error);
    close_book(&book);
    if (status)
        fill_manner_free(out);
    return status;
}

void fill_manner_free(fill_manner *manner)
{
    fill_cycle_free(&manner->offsets);
    lope_free(manner->stand);
    *manner = (fill_manner){0};
}
