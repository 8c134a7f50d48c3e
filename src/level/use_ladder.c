// SPDX-License-Identifier: MIT
// Ladders: which links of the blocks lead from floor to floor one after the other, and the rungs that are there.
// Blocks know ladders of whole sections; others are climbed by the motion whose height is nearest, its hips raised more
// or less quickly and hands and feet put on the rungs nearest to where the motion has them.
#include <string.h>

#include "base/error.h"
#include "level/use.h"

#define MOST_NODES 512
#define SAME_PLACE 0.12f // metres in plan between gates that are joined
#define RUNG_STEP 0.01f  // metres between the rays that look for rungs
#define BEFORE 0.3f      // metres before the ladder that these come from
#define BEHIND 0.07f     // metres behind its middle in which a rung may be
#define LEAST 0.55f      // heights of ladders, as shares of those that the motion climbs
#define MOST 1.3f
#define USUAL_PITCH 0.3f // metres between the rungs of a ladder that has none

// ---- the motion

// A gate that was reached by a link.
typedef struct chain_node {
    int32_t link, block, parent, pose;
    float base; // height of the block's origin above where the climb begins
    lope_spot to;
    bool floor;
} chain_node;

typedef struct chain {
    const lope_blocks *blocks;
    float most; // metres: no higher
    float sign; // 1 up, -1 down
    int count;
    chain_node nodes[MOST_NODES];
} chain;

static bool is_ladder(const lope_blocks *b, const lope_block *block)
{
    for (int i = 0; i < block->unit_count; i++) {
        const char *name = b->units[b->placed[block->unit_first + i].unit].name;
        if (strncmp(name, "ladder", 6) != 0 && strncmp(name, "rung", 4) != 0)
            return false;
    }
    return block->unit_count > 0;
}

static bool is_known(const chain *c, const chain_node *node)
{
    for (int i = 0; i < c->count; i++)
        if (c->nodes[i].pose == node->pose && c->nodes[i].floor == node->floor &&
            fabsf(c->nodes[i].to.y - node->to.y) < 0.02f)
            return true;
    return false;
}

// Adds what a link leads to when it is begun at node `parent` (-1: on the floor).
static void try_link(chain *c, int block, int link, int parent)
{
    const lope_blocks *b = c->blocks;
    const lope_block_gate *gates = &b->gates[b->blocks[block].gate_first];
    const lope_block_gate *from = &gates[b->links[link].from], *to = &gates[b->links[link].to];
    const chain_node *before = parent < 0 ? NULL : &c->nodes[parent];
    if ((to->at.y - from->at.y) * c->sign < 0.05f || (from->floor == 1) != (parent < 0))
        return;
    if (before && (from->pose != before->pose || fabsf(from->at.x - before->to.x) > SAME_PLACE ||
                   fabsf(from->at.z - before->to.z) > SAME_PLACE))
        return;
    chain_node node = {link,   block,         parent, to->pose, (before ? before->to.y : 0.0f) - from->at.y,
                       to->at, to->floor == 1};
    node.to.y += node.base;
    if (fabsf(node.to.y) <= c->most && c->count < MOST_NODES && !is_known(c, &node))
        c->nodes[c->count++] = node;
}

// Breadth first, so that ways of few links are found first. The seed decides which takes are looked at first.
static void grow(chain *c, int parent, uint32_t seed)
{
    const lope_blocks *b = c->blocks;
    for (int i = 0; i < b->block_count; i++) {
        const lope_block *block = &b->blocks[i];
        if (!is_ladder(b, block))
            continue;
        for (int l = 0; l < block->link_count; l++)
            try_link(c, i, block->link_first + (seed & 1u ? block->link_count - 1 - l : l), parent);
    }
}

// The way whose height is nearest to that of the ladder; -1: none.
static int find_way(chain *c, float height, uint32_t seed)
{
    int best = -1;
    grow(c, -1, seed);
    for (int i = 0; i < c->count; i++) {
        const chain_node *n = &c->nodes[i];
        float off = fabsf(fabsf(n->to.y) - height);
        if (!n->floor)
            grow(c, i, seed);
        else if (best < 0 || off <= fabsf(fabsf(c->nodes[best].to.y) - height) + 1e-3f)
            best = i;
    }
    return best;
}

// Writes the way down as steps, seen from the foot of the ladder.
static bool take_way(lope_use *u, const chain *c, int end)
{
    const float foot = c->sign < 0.0f ? -c->nodes[end].to.y : 0.0f;
    int count = 0;
    for (int i = end; i >= 0; i = c->nodes[i].parent)
        count++;
    if (count > USE_MOST_STEPS)
        return false;
    u->in_count = count;
    for (int i = end; i >= 0; i = c->nodes[i].parent) {
        const chain_node *n = &c->nodes[i];
        const lope_block_link *link = &c->blocks->links[n->link];
        lope_spot gate = c->blocks->gates[c->blocks->blocks[n->block].gate_first + link->from].at;
        gate.y += n->base + foot;
        u->in[--count] = (use_step){link->segment, gate};
    }
    return true;
}

