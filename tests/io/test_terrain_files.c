// SPDX-License-Identifier: MIT
// Terrain from files: OBJ, GLB, scenes. What is read, and that every mistake is reported where it stands.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static lope_status read_obj(const char *text, float scale, lope_terrain_mesh **mesh, lope_error *error)
{
    return lope_terrain_obj_read_memory(text, strlen(text), "ground.obj", scale, mesh, error);
}

static void an_obj_file_is_read(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain_mesh *mesh;
    assert_ok(
        read_obj("\xEF\xBB\xBF# ground\r\nmtllib a.mtl\r\no plate\r\nv 0 0 0\r\nv 1 0 0 0.5 0.5 0.5\nv 1e0 0 1.0\n"
                 "vn 0 1 0\nvt 0 0\nv -0 2.5 +1\ng all\nusemtl stone\ns off\n"
                 "f 1 2/1 3//1 \\\n  4/1/1\nf -4 -3 \\\r\n -2 # a comment",
                 2.0f, &mesh, &error));
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->triangle_count, 3);
    const int expected[] = {0, 1, 2, 0, 2, 3, 0, 1, 2};
    assert_memory_equal(mesh->indices, expected, sizeof expected);
    assert_near(mesh->vertices[3].y, 5.0, 0);
    assert_near(mesh->vertices[2].x, 2.0, 0);
    lope_terrain_mesh_destroy(mesh);
}

typedef struct mistake {
    const char *text;
    int line;
    const char *message;
} mistake;

static void mistakes_in_obj_files_are_reported_where_they_are(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"", 0, "holds no face"},
        {"v 0 0 0\n", 0, "1 vertices"},
        {"v 0 0 0\nv 1 2\n", 2, "a vertex needs three numbers, found the end of the line"},
        {"v 0 0 x\n", 1, "a vertex needs three numbers, found 'x'"},
        {"\n\nv 0 nan 0\n", 3, "found 'nan'"},
        {"v inf 0 0\n", 1, "found 'inf'"},
        {"v 0 0 1e300\n", 1, "within 100 km"},
        {"v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2\n", 4, "at least three corners"},
        {"v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 4\n", 4, "one of the 3 vertices before it, found '4'"},
        {"v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 0\n", 4, "found '0'"},
        {"v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 -4\n", 4, "found '-4'"},
        {"v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 99999999999999999999\n", 4, "the number of a vertex"},
        {"v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3x\n", 4, "the number of a vertex, found '3x'"},
        {"v 0 0 0\nf 1 1 \\\n\n 1\nq 3\n", 2, "at least three corners"},
        {"v 0 0 0\\\n\nHIERARCHY\n", 3, "expected a statement of an OBJ file such as 'v' or 'f', found 'HIERARCHY'"},
        {"glTF\x02", 1, "found 'glTF?'"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        lope_error error;
        lope_terrain_mesh *mesh;
        assert_int_equal(read_obj(mistakes[i].text, 0.0f, &mesh, &error), LOPE_BAD_DATA);
        assert_null(mesh);
        assert_string_equal(error.file, "ground.obj");
        if (error.line != mistakes[i].line || !strstr(error.message, mistakes[i].message))
            fail_msg("mistake %zu: line %d: %s", i, error.line, error.message);
    }
}

