// SPDX-License-Identifier: MIT
// The folder for the user's work: nothing leads out of it, nothing in it is lost.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/studio/folder.h"
#include "support/support.h"

static const char *base;
static char place[80];
static studio_problem problem;

static int make_base(void **state)
{
    (void)state;
    base = test_folder();
    snprintf(place, sizeof place, "%s/work", base);
    return 0;
}

static bool save(studio_folder *folder, const char *name, const char *text, const char *expected)
{
    studio_write writing;
    return studio_write_begin(&writing, folder, name, &problem) &&
           studio_write_add(&writing, text, strlen(text), &problem) &&
           studio_write_commit(&writing, expected, &problem);
}

static bool holds(studio_folder *folder, const char *name, const char *text)
{
    char bytes[256] = "";
    studio_file file;
    int descriptor = studio_folder_read(folder, name, &file, &problem);
    if (descriptor < 0)
        return false;
    ssize_t got = read(descriptor, bytes, sizeof bytes - 1);
    close(descriptor);
    return got == (ssize_t)strlen(text) && file.bytes == got && strcmp(bytes, text) == 0;
}

// Temporary folders that are there now.
static int rooms(void)
{
    char command[128];
    snprintf(command, sizeof command, "find %s -name '.studio-*' | wc -l", base);
    FILE *pipe = popen(command, "r");
    int count = -1;
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void test_made_when_needed(void **state)
{
    (void)state;
    studio_folder folder;
    studio_file *files;
    int count;
    assert_true(studio_folder_open(&folder, place, &problem));
    assert_int_equal(access(place, F_OK), -1);
    assert_true(studio_folder_list(&folder, &files, &count, &problem));
    assert_int_equal(count, 0);
    assert_false(holds(&folder, "a.json", ""));
    assert_int_equal(problem.status, 404);
    assert_true(save(&folder, "b.json", "{}", NULL));
    assert_true(save(&folder, "a.json", "[]", NULL));
    assert_true(studio_folder_list(&folder, &files, &count, &problem));
    assert_int_equal(count, 2);
    assert_string_equal(files[0].name, "a.json");
    assert_int_equal(files[1].bytes, 2);
    free(files);
    studio_folder_close(&folder);
    assert_false(studio_folder_open(&folder, "/no/such/place/at/all", &problem));
    assert_non_null(strstr(problem.message, "/no/such/place/at/all: cannot open the folder"));
}

static void test_versions(void **state)
{
    (void)state;
    studio_folder folder;
    studio_file first;
    assert_true(studio_folder_open(&folder, place, &problem));
    assert_true(save(&folder, "v.json", "one", NULL));
    close(studio_folder_read(&folder, "v.json", &first, &problem));
    assert_false(save(&folder, "v.json", "two", NULL));
    assert_int_equal(problem.status, 412);
    assert_true(holds(&folder, "v.json", "one"));
    assert_true(save(&folder, "v.json", "one", NULL)); // the same again is no conflict
    assert_true(save(&folder, "v.json", "two", first.etag));
    assert_true(holds(&folder, "v.json", "two"));
    assert_false(save(&folder, "v.json", "three", first.etag)); // somebody else was faster
    assert_int_equal(problem.status, 412);
    assert_true(save(&folder, "v.json", "four", "*"));
    assert_true(holds(&folder, "v.json", "four"));
    assert_false(save(&folder, "gone.json", "x", first.etag));
    assert_int_equal(rooms(), 0);
    studio_folder_close(&folder);
}

// Links and folders are neither shown, read nor replaced, and what they lead to stays as it is.
static void test_no_way_out(void **state)
{
    (void)state;
    studio_folder folder;
    studio_file *files;
    int count;
    char secret[96], link[96];
    snprintf(secret, sizeof secret, "%s/secret.json", base);
    FILE *file = fopen(secret, "w");
    fputs("secret", file);
    fclose(file);
    assert_true(studio_folder_open(&folder, place, &problem));
    snprintf(link, sizeof link, "%s/link.json", place);
    assert_int_equal(symlink(secret, link), 0);
    snprintf(link, sizeof link, "%s/dir.json", place);
    assert_int_equal(mkdir(link, 0777), 0);
    snprintf(link, sizeof link, "%s/pipe.json", place);
    assert_int_equal(mkfifo(link, 0666), 0);
    static const char *const names[] = {"link.json", "dir.json", "pipe.json"};
    for (int i = 0; i < 3; i++) {
        assert_false(holds(&folder, names[i], "secret"));
        assert_false(save(&folder, names[i], "x", NULL));
        assert_false(save(&folder, names[i], "x", "*"));
        assert_int_equal(problem.status, 409);
    }
    assert_false(holds(&folder, "../secret.json", "secret"));
    assert_true(studio_folder_list(&folder, &files, &count, &problem));
    for (int i = 0; i < count; i++)
        for (int n = 0; n < 3; n++)
            assert_string_not_equal(files[i].name, names[n]);
    free(files);
    char bytes[16] = "";
    file = fopen(secret, "r");
    assert_non_null(fgets(bytes, sizeof bytes, file));
    fclose(file);
    assert_string_equal(bytes, "secret");
    assert_int_equal(rooms(), 0);
    studio_folder_close(&folder);
}

// A writer that is killed leaves the old file; what it left behind goes away with the next start, but not what others
// are writing at that moment.
static void test_killed_writer(void **state)
{
    (void)state;
    studio_folder folder, second;
    studio_write other;
    assert_true(studio_folder_open(&folder, place, &problem));
    assert_true(save(&folder, "k.json", "old", "*"));
    pid_t child = fork();
    if (child == 0) {
        studio_write writing;
        if (studio_write_begin(&writing, &folder, "k.json", &problem))
            studio_write_add(&writing, "half of the n", 13, &problem);
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(rooms(), 1);
    assert_true(holds(&folder, "k.json", "old"));
    assert_true(studio_write_begin(&other, &folder, "o.json", &problem));
    assert_true(studio_folder_open(&second, place, &problem));
    assert_int_equal(rooms(), 1);
    assert_true(studio_write_add(&other, "{}", 2, &problem));
    assert_true(studio_write_commit(&other, NULL, &problem));
    assert_true(holds(&second, "o.json", "{}"));
    assert_int_equal(rooms(), 0);
    studio_folder_close(&second);
    studio_folder_close(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_made_when_needed), cmocka_unit_test(test_versions),
                                       cmocka_unit_test(test_no_way_out), cmocka_unit_test(test_killed_writer)};
    return cmocka_run_group_tests(tests, make_base, NULL);
}
