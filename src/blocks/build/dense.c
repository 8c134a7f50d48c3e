// SPDX-License-Identifier: MIT
// Dense patches, as in section 4 of Lee, Choi and Lee (2006): every frame of a performance lies in a cell of place,
// heading and group of poses; cells are the gates of a block, and every part of a performance of 20 frames or more is a
// link between the cells it begins and ends in, one for every pair of cells. Blocks of a world are stitched where their
// cells coincide. Our junctions (junctions.c) are a few of these cells.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "blocks/build/build.h"
#include "lope/graph.h"
#include "lope/ground.h"

// Cells are as high as this (metres).
#define CELL_HEIGHT 0.05f
#define MOST_LEVELS 4
// What a run touches: a bit for each unit and one for each level of the floor.
#define LEVEL_BIT(level) (1ull << (32 + (level)))

// Keys that were seen, with what they stand for.
typedef struct key_table {
    struct key_slot {
        uint64_t key;
        int32_t value; // + 1; 0: free
    } * slots;
    int room, count;
} key_table;

static bool table_grow(key_table *t)
{
    key_table grown = {.room = t->room ? 2 * t->room : 4096};
    grown.slots = lope_alloc_zero((size_t)grown.room * sizeof *grown.slots);
    if (!grown.slots)
        return false;
    for (int i = 0; i < t->room; i++) {
        if (!t->slots[i].value)
            continue;
        unsigned at = (unsigned)(lope_hash(&t->slots[i].key, sizeof t->slots[i].key, 0) & (uint64_t)(grown.room - 1));
        while (grown.slots[at].value)
            at = (at + 1) & (unsigned)(grown.room - 1);
        grown.slots[at] = t->slots[i];
    }
    grown.count = t->count;
    lope_free(t->slots);
    *t = grown;
    return true;
}

// The slot of a key, free where it was not seen; NULL: no memory.
static struct key_slot *table_find(key_table *t, uint64_t key)
{
    if (2 * (t->count + 1) > t->room && !table_grow(t))
        return NULL;
    unsigned at = (unsigned)(lope_hash(&key, sizeof key, 0) & (uint64_t)(t->room - 1));
    while (t->slots[at].value && t->slots[at].key != key)
        at = (at + 1) & (unsigned)(t->room - 1);
    t->slots[at].key = key;
    return &t->slots[at];
}

struct dense_build {
    lope_groups *groups;
    key_table cells; // of a draft: gate
    key_table links; // of a draft, two gates
};

// One way to look at a scene: the draft of what is touched, and where the scene's world is, seen from it.
typedef struct dense_view {
    uint64_t touched;
    int draft;
    lope_spot from_scene;
} dense_view;

typedef struct dense_scene {
    blocks_build *b;
    const touch_track *track;
    uint64_t *touched; // [frames]
    float levels[MOST_LEVELS];
    int level_count;
    list views; // of dense_view
} dense_scene;

static bool note_footings(dense_scene *s)
{
    const footing *footings = s->track->footings.items;
    for (int f = 0; f < s->track->clip->frame_count; f++)
        s->touched[f] = s->track->touched[f] & ~ON_FLOOR;
    for (int i = 0; i < s->track->footings.count; i++) {
        int level = find_level(s->levels, s->level_count, footings[i].at.y);
        if (level < 0 && s->level_count == MOST_LEVELS)
            return false;
        if (level < 0) {
            level = s->level_count++;
            s->levels[level] = footings[i].at.y;
        }
        s->touched[footings[i].frame] |= LEVEL_BIT(level);
    }
    return true;
}

// The view of what a run touches; NULL: no memory.
static const dense_view *view_of(dense_scene *s, uint64_t touched, const junction *from, const junction *to)
{
    const dense_view *views = s->views.items;
    for (int i = 0; i < s->views.count; i++)
        if (views[i].touched == touched)
            return &views[i];
    dense_view view = {.touched = touched};
    view.draft = run_draft(s->b, s->track, from, to, &view.from_scene);
    if (view.draft < 0 || !list_add(&s->views, &view, sizeof view))
        return NULL;
    return (const dense_view *)s->views.items + s->views.count - 1;
}

static uint64_t cell_bits(float value, float size, int bits)
{
    return (uint64_t)(int64_t)floorf(value / size) & ((1ull << bits) - 1);
}

