// SPDX-License-Identifier: MIT
// Builds the box tree of a mesh. Triangles are sorted once along each axis; a range of them is cut where the surface
// area of both sides, times their triangles, is least (the surface area heuristic: MacDonald and Booth 1990), and the
// order of all three axes is kept on both sides. Large ranges are not cut across short sides. Cuts leave whole leaves
// of eight on the left, so leaves are full. A node takes up to eight ranges by cutting the largest again and again.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "terrain/terrain.h"

#define MANY 64     // triangles: larger ranges are not cut across sides less than a quarter as long as the longest
#define DIGITS 2048 // of a place to sort by, which has three of them
#define FEW 64      // triangles that are sorted one by one

typedef struct builder {
    terrain_piece *piece;
    terrain_box *boxes;  // [count] of triangles
    int *ids;            // [count] of triangles in the mesh
    int *order[3];       // [count] along x, y, z
    int *scratch;        // [count]
    terrain_box *eights; // [count / 8 + 1] around eight triangles each, in the order of an axis
    terrain_box *behind; // [count / 8 + 1] around those and all that follow
    uint8_t *left;       // [count] side of a triangle in the cut that is being made
    uint64_t *keys;      // [2 * count] to sort by
    int count;
} builder;

typedef struct range {
    int first, count, depth;
    terrain_box box;
} range;

static float area(const terrain_box *box)
{
    float x = box->high.x - box->low.x, y = box->high.y - box->low.y, z = box->high.z - box->low.z;
    return x * y + y * z + z * x;
}

static float squared(lope_vec3 a, lope_vec3 b)
{
    lope_vec3 way = lope_v3_sub(b, a);
    return lope_v3_dot(way, way);
}

void terrain_corners(const terrain_piece *piece, int id, lope_vec3 corners[3])
{
    const int *index = &piece->indices[3 * id];
    lope_vec3 a = piece->vertices[index[0]], b = piece->vertices[index[1]], c = piece->vertices[index[2]];
    float ab = squared(a, b), bc = squared(b, c), ca = squared(c, a);
    bool from_b = ca > bc && ca >= ab, from_c = !from_b && ab > bc;
    corners[0] = from_b ? b : from_c ? c : a;
    corners[1] = from_b ? c : from_c ? a : b;
    corners[2] = from_b ? a : from_c ? b : c;
}

// Too thin to tell from a line at the precision of its coordinates.
static bool has_area(const lope_vec3 c[3])
{
    lope_vec3 ab = lope_v3_sub(c[1], c[0]), ac = lope_v3_sub(c[2], c[0]), bc = lope_v3_sub(c[2], c[1]);
    float longest = terrain_more(terrain_more(lope_v3_dot(ab, ab), lope_v3_dot(ac, ac)), lope_v3_dot(bc, bc));
    return lope_v3_length(lope_v3_cross(ab, ac)) > 1e-6f * longest && longest > 1e-14f;
}

void terrain_leaf_set(terrain_leaf *leaf, int lane, const lope_vec3 corners[3], int id)
{
    lope_vec3 a = lope_v3(NAN, NAN, NAN), ab = a, ac = a;
    if (id >= 0) {
        a = corners[0];
        ab = lope_v3_sub(corners[1], a);
        ac = lope_v3_sub(corners[2], a);
    }
    leaf->a[0][lane] = a.x, leaf->a[1][lane] = a.y, leaf->a[2][lane] = a.z;
    leaf->ab[0][lane] = ab.x, leaf->ab[1][lane] = ab.y, leaf->ab[2][lane] = ab.z;
    leaf->ac[0][lane] = ac.x, leaf->ac[1][lane] = ac.y, leaf->ac[2][lane] = ac.z;
    leaf->ids[lane] = id;
}

// A corner plus an edge rounds: neighbours may see the corner they share one step apart. Boxes hold both.
static void widen(float *low, float *high)
{
    float step = 1.2e-7f * terrain_more(fabsf(*low), fabsf(*high));
    *low -= step;
    *high += step;
}

