// SPDX-License-Identifier: MIT
// Walkers on gentle slopes and low kerbs: soles on the ground, planted feet stay, knees never past straight, nothing
// leaps; and level ground keeps its bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mobility/map.h"
#include "support/floor_levels.h"
#include "support/walking.h"

#define RATE 60.0f

// A ramp up and down again after level ground, or a kerb to step onto and down from, across the way along +Z.
static lope_level *make_ground(float degrees, float kerb)
{
    lope_error error;
    lope_level *level;
    float slope = degrees * (float)(LOPE_PI / 180.0), rise = 6.0f * tanf(slope);
    assert_ok(lope_level_create(&level, &error));
    floors_add_box(level, lope_v3(0, -0.5f, 12), lope_v3(12, 0.5f, 60), 0, 0);
    if (kerb > 0.0f)
        floors_add_box(level, lope_v3(0, 0, 9), lope_v3(12, kerb, 8), 0, 0);
    if (degrees > 0.0f) {
        lope_vec3 corners[] = {{-6, 0, 4}, {6, 0, 4}, {-6, rise, 10}, {6, rise, 10}, {-6, 0, 16}, {6, 0, 16}};
        int indices[] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
        lope_terrain_mesh mesh = {6, 4, corners, indices};
        lope_part_def part = lope_part_def_default(LOPE_PART_MESH);
        part.mesh = &mesh;
        assert_ok(lope_level_add(level, &part, NULL, &error));
    }
    return level;
}

typedef struct figures {
    float deepest, hover; // metres: soles that stand below and above the ground, worst
    double hover_mean;
    int stands;
    float skate;   // metres: most that a point that touches goes over the ground while it does
    float stretch; // of legs, as a share of what their bones let them
    float jump;    // metres per second: most that the velocity of any joint changes in a frame
    bool arrived;  // at the last goal
} figures;

static float ground_at(const lope_terrain *terrain, lope_vec3 p)
{
    lope_terrain_hit hit;
    assert_true(lope_terrain_below(terrain, NULL, lope_v3(p.x, p.y + 0.3f, p.z), 3.0f, &hit));
    return hit.point.y;
}

// One sole point while it touches.
typedef struct touch {
    bool on;
    int frames;
    lope_vec3 began;
} touch;

// `ground` [0] is that under it; over the edge of a kerb a foot may stand on [1], which is under its other end.
static void watch_touch(touch *t, bool on, lope_vec3 point, const float ground[2], figures *out)
{
    const float over = point.y - ground[1];
    if (!on || !t->on) {
        *t = (touch){on, 0, point};
        return;
    }
    if (++t->frames < 6) { // it comes down and is locked
        t->began = point;
        return;
    }
    out->deepest = fmaxf(out->deepest, ground[0] - point.y);
    out->hover = fmaxf(out->hover, over);
    out->hover_mean += (double)fmaxf(over, 0.0f);
    out->stands++;
    out->skate = fmaxf(out->skate, hypotf(point.x - t->began.x, point.z - t->began.z));
}

#define JOINTS 64

typedef struct watcher {
    touch touches[2][2];
    lope_transform model[JOINTS], before[JOINTS];
    lope_vec3 velocity[JOINTS];
    int frames;
} watcher;

static void watch(watcher *w, const lope_walker *walker, const lope_terrain *terrain, figures *out)
{
    const lope_lock_rig *rig = &test_map->rig;
    const uint16_t contacts = lope_walker_contacts(walker);
    for (int side = 0; side < 2; side++) {
        lope_limb leg = rig->legs[side].joints;
        lope_vec3 heel = lope_transform_point(w->model[rig->legs[side].heel_joint], rig->legs[side].heel);
        lope_vec3 ball = lope_transform_point(w->model[rig->legs[side].ball_joint], rig->legs[side].ball);
        float under_heel = ground_at(terrain, heel), under_ball = ground_at(terrain, ball);
        bool edge = fabsf(under_heel - under_ball) > 0.06f;
        float higher = fmaxf(under_heel, under_ball);
        watch_touch(&w->touches[side][0], contacts >> (2 * side) & 1, heel,
                    (float[]){under_heel, edge ? higher : under_heel}, out);
        watch_touch(&w->touches[side][1], contacts >> (2 * side + 1) & 1, ball,
                    (float[]){under_ball, edge ? higher : under_ball}, out);
        lope_vec3 hip = w->model[leg.upper].translation, knee = w->model[leg.lower].translation,
                  ankle = w->model[leg.end].translation;
        out->stretch = fmaxf(out->stretch, lope_v3_distance(hip, ankle) /
                                               (lope_v3_distance(hip, knee) + lope_v3_distance(knee, ankle)));
    }
    for (int j = 0; j < lope_mobility_set(test_map)->skeleton->joint_count && w->frames > 0; j++) {
        lope_vec3 v = lope_v3_scale(lope_v3_sub(w->model[j].translation, w->before[j].translation), RATE);
        if (w->frames > 1)
            out->jump = fmaxf(out->jump, lope_v3_distance(v, w->velocity[j]));
        w->velocity[j] = v;
    }
    memcpy(w->before, w->model, sizeof w->before);
    w->frames++;
}

