// SPDX-License-Identifier: MIT
// What requests to the studio's server mean, and who is refused.
#include <stdio.h>
#include <string.h>

#include "support/support.h"

#include "cli/studio/form.h"
#include "cli/studio/request.h"

static studio_route parsed(const char *method, const char *target, const char *query)
{
    studio_route route;
    studio_verdict verdict = studio_parse_route(method, target, query, &route);
    if (verdict.status)
        fail_msg("%s %s: %d %s", method, target, verdict.status, verdict.message);
    return route;
}

static int refused(const char *method, const char *target, const char *query)
{
    studio_route route;
    return studio_parse_route(method, target, query, &route).status;
}

static void test_routes(void **state)
{
    (void)state;
    assert_string_equal(parsed("GET", "/", NULL).name, "index.html");
    assert_int_equal(parsed("GET", "/", NULL).kind, STUDIO_PAGE);
    assert_string_equal(parsed("GET", "/assets/a-b_1.js", NULL).name, "assets/a-b_1.js");
    assert_int_equal(parsed("GET", "/", "quality=5&key").kind, STUDIO_PAGE);
    assert_int_equal(parsed("GET", "/api/state", NULL).kind, STUDIO_STATE);
    assert_int_equal(parsed("HEAD", "/api/files", NULL).kind, STUDIO_FILES);
    assert_string_equal(parsed("GET", "/api/files/my%20walk%C3%A9.BVH", NULL).name, "my walk\xC3\xA9.BVH");
    assert_int_equal(parsed("PUT", "/api/files/a+b.json", NULL).kind, STUDIO_SAVE);
    assert_string_equal(parsed("PUT", "/api/files/a+b.json", NULL).name, "a+b.json"); // '+' is a space in forms only
    assert_int_equal(parsed("GET", "/api/given/12", NULL).number, 12);
    assert_int_equal(parsed("POST", "/api/builds", NULL).kind, STUDIO_START);
    assert_int_equal(parsed("GET", "/api/builds/7", "page=p1").kind, STUDIO_BUILD);
    assert_string_equal(parsed("GET", "/api/builds/7", "page=p1").page, "p1");
    assert_int_equal(parsed("GET", "/api/builds/7/events", "page=p1").kind, STUDIO_EVENTS);
    assert_int_equal(parsed("DELETE", "/api/builds/7", "page=p1").kind, STUDIO_STOP);
}

