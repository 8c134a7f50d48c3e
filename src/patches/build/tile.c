// SPDX-License-Identifier: MIT
// The tilable patch: gates along the sides, every pair of them connected where a piece of a clip fits, and then only
// those gates kept from which all sides and all other gates can be reached.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "graph/graph.h"
#include "lope/contacts.h"
#include "lope/ground.h"
#include "patches/build/fit.h"
#include "patches/segment.h"

// Pieces that take less time than this (seconds) change too often for the eye; the paper's 20 frames.
#define MIN_SECONDS 0.66f
// Pieces may walk so many times the side of the tile.
#define LONGEST_SIDES 2.6f
// A gate is worth its connections, those to the side it has fewest to so many times more.
#define LEAST_WEIGHT 4

lope_tile_def lope_tile_def_default(void)
{
    lope_tile_def def = {.size = 1.5f,
                         .gates = 36,
                         .offsets = 7,
                         .headings = 5,
                         .heading_range = 0.7f,
                         .poses = 3,
                         .ball = 0.1f,
                         .max_shift = 0.1f,
                         .max_bend = 10.0f * (float)(LOPE_PI / 180.0),
                         .margin = 0.1f,
                         .velocity_time = 0.1f};
    return def;
}

typedef struct tile_build {
    const lope_set *set;
    const lope_tile_def *def;
    lope_jobs *jobs;
    patch_tracks tracks;
    pose_features features;
    pose_kinds kinds;
    pose_pieces pieces;
    int gate_count;
    lope_tile_gate *gates;
    lope_segment *segments; // [gate_count * 4 * gate_count] frames 0: no connection
    bool *kept;             // [gate_count]
    lope_tile_report report;
} tile_build;

static lope_segment *segment_of(const tile_build *b, int from, int side, int to)
{
    return &b->segments[((size_t)from * LOPE_TILE_SIDES + (size_t)side) * (size_t)b->gate_count + (size_t)to];
}

typedef struct inside_test {
    const tile_build *build;
    lope_ground start;
} inside_test;

static bool stays_inside(const void *user, const lope_segment *segment)
{
    const inside_test *test = user;
    float limit = test->build->def->size * 0.5f + test->build->def->margin;
    const lope_ground *track = patch_track(&test->build->tracks, segment->clip, segment->first);
    segment_cursor cursor = segment_begin(segment);
    while (cursor.frame < segment->frames - 1) {
        segment_advance(segment, track, &cursor);
        lope_ground at = lope_ground_mul(test->start, cursor.at);
        if (!(fabsf(at.x) <= limit && fabsf(at.z) <= limit))
            return false;
    }
    return true;
}

static void connect_gate(void *user, int from, int thread)
{
    (void)thread;
    tile_build *b = user;
    fit_limits limits = {b->def->max_shift, b->def->max_bend};
    inside_test test = {b, b->gates[from].at};
    lope_tile all = {.size = b->def->size, .gates = b->gates};
    lope_ground back = lope_ground_inverse(b->gates[from].at);
    for (int side = 0; side < LOPE_TILE_SIDES; side++)
        for (int to = 0; to < b->gate_count; to++) {
            int piece;
            lope_ground move = lope_ground_mul(back, lope_tile_exit(&all, side, to));
            fit_piece(&b->pieces, &limits, b->gates[from].pose, b->gates[to].pose, move, stays_inside, &test,
                      segment_of(b, from, side, to), &piece);
        }
}

// Places along the side, none in the corners, and headings at each.
static lope_status make_gates(tile_build *b, lope_error *error)
{
    const lope_tile_def *d = b->def;
    b->gate_count = d->offsets * d->headings * b->kinds.count;
    size_t n = (size_t)b->gate_count;
    b->gates = lope_alloc_array(n, sizeof *b->gates);
    b->segments = lope_alloc_zero(n * n * LOPE_TILE_SIDES * sizeof *b->segments);
    b->kept = lope_alloc_array(n, sizeof *b->kept);
    if (!b->gates || !b->segments || !b->kept)
        return lope_fail_memory(error);
    int g = 0;
    for (int o = 0; o < d->offsets; o++)
        for (int h = 0; h < d->headings; h++)
            for (int k = 0; k < b->kinds.count; k++, g++) {
                float x = d->size * (((float)o + 0.5f) / (float)d->offsets - 0.5f);
                float yaw =
                    d->headings > 1 ? d->heading_range * (2.0f * (float)h / (float)(d->headings - 1) - 1.0f) : 0.0f;
                b->gates[g] = (lope_tile_gate){{x, -0.5f * d->size, yaw}, k};
                b->kept[g] = true;
            }
    return LOPE_OK;
}

