// SPDX-License-Identifier: MIT
// Many characters that search and play, posed in every frame, each sent on as soon as it is about to arrive.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/maps.h"

enum { MANY = 2000, BOXES = 400, WARM_UP = 60, FRAMES = 300 };
#define SIDE 80.0f
#define CLEARANCE 0.5f
#define ROOM 1.5f // metres around a goal: who comes to a wall without knowing how to stop is stuck

typedef struct many {
    lope_strollers *strollers;
    lope_space *space;
    lope_passages *passages;
    lope_path_finder *finder;
    lope_transform *models; // [threads * joints]
    int joints;
    uint64_t random;
    int sent, refused, arrived, stuck;
} many;

static lope_vec2 random_place(many *m)
{
    lope_vec2 place;
    place.x = SIDE * (float)bench_random(&m->random);
    place.z = SIDE * (float)bench_random(&m->random);
    return place;
}

static lope_status make_space(many *m, lope_error *error)
{
    lope_status status = lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &m->space, error);
    for (int i = 0; i < BOXES && !status; i++) {
        lope_vec2 c = random_place(m);
        float w = 0.3f + 0.9f * (float)bench_random(&m->random), d = 0.3f + 0.9f * (float)bench_random(&m->random);
        const lope_vec2 corners[4] = {{c.x - w, c.z - d}, {c.x + w, c.z - d}, {c.x + w, c.z + d}, {c.x - w, c.z + d}};
        int name;
        status = lope_space_add(m->space, corners, 4, &name, error);
    }
    if (!status)
        status = lope_passages_create(m->space, &m->passages, error);
    return status;
}

// Sends one on to a place 8 to 16 m away with room around it; where it walks already, ahead rather than back.
static void send(many *m, int index, bool first)
{
    lope_ground at = lope_stroller_end(m->strollers, index);
    for (int tries = 0; tries < 30; tries++) {
        lope_vec2 from = first ? random_place(m) : (lope_vec2){at.x, at.z};
        float spread = first || tries >= 10 ? 6.28f : 1.6f;
        float turn = at.yaw + spread * ((float)bench_random(&m->random) - 0.5f);
        float way = 8.0f + 8.0f * (float)bench_random(&m->random);
        lope_vec2 to = {from.x + way * (float)lope_sin((double)turn), from.z + way * (float)lope_cos((double)turn)};
        lope_path path;
        if (lope_space_distance(m->space, to, ROOM, NULL, NULL) < ROOM)
            continue;
        if (lope_path_find(m->finder, m->passages, from, to, CLEARANCE, &path, NULL))
            continue;
        lope_follow_query query = lope_follow_query_along(path.points, path.point_count, CLEARANCE);
        query.world = lope_follow_in_space(m->space);
        m->sent += lope_stroller_go(m->strollers, index, &query, NULL) == LOPE_OK;
        return;
    }
    m->refused++;
}

static void send_on(many *m)
{
    for (int i = 0; i < MANY; i++) {
        lope_stroller_state state = lope_stroller_state_of(m->strollers, i);
        bool searching = lope_follow_now(lope_stroller_search(m->strollers, i)) == LOPE_FOLLOW_SEARCHING;
        m->stuck += state == LOPE_STROLLER_STUCK;
        if (state == LOPE_STROLLER_STUCK || state == LOPE_STROLLER_ARRIVED ||
            (!searching && lope_stroller_ahead(m->strollers, i) == 0))
            send(m, i, false);
    }
}

static void pose_one(void *user, int index, int thread)
{
    many *m = user;
    lope_player_pose(lope_stroller_player(m->strollers, index), NULL, m->models + (size_t)thread * (size_t)m->joints);
}

static void frame(many *m, lope_jobs *jobs)
{
    lope_strollers_step(m->strollers, 1.0f / 30.0f, jobs);
    lope_jobs_run(jobs, MANY, pose_one, m);
    send_on(m);
}

static lope_status prepare(many *m, const lope_maps *maps, lope_jobs *jobs, lope_error *error)
{
    lope_strollers_def def = lope_strollers_def_default();
    def.count = MANY;
    m->joints = maps->steps->set->skeleton->joint_count;
    m->models = malloc((size_t)lope_jobs_thread_count(jobs) * (size_t)m->joints * sizeof *m->models);
    if (!m->models)
        abort();
    lope_status status = make_space(m, error);
    if (!status)
        status = lope_path_finder_create(&m->finder, error);
    if (!status)
        status = lope_strollers_create(maps, &def, &m->strollers, error);
    for (int i = 0; i < MANY && !status; i++)
        send(m, i, true);
    return status;
}

lope_status maps_many(bench_run *run, const lope_maps *maps, lope_jobs *jobs, lope_error *error)
{
    many m = {.random = 30};
    lope_status status = prepare(&m, maps, jobs, error);
    for (int i = 0; i < WARM_UP && !status; i++)
        frame(&m, jobs);
    double start = bench_seconds(), worst = 0.0;
    m.sent = m.stuck = m.refused = 0;
    for (int i = 0; i < FRAMES && !status; i++) {
        double begin = bench_seconds();
        frame(&m, jobs);
        worst = fmax(worst, bench_seconds() - begin);
    }
    double seconds = (bench_seconds() - start) / FRAMES;
    if (!status) {
        bench_add(run, (bench_figure){"characters searching and playing at 30 fps", MANY / (30.0 * seconds), "", 10.0,
                                      (double)NAN, 2000.0, true});
        bench_note(run,
                   "%d characters on %d threads: %.2f ms a frame, %.2f at most; %d sent on in %d frames, %d character-"
                   "frames stuck, %d without a path",
                   MANY, lope_jobs_thread_count(jobs), 1e3 * seconds, 1e3 * worst, m.sent, FRAMES, m.stuck, m.refused);
    }
    lope_strollers_destroy(m.strollers);
    lope_path_finder_destroy(m.finder);
    lope_passages_destroy(m.passages);
    lope_space_destroy(m.space);
    free(m.models);
    return status;
}
