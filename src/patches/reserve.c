// SPDX-License-Identifier: MIT
// Reservations: who will be where, when. Each character notes where its body will be at times that all share, and
// enters itself in the tiles it will be in: whoever plans to walk there looks up who else does, and compares places.
#include <string.h>

#include "patches/world.h"

static int next_tile(const lope_patch_world *w, const patch_plan *p)
{
    return patch_tile_after(w, p->tile, p->heading, p->link);
}

static int64_t slot_at(double seconds)
{
    return (int64_t)(seconds / (double)RESERVE_SECONDS);
}

void patch_reserve_advance(lope_patch_world *w)
{
    w->slot = slot_at(w->now);
}

// A plan in time: where the body is in each slot from first to last.
typedef struct slot_walk {
    const lope_patch_world *w;
    const lope_ground *line; // seen from the middle of the tile
    int frames;
    ground_move tile;
    double begin; // seconds
    double frames_per_second;
    int64_t first, last;
} slot_walk;

static slot_walk slot_walk_of(const lope_patch_world *w, const patch_plan *p)
{
    slot_walk walk = {.w = w, .begin = w->now + (double)p->delay, .tile = patch_frame(w, p->tile, p->heading)};
    walk.line = w->lines.grounds + w->lines.first[p->link];
    walk.frames = patch_segment(w, p->link)->frames;
    walk.frames_per_second = (double)(w->frame_rate * p->tempo);
    walk.first = slot_at(walk.begin);
    walk.last = slot_at(walk.begin + (double)(w->durations[p->link] / p->tempo));
    int64_t horizon = w->slot + RESERVE_SLOTS - 1;
    walk.last = walk.last < horizon ? walk.last : horizon;
    return walk;
}

static lope_vec2 place_in_slot(const slot_walk *walk, int64_t slot)
{
    double middle = ((double)slot + 0.5) * (double)RESERVE_SECONDS - walk->begin;
    int frame = (int)(middle * walk->frames_per_second);
    frame = frame < 0 ? 0 : frame < walk->frames ? frame : walk->frames - 1;
    return ground_move_point(walk->tile, walk->line[frame].x, walk->line[frame].z);
}

static lope_vec2 *places_of(const lope_patch_world *w, int character)
{
    return w->places + (size_t)character * RESERVE_SLOTS;
}

// How often somebody's noted places come too near to those of a plan; stops counting at `limit`.
static int count_near(const slot_walk *walk, const patch_entry *entry, int owner, int limit)
{
    const lope_vec2 *theirs = places_of(walk->w, owner);
    int64_t first = walk->first > entry->first ? walk->first : entry->first;
    int64_t last = walk->last < entry->last ? walk->last : entry->last;
    float apart = 2.0f * walk->w->def.body_radius, apart2 = apart * apart;
    int count = 0;
    for (int64_t slot = first; slot <= last && count < limit; slot++) {
        lope_vec2 at = place_in_slot(walk, slot), other = theirs[slot % RESERVE_SLOTS];
        float dx = at.x - other.x, dz = at.z - other.z;
        count += dx * dx + dz * dz < apart2;
    }
    return count;
}

int patch_conflicts(const lope_patch_world *w, int character, const patch_plan *plan, int limit)
{
    if (w->def.reserve == LOPE_RESERVE_NONE)
        return 0;
    if (w->def.reserve == LOPE_RESERVE_TILES) {
        int owner = w->tile_owner[next_tile(w, plan)];
        return owner != 0 && owner != character + 1;
    }
    slot_walk walk = slot_walk_of(w, plan);
    // Segments sway out of their tiles by less than a tenth.
    int reach = (int)(2.0f * w->def.body_radius / w->def.tile->size + 0.2f) + 1, conflicts = 0;
    int column = plan->tile % w->def.columns, row = plan->tile / w->def.columns;
    for (int r = row - reach; r <= row + reach; r++)
        for (int c = column - reach; c <= column + reach && conflicts < limit; c++) {
            if (r < 0 || c < 0 || r >= w->def.rows || c >= w->def.columns)
                continue;
            for (int e = w->tile_entry[r * w->def.columns + c]; e >= 0 && conflicts < limit; e = w->entries[e].next)
                if (e / PATCH_ENTRIES != character)
                    conflicts += count_near(&walk, &w->entries[e], e / PATCH_ENTRIES, limit - conflicts);
        }
    return conflicts;
}

static void leave(lope_patch_world *w, int e)
{
    patch_entry *entry = &w->entries[e];
    if (entry->tile < 0)
        return;
    if (entry->before >= 0)
        w->entries[entry->before].next = entry->next;
    else
        w->tile_entry[entry->tile] = entry->next;
    if (entry->next >= 0)
        w->entries[entry->next].before = entry->before;
    entry->tile = -1;
}

static void enter(lope_patch_world *w, int e, int tile, int64_t first, int64_t last)
{
    int next = w->tile_entry[tile];
    w->entries[e] = (patch_entry){tile, next, -1, first, last};
    if (next >= 0)
        w->entries[next].before = e;
    w->tile_entry[tile] = e;
}

// An entry that is not used, or else that of what is past longest.
static int free_entry(lope_patch_world *w, int character)
{
    int first = character * PATCH_ENTRIES, oldest = first;
    for (int e = first; e < first + PATCH_ENTRIES; e++) {
        if (w->entries[e].tile < 0)
            return e;
        oldest = w->entries[e].last < w->entries[oldest].last ? e : oldest;
    }
    leave(w, oldest);
    return oldest;
}

// Nothing is reserved from a slot on.
static void forget_from(lope_patch_world *w, int character, int64_t slot)
{
    for (int e = character * PATCH_ENTRIES; e < (character + 1) * PATCH_ENTRIES; e++) {
        patch_entry *entry = &w->entries[e];
        if (entry->tile >= 0 && (entry->first >= slot || entry->last < w->slot))
            leave(w, e);
        else if (entry->tile >= 0 && entry->last >= slot)
            entry->last = slot - 1;
    }
}

void patch_reserve(lope_patch_world *w, int character, const patch_plan *plan)
{
    if (w->def.reserve == LOPE_RESERVE_TILES)
        w->tile_owner[next_tile(w, plan)] = character + 1;
    if (w->def.reserve != LOPE_RESERVE_CELLS)
        return;
    slot_walk walk = slot_walk_of(w, plan);
    forget_from(w, character, walk.first);
    if (walk.first > walk.last)
        return;
    for (int64_t slot = walk.first; slot <= walk.last; slot++)
        places_of(w, character)[slot % RESERVE_SLOTS] = place_in_slot(&walk, slot);
    enter(w, free_entry(w, character), plan->tile, walk.first, walk.last);
}

void patch_release(lope_patch_world *w, int character)
{
    for (int tile = 0; tile < w->tile_count && w->def.reserve == LOPE_RESERVE_TILES; tile++)
        if (w->tile_owner[tile] == character + 1)
            w->tile_owner[tile] = 0;
    for (int e = character * PATCH_ENTRIES; e < (character + 1) * PATCH_ENTRIES; e++)
        leave(w, e);
}
