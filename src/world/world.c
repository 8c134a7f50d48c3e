// SPDX-License-Identifier: MIT
// The world: making and ending it, who is in it, and a step of time.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/fetch.h"
#include "crowd/crowd.h"
#include "motion/retarget.h"
#include "world/world.h"

#define BLOCK 8           // characters per job
#define LOOKS 800         // at the ground, in a step, for ways that are found anew: one may take some more
#define LONGEST_STEP 0.1f // seconds
#define SPAWN_REACH 1.0f  // metres
#define BODY_FIRST 256    // bytes of a body that every step needs
#define MOVED 0.3f        // metres that bodies may be from where they were after the last step
#define UNHURRIED 8       // steps between two decisions of plain walkers
#define QUIET 2.5f        // metres before the end of a stretch from which on every step counts,
#define QUIET_LINK 5.0f   // and before a link

// A router learns the floors for one kind of body, so each kind has its own.
typedef struct router_of {
    lope_traveller who;
    lope_level_router *router;
} router_of;
enum { MOST_ROUTERS = 8 };

lope_world_def lope_world_def_default(void)
{
    return (lope_world_def){.floors = lope_floors_def_default(), .seed = 1, .capacity = 64};
}

lope_character_def lope_character_def_default(void)
{
    return (lope_character_def){.traveller = lope_traveller_default()};
}

static lope_status check_moves(const lope_moves *moves, lope_error *error)
{
    if (!moves || !moves->mobility || !moves->skeleton)
        return lope_fail(error, LOPE_BAD_DATA, "a world needs moves with a mobility map and a skeleton");
    const lope_skeleton *skeletons[] = {lope_mobility_set(moves->mobility)->skeleton,
                                        moves->rings ? lope_rings_skeleton(moves->rings) : moves->skeleton};
    for (size_t i = 0; i < sizeof skeletons / sizeof *skeletons; i++)
        if (skeletons[i] != moves->skeleton && !lope_skeleton_equal(skeletons[i], moves->skeleton, 0.001f))
            return lope_fail(error, LOPE_MISMATCH, "the moves' %s is of another skeleton: %d joints, not %d",
                             i ? "gait" : "mobility map", skeletons[i]->joint_count, moves->skeleton->joint_count);
    return LOPE_OK;
}

lope_status lope_world_create(const lope_world_def *def, lope_jobs *jobs, lope_world **out, lope_error *error)
{
    *out = NULL;
    if (!def->level)
        return lope_fail(error, LOPE_BAD_DATA, "a world needs a level");
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, capacity, 0, 1 << 20));
    if (!status)
        status = check_moves(def->moves, error);
    if (status)
        return status;
    lope_world *world = lope_alloc_zero(sizeof *world);
    if (!world)
        return lope_fail_memory(error);
    world->def = *def;
    world->level_changes = lope_level_changes(def->level);
    status = lope_floors_create(def->level, &def->floors, jobs, &world->floors, error);
    if (!status)
        status = lope_path_finder_create(&world->finder, error);
    if (!status && (!world_stairs_list(world) || !world_limb_rig_create(def->moves->skeleton, &world->limb_rig)))
        status = lope_fail_memory(error);
    lope_crowd_def crowd = lope_crowd_def_default();
    crowd.seed = def->seed;
    crowd.capacity = def->capacity;
    crowd.floors = world->floors;
    if (!status)
        status = lope_crowd_create(&crowd, &world->crowd, error);
    if (status)
        lope_world_destroy(world);
    else
        *out = world;
    return status;
}

static void destroy_body(world_body *body)
{
    if (!body)
        return;
    lope_free(body->way.stretches.items), lope_free(body->way.points.items);
    world_errands_drop(body);
    lope_free(body);
}

