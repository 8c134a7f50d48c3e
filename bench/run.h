// SPDX-License-Identifier: MIT
// What one benchmark collected, for whoever shows it.
#ifndef LOPE_BENCH_RUN_H
#define LOPE_BENCH_RUN_H

#include "bench/bench.h"

struct bench_run {
    const char *data;     // folder with captured clips, or NULL
    const char *pictures; // folder for pictures, or NULL
    bool full;            // repeat what is usually measured once
    int figure_count;
    bench_figure *figures;
    int note_count;
    char **notes;
};

// Whether a figure keeps its promise; true where nothing is promised.
bool bench_keeps(const bench_figure *figure);
void bench_run_free(bench_run *run);
// The processor as the system calls it, into `text`; returns text.
const char *bench_processor(char *text, size_t size);

#endif
