// SPDX-License-Identifier: MIT
// Shapes of parts. Nearly all are outlines that are swept along an axis: boxes, prisms, cylinders, and the things that
// are known by kind, which are a few boxes from a table, or a ladder, a slide, a bar.
#include "level/part_shapes.h"

#include "base/error.h"
#include "base/list.h"

#define MOST_CORNERS 256
#define THINNEST 1e-3f     // metres
#define ROUND_ERROR 1e-3f  // metres that a round outline may be off
#define RUNG_PITCH 0.3f    // metres, as the ladders of blocks
#define SLIDE_EXIT 0.42f   // metres above the floor
#define SLIDE_RUN_OUT 0.4f // metres of level surface at the end
#define SLIDE_THICKNESS 0.04f

// Grows a mesh; `failed`: no memory.
typedef struct pen {
    list vertices, triangles;
    bool failed;
} pen;

typedef struct triangle {
    int corners[3];
} triangle;

// Where an outline's x and z go, and the way along which it is swept: sideways x ahead = -along.
typedef struct frame {
    lope_vec3 origin, sideways, ahead, along;
} frame;

static int add_vertex(pen *p, lope_vec3 at)
{
    p->failed = !list_add(&p->vertices, &at, sizeof at) || p->failed;
    return p->vertices.count - 1;
}

static void add_triangle(pen *p, int a, int b, int c)
{
    triangle t = {{a, b, c}};
    p->failed = !list_add(&p->triangles, &t, sizeof t) || p->failed;
}

static double turn(lope_vec2 a, lope_vec2 b, lope_vec2 c)
{
    double x = (double)a.x, z = (double)a.z;
    return ((double)b.x - x) * ((double)c.z - z) - ((double)b.z - z) * ((double)c.x - x);
}

static double doubled_area(const lope_vec2 *o, int n)
{
    double sum = 0.0;
    for (int i = 1; i + 1 < n; i++)
        sum += turn(o[0], o[i], o[i + 1]);
    return sum;
}

// On the line from a to b, ends included.
static bool lies_on(lope_vec2 p, lope_vec2 a, lope_vec2 b)
{
    return turn(a, b, p) == 0.0 && fminf(a.x, b.x) <= p.x && p.x <= fmaxf(a.x, b.x) && fminf(a.z, b.z) <= p.z &&
           p.z <= fmaxf(a.z, b.z);
}

static bool cross(lope_vec2 a, lope_vec2 b, lope_vec2 c, lope_vec2 d)
{
    return turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0;
}

static lope_status check_outline(const lope_vec2 *o, int n, lope_error *error)
{
    if (!o || n < 3 || n > MOST_CORNERS)
        return lope_fail(error, LOPE_BAD_DATA, "an outline has from 3 to %d corners, found %d", MOST_CORNERS, n);
    for (int i = 0; i < n; i++)
        if (!(fabsf(o[i].x) <= 1e5f && fabsf(o[i].z) <= 1e5f))
            return lope_fail(error, LOPE_BAD_DATA, "corner %d lies at (%g, %g); it must be finite and within 100 km", i,
                             (double)o[i].x, (double)o[i].z);
    for (int i = 0; i < n; i++)
        for (int j = i + 2; j < n; j++)
            if (cross(o[i], o[i + 1], o[j], o[(j + 1) % n]))
                return lope_fail(error, LOPE_BAD_DATA, "the outline crosses itself at its edges %d and %d", i, j);
    if (!(fabs(doubled_area(o, n)) > 1e-6))
        return lope_fail(error, LOPE_BAD_DATA, "the outline has no area");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j != i && j != (i + 1) % n && lies_on(o[j], o[i], o[(i + 1) % n]))
                return lope_fail(error, LOPE_BAD_DATA, "the outline touches itself: corner %d lies on edge %d", j, i);
    return LOPE_OK;
}

static bool is_ear(const lope_vec2 *o, const int *left, int n, int i)
{
    lope_vec2 a = o[left[(i + n - 1) % n]], b = o[left[i]], c = o[left[(i + 1) % n]];
    if (turn(a, b, c) <= 0.0)
        return false;
    for (int k = 2; k < n - 1; k++) {
        lope_vec2 p = o[left[(i + k) % n]];
        if (turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0)
            return false;
    }
    return true;
}

