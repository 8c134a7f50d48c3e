// SPDX-License-Identifier: MIT
// Moves: parts are swapped, cut, doubled and dropped; somebody walks, and what there is is asked for. What lies inside
// of a part has a target of its own, behind checksums that changes from outside do not get past.
#include "mutant.h"

const char *const mutant_kind = "moves";

bool mutant_use(mutant *m)
{
    static _Alignas(64) char memory[1 << 16];
    lope_moves *moves;
    lope_error error;
    lope_walker *walker;
    lope_walker_def def = lope_walker_def_default();
    if (lope_moves_open_memory(m->bytes, m->size, "mutant.lope", &moves, &error) != LOPE_OK)
        return false;
    require(moves->mobility && moves->skeleton);
    for (int i = 0; i < moves->line_count; i++)
        require(memchr(moves->lines[i].why, 0, sizeof moves->lines[i].why));
    if (lope_walker_size(moves->mobility) <= sizeof memory &&
        lope_walker_init(memory, moves->mobility, &def, -1, (lope_ground){0}, &walker, &error) == LOPE_OK)
        for (int i = 0; i < 60; i++) {
            lope_walker_step(walker, 1.0f / 30.0f);
            mutant_look_at(lope_walker_ground(walker));
        }
    if (moves->rings)
        require(lope_rings_skeleton(moves->rings)->joint_count == moves->skeleton->joint_count);
    if (moves->maps)
        require(moves->maps->steps->entries != NULL);
    lope_moves_close(moves);
    return true;
}
