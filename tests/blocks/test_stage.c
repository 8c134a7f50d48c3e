// SPDX-License-Identifier: MIT
// Stages of one's own: what is refused and where, meshes as boxes, performances and behaviours by a file, things of
// other sizes with the motion bent to them. The built-in motions take the place of captures.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "blocks/match.h"
#include "blocks/world.h"
#include "io/mesh_boxes.h"
#include "lope/contacts.h"
#include "lope/terrain_scene.h"
#include "support/captures.h"
#include "synth/special.h"

#define CRATE "{\"units\": [{\"name\": \"crate\", \"boxes\": [{\"size\": [1, 1, 1]}]}],\n"
#define ON_CRATE "\"things\": [{\"unit\": \"crate\", \"at\": [0, 0, 0]}]"

static void bad_stages_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *says;
    } cases[] = {
        {"[]", 1, "a stage"},
        {"{}", 1, "needs 'performances'"},
        {"{\"units\": [{\"name\": \"a\"}]}", 1, "'boxes' or a 'mesh'"},
        {"{\"units\": [\n{\"name\": \"a\", \"boxes\": [{\"size\": [1, 0, 1]}]}]}", 2, "has no size"},
        {"{\"units\": [\n{\"name\": \"a\", \"mesh\": \"none.obj\"}]}", 2, "none.obj"},
        {"{\"units\": [{\"name\": \"a\", \"scale\": 2, \"boxes\": [{\"size\": [1, 1, 1]}]}]}", 1, "'scale' is that"},
        {CRATE "\"performances\": [{\"clip\": \"x\"}]}", 2, "needs a 'clip' and 'things'"},
        {CRATE "\"performances\": [{\"clip\": \"x\",\n\"things\": [{\"unit\": \"crat\", \"at\": [0, 0, 0]}]}]}", 3,
         "there is no unit 'crat'"},
        {CRATE "\"performances\": [{\"clip\": \"x\", \"floors\": [0, 1, 2], " ON_CRATE "}]}", 2, "at most two floors"},
        {CRATE "\"performances\": [{\"clip\": \"x\", \"floors\": [], " ON_CRATE "}]}", 2, "needs a floor"},
        {CRATE "\"performances\": [{\"clip\": \"x\", " ON_CRATE "},\n{\"clip\": \"x\", " ON_CRATE "}]}", 3,
         "two performances of clip 'x'"},
        {"{\"behaviours\": [{\"name\": \"chat\"}]}", 1, "needs a 'name' and a 'clip'"},
        {"{\"behaviours\": [{\"name\": \"chat\", \"clip\": \"x\", \"from\": 3, \"to\": 2}]}", 1, "before it begins"},
        {"{\"variants\": [{\"name\": \"low\", \"of\": \"step\"}]}", 1, "and its 'scale'"},
        {"{\"variants\": [{\"name\": \"low\", \"of\": \"step\", \"scale\": [1, 9, 1]}]}", 1, "'scale'"},
        {"{\"things\": []}", 1, "things"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_stage_file *stage;
        lope_error error = {0};
        lope_status status = lope_stage_read_memory(cases[i].text, strlen(cases[i].text), "stage.json", &stage, &error);
        if (status == LOPE_OK || error.line != cases[i].line || !strstr(error.message, cases[i].says))
            fail_msg("case %zu: line %d: %s", i, error.line, error.message);
        assert_string_equal(error.file, "stage.json");
        assert_null(stage);
    }
}

static const char WEDGE[] = "v -0.5 0 -1\nv 0.5 0 -1\nv -0.5 0 1\nv 0.5 0 1\nv -0.5 0.8 1\nv 0.5 0.8 1\n"
                            "f 1 2 4 3\nf 3 4 6 5\nf 1 5 6 2\nf 1 3 5\nf 2 6 4\n";

static mesh_boxes boxes_of(const char *text)
{
    lope_error error;
    lope_terrain_mesh *mesh;
    mesh_boxes boxes;
    assert_ok(lope_terrain_obj_read_memory(text, strlen(text), "mesh.obj", 1.0f, &mesh, &error));
    assert_ok(mesh_boxes_fill(mesh, &boxes, &error));
    lope_terrain_mesh_destroy(mesh);
    return boxes;
}

