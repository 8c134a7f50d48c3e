// SPDX-License-Identifier: MIT
// Worlds: made and destroyed; characters are spawned and despawned.
#include "crowd/level.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

#define LARGEST_CAPACITY (1 << 24)
#define AWKWARD_COST 1.0f    // of those who avoid others and must often walk elsewhere than they meant to
#define DECIDE_AT_LEAST 0.2f // seconds between decisions of those who avoid others
#define DECIDE_ON_LEVELS 0.3f

lope_crowd_def lope_crowd_def_default(void)
{
    return (lope_crowd_def){.seed = 1, .capacity = 64, .avoidance = LOPE_AVOID_PREDICT, .clearance = 0.15f};
}

lope_member_def lope_member_def_default(const lope_mobility *map)
{
    lope_member_def def = {
        .map = map, .state = -1, .radius = 0.25f, .posed = true, .walker = lope_walker_def_default()};
    return def;
}

static void *moved(void *old, int old_count, int count, size_t size)
{
    void *larger = lope_alloc_array((size_t)count, size);
    if (!larger)
        return NULL;
    if (old_count)
        memcpy(larger, old, (size_t)old_count * size);
    memset((char *)larger + (size_t)old_count * size, 0, (size_t)(count - old_count) * size);
    return larger;
}

#define SLOT_ARRAYS 15

typedef struct slot_array {
    void **items;
    size_t size;
} slot_array;

static void slot_arrays(lope_crowd *world, slot_array out[SLOT_ARRAYS])
{
    const slot_array arrays[SLOT_ARRAYS] = {
        {(void **)&world->generations, sizeof *world->generations},
        {(void **)&world->alive, sizeof *world->alive},
        {(void **)&world->states, sizeof *world->states},
        {(void **)&world->lost, sizeof *world->lost},
        {(void **)&world->bodies, sizeof *world->bodies},
        {(void **)&world->places, sizeof *world->places},
        {(void **)&world->places_before, sizeof *world->places_before},
        {(void **)&world->heights, sizeof *world->heights},
        {(void **)&world->heights_next, sizeof *world->heights_next},
        {(void **)&world->seen, sizeof *world->seen},
        {(void **)&world->seen_next, sizeof *world->seen_next},
        {(void **)&world->arrived, sizeof *world->arrived},
        {(void **)&world->began, sizeof *world->began},
        {(void **)&world->walls, sizeof *world->walls},
        {(void **)&world->free_slots, sizeof *world->free_slots},
    };
    memcpy(out, arrays, sizeof arrays);
}

// All arrays move or none does.
static lope_status reserve(lope_crowd *world, int capacity, lope_error *error)
{
    if (capacity <= world->capacity)
        return LOPE_OK;
    if (capacity > LARGEST_CAPACITY)
        return lope_fail(error, LOPE_UNSUPPORTED, "a world holds up to %d characters", LARGEST_CAPACITY);
    slot_array arrays[SLOT_ARRAYS];
    void *larger[SLOT_ARRAYS];
    slot_arrays(world, arrays);
    bool complete = crowd_grid_reserve(&world->grid, capacity);
    for (int a = 0; a < SLOT_ARRAYS; a++) {
        larger[a] = complete ? moved(*arrays[a].items, world->capacity, capacity, arrays[a].size) : NULL;
        complete = complete && larger[a];
    }
    for (int a = 0; a < SLOT_ARRAYS; a++) {
        lope_free(complete ? *arrays[a].items : larger[a]);
        if (complete)
            *arrays[a].items = larger[a];
    }
    if (!complete)
        return lope_fail_memory(error);
    world->capacity = capacity;
    const crowd_grid_bodies bodies = crowd_bodies(world);
    crowd_grid_build(&world->grid, &bodies);
    return LOPE_OK;
}

#define MOST_CHARACTERS 1000000

static lope_status check_def(const lope_crowd_def *def, lope_error *error)
{
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, capacity, 0, MOST_CHARACTERS), LOPE_RANGE(def, clearance, 0, 1000));
    if (status)
        return status;
    if (def->floors && (def->bounded || crowd_steers(def)))
        return lope_fail(error, LOPE_BAD_DATA, "a crowd on a level has no bounds of its own, and does not steer");
    if (def->bounded &&
        !(crowd_finite(def->low) && crowd_finite(def->high) && def->low.x < def->high.x && def->low.z < def->high.z))
        return lope_fail(error, LOPE_BAD_DATA, "bounds from (%g, %g) to (%g, %g) enclose nothing (low, high)",
                         (double)def->low.x, (double)def->low.z, (double)def->high.x, (double)def->high.z);
    return LOPE_OK;
}

