// SPDX-License-Identifier: MIT
// Things of levels used by somebody who walks up, and walks away afterwards: everything that chairs, benches, ladders
// and slides are, in the levels that come with the library and in random ones. What is asserted is printed, too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators/level_random.h"
#include "lope/level_file.h"
#include "lope/use.h"
#include "support/level_depth.h"
#include "support/stage.h"
#include "support/walking.h"

#define DT (1.0f / 60.0f)
#define MOST_JOINTS 128

typedef struct fixture {
    const lope_blocks *blocks;
    lope_mobility *map;
    void *memory[3];
    lope_walker *walker;
    lope_handover *body;
    lope_use *use;
    body_balls balls;
    lope_random random;
    float usual; // metres per second, see usual_step
} fixture;

static fixture all;

// What was seen while a thing was used.
typedef struct seen {
    const char *name;
    int uses, refused;
    float slip, first_slip; // metres that a part goes while it holds; that a foot goes in the first second
    float step;             // metres per second: of a joint's velocity, at the two hand-overs
    float jolt;             // the same at any time between
    float jolt_at;          // seconds
    int jolt_joint;
    level_depth deepest;
    float deepest_at;               // seconds
    float gap[3];                   // metres from feet, hands, seat that touch to the nearest surface
    float waits;                    // seconds until anything moves
    float seconds, off;             // how long it takes; metres that it ends off where it says
    float held[LOPE_CONTACT_COUNT]; // seconds that parts touch
} seen;

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
        for (double t = 0.0; t + 2.0 * (double)DT < lope_clip_duration(set->clips[c]); t += (double)DT) {
            for (int k = 0; k < 3; k++) {
                lope_sample_request request = {set->clips[c], t + k * (double)DT};
                lope_sample_many(set->skeleton, &request, 1, models + (size_t)k * joints);
            }
            if (count + joints > capacity)
                steps = realloc(steps, (capacity = 2 * (capacity + joints)) * sizeof *steps);
            for (size_t j = 0; j < joints; j++) {
                lope_vec3 a = models[j].translation, b = models[joints + j].translation,
                          d = models[2 * joints + j].translation;
                steps[count++] = lope_v3_length(lope_v3_sub(lope_v3_add(a, d), lope_v3_scale(b, 2.0f))) / DT;
            }
        }
    qsort(steps, count, sizeof *steps, by_value);
    float usual = steps[(size_t)((double)count * 0.999)];
    free(steps);
    free(models);
    return usual;
}

static int set_up(void **state)
{
    lope_error error;
    test_blocks_create(state);
    all.blocks = ((test_stage *)*state)->blocks;
    all.map = test_open_map(TEST_WALKS);
    assert_non_null(all.map);
    assert_ok(lope_mobility_learn_entries(all.map, &error));
    const lope_skeleton *skeleton = all.blocks->set->skeleton;
    assert_true(lope_skeleton_equal(skeleton, lope_mobility_set(all.map)->skeleton, 1e-4f));
    all.memory[0] = block(lope_walker_size(all.map));
    all.memory[1] = block(lope_handover_size(skeleton));
    all.memory[2] = block(lope_use_size(all.blocks));
    all.usual = usual_step(all.blocks->set);
    print_message("steps of velocity in the clips are below %.2f m/s\n", (double)all.usual);
    assert_ok(lope_body_balls_create(skeleton, 0.04f, 0.0f, &all.balls, &error));
    return 0;
}

static int tear_down(void **state)
{
    for (int i = 0; i < 3; i++)
        free(all.memory[i]);
    lope_body_balls_destroy(&all.balls);
    lope_mobility_close(all.map);
    return test_stage_destroy(state);
}

// ---- one use

typedef struct watch {
    lope_vec3 held[LOPE_CONTACT_COUNT];
    uint16_t contacts;
    lope_transform last[MOST_JOINTS];
    lope_vec3 velocities[MOST_JOINTS];
    int frames;
} watch;

