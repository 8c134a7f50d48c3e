// SPDX-License-Identifier: MIT
// What a character walks next: the segment that suits it best among those whose places are free and from which two more
// lead on that are free as well. Those are reserved too, so that a character can nearly always go on as it could when
// it decided last, whatever the others have chosen since.
#include <limits.h>
#include <string.h>

#include "base/random.h"
#include "patches/world.h"

#define MAX_CHOICES 256
// Seconds that another heading than the route's costs, times its quarters.
#define WRONG_WAY 4.0f
// Seconds that another gate than the route's costs.
#define OTHER_GATE 1.0f
// Seconds that standing still costs: more than any turn, less than getting into somebody's way.
#define STANDING 12.0f
// Seconds that a way out costs which leads to a gate without living ways.
#define NO_WAY_ON 100.0f
// How near the end of a segment a character without a free way on takes the least bad one (seconds).
#define LAST_MOMENT 0.25f
// Choices looked at before others, and seconds until one that found nothing free looks again.
#define MOST_TRIED 16
#define MOST_SPARES 12
#define TRY_AGAIN 0.2f

typedef struct choice {
    int32_t link;
    float cost;
} choice;

static float seconds_left(const lope_patch_world *w, const patch_character *c)
{
    return ((float)(patch_segment(w, c->link)->frames - 1 - c->frame) - c->phase) / (w->frame_rate * c->tempo);
}

// The link to walk from a gate on the way to the goal, or -1 where any will do.
static int wanted_link(lope_patch_world *w, patch_character *c, int tile, int heading, int gate)
{
    if (!c->sent)
        return -1;
    if (tile == patch_tile_at(w, c->goal)) {
        c->arrived = true;
        c->sent = false;
        return -1;
    }
    if (c->route_version != w->version || c->route_at >= c->route_count) {
        lope_patch_step steps[ROUTE_ROOM];
        int count = 0;
        c->route_version = w->version;
        c->route_at = 0;
        if (patch_way(w, node_of(w, tile, heading, gate), c->goal, steps, ROUTE_ROOM, &count, NULL) != LOPE_OK) {
            c->sent = false;
            return -1;
        }
        c->route_count = count < ROUTE_ROOM ? count : ROUTE_ROOM;
        for (int i = 0; i < c->route_count; i++)
            c->route[i] = steps[i].link;
    }
    return c->route_at < c->route_count ? c->route[c->route_at] : -1;
}

// Whether a link that is closed leads back to where one can go on: the way out for those whose tile was taken away or
// blocked under their feet. 0: no, 1: to a place from where others lead on, 2: to a tile that is there at all.
static int way_out(const lope_patch_world *w, int tile, int heading, int link)
{
    int next = patch_tile_after(w, tile, heading, link);
    if (next < 0 || !w->present[next])
        return 0;
    return w->ways[node_of(w, next, patch_heading_after(w, heading, link), w->def.tile->links[link].to)] > 0 ? 1 : 2;
}

// Links to leave a gate by from which no living one leads on.
static int list_ways_out(const lope_patch_world *w, int tile, int heading, int gate, choice *out)
{
    const lope_tile *t = w->def.tile;
    int count = 0;
    for (int l = t->link_first[gate * LOPE_TILE_WAYS];
         l < t->link_first[(gate + 1) * LOPE_TILE_WAYS] && count < MAX_CHOICES; l++) {
        int kind = way_out(w, tile, heading, l);
        if (kind > 0)
            out[count++] = (choice){l, w->durations[l] + (kind == 2 ? NO_WAY_ON : 0.0f)};
    }
    return count;
}

