// SPDX-License-Identifier: MIT
// `lope follow -n N`: many characters between random places of a scene. Their walks are searched for side by side; they
// do not know of each other.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/follow.h"
#include "lope/jobs.h"

enum { MOST_TRIES = 200 };
#define SHORTEST 2.0f // metres between start and goal

typedef struct walker {
    lope_vec2 *path;
    int count;
    lope_follow *follow;
    lope_status outcome;
    lope_error error; // where that is one
    double seconds;
    lope_clip *film;
} walker;

typedef struct many {
    const follow_settings *settings;
    const lope_scene *scene;
    const follow_place *place;
    lope_follow_def def;
    walker *walkers;
    int count;
    uint64_t random;
} many;

static float random_between(uint64_t *state, float low, float high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (float)((double)(*state >> 11) * (1.0 / 9007199254740992.0));
}

static lope_vec2 random_place(many *m)
{
    lope_vec2 place;
    place.x = random_between(&m->random, m->scene->low.x, m->scene->high.x);
    place.z = random_between(&m->random, m->scene->low.z, m->scene->high.z);
    return place;
}

// A path between random places; false: the scene has none.
static bool choose_path(many *m, lope_path_finder *finder, walker *w)
{
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        lope_path path;
        lope_vec2 from = random_place(m), to = random_place(m);
        if (lope_path_find(finder, m->place->passages, from, to, m->place->clearance, &path, NULL) ||
            path.length < SHORTEST)
            continue;
        w->count = path.point_count;
        w->path = cli_alloc((size_t)path.point_count * sizeof *w->path);
        for (int i = 0; i < path.point_count; i++)
            w->path[i] = path.points[i];
        return true;
    }
    return false;
}

static void search_one(void *user, int index, int thread)
{
    (void)thread;
    const many *m = user;
    walker *w = &m->walkers[index];
    lope_follow_query query = lope_follow_query_along(w->path, w->count, m->place->clearance);
    query.world = lope_follow_in_space(m->place->space);
    double begin = cli_seconds();
    w->outcome = lope_follow_path(w->follow, &query, &w->error);
    w->seconds = cli_seconds() - begin;
}

// Every clip is known by a number.
static lope_status give_name(lope_clip **clip, int number, lope_error *error)
{
    char name[32];
    lope_clip *named;
    snprintf(name, sizeof name, "walk_%d", number);
    lope_status status = lope_clip_copy(*clip, name, 0, &named, error);
    if (status)
        return status;
    lope_clip_destroy(*clip);
    *clip = named;
    return LOPE_OK;
}

// Searches, and makes clips of what was found where clips are wanted.
static lope_status search_all(many *m, lope_error *error)
{
    lope_jobs *jobs;
    lope_path_finder *finder = NULL;
    lope_status status = lope_jobs_create(m->settings->threads, &jobs, error);
    if (!status)
        status = lope_path_finder_create(&finder, error);
    for (int i = 0; i < m->count && !status; i++) {
        if (!choose_path(m, finder, &m->walkers[i])) {
            *error = (lope_error){LOPE_NOT_FOUND, .message = "found no two places with a path between them"};
            status = LOPE_NOT_FOUND;
        } else {
            status = lope_follow_create(m->place->maps, &m->def, &m->walkers[i].follow, error);
        }
    }
    if (!status)
        lope_jobs_run(jobs, m->count, search_one, m);
    for (int i = 0; i < m->count && !status; i++) {
        walker *w = &m->walkers[i];
        if (w->outcome > LOPE_PARTIAL) {
            status = w->outcome;
            *error = w->error;
        } else if (lope_follow_count(w->follow) > 0) {
            status = follow_film(w->follow, m->place->maps->steps, m->settings->fps, &w->film, error);
        }
        if (!status && w->film)
            status = give_name(&w->film, i + 1, error);
    }
    lope_path_finder_destroy(finder);
    lope_jobs_destroy(jobs);
    return status;
}

