// SPDX-License-Identifier: MIT
// Plots of random levels, each written in a frame of its own, within 3.9 m of its middle, on level ground.
#include "generators/level_plots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STOREY 3.2f // metres from floor to floor: more than a climb
#define SLAB 0.2f
#define STEP 0.4f // what the default body rises over, and the highest ledge that it climbs
#define CLIMB 3.0f

float maker_range(maker *m, float low, float high)
{
    uint64_t z = m->state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return low + (high - low) * (float)((double)(z >> 40) * (1.0 / 16777216.0));
}

int maker_below(maker *m, int count)
{
    int i = (int)maker_range(m, 0.0f, (float)count);
    return i < count ? i : count - 1;
}

// ---- parts, in the plot's frame

static int add(maker *m, lope_part_def *def, const char *name)
{
    lope_part_id part = {0};
    snprintf(def->name, sizeof def->name, "%s", name);
    def->at = lope_transform_mul(m->at, def->at);
    if (!m->status)
        m->status = lope_level_add(m->out->level, def, &part, m->error);
    return m->status ? -1 : lope_level_part_index(m->out->level, part);
}

static void box(maker *m, const char *name, lope_vec3 low, lope_vec3 high)
{
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = lope_v3_sub(high, low);
    def.at.translation = lope_v3(0.5f * (low.x + high.x), low.y, 0.5f * (low.z + high.z));
    add(m, &def, name);
}

static int thing(maker *m, const char *kind, lope_vec3 place, float yaw, lope_vec3 size)
{
    lope_part_def def = lope_part_def_default(LOPE_PART_THING);
    snprintf(def.kind, sizeof def.kind, "%s", kind);
    def.at = (lope_transform){lope_quat_yaw(yaw), place};
    def.size = size;
    return add(m, &def, kind);
}

void maker_mesh(maker *m, const char *name, const lope_terrain_mesh *mesh)
{
    lope_part_def def = lope_part_def_default(LOPE_PART_MESH);
    def.mesh = mesh;
    add(m, &def, name);
}

// ---- known links

static level_known *known(maker *m, level_known link)
{
    level_random *out = m->out;
    static level_known nowhere;
    if (out->known_count == m->room) {
        int room = m->room ? 2 * m->room : 64;
        level_known *grown = realloc(out->known, (size_t)room * sizeof *grown);
        if (!grown) {
            m->status = LOPE_NO_MEMORY;
            return &nowhere;
        }
        out->known = grown;
        m->room = room;
    }
    lope_vec3 *points[] = {&link.from, &link.to, &link.left, &link.right};
    for (int i = 0; i < 4; i++)
        *points[i] = lope_transform_point(m->at, *points[i]);
    out->known[out->known_count] = link;
    return &out->known[out->known_count++];
}

// The same way back. DOWN is the way back of UP.
static void both_ways(maker *m, level_known link)
{
    known(m, link);
    level_known back = link;
    back.kind = link.kind == LOPE_LINK_UP ? LOPE_LINK_DOWN : link.kind;
    back.from = link.to;
    back.to = link.from;
    back.left = link.right;
    back.right = link.left;
    back.rise = -link.rise;
    known(m, back);
}

// A ledge. Up goes to the left of the way from a to b, seen from above with x to the right and z up the page.
static void ledge(maker *m, lope_vec2 a, lope_vec2 b, float low, float high)
{
    float rise = high - low;
    if (rise < STEP + 0.02f || rise > CLIMB - 0.02f)
        return;
    lope_vec3 left = {b.x, high, b.z}, right = {a.x, high, a.z}, middle = lope_v3_lerp(left, right, 0.5f);
    lope_vec3 along = lope_v3_normalize(lope_v3_sub(left, right), lope_v3(1, 0, 0));
    lope_vec3 up = lope_v3(-along.z, 0.0f, along.x);
    level_known link = {.kind = LOPE_LINK_UP, .left = left, .right = right, .rise = rise, .part = -1};
    link.to = lope_v3_mad(middle, up, 0.3f);
    link.from = lope_v3_mad(middle, up, -0.25f);
    link.from.y = low;
    both_ways(m, link);
}

