// SPDX-License-Identifier: MIT
// A step of the world, in phases. First everybody decides, moves and publishes where it is and where it will go,
// looking only at what was published after the step before; then touches are counted. Within a phase characters write
// nothing that others read, so the order of work, and the number of threads, cannot matter.
#include "base/fetch.h"
#include "crowd/level.h"
#include "mobility/walker.h"

#define BLOCK 16             // characters per job
#define NEW_WAYS 32          // searches in a step,
#define NEW_WAYS_ON_LEVELS 8 // where each is one over all floors
#define LOOKS_AT_WALLS 4     // steps on levels, from one look for bodies in walls to the next
#define LEAST_TEMPO 0.3f
#define KEEP_OUT 0.03f  // metres off walls that hips never come nearer than
#define WALLS_FIRST 128 // bytes of what a member knows of its level that every step needs, and feet

// Those who lost their way look for a new one, some at every step, in turn.
static void find_new_ways(lope_crowd *world)
{
    int budget = world->def.floors ? NEW_WAYS_ON_LEVELS : NEW_WAYS;
    for (int i = 0; i < world->slot_count && budget > 0; i++) {
        world->next_lost = world->next_lost + 1 < world->slot_count ? world->next_lost + 1 : 0;
        if (!world->alive[world->next_lost])
            continue;
        uint8_t *lost = &world->lost[world->next_lost];
        crowd_body *body = world->bodies[world->next_lost];
        if (!*lost || world->states[world->next_lost] != LOPE_MEMBER_GOING || body->carried)
            continue;
        body->retry_in -= world->dt;
        if (body->retry_in > 0.0f)
            continue;
        budget--;
        *lost = !crowd_plan(world, body, NULL);
        if (*lost) {
            lope_walker_stop(body->walker);
            body->retry_in = 1.0f;
        }
    }
}

// A body that waits goes on moving slowly, so that it comes to where other motions can be chosen, but hardly from its
// place.
static void walk(crowd_body *body, float tempo, float dt)
{
    dt *= crowd_pace(body);
    if (tempo >= LEAST_TEMPO) {
        lope_walker_step(body->walker, dt * tempo);
        return;
    }
    ground_move before = walk_body(body->walker);
    lope_walker_step(body->walker, dt * LEAST_TEMPO);
    ground_move after = walk_body(body->walker);
    float back = 1.0f - tempo / LEAST_TEMPO;
    walk_shift(body->walker, (lope_vec2){back * (before.x - after.x), back * (before.z - after.z)});
}

// Slowing down takes some steps; where a wall has come just before a body, there is no time for that.
static void stay_out(crowd_body *body, ground_move before)
{
    const crowd_walls *walls = &body->footing->walls;
    ground_move now = walk_body(body->walker);
    float room = crowd_walls_room(walls, (lope_vec2){now.x, now.z}, KEEP_OUT);
    if (room < KEEP_OUT && room < crowd_walls_room(walls, (lope_vec2){before.x, before.z}, KEEP_OUT))
        walk_shift(body->walker, (lope_vec2){before.x - now.x, before.z - now.z});
}

static void move(crowd_body *body, float dt)
{
    crowd_view view;
    view.gathered = false;
    if (body->footing && !body->footing->walls.known) // the level has changed around it
        crowd_level_follow(body);
    ground_move before = walk_body(body->walker);
    body->view = &view;
    crowd_guide(body);
    walk(body, crowd_adapt(body), dt);
    body->view = NULL;
    if (body->footing && crowd_going(body))
        stay_out(body, before);
    if (body->footing)
        crowd_level_follow(body);
    bool last = !body->steering && body->sent && crowd_on_last_stretch(body);
    body->world->arrived[body->slot] = 0;
    bool there = last && (body->went_past || lope_walker_progress_of(body->walker) == LOPE_WALKER_ARRIVED);
    if (crowd_going(body) && there) {
        if (body->went_past)
            lope_walker_stop(body->walker);
        body->world->states[body->slot] = LOPE_MEMBER_ARRIVED;
        body->world->arrived[body->slot] = 1;
        body->stuck = 0.0f;
    }
}

// Asks for the memory of characters that are moved next. Where a walker is on its map, and what its body knows of the
// level, can be asked for only when body and walker themselves are there. Those from `end` on are moved by others.
static void fetch_next(const lope_crowd *world, int slot, int end)
{
    if (slot + 1 < end && world->alive[slot + 1]) {
        const crowd_body *next = world->bodies[slot + 1];
        walk_fetch(next->walker);
        if (next->footing) {
            lope_fetch(next->footing, WALLS_FIRST);
            lope_fetch(&next->footing->feet, offsetof(lope_footing, triangles));
        }
    }
    if (slot + 2 < end && world->alive[slot + 2])
        lope_fetch(world->bodies[slot + 2], sizeof(crowd_body) + sizeof(lope_walker));
}

static int block_end(const lope_crowd *world, int index)
{
    int end = (index + 1) * BLOCK;
    return end < world->slot_count ? end : world->slot_count;
}

