// SPDX-License-Identifier: MIT
// Terrain from files (offline library): meshes as OBJ, GLB or what else assimp reads, and scenes that put ground
// together from shapes, meshes and height fields.
//
//   {"name": "course",
//    "terrain": [{"ramp": {"length": 6, "height": 1.2}},
//                {"stairs": {"steps": 10, "rise": 0.16, "irregular": 0.5, "seed": 3}},
//                {"flat": {"length": 5}},
//                {"mesh": {"file": "rubble.obj", "place": [4, 0, 2], "degrees": 30, "scale": 0.01}},
//                {"field": {"origin": [-5, 8], "cell": 0.5, "heights": [[0, 0.1, 0], [0, null, 0.2]]}}],
//    "start": {"at": [0, 1], "degrees": 0},
//    "path": [[0, 1], [0, 12]]}
//
// The numbers of shapes are those of lope_terrain_shape, with "degrees" for its yaw. A shape without "place" begins
// where the shape before it ends. In heights, null is a hole. Only "terrain" is needed. Files are looked for beside the
// scene.
#ifndef LOPE_TERRAIN_SCENE_H
#define LOPE_TERRAIN_SCENE_H

#include "lope/terrain_shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reads a mesh; the ending decides how. Faces with more than three corners become fans. Coordinates are multiplied by
// `scale` (0: 1). An OBJ file's errors name the line. LOPE_UNSUPPORTED where the ending is not known, or the library
// was built without assimp and the file needs it.
LOPE_API lope_status lope_terrain_mesh_read(const char *path, float scale, lope_terrain_mesh **out, lope_error *error);
LOPE_API lope_status lope_terrain_obj_read_memory(const char *text, size_t size, const char *name, float scale,
                                                  lope_terrain_mesh **out, lope_error *error);
// Writes a mesh as OBJ.
LOPE_API lope_status lope_terrain_obj_write(const lope_terrain_mesh *mesh, const char *path, lope_error *error);

typedef struct lope_terrain_scene {
    char name[64];
    lope_terrain *terrain;
    lope_ground start; // where a character begins
    float height;      // of the ground there; where floors lie above each other, that of the lowest
    int path_count;
    lope_vec2 *path; // a way through, may be empty
} lope_terrain_scene;

// Messages name file, line and column, and say what is allowed there.
LOPE_API lope_status lope_terrain_scene_read(const char *path, lope_terrain_scene **out, lope_error *error);
LOPE_API lope_status lope_terrain_scene_read_memory(const char *text, size_t size, const char *name,
                                                    lope_terrain_scene **out, lope_error *error);
LOPE_API void lope_terrain_scene_destroy(lope_terrain_scene *scene);

// The scenes that come with the library: "bumps", "cliff", "course", "spiral", "stairs", "stones".
LOPE_API int lope_terrain_scene_builtin_count(void);
LOPE_API const char *lope_terrain_scene_builtin_name(int index);
// LOPE_NOT_FOUND, naming those there are.
LOPE_API lope_status lope_terrain_scene_builtin(const char *name, lope_terrain_scene **out, lope_error *error);

// Whatever is meant: a built-in scene by its name, a scene file (.json), or a mesh (.obj, .glb, ...), which gets a path
// through its middle along its longer side.
LOPE_API lope_status lope_terrain_scene_open(const char *word, lope_terrain_scene **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
