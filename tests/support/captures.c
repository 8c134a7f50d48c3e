// SPDX-License-Identifier: MIT
#include "support/captures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/world.h"
#include "lope/contacts.h"

#define MOST_CLIPS 128

bool test_load_clips(const char *const *names, lope_clip **out, int *count)
{
    lope_error error = {0};
    lope_synth_def synth = lope_synth_def_default();
    for (int i = 0; names[i]; i++) {
        if (!strchr(names[i], '.')) {
            assert_ok(lope_synth_clip(names[i], &synth, 0, &out[(*count)++], &error));
            continue;
        }
        const char *path = test_data(names[i]);
        if (!path) {
            print_message("skipped: %s is not there\n", names[i]);
            return false;
        }
        lope_clip **clips;
        int clip_count;
        assert_ok(lope_import(path, NULL, &clips, &clip_count, NULL, &error));
        assert_int_equal(clip_count, 1);
        assert_ok(lope_clip_copy(clips[0], NULL, 0, &out[(*count)++], &error));
        lope_clips_free(clips, clip_count);
    }
    return true;
}

lope_scenery *test_recover(lope_clip *const *clips, int count, const char *path)
{
    lope_error error = {0};
    lope_scenery *parts[MOST_CLIPS], *merged, *read;
    const char *names[MOST_CLIPS];
    lope_scenery_def def = lope_scenery_def_default();
    for (int i = 0; i < count; i++) {
        assert_ok(lope_scenery_find(clips[i], &def, &parts[i], &error));
        names[i] = clips[i]->name;
    }
    assert_ok(lope_scenery_merge((const lope_scenery *const *)parts, count, &def, &merged, &error));
    assert_ok(lope_scenery_write(merged, names, path, &error));
    lope_scenery_destroy(merged);
    for (int i = 0; i < count; i++)
        lope_scenery_destroy(parts[i]);
    assert_ok(lope_scenery_read(path, &read, &error));
    for (int i = 0; i < read->object_count; i++) {
        lope_scenery_object *o = &read->objects[i];
        o->confirmed = true;
        o->width = o->kind == LOPE_SCENERY_STEP ? 0.8f : o->kind == LOPE_SCENERY_SEAT ? 0.32f : o->width;
        o->depth = o->kind == LOPE_SCENERY_SEAT ? 0.32f : o->depth;
    }
    return read;
}

static test_stage *build(lope_clip *const *clips, int performances, int count)
{
    lope_error error = {0};
    test_stage *s = calloc(1, sizeof *s);
    lope_tile_def tile_def = lope_tile_def_default();
    lope_blocks_def def = lope_blocks_def_default();
    lope_scenery *scenery = test_recover(clips, performances, test_path("scenery.json"));
    lope_stage_def stage_def = {.scenery = scenery};
    assert_ok(lope_stage_captured((const lope_clip *const *)clips, count, &stage_def, &s->set, &s->stage, &error));
    lope_scenery_destroy(scenery);
    tile_def.clips = s->stage->walking_clips;
    assert_ok(lope_tile_build(s->set, &tile_def, NULL, NULL, &s->tile, NULL, &error));
    assert_ok(lope_blocks_build(s->set, s->stage, s->tile, &tile_def, &def, NULL, &s->blocks, NULL, &error));
    return s;
}

test_stage *test_captured_stage(const char *const *performances, const char *const *walks)
{
    lope_clip *clips[MOST_CLIPS];
    int count = 0;
    bool there = test_load_clips(performances, clips, &count);
    int performed = count;
    there = there && test_load_clips(walks, clips, &count);
    test_stage *stage = there ? build(clips, performed, count) : NULL;
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    return stage;
}

static float depth_of(const lope_block_world *w, lope_vec3 point, float radius)
{
    float deepest = 0.0f;
    for (int i = 0; i < w->boxes.count; i++)
        deepest = fmaxf(deepest, radius - world_box_distance((const world_box *)w->boxes.items + i, point));
    return deepest;
}

// What one sits on gives way to pelvis and thighs.
static bool is_sat_on(const world_box *box, const lope_vec3 *points)
{
    lope_vec3 seat = points[LOPE_CONTACT_COUNT - 1];
    return world_box_distance(box, seat) < 0.25f && box->centre.y < seat.y + 0.05f && box->centre.y > seat.y - 0.12f;
}

