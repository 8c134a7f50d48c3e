// SPDX-License-Identifier: MIT
// The job pool: pthreads, one mutex, two condition variables; indices are handed out by an atomic counter.
#include "lope/jobs.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

#define MAX_THREADS 256

struct lope_jobs {
    int thread_count;
    int started;         // threads that really run besides the caller
    lope_jobs_host host; // with `run`: the engine's threads work instead
    pthread_mutex_t mutex;
    pthread_cond_t work, finished;
    unsigned generation; // grows with each run; guarded by the mutex
    int active;          // workers still in the current run; guarded by the mutex
    bool quit;
    lope_job *job;
    void *user;
    int count;
    _Atomic int64_t next; // goes past `count` by up to one per thread, hence wider
    pthread_t threads[MAX_THREADS];
};

typedef struct worker_start {
    lope_jobs *jobs;
    int index;
} worker_start;

static void work_off(lope_jobs *jobs, int thread)
{
    for (;;) {
        int64_t index = atomic_fetch_add_explicit(&jobs->next, 1, memory_order_relaxed);
        if (index >= jobs->count)
            return;
        jobs->job(jobs->user, (int)index, thread);
    }
}

static void *worker(void *argument)
{
    worker_start start = *(worker_start *)argument;
    lope_free(argument);
    lope_jobs *jobs = start.jobs;
    unsigned seen = 0;
    pthread_mutex_lock(&jobs->mutex);
    for (;;) {
        while (!jobs->quit && jobs->generation == seen)
            pthread_cond_wait(&jobs->work, &jobs->mutex);
        if (jobs->quit)
            break;
        seen = jobs->generation;
        pthread_mutex_unlock(&jobs->mutex);
        work_off(jobs, start.index);
        pthread_mutex_lock(&jobs->mutex);
        if (--jobs->active == 0)
            pthread_cond_signal(&jobs->finished);
    }
    pthread_mutex_unlock(&jobs->mutex);
    return NULL;
}

static int core_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (int)cores;
}

static bool start_worker(lope_jobs *jobs)
{
    worker_start *start = lope_alloc(sizeof *start);
    if (!start)
        return false;
    *start = (worker_start){jobs, jobs->started + 1};
    if (pthread_create(&jobs->threads[jobs->started], NULL, worker, start) != 0) {
        lope_free(start);
        return false;
    }
    jobs->started++;
    return true;
}

lope_status lope_jobs_create(int thread_count, lope_jobs **out, lope_error *error)
{
    assert(thread_count >= 0);
    *out = NULL;
    lope_jobs *jobs = lope_alloc_zero(sizeof *jobs);
    if (!jobs)
        return lope_fail_memory(error);
    jobs->thread_count = thread_count == 0 ? core_count() : thread_count > MAX_THREADS ? MAX_THREADS : thread_count;
    pthread_mutex_init(&jobs->mutex, NULL);
    pthread_cond_init(&jobs->work, NULL);
    pthread_cond_init(&jobs->finished, NULL);
    while (jobs->started < jobs->thread_count - 1)
        if (!start_worker(jobs)) {
            lope_fail(error, LOPE_NO_MEMORY, "cannot start thread %d of %d", jobs->started + 2, jobs->thread_count);
            lope_jobs_destroy(jobs);
            return LOPE_NO_MEMORY;
        }
    *out = jobs;
    return LOPE_OK;
}

lope_status lope_jobs_borrow(const lope_jobs_host *host, lope_jobs **out, lope_error *error)
{
    *out = NULL;
    if (!host->run || host->thread_count < 1 || host->thread_count > MAX_THREADS)
        return lope_fail(error, LOPE_BAD_DATA, "a host runs jobs on 1 to %d threads, found %d", MAX_THREADS,
                         host->run ? host->thread_count : 0);
    lope_status status = lope_jobs_create(1, out, error);
    if (status)
        return status;
    (*out)->host = *host;
    (*out)->thread_count = host->thread_count;
    return LOPE_OK;
}

void lope_jobs_destroy(lope_jobs *jobs)
{
    if (!jobs)
        return;
    pthread_mutex_lock(&jobs->mutex);
    jobs->quit = true;
    pthread_cond_broadcast(&jobs->work);
    pthread_mutex_unlock(&jobs->mutex);
    for (int i = 0; i < jobs->started; i++)
        pthread_join(jobs->threads[i], NULL);
    pthread_cond_destroy(&jobs->finished);
    pthread_cond_destroy(&jobs->work);
    pthread_mutex_destroy(&jobs->mutex);
    lope_free(jobs);
}

int lope_jobs_thread_count(const lope_jobs *jobs)
{
    return jobs ? jobs->thread_count : 1;
}

void lope_jobs_run(lope_jobs *jobs, int count, lope_job *job, void *user)
{
    if (jobs && jobs->host.run && count > 1) {
        jobs->host.run(jobs->host.user, count, job, user);
        return;
    }
    if (!jobs || jobs->started == 0 || count <= 1) {
        for (int i = 0; i < count; i++)
            job(user, i, 0);
        return;
    }
    pthread_mutex_lock(&jobs->mutex);
    jobs->job = job;
    jobs->user = user;
    jobs->count = count;
    atomic_store_explicit(&jobs->next, 0, memory_order_relaxed);
    jobs->active = jobs->started;
    jobs->generation++;
    pthread_cond_broadcast(&jobs->work);
    pthread_mutex_unlock(&jobs->mutex);
    work_off(jobs, 0);
    pthread_mutex_lock(&jobs->mutex);
    while (jobs->active > 0)
        pthread_cond_wait(&jobs->finished, &jobs->mutex);
    pthread_mutex_unlock(&jobs->mutex);
}
