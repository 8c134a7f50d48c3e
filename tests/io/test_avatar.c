// SPDX-License-Identifier: MIT
// Characters of other people's files: read, moved, written back with every byte where it was.
#include "lope/avatar.h"

#include <stdlib.h>
#include <string.h>

#include "io/gltf_file.h"
#include "lope/edit.h"
#include "lope/ground.h"
#include "support/bodies.h"
#include "support/hero.h"

enum { MOST_JOINTS = 64 };

static lope_avatar *open_hero(const hero_variant *variant, const lope_avatar_def *def)
{
    const char *path = test_path(variant->plain_text || variant->beside ? "hero.gltf" : "hero.glb");
    lope_avatar *avatar;
    lope_error error;
    hero_write(path, variant);
    assert_ok(lope_avatar_open(path, def, &avatar, &error));
    return avatar;
}

static lope_clip *walk_of(const lope_avatar *avatar)
{
    lope_clip *walk, *slow, *carried;
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    assert_ok(lope_synth_clip("veer_left", &def, 0, &walk, &error));
    assert_ok(lope_clip_resample(walk, 10.0, &slow, &error));
    assert_ok(lope_clip_retarget(slow, avatar->skeleton, &carried, &error));
    lope_clip_destroy(walk);
    lope_clip_destroy(slow);
    return carried;
}

static gltf_file save_and_open(const lope_avatar *avatar, const lope_clip *const *clips, int count, bool replace)
{
    const char *path = test_path("out.glb");
    gltf_file file;
    lope_error error;
    assert_ok(lope_avatar_save(avatar, clips, count, &(lope_avatar_save_def){replace}, path, &error));
    assert_ok(lope_gltf_open(path, &file, &error));
    return file;
}

static int node_named(const gltf_file *file, const char *name)
{
    for (int i = 0; i < file->node_count; i++)
        if (strcmp(lope_gltf_name(json_array_get(json_object_get(file->root, "nodes"), (size_t)i)), name) == 0)
            return i;
    return -1;
}

// Puts the nodes to where frame `frame` of an animation has them.
static void play(gltf_file *file, const json_t *animation, size_t frame)
{
    size_t i;
    json_t *channel;
    affine *rest = malloc((size_t)file->node_count * sizeof *rest);
    memcpy(rest, file->locals, (size_t)file->node_count * sizeof *rest);
    json_array_foreach(json_object_get(animation, "channels"), i, channel)
    {
        const json_t *target = json_object_get(channel, "target");
        const json_t *sampler = json_array_get(json_object_get(animation, "samplers"),
                                               (size_t)json_integer_value(json_object_get(channel, "sampler")));
        int node = (int)json_integer_value(json_object_get(target, "node"));
        bool moves = strcmp(json_string_value(json_object_get(target, "path")), "translation") == 0;
        gltf_numbers values;
        assert_true(lope_gltf_numbers(file, json_object_get(sampler, "output"), &values));
        lope_vec3 translation, scale;
        lope_quat rotation;
        float read[4] = {0.0f};
        for (int k = 0; k < values.components; k++)
            read[k] = (float)lope_gltf_number(&values, frame, k);
        lope_gltf_node_parts(file, node, &translation, &rotation, &scale);
        if (moves)
            translation = lope_v3(read[0], read[1], read[2]);
        else
            rotation = (lope_quat){read[0], read[1], read[2], read[3]};
        file->locals[node] = lope_affine_from_parts(translation, rotation, scale);
        json_object_del(json_array_get(json_object_get(file->root, "nodes"), (size_t)node), "matrix");
        // Another channel of the node goes on from here: what it reads is the matrix, without the file's own numbers.
        json_object_set_new(
            json_array_get(json_object_get(file->root, "nodes"), (size_t)node), "rotation",
            json_pack("[f,f,f,f]", (double)rotation.x, (double)rotation.y, (double)rotation.z, (double)rotation.w));
    }
    for (int k = 0; k < file->node_count; k++) {
        int node = file->order[k], parent = file->parents[node];
        file->globals[node] =
            parent < 0 ? file->locals[node] : lope_affine_mul(&file->globals[parent], &file->locals[node]);
    }
    memcpy(file->locals, rest, (size_t)file->node_count * sizeof *rest);
    free(rest);
}

