// SPDX-License-Identifier: MIT
// Patches: the part of the tree that a character's next questions will need. Nodes that meet the box are opened, the
// upper ones first, as long as their children fit; what is left, nodes and leaves, is where questions start. And scans,
// which ask for many spheres from one patch, a few per frame (Mukai 2011, 4.4).
#include <assert.h>
#include <string.h>

#include "terrain/kernels.h"

#define ENTRIES (8 * LOPE_TERRAIN_PATCH_GROUPS)

typedef struct frontier {
    terrain_box boxes[ENTRIES];
    int32_t children[ENTRIES], pieces[ENTRIES];
    int count;
} frontier;

static bool add(frontier *front, terrain_box box, int32_t child, int32_t piece)
{
    if (front->count == ENTRIES)
        return false;
    front->boxes[front->count] = box;
    front->children[front->count] = child;
    front->pieces[front->count++] = piece;
    return true;
}

// The pieces of a group that meet the box. False where they do not fit.
static bool add_pieces(const lope_terrain *terrain, int index, const terrain_box *box, frontier *front)
{
    const terrain_group *group = &terrain->groups[index];
    bool fits = true;
    for (int i = 0; i < 8 && fits; i++) {
        terrain_box lane = terrain_lane_box(group->boxes[0], i);
        if (terrain_box_meets(&lane, box))
            fits = group->pieces[i] < 0 ? add_pieces(terrain, group->children[i], box, front)
                                        : add(front, lane, group->children[i], group->pieces[i]);
    }
    return fits;
}

// The children of a node that meet the box, in place of the node. False where they do not fit.
static bool open_node(const lope_terrain *terrain, frontier *front, int entry, const terrain_box *box)
{
    int piece = front->pieces[entry], met = 0;
    const terrain_node *node = &terrain->pieces[piece].nodes[front->children[entry]];
    terrain_box boxes[8];
    int32_t children[8];
    for (int i = 0; i < 8; i++) {
        boxes[met] = terrain_lane_box(node->boxes[0], i);
        children[met] = node->children[i];
        met += terrain_box_meets(&boxes[met], box);
    }
    if (front->count - 1 + met > ENTRIES)
        return false;
    int last = --front->count;
    front->boxes[entry] = front->boxes[last];
    front->children[entry] = front->children[last];
    front->pieces[entry] = front->pieces[last];
    for (int i = 0; i < met; i++)
        add(front, boxes[i], children[i], piece);
    return true;
}

// Opens nodes until only leaves are left, or the next would not fit.
static void open_all(const lope_terrain *terrain, frontier *front, const terrain_box *box)
{
    for (int entry = 0; entry < front->count;) {
        if (front->children[entry] < 0)
            entry++;
        else if (!open_node(terrain, front, entry, box))
            return;
    }
}

static void write_groups(const frontier *front, lope_terrain_patch *out)
{
    terrain_group *groups = (terrain_group *)(void *)out->groups;
    const terrain_box nothing = terrain_box_empty();
    out->group_count = (front->count + 7) / 8;
    for (int i = 0; i < 8 * out->group_count; i++) {
        terrain_group *group = &groups[i / 8];
        terrain_set_lane_box(group->boxes[0], i % 8, i < front->count ? &front->boxes[i] : &nothing);
        group->children[i % 8] = i < front->count ? front->children[i] : 0;
        group->pieces[i % 8] = i < front->count ? front->pieces[i] : 0;
    }
}

void lope_terrain_gather(const lope_terrain *terrain, lope_vec3 low, lope_vec3 high, lope_terrain_patch *out)
{
    const terrain_box box = {low, high};
    frontier front;
    front.count = 0;
    bool fits = terrain->root < 0 || add_pieces(terrain, terrain->root, &box, &front);
    *out = (lope_terrain_patch){.version = terrain->version, .low = low, .high = high};
    if (!fits) { // more pieces than entries: a patch that knows nothing, so that the terrain answers
        out->low = lope_v3(INFINITY, INFINITY, INFINITY);
        return;
    }
    open_all(terrain, &front, &box);
    write_groups(&front, out);
}

void lope_terrain_scan_begin(lope_terrain_scan *scan, const lope_terrain *terrain, const lope_vec3 *centres, int count,
                             float radius, uint8_t *touches)
{
    terrain_box box = terrain_box_empty();
    for (int i = 0; i < count; i++)
        terrain_box_add(&box, centres[i]);
    scan->centres = centres;
    scan->count = count;
    scan->radius = radius;
    scan->touches = touches;
    scan->done = 0;
    // A little more than the spheres, so that rounding puts none of them outside.
    float margin = radius + 1e-3f;
    const lope_vec3 more = lope_v3(margin, margin, margin);
    lope_terrain_gather(terrain, lope_v3_sub(box.low, more), lope_v3_add(box.high, more), &scan->patch);
}

bool lope_terrain_scan_run(lope_terrain_scan *scan, const lope_terrain *terrain, int budget)
{
    lope_terrain_patch *patch = &scan->patch;
    if (patch->version != terrain->version) {
        if (lope_terrain_changed(terrain, patch->version, patch->low, patch->high))
            lope_terrain_scan_begin(scan, terrain, scan->centres, scan->count, scan->radius, scan->touches);
        patch->version = terrain->version;
    }
    terrain_walk walk = terrain_walk_all(terrain);
    if (patch->low.x != INFINITY)
        walk = (terrain_walk){terrain, (const terrain_group *)(const void *)patch->groups, patch->group_count, false, 0,
                              true};
    for (; scan->done < scan->count && walk.work < budget; scan->done++)
        scan->touches[scan->done] = terrain->kernels->touches(&walk, scan->centres[scan->done], scan->radius);
    return scan->done == scan->count;
}
