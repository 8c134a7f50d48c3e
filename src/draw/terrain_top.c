// SPDX-License-Identifier: MIT
// Terrain from above: triangles coloured by height and shaded by slope, contours, steep faces as lines, prints and
// ways. Grounds with too many triangles are drawn from samples.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/terrain.h"

#define MOST_TRIANGLES 60000
#define FEW_TRIANGLES 4000 // with fewer, large ones are cut
#define SAMPLES 160        // along the longer side, where samples are drawn
#define TALLEST 900.0      // pixels
#define LAYER 1.5f         // metres: what lies this much higher is drawn later
#define BANDS 18           // of height, each with a colour
#define LEVELS 14          // contours, at most
#define MOST_TRACK 3000
#define SHADES 24.0 // steps of brightness, so that neighbours share a path

typedef struct top_map {
    double scale;     // pixels per metre
    svg_point corner; // of the panel
    svg_point size;
    bool turned; // z to the right, x up; otherwise x to the right, z down
} top_map;

typedef struct drawn_triangle {
    lope_vec3 corners[3];
    int layer;
    svg_colour colour;
} drawn_triangle;

typedef struct triangle_list {
    drawn_triangle *items;
    int count, capacity;
} triangle_list;

static svg_point to_page(const ground_page *page, const top_map *map, float x, float z)
{
    double right = (double)(x - page->low.x), down = (double)(z - page->low.z);
    if (map->turned) {
        double swap = right;
        right = down;
        down = (double)(page->high.x - page->low.x) - swap;
    }
    return (svg_point){map->corner.x + map->scale * right, map->corner.y + map->scale * down};
}

static top_map make_map(const ground_page *page)
{
    top_map map = {.corner = {PICTURE_MARGIN, page->top}};
    double wide = fmax((double)(page->high.x - page->low.x), 0.1),
           deep = fmax((double)(page->high.z - page->low.z), 0.1);
    map.turned = deep > 1.3 * wide;
    if (map.turned) {
        double swap = wide;
        wide = deep;
        deep = swap;
    }
    map.scale = fmin(page->width / wide, TALLEST / deep);
    map.size = (svg_point){map.scale * wide, map.scale * deep};
    return map;
}

// ---- what to draw

static svg_colour shade(const ground_page *page, const lope_vec3 c[3])
{
    lope_vec3 normal =
        lope_v3_normalize(lope_v3_cross(lope_v3_sub(c[1], c[0]), lope_v3_sub(c[2], c[0])), lope_v3(0, 1, 0));
    if (normal.y < 0.0f)
        normal = lope_v3_scale(normal, -1.0f);
    // Light from the upper left, as maps have it; level ground keeps its colour.
    double light = (double)(normal.y - 1.0f - 0.9f * normal.x - 0.7f * normal.z);
    light = floor(fmin(fmax(light, -0.6), 0.6) * SHADES + 0.5) / SHADES;
    double steps = BANDS, height = (double)(c[0].y + c[1].y + c[2].y) / 3.0,
           range = (double)(page->high.y - page->low.y);
    double level = floor((height - (double)page->low.y) / fmax(range, 1e-3) * steps + 0.5) / steps;
    svg_colour colour = ground_colour(page, (double)page->low.y + level * range);
    const svg_colour black = {20, 26, 40}, white = {255, 255, 250};
    return light < 0.0 ? svg_mix(colour, black, -0.75 * light) : svg_mix(colour, white, 0.75 * light);
}

// Faces that hardly show from above, such as the risers of stairs.
static bool is_steep(const lope_vec3 c[3])
{
    lope_vec3 across = lope_v3_cross(lope_v3_sub(c[1], c[0]), lope_v3_sub(c[2], c[0]));
    return fabsf(lope_v3_normalize(across, lope_v3(0, 1, 0)).y) < 0.3f;
}

static bool add_triangle(const ground_page *page, triangle_list *list, const lope_vec3 corners[3])
{
    if (list->count == list->capacity) {
        int larger = list->capacity ? 2 * list->capacity : 1024;
        drawn_triangle *grown =
            lope_grow(list->items, (size_t)list->capacity * sizeof *grown, (size_t)larger * sizeof *grown);
        if (!grown)
            return false;
        list->items = grown;
        list->capacity = larger;
    }
    drawn_triangle *t = &list->items[list->count++];
    memcpy(t->corners, corners, sizeof t->corners);
    float highest = fmaxf(corners[0].y, fmaxf(corners[1].y, corners[2].y));
    t->layer = (int)floorf((highest - page->low.y) / LAYER);
    t->colour = shade(page, corners);
    return true;
}

