// SPDX-License-Identifier: MIT
// Paths with clearance: checks the ends, finds a corridor, pulls the way tight in it, and samples its arcs (compare
// Kallmann, local clearance triangulations, 2014).
#include "space/path.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "space/near.h"

// Metres that a line between two samples of an arc may come nearer to its corner: at least, and per metre of radius.
#define SAG 0.00025
#define SAG_OF_RADIUS 0.0005
// How much longer a way may be than its estimate before another one is looked for.
#define CLEARLY_LONGER 1.03

lope_status lope_path_finder_create(lope_path_finder **out, lope_error *error)
{
    *out = lope_alloc_zero(sizeof **out);
    return *out ? LOPE_OK : lope_fail_memory(error);
}

static void release(lope_path_finder *finder)
{
    lope_free(finder->nodes);
    lope_free(finder->steps);
    lope_free(finder->heap);
    lope_free(finder->crossed);
    lope_free(finder->other_crossed);
    lope_free(finder->kept);
    lope_free(finder->portals);
    lope_free(finder->bends);
    lope_free(finder->other_bends);
    lope_free(finder->left);
    lope_free(finder->right);
    lope_free(finder->seen);
    lope_free(finder->faces);
    lope_free(finder->corners);
    lope_free(finder->points);
    *finder = (lope_path_finder){0};
}

void lope_path_finder_destroy(lope_path_finder *finder)
{
    if (!finder)
        return;
    release(finder);
    lope_free(finder);
}

// Room for any search in the mesh. A failure leaves an empty finder.
static bool reserve(lope_path_finder *finder, const lope_mesh *mesh)
{
    if (mesh->edge_capacity <= finder->edge_capacity && mesh->face_capacity <= finder->face_capacity)
        return true;
    release(finder);
    size_t edges = (size_t)mesh->edge_capacity, faces = (size_t)mesh->face_capacity, bends = 4 * edges + 64;
    finder->nodes = lope_alloc_array(2 * edges, sizeof *finder->nodes);
    finder->steps = lope_alloc_zero(2 * edges * sizeof *finder->steps);
    finder->heap = lope_alloc_array(4 * edges + 4, sizeof *finder->heap);
    finder->crossed = lope_alloc_array(2 * edges, sizeof *finder->crossed);
    finder->other_crossed = lope_alloc_array(2 * edges, sizeof *finder->other_crossed);
    finder->kept = lope_alloc_array(2 * edges, sizeof *finder->kept);
    finder->portals = lope_alloc_array(2 * edges, sizeof *finder->portals);
    finder->bends = lope_alloc_array(bends, sizeof *finder->bends);
    finder->other_bends = lope_alloc_array(bends, sizeof *finder->other_bends);
    finder->left = lope_alloc_array(bends, sizeof *finder->left);
    finder->right = lope_alloc_array(bends, sizeof *finder->right);
    finder->seen = lope_alloc_zero(faces * sizeof *finder->seen);
    finder->faces = lope_alloc_array(faces, sizeof *finder->faces);
    finder->corners = lope_alloc_array(4 * edges, sizeof *finder->corners);
    if (!finder->nodes || !finder->steps || !finder->heap || !finder->crossed || !finder->portals || !finder->bends ||
        !finder->left || !finder->right || !finder->seen || !finder->faces || !finder->corners ||
        !finder->other_crossed || !finder->other_bends || !finder->kept) {
        release(finder);
        return false;
    }
    finder->edge_capacity = mesh->edge_capacity;
    finder->face_capacity = mesh->face_capacity;
    return true;
}

static bool reserve_points(lope_path_finder *finder, int more)
{
    int wanted = finder->point_count + more;
    if (wanted <= finder->point_capacity)
        return true;
    int capacity = wanted < 256 ? 256 : 2 * wanted;
    lope_vec2 *points =
        lope_grow(finder->points, (size_t)finder->point_count * sizeof *points, (size_t)capacity * sizeof *points);
    if (!points)
        return false;
    finder->points = points;
    finder->point_capacity = capacity;
    return true;
}

static void add_point(lope_path_finder *finder, lope_point p)
{
    finder->points[finder->point_count++] = (lope_vec2){(float)p.x, (float)p.z};
}

// The arc around a bend, from the end of line u to the beginning of line v, both unit vectors. Returns its length, -1:
// no memory.
static double add_arc(lope_path_finder *finder, lope_path_bend bend, lope_point u, lope_point v, double radius)
{
    double angle = bend.side * lope_atan2(u.x * v.z - u.z * v.x, u.x * v.x + u.z * v.z);
    if (angle < 0.0) // half a turn and a rounding, or no turn
        angle = angle < -3.0 ? LOPE_PI : 0.0;
    double step = sqrt(8.0 * fmax(SAG / radius, SAG_OF_RADIUS));
    int steps = step > LOPE_PI ? 1 : (int)(angle / step) + 1;
    if (!reserve_points(finder, steps + 1))
        return -1.0;
    double cosine = lope_cos(angle / steps), sine = bend.side * lope_sin(angle / steps), out = radius * bend.side;
    for (int i = 0; i < steps; i++) {
        add_point(finder, (lope_point){bend.center.x + out * u.z, bend.center.z - out * u.x});
        u = (lope_point){cosine * u.x - sine * u.z, sine * u.x + cosine * u.z};
    }
    add_point(finder, (lope_point){bend.center.x + out * v.z, bend.center.z - out * v.x});
    return radius * angle;
}

