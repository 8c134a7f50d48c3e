// SPDX-License-Identifier: MIT
// The stage of the built-in set: every motion with what it was performed on, as its generator knows it.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/memory.h"
#include "lope/blocks_build.h"
#include "lope/edit.h"
#include "lope/import.h"
#include "lope/patches_build.h"
#include "lope/prepare.h"
#include "synth/special.h"

enum builtin_unit { CHAIR, DESK, STEP, LADDER, LADDER_TOP, SLIDE_TOP, SLIDE, SLIDE_END, UNIT_COUNT };

// Seat distances at which the pieces of the slide begin; two equal ones in the middle.
#define SLIDE_FIRST 1.12f
#define SLIDE_SECOND (SLIDE_FIRST + SYNTH_SLIDE_PIECE)
#define SLIDE_LAST (SLIDE_SECOND + SYNTH_SLIDE_PIECE)
#define SLIDE_HALF_WIDTH 0.3f
#define LADDER_SECTION (2.0f * SYNTH_RUNG_PITCH)

typedef struct stage_build {
    lope_stage *stage;
    list boxes, placed, scenes, behaviours, clips;
    lope_synth_def synth;
    bool failed; // no memory
} stage_build;

static void put(stage_build *b, list *l, const void *item, size_t size)
{
    b->failed = !list_add(l, item, size) || b->failed;
}

static void begin_unit(stage_build *b, int unit, const char *name)
{
    lope_unit *u = &b->stage->units[unit];
    snprintf(u->name, sizeof u->name, "%s", name);
    u->box_first = b->boxes.count;
}

static void add_box(stage_build *b, int unit, lope_box box)
{
    put(b, &b->boxes, &box, sizeof box);
    b->stage->units[unit].box_count++;
}

static lope_box plain_box(float x, float y, float z, float half_x, float half_y, float half_z)
{
    return (lope_box){{x, y, z}, {half_x, half_y, half_z}, 0.0f, 0.0f};
}

static void shape_furniture(stage_build *b)
{
    begin_unit(b, CHAIR, "chair"); // seen from the floor under the middle of the seat
    add_box(b, CHAIR, plain_box(0.0f, SYNTH_CHAIR_HEIGHT - 0.02f, 0.0f, 0.22f, 0.02f, 0.2f));
    add_box(b, CHAIR, plain_box(0.0f, 0.2f, -0.02f, 0.04f, 0.2f, 0.04f));
    add_box(b, CHAIR, plain_box(0.0f, 0.75f, -0.28f, 0.2f, 0.15f, 0.015f));
    begin_unit(b, DESK, "desk"); // from the floor under its middle
    add_box(b, DESK, plain_box(0.0f, SYNTH_DESK_HEIGHT - 0.015f, 0.0f, 0.7f, 0.015f, 0.35f));
    for (int side = -1; side <= 1; side += 2)
        add_box(b, DESK, plain_box(0.67f * (float)side, 0.345f, 0.0f, 0.02f, 0.345f, 0.33f));
    begin_unit(b, STEP, "step"); // from the middle of its top
    add_box(
        b, STEP,
        plain_box(0.0f, -0.5f * SYNTH_STAIRS_RISER, 0.0f, 0.6f, 0.5f * SYNTH_STAIRS_RISER, 0.5f * SYNTH_STAIRS_TREAD));
    begin_unit(b, LADDER, "ladder"); // from below, a pitch under its first rung
    for (int rung = 1; rung <= 2; rung++)
        add_box(b, LADDER, plain_box(0.0f, SYNTH_RUNG_PITCH * (float)rung, 0.0f, 0.25f, 0.015f, 0.015f));
    for (int side = -1; side <= 1; side += 2)
        add_box(
            b, LADDER,
            plain_box(SYNTH_RAIL_X * (float)side, 0.5f * LADDER_SECTION, 0.0f, 0.02f, 0.5f * LADDER_SECTION, 0.02f));
    begin_unit(b, LADDER_TOP, "ladder_top"); // from the height of the platform
    for (int side = -1; side <= 1; side += 2) {
        float x = SYNTH_RAIL_X * (float)side, half = 0.4f;
        add_box(b, LADDER_TOP,
                (lope_box){{x, half, SYNTH_RAIL_LEAN * half}, {0.015f, half, 0.015f}, 0.0f, SYNTH_RAIL_LEAN});
    }
}

