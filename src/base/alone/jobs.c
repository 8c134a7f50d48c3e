// SPDX-License-Identifier: MIT
// The job pool where there are no threads (WebAssembly): everything is done by the caller. Stands in for base/jobs.c.
#include "lope/jobs.h"

#include <assert.h>

#include "base/error.h"
#include "base/memory.h"

struct lope_jobs {
    int thread_count;
    lope_jobs_host host;
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

lope_status lope_jobs_borrow(const lope_jobs_host *host, lope_jobs **out, lope_error *error)
{
    *out = NULL;
    if (!host->run || host->thread_count < 1)
        return lope_fail(error, LOPE_BAD_DATA, "a host runs jobs on one thread or more");
    lope_status status = lope_jobs_create(1, out, error);
    if (!status)
        **out = (lope_jobs){host->thread_count, *host};
    return status;
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
    if (jobs && jobs->host.run && count > 1)
        jobs->host.run(jobs->host.user, count, job, user);
    else
        for (int i = 0; i < count; i++)
            job(user, i, 0);
}
