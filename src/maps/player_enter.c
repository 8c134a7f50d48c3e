// SPDX-License-Identifier: MIT
// Players as controllers: any frame of any step can be entered, and the rest of that step is played. What follows is
// chosen step by step, by where it leads.
#include "base/error.h"
#include "base/memory.h"
#include "maps/player.h"
#include "motion/contact_points.h"
#include "motion/entries.h"

// Metres from its place within which somebody has arrived.
#define ARRIVED 0.3f
// Metres per second at which the rest of the way is thought to be gone.
#define PACE 1.3f
// Seconds that a radian off the way to the place, or off the facing asked for, counts.
#define TURN_COST 0.3f
// Seconds that a metre of a transition's difference counts.
#define EDGE_COST 8.0f
// Seconds that it counts to stop before the place is reached, or not to where one should stand.
#define STOP_COST 3.0f
// Metres per second: slower hips stand where both feet touch.
#define STANDING_SPEED 0.15f

lope_status lope_steps_learn_entries(lope_steps *steps, lope_error *error)
{
    if (steps->entries)
        return LOPE_OK;
    size_t total = 0;
    for (uint32_t s = 0; s < steps->step_count; s++)
        total += (size_t)steps->steps[s].frames;
    entry_frame *frames = lope_alloc_array(total, sizeof *frames);
    if (!frames)
        return lope_fail_memory(error);
    int count = 0;
    for (uint32_t s = 0; s < steps->step_count; s++)
        for (int f = 0; f < steps->steps[s].frames; f++)
            frames[count++] = (entry_frame){steps->steps[s].clip, steps->steps[s].first + f, (int32_t)s};
    lope_status status = lope_entries_create(steps->set->clips, frames, count, &steps->entries, error);
    lope_free(frames);
    return status;
}

static entry_found find(const lope_player *player, const lope_moment *moment)
{
    return player->graph->entries ? lope_entries_find(player->graph->entries, moment, NULL)
                                  : (entry_found){.id = -1, .fit = INFINITY};
}

static float fit(void *self, const lope_moment *moment, const lope_aim *aim)
{
    (void)aim;
    return find(self, moment).fit;
}

// Seconds until the place is reached with a step that ends at `end`.
static float cost_of_end(const lope_player *player, const lope_step *step, lope_ground end)
{
    bool stops = step->flags & LOPE_STEP_STOPS;
    if (!player->aimed)
        return stops ? 0.0f : STOP_COST;
    float dx = player->aim.place.x - end.x, dz = player->aim.place.z - end.z, distance = sqrtf(dx * dx + dz * dz);
    bool there = distance < ARRIVED;
    float wanted = there ? player->aim.facing : (float)lope_atan2((double)dx, (double)dz);
    float turn = isnan(wanted) ? 0.0f : fabsf(lope_wrap_angle(wanted - end.yaw));
    float seconds = (float)step->frames / play_frame_rate(player) + distance / PACE;
    return seconds + TURN_COST * turn + (stops == (there && player->aim.stop) ? 0.0f : STOP_COST);
}

static bool has_arrived(const lope_player *player)
{
    if (!player->aimed)
        return true;
    float dx = player->aim.place.x - player->last_end.x, dz = player->aim.place.z - player->last_end.z;
    return player->aim.stop && dx * dx + dz * dz < ARRIVED * ARRIVED;
}

// From standing, a step that starts; while walking, one along an edge.
static void choose_step(lope_player *player)
{
    const lope_steps *graph = player->graph;
    const lope_step *last = &graph->steps[player->line.play.step];
    lope_play best = {.step = -1};
    float least = INFINITY;
    uint32_t count = player->stands ? graph->step_count : last->edge_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t edge = last->edge_first + i;
        lope_play play = {.step = player->stands ? (int32_t)i : graph->edges[edge].to,
                          .edge = player->stands ? -1 : (int32_t)edge};
        const lope_step *step = &graph->steps[play.step];
        if (player->stands && !(step->flags & LOPE_STEP_STARTS))
            continue;
        lope_ground at = player->stands ? player->last_end : lope_step_next(graph, play.edge, player->last_end);
        float cost = cost_of_end(player, step, lope_step_end(graph, &play, at));
        cost += player->stands ? 0.0f : EDGE_COST * graph->edges[edge].cost;
        if (cost < least) {
            least = cost;
            best = play;
        }
    }
    int one = 1;
    if (best.step >= 0)
        lope_player_append(player, &best, &one, NULL);
}

static bool stands(const lope_moment *moment)
{
    lope_vec3 speed = moment->speeds[PART_SEAT];
    return moment->contacts & LOPE_CONTACT_LEFT_FOOT && moment->contacts & LOPE_CONTACT_RIGHT_FOOT &&
           speed.x * speed.x + speed.z * speed.z < STANDING_SPEED * STANDING_SPEED;
}

// Stands in the frame that was entered, as if a walk had just ended there.
static void stand_there(lope_player *player, const entry_found *found)
{
    player->begun = 0;
    player->line.end = player->last_end = found->at;
    player->last_step = -1;
    play_stand(player, found->frame);
}

// A step that ends in standing is not gone on from until it stands.
static void feed(lope_player *player)
{
    bool stops = !player->stands && play_step(player)->flags & LOPE_STEP_STOPS;
    if (player->waiting == 0 && !stops && !(player->stands && has_arrived(player)))
        choose_step(player);
}

static void take_aim(void *self, const lope_aim *aim)
{
    lope_player *player = self;
    player->aimed = aim && isfinite(aim->place.x) && isfinite(aim->place.z) && !isinf(aim->facing);
    if (player->aimed)
        player->aim = *aim;
}

static lope_status enter(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    lope_player *player = self;
    entry_found found = find(player, moment);
    if (!player->graph->entries)
        return lope_fail(error, LOPE_UNSUPPORTED, "the graph has not learnt its entries: lope_steps_learn_entries");
    if (found.id < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "the graph has no step that goes on from this moment");
    const lope_step *step = &player->graph->steps[found.id];
    const lope_clip *clip = player->graph->set->clips[step->clip];
    lope_ground back = lope_ground_relative(lope_clip_ground(clip, found.frame), lope_clip_ground(clip, step->first));
    lope_play play = {.step = found.id, .edge = -1};
    lope_status status = lope_player_begin(player, &play, lope_ground_mul(found.at, back), error);
    if (status)
        return status;
    player->u = (float)(found.frame - step->first);
    player->height = moment->height;
    if (stands(moment))
        stand_there(player, &found);
    take_aim(player, aim);
    return LOPE_OK;
}

static void advance(void *self, float dt)
{
    feed(self);
    lope_player_step(self, dt);
}

static void moment_of(void *self, lope_moment *out)
{
    lope_player *player = self;
    lope_player_pose(player, &out->now, NULL);
    out->contacts = lope_player_contacts(player);
    out->height = player->height;
}

static bool may_leave(const void *self)
{
    (void)self;
    return true;
}

void lope_player_set_height(lope_player *player, float height)
{
    player->height = height;
}

const lope_controller *lope_player_controller(void)
{
    static const lope_controller controller = {"player", fit, enter, take_aim, advance, moment_of, may_leave};
    return &controller;
}
