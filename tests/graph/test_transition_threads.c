// SPDX-License-Identifier: MIT
// Transitions are the same for any number of threads. Apart from the other tests, because it runs under TSan too.
#include "lope/graph.h"
#include "support/support.h"

static void threads_do_not_matter(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clips[2] = {test_clip(700, 30.0, 1), test_clip(300, 30.0, 2)};
    lope_set *set;
    assert_ok(lope_set_create(clips, 2, &set, &error));
    for (int metric = 0; metric < 2; metric++) {
        lope_transition_def def = lope_transition_def_default((lope_metric)metric);
        def.threshold = metric == LOPE_METRIC_ANGLES ? 1.2f : 0.12f;
        uint64_t first = 0;
        for (int threads = 1; threads <= 4; threads++) {
            lope_jobs *jobs;
            lope_transitions found;
            assert_ok(lope_jobs_create(threads, &jobs, &error));
            assert_ok(lope_transitions_find(set, &def, jobs, NULL, &found, &error));
            uint64_t hash = lope_hash(found.items, found.count * sizeof *found.items, 0);
            first = first ? first : hash;
            assert_true(hash == first);
            lope_transitions_free(&found);
            lope_jobs_destroy(jobs);
        }
    }
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
