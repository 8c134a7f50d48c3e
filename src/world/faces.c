// SPDX-License-Identifier: MIT
// The closed solids around a limb, as triangles, and how deep a point is in each. The sign is that of the nearest
// triangle; where several are equally near (edges, corners), that of the one whose plane is farthest.
#include <math.h>

#include "terrain/terrain.h"
#include "world/limbs.h"

#define SAME 1e-4f // metres: equally near

typedef struct store {
    const lope_terrain *terrain;
    world_faces *out;
} store;

// The number of a solid among those that were seen; the count of them where there is no room.
static int number_of(world_faces *faces, int64_t solid)
{
    int i = faces->solid_count - 1; // mostly the last one
    while (i >= 0 && faces->solids[i] != solid)
        i--;
    if (i >= 0 || faces->solid_count == WORLD_SOLIDS)
        return i >= 0 ? i : WORLD_SOLIDS;
    faces->solids[faces->solid_count] = solid;
    return faces->solid_count++;
}

static void add_face(void *user, const lope_terrain_triangle *t)
{
    store *s = user;
    world_faces *out = s->out;
    const int64_t solid = terrain_solid(s->terrain, t->piece, t->triangle);
    const int number = solid < 0 || out->count == WORLD_FACES ? WORLD_SOLIDS : number_of(out, solid);
    if (number == WORLD_SOLIDS)
        return;
    const int i = out->count++;
    out->a[i] = t->corners[0];
    out->ab[i] = lope_v3_sub(t->corners[1], t->corners[0]);
    out->ac[i] = lope_v3_sub(t->corners[2], t->corners[0]);
    const lope_vec3 normal = lope_v3_normalize(lope_v3_cross(out->ab[i], out->ac[i]), lope_v3(0, 0, 0));
    out->x[i] = normal.x, out->y[i] = normal.y, out->z[i] = normal.z;
    out->off[i] = lope_v3_dot(normal, out->a[i]);
    for (int k = 0; k < 3; k++) {
        const lope_vec3 from = t->corners[k], along = lope_v3_sub(t->corners[k == 2 ? 0 : k + 1], from);
        const lope_vec3 away = lope_v3_normalize(lope_v3_cross(along, normal), lope_v3(0, 0, 0));
        out->edges[k][0][i] = away.x, out->edges[k][1][i] = away.y, out->edges[k][2][i] = away.z;
        out->edges[k][3][i] = lope_v3_dot(away, from);
    }
    out->of[i] = (uint8_t)number;
}

void world_faces_gather(const lope_terrain *terrain, lope_vec3 low, lope_vec3 high, world_faces *out)
{
    store s = {terrain, out};
    out->count = out->solid_count = 0;
    terrain_visit(terrain, &(terrain_box){low, high}, add_face, &s);
}

typedef struct room {
    const lope_terrain *terrain;
    lope_vec3 at;    // the middle of a box,
    float low, high; // and how far it reaches down and up
    float metres;
} room;

static float beyond(float x, float low, float high)
{
    return fmaxf(fmaxf(low - x, x - high), 0.0f);
}

// From the vertical line through the middle to the triangle, at least: to the box around it, and to its plane.
static void find_room(void *user, const lope_terrain_triangle *t)
{
    room *r = user;
    const lope_vec3 *c = t->corners;
    const lope_vec3 from = lope_v3_min(c[0], lope_v3_min(c[1], c[2])), to = lope_v3_max(c[0], lope_v3_max(c[1], c[2]));
    const float x = beyond(r->at.x, from.x, to.x), z = beyond(r->at.z, from.z, to.z), off = sqrtf(x * x + z * z);
    if (off >= r->metres || terrain_solid(r->terrain, t->piece, t->triangle) < 0)
        return;
    const lope_vec3 n =
        lope_v3_normalize(lope_v3_cross(lope_v3_sub(c[1], c[0]), lope_v3_sub(c[2], c[0])), lope_v3(0.0f, 0.0f, 0.0f));
    const float plane = (r->at.x - c[0].x) * n.x + (r->at.z - c[0].z) * n.z;
    const float bottom = plane + (r->low - c[0].y) * n.y, top = plane + (r->high - c[0].y) * n.y;
    const float across = bottom * top <= 0.0f ? 0.0f : fminf(fabsf(bottom), fabsf(top));
    r->metres = fminf(r->metres, fmaxf(off, across));
}

float world_faces_room(const lope_terrain *terrain, lope_vec3 low, lope_vec3 high)
{
    room r = {terrain, lope_v3_lerp(low, high, 0.5f), low.y, high.y, 0.5f * (high.x - low.x)};
    terrain_visit(terrain, &(terrain_box){low, high}, find_room, &r);
    return r.metres;
}

