// SPDX-License-Identifier: MIT
// Borders of a floor as obstacles of a world: thin quads behind them.
#include "base/error.h"
#include "level/border_lines.h"
#include "lope/level_views.h"

#define SHORTEST 5e-3f // metres of lines that matter to bodies
#define DEPTH 2e-3f    // metres of a quad,
#define AREA 1.1e-4f   // more where it would have less area than obstacles need

struct lope_level_obstacles {
    const lope_floors *floors;
    lope_crowd *world;
    int floor;
    border_lines lines;
};

static lope_status add_line(void *user, const border_line *line, uint64_t *handle, lope_error *error)
{
    lope_level_obstacles *view = user;
    const lope_vec2 a = {line->from.x, line->from.z}, b = {line->to.x, line->to.z};
    const float x = b.x - a.x, z = b.z - a.z, length = sqrtf(x * x + z * z), deep = fmaxf(DEPTH, AREA / length);
    const lope_vec2 behind = {z / length * deep, -x / length * deep};
    const lope_vec2 corners[] = {a, b, {b.x + behind.x, b.z + behind.z}, {a.x + behind.x, a.z + behind.z}};
    lope_obstacle_id id;
    lope_status status = lope_crowd_add_polygon(view->world, corners, 4, &id, error);
    *handle = status ? 0 : (uint64_t)id.index1 << 32 | id.generation;
    return status;
}

static void remove_line(void *user, uint64_t handle)
{
    lope_level_obstacles *view = user;
    lope_crowd_remove_obstacle(view->world, (lope_obstacle_id){(uint32_t)(handle >> 32), (uint32_t)handle});
}

static bool gather(lope_level_obstacles *view, lope_vec3 from, lope_vec3 to)
{
    const float x = to.x - from.x, z = to.z - from.z;
    const border_line line = {.from = from, .to = to};
    return x * x + z * z < SHORTEST * SHORTEST || list_add(&view->lines.next, &line, sizeof line);
}

lope_status lope_level_obstacles_update(lope_level_obstacles *view, lope_error *error)
{
    int count;
    bool fine = true;
    const lope_floor_border *borders = lope_floors_borders(view->floors, &count);
    for (int i = 0; i < count && fine; i++)
        if (borders[i].floor == view->floor)
            fine = gather(view, borders[i].from, borders[i].to);
    const lope_link *links = lope_floors_links(view->floors, &count);
    for (int i = 0; i < count && fine; i++)
        if (links[i].kind == LOPE_LINK_SEAM && links[i].from_floor == view->floor)
            fine = gather(view, links[i].left, links[i].right);
    if (!fine) {
        view->lines.next.count = 0;
        return lope_fail_memory(error);
    }
    return border_lines_update(&view->lines, &(border_world){add_line, remove_line, view}, error);
}

lope_status lope_level_obstacles_create(const lope_floors *floors, int floor, lope_crowd *world,
                                        lope_level_obstacles **out, lope_error *error)
{
    *out = NULL;
    if (!lope_floors_space(floors, floor))
        return lope_fail(error, LOPE_NOT_FOUND, "there is no floor %d", floor);
    lope_level_obstacles *view = lope_alloc_zero(sizeof *view);
    if (!view)
        return lope_fail_memory(error);
    *view = (lope_level_obstacles){.floors = floors, .world = world, .floor = floor};
    lope_status status = lope_level_obstacles_update(view, error);
    if (status) {
        view->lines.next.count = 0; // takes back what there is
        border_lines_update(&view->lines, &(border_world){add_line, remove_line, view}, NULL);
        lope_level_obstacles_destroy(view);
    } else {
        *out = view;
    }
    return status;
}

void lope_level_obstacles_destroy(lope_level_obstacles *view)
{
    if (!view)
        return;
    border_lines_free(&view->lines);
    lope_free(view);
}
