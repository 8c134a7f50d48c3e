// SPDX-License-Identifier: MIT
// The ground that ways are found on: a triangulation of the obstacles (lope/paths.h). It is built once; what comes and
// goes later changes it around there only.
#include "base/error.h"
#include "base/memory.h"
#include "crowd/routes.h"
#include "space/path.h"

#define ROUNDING 0.02      // metres by which corners around a circle reach out of it, where their number allows
#define MOST_CORNERS 2048  // around a circle
#define MARGIN 20.0f       // metres around all obstacles where the world has no bounds,
#define LEAST_MARGIN 10.0f // and around those that come later; where it is less, the ground is built anew

void crowd_routes_free(crowd_routes *routes)
{
    lope_path_finder_destroy(routes->finder);
    lope_passages_destroy(routes->passages);
    lope_space_destroy(routes->space);
    lope_free(routes->laid);
    routes->finder = NULL;
    routes->passages = NULL;
    routes->space = NULL;
    routes->laid = NULL;
    routes->laid_count = 0;
}

// The ground that is triangulated. Bodies may come as near to the bounds as they are wide, ways keep more off
// everything else.
static void extents(const crowd_routes *routes, const crowd_obstacles *obstacles, float margin, lope_vec2 *low,
                    lope_vec2 *high)
{
    if (routes->bounded) {
        *low = (lope_vec2){routes->low.x - routes->clearance, routes->low.z - routes->clearance};
        *high = (lope_vec2){routes->high.x + routes->clearance, routes->high.z + routes->clearance};
        return;
    }
    *low = (lope_vec2){INFINITY, INFINITY};
    *high = (lope_vec2){-INFINITY, -INFINITY};
    for (int i = 0; i < obstacles->count; i++) {
        const crowd_obstacle *o = &obstacles->items[i];
        if (!o->alive)
            continue;
        float reach = o->radius + margin;
        *low = (lope_vec2){fminf(low->x, o->centre.x - reach), fminf(low->z, o->centre.z - reach)};
        *high = (lope_vec2){fmaxf(high->x, o->centre.x + reach), fmaxf(high->z, o->centre.z + reach)};
    }
}

// What lies there already is moved.
static lope_status lay_corners(crowd_routes *routes, const lope_vec2 *corners, int count, crowd_laid *laid,
                               lope_error *error)
{
    return laid->name ? lope_space_move(routes->space, laid->name, corners, count, error)
                      : lope_space_add(routes->space, corners, count, &laid->name, error);
}

// A circle as a polygon whose sides touch it: as many corners as it takes for them to stay near it.
static lope_status lay_circle(crowd_routes *routes, const crowd_obstacle *circle, crowd_laid *laid, lope_error *error)
{
    double wanted = LOPE_PI / sqrt(2.0 * ROUNDING / (double)circle->radius);
    int count = wanted < 8.0 ? 8 : wanted > MOST_CORNERS ? MOST_CORNERS : (int)wanted + 1;
    lope_vec2 *corners = lope_alloc_array((size_t)count, sizeof *corners);
    if (!corners)
        return lope_fail_memory(error);
    float out = circle->radius / (float)lope_cos(LOPE_PI / count);
    for (int i = 0; i < count; i++) {
        double angle = 2.0 * LOPE_PI * (double)i / (double)count;
        corners[i] = crowd_mad(circle->centre, (lope_vec2){(float)lope_cos(angle), (float)lope_sin(angle)}, out);
    }
    laid->rounding = out - circle->radius;
    lope_status status = lay_corners(routes, corners, count, laid, error);
    lope_free(corners);
    return status;
}

static lope_status lay(crowd_routes *routes, const crowd_obstacles *obstacles, int index, lope_error *error)
{
    const crowd_obstacle *o = &obstacles->items[index];
    crowd_laid laid = {.name = routes->laid[index].name, .generation = o->generation, .moves = o->moves};
    lope_status status = o->corner_count == 0
                             ? lay_circle(routes, o, &laid, error)
                             : lay_corners(routes, obstacles->corners + o->corner_first, o->corner_count, &laid, error);
    if (!status)
        routes->laid[index] = laid;
    return status;
}

