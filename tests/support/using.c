// SPDX-License-Identifier: MIT
#include "support/using.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using_fixture using;

static void *block(size_t size)
{
    return aligned_alloc(64, (size + 63) & ~(size_t)63);
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Metres per second that 99.9 % of the steps of joints' velocities in the clips are below.
static float usual_step(const lope_set *set)
{
    size_t joints = (size_t)set->skeleton->joint_count, count = 0, capacity = 0;
    lope_transform *models = calloc(3 * joints, sizeof *models);
    float *steps = NULL;
    for (int c = 0; c < set->clip_count; c++)
        for (double t = 0.0; t + 2.0 * (double)USING_DT < lope_clip_duration(set->clips[c]); t += (double)USING_DT) {
            for (int k = 0; k < 3; k++) {
                lope_sample_request request = {set->clips[c], t + k * (double)USING_DT};
                lope_sample_many(set->skeleton, &request, 1, models + (size_t)k * joints);
            }
            if (count + joints > capacity)
                steps = realloc(steps, (capacity = 2 * (capacity + joints)) * sizeof *steps);
            for (size_t j = 0; j < joints; j++) {
                lope_vec3 a = models[j].translation, b = models[joints + j].translation,
                          d = models[2 * joints + j].translation;
                steps[count++] = lope_v3_length(lope_v3_sub(lope_v3_add(a, d), lope_v3_scale(b, 2.0f))) / USING_DT;
            }
        }
    qsort(steps, count, sizeof *steps, by_value);
    float usual = steps[(size_t)((double)count * 0.999)];
    free(steps);
    free(models);
    return usual;
}

int using_set_up(void **state)
{
    lope_error error;
    test_blocks_create(state);
    using.blocks = ((test_stage *)*state)->blocks;
    using.map = test_open_map(TEST_WALKS);
    assert_non_null(using.map);
    assert_ok(lope_mobility_learn_entries(using.map, &error));
    const lope_skeleton *skeleton = using.blocks->set->skeleton;
    assert_true(lope_skeleton_equal(skeleton, lope_mobility_set(using.map)->skeleton, 1e-4f));
    using.memory[0] = block(lope_walker_size(using.map));
    using.memory[1] = block(lope_handover_size(skeleton));
    using.memory[2] = block(lope_use_size(using.blocks));
    using.usual = usual_step(using.blocks->set);
    print_message("steps of velocity in the clips are below %.2f m/s\n", (double)using.usual);
    assert_ok(lope_body_balls_create(skeleton, 0.04f, 0.0f, &using.balls, &error));
    return 0;
}

int using_tear_down(void **state)
{
    for (int i = 0; i < 3; i++)
        free(using.memory[i]);
    lope_body_balls_destroy(&using.balls);
    lope_mobility_close(using.map);
    return test_stage_destroy(state);
}

// ---- one use

static float step_of(using_watch *w, const lope_transform *model, int joints, int *joint)
{
    float most = 0.0f;
    for (int j = 0; j < joints; j++) {
        lope_vec3 v = lope_v3_scale(lope_v3_sub(model[j].translation, w->last[j].translation), 1.0f / USING_DT);
        float step = w->frames > 1 ? lope_v3_distance(v, w->velocities[j]) : 0.0f;
        *joint = step > most ? j : *joint;
        most = fmaxf(most, step);
        w->velocities[j] = v;
        w->last[j] = model[j];
    }
    w->frames++;
    return most;
}

static void note_contacts(using_watch *w, const lope_moment *m, const level_near *near, bool checked, using_seen *s)
{
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++) {
        bool now = m->contacts >> part & 1u, before = w->contacts >> part & 1u;
        if (!now)
            continue;
        if (!before)
            w->held[part] = m->points[part];
        float slip = lope_v3_distance(w->held[part], m->points[part]);
        if (part != 8)
            s->slip = fmaxf(s->slip, slip);
        s->held[part] += checked ? USING_DT : 0.0f;
    }
    for (int limb = 0; limb < 5 && checked; limb++) { // feet, hands, seat: one part of a foot is enough
        const int first = limb < 2 ? 2 * limb : limb < 4 ? limb + 2 : 8, end = limb < 2 ? first + 2 : first + 1;
        float gap = INFINITY;
        for (int part = first; part < end; part++)
            if (m->contacts >> part & 1u)
                gap = fminf(gap, level_surface_distance(near, m->points[part]));
        if (gap < INFINITY)
            s->gap[limb / 2] = fmaxf(s->gap[limb / 2], gap);
    }
    w->contacts = m->contacts;
}

static float random_off(float most)
{
    return lope_random_range(&using.random, -most, most);
}

