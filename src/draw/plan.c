// SPDX-License-Identifier: MIT
// Pictures of the ground around a body.
#include "draw/plan.h"

#define AIR 0.35    // metres for the strokes of facing
#define STROKE 0.25 // metres

void plan_include(plan *p, lope_ground at)
{
    p->left = fmax(p->left, (double)at.x), p->right = fmin(p->right, (double)at.x);
    p->low = fmin(p->low, (double)at.z), p->high = fmax(p->high, (double)at.z);
}

double plan_lay_out(plan *p, double left, double top, double width)
{
    p->left += AIR, p->right -= AIR, p->low -= AIR, p->high += AIR;
    p->scale = width / (p->left - p->right);
    p->origin = (svg_point){left + p->scale * p->left, top + p->scale * p->high};
    return p->scale * (p->high - p->low);
}

svg_point plan_point(const plan *p, double x, double z)
{
    return (svg_point){p->origin.x - p->scale * x, p->origin.y - p->scale * z};
}

void plan_grid(const plan *p)
{
    double step = picture_step(fmax(p->left - p->right, p->high - p->low), 16);
    svg_point corner = plan_point(p, p->left, p->high);
    double width = p->scale * (p->left - p->right), height = p->scale * (p->high - p->low);
    svg_rect(p->out, corner, width, height, 4, p->theme->panel);
    svg_font font = {10, 0, false, p->theme->muted, NULL};
    svg_pen pen = {p->theme->grid, 1, NULL};
    char text[32];
    for (double x = ceil(p->right / step) * step; x <= p->left; x += step) {
        svg_line(p->out, plan_point(p, x, p->low), plan_point(p, x, p->high), pen);
        svg_point at = plan_point(p, x, p->low);
        svg_text(p->out, (svg_point){at.x, at.y + 14.0}, font, picture_label(text, fabs(x), step));
    }
    font.anchor = 1;
    for (double z = ceil(p->low / step) * step; z <= p->high; z += step) {
        svg_line(p->out, plan_point(p, p->left, z), plan_point(p, p->right, z), pen);
        svg_point at = plan_point(p, p->left, z);
        svg_text(p->out, (svg_point){at.x - 6.0, at.y + 3.5}, font, picture_label(text, z, step));
    }
}

void plan_body(const plan *p, lope_ground at, double radius, svg_colour colour)
{
    double x = (double)at.x, z = (double)at.z, yaw = (double)at.yaw;
    svg_point here = plan_point(p, x, z);
    svg_point there = plan_point(p, x + STROKE * lope_sin(yaw), z + STROKE * lope_cos(yaw));
    svg_line(p->out, here, there, (svg_pen){colour, 0.5 * radius, NULL});
    svg_circle(p->out, here, radius, colour, (svg_pen){p->theme->panel, 1, NULL});
}
