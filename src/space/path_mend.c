// SPDX-License-Identifier: MIT
// What the funnel leaves to be done.
//
// With discs for corners, the funnel may settle for a bend that a later corner of the same side makes needless. It is
// taken out, and the line in its place is held against the corners of the corridor. Rarely it misses one.
//
// Between two edges of a corridor nothing can come near to the disc but their ends. Beside the first and the last line
// there may be corners that no edge of the corridor ends at: of the triangle of the start or the goal, and of those
// behind its other sides. They are found by looking around the line, and the path is bent around those it comes too
// near to, the worst first. A bend may then make another needless.
#include "space/near.h"
#include "space/path.h"

#define BENDS_ADDED_MAX 16

static double squared_to_line(lope_point a, lope_point b, lope_point p)
{
    double x = b.x - a.x, z = b.z - a.z, square = x * x + z * z;
    double t = square > 0.0 ? ((p.x - a.x) * x + (p.z - a.z) * z) / square : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    x = a.x + t * x - p.x;
    z = a.z + t * z - p.z;
    return x * x + z * z;
}

static bool lines_within(lope_point a, lope_point b, lope_point c, lope_point d, double reach)
{
    if (lope_path_cross(a, b, c) * lope_path_cross(a, b, d) <= 0.0 &&
        lope_path_cross(c, d, a) * lope_path_cross(c, d, b) <= 0.0)
        return true;
    double square = reach * reach;
    return squared_to_line(a, b, c) < square || squared_to_line(a, b, d) < square ||
           squared_to_line(c, d, a) < square || squared_to_line(c, d, b) < square;
}

static void list_corner(lope_path_finder *finder, int vertex, int side)
{
    finder->corners[finder->corner_count++] = (lope_path_corner){vertex, side};
}

// Lists the corners of the faces within reach of a line.
static void look_around(lope_path_finder *finder, const lope_mesh *mesh, int face, lope_point a, lope_point b,
                        double reach)
{
    lope_path_next_look(finder);
    int count = 0;
    finder->corner_count = 0;
    finder->faces[count++] = face;
    finder->seen[face] = finder->seen_stamp;
    for (int i = 0; i < count; i++) {
        int h = mesh->faces[finder->faces[i]].half_edge;
        for (int k = 0; k < 3; k++, h = lope_mesh_next(mesh, h)) {
            if (i == 0)
                list_corner(finder, lope_mesh_origin(mesh, h), 0);
            int beyond = mesh->half_edges[h ^ 1].face;
            if (lope_mesh_constrained(mesh, h) || finder->seen[beyond] == finder->seen_stamp ||
                !lines_within(a, b, lope_mesh_point(mesh, lope_mesh_origin(mesh, h)),
                              lope_mesh_point(mesh, lope_mesh_target(mesh, h)), reach))
                continue;
            finder->seen[beyond] = finder->seen_stamp;
            finder->faces[count++] = beyond;
            list_corner(finder, lope_mesh_apex(mesh, h ^ 1), 0);
        }
    }
}

// The listed corner that is nearest to a line of the path, if the disc hits it; NULL: none.
static const lope_path_corner *worst_corner(const lope_path_finder *finder, const lope_path_query *query, int line)
{
    lope_path_bend from = finder->bends[line], to = finder->bends[line + 1];
    lope_path_line l = lope_path_between(&from, &to, query->radius);
    double best = query->radius * query->radius * (1.0 - 2e-7);
    const lope_path_corner *worst = NULL;
    for (int i = 0; i < finder->corner_count; i++) {
        const lope_path_corner *corner = &finder->corners[i];
        double square = squared_to_line(l.from, l.to, lope_mesh_point(query->mesh, corner->vertex));
        if (square < best && corner->vertex != from.vertex && corner->vertex != to.vertex) {
            best = square;
            worst = corner;
        }
    }
    return worst;
}

static void remove_bend(lope_path_finder *finder, int at)
{
    finder->bend_count--;
    for (int i = at; i < finder->bend_count; i++)
        finder->bends[i] = finder->bends[i + 1];
}

