// SPDX-License-Identifier: MIT
// Walks between tiles and junctions: every gate of a tile near a junction from which a piece of a clip leads there with
// bounded edits, and every one that a piece leads to from there. That depends only on where in its tile the junction
// is, so it is found once for every such place (joins_fit.c); what is in the way is looked at for each junction.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "blocks/joins.h"
#include "lope/ground.h"

// Open walks of a junction, each way, after which no more are looked at.
#define MOST_OPEN 16
// How far walks to a junction may begin from it (metres).
#define JOIN_REACH 4.5f
// Metres by which bodies may get deeper into things than is seen here: arms swing between the frames that are looked
// at, and what is left of the pose before fades.
#define NOT_SEEN 0.01f

static lope_ground place_in_tile(const lope_block_world *w, int junction)
{
    const lope_junction *j = junction_at(w, junction);
    lope_ground middle = tile_frame(floor_at(w, j->floor), state_at(w, junction)->tile, 0);
    return lope_ground_relative(middle, ground_of(j->at));
}

static join_set key_of(const lope_block_world *w, int junction)
{
    lope_ground at = place_in_tile(w, junction);
    return (join_set){.pose = junction_at(w, junction)->pose,
                      .x = (int32_t)lroundf(at.x / JOIN_STEP),
                      .z = (int32_t)lroundf(at.z / JOIN_STEP),
                      .yaw = (int32_t)lroundf(lope_wrap_angle(at.yaw) / JOIN_TURN)};
}

static unsigned hash_of(const join_set *key, int room)
{
    uint64_t hash = lope_hash(key, 4 * sizeof key->pose, 0);
    return (unsigned)(hash & (uint64_t)(room - 1));
}

static int find_set(const lope_block_world *w, const join_set *key, unsigned *slot)
{
    *slot = w->set_room ? hash_of(key, w->set_room) : 0;
    while (w->set_room && w->set_table[*slot]) {
        const join_set *set = set_at(w, w->set_table[*slot] - 1);
        if (set->pose == key->pose && set->x == key->x && set->z == key->z && set->yaw == key->yaw)
            return w->set_table[*slot] - 1;
        *slot = (*slot + 1) & (unsigned)(w->set_room - 1);
    }
    return -1;
}

static bool grow_table(lope_block_world *w)
{
    if (2 * (w->join_sets.count + 1) <= w->set_room)
        return true;
    int room = w->set_room ? 2 * w->set_room : 256;
    int32_t *table = lope_alloc_zero((size_t)room * sizeof *table);
    if (!table)
        return false;
    lope_free(w->set_table);
    w->set_table = table;
    w->set_room = room;
    for (int i = 0; i < w->join_sets.count; i++) {
        unsigned slot = hash_of(set_at(w, i), room);
        while (table[slot])
            slot = (slot + 1) & (unsigned)(room - 1);
        table[slot] = i + 1;
    }
    return true;
}

// One direction of a set that is to be fitted.
typedef struct new_walks {
    int set;
    bool come, failed;
    join_list found;
} new_walks;

typedef struct join_work {
    const lope_block_world *w;
    list walks; // of new_walks
} join_work;

static void fit_walks(void *user, int index, int thread)
{
    (void)thread;
    join_work *work = user;
    new_walks *n = (new_walks *)work->walks.items + index;
    n->failed = !joins_fit(work->w, set_at(work->w, n->set), n->come, &n->found);
}

static bool keep_walks(lope_block_world *w, const new_walks *n)
{
    join_set *set = (join_set *)w->join_sets.items + n->set;
    *(n->come ? &set->come_first : &set->go_first) = w->joins.count;
    *(n->come ? &set->come_count : &set->go_count) = n->found.count;
    *(n->come ? &set->comes : &set->goes) = true;
    for (int i = 0; i < n->found.count; i++)
        if (!list_add(&w->joins, &n->found.items[i].j, sizeof n->found.items[i].j))
            return false;
    return true;
}

// Enters a place in a tile unless it is known; -1: no memory.
static int enter_set(lope_block_world *w, int junction)
{
    join_set key = key_of(w, junction);
    unsigned slot;
    if (!grow_table(w))
        return -1;
    int known = find_set(w, &key, &slot);
    if (known >= 0)
        return known;
    if (!list_add(&w->join_sets, &key, sizeof key))
        return -1;
    w->set_table[slot] = w->join_sets.count;
    return w->join_sets.count - 1;
}

