// SPDX-License-Identifier: MIT
// Levels from files: JSON, glTF nodes as parts, units and axes, the four other scene formats, writing, mistakes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators/level_random.h"
#include "support/terrain_check.h"

static lope_status read_text(const char *text, lope_level_file **out, lope_error *error)
{
    return lope_level_open_memory(&(lope_level_bytes){text, strlen(text), "level.json"}, NULL, out, error);
}

static lope_part part_called(const lope_level *level, const char *name)
{
    lope_part part;
    for (int i = 0; i < lope_level_part_limit(level); i++)
        if (lope_level_part(level, i, &part) && strcmp(part.name, name) == 0)
            return part;
    fail_msg("there is no part '%s'", name);
    return part;
}

static const char all_shapes[] =
    "{\"name\": \"corner\",\n"
    " \"parts\": [{\"box\": {\"size\": [8, 0.2, 6], \"place\": [0, -0.2, 0], \"name\": \"ground\"}},\n"
    "  {\"cylinder\": {\"diameter\": 0.4, \"height\": 3, \"place\": [2, 0, 1], \"kind\": \"post\"}},\n"
    "  {\"prism\": {\"outline\": [[0, 0], [2, 0], [0, 1]], \"height\": 1.6, \"degrees\": 30}},\n"
    "  {\"chair\": {\"place\": [1, 0, 2], \"degrees\": 90}},\n"
    "  {\"ladder\": {\"place\": [3, 0, 0], \"size\": [0, 2.4, 0], \"name\": \"way up\"}},\n"
    "  {\"hold\": {\"from\": [0, 2, 0], \"to\": [1, 2, 0], \"rotation\": [0, 0.6, 0, 0.8]}},\n"
    "  {\"stairs\": {\"steps\": 4, \"rise\": 0.16, \"place\": [-3, 0, 0]}},\n"
    "  {\"field\": {\"origin\": [-5, 8], \"cell\": 0.5, \"heights\": [[0, 0.1], [null, 0]]}},\n"
    "  {\"mesh\": {\"vertices\": [0,0,0, 1,0,0, 0,0,1], \"triangles\": [0, 1, 2], \"scale\": 2}}]}\n";

static void every_shape_is_read(void **state)
{
    (void)state;
    lope_error error;
    lope_level_file *file;
    assert_ok(read_text(all_shapes, &file, &error));
    assert_string_equal(file->name, "corner");
    assert_string_equal(file->notes, "");
    assert_int_equal(lope_level_part_count(file->level), 9);
    assert_near(part_called(file->level, "ground").low.x, -4.0, 1e-6);
    assert_string_equal(part_called(file->level, "cylinder").kind, "post");
    lope_part chair = part_called(file->level, "chair"), ladder = part_called(file->level, "way up");
    assert_string_equal(chair.kind, "chair");
    assert_near(chair.low.x, 0.705, 1e-5);   // its back: it faces +X
    assert_near(ladder.high.y, 2.415, 1e-6); // with its last rung
    assert_near(ladder.size.x, 0.58, 1e-6);
    assert_true(part_called(file->level, "stairs").triangle_count > 10);
    lope_level_file_destroy(file);
}

// A rotation may be a little longer than 1, as lope_level keeps it.
static void rotations_that_were_written_are_read(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    lope_level_file *again;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = lope_v3(1, 1, 1);
    def.at.rotation = (lope_quat){0.0f, 1.0000001f, 0.0f, 0.0f};
    assert_ok(lope_level_create(&level, &error));
    static const char *const letters[] = {"\xC3\xA9", "\xE6\xA4\x85", "\xF0\x9F\xAA\x91"};
    for (int bytes = 2; bytes <= 4; bytes++) { // the last letter is cut
        for (int i = 0; i < LOPE_PART_NAME - 1; i++)
            def.name[i] = bytes == 3 && i == 0 ? 'a' : letters[bytes - 2][(i - (bytes == 3)) % bytes];
        assert_ok(lope_level_add(level, &def, NULL, &error));
    }
    assert_ok(lope_level_write(level, "turned", test_path("turned.json"), &error));
    assert_ok(lope_level_open(test_path("turned.json"), NULL, &again, &error));
    lope_level_file_destroy(again);
    lope_level_destroy(level);
}

