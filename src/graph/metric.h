// SPDX-License-Identifier: MIT
// What the block search needs of a pose metric: the symmetric distance d of a tile of pose pairs, fast.
//
// Both metrics reduce a transition i -> j to distances between poses that should look alike: after i come i + 1 (what
// would have been shown) and j (what will be). The angle metric takes the mean of d(i+1, j) and d(i, j-1), the point
// cloud d(i, j-1). Either way the cost of i -> j equals that of j-1 -> i+1, so half of all pairs serve.
#ifndef LOPE_SRC_GRAPH_METRIC_H
#define LOPE_SRC_GRAPH_METRIC_H

#include "lope/graph.h"

// A rectangle of pose pairs: rows are poses [row, row + rows), columns poses [column, column + columns). Rows and
// columns may reach beyond the poses there are; such entries are set to LOPE_FAR.
typedef struct metric_tile {
    int row, rows;
    int column, columns;
    int stride;     // floats from one row of values to the next
    float *values;  // [rows * stride]
    float *scratch; // [metric->scratch_floats]
} metric_tile;

#define LOPE_FAR 1e30f

// A pair that is nearer than its eight neighbours; no two of them touch.
typedef struct metric_pair {
    int row, column; // poses
    float distance;
} metric_pair;

typedef struct pose_metric {
    int pose_count;
    float limit; // distances above this need not be exact, only above it
    size_t scratch_floats;
    void (*distances)(const struct pose_metric *metric, const metric_tile *tile);
    // Pairs of a tile within the limit that are local minima of distance, for which the tile needs no values; how many.
    // NULL where minima of distance are not those of cost.
    int (*minima)(const struct pose_metric *metric, const metric_tile *tile, metric_pair *out);
    void (*destroy)(struct pose_metric *metric);
} pose_metric;

// Features of all poses of a set, prepared for one metric. `limit`: see pose_metric.
lope_status pose_metric_angles(const lope_set *set, const lope_transition_def *def, float limit, pose_metric **out,
                               lope_error *error);
lope_status pose_metric_cloud(const lope_set *set, const lope_transition_def *def, float limit, pose_metric **out,
                              lope_error *error);

// Half-width of the point cloud's window in frames.
int cloud_half_window(const lope_set *set, const lope_transition_def *def);

#define TILE_ROWS 128
#define TILE_COLUMNS 512

#endif
