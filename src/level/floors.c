// SPDX-License-Identifier: MIT
// Making floors and keeping them right. Building and changing do the same things in the same order: tiles, walls
// between nodes, floors of nodes, seams, fringes, spaces; once for all blocks, once for those around a change.
#include "level/floors.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "space/passages.h"
#include "terrain/terrain.h"

#define ROOM 16.0f      // metres that a level may grow by until its spaces are made anew
#define CHANGES 64      // that are taken in at once
#define MANY_TILES 4096 // beyond that many changed ones everything is made anew

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
        lope_free(b->nodes);
        for (int k = 0; k < BLOCK_TILES * BLOCK_TILES; k++)
            lope_free(b->borders[k].items);
        lope_free(b->seams.items), lope_free(b->fringe.items), lope_free(b->ends.items);
        lope_free(b->gates.items), lope_free(b->seam_links.items);
    }
    for (int i = 0; i < f->space_count; i++)
        lope_passages_destroy(f->spaces[i].passages);
    lope_free(f->table);
    f->table = NULL;
    f->block_count = f->border_count = f->space_count = f->table_size = 0;
}

// The level is too large: says so with the part that covers most.
static lope_status fail_too_large(const lope_floors *f, lope_error *error)
{
    lope_part part, largest = {.name = ""};
    float most = -1.0f;
    for (int i = 0; i < lope_level_part_limit(f->level); i++) {
        if (!lope_level_part(f->level, i, &part) || part.piece < 0)
            continue;
        float area = (part.high.x - part.low.x) * (part.high.z - part.low.z);
        if (area > most)
            most = area, largest = part;
    }
    return lope_fail(error, LOPE_BAD_DATA,
                     "the level covers more than %.1f square kilometres, which is the limit; its largest part '%s' is "
                     "%.0f x %.0f m: leave it out if it is only to be looked at (in glTF, LOPE_ignore)",
                     FLOORS_BLOCKS * BLOCK_SIDE * BLOCK_SIDE * 1e-6, largest.name,
                     (double)(largest.high.x - largest.low.x), (double)(largest.high.z - largest.low.z));
}

static lope_status fail_blocks(const lope_floors *f, lope_error *error)
{
    return f->block_count == FLOORS_BLOCKS ? fail_too_large(f, error) : lope_fail_memory(error);
}

// The part of a triangle between two lines along x, from *low to *high; false: none.
static bool cut_row(const lope_vec3 c[3], double from, double to, double *low, double *high)
{
    *low = HUGE_VAL, *high = -HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        const lope_vec3 *a = &c[i], *b = &c[(i + 1) % 3];
        double first = 0.0, last = 1.0, rise = (double)b->z - (double)a->z;
        if (rise != 0.0) {
            double in = (from - (double)a->z) / rise, out = (to - (double)a->z) / rise;
            first = fmax(first, fmin(in, out)), last = fmin(last, fmax(in, out));
        } else if ((double)a->z < from || (double)a->z > to) {
            continue;
        }
        if (first > last)
            continue;
        const double ends[2] = {(double)a->x + first * ((double)b->x - (double)a->x),
                                (double)a->x + last * ((double)b->x - (double)a->x)};
        *low = fmin(*low, fmin(ends[0], ends[1])), *high = fmax(*high, fmax(ends[0], ends[1]));
    }
    return *low <= *high;
}

// While blocks are made: the last one, which most triangles lie in that come next, by its place.
typedef struct covering {
    lope_floors *f;
    int x, z;
    bool any, failed; // there is a last one; too many, or no memory
} covering;

static void make_block(covering *c, int x, int z)
{
    if (!c->failed && !(c->any && c->x == x && c->z == z))
        c->failed = floors_make_block(c->f, x, z) < 0;
    c->x = x, c->z = z, c->any = true;
}

#define COVER_MORE 0.01 // metres: more than tiles look around themselves

// Makes the block that all triangles in a box are in; false where there are more.
static bool cover_box(void *user, const terrain_box *box)
{
    const int left = block_column((double)box->low.x - COVER_MORE),
              down = block_column((double)box->low.z - COVER_MORE);
    const bool one = left == block_column((double)box->high.x + COVER_MORE) &&
                     down == block_column((double)box->high.z + COVER_MORE);
    if (one)
        make_block(user, left, down);
    return one;
}