static void move_block(void *user, int index, int thread)
{
    (void)thread;
    lope_crowd *world = user;
    lope_walker *shown[BLOCK];
    lope_transform *models[BLOCK];
    int count = 0, end = block_end(world, index);
    const crowd_news next = {world->places_before, world->heights_next, world->seen_next};
    for (int slot = index * BLOCK; slot < end; slot++) {
        crowd_body *body = world->bodies[slot];
        fetch_next(world, slot, end);
        if (!world->alive[slot])
            continue;
        if (!body->carried)
            move(body, world->dt);
        else
            world->arrived[slot] = 0;
        crowd_publish(world, slot, &next);
        if (body->posed && !body->carried) {
            shown[count] = body->walker;
            models[count++] = body->model;
        }
    }
    lope_walkers_pose(shown, count, models);
}

// What was published becomes what is known.
static void turn_over(lope_crowd *world)
{
    const crowd_news was = crowd_now(world);
    world->places = world->places_before, world->places_before = was.places;
    world->heights = world->heights_next, world->heights_next = was.heights;
    world->seen = world->seen_next, world->seen_next = was.seen;
}

static bool overlap(lope_vec2 a, lope_vec2 b, float reach)
{
    lope_vec2 to = crowd_sub(a, b);
    float limit = fmaxf(reach - CROWD_OVERLAP, 0.0f);
    return crowd_dot(to, to) < limit * limit;
}

// Overlaps of this one with those in slots after it, each counted for both. Only cells that somebody may reach from are
// looked at, usually one or two; bodies are not larger than cells. Entries lie in the order of their slots.
static int overlaps_begun(const lope_crowd *world, int slot)
{
    lope_vec2 place = world->places[slot], before = world->places_before[slot];
    float height = world->heights[slot], radius = world->seen[slot].radius,
          furthest = fminf(radius + world->largest_radius, CROWD_CELL);
    int32_t low_x = crowd_grid_cell(place.x - furthest), high_x = crowd_grid_cell(place.x + furthest);
    int32_t low_z = crowd_grid_cell(place.z - furthest), high_z = crowd_grid_cell(place.z + furthest);
    int count = 0;
    for (int32_t x = low_x; x <= high_x; x++)
        for (int32_t z = low_z; z <= high_z; z++) {
            uint32_t bucket = crowd_grid_bucket(&world->grid, x, z);
            for (uint32_t e = world->grid.first[bucket + 1]; e-- > world->grid.first[bucket];) {
                const crowd_grid_entry *entry = &world->grid.entries[e];
                int other = entry->slot;
                if (other <= slot)
                    break;
                if (entry->cell_x != x || entry->cell_z != z || !overlap(place, entry->place, furthest) ||
                    !crowd_meet(entry->height, height))
                    continue;
                float reach = radius + world->seen[other].radius;
                count += overlap(place, entry->place, reach) && !overlap(before, world->places_before[other], reach);
            }
        }
    return 2 * count;
}

static bool in_wall(const lope_crowd *world, int slot)
{
    float deepest = world->seen[slot].radius - CROWD_OVERLAP;
    const crowd_body *body = world->bodies[slot];
    if (body->carried || !(deepest > 0.0f))
        return false;
    return body->footing ? crowd_level_in_wall(body, deepest) : !crowd_is_free(world, world->places[slot], deepest);
}

static void count_block(void *user, int index, int thread)
{
    (void)thread;
    lope_crowd *world = user;
    for (int slot = index * BLOCK; slot < block_end(world, index); slot++) {
        if (!world->alive[slot])
            continue;
        int begun = overlaps_begun(world, slot);
        world->began[slot] = (uint8_t)(begun < 255 ? begun : 255);
        if (world->def.floors && ((unsigned)slot + world->steps) % LOOKS_AT_WALLS) {
            world->walls[slot] &= 1;
            continue;
        }
        bool was = world->walls[slot] & 1, is = in_wall(world, slot);
        world->walls[slot] = (uint8_t)(is ? was ? 1 : 3 : 0);
    }
}

static void add_up(lope_crowd *world)
{
    lope_crowd_counts *counts = &world->counts;
    counts->character_seconds += (double)world->alive_count * (double)world->dt;
    for (int slot = 0; slot < world->slot_count; slot++) {
        if (!world->alive[slot])
            continue;
        float stuck = world->seen[slot].urgency;
        counts->overlaps += world->began[slot];
        counts->wall_hits += world->walls[slot] >> 1;
        counts->arrivals += world->arrived[slot];
        counts->longest_stuck = stuck > counts->longest_stuck ? stuck : counts->longest_stuck;
    }
}

void lope_crowd_step(lope_crowd *world, float dt, lope_jobs *jobs)
{
    if (!isfinite(dt) || dt < 0.0f)
        return;
    world->dt = dt;
    world->steps++;
    crowd_grid_bodies bodies = crowd_bodies(world);
    int blocks = (world->slot_count + BLOCK - 1) / BLOCK;
    if (world->grid_stale)
        crowd_grid_build(&world->grid, &bodies);
    world->grid_stale = false;
    crowd_obstacles_step(&world->obstacles, dt);
    find_new_ways(world);
    lope_jobs_run(jobs, blocks, move_block, world);
    turn_over(world);
    bodies = crowd_bodies(world);
    crowd_grid_build(&world->grid, &bodies);
    lope_jobs_run(jobs, blocks, count_block, world);
    add_up(world);
}