static float step_of(watch *w, const lope_transform *model, int joints, int *joint)
{
    float most = 0.0f;
    for (int j = 0; j < joints; j++) {
        lope_vec3 v = lope_v3_scale(lope_v3_sub(model[j].translation, w->last[j].translation), 1.0f / DT);
        float step = w->frames > 1 ? lope_v3_distance(v, w->velocities[j]) : 0.0f;
        *joint = step > most ? j : *joint;
        most = fmaxf(most, step);
        w->velocities[j] = v;
        w->last[j] = model[j];
    }
    w->frames++;
    return most;
}

static void note_contacts(watch *w, const lope_moment *m, const level_near *near, bool checked, seen *s)
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
        s->held[part] += checked ? DT : 0.0f;
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
    return lope_random_range(&all.random, -most, most);
}

static void stand_at(lope_use_place at, float off, float turned)
{
    lope_error error;
    lope_walker_def def = lope_walker_def_default();
    lope_ground ground = {at.place.x + random_off(off), at.place.z + random_off(off), at.facing + random_off(turned)};
    lope_handover_def over = lope_handover_def_default(all.blocks->set->skeleton);
    assert_ok(lope_walker_init(all.memory[0], all.map, &def, -1, ground, &all.walker, &error));
    lope_walker_set_height(all.walker, at.place.y);
    assert_ok(lope_handover_init(all.memory[1], &over, &all.body, &error));
    lope_handover_begin(all.body, lope_walker_controller(), all.walker);
    for (int f = 0; f < 30; f++)
        lope_handover_advance(all.body, DT);
}

// Advances and looks; `edge`: just after a hand-over.
static void look(watch *w, const level_near *near, bool edge, float t, seen *s)
{
    const lope_skeleton *skeleton = all.blocks->set->skeleton;
    lope_handover_advance(all.body, DT);
    const lope_transform *model = lope_handover_model(all.body);
    int joint = 0;
    float step = step_of(w, model, skeleton->joint_count, &joint);
    if (!edge && step > s->jolt) {
        s->jolt_at = t;
        s->jolt_joint = joint;
    }
    *(edge ? &s->step : &s->jolt) = fmaxf(edge ? s->step : s->jolt, step);
    void *self;
    bool used = lope_handover_controller(all.body, &self) == lope_use_controller();
    note_contacts(w, lope_handover_shown(all.body), near, used, s);
    if (!used || w->frames % 3)
        return;
    level_depth d = level_body_depth(near, &all.balls, model);
    if (d.metres > s->deepest.metres) {
        s->deepest = d;
        s->deepest_at = t;
    }
}

static void use_once(const lope_use_def *def, seen *s)
{
    lope_error error;
    lope_status status = lope_use_init(all.memory[2], def, &all.use, &error);
    if (status) {
        print_message("  %s: %s\n", s->name, error.message);
        s->refused++;
        return;
    }
    s->uses++;
    lope_use_place at = lope_use_approach(all.use), end = lope_use_end(all.use);
    lope_vec3 low = lope_v3_sub(lope_v3_min(at.place, end.place), lope_v3(1.5f, 0.3f, 1.5f)),
              high = lope_v3_add(lope_v3_max(at.place, end.place), lope_v3(1.5f, 2.3f, 1.5f));
    level_near near;
    level_near_gather(&near, def->level, low, high);
    stand_at(at, 0.06f, 0.15f);
    static watch w;
    w = (watch){0};
    look(&w, &near, false, 0.0f, s);
    look(&w, &near, false, 0.0f, s);
    float fit = lope_use_controller()->fit(all.use, lope_handover_shown(all.body), NULL);
    assert_true(fit < 0.1f);
    assert_ok(lope_handover_to(all.body, lope_use_controller(), all.use, NULL, &error));
    float t = 0.0f, waits = -1.0f;
    for (; t < 60.0f && !lope_use_controller()->may_leave(all.use); t += DT) {
        look(&w, &near, t == 0.0f, t, s);
        for (int j = 0; j < all.blocks->set->skeleton->joint_count && waits < 0.0f; j++)
            if (lope_v3_length(w.velocities[j]) > 0.15f)
                waits = t;
    }
    s->waits = fmaxf(s->waits, waits);
    s->seconds = fmaxf(s->seconds, t);
    lope_ground ground = lope_handover_shown(all.body)->ground;
    s->off = fmaxf(s->off, hypotf(ground.x - end.place.x, ground.z - end.place.z));
    lope_aim aim = {
        .place = {end.place.x + 3.0f * sinf(end.facing), end.place.y, end.place.z + 3.0f * cosf(end.facing)},
        .facing = NAN};
    assert_ok(lope_handover_to(all.body, lope_walker_controller(), all.walker, &aim, &error));
    for (int f = 0; f < 60; f++)
        look(&w, &near, f == 0, t, s);
    level_near_free(&near);
}

