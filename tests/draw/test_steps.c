// SPDX-License-Identifier: MIT
// Pictures of step graphs: one band and one way for each step, and messages where there is nothing to draw.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/walking.h"

static lope_steps *build(const lope_set *set)
{
    lope_error error;
    lope_steps_def def = lope_steps_def_default();
    def.max_branching = 5;
    lope_steps *steps;
    assert_ok(lope_steps_build(set, &def, NULL, NULL, &steps, NULL, &error));
    return steps;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static void every_step_is_drawn(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps *steps = build(set);
    lope_draw_def def = lope_draw_def_default();
    const char *path = test_path("steps.svg");
    assert_ok(lope_draw_steps(steps, -1, &def, path, &error));
    char *text = read_text(path), wanted[32];
    snprintf(wanted, sizeof wanted, "All %u steps", steps->step_count);
    assert_non_null(strstr(text, wanted));
    assert_int_equal(count_of(text, "<polyline"), (int)steps->step_count + 1); // and the curve of the ankles
    free(text);
    // The clip that is asked for; the same bytes every time; another look in the dark.
    uint64_t hashes[3];
    for (int k = 0; k < 3; k++) {
        def.dark = k == 2;
        assert_ok(lope_draw_steps(steps, 2, &def, path, &error));
        hashes[k] = test_file_hash(path);
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] != hashes[2]);
    lope_steps_destroy(steps);
    lope_set_destroy(set);
}

static void what_cannot_be_drawn_is_said(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps *steps = build(set);
    lope_draw_def def = lope_draw_def_default();
    const char *path = test_path("none.svg");
    assert_int_equal(lope_draw_steps(steps, set->clip_count, &def, path, &error), LOPE_NOT_FOUND);
    def.width = 10;
    assert_int_equal(lope_draw_steps(steps, -1, &def, path, &error), LOPE_BAD_DATA);
    assert_null(fopen(path, "rb"));
    lope_steps_destroy(steps);
    lope_set_destroy(set);
}

static lope_status draw_and_forget(void *user, lope_error *error)
{
    lope_draw_def def = lope_draw_def_default();
    return lope_draw_steps(user, -1, &def, test_path("memory.svg"), error);
}

static void drawing_without_memory_is_safe(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_steps *steps = build(set);
    test_allocation_failures(draw_and_forget, steps);
    lope_steps_destroy(steps);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_drawn),
        cmocka_unit_test(what_cannot_be_drawn_is_said),
        cmocka_unit_test(drawing_without_memory_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
