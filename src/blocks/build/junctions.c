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

static bool add_junction(blocks_build *b, touch_track *t, int frame, int kind)
{
    float base = t->base[frame];
    if (!isfinite(base))
        return true; // hangs by the hands or flies
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
    return (j.floor || j.pose >= 0) && list_add(&t->junctions, &j, sizeof j);
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

static int by_frame(const void *a, const void *b)
{
    const junction *x = a, *y = b;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

lope_status junctions_find(blocks_build *b, touch_track *track, lope_error *error)
{
    bool ok = true;
    for (int frame = 0; frame < track->clip->frame_count && ok;) {
        stretch s = stretch_at(track, frame);
        ok = s.touched == ON_FLOOR ? add_passes(b, track, &s) : s.touched ? add_on_things(b, track, &s) : true;
        frame = s.last + 1;
    }
    if (ok && track->junctions.count > 1)
        qsort(track->junctions.items, (size_t)track->junctions.count, sizeof(junction), by_frame);
    return ok ? LOPE_OK : lope_fail_memory(error);
}
