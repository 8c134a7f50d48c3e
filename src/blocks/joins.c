// SPDX-License-Identifier: MIT
// Walks between tiles and junctions: every gate of a tile near a junction from which a piece of a clip leads there with
// bounded edits, and every one that a piece leads to from there. That depends only on where in its tile the junction
// is, so it is found once for every such place; what is in the way is looked at for each junction.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "blocks/world.h"
#include "lope/ground.h"

// Places and headings in a tile are told apart by these steps (metres, radians).
#define JOIN_STEP 0.001f
#define JOIN_TURN 0.001f
// Tiles around a junction's own whose gates are tried.
#define TILES_AROUND 2
// Edits that are always allowed (metres, radians).
#define FREE_SHIFT 0.03f
#define FREE_BEND 0.03f
// As when tiles are built: poses at the ends may differ by this much before it counts like editing to the limit.
#define FAR_ENDS 0.2f
// Pieces walk at most so many times the side of the tile.
#define LONGEST_SIDES 2.6f
// How far walks to a junction may begin from it (metres).
#define JOIN_REACH 4.5f
// Metres by which bodies may get deeper into things than is seen here: arms swing between the frames that are looked
// at, and what is left of the pose before fades.
#define NOT_SEEN 0.01f

typedef struct fitted {
    join j;
    float cost;
} fitted;

typedef struct join_search {
    const lope_block_world *w;
    const join_set *key;
    lope_ground at; // of the junction, seen from the middle of its tile
    fitted *found;
    int count, room;
} join_search;

static lope_vec2 piece_end(const lope_walk_piece *p, float bend)
{
    const lope_vec2 *m = p->moments;
    return (lope_vec2){m[0].x + bend * (m[1].x + bend * (m[2].x + bend * m[3].x)),
                       m[0].z + bend * (m[1].z + bend * (m[2].z + bend * m[3].z))};
}

// How much editing a piece needs to make a move: up to 2, or infinity.
static float edit_cost(const lope_block_world *w, const lope_walk_piece *p, lope_ground move, float turn_sin,
                       float turn_cos, lope_segment *out)
{
    float bend = move.yaw - p->turn, bend_share = fabsf(bend) / (w->def.max_bend * p->length + FREE_BEND);
    if (bend_share > 1.0f)
        return INFINITY;
    lope_vec2 end = piece_end(p, bend);
    float hips_x = p->end.x * turn_cos + p->end.z * turn_sin, hips_z = p->end.z * turn_cos - p->end.x * turn_sin;
    lope_vec2 shift = {move.x + hips_x - p->start.x - end.x, move.z + hips_z - p->start.z - end.z};
    float limit = w->def.max_shift * p->length + FREE_SHIFT;
    float share2 = (shift.x * shift.x + shift.z * shift.z) / (limit * limit);
    if (share2 > 1.0f)
        return INFINITY;
    *out = (lope_segment){p->clip, p->first, p->frames, p->length, bend, shift, p->start};
    return bend_share * bend_share + share2 + p->distance * p->distance / (FAR_ENDS * FAR_ENDS);
}

