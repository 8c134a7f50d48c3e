// SPDX-License-Identifier: MIT
// The space of each floor: borders beside its nodes and those of its fringe,
// and lines that close the fringe's end. A border of other ground that is near
// in height does no harm: the floor's own ground ends there or before.
#include <math.h>

#include "base/error.h"
#include "level/floors.h"
#include "space/passages.h"

#define GRID 4096.0f // to the metre
#define WIDEST 8.0f  // metres: paths are for bodies up to that wide

static lope_status use_space(lope_floors *f, int floor, lope_error *error)
{
    while (f->space_count <= floor) {
        if (f->space_count == f->space_room) {
            int room = f->space_room ? 2 * f->space_room : 8;
            void *grown =
                lope_grow(f->spaces, (size_t)f->space_room * sizeof *f->spaces, (size_t)room * sizeof *f->spaces);
            if (!grown)
                return lope_fail_memory(error);
            f->spaces = grown, f->space_room = room;
        }
        f->spaces[f->space_count++] = (floor_space){0};
    }
    return f->spaces[floor].passages ? LOPE_OK
                                     : lope_passages_open(f->low, f->high, WIDEST, &f->spaces[floor].passages, error);
}

// Places of a grid, so that ends of borders that meet do so exactly.
static float snap(float place)
{
    return rintf(place * GRID) / GRID;
}

static lope_status add_line(lope_floors *f, int floor, const lope_vec2 ends[2], int *obstacle, lope_error *error)
{
    const lope_vec2 line[2] = {{snap(ends[0].x), snap(ends[0].z)}, {snap(ends[1].x), snap(ends[1].z)}};
    lope_status status = use_space(f, floor, error);
    if (status == LOPE_OK)
        status = lope_space_add(&f->spaces[floor].passages->space, line, 2, obstacle, error);
    if (status == LOPE_OK)
        f->spaces[floor].changed = true;
    return status;
}

static bool same_ends(const lope_floor_border *a, const lope_floor_border *b)
{
    return (snap(a->from.x) == snap(b->to.x) && snap(a->from.z) == snap(b->to.z) && snap(a->to.x) == snap(b->from.x) &&
            snap(a->to.z) == snap(b->from.z)) ||
           (snap(a->from.x) == snap(b->from.x) && snap(a->from.z) == snap(b->from.z) &&
            snap(a->to.x) == snap(b->to.x) && snap(a->to.z) == snap(b->to.z));
}

// Ground on a box and that around it end along the same lines: they are one
// obstacle of a space. The obstacle of another border that is the same line
// there; 0: none. With `obstacle`: whether another has it.
static int shared_line(const lope_floors *f, int border, const floor_member *m, int obstacle)
{
    const list *borders = borders_of_tile(f, f->homes[border].x, f->homes[border].z);
    const float middle = f->borders[border].from.x + f->borders[border].to.x,
                near = 4.0f / GRID + 4e-7f * fabsf(middle);
    for (int i = 0; i < borders->count; i++) {
        int other = ((int *)borders->items)[i];
        const floor_home *home = &f->homes[other];
        if (!obstacle && fabsf(f->borders[other].from.x + f->borders[other].to.x - middle) > near)
            continue;
        for (int k = 0; k < home->member_count && other != border; k++) {
            const floor_member *o = &home->members[k];
            if (o->floor != m->floor || !o->obstacle || (obstacle && o->obstacle != obstacle))
                continue;
            if (obstacle || (o->from == 0.0f && o->to == 1.0f && same_ends(&f->borders[border], &f->borders[other])))
                return o->obstacle;
        }
    }
    return 0;
}

static void remove_line(lope_floors *f, floor_member member)
{
    lope_space_remove(&f->spaces[member.floor].passages->space, member.obstacle);
    f->spaces[member.floor].changed = true;
}

static void leave_line(lope_floors *f, int border, floor_member member)
{
    if (!shared_line(f, border, &member, member.obstacle))
        remove_line(f, member);
}

static void add_member(floor_home *home, int floor, float from, float to)
{
    int i = 0;
    while (i < home->member_count && home->members[i].floor != floor)
        i++;
    if (i == FLOOR_MEMBERS)
        return;
    floor_member *m = &home->members[i];
    if (i == home->member_count)
        home->members[home->member_count++] = (floor_member){floor, 0, 1.0f, 0.0f};
    m->from = fmaxf(0.0f, fminf(m->from, from));
    m->to = fminf(1.0f, fmaxf(m->to, to));
}

