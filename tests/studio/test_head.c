// SPDX-License-Identifier: MIT
// Heads of requests: what counts, and what is refused.
#include <stdio.h>
#include <string.h>

#include "cli/studio/head.h"
#include "support/support.h"

static char bytes[STUDIO_MAX_HEAD];

static int parse(const char *text, studio_head *out)
{
    size_t size = strlen(text);
    memcpy(bytes, text, size + 1);
    assert_int_equal(studio_head_size(bytes, size, 0), size);
    return studio_parse_head(bytes, size, out).status;
}

static void test_fields(void **state)
{
    (void)state;
    studio_head head;
    assert_int_equal(parse("PUT /api/files/a.json?page=p&x HTTP/1.1\r\nhOST:127.0.0.1:4711\r\nX-Lope-Key: \t k y \t\r\n"
                           "Unknown: \xC3\xA9\r\nUnknown: again\r\nIf-Match: \"a:b\"\r\nOrigin: null\r\n"
                           "Content-Length: 16\r\nExpect: 100-Continue\r\n\r\n",
                           &head),
                     0);
    assert_string_equal(head.method, "PUT");
    assert_string_equal(head.target, "/api/files/a.json");
    assert_string_equal(head.query, "page=p&x");
    assert_string_equal(head.headers.host, "127.0.0.1:4711");
    assert_string_equal(head.headers.key, "k y");
    assert_string_equal(head.headers.origin, "null");
    assert_null(head.headers.fetch_site);
    assert_string_equal(head.if_match, "\"a:b\"");
    assert_int_equal(head.length, 16);
    assert_true(head.expects_continue);
    assert_int_equal(parse("GET / HTTP/1.0\r\n\r\n", &head), 0);
    assert_null(head.query);
    assert_null(head.headers.host);
    assert_int_equal(head.length, -1);
    assert_false(head.expects_continue);
    // Chunks have no length that could be believed.
    assert_int_equal(parse("PUT / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", &head), 0);
    assert_int_equal(head.length, -1);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const senseless[] = {"\r\n\r\n",
                                            "GET\r\n\r\n",
                                            "GET /\r\n\r\n",
                                            "GET / HTTP/2\r\n\r\n",
                                            "GET / HTTP/9.9\r\n\r\n",
                                            " GET / HTTP/1.1\r\n\r\n",
                                            "GET  / HTTP/1.1\r\n\r\n",
                                            "GET / HTTP/1.1 \r\n\r\n",
                                            "GET /\x01 HTTP/1.1\r\n\r\n",
                                            "GET / HTTP/1.1\nHost: a\r\n\r\n",
                                            "GET / HTTP/1.1\r\nHost: a\nX-Lope-Key: b\r\n\r\n",
                                            "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
                                            "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
                                            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                                            "GET / HTTP/1.1\r\n: a\r\n\r\n",
                                            "GET / HTTP/1.1\r\nnothing\r\n\r\n",
                                            "GET / HTTP/1.1\r\nHost: a\r\nHOST: b\r\n\r\n",
                                            "GET / HTTP/1.1\r\nX-Lope-Key: a\r\nX-Lope-Key: a\r\n\r\n",
                                            "PUT / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
                                            "PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                                            "PUT / HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
                                            "PUT / HTTP/1.1\r\nContent-Length: 5, 5\r\n\r\n",
                                            "PUT / HTTP/1.1\r\nContent-Length: 0x5\r\n\r\n",
                                            "PUT / HTTP/1.1\r\nContent-Length:\r\n\r\n",
                                            "PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"};
    studio_head head;
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++)
        if (parse(senseless[i], &head) != 400)
            fail_msg("was taken: %s", senseless[i]);
    char zero[] = "GET /\0x HTTP/1.1\r\n\r\n";
    assert_int_equal(studio_parse_head(zero, sizeof zero - 1, &head).status, 400);
}

// The end is found wherever the bytes were cut in two.
static void test_pieces(void **state)
{
    (void)state;
    static const char text[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\nbody\r\n\r\n";
    size_t whole = strlen("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    for (size_t from = 0; from < whole; from++) {
        assert_int_equal(studio_head_size(text, from, 0), 0);
        assert_int_equal(studio_head_size(text, sizeof text - 1, from), whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