// Lines and arcs as points. Returns the length, -1: no memory.
static double sample(lope_path_finder *finder, const lope_path_query *query)
{
    const lope_path_bend *bends = finder->bends;
    double length = 0.0;
    lope_point before = {0.0, 0.0};
    finder->point_count = 0;
    if (!reserve_points(finder, 2))
        return -1.0;
    add_point(finder, query->start);
    for (int i = 0; i + 1 < finder->bend_count; i++) {
        lope_path_line line = lope_path_between(&bends[i], &bends[i + 1], query->radius);
        double arc = i ? add_arc(finder, bends[i], before, line.direction, query->radius) : 0.0;
        if (arc < 0.0)
            return -1.0;
        length += arc + lope_path_distance(line.from, line.to);
        before = line.direction;
    }
    if (!reserve_points(finder, 1))
        return -1.0;
    add_point(finder, query->goal);
    return length;
}

// LOPE_PATH_FOUND where a disc can stand, and the face there; the outcomes of the start otherwise.
static lope_path_outcome check_end(const lope_passages *passages, lope_vec2 end, float clearance, int *face)
{
    const lope_space *space = &passages->space;
    lope_point point = {(double)end.x, (double)end.z};
    if (!lope_space_holds(space, point))
        return LOPE_PATH_START_OUTSIDE;
    int h = lope_face_table_near(&passages->faces, &space->mesh, point);
    *face = space->mesh.half_edges[h].face;
    if (lope_mesh_covered(&space->mesh, h)) // or on its outline
        return lope_space_blocked(space, end) ? LOPE_PATH_START_BLOCKED : LOPE_PATH_START_TIGHT;
    return lope_mesh_disc_free(&space->mesh, h, point, (double)clearance) ? LOPE_PATH_FOUND : LOPE_PATH_START_TIGHT;
}

static lope_status refuse(const lope_space *space, lope_path_outcome outcome, lope_vec2 end, bool is_goal,
                          lope_path *out, lope_error *error)
{
    const char *name = is_goal ? "goal" : "start";
    out->outcome = (lope_path_outcome)(outcome + is_goal);
    if (outcome != LOPE_PATH_START_TIGHT && lope_space_nearest_free(space, end, &out->free_near, error) != LOPE_OK)
        return LOPE_NOT_FOUND;
    if (outcome == LOPE_PATH_START_OUTSIDE)
        return lope_fail(error, LOPE_NOT_FOUND, "the %s is outside of the world", name);
    if (outcome == LOPE_PATH_START_BLOCKED)
        return lope_fail(error, LOPE_NOT_FOUND, "the %s is inside an obstacle", name);
    return lope_fail(error, LOPE_NOT_FOUND, "the %s is too near to an obstacle", name);
}

static void list_portals(lope_path_finder *finder, const lope_mesh *mesh)
{
    for (int i = 0; i < finder->crossed_count; i++) {
        // Left in the triangulation is from x towards z, which is right to someone who stands on the ground.
        lope_point left = lope_mesh_point(mesh, lope_mesh_origin(mesh, finder->crossed[i]));
        lope_point right = lope_mesh_point(mesh, lope_mesh_target(mesh, finder->crossed[i]));
        finder->portals[i] = (lope_path_portal){{(float)left.x, (float)left.z}, {(float)right.x, (float)right.z}};
    }
}

static void pull(lope_path_finder *finder, const lope_path_query *query)
{
    lope_path_pull(finder, query);
    lope_path_mend(finder, query);
}

static bool find_bends(lope_path_finder *finder, const lope_passages *passages, lope_path_query *query)
{
    if (lope_path_straight(finder, query))
        return true;
    query->passages = passages;
    query->bridges = passages->bridges.edges;
    if (query->bridges)
        query->goal_order = passages->bridges.orders[query->goal_face];
    finder->estimate = 0.0;
    finder->chose = false;
    if (!lope_path_search(finder, query))
        return false;
    pull(finder, query);
    return true;
}

// Puts what was found aside, or takes it back.
static void exchange(lope_path_finder *finder)
{
    lope_path_bend *bends = finder->bends;
    int *crossed = finder->crossed, bend_count = finder->bend_count, crossed_count = finder->crossed_count;
    finder->bends = finder->other_bends;
    finder->crossed = finder->other_crossed;
    finder->bend_count = finder->other_bend_count;
    finder->crossed_count = finder->other_crossed_count;
    finder->other_bends = bends;
    finder->other_crossed = crossed;
    finder->other_bend_count = bend_count;
    finder->other_crossed_count = crossed_count;
}

