// SPDX-License-Identifier: MIT
// Reading milestones and pregenerated sequences (5.4.4): poses with angles in degrees.
#include "io/climb_sequence.h"

#include <math.h>

#include "base/memory.h"

#define DEGREE (LOPE_PI / 180.0)
#define MOST_POSES 2000
#define LONGEST 600.0 // seconds

// Members that a pose has, and with `more`, "facing".
static bool read_members(json_reader *json, bool more, lope_grasp_pose *out)
{
    static const char *const all[] = {"hip",      "spine",     "neck",   "left_arm", "right_arm",
                                      "left_leg", "right_leg", "facing", NULL};
    static const char *const own[] = {"hip", "spine", "neck", "left_arm", "right_arm", "left_leg", "right_leg", NULL};
    static const char *const facings[] = {"right", "left"};
    unsigned seen = 0;
    int key, word;
    double two[2];
    if (!json_open(json, '{', "a pose"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, more ? all : own, &seen, &key)) {
        if (key == 0 && json_numbers(json, "'hip'", "x and y", 2, -JSON_FURTHEST, JSON_FURTHEST, two))
            out->hip = (lope_xy){two[0], two[1]};
        else if ((key == 1 || key == 2) && json_between(json, key == 1 ? "'spine'" : "'neck'", -360, 360, two))
            *(key == 1 ? &out->spine : &out->neck) = two[0] * DEGREE;
        else if (key == 7 && json_word(json, "'facing'", facings, 2, &word))
            out->facing = word ? -1 : 1;
        else if (key >= 3 && key < 7 && json_numbers(json, all[key], "two joints", 2, -360, 360, two))
            for (int k = 0; k < 2; k++)
                out->limb[key - 3][k] = two[k] * DEGREE;
    }
    if (json->status)
        return false;
    json->mark = begin;
    if (!(seen & 1u))
        return json_fail(json, "a pose needs 'hip'");
    lope_grasp_body body = lope_grasp_body_default(); // ranges are the same for all bodies
    double excess = lope_grasp_excess(&body, out);
    return excess < 1e-3 || json_fail(json, "a joint of the pose is %.1f degrees beyond its range", excess / DEGREE);
}

bool climb_read_pose(json_reader *json, lope_climb_sequence *out)
{
    lope_grasp_pose *pose = lope_alloc_zero(sizeof *pose);
    if (!pose)
        return json_no_memory(json);
    pose->facing = 1;
    out->poses = pose;
    out->count = 1;
    return read_members(json, true, pose);
}

static bool read_poses(json_reader *json, lope_climb_sequence *out)
{
    void *items = NULL;
    int capacity = 0;
    if (!json_open(json, '[', "'poses'"))
        return false;
    while (json_item(json)) {
        if (out->count == MOST_POSES) {
            json_fail(json, "a sequence has at most %d poses", MOST_POSES);
            break;
        }
        if (!json_grow(json, &items, out->count, &capacity, sizeof(lope_grasp_pose)))
            break;
        lope_grasp_pose *pose = (lope_grasp_pose *)items + out->count++;
        *pose = (lope_grasp_pose){.facing = 1};
        if (!read_members(json, false, pose))
            break;
    }
    out->poses = items;
    return !json->status;
}

static void set_facing(lope_climb_sequence *out, int facing)
{
    for (int i = 0; i < out->count; i++) {
        lope_grasp_pose *poses = (lope_grasp_pose *)(uintptr_t)out->poses;
        poses[i].facing = facing;
    }
}

bool climb_read_sequence(json_reader *json, lope_climb_sequence *out)
{
    static const char *const keys[] = {"seconds", "facing", "poses", NULL};
    static const char *const facings[] = {"right", "left"};
    unsigned seen = 0;
    int key, word = 0;
    if (!json_open(json, '{', "a sequence"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            json_between(json, "'seconds'", 0.05, LONGEST, &out->seconds);
        else if (key == 1)
            json_word(json, "'facing'", facings, 2, &word);
        else
            read_poses(json, out);
    if (json->status)
        return false;
    set_facing(out, word ? -1 : 1);
    json->mark = begin;
    if ((seen & 5u) != 5u)
        return json_fail(json, "a sequence needs 'seconds' and 'poses'");
    return out->count >= 2 || json_fail(json, "a sequence has two poses or more, found %d", out->count);
}

void climb_sequence_free(lope_climb_sequence *sequence)
{
    lope_free((void *)(uintptr_t)sequence->poses);
    *sequence = (lope_climb_sequence){0};
}
