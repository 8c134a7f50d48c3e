// SPDX-License-Identifier: MIT
// Step graphs against what can be said of them without their builder: ankles, costs, feet, who reaches whom.
#include <stdlib.h>
#include <string.h>

#include "support/walking.h"

static lope_steps *build(const lope_set *set, const lope_steps_def *def, lope_steps_report *report)
{
    lope_error error;
    lope_steps *steps;
    assert_ok(lope_steps_build(set, def, NULL, NULL, &steps, report, &error));
    return steps;
}

// Nothing is merged: more to look at.
static lope_steps_def every_piece(void)
{
    lope_steps_def def = lope_steps_def_default();
    def.merge = 0.0f;
    return def;
}

static const lope_clip *clip_of(const lope_steps *graph, const lope_step *step)
{
    return graph->set->clips[step->clip];
}

static bool goes_on(const lope_step *a, const lope_step *b)
{
    return a->clip == b->clip && a->first + a->frames == b->first;
}

// How far the right ankle is ahead of the left one along the way the hips face.
static float ahead(const lope_clip *clip, int frame, lope_transform *model)
{
    const int *roles = clip->skeleton->roles;
    lope_clip_model(clip, frame, model);
    lope_ground ground = lope_ground_of_model(clip->skeleton, model);
    lope_vec3 apart =
        lope_v3_sub(model[roles[LOPE_RIGHT_ANKLE]].translation, model[roles[LOPE_LEFT_ANKLE]].translation);
    return apart.x * (float)lope_sin((double)ground.yaw) + apart.z * (float)lope_cos((double)ground.yaw);
}

static void pieces_begin_where_ankles_cross(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_steps_def def = every_piece();
    lope_steps *graph = build(set, &def, NULL);
    lope_transform *model = calloc((size_t)set->skeleton->joint_count, sizeof *model);
    int looked_at = 0;
    for (uint32_t s = 0; s < graph->step_count; s++) {
        const lope_step *step = &graph->steps[s];
        const lope_clip *clip = clip_of(graph, step);
        if (step->flags & LOPE_STEP_STARTS)
            continue;
        float before = ahead(clip, step->first - 3, model), after = ahead(clip, step->first + 2, model);
        assert_true(before * after < 0.0f);
        assert_true(fabsf(ahead(clip, step->first, model)) < 0.2f);
        // Within the piece nothing crosses, but for the frames around its ends.
        for (int f = step->first + 4; f < step->first + step->frames - 4; f++)
            assert_true(after * ahead(clip, f, model) > 0.0f);
        looked_at++;
    }
    assert_true(looked_at > 20);
    free(model);
    lope_steps_destroy(graph);
    lope_set_destroy(set);
}

static void clips_go_on_by_themselves(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_steps_def def = every_piece();
    lope_steps *graph = build(set, &def, NULL);
    int natural = 0;
    for (uint32_t s = 0; s < graph->step_count; s++) {
        const lope_step *a = &graph->steps[s];
        const lope_clip *clip = clip_of(graph, a);
        int last = a->first + a->frames - 1;
        lope_ground move = lope_ground_relative(lope_clip_ground(clip, a->first), lope_clip_ground(clip, last));
        assert_near(move.x, a->move.x, 1e-5);
        assert_near(move.z, a->move.z, 1e-5);
        assert_near(move.yaw, a->move.yaw, 1e-5);
        for (uint32_t e = a->edge_first; e < a->edge_first + a->edge_count; e++) {
            const lope_step_edge *edge = &graph->edges[e];
            if (!goes_on(a, &graph->steps[edge->to]))
                continue;
            lope_ground step = lope_clip_ground_step(clip, last);
            assert_near(step.x, edge->join.x, 1e-5);
            assert_near(step.z, edge->join.z, 1e-5);
            assert_near(step.yaw, edge->join.yaw, 1e-5);
            assert_true(edge->cost == 0.0f && edge->slip == 0.0f);
            natural++;
        }
    }
    assert_true(natural > 15);
    lope_steps_destroy(graph);
    lope_set_destroy(set);
}

