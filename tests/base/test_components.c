// SPDX-License-Identifier: MIT
// Components of small random graphs are what everybody reaching everybody says, in whatever order they are explored; a
// path of a hundred thousand nodes needs no deep stack.
#include <stdlib.h>
#include <string.h>

#include "base/components.h"
#include "support/support.h"

#define MOST 24

typedef struct matrix {
    int count;
    bool edge[MOST][MOST];
} matrix;

static int next_in_matrix(const void *graph, int node, uint64_t *place)
{
    const matrix *m = graph;
    while (*place < (uint64_t)m->count)
        if (m->edge[node][(*place)++])
            return (int)*place - 1;
    return -1;
}

static void close(const matrix *m, bool reach[MOST][MOST])
{
    memcpy(reach, m->edge, sizeof m->edge);
    for (int k = 0; k < m->count; k++)
        for (int i = 0; i < m->count; i++)
            for (int j = 0; j < m->count; j++)
                reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
}

static void components_are_mutual_reach(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(5);
    for (int round = 0; round < 300; round++) {
        matrix m = {.count = 1 + (int)(lope_random_next(&random) % MOST)};
        bool reach[MOST][MOST];
        unsigned rare = 2 + (unsigned)(lope_random_next(&random) % 20);
        for (int i = 0; i < m.count; i++)
            for (int j = 0; j < m.count; j++)
                m.edge[i][j] = lope_random_next(&random) % rare == 0;
        close(&m, reach);
        uint64_t memory[MOST * 8];
        assert_true(lope_component_memory(m.count) <= sizeof memory);
        component_search search = lope_component_begin(&m, next_in_matrix, m.count, memory);
        for (int i = m.count - 1; i >= 0; i--)
            lope_component_explore(&search, i);
        for (int i = 0; i < m.count; i++) {
            assert_in_range(search.component[i], 0, search.count - 1);
            for (int j = 0; j < m.count; j++) {
                bool one = i == j || (reach[i][j] && reach[j][i]);
                assert_int_equal(search.component[i] == search.component[j], one);
                if (!one && reach[i][j]) // what is led to is completed first
                    assert_true(search.component[j] < search.component[i]);
            }
        }
    }
}

static int next_on_path(const void *graph, int node, uint64_t *place)
{
    const int *count = graph;
    return (*place)++ == 0 && node + 1 < *count ? node + 1 : -1;
}

static void long_paths_need_no_recursion(void **state)
{
    (void)state;
    int count = 100000;
    void *memory = malloc(lope_component_memory(count));
    component_search search = lope_component_begin(&count, next_on_path, count, memory);
    lope_component_explore(&search, count / 2);
    assert_int_equal(search.count, count / 2);
    assert_int_equal(search.component[0], -1); // not asked for
    lope_component_explore(&search, 0);
    assert_int_equal(search.count, count);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_mutual_reach),
        cmocka_unit_test(long_paths_need_no_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
