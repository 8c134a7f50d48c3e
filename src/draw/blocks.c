// SPDX-License-Identifier: MIT
// A world of blocks at an angle from above, without perspective: faces of things and parts of bodies are sorted by
// how far they are and drawn over each other. Floors above the lowest are drawn by their tiles.
#include "lope/block_draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "draw/picture.h"
#include "patches/world.h"

#define MARGIN 24.0
#define TOP 48.0
// Ways are drawn by pieces of at least so many metres, so much nearer than the ground they are on.
#define WAY_PIECE 0.1f
#define WAY_NEARER 0.45f

// Something to draw: a face with four corners, a line between two, or a part of a body.
typedef struct drawn {
    float depth; // towards the eye
    bool is_shape;
    bool faint;           // shows what is behind it
    lope_vec3 corners[4]; // turned; of shapes its points
    float radii[4];
    int count;
    svg_colour fill;
    svg_pen pen;
} drawn;

typedef struct page {
    svg out;
    const lope_block_world *world;
    lope_block_view view;
    const lope_block_picture *picture;
    const picture_theme *theme;
    float yaw_sin, yaw_cos, tilt_sin, tilt_cos;
    list items;
    bool failed;
    double scale, left, top;
} page;

lope_block_picture lope_block_picture_default(void)
{
    return (lope_block_picture){.title = "World", .width = 1000, .yaw = 0.5f, .tilt = 0.6f};
}

// x to the right, y up, z towards the eye.
static lope_vec3 turned(const page *p, lope_vec3 v)
{
    lope_vec3 a = {v.x * p->yaw_cos - v.z * p->yaw_sin, v.y, -(v.z * p->yaw_cos + v.x * p->yaw_sin)};
    return lope_v3(a.x, a.y * p->tilt_cos - a.z * p->tilt_sin, a.z * p->tilt_cos + a.y * p->tilt_sin);
}

static svg_point on_page(const page *p, lope_vec3 v)
{
    return (svg_point){p->left + p->scale * (double)v.x, p->top - p->scale * (double)v.y};
}

static void put(page *p, const drawn *item)
{
    p->failed = !list_add(&p->items, item, sizeof *item) || p->failed;
}

static void add_face(page *p, const lope_vec3 corners[4], svg_colour fill, svg_pen pen, float nearer, bool faint)
{
    drawn item = {.depth = nearer, .faint = faint, .count = 4, .fill = fill, .pen = pen};
    lope_vec3 middle = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 4; i++) {
        item.corners[i] = turned(p, corners[i]);
        middle = lope_v3_mad(middle, item.corners[i], 0.25f);
    }
    item.depth += middle.z;
    put(p, &item);
}

static void add_box(page *p, const lope_box *box, lope_spot at, svg_colour colour)
{
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    lope_spot middle = lope_spot_mul(at, (lope_spot){box->centre.x, box->centre.y, box->centre.z, box->yaw});
    lope_quat turn =
        lope_quat_mul(lope_quat_yaw(middle.yaw), lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), box->pitch));
    lope_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        lope_vec3 corner = {i & 1 ? box->half.x : -box->half.x, i & 2 ? box->half.y : -box->half.y,
                            i & 4 ? box->half.z : -box->half.z};
        corners[i] = lope_v3_add(lope_v3(middle.x, middle.y, middle.z), lope_quat_rotate(turn, corner));
    }
    for (int f = 0; f < 6; f++) {
        lope_vec3 face[4];
        for (int i = 0; i < 4; i++)
            face[i] = corners[faces[f][i]];
        lope_vec3 normal = lope_v3_cross(lope_v3_sub(face[1], face[0]), lope_v3_sub(face[3], face[0]));
        lope_vec3 outward = lope_v3_sub(lope_v3_lerp(face[0], face[2], 0.5f), lope_v3(middle.x, middle.y, middle.z));
        if (lope_v3_dot(normal, outward) < 0.0f)
            normal = lope_v3_scale(normal, -1.0f);
        normal = lope_v3_normalize(turned(p, normal), lope_v3(0.0f, 1.0f, 0.0f));
        if (normal.z <= 0.0f)
            continue;
        double light = 0.12 + 0.5 * (1.0 - fmax(0.0, 0.8 * (double)normal.y + 0.2 * (double)normal.z));
        svg_colour fill = svg_mix(colour, p->theme->ink, 0.45 * light);
        add_face(p, face, fill, (svg_pen){svg_mix(fill, p->theme->ink, 0.35), 0.5, NULL}, 0.0f, false);
    }
}

