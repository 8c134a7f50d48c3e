// SPDX-License-Identifier: MIT
// Levels from files (offline library).
//
//   {"name": "corner",
//    "parts": [{"box": {"size": [8, 0.2, 6], "place": [0, -0.2, 0], "name": "ground"}},
//              {"cylinder": {"diameter": 0.4, "height": 3, "place": [2, 0, 1]}},
//              {"prism": {"outline": [[0, 0], [2, 0], [0, 1]], "height": 1.6, "degrees": 30}},
//              {"chair": {"place": [1, 0, 2], "degrees": 90}},
//              {"ladder": {"place": [3, 0, 0], "size": [0.6, 2.4, 0.04]}},
//              {"hold": {"from": [0, 2, 0], "to": [1, 2, 0]}},
//              {"stairs": {"steps": 10, "rise": 0.16, "irregular": 0.5, "place": [-3, 0, 0]}},
//              {"field": {"origin": [-5, 8], "cell": 0.5, "heights": [[0, 0.1], [null, 0]]}},
//              {"mesh": {"file": "sofa.obj", "kind": "bench", "scale": 0.01, "place": [0, 0, 3]}},
//              {"mesh": {"file": "hall.glb"}},
//              {"mesh": {"vertices": [0, 0, 0, 1, 0, 0, 0, 0, 1], "triangles": [0, 1, 2]}}]}
//
// Part by part, in metres, Y up. "place" is where it stands, "degrees" turns it about the vertical, or "rotation" any
// way (x, y, z, w). Things by kind ("chair", ...) may leave their size to the kind, whole or in part (0). Shapes of
// ground ("flat", "ramp", "stairs", "bumps", "stones", "spiral") and fields are those of lope/terrain_scene.h. Files
// are looked for beside the level.
//
// In a glTF file every node with triangles is a part. A node whose name is that of a kind, maybe with a number after it
// (`chair.003`), or whose extras say so ({"lope": "bar"} or {"lope": {"kind": "bar"}}), is of that kind, together with
// all below it; without triangles it gets the kind's usual shape. Nodes that are called LOPE_ignore..., or have
// {"lope": "ignore"}, are left out with all below them, and so is what has a skin. Lights, cameras and textures are
// passed over. Scenes with Z up, in centimetres or in millimetres are recognised and put right; `notes` says so, and
// names kinds that are not known and what looks like a backdrop (a sky) that should be ignored.
#ifndef LOPE_LEVEL_FILE_H
#define LOPE_LEVEL_FILE_H

#include "lope/level.h"

#ifdef __cplusplus
extern "C" {
#endif

// How the triangles of mesh files are meant; zero where that is to be found out.
typedef struct lope_level_read_def {
    float scale; // metres per unit
    char up;     // 'y' or 'z'
} lope_level_read_def;

typedef struct lope_level_file {
    char name[64];
    lope_level *level;
    char notes[512]; // what was found and done about it, in sentences; may be empty
} lope_level_file;

// A built-in level by its name, a level or one of the other scenes as JSON (lope/scene.h, terrain_scene.h,
// block_scene.h, climb_scene.h; told apart by their keys), a glTF file, or any other mesh. `def` may be NULL. Messages
// name the file and, where it has lines, the line.
LOPE_API lope_status lope_level_open(const char *word, const lope_level_read_def *def, lope_level_file **out,
                                     lope_error *error);
// The same for JSON or glTF in memory; `name` stands for the file in messages.
typedef struct lope_level_bytes {
    const void *bytes;
    size_t size;
    const char *name;
} lope_level_bytes;
LOPE_API lope_status lope_level_open_memory(const lope_level_bytes *bytes, const lope_level_read_def *def,
                                            lope_level_file **out, lope_error *error);
LOPE_API void lope_level_file_destroy(lope_level_file *file);

// Writes a level as JSON. Prisms and fields become meshes.
LOPE_API lope_status lope_level_write(const lope_level *level, const char *name, const char *path, lope_error *error);

// The levels that come with the library: "yard", "house", "ruin". "office" and "playground", worlds of blocks read as
// levels, can be opened by name, too, and are not counted.
LOPE_API int lope_level_builtin_count(void);
LOPE_API const char *lope_level_builtin_name(int index);

#ifdef __cplusplus
}
#endif
#endif
