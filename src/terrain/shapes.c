// SPDX-License-Identifier: MIT
// Meshes of simple grounds. Each kind is written in a frame of its own, beginning at the origin and going towards +Z,
// and put in its place at the end.
#include "terrain/shapes.h"

#include "base/error.h"
#include "lope/terrain_shapes.h"

#define MOST_TRIANGLES 4000000

static const char *const names[LOPE_SHAPE_COUNT] = {"flat", "ramp", "bumps", "stairs", "stones", "spiral"};

const char *lope_terrain_shape_name(lope_terrain_shape_kind kind)
{
    return names[kind];
}

lope_terrain_shape lope_terrain_shape_default(lope_terrain_shape_kind kind)
{
    lope_terrain_shape shape = {.kind = kind,
                                .seed = 1,
                                .width = 4.0f,
                                .length = 10.0f,
                                .height = 1.0f,
                                .irregular = 0.5f,
                                .columns = 100,
                                .rows = 50,
                                .wavelength = 2.5f,
                                .steps = 12,
                                .flights = 1,
                                .rise = 0.16f,
                                .tread = 0.3f,
                                .landing = 2.0f,
                                .gap = 0.3f,
                                .radius = 0.25f,
                                .inner = 1.0f,
                                .outer = 3.0f};
    if (kind == LOPE_SHAPE_BUMPS) {
        shape.width = 30.0f;
        shape.length = 15.0f;
        shape.height = 0.4f;
    } else if (kind == LOPE_SHAPE_STONES) {
        shape.width = 12.0f;
        shape.length = 12.0f;
        shape.height = 0.15f;
    } else if (kind == LOPE_SHAPE_SPIRAL) {
        shape.steps = 48;
        shape.tread = 0.6f;
    }
    return shape;
}

typedef struct limit {
    const char *name;
    float value, least, most;
    unsigned kinds; // bits of the kinds that use it
} limit;

#define BIT(kind) (1u << LOPE_SHAPE_##kind)
#define AREA (BIT(FLAT) | BIT(RAMP) | BIT(BUMPS) | BIT(STONES))

static lope_status check(const lope_terrain_shape *s, lope_error *error)
{
    const unsigned all = (1u << LOPE_SHAPE_COUNT) - 1u;
    const limit limits[] = {
        {"x", s->place.x, -5e4f, 5e4f, all},
        {"y", s->place.y, -5e4f, 5e4f, all},
        {"z", s->place.z, -5e4f, 5e4f, all},
        {"yaw", s->yaw, -1e3f, 1e3f, all},
        {"width", s->width, 0.01f, 1e4f, AREA | BIT(STAIRS)},
        {"length", s->length, 0.01f, 1e4f, AREA},
        {"height", s->height, -1e3f, 1e3f, AREA},
        {"irregular", s->irregular, 0.0f, 1.0f, BIT(STAIRS) | BIT(STONES)},
        {"columns", (float)s->columns, 1.0f, 4096.0f, BIT(BUMPS)},
        {"rows", (float)s->rows, 1.0f, 4096.0f, BIT(BUMPS)},
        {"wavelength", s->wavelength, 0.01f, 1e4f, BIT(BUMPS)},
        {"steps", (float)s->steps, 1.0f, 10000.0f, BIT(STAIRS) | BIT(SPIRAL)},
        {"flights", (float)s->flights, 1.0f, 100.0f, BIT(STAIRS)},
        {"rise", s->rise, -10.0f, 10.0f, BIT(STAIRS) | BIT(SPIRAL)},
        {"tread", s->tread, 0.01f, 100.0f, BIT(STAIRS) | BIT(SPIRAL)},
        {"landing", s->landing, 0.0f, 1e3f, BIT(STAIRS)},
        {"gap", s->gap, 0.0f, 100.0f, BIT(STONES)},
        {"radius", s->radius, 0.01f, 100.0f, BIT(STONES)},
        {"inner", s->inner, 0.01f, 100.0f, BIT(SPIRAL)},
        {"outer", s->outer, 0.02f, 200.0f, BIT(SPIRAL)},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const limit *l = &limits[i];
        if ((l->kinds >> s->kind & 1u) && !(l->value >= l->least && l->value <= l->most))
            return lope_fail(error, LOPE_BAD_DATA, "'%s' of %s must lie between %g and %g, found %g", l->name,
                             names[s->kind], (double)l->least, (double)l->most, (double)l->value);
    }
    if (s->kind == LOPE_SHAPE_SPIRAL && !(s->outer > s->inner))
        return lope_fail(error, LOPE_BAD_DATA, "'outer' of a spiral must be more than 'inner' (%g), found %g",
                         (double)s->inner, (double)s->outer);
    return LOPE_OK;
}