// Lowest and highest vertex of the first skinned mesh as the nodes stand; each follows one joint.
static void skinned_range(const gltf_file *file, float *low, float *high)
{
    const json_t *skin = json_array_get(json_object_get(file->root, "skins"), 0);
    const json_t *mesh = json_array_get(json_object_get(file->root, "meshes"), 0);
    const json_t *attributes = json_object_get(json_array_get(json_object_get(mesh, "primitives"), 0), "attributes");
    gltf_numbers binds, places, joints;
    assert_true(lope_gltf_numbers(file, json_object_get(skin, "inverseBindMatrices"), &binds));
    assert_true(lope_gltf_numbers(file, json_object_get(attributes, "POSITION"), &places));
    assert_true(lope_gltf_numbers(file, json_object_get(attributes, "JOINTS_0"), &joints));
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t v = 0; v < places.count; v++) {
        size_t slot = (size_t)lope_gltf_number(&joints, v, 0);
        int node = (int)json_integer_value(json_array_get(json_object_get(skin, "joints"), slot));
        affine bind;
        for (int i = 0; i < 12; i++)
            bind.m[i / 4][i % 4] = lope_gltf_number(&binds, slot, i % 4 * 4 + i / 4);
        affine move = lope_affine_mul(&file->globals[node], &bind);
        lope_vec3 at = {(float)lope_gltf_number(&places, v, 0), (float)lope_gltf_number(&places, v, 1),
                        (float)lope_gltf_number(&places, v, 2)};
        at = lope_affine_point(&move, at);
        *low = fminf(*low, at.y);
        *high = fmaxf(*high, at.y);
    }
}

static const json_t *animation_named(const gltf_file *file, const char *name)
{
    size_t i;
    json_t *animation;
    json_array_foreach(json_object_get(file->root, "animations"), i, animation)
    {
        if (strcmp(lope_gltf_name(animation), name) == 0)
            return animation;
    }
    return NULL;
}

static const hero_variant variants[] = {
    {0},
    {.posed = true},
    {.matrices = true},
    {.root_joint = true},
    {.posed = true, .root_joint = true, .still = true},
    {.plain_text = true},
    {.beside = true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

// Whatever the nodes' scale, turn and pose: metres, upright, as the skin was bound, with the soles of the mesh.
static void skeletons_stand_as_they_were_bound(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        lope_avatar *avatar = open_hero(&variants[i], NULL);
        const lope_skeleton *skeleton = avatar->skeleton;
        lope_transform model[MOST_JOINTS];
        assert_int_equal(skeleton->joint_count, 22 + variants[i].root_joint);
        assert_true(lope_skeleton_is_biped(skeleton));
        assert_int_equal(skeleton->role_source, LOPE_ROLES_NAMES);
        assert_int_equal(avatar->vertex_count, 22 * 8);
        assert_int_equal(avatar->animation_count, variants[i].still ? 0 : 1);
        assert_int_equal(avatar->root_bone, -1);
        lope_skeleton_rest_model(skeleton, model);
        lope_vec3 hips = model[skeleton->roles[LOPE_HIPS]].translation;
        lope_vec3 hand = model[skeleton->roles[LOPE_LEFT_HAND]].translation;
        int toe = skeleton->roles[LOPE_RIGHT_TOE];
        assert_near(lope_v3_distance(hips, lope_v3(0.0f, 1.0f, 0.0f)), 0, 1e-4);
        assert_near(lope_v3_distance(hand, lope_v3(0.72f, 1.46f, 0.0f)), 0, 1e-4);
        assert_near(lope_transform_point(model[toe], skeleton->tips[toe]).y, 0, 1e-4);
        assert_near(lope_skeleton_leg_length(skeleton), 0.83, 1e-4);
        assert_true(skeleton->feet_known);
        int ankle = skeleton->roles[LOPE_LEFT_ANKLE];
        lope_vec3 heel = lope_transform_point(model[ankle], skeleton->feet[LOPE_LEFT].heel);
        assert_near(lope_v3_distance(heel, lope_v3(0.1f, 0.0f, -0.06f)), 0, 1e-4);
        lope_avatar_close(avatar);
    }
}

// Bodies of all conventions, written as GLB: the same joints with the same roles at the same places.
static void skeletons_of_all_conventions_are_read(void **state)
{
    (void)state;
    for (int i = 0; i < body_table_count; i++) {
        int roles[LOPE_ROLE_COUNT];
        lope_skeleton *skeleton =
            body_make(&body_tables[i], &(body_variant){.turned = i % 2 == 1, .tips = true}, roles);
        lope_clip *clip;
        lope_avatar *avatar;
        lope_error error;
        lope_transform wanted[MOST_JOINTS * 2], model[MOST_JOINTS * 2];
        assert_ok(lope_clip_create(skeleton, "rest", 1, 30.0, 0, &clip, &error));
        assert_ok(lope_glb_write((const lope_clip *const *)&clip, 1, test_path("body.glb"), &error));
        assert_ok(lope_avatar_open(test_path("body.glb"), NULL, &avatar, &error));
        assert_int_equal(avatar->skeleton->joint_count, skeleton->joint_count);
        for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
            int role = avatar->skeleton->roles[r];
            assert_int_equal(role < 0, skeleton->roles[r] < 0);
            if (role >= 0)
                assert_string_equal(avatar->skeleton->names[role], skeleton->names[skeleton->roles[r]]);
        }
        lope_skeleton_rest_model(skeleton, wanted);
        lope_skeleton_rest_model(avatar->skeleton, model);
        for (int j = 0; j < skeleton->joint_count; j++) {
            int same = lope_skeleton_find(avatar->skeleton, skeleton->names[j]);
            assert_near(lope_v3_distance(model[same].translation, wanted[j].translation), 0, 1e-4);
            assert_near(lope_quat_angle(model[same].rotation, wanted[j].rotation), 0, 1e-3);
        }
        lope_avatar_close(avatar);
        lope_clip_destroy(clip);
        lope_skeleton_release(skeleton);
    }
}

