// SPDX-License-Identifier: MIT
// Making floors and keeping them right. Building and changing do the same things in the same order: tiles, walls
// between nodes, floors of nodes, seams, fringes, spaces; once for all blocks, once for those around a change.
#include "level/floors.h"

#include <stdlib.h>

#include "base/error.h"

#define ROOM 16.0f // metres that a level may grow by until its spaces are made anew

lope_floors_def lope_floors_def_default(void)
{
    return (lope_floors_def){.height = 1.8f,
                             .step = 0.4f,
                             .slope = 0.785398163f,
                             .crawl = 0.5f,
                             .climb = 3.0f,
                             .leap = 4.0f,
                             .radius = 0.2f};
}

// ---- the whole level

static void clear(lope_floors *f)
{
    for (int i = 0; i < f->block_count; i++) {
        floor_block *b = &f->blocks[i];
        lope_free(b->nodes), lope_free(b->borders.items);
        lope_free(b->seams.items), lope_free(b->fringe.items), lope_free(b->ends.items);
        lope_free(b->gates.items), lope_free(b->seam_links.items);
    }
    for (int i = 0; i < f->space_count; i++) {
        lope_passages_destroy(f->spaces[i].passages);
        lope_space_destroy(f->spaces[i].space);
    }
    lope_free(f->table);
    f->table = NULL;
    f->block_count = f->border_count = f->space_count = f->table_size = 0;
}

// Blocks that triangles reach into, row by row.
static lope_status find_blocks(lope_floors *f, lope_error *error)
{
    const lope_terrain *terrain = lope_level_terrain(f->level);
    lope_vec3 low, high;
    if (!lope_terrain_bounds(terrain, &low, &high))
        return LOPE_OK;
    int count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    lope_terrain_triangle *t = lope_alloc_array((size_t)count, sizeof *t);
    if (!t)
        return lope_fail_memory(error);
    lope_terrain_triangles(terrain, low, high, t, count);
    bool fine = true;
    for (int i = 0; i < count && fine; i++) {
        const lope_vec3 *c = t[i].corners;
        ground_tiles tiles = ground_tiles_of(
            (lope_vec3){fminf(fminf(c[0].x, c[1].x), c[2].x), 0.0f, fminf(fminf(c[0].z, c[1].z), c[2].z)},
            (lope_vec3){fmaxf(fmaxf(c[0].x, c[1].x), c[2].x), 0.0f, fmaxf(fmaxf(c[0].z, c[1].z), c[2].z)});
        for (int z = div_down(tiles.z, BLOCK_TILES); z <= div_down(tiles.z + tiles.rows - 1, BLOCK_TILES) && fine; z++)
            for (int x = div_down(tiles.x, BLOCK_TILES);
                 x <= div_down(tiles.x + tiles.columns - 1, BLOCK_TILES) && fine; x++)
                fine = floors_make_block(f, x, z) >= 0;
    }
    lope_free(t);
    if (!fine && f->block_count == FLOORS_BLOCKS)
        return lope_fail(error, LOPE_BAD_DATA, "the level covers more than %d squares of 8 m, which is the limit",
                         FLOORS_BLOCKS);
    return fine ? LOPE_OK : lope_fail_memory(error);
}

typedef struct work {
    lope_floors *f;
    tile_scratch *scratch; // of each thread
    list *found;           // of each block
} work;

static void look_at_block(void *user, int block, int thread)
{
    work *w = user;
    nodes_fill(w->f, &w->f->blocks[block], (plan_rect){0, 0, BLOCK_TILES - 1, BLOCK_TILES - 1}, &w->scratch[thread],
               &w->found[block]);
}

static void set_walls(void *user, int block, int thread)
{
    lope_floors *f = ((work *)user)->f;
    int x = f->blocks[block].x * BLOCK_NODES, z = f->blocks[block].z * BLOCK_NODES;
    (void)thread;
    nodes_set_walls(f, (plan_rect){x, z, x + BLOCK_NODES - 1, z + BLOCK_NODES - 1});
}

