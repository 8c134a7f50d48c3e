// SPDX-License-Identifier: MIT
// What is refused before assimp sees it: lengths that cannot be, nodes that are too deep or in circles, small files
// that ask for much. And what must not be: files of our own, and whatever assimp itself writes.
#include "io/import_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "support/fbx_samples.h"
#include "support/glb_samples.h"

static void assert_says(lope_status status, const lope_error *error, const char *part)
{
    assert_int_equal(status, LOPE_BAD_DATA);
    if (!strstr(error->message, part))
        fail_msg("'%s' does not say '%s'", error->message, part);
}

#define ASSET "{\"asset\":{\"version\":\"2.0\"},"

static lope_status check_gltf(const char *text, lope_error *error)
{
    import_file file = {test_path("memory.gltf"), text, strlen(text)};
    return lope_gltf_check(&file, error);
}

static void bad_gltf(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{\"asset\":{\"version\":\"1.0\"}}", "glTF 2"},
        {"[]", "glTF 2"},
        {"{\"asset\":", "JSON"},
        {ASSET "\"buffers\":[{\"byteLength\":4294967295}]}", "buffer 0"},
        {ASSET "\"buffers\":[{\"byteLength\":-1}]}", "buffer 0"},
        {ASSET "\"buffers\":[{\"byteLength\":7,\"uri\":\"data:application/octet-stream;base64,AAAAAAAA\"}]}",
         "buffer 0"},
        {ASSET "\"buffers\":[{\"byteLength\":1,\"uri\":\"none.bin\"}]}", "none.bin"},
        {ASSET "\"buffers\":[{\"byteLength\":1,\"uri\":\"/dev/zero\"}]}", "/dev/zero"},
        {ASSET "\"buffers\":[{\"byteLength\":6,\"uri\":\"data:x;base64,AAAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,"
               "\"byteOffset\":4,\"byteLength\":3}]}",
         "buffer view 0"},
        {ASSET "\"bufferViews\":[{\"buffer\":3,\"byteLength\":3}]}", "buffer view 0"},
        {ASSET "\"buffers\":[{\"byteLength\":6,\"uri\":\"data:x;base64,AAAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,"
               "\"byteLength\":6}],\"accessors\":[{\"bufferView\":0,\"count\":2,\"componentType\":5126,\"type\":"
               "\"SCALAR\"}]}",
         "accessor 0"},
        {ASSET "\"accessors\":[{\"count\":2,\"componentType\":5127,\"type\":\"SCALAR\"}]}", "accessor 0"},
        {ASSET "\"accessors\":[{\"count\":268435456,\"componentType\":5126,\"type\":\"MAT4\",\"sparse\":{\"count\":0,"
               "\"indices\":{\"bufferView\":0,\"componentType\":5125},\"values\":{\"bufferView\":0}}}]}",
         "accessor 0"},
        {ASSET "\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}", "below itself"},
        {ASSET "\"nodes\":[{\"children\":[0]}]}", "below itself"},
        {ASSET "\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]}", "one parent"},
        {ASSET "\"nodes\":[{\"children\":[1,1]},{}]}", "one parent"},
        {ASSET "\"nodes\":[{\"children\":[7]}]}", "children from 0 to 0"},
        {ASSET "\"nodes\":[{\"children\":[1]},{}],\"scenes\":[{\"nodes\":[0,1]}]}", "scene 0"},
        {ASSET "\"nodes\":[{}],\"scenes\":[{\"nodes\":[0,0]}]}", "scene 0"},
        {ASSET "\"nodes\":[{}],\"nodes\":[{}]}", "JSON"},
        {ASSET "\"meshes\":[{\"primitives\":[{\"extensions\":{\"KHR_draco_mesh_compression\":{}}}]}]}", "Draco"},
    };
    lope_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_says(check_gltf(cases[i][0], &error), &error, cases[i][1]);
}

