// SPDX-License-Identifier: MIT
// Pictures of motion rings: a loop in reduced space, and the contact spheres around a standing foot.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/picture.h"
#include "lope/rings_build.h"

static const double TOP = 70.0, GAP = 36.0;

// A square in the picture and what part of a plane it shows.
typedef struct ring_panel {
    double left, top, size;
    double x, y, scale; // of the plane: what lies in the square's middle, and pixels per unit
} ring_panel;

static svg_point place(const ring_panel *panel, double x, double y)
{
    return (svg_point){panel->left + 0.5 * panel->size + (x - panel->x) * panel->scale,
                       panel->top + 0.5 * panel->size - (y - panel->y) * panel->scale};
}

static void draw_panel(svg *out, const picture_theme *theme, const ring_panel *panel, const char *text)
{
    svg_rect(out, (svg_point){panel->left, panel->top}, panel->size, panel->size, 6.0, theme->panel);
    svg_text(out, (svg_point){panel->left + 10.0, panel->top + 18.0}, (svg_font){11, -1, false, theme->muted, NULL},
             text);
}

static ring_panel fit_panel(double left, double size, const double low[2], const double high[2])
{
    double span = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-6);
    return (ring_panel){left, TOP, size, 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.84 * size / span};
}

static void title(svg *out, const picture_theme *theme, const char *name, const char *note)
{
    svg_text(out, (svg_point){PICTURE_MARGIN, 34.0}, (svg_font){18, -1, true, theme->ink, NULL}, name);
    svg_text(out, (svg_point){PICTURE_MARGIN, 54.0}, (svg_font){11, -1, false, theme->muted, NULL}, note);
}

// ---- loops

static void draw_curve(svg *out, const ring_panel *panel, const float *curve, int count, const int axes[2], bool close,
                       svg_pen pen)
{
    for (int i = 0; i + (close ? 0 : 1) < count; i++) {
        const float *a = curve + 4 * i, *b = curve + 4 * ((i + 1) % count);
        svg_line(out, place(panel, (double)a[axes[0]], (double)a[axes[1]]),
                 place(panel, (double)b[axes[0]], (double)b[axes[1]]), pen);
    }
}

static void draw_loop_panel(svg *out, const picture_theme *theme, const lope_loop *loop, double left, double size,
                            const int axes[2], const char *text)
{
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int i = 0; i < loop->curve_count; i++)
        for (int d = 0; d < 2; d++) {
            low[d] = fmin(low[d], (double)loop->curve[4 * i + axes[d]]);
            high[d] = fmax(high[d], (double)loop->curve[4 * i + axes[d]]);
        }
    ring_panel panel = fit_panel(left, size, low, high);
    draw_panel(out, theme, &panel, text);
    draw_curve(out, &panel, loop->curve, loop->curve_count, axes, false, (svg_pen){theme->left, 3.0, NULL});
    draw_curve(out, &panel, loop->closed, loop->curve_count, axes, true, (svg_pen){theme->right, 1.4, NULL});
    for (int end = 0; end < 2; end++) {
        const float *p = loop->curve + (end ? 4 * (loop->curve_count - 1) : 0);
        svg_circle(out, place(&panel, (double)p[axes[0]], (double)p[axes[1]]), 4.0,
                   end ? theme->background : theme->left, (svg_pen){theme->left, 1.5, NULL});
    }
}

lope_status lope_draw_loop(const lope_loop *loop, int width, bool dark, const char *path, lope_error *error)
{
    static const int axes[2][2] = {{0, 1}, {0, 2}};
    const picture_theme *theme = picture_theme_of(dark);
    double size = 0.5 * (width - 2.0 * PICTURE_MARGIN - GAP);
    char note[160];
    svg out = {0};
    snprintf(note, sizeof note,
             "one cycle of %d frames in reduced space: as captured (wide), closed (thin); its ends lie "
             "%.1f cm apart",
             loop->period, (double)loop->gap * 100.0);
    title(&out, theme, loop->clip->name, note);
    draw_loop_panel(&out, theme, loop, PICTURE_MARGIN, size, axes[0], "first and second direction");
    draw_loop_panel(&out, theme, loop, PICTURE_MARGIN + size + GAP, size, axes[1], "first and third direction");
    lope_status status =
        svg_save(&out, path, width, TOP + size + PICTURE_MARGIN, theme->background, loop->clip->name, error);
    svg_free(&out);
    return status;
}

