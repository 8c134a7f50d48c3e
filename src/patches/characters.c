// SPDX-License-Identifier: MIT
// Characters of a world of tiles: coming, going, being sent.
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "patches/world.h"

static int free_number(const lope_patch_world *w)
{
    for (int i = 0; i < w->character_count; i++)
        if (!w->characters[i].alive)
            return i;
    return w->character_count < w->character_room ? w->character_count : -1;
}

// Segments tried at a gate before it counts as taken.
#define MOST_TRIED 4

typedef struct spot {
    patch_plan plan, spares[PATCH_SPARES];
    float distance2;
} spot;

// The gates of one tile: the nearest living one whose first segment is free.
static void try_tile(const lope_patch_world *w, int character, int tile, lope_vec2 near, spot *best)
{
    const lope_tile *t = w->def.tile;
    if (w->def.reserve == LOPE_RESERVE_TILES && w->tile_owner[tile] != 0)
        return;
    for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
        for (int gate = 0; gate < w->gate_count; gate++) {
            if (w->ways[node_of(w, tile, heading, gate)] == 0)
                continue;
            lope_vec2 at = ground_move_point(patch_frame(w, tile, heading), t->gates[gate].at.x, t->gates[gate].at.z);
            float dx = at.x - near.x, dz = at.z - near.z, distance2 = dx * dx + dz * dz;
            if (distance2 >= best->distance2)
                continue;
            int tried = 0;
            for (int l = t->link_first[gate * LOPE_TILE_WAYS];
                 l < t->link_first[(gate + 1) * LOPE_TILE_WAYS] && tried < MOST_TRIED; l++) {
                patch_plan plan = {tile, heading, l, 0.0f, 1.0f};
                if (!link_lives(w, tile, heading, l))
                    continue;
                spot found = {.plan = plan, .distance2 = distance2};
                if (patch_conflicts(w, character, &plan, 1) == 0 &&
                    patch_find_spares(w, character, &plan, PATCH_SPARES, found.spares) == PATCH_SPARES) {
                    *best = found;
                    break;
                }
                tried++;
            }
        }
}

// Tiles in growing rings around the place.
static bool find_spot(const lope_patch_world *w, int character, lope_vec2 near, spot *best)
{
    float size = w->def.tile->size;
    int column = (int)fminf(fmaxf((near.x - w->def.corner.x) / size, 0.0f), (float)(w->def.columns - 1));
    int row = (int)fminf(fmaxf((near.z - w->def.corner.z) / size, 0.0f), (float)(w->def.rows - 1));
    int largest = w->def.columns > w->def.rows ? w->def.columns : w->def.rows;
    *best = (spot){.distance2 = INFINITY};
    for (int ring = 0; ring < largest && best->distance2 == INFINITY; ring++)
        for (int r = row - ring; r <= row + ring; r++)
            for (int c = column - ring; c <= column + ring; c++) {
                bool on_ring = r == row - ring || r == row + ring || c == column - ring || c == column + ring;
                if (on_ring && r >= 0 && c >= 0 && r < w->def.rows && c < w->def.columns)
                    try_tile(w, character, r * w->def.columns + c, near, best);
            }
    return best->distance2 < INFINITY;
}

lope_status lope_patch_spawn(lope_patch_world *w, lope_vec2 near, int *character, lope_error *error)
{
    if (!isfinite(near.x) || !isfinite(near.z))
        return lope_fail(error, LOPE_BAD_DATA, "nobody can stand at (%g, %g)", (double)near.x, (double)near.z);
    int number = free_number(w);
    if (number < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "there is room for %d characters only", w->character_room);
    spot best;
    if (!find_spot(w, number, near, &best))
        return lope_fail(error, LOPE_NOT_FOUND, "no gate is free: %d characters on %d tiles", w->character_count,
                         w->tile_count);
    patch_character *c = &w->characters[number];
    int joints = w->def.tile->set->skeleton->joint_count;
    memset(c, 0, sizeof *c);
    c->alive = true;
    patch_play(w, c, best.plan.tile, best.plan.heading, best.plan.link);
    c->tempo = 1.0f;
    c->next_link = -1;
    c->left_tile = -1;
    c->random = ((uint64_t)number * 0x9E3779B97F4A7C15u) ^ w->def.seed;
    shown_body_reset(&c->body, joints, w->bodies + (size_t)number * shown_body_bytes(joints));
    if (number == w->character_count)
        w->character_count++;
    if (w->def.reserve == LOPE_RESERVE_TILES)
        w->tile_owner[c->tile] = number + 1;
    patch_reserve(w, number, &best.plan);
    for (int i = 0; i < PATCH_SPARES && w->def.reserve == LOPE_RESERVE_CELLS; i++)
        patch_reserve(w, number, &best.spares[i]);
    if (character)
        *character = number;
    return LOPE_OK;
}

bool lope_patch_alive(const lope_patch_world *w, int character)
{
    return character >= 0 && character < w->character_count && w->characters[character].alive;
}

void lope_patch_despawn(lope_patch_world *w, int character)
{
    if (!lope_patch_alive(w, character))
        return;
    w->characters[character].alive = false;
    patch_release(w, character);
}

lope_status lope_patch_go_to(lope_patch_world *w, int character, lope_vec2 goal, lope_error *error)
{
    if (!lope_patch_alive(w, character))
        return lope_fail(error, LOPE_NOT_FOUND, "there is no character %d", character);
    if (!isfinite(goal.x) || !isfinite(goal.z))
        return lope_fail(error, LOPE_BAD_DATA, "nobody can go to (%g, %g)", (double)goal.x, (double)goal.z);
    patch_character *c = &w->characters[character];
    int count = 0, gate = w->def.tile->links[c->link].to;
    lope_status status =
        lope_patch_path(w, patch_tile_after(w, c->tile, c->heading, c->link),
                        patch_heading_after(w, c->heading, c->link), gate, goal, NULL, 0, &count, error);
    if (status)
        return status;
    c->goal = goal;
    c->sent = true;
    c->arrived = false;
    c->route_count = c->route_at = 0; // asked for when the next segment is chosen
    return LOPE_OK;
}

void lope_patch_roam(lope_patch_world *w, int character)
{
    if (lope_patch_alive(w, character))
        w->characters[character].sent = false;
}

bool lope_patch_going(const lope_patch_world *w, int character)
{
    return lope_patch_alive(w, character) && w->characters[character].sent;
}

bool lope_patch_arrived(const lope_patch_world *w, int character)
{
    return lope_patch_alive(w, character) && w->characters[character].arrived;
}

int lope_patch_character_count(const lope_patch_world *w)
{
    int count = 0;
    for (int i = 0; i < w->character_count; i++)
        count += w->characters[i].alive;
    return count;
}

lope_patch_traffic lope_patch_world_traffic(const lope_patch_world *w)
{
    return w->traffic;
}

uint64_t lope_patch_world_hash(const lope_patch_world *w)
{
    uint64_t hash = 0;
    for (int i = 0; i < w->character_count; i++) {
        const patch_character *c = &w->characters[i];
        if (!c->alive)
            continue;
        lope_ground at = lope_patch_ground(w, i);
        int32_t facts[6] = {i, c->tile, c->heading, c->link, c->next_link, c->frame};
        hash = lope_hash(facts, sizeof facts, hash);
        hash = lope_hash(&at, sizeof at, hash);
    }
    return hash;
}