// What blocks know how to use stands out from what is only there.
static svg_colour colour_of_unit(const page *p, int unit)
{
    static const svg_colour colours[] = {{226, 160, 92},  {196, 170, 132}, {190, 196, 206}, {108, 158, 196},
                                         {108, 158, 196}, {214, 116, 96},  {214, 116, 96},  {214, 116, 96}};
    if (unit < p->view.blocks->unit_count)
        return colours[unit % (int)(sizeof colours / sizeof *colours)];
    return svg_mix(p->theme->panel, p->theme->muted, 0.5);
}

static void add_tiles(page *p, int floor, float lowest)
{
    const lope_patch_world *tiles = lope_block_world_tiles(p->world, floor);
    lope_floor_def def = lope_block_world_floor(p->world, floor);
    float size = p->view.blocks->tile->size;
    svg_colour ground = svg_mix(p->theme->panel, p->theme->muted, def.height > lowest ? 0.22 : 0.06);
    svg_pen pen = {svg_mix(p->theme->grid, p->theme->muted, 0.2), 0.5, NULL};
    for (int tile = 0; tile < tiles->tile_count; tile++) {
        if (!tiles->present[tile])
            continue;
        float x = def.corner.x + size * (float)(tile % def.columns),
              z = def.corner.z + size * (float)(tile / def.columns);
        const lope_vec3 corners[4] = {
            {x, def.height, z}, {x + size, def.height, z}, {x + size, def.height, z + size}, {x, def.height, z + size}};
        // The lowest floor is below everything.
        add_face(p, corners, ground, pen, def.height > lowest ? -0.6f * size : -1e6f, def.height > lowest);
    }
}

static void add_body(page *p, picture *person, const lope_transform *model, body_shape *shapes, svg_colour tint)
{
    memcpy(person->model, model, (size_t)person->clip->skeleton->joint_count * sizeof *model);
    int count = body_shapes(person, shapes);
    for (int s = 0; s < count; s++) {
        const svg_colour colours[] = {tint, p->theme->head, svg_mix(tint, p->theme->left, 0.45),
                                      svg_mix(tint, p->theme->right, 0.45)};
        drawn item = {.is_shape = true, .count = shapes[s].count, .fill = colours[shapes[s].side]};
        for (int i = 0; i < item.count; i++) {
            item.corners[i] = turned(p, shapes[s].points[i]);
            item.radii[i] = shapes[s].radii[i];
            item.depth += item.corners[i].z / (float)item.count;
        }
        item.depth += 0.15f; // bodies stand on what is under them
        item.pen = (svg_pen){svg_mix(item.fill, p->theme->ink, 0.5), 0.3, NULL};
        put(p, &item);
    }
}

static svg_colour tint_of(int person)
{
    static const svg_colour tints[] = {{86, 110, 140}, {150, 96, 96}, {96, 136, 104}, {140, 118, 84}, {116, 100, 146}};
    return tints[person % (int)(sizeof tints / sizeof *tints)];
}

static void add_way(page *p, const lope_block_way *way, svg_colour colour)
{
    lope_vec3 from = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < way->count; i++) {
        if (i > 0 && i + 1 < way->count && lope_v3_distance(from, way->points[i]) < WAY_PIECE)
            continue;
        drawn item = {.count = 2, .pen = {colour, 1.2, NULL}, .corners = {turned(p, from), turned(p, way->points[i])}};
        item.depth = 0.5f * (item.corners[0].z + item.corners[1].z) + WAY_NEARER;
        from = way->points[i];
        if (i > 0)
            put(p, &item);
    }
}

