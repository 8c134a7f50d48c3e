// SPDX-License-Identifier: MIT
// Poses and sequences of poses in climbing scenes.
#ifndef LOPE_SRC_IO_CLIMB_SEQUENCE_H
#define LOPE_SRC_IO_CLIMB_SEQUENCE_H

#include "io/json_values.h"
#include "lope/climb.h"

// Both allocate `out->poses`, also where they fail half-way; climb_sequence_free forgets them.
bool climb_read_pose(json_reader *json, lope_climb_sequence *out); // a single one, with its facing
bool climb_read_sequence(json_reader *json, lope_climb_sequence *out);
void climb_sequence_free(lope_climb_sequence *sequence);

#endif