terrain_box terrain_leaf_box(const terrain_leaf *leaf)
{
    terrain_box box = terrain_box_empty();
    bool any = false;
    for (int i = 0; i < 8; i++) {
        if (leaf->ids[i] < 0)
            continue;
        lope_vec3 a = lope_v3(leaf->a[0][i], leaf->a[1][i], leaf->a[2][i]);
        terrain_box_add(&box, a);
        terrain_box_add(&box, lope_v3_add(a, lope_v3(leaf->ab[0][i], leaf->ab[1][i], leaf->ab[2][i])));
        terrain_box_add(&box, lope_v3_add(a, lope_v3(leaf->ac[0][i], leaf->ac[1][i], leaf->ac[2][i])));
        any = true;
    }
    if (any) {
        widen(&box.low.x, &box.high.x);
        widen(&box.low.y, &box.high.y);
        widen(&box.low.z, &box.high.z);
    }
    return box;
}

static float centre_of(const terrain_box *box, int axis)
{
    return axis == 0 ? box->low.x + box->high.x : axis == 1 ? box->low.y + box->high.y : box->low.z + box->high.z;
}

// Puts triangles in the order of their centres; equal ones stay in that of the mesh.
static void sort_few(builder *b, int axis)
{
    for (int i = 0; i < b->count; i++) {
        const uint64_t key = (uint64_t)terrain_sortable(centre_of(&b->boxes[i], axis)) << 32 | (uint32_t)i;
        int at = i;
        for (; at > 0 && b->keys[at - 1] > key; at--)
            b->keys[at] = b->keys[at - 1];
        b->keys[at] = key;
    }
    for (int i = 0; i < b->count; i++)
        b->order[axis][i] = (int)(b->keys[i] & 0xFFFFFFFFu);
}

