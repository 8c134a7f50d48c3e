// SPDX-License-Identifier: MIT
// Levels: shaded triangles from the farthest to the nearest, and plans. Floors that lie over each other are on plans of
// their own: the lower ones first, each on the first plan where it covers nothing.
#include "draw/level.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

#define MOST_TRIANGLES 40000
#define MOST_STOREYS 12
#define CELLS 240.0f // along the longer side of a plan
#define LAYERS 64
#define IN_FRONT 0.1f    // metres that links may lie behind a surface
#define FACE_FRONT 0.01f // the same of pieces of surfaces
#define RIM 0.02f        // metres around what is drawn
#define BODY_NEARER 0.6  // metres that bodies count as nearer than their feet

typedef struct plan_cell {
    int column, row, floor;
    float y;
} plan_cell;

lope_level_picture lope_level_picture_default(void)
{
    return (lope_level_picture){.title = "level",
                                .width = 1100,
                                .perspective = true,
                                .plan = true,
                                .cut = INFINITY,
                                .interval = 0.5,
                                .end = (double)INFINITY,
                                .around = INFINITY};
}

static const svg_colour link_colours[LOPE_LINK_KIND_COUNT] = {
    [LOPE_LINK_SEAM] = {150, 150, 150},  [LOPE_LINK_STAIRS] = {58, 122, 200}, [LOPE_LINK_SLOPE] = {84, 160, 210},
    [LOPE_LINK_RUBBLE] = {140, 110, 70}, [LOPE_LINK_UP] = {206, 70, 60},      [LOPE_LINK_DOWN] = {232, 150, 60},
    [LOPE_LINK_OVER] = {170, 50, 110},   [LOPE_LINK_GAP] = {150, 80, 190},    [LOPE_LINK_BARS] = {110, 60, 160},
    [LOPE_LINK_LOW] = {60, 150, 110},    [LOPE_LINK_LADDER] = {30, 100, 160}, [LOPE_LINK_SLIDE] = {220, 110, 160},
    [LOPE_LINK_SEAT] = {120, 150, 40}};

// An arrow of a link between two places of the page, with the edge that is crossed.
static void draw_link(svg *out, const lope_link *link, svg_point from, svg_point to, const svg_point edge[2])
{
    svg_colour colour = link_colours[link->kind];
    double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy);
    svg_line(out, edge[0], edge[1], (svg_pen){colour, 2.2, NULL});
    svg_line(out, from, to, (svg_pen){colour, 1.0, NULL});
    if (length > 4.0) {
        dx *= 4.0 / length;
        dy *= 4.0 / length;
        const svg_point head[] = {
            to, {to.x - dx - 0.6 * dy, to.y - dy + 0.6 * dx}, {to.x - dx + 0.6 * dy, to.y - dy - 0.6 * dx}};
        svg_polygon(out, head, 3, colour, (svg_pen){colour, 0, NULL});
    }
}

// ---- perspective

// A piece of a triangle, or somebody.
typedef struct face {
    svg_point corners[3];
    svg_colour fill;
    double depth;
    int body; // -1: none
} face;

static int farther_first(const void *a, const void *b)
{
    double x = ((const face *)a)->depth, y = ((const face *)b)->depth;
    return (x < y) - (x > y);
}

// Colours and normal of a triangle whose pieces are drawn.
typedef struct face_paint {
    svg_colour solid, ground, high_ground;
    bool level; // faces up
} face_paint;

// Where the line of sight to a place comes into the box of what is drawn.
static lope_vec3 sight_begin(const level_page *p, lope_vec3 at)
{
    const lope_vec3 eye = p->camera.eye, way = lope_v3_sub(at, eye);
    const float from[] = {eye.x, eye.y, eye.z}, along[] = {way.x, way.y, way.z};
    const float low[] = {p->low.x, p->low.y, p->low.z}, high[] = {p->high.x, p->high.y, p->high.z};
    float share = 0.0f;
    for (int i = 0; i < 3; i++)
        if (fabsf(along[i]) > 1e-6f)
            share = fmaxf(share, ((along[i] > 0.0f ? low[i] : high[i]) - from[i]) / along[i]);
    return lope_v3_mad(eye, way, fminf(share, 1.0f));
}

// Whether nothing that is drawn is in front of a point but what is nearer than so many metres.
static bool is_seen(const level_page *p, lope_vec3 at, float near)
{
    lope_terrain_hit hit;
    return !lope_terrain_ray(lope_level_terrain(p->level), NULL, sight_begin(p, at),
                             lope_v3_mad(at, p->camera.forward, -near), &hit);
}