// Both ends of a swept outline, by cutting off ears. Corner i has vertices first + 2 * i and the next.
static void add_caps(pen *p, const lope_vec2 *o, int n, int first)
{
    int left[MOST_CORNERS];
    for (int i = 0; i < n; i++)
        left[i] = i;
    while (n >= 3) {
        int ear = 0;
        while (ear < n && !is_ear(o, left, n, ear))
            ear++;
        ear %= n; // straight corners are left at the end: any will do
        int a = first + 2 * left[(ear + n - 1) % n], b = first + 2 * left[ear], c = first + 2 * left[(ear + 1) % n];
        add_triangle(p, a, b, c);
        add_triangle(p, a + 1, c + 1, b + 1);
        n--;
        for (int i = ear; i < n; i++)
            left[i] = left[i + 1];
    }
}

// The outline must not cross itself.
static void sweep(pen *p, const lope_vec2 *outline, int n, const frame *f)
{
    lope_vec2 o[MOST_CORNERS];
    bool turned = doubled_area(outline, n) < 0.0;
    int first = p->vertices.count;
    for (int i = 0; i < n; i++) {
        o[i] = outline[turned ? n - 1 - i : i];
        lope_vec3 at = lope_v3_mad(lope_v3_mad(f->origin, f->sideways, o[i].x), f->ahead, o[i].z);
        add_vertex(p, at);
        add_vertex(p, lope_v3_add(at, f->along));
    }
    for (int i = 0; i < n; i++) {
        int a = first + 2 * i, b = first + 2 * ((i + 1) % n);
        add_triangle(p, a, a + 1, b + 1);
        add_triangle(p, a, b + 1, b);
    }
    add_caps(p, o, n, first);
}