static void insert_bend(lope_path_finder *finder, const lope_path_query *query, int line,
                        const lope_path_corner *corner)
{
    lope_point center = lope_mesh_point(query->mesh, corner->vertex);
    lope_path_line l = lope_path_between(&finder->bends[line], &finder->bends[line + 1], query->radius);
    for (int i = finder->bend_count++; i > line + 1; i--)
        finder->bends[i] = finder->bends[i - 1];
    int side = corner->side ? corner->side : lope_path_cross(l.from, l.to, center) > 0.0 ? 1 : -1;
    finder->bends[line + 1] = (lope_path_bend){center, side, corner->vertex, finder->bends[line].crossed};
}

// The path does not bend there to its side, or turns twice at the same corner.
static bool needless(const lope_path_finder *finder, int at, double radius)
{
    if (at <= 0 || at >= finder->bend_count - 1)
        return false;
    const lope_path_bend *b = &finder->bends[at];
    return b->vertex == b[-1].vertex || !lope_path_bent(b[-1], b[0], b[1], radius);
}

// Bends lines first to end - 1, and those that come to be in their place, around the listed corners.
static void clear_lines(lope_path_finder *finder, const lope_path_query *query, int first, int end)
{
    int added = 0;
    for (int line = first; line < end && added < BENDS_ADDED_MAX;) {
        const lope_path_corner *corner = worst_corner(finder, query, line);
        if (!corner) {
            line++;
            continue;
        }
        insert_bend(finder, query, line, corner);
        added++;
        end++;
        if (needless(finder, line + 2, query->radius)) {
            remove_bend(finder, line + 2);
            end -= line + 2 < end;
        }
        for (; needless(finder, line, query->radius); line--, end--)
            remove_bend(finder, line);
    }
}

static void list_corridor(lope_path_finder *finder, const lope_mesh *mesh)
{
    finder->corner_count = 0;
    for (int i = 0; i < finder->crossed_count; i++) {
        int h = finder->crossed[i];
        list_corner(finder, lope_mesh_origin(mesh, h), -1);
        list_corner(finder, lope_mesh_target(mesh, h), 1);
    }
}

static void remove_needless(lope_path_finder *finder, const lope_path_query *query)
{
    bool listed = false;
    for (int at = 1, budget = BENDS_ADDED_MAX; at < finder->bend_count - 1 && budget; at++) {
        int removed = 0;
        for (; at > 0 && needless(finder, at, query->radius); at = at > 1 ? at - 1 : 1, removed++)
            remove_bend(finder, at);
        if (!removed)
            continue;
        if (!listed)
            list_corridor(finder, query->mesh);
        listed = true;
        budget--;
        clear_lines(finder, query, at - 1, at + 1 < finder->bend_count ? at + 1 : at);
    }
}

typedef struct beside {
    lope_path_line line;
    double least;      // squared: nearer corners are hit
    int first, second; // vertices that the line touches
} beside;

static bool is_hit(const beside *b, const lope_mesh *mesh, int vertex)
{
    const lope_point p = lope_mesh_point(mesh, vertex), a = b->line.from, u = b->line.direction;
    const double across = u.x * (p.z - a.z) - u.z * (p.x - a.x); // mostly enough to tell
    return across * across < b->least && vertex != b->first && vertex != b->second &&
           squared_to_line(a, b->line.to, p) < b->least;
}

// The disc keeps clear of the ends of those half-edges of the corridor that a line crosses.
static bool keeps_clear(const lope_path_finder *finder, const lope_path_query *query, int line)
{
    const lope_mesh *mesh = query->mesh;
    const lope_path_bend *from = &finder->bends[line], *to = from + 1;
    const beside b = {lope_path_between(from, to, query->radius), query->radius * query->radius * (1.0 - 2e-7),
                      from->vertex, to->vertex};
    int last[2] = {-1, -1}; // from one half-edge to the next one of them stays
    for (int i = from->crossed; i <= to->crossed; i++)
        for (int end = 0; end < 2; end++) {
            const int vertex = lope_mesh_origin(mesh, finder->crossed[i] ^ end);
            if (vertex != last[end] && is_hit(&b, mesh, vertex))
                return false;
            last[end] = vertex;
        }
    return true;
}

