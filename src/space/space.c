// SPDX-License-Identifier: MIT
// Worlds of obstacles: polygons in, out and moved, each as a closed course of
// segments in the triangulation.
#include "space/space.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define COORDINATE_MAX 1e10
#define SIDE_MIN 1e-3
#define CORNERS_MAX (INT_MAX / 64)

static bool reserve_obstacle(lope_space *space)
{
    if (space->obstacle_free >= 0 || space->obstacle_count < space->obstacle_capacity)
        return true;
    int capacity = space->obstacle_capacity ? 2 * space->obstacle_capacity : 16;
    lope_space_obstacle *larger =
        lope_grow(space->obstacles, (size_t)space->obstacle_count * sizeof *larger, (size_t)capacity * sizeof *larger);
    if (!larger)
        return false;
    space->obstacles = larger;
    space->obstacle_capacity = capacity;
    return true;
}

static int take_obstacle(lope_space *space)
{
    int obstacle = space->obstacle_free;
    if (obstacle >= 0)
        space->obstacle_free = space->obstacles[obstacle].next_free;
    else
        obstacle = space->obstacle_count++;
    space->obstacles[obstacle] = (lope_space_obstacle){-1, -1, true};
    space->obstacles_alive++;
    return obstacle;
}

static void drop_obstacle(lope_space *space, int obstacle)
{
    space->obstacles[obstacle] = (lope_space_obstacle){-1, space->obstacle_free, false};
    space->obstacle_free = obstacle;
    space->obstacles_alive--;
}

// Every vertex at the obstacle's edges and the ends of its segments, each once.
static int collect_vertices(lope_space *space, int first_segment, int edge_count)
{
    lope_mesh *mesh = &space->mesh;
    int count = 0;
    lope_mesh_next_stamp(mesh);
    for (int i = 0; i < 2 * edge_count; i++) {
        int vertex = lope_mesh_origin(mesh, 2 * mesh->edge_list[i / 2] + i % 2);
        if (mesh->vertices[vertex].stamp != mesh->stamp)
            mesh->vertex_list[count++] = vertex;
        mesh->vertices[vertex].stamp = mesh->stamp;
    }
    for (int s = first_segment; s >= 0; s = mesh->segments[s].next)
        for (int end = 0; end < 2; end++) {
            int vertex = end ? mesh->segments[s].to : mesh->segments[s].from;
            if (mesh->vertices[vertex].stamp != mesh->stamp)
                mesh->vertex_list[count++] = vertex;
            mesh->vertices[vertex].stamp = mesh->stamp;
        }
    return count;
}

// Takes all segments of an obstacle out. `covered`: its cover has been counted.
// Needs no memory.
static void take_out(lope_space *space, int obstacle, bool covered)
{
    lope_mesh *mesh = &space->mesh;
    int first = space->obstacles[obstacle].first_segment;
    int edge_count = lope_mesh_collect(mesh, obstacle, first);
    if (covered)
        lope_mesh_cover(mesh, obstacle, edge_count, -1);
    int vertex_count = collect_vertices(space, first, edge_count);
    for (int i = 0; i < edge_count; i++) {
        lope_mesh_remove_pieces(mesh, mesh->edge_list[i], obstacle);
        lope_mesh_enqueue(mesh, 2 * mesh->edge_list[i]);
    }
    lope_mesh_restore(mesh);
    for (int s = first; s >= 0;) {
        int next = mesh->segments[s].next;
        lope_mesh_free_segment(mesh, s);
        s = next;
    }
    space->obstacles[obstacle].first_segment = -1;
    for (int i = 0; i < vertex_count; i++)
        lope_mesh_tidy_vertex(mesh, mesh->vertex_list[i]);
}

static lope_status add_segment(lope_space *space, int obstacle, int from, int to)
{
    lope_mesh *mesh = &space->mesh;
    int segment = lope_mesh_add_segment(mesh, obstacle, from, to);
    mesh->segments[segment].next = space->obstacles[obstacle].first_segment;
    space->obstacles[obstacle].first_segment = segment;
    return lope_mesh_insert_segment(mesh, segment);
}

// Corners that no segment holds yet would be lost to a failure, so each is tied
// to the one before at once.
static lope_status lay_course(lope_space *space, int obstacle, const lope_point *corners, int count)
{
    lope_mesh *mesh = &space->mesh;
    int first = lope_mesh_insert_point(mesh, corners[0]), last = first;
    if (first < 0)
        return LOPE_NO_MEMORY;
    lope_status status = LOPE_OK;
    // A post: one segment of no length keeps its vertex. It also keeps the first
    // corner while others come in.
    status = add_segment(space, obstacle, first, first);
    for (int i = 1; i < count && status == LOPE_OK; i++) {
        int vertex = lope_mesh_insert_point(mesh, corners[i]);
        if (vertex < 0)
            return LOPE_NO_MEMORY;
        status = add_segment(space, obstacle, last, vertex);
        last = vertex;
    }
    return status == LOPE_OK && last != first ? add_segment(space, obstacle, last, first) : status;
}

