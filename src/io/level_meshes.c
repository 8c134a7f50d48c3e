// SPDX-License-Identifier: MIT
// Parts from mesh files: which axis is up and how long a unit is, found from all triangles together.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/level_file.h"
#include "lope/terrain_scene.h"

// Sides (roots of areas) of triangles, of which nine in ten are shorter, in units of a scene in metres.
#define LONGEST_SIDE 60.0f
#define LONGEST_THING 30.0f // metres of a chair or the like
#define FEWEST 8            // triangles that sides are told from: a room without a ceiling has ten
#define LEAST_EXTENT 150.0f
#define LEAST_UPRIGHT 0.05 // part of the area of a place that is upright: walls, furniture. Bare ground has less
#define BACKDROP 4.0f      // times as large as all else: a part that may be a sky,
#define BACKDROP_HIGH 0.2f // and of its width at least so high
#define SAMPLES 4096

void level_note(lope_level_file *file, const char *format, ...)
{
    size_t used = strlen(file->notes);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(file->notes + used, sizeof file->notes - used, format, arguments);
    va_end(arguments);
}

// What triangles say.
typedef struct evidence {
    double area[3];           // whose normals are near x, y, z
    double places[3];         // area times its x, y, z
    double upright[3], total; // whose normals are far from x, y, z; all
    lope_vec3 low, high;
    float sides[SAMPLES];
    int side_count, triangle_count, step; // every step-th triangle is sampled
    float thing;                          // largest extent of the first thing; 0: none
} evidence;

static void widen(lope_vec3 *low, lope_vec3 *high, lope_vec3 p)
{
    *low = lope_v3_min(*low, p);
    *high = lope_v3_max(*high, p);
}

#define NOWHERE_LOW                                                                                                    \
    {                                                                                                                  \
        INFINITY, INFINITY, INFINITY                                                                                   \
    }
#define NOWHERE_HIGH                                                                                                   \
    {                                                                                                                  \
        -INFINITY, -INFINITY, -INFINITY                                                                                \
    }

static double gather(evidence *e, const lope_terrain_mesh *mesh)
{
    double sum = 0.0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *c = mesh->indices + 3 * (size_t)t;
        lope_vec3 a = mesh->vertices[c[0]], b = mesh->vertices[c[1]], d = mesh->vertices[c[2]];
        lope_vec3 n = lope_v3_cross(lope_v3_sub(b, a), lope_v3_sub(d, a));
        double area = 0.5 * (double)lope_v3_length(n), parts[] = {(double)n.x, (double)n.y, (double)n.z};
        if (!(area > 0.0 && area < 1e12))
            continue;
        sum += area;
        const lope_vec3 middle = lope_v3_scale(lope_v3_add(lope_v3_add(a, b), d), 1.0f / 3.0f);
        const double places[3] = {(double)middle.x, (double)middle.y, (double)middle.z};
        for (int k = 0; k < 3; k++) {
            const double facing = fabs(parts[k]) > 1.9 * area ? area : 0.0;
            e->area[k] += facing;
            e->places[k] += facing * places[k];
            e->upright[k] += fabs(parts[k]) < 0.6 * area ? area : 0.0;
            widen(&e->low, &e->high, mesh->vertices[c[k]]);
        }
        if (e->triangle_count++ % e->step == 0 && e->side_count < SAMPLES)
            e->sides[e->side_count++] = sqrtf((float)area);
    }
    e->total += sum;
    return sum;
}

static float largest(lope_vec3 low, lope_vec3 high)
{
    return fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z));
}

static int compare_floats(const void *a, const void *b)
{
    return (*(const float *)a > *(const float *)b) - (*(const float *)a < *(const float *)b);
}

// Whether what faces an axis lies at its low end, as floors do under the sky. Walls lie on both sides, and so do a
// floor and a ceiling.
static bool is_open(const evidence *e, int axis)
{
    const double low[3] = {(double)e->low.x, (double)e->low.y, (double)e->low.z};
    const double high[3] = {(double)e->high.x, (double)e->high.y, (double)e->high.z};
    return e->area[axis] > 0.0 && e->places[axis] / e->area[axis] - low[axis] < 0.25 * (high[axis] - low[axis]);
}