void lope_world_destroy(lope_world *world)
{
    if (!world)
        return;
    for (int i = 0; i < world->bodies.count; i++)
        destroy_body(world_at(world, i));
    for (int i = 0; i < world->routers.count; i++)
        lope_level_router_destroy(((router_of *)world->routers.items)[i].router);
    world_outfits_destroy(world);
    world_crossings_destroy(world);
    lope_path_finder_destroy(world->finder);
    world_limb_rig_destroy(&world->limb_rig);
    lope_crowd_destroy(world->crowd);
    lope_floors_destroy(world->floors);
    list *lists[] = {&world->bodies,          &world->free_slots,   &world->alive,         &world->by_member,
                     &world->routers,         &world->line,         &world->marks,         &world->stairs,
                     &world->uneven,          &world->straight,     &world->closed,        &world->events,
                     &world->draft.stretches, &world->draft.points, &world->errand_floors, &world->errand_things};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        lope_free(lists[i]->items);
    lope_free(world);
}

const lope_space *world_space_at(const lope_world *world, lope_vec3 at, float within)
{
    lope_floor_spot spot;
    if (!lope_floors_ground(world->floors, at, within, &spot) || spot.floor < 0)
        return NULL;
    return lope_floors_space(world->floors, spot.floor);
}

lope_level_router *world_router(lope_world *world, const lope_traveller *who, lope_error *error)
{
    router_of *all = world->routers.items;
    for (int i = 0; i < world->routers.count; i++)
        if (memcmp(&all[i].who, who, sizeof *who) == 0)
            return all[i].router;
    if (world->routers.count == MOST_ROUTERS) { // rare bodies share one, which learns anew
        all[MOST_ROUTERS - 1].who = *who;
        return all[MOST_ROUTERS - 1].router;
    }
    router_of made = {*who, NULL};
    if (lope_level_router_create(&made.router, error))
        return NULL;
    if (list_add(&world->routers, &made, sizeof made))
        return made.router;
    lope_level_router_destroy(made.router);
    lope_fail_memory(error);
    return NULL;
}

const lope_floors *lope_world_floors(const lope_world *world)
{
    return world->floors;
}

const lope_skeleton *lope_world_skeleton(const lope_world *world)
{
    return world->def.moves->skeleton;
}

// ---- characters

world_body *world_body_of(const lope_world *world, lope_character_id id)
{
    if (id.index1 == 0 || id.index1 > (uint32_t)world->bodies.count)
        return NULL;
    world_body *body = world_at(world, (int)id.index1 - 1);
    return body->alive && body->generation == id.generation ? body : NULL;
}

lope_character_id world_id_of(const world_body *body)
{
    return (lope_character_id){(uint32_t)body->slot + 1, body->generation};
}

int world_near(const world_body *body, float reach, world_body **out, int capacity)
{
    const lope_world *world = body->world;
    int slots[CROWD_NEIGHBOURS], count = 0;
    int found = crowd_near(world->crowd, (int)body->member.index1 - 1, reach + MOVED, slots);
    for (int i = 0; i < found && count < capacity; i++) {
        world_body *other = world_at(world, ((int *)world->by_member.items)[slots[i]]);
        if (world_distance(world_place(other), world_place(body)) < reach && fabsf(other->height - body->height) < 1.0f)
            out[count++] = other;
    }
    return count;
}

// Notes whose member that is.
static bool note_member(world_body *body)
{
    list *members = &body->world->by_member;
    const int member = (int)body->member.index1 - 1, nobody = -1;
    while (members->count <= member)
        if (!list_add(members, &nobody, sizeof nobody))
            return false;
    ((int *)members->items)[member] = body->slot;
    return true;
}

static world_body *make_room(lope_world *world)
{
    if (world->free_slots.count)
        return world_at(world, ((int *)world->free_slots.items)[--world->free_slots.count]);
    world_body *body = lope_alloc_zero(sizeof *body);
    if (!body || !list_add(&world->bodies, &body, sizeof(world_body *))) {
        lope_free(body);
        return NULL;
    }
    body->slot = world->bodies.count - 1;
    return body;
}

