// SPDX-License-Identifier: MIT
// Whether two floors have the same links and holds, to the bit; for tests, and for levels that change.
#ifndef LOPE_BENCH_LEVEL_LINKS_SAME_H
#define LOPE_BENCH_LEVEL_LINKS_SAME_H

#include "lope/floors.h"

// How many links (seams and numbers of floors aside) and holds are in one of them only. The first of them is told in
// `text`, which may be NULL.
int level_links_differ(const lope_floors *a, const lope_floors *b, char *text, size_t size);
// A number that depends on all links and holds, but not on their order.
uint64_t level_links_hash(const lope_floors *floors);

#endif
