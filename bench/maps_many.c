// SPDX-License-Identifier: MIT
// Many characters that search and play, posed in every frame, each sent on as soon as it is about to arrive.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/maps.h"

enum { MANY = 2000, BOXES = 400, WARM_UP = 60, FRAMES = 300 };
#define WORK 2000 // maps asked and walks tried by all of them together in one frame
#define SIDE 80.0f
#define CLEARANCE 0.5f
#define ROOM 1.5f // metres around a goal: a walk to a wall that cannot stop there is stuck

// A search that feeds a player.
typedef struct walker {
    lope_follow *search;
    lope_player *player;
} walker;

typedef struct many {
    walker *walkers; // [MANY]
    char *players;
    int share; // of the work, for each that searches
    lope_space *space;
    lope_passages *passages;
    lope_path_finder *finder;
    lope_transform *models; // [threads * joints]
    int joints;
    uint64_t random;
    int sent, refused, stuck;
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
    const walker *one = &m->walkers[index];
    lope_ground at = lope_player_last_end(one->player);
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
        m->sent += lope_follow_go_on(one->search, &query, NULL) == LOPE_OK;
        return;
    }
    m->refused++;
}

// Those that have played all that was found go on; a character that arrives is stuck where that is no arrival.
static void send_on(many *m)
{
    for (int i = 0; i < MANY; i++) {
        const walker *one = &m->walkers[i];
        lope_follow_state state = lope_follow_now(one->search);
        bool steps = lope_follow_count(one->search) > lope_follow_played(one->search) ||
                     lope_player_now_of(one->player).waiting > 0;
        if (state == LOPE_FOLLOW_SEARCHING || steps)
            continue;
        m->stuck += state == LOPE_FOLLOW_PARTIAL && lope_player_state_of(one->player) != LOPE_PLAYER_WALKS;
        send(m, i, false);
    }
}

static void walk_one(void *user, int index, int thread)
{
    many *m = user;
    walker *one = &m->walkers[index];
    lope_follow_advance(one->search, m->share);
    lope_player_feed(one->player, one->search);
    lope_player_step(one->player, 1.0f / 30.0f);
    lope_player_pose(one->player, NULL, m->models + (size_t)thread * (size_t)m->joints);
}

static void frame(many *m, lope_jobs *jobs)
{
    int searching = 0;
    for (int i = 0; i < MANY; i++)
        searching += lope_follow_now(m->walkers[i].search) == LOPE_FOLLOW_SEARCHING;
    m->share = searching > 0 && WORK / searching > 1 ? WORK / searching : 1;
    lope_jobs_run(jobs, MANY, walk_one, m);
    send_on(m);
}

static lope_status make_walkers(many *m, const lope_maps *maps, lope_error *error)
{
    lope_follow_def follow = lope_follow_def_default();
    lope_player_def player = lope_player_def_default();
    size_t size = lope_player_size(maps->steps, &player);
    m->walkers = calloc(MANY, sizeof *m->walkers);
    m->players = aligned_alloc(16, MANY * size);
    if (!m->walkers || !m->players)
        abort();
    lope_status status = LOPE_OK;
    for (int i = 0; i < MANY && !status; i++) {
        walker *one = &m->walkers[i];
        status = lope_follow_create(maps, &follow, &one->search, error);
        if (!status)
            status = lope_player_init(m->players + (size_t)i * size, maps->steps, &player, (lope_ground){0},
                                      &one->player, error);
    }
    return status;
}

static void free_walkers(many *m)
{
    for (int i = 0; m->walkers && i < MANY; i++)
        lope_follow_destroy(m->walkers[i].search);
    free(m->walkers);
    free(m->players);
}

static lope_status prepare(many *m, const lope_maps *maps, lope_jobs *jobs, lope_error *error)
{
    m->joints = maps->steps->set->skeleton->joint_count;
    m->models = malloc((size_t)lope_jobs_thread_count(jobs) * (size_t)m->joints * sizeof *m->models);
    if (!m->models)
        abort();
    lope_status status = make_space(m, error);
    if (!status)
        status = lope_path_finder_create(&m->finder, error);
    if (!status)
        status = make_walkers(m, maps, error);
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
    free_walkers(&m);
    lope_path_finder_destroy(m.finder);
    lope_passages_destroy(m.passages);
    lope_space_destroy(m.space);
    free(m.models);
    return status;
}
