// SPDX-License-Identifier: MIT
// Making and editing worlds of blocks.
#include "blocks/world.h"

#include <stdio.h>
#include <string.h>

#include "asset/built.h"
#include "base/error.h"
#include "blocks/match.h"
#include "blocks/route.h"

#define MOST_FLOORS 4096
#define MOST_OBJECTS 1000000
#define FARTHEST 100000.0f
// Things may be inside of each other by this much (metres).
#define OBJECT_OVERLAP 0.02f

lope_block_world_def lope_block_world_def_default(void)
{
    return (lope_block_world_def){.body_radius = 0.3f,
                                  .overlap = 0.02f,
                                  .max_shift = 0.1f,
                                  .max_bend = 10.0f * (float)(LOPE_PI / 180.0),
                                  .friction = 0.3f};
}

static lope_status know_units(lope_block_world *w, lope_error *error)
{
    bool ok = true;
    for (int i = 0; i < w->blocks->box_count && ok; i++)
        ok = list_add(&w->shapes, &w->blocks->boxes[i], sizeof(lope_box));
    for (int i = 0; i < w->blocks->unit_count && ok; i++)
        ok = list_add(&w->units, &w->blocks->units[i], sizeof(lope_unit));
    return ok ? LOPE_OK : lope_fail_memory(error);
}

lope_status lope_block_world_add_unit(lope_block_world *w, const char *name, const lope_box *boxes, int count,
                                      int *unit, lope_error *error)
{
    lope_unit made = {.box_first = 0, .box_count = count};
    snprintf(made.name, sizeof made.name, "%s", name);
    for (int i = 0; i < w->units.count; i++)
        if (strcmp(units_of(w)[i].name, made.name) == 0)
            return lope_fail(error, LOPE_BAD_DATA, "there is a unit named '%s' already", made.name);
    lope_status status = lope_unit_measure(boxes, &made, error);
    made.box_first = w->shapes.count;
    for (int i = 0; i < count && !status; i++)
        if (!list_add(&w->shapes, &boxes[i], sizeof *boxes))
            status = lope_fail_memory(error);
    if (!status && !list_add(&w->units, &made, sizeof made))
        status = lope_fail_memory(error);
    if (unit)
        *unit = w->units.count - 1;
    return status;
}

lope_status lope_block_world_create(const lope_block_world_def *def, lope_block_world **out, lope_error *error)
{
    *out = NULL;
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, body_radius, LOPE_ABOVE_ZERO, 2), LOPE_RANGE(def, friction, 0, 10),
                   LOPE_RANGE(def, overlap, 0, 2), LOPE_RANGE(def, max_shift, 0, LOPE_LARGE),
                   LOPE_RANGE(def, max_bend, 0, LOPE_LARGE));
    if (status)
        return status;
    lope_block_world *w = lope_alloc_zero(sizeof *w);
    if (!w)
        return lope_fail_memory(error);
    w->def = *def;
    w->blocks = def->blocks;
    w->frame_rate = (float)def->blocks->set->clips[0]->frame_rate;
    w->lock = lope_lock_def_default();
    lope_chunk_lock_rig(def->blocks->set, &w->rig);
    status = lope_patch_tracks_create(def->blocks->set, &w->tracks, error);
    if (!status)
        status = body_create(w, error);
    if (!status)
        status = joins_create(w, error);
    if (!status)
        status = know_units(w, error);
    if (!status) {
        w->changed = w->all_changed = true;
        *out = w;
    } else {
        lope_block_world_destroy(w);
    }
    return status;
}

void lope_block_world_destroy(lope_block_world *w)
{
    if (!w)
        return;
    for (int i = 0; i < w->floors.count; i++)
        lope_patch_world_destroy(floor_at(w, i)->tiles);
    void *blocks[] = {w->ball_places,       w->floors.items,
                      w->objects.items,     w->obstacles.items,
                      w->boxes.items,       w->box_cells,
                      w->box_list,          w->instances.items,
                      w->junctions.items,   w->states.items,
                      w->junction_of.items, w->link_open,
                      w->link_lives,        w->comes.items,
                      w->come_first,        w->links_first,
                      w->links_of,          w->link_instance,
                      w->join_sets.items,   w->joins.items,
                      w->set_table,         w->instance_objects.items,
                      w->body_extents,      w->turned_gates,
                      w->gate_cells,        w->near_gates,
                      w->piece_moves,       w->gate_turns,
                      w->units.items,       w->shapes.items};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
    route_destroy(w->route);
    reuse_destroy(w);
    lope_body_balls_destroy(&w->balls);
    lope_patch_tracks_destroy(&w->tracks);
    lope_free(w);
}