enum { NEAR_Z = 1, FAR_X = 2, FAR_Z = 4, NEAR_X = 8, ALL_SIDES = 15 };

// A box on the ground to climb onto, with ledges at the given sides.
static void platform(maker *m, lope_vec2 low, lope_vec2 high, float height, int sides)
{
    const lope_vec2 c[] = {low, {high.x, low.z}, high, {low.x, high.z}, low};
    box(m, "platform", lope_v3(low.x, 0, low.z), lope_v3(high.x, height, high.z));
    for (int i = 0; i < 4; i++)
        if (sides >> i & 1)
            ledge(m, c[i], c[i + 1], 0.0f, height);
}

// ---- plots

// Treads up along +Z from `from`, whose last riser leads to a floor there. Returns how far it goes.
static float flight(maker *m, lope_vec3 from, float width, int risers, const float *rises, const float *treads)
{
    float y = from.y, z = from.z;
    for (int i = 0; i < risers - 1; i++) {
        float under = from.y > 0.0f ? y - 0.1f : 0.0f;
        y += rises[i];
        box(m, "tread", lope_v3(from.x - 0.5f * width, under, z), lope_v3(from.x + 0.5f * width, y, z + treads[i]));
        z += treads[i];
    }
    y += rises[risers - 1];
    level_known link = {
        .kind = LOPE_LINK_STAIRS, .rise = y - from.y, .across = z - from.z, .treads = risers, .part = -1};
    link.from = lope_v3(from.x, from.y, from.z - 0.3f);
    link.to = lope_v3(from.x, y, z + 0.25f);
    link.left = lope_v3(from.x + 0.5f * width, from.y, from.z); // +Z is ahead, +X to the left
    link.right = lope_v3(from.x - 0.5f * width, from.y, from.z);
    both_ways(m, link);
    return z;
}

static void stairs(maker *m, bool regular)
{
    float rises[16], treads[16], width = maker_range(m, 1.0f, 2.0f), rise = maker_range(m, 0.14f, 0.2f),
                                 depth = maker_range(m, 0.26f, 0.34f);
    int risers = 5 + maker_below(m, 8);
    float height = 0.0f;
    for (int i = 0; i < risers; i++) {
        rises[i] = regular ? rise : maker_range(m, 0.08f, 0.3f);
        treads[i] = regular ? depth : maker_range(m, 0.22f, 0.42f);
        height += rises[i];
    }
    float z = flight(m, lope_v3(0, 0, -3.5f), width, risers, rises, treads);
    platform(m, (lope_vec2){-1.2f, z}, (lope_vec2){1.2f, z + 1.6f}, height, FAR_X | FAR_Z | NEAR_X);
}

static void regular_stairs(maker *m)
{
    stairs(m, true);
}

static void irregular_stairs(maker *m)
{
    stairs(m, false);
}

// Slabs over each other; flights go to and fro in two lanes along their near side.
static void storeys(maker *m)
{
    const float half = 2.7f, well = -0.85f, door = 1.95f;
    const int risers = 18;
    float rises[18], treads[18];
    for (int i = 0; i < risers; i++) {
        rises[i] = STOREY / (float)risers;
        treads[i] = 2.0f * door / (float)(risers - 1);
    }
    const lope_transform plot = m->at;
    m->storeys = 1 + maker_below(m, m->def.storeys);
    for (int k = 0; k < m->storeys; k++) {
        float low = STOREY * (float)k, high = low + STOREY;
        bool even = k % 2 == 0;
        box(m, "slab", lope_v3(-half, high - SLAB, well), lope_v3(half, high, half));
        box(m, "landing", lope_v3(even ? door : -half, high - SLAB, -half), lope_v3(even ? half : -door, high, well));
        box(m, "partition", lope_v3(-door, low, well - 0.08f), lope_v3(door, high - SLAB, well - 0.02f));
        box(m, "partition", lope_v3(-door, low, -1.83f), lope_v3(door, high, -1.77f));
        for (int i = 0; i < 4; i++) {
            float x = i & 1 ? half - 0.3f : -half, z = i & 2 ? half - 0.3f : well + 0.1f;
            box(m, "pillar", lope_v3(x, low, z), lope_v3(x + 0.3f, high - SLAB, z + 0.3f));
        }
        m->at.rotation = lope_quat_mul(plot.rotation, lope_quat_yaw((even ? 0.5f : -0.5f) * (float)LOPE_PI));
        flight(m, lope_v3(even ? 2.25f : -1.35f, low, -door), 0.8f, risers, rises, treads); // towards +X, then -X
        m->at = plot;
    }
}

