// SPDX-License-Identifier: MIT
// The container: round trip, and every kind of damage has its own message.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/files.h"
#include "lope/rings.h"
#include "support/repair.h"
#include "support/support.h"

#define TYPE_A LOPE_CHUNK('A', 'B', 'C', 'D')
#define TYPE_B LOPE_CHUNK('E', 'F', 'G', 'H')

static const char *save_sample(const char *name)
{
    const char *path = test_path(name);
    lope_error error;
    lope_container_writer *writer;
    assert_ok(lope_container_writer_create(&writer, &error));
    assert_ok(lope_container_writer_add(writer, TYPE_A, 3, "hello", 5, &error));
    assert_ok(lope_container_writer_add(writer, TYPE_B, 1, NULL, 0, &error));
    assert_ok(lope_container_writer_add(writer, TYPE_A, 4, "world!", 6, &error));
    assert_ok(lope_container_writer_save(writer, path, &error));
    lope_container_writer_destroy(writer);
    return path;
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    lope_error error;
    lope_container *container;
    assert_ok(lope_container_open(save_sample("a.lope"), &container, &error));
    assert_int_equal(lope_container_count(container), 3);
    int second = lope_container_find(container, TYPE_A, 1);
    assert_int_equal(second, 2);
    assert_int_equal(lope_container_find(container, TYPE_A, 2), -1);
    uint32_t version;
    assert_int_equal(lope_container_type(container, second, &version), TYPE_A);
    assert_int_equal(version, 4);
    size_t size;
    const void *data = lope_container_data(container, second, &size);
    assert_int_equal(size, 6);
    assert_memory_equal(data, "world!", 6);
    assert_int_equal((uintptr_t)data % 64, 0);
    lope_container_close(container);
}

static lope_file_data read_sample(void)
{
    lope_error error;
    lope_file_data data;
    assert_ok(lope_file_read(save_sample("b.lope"), 1 << 20, &data, &error));
    return data;
}

static void expect_error(const lope_file_data *data, size_t size, lope_status status, const char *part)
{
    lope_error error;
    lope_container *container;
    lope_status got = lope_container_open_memory(data->bytes, size, "x.lope", &container, &error);
    assert_int_equal(got, status);
    assert_null(container);
    if (!strstr(error.message, part))
        fail_msg("expected '%s' in '%s'", part, error.message);
}

static void damage_is_told_apart(void **state)
{
    (void)state;
    lope_file_data data = read_sample();
    expect_error(&data, 0, LOPE_BAD_DATA, "empty");
    expect_error(&data, 20, LOPE_BAD_DATA, "truncated");
    expect_error(&data, data.size - 1, LOPE_BAD_DATA, "truncated");
    data.bytes[8] = 0;
    expect_error(&data, data.size, LOPE_UNSUPPORTED, "older");
    data.bytes[8] = 9;
    expect_error(&data, data.size, LOPE_UNSUPPORTED, "newer");
    data.bytes[0] = 'X';
    expect_error(&data, data.size, LOPE_BAD_DATA, "not a .lope file");
    lope_file_free(&data);
}

// Bytes between the chunks of the sample belong to nobody; everything else is covered by a checksum.
static bool is_padding(size_t byte)
{
    return (byte >= 64 + 3 * 32 && byte < 192) || (byte >= 197 && byte < 256) || byte >= 262;
}