static lope_vec3 triangle_middle(const lope_vec3 c[3])
{
    return lope_v3_scale(lope_v3_add(c[0], lope_v3_add(c[1], c[2])), 1.0f / 3.0f);
}

// How high something is: 0 at the bottom of the picture, 1 at its top, or two metres up where it is lower.
static double height_share(const level_page *p, float y)
{
    return fmin(1.0, (double)(y - p->low.y) / fmax((double)(p->high.y - p->low.y), 2.0));
}

static bool is_within(const level_page *p, lope_vec3 at)
{
    return at.x >= p->low.x && at.x <= p->high.x && at.y >= p->low.y && at.y <= p->high.y && at.z >= p->low.z &&
           at.z <= p->high.z;
}

// How many of four places of a piece are seen: its middle, and next to its corners.
static int seen_places(const level_page *p, const lope_vec3 c[3])
{
    const lope_vec3 middle = triangle_middle(c);
    int seen = 0;
    for (int i = 0; i < 4; i++) {
        const lope_vec3 at = i < 3 ? lope_v3_lerp(c[i], middle, 0.1f) : middle;
        seen += is_within(p, at) && is_seen(p, at, FACE_FRONT);
    }
    return seen;
}

static bool add_face(const level_page *p, const lope_vec3 c[3], const face_paint *paint, list *faces)
{
    face f = {.fill = paint->solid, .depth = (double)-INFINITY, .body = -1};
    const lope_vec3 middle = triangle_middle(c);
    lope_floor_spot spot;
    if (paint->level && lope_floors_ground(p->floors, middle, 0.02f, &spot) && spot.floor >= 0)
        f.fill = svg_mix(paint->ground, paint->high_ground, height_share(p, middle.y));
    for (int i = 0; i < 3; i++) {
        strobe_spot at = strobe_project(&p->camera, c[i]);
        f.corners[i] = at.at;
        f.depth = fmax(f.depth, at.depth); // ground comes before what stands on it
    }
    if (!paint->level)
        f.depth = strobe_project(&p->camera, middle).depth;
    return list_add(faces, &f, sizeof f);
}

// The corner that the longest side begins at.
static int longest_side(const lope_vec3 c[3])
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (lope_v3_distance(c[i], c[(i + 1) % 3]) > lope_v3_distance(c[longest], c[(longest + 1) % 3]))
            longest = i;
    return longest;
}

// Large ones in pieces: by their middles, neighbours then sort right. Pieces that are hidden in part are cut until they
// are hardly larger than a point of the page, and what is hidden is left out.
static bool add_pieces(const level_page *p, const lope_vec3 c[3], const face_paint *paint, list *faces)
{
    const int longest = longest_side(c);
    const lope_vec3 a = c[longest], b = c[(longest + 1) % 3], d = c[(longest + 2) % 3], half = lope_v3_lerp(a, b, 0.5f);
    const float length = lope_v3_distance(a, b);
    if (length <= p->piece) {
        const int seen = seen_places(p, c);
        if (seen == 0)
            return true;
        if (seen == 4 || length <= p->smallest_piece)
            return add_face(p, c, paint, faces);
    }
    const lope_vec3 one[] = {a, half, d}, other[] = {half, b, d};
    return add_pieces(p, one, paint, faces) && add_pieces(p, other, paint, faces);
}

static bool add_triangle(const level_page *p, const lope_terrain_triangle *t, list *faces)
{
    static const svg_colour wood = {206, 170, 110}, stone = {196, 194, 188}, green = {160, 194, 148},
                            pale = {226, 228, 196};
    const lope_vec3 *c = t->corners, light = {-0.62f, 0.75f, -0.23f};
    lope_vec3 normal =
        lope_v3_normalize(lope_v3_cross(lope_v3_sub(c[1], c[0]), lope_v3_sub(c[2], c[0])), lope_v3(0, 1, 0));
    lope_part part;
    bool closed = false; // seen from inside, where it is cut open
    bool known = lope_level_part(p->level, lope_level_part_of(p->level, t->piece), &part);
    if (lope_v3_dot(normal, p->camera.forward) > 0.0f) {
        closed = known && part.shape != LOPE_PART_MESH && part.shape != LOPE_PART_FIELD;
        if (closed && p->asked->cut == INFINITY)
            return true;
        normal = lope_v3_scale(normal, -1.0f);
    }
    double bright = closed ? 0.2 : 0.62 + 0.38 * (double)lope_v3_dot(normal, light);
    svg_colour shade = p->asked->dark ? (svg_colour){10, 12, 14} : (svg_colour){60, 62, 66};
    bool thing = known && part.kind[0];
    const face_paint paint = {svg_mix(shade, thing ? wood : stone, bright),
                              svg_mix(shade, thing ? wood : green, bright), svg_mix(shade, thing ? wood : pale, bright),
                              normal.y > 0.5f && !closed};
    return add_pieces(p, c, &paint, faces);
}

