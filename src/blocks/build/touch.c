// SPDX-License-Identifier: MIT
// What a performer touches in every frame: a part of the body that the clip says is in contact touches the unit it is
// nearest to, or the floor.
#include "base/error.h"
#include "blocks/build/build.h"
#include "lope/contacts.h"

static lope_box box_in_world(const lope_box *box, lope_spot at)
{
    lope_box out = *box;
    lope_spot centre = lope_spot_mul(at, (lope_spot){box->centre.x, box->centre.y, box->centre.z, 0.0f});
    out.centre = lope_v3(centre.x, centre.y, centre.z);
    out.yaw += at.yaw;
    return out;
}

static float unit_distance(const blocks_build *b, const lope_placed_unit *placed, lope_vec3 point)
{
    const lope_unit *unit = &b->units[placed->unit];
    float least = INFINITY;
    for (int i = 0; i < unit->box_count; i++) {
        lope_box box = box_in_world(&b->stage->boxes[unit->box_first + i], placed->at);
        least = fminf(least, lope_box_distance(&box, point));
    }
    return least;
}

static int touched_unit(const blocks_build *b, const lope_stage_scene *scene, lope_vec3 point)
{
    int nearest = -1;
    float least = b->def->near;
    for (int i = 0; i < scene->placed_count; i++) {
        float distance = unit_distance(b, &b->stage->placed[scene->placed_first + i], point);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

// Captured floors are where somebody said they are: a part that is near one touches it at its height; -1: none.
#define FLOOR_REACH 0.06f
static int touched_floor(const lope_stage_scene *scene, float height)
{
    for (int i = 0; i < scene->floor_count; i++)
        if (fabsf(height - scene->floors[i]) <= FLOOR_REACH)
            return i;
    return -1;
}

// A foot on a captured floor close to the side of a step.
static bool stands_beside(const blocks_build *b, const lope_stage_scene *scene, int unit, float height)
{
    const lope_placed_unit *placed = &b->stage->placed[scene->placed_first + unit];
    return placed->at.y + b->units[placed->unit].high.y > height + FLOOR_REACH;
}

static bool look_at_frame(blocks_build *b, touch_track *t, int frame)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_clip_model(t->clip, frame, b->model);
    lope_contact_points(t->clip->skeleton, b->model, points);
    t->touched[frame] = 0;
    t->base[frame] = NAN;
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++) {
        if (!(t->clip->contacts[frame] >> part & 1))
            continue;
        int unit = touched_unit(b, t->scene, points[part]), floor = touched_floor(t->scene, points[part].y);
        if (floor >= 0 && unit >= 0 && part < 4 && stands_beside(b, t->scene, unit, points[part].y))
            unit = -1;
        if (unit < 0 && t->scene->floor_count && floor < 0)
            continue; // a heel that hangs over an edge
        if (unit < 0 && floor >= 0)
            points[part].y = t->scene->floors[floor];
        bool hand = (1 << part) & (LOPE_CONTACT_LEFT_HAND | LOPE_CONTACT_RIGHT_HAND);
        if (!hand && !(t->base[frame] <= points[part].y))
            t->base[frame] = points[part].y;
        t->touched[frame] |= unit >= 0 ? 1u << unit : ON_FLOOR;
        footing step = {frame, points[part]};
        if (unit < 0 && !hand && !list_add(&t->footings, &step, sizeof step))
            return false;
    }
    b->touching_frames += (t->touched[frame] & ~ON_FLOOR) != 0;
    return true;
}

lope_status touch_track_create(blocks_build *b, const lope_stage_scene *scene, touch_track *out, lope_error *error)
{
    const lope_clip *clip = b->set->clips[scene->clip];
    if (scene->placed_count > MOST_PLACED)
        return lope_fail(error, LOPE_BAD_DATA, "%s is performed on %d units, at most %d can be told apart", clip->name,
                         scene->placed_count, MOST_PLACED);
    if (!clip->contacts)
        return lope_fail(error, LOPE_BAD_DATA, "%s knows no contacts: what it touches cannot be told", clip->name);
    size_t frames = (size_t)clip->frame_count;
    *out = (touch_track){.scene = scene,
                         .clip = clip,
                         .touched = lope_alloc_array(frames, sizeof *out->touched),
                         .base = lope_alloc_array(frames, sizeof *out->base)};
    bool ok = out->touched && out->base;
    for (int frame = 0; frame < clip->frame_count && ok; frame++)
        ok = look_at_frame(b, out, frame);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

void touch_track_destroy(touch_track *track)
{
    lope_free(track->touched);
    lope_free(track->base);
    lope_free(track->footings.items);
    lope_free(track->junctions.items);
}