// The border between two colours that lies in the middle of a range of heights; NAN where there is none.
static float border_within(const ground_page *page, float low, float high)
{
    float band = fmaxf(page->high.y - page->low.y, 1e-3f) / (float)BANDS;
    float first = ceilf((low - page->low.y) / band - 0.5f), last = floorf((high - page->low.y) / band - 0.5f);
    float border = page->low.y + (floorf(0.5f * (first + last)) + 0.5f) * band;
    return first <= last && border > low && border < high ? border : NAN;
}

// Slopes are cut where their colour changes.
static bool add_parts(const ground_page *page, triangle_list *list, const lope_vec3 c[3], int depth)
{
    float low = fminf(c[0].y, fminf(c[1].y, c[2].y)), high = fmaxf(c[0].y, fmaxf(c[1].y, c[2].y));
    float border = border_within(page, low, high);
    if (depth == 0 || isnan(border) || is_steep(c))
        return add_triangle(page, list, c);
    int alone = 0; // the corner that has a side of the border for itself
    for (int k = 0; k < 3; k++)
        if ((c[k].y < border) != (c[(k + 1) % 3].y < border) && (c[k].y < border) != (c[(k + 2) % 3].y < border))
            alone = k;
    lope_vec3 a = c[alone], b = c[(alone + 1) % 3], d = c[(alone + 2) % 3];
    lope_vec3 ab = lope_v3_lerp(a, b, (border - a.y) / (b.y - a.y)),
              ad = lope_v3_lerp(a, d, (border - a.y) / (d.y - a.y));
    ab.y = ad.y = border;
    return add_parts(page, list, (lope_vec3[3]){a, ab, ad}, depth - 1) &&
           add_parts(page, list, (lope_vec3[3]){ab, b, d}, depth - 1) &&
           add_parts(page, list, (lope_vec3[3]){ab, d, ad}, depth - 1);
}

static lope_status take_triangles(const ground_page *page, int count, triangle_list *list, lope_error *error)
{
    lope_terrain_triangle *all = lope_alloc_array((size_t)count + 1, sizeof *all);
    bool fits = all != NULL;
    if (fits)
        lope_terrain_triangles(page->terrain, page->low, page->high, all, count);
    for (int i = 0; i < count && fits; i++)
        fits = add_parts(page, list, all[i].corners, count < FEW_TRIANGLES ? 8 : 0);
    lope_free(all);
    return fits ? LOPE_OK : lope_fail_memory(error);
}

static bool sample(const ground_page *page, lope_vec2 step, int column, int row, lope_vec3 *out)
{
    *out = lope_v3(page->low.x + step.x * (float)column, 0.0f, page->low.z + step.z * (float)row);
    return lope_terrain_height(page->terrain, (lope_vec2){out->x, out->z}, &out->y);
}

static lope_status take_samples(const ground_page *page, triangle_list *list, lope_error *error)
{
    float wide = page->high.x - page->low.x, deep = page->high.z - page->low.z, side = fmaxf(wide, deep) / SAMPLES;
    int columns = 1 + (int)(wide / side), rows = 1 + (int)(deep / side);
    lope_vec2 step = {wide / (float)columns, deep / (float)rows};
    for (int i = 0; i < columns * rows; i++) {
        int column = i % columns, row = i / columns;
        lope_vec3 c[4];
        bool all = true;
        for (int k = 0; k < 4; k++)
            all = sample(page, step, column + k % 2, row + k / 2, &c[k]) && all;
        if (!all)
            continue;
        if (!add_triangle(page, list, (lope_vec3[3]){c[0], c[2], c[3]}) ||
            !add_triangle(page, list, (lope_vec3[3]){c[0], c[3], c[1]}))
            return lope_fail_memory(error);
    }
    return LOPE_OK;
}

static int by_layer_and_colour(const void *left, const void *right)
{
    const drawn_triangle *a = left, *b = right;
    if (a->layer != b->layer)
        return a->layer - b->layer;
    int difference = memcmp(&a->colour, &b->colour, sizeof a->colour);
    if (difference)
        return difference;
    return memcmp(a->corners, b->corners, sizeof a->corners); // the same picture from every sort
}

// ---- drawing

static void move_to(svg *out, char letter, svg_point p)
{
    const char text[2] = {letter, 0};
    svg_raw(out, text);
    svg_number(out, p.x);
    svg_raw(out, " ");
    svg_number(out, p.y);
}

