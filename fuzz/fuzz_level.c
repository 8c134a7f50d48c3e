// SPDX-License-Identifier: MIT
// Any bytes as a level, JSON or glTF, or as one of the scenes that become levels: read or refused, and what was read
// holds together.
#include "fuzz.h"
#include "lope/level_file.h"

static bool inside(lope_vec3 p)
{
    return p.x >= -1e5f && p.x <= 1e5f && p.y >= -1e5f && p.y <= 1e5f && p.z >= -1e5f && p.z <= 1e5f;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    lope_level_file *file;
    lope_error error;
    bool gltf = size > 0 && data[size - 1] == '\n'; // glTF as text
    const lope_level_bytes bytes = {text, size, gltf ? "fuzz.gltf" : "fuzz.json"};
    lope_status status = lope_level_open_memory(&bytes, NULL, &file, &error);
    if (status == LOPE_OK) {
        int pieces = 0;
        for (int i = 0; i < lope_level_part_limit(file->level); i++) {
            lope_part part;
            require(lope_level_part(file->level, i, &part));
            require(inside(part.low) && inside(part.high) && part.low.x <= part.high.x);
            require(part.piece < 0 || lope_level_part_of(file->level, part.piece) == i);
            pieces += part.piece >= 0;
            require(lope_level_part_index(file->level, part.id) == i);
        }
        require(pieces == lope_terrain_piece_count(lope_level_terrain(file->level)));
        lope_part first;
        lope_level_part(file->level, 0, &first);
        require(lope_level_remove(file->level, first.id) && !lope_level_remove(file->level, first.id));
    } else {
        require(file == NULL && error.status == status && error.message[0]);
    }
    lope_level_file_destroy(file);
    free(text);
    return 0;
}
