// SPDX-License-Identifier: MIT
// Absurd numbers in definitions of levels, of their parts and of what is found in them.
#include <string.h>

#include "lope/climber.h"
#include "lope/floors.h"
#include "lope/level_file.h"
#include "lope/slice.h"
#include "support/absurd.h"

static lope_level *level;

static const lope_vec2 outline[] = {{0, 0}, {1, 0}, {0, 1}};

static void make_part_def(void *def)
{
    lope_part_def *made = def;
    *made = lope_part_def_default(LOPE_PART_BOX);
    made->size = lope_v3(1, 1, 1);
    made->corners = outline;
    made->corner_count = 3;
    made->hold[1] = lope_v3(1, 0, 0);
}
static const field part_fields[] = {FIELD(lope_part_def, at.translation.x), FIELD(lope_part_def, at.translation.y),
                                    FIELD(lope_part_def, at.translation.z), FIELD(lope_part_def, at.rotation.x),
                                    FIELD(lope_part_def, at.rotation.w),    FIELD(lope_part_def, scale),
                                    FIELD(lope_part_def, size.x),           FIELD(lope_part_def, size.y),
                                    FIELD(lope_part_def, size.z),           FIELD(lope_part_def, hold[0].x),
                                    FIELD(lope_part_def, hold[1].y),        END};
// As every shape that needs no array of the caller's; what one shape refuses is looked at.
static lope_status use_part_def(const void *def, lope_error *error)
{
    static const lope_part_shape shapes[] = {LOPE_PART_BOX, LOPE_PART_PRISM, LOPE_PART_CYLINDER, LOPE_PART_THING,
                                             LOPE_PART_HOLD};
    lope_status worst = LOPE_OK;
    for (int i = 0; i < 5; i++) {
        lope_part_def one = *(const lope_part_def *)def;
        lope_error own = {0};
        lope_part_id part;
        one.shape = shapes[i];
        strcpy(one.kind, one.shape == LOPE_PART_THING ? "ladder" : "");
        lope_status status = lope_level_add(level, &one, &part, &own);
        if (!status)
            lope_level_remove(level, part);
        else if (!worst) {
            worst = status;
            *error = own;
        }
    }
    return worst;
}

MAKE(floors_def, lope_floors_def_default())
static const field floors_fields[] = {FIELD(lope_floors_def, height), FIELD(lope_floors_def, step),
                                      FIELD(lope_floors_def, slope),  FIELD(lope_floors_def, crawl),
                                      FIELD(lope_floors_def, climb),  FIELD(lope_floors_def, leap),
                                      FIELD(lope_floors_def, radius), END};
static lope_status use_floors_def(const void *def, lope_error *error)
{
    lope_floors *floors;
    lope_status status = lope_floors_create(level, def, NULL, &floors, error);
    lope_floors_destroy(floors);
    return status;
}

MAKE(slice_def, lope_slice_def_default(lope_v3(-2, 0.2f, 0), lope_v3(2, 0.2f, 0)))
static const field slice_fields[] = {FIELD(lope_slice_def, margin),    FIELD(lope_slice_def, below),
                                     FIELD(lope_slice_def, above),     FIELD(lope_slice_def, reach),
                                     FIELD(lope_slice_def, thickness), END};
static lope_status use_slice_def(const void *def, lope_error *error)
{
    const lope_floors_def usual = lope_floors_def_default();
    lope_floors *floors;
    lope_slice *slice = NULL;
    lope_status status = lope_floors_create(level, &usual, NULL, &floors, error);
    if (!status)
        status = lope_slice_create(floors, def, &slice, error);
    lope_slice_destroy(slice);
    lope_floors_destroy(floors);
    return status;
}

// Of a link that there is not: numbers are looked at first.
MAKE(climber_def, lope_climber_def_default(NULL, 0, NULL))
static const field climber_fields[] = {FIELD(lope_climber_def, share), FIELD(lope_climber_def, speed),
                                       FIELD(lope_climber_def, frame_rate), END};
static lope_status use_climber_def(const void *def, lope_error *error)
{
    const lope_floors_def usual = lope_floors_def_default();
    lope_climber_def with = *(const lope_climber_def *)def;
    lope_climber *climber = NULL;
    lope_floors *floors;
    lope_skeleton *skeleton = NULL;
    lope_status status = lope_floors_create(level, &usual, NULL, &floors, error);
    if (!status)
        status = lope_synth_skeleton(&skeleton, error);
    with.floors = floors;
    with.skeleton = skeleton;
    if (!status)
        status = lope_climber_create(&with, &climber, error);
    lope_climber_destroy(climber);
    lope_skeleton_release(skeleton);
    lope_floors_destroy(floors);
    return status;
}

MAKE(level_read_def, (lope_level_read_def){0})
static const field level_read_fields[] = {FIELD(lope_level_read_def, scale), END};
static lope_status use_level_read_def(const void *def, lope_error *error)
{
    lope_level_file *file;
    lope_status status = lope_level_open("ruin", def, &file, error);
    lope_level_file_destroy(file);
    return status;
}

static void numbers_of_levels(void **state)
{
    (void)state;
    static const definition definitions[] = {
        DEFINITION(part_def, part_fields), DEFINITION(floors_def, floors_fields), DEFINITION(slice_def, slice_fields),
        DEFINITION(climber_def, climber_fields), DEFINITION(level_read_def, level_read_fields)};
    TRY_ALL(definitions);
}

static int set_up(void **state)
{
    (void)state;
    lope_error error;
    test_spare_memory();
    lope_part_def ground = lope_part_def_default(LOPE_PART_BOX), post = ground;
    ground.size = lope_v3(8, 0.2f, 8);
    post.size = lope_v3(1, 2, 1);
    post.at.translation.y = 0.2f;
    assert_ok(lope_level_create(&level, &error));
    assert_ok(lope_level_add(level, &ground, NULL, &error));
    assert_ok(lope_level_add(level, &post, NULL, &error));
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    lope_level_destroy(level);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_levels)};
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