// How far a node is from a border, in plan; far where their heights are apart:
// then *over tells its floor. A node that is beside a border makes the part
// around there a border of its floor, and of those whose fringe it is in.
static float beside(const lope_floors *f, node_ref node, const lope_floor_border *border, floor_home *home,
                    uint64_t *over)
{
    const floor_block *b = &f->blocks[node.block];
    const floor_node *n = &b->nodes[node.node];
    float part, far = border_distance(border, node_place(node_x(b, n)), node_place(node_z(b, n)), &part);
    float y = border->from.y + part * (border->to.y - border->from.y);
    if (fabsf(n->y - y) >= f->near)
        *over |= (uint64_t)1 << (n->floor & 63);
    if (far > FLOOR_BESIDE || fabsf(n->y - y) >= f->near)
        return INFINITY;
    float x = border->to.x - border->from.x, z = border->to.z - border->from.z;
    float reach = FLOOR_BESIDE / sqrtf(x * x + z * z);
    add_member(home, n->floor, part - reach, part + reach);
    const floor_beyond *e = b->fringe.items;
    for (int k = n->fringe; k > 0; k = e[k - 1].next)
        add_member(home, e[k - 1].floor, part - reach, part + reach);
    return far;
}

static bool is_left(const lope_floor_border *b, float x, float z)
{
    return (b->to.x - b->from.x) * (z - b->from.z) - (b->to.z - b->from.z) * (x - b->from.x) > 0.0f;
}

// Whether the ground to the left of a border is that of a floor.
static bool is_beside_floor(const lope_floors *f, const lope_floor_border *b, lope_vec3 at, int floor)
{
    int x = node_column_before((double)at.x), z = node_column_before((double)at.z);
    float nearest = INFINITY;
    node_ref best = {-1, -1}, node;
    for (int k = 0; k < 16; k++) {
        int column_x = x - 1 + k % 4, column_z = z - 1 + k / 4;
        float dx = node_place(column_x) - at.x, dz = node_place(column_z) - at.z;
        if (dx * dx + dz * dz < nearest && is_left(b, at.x + dx, at.z + dz) &&
            nodes_near(f, column_x, column_z, at.y, &node))
            nearest = dx * dx + dz * dz, best = node;
    }
    return best.block >= 0 && (node_at(f, best)->floor == floor || fringe_has(f, best, floor));
}

// Whether a border lies over or under ground of a floor there, which goes on on
// both sides of it.
static bool lies_over(const lope_floors *f, const lope_floor_border *b, float part, int floor)
{
    float x = b->to.x - b->from.x, z = b->to.z - b->from.z, side = 1e-3f / sqrtf(x * x + z * z);
    lope_vec3 at = lope_v3_lerp(b->from, b->to, part);
    return !is_beside_floor(f, b, at, floor) &&
           places_over_floor(f, (lope_vec3){at.x - side * z, at.y, at.z + side * x}, floor) &&
           places_over_floor(f, (lope_vec3){at.x + side * z, at.y, at.z - side * x}, floor);
}

// Takes the ends off that lie over the floor itself.
static void trim(const lope_floors *f, const lope_floor_border *b, floor_member *m)
{
    float x = b->to.x - b->from.x, z = b->to.z - b->from.z, length = sqrtf(x * x + z * z),
          *ends[2] = {&m->from, &m->to};
    for (int k = 0; k < 2; k++) {
        float step = (k ? -0.125f : 0.125f) / length, *end = ends[k];
        if (!lies_over(f, b, *end, m->floor))
            continue;
        while (m->from < m->to && lies_over(f, b, *end, m->floor))
            *end += step;
        for (step *= 0.5f; m->from < m->to && fabsf(step) * length > 1e-3f; step *= 0.5f)
            *end += lies_over(f, b, *end - step, m->floor) ? 0.0f : -step;
    }
}

// A border being looked around: to its left only, where its ground is, or on
// both sides.
typedef struct look {
    lope_floor_border *border;
    floor_home *home;
    bool left;
    float low, high; // heights of the border
    float nearest;   // of the nodes beside it
    uint64_t over;   // bits of floors that have ground of other heights around
                     // (floors 64 apart share one)
} look;

static void look_at_node(const lope_floors *f, node_ref at, look *l)
{
    const floor_block *b = &f->blocks[at.block];
    const floor_node *n = &b->nodes[at.node];
    if (n->y > l->low - f->near && n->y < l->high + f->near &&
        (!l->left || is_left(l->border, node_place(node_x(b, n)), node_place(node_z(b, n))))) {
        float far = beside(f, at, l->border, l->home, &l->over);
        if (far < l->nearest && l->left)
            l->nearest = far, l->border->floor = n->floor;
    } else if (n->y <= l->high - f->near || n->y >= l->low + f->near) {
        l->over |= (uint64_t)1 << (n->floor & 63);
    }
}

