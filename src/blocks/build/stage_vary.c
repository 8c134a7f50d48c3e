// SPDX-License-Identifier: MIT
// Deformable patches (section 9 of the paper): a variant of a thing is a unit of another size, on a stage of its own,
// with the performances bent to it and settled again. From there on it is like any other unit.
#include "blocks/build/stage_vary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "blocks/build/stage_captured.h"
#include "blocks/match.h"
#include "lope/contacts.h"

// A limb that touches may miss its place by this much (metres); more than that no body can do.
#define MOST_MISSED 0.03f
// Boxes that are turned by other than right angles cannot be made wider or deeper alone (radians).
#define RIGHT_ANGLE 0.01f

typedef struct varying {
    captured_stage all; // units, boxes, placed and scenes, growing
    list clips;         // of lope_clip *
    const lope_stage_file *file;
    const lope_stage_variant *variant;
    int32_t *twins; // [units at first] what a unit is called in this variant; -1: not made yet
    int made;
} varying;

static lope_status refuse(const varying *v, lope_status status, const char *what, lope_error *error)
{
    return lope_fail_at(error, status, v->file->file, v->variant->line, "variant '%s' of '%s': %s", v->variant->name,
                        v->variant->of, what);
}

// A box of a thing that is made wider, higher and deeper: tilted ones lean by what their slope becomes.
static bool scale_box(lope_box *box, lope_vec3 by)
{
    float quarter = 0.5f * (float)LOPE_PI, rest = box->yaw - quarter * roundf(box->yaw / quarter);
    bool even = fabsf(by.x - by.z) < 1e-4f;
    if (fabsf(rest) > RIGHT_ANGLE && !even)
        return false;
    bool across = !even && ((int)lroundf(box->yaw / quarter) & 1);
    lope_vec3 own = across ? lope_v3(by.z, by.y, by.x) : by;
    box->centre = lope_v3(box->centre.x * by.x, box->centre.y * by.y, box->centre.z * by.z);
    box->half.x *= own.x;
    if (box->pitch == 0.0f) {
        box->half.y *= own.y;
        box->half.z *= own.z;
        return true;
    }
    // The longer of the two tilted axes is what slopes; the other is how thick it is.
    double s, c;
    lope_sincos((double)box->pitch, &s, &c);
    bool along = box->half.z >= box->half.y;
    float y = along ? -(float)s * own.y : (float)c * own.y, z = along ? (float)c * own.z : (float)s * own.z;
    float length = sqrtf(y * y + z * z);
    *(along ? &box->half.z : &box->half.y) *= length;
    box->pitch = (float)(along ? lope_atan2((double)-y, (double)z) : lope_atan2((double)z, (double)y));
    return true;
}

// The unit in its new size; -1 and *status where that fails.
static int twin_of(varying *v, int unit, lope_status *status, lope_error *error)
{
    if (v->twins[unit] >= 0)
        return v->twins[unit];
    const lope_unit from = ((const lope_unit *)v->all.units.items)[unit];
    lope_unit made = {.box_first = v->all.boxes.count, .box_count = from.box_count};
    int length = snprintf(made.name, sizeof made.name, "%s_%s", from.name, v->variant->name);
    if (length >= (int)sizeof made.name) {
        *status = refuse(v, LOPE_BAD_DATA, "the names together are too long", error);
        return -1;
    }
    for (int i = 0; i < v->all.units.count; i++)
        if (strcmp(((const lope_unit *)v->all.units.items)[i].name, made.name) == 0) {
            *status = refuse(v, LOPE_BAD_DATA, "there is such a unit already", error);
            return -1;
        }
    bool ok = true;
    for (int i = 0; i < from.box_count && ok; i++) {
        lope_box box = ((const lope_box *)v->all.boxes.items)[from.box_first + i];
        if (!scale_box(&box, v->variant->scale)) {
            *status = refuse(v, LOPE_UNSUPPORTED, "it has boxes at an angle; scale width and depth alike", error);
            return -1;
        }
        ok = list_add(&v->all.boxes, &box, sizeof box);
    }
    if (!ok || !list_add(&v->all.units, &made, sizeof made)) {
        *status = lope_fail_memory(error);
        return -1;
    }
    return v->twins[unit] = v->all.units.count - 1;
}

static const lope_placed_unit *placed_of(const varying *v, const lope_stage_scene *scene)
{
    return (const lope_placed_unit *)v->all.placed.items + scene->placed_first;
}

