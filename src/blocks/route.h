// SPDX-License-Identifier: MIT
// Memory of searches for ways.
#ifndef LOPE_SRC_BLOCKS_ROUTE_H
#define LOPE_SRC_BLOCKS_ROUTE_H

struct route_memory;
void route_destroy(struct route_memory *memory);

#endif
