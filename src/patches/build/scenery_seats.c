// SPDX-License-Identifier: MIT
// Seats from sittings: those of like height in one place are one seat. Its footprint is where the seat point rested and
// room for a body around it.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/scenery.h"

#define SEAT_ROOM 0.2f   // metres around the seat point
#define SAME_PLACE 0.35f // metres between sittings on one seat

typedef struct seat_sum {
    float low_x, high_x, low_z, high_z; // of the seat points
    double height, hips, ahead_x, ahead_z;
} seat_sum;

static bool same_seat(const scenery_rest *a, const scenery_rest *b, const lope_scenery_def *def)
{
    float x = a->at.x - b->at.x, z = a->at.z - b->at.z;
    return fabsf(a->height - b->height) <= def->same_seat && x * x + z * z <= SAME_PLACE * SAME_PLACE;
}

static void add_sitting(lope_scenery_object *seat, seat_sum *sum, const scenery_rest *rest)
{
    seat->holds++;
    sum->low_x = fminf(sum->low_x, rest->at.x);
    sum->high_x = fmaxf(sum->high_x, rest->at.x);
    sum->low_z = fminf(sum->low_z, rest->at.z);
    sum->high_z = fmaxf(sum->high_z, rest->at.z);
    sum->height += (double)rest->height;
    sum->hips += (double)rest->hips;
    sum->ahead_x += (double)(rest->at.x - rest->behind.x);
    sum->ahead_z += (double)(rest->at.z - rest->behind.z);
}

// Half the box of the seat points, turned; it is small beside the room around them.
static void close_seat(lope_scenery_object *seat, const seat_sum *sum)
{
    double yaw = lope_atan2(sum->ahead_x, sum->ahead_z), s = fabs(lope_sin(yaw)), c = fabs(lope_cos(yaw));
    double x = (double)(sum->high_x - sum->low_x), z = (double)(sum->high_z - sum->low_z);
    seat->place = (lope_ground){0.5f * (sum->low_x + sum->high_x), 0.5f * (sum->low_z + sum->high_z), (float)yaw};
    seat->width = 2.0f * SEAT_ROOM + (float)(c * x + s * z);
    seat->depth = 2.0f * SEAT_ROOM + (float)(s * x + c * z);
    seat->height = (float)(sum->height / seat->holds);
    seat->hips = (float)(sum->hips / seat->holds);
}

lope_status scenery_add_seats(lope_scenery *scenery, const scenery_rests *rests, const lope_scenery_def *def,
                              lope_error *error)
{
    bool *taken = lope_alloc_zero((size_t)rests->count * sizeof *taken);
    if (!taken)
        return lope_fail_memory(error);
    lope_status status = LOPE_OK;
    for (int i = 0; !status && i < rests->count; i++) {
        if (rests->items[i].kind != REST_SEAT || taken[i])
            continue;
        lope_scenery_object seat = {.kind = LOPE_SCENERY_SEAT};
        seat.group = scenery_next_group(scenery);
        seat_sum sum = {.low_x = HUGE_VALF, .low_z = HUGE_VALF, .high_x = -HUGE_VALF, .high_z = -HUGE_VALF};
        for (int j = i; j < rests->count; j++)
            if (rests->items[j].kind == REST_SEAT && !taken[j] && same_seat(&rests->items[i], &rests->items[j], def)) {
                add_sitting(&seat, &sum, &rests->items[j]);
                taken[j] = true;
            }
        close_seat(&seat, &sum);
        status = scenery_add(scenery, &seat, error);
    }
    lope_free(taken);
    return status;
}
