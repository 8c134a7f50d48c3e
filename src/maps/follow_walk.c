// SPDX-License-Identifier: MIT
// Placing steps in the world and checking them: the hips stay in the corridor, the discs of the body clear of
// obstacles. Where the path is known to be clear by more than a disc needs, obstacles need not be asked for.
#include "base/memory.h"
#include "maps/follow.h"
#include "maps/small.h"

lope_ground lope_step_bend(lope_ground place, float share, float turn, float stride)
{
    float half = 0.5f * turn * share, scale = 1.0f + stride;
    float c = (float)lope_cos((double)half) * scale, s = (float)lope_sin((double)half) * scale;
    return (lope_ground){c * place.x + s * place.z, c * place.z - s * place.x,
                         lope_wrap_angle(place.yaw + turn * share)};
}

bool lope_pieces_reserve(follow_walk *walk, int count)
{
    if (count <= walk->capacity)
        return true;
    int larger = count + count / 2 + 16;
    walk_piece *pieces =
        lope_grow(walk->pieces, (size_t)walk->capacity * sizeof *pieces, (size_t)larger * sizeof *pieces);
    if (!pieces)
        return false;
    walk->pieces = pieces;
    walk->capacity = larger;
    return true;
}

// A move that is bent by `turn` and stretched: the chord turns by half of it.
static lope_map_move bent(lope_map_move move, float turn, float stride)
{
    if (turn == 0.0f && stride == 0.0f)
        return move;
    float s, c, s2, c2, scale = 1.0f + stride;
    small_sincos(0.5f * turn, &s, &c);
    small_sincos(turn, &s2, &c2);
    return (lope_map_move){scale * (c * move.x + s * move.z),
                           scale * (c * move.z - s * move.x),
                           move.cosine * c2 - move.sine * s2,
                           move.sine * c2 + move.cosine * s2,
                           move.yaw + turn,
                           move.length * scale};
}

void lope_piece_place(const lope_maps *maps, follow_walk *walk, int index)
{
    walk_piece *piece = &walk->pieces[index];
    if (piece->edge != NO_EDGE)
        piece->start = map_move_mul(piece[-1].end, maps->joins[piece->edge]);
    piece->end = map_move_mul(piece->start, bent(maps->walks[piece->step], piece->turn, piece->stride));
}

// Where a point of a piece is in the world, `share` of the way through it.
static lope_vec2 in_world(const walk_piece *piece, float x, float z, float share)
{
    if (piece->turn != 0.0f || piece->stride != 0.0f) {
        float s, c, scale = 1.0f + piece->stride;
        small_sincos(0.5f * piece->turn * share, &s, &c);
        float along = scale * (c * z - s * x);
        x = scale * (c * x + s * z);
        z = along;
    }
    const lope_map_move *start = &piece->start;
    return (lope_vec2){start->x + start->cosine * x + start->sine * z, start->z - start->sine * x + start->cosine * z};
}

static bool disc_is_free(walk_check *check, lope_vec2 from, lope_vec2 to, float radius)
{
    radius -= check->touch;
    return check->world.free(check->world.user, from, to, radius > 0.0f ? radius : 0.0f, &check->hint);
}

// The one disc around everything first; where that is too wide, trunk, arms and legs by themselves.
static bool body_is_free(walk_check *check, const walk_piece *piece, uint32_t place, lope_vec2 from, lope_vec2 to,
                         float share)
{
    const lope_steps *steps = check->maps->steps;
    if (disc_is_free(check, from, to, steps->places[place].radius))
        return true;
    if (!steps->discs)
        return false;
    for (uint32_t d = place * LOPE_STEP_DISCS; d < (place + 1) * LOPE_STEP_DISCS; d++) {
        lope_vec2 at = in_world(piece, steps->discs[d].x, steps->discs[d].z, share);
        if (!disc_is_free(check, at, at, steps->discs[d].radius))
            return false;
    }
    return true;
}

bool lope_piece_passes(walk_check *check, const walk_piece *piece, int *index, float *deviation)
{
    const lope_steps *steps = check->maps->steps;
    const lope_step *step = &steps->steps[piece->step];
    float per_metre = step->length > 0.0f ? 1.0f / step->length : 0.0f;
    lope_vec2 before = {piece->start.x, piece->start.z};
    for (uint32_t i = step->place_first; i < step->place_first + step->place_count; i++) {
        const lope_step_place *place = &steps->places[i];
        float share = place->length * per_metre, off = INFINITY;
        lope_vec2 here = in_world(piece, place->at.x, place->at.z, share);
        if (check->line) {
            off = line_distance(check->line, here.x, here.z, index);
            *deviation = fmaxf(*deviation, off);
            if (!(off <= check->corridor))
                return false;
        }
        if (check->world.free && off + place->radius - check->touch > check->clearance &&
            !body_is_free(check, piece, i, before, here, share))
            return false;
        before = here;
    }
    return true;
}

bool pieces_pass(walk_check *check, follow_walk *walk, int first, float *deviation)
{
    int index = line_index(check->line, first > 0 ? walk->pieces[first - 1].along : 0.0f);
    for (int i = first; i < walk->count; i++) {
        walk_piece *piece = &walk->pieces[i];
        if (!lope_piece_passes(check, piece, &index, deviation)) {
            check->failed = i;
            return false;
        }
        piece->along = lope_line_project(check->line, piece->end.x, piece->end.z, index);
    }
    return true;
}

bool pieces_clear(walk_check *check, const follow_walk *walk, int first)
{
    int index = 0;
    float deviation = 0.0f;
    walk_check only = *check;
    only.line = NULL;
    for (int i = first; i < walk->count; i++)
        if (!lope_piece_passes(&only, &walk->pieces[i], &index, &deviation))
            return false;
    return true;
}
