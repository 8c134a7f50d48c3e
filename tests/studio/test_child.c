// SPDX-License-Identifier: MIT
// Children of the server: what they say comes back, and they have limits of memory and time. The tool is this program
// itself, which plays it where it is called with a word.
#include "cli/studio/child.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "support/support.h"

static bool go_on(void *user, const char *stage, double done)
{
    (void)user, (void)stage, (void)done;
    return true;
}

static void run(const char *word, double max_seconds, studio_child_result *out)
{
    const char *const words[] = {"lope", word, NULL};
    studio_child_def def = {.words = words, .max_seconds = max_seconds, .watch = go_on};
    def.place = open(test_folder(), O_RDONLY | O_DIRECTORY);
    assert_true(def.place >= 0);
    studio_child_run(&def, out);
    close(def.place);
    assert_true(out->started);
}

// Limits are set right after the child has begun: it waits until they are there.
static struct rlimit await_limit(void)
{
    struct rlimit limit;
    struct timespec pause = {0, 1000000};
    for (int i = 0; i < 30000; i++) {
        getrlimit(RLIMIT_CPU, &limit);
        if (limit.rlim_cur != RLIM_INFINITY)
            break;
        nanosleep(&pause, NULL);
    }
    return limit;
}

static int tell_limits(void)
{
    unsigned long long seconds = await_limit().rlim_cur;
    struct rlimit memory;
    getrlimit(RLIMIT_AS, &memory);
    printf("%llu %llu\n", seconds, (unsigned long long)memory.rlim_cur);
    return 0;
}

// As a file does that asks for too much.
static int eat(void)
{
    await_limit();
    for (size_t eaten = 0; eaten < (size_t)64 << 30; eaten += (size_t)256 << 20)
        if (!malloc((size_t)256 << 20)) {
            fprintf(stderr, "lope info: out of memory\n");
            return 3;
        }
    return 0;
}

static int flood(void)
{
    for (int i = 0; i < 6 << 20; i++)
        putchar(i % 80 == 79 ? '\n' : 'x');
    return 0;
}

static void words_come_back(void **state)
{
    (void)state;
    studio_child_result *result = malloc(sizeof *result);
    run("limits", 7.0, result);
    assert_int_equal(result->exit_code, 0);
    unsigned long long seconds, bytes;
    assert_int_equal(sscanf(result->output, "%llu %llu", &seconds, &bytes), 2);
    assert_int_equal(seconds, 7 + 1);
    if (studio_child_memory(7.0) > 0)
        assert_int_equal(bytes, studio_child_memory(7.0));
    assert_true(studio_child_memory(7.0) <= (unsigned long long)4 << 30);
    assert_true(studio_child_memory(0.0) == 0 || studio_child_memory(0.0) >= (unsigned long long)8 << 30);
    free(result->output);
    free(result);
}

static void memory_has_an_end(void **state)
{
    (void)state;
    studio_child_result *result = malloc(sizeof *result);
    if (studio_child_memory(30.0) > 0) { // sanitizers take terabytes of addresses
        run("eat", 30.0, result);
        assert_int_equal(result->exit_code, 3);
        assert_string_equal(studio_child_message(result), "out of memory");
        free(result->output);
    }
    free(result);
}

// A part of what it said could be taken for all of it.
static void too_many_words(void **state)
{
    (void)state;
    studio_child_result *result = malloc(sizeof *result);
    run("flood", 60.0, result);
    assert_int_equal(result->exit_code, 0);
    assert_null(result->output);
    assert_int_equal(result->output_size, 0);
    free(result);
}

int main(int count, char **words)
{
    if (count == 2)
        return strcmp(words[1], "eat") == 0 ? eat() : strcmp(words[1], "flood") == 0 ? flood() : tell_limits();
    studio_child_find_tool();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_come_back),
        cmocka_unit_test(too_many_words),
        cmocka_unit_test(memory_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
