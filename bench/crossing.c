// SPDX-License-Identifier: MIT
#include "bench/crossing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/crossing_judge.h"

static const float ASK = 1.5f, HURRY = 0.75f,
                   LAST = 0.35f;              // metres before uneven ground: any good fit; a fair one; any
static const float GOOD = 0.1f, FAIR = 0.25f; // metres, of fits
static const double PATIENCE = 60.0;          // seconds
static const float BODY = 0.3f;               // metres, radius

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float usual_step_of(const lope_set *set)
{
    size_t joints = (size_t)set->skeleton->joint_count, count = 0, capacity = 0;
    lope_transform *models = calloc(3 * joints, sizeof *models);
    const double dt = (double)CROSSING_DT;
    float *steps = NULL;
    for (int c = 0; c < set->clip_count; c++)
        for (double t = 0.0; t + 2.0 * dt < lope_clip_duration(set->clips[c]); t += dt) {
            for (int k = 0; k < 3; k++) {
                lope_sample_request request = {set->clips[c], t + k * dt};
                lope_sample_many(set->skeleton, &request, 1, models + (size_t)k * joints);
            }
            if (count + joints > capacity)
                steps = realloc(steps, (capacity = 2 * (capacity + joints)) * sizeof *steps);
            for (size_t j = 0; j < joints; j++) {
                lope_vec3 a = models[j].translation, b = models[joints + j].translation,
                          d = models[2 * joints + j].translation;
                steps[count++] = lope_v3_length(lope_v3_sub(lope_v3_add(a, d), lope_v3_scale(b, 2.0f))) / CROSSING_DT;
            }
        }
    qsort(steps, count, sizeof *steps, by_value);
    float usual = steps[(size_t)((double)count * 0.999)];
    free(steps);
    free(models);
    return usual;
}

static void *block(size_t size)
{
    return aligned_alloc(64, (size + 63) & ~(size_t)63);
}

lope_status crossing_cast_open(const lope_mobility *map, const lope_rings *rings, crossing_cast *out, lope_error *error)
{
    const lope_set *set = lope_mobility_set(map);
    size_t joints = (size_t)set->skeleton->joint_count;
    lope_handover_def def = lope_handover_def_default(set->skeleton);
    lope_gait_def gait = lope_gait_def_default();
    *out = (crossing_cast){.map = map, .rings = rings};
    out->memory[0] = block(lope_walker_size(map));
    out->memory[1] = block(lope_handover_size(set->skeleton));
    out->velocities = calloc(joints, sizeof *out->velocities);
    out->last = calloc(joints, sizeof *out->last);
    out->inside = calloc(joints, sizeof *out->inside);
    out->usual_step = usual_step_of(set);
    lope_status status = lope_handover_init(out->memory[1], &def, &out->body, error);
    if (!status)
        status = lope_path_finder_create(&out->finder, error);
    return status ? status : lope_gait_create(rings, NULL, &gait, &out->gait, error);
}

void crossing_cast_close(crossing_cast *cast)
{
    lope_gait_destroy(cast->gait);
    lope_path_finder_destroy(cast->finder);
    free(cast->memory[0]);
    free(cast->memory[1]);
    free(cast->velocities);
    free(cast->last);
    free(cast->inside);
}

// ---- where to come from, and where to go on to

// Whether somebody can walk straight from a place to another on level ground.
static bool walkable(const lope_floors *floors, lope_vec3 from, lope_vec3 to)
{
    const float apart = 0.15f, even = 0.03f;
    int count = 1 + (int)(lope_v3_distance(from, to) / apart);
    for (int i = 0; i <= count; i++) {
        lope_vec3 at = lope_v3_lerp(from, to, (float)i / (float)count);
        lope_floor_spot spot;
        at.y = from.y;
        if (!lope_floors_ground(floors, at, even, &spot) || lope_floors_clearance(floors, &spot, BODY) < BODY)
            return false;
    }
    return true;
}

// A place to walk to or from, as far away as there is room, `heading` or up to a right angle off it.
static void outside(const lope_floors *floors, lope_vec3 end, float heading, uint64_t *random, lope_vec3 *out)
{
    static const float fars[] = {4.0f, 3.0f, 2.2f, 1.6f, 1.0f, 0.6f};
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 8; k++) {
            double most = k < 4 ? 0.6 : 1.5;
            double yaw = (double)heading + most * (2.0 * bench_random(random) - 1.0);
            lope_vec3 at =
                lope_v3_add(end, lope_v3(fars[f] * (float)lope_sin(yaw), 0.0f, fars[f] * (float)lope_cos(yaw)));
            if (walkable(floors, end, at)) {
                *out = at;
                return;
            }
        }
    *out = end;
}

static float heading(lope_vec3 from, lope_vec3 to)
{
    return (float)lope_atan2((double)(to.x - from.x), (double)(to.z - from.z));
}

static float apart(lope_vec3 a, lope_ground b)
{
    return hypotf(a.x - b.x, a.z - b.z);
}

// ---- the trial

typedef struct trial {
    crossing_cast *cast;
    const crossing_def *def;
    crossing_report *out;
    crossing_judge judge;
    lope_link_way way;
    lope_vec3 plan[LOPE_LINK_WAY_MOST + 1]; // over the link, and on to the goal
    lope_vec3 start, goal;
    lope_gait_carrier carrier;
    bool walks_on; // there is room to walk on behind the link
} trial;

static lope_ground here(const trial *t)
{
    return lope_handover_shown(t->cast->body)->ground;
}

static bool advance(trial *t)
{
    bool gait = lope_handover_controller(t->cast->body, NULL) == lope_gait_controller();
    lope_handover_advance(t->cast->body, CROSSING_DT);
    crossing_judge_frame(&t->judge, gait);
    if (t->def->frame)
        t->def->frame(t->def->user, lope_handover_shown(t->cast->body), gait);
    return t->judge.seconds < PATIENCE;
}