static const lope_step_edge *edge_between(const lope_steps *graph, uint32_t from, uint32_t to)
{
    const lope_step *a = &graph->steps[from];
    for (uint32_t e = a->edge_first; e < a->edge_first + a->edge_count; e++)
        if ((uint32_t)graph->edges[e].to == to)
            return &graph->edges[e];
    return NULL;
}

// Every pair of pieces: an edge where the plain cost says so, none where it does not.
static void edges_are_what_plain_costs_allow(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps_def def = every_piece();
    def.align = LOPE_ALIGN_CLOUD;
    def.threshold = 0.05f;
    def.rescue = 1.0f;
    lope_steps *graph = build(set, &def, NULL);
    lope_transform *model = calloc((size_t)set->skeleton->joint_count, sizeof *model);
    int edges = 0, none = 0;
    for (uint32_t s = 0; s < graph->step_count; s++)
        for (uint32_t t = 0; t < graph->step_count; t++) {
            const lope_step *a = &graph->steps[s], *b = &graph->steps[t];
            const lope_step_edge *edge = edge_between(graph, s, t);
            if (a->flags & LOPE_STEP_STOPS || b->flags & LOPE_STEP_STARTS || goes_on(a, b)) {
                assert_true(goes_on(a, b) || !edge || (a->flags & LOPE_STEP_STOPS && b->flags & LOPE_STEP_STARTS));
                continue;
            }
            int last = a->first + a->frames - 1;
            float cost, end = ahead(clip_of(graph, a), last - 2, model),
                        begin = ahead(clip_of(graph, b), b->first - 3, model);
            assert_ok(lope_transition_cost(clip_of(graph, a), last, clip_of(graph, b), b->first - 1, 11, &cost, NULL,
                                           &error));
            bool allowed = end * begin > 0.0f && cost < def.threshold;
            if (fabsf(cost - def.threshold) > 1e-4f)
                assert_int_equal(edge != NULL, allowed);
            if (edge)
                assert_near(edge->cost, cost, 1e-4);
            edges += edge != NULL;
            none += !edge;
        }
    assert_true(edges > 50 && none > 50);
    free(model);
    lope_steps_destroy(graph);
    lope_set_destroy(set);
}

typedef struct feet {
    lope_vec3 at[4]; // heels and balls
} feet;

// Feet of one frame of a piece that is placed at `origin`.
static feet feet_of(const lope_steps *graph, const lope_step *step, int frame, lope_ground origin)
{
    const lope_clip *clip = clip_of(graph, step);
    int joints = clip->skeleton->joint_count;
    lope_pose pose = {.joint_count = joints, .rotations = calloc((size_t)joints, sizeof *pose.rotations)};
    lope_transform *model = calloc((size_t)joints, sizeof *model);
    lope_clip_frame(clip, frame, &pose);
    lope_pose_place(&pose, lope_ground_mul(origin, lope_ground_inverse(lope_clip_ground(clip, step->first))));
    lope_pose_to_model(clip->skeleton, &pose, model);
    lope_vec3 points[LOPE_CONTACT_COUNT]; // left heel, left ball, right heel, right ball, ...
    lope_contact_points(clip->skeleton, model, points);
    feet result;
    memcpy(result.at, points, sizeof result.at);
    free(pose.rotations);
    free(model);
    return result;
}

