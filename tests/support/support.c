// SPDX-License-Identifier: MIT
#include "support/support.h"

#include <ftw.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"

// TSan slows everything down and can only find something where there are threads: it runs the tests whose names say so.
__attribute__((constructor)) static void only_tests_of_threads(void)
{
    const char *sanitizers = getenv("LOPE_SANITIZE");
    if (sanitizers && strcmp(sanitizers, "thread") == 0)
        cmocka_set_test_filter("*thread*");
}

void test_assert_ok(lope_status status, const lope_error *error, const char *file, int line)
{
    if (status == LOPE_OK)
        return;
    char text[1200];
    print_error("status '%s': %s\n", lope_status_name(status), lope_error_text(error, text, sizeof text));
    _fail(file, line);
}

void test_assert_near(double a, double b, double tolerance, const char *file, int line)
{
    if (fabs(a - b) <= tolerance)
        return;
    print_error("%.9g and %.9g differ by %.3g, allowed %.3g\n", a, b, fabs(a - b), tolerance);
    _fail(file, line);
}

static char folder[64];

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info, (void)type, (void)walk;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_folder(void)
{
    if (!folder[0]) {
        const char *parent = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/lope-test-XXXXXX", parent ? parent : P_tmpdir);
        if (!mkdtemp(folder))
            abort();
        atexit(remove_folder);
    }
    return folder;
}

const char *test_path(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
    return path;
}

void test_write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

// An allocator that counts and that can be told to fail.
static atomic_size_t live, total;
static atomic_long remaining; // allocations that still succeed; negative: all do

static void *counting_allocate(void *user, size_t size)
{
    (void)user;
    long left = atomic_load(&remaining);
    if (left == 0)
        return NULL;
    if (left > 0)
        atomic_fetch_sub(&remaining, 1);
    void *block = size > SIZE_MAX - 64 ? NULL : aligned_alloc(64, (size + 63) & ~(size_t)63);
    if (block) {
        atomic_fetch_add(&live, 1);
        atomic_fetch_add(&total, 1);
    }
    return block;
}

static void counting_release(void *user, void *pointer)
{
    (void)user;
    atomic_fetch_sub(&live, 1);
    free(pointer);
}

void test_count_allocations(bool on)
{
    static const lope_allocator counting = {counting_allocate, counting_release, NULL};
    atomic_store(&live, 0);
    atomic_store(&total, 0);
    atomic_store(&remaining, -1);
    lope_set_allocator(on ? &counting : NULL);
}

size_t test_live_blocks(void)
{
    return atomic_load(&live);
}

size_t test_total_allocations(void)
{
    return atomic_load(&total);
}

void test_fail_allocations_after(long count)
{
    atomic_store(&remaining, count);
}

static void fail_allocations(lope_status (*body)(void *user, lope_error *error), void *user, long sparseness)
{
    for (long budget = 0;; budget += 1 + (sparseness ? budget / sparseness : 0)) {
        test_count_allocations(true);
        atomic_store(&remaining, budget);
        lope_error error = {0};
        lope_status status = body(user, &error);
        size_t leaked = test_live_blocks();
        test_count_allocations(false);
        assert_int_equal(leaked, 0);
        if (status == LOPE_OK)
            return;
        assert_int_equal(status, LOPE_NO_MEMORY);
        assert_int_equal(error.status, LOPE_NO_MEMORY);
        assert_true(budget < 100000);
    }
}

void test_allocation_failures(lope_status (*body)(void *user, lope_error *error), void *user)
{
    fail_allocations(body, user, 0);
}

void test_some_allocation_failures(lope_status (*body)(void *user, lope_error *error), void *user)
{
    fail_allocations(body, user, 6);
}

const char *test_data(const char *relative)
{
    static char path[1024];
    const char *root = getenv("LOPE_DATA");
    if (!root)
        return NULL;
    snprintf(path, sizeof path, "%s/%s", root, relative);
    return access(path, R_OK) == 0 ? path : NULL;
}