static lope_status check_body(const lope_character_def *def, lope_error *error)
{
    return LOPE_CHECK(error, LOPE_RANGE(def, place.x, -LOPE_LARGE, LOPE_LARGE),
                      LOPE_RANGE(def, place.y, -LOPE_LARGE, LOPE_LARGE),
                      LOPE_RANGE(def, place.z, -LOPE_LARGE, LOPE_LARGE), LOPE_RANGE(def, facing, -1000, 1000),
                      LOPE_RANGE(def, traveller.radius, 0.05, 2.0), LOPE_RANGE(def, traveller.height, 0.1, 10.0),
                      LOPE_RANGE(def, traveller.reach, 0.0, 20.0), LOPE_RANGE(def, traveller.climb, 0.0, 20.0),
                      LOPE_RANGE(def, traveller.leap, 0.0, 20.0), LOPE_RANGE(def, traveller.speed, 0.01, 100.0));
}

static lope_status check_skeleton(const lope_world *world, const lope_character_def *def, lope_error *error)
{
    const lope_skeleton *moves = world->def.moves->skeleton;
    if (def->onto && !lope_skeleton_equal(lope_retarget_source(def->onto), moves, 0.001f))
        return lope_fail(error, LOPE_MISMATCH,
                         "the character's skeleton is carried over from another one than that of the moves: %d joints, "
                         "expected %d",
                         lope_retarget_source(def->onto)->joint_count, moves->joint_count);
    if (def->onto && !def->onto->any_ground)
        return lope_fail(error, LOPE_MISMATCH,
                         "the character's skeleton is carried over for level ground: set any_ground of its plan");
    if (def->onto && moves->joint_count > WORLD_MOST_JOINTS)
        return lope_fail(error, LOPE_UNSUPPORTED, "moves of more than %d joints are not carried over, found %d",
                         WORLD_MOST_JOINTS, moves->joint_count);
    return LOPE_OK;
}

// Where it stands: there, or as near as it can.
static lope_status find_place(const lope_world *world, const lope_character_def *def, lope_vec3 *out, lope_error *error)
{
    lope_floor_spot spot;
    const lope_vec3 p = def->place;
    if (lope_floors_ground(world->floors, p, 0.5f, &spot) && spot.floor >= 0 &&
        lope_floors_clearance(world->floors, &spot, 1.0f) >= def->traveller.radius) {
        *out = spot.at;
        return LOPE_OK;
    }
    if (!lope_floors_nearest(world->floors, p, def->traveller.radius, SPAWN_REACH, &spot))
        return lope_fail(error, LOPE_NOT_FOUND, "nobody can stand within %.0f m of %.2f %.2f %.2f", (double)SPAWN_REACH,
                         (double)p.x, (double)p.y, (double)p.z);
    *out = spot.at;
    return lope_fail(error, LOPE_PARTIAL, "nobody can stand at %.2f %.2f %.2f; stands at %.2f %.2f %.2f", (double)p.x,
                     (double)p.y, (double)p.z, (double)spot.at.x, (double)spot.at.y, (double)spot.at.z);
}

lope_status lope_world_spawn(lope_world *world, const lope_character_def *def, lope_character_id *out,
                             lope_error *error)
{
    lope_vec3 place = def->place;
    if (out)
        *out = (lope_character_id){0, 0};
    lope_status status = check_body(def, error);
    if (!status)
        status = check_skeleton(world, def, error);
    const lope_status found = status ? status : find_place(world, def, &place, error);
    if (found && found != LOPE_PARTIAL)
        return found;
    world_body *body = make_room(world);
    if (!body)
        return lope_fail_memory(error);
    *body = (world_body){.world = world, .slot = body->slot, .generation = body->generation, .way = body->way};
    body->who = def->traveller;
    body->posed = def->posed;
    body->onto = def->onto;
    body->height = place.y;
    body->crossing = body->queued = body->on = -1;
    body->state = LOPE_CHARACTER_IDLE;
    body->limbs.time = -1.0;
    world_way_clear(body);
    status = world_walk_init(body, (lope_ground){place.x, place.z, def->facing}, error);
    if (!status && (!note_member(body) || !list_add(&world->alive, &body->slot, sizeof(int))))
        status = lope_fail_memory(error);
    if (status) {
        lope_crowd_despawn(world->crowd, body->member);
        list_add(&world->free_slots, &body->slot, sizeof(int));
        return status;
    }
    body->alive = true;
    body->generation++;
    body->place = (lope_vec2){place.x, place.z};
    if (out)
        *out = world_id_of(body);
    return found;
}

