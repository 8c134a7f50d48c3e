// SPDX-License-Identifier: MIT
// Frames at which links begin and end: on the floor, where the clip passes a pose of the tile; on things, in the middle
// of every stretch in which the body touches least; and the ends of clips.
#include <stdlib.h>

#include "base/error.h"
#include "blocks/build/build.h"
#include "lope/graph.h"
#include "lope/ground.h"

// Passes on the floor, before and after things are touched, that are used.
#define FLOOR_PASSES 2
// And in captured performances, from every stretch on the floor.
#define ARRIVALS 2

static int bits_of(uint32_t mask)
{
    return __builtin_popcount(mask);
}

static float height_in(const pose_features *f, const float *row)
{
    return row[4 * f->turns + 3];
}

float kind_chord2(const blocks_build *b, int pose, float base, const pose_kind *kind)
{
    const pose_features *f = &b->features;
    const float *x = pose_row(f, pose), *y = pose_row(f, kind->pose);
    float plain = height_in(f, x) - height_in(f, y), carried = plain - base + kind->base;
    return fmaxf(pose_chord2(x, y, f->width) - plain * plain + carried * carried, 0.0f);
}

// Feet count as a whole: heels rise a frame earlier or later.
static uint32_t limbs_of(uint32_t contacts)
{
    const uint32_t left = LOPE_CONTACT_LEFT_FOOT, right = LOPE_CONTACT_RIGHT_FOOT;
    return contacts | (contacts & left ? left : 0u) | (contacts & right ? right : 0u);
}

int junction_kind(blocks_build *b, int pose, float base, uint32_t contacts)
{
    contacts = limbs_of(contacts);
    const pose_kind *kinds = b->kinds.items;
    int best = -1;
    float least = b->def->same_pose * b->def->same_pose;
    for (int k = b->walk.kinds.count; k < b->kinds.count; k++) {
        float distance2 = kind_chord2(b, pose, base, &kinds[k]);
        if (kinds[k].contacts == contacts && distance2 < least) {
            least = distance2;
            best = k;
        }
    }
    if (best >= 0)
        return best;
    pose_kind kind = {pose, base, contacts};
    return list_add(&b->kinds, &kind, sizeof kind) ? b->kinds.count - 1 : -1;
}

typedef struct stretch {
    int first, last; // frames
    uint32_t touched;
} stretch;

static stretch stretch_at(const touch_track *t, int frame)
{
    stretch s = {frame, frame, t->touched[frame]};
    while (s.last + 1 < t->clip->frame_count && t->touched[s.last + 1] == s.touched)
        s.last++;
    return s;
}

// False where there is no memory. *out is the junction, NULL where the body hangs by the hands or flies.
static bool put_junction(blocks_build *b, touch_track *t, int frame, int kind, junction **out)
{
    float base = t->base[frame];
    *out = NULL;
    if (!isfinite(base))
        return true;
    lope_ground hips = lope_clip_ground(t->clip, frame);
    junction j = {.frame = frame, .touched = t->touched[frame], .pose = kind, .base = base};
    j.floor = kind >= 0;
    if (j.floor) {
        const pose_kinds *kinds = &b->walk.kinds;
        lope_vec2 foot = pose_foot_place(t->clip, frame, kinds->feet[kind], b->model);
        j.start = (lope_vec2){kinds->steps[kind].x - foot.x, kinds->steps[kind].z - foot.z};
        hips = lope_ground_mul(hips, (lope_ground){-j.start.x, -j.start.z, 0.0f});
    } else {
        j.pose = junction_kind(b, lope_set_first_pose(b->set, t->scene->clip) + frame, base, t->clip->contacts[frame]);
    }
    j.gate = (lope_spot){hips.x, base, hips.z, hips.yaw};
    if ((!j.floor && j.pose < 0) || !list_add(&t->junctions, &j, sizeof j))
        return false;
    *out = (junction *)t->junctions.items + t->junctions.count - 1;
    return true;
}