static lope_status look_at_all(lope_floors *f, lope_jobs *jobs, lope_error *error)
{
    int threads = lope_jobs_thread_count(jobs);
    work w = {f, lope_alloc_zero((size_t)threads * sizeof *w.scratch),
              lope_alloc_zero((size_t)f->block_count * sizeof *w.found)};
    bool fine = w.scratch && w.found;
    if (fine)
        lope_jobs_run(jobs, f->block_count, look_at_block, &w);
    for (int i = 0; w.scratch && i < threads; i++) {
        fine = fine && !w.scratch[i].failed;
        tile_scratch_free(&w.scratch[i]);
    }
    for (int i = 0; w.found && i < f->block_count; i++) {
        fine = fine && borders_add(f, &w.found[i], NULL);
        lope_free(w.found[i].items);
    }
    if (fine)
        lope_jobs_run(jobs, f->block_count, set_walls, &w);
    lope_free(w.scratch), lope_free(w.found);
    return fine ? LOPE_OK : lope_fail_memory(error);
}

// Regions and gates of blocks; gates lead from those before them, too.
static bool find_areas(lope_floors *f, const list *blocks)
{
    const int *b = blocks->items;
    bool fine = true;
    for (int i = 0; i < blocks->count; i++)
        areas_find_regions(f, b[i]);
    for (int i = 0; i < blocks->count && fine; i++) {
        const int *next = f->blocks[b[i]].next;
        fine = areas_find_gates(f, b[i]) && (next[2] < 0 || areas_find_gates(f, next[2])) &&
               (next[3] < 0 || areas_find_gates(f, next[3]));
    }
    return fine;
}

static lope_status make_spaces(lope_floors *f, const list *blocks, lope_error *error)
{
    const list none = {0};
    bool fine = true;
    for (int i = 0; i < blocks->count && fine; i++) {
        const floor_block *b = &f->blocks[((int *)blocks->items)[i]];
        int x = b->x * BLOCK_NODES, z = b->z * BLOCK_NODES;
        fine = fringe_find_seams(f, (plan_rect){x, z, x + BLOCK_NODES - 1, z + BLOCK_NODES - 1});
    }
    if (!fine || !fringe_spread(f, blocks, &none))
        return lope_fail_memory(error);
    lope_status status = LOPE_OK;
    for (int i = 0; i < f->border_count && status == LOPE_OK; i++)
        status = spaces_set_border(f, i, error);
    for (int i = 0; i < blocks->count && status == LOPE_OK; i++)
        status = spaces_set_ends(f, ((int *)blocks->items)[i], error);
    for (int i = 0; i < blocks->count && status == LOPE_OK; i++)
        if (!seams_join(f, ((int *)blocks->items)[i]))
            status = lope_fail_memory(error);
    return status == LOPE_OK && !find_areas(f, blocks) ? lope_fail_memory(error) : status;
}

static lope_status finish(lope_floors *f, lope_error *error)
{
    f->version++;
    return seams_list_links(f, error);
}

static lope_status make_all(lope_floors *f, lope_jobs *jobs, lope_error *error)
{
    lope_vec3 low = {0}, high = {0};
    clear(f);
    f->changes = lope_level_changes(f->level);
    lope_terrain_bounds(lope_level_terrain(f->level), &low, &high);
    f->low = (lope_vec2){low.x - ROOM, low.z - ROOM};
    f->high = (lope_vec2){high.x + ROOM, high.z + ROOM};
    lope_status status = find_blocks(f, error);
    if (status == LOPE_OK)
        status = look_at_all(f, jobs, error);
    if (status == LOPE_OK && sheets_make(f) != LOPE_OK)
        status = lope_fail_memory(error);
    list all = {0};
    for (int i = 0; i < f->block_count && status == LOPE_OK; i++)
        if (!list_add(&all, &i, sizeof i))
            status = lope_fail_memory(error);
    if (status == LOPE_OK)
        status = make_spaces(f, &all, error);
    lope_free(all.items);
    if (status == LOPE_OK)
        status = spaces_finish(f, jobs, error);
    if (status == LOPE_OK)
        status = floors_find_links(f, NULL, 0, jobs, error);
    return status == LOPE_OK ? finish(f, error) : status;
}

lope_status lope_floors_create(const lope_level *level, const lope_floors_def *def, lope_jobs *jobs, lope_floors **out,
                               lope_error *error)
{
    *out = NULL;
    lope_status status = LOPE_CHECK(
        error, LOPE_RANGE(def, height, 0.5, 10.0), LOPE_RANGE(def, step, 0.0, 0.5 * (double)def->height),
        LOPE_RANGE(def, slope, 0.0, 1.2), LOPE_RANGE(def, crawl, 0.1, (double)def->height),
        LOPE_RANGE(def, climb, 0.0, 20.0), LOPE_RANGE(def, leap, 0.0, 20.0), LOPE_RANGE(def, radius, 0.15, 2.0));
    if (status != LOPE_OK)
        return status;
    lope_floors *f = lope_alloc_zero(sizeof *f);
    if (!f)
        return lope_fail_memory(error);
    f->level = level;
    f->def = *def;
    f->body = (ground_body){def->height, def->step, (float)lope_cos((double)def->slope)};
    f->near = fminf(0.9f, 0.5f * def->height);
    status = make_all(f, jobs, error);
    if (status != LOPE_OK) {
        lope_floors_destroy(f);
        return status;
    }
    *out = f;
    return LOPE_OK;
}