static void number_nodes(lope_block_world *w)
{
    w->tile_nodes = w->tile_total = 0;
    for (int i = 0; i < w->floors.count; i++) {
        floor_tiles *floor = floor_at(w, i);
        floor->first_node = w->tile_nodes;
        floor->first_tile = w->tile_total;
        w->tile_nodes += floor->tiles->tile_count * LOPE_TILE_SIDES * floor->tiles->gate_count;
        w->tile_total += floor->tiles->tile_count;
    }
}

lope_status lope_block_world_lay(lope_block_world *w, int floor, int column, int row, bool present, lope_error *error)
{
    if (floor < 0 || floor >= w->floors.count)
        return lope_fail(error, LOPE_NOT_FOUND, "there is no floor %d: the world has %d", floor, w->floors.count);
    const lope_floor_def *def = &floor_at(w, floor)->def;
    float size = w->blocks->tile->size;
    patch_be_quiet(floor_at(w, floor)->tiles);
    world_note_change(w, def->corner.x + size * ((float)column + 0.5f), def->corner.z + size * ((float)row + 0.5f),
                      size);
    return lope_patch_world_lay(floor_at(w, floor)->tiles, column, row, present, error);
}

// What a box covers of the ground, from above.
static void footprint(const world_box *b, lope_vec2 out[4])
{
    float half_x = b->half.x, half_z = b->half.z * fabsf(b->pitch_cos) + b->half.y * fabsf(b->pitch_sin);
    for (int i = 0; i < 4; i++) {
        float x = i == 1 || i == 2 ? half_x : -half_x, z = i >= 2 ? half_z : -half_z;
        out[i] =
            (lope_vec2){b->centre.x + x * b->yaw_cos + z * b->yaw_sin, b->centre.z + z * b->yaw_cos - x * b->yaw_sin};
    }
}

static lope_status obstruct(lope_block_world *w, int object, int floor, const world_box *box, lope_error *error)
{
    floor_tiles *tiles = floor_at(w, floor);
    float half_y = box->half.y * fabsf(box->pitch_cos) + box->half.z * fabsf(box->pitch_sin);
    float above = tiles->def.height;
    if (box->centre.y + half_y < above + LOWEST_OBSTACLE || box->centre.y - half_y > above + TALLEST_BODY)
        return LOPE_OK;
    lope_vec2 corners[4];
    footprint(box, corners);
    floor_obstacle made = {object, floor, -1};
    patch_be_quiet(tiles->tiles);
    lope_status status = lope_patch_world_add(tiles->tiles, corners, 4, 0.0f, &made.id, error);
    if (!status && !list_add(&w->obstacles, &made, sizeof made))
        status = lope_fail_memory(error);
    return status;
}

static lope_status stand_in_the_way(lope_block_world *w, int object, int first_floor, int last_floor, lope_error *error)
{
    const lope_placed_unit *placed = (lope_placed_unit *)w->objects.items + object;
    lope_status status = LOPE_OK;
    for (int i = 0; placed->unit >= 0 && i < units_of(w)[placed->unit].box_count && !status; i++) {
        int first_box = units_of(w)[placed->unit].box_first;
        world_box box = world_box_of(&shapes_of(w)[first_box + i], placed->at, object);
        for (int floor = first_floor; floor <= last_floor && !status; floor++)
            status = obstruct(w, object, floor, &box, error);
    }
    return status;
}

lope_status lope_block_world_add_floor(lope_block_world *w, const lope_floor_def *def, int *floor, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, height, -FARTHEST, FARTHEST));
    if (!status && w->floors.count >= MOST_FLOORS)
        status = lope_fail(error, LOPE_BAD_DATA, "a world holds at most %d floors", MOST_FLOORS);
    if (status)
        return status;
    lope_patch_world_def tiles = lope_patch_world_def_default();
    tiles.tile = w->blocks->tile;
    tiles.columns = def->columns;
    tiles.rows = def->rows;
    tiles.corner = def->corner;
    tiles.body_radius = w->def.body_radius;
    tiles.reserve = LOPE_RESERVE_NONE;
    tiles.characters = 0;
    floor_tiles made = {.def = *def};
    status = lope_patch_world_create(&tiles, &made.tiles, error);
    if (status)
        return status;
    if (!list_add(&w->floors, &made, sizeof made)) {
        lope_patch_world_destroy(made.tiles);
        return lope_fail_memory(error);
    }
    patch_be_quiet(made.tiles);
    number_nodes(w);
    int number = w->floors.count - 1;
    if (floor)
        *floor = number;
    w->changed = w->all_changed = true;
    w->usable = false;
    for (int i = 0; i < w->objects.count && !status; i++)
        status = stand_in_the_way(w, i, number, number, error);
    return status;
}