static bool add_junction(blocks_build *b, touch_track *t, int frame, int kind)
{
    junction *added;
    return put_junction(b, t, frame, kind, &added);
}

typedef struct pass {
    int frame, kind;
    float distance2;
} pass;

static bool same_feet(uint32_t a, uint32_t b)
{
    const uint32_t feet = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT;
    return (limbs_of(a) & feet) == (limbs_of(b) & feet);
}

// The kind of the tile that a frame comes nearest to among its neighbours in time, within the ball.
static pass pass_at(const blocks_build *b, const touch_track *t, const stretch *s, int frame)
{
    int base_pose = lope_set_first_pose(b->set, t->scene->clip);
    float ball = t->scene->floor_count ? b->def->arrive : b->walk.def->ball;
    pass best = {frame, -1, ball * ball};
    for (int k = 0; k < b->walk.kinds.count; k++) {
        const pose_kind *kind = (const pose_kind *)b->kinds.items + k;
        int around = k == b->walk.kinds.standing ? 15 : 1;
        if (t->scene->floor_count && !same_feet(kind->contacts, t->clip->contacts[frame]))
            continue; // somebody else's foot would come down late
        float here = kind_chord2(b, base_pose + frame, t->base[frame], kind);
        bool nearest = here < best.distance2;
        for (int f = frame - around; f <= frame + around && nearest; f++)
            if (f >= s->first && f <= s->last && f != frame && isfinite(t->base[f])) {
                float other = kind_chord2(b, base_pose + f, t->base[f], kind);
                nearest = other > here || (other == here && f > frame);
            }
        if (nearest)
            best = (pass){frame, k, here};
    }
    return best;
}

// Captured performances come no nearer to the walks of somebody else than they do: those passes of a stretch are taken
// that come nearest, wherever they are.
static bool add_best_passes(blocks_build *b, touch_track *t, const stretch *s)
{
    pass best[ARRIVALS];
    int count = 0;
    for (int frame = s->first; frame <= s->last; frame++) {
        pass p = isfinite(t->base[frame]) ? pass_at(b, t, s, frame) : (pass){0, -1, 0.0f};
        if (p.kind < 0 || (count == ARRIVALS && best[count - 1].distance2 <= p.distance2))
            continue;
        int at = count < ARRIVALS ? count++ : count - 1;
        for (; at > 0 && best[at - 1].distance2 > p.distance2; at--)
            best[at] = best[at - 1];
        best[at] = p;
    }
    for (int i = 0; i < count; i++)
        if (!add_junction(b, t, best[i].frame, best[i].kind))
            return false;
    return true;
}

// The passes of a stretch on the floor that are nearest to things in time.
static bool add_passes(blocks_build *b, touch_track *t, const stretch *s)
{
    if (t->scene->floor_count)
        return add_best_passes(b, t, s);
    bool before = s->last + 1 < t->clip->frame_count, after = s->first > 0;
    int found = 0;
    for (int frame = s->last; frame >= s->first && before && found < FLOOR_PASSES; frame--) {
        pass p = isfinite(t->base[frame]) ? pass_at(b, t, s, frame) : (pass){0, -1, 0.0f};
        found += p.kind >= 0;
        if (p.kind >= 0 && !add_junction(b, t, frame, p.kind))
            return false;
    }
    found = 0;
    for (int frame = s->first; frame <= s->last && after && found < FLOOR_PASSES; frame++) {
        pass p = isfinite(t->base[frame]) ? pass_at(b, t, s, frame) : (pass){0, -1, 0.0f};
        found += p.kind >= 0;
        if (p.kind >= 0 && !add_junction(b, t, frame, p.kind))
            return false;
    }
    return true;
}

