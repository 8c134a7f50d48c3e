// SPDX-License-Identifier: MIT
// Files are replaced safely: nothing that a name was made to lead to is touched, permissions stay, and what is said to
// be written is on the disk.
#include "base/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/support.h"

// Stands before the C library's, so that the test sees what is synced.
static int synced_files, synced_folders;
int fsync(int descriptor)
{
    struct stat about;
    if (fstat(descriptor, &about) == 0)
        *(S_ISDIR(about.st_mode) ? &synced_folders : &synced_files) += 1;
    return (int)syscall(SYS_fsync, descriptor);
}

static void expect_content(const char *path, const char *content)
{
    lope_error error;
    lope_file_data data;
    assert_ok(lope_file_read(path, 100, &data, &error));
    assert_string_equal(data.bytes, content);
    lope_file_free(&data);
}

static void an_abandoned_write_leaves_the_old_file(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("kept.txt"));
    test_write_file(path, "old", 3);
    lope_error error;
    lope_file_writer writer;
    assert_ok(lope_file_begin(&writer, path, &error));
    lope_file_write(&writer, "new", 3);
    lope_file_abort(&writer);
    expect_content(path, "old");
    assert_ok(lope_file_begin(&writer, path, &error));
    lope_file_write(&writer, "new", 3);
    assert_ok(lope_file_commit(&writer, &error));
    expect_content(path, "new");
    lope_file_data data;
    assert_int_equal(lope_file_read(path, 2, &data, &error), LOPE_BAD_DATA);
}

static void a_full_disk_is_reported_and_nothing_is_left(void **state)
{
    (void)state;
    lope_error error;
    lope_file_writer writer;
    char path[512], part[520];
    snprintf(path, sizeof path, "%s", test_path("full.txt"));
    snprintf(part, sizeof part, "%s.part", path);
    test_write_file(path, "old", 3);
    assert_ok(lope_file_begin(&writer, path, &error));
    // The device that is always full takes the place of the partial file.
    int full = open("/dev/full", O_WRONLY);
    if (full < 0)
        skip();
    assert_true(dup2(full, writer.descriptor) >= 0);
    close(full);
    for (int i = 0; i < 100; i++)
        lope_file_printf(&writer, "%01000d\n", i);
    assert_int_equal(lope_file_commit(&writer, &error), LOPE_IO);
    assert_non_null(strstr(error.message, "No space left"));
    assert_int_equal(access(part, F_OK), -1);
    expect_content(path, "old");
}

static lope_status write_text(const char *path, const char *text, lope_error *error)
{
    lope_file_writer writer;
    lope_status status = lope_file_begin(&writer, path, error);
    if (status)
        return status;
    lope_file_write(&writer, text, strlen(text));
    return lope_file_commit(&writer, error);
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    return about.st_mode & 07777;
}

typedef struct names {
    char path[512], part[520], victim[520];
} names;

static names fresh_names(const char *name)
{
    names n;
    snprintf(n.path, sizeof n.path, "%s", test_path(name));
    snprintf(n.part, sizeof n.part, "%s.part", n.path);
    snprintf(n.victim, sizeof n.victim, "%s.victim", n.path);
    test_write_file(n.victim, "precious", 8);
    assert_int_equal(chmod(n.victim, 0640), 0);
    return n;
}

static void expect_refusal(const names *n)
{
    lope_error error = {0};
    assert_int_equal(write_text(n->path, "new", &error), LOPE_IO);
    if (!strstr(error.message, ".part is a link, has another name or is no file"))
        fail_msg("%s", error.message);
    struct stat about;
    assert_int_equal(lstat(n->part, &about), 0); // is still there, to be looked into
    assert_int_equal(access(n->path, F_OK), -1);
    expect_content(n->victim, "precious");
    assert_int_equal(mode_of(n->victim), 0640);
}

