// SPDX-License-Identifier: MIT
// The table of modes, made from the list of their names.
#include "grasp/mode.h"

#define DECLARE(NAME, name) extern const grasp_mode mode_##name;
LOPE_GRASP_MODES(DECLARE)

#define ROW(NAME, name) [LOPE_MODE_##NAME] = &mode_##name,
const grasp_mode *const modes[LOPE_MODE_COUNT] = {LOPE_GRASP_MODES(ROW)};

const char *lope_grasp_mode_name(lope_grasp_mode which)
{
    return modes[which]->name;
}

const char *lope_grasp_mode_doing(lope_grasp_mode which)
{
    return modes[which]->doing;
}

unsigned lope_grasp_heuristics(lope_grasp_mode which)
{
    return modes[which]->heuristics;
}