static void count_of(const lope_terrain_shape *shape, double *vertices, double *triangles)
{
    switch (shape->kind) {
    case LOPE_SHAPE_BUMPS:
        *vertices = (shape->columns + 1.0) * (shape->rows + 1.0);
        *triangles = 2.0 * shape->columns * shape->rows;
        break;
    case LOPE_SHAPE_STAIRS:
        shape_stairs_count(shape, vertices, triangles);
        break;
    case LOPE_SHAPE_STONES:
        shape_stones_count(shape, vertices, triangles);
        break;
    case LOPE_SHAPE_SPIRAL:
        *vertices = 8.0 * shape->steps;
        *triangles = 4.0 * shape->steps;
        break;
    default:
        *vertices = 4.0;
        *triangles = 2.0;
        break;
    }
}

static void fill(const lope_terrain_shape *shape, shape_pen *pen)
{
    switch (shape->kind) {
    case LOPE_SHAPE_BUMPS:
        shape_bumps(shape, pen);
        break;
    case LOPE_SHAPE_STAIRS:
        shape_stairs(shape, pen);
        break;
    case LOPE_SHAPE_STONES:
        shape_stones(shape, pen);
        break;
    case LOPE_SHAPE_SPIRAL:
        shape_spiral(shape, pen);
        break;
    default: {
        float half = 0.5f * shape->width, far = shape->kind == LOPE_SHAPE_RAMP ? shape->height : 0.0f;
        shape_quad(pen, lope_v3(-half, 0, 0), lope_v3(half, 0, 0), lope_v3(half, far, shape->length),
                   lope_v3(-half, far, shape->length));
        break;
    }
    }
}

static lope_transform world_from_shape(const lope_terrain_shape *shape)
{
    return (lope_transform){lope_quat_yaw(shape->yaw), shape->place};
}

lope_status lope_terrain_shape_mesh(const lope_terrain_shape *shape, lope_terrain_mesh **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check(shape, error);
    if (status)
        return status;
    double vertices, triangles;
    count_of(shape, &vertices, &triangles);
    if (triangles < 1.0 || triangles > MOST_TRIANGLES)
        return lope_fail(error, LOPE_BAD_DATA, "%s would have %.0f triangles; from 1 to %d are made",
                         names[shape->kind], triangles, MOST_TRIANGLES);
    status = lope_terrain_mesh_create((int)vertices, (int)triangles, out, error);
    if (status)
        return status;
    shape_pen pen = {*out, 0, 0};
    fill(shape, &pen);
    lope_transform place = world_from_shape(shape);
    for (int i = 0; i < (*out)->vertex_count; i++)
        (*out)->vertices[i] = lope_transform_point(place, (*out)->vertices[i]);
    return LOPE_OK;
}

lope_transform lope_terrain_shape_end(const lope_terrain_shape *shape)
{
    lope_transform end = lope_transform_identity();
    switch (shape->kind) {
    case LOPE_SHAPE_STAIRS:
        end.translation = shape_stairs_end(shape);
        break;
    case LOPE_SHAPE_SPIRAL: {
        float turn = shape_spiral_turn(shape) * (float)shape->steps, middle = 0.5f * (shape->inner + shape->outer);
        end.rotation = lope_quat_yaw(turn);
        end.translation = lope_quat_rotate(end.rotation, lope_v3(middle, 0, 0));
        end.translation.y = shape->rise * (float)(shape->steps - 1);
        end.rotation = lope_quat_yaw(turn + (float)LOPE_PI);
        break;
    }
    default:
        end.translation = lope_v3(0, shape->kind == LOPE_SHAPE_RAMP ? shape->height : 0.0f, shape->length);
        break;
    }
    return lope_transform_mul(world_from_shape(shape), end);
}
