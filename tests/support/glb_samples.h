// SPDX-License-Identifier: MIT
// Clips that between them use all a GLB can hold, for the writer's own tests and for the Khronos validator.
#ifndef LOPE_TESTS_GLB_SAMPLES_H
#define LOPE_TESTS_GLB_SAMPLES_H

#include "support/support.h"

// The made-up walk with contacts, and with a moving neck when `translations`.
lope_clip *sample_walk(int frames, bool translations);
// A chain of `joints` joints that are no biped; with hostile names when `hostile`. Joint 0 turns.
lope_clip *sample_chain(int joints, int frames, bool hostile);

#endif