bool lope_world_despawn(lope_world *world, lope_character_id id)
{
    world_body *body = world_body_of(world, id);
    if (!body)
        return false;
    world_took_over(body);
    world_crossing_leave(body);
    world_errands_drop(body);
    world_way_clear(body);
    if (body->outfit)
        body->outfit->taken = false;
    body->outfit = NULL;
    body->alive = false;
    lope_crowd_despawn(world->crowd, body->member);
    int *alive = world->alive.items, at = 0;
    while (alive[at] != body->slot)
        at++;
    memmove(alive + at, alive + at + 1, (size_t)(world->alive.count - at - 1) * sizeof *alive);
    world->alive.count--;
    list_add(&world->free_slots, &body->slot, sizeof(int)); // without memory the slot is not used again
    return true;
}

bool lope_world_has(const lope_world *world, lope_character_id id)
{
    return world_body_of(world, id) != NULL;
}

int lope_world_count(const lope_world *world)
{
    return world->alive.count;
}

lope_character_id lope_world_character(const lope_world *world, int index)
{
    assert(index >= 0 && index < world->alive.count);
    return world_id_of(world_at(world, ((int *)world->alive.items)[index]));
}

// ---- time

// Asks for the memory of somebody whose turn it is soon.
static void fetch(const lope_world *world, int index)
{
    lope_fetch(world_at(world, ((int *)world->alive.items)[index]), BODY_FIRST);
}

static void carry_block(void *user, int index, int thread)
{
    (void)thread;
    lope_world *world = user;
    int end = (index + 1) * BLOCK < world->alive.count ? (index + 1) * BLOCK : world->alive.count;
    for (int i = index * BLOCK; i < end; i++) {
        fetch(world, i + 2 < end ? i + 2 : i);
        world_legs_carry(world_at(world, ((int *)world->alive.items)[i]));
    }
}

// Whether nothing can be due in this step: it has no task and plainly stands, or walks along in the middle of a
// stretch. Such walkers decide in every eighth step, some in each.
static bool is_quiet(world_body *body)
{
    const lope_world *world = body->world;
    if (body->outfit || body->carrier != WORLD_WALK || body->next.controller || body->lost)
        return false;
    const world_stretch *s = world_way_now(body), *next = world_way_next(body);
    if (body->task.kind == LOPE_TASK_NONE)
        return !s && !body->errands && body->state == LOPE_CHARACTER_IDLE;
    const float left = s ? s->length - body->along : 0.0f;
    if (!s || s->by != WORLD_WALK || body->task.begun || !body->sent || body->straight || body->moved || body->waits ||
        left < (next && next->by == WORLD_CROSS ? QUIET_LINK : QUIET) ||
        (world->steps + (unsigned)body->slot) % UNHURRIED == 0)
        return false;
    body->stuck += world->dt;
    body->still += world->dt;
    return true;
}

void lope_world_step(lope_world *world, float dt, lope_jobs *jobs)
{
    if (!(dt >= 0.0f) || !isfinite(dt))
        return;
    world->dt = fminf(dt, LONGEST_STEP);
    world->time += (double)world->dt;
    world->looks_left = LOOKS;
    world->events.count = 0;
    world->steps++;
    world->stepping = true;
    world_see_changes(world, jobs);
    world_crossings_step(world);
    for (int i = 0; i < world->alive.count; i++) {
        world_body *body = world_at(world, ((int *)world->alive.items)[i]);
        fetch(world, i + 3 < world->alive.count ? i + 3 : i);
        if (is_quiet(body))
            continue;
        world_legs_decide(body);
        world_tasks_decide(body);
    }
    world->stepping = false;
    lope_crowd_step(world->crowd, world->dt, jobs);
    lope_jobs_run(jobs, (world->alive.count + BLOCK - 1) / BLOCK, carry_block, world);
}
