// SPDX-License-Identifier: MIT
// Absurd numbers in definitions of clips: reading, generating, preparing, grading, drawing.
#include <stdlib.h>

#include "support/absurd.h"
#include "support/stride.h"

static lope_clip *walk;

MAKE(synth_def, lope_synth_def_default())
static const field synth_fields[] = {FIELD(lope_synth_def, frame_rate), FIELD(lope_synth_def, variations), END};
static lope_status use_synth_def(const void *def, lope_error *error)
{
    lope_clip *clip;
    lope_status status = lope_synth_clip("stand", def, 0, &clip, error);
    lope_clip_destroy(clip);
    return status;
}

MAKE(synth_gait_def, ((lope_synth_gait_def){.stride = 0.5f, .tempo = 1.0f}))
static const field synth_gait_fields[] = {FIELD(lope_synth_gait_def, stride), FIELD(lope_synth_gait_def, turn),
                                          FIELD(lope_synth_gait_def, rise), FIELD(lope_synth_gait_def, tempo), END};
static lope_status use_synth_gait_def(const void *def, lope_error *error)
{
    lope_clip *clip;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = 30.0;
    lope_status status = lope_synth_gait(def, &synth, &clip, error);
    lope_clip_destroy(clip);
    return status;
}

MAKE(synth_stand_def, ((lope_synth_stand_def){0}))
static const field synth_stand_fields[] = {FIELD(lope_synth_stand_def, ahead), FIELD(lope_synth_stand_def, aside),
                                           FIELD(lope_synth_stand_def, rise), END};
static lope_status use_synth_stand_def(const void *def, lope_error *error)
{
    lope_clip *clip;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = 30.0;
    lope_status status = lope_synth_stand(def, &synth, &clip, error);
    lope_clip_destroy(clip);
    return status;
}

MAKE(read_def, lope_read_def_default())
static const field read_fields[] = {FIELD(lope_read_def, scale), FIELD(lope_read_def, frame_rate), END};
static lope_status use_read_def(const void *def, lope_error *error)
{
    static const char text[] = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
                               "Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\n"
                               "Frame Time: 0.1\n0 0 0 0 0 0\n0 1 0 0 0 0\n";
    lope_clip *clip;
    lope_status status = lope_bvh_read_memory(text, sizeof text - 1, "small", def, &clip, NULL, error);
    lope_clip_destroy(clip);
    return status;
}

static const char *const library_path[] = {"nowhere.bvh"};
MAKE(library_def, ((lope_library_def){.paths = library_path, .path_count = 1, .read = lope_read_def_default()}))
static const field library_fields[] = {FIELD(lope_library_def, read.scale), FIELD(lope_library_def, read.frame_rate),
                                       END};
static lope_status use_library_def(const void *def, lope_error *error)
{
    lope_library *library;
    lope_status status = lope_library_create(def, &library, error);
    lope_library_destroy(library);
    return status;
}

MAKE(retarget_def, ((lope_retarget_def){.source = walk->skeleton, .target = walk->skeleton}))
static const field retarget_fields[] = {FIELD(lope_retarget_def, floor), FIELD(lope_retarget_def, travel), END};
static lope_status use_retarget_def(const void *def, lope_error *error)
{
    lope_retarget *made;
    lope_status status = lope_retarget_create(def, &made, error);
    lope_retarget_destroy(made);
    return status;
}

MAKE(prepare_def, lope_prepare_def_default())
static const field prepare_fields[] = {FIELD(lope_prepare_def, frame_rate), END};
static lope_status use_prepare_def(const void *def, lope_error *error)
{
    lope_set *set;
    const lope_clip *clips[] = {walk};
    lope_status status = lope_set_prepare(clips, 1, def, NULL, NULL, &set, error);
    lope_set_destroy(set);
    return status;
}

MAKE(contacts_def, lope_contacts_def_default())
static const field contacts_fields[] = {FIELD(lope_contacts_def, enter_speed),  FIELD(lope_contacts_def, leave_speed),
                                        FIELD(lope_contacts_def, enter_height), FIELD(lope_contacts_def, leave_height),
                                        FIELD(lope_contacts_def, min_duration), END};
static lope_status use_contacts_def(const void *def, lope_error *error)
{
    uint16_t contacts[64];
    assert_true(walk->frame_count <= 64);
    return lope_contacts_find(walk, def, contacts, error);
}

MAKE(grade_def, lope_grade_def_default())
static const field grade_fields[] = {FIELD(lope_grade_def, floor), FIELD(lope_grade_def, capsule_radius), END};
static lope_status use_grade_def(const void *def, lope_error *error)
{
    lope_grade grade;
    return lope_clip_grade(walk, def, &grade, error);
}

MAKE(draw_def, lope_draw_def_default())
static const field draw_fields[] = {FIELD(lope_draw_def, interval), FIELD(lope_draw_def, width),
                                    FIELD(lope_draw_def, start),    FIELD(lope_draw_def, end),
                                    FIELD(lope_draw_def, spread),   END};
static lope_status use_draw_def(const void *def, lope_error *error)
{
    return lope_draw(walk, def, test_path("drawn.svg"), error);
}

static const double two_values[] = {0.0, 1.0};
MAKE(draw_lines_def, ((lope_draw_lines_def){.title = "t",
                                            .note = "n",
                                            .across = "a",
                                            .up = "u",
                                            .last = 1.0,
                                            .lines = {{"one", two_values, 2, NULL}},
                                            .count = 1}))
static const field draw_lines_fields[] = {FIELD(lope_draw_lines_def, first), FIELD(lope_draw_lines_def, last),
                                          FIELD(lope_draw_lines_def, count), END};
static lope_status use_draw_lines_def(const void *def, lope_error *error)
{
    return lope_draw_lines(def, 800, false, test_path("lines.svg"), error);
}

MAKE(handover_def, lope_handover_def_default(walk->skeleton))
static const field handover_fields[] = {FIELD(lope_handover_def, halflife), FIELD(lope_handover_def, calm_halflife),
                                        FIELD(lope_handover_def, lock.halflife), END};
static lope_status use_handover_def(const void *def, lope_error *error)
{
    lope_handover *body;
    void *memory = aligned_alloc(16, lope_handover_size(walk->skeleton));
    lope_status status = lope_handover_init(memory, def, &body, error);
    free(memory);
    return status;
}

static const definition of_motion[] = {
    DEFINITION(synth_def, synth_fields),
    DEFINITION(synth_gait_def, synth_gait_fields),
    DEFINITION(synth_stand_def, synth_stand_fields),
    DEFINITION(read_def, read_fields),
    DEFINITION(library_def, library_fields),
    DEFINITION(retarget_def, retarget_fields),
    DEFINITION(prepare_def, prepare_fields),
    DEFINITION(contacts_def, contacts_fields),
    DEFINITION(grade_def, grade_fields),
    DEFINITION(handover_def, handover_fields),
    DEFINITION(draw_def, draw_fields),
    DEFINITION(draw_lines_def, draw_lines_fields),
};

static void numbers_of_motion(void **state)
{
    (void)state;
    TRY_ALL(of_motion);
}

static int set_up(void **state)
{
    (void)state;
    test_spare_memory();
    walk = test_walk(60, 30.0, 0.0f);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    lope_clip_destroy(walk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_motion),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