// On things: the middle where no less is touched before and after, and the ends of the clip.
static bool add_on_things(blocks_build *b, touch_track *t, const stretch *s)
{
    bool ends = s->last + 1 == t->clip->frame_count, begins = s->first == 0;
    bool least = (begins || bits_of(t->touched[s->first - 1]) >= bits_of(s->touched)) &&
                 (ends || bits_of(t->touched[s->last + 1]) >= bits_of(s->touched));
    if (begins && !add_junction(b, t, s->first, -1))
        return false;
    if (least && !begins && !ends && s->last - s->first >= 1 && !add_junction(b, t, (s->first + s->last) / 2, -1))
        return false;
    return !ends || s->last == s->first || add_junction(b, t, s->last, -1);
}

// ---- long stays on a seat

// Frames of a stay at which it may be cut: from the second it can go on at the first.
typedef struct stay_cut {
    int first, last;
} stay_cut;

#define STAY_POSE 0.05f // metres: poses nearer than this are near enough, and the longest stay is taken
#define STAY_WAY 0.06f  // metres and radians between them that are taken out
#define STAY_YAW 0.15f
#define LEAST_STAY 1.0 // seconds

static bool is_seated(const touch_track *t, int frame)
{
    return t->clip->contacts[frame] & LOPE_CONTACT_SEAT && t->touched[frame] & ~ON_FLOOR && isfinite(t->base[frame]);
}

// The longest part of a stay whose ends are near; failing that, the one whose ends are nearest, as long as they are of
// one kind. first = last: there is none.
static stay_cut cut_stay(const blocks_build *b, const touch_track *t, int first, int end)
{
    int least = (int)(LEAST_STAY * t->clip->frame_rate), pose = lope_set_first_pose(b->set, t->scene->clip);
    stay_cut best = {first, first};
    float nearest = b->def->same_pose * b->def->same_pose;
    for (int f = first; f < end; f++)
        for (int g = end - 1; g - f >= least; g--) {
            bool near = nearest <= STAY_POSE * STAY_POSE;
            if (near && g - f <= best.last - best.first)
                break;
            lope_ground move = lope_ground_relative(lope_clip_ground(t->clip, f), lope_clip_ground(t->clip, g));
            pose_kind there = {pose + g, t->base[g], 0u};
            float distance2 = kind_chord2(b, pose + f, t->base[f], &there);
            if (move.x * move.x + move.z * move.z > STAY_WAY * STAY_WAY || fabsf(move.yaw) > STAY_YAW ||
                distance2 > (near ? STAY_POSE * STAY_POSE : nearest))
                continue;
            nearest = distance2;
            best = (stay_cut){f, g};
        }
    return best;
}

// Both ends of the part are one place and one pose, so that it can be repeated; *end is where the stay ends.
static bool add_stay(blocks_build *b, touch_track *t, int first, int *end)
{
    junction *j;
    for (*end = first; *end < t->clip->frame_count && is_seated(t, *end);)
        ++*end;
    stay_cut cut = cut_stay(b, t, first, *end);
    if (cut.first == cut.last) {
        *end = first;
        return true;
    }
    if (!put_junction(b, t, cut.first, -1, &j))
        return false;
    j->stay = 1;
    const junction begin = *j;
    if (!put_junction(b, t, cut.last, -1, &j))
        return false;
    j->stay = 2;
    j->pose = begin.pose;
    j->gate = begin.gate;
    return true;
}

static int by_frame(const void *a, const void *b)
{
    const junction *x = a, *y = b;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

lope_status junctions_find(blocks_build *b, touch_track *track, lope_error *error)
{
    bool ok = true;
    for (int frame = 0, end; frame < track->clip->frame_count && ok;) {
        if (track->scene->floor_count && is_seated(track, frame)) {
            ok = add_stay(b, track, frame, &end);
            if (end > frame) {
                frame = end;
                continue;
            }
        }
        stretch s = stretch_at(track, frame);
        ok = s.touched == ON_FLOOR ? add_passes(b, track, &s) : s.touched ? add_on_things(b, track, &s) : true;
        frame = s.last + 1;
    }
    if (ok && track->junctions.count > 1)
        qsort(track->junctions.items, (size_t)track->junctions.count, sizeof(junction), by_frame);
    return ok ? LOPE_OK : lope_fail_memory(error);
}