static void every_flipped_bit_is_found(void **state)
{
    (void)state;
    lope_file_data data = read_sample();
    for (size_t bit = 0; bit < data.size * 8; bit++) {
        lope_container *container;
        data.bytes[bit / 8] ^= (char)(1 << bit % 8);
        lope_status status = lope_container_open_memory(data.bytes, data.size, "x.lope", &container, NULL);
        assert_int_equal(status == LOPE_OK, is_padding(bit / 8));
        lope_container_close(container);
        data.bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    lope_file_free(&data);
}

// Gives chunk 1 the bytes of chunk 0, with all checksums right.
static void chunks_that_overlap_are_refused(void **state)
{
    (void)state;
    lope_file_data data = read_sample();
    memcpy(data.bytes + 64 + 32 + 8, data.bytes + 64 + 8, 24); // offset, size, checksum
    uint64_t checksum = 0;
    memcpy(data.bytes + 24, &checksum, sizeof checksum);
    checksum = lope_hash(data.bytes + 64, 3 * 32, lope_hash(data.bytes, 64, 0));
    memcpy(data.bytes + 24, &checksum, sizeof checksum);
    expect_error(&data, data.size, LOPE_BAD_DATA, "begins before the last one ends");
    lope_file_free(&data);
}

static lope_status write_and_open(void *user, lope_error *error)
{
    const char *path = user;
    lope_container_writer *writer;
    lope_status status = lope_container_writer_create(&writer, error);
    if (!status)
        status = lope_container_writer_add(writer, TYPE_A, 1, "abc", 3, error);
    if (!status)
        status = lope_container_writer_save(writer, path, error);
    lope_container_writer_destroy(writer);
    lope_container *container = NULL;
    if (!status)
        status = lope_container_open(path, &container, error);
    lope_container_close(container);
    return status;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("m.lope"));
    test_allocation_failures(write_and_open, path);
}

static void a_target_that_is_being_written_is_refused(void **state)
{
    (void)state;
    char path[512], part[600];
    snprintf(path, sizeof path, "%s", save_sample("busy.lope"));
    snprintf(part, sizeof part, "%s.part", path);
    int other = open(part, O_RDWR | O_CREAT, 0666);
    assert_int_equal(flock(other, LOCK_EX), 0);
    lope_error error;
    lope_file_writer writer;
    assert_int_equal(lope_file_begin(&writer, path, &error), LOPE_IO);
    assert_non_null(strstr(error.message, "written by someone else"));
    close(other);
    assert_ok(lope_file_begin(&writer, path, &error));
    lope_file_abort(&writer);
    lope_container *container;
    assert_ok(lope_container_open(path, &container, &error)); // the old one is untouched
    lope_container_close(container);
}

static void files_that_cannot_be_opened(void **state)
{
    (void)state;
    lope_error error;
    lope_container *container;
    assert_int_equal(lope_container_open(test_path("nowhere.lope"), &container, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_container_open(test_folder(), &container, &error), LOPE_BAD_DATA);
    lope_file_writer writer;
    assert_int_equal(lope_file_begin(&writer, test_path("no/such/folder.lope"), &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_file_begin(&writer, test_folder(), &error), LOPE_IO);
}

// As many chunks as a file may have, all empty. Looking through them for each would take half a trillion steps.
static void a_million_chunks_cost_little(void **state)
{
    (void)state;
    const uint32_t count = 1 << 20, types[2] = {LOPE_CHUNK('R', 'I', 'N', 'G'), TYPE_A};
    uint64_t size = 64 + (uint64_t)count * 32;
    uint8_t *bytes = aligned_alloc(64, size);
    memset(bytes, 0, size);
    const struct {
        char magic[8];
        uint32_t version, count;
        uint64_t size;
    } header = {{'L', 'O', 'P', 'E', 'F', 'I', 'L', 'E'}, 1, count, size};
    memcpy(bytes, &header, sizeof header);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(bytes + 64 + (size_t)i * 32, &types[i & 1], 4);
        memcpy(bytes + 64 + (size_t)i * 32 + 8, &size, 8); // at the end
    }
    repair_checksums(bytes);
    lope_error error;
    lope_container *container;
    assert_ok(lope_container_open_memory(bytes, size, "many.lope", &container, &error));
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < count; i++)
        wrong += lope_container_find(container, types[i & 1], (int)(i / 2)) != (int)i;
    assert_int_equal(wrong, 0);
    assert_int_equal(lope_container_find(container, TYPE_A, (int)count / 2), -1);
    assert_int_equal(lope_container_find(container, types[0], (int)count / 2), -1);
    assert_int_equal(lope_container_find(container, TYPE_B, 0), -1);
    assert_int_equal(lope_container_find(container, UINT32_MAX, 0), -1);
    lope_container_close(container);
    lope_rings *rings;
    assert_int_equal(lope_rings_open_memory(bytes, size, "many.lope", &rings, &error), LOPE_BAD_DATA);
    assert_null(rings);
    free(bytes);
}

