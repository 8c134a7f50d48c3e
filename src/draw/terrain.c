// SPDX-License-Identifier: MIT
// Pictures of terrain: checks what is asked for and stacks the parts of the page.
#include "draw/terrain.h"

#include "base/error.h"

lope_terrain_picture lope_terrain_picture_default(void)
{
    return (lope_terrain_picture){.title = "terrain", .width = 1100, .top = true, .profile = true, .path_height = NAN};
}

void ground_heading(ground_page *page, const char *text, const char *note)
{
    page->top += 14.0;
    svg_text(&page->out, (svg_point){PICTURE_MARGIN, page->top}, (svg_font){13, -1, true, page->theme.ink, NULL}, text);
    svg_text(&page->out, (svg_point){PICTURE_MARGIN + svg_text_width(14.5, text) + 8.0, page->top},
             (svg_font){11, -1, false, page->theme.muted, NULL}, note);
    page->top += 10.0;
}

// Low ground is green, high ground sandy: told apart in grey as well, because it grows lighter.
svg_colour ground_colour(const ground_page *page, double height)
{
    static const svg_colour light[] = {{118, 150, 122}, {164, 184, 132}, {214, 204, 156}, {240, 230, 208}};
    static const svg_colour dark[] = {{44, 66, 56}, {72, 92, 66}, {112, 106, 78}, {156, 142, 118}};
    const svg_colour *ramp = page->asked->dark ? dark : light;
    double range = fmax((double)(page->high.y - page->low.y), 1e-3);
    double at = fmin(fmax((height - (double)page->low.y) / range, 0.0), 1.0) * 3.0;
    int step = at >= 2.0 ? 2 : at >= 1.0 ? 1 : 0;
    return svg_mix(ramp[step], ramp[step + 1], at - step);
}

svg_colour ground_side_colour(const ground_page *page, int side)
{
    return side == LOPE_LEFT ? page->theme.left : side == LOPE_RIGHT ? page->theme.right : page->theme.ink;
}

int ground_stride(int count, int most)
{
    return 1 + count / most;
}

static lope_status check(const lope_terrain *terrain, const lope_terrain_picture *asked, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, PICTURE_WIDTH(asked));
    if (status)
        return status;
    if (lope_terrain_triangle_count(terrain) == 0)
        return lope_fail(error, LOPE_BAD_DATA, "the terrain is empty: there is nothing to draw");
    for (int i = 0; i < asked->path_count; i++)
        if (!isfinite(asked->path[i].x) || !isfinite(asked->path[i].z))
            return lope_fail(error, LOPE_BAD_DATA, "place %d of the path is not finite", i);
    if (!asked->top && !(asked->profile && asked->path_count > 1))
        return lope_fail(error, LOPE_BAD_DATA, "nothing to draw: no view from above, and no path for a profile");
    return LOPE_OK;
}

lope_status lope_draw_terrain(const lope_terrain *terrain, const lope_terrain_picture *asked, const char *file,
                              lope_error *error)
{
    lope_status status = check(terrain, asked, error);
    if (status)
        return status;
    ground_page page = {.terrain = terrain,
                        .asked = asked,
                        .theme = *picture_theme_of(asked->dark),
                        .width = asked->width - 2.0 * PICTURE_MARGIN,
                        .top = 34.0};
    lope_terrain_bounds(terrain, &page.low, &page.high);
    svg_text(&page.out, (svg_point){PICTURE_MARGIN, page.top}, (svg_font){16, -1, true, page.theme.ink, NULL},
             asked->title ? asked->title : "terrain");
    page.top += 10.0;
    if (asked->top)
        status = ground_draw_top(&page, error);
    if (!status && asked->profile && asked->path_count > 1)
        status = ground_draw_profile(&page, error);
    if (!status)
        status = svg_save(&page.out, file, (double)asked->width, page.top + 8.0, page.theme.background,
                          asked->title ? asked->title : "terrain", error);
    svg_free(&page.out);
    return status;
}
