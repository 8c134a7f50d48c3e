// SPDX-License-Identifier: MIT
// The stages of a search as a picture: each a motion map laid where the walk ended, the points of the path that it was
// asked for, and the walk that was taken from it.
#include <stdio.h>
#include <stdlib.h>

#include "cli/follow.h"

enum { MOST_LINES = 1500 };
#define SAMPLE 0.1f // metres between points of the path

typedef struct drawing {
    const lope_maps *maps;
    const lope_follow *follow;
    lope_vec2 *points; // of lines: two each
    lope_drawn_path *lines;
    int line_count, line_room;
    lope_vec2 *dots;
    int dot_count, dot_room;
} drawing;

static void add_line(drawing *d, lope_vec2 a, lope_vec2 b)
{
    if (d->line_count == d->line_room) {
        d->line_room = d->line_room ? 2 * d->line_room : 1024;
        d->points = realloc(d->points, 2 * (size_t)d->line_room * sizeof *d->points);
        if (!d->points)
            abort();
    }
    d->points[2 * d->line_count] = a;
    d->points[2 * d->line_count++ + 1] = b;
}

static void add_dot(drawing *d, lope_vec2 at)
{
    if (d->dot_count == d->dot_room) {
        d->dot_room = d->dot_room ? 2 * d->dot_room : 256;
        d->dots = realloc(d->dots, (size_t)d->dot_room * sizeof *d->dots);
        if (!d->dots)
            abort();
    }
    d->dots[d->dot_count++] = at;
}

static lope_vec2 in_world(lope_ground root, lope_ground at)
{
    lope_ground g = lope_ground_mul(root, at);
    return (lope_vec2){g.x, g.z};
}

// The map of the step that ends at `root`, every so many-th node, and the path ahead as far as it reaches.
static void add_stage(drawing *d, const lope_walk_step *last)
{
    const lope_map *map = &d->maps->maps[last->step];
    const lope_map_node *nodes = d->maps->nodes + map->node_first;
    uint32_t every = map->node_count / MOST_LINES + 1;
    for (uint32_t n = 0; n < map->node_count; n += every) {
        uint32_t parent = lope_map_node_parent(&nodes[n]);
        lope_ground from = parent == LOPE_MAP_ROOT ? (lope_ground){0} : lope_map_node_place(map, &nodes[parent]);
        add_line(d, in_world(last->end, from), in_world(last->end, lope_map_node_place(map, &nodes[n])));
    }
    float path = lope_follow_about(d->follow).path_length, end = last->along + map->reach;
    for (float along = last->along + SAMPLE; along <= end && along <= path; along += SAMPLE) {
        lope_ground at = lope_follow_ahead(d->follow, along);
        add_dot(d, (lope_vec2){at.x, at.z});
    }
}

// The walk up to the end of the stage that is drawn, or all of it.
static int walk_points(const drawing *d, int stage, lope_vec2 *out)
{
    int count = 0;
    lope_walk_step first = lope_follow_step(d->follow, 0);
    out[count++] = (lope_vec2){first.at.x, first.at.z};
    for (int i = 0; i < lope_follow_count(d->follow); i++) {
        lope_walk_step step = lope_follow_step(d->follow, i);
        if (stage == 0 || step.stage <= stage)
            out[count++] = (lope_vec2){step.end.x, step.end.z};
    }
    return count;
}

lope_status follow_draw_stages(const follow_picture *picture, const lope_follow *follow, const lope_maps *maps,
                               lope_error *error)
{
    char note[96];
    int count = lope_follow_count(follow), stages = lope_follow_step(follow, count - 1).stage;
    drawing d = {.maps = maps, .follow = follow};
    for (int i = 0; i < count; i++) {
        lope_walk_step step = lope_follow_step(follow, i);
        bool last = i + 1 == count || lope_follow_step(follow, i + 1).stage > step.stage;
        if (last && step.stage < stages && (picture->stage == 0 || step.stage + 1 == picture->stage))
            add_stage(&d, &step);
    }
    d.lines = cli_alloc(((size_t)d.line_count + 1) * sizeof *d.lines);
    for (int i = 0; i < d.line_count; i++)
        d.lines[i] = (lope_drawn_path){d.points + 2 * (size_t)i, 2};
    lope_vec2 *walk = cli_alloc(((size_t)count + 1) * sizeof *walk);
    lope_drawn_path taken = {walk, walk_points(&d, picture->stage, walk)}, dots = {d.dots, d.dot_count};
    const lope_drawn_layer layers[] = {{d.lines, d.line_count, LOPE_INK_TREE},
                                       {picture->path, 1, LOPE_INK_PATH},
                                       {&taken, 1, LOPE_INK_WALK},
                                       {&dots, 1, LOPE_INK_DOTS}};
    if (picture->stage)
        snprintf(note, sizeof note, "stage %d of %d: map, points that asked it, walk", picture->stage, stages);
    else
        snprintf(note, sizeof note, "%d motion maps laid along the path", stages);
    lope_status status = follow_draw_layers(picture, layers, 4, note, error);
    free(d.points);
    free(d.lines);
    free(d.dots);
    free(walk);
    return status;
}
