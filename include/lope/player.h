// SPDX-License-Identifier: MIT
// One character that plays a walk over a step graph: hand it steps, advance it, take its pose.
//
//   lope_player_init(memory, steps, &def, at, &player, &error);    // stands at `at`, if the graph knows how
//   lope_player_begin(player, &walk[0], at, &error);
//   int more = count - 1;
//   lope_player_append(player, &walk[1], &more, &error);
//   while (lope_player_state_of(player) != LOPE_PLAYER_STANDS) {
//       lope_player_step(player, 1.0f / 60);
//       lope_player_pose(player, NULL, joints_in_world);
//   }
//
// Steps can be appended while others play, and those that have not begun can be replaced: what is shown does not jump.
// The graph is read only and shared; a player is a block of memory that its caller owns. Advancing and posing allocate
// nothing. Different players may be advanced by different threads at the same time.
#ifndef LOPE_PLAYER_H
#define LOPE_PLAYER_H

#include "lope/blend.h"
#include "lope/controller.h"
#include "lope/follow.h"
#include "lope/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_player lope_player;

// One step of a walk. Bent by `turn` radians and stretched by a share of `stride`, both spread over the step so that
// nothing jerks: its last frame is then where `move`, scaled by 1 + stride, turned by turn / 2 as a whole and facing
// turn further, leads to (lope_step_end).
typedef struct lope_play {
    int32_t step; // of the graph
    int32_t edge; // of the graph, from the step before; -1: begins with it, or starts anew from standing
    float turn, stride;
} lope_play;

// The last frame of a step whose first frame is at `at`; and the first frame of the next one along an edge.
LOPE_API lope_ground lope_step_end(const lope_steps *steps, const lope_play *play, lope_ground at);
LOPE_API lope_ground lope_step_next(const lope_steps *steps, int32_t edge, lope_ground end);

typedef struct lope_player_def {
    int capacity;        // steps that can wait, 1 to 65536
    float fade_duration; // seconds: half-life of the difference at a transition
    float stand_fade;    // the same from standing to standing, where there is time
    bool lock_feet;      // where the clips know their contacts
    lope_lock_def lock;
} lope_player_def;

// 32 steps, 0.1 s and 0.25 s, feet locked.
LOPE_API lope_player_def lope_player_def_default(void);

// Bytes of a player, a multiple of 16. Players may lie in an array, that far apart, aligned to 16 bytes.
LOPE_API size_t lope_player_size(const lope_steps *steps, const lope_player_def *def);

// Makes a player in `memory` (lope_player_size bytes, aligned to 16), which needs no destroying. `steps` must outlive
// it, `def` is copied. It stands in the first frame of the first step that starts from standing; where the graph has
// none, it waits in the first frame of its first step. LOPE_BAD_DATA where definition or place are impossible.
LOPE_API lope_status lope_player_init(void *memory, const lope_steps *steps, const lope_player_def *def, lope_ground at,
                                      lope_player **out, lope_error *error);

// Forgets everything and goes on with the first frame of a step at `at`: a new beginning, not a transition. Whatever
// waits is dropped. LOPE_BAD_DATA as in lope_player_append; the edge does not matter.
LOPE_API lope_status lope_player_begin(lope_player *player, const lope_play *first, lope_ground at, lope_error *error);

// Adds steps to those that wait. Each edge must lead from the step before it (of the one that is played, where nothing
// waits) to its step; a step without an edge must start from standing and follow one that stops, and begins where the
// body stands. LOPE_BAD_DATA, saying which, where that is not so or turn and stride are not small (half a radian, a
// half), LOPE_PARTIAL where not all of them fit: *count steps were taken then.
LOPE_API lope_status lope_player_append(lope_player *player, const lope_play *items, int *count, lope_error *error);

// Drops all steps that wait but the first `keep`, then appends. On LOPE_BAD_DATA nothing is changed.
LOPE_API lope_status lope_player_replace(lope_player *player, int keep, const lope_play *items, int *count,
                                         lope_error *error);

// Advances by dt seconds, any dt >= 0 (not finite or negative: ignored).
LOPE_API void lope_player_step(lope_player *player, float dt);

typedef enum lope_player_state {
    LOPE_PLAYER_STANDS, // and goes on as soon as a step waits
    LOPE_PLAYER_WALKS,
    LOPE_PLAYER_WAITS // came to the end of a step that does not stop, and slows down in the middle of walking
} lope_player_state;
LOPE_API lope_player_state lope_player_state_of(const lope_player *player);

// A player and a search together are a character that walks while the rest of its way is still looked for:
//
//   lope_follow_advance(search, work);
//   lope_player_feed(player, search);
//   lope_player_step(player, dt);
//
// Hands over steps that the search has found, as late as possible: while it goes on, only when no other step waits.
// What was handed over counts as played (lope_follow_play). The first step begins where the search says. Along another
// path lope_follow_go_on leads on from lope_player_last_end.
LOPE_API void lope_player_feed(lope_player *player, lope_follow *search);

// The step that is played, where its first and last frames are, how many frames of it were played (a share of one more
// may be), and how many steps were begun since the last beginning, this one included.
typedef struct lope_player_now {
    lope_play play;
    lope_ground at, end;
    float frames;
    uint32_t begun;
    int waiting;
} lope_player_now;
LOPE_API lope_player_now lope_player_now_of(const lope_player *player);
// Where the last of all steps that it has ends: what is appended next goes on from there.
LOPE_API lope_ground lope_player_last_end(const lope_player *player);

// Where the body is, and which way it faces as planned (what is left of a transition may turn the hips a little).
LOPE_API lope_ground lope_player_ground(const lope_player *player);

// The pose of this moment, transitions covered and feet locked, in the world: joints relative to their parents into
// `pose` (buffers of the set's skeleton), joints in the world into model[joint_count]; either may be NULL. Feet are
// locked from call to call: skip this call for characters that are off screen.
LOPE_API void lope_player_pose(lope_player *player, lope_pose *pose, lope_transform *model);
// Which parts of the body touch (lope_contact); 0 where the clips do not know.
LOPE_API uint16_t lope_player_contacts(const lope_player *player);

// The ground that it walks on lies at this height, metres; 0 at the beginning. Poses are lifted by as much.
LOPE_API void lope_player_set_height(lope_player *player, float height);

// Players as controllers; `self` is a lope_player whose graph has learnt its entries. They enter in the middle of a
// step and go on with steps that lead to the aim's place, one at a time: good enough to get near. To arrive exactly,
// search from the step that is played (lope_follow_join with what lope_player_now_of says) and replace what waits;
// where steps wait, none is chosen. Way and speed mean nothing. LOPE_UNSUPPORTED where the graph has not learnt its
// entries.
LOPE_API const lope_controller *lope_player_controller(void);

// A whole walk as a clip with contacts: from the first frame of its first step, at `at`, to the last frame of its last
// one. The first edge does not matter. LOPE_BAD_DATA as in lope_player_append, or where the rate is impossible.
LOPE_API lope_status lope_walk_film(const lope_steps *steps, const lope_play *walk, int count, lope_ground at,
                                    const lope_player_def *def, double frame_rate, lope_clip **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
