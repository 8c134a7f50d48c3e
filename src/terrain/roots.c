// SPDX-License-Identifier: MIT
// The tree over a terrain's pieces: groups of eight boxes, all pieces equally deep (an R-tree: Guttman 1984). A piece
// that comes goes down to where boxes grow least; a full group is cut in two across its longer side. A piece that goes
// leaves a gap, and empty groups go with it. Both cost a path from the root.
#include "base/memory.h"
#include "terrain/terrain.h"

#define NOTHING (-2) // pieces[] of lanes without anything

typedef struct entry {
    terrain_box box;
    int32_t child, piece;
} entry;

static entry entry_at(const terrain_group *group, int lane)
{
    return (entry){terrain_lane_box(group->boxes[0], lane), group->children[lane], group->pieces[lane]};
}

static int count_lanes(const terrain_group *group)
{
    int count = 0;
    while (count < 8 && group->pieces[count] != NOTHING)
        count++;
    return count;
}

static terrain_box box_of(const terrain_group *group)
{
    terrain_box box = terrain_box_empty();
    for (int i = 0; i < 8; i++) {
        terrain_box lane = terrain_lane_box(group->boxes[0], i);
        terrain_box_join(&box, &lane);
    }
    return box;
}

static void set_lane(lope_terrain *t, int group, int lane, const entry *e)
{
    terrain_group *g = &t->groups[group];
    terrain_set_lane_box(g->boxes[0], lane, &e->box);
    g->children[lane] = e->child;
    g->pieces[lane] = e->piece;
    if (e->piece >= 0)
        t->pieces[e->piece].place = 8 * group + lane;
    else if (e->piece == -1)
        t->ups[e->child] = 8 * group + lane;
}

static void empty_lanes(lope_terrain *t, int group, int first)
{
    const entry nothing = {terrain_box_empty(), 0, NOTHING};
    for (int lane = first; lane < 8; lane++)
        set_lane(t, group, lane, &nothing);
}

// Groups are taken from those that were given back, which are linked by `ups`, or from the end.
static int take_group(lope_terrain *t)
{
    int group = t->free_group;
    if (group >= 0)
        t->free_group = t->ups[group];
    else
        group = t->group_count++;
    t->free_groups -= t->free_groups > 0;
    t->ups[group] = -1;
    empty_lanes(t, group, 0);
    return group;
}

static void give_group(lope_terrain *t, int group)
{
    t->ups[group] = t->free_group;
    t->free_group = group;
    t->free_groups++;
}

// What one more piece may take; where the tree is to be made anew, one for every piece.
static int groups_needed(const lope_terrain *t)
{
    return t->depth + 3 + (t->depth >= TERRAIN_ROOT_DEPTH - 1 ? t->piece_count : 0);
}

static bool has_spare_groups(const lope_terrain *t)
{
    return t->group_capacity - t->group_count + t->free_groups >= groups_needed(t);
}

bool terrain_roots_reserve(lope_terrain *t)
{
    if (has_spare_groups(t))
        return true;
    int capacity = t->group_capacity ? 2 * t->group_capacity : 4;
    while (capacity - t->group_count < groups_needed(t))
        capacity *= 2;
    size_t before = (size_t)t->group_capacity, after = (size_t)capacity;
    terrain_group *groups = lope_grow(t->groups, before * sizeof *groups, after * sizeof *groups);
    if (!groups)
        return false;
    t->groups = groups;
    int *ups = lope_grow(t->ups, before * sizeof *ups, after * sizeof *ups);
    if (!ups)
        return false;
    t->ups = ups;
    t->group_capacity = capacity;
    return true;
}

// Boxes above a group hold it, and no more.
static void fit_above(lope_terrain *t, int group)
{
    for (int up = t->ups[group]; up >= 0; up = t->ups[up / 8]) {
        terrain_box box = box_of(&t->groups[group]);
        terrain_set_lane_box(t->groups[up / 8].boxes[0], up % 8, &box);
        group = up / 8;
    }
}

// ---- coming

static float half_area(const terrain_box *b)
{
    float x = b->high.x - b->low.x, y = b->high.y - b->low.y, z = b->high.z - b->low.z;
    return x * y + y * z + z * x;
}

static int best_lane(const terrain_group *group, const terrain_box *box)
{
    int best = 0, count = count_lanes(group);
    float least = INFINITY;
    for (int i = 0; i < count; i++) {
        terrain_box lane = terrain_lane_box(group->boxes[0], i), both = lane;
        terrain_box_join(&both, box);
        float growth = half_area(&both) - half_area(&lane) + 1e-6f * half_area(&lane);
        if (growth < least) {
            least = growth;
            best = i;
        }
    }
    return best;
}