// Lists what has to be fitted: both directions of a place only where both are needed.
static bool list_walks(lope_block_world *w, list *out)
{
    for (int i = 0; i < w->junctions.count; i++) {
        const junction_state *state = state_at(w, i);
        int index = junction_at(w, i)->floor < 0 ? -1 : enter_set(w, i);
        if (junction_at(w, i)->floor < 0)
            continue;
        if (index < 0)
            return false;
        join_set *set = (join_set *)w->join_sets.items + index;
        for (int come = 0; come < 2; come++) {
            bool *known = come ? &set->comes : &set->goes;
            new_walks walks = {.set = index, .come = come};
            if (*known || !(come ? state->begins : state->ends))
                continue;
            if (!list_add(out, &walks, sizeof walks))
                return false;
            *known = true;
        }
    }
    return true;
}

// Fits walks for all places that were not seen before.
static lope_status fit_sets(lope_block_world *w, lope_jobs *jobs, lope_error *error)
{
    join_work work = {.w = w};
    bool ok = list_walks(w, &work.walks);
    if (ok)
        lope_jobs_run(jobs, work.walks.count, fit_walks, &work);
    new_walks *walks = work.walks.items;
    for (int i = 0; i < work.walks.count; i++) {
        ok = ok && !walks[i].failed && keep_walks(w, &walks[i]);
        lope_free(walks[i].found.items);
    }
    lope_free(walks);
    if (ok)
        return LOPE_OK;
    w->join_sets.count = w->joins.count = 0; // some are without walks
    for (int i = 0; i < w->set_room; i++)
        w->set_table[i] = 0;
    return lope_fail_memory(error);
}

static lope_ground end_of(const lope_block_world *w, const lope_segment *piece, lope_spot from)
{
    const lope_ground *track = patch_track(&w->tracks, piece->clip, piece->first);
    segment_cursor cursor = lope_segment_begin(piece);
    while (cursor.frame < piece->frames - 1)
        lope_segment_advance(piece, track, &cursor);
    return lope_ground_mul(ground_of(from), cursor.at);
}

void segment_aim(const lope_block_world *w, lope_block_segment *s, lope_spot old_from, lope_spot old_to, lope_spot from,
                 lope_spot to)
{
    if (s->piece.length <= 0.0f)
        return;
    lope_ground end = lope_ground_relative(ground_of(old_to), end_of(w, &s->piece, old_from));
    lope_ground wanted = lope_ground_relative(ground_of(from), lope_ground_mul(ground_of(to), end));
    lope_spot origin = {0.0f, 0.0f, 0.0f, 0.0f};
    s->piece.bend += lope_wrap_angle(wanted.yaw - end_of(w, &s->piece, origin).yaw);
    lope_ground bent = end_of(w, &s->piece, origin);
    s->piece.shift.x += wanted.x - bent.x;
    s->piece.shift.z += wanted.z - bent.z;
    s->lift += to.y - from.y - old_to.y + old_from.y;
}

int join_node(const lope_block_world *w, int junction, const join *j)
{
    int floor = junction_at(w, junction)->floor;
    int tile = state_at(w, junction)->tile + j->row * floor_at(w, floor)->def.columns + j->column;
    return world_tile_node(w, floor, tile, j->heading, j->gate);
}

lope_block_segment join_segment(const lope_block_world *w, int junction, const join *j, bool come, lope_spot *gate)
{
    const lope_junction *at = junction_at(w, junction);
    const floor_tiles *floor = floor_at(w, at->floor);
    *gate = at->at;
    if (come) {
        lope_ground middle = tile_frame(floor, state_at(w, junction)->tile, 0);
        *gate = place_of_ground(lope_ground_mul(middle, join_gate(w, j)), floor->def.height);
    }
    return (lope_block_segment){.piece = j->segment};
}

// Whether the hips stay above tiles of the floor.
static bool stays_on_floor(const floor_tiles *floor, const body_place *path, int count)
{
    for (int i = 0; i < count; i++) {
        int tile = patch_tile_at(floor->tiles, (lope_vec2){path[i].at.x, path[i].at.z});
        if (tile < 0 || !floor->tiles->present[tile])
            return false;
    }
    return true;
}