// Makes the blocks that a triangle reaches into.
static void cover(void *user, const lope_terrain_triangle *triangle)
{
    const lope_vec3 *c = triangle->corners;
    covering *out = user;
    terrain_box box = {c[0], c[0]};
    terrain_box_add(&box, c[1]), terrain_box_add(&box, c[2]);
    if (cover_box(out, &box))
        return;
    const int last = block_column((double)box.high.z + COVER_MORE);
    for (int z = block_column((double)box.low.z - COVER_MORE); z <= last && !out->failed; z++) {
        double low, high, from = GROUND_SHIFT + BLOCK_SIDE * z;
        if (cut_row(c, from - COVER_MORE, from + BLOCK_SIDE + COVER_MORE, &low, &high))
            for (int x = block_column(low - COVER_MORE); x <= block_column(high + COVER_MORE) && !out->failed; x++)
                make_block(out, x, z);
    }
}

static lope_status find_blocks(lope_floors *f, lope_error *error)
{
    covering c = {.f = f};
    terrain_visit_all(lope_level_terrain(f->level), cover_box, cover, &c);
    return c.failed ? fail_blocks(f, error) : LOPE_OK;
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
        fine = fine && borders_add(f, &w.found[i], NULL, NULL);
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
    for (int i = 0; i < blocks->count; i++) {
        areas_find_regions(f, b[i]);
        f->blocks[b[i]].version = f->version;
    }
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

// Numbers of versions are never used twice, also by other floors: routers know by them what they know.
static void next_version(lope_floors *f)
{
    static _Atomic uint64_t last;
    f->version = atomic_fetch_add(&last, 1) + 1;
}

// Notes that something changed in columns.
static void set_versions(lope_floors *f, plan_rect columns)
{
    for (int z = div_down(columns.z0, TILE_NODES); z <= div_down(columns.z1, TILE_NODES); z++)
        for (int x = div_down(columns.x0, TILE_NODES); x <= div_down(columns.x1, TILE_NODES); x++) {
            int block_x = div_down(x, BLOCK_TILES), block_z = div_down(z, BLOCK_TILES),
                block = floors_find_block(f, block_x, block_z);
            if (block >= 0)
                f->blocks[block].tile_versions[(z - block_z * BLOCK_TILES) * BLOCK_TILES + x - block_x * BLOCK_TILES] =
                    f->version;
        }
}

// All links; they are listed in any case, for they may lie elsewhere now.
static lope_status find_links(lope_floors *f, const lope_level_change *changes, int count, lope_jobs *jobs,
                              lope_error *error)
{
    const lope_status status = floors_find_links(f, changes, count, jobs, error);
    const lope_status listed = f->links ? seams_list_links(f, error) : status;
    return status == LOPE_OK ? listed : status;
}

static lope_status make_all(lope_floors *f, lope_jobs *jobs, lope_error *error)
{
    lope_vec3 low = {0}, high = {0};
    clear(f);
    next_version(f);
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
    for (int i = 0; i < f->block_count && status == LOPE_OK; i++) {
        for (int k = 0; k < BLOCK_TILES * BLOCK_TILES; k++)
            f->blocks[i].tile_versions[k] = f->version;
        if (!list_add(&all, &i, sizeof i))
            status = lope_fail_memory(error);
    }
    if (status == LOPE_OK)
        status = make_spaces(f, &all, error);
    if (status == LOPE_OK)
        status = spaces_finish(f, jobs, error);
    f->seams_changed = true;
    lope_free(all.items);
    return status == LOPE_OK ? find_links(f, NULL, 0, jobs, error) : status;
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
    lope_free(f->found.items), lope_free(f->seam_links.items), lope_free(f->near_blocks.items),
        lope_free(f->far_blocks.items);
    lope_free(f);
}

// ---- changes

static plan_rect grown(plan_rect r, int more)
{
    return (plan_rect){r.x0 - more, r.z0 - more, r.x1 + more, r.z1 + more};
}

static bool has_block(const list *blocks, int block)
{
    const int *b = blocks->items;
    for (int i = 0; i < blocks->count; i++)
        if (b[i] == block)
            return true;
    return false;
}

// Adds blocks with some columns, or within `more` blocks of them, to a list, but for those that it or the other has.
static bool list_blocks(const lope_floors *f, plan_rect columns, int more, const list *other, list *out)
{
    bool fine = true;
    plan_rect b = grown((plan_rect){div_down(columns.x0, BLOCK_NODES), div_down(columns.z0, BLOCK_NODES),
                                    div_down(columns.x1, BLOCK_NODES), div_down(columns.z1, BLOCK_NODES)},
                        more);
    for (int z = b.z0; z <= b.z1; z++)
        for (int x = b.x0; x <= b.x1; x++) {
            int block = floors_find_block(f, x, z);
            if (block >= 0 && !has_block(out, block) && (!other || !has_block(other, block)))
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

// What changed: rectangles of tiles that do not meet, then the columns in which nodes or borders did, if any.
typedef struct changed {
    plan_rect rects[CHANGES];
    int count;
} changed;

// Borders, nodes and walls of tiles. *columns are those that changed; none: PLAN_EMPTY.
static bool look_again(lope_floors *f, plan_rect tiles, plan_rect *columns)
{
    f->found.count = 0;
    f->scratch.failed = false;
    f->scratch.changed = PLAN_EMPTY;
    for (int z = div_down(tiles.z0, BLOCK_TILES); z <= div_down(tiles.z1, BLOCK_TILES); z++)
        for (int x = div_down(tiles.x0, BLOCK_TILES); x <= div_down(tiles.x1, BLOCK_TILES); x++) {
            int block = floors_make_block(f, x, z);
            if (block < 0)
                return false;
            nodes_fill(f, &f->blocks[block], plan_within_block(tiles, x, z, BLOCK_TILES), &f->scratch, &f->found);
        }
    *columns = f->scratch.changed;
    if (f->scratch.failed || !borders_add(f, &f->found, &tiles, columns))
        return false;
    if (columns->x0 <= columns->x1) // with those before them, which lead there
        nodes_set_walls(f, (plan_rect){columns->x0 - 1, columns->z0 - 1, columns->x1, columns->z1});
    return true;
}

// Whether a border can be beside nodes of columns.
static bool is_beside(const lope_floor_border *b, plan_rect c)
{
    return fmaxf(b->from.x, b->to.x) >= node_place(c.x0) - FLOOR_BESIDE &&
           fmaxf(b->from.z, b->to.z) >= node_place(c.z0) - FLOOR_BESIDE &&
           fminf(b->from.x, b->to.x) <= node_place(c.x1) + FLOOR_BESIDE &&
           fminf(b->from.z, b->to.z) <= node_place(c.z1) + FLOOR_BESIDE;
}

static lope_status set_borders(lope_floors *f, plan_rect columns, lope_error *error)
{
    lope_status status = LOPE_OK;
    const plan_rect beside = grown(columns, 3),
                    tiles = {div_down(beside.x0, TILE_NODES), div_down(beside.z0, TILE_NODES),
                             div_down(beside.x1, TILE_NODES), div_down(beside.z1, TILE_NODES)};
    for (border_walk w = borders_in(f, tiles); borders_next(&w) && status == LOPE_OK;)
        if (is_beside(&f->borders[w.border], columns))
            status = spaces_set_border(f, w.border, error);
    return status;
}

// Seams, fringes and spaces around columns that changed.
static lope_status mend_spaces(lope_floors *f, const changed *c, lope_error *error)
{
    lope_status status = LOPE_OK;
    bool fine = true, seams = f->seams_near;
    for (int i = 0; i < c->count && fine; i++)
        fine = fringe_find_seams(f, grown(c->rects[i], 1));
    if (!fine || !fringe_spread(f, &f->near_blocks, &f->far_blocks))
        return lope_fail_memory(error);
    const int more = seams || has_seams(f) ? FLOOR_FRINGE + 1 : 1;
    for (int i = 0; i < c->count && status == LOPE_OK; i++)
        status = set_borders(f, grown(c->rects[i], more), error);
    for (int i = 0; i < f->near_blocks.count && status == LOPE_OK; i++) {
        int block = ((int *)f->near_blocks.items)[i];
        status = spaces_set_ends(f, block, error);
        if (status == LOPE_OK && !seams_join(f, block))
            status = lope_fail_memory(error);
    }
    f->far_blocks.count = 0;
    for (int i = 0; i < c->count && status == LOPE_OK; i++)
        if (!list_blocks(f, grown(c->rects[i], 1), 0, NULL, &f->far_blocks))
            status = lope_fail_memory(error);
    return status == LOPE_OK && !find_areas(f, &f->far_blocks) ? lope_fail_memory(error) : status;
}

static lope_status mend(lope_floors *f, changed *c, lope_error *error)
{
    bool fine = true;
    int count = 0;
    for (int i = 0; i < c->count && fine; i++) {
        plan_rect columns;
        fine = look_again(f, c->rects[i], &columns);
        if (fine && columns.x0 <= columns.x1)
            c->rects[count++] = columns;
    }
    if (!fine)
        return fail_blocks(f, error);
    c->count = count;
    f->near_blocks.count = f->far_blocks.count = 0;
    for (int i = 0; i < count; i++) {
        set_versions(f, grown(c->rects[i], 3)); // places look for nodes half a metre around
        fine = fine && list_blocks(f, grown(c->rects[i], FLOOR_FRINGE + 2), 0, NULL, &f->near_blocks);
    }
    for (int i = 0; i < count; i++)
        fine = fine && list_blocks(f, grown(c->rects[i], FLOOR_FRINGE + 2), 1, &f->near_blocks, &f->far_blocks);
    f->seams_near = has_seams(f);
    for (int i = 0; i < count && fine; i++)
        fine = sheets_take_in(f, c->rects[i]);
    return fine ? mend_spaces(f, c, error) : lope_fail_memory(error);
}

// Adds tiles; rectangles that meet become one.
static void add_tiles(changed *c, plan_rect t)
{
    for (int i = 0; i < c->count; i++) {
        plan_rect o = c->rects[i];
        if (t.x0 > o.x1 || o.x0 > t.x1 || t.z0 > o.z1 || o.z0 > t.z1)
            continue;
        t = (plan_rect){t.x0 < o.x0 ? t.x0 : o.x0, t.z0 < o.z0 ? t.z0 : o.z0, t.x1 > o.x1 ? t.x1 : o.x1,
                        t.z1 > o.z1 ? t.z1 : o.z1};
        c->rects[i] = c->rects[--c->count];
        i = -1;
    }
    c->rects[c->count++] = t;
}

// The tiles that changes reach into. False where that is so much that everything is better made anew.
static bool list_changed(const lope_floors *f, const lope_level_change *changes, int count, changed *c)
{
    double area = 0.0;
    c->count = 0;
    for (int i = 0; i < count; i++) {
        const lope_level_change *one = &changes[i];
        ground_tiles t = ground_tiles_of(one->low, one->high);
        if (!(one->low.x > f->low.x && one->low.z > f->low.z && one->high.x < f->high.x && one->high.z < f->high.z))
            return false;
        area += (double)t.columns * (double)t.rows;
        add_tiles(c, (plan_rect){t.x, t.z, t.x + t.columns - 1, t.z + t.rows - 1});
    }
    return area <= MANY_TILES;
}

lope_status lope_floors_update(lope_floors *f, lope_jobs *jobs, lope_error *error)
{
    lope_level_change changes[CHANGES];
    changed c;
    int count = lope_level_changed(f->level, f->changes, changes, CHANGES);
    bool all = f->broken || count < 0 || count > CHANGES || !list_changed(f, changes, count, &c);
    lope_status status = LOPE_OK;
    if (!all && count == 0)
        return LOPE_OK;
    f->broken = true;
    if (!all) {
        f->changes = lope_level_changes(f->level);
        next_version(f);
        status = mend(f, &c, error);
        all = status == LOPE_BAD_DATA; // a line is too near a point of the refined space: not in one made anew
        if (status == LOPE_OK)
            status = spaces_finish(f, jobs, error);
        if (status == LOPE_OK)
            status = find_links(f, changes, count, jobs, error);
    }
    if (all)
        status = make_all(f, jobs, error);
    f->broken = status != LOPE_OK;
    return status;
}

// ---- reading

size_t lope_floors_memory(const lope_floors *f)
{
    size_t sum = sizeof *f + (size_t)f->block_room * sizeof *f->blocks + (size_t)f->table_size * sizeof *f->table +
                 (size_t)f->border_room * (sizeof *f->borders + sizeof *f->homes);
    for (int i = 0; i < f->block_count; i++) {
        const floor_block *b = &f->blocks[i];
        sum += (size_t)b->node_room * sizeof *b->nodes;
        for (int k = 0; k < BLOCK_TILES * BLOCK_TILES; k++)
            sum += (size_t)b->borders[k].room * sizeof(int);
        sum += (size_t)b->seams.room * sizeof(floor_seam) + (size_t)b->fringe.room * sizeof(floor_beyond) +
               (size_t)b->ends.room * sizeof(floor_end) + (size_t)b->gates.room * sizeof(floor_gate) +
               (size_t)b->seam_links.room * sizeof(lope_link);
    }
    return sum + spaces_memory(f) + floors_links_memory(f) + (size_t)f->seam_links.room * sizeof(lope_link);
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
    const lope_passages *passages = lope_floors_passages(f, floor);
    return passages ? &passages->space : NULL;
}

const lope_passages *lope_floors_passages(const lope_floors *f, int floor)
{
    return floor >= 0 && floor < f->space_count ? f->spaces[floor].passages : NULL;
}