// Triangles of one colour in one path. A thin rim in the same colour closes the hair lines between neighbours.
static void draw_triangles(ground_page *page, const top_map *map, const triangle_list *list)
{
    svg *out = &page->out;
    for (int i = 0; i < list->count;) {
        const drawn_triangle *first = &list->items[i];
        svg_raw(out, "<path fill=\"");
        svg_colour_value(out, first->colour);
        svg_raw(out, "\" stroke=\"");
        svg_colour_value(out, first->colour);
        svg_raw(out, "\" stroke-width=\"0.6\" stroke-linejoin=\"round\" d=\"");
        for (; i < list->count && memcmp(&list->items[i].colour, &first->colour, sizeof first->colour) == 0; i++) {
            for (int k = 0; k < 3; k++) {
                lope_vec3 c = list->items[i].corners[k];
                move_to(out, k ? 'L' : 'M', to_page(page, map, c.x, c.z));
            }
            svg_raw(out, "z");
        }
        svg_raw(out, "\"/>\n");
    }
}

static void begin_lines(svg *out, svg_colour colour, const char *width)
{
    svg_raw(out, "<path fill=\"none\" stroke=\"");
    svg_colour_value(out, colour);
    svg_raw(out, "\" stroke-width=\"");
    svg_raw(out, width);
    svg_raw(out, "\" stroke-linecap=\"round\" d=\"");
}

// Faces that hardly show from above are drawn as their longest side.
static void draw_steep(ground_page *page, const top_map *map, const triangle_list *list)
{
    begin_lines(&page->out, svg_mix(page->theme.ink, page->theme.panel, 0.35), "0.9");
    for (int i = 0; i < list->count; i++) {
        const lope_vec3 *c = list->items[i].corners;
        if (!is_steep(c))
            continue;
        int longest = 0;
        float length = -1.0f;
        for (int k = 0; k < 3; k++) {
            lope_vec3 side = lope_v3_sub(c[(k + 1) % 3], c[k]);
            side.y = 0.0f;
            if (lope_v3_length(side) > length) {
                length = lope_v3_length(side);
                longest = k;
            }
        }
        move_to(&page->out, 'M', to_page(page, map, c[longest].x, c[longest].z));
        move_to(&page->out, 'L', to_page(page, map, c[(longest + 1) % 3].x, c[(longest + 1) % 3].z));
    }
    svg_raw(&page->out, "\"/>\n");
}

static void contour_triangle(ground_page *page, const top_map *map, const lope_vec3 c[3], float level)
{
    svg_point ends[2];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        lope_vec3 a = c[k], b = c[(k + 1) % 3];
        if ((a.y < level) == (b.y < level) || count == 2)
            continue;
        lope_vec3 at = lope_v3_lerp(a, b, (level - a.y) / (b.y - a.y));
        ends[count++] = to_page(page, map, at.x, at.z);
    }
    if (count != 2)
        return;
    move_to(&page->out, 'M', ends[0]);
    move_to(&page->out, 'L', ends[1]);
}

static double contour_step(const ground_page *page)
{
    if (page->asked->contour != 0.0f)
        return (double)page->asked->contour;
    return picture_step((double)(page->high.y - page->low.y), LEVELS);
}

static void draw_contours(ground_page *page, const top_map *map, const triangle_list *list)
{
    double step = contour_step(page);
    if (!(step > 0.0) || (double)(page->high.y - page->low.y) / step > 1000.0)
        return;
    begin_lines(&page->out, svg_mix(page->theme.ink, page->theme.panel, 0.5), "0.6");
    for (int i = 0; i < list->count; i++) {
        const lope_vec3 *c = list->items[i].corners;
        if (is_steep(c))
            continue;
        double low = (double)fminf(c[0].y, fminf(c[1].y, c[2].y)), high = (double)fmaxf(c[0].y, fmaxf(c[1].y, c[2].y));
        for (double k = ceil(low / step); k * step <= high; k += 1.0)
            contour_triangle(page, map, c, (float)(k * step));
    }
    svg_raw(&page->out, "\"/>\n");
}

static lope_status draw_way(ground_page *page, const top_map *map, const lope_drawn_track *track, svg_pen pen,
                            lope_error *error)
{
    int stride = ground_stride(track->count, MOST_TRACK), count = 0;
    svg_point *points = lope_alloc_array((size_t)(track->count / stride) + 2, sizeof *points);
    if (!points)
        return lope_fail_memory(error);
    for (int i = 0; i < track->count; i += stride)
        points[count++] = to_page(page, map, track->points[i].x, track->points[i].z);
    if (count > 1)
        svg_polyline(&page->out, points, count, pen);
    lope_free(points);
    return LOPE_OK;
}