static float apart_on_ground(lope_vec3 a, lope_vec3 b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

// Of a join: how far the foot that moves least is from where it was.
static float measured_slip(const lope_steps *graph, uint32_t from, const lope_step_edge *edge)
{
    const lope_step *a = &graph->steps[from], *b = &graph->steps[edge->to];
    lope_ground there = lope_ground_mul(a->move, edge->join);
    feet before = feet_of(graph, a, a->first + a->frames - 1, (lope_ground){0, 0, 0});
    feet after = feet_of(graph, b, b->first - 1, there);
    float slip[2];
    for (int side = 0; side < 2; side++)
        slip[side] = fmaxf(apart_on_ground(before.at[2 * side], after.at[2 * side]),
                           apart_on_ground(before.at[2 * side + 1], after.at[2 * side + 1]));
    return fminf(slip[0], slip[1]);
}

// Root mean square distance over the window of two pieces, b's clip moved by `move` onto a's.
static double distance_after(const lope_steps *graph, const lope_step *a, const lope_step *b, lope_ground move)
{
    const lope_clip *p = clip_of(graph, a), *q = clip_of(graph, b);
    size_t joints = (size_t)p->skeleton->joint_count;
    lope_transform by = lope_ground_transform(move), *models = calloc(2 * joints, sizeof *models);
    double sum = 0.0;
    for (int k = -5; k <= 5; k++) {
        int f = a->first + a->frames - 1 + k, g = b->first - 1 + k;
        lope_clip_model(p, f < 0 ? 0 : f < p->frame_count ? f : p->frame_count - 1, models);
        lope_clip_model(q, g < 0 ? 0 : g < q->frame_count ? g : q->frame_count - 1, models + joints);
        for (size_t j = 0; j < joints; j++) {
            lope_vec3 apart =
                lope_v3_sub(models[j].translation, lope_transform_point(by, models[joints + j].translation));
            sum += (double)lope_v3_dot(apart, apart);
        }
    }
    free(models);
    return sqrt(sum / (11.0 * (double)joints));
}

// Middle of a foot, in its clip.
static lope_vec3 foot_in_clip(const lope_steps *graph, const lope_step *step, int frame, int side)
{
    const lope_clip *clip = clip_of(graph, step);
    feet f = feet_of(graph, step, frame, lope_clip_ground(clip, step->first));
    return lope_v3_lerp(f.at[2 * side], f.at[2 * side + 1], 0.5f);
}

static lope_ground about_foot(lope_vec3 to, lope_vec3 from, float yaw)
{
    lope_vec3 turned = lope_quat_rotate(lope_quat_yaw(yaw), from);
    return (lope_ground){to.x - turned.x, to.z - turned.z, yaw};
}

// The least distance of all turns about the supporting foot, which is the slower one.
static double least_about_foot(const lope_steps *graph, const lope_step *a, const lope_step *b)
{
    int i = a->first + a->frames - 1, j = b->first - 1, side = 0;
    float speed[2];
    for (int k = 0; k < 2; k++)
        speed[k] = lope_v3_distance(foot_in_clip(graph, a, i - 1, k), foot_in_clip(graph, a, i + 1, k)) +
                   lope_v3_distance(foot_in_clip(graph, b, j - 1, k), foot_in_clip(graph, b, j + 1, k));
    side = speed[1] < speed[0];
    lope_vec3 to = foot_in_clip(graph, a, i, side), from = foot_in_clip(graph, b, j, side);
    float facing = lope_clip_ground(clip_of(graph, a), i).yaw - lope_clip_ground(clip_of(graph, b), j).yaw, best = 0.0f;
    double least = 1e9;
    for (float range = 0.6f; range > 1e-3f; range *= 0.25f, facing = best)
        for (int k = -8; k <= 8; k++) {
            float yaw = facing + range * (float)k / 8.0f;
            double distance = distance_after(graph, a, b, about_foot(to, from, yaw));
            if (distance < least) {
                least = distance;
                best = yaw;
            }
        }
    return least;
}

static void joins_are_the_best_about_the_foot(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_steps_def def = lope_steps_def_default(); // merged: the slow way is slow
    def.rescue = 1.0f;
    lope_steps *graph = build(set, &def, NULL);
    lope_transform *model = calloc((size_t)set->skeleton->joint_count, sizeof *model);
    int edges = 0, none = 0;
    for (uint32_t s = 0; s < graph->step_count; s++)
        for (uint32_t t = 0; t < graph->step_count; t++) {
            const lope_step *a = &graph->steps[s], *b = &graph->steps[t];
            const lope_clip *p = clip_of(graph, a), *q = clip_of(graph, b);
            const lope_step_edge *edge = edge_between(graph, s, t);
            int last = a->first + a->frames - 1;
            if (goes_on(a, b) || ahead(p, last - 2, model) * ahead(q, b->first - 3, model) < 0.0f)
                continue;
            double least = least_about_foot(graph, a, b);
            if (fabs(least - (double)def.threshold) > 1e-3)
                assert_int_equal(edge != NULL, least < (double)def.threshold);
            none += !edge;
            if (!edge)
                continue;
            lope_ground move = lope_ground_mul(lope_ground_mul(lope_clip_ground(p, last), edge->join),
                                               lope_ground_inverse(lope_clip_ground(q, b->first)));
            assert_near(edge->cost, distance_after(graph, a, b, move), 2e-4);
            assert_near(edge->cost, least, 1e-3);
            edges++;
        }
    assert_true(edges > 20 && none > 10);
    free(model);
    lope_steps_destroy(graph);
    lope_set_destroy(set);
}

static void the_supporting_foot_stays(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    for (int align = 0; align < 2; align++) {
        lope_steps_def def = every_piece();
        def.align = (lope_steps_align)align;
        def.threshold = 0.1f;
        lope_steps_report report;
        lope_steps *graph = build(set, &def, &report);
        double sum = 0.0;
        int count = 0;
        for (uint32_t s = 0; s < graph->step_count; s++) {
            const lope_step *a = &graph->steps[s];
            for (uint32_t k = 0; k < a->edge_count; k += 3) {
                const lope_step_edge *edge = &graph->edges[a->edge_first + k];
                if (edge->cost == 0.0f || a->flags & LOPE_STEP_STOPS)
                    continue;
                float slip = measured_slip(graph, s, edge);
                assert_true(slip < edge->slip + 1e-4f);
                sum += (double)slip;
                count++;
            }
        }
        assert_true(count > 20);
        if (def.align == LOPE_ALIGN_FOOT)
            assert_true(sum / count < 0.01 && report.mean_slip < 0.01f && report.cloud_slip > 0.02f);
        else
            assert_true(sum / count > 0.02);
        lope_steps_destroy(graph);
    }
    lope_set_destroy(set);
}

// Pieces that can be walked from each other, the slow way; returns the size of the largest such group.
static int largest_group(const lope_steps *graph)
{
    size_t n = graph->step_count;
    uint8_t *reach = calloc(n * n, 1);
    for (size_t s = 0; s < n; s++) {
        const lope_step *a = &graph->steps[s];
        for (uint32_t e = 0; e < a->edge_count && !(a->flags & LOPE_STEP_STOPS); e++)
            reach[s * n + (size_t)graph->edges[a->edge_first + e].to] = 1;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n && reach[a * n + k]; b++)
                reach[a * n + b] |= reach[k * n + b];
    int most = 0;
    for (size_t a = 0; a < n; a++) {
        int size = 0;
        for (size_t b = 0; b < n; b++)
            size += reach[a * n + b] && reach[b * n + a];
        most = size > most ? size : most;
    }
    free(reach);
    return most;
}

static void graphs_hang_together(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    for (int kind = 0; kind < 2; kind++)
        for (int most = 0; most < 5; most++) {
            lope_steps_def def = every_piece();
            def.kind = (lope_steps_kind)kind;
            def.max_branching = most;
            def.threshold = kind ? 0.02f : 0.04f; // a standard graph of 6 cm is too large for the slow way
            lope_steps_report report, full;
            lope_steps *graph = build(set, &def, &report);
            assert_int_equal(largest_group(graph), report.component);
            assert_int_equal(graph->step_count, report.nodes);
            def.max_branching = 0;
            lope_steps_destroy(build(set, &def, &full));
            if (most >= 3) // thinned, but not at the cost of what can be walked to
                assert_int_equal(report.component, full.component);
            for (uint32_t s = 0; s < graph->step_count; s++)
                assert_true(!most || graph->steps[s].edge_count <= (uint32_t)most);
            lope_steps_destroy(graph);
        }
    lope_set_destroy(set);
}

// Thinned by a mean: the graph stays in one piece, and of what could go, only the cheapest transitions are left.
static void the_mean_of_ways_on_is_kept(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    for (int kind = 0; kind < 2; kind++) {
        lope_steps_def def = lope_steps_def_published((lope_steps_kind)kind);
        lope_steps_report report, full;
        def.threshold = kind ? 0.02f : 0.06f; // as above
        lope_steps *graph = build(set, &def, &report);
        def.mean_branching = 0.0f;
        lope_steps_destroy(build(set, &def, &full));
        assert_int_equal(largest_group(graph), report.component);
        assert_int_equal(report.component, full.component);
        assert_true(full.branching > report.branching + 0.1);
        assert_near(report.branching, kind ? 1.30 : 1.56, 0.1);
        assert_true(report.mean_cost < full.mean_cost);
        lope_steps_destroy(graph);
    }
    lope_set_destroy(set);
}

static bool listed(const lope_transitions *all, int from, int to)
{
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const lope_transition *t = &all->items[middle];
        if (t->from < from || (t->from == from && t->to < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->count && all->items[low].from == from && all->items[low].to == to;
}

// Pieces of a standard graph cover the clips without overlaps, and change over at local minima only.
static void standard_graphs_change_at_minima(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps_def def = lope_steps_def_default();
    def.kind = LOPE_STEPS_STANDARD;
    def.align = LOPE_ALIGN_CLOUD;
    def.threshold = 0.03f;
    lope_steps *graph = build(set, &def, NULL);
    lope_transition_def transitions = lope_transition_def_default(LOPE_METRIC_CLOUD);
    transitions.threshold = def.threshold;
    lope_transitions all;
    assert_ok(lope_transitions_find(set, &transitions, NULL, NULL, &all, &error));
    int edges = 0;
    for (uint32_t s = 0; s < graph->step_count; s++) {
        const lope_step *a = &graph->steps[s];
        assert_true(s == 0 || a->clip > a[-1].clip || a->first >= a[-1].first + a[-1].frames);
        for (uint32_t e = a->edge_first; e < a->edge_first + a->edge_count; e++) {
            const lope_step *b = &graph->steps[graph->edges[e].to];
            int from = lope_set_first_pose(set, a->clip) + a->first + a->frames - 1;
            int to = lope_set_first_pose(set, b->clip) + b->first;
            double cost;
            if (goes_on(a, b))
                continue;
            assert_true(listed(&all, from, to));
            assert_ok(lope_transition_cost_plain(set, &transitions, from, to, &cost, &error));
            assert_near(graph->edges[e].cost, cost, 1e-4);
            edges++;
        }
    }
    assert_true(edges > 50 && edges <= (int)all.count);
    lope_transitions_free(&all);
    lope_steps_destroy(graph);
    lope_set_destroy(set);
}

// The least turn of all walks of three more steps, in degrees.
static double least_turn(const lope_steps *graph, uint32_t step, double turned, int depth)
{
    const lope_step *a = &graph->steps[step];
    if (depth == 0 || a->flags & LOPE_STEP_STOPS)
        return fabs((double)lope_wrap_angle((float)turned)) * 180.0 / LOPE_PI;
    double least = 360.0;
    for (uint32_t e = a->edge_first; e < a->edge_first + a->edge_count; e++) {
        const lope_step_edge *edge = &graph->edges[e];
        double next = turned + (double)edge->join.yaw + (double)graph->steps[edge->to].move.yaw;
        least = fmin(least, least_turn(graph, (uint32_t)edge->to, next, depth - 1));
    }
    return least;
}

static void nobody_is_locked_in_a_turn(void **state)
{
    (void)state;
    lope_set *set = test_walks();
    for (int most = 0; most < 4; most += most ? 1 : 2) { // any number of ways on would take the slow way too long
        lope_steps_def def = lope_steps_def_default();
        def.max_branching = most ? most : 6;
        def.threshold = most ? 0.06f : 0.015f; // so strict that some cannot get out
        lope_steps_report report;
        lope_steps *graph = build(set, &def, &report);
        int locked = 0, nearly = 0;
        for (uint32_t s = 0; s < graph->step_count; s++) {
            double turn = least_turn(graph, s, 0.0, 3);
            locked += turn > 34.0;
            nearly += turn > 26.0;
        }
        assert_in_range(report.locked, locked, nearly);
        if (most >= 3)
            assert_int_equal(report.locked, 0);
        lope_steps_destroy(graph);
    }
    lope_set_destroy(set);
}

static void the_body_stays_inside_its_discs(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_steps_def def = every_piece();
    lope_steps *graph = build(set, &def, NULL);
    lope_transform *model = calloc((size_t)set->skeleton->joint_count, sizeof *model);
    for (uint32_t s = 0; s < graph->step_count; s++) {
        const lope_step *step = &graph->steps[s];
        const lope_clip *clip = clip_of(graph, step);
        lope_ground back = lope_ground_inverse(lope_clip_ground(clip, step->first));
        for (int f = 0; f < step->frames; f++) {
            lope_clip_model(clip, step->first + f, model);
            uint32_t k = (uint32_t)((f + 1) / 2); // a place every two frames
            k = k < step->place_count ? k : step->place_count - 1;
            const lope_step_place *place = &graph->places[step->place_first + k];
            const lope_step_disc *discs = &graph->discs[(step->place_first + k) * LOPE_STEP_DISCS];
            for (int j = 0; j < set->skeleton->joint_count; j++) {
                lope_vec3 p = model[j].translation;
                lope_ground at = lope_ground_mul(back, (lope_ground){p.x, p.z, 0.0f});
                bool inside = false;
                for (int d = 0; d < LOPE_STEP_DISCS; d++)
                    inside = inside || hypotf(at.x - discs[d].x, at.z - discs[d].z) <= discs[d].radius;
                assert_true(inside);
                assert_true(hypotf(at.x - place->at.x, at.z - place->at.z) <= place->radius);
            }
        }
        const lope_step_place *last = &graph->places[step->place_first + step->place_count - 1];
        assert_near(last->at.x, step->move.x, 1e-5);
        assert_near(last->at.z, step->move.z, 1e-5);
        assert_near(last->length, step->length, 1e-5);
    }
    free(model);
    lope_steps_destroy(graph);
    lope_set_destroy(set);
}

// Even walking is one left and one right step; turns and what is only nearly alike stay.
static void doubles_are_merged(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = 30.0;
    lope_clip *clips[2];
    lope_set *set;
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &clips[0], &error));
    assert_ok(lope_synth_clip("walk_slow", &synth, 0, &clips[1], &error));
    assert_ok(lope_set_create(clips, 2, &set, &error));
    lope_steps_def def = lope_steps_def_default();
    def.threshold = 0.1f;
    lope_steps_report report;
    lope_steps *graph = build(set, &def, &report);
    assert_int_equal(graph->step_count, 4);
    assert_int_equal(report.pieces - report.merged, 4);
    assert_int_equal(report.component, 4);
    assert_true(report.mixed_speeds);
    lope_steps_destroy(graph);
    // Kept apart by their speeds, the two walks do not connect: only one of them stays.
    def.speed_ratio = 1.1f;
    graph = build(set, &def, &report);
    assert_int_equal(graph->step_count, 2);
    assert_false(report.mixed_speeds);
    lope_steps_destroy(graph);
    lope_set_destroy(set);
}

static bool same_graph(const lope_steps *a, const lope_steps *b)
{
    return a->step_count == b->step_count && a->edge_count == b->edge_count && a->place_count == b->place_count &&
           memcmp(a->steps, b->steps, a->step_count * sizeof *a->steps) == 0 &&
           memcmp(a->edges, b->edges, a->edge_count * sizeof *a->edges) == 0 &&
           memcmp(a->places, b->places, a->place_count * sizeof *a->places) == 0 &&
           memcmp(a->discs, b->discs, a->place_count * LOPE_STEP_DISCS * sizeof *a->discs) == 0;
}

static void the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    for (int kind = 0; kind < 2; kind++) {
        lope_steps_def def = lope_steps_def_default();
        def.kind = (lope_steps_kind)kind;
        def.max_branching = 6;
        lope_steps *alone = build(set, &def, NULL), *shared;
        lope_jobs *jobs;
        assert_ok(lope_jobs_create(3, &jobs, &error));
        assert_ok(lope_steps_build(set, &def, jobs, NULL, &shared, NULL, &error));
        assert_true(same_graph(alone, shared));
        lope_jobs_destroy(jobs);
        lope_steps_destroy(alone);
        lope_steps_destroy(shared);
    }
    lope_set_destroy(set);
}

