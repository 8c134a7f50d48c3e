// SPDX-License-Identifier: MIT
// The grade of a clip: gathers what the feet do (grade_feet.c), how smoothly the joints move (grade_jerk.c) and how
// deep the body enters the world (grade_penetration.c) into one report.
#include "lope/grade.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/contact_find.h"
#include "motion/grade_parts.h"

lope_grade_def lope_grade_def_default(void)
{
    return (lope_grade_def){.floor = NAN, .solid = NULL, .capsule_radius = 0.0f};
}

float lope_grade_distance(const lope_grade_def *def, float floor, lope_vec3 point)
{
    return def->solid ? def->solid->distance(def->solid->user, point) : point.y - floor;
}

static lope_status grade_feet(const lope_clip *clip, const lope_grade_def *def, lope_grade *out, lope_error *error)
{
    lope_contact_tracks tracks;
    lope_status status = lope_contact_tracks_create(clip, &tracks, error);
    if (status)
        return status;
    uint16_t *found = NULL;
    if (!clip->contacts) {
        lope_contacts_def contacts = lope_contacts_def_default();
        found = lope_alloc_array((size_t)clip->frame_count, sizeof *found);
        status = found ? lope_contacts_from_tracks(&tracks, &contacts, found, error) : lope_fail_memory(error);
    }
    if (!status)
        lope_grade_feet(&tracks, def, clip->contacts ? clip->contacts : found, clip->contacts != NULL, out);
    lope_free(found);
    lope_contact_tracks_release(&tracks);
    return status;
}

lope_status lope_clip_grade(const lope_clip *clip, const lope_grade_def *def, lope_grade *out, lope_error *error)
{
    assert(clip && def && out);
    memset(out, 0, sizeof *out);
    if (!lope_skeleton_is_biped(clip->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "'%s': grading needs a skeleton with hips and two legs", clip->name);
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, capsule_radius, 0, 10));
    if (!status && !isnan(def->floor))
        status = LOPE_CHECK(error, LOPE_RANGE(def, floor, -1e5, 1e5));
    out->seconds = (float)lope_clip_duration(clip);
    out->floor = def->floor;
    if (!status && isnan(def->floor))
        status = lope_clip_floor(clip, &out->floor, NULL, error);
    if (!status)
        status = grade_feet(clip, def, out, error);
    if (!status)
        status = lope_grade_jerk(clip, out, error);
    if (!status)
        status = lope_grade_penetration(clip, def, out, error);
    return status;
}