static void note_object(lope_block_world *w, int object)
{
    const lope_placed_unit *placed = (lope_placed_unit *)w->objects.items + object;
    const lope_unit *unit = &units_of(w)[placed->unit];
    world_note_change(w, placed->at.x, placed->at.z, fmaxf(lope_v3_length(unit->low), lope_v3_length(unit->high)));
}

static void get_out_of_the_way(lope_block_world *w, int object)
{
    floor_obstacle *obstacles = w->obstacles.items;
    for (int i = w->obstacles.count - 1; i >= 0; i--)
        if (obstacles[i].object == object) {
            lope_patch_world *tiles = floor_at(w, obstacles[i].floor)->tiles;
            patch_be_quiet(tiles);
            lope_patch_world_remove(tiles, obstacles[i].id);
            obstacles[i] = obstacles[--w->obstacles.count];
        }
}

// Separating axes of two boxes that may be tilted: 15 of them. How deep they are in each other, negative: apart.
static float boxes_overlap(const world_box *a, const world_box *b)
{
    lope_vec3 axes[2][3];
    const world_box *both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const world_box *x = both[i];
        axes[i][0] = lope_v3(x->yaw_cos, 0.0f, -x->yaw_sin);
        axes[i][1] = lope_v3(x->pitch_sin * x->yaw_sin, x->pitch_cos, x->pitch_sin * x->yaw_cos);
        axes[i][2] = lope_v3(x->pitch_cos * x->yaw_sin, -x->pitch_sin, x->pitch_cos * x->yaw_cos);
    }
    lope_vec3 between = lope_v3_sub(b->centre, a->centre);
    float least = INFINITY;
    for (int i = 0; i < 15; i++) {
        lope_vec3 axis = i < 6 ? axes[i / 3][i % 3] : lope_v3_cross(axes[0][(i - 6) / 3], axes[1][(i - 6) % 3]);
        float length = lope_v3_length(axis);
        if (length < 1e-3f)
            continue;
        float reach = -fabsf(lope_v3_dot(between, axis));
        const float halves[2][3] = {{a->half.x, a->half.y, a->half.z}, {b->half.x, b->half.y, b->half.z}};
        for (int k = 0; k < 6; k++)
            reach += halves[k / 3][k % 3] * fabsf(lope_v3_dot(axes[k / 3][k % 3], axis));
        least = fminf(least, reach / length);
    }
    return least;
}

static bool units_overlap(const lope_block_world *w, const lope_placed_unit *a, const lope_placed_unit *b)
{
    const lope_unit *x = &units_of(w)[a->unit], *y = &units_of(w)[b->unit];
    float dx = a->at.x - b->at.x, dz = a->at.z - b->at.z;
    float far = lope_v3_length(x->low) + lope_v3_length(x->high) + lope_v3_length(y->low) + lope_v3_length(y->high);
    if (dx * dx + dz * dz > far * far)
        return false;
    for (int i = 0; i < x->box_count; i++) {
        world_box p = world_box_of(&shapes_of(w)[x->box_first + i], a->at, 0);
        for (int k = 0; k < y->box_count; k++) {
            world_box q = world_box_of(&shapes_of(w)[y->box_first + k], b->at, 0);
            if (boxes_overlap(&p, &q) > OBJECT_OVERLAP)
                return true;
        }
    }
    return false;
}

static lope_status check_place(const lope_block_world *w, const lope_placed_unit *placed, int except, lope_error *error)
{
    lope_spot at = placed->at;
    if (!(fabsf(at.x) < FARTHEST && fabsf(at.y) < FARTHEST && fabsf(at.z) < FARTHEST && isfinite(at.yaw)))
        return lope_fail(error, LOPE_BAD_DATA, "nothing can stand at (%g, %g, %g)", (double)at.x, (double)at.y,
                         (double)at.z);
    const lope_placed_unit *objects = w->objects.items;
    for (int i = 0; i < w->objects.count; i++)
        if (i != except && objects[i].unit >= 0 && units_overlap(w, placed, &objects[i]))
            return lope_fail(error, LOPE_BAD_DATA, "%s at (%.2f, %.2f, %.2f) overlaps %s at (%.2f, %.2f, %.2f)",
                             units_of(w)[placed->unit].name, (double)at.x, (double)at.y, (double)at.z,
                             units_of(w)[objects[i].unit].name, (double)objects[i].at.x, (double)objects[i].at.y,
                             (double)objects[i].at.z);
    return LOPE_OK;
}