static float body_depth(const lope_block_world *w, const lope_transform *model, const lope_vec3 *points)
{
    float deepest = 0.0f;
    for (int i = 0; i < w->boxes.count; i++) {
        const world_box *box = (const world_box *)w->boxes.items + i;
        if (lope_v3_distance(box->centre, model[0].translation) > 1.5f + box->reach || is_sat_on(box, points))
            continue;
        for (int k = 0; k < w->balls.count; k++) {
            const body_ball *ball = &w->balls.balls[k];
            lope_vec3 at = lope_transform_point(model[ball->joint], ball->centre);
            if (ball->radius > 0.0f)
                deepest = fmaxf(deepest, ball->radius - world_box_distance(box, at));
        }
    }
    return deepest;
}

typedef struct slide_sum {
    double way;
    int frames;
    lope_vec3 before[4];
    unsigned touching;
} slide_sum;

static void add_slide(slide_sum *sum, const lope_vec3 *points, unsigned contacts)
{
    for (int part = 0; part < 4; part++) {
        if (contacts >> part & sum->touching >> part & 1) {
            float x = points[part].x - sum->before[part].x, z = points[part].z - sum->before[part].z;
            sum->way += (double)sqrtf(x * x + z * z);
            sum->frames++;
        }
        sum->before[part] = points[part];
    }
    sum->touching = contacts;
}

static float slide_speed(const slide_sum *sum)
{
    return sum->frames ? (float)(3000.0 * sum->way / sum->frames) : 0.0f;
}

static void look(const lope_block_world *w, const lope_block_player *player, const lope_transform *model,
                 slide_sum *slide, test_use *out)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    uint16_t contacts = lope_block_player_contacts(player);
    lope_contact_points(w->blocks->set->skeleton, model, points);
    add_slide(slide, points, contacts);
    for (int side = 0; side < 2; side++) {
        unsigned touching = (unsigned)contacts >> 2 * side & 3u;
        float gap = INFINITY; // a foot stands where its heel or its ball does
        for (int part = 2 * side; part < 2 * side + 2; part++)
            gap = touching >> (part - 2 * side) & 1 ? fminf(gap, test_surface_distance(w, points[part])) : gap;
        out->feet_gap = touching ? fmaxf(out->feet_gap, gap) : out->feet_gap;
        for (int part = 2 * side; part < 2 * side + 2; part++)
            out->feet_depth = fmaxf(out->feet_depth, depth_of(w, points[part], 0.0f));
    }
    if (contacts & LOPE_CONTACT_SEAT)
        out->seat_gap = fmaxf(out->seat_gap, test_surface_distance(w, points[LOPE_CONTACT_COUNT - 1]));
    out->body_depth = fmaxf(out->body_depth, body_depth(w, model, points));
    out->highest = fmaxf(out->highest, model[0].translation.y);
    out->lowest = fminf(out->lowest, model[0].translation.y);
    out->thing_frames += player->step.kind == LOPE_STEP_LINK;
    out->frames++;
}

test_use test_look_closely(const lope_block_world *world, const lope_block_step *steps, int count)
{
    test_use out = {.lowest = INFINITY};
    slide_sum slide = {0};
    size_t joints = (size_t)world->blocks->set->skeleton->joint_count;
    void *memory = malloc(lope_block_player_memory(world));
    lope_transform *model = malloc(joints * sizeof *model);
    lope_quat *rotations = malloc(joints * sizeof *rotations);
    lope_block_player player;
    lope_pose pose = {(int)joints, {0.0f, 0.0f, 0.0f}, rotations, NULL};
    lope_block_player_begin(world, &steps[0], memory, &player);
    lope_block_player_pose(&player, &pose, model);
    lope_vec3 before = pose.root;
    for (int at = 0; at < count;) {
        if (lope_block_player_advance(&player, 1.0f / 30.0f, 1.0f) && ++at < count)
            lope_block_player_next(&player, &steps[at]);
        lope_block_player_pose(&player, &pose, model);
        out.widest_step = fmaxf(out.widest_step, lope_v3_distance(pose.root, before));
        before = pose.root;
        look(world, &player, model, &slide, &out);
    }
    out.skate = slide_speed(&slide);
    free(memory);
    free(model);
    free(rotations);
    return out;
}

float test_captured_skate(const lope_set *set, int first, int end)
{
    lope_transform *model = malloc((size_t)set->skeleton->joint_count * sizeof *model);
    slide_sum all = {0};
    for (int c = first; c < end; c++) {
        slide_sum slide = {0};
        for (int f = 0; f < set->clips[c]->frame_count; f++) {
            lope_vec3 points[LOPE_CONTACT_COUNT];
            lope_clip_model(set->clips[c], f, model);
            lope_contact_points(set->skeleton, model, points);
            add_slide(&slide, points, set->clips[c]->contacts[f]);
        }
        all.way += slide.way;
        all.frames += slide.frames;
    }
    free(model);
    return slide_speed(&all);
}