// An opened container is a copy: overwriting or truncating the file affects later openings only.
static void opened_files_may_be_changed_by_others(void **state)
{
    (void)state;
    lope_error error;
    lope_container *container, *later;
    char path[256];
    snprintf(path, sizeof path, "%s", save_sample("changed.lope"));
    assert_ok(lope_container_open(path, &container, &error));
    size_t size;
    const void *data = lope_container_data(container, 2, &size);
    int file = open(path, O_WRONLY);
    char nonsense[1024];
    memset(nonsense, 'x', sizeof nonsense);
    assert_int_equal(pwrite(file, nonsense, sizeof nonsense, 0), sizeof nonsense);
    assert_memory_equal(data, "world!", 6);
    assert_int_equal(ftruncate(file, 0), 0);
    assert_memory_equal(data, "world!", 6);
    close(file);
    assert_int_equal(lope_container_open(path, &later, &error), LOPE_BAD_DATA);
    lope_container_close(container);
}

// A mapped file is used where it lies.
static void mapped_files_are_opened_from_memory(void **state)
{
    (void)state;
    lope_error error;
    lope_file_map map;
    lope_container *container;
    assert_int_equal(lope_file_map_open(test_path("nothing.lope"), &map, &error), LOPE_NOT_FOUND);
    lope_file_map_close(&map);
    assert_ok(lope_file_map_open(save_sample("mapped.lope"), &map, &error));
    assert_ok(lope_container_open_memory(map.bytes, map.size, "mapped.lope", &container, &error));
    const char *data = lope_container_data(container, 2, NULL);
    assert_true(data > (const char *)map.bytes && data < (const char *)map.bytes + map.size);
    assert_memory_equal(data, "world!", 6);
    lope_container_close(container);
    lope_file_map_close(&map);
}

// One chunk of zeros, more than are copied; the file has hardly any bytes on the disk.
static void large_files_are_opened(void **state)
{
    (void)state;
    lope_error error;
    lope_container *container;
    lope_file_map map;
    char path[256];
    snprintf(path, sizeof path, "%s", test_path("large.lope"));
    const uint64_t large = LOPE_CONTAINER_COPIED + 64;
    uint8_t head[128] = {'L', 'O', 'P', 'E', 'F', 'I', 'L', 'E', 1, 0, 0, 0, 1};
    const uint64_t file_size = sizeof head + large, entry[3] = {TYPE_A, sizeof head, large};
    memcpy(head + 16, &file_size, 8);
    memcpy(head + 64, entry, sizeof entry);
    test_write_file(path, head, sizeof head);
    assert_int_equal(truncate(path, (off_t)file_size), 0);
    assert_ok(lope_file_map_open(path, &map, &error));
    uint64_t checksum = lope_hash((const uint8_t *)map.bytes + sizeof head, (size_t)large, 0);
    lope_file_map_close(&map);
    memcpy(head + 88, &checksum, 8);
    checksum = lope_hash(head + 64, 32, lope_hash(head, 64, 0));
    memcpy(head + 24, &checksum, 8);
    int file = open(path, O_WRONLY);
    assert_int_equal(pwrite(file, head, sizeof head, 0), sizeof head);
    close(file);
    assert_ok(lope_container_open(path, &container, &error));
    size_t size;
    lope_container_data(container, 0, &size);
    assert_true(size == large);
    lope_container_close(container);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(damage_is_told_apart),
        cmocka_unit_test(every_flipped_bit_is_found),
        cmocka_unit_test(chunks_that_overlap_are_refused),
        cmocka_unit_test(running_out_of_memory_is_survived),
        cmocka_unit_test(a_target_that_is_being_written_is_refused),
        cmocka_unit_test(files_that_cannot_be_opened),
        cmocka_unit_test(a_million_chunks_cost_little),
        cmocka_unit_test(opened_files_may_be_changed_by_others),
        cmocka_unit_test(mapped_files_are_opened_from_memory),
        cmocka_unit_test(large_files_are_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
