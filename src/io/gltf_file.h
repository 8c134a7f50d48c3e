// SPDX-License-Identifier: MIT
// glTF 2.0 files as they are: the JSON tree, the bytes of the buffers, where nodes stand. What is read here has passed
// lope_gltf_check, so every view lies inside its buffer, every accessor inside its view, and nodes form trees.
#ifndef LOPE_SRC_IO_GLTF_FILE_H
#define LOPE_SRC_IO_GLTF_FILE_H

#include <jansson.h>

#include "base/files.h"
#include "io/affine.h"
#include "io/import_check.h"

// A file's two parts: JSON text, and the binary chunk of a GLB.
typedef struct gltf_parts {
    const char *text;
    size_t text_size;
    const char *body; // NULL: no GLB, or one without data
    size_t body_size;
} gltf_parts;

// Takes a file apart. LOPE_BAD_DATA where it is a GLB that is cut off or of another version.
lope_status lope_gltf_parts(const import_file *file, gltf_parts *out, lope_error *error);

// A length or count of an object; `missing` where it is not there. False where it is no whole number from 0 to 2^40.
bool lope_gltf_whole(const json_t *object, const char *key, uint64_t missing, uint64_t *out);
// The n-th of an array of the file's root ("accessors"), or NULL.
const json_t *lope_gltf_nth(const json_t *root, const char *array, const json_t *index);
// An index below `count`, or -1.
int lope_gltf_index(const json_t *index, int count);
// Bytes of one component of an accessor and components of one item; 0: not known.
uint64_t lope_gltf_component_size(const json_t *accessor);
uint64_t lope_gltf_component_count(const json_t *accessor);

typedef struct gltf_buffer {
    const char *bytes;
    size_t size;
    lope_file_data read; // where the bytes came from a file of their own, or from text
} gltf_buffer;

typedef struct gltf_file {
    char *path;
    json_t *root;
    lope_file_data data;
    bool whole; // a GLB whose only buffer is its binary chunk
    int buffer_count, node_count;
    gltf_buffer *buffers; // [buffer_count]
    int *parents;         // [node_count] -1: none
    int *order;           // [node_count] parents before children, depth first
    affine *locals;       // [node_count]
    affine *globals;      // [node_count]
} gltf_file;

// Opens a file, or one in memory of which a copy is kept; `path` stands in messages, and buffers lie beside it.
lope_status lope_gltf_open(const char *path, gltf_file *out, lope_error *error);
lope_status lope_gltf_open_memory(const void *bytes, size_t size, const char *path, gltf_file *out, lope_error *error);
// Harmless for one that could not be opened.
void lope_gltf_close(gltf_file *file);

// Path of a file that the text of the one at `path` names: as it is written or, where no such file is there, with %20
// for blanks. Names that lead out of the folder are refused, escaped ones too. lope_free it.
lope_status lope_gltf_beside(const char *path, const char *uri, char **out, lope_error *error);
// Reads such a file.
lope_status lope_gltf_read_beside(const gltf_file *file, const char *uri, lope_file_data *out, lope_error *error);

// A node's own translation, rotation and scale; those of its matrix where it has one. False where a matrix shears.
bool lope_gltf_node_parts(const gltf_file *file, int node, lope_vec3 *translation, lope_quat *rotation,
                          lope_vec3 *scale);
// The name of a node or skin; "" where it has none.
const char *lope_gltf_name(const json_t *object);

// Numbers of an accessor, in place.
typedef struct gltf_numbers {
    const char *bytes;
    size_t count, stride;
    int components, type; // type: 5126 for floats, ...
    bool normalized;
} gltf_numbers;

// False where there is no such accessor, or one whose numbers do not lie in one place (sparse, or all zero).
bool lope_gltf_numbers(const gltf_file *file, const json_t *index, gltf_numbers *out);
double lope_gltf_number(const gltf_numbers *numbers, size_t item, int component);

#endif