static void aim_camera(level_page *p)
{
    lope_vec3 middle = lope_v3_lerp(p->low, p->high, 0.5f);
    float size = lope_v3_distance(p->low, p->high);
    strobe_camera *c = &p->camera;
    c->forward = lope_v3_normalize(lope_v3(0.45f, -0.75f, 0.72f), lope_v3(0, -1, 0));
    c->right = lope_v3_normalize(lope_v3_cross(c->forward, lope_v3(0, 1, 0)), lope_v3(1, 0, 0));
    c->up = lope_v3_cross(c->right, c->forward);
    c->distance = 1.8 * (double)size;
    c->eye = lope_v3_mad(middle, c->forward, -1.8f * size);
    c->scale = 1.0;
    double left = (double)INFINITY, right = (double)-INFINITY, top = (double)INFINITY, bottom = (double)-INFINITY;
    for (int i = 0; i < 8; i++) {
        lope_vec3 corner = {i & 1 ? p->high.x : p->low.x, i & 2 ? p->high.y : p->low.y, i & 4 ? p->high.z : p->low.z};
        svg_point at = strobe_project(c, corner).at;
        left = fmin(left, at.x), right = fmax(right, at.x), top = fmin(top, at.y), bottom = fmax(bottom, at.y);
    }
    c->scale = ((double)p->asked->width - 2.0 * PICTURE_MARGIN) / (right - left);
    c->origin = (svg_point){PICTURE_MARGIN - c->scale * left, p->page.top - c->scale * top};
    p->page.top += c->scale * (bottom - top) + 20.0;
}

// Links may lie a little behind surfaces.
static bool is_line_seen(const level_page *p, lope_vec3 from, lope_vec3 to)
{
    bool seen = false;
    for (int i = 0; i < 3 && !seen; i++)
        seen = is_seen(p, lope_v3_lerp(from, to, 0.5f * (float)i), IN_FRONT);
    return seen;
}

// Links and holds that are neither cut away nor hidden.
static void overlay(level_page *p)
{
    const strobe_camera *c = &p->camera;
    const lope_level_picture *asked = p->asked;
    for (int i = 0; i < asked->hold_count; i++) {
        const lope_level_hold *h = &asked->holds[i];
        if (fminf(h->from.y, h->to.y) < p->high.y && is_line_seen(p, h->from, h->to))
            svg_line(&p->page.out, strobe_project(c, h->from).at, strobe_project(c, h->to).at,
                     (svg_pen){{230, 190, 40}, 0.8, NULL});
    }
    for (int i = 0; i < asked->link_count; i++) {
        const lope_link *l = &asked->links[i];
        const svg_point edge[] = {strobe_project(c, l->left).at, strobe_project(c, l->right).at};
        if (l->kind != LOPE_LINK_SEAM && fminf(l->from.y, l->to.y) < p->high.y &&
            (is_line_seen(p, l->from, l->to) || is_line_seen(p, l->left, l->right)))
            draw_link(&p->page.out, l, strobe_project(c, l->from).at, strobe_project(c, l->to).at, edge);
    }
}

// Bodies count as a little nearer than where they stand, for they stand on what is under them.
static bool add_bodies(const level_page *p, list *faces)
{
    bool fine = true;
    for (int i = 0; i < p->body_count && fine; i++) {
        if (p->bodies[i].feet.y > p->high.y)
            continue;
        const face f = {.depth = strobe_project(&p->camera, p->bodies[i].feet).depth - BODY_NEARER, .body = i};
        fine = list_add(faces, &f, sizeof f);
    }
    return fine;
}

static void draw_faces(level_page *p, const list *faces)
{
    for (int i = 0; i < faces->count; i++) {
        const face *f = (const face *)faces->items + i;
        if (f->body < 0)
            svg_polygon(&p->page.out, f->corners, 3, f->fill, (svg_pen){f->fill, 0.5, NULL});
        else
            strobe_draw_body(&p->page, &p->camera, &p->bodies[f->body].body, 0.0);
    }
}

