// SPDX-License-Identifier: MIT
// The timeline of a player: steps that wait in a ring, laid into the world one after the other, and the cuts between.
#include "maps/player.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

// Longer steps of time are cut to this: a debugger's pause must not cost a minute of catching up.
#define LONGEST_STEP 10.0f
#define MOST_CAPACITY 65536
// Bends and stretches that are still small.
#define MOST_TURN 0.5f
#define MOST_STRIDE 0.5f
// Where nothing follows a step in the middle of walking, playing slows down over its last frames by so much per frame.
#define BRAKE (1.0f / 12.0f)

lope_player_def lope_player_def_default(void)
{
    lope_player_def def = {
        .capacity = 32, .fade_duration = 0.1f, .stand_fade = 0.25f, .lock_feet = true, .lock = lope_lock_def_default()};
    // As for walkers on mobility maps: transitions ask more of the legs, and less lowering shows less.
    def.lock.halflife = 0.12f;
    def.lock.lowering = 0.045f;
    // Legs give way before they are straight: a straight knee that lets go snaps.
    def.lock.softness = 0.03f;
    return def;
}

// The chord of a bent step is turned by half of the turn.
static lope_ground bent_move(const lope_step *step, float turn, float stride)
{
    lope_ground chord = {step->move.x * (1.0f + stride), step->move.z * (1.0f + stride), 0.0f};
    lope_ground bent = lope_ground_mul((lope_ground){0.0f, 0.0f, 0.5f * turn}, chord);
    bent.yaw = lope_wrap_angle(step->move.yaw + turn);
    return bent;
}

lope_ground lope_step_end(const lope_steps *steps, const lope_play *play, lope_ground at)
{
    const lope_step *step = &steps->steps[play->step];
    if (play->turn == 0.0f && play->stride == 0.0f)
        return lope_ground_mul(at, step->move);
    return lope_ground_mul(at, bent_move(step, play->turn, play->stride));
}

lope_ground lope_step_next(const lope_steps *steps, int32_t edge, lope_ground end)
{
    return lope_ground_mul(end, steps->edges[edge].join);
}

play_line play_line_make(const lope_steps *graph, lope_play play, lope_ground at)
{
    const lope_step *step = &graph->steps[play.step];
    lope_ground in_clip = lope_clip_ground(graph->set->clips[step->clip], step->first);
    return (play_line){.play = play,
                       .at = at,
                       .end = lope_step_end(graph, &play, at),
                       .placing = ground_move_of(lope_ground_mul(at, lope_ground_inverse(in_clip))),
                       .from_world = ground_move_inverse(ground_move_of(at))};
}

