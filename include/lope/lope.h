// SPDX-License-Identifier: MIT
// The run-time library in one include. It needs a C compiler and libm, nothing else.
#ifndef LOPE_LOPE_H
#define LOPE_LOPE_H

#include "lope/base.h"
#include "lope/blend.h"
#include "lope/block_world.h"
#include "lope/blocks.h"
#include "lope/climb.h"
#include "lope/clip.h"
#include "lope/contacts.h"
#include "lope/container.h"
#include "lope/edit.h"
#include "lope/follow.h"
#include "lope/grade.h"
#include "lope/grasp.h"
#include "lope/ground.h"
#include "lope/ik.h"
#include "lope/jobs.h"
#include "lope/maps.h"
#include "lope/math.h"
#include "lope/mobility.h"
#include "lope/patch_world.h"
#include "lope/patches.h"
#include "lope/paths.h"
#include "lope/player.h"
#include "lope/rings.h"
#include "lope/route.h"
#include "lope/set.h"
#include "lope/skeleton.h"
#include "lope/steps.h"
#include "lope/stroll.h"
#include "lope/terrain.h"
#include "lope/terrain_shapes.h"
#include "lope/walker.h"
#include "lope/world.h"

#endif
