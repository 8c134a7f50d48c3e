// SPDX-License-Identifier: MIT
// `lope bench captures`: any library of clips should work by default. Takes every subject with 20 s of walking, and
// strangers made of them, and asks of each: is it read right, what builds, where do its characters get, does their
// motion stay human?
#include "bench/captures.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_WALKING 20.0 // seconds
enum { ENOUGH_NOTES = 12 };
enum { STRANGERS = 40, ALL_STRANGERS = 500 }; // libraries, of which four clips each are read: 2,000 strangers

typedef enum row_kind { SHARE, MEAN, WORST, SUM } row_kind;

static const struct row {
    const char *name, *unit;
    row_kind kind;
    double must;
    bool higher_is_better;
} rows[CAPTURES_ROWS] = {
    [CAPTURES_READ] = {"axis, unit, floor, roles read right", "%", SHARE, 100.0, true},
    [CAPTURES_F1] = {"contacts against the original, F1 of the worst foot", "", WORST, 0.97, true},
    [CAPTURES_GRADES] = {"grades within 10 % of the like original's", "%", SHARE, 100.0, true},
    [CAPTURES_BUILDS] = {"builds that fail", "", SUM, 0.0, false},
    [CAPTURES_PASSED] = {"targets passed", "%", SHARE, 99.0, true},
    [CAPTURES_STOOD] = {"targets stood at", "%", SHARE, 97.0, true},
    [CAPTURES_PURE_PASSED] = {"--pure: targets passed, of as many as the build promised", "%", SHARE, 97.0, true},
    [CAPTURES_PURE_STOOD] = {"--pure: targets stood at, of as many as the build promised", "%", SHARE, 97.0, true},
    [CAPTURES_FOLLOWED] = {"scenes followed", "%", SHARE, 98.0, true},
    [CAPTURES_TERRAINS] = {"terrains crossed", "%", SHARE, 100.0, true},
    [CAPTURES_SKATE] = {"skate", "x source", MEAN, 1.1, false},
    [CAPTURES_PLANTED] = {"planted skate", "x source", MEAN, 1.0, false},
    [CAPTURES_JERK] = {"jerk", "x source", MEAN, 1.1, false},
    [CAPTURES_JERK_HIGH] = {"99.9 % jerk", "x source", MEAN, 1.2, false},
    [CAPTURES_SPEED] = {"angular velocity above the source's 99.9 %", "%", MEAN, 0.2, false},
    [CAPTURES_SPEED_WORST] = {"worst angular velocity", "x that or half the source's worst", WORST, 2.0, false},
    [CAPTURES_TURN] = {"angular acceleration above the source's 99.9 %", "%", MEAN, 0.2, false},
    [CAPTURES_TURN_WORST] = {"worst angular acceleration", "x that or half the source's worst", WORST, 2.0, false},
    [CAPTURES_LIMBS] = {"knees and elbows beyond the source", "degrees", WORST, 1.0, false},
    [CAPTURES_BACKWARDS] = {"knees and elbows backwards", "degrees", WORST, 1.0, false},
    [CAPTURES_FLOOR] = {"joints under the floor beyond the source", "cm", WORST, 1.0, false},
    [CAPTURES_RETARGET_PLANTED] = {"retargeted between 8 rigs: planted skate, worst pair", "x source", WORST, 1.1,
                                   false},
    [CAPTURES_RETARGET_PLANTED_MEAN] = {"retargeted between 8 rigs: planted skate, mean", "x source", MEAN, 1.1, false},
    [CAPTURES_RETARGET_JERK] = {"retargeted between 8 rigs: 99.9 % jerk, worst pair", "x source", WORST, 1.2, false},
    [CAPTURES_RETARGET_JERK_MEAN] = {"retargeted between 8 rigs: 99.9 % jerk, mean", "x source", MEAN, 1.2, false},
    [CAPTURES_RETARGET_SINK] = {"retargeted between 8 rigs: feet under, worst pair", "cm", WORST, 1.0, false},
    [CAPTURES_POSING] = {"run-time retargeting, 65 joints", "us", WORST, 1.5, false},
    [CAPTURES_TRANSITIONS] = {"transitions of 150,000 poses", "s", WORST, 20.0, false},
    [CAPTURES_LARGE_BUILD] = {"mobility build of 150,000 poses", "s", WORST, 90.0, false},
    [CAPTURES_LARGE_MEMORY] = {"its memory", "MB", WORST, 1500.0, false},
};