static frame upright(float low, float high)
{
    return (frame){{0.0f, low, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {0.0f, high - low, 0.0f}};
}

static void add_box(pen *p, lope_vec3 low, lope_vec3 high)
{
    const lope_vec2 corners[] = {{low.x, low.z}, {high.x, low.z}, {high.x, high.z}, {low.x, high.z}};
    const frame f = upright(low.y, high.y);
    sweep(p, corners, 4, &f);
}

static void add_round(pen *p, float diameter, const frame *f)
{
    lope_vec2 corners[64];
    float r = 0.5f * diameter;
    int n = 12;
    while (n < 64 && r * (1.0f - (float)lope_cos(LOPE_PI / n)) > ROUND_ERROR)
        n += 4;
    for (int i = 0; i < n; i++) {
        double angle = 2.0 * LOPE_PI * i / n;
        corners[i] = (lope_vec2){r * (float)lope_cos(angle), r * (float)lope_sin(angle)};
    }
    sweep(p, corners, n, f);
}

// ---- things by kind

typedef struct thing {
    const char *kind;
    lope_vec3 size; // that its boxes are given for
    int box_count;
    lope_vec3 boxes[3][2]; // low and high
    void (*make)(pen *p, lope_vec3 size);
} thing;

static void make_ladder(pen *p, lope_vec3 size)
{
    float x = 0.5f * size.x, z = 0.5f * size.z, rail = fminf(0.04f, 0.25f * size.x);
    for (int side = 0; side < 2; side++)
        add_box(p, lope_v3(side ? x - rail : -x, 0.0f, -z), lope_v3(side ? x : rail - x, size.y, z));
    for (int rung = 1; (float)rung * RUNG_PITCH < size.y + 1e-3f; rung++) {
        float y = (float)rung * RUNG_PITCH;
        add_box(p, lope_v3(rail - x, y - 0.015f, -0.375f * size.z), lope_v3(x - rail, y + 0.015f, 0.375f * size.z));
    }
}

static const frame across = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {0.0f, 1.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};

static frame across_by(float width)
{
    frame f = across;
    f.origin.x = -0.5f * width;
    f.along.x = width;
    return f;
}

static void make_slide(pen *p, lope_vec3 size)
{
    float low = fminf(SLIDE_EXIT, 0.5f * size.y), bend = size.z - fminf(SLIDE_RUN_OUT, 0.5f * size.z);
    float thick = fminf(SLIDE_THICKNESS, 0.5f * low);
    const lope_vec2 side[] = {{0.0f, size.y},        {bend, low},         {size.z, low},
                              {size.z, low - thick}, {bend, low - thick}, {0.0f, size.y - thick}};
    const frame f = across_by(size.x);
    sweep(p, side, 6, &f);
}

static void make_bar(pen *p, lope_vec3 size)
{
    const frame f = across_by(size.x);
    add_round(p, size.y, &f);
}

// Chair, desk and ladder measure the same as those that blocks know. All are seen from the floor under their middle and
// face +Z; a bar from its middle, a ladder from its foot, climbed facing +Z; a slide from below its top, going to +Z.
static const thing things[] = {
    {"chair",
     {0.44f, 0.9f, 0.59f},
     3,
     {{{-0.22f, 0.41f, -0.2f}, {0.22f, 0.45f, 0.2f}},
      {{-0.04f, 0.0f, -0.06f}, {0.04f, 0.41f, 0.02f}},
      {{-0.2f, 0.6f, -0.295f}, {0.2f, 0.9f, -0.265f}}},
     NULL},
    {"desk",
     {1.4f, 0.72f, 0.7f},
     3,
     {{{-0.7f, 0.69f, -0.35f}, {0.7f, 0.72f, 0.35f}},
      {{-0.69f, 0.0f, -0.33f}, {-0.65f, 0.69f, 0.33f}},
      {{0.65f, 0.0f, -0.33f}, {0.69f, 0.69f, 0.33f}}},
     NULL},
    {"bench",
     {1.6f, 0.45f, 0.4f},
     3,
     {{{-0.8f, 0.4f, -0.2f}, {0.8f, 0.45f, 0.2f}},
      {{-0.75f, 0.0f, -0.15f}, {-0.65f, 0.4f, 0.15f}},
      {{0.65f, 0.0f, -0.15f}, {0.75f, 0.4f, 0.15f}}},
     NULL},
    {.kind = "ladder", .size = {0.58f, 3.0f, 0.04f}, .make = make_ladder},
    {.kind = "slide", .size = {0.6f, 1.4f, 2.2f}, .make = make_slide},
    {.kind = "bar", .size = {2.0f, 0.03f, 0.03f}, .make = make_bar},
};
#define THING_COUNT ((int)(sizeof things / sizeof *things))

const char *lope_part_kind_name(int kind)
{
    return kind >= 0 && kind < THING_COUNT ? things[kind].kind : NULL;
}

static const thing *thing_of(const char *kind)
{
    for (int i = 0; i < THING_COUNT; i++)
        if (strcmp(things[i].kind, kind) == 0)
            return &things[i];
    return NULL;
}

bool part_usual_size(const char *kind, lope_vec3 *size)
{
    const thing *t = thing_of(kind);
    *size = t ? t->size : lope_v3(0.0f, 0.0f, 0.0f);
    return t != NULL;
}

static void make_thing(pen *p, const thing *t, lope_vec3 size)
{
    lope_vec3 s = {size.x / t->size.x, size.y / t->size.y, size.z / t->size.z};
    for (int i = 0; i < t->box_count; i++) {
        const lope_vec3 *b = t->boxes[i];
        add_box(p, lope_v3(b[0].x * s.x, b[0].y * s.y, b[0].z * s.z),
                lope_v3(b[1].x * s.x, b[1].y * s.y, b[1].z * s.z));
    }
    if (t->make)
        t->make(p, size);
}

// ---- meshes and height fields

static void copy_field(pen *p, const lope_terrain_field *f)
{
    for (int i = 0; i < f->columns * f->rows && !p->failed; i++) {
        float x = f->origin.x + (float)(i % f->columns) * f->cell, z = f->origin.z + (float)(i / f->columns) * f->cell;
        add_vertex(p, lope_v3(x, isnan(f->heights[i]) ? 0.0f : f->heights[i], z));
    }
    for (int i = 0; i < (f->columns - 1) * (f->rows - 1) && !p->failed; i++) {
        int a = i / (f->columns - 1) * f->columns + i % (f->columns - 1), c = a + f->columns + 1;
        for (int side = 0; side < 2; side++) {
            int b = side ? a + f->columns : a + 1;
            if (!isnan(f->heights[a]) && !isnan(f->heights[b]) && !isnan(f->heights[c]))
                add_triangle(p, a, side ? b : c, side ? c : b);
        }
    }
}

static lope_status check_field(const lope_terrain_field *f, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(f, columns, 2, 4096), LOPE_RANGE(f, rows, 2, 4096),
                                    LOPE_RANGE(f, cell, THINNEST, 1e4f), LOPE_RANGE(f, origin.x, -1e5, 1e5),
                                    LOPE_RANGE(f, origin.z, -1e5, 1e5));
    for (int i = 0; !status && i < f->columns * f->rows; i++)
        if (!isnan(f->heights[i]) && !(fabsf(f->heights[i]) <= 1e5f))
            status = lope_fail(error, LOPE_BAD_DATA, "column %d of row %d has height %g, must be within 100 km or NaN",
                               i % f->columns, i / f->columns, (double)f->heights[i]);
    return status;
}