void maker_bridge(maker *m, int storey)
{
    const float half = 2.7f, y = STOREY * (float)storey;
    box(m, "bridge", lope_v3(half, y - SLAB, 0.0f), lope_v3(LEVEL_RANDOM_PLOT - half, y, 1.6f));
}

static void ramp(maker *m)
{
    float height = maker_range(m, 0.6f, 2.6f), angle = maker_range(m, 0.2f, 0.6f), width = maker_range(m, 1.0f, 2.4f);
    float run = fminf(5.4f, height * (float)(lope_cos((double)angle) / lope_sin((double)angle)));
    const lope_vec2 side[] = {{-3.5f, 0.0f}, {-3.5f + run, 0.0f}, {-3.5f + run, height}};
    lope_part_def def = lope_part_def_default(LOPE_PART_PRISM);
    def.corners = side; // x of the outline goes to +Z, its z up: swept from left to right
    def.corner_count = 3;
    def.size.y = width;
    def.at.rotation = lope_quat_from_axes(lope_v3(0, 0, 1), lope_v3(1, 0, 0), lope_v3(0, 1, 0));
    def.at.translation.x = -0.5f * width;
    add(m, &def, "ramp");
    float z = -3.5f + run;
    platform(m, (lope_vec2){-1.3f, z}, (lope_vec2){1.3f, z + 1.6f}, height, FAR_X | FAR_Z | NEAR_X);
    level_known link = {.kind = LOPE_LINK_SLOPE, .rise = height, .across = run, .part = -1};
    link.from = lope_v3(0, 0, -3.8f);
    link.to = lope_v3(0, height, z + 0.3f);
    link.left = lope_v3(0.5f * width, 0, -3.5f);
    link.right = lope_v3(-0.5f * width, 0, -3.5f);
    both_ways(m, link);
}

// A grid of cells over a square whose rim lies in the ground.
lope_terrain_mesh *maker_grid(maker *m, int cells)
{
    lope_terrain_mesh *g = NULL;
    if (!m->status)
        m->status = lope_terrain_mesh_create((cells + 1) * (cells + 1), 2 * cells * cells, &g, m->error);
    for (int i = 0; g && i < cells * cells; i++) {
        int a = i / cells * (cells + 1) + i % cells, c = a + cells + 2;
        const int corners[] = {a, c, a + 1, a, a + cells + 1, c};
        memcpy(g->indices + 6 * (size_t)i, corners, sizeof corners);
    }
    return g;
}

static void rubble(maker *m)
{
    int cells = 8 + maker_below(m, 9);
    float size = maker_range(m, 3.0f, 5.0f), high = maker_range(m, 0.15f, 0.35f);
    lope_terrain_mesh *g = maker_grid(m, cells);
    for (int i = 0; g && i < g->vertex_count; i++) {
        int column = i % (cells + 1), row = i / (cells + 1);
        bool rim = column == 0 || row == 0 || column == cells || row == cells;
        float x = ((float)column / (float)cells - 0.5f) * size, z = ((float)row / (float)cells - 0.5f) * size;
        g->vertices[i] = lope_v3(x, rim ? -0.02f : maker_range(m, 0.02f, high), z);
    }
    if (g)
        maker_mesh(m, "rubble", g);
    lope_terrain_mesh_destroy(g);
    level_known link = {.kind = LOPE_LINK_RUBBLE, .across = size, .part = -1};
    link.from = lope_v3(0, 0, -0.5f * size - 0.3f);
    link.to = lope_v3(0, 0, 0.5f * size + 0.3f);
    link.left = lope_v3(0.5f * size, 0, -0.5f * size);
    link.right = lope_v3(-0.5f * size, 0, -0.5f * size);
    both_ways(m, link);
}

