// SPDX-License-Identifier: MIT
#include "grasp/passage.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/plane.h"
#include "lope/contacts.h"
#include "lope/ik.h"

#define STEP 0.05f  // metres between points
#define MARGIN 1.2f // metres before and after
#define OPEN 2.6f   // metres of headroom there
#define MOUTH 0.2f  // metres that a ceiling reaches beyond the first and last place that is told
#define SMOOTH_ROUNDS 40
#define THICK 0.3        // metres of ground and ceiling
#define LOOKS_AHEAD 0.15 // metres: which way the body faces
#define GIVE_ROUNDS 16
#define LONGEST 0.999f // of its length that a limb uses
#define TANGENT 3      // points to either side that directions are taken from

// --- Finding

static void add_line(passage *p, lope_vec3 from, lope_vec3 to, float room)
{
    float length = lope_v3_distance(from, to);
    int pieces = (int)ceilf(length / STEP);
    for (int i = 1; i <= pieces && p->count < PASSAGE_POINTS; i++) {
        p->at[p->count] = lope_v3_lerp(from, to, (float)i / (float)pieces);
        p->room[p->count++] = room;
    }
}

// Cells make corners; bodies go in curves. Both ends stay.
static void smooth(passage *p)
{
    for (int round = 0; round < SMOOTH_ROUNDS; round++) {
        lope_vec3 before = p->at[0];
        for (int i = 1; i + 1 < p->count; i++) {
            lope_vec3 was = p->at[i], middle = lope_v3_lerp(before, p->at[i + 1], 0.5f);
            p->at[i] = lope_v3_lerp(was, middle, 0.5f);
            before = was;
        }
    }
}

static lope_vec3 direction(const passage *p, int i)
{
    int a = i - TANGENT < 0 ? 0 : i - TANGENT, b = i + TANGENT >= p->count ? p->count - 1 : i + TANGENT;
    lope_vec3 d = lope_v3_sub(p->at[b], p->at[a]);
    d.y = 0.0f;
    return lope_v3_normalize(d, lope_v3(1, 0, 0));
}

static lope_vec3 middle_of(const lope_link_step *step)
{
    return lope_v3_lerp(step->left, step->right, 0.5f);
}

// Ground and ceiling along x, from MARGIN before the beginning to MARGIN after the end.
static void lay_out(passage *p, double first, double last)
{
    lope_xy *ground = p->corners[0], *ceiling = p->corners[1];
    double low = 1e3, high = -1e3, x = 0.0, end;
    int count = 0, above = 0;
    for (int i = 0; i < p->count; i++)
        low = fmin(low, (double)p->at[i].y), high = fmax(high, (double)p->at[i].y);
    ground[count++] = xy(-(double)MARGIN, (double)p->at[0].y);
    for (int i = 0; i < p->count; i++) {
        lope_vec3 d = i ? lope_v3_sub(p->at[i], p->at[i - 1]) : lope_v3(0, 0, 0);
        x += sqrt((double)(d.x * d.x + d.z * d.z));
        bool inside = x >= first && x <= last;
        if (i % 4 == 0 && x > 0.0)
            ground[count++] = xy(x, (double)p->at[i].y);
        if (inside && (above == 0 || i % 4 == 0))
            ceiling[above++] = xy(x, (double)(p->at[i].y + p->room[i]));
    }
    end = x;
    p->length = end;
    ground[count++] = xy(end + (double)MARGIN, (double)p->at[p->count - 1].y);
    ground[count++] = xy(end + (double)MARGIN, low - THICK);
    ground[count++] = xy(-(double)MARGIN, low - THICK);
    if (above == 1) {
        ceiling[above] = xy(ceiling[0].x + 0.05, ceiling[0].y);
        above++;
    }
    double top = above ? ceiling[0].y : 0.0;
    for (int i = 0; i < above; i++)
        top = fmax(top, ceiling[i].y);
    lope_xy back = ceiling[0], front = ceiling[above ? above - 1 : 0];
    ceiling[above] = xy(front.x, top + THICK);
    ceiling[above + 1] = xy(back.x, top + THICK);
    p->solids[0] = (lope_grasp_polygon){ground, count};
    p->solids[1] = (lope_grasp_polygon){ceiling, above + 2};
    p->world = lope_grasp_world_def_default();
    p->world.low = xy(-(double)MARGIN, low - THICK);
    p->world.high = xy(end + (double)MARGIN, high + (double)OPEN);
    p->world.obstacle_count = above ? 2 : 1;
    p->world.obstacles = p->solids;
}