void using_stand(lope_use_place at, float off, float turned)
{
    lope_error error;
    lope_walker_def def = lope_walker_def_default();
    lope_ground ground = {at.place.x + random_off(off), at.place.z + random_off(off), at.facing + random_off(turned)};
    lope_handover_def over = lope_handover_def_default(using.blocks->set->skeleton);
    assert_ok(lope_walker_init(using.memory[0], using.map, &def, -1, ground, &using.walker, &error));
    lope_walker_set_height(using.walker, at.place.y);
    assert_ok(lope_handover_init(using.memory[1], &over, &using.body, &error));
    lope_handover_begin(using.body, lope_walker_controller(), using.walker);
    for (int f = 0; f < 30; f++)
        lope_handover_advance(using.body, USING_DT);
}

// Advances and looks; `edge`: just after a hand-over.
void using_look(using_watch *w, const level_near *near, bool edge, float t, using_seen *s)
{
    const lope_skeleton *skeleton = using.blocks->set->skeleton;
    lope_handover_advance(using.body, USING_DT);
    const lope_transform *model = lope_handover_model(using.body);
    int joint = 0;
    float step = step_of(w, model, skeleton->joint_count, &joint);
    if (!edge && step > s->jolt) {
        s->jolt_at = t;
        s->jolt_joint = joint;
    }
    *(edge ? &s->step : &s->jolt) = fmaxf(edge ? s->step : s->jolt, step);
    void *self;
    bool used = lope_handover_controller(using.body, &self) == lope_use_controller();
    note_contacts(w, lope_handover_shown(using.body), near, used, s);
    if (!used || w->frames % 3)
        return;
    level_depth d = level_body_depth(near, &using.balls, model);
    if (d.metres > s->deepest.metres) {
        s->deepest = d;
        s->deepest_at = t;
    }
}

void using_once(const lope_use_def *def, using_seen *s)
{
    lope_error error;
    lope_status status = lope_use_init(using.memory[2], def, &using.use, &error);
    if (status) {
        print_message("  %s: %s\n", s->name, error.message);
        s->refused++;
        return;
    }
    s->uses++;
    lope_use_place at = lope_use_approach(using.use), end = lope_use_end(using.use);
    lope_vec3 low = lope_v3_sub(lope_v3_min(at.place, end.place), lope_v3(1.5f, 0.3f, 1.5f)),
              high = lope_v3_add(lope_v3_max(at.place, end.place), lope_v3(1.5f, 2.3f, 1.5f));
    level_near near;
    level_near_gather(&near, def->level, low, high);
    using_stand(at, 0.06f, 0.15f);
    static using_watch w;
    w = (using_watch){0};
    using_look(&w, &near, false, 0.0f, s);
    using_look(&w, &near, false, 0.0f, s);
    float fit = lope_use_controller()->fit(using.use, lope_handover_shown(using.body), NULL);
    assert_true(fit < 0.1f);
    assert_ok(lope_handover_to(using.body, lope_use_controller(), using.use, NULL, &error));
    float t = 0.0f, waits = -1.0f;
    for (; t < 60.0f && !lope_use_controller()->may_leave(using.use); t += USING_DT) {
        using_look(&w, &near, t == 0.0f, t, s);
        for (int j = 0; j < using.blocks->set->skeleton->joint_count && waits < 0.0f; j++)
            if (lope_v3_length(w.velocities[j]) > 0.15f)
                waits = t;
    }
    s->waits = fmaxf(s->waits, waits);
    s->seconds = fmaxf(s->seconds, t);
    lope_ground ground = lope_handover_shown(using.body)->ground;
    s->off = fmaxf(s->off, hypotf(ground.x - end.place.x, ground.z - end.place.z));
    lope_aim aim = {
        .place = {end.place.x + 3.0f * sinf(end.facing), end.place.y, end.place.z + 3.0f * cosf(end.facing)},
        .facing = NAN};
    assert_ok(lope_handover_to(using.body, lope_walker_controller(), using.walker, &aim, &error));
    for (int f = 0; f < 60; f++)
        using_look(&w, &near, f == 0, t, s);
    level_near_free(&near);
}

void using_print(const lope_level *level, const using_seen *s)
{
    lope_part part;
    const char *in = s->deepest.part >= 0 && lope_level_part(level, s->deepest.part, &part) ? part.name : "-";
    const char *kind = s->deepest.part >= 0 ? part.kind : "";
    print_message("%-26s %2d used %d refused: slip %4.1f mm, step %.2f, between %.2f m/s (%s at %.1f s), depth %4.1f "
                  "cm (%s in %s %s at "
                  "%.1f s), gaps %4.1f %4.1f %4.1f mm, waits %.2f s, takes %.1f s, ends %.2f m off\n",
                  s->name, s->uses, s->refused, 1e3 * (double)s->slip, (double)s->step, (double)s->jolt,
                  using.blocks->set->skeleton->names[s->jolt_joint], (double)s->jolt_at,
                  1e2 * (double)s->deepest.metres,
                  s->deepest.joint >= 0 ? using.blocks->set->skeleton->names[s->deepest.joint] : "-", in, kind,
                  (double)s->deepest_at, 1e3 * (double)s->gap[0], 1e3 * (double)s->gap[1], 1e3 * (double)s->gap[2],
                  (double)s->waits, (double)s->seconds, (double)s->off);
}