static void meshes_are_filled_with_boxes(void **state)
{
    (void)state;
    mesh_boxes wedge = boxes_of(WEDGE), sheet = boxes_of("v -1 1 -1\nv 1 1 -1\nv 1 1 1\nv -1 1 1\nf 1 2 3 4\n");
    double volume = 0.0;
    for (int i = 0; i < wedge.boxes.count; i++) {
        lope_vec3 half = ((const lope_box *)wedge.boxes.items)[i].half;
        volume += 8.0 * (double)half.x * (double)half.y * (double)half.z;
    }
    assert_true(wedge.boxes.count > 20 && wedge.boxes.count <= MESH_MOST_BOXES);
    assert_float_equal(volume, 0.8, 0.01); // half of 1 by 0.8 by 2 m
    assert_true(wedge.error < 0.02f);
    assert_true(lope_unit_mirrors(wedge.boxes.items, wedge.boxes.count));
    assert_int_equal(sheet.boxes.count, 1); // a slab under the surface
    lope_box slab = *(const lope_box *)sheet.boxes.items;
    assert_float_equal(slab.centre.y + slab.half.y, 1.0f, 1e-5);
    assert_float_equal(slab.half.x, 1.0f, 1e-5);
    lope_free(wedge.boxes.items);
    lope_free(sheet.boxes.items);
    const lope_box aside = {{0.3f, 0.5f, 0.0f}, {0.2f, 0.5f, 0.2f}, 0.0f, 0.0f};
    assert_false(lope_unit_mirrors(&aside, 1));
}

// ---- building

static const char OWN[] = "{\"units\": [{\"name\": \"plank\", \"boxes\": [{\"centre\": [0, -0.09, 0],"
                          "\"size\": [1.2, 0.18, 0.28]}]}],\n"
                          "\"performances\": [{\"clip\": \"stairs_up_slow\", \"floors\": [0, %s],\n"
                          "\"things\": [{\"unit\": \"plank\", \"at\": [0, 0.18, %s], \"count\": %d,"
                          "\"by\": [0, 0.18, 0.28]}]}],\n"
                          "\"behaviours\": [{\"name\": \"rest\", \"clip\": \"look_around\"}]}";

static int load_made(lope_clip **clips)
{
    const char *names[64] = {"stairs_up_slow", "look_around", "walk_slow", "idle"};
    int count = 4, loaded = 0;
    for (int i = 0; i < lope_synth_count() && count < 40; i++)
        if (strncmp(lope_synth_name(i), "stroll_", 7) == 0)
            names[count++] = lope_synth_name(i);
    assert_true(test_load_clips(names, clips, &loaded));
    return loaded;
}

static void files_say_what_clips_were_performed_on(void **state)
{
    (void)state;
    lope_clip *clips[64];
    lope_error error = {0};
    synth_stairs stairs;
    int count = load_made(clips);
    lope_synth_def synth = lope_synth_def_default();
    assert_ok(synth_stairs_of("stairs_up_slow", synth.seed, 0, &stairs, &error));
    char text[1024], top[32], first[32];
    snprintf(top, sizeof top, "%.4f", (double)stairs.riser * stairs.risers);
    snprintf(first, sizeof first, "%.4f", (double)(stairs.begin + 0.5f * stairs.tread));
    snprintf(text, sizeof text, OWN, top, first, stairs.risers - 1);
    lope_stage_file *file;
    assert_ok(lope_stage_read_memory(text, strlen(text), "own.json", &file, &error));
    test_stage s = {0};
    lope_stage_def def = {.file = file};
    assert_ok(lope_stage_captured((const lope_clip *const *)clips, count, &def, &s.set, &s.stage, &error));
    assert_int_equal(s.stage->scene_count, 2); // and mirrored: planks look the same in a mirror
    assert_int_equal(s.stage->behaviour_count, 2);
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def blocks = lope_blocks_def_default();
    tile.clips = s.stage->walking_clips;
    assert_ok(lope_tile_build(s.set, &tile, NULL, NULL, &s.tile, NULL, &error));
    assert_ok(lope_blocks_build(s.set, s.stage, s.tile, &tile, &blocks, NULL, &s.blocks, NULL, &error));
    assert_true(lope_blocks_find(s.blocks, "floor+plank+plank+plank") >= 0);
    int rest = lope_blocks_find(s.blocks, "rest");
    assert_true(rest >= 0);
    const lope_block_link *link = &s.blocks->links[s.blocks->blocks[rest].link_first];
    assert_int_equal(link->from, link->to); // it ends where it began
    assert_true(s.blocks->segments[link->segment].piece.frames > 45);
    lope_blocks_builtin_destroy(&s);
    // A clip that the file names and nobody gave.
    assert_int_equal(
        lope_stage_captured((const lope_clip *const *)clips + 1, count - 1, &def, &s.set, &s.stage, &error),
        LOPE_NOT_FOUND);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "stairs_up_slow"));
    lope_stage_file_destroy(file);
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
}

// ---- variants

