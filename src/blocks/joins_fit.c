// SPDX-License-Identifier: MIT
// Fitting walks to a place in a tile. Pieces are laid to the place as they are: gates of tiles that are near their
// other end are those that need little editing, and a table of gates by place and heading knows them. Only where that
// finds few walks are all pieces held against all gates.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "blocks/joins.h"
#include "lope/ground.h"

// Tiles around a junction's own whose gates are tried.
#define TILES_AROUND 2
// Edits that are always allowed (metres, radians).
#define FREE_SHIFT 0.03f
#define FREE_BEND 0.03f
// Poses at the ends may differ by this much (metres) before it counts like editing to the limit: less than when tiles
// are built, because few walks are kept.
#define FAR_ENDS 0.08f
// Pieces walk at most so many times the side of the tile.
#define LONGEST_SIDES 2.6f
// Cells of the table of gates: their side (metres), and headings (of a full turn).
#define GATE_CELL 0.1f
#define GATE_TURNS 24
// Gates so far (metres) from where a piece ends are tried.
#define GATE_NEAR 0.15f
#define PIECE_STRIDE 8
// What each walk that there is already of a tile and heading makes others cost.
#define RANK_COST 0.3f
// With fewer walks than this all pieces are tried.
#define FEW_WALKS 48

// Sine and cosine of a heading.
typedef struct turned {
    float s, c;
} turned;

static turned turn_of(float yaw)
{
    double s, c;
    lope_sincos((double)yaw, &s, &c);
    return (turned){(float)s, (float)c};
}

#define TILES_WIDE (2 * TILES_AROUND + 1)