static void expect_failure(const lope_set *set, const lope_steps_def *def, lope_status expected, const char *says)
{
    lope_error error = {0};
    lope_steps *graph;
    assert_int_equal(lope_steps_build(set, def, NULL, NULL, &graph, NULL, &error), expected);
    assert_null(graph);
    assert_non_null(strstr(error.message, says));
}

static bool refuse(void *user, const char *stage, double done)
{
    (void)user, (void)stage, (void)done;
    return false;
}

static void bend_over(lope_clip *clip, float angle)
{
    const lope_skeleton *skeleton = clip->skeleton;
    lope_quat bow = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), angle);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_quat *turn =
            &clip->rotations[(size_t)f * (size_t)skeleton->joint_count + (size_t)skeleton->roles[LOPE_SPINE]];
        *turn = lope_quat_mul(bow, *turn);
    }
}

// The last two clips are the first one again, bent over: a little, and down to the floor.
static void nobody_walks_or_stands_bent_over(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_start", "walk_stop", "walk_normal", "walk_start", "walk_start"};
    lope_set *set = test_make_set(names, 5, 1);
    bend_over(set->clips[3], 0.9f);
    bend_over(set->clips[4], 1.7f);
    lope_steps_def def = every_piece();
    def.threshold = 10.0f; // everything joins
    lope_steps *graph = build(set, &def, NULL);
    int steps[5] = {0}, starts[5] = {0};
    for (uint32_t s = 0; s < graph->step_count; s++) {
        steps[graph->steps[s].clip]++;
        starts[graph->steps[s].clip] += (graph->steps[s].flags & LOPE_STEP_STARTS) != 0;
    }
    assert_true(steps[0] > 0 && starts[0] > 0);
    assert_true(steps[3] > 0 && starts[3] == 0);
    assert_int_equal(steps[4], 0);
    lope_steps_destroy(graph);
    lope_set_destroy(set);
}

