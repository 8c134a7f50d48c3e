// SPDX-License-Identifier: MIT
// Contact bars over time, and the time axis that they share with curves.
#include "draw/chart.h"

#include "base/error.h"
#include "lope/contacts.h"

double chart_x(const chart *area, double seconds)
{
    return area->left + (area->right - area->left) * (seconds - area->start) / (area->end - area->start);
}

double chart_y(const chart *area, double value)
{
    return area->bottom - (area->bottom - area->top) * (value - area->low) / (area->high - area->low);
}

chart chart_begin(const picture *page, double height)
{
    double start = picture_seconds(page, page->first), end = picture_seconds(page, page->last);
    if (!(end > start)) // one frame: show it as long as it lasts
        end = start + 1.0 / page->clip->frame_rate;
    double left = PICTURE_MARGIN + CHART_LABELS;
    return (chart){left, PICTURE_MARGIN + picture_width(page), page->top, page->top + height, start, end, 0.0, 1.0};
}

void chart_time_axis(picture *page, const chart *area, bool numbers)
{
    svg_rect(&page->out, (svg_point){area->left, area->top}, area->right - area->left, area->bottom - area->top, 0,
             page->theme.panel);
    int most = (int)((area->right - area->left) / 62.0);
    double step = picture_step(area->end - area->start, most < 2 ? 2 : most);
    svg_font font = {10, 0, false, page->theme.muted, NULL};
    char text[32];
    for (double t = ceil(area->start / step - 1e-9) * step; t <= area->end + 1e-9; t += step) {
        double x = chart_x(area, t);
        svg_line(&page->out, (svg_point){x, area->top}, (svg_point){x, area->bottom},
                 (svg_pen){page->theme.grid, 1, NULL});
        if (numbers && x < area->right - 20.0)
            svg_text(&page->out, (svg_point){x, area->bottom + 14.0}, font, picture_label(text, t, step));
    }
    font.anchor = 1;
    if (numbers)
        svg_text(&page->out, (svg_point){area->right, area->bottom + 14.0}, font, "s");
}

static shape_side side_of(int part)
{
    unsigned left = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_LEFT_HAND | LOPE_CONTACT_LEFT_KNEE;
    return part + 1 == LOPE_CONTACT_COUNT ? SHAPE_TRUNK
           : left >> part & 1             ? SHAPE_LEFT
                                          : SHAPE_RIGHT; // the seat is last
}

static void draw_bars(picture *page, const chart *area, int part, double y, double height)
{
    const svg_colour colours[] = {page->theme.trunk, page->theme.head, page->theme.left, page->theme.right};
    double half = 0.5 / page->clip->frame_rate; // a frame stands for the time around it
    for (int f = page->first, end; f <= page->last; f = end + 1) {
        for (end = f; end <= page->last && page->contacts[end] >> part & 1; end++)
            ;
        if (end == f)
            continue;
        double from = fmax(area->start, picture_seconds(page, f) - half);
        double to = fmin(area->end, picture_seconds(page, end - 1) + half), left = chart_x(area, from);
        svg_rect(&page->out, (svg_point){left, y}, fmax(chart_x(area, to) - left, 0.5), height, 2.5,
                 colours[side_of(part)]);
    }
}

lope_status draw_contacts(picture *page, lope_error *error)
{
    (void)error;
    unsigned touched = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT;
    for (int f = page->first; page->contacts && f <= page->last; f++)
        touched |= page->contacts[f];
    int count = 0;
    for (int r = 0; r < LOPE_CONTACT_COUNT; r++)
        count += (int)(touched >> r & 1);
    const double height = 17.0;
    svg_group_begin(&page->out, "contacts", NULL);
    picture_heading(page, "Contacts", page->contacts ? NULL : "not known: the skeleton is not a biped");
    if (page->contacts) {
        chart area = chart_begin(page, count * height + 4.0);
        chart_time_axis(page, &area, true);
        double y = area.top + 2.0;
        for (int r = 0; r < LOPE_CONTACT_COUNT; r++) {
            if (!(touched >> r & 1))
                continue;
            svg_text(&page->out, (svg_point){area.left - 8.0, y + 12.5},
                     (svg_font){11, 1, false, page->theme.ink, NULL}, lope_contact_name(r));
            draw_bars(page, &area, r, y + 3.0, height - 6.0);
            y += height;
        }
        page->top = area.bottom + 38.0;
    }
    svg_group_end(&page->out);
    return LOPE_OK;
}