bool passage_find(const lope_floors *floors, const lope_link *link, passage *p)
{
    int count;
    const lope_link_step *steps = lope_floors_steps(floors, &count) + link->first;
    lope_vec3 before = link->from;
    p->count = 0;
    p->at[p->count] = link->from;
    p->room[p->count++] = OPEN;
    int first = 0, last = 0;
    for (int i = 0; i < link->count; i++) {
        lope_vec3 here = middle_of(&steps[i]);
        int was = p->count;
        add_line(p, before, here, steps[i].headroom);
        first = i == 0 ? p->count - 1 : first;
        last = p->count - 1;
        before = here;
        for (int k = was; k < p->count && i > 0; k++) // the lower of the two that it lies between
            p->room[k] = fminf(steps[i - 1].headroom, steps[i].headroom);
    }
    add_line(p, before, link->to, link->count ? steps[link->count - 1].headroom : OPEN);
    if (p->count >= PASSAGE_POINTS || p->count < 3)
        return false;
    smooth(p);
    double along[2] = {0.0, 0.0}, x = 0.0;
    for (int i = 1; i < p->count; i++) {
        x += (double)lope_v3_distance(p->at[i], p->at[i - 1]);
        along[0] = i == first ? x : along[0];
        along[1] = i == last ? x : along[1];
    }
    p->along = direction(p, 0);
    lay_out(p, fmax(along[0] - (double)MOUTH, 0.06), fmin(along[1] + (double)MOUTH, x - 0.06));
    return true;
}

// --- Bending

typedef struct bend {
    lope_vec3 at; // of the way
    lope_quat turn;
    lope_vec3 side;
} bend;

// Where the way is so far along it, in the frame in which it begins along x.
static bend bend_at(const passage *p, double x)
{
    lope_vec3 side = lope_v3_cross(p->along, lope_v3(0, 1, 0));
    double share = clamp_to(x / p->length, 0.0, 1.0) * (p->count - 1);
    int i = (int)fmin(floor(share), p->count - 2);
    float t = (float)(share - i);
    lope_vec3 at = lope_v3_lerp(p->at[i], p->at[i + 1], t);
    lope_vec3 ahead = lope_v3_normalize(lope_v3_lerp(direction(p, i), direction(p, i + 1), t), p->along);
    at = lope_v3_mad(at, ahead, (float)(x - clamp_to(x, 0.0, p->length)));
    lope_vec3 from = lope_v3_sub(at, p->at[0]);
    float along = lope_v3_dot(ahead, p->along), aside = lope_v3_dot(ahead, side);
    return (bend){lope_v3(lope_v3_dot(from, p->along), 0.0f, lope_v3_dot(from, side)),
                  lope_quat_yaw((float)lope_atan2(-(double)aside, (double)along)), lope_v3(-aside, 0.0f, along)};
}

static lope_vec3 bent_point(const passage *p, lope_vec3 v)
{
    bend b = bend_at(p, (double)v.x);
    lope_vec3 at = lope_v3_mad(b.at, b.side, v.z);
    at.y = v.y;
    return at;
}

typedef struct bender {
    const passage *passage;
    const lope_skeleton *skeleton;
    lope_transform *model;
    lope_quat *turn; // [joint_count] from how a joint was to how it is
    lope_limb limbs[4];
    float *anchor; // [frame_count * 4] how far along the way each limb's end counts as: still while it holds
} bender;

static const uint16_t contact_bits[4] = {LOPE_CONTACT_LEFT_HAND, LOPE_CONTACT_RIGHT_HAND, LOPE_CONTACT_LEFT_FOOT,
                                         LOPE_CONTACT_RIGHT_FOOT};

// A limb that holds must not turn where its ankle or wrist moves on: it is bent as at the place where it took hold.
static void find_anchors(bender *b, const lope_clip *clip)
{
    for (int i = 0; i < clip->frame_count; i++) {
        lope_clip_model(clip, i, b->model);
        for (int k = 0; k < 4; k++)
            b->anchor[4 * i + k] = b->model[b->limbs[k].end].translation.x;
    }
    for (int k = 0; k < 4; k++) {
        int held = -1; // the last frame that held
        for (int i = 0; i < clip->frame_count; i++) {
            if (!(clip->contacts[i] & contact_bits[k]))
                continue;
            if (i > 0 && clip->contacts[i - 1] & contact_bits[k])
                b->anchor[4 * i + k] = b->anchor[4 * (i - 1) + k];
            for (int j = held + 1; j < i && held >= 0; j++) {
                float t = (float)(j - held) / (float)(i - held);
                b->anchor[4 * j + k] = b->anchor[4 * held + k] * (1.0f - t) + b->anchor[4 * i + k] * t;
            }
            held = i;
        }
    }
}

static lope_vec3 bent_end(const bend *there, lope_vec3 end, float anchor)
{
    return lope_v3_add(there->at, lope_quat_rotate(there->turn, lope_v3(end.x - anchor, end.y, end.z)));
}

