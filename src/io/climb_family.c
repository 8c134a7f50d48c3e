// SPDX-License-Identifier: MIT
// Random climbing scenes: courses put together from pieces of ground, walls, ceilings and bars, from left to right.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "lope/climb_scene.h"

#define MOST_CORNERS 64
#define MOST_OBSTACLES 16
#define MOST_HOLDS 400
#define ROOM_ABOVE 2.4 // metres

typedef struct course {
    lope_random random;
    lope_xy corners[MOST_CORNERS];
    lope_grasp_polygon obstacles[MOST_OBSTACLES];
    lope_hold holds[MOST_HOLDS];
    int corner_count, obstacle_count, hold_count;
    double x, y;    // where the course has got to
    double highest; // of everything
} course;

static double between(course *c, double low, double high)
{
    return (double)lope_random_range(&c->random, (float)low, (float)high);
}

static void add_hold(course *c, double x, double y, lope_hold_kind kind)
{
    if (c->hold_count < MOST_HOLDS)
        c->holds[c->hold_count++] = (lope_hold){.at = {x, y}, .kind = kind};
}

static void add_polygon(course *c, const lope_xy *corners, int count)
{
    lope_xy *first = c->corners + c->corner_count;
    for (int i = 0; i < count; i++) {
        first[i] = corners[i];
        c->highest = corners[i].y > c->highest ? corners[i].y : c->highest;
    }
    c->corner_count += count;
    c->obstacles[c->obstacle_count++] = (lope_grasp_polygon){first, count};
}

