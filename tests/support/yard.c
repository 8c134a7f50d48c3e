// SPDX-License-Identifier: MIT
#include "support/yard.h"

#include <string.h>

lope_part_id test_add_part(lope_level *level, const char *kind, lope_vec3 size, lope_vec3 place, float yaw)
{
    lope_error error;
    lope_part_id part;
    lope_part_def def = lope_part_def_default(kind[0] ? LOPE_PART_THING : LOPE_PART_BOX);
    strcpy(def.kind, kind);
    def.size = size;
    def.at.translation = place;
    def.at.rotation = lope_quat_yaw(yaw);
    assert_ok(lope_level_add(level, &def, &part, &error));
    return part;
}

lope_world *test_world_on(const lope_level *level)
{
    lope_error error;
    lope_world *world;
    lope_world_def def = lope_world_def_default();
    def.level = level;
    def.moves = test_moves;
    assert_ok(lope_world_create(&def, NULL, &world, &error));
    return world;
}

lope_character_id test_world_spawn(lope_world *world, lope_vec3 place, float facing)
{
    lope_error error;
    lope_character_id id;
    lope_character_def def = lope_character_def_default();
    def.place = place;
    def.facing = facing;
    def.posed = true;
    assert_ok(lope_world_spawn(world, &def, &id, &error));
    return id;
}
