// SPDX-License-Identifier: MIT
// Ladders: levels above one another, on a steep way up, with hands that hold on. The rungs are at lowest + pitch * k,
// by least squares through all rests of feet. Hands do not take part: they often hold the rails.
#include <math.h>

#include "patches/build/scenery.h"

#define LADDER_WIDTH 0.5 // metres from the middle within which the holds of a ladder lie above one another
#define LEAST_HOLDS 4
#define FIT 0.025 // metres: root mean square distance of feet from the rungs

// Rungs through all feet above the floor. Returns the root mean square distance.
static double fit_rungs(const scenery_levels *l, double *pitch, double *lowest)
{
    double gap = HUGE_VAL;
    for (int level = 2; level <= l->count; level++)
        gap = fmin(gap, l->heights[level] - l->heights[level - 1]);
    double n = 0.0, k = 0.0, h = 0.0, kk = 0.0, kh = 0.0, hh = 0.0;
    int rung = 0;
    for (int level = 1; level <= l->count; level++) {
        rung += level > 1 ? (int)lround((l->heights[level] - l->heights[level - 1]) / gap) : 0;
        double floor = scenery_mean_height(l, level) - l->heights[level];
        for (int i = l->first[level]; i < l->first[level + 1]; i++) {
            double height = (double)l->feet[i]->height - floor;
            n += 1.0, k += rung, h += height;
            kk += (double)rung * rung, kh += rung * height, hh += height * height;
        }
    }
    *pitch = (kh - k * h / n) / (kk - k * k / n);
    *lowest = (h - *pitch * k) / n;
    double square = hh - h * h / n - *pitch * (kh - k * h / n);
    return sqrt(fmax(square, 0.0) / n);
}

// A ladder's footprint and what the hands say; false where there are too few holds above one another.
static bool measure_ladder(const scenery_levels *l, const scenery_rests *rests, lope_scenery_object *ladder)
{
    scenery_extent ahead = SCENERY_NOTHING, aside = SCENERY_NOTHING;
    double middle = 0.0;
    int feet = l->first[l->count + 1] - l->first[1], hands = 0;
    // The last step of a long climb may be off the ladder.
    int on_it = l->count > LEAST_HOLDS ? l->first[l->count] - l->first[1] : feet;
    for (int i = l->first[1]; i < l->first[l->count + 1]; i++)
        middle += scenery_across(l, l->feet[i]->at) / feet;
    for (int i = 0; i < rests->count + feet; i++) {
        const scenery_rest *rest = i < feet ? l->feet[l->first[1] + i] : &rests->items[i - feet];
        bool hand = i >= feet;
        if ((hand && (rest->kind != REST_HAND || rest->height < (float)l->heights[1])) ||
            fabs(scenery_across(l, rest->at) - middle) > LADDER_WIDTH)
            continue;
        double side = scenery_across(l, rest->at), ahead_of_it = scenery_along(l, rest->at);
        scenery_include(&aside, side - SCENERY_FOOT_HALF_WIDTH, side + SCENERY_FOOT_HALF_WIDTH);
        if (!hand && i < on_it)
            scenery_include(&ahead, ahead_of_it - SCENERY_FOOT_HALF_WIDTH, ahead_of_it + SCENERY_FOOT_HALF_WIDTH);
        if (hand)
            ladder->top = fmaxf(ladder->top, rest->height);
        hands += hand;
        ladder->holds++;
    }
    scenery_place(l, ahead, aside, ladder);
    return ladder->holds >= LEAST_HOLDS && feet >= 3 && (hands > 0 || !rests->has_hands);
}

bool scenery_make_ladder(const scenery_levels *l, const scenery_rests *rests, lope_scenery_object *ladder)
{
    if (l->count < 3 || l->run > SCENERY_STEEP)
        return false;
    double pitch, lowest;
    if (fit_rungs(l, &pitch, &lowest) > FIT)
        return false;
    *ladder = (lope_scenery_object){
        .kind = LOPE_SCENERY_LADDER, .pitch = (float)pitch, .lowest = (float)lowest, .run = (float)l->run};
    ladder->height = (float)l->heights[l->count];
    ladder->top = ladder->height;
    return measure_ladder(l, rests, ladder);
}
