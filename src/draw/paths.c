// SPDX-License-Identifier: MIT
// Many ways over the ground, seen from above: areas, obstacles, one line per character.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/svg.h"
#include "lope/draw.h"

#define MARGIN 24.0
#define HEADING 44.0
#define HUES 8
#define CIRCLE_POINTS 2 // corners that bound a circle

typedef struct paths_page {
    svg out;
    lope_vec2 low, high; // metres
    double scale;        // pixels per metre
    svg_colour ground, panel, ink, muted, solid;
} paths_page;

static svg_point to_page(const paths_page *page, lope_vec2 p)
{
    return (svg_point){MARGIN + page->scale * (double)(p.x - page->low.x),
                       HEADING + page->scale * (double)(p.z - page->low.z)};
}

static void include_place(paths_page *page, lope_vec2 p)
{
    page->low = (lope_vec2){fminf(page->low.x, p.x), fminf(page->low.z, p.z)};
    page->high = (lope_vec2){fmaxf(page->high.x, p.x), fmaxf(page->high.z, p.z)};
}

// Corners of a box or polygon into out[LOPE_MAX_CORNERS]; of a cylinder the corners of its bounding square.
static int corners_of(const lope_scene *scene, const lope_scene_obstacle *o, lope_vec2 *out)
{
    if (o->shape == LOPE_SCENE_CYLINDER) {
        out[0] = (lope_vec2){o->centre.x - o->radius, o->centre.z - o->radius};
        out[1] = (lope_vec2){o->centre.x + o->radius, o->centre.z + o->radius};
        return CIRCLE_POINTS;
    }
    if (o->shape == LOPE_SCENE_POLYGON) {
        int count = o->corner_count < LOPE_MAX_CORNERS ? o->corner_count : LOPE_MAX_CORNERS;
        for (int i = 0; i < count; i++)
            out[i] = scene->corners[o->corner_first + i];
        return count;
    }
    float cosine = (float)lope_cos((double)o->yaw), sine = (float)lope_sin((double)o->yaw);
    for (int i = 0; i < 4; i++) {
        float x = i == 1 || i == 2 ? 0.5f * o->size.x : -0.5f * o->size.x;
        float z = i >= 2 ? 0.5f * o->size.z : -0.5f * o->size.z;
        out[i] = (lope_vec2){o->centre.x + cosine * x + sine * z, o->centre.z - sine * x + cosine * z};
    }
    return 4;
}

static void measure(paths_page *page, const lope_scene *scene, const lope_drawn_path *paths, int count)
{
    lope_vec2 corners[LOPE_MAX_CORNERS];
    page->low = (lope_vec2){1e9f, 1e9f};
    page->high = (lope_vec2){-1e9f, -1e9f};
    if (scene->bounded) {
        include_place(page, scene->low);
        include_place(page, scene->high);
    }
    for (int i = 0; i < scene->obstacle_count; i++)
        for (int k = corners_of(scene, &scene->obstacles[i], corners); k > 0; k--)
            include_place(page, corners[k - 1]);
    for (int i = 0; i < scene->area_count; i++) {
        include_place(page, scene->areas[i].low);
        include_place(page, scene->areas[i].high);
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < paths[i].count; k++)
            include_place(page, paths[i].points[k]);
}

static void draw_areas(paths_page *page, const lope_scene *scene)
{
    for (int i = 0; i < scene->area_count; i++) {
        const lope_scene_area *area = &scene->areas[i];
        svg_point corner = to_page(page, area->low), end = to_page(page, area->high);
        svg_rect(&page->out, corner, end.x - corner.x, end.y - corner.y, 3, svg_mix(page->panel, page->muted, 0.16));
    }
}