// Sparse zeros without data, the same accessor again and again, bones times parts: a few hundred bytes that would take
// gigabytes.
static void small_gltf_that_asks_for_much(void **state)
{
    (void)state;
    lope_error error;
    size_t room = 1 << 20;
    char *text = malloc(room);
    snprintf(text, room, "%s",
             ASSET "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:x;base64,AAAAAAAAAAAAAAAA\"}],\"bufferViews\":[{"
                   "\"buffer\":0,\"byteLength\":12}],\"accessors\":[{\"count\":268435456,\"componentType\":5126,"
                   "\"type\":\"MAT4\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,\"componentType\":5125},"
                   "\"values\":{\"bufferView\":0}}}]}");
    assert_says(check_gltf(text, &error), &error, "accessor 0: its sparse");
    char *type = strstr(text, "MAT4");
    memcpy(type, "VEC2", 4);
    assert_says(check_gltf(text, &error), &error, "asks for too much");

    // 6,000 animation channels of one accessor with 1,000 items, and 2,000 bones for 2,000 parts.
    size_t at = (size_t)snprintf(text, room,
                                 ASSET "\"accessors\":[{\"count\":1000,\"componentType\":5126,\"type\":"
                                       "\"SCALAR\"}],\"animations\":[{\"samplers\":[{\"input\":0,"
                                       "\"output\":0}],\"channels\":[{\"sampler\":0}");
    for (int i = 1; i < 6000; i++)
        at += (size_t)snprintf(text + at, room - at, ",{\"sampler\":0}");
    snprintf(text + at, room - at, "]}]}");
    assert_says(check_gltf(text, &error), &error, "asks for too much");
    at = (size_t)snprintf(text, room, ASSET "\"nodes\":[{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0");
    for (int i = 1; i < 2000; i++)
        at += (size_t)snprintf(text + at, room - at, ",0");
    at += (size_t)snprintf(text + at, room - at, "]}],\"meshes\":[{\"primitives\":[{}");
    for (int i = 1; i < 2000; i++)
        at += (size_t)snprintf(text + at, room - at, ",{}");
    snprintf(text + at, room - at, "]}]}");
    assert_says(check_gltf(text, &error), &error, "asks for too much");

    // One stretch of data as each of 3,000 images.
    at = (size_t)snprintf(text, room, ASSET "\"buffers\":[{\"byteLength\":6000,\"uri\":\"data:,%06000d\"}],", 0);
    at += (size_t)snprintf(text + at, room - at,
                           "\"bufferViews\":[{\"buffer\":0,\"byteLength\":6000}],\"images\":[{\"bufferView\":0}");
    for (int i = 1; i < 3000; i++)
        at += (size_t)snprintf(text + at, room - at, ",{\"bufferView\":0}");
    snprintf(text + at, room - at, "]}");
    assert_says(check_gltf(text, &error), &error, "asks for too much");
    free(text);
}

// Many targets of a mesh with many attributes: the check takes no longer than the sum of both. It would take minutes
// for each with each.
static void many_targets(void **state)
{
    (void)state;
    lope_error error;
    size_t room = 4 << 20;
    char *text = malloc(room);
    size_t at = (size_t)snprintf(text, room, ASSET "\"meshes\":[{\"primitives\":[{\"attributes\":{\"a\":0");
    for (int i = 0; i < 50000; i++)
        at += (size_t)snprintf(text + at, room - at, ",\"a%d\":0", i);
    at += (size_t)snprintf(text + at, room - at, "},\"targets\":[{}");
    for (int i = 1; i < 500000; i++)
        at += (size_t)snprintf(text + at, room - at, ",{}");
    snprintf(text + at, room - at, "]}]}]}");
    assert_ok(check_gltf(text, &error));
    free(text);
}