static size_t round_up(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

static size_t ring_bytes(const lope_player_def *def)
{
    bool possible = def->capacity >= 1 && def->capacity <= MOST_CAPACITY; // lope_player_init refuses all others
    return round_up(possible ? (size_t)def->capacity * sizeof(lope_play) : 0);
}

static size_t body_bytes(const lope_steps *steps)
{
    return shown_body_bytes(steps->set->skeleton->joint_count);
}

size_t lope_player_size(const lope_steps *steps, const lope_player_def *def)
{
    return round_up(sizeof(lope_player)) + body_bytes(steps) + ring_bytes(def);
}

static bool is_finite(lope_ground g)
{
    return isfinite(g.x) && isfinite(g.z) && isfinite(g.yaw);
}

static lope_status check_bend(const lope_steps *graph, const lope_play *play, int index, lope_error *error)
{
    if (play->step < 0 || (uint32_t)play->step >= graph->step_count)
        return lope_fail(error, LOPE_BAD_DATA, "item %d: step %d, the graph has %u", index, play->step,
                         graph->step_count);
    if (!(fabsf(play->turn) <= MOST_TURN) || !(fabsf(play->stride) <= MOST_STRIDE))
        return lope_fail(error, LOPE_BAD_DATA, "item %d: a turn of %g and a stride of %g are not small", index,
                         (double)play->turn, (double)play->stride);
    return LOPE_OK;
}

static bool leads(const lope_steps *graph, int32_t from, const lope_play *play)
{
    if (play->edge < 0 || from < 0) {
        bool stood = from < 0 || graph->steps[from].flags & LOPE_STEP_STOPS;
        return play->edge < 0 && stood && graph->steps[play->step].flags & LOPE_STEP_STARTS;
    }
    const lope_step *step = &graph->steps[from];
    uint32_t edge = (uint32_t)play->edge;
    return edge >= step->edge_first && edge < step->edge_first + step->edge_count &&
           graph->edges[edge].to == play->step;
}

lope_status play_check(const lope_steps *graph, int32_t last, const lope_play *items, int count, lope_error *error)
{
    for (int i = 0; i < count; i++) {
        lope_status status = check_bend(graph, &items[i], i, error);
        if (status)
            return status;
        if (!leads(graph, last, &items[i]))
            return lope_fail(error, LOPE_BAD_DATA, "item %d: edge %d does not lead from step %d to step %d", i,
                             items[i].edge, last, items[i].step);
        last = items[i].step;
    }
    return LOPE_OK;
}

// Where a step begins whose predecessor ends at `end`.
static lope_ground first_frame(const lope_steps *graph, const lope_play *play, lope_ground end)
{
    return play->edge < 0 ? end : lope_step_next(graph, play->edge, end);
}

static lope_play *slot(const lope_player *player, int index)
{
    return &player->ring[(player->head + index) % player->def.capacity];
}

// The end of all steps, computed anew from the one that is played.
static void find_last_end(lope_player *player)
{
    player->last_end = player->line.end;
    player->last_step = player->begun ? player->line.play.step : -1;
    for (int i = 0; i < player->waiting; i++) {
        const lope_play *play = slot(player, i);
        player->last_end = lope_step_end(player->graph, play, first_frame(player->graph, play, player->last_end));
        player->last_step = play->step;
    }
}

static void begin(lope_player *player, lope_play first, lope_ground at)
{
    player->line = play_line_make(player->graph, first, at);
    player->u = 0.0f;
    player->rate = 1.0f;
    player->head = player->waiting = 0;
    player->begun = 1;
    player->stands = false;
    char *memory = (char *)player + round_up(sizeof *player);
    shown_body_reset(&player->body, player->graph->set->skeleton->joint_count, memory);
    find_last_end(player);
}

lope_status lope_player_init(void *memory, const lope_steps *steps, const lope_player_def *def, lope_ground at,
                             lope_player **out, lope_error *error)
{
    assert(memory && ((uintptr_t)memory & 15) == 0);
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, capacity, 1, MOST_CAPACITY),
                                    LOPE_RANGE(def, fade_duration, LOPE_ABOVE_ZERO, LOPE_LARGE),
                                    LOPE_RANGE(def, stand_fade, LOPE_ABOVE_ZERO, LOPE_LARGE),
                                    LOPE_RANGE(def, lock.halflife, LOPE_ABOVE_ZERO, LOPE_LARGE));
    if (status)
        return status;
    if (!is_finite(at))
        return lope_fail(error, LOPE_BAD_DATA, "a player cannot stand at x %g, z %g, yaw %g", (double)at.x,
                         (double)at.z, (double)at.yaw);
    lope_player *player = memory;
    memset(player, 0, lope_player_size(steps, def));
    player->graph = steps;
    player->def = *def;
    player->ring = (lope_play *)(void *)((char *)player + round_up(sizeof *player) + body_bytes(steps));
    int32_t first = 0;
    for (uint32_t s = steps->step_count; s-- > 0;)
        if (steps->steps[s].flags & LOPE_STEP_STARTS)
            first = (int32_t)s;
    begin(player, (lope_play){.step = first, .edge = -1}, at);
    // Whatever is asked for first begins here, as if a walk had just ended.
    player->begun = 0;
    player->line.end = at;
    find_last_end(player);
    if (steps->steps[first].flags & LOPE_STEP_STARTS)
        play_stand(player, steps->steps[first].first);
    *out = player;
    return LOPE_OK;
}

lope_status lope_player_begin(lope_player *player, const lope_play *first, lope_ground at, lope_error *error)
{
    lope_status status = check_bend(player->graph, first, 0, error);
    if (status)
        return status;
    if (!is_finite(at))
        return lope_fail(error, LOPE_BAD_DATA, "a walk cannot begin at x %g, z %g, yaw %g", (double)at.x, (double)at.z,
                         (double)at.yaw);
    begin(player, *first, at);
    return LOPE_OK;
}

lope_status lope_player_append(lope_player *player, const lope_play *items, int *count, lope_error *error)
{
    lope_status status = play_check(player->graph, player->last_step, items, *count, error);
    if (status) {
        *count = 0;
        return status;
    }
    int room = player->def.capacity - player->waiting, wanted = *count;
    *count = wanted < room ? wanted : room;
    for (int i = 0; i < *count; i++)
        *slot(player, player->waiting + i) = items[i];
    player->waiting += *count;
    find_last_end(player);
    if (*count < wanted)
        return lope_fail(error, LOPE_PARTIAL, "%d of %d steps taken: no more than %d can wait", *count, wanted,
                         player->def.capacity);
    return LOPE_OK;
}