static void wall(maker *m)
{
    float thick = maker_range(m, 0.7f, 1.4f), half = maker_range(m, 1.0f, 3.4f);
    platform(m, (lope_vec2){-half, -0.5f * thick}, (lope_vec2){half, 0.5f * thick}, maker_range(m, 0.5f, 2.8f),
             ALL_SIDES);
}

// A wall that is too thin to stand on.
static void fence(maker *m)
{
    float thick = maker_range(m, 0.08f, 0.3f), half = maker_range(m, 1.0f, 3.4f), height = maker_range(m, 0.6f, 2.4f);
    box(m, "fence", lope_v3(-half, 0, -0.5f * thick), lope_v3(half, height, 0.5f * thick));
    level_known link = {.kind = LOPE_LINK_OVER, .rise = height, .across = thick, .part = -1};
    link.from = lope_v3(0, 0, -0.5f * thick - 0.3f);
    link.to = lope_v3(0, 0, 0.5f * thick + 0.3f);
    link.left = lope_v3(half, height, -0.5f * thick);
    link.right = lope_v3(-half, height, -0.5f * thick);
    known(m, link);
    link.from.z = -link.from.z;
    link.to.z = -link.to.z;
    link.left = lope_v3(-half, height, 0.5f * thick);
    link.right = lope_v3(half, height, 0.5f * thick);
    known(m, link);
}

// Two walls and a lid that is too high to climb, so that the only way is through.
static void tunnel_part(maker *m, lope_vec2 low, lope_vec2 high, float headroom)
{
    box(m, "lid", lope_v3(low.x, headroom, low.z), lope_v3(high.x, 3.4f, high.z));
}

static void tunnel(maker *m)
{
    float headroom = maker_range(m, 0.6f, 1.6f), wide = maker_range(m, 0.8f, 1.2f), length = maker_range(m, 2.0f, 2.6f);
    bool bend = maker_below(m, 2) == 1;
    const float t = 0.4f, h = 0.5f * wide, z0 = -0.5f * length, z1 = 0.5f * length;
    // Along z, and with a bend on to +X at its far end.
    float right = bend ? h + length : h + t, end = bend ? z1 + t : z1;
    box(m, "tunnel wall", lope_v3(-h - t, 0, z0), lope_v3(-h, 3.4f, end));
    box(m, "tunnel wall", lope_v3(h, 0, z0), lope_v3(h + t, 3.4f, bend ? z1 - wide : z1));
    tunnel_part(m, (lope_vec2){-h, z0}, (lope_vec2){h, z1}, headroom);
    if (bend) {
        box(m, "tunnel wall", lope_v3(-h, 0, z1), lope_v3(right, 3.4f, z1 + t));
        box(m, "tunnel wall", lope_v3(h + t, 0, z1 - wide - t), lope_v3(right, 3.4f, z1 - wide));
        tunnel_part(m, (lope_vec2){h, z1 - wide}, (lope_vec2){right, z1}, headroom);
    }
    level_known link = {
        .kind = LOPE_LINK_LOW, .headroom = headroom, .across = bend ? 2.0f * length - h : length, .part = -1};
    link.from = lope_v3(0, 0, z0 - 0.3f);
    link.to = bend ? lope_v3(right + 0.3f, 0, z1 - h) : lope_v3(0, 0, z1 + 0.3f);
    link.left = lope_v3(h, 0, z0);
    link.right = lope_v3(-h, 0, z0);
    both_ways(m, link);
}

static float two_platforms(maker *m, float gap, float height)
{
    float half = maker_range(m, 0.8f, 1.5f), z = 0.5f * gap;
    platform(m, (lope_vec2){-half, -z - 1.5f}, (lope_vec2){half, -z}, height, ALL_SIDES);
    platform(m, (lope_vec2){-half, z}, (lope_vec2){half, z + 1.5f}, height, ALL_SIDES);
    return half;
}