// A file beside it that is all of its buffers: assimp reads it for each of them.
static void one_file_as_many_buffers(void **state)
{
    (void)state;
    lope_error error;
    char text[4096];
    lope_file_writer writer;
    const long long size = 1 << 30;
    assert_ok(lope_file_begin(&writer, test_path("many.bin"), &error));
    assert_ok(lope_file_commit(&writer, &error));
    assert_int_equal(truncate(test_path("many.bin"), size), 0); // without taking that much of the disk
    for (int count = 2; count <= 3; count++) {
        int at = snprintf(text, sizeof text, ASSET "\"buffers\":[");
        for (int i = 0; i < count; i++)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s{\"byteLength\":%lld,\"uri\":\"many.bin\"}",
                           i ? "," : "", size);
        snprintf(text + at, sizeof text - (size_t)at, "]}");
        if (count == 2)
            assert_ok(check_gltf(text, &error));
        else
            assert_says(check_gltf(text, &error), &error, "3221225472 bytes, the limit is 2147483648");
    }
    assert_int_equal(unlink(test_path("many.bin")), 0);
}

// Buffers lie beside the file or below its folder, whatever their names look like.
static void buffers_stay_in_the_folder(void **state)
{
    (void)state;
    static const char *const out[] = {"../a.bin",
                                      "below/../../a.bin",
                                      "below/..",
                                      "%2e%2e/a.bin",
                                      ".%2E/a.bin",
                                      "..%2fa.bin",
                                      "%252e%252e/a.bin",
                                      "%2fetc/hostname",
                                      "/etc/hostname",
                                      "file:///etc/hostname",
                                      "file%3A///etc/hostname",
                                      "FILE:a.bin",
                                      "http://a/b.bin",
                                      "C:/a.bin",
                                      "..\\\\a.bin",
                                      "%5c%5chost%5ca"};
    static const char *const in[] = {"a.bin", "./a.bin", "below/a.bin", "a%20b.bin", "..a.bin", "below/a..bin"};
    lope_error error;
    char text[512];
    for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
        snprintf(text, sizeof text, ASSET "\"buffers\":[{\"byteLength\":1,\"uri\":\"%s\"}]}", out[i]);
        assert_says(check_gltf(text, &error), &error, "must lie in its own folder or below");
    }
    assert_int_equal(mkdir(test_path("below"), 0700), 0);
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
        const char *path = test_path(strcmp(in[i], "a%20b.bin") == 0 ? "a b.bin" : in[i]);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputc('x', file);
        fclose(file);
        snprintf(text, sizeof text, ASSET "\"buffers\":[{\"byteLength\":1,\"uri\":\"%s\"}]}", in[i]);
        assert_ok(check_gltf(text, &error));
    }
}

static void deep_gltf(void **state)
{
    (void)state;
    lope_error error;
    size_t room = 4 << 20;
    char *text = malloc(room);
    for (int deep = 0; deep < 2; deep++) {
        int count = IMPORT_DEEPEST + deep;
        size_t at = (size_t)snprintf(text, room, ASSET "\"nodes\":[{}");
        for (int i = 1; i < count; i++)
            at += (size_t)snprintf(text + at, room - at, ",{\"children\":[%d]}", i - 1);
        snprintf(text + at, room - at, "]}");
        lope_status status = check_gltf(text, &error);
        if (deep)
            assert_says(status, &error, "nodes deep");
        else
            assert_ok(status);
    }
    memset(text, '[', room - 1); // brackets inside brackets
    memcpy(text, ASSET "\"a\":", sizeof ASSET + 3);
    text[room - 1] = 0;
    assert_says(check_gltf(text, &error), &error, "JSON");
    free(text);
}

// Cut anywhere and with any byte changed, a file of ours is read or refused, and nothing worse.
static void damaged_glb(void **state)
{
    (void)state;
    lope_clip *clip = sample_walk(2, false);
    lope_error error;
    lope_file_data data;
    assert_ok(lope_glb_write((const lope_clip *const *)&clip, 1, test_path("damaged.glb"), &error));
    assert_ok(lope_file_read(test_path("damaged.glb"), 1 << 24, &data, &error));
    import_file file = {"damaged.glb", data.bytes, data.size};
    assert_ok(lope_gltf_check(&file, &error));
    for (file.size = 0; file.size < data.size; file.size += file.size < 100 ? 1 : 997)
        assert_int_equal(lope_gltf_check(&file, &error), LOPE_BAD_DATA);
    file.size = data.size;
    for (size_t i = 0; i < data.size; i += i < 20 ? 1 : 211) {
        data.bytes[i] ^= 0x55;
        lope_gltf_check(&file, &error);
        data.bytes[i] ^= 0x55;
    }
    lope_file_free(&data);
    lope_clip_destroy(clip);
}