// The same parts in the same order.
static void assert_same_parts(const lope_level *a, const lope_level *b)
{
    lope_part one, other;
    assert_int_equal(lope_level_part_count(a), lope_level_part_count(b));
    for (int i = 0; i < lope_level_part_limit(a); i++) {
        assert_true(lope_level_part(a, i, &one) && lope_level_part(b, i, &other));
        assert_string_equal(one.name, other.name);
        assert_string_equal(one.kind, other.kind);
        assert_int_equal(one.triangle_count, other.triangle_count);
        double most = one.shape == LOPE_PART_HOLD ? 1e-6 : 0.0; // all others to the bit
        assert_near(lope_v3_distance(one.low, other.low) + lope_v3_distance(one.high, other.high), 0.0, most);
    }
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    lope_error error;
    lope_level_file *file, *again;
    assert_ok(read_text(all_shapes, &file, &error));
    assert_ok(lope_level_write(file->level, "a \"name\"", test_path("level.json"), &error));
    assert_ok(lope_level_open(test_path("level.json"), NULL, &again, &error));
    assert_string_equal(again->name, "a \"name\"");
    assert_same_parts(file->level, again->level);
    assert_near(part_called(file->level, "hold").hold[1].z, part_called(again->level, "hold").hold[1].z, 1e-6);
    lope_level_file_destroy(file);
    lope_level_file_destroy(again);
    level_random made;
    level_random_def def = level_random_def_default(5);
    assert_ok(level_random_create(&def, &made, &error));
    assert_ok(lope_level_write(made.level, "random", test_path("random.json"), &error));
    assert_ok(lope_level_open(test_path("random.json"), NULL, &again, &error));
    assert_same_parts(made.level, again->level);
    lope_level_file_destroy(again);
    level_random_destroy(&made);
}

// ---- glTF

// A GLB with a box of 1 x 1 x 1 standing on the origin as mesh 0, a triangle without area as mesh 1, and these nodes.
static size_t glb(const char *nodes, char *out, size_t room)
{
    static const uint16_t faces[] = {0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 4, 5, 0, 5, 1,
                                     2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    float corners[8][3];
    for (int i = 0; i < 8; i++) {
        corners[i][0] = i & 1 ? 0.5f : -0.5f;
        corners[i][1] = i & 4 ? 1.0f : 0.0f;
        corners[i][2] = i & 2 ? 0.5f : -0.5f;
    }
    char json[8192];
    int length = snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":168}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":96},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,\"count\":36,"
        "\"type\":\"SCALAR\"},{\"bufferView\":1,\"componentType\":5123,\"count\":2,\"type\":\"SCALAR\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]},{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"mode\":1}]}],\"nodes\":[%s]}",
        nodes);
    while (length % 4)
        json[length++] = ' ';
    const uint32_t header[] = {0x46546C67, 2, 12 + 8 + (uint32_t)length + 8 + 168, (uint32_t)length, 0x4E4F534A};
    const uint32_t chunk[] = {168, 0x004E4942};
    assert_true(header[2] <= room);
    char *at = out;
    const struct {
        const void *bytes;
        size_t size;
    } pieces[] = {{header, 20}, {json, (size_t)length}, {chunk, 8}, {corners, 96}, {faces, 72}};
    for (int i = 0; i < 5; i++, at += pieces[i - 1].size)
        memcpy(at, pieces[i].bytes, pieces[i].size);
    return header[2];
}

static lope_status read_nodes(const char *nodes, lope_level_file **out, lope_error *error)
{
    static char bytes[16384];
    const lope_level_bytes file = {bytes, glb(nodes, bytes, sizeof bytes), "level.glb"};
    return lope_level_open_memory(&file, NULL, out, error);
}