lope_vec3 test_random_vector(lope_random *random)
{
    lope_vec3 v;
    v.x = lope_random_normal(random);
    v.y = lope_random_normal(random);
    v.z = lope_random_normal(random);
    return v;
}

lope_vec3 test_random_direction(lope_random *random)
{
    return lope_v3_normalize(test_random_vector(random), lope_v3(0, 1, 0));
}

lope_skeleton *test_biped(void)
{
    static const char *const names[] = {
        "Hips",      "LeftUpLeg",    "LeftLeg",  "LeftFoot",      "LeftToeBase", "RightUpLeg",   "RightLeg",
        "RightFoot", "RightToeBase", "Spine",    "Spine1",        "Neck",        "Head",         "LeftShoulder",
        "LeftArm",   "LeftForeArm",  "LeftHand", "RightShoulder", "RightArm",    "RightForeArm", "RightHand"};
    static const int parents[] = {-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 10, 13, 14, 15, 10, 17, 18, 19};
    static const float offsets[][3] = {
        {0, 0.95f, 0},  {0.09f, -0.05f, 0}, {0, -0.42f, 0},     {0, -0.41f, 0}, {0, -0.05f, 0.13f}, {-0.09f, -0.05f, 0},
        {0, -0.42f, 0}, {0, -0.41f, 0},     {0, -0.05f, 0.13f}, {0, 0.12f, 0},  {0, 0.2f, 0},       {0, 0.2f, 0},
        {0, 0.1f, 0},   {0.05f, 0.15f, 0},  {0.13f, 0, 0},      {0.28f, 0, 0},  {0.25f, 0, 0},      {-0.05f, 0.15f, 0},
        {-0.13f, 0, 0}, {-0.28f, 0, 0},     {-0.25f, 0, 0}};
    enum { COUNT = sizeof parents / sizeof *parents };
    lope_transform rest[COUNT];
    lope_vec3 tips[COUNT] = {{0, 0, 0}};
    for (int j = 0; j < COUNT; j++)
        rest[j] = (lope_transform){{0, 0, 0, 1}, {offsets[j][0], offsets[j][1], offsets[j][2]}};
    tips[4] = tips[8] = lope_v3(0, 0, 0.07f);
    tips[12] = lope_v3(0, 0.18f, 0);
    tips[16] = lope_v3(0.15f, 0, 0);
    tips[20] = lope_v3(-0.15f, 0, 0);
    lope_skeleton *skeleton;
    lope_error error;
    assert_ok(
        lope_skeleton_create(&(lope_skeleton_def){COUNT, names, parents, rest, tips, NULL, NULL}, &skeleton, &error));
    return skeleton;
}

lope_clip *test_clip(int frames, double frame_rate, uint64_t seed)
{
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, "made-up", frames, frame_rate, 0, &clip, &error));
    lope_random random = lope_random_seed(seed);
    for (int j = 0; j < skeleton->joint_count; j++) {
        // One after the other: the order of arguments differs between compilers, and golden hashes hang on it.
        float z = lope_random_normal(&random), y = lope_random_normal(&random), x = lope_random_normal(&random);
        lope_vec3 axis = lope_v3_normalize(lope_v3(x, y, z), lope_v3(0, 1, 0));
        float size = lope_random_range(&random, 0.0f, 0.6f), phase = lope_random_range(&random, 0.0f, 6.28f);
        for (int f = 0; f < frames; f++) {
            double angle = (double)size * lope_sin(4.0 * (double)f / frame_rate + (double)phase);
            clip->rotations[f * skeleton->joint_count + j] = lope_quat_axis_angle(axis, (float)angle);
        }
    }
    for (int f = 0; f < frames; f++)
        clip->root[f] = lope_v3(0.1f * (float)f / (float)frame_rate, 0.95f, 1.2f * (float)f / (float)frame_rate);
    lope_skeleton_release(skeleton);
    return clip;
}
