// SPDX-License-Identifier: MIT
#include "patches/build/fit.h"

#include <math.h>

// Poses at both ends of a piece may be this far (metres, together) from those of the gates before it costs as much as
// editing to the limit.
#define FAR_ENDS 0.2f
// What a piece of a clip that was filled in costs beside its editing.
#define FILLED 0.5f
// Metres by which hips may be away from where the standing foot puts them, at both ends together.
#define HIPS 0.2f

typedef struct fit_search {
    const pose_pieces *pieces;
    const fit_limits *limits;
    lope_ground move;
    float turn_sin, turn_cos; // of the move's yaw
} fit_search;

// How much editing it takes, from 0 to 2 at the limits, or infinity beyond them.
static float edit_cost(const fit_search *search, const pose_piece *piece, lope_segment *edit)
{
    edit->bend = lope_wrap_angle(search->move.yaw - piece->turn);
    float bend = fabsf(edit->bend) / (search->limits->max_bend * piece->length + search->limits->bend);
    if (bend > 1.0f)
        return INFINITY;
    lope_vec2 end = pose_piece_end(piece, edit->bend), start = search->pieces->passes[piece->from].offset;
    lope_vec2 last = search->pieces->passes[piece->to].offset;
    float foot_x = last.x * search->turn_cos + last.z * search->turn_sin;
    float foot_z = last.z * search->turn_cos - last.x * search->turn_sin;
    edit->start = start;
    edit->shift = (lope_vec2){search->move.x + foot_x - start.x - end.x, search->move.z + foot_z - start.z - end.z};
    float limit = search->limits->max_shift * piece->length + search->limits->shift;
    float shift2 = (edit->shift.x * edit->shift.x + edit->shift.z * edit->shift.z) / (limit * limit);
    return shift2 > 1.0f ? INFINITY : bend * bend + shift2;
}

static float ends_cost(const pose_pieces *pieces, const pose_piece *piece)
{
    float ends = pieces->passes[piece->from].distance + pieces->passes[piece->to].distance;
    return ends * ends / (FAR_ENDS * FAR_ENDS);
}

// First of the pieces of one pair of kinds that turns by at least `turn`.
static int first_turning(const pose_pieces *pieces, int begin, int end, float turn)
{
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (pieces->pieces[middle].turn < turn)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

bool fit_piece(const pose_pieces *pieces, const fit_limits *limits, const fit_gap *gap, lope_segment *out)
{
    lope_ground move = gap->move;
    fit_search search = {pieces, limits, move, (float)lope_sin((double)move.yaw), (float)lope_cos((double)move.yaw)};
    int key = pose_kinds_key(gap->from, gap->to), begin = pieces->first[key], end = pieces->first[key + 1];
    float best = INFINITY, straight = sqrtf(move.x * move.x + move.z * move.z);
    // Turns wrap round: pieces that turn by nearly half a turn lie at both ends of the list.
    float reach = 1.2f;
    for (int round = -1; round <= 1; round++) {
        float middle = move.yaw + (float)round * 2.0f * (float)LOPE_PI;
        for (int i = first_turning(pieces, begin, end, middle - reach);
             i < end && pieces->pieces[i].turn <= middle + reach; i++) {
            const pose_piece *piece = &pieces->pieces[i];
            if (piece->length * (1.0f + limits->max_shift) + limits->shift + HIPS < straight)
                continue;
            lope_segment edit = {0};
            float cost = edit_cost(&search, piece, &edit);
            const pose_pass *first = &pieces->passes[piece->from], *last = &pieces->passes[piece->to];
            cost += limits->own_clips > 0 && first->clip >= limits->own_clips ? FILLED : 0.0f;
            if (cost >= best || (cost += ends_cost(pieces, piece)) >= best)
                continue;
            edit.clip = first->clip;
            edit.first = first->frame;
            edit.frames = last->frame - first->frame + 1;
            edit.length = piece->length;
            if (gap->allows && !gap->allows(gap->user, &edit))
                continue;
            best = cost;
            *out = edit;
        }
    }
    return best < INFINITY;
}