static int first_turning(const lope_walk_piece *pieces, int begin, int end, float turn)
{
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (pieces[middle].turn < turn)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static float best_piece(const lope_block_world *w, int from, int to, lope_ground move, lope_segment *out)
{
    const lope_blocks *blocks = w->blocks;
    int key = from * blocks->tile->pose_count + to, end = blocks->piece_first[key + 1];
    float straight = sqrtf(move.x * move.x + move.z * move.z), best = INFINITY;
    float longest = blocks->tile->size * LONGEST_SIDES;
    double sine, cosine;
    lope_sincos((double)move.yaw, &sine, &cosine);
    float s = (float)sine, c = (float)cosine;
    float reach = w->def.max_bend * longest + FREE_BEND;
    for (int round = -1; round <= 1; round++) {
        float middle = move.yaw + (float)round * 2.0f * (float)LOPE_PI;
        for (int i = first_turning(blocks->pieces, blocks->piece_first[key], end, middle - reach);
             i < end && blocks->pieces[i].turn <= middle + reach; i++) {
            const lope_walk_piece *p = &blocks->pieces[i];
            lope_segment edited;
            if (p->length * (1.0f + w->def.max_shift) + 0.2f < straight)
                continue;
            float cost = edit_cost(w, p, (lope_ground){move.x, move.z, middle}, s, c, &edited);
            if (cost < best) {
                best = cost;
                *out = edited;
            }
        }
    }
    return best;
}

// Where the gate of a tile is, seen from the middle of the junction's tile.
static lope_ground gate_in_tile(const lope_block_world *w, const join *j)
{
    const lope_tile *tile = w->blocks->tile;
    lope_ground gate = w->turned_gates[j->heading * tile->gate_count + j->gate];
    return (lope_ground){gate.x + (float)j->column * tile->size, gate.z + (float)j->row * tile->size, gate.yaw};
}

static bool try_gate(join_search *s, join j, bool come)
{
    const lope_tile *tile = s->w->blocks->tile;
    lope_ground gate = gate_in_tile(s->w, &j);
    float x = gate.x - s->at.x, z = gate.z - s->at.z,
          far = tile->size * LONGEST_SIDES * (1.0f + s->w->def.max_shift) + 0.2f;
    if (x * x + z * z > far * far)
        return true;
    int kind = tile->gates[j.gate].pose, from = come ? kind : s->key->pose, to = come ? s->key->pose : kind;
    lope_ground move = come ? lope_ground_relative(gate, s->at) : lope_ground_relative(s->at, gate);
    float cost = best_piece(s->w, from, to, move, &j.segment);
    if (cost == INFINITY)
        return true;
    j.seconds = (float)(j.segment.frames - 1) / s->w->frame_rate;
    if (s->count == s->room) {
        int room = s->room ? 2 * s->room : 256;
        fitted *grown = lope_grow(s->found, (size_t)s->room * sizeof *grown, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        s->found = grown;
        s->room = room;
    }
    s->found[s->count++] = (fitted){j, cost};
    return true;
}

static int by_cost(const void *a, const void *b)
{
    const fitted *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    const join *i = &x->j, *j = &y->j;
    if (i->column != j->column || i->row != j->row)
        return i->column != j->column ? (i->column < j->column ? -1 : 1) : i->row < j->row ? -1 : 1;
    return i->heading != j->heading ? (i->heading < j->heading ? -1 : 1) : (i->gate > j->gate) - (i->gate < j->gate);
}

// All gates around, either way; the ones that need least editing are kept.
static bool search_joins(join_search *s, bool come)
{
    s->count = 0;
    for (int column = -TILES_AROUND; column <= TILES_AROUND; column++)
        for (int row = -TILES_AROUND; row <= TILES_AROUND; row++)
            for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
                for (int gate = 0; gate < s->w->blocks->tile->gate_count; gate++) {
                    join j = {(int16_t)column, (int16_t)row, (int16_t)heading, (int16_t)gate, {0}, 0.0f};
                    if (!s->w->blocks->tile->gates[gate].inside && !try_gate(s, j, come))
                        return false;
                }
    if (s->count > 1)
        qsort(s->found, (size_t)s->count, sizeof *s->found, by_cost);
    s->count = s->count < MOST_JOINS ? s->count : MOST_JOINS;
    return true;
}

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

typedef struct new_set {
    fitted *come, *go;
    int come_count, go_count;
    bool failed;
} new_set;

typedef struct join_work {
    lope_block_world *w;
    int first; // of the sets that are new
    new_set *sets;
} join_work;

static void fit_set(void *user, int index, int thread)
{
    (void)thread;
    join_work *work = user;
    new_set *set = &work->sets[index];
    const join_set *key = set_at(work->w, work->first + index);
    lope_ground at = {(float)key->x * JOIN_STEP, (float)key->z * JOIN_STEP, (float)key->yaw * JOIN_TURN};
    join_search come = {.w = work->w, .key = key, .at = at}, go = come;
    set->failed = !search_joins(&come, true) || !search_joins(&go, false);
    set->come = come.found;
    set->come_count = come.count;
    set->go = go.found;
    set->go_count = go.count;
}

static bool keep_joins(lope_block_world *w, const fitted *found, int count)
{
    for (int i = 0; i < count; i++)
        if (!list_add(&w->joins, &found[i].j, sizeof found[i].j))
            return false;
    return true;
}

static bool keep_set(lope_block_world *w, int index, const new_set *made)
{
    join_set *set = (join_set *)w->join_sets.items + index;
    set->come_first = w->joins.count;
    set->come_count = made->come_count;
    set->go_first = set->come_first + made->come_count;
    set->go_count = made->go_count;
    return keep_joins(w, made->come, made->come_count) && keep_joins(w, made->go, made->go_count);
}

// Enters all places in tiles that were not seen before, without walks.
static bool enter_sets(lope_block_world *w)
{
    for (int i = 0; i < w->junctions.count; i++) {
        if (junction_at(w, i)->floor < 0)
            continue;
        join_set key = key_of(w, i);
        unsigned slot;
        if (!grow_table(w))
            return false;
        if (find_set(w, &key, &slot) >= 0)
            continue;
        if (!list_add(&w->join_sets, &key, sizeof key))
            return false;
        w->set_table[slot] = w->join_sets.count;
    }
    return true;
}

// Fits walks for them.
static lope_status fit_sets(lope_block_world *w, lope_jobs *jobs, lope_error *error)
{
    int first = w->join_sets.count;
    bool ok = enter_sets(w);
    int count = w->join_sets.count - first;
    new_set *sets = ok ? lope_alloc_zero(((size_t)count + 1) * sizeof *sets) : NULL;
    ok = sets != NULL;
    join_work work = {w, first, sets};
    if (ok)
        lope_jobs_run(jobs, count, fit_set, &work);
    for (int i = 0; i < count && ok; i++)
        ok = !sets[i].failed && keep_set(w, first + i, &sets[i]);
    for (int i = 0; i < count && sets; i++) {
        lope_free(sets[i].come);
        lope_free(sets[i].go);
    }
    lope_free(sets);
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
        *gate = place_of_ground(lope_ground_mul(middle, gate_in_tile(w, j)), floor->def.height);
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
    for (int i = 0; i < count; i++) {
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
    look_at_joins(w, junction, true, &around);
    look_at_joins(w, junction, false, &around);
}

lope_status joins_create(lope_block_world *w, lope_error *error)
{
    const lope_tile *tile = w->blocks->tile;
    w->turned_gates = lope_alloc_array((size_t)tile->gate_count * LOPE_TILE_SIDES, sizeof *w->turned_gates);
    if (!w->turned_gates)
        return lope_fail_memory(error);
    for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
        for (int gate = 0; gate < tile->gate_count; gate++)
            w->turned_gates[heading * tile->gate_count + gate] = lope_ground_mul(
                (lope_ground){0.0f, 0.0f, (float)heading * (float)(LOPE_PI / 2.0)}, tile->gates[gate].at);
    return LOPE_OK;
}

lope_status joins_update(lope_block_world *w, lope_jobs *jobs, lope_error *error)
{
    lope_status status = fit_sets(w, jobs, error);
    if (!status)
        lope_jobs_run(jobs, w->junctions.count, look_at_junction, w);
    return status;
}
