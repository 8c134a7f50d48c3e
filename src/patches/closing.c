// SPDX-License-Identifier: MIT
// Which segments are closed, and what that makes of the rest: a segment lives as long as it is open and leads to a gate
// with a living segment. That is the largest such set, so it does not depend on the order of edits.
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/larger.h"
#include "patches/world.h"

static float mask_cell(const lope_patch_world *w)
{
    return w->def.tile->size * 1.2f / MASK_CELLS; // a tenth of the tile to spare on all sides
}

static void mark(tile_mask *mask, int column, int row)
{
    if (column >= 0 && column < MASK_CELLS && row >= 0 && row < MASK_CELLS)
        mask->rows[row] |= 1u << column;
}

static int cell_index(float place, float cell)
{
    return (int)floorf(fmaxf(-1e6f, fminf(place / cell, 1e6f)) + 0.5f * MASK_CELLS); // beyond the mask all are one
}

// Cells under the hips, all along a segment, for each heading. A quarter turn takes cells to cells exactly.
static void mask_link(lope_patch_world *w, int link)
{
    float cell = mask_cell(w);
    for (int i = w->lines.first[link]; i < w->lines.first[link + 1]; i++) {
        int column = cell_index(w->lines.grounds[i].x, cell), row = cell_index(w->lines.grounds[i].z, cell);
        for (int heading = 0; heading < LOPE_TILE_SIDES; heading++) {
            mark(&w->masks[(size_t)heading * (size_t)w->link_count + (size_t)link], column, row);
            int turned = MASK_CELLS - 1 - column; // to the left: +Z becomes +X, +X becomes -Z
            column = row;
            row = turned;
        }
    }
}

static void index_incoming(lope_patch_world *w)
{
    const lope_tile_link *links = w->def.tile->links;
    int rows = LOPE_TILE_WAYS * w->gate_count, sum = 0;
    memset(w->into_first, 0, ((size_t)rows + 1) * sizeof *w->into_first);
    for (int l = 0; l < w->link_count; l++)
        w->into_first[links[l].side * w->gate_count + links[l].to]++;
    for (int row = 0; row <= rows; row++) { // ends of the rows; filling from behind turns them into starts
        sum += w->into_first[row];
        w->into_first[row] = sum;
    }
    for (int l = w->link_count - 1; l >= 0; l--)
        w->into[--w->into_first[links[l].side * w->gate_count + links[l].to]] = l;
}

lope_status patch_masks_create(lope_patch_world *w, lope_error *error)
{
    size_t links = (size_t)w->link_count, gates = (size_t)w->gate_count, nodes = (size_t)w->tile_count * 4 * gates;
    size_t words = (size_t)w->tile_count * 4 * (size_t)w->words;
    w->masks = lope_alloc_zero(4 * links * sizeof *w->masks);
    w->durations = lope_alloc_array(links, sizeof *w->durations);
    w->into_first = lope_alloc_array(LOPE_TILE_WAYS * gates + 1, sizeof *w->into_first);
    w->into = lope_alloc_array(links, sizeof *w->into);
    w->present = lope_alloc_zero((size_t)w->tile_count);
    w->closed = lope_alloc_array(words, sizeof *w->closed);
    w->dead = lope_alloc_array(words, sizeof *w->dead);
    w->ways = lope_alloc_zero(nodes * sizeof *w->ways);
    w->worklist = lope_alloc_array(nodes, sizeof *w->worklist);
    if (!w->masks || !w->durations || !w->into_first || !w->into || !w->present || !w->closed || !w->dead || !w->ways ||
        !w->worklist)
        return lope_fail_memory(error);
    memset(w->closed, 0xFF, words * sizeof *w->closed);
    memset(w->dead, 0xFF, words * sizeof *w->dead);
    for (int l = 0; l < w->link_count; l++) {
        const lope_segment *segment = &w->def.tile->segments[w->def.tile->links[l].segment];
        w->durations[l] = (float)(segment->frames - 1) / w->frame_rate;
        mask_link(w, l);
    }
    index_incoming(w);
    return LOPE_OK;
}

// Squared distance from a point to a convex polygon, 0 inside.
static float distance2_to(const patch_obstacle *o, float x, float z)
{
    float least = INFINITY;
    int inside = 0;
    for (int i = 0; i < o->count; i++) {
        lope_vec2 a = o->corners[i], b = o->corners[(i + 1) % o->count];
        float ex = b.x - a.x, ez = b.z - a.z, px = x - a.x, pz = z - a.z, length2 = ex * ex + ez * ez;
        float t = length2 > 0.0f ? smaller(larger((px * ex + pz * ez) / length2, 0.0f), 1.0f) : 0.0f;
        float dx = px - t * ex, dz = pz - t * ez;
        least = smaller(least, dx * dx + dz * dz);
        inside += ex * pz - ez * px >= 0.0f ? 1 : -1;
    }
    return o->count > 2 && (inside == o->count || inside == -o->count) ? 0.0f : least;
}

