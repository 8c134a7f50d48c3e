// SPDX-License-Identifier: MIT
// Where blocks fit: every way in which a block's units can be laid onto things of the world; then gates that coincide
// become junctions.
#include "base/error.h"
#include "blocks/match.h"
#include "blocks/world.h"

// Gates of one kind that are nearer (metres, radians) are one junction; what differs is edited away.
#define JUNCTION_NEAR 0.06f
#define JUNCTION_HEIGHT 0.03f
#define JUNCTION_YAW 0.1f
// Floors carry steps that are so far (metres) beyond their edge or above them.
#define FOOTING_EDGE 0.12f
#define FOOTING_HEIGHT 0.03f
#define MOST_UNITS 31
// Things and junctions are looked up by cells of this size (metres).
#define HASH_CELL 0.5f

// Things or junctions by place, as chains.
typedef struct place_table {
    int32_t *heads, *next;
    int slots;
} place_table;

static unsigned slot_of(const place_table *t, int x, int z)
{
    return ((unsigned)x * 73856093u ^ (unsigned)z * 19349663u) & (unsigned)(t->slots - 1);
}

static int cell(float place)
{
    return (int)floorf(place / HASH_CELL);
}

static bool table_create(place_table *t, int items)
{
    t->slots = 64;
    while (t->slots < 2 * items)
        t->slots *= 2;
    t->heads = lope_alloc_array((size_t)t->slots, sizeof *t->heads);
    t->next = lope_alloc_array((size_t)items + 1, sizeof *t->next);
    for (int i = 0; i < t->slots && t->heads; i++)
        t->heads[i] = -1;
    return t->heads && t->next;
}

static void table_destroy(place_table *t)
{
    lope_free(t->heads);
    lope_free(t->next);
}

static void table_add(place_table *t, int item, lope_spot at)
{
    unsigned slot = slot_of(t, cell(at.x), cell(at.z));
    t->next[item] = t->heads[slot];
    t->heads[slot] = item;
}

// The thing that is a given unit at a given place; -1: none.
static int find_object(const lope_block_world *w, const place_table *t, int unit, lope_spot at)
{
    const lope_placed_unit *objects = w->objects.items;
    int turns = units_of(w)[unit].turns;
    for (int x = cell(at.x - SAME_PLACE); x <= cell(at.x + SAME_PLACE); x++)
        for (int z = cell(at.z - SAME_PLACE); z <= cell(at.z + SAME_PLACE); z++)
            for (int i = t->heads[slot_of(t, x, z)]; i >= 0; i = t->next[i])
                if (objects[i].unit == unit && lope_places_look_same(objects[i].at, at, turns))
                    return i;
    return -1;
}

bool world_floor_at(const lope_block_world *w, lope_vec3 at, int *floor, int *tile)
{
    for (int f = 0; f < w->floors.count; f++) {
        const floor_tiles *t = floor_at(w, f);
        if (fabsf(t->def.height - at.y) > FOOTING_HEIGHT)
            continue;
        *tile = patch_tile_at(t->tiles, (lope_vec2){at.x, at.z});
        *floor = f;
        if (*tile >= 0 && t->tiles->present[*tile])
            return true;
    }
    return false;
}

static bool has_footing(const lope_block_world *w, lope_vec3 at)
{
    static const float x[5] = {0.0f, 1.0f, -1.0f, 0.0f, 0.0f}, z[5] = {0.0f, 0.0f, 0.0f, 1.0f, -1.0f};
    int floor, tile;
    for (int i = 0; i < 5; i++)
        if (world_floor_at(w, lope_v3(at.x + FOOTING_EDGE * x[i], at.y, at.z + FOOTING_EDGE * z[i]), &floor, &tile))
            return true;
    return false;
}

static bool all_footings(const lope_block_world *w, const lope_block *block, lope_spot at)
{
    for (int i = 0; i < block->footing_count; i++) {
        lope_vec3 f = w->blocks->footings[block->footing_first + i];
        lope_spot there = lope_spot_mul(at, (lope_spot){f.x, f.y, f.z, 0.0f});
        if (!has_footing(w, lope_v3(there.x, there.y, there.z)))
            return false;
    }
    return true;
}

// Lays a block's first unit onto a thing and looks whether the others are there, too.
static bool fits(const lope_block_world *w, const place_table *t, const lope_block *block, lope_spot at,
                 int32_t objects[MOST_UNITS])
{
    for (int i = 0; i < block->unit_count; i++) {
        const lope_placed_unit *part = &w->blocks->placed[block->unit_first + i];
        objects[i] = find_object(w, t, part->unit, lope_spot_mul(at, part->at));
        if (objects[i] < 0)
            return false;
    }
    return all_footings(w, block, at);
}

static bool add_instance(lope_block_world *w, int block, lope_spot at, const int32_t *objects)
{
    const lope_block *b = &w->blocks->blocks[block];
    lope_block_instance instance = {block, at, w->instance_objects.count, w->junction_of.count, w->link_total};
    bool ok = list_add(&w->instances, &instance, sizeof instance);
    for (int i = 0; i < b->gate_count && ok; i++) {
        int32_t none = -1;
        ok = list_add(&w->junction_of, &none, sizeof none);
    }
    for (int i = 0; i < MOST_UNITS && ok && i < b->unit_count; i++)
        ok = list_add(&w->instance_objects, &objects[i], sizeof objects[i]);
    w->link_total += b->link_count;
    return ok;
}

