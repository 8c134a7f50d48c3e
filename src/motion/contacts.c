// SPDX-License-Identifier: MIT
// Contacts of heels, toes and hands: stretches in which the part stands still (contact_segments.c), kept where its
// height says that something carries it.
//   flat floor: at most enter_height above the part's own lowest standing level, so that floors off zero and heels
//               that a skeleton places a little high do no harm;
//   any floor:  at any height, unless the part was held up in the air: raised into its rest and lowered out of it;
//   either:     not where the other end of the foot lies so much lower that this end must be in the air, nor while the
//               knee is on the ground;
//   hands:      longer, and only where they bear: on the floor, or the body moves past them, or they hold on above.
#include "lope/contacts.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/contact_find.h"
#include "motion/contact_segments.h"

#define SURROUNDINGS 0.2    // seconds before and after a rest that tell whether the part was held up
#define HELD_UP 0.04f       // metres: a part that came from and goes to this much lower was held up
#define HAND_REST 0.25      // seconds: arms that swing in walking stand still in the world for less
#define HAND_ON_FLOOR 0.15f // metres above the lowest standing foot
#define STEEPEST_FOOT 0.42  // sine of the steepest ground that heel and ball touch together (25 degrees)
#define BODY_PASSES 0.05f   // metres the chest moves while a bearing hand stays

lope_contacts_def lope_contacts_def_default(void)
{
    return (lope_contacts_def){.enter_speed = 0.25f,
                               .leave_speed = 0.5f,
                               .enter_height = 0.04f,
                               .leave_height = 0.03f,
                               .min_duration = 0.06f,
                               .any_floor = true,
                               .hands = true};
}

// The level on which a part stands, from the heights of all frames in its rests.
static lope_status part_level(const lope_vec3 *points, const lope_still_list *stills, float *level, lope_error *error)
{
    int count = 0;
    for (int i = 0; i < stills->count; i++)
        count += stills->items[i].last - stills->items[i].first + 1;
    *level = 0.0f;
    if (!count)
        return LOPE_OK;
    float *heights = lope_alloc_array((size_t)count, sizeof *heights);
    if (!heights)
        return lope_fail_memory(error);
    int used = 0;
    for (int i = 0; i < stills->count; i++)
        for (int f = stills->items[i].first; f <= stills->items[i].last; f++)
            heights[used++] = points[f].y;
    lope_sort_heights(heights, count);
    *level = lope_standing_level(heights, count);
    lope_free(heights);
    return LOPE_OK;
}

// Mean height over the frames [first, last] cut to the clip; `fallback` where nothing is left.
static float mean_height(const lope_vec3 *points, int count, int first, int last, float fallback)
{
    first = first < 0 ? 0 : first;
    last = last >= count ? count - 1 : last;
    double sum = 0.0;
    for (int f = first; f <= last; f++)
        sum += (double)points[f].y;
    return last >= first ? (float)(sum / (last - first + 1)) : fallback;
}

// Raised before and lowered after: the part rested on nothing.
static bool held_up(const lope_contact_tracks *tracks, const lope_vec3 *points, const lope_still *still)
{
    int reach = (int)(SURROUNDINGS * tracks->frame_rate + 0.5);
    int count = tracks->frame_count;
    float before = mean_height(points, count, still->first - reach, still->first - reach / 2, still->place.y);
    float after = mean_height(points, count, still->last + reach / 2, still->last + reach, still->place.y);
    return before < still->place.y - HELD_UP && after < still->place.y - HELD_UP;
}

// A heel far above the ball of its foot is in the air however still it is (kneeling, crouching on the toes), and the
// other way round.
static bool tipped_up(const lope_contact_tracks *tracks, int part, const lope_still *still)
{
    const lope_vec3 *points = tracks->points[part], *others = tracks->points[part ^ 1];
    double higher = 0.0, apart = 0.0;
    for (int f = still->first; f <= still->last; f++) {
        higher += (double)(points[f].y - others[f].y);
        apart += (double)lope_v3_distance(points[f], others[f]);
    }
    return higher > STEEPEST_FOOT * apart;
}

static bool foot_bears(const lope_contact_tracks *tracks, const lope_contacts_def *def, int part,
                       const lope_still *still, float level)
{
    if (tipped_up(tracks, part, still))
        return false;
    if (!def->any_floor)
        return still->place.y <= level + def->enter_height;
    return !held_up(tracks, tracks->points[part], still);
}

