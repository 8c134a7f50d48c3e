// SPDX-License-Identifier: MIT
// Terrain cut open along a path: the ground that a walker would follow, other surfaces above and below it, prints, and
// ways unrolled onto the path.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/terrain.h"

#define MOST_SAMPLES 2400
#define FLOORS 8
#define STEP_UP 0.6f      // metres: a walker's ground may rise by so much from sample to sample
#define LEAST_HEIGHT 90.0 // pixels
#define MOST_HEIGHT 420.0
#define LABELS 34.0
#define MOST_TRACK 3000

typedef struct profile {
    int count;
    double length;                    // metres along the path
    double *along;                    // [count]
    float *ground;                    // [count], NAN where there is none
    float (*others)[FLOORS];          // [count], NAN where there are fewer
    float low, high;                  // of everything drawn
    double left, bottom, scale, tall; // pixels; pixels per metre along and up
} profile;

static double distance(lope_vec2 a, lope_vec2 b)
{
    double x = (double)(b.x - a.x), z = (double)(b.z - a.z);
    return sqrt(x * x + z * z);
}

static double path_length(const lope_terrain_picture *asked)
{
    double length = 0.0;
    for (int i = 1; i < asked->path_count; i++)
        length += distance(asked->path[i - 1], asked->path[i]);
    return length;
}

// The place `along` metres from the path's start; *segment goes on from where it was.
static lope_vec2 place_at(const lope_terrain_picture *asked, double along, int *segment, double *begun)
{
    const lope_vec2 *p = asked->path;
    double length = distance(p[*segment], p[*segment + 1]);
    while (*begun + length < along && *segment + 2 < asked->path_count) {
        *begun += length;
        ++*segment;
        length = distance(p[*segment], p[*segment + 1]);
    }
    float t = length > 0.0 ? (float)fmin((along - *begun) / length, 1.0) : 0.0f;
    lope_vec2 a = p[*segment], b = p[*segment + 1];
    return (lope_vec2){a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t};
}

// Of all surfaces at a place, the one that goes on from `before`; falling is always possible.
static int follow(const lope_terrain_hit *hits, int count, float before)
{
    for (int i = 0; i < count; i++)
        if (isnan(before) || hits[i].point.y <= before + STEP_UP)
            return i;
    return -1;
}

static void take_place(profile *p, const ground_page *page, int index, lope_vec2 place, float *before)
{
    lope_terrain_hit hits[FLOORS];
    lope_vec3 above = lope_v3(place.x, page->high.y + 1.0f, place.z);
    int count = lope_terrain_column(page->terrain, above, INFINITY, hits, FLOORS), own = follow(hits, count, *before);
    p->ground[index] = own >= 0 ? hits[own].point.y : NAN;
    for (int i = 0; i < FLOORS; i++)
        p->others[index][i] = i < count && i != own ? hits[i].point.y : NAN;
    for (int i = 0; i < count; i++) {
        p->low = fminf(p->low, hits[i].point.y);
        p->high = fmaxf(p->high, hits[i].point.y);
    }
    // Beyond a gap the ground goes on where it was, not where somebody would have fallen to.
    if (own >= 0 && !(hits[own].point.y < *before - STEP_UP))
        *before = hits[own].point.y;
}

static lope_status measure(profile *p, const ground_page *page, lope_error *error)
{
    p->count = 2 + (int)fmin(p->length / 0.01, MOST_SAMPLES);
    p->along = lope_alloc_array((size_t)p->count, sizeof *p->along);
    p->ground = lope_alloc_array((size_t)p->count, sizeof *p->ground);
    p->others = lope_alloc_array((size_t)p->count, sizeof *p->others);
    if (!p->along || !p->ground || !p->others)
        return lope_fail_memory(error);
    int segment = 0;
    double begun = 0.0;
    float before = page->asked->path_height;
    p->low = INFINITY;
    p->high = -INFINITY;
    for (int i = 0; i < p->count; i++) {
        p->along[i] = p->length * i / (p->count - 1);
        take_place(p, page, i, place_at(page->asked, p->along[i], &segment, &begun), &before);
    }
    for (int i = 0; i < page->asked->track_count; i++)
        for (int k = 0; k < page->asked->tracks[i].count; k++) {
            p->low = fminf(p->low, page->asked->tracks[i].points[k].y);
            p->high = fmaxf(p->high, page->asked->tracks[i].points[k].y);
        }
    if (!(p->low <= p->high))
        p->low = p->high = 0.0f;
    return LOPE_OK;
}