static lope_status add_bodies(page *p, lope_error *error)
{
    const lope_skeleton *skeleton = p->view.blocks->set->skeleton;
    size_t joints = (size_t)skeleton->joint_count;
    lope_clip clip = {.skeleton = p->view.blocks->set->skeleton};
    picture person = {.clip = &clip, .theme = *p->theme, .size = 1.0f};
    person.rest = lope_alloc_array(2 * joints, sizeof *person.rest);
    person.model = person.rest + joints;
    body_shape *shapes = lope_alloc_array((size_t)body_shape_limit(skeleton), sizeof *shapes);
    if (person.rest && shapes) {
        lope_skeleton_rest_model(skeleton, person.rest);
        for (int i = 0; i < p->picture->body_count; i++)
            add_body(p, &person, p->picture->bodies + (size_t)i * joints, shapes,
                     tint_of(p->picture->one_body ? 0 : i));
    }
    bool ok = person.rest && shapes;
    lope_free(person.rest);
    lope_free(shapes);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

static int by_depth(const void *a, const void *b)
{
    const drawn *x = a, *y = b;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

static double lay_out(page *p)
{
    const drawn *items = p->items.items;
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int i = 0; i < p->items.count; i++)
        for (int k = 0; k < items[i].count; k++) {
            low[0] = fmin(low[0], (double)items[i].corners[k].x);
            high[0] = fmax(high[0], (double)items[i].corners[k].x);
            low[1] = fmin(low[1], (double)items[i].corners[k].y);
            high[1] = fmax(high[1], (double)items[i].corners[k].y);
        }
    p->scale = ((double)p->picture->width - 2.0 * MARGIN) / fmax(high[0] - low[0], 0.1);
    p->left = MARGIN - p->scale * low[0];
    p->top = TOP + p->scale * high[1];
    return TOP + p->scale * (high[1] - low[1]) + MARGIN;
}

static void draw_item(page *p, const drawn *item)
{
    svg_point points[4];
    for (int i = 0; i < item->count; i++)
        points[i] = on_page(p, item->corners[i]);
    if (item->faint)
        svg_raw(&p->out, "<g opacity=\".45\">");
    if (!item->is_shape && item->count == 2) {
        svg_line(&p->out, points[0], points[1], item->pen);
        return;
    }
    if (!item->is_shape) {
        svg_polygon(&p->out, points, item->count, item->fill, item->pen);
        if (item->faint)
            svg_raw(&p->out, "</g>");
        return;
    }
    if (item->count == 1)
        svg_circle(&p->out, points[0], p->scale * (double)item->radii[0], item->fill, item->pen);
    for (int i = 0; i + 1 < item->count; i++)
        svg_capsule(&p->out, points[i], p->scale * (double)item->radii[i], points[i + 1],
                    p->scale * (double)item->radii[i + 1], item->fill, item->pen);
}

static lope_status draw_all(page *p, const char *file, lope_error *error)
{
    const lope_placed_unit *objects = p->view.objects;
    float lowest = INFINITY;
    for (int f = 0; f < p->view.floor_count; f++)
        lowest = fminf(lowest, lope_block_world_floor(p->world, f).height);
    for (int f = 0; f < p->view.floor_count; f++)
        add_tiles(p, f, lowest);
    for (int i = 0; i < p->view.object_count; i++) {
        const lope_unit *unit = objects[i].unit >= 0 ? &p->view.units[objects[i].unit] : NULL;
        for (int k = 0; unit && k < unit->box_count; k++)
            add_box(p, &p->view.boxes[unit->box_first + k], objects[i].at, colour_of_unit(p, objects[i].unit));
    }
    for (int i = 0; i < p->picture->way_count; i++)
        add_way(p, &p->picture->ways[i], tint_of(i));
    lope_status status = add_bodies(p, error);
    if (!status && p->failed)
        status = lope_fail_memory(error);
    if (status)
        return status;
    qsort(p->items.items, (size_t)p->items.count, sizeof(drawn), by_depth);
    double height = lay_out(p);
    for (int i = 0; i < p->items.count; i++)
        draw_item(p, (const drawn *)p->items.items + i);
    svg_text(&p->out, (svg_point){MARGIN, 28.0}, (svg_font){14, -1, true, p->theme->ink, NULL}, p->picture->title);
    return svg_save(&p->out, file, (double)p->picture->width, height, p->theme->background, p->picture->title, error);
}

lope_status lope_draw_block_world(const lope_block_world *world, const lope_block_picture *look, const char *file,
                                  lope_error *error)
{
    lope_status status = LOPE_CHECK(error, PICTURE_WIDTH(look));
    if (status)
        return status;
    page p = {.world = world,
              .view = lope_block_world_view(world),
              .picture = look,
              .theme = picture_theme_of(look->dark),
              .yaw_sin = (float)lope_sin((double)look->yaw),
              .yaw_cos = (float)lope_cos((double)look->yaw),
              .tilt_sin = (float)lope_sin((double)look->tilt),
              .tilt_cos = (float)lope_cos((double)look->tilt)};
    status = draw_all(&p, file, error);
    lope_free(p.items.items);
    svg_free(&p.out);
    return status;
}