static void print_seen(const lope_level *level, const seen *s)
{
    lope_part part;
    const char *in = s->deepest.part >= 0 && lope_level_part(level, s->deepest.part, &part) ? part.name : "-";
    const char *kind = s->deepest.part >= 0 ? part.kind : "";
    print_message("%-26s %2d used %d refused: slip %4.1f mm, step %.2f, between %.2f m/s (%s at %.1f s), depth %4.1f "
                  "cm (%s in %s %s at "
                  "%.1f s), gaps %4.1f %4.1f %4.1f mm, waits %.2f s, takes %.1f s, ends %.2f m off\n",
                  s->name, s->uses, s->refused, 1e3 * (double)s->slip, (double)s->step, (double)s->jolt,
                  all.blocks->set->skeleton->names[s->jolt_joint], (double)s->jolt_at, 1e2 * (double)s->deepest.metres,
                  s->deepest.joint >= 0 ? all.blocks->set->skeleton->names[s->deepest.joint] : "-", in, kind,
                  (double)s->deepest_at, 1e3 * (double)s->gap[0], 1e3 * (double)s->gap[1], 1e3 * (double)s->gap[2],
                  (double)s->waits, (double)s->seconds, (double)s->off);
}

static int failures;

// All that was seen of one kind, for the table in docs/motion-patches.md.
static seen total;

static void add_to_total(const seen *s)
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

static void finish(const char *title)
{
    print_message("| %s | %d | %.1f mm | %.2f m/s | %.1f cm | %.0f, %.0f, %.0f mm | %.2f s |\n", title, total.uses,
                  1e3 * (double)total.slip, (double)total.step, 1e2 * (double)total.deepest.metres,
                  1e3 * (double)total.gap[0], 1e3 * (double)total.gap[1], 1e3 * (double)total.gap[2],
                  (double)total.waits);
    assert_true(total.uses > 0);
    total = (seen){.uses = 0};
    assert_int_equal(failures, 0);
}

// Figures of what was used; those that fail are named, and fail the test after all was looked at.
static void require(const seen *s)
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
                   {"step", s->step, all.usual}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures && s->uses; i++)
        if (!(figures[i].value <= figures[i].most)) {
            print_message("    %s: %s is %.4f, must be %.4f at most\n", s->name, figures[i].what,
                          (double)figures[i].value, (double)figures[i].most);
            failures++;
        }
}

static void use_things(const lope_level *level, const char *title)
{
    lope_part part;
    for (int i = 0; i < lope_level_part_limit(level); i++) {
        if (!lope_level_part(level, i, &part) || !part.kind[0] || !strcmp(part.kind, "desk") ||
            !strcmp(part.kind, "bar"))
            continue;
        for (int down = 0; down <= !strcmp(part.kind, "ladder"); down++) {
            char name[128];
            snprintf(name, sizeof name, "%s %d: %s%s", title, i, part.kind, down ? " down" : "");
            seen s = {.name = name, .deepest = {.part = -1, .joint = -1}};
            lope_use_def def = lope_use_def_default(all.blocks, level, i);
            def.down = down;
            def.seconds = 12.0f;
            use_once(&def, &s);
            print_seen(level, &s);
            require(&s);
        }
    }
}

