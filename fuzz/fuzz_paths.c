// SPDX-License-Identifier: MIT
// Fuzzes passages that follow changes, and paths in them. The input is read as operations: what to do and with which
// obstacle (3 and 5 bits), how many corners, the corners in 1/256 m; the first two corners are also a start and a goal.
// After every operation the passages follow, their triangulation is checked, and a path is asked for: it has to be
// there where passages made anew are wide enough, and keep clear. A fault ends the process.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "space/passages.h"
#include "support/space_check.h"

#define SLOTS 32
#define CORNERS_MAX 8
#define SLACK 0.002f // metres; arcs are sampled, and slivers thinner than that are not told apart

static void check_path(const lope_space *space, const lope_passages *passages, lope_path_finder *finder,
                       lope_vec2 start, lope_vec2 goal, float clearance)
{
    lope_passages *anew;
    lope_path path;
    lope_error error;
    lope_status status = lope_path_find(finder, passages, start, goal, clearance, &path, &error);
    if (lope_passages_create(space, &anew, &error) != LOPE_OK)
        return;
    float widest = lope_passages_widest(anew, start, goal), again = lope_passages_widest(passages, start, goal);
    lope_passages_destroy(anew);
    if (fabsf(widest - again) > SLACK)
        abort();
    if (fabsf(widest - clearance) > SLACK && (status == LOPE_OK) != (widest > clearance))
        abort();
    for (int i = 1; i < path.point_count; i++)
        if (!lope_space_sweep_free(space, path.points[i - 1], path.points[i], clearance - SLACK, NULL))
            abort();
}

static void change(lope_space *space, int what, int *name, const lope_vec2 *corners, int count)
{
    lope_error error;
    if (what < 3 && !*name)
        lope_space_add(space, corners, count, name, &error);
    else if (what < 3)
        lope_space_move(space, *name, corners, count, &error);
    else if (*name) {
        lope_space_remove(space, *name);
        *name = 0;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *at = data, *end = data + size;
    int names[SLOTS] = {0};
    lope_space *space;
    lope_passages *passages;
    lope_path_finder *finder;
    lope_error error;
    if (lope_space_create((lope_vec2){-4, -4}, (lope_vec2){60, 60}, &space, &error) != LOPE_OK ||
        lope_passages_create(space, &passages, &error) != LOPE_OK ||
        lope_path_finder_create(&finder, &error) != LOPE_OK)
        abort();
    while (at < end) {
        int what = *at & 7, slot = *at >> 3;
        lope_vec2 corners[CORNERS_MAX] = {{0.0f, 0.0f}};
        at++;
        int count = fuzz_corners(&at, end, CORNERS_MAX, corners);
        if (what < 6)
            change(space, what, &names[slot], corners, count);
        if (lope_passages_update(passages, space, &error) != LOPE_OK || test_check_space(&passages->space))
            abort();
        if (count > 1)
            check_path(space, passages, finder, corners[0], corners[1], 0.01f + 0.05f * (float)slot);
    }
    lope_path_finder_destroy(finder);
    lope_passages_destroy(passages);
    lope_space_destroy(space);
    return 0;
}