static void assert_same(const gltf_file *old, const gltf_file *new, const char *key)
{
    const json_t *before = json_object_get(old->root, key), *after = json_object_get(new->root, key);
    assert_true(before == after || json_equal(before, after));
}

static void assert_begins(const gltf_file *old, const gltf_file *new, const char *key)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(old->root, key), i, item)
        assert_true(json_equal(item, json_array_get(json_object_get(new->root, key), i)));
}

static void nothing_but_animations_is_added(void **state)
{
    (void)state;
    static const char *const kept[] = {"asset",  "scene",    "scenes",    "nodes",  "skins",
                                       "meshes", "textures", "materials", "images", "extras"};
    lope_avatar *avatar = open_hero(&variants[0], NULL);
    lope_clip *walk = walk_of(avatar);
    gltf_file old, new = save_and_open(avatar, (const lope_clip *const[]){walk, walk, walk}, 3, false);
    lope_error error;
    assert_ok(lope_gltf_open(test_path("hero.glb"), &old, &error));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_same(&old, &new, kept[i]);
    assert_begins(&old, &new, "accessors");
    assert_begins(&old, &new, "bufferViews");
    assert_begins(&old, &new, "animations");
    assert_true(new.whole &&new.buffers[0].size > old.buffers[0].size);
    assert_memory_equal(new.buffers[0].bytes, old.buffers[0].bytes, old.buffers[0].size);
    assert_int_equal(json_array_size(json_object_get(new.root, "animations")), 4);
    assert_non_null(animation_named(&new, "veer_left"));
    assert_non_null(animation_named(&new, "veer_left_2"));
    assert_non_null(animation_named(&new, "veer_left_3"));
    lope_gltf_close(&new);
    new = save_and_open(avatar, (const lope_clip *const *)&walk, 1, true);
    assert_int_equal(json_array_size(json_object_get(new.root, "animations")), 1);
    lope_gltf_close(&new);
    new = save_and_open(avatar, NULL, 0, false); // nothing to add: the same file
    assert_true(json_equal(old.root, new.root));
    assert_memory_equal(new.buffers[0].bytes, old.buffers[0].bytes, old.buffers[0].size);
    lope_gltf_close(&new);
    lope_gltf_close(&old);
    lope_clip_destroy(walk);
    lope_avatar_close(avatar);
}

// What lay beside a file is in the one that is written, picture and all.
static void files_beside_come_along(void **state)
{
    (void)state;
    lope_avatar *avatar = open_hero(&(hero_variant){.beside = true}, &(lope_avatar_def){.root_bone = ""});
    lope_clip *walk = walk_of(avatar);
    gltf_file file = save_and_open(avatar, (const lope_clip *const *)&walk, 1, false);
    const json_t *image = json_array_get(json_object_get(file.root, "images"), 0);
    const json_t *view = lope_gltf_nth(file.root, "bufferViews", json_object_get(image, "bufferView"));
    assert_null(json_object_get(image, "uri"));
    assert_string_equal(json_string_value(json_object_get(image, "mimeType")), "image/png");
    assert_memory_equal(file.buffers[0].bytes + json_integer_value(json_object_get(view, "byteOffset")), "\x89PNG", 4);
    assert_true(file.whole);
    lope_gltf_close(&file);
    lope_clip_destroy(walk);
    lope_avatar_close(avatar);
}