// ---- all together

// Sizes that the shape needs, from the definition or, of things, the kind.
static lope_status check_size(const lope_part_def *def, const thing *kind, lope_vec3 *size, lope_error *error)
{
    static const unsigned needs[LOPE_PART_SHAPE_COUNT] = {
        [LOPE_PART_BOX] = 7, [LOPE_PART_PRISM] = 2, [LOPE_PART_CYLINDER] = 3, [LOPE_PART_THING] = 7};
    static const char *const names[] = {"size.x", "size.y", "size.z"};
    float *values[] = {&size->x, &size->y, &size->z};
    const float usual[] = {kind ? kind->size.x : 0.0f, kind ? kind->size.y : 0.0f, kind ? kind->size.z : 0.0f};
    *size = def->size;
    for (int i = 0; i < 3; i++) {
        if (*values[i] == 0.0f)
            *values[i] = usual[i];
        const lope_range range = {names[i], (double)*values[i], (double)THINNEST, 1e5};
        lope_status status = needs[def->shape] >> i & 1u ? lope_check_ranges(error, &range, 1) : LOPE_OK;
        if (status)
            return status;
    }
    return LOPE_OK;
}

lope_status part_check(const lope_part_def *def, lope_vec3 *size, lope_error *error)
{
    const thing *kind = thing_of(def->kind);
    if (def->shape < 0 || def->shape >= LOPE_PART_SHAPE_COUNT)
        return lope_fail(error, LOPE_BAD_DATA, "shape is %d, must be below %d", (int)def->shape, LOPE_PART_SHAPE_COUNT);
    if (def->shape == LOPE_PART_THING && !kind)
        return lope_fail(error, LOPE_NOT_FOUND,
                         "'%s' is no kind with a shape of its own; expected chair, desk, bench, "
                         "ladder, slide or bar",
                         def->kind);
    if ((def->shape == LOPE_PART_MESH && !def->mesh) || (def->shape == LOPE_PART_FIELD && !def->field))
        return lope_fail(error, LOPE_BAD_DATA, "a part of this shape needs its mesh or height field");
    lope_status status = check_size(def, kind, size, error);
    if (!status && def->shape == LOPE_PART_PRISM)
        status = check_outline(def->corners, def->corner_count, error);
    if (!status && def->shape == LOPE_PART_FIELD)
        status = check_field(def->field, error);
    return status;
}

static void draw(pen *p, const lope_part_def *def)
{
    const lope_vec3 size = def->size;
    const frame up = upright(0.0f, size.y);
    if (def->shape == LOPE_PART_BOX)
        add_box(p, lope_v3(-0.5f * size.x, 0.0f, -0.5f * size.z), lope_v3(0.5f * size.x, size.y, 0.5f * size.z));
    else if (def->shape == LOPE_PART_PRISM)
        sweep(p, def->corners, def->corner_count, &up);
    else if (def->shape == LOPE_PART_CYLINDER)
        add_round(p, size.x, &up);
    else if (def->shape == LOPE_PART_FIELD)
        copy_field(p, def->field);
    else if (def->shape == LOPE_PART_THING)
        make_thing(p, thing_of(def->kind), size);
}

lope_status part_mesh(const lope_part_def *def, lope_terrain_mesh **out, lope_error *error)
{
    pen p = {0};
    lope_status status = LOPE_OK;
    *out = NULL;
    draw(&p, def);
    const lope_terrain_mesh drawn = {p.vertices.count, p.triangles.count, p.vertices.items, p.triangles.items};
    const lope_terrain_mesh *mesh = def->shape == LOPE_PART_MESH ? def->mesh : &drawn;
    float scale = def->scale == 0.0f ? 1.0f : def->scale;
    if (!p.failed)
        status = lope_terrain_mesh_create(mesh->vertex_count, mesh->triangle_count, out, error);
    else
        status = lope_fail_memory(error);
    for (int i = 0; !status && i < mesh->vertex_count; i++)
        (*out)->vertices[i] = lope_v3_scale(mesh->vertices[i], scale);
    if (!status && mesh->triangle_count)
        memcpy((*out)->indices, mesh->indices, (size_t)mesh->triangle_count * sizeof(triangle));
    lope_free(p.vertices.items);
    lope_free(p.triangles.items);
    return status;
}
