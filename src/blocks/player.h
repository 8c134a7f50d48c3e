// SPDX-License-Identifier: MIT
// Players, from the inside: what happens to the feet.
#ifndef LOPE_SRC_BLOCKS_PLAYER_H
#define LOPE_SRC_BLOCKS_PLAYER_H

#include "blocks/world.h"
#include "motion/shown.h"

// Whether the body slides in the frame that is played.
bool player_glides(const lope_block_player *p);

// player_feet.c: the height of the floor that a step is walked on; NAN: it leads over things.
float player_floor(const lope_block_world *w, const lope_block_step *step);
// Notes which feet are off what carries them in the frame that is played: poses are not asked for in every frame.
void player_note_feet(lope_block_player *p);
// Before a pose: feet that were off the ground since the last one come down anew.
void player_let_feet_go(lope_block_player *p);
// After it: keeps feet out of the floor and out of things.
void player_place_feet(const lope_block_player *p, lope_pose *pose, lope_transform *model);

#endif