static void what_cannot_be_built_is_said(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_set *set = test_few_walks(), *standing;
    const lope_steps_def good = lope_steps_def_default();
    lope_steps_def bad = good;
    bad.threshold = NAN;
    expect_failure(set, &bad, LOPE_BAD_DATA, "threshold");
    bad = good;
    bad.place_interval = 0.0f;
    expect_failure(set, &bad, LOPE_BAD_DATA, "interval");
    bad = good;
    bad.speed_ratio = 0.5f;
    expect_failure(set, &bad, LOPE_BAD_DATA, "speed_ratio");
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *idle, *turn;
    assert_ok(lope_synth_clip("turn_left_sharp", &synth, 0, &turn, &error));
    assert_ok(lope_set_create(&turn, 1, &standing, &error));
    bad = good;
    bad.threshold = 1e-4f;
    expect_failure(standing, &bad, LOPE_NOT_FOUND, "do not connect");
    lope_set_destroy(standing);
    assert_ok(lope_synth_clip("idle", &synth, 0, &idle, &error));
    assert_ok(lope_set_create(&idle, 1, &standing, &error));
    expect_failure(standing, &good, LOPE_NOT_FOUND, "clips that walk");
    lope_progress never = {refuse, NULL};
    lope_steps *graph;
    assert_int_equal(lope_steps_build(set, &good, NULL, &never, &graph, NULL, &error), LOPE_INTERRUPTED);
    lope_set_destroy(standing);
    lope_set_destroy(set);
}

