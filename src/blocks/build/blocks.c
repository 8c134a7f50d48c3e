// SPDX-License-Identifier: MIT
// From a stage to blocks: what is touched, where links begin and end, equal arrangements put together, and everything
// laid out in one piece of memory.
#include <limits.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "blocks/build/build.h"
#include "blocks/match.h"
#include "lope/graph.h"

lope_blocks_def lope_blocks_def_default(void)
{
    return (lope_blocks_def){.most_units = 4,
                             .near = 0.05f,
                             .cell = 0.1f,
                             .cell_yaw = 10.0f * (float)(LOPE_PI / 180.0),
                             .same_pose = 0.12f,
                             .arrive = 0.2f,
                             .min_seconds = 0.66f};
}

static lope_status check_def(const lope_blocks_def *def, lope_error *error)
{
    return LOPE_CHECK(error, LOPE_RANGE(def, most_units, 1, INT_MAX), LOPE_RANGE(def, near, 0, 10),
                      LOPE_RANGE(def, cell, 0.001f, 10), LOPE_RANGE(def, cell_yaw, 0.001f, 10),
                      LOPE_RANGE(def, same_pose, 0, LOPE_LARGE), LOPE_RANGE(def, arrive, 0, LOPE_LARGE),
                      LOPE_RANGE(def, min_seconds, 0, LOPE_LARGE));
}

static lope_status prepare(blocks_build *b, const lope_tile_def *tile_def, lope_jobs *jobs, lope_error *error)
{
    size_t units = (size_t)b->stage->unit_count;
    b->units = lope_alloc_array(units + 1, sizeof *b->units);
    b->model = lope_alloc_array((size_t)b->set->skeleton->joint_count, sizeof *b->model);
    if (!b->units || !b->model)
        return lope_fail_memory(error);
    lope_status status = LOPE_OK;
    for (size_t i = 0; i < units && !status; i++) {
        b->units[i] = b->stage->units[i];
        status = lope_unit_measure(b->stage->boxes, &b->units[i], error);
    }
    b->walking = *b->set;
    b->walking.clip_count = b->stage->walking_clips;
    b->walk = (tile_build){.set = &b->walking, .def = tile_def, .jobs = jobs};
    lope_groups_def def = {.bound = 0.12f, .velocity_time = tile_def->velocity_time};
    if (!status)
        status = tile_find_material(&b->walk, error);
    if (!status && b->walk.kinds.count != b->tile->pose_count)
        status = lope_fail(error, LOPE_MISMATCH, "the tile was built from other clips or by another definition");
    if (!status)
        status = pose_features_create(b->set, &def, jobs, &b->features, error);
    for (int k = 0; k < b->walk.kinds.count && !status; k++) {
        int clip, frame;
        lope_set_pose(b->set, b->walk.kinds.frames[k], &clip, &frame);
        const uint16_t *contacts = b->set->clips[clip]->contacts;
        pose_kind kind = {b->walk.kinds.frames[k], 0.0f, contacts ? contacts[frame] : 0u};
        if (!list_add(&b->kinds, &kind, sizeof kind))
            status = lope_fail_memory(error);
    }
    return status;
}

static bool touches_units(const touch_track *t, int first, int last)
{
    for (int f = first; f <= last; f++)
        if (t->touched[f] & ~ON_FLOOR)
            return true;
    return false;
}

// Whether a run from one junction to another comes by a third on the floor, having used things before and using them
// again: then it is two runs. Captured takes use their things several times.
static bool is_two_runs(const touch_track *t, int from, int to)
{
    const junction *j = t->junctions.items;
    for (int i = from + 1; i < to; i++)
        if (j[i].floor && touches_units(t, j[from].frame, j[i].frame) && touches_units(t, j[i].frame, j[to].frame))
            return true;
    return false;
}

// Whether a run leads through a stay that is a run of its own, and more: it is put together from shorter ones.
static bool is_more_than_stay(const touch_track *t, int from, int to)
{
    const junction *j = t->junctions.items;
    int begin = -1;
    for (int i = from; i <= to; i++) {
        begin = j[i].stay == 1 ? i : begin;
        if (j[i].stay == 2 && begin >= 0 && (from < begin || i < to))
            return true;
    }
    return false;
}

static lope_status look_at_scene(blocks_build *b, const lope_stage_scene *scene, lope_error *error)
{
    touch_track track = {0};
    lope_status status = touch_track_create(b, scene, &track, error);
    if (!status)
        status = junctions_find(b, &track, error);
    if (!status && b->dense)
        status = dense_look(b, &track, error);
    const junction *junctions = track.junctions.items;
    for (int i = 0; i < track.junctions.count && !status && !b->dense; i++)
        for (int k = i + 1; k < track.junctions.count && !status; k++)
            if (!scene->floor_count || (!is_two_runs(&track, i, k) && !is_more_than_stay(&track, i, k)))
                status = register_run(b, &track, &junctions[i], &junctions[k], error);
    touch_track_destroy(&track);
    return status;
}

