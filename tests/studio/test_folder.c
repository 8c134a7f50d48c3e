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
    char path[96];
    struct stat about;
    snprintf(path, sizeof path, "%s/v.json", place);
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(save(&folder, "v.json", "four", "*"));
    assert_true(holds(&folder, "v.json", "four"));
    assert_true(stat(path, &about) == 0 && (about.st_mode & 0777) == 0600); // what was private stays so
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

// A writer that is killed leaves the old file; what it left behind goes away with the next start.
static void test_killed_writer(void **state)
{
    (void)state;
    studio_folder folder;
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
    studio_folder_close(&folder);
    assert_true(studio_folder_open(&folder, place, &problem));
    assert_int_equal(rooms(), 0);
    assert_true(holds(&folder, "k.json", "old"));
    studio_folder_close(&folder);
}

static void claim_path(char path[128])
{
    snprintf(path, 128, "%s/.lope-studio.lock", place);
}

// One server at a time; the next is told which server has the folder. A server that is killed keeps nobody out.
static void test_one_server(void **state)
{
    (void)state;
    studio_folder folder, second;
    char expected[160], path[128];
    claim_path(path);
    assert_true(studio_folder_open(&folder, place, &problem));
    studio_folder_sign(&folder, "http://127.0.0.1:4711/");
    assert_false(studio_folder_open(&second, place, &problem));
    snprintf(expected, sizeof expected, "%s: is used by another lope studio, pid %ld, at http://127.0.0.1:4711/", place,
             (long)getpid());
    assert_int_equal(problem.status, 409);
    assert_string_equal(problem.message, expected);
    studio_folder_close(&folder);
    assert_int_equal(access(path, F_OK), -1);
    pid_t child = fork();
    if (child == 0) {
        if (studio_folder_open(&folder, place, &problem))
            raise(SIGKILL);
        _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(access(path, F_OK), 0);
    assert_true(studio_folder_open(&second, place, &problem));
    studio_folder_close(&second);
}

// A server whose lock the user has removed leaves the lock of the next one alone.
static void test_removed_lock(void **state)
{
    (void)state;
    studio_folder first, second, third;
    char path[128];
    claim_path(path);
    assert_true(studio_folder_open(&first, place, &problem));
    assert_int_equal(unlink(path), 0);
    assert_true(studio_folder_open(&second, place, &problem));
    studio_folder_close(&first);
    assert_int_equal(access(path, F_OK), 0);
    assert_false(studio_folder_open(&third, place, &problem));
    assert_int_equal(problem.status, 409);
    studio_folder_close(&second);
}

// Two servers that start before there is a folder: the one that makes it has it.
static void test_made_by_another(void **state)
{
    (void)state;
    char path[96];
    snprintf(path, sizeof path, "%s/later", base);
    studio_folder first, second;
    studio_file *files;
    int count;
    assert_true(studio_folder_open(&first, path, &problem));
    assert_true(studio_folder_open(&second, path, &problem));
    assert_true(save(&first, "a.json", "first", NULL));
    assert_false(save(&second, "b.json", "second", NULL));
    assert_int_equal(problem.status, 409);
    assert_false(studio_folder_list(&second, &files, &count, &problem));
    assert_false(holds(&second, "a.json", "first"));
    assert_int_equal(problem.status, 409);
    studio_folder_close(&first);
    assert_true(save(&second, "b.json", "second", NULL));
    studio_folder_close(&second);
}

// The lock is a plain file: whatever else has its name is neither followed nor changed.
static void test_hostile_claim(void **state)
{
    (void)state;
    studio_folder folder;
    char victim[96], path[128];
    struct stat about;
    snprintf(victim, sizeof victim, "%s/victim", base);
    claim_path(path);
    FILE *file = fopen(victim, "w");
    fputs("precious", file);
    fclose(file);
    int (*const ways[])(const char *, const char *) = {symlink, link};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ways[i](victim, path), 0);
        assert_false(studio_folder_open(&folder, place, &problem));
        assert_non_null(strstr(problem.message, "cannot lock the folder: .lope-studio.lock"));
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_false(studio_folder_open(&folder, place, &problem));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(stat(victim, &about), 0);
    assert_int_equal(about.st_size, 8);
}

enum { WRITERS = 8, ROUNDS = 20 };
typedef struct writer {
    studio_folder *folder;
    const char *expected;
    int number;
    bool saved;
} writer;

static void *write_once(void *user)
{
    writer *self = user;
    char text[24];
    studio_problem mine;
    studio_write writing;
    snprintf(text, sizeof text, "writer %d", self->number);
    self->saved = studio_write_begin(&writing, self->folder, "race.json", &mine) &&
                  studio_write_add(&writing, text, strlen(text), &mine) &&
                  studio_write_commit(&writing, self->expected, &mine);
    return NULL;
}

// Many pages that read the same version save at once: one wins, the others are told, nothing is lost unnoticed.
static void test_races(void **state)
{
    (void)state;
    studio_folder folder;
    assert_true(studio_folder_open(&folder, place, &problem));
    for (int round = 0; round < ROUNDS; round++) {
        assert_true(save(&folder, "race.json", "start", "*"));
        studio_file seen;
        close(studio_folder_read(&folder, "race.json", &seen, &problem));
        writer writers[WRITERS];
        pthread_t threads[WRITERS];
        for (int i = 0; i < WRITERS; i++) {
            writers[i] = (writer){&folder, seen.etag, i, false};
            assert_int_equal(pthread_create(&threads[i], NULL, write_once, &writers[i]), 0);
        }
        int winners = 0, last = -1;
        for (int i = 0; i < WRITERS; i++) {
            pthread_join(threads[i], NULL);
            winners += writers[i].saved;
            last = writers[i].saved ? i : last;
        }
        char text[24];
        snprintf(text, sizeof text, "writer %d", last);
        assert_int_equal(winners, 1);
        assert_true(holds(&folder, "race.json", text));
    }
    studio_folder_close(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_made_when_needed),
                                       cmocka_unit_test(test_versions),
                                       cmocka_unit_test(test_no_way_out),
                                       cmocka_unit_test(test_killed_writer),
                                       cmocka_unit_test(test_one_server),
                                       cmocka_unit_test(test_made_by_another),
                                       cmocka_unit_test(test_removed_lock),
                                       cmocka_unit_test(test_hostile_claim),
                                       cmocka_unit_test(test_races)};
    return cmocka_run_group_tests(tests, make_base, NULL);
}