static void nodes_are_parts(void **state)
{
    (void)state;
    lope_error error;
    lope_level_file *file;
    assert_ok(read_nodes("{\"name\":\"ground\",\"mesh\":0,\"scale\":[20,0.2,20],\"translation\":[0,-0.2,0]},"
                         "{\"name\":\"Chair.003\",\"mesh\":0,\"translation\":[1,0,2],\"rotation\":[0,0.6,0,0.8]},"
                         "{\"name\":\"rung\",\"mesh\":0,\"extras\":{\"lope\":{\"kind\":\"bar\"}}},"
                         "{\"name\":\"LOPE_ignore sky\",\"mesh\":0,\"children\":[4]},"
                         "{\"name\":\"cloud\",\"mesh\":0},"
                         "{\"name\":\"bench_12\",\"children\":[6,7]},"
                         "{\"name\":\"seat\",\"mesh\":0,\"translation\":[5,0,0]},"
                         "{\"name\":\"leg\",\"mesh\":0,\"translation\":[6,0,0]},"
                         "{\"name\":\"ladder\",\"translation\":[0,0,4]},"
                         "{\"name\":\"slider\",\"mesh\":0,\"extras\":{\"lope\":\"slide\"}},"
                         "{\"name\":\"note\",\"mesh\":0,\"extras\":{\"lope\":{\"ignore\":true}}},"
                         "{\"name\":\"camera\",\"camera\":0},{\"name\":\"lines\",\"mesh\":1}",
                         &file, &error));
    assert_string_equal(file->notes, "");
    assert_int_equal(lope_level_part_count(file->level), 6);
    assert_near(part_called(file->level, "ground").high.x, 10.0, 1e-5);
    lope_part chair = part_called(file->level, "Chair.003"), bench = part_called(file->level, "bench_12");
    assert_string_equal(chair.kind, "chair");
    assert_near(chair.at.translation.z, 2.0, 1e-6);
    assert_near(chair.at.rotation.y, 0.6, 1e-6);
    assert_string_equal(part_called(file->level, "rung").kind, "bar");
    assert_string_equal(bench.kind, "bench"); // with all that is below it
    assert_int_equal(bench.triangle_count, 24);
    assert_near(bench.high.x, 6.5, 1e-6);
    assert_near(bench.at.translation.x, 5.5, 1e-6); // its middle, wherever the node is
    assert_near(bench.size.x, 2.0, 1e-6);
    assert_int_equal(part_called(file->level, "ladder").shape, LOPE_PART_THING); // an empty node: the usual one
    assert_string_equal(part_called(file->level, "slider").kind, "slide");
    lope_level_file_destroy(file);
}

// Rooms of boxes, written with another unit and axis.
static void units_and_axes_are_found_and_said(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double metres;
        bool z_up;
    } cases[] = {{NULL, 1.0, false}, {NULL, 1.0, true}, {"centimetres", 0.01, false}, {"millimetres", 0.001, true}};
    for (int i = 0; i < 4; i++) {
        char nodes[2048] = "";
        lope_error error;
        lope_level_file *file;
        static const double boxes[][6] = {{20, 0.2, 14, 0, -0.2, 0}, {20, 3, 0.3, 0, 0, 7}, {20, 3, 0.3, 0, 0, -7},
                                          {0.3, 3, 14, 10, 0, 0},    {1, 2, 3, 4, 0, 1},    {0.5, 1, 1, -4, 0, 1}};
        for (int b = 0; b < 6; b++) {
            double s[6]; // the box mesh has its base at y = 0; turned, at z = 0
            for (int k = 0; k < 6; k++)
                s[k] = boxes[b][k] / cases[i].metres;
            size_t used = strlen(nodes);
            snprintf(nodes + used, sizeof nodes - used,
                     "%s{\"name\":\"b%d\",\"mesh\":0,\"scale\":[%g,%g,%g],\"translation\":[%g,%g,%g]%s}", b ? "," : "",
                     b, s[0], s[1], s[2], s[3], cases[i].z_up ? -s[5] : s[4], cases[i].z_up ? s[4] : s[5],
                     cases[i].z_up ? ",\"rotation\":[0.70710678,0,0,0.70710678]" : "");
        }
        assert_ok(read_nodes(nodes, &file, &error));
        assert_int_equal(cases[i].unit != NULL, cases[i].unit && strstr(file->notes, cases[i].unit));
        assert_int_equal(cases[i].z_up, strstr(file->notes, "Z is up") != NULL);
        lope_part box = part_called(file->level, "b4");
        assert_near(box.low.x, 3.5, 1e-3);
        assert_near(box.high.y, 2.0, 1e-3);
        assert_near(box.high.z, 2.5, 1e-3);
        lope_level_file_destroy(file);
    }
}