// A binary FBX that is put together record by record; ends are written once they are known.
typedef struct fbx_book {
    char bytes[1 << 20];
    size_t size;
} fbx_book;

static void put(fbx_book *book, const void *bytes, size_t size)
{
    assert_true(book->size + size <= sizeof book->bytes);
    memcpy(book->bytes + book->size, bytes, size);
    book->size += size;
}

static void put_word(fbx_book *book, uint32_t word)
{
    put(book, &word, sizeof word);
}

static void begin_book(fbx_book *book)
{
    book->size = 0;
    put(book, "Kaydara FBX Binary  \0\x1a\0", 23);
    put_word(book, 7400);
}

// Returns where the record begins; its properties follow.
static size_t begin_record(fbx_book *book, const char *name, uint32_t properties, uint32_t length)
{
    size_t at = book->size;
    put_word(book, 0);
    put_word(book, properties);
    put_word(book, length);
    put(book, &(char){(char)strlen(name)}, 1);
    put(book, name, strlen(name));
    return at;
}

static void end_record(fbx_book *book, size_t at)
{
    uint32_t end = (uint32_t)book->size;
    memcpy(book->bytes + at, &end, sizeof end);
}

static void put_id(fbx_book *book, int64_t id)
{
    put(book, "L", 1);
    put(book, &id, sizeof id);
}

static void put_model(fbx_book *book, int64_t id)
{
    size_t at = begin_record(book, "Model", 1, 9);
    put_id(book, id);
    end_record(book, at);
}

static void put_link(fbx_book *book, const char *type, int64_t child, int64_t parent)
{
    size_t at = begin_record(book, "C", 3, 25);
    put(book, "S\2\0\0\0", 5);
    put(book, type, 2);
    put_id(book, child);
    put_id(book, parent);
    end_record(book, at);
}

static lope_status check_book(const fbx_book *book, lope_error *error)
{
    import_file file = {"book.fbx", book->bytes, book->size};
    import_facts facts = {0};
    return lope_fbx_check(&file, &facts, error);
}

static void deep_binary_fbx(void **state)
{
    (void)state;
    fbx_book *book = malloc(sizeof *book);
    lope_error error;
    for (int depth = 8; depth <= 8000; depth *= 1000) {
        size_t at[8000];
        begin_book(book);
        for (int i = 0; i < depth; i++)
            at[i] = begin_record(book, "a", 0, 0);
        for (int i = depth - 1; i >= 0; i--)
            end_record(book, at[i]);
        put(book, (char[13]){0}, 13);
        if (depth == 8)
            assert_ok(check_book(book, &error));
        else
            assert_says(check_book(book, &error), &error, "64 deep");
    }
    free(book);
}

// Models in a row that is too long, in a circle, below two others; in a circle by a link of a type that does not exist,
// or one behind an empty record: assimp follows both.
static void nested_models(void **state)
{
    (void)state;
    fbx_book *book = malloc(sizeof *book);
    lope_error error;
    static const char *const says[] = {NULL, "nodes deep", "below itself", "one parent", "below itself", "a list ends"};
    for (int kind = 0; kind < 6; kind++) {
        int count = kind == 1 ? IMPORT_DEEPEST + 1 : 20;
        begin_book(book);
        size_t objects = begin_record(book, "Objects", 0, 0);
        for (int i = 1; i <= count; i++)
            put_model(book, i);
        end_record(book, objects);
        size_t connections = begin_record(book, "Connections", 0, 0);
        for (int i = 1; i <= count; i++)
            put_link(book, "OO", i, i - 1);
        if (kind == 5)
            put_word(book, 0);
        if (kind == 2 || kind >= 4)
            put_link(book, kind == 4 ? "XX" : "OO", 1, count);
        if (kind == 3)
            put_link(book, "OO", 7, 3);
        if (kind != 4)
            put_link(book, "PP", 1, count);
        put(book, (char[13]){0}, 13);
        end_record(book, connections);
        put(book, (char[13]){0}, 13);
        lope_status status = check_book(book, &error);
        if (kind == 0)
            assert_ok(status);
        else
            assert_says(status, &error, says[kind]);
    }
    free(book);
}

