// SPDX-License-Identifier: MIT
// Links and holds after changes of the level are those that are found anew, and the same for any number of threads.
#include "bench/level_links_same.h"
#include "generators/level_random.h"
#include "support/support.h"

static void test_changes_are_as_found_anew(void **state)
{
    (void)state;
    lope_error error;
    level_random made;
    level_random_def def = level_random_def_default(3);
    def.columns = 3, def.rows = 2;
    assert_ok(level_random_create(&def, &made, &error));
    const lope_floors_def body = lope_floors_def_default();
    lope_floors *floors, *anew;
    assert_ok(lope_floors_create(made.level, &body, NULL, &floors, &error));
    lope_random random = lope_random_seed(11);
    lope_part_id parts[8];
    int wrong = 0;
    char text[256] = "";
    for (int i = 0; i < 24; i++) {
        lope_part_def box = lope_part_def_default(LOPE_PART_BOX);
        box.size = lope_v3(1.0f, lope_random_range(&random, 0.2f, 2.5f), 1.0f);
        box.at.translation = lope_v3(lope_random_range(&random, 2.0f, 34.0f), lope_random_range(&random, -0.5f, 1.5f),
                                     lope_random_range(&random, 2.0f, 22.0f));
        if (i >= 8)
            lope_level_remove(made.level, parts[i % 8]);
        assert_ok(lope_level_add(made.level, &box, &parts[i % 8], &error));
        assert_ok(lope_floors_update(floors, NULL, &error));
        if (i % 4 == 3) {
            assert_ok(lope_floors_create(made.level, &body, NULL, &anew, &error));
            wrong += level_links_differ(floors, anew, text, sizeof text);
            lope_floors_destroy(anew);
        }
    }
    if (wrong)
        print_message("%s\n", text);
    assert_int_equal(wrong, 0);
    lope_floors_destroy(floors);
    level_random_destroy(&made);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    lope_error error;
    level_random made;
    level_random_def def = level_random_def_default(5);
    uint64_t hashes[3];
    def.columns = 3, def.rows = 3;
    assert_ok(level_random_create(&def, &made, &error));
    for (int i = 0; i < 3; i++) {
        const lope_floors_def body = lope_floors_def_default();
        lope_jobs *jobs = NULL;
        lope_floors *floors;
        if (i > 0)
            assert_ok(lope_jobs_create(i == 1 ? 2 : 5, &jobs, &error));
        assert_ok(lope_floors_create(made.level, &body, jobs, &floors, &error));
        hashes[i] = level_links_hash(floors);
        lope_floors_destroy(floors);
        lope_jobs_destroy(jobs);
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
    level_random_destroy(&made);
}

// After every change, on one, two and five threads.
static void test_changes_on_any_number_of_threads(void **state)
{
    (void)state;
    enum { CHANGES = 12 };
    uint64_t hashes[3][CHANGES];
    for (int i = 0; i < 3; i++) {
        lope_error error;
        level_random made;
        level_random_def def = level_random_def_default(8);
        const lope_floors_def body = lope_floors_def_default();
        lope_random random = lope_random_seed(21);
        lope_part_def box = lope_part_def_default(LOPE_PART_BOX);
        lope_part_id part;
        lope_jobs *jobs = NULL;
        lope_floors *floors;
        def.columns = def.rows = 2;
        box.size = lope_v3(1.0f, 1.0f, 1.0f);
        box.at.translation = lope_v3(6.0f, 0.0f, 6.0f);
        assert_ok(level_random_create(&def, &made, &error));
        if (i > 0)
            assert_ok(lope_jobs_create(i == 1 ? 2 : 5, &jobs, &error));
        assert_ok(lope_floors_create(made.level, &body, jobs, &floors, &error));
        assert_ok(lope_level_add(made.level, &box, &part, &error));
        for (int k = 0; k < CHANGES; k++) {
            assert_ok(lope_floors_update(floors, jobs, &error));
            hashes[i][k] = level_links_hash(floors);
            box.at.translation.x = lope_random_range(&random, 2.0f, 22.0f);
            box.at.translation.z = lope_random_range(&random, 2.0f, 22.0f);
            assert_ok(lope_level_move(made.level, part, &box.at, &error));
        }
        lope_floors_destroy(floors);
        lope_jobs_destroy(jobs);
        level_random_destroy(&made);
    }
    assert_memory_equal(hashes[0], hashes[1], sizeof hashes[0]);
    assert_memory_equal(hashes[0], hashes[2], sizeof hashes[0]);
    assert_true(hashes[0][0] != hashes[0][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes_are_as_found_anew),
                                       cmocka_unit_test(test_any_number_of_threads),
                                       cmocka_unit_test(test_changes_on_any_number_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