static void draw_tracks(level_page *p)
{
    static const svg_colour colours[] = {{200, 60, 50}, {60, 90, 150}, {90, 130, 70}, {150, 110, 50}, {120, 80, 150}};
    for (int t = 0; t < p->asked->track_count; t++) {
        const lope_drawn_track *track = &p->asked->tracks[t];
        const svg_pen pen = {colours[t ? 1 + t % 4 : 0], t ? 0.5 : 1.4, NULL};
        for (int i = 0; i + 1 < track->count; i++)
            if (is_within(p, track->points[i]) && is_line_seen(p, track->points[i], track->points[i + 1]))
                svg_line(&p->page.out, strobe_project(&p->camera, track->points[i]).at,
                         strobe_project(&p->camera, track->points[i + 1]).at, pen);
    }
}

static lope_status draw_perspective(level_page *p, lope_error *error)
{
    const lope_terrain *terrain = lope_level_terrain(p->level);
    list faces = {0};
    int count = lope_terrain_triangle_count(terrain);
    lope_terrain_triangle *all = lope_alloc_array((size_t)count, sizeof *all);
    bool fine = all != NULL;
    const lope_vec3 low = p->low, high = p->high, rim = {RIM, RIM, RIM};
    p->high.y = fmaxf(fminf(high.y, p->asked->cut), low.y);
    p->low = lope_v3_sub(p->low, rim); // what lies in the faces of the box is drawn
    p->high = lope_v3_add(p->high, rim);
    picture_heading(&p->page, "in perspective", "green: ground to stand on; brown: things with a use");
    aim_camera(p);
    if (fine)
        count = lope_terrain_triangles(terrain, p->low, p->high, all, count);
    float smallest = INFINITY;
    for (int i = 0; i < count && fine; i++) {
        const int side = longest_side(all[i].corners);
        smallest = fminf(smallest, lope_v3_distance(all[i].corners[side], all[i].corners[(side + 1) % 3]));
    }
    p->piece = fmaxf((p->high.x - p->low.x + p->high.z - p->low.z) / 80.0f, smallest);
    p->smallest_piece = 2.5f / (float)p->camera.scale;
    for (int i = 0; i < count && fine; i++)
        fine = add_triangle(p, &all[i], &faces);
    fine = fine && add_bodies(p, &faces);
    if (fine) {
        qsort(faces.items, (size_t)faces.count, sizeof(face), farther_first);
        draw_faces(p, &faces);
    }
    overlay(p);
    draw_tracks(p);
    p->low = low;
    p->high = high;
    lope_free(all);
    lope_free(faces.items);
    return fine ? LOPE_OK : lope_fail_memory(error);
}

// ---- plans

static bool gather_cells(level_page *p)
{
    lope_terrain_hit hits[LAYERS];
    for (int i = 0; i < p->columns * p->rows; i++) {
        plan_cell c = {.column = i % p->columns, .row = i / p->columns};
        lope_vec3 top = {p->low.x + ((float)c.column + 0.5f) * p->cell, p->high.y + 1.0f,
                         p->low.z + ((float)c.row + 0.5f) * p->cell};
        int count = lope_terrain_column(lope_level_terrain(p->level), top, INFINITY, hits, LAYERS);
        for (int k = 0; k < count; k++) {
            lope_floor_spot spot;
            if (!lope_floors_ground(p->floors, hits[k].point, 0.02f, &spot) || spot.floor < 0)
                continue;
            c.floor = spot.floor;
            c.y = spot.at.y;
            if (!list_add(&p->cells, &c, sizeof c))
                return false;
        }
    }
    return true;
}

static bool fits(const level_page *p, const char *taken, int floor)
{
    const plan_cell *cells = p->cells.items;
    for (int i = 0; i < p->cells.count; i++)
        if (cells[i].floor == floor && taken[cells[i].row * p->columns + cells[i].column])
            return false;
    return true;
}