static void binary_arrays(void **state)
{
    (void)state;
    static const struct {
        uint32_t count, packing, bytes;
        const char *says; // NULL: fine
    } arrays[] = {{2, 0, 16, NULL},
                  {64, 1, 16, NULL},
                  {3, 0, 16, "more items"},
                  {1u << 30, 1, 16, "more items"},
                  {0xffffffffu, 0, 16, "more items"},
                  {2, 2, 16, "more items"},
                  {2, 0, 17, "reaches beyond"},
                  {2, 0, 0xffffffffu, "reaches beyond"}};
    fbx_book *book = malloc(sizeof *book);
    lope_error error;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        begin_book(book);
        size_t at = begin_record(book, "a", 1, 29);
        put(book, "d", 1);
        put_word(book, arrays[i].count);
        put_word(book, arrays[i].packing);
        put_word(book, arrays[i].bytes);
        put(book, (char[16]){0}, 16);
        end_record(book, at);
        put(book, (char[13]){0}, 13);
        if (arrays[i].says)
            assert_says(check_book(book, &error), &error, arrays[i].says);
        else
            assert_ok(check_book(book, &error));
    }
    // A record's end before its beginning, and beyond the file.
    for (uint32_t end = 1; end > 0; end = end == 1 ? 0x7fffffff : 0) {
        begin_book(book);
        begin_record(book, "a", 0, 0);
        memcpy(book->bytes + 27, &end, sizeof end);
        assert_says(check_book(book, &error), &error, "reaches beyond");
    }
    free(book);
}

static lope_status check_text(const char *text, lope_error *error)
{
    import_file file = {"text.fbx", text, strlen(text)};
    import_facts facts = {0};
    return lope_fbx_check(&file, &facts, error);
}