// Floors of the nodes beside a border. Returns `over`.
static uint64_t look_beside(const lope_floors *f, lope_floor_border *border, floor_home *home, bool left)
{
    look l = {border,   home, left, fminf(border->from.y, border->to.y), fmaxf(border->from.y, border->to.y),
              INFINITY, 0};
    const plan_rect r = {node_column_before((double)(fminf(border->from.x, border->to.x) - FLOOR_BESIDE)) + 1,
                         node_column_before((double)(fminf(border->from.z, border->to.z) - FLOOR_BESIDE)) + 1,
                         node_column_before((double)(fmaxf(border->from.x, border->to.x) + FLOOR_BESIDE)),
                         node_column_before((double)(fmaxf(border->from.z, border->to.z) + FLOOR_BESIDE))};
    for (int block_z = div_down(r.z0, BLOCK_NODES); block_z <= div_down(r.z1, BLOCK_NODES); block_z++)
        for (int block_x = div_down(r.x0, BLOCK_NODES); block_x <= div_down(r.x1, BLOCK_NODES); block_x++) {
            const int block = floors_find_block(f, block_x, block_z);
            const plan_rect in = plan_within_block(r, block_x, block_z, BLOCK_NODES);
            for (int z = in.z0; z <= in.z1 && block >= 0; z++) { // nodes of a row lie side by side
                const uint16_t *first = &f->blocks[block].first[z * BLOCK_NODES];
                for (int i = first[in.x0]; i < first[in.x1 + 1]; i++)
                    look_at_node(f, (node_ref){block, i}, &l);
            }
        }
    return l.over;
}

static void find_members(const lope_floors *f, lope_floor_border *border, floor_home *home)
{
    border->floor = -1;
    home->member_count = 0;
    uint64_t over = look_beside(f, border, home, true);
    if (!home->member_count)
        look_beside(f, border, home, false);
    for (int i = home->member_count - 1; i >= 0; i--) {
        if (over >> (home->members[i].floor & 63) & 1)
            trim(f, border, &home->members[i]);
        if (home->members[i].from >= home->members[i].to)
            home->members[i] = home->members[--home->member_count];
    }
}

static lope_vec2 point_at(const lope_floor_border *b, float part)
{
    if (part >= 1.0f)
        return (lope_vec2){b->to.x, b->to.z};
    return (lope_vec2){b->from.x + part * (b->to.x - b->from.x), b->from.z + part * (b->to.z - b->from.z)};
}

lope_status spaces_set_border(lope_floors *f, int border, lope_error *error)
{
    lope_floor_border *b = &f->borders[border];
    floor_home *home = &f->homes[border], old = *home;
    find_members(f, b, home);
    for (int i = 0; i < old.member_count; i++) {
        int k = 0;
        while (k < home->member_count &&
               (home->members[k].floor != old.members[i].floor || home->members[k].from != old.members[i].from ||
                home->members[k].to != old.members[i].to))
            k++;
        if (k == home->member_count)
            leave_line(f, border, old.members[i]);
        else
            home->members[k].obstacle = old.members[i].obstacle;
    }
    lope_status status = LOPE_OK;
    for (int i = 0; i < home->member_count && status == LOPE_OK; i++) {
        floor_member *m = &home->members[i];
        const lope_vec2 ends[2] = {point_at(b, m->from), point_at(b, m->to)};
        if (!m->obstacle && m->from == 0.0f && m->to == 1.0f)
            m->obstacle = shared_line(f, border, m, 0);
        if (!m->obstacle)
            status = add_line(f, m->floor, ends, &m->obstacle, error);
    }
    return status;
}

void spaces_drop_border(lope_floors *f, int border)
{
    for (int i = 0; i < f->homes[border].member_count; i++)
        if (f->homes[border].members[i].obstacle)
            leave_line(f, border, f->homes[border].members[i]);
}

// ---- ends of fringes

// Cuts a line off where the nearest border of that height crosses it.
static void stop_at_borders(const lope_floors *f, float y, lope_vec2 from, lope_vec2 *to)
{
    for (border_walk w = borders_around(f, from.x, from.z, (float)NODE_CELL); borders_next(&w);) {
        const lope_floor_border *b = &f->borders[w.border];
        float ax = b->to.x - b->from.x, az = b->to.z - b->from.z, dx = to->x - from.x, dz = to->z - from.z;
        float turn = dx * az - dz * ax;
        if (turn == 0.0f)
            continue;
        float t = ((b->from.x - from.x) * az - (b->from.z - from.z) * ax) / turn;
        float u = ((b->from.x - from.x) * dz - (b->from.z - from.z) * dx) / turn;
        if (t > 0.0f && t < 1.0f && u >= 0.0f && u <= 1.0f &&
            fabsf(b->from.y + u * (b->to.y - b->from.y) - y) < f->near)
            *to = (lope_vec2){from.x + t * dx, from.z + t * dz};
    }
}

