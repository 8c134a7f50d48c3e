// SPDX-License-Identifier: MIT
// Confirmed scenery as units. Steps of a flight that differ little from even ones are one unit, so that flights of any
// length can be put together from it; a top that is deeper than the others is a unit of its own.
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "blocks/build/stage_captured.h"

// Steps whose heights and front edges are off even ones by less (metres) are even.
#define EVEN_RISE 0.03f
#define EVEN_RUN 0.06f
// A top that is deeper than the tread by more (metres) is no step.
#define LANDING 0.02f
// Half the thickness of seats, of posts, of rungs and of rails (metres).
#define SEAT_HALF 0.02f
#define POST_HALF 0.03f
#define RUNG_HALF 0.015f

static const lope_scenery_object *object_at(const captured_stage *s, const stage_group *g, int index)
{
    return &s->scenery->objects[g->objects[index]];
}

// Along a flight's way up, seen from an origin in the world.
static float along(lope_ground place, float yaw)
{
    return place.x * (float)lope_sin((double)yaw) + place.z * (float)lope_cos((double)yaw);
}

static float across(lope_ground place, float yaw)
{
    return place.x * (float)lope_cos((double)yaw) - place.z * (float)lope_sin((double)yaw);
}

static bool name_taken(const captured_stage *s, const char *name)
{
    const lope_unit *units = s->units.items;
    for (int i = 0; i < s->units.count; i++)
        if (strcmp(units[i].name, name) == 0)
            return true;
    return false;
}

// "seat_65": what it is and its measure in centimetres; told apart by letters where that is taken. -1: no memory.
static int begin_unit(captured_stage *s, const char *kind, float metres)
{
    lope_unit unit = {.box_first = s->boxes.count};
    snprintf(unit.name, sizeof unit.name, "%.12s_%.0f", kind, (double)metres * 100.0);
    for (char letter = 'b'; name_taken(s, unit.name) && letter <= 'z'; letter++)
        snprintf(unit.name, sizeof unit.name, "%.12s_%.0f%c", kind, (double)metres * 100.0, letter);
    return list_add(&s->units, &unit, sizeof unit) ? s->units.count - 1 : -1;
}

static bool add_box(captured_stage *s, int unit, float y, float half_x, float half_y, float half_z, float x)
{
    lope_box box = {{x, y, 0.0f}, {half_x, half_y, half_z}, 0.0f, 0.0f};
    if (unit < 0 || !list_add(&s->boxes, &box, sizeof box))
        return false;
    ((lope_unit *)s->units.items)[unit].box_count++;
    return true;
}

static bool place_unit(stage_group *g, int unit, float y, float z)
{
    g->units[g->unit_count++] = (lope_placed_unit){unit, {0.0f, y, z, 0.0f}};
    return unit >= 0;
}

// A flight's measures: heights and front edges from the lowest front edge on, and the even ones nearest to them.
typedef struct flight {
    int count;
    float heights[MOST_STEPS_OF_FLIGHT], fronts[MOST_STEPS_OF_FLIGHT];
    float riser, tread, width, top_depth;
    bool even;
} flight;

static flight measure_flight(const captured_stage *s, const stage_group *g)
{
    flight f = {.count = g->object_count};
    double ih = 0.0, ii = 0.0;
    float yaw = object_at(s, g, 0)->place.yaw;
    for (int i = 0; i < f.count; i++) {
        const lope_scenery_object *o = object_at(s, g, i);
        f.heights[i] = o->height;
        f.fronts[i] = along(o->place, yaw) - 0.5f * o->depth;
        f.width = fmaxf(f.width, o->width);
        f.top_depth = o->depth;
        ih += (double)(i + 1) * (double)o->height;
        ii += (double)(i + 1) * (i + 1);
    }
    f.riser = (float)(ih / ii);
    f.tread = f.count > 1 ? (f.fronts[f.count - 1] - f.fronts[0]) / (float)(f.count - 1) : f.top_depth;
    f.even = true;
    for (int i = f.count - 1; i >= 0; i--) {
        f.fronts[i] -= f.fronts[0];
        f.even = f.even && fabsf(f.heights[i] - f.riser * (float)(i + 1)) <= EVEN_RISE &&
                 fabsf(f.fronts[i] - f.tread * (float)i) <= EVEN_RUN;
    }
    return f;
}

// One step: from the middle of its top, as deep as it is to the next one.
static int shape_step(captured_stage *s, const char *kind, float riser, float width, float depth)
{
    int unit = begin_unit(s, kind, riser);
    return add_box(s, unit, -0.5f * riser, 0.5f * width, 0.5f * riser, 0.5f * depth, 0.0f) ? unit : -1;
}