static void draw_obstacles(paths_page *page, const lope_scene *scene)
{
    svg_pen outline = {svg_mix(page->solid, page->ink, 0.4), 1, NULL};
    for (int i = 0; i < scene->obstacle_count; i++) {
        const lope_scene_obstacle *o = &scene->obstacles[i];
        lope_vec2 corners[LOPE_MAX_CORNERS];
        svg_point points[LOPE_MAX_CORNERS];
        if (o->shape == LOPE_SCENE_CYLINDER) {
            svg_circle(&page->out, to_page(page, o->centre), (double)o->radius * page->scale, page->solid, outline);
            continue;
        }
        int count = corners_of(scene, o, corners);
        for (int k = 0; k < count; k++)
            points[k] = to_page(page, corners[k]);
        svg_polygon(&page->out, points, count, page->solid, outline);
    }
}

// Colour by the direction from the first to the last point.
static svg_colour colour_of(const lope_drawn_path *path)
{
    static const svg_colour hues[HUES] = {{222, 92, 72},  {224, 148, 48}, {160, 160, 40}, {64, 160, 84},
                                          {40, 158, 168}, {64, 118, 206}, {128, 92, 200}, {200, 84, 160}};
    lope_vec2 a = path->points[0], b = path->points[path->count - 1];
    double turn = (lope_atan2((double)(b.x - a.x), (double)(b.z - a.z)) + LOPE_PI) / (2.0 * LOPE_PI);
    return hues[(int)(turn * HUES) % HUES];
}

static lope_status draw_path_lines(paths_page *page, const lope_drawn_path *paths, int count, lope_error *error)
{
    int longest = 0;
    for (int i = 0; i < count; i++)
        longest = paths[i].count > longest ? paths[i].count : longest;
    svg_point *points = lope_alloc_array((size_t)longest + 1, sizeof *points);
    if (!points)
        return lope_fail_memory(error);
    double width = count > 100 ? 0.7 : count > 10 ? 1.1 : 1.8;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < paths[i].count; k++)
            points[k] = to_page(page, paths[i].points[k]);
        if (paths[i].count > 1)
            svg_polyline(&page->out, points, paths[i].count, (svg_pen){colour_of(&paths[i]), width, NULL});
    }
    for (int i = 0; i < count; i++)
        if (paths[i].count > 0)
            svg_circle(&page->out, to_page(page, paths[i].points[paths[i].count - 1]), fmax(1.5, 0.2 * page->scale),
                       colour_of(&paths[i]), (svg_pen){page->panel, 0.8, NULL});
    lope_free(points);
    return LOPE_OK;
}

static void choose_colours(paths_page *page, bool dark)
{
    page->ground = dark ? (svg_colour){24, 26, 30} : (svg_colour){255, 255, 255};
    page->panel = dark ? (svg_colour){34, 37, 43} : (svg_colour){246, 246, 243};
    page->ink = dark ? (svg_colour){230, 230, 226} : (svg_colour){34, 36, 40};
    page->muted = dark ? (svg_colour){150, 154, 160} : (svg_colour){120, 124, 130};
    page->solid = dark ? (svg_colour){92, 98, 108} : (svg_colour){190, 192, 190};
}

static void draw_heading(paths_page *page, const char *title, const char *text, double width)
{
    svg_text(&page->out, (svg_point){MARGIN, 28}, (svg_font){15, -1, true, page->ink, NULL}, title);
    svg_text(&page->out, (svg_point){width - MARGIN, 28}, (svg_font){12, 1, false, page->muted, NULL}, text);
}

// Scale and ground for what was measured; returns the height of the picture.
static double open_page(paths_page *page, int width)
{
    double wide = fmax((double)(page->high.x - page->low.x), 1.0);
    double deep = fmax((double)(page->high.z - page->low.z), 1.0);
    page->scale = fmax((double)width - 2.0 * MARGIN, 16.0) / wide;
    svg_rect(&page->out, (svg_point){MARGIN, HEADING}, page->scale * wide, page->scale * deep, 4, page->panel);
    return HEADING + page->scale * deep + MARGIN;
}

