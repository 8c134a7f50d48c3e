// SPDX-License-Identifier: MIT
// Free space from above: the triangles it is made of, what a disc sweeps on its way, and the edges it crosses.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/svg.h"
#include "lope/draw.h"

#define MARGIN 24.0
#define HEADING 44.0

typedef struct space_page {
    svg out;
    lope_vec2 low, high; // metres
    double scale;        // pixels per metre
    svg_colour ground, panel, ink, muted, solid, band, way, gate;
} space_page;

static svg_point to_page(const space_page *page, lope_vec2 p)
{
    return (svg_point){MARGIN + page->scale * (double)(p.x - page->low.x),
                       HEADING + page->scale * (double)(p.z - page->low.z)};
}

static void choose_colours(space_page *page, bool dark)
{
    page->ground = dark ? (svg_colour){24, 26, 30} : (svg_colour){255, 255, 255};
    page->panel = dark ? (svg_colour){34, 37, 43} : (svg_colour){246, 246, 243};
    page->ink = dark ? (svg_colour){230, 230, 226} : (svg_colour){34, 36, 40};
    page->muted = dark ? (svg_colour){150, 154, 160} : (svg_colour){120, 124, 130};
    page->solid = dark ? (svg_colour){92, 98, 108} : (svg_colour){190, 192, 190};
    page->band = dark ? (svg_colour){44, 62, 92} : (svg_colour){216, 228, 246};
    page->way = (svg_colour){64, 118, 206};
    page->gate = (svg_colour){224, 148, 48};
}

static void measure(space_page *page, const lope_space_triangle *triangles, int count)
{
    page->low = (lope_vec2){INFINITY, INFINITY};
    page->high = (lope_vec2){-INFINITY, -INFINITY};
    for (int i = 0; i < 3 * count; i++) {
        lope_vec2 p = triangles[i / 3].corners[i % 3];
        page->low = (lope_vec2){fminf(page->low.x, p.x), fminf(page->low.z, p.z)};
        page->high = (lope_vec2){fmaxf(page->high.x, p.x), fmaxf(page->high.z, p.z)};
    }
}

static bool before(lope_vec2 a, lope_vec2 b)
{
    return a.x < b.x || (a.x == b.x && a.z < b.z);
}

// An edge belongs to two triangles: free ones draw it, one of them where nothing runs along it.
static void draw_edges(space_page *page, const lope_space_triangle *t)
{
    svg_pen thin = {svg_mix(page->panel, page->muted, 0.5), 0.6, NULL}, wall = {page->ink, 1.4, NULL};
    for (int i = 0; i < 3; i++) {
        lope_vec2 a = t->corners[i], b = t->corners[(i + 1) % 3];
        if (t->blocked || (!t->walls[i] && !before(a, b)))
            continue;
        svg_line(&page->out, to_page(page, a), to_page(page, b), t->walls[i] ? wall : thin);
    }
}

static void draw_triangles(space_page *page, const lope_space_triangle *triangles, int count)
{
    svg_group_begin(&page->out, "triangles", NULL);
    for (int i = 0; i < count; i++) {
        svg_point corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = to_page(page, triangles[i].corners[k]);
        // With an outline of their own colour no seams show between them.
        if (triangles[i].blocked)
            svg_polygon(&page->out, corners, 3, page->solid, (svg_pen){page->solid, 0.5, NULL});
    }
    for (int i = 0; i < count; i++)
        draw_edges(page, &triangles[i]);
    svg_group_end(&page->out);
}

static void draw_band(space_page *page, const svg_point *points, int count, double clearance)
{
    svg_pen none = {page->band, 0.0, NULL};
    double radius = page->scale * clearance;
    for (int i = 0; i < count; i++)
        svg_circle(&page->out, points[i], radius, page->band, none);
    for (int i = 1; i < count; i++)
        svg_capsule(&page->out, points[i - 1], radius, points[i], radius, page->band, none);
}