// Nodes of the written file are where the clip has its joints, and the skin's soles are on the floor.
static void skins_follow(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        for (int bone = 0; bone < 2; bone++) {
            lope_avatar *avatar = open_hero(&variants[i], &(lope_avatar_def){.root_bone = bone ? "" : NULL});
            lope_clip *walk = walk_of(avatar);
            const lope_skeleton *skeleton = walk->skeleton;
            gltf_file file = save_and_open(avatar, (const lope_clip *const *)&walk, 1, false);
            const json_t *animation = animation_named(&file, "veer_left");
            int hips = skeleton->roles[LOPE_HIPS];
            for (int f = 0; f < walk->frame_count; f++) {
                lope_transform model[MOST_JOINTS];
                float low, high;
                lope_clip_model(walk, f, model);
                play(&file, animation, (size_t)f);
                for (int j = hips; j < skeleton->joint_count; j++) {
                    affine at = file.globals[node_named(&file, skeleton->names[j])];
                    assert_near(lope_v3_distance(lope_affine_rigid(&at).translation, model[j].translation), 0, 1e-4);
                    assert_near(lope_quat_angle(lope_affine_rigid(&at).rotation, model[j].rotation), 0, 1e-3);
                }
                skinned_range(&file, &low, &high);
                assert_near(low, 0, 0.025);
                assert_near(high, HERO_HEIGHT, 0.07);
                affine root = file.globals[node_named(&file, variants[i].root_joint ? "Root"
                                                             : bone                 ? "root"
                                                                                    : "Armature")];
                lope_vec3 at = lope_affine_rigid(&root).translation;
                lope_ground ground = lope_clip_ground(walk, f);
                assert_near(at.x, bone ? ground.x : 0.0f, 1e-4);
                assert_near(at.z, bone ? ground.z : 0.0f, 1e-4);
                assert_near(at.y, 0, 1e-4);
            }
            lope_gltf_close(&file);
            lope_clip_destroy(walk);
            lope_avatar_close(avatar);
        }
}