static const char *const columns[CAPTURES_COLUMNS] = {"built-in", "tuned on", "set aside", "strangers"};

bool captures_over(captures *all, bool in_time)
{
    all->stopped = all->stopped || bench_stopped(all->run);
    return all->stopped || (in_time && bench_seconds() - all->begin > all->budget);
}

void captures_note(captures *all, const char *format, ...)
{
    char text[560];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (all->notes++ < ENOUGH_NOTES || !bench_wants(all->run, "everything"))
        bench_note(all->run, "%s", text);
}

void captures_count(captures *all, captures_row row, captures_column column, double good, double of)
{
    all->tallies[row][column].good += good;
    all->tallies[row][column].all += of;
}

static double worse_of(captures_row row, double a, double b)
{
    return rows[row].higher_is_better ? fmin(a, b) : fmax(a, b);
}

void captures_value(captures *all, captures_row row, captures_column column, double value)
{
    captures_tally *t = &all->tallies[row][column];
    t->worst = t->all > 0.0 ? worse_of(row, t->worst, value) : value;
    t->sum += value;
    t->all += 1.0;
}

void captures_add(captures *all, const captures_tally (*tallies)[CAPTURES_COLUMNS])
{
    for (int r = 0; r < CAPTURES_ROWS; r++)
        for (int c = 0; c < CAPTURES_COLUMNS; c++) {
            captures_tally *t = &all->tallies[r][c];
            const captures_tally *more = &tallies[r][c];
            if (more->all <= 0.0)
                continue;
            t->worst = t->all > 0.0 ? worse_of((captures_row)r, t->worst, more->worst) : more->worst;
            t->good += more->good;
            t->sum += more->sum;
            t->all += more->all;
        }
}

static double row_value(const captures_tally *t, row_kind kind)
{
    if (t->all <= 0.0)
        return (double)NAN;
    return kind == SHARE ? 100.0 * t->good / t->all : kind == MEAN ? t->sum / t->all : kind == SUM ? t->sum : t->worst;
}

static void report(captures *all)
{
    for (int r = 0; r < CAPTURES_ROWS; r++)
        for (int c = 0; c < CAPTURES_COLUMNS; c++) {
            double value = row_value(&all->tallies[r][c], rows[r].kind);
            if (isnan(value))
                continue;
            bool ratio = r >= CAPTURES_SKATE &&
                         r <= CAPTURES_JERK_HIGH; // the built-in clips are exact and smooth: hard to match
            double must = c == CAPTURES_BUILTIN && ratio ? 1.2 : rows[r].must;
            bench_add(all->run, (bench_figure){bench_name(all->run, "%s, %s", rows[r].name, columns[c]), value,
                                               rows[r].unit, (double)NAN, (double)NAN, must, rows[r].higher_is_better});
        }
}