static void draw_path_line(ground_page *page, const top_map *map)
{
    const lope_terrain_picture *asked = page->asked;
    if (asked->path_count < 2)
        return;
    begin_lines(&page->out, page->theme.ink, "1.4");
    int stride = ground_stride(asked->path_count, MOST_TRACK);
    for (int i = 0; i < asked->path_count; i += stride)
        move_to(&page->out, i ? 'L' : 'M', to_page(page, map, asked->path[i].x, asked->path[i].z));
    svg_raw(&page->out, asked->track_count || asked->print_count ? "\"/>\n" : "\" stroke-dasharray=\"6 4\"/>\n");
    svg_circle(&page->out, to_page(page, map, asked->path[0].x, asked->path[0].z), 4.0, page->theme.ink,
               (svg_pen){page->theme.panel, 1, NULL});
}

static void draw_prints(ground_page *page, const top_map *map)
{
    for (int i = 0; i < page->asked->print_count; i++) {
        const lope_drawn_print *print = &page->asked->prints[i];
        svg_colour colour = ground_side_colour(page, (int)print->side);
        float x = 0.09f * (float)lope_sin((double)print->yaw), z = 0.09f * (float)lope_cos((double)print->yaw);
        svg_capsule(&page->out, to_page(page, map, print->at.x - x, print->at.z - z), 0.030 * map->scale,
                    to_page(page, map, print->at.x + x, print->at.z + z), 0.043 * map->scale,
                    svg_mix(colour, page->theme.panel, 0.35), (svg_pen){colour, 0.8, NULL});
    }
}

static void draw_key(ground_page *page, const top_map *map)
{
    double metres = picture_step(60.0 / map->scale, 1), right = PICTURE_MARGIN + page->width,
           y = 30.0; // beside the title
    char text[64], number[32];
    snprintf(text, sizeof text, "%s m", picture_label(number, metres, metres));
    svg_pen pen = {page->theme.ink, 1.5, NULL};
    svg_line(&page->out, (svg_point){right - metres * map->scale, y}, (svg_point){right, y}, pen);
    svg_text(&page->out, (svg_point){right - metres * map->scale - 6.0, y + 4.0},
             (svg_font){10, 1, false, page->theme.muted, NULL}, text);
}

static lope_status draw_parts(ground_page *page, const top_map *map, const triangle_list *list, lope_error *error)
{
    lope_status status = LOPE_OK;
    svg_group_begin(&page->out, "terrain", NULL);
    for (int i = 0, end; i < list->count; i = end) { // lines of what lies below are covered by what lies above
        for (end = i; end < list->count && list->items[end].layer == list->items[i].layer;)
            end++;
        const triangle_list layer = {list->items + i, end - i, 0};
        draw_triangles(page, map, &layer);
        draw_contours(page, map, &layer);
        draw_steep(page, map, &layer);
    }
    svg_group_end(&page->out);
    svg_group_begin(&page->out, "walk", NULL);
    draw_path_line(page, map);
    draw_prints(page, map);
    for (int i = 0; i < page->asked->track_count && !status; i++) {
        const lope_drawn_track *track = &page->asked->tracks[i];
        status = draw_way(page, map, track, (svg_pen){ground_side_colour(page, track->side), 1.1, NULL}, error);
    }
    svg_group_end(&page->out);
    return status;
}

lope_status ground_draw_top(ground_page *page, lope_error *error)
{
    char note[160], low[32], high[32], between[32];
    int count = lope_terrain_triangle_count(page->terrain);
    double step = contour_step(page), range = (double)(page->high.y - page->low.y);
    int length =
        snprintf(note, sizeof note, "%d triangles, from %s m (dark) to %s m (light)", count,
                 picture_label(low, (double)page->low.y, 0.01), picture_label(high, (double)page->high.y, 0.01));
    if (step > 0.0 && range > step)
        snprintf(note + length, sizeof note - (size_t)length, "; contours every %s m",
                 picture_label(between, step, step));
    ground_heading(page, "From above", note);
    top_map map = make_map(page);
    draw_key(page, &map);
    svg_rect(&page->out, map.corner, map.size.x, map.size.y, 3, page->theme.panel);
    triangle_list list = {0};
    lope_status status =
        count <= MOST_TRIANGLES ? take_triangles(page, count, &list, error) : take_samples(page, &list, error);
    if (!status) {
        qsort(list.items, (size_t)list.count, sizeof *list.items, by_layer_and_colour);
        status = draw_parts(page, &map, &list, error);
    }
    lope_free(list.items);
    page->top += map.size.y + 22.0;
    return status;
}
