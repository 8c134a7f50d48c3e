// SPDX-License-Identifier: MIT
// Ways for `lope follow` through worlds with things: from the node nearest to a place to one near another that can be
// come to, rather one where people stand.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/follow.h"

// Places that are tried around the one that was asked for, and metres from ring to ring of them.
enum { RINGS = 4, AROUND = 8, MOST_TRIED = 2 * (1 + RINGS * AROUND), MOST_STEPS = 4096 };
#define RING 0.5f
#define SAME_LEVEL 0.5f

// Starts and ends of either kind that are compared; seconds that a metre off the place that was asked for is worth.
enum { MOST_STARTS = 6, MOST_ENDS = 10 };
#define PER_METRE 8.0f

typedef struct nodes {
    int items[MOST_TRIED], count;
    int standing; // how many of them are of the kind that was asked for
} nodes;

typedef struct errand {
    lope_spot from, to;
    int start, end; // nodes
} errand;

static void add_node(const lope_block_world *world, lope_spot near, lope_spot place, int pose, nodes *out)
{
    int node = lope_block_node_near(world, near, pose), kind;
    if (node < 0 || fabsf(lope_block_node_place(world, node, &kind).y - place.y) > SAME_LEVEL)
        return;
    for (int i = 0; i < out->count; i++)
        if (out->items[i] == node)
            return;
    out->items[out->count++] = node;
}

// Nodes near a place, those of a kind of pose first, the nearer ones first.
static nodes nodes_near(const lope_block_world *world, lope_spot place, int pose)
{
    nodes found = {.count = 0};
    for (int pass = 0; pass < 2; pass++) {
        int kind = pass == 0 ? pose : -1;
        add_node(world, place, place, kind, &found);
        for (int i = 0; i < RINGS * AROUND; i++) {
            double angle = 2.0 * LOPE_PI * (i % AROUND) / AROUND;
            float radius = RING * (float)(1 + i / AROUND);
            lope_spot near = {place.x + radius * (float)lope_sin(angle), place.y,
                              place.z + radius * (float)lope_cos(angle), 0.0f};
            add_node(world, near, place, kind, &found);
        }
        found.standing = pass == 0 ? found.count : found.standing;
    }
    return found;
}

static float off(const lope_block_world *world, int node, lope_spot place)
{
    int pose;
    lope_spot at = lope_block_node_place(world, node, &pose);
    return hypotf(at.x - place.x, at.z - place.z);
}

// What a way costs, INFINITY where there is none; it is taken where that is less than `least`.
static float try_way(lope_block_world *world, const errand *asked, float least, lope_block_step *steps,
                     follow_way *best)
{
    int count;
    float cost = PER_METRE * (off(world, asked->start, asked->from) + off(world, asked->end, asked->to));
    if (cost >= least || asked->start == asked->end ||
        lope_block_path(world, asked->start, asked->end, steps, MOST_STEPS, &count, NULL) != LOPE_OK || count < 1 ||
        count > MOST_STEPS)
        return INFINITY;
    for (int i = 0; i < count; i++)
        cost += steps[i].seconds;
    if (cost >= least)
        return INFINITY;
    memcpy(best->steps, steps, (size_t)count * sizeof *steps);
    best->count = count;
    return cost;
}

follow_way follow_find_way(lope_block_world *world, int standing, lope_spot from, lope_spot to)
{
    follow_way way = {.steps = NULL};
    nodes starts = nodes_near(world, from, standing), ends = nodes_near(world, to, standing);
    if (starts.count == 0 || ends.count == 0) {
        way.why =
            starts.count == 0 ? "things leave no room to walk where it begins" : "things leave no room to walk there";
        return way;
    }
    way.steps = cli_alloc(MOST_STEPS * sizeof *way.steps);
    lope_block_step *steps = cli_alloc(MOST_STEPS * sizeof *steps);
    float least = INFINITY;
    for (int pass = 0; pass < 2 && least == INFINITY; pass++)
        for (int s = 0; s < starts.count && s < MOST_STARTS; s++)
            for (int e = pass ? ends.standing : 0, n = 0; e < (pass ? ends.count : ends.standing) && n < MOST_ENDS;
                 e++, n++)
                least = fminf(least,
                              try_way(world, &(errand){from, to, starts.items[s], ends.items[e]}, least, steps, &way));
    free(steps);
    if (least < INFINITY)
        return way;
    free(way.steps);
    return (follow_way){.why = "nothing that people can do connects them"};
}