static lope_level_file *open_level(const char *name)
{
    lope_error error;
    lope_level_file *file;
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/levels/%s.json", getenv("LOPE_SOURCE"), name);
    assert_ok(lope_level_open(path, NULL, &file, &error));
    return file;
}

static void things_of_levels(void **state)
{
    (void)state;
    static const char *const names[] = {"yard", "house"};
    for (int i = 0; i < 2; i++) {
        lope_level_file *file = open_level(names[i]);
        use_things(file->level, names[i]);
        lope_level_file_destroy(file);
    }
    finish("yard and house");
}

static void things_of_random_levels(void **state)
{
    (void)state;
    lope_error error;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        level_random made;
        level_random_def def = level_random_def_default(seed);
        assert_ok(level_random_create(&def, &made, &error));
        char title[32];
        snprintf(title, sizeof title, "random %d", (int)seed);
        use_things(made.level, title);
        level_random_destroy(&made);
    }
    finish("six random levels");
}

// ---- things of other sizes

static lope_level *empty_yard(void)
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

static int add_thing(lope_level *level, const char *kind, lope_vec3 at, lope_vec3 size)
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

static void add_box(lope_level *level, lope_vec3 at, lope_vec3 size)
{
    lope_error error;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    snprintf(def.name, sizeof def.name, "box");
    def.size = size;
    def.at.translation = at;
    assert_ok(lope_level_add(level, &def, NULL, &error));
}

static void seats_of_other_heights(void **state)
{
    (void)state;
    failures = 0;
    for (int i = 0; i <= 4; i++) {
        lope_level *level = empty_yard();
        const float high = 0.35f + 0.05f * (float)i;
        add_thing(level, "chair", lope_v3(-4, 0, 0), lope_v3(0, 2.0f * high, 0));
        add_thing(level, "bench", lope_v3(4, 0, 0), lope_v3(0, high, 0));
        add_thing(level, "bench", lope_v3(4, 0, 5), lope_v3(0.35f, high, 0.35f)); // a stool
        use_things(level, "seat");
        lope_level_destroy(level);
    }
    finish("seats of 35 to 55 cm");
}

static void ladders_of_any_height(void **state)
{
    (void)state;
    failures = 0;
    for (float high = 1.5f; high < 6.1f; high += high < 3.0f ? 0.25f : 0.7f) {
        lope_level *level = empty_yard();
        add_thing(level, "ladder", lope_v3(0, 0, -0.1f), lope_v3(0, high, 0));
        add_box(level, lope_v3(0, 0, 1.5f), lope_v3(3, high, 3));
        char title[32];
        snprintf(title, sizeof title, "%.2f m", (double)high);
        use_things(level, title);
        lope_level_destroy(level);
    }
    finish("ladders of 1.5 to 5.8 m, up and down");
}

static void slides_of_any_length(void **state)
{
    (void)state;
    failures = 0;
    for (int i = 0; i < 9; i++) {
        lope_level *level = empty_yard();
        const float high = 1.2f + 0.9f * (float)(i % 3), length = (1.4f + 0.25f * (float)(i / 3)) * high;
        add_thing(level, "slide", lope_v3(0, 0, 0), lope_v3(0, high, length));
        add_box(level, lope_v3(0, 0, -1.0f), lope_v3(3, high, 2));
        char title[32];
        snprintf(title, sizeof title, "%.1f by %.2f m", (double)high, (double)length);
        use_things(level, title);
        lope_level_destroy(level);
    }
    finish("slides of 1.2 to 3 m, 1.4 to 1.9 times as long");
}