lope_status lope_crowd_create(const lope_crowd_def *def, lope_crowd **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check_def(def, error);
    if (status)
        return status;
    lope_crowd *world = lope_alloc_zero(sizeof *world);
    if (!world)
        return lope_fail_memory(error);
    world->def = *def;
    world->routes = (crowd_routes){
        .bounded = def->bounded, .low = def->low, .high = def->high, .clearance = def->clearance, .stale = true};
    status = reserve(world, def->capacity ? def->capacity : 1, error);
    if (!status && def->floors)
        status = crowd_level_create(world, error);
    if (status) {
        lope_crowd_destroy(world);
        return status;
    }
    *out = world;
    return LOPE_OK;
}

void lope_crowd_destroy(lope_crowd *world)
{
    if (!world)
        return;
    for (int i = 0; i < world->capacity; i++)
        lope_free(world->bodies[i]);
    slot_array arrays[SLOT_ARRAYS];
    slot_arrays(world, arrays);
    for (int a = 0; a < SLOT_ARRAYS; a++)
        lope_free(*arrays[a].items);
    crowd_grid_free(&world->grid);
    crowd_routes_free(&world->routes);
    crowd_obstacles_free(&world->obstacles);
    crowd_level_destroy(world);
    lope_free(world);
}

static size_t round_up(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

// A body, its walker and its joints in one block; the block that the slot had before serves if it can.
static crowd_body *body_block(lope_crowd *world, int slot, const lope_member_def *def)
{
    size_t walker = round_up(lope_walker_size(def->map));
    size_t joints = (size_t)lope_mobility_set(def->map)->skeleton->joint_count;
    size_t model = def->posed ? round_up(joints * sizeof(lope_transform)) : 0;
    size_t bytes = round_up(sizeof(crowd_body)) + walker + model;
    bytes += world->def.floors ? sizeof(struct crowd_footing) : 0;
    crowd_body *body = world->bodies[slot];
    if (!body || body->bytes < bytes) {
        crowd_body *larger = lope_alloc(bytes);
        if (!larger)
            return NULL;
        lope_free(body);
        body = larger;
    } else {
        bytes = body->bytes;
    }
    memset(body, 0, sizeof *body);
    body->bytes = bytes;
    body->walker = (lope_walker *)(void *)((char *)body + round_up(sizeof *body));
    body->model = def->posed ? (lope_transform *)(void *)((char *)body->walker + walker) : NULL;
    body->posed = def->posed;
    if (world->def.floors) {
        body->footing = (struct crowd_footing *)(void *)((char *)body->walker + walker + model);
        memset(body->footing, 0, sizeof *body->footing);
    }
    return world->bodies[slot] = body;
}

static lope_status make_walker(lope_crowd *world, crowd_body *body, const lope_member_def *def, lope_error *error)
{
    lope_walker_def walker = def->walker;
    body->own_cost = walker.cost;
    body->own_user = walker.cost_user;
    if (world->def.avoidance == LOPE_AVOID_PREDICT) {
        walker.cost = crowd_cost;
        walker.cost_user = body;
        walker.awkward_cost = fmaxf(walker.awkward_cost, AWKWARD_COST);
        walker.decide_interval = fminf(walker.decide_interval, world->def.floors ? DECIDE_ON_LEVELS : DECIDE_AT_LEAST);
    }
    crowd_view view = {.gathered = false}; // the walker may decide at once
    body->view = &view;
    lope_status status = lope_walker_init(body->walker, def->map, &walker, def->state, def->at, &body->walker, error);
    body->view = NULL;
    return status;
}

static lope_status take_slot(lope_crowd *world, int *slot, lope_error *error)
{
    if (world->free_count > 0) {
        *slot = world->free_slots[world->free_count - 1];
        return LOPE_OK;
    }
    *slot = world->slot_count;
    return *slot < world->capacity ? LOPE_OK : reserve(world, 2 * world->capacity, error);
}

static void settle(lope_crowd *world, int slot)
{
    if (world->free_count > 0)
        world->free_count--;
    else
        world->slot_count++;
    if (world->generations[slot] == 0)
        world->generations[slot] = 1;
    world->alive[slot] = 1;
    world->alive_count++;
    crowd_body *body = world->bodies[slot];
    if (body->model)
        lope_walker_pose(body->walker, NULL, body->model);
    const crowd_news now = crowd_now(world);
    crowd_publish(world, slot, &now);
    world->places_before[slot] = world->places[slot];
    world->grid_stale = true;
}

lope_status lope_crowd_spawn(lope_crowd *world, const lope_member_def *def, lope_member_id *out, lope_error *error)
{
    lope_member_id ignored;
    out = out ? out : &ignored;
    *out = (lope_member_id){0, 0};
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, radius, LOPE_ABOVE_ZERO, 100));
    if (status)
        return status;
    if (!isfinite(def->height) || !lope_crowd_is_free(world, (lope_vec3){def->at.x, def->height, def->at.z}, 0.0f))
        return lope_fail(error, LOPE_BAD_DATA,
                         "nobody can stand at (%g, %g): outside the bounds, in an obstacle or not on free ground",
                         (double)def->at.x, (double)def->at.z);
    int slot;
    status = take_slot(world, &slot, error);
    if (status)
        return status;
    crowd_body *body = body_block(world, slot, def);
    if (!body)
        return lope_fail_memory(error);
    body->world = world;
    body->slot = slot;
    world->states[slot] = LOPE_MEMBER_IDLE;
    world->lost[slot] = false;
    world->seen[slot].radius = def->radius;
    world->largest_radius = fmaxf(world->largest_radius, def->radius);
    world->places[slot] = (lope_vec2){def->at.x, def->at.z};
    world->heights[slot] = 0.0f;
    if (body->footing)
        crowd_level_stand(body, (lope_vec3){def->at.x, def->height, def->at.z});
    status = make_walker(world, body, def, error);
    if (status)
        return status;
    if (body->footing)
        crowd_level_walk(body);
    // Characters look around at different moments, so that every step has about the same to do.
    lope_random random = lope_random_seed(world->def.seed * 0x9E3779B97F4A7C15ull + (uint32_t)slot);
    body->tempo = body->tempo_goal = 1.0f;
    body->adapt_in = lope_random_range(&random, 0.0f, 0.1f);
    body->survey_in = lope_random_range(&random, 0.0f, 1.5f);
    body->look_in = lope_random_range(&random, 0.0f, 0.2f);
    settle(world, slot);
    *out = (lope_member_id){(uint32_t)slot + 1, world->generations[slot]};
    return LOPE_OK;
}