static bool connected(const tile_build *b, int from, int side, int to)
{
    return b->kept[from] && b->kept[to] && segment_of(b, from, side, to)->frames > 0;
}

// Drops gates from which a side cannot be reached. Whether any was dropped.
static bool drop_one_sided(tile_build *b)
{
    bool dropped = false;
    for (int from = 0; from < b->gate_count; from++)
        for (int side = 0; side < LOPE_TILE_SIDES && b->kept[from]; side++) {
            int count = 0;
            for (int to = 0; to < b->gate_count; to++)
                count += connected(b, from, side, to);
            if (count == 0) {
                b->kept[from] = false;
                dropped = true;
            }
        }
    return dropped;
}

// The torus: a tile whose far sides are its near ones. Nodes are gates of all four sides.
static lope_status torus_of(const tile_build *b, lope_digraph *out, lope_error *error)
{
    int n = b->gate_count, nodes = n * LOPE_TILE_SIDES;
    size_t edges = 0;
    for (int from = 0; from < n; from++)
        for (int side = 0; side < LOPE_TILE_SIDES; side++)
            for (int to = 0; to < n; to++)
                edges += connected(b, from, side, to);
    lope_status status = lope_digraph_create(nodes, edges * LOPE_TILE_SIDES, out, error);
    if (status)
        return status;
    size_t at = 0;
    for (int node = 0; node < nodes; node++) {
        out->offsets[node] = at;
        for (int side = 0; side < LOPE_TILE_SIDES; side++)
            for (int to = 0; to < n; to++)
                if (connected(b, node % n, side, to)) {
                    out->targets[at] = (node / n + side) % LOPE_TILE_SIDES * n + to;
                    out->costs[at++] = 1.0f;
                }
    }
    out->offsets[nodes] = at;
    return LOPE_OK;
}

// Drops gates that are not in the largest component of the torus on every side. Whether any was dropped.
static lope_status drop_unconnected(tile_build *b, bool *dropped, lope_error *error)
{
    lope_digraph torus;
    lope_status status = torus_of(b, &torus, error);
    if (status)
        return status;
    uint8_t *keep = lope_alloc_zero((size_t)torus.node_count);
    int size;
    status = keep ? lope_largest_component(&torus, keep, &size, error) : lope_fail_memory(error);
    for (int node = 0; node < torus.node_count && !status; node++)
        if (!keep[node] && b->kept[node % b->gate_count]) {
            b->kept[node % b->gate_count] = false;
            *dropped = true;
        }
    lope_free(keep);
    lope_digraph_free(&torus);
    return status;
}

// Both safety conditions in turn, until neither drops anything.
static lope_status make_safe(tile_build *b, lope_error *error)
{
    for (bool dropped = true; dropped;) {
        dropped = drop_one_sided(b);
        lope_status status = drop_unconnected(b, &dropped, error);
        if (status)
            return status;
    }
    return LOPE_OK;
}

static int kept_gates(const tile_build *b)
{
    int count = 0;
    for (int g = 0; g < b->gate_count; g++)
        count += b->kept[g];
    return count;
}

// Connections of a gate with those that are kept; the side it has fewest to counts most.
static int worth_of(const tile_build *b, int gate)
{
    int sum = 0, least = 1 << 30;
    for (int side = 0; side < LOPE_TILE_SIDES; side++) {
        int out = 0;
        for (int other = 0; other < b->gate_count; other++) {
            out += connected(b, gate, side, other);
            sum += connected(b, other, side, gate);
        }
        sum += out;
        least = out < least ? out : least;
    }
    return sum + LEAST_WEIGHT * least;
}

