// SPDX-License-Identifier: MIT
// What `lope convert` can do to a clip between reading and writing.
#ifndef LOPE_CLI_EDIT_H
#define LOPE_CLI_EDIT_H

#include "cli/cli.h"

typedef struct cli_edit {
    double fps;                // 0: as it is
    const char *trim;          // "A:B" in seconds, either may be missing; NULL: all of it
    bool level;                // put the floor at height 0
    double floor;              // where it is, metres; NAN: found for each clip
    bool contacts;             // find contacts where there are none
    lope_skeleton *target;     // NULL, or what to retarget onto
    bool raw;                  // with jolts as they were captured
    double trim_from, trim_to; // from `trim`; trim_to < 0: to the end
} cli_edit;

// Reads `trim`; false where it makes no sense.
bool cli_edit_parse_trim(cli_edit *edit);
// Replaces the clip by an edited one. On failure the clip stays as far as it got.
// `floors` takes where its floor was found.
lope_status cli_edit_apply(const cli_edit *edit, lope_clip **clip, cli_floors *floors, lope_error *error);
// A mirrored copy, named after the clip with "_mirrored".
lope_status cli_edit_mirror(const lope_clip *clip, const lope_asymmetry *asymmetry, lope_clip **out, lope_error *error);

#endif
