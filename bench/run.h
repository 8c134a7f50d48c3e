// SPDX-License-Identifier: MIT
// What one benchmark collected, for the code that shows it.
#ifndef LOPE_BENCH_RUN_H
#define LOPE_BENCH_RUN_H

#include "bench/bench.h"

// A title, the headings, and rows of cells with '|' between them.
typedef struct bench_rows {
    char *title;
    int count;
    char **rows;
} bench_rows;

struct bench_run {
    const char *data;      // folder with captured clips, or NULL
    const char *pictures;  // folder for pictures, or NULL
    const char *aside;     // folder with captured clips that nothing was tuned on, or NULL
    const char *strangers; // folder for strangers, or NULL
    const char *drawn;     // file with times of drawn pictures, or NULL
    const char *only;      // stages, separated by commas, or NULL: all
    const char *subjects;  // of the captures, likewise
    bool (*stopped)(void); // NULL: never
    bool full;             // repeat what is usually measured once
    uint64_t seed;         // of the first random level; 0: the usual one
    int levels;            // random ones; 0: as many as usual
    int trials, threads;   // 0: as many as usual
    int figure_count;
    bench_figure *figures;
    int note_count;
    char **notes;
    int name_count;
    char **names; // of figures
    int table_count;
    bench_rows *tables;
};

// Whether a figure keeps its promise; true where nothing is promised.
bool bench_keeps(const bench_figure *figure);
void bench_run_free(bench_run *run);
// The processor as the system calls it, into `text`; returns text.
const char *bench_processor(char *text, size_t size);

#endif