static void test_bad_routes(void **state)
{
    (void)state;
    static const char *const nowhere[] = {
        "/../x",           "/a/../../etc/passwd", "/%2e%2e/x",     "/a/%2e%2e/b",  "//etc/passwd",
        "/a//b",           "/.git/config",        "/a\\..\\b",     "/c:/x",        "/a%0ab",
        "/api/",           "/api/nope",           "/api/given/-1", "/api/given/x", "/api/given/1234567",
        "/api/builds/1/x", "/api/builds/",        "/caf%c3%a9"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        assert_int_equal(refused("GET", nowhere[i], NULL), 404);
    static const char *const broken[] = {"",
                                         "x",
                                         "http://h/",
                                         "/%",
                                         "/%4",
                                         "/%zz",
                                         "/a%00b",
                                         "/api/files/a%00.json",
                                         "/api/files/",
                                         "/api/files/x",
                                         "/api/files/.json",
                                         "/api/files/..%2fx.json",
                                         "/api/files/a%2fb.json",
                                         "/api/files/-o.lope",
                                         "/api/files/a%ff.json",
                                         "/api/files/a%c2%85.json",
                                         "/api/files/a.html",
                                         "/api/files/%20a.json"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        assert_int_equal(refused("GET", broken[i], NULL), 400);
    assert_int_equal(refused("GET", "/", "page=%2f"), 400);
    assert_int_equal(refused("GET", "/", "page="), 400);
    assert_int_equal(refused("GET", "/", "page=123456789012345678901234567890123"), 400);
    static const char *const methods[] = {"OPTIONS", "PATCH", "get", "", "CONNECT", "PROPFIND"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        assert_int_equal(refused(methods[i], "/", NULL), 405);
    assert_int_equal(refused("PUT", "/index.html", NULL), 405);
    assert_int_equal(refused("POST", "/api/state", NULL), 405);
    assert_int_equal(refused("DELETE", "/api/files/a.json", NULL), 405);
    assert_int_equal(refused("POST", "/api/builds/1", NULL), 405);
    char longest[4096];
    memset(longest, 'a', sizeof longest);
    longest[0] = '/';
    longest[sizeof longest - 1] = 0;
    assert_int_equal(refused("GET", longest, NULL), 400);
    longest[STUDIO_MAX_PATH + 10] = 0;
    assert_int_equal(refused("GET", longest, NULL), 404);
}

#define KEY "0123456789abcdef0123456789abcdef"
static const studio_self self = {4711, KEY};

static int guarded(studio_route_kind kind, studio_headers headers)
{
    studio_route route = {.kind = kind};
    return studio_guard(&route, &headers, &self).status;
}

static void test_hosts_and_origins(void **state)
{
    (void)state;
    assert_int_equal(guarded(STUDIO_PAGE, (studio_headers){.host = "127.0.0.1:4711"}), 0);
    assert_int_equal(guarded(STUDIO_PAGE, (studio_headers){.host = "localhost:4711"}), 0);
    // A name that somebody made point here, another port, none at all.
    static const char *const hosts[] = {
        "evil.example:4711", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:47110", "localhost:4711.evil.example",
        "LOCALHOST:4711x",   ""};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        assert_int_equal(guarded(STUDIO_PAGE, (studio_headers){.host = hosts[i], .key = KEY}), 403);
    assert_int_equal(guarded(STUDIO_PAGE, (studio_headers){.key = KEY}), 403);
    static const char *const origins[] = {"http://evil.example",
                                          "null",
                                          "https://127.0.0.1:4711",
                                          "http://127.0.0.1:80",
                                          "http://localhost:4711",
                                          "http://127.0.0.1:4711.evil.example",
                                          ""};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
        assert_int_equal(
            guarded(STUDIO_SAVE, (studio_headers){.host = "127.0.0.1:4711", .origin = origins[i], .key = KEY}), 403);
    assert_int_equal(
        guarded(STUDIO_SAVE, (studio_headers){.host = "127.0.0.1:4711", .origin = "http://127.0.0.1:4711", .key = KEY}),
        0);
    studio_headers link = {.host = "localhost:4711", .fetch_site = "cross-site", .fetch_mode = "navigate", .key = KEY};
    assert_int_equal(guarded(STUDIO_PAGE, link), 0);
    assert_int_equal(guarded(STUDIO_STATE, link), 403);
    link.fetch_mode = "no-cors";
    assert_int_equal(guarded(STUDIO_PAGE, link), 403);
    link.fetch_site = "same-site"; // another port of this machine
    assert_int_equal(guarded(STUDIO_FILE, link), 403);
    link.fetch_site = "same-origin";
    assert_int_equal(guarded(STUDIO_FILE, link), 0);
}

static void test_keys(void **state)
{
    (void)state;
    studio_headers headers = {.host = "127.0.0.1:4711"};
    assert_int_equal(guarded(STUDIO_FILES, headers), 403);
    static const char *const wrong[] = {"", "0123456789abcdef0123456789abcdee", KEY "0", "0123456789abcdef"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        headers.key = wrong[i];
        assert_int_equal(guarded(STUDIO_FILES, headers), 403);
    }
    headers.key = KEY;
    assert_int_equal(guarded(STUDIO_FILES, headers), 0);
}

static void test_builds(void **state)
{
    (void)state;
    static studio_build build;
    const char *words[STUDIO_MAX_ARGUMENTS];
    assert_int_equal(studio_parse_build("kind=maps&page=p&out=my+walk.lope&clip=a.bvh&clip=b%26c.fbx&mirror=1&"
                                        "retarget=0&threshold=0.3",
                                        &build)
                         .status,
                     0);
    static const char *const expected[] = {"lope", "build", "--maps",  "--mirror", "--threshold",
                                           "0.3",  "a.bvh", "b&c.fbx", "--output", "my walk.lope"};
    assert_int_equal(studio_build_arguments(&build, words), 10);
    for (int i = 0; i < 10; i++)
        assert_string_equal(words[i], expected[i]);
    assert_null(words[10]);
    static const char *const bad[] = {"",
                                      "kind=maps&page=p",
                                      "kind=maps&out=a.lope",
                                      "page=p&out=a.lope",
                                      "kind=magic&page=p&out=a.lope",
                                      "kind=maps&page=p&out=../a.lope",
                                      "kind=maps&page=p&out=a.bvh",
                                      "kind=maps&page=p&out=a.lope&clip=--help.bvh",
                                      "kind=maps&page=p&out=a.lope&clip=/etc/passwd",
                                      "kind=maps&page=p&out=a.lope&clip=a.json",
                                      "kind=maps&page=p&out=a.lope&clip=a.lope",
                                      "kind=maps&page=p&out=a.lope&mirror=yes",
                                      "kind=maps&page=p&out=a.lope&threshold=nan",
                                      "kind=maps&page=p&out=a.lope&threshold=-1",
                                      "kind=maps&page=p&out=a.lope&threshold=0x1",
                                      "kind=maps&page=p&out=a.lope&shell=rm",
                                      "kind=maps&page=p q&out=a.lope",
                                      "kind=maps&page=p&out=a%00.lope",
                                      "kind=maps&page=p&out=%"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(studio_parse_build(bad[i], &build).status, 400);
}

static void test_too_many_clips(void **state)
{
    (void)state;
    static studio_build build;
    static char form[STUDIO_MAX_FORM];
    size_t used = (size_t)snprintf(form, sizeof form, "kind=rings&page=p&out=o.lope");
    for (int i = 0; i < STUDIO_MAX_CLIPS; i++)
        used += (size_t)snprintf(form + used, sizeof form - used, "&clip=c%d.bvh", i);
    assert_int_equal(studio_parse_build(form, &build).status, 0);
    assert_int_equal(build.clip_count, STUDIO_MAX_CLIPS);
    const char *words[STUDIO_MAX_ARGUMENTS];
    assert_int_equal(studio_build_arguments(&build, words), STUDIO_MAX_CLIPS + 5);
    snprintf(form + used, sizeof form - used, "&clip=more.bvh");
    assert_int_equal(studio_parse_build(form, &build).status, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes), cmocka_unit_test(test_bad_routes), cmocka_unit_test(test_hosts_and_origins),
        cmocka_unit_test(test_keys),   cmocka_unit_test(test_builds),     cmocka_unit_test(test_too_many_clips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