static void end_line(const lope_floors *f, const floor_block *b, const floor_end *e, lope_vec2 ends[2])
{
    static const float along[4] = {1.0f, 0.0f, -1.0f, 0.0f};
    float half = 0.5f * (float)NODE_CELL, dx = half * along[e->side], dz = half * along[(e->side + 3) % 4];
    float x = node_place(b->x * BLOCK_NODES + e->column % BLOCK_NODES) + dx,
          z = node_place(b->z * BLOCK_NODES + e->column / BLOCK_NODES) + dz;
    ends[0] = (lope_vec2){x - dz, z + dx};
    ends[1] = (lope_vec2){x + dz, z - dx};
    stop_at_borders(f, e->y, (lope_vec2){x, z}, &ends[0]);
    stop_at_borders(f, e->y, (lope_vec2){x, z}, &ends[1]);
}

static int take_old(list *ends, const floor_end *e)
{
    floor_end *o = ends->items;
    for (int i = 0; i < ends->count; i++)
        if (o[i].obstacle && o[i].column == e->column && o[i].side == e->side && o[i].floor == e->floor &&
            fabsf(o[i].y - e->y) < 1e-4f) {
            int obstacle = o[i].obstacle;
            o[i].obstacle = 0;
            return obstacle;
        }
    return 0;
}

static lope_status find_ends(lope_floors *f, int block, list *old, lope_error *error)
{
    lope_status status = LOPE_OK;
    floor_block *b = &f->blocks[block];
    for (int i = 0; i < b->fringe.count; i++) {
        floor_beyond at = ((floor_beyond *)b->fringe.items)[i];
        for (int side = 0; side < 4 && status == LOPE_OK; side++) {
            node_ref next;
            if (!nodes_next(f, (node_ref){block, at.node}, side, &next) || node_at(f, next)->floor == at.floor ||
                fringe_has(f, next, at.floor))
                continue;
            floor_end e = {b->nodes[at.node].column, side, at.floor, 0, b->nodes[at.node].y};
            e.obstacle = take_old(old, &e);
            if (!e.obstacle) {
                lope_vec2 line[2];
                end_line(f, b, &e, line);
                status = add_line(f, e.floor, line, &e.obstacle, error);
            }
            if (status == LOPE_OK && !list_add(&b->ends, &e, sizeof e))
                status = lope_fail_memory(error);
        }
    }
    return status;
}

lope_status spaces_set_ends(lope_floors *f, int block, lope_error *error)
{
    list old = f->blocks[block].ends;
    f->blocks[block].ends = (list){0};
    lope_status status = find_ends(f, block, &old, error);
    const floor_end *e = old.items;
    for (int i = 0; i < old.count; i++)
        if (e[i].obstacle)
            remove_line(f, (floor_member){e[i].floor, e[i].obstacle, 0.0f, 1.0f});
    lope_free(old.items);
    return status;
}

// ---- ways

static size_t mesh_memory(const lope_mesh *m)
{
    return (size_t)m->vertex_capacity * (sizeof *m->vertices + sizeof(int)) +
           (size_t)m->edge_capacity * (2 * sizeof *m->half_edges + 3 * sizeof(int) + 1) +
           (size_t)m->face_capacity * (sizeof *m->faces + 2 * sizeof(int) + 1) +
           (size_t)m->piece_capacity * sizeof *m->pieces + (size_t)m->segment_capacity * sizeof *m->segments;
}

size_t spaces_memory(const lope_floors *f)
{
    size_t sum = (size_t)f->space_room * sizeof *f->spaces;
    for (int i = 0; i < f->space_count; i++) {
        const lope_passages *p = f->spaces[i].passages;
        if (!p)
            continue;
        const lope_mesh *m = &p->space.mesh;
        sum += mesh_memory(m) + (size_t)p->space.obstacle_capacity * sizeof *p->space.obstacles +
               (size_t)p->gate_capacity * sizeof *p->gates +
               (size_t)p->faces.columns * (size_t)p->faces.rows * sizeof *p->faces.cells;
        if (p->merges)
            sum += (size_t)m->face_count * sizeof *p->merges;
        sum += (size_t)p->bridges.edge_count * sizeof *p->bridges.edges +
               (size_t)p->bridges.face_count * (sizeof *p->bridges.orders + sizeof *p->bridges.tree);
    }
    return sum;
}

static void finish(void *user, int index, int thread)
{
    floor_space *s = &((lope_floors *)user)->spaces[index];
    (void)thread;
    if (s->changed)
        s->changed = lope_passages_finish(s->passages, NULL) != LOPE_OK;
}

lope_status spaces_finish(lope_floors *f, lope_jobs *jobs, lope_error *error)
{
    bool fine = true;
    lope_jobs_run(jobs, f->space_count, finish, f);
    for (int i = 0; i < f->space_count; i++)
        fine = fine && !f->spaces[i].changed;
    return fine ? LOPE_OK : lope_fail_memory(error);
}