// The corridor is the one that was put aside.
static bool same_corridor(const lope_path_finder *finder)
{
    return finder->crossed_count == finder->other_crossed_count &&
           memcmp(finder->crossed, finder->other_crossed, (size_t)finder->crossed_count * sizeof *finder->crossed) == 0;
}

// Where the way is clearly longer than the search thought, it may have chosen the wrong corridor: looks for another
// with more care, and takes the better one. Returns its length, -1: no memory.
static double sample_better(lope_path_finder *finder, lope_path_query *query)
{
    double length = sample(finder, query);
    if (length <= CLEARLY_LONGER * finder->estimate || !finder->chose || length < 0.0)
        return length;
    exchange(finder);
    query->careful = true;
    const bool found = lope_path_search(finder, query);
    if (!found || same_corridor(finder)) {
        exchange(finder);
        return length;
    }
    pull(finder, query);
    double careful = sample(finder, query);
    if (careful <= length)
        return careful;
    exchange(finder);
    return sample(finder, query);
}

// Hands out what was sampled; length -1: no memory.
static lope_status hand_out(lope_path_finder *finder, const lope_path_query *query, double length, lope_path *out,
                            lope_error *error)
{
    if (length < 0.0)
        return lope_fail_memory(error);
    list_portals(finder, query->mesh);
    *out = (lope_path){LOPE_PATH_FOUND,       finder->points, finder->point_count, finder->portals,
                       finder->crossed_count, (float)length,  {0.0f, 0.0f}};
    return LOPE_OK;
}

lope_status lope_path_answer(lope_path_finder *finder, const lope_path_query *query, lope_path *out, lope_error *error)
{
    pull(finder, query);
    return hand_out(finder, query, sample(finder, query), out, error);
}

bool lope_path_reserve(lope_path_finder *finder, const lope_passages *passages)
{
    return reserve(finder, &passages->space.mesh);
}

bool lope_path_bends(lope_path_finder *finder, const lope_passages *passages, lope_vec2 start, lope_vec2 goal,
                     float clearance)
{
    const lope_space *space = &passages->space;
    lope_path_query query = {.mesh = &space->mesh,
                             .gates = passages->gates,
                             .start = {(double)start.x, (double)start.z},
                             .goal = {(double)goal.x, (double)goal.z},
                             .radius = (double)clearance,
                             .diameter = 2.0f * clearance};
    return !passages->broken && check_end(passages, start, clearance, &query.start_face) == LOPE_PATH_FOUND &&
           check_end(passages, goal, clearance, &query.goal_face) == LOPE_PATH_FOUND && reserve(finder, query.mesh) &&
           find_bends(finder, passages, &query);
}

lope_status lope_path_ask(lope_path_finder *finder, const lope_passages *passages, const lope_path_ends *ends,
                          lope_path_query *query, lope_path *out, lope_error *error)
{
    const lope_space *space = &passages->space;
    const lope_vec2 start = ends->start, goal = ends->goal;
    const float clearance = ends->clearance;
    *out = (lope_path){.outcome = LOPE_PATH_NONE};
    if (!isfinite(start.x) || !isfinite(start.z) || !isfinite(goal.x) || !isfinite(goal.z))
        return lope_fail(error, LOPE_BAD_DATA, "the start or the goal is not finite");
    if (!isfinite(clearance) || clearance <= 0.0f)
        return lope_fail(error, LOPE_BAD_DATA, "a clearance of %g m is not positive", (double)clearance);
    const double widest = passages->refiner.farthest;
    if (widest > 0.0 && 2.0 * (double)clearance > widest)
        return lope_fail(error, LOPE_BAD_DATA, "a clearance of %g m is more than the %g m that these ways are for",
                         (double)clearance, 0.5 * widest);
    if (passages->broken)
        return lope_fail(error, LOPE_NO_MEMORY, "the last update of the passages had not enough memory");
    *query = (lope_path_query){
        .mesh = &space->mesh, .gates = passages->gates, .radius = (double)clearance, .diameter = 2.0f * clearance};
    lope_path_outcome outcome = check_end(passages, start, clearance, &query->start_face);
    if (outcome != LOPE_PATH_FOUND)
        return refuse(space, outcome, start, false, out, error);
    outcome = check_end(passages, goal, clearance, &query->goal_face);
    if (outcome != LOPE_PATH_FOUND)
        return refuse(space, outcome, goal, true, out, error);
    query->start = (lope_point){(double)start.x, (double)start.z};
    query->goal = (lope_point){(double)goal.x, (double)goal.z};
    return reserve(finder, query->mesh) ? LOPE_OK : lope_fail_memory(error);
}

lope_status lope_path_find(lope_path_finder *finder, const lope_passages *passages, lope_vec2 start, lope_vec2 goal,
                           float clearance, lope_path *out, lope_error *error)
{
    lope_path_query query;
    lope_status status = lope_path_ask(finder, passages, &(lope_path_ends){start, goal, clearance}, &query, out, error);
    if (status)
        return status;
    if (!find_bends(finder, passages, &query))
        return lope_fail(error, LOPE_NOT_FOUND, "no way is wide enough");
    return hand_out(finder, &query, sample_better(finder, &query), out, error);
}
