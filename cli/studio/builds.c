// SPDX-License-Identifier: MIT
// Builds that pages have asked for: a table under one lock, a thread for each that runs or waits.
#include "cli/studio/builds.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/studio/child.h"

const char *const studio_state_names[] = {"waiting", "running", "done", "failed", "stopped"};

typedef struct entry {
    studio_build_status status;
    studio_build build;
    studio_builds *owner;
    bool stop;
    struct timespec begun;
    pthread_t thread;
    studio_child_result result; // of the thread that runs it
} entry;

struct studio_builds {
    studio_folder *folder;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping;
    int running, next_id, count;
    entry *entries[STUDIO_MAX_BUILDS]; // oldest first
};

static bool is_over(const entry *build)
{
    return build->status.state >= STUDIO_DONE;
}

static void note_change(entry *build)
{
    build->status.version++;
    pthread_cond_broadcast(&build->owner->changed);
}

static double seconds_since(const struct timespec *begun)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begun->tv_sec) + 1e-9 * (double)(now.tv_nsec - begun->tv_nsec);
}

static bool watch(void *user, const char *stage, double done)
{
    entry *build = user;
    studio_builds *builds = build->owner;
    pthread_mutex_lock(&builds->lock);
    bool wanted = !build->stop && !builds->stopping;
    if (stage) {
        snprintf(build->status.stage, sizeof build->status.stage, "%s", stage);
        build->status.done = done;
        note_change(build);
    }
    pthread_mutex_unlock(&builds->lock);
    return wanted;
}

static void run_tool(entry *build, studio_child_result *result)
{
    const char *words[STUDIO_MAX_ARGUMENTS];
    studio_problem problem;
    studio_build_arguments(&build->build, words);
    studio_child_def def = {.words = words, .watch = watch, .user = build};
    def.place = studio_folder_place(build->owner->folder, &problem);
    if (def.place >= 0) {
        studio_child_run(&def, result);
        return;
    }
    memset(result, 0, sizeof *result);
    snprintf(result->errors, sizeof result->errors, "%s", problem.message);
}

// Waits for a place among those that run. False where it is not wanted any more.
static bool take_place(entry *build)
{
    studio_builds *builds = build->owner;
    pthread_mutex_lock(&builds->lock);
    while (builds->running >= STUDIO_MAX_RUNNING && !build->stop && !builds->stopping)
        pthread_cond_wait(&builds->changed, &builds->lock);
    bool wanted = !build->stop && !builds->stopping;
    if (wanted) {
        builds->running++;
        clock_gettime(CLOCK_MONOTONIC, &build->begun);
    }
    build->status.state = wanted ? STUDIO_RUNNING : STUDIO_STOPPED;
    note_change(build);
    pthread_mutex_unlock(&builds->lock);
    return wanted;
}

static void *run_build(void *user)
{
    entry *build = user;
    studio_builds *builds = build->owner;
    studio_child_result *result = &build->result;
    if (!take_place(build))
        return NULL;
    run_tool(build, result);
    pthread_mutex_lock(&builds->lock);
    studio_build_status *status = &build->status;
    bool done = result->started && result->exit_code == 0;
    status->state = done ? STUDIO_DONE : result->stopped ? STUDIO_STOPPED : STUDIO_FAILED;
    status->seconds = seconds_since(&build->begun);
    if (status->state == STUDIO_FAILED)
        snprintf(status->message, sizeof status->message, "%s", studio_child_message(result));
    free(result->output);
    builds->running--;
    note_change(build);
    pthread_mutex_unlock(&builds->lock);
    return NULL;
}

