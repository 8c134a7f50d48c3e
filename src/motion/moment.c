// SPDX-License-Identifier: MIT
// Moments: places and speeds of the parts that can touch, from two poses.
#include "motion/moment.h"

#include <assert.h>

#include "lope/contacts.h"
#include "lope/ground.h"

#define FEET (LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT)

moment_places lope_moment_places(const lope_skeleton *skeleton, const lope_contact_anatomy *anatomy,
                                 const lope_transform *model)
{
    moment_places places = {.ground = lope_ground_of_model(skeleton, model)};
    lope_contact_places(anatomy, model, places.points);
    return places;
}

static float standing_height(const lope_moment *moment)
{
    unsigned feet = moment->contacts & FEET ? moment->contacts & FEET : FEET;
    float height = INFINITY;
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        if (feet >> part & 1u)
            height = fminf(height, moment->points[part].y);
    return height;
}

void lope_moment_place(lope_moment *moment, const moment_places *before, const moment_places *now)
{
    assert(moment->dt > 0.0f);
    float rate = 1.0f / moment->dt;
    moment->ground = now->ground;
    moment->turning = rate * lope_wrap_angle(now->ground.yaw - before->ground.yaw);
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++) {
        moment->points[part] = now->points[part];
        moment->speeds[part] = lope_v3_scale(lope_v3_sub(now->points[part], before->points[part]), rate);
    }
    if (isnan(moment->height))
        moment->height = standing_height(moment);
}

void lope_moment_complete(lope_moment *moment, lope_transform *model)
{
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(moment->skeleton, &anatomy);
    lope_pose_to_model(moment->skeleton, &moment->before, model);
    moment_places before = lope_moment_places(moment->skeleton, &anatomy, model);
    lope_pose_to_model(moment->skeleton, &moment->now, model);
    moment_places now = lope_moment_places(moment->skeleton, &anatomy, model);
    lope_moment_place(moment, &before, &now);
}