// Slabs under the surface, from one seat distance to another, seen from where the piece begins.
static void shape_slide(stage_build *b, int unit, const char *name, float from, float to)
{
    float angle, length = to - from;
    int parts = (int)(length / 0.15f) + 1;
    lope_vec3 origin = synth_slide_surface(from, &angle);
    begin_unit(b, unit, name);
    for (int i = 0; i < parts; i++) {
        lope_vec3 a = synth_slide_surface(from + length * (float)i / (float)parts, &angle);
        lope_vec3 c = synth_slide_surface(from + length * (float)(i + 1) / (float)parts, &angle);
        float dz = c.z - a.z, dy = a.y - c.y, run = sqrtf(dz * dz + dy * dy);
        float pitch = (float)lope_atan2((double)dy, (double)dz);
        lope_vec3 middle = lope_v3_sub(lope_v3_lerp(a, c, 0.5f), origin);
        middle.y -= 0.02f * dz / run;
        middle.z -= 0.02f * dy / run;
        add_box(b, unit, (lope_box){middle, {SLIDE_HALF_WIDTH, 0.02f, 0.5f * run + 0.002f}, 0.0f, pitch});
    }
}

static void shape_units(stage_build *b)
{
    shape_furniture(b);
    shape_slide(b, SLIDE_TOP, "slide_top", SYNTH_SLIDE_BEND_IN, SLIDE_FIRST);
    shape_slide(b, SLIDE, "slide", SLIDE_FIRST, SLIDE_SECOND);
    shape_slide(b, SLIDE_END, "slide_end", SLIDE_LAST, SYNTH_SLIDE_EDGE);
}

static void place(stage_build *b, int unit, float x, float y, float z, float yaw)
{
    lope_placed_unit placed = {unit, {x, y, z, yaw}};
    put(b, &b->placed, &placed, sizeof placed);
}

static lope_status place_stairs(stage_build *b, const char *name, int take, lope_error *error)
{
    synth_stairs stairs;
    lope_status status = synth_stairs_of(name, b->synth.seed, take, &stairs, error);
    // The last riser leads to a floor.
    for (int i = 1; !status && i < stairs.risers; i++)
        place(b, STEP, 0.0f, stairs.riser * (float)i, stairs.begin + stairs.tread * ((float)i - 0.5f),
              stairs.riser > 0.0f ? 0.0f : (float)LOPE_PI);
    return status;
}

static void place_ladder(stage_build *b)
{
    int sections = SYNTH_RUNG_COUNT / 2;
    for (int i = 0; i < sections; i++)
        place(b, LADDER, 0.0f, LADDER_SECTION * (float)i, SYNTH_LADDER_Z, 0.0f);
    place(b, LADDER_TOP, 0.0f, LADDER_SECTION * (float)sections, SYNTH_LADDER_Z, 0.0f);
}

static void place_slide(stage_build *b)
{
    static const float begins[] = {SYNTH_SLIDE_BEND_IN, SLIDE_FIRST, SLIDE_SECOND, SLIDE_LAST};
    static const int units[] = {SLIDE_TOP, SLIDE, SLIDE, SLIDE_END};
    for (int i = 0; i < 4; i++) {
        float angle;
        lope_vec3 at = synth_slide_surface(begins[i], &angle);
        place(b, units[i], at.x, at.y, at.z, 0.0f);
    }
}

static lope_status set_stage(stage_build *b, const char *name, int take, lope_error *error)
{
    if (strncmp(name, "stairs", 6) == 0)
        return place_stairs(b, name, take, error);
    if (strncmp(name, "ladder", 6) == 0)
        place_ladder(b);
    else if (strcmp(name, "slide") == 0)
        place_slide(b);
    else
        place(b, CHAIR, 0.0f, 0.0f, SYNTH_SEAT_AT, 0.0f);
    if (strcmp(name, "sit_work") == 0 || strcmp(name, "sit_talk") == 0)
        place(b, DESK, 0.0f, 0.0f, SYNTH_DESK_Z + 0.35f, 0.0f);
    return LOPE_OK;
}

// What is performed on things, and what is performed anywhere.
static const char *const ON_THINGS[] = {"sit_down",         "sit",       "sit_work",    "stand_up", "stairs_up_slow",
                                        "stairs_down_slow", "ladder_up", "ladder_down", "slide",    "sit_talk"};
static const char *const ANYWHERE[] = {"idle",
                                       "chat",
                                       "look_around",
                                       "turn_in_place_left_90",
                                       "turn_in_place_right_90",
                                       "turn_in_place_left_180",
                                       "turn_in_place_right_180",
                                       "dispute",
                                       "presentation"};

