// SPDX-License-Identifier: MIT
// The JSON writer: commas, escapes, numbers that read back, failure of memory.
#include "io/json.h"

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static void assert_text(lope_json *json, const char *expected)
{
    assert_false(json->failed);
    assert_int_equal(json->length, strlen(expected));
    assert_memory_equal(json->text, expected, json->length);
    lope_json_free(json);
}

static void test_structure(void **state)
{
    (void)state;
    lope_json json = {0};
    lope_json_begin_object(&json, NULL);
    lope_json_integer(&json, "a", -3);
    lope_json_begin_array(&json, "b");
    lope_json_boolean(&json, NULL, true);
    lope_json_begin_object(&json, NULL);
    lope_json_end_object(&json);
    lope_json_begin_array(&json, NULL);
    lope_json_end_array(&json);
    lope_json_string(&json, NULL, "{");
    lope_json_string(&json, NULL, "[");
    lope_json_end_array(&json);
    lope_json_boolean(&json, "c", false);
    lope_json_end_object(&json);
    lope_json_pad(&json, 8);
    assert_text(&json, "{\"a\":-3,\"b\":[true,{},[],\"{\",\"[\"],\"c\":false}     ");
}

static void assert_quoted(const char *value, const char *expected)
{
    lope_json json = {0};
    lope_json_string(&json, NULL, value);
    assert_text(&json, expected);
}

static void test_strings(void **state)
{
    (void)state;
    assert_quoted("", "\"\"");
    assert_quoted("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    assert_quoted("\x01\n\x1f\x7f", "\"\\u0001\\u000a\\u001f\\u007f\"");
    assert_quoted("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80",
                  "\"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80\"");
    assert_quoted("\xFF", "\"\\ufffd\"");                                  // never a lead byte
    assert_quoted("\x80z", "\"\\ufffdz\"");                                // continuation without lead
    assert_quoted("\xC0\xAF", "\"\\ufffd\\ufffd\"");                       // overlong slash
    assert_quoted("\xE0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\"");            // overlong zero
    assert_quoted("\xED\xA0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            // surrogate
    assert_quoted("\xF4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); // above U+10FFFF
    assert_quoted("cut \xE2\x82", "\"cut \\ufffd\\ufffd\"");               // ends in the middle of a character
}

static void assert_rounded(double value, int decimals, const char *expected)
{
    lope_json json = {0};
    lope_json_rounded(&json, NULL, value, decimals);
    assert_text(&json, expected);
}

static void test_rounding(void **state)
{
    (void)state;
    assert_rounded(1.23456, 4, "1.2346");
    assert_rounded(-1.5, 4, "-1.5");
    assert_rounded(-0.00001, 4, "0");
    assert_rounded(-0.0625, 4, "-0.0625");
    assert_rounded(1.0005, 2, "1");
    assert_rounded(10.0, 0, "10");
    assert_rounded(100.0, 4, "100");
    assert_rounded(1e300, 4, "1e+300");
}

static void test_numbers_read_back(void **state)
{
    (void)state;
    float floats[] = {0.1f, -1.0f / 3.0f, 1e-30f, 16777217.0f, 3.4e38f, 1.0f};
    double doubles[] = {0.1, 1.0 / 3.0, 120.0, 59.94005994005994, 1e-300};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        lope_json json = {0};
        lope_json_float(&json, NULL, floats[i]);
        lope_json_begin_array(&json, NULL); // ends the number for strtof
        assert_true(strtof(json.text, NULL) == floats[i]);
        lope_json_free(&json);
    }
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        lope_json json = {0};
        lope_json_double(&json, NULL, doubles[i]);
        lope_json_begin_array(&json, NULL);
        assert_true(strtod(json.text, NULL) == doubles[i]);
        lope_json_free(&json);
    }
    lope_json json = {0};
    lope_json_float(&json, NULL, 0.1f);
    assert_text(&json, "0.1");
}

static lope_status write_much(void *user, lope_error *error)
{
    (void)user;
    lope_json json = {0};
    lope_json_begin_array(&json, NULL);
    for (int i = 0; i < 5000; i++)
        lope_json_integer(&json, NULL, i);
    lope_json_end_array(&json);
    lope_json_pad(&json, 64);
    bool failed = json.failed;
    lope_json_free(&json);
    if (failed)
        error->status = LOPE_NO_MEMORY;
    return failed ? LOPE_NO_MEMORY : LOPE_OK;
}

static void test_no_memory(void **state)
{
    (void)state;
    test_allocation_failures(write_much, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure),         cmocka_unit_test(test_strings),   cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_numbers_read_back), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