static bool reserve_laid(crowd_routes *routes, int count)
{
    if (count <= routes->laid_count)
        return true;
    size_t size = sizeof *routes->laid;
    crowd_laid *grown = lope_grow(routes->laid, (size_t)routes->laid_count * size, (size_t)count * size);
    if (!grown)
        return false;
    for (int i = routes->laid_count; i < count; i++)
        grown[i] = (crowd_laid){0};
    routes->laid = grown;
    routes->laid_count = count;
    return true;
}

// Makes the space hold the obstacles that are there: first those leave it that are gone.
static lope_status lay_changes(crowd_routes *routes, const crowd_obstacles *obstacles, lope_error *error)
{
    lope_status status = reserve_laid(routes, obstacles->count) ? LOPE_OK : lope_fail_memory(error);
    for (int i = 0; i < routes->laid_count; i++) {
        crowd_laid *laid = &routes->laid[i];
        const crowd_obstacle *o = i < obstacles->count ? &obstacles->items[i] : NULL;
        if (laid->name == 0 || (o && o->alive && o->generation == laid->generation))
            continue;
        lope_space_remove(routes->space, laid->name);
        *laid = (crowd_laid){0};
    }
    routes->rounding = 0.0f;
    for (int i = 0; i < obstacles->count && !status; i++) {
        const crowd_obstacle *o = &obstacles->items[i];
        if (o->alive && (routes->laid[i].name == 0 || routes->laid[i].moves != o->moves))
            status = lay(routes, obstacles, i, error);
        routes->rounding = fmaxf(routes->rounding, routes->laid[i].rounding);
    }
    return status;
}

static lope_status build(crowd_routes *routes, const crowd_obstacles *obstacles, lope_error *error)
{
    lope_vec2 low, high;
    extents(routes, obstacles, MARGIN, &low, &high);
    lope_status status = lope_space_create(low, high, &routes->space, error);
    if (!status)
        status = lay_changes(routes, obstacles, error);
    if (!status)
        status = lope_passages_create(routes->space, &routes->passages, error);
    if (!status)
        status = lope_path_finder_create(&routes->finder, error);
    if (!status && !lope_path_reserve(routes->finder, routes->passages))
        status = lope_fail_memory(error);
    return status;
}

static lope_status rebuild(crowd_routes *routes, const crowd_obstacles *obstacles, lope_error *error)
{
    crowd_routes fresh = {
        .bounded = routes->bounded, .low = routes->low, .high = routes->high, .clearance = routes->clearance};
    lope_status status = obstacles->alive ? build(&fresh, obstacles, error) : LOPE_OK;
    if (status) {
        crowd_routes_free(&fresh);
        return status;
    }
    crowd_routes_free(routes);
    *routes = fresh;
    return LOPE_OK;
}

// Whether the obstacles lie on the ground that is there.
static bool fits(const crowd_routes *routes, const crowd_obstacles *obstacles)
{
    if (!routes->space || obstacles->alive == 0)
        return false;
    lope_vec2 low, high;
    const lope_space *space = &routes->passages->space;
    extents(routes, obstacles, LEAST_MARGIN, &low, &high);
    return routes->bounded || ((double)low.x >= space->low.x && (double)low.z >= space->low.z &&
                               (double)high.x <= space->high.x && (double)high.z <= space->high.z);
}

lope_status crowd_routes_update(crowd_routes *routes, const crowd_obstacles *obstacles, lope_error *error)
{
    if (fits(routes, obstacles) && lay_changes(routes, obstacles, NULL) == LOPE_OK &&
        lope_passages_update(routes->passages, routes->space, NULL) == LOPE_OK &&
        lope_path_reserve(routes->finder, routes->passages)) {
        routes->stale = false;
        return LOPE_OK;
    }
    return rebuild(routes, obstacles, error);
}
