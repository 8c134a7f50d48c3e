// SPDX-License-Identifier: MIT
// Fuzzes sequences of adding, moving and removing obstacles. The input is read as operations: what to do and with which
// obstacle (3 and 5 bits), how many corners, the corners in 1/256 m. Small numbers make edges overlap, touch and cross.
// Every second operation or so the whole triangulation is checked; a fault ends the process.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support/space_check.h"

#define SLOTS 32
#define CORNERS_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *at = data, *end = data + size;
    int names[SLOTS] = {0}, checks = 0;
    lope_space *space;
    lope_error error;
    if (lope_space_create((lope_vec2){-4, -4}, (lope_vec2){60, 60}, &space, &error) != LOPE_OK)
        return 0;
    while (at < end) {
        int what = *at & 7, slot = *at >> 3;
        lope_vec2 corners[CORNERS_MAX];
        at++;
        int count = fuzz_corners(&at, end, CORNERS_MAX, corners);
        if (what < 2 && !names[slot])
            lope_space_add(space, corners, count, &names[slot], &error);
        else if (what < 2)
            lope_space_move(space, names[slot], corners, count, &error);
        else if (names[slot]) {
            lope_space_remove(space, names[slot]);
            names[slot] = 0;
        }
        if ((++checks & 1) && test_check_space(space))
            abort();
        if (count && !lope_space_blocked(space, corners[0]))
            lope_space_nearest_free(space, corners[0], &corners[1], &error);
    }
    for (int i = 0; i < SLOTS; i++)
        if (names[i])
            lope_space_remove(space, names[i]);
    if (test_check_space(space) || space->mesh.alive_vertices != 8)
        abort();
    lope_space_destroy(space);
    return 0;
}
