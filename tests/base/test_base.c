// SPDX-License-Identifier: MIT
// Errors, hashing, texts, the job pool.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "support/support.h"

static void errors_say_where(void **state)
{
    (void)state;
    lope_error error;
    char text[64];
    lope_fail_at(&error, LOPE_BAD_DATA, "walk.bvh", 214, "frame %d has %d values", 12, 92);
    assert_string_equal(lope_error_text(&error, text, sizeof text), "walk.bvh:214: frame 12 has 92 values");
    error.column = 7;
    assert_string_equal(lope_error_text(&error, text, sizeof text), "walk.bvh:214:7: frame 12 has 92 values");
    assert_string_equal(lope_error_text(&error, text, 5), "walk");
    assert_int_equal(lope_fail(NULL, LOPE_IO, "nobody listens"), LOPE_IO);
    for (int s = 0; s < LOPE_STATUS_COUNT; s++)
        assert_true(strlen(lope_status_name((lope_status)s)) > 0);
    assert_string_equal(lope_status_name((lope_status)99), "unknown status");
}

static void ranges_name_the_number(void **state)
{
    (void)state;
    lope_error error;
    assert_int_equal(LOPE_CHECK(&error, {"rate", 1000.0, 1, 1000}, {"count", 0, 0, 3}), LOPE_OK);
    assert_int_equal(LOPE_CHECK(&error, {"rate", 1.0, 1, 1000}, {"count", 1000001, 0, 1000000}), LOPE_BAD_DATA);
    assert_string_equal(error.message, "count is 1000001, must be at least 0 and at most 1000000");
    assert_int_equal(LOPE_CHECK(&error, {"size", 0.0, LOPE_ABOVE_ZERO, 0.5}), LOPE_BAD_DATA);
    assert_string_equal(error.message, "size is 0, must be above 0 and at most 0.5");
    assert_int_equal(LOPE_CHECK(&error, {"rate", (double)NAN, 1, 1e30}), LOPE_BAD_DATA);
    assert_string_equal(error.message, "rate is nan, must be at least 1 and at most 1e+30");
}

// Reference values of the published algorithm.
static void hash_is_xxh64(void **state)
{
    (void)state;
    assert_true(lope_hash(NULL, 0, 0) == 0xEF46DB3751D8E999ull);
    assert_true(lope_hash("a", 1, 0) == 0xD24EC4F1A98C6E5Bull);
    assert_true(lope_hash("abc", 3, 0) == 0x44BC2CF5AD770999ull);
    const char *text = "Nobody inspects the spammish repetition";
    assert_true(lope_hash(text, strlen(text), 0) == 0xFBCEA83C8A378BF1ull);
}

static void utf8_is_told_from_other_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"", 1},
                 {"a", 1},
                 {"\xC3\xA4", 2},
                 {"\xE2\x82\xAC", 3},
                 {"\xF0\x9F\x9A\xB6", 4},
                 {"\xF4\x8F\xBF\xBF", 4},
                 {"\xA4", 0},             // a continuation without a beginning
                 {"\xC3", 0},             // cut off
                 {"\xE2\x82", 0},         // cut off
                 {"\xC0\xAF", 0},         // overlong
                 {"\xE0\x9F\xBF", 0},     // overlong
                 {"\xF0\x8F\xBF\xBF", 0}, // overlong
                 {"\xED\xA0\x80", 0},     // half of a surrogate pair
                 {"\xF4\x90\x80\x80", 0}, // above U+10FFFF
                 {"\xFF", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (lope_utf8_length(cases[i].text) != cases[i].length)
            fail_msg("case %zu: %zu, expected %zu", i, lope_utf8_length(cases[i].text), cases[i].length);
}

typedef struct squares {
    uint64_t values[1000];
    int threads[1000];
} squares;

static void square(void *user, int index, int thread)
{
    squares *s = user;
    s->values[index] = (uint64_t)index * (uint64_t)index;
    s->threads[index] = thread;
}

static void run_squares(int threads, uint64_t *first)
{
    lope_error error;
    lope_jobs *jobs;
    assert_ok(lope_jobs_create(threads, &jobs, &error));
    assert_int_equal(lope_jobs_thread_count(jobs), threads);
    for (int round = 0; round < 200; round++) {
        squares s = {{0}, {0}};
        lope_jobs_run(jobs, 1000, square, &s);
        uint64_t hash = lope_hash(s.values, sizeof s.values, 0);
        *first = *first ? *first : hash;
        assert_true(hash == *first);
        for (int i = 0; i < 1000; i++)
            assert_true(s.threads[i] >= 0 && s.threads[i] < threads);
    }
    lope_jobs_run(jobs, 0, square, NULL);
    lope_jobs_destroy(jobs);
}

static void jobs_do_everything_once_for_any_thread_count(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int threads = 1; threads <= 5; threads++)
        run_squares(threads, &first);
    squares s = {{0}, {0}};
    lope_jobs_run(NULL, 1000, square, &s);
    assert_true(lope_hash(s.values, sizeof s.values, 0) == first);
    lope_jobs_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(ranges_name_the_number),
        cmocka_unit_test(hash_is_xxh64),
        cmocka_unit_test(utf8_is_told_from_other_bytes),
        cmocka_unit_test(jobs_do_everything_once_for_any_thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