// False where an obstacle is farther than `reach` from a point at first sight: most are, in a large world.
static bool may_be_near(const patch_obstacle *o, float x, float z, float reach)
{
    const float spare = 1e-3f; // metres, for rounding
    float dx = x - o->middle.x, dz = z - o->middle.z, near = o->far + reach + spare;
    return o->count > 0 && dx * dx + dz * dz <= near * near;
}

// Cells of a tile from which a body would reach into an obstacle. Whether there are any.
static bool mask_obstacles(const lope_patch_world *w, int tile, tile_mask *mask)
{
    ground_move middle = patch_frame(w, tile, 0);
    float cell = mask_cell(w), half = 0.5f * cell * MASK_CELLS;
    bool any = false;
    memset(mask, 0, sizeof *mask);
    for (int i = 0; i < w->obstacle_count; i++) {
        const patch_obstacle *o = &w->obstacles[i];
        float reach = o->round + w->def.body_radius + 0.5f * cell, far = reach + 1.5f * half;
        if (!may_be_near(o, middle.x, middle.z, far) || distance2_to(o, middle.x, middle.z) > far * far)
            continue;
        for (int row = 0; row < MASK_CELLS; row++)
            for (int column = 0; column < MASK_CELLS; column++) {
                float x = middle.x - half + ((float)column + 0.5f) * cell;
                float z = middle.z - half + ((float)row + 0.5f) * cell;
                if (distance2_to(o, x, z) <= reach * reach) {
                    mask->rows[row] |= 1u << column;
                    any = true;
                }
            }
    }
    return any;
}

static bool masks_meet(const tile_mask *a, const tile_mask *b)
{
    uint32_t meet = 0;
    for (int row = 0; row < MASK_CELLS; row++)
        meet |= a->rows[row] & b->rows[row];
    return meet != 0;
}

static void kill_link(lope_patch_world *w, int tile, int heading, int link)
{
    uint64_t *dead = links_of(w, w->dead, tile, heading);
    if (bit_at(dead, link))
        return;
    dead[link >> 6] |= 1ull << (link & 63);
    int node = node_of(w, tile, heading, w->def.tile->links[link].from);
    if (--w->ways[node] == 0)
        w->worklist[w->worklist_count++] = node;
}

typedef void link_visit(lope_patch_world *w, int tile, int heading, int link);

static void visit_links(lope_patch_world *w, int tile, int heading, int side, int gate, link_visit *visit)
{
    int key = side * w->gate_count + gate;
    for (int i = w->into_first[key]; i < w->into_first[key + 1]; i++)
        visit(w, tile, heading, w->into[i]);
}

// Calls `visit` for all links, open or not, that lead to a node.
static void visit_incoming(lope_patch_world *w, int node, link_visit *visit)
{
    int gate = node % w->gate_count, heading = node / w->gate_count % 4, tile = node / w->gate_count / 4;
    if (w->def.tile->gates[gate].inside) {
        visit_links(w, tile, heading, LOPE_TILE_INSIDE, gate, visit);
        return;
    }
    int before = patch_neighbour(w, tile, (heading + 2) % 4);
    for (int side = 0; side < LOPE_TILE_SIDES && before >= 0; side++)
        visit_links(w, before, (heading - side + 4) % 4, side, gate, visit);
}

// Everything that leads to gates without a way on dies, too.
static void clear_dead_ends(lope_patch_world *w)
{
    while (w->worklist_count > 0)
        visit_incoming(w, w->worklist[--w->worklist_count], kill_link);
}

static void revive_link(lope_patch_world *w, int tile, int heading, int link)
{
    uint64_t *dead = links_of(w, w->dead, tile, heading);
    if (!bit_at(dead, link) || bit_at(links_of(w, w->closed, tile, heading), link))
        return;
    dead[link >> 6] &= ~(1ull << (link & 63));
    int column = tile % w->def.columns, row = tile / w->def.columns;
    w->touched[0] = column < w->touched[0] ? column : w->touched[0];
    w->touched[1] = row < w->touched[1] ? row : w->touched[1];
    w->touched[2] = column > w->touched[2] ? column : w->touched[2];
    w->touched[3] = row > w->touched[3] ? row : w->touched[3];
    int node = node_of(w, tile, heading, w->def.tile->links[link].from);
    if (w->ways[node]++ == 0)
        w->worklist[w->worklist_count++] = node;
}