static bool gate_is_there(const floor_tiles *floor, int tile, const join *j)
{
    int column = tile % floor->def.columns + j->column, row = tile / floor->def.columns + j->row;
    if (column < 0 || row < 0 || column >= floor->def.columns || row >= floor->def.rows)
        return false;
    return floor->tiles->present[row * floor->def.columns + column];
}

// What is in the way does not change as long as nothing moves nearby; which gates of tiles lead on may, for reasons far
// away. So only walks whose gate leads on are looked at, and those once.
static void look_at_joins(const lope_block_world *w, int junction, bool come, const body_surroundings *around)
{
    junction_state *state = state_at(w, junction);
    const join_set *set = set_at(w, state->set);
    const floor_tiles *floor = floor_at(w, junction_at(w, junction)->floor);
    int first = come ? set->come_first : set->go_first, count = come ? set->come_count : set->go_count;
    uint64_t *open = come ? state->come : state->go, *seen = state->seen[!come], *free = state->free[!come];
    for (int i = 0, found = 0; i < count && found < MOST_OPEN; i++) {
        const join *j = join_at(w, first + i);
        int tile = state->tile + j->row * floor->def.columns + j->column;
        uint64_t bit = 1ull << (i & 63);
        if (!gate_is_there(floor, state->tile, j) ||
            floor->tiles->ways[node_of(floor->tiles, tile, j->heading, j->gate)] == 0)
            continue;
        if (!(seen[i >> 6] & bit)) {
            lope_spot gate;
            body_place path[BODY_PLACES];
            lope_block_segment segment = join_segment(w, junction, j, come, &gate);
            int places = body_path(w, &segment, gate, path);
            seen[i >> 6] |= bit;
            if (stays_on_floor(floor, path, places) && !body_collides(w, &segment, path, places, around))
                free[i >> 6] |= bit;
        }
        open[i >> 6] |= free[i >> 6] & bit;
        found += (open[i >> 6] & bit) != 0;
    }
}

static void look_at_junction(void *user, int junction, int thread)
{
    (void)thread;
    const lope_block_world *w = user;
    const lope_junction *j = junction_at(w, junction);
    if (j->floor < 0)
        return;
    join_set key = key_of(w, junction);
    unsigned slot;
    body_surroundings around;
    junction_state *state = state_at(w, junction);
    state->set = find_set(w, &key, &slot);
    int old = reuse_junction(w, junction, JOIN_REACH + 1.0f);
    if (old >= 0) {
        const junction_state *before = (const junction_state *)w->old_states.items + old;
        memcpy(state->seen, before->seen, sizeof state->seen);
        memcpy(state->free, before->free, sizeof state->free);
    }
    around.overlap = fmaxf(w->def.overlap - NOT_SEEN, 0.0f);
    around.box_count = 0;
    int near = boxes_near(w, lope_v3(j->at.x, j->at.y, j->at.z), JOIN_REACH, around.boxes, MOST_BOXES);
    for (int i = 0; i < near; i++)
        if (world_box_top(around.boxes[i]) > j->at.y + 0.01f) // what is lower carries the body
            around.boxes[around.box_count++] = around.boxes[i];
    around.floor_count = floors_near(w, j->at, JOIN_REACH, around.floors, MOST_NEAR_FLOORS);
    if (state->begins)
        look_at_joins(w, junction, true, &around);
    if (state->ends)
        look_at_joins(w, junction, false, &around);
}

// Nobody comes to a place from which no link leads on, and nobody who walks away comes from where none ends.
static void find_needs(lope_block_world *w)
{
    const int32_t *junction_of = w->junction_of.items;
    for (int i = 0; i < w->instances.count; i++) {
        const lope_block_instance *instance = instance_at(w, i);
        const lope_block *block = &w->blocks->blocks[instance->block];
        for (int l = 0; l < block->link_count; l++) {
            const lope_block_link *link = &w->blocks->links[block->link_first + l];
            state_at(w, junction_of[instance->gate_first + link->from])->begins = true;
            state_at(w, junction_of[instance->gate_first + link->to])->ends = true;
        }
    }
}

lope_status joins_update(lope_block_world *w, lope_jobs *jobs, lope_error *error)
{
    find_needs(w);
    lope_status status = fit_sets(w, jobs, error);
    if (!status)
        lope_jobs_run(jobs, w->junctions.count, look_at_junction, w);
    return status;
}
