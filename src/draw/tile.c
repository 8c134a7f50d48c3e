// SPDX-License-Identifier: MIT
// A walk tile: on the left all that leads on from one gate, on the right every segment of the tile, coloured by the
// side it leaves by.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/plan.h"

#define SIDE 40.0
#define TOP 70.0

typedef struct page {
    svg out;
    const lope_tile *tile;
    const picture_theme *theme;
    double width;
    svg_point *points; // as many as the longest segment has frames
} page;

// Ahead green, left orange, back grey, right blue.
static svg_colour colour_of(const page *p, int side)
{
    const svg_colour ahead = {64, 160, 84};
    const svg_colour colours[LOPE_TILE_WAYS] = {ahead, p->theme->left, p->theme->muted, p->theme->right, p->theme->ink};
    return colours[side];
}

// Every few frames suffice: nobody sees the difference, and pictures stay small.
static void draw_link(page *p, const plan *ground, int link, double line, int stride)
{
    const lope_tile_link *l = &p->tile->links[link];
    const lope_segment *s = &p->tile->segments[l->segment];
    int count = 0;
    for (int f = 0; f < s->frames - 1 + stride; f += stride) {
        int frame = f < s->frames ? f : s->frames - 1;
        lope_ground at = lope_segment_ground(p->tile->set, s, p->tile->gates[l->from].at, frame);
        p->points[count++] = plan_point(ground, (double)at.x, (double)at.z);
    }
    svg_polyline(&p->out, p->points, count, (svg_pen){colour_of(p, l->side), line, NULL});
}

static plan lay_out(page *p, double left, double *height)
{
    plan ground = {.out = &p->out, .theme = p->theme};
    float reach = 0.6f * p->tile->size;
    plan_include(&ground, (lope_ground){reach, reach, 0.0f});
    plan_include(&ground, (lope_ground){-reach, -reach, 0.0f});
    *height = plan_lay_out(&ground, left, TOP, 0.5 * (p->width - 3.0 * SIDE));
    plan_grid(&ground);
    return ground;
}

static void draw_edges(page *p, const plan *ground)
{
    double half = 0.5 * (double)p->tile->size;
    const double corners[5][2] = {{half, -half}, {half, half}, {-half, half}, {-half, -half}, {half, -half}};
    svg_point points[5];
    for (int i = 0; i < 5; i++)
        points[i] = plan_point(ground, corners[i][0], corners[i][1]);
    svg_polyline(&p->out, points, 5, (svg_pen){p->theme->ink, 1.5, NULL});
}

static int richest_gate(const lope_tile *t)
{
    int best = 0, most = -1;
    for (int g = 0; g < t->gate_count; g++) {
        int count = t->link_first[(g + 1) * LOPE_TILE_WAYS] - t->link_first[g * LOPE_TILE_WAYS];
        if (count > most) {
            most = count;
            best = g;
        }
    }
    return best;
}

static double draw_gate(page *p, int gate)
{
    const lope_tile *t = p->tile;
    double height;
    plan ground = lay_out(p, SIDE, &height);
    draw_edges(p, &ground);
    for (int l = t->link_first[gate * LOPE_TILE_WAYS]; l < t->link_first[(gate + 1) * LOPE_TILE_WAYS]; l++) {
        draw_link(p, &ground, l, 1.0, 2);
        plan_body(&ground, lope_tile_exit(t, t->links[l].side, t->links[l].to), 2.5, colour_of(p, t->links[l].side));
    }
    plan_body(&ground, t->gates[gate].at, 6.0, p->theme->ink);
    return height;
}

static double draw_all(page *p)
{
    const lope_tile *t = p->tile;
    double height;
    plan ground = lay_out(p, 2.0 * SIDE + 0.5 * (p->width - 3.0 * SIDE), &height);
    // Those who turn back are most; they go below the others.
    for (int round = 0; round < 2; round++)
        for (int l = 0; l < t->link_count; l++)
            if ((t->links[l].side == 2) == (round == 0))
                draw_link(p, &ground, l, 0.25, 5);
    draw_edges(p, &ground);
    for (int g = 0; g < t->gate_count; g++)
        plan_body(&ground, t->gates[g].at, 2.5, p->theme->ink);
    return height;
}

static void draw_heading(page *p, double left, const char *text, const char *note)
{
    svg_text(&p->out, (svg_point){left, 28.0}, (svg_font){14, -1, true, p->theme->ink, NULL}, text);
    svg_text(&p->out, (svg_point){left, 48.0}, (svg_font){11, -1, false, p->theme->muted, NULL}, note);
}

static lope_status draw_page(page *p, const char *path, lope_error *error)
{
    const lope_tile *t = p->tile;
    char text[120], note[160];
    int gate = richest_gate(t);
    int ways = t->link_first[(gate + 1) * LOPE_TILE_WAYS] - t->link_first[gate * LOPE_TILE_WAYS];
    snprintf(text, sizeof text, "From one gate: %d segments", ways);
    draw_heading(p, SIDE, text, "ways of the hips; ahead green, left orange, right blue, back grey, to stand black");
    snprintf(text, sizeof text, "All %d segments from the %d gates of a side", t->link_count, t->gate_count);
    snprintf(note, sizeof note, "a tile of %.2f m; the other sides are the same, turned", (double)t->size);
    draw_heading(p, 2.0 * SIDE + 0.5 * (p->width - 3.0 * SIDE), text, note);
    double height = fmax(draw_gate(p, gate), draw_all(p));
    return svg_save(&p->out, path, p->width, TOP + height + SIDE, p->theme->background, "Walk tile", error);
}

lope_status lope_draw_tile(const lope_tile *tile, const lope_draw_def *def, const char *path, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, PICTURE_WIDTH(def));
    if (status)
        return status;
    int longest = 1;
    for (int s = 0; s < tile->segment_count; s++)
        longest = tile->segments[s].frames > longest ? tile->segments[s].frames : longest;
    page p = {.tile = tile, .theme = picture_theme_of(def->dark), .width = (double)def->width};
    p.points = lope_alloc_array((size_t)longest + 1, sizeof *p.points);
    status = p.points ? draw_page(&p, path, error) : lope_fail_memory(error);
    lope_free(p.points);
    svg_free(&p.out);
    return status;
}