// The gate of the cell that a frame lies in, a new one if need be; -1: no memory.
static int cell_of(dense_scene *s, const dense_view *view, const junction *j)
{
    const lope_blocks_def *def = s->b->def;
    block_draft *draft = (block_draft *)s->b->drafts.items + view->draft;
    lope_block_gate gate = {lope_spot_mul(view->from_scene, j->gate), j->pose, j->floor};
    uint64_t key = (uint64_t)view->draft << 54 | cell_bits(gate.at.x, def->cell, 8) << 46 |
                   cell_bits(gate.at.z, def->cell, 8) << 38 | cell_bits(gate.at.y, CELL_HEIGHT, 8) << 30 |
                   cell_bits(lope_wrap_angle(gate.at.yaw) + 10.0f, def->cell_yaw, 8) << 22 |
                   ((uint64_t)j->pose & 0x1fffffu) << 1 | j->floor;
    struct key_slot *slot = table_find(&s->b->dense->cells, key);
    if (!slot)
        return -1;
    if (!slot->value) {
        if (!list_add(&draft->gates, &gate, sizeof gate))
            return -1;
        slot->value = draft->gates.count;
        s->b->dense->cells.count++;
    }
    return slot->value - 1;
}

static bool add_part(dense_scene *s, uint64_t touched, const junction *from, const junction *to)
{
    const dense_view *view = view_of(s, touched, from, to);
    int gates[2];
    if (!view)
        return false;
    gates[0] = cell_of(s, view, from);
    gates[1] = cell_of(s, view, to);
    if (gates[0] < 0 || gates[1] < 0)
        return false;
    struct key_slot *slot =
        table_find(&s->b->dense->links, (uint64_t)view->draft << 48 | (uint64_t)gates[0] << 24 | (uint64_t)gates[1]);
    if (!slot)
        return false;
    if (slot->value)
        return true;
    slot->value = 1;
    s->b->dense->links.count++;
    return link_gates(s->b, s->track, from, to, view->draft, gates) &&
           note_steps(s->b, s->track, from, to, view->draft, view->from_scene);
}

// Where every frame lies that is carried by something: groups of poses come behind the kinds of the tile.
static bool list_frames(dense_scene *s, list *out)
{
    const lope_clip *clip = s->track->clip;
    int first = lope_set_first_pose(s->b->set, s->track->scene->clip);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_ground hips = lope_clip_ground(clip, f);
        junction j = {.frame = f,
                      .touched = s->track->touched[f],
                      .pose = s->b->walk.kinds.count + s->b->dense->groups->of_frame[first + f],
                      .base = s->track->base[f],
                      .gate = {hips.x, s->track->base[f], hips.z, hips.yaw}};
        if (isfinite(j.base) && !list_add(out, &j, sizeof j))
            return false;
    }
    return true;
}

static int by_frame(const void *a, const void *b)
{
    const junction *x = a, *y = b;
    if (x->frame != y->frame)
        return x->frame < y->frame ? -1 : 1;
    return (y->floor > x->floor) - (y->floor < x->floor);
}

// All parts that are long enough and touch no more units than a block may have.
static bool add_parts(dense_scene *s, const list *frames)
{
    const junction *j = frames->items;
    int shortest = (int)(s->b->def->min_seconds * (float)s->track->clip->frame_rate + 0.5f);
    for (int i = 0; i < frames->count; i++) {
        uint64_t touched = 0;
        for (int k = i, f = j[i].frame; k < frames->count; k++) {
            for (; f <= j[k].frame; f++)
                touched |= s->touched[f];
            int units = __builtin_popcountll(touched & 0xffffffffu);
            if (units > s->b->def->most_units)
                break;
            if (units > 0 && j[k].frame - j[i].frame >= shortest && !add_part(s, touched, &j[i], &j[k]))
                return false;
        }
    }
    return true;
}

lope_status dense_look(blocks_build *b, touch_track *track, lope_error *error)
{
    dense_scene s = {.b = b, .track = track};
    list frames = {0};
    s.touched = lope_alloc_array((size_t)track->clip->frame_count, sizeof *s.touched);
    bool ok = s.touched && list_frames(&s, &frames);
    // Where the floor's own poses are passed, tiles can be joined.
    const junction *passes = track->junctions.items;
    for (int i = 0; i < track->junctions.count && ok; i++)
        if (passes[i].floor)
            ok = list_add(&frames, &passes[i], sizeof passes[i]);
    if (ok && frames.count > 1)
        qsort(frames.items, (size_t)frames.count, sizeof(junction), by_frame);
    if (ok && note_footings(&s))
        ok = add_parts(&s, &frames);
    lope_free(frames.items);
    lope_free(s.touched);
    lope_free(s.views.items);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

lope_status dense_create(blocks_build *b, lope_jobs *jobs, lope_error *error)
{
    lope_groups_def def = lope_groups_def_default();
    b->dense = lope_alloc_zero(sizeof *b->dense);
    if (!b->dense)
        return lope_fail_memory(error);
    return lope_groups_find(b->set, &def, jobs, &b->dense->groups, error);
}

int dense_group_count(const blocks_build *b)
{
    return b->dense->groups->group_count;
}

void dense_destroy(blocks_build *b)
{
    if (!b->dense)
        return;
    lope_groups_destroy(b->dense->groups);
    lope_free(b->dense->cells.slots);
    lope_free(b->dense->links.slots);
    lope_free(b->dense);
}