static void draw_way(space_page *page, const lope_path *path, const svg_point *points, double clearance)
{
    svg_group_begin(&page->out, "way", NULL);
    for (int i = 0; i < path->portal_count; i++)
        svg_line(&page->out, to_page(page, path->portals[i].left), to_page(page, path->portals[i].right),
                 (svg_pen){page->gate, 0.9, NULL});
    svg_polyline(&page->out, points, path->point_count, (svg_pen){page->way, 2.2, NULL});
    for (int i = 0; i < 2; i++) {
        svg_point end = points[i ? path->point_count - 1 : 0];
        svg_circle(&page->out, end, fmax(2.5, 0.3 * page->scale * clearance), page->way,
                   (svg_pen){page->panel, 1.0, NULL});
    }
    svg_group_end(&page->out);
}

static void draw_heading(space_page *page, const char *title, int triangles, const lope_path *path, double clearance,
                         double width)
{
    char text[128];
    int written = snprintf(text, sizeof text, "%d triangles", triangles);
    if (path->point_count)
        snprintf(text + written, sizeof text - (size_t)written, ", %.2f m with a clearance of %.2f m",
                 (double)path->length, clearance);
    svg_text(&page->out, (svg_point){MARGIN, 28}, (svg_font){15, -1, true, page->ink, NULL}, title);
    svg_text(&page->out, (svg_point){width - MARGIN, 28}, (svg_font){12, 1, false, page->muted, NULL}, text);
}

// What is drawn beside the triangles.
typedef struct space_picture {
    const lope_path *path;
    float clearance;
    const lope_draw_def *def;
    const char *title, *file;
} space_picture;

static lope_status draw_page(const space_picture *p, const lope_space_triangle *triangles, int count, svg_point *points,
                             lope_error *error)
{
    space_page page = {.scale = 1.0};
    const lope_path *path = p->path;
    choose_colours(&page, p->def->dark);
    measure(&page, triangles, count);
    double wide = (double)(page.high.x - page.low.x), deep = (double)(page.high.z - page.low.z);
    page.scale = fmax((double)p->def->width - 2.0 * MARGIN, 16.0) / wide;
    for (int i = 0; i < path->point_count; i++)
        points[i] = to_page(&page, path->points[i]);
    svg_rect(&page.out, (svg_point){MARGIN, HEADING}, page.scale * wide, page.scale * deep, 0, page.panel);
    draw_band(&page, points, path->point_count, (double)p->clearance);
    draw_triangles(&page, triangles, count);
    if (path->point_count)
        draw_way(&page, path, points, (double)p->clearance);
    draw_heading(&page, p->title, count, path, (double)p->clearance, (double)p->def->width);
    double height = HEADING + page.scale * deep + MARGIN;
    lope_status status = svg_save(&page.out, p->file, (double)p->def->width, height, page.ground, p->title, error);
    svg_free(&page.out);
    return status;
}

// Triangles of passages, or of a local clearance triangulation.
static int triangles_of(const lope_passages *passages, const lope_lct *lct, lope_space_triangle *out, int capacity)
{
    return lct ? lope_lct_triangles(lct, out, capacity) : lope_passages_triangles(passages, out, capacity);
}

static lope_status draw_space(const lope_passages *passages, const lope_lct *lct, const space_picture *p,
                              lope_error *error)
{
    int count = triangles_of(passages, lct, NULL, 0);
    lope_space_triangle *triangles = lope_alloc_array((size_t)count + 1, sizeof *triangles);
    svg_point *points = lope_alloc_array((size_t)p->path->point_count + 1, sizeof *points);
    lope_status status = triangles && points ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        triangles_of(passages, lct, triangles, count);
        status = draw_page(p, triangles, count, points, error);
    }
    lope_free(triangles);
    lope_free(points);
    return status;
}

lope_status lope_draw_space(const lope_passages *passages, const lope_path *path, float clearance,
                            const lope_draw_def *def, const char *title, const char *file, lope_error *error)
{
    return draw_space(passages, NULL, &(space_picture){path, clearance, def, title, file}, error);
}

lope_status lope_draw_lct(const lope_lct *lct, const lope_path *path, float clearance, const lope_draw_def *def,
                          const char *title, const char *file, lope_error *error)
{
    return draw_space(NULL, lct, &(space_picture){path, clearance, def, title, file}, error);
}