static float trunk_height(const lope_contact_tracks *tracks, int frame)
{
    return 0.5f * (tracks->points[PART_SEAT][frame].y + tracks->chest[frame].y);
}

static bool hand_bears(const lope_contact_tracks *tracks, const lope_still *still, float floor)
{
    if ((still->last - still->first + 1) < HAND_REST * tracks->frame_rate)
        return false;
    if (isfinite(floor) && still->place.y < floor + HAND_ON_FLOOR)
        return true;
    // Arms that hang, elbows bent or not, leave the hands below the middle of the trunk. A hand that bears is above
    // it at one end of its rest at least: at the beginning on the way up, at the end on the way down.
    float trunk = fminf(trunk_height(tracks, still->first), trunk_height(tracks, still->last));
    if (still->place.y < trunk)
        return false;
    lope_vec3 passed = lope_v3_sub(tracks->chest[still->last], tracks->chest[still->first]);
    return lope_v3_length(passed) > BODY_PASSES || still->place.y > tracks->chest[still->first].y;
}

static lope_status find_part(const lope_contact_tracks *tracks, const lope_contacts_def *def, int part, float *lowest,
                             uint16_t *out, lope_error *error)
{
    const lope_vec3 *points = tracks->points[part];
    lope_still_list stills;
    lope_status status = lope_still_find(points, tracks->frame_count, tracks->frame_rate, def, &stills, error);
    float level = 0.0f;
    if (!status)
        status = part_level(points, &stills, &level, error);
    bool hand = part == PART_LEFT_HAND || part == PART_RIGHT_HAND;
    if (!status && stills.count && !hand)
        *lowest = fminf(*lowest, level);
    for (int i = 0; !status && i < stills.count; i++) {
        const lope_still *still = &stills.items[i];
        bool bears = hand ? hand_bears(tracks, still, *lowest) : foot_bears(tracks, def, part, still, level);
        if (!bears)
            continue;
        for (int f = still->first; f <= still->last; f++)
            if (hand || lope_foot_upright(tracks, part, f))
                out[f] = (uint16_t)(out[f] | 1u << part);
    }
    lope_still_release(&stills);
    return status;
}

lope_status lope_contacts_from_tracks(const lope_contact_tracks *tracks, const lope_contacts_def *def, uint16_t *out,
                                      lope_error *error)
{
    memset(out, 0, (size_t)tracks->frame_count * sizeof *out);
    float lowest = HUGE_VALF; // the feet come first, so the hands know their level
    int end = def->hands ? PART_RIGHT_HAND : PART_RIGHT_TOE;
    for (int part = PART_LEFT_HEEL; part <= end; part++) {
        lope_status status = tracks->known[part] ? find_part(tracks, def, part, &lowest, out, error) : LOPE_OK;
        if (status)
            return status;
    }
    return LOPE_OK;
}

lope_status lope_contacts_find(const lope_clip *clip, const lope_contacts_def *def, uint16_t *out, lope_error *error)
{
    assert(clip && def && out);
    if (!lope_skeleton_is_biped(clip->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "'%s': contacts need a skeleton with hips and two legs", clip->name);
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, leave_speed, LOPE_ABOVE_ZERO, LOPE_LARGE),
                   LOPE_RANGE(def, enter_speed, LOPE_ABOVE_ZERO, LOPE_LARGE),
                   LOPE_RANGE(def, enter_height, -LOPE_LARGE, LOPE_LARGE), LOPE_RANGE(def, leave_height, 0, LOPE_LARGE),
                   LOPE_RANGE(def, min_duration, 0, LOPE_LARGE));
    if (!status && def->leave_speed < def->enter_speed)
        status = lope_fail(error, LOPE_BAD_DATA, "leave_speed is %g, must not be below enter_speed, which is %g",
                           (double)def->leave_speed, (double)def->enter_speed);
    if (status)
        return status;
    lope_contact_tracks tracks;
    status = lope_contact_tracks_create(clip, &tracks, error);
    if (!status)
        status = lope_contacts_from_tracks(&tracks, def, out, error);
    lope_contact_tracks_release(&tracks);
    return status;
}