void lope_floors_destroy(lope_floors *f)
{
    if (!f)
        return;
    clear(f);
    floors_free_links(f);
    lope_free(f->blocks), lope_free(f->borders), lope_free(f->homes), lope_free(f->spaces);
    lope_free(f->fresh.items), lope_free(f->queue.items);
    tile_scratch_free(&f->scratch);
    lope_free(f->found.items), lope_free(f->all_links.items), lope_free(f->near_blocks.items),
        lope_free(f->far_blocks.items);
    lope_free(f);
}

// ---- changes

// Columns of tiles, and those before them, which lead there.
static plan_rect columns_of(plan_rect tiles)
{
    return (plan_rect){tiles.x0 * TILE_NODES - 1, tiles.z0 * TILE_NODES - 1, (tiles.x1 + 1) * TILE_NODES - 1,
                       (tiles.z1 + 1) * TILE_NODES - 1};
}

// Blocks with some tiles, or those `more` around them.
static bool list_blocks(const lope_floors *f, plan_rect tiles, int more, list *out)
{
    bool fine = true;
    plan_rect b = {div_down(tiles.x0, BLOCK_TILES) - more, div_down(tiles.z0, BLOCK_TILES) - more,
                   div_down(tiles.x1, BLOCK_TILES) + more, div_down(tiles.z1, BLOCK_TILES) + more};
    out->count = 0;
    for (int z = b.z0; z <= b.z1; z++)
        for (int x = b.x0; x <= b.x1; x++) {
            int block = floors_find_block(f, x, z);
            bool inside = more && x > b.x0 && x < b.x1 && z > b.z0 && z < b.z1;
            if (block >= 0 && !inside)
                fine = list_add(out, &block, sizeof block) && fine;
        }
    return fine;
}

// Whether there are seams or fringes in the blocks around the change.
static bool has_seams(const lope_floors *f)
{
    bool found = false;
    for (int i = 0; i < f->near_blocks.count; i++) {
        const floor_block *b = &f->blocks[((int *)f->near_blocks.items)[i]];
        found = found || b->seams.count || b->fringe.count;
    }
    return found;
}

static bool look_again(lope_floors *f, plan_rect tiles)
{
    f->found.count = 0;
    f->scratch.failed = false;
    for (int z = div_down(tiles.z0, BLOCK_TILES); z <= div_down(tiles.z1, BLOCK_TILES); z++)
        for (int x = div_down(tiles.x0, BLOCK_TILES); x <= div_down(tiles.x1, BLOCK_TILES); x++) {
            int block = floors_make_block(f, x, z);
            if (block < 0)
                return false;
            nodes_fill(f, &f->blocks[block], plan_within_block(tiles, x, z, BLOCK_TILES), &f->scratch, &f->found);
        }
    if (f->scratch.failed || !borders_add(f, &f->found, &tiles))
        return false;
    nodes_set_walls(f, columns_of(tiles));
    f->seams_near = has_seams(f);
    return sheets_take_in(f, columns_of(tiles));
}

// Whether a border can be beside nodes of tiles that changed.
static bool is_beside(const lope_floor_border *b, plan_rect tiles)
{
    const float more = FLOOR_BESIDE + (float)GROUND_SHIFT, side = (float)GROUND_TILE;
    return fmaxf(b->from.x, b->to.x) > side * (float)tiles.x0 - more &&
           fmaxf(b->from.z, b->to.z) > side * (float)tiles.z0 - more &&
           fminf(b->from.x, b->to.x) < side * (float)(tiles.x1 + 1) + more &&
           fminf(b->from.z, b->to.z) < side * (float)(tiles.z1 + 1) + more;
}