// Frames at 30 per second and seconds in which the hips travel faster than 0.3 m/s, over all clips of a folder.
static bool survey(captures_library *library)
{
    lope_error error;
    char **paths;
    if (lope_find_clips(library->folder, &paths, &library->clip_count, &error))
        return false;
    for (int i = 0; i < library->clip_count; i++) {
        lope_clip *clip;
        if (lope_bvh_read(paths[i], NULL, &clip, NULL, &error))
            continue;
        int second = captures_second(clip);
        library->poses += (int)(30.0 * (double)clip->frame_count / clip->frame_rate);
        for (int f = 0; f + second < clip->frame_count; f += second) {
            double x = (double)(clip->root[f + second].x - clip->root[f].x);
            double z = (double)(clip->root[f + second].z - clip->root[f].z);
            library->walking += hypot(x, z) > 0.3 ? 1.0 : 0.0;
        }
        lope_clip_destroy(clip);
    }
    lope_paths_free(paths, library->clip_count);
    return library->walking >= LEAST_WALKING;
}

static void add_library(captures *all, captures_library library)
{
    all->libraries = realloc(all->libraries, ((size_t)all->library_count + 1) * sizeof library);
    if (!all->libraries)
        abort();
    all->libraries[all->library_count++] = library;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Subfolders of a folder, or the folder itself where it holds clips, as libraries.
static void find_libraries(captures *all, const char *folder, captures_column column)
{
    DIR *dir = folder ? opendir(folder) : NULL;
    char *names[1024];
    int count = 0;
    for (struct dirent *entry; dir && count < 1024 && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            names[count++] = strdup(entry->d_name);
    if (dir)
        closedir(dir);
    qsort((void *)names, (size_t)count, sizeof *names, by_name);
    for (int i = 0; i < count; i++) {
        captures_library library = {.column = column};
        struct stat info;
        snprintf(library.name, sizeof library.name, "%.60s", names[i]);
        snprintf(library.folder, sizeof library.folder, "%s/%s", folder, names[i]);
        bool is_folder = stat(library.folder, &info) == 0 && S_ISDIR(info.st_mode);
        if (is_folder && bench_wants_subject(all->run, names[i]) && survey(&library))
            add_library(all, library);
        free(names[i]);
    }
}

static int by_poses(const void *a, const void *b)
{
    const captures_library *x = a, *y = b;
    return x->poses != y->poses ? (x->poses > y->poses) - (x->poses < y->poses) : strcmp(x->name, y->name);
}

// Makes strangers of the libraries in turn. The first has the recipe of a library that exists.
static void add_strangers(captures *all, int wanted)
{
    all->real_count = all->library_count;
    if (!all->real_count)
        return;
    all->libraries = realloc(all->libraries, (size_t)(all->real_count + wanted) * sizeof *all->libraries);
    if (!all->libraries)
        abort();
    for (int i = 0; i < wanted; i++) {
        const captures_library *origin = &all->libraries[i % all->real_count];
        captures_library library = {.column = CAPTURES_STRANGERS, .stranger = true, .origin = origin};
        library.recipe = i ? stranger_recipe_random((uint64_t)i) : stranger_recipe_static_root();
        library.poses = origin->poses;
        snprintf(library.name, sizeof library.name, "%.40s_stranger_%d", origin->name, i);
        snprintf(library.folder, sizeof library.folder, "%.900s/stranger%03d", all->work, i);
        all->libraries[all->library_count++] = library;
    }
}

void captures_remove(const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const char *inside = captures_text("%s/%s", path, entry->d_name);
        struct stat info;
        if (lstat(inside, &info) == 0 && S_ISDIR(info.st_mode))
            captures_remove(inside);
        else
            unlink(inside);
    }
    if (dir)
        closedir(dir);
    rmdir(path);
}

// Only writes the strangers, for a look at them or for other programs.
static lope_status keep_strangers(captures *all, const char *folder, lope_error *error)
{
    char text[600];
    mkdir(folder, 0777);
    for (int i = all->real_count; i < all->library_count; i++) {
        captures_library *library = &all->libraries[i];
        snprintf(library->folder, sizeof library->folder, "%.900s/%s", folder, library->name);
        if (captures_over(all, false) || captures_write_strangers(library, 0, 0.0, NULL, error) < 0)
            return all->stopped ? LOPE_OK : error->status;
        bench_note(all->run, "%s: %.400s", library->name, stranger_recipe_text(&library->recipe, text, sizeof text));
    }
    return LOPE_OK;
}

static const char *const stages[] = {"reading", "contacts", "retarget", "large",   "builds", "targets",
                                     "pure",    "crowd",    "follow",   "terrain", "tiles"};
enum { STAGES = sizeof stages / sizeof *stages, FIRST_MOTION = 4 };

static lope_status measure(captures *all, lope_error *error)
{
    lope_status status = LOPE_OK;
    if (bench_strangers(all->run))
        return keep_strangers(all, bench_strangers(all->run), error);
    if (bench_wants(all->run, "reading"))
        status = captures_reading(all, error);
    if (!status && bench_wants(all->run, "contacts"))
        status = captures_contacts(all, error);
    if (!status && bench_wants(all->run, "retarget"))
        status = captures_retarget(all, error);
    bool large = bench_full(all->run) || !bench_wants(all->run, "everything"); // minutes: only where it was asked for
    if (!status && large && bench_wants(all->run, "large") && all->real_count)
        status = captures_large(all, error);
    bool motion = false;
    for (int i = FIRST_MOTION; i < STAGES; i++)
        motion = motion || bench_wants(all->run, stages[i]);
    bool asked = bench_wants_subject(all->run, "built-in") && !bench_wants_subject(all->run, "everybody");
    if (!status && motion && (all->library_count || asked))
        status = captures_motion(all, error);
    report(all);
    if (motion)
        bench_note(
            all->run,
            "planted skate: sources below %g cm/s count as that; cliff: stopping at its edge counts as crossing it",
            CAPTURES_VISIBLE);
    if (all->notes > ENOUGH_NOTES && bench_wants(all->run, "everything"))
        bench_note(all->run, "and %d more; --only with a stage shows them all", all->notes - ENOUGH_NOTES);
    return status;
}

static lope_status run(bench_run *run, lope_error *error)
{
    bool full = bench_full(run);
    lope_status status = bench_stages_known(run, stages, STAGES, error);
    if (status)
        return status;
    captures all = {.run = run, .begin = bench_seconds(), .budget = full ? 1e12 : 400.0};
    status = bench_folder(false, all.work, sizeof all.work, error);
    if (!status && readlink("/proc/self/exe", all.tool, sizeof all.tool - 1) < 0) {
        rmdir(all.work);
        *error = (lope_error){.status = status = LOPE_IO, .message = "the program's own file cannot be found"};
    }
    if (status)
        return status;
    find_libraries(&all, bench_data(run), CAPTURES_TUNED);
    find_libraries(&all, bench_aside(run), CAPTURES_ASIDE);
    if (all.library_count)
        qsort(all.libraries, (size_t)all.library_count, sizeof *all.libraries, by_poses);
    add_strangers(&all, full ? ALL_STRANGERS : STRANGERS);
    status = measure(&all, error);
    if (!all.library_count && bench_data(run))
        bench_note(run, "no subfolder of %s that --subjects allows has clips with %.0f s of walking", bench_data(run),
                   LEAST_WALKING);
    else if (!all.library_count)
        bench_note(run, "captured clips are not there: nothing was measured on them");
    else
        bench_note(
            run, "%d libraries with %.0f s of walking or more, %d strangers made of them; tuned on: %s; set aside: %s",
            all.real_count, LEAST_WALKING, all.library_count - all.real_count, bench_data(run),
            bench_aside(run) ? bench_aside(run) : "none (--aside)");
    captures_remove(all.work);
    captures_texts_free();
    free(all.libraries);
    if (all.stopped)
        *error = (lope_error){.status = LOPE_INTERRUPTED, .message = "interrupted: these are the figures so far"};
    return all.stopped ? LOPE_INTERRUPTED : status;
}

const bench_entry bench_captures = {"captures", "any library of clips works by default", run};