lope_status lope_block_world_add(lope_block_world *w, int unit, lope_spot at, int *id, lope_error *error)
{
    if (unit < 0 || unit >= w->units.count)
        return lope_fail(error, LOPE_NOT_FOUND, "there is no unit %d", unit);
    const lope_placed_unit placed = {unit, at};
    lope_status status = check_place(w, &placed, -1, error);
    return status ? status : world_put(w, unit, at, id, error);
}

lope_status world_put(lope_block_world *w, int unit, lope_spot at, int *id, lope_error *error)
{
    const lope_placed_unit placed = {unit, at};
    lope_placed_unit *objects = w->objects.items;
    int slot = 0;
    while (slot < w->objects.count && objects[slot].unit >= 0)
        slot++;
    if (slot == MOST_OBJECTS)
        return lope_fail(error, LOPE_BAD_DATA, "a world holds at most %d things", MOST_OBJECTS);
    if (slot == w->objects.count && !list_add(&w->objects, &placed, sizeof placed))
        return lope_fail_memory(error);
    ((lope_placed_unit *)w->objects.items)[slot] = placed;
    note_object(w, slot);
    if (id)
        *id = slot;
    return stand_in_the_way(w, slot, 0, w->floors.count - 1, error);
}

lope_status lope_block_world_move(lope_block_world *w, int id, lope_spot at, lope_error *error)
{
    lope_placed_unit *objects = w->objects.items;
    if (id < 0 || id >= w->objects.count || objects[id].unit < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "there is no thing %d", id);
    lope_placed_unit moved = {objects[id].unit, at};
    lope_status status = check_place(w, &moved, id, error);
    if (status)
        return status;
    get_out_of_the_way(w, id);
    note_object(w, id);
    objects[id] = moved;
    note_object(w, id);
    return stand_in_the_way(w, id, 0, w->floors.count - 1, error);
}

void lope_block_world_remove(lope_block_world *w, int id)
{
    lope_placed_unit *objects = w->objects.items;
    if (id < 0 || id >= w->objects.count || objects[id].unit < 0)
        return;
    get_out_of_the_way(w, id);
    note_object(w, id);
    objects[id].unit = -1;
}

lope_status lope_block_world_update(lope_block_world *w, lope_jobs *jobs, lope_error *error)
{
    if (!w->changed)
        return LOPE_OK;
    w->usable = false;
    for (int i = 0; i < w->floors.count; i++)
        patch_look_again(floor_at(w, i)->tiles);
    lope_status status = reuse_begin(w, error);
    if (!status)
        status = boxes_update(w, error);
    if (!status)
        status = fit_blocks(w, error);
    if (!status)
        status = joins_update(w, jobs, error);
    if (!status)
        status = graph_update(w, jobs, error);
    w->changed = status != LOPE_OK;
    w->usable = !status;
    w->version += !status;
    if (status)
        w->all_changed = true;
    else
        reuse_end(w);
    return status;
}

lope_floor_def lope_block_world_floor(const lope_block_world *w, int floor)
{
    return floor_at(w, floor)->def;
}

const lope_patch_world *lope_block_world_tiles(const lope_block_world *w, int floor)
{
    return floor_at(w, floor)->tiles;
}

lope_block_view lope_block_world_view(const lope_block_world *w)
{
    return (lope_block_view){.blocks = w->blocks,
                             .unit_count = w->units.count,
                             .floor_count = w->floors.count,
                             .units = w->units.items,
                             .boxes = w->shapes.items,
                             .object_count = w->objects.count,
                             .instance_count = w->instances.count,
                             .junction_count = w->junctions.count,
                             .objects = w->objects.items,
                             .instances = w->instances.items,
                             .junctions = w->junctions.items,
                             .instance_objects = w->instance_objects.items,
                             .junction_of = w->junction_of.items,
                             .tile_nodes = w->tile_nodes,
                             .node_count = w->tile_nodes + w->junctions.count};
}

int world_tile_node(const lope_block_world *w, int floor, int tile, int heading, int gate)
{
    const floor_tiles *f = floor_at(w, floor);
    return f->first_node + node_of(f->tiles, tile, heading, gate);
}

void world_node_parts(const lope_block_world *w, int node, int *floor, int *tile, int *heading, int *gate)
{
    int f = 0, end = w->floors.count;
    while (end - f > 1) {
        int middle = (f + end) / 2;
        *(floor_at(w, middle)->first_node <= node ? &f : &end) = middle;
    }
    int gates = floor_at(w, f)->tiles->gate_count, local = node - floor_at(w, f)->first_node;
    *floor = f;
    *gate = local % gates;
    *heading = local / gates % LOPE_TILE_SIDES;
    *tile = local / gates / LOPE_TILE_SIDES;
}
