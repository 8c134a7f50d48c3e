// SPDX-License-Identifier: MIT
// Figure 6.4: frames per second by the number of characters, simulated alone, with poses, and drawn by the studio's
// page (what scripts/drawn measured). The thesis says 500 characters at 30 frames per second without drawing, 150 with
// it, and that time grows with their number: that gives its two lines.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/thesis.h"

#define MOST_SIZES 16
#define THESIS_ALONE (1.0 / (30.0 * 500.0)) // seconds of a character
#define THESIS_DRAWN (1.0 / (30.0 * 150.0))

// Numbers of characters, and seconds of one frame.
typedef struct scale_line {
    double people[MOST_SIZES], seconds[MOST_SIZES];
    int count;
} scale_line;

static void add(scale_line *line, double people, double seconds)
{
    if (line->count == MOST_SIZES)
        return;
    line->people[line->count] = people;
    line->seconds[line->count++] = seconds;
}

static double time_frames(thesis_bench *bench, bench_walkers *walkers, int frames)
{
    double best = (double)INFINITY;
    for (int round = 0; round < 4; round++) { // the first one warms up
        double begin = bench_seconds();
        for (int f = 0; f < frames; f++)
            bench_crowd_step(walkers, bench->jobs);
        best = round ? fmin(best, (bench_seconds() - begin) / frames) : best;
    }
    return best;
}

static void pose_all(bench_walkers *walkers, bool posed)
{
    for (int i = 0; i < lope_traffic_count(walkers->traffic); i++)
        lope_member_set_posed(walkers->world, lope_traffic_character(walkers->traffic, i), posed);
}

// One crowd, first without poses and then with them.
static lope_status measure(thesis_bench *bench, const lope_scene *plaza, int count, scale_line *alone,
                           scale_line *posed, lope_error *error)
{
    lope_scene field = bench_open_field(plaza, count < 40 ? 40 : count);
    bench_crowd_def def = {
        .map = bench->of.map, .scene = &field, .count = count, .avoidance = LOPE_AVOID_NONE, .posed = true, .seed = 1};
    bench_walkers walkers;
    lope_status status = bench_crowd_open(&def, &walkers, error);
    if (!status) {
        int people = lope_traffic_count(walkers.traffic), frames = people > 2000 ? 4 : people > 200 ? 20 : 200;
        pose_all(&walkers, false);
        add(alone, people, time_frames(bench, &walkers, frames));
        pose_all(&walkers, true);
        add(posed, people, time_frames(bench, &walkers, frames));
    }
    bench_crowd_close(&walkers);
    return status;
}

// Lines "people,seconds" below a heading.
static lope_status read_drawn(const char *path, scale_line *out, lope_error *error)
{
    FILE *file = fopen(path, "rb");
    char line[128];
    *error = (lope_error){.status = file ? LOPE_BAD_DATA : LOPE_NOT_FOUND, .line = 1};
    snprintf(error->file, sizeof error->file, "%s", path);
    if (!file) {
        snprintf(error->message, sizeof error->message, "no such file: scripts/drawn writes one");
        return LOPE_NOT_FOUND;
    }
    bool sound = fgets(line, sizeof line, file) && strncmp(line, "people,seconds", 14) == 0;
    while (sound && fgets(line, sizeof line, file)) {
        char *end;
        double people = strtod(line, &end), seconds = *end == ',' ? strtod(end + 1, &end) : 0.0;
        error->line++;
        sound = people >= 1.0 && isfinite(people) && seconds > 0.0 && isfinite(seconds) && (*end == '\n' || !*end) &&
                (out->count == 0 || people > out->people[out->count - 1]);
        if (sound)
            add(out, people, seconds);
    }
    fclose(file);
    snprintf(error->message, sizeof error->message, "expected people,seconds, rising numbers, found '%.40s'", line);
    return sound ? LOPE_OK : LOPE_BAD_DATA;
}

static void show_row(bench_run *run, double people, const double seconds[3])
{
    char cells[3][32];
    for (int k = 0; k < 3; k++)
        snprintf(cells[k], sizeof cells[k],
                 isnan(seconds[k])  ? "-"
                 : seconds[k] > 0.1 ? "%.1f"
                                    : "%.0f",
                 1.0 / seconds[k]);
    const double alone = 1.0 / (people * THESIS_ALONE), drawn = 1.0 / (people * THESIS_DRAWN);
    bench_row(run, people < 100.0 ? "%.0f|%s|%s|%s|%.0f|%.0f" : "%.0f|%s|%s|%s|%.3g|%.3g", people, cells[0], cells[1],
              cells[2], alone, drawn);
}

