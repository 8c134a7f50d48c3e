// SPDX-License-Identifier: MIT
// What random levels are made of.
#ifndef LOPE_GENERATORS_LEVEL_PLOTS_H
#define LOPE_GENERATORS_LEVEL_PLOTS_H

#include "generators/level_random.h"

#define LEVEL_PLOT_CORE 4.1f // metres around the middle of a plot that stay level

typedef struct maker {
    level_random_def def;
    level_random *out;
    int room; // of known links
    uint64_t state;
    lope_transform at; // of the plot
    int storeys;       // of the plot
    lope_error *error;
    lope_status status;
} maker;

// Random numbers: between two, and a whole one below another.
float maker_range(maker *m, float low, float high);
int maker_below(maker *m, int count);
// Adds a solid in the plot's frame.
void maker_mesh(maker *m, const char *name, const lope_terrain_mesh *mesh);
// A square of so many cells along each side; its vertices are to be set. NULL where m->status says why.
lope_terrain_mesh *maker_grid(maker *m, int cells);
// Makes a plot of a kind, at m->at; tells m->storeys.
void maker_plot(maker *m, int kind);
int maker_plot_count(void);
bool maker_is_tower(int kind);
// A bridge from a storey to the same of the plot before it.
void maker_bridge(maker *m, int storey);

#endif
