// SPDX-License-Identifier: MIT
// Borders of many tiles, each a job of its own.
#include "support/ground_borders.h"

typedef struct work {
    const lope_terrain *terrain;
    const ground_body *body;
    ground_tiles tiles;
    ground_tile *threads; // memory of each
    list *borders;        // [rows]
    int *counts;          // [tiles]
    bool *failed;         // [rows]
} work;

static void look_at_row(void *user, int row, int thread)
{
    work *w = user;
    ground_tile *tile = &w->threads[thread];
    list *borders = &w->borders[row];
    for (int i = 0; i < w->tiles.columns && !w->failed[row]; i++) {
        int before = borders->count;
        w->failed[row] = !ground_tile_open(tile, w->terrain, w->body, w->tiles.x + i, w->tiles.z + row) ||
                         !ground_tile_borders(tile, borders);
        w->counts[row * w->tiles.columns + i] = borders->count - before;
    }
}

// Puts the rows behind one another.
static bool put_together(const work *w, ground_border_set *out)
{
    size_t tiles = (size_t)w->tiles.rows * (size_t)w->tiles.columns, count = 0;
    for (int row = 0; row < w->tiles.rows; row++) {
        if (w->failed[row])
            return false;
        count += (size_t)w->borders[row].count;
    }
    out->borders = lope_alloc_array(count, sizeof *out->borders);
    out->first = lope_alloc_array(tiles + 1, sizeof *out->first);
    if (!out->borders || !out->first)
        return false;
    for (int row = 0; row < w->tiles.rows; row++) {
        if (w->borders[row].count)
            memcpy(out->borders + out->count, w->borders[row].items,
                   (size_t)w->borders[row].count * sizeof *out->borders);
        out->count += w->borders[row].count;
    }
    out->first[0] = 0;
    for (size_t i = 0; i < tiles; i++)
        out->first[i + 1] = out->first[i] + w->counts[i];
    return true;
}

lope_status ground_borders(const lope_terrain *terrain, const ground_body *body, ground_tiles tiles, lope_jobs *jobs,
                           ground_border_set *out)
{
    *out = (ground_border_set){.tiles = tiles};
    size_t rows = (size_t)tiles.rows, threads = (size_t)lope_jobs_thread_count(jobs);
    work w = {terrain,
              body,
              tiles,
              lope_alloc_zero(threads * sizeof *w.threads),
              lope_alloc_zero(rows * sizeof *w.borders),
              lope_alloc_zero(rows * (size_t)tiles.columns * sizeof *w.counts),
              lope_alloc_zero(rows * sizeof *w.failed)};
    bool fine = w.threads && w.borders && w.counts && w.failed;
    if (fine)
        lope_jobs_run(jobs, tiles.rows, look_at_row, &w);
    fine = fine && put_together(&w, out);
    for (size_t i = 0; w.threads && i < threads; i++)
        ground_tile_free(&w.threads[i]);
    for (size_t i = 0; w.borders && i < rows; i++)
        lope_free(w.borders[i].items);
    lope_free(w.threads), lope_free(w.borders), lope_free(w.counts), lope_free(w.failed);
    if (!fine)
        ground_borders_free(out);
    return fine ? LOPE_OK : LOPE_NO_MEMORY;
}

void ground_borders_free(ground_border_set *set)
{
    lope_free(set->borders);
    lope_free(set->first);
    *set = (ground_border_set){0};
}