// Seconds of the same number of characters in another line; NAN: not there.
static double at_number(const scale_line *line, double people)
{
    for (int i = 0; i < line->count; i++)
        if (fabs(line->people[i] - people) < 0.15 * people)
            return line->seconds[i];
    return (double)NAN;
}

// How many there may be at 30 frames per second, between what was measured.
static double most_at_30(const scale_line *line)
{
    for (int i = 1; i < line->count; i++)
        if (line->seconds[i] > 1.0 / 30.0) {
            double share = log((1.0 / 30.0) / line->seconds[i - 1]) / log(line->seconds[i] / line->seconds[i - 1]);
            return share < 0.0 ? (double)NAN : line->people[i - 1] * pow(line->people[i] / line->people[i - 1], share);
        }
    return line->count ? line->people[line->count - 1] : (double)NAN;
}

static lope_status draw(bench_run *run, scale_line lines[3], lope_error *error)
{
    static const char *const names[] = {"simulated", "with poses", "drawn by the page"};
    double ends[2][2] = {{10.0, 500.0}, {10.0, 150.0}}, rates[2][2];
    lope_draw_lines_def def = {.title = "Frames per second by the number of characters",
                               .note =
                                   "Figure 6.4 of the thesis; dashed: the thesis, by its two points at 30 frames per "
                                   "second and the straight line that it found",
                               .across = "characters",
                               .up = "frames per second",
                               .first = 10.0,
                               .last = 100000.0,
                               .logarithmic = true};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < lines[k].count; i++)
            lines[k].seconds[i] = 1.0 / lines[k].seconds[i];
        if (lines[k].count > 1)
            def.lines[def.count++] = (lope_draw_line){names[k], lines[k].seconds, lines[k].count, lines[k].people};
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++)
            rates[k][i] = 1.0 / (ends[k][i] * (k ? THESIS_DRAWN : THESIS_ALONE));
        def.lines[def.count++] = (lope_draw_line){k ? "thesis, drawn" : "thesis, simulated", rates[k], 2, ends[k]};
    }
    char path[1200];
    snprintf(path, sizeof path, "%s/mobility_scale.svg", bench_pictures(run));
    return lope_draw_lines(&def, 900, false, path, error);
}

static void report(bench_run *run, const scale_line lines[3])
{
    static const char *const names[] = {"characters at 30 fps, simulated", "the same with poses",
                                        "the same, drawn by the studio's page"};
    for (int k = 0; k < 3; k++)
        if (lines[k].count > 0)
            bench_add(run, (bench_figure){.name = names[k],
                                          .value = most_at_30(&lines[k]),
                                          .unit = "characters",
                                          .paper = k == 0   ? 500.0
                                                   : k == 2 ? 150.0
                                                            : (double)NAN,
                                          .peer = (double)NAN,
                                          .must = (double)NAN,
                                          .higher_is_better = true});
    bench_table(run, "Figure 6.4: frames per second by the number of characters; the thesis' are its straight lines");
    bench_row(run, "characters|simulated|with poses|drawn|thesis, simulated|thesis, drawn");
    for (int i = 0; i < lines[0].count; i++) {
        double people = lines[0].people[i];
        show_row(run, people,
                 (double[]){lines[0].seconds[i], at_number(&lines[1], people), at_number(&lines[2], people)});
    }
}

lope_status thesis_scale(thesis_bench *bench, lope_error *error)
{
    static const int sizes[] = {10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000};
    scale_line lines[3] = {0}; // alone, posed, drawn
    lope_scene *plaza = NULL;
    lope_status status = bench_drawn(bench->run) ? read_drawn(bench_drawn(bench->run), &lines[2], error) : LOPE_OK;
    if (!status)
        status = lope_scene_builtin("plaza", &plaza, error);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !status && !bench_stopped(bench->run); i++)
        status = measure(bench, plaza, sizes[i], &lines[0], &lines[1], error);
    lope_scene_destroy(plaza);
    if (status)
        return status;
    report(bench->run, lines);
    bench_note(bench->run, "%s",
               bench_drawn(bench->run)
                   ? "drawn: the studio's page in headless Chromium, which draws in software and keeps "
                     "people off each other, as scripts/drawn measured it"
                   : "drawn: not measured; scripts/drawn FILE, then --drawn FILE");
    return bench_pictures(bench->run) ? draw(bench->run, lines, error) : LOPE_OK;
}
