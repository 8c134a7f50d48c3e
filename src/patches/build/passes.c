// SPDX-License-Identifier: MIT
#include "patches/build/passes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "lope/contacts.h"
#include "lope/graph.h"
#include "lope/ground.h"

// Slower than this (metres per second) is not walking.
#define WALKING_SPEED 0.5f
// And slower than this is standing.
#define STANDING_SPEED 0.08f
// Groups whose typical poses are tried as kinds of poses: the largest ones.
#define TRIED_GROUPS 128

static float speed_at(const lope_set *set, int pose)
{
    int clip_index, frame;
    lope_set_pose(set, pose, &clip_index, &frame);
    const lope_clip *clip = set->clips[clip_index];
    int before = frame > 0 ? frame - 1 : 0, after = frame + 1 < clip->frame_count ? frame + 1 : frame;
    if (after == before)
        return 0.0f;
    lope_vec3 way = lope_v3_sub(clip->root[after], clip->root[before]);
    return sqrtf(way.x * way.x + way.z * way.z) * (float)(clip->frame_rate / (after - before));
}

static int frames_around(const pose_features *features, int pose, float ball)
{
    int count = 0;
    const float *centre = pose_row(features, pose);
    for (int i = 0; i < features->count; i++)
        count += pose_chord2(centre, pose_row(features, i), features->width) <= ball * ball;
    return count;
}

static bool is_new_kind(const pose_features *features, const pose_kinds *kinds, int pose, float apart)
{
    for (int k = 0; k < kinds->count; k++)
        if (pose_chord2(pose_row(features, pose), pose_row(features, kinds->frames[k]), features->width) <
            apart * apart)
            return false;
    return true;
}

lope_vec2 pose_foot_place(const lope_clip *clip, int frame, int side, lope_transform *model)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_clip_model(clip, frame, model);
    lope_contact_points(clip->skeleton, model, points);
    lope_vec3 middle = lope_v3_lerp(points[2 * side], points[2 * side + 1], 0.5f);
    lope_transform local = lope_ground_transform(lope_ground_inverse(lope_clip_ground(clip, frame)));
    middle = lope_transform_point(local, middle);
    return (lope_vec2){middle.x, middle.z};
}

// The foot that stays on the ground longer from here on.
static int standing_foot(const lope_clip *clip, int frame)
{
    int lasts[2] = {0, 0};
    for (int side = 0; side < 2 && clip->contacts; side++) {
        unsigned parts = side == LOPE_LEFT ? LOPE_CONTACT_LEFT_FOOT : LOPE_CONTACT_RIGHT_FOOT;
        while (frame + lasts[side] < clip->frame_count && clip->contacts[frame + lasts[side]] & parts)
            lasts[side]++;
    }
    return lasts[1] > lasts[0] ? LOPE_RIGHT : LOPE_LEFT;
}

typedef struct crowded_pose {
    int32_t pose;
    int size;
} crowded_pose;

static int by_size(const void *a, const void *b)
{
    const crowded_pose *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size) - (x->size > y->size) : (x->pose > y->pose) - (x->pose < y->pose);
}

typedef struct kind_search {
    const lope_set *set;
    const pose_features *features;
    const lope_groups *groups;
    float ball;
    crowded_pose *tried; // [group count]
} kind_search;

// Adds up to `wanted` kinds of poses with a speed in the given range and `apart` from those there are, those with most
// frames around them first.
static void add_kinds(const kind_search *search, float slowest, float fastest, float apart, int wanted, pose_kinds *out)
{
    int count = 0;
    const lope_groups *groups = search->groups;
    for (int g = 0; g < groups->group_count; g++) {
        float speed = speed_at(search->set, groups->typical[g]);
        if (speed >= slowest && speed < fastest)
            search->tried[count++] = (crowded_pose){groups->typical[g], groups->first[g + 1] - groups->first[g]};
    }
    qsort(search->tried, (size_t)count, sizeof *search->tried, by_size);
    count = count < TRIED_GROUPS ? count : TRIED_GROUPS;
    for (int i = 0; i < count; i++)
        search->tried[i].size = frames_around(search->features, search->tried[i].pose, search->ball);
    qsort(search->tried, (size_t)count, sizeof *search->tried, by_size);
    for (int i = 0, added = 0; i < count && added < wanted && out->count < MAX_POSES; i++)
        if (is_new_kind(search->features, out, search->tried[i].pose, apart)) {
            out->frames[out->count] = search->tried[i].pose;
            out->sizes[out->count++] = search->tried[i].size;
            added++;
        }
}

