// SPDX-License-Identifier: MIT
// Where feet, hands and the seat of a performer rest. Feet and hands come from the finder of contacts; a seat is a
// pelvis that stays while the thighs are raised, the trunk is upright and the knees are off the floor. Heights and
// places are medians: a foot that rolls in or off does not move them.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/contact_find.h"
#include "motion/contact_segments.h"
#include "patches/build/scenery.h"

#define SEAT_ENTER_SPEED 0.08f // metres per second: sitters breathe and shift
#define SEAT_LEAVE_SPEED 0.15f
#define SEAT_LEAVE_HEIGHT 0.05f
#define LEAST_SEAT 0.12f   // metres: what is lower is the floor
#define THIGH_RAISED 0.82f // cosine of the least angle between the thighs and the vertical, 35 degrees
#define TRUNK_UPRIGHT 0.5f // cosine of the largest angle between the trunk and the vertical
#define LEAST_KNEE 0.2f    // metres above the floor

static lope_status append(scenery_rests *rests, const scenery_rest *rest, lope_error *error)
{
    if (rests->count == rests->capacity) {
        int capacity = rests->capacity ? 2 * rests->capacity : 64;
        scenery_rest *grown =
            lope_grow(rests->items, (size_t)rests->count * sizeof *grown, (size_t)capacity * sizeof *grown);
        if (!grown)
            return lope_fail_memory(error);
        rests->items = grown;
        rests->capacity = capacity;
    }
    rests->items[rests->count++] = *rest;
    return LOPE_OK;
}

static float median(float *values, int count)
{
    lope_sort_heights(values, count);
    return 0.5f * (values[(count - 1) / 2] + values[count / 2]);
}

// Component by component over the frames of a rest, or those of them in which `only` touches as well (-1: all);
// `scratch` has room for all of them. False where there is no such frame.
typedef struct touching {
    const uint16_t *contacts;
    int only;
} touching;
static bool median_place(const lope_vec3 *points, const scenery_rest *rest, touching while_touching, float *scratch,
                         lope_vec3 *out)
{
    float middle[3] = {0};
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        count = 0;
        for (int f = rest->first; f <= rest->last; f++)
            if (while_touching.only < 0 || while_touching.contacts[f] >> while_touching.only & 1)
                scratch[count++] = axis == 0 ? points[f].x : axis == 1 ? points[f].y : points[f].z;
        if (count)
            middle[axis] = median(scratch, count);
    }
    if (count)
        *out = lope_v3(middle[0], middle[1], middle[2]);
    return count > 0;
}

static const touching ALWAYS = {NULL, -1};

static void measure_foot(const lope_contact_tracks *tracks, const uint16_t *contacts, int ball, float *scratch,
                         scenery_rest *foot)
{
    const lope_vec3 *heel = tracks->points[ball - 1];
    foot->flat = median_place(heel, foot, (touching){contacts, ball - 1}, scratch, &foot->behind);
    if (!foot->flat)
        median_place(heel, foot, ALWAYS, scratch, &foot->behind);
}

// Runs of frames in which a ball or hand touches.
static lope_status add_touches(const lope_contact_tracks *tracks, const uint16_t *contacts, int part,
                               const lope_scenery_def *def, float *scratch, scenery_rests *out, lope_error *error)
{
    bool foot = part <= PART_RIGHT_TOE;
    int least = (int)((double)def->stand_time * tracks->frame_rate + 0.5);
    for (int f = 0; f < tracks->frame_count; f++) {
        scenery_rest rest = {.kind = foot ? REST_FOOT : REST_HAND, .first = f};
        while (f < tracks->frame_count && contacts[f] >> part & 1)
            f++;
        rest.last = f - 1;
        if (f - rest.first < (least > 1 ? least : 1))
            continue;
        median_place(tracks->points[part], &rest, ALWAYS, scratch, &rest.at);
        rest.behind = rest.at;
        if (foot)
            measure_foot(tracks, contacts, part, scratch, &rest);
        rest.height = rest.at.y - out->floor;
        lope_status status = append(out, &rest, error);
        if (status)
            return status;
    }
    return LOPE_OK;
}

static bool thigh_raised(const lope_skeleton *skeleton, const lope_transform *model, lope_role hip, lope_role knee)
{
    lope_vec3 thigh = lope_v3_sub(model[skeleton->roles[knee]].translation, model[skeleton->roles[hip]].translation);
    return -thigh.y < THIGH_RAISED * lope_v3_length(thigh);
}

static bool sits(const lope_clip *clip, const lope_contact_tracks *tracks, int frame, float floor,
                 lope_transform *model)
{
    lope_clip_model(clip, frame, model);
    lope_vec3 trunk = lope_v3_sub(tracks->chest[frame], tracks->points[PART_SEAT][frame]);
    return tracks->points[PART_SEAT][frame].y > floor + LEAST_SEAT && trunk.y > TRUNK_UPRIGHT * lope_v3_length(trunk) &&
           tracks->points[PART_LEFT_KNEE][frame].y > floor + LEAST_KNEE &&
           tracks->points[PART_RIGHT_KNEE][frame].y > floor + LEAST_KNEE &&
           thigh_raised(clip->skeleton, model, LOPE_LEFT_HIP, LOPE_LEFT_KNEE) &&
           thigh_raised(clip->skeleton, model, LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE);
}

