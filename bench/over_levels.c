// SPDX-License-Identifier: MIT
#include "bench/over_levels.h"

#include "generators/level_random.h"
#include "lope/level_file.h"

static lope_status measure_builtin(const bench_over *over, const char *name, lope_error *error)
{
    lope_level_file *file;
    lope_status status = lope_level_open(name, NULL, &file, error);
    if (status)
        return status;
    status = over->measure(over->user, file->level, name, error);
    lope_level_file_destroy(file);
    return status;
}

static lope_status measure_random(const bench_over *over, uint64_t seed, lope_error *error)
{
    const level_random_def def = level_random_def_default(seed);
    level_random made;
    lope_status status = level_random_create(&def, &made, error);
    if (status)
        return status;
    const char *name = bench_name(over->run, "random %llu", (unsigned long long)seed);
    status = over->measure(over->user, made.level, name, error);
    level_random_destroy(&made);
    return status;
}

lope_status bench_over_levels(const bench_over *over, lope_error *error)
{
    static const char *const names[] = {"yard", "house", "ruin"};
    lope_status status = LOPE_OK;
    for (int i = 0; i < 3 && over->builtin && !status; i++)
        status = measure_builtin(over, names[i], error);
    for (int i = 0; i < over->count && !status && !bench_stopped(over->run); i++)
        status = measure_random(over, over->first + (uint64_t)i, error);
    return status;
}