static lope_status perform(stage_build *b, const char *name, int take, lope_error *error)
{
    lope_clip *clip, *even;
    lope_status status = lope_synth_clip(name, &b->synth, take, &clip, error);
    if (status)
        return status;
    lope_prepare_def prepare = lope_prepare_def_default();
    status = lope_clip_resample(clip, prepare.frame_rate, &even, error);
    lope_clip_destroy(clip);
    if (!status)
        put(b, &b->clips, &even, sizeof even);
    return status;
}

static lope_status perform_walks(stage_build *b, int takes, lope_jobs *jobs, lope_error *error)
{
    lope_set *set;
    lope_builtin_def builtin = {lope_tile_builtin_uses, takes, true};
    lope_status status = lope_set_builtin(&builtin, jobs, NULL, &set, error);
    for (int i = 0; set && i < set->clip_count && !status; i++) {
        lope_clip *copy;
        status = lope_clip_copy(set->clips[i], NULL, 0, &copy, error);
        if (!status)
            put(b, &b->clips, &copy, sizeof copy);
    }
    lope_set_destroy(set);
    b->stage->walking_clips = b->clips.count;
    return status;
}

// Stairs are also walked with the other foot first. What stands in the middle is its own mirror image.
static lope_status mirror_last(stage_build *b, lope_error *error)
{
    lope_clip *clip = ((lope_clip **)b->clips.items)[b->clips.count - 1], *mirrored;
    lope_status status = lope_clip_mirror(clip, NULL, &mirrored, error);
    if (!status)
        put(b, &b->clips, &mirrored, sizeof mirrored);
    return status;
}

static lope_status perform_things(stage_build *b, int takes, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (size_t i = 0; i < sizeof ON_THINGS / sizeof *ON_THINGS; i++)
        for (int take = 0; take < takes && !status; take++) {
            lope_stage_scene scene = {.clip = b->clips.count, .placed_first = b->placed.count};
            status = perform(b, ON_THINGS[i], take, error);
            if (!status)
                status = set_stage(b, ON_THINGS[i], take, error);
            scene.placed_count = b->placed.count - scene.placed_first;
            put(b, &b->scenes, &scene, sizeof scene);
            if (!status && strncmp(ON_THINGS[i], "stairs", 6) == 0) {
                scene.clip = b->clips.count;
                status = mirror_last(b, error);
                put(b, &b->scenes, &scene, sizeof scene);
            }
        }
    for (size_t i = 0; i < sizeof ANYWHERE / sizeof *ANYWHERE; i++)
        for (int take = 0; take < takes && !status; take++) {
            lope_stage_behaviour behaviour = {.clip = b->clips.count};
            snprintf(behaviour.name, sizeof behaviour.name, "%s", ANYWHERE[i]);
            status = perform(b, ANYWHERE[i], take, error);
            put(b, &b->behaviours, &behaviour, sizeof behaviour);
        }
    return status;
}

static void finish(stage_build *b)
{
    lope_stage *s = b->stage;
    s->unit_count = UNIT_COUNT;
    s->boxes = b->boxes.items;
    s->box_count = b->boxes.count;
    s->placed = b->placed.items;
    s->placed_count = b->placed.count;
    s->scenes = b->scenes.items;
    s->scene_count = b->scenes.count;
    s->behaviours = b->behaviours.items;
    s->behaviour_count = b->behaviours.count;
}

lope_status lope_stage_builtin(int takes, lope_jobs *jobs, lope_set **set, lope_stage **out, lope_error *error)
{
    stage_build b = {.stage = lope_alloc_zero(sizeof *b.stage), .synth = lope_synth_def_default()};
    if (!b.stage)
        return lope_fail_memory(error);
    b.stage->units = lope_alloc_zero(UNIT_COUNT * sizeof *b.stage->units);
    lope_status status = b.stage->units ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        shape_units(&b);
        status = perform_walks(&b, takes, jobs, error);
    }
    if (!status)
        status = perform_things(&b, takes, error);
    if (!status && b.failed)
        status = lope_fail_memory(error);
    if (!status)
        status = lope_set_create(b.clips.items, b.clips.count, set, error);
    finish(&b);
    if (status) {
        for (int i = 0; i < b.clips.count; i++)
            lope_clip_destroy(((lope_clip **)b.clips.items)[i]);
        lope_stage_destroy(b.stage);
    } else {
        *out = b.stage;
    }
    lope_free(b.clips.items);
    return status;
}

void lope_stage_destroy(lope_stage *stage)
{
    if (!stage)
        return;
    void *blocks[] = {stage->units, stage->boxes, stage->placed, stage->scenes, stage->behaviours, stage->storage};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
    lope_free(stage);
}