static figures walk_to(const lope_level *level, float x, const lope_goal *goals, int count)
{
    lope_error error;
    void *memory = malloc(lope_walker_size(test_map));
    lope_walker *walker;
    lope_walker_def def = lope_walker_def_default();
    lope_footing footing;
    static watcher w;
    memset(&w, 0, sizeof w);
    figures out = {0};
    assert_true(lope_mobility_set(test_map)->skeleton->joint_count <= JOINTS);
    assert_ok(lope_walker_init(memory, test_map, &def, -1, (lope_ground){x, 0, 0}, &walker, &error));
    lope_footing_init(&footing, lope_level_terrain(level), 0.0f);
    lope_walker_stand_on(walker, &footing);
    for (int g = 0; g < count; g++) {
        assert_ok(lope_walker_go_to(walker, &goals[g], &error));
        for (int i = 0; i < (count > 1 ? 8 : 40) * (int)RATE && lope_walker_progress_of(walker) != LOPE_WALKER_ARRIVED;
             i++) {
            lope_walker_step(walker, 1.0f / RATE);
            lope_walker_pose(walker, NULL, w.model);
            watch(&w, walker, lope_level_terrain(level), &out);
        }
    }
    out.arrived = lope_walker_progress_of(walker) == LOPE_WALKER_ARRIVED;
    free(memory);
    return out;
}

static figures walk_over(const lope_level *level, float x)
{
    figures f = walk_to(level, x, &(lope_goal){.position = {x, 20}, .facing = NAN, .stop = true}, 1);
    assert_true(f.arrived);
    return f;
}

static void print_figures(const char *name, float value, const figures *f)
{
    printf("%s %4.1f: in the ground %4.1f mm, above it %4.1f mm (mean %.2f), skate %4.1f mm, stretch %.4f, jump %.2f "
           "m/s\n",
           name, (double)value, (double)f->deepest * 1e3, (double)f->hover * 1e3,
           f->stands ? f->hover_mean / f->stands * 1e3 : 0.0, (double)f->skate * 1e3, (double)f->stretch,
           (double)f->jump);
}

static figures worst_of(float degrees, float kerb)
{
    figures worst = {0};
    lope_level *level = make_ground(degrees, kerb);
    for (int i = 0; i < 5; i++) {
        figures f = walk_over(level, 0.37f * (float)i - 0.7f);
        worst.deepest = fmaxf(worst.deepest, f.deepest);
        worst.hover = fmaxf(worst.hover, f.hover);
        worst.hover_mean += f.hover_mean, worst.stands += f.stands;
        worst.skate = fmaxf(worst.skate, f.skate);
        worst.stretch = fmaxf(worst.stretch, f.stretch);
        worst.jump = fmaxf(worst.jump, f.jump);
    }
    lope_level_destroy(level);
    return worst;
}

static void assert_fine(const figures *f, const figures *level)
{
    assert_true(f->deepest < level->deepest + 0.012f);
    assert_true(f->hover < level->hover + 0.02f);
    assert_true(f->hover_mean / f->stands < level->hover_mean / level->stands + 0.003);
    assert_true(f->skate < level->skate + 0.005f);
    assert_true(f->stretch <= 1.0001f);
    assert_true(f->jump < 2.3f * level->jump);
}

static void slopes_and_kerbs_are_followed(void **state)
{
    (void)state;
    figures level = worst_of(0, 0);
    print_figures("level  ", 0, &level);
    for (int degrees = 2; degrees <= 12; degrees += 2) {
        figures f = worst_of((float)degrees, 0);
        print_figures("degrees", (float)degrees, &f);
        assert_fine(&f, &level);
    }
    for (int centimetres = 3; centimetres <= 15; centimetres += 4) {
        figures f = worst_of(0, 0.01f * (float)centimetres);
        print_figures("kerb cm", (float)centimetres, &f);
        assert_fine(&f, &level);
    }
}

