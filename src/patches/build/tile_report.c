// SPDX-License-Identifier: MIT
// What is said of a tile: counts, and how well segments meet at gates.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "lope/contacts.h"
#include "lope/graph.h"
#include "lope/ground.h"
#include "patches/build/tile_build.h"

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Contact points where frame `frame` of a segment has them, seen from the gate that it begins in.
static unsigned contact_places(const lope_set *set, const lope_segment *segment, int frame, lope_transform *model,
                               lope_vec3 out[LOPE_CONTACT_COUNT])
{
    const lope_clip *clip = set->clips[segment->clip];
    lope_ground at = lope_segment_ground(set, segment, (lope_ground){0.0f, 0.0f, 0.0f}, frame);
    lope_ground source = lope_clip_ground(clip, segment->first + frame);
    lope_transform move = lope_ground_transform(lope_ground_mul(at, lope_ground_inverse(source)));
    lope_clip_model(clip, segment->first + frame, model);
    lope_contact_points(set->skeleton, model, out);
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        out[part] = lope_transform_point(move, out[part]);
    return clip->contacts ? clip->contacts[segment->first + frame] : 0u;
}

// How far a standing foot jumps, on the ground, where the last frame of one segment gives way to the first of another
// `move` away from its own gate: the farthest of the parts that touch in both; 0 where none does.
static float foot_jump(const lope_set *set, const lope_segment *in, lope_ground move, const lope_segment *on,
                       lope_transform *model)
{
    lope_vec3 before[LOPE_CONTACT_COUNT], after[LOPE_CONTACT_COUNT];
    unsigned feet = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT;
    feet &= contact_places(set, in, in->frames - 1, model, before);
    feet &= contact_places(set, on, 0, model, after);
    float farthest = 0.0f;
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        if (feet >> part & 1u) {
            lope_vec3 there = lope_transform_point(lope_ground_transform(move), after[part]);
            float x = there.x - before[part].x, z = there.z - before[part].z;
            farthest = fmaxf(farthest, sqrtf(x * x + z * z));
        }
    return farthest;
}

typedef struct junctions {
    int count;
    float *poses, *feet; // [count] metres
} junctions;

// Measures a fixed sample of pairs of segments of which one may follow the other.
static void sample_junctions(const tile_build *b, const lope_tile *tile, lope_transform *model, junctions *out)
{
    lope_random random = lope_random_seed(1);
    for (int i = 0; i < out->count; i++) {
        const lope_tile_link *in = &tile->links[lope_random_below(&random, tile->link_count)];
        int first = tile->link_first[in->to * LOPE_TILE_WAYS], end = tile->link_first[(in->to + 1) * LOPE_TILE_WAYS];
        const lope_tile_link *on = &tile->links[first + lope_random_below(&random, end - first)];
        const lope_segment *s = &tile->segments[in->segment], *t = &tile->segments[on->segment];
        int last_pose = lope_set_first_pose(b->set, s->clip) + s->first + s->frames - 1;
        int first_pose = lope_set_first_pose(b->set, t->clip) + t->first;
        out->poses[i] =
            sqrtf(pose_arc2(&b->features, pose_row(&b->features, last_pose), pose_row(&b->features, first_pose)));
        lope_ground move = lope_ground_relative(tile->gates[in->from].at, lope_tile_exit(tile, in->side, in->to));
        out->feet[i] = foot_jump(b->set, s, move, t, model);
    }
    qsort(out->poses, (size_t)out->count, sizeof *out->poses, by_value);
    qsort(out->feet, (size_t)out->count, sizeof *out->feet, by_value);
}

static lope_status measure_junctions(const tile_build *b, const lope_tile *tile, lope_tile_report *report,
                                     lope_error *error)
{
    enum { SAMPLES = 5000 };
    lope_transform *model = lope_alloc_array((size_t)b->set->skeleton->joint_count, sizeof *model);
    junctions j = {SAMPLES, lope_alloc_array(SAMPLES, sizeof *j.poses), lope_alloc_array(SAMPLES, sizeof *j.feet)};
    bool ok = model && j.poses && j.feet;
    if (ok) {
        sample_junctions(b, tile, model, &j);
        report->junction_pose = j.poses[SAMPLES / 2];
        report->junction_pose_95 = j.poses[SAMPLES * 95 / 100];
        report->junction_foot = j.feet[SAMPLES / 2];
        report->junction_foot_95 = j.feet[SAMPLES * 95 / 100];
    }
    lope_free(model);
    lope_free(j.poses);
    lope_free(j.feet);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

void tile_note_uses(const tile_build *b, const lope_tile *tile)
{
    lope_clip_use *uses = b->def->uses;
    if (!uses)
        return;
    memset(uses, 0, (size_t)b->set->clip_count * sizeof *uses);
    for (int p = 0; p < b->pieces.count; p++)
        uses[b->pieces.passes[b->pieces.pieces[p].from].clip].found++;
    for (int l = 0; l < tile->link_count; l++)
        uses[tile->segments[tile->links[l].segment].clip].used++;
    for (int c = 0; c < b->set->clip_count; c++)
        if (uses[c].found == 0)
            snprintf(uses[c].why, sizeof uses[c].why, "no piece of it leads from one typical pose to another");
        else if (uses[c].used == 0)
            snprintf(uses[c].why, sizeof uses[c].why, "no piece of it fits between gates better than others");
}

lope_status tile_describe(const tile_build *b, const lope_tile *tile, double seconds, lope_tile_report *report,
                          lope_error *error)
{
    memset(report, 0, sizeof *report);
    report->frames = b->features.count;
    memcpy(report->typical_frames, b->kinds.sizes, sizeof b->kinds.sizes);
    report->passes = b->pieces.pass_count;
    report->pieces = b->pieces.count;
    for (int g = 0; g < b->gate_count; g++)
        report->tried_gates += !b->gates[g].inside;
    report->gates = tile_kept(b, false);
    report->inside = tile->gate_count - report->gates;
    for (int l = 0; l < tile->link_count; l++) {
        bool from_side = !tile->gates[tile->links[l].from].inside;
        if (from_side && tile->links[l].side < LOPE_TILE_SIDES) {
            report->links++;
            report->links_to[tile->links[l].side]++;
        }
        report->stops += from_side && tile->links[l].side == LOPE_TILE_INSIDE;
        report->starts += !from_side && tile->links[l].side < LOPE_TILE_SIDES;
        report->waits += !from_side && tile->links[l].side == LOPE_TILE_INSIDE;
    }
    report->seconds = seconds;
    return measure_junctions(b, tile, report, error);
}