static void text_fbx(void **state)
{
    (void)state;
    lope_error error;
    static const char *const cases[][2] = {
        {"solid stone", "no FBX file"},
        {"; FBX\nA: *4000000000 {\n a: 1\n}", "more items"},
        {"; FBX\nA: \"b", "closing quote"},
        {"; FBX\n}", "not opened"},
        {"; FBX\nObjects: {\nModel: 5, \"a\", \"b\" {\n}\n}\nConnections: {\nC: \"OO\",5,5\n}\n", "below itself"},
        {"; FBX\nObjects: {\nModel: 5,\"a\" {\n}\nModel: 6,\"b\" {\n}\n}\nConnections: {\nC: \"OO\",5,6\nC: "
         "\"OO\",5,6\n}",
         "one parent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_says(check_text(cases[i][0], &error), &error, cases[i][1]);
    assert_int_equal(error.line, 0);
    assert_says(check_text(cases[1][0], &error), &error, "more items");
    assert_int_equal(error.line, 2);
    char deep[4096] = "; FBX\n";
    for (int i = 0; i < 65; i++)
        strcat(deep, "a: {\n");
    assert_says(check_text(deep, &error), &error, "64 deep");
}

// Circles and arrays that only assimp saw: it reads the digits of a number and forgets the rest, ends lines and words
// with more characters than most, and follows links of any type.
static void text_fbx_as_assimp_reads_it(void **state)
{
    (void)state;
    lope_error error;
    static const struct {
        const char *links, *says; // NULL: fine
    } cases[] = {
        {"C: \"OO\",5,6", NULL},
        {"C: \"OO\",5,6\nC: \"OP\",6,5,\"LookAt\"\nC: \"PP\",6,5", NULL},
        {"C: \"OO\",5,6\nC: \"OO\",6x,5x", "below itself"},
        {"C: \"OO\",5,6\nC: \"XX\",6,5", "below itself"},
        {"C: \"OO\",5,6\nC: \"OP\",6,5,\"\"", "below itself"},
        {"C: \"OO\",5,6\n; a comment\rC: \"OO\",6,5", "below itself"},
        {"C: \"OO\",5,6\nC: \"OO\",\f6,5", "below itself"},
        {"C: \"OO\",5,6\nC: \"OO\",18446744073709551622,5", "too many digits"},
        {"C: \"OO\",5,6\nC : \"OO\",6,5", "colon"},
        {"A: *4000000000x {\n a: 1\n}", "more items"},
        {"A: *40 {\n a: 1\n}\nA: *18446744073709551600 {\n a: 1\n}", "more items"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "; FBX\nObjects: {\nModel: 5,\"a\" {\n}\nModel: 6,\"b\" {\n}\n}\nConnections: {\n%s\n}\n",
                 cases[i].links);
        if (cases[i].says)
            assert_says(check_text(text, &error), &error, cases[i].says);
        else
            assert_ok(check_text(text, &error));
    }
}

enum { KEYS = 20000 };

// A curve with the id 3 that is the child of `count` connections.
static void put_shared_curve(fbx_book *book, int count)
{
    static const char zeros[KEYS];
    begin_book(book);
    size_t objects = begin_record(book, "Objects", 0, 0), curve = begin_record(book, "AnimationCurve", 1, 9);
    put_id(book, 3);
    size_t keys = begin_record(book, "KeyTime", 1, 13 + KEYS);
    put(book, "c", 1);
    put_word(book, KEYS);
    put_word(book, 0);
    put_word(book, KEYS);
    put(book, zeros, KEYS);
    end_record(book, keys);
    end_record(book, curve);
    end_record(book, objects);
    size_t connections = begin_record(book, "Connections", 0, 0);
    for (int i = 0; i < count; i++)
        put_link(book, "OP", 3, 100 + i);
    end_record(book, connections);
    put(book, zeros, 13);
}

static void write_shared_curve(char *text, size_t room, int count)
{
    size_t at = (size_t)snprintf(text, room,
                                 "; FBX\nObjects: {\nAnimationCurve: 3, \"a\" {\nKeyTime: *%d {\na: %0*d\n}\n}\n}\n"
                                 "Connections: {\n",
                                 KEYS, KEYS, 0);
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, room - at, "C: \"OP\",3,%d,\"d|X\"\n", 100 + i);
    snprintf(text + at, room - at, "}\n");
}

// One long animation curve for many nodes: assimp copies its keys for each.
static void shared_curves(void **state)
{
    (void)state;
    lope_error error;
    size_t room = 1 << 20;
    char *text = malloc(room);
    fbx_book *book = malloc(sizeof *book);
    put_shared_curve(book, 1);
    write_shared_curve(text, room, 1);
    assert_ok(check_book(book, &error));
    assert_ok(check_text(text, &error));
    put_shared_curve(book, 1000);
    write_shared_curve(text, room, 1000);
    assert_says(check_book(book, &error), &error, "asks for too much");
    assert_says(check_text(text, &error), &error, "asks for too much");
    free(text);
    free(book);
}

// The unit is stated, or another one is that sounds like it.
static void stated_units(void **state)
{
    (void)state;
    lope_skeleton *skeleton = test_biped();
    lope_error error;
    for (int stated = 0; stated < 2; stated++) {
        fbx_sample sample = {.skeleton = skeleton, .unit = stated, .units_per_metre = 100.0, .animated = true};
        import_facts facts;
        fbx_sample_write(&sample, test_path("stated.fbx"));
        assert_ok(lope_import_check(test_path("stated.fbx"), 1 << 20, &facts, &error));
        assert_int_equal(facts.states_unit, stated);
        assert_says(lope_import_check(test_path("stated.fbx"), 1000, &facts, &error), &error, "larger than the limit");
    }
    lope_skeleton_release(skeleton);
}

static void meshes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says; // NULL: fine
    } plys[] = {
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement face 1\nproperty list uchar int v\n"
         "end_header\n0.5\n3 0 0 0\n",
         NULL},
        {"ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n0\n", "larger than the file"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nend_header\n0\n", "before its last element"},
        {"ply\nformat ascii 1.0\nelement face 1\nproperty list uint int v\nend_header\n4000000000 0\n", "longer than"},
        {"ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint int v\nend_header\n\377\377\377\377",
         "longer than"},
        {"ply\nformat binary_big_endian 1.0\nelement face 1\nproperty list uint int v\nend_header\n\1\1\1\1",
         "longer than"},
        {"ply\nformat ascii 1.0\nelement face 1\nproperty list char int v\nend_header\n-1 0\n", "longer than"},
        {"ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list char char v\nend_header\n\377",
         "negative"},
        {"ply\nformat ascii 1.0\n element face 900000000\nend_header\n0\n", "leading blanks"},
        {"ply\nformat ascii 1.0\ncomment\relement face 900000000\nend_header\n0\n", "control characters"},
        {"ply\r\nformat ascii 1.0\r\nelement vertex 1\r\nproperty float x\r\nend_header\r\n0\r\n", NULL},
        {"ply\nformat ascii 1.0\nelement vertex 9\nend_header\n0\n", "no properties"},
        {"ply\nformat ascii 1.0\nelement vertex 9\nproperty list uchar\nend_header\n0\n", "not known"},
        {"ply\nformat zip 1.0\nend_header\n", "format"},
        {"ply\nformat ascii 1.0\n", "end_header"},
        {"solid", "'ply'"}};
    lope_error error;
    for (size_t i = 0; i < sizeof plys / sizeof *plys; i++) {
        import_file file = {"a.ply", plys[i].text, strlen(plys[i].text)};
        if (plys[i].says)
            assert_says(lope_ply_check(&file, &error), &error, plys[i].says);
        else
            assert_ok(lope_ply_check(&file, &error));
    }
    char stl[134] = {0};
    import_file file = {"a.stl", stl, sizeof stl};
    assert_says(lope_stl_check(&file, &error), &error, "no STL file");
    stl[80] = 1;
    assert_ok(lope_stl_check(&file, &error));
    memset(stl + 80, 0xff, 4);
    assert_says(lope_stl_check(&file, &error), &error, "no STL file");
    file = (import_file){"a.stl", " solid", 6};
    assert_ok(lope_stl_check(&file, &error));
}

