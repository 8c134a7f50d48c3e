// SPDX-License-Identifier: MIT
#include "support/stage.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/world.h"
#include "lope/contacts.h"

int test_stage_create(void **state)
{
    lope_error error;
    test_stage *s = calloc(1, sizeof *s);
    assert_ok(lope_blocks_builtin(1, NULL, NULL, s, NULL, &error));
    *state = s;
    return 0;
}

int test_blocks_create(void **state)
{
    const char *file = getenv("LOPE_TEST_BLOCKS");
    if (!file)
        return test_stage_create(state);
    lope_error error;
    test_stage *s = calloc(1, sizeof *s);
    assert_ok(lope_blocks_open(file, &s->blocks, &error));
    s->set = (lope_set *)(uintptr_t)s->blocks->set;
    s->tile = (lope_tile *)(uintptr_t)s->blocks->tile;
    *state = s;
    return 0;
}

int test_stage_destroy(void **state)
{
    test_stage *s = *state;
    if (s->stage)
        lope_blocks_builtin_destroy(s);
    else
        lope_blocks_destroy(s->blocks);
    free(s);
    return 0;
}

lope_block_world *test_world(const test_stage *stage)
{
    lope_error error;
    lope_block_world *world;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = stage->blocks;
    assert_ok(lope_block_world_create(&def, &world, &error));
    return world;
}

int test_add_floor(lope_block_world *world, float x, float height, float z, int columns, int rows)
{
    lope_error error;
    int floor;
    lope_floor_def def = {{x, z}, height, columns, rows};
    assert_ok(lope_block_world_add_floor(world, &def, &floor, &error));
    return floor;
}

int test_add_unit(lope_block_world *world, const char *unit, float x, float y, float z, float yaw)
{
    lope_error error;
    int id;
    int index = lope_blocks_unit(lope_block_world_view(world).blocks, unit);
    assert_ok(lope_block_world_add(world, index, (lope_spot){x, y, z, yaw}, &id, &error));
    return id;
}

void test_add_stairs(lope_block_world *world, float x, float base, float z, int steps)
{
    for (int i = 1; i <= steps; i++)
        test_add_unit(world, "step", x, base + 0.18f * (float)i, z - 0.28f * ((float)(steps + 1 - i) - 0.5f), 0.0f);
}

void test_add_ladder(lope_block_world *world, float x, float base, float z, int sections)
{
    for (int i = 0; i < sections; i++)
        test_add_unit(world, "ladder", x, base + 0.6f * (float)i, z - 0.1f, 0.0f);
    test_add_unit(world, "ladder_top", x, base + 0.6f * (float)sections, z - 0.1f, 0.0f);
}

void test_add_slide(lope_block_world *world, float x, float top, float z, int pieces)
{
    const lope_blocks *blocks = lope_block_world_view(world).blocks;
    lope_spot at = {x, top, z, 0.0f};
    const char *unit = "slide_top";
    test_add_unit(world, unit, at.x, at.y, at.z, at.yaw);
    for (int i = 0; i <= pieces; i++) {
        const char *next = i < pieces ? "slide" : "slide_end";
        lope_spot move;
        assert_true(lope_blocks_next(blocks, lope_blocks_unit(blocks, unit), lope_blocks_unit(blocks, next), &move));
        at = lope_spot_mul(at, move);
        test_add_unit(world, next, at.x, at.y, at.z, at.yaw);
        unit = next;
    }
}

// Frames after a slide in which one still brakes, or begins to rise.
#define AFTER_SLIDING 30

float test_surface_distance(const lope_block_world *w, lope_vec3 point)
{
    float least = INFINITY;
    for (int f = 0; f < w->floors.count; f++)
        least = fminf(least, fabsf(point.y - floor_at(w, f)->def.height));
    for (int i = 0; i < w->boxes.count; i++)
        least = fminf(least, fabsf(world_box_distance((const world_box *)w->boxes.items + i, point)));
    return least;
}

