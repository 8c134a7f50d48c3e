// SPDX-License-Identifier: MIT
// Checks the files of other programs before assimp reads them. assimp trusts the numbers in a file: 800 bytes can make
// it ask for gigabytes, and nodes inside nodes exhaust its stack. A file that passes costs time and memory in
// proportion to its size, and is what its ending says. So where assimp reads a file loosely, these checks read it the
// same way or refuse it.
#ifndef LOPE_SRC_IO_IMPORT_CHECK_H
#define LOPE_SRC_IO_IMPORT_CHECK_H

#include "lope/base.h"

#define IMPORT_DEEPEST 4096 // nodes below one another; assimp recurses, and takes some 500 bytes of stack for each
#define IMPORT_WORK_FREE ((uint64_t)1 << 22) // pieces of work that any file may cause,
#define IMPORT_WORK_PER_BYTE 8u              // and for each of its bytes; a piece is up to about 64 bytes in memory

typedef struct import_file {
    const char *path; // for messages, and to find what lies beside it
    const char *bytes;
    size_t size;
} import_file;

// What the check has seen on the way.
typedef struct import_facts {
    bool states_unit; // an FBX file that says how long its unit is
} import_facts;

// Reads the file at `path` and checks it as its ending (.glb, .gltf, .fbx, .ply, .stl) says. LOPE_BAD_DATA where it is
// something else, is larger than `largest` bytes, or says what cannot be.
lope_status lope_import_check(const char *path, size_t largest, import_facts *out, lope_error *error);

// The same for a file in memory, by kind. None of them allocates through anything but lope_alloc and jansson.
lope_status lope_gltf_check(const import_file *file, lope_error *error);
lope_status lope_fbx_check(const import_file *file, import_facts *out, lope_error *error);
lope_status lope_ply_check(const import_file *file, lope_error *error);
lope_status lope_stl_check(const import_file *file, lope_error *error);

// Fails where `work` pieces are more than a file with `bytes` bytes of data may cause.
lope_status lope_import_check_work(const import_file *file, uint64_t work, uint64_t bytes, lope_error *error);

// Whose child each of `count` nodes is (-1: nobody's). Fails where some lie deeper than IMPORT_DEEPEST, or in a circle.
lope_status lope_import_check_depth(const import_file *file, const int *parents, int count, lope_error *error);

// Parts of the FBX check. Models are the nodes of an FBX scene, and connections say which lies below which.
typedef struct fbx_pair {
    int64_t child, parent;
    bool is_parent; // as lope_fbx_is_parent_link says
} fbx_pair;

// An animation curve: assimp copies its keys for each connection that it is the child of.
typedef struct fbx_curve {
    int64_t id;
    uint64_t items; // of its arrays
    bool linked;
} fbx_curve;

typedef struct fbx_scene {
    int64_t *models;
    fbx_pair *pairs; // all connections
    fbx_curve *curves;
    size_t model_count, model_capacity, pair_count, pair_capacity, curve_count, curve_capacity;
    uint64_t work;
} fbx_scene;

lope_status lope_fbx_add_model(fbx_scene *scene, int64_t id, lope_error *error);
lope_status lope_fbx_add_curve(fbx_scene *scene, int64_t id, uint64_t items, lope_error *error);
lope_status lope_fbx_add_pair(fbx_scene *scene, fbx_pair pair, lope_error *error);
// Whether assimp takes a connection between two models for child and parent: `type` is "OO" as a rule, but it takes all
// but links of properties. `names_property`: the fourth value is there and not empty.
bool lope_fbx_is_parent_link(const char *type, size_t size, bool names_property);
lope_status lope_fbx_binary(const import_file *file, fbx_scene *scene, lope_error *error);
lope_status lope_fbx_text(const import_file *file, fbx_scene *scene, lope_error *error);

#endif
