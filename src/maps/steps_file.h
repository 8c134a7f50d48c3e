// SPDX-License-Identifier: MIT
// Step graphs as chunks of a .lope file, for other kinds of files that hold one.
#ifndef LOPE_SRC_MAPS_STEPS_FILE_H
#define LOPE_SRC_MAPS_STEPS_FILE_H

#include "lope/container.h"
#include "lope/steps.h"

// Adds skeleton, clips and graph to a file that is being written.
LOPE_API lope_status lope_steps_add_chunks(lope_container_writer *writer, const lope_steps *steps, lope_error *error);

// The file that an opened graph lies in; NULL for one that was built.
static inline const lope_container *steps_container(const lope_steps *steps)
{
    return steps->own_set ? steps->own_set->storage : NULL;
}

#endif
