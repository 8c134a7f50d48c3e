// SPDX-License-Identifier: MIT
// The offline library in one include: files of other programs, pictures, the built-in motion set, what maps are built
// with.
#ifndef LOPE_OFFLINE_H
#define LOPE_OFFLINE_H

#include "lope/avatar.h"
#include "lope/block_draw.h"
#include "lope/block_scene.h"
#include "lope/blocks_build.h"
#include "lope/bvh.h"
#include "lope/climb_scene.h"
#include "lope/draw.h"
#include "lope/fill.h"
#include "lope/glb.h"
#include "lope/graph.h"
#include "lope/groups.h"
#include "lope/import.h"
#include "lope/level_draw.h"
#include "lope/level_file.h"
#include "lope/lope.h"
#include "lope/mobility_build.h"
#include "lope/moves_build.h"
#include "lope/packed_build.h"
#include "lope/patches_build.h"
#include "lope/prepare.h"
#include "lope/rings_build.h"
#include "lope/rivals.h"
#include "lope/scene.h"
#include "lope/scenery.h"
#include "lope/stage.h"
#include "lope/steps_build.h"
#include "lope/synth.h"
#include "lope/terrain_draw.h"
#include "lope/terrain_scene.h"

#endif
