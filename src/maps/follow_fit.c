// SPDX-License-Identifier: MIT
// The smallest bends and stretches that bring the end of a walk to a place: Gauss-Newton with the least norm, measured
// in bounds. What would leave its bounds is held there and the rest solved again.
//
// Bending piece i by d turns its own chord by d/2 about its start and everything behind it by d about its end;
// stretching it shifts everything behind along the chord. So columns of the Jacobian come from the placed pieces alone.
#include "maps/follow.h"

enum { MOST_PIECES = 96, ROUNDS = 8 };
#define NEAR_ENOUGH 5e-4f // metres and radians

typedef struct fit {
    follow_walk *walk;
    const fit_goal *goal;
    int first, count;
    float bound[2];                   // of turn, stride
    float columns[MOST_PIECES][2][3]; // change of along, aside, yaw for one whole bound
    bool held[MOST_PIECES][2];
} fit;

static float *edit_of(fit *f, int i, int which)
{
    walk_piece *piece = &f->walk->pieces[f->first + i];
    return which ? &piece->stride : &piece->turn;
}

// Along, aside and yaw of a shift, seen from the goal.
static void seen_from_goal(const fit *f, float x, float z, float out[2])
{
    const lope_map_move *goal = &f->goal->end;
    out[0] = goal->sine * x + goal->cosine * z;
    out[1] = goal->cosine * x - goal->sine * z;
}

static void residual(const fit *f, float out[3])
{
    const lope_map_move *goal = &f->goal->end, *end = &f->walk->pieces[f->walk->count - 1].end;
    seen_from_goal(f, goal->x - end->x, goal->z - end->z, out);
    out[2] = lope_wrap_angle(goal->yaw - end->yaw);
    if (f->goal->any_along)
        out[0] = 0.0f;
    if (f->goal->any_yaw)
        out[2] = 0.0f;
}

static void find_columns(fit *f)
{
    const lope_map_move *end = &f->walk->pieces[f->walk->count - 1].end;
    for (int i = 0; i < f->count; i++) {
        const walk_piece *piece = &f->walk->pieces[f->first + i];
        float cx = piece->end.x - piece->start.x, cz = piece->end.z - piece->start.z;
        float rx = end->x - piece->end.x + 0.5f * cx, rz = end->z - piece->end.z + 0.5f * cz;
        float *turn = f->columns[i][0], *stride = f->columns[i][1];
        seen_from_goal(f, rz * f->bound[0], -rx * f->bound[0], turn);
        turn[2] = f->goal->any_yaw ? 0.0f : f->bound[0];
        seen_from_goal(f, cx * f->bound[1], cz * f->bound[1], stride);
        stride[2] = 0.0f;
        if (f->goal->any_along)
            turn[0] = stride[0] = 0.0f;
    }
}

// Solves the symmetric 3 x 3 system by elimination; it is positive definite.
static void solve(float a[3][3], const float b[3], float out[3])
{
    float m[3][4];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            m[r][c] = a[r][c];
        m[r][3] = b[r];
    }
    for (int k = 0; k < 3; k++)
        for (int r = k + 1; r < 3; r++) {
            float factor = m[r][k] / m[k][k];
            for (int c = k; c < 4; c++)
                m[r][c] -= factor * m[k][c];
        }
    for (int r = 2; r >= 0; r--) {
        float sum = m[r][3];
        for (int c = r + 1; c < 3; c++)
            sum -= m[r][c] * out[c];
        out[r] = sum / m[r][r];
    }
}

// Sets the edits that are not held to the least ones that take the residual away; true where none left its bounds.
static bool improve(fit *f, const float error[3])
{
    float normal[3][3] = {{0}}, target[3] = {error[0], error[1], error[2]}, lambda[3];
    float soft = f->goal->soft * f->goal->soft + 1e-9f;
    for (int k = 0; k < 3; k++)
        normal[k][k] = soft;
    for (int i = 0; i < f->count; i++)
        for (int w = 0; w < 2; w++) {
            if (f->held[i][w] || f->bound[w] <= 0.0f)
                continue;
            const float *column = f->columns[i][w];
            float now = *edit_of(f, i, w) / f->bound[w];
            for (int r = 0; r < 3; r++) {
                target[r] += column[r] * now;
                for (int c = 0; c < 3; c++)
                    normal[r][c] += column[r] * column[c];
            }
        }
    solve(normal, target, lambda);
    bool inside = true;
    for (int i = 0; i < f->count; i++)
        for (int w = 0; w < 2; w++) {
            if (f->held[i][w] || f->bound[w] <= 0.0f)
                continue;
            const float *column = f->columns[i][w];
            float wanted = column[0] * lambda[0] + column[1] * lambda[1] + column[2] * lambda[2];
            float kept = wanted < -1.0f ? -1.0f : wanted > 1.0f ? 1.0f : wanted;
            f->held[i][w] = kept != wanted;
            inside = inside && kept == wanted;
            *edit_of(f, i, w) = kept * f->bound[w];
        }
    return inside;
}

static void place_all(const lope_maps *maps, fit *f)
{
    for (int i = f->first; i < f->walk->count; i++)
        lope_piece_place(maps, f->walk, i);
}

bool lope_pieces_fit(const lope_maps *maps, follow_walk *walk, int first, const fit_goal *goal, fit_bounds bounds)
{
    if (walk->count - first > MOST_PIECES)
        first = walk->count - MOST_PIECES;
    fit f = {.walk = walk, .goal = goal, .first = first, .count = walk->count - first};
    f.bound[0] = bounds.turn;
    f.bound[1] = bounds.stride;
    int rounds = goal->soft > 0.0f ? 2 : ROUNDS;
    for (int round = 0; round < rounds; round++) {
        float error[3];
        residual(&f, error);
        if (fabsf(error[0]) + fabsf(error[1]) < NEAR_ENOUGH && fabsf(error[2]) < NEAR_ENOUGH)
            return true;
        find_columns(&f);
        bool inside = improve(&f, error);
        place_all(maps, &f);
        if (!inside && round == ROUNDS - 1)
            return false;
    }
    float error[3];
    residual(&f, error);
    return goal->soft > 0.0f || (fabsf(error[0]) + fabsf(error[1]) < 1e-3f && fabsf(error[2]) < 1e-3f);
}
