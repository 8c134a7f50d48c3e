// SPDX-License-Identifier: MIT
// Worlds of motion patches: a floor of tiles with obstacles on it, and characters that walk from gate to gate.
//
// What a tile knows (gates, segments) exists once. The world adds a few bits per tile: which segments are closed by an
// obstacle or a missing neighbour, and which are dead because everything behind them is closed.
#ifndef LOPE_PATCH_WORLD_H
#define LOPE_PATCH_WORLD_H

#include "lope/jobs.h"
#include "lope/patches.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_patch_world lope_patch_world;

// How characters keep out of each other's way.
typedef enum lope_reserve {
    LOPE_RESERVE_NONE,
    LOPE_RESERVE_TILES, // each has its tile and the next one to itself, as in the paper
    LOPE_RESERVE_CELLS  // each has the places its body will be in, at the times it will be there
} lope_reserve;

typedef struct lope_patch_world_def {
    const lope_tile *tile; // must outlive the world
    int columns, rows;     // of tiles, along +X and +Z
    lope_vec2 corner;      // of the first tile: its least x and z
    float body_radius;     // metres: what obstacles and other characters are kept away from hips by
    lope_reserve reserve;
    int characters; // most there can be
    bool lock_feet;
    uint64_t seed; // for the random ways of roaming characters
} lope_patch_world_def;

LOPE_API lope_patch_world_def lope_patch_world_def_default(void);
// A floor without holes and obstacles.
LOPE_API lope_status lope_patch_world_create(const lope_patch_world_def *def, lope_patch_world **out,
                                             lope_error *error);
LOPE_API void lope_patch_world_destroy(lope_patch_world *world);

// Editing, at any time between steps. Characters on a segment that is closed under their feet walk it to its end, and
// choose anew what comes then. Where nothing leads on from there, they walk back by what is closed.

// Lays or takes away a tile. LOPE_NOT_FOUND outside of the floor.
LOPE_API lope_status lope_patch_world_lay(lope_patch_world *world, int column, int row, bool present,
                                          lope_error *error);
// A convex obstacle of 1 to 8 corners in order (1: a post, 2: a wall) grown by `round` metres. *id names it.
LOPE_API lope_status lope_patch_world_add(lope_patch_world *world, const lope_vec2 *corners, int count, float round,
                                          int *id, lope_error *error);
LOPE_API lope_status lope_patch_world_move(lope_patch_world *world, int id, const lope_vec2 *corners, int count,
                                           float round, lope_error *error);
LOPE_API void lope_patch_world_remove(lope_patch_world *world, int id);

// The graph as it stands.
typedef struct lope_patch_survey {
    int tiles;                 // laid
    int64_t gates, live_gates; // (tile, side, gate); those with a way on
    int64_t links, live_links; // segments in all tiles; those that lead on for ever
    int64_t largest_gates;     // of the largest strongly connected component
    int64_t largest_links;     // living links within it
    int components;            // with more than one gate
    uint64_t hash;             // of what is live: the same after an edit and its opposite
    size_t bytes;              // of the world, without the tile and the clips
} lope_patch_survey;
LOPE_API lope_status lope_patch_world_survey(const lope_patch_world *world, lope_patch_survey *out, lope_error *error);

// A way through the graph: gates to pass, one tile after the other.
typedef struct lope_patch_step {
    int32_t tile;    // row * columns + column
    int32_t heading; // 0 to 3: comes in heading +Z, +X, -Z, -X
    int32_t link;    // of the tile
} lope_patch_step;

// Shortest way in tiles from where one comes into `tile` by (heading, gate) to the tile that holds `goal`, then the
// quickest segments along it. Fills at most `room` steps; *count is how many there are. LOPE_NOT_FOUND where there is
// none, LOPE_BAD_DATA where the goal lies on no tile.
LOPE_API lope_status lope_patch_path(lope_patch_world *world, int tile, int heading, int gate, lope_vec2 goal,
                                     lope_patch_step *steps, int room, int *count, lope_error *error);

// Characters are numbered from 0; numbers of those removed are used again.

// Puts one at the free gate nearest to a place. LOPE_NOT_FOUND where there is none or no room.
LOPE_API lope_status lope_patch_spawn(lope_patch_world *world, lope_vec2 near, int *character, lope_error *error);
LOPE_API void lope_patch_despawn(lope_patch_world *world, int character);
// Sends one to the tile around a place; LOPE_NOT_FOUND where no way leads there: it then goes on as before.
LOPE_API lope_status lope_patch_go_to(lope_patch_world *world, int character, lope_vec2 goal, lope_error *error);
// Lets it wander, as all do at first and after they arrived.
LOPE_API void lope_patch_roam(lope_patch_world *world, int character);
LOPE_API bool lope_patch_going(const lope_patch_world *world, int character);   // on its way to where it was sent
LOPE_API bool lope_patch_arrived(const lope_patch_world *world, int character); // since it was last sent
LOPE_API bool lope_patch_alive(const lope_patch_world *world, int character);
LOPE_API int lope_patch_character_count(const lope_patch_world *world);
LOPE_API lope_ground lope_patch_ground(const lope_patch_world *world, int character);

// Everybody walks on by dt seconds. Allocates nothing; the same for any number of threads.
LOPE_API void lope_patch_world_step(lope_patch_world *world, float dt, lope_jobs *jobs);
// Poses of all characters in model space: models[character * joint_count]. Those not alive are skipped.
LOPE_API void lope_patch_world_poses(lope_patch_world *world, lope_transform *models, lope_jobs *jobs);
// The same relative to parents, placed and blended, with feet as the motion has them: roots[character] in the world and
// rotations[character * joint_count].
LOPE_API void lope_patch_world_locals(lope_patch_world *world, lope_vec3 *roots, lope_quat *rotations, lope_jobs *jobs);
// One character's pose relative to parents; `pose` with the caller's buffers, `model` may be NULL.
LOPE_API void lope_patch_pose(lope_patch_world *world, int character, lope_pose *pose, lope_transform *model);
// Contacts of the frame that a character shows.
LOPE_API uint16_t lope_patch_contacts(const lope_patch_world *world, int character);

typedef struct lope_patch_traffic {
    int64_t decisions; // segments chosen
    int64_t forced;    // where nothing free was left and somebody's place had to be entered
    int64_t stranded;  // where no way led on because of an edit, and one that is closed had to be walked
} lope_patch_traffic;
LOPE_API lope_patch_traffic lope_patch_world_traffic(const lope_patch_world *world);
LOPE_API uint64_t lope_patch_world_hash(const lope_patch_world *world); // of all characters

#ifdef __cplusplus
}
#endif
#endif