int crowd_slot_of(const lope_crowd *world, lope_member_id id)
{
    if (id.index1 == 0 || id.index1 > (uint32_t)world->slot_count)
        return -1;
    uint32_t slot = id.index1 - 1;
    return world->alive[slot] && world->generations[slot] == id.generation ? (int)slot : -1;
}

crowd_body *crowd_body_of(const lope_crowd *world, lope_member_id id)
{
    int slot = crowd_slot_of(world, id);
    return slot >= 0 ? world->bodies[slot] : NULL;
}

bool lope_crowd_despawn(lope_crowd *world, lope_member_id id)
{
    crowd_body *body = crowd_body_of(world, id);
    if (!body)
        return false;
    world->alive[body->slot] = 0;
    world->walls[body->slot] = 0;
    world->generations[body->slot]++;
    world->free_slots[world->free_count++] = body->slot;
    world->alive_count--;
    world->grid_stale = true;
    return true;
}

bool lope_crowd_has(const lope_crowd *world, lope_member_id id)
{
    return crowd_body_of(world, id) != NULL;
}

int lope_crowd_member_count(const lope_crowd *world)
{
    return world->alive_count;
}

lope_member_id lope_crowd_member(const lope_crowd *world, int index)
{
    assert(index >= 0 && index < world->alive_count);
    if (world->alive_count == world->slot_count)
        return (lope_member_id){(uint32_t)index + 1, world->generations[index]};
    int slot = -1;
    for (int left = index; left >= 0; left--)
        do
            slot++;
        while (!world->alive[slot]);
    return (lope_member_id){(uint32_t)slot + 1, world->generations[slot]};
}

lope_crowd_counts lope_crowd_counts_of(const lope_crowd *world)
{
    return world->counts;
}
