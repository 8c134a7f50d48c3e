// SPDX-License-Identifier: MIT
// What tests share: cmocka with its includes, temporary folders, failing allocators, capture data.
#ifndef LOPE_TESTS_SUPPORT_H
#define LOPE_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "lope/offline.h"

// Fails with the error's text unless the status is LOPE_OK.
#define assert_ok(call) test_assert_ok((call), &error, __FILE__, __LINE__)
void test_assert_ok(lope_status status, const lope_error *error, const char *file, int line);

#define assert_near(a, b, tolerance) test_assert_near((double)(a), (double)(b), (double)(tolerance), __FILE__, __LINE__)
void test_assert_near(double a, double b, double tolerance, const char *file, int line);

// A fresh folder, removed with everything in it at exit. test_path joins; the result lives until the next 8 calls.
const char *test_folder(void);
const char *test_path(const char *name);
void test_write_file(const char *path, const void *bytes, size_t size);

// Runs `body` again and again, each time with one more allocation succeeding before all further ones fail, until
// `body` returns LOPE_OK. Asserts that every failure is LOPE_NO_MEMORY and that nothing leaks.
void test_allocation_failures(lope_status (*body)(void *user, lope_error *error), void *user);
// The same for what allocates thousands of times: from the sixth on not every one, but ever fewer.
void test_some_allocation_failures(lope_status (*body)(void *user, lope_error *error), void *user);

// Blocks that are alive right now under test_count_allocations(true), and how many were ever allocated.
void test_count_allocations(bool on);
size_t test_live_blocks(void);
size_t test_total_allocations(void);
// Under test_count_allocations(true): so many more succeed, then all fail; negative: none fails.
void test_fail_allocations_after(long count);

// Path of a capture file below the data folder, or NULL when the data is not there (then print "skipped").
const char *test_data(const char *relative);

// Three normal numbers, x first. As arguments of one call, their order would be the compiler's choice.
lope_vec3 test_random_vector(lope_random *random);
// A unit vector, any direction.
lope_vec3 test_random_direction(lope_random *random);

// A small biped in the MotionBuilder naming, 1.7 m tall, and a clip of it with smooth made-up motion.
lope_skeleton *test_biped(void);
lope_clip *test_clip(int frames, double frame_rate, uint64_t seed);

#endif