static void tidy_everything(lope_space *space)
{
    for (int i = 0; i < space->mesh.vertex_count; i++)
        lope_mesh_tidy_vertex(&space->mesh, i);
    space->mesh.frayed = false;
}

// The clipped polygon in corners[0] becomes the obstacle's outline.
static lope_status put_in(lope_space *space, int obstacle, int count, lope_error *error)
{
    lope_mesh *mesh = &space->mesh;
    if (count == 0)
        return LOPE_OK;
    if (!lope_mesh_reserve_segments(mesh, count + 1))
        return lope_fail_memory(error);
    lope_status status = lay_course(space, obstacle, space->corners[0], count);
    if (status != LOPE_OK) {
        take_out(space, obstacle, false); // half an obstacle is none
        tidy_everything(space);           // crossings that its last segment did not reach may be anywhere
        return status == LOPE_NO_MEMORY ? lope_fail_memory(error)
                                        : lope_fail(error, status,
                                                    "the polygon's edges meet others too finely to be "
                                                    "told apart");
    }
    int edge_count = lope_mesh_collect(mesh, obstacle, space->obstacles[obstacle].first_segment);
    lope_mesh_cover(mesh, obstacle, edge_count, obstacle == LOPE_SPACE_BORDER ? -1 : 1);
    if (mesh->frayed)
        tidy_everything(space);
    return LOPE_OK;
}

static lope_status check_world(lope_vec2 low, lope_vec2 high, lope_error *error)
{
    const float values[4] = {low.x, low.z, high.x, high.z};
    for (int i = 0; i < 4; i++)
        if (!(fabs((double)values[i]) <= COORDINATE_MAX))
            return lope_fail(error, LOPE_BAD_DATA, "the world's corner %g, %g is not within %g m of the origin",
                             (double)(i < 2 ? low.x : high.x), (double)(i < 2 ? low.z : high.z), COORDINATE_MAX);
    double width = (double)high.x - (double)low.x, depth = (double)high.z - (double)low.z;
    if (!(width >= SIDE_MIN && depth >= SIDE_MIN))
        return lope_fail(error, LOPE_BAD_DATA, "a world of %g x %g m is too small, each side needs %g m", width, depth,
                         SIDE_MIN);
    return LOPE_OK;
}

// The outer rectangle leaves an eighth of room around the world, so that
// nothing is ever at its rim.
static bool create_mesh(lope_space *space)
{
    double width = space->high.x - space->low.x, depth = space->high.z - space->low.z;
    double margin = 0.125 * (width > depth ? width : depth), largest = margin;
    lope_point low = {space->low.x - margin, space->low.z - margin};
    lope_point high = {space->high.x + margin, space->high.z + margin};
    const double values[4] = {low.x, low.z, high.x, high.z};
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, fabs(values[i]));
    int exponent;
    frexp(largest, &exponent);
    lope_mesh grid_only = {.grid = ldexp(1.0, exponent - LOPE_MESH_GRID_BITS)};
    space->low = lope_mesh_snap(&grid_only, space->low);
    space->high = lope_mesh_snap(&grid_only, space->high);
    return lope_mesh_create(&space->mesh, lope_mesh_snap(&grid_only, low), lope_mesh_snap(&grid_only, high),
                            grid_only.grid);
}

lope_status lope_space_create(lope_vec2 low, lope_vec2 high, lope_space **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check_world(low, high, error);
    if (status != LOPE_OK)
        return status;
    lope_space *space = lope_alloc_zero(sizeof *space);
    if (!space)
        return lope_fail_memory(error);
    space->obstacle_free = -1;
    space->low = (lope_point){(double)low.x, (double)low.z};
    space->high = (lope_point){(double)high.x, (double)high.z};
    const lope_vec2 border[4] = {low, {high.x, low.z}, high, {low.x, high.z}};
    int corner_count = -1;
    space->log = lope_alloc_array(LOPE_SPACE_LOG, sizeof *space->log);
    if (space->log && create_mesh(space) && reserve_obstacle(space)) {
        take_obstacle(space);
        corner_count = lope_space_clip(space, border, 4);
    }
    status = corner_count < 0 ? lope_fail_memory(error) : put_in(space, LOPE_SPACE_BORDER, corner_count, error);
    if (status != LOPE_OK) {
        lope_space_destroy(space);
        return status;
    }
    *out = space;
    return LOPE_OK;
}

void lope_space_release(lope_space *space)
{
    lope_mesh_release(&space->mesh);
    lope_free(space->obstacles);
    lope_free(space->corners[0]);
    lope_free(space->corners[1]);
    lope_free(space->log);
}

void lope_space_destroy(lope_space *space)
{
    if (!space)
        return;
    lope_space_release(space);
    lope_free(space);
}