// How deep a ball is in any box that no part of the body touches.
static float depth_in_others(const lope_block_world *w, const lope_transform *model, const bool *touched)
{
    float deepest = 0.0f;
    for (int i = 0; i < w->boxes.count; i++) {
        const world_box *box = (const world_box *)w->boxes.items + i;
        if (touched[box->object] || lope_v3_distance(box->centre, model[0].translation) > 1.5f + box->reach)
            continue;
        for (int k = 0; k < w->balls.count; k++) {
            const body_ball *ball = &w->balls.balls[k];
            lope_vec3 at = lope_transform_point(model[ball->joint], ball->centre);
            deepest = fmaxf(deepest, ball->radius - world_box_distance(box, at));
        }
    }
    return deepest;
}

static void look(const lope_block_world *w, const lope_block_player *player, const lope_transform *model, bool *touched,
                 test_playing *out)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    uint16_t contacts = lope_block_player_contacts(player);
    lope_contact_points(w->blocks->set->skeleton, model, points);
    memset(touched, 0, (size_t)w->objects.count);
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++) {
        if (!(contacts >> part & 1))
            continue;
        for (int i = 0; i < w->boxes.count; i++) {
            const world_box *box = (const world_box *)w->boxes.items + i;
            touched[box->object] |= world_box_distance(box, points[part]) < 0.06f;
        }
        if (part != 4 && part != 5)
            out->widest_gap = fmaxf(out->widest_gap, test_surface_distance(w, points[part]));
    }
    for (int part = 0; part < 4 && !isnan(player->floor); part++)
        out->in_floor = fmaxf(out->in_floor, player->floor - points[part].y);
    // What one is on its way to touch or has just left is part of what is done there.
    if (player->step.kind == LOPE_STEP_LINK && player->step.where >= 0) {
        const lope_block_instance *instance = instance_at(w, player->step.where);
        const lope_placed_unit *objects = w->objects.items;
        for (int i = 0; i < w->objects.count; i++)
            for (int k = 0; k < w->blocks->blocks[instance->block].unit_count; k++)
                touched[i] |=
                    objects[i].unit == w->blocks->placed[w->blocks->blocks[instance->block].unit_first + k].unit;
    }
    out->deepest = fmaxf(out->deepest, depth_in_others(w, model, touched));
    if (player->speed > 0.0f) {
        memset(touched, 0, (size_t)w->objects.count);
        out->in_slide = fmaxf(out->in_slide, depth_in_others(w, model, touched));
    }
}

test_playing test_play(const lope_block_world *world, const lope_block_step *steps, int count)
{
    test_playing out = {0};
    size_t joints = (size_t)world->blocks->set->skeleton->joint_count;
    void *memory = malloc(lope_block_player_memory(world));
    lope_transform *model = malloc(joints * sizeof *model);
    lope_quat *rotations = malloc(joints * sizeof *rotations);
    bool *touched = calloc((size_t)world->objects.count + 1, 1);
    lope_block_player player;
    lope_block_player_begin(world, &steps[0], memory, &player);
    lope_pose pose = {(int)joints, {0.0f, 0.0f, 0.0f}, rotations, NULL};
    lope_block_player_pose(&player, &pose, model);
    lope_vec3 before = pose.root;
    float speeds[4] = {0};
    int since_sliding = AFTER_SLIDING;
    for (int at = 0; at < count;) {
        float speed = player.speed;
        if (lope_block_player_advance(&player, 1.0f / 30.0f, 1.0f) && ++at < count)
            lope_block_player_next(&player, &steps[at]);
        lope_block_player_pose(&player, &pose, model);
        float way = lope_v3_distance(pose.root, before);
        before = pose.root;
        for (int i = 3; i > 0; i--)
            speeds[i] = speeds[i - 1];
        speeds[0] = way * 30.0f;
        since_sliding = speed > 0.0f ? 0 : since_sliding + 1;
        if (since_sliding < AFTER_SLIDING)
            out.hardest = fmaxf(out.hardest, fabsf(speeds[0] - speeds[3]) / 0.1f);
        out.fastest = fmaxf(out.fastest, player.speed);
        if (speed == 0.0f && player.speed == 0.0f)
            out.widest_step = fmaxf(out.widest_step, way);
        look(world, &player, model, touched, &out);
        out.frames++;
    }
    out.seconds = (float)out.frames / 30.0f;
    free(memory);
    free(model);
    free(rotations);
    free(touched);
    return out;
}