// The lowest thing of a scene that the variant is of; NULL: it has none.
static const lope_placed_unit *pivot_of(const varying *v, const lope_stage_scene *scene, int unit)
{
    const lope_placed_unit *placed = placed_of(v, scene), *lowest = NULL;
    for (int i = 0; i < scene->placed_count; i++)
        if (placed[i].unit == unit && (!lowest || placed[i].at.y < lowest->at.y))
            lowest = &placed[i];
    return lowest;
}

static lope_status measure_scale(const varying *v, const lope_stage_scene *scene, lope_spot pivot, stage_scale *out,
                                 lope_error *error)
{
    pivot.y = 0.0f; // heights are those above the floor
    *out = (stage_scale){.pivot = pivot,
                         .low = {INFINITY, INFINITY, INFINITY},
                         .high = {-INFINITY, -INFINITY, -INFINITY},
                         .by = v->variant->scale};
    for (int i = 0; i < scene->placed_count; i++) {
        lope_unit unit = ((const lope_unit *)v->all.units.items)[placed_of(v, scene)[i].unit];
        lope_status status = lope_unit_measure(v->all.boxes.items, &unit, error);
        if (status)
            return status;
        for (int corner = 0; corner < 8; corner++) {
            lope_spot at = {corner & 1 ? unit.low.x : unit.high.x, corner & 2 ? unit.low.y : unit.high.y,
                            corner & 4 ? unit.low.z : unit.high.z, 0.0f};
            at = lope_spot_mul(lope_spot_inverse(pivot), lope_spot_mul(placed_of(v, scene)[i].at, at));
            out->low = lope_v3(fminf(out->low.x, at.x), fminf(out->low.y, at.y), fminf(out->low.z, at.z));
            out->high = lope_v3(fmaxf(out->high.x, at.x), fmaxf(out->high.y, at.y), fmaxf(out->high.z, at.z));
        }
    }
    return LOPE_OK;
}

// Floors of a scene that does not say where they are: the lowest and the highest that feet stand on.
static lope_status find_floors(const lope_clip *clip, lope_stage_scene *scene, lope_error *error)
{
    lope_transform *model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *model);
    if (!model)
        return lope_fail_memory(error);
    float low = INFINITY, high = -INFINITY;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_vec3 points[LOPE_CONTACT_COUNT];
        lope_clip_model(clip, f, model);
        lope_contact_points(clip->skeleton, model, points);
        for (int part = 0; part < 4; part++)
            if (clip->contacts[f] >> part & 1) {
                low = fminf(low, points[part].y);
                high = fmaxf(high, points[part].y);
            }
    }
    lope_free(model);
    scene->floor_count = low <= high ? 2 : 0;
    scene->floors[0] = low;
    scene->floors[1] = high;
    return LOPE_OK;
}

static lope_status bend_clip(varying *v, const lope_stage_scene *scene, const stage_scale *scale, int original,
                             lope_error *error)
{
    char name[512];
    lope_clip *bent, *clip = ((lope_clip **)v->clips.items)[original];
    snprintf(name, sizeof name, "%.400s_%s", clip->name, v->variant->name);
    lope_status status = lope_clip_copy(clip, name, 0, &bent, error);
    if (status)
        return status;
    float missed = 0.0f;
    lope_stage_scene known = *scene;
    if (!list_add(&v->clips, &bent, sizeof bent)) {
        lope_clip_destroy(bent);
        return lope_fail_memory(error);
    }
    status = stage_bend_clip(bent, scale, &missed, error);
    if (!status && missed > MOST_MISSED) {
        char what[160];
        snprintf(what, sizeof what,
                 "in '%.60s' feet or hands miss it by %.0f cm: no body of this size reaches that far", clip->name,
                 100.0 * (double)missed);
        return refuse(v, LOPE_UNSUPPORTED, what, error);
    }
    if (!status && !known.floor_count)
        status = find_floors(bent, &known, error);
    return status ? status : stage_settle_clip(bent, &v->all, &known, error);
}