// Living links out of a gate with what each costs: its time, the turn away from the wanted heading, or a whim.
static int list_choices(const lope_patch_world *w, patch_character *c, int tile, int heading, int gate, int wanted,
                        choice *out)
{
    const lope_tile *t = w->def.tile;
    lope_random random = {c->random};
    const uint64_t *dead = links_of(w, w->dead, tile, heading);
    int count = 0, end = t->link_first[(gate + 1) * LOPE_TILE_WAYS];
    int wanted_heading = wanted >= 0 ? patch_heading_after(w, heading, wanted) : 0;
    float whim = wanted >= 0 ? 0.5f : 3.0f;
    for (int l = t->link_first[gate * LOPE_TILE_WAYS]; l < end && count < MAX_CHOICES; l++) {
        if (bit_at(dead, l) && !patch_waits(w, l))
            continue;
        float cost = w->durations[l];
        if (t->links[l].side == LOPE_TILE_INSIDE) {
            cost += STANDING;
        } else if (wanted >= 0) {
            int off = (patch_heading_after(w, heading, l) - wanted_heading + 4) % 4;
            cost += WRONG_WAY * (float)(off == 3 ? 1 : off) + (l == wanted ? 0.0f : OTHER_GATE);
        } else {
            // Wanderers rather go on than turn, and hardly ever turn round.
            static const float turn_cost[4] = {0.0f, 1.0f, 6.0f, 1.0f};
            cost += turn_cost[t->links[l].side];
        }
        cost += lope_random_range(&random, 0.0f, whim);
        out[count++] = (choice){l, cost};
    }
    c->random = random.state;
    return count;
}

// Takes the cheapest choice out of the list.
static choice take_best(choice *choices, int *count)
{
    int best = 0;
    for (int i = 1; i < *count; i++)
        if (choices[i].cost < choices[best].cost)
            best = i;
    choice taken = choices[best];
    choices[best] = choices[--*count];
    return taken;
}

int patch_find_spares(const lope_patch_world *w, int character, const patch_plan *plan, int most, patch_plan *spares)
{
    const lope_tile *t = w->def.tile;
    int gate = t->links[plan->link].to, first = t->link_first[gate * LOPE_TILE_WAYS], found = 0;
    int count = t->link_first[(gate + 1) * LOPE_TILE_WAYS] - first;
    patch_plan spare = {.tile = patch_tile_after(w, plan->tile, plan->heading, plan->link),
                        .heading = patch_heading_after(w, plan->heading, plan->link),
                        .delay = plan->delay + w->durations[plan->link] / plan->tempo,
                        .tempo = 1.0f};
    // Looked at far apart, so that they lead to many sides.
    int stride = count > MOST_SPARES ? count / MOST_SPARES : 1, tried = 0;
    for (int k = 0, i = 0; k < count && found < most && tried < MOST_SPARES; k++, i += stride) {
        patch_plan after[PATCH_SPARES];
        i = i < count ? i : i % stride + 1;
        spare.link = first + i;
        if (!link_lives(w, spare.tile, spare.heading, spare.link) && !patch_waits(w, spare.link))
            continue;
        tried++;
        if (patch_conflicts(w, character, &spare, 1) > 0)
            continue;
        int more = most > 1 ? patch_find_spares(w, character, &spare, most - 1, after) : 0;
        if (more + 1 <= found)
            continue;
        spares[0] = spare;
        for (int j = 0; j < more; j++)
            spares[j + 1] = after[j];
        found = more + 1;
    }
    return found;
}

typedef struct decision {
    patch_plan plan, spares[PATCH_SPARES];
    int conflicts; // of the plan
    int spare_count;
} decision;

// Whether any of the MOST_TRIED cheapest choices leads to a tile that nobody else has. Where tiles are reserved, this
// spares most of those who wait from looking at one choice after the other.
static bool some_tile_is_free(const lope_patch_world *w, int character, const patch_plan *plan, const choice *choices,
                              int count)
{
    const lope_tile_link *links = w->def.tile->links;
    bool taken[LOPE_TILE_WAYS] = {false};
    for (int side = 0; side < LOPE_TILE_SIDES; side++) {
        int next = patch_neighbour(w, plan->tile, (plan->heading + side) % LOPE_TILE_SIDES);
        taken[side] = next >= 0 && w->tile_owner[next] != 0 && w->tile_owner[next] != character + 1;
    }
    taken[LOPE_TILE_INSIDE] = w->tile_owner[plan->tile] != 0 && w->tile_owner[plan->tile] != character + 1;
    float least = INFINITY;
    for (int i = 0; i < count; i++)
        least = taken[links[choices[i].link].side] ? least : fminf(least, choices[i].cost);
    int cheaper = 0;
    for (int i = 0; i < count; i++)
        cheaper += choices[i].cost < least;
    return cheaper < MOST_TRIED;
}

