// SPDX-License-Identifier: MIT
// lope-grader --told TOLD.json MOTION.bvh [--with MOTION.bvh...] [--told TOLD.json SOURCE.bvh...]
//
// Grades a motion, and holds it against the clips it was made of; more motions of the same making are graded with it.
// TOLD.json says which joint is which ("roles"), and optionally "metres_per_unit", "up" and "floor", as `lope info
// --json` prints it and as stands beside strangers; it holds for the files behind it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grader/grader.h"

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    if (file && text)
        text[fread(text, 1, (1 << 22) - 1, file)] = 0;
    if (!file)
        fprintf(stderr, "lope-grader: %s: cannot be read\n", path);
    if (file)
        fclose(file);
    return text;
}

// Behind "key":, or NULL.
static const char *value_of(const char *text, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(text, quoted);
    return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : NULL;
}

// The next text in quotes; returns what is behind it, or NULL.
static const char *quoted(const char *at, char out[64])
{
    const char *begin = strchr(at, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;
    if (!end)
        return NULL;
    snprintf(out, 64, "%.*s", (int)(end - begin - 1), begin + 1);
    return end + 1;
}

static grader_read_def told_units(const char *told)
{
    grader_read_def def = {0.01, 'Y'};
    const char *unit = value_of(told, "metres_per_unit"), *up = value_of(told, "up");
    if (unit)
        def.metres_per_unit = strtod(unit, NULL);
    if (up && *up == '"')
        def.up = up[1];
    return def;
}

static grader_body told_body(const char *told, const grader_motion *motion)
{
    grader_body body = grader_body_none();
    const char *at = value_of(told, "roles"), *end = at ? strchr(at, '}') : NULL;
    const char *floor = value_of(told, "floor");
    char role[64], joint[64];
    while (at && (at = quoted(at, role)) && at < end && (at = quoted(at, joint)))
        grader_body_set(&body, role, grader_find_joint(motion, joint));
    body.floor = floor ? strtod(floor, NULL) : 0.0;
    return body;
}

// Adds a file at `rate` (0: its own) to `sums`. Returns its rate, or 0 where it cannot be graded.
static double add_file(grader_sums *sums, const char *path, const char *told, double rate)
{
    grader_read_def def = told_units(told);
    grader_motion motion, even = {0};
    char message[128];
    if (!grader_read_file(path, &def, &motion, message)) {
        fprintf(stderr, "lope-grader: %s: %s\n", path, message);
        return 0.0;
    }
    grader_body body = told_body(told, &motion);
    rate = rate > 0.0 ? rate : motion.rate;
    bool good = grader_resample(&motion, rate, &even) && grader_sums_add(sums, &even, &body);
    if (!good)
        fprintf(stderr, "lope-grader: %s: hips or ankles are not told, or the rig is another one\n", path);
    grader_motion_free(&motion);
    grader_motion_free(&even);
    return good ? rate : 0.0;
}

static void print_excess(const char *name, const grader_excess *e)
{
    printf(", \"%s_share\": %.6f, \"%s_worst\": %.3f, \"%s_plain\": %.3f, \"%s_source\": %.3f, \"%s_joint\": \"%s\", "
           "\"%s_file\": %d, \"%s_seconds\": %.3f",
           name, e->share, name, e->worst, name, e->plain, name, e->source, name, e->joint, name, e->place.motion, name,
           e->place.seconds);
}

static void print(const char *name, const grader_grades *g)
{
    printf("%s\"%s\": {\"seconds\": %.3f, \"moving\": %.3f, \"skate\": %.3f, \"planted\": %.3f, \"jerk\": %.2f, "
           "\"jerk_high\": %.2f",
           "  ", name, g->seconds, g->moving, g->skate, g->planted, g->jerk, g->jerk_high);
    print_excess("speed", &g->speed);
    print_excess("turn", &g->turn);
    printf(", \"knee_beyond\": %.2f, \"elbow_beyond\": %.2f, \"beyond_file\": %d, \"beyond_seconds\": %.3f, "
           "\"backwards\": %.2f, \"under_floor\": %.4f, \"sink\": %.4f}",
           g->knee_beyond, g->elbow_beyond, g->limb_place.motion, g->limb_place.seconds, g->backwards, g->under_floor,
           g->sink);
}

// What the command line asked for.
typedef struct task {
    grader_sums *motion, *source; // motion: NULL until there is one
    char *told;                   // text of the last --told
    double rate;                  // frames per second of the motion
    bool sources, with;           // files of a source were added; the next file belongs to the motion, too
} task;

// Takes the word at `at`, and the one behind it where it needs one. Returns where to go on, 0 where it makes no sense.
static int take_word(task *t, int count, char **words, int at)
{
    if (strcmp(words[at], "--told") == 0 && at + 1 < count) {
        free(t->told);
        t->told = read_text(words[at + 1]);
        return at + 2;
    }
    if (strcmp(words[at], "--with") == 0 && at + 1 < count) {
        t->with = true;
        return at + 1;
    }
    if (!t->told || words[at][0] == '-')
        return 0;
    if (t->motion && !t->with) {
        t->sources = true;
        return add_file(t->source, words[at], t->told, t->rate) > 0.0 ? at + 1 : 0;
    }
    t->motion = t->motion ? t->motion : grader_sums_create();
    t->rate = add_file(t->motion, words[at], t->told, t->rate);
    t->with = false;
    return t->rate > 0.0 ? at + 1 : 0;
}

static void print_grades(const task *t)
{
    grader_grades grades = grader_judge(t->motion, t->sources ? t->source : NULL);
    grader_grades own = grader_reference(t->source, t->motion);
    printf("{\n");
    print("motion", &grades);
    printf(t->sources ? ",\n" : "\n");
    if (t->sources)
        print("source", &own);
    printf(t->sources ? "\n}\n" : "}\n");
}

int main(int count, char **words)
{
    task t = {.source = grader_sums_create()};
    int at = 1;
    while (at > 0 && at < count)
        at = take_word(&t, count, words, at);
    bool done = at > 0 && t.motion;
    if (done)
        print_grades(&t);
    else if (count < 2 || !t.told)
        fprintf(
            stderr,
            "usage: lope-grader --told TOLD.json MOTION.bvh [--with MOTION.bvh...] [--told TOLD.json SOURCE.bvh...]\n");
    free(t.told);
    grader_sums_destroy(t.motion);
    grader_sums_destroy(t.source);
    return done ? 0 : 1;
}