// The sitter faces along the thighs.
static void measure_seat(const lope_clip *clip, const lope_contact_tracks *tracks, lope_transform *model,
                         float *scratch, scenery_rest *rest, float floor)
{
    const int *roles = clip->skeleton->roles;
    median_place(tracks->points[PART_SEAT], rest, ALWAYS, scratch, &rest->at);
    rest->height = rest->at.y - floor;
    for (int f = rest->first; f <= rest->last; f++) {
        lope_clip_model(clip, f, model);
        scratch[f - rest->first] = model[roles[LOPE_HIPS]].translation.y;
    }
    rest->hips = median(scratch, rest->last - rest->first + 1) - floor;
    lope_clip_model(clip, (rest->first + rest->last) / 2, model);
    lope_vec3 knees =
        lope_v3_lerp(model[roles[LOPE_LEFT_KNEE]].translation, model[roles[LOPE_RIGHT_KNEE]].translation, 0.5f);
    lope_vec3 ahead = lope_v3_sub(knees, rest->at);
    ahead.y = 0.0f;
    rest->behind = lope_v3_sub(rest->at, lope_v3_normalize(ahead, lope_v3(0.0f, 0.0f, 1.0f)));
}

static lope_status add_sittings(const lope_clip *clip, const lope_contact_tracks *tracks, const lope_scenery_def *def,
                                float *scratch, scenery_rests *out, lope_error *error)
{
    lope_contacts_def still = lope_contacts_def_default();
    still.enter_speed = SEAT_ENTER_SPEED;
    still.leave_speed = SEAT_LEAVE_SPEED;
    still.leave_height = SEAT_LEAVE_HEIGHT;
    still.min_duration = def->sit_time;
    lope_transform *model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *model);
    if (!model)
        return lope_fail_memory(error);
    lope_still_list stills = {0};
    lope_status status =
        lope_still_find(tracks->points[PART_SEAT], tracks->frame_count, tracks->frame_rate, &still, &stills, error);
    for (int i = 0; !status && i < stills.count; i++)
        for (int f = stills.items[i].first; !status && f <= stills.items[i].last; f++) {
            scenery_rest rest = {.kind = REST_SEAT, .first = f};
            while (f <= stills.items[i].last && sits(clip, tracks, f, out->floor, model))
                f++;
            rest.last = f - 1;
            if ((double)(f - rest.first) < (double)def->sit_time * tracks->frame_rate)
                continue;
            measure_seat(clip, tracks, model, scratch, &rest, out->floor);
            status = append(out, &rest, error);
        }
    lope_still_release(&stills);
    lope_free(model);
    return status;
}

static lope_status find_all(const lope_clip *clip, const lope_contact_tracks *tracks, const lope_scenery_def *def,
                            scenery_rests *out, lope_error *error)
{
    static const int parts[] = {PART_LEFT_TOE, PART_RIGHT_TOE, PART_LEFT_HAND, PART_RIGHT_HAND};
    lope_contacts_def contacts_def = lope_contacts_def_default();
    uint16_t *contacts = lope_alloc_array((size_t)tracks->frame_count, sizeof *contacts);
    float *scratch = lope_alloc_array((size_t)tracks->frame_count, sizeof *scratch);
    lope_status status = contacts && scratch ? LOPE_OK : lope_fail_memory(error);
    if (!status)
        status = lope_contacts_from_tracks(tracks, &contacts_def, contacts, error);
    for (int i = 0; !status && i < 4; i++)
        if (tracks->known[parts[i]])
            status = add_touches(tracks, contacts, parts[i], def, scratch, out, error);
    if (!status)
        status = add_sittings(clip, tracks, def, scratch, out, error);
    lope_free(contacts);
    lope_free(scratch);
    return status;
}

lope_status scenery_rests_find(const lope_clip *clip, const lope_scenery_def *def, scenery_rests *out,
                               lope_error *error)
{
    memset(out, 0, sizeof *out);
    lope_status status = lope_clip_floor(clip, &out->floor, NULL, error);
    if (status)
        return status;
    lope_contact_tracks tracks;
    status = lope_contact_tracks_create(clip, &tracks, error);
    if (status)
        return status;
    out->has_hands = tracks.known[PART_LEFT_HAND] || tracks.known[PART_RIGHT_HAND];
    status = find_all(clip, &tracks, def, out, error);
    lope_contact_tracks_release(&tracks);
    if (status)
        scenery_rests_free(out);
    return status;
}

void scenery_rests_free(scenery_rests *rests)
{
    lope_free(rests->items);
    memset(rests, 0, sizeof *rests);
}
