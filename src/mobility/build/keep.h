// SPDX-License-Identifier: MIT
// Finished stages of a build, kept in a .lope file so that an interrupted build goes on where it was. Every stage has a
// key, the hash of all that it was made from: what does not fit is not used.
#ifndef LOPE_SRC_MOBILITY_BUILD_KEEP_H
#define LOPE_SRC_MOBILITY_BUILD_KEEP_H

#include "graph/graph.h"
#include "lope/container.h"
#include "lope/mobility_build.h"

typedef struct stage_keeper {
    const char *path;              // NULL: nothing is kept
    lope_container *found;         // what an earlier run left, or NULL
    lope_container_writer *writer; // what this run leaves
    bool damaged;                  // the file was there and could not be used
    bool unwritten;                // stages could not be kept
} stage_keeper;

#define STAGE_TRANSITIONS LOPE_CHUNK('T', 'R', 'A', 'N')
#define STAGE_CHOICES LOPE_CHUNK('C', 'H', 'O', 'I')

void stage_keeper_open(stage_keeper *keeper, const char *path);
void stage_keeper_close(stage_keeper *keeper);

// Bytes of a stage that were kept under this key, or NULL. They live as long as the keeper.
const void *stage_keeper_find(const stage_keeper *keeper, uint32_t stage, uint64_t key, size_t *size);
// Keeps a stage. Where that fails the build goes on: keeping is a convenience.
void stage_keeper_add(stage_keeper *keeper, uint32_t stage, uint64_t key, const void *bytes, size_t size);

// What the stages are made from. `clips` is the key of the transitions that were found.
uint64_t stage_key_transitions(const lope_set *set, const lope_transition_def *def);
uint64_t stage_key_choices(uint64_t clips, const lope_transitions *transitions, const lope_state_graph *graph,
                           const lope_mobility_def *def);

#endif