typedef struct join_search {
    const lope_block_world *w;
    const join_set *key;
    lope_ground at; // of the junction, seen from the middle of its tile
    turned at_turn;
    bool come;
    join_list *found;
    int32_t *known; // [TILES_WIDE^2 * LOPE_TILE_SIDES * gates] index + 1 of the walk by its gate
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

lope_ground join_gate(const lope_block_world *w, const join *j)
{
    const lope_tile *tile = w->blocks->tile;
    lope_ground gate = w->turned_gates[j->heading * tile->gate_count + j->gate];
    return (lope_ground){gate.x + (float)j->column * tile->size, gate.z + (float)j->row * tile->size, gate.yaw};
}

// The move between the gate of a walk and the place, as seen from where it begins.
static lope_ground move_of(const join_search *s, const join *j, turned *turn)
{
    lope_ground gate = join_gate(s->w, j);
    turned g = ((const turned *)s->w->gate_turns)[j->heading * s->w->blocks->tile->gate_count + j->gate],
           a = s->at_turn;
    float x = s->come ? s->at.x - gate.x : gate.x - s->at.x, z = s->come ? s->at.z - gate.z : gate.z - s->at.z;
    float yaw = s->come ? s->at.yaw - gate.yaw : gate.yaw - s->at.yaw, sine = a.s * g.c - a.c * g.s;
    turned from = s->come ? g : a;
    *turn = (turned){s->come ? sine : -sine, a.c * g.c + a.s * g.s};
    return (lope_ground){x * from.c - z * from.s, z * from.c + x * from.s, lope_wrap_angle(yaw)};
}

static int32_t *known_of(const join_search *s, const join *j)
{
    int tile = (j->column + TILES_AROUND) * TILES_WIDE + j->row + TILES_AROUND;
    return &s->known[(tile * LOPE_TILE_SIDES + j->heading) * s->w->blocks->tile->gate_count + j->gate];
}

// Keeps a walk if it is the best one of its gate.
static bool keep(join_search *s, join j, const lope_segment *segment, float cost)
{
    join_list *l = s->found;
    int32_t *known = known_of(s, &j);
    j.segment = *segment;
    j.seconds = (float)(segment->frames - 1) / s->w->frame_rate;
    if (*known) {
        if (cost < l->items[*known - 1].cost)
            l->items[*known - 1] = (fitted){j, cost};
        return true;
    }
    if (l->count == l->room) {
        int room = l->room ? 2 * l->room : 256;
        fitted *grown = lope_grow(l->items, (size_t)l->room * sizeof *grown, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        l->items = grown;
        l->room = room;
    }
    l->items[l->count++] = (fitted){j, cost};
    *known = l->count;
    return true;
}

// ---- all gates

static bool try_gate(join_search *s, join j)
{
    const lope_tile *tile = s->w->blocks->tile;
    turned turn;
    lope_ground move = move_of(s, &j, &turn);
    float far = tile->size * LONGEST_SIDES * (1.0f + s->w->def.max_shift) + 0.2f;
    if (move.x * move.x + move.z * move.z > far * far)
        return true;
    int kind = tile->gates[j.gate].pose;
    lope_segment segment;
    float cost = best_piece(s->w, s->come ? kind : s->key->pose, s->come ? s->key->pose : kind, move, &segment);
    return cost == INFINITY || keep(s, j, &segment, cost);
}

static bool try_all_gates(join_search *s)
{
    for (int column = -TILES_AROUND; column <= TILES_AROUND; column++)
        for (int row = -TILES_AROUND; row <= TILES_AROUND; row++)
            for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
                for (int gate = 0; gate < s->w->blocks->tile->gate_count; gate++) {
                    join j = {(int16_t)column, (int16_t)row, (int16_t)heading, (int16_t)gate, {0}, 0.0f};
                    if (!s->w->blocks->tile->gates[gate].inside && !try_gate(s, j))
                        return false;
                }
    return true;
}

// ---- gates near the ends of pieces

static int cell_count(const lope_block_world *w)
{
    return (int)ceilf(w->blocks->tile->size / GATE_CELL);
}

static int turn_cell(float yaw)
{
    int turn = (int)floorf(yaw / (2.0f * (float)LOPE_PI) * (float)GATE_TURNS);
    return (turn % GATE_TURNS + GATE_TURNS) % GATE_TURNS;
}

// A gate near a cell of a tile: it may be one of the tiles around.
typedef struct near_gate {
    int16_t column, row, heading, gate;
} near_gate;

typedef void visit_cell(void *user, int cell, near_gate gate);

// All cells from which a gate is near.
static void visit_cells(const lope_block_world *w, int heading, int gate, visit_cell *visit, void *user)
{
    const lope_tile *tile = w->blocks->tile;
    int cells = cell_count(w);
    float side = tile->size / (float)cells;
    lope_ground at = w->turned_gates[heading * tile->gate_count + gate];
    int reach = (int)ceilf(GATE_NEAR / side), x = (int)floorf((at.x + 0.5f * tile->size) / side),
        z = (int)floorf((at.z + 0.5f * tile->size) / side);
    for (int dx = -reach; dx <= reach; dx++)
        for (int dz = -reach; dz <= reach; dz++)
            for (int turn = -1; turn <= 1; turn++) {
                int cx = x + dx, cz = z + dz,
                    column = cx < 0        ? -1
                             : cx >= cells ? 1
                                           : 0,
                    row = cz < 0        ? -1
                          : cz >= cells ? 1
                                        : 0,
                    yaw = (turn_cell(at.yaw) + turn + GATE_TURNS) % GATE_TURNS;
                int cell = ((cx - column * cells) * cells + cz - row * cells) * GATE_TURNS + yaw;
                visit(user, cell, (near_gate){(int16_t)-column, (int16_t)-row, (int16_t)heading, (int16_t)gate});
            }
}

static void count_gate(void *user, int cell, near_gate gate)
{
    (void)gate;
    ((lope_block_world *)user)->gate_cells[cell + 2]++;
}

static void enter_gate(void *user, int cell, near_gate gate)
{
    lope_block_world *w = user;
    ((near_gate *)w->near_gates)[w->gate_cells[cell + 1]++] = gate;
}

static void visit_gates(lope_block_world *w, visit_cell *visit)
{
    for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
        for (int gate = 0; gate < w->blocks->tile->gate_count; gate++)
            if (!w->blocks->tile->gates[gate].inside)
                visit_cells(w, heading, gate, visit, w);
}

// Where a piece leads from its first gate, unedited.
static lope_ground plain_move(const lope_walk_piece *p)
{
    turned t = turn_of(p->turn);
    float x = p->end.x * t.c + p->end.z * t.s, z = p->end.z * t.c - p->end.x * t.s;
    return (lope_ground){p->moments[0].x + p->start.x - x, p->moments[0].z + p->start.z - z, p->turn};
}

lope_status joins_create(lope_block_world *w, lope_error *error)
{
    const lope_tile *tile = w->blocks->tile;
    int cells = cell_count(w) * cell_count(w) * GATE_TURNS, pieces = w->blocks->piece_count;
    w->turned_gates = lope_alloc_array((size_t)tile->gate_count * LOPE_TILE_SIDES, sizeof *w->turned_gates);
    w->gate_cells = lope_alloc_zero(((size_t)cells + 2) * sizeof *w->gate_cells);
    w->piece_moves = lope_alloc_array(2 * (size_t)pieces + 1, sizeof *w->piece_moves);
    w->gate_turns = lope_alloc_array((size_t)tile->gate_count * LOPE_TILE_SIDES, sizeof(turned));
    if (!w->turned_gates || !w->gate_cells || !w->piece_moves || !w->gate_turns)
        return lope_fail_memory(error);
    for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
        for (int gate = 0; gate < tile->gate_count; gate++)
            w->turned_gates[heading * tile->gate_count + gate] = lope_ground_mul(
                (lope_ground){0.0f, 0.0f, (float)heading * (float)(LOPE_PI / 2.0)}, tile->gates[gate].at);
    for (int i = 0; i < tile->gate_count * LOPE_TILE_SIDES; i++)
        ((turned *)w->gate_turns)[i] = turn_of(w->turned_gates[i].yaw);
    for (int i = 0; i < pieces; i++) {
        w->piece_moves[2 * i] = plain_move(&w->blocks->pieces[i]);
        w->piece_moves[2 * i + 1] = lope_ground_inverse(w->piece_moves[2 * i]);
    }
    visit_gates(w, count_gate);
    for (int i = 2; i < cells + 2; i++)
        w->gate_cells[i] += w->gate_cells[i - 1];
    w->near_gates = lope_alloc_array((size_t)w->gate_cells[cells + 1] + 1, sizeof(near_gate));
    if (!w->near_gates)
        return lope_fail_memory(error);
    visit_gates(w, enter_gate);
    return LOPE_OK;
}

static bool try_near_gate(join_search *s, const lope_walk_piece *p, join j)
{
    lope_segment segment;
    turned turn;
    lope_ground move = move_of(s, &j, &turn);
    move.yaw = p->turn + lope_wrap_angle(move.yaw - p->turn);
    float cost = edit_cost(s->w, p, move, turn.s, turn.c, &segment);
    return cost == INFINITY || keep(s, j, &segment, cost);
}

// Gates of one kind where a piece ends that is laid to the place as it is.
static bool try_piece(join_search *s, int piece, int kind)
{
    const lope_block_world *w = s->w;
    const lope_tile *tile = w->blocks->tile;
    lope_ground move = w->piece_moves[2 * piece + s->come];
    turned t = s->at_turn;
    lope_ground end = {s->at.x + move.x * t.c + move.z * t.s, s->at.z + move.z * t.c - move.x * t.s,
                       s->at.yaw + move.yaw};
    int cells = cell_count(w), column = (int)floorf(end.x / tile->size + 0.5f),
        row = (int)floorf(end.z / tile->size + 0.5f);
    float side = tile->size / (float)cells;
    int x = (int)((end.x - ((float)column - 0.5f) * tile->size) / side),
        z = (int)((end.z - ((float)row - 0.5f) * tile->size) / side);
    if (abs(column) > TILES_AROUND + 1 || abs(row) > TILES_AROUND + 1)
        return true;
    int cell = ((x < cells ? x : cells - 1) * cells + (z < cells ? z : cells - 1)) * GATE_TURNS + turn_cell(end.yaw);
    const near_gate *gates = w->near_gates;
    for (int i = w->gate_cells[cell]; i < w->gate_cells[cell + 1]; i++) {
        join j = {(int16_t)(column + gates[i].column),
                  (int16_t)(row + gates[i].row),
                  gates[i].heading,
                  gates[i].gate,
                  {0},
                  0.0f};
        if (tile->gates[j.gate].pose == kind && abs(j.column) <= TILES_AROUND && abs(j.row) <= TILES_AROUND &&
            !try_near_gate(s, &w->blocks->pieces[piece], j))
            return false;
    }
    return true;
}

// Pieces that turn alike stand together: every PIECE_STRIDE-th first, so that few say much. Enough walks are enough.
static bool try_pieces(join_search *s)
{
    const lope_blocks *blocks = s->w->blocks;
    int kinds = blocks->tile->pose_count;
    for (int offset = 0; offset < PIECE_STRIDE && s->found->count < MOST_JOINS; offset++)
        for (int kind = 0; kind < kinds; kind++) {
            int key = s->come ? kind * kinds + s->key->pose : s->key->pose * kinds + kind;
            for (int i = blocks->piece_first[key] + offset; i < blocks->piece_first[key + 1]; i += PIECE_STRIDE)
                if (!try_piece(s, i, kind))
                    return false;
        }
    return true;
}

// ---- the order

static int side_of(const join *j)
{
    return ((j->column + TILES_AROUND) * TILES_WIDE + j->row + TILES_AROUND) * LOPE_TILE_SIDES + j->heading;
}

static int by_cost(const void *a, const void *b)
{
    const fitted *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    int side = side_of(&x->j) - side_of(&y->j);
    return side ? side : (x->j.gate > y->j.gate) - (x->j.gate < y->j.gate);
}

static void put_in_order(join_list *l)
{
    int counts[TILES_WIDE * TILES_WIDE * LOPE_TILE_SIDES] = {0};
    if (l->count > 1)
        qsort(l->items, (size_t)l->count, sizeof *l->items, by_cost);
    for (int i = 0; i < l->count; i++)
        l->items[i].cost += RANK_COST * (float)counts[side_of(&l->items[i].j)]++;
    if (l->count > 1)
        qsort(l->items, (size_t)l->count, sizeof *l->items, by_cost);
    l->count = l->count < MOST_JOINS ? l->count : MOST_JOINS;
}

bool joins_fit(const lope_block_world *w, const join_set *key, bool come, join_list *out)
{
    size_t sides = (size_t)TILES_WIDE * TILES_WIDE * LOPE_TILE_SIDES;
    join_search s = {
        .w = w,
        .key = key,
        .at = {(float)key->x * JOIN_STEP, (float)key->z * JOIN_STEP, (float)key->yaw * JOIN_TURN},
        .come = come,
        .found = out,
        .known = lope_alloc_zero(sides * (size_t)w->blocks->tile->gate_count * sizeof *s.known),
    };
    s.at_turn = turn_of(s.at.yaw);
    *out = (join_list){0};
    bool ok = s.known && try_pieces(&s);
    if (ok && out->count < FEW_WALKS)
        ok = try_all_gates(&s);
    lope_free(s.known);
    if (ok)
        put_in_order(out);
    return ok;
}
