// SPDX-License-Identifier: MIT
// Contacts and grades of strangers. When feet stand is held against the clips that a stranger was made of, whatever the
// file has lost. Grades are held against the same clips with the same losses, written plainly (stranger_recipe_like):
// the jerk of 24 frames per second is not that of 120, and noise jerks. What the losses alone amount to is noted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/captures.h"

enum { GRADES = 6 };
static const char *const grade_names[GRADES] = {"skate",       "planted skate", "jerk",
                                                "99.9 % jerk", "own skate",     "own planted skate"};

// What a file has lost. A library counts for the first that applies.
typedef enum loss { LOSS_NOISE, LOSS_RATE, LOSS_FRAMES, LOSS_TOES, LOSS_NONE, LOSSES } loss;
static const char *const loss_names[LOSSES] = {"noise", "fewer than 30 frames a second", "lost and repeated frames",
                                               "toes left out", "none of these"};

// Sums over libraries, for the notes at the end.
typedef struct totals {
    double f1;
    int feet;
    double ratios[LOSSES][GRADES]; // of the like originals' grades to the originals'
    int libraries[LOSSES];
} totals;

// One stranger library and what it is held against, prepared as builds prepare sets: levelled, with contacts, at 30
// frames per second.
typedef struct comparison {
    const captures_library *library;
    stranger strangers[CAPTURES_CLIPS];
    int count;
    lope_set *original, *like, *strange;
} comparison;

static lope_status prepare(const char *const *paths, int count, lope_set **out, lope_error *error)
{
    lope_clip *clips[CAPTURES_CLIPS] = {0};
    lope_prepare_def def = lope_prepare_def_default();
    lope_status status = captures_read_clips(paths, count, clips, error);
    if (!status)
        status = lope_set_prepare((const lope_clip *const *)clips, count, &def, NULL, NULL, out, error);
    for (int i = 0; i < CAPTURES_CLIPS; i++)
        lope_clip_destroy(clips[i]);
    return status;
}

// Writes the clips as a recipe has them, and reads them back.
static lope_status write_and_prepare(const captures_library *library, stranger *strangers, lope_set **out,
                                     lope_error *error)
{
    captures_library written = *library;
    const char *paths[CAPTURES_CLIPS];
    int count = captures_write_strangers(&written, CAPTURES_CLIPS, CAPTURES_SECONDS, strangers, error);
    if (count < 0)
        return error->status;
    for (int i = 0; i < count; i++)
        paths[i] = captures_text("%s/%02d.bvh", written.folder, i);
    return prepare(paths, count, out, error);
}

// When a frame of the prepared stranger was in the clip, in seconds: between the frames of the file as between their
// times.
static double source_time(const stranger_truth *truth, double seconds)
{
    double at = seconds * truth->frame_rate;
    int first = (int)at < truth->frame_count - 1 ? (int)at : truth->frame_count - 2;
    if (first < 0)
        return 0.0;
    return truth->times[first] + fmin(at - first, 1.0) * (truth->times[first + 1] - truth->times[first]);
}

// Agreement of both about one foot, in the stranger's frames. Feet of rigs whose legs were not recognised never stand.
static double agreement(const comparison *c, int side)
{
    const uint16_t foot = side ? LOPE_CONTACT_RIGHT_FOOT : LOPE_CONTACT_LEFT_FOOT;
    uint8_t *tracks[2] = {NULL, NULL};
    int used = 0;
    for (int i = 0; i < c->strange->clip_count && i < c->original->clip_count; i++) {
        const lope_clip *original = c->original->clips[i], *strange = c->strange->clips[i];
        for (int k = 0; k < 2; k++) {
            tracks[k] = realloc(tracks[k], (size_t)(used + strange->frame_count));
            if (!tracks[k])
                abort();
        }
        for (int f = 0; f < strange->frame_count; f++, used++) {
            double time = source_time(&c->strangers[i].truth, (double)f / strange->frame_rate);
            int source = (int)(time * original->frame_rate + 0.5);
            source = source < original->frame_count ? source : original->frame_count - 1;
            tracks[0][used] = original->contacts && (original->contacts[source] & foot);
            tracks[1][used] = strange->contacts && (strange->contacts[f] & foot);
        }
    }
    double f1 = used ? grader_f1(tracks[0], tracks[1], used, 1) : 0.0;
    free(tracks[0]);
    free(tracks[1]);
    return f1;
}

// The independent grader's numbers, then two of the library's own, which see its soles.
static bool grade(const captures *all, const lope_set *set, double out[GRADES])
{
    const char *path = captures_text("%s/graded.bvh", all->work);
    const grader_read_def written = {0.01, 'Y'};
    lope_grade_def def = lope_grade_def_default();
    grader_sums *sums = grader_sums_create();
    double seconds = 0.0;
    bool good = true;
    memset(out, 0, GRADES * sizeof *out);
    for (int i = 0; i < set->clip_count && good; i++) {
        grader_motion motion;
        grader_body body;
        lope_grade own;
        lope_error error;
        char message[128];
        good = lope_bvh_write(set->clips[i], path, 100.0f, &error) == LOPE_OK &&
               grader_read_file(path, &written, &motion, message);
        if (!good)
            break;
        good = captures_tell_body(set->skeleton, &motion, &body) && grader_sums_add(sums, &motion, &body) &&
               lope_clip_grade(set->clips[i], &def, &own, &error) == LOPE_OK;
        grader_motion_free(&motion);
        seconds += good ? (double)own.seconds : 0.0;
        out[4] += good ? (double)(own.seconds * own.skate) : 0.0;
        out[5] += good ? (double)(own.seconds * own.planted_skate) : 0.0;
    }
    grader_grades g = grader_judge(sums, NULL);
    grader_sums_destroy(sums);
    out[0] = g.skate, out[1] = g.planted, out[2] = g.jerk, out[3] = g.jerk_high;
    out[4] /= fmax(seconds, 1e-9);
    out[5] /= fmax(seconds, 1e-9);
    return good;
}