// Puts floors on storeys, from the lowest floor on. Returns how many there are, -1 where there is no memory.
static int sort_floors(level_page *p)
{
    const plan_cell *cells = p->cells.items;
    int count = lope_floors_count(p->floors), storeys = 0, area = p->columns * p->rows;
    char *taken = lope_alloc_zero((size_t)MOST_STOREYS * (size_t)area);
    double *heights = lope_alloc_zero(2 * (size_t)count * sizeof *heights);
    p->storey = lope_alloc_array((size_t)count, sizeof *p->storey);
    for (int i = 0; i < count && p->storey; i++)
        p->storey[i] = -1;
    for (int i = 0; i < p->cells.count && heights; i++) {
        heights[2 * cells[i].floor] += (double)cells[i].y;
        heights[2 * cells[i].floor + 1] += 1.0;
    }
    for (int done = 0; done < count && taken && heights && p->storey; done++) {
        int lowest = -1, storey = 0;
        for (int i = 0; i < count; i++)
            if (p->storey[i] < 0 && heights[2 * i + 1] > 0.0 &&
                (lowest < 0 || heights[2 * i] * heights[2 * lowest + 1] < heights[2 * lowest] * heights[2 * i + 1]))
                lowest = i;
        if (lowest < 0)
            break;
        while (storey < MOST_STOREYS - 1 && !fits(p, taken + (size_t)storey * (size_t)area, lowest))
            storey++;
        for (int i = 0; i < p->cells.count; i++)
            if (cells[i].floor == lowest)
                taken[(size_t)storey * (size_t)area + (size_t)(cells[i].row * p->columns + cells[i].column)] = 1;
        p->storey[lowest] = storey;
        storeys = storey + 1 > storeys ? storey + 1 : storeys;
    }
    bool fine = taken && heights && p->storey;
    lope_free(taken);
    lope_free(heights);
    return fine ? storeys : -1;
}

static svg_point on_plan(const level_page *p, lope_vec3 at)
{
    return (svg_point){PICTURE_MARGIN + p->scale * (double)(at.x - p->low.x),
                       p->page.top + p->scale * (double)(at.z - p->low.z)};
}

static int storey_of(const level_page *p, int floor)
{
    return floor >= 0 && floor < lope_floors_count(p->floors) ? p->storey[floor] : -1;
}

// Rows of cells of about one height as bars; higher ground is lighter.
static void draw_cells(level_page *p, int storey)
{
    const plan_cell *cells = p->cells.items;
    double side = p->scale * (double)p->cell, range = fmax((double)(p->high.y - p->low.y), 0.1);
    for (int i = 0, next; i < p->cells.count; i = next) {
        int shade = (int)(8.0 * ((double)cells[i].y - (double)p->low.y) / range), end = cells[i].column;
        for (next = i + 1; next < p->cells.count && cells[next].row == cells[i].row && end + 1 >= cells[next].column;
             next++) {
            if (storey_of(p, cells[next].floor) != storey)
                continue;
            if ((int)(8.0 * ((double)cells[next].y - (double)p->low.y) / range) != shade)
                break;
            end = cells[next].column;
        }
        if (storey_of(p, cells[i].floor) != storey) {
            next = i + 1;
            continue;
        }
        svg_colour fill = svg_mix((svg_colour){150, 186, 150}, (svg_colour){236, 230, 206}, shade / 8.0);
        svg_point corner = {PICTURE_MARGIN + side * cells[i].column, p->page.top + side * cells[i].row};
        svg_rect(&p->page.out, corner, side * (end - cells[i].column + 1) + 0.3, side + 0.7, 0.0,
                 p->asked->dark ? svg_mix((svg_colour){0, 0, 0}, fill, 0.55) : fill);
    }
}

static void draw_lines(level_page *p, int storey)
{
    int count;
    const lope_floor_border *borders = lope_floors_borders(p->floors, &count);
    for (int i = 0; i < count; i++) {
        const lope_floor_border *b = &borders[i];
        bool drop = b->beyond < fminf(b->from.y, b->to.y);
        if (storey_of(p, b->floor) == storey)
            svg_line(&p->page.out, on_plan(p, b->from), on_plan(p, b->to),
                     drop ? (svg_pen){{196, 130, 60}, 0.9, NULL} : (svg_pen){p->page.theme.ink, 1.2, NULL});
    }
    for (int i = 0; i < p->asked->link_count; i++) {
        const lope_link *l = &p->asked->links[i];
        const svg_point edge[] = {on_plan(p, l->left), on_plan(p, l->right)};
        if (l->kind != LOPE_LINK_SEAM && storey_of(p, l->from_floor) == storey)
            draw_link(&p->page.out, l, on_plan(p, l->from), on_plan(p, l->to), edge);
    }
    if (p->asked->mark)
        svg_circle(&p->page.out, on_plan(p, *p->asked->mark), 4.0, (svg_colour){220, 30, 30},
                   (svg_pen){p->page.theme.ink, 0.8, NULL});
}