static bool fit_block(lope_block_world *w, const place_table *t, int block)
{
    const lope_block *b = &w->blocks->blocks[block];
    const lope_placed_unit *objects = w->objects.items;
    int first_unit = b->unit_count ? w->blocks->placed[b->unit_first].unit : -1;
    int turns = b->unit_count ? units_of(w)[first_unit].turns : 0;
    for (int i = 0; i < w->objects.count && b->unit_count > 0; i++)
        for (int turn = 0; turn < turns && objects[i].unit == first_unit; turn++) {
            int32_t found[MOST_UNITS];
            lope_spot at = lope_place_turned(objects[i].at, turn, turns);
            if (fits(w, t, b, at, found) && !add_instance(w, block, at, found))
                return false;
        }
    return true;
}

static bool same_junction(const lope_junction *a, int pose, lope_spot at)
{
    float x = a->at.x - at.x, z = a->at.z - at.z;
    return a->pose == pose && x * x + z * z <= JUNCTION_NEAR * JUNCTION_NEAR &&
           fabsf(a->at.y - at.y) <= JUNCTION_HEIGHT && fabsf(lope_wrap_angle(a->at.yaw - at.yaw)) <= JUNCTION_YAW;
}

static int find_junction(const lope_block_world *w, const place_table *t, int pose, lope_spot at)
{
    for (int x = cell(at.x - JUNCTION_NEAR); x <= cell(at.x + JUNCTION_NEAR); x++)
        for (int z = cell(at.z - JUNCTION_NEAR); z <= cell(at.z + JUNCTION_NEAR); z++)
            for (int i = t->heads[slot_of(t, x, z)]; i >= 0; i = t->next[i])
                if (same_junction(junction_at(w, i), pose, at))
                    return i;
    return -1;
}

static bool add_junction(lope_block_world *w, place_table *t, const lope_block_gate *gate, lope_spot at)
{
    lope_junction junction = {at, gate->pose, -1};
    junction_state state = {.tile = -1, .set = -1};
    int floor, tile;
    if (gate->floor && world_floor_at(w, lope_v3(at.x, at.y, at.z), &floor, &tile)) {
        junction.floor = floor;
        state.tile = tile;
    }
    if (!list_add(&w->junctions, &junction, sizeof junction) || !list_add(&w->states, &state, sizeof state))
        return false;
    table_add(t, w->junctions.count - 1, at);
    return true;
}

static bool merge_gates(lope_block_world *w, place_table *t, int first)
{
    for (int i = first; i < w->instances.count; i++) {
        const lope_block_instance *instance = instance_at(w, i);
        const lope_block *block = &w->blocks->blocks[instance->block];
        for (int g = 0; g < block->gate_count; g++) {
            const lope_block_gate *gate = &w->blocks->gates[block->gate_first + g];
            lope_spot at = lope_spot_mul(instance->at, gate->at);
            int junction = find_junction(w, t, gate->pose, at);
            if (junction < 0) {
                junction = w->junctions.count;
                if (!add_junction(w, t, gate, at))
                    return false;
            }
            ((int32_t *)w->junction_of.items)[instance->gate_first + g] = junction;
        }
    }
    return true;
}

static int count_turns(const lope_block_world *w)
{
    int count = 0;
    for (int i = 0; i < w->blocks->block_count; i++)
        count += w->blocks->blocks[i].unit_count == 0 && w->blocks->blocks[i].gate_count == 2;
    return count;
}

// A body that stands before a thing may turn on the spot, before and after: behaviours that end elsewhere are laid to
// every such junction by their first gate and by their last.
static bool fit_turns(lope_block_world *w, place_table *t)
{
    int instances = w->instances.count, junctions = w->junctions.count;
    for (int i = 0; i < w->blocks->block_count; i++) {
        const lope_block *block = &w->blocks->blocks[i];
        if (block->unit_count > 0 || block->gate_count != 2)
            continue;
        const lope_block_gate *gates = w->blocks->gates + block->gate_first;
        for (int k = 0; k < 2 * junctions; k++) {
            const lope_junction *j = junction_at(w, k / 2);
            lope_spot at = k % 2 ? lope_spot_mul(j->at, lope_spot_inverse(gates[1].at)) : j->at;
            if (j->floor >= 0 && j->pose == gates[0].pose && !add_instance(w, i, at, NULL))
                return false;
        }
    }
    return merge_gates(w, t, instances);
}

lope_status fit_blocks(lope_block_world *w, lope_error *error)
{
    place_table objects = {0}, junctions = {0};
    w->instances.count = w->instance_objects.count = w->junctions.count = w->states.count = w->junction_of.count = 0;
    w->link_total = 0;
    bool ok = table_create(&objects, w->objects.count);
    const lope_placed_unit *placed = w->objects.items;
    for (int i = w->objects.count - 1; i >= 0 && ok; i--)
        if (placed[i].unit >= 0)
            table_add(&objects, i, placed[i].at);
    for (int i = 0; i < w->blocks->block_count && ok; i++)
        ok = fit_block(w, &objects, i);
    // Turns may add as many junctions for each that is there as there are turns, each by both ends.
    ok = ok && table_create(&junctions, w->junction_of.count * (1 + 2 * count_turns(w))) &&
         merge_gates(w, &junctions, 0) && fit_turns(w, &junctions);
    table_destroy(&objects);
    table_destroy(&junctions);
    return ok ? LOPE_OK : lope_fail_memory(error);
}