static void across_gap(maker *m, lope_link_kind kind, float half, float gap, float height)
{
    level_known link = {.kind = kind, .across = gap, .part = -1};
    link.from = lope_v3(0, height, -0.5f * gap - 0.3f);
    link.to = lope_v3(0, height, 0.5f * gap + 0.3f);
    link.left = lope_v3(half, height, -0.5f * gap);
    link.right = lope_v3(-half, height, -0.5f * gap);
    both_ways(m, link);
}

static void gap(maker *m)
{
    float wide = maker_range(m, 0.5f, 3.5f), height = maker_range(m, 0.9f, 2.6f);
    across_gap(m, LOPE_LINK_GAP, two_platforms(m, wide, height), wide, height);
}

static void bars(maker *m)
{
    float wide = maker_range(m, 1.6f, 3.4f), height = maker_range(m, 1.2f, 2.6f),
          above = height + maker_range(m, 2.0f, 2.25f);
    float half = two_platforms(m, wide, height);
    int count = 1 + (int)(wide / 0.45f);
    for (int i = 0; i <= count; i++)
        thing(m, "bar", lope_v3(0, above, -0.5f * wide + wide * (float)i / (float)count), 0.0f,
              lope_v3(1.0f, 0.035f, 0.0f));
    for (int i = 0; i < 2; i++) // rails that carry them
        box(m, "rail", lope_v3(i ? 0.5f : -0.56f, above - 0.03f, -0.5f * wide - 0.1f),
            lope_v3(i ? 0.56f : -0.5f, above + 0.03f, 0.5f * wide + 0.1f));
    across_gap(m, LOPE_LINK_BARS, fminf(half, 0.5f), wide, height);
    across_gap(m, LOPE_LINK_GAP, half, wide, height);
}

static void ladder(maker *m)
{
    float height = 0.3f * (float)(5 + maker_below(m, 10));
    int part = thing(m, "ladder", lope_v3(0, 0, -1.3f), 0.0f, lope_v3(0, height, 0));
    platform(m, (lope_vec2){-1.2f, -1.2f}, (lope_vec2){1.2f, 1.2f}, height, FAR_X | FAR_Z | NEAR_X);
    level_known link = {.kind = LOPE_LINK_LADDER, .rise = height, .part = part};
    link.from = lope_v3(0, 0, -1.7f);
    link.to = lope_v3(0, height, -0.8f);
    link.left = link.right = lope_v3(0, 0, -1.3f);
    both_ways(m, link);
}

static void slide(maker *m)
{
    const float top = -1.5f; // where it begins
    float height = maker_range(m, 1.2f, 2.4f), length = maker_range(m, 1.4f, 1.8f) * height;
    int part = thing(m, "slide", lope_v3(0, 0, top), 0.0f, lope_v3(0, height, length));
    platform(m, (lope_vec2){-1.2f, top - 2.0f}, (lope_vec2){1.2f, top}, height, FAR_X | NEAR_Z | NEAR_X);
    level_known link = {.kind = LOPE_LINK_SLIDE, .rise = -height, .across = length, .part = part};
    link.from = lope_v3(0, height, top - 0.3f);
    link.to = lope_v3(0, 0, top + length + 0.4f);
    link.left = link.right = lope_v3(0, height, top);
    known(m, link);
}

static void seats(maker *m)
{
    static const char *const kinds[] = {"chair", "bench", "chair", "bench"};
    for (int i = 0; i < 4; i++) {
        float yaw = maker_range(m, -3.0f, 3.0f), x = i & 1 ? 1.8f : -1.8f, z = i & 2 ? 1.8f : -1.8f;
        lope_vec3 place = {x, 0, z}, ahead = lope_quat_rotate(lope_quat_yaw(yaw), lope_v3(0, 0, 0.6f));
        level_known link = {.kind = LOPE_LINK_SEAT, .part = thing(m, kinds[i], place, yaw, lope_v3(0, 0, 0))};
        link.from = link.to = lope_v3_add(place, ahead);
        link.left = link.right = place;
        known(m, link);
    }
    thing(m, "desk", lope_v3(0, 0, 0), maker_range(m, -3.0f, 3.0f), lope_v3(0, 0, 0));
}