static void storey_note(const level_page *p, int storey, char *out, size_t size)
{
    const plan_cell *cells = p->cells.items;
    float low = INFINITY, high = -INFINITY;
    int count = 0;
    for (int i = 0; i < p->cells.count; i++)
        if (storey_of(p, cells[i].floor) == storey) {
            low = fminf(low, cells[i].y);
            high = fmaxf(high, cells[i].y);
            count++;
        }
    snprintf(out, size, "%.0f m2 of ground from %.2f to %.2f m", (double)((float)count * p->cell * p->cell),
             (double)low, (double)high);
}

static lope_status draw_plans(level_page *p, lope_error *error)
{
    float wide = p->high.x - p->low.x, deep = p->high.z - p->low.z;
    p->cell = fmaxf(0.05f, fmaxf(wide, deep) / CELLS);
    p->columns = 1 + (int)(wide / p->cell);
    p->rows = 1 + (int)(deep / p->cell);
    p->scale = ((double)p->asked->width - 2.0 * PICTURE_MARGIN) / (double)((float)p->columns * p->cell);
    int storeys = gather_cells(p) ? sort_floors(p) : -1;
    for (int i = 0; i < storeys; i++) {
        char text[40], note[120];
        snprintf(text, sizeof text, "storey %d of %d", i + 1, storeys);
        storey_note(p, i, note, sizeof note);
        picture_heading(&p->page, text, note);
        svg_rect(&p->page.out, (svg_point){PICTURE_MARGIN, p->page.top}, p->scale * (double)wide,
                 p->scale * (double)deep, 0.0, p->page.theme.panel);
        draw_cells(p, i);
        draw_lines(p, i);
        p->page.top += p->scale * (double)deep + 22.0;
    }
    return storeys < 0 ? lope_fail_memory(error) : LOPE_OK;
}

// Which colour is which kind of link, with how many there are.
static void draw_legend(level_page *p)
{
    double x = PICTURE_MARGIN;
    for (int kind = 1; kind < LOPE_LINK_KIND_COUNT; kind++) {
        char text[60];
        int count = 0;
        for (int i = 0; i < p->asked->link_count; i++)
            count += (int)p->asked->links[i].kind == kind;
        if (!count)
            continue;
        snprintf(text, sizeof text, "%s %d", lope_link_kind_name((lope_link_kind)kind), count);
        if (x + 34.0 + svg_text_width(11, text) > (double)p->asked->width - PICTURE_MARGIN)
            x = PICTURE_MARGIN, p->page.top += 16.0;
        svg_line(&p->page.out, (svg_point){x, p->page.top - 4.0}, (svg_point){x + 14.0, p->page.top - 4.0},
                 (svg_pen){link_colours[kind], 3.0, NULL});
        svg_text(&p->page.out, (svg_point){x + 18.0, p->page.top}, (svg_font){11, -1, false, p->page.theme.muted, NULL},
                 text);
        x += 34.0 + svg_text_width(11, text);
    }
    p->page.top += x > PICTURE_MARGIN ? 12.0 : 0.0;
}

lope_status lope_draw_level(const lope_level *level, const lope_floors *floors, const lope_level_picture *asked,
                            const char *file, lope_error *error)
{
    lope_draw_def def = {.width = asked->width, .dark = asked->dark};
    level_page p = {.page = {.def = &def, .theme = *picture_theme_of(asked->dark), .top = 34.0},
                    .level = level,
                    .floors = floors,
                    .asked = asked};
    lope_status status = LOPE_CHECK(error, PICTURE_WIDTH(asked));
    if (!status && !lope_terrain_bounds(lope_level_terrain(level), &p.low, &p.high))
        status = lope_fail(error, LOPE_BAD_DATA, "the level has no triangles: there is nothing to draw");
    if (!status)
        status = level_bodies_make(&p, error);
    if (status)
        return status;
    svg_text(&p.page.out, (svg_point){PICTURE_MARGIN, p.page.top}, (svg_font){16, -1, true, p.page.theme.ink, NULL},
             asked->title);
    p.page.top += 20.0;
    draw_legend(&p);
    if (asked->perspective && lope_terrain_triangle_count(lope_level_terrain(level)) <= MOST_TRIANGLES)
        status = draw_perspective(&p, error);
    if (!status && asked->plan)
        status = draw_plans(&p, error);
    if (!status)
        status = svg_save(&p.page.out, file, (double)asked->width, p.page.top + 8.0, p.page.theme.background,
                          asked->title, error);
    svg_free(&p.page.out);
    level_bodies_free(&p);
    lope_free(p.cells.items);
    lope_free(p.storey);
    return status;
}
