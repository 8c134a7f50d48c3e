// SPDX-License-Identifier: MIT
// Tags: what the body does in each pose, read off how fast it moves. Standing means standing still: the hips hardly
// move or turn over a third of a second, neither foot steps, and the body is about as tall as where it stands elsewhere
// in the set. Holding still while bent over a box is not standing. Jumps, squats and bends down to the floor are odd.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"
#include "mobility/build/stages.h"
#include "motion/contact_segments.h"

#define WINDOW 0.17f      // seconds to either side
#define STAND_SPEED 0.12f // metres per second of the hips
#define STAND_TURN 0.3f   // radians per second
#define STAND_ANKLE 0.12f // metres per second of either ankle
#define RUN_SPEED 2.2f    // metres per second
// A body stands at this share of its stature or more; its stature is this quantile over what holds still.
#define UPRIGHT 0.88f
#define STATURE_QUANTILE 0.75f
// It stoops below this share of its stature. In the air it jumps with its hips this share of it above where they are
// when it stands; a runner flies lower.
#define STOOPED 0.7f
#define JUMPS 0.05f

#define FEET (LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT)

// What is measured of a frame.
typedef struct frame_place {
    lope_ground body;
    lope_vec3 ankles[2];
    float stature; // metres from the lower ankle up to the head, or to the chest where there is none
    float hips;    // metres over the ground
    bool flies;    // no foot touches
} frame_place;

// What is measured of a pose and judged against all of the set.
typedef struct pose_height {
    float stature, hips;
    bool flies;
} pose_height;

static void measure_clip(const lope_clip *clip, lope_transform *model, frame_place *places)
{
    const int *roles = clip->skeleton->roles;
    int top = roles[LOPE_HEAD] >= 0 ? roles[LOPE_HEAD] : roles[LOPE_CHEST] >= 0 ? roles[LOPE_CHEST] : 0;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        places[f].body = lope_ground_of_model(clip->skeleton, model);
        for (int side = 0; side < 2; side++) {
            int ankle = roles[side ? LOPE_RIGHT_ANKLE : LOPE_LEFT_ANKLE];
            places[f].ankles[side] = model[ankle >= 0 ? ankle : 0].translation;
        }
        places[f].hips = model[roles[LOPE_HIPS] >= 0 ? roles[LOPE_HIPS] : 0].translation.y;
        places[f].flies = clip->contacts && !(clip->contacts[f] & FEET);
        places[f].stature = model[top].translation.y - fminf(places[f].ankles[0].y, places[f].ankles[1].y);
    }
}

static unsigned tag_of(const frame_place *a, const frame_place *b, float seconds)
{
    float dx = b->body.x - a->body.x, dz = b->body.z - a->body.z, speed = sqrtf(dx * dx + dz * dz) / seconds;
    float turn = fabsf(lope_wrap_angle(b->body.yaw - a->body.yaw)) / seconds;
    float ankles = fmaxf(lope_v3_distance(a->ankles[0], b->ankles[0]), lope_v3_distance(a->ankles[1], b->ankles[1]));
    if (speed > RUN_SPEED)
        return 1u << LOPE_TAG_RUN;
    if (speed < STAND_SPEED && turn < STAND_TURN && ankles / seconds < STAND_ANKLE)
        return 1u << LOPE_TAG_STAND;
    return 1u << LOPE_TAG_WALK;
}

static void tag_clip(const lope_clip *clip, const frame_place *places, uint32_t *tags)
{
    int reach = (int)((double)WINDOW * clip->frame_rate + 0.5);
    for (int f = 0; f < clip->frame_count; f++) {
        int before = f > reach ? f - reach : 0,
            after = f + reach < clip->frame_count ? f + reach : clip->frame_count - 1;
        float seconds = (float)((double)(after - before) / clip->frame_rate);
        tags[f] = after > before ? tag_of(&places[before], &places[after], seconds) : 1u << LOPE_TAG_WALK;
    }
}

// A height that most of those that stand do not exceed; 0 where nobody stands.
static float height_of_stands(const pose_height *heights, const uint32_t *tags, int count, bool of_hips, float *scratch)
{
    int stands = 0;
    for (int p = 0; p < count; p++)
        if (tags[p] == 1u << LOPE_TAG_STAND)
            scratch[stands++] = of_hips ? heights[p].hips : heights[p].stature;
    lope_sort_heights(scratch, stands);
    return stands ? scratch[(int)(STATURE_QUANTILE * (float)(stands - 1))] : 0.0f;
}

