// SPDX-License-Identifier: MIT
// Finding out which joint is what.
#ifndef LOPE_SRC_MOTION_ROLES_H
#define LOPE_SRC_MOTION_ROLES_H

#include "lope/skeleton.h"

// Fills roles[LOPE_ROLE_COUNT] (-1 where unknown) from names, failing that from topology and symmetry.
lope_role_source lope_roles_find(const lope_skeleton *skeleton, int *roles);

#endif
