// SPDX-License-Identifier: MIT
// Using things: the way there, and what is done with them.
#include "base/error.h"
#include "world/world.h"

lope_status lope_character_use(lope_world *world, lope_character_id id, lope_part_id part, float seconds,
                               lope_error *error)
{
    world_body *body = world_body_of(world, id);
    if (!body)
        return lope_fail(error, LOPE_NOT_FOUND, "this character is gone");
    if (!(seconds >= 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "nobody uses a thing for %g seconds", (double)seconds);
    lope_part what;
    int index = lope_level_part_index(world->def.level, part);
    if (index < 0 || !lope_level_part(world->def.level, index, &what))
        return lope_fail(error, LOPE_NOT_FOUND, "this part of the level is gone");
    return lope_fail(error, LOPE_UNSUPPORTED, "these moves have no motion for a %s",
                     what.kind[0] ? what.kind : "solid");
}