static svg_point to_page(const profile *p, double along, double height)
{
    return (svg_point){p->left + p->scale * along, p->bottom - p->tall * (height - (double)p->low)};
}

// Heights as they are where that can be read, otherwise 2 to 20 times as tall.
static int choose_scale(profile *p, const ground_page *page)
{
    static const int factors[] = {1, 2, 5, 10, 20};
    double range = fmax((double)(p->high - p->low), 0.05), width = page->width - LABELS;
    p->scale = width / fmax(p->length, 0.1);
    if (p->scale * range > MOST_HEIGHT)
        p->scale = MOST_HEIGHT / range;
    int choice = 0;
    while (choice < 4 && p->scale * factors[choice] * range < LEAST_HEIGHT)
        choice++;
    p->tall = p->scale * factors[choice];
    return factors[choice];
}

static void draw_axes(ground_page *page, const profile *p, double height)
{
    svg_point corner = {p->left, p->bottom - height + 8.0};
    svg_rect(&page->out, corner, p->scale * p->length, height, 3, page->theme.panel);
    svg_font font = {10, 1, false, page->theme.muted, NULL};
    char text[32];
    double range = fmax((double)(p->high - p->low), 0.05), step = picture_step(range, 1 + (int)(height / 24.0));
    for (double y = ceil((double)p->low / step) * step; y <= (double)p->high + 1e-6; y += step) {
        svg_point at = to_page(p, 0.0, y);
        svg_line(&page->out, at, (svg_point){p->left + p->scale * p->length, at.y},
                 (svg_pen){page->theme.grid, 1, NULL});
        svg_text(&page->out, (svg_point){at.x - 6.0, at.y + 3.5}, font, picture_label(text, y, step));
    }
    font.anchor = 0;
    step = picture_step(p->length, 12);
    for (double x = 0.0; x <= p->length + 1e-6; x += step)
        svg_text(&page->out, (svg_point){p->left + p->scale * x, p->bottom + 22.0}, font, picture_label(text, x, step));
}

// Whether a sample lies on the line between its neighbours.
static bool is_between(const profile *p, int i)
{
    double before = (double)(p->ground[i] - p->ground[i - 1]), behind = (double)(p->ground[i + 1] - p->ground[i]);
    return fabs(before - behind) * p->tall < 0.01;
}

// The ground from sample `first` to before `end`, filled down to the bottom.
static void fill_ground(ground_page *page, const profile *p, int first, int end, svg_point *points)
{
    int count = 0;
    points[count++] = (svg_point){p->left + p->scale * p->along[first], p->bottom + 8.0};
    for (int i = first; i < end; i++)
        if (i == first || i == end - 1 || !is_between(p, i))
            points[count++] = to_page(p, p->along[i], (double)p->ground[i]);
    points[count++] = (svg_point){p->left + p->scale * p->along[end - 1], p->bottom + 8.0};
    svg_colour fill = svg_mix(page->theme.floor, page->theme.panel, 0.62);
    svg_polygon(&page->out, points, count, fill, (svg_pen){page->theme.panel, 0, NULL});
    svg_polyline(&page->out, points + 1, count - 2, (svg_pen){page->theme.trunk, 1.4, NULL});
}

static void draw_ground(ground_page *page, const profile *p, svg_point *points)
{
    for (int i = 0; i < p->count; i++) {
        int end = i;
        while (end < p->count && !isnan(p->ground[end]))
            end++;
        if (end > i)
            fill_ground(page, p, i, end, points);
        i = end;
    }
}

// Other surfaces, as dots that run into lines.
static void draw_others(ground_page *page, const profile *p)
{
    double half = 0.5 * p->scale * p->length / p->count + 0.3;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < FLOORS; k++) {
            if (isnan(p->others[i][k]))
                continue;
            svg_point at = to_page(p, p->along[i], (double)p->others[i][k]);
            int end = i; // a level stretch is one line
            while (end + 1 < p->count && p->others[end + 1][k] == p->others[i][k])
                p->others[end++][k] = NAN;
            p->others[end][k] = NAN;
            svg_line(&page->out, (svg_point){at.x - half, at.y},
                     (svg_point){p->left + p->scale * p->along[end] + half, at.y},
                     (svg_pen){page->theme.floor, 1, NULL});
        }
}

