// SPDX-License-Identifier: MIT
// Editing clips, one step after the other: cut, level, retarget, resample, contacts.
#include "cli/edit.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool cli_edit_parse_trim(cli_edit *edit)
{
    edit->trim_from = 0.0;
    edit->trim_to = -1.0;
    if (!edit->trim)
        return true;
    const char *colon = strchr(edit->trim, ':');
    char *end;
    if (!colon)
        return false;
    if (colon != edit->trim) {
        edit->trim_from = strtod(edit->trim, &end);
        if (end != colon || !isfinite(edit->trim_from) || edit->trim_from < 0.0)
            return false;
    }
    if (!colon[1])
        return colon != edit->trim;
    edit->trim_to = strtod(colon + 1, &end);
    return end != colon + 1 && !*end && isfinite(edit->trim_to) && edit->trim_to > edit->trim_from;
}

static void replace(lope_clip **clip, lope_clip *by)
{
    lope_clip_destroy(*clip);
    *clip = by;
}

static lope_status trim(const cli_edit *edit, lope_clip **clip, lope_error *error)
{
    double rate = (*clip)->frame_rate, last = (*clip)->frame_count - 1;
    double first = ceil(edit->trim_from * rate - 1e-6);
    double end = edit->trim_to < 0.0 ? last : fmin(last, floor(edit->trim_to * rate + 1e-6));
    if (first > end) {
        *error = (lope_error){.status = LOPE_NOT_FOUND};
        snprintf(error->message, sizeof error->message, "'%.200s' is %.3f s long: --trim %.60s leaves nothing",
                 (*clip)->name, lope_clip_duration(*clip), edit->trim);
        return LOPE_NOT_FOUND;
    }
    lope_clip *cut;
    lope_status status = lope_clip_trim(*clip, (int)first, (int)(end - first) + 1, &cut, error);
    if (status == LOPE_OK)
        replace(clip, cut);
    return status;
}

static lope_status level(const cli_edit *edit, lope_clip *clip, cli_floors *floors, lope_error *error)
{
    float height = (float)edit->floor;
    if (isnan(height)) {
        lope_status status = lope_clip_floor(clip, &height, NULL, error);
        if (status)
            return status;
        cli_floors_add(floors, height);
    }
    lope_clip_raise(clip, -height);
    return LOPE_OK;
}

// Jolts go first: one that turns a foot about its ball moves an ankle the farther, the higher it is over the ball.
static lope_status retarget(const cli_edit *edit, lope_clip **clip, lope_error *error)
{
    lope_clip *carried;
    int jolts;
    lope_status status = edit->raw ? LOPE_OK : lope_clip_calm(*clip, &jolts, error);
    if (status == LOPE_OK)
        status = lope_clip_retarget(*clip, edit->target, &carried, error);
    if (status == LOPE_OK)
        replace(clip, carried);
    return status;
}

static lope_status resample(const cli_edit *edit, lope_clip **clip, lope_error *error)
{
    lope_clip *even;
    lope_status status = lope_clip_resample(*clip, edit->fps, &even, error);
    if (status == LOPE_OK)
        replace(clip, even);
    return status;
}

lope_status cli_edit_apply(const cli_edit *edit, lope_clip **clip, cli_floors *floors, lope_error *error)
{
    lope_status status = LOPE_OK;
    if (edit->trim)
        status = trim(edit, clip, error);
    if (status == LOPE_OK && edit->level)
        status = level(edit, *clip, floors, error);
    if (status == LOPE_OK && edit->target)
        status = retarget(edit, clip, error);
    if (status == LOPE_OK && edit->fps > 0.0)
        status = resample(edit, clip, error);
    if (status == LOPE_OK && edit->contacts)
        status = cli_with_contacts(clip, error);
    return status;
}

lope_status cli_edit_mirror(const lope_clip *clip, const lope_asymmetry *asymmetry, lope_clip **out, lope_error *error)
{
    lope_clip *mirrored;
    lope_status status = lope_clip_mirror(clip, asymmetry, &mirrored, error);
    if (status)
        return status;
    // A clip's name is fixed when it is made: the renamed one is a copy.
    char *name = cli_format("%s_mirrored", clip->name);
    status = lope_clip_copy(mirrored, name, 0, out, error);
    free(name);
    lope_clip_destroy(mirrored);
    return status;
}
