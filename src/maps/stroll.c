// SPDX-License-Identifier: MIT
// Searching and playing at once. A step is handed to the player as late as can be: while the search goes on, only when
// nothing else waits; what was handed over stays, and a search that would take it back plans again from its end.
#include "lope/stroll.h"

#include <assert.h>
#include <limits.h>

#include "base/error.h"
#include "base/memory.h"

enum { CHUNK = 16, READY = 2 };

typedef struct stroller {
    lope_follow *follow;
    lope_player *player;
    int handed; // steps of the walk that the player has
    bool begun; // has played something
} stroller;

struct lope_strollers {
    lope_strollers_def def;
    stroller *items;
    void *players;
    float dt;
    int share; // of the work, for each that searches
};

lope_strollers_def lope_strollers_def_default(void)
{
    return (lope_strollers_def){
        .count = 1, .follow = lope_follow_def_default(), .player = lope_player_def_default(), .work = 2000};
}

static lope_status make(lope_strollers *s, const lope_maps *maps, lope_error *error)
{
    size_t size = lope_player_size(maps->steps, &s->def.player);
    s->items = lope_alloc_zero((size_t)s->def.count * sizeof *s->items);
    s->players = lope_alloc_array((size_t)s->def.count, size);
    if (!s->items || !s->players)
        return lope_fail_memory(error);
    lope_status status = LOPE_OK;
    for (int i = 0; i < s->def.count && !status; i++) {
        status = lope_follow_create(maps, &s->def.follow, &s->items[i].follow, error);
        if (!status)
            status = lope_player_init((char *)s->players + (size_t)i * size, maps->steps, &s->def.player,
                                      (lope_ground){0}, &s->items[i].player, error);
    }
    return status;
}

lope_status lope_strollers_create(const lope_maps *maps, const lope_strollers_def *def, lope_strollers **out,
                                  lope_error *error)
{
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, count, 1, 1000000), LOPE_RANGE(def, work, 1, INT_MAX));
    if (status)
        return status;
    lope_strollers *s = lope_alloc_zero(sizeof *s);
    if (!s)
        return lope_fail_memory(error);
    s->def = *def;
    status = make(s, maps, error);
    if (status)
        lope_strollers_destroy(s);
    else
        *out = s;
    return status;
}

void lope_strollers_destroy(lope_strollers *s)
{
    if (!s)
        return;
    for (int i = 0; s->items && i < s->def.count; i++)
        lope_follow_destroy(s->items[i].follow);
    lope_free(s->items);
    lope_free(s->players);
    lope_free(s);
}

int lope_strollers_count(const lope_strollers *s)
{
    return s->def.count;
}

lope_status lope_stroller_go(lope_strollers *s, int index, const lope_follow_query *query, lope_error *error)
{
    assert(index >= 0 && index < s->def.count);
    stroller *one = &s->items[index];
    if (!one->begun) {
        one->handed = 0;
        return lope_follow_start(one->follow, query, error);
    }
    if (one->handed > 1) { // of what was played, the last step is enough to go on from
        lope_follow_forget(one->follow, one->handed - 1);
        one->handed = 1;
    }
    return lope_follow_again(one->follow, query, error);
}

lope_ground lope_stroller_end(const lope_strollers *s, int index)
{
    assert(index >= 0 && index < s->def.count);
    return lope_player_last_end(s->items[index].player);
}

static bool hand_next(stroller *one)
{
    lope_walk_step step = lope_follow_step(one->follow, one->handed);
    lope_play play = {step.step, step.edge, step.turn, step.stride};
    int count = 1;
    lope_status status = one->begun ? lope_player_append(one->player, &play, &count, NULL)
                                    : lope_player_begin(one->player, &play, step.at, NULL);
    if (status)
        return false;
    one->begun = true;
    lope_follow_play(one->follow, ++one->handed);
    return true;
}

static void hand_over(stroller *one)
{
    bool searching = lope_follow_now(one->follow) == LOPE_FOLLOW_SEARCHING;
    int ready = searching ? 1 : READY;
    while (one->handed < lope_follow_count(one->follow)) {
        if (one->begun && lope_player_now_of(one->player).waiting >= ready)
            return;
        if (!hand_next(one))
            return;
    }
}

static void step_chunk(void *user, int chunk, int thread)
{
    lope_strollers *s = user;
    (void)thread;
    int end = (chunk + 1) * CHUNK < s->def.count ? (chunk + 1) * CHUNK : s->def.count;
    for (int i = chunk * CHUNK; i < end; i++) {
        stroller *one = &s->items[i];
        lope_follow_advance(one->follow, s->share);
        hand_over(one);
        lope_player_step(one->player, s->dt);
    }
}

void lope_strollers_step(lope_strollers *s, float dt, lope_jobs *jobs)
{
    int searching = 0;
    for (int i = 0; i < s->def.count; i++)
        searching += lope_follow_now(s->items[i].follow) == LOPE_FOLLOW_SEARCHING;
    s->share = searching > 0 && s->def.work / searching > 1 ? s->def.work / searching : 1;
    s->dt = dt;
    lope_jobs_run(jobs, (s->def.count + CHUNK - 1) / CHUNK, step_chunk, s);
}

int lope_stroller_ahead(const lope_strollers *s, int index)
{
    const stroller *one = &s->items[index];
    return lope_follow_count(one->follow) - one->handed + (one->begun ? lope_player_now_of(one->player).waiting : 0);
}

lope_stroller_state lope_stroller_state_of(const lope_strollers *s, int index)
{
    assert(index >= 0 && index < s->def.count);
    const stroller *one = &s->items[index];
    lope_follow_state now = lope_follow_now(one->follow);
    if (now == LOPE_FOLLOW_IDLE)
        return LOPE_STROLLER_IDLE;
    bool plays = one->begun && lope_player_state_of(one->player) == LOPE_PLAYER_WALKS;
    if (now == LOPE_FOLLOW_SEARCHING || lope_stroller_ahead(s, index) > 0 || plays)
        return LOPE_STROLLER_WALKS;
    return now == LOPE_FOLLOW_ARRIVED ? LOPE_STROLLER_ARRIVED : LOPE_STROLLER_STUCK;
}

const lope_follow *lope_stroller_search(const lope_strollers *s, int index)
{
    assert(index >= 0 && index < s->def.count);
    return s->items[index].follow;
}

lope_player *lope_stroller_player(lope_strollers *s, int index)
{
    assert(index >= 0 && index < s->def.count);
    return s->items[index].player;
}
