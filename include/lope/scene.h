// SPDX-License-Identifier: MIT
// Scenes: a world described in a JSON file, and the traffic in it.
//
//   {"name": "yard",
//    "bounds": [[-10, -10], [10, 10]],
//    "characters": 40,
//    "spawn": "anywhere",
//    "obstacles": [{"box": {"centre": [2, 3], "size": [1, 2], "degrees": 30}},
//                  {"cylinder": {"centre": [0, 0], "radius": 1.5}},
//                  {"polygon": [[4, 4], [6, 4], [5, 6]]}],
//    "carts": [{"size": [0.8, 1.4], "along": [[-9, 4], [9, 4]], "speed": 0.9}],
//    "areas": {"gate": [[-10, -2], [-8, 2]], "door": [[8, -2], [10, 2]]},
//    "flows": [{"from": "gate", "via": [[0, 3]], "to": "door", "weight": 2},
//              {"from": "door", "to": "gate", "stop": true, "pause": 3}]}
//
// Places are x and z in metres. All of it may be left out, but traffic needs flows and the areas they name, and patches
// need bounds.
#ifndef LOPE_SCENE_H
#define LOPE_SCENE_H

#include "lope/crowd.h"
#include "lope/patch_world.h"
#include "lope/paths.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_scene_shape { LOPE_SCENE_BOX, LOPE_SCENE_CYLINDER, LOPE_SCENE_POLYGON } lope_scene_shape;

typedef struct lope_scene_obstacle {
    lope_scene_shape shape;
    lope_vec2 centre, size; // of boxes
    float yaw;              // of boxes, radians
    float radius;           // of cylinders
    int corner_first, corner_count;
} lope_scene_obstacle;

typedef struct lope_scene_area {
    char name[32];
    lope_vec2 low, high;
} lope_scene_area;

#define LOPE_SCENE_MAX_STOPS 16

// A box that drives to and fro along a line while there is traffic on mobility maps; paths and patches know none.
typedef struct lope_scene_cart {
    lope_vec2 size; // metres: how wide it is, and how long along its way
    float speed;    // metres per second
    int stop_count; // 2 to LOPE_SCENE_MAX_STOPS, no two in a row at the same place
    lope_vec2 stops[LOPE_SCENE_MAX_STOPS];
} lope_scene_cart;

#define LOPE_SCENE_MAX_VIA 8

// Characters walk from one area to another, then on along a flow that begins there.
typedef struct lope_scene_flow {
    int from, to;  // areas
    int via_count; // 0 to LOPE_SCENE_MAX_VIA
    lope_vec2 via[LOPE_SCENE_MAX_VIA];
    float weight; // how often it is chosen, relative to others
    bool stop;    // stand there
    float pause;  // seconds before going on
} lope_scene_flow;

typedef struct lope_scene {
    char name[64];
    bool bounded;
    lope_vec2 low, high;
    int characters;      // how many it is meant for
    bool spawn_anywhere; // within the bounds, not in the areas where flows begin
    int obstacle_count, corner_count, cart_count, area_count, flow_count;
    lope_scene_obstacle *obstacles;
    lope_vec2 *corners; // of all polygons
    lope_scene_cart *carts;
    lope_scene_area *areas;
    lope_scene_flow *flows;
} lope_scene;

// Reads a scene (offline library). Messages name file, line and column, and say what is allowed there.
LOPE_API lope_status lope_scene_read(const char *path, lope_scene **out, lope_error *error);
LOPE_API lope_status lope_scene_read_memory(const char *text, size_t size, const char *name, lope_scene **out,
                                            lope_error *error);
// The scenes that come with the library (offline library): "plaza", "maze", "living_room", "figure8", "doors", ...
LOPE_API int lope_scene_builtin_count(void);
LOPE_API const char *lope_scene_builtin_name(int index);
// LOPE_NOT_FOUND, naming those there are.
LOPE_API lope_status lope_scene_builtin(const char *name, lope_scene **out, lope_error *error);
LOPE_API void lope_scene_destroy(lope_scene *scene);

// Adds an obstacle that is described like those of the scene.
LOPE_API lope_status lope_scene_add_obstacle(const lope_scene *scene, const lope_scene_obstacle *obstacle,
                                             lope_crowd *world, lope_error *error);
// A world with the scene's bounds and obstacles; everything else as in `def`.
LOPE_API lope_status lope_scene_world(const lope_scene *scene, const lope_crowd_def *def, lope_crowd **out,
                                      lope_error *error);

// A world of tiles over the scene's bounds, with its obstacles; everything else as in `def`.
LOPE_API lope_status lope_scene_patch_world(const lope_scene *scene, const lope_patch_world_def *def,
                                            lope_patch_world **out, lope_error *error);

// The free space of a scene (offline library): bounds and obstacles; 5 m of ground around everything where it has no
// bounds, and around the origin where it has nothing at all. Cylinders become polygons around them.
LOPE_API lope_status lope_scene_space(const lope_scene *scene, lope_space **out, lope_error *error);

// Random numbers for sending characters along flows; `random` is where it stands, begin with any seed. Run time: the
// scene must have a flow.
// A flow, by weight, among those that begin in the area; among all where none does.
LOPE_API int lope_scene_draw_flow(const lope_scene *scene, int area, uint64_t *random);
// A place in a rectangle.
LOPE_API lope_vec2 lope_scene_draw_place(lope_vec2 low, lope_vec2 high, uint64_t *random);

// Characters that keep a scene alive: each follows a flow, and then the next.
typedef struct lope_traffic lope_traffic;

// Puts the scene's carts into the world and spawns `count` characters, each like `character` apart from where and in
// which state it begins, and sends them off. Scene and world must outlive the traffic. LOPE_PARTIAL where not all found
// room; LOPE_BAD_DATA where the scene has no flows.
LOPE_API lope_status lope_traffic_create(const lope_scene *scene, lope_crowd *world, const lope_member_def *character,
                                         int count, uint64_t seed, lope_traffic **out, lope_error *error);
// Takes the carts out of the world again.
LOPE_API void lope_traffic_destroy(lope_traffic *traffic);
// Call after every step of the world with its dt, which should be that of the next step too (carts are expected to
// drive on as fast as they did): sends on characters that have arrived, and drives carts. Nothing happens where dt is
// negative or not finite. Allocates nothing where there are no carts.
LOPE_API void lope_traffic_update(lope_traffic *traffic, float dt);
LOPE_API int lope_traffic_count(const lope_traffic *traffic);
LOPE_API lope_member_id lope_traffic_character(const lope_traffic *traffic, int index);

#ifdef __cplusplus
}
#endif
#endif