static bool shape_even_flight(captured_stage *s, stage_group *g, const flight *f)
{
    bool landing = f->count > 1 && f->top_depth > f->tread + LANDING;
    int steps = f->count - landing, step = shape_step(s, "step", f->riser, f->width, f->tread);
    bool ok = true;
    g->tread = f->tread;
    for (int i = 0; i < steps && ok; i++)
        ok = place_unit(g, step, f->riser * (float)(i + 1), f->tread * ((float)i + 0.5f));
    if (ok && landing)
        ok = place_unit(g, shape_step(s, "landing", f->riser, f->width, f->top_depth), f->riser * (float)f->count,
                        f->tread * (float)steps + 0.5f * f->top_depth);
    return ok;
}

static bool shape_uneven_flight(captured_stage *s, stage_group *g, const flight *f)
{
    bool ok = true;
    g->tread = f->tread;
    for (int i = 0; i < f->count && ok; i++) {
        float riser = f->heights[i] - (i ? f->heights[i - 1] : 0.0f);
        float depth = i + 1 < f->count ? f->fronts[i + 1] - f->fronts[i] : f->top_depth;
        ok = place_unit(g, shape_step(s, "step", riser, f->width, depth), f->heights[i], f->fronts[i] + 0.5f * depth);
    }
    return ok;
}

static bool shape_seat(captured_stage *s, stage_group *g)
{
    const lope_scenery_object *o = object_at(s, g, 0);
    int unit = begin_unit(s, "seat", o->height);
    float post = 0.5f * o->height - SEAT_HALF;
    return add_box(s, unit, o->height - SEAT_HALF, 0.5f * o->width, SEAT_HALF, 0.5f * o->depth, 0.0f) &&
           (post <= 0.0f || add_box(s, unit, post, POST_HALF, post, POST_HALF, 0.0f)) &&
           place_unit(g, unit, 0.0f, 0.0f);
}

// From the rung before to this one, leaning as the ladder does.
static bool add_rail(captured_stage *s, int unit, const lope_scenery_object *o, float x)
{
    float lean = o->run * o->pitch, half = 0.5f * sqrtf(o->pitch * o->pitch + lean * lean);
    lope_box rail = {
        {x, 0.5f * o->pitch, -0.5f * lean}, {RUNG_HALF, half, RUNG_HALF}, 0.0f, (float)lope_atan2((double)o->run, 1.0)};
    if (unit < 0 || !list_add(&s->boxes, &rail, sizeof rail))
        return false;
    ((lope_unit *)s->units.items)[unit].box_count++;
    return true;
}

// One rung a unit, with its piece of the rails, from a pitch below the rung.
static bool shape_ladder(captured_stage *s, stage_group *g)
{
    const lope_scenery_object *o = object_at(s, g, 0);
    int unit = begin_unit(s, "rung", o->pitch);
    float half = 0.5f * o->width, rungs = fmaxf(o->top - o->lowest, 0.0f) / o->pitch;
    float middle = 0.5f * (o->lowest + o->height); // feet stood below and above the centre
    bool ok = add_box(s, unit, o->pitch, half, RUNG_HALF, RUNG_HALF, 0.0f);
    for (int side = -1; side <= 1 && ok; side += 2)
        ok = add_rail(s, unit, o, half * (float)side);
    for (int i = 0; i <= (int)(rungs + 0.5f) && i < MOST_STEPS_OF_FLIGHT && ok; i++) {
        float height = o->lowest + o->pitch * (float)i;
        ok = place_unit(g, unit, height - o->pitch, o->run * (height - middle));
    }
    return ok;
}

static lope_status shape_group(captured_stage *s, stage_group *g, lope_error *error)
{
    bool ok;
    if (g->kind == LOPE_SCENERY_STEP) {
        flight f = measure_flight(s, g);
        for (int i = 1; i < f.count; i++)
            if (f.heights[i] - f.heights[i - 1] < 0.01f || f.fronts[i] - f.fronts[i - 1] < 0.01f)
                return lope_fail(
                    error, LOPE_BAD_DATA,
                    "steps %d and %d of group %d do not lead up: heights %.3f and %.3f m, front edges %.3f m "
                    "apart",
                    i - 1, i, g->group, (double)f.heights[i - 1], (double)f.heights[i],
                    (double)(f.fronts[i] - f.fronts[i - 1]));
        ok = f.even ? shape_even_flight(s, g, &f) : shape_uneven_flight(s, g, &f);
    } else {
        ok = g->kind == LOPE_SCENERY_SEAT ? shape_seat(s, g) : shape_ladder(s, g);
    }
    return ok ? LOPE_OK : lope_fail_memory(error);
}

// The group of an object, a new one if need be; NULL: no memory.
static stage_group *group_of(captured_stage *s, const lope_scenery_object *o)
{
    stage_group *groups = s->groups.items;
    for (int i = 0; i < s->groups.count; i++)
        if (groups[i].group == o->group && groups[i].kind == o->kind && o->kind == LOPE_SCENERY_STEP)
            return &groups[i];
    stage_group made = {.group = o->group, .kind = o->kind};
    if (!list_add(&s->groups, &made, sizeof made))
        return NULL;
    return (stage_group *)s->groups.items + s->groups.count - 1;
}