static void chairs_at_desks(void **state)
{
    (void)state;
    failures = 0;
    for (int i = 0; i < 6; i++) {
        lope_level *level = empty_yard();
        int chair = add_thing(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
        add_thing(level, "desk", lope_v3(0, 0, i % 2 ? 0.62f : 1.09f), lope_v3(0, 0, 0));
        char name[64];
        snprintf(name, sizeof name, "%s desk, seed %d", i % 2 ? "near" : "usual", i);
        seen s = {.name = name, .deepest = {.part = -1, .joint = -1}};
        lope_use_def def = lope_use_def_default(all.blocks, level, chair);
        def.seed = (uint32_t)i;
        def.seconds = 30.0f;
        use_once(&def, &s);
        print_seen(level, &s);
        print_message("    hands touch %.1f s\n", (double)s.held[4]);
        require(&s);
        lope_level_destroy(level);
    }
    finish("chairs at desks, 30 s");
}

// Benches have room for several, one beside the other.
static void benches_are_shared(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level = empty_yard();
    int bench = add_thing(level, "bench", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
    failures = 0;
    for (int i = -1; i <= 2; i++) {
        seen s = {.name = "bench", .deepest = {.part = -1, .joint = -1}};
        lope_use_def def = lope_use_def_default(all.blocks, level, bench);
        def.aside = 0.5f * (float)i;
        if (i < 2) {
            use_once(&def, &s);
            require(&s);
            assert_near(lope_use_approach(all.use).place.x, def.aside, 0.03);
        } else {
            assert_int_equal(lope_use_init(all.memory[2], &def, &all.use, &error), LOPE_UNSUPPORTED);
        }
    }
    finish("a bench in three places");
    lope_level_destroy(level);
}

// ---- what is asked in vain

static lope_status try_use(const lope_level *level, int part, lope_error *error)
{
    lope_use_def def = lope_use_def_default(all.blocks, level, part);
    return lope_use_init(all.memory[2], &def, &all.use, error);
}

static void require_refused(const lope_level *level, int part, const char *why)
{
    lope_error error = {.status = LOPE_OK};
    assert_int_equal(try_use(level, part, &error), LOPE_UNSUPPORTED);
    if (!strstr(error.message, why))
        fail_msg("'%s' does not say '%s'", error.message, why);
}

static void things_that_cannot_be_used(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level = empty_yard();
    require_refused(level, 0, "nothing that can be used");
    require_refused(level, add_thing(level, "desk", lope_v3(10, 0, 10), lope_v3(0, 0, 0)), "nothing that can be used");
    require_refused(level, add_thing(level, "chair", lope_v3(-8, 1, 0), lope_v3(0, 0, 0)), "hangs in the air");
    require_refused(level, add_thing(level, "chair", lope_v3(-8, 0, 4), lope_v3(0, 1.3f, 0)), "is 0.65 m high");
    require_refused(level, add_thing(level, "bench", lope_v3(-8, 0, 8), lope_v3(0, 0.25f, 0)), "is 0.25 m high");
    require_refused(level, add_thing(level, "ladder", lope_v3(0, 0, 8), lope_v3(0, 3, 0)), "leads to no ground");
    require_refused(level, add_thing(level, "slide", lope_v3(5, 0, 8), lope_v3(0, 2, 3)), "no level ground");
    int walled = add_thing(level, "chair", lope_v3(0, 0, -8), lope_v3(0, 0, 0));
    for (int i = 0; i < 4; i++)
        add_box(level, lope_v3(i < 2 ? (float)i - 0.5f : 0.0f, 0, -8.0f + (i < 2 ? 0.0f : (float)i - 2.5f)),
                lope_v3(i < 2 ? 0.3f : 1.3f, 1.5f, i < 2 ? 1.3f : 0.3f));
    require_refused(level, walled, "room");
    int steep = add_thing(level, "slide", lope_v3(10, 0, 0), lope_v3(0, 2.4f, 1.6f));
    add_box(level, lope_v3(10, 0, -1), lope_v3(2, 2.4f, 2));
    require_refused(level, steep, "degrees steep");
    assert_int_equal(try_use(level, 1000, &error), LOPE_NOT_FOUND);
    lope_use_def def = lope_use_def_default(all.blocks, level, walled);
    def.seconds = NAN;
    assert_int_equal(lope_use_init(all.memory[2], &def, &all.use, &error), LOPE_BAD_DATA);
    def = lope_use_def_default(all.blocks, NULL, -1);
    def.behaviour = "somersault";
    assert_int_equal(lope_use_init(all.memory[2], &def, &all.use, &error), LOPE_NOT_FOUND);
    lope_level_destroy(level);
}

// ---- while it lasts

static void sit_down(lope_level *level, int chair, float seconds)
{
    lope_error error;
    lope_use_def def = lope_use_def_default(all.blocks, level, chair);
    def.seconds = seconds;
    assert_ok(lope_use_init(all.memory[2], &def, &all.use, &error));
    assert_int_equal(lope_use_state_of(all.use), LOPE_USE_BEFORE);
    stand_at(lope_use_approach(all.use), 0.02f, 0.05f);
    assert_ok(lope_handover_to(all.body, lope_use_controller(), all.use, NULL, &error));
    assert_int_equal(lope_use_state_of(all.use), LOPE_USE_BEGINS);
}

static float advance_until(lope_use_state wanted, float most)
{
    float t = 0.0f;
    for (; t < most && lope_use_state_of(all.use) != wanted; t += DT)
        lope_handover_advance(all.body, DT);
    assert_int_equal(lope_use_state_of(all.use), wanted);
    return t;
}

static void seats_are_left_when_told(void **state)
{
    (void)state;
    lope_level *level = empty_yard();
    int chair = add_thing(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
    sit_down(level, chair, INFINITY);
    advance_until(LOPE_USE_STAYS, 5.0f);
    for (int f = 0; f < 60 * 30; f++)
        lope_handover_advance(all.body, DT);
    assert_int_equal(lope_use_state_of(all.use), LOPE_USE_STAYS);
    assert_false(lope_use_controller()->may_leave(all.use));
    lope_use_leave(all.use);
    assert_true(advance_until(LOPE_USE_DONE, 5.0f) < 3.5f);
    assert_true(lope_use_controller()->may_leave(all.use));
    // Told at once: sits down and gets up again.
    sit_down(level, chair, INFINITY);
    lope_use_controller()->aim(all.use, NULL);
    advance_until(LOPE_USE_DONE, 8.0f);
    // Told to stay longer.
    sit_down(level, chair, 1.0f);
    lope_use_stay(all.use, 20.0f);
    advance_until(LOPE_USE_STAYS, 5.0f);
    for (int f = 0; f < 60 * 15; f++)
        lope_handover_advance(all.body, DT);
    assert_int_equal(lope_use_state_of(all.use), LOPE_USE_STAYS);
    advance_until(LOPE_USE_DONE, 12.0f);
    lope_level_destroy(level);
}

static void chairs_may_go_while_somebody_sits(void **state)
{
    (void)state;
    lope_level *level = empty_yard();
    int chair = add_thing(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
    lope_part part;
    sit_down(level, chair, 6.0f);
    advance_until(LOPE_USE_STAYS, 5.0f);
    assert_true(lope_level_part(level, chair, &part));
    assert_true(lope_level_remove(level, part.id));
    advance_until(LOPE_USE_DONE, 12.0f);
    const lope_moment *shown = lope_handover_shown(all.body);
    for (int i = 0; i < 4; i++)
        assert_true(fabsf(shown->points[i].y) < 0.01f);
    lope_level_destroy(level);
}

// Same bits each time, and nothing is allocated.
static void uses_repeat(void **state)
{
    (void)state;
    lope_error error;
    uint64_t hashes[2];
    lope_level *level = empty_yard();
    int ladder = add_thing(level, "ladder", lope_v3(0, 0, -0.1f), lope_v3(0, 2.7f, 0));
    add_box(level, lope_v3(0, 0, 1.5f), lope_v3(3, 2.7f, 3));
    for (int run = 0; run < 2; run++) {
        all.random = lope_random_seed(7);
        lope_use_def def = lope_use_def_default(all.blocks, level, ladder);
        assert_ok(lope_use_init(all.memory[2], &def, &all.use, &error));
        stand_at(lope_use_approach(all.use), 0.05f, 0.1f);
        hashes[run] = 0;
        test_count_allocations(true);
        size_t before = test_total_allocations();
        assert_ok(lope_use_init(all.memory[2], &def, &all.use, &error));
        assert_ok(lope_handover_to(all.body, lope_use_controller(), all.use, NULL, &error));
        for (int f = 0; f < 500; f++) {
            lope_handover_advance(all.body, DT);
            hashes[run] =
                lope_hash(lope_handover_model(all.body),
                          (size_t)all.blocks->set->skeleton->joint_count * sizeof(lope_transform), hashes[run]);
        }
        assert_int_equal(test_total_allocations(), before);
        test_count_allocations(false);
    }
    assert_true(hashes[0] == hashes[1]);
    lope_level_destroy(level);
}

static void who_is_too_far_does_not_enter(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level = empty_yard();
    int chair = add_thing(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
    lope_use_def def = lope_use_def_default(all.blocks, level, chair);
    assert_ok(lope_use_init(all.memory[2], &def, &all.use, &error));
    lope_use_place at = lope_use_approach(all.use);
    at.place.z += 1.0f;
    stand_at(at, 0.0f, 0.0f);
    assert_int_equal(lope_handover_to(all.body, lope_use_controller(), all.use, NULL, &error), LOPE_MISMATCH);
    lope_level_destroy(level);
}

static void people_talk_where_they_stand(void **state)
{
    (void)state;
    lope_error error;
    seen s = {.name = "talk", .deepest = {.part = -1, .joint = -1}};
    lope_level *level = empty_yard();
    lope_use_def def = lope_use_def_default(all.blocks, level, -1);
    def.behaviour = "chat";
    def.seconds = 5.0f;
    def.at = (lope_ground){2.0f, 1.0f, 0.7f};
    assert_ok(lope_use_init(all.memory[2], &def, &all.use, &error));
    assert_int_equal(lope_use_kind_of(all.use), LOPE_USE_BEHAVIOUR);
    lope_use_place at = lope_use_approach(all.use);
    assert_near(at.place.x, 2.0f, 0.03);
    assert_near(at.facing, 0.7f, 0.05);
    stand_at(at, 0.05f, 0.1f);
    static watch w;
    level_near near;
    level_near_gather(&near, level, lope_v3(0, -1, -1), lope_v3(4, 2, 3));
    w = (watch){0};
    look(&w, &near, false, 0.0f, &s);
    assert_ok(lope_handover_to(all.body, lope_use_controller(), all.use, NULL, &error));
    assert_int_equal(lope_use_state_of(all.use), LOPE_USE_STAYS);
    for (float t = 0.0f; t < 4.9f; t += DT) {
        look(&w, &near, t == 0.0f, t, &s);
        assert_int_equal(lope_use_state_of(all.use), LOPE_USE_STAYS);
    }
    advance_until(LOPE_USE_DONE, 0.5f);
    assert_true(s.slip < 0.01f);
    level_near_free(&near);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_of_levels),
        cmocka_unit_test(things_of_random_levels),
        cmocka_unit_test(seats_of_other_heights),
        cmocka_unit_test(ladders_of_any_height),
        cmocka_unit_test(slides_of_any_length),
        cmocka_unit_test(chairs_at_desks),
        cmocka_unit_test(benches_are_shared),
        cmocka_unit_test(things_that_cannot_be_used),
        cmocka_unit_test(seats_are_left_when_told),
        cmocka_unit_test(chairs_may_go_while_somebody_sits),
        cmocka_unit_test(uses_repeat),
        cmocka_unit_test(who_is_too_far_does_not_enter),
        cmocka_unit_test(people_talk_where_they_stand),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