// Up to y or z: most level ground faces it, and the place is flatter that way. How much more than walls there must be
// depends on whether the place is open to the sky along one of the two.
static bool is_z_up(const evidence *e, bool *doubtful)
{
    const lope_vec3 extent = lope_v3_sub(e->high, e->low);
    const bool y_open = is_open(e, 1), z_open = is_open(e, 2), flat = extent.z < fminf(extent.x, extent.y);
    const double more = z_open == y_open ? 2.0 : z_open ? 0.75 : 6.0;
    const bool z_up = flat && e->area[2] > more * e->area[1];
    *doubtful = flat && !z_up && ((z_open && !y_open) || e->area[2] > 1.2 * e->area[1]);
    return z_up;
}

// Large triangles are those of a place in centimetres where some of them are upright, and else of bare ground in
// metres.
static float unit_of(evidence *e, bool z_up, lope_level_file *file)
{
    const bool bare = e->upright[z_up ? 2 : 1] < LEAST_UPRIGHT * e->total;
    qsort(e->sides, (size_t)e->side_count, sizeof(float), compare_floats);
    float side = e->triangle_count >= FEWEST ? e->sides[e->side_count * 9 / 10] : 0.0f;
    for (int i = 0; i < 2; i++) {
        float over = i ? 1.0f : 10.0f; // millimetres first
        bool of_thing = e->thing > LONGEST_THING * over;
        bool of_sides =
            e->thing == 0.0f && side > LONGEST_SIDE * over && largest(e->low, e->high) > LEAST_EXTENT * over;
        if (of_thing || (of_sides && !bare))
            return i ? 0.01f : 0.001f;
        if (of_sides) {
            level_note(file, "Its triangles are large, but nothing in it is upright: taken as ground in metres. ");
            return 1.0f;
        }
    }
    return 1.0f;
}

static void box_of(const lope_terrain_mesh *mesh, lope_vec3 *low, lope_vec3 *high)
{
    for (int i = 0; i < mesh->vertex_count; i++)
        widen(low, high, mesh->vertices[i]);
}

// The part that is so much larger than all others together, and high, that it can only be a backdrop; -1: none.
static int find_backdrop(const level_mesh *meshes, int count, float *times)
{
    lope_vec3 widest[2] = {{0}}, rest[2] = {NOWHERE_LOW, NOWHERE_HIGH};
    int found = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++) {
            lope_vec3 box[2] = {NOWHERE_LOW, NOWHERE_HIGH};
            if (!meshes[i].mesh || (pass && i == found))
                continue;
            box_of(meshes[i].mesh, &box[0], &box[1]);
            if (!pass && (found < 0 || largest(box[0], box[1]) > largest(widest[0], widest[1])))
                found = i, widest[0] = box[0], widest[1] = box[1];
            if (pass)
                widen(&rest[0], &rest[1], box[0]), widen(&rest[0], &rest[1], box[1]);
        }
    const lope_vec3 size = lope_v3_sub(widest[1], widest[0]);
    *times = rest[0].x <= rest[1].x ? largest(widest[0], widest[1]) / fmaxf(largest(rest[0], rest[1]), 1e-6f) : 0.0f;
    const bool high = fminf(size.x, fminf(size.y, size.z)) > BACKDROP_HIGH * largest(widest[0], widest[1]);
    return *times > BACKDROP && high ? found : -1;
}

// Looks at all triangles; parts without area are nothing from then on.
static void look(evidence *e, level_mesh *meshes, int count, lope_level_file *file)
{
    int triangles = 0, empty = 0;
    float times;
    const int backdrop = find_backdrop(meshes, count, &times);
    if (backdrop >= 0)
        level_note(file, "'%s' is %.0f times as large as all else: call it LOPE_ignore if it is a sky. ",
                   meshes[backdrop].name, (double)times);
    for (int i = 0; i < count; i++)
        triangles += meshes[i].mesh ? meshes[i].mesh->triangle_count : 0;
    e->step = 1 + triangles / SAMPLES;
    for (int i = 0; i < count; i++) {
        if (!meshes[i].mesh || i == backdrop)
            continue;
        if (gather(e, meshes[i].mesh) <= 0.0) {
            lope_terrain_mesh_destroy(meshes[i].mesh);
            meshes[i].mesh = NULL;
            meshes[i].kind[0] = 0;
            empty++;
        } else if (e->thing == 0.0f && meshes[i].kind[0]) {
            lope_vec3 low = NOWHERE_LOW, high = NOWHERE_HIGH;
            box_of(meshes[i].mesh, &low, &high);
            e->thing = largest(low, high);
        }
    }
    if (empty)
        level_note(file, "%d of its meshes have no area and were left out. ", empty);
}

