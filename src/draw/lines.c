// SPDX-License-Identifier: MIT
// A chart of a few lines: what benchmarks show beside the figures of papers.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/picture.h"

static const double TOP = 78.0, LABELS = 56.0, PLOT = 220.0, BELOW = 44.0;

typedef struct lines_area {
    double left, right, top, bottom, low, high;
    const lope_draw_lines_def *def;
} lines_area;

static double across(const lines_area *a, double x)
{
    double first = a->def->first, last = a->def->last;
    double share = a->def->logarithmic ? log(x / first) / log(last / first) : (x - first) / (last - first);
    return a->left + share * (a->right - a->left);
}

static double up(const lines_area *a, double y)
{
    double share = a->def->logarithmic ? log(y / a->low) / log(a->high / a->low) : y / a->high;
    return a->bottom - share * (a->bottom - a->top);
}

static void find_range(lines_area *a)
{
    a->low = 1e30;
    a->high = 1e-9;
    for (int l = 0; l < a->def->count; l++)
        for (int i = 0; i < a->def->lines[l].count; i++) {
            a->low = fmin(a->low, a->def->lines[l].values[i]);
            a->high = fmax(a->high, a->def->lines[l].values[i]);
        }
    a->high *= a->def->logarithmic ? 1.3 : 1.05;
    a->low = fmin(a->low / 1.3, 0.5 * a->high);
}

static void mark_up(svg *out, const picture_theme *theme, const lines_area *a, double y, double step)
{
    char text[32];
    svg_line(out, (svg_point){a->left, up(a, y)}, (svg_point){a->right, up(a, y)}, (svg_pen){theme->grid, 1.0, NULL});
    svg_text(out, (svg_point){a->left - 8.0, up(a, y) + 4.0}, (svg_font){11, 1, false, theme->muted, NULL},
             picture_label(text, y, step));
}

static void mark_across(svg *out, const picture_theme *theme, const lines_area *a, double x, double step)
{
    char text[32];
    svg_line(out, (svg_point){across(a, x), a->top}, (svg_point){across(a, x), a->bottom},
             (svg_pen){theme->grid, 1.0, NULL});
    svg_text(out, (svg_point){across(a, x), a->bottom + 16.0}, (svg_font){11, 0, false, theme->muted, NULL},
             picture_label(text, x, step));
}

// At every power of ten.
static void mark_powers(svg *out, const picture_theme *theme, const lines_area *a)
{
    for (int power = -9; power <= 12; power++) {
        double value = pow(10.0, power);
        if (value >= a->low && value <= a->high)
            mark_up(out, theme, a, value, value);
        if (value >= a->def->first * 0.999 && value <= a->def->last * 1.001)
            mark_across(out, theme, a, value, value);
    }
}

static void draw_axes(svg *out, const picture_theme *theme, const lines_area *a)
{
    svg_rect(out, (svg_point){a->left, a->top}, a->right - a->left, a->bottom - a->top, 4.0, theme->panel);
    double step = picture_step(a->high, 5), wide = picture_step(a->def->last - a->def->first, 10);
    if (a->def->logarithmic)
        mark_powers(out, theme, a);
    for (double y = 0.0; y <= a->high * 1.0001 && !a->def->logarithmic; y += step)
        mark_up(out, theme, a, y, step);
    for (double x = ceil(a->def->first / wide) * wide; x <= a->def->last + 1e-9 && !a->def->logarithmic; x += wide)
        mark_across(out, theme, a, x, wide);
    svg_text(out, (svg_point){a->right, a->bottom + 34.0}, (svg_font){11, 1, false, theme->muted, NULL},
             a->def->across);
    svg_text(out, (svg_point){a->left, a->top - 8.0}, (svg_font){11, -1, false, theme->muted, NULL}, a->def->up);
}

static lope_status draw_line(svg *out, const lines_area *a, const lope_draw_line *line, svg_pen pen, lope_error *error)
{
    svg_point *points = lope_alloc_array((size_t)line->count, sizeof *points);
    if (!points)
        return lope_fail_memory(error);
    double step = line->count > 1 ? (a->def->last - a->def->first) / (line->count - 1) : 0.0;
    for (int i = 0; i < line->count; i++)
        points[i] = (svg_point){across(a, line->at ? line->at[i] : a->def->first + i * step), up(a, line->values[i])};
    svg_polyline(out, points, line->count, pen);
    for (int i = 0; i < line->count && line->at; i++)
        svg_circle(out, points[i], 2.5, pen.colour, (svg_pen){0});
    lope_free(points);
    return LOPE_OK;
}

static lope_status check_lines(const lope_draw_lines_def *def, lope_error *error)
{
    if (def->logarithmic && !(def->first > 0.0))
        return lope_fail(error, LOPE_BAD_DATA, "first is %g, must be above 0 on a logarithmic axis", def->first);
    for (int l = 0; l < def->count; l++)
        for (int i = 0; i < def->lines[l].count; i++)
            if (!isfinite(def->lines[l].values[i]) || (def->logarithmic && !(def->lines[l].values[i] > 0.0)))
                return lope_fail(error, LOPE_BAD_DATA, "value %d of line '%s' is %g, which cannot be drawn", i,
                                 def->lines[l].name, def->lines[l].values[i]);
    return LOPE_OK;
}

lope_status lope_draw_lines(const lope_draw_lines_def *def, int width, bool dark, const char *path, lope_error *error)
{
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, count, 1, LOPE_DRAW_MOST_LINES),
                   LOPE_RANGE(def, first, -LOPE_LARGE, LOPE_LARGE), LOPE_RANGE(def, last, -LOPE_LARGE, LOPE_LARGE),
                   {"width", width, PICTURE_SMALLEST_WIDTH, PICTURE_LARGEST_WIDTH});
    if (!status && !(def->last > def->first))
        status = lope_fail(error, LOPE_BAD_DATA, "last is %g, must be above first, which is %g", def->last, def->first);
    if (!status)
        status = check_lines(def, error);
    if (status)
        return status;
    const picture_theme *theme = picture_theme_of(dark);
    const svg_colour colours[LOPE_DRAW_MOST_LINES] = {theme->left,  theme->right, theme->ink,
                                                      theme->trunk, theme->muted, theme->head};
    svg out = {0};
    lines_area area = {PICTURE_MARGIN + LABELS, width - PICTURE_MARGIN, TOP, TOP + PLOT, 0.0, 0.0, def};
    find_range(&area);
    svg_text(&out, (svg_point){PICTURE_MARGIN, 34.0}, (svg_font){18, -1, true, theme->ink, NULL}, def->title);
    svg_text(&out, (svg_point){PICTURE_MARGIN, 54.0}, (svg_font){11, -1, false, theme->muted, NULL}, def->note);
    draw_axes(&out, theme, &area);
    double right = area.right;
    for (int l = def->count - 1; l >= 0; l--) {
        const char *dash = l >= 3 ? "5 3" : NULL;
        status = status ? status : draw_line(&out, &area, &def->lines[l], (svg_pen){colours[l], 1.4, dash}, error);
        svg_text(&out, (svg_point){right, TOP - 8.0}, (svg_font){11, 1, true, colours[l], NULL}, def->lines[l].name);
        right -= svg_text_width(11.0, def->lines[l].name) + 18.0;
    }
    if (!status)
        status = svg_save(&out, path, width, TOP + PLOT + BELOW, theme->background, def->title, error);
    svg_free(&out);
    return status;
}