// Seams, fringes and spaces around tiles that changed. Fringes reach one tile farther.
static lope_status mend_spaces(lope_floors *f, plan_rect tiles, lope_error *error)
{
    lope_status status = LOPE_OK;
    bool seams = f->seams_near;
    const plan_rect changed = tiles;
    if (!fringe_find_seams(f, columns_of(tiles)) || !fringe_spread(f, &f->near_blocks, &f->far_blocks))
        return lope_fail_memory(error);
    if (seams || has_seams(f))
        tiles = (plan_rect){tiles.x0 - 1, tiles.z0 - 1, tiles.x1 + 1, tiles.z1 + 1};
    for (int i = 0; i < f->near_blocks.count && status == LOPE_OK; i++) {
        int block = ((int *)f->near_blocks.items)[i];
        const list *borders = &f->blocks[block].borders;
        for (int k = 0; k < borders->count && status == LOPE_OK; k++)
            if (is_beside(&f->borders[((int *)borders->items)[k]], tiles))
                status = spaces_set_border(f, ((int *)borders->items)[k], error);
        if (status == LOPE_OK)
            status = spaces_set_ends(f, block, error);
        if (status == LOPE_OK && !seams_join(f, block))
            status = lope_fail_memory(error);
    }
    if (status == LOPE_OK && (!list_blocks(f, changed, 0, &f->far_blocks) || !find_areas(f, &f->far_blocks)))
        status = lope_fail_memory(error);
    return status;
}

static bool is_within(const lope_floors *f, const lope_level_change *c)
{
    return c->low.x > f->low.x && c->low.z > f->low.z && c->high.x < f->high.x && c->high.z < f->high.z;
}

lope_status lope_floors_update(lope_floors *f, lope_jobs *jobs, lope_error *error)
{
    lope_level_change changes[64];
    int count = lope_level_changed(f->level, f->changes, changes, 64);
    bool all = f->broken || count < 0 || count > 64;
    for (int i = 0; i < count && !all; i++)
        all = !is_within(f, &changes[i]);
    f->broken = true;
    lope_status status = LOPE_OK;
    if (all) {
        status = make_all(f, jobs, error);
        f->broken = status != LOPE_OK;
        return status;
    }
    for (int i = 0; i < count && status == LOPE_OK; i++) {
        ground_tiles t = ground_tiles_of(changes[i].low, changes[i].high);
        plan_rect tiles = {t.x, t.z, t.x + t.columns - 1, t.z + t.rows - 1};
        plan_rect around = {tiles.x0 - 1, tiles.z0 - 1, tiles.x1 + 1, tiles.z1 + 1};
        bool fine = list_blocks(f, around, 0, &f->near_blocks) && list_blocks(f, around, 1, &f->far_blocks);
        status = fine && look_again(f, tiles) ? mend_spaces(f, tiles, error) : lope_fail_memory(error);
    }
    if (status == LOPE_OK && count)
        status = spaces_finish(f, jobs, error);
    if (status == LOPE_OK && count)
        status = floors_find_links(f, changes, count, jobs, error);
    if (status == LOPE_OK && count)
        status = finish(f, error);
    f->broken = status != LOPE_OK;
    f->changes = lope_level_changes(f->level);
    return status;
}

// ---- reading

size_t lope_floors_memory(const lope_floors *f)
{
    size_t sum = sizeof *f + (size_t)f->block_room * sizeof *f->blocks + (size_t)f->table_size * sizeof *f->table +
                 (size_t)f->border_room * (sizeof *f->borders + sizeof *f->homes);
    for (int i = 0; i < f->block_count; i++) {
        const floor_block *b = &f->blocks[i];
        sum += (size_t)b->node_room * sizeof *b->nodes + (size_t)b->borders.room * sizeof(int);
        sum += (size_t)b->seams.room * sizeof(floor_seam) + (size_t)b->fringe.room * sizeof(floor_beyond) +
               (size_t)b->ends.room * sizeof(floor_end) + (size_t)b->gates.room * sizeof(floor_gate) +
               (size_t)b->seam_links.room * sizeof(lope_link);
    }
    return sum + spaces_memory(f) + floors_links_memory(f) + (size_t)f->all_links.room * sizeof(lope_link);
}

const lope_floor_border *lope_floors_borders(const lope_floors *f, int *count)
{
    *count = f->border_count;
    return f->borders;
}

int lope_floors_count(const lope_floors *f)
{
    return f->space_count;
}

const lope_space *lope_floors_space(const lope_floors *f, int floor)
{
    return floor >= 0 && floor < f->space_count ? f->spaces[floor].space : NULL;
}

const lope_passages *lope_floors_passages(const lope_floors *f, int floor)
{
    return floor >= 0 && floor < f->space_count ? f->spaces[floor].passages : NULL;
}