// Drops the least useful gates until as many are left as were asked for.
static lope_status thin_out(tile_build *b, lope_error *error)
{
    lope_status status = make_safe(b, error);
    while (status == LOPE_OK && kept_gates(b) > b->def->gates) {
        int worst = -1, worst_worth = 0;
        for (int g = 0; g < b->gate_count; g++) {
            int worth = b->kept[g] ? worth_of(b, g) : 0;
            if (b->kept[g] && (worst < 0 || worth < worst_worth)) {
                worst = g;
                worst_worth = worth;
            }
        }
        b->kept[worst] = false;
        status = make_safe(b, error);
    }
    return status;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool ask_to_go_on(const lope_progress *progress, double done)
{
    return !progress || !progress->report || progress->report(progress->user, "tile", done);
}

static lope_status find_material(tile_build *b, lope_error *error)
{
    lope_groups_def def = {.bound = 0.12f, .velocity_time = b->def->velocity_time};
    lope_groups *groups = NULL;
    lope_status status = pose_features_create(b->set, &def, b->jobs, &b->features, error);
    if (status == LOPE_OK)
        status = patch_tracks_create(b->set, &b->tracks, error);
    if (status == LOPE_OK)
        status = lope_groups_find(b->set, &def, b->jobs, &groups, error);
    if (status == LOPE_OK)
        status = pose_kinds_find(b->set, &b->features, groups, b->def->poses, b->def->ball, &b->kinds, error);
    if (status == LOPE_OK)
        status = pose_pieces_find(b->set, &b->tracks, &b->features, &b->kinds, b->def->ball, 0.3f * b->def->size,
                                  LONGEST_SIDES * b->def->size, MIN_SECONDS, &b->pieces, error);
    lope_groups_destroy(groups);
    return status;
}

// Arrays of a tile while it is filled.
typedef struct tile_arrays {
    lope_tile_gate *gates;
    lope_tile_link *links;
    int32_t *link_first;
    lope_segment *segments;
} tile_arrays;

static void number_kept(const tile_build *b, int32_t *number)
{
    int count = 0;
    for (int g = 0; g < b->gate_count; g++)
        number[g] = b->kept[g] ? count++ : -1;
}

static void fill_tile(const tile_build *b, const int32_t *number, tile_arrays *a)
{
    int link = 0, row = 0;
    for (int from = 0; from < b->gate_count; from++) {
        if (!b->kept[from])
            continue;
        a->gates[number[from]] = b->gates[from];
        for (int side = 0; side < LOPE_TILE_SIDES; side++) {
            a->link_first[row++] = link;
            for (int to = 0; to < b->gate_count; to++)
                if (connected(b, from, side, to)) {
                    a->segments[link] = *segment_of(b, from, side, to);
                    a->links[link] = (lope_tile_link){number[from], side, number[to], link};
                    link++;
                }
        }
    }
    a->link_first[row] = link;
}

// All arrays in one block of memory.
static void *lay_out(size_t gates, size_t links, tile_arrays *a)
{
    char *block = lope_alloc(gates * sizeof *a->gates + links * (sizeof *a->links + sizeof *a->segments) +
                             (gates * LOPE_TILE_SIDES + 1) * sizeof *a->link_first);
    if (!block)
        return NULL;
    a->gates = (void *)block;
    a->links = (void *)(a->gates + gates);
    a->segments = (void *)(a->links + links);
    a->link_first = (void *)(a->segments + links);
    return block;
}

static lope_status make_tile(const tile_build *b, lope_tile **out, lope_error *error)
{
    size_t gates = (size_t)kept_gates(b), links = 0;
    for (int from = 0; from < b->gate_count; from++)
        for (int side = 0; side < LOPE_TILE_SIDES; side++)
            for (int to = 0; to < b->gate_count; to++)
                links += connected(b, from, side, to);
    tile_arrays arrays = {0};
    lope_tile *tile = lope_alloc_zero(sizeof *tile);
    void *block = lay_out(gates, links, &arrays);
    int32_t *number = lope_alloc_array((size_t)b->gate_count, sizeof *number);
    if (!tile || !block || !number) {
        lope_free(tile);
        lope_free(block);
        lope_free(number);
        return lope_fail_memory(error);
    }
    number_kept(b, number);
    fill_tile(b, number, &arrays);
    lope_free(number);
    *tile = (lope_tile){.set = b->set,
                        .size = b->def->size,
                        .pose_count = b->kinds.count,
                        .gate_count = (int)gates,
                        .link_count = (int)links,
                        .segment_count = (int)links,
                        .gates = arrays.gates,
                        .links = arrays.links,
                        .link_first = arrays.link_first,
                        .segments = arrays.segments,
                        .storage = block};
    *out = tile;
    return LOPE_OK;
}

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
        int first = tile->link_first[in->to * LOPE_TILE_SIDES], end = tile->link_first[(in->to + 1) * LOPE_TILE_SIDES];
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

static lope_status describe(const tile_build *b, const lope_tile *tile, double seconds, lope_tile_report *report,
                            lope_error *error)
{
    memset(report, 0, sizeof *report);
    report->frames = b->features.count;
    memcpy(report->typical_frames, b->kinds.sizes, sizeof b->kinds.sizes);
    report->passes = b->pieces.pass_count;
    report->pieces = b->pieces.count;
    report->tried_gates = b->gate_count;
    report->gates = tile->gate_count;
    report->links = tile->link_count;
    for (int l = 0; l < tile->link_count; l++)
        report->links_to[tile->links[l].side]++;
    report->seconds = seconds;
    return measure_junctions(b, tile, report, error);
}

// Says how many gates failed at first because of which side.
static lope_status fail_unsafe(const tile_build *b, lope_error *error)
{
    static const char *const sides[] = {"ahead", "to the left", "back", "to the right"};
    int counts[LOPE_TILE_SIDES] = {0}, worst = 0;
    for (int from = 0; from < b->gate_count; from++)
        for (int side = 0; side < LOPE_TILE_SIDES; side++) {
            bool any = false;
            for (int to = 0; to < b->gate_count && !any; to++)
                any = segment_of(b, from, side, to)->frames > 0;
            counts[side] += any;
        }
    for (int side = 1; side < LOPE_TILE_SIDES; side++)
        worst = counts[side] < counts[worst] ? side : worst;
    return lope_fail(error, LOPE_NOT_FOUND,
                     "too little motion for a tile of %.2f m: of %d gates tried %d have a way on %s, and none of those "
                     "leads to others like it; %d kinds of poses, %d pieces of clips (more clips, their mirror images "
                     "or larger edits may help)",
                     (double)b->def->size, b->gate_count, counts[worst], sides[worst], b->kinds.count, b->pieces.count);
}

static lope_status check_def(const lope_tile_def *def, lope_error *error)
{
    if (!(def->size >= 0.2f && def->size <= 100.0f))
        return lope_fail(error, LOPE_BAD_DATA, "a tile must measure 0.2 to 100 m, found %g", (double)def->size);
    if (def->gates < 1 || def->offsets < 1 || def->headings < 1 || def->poses < 1 || def->poses > MAX_POSES ||
        def->offsets > 64 || def->headings > 64)
        return lope_fail(error, LOPE_BAD_DATA,
                         "a tile needs 1 to 64 offsets and headings and 1 to %d poses, found %d, %d and %d", MAX_POSES,
                         def->offsets, def->headings, def->poses);
    if (!(def->max_shift > 0.0f && def->max_bend > 0.0f && def->ball > 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "limits of edits and the size of pose balls must be above 0");
    return LOPE_OK;
}

lope_status lope_tile_build(const lope_set *set, const lope_tile_def *def, lope_jobs *jobs,
                            const lope_progress *progress, lope_tile **out, lope_tile_report *report, lope_error *error)
{
    lope_status status = check_def(def, error);
    if (status)
        return status;
    double start = seconds_now();
    tile_build b = {.set = set, .def = def, .jobs = jobs};
    lope_tile *tile = NULL;
    status = find_material(&b, error);
    if (status == LOPE_OK)
        status = make_gates(&b, error);
    if (status == LOPE_OK && !ask_to_go_on(progress, 0.2))
        status = lope_fail(error, LOPE_INTERRUPTED, "stopped");
    if (status == LOPE_OK) {
        lope_jobs_run(jobs, b.gate_count, connect_gate, &b);
        status = thin_out(&b, error);
    }
    if (status == LOPE_OK && kept_gates(&b) == 0)
        status = fail_unsafe(&b, error);
    if (status == LOPE_OK)
        status = make_tile(&b, &tile, error);
    if (status == LOPE_OK && report)
        status = describe(&b, tile, seconds_now() - start, report, error);
    if (status == LOPE_OK)
        *out = tile;
    else
        lope_tile_destroy(tile);
    pose_features_destroy(&b.features);
    patch_tracks_destroy(&b.tracks);
    pose_pieces_destroy(&b.pieces);
    lope_free(b.gates);
    lope_free(b.segments);
    lope_free(b.kept);
    return status;
}
