// SPDX-License-Identifier: MIT
#include "support/floor_levels.h"

#include <math.h>

#include "support/support.h"

lope_part_def floors_box(lope_vec3 at, lope_vec3 size, float yaw, float tilt)
{
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = size;
    def.at.translation = at;
    lope_quat turn = {sinf(0.5f * tilt), 0.0f, 0.0f, cosf(0.5f * tilt)};
    def.at.rotation = lope_quat_mul(lope_quat_yaw(yaw), turn);
    return def;
}

lope_part_id floors_add_box(lope_level *level, lope_vec3 at, lope_vec3 size, float yaw, float tilt)
{
    lope_error error;
    lope_part_def def = floors_box(at, size, yaw, tilt);
    lope_part_id part;
    assert_ok(lope_level_add(level, &def, &part, &error));
    return part;
}

lope_level *floors_random_level(uint64_t seed, float side)
{
    lope_random random = lope_random_seed(seed);
    lope_error error;
    lope_level *level;
    assert_ok(lope_level_create(&level, &error));
    floors_add_box(level, lope_v3(0.5f * side, -0.5f, 0.5f * side), lope_v3(side, 0.5f, side), 0.0f, 0.0f);
    for (int i = 0; i < 8; i++)
        floors_add_box(level, lope_v3(lope_random_range(&random, 0, side), 0, lope_random_range(&random, 0, side)),
                       lope_v3(lope_random_range(&random, 0.3f, 2), lope_random_range(&random, 0.1f, 2.5f),
                               lope_random_range(&random, 0.3f, 2)),
                       lope_random_range(&random, 0, 6), 0.0f);
    floors_add_box(level, lope_v3(0.3f * side, 2.5f, 0.3f * side), lope_v3(0.5f * side, 0.2f, 0.5f * side), 0.0f, 0.0f);
    floors_add_box(level, lope_v3(0.3f * side, 2.7f, 0.3f * side), lope_v3(0.2f, 1.5f, 1.5f),
                   lope_random_range(&random, 0, 6), 0.0f);
    floors_add_box(level, lope_v3(0.55f * side + 2.3f, -0.1f, 0.2f * side), lope_v3(1.5f, 0.2f, 7.0f), 1.5708f, -0.5f);
    for (int i = 0; i < 9; i++)
        floors_add_box(level, lope_v3(0.3f * side, 0.0f, 0.55f * side + 0.15f + 0.3f * (float)(8 - i)),
                       lope_v3(1.2f, 0.3f * (float)(i + 1), 0.3f), 0.0f, 0.0f);
    for (int i = 0; i < 4; i++)
        floors_add_box(level,
                       lope_v3(lope_random_range(&random, 0, side), lope_random_range(&random, 0, 1),
                               lope_random_range(&random, 0, side)),
                       lope_v3(lope_random_range(&random, 0.5f, 2), 0.2f, lope_random_range(&random, 1, 4)),
                       lope_random_range(&random, 0, 6), lope_random_range(&random, -0.9f, 0.9f));
    return level;
}

lope_floors *floors_make(const lope_level *level)
{
    lope_error error;
    lope_floors *floors;
    lope_floors_def def = lope_floors_def_default();
    assert_ok(lope_floors_create(level, &def, NULL, &floors, &error));
    return floors;
}

lope_vec3 floors_random_place(lope_random *random, float side)
{
    float x = lope_random_range(random, 0, side), y = lope_random_range(random, -0.2f, 4.0f),
          z = lope_random_range(random, 0, side);
    return lope_v3(x, y, z);
}