int using_failures;

// All that was seen of one kind, for the table in docs/motion-patches.md.
static using_seen total;

static void add_to_total(const using_seen *s)
{
    total.uses += s->uses;
    total.slip = fmaxf(total.slip, s->slip);
    total.step = fmaxf(total.step, s->step);
    total.jolt = fmaxf(total.jolt, s->jolt);
    total.deepest.metres = fmaxf(total.deepest.metres, s->deepest.metres);
    total.waits = fmaxf(total.waits, s->waits);
    for (int i = 0; i < 3; i++)
        total.gap[i] = fmaxf(total.gap[i], s->gap[i]);
}

void using_finish(const char *title)
{
    print_message("| %s | %d | %.1f mm | %.2f m/s | %.1f cm | %.0f, %.0f, %.0f mm | %.2f s |\n", title, total.uses,
                  1e3 * (double)total.slip, (double)total.step, 1e2 * (double)total.deepest.metres,
                  1e3 * (double)total.gap[0], 1e3 * (double)total.gap[1], 1e3 * (double)total.gap[2],
                  (double)total.waits);
    assert_true(total.uses > 0);
    total = (using_seen){.uses = 0};
    assert_int_equal(using_failures, 0);
}

// Figures of what was used; those that fail are named, and fail the test after all was looked at.
void using_require(const using_seen *s)
{
    add_to_total(s);
    const struct {
        const char *what;
        float value, most;
    } figures[] = {{"slip", s->slip, 0.01f},
                   {"depth", s->deepest.metres, 0.02f},
                   {"waits", s->waits, 0.4f},
                   {"gap of feet", s->gap[0], 0.005f},
                   {"gap of hands", s->gap[1], 0.016f},
                   {"gap of seat", s->gap[2], 0.01f},
                   {"end", s->off, 0.05f},
                   {"step", s->step, using.usual}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures && s->uses; i++)
        if (!(figures[i].value <= figures[i].most)) {
            print_message("    %s: %s is %.4f, must be %.4f at most\n", s->name, figures[i].what,
                          (double)figures[i].value, (double)figures[i].most);
            using_failures++;
        }
}

void using_things(const lope_level *level, const char *title)
{
    lope_part part;
    for (int i = 0; i < lope_level_part_limit(level); i++) {
        if (!lope_level_part(level, i, &part) || !part.kind[0] || !strcmp(part.kind, "desk") ||
            !strcmp(part.kind, "bar"))
            continue;
        for (int down = 0; down <= !strcmp(part.kind, "ladder"); down++) {
            char name[128];
            snprintf(name, sizeof name, "%s %d: %s%s", title, i, part.kind, down ? " down" : "");
            using_seen s = {.name = name, .deepest = {.part = -1, .joint = -1}};
            lope_use_def def = lope_use_def_default(using.blocks, level, i);
            def.down = down;
            def.seconds = 12.0f;
            using_once(&def, &s);
            using_print(level, &s);
            using_require(&s);
        }
    }
}

lope_level *using_yard(void)
{
    lope_error error;
    lope_level *level;
    assert_ok(lope_level_create(&level, &error));
    lope_part_def ground = lope_part_def_default(LOPE_PART_BOX);
    ground.size = lope_v3(40, 0.5f, 40);
    ground.at.translation = lope_v3(0, -0.5f, 0);
    assert_ok(lope_level_add(level, &ground, NULL, &error));
    return level;
}

int using_add_thing(lope_level *level, const char *kind, lope_vec3 at, lope_vec3 size)
{
    lope_error error;
    lope_part_id id;
    lope_part_def def = lope_part_def_default(LOPE_PART_THING);
    snprintf(def.kind, sizeof def.kind, "%s", kind);
    snprintf(def.name, sizeof def.name, "%s of %.2f m", kind, (double)size.y);
    def.size = size;
    def.at.translation = at;
    assert_ok(lope_level_add(level, &def, &id, &error));
    return lope_level_part_index(level, id);
}

void using_add_box(lope_level *level, lope_vec3 at, lope_vec3 size)
{
    lope_error error;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    snprintf(def.name, sizeof def.name, "box");
    def.size = size;
    def.at.translation = at;
    assert_ok(lope_level_add(level, &def, NULL, &error));
}
