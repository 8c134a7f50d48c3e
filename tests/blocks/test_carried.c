// SPDX-License-Identifier: MIT
// Blocks carried over to other bodies: the same things in the same places, touched where the first performer touched
// them, by bodies of other sizes and proportions.
#include <string.h>

#include "blocks/build/build.h"
#include "lope/contacts.h"
#include "support/bodies.h"

// The built-in body with longer or shorter bones.
static lope_skeleton *scaled(float all, float arms)
{
    lope_error error;
    lope_skeleton *usual, *out;
    assert_ok(lope_synth_skeleton(&usual, &error));
    lope_transform rest[256];
    lope_sole feet[2];
    for (int j = 0; j < usual->joint_count; j++) {
        int parent = usual->parents[j];
        bool arm = parent == usual->roles[LOPE_LEFT_SHOULDER] || parent == usual->roles[LOPE_RIGHT_SHOULDER] ||
                   parent == usual->roles[LOPE_LEFT_ELBOW] || parent == usual->roles[LOPE_RIGHT_ELBOW];
        rest[j] = usual->rest[j];
        rest[j].translation = lope_v3_scale(rest[j].translation, arm ? arms : all);
    }
    for (int i = 0; i < 2; i++)
        feet[i] = (lope_sole){lope_v3_scale(usual->feet[i].heel, all), lope_v3_scale(usual->feet[i].ball, all)};
    lope_skeleton_def def = {
        usual->joint_count, usual->names, usual->parents, rest, NULL, usual->roles, usual->feet_known ? feet : NULL};
    assert_ok(lope_skeleton_create(&def, &out, &error));
    lope_skeleton_release(usual);
    return out;
}

typedef struct misses {
    double sum;
    float worst;
    int count;
} misses;

// How far parts that touch are from where the first performer's were: feet, hands, seat.
static misses measure(const lope_clip *from, const lope_clip *to, unsigned bits)
{
    misses all = {0};
    lope_transform source[256], model[256];
    for (int f = 0; f < from->frame_count; f++) {
        lope_vec3 there[LOPE_CONTACT_COUNT], here[LOPE_CONTACT_COUNT];
        lope_clip_model(from, f, source);
        lope_clip_model(to, f, model);
        lope_contact_points(from->skeleton, source, there);
        lope_contact_points(to->skeleton, model, here);
        assert_int_equal(from->contacts[f], to->contacts[f]);
        for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
            if (from->contacts[f] & bits & (1u << part)) {
                // Seats are carried in height only: the body goes where it went.
                float miss = 1u << part == LOPE_CONTACT_SEAT ? fabsf(there[part].y - here[part].y)
                                                             : lope_v3_length(lope_v3_sub(there[part], here[part]));
                all.sum += (double)miss;
                all.worst = fmaxf(all.worst, miss);
                all.count++;
            }
    }
    return all;
}

static void look(float all, float arms, const unsigned bits, float mean, float worst)
{
    lope_error error;
    lope_set *usual, *set;
    lope_stage *stage, *unread;
    lope_skeleton *skeleton = scaled(all, arms);
    assert_ok(lope_stage_builtin(1, NULL, &usual, &stage, &error));
    assert_ok(lope_stage_builtin(1, NULL, &set, &unread, &error));
    assert_ok(stage_carry(stage, skeleton, NULL, &set, &error));
    assert_ptr_equal(set->skeleton, skeleton);
    misses sum = {0};
    for (int s = 0; s < stage->scene_count; s++) {
        int clip = stage->scenes[s].clip;
        misses m = measure(usual->clips[clip], set->clips[clip], bits);
        sum.sum += m.sum;
        sum.count += m.count;
        if (m.worst > sum.worst)
            print_message("%s: %.1f cm at worst\n", set->clips[clip]->name, 100.0 * (double)m.worst);
        sum.worst = fmaxf(sum.worst, m.worst);
    }
    print_message("body times %.2f, arms times %.2f: %.2f cm in the mean\n", (double)all, (double)arms,
                  100.0 * sum.sum / sum.count);
    assert_true(sum.count > 500);
    assert_true(sum.sum / sum.count < (double)mean);
    assert_true(sum.worst < worst);
    lope_set_destroy(set);
    lope_set_destroy(usual);
    lope_stage_destroy(stage);
    lope_stage_destroy(unread);
    lope_skeleton_release(skeleton);
}

static void the_same_body_stays(void **state)
{
    (void)state;
    look(1.0f, 1.0f, 0x1ffu, 0.001f, 0.045f);
}

static void smaller_and_larger_bodies_touch_the_same(void **state)
{
    (void)state;
    look(0.88f, 0.88f, 0x13fu, 0.012f, 0.085f);
    look(1.12f, 1.05f, 0x13fu, 0.012f, 0.085f);
}

static void blocks_of_another_body_are_the_same_blocks(void **state)
{
    (void)state;
    lope_error error;
    lope_builtin_blocks usual, carried;
    lope_build_context context = {0};
    lope_skeleton *skeleton = scaled(0.92f, 0.9f), *child = scaled(0.6f, 0.6f);
    assert_ok(lope_blocks_builtin(1, NULL, NULL, &usual, NULL, &error));
    assert_ok(lope_blocks_carried(skeleton, 1, &context, &carried, &error));
    assert_int_equal(carried.blocks->unit_count, usual.blocks->unit_count);
    for (int i = 0; i < usual.blocks->block_count; i++)
        if (lope_blocks_find(carried.blocks, usual.blocks->blocks[i].name) < 0)
            fail_msg("%s is missing", usual.blocks->blocks[i].name);
    lope_blocks_builtin_destroy(&carried);
    lope_blocks_builtin_destroy(&usual);
    assert_int_equal(lope_blocks_carried(child, 1, &context, &carried, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "legs of 0.50 m"));
    lope_skeleton_release(skeleton);
    lope_skeleton_release(child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_body_stays),
        cmocka_unit_test(smaller_and_larger_bodies_touch_the_same),
        cmocka_unit_test(blocks_of_another_body_are_the_same_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