lope_status lope_draw_paths(const lope_scene *scene, const lope_drawn_path *paths, int count, int width, bool dark,
                            const char *file, lope_error *error)
{
    char text[64];
    paths_page page = {.scale = 1.0};
    choose_colours(&page, dark);
    measure(&page, scene, paths, count);
    double height = open_page(&page, width);
    draw_areas(&page, scene);
    draw_obstacles(&page, scene);
    snprintf(text, sizeof text, "%d character%s", count, count == 1 ? "" : "s");
    draw_heading(&page, scene->name, text, (double)width);
    lope_status status = draw_path_lines(&page, paths, count, error);
    if (!status)
        status = svg_save(&page.out, file, (double)width, height, page.ground, scene->name, error);
    svg_free(&page.out);
    return status;
}

static svg_pen pen_of(const paths_page *page, lope_ink ink)
{
    switch (ink) {
    case LOPE_INK_TREE:
        return (svg_pen){svg_mix(page->panel, (svg_colour){64, 118, 206}, 0.45), 0.5, NULL};
    case LOPE_INK_PATH:
        return (svg_pen){svg_mix(page->panel, page->ink, 0.6), 1.2, "5 4"};
    case LOPE_INK_BODY:
        return (svg_pen){svg_mix(page->panel, (svg_colour){222, 92, 72}, 0.45), 0.7, NULL};
    default:
        return (svg_pen){(svg_colour){222, 92, 72}, 2.2, NULL};
    }
}

static lope_status draw_layer(paths_page *page, const lope_drawn_layer *layer, lope_error *error)
{
    int longest = 0;
    for (int i = 0; i < layer->count; i++)
        longest = layer->lines[i].count > longest ? layer->lines[i].count : longest;
    svg_point *points = lope_alloc_array((size_t)longest + 1, sizeof *points);
    if (!points)
        return lope_fail_memory(error);
    svg_pen pen = pen_of(page, layer->ink);
    for (int i = 0; i < layer->count; i++) {
        const lope_drawn_path *line = &layer->lines[i];
        for (int k = 0; k < line->count; k++)
            points[k] = to_page(page, line->points[k]);
        for (int k = 0; k < line->count && layer->ink == LOPE_INK_DOTS; k++)
            svg_circle(&page->out, points[k], 2.4, (svg_colour){40, 158, 168}, (svg_pen){page->panel, 0.6, NULL});
        if (line->count > 1 && layer->ink != LOPE_INK_DOTS)
            svg_polyline(&page->out, points, line->count, pen);
        if (layer->ink == LOPE_INK_WALK && line->count > 0) {
            svg_circle(&page->out, points[0], 3.0, page->panel, pen);
            svg_circle(&page->out, points[line->count - 1], 4.0, pen.colour, (svg_pen){page->panel, 1.0, NULL});
        }
    }
    lope_free(points);
    return LOPE_OK;
}

lope_status lope_draw_layers(const lope_scene *scene, const lope_drawn_layer *layers, int count, const char *title,
                             const char *note, int width, bool dark, const char *file, lope_error *error)
{
    const lope_scene nothing = {.bounded = false};
    paths_page page = {.scale = 1.0};
    lope_status status = LOPE_OK;
    choose_colours(&page, dark);
    measure(&page, scene ? scene : &nothing, NULL, 0);
    for (int l = 0; l < count; l++)
        for (int i = 0; i < layers[l].count; i++)
            for (int k = 0; k < layers[l].lines[i].count; k++)
                include_place(&page, layers[l].lines[i].points[k]);
    double height = open_page(&page, width);
    draw_areas(&page, scene ? scene : &nothing);
    draw_obstacles(&page, scene ? scene : &nothing);
    draw_heading(&page, title, note, (double)width);
    for (int l = 0; l < count && !status; l++)
        status = draw_layer(&page, &layers[l], error);
    if (!status)
        status = svg_save(&page.out, file, (double)width, height, page.ground, title, error);
    svg_free(&page.out);
    return status;
}