// One-sided rooms from 0, 0, 0 on, as OBJ: walls and a floor, perhaps a ceiling.
static void write_room(const char *path, lope_vec3 size, char up, bool ceiling)
{
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    const int top = up == 'y' ? 3 : 1; // corners by bits: x, y, z; faces of z, y and x
    FILE *obj = fopen(path, "w");
    assert_non_null(obj);
    for (int i = 0; i < 8; i++)
        fprintf(obj, "v %g %g %g\n", i & 1 ? (double)size.x : 0.0, i & 2 ? (double)size.y : 0.0,
                i & 4 ? (double)size.z : 0.0);
    for (int i = 0; i < 6; i++)
        if (ceiling || i != top)
            fprintf(obj, "f %d %d %d %d\n", faces[i][0] + 1, faces[i][1] + 1, faces[i][2] + 1, faces[i][3] + 1);
    fclose(obj);
}

// Bare rooms and corridors: where the sky is, what covers most, and what is lowest tell which way is up.
static void rooms_tell_what_is_up(void **state)
{
    (void)state;
    static const struct {
        lope_vec3 size;
        char up;
        bool ceiling;
        const char *says; // NULL: nothing about axes
    } cases[] = {
        {{10.0f, 10.0f, 2.5f}, 'z', false, "Z is up"}, {{10.0f, 10.0f, 2.5f}, 'z', true, "Z is up"},
        {{6.0f, 4.0f, 2.5f}, 'z', false, "Z is up"},   {{10.0f, 2.5f, 10.0f}, 'y', false, NULL},
        {{10.0f, 2.5f, 10.0f}, 'y', true, NULL},       {{20.0f, 3.0f, 2.0f}, 'y', false, "if it is Z: --up z"},
        {{20.0f, 3.0f, 2.0f}, 'y', true, "--up z"},    {{3.0f, 8.0f, 3.0f}, 'y', true, NULL},
        {{4.0f, 3.0f, 2.5f}, 'y', true, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_error error;
        lope_level_file *file;
        lope_part part;
        write_room(test_path("room.obj"), cases[i].size, cases[i].up, cases[i].ceiling);
        assert_ok(lope_level_open(test_path("room.obj"), NULL, &file, &error));
        if (cases[i].says)
            assert_non_null(strstr(file->notes, cases[i].says));
        else
            assert_null(strstr(file->notes, "--up"));
        assert_true(lope_level_part(file->level, 0, &part));
        assert_near(part.high.y - part.low.y, cases[i].up == 'z' ? cases[i].size.z : cases[i].size.y, 1e-5);
        lope_level_file_destroy(file);
    }
}

// Kinds that are not known, and what is far larger than all else, are said; the file is read.
static void odd_nodes_are_said(void **state)
{
    (void)state;
    lope_error error;
    lope_level_file *file;
    assert_ok(read_nodes("{\"name\":\"ground\",\"mesh\":0,\"scale\":[20,0.2,20],\"translation\":[0,-0.2,0]},"
                         "{\"name\":\"red\",\"mesh\":0,\"extras\":{\"lope\":\"sofa\"}},"
                         "{\"name\":\"empty\",\"extras\":{\"lope\":{\"kind\":\"sofa\"}}},"
                         "{\"name\":\"dome\",\"mesh\":0,\"scale\":[5000,2000,5000],\"translation\":[0,-900,0]}",
                         &file, &error));
    assert_int_equal(lope_level_part_count(file->level), 3);
    assert_string_equal(part_called(file->level, "red").kind, "");
    assert_non_null(strstr(file->notes, "2 of its nodes have a kind that is not known, the first one 'sofa' of 'red'"));
    assert_non_null(strstr(file->notes, "'dome' is 250 times as large as all else: call it LOPE_ignore"));
    lope_level_file_destroy(file);
}

// Ground of cells of 100 m is not a room in centimetres: nothing in it is upright.
static void wide_ground_stays_in_metres(void **state)
{
    (void)state;
    lope_error error;
    lope_level_file *file;
    FILE *obj = fopen(test_path("wide.obj"), "w");
    assert_non_null(obj);
    for (int i = 0; i < 9 * 9; i++)
        fprintf(obj, "v %d %d %d\n", 100 * (i % 9), 7 * i % 60, 100 * (i / 9));
    for (int i = 0; i < 8 * 8; i++) {
        int a = i / 8 * 9 + i % 8 + 1;
        fprintf(obj, "f %d %d %d %d\n", a, a + 9, a + 10, a + 1);
    }
    fclose(obj);
    assert_ok(lope_level_open(test_path("wide.obj"), NULL, &file, &error));
    assert_near(part_called(file->level, "wide.obj").high.x, 800.0, 1e-3);
    assert_non_null(strstr(file->notes, "taken as ground in metres"));
    lope_level_file_destroy(file);
}

// Ground and four walls, ten triangles, are enough to tell centimetres from.
static void a_bare_room_in_centimetres_is_found(void **state)
{
    (void)state;
    static const int corners[4][2] = {{-500, -500}, {500, -500}, {500, 500}, {-500, 500}};
    lope_error error;
    lope_level_file *file;
    FILE *obj = fopen(test_path("room.obj"), "w");
    assert_non_null(obj);
    for (int i = 0; i < 8; i++)
        fprintf(obj, "v %d %d %d\n", corners[i % 4][0], i < 4 ? 0 : 250, corners[i % 4][1]);
    fprintf(obj, "f 1 4 3 2\n");
    for (int i = 0; i < 4; i++)
        fprintf(obj, "f %d %d %d %d\n", i + 1, (i + 1) % 4 + 1, (i + 1) % 4 + 5, i + 5);
    fclose(obj);
    assert_ok(lope_level_open(test_path("room.obj"), NULL, &file, &error));
    assert_non_null(strstr(file->notes, "centimetres"));
    assert_near(part_called(file->level, "room.obj").high.x, 5.0, 1e-5);
    lope_level_file_destroy(file);
}

static void bad_gltf_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *says;
    } cases[] = {{"{\"mesh\":0,\"children\":[1]},{\"children\":[0]}", "node"},
                 {"{\"children\":[0]}", "node"},
                 {"{\"name\":\"empty\"}", "expected triangles, found none"},
                 {"{\"name\":\"lines\",\"mesh\":1}", "expected triangles"},
                 {"{\"name\":\"far\",\"mesh\":0,\"translation\":[1e9,0,0]}", "part 'far'"},
                 {"{\"name\":\"flat\",\"mesh\":0,\"scale\":[0,0,0]}", "expected triangles"},
                 {"{\"name\":\"sofa\",\"extras\":{\"lope\":\"sofa\"}}", "expected triangles"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_error error = {0};
        lope_level_file *file;
        assert_int_not_equal(read_nodes(cases[i].nodes, &file, &error), LOPE_OK);
        assert_null(file);
        if (!strstr(error.message, cases[i].says) || strcmp(error.file, "level.glb") != 0)
            fail_msg("expected '%s', found %s: '%s'", cases[i].says, error.file, error.message);
    }
}