// The point of a triangle that is nearest to `p` (Ericson, Real-Time Collision Detection, 5.1.5), from its corner a.
static lope_vec3 nearest_on(lope_vec3 ab, lope_vec3 ac, lope_vec3 ap)
{
    float d1 = lope_v3_dot(ab, ap), d2 = lope_v3_dot(ac, ap);
    if (d1 <= 0.0f && d2 <= 0.0f)
        return lope_v3(0.0f, 0.0f, 0.0f);
    lope_vec3 bp = lope_v3_sub(ap, ab), cp = lope_v3_sub(ap, ac);
    float d3 = lope_v3_dot(ab, bp), d4 = lope_v3_dot(ac, bp);
    if (d3 >= 0.0f && d4 <= d3)
        return ab;
    float vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f)
        return lope_v3_scale(ab, d1 / (d1 - d3));
    float d5 = lope_v3_dot(ab, cp), d6 = lope_v3_dot(ac, cp);
    if (d6 >= 0.0f && d5 <= d6)
        return ac;
    float vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f)
        return lope_v3_scale(ac, d2 / (d2 - d6));
    float va = d3 * d6 - d5 * d4;
    if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f)
        return lope_v3_lerp(ab, ac, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    float whole = 1.0f / (va + vb + vc);
    return lope_v3_mad(lope_v3_scale(ab, vb * whole), ac, vc * whole);
}

// What is known of a solid while its faces are looked at.
typedef struct look {
    float best, plane; // metres to the nearest face, and to its plane
    float seen[2];     // to the nearest that the viewer is before: of those that the point is before, and behind,
    lope_vec3 way[2];  // and the way out through them
} look;

// A point and the planes of all faces: how far it is before them, and beyond the edges at most.
typedef struct bounds {
    float planes[WORLD_FACES], beyond[WORLD_FACES];
} bounds;

static inline float before(const float rows[4][WORLD_FACES], int i, lope_vec3 p)
{
    return p.x * rows[0][i] + p.y * rows[1][i] + p.z * rows[2][i] - rows[3][i];
}

static void find_bounds(const world_faces *faces, lope_vec3 p, bounds *out)
{
    for (int i = 0; i < faces->count; i++) {
        const float s = p.x * faces->x[i] + p.y * faces->y[i] + p.z * faces->z[i] - faces->off[i];
        const float a = before(faces->edges[0], i, p), b = before(faces->edges[1], i, p);
        const float c = before(faces->edges[2], i, p);
        out->planes[i] = s;
        out->beyond[i] = terrain_more(terrain_more(a, b), terrain_more(c, 0.0f));
    }
}

// A point, seen from a face.
typedef struct face_view {
    int face;
    float plane;   // metres before it
    lope_vec3 off; // from the nearest place on it
} face_view;

static void look_at(const world_faces *faces, const face_view *v, lope_vec3 viewer, look *k)
{
    const int behind = v->plane < 0.0f;
    const lope_vec3 normal = {faces->x[v->face], faces->y[v->face], faces->z[v->face]};
    const float distance = lope_v3_length(v->off);
    if (distance < k->best - SAME || (distance < k->best + SAME && fabsf(v->plane) > fabsf(k->plane))) {
        k->best = terrain_less(distance, k->best);
        k->plane = v->plane;
    }
    if (distance < k->seen[behind] && lope_v3_dot(viewer, normal) > faces->off[v->face]) {
        k->seen[behind] = distance;
        k->way[behind] = distance > SAME ? lope_v3_scale(v->off, (behind ? -1.0f : 1.0f) / distance) : normal;
    }
}

// Faces that the point is straight before or behind come first: most others are farther away then for sure.
static void look_around(const world_faces *faces, lope_vec3 point, lope_vec3 viewer, look *looks)
{
    bounds b;
    find_bounds(faces, point, &b);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < faces->count; i++) {
            look *k = &looks[faces->of[i]];
            const float s = b.planes[i], least = s * s + b.beyond[i] * b.beyond[i];
            const float most = terrain_more(k->best + SAME, k->seen[s < 0.0f]);
            if ((b.beyond[i] > 0.0f) != (pass == 1) || least >= most * most)
                continue;
            const lope_vec3 normal = {faces->x[i], faces->y[i], faces->z[i]}, ap = lope_v3_sub(point, faces->a[i]);
            const lope_vec3 off =
                pass ? lope_v3_sub(ap, nearest_on(faces->ab[i], faces->ac[i], ap)) : lope_v3_scale(normal, s);
            look_at(faces, &(face_view){i, s, off}, viewer, k);
        }
}

void world_faces_depths(const world_faces *faces, lope_vec3 point, float reach, lope_vec3 viewer,
                        world_depth out[WORLD_SOLIDS])
{
    look looks[WORLD_SOLIDS];
    for (int k = 0; k < faces->solid_count; k++)
        looks[k] = (look){reach, 0.0f, {reach, reach}, {{0.0f, 0.0f, 0.0f}}};
    look_around(faces, point, viewer, looks);
    for (int k = 0; k < faces->solid_count; k++) {
        const look *l = &looks[k];
        const int inside = l->plane < 0.0f;
        const bool seen = l->seen[inside] < reach && (inside || l->seen[0] < l->best + SAME);
        out[k] = (world_depth){!seen ? INFINITY : inside ? -l->seen[1] : l->seen[0], l->way[inside]};
    }
}
