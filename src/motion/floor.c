// SPDX-License-Identifier: MIT
// How high the floor of a capture is. Feet that stand gather at a few heights (one on flat ground, one per step on
// stairs); noise and feet that sink in blur each. The floor is the lowest height where a substantial share gathers:
// a mode, so neither a few frames below the ground nor a foot held in the air can move it.
#include <assert.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/contacts.h"
#include "motion/contact_points.h"
#include "motion/contact_segments.h"

#define GATHER 0.01f         // metres to either side that count as one height
#define SUBSTANTIAL 0.3f     // share of the fullest height
#define ONE_FLOOR 0.06f      // metres: levels that differ by less are one floor that the capture saw at two heights
#define SHARE_STEP 0.125f    // of SUBSTANTIAL
#define SPREAD_QUANTILE 0.9f // of the distances from the floor
#define LOW_QUANTILE 0.05f   // of all heights, where no foot ever stands

// How many times a larger and a smaller share is asked for as well. A floor that was seen at two heights would jump
// from one to the other with a few frames more or fewer; so it goes over gradually.
enum { SHARES = 4 };

// How many of the sorted heights lie within GATHER of heights[i]. `low` and `high` only move up with i.
static int gathered(const float *heights, int count, int i, int *low, int *high)
{
    while (heights[*low] < heights[i] - GATHER)
        ++*low;
    while (*high < count && heights[*high] <= heights[i] + GATHER)
        ++*high;
    return *high - *low;
}

static float mean_near(const float *heights, int count, float centre)
{
    double sum = 0.0;
    int used = 0;
    for (int i = 0; i < count; i++)
        if (fabsf(heights[i] - centre) <= GATHER) {
            sum += (double)heights[i];
            used++;
        }
    return (float)(sum / used);
}

// The lowest height where at least `share` of the fullest gathers; NAN where none does.
static float lowest_level(const float *heights, int count, float share, int fullest)
{
    int low = 0, high = 0, best = -1, most = 0;
    for (int i = 0; i < count; i++) {
        int here = gathered(heights, count, i, &low, &high);
        if (best >= 0 && heights[i] > heights[best] + GATHER)
            break;
        if (here > most && (float)here >= share * (float)fullest) {
            most = here;
            best = i;
        }
    }
    return best < 0 ? NAN : mean_near(heights, count, heights[best]); // heights that are not finite gather nowhere
}

float lope_standing_level(const float *heights, int count)
{
    assert(count >= 1);
    int low = 0, high = 0, fullest = 0, used = 0;
    for (int i = 0; i < count; i++) {
        int here = gathered(heights, count, i, &low, &high);
        fullest = here > fullest ? here : fullest;
    }
    float level = lowest_level(heights, count, SUBSTANTIAL, fullest);
    double sum = 0.0;
    for (int k = -SHARES; k <= SHARES; k++) {
        float near = lowest_level(heights, count, SUBSTANTIAL * (1.0f + SHARE_STEP * (float)k), fullest);
        if (fabsf(near - level) <= ONE_FLOOR) {
            sum += (double)near;
            used++;
        }
    }
    return used ? (float)(sum / used) : level;
}

// Appends the heights of a part in the frames in which it stands. Feet of a body that kneels do not.
static lope_status collect_standing(const lope_contact_tracks *tracks, int part, float *heights, int *count,
                                    lope_error *error)
{
    lope_contacts_def def = lope_contacts_def_default();
    const lope_vec3 *points = tracks->points[part];
    bool foot = part <= PART_RIGHT_TOE;
    lope_still_list stills;
    lope_status status = lope_still_find(points, tracks->frame_count, tracks->frame_rate, &def, &stills, error);
    for (int i = 0; i < stills.count; i++)
        for (int f = stills.items[i].first; f <= stills.items[i].last; f++)
            if (!foot || lope_foot_upright(tracks, part, f))
                heights[(*count)++] = points[f].y;
    lope_still_release(&stills);
    return status;
}

// Heights of what stands: the balls of the feet, failing those the knees.
static lope_status collect(const lope_contact_tracks *tracks, float *heights, int *count, lope_error *error)
{
    static const int pairs[2][2] = {{PART_LEFT_TOE, PART_RIGHT_TOE}, {PART_LEFT_KNEE, PART_RIGHT_KNEE}};
    *count = 0;
    for (int pair = 0; pair < 2 && *count == 0; pair++)
        for (int side = 0; side < 2; side++) {
            lope_status status = collect_standing(tracks, pairs[pair][side], heights, count, error);
            if (status)
                return status;
        }
    return LOPE_OK;
}

static void collect_all(const lope_contact_tracks *tracks, float *heights, int *count)
{
    *count = 0;
    for (int f = 0; f < tracks->frame_count; f++) {
        heights[(*count)++] = tracks->points[PART_LEFT_TOE][f].y;
        heights[(*count)++] = tracks->points[PART_RIGHT_TOE][f].y;
    }
}

static float quantile_distance(float *heights, int count, float floor)
{
    for (int i = 0; i < count; i++)
        heights[i] = fabsf(heights[i] - floor);
    lope_sort_heights(heights, count);
    return heights[(int)(SPREAD_QUANTILE * (float)(count - 1))];
}

static lope_status floor_of_tracks(const lope_contact_tracks *tracks, float *height, float *spread, lope_error *error)
{
    float *heights = lope_alloc_array(2 * (size_t)tracks->frame_count, sizeof *heights);
    if (!heights)
        return lope_fail_memory(error);
    int count;
    lope_status status = collect(tracks, heights, &count, error);
    bool standing = count > 0;
    if (!status && !standing)
        collect_all(tracks, heights, &count);
    if (!status) {
        lope_sort_heights(heights, count);
        *height = standing ? lope_standing_level(heights, count) : heights[(int)(LOW_QUANTILE * (float)(count - 1))];
        if (spread)
            *spread = quantile_distance(heights, count, *height);
    }
    lope_free(heights);
    return status;
}

lope_status lope_clip_floor(const lope_clip *clip, float *height, float *spread, lope_error *error)
{
    assert(clip && height);
    if (!lope_skeleton_is_biped(clip->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "'%s': a floor needs a skeleton with hips and two legs", clip->name);
    lope_contact_tracks tracks;
    lope_status status = lope_contact_tracks_create(clip, &tracks, error);
    if (!status)
        status = floor_of_tracks(&tracks, height, spread, error);
    lope_contact_tracks_release(&tracks);
    return status;
}
