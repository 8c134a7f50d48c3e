// SPDX-License-Identifier: MIT
// The job pool where there are no threads (WebAssembly): everything is done by the caller. Stands in for base/jobs.c.
#include "lope/jobs.h"

#include <assert.h>

#include "base/error.h"
#include "base/memory.h"

struct lope_jobs {
    int thread_count;
};

lope_status lope_jobs_create(int thread_count, lope_jobs **out, lope_error *error)
{
    assert(thread_count >= 0);
    (void)thread_count;
    *out = lope_alloc_zero(sizeof **out);
    if (!*out)
        return lope_fail_memory(error);
    (*out)->thread_count = 1;
    return LOPE_OK;
}

void lope_jobs_destroy(lope_jobs *jobs)
{
    lope_free(jobs);
}

int lope_jobs_thread_count(const lope_jobs *jobs)
{
    return jobs ? jobs->thread_count : 1;
}

void lope_jobs_run(lope_jobs *jobs, int count, lope_job *job, void *user)
{
    (void)jobs;
    for (int i = 0; i < count; i++)
        job(user, i, 0);
}
