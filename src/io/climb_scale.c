// SPDX-License-Identifier: MIT
// Climbing scenes in other sizes: for bodies that are larger or smaller than the one they were made for.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/climb_scene.h"

#define SMALLEST 0.1
#define LARGEST 10.0

static lope_xy scaled(lope_xy at, double factor)
{
    return (lope_xy){factor * at.x, factor * at.y};
}

static lope_status scale_world(const lope_grasp_world *world, double factor, lope_grasp_world **out, lope_error *error)
{
    int corners = 0;
    for (int i = 0; i < world->obstacle_count; i++)
        corners += world->obstacles[i].count;
    lope_grasp_polygon *polygons = lope_alloc_array((size_t)world->obstacle_count + 1, sizeof *polygons);
    lope_xy *corner = lope_alloc_array((size_t)corners + 1, sizeof *corner);
    lope_hold *holds = lope_alloc_array((size_t)world->hold_count + 1, sizeof *holds);
    lope_grasp_surface *surfaces = lope_alloc_array((size_t)world->surface_count + 1, sizeof *surfaces);
    int hold_count = 0;
    lope_status status = polygons && corner && holds && surfaces ? LOPE_OK : lope_fail_memory(error);
    for (int i = 0, next = 0; i < world->obstacle_count && !status; i++) {
        polygons[i] = (lope_grasp_polygon){corner + next, world->obstacles[i].count};
        for (int k = 0; k < polygons[i].count; k++)
            corner[next++] = scaled(world->obstacles[i].corners[k], factor);
    }
    for (int i = 0; i < world->hold_count && !status; i++)
        if (world->holds[i].surface < 0) {
            holds[hold_count] = world->holds[i];
            holds[hold_count++].at = scaled(world->holds[i].at, factor);
        }
    for (int i = 0; i < world->surface_count && !status; i++)
        surfaces[i] = (lope_grasp_surface){scaled(world->surfaces[i].from, factor),
                                           scaled(world->surfaces[i].to, factor), world->surfaces[i].kind};
    lope_grasp_world_def def = lope_grasp_world_def_default();
    def.low = scaled(world->low, factor);
    def.high = scaled(world->high, factor);
    def.obstacles = polygons;
    def.obstacle_count = world->obstacle_count;
    def.holds = holds;
    def.hold_count = hold_count;
    def.surfaces = surfaces;
    def.surface_count = world->surface_count;
    def.cell = world->cell * factor;
    if (!status)
        status = lope_grasp_world_create(&def, out, NULL, error);
    lope_free(polygons);
    lope_free(corner);
    lope_free(holds);
    lope_free(surfaces);
    return status;
}

static void scale_body(lope_grasp_body *body, double factor)
{
    body->unit *= factor;
    body->spine *= factor;
    body->head *= factor;
    for (int i = 0; i < 4; i++)
        body->length[i / 2][i % 2] *= factor;
}

static lope_status scale_sequences(const lope_climb_scene *scene, double factor, lope_climb_scene *out,
                                   lope_error *error)
{
    out->sequences = lope_alloc_zero(((size_t)scene->sequence_count + 1) * sizeof *out->sequences);
    if (!out->sequences)
        return lope_fail_memory(error);
    for (int i = 0; i < scene->sequence_count; i++) {
        const lope_climb_sequence *from = &scene->sequences[i];
        lope_grasp_pose *poses = lope_alloc_array((size_t)from->count, sizeof *poses);
        if (!poses)
            return lope_fail_memory(error);
        for (int k = 0; k < from->count; k++) {
            poses[k] = from->poses[k];
            poses[k].hip = scaled(poses[k].hip, factor);
        }
        out->sequences[out->sequence_count++] = (lope_climb_sequence){poses, from->count, &out->body, from->seconds};
    }
    return LOPE_OK;
}

static void scale_site(const lope_climb_scene *scene, double factor, const lope_climb_scene *out, lope_climb_site *site)
{
    site->at = scaled(site->at, factor);
    if (site->sequence)
        site->sequence = out->sequences + (site->sequence - scene->sequences);
}

lope_status lope_climb_scene_scaled(const lope_climb_scene *scene, double factor, lope_climb_scene **out,
                                    lope_error *error)
{
    *out = NULL;
    if (!(factor >= SMALLEST && factor <= LARGEST))
        return lope_fail(error, LOPE_BAD_DATA, "a scene can be scaled by %g to %g, found %g", SMALLEST, LARGEST,
                         factor);
    lope_climb_scene *copy = lope_alloc_zero(sizeof *copy);
    if (!copy)
        return lope_fail_memory(error);
    memcpy(copy->name, scene->name, sizeof copy->name);
    copy->problem = scene->problem;
    copy->body = scene->body;
    scale_body(&copy->body, factor);
    lope_status status = scale_sequences(scene, factor, copy, error);
    if (!status)
        status = scale_world(scene->world, factor, &copy->world, error);
    if (status) {
        lope_climb_scene_destroy(copy);
        return status;
    }
    scale_site(scene, factor, copy, &copy->problem.start);
    scale_site(scene, factor, copy, &copy->problem.goal);
    for (int i = 0; i < copy->problem.via_count; i++)
        scale_site(scene, factor, copy, &copy->problem.via[i]);
    *out = copy;
    return LOPE_OK;
}