// The cheapest choice that is free at some tempo and from which one can go on; or else one that is free; or else the
// one that disturbs least.
static void find_free(const lope_patch_world *w, int character, choice *choices, int count, decision *out)
{
    static const float tempos[] = {1.0f, 0.85f, 1.15f, 0.7f};
    patch_plan plan = out->plan;
    bool hurry = plan.delay <= LAST_MOMENT;
    int tempo_count = w->def.reserve == LOPE_RESERVE_CELLS ? 4 : 1; // whole tiles are taken at any tempo
    out->conflicts = INT_MAX;
    out->plan.link = -1;
    if (w->def.reserve == LOPE_RESERVE_TILES && !hurry && !some_tile_is_free(w, character, &plan, choices, count))
        return;
    for (int tried = 0; count > 0 && (hurry || tried < MOST_TRIED); tried++) {
        plan.link = take_best(choices, &count).link;
        for (int i = 0; i < tempo_count; i++) {
            plan.tempo = tempos[i];
            int conflicts = patch_conflicts(w, character, &plan, out->conflicts > 0 ? out->conflicts : 1);
            if (conflicts > 0 && conflicts >= out->conflicts)
                continue;
            patch_plan spares[PATCH_SPARES];
            int spare_count = conflicts == 0 ? patch_find_spares(w, character, &plan, PATCH_SPARES, spares) : 0;
            if (conflicts == out->conflicts && spare_count <= out->spare_count)
                continue;
            *out = (decision){.plan = plan, .conflicts = conflicts, .spare_count = spare_count};
            memcpy(out->spares, spares, (size_t)spare_count * sizeof *spares);
            if (spare_count == PATCH_SPARES)
                return;
        }
    }
}

void patch_reconsider(lope_patch_world *w)
{
    for (int i = 0; i < w->character_count; i++) {
        patch_character *c = &w->characters[i];
        if (!c->alive || c->next_link < 0)
            continue;
        int heading = patch_heading_after(w, c->heading, c->link);
        int tile = patch_tile_after(w, c->tile, c->heading, c->link);
        if (link_lives(w, tile, heading, c->next_link) || patch_waits(w, c->next_link))
            continue;
        int beyond = patch_tile_after(w, tile, heading, c->next_link);
        if (beyond >= 0 && beyond != tile && w->tile_owner[beyond] == i + 1)
            w->tile_owner[beyond] = 0;
        c->next_link = -1;
        c->undecided = 0.0f;
    }
}

void patch_decide(lope_patch_world *w, int character)
{
    patch_character *c = &w->characters[character];
    const lope_tile_link *playing = &w->def.tile->links[c->link];
    int heading = patch_heading_after(w, c->heading, c->link), tile = patch_tile_after(w, c->tile, c->heading, c->link);
    int wanted = wanted_link(w, c, tile, heading, playing->to);
    choice choices[MAX_CHOICES];
    int count = list_choices(w, c, tile, heading, playing->to, wanted, choices);
    bool lost = count == 0;
    if (lost)
        count = list_ways_out(w, tile, heading, playing->to, choices);
    decision d = {.plan = {.tile = tile, .heading = heading, .delay = seconds_left(w, c)}};
    float delay = d.plan.delay;
    find_free(w, character, choices, count, &d);
    if (d.plan.link < 0 || (d.spare_count < PATCH_SPARES && delay > LAST_MOMENT)) {
        // Not later than at the last moment.
        c->undecided = delay > LAST_MOMENT ? fminf(TRY_AGAIN, delay - LAST_MOMENT) : 0.0f;
        return;
    }
    c->next_link = d.plan.link;
    c->next_tempo = d.plan.tempo;
    w->traffic.decisions++;
    w->traffic.forced += d.conflicts > 0;
    w->traffic.stranded += lost;
    patch_reserve(w, character, &d.plan);
    for (int i = 0; i < d.spare_count && w->def.reserve == LOPE_RESERVE_CELLS; i++)
        patch_reserve(w, character, &d.spares[i]);
    if (w->def.tile->links[d.plan.link].side == LOPE_TILE_INSIDE)
        return; // on from there as before
    if (d.plan.link == wanted)
        c->route_at++;
    else if (wanted >= 0)
        c->route_at = c->route_count; // somewhere else: ask again from there
}