static loss loss_of(const stranger_recipe *recipe)
{
    return recipe->noise > 0.0f                                ? LOSS_NOISE
           : recipe->frame_rate < 30.0                         ? LOSS_RATE
           : recipe->dropped > 0.0f || recipe->repeated > 0.0f ? LOSS_FRAMES
           : recipe->no_toes                                   ? LOSS_TOES
                                                               : LOSS_NONE;
}

static void compare_grades(captures *all, const comparison *c, totals *t)
{
    double original[GRADES], like[GRADES], strange[GRADES];
    char text[400];
    stranger_recipe_text(&c->library->recipe, text, sizeof text);
    if (!grade(all, c->original, original) || !grade(all, c->like, like) || !grade(all, c->strange, strange)) {
        captures_count(all, CAPTURES_GRADES, c->library->column, 0.0, GRADES);
        captures_note(all, "%s: cannot be graded", c->library->name);
        return;
    }
    loss lost = loss_of(&c->library->recipe);
    t->libraries[lost]++;
    for (int k = 0; k < GRADES; k++) {
        bool near = fabs(strange[k] - like[k]) <= 0.1 * like[k] + 0.05;
        captures_count(all, CAPTURES_GRADES, c->library->column, near ? 1.0 : 0.0, 1.0);
        t->ratios[lost][k] += like[k] / fmax(original[k], 1e-9);
        if (!near)
            captures_note(all, "%s: %s %.2f instead of %.2f. %.300s", c->library->name, grade_names[k], strange[k],
                          like[k], text);
    }
}

static void compare_feet(captures *all, const comparison *c, totals *t)
{
    char text[400];
    stranger_recipe_text(&c->library->recipe, text, sizeof text);
    for (int side = 0; side < 2; side++) {
        double f1 = agreement(c, side);
        captures_value(all, CAPTURES_F1, c->library->column, f1);
        t->f1 += f1;
        t->feet++;
        if (f1 < 0.97)
            captures_note(all, "%s: contacts of the %s foot: F1 %.3f. %.300s", c->library->name,
                          side ? "right" : "left", f1, text);
    }
}

static lope_status compare(captures *all, const captures_library *library, totals *t, lope_error *error)
{
    comparison c = {.library = library};
    const char *originals[CAPTURES_CLIPS] = {0};
    stranger plain[CAPTURES_CLIPS] = {0};
    captures_library like = *library;
    like.recipe = stranger_recipe_like(&library->recipe);
    snprintf(like.folder, sizeof like.folder, "%.1000s_like", library->folder);
    lope_error why = {0};
    c.count = captures_paths(library->origin, originals, error);
    lope_status status = c.count < 0 ? error->status : prepare(originals, c.count, &c.original, error);
    if (!status)
        status = write_and_prepare(&like, plain, &c.like, error);
    if (!status && write_and_prepare(library, c.strangers, &c.strange, &why) == LOPE_OK) {
        compare_feet(all, &c, t);
        compare_grades(all, &c, t);
    } else if (!status) { // a set that cannot be made has no contacts
        captures_note(all, "%s: %s", library->name, why.message);
        captures_value(all, CAPTURES_F1, library->column, 0.0);
    }
    lope_set_destroy(c.original);
    lope_set_destroy(c.like);
    lope_set_destroy(c.strange);
    for (int i = 0; i < CAPTURES_CLIPS; i++) {
        stranger_free(&c.strangers[i]);
        stranger_free(&plain[i]);
    }
    captures_remove(like.folder);
    return status;
}

lope_status captures_contacts(captures *all, lope_error *error)
{
    lope_status status = LOPE_OK;
    totals t = {0};
    for (int i = 0; i < all->library_count && !status && !captures_over(all, false); i++) {
        const captures_library *library = &all->libraries[i];
        if (library->stranger)
            status = captures_go_on(all, library, compare(all, library, &t, error), error);
    }
    if (t.feet)
        bench_note(all->run, "contacts of strangers: mean F1 %.4f of %d feet", t.f1 / t.feet, t.feet);
    for (int k = 0; k < LOSSES; k++) {
        const double *r = t.ratios[k], n = t.libraries[k];
        if (t.libraries[k])
            bench_note(all->run,
                       "what a file has lost, %s (%d libraries): like originals have %.2f x the skate, %.2f x the "
                       "planted skate, %.2f x the jerk and %.2f x the 99.9 %% jerk of originals",
                       loss_names[k], t.libraries[k], r[0] / n, r[1] / n, r[2] / n, r[3] / n);
    }
    return status;
}