// How far along the path a point is, looked for from `from` metres on, not farther than 3 m ahead.
static double unroll(const lope_terrain_picture *asked, lope_vec3 at, double from)
{
    double begun = 0.0, best = (double)INFINITY, found = from;
    for (int i = 0; i + 1 < asked->path_count; i++) {
        lope_vec2 a = asked->path[i], b = asked->path[i + 1];
        double length = distance(a, b), x = (double)(b.x - a.x), z = (double)(b.z - a.z);
        if (begun + length >= from - 1.0 && begun <= from + 3.0 && length > 0.0) {
            double t = ((double)(at.x - a.x) * x + (double)(at.z - a.z) * z) / (length * length);
            t = fmin(fmax(t, 0.0), 1.0);
            double dx = (double)a.x + t * x - (double)at.x, dz = (double)a.z + t * z - (double)at.z;
            double along = begun + t * length, away = dx * dx + dz * dz;
            if (away < best && along >= from - 1.0 && along <= from + 3.0) {
                best = away;
                found = along;
            }
        }
        begun += length;
    }
    return found;
}

static lope_status draw_tracks(ground_page *page, const profile *p, lope_error *error)
{
    const lope_terrain_picture *asked = page->asked;
    for (int i = 0; i < asked->track_count; i++) {
        const lope_drawn_track *track = &asked->tracks[i];
        int stride = ground_stride(track->count, MOST_TRACK), count = 0;
        svg_point *points = lope_alloc_array((size_t)(track->count / stride) + 2, sizeof *points);
        if (!points)
            return lope_fail_memory(error);
        double along = 0.0;
        for (int k = 0; k < track->count; k += stride) {
            along = unroll(asked, track->points[k], along);
            points[count++] = to_page(p, along, (double)track->points[k].y);
        }
        if (count > 1)
            svg_polyline(&page->out, points, count, (svg_pen){ground_side_colour(page, track->side), 1, NULL});
        lope_free(points);
    }
    return LOPE_OK;
}

static void draw_prints(ground_page *page, const profile *p)
{
    double along = 0.0;
    for (int i = 0; i < page->asked->print_count; i++) {
        const lope_drawn_print *print = &page->asked->prints[i];
        along = unroll(page->asked, print->at, along);
        svg_point at = to_page(p, along, (double)print->at.y);
        double half = fmax(0.12 * p->scale, 2.0);
        svg_line(&page->out, (svg_point){at.x - half, at.y}, (svg_point){at.x + half, at.y},
                 (svg_pen){ground_side_colour(page, (int)print->side), 3, NULL});
    }
}

static lope_status draw_all(ground_page *page, profile *p, lope_error *error)
{
    svg_point *points = lope_alloc_array((size_t)p->count + 2, sizeof *points);
    if (!points)
        return lope_fail_memory(error);
    int factor = choose_scale(p, page);
    char note[120];
    if (factor > 1)
        snprintf(note, sizeof note, "metres along the path and up; heights are drawn %d times as tall", factor);
    else
        snprintf(note, sizeof note, "metres along the path and up");
    ground_heading(page, "Along the path", note);
    double height = p->tall * fmax((double)(p->high - p->low), 0.05) + 24.0;
    p->left = PICTURE_MARGIN + LABELS;
    p->bottom = page->top + height - 8.0;
    draw_axes(page, p, height);
    svg_group_begin(&page->out, "profile", NULL);
    draw_ground(page, p, points);
    draw_others(page, p);
    lope_status status = draw_tracks(page, p, error);
    draw_prints(page, p);
    svg_group_end(&page->out);
    page->top = p->bottom + 34.0;
    lope_free(points);
    return status;
}

lope_status ground_draw_profile(ground_page *page, lope_error *error)
{
    profile p = {.length = path_length(page->asked)};
    if (!(p.length > 1e-3))
        return LOPE_OK;
    lope_status status = measure(&p, page, error);
    if (!status)
        status = draw_all(page, &p, error);
    lope_free(p.along);
    lope_free(p.ground);
    lope_free(p.others);
    return status;
}
