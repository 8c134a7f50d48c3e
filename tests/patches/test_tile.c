// SPDX-License-Identifier: MIT
// Tiles: segments fit their gates within the allowed edits and stay inside, both safety conditions hold, threads change
// nothing, too little motion is said.
#include <stdlib.h>
#include <string.h>

#include "lope/ground.h"
#include "lope/patches_build.h"
#include "patches/tile_file.h"
#include "support/strolls.h"

static lope_vec3 middle_of_sole(const lope_clip *clip, int frame, int side, lope_ground at)
{
    lope_transform model[256];
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_clip_model(clip, frame, model);
    lope_contact_points(clip->skeleton, model, points);
    lope_transform move =
        lope_ground_transform(lope_ground_mul(at, lope_ground_inverse(lope_clip_ground(clip, frame))));
    return lope_transform_point(move, lope_v3_lerp(points[2 * side], points[2 * side + 1], 0.5f));
}

// Of the two feet, how far the one apart is that is nearer: the gate's standing foot must be in one and the same place.
static float foot_gap(const test_tile *f, const lope_segment *in, lope_ground in_gate, const lope_segment *on,
                      lope_ground on_gate)
{
    int last = in->frames - 1;
    lope_ground at_end = lope_segment_ground(f->set, in, in_gate, last);
    lope_ground at_start = lope_segment_ground(f->set, on, on_gate, 0);
    float gaps[2];
    for (int side = 0; side < 2; side++) {
        lope_vec3 a = middle_of_sole(f->set->clips[in->clip], in->first + last, side, at_end);
        lope_vec3 b = middle_of_sole(f->set->clips[on->clip], on->first, side, at_start);
        gaps[side] = sqrtf((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
    }
    return fminf(gaps[0], gaps[1]);
}

static void segments_meet_at_the_foot(void **state)
{
    test_tile *f = *state;
    const lope_tile *t = f->tile;
    lope_random random = lope_random_seed(3);
    for (int i = 0; i < 2000; i++) {
        const lope_tile_link *in = &t->links[lope_random_below(&random, t->link_count)];
        int first = t->link_first[in->to * LOPE_TILE_WAYS], end = t->link_first[(in->to + 1) * LOPE_TILE_WAYS];
        const lope_tile_link *on = &t->links[first + lope_random_below(&random, end - first)];
        lope_ground exit = lope_tile_exit(t, in->side, in->to);
        assert_true(foot_gap(f, &t->segments[in->segment], t->gates[in->from].at, &t->segments[on->segment], exit) <
                    0.002f);
        lope_ground facing = lope_segment_ground(f->set, &t->segments[in->segment], t->gates[in->from].at,
                                                 t->segments[in->segment].frames - 1);
        assert_near(lope_wrap_angle(facing.yaw - exit.yaw), 0.0f, 1e-3f);
    }
}

static void edits_keep_their_limits_and_walks_stay_inside(void **state)
{
    test_tile *f = *state;
    const lope_tile *t = f->tile;
    float limit = 0.5f * f->def.size + f->def.margin + 1e-3f;
    for (int l = 0; l < t->link_count; l++) {
        const lope_segment *s = &t->segments[t->links[l].segment];
        bool waits = t->gates[t->links[l].from].inside && t->links[l].side == LOPE_TILE_INSIDE;
        float wait_bend = waits ? 0.05f : 0.0f, wait_shift = waits ? 0.03f : 0.0f;
        assert_true(fabsf(s->bend) <= f->def.max_bend * s->length * 1.0001f + wait_bend);
        assert_true(sqrtf(s->shift.x * s->shift.x + s->shift.z * s->shift.z) <=
                    f->def.max_shift * s->length * 1.01f + wait_shift);
        assert_true(s->first >= 0 && s->first + s->frames <= f->set->clips[s->clip]->frame_count);
        for (int frame = 0; frame < s->frames; frame += 5) {
            lope_ground at = lope_segment_ground(f->set, s, t->gates[t->links[l].from].at, frame);
            assert_true(fabsf(at.x) <= limit && fabsf(at.z) <= limit);
        }
    }
}

static void every_gate_leads_to_all_sides(void **state)
{
    const lope_tile *t = ((test_tile *)*state)->tile;
    assert_true(t->gate_count >= 20);
    assert_int_equal(t->link_first[0], 0);
    assert_int_equal(t->link_first[t->gate_count * LOPE_TILE_WAYS], t->link_count);
    for (int g = 0; g < t->gate_count; g++)
        for (int side = 0; side < LOPE_TILE_WAYS; side++) {
            int row = g * LOPE_TILE_WAYS + side;
            if (!t->gates[g].inside && side < LOPE_TILE_SIDES)
                assert_true(t->link_first[row + 1] > t->link_first[row]);
            for (int l = t->link_first[row]; l < t->link_first[row + 1]; l++) {
                assert_int_equal(t->links[l].from, g);
                assert_int_equal(t->links[l].side, side);
                assert_in_range(t->links[l].to, 0, t->gate_count - 1);
                assert_int_equal(t->gates[t->links[l].to].inside, side == LOPE_TILE_INSIDE);
            }
        }
}

// Those who come to a place to stand do stand there, may stay, and can leave.
static void people_can_stand(void **state)
{
    test_tile *f = *state;
    const lope_tile *t = f->tile;
    assert_true(f->report.inside > 0 && f->report.stops > 0 && f->report.starts > 0);
    for (int g = 0; g < t->gate_count; g++) {
        if (!t->gates[g].inside)
            continue;
        int first = t->link_first[g * LOPE_TILE_WAYS], end = t->link_first[(g + 1) * LOPE_TILE_WAYS], ways_out = 0;
        for (int l = first; l < end; l++) {
            const lope_segment *s = &t->segments[t->links[l].segment];
            const lope_clip *clip = f->set->clips[s->clip];
            int next = s->first + 1;
            assert_true(lope_v3_distance(clip->root[s->first], clip->root[next]) * (float)clip->frame_rate < 0.2f);
            ways_out += t->links[l].side != LOPE_TILE_INSIDE;
        }
        assert_true(ways_out > 0);
    }
}

// On a torus of 3 by 3 tiles every (tile, side, gate) is reached from any other. Looked at forwards and backwards by
// breadth-first search, with nothing shared with the builder.
static void a_tiled_plane_is_one_component(void **state)
{
    const lope_tile *t = ((test_tile *)*state)->tile;
    enum { N = 3 };
    int gates = t->gate_count, nodes = N * N * 4 * gates;
    static const int step_x[4] = {0, 1, 0, -1}, step_z[4] = {1, 0, -1, 0};
    for (int backwards = 0; backwards < 2; backwards++) {
        uint8_t *seen = calloc((size_t)nodes, 1);
        int reached = 1;
        seen[0] = 1;
        for (bool grew = true; grew;) {
            grew = false;
            for (int node = 0; node < nodes; node++) {
                int gate = node % gates, turn = node / gates % 4, tile = node / gates / 4;
                for (int l = t->link_first[gate * LOPE_TILE_WAYS]; l < t->link_first[(gate + 1) * LOPE_TILE_WAYS];
                     l++) {
                    int out = (turn + t->links[l].side) % 4, stays = t->links[l].side == LOPE_TILE_INSIDE;
                    int x = (tile % N + !stays * step_x[out] + N) % N, z = (tile / N + !stays * step_z[out] + N) % N;
                    int next = ((z * N + x) * 4 + out) * gates + t->links[l].to;
                    int from = backwards ? next : node, to = backwards ? node : next;
                    if (seen[from] && !seen[to]) {
                        seen[to] = 1;
                        reached++;
                        grew = true;
                    }
                }
            }
        }
        assert_int_equal(reached, nodes);
        free(seen);
    }
}

static uint64_t hash_of(const lope_tile *t)
{
    uint64_t hash = lope_hash(t->links, (size_t)t->link_count * sizeof *t->links, 1);
    hash = lope_hash(t->gates, (size_t)t->gate_count * sizeof *t->gates, hash);
    return lope_hash(t->segments, (size_t)t->segment_count * sizeof *t->segments, hash);
}

static void threads_change_nothing(void **state)
{
    test_tile *f = *state;
    lope_error error;
    lope_jobs *jobs;
    lope_tile *tile;
    assert_ok(lope_jobs_create(3, &jobs, &error));
    assert_ok(lope_tile_build(f->set, &f->def, jobs, NULL, &tile, NULL, &error));
    assert_true(hash_of(tile) == hash_of(f->tile));
    lope_tile_destroy(tile);
    lope_jobs_destroy(jobs);
}

static void reports_what_it_did(void **state)
{
    test_tile *f = *state;
    const lope_tile_report *r = &f->report;
    assert_int_equal(r->gates + r->inside, f->tile->gate_count);
    assert_int_equal(r->links + r->stops + r->starts + r->waits, f->tile->link_count);
    assert_int_equal(r->links_to[0] + r->links_to[1] + r->links_to[2] + r->links_to[3], r->links);
    assert_true(f->report.junction_foot <= f->report.junction_foot_95);
    assert_true(f->report.junction_foot_95 < 0.12f);
}

static void files_give_back_what_was_saved(void **state)
{
    test_tile *f = *state;
    lope_error error;
    const char *path = test_path("tile.lope");
    lope_tile *opened;
    assert_ok(lope_tile_save(f->tile, path, &error));
    assert_ok(lope_tile_open(path, &opened, &error));
    assert_true(hash_of(opened) == hash_of(f->tile));
    assert_near(opened->size, f->tile->size, 0.0f);
    assert_int_equal(opened->set->clip_count, f->set->clip_count);
    lope_tile_destroy(opened);
    // A file without a tile, and none at all.
    const char *plain = test_path("set.lope");
    assert_ok(lope_set_save(f->set, plain, &error));
    assert_int_equal(lope_tile_open(plain, &opened, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "lope build --patches"));
    assert_int_equal(lope_tile_open(test_path("none.lope"), &opened, &error), LOPE_NOT_FOUND);
}

// Saved with something wrong in it, a tile is refused and not believed.
static void tiles_that_point_nowhere_are_refused(void **state)
{
    test_tile *f = *state;
    lope_error error;
    const char *path = test_path("bad.lope");
    for (int kind = 0; kind < 9; kind++) {
        lope_tile bad = *f->tile;
        lope_tile_link *links = malloc((size_t)bad.link_count * sizeof *links);
        lope_segment *segments = malloc((size_t)bad.segment_count * sizeof *segments);
        memcpy(links, bad.links, (size_t)bad.link_count * sizeof *links);
        memcpy(segments, bad.segments, (size_t)bad.segment_count * sizeof *segments);
        bad.links = links;
        bad.segments = segments;
        if (kind == 0)
            links[3].to = bad.gate_count;
        else if (kind == 1)
            links[5].segment = -1;
        else if (kind == 2)
            segments[7].first = 1 << 30;
        else if (kind == 3)
            segments[7].bend = (float)NAN;
        else if (kind == 4)
            segments[2].clip = bad.set->clip_count;
        else if (kind == 5) // its edits would be spread over much more than that
            segments[7].length = 1e-20f;
        else if (kind == 6)
            segments[7].shift.x = 1e4f;
        else
            bad.size = kind == 7 ? -1.0f : 1e-20f;
        lope_tile *opened;
        assert_ok(lope_tile_save(&bad, path, &error));
        assert_int_equal(lope_tile_open(path, &opened, &error), LOPE_BAD_DATA);
        assert_null(opened);
        free(links);
        free(segments);
    }
}

static lope_status save_and_open(const lope_tile *tile)
{
    lope_error error;
    lope_tile *opened;
    const char *path = test_path("changed.lope");
    assert_ok(lope_tile_save(tile, path, &error));
    lope_status status = lope_tile_open(path, &opened, &error);
    lope_tile_destroy(opened);
    return status;
}

// Numbers that worlds would divide by, lay out or make tables of.
static void sizes_beyond_reason_are_refused(void **state)
{
    const test_tile *f = *state;
    const float sizes[] = {1e-30f, 0.05f, 101.0f, 1e30f, INFINITY, NAN};
    lope_tile bad = *f->tile;
    assert_int_equal(save_and_open(&bad), LOPE_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bad.size = sizes[i];
        assert_int_equal(save_and_open(&bad), LOPE_BAD_DATA);
    }
    bad = *f->tile;
    bad.pose_count = INT32_MAX;
    assert_int_equal(save_and_open(&bad), LOPE_BAD_DATA);
}

// A million times the same link in a small file: a world would lay out each of its frames a million times.
static void links_without_end_are_refused(void **state)
{
    const test_tile *f = *state;
    enum { MANY = 1 << 20 };
    lope_tile bad = *f->tile;
    int rows = bad.gate_count * LOPE_TILE_WAYS;
    lope_tile_link *links = malloc(MANY * sizeof *links), first = bad.links[0];
    int32_t *link_first = malloc(((size_t)rows + 1) * sizeof *link_first);
    assert_true(links && link_first && bad.segments[first.segment].frames > 16);
    for (int i = 0; i < MANY; i++)
        links[i] = first;
    for (int row = 0; row <= rows; row++)
        link_first[row] = row <= first.from * LOPE_TILE_WAYS + first.side ? 0 : MANY;
    bad.links = links;
    bad.link_first = link_first;
    bad.link_count = MANY;
    assert_int_equal(save_and_open(&bad), LOPE_BAD_DATA);
    bad.link_count = 100;
    for (int row = 0; row <= rows; row++)
        link_first[row] = link_first[row] ? bad.link_count : 0;
    assert_int_equal(save_and_open(&bad), LOPE_OK);
    free(links);
    free(link_first);
}

// Edits are spread over the length, even when the character stands still.
static void lengths_can_be_divided_by(void **state)
{
    (void)state;
    lope_error error;
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    lope_set *set;
    assert_ok(lope_clip_create(skeleton, "still", 5, 30.0, 0, &clip, &error));
    assert_ok(lope_set_create(&clip, 1, &set, &error));
    lope_segment segment = {.clip = 0, .first = 1, .frames = 3, .length = 0.0f};
    assert_true(tile_sane_segment(set, &segment));
    segment.length = 0.01f;
    assert_true(tile_sane_segment(set, &segment));
    segment.length = 1e-42f;
    assert_false(tile_sane_segment(set, &segment));
    lope_set_destroy(set);
    lope_skeleton_release(skeleton);
}

static bool stop_at_once(void *user, const char *stage, double done)
{
    (void)user, (void)stage, (void)done;
    return false;
}

static void too_little_motion_is_said(void **state)
{
    test_tile *f = *state;
    lope_error error;
    lope_tile *tile = NULL;
    lope_clip *clip = test_clip(90, 30.0, 1);
    lope_set *small;
    assert_ok(lope_set_create(&clip, 1, &small, &error));
    assert_int_equal(lope_tile_build(small, &f->def, NULL, NULL, &tile, NULL, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "too little motion"));
    lope_tile_def def = f->def; // larger squares are tried, but none that is too large
    def.size = 90.0f;
    assert_int_equal(lope_tile_build_fitting(small, &def, &(lope_build_context){0}, &tile, NULL, &error),
                     LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "too little motion"));
    assert_true(def.size > 90.0f && def.size <= 100.0f);
    lope_set_destroy(small);
    def = f->def;
    def.max_shift = 0.002f;
    assert_int_equal(lope_tile_build(f->set, &def, NULL, NULL, &tile, NULL, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "have a way on")); // how many gates fail, one of them, and what it lacks
    assert_non_null(strstr(error.message, "e.g. from the gate"));
    assert_non_null(strstr(error.message, "no piece leads"));
    def.max_shift = NAN;
    assert_int_equal(lope_tile_build(f->set, &def, NULL, NULL, &tile, NULL, &error), LOPE_BAD_DATA);
    def = f->def;
    def.size = 1e9f;
    assert_int_equal(lope_tile_build(f->set, &def, NULL, NULL, &tile, NULL, &error), LOPE_BAD_DATA);
    def = f->def;
    def.offsets = 0;
    assert_int_equal(lope_tile_build(f->set, &def, NULL, NULL, &tile, NULL, &error), LOPE_BAD_DATA);
    lope_progress progress = {stop_at_once, NULL};
    assert_int_equal(lope_tile_build(f->set, &f->def, NULL, &progress, &tile, NULL, &error), LOPE_INTERRUPTED);
    assert_null(tile);
}

// Where the usual edits do not do, larger ones are taken, and said; clips say what became of them.
static void what_does_not_fit_is_fitted(void **state)
{
    test_tile *f = *state;
    lope_error error = {0};
    lope_tile *tile = NULL;
    lope_tile_report report;
    lope_build_context context = {NULL, NULL};
    lope_tile_def def = f->def, asked;
    def.max_shift *= 0.4f;
    def.max_bend *= 0.4f;
    asked = def;
    assert_int_equal(lope_tile_build(f->set, &def, NULL, NULL, &tile, NULL, &error), LOPE_NOT_FOUND);
    lope_clip_use *uses = calloc((size_t)f->set->clip_count, sizeof *uses);
    def.uses = uses;
    assert_ok(lope_tile_build_fitting(f->set, &def, &context, &tile, &report, &error));
    assert_true(def.max_shift > asked.max_shift);
    int used = 0;
    for (int c = 0; c < f->set->clip_count; c++) {
        used += uses[c].used;
        assert_true(uses[c].used > 0 || uses[c].why[0] != 0);
    }
    assert_int_equal(used, tile->link_count);
    lope_tile_destroy(tile);
    free(uses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_meet_at_the_foot),
        cmocka_unit_test(edits_keep_their_limits_and_walks_stay_inside),
        cmocka_unit_test(every_gate_leads_to_all_sides),
        cmocka_unit_test(people_can_stand),
        cmocka_unit_test(a_tiled_plane_is_one_component),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(reports_what_it_did),
        cmocka_unit_test(files_give_back_what_was_saved),
        cmocka_unit_test(tiles_that_point_nowhere_are_refused),
        cmocka_unit_test(sizes_beyond_reason_are_refused),
        cmocka_unit_test(links_without_end_are_refused),
        cmocka_unit_test(lengths_can_be_divided_by),
        cmocka_unit_test(too_little_motion_is_said),
        cmocka_unit_test(what_does_not_fit_is_fitted),
    };
    return cmocka_run_group_tests(tests, test_tile_create, test_tile_destroy);
}