static int by_units(const void *a, const void *b)
{
    const block_draft *const *x = a, *const *y = b;
    if ((*x)->unit_count != (*y)->unit_count)
        return (*x)->unit_count > (*y)->unit_count ? -1 : 1;
    return (*x > *y) - (*x < *y); // in the order they were found
}

static int by_from(const void *a, const void *b)
{
    const lope_block_link *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->segment > y->segment) - (x->segment < y->segment);
}

// Arrays of the blocks while they are filled.
typedef struct block_arrays {
    lope_unit *units;
    lope_box *boxes;
    lope_block *blocks;
    lope_placed_unit *placed;
    lope_block_gate *gates;
    lope_block_link *links;
    lope_block_segment *segments;
    lope_vec3 *footings;
    lope_walk_piece *pieces;
    int32_t *piece_first;
} block_arrays;

// The next array in the memory; without memory only its room is counted.
static void *take(char *memory, size_t *used, size_t count, size_t size)
{
    void *block = memory ? memory + *used : NULL;
    *used += (count * size + 15) / 16 * 16;
    return block;
}

static size_t lay_out(const lope_blocks *o, char *memory, block_arrays *a)
{
    size_t used = 0;
    size_t kinds = (size_t)o->tile->pose_count;
    a->units = take(memory, &used, (size_t)o->unit_count, sizeof *a->units);
    a->boxes = take(memory, &used, (size_t)o->box_count, sizeof *a->boxes);
    a->blocks = take(memory, &used, (size_t)o->block_count, sizeof *a->blocks);
    a->placed = take(memory, &used, (size_t)o->placed_count, sizeof *a->placed);
    a->gates = take(memory, &used, (size_t)o->gate_count, sizeof *a->gates);
    a->links = take(memory, &used, (size_t)o->link_count, sizeof *a->links);
    a->segments = take(memory, &used, (size_t)o->segment_count, sizeof *a->segments);
    a->footings = take(memory, &used, (size_t)o->footing_count, sizeof *a->footings);
    a->pieces = take(memory, &used, (size_t)o->piece_count, sizeof *a->pieces);
    a->piece_first = take(memory, &used, kinds * kinds + 1, sizeof *a->piece_first);
    return used;
}

static void copy_draft(const block_draft *d, lope_blocks *o, const block_arrays *a)
{
    lope_block *block = &a->blocks[o->block_count++];
    *block = (lope_block){.unit_first = o->placed_count,
                          .unit_count = d->unit_count,
                          .gate_first = o->gate_count,
                          .gate_count = d->gates.count,
                          .link_first = o->link_count,
                          .link_count = d->links.count,
                          .footing_first = o->footing_count,
                          .footing_count = d->footings.count};
    memcpy(block->name, d->name, sizeof block->name);
    memcpy(a->placed + o->placed_count, d->units, (size_t)d->unit_count * sizeof *d->units);
    if (d->gates.count)
        memcpy(a->gates + o->gate_count, d->gates.items, (size_t)d->gates.count * sizeof *a->gates);
    if (d->footings.count)
        memcpy(a->footings + o->footing_count, d->footings.items, (size_t)d->footings.count * sizeof *a->footings);
    lope_block_link *links = a->links + o->link_count;
    memcpy(links, d->links.items, (size_t)d->links.count * sizeof *links);
    memcpy(a->segments + o->segment_count, d->segments.items, (size_t)d->segments.count * sizeof *a->segments);
    for (int i = 0; i < d->links.count; i++)
        links[i].segment += o->segment_count;
    qsort(links, (size_t)d->links.count, sizeof *links, by_from);
    o->placed_count += d->unit_count;
    o->gate_count += d->gates.count;
    o->link_count += d->links.count;
    o->segment_count += d->segments.count;
    o->footing_count += d->footings.count;
}

static void copy_pieces(const blocks_build *b, lope_blocks *o, const block_arrays *a)
{
    const pose_pieces *p = &b->walk.pieces;
    int kinds = o->tile->pose_count, at = 0;
    for (int from = 0; from < kinds; from++)
        for (int to = 0; to < kinds; to++) {
            int key = pose_kinds_key(from, to);
            a->piece_first[from * kinds + to] = at;
            for (int i = p->first[key]; i < p->first[key + 1]; i++) {
                const pose_piece *piece = &p->pieces[i];
                const pose_pass *first = &p->passes[piece->from], *last = &p->passes[piece->to];
                lope_walk_piece *out = &a->pieces[at++];
                *out = (lope_walk_piece){.clip = first->clip,
                                         .first = first->frame,
                                         .frames = last->frame - first->frame + 1,
                                         .length = piece->length,
                                         .turn = piece->turn,
                                         .start = first->offset,
                                         .end = last->offset,
                                         .distance = first->distance + last->distance};
                memcpy(out->moments, piece->moments, sizeof out->moments);
            }
        }
    a->piece_first[kinds * kinds] = at;
}