static bool hand_over(trial *t, const lope_controller *to, void *self, const lope_aim *aim, int which)
{
    lope_error error;
    t->out->fit[which] = (double)to->fit(self, lope_handover_shown(t->cast->body), aim);
    crossing_judge_handover(&t->judge, which);
    return lope_handover_to(t->cast->body, to, self, aim, &error) == LOPE_OK;
}

static bool walks_up(trial *t)
{
    lope_error error;
    crossing_cast *c = t->cast;
    lope_walker_def def = lope_walker_def_default();
    lope_vec3 begin = t->way.points[0], edge = t->way.points[t->way.first];
    lope_ground at = {t->start.x, t->start.z,
                      lope_v3_distance(t->start, begin) > 0.1f ? heading(t->start, begin) : heading(begin, edge)};
    if (lope_walker_init(c->memory[0], c->map, &def, -1, at, &c->walker, &error))
        return false;
    lope_walker_set_height(c->walker, t->start.y);
    lope_handover_begin(c->body, lope_walker_controller(), c->walker);
    crossing_judge_begin(&t->judge, c, t->def->terrain, t->out);
    lope_aim aim = {.place = begin, .facing = NAN}, over = {.place = t->goal, .facing = NAN, .stop = true};
    for (int f = 0; f < 900; f++) {
        float far = apart(edge, here(t));
        bool passed = apart(begin, here(t)) < 0.4f;
        aim.place = passed ? edge : begin;
        lope_walker_controller()->aim(c->walker, &aim);
        float fit = lope_gait_controller()->fit(&t->carrier, lope_handover_shown(c->body), &over);
        bool near = passed || far < ASK;
        if (near && (fit < GOOD || (far < HURRY && fit < FAIR) || (far < LAST && isfinite(fit))))
            return hand_over(t, lope_gait_controller(), &t->carrier, &over, 0);
        if (!advance(t))
            break;
    }
    return false;
}

// Whether feet stand, and come down next, on level ground behind the link.
static bool is_behind(const trial *t)
{
    const float even = 0.02f;
    lope_gait_state s = lope_gait_state_of(t->cast->gait);
    float y = t->way.points[t->way.count - 1].y;
    return fabsf(s.last.place.y - y) < even && fabsf(s.next.place.y - y) < even &&
           apart(t->way.points[t->way.last], here(t)) < 6.0f &&
           apart(t->goal, here(t)) < lope_v3_distance(t->goal, t->way.points[t->way.last]) - 0.15f;
}

static bool crosses(trial *t)
{
    lope_aim aim = {.place = t->goal, .facing = NAN, .stop = true};
    for (int f = 0; f < (int)(PATIENCE / (double)CROSSING_DT); f++) {
        t->out->seconds += (double)CROSSING_DT;
        if (!advance(t))
            return false;
        if (t->walks_on && is_behind(t) && lope_gait_may_leave(t->cast->gait) &&
            lope_walker_controller()->fit(t->cast->walker, lope_handover_shown(t->cast->body), &aim) < GOOD)
            return hand_over(t, lope_walker_controller(), t->cast->walker, &aim, 1);
        if (apart(t->goal, here(t)) < 0.6f && lope_gait_state_of(t->cast->gait).standing)
            return true;
        if (lope_gait_state_of(t->cast->gait).stuck)
            return false;
    }
    return false;
}

// A character that has come to a stand on the gait need not walk.
static bool walks_on(trial *t)
{
    if (lope_handover_controller(t->cast->body, NULL) == lope_gait_controller())
        return true;
    for (int f = 0; f < 900; f++) {
        if (lope_walker_progress_of(t->cast->walker) == LOPE_WALKER_ARRIVED)
            return true;
        if (!advance(t))
            break;
    }
    return apart(t->goal, here(t)) < 0.6f;
}

void crossing_run(crossing_cast *cast, const crossing_def *def, crossing_report *out)
{
    trial t = {.cast = cast, .def = def, .out = out};
    uint64_t random = def->seed;
    lope_link_way_def way = lope_link_way_def_default();
    way.finder = cast->finder;
    *out = (crossing_report){.slowest = {1.0, 1.0}};
    if (!lope_link_way_find(def->floors, def->link, &way, &t.way))
        return;
    const lope_vec3 *p = t.way.points;
    outside(def->floors, p[0], heading(p[t.way.first], p[0]), &random, &t.start);
    outside(def->floors, p[t.way.count - 1], heading(p[t.way.last], p[t.way.count - 1]), &random, &t.goal);
    float turn = heading(p[t.way.count - 1], t.goal) - heading(p[t.way.last], p[t.way.count - 1]);
    t.walks_on = lope_v3_distance(p[t.way.count - 1], t.goal) > 1.9f && fabsf(lope_wrap_angle(turn)) < 0.7f;
    memcpy(t.plan, p, (size_t)t.way.count * sizeof *p);
    t.plan[t.way.count] = t.goal;
    t.carrier = (lope_gait_carrier){.gait = cast->gait,
                                    .terrain = def->terrain,
                                    .like = {LOPE_GAIT_WALK, 0.0f, 0.65f},
                                    .way = t.plan,
                                    .way_count = t.way.count + 1};
    if (!walks_up(&t))
        out->failed = "no way into the gait";
    else if (!crosses(&t))
        out->failed = lope_gait_state_of(cast->gait).stuck ? "stuck" : "does not get over";
    else if (!walks_on(&t))
        out->failed = "does not walk on";
    out->arrived = !out->failed;
    crossing_judge_end(&t.judge);
}
