// SPDX-License-Identifier: MIT
// Where a mobility map can get a body, over all its states: a grid around a body that faces up, each cell as dark as
// the share of states with a choice that leads through it.
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/plan.h"

#define TOP 62.0
#define SIDE 40.0
#define NOTE 16.0    // pixels of a line
#define NEAREST 1.0f // metres that are drawn to each side, at least
#define LEAST 0.001  // shares below this are not drawn

static void draw_cells(const plan *ground, const picture_theme *theme, const lope_capability *able)
{
    const double size = 2.0 * (double)able->reach / LOPE_CAPABILITY_CELLS;
    for (int line = 0; line < LOPE_CAPABILITY_CELLS; line++)
        for (int column = 0; column < LOPE_CAPABILITY_CELLS; column++) {
            double share = (double)able->shares[line][column];
            if (share < LEAST)
                continue;
            // The plan has x to the left: the far corner in x is the left one on the page.
            svg_point corner =
                plan_point(ground, (column + 1) * size - (double)able->reach, (line + 1) * size - (double)able->reach);
            svg_rect(ground->out, corner, size * ground->scale + 0.3, size * ground->scale + 0.3, 0.0,
                     svg_mix(theme->panel, theme->right, 0.12 + 0.88 * sqrt(share)));
        }
}

// Metres to the farthest end of a choice, in half metres.
static float reach_of(const lope_mobility *map)
{
    float farthest = NEAREST;
    for (int s = 0; s < lope_mobility_state_count(map); s++)
        for (int c = 0; c < lope_mobility_choice_count(map, s); c++) {
            lope_ground end = lope_mobility_choice(map, s, c).end;
            farthest = fmaxf(farthest, fmaxf(fabsf(end.x), fabsf(end.z)));
        }
    return 0.5f * ceilf(2.0f * farthest);
}

static lope_status draw(svg *out, const lope_capability *able, const char *const *notes, const lope_draw_def *def,
                        const char *path, lope_error *error)
{
    const picture_theme *theme = picture_theme_of(def->dark);
    plan ground = {.out = out, .theme = theme};
    char text[160];
    double top = TOP;
    snprintf(text, sizeof text, "Where %d states can get a body", able->states);
    svg_text(out, (svg_point){SIDE, 24.0}, (svg_font){14, -1, true, theme->ink, NULL}, text);
    svg_text(out, (svg_point){SIDE, 42.0}, (svg_font){11, -1, false, theme->muted, NULL},
             "metres around the body, which faces up; the darker, the more states have a choice that leads there");
    for (; notes && *notes; notes++, top += NOTE)
        svg_text(out, (svg_point){SIDE, top - 2.0}, (svg_font){11, -1, false, theme->ink, NULL}, *notes);
    plan_include(&ground, (lope_ground){able->reach, able->reach, 0.0f});
    plan_include(&ground, (lope_ground){-able->reach, -able->reach, 0.0f});
    double height = plan_lay_out(&ground, SIDE, top, def->width - 2.0 * SIDE);
    plan_grid(&ground);
    draw_cells(&ground, theme, able);
    plan_body(&ground, (lope_ground){0.0f, 0.0f, 0.0f}, 6.0, theme->ink);
    return svg_save(out, path, def->width, height + top + SIDE, theme->background, "Capability map", error);
}

lope_status lope_draw_capability(const lope_mobility *map, unsigned tags, const char *const *notes,
                                 const lope_draw_def *def, const char *path, lope_error *error)
{
    svg out = {0};
    lope_status status = LOPE_CHECK(error, PICTURE_WIDTH(def));
    if (status)
        return status;
    lope_capability *able = lope_alloc(sizeof *able);
    status = able ? lope_mobility_capability(map, tags, reach_of(map), able, error) : lope_fail_memory(error);
    if (!status)
        status = draw(&out, able, notes, def, path, error);
    lope_free(able);
    svg_free(&out);
    return status;
}