static void add_box(course *c, double x0, double y0, double x1, double y1)
{
    const lope_xy corners[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    add_polygon(c, corners, 4);
}

// Load-bearing holds along the ground, one random step after the other.
static void add_ground_holds(course *c, lope_xy a, lope_xy b, double margin)
{
    double length = hypot(b.x - a.x, b.y - a.y);
    for (double s = margin; s < length - 0.05; s += between(c, 0.18, 0.35))
        add_hold(c, a.x + (b.x - a.x) * s / length, a.y + (b.y - a.y) * s / length, LOPE_HOLD_LOAD_BEARING);
}

// Level ground.
static void add_floor(course *c, double length, double margin)
{
    add_box(c, c->x, 0.0, c->x + length, c->y);
    add_ground_holds(c, (lope_xy){c->x, c->y}, (lope_xy){c->x + length, c->y}, margin);
    c->x += length;
}

// Ground that goes up and down, at most 15 degrees steep.
static void add_uneven(course *c, int pieces)
{
    lope_xy corners[MOST_CORNERS];
    int count = 0;
    double begin = c->x;
    corners[count++] = (lope_xy){c->x, c->y};
    for (int i = 0; i < pieces; i++) {
        double length = between(c, 0.9, 1.5), rise = i == 0 || i == pieces - 1 ? 0.0 : length * between(c, -0.26, 0.26);
        rise = c->y + rise < 0.3 ? -rise : rise;
        lope_xy from = {c->x, c->y}, to = {c->x + length, c->y + rise};
        add_ground_holds(c, from, to, i == 0 ? 0.3 : 0.1);
        c->x = to.x;
        c->y = to.y;
        corners[count++] = to;
    }
    corners[count++] = (lope_xy){c->x, 0.0};
    corners[count++] = (lope_xy){begin, 0.0};
    add_polygon(c, corners, count);
}

// A wall up to a ledge on which the course goes on.
static void add_wall(course *c, double height, double ledge)
{
    double foot = c->y;
    for (double s = between(c, 0.2, 0.35); s < height - 0.05; s += between(c, 0.18, 0.35))
        add_hold(c, c->x, foot + s, LOPE_HOLD_HYBRID);
    c->y += height;
    add_floor(c, ledge, 0.06);
}

// Ground with a ceiling over its middle.
static void add_tunnel(course *c, double height, double length)
{
    double before = between(c, 1.9, 2.4), after = between(c, 1.6, 2.0);
    add_box(c, c->x + before, c->y + height, c->x + before + length, c->y + ROOM_ABOVE + 0.3);
    add_floor(c, before + length + after, 0.3);
}

// A gap with bars over it, and ground behind.
static void add_bars(course *c, double gap, double behind)
{
    double y = c->y + between(c, 1.75, 1.95);
    for (double x = c->x - 0.7; x < c->x + gap + 0.8; x += between(c, 0.25, 0.48))
        add_hold(c, x, y + between(c, -0.04, 0.04), LOPE_HOLD_PENDENT);
    c->x += gap;
    add_floor(c, behind, 0.06);
}

static void add_hanging_bars(course *c, int count)
{
    for (int i = 0; i < count; i++) {
        add_hold(c, c->x, c->y + between(c, -0.05, 0.05), LOPE_HOLD_PENDENT);
        c->x += between(c, 0.25, 0.48);
    }
    c->x += 0.3;
}

static void lay(course *c, lope_climb_family family, lope_climb_problem *problem)
{
    c->y = 0.5;
    problem->start = (lope_climb_site){.at = {0.6, 0.5}, .mode = LOPE_MODE_WALK, .facing = 1};
    switch (family) {
    case LOPE_FAMILY_WALK:
        add_uneven(c, 6);
        break;
    case LOPE_FAMILY_SWING:
        c->x = 0.6;
        c->y = 2.6;
        problem->start = (lope_climb_site){.at = {0.8, 2.6}, .mode = LOPE_MODE_SWING, .facing = 1};
        add_hanging_bars(c, 14);
        problem->goal = (lope_climb_site){.at = {c->x - 0.9, 2.6}, .mode = LOPE_MODE_SWING, .facing = 1};
        return;
    case LOPE_FAMILY_CLIMB:
        add_floor(c, between(c, 2.2, 2.8), 0.3);
        add_wall(c, between(c, 1.5, 3.0), between(c, 2.4, 3.0));
        break;
    case LOPE_FAMILY_CRAWL:
        add_tunnel(c, between(c, 0.7, 1.1), between(c, 1.5, 2.5));
        break;
    default:
        add_tunnel(c, between(c, 0.7, 1.1), between(c, 1.5, 2.5));
        add_wall(c, between(c, 1.5, 2.2), between(c, 2.2, 2.6));
        add_bars(c, between(c, 1.6, 2.4), between(c, 2.4, 2.8));
        break;
    }
    problem->goal = (lope_climb_site){.at = {c->x - 0.6, c->y}, .mode = LOPE_MODE_WALK, .facing = 1};
}

const char *lope_climb_family_name(lope_climb_family family)
{
    static const char *const names[LOPE_FAMILY_COUNT] = {"walk", "swing", "climb", "crawl", "complex"};
    return names[family];
}

lope_status lope_climb_scene_random(lope_climb_family family, uint64_t seed, lope_climb_scene **out, lope_error *error)
{
    *out = NULL;
    course *c = lope_alloc_zero(sizeof *c);
    lope_climb_scene *scene = lope_alloc_zero(sizeof *scene);
    lope_status status = c && scene ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        c->random = lope_random_seed(seed * LOPE_FAMILY_COUNT + (uint64_t)family);
        snprintf(scene->name, sizeof scene->name, "%s %llu", lope_climb_family_name(family), (unsigned long long)seed);
        scene->body = lope_grasp_body_default();
        lay(c, family, &scene->problem);
        lope_grasp_world_def def = lope_grasp_world_def_default();
        def.high = (lope_xy){c->x, fmax(c->highest, c->y) + ROOM_ABOVE};
        def.obstacles = c->obstacles;
        def.obstacle_count = c->obstacle_count;
        def.holds = c->holds;
        def.hold_count = c->hold_count;
        status = lope_grasp_world_create(&def, &scene->world, NULL, error);
    }
    lope_free(c);
    if (status)
        lope_climb_scene_destroy(scene);
    else
        *out = scene;
    return status;
}
