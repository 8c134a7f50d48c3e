// SPDX-License-Identifier: MIT
// What leads where: links that nothing blocks, junctions from which one gets back to a floor, and the steps out of
// every node.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "blocks/world.h"

// How far (metres) from its first unit an instance may be used.
#define INSTANCE_REACH 4.0f
// Steps between places that differ by less (metres, radians) are played as they are.
#define NO_EDIT 0.001f

static bool is_part(const lope_block_world *w, const lope_block_instance *instance, const world_box *box)
{
    const lope_block *block = &w->blocks->blocks[instance->block];
    const lope_placed_unit *objects = w->objects.items;
    for (int i = 0; i < block->unit_count; i++)
        if (w->blocks->placed[block->unit_first + i].unit == objects[box->object].unit)
            return true;
    return false;
}

// Instances share words of bits.
static void open_link(const lope_block_world *w, int link)
{
    __atomic_fetch_or(&w->link_open[link >> 6], 1ull << (link & 63), __ATOMIC_RELAXED);
}

// Things in the way of what is done at an instance. Its own units are where they were captured, and what continues them
// in the same kind, as the next steps of a staircase do, is no obstacle either.
static void look_at_links(void *user, int index, int thread)
{
    (void)thread;
    const lope_block_world *w = user;
    const lope_block_instance *instance = instance_at(w, index);
    const lope_block *block = &w->blocks->blocks[instance->block];
    body_surroundings around;
    lope_spot at = instance->at;
    int old = reuse_instance(w, index, INSTANCE_REACH + 1.0f);
    if (old >= 0) {
        int first = ((const lope_block_instance *)w->old_instances.items.items)[old].link_first;
        for (int i = 0; i < block->link_count; i++)
            if (bit_at(w->old_open, first + i))
                open_link(w, instance->link_first + i);
        return;
    }
    int near = boxes_near(w, lope_v3(at.x, at.y, at.z), INSTANCE_REACH, around.boxes, MOST_BOXES);
    around.floor_count = floors_near(w, at, INSTANCE_REACH, around.floors, MOST_NEAR_FLOORS);
    around.box_count = 0;
    around.overlap = w->def.overlap;
    for (int i = 0; i < near; i++)
        if (!is_part(w, instance, around.boxes[i]))
            around.boxes[around.box_count++] = around.boxes[i];
    for (int i = 0; i < block->link_count; i++) {
        const lope_block_link *link = &w->blocks->links[block->link_first + i];
        lope_spot gate = lope_spot_mul(instance->at, w->blocks->gates[block->gate_first + link->from].at);
        const lope_block_segment *segment = &w->blocks->segments[link->segment];
        body_place path[BODY_PLACES];
        int bit = instance->link_first + i, places = body_path(w, segment, gate, path);
        if (!body_collides(w, segment, path, places, &around))
            open_link(w, bit);
    }
}

static bool has_bits(const uint64_t *bits)
{
    uint64_t any = 0;
    for (int i = 0; i < JOIN_WORDS; i++)
        any |= bits[i];
    return any != 0;
}

static int link_junction(const lope_block_world *w, int link, bool from)
{
    const lope_block_instance *instance = instance_at(w, w->link_instance[link]);
    const lope_block *block = &w->blocks->blocks[instance->block];
    const lope_block_link *l = &w->blocks->links[block->link_first + link - instance->link_first];
    return ((const int32_t *)w->junction_of.items)[instance->gate_first + (from ? l->from : l->to)];
}

// Junctions from which some way leads to a floor, backwards from those that one can walk away from.
static void find_life(lope_block_world *w)
{
    for (int i = 0; i < w->junctions.count; i++)
        state_at(w, i)->alive = has_bits(state_at(w, i)->go);
    for (bool changed = true; changed;) {
        changed = false;
        for (int l = 0; l < w->link_total; l++) {
            junction_state *from = state_at(w, link_junction(w, l, true));
            if (!bit_at(w->link_open, l) || from->alive || !state_at(w, link_junction(w, l, false))->alive)
                continue;
            from->alive = changed = true;
        }
    }
    for (int l = 0; l < w->link_total; l++)
        if (bit_at(w->link_open, l) && state_at(w, link_junction(w, l, false))->alive)
            w->link_lives[l >> 6] |= 1ull << (l & 63);
}

static int by_node(const void *a, const void *b)
{
    const come_ref *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->junction != y->junction)
        return x->junction < y->junction ? -1 : 1;
    return (x->join > y->join) - (x->join < y->join);
}

static int tile_of_node(const lope_block_world *w, int node)
{
    return node / (LOPE_TILE_SIDES * w->blocks->tile->gate_count); // all floors have the same tile
}