// ---- spheres

typedef struct ring_view {
    const lope_rings *rings;
    int ring;
    lope_ring_info info;
    const picture_theme *theme;
} ring_view;

static void add_point(double low[2], double high[2], const double p[2])
{
    for (int d = 0; d < 2; d++) {
        low[d] = fmin(low[d], p[d]);
        high[d] = fmax(high[d], p[d]);
    }
}

// From above x points left, as it does for one who looks ahead; from the side z is to the right.
static void project(lope_vec3 p, bool above, double out[2])
{
    out[0] = above ? -(double)p.x : (double)p.z;
    out[1] = above ? (double)p.z : (double)p.y;
}

static void draw_spheres(svg *out, const ring_view *view, double left, double size, bool above)
{
    double low[2] = {-0.1, -0.1}, high[2] = {0.1, 0.1}, p[2];
    const float radius = 0.2f;
    for (int i = 0; i < view->info.spheres; i++) {
        project(lope_ring_sphere(view->rings, view->ring, LOPE_RIGHT, i, NULL).point, above, p);
        add_point(low, high, p);
    }
    ring_panel panel = fit_panel(left, size, low, high);
    draw_panel(out, view->theme, &panel, "");
    svg_colour faint = svg_mix(view->theme->grid, view->theme->panel, 0.4);
    for (int i = 0; i < view->info.spheres; i++) {
        project(lope_ring_sphere(view->rings, view->ring, LOPE_RIGHT, i, NULL).point, above, p);
        if (i % 6 == 0)
            svg_circle(out, place(&panel, p[0], p[1]), (double)radius * panel.scale, view->theme->panel,
                       (svg_pen){faint, 0.7, NULL});
    }
    for (int i = 0; i < view->info.spheres; i++) {
        lope_vec3 at = lope_ring_sphere(view->rings, view->ring, LOPE_RIGHT, i, NULL).point;
        double share = view->info.high.y > view->info.low.y
                           ? (double)((at.y - view->info.low.y) / (view->info.high.y - view->info.low.y))
                           : 0.5;
        project(at, above, p);
        svg_circle(out, place(&panel, p[0], p[1]), 2.6, svg_mix(view->theme->left, view->theme->right, share),
                   (svg_pen){view->theme->panel, 0.0, NULL});
    }
    for (int s = 0; s < view->info.samples; s++) {
        float weights[LOPE_RING_MAX_SAMPLES] = {0.0f};
        weights[s] = 1.0f;
        project(lope_ring_land(view->rings, view->ring, LOPE_RIGHT, weights).point, above, p);
        svg_circle(out, place(&panel, p[0], p[1]), 4.5, view->theme->panel, (svg_pen){view->theme->ink, 1.4, NULL});
    }
    svg_text(out, (svg_point){left + 10.0, TOP + 18.0},
             (svg_font){11, -1, false, view->theme->muted, &view->theme->panel},
             above ? "from above, ahead is up" : "from the side, ahead is right");
    svg_circle(out, place(&panel, 0.0, 0.0), 6.0, view->theme->ink, (svg_pen){view->theme->panel, 0.0, NULL});
}

lope_status lope_draw_ring(const lope_rings *rings, int ring, int width, bool dark, const char *path, lope_error *error)
{
    ring_view view = {rings, ring, lope_rings_info(rings, ring), picture_theme_of(dark)};
    double size = 0.5 * (width - 2.0 * PICTURE_MARGIN - GAP);
    char note[200];
    svg out = {0};
    snprintf(note, sizeof note,
             "%d contact spheres of the left foot (dots, low to high), every sixth with its radius; "
             "landings of the %d samples (rings); the right foot stands at the black dot",
             view.info.spheres, view.info.samples);
    title(&out, view.theme, view.info.name, note);
    draw_spheres(&out, &view, PICTURE_MARGIN, size, true);
    draw_spheres(&out, &view, PICTURE_MARGIN + size + GAP, size, false);
    lope_status status =
        svg_save(&out, path, width, TOP + size + PICTURE_MARGIN, view.theme->background, view.info.name, error);
    svg_free(&out);
    return status;
}