static lope_status build_and_forget(void *user, lope_error *error)
{
    lope_steps_def def = lope_steps_def_default();
    def.max_branching = 3;
    lope_steps *graph;
    lope_status status = lope_steps_build(user, &def, NULL, NULL, &graph, NULL, error);
    lope_steps_destroy(graph);
    return status;
}

static void running_out_of_memory_is_safe(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    test_allocation_failures(build_and_forget, set);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_begin_where_ankles_cross),
        cmocka_unit_test(clips_go_on_by_themselves),
        cmocka_unit_test(edges_are_what_plain_costs_allow),
        cmocka_unit_test(joins_are_the_best_about_the_foot),
        cmocka_unit_test(the_supporting_foot_stays),
        cmocka_unit_test(graphs_hang_together),
        cmocka_unit_test(the_mean_of_ways_on_is_kept),
        cmocka_unit_test(standard_graphs_change_at_minima),
        cmocka_unit_test(nobody_is_locked_in_a_turn),
        cmocka_unit_test(the_body_stays_inside_its_discs),
        cmocka_unit_test(doubles_are_merged),
        cmocka_unit_test(the_same_for_any_number_of_threads),
        cmocka_unit_test(what_cannot_be_built_is_said),
        cmocka_unit_test(running_out_of_memory_is_safe),
        cmocka_unit_test(nobody_walks_or_stands_bent_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