static float middle(const entry *e, int axis)
{
    return axis == 0   ? e->box.low.x + e->box.high.x
           : axis == 1 ? e->box.low.y + e->box.high.y
                       : e->box.low.z + e->box.high.z;
}

// Sorts along the axis on which the middles lie farthest apart.
static void sort_entries(entry *entries, int count)
{
    int axis = 0;
    float widest = -1.0f;
    for (int k = 0; k < 3; k++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; i++) {
            low = terrain_less(low, middle(&entries[i], k));
            high = terrain_more(high, middle(&entries[i], k));
        }
        if (high - low > widest) {
            widest = high - low;
            axis = k;
        }
    }
    for (int i = 1; i < count; i++) {
        entry e = entries[i];
        int at = i;
        for (; at > 0 && middle(&entries[at - 1], axis) > middle(&e, axis); at--)
            entries[at] = entries[at - 1];
        entries[at] = e;
    }
}

// Cuts a full group and one more entry in two; the second half.
static int split(lope_terrain *t, int group, const entry *more)
{
    entry entries[9];
    for (int i = 0; i < 8; i++)
        entries[i] = entry_at(&t->groups[group], i);
    entries[8] = *more;
    sort_entries(entries, 9);
    int other = take_group(t);
    for (int i = 0; i < 9; i++)
        set_lane(t, i < 5 ? group : other, i < 5 ? i : i - 5, &entries[i]);
    empty_lanes(t, group, 5);
    return other;
}

static void add_entry(lope_terrain *t, int group, entry e)
{
    for (;;) {
        int count = count_lanes(&t->groups[group]);
        if (count < 8) {
            set_lane(t, group, count, &e);
            fit_above(t, group);
            return;
        }
        int other = split(t, group, &e), up = t->ups[group];
        e = (entry){box_of(&t->groups[other]), other, -1};
        if (up < 0) { // a new root
            entry first = {box_of(&t->groups[group]), group, -1};
            t->root = take_group(t);
            t->depth++;
            set_lane(t, t->root, 0, &first);
            set_lane(t, t->root, 1, &e);
            return;
        }
        fit_above(t, group);
        group = up / 8;
    }
}

static void insert(lope_terrain *t, int piece)
{
    const terrain_piece *p = &t->pieces[piece];
    if (t->root < 0)
        t->root = take_group(t);
    int group = t->root;
    for (int level = t->depth; level > 0; level--)
        group = t->groups[group].children[best_lane(&t->groups[group], &p->bounds)];
    add_entry(t, group, (entry){p->bounds, p->root, piece});
}

void terrain_roots_add(lope_terrain *t, int piece)
{
    if (t->depth < TERRAIN_ROOT_DEPTH) {
        insert(t, piece);
        return;
    }
    t->root = t->free_group = -1; // grown deep by what came and went: begin anew, in the same memory
    t->group_count = t->free_groups = t->depth = 0;
    for (int i = 0; i < t->slot_count; i++)
        if (t->pieces[i].used)
            insert(t, i);
}

// ---- going

void terrain_roots_remove(lope_terrain *t, int piece)
{
    int group = t->pieces[piece].place / 8, lane = t->pieces[piece].place % 8;
    for (;;) {
        int last = count_lanes(&t->groups[group]) - 1;
        entry moved = entry_at(&t->groups[group], last);
        if (lane != last)
            set_lane(t, group, lane, &moved);
        empty_lanes(t, group, last);
        int up = t->ups[group];
        if (last > 0 || up < 0)
            break;
        give_group(t, group);
        group = up / 8, lane = up % 8;
    }
    fit_above(t, group);
    if (count_lanes(&t->groups[t->root]) == 0)
        t->depth = 0;
    while (t->depth > 0 && count_lanes(&t->groups[t->root]) == 1) { // a root of one is none
        int only = t->groups[t->root].children[0];
        give_group(t, t->root);
        t->root = only;
        t->ups[only] = -1;
        t->depth--;
    }
}

void terrain_root_update(lope_terrain *t, int piece)
{
    const terrain_piece *p = &t->pieces[piece];
    int group = p->place / 8, up = t->ups[group];
    terrain_box room = up < 0 ? p->bounds : terrain_lane_box(t->groups[up / 8].boxes[0], up % 8);
    if (!terrain_box_meets(&room, &p->bounds) && has_spare_groups(t)) { // went elsewhere
        terrain_roots_remove(t, piece);
        insert(t, piece);
        return;
    }
    entry e = {p->bounds, p->root, piece};
    set_lane(t, group, p->place % 8, &e);
    fit_above(t, group);
}