static const char SIZES[] = "{\"variants\": [{\"name\": \"low\", \"of\": \"step\", \"scale\": [1, 0.8, 1.1]},\n"
                            "{\"name\": \"tall\", \"of\": \"chair\", \"scale\": [1, 1.12, 1]}]}";

static lope_stage_file *read_variants(const char *text)
{
    lope_stage_file *file;
    lope_error error;
    assert_ok(lope_stage_read_memory(text, strlen(text), "sizes.json", &file, &error));
    return file;
}

// How far touching feet and seats are from what carries them, at most, in the clips that were bent.
static float worst_gap(const lope_set *set, const lope_stage *stage, int first_scene)
{
    float worst = 0.0f;
    lope_transform *model = malloc((size_t)set->skeleton->joint_count * sizeof *model);
    for (int s = first_scene; s < stage->scene_count; s++) {
        const lope_stage_scene *scene = &stage->scenes[s];
        const lope_clip *clip = set->clips[scene->clip];
        for (int f = 0; f < clip->frame_count; f++) {
            lope_vec3 points[LOPE_CONTACT_COUNT];
            lope_clip_model(clip, f, model);
            lope_contact_points(clip->skeleton, model, points);
            for (int part = 0; part < LOPE_CONTACT_COUNT; part++) {
                if (!(clip->contacts[f] >> part & 1) || (part >= 4 && part < LOPE_CONTACT_COUNT - 1))
                    continue;
                float gap = fabsf(points[part].y);
                for (int i = 0; i < scene->placed_count; i++) {
                    const lope_placed_unit *placed = &stage->placed[scene->placed_first + i];
                    const lope_unit *unit = &stage->units[placed->unit];
                    for (int b = 0; b < unit->box_count; b++) {
                        world_box box = world_box_of(&stage->boxes[unit->box_first + b], placed->at, i);
                        gap = fminf(gap, fabsf(world_box_distance(&box, points[part])));
                    }
                }
                bool top = part < 4 && fabsf(points[part].y) > 1.0f && strncmp(clip->name, "stairs", 6) == 0;
                worst = top ? worst : fmaxf(worst, gap); // floors at the other end of stairs are no units
            }
        }
    }
    free(model);
    return worst;
}

static void things_of_other_sizes_are_used(void **state)
{
    test_stage s = {0};
    lope_error error = {0};
    (void)state;
    lope_stage_file *file = read_variants(SIZES);
    assert_ok(lope_stage_builtin(1, NULL, &s.set, &s.stage, &error));
    int scenes = s.stage->scene_count, clips = s.set->clip_count;
    assert_ok(lope_stage_vary(file, &s.set, s.stage, &error));
    assert_int_equal(s.stage->scene_count - scenes, s.set->clip_count - clips);
    assert_true(s.stage->scene_count > scenes + 4);
    float gap = worst_gap(s.set, s.stage, scenes);
    print_message("bent clips: touching feet and seats are %.1f cm off at most\n", 100.0 * (double)gap);
    assert_true(gap < 0.045f);
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def def = lope_blocks_def_default();
    tile.clips = s.stage->walking_clips;
    assert_ok(lope_tile_build(s.set, &tile, NULL, NULL, &s.tile, NULL, &error));
    assert_ok(lope_blocks_build(s.set, s.stage, s.tile, &tile, &def, NULL, &s.blocks, NULL, &error));
    lope_block_world *world = test_world(&s);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
    test_add_floor(world, 0.0f, 8 * 0.144f, 9.0f, 6, 2);
    for (int i = 1; i < 8; i++)
        test_add_unit(world, "step_low", 3.0f, 0.144f * (float)i, 9.0f - 0.308f * ((float)(8 - i) - 0.5f), 0.0f);
    test_add_unit(world, "chair_tall", 6.5f, 0.0f, 3.0f, 0.4f);
    assert_ok(lope_block_world_update(world, NULL, &error));
    lope_block_survey survey;
    assert_ok(lope_block_world_survey(world, &survey, &error));
    assert_int_equal(survey.components, 1);
    assert_int_equal(survey.unmatched, 0);
    lope_block_step steps[256];
    int from = lope_block_node_near(world, (lope_spot){3, 0, 3, 0}, -1), count;
    int to = lope_block_node_near(world, (lope_spot){5, 8 * 0.144f, 10.5f, 0}, -1);
    for (int way = 0; way < 2; way++) {
        assert_ok(lope_block_path(world, way ? to : from, way ? from : to, steps, 256, &count, &error));
        test_playing p = test_play(world, steps, count);
        print_message("%d frames: step %.3f, gap %.3f, depth %.3f\n", p.frames, (double)p.widest_step,
                      (double)p.widest_gap, (double)p.deepest);
        assert_true(p.widest_step < 0.12f && p.widest_gap < 0.05f && p.deepest < 0.04f && p.in_floor < 0.003f);
    }
    lope_block_world_destroy(world);
    lope_stage_file_destroy(file);
    lope_blocks_builtin_destroy(&s);
}