static lope_status list_comes(lope_block_world *w, lope_error *error)
{
    w->comes.count = 0;
    for (int i = 0; i < w->junctions.count; i++) {
        const junction_state *state = state_at(w, i);
        if (state->set < 0 || !state->alive)
            continue;
        const join_set *set = set_at(w, state->set);
        for (int k = 0; k < set->come_count; k++) {
            come_ref ref = {0, i, set->come_first + k};
            if (!bit_at(state->come, k))
                continue;
            ref.node = join_node(w, i, join_at(w, ref.join));
            if (!list_add(&w->comes, &ref, sizeof ref))
                return lope_fail_memory(error);
        }
    }
    if (w->comes.count > 1)
        qsort(w->comes.items, (size_t)w->comes.count, sizeof(come_ref), by_node);
    const come_ref *refs = w->comes.items;
    int at = 0;
    for (int tile = 0; tile <= w->tile_total; tile++) {
        while (at < w->comes.count && tile_of_node(w, refs[at].node) < tile)
            at++;
        w->come_first[tile] = at;
    }
    return LOPE_OK;
}

// Links by the junction they begin in.
static void sort_links(lope_block_world *w)
{
    memset(w->links_first, 0, ((size_t)w->junctions.count + 2) * sizeof *w->links_first);
    for (int l = 0; l < w->link_total; l++)
        w->links_first[link_junction(w, l, true) + 2]++;
    for (int i = 1; i < w->junctions.count + 2; i++)
        w->links_first[i] += w->links_first[i - 1];
    for (int l = 0; l < w->link_total; l++)
        w->links_of[w->links_first[link_junction(w, l, true) + 1]++] = l;
}

static lope_status make_room(lope_block_world *w, lope_error *error)
{
    size_t links = (size_t)w->link_total, words = links / 64 + 1;
    void **blocks[] = {(void **)&w->link_open,   (void **)&w->link_lives, (void **)&w->come_first,
                       (void **)&w->links_first, (void **)&w->links_of,   (void **)&w->link_instance};
    const size_t sizes[] = {words * sizeof *w->link_open,
                            words * sizeof *w->link_lives,
                            ((size_t)w->tile_total + 1) * sizeof *w->come_first,
                            ((size_t)w->junctions.count + 3) * sizeof *w->links_first,
                            (links + 1) * sizeof *w->links_of,
                            (links + 1) * sizeof *w->link_instance};
    bool ok = true;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        lope_free(*blocks[i]);
        *blocks[i] = lope_alloc_zero(sizes[i]);
        ok = ok && *blocks[i];
    }
    for (int i = 0; i < w->instances.count && ok; i++) {
        const lope_block_instance *instance = instance_at(w, i);
        for (int k = 0; k < w->blocks->blocks[instance->block].link_count; k++)
            w->link_instance[instance->link_first + k] = i;
    }
    return ok ? LOPE_OK : lope_fail_memory(error);
}

lope_status graph_update(lope_block_world *w, lope_jobs *jobs, lope_error *error)
{
    lope_status status = make_room(w, error);
    if (status)
        return status;
    lope_jobs_run(jobs, w->instances.count, look_at_links, w);
    find_life(w);
    sort_links(w);
    return list_comes(w, error);
}