// Treads are for gaits, but walkers turn round and stand on them: nothing leaps there either.
static void nothing_leaps_on_treads(void **state)
{
    (void)state;
    figures level = worst_of(0, 0), worst = {0};
    lope_level *treads = make_ground(0, 0);
    for (int i = 0; i < 5; i++)
        floors_add_box(treads, lope_v3(0, 0, 10), lope_v3(12, 0.18f * (float)(i + 1), 10 - 0.6f * (float)i), 0, 0);
    for (int i = 0; i < 8; i++) {
        lope_vec2 there = {0.2f * (float)i, 5.5f + 0.07f * (float)i};
        lope_goal goals[] = {{there, 0.0f, true, 0.0f}, {there, 3.0f, true, 0.0f}, {there, 1.5f, true, 0.0f}};
        figures f = walk_to(treads, there.x, goals, 3);
        worst.jump = fmaxf(worst.jump, f.jump);
    }
    printf("treads of 18 cm: jump %.2f m/s\n", (double)worst.jump);
    assert_true(worst.jump < 3.0f * level.jump);
    lope_level_destroy(treads);
}

// The same walk with and without a footing, on level ground that is cut into triangles and not.
static void level_ground_keeps_its_bits(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level = make_ground(0, 0);
    size_t size = lope_walker_size(test_map);
    lope_walker *walkers[2];
    lope_footing footing;
    lope_walker_def def = lope_walker_def_default();
    static lope_transform models[2][JOINTS];
    int count = lope_mobility_set(test_map)->skeleton->joint_count;
    for (int i = 0; i < 2; i++) {
        assert_ok(lope_walker_init(malloc(size), test_map, &def, -1, (lope_ground){0, 0, 0}, &walkers[i], &error));
        assert_ok(
            lope_walker_go_to(walkers[i], &(lope_goal){.position = {3, 12}, .facing = NAN, .stop = true}, &error));
    }
    lope_footing_init(&footing, lope_level_terrain(level), 0.0f);
    lope_walker_stand_on(walkers[1], &footing);
    for (int i = 0; i < 600; i++) {
        for (int k = 0; k < 2; k++) {
            lope_walker_step(walkers[k], 1.0f / RATE);
            lope_walker_pose(walkers[k], NULL, models[k]);
        }
        assert_memory_equal(models[0], models[1], (size_t)count * sizeof models[0][0]);
    }
    free(walkers[0]);
    free(walkers[1]);
    lope_level_destroy(level);
}

// Joints relative to their parents tell the same as joints in the world.
static void poses_and_models_agree(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level = make_ground(10, 0);
    const lope_skeleton *skeleton = lope_mobility_set(test_map)->skeleton;
    lope_walker *walker;
    lope_walker_def def = lope_walker_def_default();
    lope_footing footing;
    lope_quat rotations[JOINTS];
    lope_pose pose = {skeleton->joint_count, {0, 0, 0}, rotations, NULL};
    lope_transform model[JOINTS], again[JOINTS];
    assert_ok(lope_walker_init(malloc(lope_walker_size(test_map)), test_map, &def, -1, (lope_ground){0, 0, 0}, &walker,
                               &error));
    lope_footing_init(&footing, lope_level_terrain(level), 0.0f);
    lope_walker_stand_on(walker, &footing);
    assert_ok(lope_walker_go_to(walker, &(lope_goal){.position = {0, 20}, .facing = NAN, .stop = true}, &error));
    for (int i = 0; i < 400; i++) {
        lope_walker_step(walker, 1.0f / RATE);
        lope_walker_pose(walker, &pose, model);
        lope_pose_to_model(skeleton, &pose, again);
        for (int j = 0; j < skeleton->joint_count; j++)
            assert_true(lope_v3_distance(model[j].translation, again[j].translation) < 1e-4f);
    }
    free(walker);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_ground_keeps_its_bits), cmocka_unit_test(poses_and_models_agree),
        cmocka_unit_test(slopes_and_kerbs_are_followed), cmocka_unit_test(nothing_leaps_on_treads)};
    return cmocka_run_group_tests(tests, test_map_set_up, test_map_tear_down);
}