studio_builds *studio_builds_create(studio_folder *folder)
{
    studio_builds *builds = calloc(1, sizeof *builds);
    if (!builds)
        return NULL;
    builds->folder = folder;
    builds->next_id = 1;
    pthread_mutex_init(&builds->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&builds->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return builds;
}

void studio_builds_stop_all(studio_builds *builds)
{
    pthread_mutex_lock(&builds->lock);
    builds->stopping = true;
    pthread_cond_broadcast(&builds->changed);
    pthread_mutex_unlock(&builds->lock);
}

void studio_builds_destroy(studio_builds *builds)
{
    if (!builds)
        return;
    studio_builds_stop_all(builds);
    for (int i = 0; i < builds->count; i++) {
        pthread_join(builds->entries[i]->thread, NULL);
        free(builds->entries[i]);
    }
    pthread_cond_destroy(&builds->changed);
    pthread_mutex_destroy(&builds->lock);
    free(builds);
}

// Forgets the oldest that is over where the table is full.
static bool make_room(studio_builds *builds)
{
    for (int i = 0; builds->count == STUDIO_MAX_BUILDS && i < builds->count; i++) {
        entry *build = builds->entries[i];
        if (!is_over(build))
            continue;
        pthread_join(build->thread, NULL); // its last act was to note that it is over
        free(build);
        builds->count--;
        memmove(builds->entries + i, builds->entries + i + 1, (size_t)(builds->count - i) * sizeof *builds->entries);
    }
    return builds->count < STUDIO_MAX_BUILDS;
}

// Call under the lock.
static bool may_start(studio_builds *builds, const studio_build *build, studio_problem *problem)
{
    int unfinished = 0;
    for (int i = 0; i < builds->count; i++) {
        const entry *other = builds->entries[i];
        unfinished += !is_over(other);
        if (!is_over(other) && strcmp(other->build.out, build->out) == 0)
            return studio_fail(problem, 409, "%s: is being built", build->out);
    }
    if (builds->stopping)
        return studio_fail(problem, 503, "the server is being stopped");
    if (unfinished >= STUDIO_MAX_UNFINISHED || !make_room(builds))
        return studio_fail(problem, 429, "%d builds are under way: wait for one of them, or stop it", unfinished);
    return true;
}

// What a build reads must lie in the folder, and what it writes must not be something else there.
static bool check_files(studio_folder *folder, const studio_build *build, studio_problem *problem)
{
    int place = studio_folder_place(folder, problem);
    struct stat about;
    if (place < 0)
        return false;
    for (int i = 0; i < build->clip_count; i++)
        if (fstatat(place, build->clips[i], &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode))
            return studio_fail(problem, 404, "%s: there is no such file in the folder", build->clips[i]);
    if (fstatat(place, build->out, &about, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(about.st_mode))
        return studio_fail(problem, 409, "%s: something that is not a file has this name", build->out);
    return true;
}

int studio_builds_start(studio_builds *builds, const studio_build *build, studio_problem *problem)
{
    if (!check_files(builds->folder, build, problem))
        return -1;
    entry *added = calloc(1, sizeof *added);
    if (!added) {
        studio_fail(problem, 500, "out of memory");
        return -1;
    }
    added->owner = builds;
    added->build = *build;
    added->status.kind = build->kind;
    memcpy(added->status.out, build->out, sizeof build->out);
    pthread_mutex_lock(&builds->lock);
    bool may = may_start(builds, build, problem);
    int id = may ? builds->next_id : -1;
    added->status.id = id;
    if (may && pthread_create(&added->thread, NULL, run_build, added) != 0) {
        may = studio_fail(problem, 503, "the system has no thread left for a build");
        id = -1;
    }
    if (may) {
        builds->next_id++;
        builds->entries[builds->count++] = added;
    } else {
        free(added);
    }
    pthread_mutex_unlock(&builds->lock);
    return id;
}

static entry *find(studio_builds *builds, int id, const char *page)
{
    for (int i = 0; i < builds->count; i++)
        if (builds->entries[i]->status.id == id && strcmp(builds->entries[i]->build.page, page) == 0)
            return builds->entries[i];
    return NULL;
}

static void copy_status(const entry *build, studio_build_status *out)
{
    *out = build->status;
    if (build->status.state == STUDIO_RUNNING)
        out->seconds = seconds_since(&build->begun);
}

bool studio_builds_status(studio_builds *builds, int id, const char *page, unsigned version, double seconds,
                          studio_build_status *out)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    pthread_mutex_lock(&builds->lock);
    entry *build;
    // Looked up again after each wait: it may have been forgotten.
    while ((build = find(builds, id, page)) && build->status.version == version && seconds > 0.0 && !builds->stopping)
        if (pthread_cond_timedwait(&builds->changed, &builds->lock, &until) != 0)
            break;
    build = find(builds, id, page);
    if (build)
        copy_status(build, out);
    pthread_mutex_unlock(&builds->lock);
    return build != NULL;
}

bool studio_builds_stop(studio_builds *builds, int id, const char *page)
{
    pthread_mutex_lock(&builds->lock);
    entry *build = find(builds, id, page);
    if (build) {
        build->stop = true;
        pthread_cond_broadcast(&builds->changed);
    }
    pthread_mutex_unlock(&builds->lock);
    return build != NULL;
}

int studio_builds_list(studio_builds *builds, const char *page, studio_build_status *out, int room)
{
    int count = 0;
    pthread_mutex_lock(&builds->lock);
    for (int i = 0; i < builds->count && count < room; i++)
        if (strcmp(builds->entries[i]->build.page, page) == 0)
            copy_status(builds->entries[i], &out[count++]);
    pthread_mutex_unlock(&builds->lock);
    return count;
}