// With discs for corners the funnel may also miss a bend, rarely: each line is held against the corners beside it.
static void add_missing(lope_path_finder *finder, const lope_path_query *query)
{
    for (int line = 0, checked = 0; line + 1 < finder->bend_count && checked < finder->crossed_count; line++) {
        if (keeps_clear(finder, query, line))
            continue;
        list_corridor(finder, query->mesh);
        clear_lines(finder, query, line, line + 1);
        checked++;
    }
}

// Part of a line of the path that is near its end: as far as the triangle of the end may reach, and the disc beyond.
static void near_part(const lope_path_query *query, int face, lope_point end, lope_point *other)
{
    double reach = 0.0, length = lope_path_distance(end, *other);
    int h = query->mesh->faces[face].half_edge;
    for (int k = 0; k < 3; k++, h = lope_mesh_next(query->mesh, h))
        reach = fmax(reach, lope_path_distance(end, lope_mesh_point(query->mesh, lope_mesh_origin(query->mesh, h))));
    double part = (reach + 2.0 * query->radius) / length;
    if (part < 1.0)
        *other = (lope_point){end.x + part * (other->x - end.x), end.z + part * (other->z - end.z)};
}

// Where the line from an end of the path leaves the triangle of that end, or its other end if that is nearer.
static lope_point leave_triangle(const lope_mesh *mesh, int crossed, lope_point end, lope_point other)
{
    lope_point right = lope_mesh_point(mesh, lope_mesh_origin(mesh, crossed));
    lope_point left = lope_mesh_point(mesh, lope_mesh_target(mesh, crossed));
    double before = lope_path_cross(right, left, end), after = lope_path_cross(right, left, other);
    double part = before > 0.0 && after < 0.0 ? before / (before - after) : 1.0;
    return (lope_point){end.x + part * (other.x - end.x), end.z + part * (other.z - end.z)};
}

// Mostly there is nothing beside a line as long as it is in the triangle of its end, which is found out fast.
static bool is_clear(const lope_path_finder *finder, const lope_path_query *query, bool at_goal, lope_point end,
                     lope_point other)
{
    if (!finder->crossed_count)
        return false;
    int crossed = at_goal ? finder->crossed[finder->crossed_count - 1] ^ 1 : finder->crossed[0];
    lope_point leaves = leave_triangle(query->mesh, crossed, end, other);
    return lope_mesh_sweep_beside(query->mesh, crossed, end, leaves, query->radius * (1.0 - 1e-7));
}

// The first or the last line, from its end on.
static lope_path_line end_line(const lope_path_finder *finder, const lope_path_query *query, bool at_goal)
{
    int line = at_goal ? finder->bend_count - 2 : 0;
    lope_path_line l = lope_path_between(&finder->bends[line], &finder->bends[line + 1], query->radius);
    return at_goal ? (lope_path_line){l.to, l.from, l.direction} : l;
}

bool lope_path_ends_clear(const lope_path_finder *finder, const lope_path_query *query)
{
    const lope_path_line first = end_line(finder, query, false), last = end_line(finder, query, true);
    return is_clear(finder, query, false, first.from, first.to) && is_clear(finder, query, true, last.from, last.to);
}

static void clear_end(lope_path_finder *finder, const lope_path_query *query, bool at_goal)
{
    int line = at_goal ? finder->bend_count - 2 : 0, face = at_goal ? query->goal_face : query->start_face;
    lope_path_line l = end_line(finder, query, at_goal);
    if (is_clear(finder, query, at_goal, l.from, l.to))
        return;
    near_part(query, face, l.from, &l.to);
    look_around(finder, query->mesh, face, l.from, l.to, 2.0 * query->radius);
    clear_lines(finder, query, line, line + 1);
}

void lope_path_mend(lope_path_finder *finder, const lope_path_query *query)
{
    remove_needless(finder, query);
    add_missing(finder, query);
    clear_end(finder, query, true);
    clear_end(finder, query, false);
}
