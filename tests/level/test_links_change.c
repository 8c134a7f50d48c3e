// SPDX-License-Identifier: MIT
// Links and holds after changes of the level are those that are found anew, and the same for any number of threads.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/level_random.h"
#include "support/support.h"

typedef struct item {
    int kind;
    float numbers[16];
} item;

static int compare(const void *a, const void *b)
{
    const item *s = a, *t = b;
    if (s->kind != t->kind)
        return s->kind - t->kind;
    for (int i = 0; i < 16; i++)
        if (fabsf(s->numbers[i] - t->numbers[i]) > 2e-3f)
            return s->numbers[i] < t->numbers[i] ? -1 : 1;
    return 0;
}

// Links and holds of floors, sorted. The caller frees them.
static item *items_of(const lope_floors *floors, int *count)
{
    int links, holds;
    const lope_link *l = lope_floors_links(floors, &links);
    const lope_level_hold *h = lope_floors_holds(floors, &holds);
    item *out = calloc((size_t)(links + holds) + 1, sizeof *out);
    for (int i = 0; i < links; i++) {
        out[i].kind = (int)l[i].kind;
        const float numbers[16] = {l[i].from.x,   l[i].from.y, l[i].from.z,  l[i].to.x,        l[i].to.y, l[i].to.z,
                                   l[i].left.x,   l[i].left.z, l[i].right.x, l[i].right.z,     l[i].rise, l[i].across,
                                   l[i].headroom, l[i].reach,  l[i].room,    (float)l[i].count};
        memcpy(out[i].numbers, numbers, sizeof numbers);
    }
    for (int i = 0; i < holds; i++) {
        out[links + i].kind = 100 + h[i].bar;
        const float numbers[16] = {h[i].from.x, h[i].from.y, h[i].from.z, h[i].to.x,  h[i].to.y,
                                   h[i].to.z,   h[i].depth,  h[i].room,   h[i].angle, h[i].slope};
        memcpy(out[links + i].numbers, numbers, sizeof numbers);
    }
    *count = links + holds;
    qsort(out, (size_t)*count, sizeof *out, compare);
    return out;
}

static void show(const char *what, const item *i)
{
    print_message("%s: %d from %g %g %g to %g %g %g, %g %g %g %g\n", what, i->kind, (double)i->numbers[0],
                  (double)i->numbers[1], (double)i->numbers[2], (double)i->numbers[3], (double)i->numbers[4],
                  (double)i->numbers[5], (double)i->numbers[6], (double)i->numbers[7], (double)i->numbers[8],
                  (double)i->numbers[9]);
}

static int differences(const lope_floors *a, const lope_floors *b)
{
    int count_a, count_b, wrong = 0;
    item *in_a = items_of(a, &count_a), *in_b = items_of(b, &count_b);
    for (int i = 0, j = 0; i < count_a || j < count_b;) {
        const int order = i == count_a ? 1 : j == count_b ? -1 : compare(&in_a[i], &in_b[j]);
        if (order)
            show(order < 0 ? "changed only" : "anew only", order < 0 ? &in_a[i] : &in_b[j]);
        wrong += order != 0;
        i += order <= 0, j += order >= 0;
    }
    free(in_a), free(in_b);
    return wrong;
}

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
    int parts[8], wrong = 0;
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
            wrong += differences(floors, anew);
            lope_floors_destroy(anew);
        }
    }
    assert_int_equal(wrong, 0);
    lope_floors_destroy(floors);
    level_random_destroy(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes_are_as_found_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
