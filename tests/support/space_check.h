// SPDX-License-Identifier: MIT
// Checks a whole triangulation against its definition, slowly.
#ifndef LOPE_TESTS_SPACE_CHECK_H
#define LOPE_TESTS_SPACE_CHECK_H

#include "space/space.h"

// NULL, or what is wrong: topology, orientation, constrained Delaunay property, courses of segments, vertices that
// nobody needs, covers that do not change where obstacles begin.
const char *test_check_space(const lope_space *space);

// Vertices in the middle of a course that was not straightened when what crossed it went away.
int test_needless_vertices(const lope_space *space);

#endif