// From the file's units and axes to ours.
static affine find_axes(const level_target *target, evidence *e)
{
    bool doubtful = false, z_up = target->def.up ? target->def.up == 'z' : is_z_up(e, &doubtful);
    float unit = target->def.scale > 0.0f ? target->def.scale : unit_of(e, z_up, target->file);
    if (z_up && !target->def.up)
        level_note(target->file, "Z is up in it: turned so that Y is (if not: --up y). ");
    if (doubtful)
        level_note(target->file, "Y is taken for up, as walls may be long; if it is Z: --up z. ");
    if (unit != 1.0f && target->def.scale == 0.0f)
        level_note(target->file, "It is in %s: scaled to metres. ", unit < 0.005f ? "millimetres" : "centimetres");
    double u = (double)unit, level = z_up ? 0.0 : u, turned = z_up ? u : 0.0;
    return (affine){{{u, 0, 0, 0}, {0, level, turned, 0}, {0, -turned, level, 0}}};
}

// Things are seen from where their kind is: the floor under their middle, a slide from below its top, a bar from its
// middle. Moves the frame of a mesh there; modellers put the origin anywhere.
static void anchor(lope_terrain_mesh *mesh, const char *kind, lope_transform *at)
{
    lope_vec3 low = NOWHERE_LOW, high = NOWHERE_HIGH;
    box_of(mesh, &low, &high);
    lope_vec3 foot = lope_v3_lerp(low, high, 0.5f);
    foot.y = strcmp(kind, "bar") == 0 ? foot.y : low.y;
    foot.z = strcmp(kind, "slide") == 0 ? low.z : foot.z;
    for (int i = 0; i < mesh->vertex_count; i++)
        mesh->vertices[i] = lope_v3_sub(mesh->vertices[i], foot);
    at->translation = lope_transform_point(*at, foot);
}

static lope_status add_mesh(const level_target *target, const affine *fix, level_mesh *m, lope_error *error)
{
    lope_part_def def = lope_part_def_default(m->mesh ? LOPE_PART_MESH : LOPE_PART_THING);
    affine back, fixed = lope_affine_mul(fix, &m->frame);
    if (lope_affine_inverse(fix, &back))
        fixed = lope_affine_mul(&fixed, &back);
    lope_transform at = lope_affine_rigid(&fixed), undo = lope_transform_inverse(at);
    for (int i = 0; m->mesh && i < m->mesh->vertex_count; i++)
        m->mesh->vertices[i] = lope_transform_point(undo, lope_affine_point(fix, m->mesh->vertices[i]));
    snprintf(def.name, sizeof def.name, "%s", target->name[0] ? target->name : m->name);
    snprintf(def.kind, sizeof def.kind, "%s", target->kind[0] ? target->kind : m->kind);
    if (m->mesh && def.kind[0])
        anchor(m->mesh, def.kind, &at);
    def.at = lope_transform_mul(target->at, at);
    def.mesh = m->mesh;
    return lope_level_add(target->file->level, &def, NULL, error);
}

lope_status level_add_meshes(const level_target *target, const char *path, level_mesh *meshes, int count,
                             lope_error *error)
{
    evidence e = {.low = NOWHERE_LOW, .high = NOWHERE_HIGH};
    lope_error why = {0};
    int added = 0;
    look(&e, meshes, count, target->file);
    const affine fix = find_axes(target, &e);
    for (int i = 0; i < count; i++) {
        if (!meshes[i].mesh && !meshes[i].kind[0])
            continue;
        lope_status status = add_mesh(target, &fix, &meshes[i], &why);
        if (status == LOPE_NO_MEMORY)
            return lope_fail_memory(error);
        if (status)
            return lope_fail_at(error, status, path, 0, "part '%s': %s", meshes[i].name, why.message);
        added++;
    }
    return added ? LOPE_OK : lope_fail_at(error, LOPE_BAD_DATA, path, 0, "expected triangles, found none");
}

lope_status level_read_mesh(const level_target *target, const char *path, lope_error *error)
{
    const char *dot = strrchr(lope_path_base(path), '.');
    level_mesh one = {.frame = lope_affine_identity()};
    if (dot && (strcasecmp(dot, ".glb") == 0 || strcasecmp(dot, ".gltf") == 0))
        return level_read_gltf(target, &(lope_level_bytes){.name = path}, error);
    lope_status status = lope_terrain_mesh_read(path, 1.0f, &one.mesh, error);
    if (status)
        return status;
    snprintf(one.name, sizeof one.name, "%s", lope_path_base(path));
    status = level_add_meshes(target, path, &one, 1, error);
    lope_terrain_mesh_destroy(one.mesh);
    return status;
}