bool lope_space_copy(lope_space *space, const lope_space *from)
{
    *space = (lope_space){.low = from->low, .high = from->high};
    size_t size = (size_t)from->obstacle_count * sizeof *space->obstacles;
    if (!lope_mesh_clone(&space->mesh, &from->mesh) || !(space->obstacles = lope_alloc(size)))
        return false;
    memcpy(space->obstacles, from->obstacles, size);
    space->obstacle_count = space->obstacle_capacity = from->obstacle_count;
    space->obstacle_free = from->obstacle_free;
    space->obstacles_alive = from->obstacles_alive;
    return true;
}

// Obstacles of these names, none of them there yet.
static bool name_obstacles(lope_space *space, int count)
{
    if (count > space->obstacle_capacity) {
        int capacity = 2 * count;
        lope_space_obstacle *larger = lope_grow(space->obstacles, (size_t)space->obstacle_count * sizeof *larger,
                                                (size_t)capacity * sizeof *larger);
        if (!larger)
            return false;
        space->obstacles = larger;
        space->obstacle_capacity = capacity;
    }
    for (; space->obstacle_count < count; space->obstacle_count++)
        space->obstacles[space->obstacle_count] = (lope_space_obstacle){-1, -1, false};
    return true;
}

// The outline of an obstacle into corners[0] of another space; -1: no memory. Its segments are listed from the last to
// the first, which has no length.
static int read_outline(lope_space *space, const lope_space *from, int obstacle)
{
    const lope_mesh *mesh = &from->mesh;
    int count = 0, first = from->obstacles[obstacle].first_segment;
    for (int s = first; s >= 0; s = mesh->segments[s].next)
        count++;
    if (!lope_space_reserve_corners(space, 0, count + 1))
        return -1;
    int at = count = count > 1 ? count - 1 : count;
    for (int s = first; at > 0; s = mesh->segments[s].next)
        space->corners[0][--at] = lope_mesh_point(mesh, mesh->segments[s].from);
    return count;
}

lope_status lope_space_follow(lope_space *space, const lope_space *from, int obstacle, lope_error *error)
{
    if (!name_obstacles(space, from->obstacle_count))
        return lope_fail_memory(error);
    lope_space_obstacle *own = &space->obstacles[obstacle];
    if (own->alive)
        take_out(space, obstacle, true);
    bool alive = from->obstacles[obstacle].alive;
    space->obstacles_alive += alive - own->alive;
    own->alive = alive;
    if (!alive)
        return LOPE_OK;
    int count = read_outline(space, from, obstacle);
    return count < 0 ? lope_fail_memory(error) : put_in(space, obstacle, count, error);
}

// Checks and clips; the number of corners left goes into *left.
static lope_status read_corners(lope_space *space, const lope_vec2 *corners, int count, int *left, lope_error *error)
{
    if (count < 1 || count > CORNERS_MAX)
        return lope_fail(error, LOPE_BAD_DATA, "an obstacle has %d corners, expected 1 to %d", count, CORNERS_MAX);
    for (int i = 0; i < count; i++)
        if (!isfinite(corners[i].x) || !isfinite(corners[i].z))
            return lope_fail(error, LOPE_BAD_DATA, "corner %d of an obstacle is not finite", i);
    *left = lope_space_clip(space, corners, count);
    return *left < 0 ? lope_fail_memory(error) : LOPE_OK;
}

lope_status lope_space_add(lope_space *space, const lope_vec2 *corners, int count, int *obstacle, lope_error *error)
{
    int left, ignored;
    obstacle = obstacle ? obstacle : &ignored;
    *obstacle = 0;
    lope_status status = read_corners(space, corners, count, &left, error);
    if (status != LOPE_OK)
        return status;
    if (!reserve_obstacle(space))
        return lope_fail_memory(error);
    int taken = take_obstacle(space);
    status = put_in(space, taken, left, error);
    if (status == LOPE_OK) {
        *obstacle = taken;
        lope_space_note(space, taken);
    } else {
        drop_obstacle(space, taken);
    }
    return status;
}

static bool is_obstacle(const lope_space *space, int obstacle)
{
    return obstacle > LOPE_SPACE_BORDER && obstacle < space->obstacle_count && space->obstacles[obstacle].alive;
}

lope_status lope_space_move(lope_space *space, int obstacle, const lope_vec2 *corners, int count, lope_error *error)
{
    int left;
    if (!is_obstacle(space, obstacle))
        return lope_fail(error, LOPE_NOT_FOUND, "there is no obstacle %d", obstacle);
    lope_status status = read_corners(space, corners, count, &left, error);
    if (status != LOPE_OK)
        return status;
    lope_space_note(space, obstacle);
    take_out(space, obstacle, true);
    status = put_in(space, obstacle, left, error);
    lope_space_note(space, obstacle);
    return status;
}

void lope_space_remove(lope_space *space, int obstacle)
{
    assert(is_obstacle(space, obstacle));
    if (!is_obstacle(space, obstacle))
        return;
    lope_space_note(space, obstacle);
    take_out(space, obstacle, true);
    drop_obstacle(space, obstacle);
}

int lope_space_obstacle_count(const lope_space *space)
{
    return space->obstacles_alive - 1; // the border is one
}
