// SPDX-License-Identifier: MIT
// The picture of `lope follow`: path, places of the body, walk; and the maps that were laid along it.
#include <stdio.h>
#include <stdlib.h>

#include "cli/follow.h"

enum { OUTLINE = 13, MOST_DRAWN = 2500 };

typedef struct lines {
    lope_drawn_path *items;
    lope_vec2 *points;
    int count;
} lines;

static lines lines_of(int count, int points_each)
{
    lines l = {cli_alloc((size_t)(count + 1) * sizeof *l.items),
               cli_alloc((size_t)(count + 1) * (size_t)points_each * sizeof *l.points), 0};
    return l;
}

static void lines_free(lines *l)
{
    free(l->items);
    free(l->points);
}

// A circle around the body at the end of every step.
static void body_lines(const lope_follow *follow, lines *bodies)
{
    for (int i = 0; i < lope_follow_count(follow); i++) {
        lope_ground end = lope_follow_step(follow, i).end;
        lope_vec2 *circle = bodies->points + (size_t)i * OUTLINE;
        for (int k = 0; k < OUTLINE; k++) {
            double angle = 2.0 * LOPE_PI * k / (OUTLINE - 1);
            circle[k] = (lope_vec2){end.x + 0.22f * (float)lope_cos(angle), end.z + 0.22f * (float)lope_sin(angle)};
        }
        bodies->items[bodies->count++] = (lope_drawn_path){circle, OUTLINE};
    }
}

// The way of the hips as it is played, joins blended.
static void hip_line(const lope_clip *played, lines *hips)
{
    for (int f = 0; f < played->frame_count; f++) {
        lope_vec3 at = played->root[f];
        hips->points[f] = (lope_vec2){at.x, at.z};
    }
    hips->items[hips->count++] = (lope_drawn_path){hips->points, played->frame_count};
}

lope_status follow_draw_layers(const follow_picture *picture, const lope_drawn_layer *layers, int count,
                               const char *note, lope_error *error)
{
    const lope_scene *scene = picture->task->scene;
    return lope_draw_layers(scene, layers, count, scene->name, note, 640, picture->dark, picture->output, error);
}

lope_status follow_draw(const follow_picture *picture, const lope_follow *follow, const lope_clip *played,
                        lope_error *error)
{
    char note[96];
    lope_follow_report report = lope_follow_about(follow);
    lines bodies = lines_of(lope_follow_count(follow), OUTLINE), hips = lines_of(1, played->frame_count);
    body_lines(follow, &bodies);
    hip_line(played, &hips);
    const lope_drawn_layer layers[] = {{picture->path, 1, LOPE_INK_PATH},
                                       {bodies.items, bodies.count, LOPE_INK_BODY},
                                       {hips.items, hips.count, LOPE_INK_WALK}};
    snprintf(note, sizeof note, "%d steps, %.1f m for a path of %.1f m", lope_follow_count(follow),
             (double)report.length, (double)report.path_length);
    lope_status status = follow_draw_layers(picture, layers, 3, note, error);
    lines_free(&bodies);
    lines_free(&hips);
    return status;
}

// Steps of the walk that a search found, from its end back.
static void rival_walk(const lope_rival *rival, lines *walk)
{
    int count = 0;
    for (int n = lope_rival_end(rival); n >= 0; n = lope_rival_node_at(rival, n).parent)
        count++;
    int at = count;
    for (int n = lope_rival_end(rival); n >= 0; n = lope_rival_node_at(rival, n).parent) {
        lope_rival_node node = lope_rival_node_at(rival, n);
        walk->points[--at] = (lope_vec2){node.x, node.z};
    }
    walk->items[walk->count++] = (lope_drawn_path){walk->points, count};
}

lope_status follow_draw_rival(const follow_picture *picture, const lope_rival *rival, const char *note,
                              lope_error *error)
{
    int count = lope_rival_node_count(rival), every = count > MOST_DRAWN ? count / MOST_DRAWN : 1;
    lines tree = lines_of(count / every + 1, 2), walk = lines_of(1, count + 1);
    for (int n = 0; n < count; n += every) {
        lope_rival_node node = lope_rival_node_at(rival, n);
        lope_rival_node from = node.parent >= 0 ? lope_rival_node_at(rival, node.parent) : node;
        lope_vec2 *points = tree.points + (size_t)2 * (size_t)tree.count;
        points[0] = (lope_vec2){from.x, from.z};
        points[1] = (lope_vec2){node.x, node.z};
        tree.items[tree.count++] = (lope_drawn_path){points, 2};
    }
    rival_walk(rival, &walk);
    const lope_drawn_layer layers[] = {{tree.items, tree.count, LOPE_INK_TREE},
                                       {picture->path, 1, LOPE_INK_PATH},
                                       {walk.items, walk.count, LOPE_INK_WALK}};
    lope_status status = follow_draw_layers(picture, layers, 3, note, error);
    lines_free(&tree);
    lines_free(&walk);
    return status;
}