// A roof on posts over part of the plot, and beams that are too low to pass.
static void overhang(maker *m)
{
    float high = maker_range(m, 1.85f, 2.8f), half = maker_range(m, 1.5f, 2.5f);
    box(m, "roof", lope_v3(-half, high, -half), lope_v3(half, high + 0.8f + maker_range(m, 0.6f, 2.0f), half));
    for (int i = 0; i < 4; i++) {
        float x = i & 1 ? half - 0.2f : -half, z = i & 2 ? half - 0.2f : -half;
        box(m, "post", lope_v3(x, 0, z), lope_v3(x + 0.2f, high, z + 0.2f));
    }
    float beam = maker_range(m, 0.6f, 1.7f);
    box(m, "beam", lope_v3(-half + 0.2f, beam, -0.1f), lope_v3(half - 0.2f, high, 0.1f));
    level_known link = {.kind = LOPE_LINK_LOW, .headroom = beam, .across = 0.2f, .part = -1};
    link.from = lope_v3(0, 0, -0.4f);
    link.to = lope_v3(0, 0, 0.4f);
    link.left = lope_v3(half - 0.2f, 0, -0.1f);
    link.right = lope_v3(0.2f - half, 0, -0.1f);
    both_ways(m, link);
}

static void pillars(maker *m)
{
    static const lope_vec2 corner[] = {{0, 0}, {0.9f, 0}, {0.9f, 0.3f}, {0.3f, 0.3f}, {0.3f, 0.9f}, {0, 0.9f}};
    for (int i = 0; i < 9; i++) {
        lope_part_def def = lope_part_def_default(i % 3 == 0   ? LOPE_PART_CYLINDER
                                                  : i % 3 == 1 ? LOPE_PART_BOX
                                                               : LOPE_PART_PRISM);
        def.size = lope_v3(maker_range(m, 0.2f, 1.0f), maker_range(m, 3.1f, 4.0f), maker_range(m, 0.2f, 1.0f));
        def.corners = corner;
        def.corner_count = 6;
        def.at.rotation = lope_quat_yaw(maker_range(m, -3.0f, 3.0f));
        def.at.translation = lope_v3(2.0f * (float)(i % 3 - 1), 0, 2.0f * (float)(i / 3 - 1));
        add(m, &def, "pillar");
    }
}

// Low boxes over and beside each other: feet rise over all of them.
static void kerbs(maker *m)
{
    float height = 0.0f;
    for (int i = 0; i < 3; i++) {
        float half = 2.4f - 0.6f * (float)i, rise = maker_range(m, 0.05f, 0.36f);
        box(m, "kerb", lope_v3(-half, height, -half), lope_v3(half, height + rise, half));
        height += rise;
    }
}

static const struct plot {
    const char *name;
    void (*make)(maker *m);
} plots[] = {{"storeys", storeys},
             {"regular stairs", regular_stairs},
             {"irregular stairs", irregular_stairs},
             {"ramp", ramp},
             {"rubble", rubble},
             {"wall", wall},
             {"fence", fence},
             {"tunnel", tunnel},
             {"gap", gap},
             {"bars", bars},
             {"ladder", ladder},
             {"slide", slide},
             {"seats", seats},
             {"overhang", overhang},
             {"pillars", pillars},
             {"kerbs", kerbs}};
#define PLOTS ((int)(sizeof plots / sizeof *plots))

int maker_plot_count(void)
{
    return PLOTS;
}

void maker_plot(maker *m, int kind)
{
    plots[kind].make(m);
}

bool maker_is_tower(int kind)
{
    return plots[kind].make == storeys;
}

const char *level_random_kind_name(int kind)
{
    return kind >= 0 && kind < PLOTS ? plots[kind].name : NULL;
}
