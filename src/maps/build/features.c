// SPDX-License-Identifier: MIT
// Where walking clips are cut: where one ankle passes the other along the way the body faces (Mahmudi and Kallmann
// 2011), and where the body comes to a stand or leaves it. Crossings count only where the ankles were well apart before
// and after, so that shuffling feet do not make pieces of a few frames.
#include "base/error.h"
#include "base/memory.h"
#include "maps/build/graph_parts.h"

#define APART 0.06f         // of the leg's length: ankles that far apart have crossed
#define SHORTEST_STAND 0.1  // seconds: shorter rests are part of a step
#define STAND_SHARE 0.2     // seconds of a longer rest that belong to the piece that stops or starts
#define SHORTEST_PIECE 0.13 // seconds: less is no step

// How far the right ankle is ahead of the left one.
static float ahead(const step_body *body, int frame)
{
    const int *roles = body->set->skeleton->roles;
    const lope_vec3 *joints = body->joint_at + (size_t)frame * (size_t)body->joints;
    lope_vec3 apart = lope_v3_sub(joints[roles[LOPE_RIGHT_ANKLE]], joints[roles[LOPE_LEFT_ANKLE]]);
    return apart.x * body->heading[frame].x + apart.z * body->heading[frame].z;
}

// Crossings in frames [first, end) of a clip.
static void cut_crossings(const step_body *body, int clip, int first, int end, step_cuts *cuts)
{
    float enough = APART * lope_skeleton_leg_length(body->set->skeleton);
    int side = 0, sign_before = 0, changed = first; // side: which ankle was last well ahead, 1 the right one
    for (int f = first; f < end; f++) {
        float value = ahead(body, step_frame(body, clip, f));
        int sign = value > 0.0f ? 1 : -1;
        if (sign != sign_before)
            changed = f;
        sign_before = sign;
        if (fabsf(value) < enough || sign == side)
            continue;
        if (side) {
            step_bound bound = sign > 0 ? BOUND_RIGHT : BOUND_LEFT;
            cuts->items[cuts->count++] = (step_cut){changed, bound, bound};
        }
        side = sign;
    }
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

void step_cuts_find(const step_body *body, int clip, bool crossings, step_cuts *cuts)
{
    const lope_clip *c = body->set->clips[clip];
    const uint8_t *still = body->still + body->clip_first[clip];
    int shortest = (int)(SHORTEST_STAND * c->frame_rate + 0.5), share = (int)(STAND_SHARE * c->frame_rate + 0.5);
    int walks_from = 0;
    cuts->count = 0;
    for (int f = 0; f < c->frame_count; f++) {
        if (!still[f])
            continue;
        int begin = f;
        while (f + 1 < c->frame_count && still[f + 1])
            f++;
        int length = f - begin + 1;
        if (length < shortest)
            continue;
        int kept = min_int(share, length / 2);
        if (crossings)
            cut_crossings(body, clip, walks_from, begin, cuts);
        if (begin > 0)
            cuts->items[cuts->count++] = (step_cut){begin + kept, BOUND_STAND, BOUND_NONE};
        if (f + 1 < c->frame_count)
            cuts->items[cuts->count++] = (step_cut){f + 1 - kept, BOUND_NONE, BOUND_STAND};
        walks_from = f + 1;
    }
    if (crossings)
        cut_crossings(body, clip, walks_from, c->frame_count, cuts);
}

bool step_pieces_push(step_pieces *pieces, step_piece piece)
{
    if (pieces->count == pieces->capacity) {
        size_t old = (size_t)pieces->capacity, capacity = old ? 2 * old : 256;
        step_piece *items = lope_grow(pieces->items, old * sizeof *items, capacity * sizeof *items);
        if (!items)
            return false;
        pieces->items = items;
        pieces->capacity = (int)capacity;
    }
    pieces->items[pieces->count++] = piece;
    return true;
}

// Whether the body squats or bends down to the floor somewhere between two frames of a clip.
static bool stoops(const step_body *body, int clip, int first, int last)
{
    const float *stature = body->stature + body->clip_first[clip];
    bool low = false;
    for (int f = first; f <= last; f++)
        low = low || stature[f] < body->stooped;
    return low;
}

static bool push_clip(const step_body *body, int clip, const step_cuts *cuts, step_pieces *out)
{
    int shortest = (int)(SHORTEST_PIECE * body->set->clips[clip]->frame_rate + 0.5);
    for (int k = 0; k + 1 < cuts->count; k++) {
        const step_cut *a = &cuts->items[k], *b = &cuts->items[k + 1];
        if (a->after == BOUND_NONE || b->before == BOUND_NONE || b->frame - a->frame < (shortest > 1 ? shortest : 2))
            continue;
        if (stoops(body, clip, a->frame, b->frame - 1))
            continue;
        if (!step_pieces_push(out, (step_piece){clip, a->frame, b->frame - 1, a->after, b->before}))
            return false;
    }
    return true;
}

lope_status step_pieces_of_features(const step_body *body, step_pieces *out, lope_error *error)
{
    *out = (step_pieces){0};
    int longest = 0;
    for (int c = 0; c < body->set->clip_count; c++)
        longest = body->set->clips[c]->frame_count > longest ? body->set->clips[c]->frame_count : longest;
    step_cuts cuts = {lope_alloc_array(STEP_CUTS_OF(longest), sizeof *cuts.items), 0};
    bool fine = cuts.items != NULL;
    for (int c = 0; c < body->set->clip_count && fine; c++) {
        step_cuts_find(body, c, true, &cuts);
        fine = push_clip(body, c, &cuts, out);
    }
    lope_free(cuts.items);
    return fine ? LOPE_OK : lope_fail_memory(error);
}