lope_status lope_player_replace(lope_player *player, int keep, const lope_play *items, int *count, lope_error *error)
{
    assert(keep >= 0);
    int waiting = player->waiting;
    player->waiting = keep < waiting ? keep : waiting;
    find_last_end(player);
    lope_status status = lope_player_append(player, items, count, error);
    if (status != LOPE_OK && status != LOPE_PARTIAL) {
        player->waiting = waiting; // the ring was not written to
        find_last_end(player);
    }
    return status;
}

void lope_player_feed(lope_player *player, lope_follow *search)
{
    int ready = lope_follow_now(search) == LOPE_FOLLOW_SEARCHING ? 1 : 2;
    for (int next = lope_follow_played(search); next < lope_follow_count(search); next++) {
        if (player->begun > 0 && player->waiting >= ready)
            return;
        lope_walk_step step = lope_follow_step(search, next);
        lope_play play = {step.step, step.edge, step.turn, step.stride};
        int one = 1;
        lope_status status = player->begun > 0 ? lope_player_append(player, &play, &one, NULL)
                                               : lope_player_begin(player, &play, step.at, NULL);
        if (status)
            return;
        lope_follow_play(search, next + 1);
    }
}

// The clip itself goes on with the next step: what is shown does, too.
static bool goes_on(const lope_player *player, const lope_play *next)
{
    const lope_step *a = play_step(player), *b = &player->graph->steps[next->step];
    return a->clip == b->clip && a->first + a->frames == b->first;
}

static void take_next(lope_player *player)
{
    lope_play next = *slot(player, 0);
    play_line line = play_line_make(player->graph, next, first_frame(player->graph, &next, player->line.end));
    if (player->stands || !goes_on(player, &next))
        play_cut(player, &line, player->stands);
    player->head = (player->head + 1) % player->def.capacity;
    player->waiting--;
    player->begun++;
    player->line = line;
    player->u = -1.0f;
    player->rate = 1.0f;
    player->stands = false;
}

static float room(const lope_player *player)
{
    return (float)(play_step(player)->frames - 1) - player->u;
}

// How fast to play: slower towards the end of a step that nothing follows, faster again once something does.
static void adjust_rate(lope_player *player, float frames)
{
    bool last = player->waiting == 0 && !player->no_brake && !(play_step(player)->flags & LOPE_STEP_STOPS);
    float most = last ? sqrtf(2.0f * BRAKE * fmaxf(room(player), 0.0f)) : 1.0f;
    player->rate = fminf(fminf(player->rate + BRAKE * frames, 1.0f), most);
}

static void reach_end(lope_player *player)
{
    const lope_step *step = play_step(player);
    if (player->waiting > 0)
        take_next(player);
    else if (step->flags & LOPE_STEP_STOPS)
        play_stand(player, step->first + step->frames - 1);
}

// Plays at most one frame; returns what is left of `frames`.
static float advance(lope_player *player, float frames)
{
    float some = fminf(frames, 1.0f), seconds = some / play_frame_rate(player);
    if (player->stands) {
        if (player->waiting > 0) {
            take_next(player);
            return frames;
        }
        play_sway(player, some);
    } else if (player->begun > 0) {
        adjust_rate(player, some);
        float left = room(player), played = some * player->rate;
        if (left <= 0.0f || played >= left) {
            bool waits = player->waiting == 0 && !(play_step(player)->flags & LOPE_STEP_STOPS);
            some = waits ? some : fminf(some, fmaxf(left, 0.0f) / fmaxf(player->rate, 1e-3f));
            seconds = some / play_frame_rate(player);
            player->u = (float)(play_step(player)->frames - 1);
            shown_fade_advance(&player->body, seconds);
            reach_end(player);
            return frames - some;
        }
        player->u += played;
    }
    shown_fade_advance(&player->body, seconds);
    return frames - some;
}

void lope_player_step(lope_player *player, float dt)
{
    if (!isfinite(dt) || !(dt > 0.0f))
        return;
    dt = fminf(dt, LONGEST_STEP);
    player->body.unposed += dt;
    for (float frames = dt * play_frame_rate(player); frames > 1e-5f;)
        frames = advance(player, frames);
}

lope_player_state lope_player_state_of(const lope_player *player)
{
    if (player->stands)
        return LOPE_PLAYER_STANDS;
    if (player->begun == 0)
        return LOPE_PLAYER_WAITS;
    bool waits = player->waiting == 0 && !(play_step(player)->flags & LOPE_STEP_STOPS) && player->rate < 1.0f;
    return waits ? LOPE_PLAYER_WAITS : LOPE_PLAYER_WALKS;
}

lope_player_now lope_player_now_of(const lope_player *player)
{
    return (lope_player_now){.play = player->line.play,
                             .at = player->line.at,
                             .end = player->line.end,
                             .frames = player->u,
                             .begun = player->begun,
                             .waiting = player->waiting};
}

lope_ground lope_player_last_end(const lope_player *player)
{
    return player->last_end;
}