static lope_status check_once(void *user, lope_error *error)
{
    import_facts facts;
    return lope_import_check(user, 1 << 24, &facts, error);
}

static void allocation_failures(void **state)
{
    (void)state;
    lope_skeleton *skeleton = test_biped();
    fbx_sample sample = {.skeleton = skeleton, .unit = 1.0, .units_per_metre = 100.0};
    char path[1024];
    snprintf(path, sizeof path, "%s", test_path("memory.fbx"));
    fbx_sample_write(&sample, path);
    test_allocation_failures(check_once, path);
    lope_skeleton_release(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_gltf),
        cmocka_unit_test(small_gltf_that_asks_for_much),
        cmocka_unit_test(many_targets),
        cmocka_unit_test(one_file_as_many_buffers),
        cmocka_unit_test(buffers_stay_in_the_folder),
        cmocka_unit_test(deep_gltf),
        cmocka_unit_test(damaged_glb),
        cmocka_unit_test(deep_binary_fbx),
        cmocka_unit_test(nested_models),
        cmocka_unit_test(binary_arrays),
        cmocka_unit_test(text_fbx),
        cmocka_unit_test(text_fbx_as_assimp_reads_it),
        cmocka_unit_test(shared_curves),
        cmocka_unit_test(stated_units),
        cmocka_unit_test(meshes),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