// Everything that might live again behind what was opened, on trust.
static void spread_life(lope_patch_world *w)
{
    while (w->worklist_count > 0)
        visit_incoming(w, w->worklist[--w->worklist_count], revive_link);
}

static void kill_hopeless(lope_patch_world *w, int tile, int heading)
{
    const lope_tile *t = w->def.tile;
    for (int l = 0; l < w->link_count; l++) {
        if (!link_lives(w, tile, heading, l))
            continue;
        int next = patch_tile_after(w, tile, heading, l), after = patch_heading_after(w, heading, l);
        if (w->ways[node_of(w, next, after, t->links[l].to)] == 0)
            kill_link(w, tile, heading, l);
    }
}

// Whether the segment may be walked at all, without looking at what follows.
static bool is_open(const lope_patch_world *w, int tile, int heading, int link, const tile_mask *obstacles)
{
    int next = patch_tile_after(w, tile, heading, link);
    if (patch_waits(w, link)) // standing on is no way on
        return false;
    if (!w->present[tile] || next < 0 || !w->present[next])
        return false;
    return !obstacles || !masks_meet(obstacles, &w->masks[(size_t)heading * (size_t)w->link_count + (size_t)link]);
}

// Closes what is closed now, at once, and lists what opened as closed no more; whether anything opened.
static bool look_again(lope_patch_world *w, int tile)
{
    tile_mask mask;
    bool any = mask_obstacles(w, tile, &mask), opened = false;
    for (int heading = 0; heading < LOPE_TILE_SIDES; heading++) {
        uint64_t *closed = links_of(w, w->closed, tile, heading);
        for (int l = 0; l < w->link_count; l++) {
            bool open = is_open(w, tile, heading, l, any ? &mask : NULL), was = !bit_at(closed, l);
            if (was && !open) {
                closed[l >> 6] |= 1ull << (l & 63);
                kill_link(w, tile, heading, l);
            } else if (!was && open) {
                closed[l >> 6] &= ~(1ull << (l & 63));
                opened = true;
            }
        }
    }
    return opened;
}

void patch_refresh(lope_patch_world *w, int first_column, int first_row, int last_column, int last_row)
{
    first_column = first_column > 0 ? first_column : 0;
    first_row = first_row > 0 ? first_row : 0;
    last_column = last_column < w->def.columns ? last_column : w->def.columns - 1;
    last_row = last_row < w->def.rows ? last_row : w->def.rows - 1;
    w->version++;
    if (w->quiet) {
        w->unseen[0] = first_column < w->unseen[0] ? first_column : w->unseen[0];
        w->unseen[1] = first_row < w->unseen[1] ? first_row : w->unseen[1];
        w->unseen[2] = last_column > w->unseen[2] ? last_column : w->unseen[2];
        w->unseen[3] = last_row > w->unseen[3] ? last_row : w->unseen[3];
        return;
    }
    bool opened = false;
    for (int row = first_row; row <= last_row; row++)
        for (int column = first_column; column <= last_column; column++)
            opened |= look_again(w, row * w->def.columns + column);
    clear_dead_ends(w);
    if (!opened)
        return;
    w->touched[0] = w->def.columns;
    w->touched[1] = w->def.rows;
    w->touched[2] = w->touched[3] = -1;
    // What opened is taken for alive, and all that led to nothing but it; then what still leads nowhere dies again.
    for (int row = first_row; row <= last_row; row++)
        for (int column = first_column; column <= last_column; column++)
            for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
                for (int l = 0; l < w->link_count; l++)
                    revive_link(w, row * w->def.columns + column, heading, l);
    spread_life(w);
    for (int row = w->touched[1]; row <= w->touched[3]; row++)
        for (int column = w->touched[0]; column <= w->touched[2]; column++)
            for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
                kill_hopeless(w, row * w->def.columns + column, heading);
    clear_dead_ends(w);
}

void patch_be_quiet(lope_patch_world *w)
{
    if (w->quiet)
        return;
    w->quiet = true;
    w->unseen[0] = w->unseen[1] = INT_MAX;
    w->unseen[2] = w->unseen[3] = -1;
}

void patch_look_again(lope_patch_world *w)
{
    if (!w->quiet)
        return;
    w->quiet = false;
    if (w->unseen[2] >= 0 && w->unseen[3] >= 0)
        patch_refresh(w, w->unseen[0], w->unseen[1], w->unseen[2], w->unseen[3]);
}