static void obj_files_go_around(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain_mesh *mesh, *back;
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_SPIRAL);
    shape.yaw = 0.3f;
    assert_ok(lope_terrain_shape_mesh(&shape, &mesh, &error));
    assert_ok(lope_terrain_obj_write(mesh, test_path("spiral.obj"), &error));
    assert_ok(lope_terrain_mesh_read(test_path("spiral.obj"), 1.0f, &back, &error));
    assert_int_equal(mesh->vertex_count, back->vertex_count);
    assert_int_equal(mesh->triangle_count, back->triangle_count);
    assert_memory_equal(mesh->vertices, back->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
    assert_memory_equal(mesh->indices, back->indices, 3 * (size_t)mesh->triangle_count * sizeof *mesh->indices);
    lope_terrain_mesh_destroy(back);
    lope_terrain_mesh_destroy(mesh);
    assert_int_equal(lope_terrain_mesh_read(test_path("none.obj"), 1.0f, &mesh, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_terrain_mesh_read(test_path("ground.txt"), 1.0f, &mesh, &error), LOPE_UNSUPPORTED);
    assert_int_equal(lope_terrain_mesh_read(test_folder(), 1.0f, &mesh, &error), LOPE_UNSUPPORTED);
}

// A GLB with one square of two triangles in a node that is moved and scaled.
static void write_glb(const char *path, bool with_mesh, float first)
{
    float corners[12] = {first, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    uint16_t indices[6] = {0, 2, 1, 0, 3, 2};
    char json[1200];
    int length =
        snprintf(json, sizeof json,
                 "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                 "\"nodes\":[{\"translation\":[10,1,0],\"children\":[1]},{\"scale\":[2,2,2]%s}]%s}",
                 with_mesh ? ",\"mesh\":0" : "",
                 with_mesh ? ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
                             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
                             "\"min\":[0,0,0],\"max\":[1,0,1]},{\"bufferView\":1,\"componentType\":5123,\"count\":6,"
                             "\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},"
                             "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}],\"buffers\":[{\"byteLength\":60}]"
                           : "");
    while (length % 4)
        json[length++] = ' ';
    unsigned char file[2048];
    uint32_t total = 12 + 8 + (uint32_t)length + 8 + 60,
             words[5] = {0x46546C67, 2, total, (uint32_t)length, 0x4E4F534A};
    uint32_t chunk[2] = {60, 0x004E4942};
    memcpy(file, words, 20);
    memcpy(file + 20, json, (size_t)length);
    memcpy(file + 20 + length, chunk, 8);
    memcpy(file + 28 + length, corners, 48);
    memcpy(file + 76 + length, indices, 12);
    test_write_file(path, file, total);
}

static void glb_files_are_read(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain_mesh *mesh;
    if (!lope_import_has_assimp()) {
        assert_int_equal(lope_terrain_mesh_read("a.glb", 1.0f, &mesh, &error), LOPE_UNSUPPORTED);
        return;
    }
    lope_terrain *terrain;
    int piece;
    float height;
    write_glb(test_path("square.glb"), true, 0.0f);
    assert_ok(lope_terrain_mesh_read(test_path("square.glb"), 1.0f, &mesh, &error));
    assert_int_equal(mesh->triangle_count, 2);
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    assert_true(lope_terrain_height(terrain, (lope_vec2){11.9f, 1.9f}, &height));
    assert_near(height, 1.0, 1e-6);
    assert_false(lope_terrain_height(terrain, (lope_vec2){12.1f, 1.9f}, &height));
    assert_false(lope_terrain_height(terrain, (lope_vec2){0.5f, 0.5f}, &height));
    lope_terrain_mesh_destroy(mesh);
    // Broken in several ways: never a crash, always a reason.
    write_glb(test_path("empty.glb"), false, 0.0f);
    assert_int_equal(lope_terrain_mesh_read(test_path("empty.glb"), 1.0f, &mesh, &error), LOPE_BAD_DATA);
    assert_null(mesh);
    test_write_file(test_path("short.glb"), "glTF", 4);
    assert_int_equal(lope_terrain_mesh_read(test_path("short.glb"), 1.0f, &mesh, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_terrain_mesh_read(test_path("none.glb"), 1.0f, &mesh, &error), LOPE_NOT_FOUND);
    write_glb(test_path("nan.glb"), true, NAN);
    lope_status status = lope_terrain_mesh_read(test_path("nan.glb"), 1.0f, &mesh, &error);
    if (!status)
        status = lope_terrain_add_mesh(terrain, mesh, &piece, &error);
    assert_int_equal(status, LOPE_BAD_DATA);
    lope_terrain_mesh_destroy(mesh);
    lope_terrain_destroy(terrain);
}

static lope_status read_scene(const char *text, lope_terrain_scene **scene, lope_error *error)
{
    return lope_terrain_scene_read_memory(text, strlen(text), "test.json", scene, error);
}

static void a_scene_is_read(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain_scene *scene;
    assert_ok(read_scene("{\"name\": \"yard\", \"terrain\": [\n"
                         "  {\"ramp\": {\"width\": 2, \"length\": 4, \"height\": 1, \"degrees\": 90}},\n"
                         "  {\"flat\": {\"length\": 3}},\n"
                         "  {\"field\": {\"origin\": [-9, 0], \"cell\": 2, \"heights\": [[1, 2, 3], [1, null, 3], "
                         "[1, 2, 3]]}}],\n"
                         " \"start\": {\"at\": [1, 0.5], \"degrees\": 180}, \"path\": [[1, 0], [6, 0]]}",
                         &scene, &error));
    assert_string_equal(scene->name, "yard");
    assert_int_equal(lope_terrain_piece_count(scene->terrain), 3);
    float height;
    assert_true(lope_terrain_height(scene->terrain, (lope_vec2){2, 0.5f}, &height)); // the ramp climbs towards +x
    assert_near(height, 0.5, 1e-5);
    assert_true(lope_terrain_height(scene->terrain, (lope_vec2){6.9f, 0}, &height)); // the flat follows on
    assert_near(height, 1.0, 1e-5);
    assert_false(lope_terrain_height(scene->terrain, (lope_vec2){7.1f, 0}, &height));
    assert_false(lope_terrain_height(scene->terrain, (lope_vec2){-7, 2}, &height)); // a hole
    assert_true(lope_terrain_height(scene->terrain, (lope_vec2){-5.1f, 0.1f}, &height));
    assert_near(scene->start.yaw, LOPE_PI, 1e-5);
    assert_near(scene->start.z, 0.5, 0);
    assert_int_equal(scene->path_count, 2);
    assert_near(scene->path[1].x, 6, 0);
    lope_terrain_scene_destroy(scene);
}

typedef struct scene_mistake {
    const char *text;
    int line, column;
    const char *message;
} scene_mistake;

static void mistakes_in_scenes_are_reported_where_they_are(void **state)
{
    (void)state;
    static const scene_mistake mistakes[] = {
        {"", 1, 1, "a terrain scene must be an object"},
        {"{}", 1, 1, "needs 'terrain'"},
        {"{\"terrain\": []}", 1, 1, "needs 'terrain'"},
        {"{\"ground\": []}", 1, 2, "unknown key 'ground'; allowed: name, terrain, start, path"},
        {"{\"terrain\": [{}]}", 1, 14, "found nothing"},
        {"{\"terrain\": [{\"hill\": {}}]}", 1, 15, "unknown key 'hill'; allowed: flat, ramp, bumps, stairs"},
        {"{\"terrain\": [{\"flat\": {}, \"ramp\": {}}]}", 1, 27, "one thing"},
        {"{\"terrain\": [\n {\"flat\": {\"steps\": 3}}]}", 2, 12, "allowed: place, degrees, width, length"},
        {"{\"terrain\": [{\"flat\": {\"width\": \"3\"}}]}", 1, 33, "must be a number, found a string"},
        {"{\"terrain\": [{\"flat\": {\"width\": -3}}]}", 1, 23, "'width' of flat must lie between"},
        {"{\"terrain\": [{\"stairs\": {\"steps\": 2.5}}]}", 1, 35, "whole number"},
        {"{\"terrain\": [{\"flat\": {\"place\": [1, 2]}}]}", 1, 33, "'place' has three numbers, x, y and z; found 2"},
        {"{\"terrain\": [{\"flat\": {\"degrees\": 1e9}}]}", 1, 35, "-36000"},
        {"{\"terrain\": [{\"mesh\": {}}]}", 1, 23, "a mesh needs 'file'"},
        {"{\"terrain\": [{\"mesh\": {\"file\": \"no_such.obj\"}}]}", 1, 23, "no_such.obj: cannot open"},
        {"{\"terrain\": [{\"mesh\": {\"file\": \"a.txt\"}}]}", 1, 23, "expected a name that ends in .obj"},
        {"{\"terrain\": [{\"field\": {\"heights\": [[1, 2], [1]]}}]}", 1, 45, "has 1 numbers, the first has 2"},
        {"{\"terrain\": [{\"field\": {\"heights\": [[1, 2]]}}]}", 1, 24, "from 2 to 16384 columns and rows"},
        {"{\"terrain\": [{\"field\": {\"heights\": [[1, 2], [nul, 2]]}}]}", 1, 46, "must be a number, found 'nul'"},
        {"{\"terrain\": [{\"field\": {\"cell\": 0, \"heights\": [[1, 2], [1, 2]]}}]}", 1, 24, "cell > 0"},
        {"{\"terrain\": [{\"flat\": {}}], \"path\": [[1]]}", 1, 38, "has two numbers, x and z; found 1"},
        {"{\"terrain\": [{\"flat\": {}}], \"start\": {\"x\": 1}}", 1, 39, "unknown key 'x'; allowed: at, degrees"},
        {"{\"terrain\": [{\"flat\": {}}]} x", 1, 29, "expected the end of the file"},
        {"{\"terrain\": [{\"bumps\": {\"columns\": 4000, \"rows\": 4000}}]}", 1, 24, "triangles"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        lope_error error;
        lope_terrain_scene *scene;
        assert_int_equal(read_scene(mistakes[i].text, &scene, &error), LOPE_BAD_DATA);
        assert_null(scene);
        if (error.line != mistakes[i].line || error.column != mistakes[i].column ||
            !strstr(error.message, mistakes[i].message))
            fail_msg("mistake %zu: %d:%d: %s", i, error.line, error.column, error.message);
    }
}

static void scenes_find_meshes_beside_them(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain_scene *scene;
    static const char obj[] = "v 0 0 0\nv 100 0 0\nv 0 0 100\nf 1 3 2\n", bad[] = "v 0 0 0\nv 1\n";
    static const char text[] = "{\"terrain\": [{\"mesh\": {\"file\": \"corner.obj\", \"scale\": 0.01, "
                               "\"place\": [5, 2, 0], \"degrees\": 90}}]}";
    static const char bad_text[] = "{\"terrain\": [{\"mesh\": {\"file\": \"bad.obj\"}}]}";
    test_write_file(test_path("corner.obj"), obj, strlen(obj));
    test_write_file(test_path("bad.obj"), bad, strlen(bad));
    test_write_file(test_path("ground.json"), text, strlen(text));
    test_write_file(test_path("bad.json"), bad_text, strlen(bad_text));
    assert_ok(lope_terrain_scene_read(test_path("ground.json"), &scene, &error));
    float height;
    assert_true(lope_terrain_height(scene->terrain, (lope_vec2){5.2f, -0.2f}, &height));
    assert_near(height, 2.0, 1e-6);
    lope_terrain_scene_destroy(scene);
    assert_int_equal(lope_terrain_scene_read(test_path("bad.json"), &scene, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "bad.obj:2: a vertex needs three numbers"));
    assert_int_equal(error.line, 1);
    assert_int_equal(lope_terrain_scene_read(test_path("none.json"), &scene, &error), LOPE_NOT_FOUND);
}

static void built_in_terrains_are_there(void **state)
{
    (void)state;
    static const char *const names[] = {"bumps", "cliff", "course", "spiral", "stairs", "stones"};
    lope_error error;
    lope_terrain_scene *scene;
    assert_int_equal(lope_terrain_scene_builtin_count(), 6);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(lope_terrain_scene_builtin_name(i), names[i]);
        assert_ok(lope_terrain_scene_builtin(names[i], &scene, &error));
        assert_string_equal(scene->name, names[i]);
        float height;
        assert_true(lope_terrain_height(scene->terrain, (lope_vec2){scene->start.x, scene->start.z}, &height));
        assert_true(scene->path_count >= 2);
        assert_true(lope_terrain_height(scene->terrain, scene->path[scene->path_count - 1], &height));
        assert_int_equal(i == 0, lope_terrain_triangle_count(scene->terrain) == 10000);
        lope_terrain_scene_destroy(scene);
    }
    assert_int_equal(lope_terrain_scene_builtin("moon", &scene, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "bumps, cliff, course"));
}

static lope_status read_for_failures(void *user, lope_error *error)
{
    (void)user;
    lope_terrain_scene *scene;
    lope_terrain_mesh *mesh = NULL;
    lope_status status =
        read_scene("{\"terrain\": [{\"flat\": {}}, {\"stairs\": {}}, {\"field\": {\"heights\": [[1, 2], "
                   "[3, 4]]}}], \"path\": [[0, 0], [1, 1]]}",
                   &scene, error);
    if (!status)
        status = read_obj("v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\n", 1.0f, &mesh, error);
    lope_terrain_scene_destroy(scene);
    lope_terrain_mesh_destroy(mesh);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    test_allocation_failures(read_for_failures, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_obj_file_is_read),
        cmocka_unit_test(mistakes_in_obj_files_are_reported_where_they_are),
        cmocka_unit_test(obj_files_go_around),
        cmocka_unit_test(glb_files_are_read),
        cmocka_unit_test(a_scene_is_read),
        cmocka_unit_test(mistakes_in_scenes_are_reported_where_they_are),
        cmocka_unit_test(scenes_find_meshes_beside_them),
        cmocka_unit_test(built_in_terrains_are_there),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