// ---- the other scenes

static void the_other_scenes_become_levels(void **state)
{
    (void)state;
    static const struct {
        const char *file, *part;
        int count;
        lope_vec3 on; // somewhere on it, with the height that is there
    } cases[] = {{"living_room.json", "ground", 8, {0, 0, 0}},
                 {"living_room.json", "obstacle 0", 8, {-2.6f, 2.5f, -1.2f}},
                 {"terrain/stairs.json", "terrain", 1, {0, 0, 0}},
                 {"worlds/office.json", "chair", -1, {0.3f, 3.06f, 0.3f}},
                 {"worlds/playground.json", "slide", -1, {3.75f, 3.6f, 6.0f}},
                 {"climb/ledge.json", "obstacle", -1, {0.5f, 1, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[512];
        float height;
        lope_error error;
        lope_level_file *file;
        snprintf(path, sizeof path, "%s/scenes/%s", getenv("LOPE_SOURCE"), cases[i].file);
        assert_ok(lope_level_open(path, NULL, &file, &error));
        part_called(file->level, cases[i].part);
        if (cases[i].count >= 0)
            assert_int_equal(lope_level_part_count(file->level), cases[i].count);
        lope_vec2 at = {cases[i].on.x, cases[i].on.z};
        if (strcmp(cases[i].part, "terrain") != 0) {
            assert_true(lope_terrain_height(lope_level_terrain(file->level), at, &height));
            assert_near(height, cases[i].on.y, 1e-4);
        }
        lope_level_file_destroy(file);
    }
}

// ---- mistakes

static void mistakes_are_reported_where_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        int line;
    } cases[] = {
        {"", "found the end of the file", 1},
        {"{\"parts\": []}", "at least one part", 0},
        {"{\"parts\": [\n{\"sofa\": {}}]}", "sofa", 2},
        {"{\"parts\": [\n\n{\"box\": {\"size\": [1, 0, 1]}}]}", "size.y", 3},
        {"{\"parts\": [{\"box\": {\"sizes\": [1, 0, 1]}}]}", "sizes", 1},
        {"{\"parts\": [{\"box\": {\"size\": [1, 1, 1]}, \"chair\": {}}]}", "found a second", 1},
        {"{\"parts\": [{}]}", "found nothing", 1},
        {"{\"parts\": [{\"box\": {\"size\": [1, 1e99, 1]}}]}", "size", 1},
        {"{\"parts\": [\n{\"prism\": {\"outline\": [[0,0],[1,1],[1,0],[0,1]], \"height\": 1}}]}", "crosses itself", 2},
        {"{\"parts\": [{\"mesh\": {\"file\": \"nowhere.obj\"}}]}", "nowhere.obj", 1},
        {"{\"parts\": [{\"mesh\": {\"file\": \"nowhere.glb\", \"up\": \"x\"}}]}", "'up'", 1},
        {"{\"parts\": [{\"mesh\": {\"vertices\": [0, 0], \"triangles\": []}}]}", "threes", 1},
        {"{\"parts\": [{\"mesh\": {\"vertices\": [0,0,0], \"triangles\": [0,1,2]}}]}", "vertex 1", 1},
        {"{\"parts\": [\n{\"prism\": {\"outline\": [[0,0],[2,0],[1,0],[1,1]], \"height\": 1}}]}", "touches itself", 2},
        {"{\"name\": \"goal\", \"parts\": [\n{\"box\": {\"size\": [1, 0, 1]}}]}", "size.y", 2},
        {"{\"parts\": [{\"stairs\": {\"rise\": 100}}]}", "rise", 1},
        {"{\"floors\": [{\"tiles\": [2, 2]}],\n \"things\": [{\"unit\": \"sofa\", \"at\": [0,0,0]}]}", "'sofa'", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_error error = {0};
        lope_level_file *file;
        assert_int_not_equal(read_text(cases[i].text, &file, &error), LOPE_OK);
        assert_null(file);
        if (!strstr(error.message, cases[i].says) || error.line != cases[i].line || !error.file[0])
            fail_msg("expected '%s' in line %d, found %s:%d: '%s'", cases[i].says, cases[i].line, error.file,
                     error.line, error.message);
    }
    lope_error error = {0};
    lope_level_file *file;
    assert_int_equal(lope_level_open("nosuch", NULL, &file, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "yard"));
    const lope_level_read_def bad = {.up = 'x'};
    assert_int_equal(lope_level_open("yard", &bad, &file, &error), LOPE_BAD_DATA);
}

static lope_status read_both(void *user, lope_error *error)
{
    (void)user;
    lope_level_file *file;
    lope_status status = read_text(all_shapes, &file, error);
    if (!status)
        status = lope_level_write(file->level, "name", test_path("memory.json"), error);
    lope_level_file_destroy(file);
    if (!status)
        status =
            read_nodes("{\"name\":\"ground\",\"mesh\":0,\"children\":[1]},{\"name\":\"bar\",\"mesh\":0}", &file, error);
    else
        return status;
    lope_level_file_destroy(file);
    return status;
}

static void no_memory_is_survived(void **state)
{
    (void)state;
    test_some_allocation_failures(read_both, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_read),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(nodes_are_parts),
        cmocka_unit_test(units_and_axes_are_found_and_said),
        cmocka_unit_test(rooms_tell_what_is_up),
        cmocka_unit_test(rotations_that_were_written_are_read),
        cmocka_unit_test(odd_nodes_are_said),
        cmocka_unit_test(wide_ground_stays_in_metres),
        cmocka_unit_test(a_bare_room_in_centimetres_is_found),
        cmocka_unit_test(bad_gltf_is_refused),
        cmocka_unit_test(the_other_scenes_become_levels),
        cmocka_unit_test(mistakes_are_reported_where_they_are),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