// A scene in its new size, with its clip.
static lope_status vary_scene(varying *v, int index, lope_spot pivot, lope_error *error)
{
    lope_stage_scene scene = ((const lope_stage_scene *)v->all.scenes.items)[index], made = scene;
    stage_scale scale;
    lope_status status = measure_scale(v, &scene, pivot, &scale, error);
    made.placed_first = v->all.placed.count;
    for (int i = 0; i < scene.placed_count && !status; i++) {
        lope_placed_unit placed = placed_of(v, &scene)[i];
        lope_vec3 at = stage_scaled_point(&scale, lope_v3(placed.at.x, placed.at.y, placed.at.z));
        placed.unit = twin_of(v, placed.unit, &status, error);
        placed.at = (lope_spot){at.x, at.y, at.z, placed.at.yaw};
        if (!status && !list_add(&v->all.placed, &placed, sizeof placed))
            status = lope_fail_memory(error);
    }
    for (int i = 0; i < made.floor_count; i++)
        made.floors[i] *= scale.by.y;
    made.clip = v->clips.count;
    if (!status)
        status = bend_clip(v, &made, &scale, scene.clip, error);
    if (!status && !list_add(&v->all.scenes, &made, sizeof made))
        status = lope_fail_memory(error);
    v->made++;
    return status;
}

static lope_status vary(varying *v, int unit_count, int scene_count, lope_error *error)
{
    int unit = -1;
    const lope_unit *units = v->all.units.items;
    for (int i = 0; i < unit_count; i++) {
        v->twins[i] = -1;
        unit = strcmp(units[i].name, v->variant->of) == 0 ? i : unit;
    }
    if (unit < 0)
        return refuse(v, LOPE_NOT_FOUND, "there is no such unit on the stage", error);
    v->made = 0;
    lope_status status = LOPE_OK;
    for (int i = 0; i < scene_count && !status; i++) {
        const lope_placed_unit *pivot = pivot_of(v, (const lope_stage_scene *)v->all.scenes.items + i, unit);
        if (pivot)
            status = vary_scene(v, i, pivot->at, error);
    }
    return status || v->made ? status : refuse(v, LOPE_NOT_FOUND, "nothing was performed on it", error);
}

static bool begin(varying *v, const lope_set *set, const lope_stage *stage)
{
    bool ok = list_add_all(&v->all.units, stage->units, stage->unit_count, sizeof *stage->units) &&
              list_add_all(&v->all.boxes, stage->boxes, stage->box_count, sizeof *stage->boxes) &&
              list_add_all(&v->all.placed, stage->placed, stage->placed_count, sizeof *stage->placed) &&
              list_add_all(&v->all.scenes, stage->scenes, stage->scene_count, sizeof *stage->scenes);
    v->twins = lope_alloc_array((size_t)stage->unit_count + 1, sizeof *v->twins);
    for (int i = 0; i < set->clip_count && ok; i++) {
        lope_clip *copy;
        ok = lope_clip_copy(set->clips[i], NULL, 0, &copy, NULL) == LOPE_OK;
        if (ok && !list_add(&v->clips, &copy, sizeof copy)) {
            lope_clip_destroy(copy);
            ok = false;
        }
    }
    return ok && v->twins;
}

static void swap_list(list *from, void **items, int *count)
{
    lope_free(*items);
    *items = from->items;
    *count = from->count;
    *from = (list){0};
}

lope_status lope_stage_vary(const lope_stage_file *file, lope_set **set, lope_stage *stage, lope_error *error)
{
    varying v = {.file = file};
    lope_set *varied = NULL;
    int units = stage->unit_count, scenes = stage->scene_count;
    if (file->variant_count == 0)
        return LOPE_OK;
    lope_status status = begin(&v, *set, stage) ? LOPE_OK : lope_fail_memory(error);
    for (int i = 0; i < file->variant_count && !status; i++) {
        v.variant = &file->variants[i];
        status = vary(&v, units, scenes, error);
    }
    if (!status)
        status = lope_set_create(v.clips.items, v.clips.count, &varied, error);
    if (!status) {
        v.clips.count = 0;
        lope_set_destroy(*set);
        *set = varied;
        swap_list(&v.all.units, (void **)&stage->units, &stage->unit_count);
        swap_list(&v.all.boxes, (void **)&stage->boxes, &stage->box_count);
        swap_list(&v.all.placed, (void **)&stage->placed, &stage->placed_count);
        swap_list(&v.all.scenes, (void **)&stage->scenes, &stage->scene_count);
    }
    for (int i = 0; i < v.clips.count; i++)
        lope_clip_destroy(((lope_clip **)v.clips.items)[i]);
    void *memory[] = {v.clips.items,      v.twins,           v.all.units.items, v.all.boxes.items,
                      v.all.placed.items, v.all.scenes.items};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        lope_free(memory[i]);
    return status;
}