static void root_bones_are_found_or_added(void **state)
{
    (void)state;
    static const struct {
        bool has_root;
        const char *name;
        int joint, nodes; // how many nodes come on top
    } cases[] = {{true, "", 0, 0},    {true, "Root", 0, 0},      {true, "Armature", 0, 0}, {false, "", 0, 1},
                 {false, "go", 0, 1}, {false, "Armature", 0, 0}, {true, "extra", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hero_variant variant = {.root_joint = cases[i].has_root};
        lope_avatar *avatar = open_hero(&variant, &(lope_avatar_def){.root_bone = cases[i].name});
        lope_clip *walk = walk_of(avatar);
        gltf_file file = save_and_open(avatar, (const lope_clip *const *)&walk, 1, true);
        assert_int_equal(avatar->root_bone, cases[i].joint);
        assert_int_equal(avatar->nodes[cases[i].joint] < 0, cases[i].nodes);
        assert_int_equal(file.node_count, 25 + variant.root_joint + cases[i].nodes);
        const json_t *skin = json_array_get(json_object_get(file.root, "skins"), 0);
        assert_int_equal(json_array_size(json_object_get(skin, "joints")), 22 + variant.root_joint + cases[i].nodes);
        lope_gltf_close(&file);
        lope_clip_destroy(walk);
        lope_avatar_close(avatar);
    }
    lope_avatar *avatar;
    lope_error error;
    assert_int_equal(
        lope_avatar_open(test_path("hero.glb"), &(lope_avatar_def){.root_bone = "mixamorig:Head"}, &avatar, &error),
        LOPE_MISMATCH);
    assert_null(avatar);
    avatar = open_hero(&(hero_variant){0}, &(lope_avatar_def){.root_bone = "\xFFnot UTF-8"});
    assert_int_equal(lope_avatar_save(avatar, NULL, 0, NULL, test_path("bad.glb"), &error), LOPE_BAD_DATA);
    lope_avatar_close(avatar);
}

static void refuse(const hero_variant *variant, const char *skin, lope_status wanted, const char *says)
{
    lope_avatar *avatar;
    lope_error error = {0};
    hero_write(test_path("hero.glb"), variant);
    assert_int_equal(lope_avatar_open(test_path("hero.glb"), &(lope_avatar_def){.skin = skin}, &avatar, &error),
                     wanted);
    assert_null(avatar);
    assert_non_null(strstr(error.message, says));
    assert_non_null(strstr(error.file, "hero.glb"));
}

static void what_cannot_be_driven_is_refused(void **state)
{
    (void)state;
    refuse(&(hero_variant){.no_skin = true}, NULL, LOPE_BAD_DATA, "has no skin");
    refuse(&(hero_variant){.two = true}, NULL, LOPE_BAD_DATA, "'Hero skin', 'Twin skin'");
    refuse(&(hero_variant){0}, "Coat", LOPE_NOT_FOUND, "found 'Hero skin'");
    refuse(&(hero_variant){.stretch = 1.5f}, NULL, LOPE_UNSUPPORTED, "'Armature'");
    hero_write(test_path("hero.glb"), &(hero_variant){.two = true});
    static const struct {
        const char *skin, *joint;
        int skins;
    } cases[] = {{"Hero skin", "mixamorig:Hips", 2},
                 {"Boots skin", "mixamorig:Hips", 2},
                 {"Twin skin", "mixamorig:Hips_twin", 1}};
    lope_avatar *avatar;
    lope_error error;
    for (int i = 0; i < 3; i++) {
        assert_ok(lope_avatar_open(test_path("hero.glb"), &(lope_avatar_def){.skin = cases[i].skin}, &avatar, &error));
        assert_string_equal(avatar->skeleton->names[0], cases[i].joint);
        assert_int_equal(avatar->skin_count, cases[i].skins);
        lope_avatar_close(avatar);
    }
    lope_avatar_close(NULL);
    avatar = open_hero(&(hero_variant){.quadruped = true}, NULL); // a skeleton, but none to walk with
    assert_false(lope_skeleton_is_biped(avatar->skeleton));
    lope_clip *other = test_clip(3, 30.0, 1);
    assert_int_equal(lope_avatar_save(avatar, (const lope_clip *const *)&other, 1, NULL, test_path("no.glb"), &error),
                     LOPE_MISMATCH);
    lope_clip_destroy(other);
    lope_avatar_close(avatar);
}

// A file that ends anywhere is refused with a reason.
static void files_that_are_cut_off_are_refused(void **state)
{
    (void)state;
    lope_file_data data;
    lope_error error;
    hero_write(test_path("hero.glb"), &(hero_variant){.still = true});
    assert_ok(lope_file_read(test_path("hero.glb"), 1 << 20, &data, &error));
    for (size_t size = 0; size < data.size; size += 1 + size / 20) {
        lope_avatar *avatar;
        assert_int_equal(lope_avatar_open_memory(data.bytes, size, "cut.glb", NULL, &avatar, &error), LOPE_BAD_DATA);
        assert_true(error.message[0]);
    }
    lope_file_free(&data);
}

static lope_status open_and_save(void *user, lope_error *error)
{
    lope_avatar *avatar;
    lope_status status = lope_avatar_open(user, &(lope_avatar_def){.root_bone = ""}, &avatar, error);
    if (status)
        return status;
    lope_clip *rest = NULL;
    status = lope_clip_create(avatar->skeleton, "rest", 2, 30.0, 0, &rest, error);
    if (!status)
        status = lope_avatar_save(avatar, (const lope_clip *const *)&rest, 1, NULL, test_path("saved.glb"), error);
    lope_clip_destroy(rest);
    lope_avatar_close(avatar);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("hero.glb"));
    hero_write(path, &(hero_variant){.two = false});
    test_some_allocation_failures(open_and_save, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skeletons_stand_as_they_were_bound),
        cmocka_unit_test(skeletons_of_all_conventions_are_read),
        cmocka_unit_test(nothing_but_animations_is_added),
        cmocka_unit_test(skins_follow),
        cmocka_unit_test(files_beside_come_along),
        cmocka_unit_test(root_bones_are_found_or_added),
        cmocka_unit_test(what_cannot_be_driven_is_refused),
        cmocka_unit_test(files_that_are_cut_off_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