// The same for many: a radix sort, which is stable.
static void sort_axis(builder *b, int axis)
{
    if (b->count <= FEW) {
        sort_few(b, axis);
        return;
    }
    const size_t count = (size_t)b->count;
    uint64_t *from = b->keys, *to = b->keys + count;
    uint32_t starts[3][DIGITS] = {0};
    for (size_t i = 0; i < count; i++) {
        const uint32_t key = terrain_sortable(centre_of(&b->boxes[i], axis));
        from[i] = (uint64_t)key << 32 | i;
        for (int k = 0; k < 3; k++)
            starts[k][key >> 11 * k & (DIGITS - 1)]++;
    }
    for (int k = 0; k < 3; k++) {
        uint32_t before = 0;
        for (int i = 0; i < DIGITS; i++) {
            const uint32_t own = starts[k][i];
            starts[k][i] = before, before += own;
        }
        for (size_t i = 0; i < count; i++)
            to[starts[k][from[i] >> (32 + 11 * k) & (DIGITS - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to, to = swap;
    }
    for (size_t i = 0; i < count; i++)
        b->order[axis][i] = (int)(from[i] & 0xFFFFFFFFu);
}

static terrain_box box_of(const builder *b, int axis, int first, int count)
{
    terrain_box box = terrain_box_empty();
    for (int i = first; i < first + count; i++)
        terrain_box_join(&box, &b->boxes[b->order[axis][i]]);
    return box;
}

// What a range costs to look into: whole nodes of eight leaves, so that cuts leave few half empty.
static float cost_of(int count)
{
    return count > 64 ? (float)((count + 63) / 64) : (float)((count + 7) / 8) * 0.125f;
}

// Where to cut a range, and what is on both sides.
typedef struct split {
    int axis, count; // triangles on the left
    float cost;
    terrain_box left, right;
} split;

// Looks for a better cut along one axis. Cuts are between eights, so boxes are put together eight by eight first.
static void find_cut(builder *b, const range *r, int axis, split *best)
{
    const int eights = (r->count + 7) / 8;
    for (int i = 0; i < eights; i++)
        b->eights[i] = b->behind[i] = box_of(b, axis, r->first + 8 * i, 8 * i + 8 < r->count ? 8 : r->count - 8 * i);
    for (int i = eights - 2; i > 0; i--)
        terrain_box_join(&b->behind[i], &b->behind[i + 1]);
    terrain_box left = b->eights[0];
    for (int i = 1; i < eights; i++) {
        const float cost = area(&left) * cost_of(8 * i) + area(&b->behind[i]) * cost_of(r->count - 8 * i);
        if (cost < best->cost)
            *best = (split){axis, 8 * i, cost, left, b->behind[i]};
        terrain_box_join(&left, &b->eights[i]);
    }
}

static int longest_axis(const terrain_box *box)
{
    float x = box->high.x - box->low.x, y = box->high.y - box->low.y, z = box->high.z - box->low.z;
    return x >= y && x >= z ? 0 : z >= y ? 2 : 1;
}

// Cuts a range of more than eight in two; keeps the order of all axes on both sides.
static void cut(builder *b, const range *whole, range *left, range *right)
{
    split s = {.cost = INFINITY};
    const lope_vec3 sides = lope_v3_sub(whole->box.high, whole->box.low);
    const float extents[3] = {sides.x, sides.y, sides.z}, longest = extents[longest_axis(&whole->box)];
    for (int k = 0; k < 3 && whole->depth < TERRAIN_DEPTH_FREE; k++)
        if (whole->count <= MANY || 4.0f * extents[k] >= longest)
            find_cut(b, whole, k, &s);
    if (s.count == 0) { // too deep: halves keep the depth of the tree, and with it the stack of questions, bounded
        s.axis = longest_axis(&whole->box);
        s.count = (whole->count / 2 + 7) / 8 * 8;
        s.left = box_of(b, s.axis, whole->first, s.count);
        s.right = box_of(b, s.axis, whole->first + s.count, whole->count - s.count);
    }
    for (int i = 0; i < whole->count; i++)
        b->left[b->order[s.axis][whole->first + i]] = i < s.count;
    for (int k = 0; k < 3; k++) {
        int *order = b->order[k] + whole->first, kept = 0, moved = 0;
        for (int i = 0; i < whole->count && k != s.axis; i++) { // which side it is cannot be foretold: no branches
            const int one = order[i], is_left = b->left[one];
            order[kept] = b->scratch[moved] = one;
            kept += is_left, moved += 1 - is_left;
        }
        memcpy(order + kept, b->scratch, (size_t)moved * sizeof *order);
    }
    *left = (range){whole->first, s.count, whole->depth + 1, s.left};
    *right = (range){whole->first + s.count, whole->count - s.count, whole->depth + 1, s.right};
}

static int make_leaf(builder *b, const range *r)
{
    terrain_piece *piece = b->piece;
    terrain_leaf *leaf = &piece->leaves[piece->leaf_count];
    for (int i = 0; i < 8; i++) {
        lope_vec3 corners[3];
        int id = i < r->count ? b->ids[b->order[0][r->first + i]] : -1;
        if (id >= 0)
            terrain_corners(piece, id, corners);
        terrain_leaf_set(leaf, i, corners, id);
    }
    return piece->leaf_count++;
}

static void empty_node(terrain_node *node)
{
    const terrain_box nothing = terrain_box_empty();
    for (int i = 0; i < 8; i++) {
        terrain_set_lane_box(node->boxes[0], i, &nothing);
        node->children[i] = 0;
    }
}

// The largest part that does not fit into a full tree of one level less.
static int largest_to_cut(const range *parts, int count, int most)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (parts[i].count > most && (best < 0 || area(&parts[i].box) > area(&parts[best].box)))
            best = i;
    return best;
}

// Child reference of a range: its node, or ~ its leaf. *box: what it really holds.
static int32_t make(builder *b, const range *r, terrain_box *box)
{
    terrain_piece *piece = b->piece;
    if (r->count <= 8) {
        int leaf = make_leaf(b, r);
        *box = terrain_leaf_box(&piece->leaves[leaf]);
        return ~leaf;
    }
    range parts[8] = {*r};
    int count = 1, largest, most = 8;
    while (most < (r->count + 7) / 8)
        most *= 8;
    while (count < 8 && (largest = largest_to_cut(parts, count, most)) >= 0) {
        range whole = parts[largest];
        cut(b, &whole, &parts[largest], &parts[count]);
        count++;
    }
    int index = piece->node_count++;
    empty_node(&piece->nodes[index]);
    *box = terrain_box_empty();
    for (int i = 0; i < count; i++) {
        terrain_box child_box;
        int32_t child = make(b, &parts[i], &child_box);
        piece->nodes[index].children[i] = child;
        terrain_set_lane_box(piece->nodes[index].boxes[0], i, &child_box);
        terrain_box_join(box, &child_box);
    }
    return index;
}

// Lays out what it needs in `room`, which may be NULL. Returns bytes.
static uint64_t lay_out(builder *b, int triangles, char *room)
{
    const uint64_t n = (uint64_t)triangles;
    uint64_t used = 0;
    b->boxes = terrain_part_of(room, &used, n * sizeof *b->boxes);
    b->ids = terrain_part_of(room, &used, n * sizeof *b->ids);
    b->scratch = terrain_part_of(room, &used, n * sizeof *b->scratch);
    b->eights = terrain_part_of(room, &used, (n / 8 + 2) * sizeof *b->eights);
    b->behind = terrain_part_of(room, &used, (n / 8 + 2) * sizeof *b->behind);
    b->left = terrain_part_of(room, &used, n * sizeof *b->left);
    b->keys = terrain_part_of(room, &used, 2 * n * sizeof *b->keys);
    for (int k = 0; k < 3; k++)
        b->order[k] = terrain_part_of(room, &used, n * sizeof *b->order[k]);
    return used;
}

static void collect(builder *b)
{
    for (int id = 0; id < b->piece->index_count / 3; id++) {
        lope_vec3 corners[3];
        terrain_corners(b->piece, id, corners);
        if (!has_area(corners))
            continue;
        terrain_box box = terrain_box_empty();
        for (int k = 0; k < 3; k++)
            terrain_box_add(&box, corners[k]);
        b->boxes[b->count] = box;
        b->ids[b->count++] = id;
    }
}

// Leaves: cuts keep eights whole on the left, so only the last part of each range is not full.
static bool take_tree(builder *b)
{
    size_t leaves = ((size_t)b->count + 7) / 8;
    b->piece->leaves = lope_alloc_array(leaves, sizeof *b->piece->leaves);
    b->piece->nodes = lope_alloc_array(leaves, sizeof *b->piece->nodes);
    return b->piece->leaves && b->piece->nodes;
}

static void shrink_nodes(terrain_piece *piece)
{
    size_t size = (size_t)piece->node_count * sizeof *piece->nodes;
    terrain_node *fitting = lope_alloc(size);
    if (!fitting)
        return;
    memcpy(fitting, piece->nodes, size);
    lope_free(piece->nodes);
    piece->nodes = fitting;
}

uint64_t terrain_build_room(int triangles)
{
    return lay_out(&(builder){0}, triangles, NULL);
}

lope_status terrain_build_mesh(terrain_piece *piece, char *room, lope_error *error)
{
    int given = piece->index_count / 3;
    builder b = {.piece = piece};
    lay_out(&b, given, room);
    collect(&b);
    if (b.count == 0)
        return lope_fail(error, LOPE_BAD_DATA, "a mesh needs at least one triangle with an area; found %d, all without",
                         given);
    if (!take_tree(&b))
        return lope_fail_memory(error);
    for (int axis = 0; axis < 3; axis++)
        sort_axis(&b, axis);
    range all = {0, b.count, 0, box_of(&b, 0, 0, b.count)};
    piece->triangle_count = b.count;
    piece->root = make(&b, &all, &piece->bounds);
    shrink_nodes(piece);
    return LOPE_OK;
}

const terrain_leaf *terrain_leaf_of(const terrain_piece *piece, int leaf, terrain_leaf *made)
{
    if (!piece->is_field)
        return &piece->leaves[leaf];
    terrain_field_leaf(piece, leaf, made);
    return made;
}