static lope_status draw_all(const many *m, const char *path, lope_error *error)
{
    lope_drawn_path *lines = cli_alloc((size_t)m->count * sizeof *lines);
    lope_vec2 **points = cli_alloc((size_t)m->count * sizeof *points);
    int count = 0;
    for (int i = 0; i < m->count; i++) {
        const lope_clip *film = m->walkers[i].film;
        if (!film)
            continue;
        points[count] = cli_alloc((size_t)film->frame_count * sizeof **points);
        for (int f = 0; f < film->frame_count; f++)
            points[count][f] = (lope_vec2){film->root[f].x, film->root[f].z};
        lines[count] = (lope_drawn_path){points[count], film->frame_count};
        count++;
    }
    lope_status status = lope_draw_paths(m->scene, lines, count, 640, m->settings->dark, path, error);
    for (int i = 0; i < count; i++)
        free(points[i]);
    free((void *)points);
    free(lines);
    return status;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const many *m = user;
    if (output->format == CLI_FORMAT_SVG)
        return draw_all(m, output->path, error);
    lope_clip **films = cli_alloc((size_t)m->count * sizeof *films);
    int count = 0;
    for (int i = 0; i < m->count; i++)
        if (m->walkers[i].film)
            films[count++] = m->walkers[i].film;
    lope_status status = cli_write_clips(output, films, count, error);
    free((void *)films);
    return status;
}

// Returns how many arrived.
static int report(const many *m)
{
    int arrived = 0;
    double metres = 0.0, seconds = 0.0, longest = 0.0;
    for (int i = 0; i < m->count; i++) {
        const walker *w = &m->walkers[i];
        arrived += w->outcome == LOPE_OK;
        metres += (double)lope_follow_about(w->follow).length;
        seconds += w->seconds;
        longest = fmax(longest, w->seconds);
    }
    if (m->settings->json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '{');
        cli_json_outputs(&json, &m->settings->outputs);
        cli_json_number(&json, "characters", m->count);
        cli_json_number(&json, "arrived", arrived);
        cli_json_number(&json, "metres", metres);
        cli_json_number(&json, "microseconds", 1e6 * seconds / m->count);
        cli_json_number(&json, "longest_microseconds", 1e6 * longest);
        cli_json_close(&json, '}');
    } else {
        cli_print_outputs(&m->settings->outputs);
        printf(": %d of %d arrive, %.1f m in all; a search took %.0f microseconds, the longest %.0f\n", arrived,
               m->count, metres, 1e6 * seconds / m->count, 1e6 * longest);
    }
    return arrived;
}

int follow_many(const cli_command *command, const follow_settings *settings, const lope_scene *scene,
                const follow_place *place)
{
    lope_error error = {0};
    many m = {.settings = settings,
              .scene = scene,
              .place = place,
              .def = follow_definition(settings),
              .count = settings->many,
              .random = settings->seed};
    for (int i = 0; i < settings->outputs.count; i++)
        if (settings->outputs.items[i].format == CLI_FORMAT_BVH && m.count > 1)
            return cli_usage(command, "a BVH file holds one motion; those of many go into OUT.glb");
    m.walkers = cli_alloc((size_t)m.count * sizeof *m.walkers);
    for (int i = 0; i < m.count; i++)
        m.walkers[i] = (walker){.path = NULL};
    lope_status status = search_all(&m, &error);
    int code = status ? cli_fail(command, &error) : cli_write_outputs(command, &settings->outputs, write_one, &m);
    if (!code && report(&m) < m.count) {
        fprintf(stderr, "lope %s: partial: some walks do not reach their goal; they end where they got to\n",
                command->name);
        code = CLI_FAILED;
    }
    for (int i = 0; i < m.count; i++) {
        free(m.walkers[i].path);
        lope_follow_destroy(m.walkers[i].follow);
        lope_clip_destroy(m.walkers[i].film);
    }
    free(m.walkers);
    return code;
}
