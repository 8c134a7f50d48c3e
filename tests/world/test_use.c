// SPDX-License-Identifier: MIT
// Things of levels used by somebody who stands before them, and walks away afterwards: everything that chairs, benches,
// ladders and slides are, in the levels that come with the library, in random ones, and of other sizes than the blocks'
// own. What is asserted is printed, too.
#include <stdio.h>
#include <stdlib.h>

#include "generators/level_random.h"
#include "lope/level_file.h"
#include "support/using.h" // test_blocks_create, test_open_map

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
        using_things(file->level, names[i]);
        lope_level_file_destroy(file);
    }
    using_finish("yard and house");
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
        using_things(made.level, title);
        level_random_destroy(&made);
    }
    using_finish("six random levels");
}
static void seats_of_other_heights(void **state)
{
    (void)state;
    using_failures = 0;
    for (int i = 0; i <= 4; i++) {
        lope_level *level = using_yard();
        const float high = 0.35f + 0.05f * (float)i;
        using_add_thing(level, "chair", lope_v3(-4, 0, 0), lope_v3(0, 2.0f * high, 0));
        using_add_thing(level, "bench", lope_v3(4, 0, 0), lope_v3(0, high, 0));
        using_add_thing(level, "bench", lope_v3(4, 0, 5), lope_v3(0.35f, high, 0.35f)); // a stool
        using_things(level, "seat");
        lope_level_destroy(level);
    }
    using_finish("seats of 35 to 55 cm");
}

static void ladders_of_any_height(void **state)
{
    (void)state;
    using_failures = 0;
    for (float high = 1.5f; high < 6.1f; high += high < 3.0f ? 0.25f : 0.7f) {
        lope_level *level = using_yard();
        using_add_thing(level, "ladder", lope_v3(0, 0, -0.1f), lope_v3(0, high, 0));
        using_add_box(level, lope_v3(0, 0, 1.5f), lope_v3(3, high, 3));
        char title[32];
        snprintf(title, sizeof title, "%.2f m", (double)high);
        using_things(level, title);
        lope_level_destroy(level);
    }
    using_finish("ladders of 1.5 to 5.8 m, up and down");
}

static void slides_of_any_length(void **state)
{
    (void)state;
    using_failures = 0;
    for (int i = 0; i < 9; i++) {
        lope_level *level = using_yard();
        const float high = 1.2f + 0.9f * (float)(i % 3), length = (1.4f + 0.25f * (float)(i / 3)) * high;
        using_add_thing(level, "slide", lope_v3(0, 0, 0), lope_v3(0, high, length));
        using_add_box(level, lope_v3(0, 0, -1.0f), lope_v3(3, high, 2));
        char title[32];
        snprintf(title, sizeof title, "%.1f by %.2f m", (double)high, (double)length);
        using_things(level, title);
        lope_level_destroy(level);
    }
    using_finish("slides of 1.2 to 3 m, 1.4 to 1.9 times as long");
}

static void chairs_at_desks(void **state)
{
    (void)state;
    using_failures = 0;
    for (int i = 0; i < 6; i++) {
        lope_level *level = using_yard();
        int chair = using_add_thing(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
        using_add_thing(level, "desk", lope_v3(0, 0, i % 2 ? 0.62f : 1.09f), lope_v3(0, 0, 0));
        char name[64];
        snprintf(name, sizeof name, "%s desk, seed %d", i % 2 ? "near" : "usual", i);
        using_seen s = {.name = name, .deepest = {.part = -1, .joint = -1}};
        lope_use_def def = lope_use_def_default(using.blocks, level, chair);
        def.seed = (uint32_t)i;
        def.seconds = 30.0f;
        using_once(&def, &s);
        using_print(level, &s);
        print_message("    hands touch %.1f s\n", (double)s.held[4]);
        using_require(&s);
        lope_level_destroy(level);
    }
    using_finish("chairs at desks, 30 s");
}

// Benches have room for several, one beside the other.
static void benches_are_shared(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level = using_yard();
    int bench = using_add_thing(level, "bench", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
    using_failures = 0;
    for (int i = -1; i <= 2; i++) {
        using_seen s = {.name = "bench", .deepest = {.part = -1, .joint = -1}};
        lope_use_def def = lope_use_def_default(using.blocks, level, bench);
        def.aside = 0.5f * (float)i;
        if (i < 2) {
            using_once(&def, &s);
            using_require(&s);
            assert_near(lope_use_approach(using.use).place.x, def.aside, 0.03);
        } else {
            assert_int_equal(lope_use_init(using.memory[2], &def, &using.use, &error), LOPE_UNSUPPORTED);
        }
    }
    using_finish("a bench in three places");
    lope_level_destroy(level);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_of_levels),       cmocka_unit_test(things_of_random_levels),
        cmocka_unit_test(seats_of_other_heights), cmocka_unit_test(ladders_of_any_height),
        cmocka_unit_test(slides_of_any_length),   cmocka_unit_test(chairs_at_desks),
        cmocka_unit_test(benches_are_shared),
    };
    return cmocka_run_group_tests(tests, using_set_up, using_tear_down);
}