static lope_status group_object(captured_stage *s, int index, lope_error *error)
{
    const lope_scenery_object *o = &s->scenery->objects[index];
    stage_group *g = group_of(s, o);
    if (!g)
        return lope_fail_memory(error);
    if (g->object_count == MOST_STEPS_OF_FLIGHT)
        return lope_fail(error, LOPE_BAD_DATA, "group %d has more than %d steps", g->group, MOST_STEPS_OF_FLIGHT);
    int at = g->object_count++;
    for (; at > 0 && object_at(s, g, at - 1)->height > o->height; at--)
        g->objects[at] = g->objects[at - 1];
    g->objects[at] = index;
    return LOPE_OK;
}

lope_status stage_shape_units(captured_stage *s, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < s->scenery->object_count && !status; i++)
        if (s->scenery->objects[i].confirmed)
            status = group_object(s, i, error);
    if (!status && s->groups.count == 0)
        return lope_fail(error, LOPE_BAD_DATA,
                         "nothing is confirmed: set \"confirmed\" to true where an object is right (%d objects)",
                         s->scenery->object_count);
    for (int i = 0; i < s->groups.count && !status; i++)
        status = shape_group(s, (stage_group *)s->groups.items + i, error);
    return status;
}

static const lope_scenery_source *source_of(const captured_stage *s, int object, int clip)
{
    for (int i = 0; i < s->scenery->source_count; i++)
        if (s->scenery->sources[i].object == object && s->scenery->sources[i].clip == clip)
            return &s->scenery->sources[i];
    return NULL;
}

// Whether steps were as far apart in a clip as in the flight. Stages are rebuilt between takes: steps of the same
// heights may have had other depths.
static bool same_treads(const captured_stage *s, const stage_group *g, int clip)
{
    for (int i = 0; i + 2 < g->object_count; i++) {
        const lope_scenery_source *a = source_of(s, g->objects[i], clip), *b = source_of(s, g->objects[i + 1], clip);
        float wanted = g->units[i + 1].at.z - g->units[i].at.z;
        if (a && b && fabsf(along(b->place, b->place.yaw) - along(a->place, b->place.yaw) - wanted) > EVEN_RUN)
            return false;
    }
    return true;
}

// A flight stands where its steps say on average; the top, whose depth depends on where people walked about, only where
// it is the only one.
static bool place_flight(const captured_stage *s, const stage_group *g, int clip, lope_spot *out)
{
    double ahead = 0.0, aside = 0.0, east = 0.0, north = 0.0;
    int count = 0, most = g->object_count > 1 ? g->object_count - 1 : 1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < most; i++) {
            const lope_scenery_source *source = source_of(s, g->objects[i], clip);
            if (!source)
                continue;
            if (pass == 0) {
                east += lope_sin((double)source->place.yaw);
                north += lope_cos((double)source->place.yaw);
                continue;
            }
            float yaw = (float)lope_atan2(east, north);
            ahead += (double)(along(source->place, yaw) - g->units[i].at.z);
            aside += (double)across(source->place, yaw);
            count++;
        }
    if (count == 0 || !same_treads(s, g, clip))
        return false;
    double yaw = lope_atan2(east, north), a = ahead / count, b = aside / count;
    *out = (lope_spot){(float)(a * lope_sin(yaw) + b * lope_cos(yaw)), 0.0f,
                       (float)(a * lope_cos(yaw) - b * lope_sin(yaw)), (float)yaw};
    return true;
}

bool stage_group_place(const captured_stage *s, const stage_group *g, int clip, lope_spot *out)
{
    if (g->kind == LOPE_SCENERY_STEP)
        return place_flight(s, g, clip, out);
    const lope_scenery_source *source = source_of(s, g->objects[0], clip);
    if (source)
        *out = (lope_spot){source->place.x, 0.0f, source->place.z, source->place.yaw};
    return source != NULL;
}

lope_status stage_add_units(captured_stage *s, const lope_stage_file *file, lope_error *error)
{
    int first_box = s->boxes.count;
    bool ok = list_add_all(&s->boxes, file->boxes, file->box_count, sizeof *file->boxes);
    for (int i = 0; i < file->unit_count && ok; i++) {
        const lope_stage_unit *read = &file->units[i];
        lope_unit unit = {.box_first = first_box + read->box_first, .box_count = read->box_count};
        memcpy(unit.name, read->name, sizeof unit.name);
        if (name_taken(s, unit.name))
            return lope_fail_at(error, LOPE_BAD_DATA, file->file, read->line, "the scenery has a unit '%s' already",
                                unit.name);
        ok = list_add(&s->units, &unit, sizeof unit);
    }
    return ok ? LOPE_OK : lope_fail_memory(error);
}
