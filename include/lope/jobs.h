// SPDX-License-Identifier: MIT
// A small pool of threads for loops whose iterations are independent. The caller's thread works too.
#ifndef LOPE_JOBS_H
#define LOPE_JOBS_H

#include "lope/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_jobs lope_jobs;

// Starts a pool in which `thread_count` threads work, the caller's included; 0 means one per core. More than 256 are
// not started.
LOPE_API lope_status lope_jobs_create(int thread_count, lope_jobs **out, lope_error *error);
// Waits for the threads and frees. NULL is harmless.
LOPE_API void lope_jobs_destroy(lope_jobs *jobs);
// How many threads work, the caller's included; 1 for NULL.
LOPE_API int lope_jobs_thread_count(const lope_jobs *jobs);

// One iteration. `thread` is in [0, thread_count): an index for scratch memory, never for results.
typedef void lope_job(void *user, int index, int thread);

// An engine's own threads, where it has some: no others are started then.
typedef struct lope_jobs_host {
    int thread_count; // that may work at once, 1 to 256
    // Calls job(job_user, index, thread) once for each index in [0, count), from any threads, and returns when all are
    // done. Two calls at the same time have different `thread`s in [0, thread_count).
    void (*run)(void *user, int count, lope_job *job, void *job_user);
    void *user;
} lope_jobs_host;
// A pool that runs everything by the host, which must outlive it. LOPE_BAD_DATA where the count or `run` is missing.
LOPE_API lope_status lope_jobs_borrow(const lope_jobs_host *host, lope_jobs **out, lope_error *error);

// Runs job(user, 0 .. count-1) and returns when all are done. Results must depend on `index` only, which makes them
// independent of the thread count. One run at a time: not from inside a job, nor from two threads at once. `jobs` NULL:
// a plain loop.
LOPE_API void lope_jobs_run(lope_jobs *jobs, int count, lope_job *job, void *user);

#ifdef __cplusplus
}
#endif
#endif
