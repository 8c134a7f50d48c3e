// SPDX-License-Identifier: MIT
#include "support/level_depth.h"

#include <stdlib.h>

void level_near_gather(level_near *near, const lope_level *level, lope_vec3 low, lope_vec3 high)
{
    const lope_terrain *terrain = lope_level_terrain(level);
    near->level = level;
    near->count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    near->triangles = malloc(((size_t)near->count + 1) * sizeof *near->triangles);
    lope_terrain_triangles(terrain, low, high, near->triangles, near->count);
}

void level_near_free(level_near *near)
{
    free(near->triangles);
}

// Whether the point is in a closed mesh of one piece: the way straight to (0.123, 1, 0.077) leaves it more often than
// it enters. Whole pieces are gathered only where their boxes are near, so rays may miss far sides; the box of the
// piece is asked first.
static bool is_inside(const level_near *near, int piece, lope_vec3 p)
{
    const lope_vec3 way = {0.0123f, 1.0f, 0.0077f};
    int part = lope_level_part_of(near->level, piece), crossings = 0;
    const lope_terrain_mesh *mesh = part < 0 ? NULL : lope_level_part_mesh(near->level, part);
    lope_part what;
    if (!mesh || !lope_level_part(near->level, part, &what))
        return false;
    lope_transform back = lope_transform_inverse(what.at);
    lope_vec3 from = lope_transform_point(back, p), to = lope_quat_rotate(back.rotation, way);
    for (int t = 0; t < mesh->triangle_count; t++) {
        lope_vec3 a = mesh->vertices[mesh->indices[3 * t]], b = mesh->vertices[mesh->indices[3 * t + 1]],
                  c = mesh->vertices[mesh->indices[3 * t + 2]];
        lope_vec3 ab = lope_v3_sub(b, a), ac = lope_v3_sub(c, a), cross = lope_v3_cross(to, ac);
        float det = lope_v3_dot(ab, cross);
        if (fabsf(det) < 1e-9f)
            continue;
        lope_vec3 s = lope_v3_sub(from, a), q = lope_v3_cross(s, ab);
        float u = lope_v3_dot(s, cross) / det, v = lope_v3_dot(to, q) / det, along = lope_v3_dot(ac, q) / det;
        if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f && along > 0.0f)
            crossings += det > 0.0f ? 1 : -1;
    }
    return crossings != 0;
}

static bool box_holds(const level_near *near, int part, lope_vec3 p)
{
    lope_part what;
    return lope_level_part(near->level, part, &what) && p.x > what.low.x && p.y > what.low.y && p.z > what.low.z &&
           p.x < what.high.x && p.y < what.high.y && p.z < what.high.z;
}

static float triangle_distance(const lope_terrain_triangle *t, lope_vec3 p)
{
    lope_vec3 a = t->corners[0], b = t->corners[1], c = t->corners[2], ab = lope_v3_sub(b, a), ac = lope_v3_sub(c, a);
    lope_vec3 n = lope_v3_cross(ab, ac), ap = lope_v3_sub(p, a);
    float nn = lope_v3_dot(n, n);
    if (nn > 0.0f) {
        float v = lope_v3_dot(lope_v3_cross(ab, ap), n) / nn, w = lope_v3_dot(lope_v3_cross(ap, ac), n) / nn;
        if (v >= 0.0f && w >= 0.0f && v + w <= 1.0f)
            return fabsf(lope_v3_dot(ap, n)) / sqrtf(nn);
    }
    float best = INFINITY;
    for (int e = 0; e < 3; e++) {
        lope_vec3 from = t->corners[e], way = lope_v3_sub(t->corners[(e + 1) % 3], from);
        float share = lope_v3_dot(lope_v3_sub(p, from), way) / fmaxf(lope_v3_dot(way, way), 1e-12f);
        best = fminf(best, lope_v3_distance(p, lope_v3_mad(from, way, fmaxf(0.0f, fminf(share, 1.0f)))));
    }
    return best;
}

float level_surface_distance(const level_near *near, lope_vec3 point)
{
    float best = INFINITY;
    for (int i = 0; i < near->count; i++)
        best = fminf(best, triangle_distance(&near->triangles[i], point));
    return best;
}

// How deep a ball is in one piece.
static float ball_depth(const level_near *near, int piece, lope_vec3 p, float radius)
{
    float distance = INFINITY;
    for (int i = 0; i < near->count; i++)
        if (near->triangles[i].piece == piece)
            distance = fminf(distance, triangle_distance(&near->triangles[i], p));
    bool inside = box_holds(near, lope_level_part_of(near->level, piece), p) && is_inside(near, piece, p);
    return inside ? radius + distance : radius - distance;
}

level_depth level_body_depth(const level_near *near, const body_balls *body, const lope_transform *model)
{
    level_depth deepest = {.joint = -1, .part = -1};
    for (int i = 0; i < body->count; i++) {
        const body_ball *ball = &body->balls[i];
        lope_vec3 at = lope_transform_point(model[ball->joint], ball->centre);
        for (int t = 0, last = -1; t < near->count; t++) {
            const int piece = near->triangles[t].piece;
            lope_part what;
            if (piece == last)
                continue;
            last = piece;
            int part = lope_level_part_of(near->level, piece);
            if (!lope_level_part(near->level, part, &what) || at.x < what.low.x - ball->radius ||
                at.y < what.low.y - ball->radius || at.z < what.low.z - ball->radius ||
                at.x > what.high.x + ball->radius || at.y > what.high.y + ball->radius ||
                at.z > what.high.z + ball->radius)
                continue;
            float depth = ball_depth(near, piece, at, ball->radius);
            if (depth > deepest.metres)
                deepest = (level_depth){depth, ball->joint, part, at};
        }
    }
    return deepest;
}
