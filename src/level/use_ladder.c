// SPDX-License-Identifier: MIT
#include "base/error.h"
#include "level/use.h"

lope_status use_find_ladder(lope_use *u, const lope_part *part, lope_error *error)
{
    (void)u;
    return lope_fail(error, LOPE_UNSUPPORTED, "'%s' is a ladder", part->name);
}
lope_status use_find_slide(lope_use *u, const lope_part *part, lope_error *error)
{
    (void)u;
    return lope_fail(error, LOPE_UNSUPPORTED, "'%s' is a slide", part->name);
}