static void what_no_body_reaches_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        lope_status status;
    } cases[] = {
        {"{\"variants\": [{\"name\": \"huge\", \"of\": \"step\", \"scale\": [1, 2.5, 1]}]}", "reaches",
         LOPE_UNSUPPORTED},
        {"{\"variants\": [{\"name\": \"far\", \"of\": \"ladder\", \"scale\": [1, 1.3, 1]}]}", "reaches",
         LOPE_UNSUPPORTED},
        {"{\"variants\": [{\"name\": \"low\", \"of\": \"sofa\", \"scale\": [1, 0.9, 1]}]}", "no such unit",
         LOPE_NOT_FOUND},
    };
    lope_set *set;
    lope_stage *stage;
    lope_error error = {0};
    assert_ok(lope_stage_builtin(1, NULL, &set, &stage, &error));
    int units = stage->unit_count, clips = set->clip_count;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_stage_file *file = read_variants(cases[i].text);
        assert_int_equal(lope_stage_vary(file, &set, stage, &error), cases[i].status);
        if (!strstr(error.message, cases[i].says))
            fail_msg("case %zu: %s", i, error.message);
        assert_int_equal(error.line, 1);
        lope_stage_file_destroy(file);
    }
    assert_true(stage->unit_count == units && set->clip_count == clips); // as before
    lope_stage_destroy(stage);
    lope_set_destroy(set);
}

// ---- dense patches

static int by_ends(const void *a, const void *b)
{
    const lope_block_link *x = a, *y = b;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

static void dense_patches_have_every_part(void **state)
{
    const test_stage *s = *state;
    lope_error error;
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def def = lope_blocks_def_default();
    test_stage dense = *s;
    tile.clips = s->stage->walking_clips;
    def.dense = true;
    assert_ok(lope_blocks_build(s->set, s->stage, s->tile, &tile, &def, NULL, &dense.blocks, NULL, &error));
    const lope_blocks *b = dense.blocks;
    assert_true(b->link_count > 100 * s->blocks->link_count && b->gate_count > 10 * s->blocks->gate_count);
    for (int i = 0; i < b->block_count; i++) {
        const lope_block *block = &b->blocks[i];
        lope_block_link *links = malloc((size_t)block->link_count * sizeof *links);
        memcpy(links, b->links + block->link_first, (size_t)block->link_count * sizeof *links);
        qsort(links, (size_t)block->link_count, sizeof *links, by_ends);
        for (int l = 0; l < block->link_count; l++) {
            assert_true(b->segments[links[l].segment].piece.frames > 20);
            assert_true(block->unit_count == 0 || l == 0 || by_ends(&links[l - 1], &links[l]) != 0); // one a pair
        }
        free(links);
    }
    // Whatever junctions can do, dense patches can.
    lope_block_world *world = test_world(&dense);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
    test_add_floor(world, 0.0f, 8 * 0.18f, 9.0f, 6, 2);
    test_add_stairs(world, 3.0f, 0.0f, 9.0f, 7);
    assert_ok(lope_block_world_update(world, NULL, &error));
    lope_block_step steps[256];
    int from = lope_block_node_near(world, (lope_spot){3, 0, 3, 0}, -1), count;
    int to = lope_block_node_near(world, (lope_spot){5, 8 * 0.18f, 10.5f, 0}, -1);
    assert_ok(lope_block_path(world, from, to, steps, 256, &count, &error));
    test_playing p = test_play(world, steps, count);
    print_message("dense, up stairs: step %.3f, gap %.3f, depth %.3f\n", (double)p.widest_step, (double)p.widest_gap,
                  (double)p.deepest);
    assert_true(p.widest_step < 0.12f && p.widest_gap < 0.1f && p.deepest < 0.04f); // cells are 10 cm wide
    lope_block_world_destroy(world);
    lope_blocks_destroy(dense.blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_stages_are_refused_with_their_line),
        cmocka_unit_test(meshes_are_filled_with_boxes),
        cmocka_unit_test(files_say_what_clips_were_performed_on),
        cmocka_unit_test(things_of_other_sizes_are_used),
        cmocka_unit_test(what_no_body_reaches_is_refused),
        cmocka_unit_test_setup_teardown(dense_patches_have_every_part, test_stage_create, test_stage_destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