lope_status pose_kinds_find(const lope_set *set, const pose_features *features, const lope_groups *groups, int wanted,
                            float ball, pose_kinds *out, lope_error *error)
{
    kind_search search = {set, features, groups, ball,
                          lope_alloc_array((size_t)groups->group_count, sizeof *search.tried)};
    lope_transform *model = lope_alloc_array((size_t)set->skeleton->joint_count, sizeof *model);
    memset(out, 0, sizeof *out);
    if (!search.tried || !model) {
        lope_free(search.tried);
        lope_free(model);
        return lope_fail_memory(error);
    }
    add_kinds(&search, WALKING_SPEED, INFINITY, 2.0f * ball, wanted, out);
    int walking = out->count;
    add_kinds(&search, 0.0f, STANDING_SPEED, 0.5f * ball, 1, out); // slow walks come near to standing
    out->standing = out->count > walking ? walking : -1;
    for (int k = 0; k < out->count; k++) {
        int clip, frame;
        lope_set_pose(set, out->frames[k], &clip, &frame);
        out->feet[k] = standing_foot(set->clips[clip], frame);
        out->steps[k] = pose_foot_place(set->clips[clip], frame, out->feet[k], model);
    }
    lope_free(search.tried);
    lope_free(model);
    return LOPE_OK;
}

// Whether no frame within `around` frames is nearer to a pose; the first of equals.
static bool is_nearest(const pose_features *features, const float *centre, int base, int frame, int around, int count)
{
    float d = pose_chord2(centre, pose_row(features, base + frame), features->width);
    int first = frame > around ? frame - around : 0, last = frame + around < count ? frame + around : count - 1;
    for (int f = first; f <= last; f++) {
        float other = pose_chord2(centre, pose_row(features, base + f), features->width);
        if (other < d || (other == d && f < frame))
            return false;
    }
    return true;
}

static bool find_passes(const lope_set *set, const pose_features *features, const pose_kinds *kinds, float ball,
                        int clip_index, lope_transform *model, list *passes)
{
    const lope_clip *clip = set->clips[clip_index];
    int base = lope_set_first_pose(set, clip_index);
    for (int frame = 0; frame < clip->frame_count; frame++)
        for (int k = 0; k < kinds->count; k++) {
            const float *centre = pose_row(features, kinds->frames[k]);
            float d = pose_chord2(centre, pose_row(features, base + frame), features->width);
            int around = k == kinds->standing ? (int)(0.5 * clip->frame_rate) : 1;
            if (d > ball * ball || !is_nearest(features, centre, base, frame, around, clip->frame_count))
                continue;
            lope_vec2 foot = pose_foot_place(clip, frame, kinds->feet[k], model);
            pose_pass pass = {clip_index, frame,    base + frame,
                              k,          sqrtf(d), {kinds->steps[k].x - foot.x, kinds->steps[k].z - foot.z}};
            if (!list_add(passes, &pass, sizeof pass))
                return false;
        }
    return true;
}

// The end of a bent piece is the sum of its steps, each turned by the bend up to its middle: as a power series, because
// a search asks for it millions of times. Four terms are right to a millimetre per metre for half a radian.
static void find_moments(const lope_ground *track, const float *lengths, int frames, pose_piece *piece)
{
    double sums[4][2] = {{0.0}}, s = lope_sin(-(double)track[0].yaw), c = lope_cos(-(double)track[0].yaw);
    for (int f = 0; f + 1 < frames; f++) {
        double dx = (double)(track[f + 1].x - track[f].x), dz = (double)(track[f + 1].z - track[f].z);
        double x = dx * c + dz * s, z = dz * c - dx * s;
        double share =
            (0.5 * (double)(lengths[f] + lengths[f + 1]) - (double)lengths[0]) / fmax((double)piece->length, 1e-6);
        for (int n = 0; n < 4; n++) {
            sums[n][0] += x;
            sums[n][1] += z;
            // Derivative of turning by a yaw: (x, z) becomes (z, -x).
            double next_x = z * share / (n + 1), next_z = -x * share / (n + 1);
            x = next_x;
            z = next_z;
        }
    }
    for (int n = 0; n < 4; n++)
        piece->moments[n] = (lope_vec2){(float)sums[n][0], (float)sums[n][1]};
    piece->turn = lope_wrap_angle(track[frames - 1].yaw - track[0].yaw);
}