// The first step to a junction from a node of a tile, or from one behind it.
static int first_come(const lope_block_world *w, int tile, int node)
{
    const come_ref *refs = w->comes.items;
    int first = w->come_first[tile], end = w->come_first[tile + 1];
    while (first < end) {
        int middle = (first + end) / 2;
        if (refs[middle].node < node)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool next_on_tile(const lope_block_world *w, int node, graph_cursor *c, graph_step *out)
{
    int floor, tile, heading, gate;
    world_node_parts(w, node, &floor, &tile, &heading, &gate);
    const floor_tiles *f = floor_at(w, floor);
    const lope_tile *t = w->blocks->tile;
    if (c->stage == 0) {
        int end = t->link_first[(gate + 1) * LOPE_TILE_WAYS];
        for (int link = t->link_first[gate * LOPE_TILE_WAYS] + c->at; link < end; link++) {
            c->at++;
            if (!link_lives(f->tiles, tile, heading, link))
                continue;
            int to = node_of(f->tiles, patch_tile_after(f->tiles, tile, heading, link),
                             patch_heading_after(f->tiles, heading, link), t->links[link].to);
            *out = (graph_step){f->first_node + to, f->tiles->durations[link], LOPE_STEP_TILE, floor, link};
            return true;
        }
        *c = (graph_cursor){1, first_come(w, f->first_tile + tile, node)};
    }
    if (c->at == w->comes.count)
        return false;
    const come_ref *ref = (const come_ref *)w->comes.items + c->at;
    if (ref->node != node)
        return false;
    c->at++;
    *out = (graph_step){w->tile_nodes + ref->junction, join_at(w, ref->join)->seconds, LOPE_STEP_COME, ref->junction,
                        ref->join};
    return true;
}

static bool next_on_junction(const lope_block_world *w, int junction, graph_cursor *c, graph_step *out)
{
    if (c->stage == 0) {
        for (int end = w->links_first[junction + 1] - w->links_first[junction]; c->at < end;) {
            int link = w->links_of[w->links_first[junction] + c->at++];
            if (!bit_at(w->link_lives, link))
                continue;
            const lope_block_instance *instance = instance_at(w, w->link_instance[link]);
            const lope_block *block = &w->blocks->blocks[instance->block];
            const lope_block_link *l = &w->blocks->links[block->link_first + link - instance->link_first];
            float seconds = (float)(w->blocks->segments[l->segment].piece.frames - 1) / w->frame_rate;
            *out = (graph_step){w->tile_nodes + link_junction(w, link, false), seconds, LOPE_STEP_LINK,
                                w->link_instance[link], link};
            return true;
        }
        *c = (graph_cursor){1, 0};
    }
    const junction_state *state = state_at(w, junction);
    for (int end = state->set >= 0 ? set_at(w, state->set)->go_count : 0; c->at < end;) {
        int k = c->at++, index = set_at(w, state->set)->go_first + k;
        if (!bit_at(state->go, k))
            continue;
        const join *j = join_at(w, index);
        *out = (graph_step){join_node(w, junction, j), j->seconds, LOPE_STEP_GO, junction, index};
        return true;
    }
    return false;
}

bool graph_next(const lope_block_world *w, int node, graph_cursor *cursor, graph_step *out)
{
    return node < w->tile_nodes ? next_on_tile(w, node, cursor, out)
                                : next_on_junction(w, node - w->tile_nodes, cursor, out);
}

bool graph_has_node(const lope_block_world *w, int node)
{
    return w->usable && node >= 0 && node < w->tile_nodes + w->junctions.count;
}

bool graph_node_lives(const lope_block_world *w, int node)
{
    if (node >= w->tile_nodes)
        return state_at(w, node - w->tile_nodes)->alive;
    int floor, tile, heading, gate;
    world_node_parts(w, node, &floor, &tile, &heading, &gate);
    return floor_at(w, floor)->tiles->ways[node - floor_at(w, floor)->first_node] > 0;
}

static bool differs(lope_spot a, lope_spot b)
{
    return fabsf(a.x - b.x) > NO_EDIT || fabsf(a.y - b.y) > NO_EDIT || fabsf(a.z - b.z) > NO_EDIT ||
           fabsf(lope_wrap_angle(a.yaw - b.yaw)) > NO_EDIT;
}

static void describe_link(const lope_block_world *w, const graph_step *s, lope_block_step *out)
{
    const lope_block_instance *instance = instance_at(w, s->where);
    const lope_block *block = &w->blocks->blocks[instance->block];
    out->link = s->index - instance->link_first;
    const lope_block_link *link = &w->blocks->links[block->link_first + out->link];
    lope_spot from = lope_spot_mul(instance->at, w->blocks->gates[block->gate_first + link->from].at);
    lope_spot to = lope_spot_mul(instance->at, w->blocks->gates[block->gate_first + link->to].at);
    lope_spot junctions[2] = {junction_at(w, out->from - w->tile_nodes)->at,
                              junction_at(w, out->to - w->tile_nodes)->at};
    out->segment = w->blocks->segments[link->segment];
    out->gate = junctions[0];
    if (differs(from, junctions[0]) || differs(to, junctions[1]))
        segment_aim(w, &out->segment, from, to, junctions[0], junctions[1]);
}

// Where a gate of a tile is; quarter turns need no trigonometry.
static lope_spot gate_place(const floor_tiles *floor, int tile, int heading, lope_ground gate)
{
    lope_vec2 at = ground_move_point(patch_frame(floor->tiles, tile, heading), gate.x, gate.z);
    return (lope_spot){at.x, floor->def.height, at.z,
                       lope_wrap_angle(gate.yaw + (float)heading * (float)(LOPE_PI / 2.0))};
}

static void describe_tile(const lope_block_world *w, const graph_step *s, lope_block_step *out)
{
    int floor, tile, heading, gate;
    world_node_parts(w, out->from, &floor, &tile, &heading, &gate);
    const lope_tile *t = w->blocks->tile;
    out->link = s->index;
    out->segment = (lope_block_segment){.piece = t->segments[t->links[s->index].segment]};
    out->gate = gate_place(floor_at(w, floor), tile, heading, t->gates[gate].at);
}

lope_block_step graph_describe(const lope_block_world *w, int node, const graph_step *s)
{
    lope_block_step out = {.kind = s->kind, .from = node, .to = s->to, .where = s->where, .seconds = s->seconds};
    if (s->kind == LOPE_STEP_TILE)
        describe_tile(w, s, &out);
    else if (s->kind == LOPE_STEP_LINK)
        describe_link(w, s, &out);
    else
        out.segment = join_segment(w, s->where, join_at(w, s->index), s->kind == LOPE_STEP_COME, &out.gate);
    return out;
}

int lope_block_steps(const lope_block_world *w, int node, lope_block_step *out, int room)
{
    if (!graph_has_node(w, node))
        return 0;
    graph_cursor cursor = {0, 0};
    graph_step step;
    int count = 0;
    for (; graph_next(w, node, &cursor, &step); count++)
        if (count < room)
            out[count] = graph_describe(w, node, &step);
    return count;
}

lope_spot lope_block_node_place(const lope_block_world *w, int node, int *pose)
{
    int ignored;
    pose = pose ? pose : &ignored;
    *pose = -1;
    if (!graph_has_node(w, node))
        return (lope_spot){0.0f, 0.0f, 0.0f, 0.0f};
    if (node >= w->tile_nodes) {
        *pose = junction_at(w, node - w->tile_nodes)->pose;
        return junction_at(w, node - w->tile_nodes)->at;
    }
    int floor, tile, heading, gate;
    world_node_parts(w, node, &floor, &tile, &heading, &gate);
    const lope_tile *t = w->blocks->tile;
    *pose = t->gates[gate].pose;
    return gate_place(floor_at(w, floor), tile, heading, t->gates[gate].at);
}

static float distance2(lope_spot a, lope_spot b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
}

int lope_block_node_near(const lope_block_world *w, lope_spot near, int pose)
{
    int best = -1;
    float least = 9.0f;
    for (int i = 0; i < w->junctions.count && w->usable; i++) {
        float d = distance2(junction_at(w, i)->at, near);
        if (d < least && state_at(w, i)->alive && (pose < 0 || junction_at(w, i)->pose == pose)) {
            least = d;
            best = w->tile_nodes + i;
        }
    }
    for (int f = 0; f < w->floors.count && w->usable; f++) {
        const floor_tiles *floor = floor_at(w, f);
        int middle = patch_tile_at(floor->tiles, (lope_vec2){near.x, near.z}), columns = floor->def.columns;
        for (int i = 0; i < 9 * LOPE_TILE_SIDES * floor->tiles->gate_count && middle >= 0; i++) {
            int gate = i % floor->tiles->gate_count, heading = i / floor->tiles->gate_count % LOPE_TILE_SIDES;
            int around = i / floor->tiles->gate_count / LOPE_TILE_SIDES;
            int column = middle % columns + around % 3 - 1, row = middle / columns + around / 3 - 1, kind;
            if (column < 0 || row < 0 || column >= columns || row >= floor->def.rows)
                continue;
            int node = world_tile_node(w, f, row * columns + column, heading, gate);
            float d = distance2(lope_block_node_place(w, node, &kind), near);
            if (d < least && floor->tiles->ways[node - floor->first_node] > 0 && (pose < 0 || kind == pose)) {
                least = d;
                best = node;
            }
        }
    }
    return best;
}

lope_status lope_block_behaviour(const lope_block_world *w, int node, int block, int link, lope_block_step *out,
                                 lope_error *error)
{
    const lope_block *b = block >= 0 && block < w->blocks->block_count ? &w->blocks->blocks[block] : NULL;
    int pose = -1;
    if (!b || b->unit_count > 0 || link < 0 || link >= b->link_count)
        return lope_fail(error, LOPE_NOT_FOUND, "block %d is no behaviour with a link %d", block, link);
    lope_block_node_place(w, node, &pose);
    const lope_block_link *l = &w->blocks->links[b->link_first + link];
    if (pose != w->blocks->gates[b->gate_first + l->from].pose)
        return lope_fail(error, LOPE_NOT_FOUND, "nobody stands at node %d", node);
    *out = (lope_block_step){.kind = LOPE_STEP_LINK, .from = node, .to = node, .where = -1, .link = link};
    out->segment = w->blocks->segments[l->segment];
    out->seconds = (float)(out->segment.piece.frames - 1) / w->frame_rate;
    out->gate = lope_block_node_place(w, node, &pose);
    return LOPE_OK;
}