// Takes the tag of standing from poses that hold still far below the stature of those that stand, and marks the odd
// ones.
static void judge_heights(const pose_height *heights, int count, float *scratch, uint32_t *tags)
{
    float stature = height_of_stands(heights, tags, count, false, scratch);
    float hips = height_of_stands(heights, tags, count, true, scratch);
    if (!(stature > 0.0f))
        return;
    for (int p = 0; p < count; p++) {
        if (tags[p] == 1u << LOPE_TAG_STAND && heights[p].stature < UPRIGHT * stature)
            tags[p] = 1u << LOPE_TAG_WALK;
        if (heights[p].stature < STOOPED * stature || (heights[p].flies && heights[p].hips > hips + JUMPS * stature))
            tags[p] |= 1u << LOPE_TAG_ODD;
    }
}

static void tag_as_told(const lope_set *set, const lope_tag_range *range, uint32_t *tags)
{
    int first_pose = 0;
    for (int c = 0; c < set->clip_count; first_pose += set->clips[c++]->frame_count) {
        if (range->clip && strcmp(range->clip, set->clips[c]->name) != 0)
            continue;
        for (int f = 0; f < set->clips[c]->frame_count; f++)
            if (f >= range->first && f - range->first < range->count)
                tags[first_pose + f] =
                    (range->beside ? tags[first_pose + f] : 0u) | (range->tags & ((1u << LOPE_TAG_COUNT) - 1u));
    }
}

lope_status mobility_tags(const lope_set *set, const lope_mobility_def *def, uint32_t *tags, lope_error *error)
{
    int longest = 0, poses = 0, first_pose = 0;
    for (int c = 0; c < set->clip_count; poses += set->clips[c++]->frame_count)
        longest = set->clips[c]->frame_count > longest ? set->clips[c]->frame_count : longest;
    lope_transform *model = lope_alloc_array((size_t)set->skeleton->joint_count, sizeof *model);
    frame_place *places = lope_alloc_array((size_t)longest, sizeof *places);
    pose_height *heights = lope_alloc_array((size_t)poses, sizeof *heights);
    float *scratch = lope_alloc_array((size_t)poses, sizeof *scratch);
    lope_status status = model && places && heights && scratch ? LOPE_OK : lope_fail_memory(error);
    for (int c = 0; c < set->clip_count && !status; first_pose += set->clips[c++]->frame_count) {
        measure_clip(set->clips[c], model, places);
        tag_clip(set->clips[c], places, tags + first_pose);
        for (int f = 0; f < set->clips[c]->frame_count; f++)
            heights[first_pose + f] = (pose_height){places[f].stature, places[f].hips, places[f].flies};
    }
    if (!status)
        judge_heights(heights, poses, scratch, tags);
    for (int t = 0; t < def->tag_count && !status; t++)
        tag_as_told(set, &def->tags[t], tags);
    lope_free(model);
    lope_free(places);
    lope_free(heights);
    lope_free(scratch);
    return status;
}

static void describe_choice(const lope_mobility *map, int32_t state, uint32_t index, mobility_choice *choice)
{
    const uint8_t *path = map->paths + (size_t)index * map->head.steps;
    float length = 0.0f;
    unsigned tags = 0;
    for (uint32_t k = 0; k < map->head.steps; k++) {
        const mobility_action *action = &map->actions[map->action_first[state] + path[k]];
        for (int32_t f = 0, p = action->first_pose; f < action->frames; f++, p = map->poses[p].next) {
            const mobility_pose *pose = &map->poses[p];
            length += sqrtf(pose->enter.x * pose->enter.x + pose->enter.z * pose->enter.z);
            tags |= pose->tags;
        }
        state = action->state;
    }
    float units = ceilf(length / LENGTH_UNIT);
    choice->length = (uint8_t)(units < (float)LENGTH_MAX ? units : (float)LENGTH_MAX);
    choice->tags = (uint8_t)tags;
}

void mobility_describe(lope_mobility *map, mobility_choice *choices)
{
    map->head.stand_count = 0;
    for (int32_t s = 0; s < (int32_t)map->head.state_count; s++) {
        map->head.stand_count += lope_mobility_can_stand(map, s);
        for (uint32_t c = map->choice_first[s]; c < map->choice_first[s + 1]; c++)
            describe_choice(map, s, c, &choices[c]);
    }
}