// ---- the thing

static bool surface(const lope_use *u, lope_vec3 at, float above, float depth, float *y)
{
    lope_terrain_hit hit;
    at.y += above;
    bool found = lope_terrain_below(lope_level_terrain(u->def.level), NULL, at, depth, &hit);
    *y = found ? hit.point.y : 0.0f;
    return found;
}

static bool is_rung(const lope_use *u, lope_spot foot, float y)
{
    lope_terrain_hit hit;
    return lope_terrain_ray(lope_level_terrain(u->def.level), NULL, use_point(foot, lope_v3(0, y, -BEFORE)),
                            use_point(foot, lope_v3(0, y, BEHIND)), &hit);
}

// Tops of the rungs, from below.
static void find_rungs(lope_use *u, float height)
{
    use_ladder *l = &u->is.ladder;
    bool before = true; // the ground, or whatever the ladder stands in
    l->rung_count = 0;
    for (float y = 0.06f; y < height + 0.03f && l->rung_count < USE_MOST_RUNGS; y += RUNG_STEP) {
        bool now = is_rung(u, l->foot, y);
        if (before && !now && y > 0.12f)
            l->rungs[l->rung_count++] = y - 0.5f * RUNG_STEP;
        before = now;
    }
    if (l->rung_count >= 2)
        return;
    l->rung_count = 0; // smooth
    for (float y = USUAL_PITCH; y < height + 1e-3f && l->rung_count < USE_MOST_RUNGS; y += USUAL_PITCH)
        l->rungs[l->rung_count++] = y;
}

static bool has_room(const lope_use *u, lope_vec3 at, float low, float high)
{
    for (float y = low; y <= high; y += 0.15f)
        if (lope_terrain_touches(lope_level_terrain(u->def.level), NULL, lope_v3_add(at, lope_v3(0, y, 0)), 0.15f))
            return false;
    return true;
}

static lope_status find_room(const lope_use *u, const lope_part *part, lope_error *error)
{
    const use_ladder *l = &u->is.ladder;
    lope_vec3 before = use_point(l->foot, lope_v3(0, 0, -0.45f)),
              above = use_point(l->foot, lope_v3(0, l->height, 0.25f));
    if (!has_room(u, before, 0.4f, l->height + 1.5f))
        return lope_fail(error, LOPE_UNSUPPORTED, "there is no room for a body before the ladder '%s'", part->name);
    if (!has_room(u, above, 0.4f, 1.6f))
        return lope_fail(error, LOPE_UNSUPPORTED, "there is no room to stand at the top of the ladder '%s'",
                         part->name);
    return LOPE_OK;
}

lope_status use_find_ladder(lope_use *u, const lope_part *part, lope_error *error)
{
    use_ladder *l = &u->is.ladder;
    const lope_quat turn = part->at.rotation;
    const float size = part->size.y * part->scale;
    lope_vec3 at = part->at.translation;
    l->foot = (lope_spot){at.x, at.y, at.z, (float)(2.0 * lope_atan2((double)turn.y, (double)turn.w))};
    float low, high;
    if (fabsf(turn.x) + fabsf(turn.z) > 0.02f)
        return lope_fail(error, LOPE_UNSUPPORTED, "the ladder '%s' does not stand upright", part->name);
    if (!surface(u, use_point(l->foot, lope_v3(0, 0, -0.42f)), 0.3f, 0.6f, &low))
        return lope_fail(error, LOPE_UNSUPPORTED, "there is no ground before the ladder '%s'", part->name);
    if (!surface(u, use_point(l->foot, lope_v3(0, size, 0.25f)), 0.3f, 0.6f, &high))
        return lope_fail(error, LOPE_UNSUPPORTED, "the ladder '%s' leads to no ground", part->name);
    l->foot.y = low;
    l->height = high - low;
    find_rungs(u, l->height);
    chain c = {.blocks = u->def.blocks, .most = l->height / LEAST, .sign = u->def.down ? -1.0f : 1.0f};
    int end = find_way(&c, l->height, u->def.seed);
    if (end < 0 || !take_way(u, &c, end))
        return lope_fail(error, LOPE_UNSUPPORTED, "the blocks have no motion for ladders of %.2f m", (double)l->height);
    l->climbed = fabsf(c.nodes[end].to.y);
    if (l->height < LEAST * l->climbed || l->height > MOST * l->climbed)
        return lope_fail(error, LOPE_UNSUPPORTED, "the ladder '%s' is %.2f m high, the motion climbs %.2f to %.2f m",
                         part->name, (double)l->height, (double)(LEAST * l->climbed), (double)(MOST * l->climbed));
    const lope_block_segment *first = use_segment(u, &u->in[0]);
    l->stand = use_clip(u, &u->in[0])->root[first->piece.first].y - first->base;
    u->thing = u->turned = u->finish = l->foot;
    u->settle = 0.8f;
    return find_room(u, part, error);
}