static void a_partial_file_that_is_something_else_is_refused(void **state)
{
    (void)state;
    names n = fresh_names("symbolic");
    assert_int_equal(symlink(n.victim, n.part), 0);
    expect_refusal(&n);
    n = fresh_names("dangling");
    char nothing[512];
    snprintf(nothing, sizeof nothing, "%s", test_path("nothing"));
    assert_int_equal(symlink(nothing, n.part), 0);
    expect_refusal(&n);
    assert_int_equal(access(nothing, F_OK), -1);
    n = fresh_names("hard");
    assert_int_equal(link(n.victim, n.part), 0);
    expect_refusal(&n);
    n = fresh_names("pipe");
    assert_int_equal(mkfifo(n.part, 0600), 0);
    expect_refusal(&n);
    n = fresh_names("folder");
    assert_int_equal(mkdir(n.part, 0700), 0);
    expect_refusal(&n);
}

// What an interrupted writer left is gone, with its length and permissions.
static void what_was_left_is_taken_over(void **state)
{
    (void)state;
    lope_error error;
    names n = fresh_names("left");
    test_write_file(n.part, "a text that was longer", 22);
    assert_int_equal(chmod(n.part, 0400), 0);
    assert_ok(write_text(n.path, "new", &error));
    expect_content(n.path, "new");
    assert_true(mode_of(n.path) & 0200);
    assert_int_equal(access(n.part, F_OK), -1);
}

static void two_writers_are_kept_apart(void **state)
{
    (void)state;
    lope_error error;
    lope_file_writer first;
    names n = fresh_names("both");
    assert_ok(lope_file_begin(&first, n.path, &error));
    lope_file_write(&first, "first", 5);
    assert_int_equal(write_text(n.path, "second", &error), LOPE_IO);
    assert_non_null(strstr(error.message, "is being written by someone else"));
    assert_ok(lope_file_commit(&first, &error));
    expect_content(n.path, "first");
    assert_ok(write_text(n.path, "second", &error));
    expect_content(n.path, "second");
}

static void a_target_that_is_a_link_is_replaced(void **state)
{
    (void)state;
    lope_error error;
    names n = fresh_names("link");
    assert_int_equal(symlink(n.victim, n.path), 0);
    assert_ok(write_text(n.path, "new", &error));
    struct stat about;
    assert_int_equal(lstat(n.path, &about), 0);
    assert_true(S_ISREG(about.st_mode));
    expect_content(n.path, "new");
    expect_content(n.victim, "precious");
    n = fresh_names("second name"); // a file of two names loses this one
    assert_int_equal(link(n.victim, n.path), 0);
    assert_ok(write_text(n.path, "new", &error));
    expect_content(n.path, "new");
    expect_content(n.victim, "precious");
}

static void permissions_of_what_is_replaced_stay(void **state)
{
    (void)state;
    lope_error error;
    mode_t before = umask(027);
    names n = fresh_names("new");
    assert_ok(write_text(n.path, "new", &error));
    assert_int_equal(mode_of(n.path), 0640);
    const mode_t modes[] = {0600, 0664, 0400, 0777};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        lope_file_writer writer;
        assert_int_equal(chmod(n.path, modes[i]), 0);
        assert_ok(lope_file_begin(&writer, n.path, &error));
        assert_int_equal(mode_of(n.part), modes[i]); // nor can others read it while it is being written
        assert_ok(lope_file_commit(&writer, &error));
        assert_int_equal(mode_of(n.path), modes[i]);
    }
    umask(before);
}

static void files_and_their_names_are_synced(void **state)
{
    (void)state;
    lope_error error;
    synced_files = synced_folders = 0;
    names n = fresh_names("synced");
    assert_ok(write_text(n.path, "new", &error));
    assert_int_equal(synced_files, 1);
    assert_int_equal(synced_folders, 1);
    char before[512];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(test_folder()), 0);
    assert_ok(write_text("synced", "again", &error)); // here
    assert_int_equal(synced_folders, 2);
    assert_int_equal(chdir(before), 0);
    expect_content(n.path, "again");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_abandoned_write_leaves_the_old_file),
        cmocka_unit_test(a_full_disk_is_reported_and_nothing_is_left),
        cmocka_unit_test(a_partial_file_that_is_something_else_is_refused),
        cmocka_unit_test(what_was_left_is_taken_over),
        cmocka_unit_test(two_writers_are_kept_apart),
        cmocka_unit_test(a_target_that_is_a_link_is_replaced),
        cmocka_unit_test(permissions_of_what_is_replaced_stay),
        cmocka_unit_test(files_and_their_names_are_synced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
