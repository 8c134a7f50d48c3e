// SPDX-License-Identifier: MIT
// Reading and writing clips: megabytes of the file per second on one core. Files are read from the system's cache and
// written to memory where there is such a folder: what is measured is this library, not a disk.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/bench.h"

#define MAX_FILES 4096
#define MAX_SET_CLIPS 64

typedef struct io_bench {
    char folder[512]; // scratch, removed at the end
    char *files[MAX_FILES];
    int file_count, current;
    double bytes;                    // of all files
    lope_clip *clips[MAX_SET_CLIPS]; // of one skeleton and rate
    int clip_count;
    lope_set *set; // owns the clips once it exists
    char target[576];
    lope_error *error;
    lope_status status; // of the first failure inside a measured body
} io_bench;

static double file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (double)info.st_size : 0.0;
}

static void add_file(io_bench *bench, const char *path)
{
    char *copy = bench->file_count < MAX_FILES ? malloc(strlen(path) + 1) : NULL;
    if (!copy)
        return;
    strcpy(copy, path);
    bench->files[bench->file_count++] = copy;
    bench->bytes += file_size(path);
}

// All BVH files below a folder, in order of their names.
static lope_status find_files(io_bench *bench, const char *folder, lope_error *error)
{
    char **paths;
    int count;
    lope_status status = lope_find_clips(folder, &paths, &count, error);
    for (int i = 0; !status && i < count; i++) {
        const char *ending = strrchr(paths[i], '.');
        if (ending && strcmp(ending, ".bvh") == 0)
            add_file(bench, paths[i]);
    }
    lope_paths_free(paths, count);
    return status;
}

// The built-in set as BVH files, for where there is no capture.
static lope_status write_built_in(io_bench *bench, lope_error *error)
{
    lope_synth_def def = lope_synth_def_default();
    lope_set *set;
    lope_status status = lope_synth_set(&def, &set, error);
    for (int i = 0; !status && i < set->clip_count; i++) {
        char path[576];
        snprintf(path, sizeof path, "%s/%d.bvh", bench->folder, i);
        status = lope_bvh_write(set->clips[i], path, 100.0f, error);
        if (!status)
            add_file(bench, path);
    }
    lope_set_destroy(set);
    return status;
}

// Clips of the first file's skeleton and rate: what GLB and .lope files hold.
static lope_status load_clips(io_bench *bench, lope_error *error)
{
    for (int i = 0; i < bench->file_count && bench->clip_count < MAX_SET_CLIPS; i++) {
        lope_clip *clip;
        lope_status status = lope_bvh_read(bench->files[i], NULL, &clip, NULL, error);
        if (status)
            return status;
        const lope_clip *first = bench->clip_count ? bench->clips[0] : clip;
        if (lope_skeleton_equal(first->skeleton, clip->skeleton, 1e-4f) && first->frame_rate == clip->frame_rate)
            bench->clips[bench->clip_count++] = clip;
        else
            lope_clip_destroy(clip);
    }
    return LOPE_OK;
}

static void remember(io_bench *bench, lope_status status)
{
    bench->status = bench->status ? bench->status : status;
}

static void read_file(void *user)
{
    io_bench *bench = user;
    lope_clip *clip;
    remember(bench, lope_bvh_read(bench->files[bench->current], NULL, &clip, NULL, bench->error));
    bench_keep(clip);
    lope_clip_destroy(clip);
}

// The best time of each file, summed: short pieces, so that a busy machine disturbs fewer of them.
static void measure_reading(bench_run *run, io_bench *bench)
{
    double seconds = 0.0, budget = 2.0 / (double)bench->file_count;
    for (bench->current = 0; bench->current < bench->file_count && !bench->status; bench->current++)
        seconds += bench_best(read_file, bench, budget);
    if (!bench->status)
        bench_add(run, (bench_figure){.name = "BVH reading, one core",
                                      .value = bench->bytes / 1e6 / seconds,
                                      .unit = "MB/s",
                                      .paper = (double)NAN,
                                      .peer = 98.0,
                                      .must = 300.0,
                                      .higher_is_better = true});
}

static void write_bvh(void *user)
{
    io_bench *bench = user;
    remember(bench, lope_bvh_write(bench->clips[0], bench->target, 100.0f, bench->error));
}

static void write_glb(void *user)
{
    io_bench *bench = user;
    remember(bench,
             lope_glb_write((const lope_clip *const *)bench->clips, bench->clip_count, bench->target, bench->error));
}

static void save_set(void *user)
{
    io_bench *bench = user;
    remember(bench, lope_set_save(bench->set, bench->target, bench->error));
}

static void open_set(void *user)
{
    io_bench *bench = user;
    lope_set *set;
    remember(bench, lope_set_open(bench->target, &set, bench->error));
    bench_keep(set);
    lope_set_destroy(set);
}

// Measures `body`, which reads or writes the target, and reports it.
static void measure(bench_run *run, io_bench *bench, void (*body)(void *user), const char *name, double must)
{
    if (bench->status)
        return;
    double seconds = bench_best(body, bench, 0.5);
    if (!bench->status)
        bench_add(run, (bench_figure){.name = name,
                                      .value = file_size(bench->target) / 1e6 / seconds,
                                      .unit = "MB/s",
                                      .paper = (double)NAN,
                                      .peer = (double)NAN,
                                      .must = must,
                                      .higher_is_better = true});
}

static void measure_all(bench_run *run, io_bench *bench)
{
    const double nothing = (double)NAN;
    measure_reading(run, bench);
    measure(run, bench, write_bvh, "BVH writing, one core", 100.0);
    measure(run, bench, write_glb, "GLB writing, one core", nothing);
    measure(run, bench, save_set, ".lope writing, one core", nothing);
    measure(run, bench, open_set, ".lope opening, one core", nothing);
}

static lope_status prepare(bench_run *run, io_bench *bench, lope_error *error)
{
    lope_status status = bench_folder(true, bench->folder, sizeof bench->folder, error);
    snprintf(bench->target, sizeof bench->target, "%s/target", bench->folder);
    if (!status && bench_data(run))
        status = find_files(bench, bench_data(run), error);
    if (!status && bench->file_count == 0) // no capture at all, or none in BVH
        status = write_built_in(bench, error);
    if (!status)
        status = load_clips(bench, error);
    if (!status)
        status = lope_set_create(bench->clips, bench->clip_count, &bench->set, error);
    return status;
}

static void clean_up(io_bench *bench)
{
    for (int i = 0; i < bench->clip_count && !bench->set; i++)
        lope_clip_destroy(bench->clips[i]);
    lope_set_destroy(bench->set);
    for (int i = 0; i < bench->file_count; i++) {
        if (bench->folder[0] && strncmp(bench->files[i], bench->folder, strlen(bench->folder)) == 0)
            unlink(bench->files[i]);
        free(bench->files[i]);
    }
    if (bench->folder[0]) {
        unlink(bench->target);
        rmdir(bench->folder);
    }
    free(bench);
}

static lope_status run_io(bench_run *run, lope_error *error)
{
    io_bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return LOPE_NO_MEMORY;
    bench->error = error;
    bench->status = prepare(run, bench, error);
    measure_all(run, bench);
    bench_note(run, "BVH reading: %d %s files, %.1f MB; GLB and .lope: %d clips of one skeleton", bench->file_count,
               bench_data(run) ? "captured" : "built-in (no capture found)", bench->bytes / 1e6, bench->clip_count);
    lope_status status = bench->status;
    clean_up(bench);
    return status;
}

const bench_entry bench_io = {"io", "reading and writing clips: BVH, GLB and .lope", run_io};