static float ground_distance(lope_ground a, lope_ground b)
{
    return sqrtf((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
}

// Metres walked up to each frame of a clip.
static void find_lengths(const lope_ground *track, int frames, float *lengths)
{
    lengths[0] = 0.0f;
    for (int f = 1; f < frames; f++)
        lengths[f] = lengths[f - 1] + ground_distance(track[f - 1], track[f]);
}

static bool find_pieces_of_clip(const lope_ground *track, const list *passes, int first_pass, const float *lengths,
                                float shortest, float longest, int min_frames, int standing, list *pieces)
{
    const pose_pass *all = passes->items;
    for (int a = first_pass; a < passes->count; a++)
        for (int b = a + 1; b < passes->count; b++) {
            float length = lengths[all[b].frame] - lengths[all[a].frame];
            if (length > longest)
                break;
            bool stands = all[a].kind == standing && all[b].kind == standing;
            if ((length < shortest && !stands) || all[b].frame - all[a].frame < min_frames)
                continue;
            pose_piece piece = {a, b, pose_kinds_key(all[a].kind, all[b].kind), length, 0.0f, {{0.0f, 0.0f}}};
            int first = all[a].frame;
            find_moments(track + first, lengths + first, all[b].frame - first + 1, &piece);
            if (!list_add(pieces, &piece, sizeof piece))
                return false;
        }
    return true;
}

static int by_kinds_and_turn(const void *a, const void *b)
{
    const pose_piece *x = a, *y = b;
    if (x->kinds != y->kinds)
        return x->kinds < y->kinds ? -1 : 1;
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

static void sort_pieces(pose_pieces *p)
{
    qsort(p->pieces, (size_t)p->count, sizeof *p->pieces, by_kinds_and_turn);
    int at = 0;
    for (int k = 0; k < MAX_POSES * MAX_POSES; k++) {
        p->first[k] = at;
        while (at < p->count && p->pieces[at].kinds == k)
            at++;
    }
    p->first[MAX_POSES * MAX_POSES] = at;
}

lope_status pose_pieces_find(const lope_set *set, const patch_tracks *tracks, const pose_features *features,
                             const pose_kinds *kinds, float ball, float shortest, float longest, float min_seconds,
                             pose_pieces *out, lope_error *error)
{
    list passes = {0}, pieces = {0};
    lope_transform *model = lope_alloc_array((size_t)set->skeleton->joint_count, sizeof *model);
    bool ok = model != NULL;
    for (int c = 0; c < set->clip_count && ok; c++) {
        const lope_clip *clip = set->clips[c];
        float *lengths = lope_alloc_array((size_t)clip->frame_count, sizeof *lengths);
        int first_pass = passes.count, min_frames = (int)(min_seconds * (float)clip->frame_rate + 0.5f);
        ok = lengths != NULL;
        if (ok) {
            const lope_ground *track = patch_track(tracks, c, 0);
            find_lengths(track, clip->frame_count, lengths);
            ok = find_passes(set, features, kinds, ball, c, model, &passes) &&
                 find_pieces_of_clip(track, &passes, first_pass, lengths, shortest, longest, min_frames,
                                     kinds->standing, &pieces);
        }
        lope_free(lengths);
    }
    lope_free(model);
    *out = (pose_pieces){
        .pass_count = passes.count, .passes = passes.items, .count = pieces.count, .pieces = pieces.items};
    if (ok && pieces.count > 0)
        sort_pieces(out);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

void pose_pieces_destroy(pose_pieces *pieces)
{
    lope_free(pieces->passes);
    lope_free(pieces->pieces);
    memset(pieces, 0, sizeof *pieces);
}