static void count_all(const blocks_build *b, lope_blocks *o)
{
    const block_draft *drafts = b->drafts.items;
    for (int i = 0; i < b->drafts.count; i++) {
        o->placed_count += drafts[i].unit_count;
        o->gate_count += drafts[i].gates.count;
        o->link_count += drafts[i].links.count;
        o->segment_count += drafts[i].segments.count;
        o->footing_count += drafts[i].footings.count;
    }
    o->block_count = b->drafts.count;
}

static void attach(lope_blocks *o, const block_arrays *a)
{
    o->units = a->units;
    o->boxes = a->boxes;
    o->blocks = a->blocks;
    o->placed = a->placed;
    o->gates = a->gates;
    o->links = a->links;
    o->segments = a->segments;
    o->footings = a->footings;
    o->pieces = a->pieces;
    o->piece_first = a->piece_first;
}

static lope_status finish(const blocks_build *b, lope_blocks **out, lope_error *error)
{
    lope_blocks counts = {.set = b->set,
                          .tile = b->tile,
                          .pose_count = b->dense ? b->walk.kinds.count + dense_group_count(b) : b->kinds.count,
                          .standing = b->walk.kinds.standing,
                          .unit_count = b->stage->unit_count,
                          .box_count = b->stage->box_count,
                          .piece_count = b->walk.pieces.count};
    count_all(b, &counts);
    block_arrays arrays;
    lope_blocks *made = lope_alloc(sizeof *made);
    const block_draft **order = lope_alloc_array((size_t)b->drafts.count + 1, sizeof *order);
    char *memory = lope_alloc_zero(lay_out(&counts, NULL, &arrays));
    if (!made || !order || !memory) {
        lope_free(made);
        lope_free(order);
        lope_free(memory);
        return lope_fail_memory(error);
    }
    lay_out(&counts, memory, &arrays);
    for (int i = 0; i < b->drafts.count; i++)
        order[i] = (const block_draft *)b->drafts.items + i;
    qsort(order, (size_t)b->drafts.count, sizeof *order, by_units);
    *made = counts;
    made->block_count = made->placed_count = made->gate_count = made->link_count = 0;
    made->segment_count = made->footing_count = 0;
    for (int i = 0; i < b->drafts.count; i++)
        copy_draft(order[i], made, &arrays);
    memcpy(arrays.units, b->units, (size_t)b->stage->unit_count * sizeof *arrays.units);
    memcpy(arrays.boxes, b->stage->boxes, (size_t)b->stage->box_count * sizeof *arrays.boxes);
    copy_pieces(b, made, &arrays);
    attach(made, &arrays);
    made->storage = memory;
    lope_free(order);
    *out = made;
    return LOPE_OK;
}

static void clean_up(blocks_build *b)
{
    block_draft *drafts = b->drafts.items;
    for (int i = 0; i < b->drafts.count; i++) {
        lope_free(drafts[i].gates.items);
        lope_free(drafts[i].links.items);
        lope_free(drafts[i].segments.items);
        lope_free(drafts[i].footings.items);
    }
    lope_free(b->drafts.items);
    lope_free(b->kinds.items);
    lope_free(b->units);
    lope_free(b->model);
    pose_features_destroy(&b->features);
    tile_free_material(&b->walk);
    dense_destroy(b);
}

lope_status lope_blocks_build(const lope_set *set, const lope_stage *stage, const lope_tile *tile,
                              const lope_tile_def *tile_def, const lope_blocks_def *def, lope_jobs *jobs,
                              lope_blocks **out, lope_blocks_report *report, lope_error *error)
{
    double begin = lope_seconds();
    blocks_build b = {.set = set, .stage = stage, .tile = tile, .def = def};
    lope_status status = check_def(def, error);
    if (!status)
        status = prepare(&b, tile_def, jobs, error);
    if (!status && def->dense)
        status = dense_create(&b, jobs, error);
    for (int i = 0; i < stage->scene_count && !status; i++)
        status = look_at_scene(&b, &stage->scenes[i], error);
    if (!status)
        status = register_behaviours(&b, error);
    if (!status)
        status = finish(&b, out, error);
    if (!status && report)
        *report = (lope_blocks_report){.touching_frames = b.touching_frames,
                                       .runs = b.runs,
                                       .kinds = b.kinds.count - b.walk.kinds.count,
                                       .seconds = lope_seconds() - begin};
    clean_up(&b);
    return status;
}