// The body goes after limbs that hold and do not reach round the bend. Returns where its root is.
static lope_vec3 give_way(const bender *b, const lope_clip *clip, int frame, lope_vec3 to, lope_quat turn)
{
    const lope_vec3 root = b->model[0].translation;
    for (int round = 0; round < GIVE_ROUNDS; round++)
        for (int k = 0; k < 4; k++) {
            const lope_limb *l = &b->limbs[k];
            if (!(clip->contacts[frame] & contact_bits[k]))
                continue;
            lope_vec3 a = b->model[l->upper].translation, c = b->model[l->lower].translation,
                      e = b->model[l->end].translation;
            float anchor = b->anchor[4 * frame + k],
                  reach = LONGEST * (lope_v3_distance(a, c) + lope_v3_distance(c, e));
            bend there = bend_at(b->passage, (double)anchor);
            lope_vec3 base = lope_v3_add(to, lope_quat_rotate(turn, lope_v3_sub(a, root)));
            lope_vec3 way = lope_v3_sub(bent_end(&there, e, anchor), base);
            float far = lope_v3_length(way);
            if (far > reach)
                to = lope_v3_mad(to, way, (far - reach) / far);
        }
    return to;
}

// How a limb has to turn for its end to come to its place.
static void bend_limb(bender *b, const lope_limb *limb, float anchor, const lope_vec3 roots[2], lope_quat turn)
{
    const lope_transform *m = b->model;
    lope_vec3 points[3], a = m[limb->upper].translation, c = m[limb->lower].translation, e = m[limb->end].translation;
    const lope_vec3 old[3] = {a, c, e};
    for (int i = 0; i < 3; i++)
        points[i] = lope_v3_add(roots[1], lope_quat_rotate(turn, lope_v3_sub(old[i], roots[0])));
    bend there = bend_at(b->passage, (double)anchor);
    lope_vec3 target = bent_end(&there, e, anchor), reached;
    lope_vec3 pole = lope_v3_sub(points[1], lope_v3_lerp(points[0], points[2], 0.5f));
    lope_vec3 middle =
        lope_ik_middle(points[0], lope_v3_distance(a, c), lope_v3_distance(c, e), target, pole, 0.0f, &reached);
    const lope_vec3 up = lope_v3(0, -1, 0);
    lope_quat first = lope_quat_between(lope_v3_normalize(lope_v3_sub(points[1], points[0]), up),
                                        lope_v3_normalize(lope_v3_sub(middle, points[0]), up));
    lope_quat second = lope_quat_between(lope_v3_normalize(lope_v3_sub(points[2], points[1]), up),
                                         lope_v3_normalize(lope_v3_sub(reached, middle), up));
    b->turn[limb->upper] = lope_quat_mul(first, turn);
    b->turn[limb->lower] = lope_quat_mul(second, turn);
    b->turn[limb->end] = there.turn;
}

static void bend_frame(bender *b, lope_clip *clip, int frame)
{
    const lope_skeleton *s = b->skeleton;
    lope_quat *rotations = clip->rotations + (size_t)frame * (size_t)s->joint_count;
    lope_clip_model(clip, frame, b->model);
    const lope_vec3 root = b->model[0].translation;
    lope_quat turn = bend_at(b->passage, (double)root.x + LOOKS_AHEAD).turn;
    const lope_vec3 roots[2] = {root, give_way(b, clip, frame, bent_point(b->passage, root), turn)};
    for (int j = 0; j < s->joint_count; j++)
        b->turn[j] = (lope_quat){0, 0, 0, 0}; // as its parent
    b->turn[0] = turn;
    for (int i = 0; i < 4; i++)
        bend_limb(b, &b->limbs[i], b->anchor[4 * frame + i], roots, turn);
    for (int j = 0; j < s->joint_count; j++) {
        int parent = s->parents[j];
        if (b->turn[j].w == 0.0f && b->turn[j].x == 0.0f && b->turn[j].y == 0.0f && b->turn[j].z == 0.0f)
            b->turn[j] = b->turn[parent];
        lope_quat mine = lope_quat_mul(b->turn[j], b->model[j].rotation);
        lope_quat its = parent >= 0 ? lope_quat_mul(b->turn[parent], b->model[parent].rotation) : mine;
        rotations[j] = lope_quat_normalize(parent >= 0 ? lope_quat_mul(lope_quat_conjugate(its), mine) : mine);
    }
    clip->root[frame] = roots[1];
}

lope_status passage_bend(const passage *p, lope_clip *clip, lope_error *error)
{
    bender b = {.passage = p, .skeleton = clip->skeleton};
    b.model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *b.model);
    b.turn = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *b.turn);
    b.anchor = lope_alloc_array(4 * (size_t)clip->frame_count, sizeof *b.anchor);
    lope_status status = b.model && b.turn && b.anchor ? LOPE_OK : lope_fail_memory(error);
    for (int i = 0; i < 2; i++) {
        lope_skeleton_arm(clip->skeleton, i ? LOPE_RIGHT : LOPE_LEFT, &b.limbs[i]);
        lope_skeleton_leg(clip->skeleton, i ? LOPE_RIGHT : LOPE_LEFT, &b.limbs[2 + i]);
    }
    if (!status)
        find_anchors(&b, clip);
    for (int i = 0; i < clip->frame_count && !status; i++)
        bend_frame(&b, clip, i);
    if (!status)
        lope_clip_align_quaternions(clip);
    lope_free(b.model);
    lope_free(b.turn);
    lope_free(b.anchor);
    return status;
}
