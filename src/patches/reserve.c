// SPDX-License-Identifier: MIT
// Reservations: who will be where, when. A body is in one cell at a time; others keep two body radii away from it.
#include <string.h>

#include "patches/world.h"

// How long ahead of its next gate a character keeps room for itself, and how fast it walks there (metres per second).
#define EXIT_SLOTS 5
#define EXIT_SPEED 0.9f

static int32_t *plane(const lope_patch_world *w, int64_t slot)
{
    return w->cells + (size_t)(slot % RESERVE_SLOTS) * (size_t)w->cells_x * (size_t)w->cells_z;
}

// Forgets times that are past: their places are used for times to come.
void patch_reserve_advance(lope_patch_world *w)
{
    int64_t slot = (int64_t)(w->now / (double)RESERVE_SECONDS);
    for (; w->slot < slot; w->slot++)
        memset(plane(w, w->slot), 0, (size_t)w->cells_x * (size_t)w->cells_z * sizeof *w->cells);
}

typedef struct cell_place {
    int64_t slot;
    int x, z;
} cell_place;

// Walks along a segment from time to time; gives the cell that the body is in.
typedef struct cell_walk {
    const lope_patch_world *w;
    const lope_ground *line; // seen from the middle of the tile
    int frames;
    ground_move tile;
    double begin; // seconds
    double frames_per_second;
    int64_t slot, last_slot;
} cell_walk;

static cell_walk cell_walk_begin(const lope_patch_world *w, const patch_plan *p)
{
    cell_walk walk = {.w = w, .begin = w->now + (double)p->delay, .tile = patch_frame(w, p->tile, p->heading)};
    walk.line = w->lines.grounds + w->lines.first[p->link];
    walk.frames = patch_segment(w, p->link)->frames;
    walk.frames_per_second = (double)(w->frame_rate * p->tempo);
    walk.slot = (int64_t)(walk.begin / (double)RESERVE_SECONDS);
    double end = walk.begin + (double)(w->durations[p->link] / p->tempo);
    walk.last_slot = (int64_t)(end / (double)RESERVE_SECONDS);
    int64_t horizon = w->slot + RESERVE_SLOTS - 2;
    walk.last_slot = walk.last_slot < horizon ? walk.last_slot : horizon;
    return walk;
}

static void place_in_cells(const lope_patch_world *w, float x, float z, cell_place *out)
{
    out->x = (int)((x - w->def.corner.x) / RESERVE_CELL) + 2;
    out->z = (int)((z - w->def.corner.z) / RESERVE_CELL) + 2;
}

static bool cell_walk_next(cell_walk *walk, cell_place *out)
{
    const lope_patch_world *w = walk->w;
    if (walk->slot > walk->last_slot)
        return false;
    double middle = ((double)walk->slot + 0.5) * (double)RESERVE_SECONDS - walk->begin;
    int frame = (int)(middle * walk->frames_per_second);
    frame = frame < 0 ? 0 : frame < walk->frames ? frame : walk->frames - 1;
    lope_vec2 at = ground_move_point(walk->tile, walk->line[frame].x, walk->line[frame].z);
    out->slot = walk->slot++;
    place_in_cells(w, at.x, at.z, out);
    return true;
}

// Others within two body radii, less what cells round off, at most one per cell.
static int others_near(const lope_patch_world *w, const cell_place *p, int character)
{
    int reach = (int)(2.0f * w->def.body_radius / RESERVE_CELL), count = 0;
    const int32_t *cells = plane(w, p->slot);
    for (int dz = -reach; dz <= reach; dz++)
        for (int dx = -reach; dx <= reach; dx++) {
            int x = p->x + dx, z = p->z + dz;
            if (dx * dx + dz * dz > reach * reach + 1 || x < 0 || z < 0 || x >= w->cells_x || z >= w->cells_z)
                continue;
            int32_t owner = cells[z * w->cells_x + x];
            count += owner != 0 && owner != character + 1;
        }
    return count;
}

static int next_tile(const lope_patch_world *w, const patch_plan *p)
{
    return patch_tile_after(w, p->tile, p->heading, p->link);
}

int patch_conflicts(const lope_patch_world *w, int character, const patch_plan *plan, int limit)
{
    if (w->def.reserve == LOPE_RESERVE_NONE)
        return 0;
    if (w->def.reserve == LOPE_RESERVE_TILES) {
        int owner = w->tile_owner[next_tile(w, plan)];
        return owner != 0 && owner != character + 1;
    }
    int conflicts = 0;
    cell_place place;
    for (cell_walk walk = cell_walk_begin(w, plan); conflicts < limit && cell_walk_next(&walk, &place);)
        conflicts += others_near(w, &place, character);
    return conflicts;
}

static void take(lope_patch_world *w, const cell_place *p, int character)
{
    if (p->x >= 0 && p->z >= 0 && p->x < w->cells_x && p->z < w->cells_z)
        plane(w, p->slot)[p->z * w->cells_x + p->x] = character + 1;
}

// Room to go on from the end of a segment: straight ahead for a moment, unless others have it.
static void reserve_exit(lope_patch_world *w, int character, const cell_walk *walk)
{
    ground_move at = ground_move_mul(walk->tile, ground_move_of(walk->line[walk->frames - 1]));
    for (int i = 0; i < EXIT_SLOTS && walk->slot + i < w->slot + RESERVE_SLOTS - 1; i++) {
        cell_place place = {.slot = walk->slot + i};
        float way = ((float)i + 0.5f) * RESERVE_SECONDS * EXIT_SPEED;
        place_in_cells(w, at.x + way * at.sine, at.z + way * at.cosine, &place);
        if (others_near(w, &place, character) == 0)
            take(w, &place, character);
    }
}

void patch_reserve(lope_patch_world *w, int character, const patch_plan *plan)
{
    if (w->def.reserve == LOPE_RESERVE_TILES)
        w->tile_owner[next_tile(w, plan)] = character + 1;
    if (w->def.reserve != LOPE_RESERVE_CELLS)
        return;
    cell_place place;
    cell_walk walk = cell_walk_begin(w, plan);
    while (cell_walk_next(&walk, &place))
        take(w, &place, character);
    reserve_exit(w, character, &walk);
}

void patch_release(lope_patch_world *w, int character)
{
    for (int tile = 0; tile < w->tile_count; tile++)
        if (w->tile_owner[tile] == character + 1)
            w->tile_owner[tile] = 0;
    size_t cells = (size_t)w->cells_x * (size_t)w->cells_z * RESERVE_SLOTS;
    for (size_t i = 0; i < cells && w->def.reserve == LOPE_RESERVE_CELLS; i++)
        if (w->cells[i] == character + 1)
            w->cells[i] = 0;
}
